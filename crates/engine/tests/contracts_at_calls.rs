//! Programs whose calls rely on contracts that were found: what the analysis says of `main` holds of every run that executes
//! the functions themselves.

#![allow(clippy::print_stderr)]

mod common;

use common::RunMemory;
use heapwise_engine::abduction::{Limits, infer};
use heapwise_engine::shapes::declare::{ShapeFile, declare};
use heapwise_engine::{Options, Point, Report, analyse};
use heapwise_heap::gamma::{Claim, Membership, member};
use heapwise_interp::{Observer, RandomInputs, View};
use heapwise_ir::{FuncId, Program};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// The library, `main`, and whether it is proved.
const PROGRAMS: [(&str, &str, bool); 9] = [
    (
        "sll.c",
        "struct node *l = create(1); l = push_front(l, 2); l = push_back(l, 3); l = reverse(l); destroy(l);",
        true,
    ),
    (
        "sll.c",
        "struct node *l = 0; while (any()) l = push_front(l, any()); l = reverse(l); l = remove(l, 3); destroy(l);",
        true,
    ),
    (
        "sll.c",
        "struct node *l = create(1); push_to(&l, 4); insert_after(l, 5); int s = sum(l); destroy(l); return s == 3;",
        true,
    ),
    (
        "sll.c",
        "struct node *a = create_many(3), *b = copy(a); destroy(a); a = concat(b, create(7)); destroy_recursive(a);",
        true,
    ),
    ("sll.c", "remember(1); remember(2); count_all(); forget_all();", true),
    ("sll.c", "struct node *l = create(1); destroy(l); return sum(l) != 0;", false),
    ("sll.c", "struct node *l = create(1); l = push_front(l, 2); set(l, 3);", false),
    ("sll.c", "struct node x; x.next = 0; x.v = 1; int g = get(&x); set(&x, 2); return g == x.v;", true),
    (
        "tree.c",
        "struct tree *t = 0; while (any()) t = insert(t, any()); has(t, 3); mirror(t); destroy(t);",
        true,
    ),
];

struct Judge<'a> {
    program: &'a Program,
    report: &'a Report,
    main: FuncId,
    checked: u64,
    violation: Option<String>,
}

impl Observer for Judge<'_> {
    fn at_statement(&mut self, view: &View<'_, '_, '_>) -> ControlFlow<()> {
        let Some(frame) = view.frames().next().filter(|f| f.function == self.main) else {
            return ControlFlow::Continue(());
        };
        let point = Point { function: frame.function, block: frame.block, index: frame.statement };
        let states = self.report.states.get(&point).map(Vec::as_slice).unwrap_or_default();
        let memory = RunMemory::new(view, frame);
        self.checked += 1;
        let mut reasons = Vec::new();
        for state in states {
            match member(state, &self.report.preds, &memory, Claim::Everything, 50_000) {
                Membership::Inside | Membership::Undecided => return ControlFlow::Continue(()),
                Membership::Outside(why) => reasons.push(why),
            }
        }
        let body = self.program.body(self.main).expect("it runs");
        let span = body.blocks[point.block].statements.get(point.index).map(|s| s.span).unwrap_or_default();
        self.violation = Some(format!(
            "at `{}`: {reasons:?}\n{}\n{states:?}",
            self.program.sources.snippet(span),
            memory.describe()
        ));
        ControlFlow::Break(())
    }
}

#[test]
fn what_is_known_after_calls_by_contract_is_so() {
    let seeds = common::amount("HEAPWISE_SEEDS", 10, 60);
    let (mut checked, mut proofs) = (0, 0);
    for (library, code, proved) in PROGRAMS {
        let text =
            std::fs::read_to_string(common::directory("tests/open").join(library)).expect("it is there");
        let text = format!(
            "{text}\nint __VERIFIER_nondet_int(void);\n#define any __VERIFIER_nondet_int\nint main(void) {{ {code} return 0; }}\n"
        );
        let program = common::compiled(library, &text).unwrap_or_else(|| panic!("{code} compiles"));
        let main = program.function_named("main").expect("it has one");
        let found =
            infer(&program, &Options { jobs: 2, ..Options::default() }, Limits::default(), &|f| f != main);
        let mut predicates = BTreeSet::new();
        let mut contracts = String::new();
        for f in &found {
            let Some(c) = f.contracts.first() else { continue };
            predicates.extend(c.predicates.iter().cloned());
            contracts.push_str(&format!("contract {}({})\n{}", f.name, f.params.join(", "), c.clauses()));
        }
        let all: Vec<String> = predicates.into_iter().collect();
        let file = ShapeFile {
            name: "found.shape".into(),
            text: format!("{}\n{contracts}", all.join("\n")),
            at_calls: true,
        };
        let declarations = declare(&program, &[file]).unwrap_or_else(|e| panic!("{library}: {e:?}"));
        let options =
            Options { declarations, record_states: true, max_work: 4_000_000, ..Options::default() };
        let report = analyse(&program, &options);
        assert_eq!(report.alarms.is_empty(), proved, "{code}: {:?}", report.alarms.first());
        assert!(!report.assumptions.is_empty(), "{code}");
        if !proved {
            continue;
        }
        proofs += 1;
        for seed in 0..seeds {
            let mut judge = Judge { program: &program, report: &report, main, checked: 0, violation: None };
            let settings = common::run_settings(&options, 20_000);
            let mut inputs = RandomInputs::new(seed);
            heapwise_interp::run(&program, &settings, &mut inputs, Some(&mut judge));
            checked += judge.checked;
            assert!(judge.violation.is_none(), "{code}: {}", judge.violation.unwrap_or_default());
        }
    }
    eprintln!("{proofs} programs proved by contracts, {checked} memories inside of what is known");
}
