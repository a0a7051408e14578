//! What is known of functions before they are analysed: facts of the program's text.
//!
//! [`FunctionInfo`]: graph, iteration order and liveness of a function. [`footprint`]: the paths to the memory that a
//! function accesses. [`unaccessed_params`]: the parameters and globals whose memory it leaves alone. [`must_return`]:
//! whether every call comes back. [`relevance`]: the points from which the error function can still be reached. [`way_back`]: the
//! loops that come before a point.
//!
//! **Invariant:** nothing here looks at an abstract state; each fact is found once and kept for all attempts.

pub(crate) mod footprint;
pub(crate) mod must_return;
pub(crate) mod relevance;
pub(crate) mod unaccessed_params;
pub(crate) mod way_back;

use crate::options::Options;
use crate::thresholds::Thresholds;
use footprint::{Footprint, Footprints};
use heapwise_ir::library::LibFn;
use heapwise_ir::visit::{statement_operands, statement_places};
use heapwise_ir::{
    BlockId, Body, CallGraph, Cfg, Const, FuncId, Global, GlobalId, GlobalInit, GlobalKind, IndexVec,
    Liveness, LocalId, LocalSet, Operand, PlaceBase, Program, Span, StaleCell, Statement, StatementKind,
    TerminatorKind, TypeTable, Wto, signals, stale_cells,
};
use must_return::MustReturn;
use relevance::Relevance;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use unaccessed_params::UnaccessedParams;

/// What is known of a program whatever is asked of it. Questions about its functions share it.
pub(crate) struct Whole<'p> {
    /// The program.
    pub(crate) program: &'p Program,
    /// Who calls whom.
    pub(crate) calls: CallGraph,
    /// Where widening stops.
    pub(crate) thresholds: Thresholds,
    /// Whether functions may be registered with `atexit`.
    pub(crate) registers_at_exit: bool,
    found: Mutex<Found>,
}

/// All that is known beforehand where something is asked of a program: what [`Whole`] knows, and what depends on the question. Attempts
/// share it, also those that run side by side.
pub(crate) struct Facts<'p> {
    whole: Arc<Whole<'p>>,
    /// What the user chose.
    pub(crate) options: &'p Options,
    /// What need not be looked at, if that is anything.
    pub(crate) relevance: Option<Relevance>,
    /// Where `main` ends the life of which variable and then only returns.
    ways_out: FxHashSet<(LocalId, Span)>,
    main: Option<FuncId>,
}

impl<'p> Deref for Facts<'p> {
    type Target = Whole<'p>;
    fn deref(&self) -> &Whole<'p> {
        &self.whole
    }
}

/// What is found out when it is asked for.
#[derive(Default)]
struct Found {
    infos: FxHashMap<FuncId, Arc<FunctionInfo>>,
    footprints: Footprints,
    must_return: MustReturn,
    unaccessed: UnaccessedParams,
    static_memory: Option<bool>,
    handlers: Option<Arc<BTreeSet<Span>>>,
}

fn static_memory(program: &Program) -> bool {
    let can_change = |(id, g): (GlobalId, &Global)| {
        let stream = matches!(&*g.name, "stdin" | "stdout" | "stderr");
        !g.constant
            && g.kind != GlobalKind::Literal
            && !stream
            && (g.init != GlobalInit::Unknown || is_named(program, id))
    };
    program.globals.iter_enumerated().any(can_change)
}

/// Whether `atexit` may be called: by its name, or through a pointer.
fn registers_at_exit(program: &Program, calls: &CallGraph) -> bool {
    let library = |f: &FuncId| program.functions.get(*f).and_then(|f| f.library);
    let mut called =
        program.functions.indices().flat_map(|f| calls.direct_callees(f)).chain(calls.address_taken());
    called.any(|f| library(f) == Some(LibFn::Atexit))
}

/// The ends of lives after which a function does nothing but return.
fn ways_out(body: &Body) -> FxHashSet<(LocalId, Span)> {
    let ends = |s: &Statement| {
        matches!(s.kind, StatementKind::Nop | StatementKind::StorageDead(_) | StatementKind::ScopeFree(_))
    };
    let mut out: FxHashSet<BlockId> = FxHashSet::default();
    let mut found = FxHashSet::default();
    // From the returns backwards through blocks that do nothing else.
    loop {
        let before = out.len();
        for (id, block) in body.blocks.iter_enumerated() {
            let leaves = match &block.terminator.kind {
                TerminatorKind::Return(_) => true,
                TerminatorKind::Goto(next) => out.contains(next),
                _ => false,
            };
            if !leaves {
                continue;
            }
            let tail = block.statements.iter().rev().take_while(|s| ends(s));
            found.extend(tail.filter_map(|s| match s.kind {
                StatementKind::StorageDead(l) => Some((l, s.span)),
                _ => None,
            }));
            if block.statements.iter().all(ends) {
                out.insert(id);
            }
        }
        if out.len() == before {
            return found;
        }
    }
}

fn is_named(program: &Program, global: GlobalId) -> bool {
    let bodies = program.functions.indices().filter_map(|f| program.body(f));
    let mut named = false;
    for statement in bodies.flat_map(|b| b.blocks.iter()).flat_map(|b| &b.statements) {
        statement_operands(statement, &mut |operand| {
            named |= matches!(operand, Operand::Const(Const::Global { global: g, .. }) if *g == global);
        });
        statement_places(statement, &mut |place, _| named |= place.base == PlaceBase::Global(global));
    }
    named
}

impl<'p> Facts<'p> {
    /// What can be said at once.
    pub(crate) fn new(program: &'p Program, options: &'p Options) -> Facts<'p> {
        Facts::of(Arc::new(Whole::new(program)), options)
    }

    /// The same, of a program of which something was asked before.
    pub(crate) fn of(whole: Arc<Whole<'p>>, options: &'p Options) -> Facts<'p> {
        let program = whole.program;
        let is_whole = options.function.is_none() && options.entry == "main";
        let main = program.function_named("main").filter(|_| is_whole);
        Facts {
            options,
            relevance: Relevance::new(program, &whole.calls, options),
            ways_out: main.and_then(|f| program.body(f)).map(ways_out).unwrap_or_default(),
            main,
            whole,
        }
    }

    /// Whether a function is the `main` that the analysis begins with.
    pub(crate) fn is_main(&self, func: FuncId) -> bool {
        self.main == Some(func)
    }

    /// Whether the end of a variable's life is on the way out of `main`.
    pub(crate) fn leaves_main(&self, func: FuncId, local: LocalId, span: Span) -> bool {
        self.is_main(func) && self.ways_out.contains(&(local, span))
    }

    /// The name of the function that the analysis begins with.
    pub(crate) fn entry_name(&self) -> &str {
        self.options.function.as_ref().unwrap_or(&self.options.entry)
    }
}

impl<'p> Whole<'p> {
    pub(crate) fn new(program: &'p Program) -> Whole<'p> {
        let calls = CallGraph::new(program);
        Whole {
            program,
            registers_at_exit: registers_at_exit(program, &calls),
            thresholds: Thresholds::new(program),
            calls,
            found: Mutex::default(),
        }
    }

    // Nothing panics while it is held; a value that another thread left behind is as good as any.
    fn found(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
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

    /// Whether the program has variables of static storage that can change, beside the streams of the library.
    pub(crate) fn has_static_memory(&self) -> bool {
        *self.found().static_memory.get_or_insert_with(|| static_memory(self.program))
    }

    /// The calls that install signal handlers.
    pub(crate) fn handlers(&self) -> Arc<BTreeSet<Span>> {
        let make = || Arc::new(signals::handlers(self.program).into_iter().collect());
        self.found().handlers.get_or_insert_with(make).clone()
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
    /// Whether a local is a memory object rather than a value.
    pub slot: Vec<bool>,
    idle: OnceLock<Idle>,
}

/// What is not looked at any more, at the start of each block: few attempts ask for it.
#[derive(Debug)]
struct Idle {
    followed: IndexVec<BlockId, LocalSet>,
    stale: IndexVec<BlockId, BTreeSet<StaleCell>>,
}

impl FunctionInfo {
    fn new(body: &Body, types: &TypeTable) -> FunctionInfo {
        let cfg = Cfg::new(body);
        let wto = Wto::new(&cfg);
        let liveness = Liveness::new(body, &cfg);
        let live = body.blocks.indices().map(|b| (b, liveness.in_block(body, b))).collect();
        let slot = body.locals.iter().map(|l| l.is_memory(types)).collect();
        FunctionInfo { cfg, wto, live, slot, idle: OnceLock::new() }
    }

    /// Locals through which memory may be accessed from the start of a block on, and cells that are overwritten before they
    /// are read.
    pub(crate) fn idle(&self, body: &Body, block: BlockId) -> Option<(&LocalSet, &BTreeSet<StaleCell>)> {
        let find =
            || Idle { followed: Liveness::followed(body, &self.cfg), stale: stale_cells(body, &self.cfg) };
        let idle = self.idle.get_or_init(find);
        idle.followed.get(block).zip(idle.stale.get(block))
    }

    /// Whether a local is a memory object rather than a value.
    pub fn is_slot(&self, local: LocalId) -> bool {
        self.slot.get(local.0 as usize).copied().unwrap_or(true)
    }
}
