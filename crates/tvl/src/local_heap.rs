//! Local heaps: what a procedure sees of a structure, and the whole after it returns (survey §5.3; Rinetzky et al. 2005).
//!
//! A callee sees the cells that its arguments and the globals may lead to; the rest is the caller's frame. The part is closed
//! under fields, so the callee can neither read nor change the frame, and no cell of the part leads there. Cells of the
//! part to which the frame leads, by a variable or a field, are *cutpoints*: spare variables hold them during the call, so
//! that they are told apart from others and found again. A field of the frame that leads to a summary of the part has no
//! such name; then the cells that it starts from are handed over as well ([`crate::apart`] leaves few such).
//!
//! Instrumentation predicates are those of each heap by itself: what the frame contributed is taken out before
//! ([`split`]) and put in again after ([`combine`]). Reachability from a variable of the frame is what it reaches in the
//! frame, and from the cutpoints that it reaches, what those reach after the call.
//!
//! **Invariant:** for strict structures only. If a concrete structure is embedded in `s`, then its local heap is embedded in
//! that of `s`; and the same for what is combined. Cost: linear in the edges for each field and variable.

use crate::canonical::Abstraction;
use crate::eval::close;
use crate::kleene::{Kleene, Lanes, lanes_of};
use crate::program::{FieldId, VarId};
use crate::schema::Schema;
use crate::structure::{MAX_INDIVIDUALS, Structure};

/// What variables are for, at a call.
#[derive(Clone, Debug, Default)]
pub struct Roles {
    /// Arguments: the callee's only.
    pub handed: Vec<VarId>,
    /// Globals and results: what they hold after the call is what the callee left in them.
    pub shared: Vec<VarId>,
    /// Spare variables for cutpoints.
    pub names: Vec<VarId>,
}

/// What a caller keeps during a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    whole: Structure,
    part: u64,
    /// Cutpoints, in the order of their names.
    cuts: Vec<usize>,
}

/// Why a call is not modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// There are more cutpoints than names.
    Cutpoints,
    /// There are more cells than fit.
    Individuals,
}

fn any(l: Lanes) -> Kleene {
    Kleene::from_bits(l.must != 0, l.may != 0)
}

/// The lanes of `kept`, moved together.
fn squeezed(l: Lanes, kept: u64) -> Lanes {
    let word = |w: u64| lanes_of(kept).enumerate().fold(0u64, |acc, (new, old)| acc | (w >> old & 1) << new);
    Lanes { must: word(l.must), may: word(l.may) }
}

fn within(l: Lanes, set: u64) -> Lanes {
    Lanes { must: l.must & set, may: l.may & set }
}

/// Whether two or more of some sources lead somewhere, over all fields together: one column for each.
fn several(columns: &[Lanes], summaries: u64) -> Kleene {
    let certain: u32 = columns.iter().map(|c| c.must.count_ones()).sum();
    let possible: u32 = columns.iter().map(|c| c.may.count_ones() + u32::from(c.may & summaries != 0)).sum();
    Kleene::from_bits(certain > 1, possible > 1)
}

/// All cells that some cells may lead to, and these.
pub(crate) fn reached(schema: &Schema, s: &Structure, from: u64) -> u64 {
    let mut found = from;
    loop {
        let step = |f: FieldId| lanes_of(found).fold(0, |acc, u| acc | s.row(schema.field(f), u).may);
        let more = schema.fields().fold(found, |acc, f| acc | step(f));
        if more == found {
            return found;
        }
        found = more;
    }
}

/// Columns of all fields at a cell, for some sources.
fn columns(schema: &Schema, s: &Structure, cell: usize, sources: u64) -> Vec<Lanes> {
    schema.fields().map(|f| within(s.column(schema.field(f), cell), sources)).collect()
}

/// The local heap of a call and the caller's frame.
pub fn split(
    schema: &Schema,
    abstraction: &Abstraction,
    roles: &Roles,
    s: &Structure,
) -> Result<(Structure, Frame), Refused> {
    let cell = |v: VarId| s.unary(schema.var(v)).may;
    let kept: Vec<VarId> =
        schema.vars().filter(|v| !roles.handed.contains(v) && !roles.shared.contains(v)).collect();
    let roots = roles.handed.iter().chain(&roles.shared).fold(0, |acc, &v| acc | cell(v));
    let mut part = reached(schema, s, roots);
    let frame_leads_to = |part: u64, target: u64| {
        lanes_of(s.universe() & !part)
            .filter(|&a| schema.fields().any(|f| s.row(schema.field(f), a).may & target != 0))
            .fold(0u64, |acc, a| acc | 1 << a)
    };
    loop {
        let unnamed = frame_leads_to(part, part & s.summaries());
        if unnamed == 0 {
            break;
        }
        part = reached(schema, s, part | unnamed);
    }
    let frame = s.universe() & !part;
    let held = kept.iter().fold(0, |acc, &v| acc | cell(v));
    let entered = |u: usize| frame_leads_to(part, 1 << u) != 0;
    let named: Vec<usize> = lanes_of(part).filter(|&u| held >> u & 1 == 1 || entered(u)).collect();
    if named.len() > roles.names.len() {
        return Err(Refused::Cutpoints);
    }
    let mut entry = s.restrict(part);
    let rank = |u: usize| (part & ((1u64 << u) - 1)).count_ones() as usize;
    for &v in &kept {
        entry.unary[schema.var(v)] = Lanes::FALSE;
        schema.fields().for_each(|f| entry.unary[schema.reach(f, v)] = Lanes::FALSE);
    }
    // Equal calls name their cutpoints alike.
    let canonical = abstraction.names(&entry);
    let mut cuts = named;
    cuts.sort_by(|&a, &b| canonical[rank(a)].cmp(&canonical[rank(b)]).then(a.cmp(&b)));
    for (&u, &name) in cuts.iter().zip(&roles.names) {
        let only = Lanes::definite(1 << rank(u));
        entry.unary[schema.var(name)] = only;
        let alias = schema.vars().find(|&v| s.unary(schema.var(v)).must >> u & 1 == 1);
        for f in schema.fields() {
            entry.unary[schema.reach(f, name)] = match alias {
                Some(v) => squeezed(s.unary(schema.reach(f, v)), part),
                None => closure(schema, &entry, f, rank(u)).or(only),
            };
        }
    }
    for &u in &cuts {
        let at = rank(u);
        for f in schema.fields() {
            let slot = schema.field(f);
            if s.column(slot, u).may & frame != 0 && s.unary(schema.shared(f)).get(u) != Kleene::False {
                let inside = within(s.column(slot, u), part);
                entry.unary[schema.shared(f)].set(at, several(&[inside], s.summaries()));
            }
        }
        if let Some(heap) = schema.heap()
            && columns(schema, s, u, frame).iter().any(|c| c.may != 0)
        {
            let inside = columns(schema, s, u, part);
            let entered = inside.iter().fold(Kleene::False, |acc, &c| acc.or(any(c)));
            entry.unary[heap.entered].set(at, entered);
            if s.unary(heap.shared).get(u) != Kleene::False {
                entry.unary[heap.shared].set(at, several(&inside, s.summaries()));
            }
        }
    }
    Ok((entry, Frame { whole: s.clone(), part, cuts }))
}

/// What a field leads to from a cell in one step or more.
fn closure(schema: &Schema, s: &Structure, f: FieldId, from: usize) -> Lanes {
    let mut rows: Vec<Lanes> = (0..s.size()).map(|u| s.row(schema.field(f), u)).collect();
    close(&mut rows, s.optional());
    rows.get(from).copied().unwrap_or_default()
}

/// The whole heap after a call: the frame and what the callee left.
pub fn combine(
    schema: &Schema,
    roles: &Roles,
    frame: &Frame,
    exit: &Structure,
) -> Result<Structure, Refused> {
    let rest = frame.whole.universe() & !frame.part;
    let moved = rest.count_ones() as usize;
    let size = moved + exit.size();
    let whole = if size > MAX_INDIVIDUALS { None } else { Structure::with_size(&schema.vocabulary, size) };
    let Some(mut whole) = whole else { return Err(Refused::Individuals) };
    let mut cutpoints = Vec::new();
    for (&before, &name) in frame.cuts.iter().zip(&roles.names) {
        let held = exit.unary(schema.var(name)).must;
        if held == 0 {
            return Err(Refused::Cutpoints);
        }
        cutpoints.push(Cutpoint { before, after: held.trailing_zeros() as usize, name });
    }
    let r = Return { schema, roles, s: &frame.whole, part: frame.part, rest, moved, exit, cutpoints };
    let s = r.s;
    whole.nullary.clone_from(&s.nullary);
    let summaries = |s: &Structure| Lanes::definite(s.summary);
    whole.summary = squeezed(summaries(s), rest).must | r.shifted(summaries(exit)).must;
    for slot in 0..whole.unary.len() {
        whole.unary[slot] = squeezed(s.unary(slot), rest).or(r.shifted(exit.unary(slot)));
    }
    for slot in schema.fields().map(|f| schema.field(f)) {
        for (new, old) in lanes_of(rest).enumerate() {
            let row = s.row(slot, old);
            let mut seen = squeezed(row, rest);
            for c in &r.cutpoints {
                seen.set(moved + c.after, row.get(c.before));
            }
            whole.set_row(slot, new, seen);
        }
        for u in 0..exit.size() {
            whole.set_row(slot, moved + u, r.shifted(exit.row(slot, u)));
        }
    }
    for v in schema.vars() {
        r.variable(v, &mut whole);
    }
    for c in &r.cutpoints {
        r.enter(c, &mut whole);
    }
    Ok(whole)
}

/// A cell that the frame and the callee both know.
struct Cutpoint {
    /// In the structure before the call.
    before: usize,
    /// In the exit.
    after: usize,
    /// The variable that held it.
    name: VarId,
}

/// A return on its way: cells of the frame come first, then those of the exit.
struct Return<'a> {
    schema: &'a Schema,
    roles: &'a Roles,
    s: &'a Structure,
    part: u64,
    rest: u64,
    moved: usize,
    exit: &'a Structure,
    cutpoints: Vec<Cutpoint>,
}

impl Return<'_> {
    /// Lanes of the exit in the whole.
    fn shifted(&self, l: Lanes) -> Lanes {
        let word = |w: u64| w.checked_shl(self.moved as u32).unwrap_or(0);
        Lanes { must: word(l.must), may: word(l.may) }
    }

    /// A variable and what it reaches.
    fn variable(&self, v: VarId, whole: &mut Structure) {
        let (schema, slot) = (self.schema, self.schema.var(v));
        if self.roles.shared.contains(&v) || self.roles.handed.contains(&v) {
            // The frame has no part in what a callee's variable reaches.
            for slot in schema.fields().map(|f| schema.reach(f, v)).chain([slot]) {
                whole.unary[slot] = self.shifted(self.exit.unary(slot));
            }
            return;
        }
        let cell = self.s.unary(slot).must & self.part;
        let inside = self.cutpoints.iter().find(|c| cell >> c.before & 1 == 1);
        whole.unary[slot] = match inside {
            Some(c) => self.shifted(Lanes::definite(1 << c.after)),
            None => squeezed(self.s.unary(slot), self.rest),
        };
        for f in schema.fields() {
            let reach = schema.reach(f, v);
            whole.unary[reach] = match inside {
                Some(c) => self.shifted(self.exit.unary(schema.reach(f, c.name))),
                None => self.reached(f, self.s.unary(reach), whole.universe()),
            };
        }
    }

    /// What a variable of the frame reaches along a field, given what it reached before the call.
    fn reached(&self, f: FieldId, own: Lanes, universe: u64) -> Lanes {
        let column = |c: &Cutpoint| within(self.s.column(self.schema.field(f), c.before), self.rest);
        let mut ways: Vec<(Kleene, &Cutpoint)> = self
            .cutpoints
            .iter()
            .map(|c| (any(own.and(column(c))), c))
            .filter(|(way, _)| way.may())
            .collect();
        // If there is one way in only, the variable reached that cutpoint exactly if it took it.
        if let [(way @ Kleene::Unknown, c)] = &mut ways[..] {
            *way = own.get(c.before);
        }
        ways.into_iter().fold(squeezed(own, self.rest), |all, (way, c)| {
            let behind = self.shifted(self.exit.unary(self.schema.reach(f, c.name)));
            all.or(Lanes::splat(way, universe).and(behind))
        })
    }

    /// Sharing of a cutpoint, with the fields of the frame that lead to it.
    fn enter(&self, c: &Cutpoint, whole: &mut Structure) {
        let (schema, s, new) = (self.schema, self.s, self.moved + c.after);
        for f in schema.fields() {
            let slot = schema.field(f);
            let outside = within(s.column(slot, c.before), self.rest);
            if outside.may == 0 {
                continue;
            }
            let two = match s.unary(schema.shared(f)).get(c.before) {
                Kleene::False => Kleene::False,
                _ => several(&[outside], s.summaries()),
            };
            let both = any(outside).and(any(self.exit.column(slot, c.after)));
            let value = self.exit.unary(schema.shared(f)).get(c.after).or(both).or(two);
            whole.unary[schema.shared(f)].set(new, value);
        }
        let Some(heap) = schema.heap() else { return };
        let outside = columns(schema, s, c.before, self.rest);
        if outside.iter().all(|c| c.may == 0) {
            return;
        }
        let alone = columns(schema, s, c.before, self.part).iter().all(|c| c.may == 0);
        let entered = match alone {
            true => s.unary(heap.entered).get(c.before),
            false => outside.iter().fold(Kleene::False, |acc, &c| acc.or(any(c))),
        };
        let two = match s.unary(heap.shared).get(c.before) {
            Kleene::False => Kleene::False,
            _ => several(&outside, s.summaries()),
        };
        let before = self.exit.unary(heap.entered).get(c.after);
        whole.unary[heap.entered].set(new, before.or(entered));
        let shared = self.exit.unary(heap.shared).get(c.after).or(before.and(entered)).or(two);
        whole.unary[heap.shared].set(new, shared);
    }
}
