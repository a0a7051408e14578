//! Meet of two structures: what both describe (Arnold §3.3.2, §4).
//!
//! The result is the set of structures over *correspondence relations*: an individual of the result is
//! a pair of one individual from each operand. Individuals that are no summaries take part in exactly one
//! pair; summaries in at least one, unless they are optional. Predicate values are met pointwise and a
//! correspondence with a contradiction is dropped.
//!
//! [`meet`] first decides for every optional summary of either operand whether it exists, which makes it
//! exact. [`meet_refining`] is for prepared structures: it keeps an optional summary of the state paired
//! with an optional one of the prepared structure instead of enumerating its absence. **Precondition**
//! there: the prepared structure cuts no edge at an optional summary of the state (callers decide with
//! [`Structure::cases`] which of those exist).
//! Cost: exponential in the summaries that have several partners; prepared structures have at most one.

use crate::kleene::{Lanes, lanes_of};
use crate::structure::{MAX_INDIVIDUALS, Structure};
use crate::wide::Wide;

/// Correspondences after which the enumeration stops; the caller then gets `None`.
const MAX_RESULTS: usize = 4096;

struct Meet<'s> {
    a: &'s Structure,
    b: &'s Structure,
    partners: Vec<u64>,
    chosen: Vec<u64>,
    results: Vec<Structure>,
    overflow: bool,
}

/// All structures of the meet of `a` and `b`, or nothing if there are too many to enumerate.
pub fn meet(a: &Structure, b: &Structure) -> Option<Vec<Structure>> {
    if a.optional.count_ones() + b.optional.count_ones() > 12 {
        return None;
    }
    let mut results = Vec::new();
    let right = b.cases(b.optional);
    for left in a.cases(a.optional) {
        for r in &right {
            results.extend(meet_refining(&left, r)?);
        }
    }
    Some(results)
}

/// The meet of a state with a prepared structure; see the module page for the precondition.
pub fn meet_refining(a: &Structure, b: &Structure) -> Option<Vec<Structure>> {
    if a.nullary.iter().zip(&b.nullary).any(|(x, y)| x.conflicts(*y) != 0) {
        return Some(Vec::new());
    }
    let mut partners = vec![b.universe(); a.size];
    for (la, lb) in a.unary.iter().zip(&b.unary) {
        for (node, partner) in partners.iter_mut().enumerate() {
            if la.must >> node & 1 == 1 {
                *partner &= lb.may;
            } else if la.may >> node & 1 == 0 {
                *partner &= !lb.must;
            }
        }
    }
    let mut m = Meet { a, b, partners, chosen: vec![0; a.size], results: Vec::new(), overflow: false };
    m.enumerate(0, 0);
    (!m.overflow).then_some(m.results)
}

impl Meet<'_> {
    fn enumerate(&mut self, node: usize, used: u64) {
        if self.overflow {
            return;
        }
        if node == self.a.size {
            if self.b.universe() & !self.b.optional & !used == 0
                && let Some(s) = self.build()
            {
                if self.results.len() >= MAX_RESULTS {
                    self.overflow = true;
                    return;
                }
                self.results.push(s);
            }
            return;
        }
        let free = self.partners[node] & !(used & !self.b.summary);
        if self.a.summary >> node & 1 == 0 {
            for partner in lanes_of(free) {
                self.chosen[node] = 1 << partner;
                self.enumerate(node + 1, used | 1 << partner);
            }
            return;
        }
        let optional = self.a.optional >> node & 1 == 1;
        // Pairs of two optional summaries are always kept.
        let fixed = if optional { free & self.b.optional } else { 0 };
        let open = free & !fixed;
        let mut subset = 0u64;
        loop {
            let chosen = subset | fixed;
            if chosen != 0 || optional {
                self.chosen[node] = chosen;
                self.enumerate(node + 1, used | chosen);
            }
            subset = subset.wrapping_sub(open) & open;
            if subset == 0 {
                return;
            }
        }
    }

    fn build(&self) -> Option<Structure> {
        let absent = (0..self.a.size).filter(|&u| self.chosen[u] == 0).fold(0u64, |acc, u| acc | 1 << u);
        let bridged;
        let a = if absent == 0 {
            self.a
        } else {
            let mut copy = self.a.clone();
            copy.bridge(absent);
            bridged = copy;
            &bridged
        };
        let b = self.b;
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        for (node, &chosen) in self.chosen.iter().enumerate() {
            pairs.extend(lanes_of(chosen).map(|partner| (node, partner)));
        }
        if pairs.len() > MAX_INDIVIDUALS {
            return None;
        }
        // Where the individuals of each operand are in the result.
        let (mut from_a, mut from_b) = (vec![0u64; a.size], vec![0u64; b.size]);
        for (i, &(u, v)) in pairs.iter().enumerate() {
            from_a[u] |= 1 << i;
            from_b[v] |= 1 << i;
        }
        let left = |l: Lanes| spread(l, &from_a);
        let right = |l: Lanes| spread(l, &from_b);
        let mut s = Structure {
            size: pairs.len(),
            summary: left(Lanes::definite(a.summary)).must & right(Lanes::definite(b.summary)).must,
            optional: left(Lanes::definite(a.optional)).must & right(Lanes::definite(b.optional)).must,
            nullary: a.nullary.iter().zip(&b.nullary).map(|(x, y)| x.meet(*y)).collect(),
            unary: Vec::with_capacity(a.unary.len()),
            binary: Vec::with_capacity(a.binary.len()),
            wide: Vec::new(),
        };
        for (la, lb) in a.unary.iter().zip(&b.unary) {
            s.unary.push(left(*la).meet(right(*lb)));
        }
        let preds = a.binary.len().checked_div(a.size).unwrap_or(0);
        for slot in 0..preds {
            for &(u, v) in &pairs {
                let la = left(a.row(slot, u));
                let lb = right(b.row(slot, v));
                if la.conflicts(lb) != 0 {
                    return None;
                }
                s.binary.push(la.meet(lb));
            }
        }
        for (wa, wb) in a.wide.iter().zip(&b.wide) {
            let from_a = wa.relayout(a.size, pairs.len(), &|i| Some(pairs[i].0), &left);
            let from_b = wb.relayout(b.size, pairs.len(), &|i| Some(pairs[i].1), &right);
            if from_a.rows.iter().zip(&from_b.rows).any(|(x, y)| x.conflicts(*y) != 0) {
                return None;
            }
            let rows = from_a.rows.iter().zip(&from_b.rows).map(|(x, y)| x.meet(*y)).collect();
            s.wide.push(Wide { arity: wa.arity, rows });
        }
        Some(s)
    }
}

/// Lanes over the individuals of an operand, over those of the result. Most lanes are sparse.
fn spread(l: Lanes, places: &[u64]) -> Lanes {
    let word =
        |w: u64| lanes_of(w).fold(0u64, |all, node| all | places.get(node).copied().unwrap_or_default());
    if l.must == l.may {
        return Lanes::definite(word(l.must));
    }
    Lanes { must: word(l.must), may: word(l.may) }
}
