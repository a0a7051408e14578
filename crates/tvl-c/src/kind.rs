//! What a cell is: a whole structure or only what may be part of one.
//!
//! Where pointers lead to parts of structures ([`crate::interior`]), the type of a pointer does not say of which kind its cell is. Then
//! each cell has a mark for each structure that has such parts, set when the cell is made, and asked for by what goes by
//! the kind: an access through a pointer to the whole, and a conversion to another type.

use crate::body::{Frame, Translator};
use heapwise_ir::{Operand, RecordId, Span, Ty, Type};
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

impl<'p> Translator<'p> {
    /// Declares the marks of the structures that have parts.
    pub(crate) fn declare_kinds(&mut self) {
        for record in self.interior.wholes() {
            let mark = self.out.program.mark(format!("kind{}", record.0));
            self.kinds.push((record, mark));
        }
        if !self.kinds.is_empty() {
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
        self.fresh_numbers(at, x, ty, span);
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
        let end = self.location();
        self.edge(*at, Statement::Assume(Condition::Null(x)), end, span);
        self.step(at, Statement::Assume(Condition::NotNull(x)), span);
        self.expect_marks(at, x, &wanted, Reason::Unsupported.into(), span);
        self.edge(*at, Statement::Skip, end, span);
        *at = end;
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
