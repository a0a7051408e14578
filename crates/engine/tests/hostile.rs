//! Programs that use their environment in ways that go wrong in some run: aliases of what the library gave, results that may be
//! missing, functions that run at the end; and files that do not agree about what they share. None is proved, and for each that a
//! run was found to go wrong that is an error.

#![allow(clippy::print_stderr)]

mod common;

use heapwise_engine::{Hunt, Options, Verdict, check};
use heapwise_frontend::{SourceUnit, compile};
use heapwise_ir::DataModel;
use std::path::Path;
use std::time::Duration;

/// A file as the front end wants it.
fn unit(path: &Path) -> SourceUnit {
    let name = path.to_string_lossy();
    let text = std::fs::read_to_string(path).expect("the file can be read");
    let text = common::preprocess(&name, &text).expect("it is preprocessed");
    SourceUnit { name: name.as_ref().into(), text: text.into() }
}

#[test]
fn nothing_hostile_is_proved() {
    let hunt = Hunt::default();
    let options = Options { timeout: Some(Duration::from_secs(2)), ..Options::default() };
    let (mut errors, mut proved, mut all) = (0, Vec::new(), 0);
    for path in common::programs("tests/hostile") {
        let program = common::load(&path);
        all += 1;
        match check(&program, &options, &hunt).0 {
            Verdict::Proved => proved.push(path),
            Verdict::Error(_) => errors += 1,
            Verdict::Unknown(_) => {}
        }
    }
    let linked =
        std::fs::read_dir(common::directory("tests/hostile/linked")).expect("the directory is there");
    for directory in linked.filter_map(|e| e.ok()) {
        let name = format!("tests/hostile/linked/{}", directory.file_name().to_string_lossy());
        let units: Vec<SourceUnit> = common::programs(&name).iter().map(|p| unit(p)).collect();
        let (program, _) = compile(&units, DataModel::Lp64);
        all += 1;
        match check(&program, &options, &hunt).0 {
            Verdict::Proved => proved.push(name.into()),
            Verdict::Error(_) => errors += 1,
            Verdict::Unknown(_) => {}
        }
    }
    eprintln!("{all} programs, {errors} shown to go wrong");
    assert!(all > 60, "the programs are there");
    assert!(proved.is_empty(), "proved although they go wrong: {proved:?}");
}
