//! Expressions and literals.

use super::{check_expr, parse};
use crate::ast::{BlockItem, Item, StmtKind};
use expect_test::expect;

#[test]
fn precedence_and_associativity() {
    check_expr("", "a = b = c ? d : e ? g : h", expect!["(= a (= b (? c d (? e g h))))"]);
    check_expr(
        "",
        "a - b - c * d % e << 1 < g == h & i ^ j | k && l || m",
        expect![
            "(logor (logand (or (xor (and (eq (lt (shl (sub (sub a b) (rem (mul c d) e)) 1) g) h) i) j) k) l) m)"
        ],
    );
    check_expr("", "a, b += c, d", expect!["(, (, a (add= b c)) d)"]);
    check_expr("", "*p++ + -~!x", expect!["(add (deref (post++ p)) (neg (bitnot (not x))))"]);
    check_expr("", "a ?: b", expect!["(?: a b)"]);
    check_expr(
        "",
        "f(a, (b, c))(d)[e].g->h--",
        expect!["(post-- (-> (. ([] (call (call f a (, b c)) d) e) g) h))"],
    );
    check_expr("", "&&l, &*p, a & &b", expect!["(, (, &&l (addrof (deref p))) (and a (addrof b)))"]);
}

#[test]
fn casts_sizeof_and_compound_literals() {
    let t = "typedef int T; struct s { int a, b; };";
    check_expr(t, "(T)x + (T)-y", expect!["(add (cast 'T x) (cast 'T (neg y)))"]);
    check_expr(t, "(x) + y, (x)(y), (T)(y)", expect!["(, (, (add x y) (call x y)) (cast 'T y))"]);
    check_expr(
        t,
        "sizeof(T) * 2, sizeof (x) * 2, sizeof (T){1}, sizeof x[0]",
        expect![
            "(, (, (, (mul sizeof<'T> 2) (mul (sizeof x) 2)) (sizeof (literal 'T {1}))) (sizeof ([] x 0)))"
        ],
    );
    check_expr(
        t,
        "sizeof(int (*)[3]), sizeof(int *(*)(void)), sizeof(T[2][3])",
        expect!["(, (, sizeof<int*[3]> sizeof<int*()*>) sizeof<'T[2][3]>)"],
    );
    check_expr(t, "((struct s){.a = 1, 2}).b", expect!["(. (literal struct s {.a=1, 2}) b)"]);
    check_expr(t, "&(int[]){1, 2}[1]", expect!["(addrof ([] (literal int[] {1, 2}) 1))"]);
    check_expr(
        t,
        "_Alignof(T) + __alignof__ x + alignof(double)",
        expect!["(add (add alignof<'T> (alignof x)) alignof<double>)"],
    );
    check_expr(
        t,
        "(__typeof__(x))y, (const volatile T *restrict)z",
        expect!["(, (cast typeof(x) y) (cast const volatile 'T*r z))"],
    );
    check_expr(
        t,
        "(T(*)(T))x, (void (*(*)(int))(char))y",
        expect!["(, (cast 'T*('T ) x) (cast void*(int )*(char ) y))"],
    );
}

#[test]
fn keyword_expressions() {
    let t = "typedef int T;";
    check_expr(
        t,
        "_Generic(x, int: 1, T *: 2, default: 3)",
        expect!["(generic x <int>:1 <'T*>:2 default:3)"],
    );
    check_expr(
        t,
        "({ T y = 1; y + 1; }) + 1",
        expect!["(add (stmt-expr (block (decl 'T (= y 1)) (add y 1))) 1)"],
    );
    check_expr(t, "__builtin_va_arg(ap, char *)", expect!["(va_arg ap <char*>)"]);
    check_expr(t, "__builtin_offsetof(struct s, a[3].b.c)", expect!["(offsetof <struct s> .a[3].b.c)"]);
    check_expr(t, "__builtin_types_compatible_p(T, const int *)", expect!["(compatible <'T> <const int*>)"]);
    check_expr(t, "__builtin_choose_expr(1, a, b)", expect!["(choose 1 a b)"]);
    check_expr(t, "__real__ z + __imag z", expect!["(add (real z) (imag z))"]);
    check_expr(
        t,
        "__extension__ (T)1 + __extension__ ({ 2; })",
        expect!["(add (cast 'T 1) (stmt-expr (block 2)))"],
    );
    check_expr(t, "__func__, __FUNCTION__[0]", expect!["(, __func__ ([] __func__ 0))"]);
    check_expr(t, "nullptr, true, false", expect!["(, (, nullptr #true) #false)"]);
}

#[test]
fn literals() {
    check_expr(
        "",
        "0, 10, 0x1Fu, 0b101, 1'000ll, 017ULL",
        expect!["(, (, (, (, (, 0 10) 31u) 5) 1000ll) 15ull)"],
    );
    check_expr(
        "",
        "1.0, 2.f, 3e2L, 0x1p4, 1.0i, .5",
        expect![
            "(, (, (, (, (, 1.0:double 2.0:float) 300.0:longdouble) 16.0:double) 1.0:complexdouble) 0.5:double)"
        ],
    );
    check_expr(
        "",
        r"'a', '\n', '\377', 'ab', '\x41', L'\xffff', u8'a', U'é', '\0', '\''",
        expect![
            "(, (, (, (, (, (, (, (, (, '97' '10') '-1') '24930') '65') '65535'L) '97'u8) '233'U) '0') '39')"
        ],
    );
    check_expr(
        "",
        r#""a\tb" "c\0" "\x41" "1\u00e9", L"w" "x", u8"é", u"😀""#,
        expect![[r#"(, (, (, "a\tbc\0A1Ã©" L"wx") u8"Ã©") u"??")"#]],
    );
    check_expr("", "\"a\\\nb\"", expect![[r#""ab""#]]);
}

#[test]
fn spans_cover_what_was_written() {
    let text = "void f() { (a + b)->c[i] = g( x ); }";
    let (parsed, sources, _) = parse(text);
    let Some(Item::Function(f)) = parsed.unit.items.first() else { panic!("{parsed:?}") };
    let Some(BlockItem::Stmt(s)) = f.body.items.first() else { panic!("{f:?}") };
    let StmtKind::Expr(e) = &s.kind else { panic!("{s:?}") };
    assert_eq!(sources.snippet(e.span), "(a + b)->c[i] = g( x )");
    assert_eq!(sources.snippet(f.span), text);
    assert_eq!(sources.snippet(s.span), "(a + b)->c[i] = g( x );");
}
