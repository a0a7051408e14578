//! Initialisers, linking, enumerations and annotations.

use super::{body, check, clean, contents};
use heapwise_ir::library::LibFn;
use heapwise_ir::{DataModel, FunctionBody, GlobalInit, Type};

#[test]
fn static_initialisers_become_bytes_and_addresses() {
    let program = clean(
        "struct s { char c; short t; int a[3]; } x = { 1, .a = { [1] = -1, 7 }, .t = 0x203 };
         int table[] = { 1, [3] = 4, 5, [0 ... 1] = 9 };
         char text[] = \"ab\", cut[2] = \"xyz\";
         int *p = &x.a[2], *q = table + 1; long diff = &table[4] - &table[1];
         int f(void); int (*fp)(void) = f; long off = (long)&((struct s *)0)->a[1];
         union { int i; char b[8]; } u = { .i = 1, .b = { 5, 6 } };
         struct { unsigned a : 3, b : 7; int c : 6; } bits = { 5, 100, -1 };
         struct { int n; int rest[]; } flex = { 2, { 3, 4 } };
         double d = 1; _Bool t = 0.25; unsigned char wrapped = 300; struct s *lit = &(struct s){ 4 };",
        DataModel::Lp64,
    );
    assert_eq!(contents(&program, "x"), "01 00 03 02 00 00 00 00 ff ff ff ff 07 00 00 00");
    assert_eq!(contents(&program, "table"), "09 00 00 00 09 00 00 00 00 00 00 00 04 00 00 00 05 00 00 00");
    assert_eq!(contents(&program, "text"), "61 62 00");
    assert_eq!(contents(&program, "cut"), "78 79");
    assert_eq!(contents(&program, "p"), "@x+12");
    assert_eq!(contents(&program, "q"), "@table+4");
    assert_eq!(contents(&program, "diff"), "03 00 00 00 00 00 00 00");
    assert_eq!(contents(&program, "fp"), "@f");
    assert_eq!(contents(&program, "off"), "08 00 00 00 00 00 00 00");
    assert_eq!(contents(&program, "u"), "05 06 00 00 00 00 00 00");
    assert_eq!(contents(&program, "bits"), "25 ff 00 00");
    assert_eq!(contents(&program, "flex"), "02 00 00 00 03 00 00 00 04 00 00 00");
    assert_eq!(contents(&program, "d"), "00 00 00 00 00 00 f0 3f");
    assert_eq!(contents(&program, "t"), "01");
    assert_eq!(contents(&program, "wrapped"), "2c");
    assert!(contents(&program, "lit").starts_with("@.lit."));
}

#[test]
fn a_full_initialiser_needs_no_zeroing() {
    let program = clean(
        "void f(int i) { int a[2] = { i, 2 }; int b[3] = { i }; char c[4] = \"abc\"; int d = i; }",
        DataModel::Lp64,
    );
    let zeroed: Vec<bool> = body(&program, "f")
        .body
        .stmts
        .iter()
        .filter_map(|s| match &s.kind {
            crate::hir::StmtKind::Declare { init: Some(init), .. } => Some(init.zero.is_some()),
            _ => None,
        })
        .collect();
    assert_eq!(zeroed, [false, true, false, false]);
}

#[test]
fn units_share_external_names_only() {
    let (program, diagnostics) = check(
        &[
            "extern int table[]; int tentative; static int own = 1; int twice(int);
             int main(void) { return twice(table[1]) + tentative + own; }",
            "int table[2] = { 1, 2 }; int tentative; static int own = 2; int twice(int x) { return own * x; }",
        ],
        DataModel::Lp64,
    );
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let globals = &program.program.globals;
    assert_eq!(globals.iter().filter(|g| &*g.name == "own").count(), 2);
    assert_eq!(globals.iter().filter(|g| &*g.name == "tentative").count(), 1);
    let table = globals.iter().find(|g| &*g.name == "table").expect("declared");
    assert_eq!(table.size, 8);
    assert_ne!(table.init, GlobalInit::Unknown);
    assert_eq!(program.program.functions.iter().filter(|f| &*f.name == "twice").count(), 1);
    assert_eq!(program.bodies.len(), 2);
}

#[test]
fn library_functions_are_found_unless_defined() {
    let program = clean(
        "void *malloc(unsigned long); int abs(int x) { return x < 0 ? -x : x; }
         int scan(const char *, ...) __asm__(\"__isoc99_scanf\");
         void f(void) { malloc(abs(3)); __builtin_memcpy(0, 0, 0); scan(\"\"); }",
        DataModel::Lp64,
    );
    let library = |name: &str| {
        let id = program.program.function_named(name).expect("declared");
        program.program.functions[id].library
    };
    assert_eq!(library("malloc"), Some(LibFn::Malloc));
    assert_eq!(library("abs"), None);
    assert_eq!(library("memcpy"), Some(LibFn::Memcpy));
    assert_eq!(library("scan"), Some(LibFn::Scanf));
}

#[test]
fn types_of_enumerations() {
    let program = clean(
        "enum a { A, B } x; enum b { C = -1 } y; enum c { D = 1LL << 40 } z; enum __attribute__((packed)) d { E } w;
         enum e : short { F } v;
         _Static_assert(sizeof(A) == 4 && sizeof(D) == 8, \"\");
         _Static_assert(_Generic(x, unsigned: 1, default: 0) && _Generic(y, int: 1, default: 0), \"\");",
        DataModel::Lp64,
    );
    let size = |name: &str| {
        program.program.globals.iter().find(|g| &*g.name == name).map(|g| (g.size, g.ty)).expect("declared")
    };
    let signed = |name: &str| match program.program.types.get(size(name).1) {
        Type::Int(i) => i.signed,
        _ => panic!("not an integer"),
    };
    assert_eq!([size("x").0, size("y").0, size("z").0, size("w").0, size("v").0], [4, 4, 8, 1, 2]);
    assert_eq!([signed("x"), signed("y"), signed("v")], [false, true, true]);
}

#[test]
fn annotations_belong_to_the_function_that_follows() {
    let program = clean(
        "/*@ of f */ int f(void) { /*@ inside */ return 0; } /*@ of the variable */ int v; /*@ of g */ int g(void) { return 1; } /*@ end */",
        DataModel::Lp64,
    );
    let owners: Vec<Option<&str>> = program
        .program
        .annotations
        .iter()
        .map(|a| a.function.map(|f| &*program.program.functions[f].name))
        .collect();
    assert_eq!(owners, [Some("f"), None, None, Some("g"), None]);
}

#[test]
fn unused_inline_functions_do_not_matter() {
    let text = "typedef int v4 __attribute__((vector_size(16)));
        static inline v4 add(v4 a, v4 b) { return a + b; }
        static inline int used(v4 a) { return a[0]; }";
    let program = clean(text, DataModel::Lp64);
    assert!(program.program.functions.iter().all(|f| matches!(f.body, FunctionBody::Declared)));
    let (program, diagnostics) = check(&[text, ""], DataModel::Lp64);
    assert_eq!((program.bodies.len(), diagnostics.len()), (0, 0));
    let with_use = format!("{text} int main(void) {{ v4 v; return used(v); }}");
    let (program, diagnostics) = check(&[&with_use], DataModel::Lp64);
    assert_eq!(diagnostics.len(), 1);
    assert_eq!(program.bodies.len(), 1);
}
