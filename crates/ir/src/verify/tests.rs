//! Each rule accepts a good body and rejects a bad one.

use super::*;
use crate::body::{BinaryOp, Block, CompareOp, Function, Local, Terminator};
use crate::program::DataModel;
use crate::testing::BodyBuilder;

struct Fixture {
    program: Program,
    int: Ty,
    long: Ty,
    pointer: Ty,
    double: Ty,
}

fn fixture() -> Fixture {
    let mut program = Program::new(DataModel::Lp64);
    let int = program.types.int(32, true);
    let long = program.types.int(64, true);
    let pointer = program.types.pointer(int);
    let double = program.types.intern(Type::Float(FloatTy::F64));
    Fixture { program, int, long, pointer, double }
}

/// The violations of a function `int f(int a, int *p)` with these statements and a local `long x` (`_2`).
fn check(f: &mut Fixture, statements: Vec<StatementKind>, end: TerminatorKind) -> Vec<String> {
    let mut b = BodyBuilder::new();
    b.param("a", f.int);
    b.param("p", f.pointer);
    b.local("x", f.long);
    b.block(statements, end);
    let params = Box::new([f.int, f.pointer]);
    let ty = f.program.types.intern(Type::Function { ret: f.int, params, variadic: false });
    let id = f.program.functions.push(Function {
        name: "f".into(),
        ty,
        internal: false,
        noreturn: false,
        library: None,
        body: FunctionBody::Defined(Box::new(b.finish())),
        span: Span::default(),
    });
    function(&f.program, id).into_iter().map(|v| v.message).collect()
}

const A: Operand = Operand::Local(LocalId(0));
const P: Operand = Operand::Local(LocalId(1));
const X: LocalId = LocalId(2);

fn assign(dest: LocalId, ty: Ty, value: Rvalue) -> Vec<StatementKind> {
    vec![StatementKind::Assign { dest: Place::local(dest, ty), value }]
}

fn done() -> TerminatorKind {
    TerminatorKind::Return(Some(A))
}

#[test]
fn well_formed_code_passes() {
    let mut f = fixture();
    let widen = Rvalue::Cast { kind: CastKind::IntToInt, arg: A };
    let mut code = assign(X, f.long, widen);
    code.extend(assign(LocalId(0), f.int, Rvalue::Load(Place::deref(P, f.int))));
    code.extend(assign(LocalId(0), f.int, Rvalue::Compare { op: CompareOp::Lt, lhs: A, rhs: A }));
    code.insert(0, StatementKind::StorageLive(X));
    code.push(StatementKind::StorageDead(X));
    assert_eq!(check(&mut f, code, done()), [""; 0]);
}

#[test]
fn types_must_agree() {
    let mut f = fixture();
    let (int, long, double) = (f.int, f.long, f.double);
    let case = |f: &mut Fixture, dest, ty, value, message: &str| {
        assert_eq!(check(f, assign(dest, ty, value), done()), [message]);
    };
    case(&mut f, X, long, Rvalue::Use(A), "the value has type `int`, not `long`");
    case(&mut f, X, int, Rvalue::Use(A), "what the path leads to has type `long`, not `int`");
    let cast = Rvalue::Cast { kind: CastKind::PtrToInt, arg: A };
    case(&mut f, X, long, cast, "PtrToInt from `int` to `long`");
    let add = Rvalue::Binary { op: BinaryOp::Add, lhs: Operand::Local(X), rhs: A };
    case(&mut f, X, long, add, "the right operand has type `int`, not `long`");
    let deref = Rvalue::Load(Place::deref(A, long));
    case(&mut f, X, long, deref, "a dereferenced operand has type `int`, not a pointer type");
    let compare = Rvalue::Compare { op: CompareOp::Eq, lhs: A, rhs: A };
    case(&mut f, X, long, compare, "the result of a comparison has type `long`, not `int`");
    let big = Rvalue::Use(Operand::Const(Const::Int { value: 1 << 40, ty: int }));
    case(&mut f, LocalId(0), int, big, "constant 1099511627776 does not fit `int`");
    let float = Rvalue::Use(Operand::Const(Const::Float { value: 1.0, ty: double }));
    case(&mut f, LocalId(0), int, float, "the value has type `double`, not `int`");
}

#[test]
fn indices_must_exist() {
    let mut f = fixture();
    let int = f.int;
    let missing = Operand::Local(LocalId(9));
    assert_eq!(check(&mut f, assign(LocalId(0), int, Rvalue::Use(missing)), done()), ["_9 does not exist"]);
    assert_eq!(check(&mut f, vec![], TerminatorKind::Goto(BlockId(4))), ["b4 does not exist"]);
    let call = Call { dest: None, callee: Callee::Direct(FuncId(99)), args: vec![] };
    assert_eq!(check(&mut f, vec![StatementKind::Call(call)], done()), ["fn99 does not exist"]);
}

#[test]
fn calls_must_fit() {
    let mut f = fixture();
    check(&mut f, vec![], done());
    let call = |args| vec![StatementKind::Call(Call { dest: None, callee: Callee::Direct(FuncId(0)), args })];
    assert_eq!(check(&mut f, call(vec![A, P]), done()), [""; 0]);
    assert_eq!(check(&mut f, call(vec![A]), done()), ["1 arguments for 2 parameters"]);
    assert_eq!(check(&mut f, call(vec![P, P]), done()), ["an argument has type `int *`, not `int`"]);
}

#[test]
fn switches_and_returns() {
    let mut f = fixture();
    let switch = |ranges: &[(i128, i128)]| TerminatorKind::Switch {
        value: A,
        cases: ranges
            .iter()
            .map(|&(low, high)| crate::SwitchCase { low, high, target: BlockId(0) })
            .collect(),
        default: BlockId(0),
    };
    assert_eq!(check(&mut f, vec![], switch(&[(3, 3), (1, 2)])), [""; 0]);
    assert_eq!(check(&mut f, vec![], switch(&[(2, 4), (1, 2)])), ["cases overlap"]);
    assert_eq!(check(&mut f, vec![], switch(&[(4, 2)])), ["an empty case range"]);
    let returns = TerminatorKind::Return(Some(P));
    assert_eq!(check(&mut f, vec![], returns), ["the returned value has type `int *`, not `int`"]);
}

#[test]
fn storage_must_be_there() {
    let mut f = fixture();
    let widen = Rvalue::Cast { kind: CastKind::IntToInt, arg: A };
    let mut code = vec![StatementKind::StorageLive(X), StatementKind::StorageDead(X)];
    code.extend(assign(X, f.long, widen));
    assert_eq!(check(&mut f, code, done()), ["`x` (_2) is used without storage"]);
    let twice = vec![StatementKind::StorageLive(X), StatementKind::StorageLive(X)];
    assert_eq!(check(&mut f, twice, done()), ["`x` (_2) begins its life while it is alive"]);
    let parameter = vec![StatementKind::StorageLive(LocalId(0))];
    assert!(!check(&mut f, parameter, done()).is_empty());
}

#[test]
fn signatures_and_globals() {
    let mut f = fixture();
    let ty = f.program.types.intern(Type::Function { ret: f.int, params: Box::new([]), variadic: false });
    let mut body = Body::default();
    let local = Local {
        name: None,
        ty: f.int,
        align: None,
        address_taken: false,
        constant: false,
        span: Span::default(),
    };
    let p = body.locals.push(local);
    body.params.push(p);
    let terminator = Terminator { kind: TerminatorKind::Return(None), span: Span::default() };
    body.blocks.push(Block { statements: vec![], terminator });
    f.program.functions.push(Function {
        name: "g".into(),
        ty,
        internal: false,
        noreturn: false,
        library: None,
        body: FunctionBody::Defined(Box::new(body)),
        span: Span::default(),
    });
    f.program.globals.push(crate::Global {
        name: "v".into(),
        ty: f.int,
        size: 4,
        align: 3,
        init: GlobalInit::Data(vec![crate::InitPiece { offset: 2, value: InitValue::Bytes(vec![1; 4]) }]),
        kind: crate::GlobalKind::External,
        constant: false,
        span: Span::default(),
    });
    let found: Vec<String> = program(&f.program).iter().map(|v| v.describe(&f.program)).collect();
    assert_eq!(
        found,
        [
            "<unknown>: <globals>: global `v`: alignment 3 is no power of two",
            "<unknown>: <globals>: global `v`: contents of 6 bytes exceed its size 4",
            "<unknown>: g: 1 parameters, but its type has 0",
        ]
    );
}
