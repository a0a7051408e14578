//! Every topic prints its table, and only the page that was asked for is written.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A directory for one test, empty at the start.
fn scratch(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs the measurements in a directory with the words of a line; exit code and table.
fn bench(dir: &Path, line: &str) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_heapwise-bench"));
    let output = command.env_remove("CC").current_dir(dir).args(line.split_whitespace()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() != Some(3), "{line}: {error}");
    (output.status.code(), text)
}

/// The same on programs below `benchmarks`.
fn bench_programs(part: &str, line: &str) -> (Option<i32>, String) {
    let programs = root().join("benchmarks").join(part);
    bench(&scratch(part), &format!("{part} --runs 1 --programs {} {line}", programs.display()))
}

#[test]
fn the_front_end_can_be_measured() {
    let dir = scratch("front_end");
    std::fs::write(dir.join("a.i"), "int f(void) { return 0; }\nint g(void);\n").unwrap();
    let (code, text) = bench(&dir, "frontend --runs 3 a.i");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("MB/s") && text.contains("a.i"), "{text}");
    let (_, text) = bench(&dir, "frontend --runs 1 --format json a.i");
    assert!(text.contains(r#""functions":1"#), "{text}");
}

#[test]
fn small_programs_are_measured_with_their_verdicts() {
    let dir = scratch("lists");
    std::fs::write(dir.join("safe.c"), "//~ SAFE\nint main(void) { int a = 1; return a - 1; }\n").unwrap();
    let bug = "int main(void) { int *p = 0;\n  return *p; //~ ERROR null-deref\n}\n";
    std::fs::write(dir.join("bug.c"), bug).unwrap();
    let (_, text) = bench(&dir, "lists --runs 1 --format json safe.c bug.c");
    let report: Value = serde_json::from_str(&text).unwrap();
    let column = |key: &str| -> Vec<Value> {
        report["rows"].as_array().unwrap().iter().map(|r| r[key].clone()).collect()
    };
    assert_eq!(column("verdict"), ["proved", "error"], "{text}");
    assert_eq!(column("analysis_verdict"), ["proved", "unknown"], "{text}");
    assert!(report["check"]["median_milliseconds"].as_f64().is_some(), "{text}");
}

#[test]
fn a_page_is_written_only_when_it_is_asked_for() {
    let dir = scratch("page");
    std::fs::create_dir(dir.join("docs")).unwrap();
    std::fs::write(dir.join("safe.c"), "//~ SAFE\nint main(void) { return 0; }\n").unwrap();
    bench(&dir, "lists --runs 1 safe.c");
    assert_eq!(std::fs::read_dir(dir.join("docs")).unwrap().count(), 0);
    bench(&dir, "lists --runs 1 safe.c --write docs/page.md");
    let page = std::fs::read_to_string(dir.join("docs/page.md")).unwrap();
    assert!(page.contains("## Small programs"), "{page}");
}

#[test]
fn the_table_of_clumping_has_both_variants_of_every_operation() {
    let (code, text) = bench_programs("clumping", "--only psll --strategy any");
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(text.matches("proved 3 of 3").count(), 3, "{text}");
    let (code, text) =
        bench_programs("clumping", "--only javl-find --strategy any --sequences --timeout 1 --format json");
    assert!(matches!(code, Some(0 | 2)), "{text}");
    assert_eq!(text.matches("\"benchmark\":\"javl-find\"").count(), 7, "{text}");
    let (_, text) = bench_programs("clumping", "--only psll-reverse --timeout 2");
    for strategy in ["any", "clumpg", "clump", "canong", "canon", "none"] {
        assert!(text.contains(&format!("declared {strategy} ")), "{text}");
    }
}

#[test]
fn the_table_of_numbers_names_every_operation_and_its_property() {
    let (code, text) = bench_programs("numbers", "--only percent");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("proved 4 of 4"), "{text}");
    let (code, text) = bench_programs("numbers", "--only percent-clamp --format json");
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("\"benchmark\":\"percent-clamp\"") && text.contains("\"property\":\"bounds\""),
        "{text}"
    );
}

#[test]
fn the_table_of_three_valued_logic_has_all_engines() {
    let (code, text) = bench(&scratch("tvl"), "tvl --runs 1 --format json");
    assert_eq!(code, Some(0), "{text}");
    let table: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(table["rows"].as_array().map(Vec::len), Some(20));
}
