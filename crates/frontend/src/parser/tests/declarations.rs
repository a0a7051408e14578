//! Declarations, declarators, scopes of typedef names, attributes, pragmas.

use super::{check, parse};
use expect_test::expect;

#[test]
fn declarators_inside_out() {
    check(
        "int *a[3], (*b)[3], *(*c)(int, char *), (*(*d[2])(void))[5];",
        expect![[r#"
        (decl int a[3]* b*[3] c*(int , char *)* d[2]*()*[5])
    "#]],
    );
    check(
        "void (*signal(int sig, void (*func)(int)))(int);",
        expect![[r#"
        (decl void signal(int sig, void func*(int ))*(int ))
    "#]],
    );
    check(
        "char *const *volatile p; int f(int a[static 3], int b[const], int c[*], ...);",
        expect![[r#"
        (decl char p*v*c)
        (decl int f(int a[3], int b[c], int c[*], ...))
    "#]],
    );
    check(
        "int g(), h(void), k(int (x), int (*)(void), int [], int (*y)[2]);",
        expect![[r#"
        (decl int g(?) h() k(int x, int *(), int [], int y*[2]))
    "#]],
    );
}

#[test]
fn type_words() {
    check(
        "unsigned long int long a; short b; signed char c; long double d; unsigned e;",
        expect![[r#"
        (decl ulonglong a)
        (decl short b)
        (decl schar c)
        (decl longdouble d)
        (decl uint e)
    "#]],
    );
    check(
        "_Complex float a; double _Complex b; __complex__ c; unsigned __int128 d; __int128_t e;",
        expect![[r#"
        (decl complexfloat a)
        (decl complexdouble b)
        (decl complexdouble c)
        (decl uint128 d)
        (decl int128 e)
    "#]],
    );
    check(
        "_Float128 a; _Float64x b; _Float32 c; _Bool d; bool e; __builtin_va_list f;",
        expect![[r#"
        (decl float128 a)
        (decl longdouble b)
        (decl float c)
        (decl bool d)
        (decl bool e)
        (decl valist f)
    "#]],
    );
    check(
        "const x; static y; z; f() { }",
        expect![[r#"
        (decl const implicit x)
        (decl static implicit y)
        (decl implicit z)
        (fn implicit f(?) (block))
    "#]],
    );
    check(
        "__signed__ char a; __const int b; extern __inline __attribute__((gnu_inline)) int f(void);",
        expect![[r#"
        (decl schar a)
        (decl const int b)
        (decl extern inline int @gnu_inline f())
    "#]],
    );
    check(
        "_Atomic int a; _Atomic(int *) b; _Thread_local int c; static __thread int d;",
        expect![[r#"
        (decl atomic int a)
        (decl atomic<int*> b)
        (decl thread int c)
        (decl static thread int d)
    "#]],
    );
    check(
        "_Alignas(16) char a; alignas(double) int b; constexpr int c = 1; auto d = 2;",
        expect![[r#"
        (decl alignas(16) char a)
        (decl alignas(double) int b)
        (decl constexpr int (= c 1))
        (decl auto (= d 2))
    "#]],
    );
    check(
        "typeof(1 + 2) a; __typeof__(int *) b; typeof_unqual(a) c; __auto_type d = a;",
        expect![[r#"
            (decl typeof((add 1 2)) a)
            (decl typeof<int*> b)
            (decl unqualified(typeof(a)) c)
            (decl auto (= d a))
        "#]],
    );
}

#[test]
fn typedef_names_and_shadowing() {
    check(
        "typedef int T; void f(void) { T *x; { int T = 1; T * x; } T y; }",
        expect![[r#"
        (decl typedef int T)
        (fn void f() (block (decl 'T x*) (block (decl int (= T 1)) (mul T x)) (decl 'T y)))
    "#]],
    );
    check(
        "typedef int T; int g(T T) { return T * 2; } T h;",
        expect![[r#"
        (decl typedef int T)
        (fn int g('T T) (block (return (mul T 2))))
        (decl 'T h)
    "#]],
    );
    check(
        "typedef int T; struct s { T T; unsigned T2; }; const T c; unsigned T;",
        expect![[r#"
        (decl typedef int T)
        (decl (struct s 'T T; uint T2;))
        (decl const 'T c)
        (decl uint T)
    "#]],
    );
    check(
        "typedef int T; void f(void) { enum { T }; T * 2; } T *x;",
        expect![[r#"
        (decl typedef int T)
        (fn void f() (block (decl (enum T)) (mul T 2)))
        (decl 'T x*)
    "#]],
    );
    check(
        "typedef int T; void f(void) { for (int T = 0; T < 3; T++) T * 2; T *z; T: ; goto T; }",
        expect![[r#"
        (decl typedef int T)
        (fn void f() (block (for (decl int (= T 0)) (lt T 3) (post++ T) (mul T 2)) (decl 'T z*) (label T ;) (goto T)))
    "#]],
    );
    check(
        "typedef int T; int f(T), g(int (T)), h(int T);",
        expect![[r#"
        (decl typedef int T)
        (decl int f('T ) g(int ('T )) h(int T))
    "#]],
    );
    check(
        "typedef struct T T; struct T { T *next; }; T *(*f)(T *T, int);",
        expect![[r#"
        (decl typedef struct T T)
        (decl (struct T 'T next*;))
        (decl 'T f*('T T*, int )*)
    "#]],
    );
    check(
        "typedef int A, *B, (*C)(A); B b; C c; sizeof_t;",
        expect![[r#"
        (decl typedef int A B* C*('A ))
        (decl 'B b)
        (decl 'C c)
        (decl implicit sizeof_t)
    "#]],
    );
}

#[test]
fn knr_definitions() {
    check(
        "int f(a, b) int a; char *b; { return a; } int g(p) register *p; { }",
        expect![[r#"
        (fn int f(a, b) (decl int a) (decl char b*) (block (return a)))
        (fn int g(p) (decl register implicit p*) (block))
    "#]],
    );
    check(
        "typedef int T; f(T) { return 1; } main(argc, argv) char **argv; { return f(argc); }",
        expect![[r#"
        (decl typedef int T)
        (fn implicit f('T ) (block (return 1)))
        (fn implicit main(argc, argv) (decl char argv**) (block (return (call f argc))))
    "#]],
    );
    check(
        "void (*f(a))(int) int a; { return 0; }",
        expect![[r#"
        (fn void f(a)*(int ) (decl int a) (block (return 0)))
    "#]],
    );
}

#[test]
fn records_and_enums() {
    check(
        "struct s { int a : 3, : 0, b; union { int c; float d; }; struct t *e; char f[]; };",
        expect![[r#"
        (decl (struct s int a:3 :0 b; (union int c; float d;); struct t e*; char f[];))
    "#]],
    );
    check(
        "struct __attribute__((packed)) s { char a; int b __attribute__((aligned(2))); } x;",
        expect![[r#"
        (decl (struct s @packed char a; int b @aligned(2);) x)
    "#]],
    );
    check(
        "union u { int a; } __attribute__((__transparent_union__)); struct; ",
        expect![[r#"
        (decl (union u @transparent_union int a;))
        t.c:1:66: expected a tag or '{' before ';' [syntax]
    "#]],
    );
    check(
        "enum e { A, B = 3, C = A + B, }; enum f : unsigned char { D [[deprecated]] }; enum e x;",
        expect![[r#"
        (decl (enum e A B=3 C=(add A B)))
        (decl (enum f :uchar D))
        (decl enum e x)
    "#]],
    );
    check(
        "struct s { enum e : 3; _Static_assert(1, \"x\"); __extension__ int a; ; int b }; struct {};",
        expect![[r#"
        (decl (struct s enum e :3; (static_assert 1 "x") int a; int b;))
        (decl (struct))
    "#]],
    );
}

#[test]
fn initialisers() {
    check(
        "int a[] = { 1, [3] = 4, [5 ... 7] = 8, [9] 10, };",
        expect![[r#"
        (decl int (= a[] {1, [3]=4, [5...7]=8, [9]=10}))
    "#]],
    );
    check(
        "struct s x = { .a = 1, .b.c[2].d = { 3 }, e: 4, {} };",
        expect![[r#"
        (decl struct s (= x {.a=1, .b.c[2].d={3}, .e=4, {}}))
    "#]],
    );
    check(
        "char s[] = \"a\" \"b\", t[] = {\"c\"}; int *p = (int []){1};",
        expect![[r#"
        (decl char (= s[] "ab") (= t[] {"c"}))
        (decl int (= p* (literal int[] {1})))
    "#]],
    );
}

#[test]
fn attributes_everywhere() {
    check(
        "void f(void) __attribute__((noreturn, __format__(printf, 1, 2))) asm(\"g\");",
        expect![[r#"
        (decl void f() asm:g @noreturn @format(printf,1,2))
    "#]],
    );
    check(
        "int __attribute__((unused)) *__attribute__((aligned(8))) p __attribute__((section(\"x\"))) = 0;",
        expect![[r#"
        (decl int @unused (= p* @aligned(8) @section("x") 0))
    "#]],
    );
    check(
        "[[nodiscard]] int f([[maybe_unused]] int a, int b __attribute__((unused)));",
        expect![[r#"
        (decl int @nodiscard f(int @maybe_unused a, int b @unused))
    "#]],
    );
    check(
        "typedef int di __attribute__((__mode__(__DI__))); typedef float v4 __attribute__((vector_size(16)));",
        expect![[r#"
        (decl typedef int di @mode(DI))
        (decl typedef float v4 @vector_size(16))
    "#]],
    );
    check(
        "int x [[gnu::aligned(4)]], __attribute__((deprecated)) y; __attribute__((const)) int g(void) { }",
        expect![[r#"
        (decl int x @aligned(4) y @deprecated)
        (fn int @const g() (block))
    "#]],
    );
    check(
        "void f(void) { [[maybe_unused]] int a; __attribute__((unused)) int b; int c __attribute__((cleanup(g))); }",
        expect![[r#"
        (fn void f() (block (decl int @maybe_unused a) (decl int @unused b) (decl int c @cleanup(g))))
    "#]],
    );
    check(
        "int f() __attribute__((weird(int *, if, +))) ; struct [[gnu::packed]] s { int a; };",
        expect![[r#"
        (decl int f(?) @weird)
        (decl (struct s @packed int a;))
    "#]],
    );
    check(
        "int (__attribute__((cdecl)) *fp)(void); void g(void) __attribute__((x)) { }",
        expect![[r#"
        (decl int fp*() @cdecl)
        (fn void g() @x (block))
    "#]],
    );
}

#[test]
fn plain_words_of_c23_stay_names_in_older_programs() {
    check(
        "typedef int bool; bool f(bool x); enum { false, true }; bool b = true;",
        expect![[r#"
        (decl typedef int bool)
        (decl 'bool f('bool x))
        (decl (enum false true))
        (decl 'bool (= b true))
    "#]],
    );
    check(
        "int nullptr; int *p = &nullptr; struct { int bool, alignas, typeof; } s;",
        expect![[r#"
        (decl int nullptr)
        (decl int (= p* (addrof nullptr)))
        (decl (struct int bool alignas typeof;) s)
    "#]],
    );
    check(
        "int f(int constexpr) { return constexpr + 1; } int thread_local; int g = sizeof thread_local;",
        expect![[r#"
        (fn int f(int constexpr) (block (return (add constexpr 1))))
        (decl int thread_local)
        (decl int (= g (sizeof thread_local)))
    "#]],
    );
    check(
        "typedef unsigned char bool; typedef enum { a } b; bool x; int static_assert(int); int y = static_assert(1);",
        expect![[r#"
        (decl typedef uchar bool)
        (decl typedef (enum a) b)
        (decl 'bool x)
        (decl int static_assert(int ))
        (decl int (= y (call static_assert 1)))
    "#]],
    );
}

#[test]
fn pragma_pack() {
    let text = "#pragma pack(push, 1)\nstruct a { int x; };\n#pragma pack(2)\nstruct b { int x; };\n#pragma pack(pop)\n\
        struct c { int x; };\n#pragma once\n_Pragma(\"pack(4)\") struct d { int x; };\n#pragma pack()\nstruct e { int x; };\n";
    check(
        text,
        expect![[r#"
        (decl (struct a pack1 int x;))
        (decl (struct b pack2 int x;))
        (decl (struct c int x;))
        (decl (struct d pack4 int x;))
        (decl (struct e int x;))
    "#]],
    );
}

#[test]
fn line_markers_comments_and_white_space() {
    let text = "# 1 \"dir/a.c\"\n# 1 \"<built-in>\" 1\n# 10 \"dir/b\\\"q.h\" 3 4\r\nint a; // x \\\n int no;\n/* \n */ int b;\
        \x0c\n#line 7\nint c; /*@ pred list */ int d\\\n;\n  #ident \"x\"\n";
    let (parsed, sources, _) = parse(text);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let places: Vec<String> = parsed
        .unit
        .items
        .iter()
        .map(|item| match item {
            crate::ast::Item::Declaration(d) => sources.describe(d.span),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(places, ["dir/b\"q.h:10:1", "dir/b\"q.h:13:5", "dir/b\"q.h:7:1", "dir/b\"q.h:7:25"]);
    let annotations: Vec<(&str, String)> = parsed
        .annotations
        .iter()
        .map(|(text, span)| (&**text, sources.snippet(*span).into_owned()))
        .collect();
    assert_eq!(annotations, [(" pred list ", "/*@ pred list */".to_owned())]);
}

#[test]
fn file_scope_odds_and_ends() {
    check(
        ";; asm(\"nop\"); __extension__ typedef long L; _Static_assert(sizeof(L) == 8); static_assert(1, \"m\");",
        expect![[r#"
        (asm)
        (decl typedef long L)
        (static_assert (eq sizeof<'L> 8))
        (static_assert 1 "m")
    "#]],
    );
    check(
        "extern int f(int n; int a[n]); int %:%: ;",
        expect![[r#"
        (decl extern int f(int a[n]))
        t.c:1:36: stray '%:' in the program [stray-character]
    "#]],
    );
    check(
        "int <: ",
        expect![[r#"
        t.c:1:5: expected an identifier or '(' before '<:' [syntax]
    "#]],
    );
    check(
        "int a<:2:>, caf\u{e9}, \\u00e9t = 1; int $x;",
        expect![[r#"
        (decl int a[2] café (= ét 1))
        (decl int $x)
    "#]],
    );
}
