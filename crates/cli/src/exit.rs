//! The exit codes, which are part of the interface.

use std::process::ExitCode;

/// How the process ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// The property is proved, or the command did what was asked.
    Proved,
    /// An error of the checked program was found and confirmed.
    Error,
    /// Neither proved nor refuted.
    Unknown,
    /// The input or the command line is at fault.
    BadInput,
    /// `run`: the interpreter stopped because a limit was reached or something is not supported.
    RunStopped,
    /// `run`: the interpreter met an error of the program.
    RunError,
    /// `run`: the program ended with this status.
    Program(u8),
    /// A defect of the tool itself.
    Internal,
}

impl Exit {
    /// The number that the operating system sees.
    pub fn code(self) -> u8 {
        match self {
            Exit::Proved => 0,
            Exit::Error => 1,
            Exit::Unknown => 2,
            Exit::BadInput => 3,
            Exit::RunStopped => 124,
            Exit::RunError => 125,
            Exit::Program(status) => status,
            Exit::Internal => 101,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}
