//! Statements.

use super::check;
use expect_test::expect;

#[test]
fn control_flow() {
    check(
        "void f() { if (a) if (b) c; else d; else if (e) g; else { } }",
        expect![[r#"
        (fn void f(?) (block (if a (if b c d) (if e g (block)))))
    "#]],
    );
    check(
        "void f() { while (a) do b; while (c); for (;;) break; for (i = 0; i < n; i++) continue; }",
        expect![[r#"
        (fn void f(?) (block (while a (do b c)) (for _ _ _ (break)) (for (= i 0) (lt i n) (post++ i) (continue))))
    "#]],
    );
    check(
        "int f() { for (int i = 0, j; i; ) { } for (struct s *p = q; p; p = p->n) ; return (a); }",
        expect![[r#"
        (fn int f(?) (block (for (decl int (= i 0) j) i _ (block)) (for (decl struct s (= p* q)) p (= p (-> p n)) ;) (return a)))
    "#]],
    );
}

#[test]
fn switch_and_labels() {
    check(
        "void f() { switch (x) { case 1: case 2 ... 4: a; break; default: ; case 'x': int y; case 5: } }",
        expect![[r#"
        (fn void f(?) (block (switch x (block (case 1 ;) (case 2 ... 4 a) (break) (default ;) (case '120' ;) (decl int y) (case 5 ;)))))
    "#]],
    );
    check(
        "void f() { l: m: goto l; goto *p; n: } void g() { switch (x) case 1: case 2: y; }",
        expect![[r#"
        (fn void f(?) (block (label l ;) (label m (goto l)) (goto* p) (label n ;)))
        (fn void g(?) (block (switch x (case 1 (case 2 y)))))
    "#]],
    );
    check(
        "void f() { __label__ a, b; a: __attribute__((unused)); b: [[maybe_unused]] int x; [[fallthrough]]; __attribute__((fallthrough)); }",
        expect![[r#"
        (fn void f(?) (block (labels a b) (label a ;) (label b ;) (decl int @maybe_unused x) ; ;))
    "#]],
    );
    check(
        "void f() { if (x) l: y; else case 3: z; }",
        expect![[r#"
        (fn void f(?) (block (if x (label l y) (case 3 z))))
    "#]],
    );
}

#[test]
fn inline_assembly() {
    check(
        "void f() { asm(\"nop\"); __asm__ volatile(\"\" ::: \"memory\"); asm(\"a\" \"b\" : \"=r\"(x), [n] \"+m\"(*p) : \"r\"(y + 1) : \"cc\", \"r0\"); }",
        expect![[r#"
        (fn void f(?) (block (asm "nop") (asm "") (asm "ab" out)))
    "#]],
    );
    check(
        "void f() { asm goto(\"j\" : : \"i\"(1) : : l1, l2); asm volatile (\"x\" : : \"r\"(a)); asm inline (\"y\" : : ); l1: l2: ; }",
        expect![[r#"
        (fn void f(?) (block (asm "j" goto) (asm "x") (asm "y") (label l1 ;) (label l2 ;)))
    "#]],
    );
}

#[test]
fn local_declarations() {
    check(
        "void f() { extern int a; static int b = 1; typedef int T; T *c, d[2] = {1}; int g(int); struct s { int a; } e; }",
        expect![[r#"
        (fn void f(?) (block (decl extern int a) (decl static int (= b 1)) (decl typedef int T) (decl 'T c* (= d[2] {1})) (decl int g(int )) (decl (struct s int a;) e)))
    "#]],
    );
    check(
        "int f(int x) { int g(int y) { return x + y; } return g(1); }",
        expect![[r#"
        (fn int f(int x) (block (nested-fn) (return (call g 1))))
    "#]],
    );
    check(
        "void f() { __extension__ int a; __extension__ a; _Static_assert(1); static_assert(2, \"\"); }",
        expect![[r#"
        (fn void f(?) (block (decl int a) a (static_assert 1) (static_assert 2 "")))
    "#]],
    );
    check(
        "int n(int m) { int a[m][m + 1]; int (*p)[m] = a; return sizeof(int[m]); }",
        expect![[r#"
        (fn int n(int m) (block (decl int a[m][(add m 1)]) (decl int (= p*[m] a)) (return sizeof<int[m]>)))
    "#]],
    );
}
