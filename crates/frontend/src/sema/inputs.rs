//! Volatile variables that the program only reads.
//!
//! A variable that is declared `volatile`, has no initialiser and is neither written nor has its address taken anywhere can
//! only be of use if something outside of the program changes it (C23 §6.7.4.1p6). Programs written for analysers use
//! such variables for choices. Each read of one becomes an input of its type. All other volatile objects behave like
//! plain ones.
//!
//! One pass over all statements, and one more over those of programs that have such variables.

use heapwise_ir::library::LibFn;
use heapwise_ir::visit::{Access, statement_operands, statement_places, terminator_operand};
use heapwise_ir::{
    Call, Callee, Const, FuncId, Function, FunctionBody, GlobalId, GlobalInit, InitValue, Operand, PlaceBase,
    Program, Rvalue, StatementKind, Ty, Type,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Turns reads of those of these variables that nothing else is done with into inputs.
pub(super) fn read_as_inputs(program: &mut Program, volatile: impl IntoIterator<Item = GlobalId>) {
    let is_number = |g: &GlobalId| {
        let ty = program.globals.get(*g).map(|g| g.ty);
        ty.is_some_and(|ty| program.types.as_int(ty).is_some())
    };
    let mut inputs: FxHashSet<GlobalId> = volatile.into_iter().filter(is_number).collect();
    if inputs.is_empty() {
        return;
    }
    keep_those_read_only(program, &mut inputs);
    let mut functions: FxHashMap<Ty, FuncId> = FxHashMap::default();
    let mut numbers: Vec<GlobalId> = inputs.iter().copied().collect();
    numbers.sort_unstable();
    for g in numbers {
        let Some((ty, span)) = program.globals.get(g).map(|g| (g.ty, g.span)) else { continue };
        if functions.contains_key(&ty) {
            continue;
        }
        let signature =
            program.types.intern(Type::Function { ret: ty, params: Box::new([]), variadic: false });
        let id = program.functions.push(Function {
            name: "__VERIFIER_nondet_volatile".into(),
            ty: signature,
            internal: true,
            noreturn: false,
            library: Some(LibFn::Nondet),
            body: FunctionBody::Declared,
            span,
        });
        functions.insert(ty, id);
    }
    for function in program.functions.iter_mut() {
        let FunctionBody::Defined(body) = &mut function.body else { continue };
        for statement in body.blocks.iter_mut().flat_map(|b| &mut b.statements) {
            let StatementKind::Assign { dest, value: Rvalue::Load(place) } = &statement.kind else {
                continue;
            };
            let is_input = matches!(place.base, PlaceBase::Global(g) if inputs.contains(&g));
            let reader = functions.get(&place.ty).filter(|_| is_input && place.path.is_empty());
            if let Some(reader) = reader {
                let call =
                    Call { dest: Some(dest.clone()), callee: Callee::Direct(*reader), args: Vec::new() };
                statement.kind = StatementKind::Call(call);
            }
        }
    }
}

/// Leaves those out that the program writes, or whose address it takes.
fn keep_those_read_only(program: &Program, inputs: &mut FxHashSet<GlobalId>) {
    for global in program.globals.iter() {
        let GlobalInit::Data(pieces) = &global.init else { continue };
        for piece in pieces {
            if let InitValue::GlobalAddr { global, .. } = &piece.value {
                inputs.remove(global);
            }
        }
    }
    let leave_out = |operand: &Operand, inputs: &mut FxHashSet<GlobalId>| {
        if let Operand::Const(Const::Global { global, .. }) = operand {
            inputs.remove(global);
        }
    };
    for function in program.functions.iter() {
        let FunctionBody::Defined(body) = &function.body else { continue };
        for block in body.blocks.iter() {
            for statement in &block.statements {
                statement_operands(statement, &mut |operand| leave_out(operand, inputs));
                statement_places(statement, &mut |place, access| match place.base {
                    PlaceBase::Global(g) if access != Access::Read => {
                        inputs.remove(&g);
                    }
                    _ => {}
                });
            }
            if let Some(operand) = terminator_operand(&block.terminator) {
                leave_out(operand, inputs);
            }
        }
    }
}
