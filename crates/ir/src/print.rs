//! Readable listings of programs.
//!
//! Locals keep their names (with their number where a name is used twice), fields show name and byte offset,
//! loads and stores the number of bytes, and each statement that starts a new source line is preceded by that
//! line. The listing is for people and for snapshot tests; nothing reads it back.
//!
//! ```text
//! fn length(l: struct list *) -> int                      ; list.c:9:5
//!   b1:
//!     ; list.c:11:12  while (l) {
//!     branch l ? b2 : b3
//!   b2:
//!     ; list.c:13:13  l = l->next;
//!     _3 = load8 l->next@0
//! ```

use crate::body::{
    BinaryOp, Body, Callee, CastKind, CompareOp, Const, FuncId, Function, FunctionBody, Intrinsic, LocalId,
    Operand, Place, PlaceBase, Projection, Rvalue, StatementKind, TerminatorKind, UnaryOp,
};
use crate::index::IndexVec;
use crate::program::{Global, GlobalInit, GlobalKind, InitValue, Program};
use crate::source::Span;
use crate::types::{FloatTy, Record, RecordId, RecordKind, Ty, Type, TypeTable};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// How many layers of a function type's parameters are spelled out.
const MAX_TYPE_DEPTH: usize = 4;

/// The whole program: records, globals, functions.
pub fn program(program: &Program) -> String {
    let mut out = String::new();
    for (id, record) in program.types.records.iter_enumerated() {
        if record.complete {
            print_record(&mut out, &program.types, id, record);
        }
    }
    for global in program.globals.iter() {
        print_global(&mut out, program, global);
    }
    for id in program.functions.indices() {
        out.push_str(&function(program, id));
    }
    out
}

/// One function, ending with an empty line; the empty string for an index that does not exist.
pub fn function(program: &Program, id: FuncId) -> String {
    let mut out = String::new();
    let Some(f) = program.functions.get(id) else { return out };
    match &f.body {
        FunctionBody::Declared => {
            let model = if f.library.is_some() { "  ; modelled" } else { "" };
            let _ = writeln!(out, "extern {}{model}\n", type_name(&program.types, f.ty, &f.name));
        }
        FunctionBody::NotAnalysed { reason, span } => {
            let ty = type_name(&program.types, f.ty, &f.name);
            let _ = writeln!(out, "not analysed {ty}  ; {}: {reason}\n", program.sources.describe(*span));
        }
        FunctionBody::Defined(body) => BodyPrinter::new(program, body).function(&mut out, f),
    }
    out
}

/// One place of a function body, as in a listing.
pub fn place(program: &Program, body: &Body, place: &Place) -> String {
    BodyPrinter::new(program, body).place(place)
}

/// One operand of a function body, as in a listing.
pub fn operand(program: &Program, body: &Body, operand: &Operand) -> String {
    BodyPrinter::new(program, body).operand(operand)
}

/// A type in C syntax, declaring `name` (which may be empty): `int (*name)(char *)`.
pub fn type_name(types: &TypeTable, ty: Ty, name: &str) -> String {
    type_name_at(types, ty, name, 0)
}

fn type_name_at(types: &TypeTable, mut ty: Ty, name: &str, depth: usize) -> String {
    let mut declarator = name.to_owned();
    // Each step wraps the declarator; arrays and pointers end at another kind of type, and a table is finite,
    // but an ill-formed one might be cyclic.
    for _ in 0..64 {
        match types.get(ty) {
            Type::Pointer(to) => {
                let wrap = matches!(types.get(*to), Type::Array { .. } | Type::Function { .. });
                declarator = if wrap { format!("(*{declarator})") } else { format!("*{declarator}") };
                ty = *to;
            }
            Type::Array { elem, len } => {
                let len = len.map_or(String::new(), |n| n.to_string());
                let _ = write!(declarator, "[{len}]");
                ty = *elem;
            }
            Type::Function { ret, params, variadic } => {
                let mut list: Vec<String> = if depth < MAX_TYPE_DEPTH {
                    params.iter().map(|&p| type_name_at(types, p, "", depth + 1)).collect()
                } else {
                    vec!["…".into()]
                };
                if *variadic {
                    list.push("...".into());
                }
                let _ =
                    write!(declarator, "({})", if list.is_empty() { "void".into() } else { list.join(", ") });
                ty = *ret;
            }
            _ => break,
        }
    }
    let base = base_name(types, ty);
    if declarator.is_empty() { base } else { format!("{base} {declarator}") }
}

fn base_name(types: &TypeTable, ty: Ty) -> String {
    match types.get(ty) {
        Type::Void => "void".into(),
        Type::Bool => "_Bool".into(),
        Type::Int(i) => {
            let name = match i.bits {
                8 => "char",
                16 => "short",
                32 => "int",
                64 if types.pointer_size == 8 => "long",
                64 => "long long",
                128 => "__int128",
                bits => return format!("{}_BitInt({bits})", if i.signed { "" } else { "unsigned " }),
            };
            if i.signed { name.into() } else { format!("unsigned {name}") }
        }
        Type::Float(FloatTy::F32) => "float".into(),
        Type::Float(FloatTy::F64) => "double".into(),
        Type::Float(FloatTy::F80) => "long double".into(),
        Type::Float(FloatTy::F128) => "__float128".into(),
        Type::Record(r) => record_name(types, *r),
        Type::Opaque { size, .. } => format!("opaque{size}"),
        Type::Pointer(_) | Type::Array { .. } | Type::Function { .. } => "…".into(),
    }
}

/// `struct name`, or `struct #7` for one without a name.
pub fn record_name(types: &TypeTable, id: RecordId) -> String {
    let Some(record) = types.records.get(id) else { return format!("{id:?}") };
    let kind = match record.kind {
        RecordKind::Struct => "struct",
        RecordKind::Union => "union",
    };
    match &record.name {
        Some(name) => format!("{kind} {name}"),
        None => format!("{kind} #{}", id.0),
    }
}

fn print_record(out: &mut String, types: &TypeTable, id: RecordId, record: &Record) {
    let name = record_name(types, id);
    let _ = writeln!(out, "{name} {{  ; {} bytes, aligned to {}", record.size, record.align);
    for field in &record.fields {
        let _ = write!(out, "  {:>4}: ", field.offset);
        out.push_str(&type_name(types, field.ty, field.name.as_deref().unwrap_or("")));
        if let Some(bits) = field.bits {
            let _ = write!(out, " : {}  ; from bit {}", bits.width, bits.shift);
        }
        out.push('\n');
    }
    out.push_str("}\n\n");
}

fn print_global(out: &mut String, program: &Program, global: &Global) {
    let kind = match global.kind {
        GlobalKind::External => "global",
        GlobalKind::Static => "static",
        GlobalKind::StaticLocal => "static local",
        GlobalKind::Literal => "literal",
    };
    let constant = if global.constant { " const" } else { "" };
    let ty = type_name(&program.types, global.ty, &global.name);
    let _ = write!(out, "{kind}{constant} {ty}");
    match &global.init {
        GlobalInit::Unknown => out.push_str(" = unknown"),
        GlobalInit::Data(pieces) => {
            for (i, piece) in pieces.iter().enumerate() {
                let _ = write!(out, "{}@{}: ", if i == 0 { " = " } else { ", " }, piece.offset);
                match &piece.value {
                    InitValue::Bytes(bytes) => print_bytes(out, bytes),
                    InitValue::GlobalAddr { global, offset } => {
                        let _ = write!(out, "&{}", global_name(program, *global));
                        if *offset != 0 {
                            let _ = write!(out, "{offset:+}");
                        }
                    }
                    InitValue::FunctionAddr(f) => {
                        let _ = write!(out, "&{}", function_name(program, *f));
                    }
                }
            }
        }
    }
    let _ = writeln!(out, "  ; {} bytes, {}\n", global.size, program.sources.describe(global.span));
}

fn print_bytes(out: &mut String, bytes: &[u8]) {
    let text = bytes.len() > 1 && bytes.iter().all(|&b| b == 0 || (b' '..=b'~').contains(&b) || b == b'\n');
    if text {
        let _ = write!(out, "{:?}", String::from_utf8_lossy(bytes));
    } else {
        out.push_str("0x");
        // Little endian: as a number is written, the last byte comes first.
        for b in bytes.iter().rev() {
            let _ = write!(out, "{b:02x}");
        }
    }
}

fn global_name(program: &Program, id: crate::GlobalId) -> String {
    program.globals.get(id).map_or_else(|| format!("{id:?}"), |g| g.name.to_string())
}

fn function_name(program: &Program, id: FuncId) -> String {
    program.functions.get(id).map_or_else(|| format!("{id:?}"), |f| f.name.to_string())
}

/// Prints the parts of one body with its locals' names.
struct BodyPrinter<'a> {
    program: &'a Program,
    body: &'a Body,
    names: IndexVec<LocalId, String>,
}

impl<'a> BodyPrinter<'a> {
    fn new(program: &'a Program, body: &'a Body) -> Self {
        let mut uses: FxHashMap<&str, u32> = FxHashMap::default();
        for local in body.locals.iter() {
            if let Some(name) = &local.name {
                *uses.entry(name).or_default() += 1;
            }
        }
        let names = body
            .locals
            .iter_enumerated()
            .map(|(id, local)| match &local.name {
                Some(name) if uses.get(&**name) == Some(&1) => name.to_string(),
                Some(name) => format!("{name}{id:?}"),
                None => format!("{id:?}"),
            })
            .collect();
        BodyPrinter { program, body, names }
    }

    fn types(&self) -> &TypeTable {
        &self.program.types
    }

    fn local(&self, id: LocalId) -> String {
        self.names.get(id).cloned().unwrap_or_else(|| format!("{id:?}"))
    }

    fn function(&self, out: &mut String, f: &Function) {
        let sources = &self.program.sources;
        let params: Vec<String> = self
            .body
            .params
            .iter()
            .map(|&p| {
                let ty = self.body.locals.get(p).map_or(f.ty, |l| l.ty);
                type_name(self.types(), ty, &self.local(p))
            })
            .collect();
        let (ret, variadic) = match self.types().get(f.ty) {
            Type::Function { ret, variadic, .. } => (type_name(self.types(), *ret, ""), *variadic),
            _ => ("?".into(), false),
        };
        let dots = match (variadic, params.is_empty()) {
            (false, _) => "",
            (true, true) => "...",
            (true, false) => ", ...",
        };
        let stat = if f.internal { "static " } else { "" };
        let at = sources.describe(f.span);
        let _ = writeln!(out, "{stat}fn {}({}{dots}) -> {ret}  ; {at}", f.name, params.join(", "));
        for (id, local) in self.body.locals.iter_enumerated() {
            if !self.body.params.contains(&id) {
                let taken = if local.address_taken { "  ; address taken" } else { "" };
                let ty = type_name(self.types(), local.ty, &self.local(id));
                let _ = writeln!(out, "  let {ty}{taken}");
            }
        }
        let mut last_line = None;
        for (id, block) in self.body.blocks.iter_enumerated() {
            let _ = writeln!(out, "  {id:?}:");
            for statement in &block.statements {
                self.source_line(out, statement.span, &mut last_line);
                let _ = writeln!(out, "    {}", self.statement(&statement.kind));
            }
            self.source_line(out, block.terminator.span, &mut last_line);
            let _ = writeln!(out, "    {}", self.terminator(&block.terminator.kind));
        }
        out.push('\n');
    }

    /// A comment with the source line of `span`, unless it is the one shown last.
    fn source_line(&self, out: &mut String, span: Span, last: &mut Option<(std::sync::Arc<str>, u32)>) {
        if span.lo == span.hi {
            return;
        }
        let Some(at) = self.program.sources.location(span.lo) else { return };
        let key = Some((at.file.clone(), at.line));
        if *last != key {
            *last = key;
            let text = self.program.sources.line(span.lo).trim();
            let _ = writeln!(out, "    ; {at}  {text}");
        }
    }

    fn operand(&self, operand: &Operand) -> String {
        match operand {
            Operand::Local(l) => self.local(*l),
            Operand::Const(c) => self.constant(c),
        }
    }

    fn constant(&self, c: &Const) -> String {
        match c {
            Const::Int { value, ty } => match self.types().as_int(*ty) {
                Some(i) if !i.signed && i.bits == 128 => format!("{}", *value as u128),
                _ => value.to_string(),
            },
            Const::Float { value, .. } => format!("{value:?}"),
            Const::Null(_) => "null".into(),
            Const::Global { global, offset, .. } => match offset {
                0 => format!("&{}", global_name(self.program, *global)),
                _ => format!("&{}{offset:+}", global_name(self.program, *global)),
            },
            Const::Function { func, .. } => format!("&{}", function_name(self.program, *func)),
            Const::Label { block, .. } => format!("&&{block:?}"),
            Const::Undefined(_) => "undefined".into(),
        }
    }

    fn place(&self, place: &Place) -> String {
        let mut out = match &place.base {
            PlaceBase::Local(l) => self.local(*l),
            PlaceBase::Global(g) => global_name(self.program, *g),
            PlaceBase::Deref(p) => match place.path.first() {
                Some(Projection::Field { .. }) => format!("{}->", self.operand(p)),
                Some(Projection::Index { .. }) => format!("(*{})", self.operand(p)),
                None => format!("*{}", self.operand(p)),
            },
        };
        for step in &place.path {
            match step {
                Projection::Field { record, field, offset, bits } => {
                    let field = self
                        .types()
                        .records
                        .get(*record)
                        .and_then(|r| r.fields.get(*field as usize))
                        .and_then(|f| f.name.as_deref())
                        .unwrap_or("<anonymous>");
                    let dot = if out.ends_with("->") { "" } else { "." };
                    let _ = write!(out, "{dot}{field}@{offset}");
                    if let Some(bits) = bits {
                        let _ = write!(out, ":{}+{}", bits.shift, bits.width);
                    }
                }
                Projection::Index { index, stride } => {
                    let _ = write!(out, "[{} * {stride}]", self.operand(index));
                }
            }
        }
        out
    }

    /// A place that is written; a store through memory shows its width.
    fn dest(&self, place: &Place) -> String {
        if place.as_local().is_some() {
            self.place(place)
        } else {
            format!("store{} {}", self.types().size(place.ty), self.place(place))
        }
    }

    fn args(&self, args: &[Operand]) -> String {
        args.iter().map(|a| self.operand(a)).collect::<Vec<_>>().join(", ")
    }

    fn rvalue(&self, value: &Rvalue, ty: Ty) -> String {
        match value {
            Rvalue::Use(arg) => self.operand(arg),
            Rvalue::Load(p) => format!("load{} {}", self.types().size(p.ty), self.place(p)),
            Rvalue::AddrOf(p) => format!("&{}", self.place(p)),
            Rvalue::Unary { op, arg } => {
                let op = match op {
                    UnaryOp::Neg => "-",
                    UnaryOp::BitNot => "~",
                };
                format!("{op}{}", self.operand(arg))
            }
            Rvalue::Binary { op, lhs, rhs } => {
                format!("{} {} {}", self.operand(lhs), binary_symbol(*op), self.operand(rhs))
            }
            Rvalue::Compare { op, lhs, rhs } => {
                format!("{} {} {}", self.operand(lhs), compare_symbol(*op), self.operand(rhs))
            }
            Rvalue::Cast { kind, arg } => {
                format!("{} as {} ({})", self.operand(arg), type_name(self.types(), ty, ""), cast_name(*kind))
            }
            Rvalue::PtrAdd { ptr, index, stride } => {
                format!("{} +ptr {} * {stride}", self.operand(ptr), self.operand(index))
            }
            Rvalue::PtrDiff { lhs, rhs, stride } => {
                format!("({} -ptr {}) / {stride}", self.operand(lhs), self.operand(rhs))
            }
        }
    }

    fn statement(&self, kind: &StatementKind) -> String {
        match kind {
            StatementKind::Nop => "nop".into(),
            StatementKind::Assign { dest, value } => {
                format!("{} = {}", self.dest(dest), self.rvalue(value, dest.ty))
            }
            StatementKind::Zero(dest) => {
                format!("zero{} {}", self.types().size(dest.ty), self.place(dest))
            }
            StatementKind::StorageLive(l) => format!("live {}", self.local(*l)),
            StatementKind::StorageDead(l) => format!("dead {}", self.local(*l)),
            StatementKind::ScopeAlloc { dest, size } => {
                format!("{} = scope_alloc {}", self.local(*dest), self.operand(size))
            }
            StatementKind::ScopeFree(l) => format!("scope_free {}", self.local(*l)),
            StatementKind::Call(call) => {
                let callee = match &call.callee {
                    Callee::Direct(f) => function_name(self.program, *f),
                    Callee::Indirect(p) => format!("(*{})", self.operand(p)),
                };
                self.with_dest(call.dest.as_ref(), format!("call {callee}({})", self.args(&call.args)))
            }
            StatementKind::Intrinsic { op, dest, args } => {
                self.with_dest(dest.as_ref(), format!("{}({})", self.intrinsic(*op), self.args(args)))
            }
        }
    }

    fn with_dest(&self, dest: Option<&Place>, text: String) -> String {
        match dest {
            Some(dest) => format!("{} = {text}", self.dest(dest)),
            None => text,
        }
    }

    fn intrinsic(&self, op: Intrinsic) -> String {
        match op {
            Intrinsic::VaArg(ty) => format!("va_arg<{}>", type_name(self.types(), ty, "")),
            Intrinsic::Overflow(op, ty) => {
                format!("overflow<{}, {}>", binary_symbol(op), type_name(self.types(), ty, ""))
            }
            other => {
                let mut name = String::new();
                for c in format!("{other:?}").chars() {
                    if c.is_uppercase() && !name.is_empty() {
                        name.push('_');
                    }
                    name.extend(c.to_lowercase());
                }
                name
            }
        }
    }

    fn terminator(&self, kind: &TerminatorKind) -> String {
        match kind {
            TerminatorKind::Goto(b) => format!("goto {b:?}"),
            TerminatorKind::Branch { cond, then, otherwise } => {
                format!("branch {} ? {then:?} : {otherwise:?}", self.operand(cond))
            }
            TerminatorKind::Switch { value, cases, default } => {
                let mut out = format!("switch {} {{ ", self.operand(value));
                for case in cases {
                    let _ = if case.low == case.high {
                        write!(out, "{}: {:?}, ", case.low, case.target)
                    } else {
                        write!(out, "{}..{}: {:?}, ", case.low, case.high, case.target)
                    };
                }
                let _ = write!(out, "default: {default:?} }}");
                out
            }
            TerminatorKind::GotoAddress { address, targets } => {
                format!("goto *{} in {targets:?}", self.operand(address))
            }
            TerminatorKind::Return(None) => "return".into(),
            TerminatorKind::Return(Some(value)) => format!("return {}", self.operand(value)),
            TerminatorKind::Unreachable => "unreachable".into(),
        }
    }
}

/// The C operator.
pub fn binary_symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
    }
}

/// The C operator.
pub fn compare_symbol(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Eq => "==",
        CompareOp::Ne => "!=",
        CompareOp::Lt => "<",
        CompareOp::Le => "<=",
        CompareOp::Gt => ">",
        CompareOp::Ge => ">=",
    }
}

fn cast_name(kind: CastKind) -> &'static str {
    match kind {
        CastKind::IntToInt => "int to int",
        CastKind::ToBool => "to bool",
        CastKind::IntToFloat => "int to float",
        CastKind::FloatToInt => "float to int",
        CastKind::FloatToFloat => "float to float",
        CastKind::PtrToInt => "pointer to int",
        CastKind::IntToPtr => "int to pointer",
        CastKind::PtrToPtr => "pointer to pointer",
        CastKind::Reinterpret => "reinterpret",
    }
}

#[cfg(test)]
mod tests;
