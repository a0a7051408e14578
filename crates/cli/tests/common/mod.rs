//! Running the built `heapwise` in a scratch directory.
#![allow(dead_code, reason = "each test binary uses its own part")]

#[path = "../../../engine/tests/common/parallel.rs"]
pub mod parallel;
pub mod programs;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A directory for one test, empty at the start.
pub struct Scratch {
    pub dir: PathBuf,
}

impl Scratch {
    pub fn new(name: &str) -> Scratch {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir_all(&dir).unwrap();
        Scratch { dir }
    }
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> &Scratch {
        std::fs::write(self.dir.join(name), text).unwrap();
        self
    }
    /// Runs `heapwise` here, with the words of `line`.
    pub fn heapwise(&self, line: &str) -> Answer {
        self.run(heapwise().args(line.split_whitespace()))
    }
    pub fn run(&self, command: &mut Command) -> Answer {
        Answer::from(command.current_dir(&self.dir).output().unwrap())
    }
}

/// The built binary.
pub fn heapwise() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_heapwise"));
    command.env_remove("CC");
    command
}

/// Whether the long form of the tests was asked for, with `cargo xtask test-long`.
pub fn is_long() -> bool {
    std::env::var_os("HEAPWISE_LONG").is_some()
}

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// How a run ended.
#[derive(Debug, PartialEq, Eq)]
pub struct Answer {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Answer {
    fn from(output: Output) -> Answer {
        Answer {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}
