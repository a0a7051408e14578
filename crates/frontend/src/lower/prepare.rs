//! What must be known of a whole function before its first statement is lowered.
//!
//! Sets `address_taken`, and gives temporaries whose address is taken a home: `&f().a[1]` becomes the address in
//! a compound literal of a block around the full expression (C11 §6.2.4p8): a statement or what an initialiser stores
//! gets a block, a condition or another full expression becomes the value of a statement expression. What `return` gives
//! back lives to the end of the innermost block, which ends there too. A `Let` temporary with its address taken joins the
//! compound literals of the innermost block. One walk over the tree.

use crate::hir::{Block, CalleeExpr, Expr, ExprKind, HirFunction, Init, Place, PlaceKind, Stmt, StmtKind};
use heapwise_ir::{Const, IndexVec, Local, LocalId};

/// See the module's page.
pub(super) fn prepare(function: &mut HirFunction) {
    let mut walk = Walk { locals: &mut function.locals, homeless: Vec::new(), lets: Vec::new() };
    walk.block(&mut function.body);
}

struct Walk<'a> {
    locals: &'a mut IndexVec<LocalId, Local>,
    /// New literals of the innermost block.
    homeless: Vec<LocalId>,
    /// `Let` temporaries seen in the innermost block.
    lets: Vec<LocalId>,
}

impl Walk<'_> {
    fn block(&mut self, block: &mut Block) {
        self.scope(block, |_| {});
    }

    /// Walks a block and then what else belongs to its scope.
    fn scope(&mut self, block: &mut Block, rest: impl FnOnce(&mut Self)) {
        let outer = (std::mem::take(&mut self.homeless), std::mem::take(&mut self.lets));
        let mut stmts = Vec::with_capacity(block.stmts.len());
        for mut stmt in std::mem::take(&mut block.stmts) {
            let before = self.homeless.len();
            self.stmt(&mut stmt);
            let rest = match self.homeless.len() > before {
                true => own_statements(&mut stmt.kind),
                false => Vec::new(),
            };
            if rest.is_empty() {
                stmts.push(stmt);
                continue;
            }
            let span = stmt.span;
            if matches!(stmt.kind, StmtKind::Declare { .. }) {
                stmts.push(stmt);
            }
            let literals = self.homeless.split_off(before);
            let inner = Block { literals, stmts: rest, span };
            stmts.push(Stmt { kind: StmtKind::Block(inner), span });
        }
        block.stmts = stmts;
        rest(self);
        block.literals.append(&mut self.homeless);
        let taken = |l: &LocalId| self.locals.get(*l).is_some_and(|l| l.address_taken);
        block.literals.extend(self.lets.drain(..).filter(taken));
        (self.homeless, self.lets) = outer;
    }

    /// Walks the value of a statement expression inside the scope of its block.
    fn stmt_expr(&mut self, block: &mut Block, value: Option<&mut Expr>) {
        self.scope(block, |walk| {
            if let Some(value) = value {
                walk.expr(value);
            }
        });
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::Expr(e) => self.expr(e),
            StmtKind::GotoAddress(e) => self.full_expr(e),
            StmtKind::Block(b) => self.block(b),
            StmtKind::Declare { vla_size, init, .. } => {
                if let Some(size) = vla_size {
                    self.full_expr(size);
                }
                if let Some(init) = init {
                    self.init(init);
                }
            }
            StmtKind::If { cond, then, otherwise } => {
                self.full_expr(cond);
                self.stmt(then);
                if let Some(otherwise) = otherwise {
                    self.stmt(otherwise);
                }
            }
            StmtKind::While { cond: e, body }
            | StmtKind::DoWhile { body, cond: e }
            | StmtKind::Switch { value: e, body } => {
                self.full_expr(e);
                self.stmt(body);
            }
            StmtKind::For { init, cond, step, body } => self.scope(init, |walk| {
                cond.iter_mut().chain(step).for_each(|e| walk.full_expr(e));
                walk.stmt(body);
            }),
            StmtKind::Return(Some(e)) => self.expr(e),
            StmtKind::Return(None)
            | StmtKind::Case { .. }
            | StmtKind::Default
            | StmtKind::Label(_)
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue => {}
        }
    }

    /// An expression whose temporaries end with it.
    fn full_expr(&mut self, expr: &mut Expr) {
        let before = self.homeless.len();
        self.expr(expr);
        if self.homeless.len() == before {
            return;
        }
        let (ty, span) = (expr.ty, expr.span);
        let block = Block { literals: self.homeless.split_off(before), stmts: Vec::new(), span };
        let nothing = Expr { kind: ExprKind::Const(Const::Undefined(ty)), ty, span };
        let value = Some(Box::new(std::mem::replace(expr, nothing)));
        *expr = Expr { kind: ExprKind::StmtExpr { block, value }, ty, span };
    }

    fn init(&mut self, init: &mut Init) {
        if let Some(place) = &mut init.zero {
            self.place(place);
        }
        for (place, value) in &mut init.stores {
            self.place(place);
            self.expr(value);
        }
    }

    fn place(&mut self, place: &mut Place) {
        match &mut place.kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) => {}
            PlaceKind::Deref(pointer) => match &mut pointer.kind {
                // `*&x` is `x`; lowering sees it the same way.
                ExprKind::AddrOf(inner) if inner.ty == place.ty && !inner.in_constant(self.locals) => {
                    self.place(inner)
                }
                _ => self.expr(pointer),
            },
            PlaceKind::Field { base, .. } => self.place(base),
            PlaceKind::Index { base, index, .. } => {
                self.place(base);
                self.expr(index);
            }
            PlaceKind::Literal { init, .. } => self.init(init),
            PlaceKind::Temporary(value) => self.expr(value),
        }
    }

    /// The address of `place` is taken.
    fn take_address(&mut self, place: &mut Place) {
        match &mut place.kind {
            PlaceKind::Local(local) | PlaceKind::Literal { local, .. } => {
                if let Some(local) = self.locals.get_mut(*local) {
                    local.address_taken = true;
                }
            }
            PlaceKind::Field { base, .. } | PlaceKind::Index { base, .. } => self.take_address(base),
            PlaceKind::Temporary(value) => {
                let local = self.locals.push(Local {
                    name: None,
                    ty: value.ty,
                    align: None,
                    address_taken: true,
                    constant: false,
                    span: value.span,
                });
                self.homeless.push(local);
                let whole = Place { kind: PlaceKind::Local(local), ty: value.ty, span: value.span };
                let nothing = Expr {
                    kind: ExprKind::Const(Const::Undefined(value.ty)),
                    ty: value.ty,
                    span: value.span,
                };
                let value = std::mem::replace(&mut **value, nothing);
                let init = Init { zero: None, stores: vec![(whole, value)] };
                place.kind = PlaceKind::Literal { local, init: Box::new(init) };
            }
            PlaceKind::Deref(pointer) => {
                // `&*&x` takes the address of `x` through the inner `&` only if that is not cancelled.
                if let ExprKind::AddrOf(inner) = &mut pointer.kind
                    && inner.ty == place.ty
                    && !inner.in_constant(self.locals)
                {
                    self.take_address(inner);
                }
            }
            PlaceKind::Global(_) => {}
        }
    }

    fn exprs<'e>(&mut self, exprs: impl IntoIterator<Item = &'e mut Expr>) {
        exprs.into_iter().for_each(|e| self.expr(e));
    }

    fn expr(&mut self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::Const(_) | ExprKind::LabelAddr(_) => {}
            ExprKind::Load(place) => self.place(place),
            ExprKind::AddrOf(place) => {
                self.take_address(place);
                self.place(place);
            }
            ExprKind::Unary(_, a) | ExprKind::Cast(_, a) | ExprKind::Discard(a) | ExprKind::Not(a) => {
                self.expr(a)
            }
            ExprKind::Binary(_, a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::PtrAdd { ptr: a, index: b, .. }
            | ExprKind::PtrAddBytes { ptr: a, bytes: b }
            | ExprKind::PtrDiff { lhs: a, rhs: b, .. }
            | ExprKind::LogAnd(a, b)
            | ExprKind::LogOr(a, b)
            | ExprKind::Comma(a, b) => self.exprs([&mut **a, b]),
            ExprKind::Conditional(a, b, c) => self.exprs([&mut **a, b, c]),
            ExprKind::Let { temp, value, body } => {
                self.lets.push(*temp);
                self.exprs([&mut **value, body]);
            }
            ExprKind::Assign { place, value } => {
                self.place(place);
                self.expr(value);
            }
            ExprKind::Update { place, rhs, new, .. } => {
                self.place(place);
                if let Some((_, rhs)) = rhs {
                    self.expr(rhs);
                }
                self.expr(new);
            }
            ExprKind::Call { callee, args } => {
                if let CalleeExpr::Indirect(callee) = callee {
                    self.expr(callee);
                }
                self.exprs(args);
            }
            ExprKind::Intrinsic { args, .. } => self.exprs(args),
            ExprKind::StmtExpr { block, value } => self.stmt_expr(block, value.as_deref_mut()),
        }
    }
}

/// Takes the full expressions out of a statement, as statements that can stand in a block of their own: what an
/// expression statement evaluates, and what an initialiser stores. None if it has others.
fn own_statements(kind: &mut StmtKind) -> Vec<Stmt> {
    match kind {
        StmtKind::Expr(e) => {
            let span = e.span;
            let nothing = Expr { kind: ExprKind::Const(Const::Undefined(e.ty)), ty: e.ty, span };
            let e = std::mem::replace(e, nothing);
            vec![Stmt { kind: StmtKind::Expr(e), span }]
        }
        StmtKind::Declare { vla_size: None, init: Some(init), .. } => {
            let store = |(place, value): (Place, Expr)| {
                let (ty, span) = (place.ty, value.span);
                let kind = ExprKind::Assign { place: Box::new(place), value: Box::new(value) };
                Stmt { kind: StmtKind::Expr(Expr { kind, ty, span }), span }
            };
            init.stores.drain(..).map(store).collect()
        }
        _ => Vec::new(),
    }
}
