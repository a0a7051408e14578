//! Random programs over linked nodes, over numbers, bytes and records, and over arrays and texts: nothing that goes wrong in a run is proved, and every memory lies inside the states.
//!
//! The first build, walk, rewire and free small structures in loops, branches and calls without any plan, which
//! gives states that no careful programmer writes; the others compute with all kinds of integers in all kinds of places. `HEAPWISE_PROGRAMS` sets how many are made, `HEAPWISE_FIRST` the
//! first seed, `HEAPWISE_SEEDS` the number of runs of each.

#![allow(clippy::print_stderr)]

mod common;

use common::judge::{judged, limit, options};
use heapwise_engine::check::verdict::find_error;
use heapwise_engine::{Numeric, analyse};
use heapwise_property::Property;

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

const HEADER: &str = "
typedef unsigned long size_t;
void *malloc(size_t);
void *calloc(size_t, size_t);
void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next, *prev; int d; };
static struct node *g;
static struct node *push(struct node *l, int d)
{
    struct node *n = malloc(sizeof *n);
    n->next = l; n->prev = 0; n->d = d;
    if (l) l->prev = n;
    return n;
}
static struct node *last(struct node *l)
{
    while (l && l->next) l = l->next;
    return l;
}
static struct node *reverse(struct node *l)
{
    struct node *r = 0;
    while (l) { struct node *t = l->next; l->next = r; r = l; l = t; }
    return r;
}
static void destroy(struct node *l)
{
    if (!l) return;
    struct node *t = l->next;
    free(l);
    destroy(t);
}
static void drop(struct node **p)
{
    struct node *n = *p;
    if (n) { *p = n->next; if (*p) (*p)->prev = n->prev; free(n); }
}
";

fn statement(dice: &mut Dice, depth: u32, out: &mut String) {
    const VARS: [&str; 3] = ["a", "b", "c"];
    const VALUES: [&str; 5] = ["0", "a", "b", "c", "g"];
    let x = dice.of(&VARS);
    let y = dice.of(&VARS);
    let link = dice.of(&["next", "next", "next", "prev"]);
    let text = match dice.below(if depth > 2 { 14 } else { 22 }) {
        0 => format!(
            "{x} = malloc(sizeof *{x}); {x}->next = {}; {x}->prev = {}; {x}->d = i;",
            if x == y { "0" } else { y },
            dice.of(&["0", "0", "b", "c"])
        ),
        1 => format!("{x} = calloc(1, sizeof *{x}); {x}->{link} = {y};"),
        2 => format!("{x} = {y};"),
        3 => format!("if ({y}) {x} = {y}->{link};"),
        4 => format!("if ({y}) {y}->{link} = {};", dice.of(&VALUES)),
        5 => format!("{x} = push({x}, i);"),
        6 => format!("{x} = push({y}, {});", dice.below(3)),
        7 => format!("{x} = last({y});"),
        8 => format!("{x} = reverse({x});"),
        9 => format!("destroy({x}); {x} = {};", dice.of(&["0", "0", "0", y])),
        10 => format!("drop(&{x});"),
        11 => format!("i = {};", dice.of(&["0", "i + 1", "__VERIFIER_nondet_int()", "-i", "i & 7"])),
        12 => format!("{} = {x};", dice.of(&["g", "g", y])),
        13 => format!("if ({x} && {x}->d > {}) {x}->d = i;", dice.below(4)),
        14 | 15 => {
            let (mut yes, mut no) = (String::new(), String::new());
            statements(dice, depth + 1, &mut yes);
            statements(dice, depth + 1, &mut no);
            let cond = match dice.below(4) {
                0 => x.to_owned(),
                1 => format!("{x} == {y}"),
                2 => format!("i < {}", dice.below(5)),
                _ => "__VERIFIER_nondet_int()".into(),
            };
            format!("if ({cond}) {{\n{yes}}} else {{\n{no}}}")
        }
        16 | 17 => {
            let mut body = String::new();
            statements(dice, depth + 1, &mut body);
            format!("while (__VERIFIER_nondet_int()) {{\n{body}}}")
        }
        18 => format!("while ({x} && {x}->next) {x} = {x}->next;"),
        19 => format!(
            "while (__VERIFIER_nondet_int()) {{ {x} = malloc(sizeof *{x}); {x}->next = {y}; {x}->prev = 0; \
             {x}->d = i; if ({y}) {y}->prev = {x}; {y} = {x}; }}"
        ),
        20 => format!(
            "while ({x}) {{ struct node *t = {x}->next; if ({x} == {y}) {y} = 0; free({x}); {x} = t; }}"
        ),
        _ => format!("for (i = 0; i < {}; i++) {x} = push({x}, i);", 1 + dice.below(6)),
    };
    out.push_str(&text);
    out.push('\n');
}

fn statements(dice: &mut Dice, depth: u32, out: &mut String) {
    for _ in 0..1 + dice.below(4) {
        statement(dice, depth, out);
    }
}

const DATA: &str = "
typedef unsigned long size_t;
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void free(void *);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
struct pair { int x; short y; char z[5]; struct pair *p; };
union view { int i; unsigned char b[4]; unsigned u; short h[2]; };
static int table[8] = {1, 2, 3};
static struct pair shared;
static const char word[] = \"word\";
static void bump(int *p, int by) { *p += by; }
static struct pair make(int x) { struct pair r = {x, (short)x, {1}, 0}; return r; }
static unsigned mix(unsigned x, int k) { if (k <= 0) return x; return mix(x * 3 + 1, k - 1); }
";

/// An integer expression; everything in it is initialised and defined.
fn expression(dice: &mut Dice, depth: u32) -> String {
    if depth == 0 || dice.below(3) == 0 {
        let leaf = dice.of(&[
            "i",
            "j",
            "u",
            "ch",
            "us",
            "l",
            "s.x",
            "s.y",
            "v.u",
            "v.b[1]",
            "v.h[1]",
            "table[u & 7]",
            "q->x",
            "__VERIFIER_nondet_int()",
            "__VERIFIER_nondet_uchar()",
            "word[u & 3]",
            "s.z[u % 5]",
            "bytes[u % 16]",
        ]);
        return if dice.below(4) == 0 {
            dice.of(&[
                "0",
                "1",
                "-1",
                "2",
                "7",
                "255",
                "0x80000000u",
                "2147483647",
                "-128",
                "65535",
                "100000",
            ])
            .into()
        } else {
            leaf.into()
        };
    }
    let (a, b) = (expression(dice, depth - 1), expression(dice, depth - 1));
    match dice.below(16) {
        0..3 => format!("({a} + {b})"),
        3 => format!("({a} - {b})"),
        4 => format!("({a} * {b})"),
        5 => format!("({a} & {b})"),
        6 => format!("({a} | {b})"),
        7 => format!("({a} ^ {b})"),
        8 => format!("({a} >> ({b} & 7))"),
        9 => format!("((unsigned)({a}) << ({b} & 15))"),
        10 => format!("({a} < {b})"),
        11 => format!("({a} == {b})"),
        12 => {
            format!("(({})({a}))", dice.of(&["char", "unsigned char", "short", "unsigned", "long", "_Bool"]))
        }
        13 => format!("({a} {} {})", dice.of(&["%", "/"]), dice.of(&["3", "16", "-5", "7u"])),
        14 => format!("({a} ? {b} : i)"),
        _ => format!("{}({a})", dice.of(&["-", "~", "!"])),
    }
}

fn data_statement(dice: &mut Dice, depth: u32, out: &mut String) {
    let e = expression(dice, 2);
    let k = dice.below(8);
    let place = dice.of(&[
        "i",
        "j",
        "u",
        "ch",
        "us",
        "l",
        "s.x",
        "s.y",
        "v.i",
        "v.u",
        "v.b[2]",
        "v.b[u & 3]",
        "v.h[0]",
        "q->x",
        "q->y",
        "table[i & 7]",
        "s.z[u % 5]",
        "bytes[u & 15]",
        "shared.x",
        "*ip",
    ]);
    let text = match dice.below(if depth > 2 { 18 } else { 24 }) {
        0..6 => format!("{place} = {e};"),
        6 => format!("{place} {}= {e};", dice.of(&["+", "-", "|", "&", "*"])),
        7 => format!("q = {};", dice.of(&["&s", "&shared", "h", "h ? h : &s"])),
        8 => format!("ip = {};", dice.of(&["&i", "&j", "&s.x", "&table[3]", "&q->x", "&v.i", "ip"])),
        9 => format!("bump({}, {e});", dice.of(&["&i", "ip", "&s.x", "table + 1"])),
        10 => format!("{} = make({e});", dice.of(&["s", "shared", "*q"])),
        11 => format!("s = {};", dice.of(&["shared", "*q", "s"])),
        12 => format!(
            "memcpy(bytes + {k}, {}, {});",
            dice.of(&["&i", "&s.x", "word", "&v", "table"]),
            dice.below(5)
        ),
        13 => format!(
            "memset({}, {}, {k});",
            dice.of(&["bytes", "bytes + 3", "table", "&s"]),
            dice.of(&["0", "i", "255"])
        ),
        14 => format!("memmove(bytes + {k}, bytes + {}, {});", dice.below(8), dice.below(9)),
        15 => "free(h); h = calloc(1, sizeof *h); q = &s;".into(),
        16 => format!("u = mix(u, {e} & {k});"),
        17 => format!("s.p = {}; if (s.p) s.p->y = {e};", dice.of(&["0", "&shared", "&s", "h", "q"])),
        18 | 19 => {
            let (mut yes, mut no) = (String::new(), String::new());
            data_statements(dice, depth + 1, &mut yes);
            data_statements(dice, depth + 1, &mut no);
            format!("if ({e}) {{\n{yes}}} else {{\n{no}}}")
        }
        20 => {
            let mut body = String::new();
            data_statements(dice, depth + 1, &mut body);
            format!("while (__VERIFIER_nondet_int()) {{\n{body}}}")
        }
        21 => {
            let mut body = String::new();
            data_statements(dice, depth + 1, &mut body);
            format!("for (int n = 0; n < {}; n++) {{\n{body}}}", 1 + dice.below(20))
        }
        22 => format!(
            "switch ({e}) {{ case 0: i = 1; break; case 1 ... 5: j = i; case -1: {place} = 3; break; default: u = 2; }}"
        ),
        _ => format!(
            "for (int n = {k}; n < {}; n++) {{ bytes[n] = (unsigned char)(n + i); table[n & 7] += n; }}",
            dice.below(16)
        ),
    };
    out.push_str(&text);
    out.push('\n');
}

fn data_statements(dice: &mut Dice, depth: u32, out: &mut String) {
    for _ in 0..1 + dice.below(3) {
        data_statement(dice, depth, out);
    }
}

fn random_data_program(seed: u64) -> String {
    let mut dice = Dice(seed.wrapping_mul(0x1234_5678_9abc_def1));
    let mut body = String::new();
    for _ in 0..3 + dice.below(6) {
        data_statement(&mut dice, 1, &mut body);
    }
    format!(
        "{DATA}int main(void)\n{{\nint i = 0, j = __VERIFIER_nondet_int(); unsigned u = 1; signed char ch = 3; \
         unsigned short us = 9; long l = -1; struct pair s = {{1, 2, {{3}}, 0}}, *q = &s, *h = 0; union view v = {{7}}; \
         int *ip = &i; unsigned char bytes[16] = {{0}};\n{body}free(h);\nreturn 0;\n}}\n"
    )
}

const ARRAYS: &str = "
typedef unsigned long size_t;
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void free(void *);
char *strdup(const char *);
void *memmove(void *, const void *, size_t);
size_t strlen(const char *);
char *strcpy(char *, const char *);
char *strcat(char *, const char *);
char *strncpy(char *, const char *, size_t);
int strcmp(const char *, const char *);
char *strchr(const char *, int);
void *memset(void *, int, size_t);
void *memcpy(void *, const void *, size_t);
extern int __VERIFIER_nondet_int(void);
struct item { int x; short w[2]; long y; };
static struct item make(int x) { struct item r = {x, {1, 2}, x}; return r; }
static int sum(const int *v, int len) { int r = 0; for (int k = 0; k < len; k++) r += v[k] & 15; return r; }
static void fill(int *v, int len, int x) { int *e = v + len; while (v != e) *v++ = x; }
static int length(const char *s) { const char *p = s; while (*p) p++; return p - s; }
static void copy(char *d, const char *s) { while ((*d++ = *s++)) ; }
static char *skip(char *s, char c) { while (*s && *s != c) s++; return s; }
static int same(const char *x, const char *y) { while (*x == *y++) if (*x++ == 0) return 1; return 0; }
static int deep(const char *s) { return *s ? 1 + deep(s + 1) : 0; }
";

/// A statement about arrays of `n` numbers and texts of `m` and `w` characters: mostly within bounds.
fn array_statement(dice: &mut Dice, depth: u32, out: &mut String) {
    let a = dice.of(&["a", "a", "b", "c"]);
    let s = dice.of(&["s", "s", "t", "l"]);
    let d = dice.of(&["s", "t"]);
    let size = match a {
        "a" => "n",
        "b" => "m",
        _ => "6",
    };
    let limit = match dice.below(10) {
        0 => format!("{size} - 1"),
        1 => format!("{size} + 1"),
        2 => "n".into(),
        3 => "n - m".into(),
        4 => format!("{size} / 2"),
        _ => size.into(),
    };
    let text = match dice.below(if depth > 2 { 27 } else { 31 }) {
        0 | 1 => format!("for (i = 0; i < {limit}; i++) {a}[i] = {};", dice.of(&["i", "0", "j", "7"])),
        2 => format!("for (i = {limit}; i > 0; i--) {a}[i - 1] += i;"),
        3 => format!("if (j >= 0 && j < {limit}) {a}[j] = i;"),
        4 => format!("if (j >= 0 && j < {limit}) i = {a}[j];"),
        5 => format!("for (p = {a}; p < {a} + {size}; p++) *p = {};", dice.of(&["1", "i", "*p + 1"])),
        6 => format!("fill({a}, {limit}, i);"),
        7 => format!("j = sum({a}, {limit});"),
        8 => format!("q = {s}; while (*q) q++; i = q - {s};"),
        9 => format!("i = {}({s});", dice.of(&["length", "deep", "strlen"])),
        10 => format!("{}({d}, {s});", dice.of(&["copy", "strcpy", "strcat"])),
        11 => format!("q = skip({d}, 'x'); {}", dice.of(&["*q = 'y';", "if (*q) q++;", "*q = 0;", ""])),
        12 => format!("i = {}({s}, {d});", dice.of(&["same", "strcmp"])),
        13 => format!(
            "{d}[{}] = {};",
            dice.of(&["n - 1", "m - 1", "0", "1", "i & 3"]),
            dice.of(&["0", "'x'", "j"])
        ),
        14 => format!(
            "for (i = 0; i < {} - 1 && __VERIFIER_nondet_int(); i++) {d}[i] = 'x'; {d}[i] = 0;",
            dice.of(&["n", "m"])
        ),
        15 => format!("for (i = 0; {s}[i]; i++) j = {s}[i];"),
        16 => format!("memset({a}, {}, {limit} * sizeof(int));", dice.of(&["0", "1", "i"])),
        17 => format!(
            "memcpy({a}, {}, {});",
            dice.of(&["a", "b", "c"]),
            dice.of(&["8", "n * 4", "m * sizeof(int)"])
        ),
        18 => format!(
            "{} = {};",
            dice.of(&["i", "j"]),
            dice.of(&["n", "m - 1", "i + 1", "__VERIFIER_nondet_int()", "j % n"])
        ),
        19 => format!(
            "if (j >= 0 && j < {limit}) memset({a} + j, {}, {});",
            dice.of(&["0", "1"]),
            dice.of(&["1", "4", "4 * i"])
        ),
        20 => format!(
            "if (j >= 0 && j <= {size} - 2) {}({a} + j, {} + {}, 8);",
            dice.of(&["memcpy", "memmove"]),
            dice.of(&["b", "c", "a"]),
            dice.of(&["0", "j", "1"])
        ),
        21 => format!(
            "q = strchr({s}, {}); if (q) {}",
            dice.of(&["0", "'x'"]),
            dice.of(&["j = *q;", "j = q - s;", "j = q[1];"])
        ),
        22 => format!("b = realloc(b, ({}) * sizeof *b);", dice.of(&["m", "n", "m + 1", "m / 2 + 1"])),
        23 => format!("for (p = {a} + {size} - 1; p {} {a}; p--) *p = p - {a};", dice.of(&[">", ">=", "!="])),
        24 => format!(
            "if (j >= 0 && j < 30) {{ v[j].{}; {} }}",
            dice.of(&["x = i", "w[i & 1] = i", "y = 0"]),
            dice.of(&["i = v[0].x;", "v[j] = v[m];", "v[i & 7] = make(j);", "i = v[j].w[1];"])
        ),
        25 => format!("for (u = {limit}; u-- > {}; ) {a}[u] = u;", dice.of(&["0", "0", "1", "m"])),
        26 => format!(
            "q = strdup({s}); if (q) {{ i = strlen(q); q[{}] = 0; free(q); }}",
            dice.of(&["0", "i", "i / 2", "i - 1"])
        ),
        27 | 28 => {
            let (mut yes, mut no) = (String::new(), String::new());
            array_statement(dice, depth + 1, &mut yes);
            array_statement(dice, depth + 1, &mut no);
            let cond = dice.of(&["n > m", "i < n", "j == m", "__VERIFIER_nondet_int()", "*s", "n == 1"]);
            format!("if ({cond}) {{\n{yes}}} else {{\n{no}}}")
        }
        _ => {
            let mut body = String::new();
            array_statement(dice, depth + 1, &mut body);
            format!("while (__VERIFIER_nondet_int()) {{\n{body}}}")
        }
    };
    out.push_str(&text);
    out.push('\n');
}

fn random_array_program(seed: u64) -> String {
    let mut dice = Dice(seed.wrapping_mul(0x1234_5678_9abc_def1));
    let mut body = String::new();
    for _ in 0..2 + dice.below(4) {
        array_statement(&mut dice, 1, &mut body);
    }
    let numbers =
        dice.of(&["malloc(n * sizeof(int))", "calloc(n, sizeof(int))", "__builtin_alloca(n * sizeof(int))"]);
    let release = if numbers.starts_with("__") { "" } else { "free(a); " };
    let first = dice.of(&[
        "for (i = 0; i < n - 1; i++) s[i] = __VERIFIER_nondet_int(); s[n - 1] = 0;",
        "for (i = 0; i < n; i++) s[i] = 0;",
        "memset(s, 'x', n - 1); s[n - 1] = 0;",
        "s[0] = 0;",
    ]);
    format!(
        "{ARRAYS}int main(void)\n{{\nint n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();\n\
         if (n < 1 || n > 9) n = 1; if (m < 1 || m > n) m = 1;\n\
         int i, j = 0, c[6] = {{1, 2}}, *p, *a = {numbers}, *b = malloc(m * sizeof *b);\n\
         unsigned u = 0; struct item v[30] = {{{{0}}}};\n\
         char *s = malloc(n), *t = calloc(m, 1), *q; const char *l = \"text\";\n{first}\n\
         for (i = 0; i < n; i++) a[i] = i;\nfor (i = 0; i < m; i++) b[i] = 0;\n\
         {body}{release}free(b); free(s); free(t);\nreturn 0;\n}}\n"
    )
}

fn random_program(seed: u64) -> String {
    let mut dice = Dice(seed.wrapping_mul(0x1234_5678_9abc_def1));
    let mut body = String::new();
    for _ in 0..3 + dice.below(5) {
        statement(&mut dice, 1, &mut body);
    }
    format!(
        "{HEADER}int main(void)\n{{\nstruct node *a = 0, *b = 0, *c = 0; int i = 0;\n{body}return 0;\n}}\n"
    )
}

/// Makes programs and judges them, in turn with each of the numeric domains.
fn campaign(make: fn(u64) -> String, domains: &[Option<Numeric>]) {
    let first = common::amount("HEAPWISE_FIRST", 0, 0);
    let mut finite = 0;
    let (programs, runs) =
        (common::amount("HEAPWISE_PROGRAMS", 12, 60), common::amount("HEAPWISE_SEEDS", 4, 6));
    let (mut proved, mut exhausted, mut wrong) = (0, 0, Vec::new());
    let (mut checked, mut points, mut undecided) = (0, 0, 0);
    for seed in first..first + programs {
        let text = make(seed);
        let program = common::from_preprocessed("random.c", &text).expect("random programs are C");
        let mut options = options();
        options.timeout = Some(limit(0.4));
        options.numeric = domains.get(seed as usize % domains.len().max(1)).copied().flatten();
        // Leaks end most proofs; every other program is judged without them.
        options.properties.set(Property::Leak, seed % 2 == 0);
        let report = analyse(&program, &options);
        let tally = judged(&program, &report, &options, runs);
        proved += u32::from(tally.proved);
        exhausted += u32::from(tally.exhausted);
        checked += tally.checked;
        points += tally.points;
        undecided += tally.undecided;
        wrong.extend(tally.violations.into_iter().take(1).map(|v| format!("seed {seed}: {text}\n{v}")));
        let quick =
            heapwise_engine::Hunt { steps: 1_000, effort: 200_000, ..heapwise_engine::Hunt::default() };
        let by_runs = heapwise_hunt::Hunter::new(&program, &options.entry, options.properties)
            .runs_prove(&quick.limits(quick.effort, None));
        finite += u32::from(by_runs);
        if tally.proved || by_runs {
            let hunt = heapwise_engine::Hunt {
                runs: 50,
                steps: 20_000,
                effort: 2_000_000,
                ..heapwise_engine::Hunt::default()
            };
            if let Some(found) = find_error(&program, &options, &hunt) {
                wrong.push(format!("seed {seed} is proved: {text}\n{}", found.error.message));
            }
        }
    }
    eprintln!(
        "{checked} memories checked at {points} points of {programs} programs, {undecided} undecided; {proved} programs \
         proved, {finite} by their runs, {exhausted} without a result in time"
    );
    let shown: Vec<&str> = wrong.iter().take(4).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} programs\n{}", wrong.len(), shown.join("\n"));
}

#[test]
fn random_linked_structures_are_analysed_soundly() {
    campaign(random_program, &[None]);
}

#[test]
fn random_arrays_are_analysed_soundly() {
    campaign(random_array_program, &[None]);
}

#[test]
fn random_data_is_analysed_soundly() {
    campaign(random_data_program, &[None]);
}

#[test]
fn random_arrays_are_analysed_soundly_with_every_numeric_domain() {
    campaign(random_array_program, &Numeric::ALL.map(Some));
}

#[test]
fn random_data_is_analysed_soundly_with_every_numeric_domain() {
    campaign(random_data_program, &Numeric::ALL.map(Some));
}
