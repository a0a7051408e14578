//! What is no C program: one clear message each, and the rest of the file survives.

use super::{check, diagnostics, parse};
use crate::ast::Item;
use expect_test::expect;

#[test]
fn an_error_in_a_function_costs_that_function() {
    check(
        "int a; int f(void) { int x = ; if (y) { } } int b; int g(void) { return 1 } int c;",
        expect![[r#"
        (decl int a)
        (fn int f() BROKEN: expected an expression before ';')
        (decl int b)
        (fn int g() BROKEN: expected ';' before '}')
        (decl int c)
        t.c:1:30: expected an expression before ';' [syntax]
        t.c:1:75: expected ';' before '}' [syntax]
    "#]],
    );
    check(
        "int f(void) { ) } ] } int b;",
        expect![[r#"
        (fn int f() BROKEN: expected an expression before ')')
        (decl int b)
        t.c:1:15: expected an expression before ')' [syntax]
        t.c:1:19: expected a declaration before ']' [syntax]
    "#]],
    );
    check(
        "typedef int T; int f(void) { int T; ( } T x;",
        expect![[r#"
        (decl typedef int T)
        (fn int f() BROKEN: expected an expression before '}')
        (decl 'T x)
        t.c:1:39: expected an expression before '}' [syntax]
    "#]],
    );
}

#[test]
fn an_error_at_file_scope_costs_that_declaration() {
    check(
        "int a; int b c; int d; struct s { foo x; int y; } v; int e;",
        expect![[r#"
        (decl int a)
        (decl int d)
        (decl int e)
        t.c:1:14: expected ';' before 'c' [syntax]
        t.c:1:35: unknown type name 'foo' [unknown-type]
    "#]],
    );
    check(
        "int f(foo x) { int a; } int b; int g(a) foo a; { } int c;",
        expect![[r#"
        (decl int b)
        (decl int c)
        t.c:1:7: unknown type name 'foo' [unknown-type]
        t.c:1:41: expected ';' before 'foo' [syntax]
    "#]],
    );
    check(
        "} int a; ) ; int b;",
        expect![[r#"
        (decl int a)
        (decl int b)
        t.c:1:1: expected a declaration before '}' [syntax]
        t.c:1:10: expected a declaration before ')' [syntax]
    "#]],
    );
}

#[test]
fn unknown_type_names() {
    check(
        "foo x;",
        expect![[r#"
        t.c:1:1: unknown type name 'foo' [unknown-type]
    "#]],
    );
    check(
        "static foo *x; const foo y;",
        expect![[r#"
        t.c:1:8: unknown type name 'foo' [unknown-type]
        t.c:1:22: unknown type name 'foo' [unknown-type]
    "#]],
    );
    check(
        "void f(void) { foo x; }",
        expect![[r#"
        (fn void f() BROKEN: unknown type name 'foo')
        t.c:1:16: unknown type name 'foo' [unknown-type]
    "#]],
    );
    check(
        "void f(void) { foo *x; }",
        expect![[r#"
        (fn void f() BROKEN: unknown type name 'foo')
        t.c:1:16: unknown type name 'foo' [unknown-type]
    "#]],
    );
    check(
        "int f(int a, foo b); void g(void) { x = sizeof(struct s) + __builtin_offsetof(bar, a); }",
        expect![[r#"
        (fn void g() BROKEN: unknown type name 'bar')
        t.c:1:14: unknown type name 'foo' [unknown-type]
        t.c:1:79: unknown type name 'bar' [unknown-type]
    "#]],
    );
}

#[test]
fn unterminated_things() {
    check(
        "int a; /* comment \n int b;",
        expect![[r#"
        (decl int a)
        t.c:1:8: unterminated comment [unterminated-comment]
    "#]],
    );
    check(
        "void f(void) { /* comment \n }",
        expect![[r#"
        (fn void f() BROKEN: expected '}' before the end of the file)
        t.c:1:16: unterminated comment [unterminated-comment]
    "#]],
    );
    check(
        "int a;\nchar *s = \"abc;\nint b;\n",
        expect![[r#"
        (decl int a)
        t.c:2:11: unterminated string literal [unterminated-string]
    "#]],
    );
    check(
        "int a = 'x;\nint b;\n",
        expect![[r#"
        t.c:1:9: unterminated character constant [unterminated-char]
    "#]],
    );
    check(
        "int f(void) { return 1;",
        expect![[r#"
        (fn int f() BROKEN: expected '}' before the end of the file)
        t.c:1:24: expected '}' before the end of the file [syntax]
    "#]],
    );
    check(
        "struct s { int a;",
        expect![[r#"
        t.c:1:18: expected a member or '}' before the end of the file [syntax]
    "#]],
    );
    check(
        "int x = (1 + ",
        expect![[r#"
        t.c:1:14: expected an expression before the end of the file [syntax]
    "#]],
    );
    check(
        "char *s = \"abc\\",
        expect![[r#"
        t.c:1:11: unterminated string literal [unterminated-string]
    "#]],
    );
}

#[test]
fn what_is_not_program_text() {
    check(
        "int a;\n\u{1}\u{2}\u{3}\0\0 int b;",
        expect![[r#"
        t.c:2:1: this is not C program text: it holds a control character [not-c-text]
    "#]],
    );
    check(
        "\u{7f}ELF\u{2}\u{1}",
        expect![[r#"
        t.c:1:1: this is not C program text: it holds a control character [not-c-text]
    "#]],
    );
    check(
        "\u{fffd}\u{fffd}int",
        expect![[r#"
        t.c:1:1: this is not C program text: it holds a byte that is not UTF-8 [not-c-text]
    "#]],
    );
    check(
        "int a; @ int b; int `c; int d;",
        expect![[r#"
        (decl int a)
        (decl int d)
        t.c:1:8: stray '@' in the program [stray-character]
        t.c:1:21: stray '`' in the program [stray-character]
    "#]],
    );
    check(
        "#include <stdio.h>\n#define X 1\nint a;\n",
        expect![[r#"
        (decl int a)
        t.c:1:1: '#include' in the input: it has to be preprocessed first [not-preprocessed]
    "#]],
    );
    check("", expect![[r#""#]]);
    check(
        "\u{feff}int a;",
        expect![[r#"
        (decl int a)
    "#]],
    );
}

#[test]
fn unsupported_types_and_literals() {
    check(
        "_Decimal64 a; int b; void f(void) { _BitInt(3) x; } int c = 3wb; int d = 1.5dd;",
        expect![[r#"
        (decl int b)
        (fn void f() BROKEN: type '_BitInt' is not supported)
        t.c:1:1: type '_Decimal64' is not supported [unsupported-type]
        t.c:1:37: type '_BitInt' is not supported [unsupported-type]
        t.c:1:61: bit-precise integers are not supported [unsupported-type]
        t.c:1:74: decimal floating types are not supported [unsupported-type]
    "#]],
    );
    check(
        "int long char x; int struct s y; float unsigned z; _Complex int w;",
        expect![[r#"
        t.c:1:1: these type words do not go together [invalid-type]
        t.c:1:22: two or more types in one declaration [invalid-type]
        t.c:1:34: these type words do not go together [invalid-type]
        t.c:1:52: these type words do not go together [invalid-type]
    "#]],
    );
    check(
        "int a = 'x\\x'; int b = ''; int c = 0b2; int d = \"\\u12\"; int e = u\"a\" U\"b\";",
        expect![[r#"
        t.c:1:9: '\x' without hexadecimal digits [invalid-literal]
        t.c:1:24: empty character constant [invalid-literal]
        t.c:1:36: '0b2' is no number [invalid-literal]
        t.c:1:49: incomplete universal character name [invalid-literal]
        t.c:1:70: string literals with different prefixes [invalid-literal]
    "#]],
    );
}

#[test]
fn what_uses_an_unsupported_type_is_lost_with_a_warning() {
    let text = "typedef _Float16 h, v8 __attribute__((vector_size(16))); typedef struct { v8 a; } s; int a;
        static v8 f(h x) { return x; } int g(void) { h y; return 1; } int b; void k(void) { int h = 1; h++; }";
    check(
        text,
        expect![[r#"
        (decl int a)
        (fn int g() BROKEN: type 'h' is not supported)
        (decl int b)
        (fn void k() (block (decl int (= h 1)) (post++ h)))
        t.c:1:9: type '_Float16' is not supported [unsupported-type]
        t.c:1:75: type 'v8' is not supported [unsupported-type]
        t.c:2:16: type 'v8' is not supported [unsupported-type]
        t.c:2:54: type 'h' is not supported [unsupported-type]
    "#]],
    );
    assert!(parse(text).0.diagnostics.iter().all(|d| d.severity == heapwise_ir::Severity::Warning));
}

#[test]
fn few_diagnostics_for_much_rubbish() {
    let shown = diagnostics(&"+ ; ".repeat(5_000));
    assert_eq!(shown.len(), 20, "{shown:?}");
}

/// `open × n`, something, `close × n`, in a function or at file scope.
fn nested(before: &str, open: &str, n: usize, middle: &str, close: &str, after: &str) -> String {
    format!("{before}{}{middle}{}{after}", open.repeat(n), close.repeat(n))
}

/// All the ways to nest that the grammar has.
fn towers(n: usize) -> Vec<String> {
    let body =
        |open: &str, middle: &str, close: &str| nested("void f(void) { x = ", open, n, middle, close, "; }");
    let stmt =
        |open: &str, middle: &str, close: &str| nested("void f(void) { ", open, n, middle, close, " }");
    let file = |open: &str, middle: &str, close: &str| nested("int ", open, n, middle, close, ";");
    vec![
        body("(", "1", ")"),
        body("-", "1", ""),
        body("- -", "1", ""),
        body("*", "p", ""),
        body("& ", "p", ""),
        body("(int)", "1", ""),
        body("sizeof ", "1", ""),
        body("sizeof(", "1", ")"),
        body("f(", "1", ")"),
        body("a[", "1", "]"),
        body("x = ", "1", ""),
        body("1 ? ", "1", " : 2"),
        body("({ ", "1", "; })"),
        body("({ if (", "1", ") ; })"),
        body("(int[]){", "1", "}"),
        body("(int[", "1", "])0"),
        body("_Generic(", "1", ", default: 1)"),
        body("(__typeof__(", "1", "))2"),
        body("__builtin_choose_expr(1, ", "1", ", 2)"),
        body("1 + (2 * ", "1", ")"),
        body("__extension__ ", "1", ""),
        stmt("{", ";", "}"),
        stmt("if (x) ", ";", ""),
        stmt("if (x) { } else { ", ";", "}"),
        stmt("while (x) ", ";", ""),
        stmt("do ", ";", " while (x);"),
        stmt("for (;;) ", ";", ""),
        stmt("switch (x) { case 1: ", ";", "}"),
        stmt("if (x) l: ", ";", ""),
        stmt("switch (x) case 1: ", ";", ""),
        file("(", "x", ")"),
        file("*", "x", ""),
        file("(*", "x", ")(void)"),
        file("(*", "x", ")[2]"),
        file("x(int ", "", ")"),
        file("x[sizeof(int[", "1", "])]"),
        nested("int x = ", "{", n, "1", "}", ";"),
        nested("", "struct { ", n, "int x;", "} y;", ""),
        nested("int x __attribute__((a(", "(", n, "1", ")", "))) ;"),
        nested("", "int x __attribute__((aligned(sizeof(struct { ", n, "int x;", "})))) ", ";"),
        nested("enum { A = ", "sizeof(enum { B = ", n, "1", "})", "};"),
        nested("_Static_assert(", "(", n, "1", ")", ");"),
        nested("typedef ", "typeof(", n, "int", ")", " t;"),
        nested("_Alignas(", "_Alignof(int[", n, "1", "])", ") int x;"),
        nested("void f(", "void (*g)(", n, "int", ")", ");"),
        nested("void f(a) ", "struct { ", n, "int x;", "} y;", " { }"),
    ]
}

#[test]
fn deep_nesting_is_refused_without_overflow() {
    for text in towers(100_000) {
        let shown = diagnostics(&text);
        let start: String = text.chars().take(60).collect();
        assert!(shown.first().is_some_and(|d| d.contains("nesting too deep")), "{start}: {shown:?}");
        assert_eq!(shown.len(), 1, "{start}: {shown:?}");
    }
}

#[test]
fn reasonable_nesting_is_accepted() {
    for text in towers(60) {
        assert_eq!(diagnostics(&text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn nesting_up_to_the_limit_does_not_overflow() {
    for n in [100, 150, 200, 249, 400, 499] {
        for text in towers(n) {
            for d in diagnostics(&text) {
                assert!(d.contains("nesting too deep"), "{d}");
            }
        }
    }
}

#[test]
fn long_chains_are_not_nesting() {
    let in_function = |inner: String| format!("void f(void) {{ {inner}; }}");
    let accepted = [
        in_function(format!("x = a{}", " + a".repeat(3_900))),
        in_function(format!("x{}", ", x".repeat(3_900))),
        in_function(format!("x = {}0", "a ? b : ".repeat(3_900))),
        in_function(format!("s = \"a\"{}", " \"b\"".repeat(10_000))),
        in_function(format!("if (a) b; {} else c", "else if (a) b; ".repeat(3_900))),
        in_function(format!("switch (x) {{ {} ; }}", "case 1: ".repeat(10_000))),
        in_function("x = 1; ".repeat(10_000)),
        format!("int x = f({}1);", "1, ".repeat(10_000)),
        format!("int x[] = {{ {}1 }};", "1, ".repeat(10_000)),
        format!("int f({}int z);", "int, ".repeat(10_000)),
    ];
    for text in accepted {
        let start: String = text.chars().take(60).collect();
        assert_eq!(diagnostics(&text), Vec::<String>::new(), "{start}");
    }
    let refused = [
        in_function(format!("x = a{}", " + a".repeat(100_000))),
        in_function(format!("x = a{}", "[0]".repeat(100_000))),
        in_function(format!("x{}", ", x".repeat(100_000))),
        in_function(format!("x = {}0", "a ? b : ".repeat(100_000))),
        in_function(format!("if (a) b; {} else c", "else if (a) b; ".repeat(100_000))),
        // Each level is modest, the whole is not.
        in_function((0..100).fold("a".to_owned(), |inner, _| format!("({inner}){}", " + a".repeat(100)))),
        in_function(
            (0..50).fold("a".to_owned(), |inner, _| format!("({{ {inner}; }}){}", " + a".repeat(100))),
        ),
    ];
    for text in refused {
        let start: String = text.chars().take(60).collect();
        let shown = diagnostics(&text);
        assert!(matches!(shown.as_slice(), [d] if d.contains("nesting too deep")), "{start}: {shown:?}");
    }
}

#[test]
fn ten_megabytes_on_one_line() {
    let text = format!("char *s = \"{}\"; int x; {}", "a".repeat(10_000_000), "int y; ".repeat(10));
    let (parsed, _, _) = parse(&text);
    assert!(parsed.diagnostics.is_empty());
    assert_eq!(parsed.unit.items.iter().filter(|i| matches!(i, Item::Declaration(_))).count(), 12);
}
