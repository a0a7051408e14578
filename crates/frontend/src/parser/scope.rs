//! Which identifiers name types here.
//!
//! One table from symbols to what their innermost declaration makes them, and an undo log of shadowed entries:
//! entering a scope notes the length of the log, leaving it rolls the log back. All operations are O(1), leaving
//! a scope amortised.

use crate::lexer::Tok;
use crate::lexer_keywords::Keywords;
use crate::symbol::Symbol;

/// What the innermost declaration of a name makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Binding {
    /// Never declared.
    Unbound,
    /// A typedef name.
    Typedef,
    /// A variable, function, parameter or enumeration constant.
    Object,
    /// A keyword as long as nothing of that name is declared; also a type name that cannot be supported.
    Soft(Tok),
}

/// Symbols above this are not tracked, so that a foreign symbol cannot make the table huge.
const MAX_SYMBOLS: usize = 1 << 28;

pub(super) struct Scopes {
    bindings: Vec<Binding>,
    undo: Vec<(Symbol, Binding)>,
    marks: Vec<usize>,
}

impl Scopes {
    pub fn new(keywords: &Keywords) -> Self {
        let mut scopes = Scopes { bindings: Vec::new(), undo: Vec::new(), marks: Vec::new() };
        for &(symbol, kind) in keywords.soft() {
            scopes.bind(symbol, Binding::Soft(kind));
        }
        scopes
    }

    #[inline]
    pub fn get(&self, symbol: Symbol) -> Binding {
        self.bindings.get(symbol.0 as usize).copied().unwrap_or(Binding::Unbound)
    }

    pub fn bind(&mut self, symbol: Symbol, binding: Binding) {
        let index = symbol.0 as usize;
        if index >= self.bindings.len() {
            if index >= MAX_SYMBOLS {
                return;
            }
            let length = (index + 1).next_power_of_two();
            self.bindings.resize(length, Binding::Unbound);
        }
        if let Some(slot) = self.bindings.get_mut(index)
            && *slot != binding
        {
            if !self.marks.is_empty() {
                self.undo.push((symbol, *slot));
            }
            *slot = binding;
        }
    }

    pub fn push(&mut self) {
        self.marks.push(self.undo.len());
    }

    pub fn pop(&mut self) {
        if let Some(mark) = self.marks.pop() {
            for (symbol, binding) in self.undo.drain(mark.min(self.undo.len())..).rev() {
                if let Some(slot) = self.bindings.get_mut(symbol.0 as usize) {
                    *slot = binding;
                }
            }
        }
    }

    /// Number of open scopes besides file scope.
    pub fn depth(&self) -> usize {
        self.marks.len()
    }

    pub fn pop_to(&mut self, depth: usize) {
        while self.marks.len() > depth {
            self.pop();
        }
    }
}
