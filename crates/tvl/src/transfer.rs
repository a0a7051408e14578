//! Transformers of the specialised engine: what a statement makes of one structure (Arnold §3.1, with the
//! update formulas of survey §4.3.7, extended to several fields).
//!
//! Every statement that follows a field first refines the structure so that it is definite where the field
//! leads. A store is a cut (the old edge goes) followed by a link (the new edge comes). Values of
//! instrumentation predicates are corrected from their old values, not recomputed, except where a cycle is
//! cut. A freed cell loses its fields and is dropped as soon as nothing refers to it.

use crate::eval::close;
use crate::kleene::{Kleene, Lanes, lanes_of};
use crate::program::{Condition, FieldId, FlagValue, Property, Statement, VarId};
use crate::refine::{Refinement, Target, cell_of, target_of};
use crate::schema::{Schema, Tracking};
use crate::structure::Structure;
use heapwise_property::ErrorKind;
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

/// What can be wrong with a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FindingKind {
    /// An execution may do this.
    Error(ErrorKind),
    /// A structure asserted to be acyclic may be cyclic.
    Cyclic,
    /// A structure asserted to be unshared may be shared.
    Shared,
    /// A field asserted to lead back may not.
    NotBack,
}

/// Findings and results of one statement on one structure.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Resulting structures.
    pub structures: Vec<Structure>,
    /// What may go wrong, and whether it certainly does on this structure.
    pub findings: Vec<(FindingKind, bool)>,
    /// Set when a limit was hit: the result is then incomplete.
    pub incomplete: bool,
    /// Time spent on refining the structure.
    pub refinement: Duration,
}

/// The transformers of one program.
pub struct Transfer<'s> {
    schema: &'s Schema,
    refinements: FxHashMap<(VarId, FieldId), Refinement>,
}

impl<'s> Transfer<'s> {
    /// Transformers over a schema.
    pub fn new(schema: &'s Schema) -> Transfer<'s> {
        Transfer { schema, refinements: FxHashMap::default() }
    }

    /// Applies a statement.
    pub fn apply(&mut self, statement: Statement, s: &Structure) -> Outcome {
        let mut out = Outcome::default();
        match statement {
            Statement::Skip => out.structures.push(s.clone()),
            Statement::SetNull(x) => {
                let dropped = self.pointed(s, x);
                let mut s = s.clone();
                self.assign_null(&mut s, x);
                self.finish(s, dropped, &mut out);
            }
            Statement::Copy(x, y) => {
                let dropped = self.pointed(s, x);
                let mut s = s.clone();
                if x != y {
                    let copy = |s: &mut Structure, to: usize, from: usize| s.unary[to] = s.unary[from];
                    copy(&mut s, self.schema.var(x), self.schema.var(y));
                    for f in self.schema.fields() {
                        copy(&mut s, self.schema.reach(f, x), self.schema.reach(f, y));
                    }
                }
                self.finish(s, dropped, &mut out);
            }
            Statement::Move(x, y) => {
                let dropped = self.pointed(s, x);
                let mut s = s.clone();
                if x != y {
                    s.unary[self.schema.var(x)] = s.unary[self.schema.var(y)];
                    for f in self.schema.fields() {
                        s.unary[self.schema.reach(f, x)] = s.unary[self.schema.reach(f, y)];
                    }
                    self.assign_null(&mut s, y);
                }
                if dropped == 0 {
                    out.structures.push(s);
                } else {
                    self.finish(s, dropped, &mut out);
                }
            }
            Statement::New { target, zeroed } => self.allocate(s, target, zeroed, false, &mut out),
            Statement::Local { target, zeroed } => self.allocate(s, target, zeroed, true, &mut out),
            Statement::Load(x, y, f) => {
                for part in self.dereference(s, y, f, &mut out) {
                    if let Some(part) = self.initialised(part, y, f, &mut out) {
                        let dropped = self.pointed(&part, x);
                        let part = self.load(part, x, y, f);
                        self.finish(part, dropped, &mut out);
                    }
                }
            }
            Statement::StoreNull(x, f) => {
                for mut part in self.dereference(s, x, f, &mut out) {
                    self.written(&mut part, x, f);
                    let dropped = self.cut(&mut part, x, f);
                    self.finish(part, dropped, &mut out);
                }
            }
            Statement::Store(x, f, y) => {
                for mut part in self.dereference(s, x, f, &mut out) {
                    self.written(&mut part, x, f);
                    let dropped = self.cut(&mut part, x, f);
                    self.link(&mut part, x, f, y);
                    self.finish(part, dropped, &mut out);
                }
            }
            Statement::Free(x) => self.free(s, x, true, &mut out),
            Statement::End(x) => self.free(s, x, false, &mut out),
            Statement::Touch(x) => {
                if let Some((_, s)) = self.live_cell(s, x, &mut out) {
                    out.structures.push(s);
                }
            }
            Statement::WriteData(x, d) => {
                if let Some((a, mut s)) = self.live_cell(s, x, &mut out) {
                    if let Some(raw) = self.schema.raw_data(d) {
                        s.unary[raw].set(a, Kleene::False);
                    }
                    out.structures.push(s);
                }
            }
            Statement::ReadData(x, d) => {
                if let Some((a, s)) = self.live_cell(s, x, &mut out) {
                    let slot = self.schema.raw_data(d);
                    out.structures.extend(self.initialised_at(s, slot, a, &mut out.findings));
                }
            }
            Statement::Forget(x) => {
                let dropped = self.pointed(s, x);
                let mut without = s.clone();
                self.assign_null(&mut without, x);
                if dropped & self.lost(&without).may == 0 {
                    self.finish(without, 0, &mut out);
                } else {
                    out.structures.push(s.clone());
                }
            }
            Statement::Assume(c) => out.structures.extend(self.assume(s, c)),
            Statement::SetFlag(b, value) => {
                let mut s = s.clone();
                let value = self.flag_value(&s, value);
                s.set_nullary(self.schema.flag(b), value);
                out.structures.push(s);
            }
            Statement::LoadMark(b, x, m) => {
                if let Some((a, mut s)) = self.live_cell(s, x, &mut out) {
                    let value = s.unary(self.schema.mark(m)).get(a);
                    s.set_nullary(self.schema.flag(b), value);
                    out.structures.push(s);
                }
            }
            Statement::StoreMark(x, m, value) => {
                if let Some((a, mut s)) = self.live_cell(s, x, &mut out) {
                    let value = self.flag_value(&s, value);
                    s.unary[self.schema.mark(m)].set(a, value);
                    out.structures.push(s);
                }
            }
            Statement::Assert(p) => {
                self.check(s, p, &mut out);
                out.structures.push(s.clone());
            }
        }
        if self.schema.tracking() == Tracking::Heap {
            out.structures.iter_mut().for_each(|s| self.forget_fields(s));
        }
        out
    }

    /// Forgets the values of the predicates of single fields, except what the variables and `in2` and `cycle` say.
    fn forget_fields(&self, s: &mut Structure) {
        let schema = self.schema;
        let universe = s.universe();
        let (shared, cyclic) = match schema.heap() {
            Some(heap) => (s.unary(heap.shared).may, s.unary(heap.cyclic).may),
            None => (universe, universe),
        };
        for f in schema.fields() {
            for z in schema.vars() {
                let cell = s.unary(schema.var(z)).must;
                let value = Lanes { must: cell, may: if cell == 0 { 0 } else { universe } };
                s.unary[schema.reach(f, z)] = value;
            }
            for (_, back, _) in schema.partners(f) {
                s.unary[back] = Lanes { must: 0, may: universe };
            }
            s.unary[schema.shared(f)] = Lanes { must: 0, may: shared };
            s.unary[schema.cyclic(f)] = Lanes { must: 0, may: cyclic };
        }
    }

    fn flag_value(&self, s: &Structure, value: FlagValue) -> Kleene {
        match value {
            FlagValue::Constant(b) => Kleene::from(b),
            FlagValue::Unknown => Kleene::Unknown,
            FlagValue::Flag(b) => s.nullary(self.schema.flag(b)),
            FlagValue::NotFlag(b) => !s.nullary(self.schema.flag(b)),
        }
    }

    fn assign_null(&self, s: &mut Structure, x: VarId) {
        s.unary[self.schema.var(x)] = Lanes::FALSE;
        for f in self.schema.fields() {
            s.unary[self.schema.reach(f, x)] = Lanes::FALSE;
        }
    }

    /// The individual that `x` points to, as a set.
    fn pointed(&self, s: &Structure, x: VarId) -> u64 {
        s.unary(self.schema.var(x)).must
    }

    fn allocate(&self, s: &Structure, x: VarId, zeroed: bool, pinned: bool, out: &mut Outcome) {
        let schema = self.schema;
        let dropped = self.pointed(s, x);
        let mut s = s.clone();
        let Some(cell) = s.add_individual(&schema.vocabulary) else {
            out.incomplete = true;
            return;
        };
        let only = Lanes::definite(1 << cell);
        s.unary[schema.var(x)] = only;
        for f in schema.fields() {
            s.unary[schema.reach(f, x)] = only;
            for (_, back, _) in schema.partners(f) {
                s.unary[back].set(cell, Kleene::True);
            }
            if let Some(raw) = schema.raw(f) {
                s.unary[raw].set(cell, Kleene::from(!zeroed));
            }
        }
        for &raw in schema.all_raw_data() {
            s.unary[raw].set(cell, Kleene::from(!zeroed));
        }
        for &mark in schema.marks() {
            s.unary[mark].set(cell, if zeroed { Kleene::False } else { Kleene::Unknown });
        }
        if let Some(slot) = schema.pinned() {
            s.unary[slot].set(cell, Kleene::from(pinned));
        }
        self.finish(s, dropped, out);
    }

    /// The cell that `x` points to if it can be used, with what that assumes.
    fn live_cell(&self, s: &Structure, x: VarId, out: &mut Outcome) -> Option<(usize, Structure)> {
        let Some(a) = cell_of(self.schema, s, x) else {
            out.findings.push((FindingKind::Error(ErrorKind::NullDeref), true));
            return None;
        };
        let mut s = s.clone();
        if let Some(freed) = self.schema.freed() {
            match s.unary(freed).get(a) {
                Kleene::False => {}
                value => {
                    out.findings.push((FindingKind::Error(ErrorKind::UseAfterFree), value.must()));
                    if value.must() {
                        return None;
                    }
                    s.unary[freed].set(a, Kleene::False);
                }
            }
        }
        Some((a, s))
    }

    fn dereference(&mut self, s: &Structure, y: VarId, f: FieldId, out: &mut Outcome) -> Vec<Structure> {
        let Some((_, s)) = self.live_cell(s, y, out) else { return Vec::new() };
        let schema = self.schema;
        let refinement = self.refinements.entry((y, f)).or_insert_with(|| Refinement::prepare(schema, y, f));
        let started = Instant::now();
        let parts = refinement.apply(schema, y, f, &s);
        out.refinement += started.elapsed();
        match parts {
            Some(parts) => parts,
            None => {
                out.incomplete = true;
                Vec::new()
            }
        }
    }

    fn initialised(&self, s: Structure, y: VarId, f: FieldId, out: &mut Outcome) -> Option<Structure> {
        let Some(a) = cell_of(self.schema, &s, y) else { return Some(s) };
        self.initialised_at(s, self.schema.raw(f), a, &mut out.findings)
    }

    /// The structure in which cell `a` was written where `raw` tells, if that is possible.
    fn initialised_at(
        &self,
        mut s: Structure,
        raw: Option<usize>,
        a: usize,
        findings: &mut Vec<(FindingKind, bool)>,
    ) -> Option<Structure> {
        let Some(raw) = raw else { return Some(s) };
        match s.unary(raw).get(a) {
            Kleene::False => Some(s),
            value => {
                findings.push((FindingKind::Error(ErrorKind::Uninitialised), value.must()));
                s.unary[raw].set(a, Kleene::False);
                (!value.must()).then_some(s)
            }
        }
    }

    fn written(&self, s: &mut Structure, x: VarId, f: FieldId) {
        if let (Some(raw), Some(a)) = (self.schema.raw(f), cell_of(self.schema, s, x)) {
            s.unary[raw].set(a, Kleene::False);
        }
    }

    /// The cells reached along a field from the cells in `from`, by possible and by certain steps.
    fn closure_from(&self, s: &Structure, f: FieldId, from: Lanes) -> Lanes {
        let slot = self.schema.field(f);
        let mut rows = if s.optional() == 0 {
            (0..s.size()).map(|u| s.row(slot, u)).collect()
        } else {
            s.adjusted_rows(slot)
        };
        close(&mut rows, s.optional());
        let mut reached = from;
        for u in lanes_of(from.may) {
            let step =
                Lanes { must: if from.must >> u & 1 == 1 { rows[u].must } else { 0 }, may: rows[u].may };
            reached = reached.or(step);
        }
        reached
    }

    fn load(&self, mut s: Structure, x: VarId, y: VarId, f: FieldId) -> Structure {
        let schema = self.schema;
        let universe = s.universe();
        let Some(a) = cell_of(schema, &s, y) else { return s };
        let Target::Cell(b) = target_of(schema, &s, a, f) else {
            self.assign_null(&mut s, x);
            return s;
        };
        let only = Lanes::definite(1 << b);
        let not_source = Lanes::definite(1 << a).not(universe);
        let along = s.unary(schema.reach(f, y)).and(not_source.or(s.unary(schema.cyclic(f))));
        let mut reach = vec![(schema.reach(f, x), along.or(only))];
        for g in schema.other_fields(f) {
            let value = match schema.back(f, g).map_or(Kleene::False, |back| s.unary(back).get(a)) {
                // `g` leads back to y's cell, so it reaches what y reaches, and b.
                Kleene::True => s.unary(schema.reach(g, y)).or(only),
                Kleene::False => self.closure_from(&s, g, only),
                Kleene::Unknown => s.unary(schema.reach(g, y)).or(only).join(self.closure_from(&s, g, only)),
            };
            reach.push((schema.reach(g, x), value));
        }
        s.unary[schema.var(x)] = only;
        reach.into_iter().for_each(|(slot, value)| s.unary[slot] = value);
        s
    }

    /// `x->f = NULL`; it is definite where the field led. Returns the former target as a set.
    fn cut(&self, s: &mut Structure, x: VarId, f: FieldId) -> u64 {
        let schema = self.schema;
        let slot = schema.field(f);
        let Some(a) = cell_of(schema, s, x) else { return 0 };
        let Target::Cell(b) = target_of(schema, s, a, f) else { return 0 };
        let universe = s.universe();
        let beyond = s.unary(schema.reach(f, x));
        let on_cycle = s.unary(schema.cyclic(f)).get(a);
        let itself = Lanes::definite(1 << a);
        s.set_row(slot, a, Lanes::FALSE);
        if let Some(leads) = schema.leads(f) {
            s.unary[leads].set(a, Kleene::False);
        }
        self.cut_heap(s, a, b);
        // Cells on the cut cycle are on no cycle any more.
        let cyclic = s.unary(schema.cyclic(f));
        let broken = Lanes::splat(on_cycle, universe).and(beyond);
        s.unary[schema.cyclic(f)] = cyclic.and(broken.not(universe));
        for z in schema.vars() {
            let old = s.unary(schema.reach(f, z));
            let reaches = old.get(a);
            if a == b || reaches == Kleene::False {
                continue;
            }
            let lost = beyond.and(itself.not(universe)).and(Lanes::splat(reaches, universe));
            let straight = old.and(lost.not(universe));
            // From where the cut was, everything on the former cycle is still ahead; so it is for a variable
            // outside of the cycle whose way enters it there.
            let outside = old.must & !cyclic.may & !s.optional();
            let enters = lanes_of(outside).any(|u| s.row(slot, u).must >> b & 1 == 1);
            let around = if on_cycle == Kleene::False {
                straight
            } else if s.unary(schema.var(z)).get(b) == Kleene::True || enters {
                old
            } else {
                let again = self.closure_from(s, f, s.unary(schema.var(z)));
                let mut around = Lanes { must: again.must & old.may, may: again.may & old.may };
                // The way to the cell itself did not use its own field.
                around.set(a, reaches);
                around
            };
            s.unary[schema.reach(f, z)] = match on_cycle {
                Kleene::False => straight,
                Kleene::True => around,
                Kleene::Unknown => straight.join(around),
            };
        }
        s.unary[schema.reach(f, x)] = itself;
        if s.unary(schema.shared(f)).get(b) != Kleene::False {
            let value = self.is_shared(s, f, b);
            s.unary[schema.shared(f)].set(b, value);
        }
        for (g, back, slot) in schema.partners(f) {
            s.unary[back].set(a, Kleene::True);
            // The cut edge may have been b's way back.
            let value = s.unary(slot).get(b).and(!s.row(schema.field(g), b).get(a));
            s.unary[slot].set(b, value);
        }
        1 << b
    }

    /// `x->f = y` where `x->f` is null.
    fn link(&self, s: &mut Structure, x: VarId, f: FieldId, y: VarId) {
        let schema = self.schema;
        let slot = schema.field(f);
        let (Some(a), Some(d)) = (cell_of(schema, s, x), cell_of(schema, s, y)) else { return };
        let universe = s.universe();
        let entered = self.predecessors(s, f, d);
        self.link_heap(s, a, d);
        if let Some(leads) = schema.leads(f) {
            s.unary[leads].set(a, Kleene::True);
        }
        s.set_row(slot, a, Lanes::definite(1 << d));
        let ahead = s.unary(schema.reach(f, y));
        let closes = Lanes::splat(ahead.get(a), universe);
        let cyclic = s.unary(schema.cyclic(f));
        s.unary[schema.cyclic(f)] = cyclic.or(closes.and(ahead));
        for z in schema.vars() {
            let old = s.unary(schema.reach(f, z));
            s.unary[schema.reach(f, z)] = old.or(Lanes::splat(old.get(a), universe).and(ahead));
        }
        let shared = s.unary(schema.shared(f)).get(d).or(entered.any());
        s.unary[schema.shared(f)].set(d, shared);
        for (g, forth, slot) in schema.partners(f) {
            let back = s.row(schema.field(g), d).get(a);
            s.unary[forth].set(a, back);
            let old = s.unary(slot).get(d);
            // Either g leads from d to a, and now f leads back, or nothing changed for d.
            let value = match back {
                Kleene::True => Kleene::True,
                Kleene::False => old,
                Kleene::Unknown => old.join(Kleene::True),
            };
            s.unary[slot].set(d, value);
        }
    }

    /// The predicates over all fields together after the edge from `a` to `b` went.
    fn cut_heap(&self, s: &mut Structure, a: usize, b: usize) {
        let Some(heap) = self.schema.heap() else { return };
        let entered = s.unary(heap.shared).get(b);
        s.unary[heap.entered].set(b, entered);
        let mut shared = Kleene::False;
        let (mut certain, mut possible) = (0, 0);
        for f in self.schema.fields() {
            let from = self.predecessors(s, f, b);
            certain += from.must.count_ones();
            possible += from.may.count_ones() + u32::from(from.may & s.summaries() != 0);
        }
        if entered != Kleene::False {
            shared = Kleene::from_bits(certain > 1, possible > 1);
        }
        s.unary[heap.shared].set(b, shared);
        let cyclic = s.unary(heap.cyclic);
        if cyclic.get(a) != Kleene::False && cyclic.get(b) != Kleene::False {
            // Only cycles of certain edges are known to remain.
            let mut rows = self.all_fields(s);
            rows.iter_mut().for_each(|row| row.may = row.must);
            close(&mut rows, s.optional());
            let remain =
                (0..s.size()).filter(|&u| rows[u].must >> u & 1 == 1).fold(0u64, |acc, u| acc | 1 << u);
            s.unary[heap.cyclic].must = cyclic.must & remain;
        }
    }

    /// The predicates over all fields together before an edge from `a` to `d` comes.
    fn link_heap(&self, s: &mut Structure, a: usize, d: usize) {
        let Some(heap) = self.schema.heap() else { return };
        let shared = s.unary(heap.shared).get(d).or(s.unary(heap.entered).get(d));
        s.unary[heap.shared].set(d, shared);
        // A cycle closes if `d` leads to `a`, for which something has to lead there.
        let behind = a == d || s.unary(heap.entered).get(a) != Kleene::False;
        s.unary[heap.entered].set(d, Kleene::True);
        if !behind {
            return;
        }
        let mut rows = self.all_fields(s);
        close(&mut rows, s.optional());
        let ahead = rows[d].or(Lanes::definite(1 << d));
        if ahead.may >> a & 1 == 0 {
            return;
        }
        let leads_to_a = |u: usize| u == a || rows[u].may >> a & 1 == 1;
        let closed = lanes_of(ahead.may).filter(|&u| leads_to_a(u)).fold(0u64, |acc, u| acc | 1 << u);
        let cyclic = &mut s.unary[heap.cyclic];
        cyclic.may |= closed;
        if ahead.must >> a & 1 == 1 {
            cyclic.must |= 1 << a | 1 << d;
        }
    }

    /// The union of all fields, as rows.
    fn all_fields(&self, s: &Structure) -> Vec<Lanes> {
        let mut rows = vec![Lanes::FALSE; s.size()];
        for f in self.schema.fields() {
            let slot = self.schema.field(f);
            let one: Vec<Lanes> = if s.optional() == 0 {
                (0..s.size()).map(|u| s.row(slot, u)).collect()
            } else {
                s.adjusted_rows(slot)
            };
            rows.iter_mut().zip(one).for_each(|(all, row)| *all = all.or(row));
        }
        rows
    }

    /// Which individuals a field leads from to `target`; connections through optional ones count.
    fn predecessors(&self, s: &Structure, f: FieldId, target: usize) -> Lanes {
        let slot = self.schema.field(f);
        if s.optional() == 0 {
            return s.column(slot, target);
        }
        let mut lanes = Lanes::FALSE;
        for (u, row) in s.adjusted_rows(slot).into_iter().enumerate() {
            let mut value = row.get(target);
            if s.optional() >> u & 1 == 1 && value.must() {
                value = Kleene::Unknown;
            }
            lanes.set(u, value);
        }
        lanes
    }

    fn is_shared(&self, s: &Structure, f: FieldId, target: usize) -> Kleene {
        let from = self.predecessors(s, f, target);
        let several = |set: u64| set.count_ones() > 1 || set & s.summaries() != 0;
        Kleene::from_bits(from.must.count_ones() > 1, several(from.may))
    }

    /// Ends the life of a cell: of a heap cell by `free`, of a variable's cell at the end of its scope.
    fn free(&mut self, s: &Structure, x: VarId, heap: bool, out: &mut Outcome) {
        let schema = self.schema;
        let Some(a) = cell_of(schema, s, x) else {
            out.structures.push(s.clone());
            return;
        };
        let Some(freed) = schema.freed() else { return };
        let mut s = s.clone();
        if let (true, Some(pinned)) = (heap, schema.pinned()) {
            match s.unary(pinned).get(a) {
                Kleene::False => {}
                value => {
                    out.findings.push((FindingKind::Error(ErrorKind::InvalidFree), value.must()));
                    if value.must() {
                        return;
                    }
                    s.unary[pinned].set(a, Kleene::False);
                }
            }
        }
        match s.unary(freed).get(a) {
            Kleene::False => {}
            value => {
                out.findings.push((FindingKind::Error(ErrorKind::DoubleFree), value.must()));
                if value.must() {
                    return;
                }
                s.unary[freed].set(a, Kleene::False);
            }
        }
        // Its fields go one after the other, each refined first.
        let mut parts = vec![s];
        for f in schema.fields() {
            let mut next = Vec::new();
            for part in parts {
                let mut ignored = Outcome::default();
                for mut p in self.dereference(&part, x, f, &mut ignored) {
                    let dropped = self.cut(&mut p, x, f);
                    self.report_lost(&p, dropped, out);
                    self.written(&mut p, x, f);
                    next.push(p);
                }
                out.incomplete |= ignored.incomplete;
                out.refinement += ignored.refinement;
            }
            parts = next;
        }
        for mut part in parts {
            let Some(a) = cell_of(schema, &part, x) else { continue };
            part.unary[freed].set(a, Kleene::True);
            for &mark in schema.marks().iter().chain(schema.all_raw_data()) {
                part.unary[mark].set(a, Kleene::False);
            }
            if let Some(pinned) = schema.pinned() {
                part.unary[pinned].set(a, Kleene::False);
            }
            self.finish(part, 0, out);
        }
    }

    fn assume(&self, s: &Structure, c: Condition) -> Option<Structure> {
        let cell = |x: VarId| s.unary(self.schema.var(x)).must;
        // A new cell may lie where a freed one was: a dangling pointer may compare equal to any other.
        let freed = self.schema.freed().map_or(0, |slot| s.unary(slot).may);
        let dangles = |x: VarId, y: VarId| x != y && (cell(x) | cell(y)) & freed != 0;
        let holds = match c {
            Condition::Null(x) => cell(x) == 0,
            Condition::NotNull(x) => cell(x) != 0,
            Condition::Equal(x, y) => cell(x) == cell(y) || dangles(x, y) && cell(x) != 0 && cell(y) != 0,
            Condition::NotEqual(x, y) => cell(x) != cell(y),
            Condition::Flag(b, wanted) => {
                let slot = self.schema.flag(b);
                let value = s.nullary(slot);
                if value == Kleene::from(!wanted) {
                    return None;
                }
                let mut s = s.clone();
                s.set_nullary(slot, Kleene::from(wanted));
                return Some(s);
            }
        };
        holds.then(|| s.clone())
    }

    fn check(&self, s: &Structure, p: Property, out: &mut Outcome) {
        let schema = self.schema;
        let certain = s.universe() & !s.optional();
        let (kind, bad) = match p {
            Property::Acyclic(x, f) => {
                (FindingKind::Cyclic, s.unary(schema.reach(f, x)).and(s.unary(schema.cyclic(f))))
            }
            Property::Unshared(x, f) => {
                (FindingKind::Shared, s.unary(schema.reach(f, x)).and(s.unary(schema.shared(f))))
            }
            Property::LeadsBack(f, g) => match schema.back(f, g) {
                Some(back) => (FindingKind::NotBack, s.unary(back).not(s.universe())),
                None => {
                    // Without the predicate: any edge may fail to be led back.
                    let slot = schema.field(f);
                    let sources = (0..s.size()).filter(|&u| s.row(slot, u).may != 0);
                    (FindingKind::NotBack, Lanes { must: 0, may: sources.fold(0u64, |acc, u| acc | 1 << u) })
                }
            },
            Property::NoLeak => (FindingKind::Error(ErrorKind::Leak), self.unreachable(s)),
            Property::NothingAllocated => {
                let of = |slot: Option<usize>| slot.map_or(Lanes::FALSE, |slot| s.unary(slot));
                (
                    FindingKind::Error(ErrorKind::Leak),
                    of(schema.freed()).or(of(schema.pinned())).not(s.universe()),
                )
            }
        };
        if bad.may != 0 {
            out.findings.push((kind, bad.must & certain != 0));
        }
    }

    /// Cells that no variable may reach (`must`), or is not known to reach (`may`), and that are not freed.
    ///
    /// Reached are the cells that a variable points to or reaches along one field, and what a field of those leads to.
    fn unreachable(&self, s: &Structure) -> Lanes {
        let schema = self.schema;
        let mut reached = Lanes::FALSE;
        for z in schema.vars() {
            reached = reached.or(s.unary(schema.var(z)));
            for f in schema.fields() {
                reached = reached.or(s.unary(schema.reach(f, z)));
            }
        }
        loop {
            let mut more = reached;
            for f in schema.fields() {
                let slot = schema.field(f);
                for u in lanes_of(reached.may) {
                    let row = s.row(slot, u);
                    more.may |= row.may;
                    // A source that may not exist refers to nothing for certain.
                    if (reached.must & !s.optional()) >> u & 1 == 1 {
                        more.must |= row.must;
                    }
                }
            }
            if more == reached {
                break;
            }
            reached = more;
        }
        if let Some(freed) = schema.freed() {
            reached = reached.or(s.unary(freed));
        }
        reached.not(s.universe())
    }

    /// The cells that are not known to be reachable, given that all cells were so before the last reference went.
    ///
    /// If a field of another cell leads to a cell that lies on no cycle, then that other cell is reachable on a way
    /// that does not come through here, so it was not lost by what went here.
    fn lost(&self, s: &Structure) -> Lanes {
        let lost = self.unreachable(s);
        let Some(heap) = self.schema.heap() else { return lost };
        let held = s.unary(heap.entered).must & !s.unary(heap.cyclic).may;
        Lanes { must: lost.must, may: lost.may & !held }
    }

    /// Reports a leak if one of the `dropped` cells, to which a reference went, is not known to be reachable still.
    ///
    /// If every cell was reachable before and the targets of all references that went still are, then every cell
    /// is: on a path that used such a reference the part up to it can be exchanged. So only those need a look.
    fn report_lost(&self, s: &Structure, dropped: u64, out: &mut Outcome) {
        if dropped == 0 {
            return;
        }
        let lost = self.lost(s);
        if lost.may & dropped != 0 {
            out.findings
                .push((FindingKind::Error(ErrorKind::Leak), lost.must & dropped & !s.optional() != 0));
        }
    }

    /// Leaks are reported where they arise; freed cells that nothing refers to are dropped.
    fn finish(&self, s: Structure, dropped: u64, out: &mut Outcome) {
        self.report_lost(&s, dropped, out);
        let Some(freed) = self.schema.freed() else {
            out.structures.push(s);
            return;
        };
        let mut referenced = Lanes::FALSE;
        for z in self.schema.vars() {
            referenced = referenced.or(s.unary(self.schema.var(z)));
        }
        for (i, row) in s.binary.iter().enumerate() {
            referenced.may |= row.may;
            // A source that may not exist refers to nothing for certain.
            if s.optional() >> (i % s.size().max(1)) & 1 == 0 {
                referenced.must |= row.must;
            }
        }
        let dead = s.unary(freed).must & !referenced.may;
        let doubtful = s.unary(freed).must & referenced.unknown();
        if dead == 0 && doubtful == 0 {
            out.structures.push(s);
            return;
        }
        // Freed cells have no fields of their own, so dropping one changes nothing for others but the
        // edges that lead to it. Each doubtful one is either still referred to or gone.
        let mut subset = 0u64;
        loop {
            let mut part = s.clone();
            for row in &mut part.binary {
                row.must &= !subset;
                row.may &= !subset;
            }
            out.structures.push(part.restrict(!(dead | subset)));
            subset = subset.wrapping_sub(doubtful) & doubtful;
            if subset == 0 {
                return;
            }
        }
    }
}
