//! What a cell is: a whole structure or only what may be part of one.
//!
//! Where pointers lead to parts of structures ([`crate::interior`]), the type of a pointer does not say of which kind its cell is. Then
//! each cell has a mark for each structure that has such parts, set when the cell is made, and asked for by what goes by
//! the kind: an access through a pointer to the whole, and a conversion to another type. So it is with types to which pointers of
//! no type (`void *`) are converted elsewhere than where a block was just allocated.

use crate::body::{Frame, Translator};
use crate::place::{BodyFacts, Ptr};
use heapwise_ir::{
    CastKind, FunctionBody, Operand, Program, RecordId, Rvalue, Span, StatementKind, Ty, Type,
};
use heapwise_property::{ErrorKind, Kind, Reason};
use heapwise_tvl::program::{Condition, FlagValue, LocationId, MarkId, Statement, VarId};

/// What a pointer is that was converted to one to bytes, and moved by a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Moved {
    /// What the pointer led to.
    pub(crate) origin: Ty,
    /// By how many bytes it was moved.
    pub(crate) by: i64,
}

/// The types to which pointers of no type are converted where that is not for a block that was just allocated.
fn untyped_uses(source: &Program) -> Vec<Ty> {
    let types = &source.types;
    let mut found = Vec::new();
    for f in source.functions.iter() {
        let FunctionBody::Defined(body) = &f.body else { continue };
        let facts = BodyFacts::of(source, body);
        for s in body.blocks.iter().flat_map(|b| &b.statements) {
            let StatementKind::Assign { dest, value: Rvalue::Cast { kind: CastKind::PtrToPtr, arg } } =
                &s.kind
            else {
                continue;
            };
            let Operand::Local(l) = arg else { continue };
            let from = source.operand_ty(body, arg).and_then(|ty| types.pointee(ty));
            let Some(to) = types.pointee(dest.ty).filter(|to| *types.get(*to) != Type::Void) else {
                continue;
            };
            let void = from.is_some_and(|from| *types.get(from) == Type::Void);
            if void && facts.type_of_allocated(*l).is_none() && !found.contains(&to) {
                found.push(to);
            }
        }
    }
    found
}

impl<'p> Translator<'p> {
    /// Declares the marks of the structures that have parts.
    pub(crate) fn declare_kinds(&mut self) {
        for record in self.interior.wholes() {
            let mark = self.out.program.mark(format!("kind{}", record.0));
            self.kinds.push((record, mark));
        }
        for ty in untyped_uses(self.source) {
            let known = self.untyped.iter().any(|(kind, _)| self.is_same_kind(*kind, ty));
            if !known && self.is_kind(ty) {
                let mark = self.out.program.mark(format!("is{}", ty.0));
                self.untyped.push((ty, mark));
            }
        }
        if !self.kinds.is_empty() || !self.untyped.is_empty() {
            self.kind_flag = Some(self.out.program.flag("kind"));
        }
    }

    /// Says of a new cell what it is.
    pub(crate) fn mark_kind(&mut self, at: &mut LocationId, x: VarId, ty: Option<Ty>, span: Span) {
        let record = ty.and_then(|ty| self.record(ty));
        for (kind, mark) in self.kinds.clone() {
            let value = FlagValue::Constant(Some(kind) == record);
            self.step(at, Statement::StoreMark(x, mark, value), span);
        }
        for (kind, mark) in self.untyped.clone() {
            let value = FlagValue::Constant(ty.is_some_and(|ty| self.is_same_kind(kind, ty)));
            self.step(at, Statement::StoreMark(x, mark, value), span);
        }
        self.fresh_numbers(at, x, ty, span);
    }

    /// Whether a pointer of no type may be converted to one to this type where its cell is one: no part of another one,
    /// and none with parts to which pointers lead.
    fn is_kind(&self, ty: Ty) -> bool {
        let types = &self.source.types;
        match types.get(ty) {
            Type::Record(r) => {
                let whole = self.interior.is_whole(*r) || self.interior.around(*r).next().is_some();
                !whole && types.records.get(*r).is_some_and(|r| r.complete)
            }
            Type::Int(_) | Type::Bool | Type::Float(_) => !self.interior.concerns(ty),
            _ => false,
        }
    }

    /// Whether objects of two types are used alike.
    fn is_same_kind(&self, a: Ty, b: Ty) -> bool {
        a == b || self.keeps_elements((a, b))
    }

    /// A pointer of no type is converted to one to a type: its cell must be of it. Whether that can be told.
    pub(crate) fn typed_again(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        (arg, to): (&Operand, Ty),
        span: Span,
    ) -> bool {
        let found = self.untyped.iter().find(|(kind, _)| self.is_same_kind(*kind, to)).copied();
        let (Some((_, mark)), true) = (found, self.is_kind(to)) else { return false };
        let Some(Ptr::Var(x)) = self.pointer_operand(frame, at, arg, span) else { return false };
        self.expect_if_any(at, x, &[(mark, true)], span);
        true
    }

    /// Goes on only if `x` is null or its cell has marks as wanted.
    fn expect_if_any(&mut self, at: &mut LocationId, x: VarId, wanted: &[(MarkId, bool)], span: Span) {
        let end = self.location();
        self.edge(*at, Statement::Assume(Condition::Null(x)), end, span);
        self.step(at, Statement::Assume(Condition::NotNull(x)), span);
        self.expect_marks(at, x, wanted, Reason::Unsupported.into(), span);
        self.edge(*at, Statement::Skip, end, span);
        *at = end;
    }

    pub(crate) fn record(&self, ty: Ty) -> Option<RecordId> {
        match self.source.types.get(ty) {
            Type::Record(record) => Some(*record),
            _ => None,
        }
    }

    fn mark_of(&self, record: RecordId) -> Option<MarkId> {
        self.kinds.iter().find(|(kind, _)| *kind == record).map(|(_, mark)| *mark)
    }

    /// Goes on only if the cell of `x` has marks as wanted; otherwise it is what `kind` says.
    fn expect_marks(
        &mut self,
        at: &mut LocationId,
        x: VarId,
        wanted: &[(MarkId, bool)],
        kind: Kind,
        span: Span,
    ) {
        let Some(flag) = self.kind_flag.filter(|_| !wanted.is_empty()) else { return };
        for &(mark, value) in wanted {
            self.step(at, Statement::LoadMark(flag, x, mark), span);
            let error = self.location();
            self.edge(*at, Statement::Assume(Condition::Flag(flag, !value)), error, span);
            self.out.errors.push((error, kind, span));
            self.step(at, Statement::Assume(Condition::Flag(flag, value)), span);
        }
        self.step(at, Statement::SetFlag(flag, FlagValue::Constant(false)), span);
    }

    /// An access through a pointer to a structure that has parts: the cell must be one, not just a part by itself.
    pub(crate) fn expect_whole(&mut self, at: &mut LocationId, x: VarId, ty: Ty, span: Span) {
        if let Some(mark) = self.record(ty).and_then(|record| self.mark_of(record)) {
            self.expect_marks(at, x, &[(mark, true)], ErrorKind::OutOfBounds.into(), span);
        }
    }

    /// Whether a pointer that was moved by some bytes is one to `to`, after what has to be asked of its cell.
    pub(crate) fn moved_fits(
        &mut self,
        at: &mut LocationId,
        x: VarId,
        (moved, to): (Moved, Ty),
        span: Span,
    ) -> bool {
        let types = &self.source.types;
        let Moved { origin, by } = moved;
        if to == origin && by == 0 {
            return true;
        }
        if *types.get(to) == Type::Void {
            return self.as_block(at, x, moved, span);
        }
        let (Some(from), Some(to)) = (self.record(origin), self.record(to)) else { return false };
        let back = (by <= 0).then_some(by.unsigned_abs());
        let whole = back.is_some_and(|offset| self.interior.embeds(to, offset, from));
        let part = by == 0 && self.interior.embeds(from, 0, to);
        whole || part
    }

    /// Whether a pointer that was moved is that of its block, after what has to be asked of its cell.
    fn as_block(&mut self, at: &mut LocationId, x: VarId, Moved { origin, by }: Moved, span: Span) -> bool {
        if self.interior.concerns(origin) {
            return false;
        }
        let Some(record) = self.record(origin) else { return by == 0 };
        let mut wanted = Vec::new();
        if by == 0 {
            if let Some(mark) = self.mark_of(record) {
                wanted.push((mark, true));
            }
            for e in self.interior.around(record).filter(|e| e.offset != 0).collect::<Vec<_>>() {
                wanted.extend(self.mark_of(e.outer).map(|mark| (mark, false)));
            }
        } else {
            let back = by.unsigned_abs();
            let mut wholes = self.interior.around(record).filter(|e| by < 0 && e.offset == back);
            let (Some(whole), None) = (wholes.next(), wholes.next()) else { return false };
            let Some(mark) = self.mark_of(whole.outer) else { return false };
            wanted.push((mark, true));
        }
        if wanted.is_empty() {
            return true;
        }
        self.expect_if_any(at, x, &wanted, span);
        true
    }

    /// What a pointer operand leads to, and how it was moved from there.
    pub(crate) fn moved(&self, frame: &Frame<'p>, arg: &Operand) -> Option<Moved> {
        let bytes = match arg {
            Operand::Local(l) => frame.facts.moved(*l),
            Operand::Const(_) => None,
        };
        bytes.or_else(|| {
            let ty = self.source.operand_ty(frame.body, arg)?;
            Some(Moved { origin: self.source.types.pointee(ty)?, by: 0 })
        })
    }
}
