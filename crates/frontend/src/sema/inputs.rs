//! Volatile objects that something outside of the program changes.
//!
//! A volatile object at file scope that has no initialiser and that the program does not write by its name can only be of use
//! if something else writes it (C23 §6.7.4.1p6): a device, or the environment that programs written for analysers choose
//! by. Each read of it gives any value of its type: of the object itself, its elements or its members, and through
//! pointers to volatile where the address of such an object is taken, or there is no `main`. All other volatile objects behave like plain ones.
//!
//! Checking marks every read of a volatile integer as a call of a function that returns any value and gets the
//! value that was read ([`Checker::volatile_read`]); so the access itself is still there and checked. When all
//! units are known, the marks of plain objects are taken back.
//!
//! One pass over all statements of programs that have such marks.

use super::Checker;
use crate::ctype::{CType, QualTy};
use crate::hir::{CalleeExpr, Expr, ExprKind, Place as HirPlace, PlaceKind};
use heapwise_ir::library::LibFn;
use heapwise_ir::visit::{Access, statement_operands, statement_places, terminator_operand};
use heapwise_ir::{
    Call, Callee, Const, FuncId, Function, FunctionBody, GlobalId, GlobalInit, InitValue, Operand, PlaceBase,
    Program, Rvalue, StatementKind, Ty, Type,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The name of the functions that stand for reads of volatile objects.
const READER: &str = "__VERIFIER_nondet_volatile";

/// The functions that mark reads, by type.
#[derive(Debug, Default)]
pub(super) struct VolatileReads {
    readers: FxHashMap<Ty, FuncId>,
}

impl Checker<'_> {
    /// Marks the read of a volatile integer.
    pub(super) fn volatile_read(&mut self, read: Expr) -> Expr {
        let ty = read.ty;
        let known = self.s.volatile.readers.get(&ty).copied();
        let reader = known.unwrap_or_else(|| {
            let types = &mut self.s.program.types;
            let signature = types.intern(Type::Function { ret: ty, params: Box::new([ty]), variadic: false });
            let id = self.s.program.functions.push(Function {
                name: READER.into(),
                ty: signature,
                internal: true,
                noreturn: false,
                library: Some(LibFn::Nondet),
                body: FunctionBody::Declared,
                span: read.span,
            });
            self.s.volatile.readers.insert(ty, id);
            id
        });
        let span = read.span;
        Expr { kind: ExprKind::Call { callee: CalleeExpr::Direct(reader), args: vec![read] }, ty, span }
    }

    /// Whether a place is in an automatic variable, which nothing outside can know.
    pub(super) fn is_automatic(place: &HirPlace) -> bool {
        match &place.kind {
            PlaceKind::Local(_) | PlaceKind::Literal { .. } | PlaceKind::Temporary(_) => true,
            PlaceKind::Field { base, .. } | PlaceKind::Index { base, .. } => Self::is_automatic(base),
            PlaceKind::Global(_) | PlaceKind::Deref(_) => false,
        }
    }
}

impl super::Sema {
    /// Whether an object of that type is volatile, or a part of it.
    pub(super) fn holds_volatile(&self, ty: QualTy) -> bool {
        ty.quals.is_volatile
            || match self.types.get(ty.ty) {
                CType::Array(elem, _) => self.holds_volatile(*elem),
                CType::Record(id) => {
                    self.records.get(*id).is_some_and(|r| r.members.iter().any(|m| self.holds_volatile(m.ty)))
                }
                _ => false,
            }
    }
}

/// Takes back the marks of reads that give what the program has stored. `volatile` are the volatile objects at file scope
/// without an initialiser.
pub(super) fn settle(
    program: &mut Program,
    reads: VolatileReads,
    volatile: impl IntoIterator<Item = GlobalId>,
) {
    if reads.readers.is_empty() {
        return;
    }
    let mut inputs: FxHashSet<GlobalId> = volatile.into_iter().collect();
    let exposed = uses(program, &mut inputs);
    // What calls the functions of a library may have such objects.
    let is_library = program.function_named("main").is_none();
    let through_pointers = is_library || inputs.iter().any(|g| exposed.contains(g));
    let readers: FxHashSet<FuncId> = reads.readers.into_values().collect();
    for function in program.functions.iter_mut() {
        let FunctionBody::Defined(body) = &mut function.body else { continue };
        for block in body.blocks.iter_mut() {
            let mut read = None;
            for statement in &mut block.statements {
                if let StatementKind::Call(Call { dest, callee: Callee::Direct(f), args }) =
                    &mut statement.kind
                    && readers.contains(f)
                    && let [value] = &args[..]
                {
                    let source = match (&read, value) {
                        (Some((local, base)), Operand::Local(value)) if local == value => Some(base),
                        _ => None,
                    };
                    let is_input = match source {
                        Some(
                            PlaceBase::Global(g)
                            | PlaceBase::Deref(Operand::Const(Const::Global { global: g, .. })),
                        ) => inputs.contains(g),
                        _ => through_pointers,
                    };
                    if !is_input {
                        let value = Rvalue::Use(value.clone());
                        statement.kind = match dest.take() {
                            Some(dest) => StatementKind::Assign { dest, value },
                            None => StatementKind::Nop,
                        };
                    }
                }
                read = match &statement.kind {
                    StatementKind::Assign { dest, value: Rvalue::Load(place) } => {
                        dest.as_local().map(|local| (local, place.base.clone()))
                    }
                    _ => None,
                };
            }
        }
    }
}

/// Leaves those out that the program writes by their names, and returns all whose address it takes.
fn uses(program: &Program, inputs: &mut FxHashSet<GlobalId>) -> FxHashSet<GlobalId> {
    let mut exposed = FxHashSet::default();
    for global in program.globals.iter() {
        let GlobalInit::Data(pieces) = &global.init else { continue };
        for piece in pieces {
            if let InitValue::GlobalAddr { global, .. } = &piece.value {
                exposed.insert(*global);
            }
        }
    }
    let address = |operand: &Operand| match operand {
        Operand::Const(Const::Global { global, .. }) => Some(*global),
        _ => None,
    };
    for function in program.functions.iter() {
        let FunctionBody::Defined(body) = &function.body else { continue };
        for block in body.blocks.iter() {
            for statement in &block.statements {
                statement_operands(statement, &mut |operand| exposed.extend(address(operand)));
                statement_places(statement, &mut |place, access| match (&place.base, access) {
                    (PlaceBase::Global(g), Access::Address) => {
                        exposed.insert(*g);
                    }
                    (PlaceBase::Global(g), Access::Write | Access::PartialWrite) => {
                        inputs.remove(g);
                    }
                    _ => {}
                });
            }
            exposed.extend(terminator_operand(&block.terminator).and_then(address));
        }
    }
    exposed
}
