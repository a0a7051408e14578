//! Limits of memory on this process.
//!
//! A thread looks at what the process uses and raises a flag when it is too much; the analysis sees the flag and ends
//! with an answer. Behind it stands the operating system's own limit, half as much again, for a single step that
//! needs too much before the flag is seen: then the process is aborted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How often the use of memory is looked at.
const INTERVAL: Duration = Duration::from_millis(20);
/// Address space that is reserved but not used: stacks of threads, mapped files.
const RESERVED: u64 = 2 << 30;

/// Starts to watch; the flag is raised once more than `megabytes` are in use.
pub fn watch_memory(megabytes: u64) -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let most = megabytes.saturating_mul(1 << 20);
    let hard = most.saturating_add(most / 2).saturating_add(RESERVED);
    // A limit that cannot be set, or not on this system, leaves the flag.
    let _ = rlimit::Resource::AS.set(hard, hard);
    flag.store(resident().is_some_and(|used| used > most), Ordering::Relaxed);
    let seen = Arc::clone(&flag);
    std::thread::spawn(move || {
        while let Some(used) = resident() {
            if used > most {
                seen.store(true, Ordering::Relaxed);
                return;
            }
            std::thread::sleep(INTERVAL);
        }
    });
    flag
}

/// Bytes of memory in use by this process, where the system tells (Linux).
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages.saturating_mul(4096))
}
