//! k-limited storage graphs (survey §4.2; Jones and Muchnick 1979 and 1982, Chase et al. 1990) as a domain of
//! [`heapwise_fixpoint`].
//!
//! A graph has a node for each object near a variable and one for each group of others ([`limit`]); what an object of a
//! group is, is told apart only when a pointer is followed to it ([`graph`]). States are sets of graphs ([`order`]), or one
//! graph. [`transfer`] and [`library`] say what statements do, [`calls`] what a function sees of its caller's memory, and
//! [`gamma`] decides whether a concrete memory is described, so that runs can judge the rest.
//!
//! What the survey's analysis does not ask and this one does: null, dangling and uninitialised pointers, bounds, leaks,
//! numbers. What is not modelled raises an alarm under every property: bit-fields, variable-length arrays, variadic
//! functions, most of the library. Programs outside of a small fragment are never called proved ([`fragment`]).

pub mod calls;
mod fragment;
pub mod gamma;
pub mod graph;
pub mod library;
pub mod limit;
pub mod order;
pub mod relations;
pub mod transfer;
pub mod value;

pub use graph::{Graph, Kind as NodeKind, Node, Root, Sharing};
pub use limit::Limit;
pub use value::Value;

use heapwise_fixpoint::{Domain, Report, Settings};
pub use heapwise_numeric::Numeric;
pub use heapwise_numeric::connectors::Kind as Connectors;

use heapwise_ir::visit::{statement_operands, terminator_operand};
use heapwise_ir::{Const, Operand, Program, TerminatorKind};
use heapwise_numeric::{Element, Interval};
use order::{Merging, Why};
use std::collections::BTreeSet;

/// Which of the analyses that the survey describes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variant {
    /// Which blocks are put together.
    pub limit: Limit,
    /// How many are kept apart.
    pub k: usize,
    /// Whether the object that a pointer leads to is taken out of its group. Without, as in the survey, updates of groups
    /// are weak and little is proved after them.
    pub materialise: bool,
    /// Whether there is one graph for a point (Jones and Muchnick 1982) instead of a set of them.
    pub one_graph: bool,
    /// How numbers are related, if they are, and in which domain.
    pub relations: Option<(Connectors, Numeric)>,
}

impl Default for Variant {
    fn default() -> Self {
        Variant { limit: Limit::Paths, k: 1, materialise: true, one_graph: false, relations: None }
    }
}

/// The domain.
#[derive(Clone, Debug)]
pub struct KLimited {
    variant: Variant,
    /// Where widening stops.
    thresholds: Vec<i128>,
}

impl KLimited {
    /// The domain for a program.
    pub fn new(program: &Program, variant: Variant) -> Self {
        KLimited { variant, thresholds: thresholds(program) }
    }
}

/// Analyses a program.
pub fn analyse(program: &Program, settings: &Settings, variant: Variant) -> Report<Graph> {
    let settings = match variant.one_graph {
        true => Settings { apart: 1, unroll: 0, ..settings.clone() },
        false => settings.clone(),
    };
    let mut report = heapwise_fixpoint::analyse(program, &settings, KLimited::new(program, variant));
    report.alarms.extend(fragment::outside(program, &settings));
    report
}

/// The limits of the machine's types, and the constants of the program with their neighbours.
fn thresholds(program: &Program) -> Vec<i128> {
    let mut found: BTreeSet<i128> = [-1, 0, 1].into();
    for bits in [7, 8, 15, 16, 31, 32, 63, 64] {
        found.extend([-(1i128 << bits), (1i128 << bits) - 1]);
    }
    let mut switched = Vec::new();
    let mut operand = |op: &Operand| {
        if let Operand::Const(Const::Int { value, .. }) = op {
            found.extend([value.saturating_sub(1), *value, value.saturating_add(1)]);
        }
    };
    for body in program.functions.indices().filter_map(|f| program.body(f)) {
        for block in body.blocks.iter() {
            block.statements.iter().for_each(|s| statement_operands(s, &mut operand));
            terminator_operand(&block.terminator).into_iter().for_each(&mut operand);
            if let TerminatorKind::Switch { cases, .. } = &block.terminator.kind {
                switched.extend(cases.iter().flat_map(|c| [c.low, c.high]));
            }
        }
    }
    found.extend(switched);
    found.into_iter().collect()
}

impl Domain for KLimited {
    type State = Graph;
    type Why = Why;

    fn leq(&self, a: &Graph, b: &Graph) -> Result<(), Why> {
        order::leq(a, b)
    }
    fn join(&mut self, a: &Graph, b: &Graph) -> Result<Graph, Why> {
        if self.variant.one_graph {
            return self.widen(a, b);
        }
        order::merge(a, b, Merging::Strict, (Interval::join, Element::join))
    }
    fn widen(&mut self, old: &Graph, new: &Graph) -> Result<Graph, Why> {
        let thresholds = &self.thresholds;
        let numbers = |a: Interval, b| a.widen(b, thresholds);
        let elements = |a: &Element, b: &Element| a.widen(b, thresholds);
        if !self.variant.one_graph {
            return order::merge(old, new, Merging::Lenient, (numbers, elements));
        }
        let limit = |g: &Graph| limit::limited(g.clone(), self.variant.limit, self.variant.k);
        order::merge(&limit(old), &limit(new), Merging::All, (numbers, elements))
    }
    fn generalise(&mut self, state: Graph) -> Vec<Graph> {
        vec![order::canonical(&limit::limited(state, self.variant.limit, self.variant.k))]
    }
}
