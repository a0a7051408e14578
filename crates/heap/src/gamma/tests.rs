//! Membership on memories made by hand: a list of two nodes and its neighbours that are no such list.

use super::*;
use crate::pred::{BlockSpec, CallSpec, CellSpec, Definition, Term};
use crate::{Args, PredId};
use heapwise_ir::Span;

/// Blocks with contents; `None` for an uninitialised byte.
struct Made {
    blocks: Vec<Block>,
    bytes: Vec<Vec<Option<u8>>>,
    local: LocalValue,
}

impl ConcreteMemory for Made {
    fn blocks(&self) -> &[Block] {
        &self.blocks
    }
    fn read(&self, block: usize, off: u64, width: u64) -> Bytes {
        let range = off as usize..(off + width) as usize;
        let bytes: Option<Vec<u8>> =
            self.bytes.get(block).and_then(|b| b.get(range)).and_then(|b| b.iter().copied().collect());
        match bytes {
            None => Bytes::Uninitialised,
            Some(b) => Bytes::Known(b.iter().rev().fold(0, |n, b| n << 8 | u128::from(*b))),
        }
    }
    fn local(&self, _local: LocalId) -> LocalValue {
        self.local
    }
    fn global(&self, _global: GlobalId) -> Option<u64> {
        None
    }
    fn function(&self, _function: FuncId) -> Option<u64> {
        None
    }
    fn pointer_bits(&self) -> u32 {
        64
    }
}

/// Nodes of 16 bytes: a link, four bytes of data, four that were never written. The local points to the first.
fn nodes(links: &[(u64, u64, i32)]) -> Made {
    let mut made = Made { blocks: Vec::new(), bytes: Vec::new(), local: LocalValue::Bits(0, 64) };
    for (base, next, data) in links {
        made.blocks.push(Block { class: Class::Heap, base: *base, size: 16 });
        let mut bytes: Vec<Option<u8>> = next.to_le_bytes().into_iter().map(Some).collect();
        bytes.extend(data.to_le_bytes().into_iter().map(Some));
        bytes.extend([None; 4]);
        made.bytes.push(bytes);
    }
    made.local = LocalValue::Bits(links.first().map_or(0, |l| u128::from(l.0)), 64);
    made
}

/// `list(x) = x = 0 | x ↦ 16 bytes {next, data} * list(next)` with data between 0 and 9.
fn list(preds: &mut PredTable) -> PredId {
    let empty = Case { facts: vec![Fact::Eq(Term::ROOT, Term::int(0))], ..Case::default() };
    let node = Case {
        exists: 2,
        block: Some(BlockSpec::of_size(16, None)),
        cells: vec![
            CellSpec { off: 0, width: 8, val: Term::exist(0) },
            CellSpec { off: 8, width: 4, val: Term::exist(1) },
        ],
        calls: vec![CallSpec::whole(Callee::This, vec![Term::exist(0)])],
        facts: vec![Fact::In(Term::exist(1), Interval { lo: Some(-1), hi: Some(9) })],
    };
    preds.intern(Definition { params: 1, cases: vec![empty, node] }, |_| "list".into())
}

/// `local = x * list(x)`, or the segment from `x` to the value that `end` makes.
fn summary(preds: &mut PredTable, end: Option<fn(&mut State, Val) -> Val>) -> State {
    let pred = list(preds);
    let mut state = State::default();
    let root = Val::sym(state.fresh());
    state.set_root(Root::Local(LocalId(0)), root);
    let end = end.map(|e| (e(&mut state, root), Args::new()));
    state.add_summary(Summary { pred, root, args: Args::new(), end, region: None });
    state
}

fn inside(state: &State, preds: &PredTable, memory: &Made, claim: Claim) -> bool {
    match member(state, preds, memory, claim, 10_000) {
        Membership::Inside => true,
        Membership::Outside(why) => {
            assert!(!why.is_empty(), "a refusal has a reason");
            false
        }
        Membership::Undecided => panic!("the budget is large enough"),
    }
}

#[test]
fn lists_are_followed_to_their_end() {
    let mut preds = PredTable::default();
    let state = summary(&mut preds, None);
    for good in [vec![], vec![(0x100, 0, 3)], vec![(0x100, 0x200, -1), (0x200, 0, 9)]] {
        assert!(inside(&state, &preds, &nodes(&good), Claim::Everything), "{good:x?}");
    }
    // A dangling end, a cycle, data out of range.
    for bad in [
        vec![(0x100, 0x300, 3)],
        vec![(0x100, 0x200, 3), (0x200, 0x100, 3)],
        vec![(0x100, 0, 10)],
        vec![(0x100, 0, -2)],
    ] {
        assert!(!inside(&state, &preds, &nodes(&bad), Claim::Part), "{bad:x?}");
    }
}

#[test]
fn blocks_beside_the_state_are_a_frame_or_a_leak() {
    let mut preds = PredTable::default();
    let state = summary(&mut preds, None);
    let memory = nodes(&[(0x100, 0, 3), (0x200, 0, 3)]);
    assert!(inside(&state, &preds, &memory, Claim::Part));
    assert!(!inside(&state, &preds, &memory, Claim::Everything));
}

#[test]
fn segments_may_be_empty_or_go_round() {
    let mut preds = PredTable::default();
    let ring = summary(&mut preds, Some(|_, root| root));
    let memory = nodes(&[(0x100, 0x200, 3), (0x200, 0x100, 3)]);
    assert!(inside(&ring, &preds, &memory, Claim::Everything), "the whole ring");
    assert!(inside(&ring, &preds, &nodes(&[]), Claim::Everything), "both ends are null");
    let open = summary(&mut preds, Some(|_, _| Val::ZERO));
    assert!(inside(&open, &preds, &nodes(&[(0x100, 0, 3)]), Claim::Everything));
    assert!(!inside(&open, &preds, &memory, Claim::Part), "it never comes to null");
    let anywhere = summary(&mut preds, Some(|state, _| Val::sym(state.fresh())));
    assert!(inside(&anywhere, &preds, &nodes(&[(0x100, 0x300, 3)]), Claim::Everything));
}

fn block(state: &mut State, fill: Fill) -> (Sym, Object) {
    let s = state.fresh();
    state.set_root(Root::Local(LocalId(0)), Val::sym(s));
    (s, Object::new(ObjectKind::Heap, Val::int(16), fill, Span::default()))
}

#[test]
fn objects_say_what_their_bytes_are() {
    let preds = PredTable::default();
    let memory = nodes(&[(0x100, 0x100, -5)]);
    let check = |make: &dyn Fn(&mut State, Sym, &mut Object)| {
        let mut state = State::default();
        let (s, mut object) = block(&mut state, Fill::Uninit);
        make(&mut state, s, &mut object);
        state.insert_object(s, object);
        inside(&state, &preds, &memory, Claim::Everything)
    };
    assert!(check(&|_, _, _| {}));
    assert!(check(&|_, s, o| o.write(0, 8, Val::sym(s))));
    assert!(!check(&|_, s, o| o.write(0, 8, Val::sym(s).plus(8))));
    assert!(check(&|_, _, o| o.write(8, 4, Val::int(-5))));
    assert!(!check(&|_, _, o| o.write(8, 4, Val::int(5))));
    assert!(!check(&|_, _, o| o.write(12, 4, Val::int(0))), "never written");
    assert!(check(&|_, _, o| o.fill(0, 12, Fill::Unknown)));
    assert!(!check(&|_, _, o| o.fill(0, 13, Fill::Unknown)));
    assert!(check(&|_, _, o| o.fill(2, 8, Fill::Zero)));
    assert!(!check(&|_, _, o| o.fill(0, 8, Fill::Zero)));
    assert!(!check(&|_, _, o| o.size = Val::int(24)));
    assert!(!check(&|_, _, o| o.kind = ObjectKind::Outer));
    let ranged = |lo, hi| {
        check(&move |state: &mut State, _: Sym, o: &mut Object| {
            let v = state.fresh_in(Interval { lo: Some(lo), hi: Some(hi) });
            o.write(8, 4, v);
        })
    };
    assert!(ranged(-5, -5), "as a signed number");
    assert!(ranged(0xffff_fff0, 0xffff_ffff), "as an unsigned number");
    assert!(!ranged(-4, 100));
}

#[test]
fn two_objects_are_two_blocks() {
    let preds = PredTable::default();
    let mut state = State::default();
    let (a, mut first) = block(&mut state, Fill::Uninit);
    let b = state.add_object(Object::new(ObjectKind::Heap, Val::int(16), Fill::Uninit, Span::default()));
    first.write(0, 8, Val::sym(b));
    state.insert_object(a, first);
    assert!(inside(&state, &preds, &nodes(&[(0x100, 0x200, 0), (0x200, 0, 0)]), Claim::Everything));
    assert!(!inside(&state, &preds, &nodes(&[(0x100, 0x100, 0)]), Claim::Part));
}

#[test]
fn facts_between_symbols_count() {
    let preds = PredTable::default();
    let memory = nodes(&[(0x100, 7, 7)]);
    let check = |make: fn(&mut State, Val, Val) -> bool| {
        let mut state = State::default();
        let (s, mut object) = block(&mut state, Fill::Uninit);
        let (x, y) = (Val::sym(state.fresh()), Val::sym(state.fresh()));
        object.write(0, 8, x);
        object.write(8, 4, y);
        state.insert_object(s, object);
        assert!(make(&mut state, x, y), "satisfiable");
        inside(&state, &preds, &memory, Claim::Part)
    };
    assert!(check(|_, _, _| true));
    assert!(!check(|s, x, y| s.note_ne(x, y)));
    assert!(check(|s, x, y| s.note_ne(x, y.plus(1))));
    assert!(check(|s, x, y| s.assume_le(x, y, false)));
    assert!(!check(|s, x, y| s.assume_le(x, y, true)));
}

#[test]
fn bounds_of_one_number_count_together() {
    // Of eight bytes each half-open bound alone leaves some number; both, or a chain of them, need not.
    let bounded = |facts: Vec<Fact>, word: u64| {
        let mut preds = PredTable::default();
        let cell = Case {
            exists: 1,
            block: Some(BlockSpec::of_size(16, None)),
            cells: vec![CellSpec { off: 0, width: 8, val: Term::exist(0) }],
            facts,
            ..Case::default()
        };
        let pred = preds.intern(Definition { params: 1, cases: vec![cell] }, |_| "cell".into());
        let mut state = State::default();
        let root = Val::sym(state.fresh());
        state.set_root(Root::Local(LocalId(0)), root);
        state.add_summary(Summary { pred, root, args: Args::new(), end: None, region: None });
        inside(&state, &preds, &nodes(&[(0x100, word, 0)]), Claim::Everything)
    };
    let x = Term::exist(0);
    let from = |lo| Fact::In(x, Interval { lo: Some(lo), hi: None });
    let to = |hi| Fact::In(x, Interval { lo: None, hi: Some(hi) });
    for facts in [
        vec![from(3), to(100)],
        vec![to(100), from(3)],
        vec![Fact::Le(Term::int(3), x), to(100)],
        vec![to(100), Fact::Le(Term::int(3), x)],
    ] {
        assert!(bounded(facts.clone(), 3) && bounded(facts.clone(), 100), "{facts:?}");
        assert!(!bounded(facts.clone(), 2) && !bounded(facts.clone(), 101), "{facts:?}");
        assert!(!bounded(facts.clone(), u64::MAX), "{facts:?}");
    }
    assert!(bounded(vec![from(-7), to(100)], u64::MAX), "as a signed number");
    assert!(!bounded(vec![from(-7), to(100)], u64::MAX - 7));
}

#[test]
fn an_address_that_nothing_determines_is_searched() {
    let mut preds = PredTable::default();
    let pred = list(&mut preds);
    let mut state = State::default();
    let root = Val::sym(state.fresh());
    state.add_summary(Summary { pred, root, args: Args::new(), end: None, region: None });
    let memory = nodes(&[(0x100, 0, 3), (0x200, 0x100, 3)]);
    assert!(inside(&state, &preds, &memory, Claim::Everything), "from the second block on");
    let alone = nodes(&[(0x100, 0, 3), (0x200, 0, 3)]);
    assert!(!inside(&state, &preds, &alone, Claim::Everything), "no list holds both");
}

#[test]
fn the_search_is_bounded() {
    let mut preds = PredTable::default();
    let state = summary(&mut preds, None);
    let memory = nodes(&[(0x100, 0x200, 3), (0x200, 0, 3)]);
    assert_eq!(member(&state, &preds, &memory, Claim::Part, 2), Membership::Undecided);
}

/// A block of any size is the same memory as the objects that it unfolds to, text or not.
#[test]
fn blocks_of_any_size_unfold_to_what_they_are() {
    for (tail, texts) in [(Tail::Open, false), (Tail::Text, true)] {
        let mut preds = PredTable::default();
        let block = BlockSpec { size: 1, tail, record: None };
        let case = Case { block: Some(block), ..Case::default() };
        let pred = preds.intern(Definition { params: 1, cases: vec![case] }, |_| "bytes".into());
        let mut state = State::default();
        let root = Val::sym(state.fresh());
        state.set_root(Root::Local(LocalId(0)), root);
        state.add_summary(Summary { pred, root, args: Args::new(), end: None, region: None });
        let unfolded = state.unfold(crate::unfold::Site::Front(0), &preds);
        assert!(!unfolded.is_empty());
        let (letter, zero) = (Some(b'a'), Some(0));
        let memories: [(&[Option<u8>], bool); 7] = [
            (&[zero], true),
            (&[letter, zero], true),
            (&[letter, letter, zero, None], true),
            (&[letter, letter], false),
            (&[None, zero], false),
            (&[letter, None], false),
            (&[None, None, None], false),
        ];
        for (bytes, is_text) in memories {
            let block = Block { class: Class::Heap, base: 0x100, size: bytes.len() as u64 };
            let memory =
                Made { blocks: vec![block], bytes: vec![bytes.to_vec()], local: LocalValue::Bits(0x100, 64) };
            let expected = is_text || !texts;
            assert_eq!(inside(&state, &preds, &memory, Claim::Everything), expected, "{tail:?} {bytes:?}");
            // The unfolded state may place the end of the text at any zero: membership of one of them must not be refused.
            let now = unfolded.iter().any(|s| {
                !matches!(member(s, &preds, &memory, Claim::Everything, 10_000), Membership::Outside(_))
            });
            assert!(now || !expected, "{tail:?} {bytes:?} unfolded");
        }
        let empty = Made { blocks: vec![], bytes: vec![], local: LocalValue::Bits(0, 64) };
        assert!(!inside(&state, &preds, &empty, Claim::Everything));
    }
}
