//! Accesses to elements of small arrays by indices that vary.
//!
//! Each element is a field, so such an access has a way for each: on it the index is that element's, as a state's numbers
//! allow. What no element is for goes to an error.

use crate::body::{Conditions, Effect, Frame, Translator};
use crate::interior::base_type;
use crate::object::MAX_ELEMENTS;
use heapwise_ir::{Const, LocalId, Operand, Place, Projection, Rvalue, Span, StatementKind, Type};
use heapwise_numeric::Interval;
use heapwise_property::ErrorKind;
use heapwise_tvl::program::{LocationId, Statement};

impl<'p> Translator<'p> {
    /// An edge on which control goes only if a local is in a range.
    pub(crate) fn only_within(
        &mut self,
        from: LocationId,
        (local, range): (LocalId, Interval),
        to: LocationId,
        span: Span,
    ) {
        self.out.effects.insert(self.out.program.edges.len(), Effect::Within(local, range));
        self.edge(from, Statement::Skip, to, span);
    }

    /// Translates an access to an element of a small array by an index that varies: a way for each element. Whether it is that.
    pub(crate) fn indexed_access(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        kind: &StatementKind,
        span: Span,
        conditions: &mut Conditions,
    ) -> bool {
        let mut found = None;
        for (which, place) in accessed(kind).into_iter().enumerate() {
            let Some(mut ty) = base_type(self.source, frame.body, place) else { continue };
            if self.element(ty).is_some() {
                continue;
            }
            for (step, projection) in place.path.iter().enumerate() {
                let next = match projection {
                    Projection::Field { record, field, .. } => {
                        let fields = self.source.types.records.get(*record).map(|r| &r.fields);
                        fields.and_then(|f| f.get(*field as usize)).map(|f| f.ty)
                    }
                    Projection::Index { index, .. } => match *self.source.types.get(ty) {
                        Type::Array { elem, len } => {
                            if let (Operand::Local(l), Some(len), None) = (index, len, found) {
                                found = Some((which, step, *l, len));
                            }
                            Some(elem)
                        }
                        _ => None,
                    },
                };
                let Some(next) = next else { break };
                ty = next;
            }
        }
        let Some((which, step, index, len)) = found.filter(|f| f.3 <= MAX_ELEMENTS as u64) else {
            return false;
        };
        self.data_operand(frame, at, &Operand::Local(index), span);
        let outside = self.location();
        let len = i128::from(len);
        self.only_within(*at, (index, Interval { lo: None, hi: Some(-1) }), outside, span);
        self.only_within(*at, (index, Interval { lo: Some(len), hi: None }), outside, span);
        self.must_not_reach(outside, ErrorKind::OutOfBounds, span);
        let end = self.location();
        let mut common: Option<Conditions> = None;
        for element in 0..len {
            let mut way = self.location();
            self.only_within(*at, (index, Interval::point(element)), way, span);
            let mut one = kind.clone();
            if let Some(place) = accessed_mut(&mut one).into_iter().nth(which)
                && let Some(Projection::Index { index, .. }) = place.path.get_mut(step)
                && let Some(ty) = self.source.operand_ty(frame.body, index)
            {
                *index = Operand::Const(Const::Int { value: element, ty });
            }
            let mut known = conditions.clone();
            if !self.indexed_access(frame, &mut way, &one, span, &mut known) {
                match &one {
                    StatementKind::Assign { dest, value } => {
                        self.assign(frame, &mut way, dest, value, span, &mut known);
                    }
                    StatementKind::Zero(place) => self.zero(frame, &mut way, place, span),
                    _ => {}
                }
            }
            self.drop_scratch(&mut way, span);
            self.edge(way, Statement::Skip, end, span);
            match &mut common {
                Some(common) => common.retain(|l, c| known.get(l) == Some(c)),
                None => common = Some(known),
            }
        }
        *conditions = common.unwrap_or_default();
        *at = end;
        true
    }
}

/// The places that a statement reads and writes, if it is an assignment.
fn accessed(kind: &StatementKind) -> Vec<&Place> {
    match kind {
        StatementKind::Assign { dest, value: Rvalue::Load(place) } => vec![dest, place],
        StatementKind::Assign { dest, .. } | StatementKind::Zero(dest) => vec![dest],
        _ => Vec::new(),
    }
}

/// The same, to be changed.
fn accessed_mut(kind: &mut StatementKind) -> Vec<&mut Place> {
    match kind {
        StatementKind::Assign { dest, value: Rvalue::Load(place) } => vec![dest, place],
        StatementKind::Assign { dest, .. } | StatementKind::Zero(dest) => vec![dest],
        _ => Vec::new(),
    }
}
