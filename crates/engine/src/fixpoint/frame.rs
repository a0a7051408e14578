//! What a loop cannot touch is set aside while it is solved (the frame rule; heap decomposition, survey §5.3).
//!
//! A loop over one list in a function that holds a thousand would look at the thousand in every join, inclusion and
//! folding at its head. Before a loop is solved, the parts of the states that enter it are taken out which nothing connects with
//! what the loop names ([`heapwise_heap::State::set_aside`]); they are put back into what leaves it.
//!
//! Soundness: the loop names locals and globals in its text, and those that functions name which it calls; memory that is
//! connected with none of them is neither read, written nor freed by it. That holds as long as nothing in the loop looks at the
//! whole state, so loops are left alone that return, may end the program, or call what is not known; and so are those whose
//! entering states differ in what would be set aside, since which of them a state comes from is not known afterwards.
//!
//! Cost: one pass over each state that enters, a copy of what was set aside for each that leaves. It is not done for
//! states that are small.

use super::run::Run;
use super::solver::Solver;
use heapwise_fixpoint::iterate::Worth;
use heapwise_heap::{Root, State};
use heapwise_ir::library::LibFn;
use heapwise_ir::visit::{statement_locals, statement_operands, statement_places, terminator_locals};
use heapwise_ir::{
    BlockId, Callee, Const, FuncId, FunctionBody, GlobalId, LocalId, Operand, PlaceBase, StatementKind,
    TerminatorKind,
};
use rustc_hash::FxHashSet;

/// Pieces that states must have to be made smaller at a first solve, and those that must be among what is set aside.
pub(super) const WORTH: (usize, usize) = (8, 4);

/// What a loop names.
#[derive(Default)]
pub(super) struct Named {
    locals: FxHashSet<LocalId>,
    globals: FxHashSet<GlobalId>,
}

impl Named {
    /// Whether a root is named, or found without a name.
    pub(super) fn touches(&self, root: Root) -> bool {
        match root {
            Root::Local(l) | Root::Slot(l) => self.locals.contains(&l),
            Root::Global(g) => self.globals.contains(&g),
            Root::Cut(_) => false,
            Root::Result | Root::AtExit(_) | Root::Model(_) | Root::Kept(_) => true,
        }
    }
}

impl Solver<'_> {
    /// A state with all that was set aside.
    pub(super) fn whole(&self, state: &State) -> State {
        let mut whole = state.clone();
        self.flow.frames().iter().rev().for_each(|frame| whole.put_back(frame));
        whole
    }

    /// What the states that enter a loop have in common that it cannot touch, and the rest of each.
    pub(super) fn split_entering(
        &self,
        run: &Run<'_>,
        head: BlockId,
        members: &FxHashSet<BlockId>,
        worth: Worth,
    ) -> Option<(State, Vec<State>)> {
        let entering = self.flow.incoming(head);
        let (pieces, least_aside) = match worth {
            Worth::Much => WORTH,
            Worth::Always => (0, 0),
        };
        if entering.is_empty() || entering.iter().any(|s| s.pieces() < pieces) {
            return None;
        }
        let named = self.named_in(run, members)?;
        let touched = |root: Root| named.touches(root);
        let mut frame: Option<(State, State)> = None;
        let mut rest = Vec::with_capacity(entering.len());
        for mut state in entering {
            let aside = state.set_aside(touched);
            if aside.pieces() < least_aside {
                return None;
            }
            match &frame {
                None => frame = Some((aside.canonical().0, aside)),
                Some((canonical, first)) => {
                    if *first != aside && *canonical != aside.canonical().0 {
                        return None;
                    }
                }
            }
            // Small numbers for symbols make small sets of them.
            rest.push(state.canonical().0);
        }
        frame.map(|(canonical, _)| (canonical, rest))
    }

    /// What the text of a loop names, if it touches nothing else.
    pub(super) fn named_in(&self, run: &Run<'_>, members: &FxHashSet<BlockId>) -> Option<Named> {
        let mut named = Named::default();
        let operand = |op: &Operand, globals: &mut FxHashSet<GlobalId>| {
            if let Operand::Const(Const::Global { global, .. }) = op {
                globals.insert(*global);
            }
        };
        for block in members.iter().filter_map(|b| self.scope.body.blocks.get(*b)) {
            for statement in &block.statements {
                statement_locals(statement, &mut |l, _| {
                    named.locals.insert(l);
                });
                statement_operands(statement, &mut |op| operand(op, &mut named.globals));
                statement_places(statement, &mut |place, _| {
                    if let PlaceBase::Global(g) = place.base {
                        named.globals.insert(g);
                    }
                });
                match &statement.kind {
                    StatementKind::Call(call) => match call.callee {
                        Callee::Direct(f) if self.stays_inside(run, f) => {
                            named.globals.extend(run.cx.facts.named_globals(f)?.iter().copied());
                        }
                        _ => return None,
                    },
                    StatementKind::Intrinsic { .. } => return None,
                    _ => {}
                }
            }
            terminator_locals(&block.terminator, &mut |l| {
                named.locals.insert(l);
            });
            match &block.terminator.kind {
                TerminatorKind::Branch { cond: op, .. } | TerminatorKind::Switch { value: op, .. } => {
                    operand(op, &mut named.globals);
                }
                TerminatorKind::Goto(_) => {}
                _ => return None,
            }
        }
        Some(named)
    }

    /// Whether a function and those that it calls come back, run into a loop for ever, or abort, and use nothing of the
    /// library but memory and inputs.
    fn stays_inside(&self, run: &Run<'_>, func: FuncId) -> bool {
        let plain = |lib: LibFn| {
            use LibFn as L;
            matches!(
                lib,
                L::Malloc | L::Calloc | L::Free | L::Realloc | L::Nondet | L::Abort | L::VerifierAssume
            )
        };
        run.cx.facts.calls.reachable_from(func).iter().all(|f| {
            run.cx.program.functions.get(f).is_some_and(|function| {
                // A call of the error function asks whether the program's memory is free, whoever defines it.
                LibFn::lookup(&function.name) != Some(LibFn::ReachError)
                    && match &function.body {
                        FunctionBody::Defined(_) => true,
                        FunctionBody::NotAnalysed { .. } => false,
                        FunctionBody::Declared => function.library.is_some_and(plain),
                    }
            })
        })
    }
}
