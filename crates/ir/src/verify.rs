//! A checker of the rules that the IR promises to its users.
//!
//! It re-derives what a producer of IR must get right: indices name something, the type written on a place is
//! the type its path leads to, operators and conversions have operands of the kinds they are defined for, calls
//! fit the callee's type, switch cases do not overlap, and no local is used while it certainly has no storage.
//! Front-end tests run it on everything they lower; nothing in the analyses depends on it.
//!
//! Two pointer types count as the same: what a pointer points to matters only where it is dereferenced, and
//! there the place says its type itself. Cost: linear in the size of the body, plus the storage analysis.

mod storage;

use crate::body::{
    BlockId, Body, Call, Callee, CastKind, Const, FuncId, FunctionBody, LocalId, Operand, Place, PlaceBase,
    Projection, Rvalue, Statement, StatementKind, TerminatorKind,
};
use crate::cfg::{Cfg, for_each_target};
use crate::program::{GlobalInit, InitValue, Program};
use crate::source::Span;
use crate::types::{FloatTy, Ty, Type, TypeTable};

/// A broken rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The function, unless a global is at fault.
    pub function: Option<FuncId>,
    /// The block and the index of the statement in it (the number of statements means the terminator).
    pub at: Option<(BlockId, usize)>,
    /// The source text of the statement.
    pub span: Span,
    /// What is wrong.
    pub message: String,
}

impl Violation {
    /// One line: function, point, source position, rule.
    pub fn describe(&self, program: &Program) -> String {
        let name = self.function.and_then(|f| program.functions.get(f)).map_or("<globals>", |f| &f.name);
        let point = self.at.map_or(String::new(), |(b, i)| format!(" {b:?}[{i}]"));
        format!("{}: {name}{point}: {}", program.sources.describe(self.span), self.message)
    }
}

/// All broken rules of a program.
pub fn program(program: &Program) -> Vec<Violation> {
    let mut violations = Vec::new();
    globals(program, &mut violations);
    for id in program.functions.indices() {
        violations.extend(function(program, id));
    }
    violations
}

/// The broken rules of one function.
pub fn function(program: &Program, id: FuncId) -> Vec<Violation> {
    let Some(f) = program.functions.get(id) else { return Vec::new() };
    let FunctionBody::Defined(body) = &f.body else { return Vec::new() };
    let mut checker = Checker { program, body, function: id, at: None, span: f.span, found: Vec::new() };
    checker.signature(f.ty);
    checker.locals();
    if checker.found.is_empty() {
        checker.code(f.ty);
    }
    if checker.found.is_empty() {
        storage::check(&mut checker, &Cfg::new(body));
    }
    checker.found
}

fn globals(program: &Program, found: &mut Vec<Violation>) {
    for global in program.globals.iter() {
        let mut fail = |message: String| {
            let message = format!("global `{}`: {message}", global.name);
            found.push(Violation { function: None, at: None, span: global.span, message });
        };
        if global.ty.0 as usize >= program.types.len() {
            fail("its type does not exist".into());
        }
        if !global.align.is_power_of_two() {
            fail(format!("alignment {} is no power of two", global.align));
        }
        let GlobalInit::Data(pieces) = &global.init else { continue };
        let mut end = 0;
        for piece in pieces {
            let size = match &piece.value {
                InitValue::Bytes(bytes) => bytes.len() as u64,
                InitValue::GlobalAddr { .. } | InitValue::FunctionAddr(_) => program.types.pointer_size,
            };
            if piece.offset < end {
                fail(format!("pieces overlap or are not sorted at offset {}", piece.offset));
            }
            end = piece.offset.saturating_add(size);
            match &piece.value {
                InitValue::GlobalAddr { global, .. } if program.globals.get(*global).is_none() => {
                    fail(format!("{global:?} does not exist"));
                }
                InitValue::FunctionAddr(f) if program.functions.get(*f).is_none() => {
                    fail(format!("{f:?} does not exist"));
                }
                _ => {}
            }
        }
        if end > global.size {
            fail(format!("contents of {end} bytes exceed its size {}", global.size));
        }
    }
}

/// The state of checking one function.
struct Checker<'a> {
    program: &'a Program,
    body: &'a Body,
    function: FuncId,
    at: Option<(BlockId, usize)>,
    span: Span,
    found: Vec<Violation>,
}

impl<'a> Checker<'a> {
    fn types(&self) -> &'a TypeTable {
        &self.program.types
    }

    fn fail(&mut self, message: impl Into<String>) {
        self.found.push(Violation {
            function: Some(self.function),
            at: self.at,
            span: self.span,
            message: message.into(),
        });
    }

    fn name(&self, ty: Ty) -> String {
        crate::print::type_name(self.types(), ty, "")
    }

    fn is_pointer(&self, ty: Ty) -> bool {
        matches!(self.types().get(ty), Type::Pointer(_))
    }

    fn is_float(&self, ty: Ty) -> bool {
        matches!(self.types().get(ty), Type::Float(_))
    }

    fn is_int(&self, ty: Ty) -> bool {
        self.types().as_int(ty).is_some()
    }

    /// Equal, or both pointers.
    fn same(&self, a: Ty, b: Ty) -> bool {
        a == b || (self.is_pointer(a) && self.is_pointer(b))
    }

    fn expect_same(&mut self, what: &str, found: Ty, wanted: Ty) {
        if !self.same(found, wanted) {
            self.fail(format!("{what} has type `{}`, not `{}`", self.name(found), self.name(wanted)));
        }
    }

    fn expect(&mut self, ok: bool, what: &str, found: Ty, wanted: &str) {
        if !ok {
            self.fail(format!("{what} has type `{}`, not {wanted}", self.name(found)));
        }
    }

    fn signature(&mut self, ty: Ty) {
        if let Some(l) = self.body.varargs
            && (self.body.locals.get(l).is_none() || self.body.params.contains(&l))
        {
            self.fail(format!("{l:?} cannot hold the variadic arguments"));
        }
        let Type::Function { params, variadic, .. } = self.types().get(ty) else {
            return self.fail("its type is no function type");
        };
        let given = &self.body.params;
        if given.len() != params.len() && !(*variadic && given.len() > params.len()) {
            self.fail(format!("{} parameters, but its type has {}", given.len(), params.len()));
        }
        for (i, &p) in given.iter().enumerate() {
            if given[..i].contains(&p) {
                self.fail(format!("{p:?} is two parameters"));
            }
            match (self.body.locals.get(p), params.get(i)) {
                (None, _) => self.fail(format!("parameter {p:?} does not exist")),
                (Some(local), Some(&wanted)) => self.expect_same("parameter", local.ty, wanted),
                (Some(_), None) => {}
            }
        }
    }

    fn locals(&mut self) {
        for (id, local) in self.body.locals.iter_enumerated() {
            if local.ty.0 as usize >= self.types().len() {
                self.fail(format!("the type of {id:?} does not exist"));
            } else if matches!(self.types().get(local.ty), Type::Void | Type::Function { .. }) {
                self.fail(format!("{id:?} has type `{}`", self.name(local.ty)));
            }
        }
        if self.body.blocks.is_empty() {
            self.fail("there is no entry block");
        }
    }

    fn code(&mut self, ty: Ty) {
        let ret = match self.types().get(ty) {
            Type::Function { ret, .. } => Some(*ret),
            _ => None,
        };
        for (id, block) in self.body.blocks.iter_enumerated() {
            for (i, statement) in block.statements.iter().enumerate() {
                self.at = Some((id, i));
                self.span = statement.span;
                self.statement(statement);
            }
            self.at = Some((id, block.statements.len()));
            self.span = block.terminator.span;
            self.terminator(&block.terminator.kind, ret);
        }
    }

    /// The type of an operand, after checking it.
    fn operand(&mut self, operand: &Operand) -> Option<Ty> {
        let constant = match operand {
            Operand::Local(l) => {
                let found = self.body.locals.get(*l).map(|l| l.ty);
                if found.is_none() {
                    self.fail(format!("{l:?} does not exist"));
                }
                return found;
            }
            Operand::Const(c) => c,
        };
        let ty = constant.ty();
        if ty.0 as usize >= self.types().len() {
            self.fail("the type of a constant does not exist");
            return None;
        }
        let pointer = self.is_pointer(ty);
        match constant {
            Const::Int { value, .. } => match self.types().as_int(ty) {
                None => self.expect(false, "an integer constant", ty, "an integer type"),
                Some(int) if int.wrap(*value) != *value => {
                    self.fail(format!("constant {value} does not fit `{}`", self.name(ty)));
                }
                Some(_) => {}
            },
            Const::Float { .. } => {
                let ok = self.is_float(ty);
                self.expect(ok, "a floating constant", ty, "a floating type");
            }
            Const::Null(_) => self.expect(pointer, "null", ty, "a pointer type"),
            Const::Global { global, .. } => {
                self.expect(pointer, "an address", ty, "a pointer type");
                if self.program.globals.get(*global).is_none() {
                    self.fail(format!("{global:?} does not exist"));
                }
            }
            Const::Function { func, .. } => {
                self.expect(pointer, "an address", ty, "a pointer type");
                if self.program.functions.get(*func).is_none() {
                    self.fail(format!("{func:?} does not exist"));
                }
            }
            Const::Label { block, .. } => {
                self.expect(pointer, "an address", ty, "a pointer type");
                self.target(*block);
            }
            Const::Undefined(_) => {}
        }
        Some(ty)
    }

    fn target(&mut self, block: BlockId) {
        if self.body.blocks.get(block).is_none() {
            self.fail(format!("{block:?} does not exist"));
        }
    }

    fn place(&mut self, place: &Place) {
        // What a pointer points to is only a hint, hence no type to start from.
        let mut here = match &place.base {
            PlaceBase::Local(l) => match self.body.locals.get(*l) {
                Some(local) => Some(local.ty),
                None => return self.fail(format!("{l:?} does not exist")),
            },
            PlaceBase::Global(g) => match self.program.globals.get(*g) {
                // Units may see an external object in different ways, as a linker lets them.
                Some(global) if global.kind == crate::GlobalKind::External => None,
                Some(global) => Some(global.ty),
                None => return self.fail(format!("{g:?} does not exist")),
            },
            PlaceBase::Deref(pointer) => {
                if let Some(ty) = self.operand(pointer) {
                    let ok = self.is_pointer(ty);
                    self.expect(ok, "a dereferenced operand", ty, "a pointer type");
                }
                None
            }
        };
        for (i, step) in place.path.iter().enumerate() {
            match step {
                Projection::Field { record, field, offset, bits } => {
                    let Some(known) = self.types().records.get(*record) else {
                        return self.fail(format!("{record:?} does not exist"));
                    };
                    let Some(member) = known.fields.get(*field as usize) else {
                        return self.fail(format!("{record:?} has no field {field}"));
                    };
                    if let Some(ty) = here
                        && *self.types().get(ty) != Type::Record(*record)
                    {
                        self.fail(format!("a field of {record:?} in a `{}`", self.name(ty)));
                    }
                    if (member.offset, member.bits) != (*offset, *bits) {
                        self.fail(format!("field {field} of {record:?} is not where the path says"));
                    }
                    if bits.is_some() && i + 1 != place.path.len() {
                        self.fail("a bit-field inside a path");
                    }
                    here = Some(member.ty);
                }
                Projection::Index { index, stride } => {
                    if let Some(ty) = self.operand(index) {
                        let ok = self.is_int(ty);
                        self.expect(ok, "an index", ty, "an integer type");
                    }
                    here = match here.map(|ty| (ty, self.types().get(ty))) {
                        Some((_, Type::Array { elem, .. })) => {
                            let size = self.types().size(*elem);
                            if size != *stride {
                                self.fail(format!("stride {stride} for elements of {size} bytes"));
                            }
                            Some(*elem)
                        }
                        Some((ty, _)) => {
                            self.fail(format!("an index into a `{}`", self.name(ty)));
                            None
                        }
                        None => None,
                    };
                }
            }
        }
        if let Some(ty) = here {
            self.expect_same("what the path leads to", ty, place.ty);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Nop => {}
            StatementKind::Assign { dest, value } => {
                self.place(dest);
                self.rvalue(value, dest.ty);
            }
            StatementKind::Zero(dest) => self.place(dest),
            StatementKind::StorageLive(l) | StatementKind::StorageDead(l) | StatementKind::ScopeFree(l) => {
                if self.body.locals.get(*l).is_none() {
                    self.fail(format!("{l:?} does not exist"));
                }
            }
            StatementKind::ScopeAlloc { dest, size } => {
                match self.body.locals.get(*dest) {
                    None => self.fail(format!("{dest:?} does not exist")),
                    Some(local) => {
                        let ok = self.is_pointer(local.ty);
                        self.expect(ok, "the local of a scope allocation", local.ty, "a pointer type");
                    }
                }
                if let Some(ty) = self.operand(size) {
                    let ok = self.is_int(ty);
                    self.expect(ok, "a size", ty, "an integer type");
                }
            }
            StatementKind::Call(call) => self.call(call),
            StatementKind::Intrinsic { dest, args, .. } => {
                if let Some(dest) = dest {
                    self.place(dest);
                }
                for arg in args {
                    self.operand(arg);
                }
            }
        }
    }

    fn call(&mut self, call: &Call) {
        let function_type = match &call.callee {
            Callee::Direct(f) => match self.program.functions.get(*f) {
                Some(f) => Some(f.ty),
                None => return self.fail(format!("{f:?} does not exist")),
            },
            Callee::Indirect(pointer) => self
                .operand(pointer)
                .and_then(|ty| self.types().pointee(ty))
                .filter(|&to| matches!(self.types().get(to), Type::Function { .. })),
        };
        if let Some(dest) = &call.dest {
            self.place(dest);
        }
        let arg_types: Vec<Option<Ty>> = call.args.iter().map(|a| self.operand(a)).collect();
        let Some(Type::Function { ret, params, variadic }) = function_type.map(|ty| self.types().get(ty))
        else {
            return self.fail("the callee is no function");
        };
        if call.args.len() < params.len() || (call.args.len() > params.len() && !variadic) {
            self.fail(format!("{} arguments for {} parameters", call.args.len(), params.len()));
        }
        for (found, &wanted) in arg_types.iter().zip(params) {
            if let Some(found) = found {
                self.expect_same("an argument", *found, wanted);
            }
        }
        if let Some(dest) = &call.dest {
            self.expect_same("the result", *ret, dest.ty);
        }
    }

    fn rvalue(&mut self, value: &Rvalue, dest: Ty) {
        match value {
            Rvalue::Use(arg) => {
                if let Some(ty) = self.operand(arg) {
                    self.expect_same("the value", ty, dest);
                }
            }
            Rvalue::Load(place) => {
                self.place(place);
                self.expect_same("what is loaded", place.ty, dest);
            }
            Rvalue::AddrOf(place) => {
                self.place(place);
                if place.bits().is_some() {
                    self.fail("the address of a bit-field");
                }
                if let PlaceBase::Local(l) = place.base
                    && self.body.locals.get(l).is_some_and(|l| !l.address_taken)
                {
                    self.fail(format!("the address of {l:?}, which is not marked as address-taken"));
                }
                let ok = self.is_pointer(dest);
                self.expect(ok, "the destination of an address", dest, "a pointer type");
            }
            Rvalue::Unary { arg, .. } => {
                if let Some(ty) = self.operand(arg) {
                    self.expect_same("the operand", ty, dest);
                }
                let ok = self.is_int(dest) || self.is_float(dest);
                self.expect(ok, "the result of an operator", dest, "a number type");
            }
            Rvalue::Binary { op, lhs, rhs } => {
                use crate::body::BinaryOp::{Add, Div, Mul, Shl, Shr, Sub};
                if let Some(ty) = self.operand(lhs) {
                    self.expect_same("the left operand", ty, dest);
                }
                if let Some(ty) = self.operand(rhs) {
                    if matches!(op, Shl | Shr) {
                        let ok = self.is_int(ty);
                        self.expect(ok, "a shift count", ty, "an integer type");
                    } else {
                        self.expect_same("the right operand", ty, dest);
                    }
                }
                let ok = self.is_int(dest) || self.is_float(dest) && matches!(op, Add | Sub | Mul | Div);
                self.expect(ok, "the result of the operator", dest, "a type that it is defined for");
            }
            Rvalue::Compare { lhs, rhs, .. } => {
                if let (Some(left), Some(right)) = (self.operand(lhs), self.operand(rhs)) {
                    self.expect_same("the right operand", right, left);
                    let ok = self.types().is_scalar(left);
                    self.expect(ok, "a compared operand", left, "a scalar type");
                }
                let ok = self.types().as_int(dest).is_some_and(|i| i.bits == 32 && i.signed);
                self.expect(ok, "the result of a comparison", dest, "`int`");
            }
            Rvalue::Cast { kind, arg } => {
                if let Some(from) = self.operand(arg) {
                    self.cast(*kind, from, dest);
                }
            }
            Rvalue::PtrAdd { ptr, index, .. } => {
                if let Some(ty) = self.operand(ptr) {
                    self.expect_same("the pointer", ty, dest);
                }
                if let Some(ty) = self.operand(index) {
                    let ok = self.is_int(ty);
                    self.expect(ok, "an index", ty, "an integer type");
                }
                let ok = self.is_pointer(dest);
                self.expect(ok, "the result of pointer arithmetic", dest, "a pointer type");
            }
            Rvalue::PtrDiff { lhs, rhs, stride } => {
                for side in [lhs, rhs] {
                    if let Some(ty) = self.operand(side) {
                        let ok = self.is_pointer(ty);
                        self.expect(ok, "an operand of a pointer difference", ty, "a pointer type");
                    }
                }
                if *stride == 0 {
                    self.fail("a pointer difference in elements of no bytes");
                }
                let ok = self.is_int(dest);
                self.expect(ok, "a pointer difference", dest, "an integer type");
            }
        }
    }

    fn cast(&mut self, kind: CastKind, from: Ty, to: Ty) {
        let types = self.types();
        let integer = |ty| matches!(types.get(ty), Type::Int(_) | Type::Bool);
        let float = |ty| matches!(types.get(ty), Type::Float(_));
        let pointer = |ty| matches!(types.get(ty), Type::Pointer(_));
        let ok = match kind {
            CastKind::IntToInt => integer(from) && matches!(types.get(to), Type::Int(_)),
            CastKind::ToBool => types.is_scalar(from) && *types.get(to) == Type::Bool,
            CastKind::IntToFloat => integer(from) && float(to),
            CastKind::FloatToInt => float(from) && integer(to),
            CastKind::FloatToFloat => float(from) && float(to),
            CastKind::PtrToInt => pointer(from) && integer(to),
            CastKind::IntToPtr => integer(from) && pointer(to),
            CastKind::PtrToPtr => pointer(from) && pointer(to),
            CastKind::Reinterpret => {
                // A long double has bytes that carry no value.
                let bytes = |ty| match types.get(ty) {
                    Type::Float(FloatTy::F80) => 10,
                    _ => types.size(ty),
                };
                bytes(from) == bytes(to)
            }
        };
        if !ok {
            self.fail(format!("{kind:?} from `{}` to `{}`", self.name(from), self.name(to)));
        }
    }

    fn terminator(&mut self, kind: &TerminatorKind, ret: Option<Ty>) {
        let mut targets = Vec::new();
        for_each_target(kind, |b| targets.push(b));
        targets.into_iter().for_each(|b| self.target(b));
        match kind {
            TerminatorKind::Goto(_) | TerminatorKind::Unreachable | TerminatorKind::Return(None) => {}
            TerminatorKind::Branch { cond, .. } => {
                if let Some(ty) = self.operand(cond) {
                    let ok = self.types().is_scalar(ty);
                    self.expect(ok, "a condition", ty, "a scalar type");
                }
            }
            TerminatorKind::Switch { value, cases, .. } => {
                if let Some(ty) = self.operand(value) {
                    let ok = self.is_int(ty);
                    self.expect(ok, "the value of a switch", ty, "an integer type");
                }
                let mut ranges: Vec<(i128, i128)> = cases.iter().map(|c| (c.low, c.high)).collect();
                ranges.sort_unstable();
                if ranges.iter().any(|(low, high)| low > high) {
                    self.fail("an empty case range");
                }
                if ranges.windows(2).any(|w| w[0].1 >= w[1].0) {
                    self.fail("cases overlap");
                }
            }
            TerminatorKind::GotoAddress { address, .. } => {
                if let Some(ty) = self.operand(address) {
                    let ok = self.is_pointer(ty);
                    self.expect(ok, "a label address", ty, "a pointer type");
                }
            }
            TerminatorKind::Return(Some(value)) => {
                if let (Some(found), Some(ret)) = (self.operand(value), ret) {
                    self.expect_same("the returned value", found, ret);
                }
            }
        }
    }

    /// A user's name for a local in messages.
    fn local_name(&self, id: LocalId) -> String {
        match self.body.locals.get(id).and_then(|l| l.name.as_deref()) {
            Some(name) => format!("`{name}` ({id:?})"),
            None => format!("{id:?}"),
        }
    }
}

#[cfg(test)]
mod tests;
