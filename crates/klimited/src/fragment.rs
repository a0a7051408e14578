//! The programs that this domain speaks of: linked blocks, their members, and plain integers.
//!
//! Everything else in a function that the entry can reach is refused at its place, under every property, so that
//! nothing is claimed of a program that does what the graphs do not describe with care: floating numbers, unions, pointers
//! as numbers, pointer arithmetic, indices that are no constants, division, numbers of more than 64 bits, results that are
//! records, texts, builtins, library functions beyond allocation and inputs, and programs for 32 bits.

use heapwise_fixpoint::Settings;
use heapwise_ir::library::LibFn;
use heapwise_ir::visit::{statement_operands, statement_places, terminator_operand};
use heapwise_ir::{
    BinaryOp, Body, CallGraph, Callee, CastKind, Const, FuncId, FunctionBody, GlobalKind, Operand, Place,
    PlaceBase, Program, Projection, RecordKind, Rvalue, Span, Statement, StatementKind, TerminatorKind, Ty,
    Type,
};
use heapwise_property::{Alarm, Reason};

/// What lies outside, one alarm for each function and reason.
pub(crate) fn outside(program: &Program, settings: &Settings) -> Vec<Alarm> {
    let calls = CallGraph::new(program);
    let reached = program.function_named(&settings.entry).map(|f| calls.reachable_from(f));
    let mut alarms: Vec<Alarm> = Vec::new();
    for (function, code) in program.functions.iter_enumerated() {
        let FunctionBody::Defined(body) = &code.body else { continue };
        if reached.as_ref().is_some_and(|all| !all.contains(function)) {
            continue;
        }
        let mut refuse = |reason: &str, span: Span| {
            let message = format!("k-limited graphs do not describe {reason}");
            if !alarms.iter().any(|a| a.function == function && a.message == message) {
                let kind = Reason::Unsupported.into();
                alarms.push(Alarm { kind, span, function, definite: false, message, notes: Vec::new() });
            }
        };
        if program.types.pointer_size != 8 {
            refuse("programs for 32 bits", code.span);
        }
        for local in body.locals.iter() {
            if let Some(reason) = odd_type(program, local.ty) {
                refuse(reason, local.span);
            }
        }
        for block in body.blocks.iter() {
            for statement in &block.statements {
                if is_message(program, body, statement) {
                    continue;
                }
                if let Some(reason) = odd_statement(program, statement) {
                    refuse(reason, statement.span);
                }
            }
            if let TerminatorKind::GotoAddress { .. } = block.terminator.kind {
                refuse("computed jumps", block.terminator.span);
            }
        }
    }
    alarms
}

/// Whether a statement puts the address of a text where only a failing assertion finds it.
fn is_message(program: &Program, body: &Body, statement: &Statement) -> bool {
    let StatementKind::Assign { dest, value: Rvalue::AddrOf(Place { base: PlaceBase::Global(_), path, .. }) } =
        &statement.kind
    else {
        return false;
    };
    let PlaceBase::Local(held) = dest.base else { return false };
    let unnamed = body.locals.get(held).is_some_and(|l| l.name.is_none() && !l.address_taken);
    let fails = |s: &Statement| {
        matches!(&s.kind, StatementKind::Call(call)
            if matches!(call.callee, Callee::Direct(f) if lib(program, f) == Some(LibFn::AssertFail)))
    };
    let reads = |s: &Statement| {
        let mut found = false;
        statement_operands(s, &mut |op| found |= matches!(op, Operand::Local(l) if *l == held));
        found
    };
    let ends = |op: Option<&Operand>| matches!(op, Some(Operand::Local(l)) if *l == held);
    dest.path.is_empty()
        && path.is_empty()
        && unnamed
        && body.blocks.iter().all(|b| {
            b.statements.iter().all(|s| fails(s) || !reads(s)) && !ends(terminator_operand(&b.terminator))
        })
}

/// Why values of a type are not described, if they are not.
fn odd_type(program: &Program, ty: Ty) -> Option<&'static str> {
    match program.types.get(ty) {
        Type::Float(_) => Some("floating numbers"),
        Type::Int(int) if int.bits > 64 => Some("numbers of more than 64 bits"),
        Type::Record(r) => {
            let record = program.types.records.get(*r)?;
            if record.kind == RecordKind::Union {
                return Some("unions");
            }
            record.fields.iter().find_map(|f| odd_type(program, f.ty))
        }
        _ => None,
    }
}

fn odd_statement(program: &Program, statement: &Statement) -> Option<&'static str> {
    let mut found = None;
    statement_places(statement, &mut |place, _| found = found.or(odd_place(program, place)));
    if found.is_some() {
        return found;
    }
    match &statement.kind {
        StatementKind::Assign { dest, value } => {
            odd_type(program, dest.ty).or_else(|| odd_value(value)).or_else(|| text(program, statement))
        }
        StatementKind::Call(call) => {
            let record = call.dest.as_ref().is_some_and(|d| !program.types.is_scalar(d.ty));
            match &call.callee {
                Callee::Indirect(_) => Some("calls through pointers"),
                Callee::Direct(f) => odd_callee(program, *f).or_else(|| {
                    let fails = lib(program, *f) == Some(LibFn::AssertFail);
                    if fails { None } else { text(program, statement) }
                }),
            }
            .or(record.then_some("results that are records"))
        }
        StatementKind::Intrinsic { .. } => Some("builtins"),
        StatementKind::ScopeAlloc { .. } => Some("arrays of variable length"),
        StatementKind::Zero(place) => odd_type(program, place.ty),
        StatementKind::Nop
        | StatementKind::StorageLive(_)
        | StatementKind::StorageDead(_)
        | StatementKind::ScopeFree(_) => None,
    }
}

fn odd_place(program: &Program, place: &Place) -> Option<&'static str> {
    // Texts have addresses of which it is not known whether they differ.
    if let PlaceBase::Global(g) = place.base
        && program.globals.get(g).is_some_and(|g| g.kind == GlobalKind::Literal)
    {
        return Some("texts");
    }
    place.path.iter().find_map(|step| match step {
        Projection::Field { record, .. } => {
            let union = |r: &heapwise_ir::Record| r.kind == RecordKind::Union;
            program.types.records.get(*record).is_some_and(union).then_some("unions")
        }
        Projection::Index { index: Operand::Const(_), .. } => None,
        Projection::Index { .. } => Some("indices that are no constants"),
    })
}

fn odd_value(value: &Rvalue) -> Option<&'static str> {
    match value {
        Rvalue::Binary { op: BinaryOp::Div | BinaryOp::Rem, .. } => Some("division"),
        Rvalue::Cast { kind, .. } => match kind {
            CastKind::IntToInt | CastKind::ToBool | CastKind::PtrToPtr => None,
            CastKind::IntToPtr | CastKind::PtrToInt => Some("pointers as numbers"),
            CastKind::IntToFloat | CastKind::FloatToInt | CastKind::FloatToFloat => Some("floating numbers"),
            CastKind::Reinterpret => Some("bytes of another type"),
        },
        Rvalue::PtrAdd { .. } | Rvalue::PtrDiff { .. } => Some("pointer arithmetic"),
        _ => None,
    }
}

fn lib(program: &Program, f: FuncId) -> Option<LibFn> {
    let function = program.functions.get(f)?;
    if matches!(function.body, FunctionBody::Defined(_)) { None } else { function.library }
}

fn odd_callee(program: &Program, f: FuncId) -> Option<&'static str> {
    let function = program.functions.get(f)?;
    if let FunctionBody::Defined(body) = &function.body {
        let record = matches!(program.types.get(function.ty), Type::Function { ret, .. }
            if matches!(program.types.get(*ret), Type::Record(_)));
        return (record || body.varargs.is_some())
            .then_some("results that are records, and varying arguments");
    }
    match function.library {
        Some(
            LibFn::Malloc
            | LibFn::Calloc
            | LibFn::Free
            | LibFn::Abort
            | LibFn::Exit
            | LibFn::ImmediateExit
            | LibFn::AssertFail
            | LibFn::ReachError
            | LibFn::VerifierAssume
            | LibFn::AssertAcyclic
            | LibFn::AssertUnshared
            | LibFn::NondetBool
            | LibFn::Nondet,
        ) => None,
        _ => Some("this library function"),
    }
}

/// Whether a statement hands texts on.
fn text(program: &Program, statement: &Statement) -> Option<&'static str> {
    let mut found = None;
    statement_operands(statement, &mut |op| {
        if let Operand::Const(Const::Global { global, .. }) = op
            && program.globals.get(*global).is_some_and(|g| g.kind == GlobalKind::Literal)
        {
            found = Some("texts");
        }
    });
    found
}
