//! Connectors against concrete heaps: a small host folds and expands at random, and every choice of objects must be admitted.

use super::*;

/// Objects with a number and two pointers; each belongs to a cell.
#[derive(Clone, Debug)]
struct Heap {
    values: Vec<i128>,
    next: Vec<[Option<usize>; 2]>,
    cell: Vec<u32>,
}

const VALUE: u64 = 8;

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

impl Heap {
    fn random(dice: &mut Dice) -> Heap {
        let n = 3 + dice.below(3);
        let pointer = |dice: &mut Dice| (dice.below(3) > 0).then(|| dice.below(n));
        Heap {
            values: (0..n).map(|_| dice.below(9) as i128 - 4).collect(),
            next: (0..n).map(|_| [pointer(dice), pointer(dice)]).collect(),
            cell: (0..n as u32).collect(),
        }
    }
    fn members(&self, cell: u32) -> Vec<usize> {
        (0..self.cell.len()).filter(|o| self.cell[*o] == cell).collect()
    }
    fn cells(&self) -> Vec<u32> {
        self.cell.iter().copied().collect::<BTreeSet<u32>>().into_iter().collect()
    }
    fn edges(&self) -> BTreeSet<Edge<u32>> {
        let all = self
            .next
            .iter()
            .enumerate()
            .flat_map(|(o, next)| next.iter().enumerate().map(move |(f, t)| (o, f, t)));
        all.filter_map(|(o, f, t)| Some(Edge { from: self.cell[o], field: f as u64, to: self.cell[(*t)?] }))
            .collect()
    }
    /// Pointers of cells with one object to cells with one object.
    fn certain(&self) -> BTreeMap<(u32, u64), u32> {
        let single = |o: usize| self.members(self.cell[o]).len() == 1;
        let mut out = BTreeMap::new();
        for (o, next) in self.next.iter().enumerate().filter(|(o, _)| single(*o)) {
            for (f, t) in next.iter().enumerate() {
                if let Some(t) = t.filter(|t| single(*t)) {
                    out.insert((self.cell[o], f as u64), self.cell[t]);
                }
            }
        }
        out
    }
    /// Whether a field of an object leads to another one, in one step or in any number of steps.
    fn leads(&self, kind: Kind, from: usize, field: u64, to: usize) -> bool {
        let Some(first) = self.next[from][field as usize] else { return false };
        let (mut found, mut todo) = (BTreeSet::new(), vec![first]);
        while let Some(o) = todo.pop() {
            if found.insert(o) && kind == Kind::Transitive {
                todo.extend(self.next[o].iter().flatten());
            }
        }
        found.contains(&to)
    }
    /// A way that exists and is not known to be possible.
    fn overlooked(&self, known: &Connected<u32>, kind: Kind) -> Option<(usize, u64, usize)> {
        let ways = known.ways(&self.edges());
        let objects = || 0..self.values.len();
        let all = objects().flat_map(|a| objects().flat_map(move |b| [(a, 0, b), (a, 1, b)]));
        let mut exist = all.filter(|(a, f, b)| kind != Kind::None && self.leads(kind, *a, *f, *b));
        exist.find(|(a, f, b)| !ways.contains(&Edge { from: self.cell[*a], field: *f, to: self.cell[*b] }))
    }
    /// Looks at some choices of objects for cells; a choice that is not admitted.
    fn refused(&self, known: &Connected<u32>, kind: Kind, dice: &mut Dice) -> Option<Vec<usize>> {
        let cells = self.cells();
        for _ in 0..12 {
            let mut choice = |c: &u32| {
                let all = self.members(*c);
                all[dice.below(all.len())]
            };
            let first: BTreeMap<u32, usize> = cells.iter().map(|c| (*c, choice(c))).collect();
            let second: BTreeMap<u32, usize> = cells.iter().map(|c| (*c, choice(c))).collect();
            let chosen = |c: u32, again: bool| if again { &second } else { &first }.get(&c).copied();
            let value = |c: u32, _: u64, again: bool| chosen(c, again).map(|o| self.values[o]);
            let leads = |e: Edge<u32>| {
                let ends = chosen(e.from, false).zip(chosen(e.to, e.from == e.to));
                ends.is_some_and(|(a, b)| self.leads(kind, a, e.field, b))
            };
            if !known.admits(value, leads) {
                return Some(first.into_values().chain(second.into_values()).collect());
            }
        }
        None
    }
}

/// One random event on the heap and on what is known of it; its name.
fn event(heap: &mut Heap, known: &mut Connected<u32>, dice: &mut Dice) -> String {
    let cells = heap.cells();
    let pick = |dice: &mut Dice| cells[dice.below(cells.len())];
    match dice.below(6) {
        0 | 1 => {
            let (a, b) = (pick(dice), pick(dice));
            known.fold(a, b, &heap.edges());
            heap.cell.iter_mut().filter(|c| **c == b).for_each(|c| *c = a);
            format!("fold {a} {b}")
        }
        2 => {
            let from = pick(dice);
            let members = heap.members(from);
            let object = members[dice.below(members.len())];
            let fresh = cells.iter().max().map_or(0, |c| c + 1);
            known.expand(from, fresh);
            heap.cell[object] = fresh;
            let left = heap.cells();
            known.retain(|c| left.contains(&c));
            format!("expand {from} {fresh}")
        }
        3 => {
            known.settle(&heap.certain(), &heap.edges());
            "settle".into()
        }
        4 => {
            let object = dice.below(heap.values.len());
            let cell = heap.cell[object];
            let by = dice.below(7) as i128 - 3;
            heap.values[object] += by;
            if heap.members(cell).len() == 1 {
                let value = known.value(cell, VALUE).plus_constant(by);
                known.write(cell, VALUE, value.as_ref());
            } else {
                known.blur(cell, VALUE..VALUE + 4);
            }
            format!("write {object}")
        }
        _ => {
            let (object, field, to) =
                (dice.below(heap.values.len()), dice.below(2), dice.below(heap.values.len()));
            let weak = heap.members(heap.cell[object]).len() > 1;
            heap.next[object][field] = Some(to);
            known.link(heap.cell[object], field as u64, &[heap.cell[to]], weak, &heap.edges());
            format!("link {object} {field} {to}")
        }
    }
}

fn start(heap: &Heap, kind: Kind, domain: Numeric) -> Connected<u32> {
    let mut known = Connected::new(kind, domain);
    for (o, value) in heap.values.iter().enumerate() {
        known.write(heap.cell[o], VALUE, Some(&LinearExpr::constant(*value)));
    }
    known
}

#[test]
fn every_choice_of_objects_is_admitted() {
    let domains = [Numeric::Congruences, Numeric::Zones, Numeric::Octagons];
    let mut applied = 0;
    for seed in 0..1500 {
        let mut dice = Dice(seed * 7919 + 1);
        let kind = [Kind::None, Kind::OneStep, Kind::Transitive][dice.below(3)];
        let domain = domains[dice.below(3)];
        let mut heap = Heap::random(&mut dice);
        let mut known = start(&heap, kind, domain);
        let mut history = Vec::new();
        for _ in 0..9 {
            let before = known.connectors.len();
            history.push(event(&mut heap, &mut known, &mut dice));
            applied += before.saturating_sub(known.connectors.len());
            assert!(!known.is_bottom(), "{seed} {kind:?} {domain:?}: {history:?}");
            assert_eq!(heap.overlooked(&known, kind), None, "{seed} {kind:?}: {history:?} {heap:?}");
            if let Some(choice) = heap.refused(&known, kind, &mut dice) {
                panic!("{seed} {kind:?} {domain:?}: {history:?} {heap:?} {choice:?} {known:?}");
            }
        }
    }
    assert!(applied > 100, "{applied}");
}

#[test]
fn joins_hold_both_sides() {
    let mut related = 0;
    for seed in 0..1500 {
        let mut dice = Dice(seed * 104729 + 5);
        let kind = [Kind::OneStep, Kind::Transitive][dice.below(2)];
        let mut looks = Dice(seed);
        let mut sides = Vec::new();
        for _ in 0..2 {
            let mut heap = Heap::random(&mut dice);
            let mut known = start(&heap, kind, Numeric::Zones);
            let mut history = Vec::new();
            for _ in 0..5 {
                history.push(format!("{heap:?} {known:?}"));
                history.push(event(&mut heap, &mut known, &mut dice));
            }
            if let Some(choice) = heap.refused(&known, kind, &mut looks) {
                panic!("{seed} {kind:?} {choice:?}\n{}\n{heap:?} {known:?}", history.join("\n"));
            }
            assert_eq!(heap.overlooked(&known, kind), None, "{seed} {kind:?}: {heap:?}");
            assert_eq!(heap.refused(&known, kind, &mut looks), None, "{seed} {kind:?}: {heap:?}");
            sides.push((heap, known));
        }
        let missing = |h: &Heap| {
            let cells = h.cells();
            move |c: u32| !cells.contains(&c)
        };
        let [(ha, a), (hb, b)] = &sides[..] else { panic!("two sides") };
        let (ea, eb) = (ha.edges(), hb.edges());
        let joined = a.join(b, (missing(ha), &ea), (missing(hb), &eb), Element::join);
        for (heap, known, other, edges) in [(ha, a, b, &ea), (hb, b, a, &eb)] {
            let mut whole = known.clone();
            whole.completed(other, missing(heap), edges);
            assert_eq!(
                heap.refused(&whole, kind, &mut looks),
                None,
                "{seed} {kind:?}: {heap:?} {known:?} {other:?} {whole:?}"
            );
        }
        for (heap, known, edges) in [(ha, a, &ea), (hb, b, &eb)] {
            assert!(known.is_described_by(&joined, missing(heap), edges), "{seed} {known:?} {joined:?}");
            if let Some(choice) = heap.refused(&joined, kind, &mut looks) {
                panic!("{seed} {kind:?}: {heap:?} {choice:?} {joined:?}");
            }
        }
        related += joined.connectors.len();
    }
    assert!(related > 50, "{related}");
}

/// Figures 1 and 2: a list of one, two and three is folded into one summary, and taken out again.
#[test]
fn the_list_of_the_paper_stays_in_order() {
    for kind in [Kind::None, Kind::OneStep, Kind::Transitive] {
        let mut known: Connected<u32> = Connected::new(kind, Numeric::Octagons);
        for (cell, value) in [(1, 1), (2, 2), (3, 3)] {
            known.write(cell, VALUE, Some(&LinearExpr::constant(value)));
        }
        let edge = |from, to| Edge { from, field: 0, to };
        known.fold(1, 2, &[edge(1, 2), edge(2, 3)].into());
        known.fold(1, 3, &[edge(1, 1), edge(1, 3)].into());
        for fresh in [4, 5] {
            known.expand(1, fresh);
        }
        let edges = [edge(4, 5), edge(5, 1), edge(1, 1)].into();
        known.settle(&[((4, 0), 5)].into(), &edges);
        let difference = known.value(5, VALUE).minus(&known.value(4, VALUE)).unwrap();
        let found = known.numbers.bounds(&difference);
        match kind {
            Kind::None => assert_eq!(found, Interval { lo: Some(-2), hi: Some(2) }),
            Kind::OneStep => {
                assert_eq!(found, Interval::point(1));
                assert_eq!(known.range(4, VALUE), Interval { lo: Some(1), hi: Some(2) });
                assert_eq!(known.range(5, VALUE), Interval { lo: Some(2), hi: Some(3) });
            }
            Kind::Transitive => assert_eq!(found, Interval { lo: Some(1), hi: Some(2) }),
        }
    }
}

/// Figure 5: that a right subtree is larger than its root is a relation between cells that no edge connects.
#[test]
fn the_tree_of_the_paper_needs_ways() {
    for (kind, smallest) in [(Kind::OneStep, None), (Kind::Transitive, Some(1))] {
        let mut known: Connected<u32> = Connected::new(kind, Numeric::Octagons);
        // 1 is the root with 4, its right child 2 with 6, the left child 3 of that with 5; its left child 4 with 2.
        for (cell, value) in [(1, 4), (2, 6), (3, 5), (4, 2)] {
            known.write(cell, VALUE, Some(&LinearExpr::constant(value)));
        }
        let edge = |from, field, to| Edge { from, field, to };
        known.fold(1, 2, &[edge(1, 1, 2), edge(2, 0, 3), edge(1, 0, 4)].into());
        known.fold(1, 3, &[edge(1, 1, 1), edge(1, 0, 3), edge(1, 0, 4)].into());
        known.fold(1, 4, &[edge(1, 1, 1), edge(1, 0, 1), edge(1, 0, 4)].into());
        for fresh in [5, 6, 7] {
            known.expand(1, fresh);
        }
        let edges = [edge(5, 1, 6), edge(6, 0, 7)].into();
        known.settle(&[((5, 1), 6), ((6, 0), 7)].into(), &edges);
        let difference = known.value(7, VALUE).minus(&known.value(5, VALUE)).unwrap();
        assert_eq!(known.numbers.bounds(&difference).lo.filter(|l| *l > 0), smallest, "{kind:?}");
    }
}
