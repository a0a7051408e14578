//! Structure-based refinement: meets with prepared structures (Arnold §4).
//!
//! To follow `y->f`, a state is met with structures that say where the field leads: nowhere, back to the
//! cell itself, or to another cell (Fig. 6). The third case is then tightened by a sequence of small
//! complementary sets (Fig. 7), one for each fact that the target's predicates decide: sharing, cycles,
//! back-references, reachability. Meet distributes over join and is associative, so the sets stay linear in
//! number instead of being multiplied out (§4.1). Last, states that break an integrity condition which no
//! prepared structure expresses are dropped (§4.2).
//!
//! Prepared structures have the cell `a` that `y` points to, in the third case the target `b`, and one
//! optional summary `o` for everything else, so one structure serves for "others exist" and "no others".

use crate::kleene::{Kleene, Lanes, lanes_of};
use crate::meet::meet_refining;
use crate::program::{FieldId, VarId};
use crate::schema::{Schema, Tracking};
use crate::structure::Structure;

const A: usize = 0;
const B: usize = 1;

/// The prepared structures for one variable and field.
#[derive(Clone, Debug)]
pub struct Refinement {
    /// The field is null.
    nowhere: Structure,
    /// The field leads back to its own cell.
    itself: Structure,
    /// The field leads to another cell.
    elsewhere: Structure,
    /// Tightening of `elsewhere`, in order.
    tightening: Vec<Vec<Structure>>,
}

/// What is known to be definite where a field leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Null.
    Nowhere,
    /// This individual.
    Cell(usize),
}

/// A structure in which everything is unknown, with `size` cells of which the last is the optional rest.
fn unknown(schema: &Schema, size: usize) -> Structure {
    let mut s = Structure::with_size(&schema.vocabulary, size)
        .unwrap_or_else(|| Structure::empty(&schema.vocabulary));
    let everything = Lanes { must: 0, may: s.universe() };
    let all_flags = Lanes { must: 0, may: u64::MAX };
    s.nullary.iter_mut().for_each(|l| *l = all_flags);
    s.unary.iter_mut().chain(&mut s.binary).for_each(|l| *l = everything);
    let rest = size - 1;
    s.set_summary(rest, true);
    s.set_optional(1 << rest);
    s
}

fn set(s: &mut Structure, slot: usize, node: usize, value: bool) {
    s.unary[slot].set(node, Kleene::from(value));
}

fn link(s: &mut Structure, slot: usize, from: usize, to: usize, value: bool) {
    let size = s.size;
    s.binary[slot * size + from].set(to, Kleene::from(value));
}

impl Refinement {
    /// Prepares the structures for `y->f`.
    pub fn prepare(schema: &Schema, y: VarId, f: FieldId) -> Refinement {
        let (slot, var) = (schema.field(f), schema.var(y));
        let (reach, shared, cyclic) = (schema.reach(f, y), schema.shared(f), schema.cyclic(f));
        let base = |size: usize| {
            let mut s = unknown(schema, size);
            (0..size).for_each(|node| set(&mut s, var, node, node == A));
            (0..size).for_each(|node| link(&mut s, slot, A, node, false));
            set(&mut s, reach, A, true);
            s
        };
        let mut nowhere = base(2);
        set(&mut nowhere, reach, 1, false);
        set(&mut nowhere, cyclic, A, false);
        schema.partners(f).for_each(|(_, back, _)| set(&mut nowhere, back, A, true));
        let mut itself = base(2);
        link(&mut itself, slot, A, A, true);
        set(&mut itself, reach, 1, false);
        set(&mut itself, cyclic, A, true);
        let mut elsewhere = base(3);
        link(&mut elsewhere, slot, A, B, true);
        set(&mut elsewhere, reach, B, true);

        let rest = 2;
        if let Some(heap) = schema.heap() {
            set(&mut elsewhere, heap.entered, B, true);
            set(&mut itself, heap.cyclic, A, true);
            set(&mut itself, heap.entered, A, true);
        }
        if let Some(leads) = schema.leads(f) {
            set(&mut nowhere, leads, A, false);
            set(&mut itself, leads, A, true);
            set(&mut elsewhere, leads, A, true);
        }
        let variant = |edit: &dyn Fn(&mut Structure)| {
            let mut s = elsewhere.clone();
            edit(&mut s);
            s
        };
        let mut tightening = vec![
            vec![
                variant(&|s| {
                    set(s, shared, B, false);
                    link(s, slot, B, B, false);
                    link(s, slot, rest, B, false);
                }),
                variant(&|s| set(s, shared, B, true)),
            ],
            vec![
                variant(&|s| {
                    set(s, cyclic, B, false);
                    set(s, cyclic, A, false);
                    link(s, slot, B, A, false);
                    link(s, slot, B, B, false);
                }),
                variant(&|s| set(s, cyclic, B, true)),
            ],
        ];
        let single = schema.tracking() != Tracking::Heap;
        if !single {
            tightening.clear();
        }
        for (g, forth, back) in schema.partners(f).filter(|_| single) {
            let other = schema.field(g);
            tightening.push(vec![
                variant(&|s| {
                    set(s, forth, A, true);
                    link(s, other, B, A, true);
                    link(s, other, B, B, false);
                    link(s, other, B, rest, false);
                }),
                variant(&|s| {
                    set(s, forth, A, false);
                    link(s, other, B, A, false);
                }),
            ]);
            // The target's own back-reference: an unshared target is led back to from `a` only.
            tightening.push(vec![
                variant(&|s| {
                    set(s, back, B, true);
                    set(s, shared, B, false);
                    link(s, other, B, B, false);
                    link(s, other, B, rest, false);
                }),
                variant(&|s| {
                    set(s, back, B, true);
                    set(s, shared, B, true);
                }),
                variant(&|s| set(s, back, B, false)),
            ]);
            let (shared_g, cyclic_g) = (schema.shared(g), schema.cyclic(g));
            tightening.push(vec![
                variant(&|s| {
                    set(s, shared_g, A, false);
                    link(s, other, B, A, true);
                    link(s, other, A, A, false);
                    link(s, other, rest, A, false);
                }),
                variant(&|s| {
                    set(s, shared_g, A, false);
                    link(s, other, B, A, false);
                }),
                variant(&|s| set(s, shared_g, A, true)),
            ]);
            tightening.push(vec![
                variant(&|s| {
                    set(s, cyclic_g, B, false);
                    link(s, other, B, B, false);
                }),
                variant(&|s| set(s, cyclic_g, B, true)),
            ]);
        }
        if let Some(heap) = schema.heap() {
            tightening.push(vec![
                variant(&|s| {
                    set(s, heap.shared, B, false);
                    for g in schema.fields() {
                        (0..3)
                            .filter(|&u| g != f || u != A)
                            .for_each(|u| link(s, schema.field(g), u, B, false));
                    }
                }),
                variant(&|s| set(s, heap.shared, B, true)),
            ]);
            tightening.push(vec![
                variant(&|s| {
                    set(s, heap.cyclic, B, false);
                    for g in schema.fields() {
                        link(s, schema.field(g), B, A, false);
                        link(s, schema.field(g), B, B, false);
                    }
                }),
                variant(&|s| set(s, heap.cyclic, B, true)),
            ]);
        }
        for z in schema.vars().filter(|&z| single && z != y) {
            let (var_z, reach_z) = (schema.var(z), schema.reach(f, z));
            tightening.push(vec![
                variant(&|s| {
                    set(s, reach_z, A, true);
                    set(s, reach_z, B, true);
                }),
                variant(&|s| {
                    set(s, reach_z, A, false);
                    set(s, var_z, B, true);
                    set(s, reach_z, B, true);
                }),
                variant(&|s| {
                    set(s, reach_z, A, false);
                    set(s, var_z, B, false);
                    set(s, reach_z, B, true);
                    set(s, shared, B, true);
                }),
                variant(&|s| {
                    set(s, reach_z, A, false);
                    set(s, var_z, B, false);
                    set(s, reach_z, B, false);
                }),
            ]);
        }
        Refinement { nowhere, itself, elsewhere, tightening }
    }

    /// Splits a state in which `y` points to a cell into states in which it is definite where `y->f` leads.
    /// Optional summaries that the field may lead to are decided first.
    pub fn apply(&self, schema: &Schema, y: VarId, f: FieldId, s: &Structure) -> Option<Vec<Structure>> {
        let mut open = vec![s.clone()];
        let mut results = Vec::new();
        while let Some(s) = open.pop() {
            let Some(a) = cell_of(schema, &s, y) else { continue };
            let undecided = s.row(schema.field(f), a).may & s.optional();
            if undecided != 0 {
                // One at a time: without it, others may come within reach.
                open.extend(s.cases(undecided & undecided.wrapping_neg()));
                continue;
            }
            if definite(schema, &s, a, f) {
                results.push(s);
                continue;
            }
            results.extend(meet_refining(&s, &self.nowhere)?);
            results.extend(meet_refining(&s, &self.itself)?);
            let mut tight = meet_refining(&s, &self.elsewhere)?;
            for set in &self.tightening {
                let mut next = Vec::with_capacity(tight.len());
                for t in &tight {
                    for prepared in set {
                        next.extend(meet_refining(t, prepared)?);
                    }
                }
                tight = next;
            }
            results.extend(tight);
        }
        results.retain(|s| has_integrity(schema, s));
        Some(results)
    }
}

/// The individual a variable points to.
pub fn cell_of(schema: &Schema, s: &Structure, x: VarId) -> Option<usize> {
    let lanes = s.unary(schema.var(x));
    (lanes.must != 0).then(|| lanes.must.trailing_zeros() as usize)
}

/// Whether a field of a cell leads to one certain individual or nowhere.
fn definite(schema: &Schema, s: &Structure, a: usize, f: FieldId) -> bool {
    let row = s.row(schema.field(f), a);
    row.unknown() == 0 && row.must & s.summaries() == 0
}

/// Where a field leads, after refinement.
pub fn target_of(schema: &Schema, s: &Structure, a: usize, f: FieldId) -> Target {
    let row = s.row(schema.field(f), a);
    if row.must == 0 { Target::Nowhere } else { Target::Cell(row.must.trailing_zeros() as usize) }
}

/// Integrity that meets do not see (Arnold §4.2, Fig. 8, for all variables and fields): a cell that is
/// certainly reached is pointed to by the variable or has a predecessor that may be reached; a field that is certainly not
/// null leads somewhere, and to a cell that is led to something leads. Optional
/// summaries vouch for nothing and refute nothing.
pub fn has_integrity(schema: &Schema, s: &Structure) -> bool {
    let certain = s.universe() & !s.optional();
    let mut leads_somewhere = schema.fields().filter_map(|f| Some((schema.field(f), schema.leads(f)?)));
    if !leads_somewhere
        .all(|(slot, leads)| lanes_of(s.unary(leads).must & certain).all(|u| s.row(slot, u).may != 0))
    {
        return false;
    }
    if let Some(heap) = schema.heap() {
        let targets = s.binary.iter().fold(0u64, |all, row| all | row.may);
        if s.unary(heap.entered).must & certain & !targets != 0 {
            return false;
        }
    }
    schema.fields().all(|f| {
        let slot = schema.field(f);
        schema.vars().all(|z| {
            let reached = s.unary(schema.reach(f, z));
            let needs = reached.must & certain & !s.unary(schema.var(z)).may;
            if needs == 0 {
                return true;
            }
            let entered = lanes_of(reached.may).fold(0u64, |acc, u| acc | s.row(slot, u).may);
            needs & !entered == 0
        })
    })
}
