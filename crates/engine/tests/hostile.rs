//! Programs that use their environment in ways that go wrong in some run: aliases of what the library gave, results that may be
//! missing, functions that run at the end; and files that do not agree about what they share. None is proved, and for each that a
//! run was found to go wrong that is an error.

#![allow(clippy::print_stderr)]

mod common;

use heapwise_engine::{Hunt, Options, Verdict, check};
use heapwise_frontend::{SourceUnit, compile};
use heapwise_ir::DataModel;
use std::path::{Path, PathBuf};
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
    let linked =
        std::fs::read_dir(common::directory("tests/hostile/linked")).expect("the directory is there");
    let mut programs: Vec<(PathBuf, bool)> =
        common::programs("tests/hostile").into_iter().map(|p| (p, false)).collect();
    programs.extend(
        linked.filter_map(|e| e.ok()).map(|d| (Path::new("tests/hostile/linked").join(d.file_name()), true)),
    );
    let verdicts = common::parallel::each(&programs, |(path, linked)| {
        let program = if *linked {
            let units: Vec<SourceUnit> =
                common::programs(&path.to_string_lossy()).iter().map(|p| unit(p)).collect();
            compile(&units, DataModel::Lp64).0
        } else {
            common::load(path)
        };
        check(&program, &options, &hunt).0
    });
    let (mut errors, mut proved) = (0, Vec::new());
    for ((path, _), verdict) in programs.iter().zip(verdicts) {
        match verdict {
            Verdict::Proved => proved.push(path),
            Verdict::Error(_) => errors += 1,
            Verdict::Unknown(_) => {}
        }
    }
    eprintln!("{} programs, {errors} shown to go wrong", programs.len());
    assert!(programs.len() > 60, "the programs are there");
    assert!(proved.is_empty(), "proved although they go wrong: {proved:?}");
}
