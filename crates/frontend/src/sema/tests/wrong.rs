//! Programs that are wrong or go beyond what is supported: one diagnostic each, and the rest goes on.

use super::{check, codes};
use heapwise_ir::{DataModel, FunctionBody, Severity};

#[test]
fn every_mistake_has_its_code() {
    let cases: &[(&str, &str)] = &[
        ("int f(void) { return y; }", "undeclared"),
        ("int f(int *p) { return p->x; }", "no-such-member"),
        ("struct s { int a; }; int f(struct s *p) { return p->b; }", "no-such-member"),
        ("struct s; int f(struct s *p) { return p->b; }", "no-such-member"),
        ("int f(int i) { return *i; }", "not-a-pointer"),
        ("void f(void) { 3 = 4; }", "not-an-lvalue"),
        ("void f(const int i) { i = 4; }", "assignment-to-const"),
        ("void f(void) { int a[3]; a = 0; }", "assignment-to-array"),
        ("int g(int); int f(void) { return g(1, 2); }", "argument-count"),
        ("int f(int i) { return i(); }", "not-a-function"),
        ("struct s { int a; }; int f(struct s s) { return s; }", "incompatible-types"),
        ("int f(double d) { return d % 2; }", "bad-operand"),
        ("struct s { int a; }; void f(struct s s) { if (s) ; }", "not-scalar"),
        ("void f(void) { goto nowhere; }", "undefined-label"),
        ("void f(void) { break; }", "stray-break"),
        ("void f(void) { continue; }", "stray-continue"),
        ("void f(int i) { switch (i) { case 1: case 1: ; } }", "duplicate-case"),
        ("void f(int i) { case 1: ; }", "stray-case"),
        ("void f(int i) { switch (1) { case 2: i: ; case 3: i: ; } }", "redefinition"),
        ("int a; char a;", "conflicting-types"),
        ("int a = 1; int a = 2;", "redefinition"),
        ("int f(void) { return 1; } int f(void) { return 2; }", "redefinition"),
        ("int f(int); int f(char *);", "conflicting-types"),
        ("struct s { int a; }; struct s { int b; };", "redefinition"),
        ("struct s; union s;", "tag-mismatch"),
        ("struct s { struct t x; };", "incomplete-type"),
        ("struct s { int b : 40; };", "bad-bit-field"),
        ("_Static_assert(sizeof(int) == 5, \"five\");", "static-assertion"),
        ("int g(void); int a = g();", "not-constant"),
        ("int n; int a[n];", "variable-size"),
        ("int a[-1];", "bad-array-size"),
        ("int a[2] = { [5] = 1 };", "bad-designator"),
        ("struct { int a; } s = { .b = 1 };", "no-such-member"),
        ("void f(void) { int i; int i; }", "redefinition"),
        ("int f(void) { return _Generic(1.0, int: 1); }", "no-generic-choice"),
        ("struct s { unsigned a : 2; } x; unsigned *f(void) { return &x.a; }", "address-of-bit-field"),
        ("int a __attribute__((aligned(3)));", "bad-alignment"),
        ("void f(int x) { __attribute__((cleanup(f))) int i; }", "unsupported-cleanup"),
        ("void f(int x) { asm(\"nop\" : \"=r\"(x)); }", "unsupported-asm"),
        ("void f(int *p) { asm(\"movl $1, (%0)\" : : \"r\"(p) : \"memory\"); }", "unsupported-asm"),
        ("int x; void f(void) { asm(\"movl $1, x\"); }", "unsupported-asm"),
        ("void f(_Complex double z) { z + 1.0; }", "unsupported-vector"),
        (
            "typedef int v4 __attribute__((vector_size(16))); v4 f(v4 a) { return a + a; }",
            "unsupported-vector",
        ),
        ("void f(void) { __builtin_no_such_thing(); }", "unsupported-builtin"),
        ("void f(void) { int g(void) { return 1; } g(); }", "unsupported-nested-function"),
        ("int f(void) { return g(); }", "implicit-declaration"),
    ];
    for (text, code) in cases {
        assert_eq!(codes(&[text]), [*code], "{text}");
    }
}

#[test]
fn a_failure_costs_one_function_only() {
    let (program, diagnostics) = check(
        &["int bad(void) { int i; { return nothing; } } int good(int i) { return i; }"],
        DataModel::Lp64,
    );
    assert_eq!(diagnostics.len(), 1);
    assert_eq!(program.bodies.len(), 1);
    let id = program.program.function_named("bad").expect("declared");
    assert!(matches!(program.program.functions[id].body, FunctionBody::NotAnalysed { .. }));
}

#[test]
fn definitions_that_others_replace() {
    let stand_in = "extern inline __attribute__((gnu_inline)) int f(void) { return 1; }";
    let real = "int f(void) { return 2; }";
    assert!(codes(&[&format!("{stand_in} {real}")]).is_empty());
    assert!(codes(&[stand_in, real, stand_in]).is_empty());
    assert_eq!(codes(&[&format!("{stand_in} {real} {real}")]), ["redefinition"]);
}

#[test]
fn units_that_disagree() {
    assert!(codes(&["extern int x;", "char *x;"]).is_empty());
    let (_, diagnostics) = check(&["extern int x;", "char *x;"], DataModel::Lp64);
    assert_eq!((diagnostics[0].severity, diagnostics[0].code), (Severity::Note, "conflicting-types"));
    assert_eq!(codes(&["extern int x; char *x;"]), ["conflicting-types"]);
    assert!(
        codes(&["int f(void) { return 1; }", "__attribute__((weak)) int f(void) { return 2; }"]).is_empty()
    );
    assert!(codes(&["inline int f(void) { return 1; }", "int f(void) { return 2; }"]).is_empty());
    assert_eq!(codes(&["int f(void) { return 1; }", "int f(void) { return 2; }"]), ["redefinition"]);
    assert_eq!(codes(&["int x = 1;", "int x = 2;"]), ["redefinition"]);
    assert!(
        codes(&["struct s { int a; }; void f(struct s *);", "struct s { int a; }; void f(struct s *p) { }"])
            .is_empty()
    );
    assert!(
        codes(&["struct s { int a; }; void f(struct s *);", "struct s { char b; }; void f(struct s *p) { }"])
            .is_empty()
    );
}

#[test]
fn pointers_of_other_types_are_noted() {
    let (_, diagnostics) = check(&["void f(int *p, char **q) { p = q; }"], DataModel::Lp64);
    assert_eq!(diagnostics.len(), 1);
    assert_eq!((diagnostics[0].severity, diagnostics[0].code), (Severity::Note, "incompatible-pointers"));
}
