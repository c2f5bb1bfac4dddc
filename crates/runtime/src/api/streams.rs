//! Streams and the host on a modelled timeline.
//!
//! Enters: operations with how long they take. Leaves: when each begins and ends, and what it is ordered after. Operations have
//! been executed when they enter, in the order of the program; the timeline says when an H200 would have been done. Streams
//! follow the manual's legacy default stream: its operations wait for those of all blocking streams, and these for its.

use super::order::{Clock, Stamp};
use crate::guest::Site;
use std::collections::BTreeMap;

/// The default stream, 0 in calls.
pub(super) const LEGACY: usize = 0;
/// `cudaStreamPerThread`.
pub(super) const PER_THREAD: usize = 1;
/// Labels of branches of graphs, which are streams that the program does not see, begin here.
pub(super) const BRANCHES: u32 = 1 << 30;

/// A stream.
#[derive(Clone, Debug)]
pub(super) struct Stream {
    pub(super) clock: Clock,
    /// When its last operation ends, nanoseconds.
    pub(super) end_ns: f64,
    /// Whether it waits for the default stream.
    pub(super) blocking: bool,
    pub(super) priority: i32,
    /// Its number for readers.
    pub(super) label: u32,
    /// The capture that it is in.
    pub(super) capturing: Option<Capturing>,
    /// What `cudaStreamSetAttribute` has set, by the attribute's number.
    pub(super) attributes: BTreeMap<u32, [u8; ATTRIBUTE_BYTES]>,
    pub(super) destroyed: Option<Site>,
}

/// Bytes of the value of an attribute.
pub(super) const ATTRIBUTE_BYTES: usize = 64;

/// A place in a capture: that of a stream, or what an event recorded there.
#[derive(Clone, Debug)]
pub(super) struct Capturing {
    /// The capture, by its number.
    pub(super) capture: usize,
    /// The nodes that what comes next waits for.
    pub(super) nodes: Vec<usize>,
}

impl Stream {
    fn new(blocking: bool, priority: i32, label: u32) -> Self {
        Stream {
            clock: Clock::default(),
            end_ns: 0.0,
            blocking,
            priority,
            label,
            capturing: None,
            attributes: BTreeMap::new(),
            destroyed: None,
        }
    }
}

/// What an operation uses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Engine {
    /// This part of the multiprocessors, at most 1.
    Multiprocessors(f64),
    /// The engine for copies to the device.
    ToDevice,
    /// The engine for copies to the host.
    ToHost,
    /// Nothing that others need.
    None,
}

/// An operation on the timeline.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) start_ns: f64,
    pub(super) end_ns: f64,
    pub(super) stamp: Stamp,
    /// What was done before it, and itself.
    pub(super) clock: Clock,
}

/// All streams, and the host.
#[derive(Debug)]
pub(super) struct Streams {
    pub(super) all: Vec<Stream>,
    /// What the host knows to be done.
    pub(super) host: Clock,
    /// Where the host is, nanoseconds since the program began.
    pub(super) host_ns: f64,
    to_device_ns: f64,
    to_host_ns: f64,
    /// When kernels end that run, and the part of the multiprocessors that each has.
    running: Vec<(f64, f64, f64)>,
    /// How many of them are branches of graphs.
    branches: u32,
}

impl Streams {
    pub(super) fn new() -> Self {
        let all = vec![Stream::new(true, 0, LEGACY as u32), Stream::new(true, 0, PER_THREAD as u32)];
        let (host, running) = (Clock::default(), vec![]);
        Streams { all, host, host_ns: 0.0, to_device_ns: 0.0, to_host_ns: 0.0, running, branches: 0 }
    }

    pub(super) fn create(&mut self, blocking: bool, priority: i32) -> usize {
        let label = self.all.len() as u32 - self.branches;
        self.all.push(Stream::new(blocking, priority, label));
        self.all.len() - 1
    }

    /// A stream for a branch of a graph.
    pub(super) fn create_branch(&mut self) -> usize {
        self.all.push(Stream::new(false, 0, BRANCHES + self.branches));
        self.branches += 1;
        self.all.len() - 1
    }

    /// A stream's number for readers.
    pub(super) fn label(&self, stream: usize) -> u32 {
        self.all.get(stream).map_or(0, |of| of.label)
    }

    /// Whether there are more than the default ones.
    pub(super) fn several(&self) -> bool {
        self.all.len() > PER_THREAD + 1
    }

    /// Puts an operation on a stream.
    pub(super) fn enqueue(&mut self, stream: usize, engine: Engine, ns: f64) -> Placed {
        let (mut clock, ready) = self.before(stream);
        let number = clock.tick(stream + 1);
        let start_ns = self.room(engine, ready, ns);
        let end_ns = start_ns + ns;
        match engine {
            Engine::ToDevice => self.to_device_ns = end_ns,
            Engine::ToHost => self.to_host_ns = end_ns,
            Engine::Multiprocessors(part) => self.running.push((start_ns, end_ns, part)),
            Engine::None => {}
        }
        let of = &mut self.all[stream];
        of.clock = clock.clone();
        of.end_ns = end_ns;
        Placed { start_ns, end_ns, stamp: Stamp { actor: stream + 1, number }, clock }
    }

    /// What the next operation of a stream is ordered after, and when it can begin.
    pub(super) fn before(&self, stream: usize) -> (Clock, f64) {
        let of = &self.all[stream];
        let mut clock = of.clock.clone();
        let mut ready = of.end_ns.max(self.host_ns);
        clock.join(&self.host);
        let mut wait = |other: &Stream| {
            clock.join(&other.clock);
            ready = ready.max(other.end_ns);
        };
        if stream == LEGACY {
            self.all.iter().filter(|other| other.blocking).for_each(&mut wait);
        } else if of.blocking {
            wait(&self.all[LEGACY]);
        }
        (clock, ready)
    }

    /// When an operation that can begin at a time finds what it uses free.
    fn room(&mut self, engine: Engine, ready: f64, ns: f64) -> f64 {
        match engine {
            Engine::ToDevice => ready.max(self.to_device_ns),
            Engine::ToHost => ready.max(self.to_host_ns),
            Engine::None => ready,
            Engine::Multiprocessors(part) => {
                // Operations begin no earlier than the host is now.
                self.running.retain(|(_, end, _)| *end > self.host_ns);
                let mut start = ready;
                loop {
                    let meets = |(from, to, _): &&(f64, f64, f64)| *from < start + ns.max(1.0) && *to > start;
                    let taken: f64 = self.running.iter().filter(meets).map(|(_, _, part)| part).sum();
                    let next = self.running.iter().filter(meets).map(|(_, to, _)| *to).min_by(f64::total_cmp);
                    match next {
                        Some(next) if taken + part > 1.0 + 1e-9 => start = next,
                        _ => return start,
                    }
                }
            }
        }
    }

    /// The host waits until all operations of a clock are done, which is at a time.
    pub(super) fn wait(&mut self, clock: &Clock, until_ns: f64) {
        self.host.join(clock);
        self.host_ns = self.host_ns.max(until_ns);
    }

    /// What a stream has to do: the host that waits for it waits for this.
    pub(super) fn all_of(&self, stream: usize) -> (Clock, f64) {
        let mut clock = self.all[stream].clock.clone();
        let mut end = self.all[stream].end_ns;
        if stream == LEGACY {
            for other in self.all.iter().filter(|other| other.blocking) {
                clock.join(&other.clock);
                end = end.max(other.end_ns);
            }
        }
        (clock, end)
    }

    /// The same of all streams.
    pub(super) fn everything(&self) -> (Clock, f64) {
        let mut clock = self.host.clone();
        let mut end = self.host_ns;
        for stream in &self.all {
            clock.join(&stream.clock);
            end = end.max(stream.end_ns);
        }
        (clock, end)
    }

    /// Destroys all streams but the default ones.
    pub(super) fn forget_all(&mut self, site: Site) {
        for stream in self.all.iter_mut().skip(PER_THREAD + 1) {
            stream.destroyed.get_or_insert(site);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocking_streams_wait_for_the_default_stream_and_it_for_them() {
        let mut streams = Streams::new();
        let (a, b) = (streams.create(true, 0), streams.create(false, 0));
        let first = streams.enqueue(a, Engine::Multiprocessors(0.25), 100.0);
        let other = streams.enqueue(b, Engine::Multiprocessors(0.25), 50.0);
        let default = streams.enqueue(LEGACY, Engine::Multiprocessors(0.25), 10.0);
        let last = streams.enqueue(a, Engine::Multiprocessors(0.25), 1.0);
        assert_eq!(
            (first.start_ns, other.start_ns, default.start_ns, last.start_ns),
            (0.0, 0.0, 100.0, 110.0)
        );
        assert!(default.clock.includes(first.stamp) && !default.clock.includes(other.stamp));
        assert!(last.clock.includes(default.stamp));
    }

    #[test]
    fn kernels_run_together_as_far_as_there_are_multiprocessors_and_copies_of_one_way_do_not() {
        let mut streams = Streams::new();
        let made: Vec<usize> = (0..3).map(|_| streams.create(false, 0)).collect();
        let start = |streams: &mut Streams, engine| {
            made.iter().map(|one| streams.enqueue(*one, engine, 10.0).start_ns).collect::<Vec<_>>()
        };
        assert_eq!(start(&mut streams, Engine::Multiprocessors(0.5)), [0.0, 0.0, 10.0]);
        assert_eq!(start(&mut streams, Engine::ToHost), [10.0, 20.0, 30.0]);
        assert_eq!(start(&mut streams, Engine::ToDevice), [20.0, 30.0, 40.0]);
    }
}
