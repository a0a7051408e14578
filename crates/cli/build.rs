//! The commit that the program is built from, for `--version`; `unknown` outside of a repository.

use std::process::Command;

fn main() {
    let git = |args: &[&str]| {
        let output = Command::new("git").args(args).output().ok().filter(|o| o.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let commit = git(&["rev-parse", "--short=10", "HEAD"]).unwrap_or_else(|| "unknown commit".into());
    println!("cargo::rustc-env=HEAPWISE_COMMIT={commit}");
    println!("cargo::rerun-if-changed=build.rs");
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
}
