//! The normal form of a state: symbols numbered by a fixed walk from the roots.
//!
//! Two states that differ only in the names of their symbols have equal normal forms, so equality and hashing are
//! cheap and stable; the table of function summaries is keyed by it. Symbols that no root reaches keep their
//! relative order, so for them the form is only a good guess, which costs precision of the key and never
//! soundness. Cost: O(n log n) in the size of the state.

use crate::state::{State, Summary};
use crate::value::{Base, Sym, Val};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

impl State {
    /// The normal form, and the way from old symbols to new ones.
    pub fn canonical(&self) -> (State, BTreeMap<Sym, Sym>) {
        let mut map: BTreeMap<Sym, Sym> = BTreeMap::new();
        let mut queue: VecDeque<Sym> = VecDeque::new();
        let visit = |v: Val, map: &mut BTreeMap<Sym, Sym>, queue: &mut VecDeque<Sym>| {
            if let Some(s) = v.as_sym()
                && !map.contains_key(&s)
            {
                map.insert(s, Sym(map.len() as u32));
                queue.push_back(s);
            }
        };
        for v in self.roots.values() {
            visit(*v, &mut map, &mut queue);
        }
        let mut rooted: FxHashMap<Sym, Vec<&Summary>> = FxHashMap::default();
        for t in &self.summaries {
            if let Some(s) = t.root.as_sym() {
                rooted.entry(s).or_default().push(t);
            }
        }
        // What no root reaches is visited in this order; what is visited stays so.
        let mut objects = self.objects.keys().copied();
        let mut summaries = self.summaries.iter().flat_map(Summary::values);
        loop {
            while let Some(s) = queue.pop_front() {
                if let Some(o) = self.objects.get(&s) {
                    for v in o.values() {
                        visit(v, &mut map, &mut queue);
                    }
                }
                if let Some(def) = self.pure.definition(s) {
                    for (t, _) in def.terms() {
                        visit(Val::sym(*t), &mut map, &mut queue);
                    }
                }
                let mut here = rooted.remove(&s).unwrap_or_default();
                here.sort_by_key(|t| (t.pred, t.end.is_some()));
                for t in here {
                    for v in t.values() {
                        visit(v, &mut map, &mut queue);
                    }
                }
            }
            // What no root reaches, one at a time.
            let unseen = |v: &Val| v.as_sym().is_some_and(|s| !map.contains_key(&s));
            let rest =
                objects.by_ref().map(Val::sym).find(unseen).or_else(|| summaries.by_ref().find(unseen));
            match rest {
                Some(v) => visit(v, &mut map, &mut queue),
                None => break,
            }
        }
        for s in self.pure.carriers(|s| map.contains_key(&s)) {
            let next = Sym(map.len() as u32);
            map.insert(s, next);
        }
        let mut pruned = self.clone();
        pruned.dead.retain(|s, _| map.contains_key(s));
        pruned.forget_stale_places(|s| map.contains_key(&s));
        // Regions have no other names than those of their summaries.
        let mut regions: Vec<(_, Sym)> = Vec::new();
        for t in &pruned.summaries {
            let end = t.end.as_ref().and_then(|(e, _)| map.get(&e.as_sym()?).copied());
            let root = t.root.as_sym().and_then(|s| map.get(&s).copied());
            regions.extend(t.region.map(|r| ((root, t.pred, end), r)));
        }
        regions.sort();
        for (_, region) in regions {
            let next = Sym(map.len() as u32);
            map.insert(region, next);
        }
        pruned.pure.retain(|s| map.contains_key(&s));
        (pruned.renamed(&|s| map.get(&s).copied().unwrap_or(s), map.len() as u32), map)
    }

    /// The same state about other symbols; `rename` must be injective, `next` larger than all its values.
    pub fn renamed(&self, rename: &impl Fn(Sym) -> Sym, next: u32) -> State {
        let value = |v: Val| match v.base {
            Base::Sym(s) => Val { base: Base::Sym(rename(s)), off: v.off },
            _ => v,
        };
        let mut state = State::default();
        state.reserve_symbols(next);
        state.roots = self.roots.iter().map(|(r, v)| (*r, value(*v))).collect();
        for (s, o) in &self.objects {
            let mut o = (**o).clone();
            o.values_mut().for_each(|v| *v = value(*v));
            state.objects.insert(rename(*s), Arc::new(o));
        }
        state.summaries = self
            .summaries
            .iter()
            .map(|t| Summary {
                pred: t.pred,
                root: value(t.root),
                args: t.args.iter().map(|v| value(*v)).collect(),
                end: t.end.as_ref().map(|(r, a)| (value(*r), a.iter().map(|v| value(*v)).collect())),
                region: t.region.map(rename),
            })
            .collect();
        state
            .summaries
            .sort_by(|a, b| (a.root, a.pred, &a.args, &a.end).cmp(&(b.root, b.pred, &b.args, &b.end)));
        state.pure = self.pure.renamed(rename);
        state.points_to = self.renamed_places(rename);
        state.dead = self.dead.iter().map(|(s, d)| (rename(*s), *d)).collect();
        state
    }
}
