//! `heapwise completions` and `heapwise man`: generated from the definition of the command line.

use crate::exit::Exit;
use crate::options::{Cli, Completions, Man};
use crate::output;
use clap::CommandFactory;

/// Prints the completions of a shell.
pub fn completions(options: &Completions) -> Exit {
    let mut text = Vec::new();
    clap_complete::generate(options.shell, &mut Cli::command(), "heapwise", &mut text);
    output::print_bytes(&text);
    Exit::Proved
}

/// Prints or writes the manual pages.
pub fn man(options: &Man) -> Exit {
    let Some(directory) = &options.output else {
        return match rendered(Cli::command()) {
            Ok(page) => {
                output::print_bytes(&page);
                Exit::Proved
            }
            Err(error) => failed(&error.to_string()),
        };
    };
    if let Err(error) = std::fs::create_dir_all(directory) {
        return failed(&format!("{} cannot be written: {error}", directory.display()));
    }
    if let Err(error) = clap_mangen::generate_to(Cli::command(), directory) {
        return failed(&format!("{} cannot be written: {error}", directory.display()));
    }
    Exit::Proved
}

fn rendered(command: clap::Command) -> std::io::Result<Vec<u8>> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    Ok(page)
}

fn failed(message: &str) -> Exit {
    output::error(message);
    Exit::BadInput
}
