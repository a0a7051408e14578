//! Trees as tall as the parser lets pass get through all stages, whatever the caller's stack.

use heapwise_frontend::{SourceUnit, compile};
use heapwise_ir::{DataModel, FunctionBody};

fn check(statement: String) {
    let text =
        format!("int x, a[4], *p; int f(int x) {{ return x; }} int main(void) {{ {statement}; return 0; }}");
    let unit = SourceUnit { name: "tall.c".into(), text: text.into() };
    let (program, diagnostics) = compile(&[unit], DataModel::Lp64);
    assert_eq!(diagnostics, [], "{}", &statement[..40]);
    let main = program.function_named("main").expect("main");
    assert!(matches!(program.functions[main].body, FunctionBody::Defined(_)));
    assert_eq!(heapwise_ir::verify::program(&program), []);
}

#[test]
fn chains() {
    let height = 3_900;
    let chain = |operand: &str, operator: &str| vec![operand; height].join(operator);
    check(format!("x = {}", chain("x", " + ")));
    check(format!("x = {}", chain("f(x)", " - ")));
    check(format!("x = {}", chain("x", " && ")));
    check(format!("if ({}) x = 1", chain("x++", " || ")));
    check(chain("x++", ", "));
    check(format!("{};", "if (x) x = 1; else ".repeat(height)));
}

#[test]
fn nests() {
    let depth = 240;
    check(format!("x = {}x{}", "(".repeat(depth), ")".repeat(depth)));
    check(format!("x = {}x{}", "a[".repeat(depth), "]".repeat(depth)));
    check(format!("x = {}x{}", "f(x + ".repeat(depth), ")".repeat(depth)));
    check(format!("x = {}2", "x ? 1 : ".repeat(depth)));
    check(format!("x = {}x", "p[1] = ".repeat(depth)));
    check(format!("x = {}1;{}", "({ int y = ".repeat(60), " y; });".repeat(60)));
    check(format!("{}x++;{}", "while (x) { int y = x; ".repeat(150), "}".repeat(150)));
}

/// Orders of evaluation beyond limits cost the function, and no time.
#[test]
fn too_many_orders() {
    let text = format!("int f(int); int main(void) {{ return {}; }}", vec!["f(1)"; 3_900].join(" - "));
    let unit = SourceUnit { name: "tall.c".into(), text: text.into() };
    let (program, diagnostics) = compile(&[unit], DataModel::Lp64);
    let codes: Vec<&str> = diagnostics.iter().map(|d| d.code).collect();
    assert_eq!(codes, ["evaluation-order"]);
    let main = program.function_named("main").expect("main");
    assert!(matches!(program.functions[main].body, FunctionBody::NotAnalysed { .. }));
}
