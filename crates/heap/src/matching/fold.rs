//! Folding: memory consumed against a definition.

use super::names::Names;
use super::view::{Piece, View};
use super::{End, Matched, Mismatch};
use crate::object::{Content, ObjectKind};
use crate::pred::{Callee, Case, Fact, PredId, Term, TermBase};
use crate::state::Summary;
use crate::value::Val;

impl View<'_> {
    /// Consumes memory that satisfies the predicate. On success all arguments that the memory determines are
    /// filled in; on failure the view is unchanged.
    pub fn fold(
        &mut self,
        pred: PredId,
        root: Val,
        args: &mut Vec<Option<Val>>,
        end: Option<&mut End>,
    ) -> Matched {
        // Of lengths only their distance matters: that at the far end is 0 where nothing else is asked for.
        let mut end = end;
        if let Some(end) = end.as_deref_mut() {
            let lengths = self.preds.get(pred).length.args();
            let open = end.args.iter_mut().zip(lengths).filter(|(v, is_length)| **is_length && v.is_none());
            open.for_each(|(v, _)| *v = Some(Val::ZERO));
        }
        // What comes after a segment says which number should come after it; it need not be so.
        if let Some(given) = end.as_deref()
            && let Some(guess) = self.find_step(pred, given)
        {
            let (mut own_args, mut own_end) = (args.clone(), guess);
            let result = self.fold_so(pred, root, &mut own_args, Some(&mut own_end));
            if result.is_ok() {
                *args = own_args;
                if let Some(end) = end {
                    *end = own_end;
                }
                return Ok(());
            }
            // The number of an element that might be one of the structure: it is not by chance that it does not fit.
            let kinds = std::iter::once(pred).chain(self.preds.get(pred).larger.iter().copied());
            let cases = kinds.flat_map(|p| &self.preds.get(p).def.cases).filter(|c| c.block.is_some());
            let mut numbers = cases.flat_map(|c| &c.facts).filter_map(|f| match f {
                Fact::Eq(_, n) => Some(*n),
                _ => None,
            });
            let step = self.preds.get(pred).step.and_then(|k| own_end.args.get(k - 1).copied().flatten());
            if own_end.root.as_int().is_some()
                || step.and_then(Val::as_int).is_none_or(|v| numbers.any(|n| n == Term::int(v)))
            {
                return result;
            }
        }
        // So does what comes after it say which bounds it was reached with.
        if let Some(given) = end.as_deref()
            && let Some(guess) = self.find_bounds(pred, given)
        {
            let (mut own_args, mut own_end) = (args.clone(), guess);
            if self.fold_so(pred, root, &mut own_args, Some(&mut own_end)).is_ok() {
                *args = own_args;
                if let Some(end) = end {
                    *end = own_end;
                }
                return Ok(());
            }
        }
        self.fold_so(pred, root, args, end)
    }

    /// The far end of a segment with those arguments that are numbers as the memory there has them as a whole, if none of them
    /// is given.
    fn find_bounds(&self, pred: PredId, end: &End) -> Option<End> {
        let open = (0..end.args.len()).filter(|k| self.preds.get(pred).counts(*k));
        if open.clone().next().is_none() || open.clone().any(|k| end.args[k].is_some()) {
            return None;
        }
        let mut found = end.args.clone();
        View::new(self.state, self.preds).fold_here(pred, end.root, &mut found, None).ok()?;
        let mut end = end.clone();
        open.for_each(|k| end.args[k] = found.get(k).copied().flatten());
        Some(end)
    }

    fn fold_so(
        &mut self,
        pred: PredId,
        root: Val,
        args: &mut Vec<Option<Val>>,
        end: Option<&mut End>,
    ) -> Matched {
        let before = self.trail.len();
        let mut own_args = args.clone();
        let mut own_end = end.as_deref().cloned();
        let result = self.fold_here(pred, root, &mut own_args, own_end.as_mut());
        match result {
            Ok(()) => {
                *args = own_args;
                if let (Some(end), Some(own)) = (end, own_end) {
                    *end = own;
                }
            }
            Err(_) => self.give_back(before),
        }
        result
    }

    /// The far end of a segment with the number in the element after it, if there is one and it was left open.
    fn find_step(&self, pred: PredId, end: &End) -> Option<End> {
        let k = self.preds.get(pred).step?;
        if end.args.get(k - 1)?.is_some() {
            return None;
        }
        let summary = self.summary_with_root(end.root).map(|(_, s)| s);
        let number = match summary.filter(|s| self.preds.get(s.pred).step == Some(k)) {
            Some(s) => s.args.get(k - 1).copied()?,
            None if end.root.as_int().is_some() => self.preds.get(pred).def.number_at_end(k, end.root)?,
            None => {
                let at = end.root.as_sym().filter(|_| end.root.off == 0)?;
                let cells = self.preds.get(pred).def.cases.iter().flat_map(|c| &c.cells);
                let tag = cells.into_iter().find(|c| c.val == Term::param(k as u16))?;
                match self.state.objects.get(&at)?.read(tag.off, tag.width) {
                    Content::Val(v) => v,
                    _ => return None,
                }
            }
        };
        let mut end = end.clone();
        *end.args.get_mut(k - 1)? = Some(number);
        Some(end)
    }

    fn fold_here(
        &mut self,
        pred: PredId,
        root: Val,
        args: &mut Vec<Option<Val>>,
        mut end: Option<&mut End>,
    ) -> Matched {
        let Some(fuel) = self.fuel.checked_sub(1) else { return Err(Mismatch::Fuel) };
        self.fuel = fuel;
        if let Some(end) = end.as_deref_mut()
            && self.equal(root, end.root)
        {
            return self.meet_args(args, &mut end.args);
        }
        if let Some((i, s)) = self.summary_with_root(root)
            && self.preds.counts_as(s.pred, pred, self.keep_numbers)
        {
            if let Some(named) = root.as_sym().filter(|r| self.is_pinned(*r)) {
                return Err(Mismatch::Pinned(named));
            }
            self.use_summary(i);
            // A whole structure that ends somewhere else is a part of this one.
            let ends_there = |this: &Self, args: &[Option<Val>]| {
                let same = |(k, (a, v)): (usize, (&Option<Val>, &Val))| {
                    a.is_none_or(|a| this.equal(a, *v) || this.admits(pred, k, *v, a))
                };
                end.is_none() && args.iter().zip(&s.args).enumerate().all(same)
            };
            let part = match s.end {
                None if !ends_there(self, args) => {
                    self.state.as_segment(s, self.preds).or_else(|| s.up_to_number(self.preds))
                }
                _ => None,
            };
            let s = part.as_ref().unwrap_or(s);
            // A segment holds for any value of a parameter that its elements only pass on.
            let phantom = &self.preds.get(s.pred).phantom;
            let is_phantom = |k: usize| s.end.is_some() && phantom.arg(k);
            let is_ghost = |k: usize| self.preds.get(s.pred).is_ghost(k);
            let is_length = |k: usize| s.end.is_some() && self.preds.get(s.pred).length.arg(k);
            let bound = |k: &usize| !is_phantom(*k) && !is_ghost(*k) && !is_length(*k);
            // What all elements pass on as it is can be replaced at both ends of a segment by what it admits.
            let is_shared = |k: usize| s.end.is_some() && self.preds.get(pred).shared.arg(k);
            let mut replaced: Vec<usize> = Vec::new();
            for (k, (slot, v)) in args.iter_mut().zip(&s.args).enumerate().filter(|(k, _)| bound(k)) {
                // What this is a part of is whole: then it may have more values than this one.
                match *slot {
                    Some(w) if is_shared(k) && self.admits(pred, k, *v, w) => replaced.push(k),
                    Some(w) if end.is_none() && self.admits(pred, k, *v, w) => {}
                    _ => self.bind(slot, *v)?,
                }
            }
            return match (&s.end, end) {
                (None, None) => Ok(()),
                // A whole structure has no way out of it.
                (None, Some(end)) => Err(Mismatch::NoMemory(end.root)),
                (Some((next, next_args)), end) => {
                    // A name for the last element would be lost if nothing after it says where it is.
                    if end.is_none() && !self.has_memory(*next) {
                        let back = &self.preds.get(pred).back;
                        let named = next_args.iter().enumerate().find_map(|(k, v)| {
                            back.arg(k)?;
                            v.as_sym().filter(|s| self.is_pinned(*s))
                        });
                        if let Some(named) = named {
                            return Err(Mismatch::Pinned(named));
                        }
                    }
                    let given = args.clone();
                    let consumed = self.trail.len();
                    let mut next_args: Vec<Option<Val>> = next_args
                        .iter()
                        .enumerate()
                        .map(|(k, v)| match args.get_mut(k) {
                            Some(slot) if is_phantom(k) || replaced.contains(&k) => *slot,
                            Some(slot) if is_ghost(k) => Some(self.hands_on(s, k, slot, *v)),
                            // What is left of the length after the segment.
                            Some(slot) if is_length(k) => slot.and_then(|n| self.sum(n, *v, s.args.get(k)?)),
                            _ => Some(*v),
                        })
                        .collect();
                    let far = s.end.as_ref().map(|(_, far)| far);
                    self.fold_here(pred, *next, &mut next_args, end)?;
                    for (k, slot) in args.iter_mut().enumerate().filter(|(k, _)| is_length(*k)) {
                        let near = s.args.get(k).zip(far.and_then(|far| far.get(k)));
                        let rest = next_args.get(k).copied().flatten();
                        let all = near.zip(rest).and_then(|((near, far), rest)| self.sum(rest, *near, far));
                        match (*slot, all) {
                            (None, _) => *slot = all,
                            (Some(n), Some(all)) if self.equal(n, all) => {}
                            (Some(n), _) => return Err(Mismatch::Value(n)),
                        }
                    }
                    for (k, slot) in args.iter_mut().enumerate().filter(|(k, _)| is_phantom(*k)) {
                        *slot = next_args.get(k).copied().flatten();
                    }
                    if args.iter().enumerate().any(|(k, _)| is_ghost(k)) && self.took_element(consumed) {
                        // Before an element any value will do.
                        let ghosts = args.iter_mut().zip(given).enumerate().filter(|(k, _)| is_ghost(*k));
                        ghosts.for_each(|(_, (slot, given))| *slot = given);
                    }
                    Ok(())
                }
            };
        }
        if self.fold_lower(pred, root, end.as_deref())? {
            return Ok(());
        }
        let def = &self.preds.get(pred).def;
        if end.is_none() {
            // That an element is the end of the structure is a guess if nothing says so: first as an element.
            let open = args.iter().any(Option::is_none);
            if open && self.may_be_element(pred, root) {
                let before = self.trail.len();
                let mut trial = args.clone();
                if self.fold_block(pred, root, &mut trial, None).is_ok() {
                    *args = trial;
                    return Ok(());
                }
                self.give_back(before);
            }
            for case in def.cases.iter().filter(|c| c.block.is_none()) {
                let before = self.trail.len();
                let mut names = Names::new(case, root, args);
                if self.facts_hold(case, &mut names, &[]).is_ok() {
                    let mut names = Names::new(case, root, &names.args);
                    if self.fold_calls(pred, case, &mut names, None, &mut Vec::new()).is_ok() {
                        *args = names.args;
                        return Ok(());
                    }
                }
                self.give_back(before);
            }
        }
        self.fold_block(pred, root, args, end)
    }

    /// `a + b - c`, if a value of the state is that.
    fn sum(&self, a: Val, b: Val, c: &Val) -> Option<Val> {
        let form = |v: Val| self.state.pure.linear(v);
        let sum = form(a)?.plus(1, &form(b)?)?.minus(&form(*c)?)?;
        sum.as_val().or_else(|| self.state.pure.defined_as(&sum))
    }

    /// Whether what was consumed after the first `kept` pieces has an element.
    fn took_element(&self, kept: usize) -> bool {
        self.trail.iter().skip(kept).any(|piece| match piece {
            Piece::Object(_) => true,
            Piece::Summary(i) => {
                let segment = self.state.summaries.get(*i).filter(|s| s.end.is_some());
                segment.is_some_and(|s| self.state.is_nonempty(s, self.preds))
            }
        })
    }

    /// What a segment hands on for a parameter that no case speaks of, if `slot` is what it gets: at its end it says `far`, but if
    /// it is empty and gets another value than it says, that other one. An open slot becomes what the segment says, be it only
    /// that there is some value.
    fn hands_on(&self, s: &Summary, k: usize, slot: &mut Option<Val>, far: Val) -> Val {
        if self.state.any_argument(s, k, self.preds) {
            return far;
        }
        let near = s.args.get(k).copied().unwrap_or(Val::UNDEF);
        match slot {
            None => {
                *slot = Some(near);
                far
            }
            Some(given) if self.equal(*given, near) => far,
            Some(_) => Val::UNDEF,
        }
    }

    /// Consumes the rest of a skip list whose elements are lower than those of the predicate, if it goes as far as asked.
    fn fold_lower(&mut self, pred: PredId, root: Val, end: Option<&End>) -> Result<bool, Mismatch> {
        let Some((i, s)) = self.summary_with_root(root) else { return Ok(false) };
        if !self.preds.get(s.pred).higher.contains(&pred) || !s.args.is_empty() {
            return Ok(false);
        }
        let whole = Summary { end: None, ..s.clone() }.up_to_number(self.preds);
        let last = whole.and_then(|w| w.end).map(|(last, _)| last);
        let goes_on = s.end.as_ref().is_some_and(|(e, _)| Some(*e) != last);
        if last.is_none() || goes_on || end.is_some_and(|e| Some(e.root) != last) {
            return Ok(false);
        }
        if let Some(named) = root.as_sym().filter(|r| self.is_pinned(*r)) {
            return Err(Mismatch::Pinned(named));
        }
        self.use_summary(i);
        Ok(true)
    }

    /// Whether there is an object that nothing has taken and that has the size of an element.
    fn may_be_element(&self, pred: PredId, root: Val) -> bool {
        let object = root.as_sym().filter(|s| root.off == 0 && !self.is_used(*s));
        object.and_then(|s| self.state.objects.get(&s)).is_some_and(|o| self.preds.get(pred).fits(o))
    }

    fn meet_args(&self, args: &mut [Option<Val>], end: &mut [Option<Val>]) -> Matched {
        for (a, e) in args.iter_mut().zip(end.iter_mut()) {
            match (*a, *e) {
                (Some(a), Some(e)) if !self.equal(a, e) => return Err(Mismatch::Value(a)),
                (Some(v), None) => *e = Some(v),
                (None, Some(v)) => *a = Some(v),
                _ => {}
            }
        }
        Ok(())
    }

    fn bind_term(&self, t: &Term, val: Val, names: &mut Names) -> Matched {
        if let Some(slot) = names.slot(t) {
            return self.bind(slot, val.plus(-t.off));
        }
        match names.term(t) {
            Some(known) if self.equal(known, val) => Ok(()),
            _ => Err(Mismatch::Value(val)),
        }
    }

    /// Whether the facts of a case hold; an equality with an unknown argument fixes it, and a bound is chosen unless it is one of
    /// the terms to be `kept` open.
    fn facts_hold(&self, case: &Case, names: &mut Names, kept: &[Term]) -> Matched {
        let root = names.root;
        let chosen = |t: &Term, v: Val| self.is_number(v) && kept.iter().all(|k| k.base != t.base);
        for fact in &case.facts {
            match fact {
                Fact::Eq(a, b) => match (names.term(a), names.term(b)) {
                    (Some(x), Some(y)) if self.equal(x, y) => {}
                    (Some(x), None) => self.bind_term(b, x, names)?,
                    (None, Some(y)) => self.bind_term(a, y, names)?,
                    (Some(x), _) => return Err(Mismatch::Value(x)),
                    (None, None) => return Err(Mismatch::Value(root)),
                },
                Fact::Ne(a, b) => match (names.term(a), names.term(b)) {
                    (Some(x), Some(y)) if self.state.compare(x, y, Some(self.preds)) == Some(false) => {}
                    _ => return Err(Mismatch::Value(root)),
                },
                Fact::In(a, r) => match names.term(a) {
                    Some(x) if self.state.pure.range(x).is_subset(*r) => {}
                    _ => return Err(Mismatch::Value(root)),
                },
                Fact::Le(a, b) => {
                    match (names.term(a), names.term(b)) {
                        (Some(x), Some(y)) if self.state.pure.knows_le(x, y, false) => {}
                        // A bound that is not known is chosen as close as possible.
                        (Some(x), None) if chosen(b, x) => self.bind_term(b, x, names)?,
                        (None, Some(y)) if chosen(a, y) => self.bind_term(a, y, names)?,
                        _ => return Err(Mismatch::Value(root)),
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether a value is no address of memory that is described.
    fn is_number(&self, v: Val) -> bool {
        let root = |s: &Summary| s.root.as_sym() == v.as_sym();
        !v.is_undef()
            && v.as_sym().is_none_or(|s| {
                !self.state.objects.contains_key(&s) && !self.state.summaries.iter().any(root)
            })
    }

    fn fold_block(
        &mut self,
        pred: PredId,
        root: Val,
        args: &mut Vec<Option<Val>>,
        mut end: Option<&mut End>,
    ) -> Matched {
        let Some(address) = root.as_sym().filter(|_| root.off == 0) else {
            return Err(Mismatch::NoMemory(root));
        };
        let state = self.state;
        let Some(object) = state.objects.get(&address).filter(|_| !self.is_used(address)) else {
            return Err(Mismatch::NoMemory(root));
        };
        if object.kind != ObjectKind::Heap || self.is_pinned(address) {
            return Err(Mismatch::Pinned(address));
        }
        let own = self.preds.get(pred);
        // An element with links that others of its kind do not have is none of them.
        let leads = |(off, width): &(u64, u64)| match object.read(*off, *width) {
            Content::Val(v) => v.as_sym().is_some_and(|s| {
                state.objects.contains_key(&s) || state.summaries.iter().any(|t| t.root.as_sym() == Some(s))
            }),
            _ => false,
        };
        // Nor is one that such a link leads to, though it may be the last on its level.
        let led = |(off, width): &(u64, u64)| {
            let mut others = state.objects.values().filter(|o| own.fits(o));
            let leads = |s: &Summary| {
                let links = &self.preds.get(s.pred).links;
                s.end.as_ref().is_some_and(|(end, _)| *end == root) && links.iter().any(|l| l.off == *off)
            };
            others.any(|o| o.read(*off, *width) == Content::Val(root)) || state.summaries.iter().any(leads)
        };
        if own.above.iter().any(|link| leads(link) || led(link)) {
            return Err(Mismatch::Layout(address));
        }
        let def = &own.def;
        let mut reason = Mismatch::Layout(address);
        for case in &def.cases {
            let Some(block) = &case.block else { continue };
            if !self.state.is_block_of(object, block) {
                continue;
            }
            let mut names = Names::new(case, root, args);
            let mut matched = Ok(());
            for spec in &case.cells {
                matched = match object.read(spec.off, spec.width) {
                    // Where numbers tell structures apart, one is not arbitrary to a structure that has none.
                    Content::Val(v)
                        if self.keep_numbers
                            && self.preds.get(pred).variant_of.is_none()
                            && v.as_int().is_some()
                            && case.is_free(&spec.val)
                            && self.preds.fixes(object, spec.off) =>
                    {
                        Err(Mismatch::Value(v))
                    }
                    Content::Val(v) => self.bind_term(&spec.val, v, &mut names),
                    // An unknown number satisfies an existential that nothing else speaks about.
                    Content::Unknown if case.is_free(&spec.val) => Ok(()),
                    _ => Err(Mismatch::Layout(address)),
                };
                if matched.is_err() {
                    break;
                }
            }
            if let Err(why) = matched {
                reason = why;
                continue;
            }
            let before = self.trail.len();
            self.use_object(address);
            // The call that leads to the end of the segment: try each recursive one.
            let holes: Vec<Option<usize>> = match &end {
                None => vec![None],
                Some(_) => (0..case.calls.len())
                    .filter(|j| case.calls[*j].callee == Callee::This)
                    .map(Some)
                    .collect(),
            };
            for hole in holes {
                let mut own_end = end.as_deref().cloned();
                match self.fold_rest(pred, case, &names, hole, &mut own_end) {
                    Ok(a) => {
                        *args = a;
                        if let (Some(end), Some(own)) = (end.as_deref_mut(), own_end) {
                            *end = own;
                        }
                        return Ok(());
                    }
                    Err(why) => {
                        reason = why;
                        self.give_back(before);
                        self.use_object(address);
                    }
                }
            }
            self.give_back(before);
        }
        Err(reason)
    }

    /// The calls and the facts of a case whose block is matched; returns the arguments. If one that a call mentions became known
    /// only after that call, by others or by the facts, they are matched once more: the call must hold for it too.
    fn fold_rest(
        &mut self,
        pred: PredId,
        case: &Case,
        matched: &Names,
        hole: Option<usize>,
        end: &mut Option<End>,
    ) -> Result<Vec<Option<Val>>, Mismatch> {
        let before = self.trail.len();
        let mut names = matched.clone();
        loop {
            let mut own_end = end.clone();
            let mut open = Vec::new();
            self.fold_calls(pred, case, &mut names, hole.zip(own_end.as_mut()), &mut open)?;
            // What a segment should pass on is not known from one of its elements.
            let kept: &[Term] = if hole.is_some() { &open } else { &[] };
            self.facts_hold(case, &mut names, kept)?;
            if open.iter().all(|t| names.term(t).is_none()) {
                *end = own_end;
                return Ok(names.args);
            }
            self.give_back(before);
        }
    }

    /// The calls of a case; adds to `open` what they mention that is still unknown after them.
    fn fold_calls(
        &mut self,
        pred: PredId,
        case: &Case,
        names: &mut Names,
        hole: Option<(usize, &mut End)>,
        open: &mut Vec<Term>,
    ) -> Matched {
        let (hole_at, mut hole_end) = match hole {
            Some((j, end)) => (Some(j), Some(end)),
            None => (None, None),
        };
        for (j, call) in case.calls.iter().enumerate() {
            let callee = match call.callee {
                Callee::This => pred,
                Callee::Other(p) => p,
            };
            let Some((root_term, arg_terms)) = call.args.split_first() else { continue };
            let Some(call_root) = names.term(root_term) else {
                return Err(Mismatch::NoMemory(names.root));
            };
            let mut call_args: Vec<Option<Val>> = arg_terms.iter().map(|t| names.term(t)).collect();
            let mut own_end = match call.end.as_ref().and_then(|t| t.split_first()) {
                Some((end_root, end_args)) => {
                    let Some(root_value) = names.term(end_root) else {
                        return Err(Mismatch::NoMemory(names.root));
                    };
                    let values = end_args.iter().map(|t| names.term(t)).collect();
                    Some(End { root: root_value, args: values })
                }
                None => None,
            };
            let end = if hole_at == Some(j) { hole_end.as_deref_mut() } else { own_end.as_mut() };
            let any = if end.is_none() { self.any_step(pred, case, j, call_root) } else { None };
            if let Some((at, v)) = any
                && let Some(arg) = call_args.get_mut(at)
            {
                *arg = Some(v);
            }
            self.fold_here(callee, call_root, &mut call_args, end)?;
            if let (Some(end), Some(terms)) = (&own_end, &call.end) {
                for (t, v) in terms.iter().skip(1).zip(&end.args) {
                    if let Some(v) = v {
                        self.bind_term(t, *v, names)?;
                    }
                }
            }
            let given = |i: usize| any.is_some_and(|(at, _)| at == i);
            for (_, (t, v)) in arg_terms.iter().zip(&call_args).enumerate().filter(|(i, _)| !given(*i)) {
                if let Some(v) = v {
                    self.bind_term(t, *v, names)?;
                }
            }
            open.extend(call.terms().filter(|t| names.term(t).is_none()));
        }
        Ok(())
    }

    /// The number of what follows an element, and which argument it is, if that is one of several and the structure has a
    /// case like this one for each of them: then it does not matter which it is.
    fn any_step(&self, pred: PredId, case: &Case, call: usize, next: Val) -> Option<(usize, Val)> {
        let k = self.preds.get(pred).step?;
        let (_, s) = self.summary_with_root(next).filter(|(_, s)| s.end.is_none())?;
        let rest = self.preds.get(s.pred);
        if case.calls.get(call)?.callee != Callee::This
            || rest.step != Some(k)
            || !self.preds.counts_as(s.pred, pred, self.keep_numbers)
        {
            return None;
        }
        let at = k.checked_sub(1)?;
        let number = s.args.get(at).copied().filter(|v| v.as_int().is_none())?;
        let range = self.state.pure.range(number);
        for other in &rest.def.cases {
            let n = other.facts.iter().find_map(|f| match f {
                Fact::Eq(a, b) if *a == Term::param(k as u16) && b.base == TermBase::Zero => Some(b.off),
                _ => None,
            })?;
            let mut like = case.clone();
            *like.calls.get_mut(call)?.args.get_mut(k)? = Term::int(n);
            if range.contains(n) && !self.preds.get(pred).def.cases.contains(&like) {
                return None;
            }
        }
        Some((at, number))
    }
}
