//! The library functions that the tool models, in one table.
//!
//! A function without a body in the program is looked up here by name. The interpreter and the analyses both
//! dispatch on [`LibFn`]; `docs/library.md` says what each model assumes.

/// A modelled library function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum LibFn {
    /// `malloc`.
    Malloc,
}

impl LibFn {
    /// The model for an external function of that name.
    pub fn lookup(name: &str) -> Option<LibFn> {
        match name {
            "malloc" => Some(LibFn::Malloc),
            _ => None,
        }
    }
}
