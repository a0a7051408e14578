//! What an operand is in a run that is watched: a number, and the object that it is an address of.

use heapwise_interp::{FrameView, LocalView, ObjectId, Value, View};
use heapwise_ir::{Const, Operand, Program};

/// A number, and the object it points into if it is an address.
pub type Number = (i128, Option<ObjectId>);

/// The number behind an operand, unless it has none: a floating-point number, or a local that was never set.
pub fn number_of(
    program: &Program,
    view: &View<'_, '_, '_>,
    frame: FrameView,
    op: &Operand,
) -> Option<Number> {
    match op {
        Operand::Const(Const::Int { value, .. }) => Some((*value, None)),
        Operand::Const(Const::Null(_)) => Some((0, None)),
        Operand::Const(Const::Global { global, offset, .. }) => {
            let id = view.global(*global)?;
            Some((i128::from(view.object(id)?.base) + i128::from(*offset), Some(id)))
        }
        Operand::Const(Const::Function { func, .. }) => {
            let id = view.function(*func)?;
            Some((i128::from(view.object(id)?.base), Some(id)))
        }
        Operand::Const(_) => None,
        Operand::Local(l) => match view.local(frame, *l) {
            LocalView::Value(Value::Int { bits, object }) => Some((*bits, *object)),
            LocalView::Object(id) => {
                let ty = program.body(frame.function)?.locals.get(*l)?.ty;
                let raw = view.object(id)?.read_scalar(0, program.types.size(ty).min(16));
                let bits = raw.bits as i128;
                Some((program.types.as_int(ty).map_or(bits, |int| int.wrap(bits)), raw.object))
            }
            _ => None,
        },
    }
}
