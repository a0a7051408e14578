//! Shorter and smaller inputs with the same error: what a person wants to read.
//!
//! Inputs are dropped from the end, then one by one, then replaced by 0 and 1. Every attempt is a run. Cost: at most
//! [`MAX_ATTEMPTS`] runs.

use heapwise_interp::{ErrorKind, InputValue};
use std::cell::Cell;

/// Most runs.
const MAX_ATTEMPTS: usize = 300;

/// A run on inputs followed by zeros: the error and all inputs it drew, if it ends in one that counts.
type Attempt<'a> = dyn FnMut(&[InputValue]) -> Option<(ErrorKind, Vec<InputValue>)> + 'a;

/// The shortest inputs found, exactly as many as the run draws.
pub fn shorten(
    inputs: Vec<InputValue>,
    is_over: &dyn Fn() -> bool,
    attempt: &mut Attempt<'_>,
) -> Vec<InputValue> {
    let Some((kind, mut best)) = attempt(&inputs) else { return inputs };
    let attempts = Cell::new(0);
    let given_up = || attempts.get() >= MAX_ATTEMPTS || is_over();
    let mut improve = |candidate: &[InputValue], best: &mut Vec<InputValue>| -> bool {
        if given_up() {
            return false;
        }
        attempts.set(attempts.get() + 1);
        match attempt(candidate) {
            Some((k, drawn)) if k == kind && (drawn.len(), size(&drawn)) < (best.len(), size(best)) => {
                *best = drawn;
                true
            }
            _ => false,
        }
    };
    let mut length = best.len() / 2;
    while length > 0 && !given_up() {
        if best.len() > length {
            let cut = best[..best.len() - length].to_vec();
            if improve(&cut, &mut best) {
                continue;
            }
        }
        length /= 2;
    }
    let mut changed = true;
    while changed {
        changed = false;
        let mut i = best.len();
        // A candidate is a copy of all inputs: none is made that is not tried.
        while i > 0 && !given_up() {
            i -= 1;
            if i >= best.len() {
                continue;
            }
            let mut without = best.clone();
            without.remove(i);
            if improve(&without, &mut best) {
                changed = true;
                continue;
            }
            for v in [0, 1] {
                let mut other = best.clone();
                if let Some(slot) = other.get_mut(i)
                    && magnitude(slot) > v
                {
                    *slot = InputValue::Int(v as i128);
                    if improve(&other, &mut best) {
                        changed = true;
                        break;
                    }
                }
            }
        }
    }
    best
}

fn magnitude(v: &InputValue) -> u128 {
    match v {
        InputValue::Int(n) => n.unsigned_abs(),
        InputValue::Float(x) => x.abs() as u128,
    }
}

fn size(inputs: &[InputValue]) -> u128 {
    inputs.iter().fold(0, |sum, v| sum.saturating_add(magnitude(v)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_error_needs_is_left() {
        // The error needs a 7 somewhere and draws up to it.
        let mut attempt = |inputs: &[InputValue]| {
            let at = inputs.iter().position(|v| *v == InputValue::Int(7))?;
            Some((ErrorKind::NullDeref, inputs[..=at].to_vec()))
        };
        let inputs = [5, 3, 7, 9, 9].map(InputValue::Int).to_vec();
        assert_eq!(shorten(inputs, &|| false, &mut attempt), [InputValue::Int(7)]);
    }
}
