//! A whole project: one check for each program that a compilation database builds.
//!
//! [`units`] reads every file alone and says which names it defines and needs; a file that cannot be read costs that file.
//! [`plan`] finds the programs: from link steps where the database or `--link` gives them, else one for each file with `main`
//! and the files that define what it needs. Files that belong to no program get contracts: each is checked alone,
//! for every caller. [`checks`] runs each check in a process of its
//! own, several at a time (`--jobs`), within limits of time and memory; [`table`] says what came out to people, [`forms`] to
//! machines, also when the user interrupts. The report on a program that was chosen (`--main`) is shown in full.
//!
//! The exit code is that of the worst answer: 1 for an error, 2 if something is not answered, 0 if every program is
//! proved; 3 only if the database itself cannot be used.

mod checks;
mod forms;
mod plan;
mod table;
mod units;

use crate::exit::Exit;
use crate::input::{self, Disk, InputError};
use crate::options::{Check, Form, Source};
use crate::output;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// The programs of a compilation database, as an editor needs them.
pub struct Programs {
    units: Vec<units::Unit>,
    plan: plan::Plan,
}

impl Programs {
    /// Looks at all files of a database; what cannot be read is left out.
    pub fn of(database: &Path, source: &Source, interrupted: &AtomicBool) -> Result<Programs, InputError> {
        let database = input::compile_commands::read_all(&Disk, database)?;
        let units = units::survey(&database.entries, source, None, interrupted);
        let plan = plan::programs(&units, &database.links, source)
            .map_err(|message| InputError::new("--link", "bad-link", message))?;
        Ok(Programs { units, plan })
    }

    /// The files of the first program that a file is part of, or the file alone; nothing if the database does not have it.
    pub fn files_with(&self, file: &Path) -> Option<Vec<PathBuf>> {
        let wanted = plan::absolute(file);
        let at = self.units.iter().position(|u| plan::absolute(&u.file) == wanted)?;
        let of = |i: &usize| self.units.get(*i).map(|u| u.file.clone());
        let program = self.plan.executables.iter().find(|e| e.units.contains(&at));
        Some(
            program
                .map_or_else(|| of(&at).into_iter().collect(), |e| e.units.iter().filter_map(of).collect()),
        )
    }

    /// Whether a file could not be read when it was looked at, so that its place is not known.
    pub fn could_not_read(&self, file: &Path) -> bool {
        let wanted = plan::absolute(file);
        self.units.iter().any(|u| u.failure.is_some() && plan::absolute(&u.file) == wanted)
    }
}

/// Checks the programs of a compilation database.
pub fn run(options: &Check, database: &Path) -> Exit {
    let at = database;
    let database = match input::compile_commands::read_all(&Disk, at) {
        Ok(database) => database,
        Err(error) => return crate::commands::report_plain(&error),
    };
    let interrupted = checks::watch_interrupts();
    let excluded = |file: &Path| {
        options.source.exclude.iter().any(|e| plan::absolute(file).starts_with(plan::absolute(e)))
    };
    let mut entries = database.entries;
    entries.retain(|e| !excluded(&e.file));
    let units = units::survey(&entries, &options.source, options.analysis.jobs, &interrupted);
    let plan = match plan::programs(&units, &database.links, &options.source) {
        Ok(plan) => plan,
        Err(message) => {
            let error = InputError::new("--link", "bad-link", message);
            return crate::commands::report_plain(&error);
        }
    };
    if let Some(main) = options.source.main.as_ref().filter(|_| plan.executables.is_empty()) {
        let wanted = plan::absolute(main);
        let unit = units.iter().find(|u| plan::absolute(&u.file) == wanted);
        let message = match unit {
            None => "the compilation database has no such file".to_owned(),
            Some(unit) => unit.failure.clone().unwrap_or_else(|| "no `main` is defined in it".to_owned()),
        };
        return crate::commands::report_plain(&InputError::at(main, "bad-main", message));
    }
    let question = checks::Question { options, database: at, units: &units, interrupted: &interrupted };
    let answers = question.ask(&plan.executables);
    let libraries = plan.libraries(&units);
    let contracts = question.ask(&libraries);
    let checked = table::Checked {
        units: &units,
        plan: &plan,
        answers: &answers,
        libraries: &libraries,
        contracts: &contracts,
    };
    let interrupted = checks::is_set(&interrupted);
    let text = match options.output.format {
        Form::Text => checked.text(interrupted),
        form => forms::text(&checked, form, interrupted),
    };
    let exit = checked.exit();
    match &options.report {
        Some(path) => {
            let written = std::fs::write(path, &text);
            if let Err(error) = &written {
                output::error(&format!("{} cannot be written: {error}", path.display()));
                output::print(&text);
            }
            output::print(&format!("{}\n", forms::verdict(exit)));
            if written.is_err() { Exit::BadInput } else { exit }
        }
        None => {
            output::print(&text);
            exit
        }
    }
}
