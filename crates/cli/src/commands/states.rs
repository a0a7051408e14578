//! `--states` and `--dot`: the states of an analysis as files.

use crate::exit::Exit;
use crate::options::Check;
use crate::output;
use heapwise_engine::Report;
use heapwise_ir::Program;
use heapwise_report::states;
use std::path::Path;

/// Writes what was asked for; a failure is reported.
pub fn write(program: &Program, report: &Report, options: &Check) -> Result<(), Exit> {
    if let Some(path) = &options.states {
        let text = format!("{:#}\n", states::json(program, report));
        put(path, &text)?;
    }
    if let Some(directory) = &options.dot {
        std::fs::create_dir_all(directory).map_err(|e| failed(directory, &e))?;
        for (name, text) in states::drawings(program, report) {
            put(&directory.join(name), &text)?;
        }
    }
    Ok(())
}

fn put(path: &Path, text: &str) -> Result<(), Exit> {
    std::fs::write(path, text).map_err(|e| failed(path, &e))
}

fn failed(path: &Path, error: &std::io::Error) -> Exit {
    output::error(&format!("{} cannot be written: {error}", path.display()));
    Exit::BadInput
}
