//! Descriptors and streams: what `open` and `fopen` give out, and the bytes that go through them.
//!
//! Enters: bytes and positions. Leaves: bytes to files, to standard output and to standard error; the numbers of errors. This
//! module must never know of the program's memory, or of formats.
//!
//! Standard output is passed on by lines, and before anything else of the program is seen: what is written to standard error, a
//! read of standard input, the end. So both outputs have the order in which the program wrote them.

use super::{
    errno::Errno,
    files::{Access, File, FileSystem, InMemory},
};
use crate::guest::{Signal, Site};
use std::{
    collections::BTreeMap,
    io::{self, Read, Write},
};

/// One of the two standard outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Standard {
    /// Standard output.
    Out,
    /// Standard error.
    Error,
}

/// What takes a program's standard output and error, in the order in which they were written.
pub trait Output {
    /// Takes bytes.
    ///
    /// # Errors
    /// What keeps it from that, such as a closed pipe.
    fn write(&mut self, to: Standard, bytes: &[u8]) -> io::Result<()>;
}

/// The process's own standard output and error.
#[derive(Debug, Default)]
pub struct Process;

impl Output for Process {
    fn write(&mut self, to: Standard, bytes: &[u8]) -> io::Result<()> {
        match to {
            Standard::Out => io::stdout().write_all(bytes).and_then(|()| io::stdout().flush()),
            Standard::Error => io::stderr().write_all(bytes),
        }
    }
}

impl<F: FnMut(Standard, &[u8])> Output for F {
    fn write(&mut self, to: Standard, bytes: &[u8]) -> io::Result<()> {
        self(to, bytes);
        Ok(())
    }
}

/// What a descriptor is of.
enum Object {
    Input,
    Output(Standard),
    File(Box<dyn File>),
}

/// An open file, by a small number.
struct Descriptor {
    object: Object,
    /// Where the next access is.
    offset: u64,
    read: bool,
    write: bool,
    append: bool,
}

/// A stream: a descriptor with buffers.
#[derive(Debug)]
pub(super) struct Stream {
    pub(super) descriptor: i32,
    /// Bytes that were read ahead, and how many of them were taken.
    ahead: Vec<u8>,
    taken: usize,
    /// Bytes that `ungetc` put back, the next last.
    pushed: Vec<u8>,
    /// Bytes that are not written yet.
    pending: Vec<u8>,
    pub(super) eof: bool,
    pub(super) error: bool,
    /// Where it was opened.
    pub(super) opened: Site,
}

/// Bytes that are read ahead or kept for writing.
const BUFFER: usize = 1 << 16;
/// Descriptors that a program may have at a time.
const DESCRIPTORS: usize = 256;

/// All descriptors and streams of a program.
pub(super) struct Io {
    input: Box<dyn Read>,
    output: Box<dyn Output>,
    pub(super) files: Box<dyn FileSystem>,
    descriptors: Vec<Option<Descriptor>>,
    /// By the address that the program has for each.
    pub(super) streams: BTreeMap<u64, Stream>,
    /// Those that were closed: where they were opened and closed.
    pub(super) closed: BTreeMap<u64, (Site, Site)>,
    /// Standard output that was not passed on yet.
    line: Vec<u8>,
    /// Whether it is passed on by lines, not as it is written.
    pub(super) by_lines: bool,
    /// Bytes of both standard outputs so far, and the most; likewise of files.
    written: u64,
    most_output: u64,
    stored: u64,
    most_stored: u64,
}

/// A result whose outer error ends the program and whose inner one the program sees.
pub(super) type Outcome<T> = Result<Result<T, Errno>, Signal>;

impl Io {
    pub(super) fn new(
        input: Box<dyn Read>,
        output: Box<dyn Output>,
        files: Box<dyn FileSystem>,
        most_output: u64,
        most_stored: u64,
    ) -> Self {
        let standard =
            |object, read| Some(Descriptor { object, offset: 0, read, write: !read, append: false });
        Self {
            input,
            output,
            files,
            descriptors: vec![
                standard(Object::Input, true),
                standard(Object::Output(Standard::Out), false),
                standard(Object::Output(Standard::Error), false),
            ],
            streams: BTreeMap::new(),
            closed: BTreeMap::new(),
            line: vec![],
            by_lines: true,
            written: 0,
            most_output,
            stored: 0,
            most_stored,
        }
    }

    /// Writes to one of the standard outputs.
    pub(super) fn put(&mut self, to: Standard, bytes: &[u8]) -> Result<(), Signal> {
        self.written = self.written.saturating_add(bytes.len() as u64);
        let excess = self.written.saturating_sub(self.most_output);
        // What still fits is shown.
        let bytes = &bytes[..bytes.len().saturating_sub(excess as usize)];
        match to {
            Standard::Out => {
                self.line.extend(bytes);
                let whole = match bytes.iter().rposition(|byte| *byte == b'\n') {
                    _ if !self.by_lines => self.line.len(),
                    Some(end) => self.line.len() - (bytes.len() - end - 1),
                    None if self.line.len() >= BUFFER => self.line.len(),
                    None => 0,
                };
                if whole > 0 {
                    self.pass_on(whole)?;
                }
            }
            Standard::Error => {
                self.flush_output()?;
                self.output.write(to, bytes).map_err(|error| closed(&error))?;
            }
        }
        if excess > 0 {
            self.flush_output()?;
            let most = self.most_output;
            return Err(Signal::Limit(format!(
                "the program has written more than {most} bytes to its output"
            )));
        }
        Ok(())
    }

    /// Passes on what standard output has.
    pub(super) fn flush_output(&mut self) -> Result<(), Signal> {
        self.pass_on(self.line.len())
    }

    fn pass_on(&mut self, bytes: usize) -> Result<(), Signal> {
        if bytes > 0 {
            self.output.write(Standard::Out, &self.line[..bytes]).map_err(|error| closed(&error))?;
            self.line.drain(..bytes);
        }
        Ok(())
    }

    fn descriptor(&mut self, number: i32) -> Result<&mut Descriptor, Errno> {
        let at = usize::try_from(number).map_err(|_| Errno::EBADF)?;
        self.descriptors.get_mut(at).and_then(Option::as_mut).ok_or(Errno::EBADF)
    }

    /// Opens a file; its number.
    pub(super) fn open(&mut self, path: &str, access: Access, append: bool) -> Result<i32, Errno> {
        let file = self.files.open(path, access)?;
        self.enter_file(file, access, append)
    }

    fn enter_file(&mut self, file: Box<dyn File>, access: Access, append: bool) -> Result<i32, Errno> {
        let free = self.descriptors.iter().position(Option::is_none).unwrap_or(self.descriptors.len());
        if free >= DESCRIPTORS {
            return Err(Errno::EMFILE);
        }
        let object = Object::File(file);
        let new = Descriptor { object, offset: 0, read: access.read, write: access.write, append };
        if free == self.descriptors.len() {
            self.descriptors.push(None);
        }
        self.descriptors[free] = Some(new);
        Ok(free as i32)
    }

    /// Closes a descriptor.
    pub(super) fn close(&mut self, number: i32) -> Result<(), Errno> {
        self.descriptor(number)?;
        self.descriptors[number as usize] = None;
        Ok(())
    }

    /// Whether a descriptor is open for reading, and for writing.
    pub(super) fn access(&mut self, number: i32) -> Result<(bool, bool), Errno> {
        self.descriptor(number).map(|found| (found.read, found.write))
    }

    /// Size of an open file.
    pub(super) fn size(&mut self, number: i32) -> Result<u64, Errno> {
        match &mut self.descriptor(number)?.object {
            Object::File(file) => file.bytes(),
            Object::Input | Object::Output(_) => Ok(0),
        }
    }

    /// Bytes of a file at an offset, wherever its next access is.
    pub(super) fn read_at(&mut self, number: i32, offset: u64, count: u64) -> Result<Vec<u8>, Errno> {
        let found = self.descriptor(number)?;
        let Object::File(file) = &mut found.object else { return Err(Errno::ENODEV) };
        if !found.read {
            return Err(Errno::EACCES);
        }
        let mut bytes = vec![0; count as usize];
        let mut done = 0;
        while done < bytes.len() {
            match file.read_at(offset + done as u64, &mut bytes[done..])? {
                0 => break,
                read => done += read,
            }
        }
        bytes.truncate(done);
        Ok(bytes)
    }

    /// Reads through a descriptor; how many bytes.
    pub(super) fn read(&mut self, number: i32, bytes: &mut [u8]) -> Outcome<usize> {
        let found = match self.descriptor(number) {
            Ok(found) if found.read => found,
            _ => return Ok(Err(Errno::EBADF)),
        };
        match &mut found.object {
            Object::File(file) => {
                let count = file.read_at(found.offset, bytes);
                found.offset += count.unwrap_or(0) as u64;
                Ok(count)
            }
            Object::Input => {
                // What is asked is seen before the answer is waited for.
                self.flush_output()?;
                loop {
                    match self.input.read(bytes) {
                        Ok(count) => return Ok(Ok(count.min(bytes.len()))),
                        Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                        Err(_) => return Ok(Err(Errno::EIO)),
                    }
                }
            }
            Object::Output(_) => Ok(Err(Errno::EBADF)),
        }
    }

    /// Writes all through a descriptor.
    pub(super) fn write(&mut self, number: i32, bytes: &[u8]) -> Outcome<()> {
        let (stored, most) = (self.stored.saturating_add(bytes.len() as u64), self.most_stored);
        let found = match self.descriptor(number) {
            Ok(found) if found.write => found,
            _ => return Ok(Err(Errno::EBADF)),
        };
        match &mut found.object {
            Object::File(file) => {
                if found.append {
                    match file.bytes() {
                        Ok(end) => found.offset = end,
                        Err(error) => return Ok(Err(error)),
                    }
                }
                let end = found.offset.saturating_add(bytes.len() as u64);
                if stored > most || end > most {
                    return Err(Signal::Limit(format!(
                        "the program has written more than {most} bytes to files"
                    )));
                }
                if let Err(error) = file.write_at(found.offset, bytes) {
                    return Ok(Err(error));
                }
                found.offset = end;
                self.stored = stored;
            }
            Object::Output(to) => {
                let to = *to;
                self.put(to, bytes)?;
            }
            Object::Input => return Ok(Err(Errno::EBADF)),
        }
        Ok(Ok(()))
    }

    /// Moves a descriptor's position by `SEEK_SET`, `SEEK_CUR` or `SEEK_END`; the new one.
    pub(super) fn seek(&mut self, number: i32, by: i64, whence: i32) -> Result<u64, Errno> {
        let found = self.descriptor(number)?;
        let Object::File(file) = &mut found.object else { return Err(Errno::ESPIPE) };
        let from = match whence {
            0 => 0,
            1 => found.offset,
            2 => file.bytes()?,
            _ => return Err(Errno::EINVAL),
        };
        let to = i64::try_from(from).ok().and_then(|from| from.checked_add(by));
        found.offset = to.and_then(|to| u64::try_from(to).ok()).ok_or(Errno::EINVAL)?;
        Ok(found.offset)
    }

    /// Enters a stream under an address.
    pub(super) fn enter(&mut self, address: u64, descriptor: i32, opened: Site) {
        let stream = Stream {
            descriptor,
            ahead: vec![],
            taken: 0,
            pushed: vec![],
            pending: vec![],
            eof: false,
            error: false,
            opened,
        };
        self.streams.insert(address, stream);
        self.closed.remove(&address);
    }

    /// Writes to a stream; `EOF` as C has it is an error of it.
    pub(super) fn put_stream(&mut self, address: u64, bytes: &[u8]) -> Outcome<()> {
        if let Err(error) = self.forget_ahead(address) {
            return Ok(Err(error));
        }
        let Some(stream) = self.streams.get_mut(&address) else { return Ok(Err(Errno::EBADF)) };
        let number = stream.descriptor;
        if self.access(number).is_ok_and(|(_, write)| write) && !self.is_standard(number) {
            let Some(stream) = self.streams.get_mut(&address) else { return Ok(Err(Errno::EBADF)) };
            stream.pending.extend(bytes);
            return if stream.pending.len() >= BUFFER { self.flush(address) } else { Ok(Ok(())) };
        }
        let result = self.write(number, bytes)?;
        self.note(address, result)
    }

    fn is_standard(&mut self, number: i32) -> bool {
        self.descriptor(number).is_ok_and(|found| !matches!(found.object, Object::File(_)))
    }

    /// Notes an error at its stream.
    fn note<T>(&mut self, address: u64, result: Result<T, Errno>) -> Outcome<T> {
        if let (Err(_), Some(stream)) = (&result, self.streams.get_mut(&address)) {
            stream.error = true;
        }
        Ok(result)
    }

    /// Writes what a stream has kept.
    pub(super) fn flush(&mut self, address: u64) -> Outcome<()> {
        let Some(stream) = self.streams.get_mut(&address) else { return Ok(Err(Errno::EBADF)) };
        let (number, pending) = (stream.descriptor, std::mem::take(&mut stream.pending));
        if pending.is_empty() {
            if self.is_standard(number) {
                self.flush_output()?;
            }
            return Ok(Ok(()));
        }
        let result = self.write(number, &pending)?;
        self.note(address, result)
    }

    /// Writes what all streams have kept.
    pub(super) fn flush_all(&mut self) -> Result<(), Signal> {
        let all: Vec<u64> = self.streams.keys().copied().collect();
        for address in all {
            // The error is the stream's; there is no one to return it to.
            let _ = self.flush(address)?;
        }
        self.flush_output()
    }

    /// Sets a descriptor's position to where a stream is, and drops what was read ahead.
    fn forget_ahead(&mut self, address: u64) -> Result<(), Errno> {
        let Some(stream) = self.streams.get_mut(&address) else { return Err(Errno::EBADF) };
        let unread = stream.ahead.len() - stream.taken + stream.pushed.len();
        let number = stream.descriptor;
        if unread == 0 || self.is_standard(number) {
            return Ok(());
        }
        if let Some(stream) = self.streams.get_mut(&address) {
            stream.ahead.clear();
            stream.taken = 0;
            stream.pushed.clear();
        }
        let found = self.descriptor(number)?;
        found.offset = found.offset.saturating_sub(unread as u64);
        Ok(())
    }

    /// The next byte of a stream; nothing at its end.
    pub(super) fn next(&mut self, address: u64) -> Outcome<Option<u8>> {
        let mut one = [0];
        let count = self.take(address, &mut one)?;
        Ok(count.map(|count| (count == 1).then_some(one[0])))
    }

    /// Bytes of a stream; how many, fewer than asked for at its end only.
    pub(super) fn take(&mut self, address: u64, bytes: &mut [u8]) -> Outcome<usize> {
        let mut done = 0;
        while done < bytes.len() {
            let Some(stream) = self.streams.get_mut(&address) else { return Ok(Err(Errno::EBADF)) };
            if let Some(byte) = stream.pushed.pop() {
                bytes[done] = byte;
                done += 1;
                continue;
            }
            let there = &stream.ahead[stream.taken..];
            if !there.is_empty() {
                let count = there.len().min(bytes.len() - done);
                bytes[done..done + count].copy_from_slice(&there[..count]);
                stream.taken += count;
                done += count;
                continue;
            }
            match self.read_ahead(address)? {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) if done == 0 => return Ok(Err(error)),
                Err(_) => break,
            }
        }
        Ok(Ok(done))
    }

    /// Reads ahead; `false` at the end.
    fn read_ahead(&mut self, address: u64) -> Outcome<bool> {
        if let Err(error) = self.flush(address)? {
            return Ok(Err(error));
        }
        let Some(stream) = self.streams.get_mut(&address) else { return Ok(Err(Errno::EBADF)) };
        let number = stream.descriptor;
        let mut part = std::mem::take(&mut stream.ahead);
        part.resize(BUFFER, 0);
        let count = self.read(number, &mut part)?;
        part.truncate(count.unwrap_or(0));
        if let Some(stream) = self.streams.get_mut(&address) {
            stream.ahead = part;
            stream.taken = 0;
            stream.eof |= count == Ok(0);
        }
        self.note(address, count.map(|count| count > 0))
    }

    /// Opens a file without a name, which is gone when it is closed; its number.
    pub(super) fn open_temporary(&mut self) -> Result<i32, Errno> {
        let access = Access { read: true, write: true, create: true, exclusive: true, truncate: false };
        let file = InMemory::default().open("temporary", access)?;
        self.enter_file(file, access, false)
    }

    /// Forgets a stream's error and that its end was met.
    pub(super) fn clear_error(&mut self, address: u64) {
        if let Some(stream) = self.streams.get_mut(&address) {
            (stream.error, stream.eof) = (false, false);
        }
    }

    /// Puts a byte back.
    pub(super) fn push_back(&mut self, address: u64, byte: u8) {
        if let Some(stream) = self.streams.get_mut(&address) {
            stream.pushed.push(byte);
            stream.eof = false;
        }
    }

    /// Moves a stream's position; the new one.
    pub(super) fn seek_stream(&mut self, address: u64, by: i64, whence: i32) -> Outcome<u64> {
        if let Err(error) = self.flush(address)? {
            return Ok(Err(error));
        }
        if let Err(error) = self.forget_ahead(address) {
            return Ok(Err(error));
        }
        let Some(stream) = self.streams.get_mut(&address) else { return Ok(Err(Errno::EBADF)) };
        stream.eof = false;
        let number = stream.descriptor;
        Ok(self.seek(number, by, whence))
    }

    /// Where a stream is.
    pub(super) fn tell(&mut self, address: u64) -> Result<u64, Errno> {
        let stream = self.streams.get(&address).ok_or(Errno::EBADF)?;
        let unread = (stream.ahead.len() - stream.taken + stream.pushed.len()) as u64;
        let (number, pending) = (stream.descriptor, stream.pending.len() as u64);
        let at = self.seek(number, 0, 1)?;
        let end = if self.descriptor(number)?.append && pending > 0 { self.size(number)? } else { at };
        Ok(end.saturating_sub(unread) + pending)
    }

    /// Closes a stream.
    pub(super) fn close_stream(&mut self, address: u64, site: Site) -> Outcome<()> {
        let flushed = self.flush(address)?;
        let Some(stream) = self.streams.remove(&address) else { return Ok(Err(Errno::EBADF)) };
        self.closed.insert(address, (stream.opened, site));
        Ok(flushed.and(self.close(stream.descriptor)))
    }
}

/// What an output that takes no more bytes means for the program: its end.
fn closed(error: &io::Error) -> Signal {
    Signal::Limit(format!("cannot write the program's output: {error}"))
}
