//! What code reads and changes, as far as the code beside it can notice.
//!
//! Three kinds of things: locals of the function at hand, globals by name, and all memory that pointers lead to. A function's
//! accesses are those of its own statements and of what it calls, without its locals and without blocks that it has
//! allocated itself: a pointer to a local, or one that comes from an allocation only or from a function that returns nothing
//! else, leads to memory that no sibling can know. What the function publishes is a change of the memory that it is published in.
//!
//! One pass over all functions, callees first; groups of functions that call each other are passed over until nothing is
//! added. Long lists of globals become "all".

use heapwise_ir::library::{LibFn, ResultSource};
use heapwise_ir::visit::{
    Access, statement_locals, statement_operands, statement_places, terminator_operand,
};
use heapwise_ir::{
    Body, Call, CallGraph, Callee, Const, FuncId, FunctionBody, GlobalId, GlobalInit, IndexVec, InitValue,
    Intrinsic, Local, LocalId, Operand, Place, PlaceBase, Program, Rvalue, Statement, StatementKind,
};
use rustc_hash::FxHashSet;

/// Lists of globals that are longer count as all.
const MAX_GLOBALS: usize = 64;

/// Things that are accessed in one way.
#[derive(Clone, Default, Debug)]
struct Things {
    locals: FxHashSet<LocalId>,
    globals: FxHashSet<GlobalId>,
    all_globals: bool,
    memory: bool,
}

/// What some code reads and changes.
#[derive(Clone, Default, Debug)]
pub(super) struct Accesses {
    reads: Things,
    writes: Things,
}

impl Things {
    fn global(&mut self, id: GlobalId) {
        self.globals.insert(id);
        if self.globals.len() > MAX_GLOBALS {
            self.globals.clear();
            self.all_globals = true;
        }
    }

    fn size(&self) -> (usize, bool, bool) {
        (self.globals.len(), self.all_globals, self.memory)
    }

    /// Takes over what is noticed outside of a function.
    fn add(&mut self, other: &Things) {
        self.memory |= other.memory;
        self.all_globals |= other.all_globals;
        other.globals.iter().for_each(|g| self.global(*g));
    }

    fn meets(&self, other: &Things, facts: &Facts, locals: &IndexVec<LocalId, Local>) -> bool {
        let in_memory = |things: &Things| {
            let taken = |l: &LocalId| locals.get(*l).is_some_and(|l| l.address_taken);
            things.all_globals
                || things.globals.iter().any(|g| facts.exposed.contains(g))
                || things.locals.iter().any(taken)
        };
        let has_globals = |things: &Things| things.all_globals || !things.globals.is_empty();
        self.memory && (other.memory || in_memory(other))
            || other.memory && in_memory(self)
            || self.all_globals && has_globals(other)
            || other.all_globals && has_globals(self)
            || !self.globals.is_disjoint(&other.globals)
            || !self.locals.is_disjoint(&other.locals)
    }
}

impl Accesses {
    /// Whether one of the two changes what the other reads or changes.
    pub(super) fn conflict(
        &self,
        other: &Accesses,
        facts: &Facts,
        locals: &IndexVec<LocalId, Local>,
    ) -> bool {
        self.writes.meets(&other.writes, facts, locals)
            || self.writes.meets(&other.reads, facts, locals)
            || self.reads.meets(&other.writes, facts, locals)
    }

    fn everything() -> Accesses {
        let all = Things { memory: true, all_globals: true, ..Things::default() };
        Accesses { reads: all.clone(), writes: all }
    }

    fn add(&mut self, other: &Accesses) {
        self.reads.add(&other.reads);
        self.writes.add(&other.writes);
    }

    fn size(&self) -> impl PartialEq + use<> {
        (self.reads.size(), self.writes.size())
    }

    /// Adds what a statement of a function does. `own` are the locals that lead to memory of the function's own.
    pub(super) fn statement(&mut self, statement: &Statement, facts: &Facts, own: &FxHashSet<LocalId>) {
        statement_locals(statement, &mut |local, access| match access {
            Access::Read => {
                self.reads.locals.insert(local);
            }
            Access::Write | Access::PartialWrite | Access::Begin | Access::End => {
                self.writes.locals.insert(local);
            }
            Access::Address => {}
        });
        statement_places(statement, &mut |place, access| {
            let things = match access {
                Access::Read => &mut self.reads,
                Access::Write | Access::PartialWrite => &mut self.writes,
                _ => return,
            };
            match &place.base {
                PlaceBase::Global(g) => things.global(*g),
                PlaceBase::Deref(Operand::Local(l)) if own.contains(l) => {}
                PlaceBase::Deref(_) => things.memory = true,
                PlaceBase::Local(_) => {}
            }
        });
        match &statement.kind {
            StatementKind::Call(call) => self.call(call, facts),
            StatementKind::Intrinsic { op: Intrinsic::Overflow(..), .. } => self.writes.memory = true,
            StatementKind::Intrinsic { op, .. } if !op.only_computes() => {
                self.reads.memory = true;
                self.writes.memory = true;
            }
            _ => {}
        }
    }

    /// Adds the reads of a terminator.
    pub(super) fn operand(&mut self, operand: Option<&Operand>) {
        if let Some(Operand::Local(l)) = operand {
            self.reads.locals.insert(*l);
        }
    }

    fn call(&mut self, call: &Call, facts: &Facts) {
        match &call.callee {
            Callee::Indirect(_) => facts.indirect.iter().for_each(|f| match facts.functions.get(*f) {
                Some(accesses) => self.add(accesses),
                None => self.add(&Accesses::everything()),
            }),
            Callee::Direct(f) => match facts.functions.get(*f) {
                Some(accesses) => self.add(accesses),
                None => self.add(&Accesses::everything()),
            },
        }
    }
}

/// What a library function does.
fn library(function: LibFn) -> Accesses {
    let effects = function.effects();
    if effects.unsupported || !effects.calls.is_empty() {
        return Accesses::everything();
    }
    let mut accesses = Accesses::default();
    let keeps_state = matches!(effects.result, ResultSource::Static);
    let ends_stream = matches!(function, LibFn::Fclose | LibFn::Freopen);
    accesses.reads.memory = !effects.reads.is_empty() || function.stream().is_some();
    accesses.writes.memory =
        !(effects.writes.is_empty() && effects.frees.is_empty() && effects.retains.is_empty())
            || keeps_state
            || ends_stream;
    accesses
}

/// What is known of all functions.
#[derive(Debug)]
pub(super) struct Facts {
    functions: IndexVec<FuncId, Accesses>,
    /// What an indirect call may reach.
    indirect: Vec<FuncId>,
    /// Globals that pointers may lead to.
    exposed: FxHashSet<GlobalId>,
}

impl Facts {
    pub(super) fn new(program: &Program) -> Facts {
        let graph = CallGraph::new(program);
        let start = |f: &heapwise_ir::Function| match (&f.body, f.library) {
            (FunctionBody::Defined(_), _) => Accesses::default(),
            (FunctionBody::Declared, Some(function)) => library(function),
            _ => Accesses::everything(),
        };
        let functions: IndexVec<FuncId, Accesses> = program.functions.iter().map(start).collect();
        let indirect = graph.address_taken().to_vec();
        let mut facts = Facts { functions, indirect, exposed: exposed(program) };
        let mut fresh: FxHashSet<FuncId> = FxHashSet::default();
        for component in graph.components() {
            settle_fresh(program, component, &mut fresh);
            loop {
                let mut changed = false;
                for &id in component {
                    let Some(body) = program.body(id) else { continue };
                    let accesses = facts.body(program, body, &fresh);
                    if let Some(known) = facts.functions.get_mut(id) {
                        let before = known.size();
                        known.add(&accesses);
                        changed |= known.size() != before;
                    }
                }
                if !changed {
                    break;
                }
            }
        }
        facts
    }

    fn body(&self, program: &Program, body: &Body, fresh: &FxHashSet<FuncId>) -> Accesses {
        let own = own_pointers(program, body, fresh);
        let mut accesses = Accesses::default();
        for block in body.blocks.iter() {
            block.statements.iter().for_each(|s| accesses.statement(s, self, &own));
        }
        accesses
    }
}

/// The globals whose address occurs anywhere.
fn exposed(program: &Program) -> FxHashSet<GlobalId> {
    let mut exposed = FxHashSet::default();
    for global in program.globals.iter() {
        if let GlobalInit::Data(pieces) = &global.init {
            exposed.extend(pieces.iter().filter_map(|piece| match piece.value {
                InitValue::GlobalAddr { global, .. } => Some(global),
                _ => None,
            }));
        }
    }
    let constant = |operand: &Operand| match operand {
        Operand::Const(Const::Global { global, .. }) => Some(*global),
        _ => None,
    };
    for function in program.functions.iter() {
        let FunctionBody::Defined(body) = &function.body else { continue };
        for block in body.blocks.iter() {
            for statement in &block.statements {
                statement_operands(statement, &mut |operand| exposed.extend(constant(operand)));
                statement_places(statement, &mut |place, access| match place.base {
                    PlaceBase::Global(g) if access == Access::Address => {
                        exposed.insert(g);
                    }
                    _ => {}
                });
            }
            exposed.extend(terminator_operand(&block.terminator).and_then(constant));
        }
    }
    exposed
}

/// Finds those functions of a component that return null or new blocks only. For recursion all are assumed to, and
/// those that do not are taken out until the rest agrees.
fn settle_fresh(program: &Program, component: &[FuncId], fresh: &mut FxHashSet<FuncId>) {
    fresh.extend(component.iter().copied().filter(|id| program.body(*id).is_some()));
    loop {
        let wrong: Vec<FuncId> = component
            .iter()
            .copied()
            .filter(|id| fresh.contains(id))
            .filter(|id| !program.body(*id).is_some_and(|body| returns_fresh(program, body, fresh)))
            .collect();
        if wrong.is_empty() {
            return;
        }
        wrong.iter().for_each(|id| {
            fresh.remove(id);
        });
    }
}

fn returns_fresh(program: &Program, body: &Body, fresh: &FxHashSet<FuncId>) -> bool {
    let own = own_pointers(program, body, fresh);
    body.blocks.iter().all(|block| match &block.terminator.kind {
        heapwise_ir::TerminatorKind::Return(Some(Operand::Local(l))) => own.contains(l),
        heapwise_ir::TerminatorKind::Return(Some(Operand::Const(Const::Null(_)))) => true,
        heapwise_ir::TerminatorKind::Return(_) => false,
        _ => true,
    })
}

/// The locals that hold null or pointers to the function's variables and to blocks that it has allocated, whenever they are
/// read.
fn own_pointers(program: &Program, body: &Body, fresh: &FxHashSet<FuncId>) -> FxHashSet<LocalId> {
    let is_pointer = |l: &Local| matches!(program.types.get(l.ty), heapwise_ir::Type::Pointer(_));
    let candidates = body.locals.iter_enumerated().filter(|(_, l)| is_pointer(l) && !l.address_taken);
    let mut own: FxHashSet<LocalId> = candidates.map(|(id, _)| id).collect();
    for param in &body.params {
        own.remove(param);
    }
    let from_own = |operand: &Operand, own: &FxHashSet<LocalId>| match operand {
        Operand::Local(l) => own.contains(l),
        Operand::Const(Const::Null(_) | Const::Undefined(_)) => true,
        Operand::Const(_) => false,
    };
    let allocates = |call: &Call| match call.callee {
        Callee::Direct(f) => {
            let library = program.functions.get(f).and_then(|f| f.library);
            fresh.contains(&f) || library.is_some_and(|l| l.allocates())
        }
        Callee::Indirect(_) => false,
    };
    loop {
        let before = own.len();
        for statement in body.blocks.iter().flat_map(|b| &b.statements) {
            let (dest, good): (&Place, bool) = match &statement.kind {
                StatementKind::Assign { dest, value } => {
                    let good = match value {
                        Rvalue::Use(arg) | Rvalue::Cast { arg, .. } => from_own(arg, &own),
                        Rvalue::PtrAdd { ptr, .. } => from_own(ptr, &own),
                        Rvalue::AddrOf(Place { base: PlaceBase::Deref(pointer), .. }) => {
                            from_own(pointer, &own)
                        }
                        Rvalue::AddrOf(Place { base: PlaceBase::Local(_), .. }) => true,
                        _ => false,
                    };
                    (dest, good)
                }
                StatementKind::Call(Call { dest: Some(dest), .. }) => match &statement.kind {
                    StatementKind::Call(call) => (dest, allocates(call)),
                    _ => (dest, false),
                },
                StatementKind::Intrinsic { dest: Some(dest), .. } => (dest, false),
                StatementKind::ScopeAlloc { dest, .. } => {
                    own.remove(dest);
                    continue;
                }
                _ => continue,
            };
            if let (PlaceBase::Local(l), false) = (&dest.base, good) {
                own.remove(l);
            }
        }
        if own.len() == before {
            return own;
        }
    }
}
