//! The five programs of Arnold's Table 2 as [`Program`] values, for the benchmark and the tests.
//!
//! Only `dll-loop` is printed in the report (Fig. 1); the others are written from their names and
//! descriptions. Each ends with assertions of what is to be proved.

use crate::program::{Condition, FieldId, LocationId, Program, Property, Statement, VarId};

/// A named sample.
pub struct Sample {
    /// The report's name for it.
    pub name: &'static str,
    /// The program.
    pub program: Program,
}

/// All five samples in the order of the report.
pub fn all() -> Vec<Sample> {
    vec![
        Sample { name: "sll-loop", program: sll_loop() },
        Sample { name: "sll-reverse", program: sll_reverse() },
        Sample { name: "sll-delete", program: sll_delete() },
        Sample { name: "dll-loop", program: dll_loop() },
        Sample { name: "dll-pairs", program: dll_pairs() },
    ]
}

fn not_null(x: VarId) -> Statement {
    Statement::Assume(Condition::NotNull(x))
}

fn null(x: VarId) -> Statement {
    Statement::Assume(Condition::Null(x))
}

fn new(target: VarId) -> Statement {
    Statement::New { target, zeroed: true }
}

/// `while (…) { e = new; e->n = x; x = e; }`; returns where the loop is left.
fn build_list(p: &mut Program, from: LocationId, x: VarId, e: VarId, n: FieldId) -> LocationId {
    let head = p.location("build");
    let built = p.location("built");
    p.edge(from, Statement::SetNull(x), head);
    p.path(
        head,
        &[Statement::Skip, new(e), Statement::Store(e, n, x), Statement::Copy(x, e), Statement::SetNull(e)],
        head,
    );
    p.edge(head, Statement::Skip, built);
    built
}

/// `for (y = x; y; y = t) { visit; t = y->n; }`; returns where the loop is left.
fn walk_list(p: &mut Program, from: LocationId, x: VarId, y: VarId, t: VarId, n: FieldId) -> LocationId {
    let head = p.location("walk");
    let walked = p.location("walked");
    p.edge(from, Statement::Copy(y, x), head);
    p.path(
        head,
        &[
            not_null(y),
            Statement::Skip,
            Statement::Load(t, y, n),
            Statement::SetNull(y),
            Statement::Copy(y, t),
            Statement::SetNull(t),
            Statement::Skip,
        ],
        head,
    );
    p.edge(head, null(y), walked);
    walked
}

fn finish(p: &mut Program, from: LocationId, properties: &[Property]) {
    let end = p.location("end");
    let asserts: Vec<Statement> = properties.iter().map(|&q| Statement::Assert(q)).collect();
    p.path(from, &asserts, end);
}

fn sll_loop() -> Program {
    let mut p = Program::default();
    let [x, y, t] = ["x", "y", "t"].map(|v| p.variable(v));
    let n = p.field("n");
    let start = p.location("start");
    let built = build_list(&mut p, start, x, y, n);
    let walked = walk_list(&mut p, built, x, y, t, n);
    finish(&mut p, walked, &[Property::Acyclic(x, n), Property::Unshared(x, n)]);
    p
}

fn sll_reverse() -> Program {
    let mut p = Program::default();
    let [x, y, t] = ["x", "y", "t"].map(|v| p.variable(v));
    let n = p.field("n");
    let start = p.location("start");
    let built = build_list(&mut p, start, x, t, n);
    let head = p.location("reverse");
    let reversed = p.location("reversed");
    p.edge(built, Statement::SetNull(y), head);
    p.path(
        head,
        &[
            not_null(x),
            Statement::Copy(t, y),
            Statement::Copy(y, x),
            Statement::Load(x, x, n),
            Statement::StoreNull(y, n),
            Statement::Store(y, n, t),
            Statement::SetNull(t),
        ],
        head,
    );
    p.edge(head, null(x), reversed);
    let ready = p.location("ready");
    p.edge(reversed, Statement::Copy(x, y), ready);
    let walked = walk_list(&mut p, ready, x, y, t, n);
    finish(&mut p, walked, &[Property::Acyclic(x, n), Property::Unshared(x, n)]);
    p
}

fn sll_delete() -> Program {
    let mut p = Program::default();
    let [x, y, e, t] = ["x", "y", "p", "t"].map(|v| p.variable(v));
    let n = p.field("n");
    let start = p.location("start");
    let built = build_list(&mut p, start, x, t, n);
    let search = p.location("search");
    let found = p.location("found");
    let rest = p.location("rest");
    p.path(built, &[Statement::Copy(y, x), Statement::SetNull(e)], search);
    p.edge(search, not_null(y), found);
    p.path(
        found,
        &[
            Statement::Skip,
            Statement::Copy(e, y),
            Statement::Load(t, y, n),
            Statement::Copy(y, t),
            Statement::SetNull(t),
        ],
        search,
    );
    let take = p.location("take");
    p.path(found, &[Statement::Skip, Statement::Load(t, y, n), Statement::StoreNull(y, n)], take);
    let taken = p.location("taken");
    p.path(take, &[not_null(e), Statement::StoreNull(e, n), Statement::Store(e, n, t)], taken);
    p.path(take, &[null(e), Statement::Copy(x, t)], taken);
    p.path(
        taken,
        &[Statement::SetNull(t), Statement::SetNull(e), Statement::Free(y), Statement::SetNull(y)],
        rest,
    );
    p.path(search, &[null(y), Statement::SetNull(e)], rest);
    let walked = walk_list(&mut p, rest, x, y, t, n);
    finish(&mut p, walked, &[Property::Acyclic(x, n), Property::Unshared(x, n)]);
    p
}

/// The building loop of Fig. 1.
fn build_dll(p: &mut Program, from: LocationId, x: VarId, y: VarId, n: FieldId, back: FieldId) -> LocationId {
    let head = p.location("build");
    let fresh = p.location("fresh");
    let joined = p.location("joined");
    let built = p.location("built");
    p.edge(from, Statement::SetNull(x), head);
    p.path(head, &[Statement::Skip, new(y)], fresh);
    p.path(fresh, &[not_null(x), Statement::Store(x, back, y)], joined);
    p.edge(fresh, null(x), joined);
    p.path(joined, &[Statement::Store(y, n, x), Statement::Copy(x, y), Statement::SetNull(y)], head);
    p.edge(head, Statement::Skip, built);
    built
}

fn dll_loop() -> Program {
    let mut p = Program::default();
    let [x, y, t] = ["x", "y", "t"].map(|v| p.variable(v));
    let [n, back] = ["n", "p"].map(|f| p.field(f));
    let start = p.location("start");
    let built = build_dll(&mut p, start, x, y, n, back);
    let walked = walk_list(&mut p, built, x, y, t, n);
    finish(
        &mut p,
        walked,
        &[Property::Acyclic(x, n), Property::Unshared(x, n), Property::LeadsBack(n, back)],
    );
    p
}

/// The pair and the element before it, which the last round leaves behind.
fn dll_pairs() -> Program {
    let mut p = Program::default();
    let [x, y, t, z] = ["x", "y", "t", "z"].map(|v| p.variable(v));
    let [n, back] = ["n", "p"].map(|f| p.field(f));
    let start = p.location("start");
    let built = build_dll(&mut p, start, x, y, n, back);
    let first = p.location("first");
    let pairs = p.location("pairs");
    let walked = p.location("walked");
    p.edge(built, Statement::Copy(y, x), first);
    p.edge(first, null(y), walked);
    p.path(first, &[not_null(y), Statement::Load(t, y, n)], pairs);
    p.path(
        pairs,
        &[
            not_null(t),
            Statement::Load(z, y, back),
            Statement::SetNull(y),
            Statement::Copy(y, t),
            Statement::SetNull(t),
            Statement::Load(t, y, n),
            Statement::Skip,
        ],
        pairs,
    );
    p.path(pairs, &[null(t), Statement::SetNull(y)], walked);
    finish(
        &mut p,
        walked,
        &[Property::Acyclic(x, n), Property::Unshared(x, n), Property::LeadsBack(n, back)],
    );
    p
}
