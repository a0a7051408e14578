//! Numeric domains on programs: which of them proves what, and that none proves what is not so.
//!
//! Each program has an assertion that needs a kind of relation, and a mutant in which it does not hold on some run. Two programs
//! hold only as long as nothing wraps around.

mod common;

use common::Scratch;

/// All domains, in the order of the table below.
const DOMAINS: [&str; 5] = ["default", "congruences", "zones", "octagons", "polyhedra"];

/// Name, statements before the assertion, the assertion, one that fails, and which domains prove the first.
const PROGRAMS: &[(&str, &str, &str, &str, &[&str])] = &[
    (
        "two counters that run against each other",
        "int x = 0, y = 100; while (x < 100) { x++; y--; }",
        "x + y == 100",
        "x + y == 101",
        &["octagons", "polyhedra"],
    ),
    (
        "two counters that add up to a third",
        "int n = any(); if (n < 0 || n > 1000) return 0; int a = 0, b = 0, i = 0; \
         while (i < n) { if (any()) a++; else b++; i++; }",
        "a + b == i",
        "a + b < n || n == 0",
        &["polyhedra"],
    ),
    ("a stride", "int x = 0; while (any() && x < 1000000) x += 4;", "x != 6", "x != 8", &["congruences"]),
    (
        "two ends that come together",
        "int n = any(); if (n < 0 || n > 100) return 0; int i = 0, j = n; \
         while (i < j) { if (any()) i++; else j--; }",
        "i <= n && i + j <= 2 * n",
        "i < n || n == 0",
        &["zones", "octagons", "polyhedra"],
    ),
    (
        "what wraps around",
        "unsigned char x = 0, y = 0; while (any()) { x += 3; y++; }",
        "1",
        "x == 3 * y",
        &DOMAINS,
    ),
    ("what wraps around at once", "unsigned x = any(), y = x + 4;", "1", "y > x", &DOMAINS),
    ("residues that wrap around", "unsigned char x = 0; while (any()) x += 3;", "1", "x != 2", &DOMAINS),
];

#[test]
fn domains_prove_what_they_can_express_and_nothing_that_fails() {
    let s = Scratch::new("numeric_domains");
    let mut wrong = Vec::new();
    for (name, before, holds, fails, proved_by) in PROGRAMS {
        let text = |claim: &str| {
            format!(
                "extern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_error(void);\n\
                 int any(void) {{ return __VERIFIER_nondet_int(); }}\n\
                 int main(void) {{\n  {before}\n  if (!({claim})) __VERIFIER_error();\n  return 0;\n}}\n"
            )
        };
        s.write("good.c", text(holds)).write("bad.c", text(fails));
        for domain in DOMAINS {
            let answer = |file: &str| {
                let line = format!("check --runs 0 --timeout 20 --numeric {domain} {file}");
                s.heapwise(&line).stdout.lines().next().unwrap_or("").to_owned()
            };
            let (good, bad) = (answer("good.c"), answer("bad.c"));
            let expected = if proved_by.contains(&domain) { "proved" } else { "unknown" };
            if good != expected || bad != "unknown" {
                wrong.push(format!("{name}, {domain}: {good}, and {bad} where it fails"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
