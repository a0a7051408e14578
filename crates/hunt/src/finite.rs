//! Proof by execution: a program that has finitely many runs, up to inputs that make no difference, is proved by them.
//!
//! A run does the same on every machine as long as nothing it does depends on what the machine chooses: the proof is
//! given up as soon as it looks at an address as a number, orders addresses, compares an address that is not inside a
//! living object, uses an indeterminate value, an object or function defined elsewhere, or a library function whose effect
//! may depend on the machine ([`sameness`]). Inputs may be copied, stored, passed, compared with constants and branched on ([`Mark`]); any
//! other use gives the proof up. So the path of a run shows for each input a set of values under which everything goes
//! the same way, and what is left of that set is another path. When no set is left over, all runs were seen.
//!
//! **Invariant:** a place that holds a value computed from inputs is marked, or the proof is given up.
//!
//! Cost: one run per path, within the limits given. Loops over inputs without a bound are noticed by their length.

use crate::Limits;
use crate::effort::{Effort, Mode};
use crate::marks::{Form, GivenUp, Mark, Marks, Spot};
use crate::number::{Number, number_of};
use crate::term::{Ranges, nonzero, within};
use heapwise_interp::{
    FrameView, InputKind, InputValue, Inputs, LocalView, Observer, Origin, Outcome, Policy, Surroundings,
    Value, View,
};
use heapwise_ir::library::LibFn;
use heapwise_ir::{
    Body, Call, Callee, CastKind, CompareOp, Const, Function, FunctionBody, Global, GlobalInit, Intrinsic,
    LocalId, Operand, Place, PlaceBase, Program, Projection, Rvalue, Span, StatementKind, Terminator,
    TerminatorKind, Ty, Type, visit,
};
use std::ops::ControlFlow;

/// What a library function does on every machine in the same way.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sameness {
    /// All of it.
    All,
    /// All but how large a result is that is not zero.
    Sign,
    /// All, for a format that shows no address.
    Format,
}

/// Whether the effect of a library function does not depend on the machine. Functions of floating numbers are those whose results are
/// exact; output never fails.
fn sameness(lib: LibFn) -> Option<Sameness> {
    use LibFn as L;
    Some(match lib {
        L::Malloc | L::Calloc | L::Realloc | L::Free | L::Alloca | L::Strdup | L::Strndup => Sameness::All,
        L::Exit | L::ImmediateExit | L::Abort | L::AssertFail | L::ReachError | L::VerifierAssume => {
            Sameness::All
        }
        L::Memset | L::Memcpy | L::Memmove | L::Mempcpy | L::Bzero => Sameness::All,
        L::Memchr | L::Memrchr | L::Memmem => Sameness::All,
        L::Strlen | L::Strnlen | L::Strcpy | L::Stpcpy | L::Strncpy | L::Strcat | L::Strncat => Sameness::All,
        L::Strchr | L::Strchrnul | L::Strrchr | L::Strstr | L::Strspn | L::Strcspn | L::Strpbrk => {
            Sameness::All
        }
        L::Memcmp | L::Strcmp | L::Strncmp | L::Strcasecmp | L::Strncasecmp => Sameness::Sign,
        L::Isalpha | L::Isdigit | L::Isalnum | L::Isspace | L::Isblank | L::Isupper | L::Islower => {
            Sameness::Sign
        }
        L::Isxdigit | L::Ispunct | L::Isprint | L::Isgraph | L::Iscntrl | L::Isnan | L::Isinf => {
            Sameness::Sign
        }
        L::Toupper | L::Tolower | L::CtypeBLoc | L::CtypeTolowerLoc | L::CtypeToupperLoc => Sameness::All,
        L::Strtol | L::Strtoul | L::Strtoll | L::Strtoull | L::Strtod => Sameness::All,
        L::Atoi | L::Atol | L::Atoll | L::Atof | L::Abs | L::Div => Sameness::All,
        L::Sqrt | L::Fabs | L::Floor | L::Ceil | L::Round | L::Trunc | L::Fmod | L::Fmin | L::Fmax => {
            Sameness::All
        }
        L::Copysign | L::Ldexp | L::Frexp | L::Modf => Sameness::All,
        L::Puts | L::Putchar | L::Fputc | L::Fputs | L::Fflush => Sameness::All,
        L::Printf | L::Fprintf | L::Sprintf | L::Snprintf => Sameness::Format,
        _ => return None,
    })
}

/// Most inputs of a run; a loop that draws more is taken to have no bound.
const MAX_DRAWS: usize = 100;
/// Most paths.
const MAX_PATHS: u64 = 50_000;

/// Whether the runs of the program are finitely many up to inputs that make no difference, and none has an error under
/// these settings; looked for within the limits.
pub fn proves(program: &Program, settings: &heapwise_interp::Options, limits: &Limits) -> bool {
    let entry = program.function_named(&settings.entry).and_then(|f| program.body(f));
    if entry.is_none_or(|body| !body.params.is_empty() && !ignores_arguments(body)) {
        return false;
    }
    let mut settings = settings.clone();
    // Nothing that a run finds around it may matter.
    settings.surroundings = Surroundings::Given;
    settings.uninitialised = Policy::Stop;
    settings.shift = Policy::Stop;
    settings.hidden_pointers_lead = false;
    // Paths to be taken: values of the first inputs, and the sets from which they may be.
    let mut todo: Vec<Vec<(i128, Ranges)>> = vec![Vec::new()];
    let (mut paths, mut effort) = (0, Effort::default());
    let most_steps = settings.limits.steps;
    while let Some(prefix) = todo.pop() {
        paths += 1;
        let over = paths > MAX_PATHS.min(limits.runs) || effort.units() >= limits.effort;
        if over || settings.is_over() {
            return false;
        }
        settings.limits.steps = most_steps.min(Effort::steps_for(limits.effort - effort.units()));
        let mut watcher = Watcher {
            program,
            marks: Marks::default(),
            pending: None,
            calls: Vec::new(),
            conditions: Vec::new(),
            kinds: Vec::new(),
        };
        let mut inputs = Fixed { values: &prefix, next: 0 };
        let run = heapwise_interp::run(program, &settings, &mut inputs, Some(&mut watcher));
        effort.add(&run.stats, Mode::Watched);
        let good = match run.outcome {
            // Where a program is left from within its functions, temporaries may hold what is lost.
            Outcome::Exit(_) => !settings.lost_when_stopped || run.leaks.is_empty() || !leaves(program),
            Outcome::Abort => !settings.lost_when_stopped || run.stats.heap_allocations == 0,
            // A block may have been lost before.
            Outcome::AssumeFailed => !settings.lost_when_stopped,
            _ => false,
        };
        // Every draw must be one that was watched.
        if !good
            || run.guess.is_some()
            || run.draws.len() > MAX_DRAWS
            || watcher.kinds.len() != run.draws.len()
        {
            return false;
        }
        let mut drawn: Vec<(i128, Ranges)> = Vec::new();
        for (at, (draw, kind)) in run.draws.iter().zip(&watcher.kinds).enumerate() {
            let InputValue::Int(value) = draw.value else { return false };
            let set = prefix.get(at).map_or_else(|| vec![*kind], |(_, set)| set.clone());
            if !within(&set, value) {
                return false;
            }
            drawn.push((value, set));
        }
        for condition in &watcher.conditions {
            let Some((_, set)) = drawn.get(condition.input) else { return false };
            let rest = without(set, &condition.chosen);
            let inside = without(set, &rest);
            if let Some(value) = pick(&rest) {
                let mut other: Vec<(i128, Ranges)> = drawn.iter().take(condition.draws).cloned().collect();
                let Some(slot) = other.get_mut(condition.input) else { return false };
                *slot = (value, rest);
                todo.push(other);
            }
            if let Some((_, set)) = drawn.get_mut(condition.input) {
                *set = inside;
            }
        }
    }
    true
}

/// Whether a function never looks at its parameters.
fn ignores_arguments(body: &Body) -> bool {
    let mut used = false;
    let mut note = |op: &Operand| used |= matches!(op, Operand::Local(l) if body.params.contains(l));
    for block in body.blocks.iter() {
        block.statements.iter().for_each(|s| visit::statement_operands(s, &mut note));
        visit::terminator_operand(&block.terminator).into_iter().for_each(&mut note);
    }
    for statement in body.blocks.iter().flat_map(|b| &b.statements) {
        visit::statement_places(statement, &mut |p, _| {
            used |= matches!(p.base, PlaceBase::Local(l) if body.params.contains(&l));
        });
    }
    !used
}

/// A branch that depends on one input.
struct Condition {
    input: usize,
    /// The values with which the run went the way it did.
    chosen: Ranges,
    /// Inputs drawn before.
    draws: usize,
}

/// What lies in the first ranges but in none of the second.
pub fn without(from: &[(i128, i128)], what: &[(i128, i128)]) -> Ranges {
    let mut left: Ranges = from.to_vec();
    for &(lo, hi) in what {
        let mut next = Vec::new();
        for (a, b) in left {
            if hi < a || b < lo {
                next.push((a, b));
                continue;
            }
            if a < lo {
                next.push((a, lo - 1));
            }
            if hi < b {
                next.push((hi + 1, b));
            }
        }
        left = next;
    }
    left
}

/// A number of the ranges, one near zero.
fn pick(ranges: &[(i128, i128)]) -> Option<i128> {
    ranges.iter().map(|&(lo, hi)| 0i128.clamp(lo, hi)).min_by_key(|v| v.unsigned_abs())
}

/// Given values, then zeros.
struct Fixed<'a> {
    values: &'a [(i128, Ranges)],
    next: usize,
}

impl Inputs for Fixed<'_> {
    fn draw(&mut self, _kind: InputKind, _span: Span) -> Option<InputValue> {
        let value = self.values.get(self.next).map_or(0, |(v, _)| *v);
        self.next += 1;
        Some(InputValue::Int(value))
    }
}

/// What happens to marks once a call has begun or ended.
enum Pending {
    Entered { depth: usize, args: Vec<Option<Mark>> },
    Returned { depth: usize, value: Option<Mark> },
}

struct Watcher<'p> {
    program: &'p Program,
    marks: Marks,
    pending: Option<Pending>,
    /// Destinations of calls in progress, with the depth of the caller.
    calls: Vec<(usize, Option<&'p Place>)>,
    conditions: Vec<Condition>,
    /// The values that each drawn input may have.
    kinds: Vec<(i128, i128)>,
}

/// Whether a program may end otherwise than by returning from its first function.
fn leaves(program: &Program) -> bool {
    let ends = |f: heapwise_ir::FuncId| {
        let library = program.functions.get(f).and_then(|f| f.library);
        library.is_some_and(|lib| lib.effects().noreturn)
    };
    program.functions.iter().any(|f| match &f.body {
        FunctionBody::Defined(body) => {
            body.blocks.iter().flat_map(|b| &b.statements).any(|s| match &s.kind {
                StatementKind::Call(call) => match call.callee {
                    Callee::Direct(f) => ends(f),
                    Callee::Indirect(_) => true,
                },
                _ => false,
            })
        }
        _ => false,
    })
}

impl<'p> Watcher<'p> {
    fn number(&self, view: &View<'_, '_, '_>, frame: FrameView, op: &Operand) -> Option<Number> {
        number_of(self.program, view, frame, op)
    }

    fn is_pointer(&self, frame: FrameView, op: &Operand) -> bool {
        let ty = self.program.body(frame.function).and_then(|b| self.program.operand_ty(b, op));
        ty.is_some_and(|t| matches!(self.program.types.get(t), Type::Pointer(_)))
    }

    /// Whether an operand is what its type says, and no address that is used as a number.
    fn plain(&self, view: &View<'_, '_, '_>, frame: FrameView, op: &Operand) -> bool {
        if let Operand::Const(Const::Global { global, .. }) = op
            && self.is_unknown(*global)
        {
            return false;
        }
        let ty = self.program.body(frame.function).and_then(|b| self.program.operand_ty(b, op));
        if let (Operand::Local(l), Some(ty)) = (op, ty)
            && !self.holds_its_type(view, frame, &Place::local(*l, ty))
        {
            return false;
        }
        self.is_pointer(frame, op) || self.number(view, frame, op).is_none_or(|(_, object)| object.is_none())
    }

    fn is_unknown(&self, global: heapwise_ir::GlobalId) -> bool {
        // The standard streams are there on every machine.
        let stream = |g: &Global| matches!(&*g.name, "stdout" | "stderr");
        self.program.globals.get(global).is_none_or(|g| matches!(g.init, GlobalInit::Unknown) && !stream(g))
    }

    /// Whether an address is null or inside an object that lives.
    fn settled(view: &View<'_, '_, '_>, number: Option<Number>) -> bool {
        match number {
            Some((0, None)) => true,
            Some((bits, Some(id))) => view.object(id).is_some_and(|o| {
                let inside = bits >= i128::from(o.base) && bits < i128::from(o.base) + i128::from(o.size);
                o.is_alive() && (inside || matches!(o.origin, Origin::Function(_)))
            }),
            _ => false,
        }
    }

    /// Where a place is, if that can be told.
    fn locate(&self, view: &View<'_, '_, '_>, frame: FrameView, place: &Place) -> Option<Spot> {
        let (mut address, id) = match &place.base {
            PlaceBase::Local(l) if !view.in_memory(frame, *l) => {
                return place.path.is_empty().then_some(Spot::Local(view.depth(), *l));
            }
            PlaceBase::Local(l) => match view.local(frame, *l) {
                LocalView::Object(id) => (i128::from(view.object(id)?.base), id),
                _ => return None,
            },
            PlaceBase::Global(g) => {
                let id = view.global(*g)?;
                (i128::from(view.object(id)?.base), id)
            }
            PlaceBase::Deref(op) => {
                let (bits, id) = self.number(view, frame, op)?;
                (bits, id?)
            }
        };
        for step in &place.path {
            match step {
                Projection::Field { offset, .. } => address += i128::from(*offset),
                Projection::Index { index, stride } => {
                    let (i, _) = self.number(view, frame, index)?;
                    address += i.checked_mul(i128::from(*stride))?;
                }
            }
        }
        let offset = u64::try_from(address - i128::from(view.object(id)?.base)).ok()?;
        Some(Spot::Bytes(id, offset))
    }

    /// Whether what a place holds is what its type says: an address that was put together from parts of others, or read as a
    /// number, is a number that the machine chooses.
    fn holds_its_type(&self, view: &View<'_, '_, '_>, frame: FrameView, place: &Place) -> bool {
        let types = &self.program.types;
        // A copy of a whole structure keeps addresses as they are.
        if !types.is_scalar(place.ty) {
            return true;
        }
        let pointer = matches!(types.get(place.ty), Type::Pointer(_));
        match self.locate(view, frame, place) {
            Some(Spot::Local(_, l)) => match view.local(frame, l) {
                LocalView::Value(Value::Int { object, .. }) => pointer || object.is_none(),
                _ => true,
            },
            Some(Spot::Bytes(id, offset)) => view.object(id).is_some_and(|object| {
                // The bits of a bit-field may begin anywhere in its first bytes.
                let size = if place.bits().is_some() { 16 } else { types.size(place.ty) };
                let room = object.size.saturating_sub(offset);
                // An access out of bounds ends the run anyway.
                if size > room && place.bits().is_none() {
                    return true;
                }
                let parts = object.read_chunk(offset, size.min(room)).pointers;
                parts.is_empty() || pointer && matches!(*parts, [part] if part.whole)
            }),
            None => false,
        }
    }

    /// Whether a right side depends on nothing that the machine chooses.
    fn settled_value(&self, view: &View<'_, '_, '_>, frame: FrameView, value: &Rvalue) -> bool {
        match value {
            Rvalue::Use(_) | Rvalue::AddrOf(_) | Rvalue::PtrAdd { .. } => true,
            Rvalue::Unary { .. } | Rvalue::Binary { .. } => true,
            Rvalue::Load(place) => self.holds_its_type(view, frame, place),
            Rvalue::Cast { kind, arg } => match kind {
                CastKind::PtrToInt | CastKind::Reinterpret => false,
                CastKind::IntToPtr => self.number(view, frame, arg) == Some((0, None)),
                _ => true,
            },
            Rvalue::Compare { op, lhs, rhs } => {
                if !self.is_pointer(frame, lhs) && !self.is_pointer(frame, rhs) {
                    return true;
                }
                let (a, b) = (self.number(view, frame, lhs), self.number(view, frame, rhs));
                let same = a.map(|n| n.1) == b.map(|n| n.1) && a.is_some_and(|n| n.1.is_some());
                let equality = matches!(op, CompareOp::Eq | CompareOp::Ne);
                let living = |n: Option<Number>| {
                    n.and_then(|n| n.1).and_then(|id| view.object(id)).is_some_and(|o| o.is_alive())
                };
                same && living(a) || equality && Self::settled(view, a) && Self::settled(view, b)
            }
            Rvalue::PtrDiff { lhs, rhs, .. } => {
                let (a, b) = (self.number(view, frame, lhs), self.number(view, frame, rhs));
                a.is_some_and(|n| n.1.is_some()) && a.map(|n| n.1) == b.map(|n| n.1)
            }
        }
    }

    /// Whether a type has all values that a marked value may have.
    fn fits(&self, mark: &Mark, ty: Ty) -> bool {
        let (low, high) = mark.range();
        match self.program.types.get(ty) {
            Type::Bool => low >= 0 && high <= 1,
            Type::Int(int) => (*int).min() <= low && high <= (*int).max(),
            _ => false,
        }
    }

    /// The mark of an operand.
    fn mark(&self, view: &View<'_, '_, '_>, frame: FrameView, op: &Operand) -> Result<Option<Mark>, GivenUp> {
        let Operand::Local(l) = op else { return Ok(None) };
        let ty = self.program.body(frame.function).and_then(|b| b.locals.get(*l)).map(|l| l.ty);
        match view.local(frame, *l) {
            LocalView::Object(id) => {
                let size = ty.map_or(u64::MAX, |t| self.program.types.size(t));
                self.marks.read(Spot::Bytes(id, 0), size)
            }
            _ => self.marks.read(Spot::Local(view.depth(), *l), 0),
        }
    }

    /// The mark of a right side; gives up if inputs are used in a way that is not followed.
    fn value_mark(
        &self,
        view: &View<'_, '_, '_>,
        frame: FrameView,
        value: &Rvalue,
        ty: Ty,
    ) -> Result<Option<Mark>, GivenUp> {
        let unmarked = |op: &Operand| match self.mark(view, frame, op) {
            Ok(None) => Ok(()),
            _ => Err(GivenUp),
        };
        let mut all_unmarked = Ok(());
        match value {
            Rvalue::Use(op) => self.mark(view, frame, op),
            Rvalue::Load(place) => {
                visit::place_operands(place, &mut |op| all_unmarked = all_unmarked.and(unmarked(op)));
                all_unmarked?;
                let bits = place.bits().is_some();
                let size = if bits { 16 } else { self.program.types.size(place.ty) };
                match self.locate(view, frame, place) {
                    Some(spot) => match self.marks.read(spot, size)? {
                        Some(mark) if bits || !self.fits(&mark, place.ty) => Err(GivenUp),
                        mark => Ok(mark),
                    },
                    None => Err(GivenUp),
                }
            }
            Rvalue::Cast { kind, arg } => {
                let Some(mark) = self.mark(view, frame, arg)? else { return Ok(None) };
                match (kind, mark.form) {
                    (CastKind::ToBool, Form::Same(_)) => {
                        Ok(Some(Mark { input: mark.input, form: Form::Test(nonzero()) }))
                    }
                    (CastKind::ToBool, form @ Form::Test(_)) => Ok(Some(Mark { input: mark.input, form })),
                    // Only a conversion that keeps every value.
                    (CastKind::IntToInt, form) => {
                        let mark = Mark { input: mark.input, form };
                        if self.fits(&mark, ty) { Ok(Some(mark)) } else { Err(GivenUp) }
                    }
                    _ => Err(GivenUp),
                }
            }
            Rvalue::Compare { op, lhs, rhs } => {
                match (self.mark(view, frame, lhs)?, self.mark(view, frame, rhs)?) {
                    (None, None) => Ok(None),
                    (Some(mark), None) => {
                        let (n, _) = self.number(view, frame, rhs).ok_or(GivenUp)?;
                        Ok(mark.compared(*op, n))
                    }
                    (None, Some(mark)) => {
                        let (n, _) = self.number(view, frame, lhs).ok_or(GivenUp)?;
                        Ok(mark.compared(super::solve::mirror(*op), n))
                    }
                    _ => Err(GivenUp),
                }
            }
            other => {
                visit::rvalue_operands(other, &mut |op| all_unmarked = all_unmarked.and(unmarked(op)));
                all_unmarked.map(|()| None)
            }
        }
    }

    /// Writes a mark to a place, or takes the marks there away.
    fn write(
        &mut self,
        view: &View<'_, '_, '_>,
        frame: FrameView,
        place: &Place,
        mark: Option<Mark>,
    ) -> Result<(), GivenUp> {
        let mut unmarked = true;
        visit::place_operands(place, &mut |op| unmarked &= matches!(self.mark(view, frame, op), Ok(None)));
        if !unmarked {
            return Err(GivenUp);
        }
        if mark.as_ref().is_some_and(|m| !self.fits(m, place.ty)) {
            return Err(GivenUp);
        }
        // A bit-field shares its bytes with others.
        if place.bits().is_some() && (mark.is_some() || !self.marks.is_empty()) {
            return Err(GivenUp);
        }
        let size = self.program.types.size(place.ty);
        match self.locate(view, frame, place) {
            Some(spot) => self.marks.write(spot, size, mark)?,
            None if mark.is_none() && self.marks.is_empty() => {}
            None => return Err(GivenUp),
        }
        Ok(())
    }

    fn callee(&self, view: &View<'_, '_, '_>, frame: FrameView, call: &Call) -> Option<&'p Function> {
        let target = match &call.callee {
            Callee::Direct(f) => Some(*f),
            Callee::Indirect(op) => {
                let (_, id) = self.number(view, frame, op)?;
                match view.object(id?)?.origin {
                    Origin::Function(f) => Some(f),
                    _ => None,
                }
            }
        };
        target.and_then(|f| self.program.functions.get(f))
    }

    fn call(&mut self, view: &View<'_, '_, '_>, frame: FrameView, call: &'p Call) -> Result<(), GivenUp> {
        let function = self.callee(view, frame, call).ok_or(GivenUp)?;
        let mut args = Vec::new();
        for arg in &call.args {
            args.push(self.mark(view, frame, arg)?);
        }
        let lib = match (&function.body, function.library) {
            (FunctionBody::Defined(_), _) => {
                self.calls.push((view.depth(), call.dest.as_ref()));
                self.pending = Some(Pending::Entered { depth: view.depth(), args });
                return Ok(());
            }
            (FunctionBody::Declared, Some(lib)) => lib,
            _ => return Err(GivenUp),
        };
        match lib {
            LibFn::Nondet | LibFn::NondetBool => {
                let ret = match self.program.types.get(function.ty) {
                    Type::Function { ret, .. } => *ret,
                    _ => return Err(GivenUp),
                };
                let boolean = lib == LibFn::NondetBool || *self.program.types.get(ret) == Type::Bool;
                let range = match self.program.types.as_int(ret) {
                    _ if boolean => (0, 1),
                    Some(int) if int.bits <= 64 => (int.min(), int.max()),
                    _ => return Err(GivenUp),
                };
                let input = view.draws().len();
                if input != self.kinds.len() {
                    return Err(GivenUp);
                }
                self.kinds.push(range);
                let Some(dest) = &call.dest else { return Ok(()) };
                if dest.ty != ret {
                    return Err(GivenUp);
                }
                self.write(view, frame, dest, Some(Mark { input, form: Form::Same(range) }))
            }
            LibFn::VerifierAssume => match args.into_iter().next() {
                Some(Some(mark)) => {
                    let (n, _) =
                        call.args.first().and_then(|a| self.number(view, frame, a)).ok_or(GivenUp)?;
                    self.condition(view, mark, n != 0)
                }
                _ => Ok(()),
            },
            lib => {
                let same = sameness(lib).ok_or(GivenUp)?;
                // What these read or overwrite is not followed.
                let pointers = call.args.iter().any(|a| self.is_pointer(frame, a));
                let block = matches!(lib, LibFn::Malloc | LibFn::Calloc | LibFn::Free | LibFn::Exit);
                if args.iter().any(Option::is_some) || pointers && !block && !self.marks.no_bytes() {
                    return Err(GivenUp);
                }
                let copies = matches!(lib, LibFn::Memcpy | LibFn::Memmove | LibFn::Mempcpy | LibFn::Realloc);
                for (i, arg) in call.args.iter().enumerate() {
                    let read = lib.effects().reads.contains(i) && self.is_pointer(frame, arg);
                    let null = self.number(view, frame, arg) == Some((0, None));
                    if read && !copies && !null && !self.holds_no_address(view, frame, arg) {
                        return Err(GivenUp);
                    }
                }
                let settled = match same {
                    Sameness::All => true,
                    Sameness::Sign => call.dest.as_ref().is_none_or(|d| self.only_sign_matters(frame, d)),
                    Sameness::Format => self.shows_no_address(view, frame, lib, call),
                };
                if !settled {
                    return Err(GivenUp);
                }
                match &call.dest {
                    Some(dest) => self.write(view, frame, dest, None),
                    None => Ok(()),
                }
            }
        }
    }

    /// Whether a local is only compared with zero.
    fn only_sign_matters(&self, frame: FrameView, dest: &Place) -> bool {
        let (Some(local), Some(body)) = (dest.as_local(), self.program.body(frame.function)) else {
            return false;
        };
        let is_it = |op: &Operand| matches!(op, Operand::Local(l) if *l == local);
        let zero = |op: &Operand| matches!(op, Operand::Const(Const::Int { value: 0, .. }));
        let compared = |value: &Rvalue| match value {
            Rvalue::Compare { lhs, rhs, .. } => is_it(lhs) && zero(rhs) || is_it(rhs) && zero(lhs),
            Rvalue::Cast { kind: CastKind::ToBool, arg } => is_it(arg),
            _ => false,
        };
        body.blocks.iter().all(|block| {
            let statements = block.statements.iter().all(|s| {
                let mut used = false;
                visit::statement_operands(s, &mut |op| used |= is_it(op));
                let mut read = false;
                visit::statement_places(s, &mut |p, _| {
                    let whole = matches!(&s.kind, StatementKind::Call(c) if c.dest.as_ref() == Some(p))
                        || matches!(&s.kind, StatementKind::Assign { dest, .. } if dest == p);
                    read |= matches!(p.base, PlaceBase::Local(l) if l == local) && !whole;
                });
                let fine = matches!(&s.kind, StatementKind::Assign { value, .. } if compared(value));
                !read && (!used || fine)
            });
            let end = visit::terminator_operand(&block.terminator).is_some_and(is_it);
            statements && (!end || matches!(block.terminator.kind, TerminatorKind::Branch { .. }))
        })
    }

    /// Whether formatted output shows no address.
    fn shows_no_address(&self, view: &View<'_, '_, '_>, frame: FrameView, lib: LibFn, call: &Call) -> bool {
        let position = match lib {
            LibFn::Printf => 0,
            LibFn::Snprintf => 2,
            _ => 1,
        };
        let place = call.args.get(position).and_then(|a| self.number(view, frame, a));
        let Some((object, bits)) = place.and_then(|(bits, id)| Some((view.object(id?)?, bits))) else {
            return false;
        };
        let Ok(from) = u64::try_from(bits - i128::from(object.base)) else { return false };
        let bytes = object.bytes().get(from as usize..).unwrap_or_default();
        let mut format = bytes.iter().copied().take_while(|b| *b != 0);
        while let Some(b) = format.next() {
            if b == b'%' {
                let conversion = format
                    .by_ref()
                    .find(|b| b.is_ascii_alphabetic() && !b"hlLjztq".contains(b) || *b == b'%');
                if matches!(conversion, Some(b'p' | b'n' | b'm') | None) {
                    return false;
                }
            }
        }
        true
    }

    /// Whether a pointer leads to an object in which no byte is one of an address.
    fn holds_no_address(&self, view: &View<'_, '_, '_>, frame: FrameView, op: &Operand) -> bool {
        let object = self.number(view, frame, op).and_then(|(_, id)| view.object(id?));
        object.is_some_and(|o| o.read_chunk(0, o.size).pointers.is_empty())
    }

    /// Records which values of an input make a marked value true or false, as it is now.
    fn condition(&mut self, view: &View<'_, '_, '_>, mark: Mark, truth: bool) -> Result<(), GivenUp> {
        let yes = match mark.form {
            Form::Same(_) => nonzero(),
            Form::Test(ranges) => ranges,
        };
        let all = [(i128::MIN, i128::MAX)];
        let chosen = if truth { yes } else { without(&all, &yes) };
        self.conditions.push(Condition { input: mark.input, chosen, draws: view.draws().len() });
        Ok(())
    }

    fn terminator(
        &mut self,
        view: &View<'_, '_, '_>,
        frame: FrameView,
        terminator: &'p Terminator,
    ) -> Result<(), GivenUp> {
        match &terminator.kind {
            TerminatorKind::Branch { cond, .. } => {
                let Some(mark) = self.mark(view, frame, cond)? else { return Ok(()) };
                let (n, _) = self.number(view, frame, cond).ok_or(GivenUp)?;
                self.condition(view, mark, n != 0)
            }
            TerminatorKind::Switch { value, cases, .. } => {
                let Some(mark) = self.mark(view, frame, value)? else { return Ok(()) };
                let Form::Same(_) = mark.form else { return Err(GivenUp) };
                let (n, _) = self.number(view, frame, value).ok_or(GivenUp)?;
                let ranges: Ranges = cases.iter().map(|c| (c.low, c.high)).collect();
                let hit = ranges.iter().find(|(lo, hi)| *lo <= n && n <= *hi);
                let chosen =
                    hit.map_or_else(|| without(&[(i128::MIN, i128::MAX)], &ranges), |range| vec![*range]);
                let draws = view.draws().len();
                self.conditions.push(Condition { input: mark.input, chosen, draws });
                Ok(())
            }
            TerminatorKind::Return(value) => {
                let value = match value {
                    Some(op) => self.mark(view, frame, op)?,
                    None => None,
                };
                self.pending = Some(Pending::Returned { depth: view.depth(), value });
                Ok(())
            }
            TerminatorKind::GotoAddress { .. } => Err(GivenUp),
            TerminatorKind::Goto(_) | TerminatorKind::Unreachable => Ok(()),
        }
    }

    /// Brings the marks up to date with a call that began or ended.
    fn settle(&mut self, view: &View<'_, '_, '_>, frame: FrameView) -> Result<(), GivenUp> {
        match self.pending.take() {
            None => Ok(()),
            Some(Pending::Entered { depth, args }) => {
                if view.depth() != depth + 1 {
                    return Err(GivenUp);
                }
                self.marks.forget_frames(view.depth());
                let body = self.program.body(frame.function).ok_or(GivenUp)?;
                if args.len() > body.params.len() && args.iter().any(Option::is_some) {
                    return Err(GivenUp);
                }
                for (param, mark) in body.params.iter().zip(args) {
                    let ty = body.locals.get(*param).map(|l| l.ty).ok_or(GivenUp)?;
                    self.write(view, frame, &Place::local(*param, ty), mark)?;
                }
                Ok(())
            }
            Some(Pending::Returned { depth, value }) => {
                if view.depth() + 1 != depth {
                    return Err(GivenUp);
                }
                self.marks.forget_frames(depth);
                match self.calls.pop() {
                    Some((caller, dest)) if caller == view.depth() => match dest {
                        Some(dest) => self.write(view, frame, dest, value),
                        None => Ok(()),
                    },
                    _ => Err(GivenUp),
                }
            }
        }
    }

    fn follow(&mut self, view: &View<'_, '_, '_>) -> Result<(), GivenUp> {
        let Some(frame) = view.frames().next() else { return Ok(()) };
        self.settle(view, frame)?;
        let program: &'p Program = self.program;
        let block = program.body(frame.function).and_then(|b| b.blocks.get(frame.block)).ok_or(GivenUp)?;
        let Some(statement) = block.statements.get(frame.statement) else {
            let operand = visit::terminator_operand(&block.terminator);
            if operand.is_some_and(|op| !self.plain(view, frame, op)) {
                return Err(GivenUp);
            }
            return self.terminator(view, frame, &block.terminator);
        };
        let mut plain = true;
        visit::statement_operands(statement, &mut |op| plain &= self.plain(view, frame, op));
        visit::statement_places(statement, &mut |place, _| {
            if let PlaceBase::Global(g) = place.base {
                plain &= !self.is_unknown(g);
            }
        });
        if !plain {
            return Err(GivenUp);
        }
        let mut unmarked = true;
        visit::statement_operands(statement, &mut |op| {
            unmarked &= matches!(self.mark(view, frame, op), Ok(None));
        });
        match &statement.kind {
            StatementKind::Assign { dest, value } => {
                if !self.settled_value(view, frame, value) {
                    return Err(GivenUp);
                }
                let mark = self.value_mark(view, frame, value, dest.ty)?;
                self.write(view, frame, dest, mark)
            }
            StatementKind::Call(call) => self.call(view, frame, call),
            StatementKind::Zero(place) => self.write(view, frame, place, None),
            StatementKind::Intrinsic {
                op: Intrinsic::Alloca | Intrinsic::VaArg(_) | Intrinsic::VaEnd,
                dest,
                ..
            } if unmarked => match dest {
                Some(dest) => self.write(view, frame, dest, None),
                None => Ok(()),
            },
            StatementKind::StorageLive(l) | StatementKind::StorageDead(l) => {
                self.marks.write(Spot::Local(view.depth(), *l), 0, None)
            }
            StatementKind::ScopeAlloc { dest, .. } if unmarked => {
                self.marks.write(Spot::Local(view.depth(), *dest), 0, None)
            }
            StatementKind::Nop | StatementKind::ScopeFree(_) => Ok(()),
            StatementKind::Intrinsic { .. } | StatementKind::ScopeAlloc { .. } => Err(GivenUp),
        }
    }
}

impl Observer for Watcher<'_> {
    fn at_statement(&mut self, view: &View<'_, '_, '_>) -> ControlFlow<()> {
        match self.follow(view) {
            Ok(()) => ControlFlow::Continue(()),
            Err(GivenUp) => ControlFlow::Break(()),
        }
    }

    fn may_skip(&mut self, view: &View<'_, '_, '_>, locals: &[LocalId]) -> bool {
        let free = |l: &LocalId| matches!(self.marks.read(Spot::Local(view.depth(), *l), 0), Ok(None));
        self.pending.is_none() && locals.iter().all(free)
    }
}
