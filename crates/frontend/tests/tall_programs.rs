//! Programs whose syntax trees are as tall as the parser allows: every stage gets through them, on the ordinary
//! stack of a test thread.

use heapwise_frontend::{SourceUnit, compile};
use heapwise_ir::{DataModel, FunctionBody, Severity};

fn compiles(what: &str, text: String) {
    let unit = SourceUnit { name: "tall.c".into(), text: text.into() };
    let (program, diagnostics) = compile(&[unit], DataModel::Lp64);
    let worst: Vec<_> = diagnostics.iter().filter(|d| d.severity > Severity::Note).collect();
    assert!(worst.is_empty(), "{what}: {worst:?}");
    assert!(program.functions.iter().any(|f| matches!(f.body, FunctionBody::Defined(_))), "{what}");
}

fn in_function(inner: &str) -> String {
    format!("int g(int); int f(int x, int *p, int **q) {{ {inner}; return x; }}")
}

fn tower(open: &str, n: usize, middle: &str, close: &str) -> String {
    in_function(&format!("{}{middle}{}", open.repeat(n), close.repeat(n)))
}

#[test]
fn long_chains() {
    compiles("sum", in_function(&format!("x = x{}", " + x".repeat(3_900))));
    compiles("conjunction", in_function(&format!("x = x{}", " && x".repeat(3_900))));
    compiles("disjunction in a condition", in_function(&format!("if (x{}) x = 1", " || x".repeat(3_900))));
    compiles("commas", in_function(&format!("x{}", ", x".repeat(3_900))));
    compiles("conditionals", in_function(&format!("x = {}0", "x ? 1 : ".repeat(3_900))));
    compiles(
        "else if",
        in_function(&format!("if (x) x = 1; {} else x = 2", "else if (x) x = 3; ".repeat(3_900))),
    );
    compiles("strings", in_function(&format!("g(*(\"a\"{}))", " \"b\"".repeat(10_000))));
    compiles(
        "cases",
        in_function(&format!(
            "switch (x) {{ {} ; }}",
            (0..10_000).map(|i| format!("case {i}: ")).collect::<String>()
        )),
    );
    compiles("statements", in_function(&"x = x + 1; ".repeat(10_000)));
    compiles("elements", format!("int a[] = {{ {}1 }}; {}", "1, ".repeat(10_000), in_function("x = a[0]")));
}

#[test]
fn deep_nesting() {
    compiles("parentheses", tower("(", 480, "x", ")"));
    compiles("operators", tower("x + (", 480, "x", ")"));
    compiles("unary", tower("- ", 480, "x", ""));
    compiles("casts", tower("(int)", 160, "x", ""));
    compiles("calls", tower("g(", 480, "x", ")"));
    compiles("indices", tower("p[", 480, "x", "]"));
    compiles("assignments", tower("x = ", 480, "1", ""));
    compiles("statement expressions", tower("({ ", 120, "x", "; })"));
    compiles("blocks", tower("{ ", 240, "x = 1;", " }"));
    compiles("loops", tower("while (x) ", 480, "x--", ""));
    compiles("ifs", tower("if (x) { x--; } else { ", 160, "x--;", " }"));
    compiles("switches", tower("switch (x) { case 1: ", 120, "x--;", " }"));
    compiles(
        "initialisers",
        in_function(&format!("int a{} = {}1{}", "[1]".repeat(200), "{".repeat(200), "}".repeat(200))),
    );
    compiles("pointers", format!("int {}z; {}", "*".repeat(480), in_function("x = 1")));
    compiles(
        "records",
        format!("{}int x;{} {}", "struct { ".repeat(200), " } y;".repeat(200), in_function("x = 1")),
    );
}
