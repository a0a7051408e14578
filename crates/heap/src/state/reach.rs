//! What is certainly reached in a state, and the memory that is lost because nothing leads to it.

use super::State;
use crate::object::{Object, ObjectKind};
use crate::pred::{PredId, PredTable};
use crate::symset::SymSet;
use crate::value::{Sym, Val};
use heapwise_ir::Span;

/// Memory that nothing points to any more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Lost {
    /// An object, allocated there.
    Object(Sym, Span),
    /// Possibly some objects of a summary.
    Summary(PredId),
}

impl State {
    /// Everything reachable: marks symbols whose object, or summary root, something points to.
    fn reachable(&self, preds: &PredTable) -> (SymSet, Vec<bool>) {
        let mut seen = SymSet::default();
        let mut todo: Vec<Sym> = self.roots.values().filter_map(|v| v.as_sym()).collect();
        let lasts = |o: &Object| o.kind != ObjectKind::Heap && !o.kind.is_foreign();
        todo.extend(self.objects.iter().filter(|(_, o)| lasts(o)).map(|(s, _)| *s));
        let mut summary_seen = vec![false; self.summaries.len()];
        loop {
            while let Some(s) = todo.pop() {
                if !seen.insert(s) {
                    continue;
                }
                if let Some(o) = self.objects.get(&s) {
                    todo.extend(o.cells().filter_map(|(_, c)| c.val.as_sym()));
                    todo.extend(o.floating().iter().filter_map(|f| f.val.as_sym()));
                }
                if self.pure.is_defined(Val::sym(s)) {
                    todo.extend(self.pointer(Val::sym(s)).map(|(base, _)| base));
                }
            }
            for (i, s) in self.summaries.iter().enumerate() {
                let is_seen = |v: Val| v.as_sym().is_some_and(|s| seen.contains(s));
                let from_front = is_seen(s.root);
                let pred = preds.get(s.pred);
                let from_back = s.end.as_ref().is_some_and(|(_, args)| {
                    args.iter()
                        .enumerate()
                        .any(|(k, a)| pred.back.arg(k).is_some() && pred.holds.arg(k) && is_seen(*a))
                });
                if !from_front && !from_back {
                    continue;
                }
                summary_seen[i] = true;
                let nonempty = self.is_nonempty(s, preds);
                let mut found: Vec<Val> = Vec::new();
                if let Some((end, args)) = &s.end {
                    // From the front: by the last link, or because both ends are the same.
                    if from_front || nonempty {
                        found.push(*end);
                    }
                    // An element holds the arguments; without one, those of both ends are equal.
                    for (k, (a, e)) in s.args.iter().zip(args).enumerate() {
                        let (held, passed) = (pred.holds.arg(k), pred.passes.arg(k));
                        if held && (nonempty || is_seen(*e)) {
                            found.push(*a);
                        }
                        if passed && (nonempty || is_seen(*a)) {
                            found.push(*e);
                        }
                    }
                } else if nonempty {
                    let args = s.args.iter().enumerate().filter(|(k, _)| pred.reaches.arg(*k));
                    found.extend(args.map(|(_, a)| *a));
                }
                if nonempty {
                    found.push(s.root);
                }
                todo.extend(found.into_iter().filter_map(Val::as_sym).filter(|t| !seen.contains(*t)));
            }
            if todo.is_empty() {
                return (seen, summary_seen);
            }
        }
    }

    /// Removes memory that nothing points to any more, and facts about symbols that no longer occur.
    /// Returns what was lost.
    pub fn collect(&mut self, preds: &PredTable) -> Vec<Lost> {
        let (seen, summary_seen) = self.reachable(preds);
        let mut lost = Vec::new();
        self.objects.retain(|s, o| {
            let keep = seen.contains(*s);
            if !keep && o.kind == ObjectKind::Heap {
                lost.push(Lost::Object(*s, o.site));
            }
            keep
        });
        let mut index = 0;
        self.summaries.retain(|s| {
            let keep = summary_seen[index];
            index += 1;
            if !keep {
                lost.push(Lost::Summary(s.pred));
            }
            keep
        });
        self.forget_unused();
        lost
    }

    /// Drops facts about symbols that no value mentions.
    pub fn forget_unused(&mut self) {
        let mut used = SymSet::default();
        self.objects.keys().for_each(|s| {
            used.insert(*s);
        });
        self.for_each_val(|v| {
            if let Some(s) = v.as_sym() {
                used.insert(s);
            }
        });
        let basis = self.pure.definitions().filter(|(s, _)| used.contains(*s));
        let basis: Vec<Sym> = basis.flat_map(|(_, d)| d.terms().iter().map(|(t, _)| *t)).collect();
        let carriers = |used: &SymSet| self.pure.carriers(|s| used.contains(s));
        for s in basis {
            used.insert(s);
        }
        for s in carriers(&used) {
            used.insert(s);
        }
        self.pure.retain(|s| used.contains(s));
        self.dead.retain(|s, _| used.contains(*s));
        self.forget_stale_places(|s| used.contains(s));
    }
}
