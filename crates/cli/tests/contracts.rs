//! `heapwise contracts`, and `heapwise check` on files without `main`.

mod common;

use common::{Scratch, heapwise, root};
use std::path::PathBuf;

fn run(arguments: &[&str], file: &PathBuf) -> common::Answer {
    common::Answer::from(heapwise().args(arguments).arg(file).output().unwrap())
}

/// Functions are marked `//~ FINDING code` or `//~ FINE` on the line of their definition; `//~ MISSED code` is a mistake that is
/// not found yet.
#[test]
fn errors_that_happen_whoever_calls() {
    let (mut seen, mut found, mut missed) = (0, 0, 0);
    for entry in std::fs::read_dir(root().join("tests/open/bad")).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let answer = run(&["contracts", "--malloc-may-fail", "--format", "json"], &path);
        let object: serde_json::Value = serde_json::from_str(&answer.stdout).expect("a JSON object");
        for f in object["functions"].as_array().unwrap() {
            let place = f["place"].as_str().unwrap();
            let line: usize = place.rsplit(':').nth(1).unwrap().parse().unwrap();
            let mark = text.lines().nth(line - 1).and_then(|l| l.split_once("//~ ")).expect("a mark").1;
            let codes: Vec<&str> =
                f["findings"].as_array().unwrap().iter().map(|f| f["code"].as_str().unwrap()).collect();
            let expected: Vec<&str> = mark.strip_prefix("FINDING ").into_iter().collect();
            assert_eq!(codes, expected, "{place}: {f}");
            seen += 1;
            found += expected.len();
            missed += usize::from(mark.starts_with("MISSED "));
        }
        assert_eq!(answer.code, Some(1));
    }
    assert!(seen >= 60 && found >= 40, "{seen} functions, {found} mistakes found, {missed} missed");
}

/// No function of the good ones has an error, allocations that fail included.
#[test]
fn good_functions_have_no_errors() {
    for name in ["sll.c", "nested.c"] {
        let answer = run(&["contracts", "--format", "json"], &root().join("tests/open").join(name));
        let object: serde_json::Value = serde_json::from_str(&answer.stdout).expect("a JSON object");
        for f in object["functions"].as_array().unwrap() {
            assert!(f["findings"].as_array().unwrap().is_empty(), "{f}");
            assert!(!f["contracts"].as_array().unwrap().is_empty(), "{f}");
        }
        assert_eq!(answer.code, Some(0));
    }
}

/// What is emitted is proved again.
#[test]
fn emitted_contracts_are_proved() {
    let scratch = Scratch::new("contracts-emit");
    let file = root().join("tests/open/dll.c");
    let emitted = scratch.dir.join("dll.shape");
    let answer = run(&["contracts", "--emit", emitted.to_str().unwrap()], &file);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    for function in ["create", "remove", "unlink_node", "reverse"] {
        let proof = run(&["check", "--shapes", emitted.to_str().unwrap(), "--function", function], &file);
        assert!(proof.code == Some(0) && proof.stdout.starts_with("proved"), "{function}: {proof:?}");
    }
}

#[test]
fn a_check_without_main_gives_contracts() {
    let scratch = Scratch::new("contracts-check");
    scratch.write(
        "lib.c",
        "struct n { struct n *next; };\nvoid *malloc(unsigned long);\nstatic struct n *g;\n\
         void push(void) { struct n *p = malloc(sizeof *p); p->next = g; g = p; }\n\
         int apply(int (*f)(int)) { return f(1); }\n",
    );
    let answer = scratch.heapwise("check lib.c");
    assert_eq!(answer.code, Some(2), "{answer:?}");
    assert!(answer.stdout.starts_with("unknown"), "{answer:?}");
    assert!(answer.stdout.contains("ensures g -> struct n { next: \\old(g) };"), "{answer:?}");
    assert!(answer.stderr.contains("no contract was found for `apply`"), "{answer:?}");
    let named = scratch.heapwise("contracts --function push lib.c");
    assert!(
        named.code == Some(0) && named.stdout.ends_with("1 of 1 functions have a contract\n"),
        "{named:?}"
    );
}

/// What only the library knows costs the contracts that speak of it, not the whole file.
#[test]
fn contracts_over_what_only_the_library_has_are_left_out() {
    let scratch = Scratch::new("contracts-left-out");
    scratch.write(
        "lib.shape",
        "predicate inner_list(x) = x == null | x -> struct inner { next: n } * inner_list(n);\n\
         predicate outer(x) = x == null | x -> struct node { next: n } * inner_list(n);\n\
         contract remember(v)\nrequires inner_list(all);\nensures inner_list(all);\n\
         contract peek()\nrequires hidden == 0;\n\
         contract both(n)\nrequires outer(n);\nensures outer(n);\n\
         contract make()\nensures \\result -> struct node { next: 0 };\n",
    );
    let library = "struct node { struct node *next; };\nstruct node *make(void); void both(struct node *);\n\
                   void remember(int); int peek(void); void free(void *);\n";
    scratch.write("good.c", format!("{library}int main(void) {{ free(make()); return 0; }}\n"));
    let answer = scratch.heapwise("check --contracts lib.shape good.c");
    assert_eq!(answer.code, Some(0), "{answer:?}");
    assert_eq!(answer.stderr.matches("warning[contract-left-out]").count(), 7, "{answer:?}");
    // A function whose contract is left out is unknown.
    scratch.write("bad.c", format!("{library}int main(void) {{ both(make()); return 0; }}\n"));
    let answer = scratch.heapwise("check --contracts lib.shape bad.c");
    assert!(answer.code == Some(2) && answer.stderr.contains("unknown-call"), "{answer:?}");
    // In a file of the user's own it is a mistake.
    assert_eq!(scratch.heapwise("check --shapes lib.shape good.c").code, Some(3));
}

/// A program is checked without the source of its library.
#[test]
fn calls_rely_on_contracts() {
    let scratch = Scratch::new("contracts-at-calls");
    let emitted = scratch.dir.join("sll.shape");
    run(&["contracts", "--emit", emitted.to_str().unwrap()], &root().join("tests/open/sll.c"));
    let types = "struct node { int v; struct node *next; };\n\
                 struct node *push_front(struct node *l, int v);\n\
                 struct node *reverse(struct node *l);\nvoid destroy(struct node *l);\n\
                 int __VERIFIER_nondet_int(void);\n";
    let good = "int main(void) { struct node *l = 0; while (__VERIFIER_nondet_int()) l = push_front(l, 1);\n\
                l = reverse(l); destroy(l); return 0; }\n";
    let bad = "int main(void) { struct node *l = push_front(0, 1); destroy(l); l = reverse(l); return 0; }\n";
    let leaks = "int main(void) { struct node *l = push_front(0, 1); l = 0; return 0; }\n";
    scratch
        .write("good.c", format!("{types}{good}"))
        .write("bad.c", format!("{types}{bad}"))
        .write("leaks.c", format!("{types}{leaks}"));
    let answer = scratch.heapwise("check --contracts sll.shape good.c");
    assert!(answer.code == Some(0) && answer.stdout.starts_with("proved under assumptions"), "{answer:?}");
    let answer = scratch.heapwise("check --contracts sll.shape --timeout 10 bad.c");
    assert!(
        answer.code == Some(2) && answer.stderr.contains("the contract of `reverse` requires"),
        "{answer:?}"
    );
    let answer = scratch.heapwise("check --contracts sll.shape --timeout 10 leaks.c");
    assert!(answer.code == Some(2) && answer.stderr.contains("leak"), "{answer:?}");
    assert_eq!(scratch.heapwise("check --timeout 10 good.c").code, Some(2));
}

/// Contracts are relied on only for what they say: each caller here goes wrong, or is beyond what the contracts were verified for.
#[test]
fn contracts_are_relied_on_for_what_they_say() {
    let scratch = Scratch::new("contracts-limits");
    let library = scratch.dir.join("library.c");
    let emitted = scratch.dir.join("library.shape");
    let text = "#include <stdlib.h>
        struct node { int v; struct node *next; };
        void exit_if(int x) { if (x) exit(1); }
        void exit_deep(int x) { exit_if(x); }
        static void nothing(void) {}
        void enlist(void) { atexit(nothing); }
        int increment(int x) { return x + 1; }
        struct node *make(int v) { struct node *n = malloc(sizeof *n); n->v = v; n->next = 0; return n; }
        unsigned long width(void) { return sizeof(long); }\n";
    std::fs::write(&library, text).unwrap();
    let found = run(&["contracts", "--emit", emitted.to_str().unwrap()], &library);
    assert!(found.stdout.contains("enlist()\n  no contract"), "{found:?}");
    let shapes = std::fs::read_to_string(&emitted).unwrap();
    assert!(shapes.starts_with("assuming lp64, allocation;\n"), "{shapes}");
    assert_eq!(shapes.matches("may exit;").count(), 2, "{shapes}");
    let prelude = "#include <stdlib.h>
        #include <assert.h>
        extern int __VERIFIER_nondet_int(void);
        struct node { int v; struct node *next; };
        void exit_if(int); void exit_deep(int); int increment(int); struct node *make(int);
        unsigned long width(void);\n";
    let at_exit = "static int z; static void check(void) { assert(z == 0); }
        int main(void) { atexit(check); z = 1; exit_if(__VERIFIER_nondet_int()); z = 0; return 0; }";
    let deep = at_exit.replace("exit_if", "exit_deep");
    let blocks =
        "int main(void) { char *a = malloc(1); exit_if(__VERIFIER_nondet_int()); free(a); return 0; }";
    let numbers = "int main(void) { increment(__VERIFIER_nondet_int()); return 0; }";
    let nodes = "int main(void) { struct node *n = make(1); n->v = 2; free(n); return 0; }";
    let sizes = "int main(void) { assert(width() == 8); return 0; }";
    let cases: [(&str, &[&str], i32); 10] = [
        (at_exit, &[], 2),
        (&deep, &[], 2),
        (blocks, &["--property", "cleanup"], 2),
        (blocks, &[], 0),
        (numbers, &["--property", "overflow"], 2),
        (numbers, &[], 0),
        (nodes, &["--malloc-may-fail"], 2),
        (nodes, &[], 0),
        (sizes, &["--m32"], 2),
        (sizes, &[], 0),
    ];
    let caller = scratch.dir.join("caller.c");
    for (main, options, code) in cases {
        std::fs::write(&caller, format!("{prelude}{main}\n")).unwrap();
        let mut arguments = vec!["check", "--contracts", emitted.to_str().unwrap()];
        arguments.extend(options);
        let answer = run(&arguments, &caller);
        assert_eq!(answer.code, Some(code), "{options:?} {main}: {answer:?}");
    }
}

/// A variable that a library keeps to itself is not the caller's variable of that name.
#[test]
fn variables_of_other_files_are_not_those_of_the_same_name() {
    let scratch = Scratch::new("contracts-namesake");
    let (library, caller) = (scratch.dir.join("library.c"), scratch.dir.join("caller.c"));
    let emitted = scratch.dir.join("library.shape");
    for (linkage, code) in [("static", 2), ("", 0)] {
        std::fs::write(&library, format!("{linkage} int hidden; void set(void) {{ hidden = 3; }}\n"))
            .unwrap();
        let found = run(&["contracts", "--emit", emitted.to_str().unwrap()], &library);
        assert!(found.stdout.contains("ensures hidden == 3"), "{found:?}");
        let main = "void set(void); int main(void) { set(); assert(hidden == 3); return 0; }";
        std::fs::write(&caller, format!("#include <assert.h>\n{linkage} int hidden; {main}\n")).unwrap();
        let answer = run(&["check", "--contracts", emitted.to_str().unwrap()], &caller);
        assert_eq!(answer.code, Some(code), "{linkage}: {answer:?}");
    }
}

/// A library's names may be other things in the program that relies on its contracts: each of these callers goes wrong when it runs.
#[test]
fn contracts_mean_what_they_meant_in_their_library() {
    let scratch = Scratch::new("contracts-names");
    let library = "#include <stdlib.h>
        struct n { struct n *next; int d; };
        int g; static struct n *head; static int *last;
        int both(int *p) { g = 1; *p = 2; return g; }
        void cut(struct n **pp) { struct n *x = *pp; *pp = x->next; free(x); }
        void push(int d) { struct n *x = malloc(sizeof *x); x->d = d; x->next = head; head = x; }
        void keep(int *p) { last = p; }
        static int helper(int x) { return 1; }
        int through(int x) { return helper(x); }
        struct n *make(void) { struct n *x = malloc(sizeof *x); x->next = 0; x->d = 1; return x; }
        void put(double x) { g = x > 1; }
        __attribute__((weak)) int hook(void) { return 1; }
        int hooked(void) { return hook(); }
        __attribute__((weak)) const int limit = 5;
        int limited(void) { return limit; }
        struct pair { int a[4]; int b[4]; };
        int past(struct pair *p) { return p->a[5]; }\n";
    scratch.write("library.c", library);
    let emitted = scratch.heapwise("contracts library.c --emit library.shape");
    for name in ["hooked", "limited", "hook"] {
        assert!(emitted.stdout.contains(&format!("{name}()\n  no contract: it depends on")), "{emitted:?}");
    }
    let n = "struct n { struct n *next; int d; };";
    let cases: &[(&str, &str, i32)] = &[
        (
            "",
            "extern int g; int both(int *); int main(void) { int r = both(&g); assert(r == 1); return 0; }",
            2,
        ),
        (
            "",
            "static int own; int both(int *); int main(void) { both(&own); assert(own == 2); return 0; }",
            2,
        ),
        (
            "int g;",
            "static int own; int both(int *); int main(void) { both(&own); assert(own == 2); return 0; }",
            0,
        ),
        (
            n,
            "struct n *x1, *x2; struct n *make(void); void cut(struct n **);\
             int main(void) { struct n *a = make(); a->next = make(); cut(&a); assert(x1 == a || x2 == a); free(a); return 0; }",
            2,
        ),
        (n, "struct n *head; void push(int); int main(void) { push(1); return head->d; }", 2),
        (
            "",
            "static int helper(int x) { return x; } int main(void) { assert(helper(3) == 1); return 0; }",
            1,
        ),
        (
            "struct n { int d; struct n *next; };",
            "struct n *make(void); int main(void) { struct n *p = make(); assert(p->d == 1); free(p); return 0; }",
            2,
        ),
        ("int g;", "void put(int); int main(void) { put(7); assert(g == 1); return 0; }", 2),
        (
            "",
            "int hook(void) { return 2; } int hooked(void); int main(void) { assert(hooked() == 1); return 0; }",
            2,
        ),
        (
            "const int limit = 7;",
            "int limited(void); int main(void) { assert(limited() == 5); return 0; }",
            2,
        ),
    ];
    for (declarations, main, code) in cases {
        scratch
            .write("caller.c", format!("#include <assert.h>\n#include <stdlib.h>\n{declarations}\n{main}\n"));
        let answer = scratch.heapwise("check --contracts library.shape --timeout 5 caller.c");
        assert_eq!(answer.code, Some(*code), "{declarations} {main}: {answer:?}");
    }
    // What holds only where indices may go past members is not relied on elsewhere, nor kept for that.
    let pair = "struct pair { int a[4]; int b[4]; }; int past(struct pair *);";
    let main = "int main(void) { struct pair *p = calloc(1, sizeof *p); past(p); free(p); return 0; }";
    scratch.write("caller.c", format!("#include <stdlib.h>\n{pair}\n{main}\n"));
    let loose = scratch
        .heapwise("contracts library.c --function past --loose-members --store kept --emit loose.shape");
    assert!(loose.stdout.contains("1 of 1"), "{loose:?}");
    assert_eq!(scratch.heapwise("check --contracts loose.shape --loose-members caller.c").code, Some(0));
    assert_eq!(scratch.heapwise("check --contracts loose.shape --timeout 5 caller.c").code, Some(2));
    let strict = scratch.heapwise("contracts library.c --function past --store kept");
    assert!(strict.stdout.contains("0 of 1"), "{strict:?}");
}

/// Errors that a caller can be blamed for are no findings: made-up pointers, and calls in an order that leaves variables as they are at first.
#[test]
fn what_depends_on_calls_before_is_no_error() {
    let scratch = Scratch::new("contracts-state");
    for (name, text) in [
        (
            "pointer",
            "struct n { struct n *next; int d; };\nint need(struct n *x) { int *p = 0; if (x) p = &x->d; return *p; }\n",
        ),
        (
            "stack",
            "static int top, st[4];\nvoid push(int x) { if (top < 4) st[top++] = x; }\nint pop(void) { return st[--top]; }\n",
        ),
        (
            "flag",
            "static int top, ready;\nvoid once(void) { ready = 1; }\nint need(void) { int *p = 0; if (ready) p = &top; return *p; }\n",
        ),
    ] {
        scratch.write(&format!("{name}.c"), text);
        let answer = scratch.heapwise(&format!("check {name}.c"));
        assert_eq!(answer.code, Some(2), "{name}: {answer:?}");
    }
    // Two variables of one name in one function.
    let variables = |used: &str, unused: &str| {
        format!(
            "static int a;\nint f(void) {{ static int *const x = &a; {{ static int *const x = 0; {used} }} {unused} }}\n"
        )
    };
    scratch.write("file.c", variables("(void)x;", "return *x;"));
    assert_eq!(scratch.heapwise("contracts file.c --store kept").code, Some(0));
    scratch.write("file.c", variables("return *x;", "(void)x;"));
    assert_ne!(scratch.heapwise("contracts file.c --store kept").code, Some(0));
}

/// Clauses about the end of the program are verified, and what is assumed has to be known.
#[test]
fn ends_of_the_program_are_part_of_a_contract() {
    let scratch = Scratch::new("contracts-exit");
    let file = scratch.dir.join("exit.c");
    let program = |clause: &str| {
        format!(
            "#include <stdlib.h>\n/*@ requires emp; ensures x == 0; {clause} */\nvoid f(int x) {{ if (x) exit(1); }}\n"
        )
    };
    for (clause, code) in [("", 2), ("may exit;", 0), ("may return;", 3)] {
        std::fs::write(&file, program(clause)).unwrap();
        assert_eq!(run(&["check", "--function", "f"], &file).code, Some(code), "{clause}");
    }
    let shapes = scratch.dir.join("a.shape");
    std::fs::write(&shapes, "assuming lp64, luck;\ncontract f(x) requires emp; ensures emp;\n").unwrap();
    std::fs::write(&file, "void f(int); int main(void) { f(1); return 0; }\n").unwrap();
    let answer = run(&["check", "--contracts", shapes.to_str().unwrap()], &file);
    assert!(answer.code == Some(3) && format!("{answer:?}").contains("a.shape:1:16"), "{answer:?}");
}

/// Without joins loops ask for structures that differ from iteration to iteration.
#[test]
fn joins_find_more_contracts() {
    let file = root().join("tests/open/texts.c");
    let with_contract = |join: &str| {
        let answer = run(&["contracts", "--join", join, "--format", "json"], &file);
        let object: serde_json::Value = serde_json::from_str(&answer.stdout).expect("a JSON object");
        let functions = object["functions"].as_array().expect("functions");
        functions.iter().filter(|f| !f["contracts"].as_array().unwrap().is_empty()).count()
    };
    assert!(with_contract("on") > with_contract("off"));
}

/// What was found before is not looked for again, unless it changed or calls what changed.
#[test]
fn a_store_keeps_what_did_not_change() {
    let scratch = Scratch::new("contracts-store");
    let library = |step: &str| {
        format!(
            "struct n {{ struct n *next; int v; }};\n{step}\nint twice(int x) {{ return step(step(x)); }}\n\
             int sum(struct n *l) {{ int s = 0; for (; l; l = l->next) s ^= l->v; return s; }}\n"
        )
    };
    let kept = || std::fs::read_dir(scratch.dir.join("kept")).unwrap().count();
    scratch.write("lib.c", library("int step(int x) { return x & 7; }"));
    let first = scratch.heapwise("contracts --store kept lib.c");
    assert_eq!((first.code, kept()), (Some(0), 3), "{first:?}");
    let again = scratch.heapwise("contracts --store kept lib.c");
    assert_eq!((&again.stdout, kept()), (&first.stdout, 3));
    // Other lines are other places, and nothing else.
    scratch.write("lib.c", format!("\n\n{}", library("int step(int x) { return x & 7; }")));
    scratch.heapwise("contracts --store kept lib.c");
    assert_eq!(kept(), 3);
    // The function that calls what changed is looked at again, the other one is not.
    scratch.write("lib.c", library("int step(int x) { return x & 3; }"));
    let changed = scratch.heapwise("contracts --store kept lib.c");
    assert_eq!(kept(), 5);
    assert_eq!(changed.stdout, scratch.heapwise("contracts lib.c").stdout);
    // Other assumptions are others, and what is damaged is not used.
    scratch.heapwise("contracts --malloc-may-fail --store kept lib.c");
    assert_eq!(kept(), 8);
    for file in std::fs::read_dir(scratch.dir.join("kept")).unwrap() {
        let path = file.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("ensures", "requires")).unwrap();
    }
    assert_eq!(scratch.heapwise("contracts --store kept lib.c").stdout, changed.stdout);
}

/// What happens in the world around a function is not in a contract, so nothing may rest on it.
#[test]
fn contracts_do_not_hide_streams_signals_and_devices() {
    let cases = [
        ("#include <stdio.h>\nvoid f(void) { fclose(stdout); }", "f(); printf(\"x\");"),
        ("#include <stdio.h>\nvoid f(void) { fclose(stdin); }", "f(); getchar();"),
        ("#include <stdio.h>\nvoid f(void) { printf(\"x\"); }", "fclose(stdout); f();"),
        (
            "#include <signal.h>\nstatic int *p; static void h(int s) { *p = 1; } void f(void) { signal(SIGTERM, h); }",
            "f(); raise(SIGTERM);",
        ),
        ("int g(volatile int *p) { if (*p) return *p; return 1; }", "10 / g(&reg);"),
        ("int g(volatile int *p) { int a = *p, b = *p; return a == b; }", "10 / g(&reg);"),
        ("unsigned h(unsigned x) { return x > 0x7fffffff ? 5 / 0 : x; }", "h(-1);"),
    ];
    for (library, statements) in cases {
        let scratch = Scratch::new("contracts-world");
        scratch.write("lib.c", format!("{library}\n")).write(
            "main.c",
            format!(
                "#include <stdio.h>\n#include <signal.h>\nvoid f(void); int g(volatile int *); int h(int);\n\
                 volatile int reg;\nint main(void) {{ {statements} return 0; }}\n"
            ),
        );
        scratch.heapwise("contracts lib.c --emit lib.shape");
        let answer = scratch.heapwise("check --timeout 10 --contracts lib.shape main.c");
        assert_eq!(answer.code, Some(2), "{library}: {answer:?}");
    }
}
