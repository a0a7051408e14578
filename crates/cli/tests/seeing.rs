//! What a person sees of the analysis: sentences, drawings, the explorer.

#![allow(clippy::print_stdout, reason = "a test that is skipped says why")]

mod common;

use common::{Scratch, root};
use std::process::Command;

fn sentences(program: &str) -> String {
    let path = root().join("tests/check/safe").join(program);
    let scratch = Scratch::new(&format!("seeing_{}", program.replace('.', "_")));
    let answer = scratch.heapwise(&format!("check --invariants {}", path.display()));
    assert_eq!((answer.code, answer.stdout.as_str()), (Some(0), "proved\n"), "{}", answer.stderr);
    answer.stderr
}

#[test]
fn structures_are_called_what_a_person_would_call_them() {
    for (program, words) in [
        ("sll_build_destroy.c", "`head` is a possibly empty list of `struct node` through `next`"),
        (
            "nested_list_of_lists.c",
            "list of `struct outer` through `next`, each with `items`, a list of `struct inner` through `next`",
        ),
        (
            "dll_circular_sentinel.c",
            "there is a ring around `sentinel`, a possibly empty doubly-linked list of `struct link` through `next` and `prev`",
        ),
        (
            "dll_remove_anywhere.c",
            "`l.head` leads to null by a non-empty doubly-linked list of `struct node`",
        ),
        ("recursion_tree_copy.c", ""),
    ] {
        let text = sentences(program);
        assert!(text.contains(words), "{program}: {text}");
        assert!(
            !text.contains(" s1") && !text.contains("list_0") && !text.contains("unknown pred"),
            "{text}"
        );
    }
}

#[test]
fn a_line_is_drawn() {
    let scratch = Scratch::new("seeing_draw");
    let path = root().join("tests/check/safe/nested_list_of_lists.c");
    let drawn = scratch.heapwise(&format!("draw {}:24 -o a.svg", path.display()));
    assert_eq!(drawn.code, Some(0), "{}", drawn.stderr);
    let svg = std::fs::read_to_string(scratch.dir.join("a.svg")).unwrap();
    for part in [
        "class=\"structure\"",
        "class=\"thick\"",
        ">all</text>",
        ">items</text>",
        "∅",
        "prefers-color-scheme:dark",
    ] {
        assert!(svg.contains(part), "{part}");
    }
    assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count());
    let words = scratch.heapwise(&format!("draw --as words {}:24", path.display()));
    assert!(words.stdout.contains("`all` is null\n"), "{}", words.stdout);
    let dot = scratch.heapwise(&format!("draw --as dot {}:24", path.display()));
    assert!(dot.stdout.starts_with("digraph"));
}

#[test]
fn bad_targets_are_told() {
    let scratch = Scratch::new("seeing_bad");
    scratch
        .write("a.c", "int main(void) {\n    return 0;\n}\n")
        .write("b.c", "int main(void) { return x; }\n");
    for (line, words) in [
        ("draw a.c", "names no line"),
        ("draw a.c:99", "the nearest lines with states are 2"),
        ("draw missing.c:3", "no-such-file"),
        ("draw b.c:1", "undeclared"),
        ("draw a.c:2 -o missing/x.svg", "missing/x.svg cannot be written"),
    ] {
        let answer = scratch.heapwise(line);
        assert_eq!(answer.code, Some(3), "{line}");
        assert!(answer.stderr.contains(words), "{line}: {}", answer.stderr);
    }
}

/// Appended to a page: does what a person would do and writes down what came of it.
const VISITOR: &str = r##"<script>
const seen = [];
window.onerror = m => seen.push("error: " + m);
console.error = m => seen.push("console: " + m);
document.addEventListener("securitypolicyviolation", e => seen.push("request: " + e.blockedURI));
const press = key => document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
const view = () => document.getElementById("view");
try {
  seen.push("lines " + document.querySelectorAll("#source .l").length);
  document.querySelector('#source .l[data-n="LINE"]').click();
  seen.push("drawn " + (view().querySelectorAll("svg.hw rect").length > 1), "chosen " + document.querySelector(".l.sel").dataset.n);
  const before = document.documentElement.dataset.theme;
  press("d");
  seen.push("dark " + (before !== document.documentElement.dataset.theme));
  press("j");
  seen.push("moved " + (document.querySelector(".l.sel").dataset.n !== "LINE"));
  for (const tab of ["findings", "loops", "apart", "contracts", "predicates", "figures", "path"]) {
    document.querySelector(`[data-tab="${tab}"]`).click();
    seen.push(tab + " " + view().textContent.length);
  }
  const pictures = new Set();
  for (let i = 0; i < 60; i++) { pictures.add(view().querySelector(".draw") ? view().querySelector(".draw").innerHTML : ""); press("n"); }
  seen.push("pictures " + pictures.size, "end " + view().textContent.includes("error[use-after-free]"));
} catch (e) { seen.push("thrown: " + e); }
document.title = "seen: " + seen.join("; ");
document.documentElement.dataset.seen = seen.join("; ");
</script>"##;

/// What the visitor saw; none without a browser.
fn visited(scratch: &Scratch, page: &str, line: u32) -> Option<String> {
    let browser = ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find(|b| Command::new(b).arg("--version").output().is_ok_and(|o| o.status.success()));
    let Some(browser) = browser else {
        println!("skipped: there is no Chromium to try the explorer in");
        return None;
    };
    let html = std::fs::read_to_string(scratch.dir.join(page)).unwrap();
    let html = html.replace("</body>", &format!("{}</body>", VISITOR.replace("LINE", &line.to_string())));
    scratch.write("visited.html", html);
    let url = format!("file://{}", scratch.dir.canonicalize().unwrap().join("visited.html").display());
    let profile = format!("--user-data-dir={}", scratch.dir.join("profile").display());
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--dump-dom", &profile, &url])
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let (_, rest) = dom.split_once("data-seen=\"").unwrap_or_else(|| panic!("no visit: {dom:.300}"));
    Some(rest.split('"').next().unwrap().to_owned())
}

#[test]
fn the_explorer_works_in_a_browser() {
    let scratch = Scratch::new("seeing_explorer");
    let path = root().join("examples/bug_use_after_free.c");
    let answer = scratch.heapwise(&format!("explore {} -o page.html", path.display()));
    assert_eq!((answer.code, answer.stdout.as_str()), (Some(1), "error\n"), "{}", answer.stderr);
    let html = std::fs::read_to_string(scratch.dir.join("page.html")).unwrap();
    assert!(
        !html.contains("http://")
            || html.matches("http://").count() == html.matches("http://www.w3.org/2000/svg").count()
    );
    assert!(!html.contains("https://"));
    let Some(seen) = visited(&scratch, "page.html", 22) else { return };
    for part in ["drawn true", "chosen 22", "dark true", "moved true", "end true"] {
        assert!(seen.contains(part), "{part} in: {seen}");
    }
    assert!(!seen.contains("error:") && !seen.contains("console:") && !seen.contains("request:"), "{seen}");
    assert!(!seen.contains("thrown"), "{seen}");
    let pictures = seen.split("pictures ").nth(1).and_then(|s| s.split(';').next()).unwrap();
    assert!(pictures.parse::<u32>().unwrap() > 8, "the heap changes along the path: {seen}");
}

#[test]
fn functions_without_a_program_are_looked_at_from_their_contracts() {
    let scratch = Scratch::new("seeing_library");
    scratch.write(
        "list.c",
        "#include <stdlib.h>\nstruct node { struct node *next; int value; };\nint sum(struct node *list)\n{\n    int s = 0;\n    \
         for (; list; list = list->next)\n        s += list->value;\n    return s;\n}\n/*@ requires p -> [4] { @0:4: _ }; ensures emp; */\n\
         void drop(int *p)\n{\n    free(p);\n}\n",
    );
    let words = scratch.heapwise("draw --as words list.c:7");
    assert_eq!(words.code, Some(0), "{}", words.stderr);
    assert!(words.stdout.contains("list of `struct node` through `next`"), "{}", words.stdout);
    let answer = scratch.heapwise("explore list.c");
    assert_eq!((answer.code, answer.stdout.as_str()), (Some(0), "proved\n"), "{}", answer.stderr);
    let html = std::fs::read_to_string(scratch.dir.join("list.html")).unwrap();
    for part in
        ["requires node_list(list);", "requires p -> [4] { @0:4: _ }; ensures emp;", "\"0:7\"", "\"0:13\""]
    {
        assert!(html.contains(part), "{part}");
    }
    if let Some(seen) = visited(&scratch, "list.html", 7) {
        assert!(
            seen.contains("drawn true") && !seen.contains("thrown") && !seen.contains("error:"),
            "{seen}"
        );
    }
}

#[test]
fn texts_of_the_program_cannot_break_the_page() {
    let scratch = Scratch::new("seeing_hostile");
    scratch.write("a.c", "/* </script><script>alert(1)</script> <!-- @DATA@ */\nint main(void) {\n    const char *s = \"</script>\";\n    int *p = 0;\n    return s[0] + *p;\n}\n");
    assert_eq!(scratch.heapwise("explore a.c").code, Some(1));
    let html = std::fs::read_to_string(scratch.dir.join("a.html")).unwrap();
    assert_eq!(html.matches("</script>").count(), 2);
    if let Some(seen) = visited(&scratch, "a.html", 4) {
        assert!(
            seen.contains("drawn true") && seen.contains("lines 7") && !seen.contains("thrown"),
            "{seen}"
        );
    }
    let unwritable = scratch.heapwise("explore a.c -o missing/a.html");
    assert_eq!((unwritable.code, unwritable.stdout.as_str()), (Some(3), "error\n"));
    assert!(scratch.heapwise("explore nothing.c").stderr.contains("no-such-file"));
}
