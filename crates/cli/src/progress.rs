//! What is being done, for people who wait.
//!
//! On a terminal a line at the bottom says what is being done and for how long; it appears after a second and goes away with
//! the work. With `--verbose` every stage is a line of its own with the time it took, also where there is no terminal.

use crate::options::Output;
use crate::output;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// How long work may take before it is worth a line.
const PATIENCE: Duration = Duration::from_secs(1);

/// A stage of the work.
pub struct Stage {
    name: String,
    start: Instant,
    verbose: bool,
    bar: Option<ProgressBar>,
}

impl Stage {
    /// Starts a stage.
    pub fn new(name: impl Into<String>, output: &Output) -> Stage {
        let name = name.into();
        let shown = !output.quiet && std::io::stderr().is_terminal();
        let bar = shown.then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
            let style = ProgressStyle::with_template("{spinner} {msg} {elapsed}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            bar.set_message(name.clone());
            let late = bar.clone();
            std::thread::spawn(move || {
                std::thread::sleep(PATIENCE);
                if !late.is_finished() {
                    late.set_draw_target(ProgressDrawTarget::stderr());
                    late.enable_steady_tick(Duration::from_millis(100));
                }
            });
            bar
        });
        Stage { name, start: Instant::now(), verbose: output.verbose, bar }
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        if self.verbose {
            output::eprint(&format!("{}: {:.3} s\n", self.name, self.start.elapsed().as_secs_f64()));
        }
    }
}
