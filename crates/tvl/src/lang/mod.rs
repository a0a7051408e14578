//! TVLA's input language: TVP programs and TVS structures.
//!
//! [`source`] turns text into tokens and runs the small preprocessor, [`parse`] builds the syntax tree,
//! [`build`] expands sets and `foreach`, declares predicates, generates constraints and instantiates
//! actions, [`tvs`] reads structures. Includes are resolved by a callback, so nothing here touches files.

mod actions;
pub mod ast;
pub mod build;
mod condition;
mod lex;
mod names;
pub mod parse;
pub mod source;
pub mod tvs;

use std::fmt;

/// A mistake in the input, with where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LangError {
    /// File as named by the caller or an include.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// What was found and what was expected.
    pub message: String,
}

impl fmt::Display for LangError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)
    }
}

impl std::error::Error for LangError {}

/// Finds an included file: given the name in the directive and the including file, its path and text.
pub type Includer<'a> = dyn FnMut(&str, &str) -> Result<(String, String), String> + 'a;

/// Reads a TVP program: preprocess, parse and build.
pub fn read_program(file: &str, text: &str, include: &mut Includer<'_>) -> Result<build::Spec, LangError> {
    let tokens = source::tokens(file, text, include)?;
    let tree = parse::program(&tokens)?;
    build::spec(&tree, &|name| tokens.iter().any(|t| matches!(&t.kind, source::Kind::Ident(s) if s == name)))
}

/// Reads a TVS file over the vocabulary of a program.
pub fn read_structures(
    spec: &build::Spec,
    file: &str,
    text: &str,
    unmentioned: tvs::Unmentioned,
    include: &mut Includer<'_>,
) -> Result<Vec<crate::structure::Structure>, LangError> {
    let tokens = source::tokens(file, text, include)?;
    tvs::structures(spec, &tokens, unmentioned)
}
