//! The graph: weights, and closure after each new constraint.

use super::Dbm;
use crate::domain::NumericDomain;
use crate::interval::Interval;
use crate::linear::Dim;
use std::borrow::Cow;

fn smallest(a: Option<i128>, b: Option<i128>) -> Option<i128> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

impl Dbm {
    pub(super) fn interval(&self, x: Dim) -> Interval {
        self.bounds.get(&x).copied().unwrap_or(Interval::FULL)
    }

    pub(super) fn implied_by_bounds(&self, x: Dim, y: Dim) -> Option<i128> {
        self.interval(x).hi.zip(self.interval(y).lo).and_then(|(h, l)| h.checked_sub(l))
    }

    /// The tightest known `c` with `x - y ≤ c`.
    pub(super) fn weight(&self, x: Dim, y: Dim) -> Option<i128> {
        if x == y {
            return Some(0);
        }
        smallest(self.relations.get(&(x, y)).copied(), self.implied_by_bounds(x, y))
    }

    /// The relations `s - x ≤ c`, and `x` itself.
    pub(super) fn sources(&self, x: Dim) -> Vec<(Dim, i128)> {
        let range = (x, Dim(0))..=(x, Dim(u32::MAX));
        let related =
            self.reversed.range(range).filter_map(|&(_, s)| Some((s, *self.relations.get(&(s, x))?)));
        std::iter::once((x, 0)).chain(related).collect()
    }

    /// The relations `y - t ≤ c`, and `y` itself.
    pub(super) fn targets(&self, y: Dim) -> Vec<(Dim, i128)> {
        let range = (y, Dim(0))..=(y, Dim(u32::MAX));
        std::iter::once((y, 0)).chain(self.relations.range(range).map(|(&(_, t), &c)| (t, c))).collect()
    }

    pub(super) fn set_relation(&mut self, x: Dim, y: Dim, c: i128) {
        self.relations.insert((x, y), c);
        self.reversed.insert((y, x));
    }

    pub(super) fn remove_relation(&mut self, x: Dim, y: Dim) {
        self.relations.remove(&(x, y));
        self.reversed.remove(&(y, x));
    }

    pub(super) fn set_empty(&mut self) {
        *self = Dbm { empty: true, ..Dbm::top() };
    }

    /// Restricts one variable, without looking at relations. Returns whether anything changed.
    pub(super) fn narrow(&mut self, x: Dim, to: Interval) -> bool {
        let old = self.interval(x);
        match old.meet(to) {
            None => {
                self.set_empty();
                false
            }
            Some(new) if new == old => false,
            Some(new) => {
                self.bounds.insert(x, new);
                true
            }
        }
    }

    pub(super) fn narrow_upper(&mut self, x: Dim, c: Option<i128>) -> bool {
        c.is_some() && self.narrow(x, Interval { lo: None, hi: c })
    }

    pub(super) fn narrow_lower(&mut self, x: Dim, c: Option<i128>) -> bool {
        c.is_some() && self.narrow(x, Interval { lo: c, hi: None })
    }

    /// Removes the relations of variables whose bounds changed that say no more than the bounds do.
    pub(super) fn prune(&mut self, upper_moved: &[Dim], lower_moved: &[Dim]) {
        let mut useless = Vec::new();
        for &x in upper_moved {
            useless.extend(self.targets(x).into_iter().skip(1).map(|(t, c)| (x, t, c)));
        }
        for &y in lower_moved {
            useless.extend(self.sources(y).into_iter().skip(1).map(|(s, c)| (s, y, c)));
        }
        for (x, y, c) in useless {
            if self.implied_by_bounds(x, y).is_some_and(|w| w <= c) {
                self.remove_relation(x, y);
            }
        }
    }

    /// `x ≤ c`
    pub(super) fn add_upper(&mut self, x: Dim, c: i128) {
        if !self.narrow_upper(x, Some(c)) {
            return;
        }
        let mut moved = vec![x];
        for (s, w) in self.sources(x).into_iter().skip(1) {
            if self.narrow_upper(s, w.checked_add(c)) {
                moved.push(s);
            }
            if self.empty {
                return;
            }
        }
        self.prune(&moved, &[]);
    }

    /// `x ≥ c`
    pub(super) fn add_lower(&mut self, x: Dim, c: i128) {
        if !self.narrow_lower(x, Some(c)) {
            return;
        }
        let mut moved = vec![x];
        for (t, w) in self.targets(x).into_iter().skip(1) {
            if self.narrow_lower(t, c.checked_sub(w)) {
                moved.push(t);
            }
            if self.empty {
                return;
            }
        }
        self.prune(&[], &moved);
    }

    /// `x - y ≤ c`: every new shortest path passes this edge once.
    pub(super) fn add_difference(&mut self, x: Dim, y: Dim, c: i128) {
        if self.weight(x, y).is_some_and(|w| w <= c) {
            return;
        }
        if x == y || self.weight(y, x).and_then(|w| w.checked_add(c)).is_some_and(|cycle| cycle < 0) {
            return self.set_empty();
        }
        let (sources, targets) = (self.sources(x), self.targets(y));
        let upper = self.interval(y).hi.and_then(|h| h.checked_add(c));
        let lower = self.interval(x).lo.and_then(|l| l.checked_sub(c));
        let (mut upper_moved, mut lower_moved) = (Vec::new(), Vec::new());
        for &(s, w) in &sources {
            if self.narrow_upper(s, upper.and_then(|u| u.checked_add(w))) {
                upper_moved.push(s);
            }
            if self.empty {
                return;
            }
        }
        for &(t, w) in &targets {
            if self.narrow_lower(t, lower.and_then(|l| l.checked_sub(w))) {
                lower_moved.push(t);
            }
            if self.empty {
                return;
            }
        }
        for &(s, before) in &sources {
            for &(t, after) in &targets {
                let path = before.checked_add(c).and_then(|p| p.checked_add(after));
                if let Some(path) = path.filter(|_| s != t)
                    && self.weight(s, t).is_none_or(|w| path < w)
                {
                    self.set_relation(s, t, path);
                }
            }
        }
        self.prune(&upper_moved, &lower_moved);
    }

    /// The element in normal form.
    pub(super) fn closed(&self) -> Cow<'_, Dbm> {
        if !self.relaxed {
            return Cow::Borrowed(self);
        }
        let mut result = Dbm::top();
        for (&x, i) in &self.bounds {
            i.lo.iter().for_each(|&c| result.add_lower(x, c));
            i.hi.iter().for_each(|&c| result.add_upper(x, c));
        }
        for (&(x, y), &c) in &self.relations {
            if !result.empty {
                result.add_difference(x, y, c);
            }
        }
        Cow::Owned(result)
    }

    pub(super) fn close(&mut self) {
        if self.relaxed {
            *self = self.closed().into_owned();
        }
    }
}
