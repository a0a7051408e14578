//! The solver with a toy domain: the constants that scalar locals hold. It shows what the solver gives every domain: loops,
//! branches, calls, recursion, limits, alarms.

use heapwise_fixpoint::laws::domain_laws;
use heapwise_fixpoint::{Calls, Context, Domain, Report, Settings, Site, Transfer, analyse};
use heapwise_frontend::{SourceUnit, compile};
use heapwise_ir::library::LibFn;
use heapwise_ir::{
    BinaryOp, BlockId, Body, Call, Callee, CompareOp, Const, DataModel, FuncId, LocalId, LocalSet, Operand,
    Program, Rvalue, Statement, StatementKind, Terminator, TerminatorKind,
};
use heapwise_property::{ErrorKind, Kind, Property, Reason};
use std::collections::BTreeMap;

/// Locals with a known value; the others may hold anything.
type Known = BTreeMap<LocalId, i128>;

/// A state: what locals hold, and the result of the function that has returned.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct State {
    locals: Known,
    result: Option<i128>,
}

struct Constants;

fn value(state: &State, operand: &Operand) -> Option<i128> {
    match operand {
        Operand::Local(l) => state.locals.get(l).copied(),
        Operand::Const(Const::Int { value, .. }) => Some(*value),
        Operand::Const(_) => None,
    }
}

fn common(a: &State, b: &State) -> State {
    let same = |(l, v): (&LocalId, &i128)| (b.locals.get(l) == Some(v)).then_some((*l, *v));
    State {
        locals: a.locals.iter().filter_map(same).collect(),
        result: a.result.filter(|r| b.result == Some(*r)),
    }
}

fn set(state: &mut State, local: Option<LocalId>, value: Option<i128>) {
    let Some(local) = local else { return };
    match value {
        Some(v) => state.locals.insert(local, v),
        None => state.locals.remove(&local),
    };
}

impl Domain for Constants {
    type State = State;
    type Why = &'static str;
    fn leq(&self, a: &State, b: &State) -> Result<(), &'static str> {
        if common(a, b) == *b { Ok(()) } else { Err("a constant is known on the right only") }
    }
    fn join(&mut self, a: &State, b: &State) -> Result<State, &'static str> {
        // Few constants are worth keeping apart.
        if a.locals.len() == b.locals.len() { Err("constants differ") } else { Ok(common(a, b)) }
    }
    fn widen(&mut self, old: &State, new: &State) -> Result<State, &'static str> {
        Ok(common(old, new))
    }
    fn generalise(&mut self, state: State) -> Vec<State> {
        vec![state]
    }
}

impl Transfer for Constants {
    fn statement(
        &mut self,
        cx: &mut Context<'_>,
        at: &Site<'_>,
        statement: &Statement,
        mut state: State,
    ) -> Vec<State> {
        let StatementKind::Assign { dest, value: right } = &statement.kind else { return vec![state] };
        let v = match right {
            Rvalue::Use(op) => value(&state, op),
            Rvalue::Binary { op, lhs, rhs } => match (op, value(&state, lhs), value(&state, rhs)) {
                (BinaryOp::Add, Some(a), Some(b)) => a.checked_add(b),
                (BinaryOp::Sub, Some(a), Some(b)) => a.checked_sub(b),
                (BinaryOp::Div, _, None | Some(0)) => {
                    cx.alarm(at, ErrorKind::DivisionByZero, false, "the divisor may be zero");
                    None
                }
                _ => None,
            },
            Rvalue::Compare { op, lhs, rhs } => match (op, value(&state, lhs), value(&state, rhs)) {
                (CompareOp::Lt, Some(a), Some(b)) => Some(i128::from(a < b)),
                (CompareOp::Eq, Some(a), Some(b)) => Some(i128::from(a == b)),
                _ => None,
            },
            _ => None,
        };
        set(&mut state, dest.as_local(), v);
        vec![state]
    }
    fn branch(
        &mut self,
        _: &mut Context<'_>,
        _: &Site<'_>,
        terminator: &Terminator,
        state: State,
    ) -> Vec<(BlockId, State)> {
        let TerminatorKind::Branch { cond, then, otherwise } = &terminator.kind else { return Vec::new() };
        match value(&state, cond) {
            Some(0) => vec![(*otherwise, state)],
            Some(_) => vec![(*then, state)],
            None => vec![(*then, state.clone()), (*otherwise, state)],
        }
    }
    fn forget(&mut self, _: &mut Context<'_>, _: &Site<'_>, live: &LocalSet, mut state: State) -> State {
        state.locals.retain(|l, _| live.contains(*l));
        state
    }
}

impl Calls for Constants {
    type Frame = State;
    fn start(&mut self, _: &mut Context<'_>, _: &Site<'_>) -> Vec<State> {
        vec![State::default()]
    }
    fn end(&mut self, cx: &mut Context<'_>, at: &Site<'_>, state: &State) {
        if state.result != Some(0) {
            cx.alarm(at, ErrorKind::Assertion, false, "the exit status may be another one than 0");
        }
    }
    fn callees(
        &mut self,
        _: &mut Context<'_>,
        _: &Site<'_>,
        callee: &Callee,
        state: State,
    ) -> Vec<(FuncId, State)> {
        match callee {
            Callee::Direct(f) => vec![(*f, state)],
            Callee::Indirect(_) => Vec::new(),
        }
    }
    fn library(
        &mut self,
        cx: &mut Context<'_>,
        at: &Site<'_>,
        _: LibFn,
        call: &Call,
        state: State,
    ) -> Vec<State> {
        self.any_result(cx, at, call, state)
    }
    fn any_result(&mut self, _: &mut Context<'_>, _: &Site<'_>, call: &Call, mut state: State) -> Vec<State> {
        set(&mut state, call.dest.as_ref().and_then(|d| d.as_local()), None);
        vec![state]
    }
    fn enter(
        &mut self,
        _: &mut Context<'_>,
        _: &Site<'_>,
        callee: (FuncId, &Body),
        call: &Call,
        state: State,
    ) -> Option<(State, State)> {
        let mut entry = State::default();
        for (p, a) in callee.1.params.iter().zip(&call.args) {
            set(&mut entry, Some(*p), value(&state, a));
        }
        Some((entry, state))
    }
    fn exit(
        &mut self,
        _: &mut Context<'_>,
        _: &Site<'_>,
        returned: Option<&Operand>,
        state: State,
    ) -> Vec<State> {
        vec![State { locals: Known::new(), result: returned.and_then(|op| value(&state, op)) }]
    }
    fn leave(
        &mut self,
        _: &mut Context<'_>,
        _: &Site<'_>,
        call: &Call,
        frame: &State,
        exit: &State,
    ) -> Vec<State> {
        let mut state = frame.clone();
        set(&mut state, call.dest.as_ref().and_then(|d| d.as_local()), exit.result);
        vec![state]
    }
}

fn program(text: &str) -> Program {
    let (program, _) = compile(&[SourceUnit { name: "t.c".into(), text: text.into() }], DataModel::Lp64);
    program
}

fn solved(text: &str, change: fn(&mut Settings)) -> Report<State> {
    let mut settings = Settings { record_states: true, recheck: true, ..Settings::default() };
    change(&mut settings);
    analyse(&program(text), &settings, Constants)
}

const NONE: [Kind; 0] = [];

fn kinds(text: &str) -> Vec<Kind> {
    solved(text, |_| {}).alarms.iter().map(|a| a.kind).collect()
}

#[test]
fn branches_loops_and_widening() {
    assert_eq!(kinds("int main(void) { int a = 3; if (a == 3) return 0; return 1; }"), NONE);
    assert_eq!(kinds("int main(void) { int a = 0; for (int i = 0; i < 3; i++) a = 0; return a; }"), NONE);
    let unknown = "int f(void); int g(void) { int a = 0; while (f()) a = a + 1; return a; } \
                   int main(void) { return g(); }";
    let trusting = solved(unknown, |s| s.trust_unknown_calls = true);
    assert_eq!(trusting.alarms.iter().map(|a| a.kind).collect::<Vec<_>>(), [ErrorKind::Assertion]);
    assert!(trusting.statistics.joins > 0 && trusting.statistics.iterations < 20);
    assert_eq!(kinds(unknown), [Reason::UnknownCall]);
}

#[test]
fn calls_are_tabulated_and_recursion_ends() {
    let twice = "int same(int n) { return n; } int main(void) { return same(1) - same(1); }";
    let report = solved(twice, |_| {});
    assert!(report.is_proved());
    assert_eq!(report.statistics.entries, 1, "the second call is looked up");
    assert_eq!(
        kinds("int f(int n) { if (n == 0) return 0; return f(n - 1); } int main(void) { return f(7); }"),
        NONE
    );
    let endless = "int f(int n) { return f(n + 1); } int main(void) { f(0); return 1; }";
    assert_eq!(kinds(endless), NONE, "it never returns");
    let mutual = "int g(int); int f(int n) { if (n == 0) return 0; return g(n); } int g(int n) { return f(n - 1); } \
                  int main(int argc) { return f(argc); }";
    assert_eq!(kinds(mutual), NONE);
}

#[test]
fn errors_and_limits_are_alarms() {
    assert_eq!(kinds("int main(void) { int a = 0; int b = 1 / a; return 0; }"), [ErrorKind::DivisionByZero]);
    assert_eq!(
        kinds("void reach_error(void); int main(void) { reach_error(); return 0; }"),
        [ErrorKind::ReachError]
    );
    let text = "int main(void) { int a = 0; int b = 1 / a; while (1) a = a + 1; }";
    let short = solved(text, |s| s.max_steps = 5);
    assert!(short.alarms.iter().any(|a| a.kind == Reason::Budget));
    let asked = solved("int main(void) { int a = 0; int b = 1 / a; return 0; }", |s| {
        s.properties.set(Property::Division, false)
    });
    assert!(asked.is_proved());
}

#[test]
fn the_toy_keeps_the_laws() {
    let text = "int f(void); int main(void) { int a = 0, b = 1; while (f()) { a = a + b; if (f()) b = 2; } return a; }";
    let report = solved(text, |s| s.trust_unknown_calls = true);
    let samples: Vec<State> = report.states.into_values().flatten().collect();
    let tally = domain_laws(&mut Constants, &samples).expect("the laws hold");
    assert!(samples.len() > 10 && tally.ordered > samples.len() && tally.joined > 0);
}

/// A domain that forgets to compare something is noticed.
#[test]
fn broken_laws_are_noticed() {
    struct Broken;
    impl Domain for Broken {
        type State = i32;
        type Why = &'static str;
        fn leq(&self, a: &i32, b: &i32) -> Result<(), &'static str> {
            if a <= b { Ok(()) } else { Err("larger") }
        }
        fn join(&mut self, a: &i32, b: &i32) -> Result<i32, &'static str> {
            Ok(*a.min(b))
        }
        fn widen(&mut self, old: &i32, new: &i32) -> Result<i32, &'static str> {
            Ok(*old.max(new))
        }
        fn generalise(&mut self, state: i32) -> Vec<i32> {
            vec![state]
        }
    }
    assert!(domain_laws(&mut Broken, &[1, 2]).is_err());
}
