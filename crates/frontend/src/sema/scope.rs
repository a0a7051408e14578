//! Scopes: what an identifier or a tag means at a point of the text.
//!
//! One table per name space, indexed by symbol, holds the innermost meaning; entering a scope sets a mark in an
//! undo log and leaving it restores what was hidden. Lookup is one array access.

use crate::ctype::{CTy, EnumId, QualTy};
use crate::symbol::Symbol;
use heapwise_ir::{Const, FuncId, GlobalId, LocalId, RecordId, Span};

/// The meaning of an identifier.
#[derive(Clone, Debug)]
pub(super) enum Decl {
    Typedef {
        ty: QualTy,
        align: Option<u64>,
    },
    EnumConst {
        value: i128,
        ty: CTy,
    },
    /// A variable of the function. For a variable-length array the local is a pointer to its storage.
    Local {
        id: LocalId,
        ty: QualTy,
        constant: Option<Const>,
    },
    Global {
        id: GlobalId,
        ty: QualTy,
        constant: Option<Const>,
    },
    Function {
        id: FuncId,
        ty: CTy,
    },
    /// A parameter in a prototype: has a type but no object.
    Prototype {
        ty: QualTy,
    },
    /// Its declaration was wrong; every use fails silently.
    Broken,
}

/// The meaning of a tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tag {
    Record(RecordId),
    Enum(EnumId),
}

#[derive(Clone, Copy, Debug)]
enum Undo {
    Name(Symbol, u32),
    Tag(Symbol, u32),
}

#[derive(Clone, Debug)]
struct Entry<T> {
    meaning: T,
    depth: u32,
    span: Span,
}

/// Tags and names that a parameter list declared besides its parameters.
#[derive(Debug, Default)]
pub(super) struct Carried {
    pub(super) tags: Vec<(Symbol, Tag)>,
    pub(super) names: Vec<(Symbol, Decl)>,
}

/// All scopes of a unit.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    names: Vec<u32>,
    tags: Vec<u32>,
    decls: Vec<Entry<Decl>>,
    tag_decls: Vec<Entry<Tag>>,
    undo: Vec<Undo>,
    marks: Vec<(usize, usize)>,
}

fn slot(table: &mut Vec<u32>, symbol: Symbol) -> &mut u32 {
    let i = symbol.0 as usize;
    if i >= table.len() {
        table.resize((i + 1).max(table.len() * 2), 0);
    }
    &mut table[i]
}

impl Scopes {
    /// 0 at file scope.
    pub(super) fn depth(&self) -> u32 {
        self.marks.len() as u32
    }
    pub(super) fn enter(&mut self) {
        self.marks.push((self.undo.len(), self.decls.len()));
    }
    pub(super) fn leave(&mut self) {
        let Some((mark, decls)) = self.marks.pop() else { return };
        while self.undo.len() > mark {
            match self.undo.pop() {
                Some(Undo::Name(symbol, old)) => *slot(&mut self.names, symbol) = old,
                Some(Undo::Tag(symbol, old)) => *slot(&mut self.tags, symbol) = old,
                None => break,
            }
        }
        // Entries above the mark may belong to an outer scope only if they were put there by
        // `declare_at_file_scope`; those keep their slot, so only a clean tail is dropped.
        while self.decls.len() > decls && self.decls.last().is_some_and(|d| d.depth > self.depth()) {
            self.decls.pop();
        }
    }
    /// Leaves all scopes but the file's, after a failure.
    pub(super) fn leave_all(&mut self) {
        while !self.marks.is_empty() {
            self.leave();
        }
    }
    pub(super) fn lookup(&self, symbol: Symbol) -> Option<&Decl> {
        let index = *self.names.get(symbol.0 as usize)?;
        Some(&self.decls.get(index.checked_sub(1)? as usize)?.meaning)
    }
    /// The meaning of `symbol` if it was declared in the innermost scope.
    pub(super) fn lookup_here(&self, symbol: Symbol) -> Option<(&Decl, Span)> {
        let index = *self.names.get(symbol.0 as usize)?;
        let entry = self.decls.get(index.checked_sub(1)? as usize)?;
        (entry.depth == self.depth()).then_some((&entry.meaning, entry.span))
    }
    pub(super) fn declare(&mut self, symbol: Symbol, meaning: Decl, span: Span) {
        let depth = self.depth();
        self.decls.push(Entry { meaning, depth, span });
        let new = self.decls.len() as u32;
        let slot = slot(&mut self.names, symbol);
        let old = std::mem::replace(slot, new);
        if depth > 0 {
            self.undo.push(Undo::Name(symbol, old));
        }
    }
    /// Declares at file scope from inside a function, for implicit declarations. Hidden by any other meaning.
    pub(super) fn declare_at_file_scope(&mut self, symbol: Symbol, meaning: Decl, span: Span) {
        self.decls.push(Entry { meaning, depth: 0, span });
        let new = self.decls.len() as u32;
        let slot = slot(&mut self.names, symbol);
        if *slot == 0 {
            *slot = new;
        }
    }
    pub(super) fn lookup_tag(&self, symbol: Symbol) -> Option<Tag> {
        let index = *self.tags.get(symbol.0 as usize)?;
        Some(self.tag_decls.get(index.checked_sub(1)? as usize)?.meaning)
    }
    pub(super) fn lookup_tag_here(&self, symbol: Symbol) -> Option<Tag> {
        let index = *self.tags.get(symbol.0 as usize)?;
        let entry = self.tag_decls.get(index.checked_sub(1)? as usize)?;
        (entry.depth == self.depth()).then_some(entry.meaning)
    }
    pub(super) fn declare_tag(&mut self, symbol: Symbol, meaning: Tag, span: Span) {
        let depth = self.depth();
        self.tag_decls.push(Entry { meaning, depth, span });
        let new = self.tag_decls.len() as u32;
        let slot = slot(&mut self.tags, symbol);
        let old = std::mem::replace(slot, new);
        if depth > 0 {
            self.undo.push(Undo::Tag(symbol, old));
        }
    }
    /// Tags and enumeration constants declared in the innermost scope, to be declared again in another.
    pub(super) fn carried_over(&self) -> Carried {
        let mark = self.marks.last().map_or(0, |m| m.0);
        let (mut tags, mut names) = (Vec::new(), Vec::new());
        for undo in self.undo.get(mark..).unwrap_or_default() {
            match *undo {
                Undo::Tag(symbol, _) => tags.extend(self.lookup_tag(symbol).map(|t| (symbol, t))),
                Undo::Name(symbol, _) => {
                    if let Some(decl @ Decl::EnumConst { .. }) = self.lookup(symbol) {
                        names.push((symbol, decl.clone()));
                    }
                }
            }
        }
        Carried { tags, names }
    }
}
