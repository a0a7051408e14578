//! What a hunt costs, counted: unlike time it does not depend on the machine, nor on what else it does, so neither does
//! what a hunt of a given effort finds.

use heapwise_interp::Stats;

/// What runs and the search for their inputs have cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Runs.
    runs: u64,
    /// Steps of runs that nobody watches.
    steps: u64,
    /// Steps of runs whose conditions are recorded.
    watched: u64,
    /// Bytes allocated and copied.
    bytes: u64,
    /// Terms and conditions that the solver looked at.
    pub(crate) looked_at: u64,
}

/// Watched steps of a unit.
const WATCHED_PER_UNIT: u64 = 16;

/// How a run was executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    Alone,
    Watched,
}

impl Effort {
    /// Counts a run.
    pub(crate) fn add(&mut self, stats: &Stats, mode: Mode) {
        self.runs += 1;
        self.bytes += stats.bytes;
        match mode {
            Mode::Alone => self.steps += stats.steps,
            Mode::Watched => self.watched += stats.steps,
        }
    }

    /// All of it in one number, in the unit of the analysis: about half a microsecond of a machine of today. The weights were
    /// fitted to the time that runs of the annotated programs take.
    pub fn units(&self) -> u64 {
        3 * self.runs
            + self.steps / 32
            + self.watched / WATCHED_PER_UNIT
            + self.bytes / 64
            + self.looked_at / 64
    }

    /// How many watched steps so many units stand for.
    pub(crate) fn steps_for(units: u64) -> u64 {
        units.saturating_mul(WATCHED_PER_UNIT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effort_grows_with_everything_that_takes_time() {
        let stats = Stats { steps: 1_000, ..Stats::default() };
        let mut effort = Effort::default();
        effort.add(&stats, Mode::Alone);
        let alone = effort.units();
        effort.add(&stats, Mode::Watched);
        assert!(effort.units() - alone > alone);
        let before = effort.units();
        effort.add(&Stats { bytes: 1 << 20, ..Stats::default() }, Mode::Alone);
        assert!(effort.units() > before + 1_000);
        assert!(Effort::steps_for(10) / WATCHED_PER_UNIT == 10);
    }
}
