//! Silhouettes by number, with what was found out about pairs of them. Few differ in an analysis, while disjuncts are
//! translated and compared with each other all the time.
//!
//! Cost: one look into a hash table for a pair that was compared before, and for a state whose graph was translated
//! before.

use super::Silhouette;
use super::translate::{Graph, Translator};
use crate::pred::PredTable;
use crate::state::State;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// A silhouette of a table of [`KnownSilhouettes`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SilhouetteId(u32);

/// The silhouettes of an analysis.
#[derive(Default)]
pub struct KnownSilhouettes {
    all: IndexSet<Silhouette, FxBuildHasher>,
    translator: Translator,
    translated: FxHashMap<Graph, SilhouetteId>,
    /// By number, once they are asked for.
    generalised: Vec<Option<SilhouetteId>>,
    without_null: Vec<Option<SilhouetteId>>,
    relations: FxHashMap<(Relation, SilhouetteId, SilhouetteId), bool>,
}

/// How two silhouettes may be related.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// [`Silhouette::entails`], or one of the two was cut short.
    MayEntail,
    /// [`Silhouette::associated`].
    Associated,
    /// [`Silhouette::takes_in`].
    TakesIn,
}

/// Relations that are remembered; beyond that all are forgotten, and found out again where they are needed.
const MOST_RELATIONS: usize = 1 << 18;
/// Graphs whose silhouettes are remembered; beyond that all are forgotten.
const MOST_TRANSLATIONS: usize = 1 << 14;

impl KnownSilhouettes {
    /// The number of a silhouette.
    pub fn id(&mut self, silhouette: Silhouette) -> SilhouetteId {
        number(self.all.insert_full(silhouette).0)
    }

    /// The silhouette with a number of this table.
    pub fn get(&self, id: SilhouetteId) -> Option<&Silhouette> {
        self.all.get_index(id.0 as usize)
    }

    /// [`Silhouette::with_null`] for all roots of a state.
    pub fn of(&mut self, state: &State, preds: &PredTable) -> SilhouetteId {
        self.translator.read(state, preds, |_| true, true);
        if let Some(known) = self.translated.get(&self.translator.graph) {
            return *known;
        }
        self.translator.translate();
        let id = match self.all.get_index_of(&self.translator.silhouette) {
            Some(index) => number(index),
            None => self.id(self.translator.silhouette.clone()),
        };
        if self.translated.len() >= MOST_TRANSLATIONS {
            self.translated.clear();
        }
        self.translated.insert(self.translator.graph.clone(), id);
        id
    }

    /// [`Silhouette::generalised`].
    pub fn generalised(&mut self, id: SilhouetteId) -> SilhouetteId {
        if let Some(known) = remembered(&self.generalised, id) {
            return known;
        }
        let found = self.get(id).map(Silhouette::generalised).map_or(id, |s| self.id(s));
        remember(&mut self.generalised, id, found);
        found
    }

    /// [`Silhouette::without_null`].
    pub fn without_null(&mut self, id: SilhouetteId) -> SilhouetteId {
        if let Some(known) = remembered(&self.without_null, id) {
            return known;
        }
        let has_null = |s: &&Silhouette| !s.nulls.is_empty();
        let found = self.get(id).filter(has_null).map(Silhouette::without_null).map_or(id, |s| self.id(s));
        remember(&mut self.without_null, id, found);
        found
    }

    /// Whether two silhouettes are related.
    pub fn are(&mut self, relation: Relation, a: SilhouetteId, b: SilhouetteId) -> bool {
        // Every silhouette is related to itself.
        if a == b {
            return true;
        }
        let Some((first, second)) = self.get(a).zip(self.get(b)) else { return true };
        let cut_short = first.cut_short || second.cut_short;
        if relation == Relation::MayEntail && (cut_short || first.lacks_ways_of(second)) {
            return cut_short;
        }
        if let Some(known) = self.relations.get(&(relation, a, b)) {
            return *known;
        }
        let related = match relation {
            Relation::MayEntail => first.entails(second),
            Relation::Associated => first.associated(second),
            Relation::TakesIn => first.takes_in(second),
        };
        if self.relations.len() >= MOST_RELATIONS {
            self.relations.clear();
        }
        self.relations.insert((relation, a, b), related);
        related
    }
}

fn number(index: usize) -> SilhouetteId {
    SilhouetteId(u32::try_from(index).unwrap_or(u32::MAX))
}

fn remembered(list: &[Option<SilhouetteId>], id: SilhouetteId) -> Option<SilhouetteId> {
    list.get(id.0 as usize).copied().flatten()
}

fn remember(list: &mut Vec<Option<SilhouetteId>>, id: SilhouetteId, found: SilhouetteId) {
    let at = id.0 as usize;
    if list.len() <= at {
        list.resize(at + 1, None);
    }
    if let Some(slot) = list.get_mut(at) {
        *slot = Some(found);
    }
}
