//! Snapshots of listings of hand-built functions.

use super::*;
use crate::body::{BlockId, Call};
use crate::program::{DataModel, InitPiece};
use crate::source::SourceMap;
use crate::testing::BodyBuilder;
use crate::types::Field;
use expect_test::expect;

const TEXT: &str = "struct node { struct node *next; unsigned flag : 3; };\n\
                    int length(struct node *l) {\n\
                    \x20 int n = 0;\n\
                    \x20 while (l) { n++; l = l->next; }\n\
                    \x20 return n;\n\
                    }\n";

fn span(fragment: &str) -> Span {
    let lo = TEXT.find(fragment).unwrap() as u32;
    Span::new(lo, lo + fragment.len() as u32)
}

fn list_program() -> Program {
    let mut program = Program::new(DataModel::Lp64);
    let mut sources = SourceMap::default();
    sources.add("list.c", TEXT.into()).unwrap();
    program.sources = sources;
    let types = &mut program.types;
    let int = types.int(32, true);
    let unsigned = types.int(32, false);
    let node = types.intern(Type::Record(RecordId(0)));
    let pointer = types.pointer(node);
    let bits = Some(crate::BitRange { shift: 0, width: 3 });
    types.records.push(Record {
        kind: RecordKind::Struct,
        name: Some("node".into()),
        fields: vec![
            Field { name: Some("next".into()), ty: pointer, offset: 0, bits: None },
            Field { name: Some("flag".into()), ty: unsigned, offset: 8, bits },
        ],
        size: 16,
        align: 8,
        complete: true,
    });
    let ty = types.intern(Type::Function { ret: int, params: Box::new([pointer]), variadic: false });

    let mut b = BodyBuilder::new();
    let (l, n, t) = (b.param("l", pointer), b.local("n", int), b.temp(pointer));
    let number = |value| Operand::Const(Const::Int { value, ty: int });
    let field = |field, offset, bits, ty| {
        let mut place = Place::deref(Operand::Local(l), ty);
        place.path.push(Projection::Field { record: RecordId(0), field, offset, bits });
        place
    };
    b.block(
        vec![
            StatementKind::StorageLive(n),
            StatementKind::Assign { dest: Place::local(n, int), value: Rvalue::Use(number(0)) },
        ],
        TerminatorKind::Goto(BlockId(1)),
    );
    b.block(
        vec![],
        TerminatorKind::Branch { cond: Operand::Local(l), then: BlockId(2), otherwise: BlockId(3) },
    );
    b.block(
        vec![
            StatementKind::Assign {
                dest: Place::local(n, int),
                value: Rvalue::Binary { op: BinaryOp::Add, lhs: Operand::Local(n), rhs: number(1) },
            },
            StatementKind::Assign {
                dest: Place::local(t, pointer),
                value: Rvalue::Load(field(0, 0, None, pointer)),
            },
            StatementKind::Assign {
                dest: field(1, 8, bits, unsigned),
                value: Rvalue::Use(Operand::Const(Const::Int { value: 1, ty: unsigned })),
            },
            StatementKind::Assign { dest: Place::local(l, pointer), value: Rvalue::Use(Operand::Local(t)) },
        ],
        TerminatorKind::Goto(BlockId(1)),
    );
    b.block(vec![], TerminatorKind::Return(Some(Operand::Local(n))));
    let mut body = b.finish();
    body.blocks[BlockId(0)].statements[0].span = span("n = 0");
    body.blocks[BlockId(0)].statements[1].span = span("n = 0");
    body.blocks[BlockId(1)].terminator.span = span("l) { n");
    body.blocks[BlockId(2)].statements[0].span = span("n++");
    body.blocks[BlockId(3)].terminator.span = span("return");
    program.functions.push(Function {
        name: "length".into(),
        ty,
        internal: true,
        noreturn: false,
        library: None,
        body: FunctionBody::Defined(Box::new(body)),
        span: span("length"),
    });
    program
}

#[test]
fn a_list_traversal() {
    expect![[r#"
        struct node {  ; 16 bytes, aligned to 8
             0: struct node *next
             8: unsigned int flag : 3  ; from bit 0
        }

        static fn length(struct node *l) -> int  ; list.c:2:5
          let int n
          let struct node *_2
          b0:
            ; list.c:3:7  int n = 0;
            live n
            n = 0
            goto b1
          b1:
            ; list.c:4:10  while (l) { n++; l = l->next; }
            branch l ? b2 : b3
          b2:
            n = n + 1
            _2 = load8 l->next@0
            store4 l->flag@8:0+3 = 1
            l = _2
            goto b1
          b3:
            ; list.c:5:3  return n;
            return n

    "#]]
    .assert_eq(&program(&list_program()));
}

#[test]
fn globals_and_functions_without_code() {
    let mut p = Program::new(DataModel::Ilp32);
    let char_ty = p.types.int(8, true);
    let text = p.types.intern(Type::Array { elem: char_ty, len: Some(3) });
    let pointer = p.types.pointer(char_ty);
    let table = p.types.intern(Type::Array { elem: pointer, len: Some(2) });
    let ty = p.types.intern(Type::Function { ret: pointer, params: Box::new([pointer]), variadic: true });
    let global = |name: &str, ty, size, init, kind| Global {
        name: name.into(),
        ty,
        size,
        align: 1,
        init,
        kind,
        constant: false,
        span: Span::default(),
    };
    let bytes = GlobalInit::Data(vec![InitPiece { offset: 0, value: InitValue::Bytes(b"hi\0".to_vec()) }]);
    let literal = p.globals.push(global(".str0", text, 3, bytes, GlobalKind::Literal));
    let pieces = vec![
        InitPiece { offset: 0, value: InitValue::GlobalAddr { global: literal, offset: 1 } },
        InitPiece { offset: 4, value: InitValue::FunctionAddr(FuncId(0)) },
    ];
    p.globals.push(global("table", table, 8, GlobalInit::Data(pieces), GlobalKind::Static));
    p.globals.push(global("there", char_ty, 1, GlobalInit::Unknown, GlobalKind::External));
    let function = |name: &str, body| Function {
        name: name.into(),
        ty,
        internal: false,
        noreturn: false,
        library: None,
        body,
        span: Span::default(),
    };
    p.functions.push(function("first", FunctionBody::Declared));
    let reason = FunctionBody::NotAnalysed { reason: "inline assembly".into(), span: Span::default() };
    p.functions.push(function("second", reason));
    expect![[r#"
        literal char .str0[3] = @0: "hi\0"  ; 3 bytes, <unknown>

        static char *table[2] = @0: &.str0+1, @4: &first  ; 8 bytes, <unknown>

        global char there = unknown  ; 1 bytes, <unknown>

        extern char *first(char *, ...)

        not analysed char *second(char *, ...)  ; <unknown>: inline assembly

    "#]]
    .assert_eq(&program(&p));
}

#[test]
fn every_other_form() {
    let mut p = Program::new(DataModel::Lp64);
    let int = p.types.int(32, true);
    let void = p.types.intern(Type::Void);
    let fun = p.types.intern(Type::Function { ret: void, params: Box::new([]), variadic: false });
    let callback = p.types.pointer(fun);
    let mut b = BodyBuilder::new();
    let (x, y, f) = (b.local("x", int), b.local("x", int), b.param("f", callback));
    let args = || vec![Operand::Local(x), Operand::Local(y)];
    let to_x = || Some(Place::local(x, int));
    b.block(
        vec![
            StatementKind::Call(Call {
                dest: to_x(),
                callee: Callee::Indirect(Operand::Local(f)),
                args: args(),
            }),
            StatementKind::Intrinsic { op: Intrinsic::FrameAddress, dest: None, args: vec![] },
            StatementKind::Intrinsic {
                op: Intrinsic::Overflow(BinaryOp::Mul, int),
                dest: to_x(),
                args: args(),
            },
            StatementKind::Assign {
                dest: Place::local(x, int),
                value: Rvalue::Cast { kind: CastKind::PtrToInt, arg: Operand::Local(f) },
            },
            StatementKind::ScopeAlloc { dest: f, size: Operand::Local(x) },
            StatementKind::ScopeFree(f),
        ],
        TerminatorKind::Switch {
            value: Operand::Local(x),
            cases: vec![
                crate::SwitchCase { low: 1, high: 1, target: BlockId(0) },
                crate::SwitchCase { low: 5, high: 9, target: BlockId(1) },
            ],
            default: BlockId(1),
        },
    );
    b.block(vec![], TerminatorKind::Unreachable);
    p.functions.push(Function {
        name: "f".into(),
        ty: fun,
        internal: false,
        noreturn: false,
        library: None,
        body: FunctionBody::Defined(Box::new(b.finish())),
        span: Span::default(),
    });
    expect![[r#"
        fn f(void (*f)(void)) -> void  ; <unknown>
          let int x_0
          let int x_1
          b0:
            x_0 = call (*f)(x_0, x_1)
            frame_address()
            x_0 = overflow<*, int>(x_0, x_1)
            x_0 = f as int (pointer to int)
            f = scope_alloc x_0
            scope_free f
            switch x_0 { 1: b0, 5..9: b1, default: b1 }
          b1:
            unreachable

    "#]]
    .assert_eq(&function(&p, FuncId(0)));
    assert_eq!(function(&p, FuncId(7)), "");
}
