//! The time that a program sees: modelled, and then the same in every run, or the machine's.
//!
//! Enters: what time the program's instructions and launches take, from the caller. Leaves: moments and durations.

use std::time::Duration;

/// Time from 1970 to the moment at which a modelled run starts: 1 January 2026, 00:00:00 UTC.
pub const START: Duration = Duration::from_secs(1_767_225_600);
/// Time that asking a modelled clock takes: as a read of the kernel's page of clocks does. A loop that waits ends.
const ASKING: Duration = Duration::from_nanos(20);

/// Where the time comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// What the caller says has passed, from [`START`].
    Modelled,
    /// The machine's clock. (In WebAssembly there is none; there it is modelled.)
    Wall,
}

/// A clock.
#[derive(Clone, Debug)]
pub struct Clock {
    source: Source,
    /// What has passed, by the caller's account, and how much of it was waiting.
    passed: Duration,
    waited: Duration,
    #[cfg(not(target_family = "wasm"))]
    begun: std::time::Instant,
}

impl Clock {
    /// A clock that starts now.
    pub fn new(source: Source) -> Self {
        Self {
            source,
            passed: Duration::ZERO,
            waited: Duration::ZERO,
            #[cfg(not(target_family = "wasm"))]
            begun: std::time::Instant::now(),
        }
    }

    /// Lets modelled time pass: instructions that ran, launches that were waited for.
    pub fn advance(&mut self, time: Duration) {
        self.passed = self.passed.saturating_add(time);
    }

    /// Lets time pass in which nothing runs. No one waits for it, also where the clock is the machine's.
    pub fn wait(&mut self, time: Duration) {
        self.advance(time);
        self.waited = self.waited.saturating_add(time);
    }

    /// Time since 1970, UTC.
    pub fn now(&mut self) -> Duration {
        self.ask();
        #[cfg(not(target_family = "wasm"))]
        if self.source == Source::Wall {
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            return now.unwrap_or_default().saturating_add(self.waited);
        }
        START.saturating_add(self.passed)
    }

    /// Time since the program's start.
    pub fn elapsed(&mut self) -> Duration {
        self.ask();
        self.since_start()
    }

    /// Time since the program's start in which it ran.
    pub fn processor(&mut self) -> Duration {
        self.ask();
        self.since_start().saturating_sub(self.waited)
    }

    fn since_start(&self) -> Duration {
        #[cfg(not(target_family = "wasm"))]
        if self.source == Source::Wall {
            return self.begun.elapsed().saturating_add(self.waited);
        }
        self.passed
    }

    fn ask(&mut self) {
        if self.source == Source::Modelled {
            self.advance(ASKING);
        }
    }
}
