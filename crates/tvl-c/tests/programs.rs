//! C programs with the three-valued engine: what is wrong is not proved, what is outside the model is said so, strict
//! and loose embedding agree, and a fair number of programs is proved.
//!
//! `HEAPWISE_PROGRAMS` and `HEAPWISE_FIRST` choose the random programs, `HEAPWISE_MUTANTS=all` takes all mutants.

#![allow(clippy::print_stderr)]

#[path = "../../engine/tests/common/mod.rs"]
mod common;

use heapwise_engine::check::verdict::find_error;
use heapwise_engine::{Hunt, Options};
use heapwise_frontend::{SourceUnit, compile};
use heapwise_ir::{DataModel, Program};
use heapwise_property::{ErrorKind, Properties, Property, Spec};
use heapwise_tvl::domain::Embedding;
use heapwise_tvl_c::{Options as TvlOptions, Report as TvlReport, analyse};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn judge(program: &Program, embedding: Embedding, steps: usize) -> TvlReport {
    // Steps end most attempts that lead nowhere; the clock is for those whose structures grow.
    let timeout = Some(Duration::from_millis((steps as u64 / 10).max(500)));
    analyse(program, &TvlOptions { embedding, timeout, max_steps: Some(steps), ..TvlOptions::default() })
}

/// Programs of each directory in the short form.
const SHORT: usize = 20;

#[test]
fn nothing_wrong_is_proved_and_embeddings_agree() {
    let (mut proved, mut handled) = (0, 0);
    for directory in ["tests/check/error", "tests/check/safe"] {
        for path in common::spread(common::programs(directory), SHORT) {
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
            if slow || strict.stopped || loose.stopped {
                handled += usize::from(strict.counts.is_some());
                proved += usize::from(strict.is_proved() && directory.ends_with("safe"));
                continue;
            }
            assert_eq!(strict.is_proved(), loose.is_proved(), "{}", path.display());
            // What is outside of the model is so for both; what one of them gives up on the way is its own.
            if strict.counts.is_none() || loose.counts.is_none() {
                assert_eq!(strict.refusals, loose.refusals, "{}", path.display());
            }
            handled += usize::from(strict.counts.is_some());
            proved += usize::from(strict.is_proved() && directory.ends_with("safe"));
        }
    }
    eprintln!("{handled} programs are inside the model, {proved} safe ones are proved");
    let least = if common::is_long() { 25 } else { 1 };
    assert!(proved >= least || std::env::var("HEAPWISE_ONLY").is_ok(), "{proved}");
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
    (
        "index out of range",
        "int main(void) { struct node *a[3] = {0, 0, 0}; for (int i = 0; i <= 3; i++) a[i] = 0; return 0; }",
    ),
    (
        "index below",
        "int main(void) { struct node *a[3] = {0, 0, 0}; int i = __VERIFIER_nondet_int(); if (i < 3) a[i] = 0; return 0; }",
    ),
    (
        "element that was not cleared",
        "int main(void) { struct node *a[2]; a[__VERIFIER_nondet_int() != 0] = 0; return a[1] == 0; }",
    ),
    (
        "number of a cell",
        "int main(void) { struct node *n = calloc(1, 16), *m = n; m->d = 5; if (n->d == 5) reach_error(); free(n); return 0; }",
    ),
    (
        "number of one of two cells",
        "int main(void) { struct node *n = calloc(1, 16), *m = calloc(1, 16); m->d = __VERIFIER_nondet_int(); n->next = m; if (n->next->d == 5) reach_error(); free(n); free(m); return 0; }",
    ),
    (
        "number that a global begins with",
        "struct h { int a, b; } h = {0, 7}; int main(void) { struct h *p = &h; if (p->b == 7) reach_error(); return 0; }",
    ),
    (
        "number of a variable by its address",
        "int x = 1; int main(void) { int *p = &x; *p = 4; if (x == 4) reach_error(); return 0; }",
    ),
    (
        "number that wraps",
        "int main(void) { unsigned char c = 255; c++; if (c == 0) reach_error(); return 0; }",
    ),
    (
        "number that a function changes",
        "int g; void f(void) { g = 3; } int main(void) { g = 1; f(); if (g == 3) reach_error(); return 0; }",
    ),
    (
        "numbers of recursion",
        "int g; void f(int n) { if (n > 0) f(n - 1); g = g + 1; } int main(void) { f(3); if (g == 4) reach_error(); return 0; }",
    ),
    (
        "division by what a list holds",
        "int main(void) { struct node *n = calloc(1, 16); int r = 7 / n->d; free(n); return r; }",
    ),
    (
        "number copied with its structure",
        "int main(void) { struct node a = {0, 9}, b; b = a; if (b.d == 9) reach_error(); return 0; }",
    ),
    (
        "bits",
        "struct f { unsigned a : 3, b : 3; }; int main(void) { struct f f = {1, 2}; f.b = 5; if (f.b == 5) reach_error(); return 0; }",
    ),
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
    ("error function of its own", "void reach_error(void) {} int main(void) { reach_error(); return 0; }"),
    (
        "error function of its own, deeper",
        "void reach_error(void) {} void check(int c) { if (!c) reach_error(); } int main(void) { check(__VERIFIER_nondet_int()); return 0; }",
    ),
    ("constant", "const struct node g = {0, 1}; int main(void) { ((struct node *)&g)->d = 2; return 0; }"),
    ("constant number", "const int c = 1; int main(void) { *(int *)&c = 2; return 0; }"),
    ("constant pointer", "struct node *const p = 0; int main(void) { *(struct node **)&p = 0; return 0; }"),
    ("constant local", "int main(void) { const int x = 1; *(int *)&x = 2; return 0; }"),
    (
        "constant of a caller",
        "void set(const int *p) { *(int *)p = 5; } int main(void) { const int x = 1; set(&x); return 0; }",
    ),
    (
        "constant parameter",
        "int f(const int x) { *(int *)&x = 2; return x; } int main(void) { return f(1); }",
    ),
    (
        "constant or not",
        "const struct node c = {0, 1}; int main(void) { struct node v = {0, 1}, *p = &v; if (__VERIFIER_nondet_int()) p = (struct node *)&c; p->next = 0; return 0; }",
    ),
    ("too large", "int main(void) { struct node *n = malloc(-1); n->d = 1; free(n); return 0; }"),
    (
        "too large by one",
        "int main(void) { struct node *n = malloc(1ul << 63); if (!n) reach_error(); free(n); return 0; }",
    ),
    ("calloc too large", "int main(void) { struct node *n = calloc(-1, 1); n->d = 1; free(n); return 0; }"),
    (
        "calloc beyond numbers",
        "int main(void) { struct node *n = calloc(1ul << 63, 2); n->d = 1; free(n); return 0; }",
    ),
    (
        "condition outlives the pointer",
        "int main(void) { int c; { struct node *p = calloc(1, 16); c = p != 0; free(p); } if (c) reach_error(); return 0; }",
    ),
    (
        "condition outlives the flag",
        "int main(void) { int c; { int f = 1; c = f; } if (c) reach_error(); return 0; }",
    ),
    (
        "condition outlives the value",
        "struct node *g; int main(void) { g = calloc(1, 16); struct node *p = 0; int c = p != 0; p = g; if (c) return 1; if (p) reach_error(); return 0; }",
    ),
    (
        "condition outlives the value, by a call",
        "struct node *g; struct node *get(void) { return g; } int main(void) { g = calloc(1, 16); struct node *p = 0; int c = p != 0; p = get(); if (c) return 1; if (p) reach_error(); return 0; }",
    ),
    ("no bits", "int main(void) { return __builtin_clz(__VERIFIER_nondet_int()); }"),
    ("no bits from the other end", "int main(void) { return __builtin_ctz(0); }"),
    (
        "another type of argument",
        "int f(); int main(void) { struct node n = {0, 1}; return f(&n); } int f(struct other *o) { return o->peer->peer != 0; }",
    ),
    ("unreachable", "int main(void) { if (__VERIFIER_nondet_int()) __builtin_unreachable(); return 0; }"),
    (
        "variadic",
        "int f(int n, ...) { __builtin_va_list a; __builtin_va_start(a, n); int *p = __builtin_va_arg(a, int *); return *p; } int main(void) { return f(1, (int *)0); }",
    ),
    ("assembler", "int main(void) { int *p = 0; __asm__(\"\" : \"+r\"(p)); return *p; }"),
    (
        "whole around a head",
        "struct l { struct l *next; }; struct w { int v; struct l l; }; int main(void) { struct l head = {&head}; struct w *w = (struct w *)((char *)head.next - 8); return w->v; }",
    ),
    (
        "whole around null",
        "struct l { struct l *next; }; struct w { int v; struct l l; }; struct l *use(struct w *w) { return &w->l; } int main(void) { struct l *p = 0; struct w *w = (struct w *)((char *)p - 8); if (!w) return 1; reach_error(); return 0; }",
    ),
    (
        "part is freed",
        "struct l { struct l *next; }; struct w { int v; struct l l; }; int main(void) { struct w *w = calloc(1, sizeof *w); struct l *l = &w->l; free(l); return 0; }",
    ),
    (
        "head is freed as a whole",
        "struct l { struct l *next; }; struct w { int v; struct l l; }; struct l *use(struct w *w) { return &w->l; } int main(void) { struct l *l = calloc(1, sizeof *l); free((char *)l - 8); return 0; }",
    ),
    (
        "whole at another distance",
        "struct l { struct l *next; }; struct w { int v; struct l l; int k; }; int main(void) { struct w *w = calloc(1, sizeof *w); struct l *l = &w->l; struct w *x = (struct w *)((char *)l - 16); x->v = 1; free(w); return 0; }",
    ),
    (
        "part of two",
        "struct l { struct l *next; }; struct w { int v; struct l a, b; }; int main(void) { struct w *w = calloc(1, sizeof *w); struct l *l = &w->a, *m = &w->b; l->next = l; if (m->next == 0) reach_error(); free(w); return 0; }",
    ),
    (
        "part outlives the whole",
        "struct l { struct l *next; }; struct w { int v; struct l l; }; int main(void) { struct w *w = calloc(1, sizeof *w); struct l *l = &w->l; free(w); return l->next != 0; }",
    ),
    (
        "leak of a whole",
        "struct l { struct l *next; }; struct w { int v; struct l l; }; int main(void) { struct l head = {0}; struct w *w = calloc(1, sizeof *w); head.next = &w->l; head.next = 0; return 0; }",
    ),
    (
        "bytes of a whole",
        "struct l { struct l *next; }; int main(void) { struct l *l = calloc(1, sizeof *l); *(char *)l = 1; if (l->next == 0) reach_error(); free(l); return 0; }",
    ),
    (
        "bytes compared",
        "struct l { struct l *next; }; struct w { int v; struct l l; }; int main(void) { struct w *w = calloc(1, sizeof *w); struct l *l = &w->l; int same = (char *)l == (char *)w; free(w); if (!same) reach_error(); return 0; }",
    ),
    (
        "cycle through parts",
        "struct l { struct l *next; }; struct w { struct l l; struct l *other; }; void __heapwise_assert_acyclic_l(struct l *); int main(void) { struct w *w = calloc(1, sizeof *w); w->l.next = &w->l; __heapwise_assert_acyclic_l(&w->l); free(w); return 0; }",
    ),
    (
        "base of something else",
        "struct b { int k; }; struct one { struct b b; struct node *p; }; struct two { struct b b; }; int main(void) { struct two t = {{1}}; struct b *b = &t.b; struct one *o = (struct one *)b; struct one x = {{0}, 0}; b = &x.b; return o->p != 0; }",
    ),
    (
        "number behind an address",
        "struct c { int a, b; }; int main(void) { struct c *c = calloc(1, sizeof *c); int *p = &c->a; free(c); *p = 1; return 0; }",
    ),
    (
        "numbers behind addresses",
        "struct c { struct node *n; int k; }; int main(void) { struct c *c = malloc(sizeof *c); int *p = &c->k; int r = *p; free(c); return r; }",
    ),
    (
        "null function pointer",
        "int f(int x) { return x; } int main(void) { int (*q)(int) = f; if (__VERIFIER_nondet_int()) q = 0; return q(1); }",
    ),
    ("function pointer without a value", "int main(void) { int (*q)(void); return q(); }"),
    (
        "function pointer of a block without a value",
        "struct c { int (*call)(void); }; int f(void) { return 1; } int main(void) { struct c *c = malloc(sizeof *c); if (__VERIFIER_nondet_int()) c->call = f; int r = c->call(); free(c); return r; }",
    ),
    (
        "one of two functions",
        "void keep(struct node *n) { n->d = 1; } void drop(struct node *n) { free(n); } int main(void) { struct node *n = calloc(1, 16); void (*q)(struct node *) = keep; if (__VERIFIER_nondet_int()) q = drop; q(n); n->d = 2; free(n); return 0; }",
    ),
    (
        "function pointer of another type",
        "int f(struct node *n) { return n->d; } int main(void) { struct other o = {0, 0}; int (*q)(struct other *) = (int (*)(struct other *))f; return q(&o); }",
    ),
    (
        "free of a function",
        "void f(void) {} int main(void) { void (*q)(void) = f; free((void *)q); return 0; }",
    ),
    (
        "undefined behind a function pointer",
        "void g(void); int main(void) { void (*q)(void) = g; q(); return 0; }",
    ),
    (
        "function table",
        "static struct node *const none = 0; static int get(void) { return none->d; } static int one(void) { return 1; } static int (*ops[2])(void) = {one, get}; int main(void) { return ops[1](); }",
    ),
    (
        "structure by value, freed",
        "struct h { struct node *p; int n; }; void end(struct h h) { free(h.p); } int main(void) { struct h h = {calloc(1, 16), 1}; end(h); int d = h.p->d; return d; }",
    ),
    (
        "structure by value keeps the caller's",
        "struct h { struct node *p; int n; }; void clear(struct h h) { h.p = 0; } int main(void) { struct h h = {calloc(1, 16), 1}; clear(h); if (h.p) reach_error(); free(h.p); return 0; }",
    ),
    (
        "structure returned, leaked",
        "struct h { struct node *p; int n; }; struct h make(void) { struct h h = {calloc(1, 16), 1}; return h; } int main(void) { make(); return 0; }",
    ),
    (
        "structure returned, address of a parameter",
        "struct node *f(struct node n) { return &n; } int main(void) { struct node n = {0, 1}; return f(n)->d; }",
    ),
    (
        "structure assigned, leaked",
        "struct h { struct node *p; int n; }; int main(void) { struct h a = {calloc(1, 16), 1}, b = {0, 0}; a = b; return a.n; }",
    ),
    (
        "constant assigned as a whole",
        "struct h { struct node *p; int n; }; const struct h c = {0, 0}; int main(void) { struct h a = {0, 1}; *(struct h *)&c = a; return 0; }",
    ),
    (
        "memset loses a block",
        "int main(void) { struct other o = {calloc(1, 16), 0}; memset(&o, 0, sizeof o); return 0; }",
    ),
    (
        "memset of a part",
        "int main(void) { struct other *o = malloc(sizeof *o); memset(o, 0, 8); int r = o->peer != 0; free(o); return r; }",
    ),
    (
        "memset of too much",
        "int main(void) { struct node *o = malloc(sizeof *o); memset(o, 0, 2 * sizeof *o); free(o); return 0; }",
    ),
    ("memset of null", "int main(void) { struct node *o = 0; memset(o, 0, sizeof *o); return 0; }"),
    (
        "memset of a freed block",
        "int main(void) { struct node *o = calloc(1, 16); free(o); memset(o, 0, sizeof *o); return 0; }",
    ),
    (
        "memset of a constant",
        "const struct node c = {0, 1}; int main(void) { memset((struct node *)&c, 0, sizeof c); return 0; }",
    ),
    (
        "memcpy of a pointer",
        "void *memcpy(void *, const void *, size_t); int main(void) { struct other a = {calloc(1, 16), 0}, b; memcpy(&b, &a, sizeof b); free(b.link); return a.link->d; }",
    ),
    (
        "memcpy onto itself",
        "void *memcpy(void *, const void *, size_t); int main(void) { struct node a = {0, 1}, *p = &a, *q = &a; memcpy(p, q, sizeof a); return 0; }",
    ),
    (
        "memcpy of something without a value",
        "void *memcpy(void *, const void *, size_t); int main(void) { struct node a, b; memcpy(&b, &a, sizeof b); return b.d; }",
    ),
    (
        "signal",
        "void (*signal(int, void (*)(int)))(int); struct node *g; void late(int s) { g->d = 1; } int main(void) { signal(2, late); return 0; }",
    ),
    ("alloca", "int main(void) { struct node *n = __builtin_alloca(16); free(n); return 0; }"),
    (
        "field by its neighbour",
        "struct two { struct node *a, *b; }; int main(void) { struct two t = {0, 0}; struct node **p = &t.a; p[1] = malloc(16); return 0; }",
    ),
    (
        "statement expression",
        "int main(void) { struct node *p = ({ struct node l = {0, 1}; &l; }); return p->d; }",
    ),
    ("compound literal", "int main(void) { struct node *p; { p = &(struct node){0, 1}; } return p->d; }"),
];

/// Programs that are wrong under one property only.
const WRONG_UNDER: &[(Spec, &str)] = &[
    (Spec::NoOverflow, "int main(void) { int x = __VERIFIER_nondet_int(); return x + 1; }"),
    (Spec::NoOverflow, "int main(void) { int x = __VERIFIER_nondet_int(); return -x; }"),
    (Spec::NoOverflow, "int main(void) { int x = __VERIFIER_nondet_int(); x++; return 0; }"),
    (Spec::NoOverflow, "int main(void) { unsigned x = 1; return x << __VERIFIER_nondet_int(); }"),
    (Spec::NoOverflow, "int main(void) { int x = __VERIFIER_nondet_int(); return x / -1; }"),
    (Spec::NoOverflow, "int abs(int); int main(void) { return abs(__VERIFIER_nondet_int()); }"),
    (
        Spec::NoOverflow,
        "int main(void) { struct node n = {0, 1}; n.d = __VERIFIER_nondet_int() * 2; return 0; }",
    ),
    (Spec::NoOverflow, "int main(void) { double x = 1e30; int i = (int)x; return i; }"),
    (Spec::ValidMemcleanup, "struct node *g; int main(void) { g = malloc(16); return 0; }"),
    (Spec::ValidMemcleanup, "int main(void) { struct node *n = malloc(16); exit(0); }"),
    (Spec::ValidMemcleanup, "int main(void) { struct node *n = malloc(16); return 0; }"),
    (
        Spec::ValidMemcleanup,
        "struct node g; int main(void) { while (__VERIFIER_nondet_int()) { struct node *n = malloc(16); n->next = g.next; g.next = n; } return 0; }",
    ),
    (Spec::UnreachCall, "void reach_error(void) {} int main(void) { reach_error(); return 0; }"),
    (
        Spec::UnreachCall,
        "int main(void) { struct node *n = malloc(16); if (n->d == 5) reach_error(); return 0; }",
    ),
    (
        Spec::ValidMemsafety,
        "int main(void) { struct node *n = malloc(16), *p = 0; if (n->d == 5) n->d = p->d; free(n); return 0; }",
    ),
    (
        Spec::ValidMemsafety,
        "int main(void) { struct node *n = malloc(16); if (n->next) { n = 0; } free(n); return 0; }",
    ),
];

/// Programs that are right under a property, though not under all.
const RIGHT_UNDER: &[(Spec, &str)] = &[
    (Spec::NoOverflow, "int main(void) { struct node *n = 0; unsigned x = 5; x += 3; return n->d; }"),
    (Spec::ValidMemcleanup, "int main(void) { struct node *n = malloc(16); free(n); return 0; }"),
    (Spec::ValidMemcleanup, "int main(void) { struct node v = {0, 1}, *p = &v; return p->d; }"),
    (Spec::UnreachCall, "int main(void) { struct node *n = malloc(16); if (!n) reach_error(); return 0; }"),
    (Spec::ValidMemsafety, "struct node *g; int main(void) { g = malloc(16); return g->d; }"),
    (Spec::ValidMemsafety, "int main(void) { reach_error(); return 5 / __VERIFIER_nondet_int(); }"),
];

#[test]
fn properties_are_those_that_were_asked_for() {
    for (list, right) in [(WRONG_UNDER, false), (RIGHT_UNDER, true)] {
        for (spec, text) in list {
            let program = common::from_preprocessed("spec.c", &format!("{HEADER}{text}")).expect(text);
            let options = TvlOptions { properties: spec.properties(), ..TvlOptions::default() };
            let report = analyse(&program, &options);
            assert_eq!(report.is_proved(), right, "{} {text} {report:?}", spec.name());
        }
    }
}

/// Units that do not agree about a variable.
#[test]
fn variables_are_what_they_are_defined_as() {
    let proved = |units: [&str; 2]| {
        let unit = |(name, text): (&str, &str)| SourceUnit { name: name.into(), text: text.into() };
        let units: Vec<SourceUnit> = ["a.c", "b.c"].into_iter().zip(units).map(unit).collect();
        judge(&compile(&units, DataModel::Lp64).0, Embedding::Strict, 50_000).is_proved()
    };
    let pair = "struct s { int a, b; };";
    let user = format!("{pair} extern struct s v; int main(void) {{ return v.b; }}");
    assert!(proved([&user, &format!("{pair} struct s v = {{1, 2}};")]));
    assert!(!proved([&user, "int v = 3;"]));
    assert!(!proved([&user, "struct s { int a; }; struct s v = {1};"]));
    assert!(!proved(["extern long v; int main(void) { return v; }", "int v = 3;"]));
}

#[test]
fn constants_may_be_read_and_others_written() {
    let text = "const struct node c = {0, 1}; int sum(const struct node *p) { return p->d; }
        int main(void) { const int k = 2; const int *q = &k; struct node v = {0, 1}, *n = malloc(16); n->d = *q; n->next = &v;
        n->next->d = sum(&c); sum(n); free(n); return 0; }";
    let program = common::from_preprocessed("constants.c", &format!("{HEADER}{text}")).expect("it is C");
    let report = judge(&program, Embedding::Strict, 50_000);
    assert!(report.is_proved(), "{report:?}");
}

#[test]
fn allocations_that_fail_are_null() {
    let used = "int main(void) { struct node *n = malloc(16); n->d = 1; free(n); return 0; }";
    let asked = "int main(void) { struct node *n = malloc(16); if (n) n->d = 1; free(n); return 0; }";
    for (text, may_fail, proved) in [(used, false, true), (used, true, false), (asked, true, true)] {
        let program = common::from_preprocessed("fail.c", &format!("{HEADER}{text}")).expect("it is C");
        let report = analyse(&program, &TvlOptions { malloc_may_fail: may_fail, ..TvlOptions::default() });
        assert_eq!(report.is_proved(), proved, "{text} {report:?}");
    }
}

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
        "elements by numbers",
        "int main(void) { struct node *a[3] = {0, 0, 0}; for (int i = 0; i < 3; i++) a[i] = calloc(1, 16); for (int i = 0; i < 3; i++) free(a[i]); return 0; }",
    ),
    (
        "numbers of cells",
        "int main(void) { struct node *l = 0; while (__VERIFIER_nondet_int()) { struct node *n = malloc(16); n->d = __VERIFIER_nondet_int() ? 1 : 2; n->next = l; l = n; } while (l) { if (l->d != 1 && l->d != 2) reach_error(); struct node *n = l->next; free(l); l = n; } return 0; }",
    ),
    (
        "numbers that guard",
        "int main(void) { struct node *n = 0; int k = __VERIFIER_nondet_int(); if (k > 2) n = calloc(1, 16); if (k > 4) n->d = 1; if (k == 3) n->d = 2; if (k > 2) free(n); return 0; }",
    ),
    (
        "divisors",
        "static int part(int a, int b) { return b > 0 ? a / b : 0; } int main(void) { int s = 0; for (int d = 1; d <= 10; d++) s += 100 % d; return part(s, __VERIFIER_nondet_int()); }",
    ),
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
    (
        "list through parts",
        "struct l { struct l *next; }; struct w { int v; struct l l; }; int main(void) { struct l head = {&head}; while (__VERIFIER_nondet_int()) { struct w *w = malloc(sizeof *w); w->v = 1; w->l.next = head.next; head.next = &w->l; } while (head.next != &head) { struct w *w = (struct w *)((char *)head.next - 8); head.next = w->l.next; int v = w->v; free(w); } return 0; }",
    ),
    (
        "bases",
        "struct b { int kind; struct b *next; }; struct d { struct b b; struct node *p; }; int main(void) { struct b *all = 0; while (__VERIFIER_nondet_int()) { struct d *d = malloc(sizeof *d); d->p = calloc(1, 16); d->b.kind = 1; d->b.next = all; all = &d->b; } while (all) { struct d *d = (struct d *)all; all = all->next; free(d->p); free(d); } return 0; }",
    ),
    (
        "address of a number",
        "struct c { int a; struct node *n; }; void set(int *p) { *p = 1; } int main(void) { struct c c; int x; set(&c.a); set(&x); return c.a + x; }",
    ),
    (
        "functions by pointers",
        "void keep(struct node *n) { n->d = 1; } void drop(struct node *n) { free(n); } static const struct { void (*a)(struct node *), (*b)(struct node *); } ops = {keep, drop}; int main(void) { struct node *n = calloc(1, 16); void (*q)(struct node *) = keep; if (__VERIFIER_nondet_int()) q = drop; if (q == drop) n->next = 0; q(n); if (q != drop) ops.b(n); return 0; }",
    ),
    (
        "function that a block names",
        "struct c { int (*call)(int); struct c *next; }; int one(int x) { return x; } int two(int x) { return 2; } int main(void) { struct c *l = 0; while (__VERIFIER_nondet_int()) { struct c *c = malloc(sizeof *c); c->call = __VERIFIER_nondet_int() ? one : two; c->next = l; l = c; } int k = 0; while (l) { struct c *n = l->next; k = l->call(k); free(l); l = n; } return k; }",
    ),
    (
        "structures by value",
        "struct h { struct node *p; int n; }; struct h push(struct h h) { struct node *n = malloc(16); n->next = h.p; n->d = 1; h.p = n; h.n = 1; return h; } void end(struct h h) { while (h.p) { struct node *n = h.p->next; free(h.p); h.p = n; } } int main(void) { struct h h = {0, 0}; while (__VERIFIER_nondet_int()) h = push(h); struct h other; other = h; end(other); return 0; }",
    ),
    (
        "structures within structures",
        "struct in { struct node *p; int n; }; struct out { int k; struct in a, b; }; int main(void) { struct out o = {0}; struct in i = {calloc(1, 16), 1}; o.b = i; struct in j = o.b; free(j.p); return o.a.p != 0; }",
    ),
    (
        "whole structures by memcpy and memset",
        "void *memcpy(void *, const void *, size_t); int main(void) { struct node *n = malloc(sizeof *n), c; memset(n, 0, sizeof *n); if (n->next) reach_error(); memcpy(&c, n, sizeof c); free(n); if (c.next) reach_error(); return c.d; }",
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
    let hunt = Hunt { runs: 20, steps: 20_000, effort: 10_000_000, ..Hunt::default() };
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
    let hunt = Hunt { runs: 30, steps: 20_000, effort: 2_000_000, ..Hunt::default() };
    let (mut compiled, mut misbehaving, mut proved, mut wrong) = (0, 0, 0, Vec::new());
    let safe = common::spread(common::programs("tests/check/safe"), SHORT);
    for path in safe.into_iter().chain(common::programs("crates/tvl/specs/c")) {
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
    assert!(compiled > 5 || std::env::var("HEAPWISE_ONLY").is_ok(), "{compiled} mutants");
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

/// A statement over numbers of variables and cells, and over elements of arrays by numbers; guarded more often than not.
fn number_statement(dice: &mut Dice, depth: u32) -> String {
    let number = |dice: &mut Dice| dice.of(&["i", "j", "u", "g", "x", "c->n", "s.n"]).to_owned();
    let (v, w, c) = (number(dice), number(dice), dice.of(&["-1", "0", "1", "2", "3", "5", "300"]));
    let inner = |dice: &mut Dice| match depth {
        0 => "k++;".to_string(),
        _ => number_statement(dice, depth - 1),
    };
    let compared = dice.of(&["<", "<=", ">", ">=", "==", "!="]);
    match dice.below(17) {
        0 => format!("{v} = {c};"),
        1 => format!("{v} = {w};"),
        2 => format!("{v} = {w} {} {c};", dice.of(&["+", "-", "*", "&", "|", "^"])),
        3 => format!("{v} = {w} % {};", dice.of(&["2", "3", "7"])),
        4 => format!("{v} = nondet();"),
        5 => format!("if ({v} {compared} {c}) {{ {} }} else {{ {} }}", inner(dice), inner(dice)),
        6 => format!("for ({v} = 0; {v} < {}; {v}++) {{ {} }}", dice.of(&["2", "3"]), inner(dice)),
        7 => format!("if ({v} >= 0 && {v} < 3) a[{v}] = c;"),
        8 => format!("if ({v} >= 0 && {v} < 3 && a[{v}]) c = a[{v}];"),
        9 => format!("if ({v} != 0) {w} = 7 / {v};"),
        10 => format!("u = (unsigned char){v}; if (u == {v}) {{ {} }}", inner(dice)),
        11 => format!("int t = {v} {compared} {w}; if (t) {{ {} }}", inner(dice)),
        12 => format!(
            "switch ({v}) {{ case 0: {} break; case 1 ... 3: {} break; default: {w} = 1; }}",
            inner(dice),
            inner(dice)
        ),
        13 => format!("{v} = step({w});"),
        14 => format!("p = &{}; *p = {c};", dice.of(&["x", "s.n"])),
        15 => format!("assert({v} {compared} {c});"),
        _ => format!("d = *c; d.n = {w}; *c = d; {v} = d.n;"),
    }
}

fn random_number_program(seed: u64) -> String {
    let mut dice = Dice(seed.wrapping_mul(0x9876_5432_10fe_dcb1));
    let body: Vec<String> =
        (0..2 + dice.below(4)).map(|_| format!("{{ {} }}", number_statement(&mut dice, 2))).collect();
    format!(
        "{HEADER}struct c {{ int n; struct c *next; }};
extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
#define assert(x) ((x) ? (void)0 : __assert_fail(#x, \"\", 1, \"\"))
static int g = 2; static int nondet(void) {{ return __VERIFIER_nondet_int(); }}
static int step(int n) {{ if (n > 3) return n - 1; g = n; return n + 1; }}
int main(void) {{ struct c *a[3] = {{0, 0, 0}}, s = {{1, 0}}, d, *c = calloc(1, sizeof *c), *all = c;
int i = 0, j = 1, k = 0, x = 2, *p = &x; unsigned char u = 0;
{}
free(all); return k == 77; }}",
        body.join("\n")
    )
}

#[test]
fn random_programs_with_numbers_are_judged_soundly() {
    let first = common::amount("HEAPWISE_FIRST", 0, 0);
    let options = Options { timeout: Some(Duration::from_millis(400)), ..Options::default() };
    let hunt = Hunt { runs: 60, steps: 20_000, effort: 2_000_000, ..Hunt::default() };
    let (mut proved, mut alarmed, mut late, mut wrong) = (0, 0, 0, Vec::new());
    for seed in first..first + common::amount("HEAPWISE_PROGRAMS", 40, 400) {
        let text = random_number_program(seed);
        let text = common::preprocess("random.c", &text).expect("the program is preprocessed");
        let program = common::from_preprocessed("random.c", &text).expect("random programs are C");
        let report = judge(&program, if seed % 2 == 0 { Embedding::Strict } else { Embedding::Loose }, 4000);
        assert!(report.refusals.is_empty() || report.stopped, "{:?}\n{text}", report.refusals);
        late += usize::from(report.stopped);
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

#[test]
fn random_programs_are_judged_soundly() {
    let first = common::amount("HEAPWISE_FIRST", 0, 0);
    let options = Options { timeout: Some(Duration::from_millis(400)), ..Options::default() };
    let hunt = Hunt { runs: 60, steps: 20_000, effort: 2_000_000, ..Hunt::default() };
    let (mut proved, mut alarmed, mut late, mut wrong) = (0, 0, 0, Vec::new());
    for seed in first..first + common::amount("HEAPWISE_PROGRAMS", 10, 25) {
        let text = random_program(seed);
        let program = common::from_preprocessed("random.c", &text).expect("random programs are C");
        let report = judge(&program, if seed % 2 == 0 { Embedding::Strict } else { Embedding::Loose }, 6000);
        assert!(report.refusals.is_empty() || report.stopped, "{:?}\n{text}", report.refusals);
        late += usize::from(report.stopped);
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

/// What a run would say of the planted bug.
fn planted(path: &Path) -> ErrorKind {
    let text = std::fs::read_to_string(path).expect("the program can be read");
    let kind = text.lines().find_map(|l| l.split_once("//~ ERROR ")).map(|(_, k)| k.trim().to_owned());
    let kind = kind.unwrap_or_else(|| panic!("{} has no annotation", path.display()));
    if kind == "leak" {
        return ErrorKind::LostBlock;
    }
    ErrorKind::ALL.iter().copied().find(|k| k.name() == kind).unwrap_or_else(|| panic!("{kind} is an error"))
}

/// The default, the properties of the competition, and single ones.
fn questions() -> Vec<Properties> {
    let mut all = vec![Properties::default()];
    all.extend(Spec::ALL.iter().map(|spec| spec.properties()));
    all.extend(Property::ALL.iter().map(|property| Properties::asked(&[*property])));
    let mut seen = Vec::new();
    all.retain(|p| {
        !seen.contains(p) && {
            seen.push(*p);
            true
        }
    });
    all
}

/// The programs with a planted bug, and what it is.
fn planted_bugs() -> Vec<(ErrorKind, PathBuf)> {
    let mut programs: Vec<_> =
        common::programs("tests/check/error").into_iter().map(|p| (planted(&p), p)).collect();
    for (name, kind) in [("bug_leak", ErrorKind::LostBlock), ("bug_use_after_free", ErrorKind::UseAfterFree)]
    {
        let wanted = |p: &PathBuf| p.file_stem().is_some_and(|stem| stem == name);
        programs.extend(common::programs("examples").into_iter().filter(wanted).map(|p| (kind, p)));
    }
    programs
}

/// Asks of every planted bug under every property that it violates whether a domain proves the program.
fn ask(proves: impl Fn(&Program, Properties) -> bool) {
    let (mut asked, mut wrong) = (0, Vec::new());
    for (kind, path) in common::spread(planted_bugs(), 2 * SHORT) {
        let program = common::load(&path);
        for properties in questions().into_iter().filter(|p| p.are_violated_by(kind)) {
            asked += 1;
            if proves(&program, properties) {
                wrong.push(format!("{} {properties:?}", path.display()));
            }
        }
    }
    eprintln!("{asked} questions");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn three_valued_logic_proves_no_planted_bug_under_a_property_that_it_violates() {
    ask(|program, properties| {
        // What loose embedding does not prove, strict embedding is asked as well.
        let (embedding, timeout) = (Embedding::Loose, Some(Duration::from_millis(500)));
        let max_steps = Some(1000);
        let options = TvlOptions { properties, embedding, max_steps, timeout, ..TvlOptions::default() };
        analyse(program, &options).is_proved()
    });
}

#[test]
fn separation_logic_proves_no_planted_bug_under_a_property_that_it_violates() {
    ask(|program, properties| {
        // What takes long is tried under all properties together elsewhere.
        let timeout = Some(Duration::from_millis(100));
        let options = Options { properties, timeout, recheck: false, ..Options::default() };
        heapwise_engine::analyse(program, &options).alarms.is_empty()
    });
}
