//! The powerset domain: finite sets of bounded structures (Arnold §2.2–2.3, survey §4.3.3).
//!
//! Three ways to keep a set small: up to isomorphism only (*relational*), only maximal structures of the
//! embedding order (Arnold Def. 4), or merging structures with equal canonical names (*partial*). With loose
//! embedding the partial join also drops what is embedded in another: a structure without a summary in one with it.
//! **Invariant:** every stored structure is bounded and sorted by canonical name, so equality is
//! isomorphism.

use crate::canonical::{Abstraction, CanonicalName};
use crate::embedding::{Outline, embeds};
use crate::kleene::Lanes;
use crate::structure::Structure;
use crate::wide::Wide;
use rustc_hash::{FxHashMap, FxHashSet};

/// How sets of structures are kept small.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Join {
    /// All structures up to isomorphism (TVLA's `rel`).
    Relational,
    /// Only those not embedded in another.
    Maximal,
    /// Structures with the same canonical names and nullary values are merged (TVLA's `part`).
    Partial,
}

/// Whether summaries may stand for no individual at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Embedding {
    /// Arnold Def. 3.
    Strict,
    /// Arnold Def. 5: every summary of a stored structure is optional.
    Loose,
}

type PartialKey = (Vec<Lanes>, Vec<CanonicalName>);

/// A stored structure, and what finds it quickly.
#[derive(Clone, Debug)]
struct Stored {
    structure: Structure,
    outline: Outline,
    key: Option<PartialKey>,
}

/// A set of bounded structures at one program location.
#[derive(Clone, Debug)]
pub struct StructureSet {
    join: Join,
    stored: Vec<Stored>,
    seen: FxHashSet<Structure>,
    keys: FxHashMap<PartialKey, usize>,
}

impl StructureSet {
    /// The empty set with this way of joining.
    pub fn new(join: Join) -> StructureSet {
        StructureSet { join, stored: Vec::new(), seen: FxHashSet::default(), keys: FxHashMap::default() }
    }

    /// The structures, in no meaningful order.
    pub fn iter(&self) -> impl Iterator<Item = &Structure> {
        self.stored.iter().map(|s| &s.structure)
    }

    /// Number of structures.
    pub fn len(&self) -> usize {
        self.stored.len()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.stored.is_empty()
    }

    /// Adds a structure after blurring it. Returns what has to be propagated: the structure now in the set
    /// that covers it, if that is new.
    pub fn insert(
        &mut self,
        abstraction: &Abstraction,
        embedding: Embedding,
        s: &Structure,
    ) -> Option<Structure> {
        let mut bounded = abstraction.blur(s);
        if embedding == Embedding::Loose {
            bounded.optional = bounded.summary;
        }
        if self.seen.contains(&bounded) {
            return None;
        }
        // What was seen once stays covered for good, so remembering it saves searches.
        self.seen.insert(bounded.clone());
        if self.join == Join::Relational {
            self.keep(Stored { outline: Outline::default(), structure: bounded.clone(), key: None });
            return Some(bounded);
        }
        let mut outline = Outline::of(&bounded);
        // Structures of other names are compared where a summary may be missing, or if only the maximal ones are kept.
        let compared = self.join == Join::Maximal || embedding == Embedding::Loose;
        if compared && self.stored.iter().any(|o| outline.fits(&o.outline) && embeds(&bounded, &o.structure))
        {
            return None;
        }
        let mut structure = bounded;
        let mut key = None;
        if self.join == Join::Partial {
            let mut names = abstraction.names(&structure);
            names.sort_unstable();
            let alike = (abstraction.nullary_key(&structure), names);
            if let Some(&at) = self.keys.get(&alike)
                && let Some(stored) = self.stored.get(at)
            {
                let merged = join_aligned(&stored.structure, &structure);
                if merged == stored.structure {
                    return None;
                }
                self.seen.insert(merged.clone());
                self.remove(at);
                outline = Outline::of(&merged);
                structure = merged;
            }
            key = Some(alike);
        }
        if compared {
            for at in (0..self.stored.len()).rev() {
                let covered = |o: &Stored| o.outline.fits(&outline) && embeds(&o.structure, &structure);
                if self.stored.get(at).is_some_and(covered) {
                    self.remove(at);
                }
            }
        }
        self.keep(Stored { outline, structure: structure.clone(), key });
        Some(structure)
    }

    fn keep(&mut self, stored: Stored) {
        if let Some(key) = &stored.key {
            self.keys.insert(key.clone(), self.stored.len());
        }
        self.stored.push(stored);
    }

    /// Takes a structure out; the last one moves to its place.
    fn remove(&mut self, at: usize) {
        let gone = self.stored.swap_remove(at);
        if let Some(key) = gone.key {
            self.keys.remove(&key);
        }
        if let Some(moved) = self.stored.get(at).and_then(|s| s.key.clone()) {
            self.keys.insert(moved, at);
        }
    }

    /// Whether every concrete structure that `s` describes is described by the set, as far as embedding
    /// can tell.
    pub fn covers(&self, s: &Structure) -> bool {
        self.stored.iter().any(|other| embeds(s, &other.structure))
    }

    /// Bytes held by the structures, for memory figures.
    pub fn bytes(&self) -> usize {
        self.stored.iter().map(|s| s.structure.bytes()).sum()
    }
}

/// Pointwise join of structures whose individuals carry the same canonical names in the same order.
pub fn join_aligned(a: &Structure, b: &Structure) -> Structure {
    let zip = |x: &[Lanes], y: &[Lanes]| x.iter().zip(y).map(|(l, r)| l.join(*r)).collect::<Vec<_>>();
    Structure {
        size: a.size,
        summary: a.summary | b.summary,
        optional: a.optional | b.optional,
        nullary: zip(&a.nullary, &b.nullary),
        unary: zip(&a.unary, &b.unary),
        binary: zip(&a.binary, &b.binary),
        wide: a
            .wide
            .iter()
            .zip(&b.wide)
            .map(|(x, y)| Wide { arity: x.arity, rows: zip(&x.rows, &y.rows) })
            .collect(),
    }
}
