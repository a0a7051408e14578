//! Path expressions by number. The same few expressions meet again and again while disjuncts are compared, so each is
//! kept once, and what was found out about two of them is kept as well.
//!
//! The table belongs to the thread: a [`PathId`] can neither be sent to another thread nor looked up there. Its order is
//! the one in which expressions were first met; nothing depends on it but where an edge stands in a sorted list.
//!
//! Cost: one look into a hash table for each question that was asked before.

use super::relate::BOUND;
use super::{Field, Path};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::marker::PhantomData;
use std::rc::Rc;

/// An expression of this thread's table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PathId(u32, PhantomData<*const Path>);

/// Answers that are remembered; beyond that all are forgotten, and found out again where they are needed.
const MOST_ANSWERS: usize = 1 << 18;

#[derive(Default)]
struct Table {
    values: Vec<Rc<Path>>,
    ids: FxHashMap<Rc<Path>, PathId>,
    steps: FxHashMap<Field, PathId>,
    answers: FxHashMap<(Question, PathId, PathId), PathId>,
}

/// What is asked about one expression (then both are that one) or two.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Question {
    Then,
    Included,
    Generalised,
    Bounded,
}

thread_local! {
    static TABLE: RefCell<Table> = RefCell::default();
}

impl Table {
    fn id(&mut self, path: Path) -> PathId {
        match self.ids.get(&path) {
            Some(id) => *id,
            None => self.new_id(path),
        }
    }

    fn new_id(&mut self, path: Path) -> PathId {
        let id = PathId(u32::try_from(self.values.len()).unwrap_or(u32::MAX), PhantomData);
        let path = Rc::new(path);
        self.values.push(path.clone());
        self.ids.insert(path, id);
        id
    }

    fn value(&self, id: PathId) -> Rc<Path> {
        self.values.get(id.0 as usize).cloned().unwrap_or_default()
    }

    fn answer(&mut self, question: Question, a: PathId, b: PathId) -> PathId {
        if let Some(known) = self.answers.get(&(question, a, b)) {
            return *known;
        }
        let (first, second) = (self.value(a), self.value(b));
        let answer = match question {
            Question::Then => self.id(first.then(&second)),
            // The second stands for yes, the first for no: they differ.
            Question::Included if first.included_in(&second) => b,
            Question::Included => a,
            Question::Generalised => self.id(first.generalised()),
            Question::Bounded => self.id(first.bounded(BOUND)),
        };
        if self.answers.len() >= MOST_ANSWERS {
            self.answers.clear();
        }
        self.answers.insert((question, a, b), answer);
        answer
    }
}

fn ask(question: Question, a: PathId, b: PathId) -> PathId {
    TABLE.with_borrow_mut(|table| table.answer(question, a, b))
}

impl PathId {
    /// The expression with this value.
    pub fn of(path: Path) -> PathId {
        TABLE.with_borrow_mut(|table| table.id(path))
    }

    /// The same for an expression that is most likely in the table.
    pub(super) fn of_known(path: &Path) -> PathId {
        TABLE.with_borrow_mut(|table| match table.ids.get(path) {
            Some(id) => *id,
            None => table.new_id(path.clone()),
        })
    }

    /// One step along a field.
    pub(super) fn of_step(field: Field) -> PathId {
        TABLE.with_borrow_mut(|table| match table.steps.get(&field) {
            Some(id) => *id,
            None => {
                let id = table.id(Path::step(field));
                table.steps.insert(field, id);
                id
            }
        })
    }

    pub(super) fn number(self) -> u32 {
        self.0
    }

    /// The expression with a number that another one of this thread had.
    pub(super) fn numbered(number: u32) -> PathId {
        PathId(number, PhantomData)
    }

    /// The expression itself.
    pub fn value(self) -> Rc<Path> {
        TABLE.with_borrow(|table| table.value(self))
    }

    /// [`Path::then`].
    pub fn then(self, other: PathId) -> PathId {
        ask(Question::Then, self, other)
    }

    /// [`Path::included_in`].
    pub fn included_in(self, other: PathId) -> bool {
        self == other || ask(Question::Included, self, other) == other
    }

    /// [`Path::generalised`].
    pub fn generalised(self) -> PathId {
        ask(Question::Generalised, self, self)
    }

    /// [`Path::bounded`] by [`BOUND`].
    pub fn bounded(self) -> PathId {
        ask(Question::Bounded, self, self)
    }
}

impl std::fmt::Display for PathId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.value().fmt(f)
    }
}

impl std::fmt::Debug for PathId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}
