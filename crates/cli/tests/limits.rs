//! Limits and large programs: whatever the limits are, the answer is one of the three and never contradicts what is
//! known of the program; programs of ten thousand statements or a thousand of anything are nothing special.
//!
//! The suite tries one annotated program in ten with each limit; `HEAPWISE_LIMITS=all` tries all of them. With
//! `--nocapture`, the figures of the large programs are printed.

#![allow(clippy::print_stderr)]

mod common;

use common::{Scratch, heapwise, is_long, parallel, root};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Limits that most programs do not keep, and numeric domains that are not the default.
const LIMITS: [&[&str]; 14] = [
    &["--timeout", "0"],
    &["--timeout", "0.001"],
    &["--timeout", "0.01"],
    &["--timeout", "0.1"],
    &["--max-disjuncts", "1", "--timeout", "2"],
    &["--max-disjuncts", "2", "--timeout", "2"],
    &["--max-disjuncts", "4", "--timeout", "2"],
    &["--max-memory", "1", "--timeout", "2"],
    &["--max-memory", "12", "--timeout", "2"],
    // Nothing but the analysis.
    &["--max-disjuncts", "2", "--timeout", "0.1", "--runs", "0"],
    &["--numeric", "congruences", "--timeout", "1", "--runs", "0"],
    &["--numeric", "zones", "--timeout", "1", "--runs", "0"],
    &["--numeric", "octagons", "--timeout", "1", "--runs", "0"],
    &["--numeric", "polyhedra", "--timeout", "1", "--runs", "0"],
];

/// How many parts the programs are divided into in the short form.
const PARTS: usize = 3;

/// The annotated programs, and whether they are safe.
fn annotated() -> Vec<(PathBuf, bool)> {
    let all = std::env::var("HEAPWISE_LIMITS").is_ok_and(|m| m == "all");
    let mut found = Vec::new();
    for (name, safe) in [("safe", true), ("error", false)] {
        let entries = std::fs::read_dir(root().join("tests/check").join(name)).unwrap();
        found.extend(entries.map(|e| (e.unwrap().path(), safe)));
    }
    found.retain(|(p, _)| p.extension().is_some_and(|e| e == "c"));
    found.sort();
    found.into_iter().step_by(if all { 1 } else { 10 }).collect()
}

/// What `heapwise check` says of a program under some limits, and what is wrong with that.
fn answer(limits: &[&str], path: &Path, safe: bool) -> (String, Option<String>) {
    let output = heapwise().arg("check").args(limits).arg(path).output().unwrap();
    let (said, told) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let verdict = said.lines().next().unwrap_or("");
    let expected = match verdict {
        "proved" => 0,
        "error" => 1,
        "unknown" => 2,
        _ => -1,
    };
    let contradicts = safe && verdict == "error" || !safe && verdict == "proved";
    // Arithmetic that overflows does not count unless it is asked for.
    let overflow = std::fs::read_to_string(path).unwrap().contains("//~ ERROR overflow");
    let bad = output.status.code() != Some(expected) || contradicts && !overflow || told.contains("panicked");
    let reason = if told.contains("[budget]") { " (budget)" } else { "" };
    let wrong = bad.then(|| format!("{} {limits:?}: {} {told}", path.display(), output.status));
    (format!("{verdict}{reason}"), wrong)
}

#[test]
fn limits_end_as_an_answer_that_is_not_wrong() {
    let programs = annotated();
    let mut wrong = Vec::new();
    for (number, limits) in LIMITS.into_iter().enumerate() {
        // In the short form each limit is tried with another part of the programs.
        let part = |(i, _): &(usize, &(PathBuf, bool))| is_long() || i % PARTS == number % PARTS;
        let part: Vec<_> = programs.iter().enumerate().filter(part).map(|(_, program)| program).collect();
        let mut answers: BTreeMap<String, u32> = BTreeMap::new();
        for (said, complaint) in parallel::each(&part, |(path, safe)| answer(limits, path, *safe)) {
            *answers.entry(said).or_default() += 1;
            wrong.extend(complaint);
        }
        eprintln!("{}: {answers:?}", limits.join(" "));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const COMMON: &str = "
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int data; };
";

/// Large programs: name, text, and the verdict.
fn large() -> Vec<(&'static str, String, &'static str)> {
    let repeated = |n: usize, each: &dyn Fn(usize) -> String| -> String { (0..n).map(each).collect() };
    let list = "struct node *l = 0, *p; while (__VERIFIER_nondet_int()) { p = malloc(sizeof *p); p->next = l; \
                p->data = 0; l = p; }";
    let end = "while (l) { p = l->next; free(l); l = p; }";
    let mut programs = Vec::new();
    let statements =
        repeated(2_500, &|i| format!("a = a + b; b = {i} & n; q->data = a; if (l) l->data = b;\n"));
    programs.push((
        "10,000 statements in a row",
        format!(
            "int main(void) {{ {list} int n = __VERIFIER_nondet_int(); unsigned a = 0, b = 1; struct node s, *q = &s; \
             s.next = 0;\n{statements} {end} return 0; }}"
        ),
        "proved",
    ));
    let stores = repeated(10_000, &|i| format!("*p = {i};\n"));
    programs.push((
        "10,000 stores, then a null pointer",
        format!("int main(void) {{ int a; int *p = &a;\n{stores} p = 0; return *p; }}"),
        "error",
    ));
    let functions = repeated(1_000, &|i| {
        format!(
            "static struct node *f{i}(struct node *l) {{ struct node *n = malloc(sizeof *n); n->next = l; n->data = {i}; \
             return n; }}\n"
        )
    });
    for (name, when) in [
        ("1,000 functions that insert", ""),
        ("1,000 functions that may insert", "if (__VERIFIER_nondet_int()) "),
    ] {
        let calls = repeated(1_000, &|i| format!("{when}l = f{i}(l);\n"));
        programs.push((
            name,
            format!("{functions}int main(void) {{ {list} {calls} {end} return 0; }}"),
            "proved",
        ));
    }
    let chain = |n: usize| {
        let callers = repeated(n - 1, &|i| {
            format!(
                "static void f{}(void) {{ struct node *p = malloc(sizeof *p); p->next = 0; f{i}(); free(p); }}\n",
                i + 1
            )
        });
        format!(
            "static void f0(void) {{ {list} {end} }}\n{callers}int main(void) {{ f{}(); return 0; }}",
            n - 1
        )
    };
    programs.push(("100 functions that call each other", chain(100), "proved"));
    programs.push(("1,000 functions that call each other", chain(1_000), "proved"));
    let blocks = |n: usize| {
        let open = repeated(n, &|i| format!("{{ int a{i} = {i}; if (n > a{i}) l = l;\n"));
        format!(
            "int main(void) {{ {list} int n = __VERIFIER_nondet_int(); {open} {} {end} return 0; }}",
            "}".repeat(n)
        )
    };
    programs.push(("100 nested blocks", blocks(100), "proved"));
    programs.push(("1,000 nested blocks", blocks(1_000), "bad input"));
    let cases = repeated(1_000, &|i| format!("case {i}: if (l) l->data = {i}; break;\n"));
    programs.push((
        "a switch with 1,000 cases",
        format!(
            "int main(void) {{ {list} switch (__VERIFIER_nondet_int()) {{ {cases} default: ; }} {end} return 0; }}"
        ),
        "proved",
    ));
    let terms = repeated(10_000, &|i| format!(" + (a ^ {i})"));
    programs.push((
        "a sum of 10,000 terms",
        format!("int main(void) {{ unsigned a = __VERIFIER_nondet_int(), b = 0{terms}; return b & 1; }}"),
        "bad input",
    ));
    let (open, close) = ("(a + ".repeat(10_000), ")".repeat(10_000));
    programs.push((
        "an expression of depth 10,000",
        format!("int main(void) {{ unsigned a = 1; return {open}a{close}; }}"),
        "bad input",
    ));
    programs
}

#[test]
fn large_programs_are_nothing_special() {
    let scratch = Scratch::new("large_programs");
    let mut wrong = Vec::new();
    eprintln!("| program | answer | seconds | MB |\n|---|---|---|---|");
    for (name, text, expected) in large() {
        scratch.write("large.i", format!("{COMMON}{text}\n"));
        let begun = Instant::now();
        let answer = scratch.heapwise("check --timeout 60 --format json large.i");
        let seconds = begun.elapsed().as_secs_f64();
        let report: serde_json::Value = serde_json::from_str(&answer.stdout).unwrap_or_default();
        let said = match answer.code {
            Some(3) => "bad input".to_owned(),
            _ => report["verdict"].as_str().unwrap_or("none").to_owned(),
        };
        let memory = report["peak_memory"].as_f64().map_or("–".into(), |m| format!("{m:.0}"));
        eprintln!("| {name} | {said} | {seconds:.2} | {memory} |");
        if said != expected {
            wrong.push(format!("{name}: {:?} {} {}", answer.code, answer.stdout, answer.stderr));
        }
        if said == "bad input" && !(answer.stdout + &answer.stderr).contains("nesting-too-deep") {
            wrong.push(format!("{name}: the message does not say what is wrong"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
