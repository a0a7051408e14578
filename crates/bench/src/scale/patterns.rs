//! The programs: each pattern is a text with one number in it, how often something comes.
//!
//! Programs that end in an error have it in the middle, so that neither its beginning nor its end is a shortcut.

use std::fmt::Write as _;

/// A family of programs.
pub struct Pattern {
    /// What grows.
    pub name: &'static str,
    /// What the answer has to be.
    pub safe: bool,
    /// The numbers that are of interest.
    pub sizes: &'static [usize],
    /// The program for a number.
    pub program: fn(usize) -> String,
}

const USUAL: &[usize] = &[1, 4, 16, 64, 256, 1024];
const DEEP: &[usize] = &[16, 64, 256, 1024, 10_000];
const HARD: &[usize] = &[1, 2, 4, 8, 16, 32, 64];
const SMALL: &[usize] = &[1, 2, 4, 8, 12, 16];
const BUGS: &[usize] = &[4, 16, 64, 256];
const ELEMENTS: &[usize] = &[100, 10_000, 100_000];

/// All patterns.
pub const PATTERNS: &[Pattern] = &[
    safe("separate lists", USUAL, separate_lists),
    safe("same list", USUAL, same_list),
    safe("functions", USUAL, functions),
    safe("shared helpers", USUAL, shared_helpers),
    safe("lists alive", USUAL, lists_alive),
    safe("tree types", USUAL, tree_types),
    safe("call depth", DEEP, call_depth),
    safe("nested lists", SMALL, nested_lists),
    safe("straight-line cells", USUAL, straight_line_cells),
    safe("optional payloads", HARD, optional_payloads),
    safe("optional cells", HARD, optional_cells),
    safe("flagged cells", HARD, flagged_cells),
    safe("cursors", SMALL, cursors),
    safe("doubly-linked cursors", SMALL, doubly_linked_cursors),
    safe("value phases", SMALL, value_phases),
    safe("wide trees", SMALL, wide_trees),
    safe("global lists", HARD, global_lists),
    safe("array of heads", USUAL, array_of_heads),
    safe("skip list levels", SMALL, skip_list_levels),
    safe("owned fields", USUAL, owned_fields),
    safe("nested loops", SMALL, nested_loops),
    bug("leak in a block", BUGS, |n| broken_blocks(n, "l = 0;")),
    bug("use after free in a block", BUGS, |n| broken_blocks(n, "p = l; if (p) { free(p); l = p->next; }")),
    bug("double free in a block", BUGS, |n| broken_blocks(n, "p = l; if (p) { free(p); }")),
    bug("leak in a function", BUGS, |n| broken_functions(n, "l = 0;")),
    bug("double free in a function", BUGS, |n| broken_functions(n, "p = l; if (p) { free(p); }")),
    bug("double free of an element", ELEMENTS, broken_element),
];

const fn safe(name: &'static str, sizes: &'static [usize], program: fn(usize) -> String) -> Pattern {
    Pattern { name, safe: true, sizes, program }
}

const fn bug(name: &'static str, sizes: &'static [usize], program: fn(usize) -> String) -> Pattern {
    Pattern { name, safe: false, sizes, program }
}

const COMMON: &str = "
extern void *malloc(unsigned long);
extern void free(void *);
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
struct node { struct node *next; int data; };
";
const BUILD: &str =
    "while (__VERIFIER_nondet_int()) { p = malloc(sizeof *p); p->data = 0; p->next = l; l = p; }";
const DESTROY: &str = "while (l) { p = l->next; free(l); l = p; }";

/// `text` for every number below `n`, in which `#` is that number.
fn each(n: usize, text: &str) -> String {
    (0..n).map(|k| text.replace('#', &k.to_string()) + "\n").collect()
}

fn main_with(before: &str, body: &str) -> String {
    format!("{COMMON}{before}\nint main(void) {{\n{body}return 0;\n}}\n")
}

fn separate_lists(n: usize) -> String {
    let block = format!("{{ struct node *l = 0, *p; {BUILD} {DESTROY} }}");
    main_with("", &each(n, &block))
}

fn same_list(n: usize) -> String {
    main_with("", &format!("struct node *l = 0, *p;\n{}", each(n, &format!("{BUILD} {DESTROY}"))))
}

fn functions(n: usize) -> String {
    let function = format!("static void f#(void) {{ struct node *l = 0, *p; {BUILD} {DESTROY} }}");
    main_with(&each(n, &function), &each(n, "f#();"))
}

fn shared_helpers(n: usize) -> String {
    let helpers = format!(
        "static struct node *build(void) {{ struct node *l = 0, *p; {BUILD} return l; }}
         static void destroy(struct node *l) {{ struct node *p; {DESTROY} }}"
    );
    main_with(&helpers, &each(n, "struct node *l# = build(); destroy(l#);"))
}

fn lists_alive(n: usize) -> String {
    let build = BUILD.replace("l;", "l#;").replace("l =", "l# =");
    let destroy = "while (l#) { p = l#->next; free(l#); l# = p; }";
    let body = format!(
        "struct node *p;\n{}{}{}",
        each(n, "struct node *l# = 0;"),
        each(n, &build),
        each(n, destroy)
    );
    main_with("", &body)
}

fn tree_types(n: usize) -> String {
    let tree = "struct t# { struct t# *l, *r; int data; };
static struct t# *build#(void) {
  if (__VERIFIER_nondet_int()) return 0;
  struct t# *t = malloc(sizeof *t); t->data = 0; t->l = build#(); t->r = build#(); return t;
}
static void destroy#(struct t# *t) { if (t) { destroy#(t->l); destroy#(t->r); free(t); } }";
    main_with(&each(n, tree), &each(n, "destroy#(build#());"))
}

fn call_depth(n: usize) -> String {
    let mut functions = format!("static void f0(struct node *l) {{ struct node *p; {DESTROY} }}\n");
    for k in 1..=n {
        let _ = writeln!(functions, "static void f{k}(struct node *l) {{ f{}(l); }}", k - 1);
    }
    main_with(&functions, &format!("struct node *l = 0, *p;\n{BUILD}\nf{n}(l);\n"))
}

fn nested_lists(n: usize) -> String {
    let mut text = String::from("struct n0 { struct n0 *next; };\n");
    text.push_str("static struct n0 *build0(void) { struct n0 *l = 0, *p; while (__VERIFIER_nondet_int()) { p = malloc(sizeof *p); p->next = l; l = p; } return l; }\n");
    text.push_str(
        "static void destroy0(struct n0 *l) { while (l) { struct n0 *p = l->next; free(l); l = p; } }\n",
    );
    for k in 1..n {
        let m = k - 1;
        let _ = writeln!(
            text,
            "struct n{k} {{ struct n{k} *next; struct n{m} *sub; }};
static struct n{k} *build{k}(void) {{
  struct n{k} *l = 0, *p;
  while (__VERIFIER_nondet_int()) {{ p = malloc(sizeof *p); p->sub = build{m}(); p->next = l; l = p; }}
  return l;
}}
static void destroy{k}(struct n{k} *l) {{
  while (l) {{ struct n{k} *p = l->next; destroy{m}(l->sub); free(l); l = p; }}
}}"
        );
    }
    let last = n.saturating_sub(1);
    main_with(&text, &format!("destroy{last}(build{last}());\n"))
}

fn straight_line_cells(n: usize) -> String {
    let cell = "struct node *c# = malloc(sizeof *c#); c#->data = __VERIFIER_nondet_int(); c#->next = 0;";
    main_with("", &format!("{}{}", each(n, cell), each(n, "free(c#);")))
}

fn optional_payloads(n: usize) -> String {
    let record = format!("struct item {{ struct item *next;\n{}}};", each(n, "int *d#;"));
    let fill = each(n, "p->d# = 0; if (__VERIFIER_nondet_int()) p->d# = malloc(4);");
    let free = each(n, "if (l->d#) free(l->d#);");
    let body = format!(
        "struct item *l = 0, *p;
while (__VERIFIER_nondet_int()) {{ p = malloc(sizeof *p); {fill} p->next = l; l = p; }}
while (l) {{ p = l->next; {free} free(l); l = p; }}\n"
    );
    main_with(&record, &body)
}

fn optional_cells(n: usize) -> String {
    let make = "int *c# = 0; if (__VERIFIER_nondet_int()) c# = malloc(4);";
    main_with("", &format!("{}{}", each(n, make), each(n, "if (c#) { *c# = 1; free(c#); }")))
}

fn flagged_cells(n: usize) -> String {
    let make = "int *c#; int f# = __VERIFIER_nondet_int(); if (f#) c# = malloc(4);";
    main_with("", &format!("{}{}", each(n, make), each(n, "if (f#) { *c# = 1; free(c#); }")))
}

fn cursors(n: usize) -> String {
    let walk = "struct node *c# = l; while (c# && __VERIFIER_nondet_int()) c# = c#->next;";
    let body = format!(
        "struct node *l = 0, *p;\n{BUILD}\n{}{}{DESTROY}\n",
        each(n, walk),
        each(n, "if (c#) c#->data = 1;")
    );
    main_with("", &body)
}

fn doubly_linked_cursors(n: usize) -> String {
    let record = "struct link { struct link *next, *prev; int data; };";
    let walk = "struct link *c# = l; while (c# && __VERIFIER_nondet_int()) c# = c#->next;";
    let body = format!(
        "struct link *l = 0, *p;
while (__VERIFIER_nondet_int()) {{
  p = malloc(sizeof *p); p->data = 0; p->prev = 0; p->next = l; if (l) l->prev = p; l = p;
}}\n{}{}{DESTROY}\n",
        each(n, walk),
        each(n, "if (c# && c#->prev) c#->prev->data = 1;")
    );
    main_with(record, &body)
}

fn value_phases(n: usize) -> String {
    let fill = "while (__VERIFIER_nondet_int()) { p = malloc(sizeof *p); p->data = #; p->next = 0; q->next = p; q = p; }";
    let pass = "while (p && p->data == #) p = p->next;";
    let body = format!(
        "struct node *l = malloc(sizeof *l), *p, *q = l; l->data = 0; l->next = 0;
{}p = l;\n{}if (p) {{ int *bad = 0; *bad = 1; }}\n{DESTROY}\n",
        each(n, fill),
        each(n, pass)
    );
    main_with("", &body)
}

fn wide_trees(n: usize) -> String {
    let text = format!(
        "struct t {{ int data;\n{}}};
static struct t *build(void) {{
  if (__VERIFIER_nondet_int()) return 0;
  struct t *t = malloc(sizeof *t); t->data = 0;
{}  return t;
}}
static void destroy(struct t *t) {{ if (t) {{\n{}free(t); }} }}",
        each(n, "struct t *c#;"),
        each(n, "  t->c# = build();"),
        each(n, "destroy(t->c#);")
    );
    main_with(&text, "destroy(build());\n")
}

fn global_lists(n: usize) -> String {
    let push = "case #: p = malloc(sizeof *p); p->data = #; p->next = g#; g# = p; break;";
    let free = "while (g#) { p = g#->next; free(g#); g# = p; }";
    let body = format!(
        "struct node *p;\nwhile (__VERIFIER_nondet_int()) {{ switch (__VERIFIER_nondet_int()) {{\n{}default: break; }} }}\n{}",
        each(n, push),
        each(n, free)
    );
    main_with(&each(n, "static struct node *g#;"), &body)
}

fn array_of_heads(n: usize) -> String {
    let body = format!(
        "struct node *h[{n}], *p; int i;
for (i = 0; i < {n}; i++) h[i] = 0;
while (__VERIFIER_nondet_int()) {{
  i = __VERIFIER_nondet_int(); if (i < 0 || i >= {n}) continue;
  p = malloc(sizeof *p); p->data = 0; p->next = h[i]; h[i] = p;
}}
for (i = 0; i < {n}; i++) while (h[i]) {{ p = h[i]->next; free(h[i]); h[i] = p; }}\n"
    );
    main_with("", &body)
}

fn skip_list_levels(n: usize) -> String {
    let record = format!("struct s {{ int data;\n{}}};", each(n, "struct s *n#;"));
    let mut link = String::new();
    for k in 0..n {
        // Every element of a level is one of the level below.
        let _ = write!(link, "p->n{k} = l->n{k}; l->n{k} = p; if (__VERIFIER_nondet_int()) {{ ");
    }
    let close = "}".repeat(n);
    let body = format!(
        "struct s *l = malloc(sizeof *l), *p; l->data = 0;\n{}
while (__VERIFIER_nondet_int()) {{ p = malloc(sizeof *p); p->data = 1; {} {link} {close} }}
while (l) {{ p = l->n0; free(l); l = p; }}\n",
        each(n, "l->n# = 0;"),
        each(n, "p->n# = 0;")
    );
    main_with(&record, &body)
}

fn owned_fields(n: usize) -> String {
    let record = format!("struct item {{ struct item *next;\n{}}};", each(n, "int *d#;"));
    let body = format!(
        "struct item *l = 0, *p;
while (__VERIFIER_nondet_int()) {{ p = malloc(sizeof *p);\n{}p->next = l; l = p; }}
while (l) {{ p = l->next;\n{}free(l); l = p; }}\n",
        each(n, "p->d# = malloc(4);"),
        each(n, "free(l->d#);")
    );
    main_with(&record, &body)
}

fn nested_loops(n: usize) -> String {
    let open = "while (__VERIFIER_nondet_int()) {\n".repeat(n);
    let close = "}\n".repeat(n);
    let body = format!(
        "struct node *l = 0, *p;\n{open}p = malloc(sizeof *p); p->data = 0; p->next = l; l = p;\n{close}{DESTROY}\n"
    );
    main_with("", &body)
}

/// The text for all numbers but the middle one, and another for that.
fn with_middle(n: usize, usual: &str, middle: &str) -> String {
    (0..n).map(|k| if k == n / 2 { middle } else { usual }.replace('#', &k.to_string()) + "\n").collect()
}

fn broken_blocks(n: usize, slip: &str) -> String {
    let block = |slip: &str| format!("{{ struct node *l = 0, *p; {BUILD} {slip} {DESTROY} }}");
    main_with("", &with_middle(n, &block(""), &block(slip)))
}

fn broken_functions(n: usize, slip: &str) -> String {
    let function =
        |slip: &str| format!("static void f#(void) {{ struct node *l = 0, *p; {BUILD} {slip} {DESTROY} }}");
    main_with(&with_middle(n, &function(""), &function(slip)), &each(n, "f#();"))
}

fn broken_element(n: usize) -> String {
    let middle = n / 2;
    let body = format!(
        "struct node *l = 0, *p; int n = 0;
while (__VERIFIER_nondet_int()) {{ p = malloc(sizeof *p); p->data = n++; p->next = l; l = p; }}
while (l) {{ p = l->next; if (l->data == {middle}) free(l); free(l); l = p; }}\n"
    );
    main_with("", &body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwise_frontend::SourceUnit;
    use heapwise_ir::{DataModel, Severity};

    #[test]
    fn all_programs_are_c() {
        for pattern in PATTERNS {
            for n in [1, 3] {
                let text = (pattern.program)(n);
                let unit = SourceUnit { name: "scale.c".into(), text: text.clone().into() };
                let (_, diagnostics) = heapwise_frontend::compile_here(&[unit], DataModel::Lp64);
                let bad = diagnostics.iter().find(|d| d.severity >= Severity::Error);
                assert!(bad.is_none(), "{} {n}: {bad:?}\n{text}", pattern.name);
            }
        }
    }
}
