//! Running the C preprocessor of the platform.

use super::{InputError, Job};
use heapwise_ir::DataModel;
use std::io::{ErrorKind, Write};
use std::process::{Command, Output, Stdio};

/// What the preprocessor printed.
pub struct Preprocessed {
    /// The preprocessed text.
    pub text: Vec<u8>,
    /// The name that line markers give the file.
    pub name: String,
    /// Its warnings.
    pub messages: String,
}

/// Preprocesses one file with `$CC -E`, by default `cc -E`.
pub fn run(job: &Job, model: DataModel) -> Result<Preprocessed, InputError> {
    let compiler = std::env::var("CC").ok().filter(|cc| !cc.trim().is_empty()).unwrap_or("cc".into());
    run_with(&compiler, job, model)
}

/// The same with a given compiler, which may carry flags of its own (`gcc -std=gnu11`).
pub fn run_with(compiler: &str, job: &Job, model: DataModel) -> Result<Preprocessed, InputError> {
    let mut words = compiler.split_whitespace();
    let program = words.next().unwrap_or("cc");
    let mut command = Command::new(program);
    command.args(words).arg("-E").arg(match model {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    });
    command.args(job.flags.iter().filter(|f| *f != "-m32" && *f != "-m64"));
    let path = match &job.directory {
        None => job.path.clone(),
        Some(directory) => {
            command.current_dir(directory);
            std::path::absolute(&job.path).unwrap_or_else(|_| job.path.clone())
        }
    };
    // A name such as `-x.c` must not look like a flag.
    let path = if path.as_os_str().as_encoded_bytes().starts_with(b"-") {
        std::path::Path::new(".").join(path)
    } else {
        path
    };
    let started = match &job.text {
        None => command.arg(&path).stdin(Stdio::null()).output(),
        Some(text) => output_for(command.args(["-x", "c", "-"]), text),
    };
    let output = started.map_err(|error| {
        let reason = match error.kind() {
            ErrorKind::NotFound => "is not installed".into(),
            _ => format!("cannot be started: {error}"),
        };
        let advice =
            "install a C compiler, name one in the environment variable CC, or give preprocessed `.i` files";
        InputError::at(
            &job.path,
            "no-preprocessor",
            format!("the C preprocessor `{program}` {reason}; {advice}"),
        )
    })?;
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        let said = if messages.trim().is_empty() { "(it printed nothing)" } else { messages.trim_end() };
        let status = output.status.code().map_or("a signal".into(), |c| format!("status {c}"));
        return Err(InputError::at(
            &job.path,
            "preprocessor-failed",
            format!("the C preprocessor `{program}` failed with {status}:\n{said}"),
        ));
    }
    Ok(Preprocessed { text: output.stdout, name: path.display().to_string(), messages })
}

/// What a command prints that reads this text.
fn output_for(command: &mut Command, text: &[u8]) -> std::io::Result<Output> {
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn()?;
    let stdin = child.stdin.take();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // A preprocessor that stops reading says why itself.
            if let Some(mut stdin) = stdin {
                let _ = stdin.write_all(text);
            }
        });
        child.wait_with_output()
    })
}
