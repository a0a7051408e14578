//! Values of a state in words: how one comes to them, and what is there.
//!
//! For people who ask why two states were not joined, or why one is not included in the other. A value is named by the shortest
//! way from a variable, such as `head->next`, and described by what its memory is: an object with its cells, a structure, or
//! nothing that is known. Cost: one walk over the objects for each value that is named.

use super::{Root, State};
use crate::object::Object;
use crate::pred::PredTable;
use crate::value::{Base, Sym, Val};
use heapwise_ir::RecordId;
use heapwise_numeric::Interval;
use std::collections::{BTreeSet, VecDeque};

/// What variables and members are called.
pub trait Names {
    /// A name of the environment.
    fn root(&self, root: Root) -> String;

    /// The member of a record, or of an object that is known as none, that starts at an offset.
    fn field(&self, record: Option<RecordId>, off: u64) -> String;
}

/// Names without a program: numbers.
#[derive(Clone, Copy, Debug)]
pub struct Numbered;

impl Names for Numbered {
    fn root(&self, root: Root) -> String {
        match root {
            Root::Local(l) => format!("v{}", l.0),
            Root::Slot(l) => format!("s{}", l.0),
            Root::Global(g) => format!("g{}", g.0),
            Root::Result => "result".into(),
            Root::Cut(n) => format!("cutpoint {n}"),
            Root::AtExit(n) => format!("at exit {n}"),
            Root::Model(n) => format!("argument {n}"),
            Root::Kept(n) => format!("kept {n}"),
        }
    }

    fn field(&self, _: Option<RecordId>, off: u64) -> String {
        format!("[{off}]")
    }
}

/// A symbol that was come to: how, and whether that names the object there rather than a pointer to it.
struct Come {
    to: Sym,
    by: String,
    is_place: bool,
}

impl State {
    /// The shortest way from a name to a value, or to the object that it points into.
    pub fn way_to(&self, v: Val, names: &dyn Names) -> Option<String> {
        if v.as_sym().is_none() {
            let root = self.roots.iter().find(|(_, w)| **w == v);
            return root.map(|(r, _)| names.root(*r));
        }
        let target = v.as_sym()?;
        let mut seen = BTreeSet::new();
        let start = |(r, v): (&Root, &Val)| {
            let is_place = matches!(r, Root::Slot(_) | Root::Global(_));
            Some(Come { to: v.as_sym()?, by: names.root(*r), is_place })
        };
        let mut todo: VecDeque<Come> = self.roots.iter().filter_map(start).collect();
        while let Some(Come { to, by, is_place }) = todo.pop_front() {
            if to == target {
                return Some(if is_place { format!("&{by}") } else { by });
            }
            if !seen.insert(to) {
                continue;
            }
            if let Some(o) = self.objects.get(&to) {
                for (off, cell) in o.cells() {
                    let Some(next) = cell.val.as_sym() else { continue };
                    // A variable that is one scalar is named as such.
                    let scalar = is_place && o.record.is_none() && o.const_size() == Some(cell.width);
                    let by = match is_place {
                        _ if scalar => by.clone(),
                        true => format!("{by}.{}", names.field(o.record, off)),
                        false => format!("{by}->{}", names.field(o.record, off)),
                    };
                    todo.push_back(Come { to: next, by, is_place: false });
                }
            }
            for end in
                self.summaries.iter().filter(|s| s.root.as_sym() == Some(to)).filter_map(|s| s.end.as_ref())
            {
                if let Some(next) = end.0.as_sym() {
                    todo.push_back(Come { to: next, by: format!("what follows {by}"), is_place: false });
                }
                let last = end.1.iter().filter_map(|v| v.as_sym());
                todo.extend(last.map(|next| Come {
                    to: next,
                    by: format!("the end of {by}"),
                    is_place: false,
                }));
            }
        }
        None
    }

    /// What a value is in this state.
    pub fn what_is(&self, v: Val, preds: &PredTable, names: &dyn Names) -> String {
        match v.base {
            Base::Undef => "not initialised".into(),
            Base::Zero => v.off.to_string(),
            Base::Func(_) => "a function".into(),
            Base::Sym(s) => {
                let inner = if v.off == 0 { String::new() } else { format!("byte {} of ", v.off) };
                inner + &self.what_is_at(s, preds, names)
            }
        }
    }

    fn what_is_at(&self, s: Sym, preds: &PredTable, names: &dyn Names) -> String {
        if let Some(o) = self.objects.get(&s) {
            return self.object_in_words(o, names);
        }
        if let Some(t) = self.summaries.iter().find(|t| t.root.as_sym() == Some(s)) {
            let name = &preds.get(t.pred).name;
            let some = if self.is_nonempty(t, preds) { "" } else { "possibly empty " };
            return match t.end {
                None => format!("a {some}structure `{name}`"),
                Some(_) => format!("a {some}segment of `{name}`"),
            };
        }
        let ends = |t: &&super::Summary| {
            t.end.as_ref().is_some_and(|(_, args)| args.iter().any(|a| a.as_sym() == Some(s)))
        };
        if let Some(t) = self.summaries.iter().find(ends) {
            return format!("the end of a segment of `{}`", preds.get(t.pred).name);
        }
        if self.dead.contains_key(&s) {
            return "the address of memory that is gone".into();
        }
        match self.pure.range(Val::sym(s)) {
            Interval::FULL => "some value".into(),
            Interval { lo, hi } => {
                let end = |e: Option<i128>| e.map_or("…".to_owned(), |n| n.to_string());
                format!("a number from {} to {}", end(lo), end(hi))
            }
        }
    }

    fn object_in_words(&self, o: &Object, names: &dyn Names) -> String {
        let held = |v: Val| match v.base {
            Base::Zero => v.off.to_string(),
            Base::Undef => "?".into(),
            Base::Func(_) => "a function".into(),
            Base::Sym(_) => self.way_to(v, names).unwrap_or_else(|| "_".into()),
        };
        let cells = o.cells().take(MOST_CELLS);
        let mut cells: Vec<String> =
            cells.map(|(off, c)| format!("{}: {}", names.field(o.record, off), held(c.val))).collect();
        if o.cells().nth(MOST_CELLS).is_some() {
            cells.push("…".into());
        }
        let size = o.const_size().map_or("an object".to_owned(), |n| format!("an object of {n} bytes"));
        if cells.is_empty() { size } else { format!("{size} {{ {} }}", cells.join(", ")) }
    }
}

/// Most cells of an object that are told.
const MOST_CELLS: usize = 6;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::{Fill, ObjectKind};
    use heapwise_ir::{LocalId, Span};

    #[test]
    fn values_are_named_by_the_way_to_them() {
        let mut state = State::default();
        let node = || Object::new(ObjectKind::Heap, Val::int(16), Fill::Uninit, Span::default());
        let second = state.add_object(node());
        let mut first = node();
        first.write(0, 8, Val::sym(second));
        first.write(8, 8, Val::int(7));
        let first = state.add_object(first);
        state.set_root(Root::Local(LocalId(3)), Val::sym(first));
        let preds = PredTable::default();
        assert_eq!(state.way_to(Val::sym(first), &Numbered).as_deref(), Some("v3"));
        assert_eq!(state.way_to(Val::sym(second), &Numbered).as_deref(), Some("v3->[0]"));
        let words = state.what_is(Val::sym(first), &preds, &Numbered);
        assert_eq!(words, "an object of 16 bytes { [0]: v3->[0], [8]: 7 }");
        let nowhere = Val::sym(state.fresh());
        assert_eq!(state.way_to(nowhere, &Numbered), None);
        assert_eq!(state.what_is(nowhere, &preds, &Numbered), "some value");
    }
}
