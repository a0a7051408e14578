//! Connectors: numeric relations between neighbouring cells that outlive summarisation.
//!
//! H. Siegel and A. Simon, *Shape analysis with connectors*, §3 and §4. A host analyses shapes; it names *cells* (objects and
//! variables, of a type `C` of its own) and says which *edges* are possible. This module holds the numbers in the fields of cells, in
//! an element of any domain ([`Element`]), and for edges *connectors*: copies of the fields of both ends, which say how
//! the ends are related wherever the edge exists. The host reports what happens:
//!
//! | event | what happens to connectors |
//! |---|---|
//! | [`fold`](Connected::fold): one cell is merged into another | missing ones of both are made first; those between the two are bent; those that correspond are folded with the cells, all at once; others move |
//! | [`expand`](Connected::expand): a cell is taken out of a summary | each is expanded together with the summary |
//! | [`holds`](Connected::holds): an edge certainly exists | the ends are equated with the connector, which goes |
//! | [`fails`](Connected::fails): an edge certainly does not exist | it goes |
//! | [`write`](Connected::write), [`link`](Connected::link): a field is written | copies of the field follow it; connectors that do not speak of the new edge go |
//!
//! With [`Kind::Transitive`] there is a connector `A.l ⇝ B` wherever a way that begins with field `l` of `A` may lead to `B`. Which
//! ways are possible is kept beside the connectors, because the edges of summaries say too little: what is to the left of a
//! root cannot be reached by way of its right field, also when both belong to one summary.
//!
//! **Meaning.** For every choice of an object for each summary, and of a second one for each edge of a summary to itself: there is a
//! point of the element whose fields are those of the objects chosen, and whose connectors are the fields of both ends wherever
//! the edge (or way) between the chosen objects exists. Connectors of edges that do not exist, and fields of summaries without
//! objects, may be any numbers. So nothing may be concluded from a connector before its edge is certain.
//!
//! A field without a name is unconstrained. Cost: one operation of the domain on twice as many variables as there are connectors
//! at the cells in question; ways are found by a search from each edge.

#[cfg(test)]
mod tests;

use crate::choice::{Element, Numeric};
use crate::interval::Interval;
use crate::linear::{Constraint, Dim, LinearExpr};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};

/// Which connectors there are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Kind {
    /// None: numbers in cells are related, and summaries forget it.
    #[default]
    None,
    /// Between cells that an edge connects.
    OneStep,
    /// Between a cell and all that can be reached from one of its fields.
    Transitive,
}

/// A field of a cell may lead to another one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge<C> {
    /// Where the pointer is.
    pub from: C,
    /// In which field.
    pub field: u64,
    /// Where it leads.
    pub to: C,
}

/// What a dimension stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Key<C> {
    Field(C, u64),
    Source(Edge<C>, u64),
    Target(Edge<C>, u64),
}

impl<C: Copy + Ord> Key<C> {
    fn edge(&self) -> Option<Edge<C>> {
        match self {
            Key::Field(..) => None,
            Key::Source(e, _) | Key::Target(e, _) => Some(*e),
        }
    }
    fn on(self, edge: Edge<C>) -> Key<C> {
        match self {
            Key::Field(..) => self,
            Key::Source(_, f) => Key::Source(edge, f),
            Key::Target(_, f) => Key::Target(edge, f),
        }
    }
}

/// Two keys of the same field: one that stays or was there, and one that goes or comes.
type Pair<C> = (Key<C>, Key<C>);

/// Numbers in the fields of cells, and connectors between them.
#[derive(Clone, Debug)]
pub struct Connected<C> {
    kind: Kind,
    numbers: Element,
    names: BTreeMap<Key<C>, Dim>,
    /// The edges that have a connector, also if nothing is known of its fields.
    connectors: BTreeSet<Edge<C>>,
    /// All ways that may exist are among these; `None` if only edges say.
    possible: Option<BTreeSet<Edge<C>>>,
    next: u32,
}

impl<C: Copy + Ord> PartialEq for Connected<C> {
    fn eq(&self, other: &Self) -> bool {
        self.leq(other) && other.leq(self)
    }
}
impl<C: Copy + Ord> Eq for Connected<C> {}
impl<C> Hash for Connected<C> {
    /// Elements have no normal form to hash; shapes tell states apart well enough.
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl<C: Copy + Ord> Connected<C> {
    /// Nothing is known.
    pub fn new(kind: Kind, domain: Numeric) -> Self {
        let (names, connectors) = Default::default();
        Connected { kind, numbers: domain.top(), names, connectors, possible: None, next: 0 }
    }
    /// The same kind and domain, and nothing is known.
    pub fn forgotten(&self) -> Self {
        Connected::new(self.kind, self.numbers.domain())
    }
    /// Whether no memory has these numbers.
    pub fn is_bottom(&self) -> bool {
        self.numbers.is_bottom()
    }
    /// Which connectors there are.
    pub fn kind(&self) -> Kind {
        self.kind
    }
    /// The edges that have a connector.
    pub fn connectors(&self) -> impl Iterator<Item = Edge<C>> {
        self.connectors.iter().copied()
    }

    fn name(&mut self, key: Key<C>) -> Dim {
        let next = &mut self.next;
        *self.names.entry(key).or_insert_with(|| {
            *next += 1;
            Dim(*next - 1)
        })
    }
    fn fields(&self, cell: C) -> Vec<u64> {
        let range = Key::Field(cell, 0)..=Key::Field(cell, u64::MAX);
        self.names
            .range(range)
            .filter_map(|(k, _)| if let Key::Field(_, f) = k { Some(*f) } else { None })
            .collect()
    }
    /// The keys of a connector.
    fn copies(&self, edge: Edge<C>) -> Vec<Key<C>> {
        let sources = self.names.range(Key::Source(edge, 0)..=Key::Source(edge, u64::MAX));
        let targets = self.names.range(Key::Target(edge, 0)..=Key::Target(edge, u64::MAX));
        sources.chain(targets).map(|(k, _)| *k).collect()
    }
    fn drop_keys(&mut self, keys: impl IntoIterator<Item = Key<C>>) {
        let dims: Vec<Dim> = keys.into_iter().filter_map(|k| self.names.remove(&k)).collect();
        self.numbers.forget_all(&dims);
    }
    fn drop_connector(&mut self, edge: Edge<C>) {
        if self.connectors.remove(&edge) {
            let keys = self.copies(edge);
            self.drop_keys(keys);
        }
    }
    /// Gives keys other names of cells; no two may become one.
    fn rekey(&mut self, key: impl Fn(Key<C>) -> Key<C>, edge: impl Fn(Edge<C>) -> Edge<C>) {
        self.names = std::mem::take(&mut self.names).into_iter().map(|(k, d)| (key(k), d)).collect();
        self.connectors = std::mem::take(&mut self.connectors).into_iter().map(&edge).collect();
        self.possible = self.possible.take().map(|all| all.into_iter().map(&edge).collect());
    }

    /// An expression for the number in a field.
    pub fn value(&mut self, cell: C, field: u64) -> LinearExpr {
        LinearExpr::var(self.name(Key::Field(cell, field)))
    }
    /// Whether a field has a name: it holds a number.
    pub fn has(&self, cell: C, field: u64) -> bool {
        self.names.contains_key(&Key::Field(cell, field))
    }
    /// What is known of the number in a field.
    pub fn range(&self, cell: C, field: u64) -> Interval {
        let known = self.names.get(&Key::Field(cell, field));
        known.map_or(Interval::FULL, |d| self.numbers.bounds(&LinearExpr::var(*d)))
    }
    /// Keeps what satisfies a constraint over [values](Connected::value).
    pub fn assume(&mut self, constraint: &Constraint) {
        self.numbers.assume_in_any_case(constraint);
    }
    /// A field of a single object is written; `None` if nothing is known of the number.
    pub fn write(&mut self, cell: C, field: u64, value: Option<&LinearExpr>) {
        match value {
            Some(value) => {
                let dim = self.name(Key::Field(cell, field));
                self.numbers.assign_in_any_case(dim, value);
            }
            None => self.drop_keys([Key::Field(cell, field)]),
        }
        // Copies of the field follow it: the object is the only one that they can be copies of.
        let ends =
            |e: &Edge<C>| [(e.from == cell, Key::Source(*e, field)), (e.to == cell, Key::Target(*e, field))];
        let copies: Vec<Key<C>> =
            self.connectors.iter().flat_map(ends).filter(|(is_end, _)| *is_end).map(|(_, k)| k).collect();
        for key in copies {
            match value {
                Some(_) => {
                    let (from, to) = (self.name(Key::Field(cell, field)), self.name(key));
                    self.numbers.assign_in_any_case(to, &LinearExpr::var(from));
                }
                None => self.drop_keys([key]),
            }
        }
    }
    /// Bytes of some object of a summary, or bytes that are not known, are written: nothing is known of fields that begin there.
    pub fn blur(&mut self, cell: C, fields: std::ops::Range<u64>) {
        let hit = |k: &Key<C>| match k {
            Key::Field(c, f) => *c == cell && fields.contains(f),
            Key::Source(e, f) => e.from == cell && fields.contains(f),
            Key::Target(e, f) => e.to == cell && fields.contains(f),
        };
        let keys: Vec<Key<C>> = self.names.keys().filter(|k| hit(k)).copied().collect();
        self.drop_keys(keys);
    }
    /// A pointer is written: a field may lead to other cells now, and to what it led to before only if the write is `weak`.
    /// `edges` are the possible edges with the new ones.
    pub fn link(&mut self, from: C, field: u64, to: &[C], weak: bool, edges: &BTreeSet<Edge<C>>) {
        let gone: Vec<Edge<C>> = match self.kind {
            Kind::None => Vec::new(),
            Kind::Transitive if to.is_empty() => Vec::new(),
            Kind::OneStep => {
                let here = |e: &&Edge<C>| e.from == from && e.field == field && (!weak || to.contains(&e.to));
                self.connectors.iter().filter(here).copied().collect()
            }
            Kind::Transitive => {
                // New ways run through the new edge, or begin with it.
                let known = self.ways(edges);
                let mut ahead: BTreeSet<C> = to.iter().copied().collect();
                ahead.extend(known.iter().filter(|e| to.contains(&e.from)).map(|e| e.to));
                let mut begins: BTreeSet<(C, u64)> =
                    known.iter().filter(|e| e.to == from).map(|e| (e.from, e.field)).collect();
                begins.insert((from, field));
                let ends =
                    |(from, field): (C, u64)| ahead.iter().map(move |to| Edge { from, field, to: *to });
                let new: Vec<Edge<C>> = begins.into_iter().flat_map(ends).collect();
                if let Some(possible) = &mut self.possible {
                    possible.extend(&new);
                }
                new
            }
        };
        gone.into_iter().for_each(|e| self.drop_connector(e));
    }
    /// Cells that are gone, or whose names are used anew.
    pub fn retain(&mut self, keep: impl Fn(C) -> bool) {
        let whole = |e: &Edge<C>| keep(e.from) && keep(e.to);
        let gone = |k: &Key<C>| match k {
            Key::Field(c, _) => !keep(*c),
            Key::Source(e, _) | Key::Target(e, _) => !whole(e),
        };
        let keys: Vec<Key<C>> = self.names.keys().filter(|k| gone(k)).copied().collect();
        self.connectors.retain(whole);
        self.possible.iter_mut().for_each(|all| all.retain(whole));
        self.drop_keys(keys);
    }
    /// Other names for cells; no two may become one.
    pub fn renamed(&self, name: impl Fn(C) -> C) -> Self {
        let edge = |e: Edge<C>| Edge { from: name(e.from), to: name(e.to), ..e };
        let mut out = self.clone();
        out.rekey(
            |k| match k {
                Key::Field(c, f) => Key::Field(name(c), f),
                Key::Source(e, f) => Key::Source(edge(e), f),
                Key::Target(e, f) => Key::Target(edge(e), f),
            },
            edge,
        );
        out
    }

    /// The edges, or ways, that connectors are for.
    fn ways(&self, edges: &BTreeSet<Edge<C>>) -> BTreeSet<Edge<C>> {
        match self.kind {
            Kind::None => BTreeSet::new(),
            Kind::OneStep => edges.clone(),
            Kind::Transitive => {
                let along = |e: &Edge<C>| {
                    reached([e.to], edges).into_iter().map(|to| Edge { to, ..*e }).collect::<Vec<_>>()
                };
                let all = edges.iter().flat_map(along);
                match &self.possible {
                    Some(possible) => all.filter(|e| possible.contains(e)).collect(),
                    None => all.collect(),
                }
            }
        }
    }
    /// Makes the connector of an edge that has none, from what its ends hold. It is there also if they hold no numbers: that
    /// there is none says that the edge is not possible.
    fn create(&mut self, edge: Edge<C>) {
        if !self.connectors.insert(edge) {
            return;
        }
        let (sources, targets) = (self.fields(edge.from), self.fields(edge.to));
        let mut named = |fields: &[u64], from: &dyn Fn(u64) -> Key<C>, to: &dyn Fn(u64) -> Key<C>| {
            let (group, copies): (Vec<Dim>, Vec<Dim>) =
                fields.iter().map(|f| (self.name(from(*f)), self.name(to(*f)))).unzip();
            (group, copies)
        };
        let source = named(&sources, &|f| Key::Field(edge.from, f), &|f| Key::Source(edge, f));
        let target = named(&targets, &|f| Key::Field(edge.to, f), &|f| Key::Target(edge, f));
        if edge.from == edge.to {
            // The other end is another object of the same summary.
            self.another(edge.from, &target);
        } else {
            self.numbers.copy(&target.0, &target.1);
        }
        self.numbers.copy(&source.0, &source.1);
    }

    /// Gives variables the values of fields of another object of a summary: all that is said of one object, its fields and
    /// its ends of connectors, is expanded together.
    fn another(&mut self, cell: C, (fields, copies): &(Vec<Dim>, Vec<Dim>)) {
        let mut group = fields.clone();
        let ends = |k: &Key<C>| match k {
            Key::Field(c, _) => *c == cell,
            Key::Source(e, _) | Key::Target(e, _) => e.from == cell || e.to == cell,
        };
        let others = self.names.iter().filter(|(k, d)| ends(k) && !fields.contains(d) && !copies.contains(d));
        group.extend(others.map(|(_, d)| *d));
        let mut other = copies.clone();
        let fresh = group.len().saturating_sub(copies.len()) as u32;
        let spare: Vec<Dim> = (0..fresh).map(|i| Dim(self.next + i)).collect();
        other.extend(&spare);
        self.numbers.expand(&group, &other);
        self.numbers.forget_all(&spare);
    }

    /// Folds pairs of keys, kept and merged, all at once. What is known of only one of a pair is forgotten.
    fn fold_keys(&mut self, pairs: &[(Key<C>, Key<C>)]) {
        let both = |(k, m): &&(Key<C>, Key<C>)| self.names.contains_key(k) && self.names.contains_key(m);
        let (both, single): (Vec<&Pair<C>>, Vec<&Pair<C>>) = pairs.iter().partition(both);
        self.drop_keys(single.into_iter().flat_map(|(k, m)| [*k, *m]));
        let dim = |k: &Key<C>| self.names.get(k).copied();
        let (kept, merged): (Vec<Dim>, Vec<Dim>) =
            both.iter().filter_map(|(k, m)| dim(k).zip(dim(m))).unzip();
        self.numbers.fold(&kept, &merged);
        self.drop_keys(both.into_iter().map(|(_, m)| *m));
    }
    /// Pairs of all keys of two connectors.
    fn paired(&self, kept: Edge<C>, merged: Edge<C>) -> Vec<(Key<C>, Key<C>)> {
        let mut keys: BTreeSet<Key<C>> = self.copies(kept).into_iter().collect();
        keys.extend(self.copies(merged).into_iter().map(|k| k.on(kept)));
        keys.into_iter().map(|k| (k, k.on(merged))).collect()
    }
    /// A connector becomes that of another edge; if there is one already, both are folded.
    fn bend(&mut self, edge: Edge<C>, to: Edge<C>) {
        if edge == to || !self.connectors.contains(&edge) {
            return;
        }
        if self.connectors.contains(&to) {
            let pairs = self.paired(to, edge);
            self.fold_keys(&pairs);
        } else {
            let keys = self.copies(edge);
            for k in keys {
                if let Some(d) = self.names.remove(&k) {
                    self.names.insert(k.on(to), d);
                }
            }
            self.connectors.insert(to);
        }
        self.connectors.remove(&edge);
    }

    /// A cell is merged into another one, which becomes a summary. `edges` are the possible edges before.
    pub fn fold(&mut self, into: C, cell: C, edges: &BTreeSet<Edge<C>>) {
        if into == cell {
            return;
        }
        let ends = |e: &Edge<C>| [into, cell].contains(&e.from) || [into, cell].contains(&e.to);
        let ways = self.ways(edges);
        ways.iter().filter(|e| ends(e)).for_each(|e| self.create(*e));
        // No connector between the two is left.
        let between: Vec<Edge<C>> = self.connectors.iter().copied().collect();
        for e in between {
            if e.from == cell && e.to == into {
                self.bend(e, Edge { to: cell, ..e });
            } else if e.from == into && e.to == cell {
                self.bend(e, Edge { to: into, ..e });
            }
        }
        let moved = |c: C| if c == cell { into } else { c };
        if self.kind == Kind::Transitive {
            let merged = |e: Edge<C>| Edge { from: moved(e.from), to: moved(e.to), ..e };
            self.possible = Some(ways.into_iter().map(merged).collect());
        }
        let attached: Vec<Edge<C>> =
            self.connectors.iter().filter(|e| e.from == cell || e.to == cell).copied().collect();
        let mut fields: BTreeSet<u64> = self.fields(into).into_iter().collect();
        fields.extend(self.fields(cell));
        let mut pairs: Vec<(Key<C>, Key<C>)> =
            fields.into_iter().map(|f| (Key::Field(into, f), Key::Field(cell, f))).collect();
        let (mut folded, mut alone) = (Vec::new(), Vec::new());
        for e in attached {
            let kept = Edge { from: moved(e.from), to: moved(e.to), ..e };
            if self.connectors.contains(&kept) {
                pairs.extend(self.paired(kept, e));
                folded.push(e);
            } else {
                alone.push((e, kept));
            }
        }
        self.fold_keys(&pairs);
        folded.iter().for_each(|e| {
            self.connectors.remove(e);
        });
        alone.into_iter().for_each(|(e, kept)| self.bend(e, kept));
    }

    /// A cell with a new name is taken out of a summary: all that is said of the summary is said of it.
    pub fn expand(&mut self, from: C, cell: C) {
        let attached: Vec<Edge<C>> =
            self.connectors.iter().filter(|e| e.from == from || e.to == from).copied().collect();
        let moved = |c: C| if c == from { cell } else { c };
        if let Some(possible) = &mut self.possible {
            let mut new = BTreeSet::new();
            for e in possible.iter().filter(|e| e.from == from || e.to == from) {
                new.extend([Edge { from: moved(e.from), ..*e }, Edge { to: moved(e.to), ..*e }]);
                new.insert(Edge { from: moved(e.from), to: moved(e.to), ..*e });
            }
            possible.extend(new);
        }
        let mut pairs: Vec<(Key<C>, Key<C>)> =
            self.fields(from).into_iter().map(|f| (Key::Field(from, f), Key::Field(cell, f))).collect();
        for e in &attached {
            let copy = Edge { from: moved(e.from), to: moved(e.to), ..*e };
            pairs.extend(self.copies(*e).into_iter().map(|k| (k, k.on(copy))));
            self.connectors.insert(copy);
        }
        // Edges between the two: of each an independent copy of all that is said of an object, of which the connector
        // of the summary to itself is kept. A copy of the connector alone would share with it what connectors of edges
        // that do not exist are taken to be.
        let group: Vec<Dim> = pairs.iter().map(|(k, _)| self.name(*k)).collect();
        for e in attached.into_iter().filter(|e| e.from == from && e.to == from) {
            for copy in [Edge { to: cell, ..e }, Edge { from: cell, ..e }] {
                let spare: Vec<Dim> = (0..group.len() as u32).map(|i| Dim(self.next + i)).collect();
                self.next += group.len() as u32;
                self.numbers.expand(&group, &spare);
                let of_loop =
                    |((k, _), d): (&Pair<C>, &Dim)| (k.edge() == Some(e)).then_some((k.on(copy), *d));
                let kept: Vec<(Key<C>, Dim)> = pairs.iter().zip(&spare).filter_map(of_loop).collect();
                let rest: Vec<Dim> =
                    spare.iter().filter(|d| kept.iter().all(|(_, k)| k != *d)).copied().collect();
                self.numbers.forget_all(&rest);
                self.names.extend(kept);
                self.connectors.insert(copy);
            }
        }
        self.drop_keys(pairs.iter().map(|p| p.1));
        let copies: Vec<Dim> = pairs.iter().map(|(_, k)| self.name(*k)).collect();
        self.numbers.expand(&group, &copies);
    }

    /// An edge (or way) between two objects certainly exists: what its connector says holds of them.
    pub fn holds(&mut self, edge: Edge<C>) {
        if !self.connectors.contains(&edge) {
            return;
        }
        for key in self.copies(edge) {
            let (Key::Source(e, f) | Key::Target(e, f)) = key else { continue };
            let cell = if matches!(key, Key::Source(..)) { e.from } else { e.to };
            let (a, b) = (self.name(Key::Field(cell, f)), self.name(key));
            self.numbers.equate(&[a], &[b]);
        }
        self.drop_connector(edge);
    }
    /// An edge (or way) between two cells certainly does not exist.
    pub fn fails(&mut self, edge: Edge<C>) {
        self.drop_connector(edge);
    }
    /// Applies and drops connectors by what is known of edges: `certain` says which single objects a field of a single object
    /// certainly leads to, `edges` are all that are possible.
    pub fn settle(&mut self, certain: &BTreeMap<(C, u64), C>, edges: &BTreeSet<Edge<C>>) {
        let ways = self.ways(edges);
        if self.kind == Kind::Transitive {
            self.possible = Some(ways.clone());
        }
        if self.connectors.is_empty() {
            return;
        }
        let absent: Vec<Edge<C>> = self.connectors.iter().filter(|e| !ways.contains(*e)).copied().collect();
        absent.into_iter().for_each(|e| self.fails(e));
        let sure: Vec<Edge<C>> = match self.kind {
            Kind::None => Vec::new(),
            Kind::OneStep => certain
                .iter()
                .map(|((from, field), to)| Edge { from: *from, field: *field, to: *to })
                .collect(),
            Kind::Transitive => {
                let sure: BTreeSet<Edge<C>> = certain
                    .iter()
                    .map(|((from, field), to)| Edge { from: *from, field: *field, to: *to })
                    .collect();
                self.ways(&sure).into_iter().collect()
            }
        };
        sure.into_iter().for_each(|e| self.holds(e));
    }

    /// The same names for the same keys as in `other`, and other names for others.
    fn aligned(&self, other: &Self) -> Self {
        let mut out = self.clone();
        out.next = out.next.max(other.next);
        let mut map = Vec::new();
        for (k, d) in &mut out.names {
            let to = other.names.get(k).copied().unwrap_or_else(|| {
                out.next += 1;
                Dim(out.next - 1)
            });
            map.push((*d, to));
            *d = to;
        }
        out.numbers.rename(&map);
        out
    }
    /// Says of the keys that only `other` has what is said there of these alone. They belong to cells that are missing here,
    /// or to edges that are not possible, so that they may be any numbers.
    fn completed(&mut self, other: &Self, missing: impl Fn(C) -> bool, edges: &BTreeSet<Edge<C>>) {
        let ways = self.ways(edges);
        let possible: Vec<Edge<C>> = ways
            .iter()
            .filter(|e| other.connectors.contains(*e) && !self.connectors.contains(*e))
            .copied()
            .collect();
        possible.into_iter().for_each(|e| self.create(e));
        *self = self.aligned(other);
        let free = |k: &Key<C>| match (k, k.edge()) {
            (Key::Field(c, _), _) => missing(*c),
            (_, Some(e)) => !ways.contains(&e),
            _ => false,
        };
        let taken: Vec<(Key<C>, Dim)> = other
            .names
            .iter()
            .filter(|(k, _)| !self.names.contains_key(*k) && free(k))
            .map(|(k, d)| (*k, *d))
            .collect();
        let dims: BTreeSet<Dim> = taken.iter().map(|t| t.1).collect();
        let mut part = other.numbers.clone();
        let others: Vec<Dim> = part.dims().into_iter().filter(|d| !dims.contains(d)).collect();
        part.forget_all(&others);
        if !part.is_bottom() {
            self.numbers = self.numbers.meet(&part);
            self.names.extend(taken);
            self.connectors.extend(other.connectors.iter().filter(|e| !ways.contains(*e)));
        }
    }
    /// A description of both, with elements put together by `join`. For each side: which cells it does not have, and its
    /// possible edges.
    pub fn join(
        &self,
        other: &Self,
        (missing_here, edges_here): (impl Fn(C) -> bool, &BTreeSet<Edge<C>>),
        (missing_there, edges_there): (impl Fn(C) -> bool, &BTreeSet<Edge<C>>),
        join: impl Fn(&Element, &Element) -> Element,
    ) -> Self {
        if self.is_bottom() || other.is_bottom() {
            return if self.is_bottom() { other.clone() } else { self.clone() };
        }
        let (mut a, mut b) = (self.clone(), other.clone());
        let mut possible = self.ways(edges_here);
        possible.extend(other.ways(edges_there));
        let original = a.clone();
        a.completed(&b, missing_here, edges_here);
        b.completed(&original, missing_there, edges_there);
        let mut a = a.aligned(&b);
        // Connectors that one side could not be given are dropped: their edges are possible there.
        a.connectors.retain(|e| b.connectors.contains(e));
        let unknown: Vec<Key<C>> = a
            .names
            .keys()
            .filter(|k| !b.names.contains_key(*k) || k.edge().is_some_and(|e| !a.connectors.contains(&e)))
            .copied()
            .collect();
        a.drop_keys(unknown);
        let only: Vec<Key<C>> = b.names.keys().filter(|k| !a.names.contains_key(*k)).copied().collect();
        b.drop_keys(only);
        a.next = a.next.max(b.next);
        a.possible = Some(possible).filter(|_| self.kind == Kind::Transitive);
        a.numbers = join(&a.numbers, &b.numbers);
        a
    }
    /// Whether all that `other` says holds here, key by key.
    pub fn leq(&self, other: &Self) -> bool {
        if self.is_bottom() {
            return true;
        }
        let ways = match (&self.possible, &other.possible) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(here), Some(there)) => here.is_subset(there),
        };
        ways && other.connectors.is_subset(&self.connectors)
            && self.aligned(other).numbers.leq(&other.numbers)
    }
    /// Whether all that `other` says holds here, where cells of `other` that are missing here and edges that are not possible
    /// here may have any numbers.
    pub fn is_described_by(
        &self,
        other: &Self,
        missing: impl Fn(C) -> bool,
        edges: &BTreeSet<Edge<C>>,
    ) -> bool {
        let mut whole = self.clone();
        whole.possible = Some(self.ways(edges)).filter(|_| self.kind == Kind::Transitive);
        whole.completed(other, missing, edges);
        whole.leq(other)
    }
    /// Whether the element has a point for one choice of objects, by the meaning of the module's page: `value` says what is in a
    /// field of the first or second object that is chosen for a cell (`None` if that may be any number), `leads` whether
    /// the edge (or way) exists between the objects chosen for its ends.
    pub fn admits(
        &self,
        value: impl Fn(C, u64, bool) -> Option<i128>,
        leads: impl Fn(Edge<C>) -> bool,
    ) -> bool {
        let mut numbers = self.numbers.clone();
        for (key, dim) in &self.names {
            let held = match key {
                Key::Field(c, f) => value(*c, *f, false),
                Key::Source(e, f) => leads(*e).then(|| value(e.from, *f, false)).flatten(),
                Key::Target(e, f) => leads(*e).then(|| value(e.to, *f, e.from == e.to)).flatten(),
            };
            let equal = held.and_then(|v| Constraint::eq(&LinearExpr::var(*dim), &LinearExpr::constant(v)));
            equal.iter().for_each(|c| numbers.assume_in_any_case(c));
        }
        !numbers.is_bottom()
    }
}

/// The cells that can be reached from some along edges, these included.
fn reached<C: Copy + Ord>(from: impl IntoIterator<Item = C>, edges: &BTreeSet<Edge<C>>) -> BTreeSet<C> {
    let mut found: BTreeSet<C> = BTreeSet::new();
    let mut todo: Vec<C> = from.into_iter().collect();
    while let Some(c) = todo.pop() {
        if found.insert(c) {
            todo.extend(edges.iter().filter(|e| e.from == c).map(|e| e.to));
        }
    }
    found
}
