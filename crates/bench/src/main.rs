//! `heapwise-bench`: tables of measurements, for developers; `cargo xtask bench TOPIC` builds and runs it optimised.
//!
//! One module per topic. Programs are asked about by command lines of `heapwise check` and read by the library of the
//! command line, so that what is measured is what users get; verification tasks are put to the `heapwise` beside
//! this program.
//!
//! **Invariant:** nothing is written but the page that `--write` names.

mod clumping;
mod connectors;
mod contracts;
mod frontend;
mod lists;
mod measure;
mod numbers;
mod octagons;
mod options;
mod page;
mod relations;
mod scale;
mod seeing;
mod tasks;
mod tvl;

use clap::Parser;
use heapwise_cli::exit::Exit;
use options::{Options, Topic};
use std::process::ExitCode;

/// The same allocator as that of `heapwise`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let options = match Options::try_parse() {
        Ok(options) => options,
        Err(error) => {
            let usage_error = error.use_stderr();
            let _ = error.print();
            return if usage_error { Exit::BadInput } else { Exit::Proved }.into();
        }
    };
    heapwise_cli::guarded(|| match options.topic {
        Topic::Clumping => clumping::run(&options),
        Topic::Connectors => connectors::run(&options),
        Topic::Contracts => contracts::run(&options),
        Topic::Numbers => numbers::run(&options),
        Topic::Octagons => octagons::run(&options),
        Topic::Relations => relations::run(&options),
        Topic::Lists => lists::run(&options),
        Topic::Scale => scale::run(&options),
        Topic::Tasks => tasks::run(&options),
        Topic::Tvl => tvl::run(&options),
        Topic::Frontend => frontend::run(&options),
        Topic::Seeing => seeing::run(&options),
    })
    .into()
}
