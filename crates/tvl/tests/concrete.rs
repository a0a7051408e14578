//! The specialised engine against concrete heaps: random programs are run concretely, and every heap that
//! arises at a location must be described by the structures that the analysis computed there; whatever
//! goes wrong concretely must have been reported.

use heapwise_property::ErrorKind;
use heapwise_tvl::domain::Embedding;
use heapwise_tvl::embedding::embeds;
use heapwise_tvl::eval::Evaluator;
use heapwise_tvl::formula::MAX_VARS;
use heapwise_tvl::kleene::Kleene;
use heapwise_tvl::program::{
    Condition, DataId, FieldId, FlagId, FlagValue, LocationId, MarkId, Program, Property, Statement, VarId,
};
use heapwise_tvl::samples;
use heapwise_tvl::schema::{Schema, Tracking};
use heapwise_tvl::solver::Stop;
use heapwise_tvl::specialised::{Analysis, Options, analyse};
use heapwise_tvl::structure::Structure;
use heapwise_tvl::transfer::FindingKind;
use heapwise_tvl::vocabulary::Meaning;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// A concrete cell.
#[derive(Clone, Debug, Default)]
struct Cell {
    fields: Vec<Option<u32>>,
    raw: Vec<bool>,
    marks: Vec<bool>,
    raw_data: Vec<bool>,
    freed: bool,
    pinned: bool,
}

#[derive(Clone, Debug)]
struct Heap {
    cells: BTreeMap<u32, Cell>,
    vars: Vec<Option<u32>>,
    flags: Vec<bool>,
    next: u32,
}

impl Heap {
    fn start(p: &Program) -> Heap {
        Heap {
            cells: BTreeMap::new(),
            vars: vec![None; p.variables.len()],
            flags: vec![false; p.flags.len()],
            next: 0,
        }
    }

    fn flag(&self, v: FlagValue, coin: &mut impl FnMut() -> bool) -> bool {
        match v {
            FlagValue::Constant(b) => b,
            FlagValue::Unknown => coin(),
            FlagValue::Flag(FlagId(b)) => self.flags[b as usize],
            FlagValue::NotFlag(FlagId(b)) => !self.flags[b as usize],
        }
    }

    /// Whether a freed cell that one of the variables points to lies where the other's is.
    fn may_coincide(&self, x: VarId, y: VarId, coin: &mut impl FnMut() -> bool) -> bool {
        let (Some(a), Some(b)) = (self.vars[x.0 as usize], self.vars[y.0 as usize]) else { return false };
        a != b && self.cells[&a].freed != self.cells[&b].freed && coin()
    }

    fn live(&self, x: VarId) -> Result<u32, FindingKind> {
        let cell = self.vars[x.0 as usize].ok_or(FindingKind::Error(ErrorKind::NullDeref))?;
        if self.cells[&cell].freed { Err(FindingKind::Error(ErrorKind::UseAfterFree)) } else { Ok(cell) }
    }

    /// Runs a statement: false if an assumption fails, an error if something goes wrong.
    fn step(
        &mut self,
        p: &Program,
        s: Statement,
        coin: &mut impl FnMut() -> bool,
    ) -> Result<bool, FindingKind> {
        let set = |h: &mut Heap, x: VarId, v: Option<u32>| h.vars[x.0 as usize] = v;
        match s {
            Statement::Skip | Statement::Assert(_) | Statement::Forget(_) => {}
            Statement::Touch(x) => {
                self.live(x)?;
            }
            Statement::WriteData(x, d) => {
                let cell = self.live(x)?;
                self.cells.get_mut(&cell).unwrap().raw_data[d.0 as usize] = false;
            }
            Statement::ReadData(x, d) => {
                let cell = self.live(x)?;
                if self.cells[&cell].raw_data[d.0 as usize] {
                    return Err(FindingKind::Error(ErrorKind::Uninitialised));
                }
            }
            Statement::SetNull(x) => set(self, x, None),
            Statement::Copy(x, y) => {
                let v = self.vars[y.0 as usize];
                set(self, x, v);
            }
            Statement::Move(x, y) => {
                let v = self.vars[y.0 as usize];
                if x != y {
                    set(self, x, v);
                    set(self, y, None);
                }
            }
            Statement::New { target, zeroed } | Statement::Local { target, zeroed } => {
                let cell = Cell {
                    pinned: matches!(s, Statement::Local { .. }),
                    fields: vec![None; p.fields.len()],
                    raw: vec![!zeroed; p.fields.len()],
                    marks: (0..p.marks.len()).map(|_| !zeroed && coin()).collect(),
                    raw_data: vec![!zeroed; p.data.len()],
                    freed: false,
                };
                self.cells.insert(self.next, cell);
                set(self, target, Some(self.next));
                self.next += 1;
            }
            Statement::Load(x, y, f) => {
                let cell = self.live(y)?;
                if self.cells[&cell].raw[f.0 as usize] {
                    return Err(FindingKind::Error(ErrorKind::Uninitialised));
                }
                let v = self.cells[&cell].fields[f.0 as usize];
                set(self, x, v);
            }
            Statement::StoreNull(x, f) => {
                let cell = self.live(x)?;
                let c = self.cells.get_mut(&cell).unwrap();
                (c.fields[f.0 as usize], c.raw[f.0 as usize]) = (None, false);
            }
            Statement::Store(x, f, y) => {
                let cell = self.live(x)?;
                let v = self.vars[y.0 as usize];
                let c = self.cells.get_mut(&cell).unwrap();
                (c.fields[f.0 as usize], c.raw[f.0 as usize]) = (v, false);
            }
            Statement::Free(x) | Statement::End(x) => {
                if let Some(cell) = self.vars[x.0 as usize] {
                    let c = self.cells.get_mut(&cell).unwrap();
                    if c.pinned && matches!(s, Statement::Free(_)) {
                        return Err(FindingKind::Error(ErrorKind::InvalidFree));
                    }
                    if c.freed {
                        return Err(FindingKind::Error(ErrorKind::DoubleFree));
                    }
                    (c.freed, c.pinned) = (true, false);
                    c.fields.fill(None);
                    c.raw.fill(false);
                    c.marks.fill(false);
                    c.raw_data.fill(false);
                }
            }
            Statement::Assume(c) => {
                let v = |x: VarId| self.vars[x.0 as usize];
                return Ok(match c {
                    Condition::Null(x) => v(x).is_none(),
                    Condition::NotNull(x) => v(x).is_some(),
                    Condition::Equal(x, y) => v(x) == v(y) || self.may_coincide(x, y, coin),
                    Condition::NotEqual(x, y) => v(x) != v(y) && !self.may_coincide(x, y, coin),
                    Condition::Flag(FlagId(b), wanted) => self.flags[b as usize] == wanted,
                });
            }
            Statement::SetFlag(FlagId(b), v) => self.flags[b as usize] = self.flag(v, coin),
            Statement::LoadMark(FlagId(b), x, MarkId(m)) => {
                let cell = self.live(x)?;
                self.flags[b as usize] = self.cells[&cell].marks[m as usize];
            }
            Statement::StoreMark(x, MarkId(m), v) => {
                let cell = self.live(x)?;
                let v = self.flag(v, coin);
                self.cells.get_mut(&cell).unwrap().marks[m as usize] = v;
            }
        }
        // Freed cells that nothing refers to are gone.
        let mut referenced: Vec<u32> = self.vars.iter().flatten().copied().collect();
        referenced.extend(self.cells.values().flat_map(|c| c.fields.iter().flatten().copied()));
        self.cells.retain(|id, c| !c.freed || referenced.contains(id));
        Ok(true)
    }

    /// Whether some cell that is not freed is not reachable.
    fn leaks(&self) -> bool {
        let mut reached: Vec<u32> = self.vars.iter().flatten().copied().collect();
        let mut next = 0;
        while next < reached.len() {
            for target in self.cells[&reached[next]].fields.iter().flatten() {
                if !reached.contains(target) {
                    reached.push(*target);
                }
            }
            next += 1;
        }
        self.cells.iter().any(|(id, c)| !c.freed && !reached.contains(id))
    }

    /// The heap as a two-valued structure with all instrumentation predicates evaluated.
    fn structure(&self, schema: &Schema) -> Structure {
        let voc = &schema.vocabulary;
        let mut s = Structure::with_size(voc, self.cells.len()).unwrap();
        let index: BTreeMap<u32, usize> = self.cells.keys().enumerate().map(|(i, &id)| (id, i)).collect();
        let one = |s: &mut Structure, slot: usize, node: usize| {
            let mut lanes = s.unary(slot);
            lanes.set(node, Kleene::True);
            s.set_unary(slot, lanes);
        };
        for (b, &v) in self.flags.iter().enumerate() {
            s.set_nullary(b, Kleene::from(v));
        }
        for (x, v) in self.vars.iter().enumerate() {
            if let Some(cell) = v {
                one(&mut s, schema.var(VarId(x as u32)), index[cell]);
            }
        }
        for (id, c) in &self.cells {
            let node = index[id];
            for (f, target) in c.fields.iter().enumerate() {
                if let Some(t) = target {
                    let mut row = s.row(f, node);
                    row.set(index[t], Kleene::True);
                    s.set_row(f, node, row);
                }
                if let Some(raw) = schema.raw(FieldId(f as u32))
                    && c.raw[f]
                {
                    one(&mut s, raw, node);
                }
            }
            for (m, &v) in c.marks.iter().enumerate() {
                if v {
                    one(&mut s, schema.mark(MarkId(m as u32)), node);
                }
            }
            for (d, &v) in c.raw_data.iter().enumerate() {
                if let Some(raw) = schema.raw_data(DataId(d as u32))
                    && v
                {
                    one(&mut s, raw, node);
                }
            }
            if let Some(pinned) = schema.pinned()
                && c.pinned
            {
                one(&mut s, pinned, node);
            }
            if let Some(freed) = schema.freed()
                && c.freed
            {
                one(&mut s, freed, node);
            }
        }
        for id in voc.ids() {
            if let Meaning::Instrumentation { params, definition } = &voc.get(id).meaning {
                let lanes = Evaluator::new(voc, &s).lanes(definition, &mut [0; MAX_VARS], params[0]);
                s.set_unary(voc.get(id).slot, lanes);
            }
        }
        s
    }
}

fn reported(a: &Analysis, edge: usize, kind: FindingKind) -> bool {
    a.findings.iter().any(|f| f.edge == edge && f.kind == kind)
}

/// Runs the program at random and compares every state with the analysis.
fn compare(p: &Program, a: &Analysis, mut random: impl FnMut(usize) -> usize) -> Result<usize, String> {
    let mut visited = 0;
    for _ in 0..6 {
        let mut heap = Heap::start(p);
        let mut at = LocationId(p.entry);
        for _ in 0..60 {
            let out: Vec<usize> = (0..p.edges.len()).filter(|&e| p.edges[e].from == at).collect();
            if out.is_empty() || heap.cells.len() > 7 {
                break;
            }
            let e = out[random(out.len())];
            let edge = p.edges[e];
            let mut next = heap.clone();
            match next.step(p, edge.statement, &mut || random(2) == 1) {
                Ok(false) => continue,
                Err(kind) => {
                    if !reported(a, e, kind) {
                        return Err(format!("{kind:?} at edge {e} {:?} is not reported", edge.statement));
                    }
                    break;
                }
                Ok(true) => {}
            }
            let assumption =
                matches!(edge.statement, Statement::Assume(_) | Statement::Skip | Statement::Assert(_));
            if !assumption
                && next.leaks()
                && !heap.leaks()
                && !reported(a, e, FindingKind::Error(ErrorKind::Leak))
            {
                return Err(format!("a leak at edge {e} {:?} is not reported", edge.statement));
            }
            heap = next;
            at = edge.to;
            let s = heap.structure(&a.schema);
            visited += 1;
            if !a.sets[at.0 as usize].iter().any(|abs| embeds(&s, abs)) {
                return Err(format!(
                    "after edge {e} {:?} the heap {heap:?} is not covered at location {}",
                    edge.statement, at.0
                ));
            }
        }
    }
    Ok(visited)
}

fn statement(vars: u32, fields: u32) -> impl Strategy<Value = Statement> {
    let x = move || (0..vars).prop_map(VarId);
    let f = move || (0..fields).prop_map(FieldId);
    let value = || {
        prop_oneof![
            any::<bool>().prop_map(FlagValue::Constant),
            Just(FlagValue::Unknown),
            Just(FlagValue::Flag(FlagId(0))),
            Just(FlagValue::NotFlag(FlagId(0))),
        ]
    };
    prop_oneof![
        1 => x().prop_map(Statement::SetNull),
        3 => (x(), x()).prop_map(|(x, y)| Statement::Copy(x, y)),
        1 => (x(), x()).prop_map(|(x, y)| Statement::Move(x, y)),
        4 => (x(), proptest::bool::weighted(0.8)).prop_map(|(target, zeroed)| Statement::New { target, zeroed }),
        5 => (x(), x(), f()).prop_map(|(x, y, f)| Statement::Load(x, y, f)),
        6 => (x(), f(), x()).prop_map(|(x, f, y)| Statement::Store(x, f, y)),
        2 => (x(), f()).prop_map(|(x, f)| Statement::StoreNull(x, f)),
        1 => x().prop_map(Statement::Free),
        1 => (x(), any::<bool>()).prop_map(|(target, zeroed)| Statement::Local { target, zeroed }),
        1 => x().prop_map(Statement::End),
        1 => x().prop_map(Statement::Touch),
        1 => x().prop_map(|x| Statement::WriteData(x, DataId(0))),
        1 => x().prop_map(|x| Statement::ReadData(x, DataId(0))),
        1 => x().prop_map(|x| Statement::Assume(Condition::NotNull(x))),
        1 => x().prop_map(|x| Statement::Assume(Condition::Null(x))),
        1 => (x(), x()).prop_map(|(x, y)| Statement::Assume(Condition::Equal(x, y))),
        1 => (x(), x()).prop_map(|(x, y)| Statement::Assume(Condition::NotEqual(x, y))),
        1 => any::<bool>().prop_map(|b| Statement::Assume(Condition::Flag(FlagId(0), b))),
        1 => value().prop_map(|v| Statement::SetFlag(FlagId(0), v)),
        1 => x().prop_map(|x| Statement::LoadMark(FlagId(0), x, MarkId(0))),
        1 => (x(), value()).prop_map(|(x, v)| Statement::StoreMark(x, MarkId(0), v)),
    ]
}

/// Programs of random edges over a few locations; loops arise by chance.
fn program(fields: u32) -> impl Strategy<Value = Program> {
    let edge = (0u32..5, 0u32..5, statement(3, fields));
    (proptest::collection::vec(statement(3, fields), 0..6), proptest::collection::vec(edge, 4..12)).prop_map(
        move |(prefix, edges)| {
            let mut p = Program::default();
            ["x", "y", "z"].iter().for_each(|v| {
                p.variable(*v);
            });
            ["n", "p"][..fields as usize].iter().for_each(|f| {
                p.field(*f);
            });
            p.flag("b");
            p.mark("m");
            p.data_field("d");
            let locations: Vec<LocationId> = (0..5).map(|i| p.location(format!("l{i}"))).collect();
            let entry = p.location("entry");
            p.entry = entry.0;
            if prefix.is_empty() {
                p.edge(entry, Statement::Skip, locations[0]);
            } else {
                p.path(entry, &prefix, locations[0]);
            }
            for (from, to, s) in edges {
                p.edge(locations[from as usize], s, locations[to as usize]);
            }
            p
        },
    )
}

fn check(p: &Program, seed: u64) -> Result<(), TestCaseError> {
    let all = [Tracking::Fields, Tracking::Both, Tracking::Heap];
    let modes = [Embedding::Strict, Embedding::Loose].map(|e| all.map(|t| (e, t)));
    for (embedding, tracking) in modes.into_iter().flatten() {
        let options = Options { embedding, tracking, max_structures: 1500, ..Options::default() };
        let a = analyse(p, &options).unwrap();
        if a.stop != Stop::Fixpoint {
            continue;
        }
        let mut state = seed | 1;
        let random = move |n: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as usize % n
        };
        compare(p, &a, random)
            .map_err(|e| TestCaseError::fail(format!("{embedding:?}, {tracking:?}: {e}")))?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn concrete_heaps_with_one_field_are_covered(p in program(1), seed in any::<u64>()) {
        check(&p, seed)?;
    }

    #[test]
    fn concrete_heaps_with_two_fields_are_covered(p in program(2), seed in any::<u64>()) {
        check(&p, seed)?;
    }
}

#[test]
fn samples_are_proved_and_cover_their_runs() {
    for sample in samples::all() {
        for embedding in [Embedding::Strict, Embedding::Loose] {
            let a = analyse(&sample.program, &Options { embedding, ..Options::default() }).unwrap();
            assert!(a.is_proved(), "{} {embedding:?}: {:?}", sample.name, a.findings);
            let mut state = 0x9e37_79b9_7f4a_7c15_u64;
            let random = move |n: usize| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state >> 11) as usize % n
            };
            let visited = compare(&sample.program, &a, random).unwrap();
            assert!(visited > 50, "{}", sample.name);
        }
    }
}

#[test]
fn assertions_can_fail() {
    let mut p = Program::default();
    let x = p.variable("x");
    let n = p.field("n");
    let (start, end) = (p.location("start"), p.location("end"));
    let new = Statement::New { target: x, zeroed: true };
    p.path(
        start,
        &[
            new,
            Statement::Store(x, n, x),
            Statement::Assert(Property::Unshared(x, n)),
            Statement::Assert(Property::Acyclic(x, n)),
            Statement::SetNull(x),
        ],
        end,
    );
    let a = analyse(&p, &Options::default()).unwrap();
    let kinds: Vec<FindingKind> = a.findings.iter().map(|f| f.kind).collect();
    assert_eq!(kinds, [FindingKind::Cyclic, FindingKind::Error(ErrorKind::Leak)]);
    p.edge(start, Statement::Load(VarId(7), x, n), end);
    assert_eq!(analyse(&p, &Options::default()).unwrap_err(), "variable 7");
}
