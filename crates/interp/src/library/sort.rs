//! Library functions that call back into the program: `qsort`, `bsearch`, and what `exit` runs.
//!
//! Each is a state machine on the call stack. [`Machine::step_native`] looks at what the last callback returned
//! and either calls the next one or finishes.

use super::{Args, Called, Ptr};
use crate::error::{Res, Stop, stop};
use crate::frame::{Activation, Typed};
use crate::leak::roots;
use crate::machine::Machine;
use crate::value::{Chunk, ObjectId, Value};
use heapwise_ir::library::LibFn;
use heapwise_ir::{FuncId, Ty, Type};

/// A library function that waits for a callback.
#[derive(Debug)]
pub(crate) struct Native {
    /// What the callback returned.
    pub returned: Option<Value>,
    pub task: NativeTask,
}

#[derive(Debug)]
pub(crate) enum NativeTask {
    AtExit { code: i32 },
    Sort(Box<Sort>),
    Search(Search),
}

/// Top-down merge sort, in the order of comparisons of glibc 2.36.
#[derive(Debug)]
pub(crate) struct Sort {
    array: Ptr,
    size: u64,
    compare: FuncId,
    /// What is still to do, the next thing last.
    work: Vec<SortWork>,
    merge: Option<Merge>,
}

#[derive(Debug)]
enum SortWork {
    /// Sort `count` elements from `start` on.
    Sort { start: u64, count: u64 },
    /// Merge two sorted runs that lie side by side.
    Merge { start: u64, left: u64, right: u64 },
}

/// A merge in progress: elements are taken from two runs in the array into a new order.
#[derive(Debug)]
struct Merge {
    start: u64,
    left: u64,
    left_end: u64,
    right: u64,
    right_end: u64,
    taken: Vec<Chunk>,
}

#[derive(Debug)]
pub(crate) struct Search {
    key: Ptr,
    array: Ptr,
    size: u64,
    compare: FuncId,
    low: u64,
    high: u64,
}

impl Native {
    /// Objects that the waiting function points to.
    pub fn roots(&self, work: &mut Vec<ObjectId>) {
        match &self.task {
            NativeTask::AtExit { .. } => {}
            NativeTask::Sort(sort) => {
                work.extend(sort.array.object);
                for chunk in sort.merge.iter().flat_map(|m| &m.taken) {
                    work.extend(chunk.pointers.iter().map(|p| p.object));
                }
            }
            NativeTask::Search(search) => {
                work.extend(search.key.object);
                work.extend(search.array.object);
            }
        }
        if let Some(value) = &self.returned {
            roots(value, work);
        }
    }
}

/// What a state machine wants next.
enum Wish {
    Call(FuncId, Ptr, Ptr),
    CallPlain(FuncId),
    Finish(Value),
    Exit(i32),
}

impl Machine<'_, '_> {
    pub(super) fn sort_function(&mut self, model: LibFn, args: &Args) -> Res<Called> {
        let first = usize::from(model == LibFn::Bsearch);
        let array = self.ptr_arg(args, first)?;
        let (count, size) = (self.size_arg(args, first + 1)?, self.size_arg(args, first + 2)?);
        let compare = self.function_behind(self.arg(args, first + 3)?)?;
        if count > 0 {
            let total = count.saturating_mul(size);
            self.memory.check(array.address, array.object, total, crate::memory::Access::Read)?;
        }
        let task = if model == LibFn::Bsearch {
            let key = self.ptr_arg(args, 0)?;
            NativeTask::Search(Search { key, array, size, compare, low: 0, high: count })
        } else {
            let work = vec![SortWork::Sort { start: 0, count }];
            NativeTask::Sort(Box::new(Sort { array, size, compare, work, merge: None }))
        };
        if self.frames.len() >= self.options.limits.depth {
            return stop(Stop::Budget(crate::BudgetKind::Depth));
        }
        self.frames.push(Activation::Native(Box::new(Native { returned: None, task })));
        Ok(Called::Entered)
    }

    /// Goes on with the innermost activation, a library function.
    pub fn step_native(&mut self) -> Res<()> {
        self.steps += 1;
        let Some(Activation::Native(mut native)) = self.frames.pop() else { return Ok(()) };
        let returned = native.returned.take();
        let wish = match &mut native.task {
            NativeTask::AtExit { code } => match self.lib.atexit.pop() {
                Some(function) => Wish::CallPlain(function),
                None => Wish::Exit(*code),
            },
            NativeTask::Sort(sort) => self.step_sort(sort, returned)?,
            NativeTask::Search(search) => self.step_search(search, returned)?,
        };
        match wish {
            Wish::Exit(code) => stop(Stop::Exit(code)),
            Wish::Finish(value) => self.deliver(value),
            Wish::CallPlain(function) => {
                self.frames.push(Activation::Native(native));
                self.callback(function, Vec::new())
            }
            Wish::Call(function, a, b) => {
                self.frames.push(Activation::Native(native));
                let params = match self.program.functions.get(function).map(|f| self.program.types.get(f.ty))
                {
                    Some(Type::Function { params, .. }) => params.to_vec(),
                    _ => Vec::new(),
                };
                let ty = |i: usize| params.get(i).copied().unwrap_or(Ty(0));
                self.callback(
                    function,
                    vec![Typed { value: a.value(), ty: ty(0) }, Typed { value: b.value(), ty: ty(1) }],
                )
            }
        }
    }

    fn callback(&mut self, function: FuncId, args: Vec<Typed>) -> Res<()> {
        match self.call(function, args)? {
            Called::Done(value) => self.deliver(value),
            Called::Entered => Ok(()),
        }
    }

    fn comparison(&self, returned: Value) -> Res<i128> {
        Ok(self.int_of(&returned, "the result of the comparison")?.0)
    }

    fn step_sort(&mut self, sort: &mut Sort, returned: Option<Value>) -> Res<Wish> {
        let size = sort.size;
        let array = sort.array;
        let at = |i: u64| array.add(i.wrapping_mul(size));
        if let (Some(merge), Some(value)) = (&mut sort.merge, returned) {
            let from_left = self.comparison(value)? <= 0;
            let index = if from_left { merge.left } else { merge.right };
            merge.taken.push(self.memory.read_chunk(at(index).address, array.object, size)?);
            if from_left {
                merge.left += 1;
            } else {
                merge.right += 1;
            }
        }
        loop {
            if let Some(merge) = &mut sort.merge {
                if merge.left < merge.left_end && merge.right < merge.right_end {
                    return Ok(Wish::Call(sort.compare, at(merge.left), at(merge.right)));
                }
                // What is left of the left run moves to the end; the rest of the right run is in place.
                for i in merge.left..merge.left_end {
                    merge.taken.push(self.memory.read_chunk(at(i).address, array.object, size)?);
                }
                let (start, taken) = (merge.start, std::mem::take(&mut merge.taken));
                sort.merge = None;
                for (i, chunk) in taken.iter().enumerate() {
                    self.memory.write_chunk(at(start + i as u64).address, array.object, chunk)?;
                }
            }
            match sort.work.pop() {
                None => return Ok(Wish::Finish(Value::Undefined)),
                Some(SortWork::Sort { count: 0 | 1, .. }) => {}
                Some(SortWork::Sort { start, count }) => {
                    let left = count / 2;
                    sort.work.push(SortWork::Merge { start, left, right: count - left });
                    sort.work.push(SortWork::Sort { start: start + left, count: count - left });
                    sort.work.push(SortWork::Sort { start, count: left });
                }
                Some(SortWork::Merge { start, left, right }) => {
                    let middle = start + left;
                    sort.merge = Some(Merge {
                        start,
                        left: start,
                        left_end: middle,
                        right: middle,
                        right_end: middle + right,
                        taken: Vec::new(),
                    });
                }
            }
        }
    }

    fn step_search(&mut self, search: &mut Search, returned: Option<Value>) -> Res<Wish> {
        let middle = search.low.midpoint(search.high);
        let here = search.array.add(middle.wrapping_mul(search.size));
        if let Some(value) = returned {
            match self.comparison(value)? {
                0 => return Ok(Wish::Finish(here.value())),
                n if n < 0 => search.high = middle,
                _ => search.low = middle + 1,
            }
        }
        if search.low >= search.high {
            return Ok(Wish::Finish(Value::int(0)));
        }
        let middle = search.low.midpoint(search.high);
        Ok(Wish::Call(search.compare, search.key, search.array.add(middle.wrapping_mul(search.size))))
    }
}
