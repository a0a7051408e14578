//! Arrays, texts and pointers into them with the three-valued engine: each wrong program here has a right twin.
//!
//! `HEAPWISE_PROGRAMS` and `HEAPWISE_FIRST` choose the random programs.

#![allow(clippy::print_stderr)]

#[path = "../../engine/tests/common/mod.rs"]
mod common;

use heapwise_engine::check::verdict::find_error;
use heapwise_engine::{Hunt, Options};
use heapwise_tvl::domain::Embedding;
use heapwise_tvl_c::{Options as TvlOptions, Report, analyse};
use std::time::Duration;

fn judge(text: &str, embedding: Embedding) -> Report {
    let text = format!("{HEADER}{text}");
    let program = common::from_preprocessed("blocks.c", &text).unwrap_or_else(|| panic!("{text}"));
    let timeout = Some(Duration::from_secs(20));
    analyse(&program, &TvlOptions { embedding, timeout, max_steps: Some(50_000), ..TvlOptions::default() })
}

const HEADER: &str = "
typedef unsigned long size_t;
void *malloc(size_t); void *calloc(size_t, size_t); void free(void *);
void *memset(void *, int, size_t); void *memcpy(void *, const void *, size_t);
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
struct node { struct node *next; int d; };
struct buf { struct buf *next; char *b; };
";

/// Programs with an error.
const WRONG: &[(&str, &str)] = &[
    ("behind the end", "int main(void) { char *b = malloc(4); b[4] = 1; free(b); return 0; }"),
    ("before the start", "int main(void) { char *b = malloc(4); b[-1] = 1; free(b); return 0; }"),
    (
        "index that varies",
        "int main(void) { char *b = malloc(4); int i = __VERIFIER_nondet_int(); if (i >= 0 && i <= 4) b[i] = 1; free(b); return 0; }",
    ),
    ("element cut off", "int main(void) { int *b = malloc(7); b[1] = 1; free(b); return 0; }"),
    (
        "one iteration too many",
        "int main(void) { char b[32]; for (int i = 0; i <= 32; i++) b[i] = 0; return 0; }",
    ),
    (
        "cursor to the end",
        "int main(void) { int *b = malloc(40), *e = b + 10; for (int *p = b; p <= e; p++) *p = 0; free(b); return 0; }",
    ),
    ("byte not written", "int main(void) { char b[4]; b[0] = 0; b[1] = 0; return b[2]; }"),
    (
        "one of several not written",
        "int main(void) { char b[4]; b[0] = 0; int i = __VERIFIER_nondet_int() & 3; return b[i]; }",
    ),
    (
        "last byte not written",
        "int main(void) { char b[40]; for (int i = 0; i < 39; i++) b[i] = 0; return b[39]; }",
    ),
    (
        "block not written",
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 9) return 0; char *b = malloc(n); int r = b[0]; free(b); return r; }",
    ),
    (
        "element next to the one written",
        "int main(void) { int b[4]; int i = __VERIFIER_nondet_int() & 3; b[i] = 1; return b[i ^ 1]; }",
    ),
    ("memset short", "int main(void) { char b[8]; memset(b, 0, 7); return b[7]; }"),
    ("memset long", "int main(void) { char b[8]; memset(b, 0, 9); return b[7]; }"),
    (
        "memset n",
        "int main(void) { char b[8]; unsigned n = __VERIFIER_nondet_int(); if (n > 9) return 0; memset(b, 0, n); return 0; }",
    ),
    ("memset in ints", "int main(void) { int b[4]; memset(b, 0, 6); return b[1]; }"),
    ("memcpy over", "int main(void) { char a[4] = {0}, b[8]; memcpy(b, a, 5); return b[0]; }"),
    ("memcpy into", "int main(void) { char a[8] = {0}, b[4]; memcpy(b, a, 8); return b[0]; }"),
    ("memcpy overlap", "int main(void) { char a[8] = {0}; memcpy(a, a + 2, 4); return a[0]; }"),
    ("memcpy uninit", "int main(void) { char a[8], b[8]; a[0] = 1; memcpy(b, a, 8); return b[1]; }"),
    ("free middle", "int main(void) { char *b = malloc(4); b++; free(b); return 0; }"),
    (
        "free maybe",
        "int main(void) { char *b = malloc(4); if (__VERIFIER_nondet_int()) b++; free(b); return 0; }",
    ),
    (
        "free end",
        "int main(void) { int *b = malloc(16), *p = b; while (p < b + 3 && __VERIFIER_nondet_int()) p++; free(p); return 0; }",
    ),
    ("after free", "int main(void) { char *b = malloc(4), *p = b + 2; free(b); *p = 1; return 0; }"),
    ("leak", "int main(void) { char *b = malloc(4); b[0] = 1; return 0; }"),
    (
        "leak in list",
        "int main(void) { struct buf *x = malloc(sizeof *x); x->next = 0; x->b = malloc(3); x->b[2] = 0; free(x); return 0; }",
    ),
    (
        "size that is not known",
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 1000) return 0; char *b = malloc(n); b[1] = 0; free(b); return 0; }",
    ),
    (
        "size that may be zero",
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0 || n > 1000) return 0; char *b = malloc(n); b[0] = 0; free(b); return 0; }",
    ),
    (
        "size that may be negative",
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n == 0) return 0; char *b = malloc(n); b[0] = 0; free(b); return 0; }",
    ),
    (
        "calloc wraps",
        "int main(void) { unsigned long n = 1ul << 62; if (__VERIFIER_nondet_int()) n = 2; int *b = calloc(n, 4); b[0] = 0; free(b); return 0; }",
    ),
    (
        "smaller of two sizes",
        "int main(void) { struct buf *l = 0; while (__VERIFIER_nondet_int()) { struct buf *x = malloc(sizeof *x); x->b = __VERIFIER_nondet_int() ? malloc(100) : malloc(8); x->next = l; l = x; } for (struct buf *p = l; p; p = p->next) p->b[8] = 1; while (l) { struct buf *n = l->next; free(l->b); free(l); l = n; } return 0; }",
    ),
    (
        "row behind the last",
        "int main(void) { int (*b)[4] = malloc(3 * sizeof *b); b[3][0] = 1; free(b); return 0; }",
    ),
    (
        "one row too many",
        "int main(void) { int a[3][4] = {0}; for (int i = 0; i <= 3; i++) a[i][0] = 1; return 0; }",
    ),
    (
        "stale",
        "int *keep; int main(void) { int *b = malloc(8); keep = b + 1; free(b); *keep = 1; return 0; }",
    ),
    (
        "handed",
        "void set(char *p) { p[2] = 1; } int main(void) { char *b = malloc(4); set(b); set(b + 2); free(b); return 0; }",
    ),
    (
        "returned",
        "char *next(char *p) { return p + 3; } int main(void) { char *b = malloc(4), *q = next(b); q[1] = 1; free(b); return 0; }",
    ),
    (
        "recursion",
        "void go(char *p, int n) { *p = 1; if (n > 0) go(p + 1, n - 1); } int main(void) { char *b = malloc(4); go(b, 4); free(b); return 0; }",
    ),
    (
        "recursion back",
        "char *go(char *p, int n) { if (n > 0) return go(p + 1, n - 1); return p; } int main(void) { char *b = malloc(4), *q = go(b, 4); *q = 1; free(b); return 0; }",
    ),
    (
        "stored",
        "int main(void) { struct buf x; char *b = malloc(4); x.b = b + 3; x.b[1] = 0; free(b); return 0; }",
    ),
    (
        "stored in var",
        "int main(void) { char *b = malloc(4), *q = b, **pp = &q; q = b + 3; (*pp)[1] = 0; free(b); return 0; }",
    ),
    (
        "moved is another place",
        "int main(void) { char *b = malloc(4), *p = b + 1; if (p != b) reach_error(); free(b); return 0; }",
    ),
    (
        "moved and back",
        "int main(void) { char *b = malloc(4), *p = b; p = p + 1; p = p - 1; if (p == b) reach_error(); free(b); return 0; }",
    ),
    (
        "perhaps not moved",
        "int main(void) { char *b = malloc(4), *p = b + (__VERIFIER_nondet_int() & 1); if (p == b) reach_error(); free(b); return 0; }",
    ),
    (
        "distance",
        "int main(void) { int *b = malloc(40), *p = b + 9; if (p - b == 9) reach_error(); free(b); return 0; }",
    ),
    (
        "order of cursors",
        "int main(void) { int b[4], *p = b + 1, *q = b + 3; if (p < q) reach_error(); return 0; }",
    ),
    (
        "order of equal cursors",
        "int main(void) { int b[4], *p = b + 3, *q = b + 3; if (p >= q) reach_error(); return 0; }",
    ),
    ("null moved", "int main(void) { char *b = 0; b = b + 1; *b = 0; return 0; }"),
    ("literal", "int main(void) { char *s = \"abc\"; s[0] = 'x'; return 0; }"),
    ("literal over", "int main(void) { const char *s = \"abc\"; return s[4]; }"),
    ("literal free", "int main(void) { char *s = \"abc\"; free(s); return 0; }"),
    ("literal set", "int main(void) { char *s = \"abc\"; memset(s, 0, 2); return 0; }"),
    (
        "global array",
        "static int t[20]; int main(void) { int i = __VERIFIER_nondet_int(); if (i < 0 || i > 20) return 0; t[i] = 1; return 0; }",
    ),
    (
        "global value",
        "static int t[20]; int main(void) { t[3] = 5; if (t[3] == 5) reach_error(); return 0; }",
    ),
    (
        "number by its address",
        "int main(void) { int x = 1, *p = &x; p[0] = 2; if (x == 2) reach_error(); return 0; }",
    ),
    (
        "value sign",
        "int main(void) { unsigned char b[2] = {255, 0}; signed char *p = (signed char *)b; if (p[0] == -1) reach_error(); return 0; }",
    ),
    ("scalar over", "int main(void) { int x = 1, *p = &x; p[1] = 2; return x; }"),
    (
        "dangling array",
        "char *f(void) { char b[4]; b[0] = 1; char *p = b; return p; } int main(void) { char *p = f(); return p[0]; }",
    ),
    (
        "struct bytes",
        "int main(void) { struct node *n = calloc(1, sizeof *n); char *p = (char *)n; p[0] = 1; if (n->next) reach_error(); free(n); return 0; }",
    ),
    (
        "struct as block",
        "int main(void) { void *v = malloc(16); char *b = v; struct node *n = v; n->next = n; b[0] = 1; if (n->next != n) reach_error(); free(v); return 0; }",
    ),
    (
        "narrow as wide",
        "int main(void) { void *v = malloc(4); char *b = v; b[0] = 1; long *l = v; *l = 1; free(v); return 0; }",
    ),
    (
        "constant",
        "static const char t[4] = {1, 2, 3, 4}; int main(void) { char *p = (char *)t; p[1] = 0; return 0; }",
    ),
    (
        "distance that may wrap",
        "int main(void) { char *b = malloc(4); unsigned long i = __VERIFIER_nondet_int(); char *p = b + i; if (p < b + 4) p[0] = 1; free(b); return 0; }",
    ),
    (
        "zeroed",
        "int main(void) { char *b = calloc(4, 1), *p = b; b = malloc(4); int r = b[1]; free(p); free(b); return r; }",
    ),
    (
        "cleared in loop",
        "int main(void) { for (int i = 0; i < 2; i++) { char b[4]; if (i == 0) { memset(b, 0, 4); continue; } if (b[1]) return 1; } return 0; }",
    ),
    (
        "caller of the same function",
        "static int g(int *p, int n) { if (n == 0) return p[0]; int loc[2] = {0, 0}; int *q = loc + n; q = q - 1; int r = g(p, n - 1); return r + q[1]; } int main(void) { int a[2] = {0, 0}; return g(a, 2); }",
    ),
    (
        "pointer of no type to another type",
        "struct other { long a, b; }; void f(void *p) { struct other *o = p; o->b = 1; } int main(void) { struct node *n = calloc(1, 16); f(n); int r = n->d; free(n); return r == 0; }",
    ),
    (
        "pointer of no type to less",
        "void f(void *p) { long *l = p; *l = 1; } int main(void) { int x = 0; f(&x); return x; }",
    ),
    (
        "pointer of no type after free",
        "void f(void *p) { int *i = p; *i = 1; } int main(void) { int *x = malloc(4); free(x); f(x); return 0; }",
    ),
    (
        "pointer of no type or block",
        "void f(void *p, int c) { if (c) p = malloc(4); char *b = p; b[3] = 1; if (c) free(p); } int main(void) { char x = 0; f(&x, 0); return x; }",
    ),
    (
        "pointer of no type, one of two",
        "void f(void *p) { struct node *n = p; n->d = 1; } int main(void) { int x; struct node n; f(&n); void *p = __VERIFIER_nondet_int() ? (void *)&n : (void *)&x; f(p); return 0; }",
    ),
    (
        "pointer of no type to a member",
        "struct two { int a; struct node n; }; void f(void *p) { struct node *n = p; n->d = 1; n->next = 0; } int main(void) { struct two t; f(&t); return t.a; }",
    ),
];

/// The same, put right.
const RIGHT: &[(&str, &str)] = &[
    ("up to the end", "int main(void) { char *b = malloc(4); b[3] = 1; free(b); return 0; }"),
    (
        "index that varies",
        "int main(void) { char *b = malloc(4); int i = __VERIFIER_nondet_int(); if (i >= 0 && i < 4) b[i] = 1; free(b); return 0; }",
    ),
    ("whole elements", "int main(void) { int *b = malloc(8); b[1] = 1; free(b); return 0; }"),
    ("loop", "int main(void) { char b[32]; for (int i = 0; i < 32; i++) b[i] = 0; return 0; }"),
    (
        "cursor",
        "int main(void) { int *b = malloc(40), *e = b + 10; for (int *p = b; p < e; p++) *p = 0; free(b); return 0; }",
    ),
    ("cursor back", "int main(void) { int b[10], *p = b + 10; while (p > b) { p--; *p = 1; } return 0; }"),
    ("bytes written", "int main(void) { char b[4]; b[0] = 0; b[1] = 0; return b[1]; }"),
    (
        "block cleared",
        "int main(void) { char b[40]; memset(b, 0, 40); int i = __VERIFIER_nondet_int(); return i >= 0 && i < 40 ? b[i] : 0; }",
    ),
    ("part cleared", "int main(void) { char b[8]; memset(b, 0, 7); return b[6]; }"),
    ("copied", "int main(void) { char a[4] = {0}, b[8]; memcpy(b, a, 4); return b[3]; }"),
    (
        "free of the start",
        "int main(void) { char *b = malloc(4), *p = b + 1; p = p - 1; free(p); return 0; }",
    ),
    (
        "size that is not known",
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 2 || n > 1000) return 0; char *b = malloc(n); b[1] = 0; free(b); return 0; }",
    ),
    (
        "size that is not negative",
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1) return 0; char *b = malloc(n); b[0] = 0; free(b); return 0; }",
    ),
    (
        "smaller of two sizes",
        "int main(void) { struct buf *l = 0; while (__VERIFIER_nondet_int()) { struct buf *x = malloc(sizeof *x); x->b = __VERIFIER_nondet_int() ? malloc(100) : malloc(8); x->next = l; l = x; } for (struct buf *p = l; p; p = p->next) p->b[7] = 1; while (l) { struct buf *n = l->next; free(l->b); free(l); l = n; } return 0; }",
    ),
    (
        "rows",
        "int main(void) { int a[3][4] = {0}; for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) a[i][j] = 1; return 0; }",
    ),
    (
        "rows on the heap",
        "int main(void) { int (*b)[4] = malloc(3 * sizeof *b); b[2][3] = 1; free(b); return 0; }",
    ),
    (
        "handed",
        "void set(char *p) { p[2] = 1; } int main(void) { char *b = malloc(5); set(b); set(b + 2); free(b); return 0; }",
    ),
    (
        "returned",
        "char *next(char *p) { return p + 2; } int main(void) { char *b = malloc(4), *q = next(b); q[1] = 1; free(b); return 0; }",
    ),
    (
        "order of cursors",
        "int main(void) { int b[4], *p = b + 1, *q = b + 3; if (p >= q) reach_error(); if (q - p != 2) reach_error(); return 0; }",
    ),
    (
        "moved is another place",
        "int main(void) { char *b = malloc(4), *p = b + 1; if (p == b) reach_error(); p--; if (p != b) reach_error(); free(b); return 0; }",
    ),
    ("text of the program", "int main(void) { const char *s = \"abc\"; return s[3]; }"),
    (
        "global array",
        "static int t[20]; int main(void) { int i = __VERIFIER_nondet_int(); if (i < 0 || i > 19) return 0; t[i] = 1; return t[i]; }",
    ),
    ("number by its address", "int main(void) { int x, *p = &x; p[0] = 2; return x; }"),
    (
        "buffers of a list",
        "int main(void) { struct buf *l = 0; while (__VERIFIER_nondet_int()) { struct buf *x = malloc(sizeof *x); x->b = calloc(5, 1); x->next = l; l = x; } int n = 0; for (struct buf *p = l; p; p = p->next) n += p->b[4]; while (l) { struct buf *n = l->next; free(l->b); free(l); l = n; } return n; }",
    ),
    (
        "pointer of no type",
        "void f(void *p) { int *i = p; *i = 1; } int main(void) { int x; f(&x); return x; }",
    ),
    (
        "pointer of no type to a structure",
        "void f(struct node *n, void *p) { struct node *m = p; if (m) m->d += n->d; } int main(void) { struct node n = {0, 1}, *m = calloc(1, sizeof *m); f(&n, m); f(&n, 0); free(m); return 0; }",
    ),
];

#[test]
fn errors_are_not_overlooked() {
    for (name, text) in WRONG {
        for embedding in [Embedding::Strict, Embedding::Loose] {
            let report = judge(text, embedding);
            assert!(!report.is_proved(), "{name} is proved: {text}");
            assert!(!report.refusals.is_empty() || !report.alarms.is_empty(), "{name} says nothing");
        }
    }
}

#[test]
fn right_programs_are_proved() {
    for (name, text) in RIGHT {
        for embedding in [Embedding::Strict, Embedding::Loose] {
            let report = judge(text, embedding);
            assert!(report.is_proved(), "{name}: {text}\n{report:?}");
        }
    }
}

/// Numbers that are different for each seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }
    fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len() as u64) as usize]
    }
}

/// A statement over two blocks, cursors and indices; guarded more often than not.
fn statement(dice: &mut Dice, depth: u32) -> String {
    let (p, q) = (dice.of(&["p", "q"]), dice.of(&["p", "q", "h", "a"]));
    let (b, i, c) =
        (dice.of(&["h", "a", "p", "q"]), dice.of(&["i", "j"]), dice.of(&["0", "1", "2", "3", "4"]));
    let compared = dice.of(&["<", "<=", ">", ">=", "==", "!="]);
    let inner = |dice: &mut Dice| match depth {
        0 => "k++;".to_string(),
        _ => statement(dice, depth - 1),
    };
    match dice.below(16) {
        0 => format!("{p} = {q};"),
        1 => format!("{p} = {q} + {c};"),
        2 => format!("{p} = {b} + {i};"),
        3 => format!("{i} = nondet();"),
        4 => format!("if ({i} >= 0 && {i} < {c}) {{ {} }}", inner(dice)),
        5 => format!("if ({i} >= 0 && {i} < 4) {b}[{i}] = 1;"),
        6 => format!("k += {b}[{c}];"),
        7 => format!("{b}[{c}] = k;"),
        8 => format!("if ({p} >= {b} && {p} < {b} + {c}) *{p} = 2;"),
        9 => format!("if ({p} {compared} {q}) {{ {} }} else {{ {} }}", inner(dice), inner(dice)),
        10 => format!("for ({i} = 0; {i} < {c}; {i}++) {{ {} }}", inner(dice)),
        11 => format!("memset({b}, 0, {});", dice.of(&["4", "8", "12", "16", "20"])),
        12 => format!("set({b});"),
        13 => format!("{p} = next({b});"),
        14 => format!("while ({p} {} {q} + {c} && nondet()) {{ *{p} = 1; {p}++; }}", dice.of(&["<", "!="])),
        _ => format!("if ({p} - {b} {compared} {c}) {{ {} }}", inner(dice)),
    }
}

fn random_program(seed: u64) -> String {
    let mut dice = Dice(seed.wrapping_mul(0x2545_f491_4f6c_dd1d).wrapping_add(88_172_645_463_325_252));
    let body: Vec<String> =
        (0..2 + dice.below(4)).map(|_| format!("{{ {} }}", statement(&mut dice, 2))).collect();
    format!(
        "static int nondet(void) {{ return __VERIFIER_nondet_int(); }}
static void set(int *p) {{ p[1] = 3; }} static int *next(int *p) {{ return p + 1; }}
int main(void) {{ int a[4], *h = calloc({}, sizeof *h), *p = {}, *q = h; int i = 0, j = 1, k = 0;
{}
free(h); return k == 77; }}",
        dice.of(&["4", "4", "5", "3"]),
        dice.of(&["a", "h"]),
        body.join("\n")
    )
}

#[test]
fn random_programs_with_blocks_are_judged_soundly() {
    let first = common::amount("HEAPWISE_FIRST", 0, 0);
    let options = Options { timeout: Some(Duration::from_millis(400)), ..Options::default() };
    let hunt = Hunt { runs: 60, steps: 20_000, effort: 2_000_000, ..Hunt::default() };
    let (mut proved, mut wrong) = (0, Vec::new());
    for seed in first..first + common::amount("HEAPWISE_PROGRAMS", 60, 600) {
        let text = random_program(seed);
        let report = judge(&text, if seed % 2 == 0 { Embedding::Strict } else { Embedding::Loose });
        if report.is_proved() {
            proved += 1;
            let program = common::from_preprocessed("random.c", &format!("{HEADER}{text}")).expect("it is C");
            if let Some(found) = find_error(&program, &options, &hunt) {
                wrong.push(format!("seed {seed} is proved: {text}\n{}", found.error.message));
            }
        }
    }
    eprintln!("{proved} random programs proved");
    assert!(wrong.is_empty(), "{} programs\n{}", wrong.len(), wrong.join("\n"));
}
