//! The annotated programs: no planted bug is ever proved, whatever the variant; and the default proves a good part of
//! what is safe, among it the list programs that the survey uses.

#![allow(clippy::print_stderr)]

mod common;

use heapwise_fixpoint::{Report, Settings};
use heapwise_ir::Program;
use heapwise_klimited::{Connectors, Graph, Limit, Variant, analyse};
use heapwise_numeric::Numeric;
use heapwise_property::Property;
use std::path::Path;

/// A limit in steps, so that the answers do not depend on the machine.
const STEPS: u64 = 6_000;
/// How many of the safe programs the default variant proves; more are welcome.
const PROVED: usize = 30;

fn analysed(program: &Program, variant: Variant, overflow: bool) -> Report<Graph> {
    let mut settings = Settings { max_steps: STEPS, max_disjuncts: 40, ..Settings::default() };
    settings.properties.set(Property::Overflow, overflow);
    analyse(program, &settings, variant)
}

fn variants() -> Vec<Variant> {
    let with = |limit, k| Variant { limit, k, ..Variant::default() };
    vec![
        with(Limit::Paths, 0),
        with(Limit::Paths, 2),
        with(Limit::Sites, 2),
        with(Limit::Types, 1),
        Variant { materialise: false, ..Variant::default() },
        Variant { limit: Limit::OnePerSite, k: 0, one_graph: true, ..Variant::default() },
        Variant { relations: Some((Connectors::OneStep, Numeric::Octagons)), ..Variant::default() },
        Variant { relations: Some((Connectors::Transitive, Numeric::Zones)), ..with(Limit::Types, 1) },
    ]
}

fn name(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

#[test]
fn safe_programs_are_proved() {
    let proved = common::parallel::each(&common::programs("tests/check/safe"), |path| {
        analysed(&common::load(path), Variant::default(), false).is_proved().then(|| name(path))
    });
    let proved: Vec<String> = proved.into_iter().flatten().collect();
    eprintln!("{} safe programs proved: {}", proved.len(), proved.join(" "));
    if std::env::var("HEAPWISE_ONLY").is_ok() {
        return;
    }
    assert!(proved.len() >= PROVED, "only {} are proved", proved.len());
    // Lists that are built, walked, changed at the front and in the middle, reversed and freed; a tree.
    for wanted in [
        "sll_build_destroy",
        "sll_reverse",
        "sll_insert_sorted",
        "sll_remove_matching",
        "sll_recursive",
        "tree_insert_recursive",
    ] {
        assert!(proved.iter().any(|p| p == wanted), "{wanted} is not proved");
    }
}

/// The insertion of the survey's running example (§2.1): an element into the middle of a list.
#[test]
fn the_running_example_is_proved() {
    let text = r#"
        #include <stdlib.h>
        extern int __VERIFIER_nondet_int(void);
        extern void __heapwise_assert_acyclic(struct list *);
        typedef struct list { struct list *n; int d; } list;
        void insert(list *l, int d) {
            list *t = l;
            while (t != NULL) {
                if (__VERIFIER_nondet_int()) {
                    list *fresh = (list *)malloc(sizeof(list));
                    fresh->n = t->n;
                    fresh->d = d;
                    t->n = fresh;
                    break;
                } else
                    t = t->n;
            }
        }
        int main(void) {
            list *l = NULL;
            while (__VERIFIER_nondet_int()) {
                list *fresh = (list *)malloc(sizeof(list));
                fresh->n = l;
                fresh->d = 0;
                l = fresh;
            }
            insert(l, 1);
            __heapwise_assert_acyclic(l);
            while (l != NULL) {
                list *n = l->n;
                free(l);
                l = n;
            }
            return 0;
        }"#;
    let program = common::compiled("insert.c", text);
    for k in [1, 2] {
        let report = analysed(&program, Variant { k, ..Variant::default() }, false);
        assert!(report.is_proved(), "k = {k}: {:?}", report.alarms);
    }
}

fn never_proved(variants: &[Variant], step: usize) {
    let paths: Vec<_> = common::programs("tests/check/error").into_iter().step_by(step).collect();
    let wrong = common::parallel::each(&paths, |path| {
        let text = std::fs::read_to_string(path).expect("the program can be read");
        let program = common::load(path);
        let overflow = text.contains("//~ ERROR overflow");
        let proving = variants.iter().filter(|v| analysed(&program, **v, overflow).is_proved());
        proving.map(|v| (name(path), *v)).collect::<Vec<_>>()
    });
    let wrong: Vec<(String, Variant)> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "proved although there is a bug: {wrong:?}");
}

#[test]
fn planted_bugs_are_never_proved() {
    never_proved(&[Variant::default()], 1);
}

#[test]
fn no_variant_proves_a_planted_bug() {
    let all = std::env::var("HEAPWISE_SEEDS").is_ok();
    never_proved(&variants(), if all { 1 } else { 6 });
}

/// A program that ends at the error function leaves its blocks behind, where only that counts.
#[test]
fn blocks_left_at_the_error_function_count() {
    let head = "void *malloc(unsigned long); void free(void *); int __VERIFIER_nondet_int(void);";
    let body = "int main(void) { int *p = malloc(4); if (__VERIFIER_nondet_int()) reach_error(); free(p); return 0; }";
    for declared in ["void reach_error(void);", "void reach_error(void) { }"] {
        let program = common::compiled("left.c", &format!("{head} {declared} {body}"));
        for (properties, proved) in [(Property::Cleanup, false), (Property::Free, true)] {
            let settings = Settings {
                max_steps: STEPS,
                properties: [properties].into_iter().collect(),
                ..Settings::default()
            };
            assert_eq!(analyse(&program, &settings, Variant::default()).is_proved(), proved, "{declared}");
        }
    }
}
