//! States as text: one line for the environment, one per piece of memory, one for the pure facts.
//!
//! For people and for snapshots: stable for a state in normal form.

use crate::numbers::linear::Linear;
use crate::pred::PredTable;
use crate::state::{Root, State, Summary};
use crate::value::Val;
use heapwise_numeric::Interval;
use std::fmt::Write;

impl State {
    /// The state as text; `root` names the roots.
    pub fn describe(&self, preds: &PredTable, root: &dyn Fn(Root) -> String) -> String {
        let mut text = String::new();
        let names: Vec<String> = self.roots.iter().map(|(r, v)| format!("{} = {v:?}", root(*r))).collect();
        let _ = writeln!(text, "{}", names.join(", "));
        for (s, o) in &self.objects {
            let mut cells: Vec<String> = o.cells().map(|(off, c)| format!("+{off}: {:?}", c.val)).collect();
            cells.extend(o.floating().iter().map(|f| format!("+[{:?}]: {:?}", f.off, f.val)));
            cells.extend(o.prefix().map(|p| format!("initialised below {p:?}")));
            let _ = writeln!(text, "  {s:?} ↦ {:?}[{:?}] {{ {} }}", o.kind, o.size, cells.join(", "));
        }
        for s in &self.summaries {
            let region = s.region.map_or(String::new(), |r| format!(" at {r:?}"));
            let _ = writeln!(text, "  {}{region}", s.describe(preds));
        }
        let mut facts: Vec<String> =
            self.pure.intervals().map(|(s, r)| format!("{s:?} ∈ {}", range(r))).collect();
        facts.extend(self.pure.disequalities().map(|(a, b)| format!("{a:?} ≠ {b:?}")));
        facts.extend(self.pure.orderings().map(|(a, b)| format!("{a:?} ≤ {b:?}")));
        facts.extend(self.pure.refinement().map(|e| format!("{e:?}")));
        facts.extend(self.pure.definitions().map(|(s, d)| format!("{s:?} = {}", sum(d))));
        facts.extend(self.points_to.iter().map(|(s, at)| {
            let null = at.null.then(|| "null".to_owned());
            let places: Vec<String> =
                null.into_iter().chain(at.places.iter().map(|p| format!("{p:?}"))).collect();
            format!("{s:?} ∈ {{{}}}", places.join(", "))
        }));
        facts.extend(self.dead.keys().map(|s| format!("{s:?} dangles")));
        if !facts.is_empty() {
            let _ = writeln!(text, "  where {}", facts.join(", "));
        }
        text
    }
}

fn sum(form: &Linear) -> String {
    let mut text = form.constant.to_string();
    for (s, k) in form.terms() {
        let _ = write!(text, " {} {}·{s:?}", if *k < 0 { '-' } else { '+' }, k.unsigned_abs());
    }
    text
}

fn range(r: Interval) -> String {
    let end = |e: Option<i128>| e.map_or("∞".to_owned(), |n| n.to_string());
    format!("[{}, {}]", end(r.lo), end(r.hi))
}

impl Summary {
    /// The summary as text, e.g. `list(s1, s2) ⇒ (s3, s4)`.
    pub fn describe(&self, preds: &PredTable) -> String {
        let list = |first: Val, rest: &[Val]| {
            let value = |v: Val| if v.is_undef() { "_".to_owned() } else { format!("{v:?}") };
            let all: Vec<String> = std::iter::once(first).chain(rest.iter().copied()).map(value).collect();
            all.join(", ")
        };
        let name = &preds.get(self.pred).name;
        let front = format!("{name}({})", list(self.root, &self.args));
        match &self.end {
            None => front,
            Some((end, args)) => format!("{front} ⇒ ({})", list(*end, args)),
        }
    }
}
