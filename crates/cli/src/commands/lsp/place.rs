//! Which program a file belongs to.
//!
//! A compilation database is looked for beside the file, above it, and in directories `build` there. It may build several
//! programs, which the same rules find as in `check -p`; a file of none is a library by itself. The files of a database are looked
//! at once, and again when the database changes, or where the file could not be read.

use crate::input::{Disk, Files};
use crate::options::Source;
use crate::project::Programs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// The programs of the database that was looked at last.
#[derive(Default)]
pub struct Places {
    known: Option<(String, Programs)>,
}

/// A compilation database for a file.
pub fn database(file: &Path) -> Option<PathBuf> {
    let above = file.ancestors().skip(1);
    let mut places =
        above.flat_map(|d| [d.join("compile_commands.json"), d.join("build/compile_commands.json")]);
    places.find(|p| p.is_file())
}

impl Places {
    /// The files of the program that a file belongs to by a database; nothing if the database does not know it.
    pub fn program(
        &mut self,
        file: &Path,
        database: &Path,
        source: &Source,
        abandoned: &AtomicBool,
    ) -> Result<Option<Vec<PathBuf>>, String> {
        let key = format!("{} {:?}", database.display(), Disk.stamp(database).ok());
        let is_known = |(k, programs): &(String, Programs)| *k == key && !programs.could_not_read(file);
        if !self.known.as_ref().is_some_and(is_known) {
            let programs = Programs::of(database, source, abandoned).map_err(|e| e.to_string())?;
            // A survey that was ended early says too little.
            self.known = (!abandoned.load(Ordering::Relaxed)).then_some((key, programs));
        }
        Ok(self.known.as_ref().and_then(|(_, programs)| programs.files_with(file)))
    }
}
