//! Silhouettes by number, with what was found out about pairs of them. Few differ in an analysis, while disjuncts are
//! compared with each other all the time.
//!
//! Cost: one look into a hash table for a pair that was compared before.

use super::Silhouette;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// A silhouette of a table of [`KnownSilhouettes`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SilhouetteId(u32);

/// The silhouettes of an analysis.
#[derive(Default)]
pub struct KnownSilhouettes {
    all: IndexSet<Silhouette, FxBuildHasher>,
    generalised: FxHashMap<SilhouetteId, SilhouetteId>,
    without_null: FxHashMap<SilhouetteId, SilhouetteId>,
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

impl KnownSilhouettes {
    /// The number of a silhouette.
    pub fn id(&mut self, silhouette: Silhouette) -> SilhouetteId {
        SilhouetteId(u32::try_from(self.all.insert_full(silhouette).0).unwrap_or(u32::MAX))
    }

    /// The silhouette with a number of this table.
    pub fn get(&self, id: SilhouetteId) -> Option<&Silhouette> {
        self.all.get_index(id.0 as usize)
    }

    /// [`Silhouette::generalised`].
    pub fn generalised(&mut self, id: SilhouetteId) -> SilhouetteId {
        if let Some(known) = self.generalised.get(&id) {
            return *known;
        }
        let found = self.get(id).map(Silhouette::generalised).map_or(id, |s| self.id(s));
        self.generalised.insert(id, found);
        found
    }

    /// [`Silhouette::without_null`].
    pub fn without_null(&mut self, id: SilhouetteId) -> SilhouetteId {
        if let Some(known) = self.without_null.get(&id) {
            return *known;
        }
        let found = self.get(id).map(Silhouette::without_null).map_or(id, |s| self.id(s));
        self.without_null.insert(id, found);
        found
    }

    /// Whether two silhouettes are related.
    pub fn are(&mut self, relation: Relation, a: SilhouetteId, b: SilhouetteId) -> bool {
        if let Some(known) = self.relations.get(&(relation, a, b)) {
            return *known;
        }
        let Some((first, second)) = self.get(a).zip(self.get(b)) else { return true };
        let related = match relation {
            Relation::MayEntail => first.cut_short || second.cut_short || first.entails(second),
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
