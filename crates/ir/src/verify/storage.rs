//! Storage markers make sense: no local is used where it certainly has no storage, no life begins twice.
//!
//! Two forward analyses in one: for each point, the locals that have storage on some path to it, and those that
//! have it on all paths. Locals without a marker (parameters, and temporaries that live for one expression) are
//! not looked at.

use super::Checker;
use crate::bitset::BitSet;
use crate::body::{BlockId, Body, LocalId, Statement};
use crate::cfg::Cfg;
use crate::index::IndexVec;
use crate::visit::{Access, statement_locals, terminator_locals};

type Set = BitSet<LocalId>;

#[derive(Clone)]
struct State {
    on_some_path: Set,
    on_all_paths: Set,
}

impl State {
    fn step(&mut self, statement: &Statement) {
        statement_locals(statement, &mut |l, access| match access {
            Access::Begin => {
                self.on_some_path.insert(l);
                self.on_all_paths.insert(l);
            }
            Access::End => {
                self.on_some_path.remove(l);
                self.on_all_paths.remove(l);
            }
            _ => {}
        });
    }
}

pub(super) fn check(checker: &mut Checker<'_>, cfg: &Cfg) {
    let body = checker.body;
    let mut marked = Set::new(body.locals.len());
    for statement in body.blocks.iter().flat_map(|b| &b.statements) {
        statement_locals(statement, &mut |l, access| {
            if access == Access::Begin {
                marked.insert(l);
            }
        });
    }
    for &p in body.params.iter().chain(&body.varargs) {
        if marked.contains(p) {
            checker.fail(format!("parameter {} has a StorageLive", checker.local_name(p)));
        }
    }
    let states = solve(body, cfg);
    for &b in cfg.reverse_postorder() {
        let Some(mut state) = states[b].clone() else { continue };
        let block = &body.blocks[b];
        for (i, statement) in block.statements.iter().enumerate() {
            let mut problems = Vec::new();
            statement_locals(statement, &mut |l, access| match access {
                Access::Begin if state.on_all_paths.contains(l) => {
                    problems.push((l, "begins its life while it is alive"));
                }
                Access::Begin | Access::End => {}
                _ if marked.contains(l) && !state.on_some_path.contains(l) => {
                    problems.push((l, "is used without storage"));
                }
                _ => {}
            });
            checker.at = Some((b, i));
            checker.span = statement.span;
            for (l, problem) in problems {
                checker.fail(format!("{} {problem}", checker.local_name(l)));
            }
            state.step(statement);
        }
        checker.at = Some((b, block.statements.len()));
        checker.span = block.terminator.span;
        terminator_locals(&block.terminator, &mut |l| {
            if marked.contains(l) && !state.on_some_path.contains(l) {
                checker.fail(format!("{} is used without storage", checker.local_name(l)));
            }
        });
    }
}

/// The state at the start of each reachable block.
fn solve(body: &Body, cfg: &Cfg) -> IndexVec<BlockId, Option<State>> {
    let n = body.locals.len();
    let mut states: IndexVec<BlockId, Option<State>> = IndexVec::from_elem(None, body.blocks.len());
    if let Some(entry) = states.get_mut(Body::ENTRY) {
        *entry = Some(State { on_some_path: Set::new(n), on_all_paths: Set::new(n) });
    }
    let mut changed = true;
    while changed {
        changed = false;
        for &b in cfg.reverse_postorder() {
            let Some(mut out) = states[b].clone() else { continue };
            body.blocks[b].statements.iter().for_each(|s| out.step(s));
            for &s in cfg.successors(b) {
                match &mut states[s] {
                    Some(state) => {
                        changed |= state.on_some_path.union_with(&out.on_some_path);
                        let before = state.on_all_paths.len();
                        state.on_all_paths.intersect_with(&out.on_all_paths);
                        changed |= state.on_all_paths.len() != before;
                    }
                    unknown => {
                        *unknown = Some(out.clone());
                        changed = true;
                    }
                }
            }
        }
    }
    states
}
