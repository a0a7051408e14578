//! Random programs: the interpreter must agree with the native compiler.
//!
//! Csmith writes programs without undefined behaviour that end by printing a checksum of their globals. Each is
//! compiled and run natively and by `heapwise run`; exit status and output must be equal. Programs that do not
//! end natively within the limit (Csmith may write endless loops) are skipped and replaced by the next seed.
//! Programs that differ are kept in `target/csmith`.

use crate::TaskResult;
use crate::process::{self, Finished, heapwise, target_dir};
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Options of `cargo xtask csmith`.
#[derive(Args)]
pub struct Options {
    /// How many programs
    #[arg(default_value_t = 100)]
    count: u64,
    /// Compile and interpret as 32-bit programs
    #[arg(long)]
    m32: bool,
    /// The seed of the first program; the others count on from it
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Seconds that the native program may take
    #[arg(long, default_value_t = 2)]
    native_limit: u64,
    /// Seconds that the interpreter may take
    #[arg(long, default_value_t = 60)]
    limit: u64,
    /// Programs at a time
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Use this heapwise instead of building one
    #[arg(long, value_name = "PATH")]
    heapwise: Option<PathBuf>,
}

enum Outcome {
    Same,
    /// The native program did not end, so there is nothing to compare with.
    Skipped,
    /// The interpreter did not end in time.
    Slow,
    Different(String),
}

struct Setup {
    heapwise: PathBuf,
    scratch: PathBuf,
    include: String,
    model: &'static str,
}

/// Compares `count` programs.
pub fn run(root: &Path, options: &Options) -> TaskResult {
    let scratch = target_dir(root).join("csmith");
    std::fs::create_dir_all(&scratch).map_err(|e| format!("{}: {e}", scratch.display()))?;
    let include =
        include_dir().ok_or("csmith.h is not installed (Debian: apt-get install csmith libcsmith-dev)")?;
    let setup = Setup {
        heapwise: heapwise(root, options.heapwise.as_deref())?,
        scratch,
        include: format!("-I{include}"),
        model: if options.m32 { "-m32" } else { "-m64" },
    };
    let start = Instant::now();
    let next = AtomicU64::new(options.seed);
    let totals = Mutex::new((0u64, 0u64, 0u64, 0u64));
    let problem: Mutex<Option<String>> = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..options.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    {
                        let (same, _, slow, different) = *lock(&totals);
                        if same + slow + different >= options.count || lock(&problem).is_some() {
                            return;
                        }
                    }
                    let outcome = compare(&setup, seed, options);
                    let mut totals = lock(&totals);
                    match outcome {
                        Ok(Outcome::Same) => totals.0 += 1,
                        Ok(Outcome::Skipped) => totals.1 += 1,
                        Ok(Outcome::Slow) => {
                            totals.2 += 1;
                            println!("seed {seed}: not finished within {} s", options.limit);
                        }
                        Ok(Outcome::Different(how)) => {
                            totals.3 += 1;
                            println!("seed {seed}: {how}");
                        }
                        Err(reason) => *lock(&problem) = Some(reason),
                    }
                    let done = totals.0 + totals.2 + totals.3;
                    if done.is_multiple_of(50) && done > 0 {
                        println!("{done} programs, {:.0} s", start.elapsed().as_secs_f64());
                    }
                }
            });
        }
    });
    if let Some(reason) = lock(&problem).take() {
        return Err(reason);
    }
    let (same, skipped, slow, different) = *lock(&totals);
    println!(
        "csmith {}: {same} the same, {different} different, {slow} too slow, {skipped} skipped (native run did not end), {:.0} s",
        setup.model,
        start.elapsed().as_secs_f64()
    );
    if different + slow > 0 {
        println!("kept in {}", setup.scratch.display());
    }
    Ok(different == 0 && slow == 0)
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn include_dir() -> Option<String> {
    let entries = std::fs::read_dir("/usr/include").ok()?;
    let mut dirs: Vec<String> = entries
        .filter_map(|e| Some(e.ok()?.path().display().to_string()))
        .filter(|p| p.contains("csmith") && Path::new(p).join("csmith.h").is_file())
        .collect();
    dirs.sort();
    dirs.pop().or_else(|| std::env::var("CSMITH_INCLUDE").ok())
}

fn compare(setup: &Setup, seed: u64, options: &Options) -> Result<Outcome, String> {
    let model = setup.model.trim_start_matches('-');
    let file = |suffix: &str| setup.scratch.join(format!("{seed}-{model}{suffix}"));
    let (source, binary) = (file(".c"), file(".exe"));
    let generate = Command::new("csmith")
        .current_dir(&setup.scratch)
        .args(["--seed", &seed.to_string(), "--output"])
        .arg(&source)
        .output();
    let generated = generate.map_err(|e| format!("`csmith` cannot be started: {e}"))?;
    if !generated.status.success() {
        return Err(format!("csmith failed: {}", String::from_utf8_lossy(&generated.stderr)));
    }
    let mut cc = Command::new("cc");
    cc.args([setup.model, "-w", "-O1", "-fno-strict-aliasing", "-fwrapv", &setup.include]);
    cc.arg("-o").arg(&binary).arg(&source);
    let compiled = process::run(&mut cc, Duration::from_secs(120))?;
    let Some(Finished { status: Some(0), .. }) = compiled else {
        let text = compiled.map(|c| String::from_utf8_lossy(&c.stderr).into_owned()).unwrap_or_default();
        return Err(format!("the native compiler failed on seed {seed}:\n{text}"));
    };
    let native = process::run(&mut Command::new(&binary), Duration::from_secs(options.native_limit))?;
    let _ = std::fs::remove_file(&binary);
    let Some(native) = native else {
        let _ = std::fs::remove_file(&source);
        return Ok(Outcome::Skipped);
    };
    let mut run = Command::new(&setup.heapwise);
    run.arg("run").arg(format!("-{}", setup.model)).args(["--max-steps", "100000000000"]);
    run.arg(&source).args(["--", "-w", &setup.include]);
    let Some(ours) = process::run(&mut run, Duration::from_secs(options.limit))? else {
        return Ok(Outcome::Slow);
    };
    if (ours.status, &ours.stdout) == (native.status, &native.stdout) {
        let _ = std::fs::remove_file(&source);
        return Ok(Outcome::Same);
    }
    let text = |f: &Finished| {
        let first: String = String::from_utf8_lossy(&f.stdout).trim().chars().take(60).collect();
        let error: String = String::from_utf8_lossy(&f.stderr).lines().take(2).collect::<Vec<_>>().join(" ");
        format!("status {:?} `{first}` {error}", f.status)
    };
    Ok(Outcome::Different(format!("native {}; heapwise {}", text(&native), text(&ours))))
}
