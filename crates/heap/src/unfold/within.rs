//! Cutting a list where a cursor stands of which only a set of places is known ([`crate::state::PointsTo`]).
//!
//! Every element of a list, or of a segment, is where a segment ends that begins with the list, and where the rest begins; what the
//! definition passes on there is some value. So `list(l)` with an element at `c` is `list(l) ⇒ (c) * list(c)`, and the second part is not
//! empty. Trees, and structures whose elements own others, are not cut.

use super::Site;
use crate::pred::{Callee, Case, PredTable};
use crate::state::{State, Summary};
use crate::value::{Sym, Val};

impl State {
    /// Whether a value leads to places of which each is null, a block, or in a list ([`State::located`]).
    pub fn can_locate(&self, v: Val, preds: &PredTable) -> bool {
        let Some(at) = self.points_to(v) else { return false };
        let known = |s: &Sym| {
            let lists = self.summaries.iter().filter(|t| t.root.off == 0 && is_list(t, preds));
            self.has_object(*s) || self.death(*s).is_some() || lists.into_iter().any(|t| t.region == Some(*s))
        };
        v.as_sym().is_some_and(|s| !self.owns_memory(s)) && at.places.iter().all(known)
    }

    /// All cases of where a value leads that [can be told](State::can_locate): in each it is null or the address of an object, or
    /// of a block that is gone.
    pub fn located(self, v: Val, preds: &PredTable) -> Vec<State> {
        let known =
            v.as_sym().filter(|_| self.can_locate(v, preds)).and_then(|s| Some((s, self.points_to(v)?)));
        let Some((s, at)) = known.map(|(s, at)| (s, at.clone())) else { return vec![self] };
        let mut found = Vec::new();
        let mut without = self;
        without.points_to.remove(&s);
        if at.null {
            found.extend(without.clone().with_value(s, Val::ZERO, preds));
        }
        for place in &at.places {
            match without.summaries.iter().position(|t| t.region == Some(*place)) {
                None => found.extend(without.clone().with_value(s, Val::sym(*place), preds)),
                Some(index) => found.extend(without.clone().cut_at(index, s, preds)),
            }
        }
        found
    }

    fn with_value(mut self, s: Sym, v: Val, preds: &PredTable) -> Option<State> {
        (self.substitute(s, v) && self.settle(preds)).then_some(self)
    }

    /// The cases in which an element of a list begins at a symbol of which nothing else is known.
    fn cut_at(mut self, index: usize, s: Sym, preds: &PredTable) -> Vec<State> {
        let list = self.summaries.swap_remove(index);
        let pred = preds.get(list.pred);
        let mut middle = list.args.clone();
        for (k, v) in middle.iter_mut().enumerate() {
            *v = match () {
                () if pred.shared.arg(k) => *v,
                () if pred.is_ghost(k) => Val::UNDEF,
                () => Val::sym(self.fresh()),
            };
        }
        let (before, after) = (self.fresh(), self.fresh());
        if let Some(old) = list.region {
            self.replace_place(old, &[before, after]);
        }
        let element = Val::sym(s);
        let end = Some((element, middle.clone()));
        self.summaries.push(Summary { end, region: Some(before), ..list.clone() });
        let rest = self.summaries.len();
        self.summaries.push(Summary { root: element, args: middle, region: Some(after), ..list });
        let mut cases = self.unfold(Site::Front(rest), preds);
        cases.retain(|case| case.objects.contains_key(&s));
        cases
    }
}

/// Whether every element is followed by one at most, and owns nothing else.
fn is_list(s: &Summary, preds: &PredTable) -> bool {
    let one_way = |c: &Case| match (&c.block, c.calls.as_slice()) {
        (None, calls) => calls.is_empty(),
        (Some(_), [call]) => call.callee == Callee::This && call.end.is_none(),
        _ => false,
    };
    preds.get(s.pred).def.cases.iter().all(one_way)
}
