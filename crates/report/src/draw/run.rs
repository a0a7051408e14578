//! The memory of a run as a picture: every block that variables lead to, with the contents of its parts.

use super::{Arrow, Content, Figure, Kind, Line, Picture, Row};
use crate::names::Naming;
use heapwise_heap::PredTable;
use heapwise_interp::{Life, LocalView, Object, ObjectId, Origin, Value, View};
use heapwise_ir::{Body, GlobalKind, Program, RecordId, Span, Ty, Type, TypeTable};
use std::collections::{BTreeMap, VecDeque};

/// Most blocks that are drawn.
const MAX_BOXES: usize = 40;
/// Most parts of a block.
const MAX_ROWS: usize = 12;

/// Which record a heap block is used as: known by the type of pointers to it.
pub type Types = BTreeMap<ObjectId, RecordId>;

/// The memory at a point of a run.
pub fn picture(view: &View<'_, '_, '_>) -> Picture {
    let Some(frame) = view.frames().next() else { return Picture::default() };
    let program = view.program();
    let Some(body) = program.body(frame.function) else { return Picture::default() };
    let preds = PredTable::default();
    let mut draft = Draft {
        view,
        naming: Naming { program, body, preds: &preds, kept: 0 },
        at: BTreeMap::new(),
        out: Picture::default(),
    };
    let mut todo: VecDeque<(ObjectId, Option<Ty>)> = VecDeque::new();
    let mut labels: Vec<(ObjectId, u64, String)> = Vec::new();
    let mut values: Vec<Row> = Vec::new();
    let types = &program.types;
    for (id, local) in body.locals.iter_enumerated() {
        let Some(name) = local.name.as_deref() else { continue };
        match view.local(frame, id) {
            LocalView::Dead => {}
            LocalView::Value(Value::Int { bits, object }) => {
                match object.filter(|_| is_pointer(types, local.ty)) {
                    Some(o) => {
                        labels.push((o, *bits as u64, name.to_owned()));
                        todo.push_back((o, types.pointee(local.ty)));
                    }
                    None => {
                        let content = match bits {
                            0 if is_pointer(types, local.ty) => Content::Null,
                            n => Content::Text(n.to_string()),
                        };
                        values.push(Row { name: name.to_owned(), content });
                    }
                }
            }
            LocalView::Value(Value::Undefined | Value::Partial(_)) => {
                values.push(Row { name: name.to_owned(), content: Content::Uninitialised });
            }
            LocalView::Value(Value::Float(x)) => {
                values.push(Row { name: name.to_owned(), content: Content::Text(x.to_string()) });
            }
            LocalView::Value(_) => {}
            LocalView::Object(o) => todo.push_back((o, Some(local.ty))),
        }
    }
    for (id, global) in program.globals.iter_enumerated() {
        let named =
            global.kind != GlobalKind::Literal && !program.sources.describe(global.span).starts_with("/usr/");
        if let Some(o) = view.global(id).filter(|_| named) {
            todo.push_back((o, Some(global.ty)));
        }
    }
    draft.walk(todo);
    for (object, address, name) in labels {
        let Some(&i) = draft.at.get(&object) else { continue };
        let base = view.object(object).map_or(0, |o| o.base);
        let label = if address == base { name } else { format!("{name} +{}", address.wrapping_sub(base)) };
        if let Some(figure) = draft.out.boxes.get_mut(i) {
            figure.labels.push(label);
        }
    }
    if !values.is_empty() {
        draft.out.boxes.push(Figure {
            kind: Kind::Values,
            title: Vec::new(),
            labels: Vec::new(),
            rows: values,
        });
    }
    draft.out
}

fn is_pointer(types: &TypeTable, ty: Ty) -> bool {
    matches!(types.get(ty), Type::Pointer(_))
}

struct Draft<'a, 'v, 'p, 'r> {
    view: &'a View<'v, 'p, 'r>,
    naming: Naming<'a>,
    at: BTreeMap<ObjectId, usize>,
    out: Picture,
}

/// An arrow to be drawn once its target has a box.
type Pending = (usize, usize, ObjectId, u64);

impl Draft<'_, '_, '_, '_> {
    /// Boxes for all that can be reached.
    fn walk(&mut self, mut todo: VecDeque<(ObjectId, Option<Ty>)>) {
        let mut pending: Vec<Pending> = Vec::new();
        while let Some((id, ty)) = todo.pop_front() {
            if self.at.contains_key(&id) || self.out.boxes.len() >= MAX_BOXES {
                continue;
            }
            let Some(o) = self.view.object(id) else { continue };
            if matches!(
                o.origin,
                Origin::Function(_) | Origin::Label(..) | Origin::Stream(_) | Origin::Library(_)
            ) {
                continue;
            }
            let index = self.out.boxes.len();
            self.at.insert(id, index);
            let (kind, title) = self.title(o, ty);
            self.out.boxes.push(Figure { kind, title: vec![title], labels: Vec::new(), rows: Vec::new() });
            if o.life == Life::Alive || o.life == Life::Freed {
                self.rows(index, o, self.type_of(o, ty), &mut todo, &mut pending);
            }
        }
        for (from, row, target, address) in pending {
            let Some(&to) = self.at.get(&target) else { continue };
            let base = self.view.object(target).map_or(0, |o| o.base);
            let label =
                if address == base { String::new() } else { format!("+{}", address.wrapping_sub(base)) };
            self.out.arrows.push(Arrow { from, row: Some(row), to, label, line: Line::Plain });
        }
    }

    fn type_of(&self, o: &Object, hint: Option<Ty>) -> Option<Ty> {
        let program = self.naming.program;
        match o.origin {
            Origin::Local { function, local, .. } => {
                program.body(function).and_then(|b| b.locals.get(local)).map(|l| l.ty)
            }
            Origin::Global(g) => program.globals.get(g).map(|g| g.ty),
            _ => hint.filter(|t| program.types.size(*t) <= o.size),
        }
    }

    fn title(&self, o: &Object, hint: Option<Ty>) -> (Kind, String) {
        let program = self.naming.program;
        let line = |span: Option<Span>| {
            span.and_then(|s| program.sources.location(s.lo))
                .map_or(String::new(), |l| format!(" at line {}", l.line))
        };
        let what = match hint.map(|t| program.types.get(t)) {
            Some(Type::Record(r)) => self.naming.record(*r),
            _ => None,
        };
        let what = what.unwrap_or_else(|| format!("{} bytes", o.size));
        match o.life {
            Life::Freed => return (Kind::Freed, format!("{what}, freed{}", line(o.freed))),
            Life::OutOfScope => return (Kind::Freed, format!("out of scope{}", line(o.freed))),
            Life::Alive => {}
        }
        let named = |body: Option<&Body>, local| {
            body.and_then(|b| b.locals.get(local))
                .and_then(|l: &heapwise_ir::Local| l.name.as_deref())
                .map(str::to_owned)
        };
        match o.origin {
            Origin::Local { function, local, .. } => {
                (Kind::Variable, named(program.body(function), local).unwrap_or_else(|| "temporary".into()))
            }
            Origin::Global(g) => {
                (Kind::Variable, program.globals.get(g).map_or("global".into(), |g| g.name.to_string()))
            }
            _ => (Kind::Heap, what),
        }
    }

    fn rows(
        &mut self,
        index: usize,
        o: &Object,
        ty: Option<Ty>,
        todo: &mut VecDeque<(ObjectId, Option<Ty>)>,
        pending: &mut Vec<Pending>,
    ) {
        let types = &self.naming.program.types;
        let word = types.pointer_size;
        let parts: Vec<(u64, u64, Option<Ty>)> = match ty {
            Some(ty) => {
                types.scalars(ty, 64).into_iter().map(|(off, t)| (off, types.size(t), Some(t))).collect()
            }
            None => (0..o.size / word).map(|k| (k * word, word, None)).collect(),
        };
        for (off, size, part) in parts.into_iter().take(MAX_ROWS) {
            let scalar = o.read_scalar(off, size.min(16));
            let name = match ty {
                Some(ty) if types.is_scalar(ty) => String::new(),
                Some(ty) => crate::states::field_path(types, ty, off).unwrap_or_else(|| format!("[{off}]")),
                None => format!("[{off}]"),
            };
            let all = if size >= 16 { u128::MAX } else { (1u128 << (size * 8)) - 1 };
            let pointer = part.is_none_or(|t| is_pointer(types, t));
            let row = self.out.boxes.get(index).map_or(0, |b| b.rows.len());
            let content = if scalar.known != all {
                Content::Uninitialised
            } else if let Some(target) = scalar.object {
                todo.push_back((target, part.and_then(|t| types.pointee(t))));
                pending.push((index, row, target, scalar.bits as u64));
                Content::Pointer
            } else if scalar.bits == 0 && pointer {
                Content::Null
            } else {
                let signed = part.and_then(|t| types.as_int(t)).map(|int| int.wrap(scalar.bits as i128));
                Content::Text(signed.map_or(scalar.bits.to_string(), |n| n.to_string()))
            };
            if let Some(figure) = self.out.boxes.get_mut(index) {
                figure.rows.push(Row { name, content });
            }
        }
    }
}

/// Whether two pictures show the same memory.
pub fn same(a: &Picture, b: &Picture) -> bool {
    a.boxes == b.boxes && a.arrows == b.arrows
}

/// The program text that a program point belongs to.
pub fn line_of(program: &Program, span: Span) -> Option<(String, u32)> {
    program.sources.location(span.lo).map(|l| (l.file.to_string(), l.line))
}
