//! Times of a program's calls and of what the device did for them.
//!
//! Enters: names with times. Leaves: rows as nvprof prints them, the spans of a timeline, and what each launch counted. Times are
//! modelled on the embedded device.

use crate::guest::Site;
use device::Counters;
use std::collections::BTreeMap;

/// Times of one kernel, of one kind of copy, or of one function of the API.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// How often.
    pub calls: u64,
    /// All together, nanoseconds.
    pub total_ns: f64,
    /// The shortest.
    pub min_ns: f64,
    /// The longest.
    pub max_ns: f64,
    /// Bytes copied or set, all together; 0 of kernels and of functions.
    pub bytes: u64,
}

impl Row {
    fn add(&mut self, ns: f64, bytes: u64) {
        self.min_ns = if self.calls == 0 { ns } else { self.min_ns.min(ns) };
        self.max_ns = self.max_ns.max(ns);
        self.total_ns += ns;
        self.bytes = self.bytes.saturating_add(bytes);
        self.calls += 1;
    }

    /// The average, nanoseconds.
    pub fn average_ns(&self) -> f64 {
        if self.calls == 0 { 0.0 } else { self.total_ns / self.calls as f64 }
    }
}

/// What a stream did from one time to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// The kernel, or the kind of copy.
    pub name: String,
    /// The stream, which [`super::words::stream_name`] names.
    pub stream: u32,
    /// Nanoseconds since the program began.
    pub start_ns: f64,
    /// Likewise.
    pub end_ns: f64,
    /// Bytes copied or set; 0 of a kernel.
    pub bytes: u64,
    /// Place of the call.
    pub site: Site,
}

/// Launches of a kernel, one after the other, that were of one shape and counted the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Launches {
    /// The kernel's name in the source.
    pub kernel: String,
    /// Blocks of the grid.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// Dynamic shared memory of a block, bytes.
    pub shared_bytes: u64,
    /// The stream, which [`super::words::stream_name`] names.
    pub stream: u32,
    /// Place of the call.
    pub site: Site,
    /// How many there were.
    pub times: u64,
    /// Time of all of them, nanoseconds.
    pub total_ns: f64,
    /// What each counted; `None` on a GPU, which counts nothing for a program.
    pub counters: Option<Counters>,
}

/// Times of a program's run.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    activities: BTreeMap<String, Row>,
    calls: BTreeMap<&'static str, Row>,
    /// Calls of functions that return no error and take no time, which profilers do not list.
    values: BTreeMap<&'static str, u64>,
    spans: Vec<Span>,
    waits: Vec<Span>,
    /// How many more spans and waits there were.
    left_out: u64,
    launches: Vec<Launches>,
    launches_left_out: u64,
}

/// As many spans, and as many waits, are kept.
const MOST: usize = 1 << 16;
/// As many launches that differ are kept.
const MOST_LAUNCHES: usize = 1 << 12;

impl Profile {
    /// What the device did, those that took longest first.
    pub fn activities(&self) -> Vec<(&str, &Row)> {
        sorted(self.activities.iter().map(|(name, row)| (name.as_str(), row)))
    }

    /// Calls of the API, likewise.
    pub fn calls(&self) -> Vec<(&str, &Row)> {
        sorted(self.calls.iter().map(|(name, row)| (*name, row)))
    }

    /// How often a function was called, whether or not [`Profile::calls`] has it.
    pub fn times_called(&self, name: &str) -> u64 {
        let listed = self.calls.get(name).map(|row| row.calls);
        listed.or_else(|| self.values.get(name).copied()).unwrap_or(0)
    }

    /// What each stream did, in the order of the program; and how many more there were than are kept.
    pub fn spans(&self) -> (&[Span], u64) {
        (&self.spans, self.left_out)
    }

    /// Calls in which the host waited, in the order of the program; as many of them as spans are kept.
    pub fn waits(&self) -> &[Span] {
        &self.waits
    }

    /// Launches in the order of the program; and how many more there were than are kept.
    pub fn launches(&self) -> (&[Launches], u64) {
        (&self.launches, self.launches_left_out)
    }

    pub(super) fn activity(&mut self, span: Span) {
        self.activities.entry(span.name.clone()).or_default().add(span.end_ns - span.start_ns, span.bytes);
        if self.spans.len() < MOST {
            self.spans.push(span);
        } else {
            self.left_out += 1;
        }
    }

    /// A call of a function that returns no error.
    pub(super) fn value(&mut self, name: &'static str) {
        *self.values.entry(name).or_default() += 1;
    }

    /// A call that ended at a time, having taken another.
    pub(super) fn call(&mut self, name: &'static str, end_ns: f64, ns: f64, site: Site) {
        // What `<<<…>>>` calls, as profilers name it.
        let name = if name == "__cudaLaunch" { "cudaLaunchKernel" } else { name };
        self.calls.entry(name).or_default().add(ns, 0);
        if ns > 0.0 && self.waits.len() < MOST {
            let (name, start_ns) = (name.to_owned(), end_ns - ns);
            self.waits.push(Span { name, stream: 0, start_ns, end_ns, bytes: 0, site });
        }
    }

    pub(super) fn launch(&mut self, one: Launches) {
        let same = |last: &&mut Launches| {
            let alike = (&last.kernel, last.grid, last.block, last.shared_bytes, last.stream, last.site)
                == (&one.kernel, one.grid, one.block, one.shared_bytes, one.stream, one.site);
            alike && last.counters == one.counters
        };
        let room = self.launches.len() < MOST_LAUNCHES;
        match self.launches.last_mut().filter(same) {
            Some(last) => {
                last.times += one.times;
                last.total_ns += one.total_ns;
            }
            None if room => self.launches.push(one),
            None => self.launches_left_out += one.times,
        }
    }
}

fn sorted<'a>(rows: impl Iterator<Item = (&'a str, &'a Row)>) -> Vec<(&'a str, &'a Row)> {
    let mut rows: Vec<_> = rows.collect();
    rows.sort_by(|a, b| b.1.total_ns.total_cmp(&a.1.total_ns).then(a.0.cmp(b.0)));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_the_shortest_and_the_longest_and_begin_with_what_took_longest() {
        let mut profile = Profile::default();
        for (name, ns) in [("cudaMalloc", 1.0), ("cudaMemcpy", 5.0), ("cudaMemcpy", 3.0)] {
            profile.call(name, 10.0, ns, Site(0));
        }
        let copies = Row { calls: 2, total_ns: 8.0, min_ns: 3.0, max_ns: 5.0, bytes: 0 };
        let calls = profile.calls();
        assert_eq!((calls[0], calls[1].0), (("cudaMemcpy", &copies), "cudaMalloc"));
        assert_eq!(copies.average_ns(), 4.0);
        assert_eq!(profile.waits()[1].start_ns, 5.0);
    }

    #[test]
    fn launches_that_count_the_same_are_one_entry_and_others_are_not() {
        let one = Launches {
            kernel: "add".to_owned(),
            grid: [1, 1, 1],
            block: [32, 1, 1],
            shared_bytes: 0,
            stream: 0,
            site: Site(1),
            times: 1,
            total_ns: 5.0,
            counters: Some(Counters::default()),
        };
        let mut profile = Profile::default();
        for grid in [1, 1, 2, 1] {
            profile.launch(Launches { grid: [grid, 1, 1], ..one.clone() });
        }
        let (launches, more) = profile.launches();
        let times: Vec<_> = launches.iter().map(|one| (one.grid[0], one.times, one.total_ns)).collect();
        assert_eq!((times, more), (vec![(1, 2, 10.0), (2, 1, 5.0), (1, 1, 5.0)], 0));
    }
}
