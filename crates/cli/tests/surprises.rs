//! What once surprised people who tried it: one program and its answer for each.

mod common;

use common::{Answer, Scratch};

fn checked(name: &str, program: &str, options: &str) -> Answer {
    let scratch = Scratch::new(&format!("surprise_{name}"));
    scratch.write("a.c", program);
    scratch.heapwise(&format!("check --timeout 20 {options} a.c"))
}

fn verdict(answer: &Answer) -> &str {
    answer.stdout.lines().next().unwrap_or_default()
}

#[test]
fn arguments_are_evaluated_in_any_order() {
    let answer = checked(
        "order",
        "#include <stdlib.h>\nint del(int *p) { free(p); return 1; }\nint use(int a, int b) { return a + b; }\nint main(void) { int *p = malloc(4); if (!p) return 0; *p = 1; return use(*p, del(p)) == 2; }\n",
        "",
    );
    assert_eq!(verdict(&answer), "error", "{answer:?}");
    assert!(answer.stderr.contains("error[use-after-free]"), "{}", answer.stderr);
}

#[test]
fn volatile_objects_hold_anything_however_they_are_read() {
    for (name, declaration, read) in [
        ("address", "volatile int w; volatile int *q(void) { return &w; }", "*q()"),
        ("array", "volatile int g[4];", "g[2]"),
        ("member", "struct s { volatile int m; } v;", "v.m"),
    ] {
        let program = format!(
            "{declaration}\nint main(void) {{ int *p = 0; if ({read} == 7) return *p; return 0; }}\n"
        );
        let answer = checked(&format!("volatile_{name}"), &program, "");
        assert_eq!(verdict(&answer), "error", "{name}: {answer:?}");
    }
}

#[test]
fn a_signal_handler_is_mentioned() {
    let program = "#include <signal.h>\nint *p;\nvoid h(int s) { *p = s; }\nint main(void) { signal(SIGINT, h); signal(SIGTERM, SIG_IGN); return 0; }\n";
    let answer = checked("signal", program, "");
    assert_eq!(answer.stderr.matches("note[signal-handler]").count(), 1, "{}", answer.stderr);
    assert!(answer.stderr.contains("a.c:4:18"), "{}", answer.stderr);
}

#[test]
fn an_index_past_a_member_is_an_error_with_an_option_back() {
    let past = "struct s { int a[4]; int b; } v;\nint main(int argc, char **argv) { int i = argc > 2 ? 4 : 3; (void)argv; return v.a[i]; }\n";
    let answer = checked("member", past, "");
    assert_eq!(verdict(&answer), "error", "{answer:?}");
    assert!(answer.stderr.contains("index 4 of a member that is an array of 4"), "{}", answer.stderr);
    assert_eq!(verdict(&checked("member_back", past, "--loose-members")), "proved");
    // The last member may have more room; the address of the end is no access.
    let fine = "#include <stdlib.h>\nstruct t { int n; char text[1]; };\nstruct s { int a[4]; int b; } v;\nint main(void) { struct t *t = malloc(sizeof *t + 8); if (!t) return 0; t->text[5] = 1; free(t); for (int *p = v.a; p != &v.a[4]; p++) *p = 1; return 0; }\n";
    let answer = checked("member_fine", fine, "");
    assert_eq!(verdict(&answer), "proved", "{answer:?}");
    // Proofs know it too, not only runs.
    let unknown = "extern int __VERIFIER_nondet_int(void);\nstruct s { int a[4]; int b; };\nint main(void) { struct s v = { { 0 }, 0 }; int i = __VERIFIER_nondet_int(); if (i < 0 || i > 3) return 0; for (;;) { v.a[i] = i; if (__VERIFIER_nondet_int()) break; } return 0; }\n";
    assert_eq!(verdict(&checked("member_proved", unknown, "")), "proved");
}

#[test]
fn a_huge_initialiser_is_not_expanded() {
    let program = "int big[200000000] = { [0 ... 199999999] = 7 };\nint main(void) { return big[5] == 0 ? *(int *)0 : 0; }\n";
    let start = std::time::Instant::now();
    let answer = checked("initialiser", program, "");
    assert!(answer.stderr.contains("[initialiser-too-large]"), "{}", answer.stderr);
    assert_eq!(verdict(&answer), "unknown", "what it holds is not known: {answer:?}");
    // It is not known to hold zeros either, nor how large an array is whose size was to be counted.
    let twin = "int big[200000000] = { [0 ... 199999999] = 7 };\nint main(void) { return big[5] != 0 ? *(int *)0 : 0; }\n";
    for options in ["", "--runs 0", "--domain klimited", "--domain tvl"] {
        assert_eq!(verdict(&checked("initialiser_twin", twin, options)), "unknown", "{options}");
    }
    let counted = "static int big[] = { [0 ... 199999999] = 7 };\nint main(void) { return big[5] - 7; }\n";
    assert_eq!(verdict(&checked("initialiser_counted", counted, "")), "unknown");
    assert!(start.elapsed().as_secs() < 60);
}

#[test]
fn weak_and_inline_definitions_give_way() {
    let scratch = Scratch::new("surprise_weak");
    scratch.write("a.c", "__attribute__((weak)) int f(void) { return *(int *)0; }\ninline int g(void) { return 2; }\nint main(void) { return f() + g() - 3; }\n");
    scratch.write("b.c", "int f(void) { return 1; }\nint g(void) { return 2; }\n");
    for files in ["a.c b.c", "b.c a.c"] {
        let answer = scratch.heapwise(&format!("check --timeout 20 {files}"));
        assert_eq!(verdict(&answer), "proved", "{files}: {answer:?}");
    }
}

#[test]
fn nothing_is_copied_from_nowhere_and_nothing_is_left_of_nothing() {
    let copy = "#include <string.h>\nint main(void) { char d[3] = \"a\"; void *s = 0; memcpy(d, s, 0); return 0; }\n";
    assert_eq!(verdict(&checked("memcpy", copy, "")), "proved");
    let shrunk = "#include <stdlib.h>\nint main(void) { char *p = malloc(3); if (!p) return 0; p = realloc(p, 0); free(p); return 0; }\n";
    assert_eq!(verdict(&checked("realloc", shrunk, "")), "proved");
}

#[test]
fn what_an_entry_returns_is_not_lost() {
    let program = "#include <stdlib.h>\nstruct n { struct n *next; };\nstruct n *make(void) { struct n *n = malloc(sizeof *n); if (n) n->next = 0; return n; }\n";
    assert_eq!(verdict(&checked("entry", program, "--entry make")), "proved");
}

#[test]
fn undefined_arrays_are_of_any_size() {
    let program = "extern int table[];\nint main(void) { return table[3] > 5; }\n";
    let answer = checked("undefined", program, "");
    assert_eq!(verdict(&answer), "unknown", "{answer:?}");
}

#[test]
fn neighbouring_bit_fields_are_apart() {
    let program = |rest: &str| {
        format!("struct b {{ unsigned x : 3, y : 5; }};\nint main(void) {{ struct b b; b.x = 1; {rest} }}\n")
    };
    assert_eq!(verdict(&checked("bits", &program("return b.x - 1;"), "")), "proved");
    assert_eq!(verdict(&checked("bits_other", &program("return b.y;"), "")), "error");
}

#[test]
fn an_uninitialised_exit_status_has_a_line() {
    let answer = checked("status", "int main(void)\n{\n    int x;\n    return x;\n}\n", "");
    assert!(answer.stderr.contains("a.c:4:"), "{}", answer.stderr);
}

#[test]
fn a_lost_block_is_told_where_it_is_lost() {
    let program = "#include <stdlib.h>\nint main(void)\n{\n    char *p = malloc(3);\n    p = 0;\n    int y = 1;\n    return y - 1;\n}\n";
    let answer = checked("lost", program, "");
    assert!(answer.stderr.contains("the last pointer to a heap block is lost here"), "{}", answer.stderr);
    assert!(answer.stderr.contains("a.c:5:"), "{}", answer.stderr);
}

#[test]
fn a_contradictory_assumption_is_reported() {
    let program = "#include <stdlib.h>\nvoid __heapwise_assume_shape(const char *);\nint main(void) { int x = 0; __heapwise_assume_shape(\"x == 1\"); return x; }\n";
    let answer = checked("assume", program, "");
    assert!(verdict(&answer) != "proved" && answer.stderr.contains("[assumption]"), "{answer:?}");
}

#[test]
fn a_compiler_may_know_more_constants() {
    let program = |condition: &str| {
        format!(
            "int main(int argc, char **argv) {{ int *p = 0; int k = argc; (void)argv; if ({condition}) return *p; return 0; }}\n"
        )
    };
    // Without optimisation nobody finds out what `k` is; that somebody does is possible, but no more.
    assert_eq!(verdict(&checked("constant_not", &program("!__builtin_constant_p(k)"), "")), "error");
    assert_eq!(verdict(&checked("constant", &program("__builtin_constant_p(k)"), "")), "unknown");
    for never in ["!__builtin_constant_p(3)", "__builtin_constant_p(k++)", "__builtin_constant_p(p)"] {
        assert_eq!(verdict(&checked("constant_never", &program(never), "")), "proved", "{never}");
    }
    // Either way, and where a constant is needed.
    let both = "#include <stdlib.h>\nint main(int argc, char **argv) { static int z = __builtin_constant_p(argc) ? 1 : 2; int a[__builtin_constant_p(argc) ? 1 : 3]; int *p = 0; char *q = malloc(3); (void)argv; if (__builtin_constant_p(argc) > 1 || z != 2 || sizeof a != 12) return *p; if (__builtin_constant_p(argc)) free(q); else free(q); return 0; }\n";
    assert_eq!(verdict(&checked("constant_both", both, "")), "proved");
}

/// `raise` runs the handler at once, and a handler needs no variable to go wrong.
#[test]
fn a_raised_signal_may_run_a_handler() {
    for handler in ["assert(0);", "*(int *)0 = s;"] {
        let program = format!(
            "#include <assert.h>\n#include <signal.h>\nvoid h(int s) {{ {handler} }}\n\
             int main(void) {{ signal(SIGUSR1, h); raise(SIGUSR1); return 0; }}\n"
        );
        for options in ["", "--runs 0", "--spec valid-memsafety", "--domain tvl", "--domain klimited"] {
            assert_eq!(verdict(&checked("raise", &program, options)), "unknown", "{handler} {options}");
        }
    }
    let ignored =
        "#include <signal.h>\nint main(void) { signal(SIGPIPE, SIG_IGN); return raise(SIGPIPE); }\n";
    assert_eq!(verdict(&checked("raise_ignored", ignored, "")), "proved");
}
