//! Events: times on the modelled timeline, and order between streams.

use super::finding::Kind;
use super::order::Clock;
use super::streams::{Capturing, Engine};
use super::work::Work;
use super::{Answer, Call, Status, low};
use crate::guest::Site;

/// Handles of events: their number after these bits, which no address has.
const HANDLES: u64 = 0x8002_0000_0000_0000;
/// `cudaEventDisableTiming`.
const DISABLE_TIMING: u32 = 2;
/// `cudaEventBlockingSync` to `cudaEventInterprocess`, all together.
const FLAGS: u32 = 7;
/// `cudaEventRecordExternal` and `cudaEventWaitExternal`.
pub(super) const EXTERNAL: u32 = 1;

/// An event.
#[derive(Clone, Debug)]
struct Event {
    timed: bool,
    /// What is done when it is, and when; nothing before it is recorded.
    recorded: Option<(Clock, f64)>,
    /// The place that it has recorded in a capture, if it has.
    captured: Option<Capturing>,
    destroyed: Option<Site>,
}

/// All events.
#[derive(Debug, Default)]
pub(super) struct Events(Vec<Event>);

impl Events {
    pub(super) fn recorded(&self, event: usize) -> Option<(Clock, f64)> {
        self.0.get(event)?.recorded.clone()
    }

    pub(super) fn captured(&self, event: usize) -> Option<Capturing> {
        self.0.get(event)?.captured.clone()
    }

    /// Destroys all events.
    pub(super) fn forget_all(&mut self, site: Site) {
        for event in &mut self.0 {
            event.destroyed.get_or_insert(site);
        }
    }
}

impl Call<'_> {
    /// The event of a handle.
    pub(super) fn event(&mut self, handle: u64) -> Answer<usize> {
        let at = (handle ^ HANDLES) as usize;
        match self.api.events.0.get(at) {
            Some(event) if event.destroyed.is_none() => Ok(at),
            found => {
                let destroyed = found.and_then(|event| event.destroyed);
                self.found(Kind::BadHandle { what: "event", destroyed });
                Err(Status::INVALID_RESOURCE_HANDLE.into())
            }
        }
    }

    fn create_event(&mut self, to: u64, flags: u32) -> Answer {
        let to = self.pointer(to, "event")?;
        if flags & !FLAGS != 0 {
            return self.refuse(Status::INVALID_VALUE, "flags", format!("{flags:#x} has unknown bits"));
        }
        let at = self.api.events.0.len() as u64;
        let timed = flags & DISABLE_TIMING == 0;
        self.api.events.0.push(Event { timed, recorded: None, captured: None, destroyed: None });
        self.put(to, (HANDLES | at).to_le_bytes())?;
        Ok(0)
    }

    /// Whether what a clock holds is done by now, as far as times are modelled.
    pub(super) fn done(&mut self, clock: &Clock, end_ns: f64) -> Answer {
        if self.api.errors.fault.is_some() || end_ns <= self.api.streams.host_ns {
            self.wait(clock, end_ns)?;
            return Ok(0);
        }
        // A program that asks again and again must see it end: asking takes as long as a launch does.
        self.api.streams.host_ns += self.api.chip.launch_us * 1e3;
        Err(Status::NOT_READY.into())
    }
}

/// `cudaEventCreate(event)`.
pub(super) fn create(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.create_event(a[0], 0)
}

/// `cudaEventCreateWithFlags(event, flags)`.
pub(super) fn create_with_flags(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.create_event(a[0], low(a[1]))
}

/// `cudaEventRecord(event, stream)`.
pub(super) fn record(call: &mut Call<'_>, a: &[u64]) -> Answer {
    record_with_flags(call, &[a[0], a[1], 0])
}

/// `cudaEventRecordWithFlags(event, stream, flags)`.
pub(super) fn record_with_flags(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let event = call.event(a[0])?;
    let stream = call.stream(a[1])?;
    if low(a[2]) & !EXTERNAL != 0 {
        return call.refuse(Status::INVALID_VALUE, "flags", format!("{:#x} has unknown bits", low(a[2])));
    }
    match call.captured_event(stream)? {
        // What others see of it is a node.
        Some(_) if low(a[2]) == EXTERNAL => return call.record(stream, Work::Record { event: a[0] }),
        Some(captured) => call.api.events.0[event].captured = Some(captured),
        None => call.record_now(event, stream),
    }
    Ok(0)
}

impl Call<'_> {
    /// Records an event on a stream.
    pub(super) fn record_now(&mut self, event: usize, stream: usize) {
        let placed = self.api.streams.enqueue(stream, Engine::None, 0.0);
        let of = &mut self.api.events.0[event];
        (of.recorded, of.captured) = (Some((placed.clock, placed.end_ns)), None);
    }

    /// When an event is done, for a parameter that takes one with a time.
    fn time_of(&mut self, event: usize, parameter: &'static str) -> Answer<f64> {
        let of = &self.api.events.0[event];
        let why = match (of.timed, &of.recorded) {
            (true, Some((_, time))) => return Ok(*time),
            (true, None) => "nothing has recorded it: `cudaEventRecord` comes first",
            (false, _) => "it was created with `cudaEventDisableTiming`, and has no time",
        };
        self.refuse(Status::INVALID_RESOURCE_HANDLE, parameter, why)
    }

    /// Has a stream wait for an event.
    pub(super) fn wait_now(&mut self, event: usize, stream: usize) {
        if let Some((clock, time)) = self.api.events.recorded(event) {
            let stream = &mut self.api.streams.all[stream];
            stream.clock.join(&clock);
            stream.end_ns = stream.end_ns.max(time);
        }
    }
}

/// `cudaEventSynchronize(event)`.
pub(super) fn synchronize(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let event = call.event(a[0])?;
    call.check_captured(call.api.events.captured(event).as_ref())?;
    call.check_unsafe()?;
    if let Some((clock, time)) = call.api.events.recorded(event) {
        call.wait(&clock, time)?;
    }
    Ok(0)
}

/// `cudaEventQuery(event)`.
pub(super) fn query(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let event = call.event(a[0])?;
    call.check_captured(call.api.events.captured(event).as_ref())?;
    call.check_unsafe()?;
    match call.api.events.recorded(event) {
        Some((clock, time)) => call.done(&clock, time),
        None => Ok(0),
    }
}

/// `cudaEventDestroy(event)`.
pub(super) fn destroy(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let event = call.event(a[0])?;
    call.api.events.0[event].destroyed = Some(call.site);
    Ok(0)
}

/// `cudaEventElapsedTime(ms, start, end)`: of modelled times.
pub(super) fn elapsed_time(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let to = call.pointer(a[0], "ms")?;
    let (start, end) = (call.event(a[1])?, call.event(a[2])?);
    for event in [start, end] {
        call.check_captured(call.api.events.captured(event).as_ref())?;
    }
    if call.api.errors.fault.is_some() {
        call.wait_for_all()?;
    }
    let (from, until) = (call.time_of(start, "start")?, call.time_of(end, "end")?);
    if from.max(until) > call.api.streams.host_ns {
        let parameter = if until > call.api.streams.host_ns { "end" } else { "start" };
        let why = "it is not done: `cudaEventSynchronize` waits for it".to_owned();
        call.note(Kind::BadArgument { parameter, why });
        return Err(Status::NOT_READY.into());
    }
    call.put(to, (((until - from) / 1e6) as f32).to_le_bytes())?;
    Ok(0)
}
