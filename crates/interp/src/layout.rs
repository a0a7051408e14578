//! What the interpreter needs to know of types and functions again and again, computed once.

use heapwise_ir::{
    Body, FloatTy, IntTy, LocalId, Place, PlaceBase, Rvalue, StatementKind, Ty, Type, TypeTable,
};

/// How values of a type are represented.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Void,
    Bool,
    Int(IntTy),
    Pointer,
    Float(FloatTy),
    Aggregate,
    Function,
}

/// A type's representation and size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TyInfo {
    pub kind: Kind,
    pub size: u64,
    pub align: u64,
}

impl TyInfo {
    /// The integer type whose bits a value of this type has; pointers are unsigned.
    pub fn int(self) -> Option<IntTy> {
        match self.kind {
            Kind::Int(ty) => Some(ty),
            Kind::Bool => Some(IntTy { bits: 8, signed: false }),
            Kind::Pointer => Some(IntTy { bits: (self.size * 8) as u16, signed: false }),
            _ => None,
        }
    }
    pub fn is_scalar(self) -> bool {
        matches!(self.kind, Kind::Bool | Kind::Int(_) | Kind::Pointer | Kind::Float(_))
    }
}

/// The representation of every type of a program, by index.
pub(crate) fn type_infos(types: &TypeTable) -> Vec<TyInfo> {
    (0..types.len())
        .map(|i| {
            let ty = Ty(i as u32);
            let kind = match types.get(ty) {
                Type::Void => Kind::Void,
                Type::Bool => Kind::Bool,
                Type::Int(int) => Kind::Int(*int),
                Type::Float(float) => Kind::Float(*float),
                Type::Pointer(_) => Kind::Pointer,
                Type::Array { .. } | Type::Record(_) | Type::Opaque { .. } => Kind::Aggregate,
                Type::Function { .. } => Kind::Function,
            };
            TyInfo { kind, size: types.size(ty), align: types.align(ty) }
        })
        .collect()
}

/// Where a local lives.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Home {
    /// A scalar without an address: in a slot of the frame.
    Slot,
    /// In memory, this far below the frame's top.
    Memory { below: u64 },
}

/// What is known of a local.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalInfo {
    pub home: Home,
    pub ty: TyInfo,
    /// Whether only its initialiser writes it.
    pub constant: bool,
}

/// What is known of a function's frame.
#[derive(Clone, Debug)]
pub(crate) struct FrameLayout {
    pub locals: Vec<LocalInfo>,
    /// Bytes of stack.
    pub size: u64,
    /// Alignment of the frame's top.
    pub align: u64,
}

impl FrameLayout {
    /// Scalars whose address is not taken get slots; everything else a fixed place in the frame, with a gap of
    /// at least a byte between neighbours.
    pub fn new(infos: &[TyInfo], body: &Body) -> FrameLayout {
        let mut in_memory = vec![false; body.locals.len()];
        let mut mark = |local: LocalId| {
            if let Some(m) = in_memory.get_mut(local.0 as usize) {
                *m = true;
            }
        };
        for block in body.blocks.iter() {
            for statement in &block.statements {
                let mut places: Vec<&Place> = Vec::new();
                match &statement.kind {
                    StatementKind::Assign { dest, value } => {
                        places.push(dest);
                        match value {
                            Rvalue::AddrOf(place) => {
                                if let PlaceBase::Local(l) = place.base {
                                    mark(l);
                                }
                            }
                            Rvalue::Load(place) => places.push(place),
                            _ => {}
                        }
                    }
                    StatementKind::Zero(place) => places.push(place),
                    StatementKind::Call(call) => places.extend(&call.dest),
                    StatementKind::Intrinsic { dest, .. } => places.extend(dest),
                    _ => {}
                }
                for place in places {
                    if let PlaceBase::Local(l) = place.base
                        && (!place.path.is_empty() || body.locals.get(l).is_some_and(|d| d.ty != place.ty))
                    {
                        mark(l);
                    }
                }
            }
        }
        let mut size = 0u64;
        let mut frame_align = 64u64;
        let locals = body
            .locals
            .iter()
            .zip(in_memory)
            .map(|(local, in_memory)| {
                let ty = info(infos, local.ty);
                if ty.is_scalar() && !in_memory && !local.address_taken {
                    return LocalInfo { home: Home::Slot, ty, constant: local.constant };
                }
                let align = ty.align.max(local.align.unwrap_or(1)).max(1);
                frame_align = frame_align.max(align);
                size = size
                    .saturating_add(ty.size.max(1))
                    .saturating_add(1)
                    .div_ceil(align)
                    .saturating_mul(align);
                LocalInfo { home: Home::Memory { below: size }, ty, constant: local.constant }
            })
            .collect();
        let size = size.saturating_add(1).div_ceil(frame_align).saturating_mul(frame_align);
        FrameLayout { locals, size, align: frame_align }
    }
}

/// The representation of `ty`; unknown types are `void`.
pub(crate) fn info(infos: &[TyInfo], ty: Ty) -> TyInfo {
    infos.get(ty.0 as usize).copied().unwrap_or(TyInfo { kind: Kind::Void, size: 1, align: 1 })
}
