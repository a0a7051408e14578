//! What is looked for in a whole program before it is translated: what has an address that is used, and whether constants may
//! be written.

use heapwise_ir::visit::{Access, statement_operands, statement_places, terminator_operand};
use heapwise_ir::{
    Const, FuncId, FunctionBody, GlobalId, GlobalInit, GlobalKind, InitValue, Operand, PlaceBase, Program,
};
use rustc_hash::FxHashSet;

/// All functions whose address a function or an initialiser takes, in order.
pub(crate) fn addressed_functions(source: &Program) -> Vec<FuncId> {
    let mut found = std::collections::BTreeSet::new();
    let mut operand = |o: &Operand| {
        if let Operand::Const(Const::Function { func, .. }) = o {
            found.insert(*func);
        }
    };
    for f in source.functions.iter() {
        let FunctionBody::Defined(body) = &f.body else { continue };
        for block in body.blocks.iter() {
            block.statements.iter().for_each(|s| statement_operands(s, &mut operand));
            terminator_operand(&block.terminator).into_iter().for_each(&mut operand);
        }
    }
    for g in source.globals.iter() {
        let GlobalInit::Data(pieces) = &g.init else { continue };
        for piece in pieces {
            if let InitValue::FunctionAddr(func) = piece.value {
                found.insert(func);
            }
        }
    }
    found.into_iter().collect()
}

/// All globals whose address a function or an initialiser takes.
pub(crate) fn addressed_globals(source: &Program) -> FxHashSet<GlobalId> {
    let mut found = FxHashSet::default();
    let mut operand = |o: &Operand| {
        if let Operand::Const(Const::Global { global, .. }) = o {
            found.insert(*global);
        }
    };
    for f in source.functions.iter() {
        let FunctionBody::Defined(body) = &f.body else { continue };
        for block in body.blocks.iter() {
            for s in &block.statements {
                statement_operands(s, &mut operand);
            }
            if let Some(o) = terminator_operand(&block.terminator) {
                operand(o);
            }
        }
    }
    for f in source.functions.iter() {
        let FunctionBody::Defined(body) = &f.body else { continue };
        for s in body.blocks.iter().flat_map(|b| &b.statements) {
            statement_places(s, &mut |place, access| {
                if let (PlaceBase::Global(g), Access::Address) = (&place.base, access) {
                    found.insert(*g);
                }
            });
        }
    }
    for g in source.globals.iter() {
        if let GlobalInit::Data(pieces) = &g.init {
            for piece in pieces {
                if let InitValue::GlobalAddr { global, .. } = &piece.value {
                    found.insert(*global);
                }
            }
        }
    }
    found
}

/// Whether a pointer may lead to a constant that is a cell.
pub(crate) fn constants_may_be_written(source: &Program, addressed: &FxHashSet<GlobalId>) -> bool {
    let global =
        |g: &GlobalId| source.globals.get(*g).is_some_and(|g| g.constant && g.kind != GlobalKind::Literal);
    let local = |f: &heapwise_ir::Function| match &f.body {
        FunctionBody::Defined(body) => body.locals.iter().any(|l| l.constant && l.address_taken),
        _ => false,
    };
    addressed.iter().any(global) || source.functions.iter().any(local)
}
