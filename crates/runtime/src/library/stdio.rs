//! `printf` and the other functions that write to streams.
//!
//! Enters: streams, templates, bytes. Leaves: bytes to the streams; -1 or `EOF` and `errno` where that fails.

use super::{
    Does, Library, Place, Row,
    errno::{self, Errno},
    finding::{Event, Mistake},
    format::format,
    memory::{arguments, bytes, from_int, put_text},
    row,
};
use crate::guest::{Guest, Signal};

/// `EOF`.
pub(super) const EOF: i32 = -1;

pub(super) const ROWS: &[Row] = &[
    row("printf", "ip.", |library, guest, given| {
        let [template, cells] = arguments(given);
        library.print_formatted(guest, "printf", None, template, cells)
    }),
    row("vprintf", "ipp", |library, guest, given| {
        let [template, cells] = arguments(given);
        library.print_formatted(guest, "vprintf", None, template, cells)
    }),
    row("fprintf", "ipp.", |library, guest, given| {
        let [stream, template, cells] = arguments(given);
        library.print_formatted(guest, "fprintf", Some(stream), template, cells)
    }),
    row("vfprintf", "ippp", |library, guest, given| {
        let [stream, template, cells] = arguments(given);
        library.print_formatted(guest, "vfprintf", Some(stream), template, cells)
    }),
    row("sprintf", "ipp.", |library, guest, given| {
        let [to, template, cells] = arguments(given);
        library.print_to_memory(guest, "sprintf", to, u64::MAX, template, cells)
    }),
    row("vsprintf", "ippp", |library, guest, given| {
        let [to, template, cells] = arguments(given);
        library.print_to_memory(guest, "vsprintf", to, u64::MAX, template, cells)
    }),
    row("snprintf", "iplp.", |library, guest, given| {
        let [to, size, template, cells] = arguments(given);
        library.print_to_memory(guest, "snprintf", to, size, template, cells)
    }),
    row("vsnprintf", "iplpp", |library, guest, given| {
        let [to, size, template, cells] = arguments(given);
        library.print_to_memory(guest, "vsnprintf", to, size, template, cells)
    }),
    row("puts", "ip", |library, guest, given| {
        let [text] = arguments(given);
        let mut text = library.text(guest, "puts", text)?;
        text.push(b'\n');
        library.put(guest, "puts", None, &text)
    }),
    row("fputs", "ipp", |library, guest, given| {
        let [text, stream] = arguments(given);
        let text = library.text(guest, "fputs", text)?;
        library.put(guest, "fputs", Some(stream), &text)
    }),
    row("putchar", "ii", |library, guest, given| library.put_char(guest, "putchar", given, None)),
    row("putc", "iip", |library, guest, given| library.put_char(guest, "putc", given, given.get(1).copied())),
    row("fputc", "iip", |library, guest, given| {
        library.put_char(guest, "fputc", given, given.get(1).copied())
    }),
    row("fwrite", "lpllp", fwrite),
    row("fflush", "ip", fflush),
    row("setvbuf", "ippil", |library, guest, given| {
        const UNBUFFERED: u64 = 2;
        let [stream, _, mode] = arguments(given);
        library.set_buffer(guest, "setvbuf", stream, mode & 0xFFFF_FFFF == UNBUFFERED)
    }),
    row("setbuf", "vpp", |library, guest, given| {
        let [stream, buffer] = arguments(given);
        library.set_buffer(guest, "setbuf", stream, buffer == 0)
    }),
    row("perror", "vp", perror),
    row("__standard_stream", "pi", |library, guest, given| {
        let [number] = arguments(given);
        library.standard(guest, number as i32)
    }),
];

fn fwrite(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [from, size, count, stream] = arguments(given);
    let Some(total) = size.checked_mul(count) else { return Ok(0) };
    if total == 0 {
        return Ok(0);
    }
    library.check_use(guest, "fwrite", from);
    let bytes = bytes(guest, from, total)?;
    let failed = library.put(guest, "fwrite", Some(stream), &bytes)? == from_int(EOF);
    Ok(if failed { 0 } else { count })
}

fn fflush(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [stream] = arguments(given);
    if stream == 0 {
        library.io.flush_all()?;
        return Ok(0);
    }
    if !library.stream(guest, "fflush", stream)? {
        return Ok(from_int(EOF));
    }
    match library.io.flush(stream)? {
        Ok(()) => Ok(0),
        Err(error) => library.fail(guest, error, EOF),
    }
}

fn perror(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [before] = arguments(given);
    let number = library.errno(guest)?;
    let mut line = if before == 0 { vec![] } else { guest.read_text(before)? };
    if !line.is_empty() {
        line.extend(b": ");
    }
    line.extend(errno_text(number).as_bytes());
    line.push(b'\n');
    let stream = library.standard(guest, 2)?;
    library.put(guest, "perror", Some(stream), &line)?;
    Ok(0)
}

/// Text of an error's number, as `strerror` has it.
pub(super) fn errno_text(number: i32) -> String {
    errno::text(number).map_or_else(|| format!("Unknown error {number}"), str::to_owned)
}

/// Bytes of glibc's `FILE`, of which nothing is in the program's memory but the address.
pub(super) const FILE_BYTES: u64 = 216;

impl Library {
    /// Sets `errno` and gives what a function returns then.
    pub(super) fn fail(&mut self, guest: &mut dyn Guest, error: Errno, result: i32) -> Result<u64, Signal> {
        self.set_errno(guest, error)?;
        Ok(from_int(result))
    }

    /// Address of `stdin`, `stdout` or `stderr`.
    pub(super) fn standard(&mut self, guest: &mut dyn Guest, number: i32) -> Result<u64, Signal> {
        let new = !self.places.contains_key(&Place::Standard(number));
        let address = self.place(guest, Place::Standard(number), FILE_BYTES)?;
        if new {
            self.io.enter(address, number, guest.site());
        }
        Ok(address)
    }

    /// Whether an address is a stream; if not, reports it.
    ///
    /// # Errors
    /// [`Signal::Segmentation`] where it never was one: there glibc reads what is not there.
    pub(super) fn stream(
        &mut self,
        guest: &mut dyn Guest,
        function: &'static str,
        stream: u64,
    ) -> Result<bool, Signal> {
        if self.io.streams.contains_key(&stream) {
            return Ok(true);
        }
        if let Some((opened, closed)) = self.io.closed.get(&stream).copied() {
            let others = vec![(Event::Opened, opened), (Event::Closed, closed)];
            let message = format!("`{function}`: the stream was closed");
            self.report(guest, Mistake::BadStream, function, others, message);
            self.set_errno(guest, Errno::EBADF)?;
            return Ok(false);
        }
        let message = match stream {
            0 => format!("`{function}`: the stream is a null pointer; did `fopen` fail?"),
            _ => format!("`{function}`: {stream:#x} is not a stream"),
        };
        self.report(guest, Mistake::BadStream, function, vec![], message);
        Err(Signal::Segmentation { address: stream, bytes: FILE_BYTES })
    }

    /// Writes to a stream, or to standard output; the number of bytes, or `EOF`.
    pub(super) fn put(
        &mut self,
        guest: &mut dyn Guest,
        function: &'static str,
        stream: Option<u64>,
        bytes: &[u8],
    ) -> Result<u64, Signal> {
        let stream = match stream {
            Some(stream) => stream,
            None => self.standard(guest, 1)?,
        };
        if !self.stream(guest, function, stream)? {
            return Ok(from_int(EOF));
        }
        match self.io.put_stream(stream, bytes)? {
            Ok(()) => Ok(from_int(i32::try_from(bytes.len()).unwrap_or(i32::MAX))),
            Err(error) => self.fail(guest, error, EOF),
        }
    }

    /// Standard output is passed on by lines, or as it is written; of files no one sees when they are.
    fn set_buffer(
        &mut self,
        guest: &mut dyn Guest,
        function: &'static str,
        stream: u64,
        unbuffered: bool,
    ) -> Result<u64, Signal> {
        if self.stream(guest, function, stream)? && self.io.streams[&stream].descriptor == 1 {
            self.io.by_lines = !unbuffered;
        }
        Ok(0)
    }

    fn put_char(
        &mut self,
        guest: &mut dyn Guest,
        function: &'static str,
        given: &[u64],
        stream: Option<u64>,
    ) -> Result<u64, Signal> {
        let [byte] = arguments(given);
        let written = self.put(guest, function, stream, &[byte as u8])?;
        Ok(if written == from_int(EOF) { written } else { byte & 0xFF })
    }

    fn print_formatted(
        &mut self,
        guest: &mut dyn Guest,
        function: &'static str,
        stream: Option<u64>,
        template: u64,
        cells: u64,
    ) -> Result<u64, Signal> {
        match format(self, guest, function, template, cells)? {
            Ok(bytes) => self.put(guest, function, stream, &bytes),
            Err(error) => self.fail(guest, error, -1),
        }
    }

    fn print_to_memory(
        &mut self,
        guest: &mut dyn Guest,
        function: &'static str,
        to: u64,
        size: u64,
        template: u64,
        cells: u64,
    ) -> Result<u64, Signal> {
        let bytes = match format(self, guest, function, template, cells)? {
            Ok(bytes) => bytes,
            Err(error) => return self.fail(guest, error, -1),
        };
        if let Some(most) = size.checked_sub(1) {
            let kept = bytes.len().min(usize::try_from(most).unwrap_or(usize::MAX));
            self.check_range(guest, function, to, kept as u64 + 1, Does::Writes);
            put_text(guest, to, &bytes[..kept])?;
        }
        Ok(from_int(i32::try_from(bytes.len()).unwrap_or(i32::MAX)))
    }
}
