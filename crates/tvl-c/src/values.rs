//! Numbers of cells, as far as the program compares them with constants.
//!
//! A field whose number is compared has a Boolean field for each bound: whether the number is at least that. These take part in the abstraction as
//! all Boolean fields do, so elements of different values are told apart, and elements in the same stretch between two bounds
//! are not (predicate abstraction of the numbers of cells; survey §5.1). Where a number is read its cell is a single one, so that the
//! stretches are told apart there, and what is read is a range ([`crate::numbers`]).
//!
//! **Invariant:** zero has all Boolean fields 0, so that cells which start with zeros need nothing: for bounds up to 0 the field says that the
//! number is below.

use crate::body::{Effect, Translator};
use crate::numbers::{Code, Number, Numbers};
use crate::place::{FieldKey, Root};
use heapwise_ir::{InitPiece, InitValue, RecordId, Rvalue, Span, Ty, Type};
use heapwise_numeric::Interval;
use heapwise_tvl::kleene::Kleene;
use heapwise_tvl::program::{DataId, LocationId, MarkId, Statement, VarId};
use heapwise_tvl::schema::Schema;
use heapwise_tvl::structure::Structure;

/// How the values of a field are told apart.
#[derive(Clone, Debug)]
pub(crate) struct Values {
    /// In order.
    bounds: Vec<(i128, MarkId)>,
    /// The values of its type.
    all: Interval,
    /// The structure whose member it is, if no other cells have it.
    owner: Option<RecordId>,
}

/// What is written.
#[derive(Clone, Debug)]
pub(crate) enum Stored {
    /// Any value.
    Any,
    /// Zero.
    Zero,
    /// What was read by the same statement.
    Loaded,
    /// What is computed.
    Computed(Ty, Rvalue),
}

impl Stored {
    /// The values that it may be.
    pub(crate) fn range(&self, code: &Code<'_>, numbers: &Numbers) -> Interval {
        match self {
            Stored::Any => Interval::FULL,
            Stored::Zero => Interval::point(0),
            Stored::Loaded => numbers.range(Number::Loaded).unwrap_or(Interval::FULL),
            Stored::Computed(ty, value) => numbers.evaluate(code, *ty, value),
        }
    }
}

impl Values {
    /// How the sizes of cells are told apart.
    pub(crate) fn of_sizes(bounds: Vec<(i128, MarkId)>) -> Values {
        Values { bounds, all: Interval { lo: Some(0), hi: None }, owner: None }
    }

    /// The range that the number of a cell is in.
    pub(crate) fn range(&self, schema: &Schema, s: &Structure, cell: usize) -> Interval {
        let mut range = self.all;
        for &(bound, mark) in &self.bounds {
            let reached = s.unary(schema.mark(mark)).get(cell);
            let reached = if bound > 0 { reached } else { !reached };
            match reached {
                Kleene::True => range.lo = range.lo.max(Some(bound)),
                Kleene::False => {
                    let below = bound.saturating_sub(1);
                    range.hi = Some(range.hi.map_or(below, |hi| hi.min(below)));
                }
                Kleene::Unknown => {}
            }
        }
        range
    }

    /// Whether only cells of another kind have the field.
    pub(crate) fn is_foreign(&self, record: Option<RecordId>) -> bool {
        self.owner.is_some_and(|owner| Some(owner) != record)
    }

    /// The structures in which it is known between which bounds the number of a cell is, and where that is.
    pub(crate) fn cases(&self, schema: &Schema, s: &Structure, cell: usize) -> Vec<(Structure, Interval)> {
        let mut found = Vec::new();
        for below in 0..=self.bounds.len() {
            // The first `below` bounds are reached.
            let lo = below.checked_sub(1).and_then(|i| self.bounds.get(i)).map(|(bound, _)| *bound);
            let hi = self.bounds.get(below).and_then(|(bound, _)| bound.checked_sub(1));
            let Some(range) = (Interval { lo, hi }).meet(self.all) else { continue };
            let mut case = s.clone();
            let mut possible = true;
            for (i, &(bound, mark)) in self.bounds.iter().enumerate() {
                let slot = schema.mark(mark);
                let value = Kleene::from((i < below) == (bound > 0));
                let mut lanes = case.unary(slot);
                possible &= lanes.get(cell) == Kleene::Unknown || lanes.get(cell) == value;
                lanes.set(cell, value);
                case.set_unary(slot, lanes);
            }
            if possible {
                found.push((case, range));
            }
        }
        found
    }

    /// The number of a cell is in a range from now on.
    pub(crate) fn store(&self, schema: &Schema, s: &mut Structure, cell: usize, range: Interval) {
        for &(bound, mark) in &self.bounds {
            let reached = match (range.lo, range.hi) {
                (Some(lo), _) if lo >= bound => Kleene::True,
                (_, Some(hi)) if hi < bound => Kleene::False,
                _ => Kleene::Unknown,
            };
            let slot = schema.mark(mark);
            let mut lanes = s.unary(slot);
            lanes.set(cell, if bound > 0 { reached } else { !reached });
            s.set_unary(slot, lanes);
        }
    }
}

impl Translator<'_> {
    /// Declares what tells the values of a new field apart.
    pub(crate) fn declare_values(&mut self, key: FieldKey, shift: u8, (d, ty): (DataId, Ty)) {
        let Some(bounds) = self.bounds.get(&key).filter(|_| shift == 0).cloned() else { return };
        let name = self.out.program.data.get(d.0 as usize).cloned().unwrap_or_default();
        let mut declared = Vec::new();
        for bound in bounds {
            let name = if bound > 0 { format!("{name}>={bound}") } else { format!("{name}<{bound}") };
            declared.push((bound, self.out.program.mark(name)));
        }
        let mixed = |r: RecordId| self.interior.is_whole(r) || self.interior.around(r).next().is_some();
        let owner = match key {
            FieldKey::Member(record, _) if !mixed(record) => Some(record),
            _ => None,
        };
        // An object by itself may be of any type.
        let all = match (key, self.source.types.as_int(ty)) {
            (FieldKey::Whole, _) | (_, None) => Interval::FULL,
            (_, Some(_)) if *self.source.types.get(ty) == Type::Bool => Interval { lo: Some(0), hi: Some(1) },
            (_, Some(int)) => {
                let int =
                    heapwise_numeric::machine::MachineInt { bits: u32::from(int.bits), signed: int.signed };
                int.range()
            }
        };
        self.out.values.insert(d, Values { bounds: declared, all, owner });
    }

    /// An effect on the way.
    pub(crate) fn with_effect(&mut self, at: &mut LocationId, effect: Effect, span: Span) {
        self.out.effects.insert(self.out.program.edges.len(), effect);
        self.step(at, Statement::Skip, span);
    }

    /// A number of a cell is read.
    pub(crate) fn load_number(
        &mut self,
        at: &mut LocationId,
        (x, d): (VarId, DataId),
        into: Number,
        span: Span,
    ) {
        if self.out.values.contains_key(&d) {
            self.with_effect(at, Effect::Load(x, d, into), span);
        }
    }

    /// A number is written to a cell.
    pub(crate) fn store_number(
        &mut self,
        at: &mut LocationId,
        (x, d): (VarId, DataId),
        value: Stored,
        span: Span,
    ) {
        if self.out.values.contains_key(&d) {
            self.with_effect(at, Effect::Store(x, d, value), span);
        }
    }

    /// A new cell has no numbers that others have.
    pub(crate) fn fresh_numbers(&mut self, at: &mut LocationId, x: VarId, ty: Option<Ty>, span: Span) {
        if let (Some(ty), false) = (ty, self.bounds.is_empty()) {
            let record = self.record(ty);
            self.with_effect(at, Effect::Fresh(x, record), span);
        }
    }

    /// The numbers that a global which is a cell begins with, where they are not zero.
    pub(crate) fn initial_numbers(
        &mut self,
        at: &mut LocationId,
        (cell, root): (VarId, Option<Root>),
        scalars: &[(u64, Ty)],
        (pieces, span): (&[InitPiece], Span),
    ) {
        for &(offset, ty) in scalars {
            let Some(int) = self.source.types.as_int(ty) else { continue };
            let key = root.map_or(FieldKey::Whole, |root| root.at(offset));
            if !self.bounds.contains_key(&self.interior.field(key, ty)) {
                continue;
            }
            let width = u64::from(int.bits / 8);
            let value = match initial_value(pieces, offset, width, int.signed) {
                Some(0) => continue,
                Some(value) => {
                    let constant = heapwise_ir::Const::Int { value, ty };
                    Stored::Computed(ty, Rvalue::Use(heapwise_ir::Operand::Const(constant)))
                }
                None => Stored::Any,
            };
            let d = self.data_field(key, 0, ty);
            self.store_number(at, (cell, d), value, span);
        }
    }
}

/// The number of some bytes of an object that is given by pieces, if it is known.
pub(crate) fn initial_value(pieces: &[InitPiece], offset: u64, width: u64, signed: bool) -> Option<i128> {
    if !(1..=8).contains(&width) {
        return None;
    }
    let mut bytes = [0u8; 16];
    for piece in pieces {
        let InitValue::Bytes(data) = &piece.value else {
            // Addresses are at most this wide.
            if piece.offset < offset + width && offset < piece.offset.saturating_add(16) {
                return None;
            }
            continue;
        };
        for (i, byte) in data.iter().enumerate() {
            let at = piece.offset.saturating_add(i as u64);
            if let Some(place) = at.checked_sub(offset).filter(|at| *at < width) {
                *bytes.get_mut(place as usize)? = *byte;
            }
        }
    }
    let negative = signed && bytes.get(width as usize - 1).is_some_and(|b| b & 0x80 != 0);
    if negative {
        bytes.iter_mut().skip(width as usize).for_each(|b| *b = 0xff);
    }
    Some(i128::from_le_bytes(bytes))
}
