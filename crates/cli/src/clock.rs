//! How long work takes: on the processor where the system tells, because the clock also counts what others do.

use std::time::{Duration, Instant};

/// Does some work on this thread, and says how long it took: on the processor if the system tells, else on the clock.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let (clock, processor) = (Instant::now(), processor_time());
    let result = work();
    let time = match (processor, processor_time()) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        _ => clock.elapsed(),
    };
    (result, time)
}

/// How long this thread has run on a processor, where the system tells (Linux): unlike the time on the clock it does
/// not depend on what else the machine does.
pub fn processor_time() -> Option<Duration> {
    // The account of a thread is brought up to date when it gives way; otherwise only now and then.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}
