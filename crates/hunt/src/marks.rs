//! Which places hold values that depend on inputs, and how: the memory of a proof by execution.
//!
//! **Invariant:** marks of one object do not overlap. Reading part of a marked value, or more than it, gives up.

use crate::term::{Ranges, compare};
use heapwise_interp::ObjectId;
use heapwise_ir::{CompareOp, LocalId};
use std::collections::BTreeMap;

/// Inputs are used in a way that is not followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GivenUp;

/// Where a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spot {
    /// A local without an address, by the depth of its frame.
    Local(usize, LocalId),
    /// Bytes of an object, by their offset.
    Bytes(ObjectId, u64),
}

/// How a value depends on an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// It is the input, which lies in this range.
    Same((i128, i128)),
    /// It is 1 if the input lies in these ranges, else 0.
    Test(Ranges),
}

/// A value that depends on one input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    /// Its number among the draws.
    pub input: usize,
    /// How it depends on it.
    pub form: Form,
}

impl Mark {
    /// The values that it may have.
    pub fn range(&self) -> (i128, i128) {
        match self.form {
            Form::Same(range) => range,
            Form::Test(_) => (0, 1),
        }
    }

    /// The comparison of the value with a number: itself a test of the input, or no test at all.
    pub fn compared(self, op: CompareOp, n: i128) -> Option<Mark> {
        let form = match self.form {
            Form::Same(_) => Form::Test(super::solve::meeting(op, n, true)),
            Form::Test(ranges) => match (compare(op, 1, n), compare(op, 0, n)) {
                (true, false) => Form::Test(ranges),
                (false, true) => Form::Test(super::finite::without(&[(i128::MIN, i128::MAX)], &ranges)),
                // The same either way.
                _ => return None,
            },
        };
        Some(Mark { input: self.input, form })
    }
}

/// All marks of a state.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// Of locals without an address, by the depth of their frames.
    locals: BTreeMap<(usize, LocalId), Mark>,
    /// Of bytes of objects: offset, how many, and the mark.
    bytes: Vec<(ObjectId, u64, u64, Mark)>,
}

impl Marks {
    /// Whether nothing depends on inputs.
    pub fn is_empty(&self) -> bool {
        self.locals.is_empty() && self.no_bytes()
    }

    /// Whether nothing in objects depends on inputs.
    pub fn no_bytes(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The mark of a value of some bytes; the number of bytes does not matter for locals.
    pub fn read(&self, spot: Spot, size: u64) -> Result<Option<Mark>, GivenUp> {
        let (id, at) = match spot {
            Spot::Local(depth, local) => return Ok(self.locals.get(&(depth, local)).cloned()),
            Spot::Bytes(id, at) => (id, at),
        };
        let overlaps = |(i, off, n, _): &&(ObjectId, u64, u64, Mark)| {
            *i == id && *off < at.saturating_add(size) && at < off.saturating_add(*n)
        };
        let mut found = self.bytes.iter().filter(overlaps);
        match (found.next(), found.next()) {
            (None, _) => Ok(None),
            (Some((_, off, n, mark)), None) if *off == at && *n == size => Ok(Some(mark.clone())),
            _ => Err(GivenUp),
        }
    }

    /// Overwrites some bytes; gives up if a marked value is overwritten in part.
    pub fn write(&mut self, spot: Spot, size: u64, mark: Option<Mark>) -> Result<(), GivenUp> {
        let (id, at) = match spot {
            Spot::Local(depth, local) => {
                match mark {
                    Some(mark) => self.locals.insert((depth, local), mark),
                    None => self.locals.remove(&(depth, local)),
                };
                return Ok(());
            }
            Spot::Bytes(id, at) => (id, at),
        };
        let end = at.saturating_add(size);
        self.bytes.retain(|(i, off, n, _)| *i != id || *off < at || off.saturating_add(*n) > end);
        if self.bytes.iter().any(|(i, off, n, _)| *i == id && *off < end && at < off.saturating_add(*n)) {
            return Err(GivenUp);
        }
        if let Some(mark) = mark {
            self.bytes.push((id, at, size, mark));
        }
        Ok(())
    }

    /// Drops the marks of locals of frames this deep and deeper.
    pub fn forget_frames(&mut self, depth: usize) {
        self.locals.split_off(&(depth, LocalId(0)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_of_tests_are_tests() {
        let mark = Mark { input: 0, form: Form::Same((-8, 7)) };
        let less = mark.compared(CompareOp::Lt, 3).expect("a test");
        assert_eq!(less.form, Form::Test(vec![(i128::MIN, 2)]));
        let not = less.clone().compared(CompareOp::Eq, 0).expect("a test");
        assert_eq!(not.form, Form::Test(vec![(3, i128::MAX)]));
        assert_eq!(less.compared(CompareOp::Lt, 5), None);
    }

    #[test]
    fn parts_of_a_marked_local_do_not_exist() {
        let mut marks = Marks::default();
        let spot = Spot::Local(1, LocalId(0));
        let mark = Mark { input: 0, form: Form::Same((0, 1)) };
        marks.write(spot, 4, Some(mark.clone())).expect("nothing is there");
        assert_eq!(marks.read(spot, 0), Ok(Some(mark)));
        assert_eq!(marks.read(Spot::Local(2, LocalId(0)), 0), Ok(None));
        marks.forget_frames(1);
        assert!(marks.is_empty());
    }
}
