//! Programs built by hand, small enough to write statement by statement.

use heapwise_ir::library::LibFn;
use heapwise_ir::*;

/// A program under construction with the usual types.
pub struct Builder {
    pub program: Program,
    pub int: Ty,
    pub void: Ty,
    pub ptr: Ty,
    pub size: Ty,
}

/// A function body under construction.
#[derive(Default)]
pub struct Code {
    pub body: Body,
    statements: Vec<Statement>,
}

pub fn int(value: i128, ty: Ty) -> Operand {
    Operand::Const(Const::Int { value, ty })
}
pub fn local(l: LocalId) -> Operand {
    Operand::Local(l)
}

impl Builder {
    pub fn new(model: DataModel) -> Builder {
        let mut program = Program::new(model);
        let void = program.types.intern(Type::Void);
        let int = program.types.int(32, true);
        let ptr = program.types.pointer(void);
        let size = program.types.int(model.pointer_size() as u16 * 8, false);
        Builder { program, int, void, ptr, size }
    }
    pub fn function(&mut self, name: &str, ret: Ty, params: &[Ty], body: Option<Code>) -> FuncId {
        let ty = Type::Function { ret, params: params.into(), variadic: false };
        let ty = self.program.types.intern(ty);
        let library = if body.is_none() { LibFn::lookup(name) } else { None };
        let body = body.map_or(FunctionBody::Declared, |c| FunctionBody::Defined(Box::new(c.body)));
        let span = Span::default();
        self.program.functions.push(Function {
            name: name.into(),
            ty,
            internal: false,
            noreturn: false,
            library,
            body,
            span,
        })
    }
    pub fn malloc(&mut self) -> FuncId {
        self.function("malloc", self.ptr, &[self.size], None)
    }
    pub fn free(&mut self) -> FuncId {
        self.function("free", self.void, &[self.ptr], None)
    }
    pub fn main(&mut self, code: Code) {
        self.function("main", self.int, &[], Some(code));
    }
}

impl Code {
    pub fn local(&mut self, ty: Ty) -> LocalId {
        self.body.locals.push(Local {
            name: None,
            ty,
            align: None,
            address_taken: false,
            constant: false,
            span: Span::default(),
        })
    }
    pub fn param(&mut self, ty: Ty) -> LocalId {
        let l = self.local(ty);
        self.body.params.push(l);
        l
    }
    pub fn push(&mut self, kind: StatementKind) {
        // Distinct spans, so that positions can be told apart.
        let n = self.statements.len() as u32 + 1;
        self.statements.push(Statement { kind, span: Span::new(n, n + 1) });
    }
    pub fn set(&mut self, dest: LocalId, value: Rvalue) {
        let ty = self.body.locals[dest].ty;
        self.assign(Place::local(dest, ty), value);
    }
    pub fn assign(&mut self, dest: Place, value: Rvalue) {
        self.push(StatementKind::Assign { dest, value });
    }
    pub fn call(&mut self, dest: Option<LocalId>, func: FuncId, args: Vec<Operand>) {
        let dest = dest.map(|d| Place::local(d, self.body.locals[d].ty));
        self.push(StatementKind::Call(Call { dest, callee: Callee::Direct(func), args }));
    }
    pub fn end(&mut self, kind: TerminatorKind) -> BlockId {
        let statements = std::mem::take(&mut self.statements);
        self.body.blocks.push(Block { statements, terminator: Terminator { kind, span: Span::default() } })
    }
    pub fn ret(mut self, value: Operand) -> Code {
        self.end(TerminatorKind::Return(Some(value)));
        self
    }
}
