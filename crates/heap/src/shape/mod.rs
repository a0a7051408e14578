//! The predicate language: what a user writes about shapes, from text to definitions and states.
//!
//! The same formulas serve predicates (`predicate list(x) = x == null | x -> struct node { next: n } * list(n);`),
//! contracts (`requires list(l); ensures list(\result);`) and assumptions inside functions. The way is
//! text → tokens ([`lexer`]) → tree ([`ast`], [`parser`]) → definitions ([`resolve`]) or states ([`formula`]).
//! `docs/predicates.md` has the grammar and examples.
//!
//! Struct and field names are looked up through [`Layouts`], so that nothing here depends on where types come from.
//! Errors are values with a byte range in the text; whoever knows the file turns it into line and column.

pub mod ast;
pub mod formula;
pub mod layout;
pub mod lexer;
pub mod parser;
pub mod resolve;

pub use formula::{Env, Instance};
pub use layout::Layouts;
pub use parser::{is_reserved, parse_annotation, parse_file, parse_formula};
pub use resolve::Declared;

use std::ops::Range;

/// What is wrong with a text, and where in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShapeError {
    /// Byte range in the text.
    pub at: Range<usize>,
    /// One sentence without a final full stop: what was found and what was expected.
    pub message: String,
}

impl ShapeError {
    /// An error about a range.
    pub fn new(at: Range<usize>, message: impl Into<String>) -> ShapeError {
        ShapeError { at, message: message.into() }
    }

    /// Line and column, both from 1, of the error in its text.
    pub fn line_column(&self, text: &str) -> (usize, usize) {
        let before = text.as_bytes().get(..self.at.start.min(text.len())).unwrap_or_default();
        let line = 1 + before.iter().filter(|b| **b == b'\n').count();
        let column = 1 + before.iter().rev().take_while(|b| **b != b'\n').count();
        (line, column)
    }
}

/// A result with the place of the error.
pub type ShapeResult<T> = Result<T, ShapeError>;

#[cfg(test)]
mod tests;
