//! Layout of structs and unions by the System V ABIs for i386 and x86-64, as gcc computes it.
//!
//! [`lay_out`] is a pure function from member descriptions to offsets, size and alignment. Rules that are easy
//! to get wrong:
//!
//! * a bit-field may not span more alignment units of its type than the type itself does; where it would, it
//!   starts at the next unit. `packed` and `#pragma pack` switch this rule off, whatever the value of the pragma;
//! * a zero-width bit-field aligns what follows to its type, whatever `#pragma pack` says but, being unnamed,
//!   does not align the record;
//! * a named bit-field aligns the record as its type would, an unnamed one does not;
//! * a bit-field whose width is that of a machine integer is aligned like that integer if it is not packed and
//!   stands where that alignment is known;
//! * `packed` lowers the alignment of a member to 1, and even a typedef's alignment, but not that of an
//!   `aligned` attribute on the member itself; `#pragma pack` caps that too.
//!
//! The caller passes alignments of types as they are inside records, so the i386 rule that 8-byte scalars are
//! aligned to 4 has been applied. Cost: linear in the number of members. Sizes saturate.

use crate::body::BitRange;
use crate::types::RecordKind;

/// A member before layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Member {
    /// Size of its type in bytes.
    pub size: u64,
    /// Alignment of its type in bytes, at least 1.
    pub align: u64,
    /// `aligned` attribute or `_Alignas` on the member itself.
    pub aligned: Option<u64>,
    /// Whether the member, or its record, is `packed`.
    pub packed: bool,
    /// Width of a bit-field.
    pub width: Option<u32>,
    /// Whether it has a name.
    pub named: bool,
}

/// What the declaration of a record says about all of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RecordOptions {
    /// `aligned` attribute of the record.
    pub aligned: Option<u64>,
    /// `#pragma pack(n)`.
    pub pragma_pack: Option<u64>,
    /// On i386, scalars inside records are aligned to 4 at most.
    pub i386: bool,
}

/// Where a member ended up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// Byte offset; for a bit-field, of the first byte that holds one of its bits.
    pub offset: u64,
    /// For a bit-field of non-zero width, its bits from that byte on.
    pub bits: Option<BitRange>,
}

/// A record after layout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// One position per member.
    pub positions: Vec<Position>,
    /// Size in bytes, padding included.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
}

fn round_up(value: u64, to: u64) -> u64 {
    let to = to.max(1);
    match value % to {
        0 => value,
        rest => value.saturating_add(to - rest),
    }
}

/// The alignment in bits that a position is known to have, given that the record itself is aligned enough.
fn known_alignment(bit: u64) -> u64 {
    if bit == 0 { u64::MAX } else { 1 << bit.trailing_zeros().min(62) }
}

/// The alignment in bits that a member asks for at a place whose alignment is `known`, and whether it is to be
/// treated as bits rather than as an ordinary integer.
fn desired_alignment(m: &Member, known: u64, cap: Option<u64>, i386: bool) -> (u64, bool) {
    let type_align = m.align.max(1).saturating_mul(8);
    let own = m.aligned.map_or(1, |a| a.saturating_mul(8));
    let mut as_bits = m.width.is_some();
    let mut align = match m.width {
        Some(0) => own.max(type_align),
        Some(width) => {
            let mut align = own;
            if matches!(width, 8 | 16 | 32 | 64) {
                let natural = u64::from(width);
                if !(natural > 8 && m.packed) && known >= natural {
                    let lowered = if i386 && m.aligned.is_none() { natural.min(32) } else { natural };
                    align = align.max(lowered);
                    as_bits = false;
                }
            }
            align
        }
        None if m.packed && m.aligned.is_some() => own,
        None if m.packed => 8,
        None => own.max(type_align),
    };
    if m.packed && m.aligned.is_none() && m.width != Some(0) {
        align = align.min(8);
    }
    if let (Some(cap), false) = (cap, m.width == Some(0)) {
        align = align.min(cap);
    }
    (align, as_bits)
}

/// Lays out a record.
pub fn lay_out(kind: RecordKind, members: &[Member], options: RecordOptions) -> Layout {
    let cap = options.pragma_pack.filter(|&n| n > 0).map(|n| n.saturating_mul(8));
    let mut record_align = options.aligned.unwrap_or(1).max(1).saturating_mul(8);
    let mut positions = Vec::with_capacity(members.len());
    let mut end = 0u64;
    let mut here = 0u64;
    for m in members {
        if kind == RecordKind::Union {
            here = 0;
        }
        let type_align = m.align.max(1).saturating_mul(8);
        let known = known_alignment(here);
        let (desired, as_bits) = desired_alignment(m, known, cap, options.i386);
        match m.width {
            None => record_align = record_align.max(desired),
            Some(width) if m.named => {
                let by_type = match cap {
                    Some(cap) if width > 0 => type_align.min(cap),
                    _ if m.packed => 8,
                    _ => type_align,
                };
                record_align = record_align.max(desired).max(by_type);
            }
            Some(_) => {}
        }
        if known < desired {
            here = round_up(here, desired);
        }
        let position = match m.width {
            Some(width) => {
                let bits = u64::from(width);
                let straddle_matters = kind == RecordKind::Struct && as_bits && cap.is_none() && width > 0;
                if straddle_matters && !m.packed {
                    let units = (here % type_align).saturating_add(bits).div_ceil(type_align);
                    if units > m.size.saturating_mul(8) / type_align {
                        here = round_up(here, type_align);
                    }
                }
                let range = BitRange { shift: (here % 8) as u8, width: width.min(u32::from(u8::MAX)) as u8 };
                let position = Position { offset: here / 8, bits: (width > 0).then_some(range) };
                here = here.saturating_add(bits);
                position
            }
            None => {
                here = round_up(here, 8);
                let position = Position { offset: here / 8, bits: None };
                here = here.saturating_add(m.size.saturating_mul(8));
                position
            }
        };
        positions.push(position);
        end = end.max(here);
    }
    let size = round_up(round_up(end, 8), record_align) / 8;
    Layout { positions, size, align: (record_align / 8).max(1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(size: u64) -> Member {
        Member { size, align: size, aligned: None, packed: false, width: None, named: true }
    }
    fn bits(size: u64, width: u32) -> Member {
        Member { width: Some(width), named: width > 0, ..plain(size) }
    }
    fn offsets(layout: &Layout) -> Vec<(u64, u8)> {
        layout.positions.iter().map(|p| (p.offset, p.bits.map_or(0, |b| b.shift))).collect()
    }

    #[test]
    fn padding_between_and_after_members() {
        let l = lay_out(RecordKind::Struct, &[plain(1), plain(4), plain(1)], RecordOptions::default());
        assert_eq!((offsets(&l), l.size, l.align), (vec![(0, 0), (4, 0), (8, 0)], 12, 4));
        let u = lay_out(RecordKind::Union, &[plain(1), plain(4), plain(2)], RecordOptions::default());
        assert_eq!((u.size, u.align), (4, 4));
    }

    #[test]
    fn a_bit_field_does_not_straddle_its_unit_unless_packed() {
        let l = lay_out(RecordKind::Struct, &[bits(4, 30), bits(4, 5)], RecordOptions::default());
        assert_eq!((offsets(&l), l.size), (vec![(0, 0), (4, 0)], 8));
        let packed = Member { packed: true, ..bits(4, 5) };
        let first = Member { packed: true, ..bits(4, 30) };
        let l = lay_out(RecordKind::Struct, &[first, packed], RecordOptions::default());
        assert_eq!((offsets(&l), l.size, l.align), (vec![(0, 0), (3, 6)], 5, 1));
    }

    #[test]
    fn zero_width_aligns_the_next_member_but_not_the_record() {
        let l = lay_out(RecordKind::Struct, &[plain(1), bits(4, 0), plain(1)], RecordOptions::default());
        assert_eq!((offsets(&l), l.size, l.align), (vec![(0, 0), (4, 0), (4, 0)], 5, 1));
    }

    #[test]
    fn no_members_no_size() {
        let l =
            lay_out(RecordKind::Struct, &[], RecordOptions { aligned: Some(8), ..RecordOptions::default() });
        assert_eq!((l.size, l.align), (0, 8));
    }

    #[test]
    fn absurd_sizes_saturate() {
        let l = lay_out(RecordKind::Struct, &[plain(u64::MAX), plain(u64::MAX)], RecordOptions::default());
        assert!(l.size > 0);
    }
}
