//! Debian source packages, fetched with lists of packages of our own: the machine's settings need no `deb-src` lines and stay
//! as they are.

use crate::process;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Where lists of source packages are.
pub struct Debian {
    base: PathBuf,
    list: PathBuf,
}

impl Debian {
    /// Fetches the lists, from where the machine gets its packages.
    pub fn new(root: &Path) -> Result<Debian, String> {
        let base = process::target_dir(root).join("debian");
        let lists = base.join("lists/partial");
        std::fs::create_dir_all(&lists).map_err(|e| format!("{}: {e}", lists.display()))?;
        let system = ["/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list"];
        let found = system.iter().find_map(|p| Some((p, std::fs::read_to_string(p).ok()?)));
        let (path, text) = found.ok_or("there is no list of Debian packages on this machine")?;
        let ending = if path.ends_with(".sources") { "sources" } else { "list" };
        let list = base.join(format!("source.{ending}"));
        let line = |l: &str| match (l, l.strip_prefix("deb ")) {
            ("Types: deb", _) => "Types: deb-src\n".to_owned(),
            (_, Some(rest)) => format!("deb-src {rest}\n"),
            _ => format!("{l}\n"),
        };
        std::fs::write(&list, text.lines().map(line).collect::<String>())
            .map_err(|e| format!("{}: {e}", list.display()))?;
        let debian = Debian { base, list };
        debian.apt(&["update"], &debian.base)?;
        Ok(debian)
    }

    /// Unpacks the source of a package below a folder, which is made. Nothing is below it if there is no such package.
    pub fn fetch(&self, package: &str, folder: &Path) -> Result<(), String> {
        std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        self.apt(&["source", "--only-source", package], folder)
    }

    fn apt(&self, command: &[&str], folder: &Path) -> Result<(), String> {
        let mut apt = Command::new("apt-get");
        apt.current_dir(folder)
            .arg("-qq")
            .args(["-o", &format!("Dir::Etc::sourcelist={}", self.list.display())])
            .args(["-o", "Dir::Etc::sourceparts=/dev/null"])
            .args(["-o", &format!("Dir::State::lists={}", self.base.join("lists").display())])
            .args(command);
        process::run(&mut apt, Duration::from_secs(300)).map(|_| ())
    }
}
