//! What is asked when everything is placed: whether every block is described, if that matters, and whether a symbol with a points-to
//! set is the address of one of its places. Which blocks a region has is known when all summaries are
//! followed: each has noted its blocks on the way.

use super::{Claim, Class, ConcreteMemory, Search, low};
use crate::state::PointsTo;
use crate::value::{Sym, Val};

impl<M: ConcreteMemory> Search<'_, M> {
    /// A symbol that is known to be somewhere else than where it may lead. One that nothing determines may be anything.
    pub(super) fn elsewhere(&self) -> Option<Sym> {
        let bits = self.memory.pointer_bits();
        let address = |s: Sym| self.value(Val::sym(s)).map(|k| low(k.value, bits));
        let is_region = |place: Sym| self.state.summaries().any(|t| t.region == Some(place));
        let leads = |at: i128, place: Sym| match is_region(place) {
            true => self.regions.iter().any(|(r, base)| *r == place && i128::from(*base) == at),
            false => address(place).is_none_or(|object| object == at),
        };
        let is_none = |(s, to): &(&Sym, &PointsTo)| {
            let Some(at) = address(**s) else { return false };
            !(to.null && at == 0 || to.places.iter().any(|place| leads(at, *place)))
        };
        self.state.points_to.iter().find(is_none).map(|(s, _)| *s)
    }

    /// A heap block that nothing describes, if that matters.
    pub(super) fn unclaimed(&self) -> Option<u64> {
        if self.claim == Claim::Part {
            return None;
        }
        let blocks = self.memory.blocks().iter().zip(&self.claimed);
        blocks.into_iter().find(|(b, claimed)| b.class == Class::Heap && !**claimed).map(|(b, _)| b.base)
    }
}
