//! Programs compiled by the platform's compiler with sanitizers, and how their runs end.

#![allow(clippy::print_stderr, reason = "says why it skips something")]

use super::directory;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// How a native run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// By itself, whatever its exit status.
    Clean,
    /// Not by itself: out of processor time, memory or stack.
    Endless,
    /// A sanitizer or a failed assertion ended it; the first line that says so.
    Reported(String),
}

/// A place for the files of one test.
pub struct Workshop {
    place: PathBuf,
    inputs: PathBuf,
}

impl Workshop {
    /// A place with that name; `None`, after saying why, if there are no sanitizers or they find no leaks here.
    pub fn new(name: &str) -> Option<Workshop> {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&place).expect("a directory can be made");
        let inputs = place.join("nondet.o");
        let compiled = compiler()
            .args(["-fsanitize=address", "-c", "-o"])
            .arg(&inputs)
            .arg(directory("tests/check/nondet.c"))
            .output();
        if !compiled.is_ok_and(|o| o.status.success()) {
            eprintln!("not run natively: the C compiler has no address sanitizer");
            return None;
        }
        let workshop = Workshop { place, inputs };
        let probe = "void *malloc(unsigned long); int main(void) { return malloc(8) == 0; }\n";
        let executable = workshop.build("probe", probe)?;
        if run(&executable, 0) == Ending::Clean {
            eprintln!("not run natively: the leak sanitizer finds nothing here");
            return None;
        }
        Some(workshop)
    }

    /// An executable from a preprocessed text; `None` if the compiler refuses it.
    pub fn build(&self, name: &str, text: &str) -> Option<PathBuf> {
        let source = self.place.join(name).with_extension("i");
        let executable = self.place.join(name);
        std::fs::write(&source, text).expect("the text can be written");
        let output = compiler()
            .args([
                "-std=gnu11",
                "-g1",
                "-fsanitize=address",
                "-fsanitize=null,bounds,integer-divide-by-zero",
            ])
            .args(["-fno-sanitize-recover=all", "-fno-omit-frame-pointer", "-o"])
            .arg(&executable)
            .arg(&source)
            .arg(&self.inputs)
            .output()
            .expect("the compiler starts");
        output.status.success().then_some(executable)
    }
}

fn compiler() -> Command {
    let name = std::env::var("CC").ok().filter(|cc| !cc.trim().is_empty()).unwrap_or("cc".into());
    let mut command = Command::new(name);
    command.args(["-w", "-m64"]);
    command
}

/// Runs an executable on the inputs of a seed.
pub fn run(executable: &Path, seed: u64) -> Ending {
    let output = Command::new("sh")
        .args(["-c", "ulimit -t 2; \"$0\"; exit $?"])
        .arg(executable)
        .env("HEAPWISE_SEED", seed.to_string())
        .env(
            "ASAN_OPTIONS",
            "symbolize=0:detect_leaks=1:detect_stack_use_after_return=1:hard_rss_limit_mb=400",
        )
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .output()
        .expect("the program starts");
    let report = String::from_utf8_lossy(&output.stderr).into_owned();
    let endless = ["stack-overflow", "hard rss limit", "out-of-memory", "allocation-size-too-big"];
    if endless.iter().any(|e| report.contains(e)) {
        return Ending::Endless;
    }
    let told = |l: &&str| ["ERROR: ", "runtime error: ", "Assertion `"].iter().any(|mark| l.contains(mark));
    match report.lines().find(told) {
        Some(line) => Ending::Reported(line.to_owned()),
        // By a signal, other than by calling `abort`.
        None if output.status.code().is_none_or(|c| c > 128 && c != 128 + 6) => Ending::Endless,
        None => Ending::Clean,
    }
}
