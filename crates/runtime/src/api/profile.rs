//! Times of a program's calls and of what the device did for them.
//!
//! Enters: names with times. Leaves: rows as nvprof prints them, and the spans of a timeline. Times are modelled on the
//! embedded device.

use crate::guest::Site;
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
}

impl Row {
    fn add(&mut self, ns: f64) {
        self.min_ns = if self.calls == 0 { ns } else { self.min_ns.min(ns) };
        self.max_ns = self.max_ns.max(ns);
        self.total_ns += ns;
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
    /// The stream: 0 is the default one.
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

/// Times of a program's run.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    activities: BTreeMap<String, Row>,
    calls: BTreeMap<&'static str, Row>,
    spans: Vec<Span>,
    /// How many more there were.
    left_out: u64,
}

/// As many spans are kept.
const MOST: usize = 1 << 16;

impl Profile {
    /// What the device did, those that took longest first.
    pub fn activities(&self) -> Vec<(&str, &Row)> {
        sorted(self.activities.iter().map(|(name, row)| (name.as_str(), row)))
    }

    /// Calls of the API, likewise.
    pub fn calls(&self) -> Vec<(&str, &Row)> {
        sorted(self.calls.iter().map(|(name, row)| (*name, row)))
    }

    /// What each stream did, in the order of the program; and how many more there were than are kept.
    pub fn spans(&self) -> (&[Span], u64) {
        (&self.spans, self.left_out)
    }

    pub(super) fn activity(&mut self, span: Span) {
        self.activities.entry(span.name.clone()).or_default().add(span.end_ns - span.start_ns);
        if self.spans.len() < MOST {
            self.spans.push(span);
        } else {
            self.left_out += 1;
        }
    }

    pub(super) fn call(&mut self, name: &'static str, ns: f64) {
        self.calls.entry(name).or_default().add(ns);
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
            profile.call(name, ns);
        }
        let copies = Row { calls: 2, total_ns: 8.0, min_ns: 3.0, max_ns: 5.0 };
        let calls = profile.calls();
        assert_eq!((calls[0], calls[1].0), (("cudaMemcpy", &copies), "cudaMalloc"));
        assert_eq!(copies.average_ns(), 4.0);
    }
}
