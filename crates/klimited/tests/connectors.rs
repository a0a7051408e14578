//! Connectors on the programs of `benchmarks/connectors`: what each kind proves is what the list says, and no kind proves a
//! mutant in which the order is wrong or too much is asserted.

mod common;

use heapwise_fixpoint::Settings;
use heapwise_klimited::{Connectors, Limit, Numeric, Variant, analyse};
use heapwise_property::Property;

const KINDS: [Connectors; 3] = [Connectors::None, Connectors::OneStep, Connectors::Transitive];

/// Text to be replaced, and by what: each program in which it occurs becomes one that can fail.
const MUTANTS: [(&str, &str); 14] = [
    ("value = value - by", "value = value + by"),
    ("value = value - by", "value = by"),
    ("p->value < p->next->value", "p->value > p->next->value"),
    ("p->value < p->next->value", "p->value + 1 < p->next->value"),
    ("list->value < second->value", "list->value >= second->value"),
    ("second->value < third->value", "second->value + 2 < third->value"),
    ("fresh->value = i", "fresh->value = i + __VERIFIER_nondet_bool()"),
    ("p->next->value == p->value + 1", "p->next->value == p->value + 2"),
    ("third->value == second->value + 1", "third->value == second->value"),
    ("NODE(eight, 8, seven, NULL)", "NODE(eight, 3, seven, NULL)"),
    ("NODE(five, 5, NULL, NULL)", "NODE(five, 4, NULL, NULL)"),
    ("right->l->val > p->val", "right->l->val < p->val"),
    ("right->l->val > p->val", "right->l->val > right->val"),
    ("->val == 5", "->val == 6"),
];

fn proves(text: &str, k: usize, relations: (Connectors, Numeric)) -> bool {
    let program = common::compiled("program.c", text);
    let variant = Variant { limit: Limit::Types, k, relations: Some(relations), ..Variant::default() };
    let properties = [Property::Assertion].into_iter().collect();
    let settings = Settings { max_steps: 20_000, properties, ..Settings::default() };
    analyse(&program, &settings, variant).is_proved()
}

/// The programs: name, text, the limit, and which kinds prove it.
fn programs() -> Vec<(String, String, usize, Vec<bool>)> {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../../benchmarks/connectors");
    let list = std::fs::read_to_string(format!("{directory}/list.txt")).expect("the list is there");
    let lines = list.lines().filter(|l| !l.starts_with('#'));
    let program = |line: &str| {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let text =
            std::fs::read_to_string(format!("{directory}/{}.c", parts[0])).expect("the program is there");
        let pattern = parts[2].split_whitespace().map(|word| word == "yes").collect();
        (parts[0].to_owned(), text, parts[1].parse().expect("a number"), pattern)
    };
    lines.map(program).collect()
}

#[test]
fn each_kind_proves_what_the_list_says() {
    let all = programs();
    assert_eq!(all.len(), 6);
    for (name, text, k, pattern) in all {
        let found: Vec<bool> =
            KINDS.iter().map(|kind| proves(&text, k, (*kind, Numeric::Octagons))).collect();
        assert_eq!(found, pattern, "{name}");
    }
}

#[test]
fn no_mutant_is_proved() {
    let mut mutants = 0;
    for (name, text, k, _) in programs() {
        for (from, to) in MUTANTS.iter().filter(|(from, _)| text.contains(from)) {
            let declared = "extern _Bool __VERIFIER_nondet_bool(void);\n".to_owned();
            let text = declared + &text.replace(from, to);
            // A tree out of order is no error for a program that looks elsewhere.
            let elsewhere = [("summarize-tree", "five, 4"), ("access-leaf", "eight, 3")];
            if elsewhere.iter().any(|(program, change)| name == *program && to.contains(change)) {
                continue;
            }
            mutants += 1;
            for kind in KINDS {
                for domain in [Numeric::Zones, Numeric::Octagons] {
                    assert!(!proves(&text, k, (kind, domain)), "{name}: {to} with {kind:?} in {domain:?}");
                }
            }
        }
    }
    assert!(mutants >= 14, "{mutants}");
}
