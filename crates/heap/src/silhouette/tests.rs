//! Path expressions against all words up to a length, and silhouettes of small states.

use super::*;
use crate::object::{Fill, Object, ObjectKind};
use crate::pred::{BlockSpec, CallSpec, Callee, Case, CellSpec, Definition, Fact, PredTable, Term};
use crate::state::{State, Summary};
use crate::value::{Sym, Val};
use heapwise_ir::{LocalId, Span};

const L: Field = Field(0);
const R: Field = Field(8);

/// Every expression of at most `length` atoms over two fields.
fn expressions(length: usize) -> Vec<Path> {
    let atoms =
        [Atom::Step(L), Atom::Step(R), Atom::star([L]), Atom::star([R]), Atom::star([L, R]), Atom::AnyStar];
    let mut all = vec![Path::empty()];
    let mut last = all.clone();
    for _ in 0..length {
        last = last
            .iter()
            .flat_map(|p| {
                atoms.iter().map(|a| {
                    let mut longer = p.clone();
                    longer.0.push(a.clone());
                    longer
                })
            })
            .collect();
        all.extend(last.iter().cloned());
    }
    all
}

/// Every word of at most `length` letters over the two fields and one that no expression names.
fn words(length: usize) -> Vec<Vec<Option<Field>>> {
    let mut all = vec![vec![]];
    let mut last = all.clone();
    for _ in 0..length {
        last = last
            .iter()
            .flat_map(|w| {
                [Some(L), Some(R), None].map(|l| {
                    let mut longer = w.clone();
                    longer.push(l);
                    longer
                })
            })
            .collect();
        all.extend(last.iter().cloned());
    }
    all
}

/// The language by its definition: an independent matcher that tries every way to cut the word.
fn matches(atoms: &[Atom], word: &[Option<Field>]) -> bool {
    let Some((first, rest)) = atoms.split_first() else { return word.is_empty() };
    match first {
        Atom::Step(f) => word.split_first().is_some_and(|(l, w)| *l == Some(*f) && matches(rest, w)),
        star => {
            let takes = |l: &Option<Field>| match star {
                Atom::Star(set) => l.is_some_and(|l| set.contains(&l)),
                _ => true,
            };
            let most = word.iter().take_while(|l| takes(l)).count();
            (0..=most).any(|n| matches(rest, &word[n..]))
        }
    }
}

/// Inclusion for all pairs of expressions up to a size: a refusal must show a word that really tells them apart, and
/// where there is such a word among all short ones, inclusion must be refused.
#[test]
fn inclusion_is_exact_up_to_a_size() {
    let (expressions, words) = (expressions(3), words(5));
    let languages: Vec<Vec<bool>> =
        expressions.iter().map(|e| words.iter().map(|w| matches(&e.0, w)).collect()).collect();
    let (mut included, mut refused) = (0u32, 0u32);
    for (a, in_a) in expressions.iter().zip(&languages) {
        for (w, is_in) in words.iter().zip(in_a) {
            assert_eq!(a.contains(w), *is_in, "{a} {w:?}");
        }
        for (b, in_b) in expressions.iter().zip(&languages) {
            let counterexample = a.counterexample(b);
            assert_eq!(a.included_in(b), counterexample.is_none(), "{a} and {b}");
            match counterexample {
                Some(word) => {
                    refused += 1;
                    assert!(matches(&a.0, &word) && !matches(&b.0, &word), "{a} against {b}: {word:?}");
                }
                None => {
                    included += 1;
                    let apart = in_a.iter().zip(in_b).position(|(x, y)| *x && !*y);
                    assert_eq!(apart.map(|i| &words[i]), None, "{a} is not included in {b}");
                }
            }
        }
    }
    assert!(included > 5_000 && refused > 40_000, "{included} {refused}");
}

#[test]
fn operations_on_expressions_only_generalise() {
    let all = expressions(3);
    for a in &all {
        assert!(a.included_in(&a.generalised()) && a.included_in(&a.bounded(1)), "{a}");
        assert_eq!(a.generalised().generalised(), a.generalised());
    }
    for a in all.iter().step_by(7) {
        for b in &all {
            let joined = a.joined(b);
            assert!(a.included_in(&joined) && b.included_in(&joined), "{a} and {b}: {joined}");
        }
    }
}

fn variable(i: u32) -> Root {
    Root::Local(LocalId(i))
}

const T: u32 = 0;
const X: u32 = 1;
const Y: u32 = 2;

fn edges(list: &[(u32, Path, u32)]) -> Silhouette {
    Silhouette::from_edges(list.iter().map(|(a, p, b)| (variable(*a), p.clone(), variable(*b))))
}

/// Example 7: association is not transitive, and the groups are its connected components.
#[test]
fn association_is_symmetric_and_not_transitive() {
    let star = Path::star([L]);
    let s0 = edges(&[(T, Path::empty(), X), (X, star.clone(), Y)]);
    let s1 = edges(&[(T, star, X), (X, Path::empty(), Y)]);
    let s2 = edges(&[(T, Path::empty(), X), (X, Path::step(L), Y)]);
    assert!(s0.associated(&s1) && s1.associated(&s0));
    assert!(s0.associated(&s2) && s2.associated(&s0));
    assert!(!s1.associated(&s2) && !s2.associated(&s1));
    let all = [&s1, &s2, &s0];
    assert_eq!(groups(2, |i, j| all[i].associated(all[j])), [vec![0], vec![1]]);
    assert_eq!(groups(3, |i, j| all[i].associated(all[j])), [vec![0, 2, 1]]);
}

/// Figure 1(a): cursors in another order.
#[test]
fn cursors_in_another_order_are_not_associated() {
    let star = || Path::star([L]);
    let one = edges(&[(T, star(), X), (T, star(), Y), (X, star(), Y)]);
    let other = edges(&[(T, star(), X), (T, star(), Y), (Y, star(), X)]);
    assert!(!one.associated(&other));
    assert!(one.associated(&one) && one.entails(&one) && !one.entails(&other));
    let without = edges(&[(T, star(), X), (T, star(), Y)]);
    assert!(one.associated(&without) && one.entails(&without) && !without.entails(&one));
}

/// Example 11: what one step from x to y was is kept by pairing, how far x is from t is not.
#[test]
fn pairing_looks_at_the_first_step() {
    let path = |steps: &[Field]| Path(steps.iter().map(|f| Atom::Step(*f)).collect());
    let old = edges(&[(T, path(&[L]), X), (X, path(&[L]), Y)]);
    assert!(old.takes_in(&edges(&[(T, path(&[L, L]), X), (X, path(&[L]), Y)])));
    assert!(!old.takes_in(&edges(&[(T, path(&[L, L]), X), (X, path(&[R]), Y)])));
    assert!(old.takes_in(&edges(&[(T, path(&[L, R]), X), (X, path(&[L]), Y)])));
}

/// Two cursors at one place may move away from each other.
#[test]
fn pairing_lets_cursors_part() {
    let together = edges(&[(T, Path::empty(), X), (X, Path::empty(), T)]);
    assert!(together.takes_in(&edges(&[(T, Path::step(L), X)])));
    assert!(together.takes_in(&edges(&[(X, Path::step(L), T)])));
    let apart = Silhouette { nodes: [variable(T), variable(X)].into(), ..Silhouette::default() };
    assert!(!together.takes_in(&apart), "nothing leads from one to the other any more");
}

/// A cursor that is null has no place; one that has a place is not put together with it, a structure of its own is.
#[test]
fn null_is_associated_with_what_stands_alone() {
    let nodes = [variable(T), variable(X)].into();
    let null = Silhouette { nodes, nulls: [variable(X)].into(), ..Silhouette::default() };
    let alone = Silhouette { nodes: null.nodes.clone(), ..Silhouette::default() };
    let inside = edges(&[(T, Path::star([L]), X)]);
    assert!(null.associated(&alone) && alone.associated(&null));
    assert!(!null.associated(&inside) && !inside.associated(&null));
    assert!(!inside.takes_in(&null));
}

/// What is remembered of expressions and silhouettes is what they say themselves, asked once or twice.
#[test]
fn answers_that_are_remembered_are_those_of_the_first_time() {
    let paths = expressions(2);
    for (a, b) in paths.iter().flat_map(|a| paths.iter().map(move |b| (a, b))).cycle().take(2 * 43 * 43) {
        let (x, y) = (PathId::of(a.clone()), PathId::of(b.clone()));
        assert_eq!(x.included_in(y), a.included_in(b), "{a} and {b}");
        assert_eq!((*x.then(y).value()).clone(), a.then(b));
        assert_eq!((*x.generalised().value()).clone(), a.generalised());
        assert_eq!((*x.bounded().value()).clone(), a.bounded(BOUND));
    }
    let all: Vec<Silhouette> = paths
        .iter()
        .flat_map(|p| [edges(&[(T, p.clone(), X)]), edges(&[(T, Path::step(L), Y), (X, p.clone(), T)])])
        .collect();
    let mut known = KnownSilhouettes::default();
    for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))).cycle().take(2 * 86 * 86) {
        let (x, y) = (known.id(a.clone()), known.id(b.clone()));
        assert_eq!(known.are(Relation::MayEntail, x, y), a.entails(b), "{a} and {b}");
        assert_eq!(known.are(Relation::Associated, x, y), a.associated(b), "{a} and {b}");
        assert_eq!(known.are(Relation::TakesIn, x, y), a.takes_in(b), "{a} and {b}");
        let (general, plain) = (known.generalised(x), known.without_null(x));
        assert_eq!(known.get(general), Some(&a.generalised()));
        assert_eq!(known.get(plain), Some(&a.without_null()));
    }
}

/// A tree predicate with children at the two fields.
fn tree(preds: &mut PredTable) -> crate::PredId {
    let cell = |off, i| CellSpec { off, width: 8, val: Term::exist(i) };
    let call = |i| CallSpec::whole(Callee::This, vec![Term::exist(i)]);
    let empty = Case { facts: vec![Fact::Eq(Term::ROOT, Term::int(0))], ..Case::default() };
    let node = Case {
        exists: 2,
        block: Some(BlockSpec::of_size(16, None)),
        cells: vec![cell(0, 0), cell(8, 1)],
        calls: vec![call(0), call(1)],
        facts: vec![],
    };
    preds.intern(Definition { params: 1, cases: vec![empty, node] }, |_| "tree".into())
}

struct Maker {
    state: State,
    pred: crate::PredId,
}

impl Maker {
    fn node(&mut self, left: Option<Sym>, right: Option<Sym>) -> Sym {
        let mut o = Object::new(ObjectKind::Heap, Val::int(16), Fill::Zero, Span::default());
        o.write(0, 8, left.map_or(Val::ZERO, Val::sym));
        o.write(8, 8, right.map_or(Val::ZERO, Val::sym));
        self.state.add_object(o)
    }
    fn summary(&mut self, root: Sym, end: Option<Sym>) {
        self.state.summaries.push(Summary {
            region: None,
            pred: self.pred,
            root: Val::sym(root),
            args: Default::default(),
            end: end.map(|e| (Val::sym(e), Default::default())),
        });
    }
    fn name(&mut self, variable_: u32, s: Sym) {
        self.state.roots.insert(variable(variable_), Val::sym(s));
    }
}

/// Examples 5, 6 and 9: `m'₂` and `m'₃` differ, but are the same up to generalisation and join to a segment.
#[test]
fn states_translate_to_their_paths() {
    let mut preds = PredTable::default();
    let pred = tree(&mut preds);
    let maker = || Maker { state: State::default(), pred };
    // t -l-> a0 => x, t -r-> a1
    let mut m2 = maker();
    let (a0, a1, x) = (m2.state.fresh(), m2.state.fresh(), m2.state.fresh());
    let t = m2.node(Some(a0), Some(a1));
    m2.summary(a0, Some(x));
    m2.summary(a1, None);
    m2.summary(x, None);
    m2.name(T, t);
    m2.name(X, x);
    // t -r-> b1 => b2 -l-> x
    let mut m3 = maker();
    let (b1, x) = (m3.state.fresh(), m3.state.fresh());
    let b2 = m3.node(Some(x), None);
    let t = m3.node(None, Some(b1));
    m3.summary(b1, Some(b2));
    m3.summary(x, None);
    m3.name(T, t);
    m3.name(X, x);
    let of = |m: &Maker| Silhouette::of(&m.state, &preds, |_| true);
    let (s2, s3) = (of(&m2), of(&m3));
    let between =
        |s: &Silhouette| s.between(variable(T), variable(X)).map(|p| p.to_string()).collect::<Vec<_>>();
    assert_eq!(between(&s2), ["+0·(+0 +8)*"]);
    assert_eq!(between(&s3), ["+8·(+0 +8)*·+0"]);
    assert_eq!(s2.generalised(), s3.generalised());
    assert!(!s2.associated(&s3) && s2.generalised().associated(&s3.generalised()));
    assert_eq!(between(&s2.joined(&s3)), ["(+0 +8)*"]);
    assert!(Silhouette::of(&m2.state, &preds, |r| r == variable(T)).edges().next().is_none());
}

/// A table gives states the silhouettes that they have by themselves, and the same one to states that differ by the names
/// of symbols or by what no root reaches.
#[test]
fn states_with_the_same_graph_have_the_same_number() {
    let mut preds = PredTable::default();
    let pred = tree(&mut preds);
    let mut known = KnownSilhouettes::default();
    // t -l-> a0 => x, t -r-> a1, y at x or null
    let state = |names: u32, strays: usize, y_is_null: bool| {
        let mut m = Maker { state: State::default(), pred };
        m.state.reserve_symbols(names);
        for _ in 0..strays {
            m.node(None, None);
        }
        let (a0, a1, x) = (m.state.fresh(), m.state.fresh(), m.state.fresh());
        let t = m.node(Some(a0), Some(a1));
        m.summary(a0, Some(x));
        m.summary(a1, None);
        m.summary(x, None);
        m.name(T, t);
        m.name(X, x);
        m.state.roots.insert(variable(Y), if y_is_null { Val::ZERO } else { Val::sym(x) });
        m.state
    };
    let mut numbers = Vec::new();
    for y_is_null in [false, true] {
        for (names, strays) in [(0, 0), (7, 0), (0, 2), (0, 0)] {
            let state = state(names, strays, y_is_null);
            let number = known.of(&state, &preds);
            assert_eq!(known.get(number), Some(&Silhouette::with_null(&state, &preds, |_| true)));
            let plain = known.without_null(number);
            assert_eq!(known.get(plain), Some(&Silhouette::of(&state, &preds, |_| true)));
            numbers.push(number);
        }
    }
    let (with, without) = numbers.split_at(4);
    assert!(with.iter().all(|n| *n == with[0]) && without.iter().all(|n| *n == without[0]));
    assert_ne!(with[0], without[0]);
}

/// Two roots with one value are an ε-edge each way, a cycle ends the walk, and the walk is bounded.
#[test]
fn aliases_and_cycles() {
    let mut preds = PredTable::default();
    let pred = tree(&mut preds);
    let mut m = Maker { state: State::default(), pred };
    let a = m.node(None, None);
    if let Some(o) = m.state.object_mut(a) {
        o.write(0, 8, Val::sym(a));
    }
    m.name(T, a);
    m.name(X, a);
    let s = Silhouette::of(&m.state, &preds, |_| true);
    assert_eq!(s.edges().map(|(_, p, _)| p.to_string()).collect::<Vec<_>>(), ["ε", "ε"]);
    // A ladder of nodes, each with both children at the next one: more paths to a root than are followed.
    let mut next = Some(a);
    for _ in 0..30 {
        next = Some(m.node(next, next));
    }
    if let Some(top) = next {
        m.name(Y, top);
    }
    assert!(Silhouette::of(&m.state, &preds, |_| true).cut_short);
}
