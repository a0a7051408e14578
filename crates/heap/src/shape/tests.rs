//! Texts and what becomes of them.

use super::*;
use crate::pred::{Callee, Fact, PredTable, Term};
use heapwise_ir::{Field, Record, RecordKind, Type, TypeTable};

/// `struct node { struct node *next; struct node *prev; int data; struct { void *a, *b; } in; void *way[2]; }`
pub(crate) fn types() -> TypeTable {
    let mut t = TypeTable::new(8);
    let (void, int) = (t.intern(Type::Void), t.int(32, true));
    let pointer = t.pointer(void);
    let way = t.intern(Type::Array { elem: pointer, len: Some(2) });
    let field = |name: &str, ty, offset| Field { name: Some(name.into()), ty, offset, bits: None };
    let record = |name: &str, fields: Vec<Field>, size| Record {
        kind: RecordKind::Struct,
        name: Some(name.into()),
        fields,
        size,
        align: 8,
        complete: true,
    };
    let pair = t.records.push(record("pair", vec![field("a", pointer, 0), field("b", pointer, 8)], 16));
    let pair = t.intern(Type::Record(pair));
    let fields = vec![
        field("next", pointer, 0),
        field("prev", pointer, 8),
        field("data", int, 16),
        field("in", pair, 24),
        field("way", way, 40),
    ];
    t.records.push(record("node", fields, 56));
    t
}

fn declared(text: &str) -> Result<(PredTable, Declared), Vec<String>> {
    let describe = |e: &ShapeError| {
        let (line, column) = e.line_column(text);
        format!("{line}:{column}: {}", e.message)
    };
    let unit = parse_file(text).map_err(|e| vec![describe(&e)])?;
    let mut preds = PredTable::default();
    let names = resolve::declare(&[&unit], &types(), &mut preds)
        .map_err(|es| es.iter().map(|(_, e)| describe(e)).collect::<Vec<_>>())?;
    Ok((preds, names))
}

fn error(text: &str) -> String {
    match declared(text) {
        Ok(_) => panic!("{text} is accepted"),
        Err(errors) => errors.join("\n"),
    }
}

#[test]
fn a_doubly_linked_list_has_the_form_that_discovery_gives_it() {
    let text = "predicate dll(x, p) = x == null | dll(n, self) * x -> struct node { prev: p, next: n };";
    let (preds, _) = declared(text).expect("it is a predicate");
    let (_, dll) = preds.iter().next().expect("one predicate");
    assert_eq!(dll.def.cases.len(), 2);
    assert_eq!(dll.def.cases[0].facts, [Fact::Eq(Term::ROOT, Term::int(0))]);
    let case = &dll.def.cases[1];
    assert_eq!(
        case.cells.iter().map(|c| (c.off, c.width, c.val)).collect::<Vec<_>>(),
        [(0, 8, Term::exist(0)), (8, 8, Term::param(1))]
    );
    assert_eq!(case.calls[0].args, [Term::exist(0), Term::ROOT]);
    assert_eq!((dll.back[1], dll.links[0].off), (Some(0), 0));
    assert_eq!((dll.holds[1], dll.passes[1], dll.reaches[1]), (true, true, true));
}

#[test]
fn parameters_in_another_order_are_the_same_structure() {
    let a = "predicate p(x, b, s) = x == null | x -> node { next: n, prev: b, in.a: s } * p(n, x, s);";
    let b = "predicate p(x, s, b) = x == null | x -> node { next: n, prev: b, in.a: s } * p(n, s, x);";
    let (first, _) = declared(a).expect("a predicate");
    let (second, _) = declared(b).expect("a predicate");
    let (id, p) = first.iter().next().expect("one");
    let (_, q) = second.iter().next().expect("one");
    assert_ne!(p.def, q.def);
    assert_eq!(first.known_like(&q.def), Some(id));
    let other = "predicate p(x, s, b) = x == null | x -> node { next: n, prev: s, in.a: s } * p(n, s, x);";
    let (third, _) = declared(other).expect("a predicate");
    assert_eq!(first.known_like(&third.iter().next().expect("one").1.def), None);
}

#[test]
fn what_no_cell_holds_is_not_reached() {
    let text = "
        predicate seg(x, end) = x == end | x -> node { next: n } * seg(n, end);
        predicate ghost(x, g) = x == null | x -> node { next: n } * ghost(n, g);";
    let (preds, _) = declared(text).expect("two predicates");
    let flags: Vec<_> = preds.iter().map(|(_, p)| (p.holds[1], p.passes[1], p.reaches[1])).collect();
    assert_eq!(flags, [(false, false, true), (false, false, false)]);
}

#[test]
fn predicates_may_call_each_other_in_any_order() {
    let text = "
        predicate tree(t) = t -> struct node { next: f, data: _ } * forest(f);
        predicate forest(f) = f == null | f -> struct pair { a: t, b: n } * tree(t) * forest(n);";
    let (preds, _) = declared(text).expect("mutual recursion");
    let ids: Vec<_> = preds.iter().map(|(id, _)| id).collect();
    let forest = preds.get(ids[1]);
    assert_eq!(forest.def.cases[1].calls[0].callee, Callee::Other(ids[0]));
    assert_eq!(preds.get(ids[0]).def.cases[0].calls[0].callee, Callee::Other(ids[1]));
}

#[test]
fn numbers_offsets_and_the_rest_of_a_struct() {
    let text = "
        predicate s(x, lo) = x == null
          | exists n, d. x -> struct node { next: n + offsetof(struct node, in.b), data: d, .. }
            && lo <= d && d < 100 * s(n, d);
        predicate raw(x) = x == 0 | x -> [24] { @8:8: &n->b } * raw2(n);
        predicate raw2(x) = x -> pair { a: y, b: 0 } && y == x + 0x8;
        predicate k(x) = x -> pair { a: y, b: &z->b } && z != y * k2(z);
        predicate k2(x) = x -> pair {};";
    let (preds, _) = declared(text).expect("predicates");
    let s = &preds.iter().next().expect("s").1.def.cases[1];
    assert_eq!(s.cells.len(), 7, "all scalars of the struct");
    assert_eq!(s.cells[0].val, Term::exist(0).plus(32));
    assert_eq!(s.facts.len(), 3, "with the range of int");
    let raw = &preds.iter().nth(1).expect("raw").1.def.cases[1];
    assert_eq!(raw.cells[0].val.off, 8);
    let raw2 = &preds.iter().nth(2).expect("raw2").1.def.cases[0];
    assert_eq!((raw2.cells[0].val, raw2.exists), (Term::ROOT.plus(8), 0));
}

#[test]
fn errors_say_where_and_what() {
    let cases = [
        ("predicate p(x = x == 0;", "1:15: `)` expected, but `=` found"),
        ("predicate p(x) = x == 0", "1:24: `*`, `&&`, `|` or `;` expected, but the end found"),
        ("predicate p(x) =\n  x -> nod {};", "2:8: the program has no complete struct or union `nod`"),
        (
            "predicate p(x) = x -> node { nxt: n };",
            "1:30: the path has no field `nxt`; `node` has next, prev",
        ),
        ("predicate p(x) = x -> node { in: n };", "1:30: the path is no scalar"),
        ("predicate p(x) = x -> node { way[2]: n };", "1:30: the path has no element 2"),
        ("predicate p(x) = x -> node { next: n, @4:8: m };", "1:39: the cell overlaps one before"),
        ("predicate p(x) = x -> node {} * q(x);", "1:33: there is no predicate `q`"),
        ("predicate p(x) = x -> node { next: n } * p(n, x);", "1:42: `p` takes 1 arguments, but 2 are given"),
        ("predicate p(x) = x -> node {} * p(m);", "1:35: no cell of the block leads to the root"),
        ("predicate p(x) = p(x);", "1:18: a case that calls predicates needs a block"),
        ("predicate p(x) = x == 0 && y > 3;", "1:28: the fact speaks about a name"),
        ("predicate p(x) = y -> node {};", "1:18: the block of a case is at the first parameter, `x`"),
        ("predicate p(x) = exists n. x -> node { next: m };", "1:46: `m` is neither a parameter nor"),
        ("predicate p(x) = x -> node { next: \\result };", "1:36: `\\result` and `\\old`"),
        ("predicate p(x) = x == 0; predicate p(x) = x == 1;", "1:36: the predicate `p` is declared twice"),
        ("predicate p(x, x) = emp;", "1:16: the parameter `x` is declared twice"),
        ("predicate p(x, self) = emp;", "1:16: `self` is another name for the first parameter"),
        (
            "predicate p(x, b) = x == 0 | exists b, n. x -> [16] { @0:8: n, @8:8: b } * p(n, x);",
            "1:37: `b` is a parameter, and cannot be some other value",
        ),
        (
            "predicate p(x) = x -> [8] { @0:8: n } * q(n); predicate q(x) = x -> [8] { @0:8: n } * p(n);",
            "1:11: no finite memory satisfies `p`: every case calls such a predicate",
        ),
        ("predicate p(x) = x -> [n ..] {};", "1:24: in a predicate the size of a block is a number"),
        (
            "predicate p(x) = x -> [] {};",
            "1:24: a number of bytes, `text` or the length of an array expected",
        ),
        ("predicate p(x) = x -> [text] { @1:1: _ };", "1:32: the cell has 1 to 16 bytes inside the block"),
        ("predicate p(x) = x -> [8 ..] { .. };", "1:18: `..` needs a struct"),
        ("predicate p(x) = x # 3;", "1:20: `#` has no meaning here"),
        ("requires list(x);", "1:1: `predicate` or `contract` expected, but `requires` found"),
        ("predicate p(x) = x == 99999999999999999999999;", "1:23: `99999999999999999999999` is no number"),
    ];
    for (text, expected) in cases {
        let found = error(text);
        assert!(found.starts_with(expected), "{text}\n  {found}\n  {expected}");
    }
}

#[test]
fn comments_for_others_are_left_alone() {
    assert!(parse_annotation(" loop invariant i < n; ").is_none());
    assert!(parse_annotation("").is_none());
    let unit = parse_annotation(" requires list(l) && l != null; ensures list(\\result) || emp; ");
    let unit = unit.expect("a contract").expect("well formed");
    assert_eq!((unit.contract.requires.len(), unit.contract.ensures[0].len()), (1, 2));
}

#[test]
fn formulas_become_states() {
    let (preds, names) = declared("predicate l(x) = x == null | x -> node { next: n } * l(n);").expect("l");
    let types = types();
    let context = Instance { declared: &names, preds: &preds, layouts: &types };
    let add = |text: &str| {
        let formula = parse_formula(text).expect("a formula");
        context.add(&formula[0], &Env::default(), crate::State::default())
    };
    let state = add("x -> node { next: y, .. } * l(y; z) && y != z * l(z)").expect("fine").expect("possible");
    assert_eq!((state.objects.len(), state.summaries.len()), (1, 2));
    assert_eq!(add("x -> node {} * y -> node {} && x == y"), Ok(None));
    assert_eq!(add("l(x) && x == null && x != null"), Ok(None));
    let empty = add("l(x) && x == null").expect("fine").expect("possible");
    assert!(empty.summaries.is_empty());
    assert!(add("x -> node {} * y -> node {} && x == y + 100").is_err(), "cannot be said");
    assert!(add("l(\\result)").is_err());
    let array = add("x -> [4 * n ..] { .. } && n == 3").expect("fine").expect("possible");
    let (_, object) = array.objects().next().expect("an array");
    assert_eq!((array.range(object.size).lo, object.initialised_from_start()), (Some(12), 12));
    assert_eq!(add("x -> [4 * n ..] {} && n == 4611686018427387904"), Ok(None), "no block is so large");
    assert!(add("x -> [4 * n ..] { @0:4: 1 }").is_err());
}
