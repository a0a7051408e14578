//! Laps that are taken at once come to the same as laps that are executed: random loops that count, run with and without.

use heapwise_frontend::SourceUnit;
use heapwise_interp::{Limits, Observer, Options, Outcome, Policy, RandomInputs, RunResult, View, run};
use heapwise_ir::DataModel;
use std::fmt::Write;
use std::ops::ControlFlow;

/// Looks at every step and lets nothing be skipped.
struct Patient;

impl Observer for Patient {
    fn at_statement(&mut self, _: &View<'_, '_, '_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

fn runs(text: &str) -> (RunResult, RunResult) {
    let unit = SourceUnit { name: "a.c".into(), text: text.into() };
    let (program, diagnostics) = heapwise_frontend::compile(&[unit], DataModel::Lp64);
    assert!(diagnostics.is_empty(), "{diagnostics:?}\n{text}");
    let limits = Limits { steps: 3_000_000, ..Limits::default() };
    let options = Options { limits, overflow: Policy::Stop, ..Options::default() };
    let slow = run(&program, &options, &mut RandomInputs::new(1), Some(&mut Patient));
    let fast = run(&program, &options, &mut RandomInputs::new(1), None);
    (slow, fast)
}

/// A generator without a state of its own in the tests (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len() as u64) as usize]
    }
}

const TYPES: [&str; 7] =
    ["int", "unsigned", "long", "unsigned long", "short", "unsigned char", "signed char"];

/// A loop that counts in one variable and does simple things to others.
fn program(r: &mut Random) -> String {
    let mut text = String::from("int printf(const char *, ...);\nint main(void) {\n");
    let names = ["i", "a", "b", "c"];
    for name in names {
        let (ty, value) = (r.of(&TYPES), r.below(120) as i64 - 60);
        let value = if ty.starts_with("unsigned") { value.abs() } else { value };
        let _ = writeln!(text, "  {ty} {name} = {value};");
    }
    let step = r.of(&["i++", "i--", "i += 3", "i -= 2", "i += 7", "i = i + c", "i += 0"]);
    let bound = r.below(40_000) as i64 - 10_000;
    let test = r.of(&["<", "<=", ">", ">=", "!=", "=="]);
    let limit = r.below(60_000);
    let _ = writeln!(text, "  for (long n = 0; n < {limit}; n++) {{\n    if (!(i {test} {bound})) break;");
    for _ in 0..1 + r.below(3) {
        let what = r.of(&[
            "a++;",
            "b -= 3;",
            "a += 2 * 5;",
            "b = a;",
            "a = b + 1;",
            "{ int t = i; c = t; }",
            "if (a > 500) b++;",
            "if (i & 1) a++;",
            "a = -a;",
            "b = a * 2;",
            "c = 7;",
            "if (b != 99) a--; else break;",
            "if (n == 777) c++;",
            "a += i;",
            "b = (unsigned char)n;",
            "c = a == b;",
        ]);
        let _ = writeln!(text, "    {what}");
    }
    let _ = writeln!(text, "    {step};\n  }}");
    text.push_str("  printf(\"%ld %ld %ld %ld\\n\", (long)i, (long)a, (long)b, (long)c);\n  return 0;\n}\n");
    text
}

#[test]
fn random_loops_come_to_the_same() {
    let mut r = Random(7);
    let (mut shorter, mut ended) = (0, 0);
    for _ in 0..400 {
        let text = program(&mut r);
        let (slow, fast) = runs(&text);
        let about = |run: &RunResult| match &run.outcome {
            Outcome::Error(e) => format!("{} {:?}", e.kind.name(), e.span),
            other => format!("{other:?}"),
        };
        assert_eq!(about(&slow), about(&fast), "{text}");
        assert_eq!(slow.stdout, fast.stdout, "{text}");
        assert!(fast.stats.steps <= slow.stats.steps, "{text}");
        shorter += usize::from(fast.stats.steps * 2 < slow.stats.steps);
        ended += usize::from(matches!(slow.outcome, Outcome::Exit(0)));
    }
    assert!(shorter > 60 && ended > 200, "{shorter} of 400 are shorter, {ended} end");
}

#[test]
fn what_lies_behind_long_loops_is_reached() {
    for (text, code) in [
        (
            "int main(void) { unsigned i = 0; while (i != 0xfffffff0u) i++; return i == 0xfffffff0u ? 3 : 4; }",
            3,
        ),
        (
            "int main(void) { unsigned long s = 1; for (unsigned long i = 0; i < 5000000000ul; i++) s += 2; return s == 10000000001ul ? 3 : 4; }",
            3,
        ),
        ("int main(void) { unsigned i = 5; do i += 2; while (i > 4); return i == 1 ? 3 : i; }", 3),
        (
            "int main(void) { long i = 3000000000; int odd = 0; while (i-- > 0) { if (odd) return 9; } return i == -1 ? 3 : 4; }",
            3,
        ),
        (
            "int main(void) { unsigned n = 0; for (int k = 0; k < 40; k++) for (unsigned i = 0; i < 100000000u; i++) n++; return n == 4000000000u ? 3 : 4; }",
            3,
        ),
    ] {
        let unit = SourceUnit { name: "a.c".into(), text: text.into() };
        let (program, _) = heapwise_frontend::compile(&[unit], DataModel::Lp64);
        let limits = Limits { steps: 3_000_000, ..Limits::default() };
        let options = Options { limits, ..Options::default() };
        assert_eq!(
            run(&program, &options, &mut RandomInputs::new(1), None).outcome,
            Outcome::Exit(code),
            "{text}"
        );
    }
}
