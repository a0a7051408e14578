//! Listings of what small trees become, and invariants on random ones.

mod builder;
mod random;

use crate::hir::{Expr, ExprKind, Init, StmtKind};
use builder::{BITS, Builder, NEXT, VALUE};
use expect_test::{Expect, expect};
use heapwise_ir::{CompareOp, FunctionBody, Intrinsic, StatementKind, Type};

fn check(builder: Builder, stmts: Vec<crate::hir::Stmt>, expected: Expect) {
    expected.assert_eq(&builder.listing(stmts));
}

#[test]
fn loads_and_stores_share_a_statement_with_the_assignment() {
    let mut b = Builder::new();
    let (x, y) = (b.param("x", b.node_ptr), b.param("y", b.node_ptr));
    let chain = b.arrow(b.load(b.arrow(b.get(y), NEXT)), NEXT);
    let stmts = vec![
        b.set(x, b.load(b.arrow(b.get(y), NEXT))),
        b.eval(b.assign(b.arrow(b.get(x), NEXT), b.get(y))),
        b.eval(b.assign(b.arrow(b.get(x), NEXT), b.load(b.arrow(b.get(y), NEXT)))),
        b.set(x, b.load(chain)),
        b.ret(b.add(b.load(b.arrow(b.get(x), VALUE)), b.num(1))),
    ];
    check(
        b,
        stmts,
        expect![[r#"
              let struct node *_2
              let int _3
              let int _4
              b0:
                x = load8 y->next@8
                store8 x->next@8 = y
                store8 x->next@8 = load8 y->next@8
                _2 = load8 y->next@8
                x = load8 _2->next@8
                _3 = load4 x->value@0
                _4 = _3 + 1
                return _4
        "#]],
    );
}

#[test]
fn operands_are_copied_only_if_a_later_operand_changes_them() {
    let mut b = Builder::new();
    let (a, x) = (b.param("a", b.int), b.param("x", b.int));
    let post = b.update(b.at(a), None, true);
    let addr = b.addr(b.at(x));
    let stmts = vec![
        // a + x, a + a++, x + (a = 3), a + (a = 3), x + g(&x), a + g(&x)
        b.set(a, b.add(b.get(a), b.get(x))),
        b.set(x, b.add(b.get(a), post)),
        b.set(x, b.add(b.get(x), b.assign(b.at(a), b.num(3)))),
        b.set(x, b.add(b.get(a), b.assign(b.at(a), b.num(3)))),
        b.set(a, b.add(b.get(x), b.call(b.g, vec![addr.clone()]))),
        b.set(x, b.add(b.get(a), b.call(b.g, vec![addr]))),
    ];
    check(
        b,
        stmts,
        expect![[r#"
            let int _2
            let int _3
            let int _4
            let int _5
            let int _6
            let int *_7
            let int _8
            let int *_9
            let unsigned char _10
            let unsigned char _11
            let unsigned char _12
            b0:
              a = a + x
              _10 = call order of evaluation()
              branch _10 ? b1 : b2
            b1:
              _2 = a
              a = _2 + 1
              _3 = a
              goto b3
            b2:
              _3 = a
              _2 = a
              a = _2 + 1
              goto b3
            b3:
              x = _3 + _2
              a = 3
              x = x + a
              _11 = call order of evaluation()
              branch _11 ? b4 : b5
            b4:
              a = 3
              _4 = a
              goto b6
            b5:
              _4 = a
              a = 3
              goto b6
            b6:
              x = _4 + a
              _12 = call order of evaluation()
              branch _12 ? b7 : b8
            b7:
              _7 = &x
              _6 = call g(_7)
              _5 = x
              goto b9
            b8:
              _5 = x
              _7 = &x
              _6 = call g(_7)
              goto b9
            b9:
              a = _5 + _6
              _9 = &x
              _8 = call g(_9)
              x = a + _8
              return undefined
        "#]],
    );
}

#[test]
fn destinations_are_found_before_the_right_side() {
    let mut b = Builder::new();
    let (p, q) = (b.param("p", b.node_ptr), b.param("q", b.node_ptr));
    let array = b.program.types.intern(Type::Array { elem: b.int, len: Some(4) });
    let (a, i) = (b.param("a", array), b.param("i", b.int));
    let post = b.update(b.at(i), None, true);
    let sum = b.update(b.element(b.at(a), b.get(i)), Some(post.clone()), false);
    let stmts = vec![
        b.eval(b.assign(b.arrow(b.get(p), NEXT), b.assign(b.at(p), b.get(q)))),
        b.eval(b.assign(b.element(b.at(a), b.get(i)), post)),
        b.eval(sum),
    ];
    check(
        b,
        stmts,
        expect![[r#"
            let int _4
            let int _5
            let int _6
            let struct node *_7
            let int _8
            let int _9
            let unsigned char _10
            let unsigned char _11
            let unsigned char _12
            b0:
              _10 = call order of evaluation()
              branch _10 ? b1 : b2
            b1:
              p = q
              _7 = p
              goto b3
            b2:
              _7 = p
              p = q
              goto b3
            b3:
              store8 _7->next@8 = p
              _11 = call order of evaluation()
              branch _11 ? b4 : b5
            b4:
              _4 = i
              i = _4 + 1
              _8 = i
              goto b6
            b5:
              _8 = i
              _4 = i
              i = _4 + 1
              goto b6
            b6:
              store4 a[_8 * 4] = _4
              _12 = call order of evaluation()
              branch _12 ? b7 : b8
            b7:
              _9 = i
              _5 = load4 a[_9 * 4]
              _4 = i
              i = _4 + 1
              goto b9
            b8:
              _4 = i
              i = _4 + 1
              _9 = i
              _5 = load4 a[_9 * 4]
              goto b9
            b9:
              store4 a[_9 * 4] = _5 + _4
              return undefined
        "#]],
    );
}

#[test]
fn updates() {
    let mut b = Builder::new();
    let (i, p) = (b.param("i", b.int), b.param("p", b.node_ptr));
    let values = [
        (b.at(i), false),
        (b.at(i), true),
        (b.arrow(b.get(p), VALUE), false),
        (b.arrow(b.get(p), VALUE), true),
        (b.arrow(b.get(p), BITS), false),
    ];
    let mut stmts = Vec::new();
    for (place, postfix) in values {
        let update = b.update(place.clone(), None, postfix);
        stmts.push(b.eval(update));
        let j = b.var("j", b.int);
        let update = b.update(place, None, postfix);
        stmts.push(b.declare(j, Some(update)));
    }
    check(
        b,
        stmts,
        expect![[r#"
              let int _2
              let int j_3
              let int _4
              let int _5
              let int j_6
              let int _7
              let int _8
              let int j_9
              let int _10
              let int _11
              let int j_12
              let int _13
              let int _14
              let int j_15
              let int _16
              let int _17
              let int _18
              let int _19
              b0:
                i = i + 1
                live j_3
                i = i + 1
                j_3 = i
                i = i + 1
                live j_6
                _7 = i
                i = _7 + 1
                j_6 = _7
                _8 = load4 p->value@0
                store4 p->value@0 = _8 + 1
                live j_9
                _10 = load4 p->value@0
                _17 = _10 + 1
                store4 p->value@0 = _17
                j_9 = _17
                _11 = load4 p->value@0
                store4 p->value@0 = _11 + 1
                live j_12
                _13 = load4 p->value@0
                store4 p->value@0 = _13 + 1
                j_12 = _13
                _14 = load4 p->bits@16:0+3
                store4 p->bits@16:0+3 = _14 + 1
                live j_15
                _16 = load4 p->bits@16:0+3
                _18 = _16 + 1
                store4 p->bits@16:0+3 = _18
                _19 = load4 p->bits@16:0+3
                j_15 = _19
                dead j_15
                dead j_12
                dead j_9
                dead j_6
                dead j_3
                return undefined
        "#]],
    );
}

#[test]
fn conditions_are_edges() {
    let mut b = Builder::new();
    let (p, x) = (b.param("p", b.node_ptr), b.param("x", b.int));
    let small = b.cmp(CompareOp::Lt, b.load(b.arrow(b.get(p), VALUE)), b.num(3));
    let cond = b.or(b.and(b.get(p), b.not(small)), b.not(b.get(x)));
    let (yes, no) = (b.ret(b.num(1)), b.ret(b.num(2)));
    let stmts = vec![b.if_(cond, yes, Some(no)), b.ret(b.num(3))];
    check(
        b,
        stmts,
        expect![[r#"
              let int _2
              let int _3
              b0:
                branch p ? b1 : b2
              b1:
                _2 = load4 p->value@0
                _3 = _2 < 3
                branch _3 ? b2 : b4
              b2:
                branch x ? b3 : b4
              b3:
                return 2
              b4:
                return 1
        "#]],
    );
}

#[test]
fn truth_values_and_conditional_values() {
    let mut b = Builder::new();
    let (x, y) = (b.param("x", b.int), b.param("y", b.int));
    let stmts = vec![
        b.set(x, b.and(b.get(x), b.get(y))),
        b.set(x, b.not(b.get(y))),
        b.ret(b.cond(b.get(x), b.add(b.get(y), b.num(1)), b.num(7))),
    ];
    check(
        b,
        stmts,
        expect![[r#"
              let int _2
              b0:
                branch x ? b1 : b3
              b1:
                branch y ? b2 : b3
              b2:
                x = 1
                goto b4
              b3:
                x = 0
                goto b4
              b4:
                x = y == 0
                branch x ? b5 : b6
              b5:
                _2 = y + 1
                goto b7
              b6:
                _2 = 7
                goto b7
              b7:
                return _2
        "#]],
    );
}

#[test]
fn literal_conditions_leave_no_dead_code() {
    let mut b = Builder::new();
    let x = b.param("x", b.int);
    let dead = b.set(x, b.num(1));
    let (inc, stop) = (b.update(b.at(x), None, true), b.stmt(StmtKind::Break));
    let exit = b.if_(b.get(x), stop, None);
    let inc = b.eval(inc);
    let body = b.scope(vec![inc, exit]);
    let endless = b.eval(b.call(b.stop, vec![]));
    let never = b.set(x, b.num(9));
    let stmts = vec![b.if_(b.num(0), dead, None), b.while_(b.num(1), body), endless, never];
    check(
        b,
        stmts,
        expect![[r#"
              let int _1
              b0:
                goto b1
              b1:
                x = x + 1
                branch x ? b2 : b1
              b2:
                call stop()
                unreachable
        "#]],
    );
}

#[test]
fn loops_with_scopes() {
    let mut b = Builder::new();
    let n = b.param("n", b.int);
    let (i, t) = (b.var("i", b.int), b.var("t", b.int));
    let (go_on, leave, back) = (b.stmt(StmtKind::Continue), b.stmt(StmtKind::Break), b.ret(b.get(t)));
    let body = vec![
        b.declare(t, Some(b.get(i))),
        b.if_(b.cmp(CompareOp::Eq, b.get(t), b.num(1)), go_on, None),
        b.if_(b.cmp(CompareOp::Eq, b.get(t), b.num(2)), leave, None),
        b.if_(b.cmp(CompareOp::Eq, b.get(t), b.num(3)), back, None),
    ];
    let body = b.scope(body);
    let declare = b.declare(i, Some(b.num(0)));
    let init = b.block(vec![declare]);
    let step = b.update(b.at(i), None, false);
    let cond = b.cmp(CompareOp::Lt, b.get(i), b.get(n));
    let stmts = vec![b.stmt(StmtKind::For {
        init,
        cond: Some(Box::new(cond)),
        step: Some(Box::new(step)),
        body: Box::new(body),
    })];
    check(
        b,
        stmts,
        expect![[r#"
              let int i
              let int t
              let int _3
              let int _4
              let int _5
              let int _6
              let int _7
              let int _8
              b0:
                live i
                i = 0
                goto b1
              b1:
                _4 = i < n
                branch _4 ? b2 : b10
              b2:
                live t
                t = i
                _5 = t == 1
                branch _5 ? b3 : b4
              b3:
                dead t
                goto b9
              b4:
                _6 = t == 2
                branch _6 ? b5 : b6
              b5:
                dead t
                goto b10
              b6:
                _7 = t == 3
                branch _7 ? b7 : b8
              b7:
                _8 = t
                dead t
                dead i
                return _8
              b8:
                dead t
                goto b9
              b9:
                i = i + 1
                goto b1
              b10:
                dead i
                return undefined
        "#]],
    );
}

#[test]
fn switch_into_the_middle_of_a_loop() {
    // switch (x) { int y; case 1: do { int z; y = 2; case 5 ... 9: z = 3; } while (x); default: ; }
    let mut b = Builder::new();
    let x = b.param("x", b.int);
    let (y, z) = (b.var("y", b.int), b.var("z", b.int));
    let inner = vec![
        b.declare(z, None),
        b.set(y, b.num(2)),
        b.stmt(StmtKind::Case { low: 5, high: 9 }),
        b.set(z, b.num(3)),
    ];
    let inner = b.scope(inner);
    let body = vec![
        b.declare(y, None),
        b.stmt(StmtKind::Case { low: 1, high: 1 }),
        b.stmt(StmtKind::DoWhile { body: Box::new(inner), cond: b.get(x) }),
        b.stmt(StmtKind::Default),
    ];
    let body = b.scope(body);
    let stmts = vec![b.stmt(StmtKind::Switch { value: b.get(x), body: Box::new(body) })];
    check(
        b,
        stmts,
        expect![[r#"
              let int y
              let int z
              b0:
                switch x { 1: b1, 5..9: b2, default: b5 }
              b1:
                live y
                goto b4
              b2:
                live y
                live z
                goto b3
              b3:
                z = 3
                dead z
                branch x ? b4 : b6
              b4:
                live z
                y = 2
                goto b3
              b5:
                live y
                goto b6
              b6:
                dead y
                return undefined
        "#]],
    );
}

#[test]
fn gotos_into_out_of_and_within_scopes() {
    let mut b = Builder::new();
    let x = b.param("x", b.int);
    let (y, z) = (b.var("y", b.int), b.var("z", b.int));
    let (into, back) = (b.label("into"), b.label("back"));
    let jump_in = b.stmt(StmtKind::Goto(into));
    let jump_back = b.stmt(StmtKind::Goto(back));
    let inner = vec![b.declare(z, None), b.stmt(StmtKind::Label(into)), b.set(z, b.num(1))];
    let stmts = vec![
        b.if_(b.get(x), jump_in, None),
        b.stmt(StmtKind::Label(back)),
        b.declare(y, Some(b.num(0))),
        b.scope(inner),
        b.if_(b.get(y), jump_back, None),
        b.ret(b.get(y)),
    ];
    check(
        b,
        stmts,
        expect![[r#"
              let int y
              let int z
              let int _3
              b0:
                live y
                branch x ? b1 : b2
              b1:
                live z
                goto b3
              b2:
                y = 0
                live z
                goto b3
              b3:
                z = 1
                dead z
                branch y ? b2 : b4
              b4:
                _3 = y
                dead y
                return _3
        "#]],
    );
}

#[test]
fn jumps_back_over_declarations_end_arrays_of_variable_length_only() {
    // back: ; int y; int v[x]; y = 1; if (x) goto back;
    let mut b = Builder::new();
    let x = b.param("x", b.int);
    let ptr = b.program.types.pointer(b.int);
    let (y, v, back) = (b.var("y", b.int), b.var("v", ptr), b.label("back"));
    let again = b.stmt(StmtKind::Goto(back));
    let vla = StmtKind::Declare { local: v, vla_size: Some(Box::new(b.get(x))), init: None };
    let stmts = vec![
        b.stmt(StmtKind::Label(back)),
        b.declare(y, None),
        b.stmt(vla),
        b.set(y, b.num(1)),
        b.if_(b.get(x), again, None),
    ];
    check(
        b,
        stmts,
        expect![[r#"
        let int y
        let int *v
        b0:
          live y
          goto b1
        b1:
          y = undefined
          live v
          v = scope_alloc x
          y = 1
          branch x ? b2 : b3
        b2:
          scope_free v
          dead v
          goto b1
        b3:
          scope_free v
          dead v
          dead y
          return undefined
    "#]],
    );
}

#[test]
fn computed_gotos_begin_and_end_scopes() {
    let mut b = Builder::new();
    let ptr = b.program.types.pointer(b.void);
    let t = b.param("t", ptr);
    let (y, z) = (b.var("y", b.int), b.var("z", b.int));
    let (one, two) = (b.label("one"), b.label("two"));
    let jump = StmtKind::GotoAddress(b.get(t));
    let to_two = b.label_addr(two);
    let to_one = b.label_addr(one);
    let inner = vec![
        b.declare(z, None),
        b.stmt(StmtKind::Label(one)),
        b.set(z, b.num(1)),
        b.set(t, to_two),
        b.stmt(jump.clone()),
    ];
    let stmts = vec![
        b.set(t, to_one),
        b.declare(y, None),
        b.stmt(jump),
        b.scope(inner),
        b.stmt(StmtKind::Label(two)),
        b.ret(b.num(0)),
    ];
    check(
        b,
        stmts,
        expect![[r#"
              let int y
              let int z
              b0:
                t = &&b1
                live y
                live z
                goto *t in [b1, b2]
              b1:
                z = 1
                t = &&b2
                goto *t in [b1, b2]
              b2:
                dead z
                dead y
                return 0
        "#]],
    );
}

#[test]
fn statement_expressions() {
    let mut b = Builder::new();
    let x = b.param("x", b.int);
    let (y, out) = (b.var("y", b.int), b.label("out"));
    let leave = b.stmt(StmtKind::Goto(out));
    let inner = vec![b.declare(y, Some(b.num(1))), b.if_(b.get(x), leave, None)];
    let value = b.stmt_expr(inner, Some(b.get(y)));
    let stmts = vec![b.set(x, b.add(b.get(x), value)), b.stmt(StmtKind::Label(out)), b.ret(b.get(x))];
    check(
        b,
        stmts,
        expect![[r#"
              let int y
              let int _2
              b0:
                live y
                y = 1
                branch x ? b1 : b2
              b1:
                dead y
                goto b3
              b2:
                _2 = y
                dead y
                x = x + _2
                goto b3
              b3:
                return x
        "#]],
    );
}

#[test]
fn literals_temporaries_and_variable_length_arrays() {
    let mut b = Builder::new();
    let n = b.param("n", b.int);
    let literal = b.temp(b.node);
    b.function.body.literals.push(literal);
    let init = Init { zero: Some(b.at(literal)), stores: vec![(b.member(b.at(literal), VALUE), b.get(n))] };
    let (p, vla) = (b.var("p", b.node_ptr), b.var("vla", b.int_ptr));
    let literal_address = b.addr(b.literal(literal, init));
    let either = b.cond(b.get(n), b.load(b.deref(b.get(p))), b.load(b.deref(b.get(p))));
    let member = b.member(b.temporary_place(either.clone()), VALUE);
    let member_address = b.addr(b.member(b.temporary_place(either), VALUE));
    let size = b.get(n);
    let stmts = vec![
        b.declare(p, Some(literal_address)),
        b.stmt(StmtKind::Declare { local: vla, vla_size: Some(Box::new(size)), init: None }),
        b.set(n, b.load(member)),
        b.ret(b.call(b.g, vec![member_address])),
    ];
    check(
        b,
        stmts,
        expect![[r#"
              let struct node *p
              let int *vla
              let struct node _5
              let int _6
              let int *_7
              b0:
                live _1
                live _4
                live p
                zero32 _1
                store4 _1.value@0 = n
                p = &_1
                live vla
                vla = scope_alloc n
                branch n ? b1 : b2
              b1:
                _5 = load32 *p
                goto b3
              b2:
                _5 = load32 *p
                goto b3
              b3:
                n = load4 _5.value@0
                branch n ? b4 : b5
              b4:
                _4 = load32 *p
                goto b6
              b5:
                _4 = load32 *p
                goto b6
              b6:
                _7 = &_4.value@0
                _6 = call g(_7)
                scope_free vla
                dead vla
                dead p
                dead _4
                dead _1
                return _6
        "#]],
    );
}

#[test]
fn intrinsics_that_end_control() {
    let mut b = Builder::new();
    let x = b.param("x", b.int);
    let op = |b: &Builder, op| Expr { kind: ExprKind::Intrinsic { op, args: vec![] }, ..b.num(0) };
    let trap = b.eval(op(&b, Intrinsic::Trap));
    let never = b.eval(op(&b, Intrinsic::Unreachable));
    let stmts = vec![b.if_(b.get(x), trap, Some(never)), b.ret(b.num(1))];
    check(
        b,
        stmts,
        expect![[r#"
              b0:
                branch x ? b1 : b2
              b1:
                trap()
                unreachable
              b2:
                unreachable
        "#]],
    );
}

#[test]
fn misplaced_jumps_cost_the_function() {
    let mut b = Builder::new();
    let stmts = vec![b.stmt(StmtKind::Break)];
    let (program, id, diagnostics) = b.lower(stmts);
    assert!(matches!(program.functions[id].body, FunctionBody::NotAnalysed { .. }));
    assert_eq!(diagnostics.len(), 1);
}

#[test]
fn ends_without_return() {
    let mut b = Builder::new();
    b.function.ret = b.int;
    check(
        b,
        vec![],
        expect![[r#"
              b0:
                return undefined
        "#]],
    );
    let mut b = Builder::new();
    b.function.ret = b.void;
    check(
        b,
        vec![],
        expect![[r#"
              b0:
                return
        "#]],
    );
}

#[test]
fn great_tables_and_long_functions_stay_linear() {
    let size = 40_000;
    let mut b = Builder::new();
    let array = b.program.types.intern(Type::Array { elem: b.int, len: Some(size) });
    let (a, x) = (b.var("a", array), b.param("x", b.int));
    let stores: Vec<_> = (0..size).map(|i| (b.element(b.at(a), b.num(i.into())), b.num(1))).collect();
    let init = Some(Init { zero: Some(b.at(a)), stores });
    let mut stmts = vec![b.stmt(StmtKind::Declare { local: a, vla_size: None, init })];
    for i in 0..40_000 {
        let then = b.set(x, b.num(i));
        stmts.push(b.if_(b.get(x), then, None));
    }
    let start = std::time::Instant::now();
    let (program, id, _) = b.lower(stmts);
    // Quadratic behaviour would take minutes.
    assert!(start.elapsed().as_secs() < 20);
    let body = program.body(id).unwrap();
    assert_eq!(body.blocks.len(), 80_001);
    let stores = body.blocks.iter().flat_map(|b| &b.statements);
    assert_eq!(stores.filter(|s| matches!(s.kind, StatementKind::Assign { .. })).count(), 80_000);
}

/// The greatest height that the parser lets pass.
#[test]
fn the_tallest_trees_fit_the_stack() {
    let lower = std::thread::Builder::new().stack_size(crate::STACK_SIZE).spawn(lower_tallest_trees);
    lower.unwrap().join().unwrap();
}

fn lower_tallest_trees() {
    let height = crate::parser::MAX_HEIGHT;
    let mut b = Builder::new();
    let x = b.param("x", b.int);
    let (mut left, mut right, mut and, mut chosen) = (b.get(x), b.get(x), b.get(x), b.get(x));
    let (mut indexed, mut chain) = (b.get(x), b.eval(b.num(0)));
    let array = b.program.types.intern(Type::Array { elem: b.int, len: Some(4) });
    let a = b.param("a", array);
    for _ in 0..height {
        left = b.add(left, b.get(x));
        right = b.add(b.get(x), right);
        and = b.and(b.get(x), and);
        chosen = b.cond(b.get(x), b.num(1), chosen);
        indexed = b.load(b.element(b.at(a), indexed));
        let then = b.set(x, b.num(3));
        chain = b.if_(b.get(x), then, Some(chain));
    }
    let mut stmts: Vec<_> = [left, right, and, chosen, indexed].into_iter().map(|e| b.set(x, e)).collect();
    stmts.push(chain);
    let (program, id, _) = b.lower(stmts);
    assert!(program.body(id).is_some());
}
