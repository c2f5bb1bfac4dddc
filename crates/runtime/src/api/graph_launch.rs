//! Launches of graphs: their steps, one after the other, on the streams of their branches.
//!
//! Enters: an executable graph and a stream. Leaves: what its steps do. A step that calls a function of the program waits until that
//! has returned: what comes after it is done then ([`Api::begin_callback`]).

use super::copy::Returns;
use super::graphs::Step;
use super::order::Clock;
use super::work::Work;
use super::{Answer, Api, Call, Deferred, Status, Stop};
use crate::guest::{Guest, Signal, Site};
use crate::heap::Heap;
use std::rc::Rc;

/// A launch, and how far it has come.
#[derive(Debug)]
pub(super) struct Launched {
    steps: Rc<Vec<Step>>,
    next: usize,
    /// The streams of its branches.
    streams: Vec<usize>,
    /// What was done before it, and when.
    base: (Clock, f64),
    /// What is done after each step, and when.
    done: Vec<(Clock, f64)>,
    site: Site,
}

/// `cudaGraphLaunch(graphExec, stream)`.
pub(super) fn launch(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let at = call.executable(a[0])?;
    let stream = call.stream(a[1])?;
    let graph = call.api.graphs.executables[at].graph;
    if call.is_captured(stream)? {
        let copy = call.api.graphs.copy(graph, true).ok_or_else(super::graph_calls::too_many)?;
        return call.record(stream, Work::Child { graph: copy });
    }
    let base = call.api.streams.before(stream);
    let executable = &call.api.graphs.executables[at];
    let streams: Vec<usize> = [stream].into_iter().chain(executable.branches.iter().copied()).collect();
    let steps = executable.steps.clone();
    for branch in &streams[1..] {
        let of = &mut call.api.streams.all[*branch];
        of.clock.join(&base.0);
        of.end_ns = of.end_ns.max(base.1);
    }
    call.proceed(Launched { steps, next: 0, streams, base, done: vec![], site: call.site })?;
    Ok(0)
}

/// `cudaGraphUpload(graphExec, stream)`: there is nothing to do before a launch.
pub(super) fn upload(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.executable(a[0])?;
    let stream = call.stream(a[1])?;
    call.uncaptured(stream, "a graph cannot be uploaded on a capturing stream")?;
    Ok(0)
}

impl Call<'_> {
    /// Does the steps of a launch, up to one that calls the program.
    fn proceed(&mut self, mut launched: Launched) -> Answer<()> {
        let steps = launched.steps.clone();
        while let Some(step) = steps.get(launched.next) {
            let stream = launched.streams[step.branch];
            let of = &mut self.api.streams.all[stream];
            for (clock, end) in step.before.iter().map(|at| &launched.done[*at]).chain([&launched.base]) {
                of.clock.join(clock);
                of.end_ns = of.end_ns.max(*end);
            }
            launched.next += 1;
            if step.enabled {
                (self.name, self.site) = (step.call, step.site);
                self.perform(step, stream)?;
            }
            let of = &self.api.streams.all[stream];
            launched.done.push((of.clock.clone(), of.end_ns));
            if matches!(step.work, Work::Call { .. }) && !self.api.callbacks.is_empty() {
                self.api.callbacks.push_back(Deferred::Graph(launched));
                return Ok(());
            }
        }
        // What comes next on the stream comes after all of them.
        let ends: Vec<(Clock, f64)> = launched
            .streams
            .iter()
            .map(|one| &self.api.streams.all[*one])
            .map(|of| (of.clock.clone(), of.end_ns))
            .collect();
        let of = &mut self.api.streams.all[launched.streams[0]];
        for (clock, end) in ends {
            of.clock.join(&clock);
            of.end_ns = of.end_ns.max(end);
        }
        Ok(())
    }

    fn perform(&mut self, step: &Step, stream: usize) -> Answer {
        match &step.work {
            Work::Empty | Work::Child { .. } => Ok(0),
            Work::Memory { address, .. } => {
                self.order_memory(*address, stream);
                Ok(0)
            }
            Work::Kernel(launch) => self.run_kernel(launch, stream),
            Work::Copy { to, from, extent, kind } => {
                self.copy_now(*to, *from, *extent, *kind, (stream, Returns::InGraph))
            }
            Work::ArrayCopy { array, corner, other, extent, kind, to_array } => {
                let how = (*kind, *to_array, Returns::InGraph);
                self.copy_array_now(*array, *corner, *other, *extent, (how, stream))
            }
            Work::Set { place, pattern, extent } => {
                self.set_now(*place, *pattern, *extent, (stream, Returns::InGraph))
            }
            Work::Call { function, arguments } => self.call_now(stream, *function, arguments),
            Work::Record { event } => {
                let event = self.event(*event)?;
                self.record_now(event, stream);
                Ok(0)
            }
            Work::Wait { event } => {
                let event = self.event(*event)?;
                self.wait_now(event, stream);
                Ok(0)
            }
        }
    }
}

impl Api {
    /// Continues what waits for functions of the program; the next of these.
    pub(super) fn next_call(
        &mut self,
        heap: &mut Heap,
        guest: &mut dyn Guest,
    ) -> Result<Option<(u64, Vec<u64>)>, Signal> {
        while let Some(next) = self.callbacks.pop_front() {
            let launched = match next {
                Deferred::Call(function, arguments) => return Ok(Some((function, arguments))),
                Deferred::Graph(launched) => launched,
            };
            let site = launched.site;
            let mut call = Call { api: self, heap, guest, name: "cudaGraphLaunch", site };
            match call.proceed(launched) {
                Ok(()) => {}
                Err(Stop::Signal(signal)) => return Err(signal),
                Err(Stop::Error(status)) => self.failed_later(status),
            }
        }
        Ok(None)
    }

    /// An error of what was done after its call had returned: the next call that waits returns it.
    fn failed_later(&mut self, status: Status) {
        self.errors.fault.get_or_insert(status);
    }
}
