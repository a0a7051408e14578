//! What is looked for in a whole program before it is translated: what has an address that is used, and whether constants may
//! be written.

use crate::blocks::{Blocks, size_bounds};
use crate::interior::{Interior, base_type, key};
use crate::place::FieldKey;
use crate::values::initial_value;
use heapwise_ir::visit::{Access, rvalue_operands, statement_operands, statement_places, terminator_operand};
use heapwise_ir::{
    BinaryOp, Call, Callee, CastKind, CompareOp, Const, FuncId, FunctionBody, GlobalId, GlobalInit,
    GlobalKind, InitValue, LocalId, Operand, PlaceBase, Program, Projection, Rvalue, StatementKind,
    TerminatorKind, Ty, Type,
};
use rustc_hash::{FxHashMap, FxHashSet};

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

/// Where ranges of numbers may end when they are put together: the constants of a program and their neighbours, and the lengths
/// of its arrays.
pub(crate) fn thresholds(source: &Program, blocks: Blocks) -> Vec<i128> {
    let mut found = std::collections::BTreeSet::from([-1, 0, 1]);
    let mut note = |value: i128| found.extend([value.saturating_sub(1), value, value.saturating_add(1)]);
    let mut operand = |o: &Operand| {
        if let Operand::Const(Const::Int { value, .. }) = o {
            note(*value);
        }
    };
    for body in bodies(source) {
        for block in body.blocks.iter() {
            block.statements.iter().for_each(|s| statement_operands(s, &mut operand));
            terminator_operand(&block.terminator).into_iter().for_each(&mut operand);
        }
    }
    for body in bodies(source) {
        for block in body.blocks.iter() {
            if let TerminatorKind::Switch { cases, .. } = &block.terminator.kind {
                cases.iter().flat_map(|c| [c.low, c.high]).for_each(&mut note);
            }
        }
    }
    if blocks == Blocks::Followed {
        size_bounds(source).into_iter().for_each(&mut note);
    }
    for ty in 0..source.types.len() {
        if let Type::Array { len: Some(len), .. } = source.types.get(Ty(ty as u32)) {
            note(i128::from(*len));
        }
    }
    found.into_iter().collect()
}

/// The locals whose numbers say where control goes or what is accessed, and those which they are computed from.
pub(crate) fn relevant_numbers(
    source: &Program,
    interior: &Interior,
    bounds: &FxHashMap<FieldKey, Vec<i128>>,
) -> FxHashSet<(FuncId, LocalId)> {
    let mut found: FxHashSet<(FuncId, LocalId)> = FxHashSet::default();
    let functions = || {
        source.functions.iter_enumerated().filter_map(|(id, f)| match &f.body {
            FunctionBody::Defined(body) => Some((id, body)),
            _ => None,
        })
    };
    let constant = |o: &Operand| matches!(o, Operand::Const(_));
    for (func, body) in functions() {
        let mut note = |o: &Operand| {
            if let Operand::Local(l) = o {
                found.insert((func, *l));
            }
        };
        for block in body.blocks.iter() {
            for s in &block.statements {
                statement_places(s, &mut |place, _| {
                    place.path.iter().for_each(|step| {
                        if let Projection::Index { index, .. } = step {
                            note(index);
                        }
                    })
                });
                if let StatementKind::Assign { dest, value } = &s.kind
                    && field_of(source, interior, body, dest).is_some_and(|key| bounds.contains_key(&key))
                {
                    rvalue_operands(value, &mut |o| note(o));
                }
                match &s.kind {
                    StatementKind::Assign {
                        value: Rvalue::Binary { op: BinaryOp::Div | BinaryOp::Rem, rhs, .. },
                        ..
                    } => {
                        note(rhs);
                    }
                    StatementKind::Assign { value: Rvalue::PtrAdd { index, .. }, .. } => note(index),
                    StatementKind::Call(Call { callee: Callee::Direct(f), args, .. })
                        if source.functions.get(*f).is_some_and(|f| f.library.is_some()) =>
                    {
                        args.iter().for_each(&mut note);
                    }
                    StatementKind::Assign { value: Rvalue::Compare { lhs, rhs, .. }, .. }
                        if constant(lhs) || constant(rhs) =>
                    {
                        note(lhs);
                        note(rhs);
                    }
                    _ => {}
                }
            }
            match &block.terminator.kind {
                TerminatorKind::Branch { cond, .. } => note(cond),
                TerminatorKind::Switch { value, .. } => note(value),
                _ => {}
            }
        }
    }
    loop {
        let before = found.len();
        for (func, body) in functions() {
            for s in body.blocks.iter().flat_map(|b| &b.statements) {
                match &s.kind {
                    StatementKind::Assign { dest, value } => {
                        // A comparison of two numbers that vary says little about either.
                        let says = !matches!(value, Rvalue::Compare { .. });
                        if says && dest.as_local().is_some_and(|l| found.contains(&(func, l))) {
                            rvalue_operands(value, &mut |o| {
                                if let Operand::Local(l) = o {
                                    found.insert((func, *l));
                                }
                            });
                        }
                    }
                    StatementKind::Call(Call { callee: Callee::Direct(callee), args, .. }) => {
                        let Some(FunctionBody::Defined(called)) =
                            source.functions.get(*callee).map(|f| &f.body)
                        else {
                            continue;
                        };
                        for (param, arg) in called.params.iter().zip(args) {
                            if let (true, Operand::Local(l)) = (found.contains(&(*callee, *param)), arg) {
                                found.insert((func, *l));
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

fn bodies(source: &Program) -> impl Iterator<Item = &heapwise_ir::Body> {
    source.functions.iter().filter_map(|f| match &f.body {
        FunctionBody::Defined(body) => Some(&**body),
        _ => None,
    })
}

/// More bounds than these do not tell the values of a field apart.
const MAX_BOUNDS: usize = 8;

/// The field that a number which a local holds was read from.
fn origins(
    source: &Program,
    interior: &Interior,
    body: &heapwise_ir::Body,
) -> impl Fn(&Operand) -> Option<FieldKey> + use<> {
    let mut found: FxHashMap<LocalId, FieldKey> = FxHashMap::default();
    let cell = |l: &LocalId| body.locals.get(*l).is_some_and(|l| l.address_taken);
    loop {
        let before = found.len();
        for s in body.blocks.iter().flat_map(|b| &b.statements) {
            let StatementKind::Assign { dest, value } = &s.kind else { continue };
            let Some(local) = dest.as_local().filter(|l| !cell(l)) else { continue };
            let key = match value {
                Rvalue::Load(place) => field_of(source, interior, body, place),
                Rvalue::Use(Operand::Local(l))
                | Rvalue::Cast { kind: CastKind::IntToInt, arg: Operand::Local(l) } => found.get(l).copied(),
                _ => None,
            };
            if let Some(key) = key {
                found.entry(local).or_insert(key);
            }
        }
        if found.len() == before {
            break;
        }
    }
    // What is a cell by itself is read wherever it is named.
    for (id, local) in body.locals.iter_enumerated().filter(|(_, l)| l.address_taken) {
        found.insert(id, interior.field(FieldKey::Whole, local.ty));
    }
    move |operand| match operand {
        Operand::Local(l) => found.get(l).copied(),
        Operand::Const(_) => None,
    }
}

/// The field that a place is, if it is a number of a cell.
fn field_of(
    source: &Program,
    interior: &Interior,
    body: &heapwise_ir::Body,
    place: &heapwise_ir::Place,
) -> Option<FieldKey> {
    source.types.as_int(place.ty)?;
    if place.bits().is_some() {
        return None;
    }
    Some(interior.field(key(source, body, place)?, place.ty))
}

/// Where the values of fields are told apart: at the constants that they are compared with, and at the ends of arrays that they
/// are indices of.
pub(crate) fn bounds(source: &Program, interior: &Interior) -> FxHashMap<FieldKey, Vec<i128>> {
    let mut found: FxHashMap<FieldKey, std::collections::BTreeSet<i128>> = FxHashMap::default();
    for body in bodies(source) {
        let origin = origins(source, interior, body);
        let mut note = |o: &Operand, bounds: [i128; 2]| {
            if let Some(key) = origin(o) {
                found.entry(key).or_default().extend(bounds);
            }
        };
        for block in body.blocks.iter() {
            for s in &block.statements {
                statement_places(s, &mut |place, _| {
                    let mut ty = base_type(source, body, place);
                    for step in &place.path {
                        ty = match (step, ty.map(|ty| source.types.get(ty))) {
                            (Projection::Index { index, .. }, Some(Type::Array { elem, len })) => {
                                len.iter().for_each(|len| note(index, [0, i128::from(*len)]));
                                Some(*elem)
                            }
                            (Projection::Field { record, field, .. }, _) => {
                                let fields = source.types.records.get(*record).map(|r| &r.fields);
                                fields.and_then(|f| f.get(*field as usize)).map(|f| f.ty)
                            }
                            _ => None,
                        };
                    }
                });
                match &s.kind {
                    StatementKind::Assign { value: Rvalue::Compare { op, lhs, rhs }, .. } => {
                        let next = |c: &i128| c.saturating_add(1);
                        match (lhs, rhs) {
                            (side, Operand::Const(Const::Int { value: c, .. })) => note(
                                side,
                                match op {
                                    CompareOp::Eq | CompareOp::Ne => [*c, next(c)],
                                    CompareOp::Lt | CompareOp::Ge => [*c; 2],
                                    CompareOp::Le | CompareOp::Gt => [next(c); 2],
                                },
                            ),
                            (Operand::Const(Const::Int { value: c, .. }), side) => note(
                                side,
                                match op {
                                    CompareOp::Eq | CompareOp::Ne => [*c, next(c)],
                                    CompareOp::Gt | CompareOp::Le => [*c; 2],
                                    CompareOp::Ge | CompareOp::Lt => [next(c); 2],
                                },
                            ),
                            _ => {}
                        }
                    }
                    StatementKind::Assign {
                        value: Rvalue::Binary { op: BinaryOp::Div | BinaryOp::Rem, rhs, .. },
                        ..
                    } => {
                        note(rhs, [-1, 0]);
                        note(rhs, [1; 2]);
                    }
                    StatementKind::Assign { value: Rvalue::Cast { kind: CastKind::ToBool, arg }, .. } => {
                        note(arg, [0, 1]);
                    }
                    _ => {}
                }
            }
            match &block.terminator.kind {
                TerminatorKind::Branch { cond, .. } => note(cond, [0, 1]),
                TerminatorKind::Switch { value, cases, .. } => {
                    cases.iter().for_each(|c| note(value, [c.low, c.high.saturating_add(1)]));
                }
                _ => {}
            }
        }
    }
    let few = found.into_iter().filter(|(_, bounds)| bounds.len() <= MAX_BOUNDS);
    few.map(|(key, bounds)| (key, bounds.into_iter().collect())).collect()
}

/// What globals begin with that are numbers of their own.
pub(crate) fn initial_values(source: &Program, addressed: &FxHashSet<GlobalId>) -> Vec<(GlobalId, i128)> {
    let mut found = Vec::new();
    for (id, g) in source.globals.iter_enumerated().filter(|(id, _)| !addressed.contains(id)) {
        if let (GlobalInit::Data(pieces), Some(int)) = (&g.init, source.types.as_int(g.ty))
            && let Some(value) = initial_value(pieces, 0, u64::from(int.bits / 8), int.signed)
        {
            found.push((id, value));
        }
    }
    found
}
