//! The arguments that a variadic function receives after its named ones, as memory.
//!
//! A call puts them one after the other into a block of the callee's frame, the local [`Body::varargs`]: each has a
//! tag of [`TAG_SIZE`] bytes, the number of the type with which it was passed, and then its bytes, rounded up to whole
//! tags. A `va_list` holds, in its first bytes, a pointer to the tag of the next argument; `va_start` and `va_copy`
//! are ordinary stores of such pointers. Only [`Intrinsic::VaArg`] looks at tags.
//!
//! Real machines keep no tags. Here a `va_arg` of another type than the one passed is noticed, and so is one more than
//! there are arguments: the block has an end.
//!
//! [`Body::varargs`]: crate::Body::varargs
//! [`Intrinsic::VaArg`]: crate::Intrinsic::VaArg

use crate::types::{Ty, Type, TypeTable};

/// Bytes of the tag in front of an argument.
pub const TAG_SIZE: u64 = 8;

/// Bytes that an argument of this type occupies behind its tag.
pub fn padded_size(types: &TypeTable, ty: Ty) -> u64 {
    types.size(ty).div_ceil(TAG_SIZE).saturating_mul(TAG_SIZE)
}

/// Where the tag of each argument stands, and the size of the whole block.
pub fn layout(types: &TypeTable, args: impl IntoIterator<Item = Ty>) -> (Vec<u64>, u64) {
    let mut end = 0u64;
    let starts = args
        .into_iter()
        .map(|ty| {
            let start = end;
            end = end.saturating_add(TAG_SIZE).saturating_add(padded_size(types, ty));
            start
        })
        .collect();
    (starts, end)
}

/// Whether `va_arg` with the type `read` may take an argument passed with the type `passed`.
///
/// More is allowed than the standard says (C23 7.16.1.1), where no machine makes a difference: all pointers are of one
/// type, and all integers of one width.
pub fn accepts(types: &TypeTable, passed: Ty, read: Ty) -> bool {
    passed == read
        || match (types.get(passed), types.get(read)) {
            (Type::Int(a), Type::Int(b)) => a.bits == b.bits,
            (Type::Pointer(_), Type::Pointer(_)) => true,
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::FloatTy;

    #[test]
    fn arguments_follow_each_other_with_their_tags() {
        let mut types = TypeTable::new(4);
        let (int, wide) = (types.int(32, true), types.int(128, true));
        let opaque = types.intern(Type::Opaque { size: 9, align: 1 });
        assert_eq!(layout(&types, [int, wide, opaque, int]), (vec![0, 16, 40, 64], 80));
        assert_eq!(layout(&types, []), (vec![], 0));
    }

    #[test]
    fn types_that_no_machine_tells_apart_are_exchangeable() {
        let mut types = TypeTable::new(8);
        let (int, unsigned, long) = (types.int(32, true), types.int(32, false), types.int(64, true));
        let (p, q) = (types.pointer(int), types.pointer(long));
        let double = types.intern(Type::Float(FloatTy::F64));
        let group = [(int, 0), (unsigned, 0), (long, 1), (p, 2), (q, 2), (double, 3)];
        for (a, x) in group {
            for (b, y) in group {
                assert_eq!(accepts(&types, a, b), x == y, "{:?} as {:?}", types.get(a), types.get(b));
            }
        }
    }
}
