//! Every command of the tour, and every example of the page on diagnostics.

mod common;

use common::{Scratch, heapwise, root};

/// The blocks of a page with a language.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut current: Option<String> = None;
    for line in page.lines() {
        match &mut current {
            Some(block) if line == "```" => {
                found.push(std::mem::take(block));
                current = None;
            }
            Some(block) => {
                block.push_str(line);
                block.push('\n');
            }
            None if line.strip_prefix("```") == Some(language) => current = Some(String::new()),
            None => {}
        }
    }
    found
}

#[test]
fn every_command_of_the_tour_does_what_the_page_says() {
    let page = std::fs::read_to_string(root().join("docs/tour.md")).unwrap();
    let scratch = Scratch::new("tour");
    for program in blocks(&page, "c") {
        let name = program.lines().next().and_then(|l| l.strip_prefix("// ")).unwrap().to_owned();
        scratch.write(&name, &program);
    }
    let mut commands = 0;
    for block in blocks(&page, "console") {
        let mut lines = block.lines();
        while let (Some(command), Some(expected)) = (lines.next(), lines.next()) {
            let command = command.strip_prefix("$ heapwise ").unwrap();
            let (exit, words) = expected.strip_prefix("=> exit ").and_then(|e| e.split_once(',')).unwrap();
            let answer = scratch.heapwise(command);
            assert_eq!(answer.code, exit.parse().ok(), "{command}: {}{}", answer.stdout, answer.stderr);
            let all = format!("{}{}", answer.stdout, answer.stderr);
            assert!(all.contains(words.trim()), "{command}: `{}` in {all}", words.trim());
            commands += 1;
        }
    }
    assert!(commands >= 10, "{commands} commands");
}

/// Codes whose examples say when they appear and are not tried: they need a machine without room or permission, gigabytes,
/// time, a defect, or what others would have to do at the same moment; or worse is reported with them.
const NOT_TRIED: [&str; 21] = [
    "no-answer",
    "interrupted",
    "unreadable",
    "file-too-large",
    "file-changed",
    "too-much-text",
    "no-thread",
    "internal-check",
    "no-process",
    "bad-input",
    "timeout",
    "crash",
    "observer-stopped",
    "budget-time",
    "not-joined",
    "told-apart",
    "broken-declaration",
    "not-a-value",
    "unsupported-initialiser",
    "not-analysed",
    "misplaced-jump",
];

#[test]
fn examples_of_diagnostics_are_reported_with_their_code() {
    let page = std::fs::read_to_string(root().join("docs/diagnostics.md")).unwrap();
    let program = heapwise().get_program().to_owned();
    let folder = std::path::Path::new(&program).parent().unwrap().display().to_string();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap());
    for line in page.lines().filter(|l| l.starts_with("| `")) {
        let columns: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let code = columns[0].trim_matches('`');
        let example = columns.get(2).unwrap_or(&"").trim_matches('`');
        assert!(!example.is_empty(), "{code} has no example");
        if NOT_TRIED.contains(&code) {
            continue;
        }
        let scratch = Scratch::new(&format!("example_{code}"));
        let all: String = if let Some(command) = example.strip_prefix("$ ") {
            scratch.write("example.c", "int main(void) { return 0; }\n");
            let mut shell = std::process::Command::new("sh");
            let answer = scratch.run(shell.args(["-c", command]).env("PATH", &path));
            format!("{}{}", answer.stdout, answer.stderr)
        } else {
            scratch.write("example.c", format!("{}\n", example.replace('↵', "\n")));
            // `run` meets what `check` does not ask for; overflow is asked for by name.
            [
                &["check", "--no-config", "example.c"][..],
                &["check", "--property", "overflow", "example.c"],
                &["run", "--leaks", "none", "example.c"],
                &["run", "--leaks", "reachable", "example.c"],
            ]
            .iter()
            .map(|args| {
                let answer = scratch.run(heapwise().args(*args));
                format!("{}{}", answer.stdout, answer.stderr)
            })
            .collect()
        };
        assert!(all.contains(&format!("[{code}]")), "{code}: {example}\n{all}");
    }
}
