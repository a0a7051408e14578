//! Inputs that satisfy the conditions of a path: a small solver over machine integers.
//!
//! It repairs an assignment that is known to satisfy all conditions but one. The term of a violated condition is
//! inverted down to one input while the others keep their values: through sums, differences, products, exclusive or,
//! shifts and comparisons that gives the value which the input must have, and everything else is a candidate only.
//! Each candidate is checked by evaluating all conditions; if it violates another one, that one is repaired with an
//! input that has not been changed yet. Cost: at most [`MAX_TRIES`] evaluations.
//!
//! The solver may miss solutions. It never returns a wrong one, as far as the terms are faithful; the run decides.

use crate::term::{Condition, Node, Ranges, TermId, Terms, Values, within};
use heapwise_interp::InputKind;
use heapwise_ir::{BinaryOp, CompareOp};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Most assignments that are evaluated for one question.
const MAX_TRIES: usize = 400;
/// Most inputs that are changed together.
const MAX_CHANGED: usize = 5;
/// Most candidates for one input.
const MAX_CANDIDATES: usize = 24;

/// A condition to be met.
#[derive(Clone, Debug)]
pub struct Goal {
    /// The term.
    pub term: TermId,
    /// Where its value has to lie.
    pub ranges: Ranges,
}

/// The question: an assignment, its kinds, and what it has to satisfy.
pub struct Question<'a> {
    /// All terms.
    pub terms: &'a Terms,
    /// Values of the inputs now.
    pub inputs: &'a [i128],
    /// Their kinds.
    pub kinds: &'a [InputKind],
    /// Numbers that stand in the program.
    pub constants: &'a [i128],
}

impl Question<'_> {
    /// New values of some inputs under which the conditions before still hold and a goal is met. What that took, in terms
    /// and conditions looked at, is added to `looked_at`.
    pub fn solve(
        &self,
        before: &[Condition],
        goal: Goal,
        looked_at: &mut u64,
    ) -> Option<FxHashMap<u32, i128>> {
        let goals = self.related(before, goal);
        let cone = self.terms.cone(goals.iter().map(|g| g.term));
        let mut search = Search { question: self, goals: &goals, cone: &cone, tries: 0 };
        let mut changed = FxHashMap::default();
        let solved = search.repair(&mut changed);
        *looked_at += (before.len() + search.tries * (cone.len() + goals.len())) as u64;
        solved.then_some(changed)
    }

    /// What it takes for a comparison to be met by far: the side that depends on inputs is away from the other by so much.
    pub fn far(&self, term: TermId, wanted: &[(i128, i128)], distance: i128) -> Option<Goal> {
        let Node::Compare(op, a, b) = self.terms.node(term) else { return None };
        let truth = within(wanted, 1);
        if truth == within(wanted, 0) {
            return None;
        }
        let now = |t: TermId| {
            let cone = self.terms.cone([t]);
            self.terms.values(&cone, &|i| self.value(&FxHashMap::default(), i)).get(t)
        };
        let (term, op, other) = match (self.terms.inputs_of(a).is_empty(), self.terms.inputs_of(b).is_empty())
        {
            (false, true) => (a, op, now(b)?),
            (true, false) => (b, mirror(op), now(a)?),
            _ => return None,
        };
        let above = within(&meeting(op, other, truth), other.checked_add(distance)?);
        let below = within(&meeting(op, other, truth), other.checked_sub(distance)?);
        let ranges = match (above, below) {
            (true, false) => vec![(other + distance, i128::MAX)],
            (false, true) => vec![(i128::MIN, other - distance)],
            _ => return None,
        };
        Some(Goal { term, ranges })
    }

    /// The goal and all conditions that share inputs with it, directly or through others.
    fn related(&self, before: &[Condition], goal: Goal) -> Vec<Goal> {
        let mut touched: std::collections::BTreeSet<u32> =
            self.terms.inputs_of(goal.term).iter().copied().collect();
        let mut rest: Vec<(&Condition, Rc<[u32]>)> =
            before.iter().map(|c| (c, self.terms.inputs_of(c.term))).collect();
        let mut goals = vec![goal];
        loop {
            let size = rest.len();
            rest.retain(|(c, inputs)| {
                let shared = inputs.iter().any(|i| touched.contains(i));
                if shared {
                    touched.extend(inputs.iter());
                    goals.push(Goal { term: c.term, ranges: c.now.clone() });
                }
                !shared
            });
            if rest.len() == size {
                return goals;
            }
        }
    }

    fn value(&self, changed: &FxHashMap<u32, i128>, input: u32) -> i128 {
        changed.get(&input).copied().unwrap_or_else(|| self.inputs.get(input as usize).copied().unwrap_or(0))
    }

    fn fits(&self, input: u32, v: i128) -> bool {
        match self.kinds.get(input as usize) {
            Some(InputKind::Bool) => v == 0 || v == 1,
            Some(InputKind::Int(ty)) => ty.wrap(v) == v,
            // A pointer that is not null would not be valid.
            Some(InputKind::Pointer) => v == 0,
            Some(InputKind::Float) | None => false,
        }
    }
}

struct Search<'a> {
    question: &'a Question<'a>,
    goals: &'a [Goal],
    cone: &'a [TermId],
    tries: usize,
}

impl Search<'_> {
    /// Changes inputs until all goals are met.
    fn repair(&mut self, changed: &mut FxHashMap<u32, i128>) -> bool {
        self.tries += 1;
        let question = self.question;
        let values = question.terms.values(self.cone, &|i| question.value(changed, i));
        let broken = self.goals.iter().find(|g| !values.get(g.term).is_some_and(|v| within(&g.ranges, v)));
        let Some(goal) = broken else { return true };
        if changed.len() >= MAX_CHANGED {
            return false;
        }
        let inputs = question.terms.inputs_of(goal.term);
        // The newest input is the one that other conditions depend on least.
        for &input in inputs.iter().rev() {
            if changed.contains_key(&input) {
                continue;
            }
            for v in self.candidates(goal, input, &values) {
                if self.tries >= MAX_TRIES {
                    return false;
                }
                changed.insert(input, v);
                if self.repair(changed) {
                    return true;
                }
                changed.remove(&input);
            }
        }
        false
    }

    /// Values of an input that may meet a goal, the most promising first.
    fn candidates(&self, goal: &Goal, input: u32, values: &Values) -> Vec<i128> {
        let mut found = Vec::new();
        self.invert(goal.term, &goal.ranges, input, values, 0, &mut found);
        let general = [0, 1, -1, 2, 3, -2, 10, 100];
        found.extend(general);
        found.extend(self.question.constants.iter().take(16));
        let now = self.question.value(&FxHashMap::default(), input);
        let mut list: Vec<i128> = Vec::new();
        for v in found {
            if v != now && !list.contains(&v) && self.question.fits(input, v) {
                list.push(v);
            }
            if list.len() >= MAX_CANDIDATES {
                break;
            }
        }
        list
    }

    /// Adds values of the input that bring the term into the ranges, other inputs being as they are.
    fn invert(
        &self,
        term: TermId,
        ranges: &[(i128, i128)],
        input: u32,
        values: &Values,
        depth: usize,
        found: &mut Vec<i128>,
    ) {
        if depth > 40 || found.len() >= MAX_CANDIDATES {
            return;
        }
        let terms = self.question.terms;
        let mentions = |t: TermId| terms.inputs_of(t).contains(&input);
        match terms.node(term) {
            Node::Input(i) if i == input => {
                let now = values.get(term).unwrap_or(0);
                for &(lo, hi) in ranges {
                    let near = now.clamp(lo, hi);
                    let bounded = |v: i128| v > i128::MIN / 4 && v < i128::MAX / 4;
                    found.extend([near].into_iter().filter(|v| bounded(*v)));
                    found.extend(
                        [lo, hi, lo.saturating_add(1), hi.saturating_sub(1)]
                            .into_iter()
                            .filter(|v| bounded(*v) && lo <= *v && *v <= hi),
                    );
                    // The ends of the type, where the range has none.
                    if let Some(&InputKind::Int(ty)) = self.question.kinds.get(i as usize) {
                        found.extend([ty.max(), ty.min()].into_iter().filter(|v| lo <= *v && *v <= hi));
                    }
                }
            }
            Node::Input(_) | Node::Const(_) => {}
            Node::Wrap(a, _) => self.invert(a, ranges, input, values, depth + 1, found),
            Node::Compare(op, a, b) => {
                for truth in [true, false] {
                    if within(ranges, truth.into()) {
                        if mentions(a)
                            && let Some(v) = values.get(b)
                        {
                            self.invert(a, &meeting(op, v, truth), input, values, depth + 1, found);
                        }
                        if mentions(b)
                            && let Some(v) = values.get(a)
                        {
                            self.invert(b, &meeting(mirror(op), v, truth), input, values, depth + 1, found);
                        }
                    }
                }
            }
            Node::Binary(op, a, b, _) => {
                if mentions(a)
                    && let Some(v) = values.get(b)
                {
                    let moved = undo_left(op, ranges, v);
                    self.invert(a, &moved, input, values, depth + 1, found);
                }
                if mentions(b)
                    && let Some(v) = values.get(a)
                {
                    let moved = undo_right(op, ranges, v);
                    self.invert(b, &moved, input, values, depth + 1, found);
                }
            }
        }
    }
}

/// The values `x` for which `x op v` is `truth`.
pub fn meeting(op: CompareOp, v: i128, truth: bool) -> Ranges {
    let op = if truth { op } else { opposite(op) };
    let (below, above) = (v.saturating_sub(1), v.saturating_add(1));
    match op {
        CompareOp::Eq => vec![(v, v)],
        CompareOp::Ne => vec![(above, i128::MAX), (i128::MIN, below)],
        CompareOp::Lt => vec![(i128::MIN, below)],
        CompareOp::Le => vec![(i128::MIN, v)],
        CompareOp::Gt => vec![(above, i128::MAX)],
        CompareOp::Ge => vec![(v, i128::MAX)],
    }
}

fn opposite(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Eq => CompareOp::Ne,
        CompareOp::Ne => CompareOp::Eq,
        CompareOp::Lt => CompareOp::Ge,
        CompareOp::Le => CompareOp::Gt,
        CompareOp::Gt => CompareOp::Le,
        CompareOp::Ge => CompareOp::Lt,
    }
}

/// The comparison with its sides exchanged.
pub fn mirror(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Eq | CompareOp::Ne => op,
        CompareOp::Lt => CompareOp::Gt,
        CompareOp::Le => CompareOp::Ge,
        CompareOp::Gt => CompareOp::Lt,
        CompareOp::Ge => CompareOp::Le,
    }
}

fn shifted(ranges: &[(i128, i128)], by: i128) -> Ranges {
    let end = |v: i128| if v == i128::MIN || v == i128::MAX { v } else { v.saturating_add(by) };
    ranges.iter().map(|&(lo, hi)| (end(lo), end(hi))).collect()
}

/// The ranges of `x` for which `x op v` lies in the ranges, as far as that can be told; else guesses.
fn undo_left(op: BinaryOp, ranges: &[(i128, i128)], v: i128) -> Ranges {
    match op {
        BinaryOp::Add => shifted(ranges, v.saturating_neg()),
        BinaryOp::Sub => shifted(ranges, v),
        BinaryOp::Mul if v != 0 => ranges
            .iter()
            .map(|&(lo, hi)| {
                let (a, b) = (lo.checked_div(v).unwrap_or(0), hi.checked_div(v).unwrap_or(0));
                (a.min(b), a.max(b))
            })
            .collect(),
        BinaryOp::Div if v != 0 => ranges
            .iter()
            .map(|&(lo, hi)| {
                let (a, b) = (lo.saturating_mul(v), hi.saturating_mul(v));
                (a.min(b), a.max(b))
            })
            .collect(),
        BinaryOp::Xor => ranges.iter().filter(|(lo, hi)| lo == hi).map(|&(lo, _)| (lo ^ v, lo ^ v)).collect(),
        BinaryOp::Shr if (0..64).contains(&v) => {
            ranges.iter().map(|&(lo, hi)| (lo.saturating_mul(1 << v), hi.saturating_mul(1 << v))).collect()
        }
        BinaryOp::Shl if (0..64).contains(&v) => ranges.iter().map(|&(lo, hi)| (lo >> v, hi >> v)).collect(),
        _ => ranges.to_vec(),
    }
}

/// The ranges of `x` for which `v op x` lies in the ranges, as far as that can be told; else guesses.
fn undo_right(op: BinaryOp, ranges: &[(i128, i128)], v: i128) -> Ranges {
    match op {
        BinaryOp::Sub => {
            let end = |n: i128| match n {
                i128::MIN => i128::MAX,
                i128::MAX => i128::MIN,
                n => v.saturating_sub(n),
            };
            ranges.iter().map(|&(lo, hi)| (end(hi), end(lo))).collect()
        }
        BinaryOp::Add | BinaryOp::Mul | BinaryOp::Xor => undo_left(op, ranges, v),
        _ => ranges.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::nonzero;
    use heapwise_ir::IntTy;

    const INT: IntTy = IntTy { bits: 32, signed: true };

    /// `x0 * 3 + 7 == x1`, `x1 > 100`, flipped from false.
    #[test]
    fn linear_conditions_over_two_inputs_are_solved() {
        let mut terms = Terms::default();
        let mut add = |n| terms.add(n).expect("room");
        let (x, y) = (add(Node::Input(0)), add(Node::Input(1)));
        let (three, seven, hundred) = (add(Node::Const(3)), add(Node::Const(7)), add(Node::Const(100)));
        let product = add(Node::Binary(BinaryOp::Mul, x, three, INT));
        let sum = add(Node::Binary(BinaryOp::Add, product, seven, INT));
        let large = add(Node::Compare(CompareOp::Gt, sum, hundred));
        let equal = add(Node::Compare(CompareOp::Eq, sum, y));
        let condition = |term, now: Ranges, others: Vec<Ranges>| Condition {
            term,
            now,
            others,
            site: 0,
            calls: 0,
            draws: 2,
        };
        let path = [condition(large, nonzero(), Vec::new()), condition(equal, vec![(0, 0)], vec![nonzero()])];
        let question =
            Question { terms: &terms, inputs: &[40, 0], kinds: &[InputKind::Int(INT); 2], constants: &[] };
        let new =
            question.solve(&path[..1], Goal { term: equal, ranges: nonzero() }, &mut 0).expect("a solution");
        let value = |i: u32| new.get(&i).copied().unwrap_or([40, 0][i as usize]);
        assert_eq!(value(0) * 3 + 7, value(1));
        assert!(value(1) > 100);
    }

    #[test]
    fn what_no_input_satisfies_is_not_solved() {
        let mut terms = Terms::default();
        let x = terms.add(Node::Input(0)).expect("room");
        let condition = |term, now| Condition { term, now, others: Vec::new(), site: 0, calls: 0, draws: 1 };
        let path = [condition(x, vec![(5, 9)]), condition(x, vec![(5, 7)])];
        let question =
            Question { terms: &terms, inputs: &[6], kinds: &[InputKind::Int(INT)], constants: &[] };
        let solve = |ranges| question.solve(&path[..1], Goal { term: x, ranges }, &mut 0);
        assert_eq!(solve(vec![(10, 20)]), None);
        assert_eq!(solve(vec![(8, 20)]).map(|s| s[&0]), Some(8));
    }

    /// `7 < x`, wanted with much room between.
    #[test]
    fn a_comparison_is_met_by_far() {
        let mut terms = Terms::default();
        let mut add = |n| terms.add(n).expect("room");
        let (x, seven) = (add(Node::Input(0)), add(Node::Const(7)));
        let less = add(Node::Compare(CompareOp::Lt, seven, x));
        let question =
            Question { terms: &terms, inputs: &[0], kinds: &[InputKind::Int(INT)], constants: &[] };
        let far = question.far(less, &nonzero(), 5_000).expect("one side is far from the other");
        assert_eq!(question.solve(&[], far, &mut 0).map(|s| s[&0]), Some(5_007));
        assert!(question.far(x, &nonzero(), 5_000).is_none());
    }
}
