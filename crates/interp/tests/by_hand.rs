//! Programs built by hand: what each kind of statement does, and each kind of error.

mod support;

use heapwise_interp::*;
use heapwise_ir::*;
use std::ops::ControlFlow;
use support::{Builder, Code, int, local};

fn run_with(b: &Builder, options: &Options, inputs: &mut dyn Inputs) -> RunResult {
    run(&b.program, options, inputs, None)
}
fn outcome(b: &Builder) -> Outcome {
    run_with(b, &Options::default(), &mut RandomInputs::new(0)).outcome
}
fn error(b: &Builder, options: &Options) -> RunError {
    match run_with(b, options, &mut RandomInputs::new(0)).outcome {
        Outcome::Error(e) => *e,
        other => panic!("no error: {other:?}"),
    }
}
fn kind(b: &Builder) -> &'static str {
    error(b, &Options::default()).kind.name()
}
fn binary(op: BinaryOp, lhs: Operand, rhs: Operand) -> Rvalue {
    Rvalue::Binary { op, lhs, rhs }
}

/// `malloc(size)`, then the statements of `then`, which gets the code, the block's address and `free`.
fn with_block(size: i128, then: impl FnOnce(&Builder, &mut Code, LocalId, FuncId)) -> Builder {
    let mut b = Builder::new(DataModel::Lp64);
    let (malloc, free) = (b.malloc(), b.free());
    let mut c = Code::default();
    let p = c.local(b.ptr);
    c.call(Some(p), malloc, vec![int(size, b.size)]);
    then(&b, &mut c, p, free);
    let zero = int(0, b.int);
    b.main(c.ret(zero));
    b
}

#[test]
fn a_loop_sums_up() {
    let mut b = Builder::new(DataModel::Lp64);
    let mut c = Code::default();
    let (i, sum, t) = (c.local(b.int), c.local(b.int), c.local(b.int));
    c.set(i, Rvalue::Use(int(0, b.int)));
    c.set(sum, Rvalue::Use(int(0, b.int)));
    c.end(TerminatorKind::Goto(BlockId(1)));
    c.set(t, Rvalue::Compare { op: CompareOp::Lt, lhs: local(i), rhs: int(11, b.int) });
    c.end(TerminatorKind::Branch { cond: local(t), then: BlockId(2), otherwise: BlockId(3) });
    c.set(sum, binary(BinaryOp::Add, local(sum), local(i)));
    c.set(i, binary(BinaryOp::Add, local(i), int(1, b.int)));
    c.end(TerminatorKind::Goto(BlockId(1)));
    b.main(c.ret(local(sum)));
    assert_eq!(outcome(&b), Outcome::Exit(55));
    let few = Options { limits: Limits { steps: 20, ..Limits::default() }, ..Options::default() };
    assert_eq!(run_with(&b, &few, &mut RandomInputs::new(0)).outcome, Outcome::Budget(BudgetKind::Steps));
}

#[test]
fn heap_errors_have_their_kinds_and_histories() {
    let one = |b: &Builder| Rvalue::Use(int(1, b.int));
    let b = with_block(4, |b, c, p, free| {
        c.assign(Place::deref(local(p), b.int), one(b));
        c.call(None, free, vec![local(p)]);
    });
    assert_eq!(outcome(&b), Outcome::Exit(0));
    let b = with_block(4, |b, c, p, free| {
        c.call(None, free, vec![local(p)]);
        c.assign(Place::deref(local(p), b.int), one(b));
    });
    let e = error(&b, &Options::default());
    assert_eq!(e.kind, ErrorKind::UseAfterFree);
    let object = e.object.expect("the block");
    assert_eq!((object.allocated, object.freed), (Span::new(1, 2), Some(Span::new(2, 3))));
    assert_eq!((e.span, e.stack.len()), (Span::new(3, 4), 1));
    let b = with_block(4, |_, c, p, free| {
        c.call(None, free, vec![local(p)]);
        c.call(None, free, vec![local(p)]);
    });
    assert_eq!(kind(&b), "double-free");
    let b = with_block(3, |b, c, p, _| c.assign(Place::deref(local(p), b.int), one(b)));
    assert_eq!(kind(&b), "out-of-bounds");
    let b = with_block(8, |_, c, p, free| {
        c.set(p, Rvalue::PtrAdd { ptr: local(p), index: local(p), stride: 0 });
        c.call(None, free, vec![local(p)]);
    });
    assert_eq!(outcome(&b), Outcome::Exit(0));
    let b = with_block(8, |b, c, p, free| {
        c.set(p, Rvalue::PtrAdd { ptr: local(p), index: int(1, b.int), stride: 4 });
        c.call(None, free, vec![local(p)]);
    });
    assert_eq!(kind(&b), "invalid-free");
    let b = with_block(8, |b, c, _, _| {
        let null = Operand::Const(Const::Null(b.ptr));
        c.assign(Place::deref(null, b.int), one(b));
    });
    assert_eq!(kind(&b), "null-deref");
}

#[test]
fn leaks_are_judged_by_policy() {
    let b = with_block(8, |_, _, _, _| {});
    let policy = |leaks| Options { leaks, ..Options::default() };
    assert_eq!(run_with(&b, &policy(LeakPolicy::Ignore), &mut RandomInputs::new(0)).leaks.len(), 1);
    assert_eq!(error(&b, &policy(LeakPolicy::None)).kind, ErrorKind::Leak);
    assert_eq!(error(&b, &policy(LeakPolicy::Reachable)).kind, ErrorKind::LostBlock);
    let every = Options { lost_block_interval: Some(1), ..Options::default() };
    for (name, lost) in [(Some("p"), Span::new(2, 3)), (None, Span::new(1, 2))] {
        let b = with_block(8, |b, c, p, _| {
            c.body.locals[p].name = name.map(Into::into);
            c.set(p, Rvalue::Use(Operand::Const(Const::Null(b.ptr))));
            c.push(StatementKind::Nop);
        });
        let why = "a variable loses a block where it is assigned, a temporary at its last use";
        assert_eq!(error(&b, &every).span, lost, "{why}");
    }
}

/// A block is not lost while its address may be computed again from a number, and is when `main` has returned.
#[test]
fn blocks_behind_computed_numbers_are_lost_at_the_end() {
    // n = (size_t)p << 4; p = 0; then q = (void *)(n >> 4); free(q); or not.
    let program = |freed: bool| {
        with_block(8, |b, c, p, free| {
            let (n, q) = (c.local(b.size), c.local(b.ptr));
            c.set(n, Rvalue::Cast { kind: CastKind::PtrToInt, arg: local(p) });
            c.set(n, binary(BinaryOp::Shl, local(n), int(4, b.int)));
            c.set(p, Rvalue::Use(Operand::Const(Const::Null(b.ptr))));
            c.push(StatementKind::Nop);
            c.set(n, binary(BinaryOp::Shr, local(n), int(4, b.int)));
            c.set(q, Rvalue::Cast { kind: CastKind::IntToPtr, arg: local(n) });
            if freed {
                c.call(None, free, vec![local(q)]);
            }
        })
    };
    let every = Options { lost_block_interval: Some(1), leaks: LeakPolicy::Reachable, ..Options::default() };
    let run = |b: &Builder, options: &Options| run_with(b, options, &mut RandomInputs::new(0)).outcome;
    assert_eq!(run(&program(true), &every), Outcome::Exit(0));
    assert_eq!(error(&program(false), &every).kind, ErrorKind::LostBlock);
    let strict = Options { hidden_pointers_lead: false, ..every };
    assert_eq!(error(&program(true), &strict).kind, ErrorKind::LostBlock);
}

#[test]
fn pointers_survive_integers_and_hidden_ones_are_found_again() {
    // q = (void *)(((size_t)p ^ 0x5555) ^ 0x5555); *(int *)q = 7; then by multiplication and division.
    let b = with_block(4, |b, c, p, free| {
        let (n, q) = (c.local(b.size), c.local(b.ptr));
        c.set(n, Rvalue::Cast { kind: CastKind::PtrToInt, arg: local(p) });
        for _ in 0..2 {
            c.set(n, binary(BinaryOp::Xor, local(n), int(0x5555, b.size)));
        }
        c.set(q, Rvalue::Cast { kind: CastKind::IntToPtr, arg: local(n) });
        c.assign(Place::deref(local(q), b.int), Rvalue::Use(int(7, b.int)));
        c.set(n, binary(BinaryOp::Shl, local(n), int(4, b.int)));
        c.set(n, binary(BinaryOp::Shr, local(n), int(4, b.int)));
        c.set(q, Rvalue::Cast { kind: CastKind::IntToPtr, arg: local(n) });
        c.call(None, free, vec![local(q)]);
    });
    assert_eq!(outcome(&b), Outcome::Exit(0));
}

#[test]
fn indeterminate_values_may_be_copied_but_not_used() {
    let b = with_block(8, |b, c, p, _| {
        let (x, y) = (c.local(b.int), c.local(b.int));
        c.set(x, Rvalue::Load(Place::deref(local(p), b.int)));
        c.set(y, Rvalue::Use(local(x)));
        c.assign(Place::deref(local(p), b.int), Rvalue::Use(local(y)));
        c.set(y, binary(BinaryOp::And, local(x), int(0, b.int)));
        c.set(y, binary(BinaryOp::Add, local(y), int(1, b.int)));
    });
    assert_eq!(outcome(&b), Outcome::Exit(0));
    let b = with_block(8, |b, c, p, _| {
        let x = c.local(b.int);
        c.set(x, Rvalue::Load(Place::deref(local(p), b.int)));
        c.set(x, binary(BinaryOp::Add, local(x), int(1, b.int)));
    });
    assert_eq!(kind(&b), "uninitialised");
}

#[test]
fn bit_fields_one_at_a_time() {
    let mut b = Builder::new(DataModel::Ilp32);
    let bits = |shift, width| Some(BitRange { shift, width });
    let field = |offset, bits, ty| Field { name: None, ty, offset, bits };
    let record = b.program.types.records.push(Record {
        kind: RecordKind::Struct,
        name: None,
        fields: vec![field(0, bits(0, 3), b.int), field(0, bits(3, 7), b.int)],
        size: 4,
        align: 4,
        complete: true,
    });
    let ty = b.program.types.intern(Type::Record(record));
    let build = |second: bool| {
        let mut b = Builder { program: b.program.clone(), ..b };
        let mut c = Code::default();
        let (s, x) = (c.local(ty), c.local(b.int));
        let place = |field, range| Place {
            base: PlaceBase::Local(s),
            path: [Projection::Field { record, field, offset: 0, bits: range }].into_iter().collect(),
            ty: b.int,
        };
        c.push(StatementKind::StorageLive(s));
        if second {
            c.assign(place(1, bits(3, 7)), Rvalue::Use(int(-5, b.int)));
        }
        c.assign(place(0, bits(0, 3)), Rvalue::Use(int(3, b.int)));
        c.set(x, Rvalue::Load(place(1, bits(3, 7))));
        c.set(x, binary(BinaryOp::Add, local(x), int(10, b.int)));
        b.main(c.ret(local(x)));
        b
    };
    assert_eq!(outcome(&build(true)), Outcome::Exit(5));
    assert_eq!(kind(&build(false)), "uninitialised");
}

#[test]
fn deep_recursion_and_its_limit() {
    let mut b = Builder::new(DataModel::Lp64);
    // int f(int n) { return n == 0 ? 0 : f(n - 1) + 1; } with the parameter in memory
    let mut c = Code::default();
    let n = c.param(b.int);
    let (t, p) = (c.local(b.int), c.local(b.ptr));
    c.set(p, Rvalue::AddrOf(Place::local(n, b.int)));
    c.set(t, Rvalue::Load(Place::deref(local(p), b.int)));
    c.end(TerminatorKind::Branch { cond: local(t), then: BlockId(1), otherwise: BlockId(2) });
    c.set(t, binary(BinaryOp::Sub, local(n), int(1, b.int)));
    c.call(Some(t), FuncId(0), vec![local(t)]);
    c.set(t, binary(BinaryOp::Add, local(t), int(1, b.int)));
    c.end(TerminatorKind::Return(Some(local(t))));
    let f = c.ret(int(0, b.int));
    let f = b.function("f", b.int, &[b.int], Some(f));
    let mut c = Code::default();
    let r = c.local(b.int);
    c.call(Some(r), f, vec![int(100_000, b.int)]);
    c.set(r, binary(BinaryOp::Rem, local(r), int(100, b.int)));
    b.main(c.ret(local(r)));
    assert_eq!(outcome(&b), Outcome::Exit(0));
    let shallow = Options { limits: Limits { depth: 1000, ..Limits::default() }, ..Options::default() };
    let ended = run_with(&b, &shallow, &mut RandomInputs::new(0)).outcome;
    assert_eq!(ended, Outcome::Budget(BudgetKind::Depth));
}

#[test]
fn arithmetic_errors_and_policies() {
    let make = |op, a, x| {
        let mut b = Builder::new(DataModel::Lp64);
        let mut c = Code::default();
        let t = c.local(b.int);
        c.set(t, binary(op, int(a, b.int), int(x, b.int)));
        b.main(c.ret(local(t)));
        b
    };
    let max = i128::from(i32::MAX);
    assert_eq!(kind(&make(BinaryOp::Add, max, 1)), "overflow");
    assert_eq!(kind(&make(BinaryOp::Div, i128::from(i32::MIN), -1)), "overflow");
    assert_eq!(kind(&make(BinaryOp::Rem, 5, 0)), "division-by-zero");
    assert_eq!(kind(&make(BinaryOp::Shl, 1, 32)), "shift");
    assert_eq!(outcome(&make(BinaryOp::Rem, -7, 2)), Outcome::Exit(255));
    let ignore = Options { overflow: Policy::Ignore, shift: Policy::Ignore, ..Options::default() };
    let ended = run_with(&make(BinaryOp::Add, max, 3), &ignore, &mut RandomInputs::new(0)).outcome;
    assert_eq!(ended, Outcome::Exit(2));
    let ended = run_with(&make(BinaryOp::Shl, 1, 33), &ignore, &mut RandomInputs::new(0)).outcome;
    assert_eq!(ended, Outcome::Exit(2));
}

#[test]
fn inputs_are_recorded_and_replayed() {
    let mut b = Builder::new(DataModel::Lp64);
    let nondet = b.function("__VERIFIER_nondet_int", b.int, &[], None);
    let assume = b.function("__VERIFIER_assume", b.void, &[b.int], None);
    let mut c = Code::default();
    let (x, y) = (c.local(b.int), c.local(b.int));
    c.call(Some(x), nondet, vec![]);
    c.call(Some(y), nondet, vec![]);
    c.call(None, assume, vec![local(x)]);
    c.set(x, binary(BinaryOp::And, local(x), int(255, b.int)));
    b.main(c.ret(local(x)));
    let options = Options::default();
    let first = run_with(&b, &options, &mut ListInputs::ints([7, 9]));
    assert_eq!(first.outcome, Outcome::Exit(7));
    assert_eq!(run_with(&b, &options, &mut ListInputs::replay(&first.draws)), first);
    assert_eq!(run_with(&b, &options, &mut ListInputs::ints([0, 1])).outcome, Outcome::AssumeFailed);
    let ended = run_with(&b, &options, &mut ListInputs::ints([3])).outcome;
    assert_eq!(ended, Outcome::Budget(BudgetKind::Inputs));
    let random = run_with(&b, &options, &mut RandomInputs::new(5));
    assert_eq!(run_with(&b, &options, &mut RandomInputs::new(5)), random);
}

#[test]
fn an_endless_loop_over_inputs_stays_within_the_memory_budget() {
    let mut b = Builder::new(DataModel::Lp64);
    let nondet = b.function("__VERIFIER_nondet_int", b.int, &[], None);
    let mut c = Code::default();
    let x = c.local(b.int);
    c.call(Some(x), nondet, vec![]);
    c.end(TerminatorKind::Goto(BlockId(0)));
    b.main(c);
    let small = Options { limits: Limits { memory: 100_000, ..Limits::default() }, ..Options::default() };
    let result = run_with(&b, &small, &mut RandomInputs::new(0));
    assert_eq!(result.outcome, Outcome::Budget(BudgetKind::Memory));
    assert!(result.draws.len() < 2000);
}

#[test]
fn a_local_dies_with_its_scope() {
    let mut b = Builder::new(DataModel::Lp64);
    let mut c = Code::default();
    let (x, p, t) = (c.local(b.int), c.local(b.ptr), c.local(b.int));
    c.push(StatementKind::StorageLive(x));
    c.assign(Place::local(x, b.int), Rvalue::Use(int(1, b.int)));
    c.set(p, Rvalue::AddrOf(Place::local(x, b.int)));
    c.push(StatementKind::StorageDead(x));
    c.set(t, Rvalue::Load(Place::deref(local(p), b.int)));
    b.main(c.ret(local(t)));
    assert_eq!(kind(&b), "use-after-scope");
}

struct Watch {
    values: Vec<i128>,
    blocks: usize,
}

impl Observer for Watch {
    fn at_statement(&mut self, view: &View<'_, '_, '_>) -> ControlFlow<()> {
        let frame = view.frames().next().expect("main runs");
        assert_eq!(frame.function, view.program().function_named("main").expect("main"));
        if let LocalView::Value(Value::Int { bits, .. }) = view.local(frame, LocalId(1)) {
            self.values.push(*bits);
        }
        let heap = view.memory().live_objects().filter(|(_, o)| o.origin == Origin::Heap);
        self.blocks = self.blocks.max(heap.count());
        if self.values.len() >= 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn observers_see_locals_and_memory_and_may_stop() {
    let b = with_block(8, |b, c, _, _| {
        let x = c.local(b.int);
        c.set(x, Rvalue::Use(int(41, b.int)));
        c.set(x, Rvalue::Use(int(42, b.int)));
        c.push(StatementKind::Nop);
    });
    let mut watch = Watch { values: Vec::new(), blocks: 0 };
    let result = run(&b.program, &Options::default(), &mut RandomInputs::new(0), Some(&mut watch));
    assert_eq!(result.outcome, Outcome::Observer);
    assert_eq!((watch.values, watch.blocks), (vec![41, 42], 1));
}

#[test]
fn missing_and_unknown_functions() {
    let mut b = Builder::new(DataModel::Lp64);
    assert_eq!(outcome(&b), Outcome::NoMain);
    let f = b.function("nobody_knows", b.int, &[], None);
    let mut c = Code::default();
    c.call(None, f, vec![]);
    let zero = int(0, b.int);
    b.main(c.ret(zero));
    assert_eq!(kind(&b), "undefined-function");
}
