//! Commands that show what the analysis knows: drawings and the explorer.

use super::{AnalysisOptions, Check, Output, Source};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// A program, and how it is to be analysed.
#[derive(Args, Clone, Debug)]
pub struct Scene {
    /// How to analyse.
    #[command(flatten)]
    pub analysis: AnalysisOptions,
    /// Where the program comes from.
    #[command(flatten)]
    pub source: Source,
    /// How to report.
    #[command(flatten)]
    pub output: Output,
    /// Settings of the project [default: heapwise.toml beside the first file, or above it]
    #[arg(long, value_name = "FILE", conflicts_with = "no_config", help_heading = "Input")]
    pub config: Option<PathBuf>,
    /// Take no settings from a heapwise.toml
    #[arg(long, help_heading = "Input")]
    pub no_config: bool,
}

impl Scene {
    /// The check that gives what is to be shown.
    pub fn check(&self, files: Vec<PathBuf>) -> Result<Check, clap::Error> {
        Ok(Check {
            analysis: self.analysis.clone(),
            source: self.source.clone(),
            output: self.output.clone(),
            config: self.config.clone(),
            no_config: self.no_config,
            ..Check::of(files)?
        })
    }
}

/// `heapwise draw`.
#[derive(Args, Clone, Debug)]
#[command(long_about = DRAW_ABOUT, after_long_help = DRAW_HELP)]
pub struct Draw {
    /// A C file and a line in it, `prog.c:12`, then the other files of the program
    #[arg(value_name = "FILE:LINE", required = true)]
    pub targets: Vec<String>,
    /// Write the drawing into this file instead of printing it
    #[arg(short = 'o', long = "output", value_name = "FILE", help_heading = "Output")]
    pub file: Option<PathBuf>,
    /// Form of the drawing
    #[arg(long = "as", value_enum, default_value_t, value_name = "FORM", help_heading = "Output")]
    pub form: DrawForm,
    /// The program, and how it is to be analysed.
    #[command(flatten)]
    pub scene: Scene,
}

/// Form of drawings.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum DrawForm {
    /// A vector drawing
    #[default]
    Svg,
    /// A sentence for each case
    Words,
    /// Input for Graphviz
    Dot,
}

const DRAW_ABOUT: &str = "\
Draw what the analysis knows just before a line is executed.

Each case that the analysis tells apart is a drawing of its own, one below the other. Boxes are objects with their \
members, labels are variables; a stack with a thick arrow is a whole structure, or a piece of one that leads to where the \
arrow ends; dashed arrows are what all elements of a structure point to.";

const DRAW_HELP: &str = "\
Exit codes:
  0  drawn
  3  bad input or usage, or the analysis knows nothing of that line

Examples:
  heapwise draw examples/list.c:24 -o list.svg
  heapwise draw --as words main.c:10 list.c";

/// `heapwise explore`.
#[derive(Args, Clone, Debug)]
#[command(long_about = EXPLORE_ABOUT, after_long_help = EXPLORE_HELP)]
pub struct Explore {
    /// C files (.c) or preprocessed files (.i), linked as one program
    #[arg(value_name = "FILE", required_unless_present = "compile_commands")]
    pub files: Vec<PathBuf>,
    /// The page to write [default: the name of the first file with `.html`]
    #[arg(short = 'o', long = "output", value_name = "FILE", help_heading = "Output")]
    pub file: Option<PathBuf>,
    /// Show the page at this port of the loopback address instead (0 takes a free one), until interrupted
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "0", help_heading = "Output")]
    pub serve: Option<u16>,
    /// The program, and how it is to be analysed.
    #[command(flatten)]
    pub scene: Scene,
}

const EXPLORE_ABOUT: &str = "\
Write one self-contained page to look at a program: its text with what was found, drawings of the states at each line, the \
way to an error step by step, loops with what was kept from one iteration to the next, contracts, predicates, figures.

The page needs no network and no server.";

const EXPLORE_HELP: &str = "\
Keys on the page:
  j k, arrows    next, previous line with states      n p    next, previous step of the path
  [ ]            previous, next case                  e      next finding
  d              dark or light                        ?      help

Exit codes are those of `check`; 3 also if the page cannot be written.

Examples:
  heapwise explore prog.c                 writes prog.html
  heapwise explore --serve 8080 prog.c";
