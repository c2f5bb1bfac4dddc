//! Capture: what streams are given becomes nodes of a graph instead of being done.
//!
//! Enters: streams that begin and end a capture, events that carry it from stream to stream. Leaves: graphs, and CUDA's errors for
//! what a capture does not allow. What the nodes do is not known here.

use super::finding::Kind;
use super::graph_calls::{graph_handle, too_many};
use super::streams::{Capturing, LEGACY};
use super::work::Work;
use super::{Answer, Call, Status, low};
use crate::guest::Site;

/// What else a thread may call during a capture: `cudaStreamCaptureMode`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mode {
    #[default]
    Global,
    ThreadLocal,
    Relaxed,
}

impl Mode {
    fn of(number: u32) -> Option<Mode> {
        [Mode::Global, Mode::ThreadLocal, Mode::Relaxed].get(number as usize).copied()
    }
}

/// A capture.
#[derive(Clone, Debug)]
struct Capture {
    graph: usize,
    /// The stream that began it, and where.
    origin: usize,
    began: Site,
    mode: Mode,
    valid: bool,
    ended: bool,
}

/// All captures, and the mode of the thread.
#[derive(Debug, Default)]
pub(super) struct Captures {
    all: Vec<Capture>,
    thread: Mode,
}

/// Calls of which the manual says that they may be unsafe while a capture is not in relaxed mode: they wait, or allocate. Copies and sets
/// that wait are work of the default stream, and no more than that (CUDA 13.0 on an H200).
const UNSAFE: [&str; 18] = [
    "cudaFree",
    "cudaFreeArray",
    "cudaFreeHost",
    "cudaFreeMipmappedArray",
    "cudaHostAlloc",
    "cudaHostRegister",
    "cudaHostUnregister",
    "cudaMalloc",
    "cudaMalloc3D",
    "cudaMalloc3DArray",
    "cudaMallocArray",
    "cudaMallocHost",
    "cudaMallocManaged",
    "cudaMallocPitch",
    "cudaMemPoolDestroy",
    "cudaMemPoolTrimTo",
    "cudaMemPrefetchAsync",
    "cudaMemAdvise",
];
/// Calls that concern all streams of the device.
const OF_THE_DEVICE: [&str; 4] =
    ["cudaDeviceReset", "cudaDeviceSynchronize", "cudaThreadExit", "cudaThreadSynchronize"];

/// Why an event is an invalid value to CUDA 13.0 once its capture has ended.
const OF_ENDED: &str = "the event was recorded in a capture that has ended: it is never done";

impl Captures {
    /// Whether a stream is in a capture, or was when the program forgot to end it.
    pub(super) fn active(&self) -> bool {
        self.all.iter().any(|one| !one.ended)
    }
}

impl Call<'_> {
    /// Whether the function may be called at all while streams are capturing.
    pub(super) fn check_captures(&mut self) -> Answer<()> {
        if !self.api.captures.active() {
            return Ok(());
        }
        if OF_THE_DEVICE.contains(&self.name) {
            return self.prohibited(|_| true, "it concerns all streams, and one is capturing");
        }
        if UNSAFE.contains(&self.name) { self.check_unsafe() } else { Ok(()) }
    }

    /// Whether what may wait or allocate may be called while streams are capturing.
    pub(super) fn check_unsafe(&mut self) -> Answer<()> {
        if self.api.captures.thread == Mode::Relaxed {
            return Ok(());
        }
        let why = "it may wait for the device, which a capture only allows in the mode `cudaStreamCaptureModeRelaxed`";
        self.prohibited(|one| one.mode != Mode::Relaxed, why)
    }

    fn prohibited(&mut self, by: impl Fn(&Capture) -> bool, why: &'static str) -> Answer<()> {
        let mut first = None;
        for (at, one) in self.api.captures.all.iter_mut().enumerate().filter(|(_, one)| !one.ended && by(one))
        {
            one.valid = false;
            first = first.or(Some(at));
        }
        match first {
            Some(at) => self.refuse_in(at, Status::STREAM_CAPTURE_UNSUPPORTED, why),
            None => Ok(()),
        }
    }

    /// The error of a call that a capture does not allow.
    fn refuse_in<T>(&mut self, capture: usize, status: Status, why: &'static str) -> Answer<T> {
        let began = self.api.captures.all.get(capture).map(|one| one.began);
        self.found(Kind::InCapture { status, why, began });
        Err(status.into())
    }

    /// The same, after which the capture's graph cannot be had any more.
    fn invalidate<T>(&mut self, capture: usize, status: Status, why: &'static str) -> Answer<T> {
        self.api.captures.all[capture].valid = false;
        self.refuse_in(capture, status, why)
    }

    /// Whether what a stream is given becomes nodes of a capture.
    pub(super) fn is_captured(&mut self, stream: usize) -> Answer<bool> {
        if !self.api.captures.active() {
            return Ok(false);
        }
        if stream == LEGACY
            && let Some(capture) = self.blocking_capture()
        {
            let why = "the default stream waits for the capturing stream, which was not created with `cudaStreamNonBlocking`";
            return self.invalidate(capture, Status::STREAM_CAPTURE_IMPLICIT, why);
        }
        match &self.api.streams.all[stream].capturing {
            None => Ok(false),
            Some(Capturing { capture, .. }) if self.api.captures.all[*capture].valid => Ok(true),
            Some(Capturing { .. }) => Err(Status::STREAM_CAPTURE_INVALIDATED.into()),
        }
    }

    /// A capture in which a stream is that waits for the default one.
    fn blocking_capture(&self) -> Option<usize> {
        let mut blocking = self.api.streams.all.iter().filter(|one| one.blocking);
        blocking.find_map(|one| Some(one.capturing.as_ref()?.capture))
    }

    /// A stream of which nothing can be captured that this call does.
    pub(super) fn uncaptured(&mut self, stream: usize, why: &'static str) -> Answer<()> {
        if self.is_captured(stream)?
            && let Some(Capturing { capture, .. }) = self.api.streams.all[stream].capturing
        {
            return self.invalidate(capture, Status::STREAM_CAPTURE_UNSUPPORTED, why);
        }
        Ok(())
    }

    /// What a capturing stream is given cannot be done as it is written: the capture's graph cannot be had any more.
    pub(super) fn spoil_capture(&mut self, stream: usize) {
        if let Some(Capturing { capture, .. }) = self.api.streams.all[stream].capturing {
            self.api.captures.all[capture].valid = false;
        }
    }

    /// Makes a node of what a capturing stream is given.
    pub(super) fn record(&mut self, stream: usize, work: Work) -> Answer {
        let Some(Capturing { capture, nodes }) = self.api.streams.all[stream].capturing.clone() else {
            return Ok(0);
        };
        let graph = self.api.captures.all[capture].graph;
        let node = self.add_node(graph, work, nodes)?;
        if let Some(capturing) = &mut self.api.streams.all[stream].capturing {
            capturing.nodes = vec![node];
        }
        Ok(0)
    }

    /// Adds a node to a graph.
    pub(super) fn add_node(&mut self, graph: usize, work: Work, before: Vec<usize>) -> Answer<usize> {
        let place = (self.name, self.site);
        self.api.graphs.add(graph, work, before, place).ok_or_else(too_many)
    }

    /// What an event on a capturing stream records; nothing on another.
    pub(super) fn captured_event(&mut self, stream: usize) -> Answer<Option<Capturing>> {
        if !self.is_captured(stream)? {
            return Ok(None);
        }
        Ok(self.api.streams.all[stream].capturing.clone())
    }

    /// A stream waits for an event; whether a capture has noted it. `captured` is what the event recorded, if that was in a capture.
    pub(super) fn wait_captured(
        &mut self,
        stream: usize,
        captured: Option<&Capturing>,
        recorded: bool,
    ) -> Answer<bool> {
        let capturing = self.is_captured(stream)?;
        let Some(Capturing { capture, nodes }) = captured else {
            if capturing
                && recorded
                && let Some(Capturing { capture, .. }) = self.api.streams.all[stream].capturing
            {
                let why = "the event was recorded outside the capture, which cannot wait for it";
                return self.invalidate(capture, Status::STREAM_CAPTURE_ISOLATION, why);
            }
            return Ok(capturing);
        };
        let (capture, of) = (*capture, &self.api.captures.all[*capture]);
        if of.ended {
            return self.refuse_in(capture, Status::INVALID_VALUE, OF_ENDED);
        }
        if !of.valid {
            return Err(Status::STREAM_CAPTURE_INVALIDATED.into());
        }
        match &mut self.api.streams.all[stream].capturing {
            Some(mine) if mine.capture == capture => {
                mine.nodes.extend(nodes);
                mine.nodes.sort_unstable();
                mine.nodes.dedup();
            }
            Some(mine) => {
                let other = mine.capture;
                self.api.captures.all[other].valid = false;
                let why = "the event is of another capture, and captures cannot be joined";
                return self.invalidate(capture, Status::STREAM_CAPTURE_MERGE, why);
            }
            none if stream > LEGACY => *none = Some(Capturing { capture, nodes: nodes.clone() }),
            None => {
                let why = "the default stream cannot be captured";
                return self.invalidate(capture, Status::STREAM_CAPTURE_IMPLICIT, why);
            }
        }
        Ok(true)
    }

    /// The error of asking for an event that a capture recorded.
    pub(super) fn check_captured(&mut self, captured: Option<&Capturing>) -> Answer<()> {
        let Some(Capturing { capture, .. }) = captured else { return Ok(()) };
        let why = "the event was recorded in a capture: it is never done";
        match self.api.captures.all[*capture].ended {
            true => self.refuse_in(*capture, Status::INVALID_VALUE, OF_ENDED),
            false => self.invalidate(*capture, Status::CAPTURED_EVENT, why),
        }
    }

    fn begin(&mut self, stream: u64, mode: u64, graph: Option<(usize, Vec<usize>)>) -> Answer {
        let at = self.stream(stream)?;
        let Some(mode) = Mode::of(low(mode)) else {
            return self.refuse(Status::INVALID_VALUE, "mode", format!("{} is not one", low(mode)));
        };
        if at == LEGACY {
            let why = "the default stream cannot be captured: create one, or use `cudaStreamPerThread`";
            self.found(Kind::InCapture { status: Status::STREAM_CAPTURE_UNSUPPORTED, why, began: None });
            return Err(Status::STREAM_CAPTURE_UNSUPPORTED.into());
        }
        if let Some(Capturing { capture, .. }) = self.api.streams.all[at].capturing {
            return self.refuse_in(capture, Status::ILLEGAL_STATE, "the stream is capturing already");
        }
        let (graph, nodes) = graph.unwrap_or_else(|| (self.api.graphs.create(false), vec![]));
        let capture = self.api.captures.all.len();
        self.api.captures.all.push(Capture {
            graph,
            origin: at,
            began: self.site,
            mode,
            valid: true,
            ended: false,
        });
        self.api.streams.all[at].capturing = Some(Capturing { capture, nodes });
        Ok(0)
    }

    /// Ends a capture; its graph.
    fn end(&mut self, stream: usize) -> Answer<usize> {
        let Some(Capturing { capture, nodes }) = self.api.streams.all[stream].capturing.clone() else {
            let (status, why) = (Status::ILLEGAL_STATE, "the stream is not capturing");
            self.found(Kind::InCapture { status, why, began: None });
            return Err(status.into());
        };
        let Capture { graph, origin, valid, .. } = self.api.captures.all[capture];
        if origin != stream {
            let why = "another stream has begun the capture, and must end it";
            return self.invalidate(capture, Status::STREAM_CAPTURE_UNMATCHED, why);
        }
        let of_it = |one: &super::streams::Stream| {
            one.capturing.clone().filter(|one| one.capture == capture).map(|one| one.nodes)
        };
        let others: Vec<Vec<usize>> = self.api.streams.all.iter().filter_map(of_it).collect();
        for one in &mut self.api.streams.all {
            one.capturing.take_if(|one| one.capture == capture);
        }
        self.api.captures.all[capture].ended = true;
        if !valid {
            // What has made it so was reported.
            return Err(Status::STREAM_CAPTURE_INVALIDATED.into());
        }
        if !others.iter().all(|other| self.api.graphs.reach(&nodes, other)) {
            let why = "a stream that joined it has work that the capturing stream does not wait for: record an event after that, \
                       and wait for it";
            return self.invalidate(capture, Status::STREAM_CAPTURE_UNJOINED, why);
        }
        Ok(graph)
    }
}

/// `cudaStreamBeginCapture(stream, mode)`.
pub(super) fn begin(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.begin(a[0], a[1], None)
}

/// `cudaStreamBeginCaptureToGraph(stream, graph, dependencies, dependencyData, numDependencies, mode)`.
pub(super) fn begin_to_graph(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let graph = call.graph(a[1])?;
    let nodes = call.nodes_of(graph, a[2], a[4])?;
    call.begin(a[0], a[5], Some((graph, nodes)))
}

/// `cudaStreamEndCapture(stream, pGraph)`.
pub(super) fn end(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let at = call.stream(a[0])?;
    let to = call.pointer(a[1], "pGraph")?;
    let ended = call.end(at);
    let handle = ended.as_ref().map_or(0, |graph| graph_handle(*graph));
    call.put(to, handle.to_le_bytes())?;
    ended.map(|_| 0)
}

/// `cudaStreamIsCapturing(stream, pCaptureStatus)`.
pub(super) fn is_capturing(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let at = call.stream(a[0])?;
    let to = call.pointer(a[1], "pCaptureStatus")?;
    let status = call.status_of(at)?;
    call.put(to, status.to_le_bytes())?;
    Ok(0)
}

impl Call<'_> {
    /// A stream's `cudaStreamCaptureStatus`.
    fn status_of(&mut self, stream: usize) -> Answer<u32> {
        if stream == LEGACY && self.blocking_capture().is_some() {
            // To ask does not harm the capture.
            return Err(Status::STREAM_CAPTURE_IMPLICIT.into());
        }
        let capturing = self.api.streams.all[stream].capturing.as_ref();
        Ok(match capturing.map(|one| self.api.captures.all[one.capture].valid) {
            None => 0,
            Some(true) => 1,
            Some(false) => 2,
        })
    }
}

/// `cudaStreamGetCaptureInfo(stream, captureStatus_out, id_out, graph_out, dependencies_out, edgeData_out, numDependencies_out)`.
pub(super) fn info(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let at = call.stream(a[0])?;
    let to = call.pointer(a[1], "captureStatus_out")?;
    let status = call.status_of(at)?;
    call.put(to, status.to_le_bytes())?;
    let Some(Capturing { capture, nodes }) =
        call.api.streams.all[at].capturing.clone().filter(|_| status == 1)
    else {
        return Ok(0);
    };
    let graph = graph_handle(call.api.captures.all[capture].graph);
    for (to, value) in [(a[2], capture as u64 + 1), (a[3], graph), (a[5], 0), (a[6], nodes.len() as u64)] {
        if to != 0 {
            call.put(to, value.to_le_bytes())?;
        }
    }
    if a[4] != 0 {
        let list = call.list(&nodes)?;
        call.put(a[4], list.to_le_bytes())?;
    }
    Ok(0)
}

/// `cudaStreamUpdateCaptureDependencies(stream, dependencies, dependencyData, numDependencies, flags)`.
pub(super) fn update_dependencies(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let at = call.stream(a[0])?;
    let true = call.is_captured(at)? else { return Err(Status::ILLEGAL_STATE.into()) };
    let Some(Capturing { capture, nodes }) = call.api.streams.all[at].capturing.clone() else { return Ok(0) };
    let graph = call.api.captures.all[capture].graph;
    let mut new = call.nodes_of(graph, a[1], a[3])?;
    match low(a[4]) {
        0 => new.extend(nodes),
        1 => {}
        other => return call.refuse(Status::INVALID_VALUE, "flags", format!("{other} is not one")),
    }
    new.sort_unstable();
    new.dedup();
    call.api.streams.all[at].capturing = Some(Capturing { capture, nodes: new });
    Ok(0)
}

/// `cudaThreadExchangeStreamCaptureMode(mode)`.
pub(super) fn exchange_mode(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let to = call.pointer(a[0], "mode")?;
    let number = call.get_u32(to)?;
    let Some(mode) = Mode::of(number) else {
        return call.refuse(Status::INVALID_VALUE, "mode", format!("{number} is not one"));
    };
    let before = std::mem::replace(&mut call.api.captures.thread, mode);
    call.put(to, (before as u32).to_le_bytes())?;
    Ok(0)
}
