//! Fixpoint over a graph of actions: which structures can arise at every location.
//!
//! Chaotic iteration with one queue of structures that are new at their location, served in the order of
//! a depth-first numbering so that inner loops stabilise first. Only structures that the location's set
//! does not cover are propagated. The domain is finite, so it ends; limits come back as [`Outcome`].

use crate::canonical::Abstraction;
use crate::domain::{Embedding, Join, StructureSet};
use crate::individuals::Incomplete;
use crate::structure::Structure;
use crate::transform::{Action, Context, Refutation};
use crate::vocabulary::PredId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// An edge of the graph.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Source location.
    pub from: usize,
    /// Target location.
    pub to: usize,
    /// What happens on the way.
    pub action: Action,
}

/// Locations and edges; the entry is location `entry`.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Names of locations.
    pub locations: Vec<String>,
    /// Edges.
    pub edges: Vec<Edge>,
    /// Where the initial structures stand.
    pub entry: usize,
    /// Unary predicates that name parts of structures ([`crate::decompose`]).
    pub parts: Vec<PredId>,
}

/// How to solve.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Way of joining.
    pub join: Join,
    /// Strict or loose.
    pub embedding: Embedding,
    /// Structures over all locations after which to stop.
    pub max_structures: usize,
    /// Time after which to stop.
    pub max_time: Option<Duration>,
    /// Whether to go on without a structure that the constraints refute after an update, instead of stopping.
    pub drop_refuted: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            join: Join::Partial,
            embedding: Embedding::Strict,
            max_structures: 200_000,
            max_time: None,
            drop_refuted: false,
        }
    }
}

/// Why the specialised engine ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A fixpoint was reached: the result covers everything.
    Fixpoint,
    /// Too many structures.
    Structures,
    /// Out of time.
    Time,
    /// A structure had too many individuals.
    Individuals,
}

/// Why solving ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A fixpoint was reached: the result covers everything.
    Fixpoint,
    /// Too many structures.
    Structures,
    /// Out of time.
    Time,
    /// Some action did not yield all its results.
    Incomplete(Incomplete),
    /// The constraints refuted a structure after an update; [`Solution::refuted`] says which.
    Refuted,
}

/// Where and how a structure was refuted after an update.
#[derive(Clone, Debug)]
pub struct Refuted {
    /// Index of the location before the action.
    pub location: usize,
    /// The action's title.
    pub action: String,
    /// The rule and the structure.
    pub refutation: Refutation,
}

/// A message raised at an edge.
#[derive(Clone, Debug)]
pub struct Message {
    /// Index of the location before the action.
    pub location: usize,
    /// The action's title.
    pub action: String,
    /// What was reported.
    pub text: String,
    /// Whether some structure made the condition certain.
    pub certain: bool,
    /// A structure on which it was reported.
    pub structure: Structure,
}

/// The result of solving.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The embedding that gave the answer.
    pub embedding: Embedding,
    /// In how many parts structures were cut; 0 if they were not.
    pub parts: usize,
    /// Structures by location; those of all parts, if structures were cut.
    pub sets: Vec<StructureSet>,
    /// Messages in order of location and text.
    pub messages: Vec<Message>,
    /// Why it ended.
    pub outcome: Outcome,
    /// The first structure that was refuted after an update; the solution stopped there or went on without it.
    pub refuted: Option<Refuted>,
    /// Initial structures that violate a constraint and were left out: their positions and the rules.
    pub inconsistent: Vec<(usize, String)>,
    /// Number of times an action was applied to a structure.
    pub steps: usize,
    /// Time spent on refining structures: cases, focus and coerce.
    pub refinement: Duration,
}

/// Total, average and largest number of structures over locations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counts {
    /// Locations.
    pub locations: usize,
    /// Structures over all locations.
    pub total: usize,
    /// Average per location.
    pub average: f64,
    /// Largest set.
    pub max: usize,
    /// Bytes of all stored structures.
    pub bytes: usize,
}

/// Counts of a family of sets.
pub fn counts(sets: &[StructureSet]) -> Counts {
    let total = sets.iter().map(StructureSet::len).sum();
    Counts {
        locations: sets.len(),
        total,
        average: if sets.is_empty() { 0.0 } else { total as f64 / sets.len() as f64 },
        max: sets.iter().map(StructureSet::len).max().unwrap_or(0),
        bytes: sets.iter().map(StructureSet::bytes).sum(),
    }
}

/// Reverse postorder position of every location.
pub fn priorities(locations: usize, entry: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut successors = vec![Vec::new(); locations];
    for &(from, to) in edges {
        if from < locations && to < locations {
            successors[from].push(to);
        }
    }
    let mut position = vec![usize::MAX; locations];
    let mut visited = vec![false; locations];
    let mut next = locations;
    let mut stack = vec![(entry, 0usize)];
    if entry < locations {
        visited[entry] = true;
    } else {
        stack.clear();
    }
    while let Some((at, child)) = stack.pop() {
        if let Some(&to) = successors[at].get(child) {
            stack.push((at, child + 1));
            if !visited[to] {
                visited[to] = true;
                stack.push((to, 0));
            }
        } else {
            next -= 1;
            position[at] = next;
        }
    }
    position
}

/// Computes the structures at every location.
///
/// What is not proved with loose embedding is solved again with strict embedding, because a summary that may be empty
/// forgets that it was seen to exist: loose embedding proves whatever strict embedding does.
pub fn solve(
    context: &Context<'_>,
    abstraction: &Abstraction,
    graph: &Graph,
    initial: &[Structure],
    options: &Options,
) -> Solution {
    let started = Instant::now();
    let first = iterate(context, abstraction, graph, initial, options);
    let proved = first.outcome == Outcome::Fixpoint && first.messages.is_empty();
    if options.embedding == Embedding::Strict || proved || first.outcome == Outcome::Time {
        return first;
    }
    let max_time = options.max_time.map(|limit| limit.saturating_sub(started.elapsed()));
    let strict = Options { embedding: Embedding::Strict, max_time, ..*options };
    iterate(context, abstraction, graph, initial, &strict)
}

/// One fixpoint. With loose embedding it ends at the first message, as then nothing is proved by it.
fn iterate(
    context: &Context<'_>,
    abstraction: &Abstraction,
    graph: &Graph,
    initial: &[Structure],
    options: &Options,
) -> Solution {
    let started = Instant::now();
    let mut sets = vec![StructureSet::new(options.join); graph.locations.len()];
    let mut messages: BTreeMap<(usize, String), Message> = BTreeMap::new();
    let ends: Vec<(usize, usize)> = graph.edges.iter().map(|e| (e.from, e.to)).collect();
    let position = priorities(graph.locations.len(), graph.entry, &ends);
    let mut outgoing: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for (i, e) in graph.edges.iter().enumerate() {
        outgoing.entry(e.from).or_default().push(i);
    }
    let mut queue: BTreeMap<usize, (usize, Vec<Structure>)> = BTreeMap::new();
    // The cases of loose structures that actions were applied to, by edge: many structures share them.
    let mut done: Vec<FxHashSet<Structure>> = vec![FxHashSet::default(); graph.edges.len()];
    let loose = options.embedding == Embedding::Loose;
    let mut refinement = Duration::ZERO;
    let (mut outcome, mut steps) = (Outcome::Fixpoint, 0usize);
    let (mut refuted, mut inconsistent) = (None, Vec::new());
    for (i, s) in initial.iter().enumerate() {
        let mut s = s.clone();
        if let Err(rule) = context.coercion.check(context.voc, &mut s) {
            inconsistent.push((i, rule.show(context.voc)));
            continue;
        }
        if let Some(set) = sets.get_mut(graph.entry)
            && let Some(new) = set.insert(abstraction, options.embedding, &s)
        {
            queue.entry(position[graph.entry]).or_insert((graph.entry, Vec::new())).1.push(new);
        }
    }
    'work: while let Some((_, (location, batch))) = queue.pop_first() {
        for s in batch {
            // Only a join that merges or discards structures can have taken this one away again.
            if options.join != Join::Relational && !sets[location].iter().any(|kept| *kept == s) {
                continue;
            }
            for &e in outgoing.get(&location).map_or(&[][..], |v| v) {
                let edge = &graph.edges[e];
                let effect = context.apply_whole(&edge.action, &s).unwrap_or_else(|| {
                    if !loose {
                        return context.apply(&edge.action, &s);
                    }
                    let relevant = context.relevant(&edge.action, &s);
                    let fresh = |case: &Structure| done[e].insert(case.clone());
                    let effect = context.apply_deciding(&edge.action, &s, relevant, fresh);
                    // What may be wrong is looked at in all cases.
                    if effect.messages.is_empty() { effect } else { context.apply(&edge.action, &s) }
                });
                steps += 1;
                refinement += effect.refinement;
                if let Some(reason) = effect.incomplete {
                    outcome = Outcome::Incomplete(reason);
                }
                for m in effect.messages {
                    let entry = messages.entry((e, m.text.clone())).or_insert_with(|| Message {
                        location,
                        action: edge.action.title.clone(),
                        text: m.text.clone(),
                        certain: m.certain,
                        structure: s.clone(),
                    });
                    entry.certain |= m.certain;
                }
                if let (Some(refutation), None) = (effect.refuted, &refuted) {
                    let action = edge.action.title.clone();
                    refuted = Some(Refuted { location, action, refutation: *refutation });
                    if !options.drop_refuted {
                        outcome = Outcome::Refuted;
                        break 'work;
                    }
                }
                if loose && !messages.is_empty() {
                    break 'work;
                }
                for result in effect.structures {
                    if let Some(new) = sets[edge.to].insert(abstraction, options.embedding, &result) {
                        queue.entry(position[edge.to]).or_insert((edge.to, Vec::new())).1.push(new);
                    }
                }
                if sets.iter().map(StructureSet::len).sum::<usize>() > options.max_structures {
                    outcome = Outcome::Structures;
                    break 'work;
                }
                if options.max_time.is_some_and(|limit| started.elapsed() > limit) {
                    outcome = Outcome::Time;
                    break 'work;
                }
            }
        }
    }
    let messages = messages.into_values().collect();
    Solution {
        embedding: options.embedding,
        parts: 0,
        sets,
        messages,
        outcome,
        refuted,
        inconsistent,
        steps,
        refinement,
    }
}
