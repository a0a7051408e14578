//! Structures in parts: heap decomposition (Manevich, Lev-Ami, Sagiv, Ramalingam, Berdine: *Heap Decomposition for Concurrent
//! Shape Analysis*, SAS 2008), for programs that name parts with `%dname`.
//!
//! A part is a unary predicate. Of a structure, a part keeps the individuals of which the predicate may hold; all others, if
//! there are any, become one summary of which only that is known that they are not in the part. So the whole structure
//! is embedded in its part, with or without that summary ([`described`]). A location has a set of structures for each part, and describes what is embedded in
//! some structure of every one of these sets: what happens in one part is not told apart for each state of the others.
//!
//! An action sees the structures of the parts that it composes, put together by meet ([`crate::meet`]) and sharpened; its results are
//! cut into parts again. For a part that it does not compose, that part's structures are put together with these in turn, and
//! only that part of the result is kept. Both are sound whichever parts are composed: every structure before the action is
//! embedded in one of those that the action is applied to, for each part.
//!
//! What is decided here is a proof or nothing: at a message, a refuted structure or a limit, the caller works on whole
//! structures. Strict embedding only. Cost: for an action, the product of the sizes of the sets that it composes, and
//! for each meet exponential in the summaries with several partners.

use crate::canonical::{Abstraction, merge};
use crate::domain::{Embedding, Join, StructureSet};
use crate::kleene::{Kleene, lanes_of};
use crate::meet::meet_refining;
use crate::solver::{Edge, Graph, Options, Outcome, Solution, priorities};
use crate::structure::Structure;
use crate::transform::{Action, Context};
use crate::vocabulary::{Meaning, PredId};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// More structures than this are not put together for one action.
const MAX_COMPOSED: usize = 5_000;

/// The part of a structure that a predicate names: what it describes is what the part describes with or without its last
/// individual. Nothing if there is no room for that.
pub fn part(context: &Context<'_>, s: &Structure, name: PredId) -> Option<Structure> {
    let voc = context.voc;
    let outside = s.universe() & !s.unary(voc.get(name).slot).may;
    let inside = (s.universe() & !outside).count_ones() as usize;
    let mut cut = s.clone();
    if outside == 0 {
        cut.add_individual(voc)?;
    } else {
        let mut class = vec![inside; s.size()];
        for (i, node) in lanes_of(s.universe() & !outside).enumerate() {
            if let Some(class) = class.get_mut(node) {
                *class = i;
            }
        }
        cut = merge(s, &class, inside + 1);
    }
    // Between actions these hold nowhere.
    let kept = |id: PredId| Some(id) == context.is_new || Some(id) == context.instance;
    for id in voc.ids().filter(|id| !kept(*id)) {
        let p = voc.get(id);
        match p.arity {
            1 => {
                let mut lanes = cut.unary(p.slot);
                lanes.set(inside, if id == name { Kleene::False } else { Kleene::Unknown });
                cut.set_unary(p.slot, lanes);
            }
            2 => {
                for u in 0..=inside {
                    let mut row = cut.row(p.slot, u);
                    (0..=inside)
                        .filter(|v| u == inside || *v == inside)
                        .for_each(|v| row.set(v, Kleene::Unknown));
                    cut.set_row(p.slot, u, row);
                }
            }
            _ => {}
        }
    }
    cut.set_summary(inside, true);
    Some(cut)
}

/// The structures that a part stands for, sharpened: with and without individuals outside.
pub fn described(context: &Context<'_>, part: &Structure, name: PredId) -> Vec<Structure> {
    let outside = part.universe() & !part.unary(context.voc.get(name).slot).may;
    let mut cases = vec![part.clone()];
    if outside != 0 {
        cases.push(part.restrict(part.universe() & !outside));
    }
    cases.retain_mut(|s| context.coercion.apply(context.voc, s));
    cases
}

/// What structures of two parts describe together, sharpened; nothing if there are too many.
pub fn compose(context: &Context<'_>, left: &[Structure], right: &[Structure]) -> Option<Vec<Structure>> {
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    for a in left {
        for b in right {
            for mut s in meet_refining(a, b)? {
                if context.coercion.apply(context.voc, &mut s) && seen.insert(s.clone()) {
                    found.push(s);
                }
            }
            if found.len() > MAX_COMPOSED {
                return None;
            }
        }
    }
    Some(found)
}

/// The parts that an action composes: those whose definition has a predicate in common with what it names, else all.
fn composed(context: &Context<'_>, parts: &[PredId], action: &Action) -> Vec<usize> {
    let named = |id: PredId| action.composed.contains(&id);
    let chosen = |part: &PredId| match &context.voc.get(*part).meaning {
        Meaning::Instrumentation { definition, .. } => definition.mentions(&named),
        Meaning::Core => false,
    };
    let some: Vec<usize> = (0..parts.len()).filter(|&i| parts.get(i).is_some_and(chosen)).collect();
    if some.is_empty() { (0..parts.len()).collect() } else { some }
}

struct Engine<'a> {
    context: &'a Context<'a>,
    abstraction: &'a Abstraction,
    parts: &'a [PredId],
    /// For each location, the structures of each part.
    sets: Vec<Vec<StructureSet>>,
    position: Vec<usize>,
    /// By position: the location, and what is new there, with its part.
    queue: BTreeMap<usize, (usize, Vec<(usize, Structure)>)>,
    deadline: Option<Instant>,
    steps: usize,
    refinement: Duration,
}

impl Engine<'_> {
    fn stored(&self, location: usize, part: usize) -> Vec<Structure> {
        let set = self.sets.get(location).and_then(|sets| sets.get(part));
        set.into_iter().flat_map(StructureSet::iter).flat_map(|s| self.described(part, s)).collect()
    }

    fn described(&self, part: usize, s: &Structure) -> Vec<Structure> {
        self.parts.get(part).map(|name| described(self.context, s, *name)).unwrap_or_default()
    }

    fn insert(&mut self, location: usize, part: usize, s: &Structure) {
        let set = self.sets.get_mut(location).and_then(|sets| sets.get_mut(part));
        if let Some(new) = set.and_then(|set| set.insert(self.abstraction, Embedding::Strict, s)) {
            let at = self.position.get(location).copied().unwrap_or(location);
            self.queue.entry(at).or_insert((location, Vec::new())).1.push((part, new));
        }
    }

    /// Cuts a structure into the wanted parts.
    fn cut(&mut self, location: usize, s: &Structure, wanted: &[usize]) -> Option<()> {
        for &i in wanted {
            let part = part(self.context, s, *self.parts.get(i)?)?;
            self.insert(location, i, &part);
        }
        Some(())
    }

    /// The structures of some parts at a location put together, of which one is given.
    fn together(
        &self,
        location: usize,
        chosen: &[usize],
        given: Option<(usize, &Structure)>,
    ) -> Option<Vec<Structure>> {
        let mut all: Option<Vec<Structure>> = given.map(|(part, s)| self.described(part, s));
        for &i in chosen.iter().filter(|i| given.is_none_or(|(g, _)| g != **i)) {
            let more = self.stored(location, i);
            all = Some(match all {
                None => more,
                Some(all) => compose(self.context, &all, &more)?,
            });
        }
        Some(all.unwrap_or_default())
    }

    /// Applies an action to structures and keeps the wanted parts of the results.
    fn act(&mut self, edge: &Edge, structures: &[Structure], wanted: &[usize]) -> Option<()> {
        for s in structures {
            if self.deadline.is_some_and(|d| Instant::now() > d) {
                return None;
            }
            let effect = self.context.apply(&edge.action, s);
            self.steps += 1;
            self.refinement += effect.refinement;
            if effect.incomplete.is_some() || effect.refuted.is_some() || !effect.messages.is_empty() {
                return None;
            }
            for result in effect.structures {
                self.cut(edge.to, &result, wanted)?;
            }
        }
        Some(())
    }

    /// Follows an edge from a new structure of a part.
    fn follow(&mut self, edge: &Edge, chosen: &[usize], new: (usize, &Structure)) -> Option<()> {
        let (given, s) = new;
        if !chosen.contains(&given) {
            let others = self.together(edge.from, chosen, None)?;
            let all = compose(self.context, &others, &self.described(given, s))?;
            return self.act(edge, &all, &[given]);
        }
        let all = self.together(edge.from, chosen, Some(new))?;
        self.act(edge, &all, chosen)?;
        for other in (0..self.parts.len()).filter(|i| !chosen.contains(i)) {
            let wider = compose(self.context, &all, &self.stored(edge.from, other))?;
            self.act(edge, &wider, &[other])?;
        }
        Some(())
    }
}

/// Solves with structures in parts; nothing unless that proves that there are no messages.
pub fn solve(
    context: &Context<'_>,
    abstraction: &Abstraction,
    graph: &Graph,
    initial: &[Structure],
    options: &Options,
) -> Option<Solution> {
    let voc = context.voc;
    let parts = &graph.parts[..];
    if parts.is_empty()
        || voc.ids().any(|id| voc.get(id).arity > 2)
        || initial.iter().any(|s| s.optional() != 0)
    {
        return None;
    }
    let started = Instant::now();
    let ends: Vec<(usize, usize)> = graph.edges.iter().map(|e| (e.from, e.to)).collect();
    let mut engine = Engine {
        context,
        abstraction,
        parts,
        sets: vec![vec![StructureSet::new(options.join); parts.len()]; graph.locations.len()],
        position: priorities(graph.locations.len(), graph.entry, &ends),
        queue: BTreeMap::new(),
        // Half of the time is left for whole structures.
        deadline: options.max_time.and_then(|limit| started.checked_add(limit / 2)),
        steps: 0,
        refinement: Duration::ZERO,
    };
    let all: Vec<usize> = (0..parts.len()).collect();
    for s in initial {
        let mut s = s.clone();
        context.coercion.check(voc, &mut s).ok()?;
        engine.cut(graph.entry, &s, &all)?;
    }
    let chosen: Vec<Vec<usize>> = graph.edges.iter().map(|e| composed(context, parts, &e.action)).collect();
    while let Some((_, (location, batch))) = engine.queue.pop_first() {
        for (given, s) in batch {
            // It may have been merged with another one since.
            let kept = engine.sets.get(location).and_then(|sets| sets.get(given));
            if !kept.is_some_and(|set| set.iter().any(|k| *k == s)) {
                continue;
            }
            for (edge, chosen) in graph.edges.iter().zip(&chosen).filter(|(e, _)| e.from == location) {
                engine.follow(edge, chosen, (given, &s))?;
            }
            let stored: usize = engine.sets.iter().flatten().map(StructureSet::len).sum();
            if stored > options.max_structures {
                return None;
            }
        }
    }
    // The structures of all parts side by side.
    let mut sets = vec![StructureSet::new(Join::Relational); graph.locations.len()];
    for (all, parts) in sets.iter_mut().zip(&engine.sets) {
        for s in parts.iter().flat_map(StructureSet::iter) {
            all.insert(abstraction, Embedding::Strict, s);
        }
    }
    Some(Solution {
        embedding: Embedding::Strict,
        parts: parts.len(),
        sets,
        messages: Vec::new(),
        outcome: Outcome::Fixpoint,
        refuted: None,
        inconsistent: Vec::new(),
        steps: engine.steps,
        refinement: engine.refinement,
    })
}
