//! What is known of functions before they are analysed: facts of the program's text.
//!
//! [`FunctionInfo`]: graph, iteration order and liveness of a function. [`footprint`]: the paths to the memory that a
//! function accesses. [`unaccessed_params`]: the parameters and globals whose memory it leaves alone. [`must_return`]:
//! whether every call comes back. [`relevance`]: the points from which the error function can still be reached.
//!
//! **Invariant:** nothing here looks at an abstract state; each fact is found once and kept for all attempts.

pub(crate) mod footprint;
pub(crate) mod must_return;
pub(crate) mod relevance;
pub(crate) mod unaccessed_params;

use crate::options::Options;
use crate::thresholds::Thresholds;
use footprint::{Footprint, Footprints};
use heapwise_ir::{
    BlockId, Body, CallGraph, Cfg, FuncId, GlobalId, IndexVec, Liveness, LocalId, LocalSet, Program,
    StaleCell, TypeTable, Wto, stale_cells,
};
use must_return::MustReturn;
use relevance::Relevance;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use unaccessed_params::UnaccessedParams;

/// All that is known of a program beforehand. Attempts share it, also those that run side by side.
pub(crate) struct Facts<'p> {
    /// The program.
    pub(crate) program: &'p Program,
    /// What the user chose.
    pub(crate) options: &'p Options,
    /// Who calls whom.
    pub(crate) calls: CallGraph,
    /// What need not be looked at, if that is anything.
    pub(crate) relevance: Option<Relevance>,
    /// Where widening stops.
    pub(crate) thresholds: Thresholds,
    found: Mutex<Found>,
}

/// What is found out when it is asked for.
#[derive(Default)]
struct Found {
    infos: FxHashMap<FuncId, Arc<FunctionInfo>>,
    footprints: Footprints,
    must_return: MustReturn,
    unaccessed: UnaccessedParams,
}

impl<'p> Facts<'p> {
    /// What can be said at once.
    pub(crate) fn new(program: &'p Program, options: &'p Options) -> Facts<'p> {
        let calls = CallGraph::new(program);
        Facts {
            program,
            options,
            relevance: Relevance::new(program, &calls, options),
            calls,
            thresholds: Thresholds::new(program),
            found: Mutex::default(),
        }
    }

    // Nothing panics while it is held; a value that another thread left behind is as good as any.
    fn found(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The name of the function that the analysis begins with.
    pub(crate) fn entry_name(&self) -> &str {
        self.options.function.as_ref().unwrap_or(&self.options.entry)
    }

    /// The information about a function with a body.
    pub(crate) fn info(&self, func: FuncId, body: &Body) -> Arc<FunctionInfo> {
        let make = || {
            let mut info = FunctionInfo::new(body, &self.program.types);
            // Texts of shapes read the variables that they name.
            for local in crate::shapes::declare::named_in_shapes(self.program, func, body) {
                info.live.values_mut().flatten().for_each(|live| {
                    live.insert(local);
                });
            }
            Arc::new(info)
        };
        self.found().infos.entry(func).or_insert_with(make).clone()
    }

    /// The footprint of a function, if it has one.
    pub(crate) fn footprint(&self, func: FuncId) -> Option<Arc<Footprint>> {
        self.found().footprints.of(self.program, &self.calls, func)
    }

    /// Whether every call of a function that runs without an error comes back.
    pub(crate) fn always_returns(&self, func: FuncId) -> bool {
        self.found().must_return.always(self.program, &self.calls, func)
    }

    /// Whether a function leaves the memory of this parameter alone.
    pub(crate) fn leaves_alone(&self, func: FuncId, param: usize) -> bool {
        self.found().unaccessed.is_one(self.program, func, param)
    }

    /// The globals that a function or one that it calls names; nothing where it calls what is not known.
    pub(crate) fn named_globals(&self, func: FuncId) -> Option<Arc<BTreeSet<GlobalId>>> {
        self.found().unaccessed.named_globals(self.program, func)
    }
}

/// What is computed once per function.
#[derive(Debug)]
pub struct FunctionInfo {
    /// Its graph.
    pub cfg: Cfg,
    /// Its blocks in weak topological order.
    pub wto: Wto,
    /// Locals live before each statement, per block, and before its terminator.
    pub live: FxHashMap<BlockId, Vec<LocalSet>>,
    /// Locals through which memory may be accessed from the start of each block on.
    pub followed: IndexVec<BlockId, LocalSet>,
    /// Cells that are overwritten before they are read, at the start of each block.
    pub stale: IndexVec<BlockId, BTreeSet<StaleCell>>,
    /// Whether a local is a memory object rather than a value.
    pub slot: Vec<bool>,
}

impl FunctionInfo {
    fn new(body: &Body, types: &TypeTable) -> FunctionInfo {
        let cfg = Cfg::new(body);
        let wto = Wto::new(&cfg);
        let liveness = Liveness::new(body, &cfg);
        let live = body.blocks.indices().map(|b| (b, liveness.in_block(body, b))).collect();
        let slot = body.locals.iter().map(|l| l.is_memory(types)).collect();
        let followed = Liveness::followed(body, &cfg);
        let stale = stale_cells(body, &cfg);
        FunctionInfo { cfg, wto, live, followed, stale, slot }
    }
    /// Whether a local is a memory object rather than a value.
    pub fn is_slot(&self, local: LocalId) -> bool {
        self.slot.get(local.0 as usize).copied().unwrap_or(true)
    }
}
