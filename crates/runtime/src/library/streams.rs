//! Streams and descriptors of files: opening and closing, reading, positions; `scanf` and its family.
//!
//! Enters: paths, modes, streams. Leaves: bytes of files, in the program's memory; `EOF` and `errno` where that fails.

use super::{
    Does, Event, Library, Row,
    errno::Errno,
    files::Access,
    finding::Mistake,
    memory::{arguments, bytes, check, from_int, get_u64, int, put_u64, truth},
    row,
    scan::{From, scan},
    stdio::{EOF, FILE_BYTES},
};
use crate::{
    guest::{Guest, Signal, Site},
    heap::Kind,
};

pub(super) const ROWS: &[Row] = &[
    row("fopen", "ppp", fopen),
    row("freopen", "pppp", freopen),
    row("tmpfile", "p", tmpfile),
    row("fclose", "ip", fclose),
    row("fread", "lpllp", fread),
    row("fgetc", "ip", |library, guest, given| library.get_char(guest, "fgetc", given)),
    row("getc", "ip", |library, guest, given| library.get_char(guest, "getc", given)),
    row("getchar", "i", |library, guest, _| {
        let stream = library.standard(guest, 0)?;
        library.get_char(guest, "getchar", &[stream])
    }),
    row("ungetc", "iip", ungetc),
    row("fgets", "ppip", fgets),
    row("getline", "lppp", |library, guest, given| {
        let [line, size, stream] = arguments(given);
        library.get_line(guest, "getline", line, size, b'\n', stream)
    }),
    row("getdelim", "lppip", |library, guest, given| {
        let [line, size, end, stream] = arguments(given);
        library.get_line(guest, "getdelim", line, size, end as u8, stream)
    }),
    row("scanf", "ip.", |library, guest, given| {
        let [template, cells] = arguments(given);
        library.scan_input(guest, "scanf", template, cells)
    }),
    row("vscanf", "ipp", |library, guest, given| {
        let [template, cells] = arguments(given);
        library.scan_input(guest, "vscanf", template, cells)
    }),
    row("fscanf", "ipp.", |library, guest, given| {
        let [stream, template, cells] = arguments(given);
        library.scan_stream(guest, "fscanf", stream, template, cells)
    }),
    row("vfscanf", "ippp", |library, guest, given| {
        let [stream, template, cells] = arguments(given);
        library.scan_stream(guest, "vfscanf", stream, template, cells)
    }),
    row("sscanf", "ipp.", |library, guest, given| {
        let [text, template, cells] = arguments(given);
        Ok(from_int(scan(library, guest, "sscanf", From::Memory(text), template, cells)?))
    }),
    row("vsscanf", "ippp", |library, guest, given| {
        let [text, template, cells] = arguments(given);
        Ok(from_int(scan(library, guest, "vsscanf", From::Memory(text), template, cells)?))
    }),
    row("fseek", "ipli", |library, guest, given| library.seek(guest, "fseek", given)),
    row("fseeko", "ipli", |library, guest, given| library.seek(guest, "fseeko", given)),
    row("rewind", "vp", |library, guest, given| {
        let [stream] = arguments(given);
        library.seek(guest, "rewind", &[stream, 0, 0])?;
        library.io.clear_error(stream);
        Ok(0)
    }),
    row("ftell", "lp", |library, guest, given| library.tell(guest, "ftell", given)),
    row("ftello", "lp", |library, guest, given| library.tell(guest, "ftello", given)),
    row("fgetpos", "ipp", |library, guest, given| {
        let [stream, place] = arguments(given);
        let at = library.tell(guest, "fgetpos", &[stream])?;
        if at == u64::MAX {
            return Ok(from_int(-1));
        }
        put_u64(guest, place, at)?;
        Ok(0)
    }),
    row("fsetpos", "ipp", |library, guest, given| {
        let [stream, place] = arguments(given);
        let at = get_u64(guest, place)?;
        library.seek(guest, "fsetpos", &[stream, at, 0])
    }),
    row("feof", "ip", |library, guest, given| {
        let [stream] = arguments(given);
        let open = library.stream(guest, "feof", stream)?;
        Ok(truth(open && library.io.streams[&stream].eof))
    }),
    row("ferror", "ip", |library, guest, given| {
        let [stream] = arguments(given);
        let open = library.stream(guest, "ferror", stream)?;
        Ok(truth(open && library.io.streams[&stream].error))
    }),
    row("clearerr", "vp", |library, guest, given| {
        let [stream] = arguments(given);
        if library.stream(guest, "clearerr", stream)? {
            library.io.clear_error(stream);
        }
        Ok(0)
    }),
    row("fileno", "ip", |library, guest, given| {
        let [stream] = arguments(given);
        let open = library.stream(guest, "fileno", stream)?;
        Ok(if open { from_int(library.io.streams[&stream].descriptor) } else { from_int(-1) })
    }),
    row("open", "ipi.", open),
    row("creat", "ipi", |library, guest, given| {
        let [path] = arguments(given);
        const WRITE_CREATE_TRUNCATE: u64 = 0o1101;
        open(library, guest, &[path, WRITE_CREATE_TRUNCATE])
    }),
    row("close", "ii", |library, guest, given| {
        let [number] = arguments(given);
        library.io.flush_output()?;
        let closed = library.io.close(int(number));
        library.outcome(guest, closed)
    }),
    row("read", "lipl", read),
    row("write", "lipl", write),
    row("lseek", "lili", |library, guest, given| {
        let [number, by, whence] = arguments(given);
        match library.io.seek(int(number), by.cast_signed(), int(whence)) {
            Ok(at) => Ok(at),
            Err(error) => library.fail_long(guest, error),
        }
    }),
];

/// What a mode such as `"r+"` says: the access, and whether what is written goes to the end.
fn mode(text: &[u8]) -> Option<(Access, bool)> {
    let (first, rest) = text.split_first()?;
    let both = rest.contains(&b'+');
    let (write, append) = match first {
        b'r' => (false, false),
        b'w' => (true, false),
        b'a' => (true, true),
        _ => return None,
    };
    let access = Access {
        read: !write || both,
        write: write || both,
        create: write,
        exclusive: write && rest.contains(&b'x'),
        truncate: write && !append,
    };
    Some((access, append))
}

fn fopen(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [path, text] = arguments(given);
    let (path, text) = (guest.read_text(path)?, guest.read_text(text)?);
    let opened = library.open_stream(guest, "fopen", &path, &text);
    match opened {
        Ok(number) => library.new_stream(guest, number),
        Err(error) => library.null(guest, error),
    }
}

fn freopen(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [path, text, stream] = arguments(given);
    let text = guest.read_text(text)?;
    if !library.stream(guest, "freopen", stream)? {
        return Ok(0);
    }
    if path == 0 {
        library.refuse(guest, "freopen", "open the file under its name");
        return library.null(guest, Errno::EBADF);
    }
    let path = guest.read_text(path)?;
    library.io.flush_output()?;
    // What the stream was is closed, whether its rest could be written or not.
    let _ = library.io.close_stream(stream, guest.site())?;
    match library.open_stream(guest, "freopen", &path, &text) {
        Ok(number) => {
            library.io.enter(stream, number, guest.site());
            Ok(stream)
        }
        Err(error) => library.null(guest, error),
    }
}

fn tmpfile(library: &mut Library, guest: &mut dyn Guest, _: &[u64]) -> Result<u64, Signal> {
    match library.io.open_temporary() {
        Ok(number) => library.new_stream(guest, number),
        Err(error) => library.null(guest, error),
    }
}

fn fclose(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [stream] = arguments(given);
    if let Some((opened, closed)) = library.io.closed.get(&stream).copied() {
        // glibc frees the stream's memory a second time.
        let others = vec![(Event::Opened, opened), (Event::Closed, closed)];
        let message = "`fclose`: the stream was already closed".to_owned();
        library.report(guest, Mistake::DoubleClose, "fclose", others, message);
        return library.abort_with("free(): double free detected in tcache 2");
    }
    if !library.stream(guest, "fclose", stream)? {
        return Ok(from_int(EOF));
    }
    let site = guest.site();
    match library.io.close_stream(stream, site)? {
        Ok(()) => {
            // Its address is out of use as that of any freed block. (Those of the standard streams are not theirs to free.)
            if library.heap.block_of(stream).is_some_and(|block| block.allocated != Site::default()) {
                library.heap.free(guest, stream, Kind::Library, site)?.ok();
            }
            Ok(0)
        }
        Err(error) => library.fail(guest, error, EOF),
    }
}

fn fread(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [to, size, count, stream] = arguments(given);
    if !library.stream(guest, "fread", stream)? {
        return Ok(0);
    }
    let Some(total) = size.checked_mul(count).filter(|total| *total > 0) else { return Ok(0) };
    check(guest, to, total)?;
    let mut part = vec![0; total as usize];
    match library.io.take(stream, &mut part)? {
        Ok(read) => {
            library.check_range(guest, "fread", to, read as u64, Does::Writes);
            guest.write(to, &part[..read])?;
            Ok(read as u64 / size)
        }
        Err(error) => {
            library.set_errno(guest, error)?;
            Ok(0)
        }
    }
}

fn ungetc(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [byte, stream] = arguments(given);
    if int(byte) == EOF || !library.stream(guest, "ungetc", stream)? {
        return Ok(from_int(EOF));
    }
    library.io.push_back(stream, byte as u8);
    Ok(byte & 0xFF)
}

fn fgets(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [to, size, stream] = arguments(given);
    if !library.stream(guest, "fgets", stream)? || int(size) <= 0 {
        return Ok(0);
    }
    let mut line = vec![];
    while line.len() + 1 < int(size) as usize && line.last() != Some(&b'\n') {
        match library.io.next(stream)? {
            Ok(Some(byte)) => line.push(byte),
            Ok(None) => break,
            Err(error) => return library.null(guest, error),
        }
    }
    if line.is_empty() && int(size) > 1 {
        return Ok(0);
    }
    line.push(0);
    library.check_range(guest, "fgets", to, line.len() as u64, Does::Writes);
    guest.write(to, &line)?;
    Ok(to)
}

fn open(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [path, flags] = arguments(given);
    let (path, flags) = (guest.read_text(path)?, int(flags));
    let kind = flags & 3;
    let access = Access {
        read: kind != 1,
        write: kind != 0,
        create: flags & 0o100 != 0,
        exclusive: flags & 0o200 != 0,
        truncate: flags & 0o1000 != 0,
    };
    match library.open_path(guest, "open", &path, access, flags & 0o2000 != 0) {
        Ok(number) => Ok(from_int(number)),
        Err(error) => library.fail(guest, error, -1),
    }
}

fn read(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [number, to, count] = arguments(given);
    check(guest, to, count)?;
    let mut part = vec![0; count as usize];
    match library.io.read(int(number), &mut part)? {
        Ok(read) => {
            library.check_range(guest, "read", to, read as u64, Does::Writes);
            guest.write(to, &part[..read])?;
            Ok(read as u64)
        }
        Err(error) => library.fail_long(guest, error),
    }
}

fn write(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [number, from, count] = arguments(given);
    let bytes = bytes(guest, from, count)?;
    library.check_range(guest, "write", from, count, Does::Reads);
    match library.io.write(int(number), &bytes)? {
        Ok(()) => Ok(count),
        Err(error) => library.fail_long(guest, error),
    }
}

impl Library {
    /// Opens a file below the program's folder; its descriptor.
    fn open_path(
        &mut self,
        guest: &dyn Guest,
        function: &'static str,
        path: &[u8],
        access: Access,
        append: bool,
    ) -> Result<i32, Errno> {
        let relative = self.path(guest, function, path)?;
        self.io.open(&relative, access, append).inspect_err(|error| {
            if matches!(*error, Errno::EACCES | Errno::EROFS) {
                let message = match *error {
                    Errno::EROFS => format!(
                        "`{function}`: the program may not write files, so `{relative}` is not opened"
                    ),
                    _ => format!("`{function}`: the program may not use `{relative}`"),
                };
                self.report(guest, Mistake::RefusedFile, function, vec![], message);
            }
        })
    }

    fn open_stream(
        &mut self,
        guest: &dyn Guest,
        function: &'static str,
        path: &[u8],
        text: &[u8],
    ) -> Result<i32, Errno> {
        let (access, append) = mode(text).ok_or(Errno::EINVAL)?;
        self.open_path(guest, function, path, access, append)
    }

    /// A stream of a descriptor.
    fn new_stream(&mut self, guest: &mut dyn Guest, descriptor: i32) -> Result<u64, Signal> {
        let site = guest.site();
        match self.heap.allocate_zeroed(guest, FILE_BYTES, 0, Kind::Library, site)? {
            Some(address) => {
                self.io.enter(address, descriptor, site);
                Ok(address)
            }
            None => {
                self.io.close(descriptor).ok();
                self.null(guest, Errno::ENOMEM)
            }
        }
    }

    /// The null pointer, with `errno`.
    pub(super) fn null(&mut self, guest: &mut dyn Guest, error: Errno) -> Result<u64, Signal> {
        self.set_errno(guest, error)?;
        Ok(0)
    }

    /// A `long` of -1, with `errno`.
    pub(super) fn fail_long(&mut self, guest: &mut dyn Guest, error: Errno) -> Result<u64, Signal> {
        self.set_errno(guest, error)?;
        Ok(u64::MAX)
    }

    /// 0, or -1 with `errno`.
    pub(super) fn outcome(
        &mut self,
        guest: &mut dyn Guest,
        result: Result<(), Errno>,
    ) -> Result<u64, Signal> {
        match result {
            Ok(()) => Ok(0),
            Err(error) => self.fail(guest, error, -1),
        }
    }

    fn get_char(
        &mut self,
        guest: &mut dyn Guest,
        function: &'static str,
        given: &[u64],
    ) -> Result<u64, Signal> {
        let [stream] = arguments(given);
        if !self.stream(guest, function, stream)? {
            return Ok(from_int(EOF));
        }
        match self.io.next(stream)? {
            Ok(Some(byte)) => Ok(u64::from(byte)),
            Ok(None) => Ok(from_int(EOF)),
            Err(error) => self.fail(guest, error, EOF),
        }
    }

    /// Reads up to a byte into memory that grows as needed.
    fn get_line(
        &mut self,
        guest: &mut dyn Guest,
        function: &'static str,
        line: u64,
        size: u64,
        end: u8,
        stream: u64,
    ) -> Result<u64, Signal> {
        if !self.stream(guest, function, stream)? {
            return Ok(u64::MAX);
        }
        let mut text = vec![];
        while text.last() != Some(&end) {
            match self.io.next(stream)? {
                Ok(Some(byte)) => text.push(byte),
                Ok(None) => break,
                Err(error) => return self.fail_long(guest, error),
            }
        }
        if text.is_empty() {
            return Ok(u64::MAX);
        }
        let (mut buffer, room) = (get_u64(guest, line)?, get_u64(guest, size)?);
        if buffer == 0 || room < text.len() as u64 + 1 {
            let needed = (text.len() as u64 + 1).max(120).max(room.saturating_mul(2).min(1 << 30));
            buffer = self.reallocate(guest, function, buffer, needed)?;
            if buffer == 0 {
                return Ok(u64::MAX);
            }
            put_u64(guest, line, buffer)?;
            put_u64(guest, size, needed)?;
        }
        let count = text.len() as u64;
        text.push(0);
        guest.write(buffer, &text)?;
        Ok(count)
    }

    fn scan_input(
        &mut self,
        guest: &mut dyn Guest,
        function: &'static str,
        template: u64,
        cells: u64,
    ) -> Result<u64, Signal> {
        let stream = self.standard(guest, 0)?;
        self.scan_stream(guest, function, stream, template, cells)
    }

    fn scan_stream(
        &mut self,
        guest: &mut dyn Guest,
        function: &'static str,
        stream: u64,
        template: u64,
        cells: u64,
    ) -> Result<u64, Signal> {
        if !self.stream(guest, function, stream)? {
            return Ok(from_int(EOF));
        }
        Ok(from_int(scan(self, guest, function, From::Stream(stream), template, cells)?))
    }

    fn seek(&mut self, guest: &mut dyn Guest, function: &'static str, given: &[u64]) -> Result<u64, Signal> {
        let [stream, by, whence] = arguments(given);
        if !self.stream(guest, function, stream)? {
            return Ok(from_int(-1));
        }
        let moved = self.io.seek_stream(stream, by.cast_signed(), int(whence))?;
        self.outcome(guest, moved.map(|_| ()))
    }

    fn tell(&mut self, guest: &mut dyn Guest, function: &'static str, given: &[u64]) -> Result<u64, Signal> {
        let [stream] = arguments(given);
        if !self.stream(guest, function, stream)? {
            return Ok(u64::MAX);
        }
        match self.io.tell(stream) {
            Ok(at) => Ok(at),
            Err(error) => self.fail_long(guest, error),
        }
    }
}
