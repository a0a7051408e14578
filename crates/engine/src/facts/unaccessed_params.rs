//! Parameters and globals whose memory a function leaves alone.
//!
//! A parameter is one if the function compares it or hands it on to such parameters, and never looks at what it leads to.
//! The end of a structure is often such a one. One that is stored or returned is none: where its memory is missing, nobody
//! could say how what it was stored in leads to it. A global is one if neither the function nor one that it calls names it.
//!
//! What only these lead to may stay in the frame of a call ([`crate::calls::cut`]). Like a footprint this is a guess.
//! Memory that is missing in an entry cannot be accessed without an alarm, and after an alarm the function gets all of it.
//!
//! Cost: a few passes over each function, repeated while functions that call each other learn from each other.

use heapwise_ir::{
    Body, Callee, Const, FuncId, FunctionBody, GlobalId, LocalId, LocalSet, Operand, PlaceBase, Program,
    Rvalue, Statement, StatementKind, TerminatorKind, visit,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Which parameters and globals are left alone, found out when it is asked for.
#[derive(Debug, Default)]
pub(crate) struct UnaccessedParams {
    /// Before all functions are looked at, nothing.
    known: Option<FxHashMap<FuncId, Vec<bool>>>,
    /// The globals that a function or one that it calls names, if these are known.
    named: FxHashMap<FuncId, Option<Arc<BTreeSet<GlobalId>>>>,
}

impl UnaccessedParams {
    /// Whether the parameter with this number is one.
    pub(crate) fn is_one(&mut self, program: &Program, func: FuncId, param: usize) -> bool {
        let known = self.known.get_or_insert_with(|| find(program));
        known.get(&func).and_then(|all| all.get(param)).copied().unwrap_or(false)
    }

    /// The globals that a function or one that it calls names; nothing where it calls what is not known.
    pub(crate) fn named_globals(
        &mut self,
        program: &Program,
        func: FuncId,
    ) -> Option<Arc<BTreeSet<GlobalId>>> {
        if let Some(known) = self.named.get(&func) {
            return known.clone();
        }
        let mut found = BTreeSet::new();
        let (mut seen, mut todo) = (BTreeSet::from([func]), vec![func]);
        let mut known = true;
        while let Some(f) = todo.pop() {
            match program.functions.get(f).map(|f| (&f.body, f.library)) {
                Some((FunctionBody::Defined(body), _)) => {
                    known &= names_in(body, &mut found, &mut |callee| {
                        if seen.insert(callee) {
                            todo.push(callee);
                        }
                    });
                }
                Some((_, Some(lib))) => known &= (0..MAX_ARGS).all(|i| !lib.effects().calls.contains(i)),
                _ => known = false,
            }
        }
        let found = known.then(|| Arc::new(found));
        self.named.insert(func, found.clone());
        found
    }
}

/// Arguments of library functions that are looked at.
const MAX_ARGS: usize = 8;

/// Collects the globals that a body names and the functions that it calls; whether all of these are known.
fn names_in(body: &Body, found: &mut BTreeSet<GlobalId>, calls: &mut dyn FnMut(FuncId)) -> bool {
    let mut known = true;
    for block in body.blocks.iter() {
        let mut operand = |op: &Operand| {
            if let Operand::Const(Const::Global { global, .. }) = op {
                found.insert(*global);
            }
        };
        for statement in &block.statements {
            visit::statement_operands(statement, &mut operand);
        }
        visit::terminator_operand(&block.terminator).into_iter().for_each(operand);
        for statement in &block.statements {
            visit::statement_places(statement, &mut |place, _| {
                if let PlaceBase::Global(g) = place.base {
                    found.insert(g);
                }
            });
            if let StatementKind::Call(call) = &statement.kind {
                match call.callee {
                    Callee::Direct(f) => calls(f),
                    Callee::Indirect(_) => known = false,
                }
            }
        }
    }
    known
}

/// The greatest solution: a parameter that functions only hand on to each other is one.
fn find(program: &Program) -> FxHashMap<FuncId, Vec<bool>> {
    let bodies = || {
        program.functions.iter_enumerated().filter_map(|(id, f)| match &f.body {
            FunctionBody::Defined(body) => Some((id, body)),
            _ => None,
        })
    };
    let mut known: FxHashMap<FuncId, Vec<bool>> = bodies()
        .map(|(id, body)| {
            let kept = |p: &LocalId| body.locals.get(*p).is_some_and(|l| !l.address_taken);
            (id, body.params.iter().map(kept).collect())
        })
        .collect();
    loop {
        let mut changed = false;
        for (id, body) in bodies() {
            for (i, param) in body.params.iter().enumerate() {
                let assumed = known.get(&id).and_then(|all| all.get(i)).copied().unwrap_or(false);
                if assumed && !is_left_alone(body, *param, &known) {
                    changed = true;
                    if let Some(slot) = known.get_mut(&id).and_then(|all| all.get_mut(i)) {
                        *slot = false;
                    }
                }
            }
        }
        if !changed {
            return known;
        }
    }
}

fn is_left_alone(body: &Body, param: LocalId, known: &FxHashMap<FuncId, Vec<bool>>) -> bool {
    // The locals that may hold its value.
    let mut holders = LocalSet::new(body.locals.len());
    holders.insert(param);
    let statements = || body.blocks.iter().flat_map(|b| &b.statements);
    loop {
        let mut changed = false;
        for statement in statements() {
            if let StatementKind::Assign { dest, value } = &statement.kind
                && let PlaceBase::Local(to) = dest.base
                && copied(value).is_some_and(|from| holders.contains(from))
            {
                changed |= holders.insert(to);
            }
        }
        if !changed {
            break;
        }
    }
    let escapes = |l: LocalId| body.locals.get(l).is_none_or(|l| l.address_taken);
    let returned = body.blocks.iter().any(|b| match &b.terminator.kind {
        TerminatorKind::Return(Some(Operand::Local(l))) => holders.contains(*l),
        _ => false,
    });
    !returned && !holders.iter().any(escapes) && statements().all(|s| leaves_alone(s, &holders, known))
}

/// The local whose value this is.
fn copied(value: &Rvalue) -> Option<LocalId> {
    match value {
        Rvalue::Use(Operand::Local(l)) | Rvalue::Cast { arg: Operand::Local(l), .. } => Some(*l),
        Rvalue::Load(place) => match place.base {
            PlaceBase::Local(l) => Some(l),
            _ => None,
        },
        _ => None,
    }
}

fn leaves_alone(statement: &Statement, holders: &LocalSet, known: &FxHashMap<FuncId, Vec<bool>>) -> bool {
    let held = |op: &Operand| matches!(op, Operand::Local(l) if holders.contains(*l));
    let mut alone = true;
    visit::statement_places(statement, &mut |place, _| {
        alone &= !matches!(&place.base, PlaceBase::Deref(op) if held(op));
    });
    alone
        && match &statement.kind {
            StatementKind::Assign { dest, value } => match value {
                _ if !matches!(dest.base, PlaceBase::Local(_)) => {
                    copied(value).is_none_or(|l| !holders.contains(l))
                }
                Rvalue::PtrAdd { ptr, .. } => !held(ptr),
                Rvalue::Binary { lhs, rhs, .. } => !held(lhs) && !held(rhs),
                _ => true,
            },
            StatementKind::Call(call) => {
                let positions = match &call.callee {
                    Callee::Direct(f) => known.get(f),
                    Callee::Indirect(_) => None,
                };
                let handed_on = |i: usize| positions.and_then(|p| p.get(i)).copied().unwrap_or(false);
                call.args.iter().enumerate().all(|(i, arg)| !held(arg) || handed_on(i))
            }
            StatementKind::Intrinsic { args, .. } => !args.iter().any(held),
            _ => true,
        }
}
