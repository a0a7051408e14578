//! Where nondeterministic values come from, and the record of those that were drawn.

use crate::value::ObjectId;
use heapwise_ir::Span;

/// The kind of value that is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InputKind {
    /// 0 or 1.
    Bool,
    /// An integer of that type.
    Int(heapwise_ir::IntTy),
    /// A floating number.
    Float,
    /// An address; anything but 0 is not a valid pointer.
    Pointer,
}

/// A value that was drawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum InputValue {
    /// An integer, boolean or address.
    Int(i128),
    /// A floating number.
    Float(f64),
}

/// A value with the call that asked for it.
#[derive(Clone, PartialEq, Debug)]
pub struct Draw {
    /// The call.
    pub span: Span,
    /// The function that was called, e.g. `__VERIFIER_nondet_int`.
    pub source: Box<str>,
    /// What was asked for.
    pub kind: InputKind,
    /// What was given, after conversion to the kind.
    pub value: InputValue,
}

/// Where a drawn value, less a constant, was put by the library or the start of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placed {
    /// Its number among the draws.
    pub draw: usize,
    /// What was subtracted from it.
    pub minus: i128,
    /// Where it was put.
    pub at: PlacedAt,
}

/// A place for a drawn value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlacedAt {
    /// These bytes of an object: the first one.
    Memory(ObjectId, u64),
    /// The result of the call that drew it.
    Result,
    /// A parameter of the first function.
    Parameter(usize),
    /// Nowhere: it said which way the library went, 0 or not.
    Choice,
}

/// A source of nondeterministic values.
pub trait Inputs {
    /// The next value, or `None` if there is none left; then the run ends. Values are converted to `kind`.
    fn draw(&mut self, kind: InputKind, span: Span) -> Option<InputValue>;
    /// The next choice of an order of evaluation; 0, or none, is from left to right.
    fn order(&mut self, kind: InputKind, span: Span) -> Option<InputValue> {
        self.draw(kind, span)
    }
}

/// A generator that depends on its seed only, biased to small values and the ends of the type's range.
#[derive(Clone, Debug)]
pub struct RandomInputs {
    state: u64,
}

impl RandomInputs {
    /// The generator for a seed.
    pub fn new(seed: u64) -> Self {
        RandomInputs { state: seed }
    }
    /// SplitMix64: a counter through a mixing function.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

impl Inputs for RandomInputs {
    fn draw(&mut self, kind: InputKind, _span: Span) -> Option<InputValue> {
        let how = self.next() % 16;
        let raw = self.next();
        Some(match kind {
            InputKind::Bool => InputValue::Int(i128::from(raw & 1)),
            InputKind::Pointer => InputValue::Int(0),
            InputKind::Float => InputValue::Float(match how {
                0..8 => (raw % 21) as f64 - 10.0,
                8..12 => (raw % 2_000_001) as f64 / 1000.0 - 1000.0,
                _ => f64::from_bits(raw & !(0x7ff << 52) | ((1023 - 64 + raw % 128) << 52)),
            }),
            InputKind::Int(ty) => InputValue::Int(match how {
                0..6 => i128::from(raw & 1),
                6..9 => i128::from(raw % 8),
                9 if ty.signed => -1 - i128::from(raw % 4),
                9..12 => i128::from(raw % 64) - if ty.signed { 32 } else { 0 },
                12 => ty.min() + i128::from(raw % 2),
                13 => ty.max() - i128::from(raw % 2),
                _ => ty.wrap(i128::from(raw)),
            }),
        })
    }
}

/// Given values in order; afterwards none, or always the same one.
#[derive(Clone, Debug, Default)]
pub struct ListInputs {
    values: std::collections::VecDeque<InputValue>,
    then: Option<InputValue>,
}

impl ListInputs {
    /// These integers, then nothing.
    pub fn ints(values: impl IntoIterator<Item = i128>) -> Self {
        ListInputs { values: values.into_iter().map(InputValue::Int).collect(), then: None }
    }
    /// The values of an earlier run, then nothing.
    pub fn replay(draws: &[Draw]) -> Self {
        ListInputs { values: draws.iter().map(|d| d.value).collect(), then: None }
    }
    /// These values, then nothing.
    pub fn values(values: impl IntoIterator<Item = InputValue>) -> Self {
        ListInputs { values: values.into_iter().collect(), then: None }
    }
    /// When the list is used up, `value` forever.
    pub fn then(self, value: InputValue) -> Self {
        ListInputs { then: Some(value), ..self }
    }
}

impl Inputs for ListInputs {
    fn draw(&mut self, _kind: InputKind, _span: Span) -> Option<InputValue> {
        self.values.pop_front().or(self.then)
    }
}

impl InputKind {
    /// Brings a value into the kind: booleans by comparison with 0, integers by wrapping.
    pub(crate) fn convert(self, value: InputValue) -> InputValue {
        match (self, value) {
            (InputKind::Bool, InputValue::Int(v)) => InputValue::Int(i128::from(v != 0)),
            (InputKind::Bool, InputValue::Float(v)) => InputValue::Int(i128::from(v != 0.0)),
            (InputKind::Int(ty), InputValue::Int(v)) => InputValue::Int(ty.wrap(v)),
            (InputKind::Int(ty), InputValue::Float(v)) => InputValue::Int(ty.wrap(v as i128)),
            (InputKind::Float, InputValue::Int(v)) => InputValue::Float(v as f64),
            (InputKind::Pointer, InputValue::Float(v)) => InputValue::Int(v as i128),
            (InputKind::Float | InputKind::Pointer, v) => v,
        }
    }
}
