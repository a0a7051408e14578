//! The tables of `clumping`: for the terminal, and as a section of the page of measurements.

use super::{CALLS, Cell, Variant};
use heapwise_cli::options::StrategyName;
use std::fmt::Write as _;

/// The heading of the section.
pub const HEADING: &str = "## Operations on linked structures";

/// Everything that was measured.
pub fn tables(cells: &[Cell]) -> String {
    let mut out = String::new();
    for strategy in StrategyName::ALL {
        for variant in [Variant::Closed, Variant::Declared, Variant::Leaks, Variant::Sequence] {
            table(&mut out, cells, variant, strategy);
        }
    }
    out
}

fn table(out: &mut String, cells: &[Cell], variant: Variant, strategy: StrategyName) {
    let own: Vec<&Cell> = cells.iter().filter(|c| c.variant == variant && c.strategy == strategy).collect();
    if own.is_empty() {
        return;
    }
    let title = format!("{} {}", variant.name(), strategy.strategy().name());
    let _ = writeln!(
        out,
        "{title:<20} {:<10} {:>5} {:>9} {:>4} {:>4} {:>4} {:>7} {:>6} {:>9}  reason",
        "verdict", "calls", "seconds", "fix", "max", "post", "clump %", "join %", "imprecise"
    );
    for c in &own {
        let s = &c.statistics;
        let _ = writeln!(
            out,
            "{:<20} {:<10} {:>5} {:>9.4} {:>4} {:>4} {:>4} {:>7.1} {:>6.1} {:>9}  {}",
            c.benchmark,
            c.verdict,
            c.calls,
            c.seconds,
            s.head_disjuncts,
            s.max_disjuncts,
            s.exit_disjuncts,
            share(c, s.clump_time),
            share(c, s.join_time),
            s.lossy_joins,
            c.reason.unwrap_or("")
        );
    }
    let (count, seconds) = proved(&own);
    let _ = writeln!(out, "proved {count} of {}, {seconds:.3} s together\n", own.len());
}

fn proved(cells: &[&Cell]) -> (usize, f64) {
    cells.iter().filter(|c| c.proved()).fold((0, 0.0), |(n, s), c| (n + 1, s + c.seconds))
}

/// A part of the time of an analysis, in percent.
fn share(c: &Cell, part: std::time::Duration) -> f64 {
    100.0 * part.as_secs_f64() / c.statistics.time.as_secs_f64().max(1e-9)
}

/// What the strategies are and where they differ from the paper's.
const EXPLANATION: &str = "\
Strategies: `clumpg` puts disjuncts together whose silhouettes are associated, `canong` those with equal silhouettes, \
`none` all of them; `clump` and `canon` are the first two without new segments between cursors. Strategies with \
silhouettes are eager at first: loops are not unrolled but for a first iteration where that leaves fewer disjuncts, and \
only the places of cursors keep disjuncts apart; where that fails they are as patient as the others. `any`, the default, \
begins like `clumpg` where predicates are declared, and goes on to try all pairs. Unlike the join of the paper, ours refuses pairs that have no common description instead of \
forgetting one side. Silhouettes are also asked before inclusion, by the strategies that compute them. Fix, max and \
post: most disjuncts at a stable loop head, at any point, and at the exit as far as the postcondition speaks of it.\n\n";

/// The section of the page.
pub fn section(cells: &[Cell], strategies: &[StrategyName]) -> String {
    let mut out = format!(
        "{HEADING}\n\nMade by `cargo xtask bench clumping`; seconds of the analysis alone, on one core.\n\n"
    );
    out.push_str(EXPLANATION);
    declared(&mut out, cells, strategies);
    closed(&mut out, cells);
    sequences(&mut out, cells);
    out
}

fn of(cells: &[Cell], variant: Variant, strategy: StrategyName) -> impl Iterator<Item = &Cell> {
    cells.iter().filter(move |c| c.variant == variant && c.strategy == strategy)
}

fn outcome(c: &Cell) -> String {
    if c.proved() { format!("{:.3}", c.seconds) } else { format!("– {}", c.reason.unwrap_or(c.verdict)) }
}

fn disjuncts(c: &Cell) -> String {
    let s = &c.statistics;
    format!("{} / {} / {}", s.head_disjuncts, s.max_disjuncts, s.exit_disjuncts)
}

fn declared(out: &mut String, cells: &[Cell], strategies: &[StrategyName]) {
    let Some(first) = strategies.first().copied() else { return };
    let names: Vec<&str> = strategies.iter().map(|s| s.strategy().name()).collect();
    let counted: Vec<StrategyName> = strategies.iter().copied().take(2).collect();
    let counts: Vec<String> =
        counted.iter().map(|s| format!("fix / max / post, {}", s.strategy().name())).collect();
    let leaks = format!("{}, leaks too", first.strategy().name());
    let columns: Vec<String> = names.iter().map(|n| (*n).to_owned()).chain(counts).chain([leaks]).collect();
    let _ = writeln!(
        out,
        "Functions with a contract over declared predicates: memory safety and the postcondition, as in the paper, which \
         does not look for leaks; in one column blocks that are lost count as well:\n"
    );
    let _ = writeln!(out, "| operation | {} | imprecise joins |", columns.join(" | "));
    let _ = writeln!(out, "|---|{}---|", "---|".repeat(columns.len()));
    for c in of(cells, Variant::Declared, first) {
        let at = |s: StrategyName| of(cells, Variant::Declared, s).find(|d| d.benchmark == c.benchmark);
        let times = strategies.iter().map(|s| at(*s).map_or(String::new(), outcome));
        let counts = counted.iter().map(|s| at(*s).map_or(String::new(), disjuncts));
        let lost = of(cells, Variant::Leaks, first).find(|d| d.benchmark == c.benchmark);
        let all: Vec<String> = times.chain(counts).chain([lost.map_or(String::new(), outcome)]).collect();
        let _ = writeln!(out, "| {} | {} | {} |", c.benchmark, all.join(" | "), c.statistics.lossy_joins);
    }
    let sums: Vec<String> = strategies
        .iter()
        .map(|s| {
            let own: Vec<&Cell> = of(cells, Variant::Declared, *s).collect();
            let (count, seconds) = proved(&own);
            format!("**{count}** of {}, {seconds:.2} s", own.len())
        })
        .collect();
    let lost: Vec<&Cell> = of(cells, Variant::Leaks, first).collect();
    let (count, seconds) = proved(&lost);
    let blank = "| ".repeat(counted.len());
    let _ = writeln!(
        out,
        "| proved | {} {blank}| **{count}** of {}, {seconds:.2} s | |\n",
        sums.join(" | "),
        lost.len()
    );
}

fn closed(out: &mut String, cells: &[Cell]) {
    let own: Vec<&Cell> = cells.iter().filter(|c| c.variant == Variant::Closed).collect();
    let (count, seconds) = proved(&own);
    let _ = writeln!(
        out,
        "Closed programs without annotations (proved {count} of {}, {seconds:.2} s together):\n\n\
         | operation | seconds | fix / max / post | clumping, join % | imprecise joins |\n|---|---|---|---|---|",
        own.len()
    );
    for c in own {
        let s = &c.statistics;
        let _ = writeln!(
            out,
            "| {} | {} | {} | {:.1}, {:.1} | {} |",
            c.benchmark,
            outcome(c),
            disjuncts(c),
            share(c, s.clump_time),
            share(c, s.join_time),
            s.lossy_joins
        );
    }
}

fn sequences(out: &mut String, cells: &[Cell]) {
    let own: Vec<&Cell> = cells.iter().filter(|c| c.variant == Variant::Sequence).collect();
    if own.is_empty() {
        return;
    }
    let heads: Vec<String> = CALLS.iter().map(|n| format!("{n} calls")).collect();
    let _ = writeln!(
        out,
        "\nThe same operation called in sequence, with a contract; seconds, and at the exit the number of disjuncts. The \
         last column is what a call costs in the longest sequence, compared with the shortest:\n\n\
         | operation | {} | post | ratio |\n|---|{}---|---|",
        heads.join(" | "),
        "---|".repeat(CALLS.len())
    );
    for first in own.iter().filter(|c| c.calls == CALLS[0]) {
        let same: Vec<&&Cell> = own.iter().filter(|c| c.benchmark == first.benchmark).collect();
        let Some(last) = same.last() else { continue };
        let ratio = last.seconds / f64::from(last.calls) / first.seconds.max(1e-9);
        let times: Vec<String> = same.iter().map(|c| outcome(c)).collect();
        let _ = writeln!(
            out,
            "| {} | {} | {} | {ratio:.2} |",
            first.benchmark,
            times.join(" | "),
            last.statistics.exit_disjuncts
        );
    }
}
