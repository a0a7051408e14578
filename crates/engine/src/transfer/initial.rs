//! The state in which a program starts: its globals, and the constants it compares with.

use crate::context::Context;
use heapwise_heap::{Fill, Object, ObjectKind, Root, State, Sym, Val};
use heapwise_ir::visit::{statement_operands, statement_places, terminator_operand};
use heapwise_ir::{Const, FuncId, GlobalId, GlobalInit, GlobalKind, InitValue, Operand, PlaceBase, Type};
use heapwise_numeric::Interval;
use std::collections::BTreeSet;

/// Globals larger than this are not tracked cell by cell.
const MAX_TRACKED: usize = 1024;

impl Context<'_> {
    /// The state at the start of the entry function, before its parameters.
    pub(crate) fn initial_state(&self, entry: FuncId) -> State {
        let mut state = State::default();
        if let Some(domain) = self.options.numeric {
            state.refine_numbers(domain);
        }
        let used = self.used_globals(entry);
        for g in &used {
            self.add_global(&mut state, *g);
        }
        for g in &used {
            self.initialise(&mut state, *g);
        }
        self.start_at_exit(&mut state);
        state
    }

    fn add_global(&self, state: &mut State, g: GlobalId) {
        let global = &self.program.globals[g];
        let fill = if global.init == GlobalInit::Unknown { Fill::Unknown } else { Fill::Zero };
        // What is declared without a size, and not defined, is of any size.
        let size = match global.init {
            GlobalInit::Unknown if global.size == 0 => {
                state.fresh_in(Interval { lo: Some(0), hi: Some(i128::from(i32::MAX)) })
            }
            _ => Val::int(i128::from(global.size)),
        };
        let mut object = Object::new(ObjectKind::Global(g), size, fill, global.span);
        if let Type::Record(r) = self.program.types.get(global.ty) {
            object.record = Some(*r);
        }
        // The streams that are open when a program starts.
        let streams = ["stdin", "stdout", "stderr"];
        if global.init == GlobalInit::Unknown
            && let Some(descriptor) = streams.iter().position(|s| **s == *global.name)
            && self.program.types.pointee(global.ty).is_some()
        {
            let stream = crate::transfer::library::streams::stream(Some(descriptor as u8), global.span);
            let stream = Val::sym(state.add_object(stream));
            object.write(0, global.size, stream);
        }
        if self.is_environ(g)
            && let Some(array) = self.any_text_array(state)
        {
            object.write(0, global.size, array);
        }
        let s = state.add_object(object);
        state.set_root(Root::Global(g), Val::sym(s));
    }

    /// The address of a global. String literals come into a state when they are named, and go when nothing
    /// points to them: they never change.
    pub(crate) fn global(&self, state: &mut State, g: GlobalId) -> Val {
        if !state.has_root(Root::Global(g)) && self.is_literal(g) {
            self.add_global(state, g);
            self.initialise(state, g);
        }
        state.root(Root::Global(g)).unwrap_or(Val::UNDEF)
    }

    fn is_literal(&self, g: GlobalId) -> bool {
        self.program.globals.get(g).is_some_and(|g| g.kind == GlobalKind::Literal)
    }

    /// Takes string literals out of a state that nothing points to.
    pub(crate) fn shed_literals(&self, state: &mut State) {
        let named = |(r, v): (Root, Val)| match r {
            Root::Global(g) if self.is_literal(g) => v.as_sym().map(|s| (r, s)),
            _ => None,
        };
        let literals: Vec<(Root, Sym)> = state.roots().filter_map(named).collect();
        for (root, s) in literals {
            let mut mentions = 0;
            state.for_each_val(|v| mentions += usize::from(v.as_sym() == Some(s)));
            if mentions == 1 {
                state.drop_root(root);
                state.remove_object(s);
            }
        }
    }

    fn initialise(&self, state: &mut State, g: GlobalId) {
        let global = &self.program.globals[g];
        let (GlobalInit::Data(pieces), Some(at)) = (&global.init, state.root(Root::Global(g))) else {
            return;
        };
        let Some(at) = at.as_sym() else { return };
        let mut bytes: Vec<(u64, u8)> = Vec::new();
        let mut pointers: Vec<(u64, Val)> = Vec::new();
        for piece in pieces {
            match &piece.value {
                InitValue::Bytes(b) => {
                    bytes.extend(b.iter().enumerate().map(|(i, b)| (piece.offset + i as u64, *b)))
                }
                InitValue::GlobalAddr { global, offset } => {
                    if let Some(v) = state.root(Root::Global(*global)) {
                        pointers.push((piece.offset, v.plus(i128::from(*offset))));
                    }
                }
                InitValue::FunctionAddr(f) => pointers.push((piece.offset, Val::func(*f))),
            }
        }
        let pointer = self.program.types.pointer_size;
        let types = &self.program.types;
        let ranges: Vec<(u64, u64)> = types
            .scalars(global.ty, MAX_TRACKED)
            .into_iter()
            .map(|(off, ty)| (off, types.size(ty)))
            .collect();
        let Some(object) = state.object_mut(at) else { return };
        if ranges.len() > MAX_TRACKED {
            object.fill(0, global.size, Fill::Unknown);
        } else {
            // Bytes outside of the listed scalars (bit-fields, flexible members) one by one.
            for (off, b) in &bytes {
                object.write(*off, 1, Val::int(i128::from(*b)));
            }
            for (off, width) in ranges.iter().filter(|(_, w)| *w > 1) {
                let covered = bytes.binary_search_by_key(off, |b| b.0).is_ok();
                if covered && let heapwise_heap::Content::Val(v) = object.read(*off, *width) {
                    object.write(*off, *width, v);
                }
            }
        }
        for (off, v) in pointers {
            object.write(off, pointer, v);
        }
    }

    /// Globals that code reachable from the entry, or other such globals, mention.
    fn used_globals(&self, entry: FuncId) -> BTreeSet<GlobalId> {
        let reachable = self.facts.calls.reachable_from(entry);
        let mut used = BTreeSet::new();
        for f in self.program.functions.indices().filter(|f| reachable.contains(*f)) {
            if let Some(body) = self.program.body(f) {
                for block in body.blocks.iter() {
                    let mut operand = |op: &Operand| {
                        if let Operand::Const(Const::Global { global, .. }) = op
                            && !self.is_literal(*global)
                        {
                            used.insert(*global);
                        }
                    };
                    for s in &block.statements {
                        statement_operands(s, &mut operand);
                    }
                    terminator_operand(&block.terminator).into_iter().for_each(&mut operand);
                    for s in &block.statements {
                        statement_places(s, &mut |p, _| {
                            if let PlaceBase::Global(g) = p.base
                                && !self.is_literal(g)
                            {
                                used.insert(g);
                            }
                        });
                    }
                }
            }
        }
        let mut todo: Vec<GlobalId> = used.iter().copied().collect();
        while let Some(g) = todo.pop() {
            if let Some(GlobalInit::Data(pieces)) = self.program.globals.get(g).map(|g| &g.init) {
                for p in pieces {
                    if let InitValue::GlobalAddr { global, .. } = p.value
                        && used.insert(global)
                    {
                        todo.push(global);
                    }
                }
            }
        }
        used
    }
}
