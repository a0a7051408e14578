//! Where the error function can still be called.
//!
//! If only calls of the error function count, nothing that happens after the last point from which such a call can
//! be reached makes a difference: what a program does at its end, usually to give its memory back, need not be
//! understood. A point matters if a statement after it, in the function or in one of its callers, may call the
//! error function, directly or through others. Calls of functions of which nothing is known, and calls through
//! pointers, may do anything; where the error function can be reached from a function whose address is taken, everything
//! matters, because it cannot be said when that one is called.
//!
//! Cost: a few passes over the blocks of the program.

use crate::options::Options;
use heapwise_ir::library::LibFn;
use heapwise_ir::{
    BitSet, Block, BlockId, Body, CallGraph, Callee, Cfg, FuncId, FunctionBody, IndexVec, Program, Statement,
    StatementKind, TerminatorKind,
};
use heapwise_property::Spec;

/// For each block after how many statements nothing matters any more.
#[derive(Debug)]
pub(crate) struct Relevance {
    stops: IndexVec<FuncId, IndexVec<BlockId, Option<usize>>>,
}

impl Relevance {
    /// Finds out what matters in a program; `None` if everything may.
    pub(crate) fn new(program: &Program, calls: &CallGraph, options: &Options) -> Option<Relevance> {
        let declared = &options.declarations;
        let whole = options.function.is_some() || options.record_states || !declared.contracts.is_empty();
        if whole || options.properties != Spec::UnreachCall.properties() {
            return None;
        }
        let mut dangerous = BitSet::new(program.functions.len());
        for (id, function) in program.functions.iter_enumerated() {
            let counts = [LibFn::ReachError, LibFn::CheckShape, LibFn::AssumeShape];
            let error = LibFn::lookup(&function.name).is_some_and(|f| counts.contains(&f));
            let unknown = match &function.body {
                FunctionBody::Defined(_) => false,
                FunctionBody::NotAnalysed { .. } => true,
                FunctionBody::Declared => function.library.is_none() || calls.calls_indirectly(id),
            };
            if error || unknown {
                dangerous.insert(id);
            }
        }
        let reaches = |f: FuncId| calls.reachable_from(f).iter().any(|g| dangerous.contains(g));
        let mut reaching = BitSet::new(program.functions.len());
        for f in program.functions.indices().filter(|f| reaches(*f)) {
            reaching.insert(f);
        }
        if calls.address_taken().iter().any(|f| reaching.contains(*f)) {
            return None;
        }
        let mut exits = BitSet::new(program.functions.len());
        loop {
            let mut changed = false;
            for (id, body) in bodies(program) {
                let flow = Flow::new(body, &reaching, exits.contains(id));
                for (block, code) in body.blocks.iter_enumerated() {
                    let mut after = flow.after(body, block);
                    for statement in code.statements.iter().rev() {
                        if let StatementKind::Call(call) = &statement.kind
                            && after
                        {
                            match call.callee {
                                Callee::Direct(f) => changed |= exits.insert(f),
                                Callee::Indirect(_) => {
                                    for f in calls.address_taken() {
                                        changed |= exits.insert(*f);
                                    }
                                }
                            }
                        }
                        after |= matters(statement, &reaching);
                    }
                }
            }
            if !changed {
                break;
            }
        }
        let mut stops = IndexVec::from_elem(IndexVec::new(), program.functions.len());
        for (id, body) in bodies(program) {
            let flow = Flow::new(body, &reaching, exits.contains(id));
            let stop = |(block, code): (BlockId, &Block)| {
                let last = code.statements.iter().rposition(|s| matters(s, &reaching));
                (!flow.after(body, block)).then(|| last.map_or(0, |i| i + 1))
            };
            stops[id] = body.blocks.iter_enumerated().map(stop).collect();
        }
        Some(Relevance { stops })
    }

    /// How many statements of a block matter; `None` if what comes after them does as well.
    pub(crate) fn stop(&self, function: FuncId, block: BlockId) -> Option<usize> {
        self.stops.get(function)?.get(block).copied().flatten()
    }
}

fn bodies(program: &Program) -> impl Iterator<Item = (FuncId, &Body)> {
    program.functions.iter_enumerated().filter_map(|(id, f)| match &f.body {
        FunctionBody::Defined(body) => Some((id, &**body)),
        _ => None,
    })
}

fn matters(statement: &Statement, reaching: &BitSet<FuncId>) -> bool {
    match &statement.kind {
        StatementKind::Call(call) => match call.callee {
            Callee::Direct(f) => reaching.contains(f),
            Callee::Indirect(_) => true,
        },
        _ => false,
    }
}

/// Which blocks of a function matter.
struct Flow {
    cfg: Cfg,
    entering: IndexVec<BlockId, bool>,
    exit: bool,
}

impl Flow {
    fn new(body: &Body, reaching: &BitSet<FuncId>, exit: bool) -> Flow {
        let cfg = Cfg::new(body);
        let mut entering: IndexVec<BlockId, bool> = body
            .blocks
            .iter()
            .map(|b| {
                let returns = matches!(b.terminator.kind, TerminatorKind::Return(_));
                exit && returns || b.statements.iter().any(|s| matters(s, reaching))
            })
            .collect();
        let mut work: Vec<BlockId> =
            entering.iter_enumerated().filter(|(_, e)| **e).map(|(b, _)| b).collect();
        while let Some(b) = work.pop() {
            for p in cfg.predecessors(b) {
                if let Some(known) = entering.get_mut(*p).filter(|known| !**known) {
                    *known = true;
                    work.push(*p);
                }
            }
        }
        Flow { cfg, entering, exit }
    }

    /// Whether anything after the statements of a block matters.
    fn after(&self, body: &Body, block: BlockId) -> bool {
        let returns =
            body.blocks.get(block).is_some_and(|b| matches!(b.terminator.kind, TerminatorKind::Return(_)));
        self.exit && returns
            || self.cfg.successors(block).iter().any(|s| self.entering.get(*s).copied().unwrap_or(true))
    }
}
