//! C programs with the three-valued engine: what is wrong is not proved, what is outside the model is said so, strict
//! and loose embedding agree, and a fair number of programs is proved.
//!
//! `HEAPWISE_PROGRAMS` and `HEAPWISE_FIRST` choose the random programs, `HEAPWISE_MUTANTS=all` takes all mutants.

#![allow(clippy::print_stderr)]

mod common;

use heapwise_engine::check::verdict::find_error;
use heapwise_engine::tvl_host::{TvlOptions, TvlReport, analyse};
use heapwise_engine::{Hunt, Options};
use heapwise_ir::Program;
use heapwise_tvl::domain::Embedding;
use std::time::{Duration, Instant};

fn judge(program: &Program, embedding: Embedding, steps: usize) -> TvlReport {
    // Steps end most attempts that lead nowhere; the clock is for those whose structures grow.
    let timeout = Some(Duration::from_millis((steps as u64 / 10).max(500)));
    analyse(program, &TvlOptions { embedding, timeout, max_steps: Some(steps), ..TvlOptions::default() })
}

fn stopped(report: &TvlReport) -> bool {
    report.refusals.iter().any(|r| r.reason.starts_with("the analysis stopped"))
}

#[test]
fn nothing_wrong_is_proved_and_embeddings_agree() {
    let (mut proved, mut handled) = (0, 0);
    for directory in ["tests/check/error", "tests/check/safe"] {
        for path in common::programs(directory) {
            let program = common::load(&path);
            let started = Instant::now();
            let strict = judge(&program, Embedding::Strict, 6000);
            let strict_time = started.elapsed();
            // Overflow of numbers is not among the properties that are checked.
            let overflow = path.file_name().is_some_and(|n| n.to_string_lossy().starts_with("overflow_"));
            let wrong = directory.ends_with("error") && !overflow;
            assert!(!(wrong && strict.is_proved()), "{} is not safe", path.display());
            let started = Instant::now();
            let loose = judge(&program, Embedding::Loose, 6000);
            assert!(!(wrong && loose.is_proved()), "{} is not safe", path.display());
            // Where the clock may have ended one of several attempts, the machine decides, not the embedding.
            let slow = started.elapsed().max(strict_time) > Duration::from_millis(60);
            if slow || stopped(&strict) || stopped(&loose) {
                handled += usize::from(strict.counts.is_some());
                proved += usize::from(strict.is_proved() && directory.ends_with("safe"));
                continue;
            }
            assert_eq!(strict.is_proved(), loose.is_proved(), "{}", path.display());
            assert_eq!(strict.refusals, loose.refusals, "{}", path.display());
            handled += usize::from(strict.counts.is_some());
            proved += usize::from(strict.is_proved() && directory.ends_with("safe"));
        }
    }
    eprintln!("{handled} programs are inside the model, {proved} safe ones are proved");
    assert!(proved >= 25 || std::env::var("HEAPWISE_ONLY").is_ok(), "{proved}");
}

#[test]
fn list_programs_of_the_report_are_proved() {
    let files = common::programs("crates/tvl/specs/c");
    assert!(files.len() >= 5);
    for path in files {
        let program = common::load(&path);
        for embedding in [Embedding::Strict, Embedding::Loose] {
            let report = judge(&program, embedding, 100_000);
            assert!(report.is_proved(), "{} {embedding:?}: {report:?}", path.display());
        }
    }
}

const HEADER: &str = "
typedef unsigned long size_t;
void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t); void free(void *);
void *memset(void *, int, size_t); size_t strlen(const char *); int printf(const char *, ...); int puts(const char *);
void exit(int) __attribute__((noreturn)); int atexit(void (*)(void)); int setjmp(long *); void longjmp(long *, int);
int pthread_create(void *, void *, void *(*)(void *), void *);
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
struct node { struct node *next; int d; };
struct other { struct node *link; struct other *peer; };
union both { struct node *p; long l; };
struct t { struct t *l, *r; };
void __heapwise_assert_acyclic(struct node *); void __heapwise_assert_unshared(struct node *);
void __heapwise_assert_acyclic_t(struct t *); void __heapwise_assert_unshared_t(struct t *);
";

/// Programs with an error, or with something outside the model on which everything depends.
const WRONG: &[(&str, &str)] = &[
    ("atexit", "struct node *g; void late(void) { g->d = 1; } int main(void) { atexit(late); return 0; }"),
    (
        "atexit and exit",
        "struct node *g; void late(void) { g->d = 1; } int main(void) { atexit(late); exit(0); }",
    ),
    (
        "missing return",
        "int f(int x) { if (x) return 1; } int main(void) { return f(__VERIFIER_nondet_int()); }",
    ),
    ("missing pointer", "struct node *f(int x) { if (x) return 0; } int main(void) { return f(0) != 0; }"),
    (
        "function pointer",
        "void f(void) { int *p = 0; *p = 1; } int main(void) { void (*q)(void) = f; q(); return 0; }",
    ),
    (
        "cast of a block",
        "int main(void) { struct node *n = malloc(16); struct other *o = (void *)n; n->next = 0; o->peer = 0; return o->link->d; }",
    ),
    (
        "block of two types",
        "int main(void) { void *v = calloc(1, 16); struct node *n = v; struct other *o = v; n->next = n; int r = o->link == 0; if (!r) reach_error(); free(v); return r; }",
    ),
    ("number as pointer", "int main(void) { struct node *n = (struct node *)16; return n->d; }"),
    (
        "pointer arithmetic",
        "int main(void) { struct node *n = malloc(sizeof *n); n->d = 1; n = n + 1; n->d = 2; return 0; }",
    ),
    ("decrement", "int main(void) { struct node *n = malloc(sizeof *n); n--; free(n); return 0; }"),
    (
        "address of a field",
        "int main(void) { struct node *n = malloc(sizeof *n); int *p = &n->d; free(n); *p = 1; return 0; }",
    ),
    (
        "dangling local",
        "struct node *f(void) { struct node l; l.next = 0; l.d = 1; return &l; } int main(void) { return f()->d; }",
    ),
    (
        "dangling pointer local",
        "struct node **f(struct node *n) { return &n; } int main(void) { struct node *n = 0; return *f(n) != 0; }",
    ),
    ("free of a local", "int main(void) { struct node l; free(&l); return 0; }"),
    ("free of a global", "struct node g; int main(void) { free(&g); return 0; }"),
    ("local keeps a leak", "int main(void) { struct node l; l.next = malloc(16); return 0; }"),
    ("uninitialised local field", "int main(void) { struct node l; l.d = 1; return l.next != 0; }"),
    ("uninitialised through pointer", "void f(int *p) {} int main(void) { int x; f(&x); return x; }"),
    ("uninitialised pointer", "int main(void) { struct node *n; return n != 0; }"),
    ("null through double pointer", "int main(void) { struct node *n = 0, **p = &n; return (*p)->d; }"),
    ("null double pointer", "int main(void) { struct node **p = 0; return *p != 0; }"),
    ("union", "int main(void) { union both u; u.l = 16; return u.p->d; }"),
    ("array", "int main(void) { struct node *a[2]; a[0] = 0; return a[1] != 0; }"),
    (
        "array of structures",
        "int main(void) { struct node *a = malloc(2 * sizeof *a); a[2].d = 1; free(a); return 0; }",
    ),
    ("too small", "int main(void) { struct node *n = malloc(sizeof n); n->d = 1; free(n); return 0; }"),
    (
        "longjmp",
        "long b[8]; int main(void) { if (setjmp(b)) { int *p = 0; *p = 1; } longjmp(b, 1); return 0; }",
    ),
    (
        "thread",
        "void *run(void *a) { int *p = 0; *p = 1; return 0; } int main(void) { pthread_create(0, 0, run, 0); return 0; }",
    ),
    ("recursion", "int f(struct node *n) { return n->d + f(n->next); } int main(void) { return f(0); }"),
    ("computed goto", "int main(void) { void *to = &&end; goto *to; end: ; int *p = 0; return *p; }"),
    ("string of null", "int main(void) { return (int)strlen((char *)0); }"),
    ("string of a number", "int main(void) { printf(\"%s\", 5); return 0; }"),
    ("too few numbers", "int main(void) { printf(\"%d %d\", 5); return 0; }"),
    (
        "memset of a cell",
        "int main(void) { struct node *n = malloc(16); memset(n, 1, 16); return n->next->d; }",
    ),
    (
        "realloc",
        "int main(void) { struct node *n = malloc(16); struct node *m = realloc(n, 32); n->d = 1; free(m); return 0; }",
    ),
    ("division", "int main(void) { int x = __VERIFIER_nondet_int(); return 5 / x; }"),
    (
        "structure by value",
        "struct node f(struct node n) { n.next->d = 1; return n; } int main(void) { struct node n = {0, 1}; f(n); return 0; }",
    ),
    ("structure copied", "int main(void) { struct node n = {0, 1}, m; m = n; return m.next->d; }"),
    ("initialised static", "static struct node a, *p = &a; int main(void) { return p->next->d; }"),
    ("initialised structure", "struct node a, b = {&a, 1}; int main(void) { return b.next->next->d; }"),
    (
        "switch",
        "int main(void) { struct node *n = 0; switch (__VERIFIER_nondet_int()) { case 1: return n->d; default: return 0; } }",
    ),
    (
        "goto",
        "int main(void) { struct node *n = 0; if (__VERIFIER_nondet_int()) goto use; return 0; use: return n->d; }",
    ),
    (
        "volatile",
        "volatile int go; int main(void) { struct node *volatile n = 0; if (go == 0) return n->d; return 0; }",
    ),
    ("argument of main", "int main(int c, char **v) { return v[1][0]; }"),
    (
        "reused address",
        "int main(void) { struct node *a = malloc(16); free(a); struct node *b = malloc(16); if (a == b) { free(b); free(b); } else free(b); return 0; }",
    ),
    (
        "flag",
        "int main(void) { int seen = 0; struct node *n = 0; while (__VERIFIER_nondet_int()) seen = 1; if (seen) return n->d; return 0; }",
    ),
    ("result dropped", "struct node *f(void) { return malloc(16); } int main(void) { f(); return 0; }"),
    (
        "result stored",
        "struct node *f(void) { return 0; } int main(void) { struct node l; l.next = f(); l.d = 0; return l.next->d; }",
    ),
    ("global leak", "struct node *g; int main(void) { g = malloc(16); g = 0; return 0; }"),
    (
        "tree leak",
        "int main(void) { struct t *a = calloc(1, 16); a->l = calloc(1, 16); a->l->r = calloc(1, 16); struct t *b = a->l; a->l = 0; free(b); free(a); return 0; }",
    ),
    (
        "ring leak",
        "int main(void) { struct node *a = calloc(1, 16), *b = calloc(1, 16); a->next = b; b->next = a; a = b; b = 0; a = 0; return 0; }",
    ),
];

#[test]
fn errors_are_not_overlooked() {
    for (name, text) in WRONG {
        let program = common::from_preprocessed("wrong.c", &format!("{HEADER}{text}")).expect(name);
        for embedding in [Embedding::Strict, Embedding::Loose] {
            let report = judge(&program, embedding, 50_000);
            assert!(!report.is_proved(), "{name} is proved: {text}");
            assert!(!report.refusals.is_empty() || !report.alarms.is_empty(), "{name} says nothing");
        }
    }
}

/// The same constructs, used properly and inside the model.
const RIGHT: &[(&str, &str)] = &[
    (
        "structure in a variable",
        "int main(void) { struct node l = {0}; l.next = malloc(16); free(l.next); return l.d; }",
    ),
    (
        "double pointer",
        "void set(struct node **p) { *p = malloc(16); } int main(void) { struct node *n; set(&n); free(n); return 0; }",
    ),
    ("out parameter", "void set(int *p) { *p = 1; } int main(void) { int x; set(&x); return x; }"),
    ("initialised static", "static struct node a, *p = &a; int main(void) { p->next = 0; return p->d; }"),
    ("ring of a static", "struct node a = {&a, 1}; int main(void) { return a.next->next->d; }"),
    (
        "flag",
        "int main(void) { int got = 0; struct node *n = 0; if (__VERIFIER_nondet_int()) { n = calloc(1, 16); got = 1; } if (got) { int d = n->d; free(n); return d; } return 0; }",
    ),
    (
        "tree",
        "int main(void) { struct t *r = 0; while (__VERIFIER_nondet_int()) { struct t *n = calloc(1, 16); if (!r) { r = n; continue; } struct t *y = r; while (1) { if (__VERIFIER_nondet_int()) { if (!y->l) { y->l = n; break; } y = y->l; } else { if (!y->r) { y->r = n; break; } y = y->r; } } } while (r) { if (r->l) { struct t *x = r->l; r->l = x->r; x->r = r; r = x; } else { struct t *x = r->r; free(r); r = x; } } return 0; }",
    ),
    ("printing", "int main(void) { printf(\"%d of %u\\n\", 1, 2u); puts(\"done\"); return 0; }"),
    (
        "assume",
        "extern void __VERIFIER_assume(int); int main(void) { struct node *n = 0; if (__VERIFIER_nondet_int()) n = calloc(1, 16); __VERIFIER_assume(n != 0); int d = n->d; free(n); return d; }",
    ),
];

#[test]
fn proper_uses_are_proved() {
    for (name, text) in RIGHT {
        let program = common::from_preprocessed("right.c", &format!("{HEADER}{text}")).expect(name);
        for embedding in [Embedding::Strict, Embedding::Loose] {
            let report = judge(&program, embedding, 200_000);
            assert!(report.is_proved(), "{name} {embedding:?}: {:?} {:?}", report.refusals, report.alarms);
        }
    }
}

/// Programs with assertions about shapes, and whether these hold.
const SHAPES: &[(&str, bool, &str)] = &[
    (
        "list",
        true,
        "int main(void) { struct node *l = 0; while (__VERIFIER_nondet_int()) { struct node *n = calloc(1, 16); n->next = l; l = n; } __heapwise_assert_acyclic(l); __heapwise_assert_unshared(l); while (l) { struct node *n = l->next; free(l); l = n; } return 0; }",
    ),
    (
        "ring",
        false,
        "int main(void) { struct node *l = calloc(1, 16), *m = calloc(1, 16); l->next = m; m->next = l; __heapwise_assert_acyclic(l); free(m); free(l); return 0; }",
    ),
    (
        "ring of one",
        false,
        "int main(void) { struct node *l = calloc(1, 16); l->next = l; __heapwise_assert_acyclic(l); free(l); return 0; }",
    ),
    (
        "ring that is unshared",
        true,
        "int main(void) { struct node *l = calloc(1, 16); l->next = l; __heapwise_assert_unshared(l); free(l); return 0; }",
    ),
    (
        "list into a ring",
        false,
        "int main(void) { struct node *l = calloc(1, 16), *m = calloc(1, 16); l->next = m; m->next = m; __heapwise_assert_unshared(l); free(m); free(l); return 0; }",
    ),
    (
        "tree",
        true,
        "int main(void) { struct t *a = calloc(1, 16); a->l = calloc(1, 16); a->r = calloc(1, 16); __heapwise_assert_acyclic_t(a); __heapwise_assert_unshared_t(a); free(a->l); free(a->r); free(a); return 0; }",
    ),
    (
        "two parents",
        false,
        "int main(void) { struct t *a = calloc(1, 16), *b = calloc(1, 16), *c = calloc(1, 16); a->l = c; a->r = b; b->l = c; __heapwise_assert_unshared_t(a); free(a); free(b); free(c); return 0; }",
    ),
];

#[test]
fn assertions_about_shapes_are_proved_or_refuted() {
    let hunt = Hunt { runs: 20, steps: 20_000, time: Duration::from_secs(5), ..Hunt::default() };
    for (name, holds, text) in SHAPES {
        let program = common::from_preprocessed("shape.c", &format!("{HEADER}{text}")).expect(name);
        for embedding in [Embedding::Strict, Embedding::Loose] {
            let report = judge(&program, embedding, 50_000);
            assert_eq!(report.is_proved(), *holds, "{name}: {:?} {:?}", report.refusals, report.alarms);
        }
        let error = find_error(&program, &Options::default(), &hunt);
        assert_eq!(error.is_none(), *holds, "{name}: {:?}", error.map(|e| e.error.message));
        assert!(!heapwise_engine::analyse(&program, &Options::default()).alarms.is_empty(), "{name}");
    }
}

#[test]
fn misbehaving_mutants_are_not_proved() {
    let all = std::env::var("HEAPWISE_MUTANTS").is_ok_and(|m| m == "all");
    let options = Options { timeout: Some(Duration::from_millis(700)), ..Options::default() };
    let hunt = Hunt { runs: 30, steps: 20_000, time: Duration::from_secs(1), ..Hunt::default() };
    let (mut compiled, mut misbehaving, mut proved, mut wrong) = (0, 0, 0, Vec::new());
    for path in common::programs("tests/check/safe").into_iter().chain(common::programs("crates/tvl/specs/c"))
    {
        let name = path.to_string_lossy();
        let text = std::fs::read_to_string(&path).expect("the program can be read");
        let text = common::preprocess(&name, &text).expect("the program is preprocessed");
        let inside = |p: Program| judge(&p, Embedding::Strict, 4000).is_proved();
        if !common::from_preprocessed(&name, &text).is_some_and(inside) {
            continue;
        }
        let mutants = common::mutate::mutants(&text, &name);
        let step = if all { 1 } else { (mutants.len() / 2).max(1) | 1 };
        for mutant in mutants.iter().step_by(step) {
            let Some(program) = common::from_preprocessed(&name, &mutant.text) else { continue };
            compiled += 1;
            let claims = [Embedding::Strict, Embedding::Loose].map(|e| judge(&program, e, 4000).is_proved());
            if claims == [false; 2] {
                continue;
            }
            proved += 1;
            if let Some(error) = find_error(&program, &options, &hunt) {
                misbehaving += 1;
                wrong.push(format!("{name}: {}: {}", mutant.what, error.error.message));
            }
        }
    }
    eprintln!("{compiled} mutants, {proved} proved, {misbehaving} of these misbehave");
    assert!(wrong.is_empty(), "wrong proofs:\n{}", wrong.join("\n"));
    assert!(compiled > 20 || std::env::var("HEAPWISE_ONLY").is_ok(), "{compiled} mutants");
}

/// SplitMix64.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }
    fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len() as u64) as usize]
    }
}

/// A statement over two pointers, a structure in a variable, a global and a Boolean; guarded more often than not.
fn statement(dice: &mut Dice, depth: u32) -> String {
    let p = dice.of(&["a", "b", "g", "s.l", "(*pp)"]);
    let q = dice.of(&["a", "b", "g", "s.l", "s.r", "(*pp)", "0"]);
    let f = dice.of(&["l", "r"]);
    let inner = |dice: &mut Dice| if depth == 0 { "k++;".to_string() } else { statement(dice, depth - 1) };
    match dice.below(13) {
        0 | 1 => format!("if (!{p}) {p} = calloc(1, sizeof *{p});"),
        2 => format!("if ({p}) {p}->{f} = {q};"),
        3 => format!("if ({p} && !{p}->{f}) {p}->{f} = calloc(1, sizeof *{p});"),
        4 => format!("{p} = {q};"),
        5 => format!("if ({p}) {p} = {p}->{f};"),
        6 => format!("while ({p} && {p}->{f} && nondet()) {{ {} {p} = {p}->{f}; }}", inner(dice)),
        7 => format!("if (nondet()) {{ {} }} else {{ {} }}", inner(dice), inner(dice)),
        8 => format!("if ({p}) {{ struct t *x = {p}->{f}; if ({p} != &s) free({p}); {p} = x; }}"),
        9 => format!("ok = {};", dice.below(2)),
        10 => format!("if (ok) {{ {} }}", inner(dice)),
        11 => format!("pp = &{};", dice.of(&["a", "b"])),
        _ => format!("{p} = push({p});"),
    }
}

fn random_program(seed: u64) -> String {
    let mut dice = Dice(seed.wrapping_mul(0x1234_5678_9abc_def1));
    let body: Vec<String> = (0..2 + dice.below(4)).map(|_| statement(&mut dice, 1)).collect();
    format!(
        "{HEADER}static struct t *g;
static int nondet(void) {{ return __VERIFIER_nondet_int(); }}
static struct t *push(struct t *n) {{ struct t *m = calloc(1, sizeof *m); m->l = n; return m; }}
static void drop(struct t *n) {{ while (n) {{ if (n->l) {{ struct t *x = n->l; n->l = x->r; x->r = n; n = x; }}
  else {{ struct t *x = n->r; free(n); n = x; }} }} }}
int main(void) {{ struct t *a = 0, *b = 0, **pp = &b, s = {{0, 0}}; int ok = 0, k = 0;
{}
drop(a); drop(b); drop(g); drop(s.l); drop(s.r); return 0; }}",
        body.join("\n")
    )
}

#[test]
fn random_programs_are_judged_soundly() {
    let number = |name: &str| std::env::var(name).ok().and_then(|s| s.parse::<u64>().ok());
    let first = number("HEAPWISE_FIRST").unwrap_or(0);
    let options = Options { timeout: Some(Duration::from_millis(400)), ..Options::default() };
    let hunt = Hunt { runs: 60, steps: 20_000, time: Duration::from_secs(1), ..Hunt::default() };
    let (mut proved, mut alarmed, mut late, mut wrong) = (0, 0, 0, Vec::new());
    for seed in first..first + number("HEAPWISE_PROGRAMS").unwrap_or(25) {
        let text = random_program(seed);
        let program = common::from_preprocessed("random.c", &text).expect("random programs are C");
        let report = judge(&program, if seed % 2 == 0 { Embedding::Strict } else { Embedding::Loose }, 6000);
        assert!(report.refusals.is_empty() || stopped(&report), "{:?}\n{text}", report.refusals);
        late += usize::from(stopped(&report));
        alarmed += usize::from(!report.alarms.is_empty());
        if report.is_proved() {
            proved += 1;
            if let Some(found) = find_error(&program, &options, &hunt) {
                wrong.push(format!("seed {seed} is proved: {text}\n{}", found.error.message));
            }
        }
    }
    eprintln!("{proved} random programs proved, {alarmed} with alarms, {late} without a result in time");
    assert!(wrong.is_empty(), "{} programs\n{}", wrong.len(), wrong.join("\n"));
}
