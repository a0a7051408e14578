//! The same operation 1, 4, 16, 64 and 128 times in sequence: what a call costs must not depend on how many there are.
//!
//! The programs are made here. Each operation comes twice: as calls of a function, which the table of summaries can
//! answer, and written out, so that the function grows.

use crate::measure::{analysed, judged};
use heapwise_engine::Options;
use heapwise_frontend::SourceUnit;
use heapwise_ir::{DataModel, Severity};
use std::fmt::Write as _;
use std::time::Duration;

/// How many operations a sequence has.
const LENGTHS: [usize; 5] = [1, 4, 16, 64, 128];
/// Seconds for each sequence.
const TIMEOUT: u64 = 10;

/// What all programs start with.
const COMMON: &str = "
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int data; };
";

/// An operation on the list `l`: its name, what a program does before and after the sequence, and its text, which uses
/// no names but `l`, `p`, `q` and `r`.
struct Operation {
    name: &'static str,
    before: &'static str,
    text: &'static str,
    after: &'static str,
}

const BUILD: &str =
    "while (__VERIFIER_nondet_int()) { p = malloc(sizeof *p); p->data = 0; p->next = l; l = p; }";
const DESTROY: &str = "while (l) { p = l->next; free(l); l = p; }";

const OPERATIONS: [Operation; 6] = [
    Operation {
        name: "build and free",
        before: "",
        text: "while (__VERIFIER_nondet_int()) { p = malloc(sizeof *p); p->data = 0; p->next = l; l = p; }
               while (l) { p = l->next; free(l); l = p; }",
        after: "",
    },
    Operation {
        name: "insert in front",
        before: BUILD,
        text: "p = malloc(sizeof *p); p->data = 1; p->next = l; l = p;",
        after: DESTROY,
    },
    Operation {
        name: "walk",
        before: BUILD,
        text: "p = l; while (p) { p->data++; p = p->next; }",
        after: DESTROY,
    },
    Operation {
        name: "reverse",
        before: BUILD,
        text: "r = 0; while (l) { p = l->next; l->next = r; r = l; l = p; } l = r;",
        after: DESTROY,
    },
    Operation {
        name: "remove one",
        before: BUILD,
        text: "q = 0; p = l; while (p && __VERIFIER_nondet_int()) { q = p; p = p->next; }
               if (p) { if (q) q->next = p->next; else l = p->next; free(p); }",
        after: DESTROY,
    },
    Operation {
        name: "insert sorted",
        before: BUILD,
        text: "r = malloc(sizeof *r); r->data = __VERIFIER_nondet_int();
               q = 0; p = l; while (p && p->data < r->data) { q = p; p = p->next; }
               r->next = p; if (q) q->next = r; else l = r;",
        after: DESTROY,
    },
];

/// One operation, called or written out, at all lengths.
pub struct Row {
    operation: &'static str,
    called: bool,
    /// Verdict and milliseconds by length.
    cells: Vec<(&'static str, f64)>,
}

impl Operation {
    fn program(&self, times: usize, called: bool) -> String {
        let locals = "struct node *p = 0, *q = 0, *r = 0;";
        let (function, step) = if called {
            let head = "static struct node *operation(struct node *l)";
            (format!("{head} {{ {locals} {} return l; }}\n", self.text), "l = operation(l);")
        } else {
            (String::new(), self.text)
        };
        let body = format!("{step}\n").repeat(times);
        format!(
            "{COMMON}{function}int main(void) {{ struct node *l = 0; {locals} {}\n{body}{}\nreturn 0; }}\n",
            self.before, self.after
        )
    }
}

/// Measures all sequences.
pub fn rows(runs: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    for operation in &OPERATIONS {
        for called in [true, false] {
            let cells = LENGTHS.iter().map(|times| cell(operation, *times, called, runs)).collect();
            rows.push(Row { operation: operation.name, called, cells });
        }
    }
    rows
}

fn cell(operation: &Operation, times: usize, called: bool, runs: usize) -> (&'static str, f64) {
    let unit = SourceUnit { name: "sequence.c".into(), text: operation.program(times, called).into() };
    let (program, diagnostics) = heapwise_frontend::compile_here(&[unit], DataModel::Lp64);
    if diagnostics.iter().any(|d| d.severity >= Severity::Error) {
        return ("not C", 0.0);
    }
    let settings = Options { timeout: Some(Duration::from_secs(TIMEOUT)), ..Options::default() };
    let mut best: Option<(&'static str, f64)> = None;
    for _ in 0..runs.max(1) {
        let measured = analysed(&program, &settings);
        let time = measured.time.as_secs_f64() * 1e3;
        if best.is_none_or(|(_, b)| time < b) {
            best = Some((judged(&measured.verdict).0, time));
        }
        if measured.time > super::LONG {
            break;
        }
    }
    best.unwrap_or(("unknown", 0.0))
}

impl Row {
    /// Milliseconds a call at the largest length, against a length that drowns what happens before and after.
    fn ratio(&self) -> Option<f64> {
        let time = |length: usize| {
            let at = LENGTHS.iter().position(|l| *l == length)?;
            self.cells.get(at).map(|(_, t)| *t)
        };
        let (first, middle, last) = (time(1)?, time(16)?, time(128)?);
        // What one more call costs, late and early.
        let (late, early) = ((last - middle) / 112.0, (middle - first) / 15.0);
        (early > 0.0).then(|| late / early)
    }
}

/// The table.
pub fn text(rows: &[Row]) -> String {
    let mut out = String::from(
        "\nThe same operation several times in sequence, milliseconds. The last column says what one more operation costs \
         between 16 and 128 of them, compared with between 1 and 16: 1 means that cost is linear in the number of \
         operations.\n\n| operation | |",
    );
    for length in LENGTHS {
        let _ = write!(out, " {length} |");
    }
    out.push_str(" late : early |\n|---|---|");
    LENGTHS.iter().for_each(|_| out.push_str("---|"));
    out.push_str("---|\n");
    for row in rows {
        let _ = write!(out, "| {} | {} |", row.operation, if row.called { "called" } else { "written out" });
        for (verdict, time) in &row.cells {
            let mark = if *verdict == "proved" { "" } else { " (not proved)" };
            let _ = write!(out, " {time:.1}{mark} |");
        }
        let _ = writeln!(out, " {} |", row.ratio().map_or("-".into(), |r| format!("{r:.2}")));
    }
    out
}

/// The same for programs.
pub fn json(rows: &[Row]) -> serde_json::Value {
    let cells = |row: &Row| -> Vec<serde_json::Value> {
        let each = LENGTHS.iter().zip(&row.cells);
        each.map(|(l, (v, t))| serde_json::json!({ "operations": l, "verdict": v, "milliseconds": t }))
            .collect()
    };
    rows.iter()
        .map(|r| {
            serde_json::json!({
                "operation": r.operation, "called": r.called, "lengths": cells(r), "late_to_early": r.ratio(),
            })
        })
        .collect()
}
