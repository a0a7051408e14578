//! Canonical abstraction (blur): individuals with equal values of the abstraction predicates are merged.
//!
//! A canonical name is the tuple of an individual's values of the unary abstraction predicates (survey
//! Def. 4.5), 1/2 counting as a value of its own. Results are *bounded* (Def. 4.6) and their individuals
//! are sorted by canonical name, so two isomorphic results are equal as Rust values and can be hashed.
//! Cost: O(individuals × predicates) and a sort.

use crate::kleene::{Lanes, lanes_of};
use crate::structure::Structure;
use crate::vocabulary::Vocabulary;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// An individual's values of the unary abstraction predicates, in slot order, 64 a word pair.
pub type CanonicalName = Vec<Lanes>;

/// Which unary slots take part in canonical names; computed once per vocabulary.
#[derive(Clone, Debug)]
pub struct Abstraction {
    slots: Vec<usize>,
    nullary: Vec<Lanes>,
}

impl Abstraction {
    /// The abstraction by all predicates marked so.
    pub fn of(voc: &Vocabulary) -> Abstraction {
        let marked = |arity: usize| {
            voc.of_arity(arity).iter().map(|&p| voc.get(p)).filter(|p| p.abstraction).map(|p| p.slot)
        };
        let mut nullary = vec![Lanes::FALSE; voc.of_arity(0).len().div_ceil(64)];
        for slot in marked(0) {
            nullary[slot / 64].set(slot % 64, true.into());
        }
        Abstraction { slots: marked(1).collect(), nullary }
    }

    /// The canonical names of all individuals.
    pub fn names(&self, s: &Structure) -> Vec<CanonicalName> {
        let words = self.slots.len().div_ceil(64);
        let mut names = vec![vec![Lanes::FALSE; words]; s.size];
        for (i, &slot) in self.slots.iter().enumerate() {
            let lanes = s.unary[slot];
            let (word, bit) = (i / 64, 1u64 << (i % 64));
            for node in lanes_of(lanes.must) {
                names[node][word].must |= bit;
            }
            for node in lanes_of(lanes.may) {
                names[node][word].may |= bit;
            }
        }
        names
    }

    /// A number that is the same for all strict structures that may be embedded in each other: what canonical names there
    /// are. There is none if a name has an indefinite part.
    pub fn signature(&self, s: &Structure) -> Option<u64> {
        if s.optional != 0 || self.slots.iter().any(|&slot| s.unary[slot].unknown() != 0) {
            return None;
        }
        let mut names = self.names(s);
        names.sort_unstable();
        names.dedup();
        Some(FxBuildHasher.hash_one(names))
    }

    /// The values of the nullary abstraction predicates, for the partial join's key.
    pub fn nullary_key(&self, s: &Structure) -> Vec<Lanes> {
        s.nullary.iter().zip(&self.nullary).map(|(v, m)| v.and(*m)).collect()
    }

    /// Whether no two individuals share a canonical name.
    pub fn is_bounded(&self, s: &Structure) -> bool {
        let mut names = self.names(s);
        names.sort_unstable();
        names.windows(2).all(|w| w[0] != w[1])
    }

    /// Merges individuals of equal canonical name and sorts the rest by name.
    pub fn blur(&self, s: &Structure) -> Structure {
        let names = self.names(s);
        let mut order: Vec<usize> = (0..s.size).collect();
        order.sort_by(|&a, &b| names[a].cmp(&names[b]));
        // Class of each old individual; classes numbered in name order.
        let mut class = vec![0usize; s.size];
        let mut classes = 0usize;
        for (i, &node) in order.iter().enumerate() {
            if i > 0 && names[order[i - 1]] != names[node] {
                classes += 1;
            }
            class[node] = classes;
        }
        let size = if s.size == 0 { 0 } else { classes + 1 };
        if size == s.size && class.iter().enumerate().all(|(i, &c)| i == c) {
            return s.clone();
        }
        if s.optional == 0 || size == s.size {
            return merge(s, &class, size);
        }
        // A merged optional individual no longer vanishes on its own, so the connections that stand in
        // for it in that case must be kept as possible direct edges.
        let shared = lanes_of(s.optional)
            .filter(|&u| class.iter().filter(|&&c| c == class[u]).count() > 1)
            .fold(0u64, |acc, u| acc | 1 << u);
        let mut bridged = s.clone();
        bridged.bridge_possible(shared);
        merge(&bridged, &class, size)
    }
}

/// The image of `s` under a surjective map of individuals, values joined (survey §4.3.3).
pub fn merge(s: &Structure, class: &[usize], size: usize) -> Structure {
    let mut members = vec![0u64; size];
    for (node, &c) in class.iter().enumerate() {
        members[c] |= 1 << node;
    }
    let fold = |l: Lanes| {
        let mut out = Lanes::FALSE;
        for (c, &m) in members.iter().enumerate() {
            out.must |= u64::from(l.must & m == m) << c;
            out.may |= u64::from(l.may & m != 0) << c;
        }
        out
    };
    let mut out = Structure {
        size,
        summary: 0,
        optional: 0,
        nullary: s.nullary.clone(),
        unary: s.unary.iter().map(|&l| fold(l)).collect(),
        binary: Vec::new(),
        wide: s.wide.iter().map(|w| crate::wide::merged(w, s.size, &members, &fold)).collect(),
    };
    for (c, &m) in members.iter().enumerate() {
        out.summary |= u64::from(m.count_ones() > 1 || s.summary & m != 0) << c;
        // A merged individual is certain to exist if one of its members is.
        out.optional |= u64::from(m & !s.optional == 0) << c;
    }
    let preds = s.binary.len().checked_div(s.size).unwrap_or(0);
    out.binary.reserve(preds * size);
    for slot in 0..preds {
        for &m in &members {
            let mut row: Option<Lanes> = None;
            for node in lanes_of(m) {
                let l = s.binary[slot * s.size + node];
                row = Some(row.map_or(l, |r| r.join(l)));
            }
            out.binary.push(fold(row.unwrap_or_default()));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kleene::Kleene;
    use crate::vocabulary::Meaning;

    #[test]
    fn a_list_of_any_length_has_one_bounded_form() {
        let mut voc = Vocabulary::new();
        let x = voc.declare("x", 1, Meaning::Core).unwrap();
        let n = voc.declare("n", 2, Meaning::Core).unwrap();
        let abs = Abstraction::of(&voc);
        let list = |len: usize| {
            let mut s = Structure::with_size(&voc, len).unwrap();
            s.set_value(&voc, x, &[0], Kleene::True);
            for i in 1..len {
                s.set_value(&voc, n, &[i - 1, i], Kleene::True);
            }
            s
        };
        let three = abs.blur(&list(3));
        assert_eq!(three, abs.blur(&list(7)));
        assert!(abs.is_bounded(&three) && !abs.is_bounded(&list(3)));
        assert_eq!((three.size(), three.summaries()), (2, 0b01));
        assert_eq!(three.value(&voc, n, &[1, 0]), Kleene::Unknown);
        assert_eq!(abs.blur(&list(2)).summaries(), 0);
    }
}
