//! Running other programs with a time limit.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How a program ended.
pub struct Finished {
    /// Its exit status; `None` if a signal ended it.
    pub status: Option<i32>,
    /// What it wrote to standard output.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error.
    pub stderr: Vec<u8>,
}

/// Runs a command to its end; `Ok(None)` if it did not end within the limit, in which case it is killed.
pub fn run(command: &mut Command, limit: Duration) -> Result<Option<Finished>, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let start = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| format!("`{name}` cannot be started: {e}"))?;
    let reader = |pipe: Option<Box<dyn Read + Send>>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            if let Some(mut pipe) = pipe {
                // A read error means that the program is gone; what came before is still of use.
                let _ = pipe.read_to_end(&mut bytes);
            }
            bytes
        })
    };
    let stdout = reader(child.stdout.take().map(|p| Box::new(p) as Box<dyn Read + Send>));
    let stderr = reader(child.stderr.take().map(|p| Box::new(p) as Box<dyn Read + Send>));
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|e| format!("`{name}`: {e}"))? {
            break Some(status);
        }
        if start.elapsed() > limit {
            let _ = child.kill();
            let _ = child.wait();
            break None;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let (stdout, stderr) = (stdout.join().unwrap_or_default(), stderr.join().unwrap_or_default());
    Ok(status.map(|status| Finished { status: status.code(), stdout, stderr }))
}

/// The binary that was given, else the optimised one, which is built first.
pub fn heapwise(root: &Path, given: Option<&Path>) -> Result<PathBuf, String> {
    if let Some(path) = given {
        return std::path::absolute(path).map_err(|e| format!("{}: {e}", path.display()));
    }
    built(root, &["heapwise-cli"], "heapwise")
}

/// Builds packages optimised; where one of their programs is.
pub fn built(root: &Path, packages: &[&str], program: &str) -> Result<PathBuf, String> {
    let cargo = std::env::var("CARGO").unwrap_or("cargo".into());
    let mut build = Command::new(cargo);
    build.current_dir(root).args(["build", "--release", "--quiet"]);
    packages.iter().for_each(|package| {
        build.args(["--package", package]);
    });
    let built = run(&mut build, Duration::from_secs(1800))?.ok_or("building took too long")?;
    if built.status != Some(0) {
        return Err(format!("{program} does not build:\n{}", String::from_utf8_lossy(&built.stderr)));
    }
    Ok(target_dir(root).join("release").join(format!("{program}{}", std::env::consts::EXE_SUFFIX)))
}

/// Where builds and scratch files go.
pub fn target_dir(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |dir| root.join(dir))
}
