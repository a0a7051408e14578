//! Work on many programs, on as many threads as there are processors.
//!
//! The tests of one binary run side by side as well. Together they work on no more programs at a time than there are
//! processors, so that limits on the clock mean the same as for one program after the other.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// How many programs are worked on, in all tests of this binary.
static BUSY: Mutex<usize> = Mutex::new(0);
static FREE: Condvar = Condvar::new();

/// A processor that is taken as long as this lives.
struct Processor;

impl Processor {
    fn take() -> Processor {
        let busy = BUSY.lock().unwrap_or_else(PoisonError::into_inner);
        let mut busy = FREE.wait_while(busy, |b| *b >= processors()).unwrap_or_else(PoisonError::into_inner);
        *busy += 1;
        Processor
    }
}

impl Drop for Processor {
    fn drop(&mut self) {
        *BUSY.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        FREE.notify_one();
    }
}

/// Does `work` for every item; the results are in the order of the items. A panic of `work` is one of the caller.
pub fn each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        while let Some((at, item)) = {
            let at = next.fetch_add(1, Ordering::Relaxed);
            items.get(at).map(|item| (at, item))
        } {
            let _processor = Processor::take();
            done.push((at, work(item)));
        }
        done
    };
    let mut results: Vec<(usize, R)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..processors().min(items.len())).map(|_| scope.spawn(worker)).collect();
        workers
            .into_iter()
            .flat_map(|w| w.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}
