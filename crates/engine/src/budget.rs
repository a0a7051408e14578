//! When an attempt has to end.
//!
//! The time that a user gives is time on the clock. The shares of it that attempts get are time that the analysis itself
//! has worked, so that what they come to does not depend on what else the machine is doing. Work is never longer than
//! the time on the clock, so the question for it, which is a call of the system, is asked only where the clock says
//! that the share may be used up.

use std::time::{Duration, Instant};

/// A moment on the clock, and a share of work.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Deadline {
    end: Option<Instant>,
    share: Option<Share>,
}

#[derive(Clone, Copy, Debug)]
struct Share {
    /// When it can be used up at the earliest.
    earliest: Option<Instant>,
    /// What the thread has worked when it is used up.
    work: Duration,
}

/// What an attempt may cost.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Budget {
    pub(crate) deadline: Deadline,
    /// The most that it may do.
    pub(crate) most_work: Option<u64>,
}

impl Deadline {
    /// A deadline on the clock alone.
    pub(crate) fn at(end: Option<Instant>) -> Deadline {
        Deadline { end, share: None }
    }

    /// So much work from now on, and not longer than to a moment on the clock.
    pub(crate) fn share(given: Duration, end: Option<Instant>) -> Deadline {
        let earliest = Instant::now().checked_add(given);
        Deadline { end, share: Some(Share { earliest, work: worked().saturating_add(given) }) }
    }

    /// Whether it has passed.
    pub(crate) fn is_over(&self) -> bool {
        if self.end.is_none() && self.share.is_none() {
            return false;
        }
        let now = Instant::now();
        let used_up = |s: Share| s.earliest.is_some_and(|e| now >= e && worked() >= s.work);
        self.end.is_some_and(|e| now >= e) || self.share.is_some_and(used_up)
    }
}

/// How long this thread has worked.
#[cfg(unix)]
fn worked() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// How long this process has been there: elsewhere, nothing better is known of the thread.
#[cfg(not(unix))]
fn worked() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// A deadline that is looked at now and then.
pub(crate) struct Patience {
    deadline: Deadline,
    asked: u32,
    over: bool,
}

/// Comparisons between two looks at the clock.
const LOOK_EVERY: u32 = 16;

impl Patience {
    pub(crate) fn new(deadline: Deadline) -> Patience {
        Patience { deadline, asked: 0, over: false }
    }

    pub(crate) fn is_over(&mut self) -> bool {
        self.asked = self.asked.wrapping_add(1);
        self.over = self.over || self.asked.is_multiple_of(LOOK_EVERY) && self.deadline.is_over();
        self.over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_used_up_by_work_and_not_by_waiting() {
        let share = Duration::from_millis(20);
        let deadline = Deadline::share(share, None);
        std::thread::sleep(2 * share);
        assert!(!deadline.is_over());
        let mut count = 0u64;
        while !deadline.is_over() {
            count = std::hint::black_box(count + 1);
        }
        assert!(worked() >= share);
    }

    #[test]
    fn the_clock_ends_what_has_a_share_left() {
        let end = Instant::now().checked_add(Duration::from_millis(10));
        let deadline = Deadline::share(Duration::from_secs(1000), end);
        assert!(!deadline.is_over());
        std::thread::sleep(Duration::from_millis(20));
        assert!(deadline.is_over());
        assert!(!Deadline::default().is_over());
        assert!(Deadline::at(end).is_over());
    }
}
