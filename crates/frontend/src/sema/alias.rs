//! The attributes `alias` and `weak`.
//!
//! An alias is a definition of its name, strong or weak, whose code or storage is that of another name of the same unit. It
//! is declared like any function or object; the name that it stands for is looked up at the end of the unit, as it may be
//! declared later. When all units are known and the alias is the definition that counts, every mention of it becomes one
//! of what it stands for.
//!
//! What is declared `weak` and defined nowhere has address null. Where such a name is used, the tree asks a hidden constant
//! whether it is there, which is settled at the end: 1 if there is a definition, unknown if not, since one may be
//! in a file that was not given. A static object whose initialiser has the address of a name that is nowhere has any contents.

use super::link::{Definition, Strength};
use super::scope::Decl;
use super::{Checker, R, Sema, invalid};
use crate::ctype::{CTy, CType, FunctionType, QualTy};
use crate::hir::{Expr, ExprKind, Place, PlaceKind};
use heapwise_ir::visit::{statement_operands_mut, terminator_operand_mut};
use heapwise_ir::{
    Callee, Const, FuncId, FunctionBody, Global, GlobalId, GlobalInit, GlobalKind, InitPiece, InitValue,
    Operand, Place as IrPlace, PlaceBase, Program, Rvalue, Span, StatementKind,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// A function or an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Item {
    Function(FuncId),
    Object(GlobalId),
}

/// The aliases and weak names of all units.
#[derive(Debug, Default)]
pub(super) struct Aliases {
    /// Of the unit at hand: the alias, the name that it stands for, and where.
    pending: Vec<(Item, Box<str>, Span)>,
    functions: FxHashMap<FuncId, FuncId>,
    objects: FxHashMap<GlobalId, GlobalId>,
    /// For each weak name that was used, the constant that says whether it is there.
    presence: FxHashMap<Item, GlobalId>,
    /// The names that some unit declares weak and does not define.
    weak: FxHashSet<Item>,
}

impl Aliases {
    /// Another definition counts.
    pub(super) fn forget_function(&mut self, id: FuncId) {
        self.functions.remove(&id);
    }
    /// Another definition counts.
    pub(super) fn forget_object(&mut self, id: GlobalId) {
        self.objects.remove(&id);
    }
}

impl Checker<'_> {
    /// Notes an alias.
    pub(super) fn alias_of(&mut self, item: Item, target: &str, span: Span) {
        self.s.linker.aliases.pending.push((item, target.into(), span));
    }

    /// At the end of a unit: finds what its aliases stand for.
    pub(super) fn resolve_aliases(&mut self) {
        self.s.linker.aliases.weak.extend(&self.weak);
        for (item, target, span) in std::mem::take(&mut self.s.linker.aliases.pending) {
            let found = self.names.lookup(&target).and_then(|symbol| self.scopes.lookup(symbol)).cloned();
            let aliases = &mut self.s.linker.aliases;
            match (item, found) {
                (Item::Function(id), Some(Decl::Function { id: target, .. })) if id != target => {
                    aliases.functions.insert(id, target);
                    self.s.linker.refer(None, target);
                }
                (Item::Object(id), Some(Decl::Global { id: target, .. })) if id != target => {
                    aliases.objects.insert(id, target);
                }
                _ => {
                    let message = format!("alias of '{target}', which the file does not define");
                    let result: R<()> = invalid(span, "unsupported-alias", message);
                    self.recover(result);
                }
            }
        }
    }

    /// The definition that the attributes of a function definition make it.
    pub(super) fn strength(inline: bool, weak: bool) -> Strength {
        match (weak, inline) {
            (true, _) => Strength::Weak,
            (false, true) => Strength::Inline,
            (false, false) => Strength::Strong,
        }
    }

    /// A constant that says whether a weak name has a definition.
    fn presence(&mut self, item: Item, name: &str, span: Span) -> Expr {
        let int = self.s.ir(CTy::INT);
        let known = self.s.linker.aliases.presence.get(&item).copied();
        let flag = known.unwrap_or_else(|| {
            let flag = self.s.program.globals.push(Global {
                name: format!("{name} is defined").into(),
                ty: int,
                size: 4,
                align: 4,
                init: GlobalInit::Unknown,
                kind: GlobalKind::Static,
                constant: true,
                span,
            });
            self.s.linker.aliases.presence.insert(item, flag);
            flag
        });
        let place = Place { kind: PlaceKind::Global(flag), ty: int, span };
        Expr { kind: ExprKind::Load(place), ty: int, span }
    }

    /// Whether code must expect that something is not there.
    pub(super) fn may_be_absent(&self, item: Item) -> bool {
        self.fun.active && !self.fun.static_context && self.weak.contains(&item)
    }

    /// The address of something weak: null if it is not there.
    pub(super) fn weak_address(&mut self, item: Item, name: &str, address: Expr) -> Expr {
        let (ty, span) = (address.ty, address.span);
        let there = self.presence(item, name, span);
        let null = Expr { kind: ExprKind::Const(Const::Null(ty)), ty, span };
        let kind = ExprKind::Conditional(Box::new(there), Box::new(address), Box::new(null));
        Expr { kind, ty, span }
    }

    /// A function that is called: one that is weak may not be there.
    pub(super) fn present_function(&mut self, target: Expr, signature: &FunctionType) -> Expr {
        match target.kind {
            ExprKind::Const(Const::Function { func, .. }) if self.may_be_absent(Item::Function(func)) => {
                let name = self.s.program.functions.get(func).map_or(Box::from(""), |f| f.name.clone());
                let function = self.s.types.intern(CType::Function(signature.clone()));
                let pointer = self.s.pointer_to(function);
                let ty = self.s.ir(pointer);
                self.weak_address(Item::Function(func), &name, Expr { ty, ..target })
            }
            _ => target,
        }
    }

    /// The place of a weak object that the unit does not define.
    pub(super) fn weak_object(&mut self, id: GlobalId, ty: QualTy, place: Place) -> Place {
        let (whole, span) = (place.ty, place.span);
        let name = self.s.program.globals.get(id).map_or(Box::from(""), |g| g.name.clone());
        let pointer = self.s.pointer_to(ty);
        let pointer = self.s.ir(pointer);
        let address = Expr { kind: ExprKind::AddrOf(place), ty: pointer, span };
        let address = self.weak_address(Item::Object(id), &name, address);
        Place { kind: PlaceKind::Deref(Box::new(address)), ty: whole, span }
    }
}

impl Sema {
    /// Whether an object is defined as far as declarations with this meaning go.
    pub(super) fn definition(has_init: bool, is_extern: bool, weak: bool) -> Definition {
        match (has_init, is_extern) {
            (false, true) => Definition::None,
            _ if weak => Definition::Weak,
            (true, _) => Definition::Full,
            (false, false) => Definition::Tentative,
        }
    }

    /// When all code is there: replaces names that stand for others, and settles which weak names are there.
    pub(super) fn settle_aliases(&mut self) {
        let presence = std::mem::take(&mut self.linker.aliases.presence);
        for (item, flag) in presence {
            let there = self.is_there(item);
            if let Some(g) = self.program.globals.get_mut(flag).filter(|_| there) {
                let value = InitValue::Bytes(1u32.to_le_bytes().to_vec());
                g.init = GlobalInit::Data(vec![InitPiece { offset: 0, value }]);
            }
        }
        self.forget_absent_addresses();
        let mut functions = std::mem::take(&mut self.linker.aliases.functions);
        functions.extend(self.variants_of_defined());
        self.refuse_calls_of_variants(&functions);
        let objects = std::mem::take(&mut self.linker.aliases.objects);
        if !functions.is_empty() || !objects.is_empty() {
            Renaming { functions, objects }.apply(&mut self.program);
        }
    }

    /// Whether a name has a definition in any unit.
    fn is_there(&self, item: Item) -> bool {
        match item {
            Item::Function(id) => self.is_defined_function(id),
            Item::Object(id) => self.is_defined_object(id),
        }
    }

    /// Static objects that are initialised with the address of a weak name that is nowhere hold null there, or another address if a
    /// file that was not given defines it.
    fn forget_absent_addresses(&mut self) {
        let mut absent = std::mem::take(&mut self.linker.aliases.weak);
        absent.retain(|item| !self.is_there(*item));
        for global in self.program.globals.iter_mut() {
            let GlobalInit::Data(pieces) = &global.init else { continue };
            let unsure = pieces.iter().any(|piece| match piece.value {
                InitValue::GlobalAddr { global, .. } => absent.contains(&Item::Object(global)),
                InitValue::FunctionAddr(f) => absent.contains(&Item::Function(f)),
                InitValue::Bytes(_) => false,
            });
            if unsure {
                global.init = GlobalInit::Unknown;
            }
        }
    }
}

/// What stands for what.
struct Renaming {
    functions: FxHashMap<FuncId, FuncId>,
    objects: FxHashMap<GlobalId, GlobalId>,
}

impl Renaming {
    /// Follows chains of aliases; those that go round are left where they are.
    fn function(&self, mut id: FuncId) -> FuncId {
        for _ in 0..=self.functions.len() {
            match self.functions.get(&id) {
                Some(next) => id = *next,
                None => break,
            }
        }
        id
    }

    fn object(&self, mut id: GlobalId) -> GlobalId {
        for _ in 0..=self.objects.len() {
            match self.objects.get(&id) {
                Some(next) => id = *next,
                None => break,
            }
        }
        id
    }

    fn place(&self, place: &mut IrPlace) {
        if let PlaceBase::Global(g) = &mut place.base {
            *g = self.object(*g);
        }
    }

    fn operand(&self, operand: &mut Operand) {
        match operand {
            Operand::Const(Const::Global { global, .. }) => *global = self.object(*global),
            Operand::Const(Const::Function { func, .. }) => *func = self.function(*func),
            _ => {}
        }
    }

    fn apply(&self, program: &mut Program) {
        for global in program.globals.iter_mut() {
            let GlobalInit::Data(pieces) = &mut global.init else { continue };
            for piece in pieces {
                match &mut piece.value {
                    InitValue::GlobalAddr { global, .. } => *global = self.object(*global),
                    InitValue::FunctionAddr(f) => *f = self.function(*f),
                    InitValue::Bytes(_) => {}
                }
            }
        }
        for function in program.functions.iter_mut() {
            let FunctionBody::Defined(body) = &mut function.body else { continue };
            for block in body.blocks.iter_mut() {
                for statement in &mut block.statements {
                    statement_operands_mut(statement, &mut |operand| self.operand(operand));
                    match &mut statement.kind {
                        StatementKind::Assign { dest, value } => {
                            self.place(dest);
                            if let Rvalue::Load(place) | Rvalue::AddrOf(place) = value {
                                self.place(place);
                            }
                        }
                        StatementKind::Zero(place) => self.place(place),
                        StatementKind::Call(call) => {
                            if let Callee::Direct(f) = &mut call.callee {
                                *f = self.function(*f);
                            }
                            call.dest.iter_mut().for_each(|place| self.place(place));
                        }
                        StatementKind::Intrinsic { dest, .. } => {
                            dest.iter_mut().for_each(|place| self.place(place));
                        }
                        _ => {}
                    }
                }
                if let Some(operand) = terminator_operand_mut(&mut block.terminator) {
                    self.operand(operand);
                }
            }
        }
    }
}
