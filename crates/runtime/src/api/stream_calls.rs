//! Streams: made, waited for, asked, destroyed; and functions of the host that they call.

use super::events::EXTERNAL;
use super::finding::Kind;
use super::streams::{Engine, LEGACY, PER_THREAD};
use super::work::Work;
use super::{Answer, Call, Deferred, Status, low};

/// Handles of streams: their number after these bits, which no address has.
const HANDLES: u64 = 0x8001_0000_0000_0000;
/// `cudaStreamNonBlocking`.
const NON_BLOCKING: u32 = 1;
/// The range of priorities on every chip since compute capability 7.0, lowest first.
pub(super) const PRIORITIES: (i32, i32) = (0, -5);

impl Call<'_> {
    /// The stream of a handle.
    pub(super) fn stream(&mut self, handle: u64) -> Answer<usize> {
        let at = match handle {
            0 | 1 => LEGACY,
            2 => PER_THREAD,
            _ => (handle ^ HANDLES) as usize,
        };
        match self.api.streams.all.get(at) {
            Some(stream) if stream.destroyed.is_none() && (at > PER_THREAD || handle <= 2) => Ok(at),
            found => {
                let destroyed = found.filter(|_| at > PER_THREAD).and_then(|stream| stream.destroyed);
                self.found(Kind::BadHandle { what: "stream", destroyed });
                Err(Status::INVALID_RESOURCE_HANDLE.into())
            }
        }
    }

    fn create_stream(&mut self, to: u64, flags: u32, priority: i32) -> Answer {
        let to = self.pointer(to, "pStream")?;
        if flags & !NON_BLOCKING != 0 {
            return self.refuse(Status::INVALID_VALUE, "flags", format!("{flags:#x} has unknown bits"));
        }
        let priority = priority.clamp(PRIORITIES.1, PRIORITIES.0);
        let at = self.api.streams.create(flags & NON_BLOCKING == 0, priority);
        self.put(to, (HANDLES | at as u64).to_le_bytes())?;
        Ok(0)
    }

    /// Has a function of the program called when a stream is there.
    pub(super) fn call_now(&mut self, stream: usize, function: u64, arguments: &[u64]) -> Answer {
        match self.api.errors.fault {
            // What comes after a fault is not done any more.
            Some(_) => Ok(0),
            None => self.call_always(stream, function, arguments),
        }
    }

    fn call_always(&mut self, stream: usize, function: u64, arguments: &[u64]) -> Answer {
        let placed = self.api.streams.enqueue(stream, Engine::None, 0.0);
        // The function sees what its stream has done; the host does not wait.
        self.api.settle_before(&placed.clock, self.guest)?;
        self.api.callbacks.push_back(Deferred::Call(function, arguments.to_vec()));
        Ok(0)
    }
}

/// `cudaStreamCreate(pStream)`.
pub(super) fn create(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.create_stream(a[0], 0, 0)
}

/// `cudaStreamCreateWithFlags(pStream, flags)`.
pub(super) fn create_with_flags(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.create_stream(a[0], low(a[1]), 0)
}

/// `cudaStreamCreateWithPriority(pStream, flags, priority)`.
pub(super) fn create_with_priority(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.create_stream(a[0], low(a[1]), low(a[2]).cast_signed())
}

/// `cudaStreamDestroy(stream)`: what it has to do is still done.
pub(super) fn destroy(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let at = call.stream(a[0])?;
    if at <= PER_THREAD {
        return call.refuse(
            Status::INVALID_RESOURCE_HANDLE,
            "stream",
            "a default stream cannot be destroyed",
        );
    }
    call.uncaptured(at, "a stream cannot be destroyed while it is capturing")?;
    call.api.streams.all[at].destroyed = Some(call.site);
    Ok(0)
}

/// `cudaStreamSynchronize(stream)`.
pub(super) fn synchronize(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let at = call.stream(a[0])?;
    call.uncaptured(at, "the host cannot wait for a capturing stream, which has nothing to do yet")?;
    call.check_unsafe()?;
    call.wait_for(at)?;
    Ok(0)
}

/// `cudaStreamQuery(stream)`: by the modelled times, whether it is done.
pub(super) fn query(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let at = call.stream(a[0])?;
    call.uncaptured(at, "a capturing stream has nothing to do yet that could be done")?;
    call.check_unsafe()?;
    let (clock, end) = call.api.streams.all_of(at);
    call.done(&clock, end)
}

/// `cudaStreamWaitEvent(stream, event, flags)`.
pub(super) fn wait_event(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let at = call.stream(a[0])?;
    let event = call.event(a[1])?;
    match low(a[2]) {
        0 => {
            let captured = call.api.events.captured(event);
            let recorded = call.api.events.recorded(event).is_some();
            if !call.wait_captured(at, captured.as_ref(), recorded)? {
                call.wait_now(event, at);
            }
        }
        EXTERNAL if call.is_captured(at)? => {
            call.record(at, Work::Wait { event: a[1] })?;
        }
        flags => {
            return call.refuse(Status::INVALID_VALUE, "flags", format!("{flags:#x} is not allowed here"));
        }
    }
    Ok(0)
}

/// `cudaStreamGetPriority(hStream, priority)`.
pub(super) fn get_priority(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let at = call.stream(a[0])?;
    let to = call.pointer(a[1], "priority")?;
    let priority = call.api.streams.all[at].priority;
    call.put(to, priority.to_le_bytes())?;
    Ok(0)
}

/// `cudaStreamGetFlags(hStream, flags)`.
pub(super) fn get_flags(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let at = call.stream(a[0])?;
    let to = call.pointer(a[1], "flags")?;
    let flags = if call.api.streams.all[at].blocking { 0 } else { NON_BLOCKING };
    call.put(to, flags.to_le_bytes())?;
    Ok(0)
}

/// `cudaStreamAddCallback(stream, callback, userData, flags)`.
pub(super) fn add_callback(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let at = call.stream(a[0])?;
    call.pointer(a[1], "callback")?;
    if low(a[3]) != 0 {
        return call.refuse(Status::INVALID_VALUE, "flags", "they must be 0");
    }
    call.uncaptured(at, "callbacks cannot be captured: use `cudaLaunchHostFunc`")?;
    let status = call.api.errors.fault.or(call.api.errors.sticky).unwrap_or(Status::SUCCESS);
    // It is called with an error, too.
    call.call_always(at, a[1], &[a[0], u64::from(status.0), a[2]])
}

/// `cudaLaunchHostFunc(stream, fn, userData)`.
pub(super) fn launch_host_func(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let at = call.stream(a[0])?;
    call.pointer(a[1], "fn")?;
    if call.is_captured(at)? {
        return call.record(at, Work::Call { function: a[1], arguments: vec![a[2]] });
    }
    call.call_now(at, a[1], &[a[2]])
}

/// `__cudaBeginThread()`: a thread of the program begins. It may call the API, though a function that a stream calls has started it;
/// whether one has.
pub(super) fn begin_thread(call: &mut Call<'_>, _: &[u64]) -> Answer {
    Ok(u64::from(std::mem::take(&mut call.api.in_callback)))
}

/// `__cudaEndThread(callback)`: it ends, and `callback` is what it began with.
pub(super) fn end_thread(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.api.in_callback = low(a[0]) != 0;
    Ok(0)
}
