//! `octagons`: what closing a matrix costs, and one more constraint in a closed one.
//!
//! All variables are related: `xᵢ + 1 ≤ xᵢ₊₁`, bounds at both ends, so that every entry is finite. A widening leaves a matrix
//! that has to be closed as a whole; one more constraint is added to a closed one.

use crate::options::Options;
use heapwise_cli::exit::Exit;
use heapwise_cli::options::Format;
use heapwise_cli::output;
use heapwise_numeric::{Constraint, Dim, LinearExpr, NumericDomain, Octagon, Relation};
use serde_json::json;
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Instant;

/// Microseconds for so many variables.
struct Row {
    variables: usize,
    closing: f64,
    adding: f64,
}

/// Measures and prints.
pub fn run(options: &Options) -> Exit {
    let sizes: &[usize] = if options.sizes.is_empty() { &[25, 50, 100] } else { &options.sizes };
    let rows: Vec<Row> = sizes.iter().map(|n| row(*n, options.runs)).collect();
    let mut out = String::new();
    match options.format {
        Format::Json => {
            let row =
                |r: &Row| json!({ "variables": r.variables, "closing_us": r.closing, "adding_us": r.adding });
            let _ = writeln!(out, "{}", json!({ "rows": rows.iter().map(row).collect::<Vec<_>>() }));
        }
        Format::Text => {
            let _ = writeln!(out, "{:>9} {:>11} {:>16}", "variables", "closing ms", "a constraint us");
            for r in &rows {
                let _ = writeln!(out, "{:>9} {:>11.3} {:>16.1}", r.variables, r.closing / 1e3, r.adding);
            }
        }
    }
    output::print(&out);
    Exit::Proved
}

/// `a - b + c ≤ 0`
fn below(a: usize, b: usize, c: i128) -> Constraint {
    let expr = LinearExpr::difference(Dim(a as u32), Dim(b as u32));
    Constraint { expr: expr.plus_constant(c).unwrap_or_default(), relation: Relation::AtMostZero }
}

/// Fastest of some runs, in microseconds.
fn fastest(runs: usize, mut work: impl FnMut()) -> f64 {
    let times = (0..runs.max(1) * 20).map(|_| {
        let started = Instant::now();
        work();
        started.elapsed().as_secs_f64() * 1e6
    });
    times.fold(f64::INFINITY, f64::min)
}

fn row(variables: usize, runs: usize) -> Row {
    let mut closed = Octagon::top();
    for (d, c) in [(0, 0), (variables.saturating_sub(1), 1_000_000)] {
        let x = LinearExpr::var(Dim(d as u32));
        let ends =
            [Constraint::le(&LinearExpr::constant(0), &x), Constraint::le(&x, &LinearExpr::constant(c + 9))];
        ends.iter().flatten().for_each(|c| closed.assume(c));
    }
    for i in 1..variables {
        closed.assume(&below(i - 1, i, 1));
    }
    // A widening whose second operand moved one bound.
    let mut moved = closed.clone();
    moved.forget(Dim((variables / 2) as u32));
    let relaxed = closed.widen(&closed.join(&moved), &[]);
    let closing = fastest(runs, || {
        black_box(black_box(&relaxed).is_bottom());
    });
    let adding = (0..runs.max(1) * 20).map(|_| {
        let mut element = closed.clone();
        let constraint = below(variables / 3, 2 * variables / 3, variables as i128);
        let started = Instant::now();
        element.assume(black_box(&constraint));
        let time = started.elapsed().as_secs_f64() * 1e6;
        black_box(element);
        time
    });
    Row { variables, closing, adding: adding.fold(f64::INFINITY, f64::min) }
}
