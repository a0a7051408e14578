//! Cells that a callee sees, apart from cells like them that it does not see.
//!
//! Canonical abstraction puts both children of a tree's node into one summary, so that a callee which is given one of them would
//! be handed everything. Before a call each individual that is reached for some of its cells only is therefore split: into the
//! cells that the arguments and globals lead to, and the others (survey §5.3; a focus on the reachability that makes a local heap).
//! No edge goes from the first to the second, by what reachability is. And a cell which is reached, other than by a variable, has
//! an edge from a cell that is reached; if no cell has two edges into it (`in2`), then no edge comes from the others.
//!
//! **Law:** a strict structure describes what its cases describe together. Cost: exponential in the individuals that are split, of which there
//! are at most [`MOST`].

use crate::kleene::{Kleene, lanes_of};
use crate::local_heap::{Roles, reached};
use crate::schema::{HeapSlots, Schema};
use crate::structure::Structure;

/// More individuals than these are not split.
const MOST: u32 = 4;

/// The cases of a strict structure in which it is known of each individual whether a call sees it.
pub fn apart(schema: &Schema, roles: &Roles, s: &Structure) -> Vec<Structure> {
    let roots = roles.handed.iter().chain(&roles.shared).fold(0, |all, &v| all | s.unary(schema.var(v)).may);
    let seen = reached(schema, s, roots);
    let Some(heap) = schema.heap() else { return vec![s.clone()] };
    let inside = certainly(schema, heap, s, roots, seen);
    let doubtful = seen & !inside;
    let outside = s.universe() & !seen;
    // Where the rest does not lead there, it makes no difference.
    let entered = |u: usize| schema.fields().any(|f| s.column(schema.field(f), u).may & outside != 0);
    if doubtful.count_ones() > MOST || !lanes_of(doubtful & s.summaries()).any(entered) {
        return vec![s.clone()];
    }
    let mut cases = vec![(s.clone(), inside)];
    for u in lanes_of(doubtful) {
        let mut next = Vec::new();
        for (case, inside) in cases {
            if s.summaries() >> u & 1 == 1 {
                let mut both = case.clone();
                match both.duplicate(&schema.vocabulary, u) {
                    Some(_) => next.push((both, inside | 1 << u)),
                    None => return vec![s.clone()],
                }
            }
            next.push((case.clone(), inside | 1 << u));
            next.push((case, inside));
        }
        cases = next;
    }
    cases.into_iter().filter_map(|(case, inside)| cut(schema, heap, case, roots, inside)).collect()
}

/// Individuals of which all cells are reached from the roots.
fn certainly(schema: &Schema, heap: HeapSlots, s: &Structure, roots: u64, seen: u64) -> u64 {
    let mut found = roots;
    loop {
        let follows = |u: usize| {
            let leads = |a: usize| schema.fields().any(|f| s.row(schema.field(f), a).must >> u & 1 == 1);
            s.summaries() >> u & 1 == 0 && lanes_of(found).any(leads)
        };
        let more = lanes_of(seen & !found).filter(|&u| follows(u)).fold(found, |all, u| all | 1 << u);
        if more == found {
            break;
        }
        found = more;
    }
    // Off cycles, ways back from cell to cell end; if they can end in a root only, the cell is reached.
    let entered = s.unary(heap.entered).must & !s.unary(heap.cyclic).may;
    let mut all = found | seen & entered;
    loop {
        let from_inside = |u: usize| schema.fields().all(|f| s.column(schema.field(f), u).may & !all == 0);
        let fewer = lanes_of(all).filter(|&u| found >> u & 1 == 1 || from_inside(u));
        let fewer = fewer.fold(0u64, |all, u| all | 1 << u);
        if fewer == all {
            return all;
        }
        all = fewer;
    }
}

/// The structure without the edges that cannot be there if exactly some individuals are reached; nothing if one is there for certain.
fn cut(schema: &Schema, heap: HeapSlots, mut s: Structure, roots: u64, inside: u64) -> Option<Structure> {
    let outside = s.universe() & !inside;
    let by_cells = inside & !roots & !s.unary(heap.shared).may;
    for f in schema.fields() {
        let slot = schema.field(f);
        for u in 0..s.size() {
            let never = if inside >> u & 1 == 1 { outside } else { by_cells };
            let mut row = s.row(slot, u);
            if row.must & never != 0 {
                return None;
            }
            row.may &= !never;
            let leads = schema.leads(f).map_or(Kleene::Unknown, |leads| s.unary(leads).get(u));
            if row.may == 0 && leads == Kleene::True {
                return None;
            }
            s.set_row(slot, u, row);
        }
    }
    // What is reached, is reached from something, and what something leads to still has that.
    let left_alone = |u: usize| schema.fields().all(|f| s.column(schema.field(f), u).may == 0);
    let wanted = inside & !roots | s.unary(heap.entered).must;
    if lanes_of(wanted).any(left_alone) { None } else { Some(s) }
}
