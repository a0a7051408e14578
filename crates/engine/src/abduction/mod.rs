//! Contracts of open code: what functions need and what they leave, found without their callers.
//!
//! A *contract* of a function is a precondition and a postcondition in the language of `docs/predicates.md`. It says: from every
//! memory that the precondition describes, with any values for what it does not mention, the function runs without an error, and
//! every memory in which it returns is one that the postcondition describes. Other memory is neither read nor changed (the frame
//! rule): the function is verified in a world in which there is none.
//!
//! # How contracts are found
//!
//! Bi-abduction asks at each statement for the missing part M and the frame F in `P * M ⊨ Q * F` (Calcagno, Distefano, O'Hearn,
//! Yang 2009; seed text on bi-abduction with a join, ch. 3). Here it is a loop around the analysis that exists. A function is run
//! from a *start* ([`start`]) in which at first nothing is known of its arguments. Where it follows a pointer behind which nothing is
//! known, the run notes who holds that pointer ([`crate::demand`]): the missing part is a block of the pointer's type
//! there. It is added to the start and the function is run again ([`refine`]). The current state needs no missing part of its own
//! then, frames are those of the analysis, and where paths meet joins see states with the same start.
//!
//! A loop or recursion asks for block after block. The missing part is generalised to a structure over the links that were asked for
//! ([`family`]): a list, a doubly-linked list, a ring, a tree, with or without pointers back, whose elements may own others. A pointer
//! may be null as long as no run follows it where it is; then it is not.
//!
//! A run without an alarm ends the search. The states in which the function returns become formulas ([`express`]).
//!
//! # What is promised
//!
//! **Invariant (verified):** every contract that comes out of here was verified by [`crate::contracts::verify`] from its own
//! text, precondition and postcondition parsed again. The search only proposes: none of its guesses is trusted.
//!
//! Not promised: that there is no weaker precondition, that every function has a contract ([`Inferred::why_not`] says what was in the way
//! at last), or that one contract is all that can be said. Arguments are separate from each other unless they are not
//! followed; functions that are given the same memory twice have no contract for that.
//!
//! Recursion is that of the analysis: a function is run with its callees, which are tabulated; so are calls of itself.
//!
//! # Cost
//!
//! A run costs what an attempt of the analysis costs on one function with its callees. Each adds a block or chooses a structure, and there
//! are [`MAX_RUNS`] at most; most functions need two to five.

pub mod compare;
pub mod example;
mod express;
mod family;
mod fields;
mod infer;
mod refine;
mod start;

pub use infer::{Limits, MAX_RUNS, infer, infer_function, infer_unknown};

use heapwise_ir::{FuncId, Span};
use heapwise_property::Alarm;

/// A contract that was verified.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The clauses of the precondition; they hold together in separate memory.
    pub requires: Vec<String>,
    /// The cases of the postcondition.
    pub ensures: Vec<String>,
    /// Whether the function may end the program instead of returning.
    pub may_exit: bool,
    /// The predicates that it needs, as declarations.
    pub predicates: Vec<String>,
}

/// What was found out about a function.
#[derive(Clone, Debug)]
pub struct Inferred {
    /// The function.
    pub function: FuncId,
    /// Its name.
    pub name: String,
    /// The names of its parameters.
    pub params: Vec<String>,
    /// Where it is defined.
    pub span: Span,
    /// Its contracts.
    pub contracts: Vec<Found>,
    /// Why there is none: the first thing that was in the way, in a sentence without a full stop.
    pub why_not: Option<String>,
    /// What may go wrong from the start that came furthest.
    pub alarms: Vec<Alarm>,
    /// The precondition from which that was found.
    pub from: Vec<String>,
    /// The predicates that it needs.
    pub from_predicates: Vec<String>,
    /// Runs that were needed.
    pub runs: usize,
    /// Disjuncts that were joined in them.
    pub joins: usize,
}

impl Found {
    /// The clauses as text after `contract f(…)`, or in a comment before the function.
    pub fn clauses(&self) -> String {
        let mut text = String::new();
        let requires = if self.requires.is_empty() { vec!["emp".to_owned()] } else { self.requires.clone() };
        for clause in requires {
            text.push_str(&format!("requires {clause};\n"));
        }
        text.push_str(&format!("ensures {};\n", self.ensures.join("\n      | ")));
        if self.may_exit {
            text.push_str("may exit;\n");
        }
        text
    }
}

impl Inferred {
    /// The function's contracts as the text of a `.shape` file.
    pub fn shape_text(&self, found: &Found) -> String {
        let mut text = found.predicates.join("\n");
        text.push_str(&format!("\ncontract {}({})\n{}", self.name, self.params.join(", "), found.clauses()));
        text
    }
}
