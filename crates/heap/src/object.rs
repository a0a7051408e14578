//! Memory objects: bytes as cells over a background.
//!
//! A cell is a byte range that holds one value; where no cell lies, the background says whether the bytes are zero,
//! initialised but unknown, or possibly uninitialised. Cells never overlap. A write splits or kills what it
//! overlaps; a read that straddles cells is assembled from bytes when they are known and is unknown otherwise (survey
//! §5.2). Blocks may have a symbolic size; whether an access is inside is the caller's question to the pure part.
//!
//! Beside the cells an object may have *floating* cells, whose offset is a symbolic value, such as the zero at the end of
//! a string of unknown length. A floating cell states a fact about the bytes and may overlap anything. Objects do
//! not know how symbols relate, so every change of the bytes drops all floating cells; whoever can show that
//! some are not touched puts them back. The same holds for the *prefix*: a value below which all bytes are
//! initialised, as far as a loop has got with filling an array.

use crate::value::Val;
use heapwise_ir::{GlobalId, LocalId, RecordId, Span};
use std::collections::BTreeMap;

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ObjectKind {
    /// Allocated by `malloc` and friends: may be freed, may leak.
    Heap,
    /// A local of the function under analysis.
    Local(LocalId),
    /// A variable-length array or `alloca` block of the function under analysis; the local that names it.
    Scope(Option<LocalId>),
    /// A stack object of a caller.
    Outer,
    /// A stack object of a caller that is declared `const`.
    OuterConstant,
    /// A global.
    Global(GlobalId),
    /// A stream of the library, open; which descriptor it has, if it is one of the standard streams. Programs hold
    /// pointers to it and nothing else; it does not leak.
    Stream(Option<u8>),
    /// A text of the environment from some byte of it up to its end, such as an argument of the program. Its last byte is
    /// zero. Nothing writes to one that lasts; of others nothing is known but that they end, since the library may change them.
    Text {
        /// Whether its bytes stay as they are.
        lasts: bool,
    },
    /// An array of pointers to texts of the environment, with a null pointer as its last element: `argv`, `environ`.
    TextArray,
    /// Storage of the library that the program was given a pointer to, such as `errno`. What it holds may change at any time;
    /// members that are pointers to characters are texts.
    Library,
}

impl ObjectKind {
    /// Whether the object may have bytes in common with others of which this holds: several pointers into the
    /// environment are several objects, whether or not they lead to the same memory.
    pub fn may_coincide(self) -> bool {
        matches!(self, ObjectKind::Text { .. } | ObjectKind::Library)
    }

    /// Whether it is forgotten, without being lost, when nothing points to it any more.
    pub fn is_foreign(self) -> bool {
        matches!(self, ObjectKind::Stream(_) | ObjectKind::TextArray) || self.may_coincide()
    }

    /// Whether what is read from it once says nothing of what is read next.
    pub fn is_volatile(self) -> bool {
        matches!(self, ObjectKind::Text { lasts: false } | ObjectKind::Library)
    }
}

/// What the bytes without a cell hold. Ordered by how little is known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Fill {
    /// Zero bytes.
    Zero,
    /// Initialised, any value.
    Unknown,
    /// Possibly uninitialised.
    Uninit,
}

/// A value stored in a byte range.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cell {
    /// Number of bytes.
    pub width: u64,
    /// The value, never undefined.
    pub val: Val,
}

/// A value stored at a symbolic offset.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Floating {
    /// Where it starts.
    pub off: Val,
    /// Number of bytes.
    pub width: u64,
    /// The value, never undefined.
    pub val: Val,
}

/// Most floating cells of an object; the oldest go first.
pub const MAX_FLOATING: usize = 4;

/// What a read finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content {
    /// This value.
    Val(Val),
    /// An initialised value that is not known.
    Unknown,
    /// Bytes that may be uninitialised.
    Uninit,
}

/// An object.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Object {
    /// What it is.
    pub kind: ObjectKind,
    /// Its size in bytes: a number or a symbol.
    pub size: Val,
    /// The record it is used as, if that was seen.
    pub record: Option<RecordId>,
    /// Where it was allocated.
    pub site: Span,
    cells: BTreeMap<u64, Cell>,
    /// Piecewise background: from each key up to the next.
    background: BTreeMap<u64, Fill>,
    floating: Vec<Floating>,
    prefix: Option<Val>,
}

impl Object {
    /// An object with a uniform background.
    pub fn new(kind: ObjectKind, size: Val, fill: Fill, site: Span) -> Object {
        Object {
            kind,
            size,
            record: None,
            site,
            cells: BTreeMap::new(),
            background: BTreeMap::from([(0, fill)]),
            floating: Vec::new(),
            prefix: None,
        }
    }

    /// The floating cells.
    pub fn floating(&self) -> &[Floating] {
        &self.floating
    }

    /// Adds a floating cell; of two at the same offset and width the newer stays.
    pub fn add_floating(&mut self, cell: Floating) {
        self.floating.retain(|f| f.off != cell.off || f.width != cell.width);
        if self.floating.len() >= MAX_FLOATING {
            // Zeros end strings: they are worth more than other values.
            let at = self.floating.iter().position(|f| f.val != Val::ZERO).unwrap_or(0);
            self.floating.remove(at);
        }
        self.floating.push(cell);
    }

    /// Takes out the floating cells for which `keep` says no.
    pub fn retain_floating(&mut self, keep: impl FnMut(&Floating) -> bool) {
        self.floating.retain(keep);
    }

    /// The value below which all bytes are initialised, if one is known.
    pub fn prefix(&self) -> Option<Val> {
        self.prefix
    }

    /// States that all bytes below `prefix` are initialised.
    pub fn set_prefix(&mut self, prefix: Option<Val>) {
        self.prefix = prefix;
    }

    /// How many bytes from the start on are initialised, as cells and background say.
    pub fn initialised_from_start(&self) -> u64 {
        let limit = self.const_size().unwrap_or(u64::MAX);
        let mut at = 0;
        while at < limit {
            if let Some((o, c)) = self.cells.range(..=at).next_back()
                && o.saturating_add(c.width) > at
            {
                at = o.saturating_add(c.width);
                continue;
            }
            let Some((_, hi, fill)) = self.fills(at, limit).next() else { break };
            if fill == Fill::Uninit {
                break;
            }
            at = hi;
        }
        at.min(limit)
    }

    /// Turns floating cells whose offset has become a number into cells, and a prefix that has into background.
    pub(crate) fn settle(&mut self) {
        if self.floating.iter().any(|f| f.off.as_int().is_some()) {
            for f in std::mem::take(&mut self.floating) {
                match f.off.as_int().and_then(|n| u64::try_from(n).ok()) {
                    Some(off) if !matches!(self.read(off, f.width), Content::Val(_)) => {
                        self.refine(off, f.width, f.val);
                    }
                    Some(_) => {}
                    None => self.floating.push(f),
                }
            }
        }
        if let Some(end) = self.prefix.and_then(Val::as_int).and_then(|n| u64::try_from(n).ok()) {
            self.prefix = None;
            let pieces: Vec<_> = self.fills(0, end).filter(|(.., f)| *f == Fill::Uninit).collect();
            for (lo, hi, _) in pieces {
                self.set_fill(lo, hi, Fill::Unknown);
            }
        }
    }

    /// All values that the object mentions: contents, symbolic offsets, size.
    pub fn values(&self) -> impl Iterator<Item = Val> + '_ {
        let floating = self.floating.iter().flat_map(|f| [f.off, f.val]);
        std::iter::once(self.size)
            .chain(self.cells.values().map(|c| c.val))
            .chain(floating)
            .chain(self.prefix)
    }

    /// All cells by offset.
    pub fn cells(&self) -> impl DoubleEndedIterator<Item = (u64, Cell)> + '_ {
        self.cells.iter().map(|(o, c)| (*o, *c))
    }

    /// The cells at that offset and after it.
    pub fn cells_from(&self, off: u64) -> impl Iterator<Item = (u64, Cell)> + '_ {
        self.cells.range(off..).map(|(o, c)| (*o, *c))
    }

    /// The same values, mutably.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Val> {
        let floating = self.floating.iter_mut().flat_map(|f| [&mut f.off, &mut f.val]);
        std::iter::once(&mut self.size)
            .chain(self.cells.values_mut().map(|c| &mut c.val))
            .chain(floating)
            .chain(&mut self.prefix)
    }

    /// The cell that starts at `off` and has that width.
    pub fn cell(&self, off: u64, width: u64) -> Option<Val> {
        self.cells.get(&off).filter(|c| c.width == width).map(|c| c.val)
    }

    /// The size if it is a number.
    pub fn const_size(&self) -> Option<u64> {
        self.size.as_int().and_then(|n| u64::try_from(n).ok())
    }

    /// The background pieces that meet `[lo, hi)`.
    pub fn fills(&self, lo: u64, hi: u64) -> impl Iterator<Item = (u64, u64, Fill)> + '_ {
        let first = self.background.range(..=lo).next_back().map_or(Fill::Uninit, |(_, f)| *f);
        let mut pieces = vec![(lo, first)];
        pieces.extend(
            self.background
                .range(lo.saturating_add(1)..)
                .take_while(|(o, _)| **o < hi)
                .map(|(o, f)| (*o, *f)),
        );
        let ends: Vec<u64> = pieces.iter().skip(1).map(|p| p.0).chain([hi]).collect();
        pieces.into_iter().zip(ends).map(|((lo, f), hi)| (lo, hi, f))
    }

    fn set_fill(&mut self, lo: u64, hi: u64, fill: Fill) {
        if lo >= hi {
            return;
        }
        let after = self.background.range(..=hi).next_back().map_or(Fill::Uninit, |(_, f)| *f);
        let keys: Vec<u64> = self.background.range(lo..=hi).map(|(o, _)| *o).collect();
        for k in keys {
            self.background.remove(&k);
        }
        self.background.insert(lo, fill);
        self.background.insert(hi, after);
        // Equal neighbours are merged so that equal contents have one representation.
        let mut previous = None;
        self.background.retain(|_, f| {
            let keep = previous != Some(*f);
            previous = Some(*f);
            keep
        });
    }

    /// The cells that overlap `[lo, hi)`.
    fn overlapping(&self, lo: u64, hi: u64) -> Vec<(u64, Cell)> {
        let mut found = Vec::new();
        for (o, c) in self.cells.range(..hi).rev() {
            if o.saturating_add(c.width) > lo {
                found.push((*o, *c));
            }
            if *o < lo {
                // Cells do not overlap each other: only the nearest one to the left can reach over `lo`.
                break;
            }
        }
        found
    }

    /// Whether writing to `[lo, hi)` takes nothing away but numbers: no cell there holds a symbol, and nothing is known of places
    /// that are symbolic.
    pub fn holds_no_symbol(&self, lo: u64, hi: u64) -> bool {
        self.floating.is_empty()
            && self.prefix.is_none()
            && self.overlapping(lo, hi).iter().all(|(_, c)| c.val.as_sym().is_none())
    }

    /// Reads `width` bytes at `off`.
    pub fn read(&self, off: u64, width: u64) -> Content {
        if let Some(val) = self.cell(off, width) {
            return Content::Val(val);
        }
        let hi = off.saturating_add(width);
        let mut bytes: Vec<Option<u8>> = vec![None; usize::try_from(width).unwrap_or(0).min(16)];
        let mut known = width <= 16;
        let over = self.overlapping(off, hi);
        let covered = |at: u64| over.iter().any(|(o, c)| *o <= at && at < o + c.width);
        for (lo, end, fill) in self.fills(off, hi) {
            match fill {
                Fill::Zero => (lo..end).filter(|at| *at - off < 16).for_each(|at| {
                    if let Some(b) = bytes.get_mut((at - off) as usize) {
                        *b = Some(0);
                    }
                }),
                Fill::Unknown => known &= (lo..end.min(lo + 17)).all(covered),
                Fill::Uninit => {
                    if !(lo..end).all(covered) {
                        return Content::Uninit;
                    }
                }
            }
        }
        for (o, c) in &over {
            for k in 0..c.width {
                let at = o + k;
                if at < off || at >= hi {
                    continue;
                }
                match c.val.as_int() {
                    Some(n) if k < 16 => {
                        if let Some(b) = bytes.get_mut((at - off) as usize) {
                            *b = Some((n >> (8 * k)) as u8);
                        }
                    }
                    _ => known = false,
                }
            }
        }
        if !known || width == 0 {
            return Content::Unknown;
        }
        let mut value: u128 = 0;
        for (k, b) in bytes.iter().enumerate() {
            let Some(b) = b else { return Content::Unknown };
            value |= u128::from(*b) << (8 * k);
        }
        Content::Val(Val::int(value as i128))
    }

    /// Takes all cells out of `[lo, hi)`; what sticks out on either side keeps its bytes if they are known.
    fn clear(&mut self, lo: u64, hi: u64) {
        self.floating.clear();
        for (o, c) in self.overlapping(lo, hi) {
            self.cells.remove(&o);
            let end = o + c.width;
            for (a, b) in [(o, lo.min(end)), (hi.max(o), end)] {
                if a >= b {
                    continue;
                }
                match c.val.as_int() {
                    Some(n) => {
                        for at in a..b {
                            let shift = 8 * (at - o);
                            let byte = if shift < 128 { (n >> shift) & 0xff } else { 0 };
                            self.cells.insert(at, Cell { width: 1, val: Val::int(byte) });
                        }
                    }
                    None => self.set_fill(a, b, Fill::Unknown),
                }
            }
        }
    }

    /// Writes a value; an undefined one makes the bytes uninitialised.
    pub fn write(&mut self, off: u64, width: u64, val: Val) {
        if width == 0 {
            return;
        }
        self.clear(off, off.saturating_add(width));
        if val.is_undef() {
            self.prefix = None;
            self.set_fill(off, off.saturating_add(width), Fill::Uninit);
        } else {
            self.cells.insert(off, Cell { width, val });
        }
    }

    /// Fills `[lo, hi)` uniformly.
    pub fn fill(&mut self, lo: u64, hi: u64, fill: Fill) {
        if lo < hi {
            self.clear(lo, hi);
            self.set_fill(lo, hi, fill);
            if fill == Fill::Uninit {
                self.prefix = None;
            }
        }
    }

    /// Puts a value that was found in memory into a cell: what the bytes are does not change.
    pub fn refine(&mut self, off: u64, width: u64, val: Val) {
        let floating = std::mem::take(&mut self.floating);
        self.write(off, width, val);
        self.floating = floating;
    }

    /// Weakens `[lo, hi)`: any of its bytes may have been overwritten by an initialised unknown value.
    pub fn smear(&mut self, lo: u64, hi: u64) {
        if lo >= hi {
            return;
        }
        let pieces: Vec<_> = self.fills(lo, hi).collect();
        let over = self.overlapping(lo, hi);
        self.clear(lo, hi);
        for (a, b, f) in pieces {
            self.set_fill(a, b, f.max(Fill::Unknown));
        }
        for (o, c) in over {
            self.set_fill(o.max(lo), (o + c.width).min(hi), Fill::Unknown);
        }
    }

    /// Copies `len` bytes from `src` at `from` to `to` here.
    pub fn copy_from(&mut self, to: u64, src: &Object, from: u64, len: u64) {
        if len == 0 {
            return;
        }
        let mut source = src.clone();
        // Cells that the range cuts are split in the copy first.
        for (o, c) in source.overlapping(from, from + len) {
            let end = o + c.width;
            if o < from || end > from + len {
                source.clear(o.max(from), end.min(from + len));
                match c.val.as_int() {
                    Some(n) => {
                        for at in o.max(from)..end.min(from + len) {
                            let shift = 8 * (at - o);
                            let byte = if shift < 128 { (n >> shift) & 0xff } else { 0 };
                            source.cells.insert(at, Cell { width: 1, val: Val::int(byte) });
                        }
                    }
                    None => source.set_fill(o.max(from), end.min(from + len), Fill::Unknown),
                }
            }
        }
        self.clear(to, to.saturating_add(len));
        self.prefix = None;
        let pieces: Vec<_> = source.fills(from, from + len).collect();
        for (a, b, f) in pieces {
            self.set_fill(to + (a - from), to + (b - from), f);
        }
        for (o, c) in source.cells.range(from..from + len) {
            self.cells.insert(to + (o - from), *c);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object() -> Object {
        Object::new(ObjectKind::Heap, Val::int(16), Fill::Uninit, Span::default())
    }

    #[test]
    fn reads_assemble_known_bytes() {
        let mut o = object();
        o.write(0, 4, Val::int(0x0403_0201));
        o.write(4, 4, Val::int(0x0807_0605));
        assert_eq!(o.read(2, 4), Content::Val(Val::int(0x0605_0403)));
        assert_eq!(o.read(6, 4), Content::Uninit);
        o.fill(8, 12, Fill::Zero);
        assert_eq!(o.read(6, 4), Content::Val(Val::int(0x0807)));
    }

    #[test]
    fn overlapping_writes_split_constants_and_kill_symbols() {
        let mut o = object();
        o.write(0, 4, Val::int(-1));
        o.write(2, 4, Val::sym(crate::value::Sym(0)));
        assert_eq!(o.read(0, 2), Content::Val(Val::int(0xffff)));
        o.write(4, 4, Val::int(7));
        assert_eq!(o.read(2, 2), Content::Unknown);
        assert_eq!(o.read(2, 4), Content::Unknown);
        assert_eq!(o.read(8, 1), Content::Uninit);
    }

    #[test]
    fn copies_move_cells_and_background() {
        let mut a = object();
        a.write(0, 8, Val::sym(crate::value::Sym(3)));
        a.fill(8, 12, Fill::Zero);
        let mut b = object();
        b.copy_from(2, &a, 0, 12);
        assert_eq!(b.read(2, 8), Content::Val(Val::sym(crate::value::Sym(3))));
        assert_eq!(b.read(10, 4), Content::Val(Val::ZERO));
        assert_eq!(b.read(0, 2), Content::Uninit);
        let mut c = object();
        c.copy_from(0, &a, 4, 8);
        assert_eq!(c.read(0, 4), Content::Unknown);
        assert_eq!(c.read(4, 4), Content::Val(Val::ZERO));
    }

    #[test]
    fn smearing_keeps_uninitialised_bytes_uninitialised() {
        let mut o = object();
        o.write(0, 4, Val::int(1));
        o.smear(0, 8);
        assert_eq!(o.read(0, 4), Content::Unknown);
        assert_eq!(o.read(4, 4), Content::Uninit);
    }
}
