//! Embedding of structures by matching (Arnold Def. 3 and Def. 5, §3.3.2).
//!
//! Phase one computes, bit-parallel over the unary predicates, which individuals of the target each
//! individual of the source may be mapped to. Phase two enumerates the maps depth-first, fewest choices
//! first. Phase three checks the binary predicates. On bounded structures phase one nearly always leaves
//! one choice, so the whole is polynomial there; a step budget keeps adversarial inputs in check, and
//! running out of it answers "not embedded", which is safe for a domain of maximal structures.
//!
//! Looseness is a property of the structures, not of the question: target individuals outside the range
//! must be *optional*, and binary values are then compared with the connections through them. With no
//! optional individuals this is strict embedding. Two cases that Def. 5's transitivity argument passes
//! over are closed here: an optional source individual that shares its image with another one, or whose
//! image is not optional, may vanish while the image stays, so the source's connections through it are
//! compared as possible direct edges.

use crate::kleene::{Lanes, lanes_of};
use crate::structure::Structure;

/// Steps of the enumeration after which the search gives up.
const STEP_BUDGET: usize = 20_000;

/// Which unary predicates hold somewhere: a quick test that rules out most embeddings.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// Predicates that are 1 for some individual, 64 a word.
    must: Vec<u64>,
    /// Predicates that are 1 for some individual which is not optional.
    certain: Vec<u64>,
    /// Predicates that are not 0 for some individual.
    may: Vec<u64>,
}

impl Outline {
    /// The outline of a structure.
    pub fn of(s: &Structure) -> Outline {
        let set = |holds: &dyn Fn(&Lanes) -> bool| {
            let word = |chunk: &[Lanes]| {
                chunk.iter().enumerate().fold(0u64, |w, (i, l)| w | u64::from(holds(l)) << i)
            };
            s.unary.chunks(64).map(word).collect()
        };
        Outline {
            must: set(&|l| l.must != 0),
            certain: set(&|l| l.must & !s.optional != 0),
            may: set(&|l| l.may != 0),
        }
    }

    /// Whether a structure with this outline may be embedded in one with the other: each individual has an image, and
    /// each that is not optional is one.
    pub fn fits(&self, into: &Outline) -> bool {
        let within = |a: &[u64], b: &[u64]| a.iter().zip(b).all(|(x, y)| x & !y == 0);
        within(&self.must, &into.may) && within(&into.certain, &self.must)
    }
}

/// Which individuals of `b` agree with each individual of `a` on unary predicates and equality.
fn candidates(a: &Structure, b: &Structure) -> Option<Vec<u64>> {
    let everything = b.universe();
    let mut choices = vec![everything; a.size];
    for (la, lb) in a.unary.iter().zip(&b.unary) {
        if la == lb && la.may == 0 {
            continue;
        }
        for (node, choice) in choices.iter_mut().enumerate() {
            let (must, may) = (la.must >> node & 1, la.may >> node & 1);
            *choice &= match (must, may) {
                (1, _) => lb.may,
                (_, 0) => !lb.must,
                _ => lb.may & !lb.must,
            };
        }
    }
    for (node, choice) in choices.iter_mut().enumerate() {
        if a.summary >> node & 1 == 1 {
            *choice &= b.summary;
        }
        if *choice == 0 {
            return None;
        }
    }
    Some(choices)
}

struct Search<'s> {
    a: &'s Structure,
    b: &'s Structure,
    order: Vec<usize>,
    choices: Vec<u64>,
    image: Vec<usize>,
    steps: usize,
}

impl Search<'_> {
    fn run(&mut self, depth: usize, used: u64) -> bool {
        self.steps += 1;
        if self.steps > STEP_BUDGET {
            return false;
        }
        let Some(&node) = self.order.get(depth) else { return self.check() };
        // An image taken already can be shared only if it is a summary.
        let open = self.choices[node] & !(used & !self.b.summary);
        for target in lanes_of(open) {
            self.image[node] = target;
            if self.run(depth + 1, used | 1 << target) {
                return true;
            }
        }
        false
    }

    fn check(&self) -> bool {
        let (a, b) = (self.a, self.b);
        let (mut range, mut shared, mut certain) = (0u64, 0u64, 0u64);
        for (node, &target) in self.image.iter().enumerate() {
            let bit = 1u64 << target;
            shared |= range & bit;
            range |= bit;
            if a.optional >> node & 1 == 0 {
                certain |= bit;
            }
        }
        if b.universe() & !b.optional & !certain != 0 {
            return false;
        }
        let absent = b.universe() & !range;
        let vanishing = lanes_of(a.optional)
            .filter(|&u| (shared | !b.optional) >> self.image[u] & 1 == 1)
            .fold(0u64, |acc, u| acc | 1 << u);
        let bridged;
        let a = if vanishing == 0 {
            a
        } else {
            let mut copy = a.clone();
            copy.bridge_possible(vanishing);
            bridged = copy;
            &bridged
        };
        if a.size == 0 {
            return true;
        }
        // Connections through optional individuals exist for binary predicates only.
        let wide = a.wide.iter().zip(&b.wide).all(|(x, y)| {
            let seen = y.relayout(b.size, a.size, &|u| self.image.get(u).copied(), &|l| {
                let mut lanes = Lanes::FALSE;
                for (v, &t) in self.image.iter().enumerate() {
                    lanes.must |= (l.must >> t & 1) << v;
                    lanes.may |= (l.may >> t & 1) << v;
                }
                lanes
            });
            x.rows.iter().zip(&seen.rows).all(|(x, y)| x.below(*y) & a.universe() == a.universe())
        });
        if !wide {
            return false;
        }
        let preds = a.binary.len() / a.size;
        let mut rows: Vec<Lanes> = Vec::with_capacity(b.size);
        (0..preds).all(|slot| {
            rows.clear();
            rows.extend_from_slice(&b.binary[slot * b.size..(slot + 1) * b.size]);
            for via in lanes_of(absent) {
                let through = rows[via];
                for row in &mut rows {
                    if row.must >> via & 1 == 1 {
                        row.must |= through.must;
                    }
                    if row.may >> via & 1 == 1 {
                        row.may |= through.may;
                    }
                }
            }
            (0..a.size).all(|u| {
                let (row, target) = (a.binary[slot * a.size + u], rows[self.image[u]]);
                if row == Lanes::FALSE && target.must == 0 {
                    return true;
                }
                // The target row as the source's individuals see it.
                let mut seen = Lanes::FALSE;
                for (v, &t) in self.image.iter().enumerate() {
                    seen.must |= (target.must >> t & 1) << v;
                    seen.may |= (target.may >> t & 1) << v;
                }
                row.below(seen) & a.universe() == a.universe()
            })
        })
    }
}

/// A map that embeds `a` in `b` (loosely if `b` has optional individuals), if one is found.
pub fn embed(a: &Structure, b: &Structure) -> Option<Vec<usize>> {
    if a.nullary.iter().zip(&b.nullary).any(|(x, y)| x.below(*y) != u64::MAX) {
        return None;
    }
    let certain = (b.universe() & !b.optional).count_ones() as usize;
    if certain > a.size || (a.size > 0 && b.size == 0) {
        return None;
    }
    let choices = candidates(a, b)?;
    let mut order: Vec<usize> = (0..a.size).collect();
    order.sort_by_key(|&u| choices[u].count_ones());
    let mut search = Search { a, b, order, choices, image: vec![0; a.size], steps: 0 };
    if search.run(0, 0) { Some(search.image) } else { None }
}

/// Whether `a` is embedded in `b`.
pub fn embeds(a: &Structure, b: &Structure) -> bool {
    embed(a, b).is_some()
}
