//! The command line: what can be asked, and the help texts, which are the manual.

mod aids;
mod contracts;
mod seeing;
mod task;

pub use aids::{Completions, Explain, Man};
pub use contracts::{Contracts, Joining};
pub use seeing::{Draw, DrawForm, Explore, Scene};
pub use task::{Task, TaskLimits};

use crate::input::Remembered;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use heapwise_engine::{Numeric, Strategy};
use heapwise_ir::DataModel;
use heapwise_property::{Property, Spec};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Version, commit, and the data models that programs may have.
pub const VERSION: &str =
    concat!(env!("CARGO_PKG_VERSION"), " (", env!("HEAPWISE_COMMIT"), "; data models LP64, ILP32)");

/// Shape analysis for C: proves that code on linked data structures is memory-safe, or shows how it breaks.
#[derive(Parser, Debug)]
#[command(name = "heapwise", version = VERSION, about, long_about = LONG_ABOUT, after_long_help = EXIT_CODES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// The options of the command that were given on the command line: these win over `heapwise.toml`.
    #[arg(skip)]
    pub given: BTreeSet<String>,
}

const LONG_ABOUT: &str = "\
Shape analysis for C: proves that code on linked data structures is memory-safe, or shows how it breaks.

Input is C23 with the GNU extensions. Files ending in `.i` are taken as they are; all others go through the C \
preprocessor first (`cc -E`, or the command in the environment variable CC), with the flags given after `--` \
or found in `compile_commands.json`. Several files are linked into one program.";

const EXIT_CODES: &str = "\
Exit codes:
  check    0 proved    1 error found    2 unknown    3 bad input or usage
  ir       0 printed   3 bad input or usage
  explain  0 printed   3 there is no such code
  task     0 no answer is wrong   1 some are   3 bad input or usage
  tvla     0 no messages   2 messages, or incomplete   3 bad input or usage
  run      the program's own status, 128 + 6 after abort();
           125 the program did something undefined (reported on standard error);
           124 a limit was reached, or something is not supported; 3 bad input or usage

Examples:
  heapwise check list.c                     one file
  heapwise check main.c list.c -- -Iinclude -DNDEBUG
                                            two files, flags for the preprocessor
  heapwise check -p build/compile_commands.json
                                            a whole project with its own flags
  heapwise run examples/list.c              execute, watching every byte of memory
  heapwise ir --m32 list.i                  the IR of a preprocessed file, 32-bit";

impl Cli {
    /// Parses a command line, the command's name first. What follows the first `--` is for the preprocessor; it
    /// is cut off before the rest is looked at, since `--args` takes everything.
    pub fn parse_line(line: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
        let mut head: Vec<OsString> = line.into_iter().collect();
        let at = head.iter().position(|word| word == "--").unwrap_or(head.len());
        let tail = head.split_off(at);
        let matches = Cli::command().try_get_matches_from(head)?;
        let mut cli = Cli::from_arg_matches(&matches)?;
        cli.given = matches.subcommand().map(|(_, m)| given(m)).unwrap_or_default();
        let flags = tail.into_iter().skip(1).collect();
        match &mut cli.command {
            Command::Check(c) => c.source.cpp_flags = flags,
            Command::Run(c) => c.source.cpp_flags = flags,
            Command::Ir(c) => c.source.cpp_flags = flags,
            Command::Contracts(c) => c.source.cpp_flags = flags,
            Command::Draw(c) => c.scene.source.cpp_flags = flags,
            Command::Explore(c) => c.scene.source.cpp_flags = flags,
            Command::Tvla(_)
            | Command::Task(_)
            | Command::Explain(_)
            | Command::Lsp
            | Command::Completions(_)
            | Command::Man(_) => {}
        }
        Ok(cli)
    }
}

/// The options that were given, rather than left at their default.
fn given(matches: &ArgMatches) -> BTreeSet<String> {
    let ids = matches.ids().map(|id| id.as_str().to_owned());
    ids.filter(|id| {
        // Groups have no source of their own.
        matches.try_contains_id(id).is_ok() && matches.value_source(id) == Some(ValueSource::CommandLine)
    })
    .collect()
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Prove a program memory-safe, or show how it breaks
    Check(Box<Check>),
    /// Execute a program, watching every byte of memory
    Run(Run),
    /// Print the intermediate representation with source lines
    Ir(Ir),
    /// Find what functions need and what they leave, without a program around them
    Contracts(Box<Contracts>),
    /// Run a program in TVLA's language (TVP) on structures (TVS)
    Tvla(Tvla),
    /// Answer verification tasks and count points
    Task(Task),
    /// Draw what the analysis knows at a line
    Draw(Box<Draw>),
    /// Write a page to look at a program with everything that the analysis knows
    Explore(Box<Explore>),
    /// Serve an editor: findings, shapes and contracts by the language server protocol, on standard input and output
    Lsp,
    /// Say what a code in a report means, with an example
    Explain(Explain),
    /// Print the completions of a shell
    Completions(Completions),
    /// Print the manual pages, or write them into a directory
    Man(Man),
}

/// Where the program comes from.
#[derive(Args, Clone, Debug, Default)]
pub struct Source {
    /// 32-bit program: int, long and pointers have 32 bits (ILP32)
    #[arg(long, conflicts_with = "m64", help_heading = "Input")]
    pub m32: bool,
    /// 64-bit program: long and pointers have 64 bits (LP64; the default)
    #[arg(long, help_heading = "Input")]
    pub m64: bool,
    /// Take preprocessor flags from this compile_commands.json (or the one in this directory)
    #[arg(short = 'p', long = "compile-commands", value_name = "FILE", help_heading = "Input")]
    pub compile_commands: Option<PathBuf>,
    /// With `-p` and no files: check the program whose `main` is in this file, and no other
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub main: Option<PathBuf>,
    /// With `-p` and no files: a program and the C files that it is made of (repeat for several)
    #[arg(long, value_name = "NAME=FILE,…", help_heading = "Input")]
    pub link: Vec<String>,
    /// Look for included files here too
    #[arg(short = 'I', value_name = "DIR", help_heading = "Input")]
    pub include: Vec<PathBuf>,
    /// Define a macro for the preprocessor
    #[arg(short = 'D', value_name = "NAME[=TEXT]", help_heading = "Input")]
    pub define: Vec<String>,
    /// Make a macro undefined for the preprocessor
    #[arg(short = 'U', value_name = "NAME", help_heading = "Input")]
    pub undefine: Vec<String>,
    /// Let indices go past arrays that are members of records, as long as they stay in the object
    #[arg(long, help_heading = "Input")]
    pub loose_members: bool,
    /// Files of the compilation database below these paths are left out (from `heapwise.toml`).
    #[arg(skip)]
    pub exclude: Vec<PathBuf>,
    /// Texts that stand for files (from an editor).
    #[arg(skip)]
    pub texts: BTreeMap<PathBuf, String>,
    /// What the preprocessor made of files before, if that is kept.
    #[arg(skip)]
    pub remembered: Option<Remembered>,
    /// Flags for the C preprocessor, after `--`
    #[arg(last = true, value_name = "CPPFLAG", help_heading = "Input")]
    pub cpp_flags: Vec<OsString>,
}

impl Source {
    /// The data model that was asked for, if one was.
    pub fn model(&self) -> Option<DataModel> {
        match (self.m32, self.m64) {
            (true, _) => Some(DataModel::Ilp32),
            (_, true) => Some(DataModel::Lp64),
            _ => None,
        }
    }

    /// All flags for the preprocessor.
    pub fn flags(&self) -> Vec<OsString> {
        let flag = |letter: &str, value: OsString| {
            let mut word = OsString::from(letter);
            word.push(value);
            word
        };
        let included = self.include.iter().map(|d| flag("-I", d.clone().into()));
        let defined = self.define.iter().map(|d| flag("-D", d.into()));
        let undefined = self.undefine.iter().map(|d| flag("-U", d.into()));
        included.chain(defined).chain(undefined).chain(self.cpp_flags.iter().cloned()).collect()
    }
}

/// How to report.
#[derive(Args, Clone, Debug)]
pub struct Output {
    /// Form of reports
    #[arg(long, value_enum, default_value_t, value_name = "FORM", help_heading = "Output")]
    pub format: Form,
    /// Print the verdict and nothing else
    #[arg(short, long, conflicts_with = "verbose", help_heading = "Output")]
    pub quiet: bool,
    /// Say what is being done, and how long it took
    #[arg(short, long, help_heading = "Output")]
    pub verbose: bool,
    /// When to colour reports
    #[arg(long, value_enum, default_value_t, value_name = "WHEN", help_heading = "Output")]
    pub color: Color,
}

/// Form of reports.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Form {
    /// For people
    #[default]
    Text,
    /// For programs: one JSON object, as docs/json.md describes
    Json,
    /// For code scanning services and editors: SARIF 2.1.0
    Sarif,
    /// For build servers: JUnit's XML
    Junit,
    /// For GitHub's workflows: annotations of the changed lines
    Github,
}

/// Form of other results.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Format {
    /// For people
    #[default]
    Text,
    /// For programs: one JSON object
    Json,
}

/// When to colour.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Color {
    /// On terminals, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// `heapwise check`.
#[derive(Args, Clone, Debug)]
#[command(long_about = CHECK_ABOUT, after_long_help = CHECK_HELP)]
pub struct Check {
    /// C files (.c) or preprocessed files (.i), linked as one program; `-` is C text from standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// How memory is described
    #[arg(long, value_enum, default_value_t, value_name = "NAME", help_heading = "Analysis")]
    pub domain: Domain,
    /// With `--domain tvl`: whether summaries may stand for nothing
    #[arg(long, value_enum, default_value_t, value_name = "HOW", help_heading = "Analysis")]
    pub embedding: EmbeddingChoice,
    /// With `--domain klimited`: which blocks are put together
    #[arg(long, value_enum, default_value_t, value_name = "WHICH", help_heading = "Analysis")]
    pub klimited_variant: KlimitedVariant,
    /// With `--domain klimited`: how many blocks are kept apart
    #[arg(long, default_value_t = 1, value_name = "N", help_heading = "Analysis")]
    pub k: usize,
    /// With `--domain klimited`: blocks are not taken out of groups when they are looked at
    #[arg(long, help_heading = "Analysis")]
    pub klimited_plain: bool,
    /// With `--domain klimited`: how the numbers in blocks are related that a pointer, or a way of pointers, connects
    #[arg(long, value_enum, default_value_t, value_name = "KIND", help_heading = "Analysis")]
    pub connectors: ConnectorsName,
    /// Write a witness of the verdict into this file (YAML format 2.0)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub witness: Option<PathBuf>,
    /// How to analyse.
    #[command(flatten)]
    pub analysis: AnalysisOptions,
    /// Where the program comes from.
    #[command(flatten)]
    pub source: Source,
    /// How to report.
    #[command(flatten)]
    pub output: Output,
    /// Write the report into this file, and only the verdict to standard output
    #[arg(short = 'o', long = "output", value_name = "FILE", help_heading = "Output")]
    pub report: Option<PathBuf>,
    /// Most findings that are shown one by one; 0 shows all (only in the form for people)
    #[arg(long, default_value_t = 50, value_name = "N", help_heading = "Output")]
    pub max_findings: usize,
    /// Report only what this file does not know, as written by `--write-baseline`
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub baseline: Option<PathBuf>,
    /// Write what was found into this file, to be known from now on
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub write_baseline: Option<PathBuf>,
    /// Settings of the project [default: heapwise.toml beside the first file, or above it]
    #[arg(long, value_name = "FILE", conflicts_with = "no_config", help_heading = "Input")]
    pub config: Option<PathBuf>,
    /// Take no settings from a heapwise.toml
    #[arg(long, help_heading = "Input")]
    pub no_config: bool,
    /// Say what holds at each loop, in words
    #[arg(long, help_heading = "Output")]
    pub invariants: bool,
    /// Where nothing was proved, say at which loops descriptions stayed apart, and why
    #[arg(long, help_heading = "Output")]
    pub explain: bool,
    /// Print how many disjuncts there were and what putting them together cost
    #[arg(long, help_heading = "Output")]
    pub stats: bool,
    /// Write the states at all program points to this file, as docs/states.md describes
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub states: Option<PathBuf>,
    /// Draw the states at loop heads and returns as DOT files into this directory
    #[arg(long, visible_alias = "drawings", value_name = "DIR", help_heading = "Output")]
    pub dot: Option<PathBuf>,
}

impl Check {
    /// A check of some files with everything else as it is by default.
    pub fn of(files: Vec<PathBuf>) -> Result<Check, clap::Error> {
        let command = Check::augment_args(clap::Command::new("check"));
        let line = [OsString::from("check"), OsString::from("-")];
        let mut check = Check::from_arg_matches(&command.try_get_matches_from(line)?)?;
        check.files = files;
        Ok(check)
    }
}

/// How memory is described.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Domain {
    /// Separation logic with inductive predicates
    #[default]
    Sep,
    /// Three-valued logic: lists and other linked cells without pointer arithmetic
    Tvl,
    /// k-limited storage graphs: lists and trees, with what is far from variables put together
    Klimited,
}

/// Which blocks k-limited graphs put together.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum KlimitedVariant {
    /// Those that are k or more fields away from a variable
    #[default]
    Paths,
    /// More than k of one allocation site
    Sites,
    /// More than k of one type
    Types,
    /// All of one allocation site, in one graph for each point
    OneGraph,
}

/// Which relations between the numbers in blocks are kept when blocks are put together.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ConnectorsName {
    /// None
    #[default]
    None,
    /// Between blocks where a pointer leads from one to the other
    OneStep,
    /// Between a block and all that can be reached from one of its pointers
    Transitive,
}

/// How to analyse.
#[derive(Args, Clone, Debug)]
pub struct AnalysisOptions {
    /// Function to start from; unless it is `main`, its parameters hold any values, and pointers lead nowhere valid
    #[arg(long, default_value = "main", value_name = "NAME", help_heading = "Analysis")]
    pub entry: String,
    /// Further functions to start from, one after the other (from `heapwise.toml`).
    #[arg(skip)]
    pub more_entries: Vec<String>,
    /// Verify this function against its contract, `/*@ requires …; ensures …; */`
    #[arg(long, value_name = "NAME", conflicts_with = "entry", help_heading = "Analysis")]
    pub function: Option<String>,
    /// Read predicates off recursive types before the analysis starts
    #[arg(long, help_heading = "Analysis")]
    pub derive_predicates: bool,
    /// Predicates to use, in the language of docs/predicates.md; may be given several times
    #[arg(long, value_name = "FILE", help_heading = "Analysis")]
    pub shapes: Vec<PathBuf>,
    /// Contracts that calls rely on, as `heapwise contracts --emit` writes them; may be given several times
    #[arg(long, value_name = "FILE", help_heading = "Analysis")]
    pub contracts: Vec<PathBuf>,
    /// What counts as an error, separated by commas; without it all but overflow and cleanup
    #[arg(long, value_parser = property(), value_delimiter = ',', value_name = "PROPERTY", help_heading = "Analysis")]
    pub property: Vec<Property>,
    /// Blocks that variables of `main` still hold when it returns are no error
    #[arg(long, help_heading = "Analysis")]
    pub allow_held: bool,
    /// Check a property of the software-verification competition, under its rules
    #[arg(long, value_parser = spec(), value_name = "SPEC", conflicts_with = "property", help_heading = "Analysis")]
    pub spec: Option<Spec>,
    /// Let every allocation return null as well
    #[arg(long, help_heading = "Analysis")]
    pub malloc_may_fail: bool,
    /// Take calls of unknown external functions to change nothing
    #[arg(long, help_heading = "Analysis")]
    pub trust_unknown_calls: bool,
    /// Which disjuncts are put together
    #[arg(long, value_enum, default_value_t, value_name = "NAME", help_heading = "Analysis")]
    pub strategy: StrategyName,
    /// A domain that refines what is known of numbers
    #[arg(long, value_enum, default_value_t, value_name = "NAME", help_heading = "Analysis")]
    pub numeric: NumericName,
    /// Stop after this many seconds (0.5 is half of one)
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Limits")]
    pub timeout: Option<Duration>,
    /// Stop when this many megabytes are in use
    #[arg(long, value_name = "MB", help_heading = "Limits")]
    pub max_memory: Option<u64>,
    /// Most disjuncts at a program point
    #[arg(long, default_value_t = 3_200, value_name = "N", value_parser = at_least_one, help_heading = "Limits")]
    pub max_disjuncts: usize,
    /// Most concrete runs that look for an error
    #[arg(long, default_value_t = 100_000, value_name = "N", help_heading = "Limits")]
    pub runs: u64,
    /// Attempts at a proof that are made side by side; the answer is the same [default: one for each core]
    #[arg(long, value_name = "N", value_parser = at_least_one, help_heading = "Limits")]
    pub jobs: Option<usize>,
}

/// Which disjuncts are put together.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum StrategyName {
    /// All that have a common description
    #[default]
    Any,
    /// Those whose cursors reach each other in compatible ways, with new segments between cursors
    Clumpg,
    /// The same without new segments between cursors
    Clump,
    /// Those whose cursors reach each other in the same way, with new segments between cursors
    Canong,
    /// The same without new segments between cursors
    Canon,
    /// All that have a common description without new segments between cursors
    None,
}

impl StrategyName {
    /// All of them, the default first.
    pub const ALL: [StrategyName; 6] = [
        StrategyName::Any,
        StrategyName::Clumpg,
        StrategyName::Clump,
        StrategyName::Canong,
        StrategyName::Canon,
        StrategyName::None,
    ];

    /// What the engine calls it.
    pub fn strategy(self) -> Strategy {
        match self {
            StrategyName::Any => Strategy::Any,
            StrategyName::Clumpg => Strategy::ClumpGuided,
            StrategyName::Clump => Strategy::Clump,
            StrategyName::Canong => Strategy::CanonGuided,
            StrategyName::Canon => Strategy::Canon,
            StrategyName::None => Strategy::None,
        }
    }
}

/// A domain that refines what is known of numbers.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum NumericName {
    /// None: ranges, differences and linear definitions, which are always there
    #[default]
    Default,
    /// Residues: every fourth number, even numbers
    Congruences,
    /// Differences of two numbers, with their consequences
    Zones,
    /// Sums and differences of two numbers
    Octagons,
    /// All linear relations between few numbers; may be slow
    Polyhedra,
}

impl NumericName {
    /// What the engine calls it.
    pub fn domain(self) -> Option<Numeric> {
        match self {
            NumericName::Default => None,
            NumericName::Congruences => Some(Numeric::Congruences),
            NumericName::Zones => Some(Numeric::Zones),
            NumericName::Octagons => Some(Numeric::Octagons),
            NumericName::Polyhedra => Some(Numeric::Polyhedra),
        }
    }
}

/// Takes the name of one of these values; the help lists all with what they mean.
fn choice<T: Copy + Send + Sync + 'static>(
    all: Vec<T>,
    name: fn(T) -> &'static str,
    about: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let values = all.iter().map(|x| PossibleValue::new(name(*x)).help(about(*x))).collect::<Vec<_>>();
    let unknown = "no such name";
    PossibleValuesParser::new(values)
        .try_map(move |text| all.iter().copied().find(|x| name(*x) == text).ok_or(unknown))
}

/// A property that may be asked for.
fn property() -> impl TypedValueParser<Value = Property> {
    let all = Property::ALL.iter().copied().filter(|p| p.asked_as() == *p).collect();
    choice(all, Property::name, Property::about)
}

/// A property of the software-verification competition.
pub fn spec() -> impl TypedValueParser<Value = Spec> {
    choice(Spec::ALL.to_vec(), Spec::name, Spec::about)
}

const CHECK_ABOUT: &str = "\
Prove a program memory-safe, or show how it breaks.

The answer is `proved`, `error` (with a path and inputs that a concrete run confirmed) or `unknown` (with what \
was lost, and where). What a proof takes for granted is in docs/soundness.md.";

const CHECK_HELP: &str = "\
Exit codes:
  0  proved: no run of the program has an error
  1  error: a run with an error was found and confirmed by executing it
  2  unknown: neither could be shown; the report says why
  3  bad input or usage: nothing was checked

Examples:
  heapwise check list.c
  heapwise check --m32 main.c list.c -- -Iinclude -DDEBUG=1
  heapwise check -p build list.c      flags of list.c from build/compile_commands.json
  heapwise check --function insert --shapes lists.shape list.c
  heapwise check --format json list.c | jq .verdict
  heapwise check --format sarif -o list.sarif list.c
  heapwise check --write-baseline known.json list.c; heapwise check --baseline known.json list.c
  generate | heapwise check -Iinclude -          C text from standard input";

/// `heapwise run`.
#[derive(Args, Debug)]
#[command(long_about = RUN_ABOUT, after_long_help = RUN_HELP)]
pub struct Run {
    /// C files (.c, .i), then the program's arguments from the first that is no such name
    #[arg(value_name = "FILE|ARG", required_unless_present = "compile_commands")]
    pub operands: Vec<OsString>,
    /// Arguments for the program, up to `--`, whatever they look like
    #[arg(long, num_args = 0.., allow_hyphen_values = true, value_name = "ARG")]
    pub args: Vec<OsString>,
    /// Draw the values of `__VERIFIER_nondet_*` from a generator with this seed
    #[arg(long, default_value_t = 0, value_name = "N", conflicts_with = "inputs")]
    pub seed: u64,
    /// Take the values of `__VERIFIER_nondet_*` from this list, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', allow_hyphen_values = true)]
    pub inputs: Vec<i128>,
    /// Replay the violation that this witness describes
    #[arg(long, value_name = "FILE", conflicts_with_all = ["inputs", "seed"])]
    pub witness: Option<PathBuf>,
    /// Heap blocks that may be left at the end: any, only those a pointer is left to, or none
    #[arg(long, value_enum, default_value_t, value_name = "WHICH")]
    pub leaks: Leaks,
    /// Stop after this many steps
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
    /// Let signed arithmetic wrap and shift counts be cut, as the hardware does, instead of reporting it
    #[arg(long)]
    pub wrap: bool,
    /// Where the program comes from.
    #[command(flatten)]
    pub source: Source,
    /// How to report.
    #[command(flatten)]
    pub output: Output,
}

/// Which heap blocks may be left when a program ends.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Leaks {
    /// Any: leaks are not looked for
    #[default]
    Ignore,
    /// Those to which a pointer is left
    Reachable,
    /// None
    None,
}

const RUN_ABOUT: &str = "\
Execute a program in an interpreter that knows the bounds, life and initialised bytes of every object.

Output and exit status are those of the natively compiled program. If the program does something that C leaves \
undefined, the run stops with a report: the expression, the object, where it was allocated and freed, and the \
call stack.";

const RUN_HELP: &str = "\
Which operand is what:
  The first operand is a C file, and so are those after it that end in `.c` or `.i`; the first that does not
  starts the program's own arguments. Arguments that look like C files or options go after `--args`.
  Flags for the C preprocessor come last, after `--`.

Exit codes:
  The program's own status; 134 (128 + SIGABRT) after abort().
  125  the program did something undefined, violated an assertion or leaked; reported on standard error
  124  a limit was reached, or the program uses something that is not supported
  3    bad input or usage: nothing was run

Examples:
  heapwise run hello.c
  heapwise run wc.c one.txt two.txt          two program arguments
  heapwise run main.c list.c -- -DSIZE=10    two files, a preprocessor flag
  heapwise run cc.c --args -v main.c -- -DX  the program's arguments are `-v main.c`
  heapwise run --inputs 1,0,-7 task.c        replay these nondeterministic values
  heapwise run --witness w.yml --m32 task.c  replay the violation of a witness";

/// `heapwise ir`.
#[derive(Args, Debug)]
#[command(after_long_help = IR_HELP)]
pub struct Ir {
    /// C files (.c) or preprocessed files (.i), linked as one program
    #[arg(value_name = "FILE", required_unless_present = "compile_commands")]
    pub files: Vec<PathBuf>,
    /// Print only this function (may be given several times)
    #[arg(short, long, value_name = "NAME")]
    pub function: Vec<String>,
    /// Also check the IR against its rules; a violation is a defect of heapwise
    #[arg(long)]
    pub verify: bool,
    /// Instead of a listing print how many functions were understood, and how long it took
    #[arg(long, conflicts_with = "function")]
    pub summary: bool,
    /// Where the program comes from.
    #[command(flatten)]
    pub source: Source,
    /// How to report.
    #[command(flatten)]
    pub output: Output,
}

const IR_HELP: &str = "\
Reading the listing:
  p->next@8        field `next`, 8 bytes into what `p` points to
  load8, store4    memory accesses and their number of bytes
  live x, dead x   the life of local `x` begins, ends
  _7               a temporary

Examples:
  heapwise ir list.c
  heapwise ir -f insert -f remove tree.c -- -DNDEBUG";

/// `heapwise tvla`.
#[derive(Args, Debug)]
#[command(long_about = TVLA_ABOUT, after_long_help = TVLA_HELP)]
pub struct Tvla {
    /// The program (TVP)
    #[arg(value_name = "PROGRAM.tvp")]
    pub program: PathBuf,
    /// The structures to start from (TVS)
    #[arg(value_name = "INPUT.tvs")]
    pub input: PathBuf,
    /// Whether summaries may stand for nothing
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    pub embedding: EmbeddingChoice,
    /// How structures at a location are joined
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    pub join: JoinChoice,
    /// Print the structures themselves, not only how many there are
    #[arg(short, long)]
    pub structures: bool,
    /// Draw the structures into this file (Graphviz)
    #[arg(long, value_name = "FILE")]
    pub dot: Option<PathBuf>,
    /// Look for included files here too
    #[arg(short = 'I', long, value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS")]
    pub timeout: Option<u64>,
    /// Evaluate instrumentation predicates that a structure of the input does not mention, instead of taking them for 0
    #[arg(long)]
    pub evaluate: bool,
    /// Go on without structures that violate a rule after an update, instead of stopping
    #[arg(long)]
    pub drop_refuted: bool,
    /// Form of the results
    #[arg(long, value_enum, default_value_t, value_name = "FORM")]
    pub format: Format,
}

/// Whether summaries may stand for nothing.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum EmbeddingChoice {
    /// A summary stands for one cell or more
    #[default]
    Strict,
    /// A summary may stand for no cell at all
    Loose,
}

/// How structures at a location are joined.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum JoinChoice {
    /// All structures up to isomorphism
    Rel,
    /// Structures with the same canonical names are merged
    #[default]
    Part,
    /// Structures that others describe are dropped
    Max,
}

const TVLA_ABOUT: &str = "\
Run a program in TVLA's language on structures, with the general three-valued engine.

Prints the messages raised, the number of structures at each location (or the structures) and totals. The \
language is described in docs/tvla-language.md.";

const TVLA_HELP: &str = "\
Exit codes:
  0  no messages
  2  messages were raised, or the analysis is incomplete
  3  bad input or usage

Examples:
  heapwise tvla crates/tvl/specs/sll-reverse.tvp crates/tvl/specs/empty.tvs
  heapwise tvla --embedding loose --join max prog.tvp input.tvs --dot out.dot";

/// Seconds, also parts of one.
fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(number).map_err(|_| "not a possible number of seconds".to_owned())
}

/// A number that must not be zero.
pub fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("must be at least 1".into()),
        Ok(n) => Ok(n),
        Err(_) => Err("not a number".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    fn run(line: &str) -> Run {
        match Cli::parse_line(line.split(' ').map(OsString::from)).map(|c| c.command) {
            Ok(Command::Run(run)) => run,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn program_arguments_and_preprocessor_flags_are_told_apart() {
        let r = run("heapwise run a.c x y -- -DA -I b");
        assert_eq!((r.operands.len(), r.args.len(), r.source.cpp_flags.len()), (3, 0, 3));
        let r = run("heapwise run a.c --args -v --m32 b.c -- -DA");
        assert_eq!((r.operands.len(), r.args.len(), r.source.cpp_flags.len()), (1, 3, 1));
        assert!(!r.source.m32);
        let r = run("heapwise run --inputs 1,-2,3 a.c");
        assert_eq!(r.inputs, [1, -2, 3]);
    }

    #[test]
    fn both_data_models_at_once_are_refused() {
        assert!(Cli::try_parse_from(["heapwise", "ir", "--m32", "--m64", "a.c"]).is_err());
        // Which files are meant may be said in `heapwise.toml`.
        assert!(Cli::try_parse_from(["heapwise", "check"]).is_ok());
        assert!(Cli::try_parse_from(["heapwise", "check", "-p", "x.json"]).is_ok());
    }

    #[test]
    fn limits_of_zero_are_refused() {
        let refused = Cli::try_parse_from(["heapwise", "check", "--max-disjuncts", "0", "a.c"]);
        assert!(refused.is_err_and(|e| e.to_string().contains("must be at least 1")));
        assert!(Cli::try_parse_from(["heapwise", "check", "--max-disjuncts", "1", "a.c"]).is_ok());
    }
}
