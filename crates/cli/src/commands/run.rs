//! `heapwise run`: execution in the concrete interpreter.

use super::compile;
use crate::exit::Exit;
use crate::options::Run;
use crate::output;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Splits the operands into C files and the program's arguments: the first operand is a file, and so are those
/// that follow it and look like C files.
fn split_operands(operands: &[OsString]) -> (Vec<PathBuf>, Vec<OsString>) {
    let looks_like_c = |word: &OsString| Path::new(word).extension().is_some_and(|e| e == "c" || e == "i");
    let files = 1 + operands.iter().skip(1).take_while(|w| looks_like_c(w)).count();
    let (files, args) = operands.split_at(files.min(operands.len()));
    (files.iter().map(PathBuf::from).collect(), args.to_vec())
}

/// Runs the program.
pub fn run(options: &Run) -> Exit {
    let (files, args) = split_operands(&options.operands);
    let compiled = match compile(&files, &options.source, &options.output) {
        Ok(compiled) => compiled,
        Err(exit) => return exit,
    };
    let _ = (compiled, args);
    output::error("not connected");
    Exit::RunStopped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_are_files_first() {
        let split = |line: &str| {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let (files, args) = split_operands(&words);
            (files.len(), args.len())
        };
        assert_eq!(split("a.c"), (1, 0));
        assert_eq!(split("a.c b.i x c.c"), (2, 2));
        assert_eq!(split("prog x"), (1, 1));
    }
}
