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

use heapwise_ir::{
    BlockId, Body, Cfg, IndexVec, Liveness, LocalId, LocalSet, StaleCell, TypeTable, Wto, stale_cells,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

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
    pub(crate) fn new(body: &Body, types: &TypeTable) -> FunctionInfo {
        let cfg = Cfg::new(body);
        let wto = Wto::new(&cfg);
        let liveness = Liveness::new(body, &cfg);
        let live = body.blocks.indices().map(|b| (b, liveness.in_block(body, b))).collect();
        let slot = body.locals.iter().map(|l| is_memory(l, types)).collect();
        let followed = Liveness::followed(body, &cfg);
        let stale = stale_cells(body, &cfg);
        FunctionInfo { cfg, wto, live, followed, stale, slot }
    }
    /// Whether a local is a memory object rather than a value.
    pub fn is_slot(&self, local: LocalId) -> bool {
        self.slot.get(local.0 as usize).copied().unwrap_or(true)
    }
}

/// Whether a local is a memory object rather than a value.
pub(crate) fn is_memory(local: &heapwise_ir::Local, types: &TypeTable) -> bool {
    local.address_taken || !types.is_scalar(local.ty)
}
