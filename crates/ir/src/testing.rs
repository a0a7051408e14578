//! Hand-built bodies for the unit tests of this crate.

use crate::body::{
    Block, BlockId, Body, Local, LocalId, Operand, Statement, StatementKind, Terminator, TerminatorKind,
};
use crate::source::Span;
use crate::types::Ty;

/// A body with the given edges: block `i` goes to `edges[i]`.
pub fn graph(edges: &[&[u32]]) -> Body {
    let mut builder = BodyBuilder::new();
    for targets in edges {
        let kind = match **targets {
            [] => TerminatorKind::Return(None),
            [one] => TerminatorKind::Goto(BlockId(one)),
            _ => TerminatorKind::GotoAddress {
                address: Operand::Const(crate::Const::Undefined(Ty(0))),
                targets: targets.iter().copied().map(BlockId).collect(),
            },
        };
        builder.block(vec![], kind);
    }
    builder.finish()
}

/// Builds a body block by block, without spans.
#[derive(Default)]
pub struct BodyBuilder {
    body: Body,
}

impl BodyBuilder {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }
    /// Adds a parameter.
    pub fn param(&mut self, name: &str, ty: Ty) -> LocalId {
        let id = self.local(name, ty);
        self.body.params.push(id);
        id
    }
    /// Adds a named local.
    pub fn local(&mut self, name: &str, ty: Ty) -> LocalId {
        let name = (!name.is_empty()).then(|| name.into());
        self.body.locals.push(Local {
            name,
            ty,
            align: None,
            address_taken: false,
            constant: false,
            span: Span::default(),
        })
    }
    /// Adds a temporary.
    pub fn temp(&mut self, ty: Ty) -> LocalId {
        self.local("", ty)
    }
    /// Adds the next block.
    pub fn block(&mut self, statements: Vec<StatementKind>, terminator: TerminatorKind) -> BlockId {
        let span = Span::default();
        self.body.blocks.push(Block {
            statements: statements.into_iter().map(|kind| Statement { kind, span }).collect(),
            terminator: Terminator { kind: terminator, span },
        })
    }
    /// The body, with the `address_taken` flags set.
    pub fn finish(mut self) -> Body {
        let mut taken = Vec::new();
        for statement in self.body.blocks.iter().flat_map(|b| &b.statements) {
            crate::visit::statement_locals(statement, &mut |l, access| {
                if access == crate::visit::Access::Address {
                    taken.push(l);
                }
            });
        }
        for l in taken {
            if let Some(local) = self.body.locals.get_mut(l) {
                local.address_taken = true;
            }
        }
        self.body
    }
}
