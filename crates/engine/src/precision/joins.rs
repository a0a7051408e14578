//! What joins may give up: the only home of thresholds on iterations, rounds and crowds.
//!
//! Where disjuncts meet, the more of them there are and the longer a loop or a recursion has been iterated, the less keeps them
//! apart. Each function here answers for one place of the engine; none of the answers matters for soundness, since a join
//! is an upper bound whatever it gives up.

use super::{Grows, Precision};
use crate::thresholds::Thresholds;
use heapwise_heap::lattice::join::JoinOptions;

/// More disjuncts than this at a loop head are too many to be patient with; twice as many end all patience.
const CROWDED: usize = 10;
/// Disjuncts that need not be joined during unrolling, and exits of a block that returns that need not be folded.
const FEW: usize = 6;
/// Iterations that are kept apart at a loop that asks for it: programs count to twenty or so with constants of their own.
const FIRST_ITERATIONS: usize = 24;
/// Iterations that widen to the constants of the program; later ones go to the limits of the types.
const FINE_WIDENING: usize = 6;
/// Iterations before different constants in a variable no longer keep disjuncts apart.
const KEEP_CONSTANTS: usize = 4;
/// Iterations before the numbers that elements hold no longer keep structures apart.
const KEEP_NUMBERS: usize = 9;
/// Rounds of a recursive function before the numbers that elements hold no longer keep its exits apart.
const KEEP_NUMBERS_AT_EXITS: usize = 4;
/// Rounds before different constants no longer keep exits apart, and before nothing else does.
const KEEP_AT_EXITS: (usize, usize) = (3, 12);
/// Exits that are left as they are.
const FEW_EXITS: usize = 3;
/// More exits than this are folded before they are compared.
const CROWD_OF_EXITS: usize = 6;
/// Open entries of a recursive function before numbers and constants no longer keep them apart.
const KEEP_AT_RECURSION: usize = 4;
/// Nested calls of one function before its entries are widened.
const RECURSION_UNROLL: usize = 2;
/// Entries of a recursive function that may be open at once: each is wider than one before it, or has no description in
/// common with them.
const OPEN_ENTRIES: usize = 12;
/// Those in an eager attempt, in which they become wide soon: one for each order that cursors may have, several times.
const EAGER_ENTRIES: usize = 40;
/// Entries of a function that are left as they are.
const FEW_ENTRIES: usize = 4;

/// Many disjuncts that differ in the same way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Crowd {
    /// By whether structures are empty.
    Emptiness,
    /// By numbers.
    Numbers,
}

/// What joins may give up under a precision.
#[derive(Clone, Copy)]
pub(crate) struct JoinPolicy<'p> {
    precision: Precision,
    thresholds: &'p Thresholds,
    /// What is told apart at this place, if anything.
    kept: Option<Grows>,
}

impl<'p> JoinPolicy<'p> {
    pub(crate) fn new(precision: Precision, thresholds: &'p Thresholds) -> JoinPolicy<'p> {
        JoinPolicy { precision, thresholds, kept: None }
    }

    /// The same at a loop; whether there is an entry for it.
    pub(crate) fn at_loop(self, has_entry: bool) -> JoinPolicy<'p> {
        JoinPolicy { kept: self.precision.grows.filter(|_| has_entry), ..self }
    }

    /// Iterations of a loop before disjuncts are abstracted.
    pub(crate) fn unroll(&self) -> usize {
        match self.kept {
            Some(Grows::Iterations) => FIRST_ITERATIONS,
            Some(Grows::Objects) | None => self.precision.unroll(),
        }
    }

    /// All is kept that can keep disjuncts apart.
    fn keep_all(&self) -> JoinOptions<'p> {
        JoinOptions {
            widen: None,
            keep_constants: true,
            keep_flags: true,
            keep_null: true,
            keep_ways: true,
            keep_numbers: true,
            numbers: self.precision.numbers,
            keep_objects: true,
            guided: true,
            bold: false,
        }
    }

    /// Whether so many disjuncts are a crowd where paths meet; less is one where the function is about to return.
    pub(crate) fn is_crowd(disjuncts: usize, way_out: bool) -> bool {
        disjuncts > if way_out { FEW } else { CROWDED }
    }

    /// So many disjuncts are kept before those are joined that differ by numbers.
    pub(crate) const CROWD_KEPT: usize = 2 * CROWDED;

    /// So many disjuncts are kept before those are joined that differ by whether pointers are null: fewer where that has helped
    /// before.
    pub(crate) fn crowd_kept(again: bool) -> usize {
        if again { FEW } else { Self::CROWD_KEPT }
    }

    /// Whether so many disjuncts are few: nothing is gained by joining them.
    pub(crate) fn are_few(disjuncts: usize) -> bool {
        disjuncts <= FEW
    }

    /// Whether a disjunct that comes to a loop head is kept as it is for now. A structure that is known already needs no
    /// unrolling if that makes many disjuncts.
    pub(crate) fn unrolls(&self, iteration: usize, has_structure: bool, crowd: usize) -> bool {
        iteration < self.unroll() && (!has_structure || crowd < FEW)
    }

    /// What tells disjuncts apart is given up late, unless it makes too many of them.
    fn patience(&self, crowd: usize) -> usize {
        match crowd {
            _ if self.precision.is_eager() => 0,
            n if n <= CROWDED => 4,
            n if n <= 2 * CROWDED => 1,
            _ => 0,
        }
    }

    /// At a loop head with so many disjuncts.
    pub(crate) fn at_head(&self, iteration: usize, crowd: usize) -> JoinOptions<'p> {
        let (patience, unroll) = (self.patience(crowd), self.unroll());
        // Where more is unrolled, more is expected of it.
        let later = 2 * unroll.saturating_sub(2);
        let objects = self.kept == Some(Grows::Objects);
        JoinOptions {
            widen: match iteration {
                _ if iteration <= unroll => None,
                _ if iteration <= unroll + FINE_WIDENING => Some(&self.thresholds.fine),
                _ => Some(&self.thresholds.coarse),
            },
            keep_constants: iteration < later + KEEP_CONSTANTS && patience > 0,
            keep_flags: iteration < patience * 2 * KEEP_CONSTANTS,
            keep_null: iteration < patience * 2 * KEEP_CONSTANTS,
            keep_ways: iteration < patience.max(1) * 2 * KEEP_CONSTANTS,
            keep_numbers: iteration < patience * KEEP_NUMBERS,
            numbers: self.precision.numbers,
            keep_objects: objects && iteration < patience * KEEP_NUMBERS,
            guided: true,
            bold: self.precision.is_eager(),
        }
    }

    /// Where paths meet outside of loop heads, for strategies that join there.
    pub(crate) fn at_meeting(&self) -> JoinOptions<'p> {
        let keep = !self.precision.is_eager();
        JoinOptions {
            keep_null: keep,
            keep_numbers: keep,
            keep_objects: keep,
            bold: !keep,
            ..self.keep_all()
        }
    }

    /// After a call on the way out of a function.
    pub(crate) fn on_way_out(&self) -> JoinOptions<'p> {
        JoinOptions {
            keep_numbers: false,
            keep_objects: false,
            bold: self.precision.is_eager(),
            ..self.keep_all()
        }
    }

    /// In a crowd, whatever is not what makes it one.
    pub(crate) fn in_crowd(&self, crowd: Crowd) -> JoinOptions<'p> {
        match crowd {
            Crowd::Emptiness => JoinOptions { keep_null: false, ..self.keep_all() },
            Crowd::Numbers => JoinOptions { keep_constants: false, keep_numbers: false, ..self.keep_all() },
        }
    }

    /// At the exits of a function in a round of its analysis, with so many known; `folded` as a caller would get them.
    pub(crate) fn at_exit(&self, round: usize, known: usize, folded: bool) -> JoinOptions<'p> {
        let (soon, late) = KEEP_AT_EXITS;
        JoinOptions {
            widen: (round > 1).then_some(&self.thresholds.coarse),
            keep_constants: round < soon,
            keep_flags: round < late && !folded || round < soon,
            keep_null: round < late && !folded,
            keep_ways: round < late,
            keep_numbers: self.keeps_numbers_at_exit(round) && !folded,
            numbers: self.precision.numbers,
            keep_objects: round == 0 && !Self::are_many_exits(known) && !folded,
            guided: true,
            bold: self.precision.is_eager(),
        }
    }

    /// Whether numbers in elements still keep exits apart in a round.
    pub(crate) fn keeps_numbers_at_exit(&self, round: usize) -> bool {
        round < KEEP_NUMBERS_AT_EXITS
    }

    /// Whether so many exits are known that what was changed in a structure becomes part of it again.
    pub(crate) fn are_many_exits(known: usize) -> bool {
        known > FEW_EXITS
    }

    /// Whether so many exits are folded before they are compared.
    pub(crate) fn is_crowd_of_exits(&self, exits: usize) -> bool {
        self.precision.is_narrow() && exits > CROWD_OF_EXITS
    }

    /// Whether a further entry of a function is made more general, where so many are known.
    pub(crate) fn generalises_entry(&self, known: usize, has_loops: bool) -> bool {
        // What a function without loops looked at is often what its caller needs afterwards.
        self.precision.is_narrow() && if self.precision.is_eager() { has_loops } else { known >= FEW_ENTRIES }
    }

    /// Whether a call is widened into an open entry of the same function, where so many are open.
    pub(crate) fn widens_recursion(&self, open: usize) -> bool {
        open >= if self.precision.is_eager() { 1 } else { RECURSION_UNROLL }
    }

    /// Whether more entries of a recursive function are open than can be followed.
    pub(crate) fn is_deep_recursion(&self, open: usize) -> bool {
        open > if self.precision.is_eager() { EAGER_ENTRIES } else { OPEN_ENTRIES }
    }

    /// At a recursive call with so many open entries.
    pub(crate) fn at_recursion(&self, open: usize) -> JoinOptions<'p> {
        let eager = self.precision.is_eager();
        let keep = open < KEEP_AT_RECURSION && !eager;
        JoinOptions {
            widen: Some(&self.thresholds.coarse),
            keep_constants: keep,
            keep_flags: !eager,
            keep_null: !eager,
            keep_ways: true,
            keep_numbers: keep,
            numbers: self.precision.numbers,
            keep_objects: false,
            guided: true,
            bold: eager,
        }
    }
}
