//! Which functions may never come back to their caller.
//!
//! A call may leave memory in the caller's frame that the callee does not need ([`crate::calls::cut`]). What the callee loses of
//! it is found when the call returns; a callee that ends the program or runs for ever must get it, or it would never be
//! missed. So the question is asked of the program's text, and answered on the safe side: a loop, a recursive call, a call
//! of something unknown or of a function that does not return is enough.
//!
//! Cost: each function is looked at once.

use heapwise_ir::library::LibFn;
use heapwise_ir::{
    CallGraph, Callee, Cfg, FuncId, FunctionBody, Intrinsic, Program, Statement, StatementKind,
    TerminatorKind,
};
use rustc_hash::FxHashMap;

/// Deepest nesting of calls that is looked into.
const MAX_DEPTH: usize = 100;

/// What is known of functions so far.
#[derive(Debug, Default)]
pub(crate) struct MustReturn {
    certain: FxHashMap<FuncId, bool>,
}

impl MustReturn {
    /// Whether every call of a function that runs without an error comes back.
    pub(crate) fn always(&mut self, program: &Program, calls: &CallGraph, func: FuncId) -> bool {
        self.at_depth(program, calls, func, 0)
    }

    fn at_depth(&mut self, program: &Program, calls: &CallGraph, func: FuncId, depth: usize) -> bool {
        if let Some(known) = self.certain.get(&func) {
            return *known;
        }
        let Some(function) = program.functions.get(func) else { return false };
        let certain = match &function.body {
            FunctionBody::Defined(body) => {
                depth < MAX_DEPTH
                    && !Cfg::new(body).has_cycle()
                    && !calls.is_recursive(func)
                    && body.blocks.iter().all(|block| {
                        !matches!(block.terminator.kind, TerminatorKind::Unreachable)
                            && block.statements.iter().all(|s| self.goes_on(program, calls, s, depth))
                    })
            }
            FunctionBody::NotAnalysed { .. } => false,
            FunctionBody::Declared => match function.library {
                Some(lib) => goes_on_after(lib) && !function.noreturn,
                None => false,
            },
        };
        self.certain.insert(func, certain);
        certain
    }

    fn goes_on(&mut self, program: &Program, calls: &CallGraph, statement: &Statement, depth: usize) -> bool {
        match &statement.kind {
            StatementKind::Call(call) => match &call.callee {
                Callee::Direct(f) => self.at_depth(program, calls, *f, depth + 1),
                Callee::Indirect(_) => false,
            },
            StatementKind::Intrinsic { op, .. } => !matches!(op, Intrinsic::Trap | Intrinsic::Unreachable),
            _ => true,
        }
    }
}

/// Whether the program goes on after a library function, which calls nothing back.
fn goes_on_after(lib: LibFn) -> bool {
    let effects = lib.effects();
    let calls_back = (0..8).any(|i| effects.calls.contains(i));
    !effects.noreturn && !effects.unsupported && !calls_back
}
