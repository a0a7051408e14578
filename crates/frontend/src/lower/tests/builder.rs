//! Hand-built typed trees.

use crate::hir::{
    Block, CalleeExpr, Expr, ExprKind, HirFunction, Init, Label, LabelId, Place, PlaceKind, Stmt, StmtKind,
};
use heapwise_ir::*;

/// Builds one function `f`, beside an external function `int g(int *)` and one `void stop(void)` that never
/// returns. The record is `struct node { int value; struct node *next; int bits : 3; struct node *prev; }`.
pub struct Builder {
    pub program: Program,
    pub function: HirFunction,
    pub int: Ty,
    pub void: Ty,
    pub node: Ty,
    pub node_ptr: Ty,
    pub int_ptr: Ty,
    pub record: RecordId,
    pub g: FuncId,
    pub stop: FuncId,
    /// Counts statements, so that every statement has a span of its own.
    line: u32,
}

pub const VALUE: u32 = 0;
pub const NEXT: u32 = 1;
pub const BITS: u32 = 2;

impl Builder {
    pub fn new() -> Builder {
        let mut program = Program::new(DataModel::Lp64);
        let int = program.types.int(32, true);
        let void = program.types.intern(Type::Void);
        let record = RecordId(0);
        let node = program.types.intern(Type::Record(record));
        let node_ptr = program.types.pointer(node);
        let int_ptr = program.types.pointer(int);
        let field = |name: &str, ty, offset, bits| Field { name: Some(name.into()), ty, offset, bits };
        program.types.records.push(Record {
            kind: RecordKind::Struct,
            name: Some("node".into()),
            fields: vec![
                field("value", int, 0, None),
                field("next", node_ptr, 8, None),
                field("bits", int, 16, Some(BitRange { shift: 0, width: 3 })),
                field("prev", node_ptr, 24, None),
            ],
            size: 32,
            align: 8,
            complete: true,
        });
        let mut external = |name: &str, ret, params: &[Ty], noreturn| {
            let ty = program.types.intern(Type::Function { ret, params: params.into(), variadic: false });
            program.functions.push(Function {
                name: name.into(),
                ty,
                internal: false,
                noreturn,
                library: None,
                body: FunctionBody::Declared,
                span: Span::default(),
            })
        };
        let g = external("g", int, &[int_ptr], false);
        let stop = external("stop", void, &[], true);
        let function = HirFunction {
            params: vec![],
            varargs: None,
            locals: IndexVec::new(),
            labels: IndexVec::new(),
            ret: int,
            body: Block::default(),
            end: Span::default(),
        };
        Builder { program, function, int, void, node, node_ptr, int_ptr, record, g, stop, line: 0 }
    }

    /// Lowers the function with this body and checks the result.
    pub fn lower(mut self, stmts: Vec<Stmt>) -> (Program, FuncId, Vec<Diagnostic>) {
        self.function.body.stmts.extend(stmts);
        let params: Vec<Ty> = self.function.params.iter().map(|p| self.function.locals[*p].ty).collect();
        let ret = self.function.ret;
        let ty = self.program.types.intern(Type::Function { ret, params: params.into(), variadic: false });
        let id = self.program.functions.push(Function {
            name: "f".into(),
            ty,
            internal: false,
            noreturn: false,
            library: None,
            body: FunctionBody::Declared,
            span: Span::default(),
        });
        let (mut program, mut lowerer) = (self.program, crate::lower::Lowerer::default());
        lowerer.lower_into(&mut program, id, self.function);
        lowerer.settle_orders(&mut program);
        let violations: Vec<String> =
            verify::program(&program).iter().map(|v| v.describe(&program)).collect();
        assert!(violations.is_empty(), "{violations:#?}\n{}", print::function(&program, id));
        (program, id, lowerer.diagnostics)
    }

    /// The listing of the function with this body, without the source lines.
    pub fn listing(self, stmts: Vec<Stmt>) -> String {
        let (program, id, _) = self.lower(stmts);
        let text = print::function(&program, id);
        let code = text.lines().filter(|l| !l.contains(';') && !l.is_empty());
        code.map(|l| format!("{}\n", l.strip_prefix("  ").unwrap_or(l))).collect()
    }

    pub fn param(&mut self, name: &str, ty: Ty) -> LocalId {
        let id = self.var(name, ty);
        self.function.params.push(id);
        id
    }

    pub fn var(&mut self, name: &str, ty: Ty) -> LocalId {
        self.function.locals.push(Local {
            name: Some(name.into()),
            ty,
            align: None,
            address_taken: false,
            constant: false,
            span: Span::default(),
        })
    }

    pub fn temp(&mut self, ty: Ty) -> LocalId {
        let id = self.var("", ty);
        self.function.locals[id].name = None;
        id
    }

    pub fn label(&mut self, name: &str) -> LabelId {
        self.function.labels.push(Label { name: name.into(), address_taken: false })
    }

    fn span(&mut self) -> Span {
        self.line += 1;
        Span::new(self.line, self.line + 1)
    }

    fn expr(&self, kind: ExprKind, ty: Ty) -> Expr {
        Expr { kind, ty, span: Span::default() }
    }

    fn place(&self, kind: PlaceKind, ty: Ty) -> Place {
        Place { kind, ty, span: Span::default() }
    }

    pub fn ty(&self, local: LocalId) -> Ty {
        self.function.locals[local].ty
    }

    pub fn at(&self, local: LocalId) -> Place {
        self.place(PlaceKind::Local(local), self.ty(local))
    }

    pub fn num(&self, value: i128) -> Expr {
        self.expr(ExprKind::Const(Const::Int { value, ty: self.int }), self.int)
    }

    pub fn load(&self, place: Place) -> Expr {
        let ty = place.ty;
        self.expr(ExprKind::Load(place), ty)
    }

    pub fn get(&self, local: LocalId) -> Expr {
        self.load(self.at(local))
    }

    pub fn addr(&mut self, place: Place) -> Expr {
        let ty = self.program.types.pointer(place.ty);
        self.expr(ExprKind::AddrOf(place), ty)
    }

    pub fn deref(&self, pointer: Expr) -> Place {
        let to = self.program.types.pointee(pointer.ty).unwrap();
        self.place(PlaceKind::Deref(Box::new(pointer)), to)
    }

    pub fn member(&self, base: Place, field: u32) -> Place {
        let ty = self.program.types.records[self.record].fields[field as usize].ty;
        self.place(PlaceKind::Field { base: Box::new(base), record: self.record, field }, ty)
    }

    /// `pointer->field`
    pub fn arrow(&self, pointer: Expr, field: u32) -> Place {
        self.member(self.deref(pointer), field)
    }

    pub fn element(&self, base: Place, index: Expr) -> Place {
        let Type::Array { elem, .. } = *self.program.types.get(base.ty) else { panic!("no array") };
        let stride = self.program.types.size(elem);
        self.place(PlaceKind::Index { base: Box::new(base), index: Box::new(index), stride }, elem)
    }

    pub fn temporary_place(&self, value: Expr) -> Place {
        let ty = value.ty;
        self.place(PlaceKind::Temporary(Box::new(value)), ty)
    }

    pub fn literal(&self, local: LocalId, init: Init) -> Place {
        self.place(PlaceKind::Literal { local, init: Box::new(init) }, self.ty(local))
    }

    pub fn add(&self, a: Expr, b: Expr) -> Expr {
        let ty = a.ty;
        self.expr(ExprKind::Binary(BinaryOp::Add, Box::new(a), Box::new(b)), ty)
    }

    pub fn cmp(&self, op: CompareOp, a: Expr, b: Expr) -> Expr {
        self.expr(ExprKind::Compare(op, Box::new(a), Box::new(b)), self.int)
    }

    pub fn and(&self, a: Expr, b: Expr) -> Expr {
        self.expr(ExprKind::LogAnd(Box::new(a), Box::new(b)), self.int)
    }

    pub fn or(&self, a: Expr, b: Expr) -> Expr {
        self.expr(ExprKind::LogOr(Box::new(a), Box::new(b)), self.int)
    }

    pub fn not(&self, a: Expr) -> Expr {
        self.expr(ExprKind::Not(Box::new(a)), self.int)
    }

    pub fn cond(&self, a: Expr, b: Expr, c: Expr) -> Expr {
        let ty = b.ty;
        self.expr(ExprKind::Conditional(Box::new(a), Box::new(b), Box::new(c)), ty)
    }

    pub fn assign(&self, place: Place, value: Expr) -> Expr {
        let ty = place.ty;
        self.expr(ExprKind::Assign { place: Box::new(place), value: Box::new(value) }, ty)
    }

    /// `place += rhs` or, postfix, `place++`.
    pub fn update(&mut self, place: Place, rhs: Option<Expr>, postfix: bool) -> Expr {
        let ty = place.ty;
        let old = self.temp(ty);
        let (rhs, amount) = match rhs {
            Some(rhs) => {
                let temp = self.temp(rhs.ty);
                (Some((temp, Box::new(rhs))), self.get(temp))
            }
            None => (None, self.num(1)),
        };
        let new = Box::new(self.add(self.get(old), amount));
        self.expr(ExprKind::Update { place: Box::new(place), rhs, old, new, postfix }, ty)
    }

    pub fn call(&self, function: FuncId, args: Vec<Expr>) -> Expr {
        let Type::Function { ret, .. } = *self.program.types.get(self.program.functions[function].ty) else {
            panic!("no function")
        };
        self.expr(ExprKind::Call { callee: CalleeExpr::Direct(function), args }, ret)
    }

    pub fn stmt_expr(&mut self, stmts: Vec<Stmt>, value: Option<Expr>) -> Expr {
        let ty = value.as_ref().map_or(self.void, |v| v.ty);
        let block = self.block(stmts);
        self.expr(ExprKind::StmtExpr { block, value: value.map(Box::new) }, ty)
    }

    pub fn label_addr(&mut self, label: LabelId) -> Expr {
        let ty = self.program.types.pointer(self.void);
        self.expr(ExprKind::LabelAddr(label), ty)
    }

    pub fn stmt(&mut self, kind: StmtKind) -> Stmt {
        let span = self.span();
        Stmt { kind, span }
    }

    pub fn eval(&mut self, expr: Expr) -> Stmt {
        self.stmt(StmtKind::Expr(expr))
    }

    /// `local = value;`
    pub fn set(&mut self, local: LocalId, value: Expr) -> Stmt {
        let assign = self.assign(self.at(local), value);
        self.eval(assign)
    }

    pub fn declare(&mut self, local: LocalId, value: Option<Expr>) -> Stmt {
        let init = value.map(|value| Init { zero: None, stores: vec![(self.at(local), value)] });
        self.stmt(StmtKind::Declare { local, vla_size: None, init })
    }

    pub fn block(&mut self, stmts: Vec<Stmt>) -> Block {
        Block { literals: vec![], stmts, span: self.span() }
    }

    pub fn scope(&mut self, stmts: Vec<Stmt>) -> Stmt {
        let block = self.block(stmts);
        self.stmt(StmtKind::Block(block))
    }

    pub fn if_(&mut self, cond: Expr, then: Stmt, otherwise: Option<Stmt>) -> Stmt {
        self.stmt(StmtKind::If { cond, then: Box::new(then), otherwise: otherwise.map(Box::new) })
    }

    pub fn while_(&mut self, cond: Expr, body: Stmt) -> Stmt {
        self.stmt(StmtKind::While { cond, body: Box::new(body) })
    }

    pub fn ret(&mut self, value: Expr) -> Stmt {
        self.stmt(StmtKind::Return(Some(value)))
    }
}
