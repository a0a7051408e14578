//! Programs of several files, one in each folder of `tests/link`, behave as gcc and ld make them, in whatever order the files
//! are given.

use heapwise_frontend::{SourceUnit, compile};
use heapwise_interp::{InputValue, ListInputs, Options, Outcome, run};
use heapwise_ir::{DataModel, Severity};
use std::path::{Path, PathBuf};
use std::process::Command;

fn native(files: &[PathBuf], name: &str) -> (Vec<u8>, i32) {
    let binary = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("link-{name}"));
    let built = Command::new("gcc")
        .args(["-w", "-O0", "-fcommon", "-o"])
        .arg(&binary)
        .args(files)
        .output()
        .expect("gcc");
    assert!(built.status.success(), "{name}: {}", String::from_utf8_lossy(&built.stderr));
    let ran = Command::new(&binary).output().expect("the program runs");
    (ran.stdout, ran.status.code().expect("the program ends"))
}

fn interpreted(files: &[PathBuf]) -> (Vec<u8>, i32) {
    let unit = |path: &PathBuf| {
        let text = Command::new("gcc").args(["-w", "-E"]).arg(path).output().expect("gcc").stdout;
        let text = String::from_utf8_lossy(&text).into_owned();
        SourceUnit { name: path.display().to_string(), text: text.into() }
    };
    let units: Vec<SourceUnit> = files.iter().map(unit).collect();
    let (program, diagnostics) = compile(&units, DataModel::Lp64);
    for d in &diagnostics {
        assert_eq!(d.severity, Severity::Note, "{}: {}", program.sources.describe(d.span), d.message);
    }
    assert_eq!(heapwise_ir::verify::program(&program), []);
    // What is weak and not defined is not there.
    let mut inputs = ListInputs::default().then(InputValue::Int(0));
    let result = run(&program, &Options::default(), &mut inputs, None);
    match result.outcome {
        Outcome::Exit(status) => (result.stdout, status),
        other => panic!("{files:?}: {other:?}"),
    }
}

#[test]
fn programs_of_several_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/link");
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(root).expect("tests/link").flatten().map(|e| e.path()).collect();
    folders.sort();
    assert!(folders.len() >= 9);
    for folder in folders {
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        let mut files: Vec<PathBuf> =
            std::fs::read_dir(&folder).expect("a folder").flatten().map(|e| e.path()).collect();
        files.sort();
        let expected = native(&files, &name);
        assert_eq!(interpreted(&files), expected, "{name}");
        files.reverse();
        assert_eq!(interpreted(&files), expected, "{name}, in the other order");
    }
}
