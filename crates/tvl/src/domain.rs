//! The powerset domain: finite sets of bounded structures (Arnold §2.2–2.3, survey §4.3.3).
//!
//! Three ways to keep a set small: up to isomorphism only (*relational*), only maximal structures of the
//! embedding order (Arnold Def. 4), or merging structures with equal canonical names (*partial*).
//! **Invariant:** every stored structure is bounded and sorted by canonical name, so equality is
//! isomorphism.

use crate::canonical::{Abstraction, CanonicalName};
use crate::embedding::embeds;
use crate::kleene::Lanes;
use crate::structure::Structure;
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

/// A set of bounded structures at one program location.
#[derive(Clone, Debug)]
pub struct StructureSet {
    join: Join,
    structures: Vec<Structure>,
    seen: FxHashSet<Structure>,
    keys: FxHashMap<PartialKey, usize>,
}

impl StructureSet {
    /// The empty set with this way of joining.
    pub fn new(join: Join) -> StructureSet {
        StructureSet { join, structures: Vec::new(), seen: FxHashSet::default(), keys: FxHashMap::default() }
    }

    /// The structures, in no meaningful order.
    pub fn iter(&self) -> impl Iterator<Item = &Structure> {
        self.structures.iter()
    }

    /// Number of structures.
    pub fn len(&self) -> usize {
        self.structures.len()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.structures.is_empty()
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
        match self.join {
            Join::Relational => {}
            Join::Maximal => {
                // What was seen once stays covered for good, so remembering it saves searches.
                if self.structures.iter().any(|other| embeds(&bounded, other)) {
                    self.seen.insert(bounded);
                    return None;
                }
                self.structures.retain(|other| !embeds(other, &bounded));
            }
            Join::Partial => {
                let mut names = abstraction.names(&bounded);
                names.sort_unstable();
                let key = (abstraction.nullary_key(&bounded), names);
                if let Some(&at) = self.keys.get(&key) {
                    let merged = join_aligned(&self.structures[at], &bounded);
                    self.seen.insert(bounded);
                    if merged == self.structures[at] {
                        return None;
                    }
                    self.seen.insert(merged.clone());
                    self.structures[at] = merged.clone();
                    return Some(merged);
                }
                self.keys.insert(key, self.structures.len());
            }
        }
        self.seen.insert(bounded.clone());
        self.structures.push(bounded.clone());
        Some(bounded)
    }

    /// Whether every concrete structure that `s` describes is described by the set, as far as embedding
    /// can tell.
    pub fn covers(&self, s: &Structure) -> bool {
        self.structures.iter().any(|other| embeds(s, other))
    }

    /// Bytes held by the structures, for memory figures.
    pub fn bytes(&self) -> usize {
        self.structures.iter().map(Structure::bytes).sum()
    }
}

/// Pointwise join of structures whose individuals carry the same canonical names in the same order.
fn join_aligned(a: &Structure, b: &Structure) -> Structure {
    let zip = |x: &[Lanes], y: &[Lanes]| x.iter().zip(y).map(|(l, r)| l.join(*r)).collect::<Vec<_>>();
    Structure {
        size: a.size,
        summary: a.summary | b.summary,
        optional: a.optional | b.optional,
        nullary: zip(&a.nullary, &b.nullary),
        unary: zip(&a.unary, &b.unary),
        binary: zip(&a.binary, &b.binary),
    }
}
