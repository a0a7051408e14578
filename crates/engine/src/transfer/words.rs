//! States in the words of the program: for notes, and for the reasons why disjuncts were not joined.

use crate::context::Context;
use crate::report::Apart;
use crate::shapes::claim::local_name;
use crate::transfer::place::Scope;
use heapwise_heap::lattice::explain::Words;
use heapwise_heap::lattice::join::Refusal;
use heapwise_heap::state::Names;
use heapwise_heap::{ObjectKind, Root, State};
use heapwise_ir::{Body, GlobalKind, Program, RecordId, Span};

/// The names that a function has for variables and members.
struct ProgramNames<'a> {
    program: &'a Program,
    body: &'a Body,
}

impl Names for ProgramNames<'_> {
    fn root(&self, root: Root) -> String {
        match root {
            Root::Local(l) => local_name(self.body, l).map_or(format!("{l:?}"), str::to_owned),
            Root::Slot(l) => local_name(self.body, l).unwrap_or("temporary").to_owned(),
            Root::Global(g) => self.program.globals.get(g).map_or("global", |g| &g.name).to_string(),
            Root::Result => "\\result".into(),
            Root::Cut(i) => {
                let p = self.body.params.get(i as usize).and_then(|p| local_name(self.body, *p));
                p.map_or(format!("caller {i}"), |p| format!("\\old({p})"))
            }
            Root::AtExit(i) => format!("at exit {i}"),
            Root::Model(i) => format!("model {i}"),
            Root::Kept(i) => format!("kept {i}"),
        }
    }

    fn field(&self, record: Option<RecordId>, off: u64) -> String {
        let record = record.and_then(|r| self.program.types.records.get(r));
        let field = record.and_then(|r| r.fields.iter().find(|f| f.offset == off));
        field.and_then(|f| f.name.as_deref()).map_or(format!("+{off}"), str::to_owned)
    }
}

impl Context<'_> {
    /// A state for a note.
    pub(crate) fn describe_state(&self, scope: Scope<'_>, state: &State) -> String {
        format!("the state is\n{}", self.in_words(scope, state))
    }

    fn in_words(&self, scope: Scope<'_>, state: &State) -> String {
        let names = ProgramNames { program: self.program, body: scope.body };
        // String literals and temporaries only distract.
        let mut shown = state.clone();
        shown.retain_roots(|r, _| match r {
            Root::Local(l) | Root::Slot(l) => local_name(scope.body, l).is_some(),
            Root::Global(g) => self.program.globals.get(g).is_some_and(|g| g.kind != GlobalKind::Literal),
            _ => true,
        });
        shown.retain_objects(|_, o| match o.kind {
            ObjectKind::Global(g) => {
                self.program.globals.get(g).is_some_and(|g| g.kind != GlobalKind::Literal)
            }
            _ => true,
        });
        let name = |root: Root| match root {
            Root::Slot(_) | Root::Global(_) => format!("&{}", names.root(root)),
            _ => names.root(root),
        };
        shown.canonical().0.describe(&self.preds, &name).trim_end().to_owned()
    }

    /// Keeps why two disjuncts stayed apart at a loop head, if that is asked for.
    pub(crate) fn explain_refusal(
        &mut self,
        scope: Scope<'_>,
        head: Span,
        [old, new]: [&State; 2],
        why: &Refusal,
    ) {
        let recorded = self.options.record_states || self.options.explain;
        if !recorded || self.rechecking {
            return;
        }
        let names = ProgramNames { program: self.program, body: scope.body };
        let reason = why.explain(old, new, Words { preds: &self.preds, names: &names });
        let states = [old.canonical().0, new.canonical().0];
        self.loops.apart.insert(head, Apart { function: scope.func, states, why: reason.clone() });
        if !self.options.explain {
            return;
        }
        let text = format!(
            "{reason}\none description:\n{}\nthe other:\n{}",
            self.in_words(scope, old),
            self.in_words(scope, new)
        );
        self.refusals.insert(head, text);
    }
}
