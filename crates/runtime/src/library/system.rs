//! What a program asks of its system: files and folders by name, itself, and OpenMP's functions with one thread.
//!
//! Enters: paths, numbers. Leaves: what holds in the sandbox: one processor, one process, one folder.

use super::{
    Library, Row,
    errno::Errno,
    files::Status,
    memory::{arguments, from_int, int, put_text, truth},
    row,
};
use crate::guest::{Guest, Signal};

/// Number of the program's process.
const PROCESS: i32 = 1000;
/// Bytes of a page of memory, as x86-64 has it.
pub(super) const PAGE: u64 = 4096;

pub(super) const ROWS: &[Row] = &[
    row("remove", "ip", |library, guest, given| library.remove(guest, "remove", given)),
    row("unlink", "ip", |library, guest, given| library.remove(guest, "unlink", given)),
    row("rmdir", "ip", |library, guest, given| library.remove(guest, "rmdir", given)),
    row("rename", "ipp", rename),
    row("mkdir", "ipi", |library, guest, given| {
        let [path] = arguments(given);
        let path = guest.read_text(path)?;
        let made = library.path(guest, "mkdir", &path).and_then(|path| library.io.files.make_folder(&path));
        library.outcome(guest, made)
    }),
    row("access", "ipi", |library, guest, given| {
        let [path] = arguments(given);
        let status = library.status(guest, "access", path)?;
        library.outcome(guest, status.map(|_| ()))
    }),
    row("stat", "ipp", |library, guest, given| {
        let [path, place] = arguments(given);
        let status = library.status(guest, "stat", path)?;
        library.put_status(guest, place, status)
    }),
    row("fstat", "iip", |library, guest, given| {
        let [number, place] = arguments(given);
        let status = library.io.size(int(number)).map(|bytes| Status { folder: false, bytes });
        library.put_status(guest, place, status)
    }),
    row("isatty", "ii", |library, guest, _| library.fail(guest, Errno::ENOTTY, 0)),
    row("getpid", "i", |_, _, _| Ok(from_int(PROCESS))),
    row("getppid", "i", |_, _, _| Ok(from_int(1))),
    row("getpagesize", "i", |_, _, _| Ok(PAGE)),
    row("gethostname", "ipl", |library, guest, given| {
        let [to, size] = arguments(given);
        const NAME: &[u8] = b"localhost";
        if size <= NAME.len() as u64 {
            return library.fail(guest, Errno::ENAMETOOLONG, -1);
        }
        put_text(guest, to, NAME)?;
        Ok(0)
    }),
    row("sysconf", "li", |library, guest, given| {
        let [name] = arguments(given);
        match int(name) {
            2 => Ok(100),                               // _SC_CLK_TCK
            30 => Ok(PAGE),                             // _SC_PAGESIZE
            83 | 84 => Ok(1),                           // _SC_NPROCESSORS_CONF, _SC_NPROCESSORS_ONLN
            85 | 86 => Ok(library.heap.limit() / PAGE), // _SC_PHYS_PAGES, _SC_AVPHYS_PAGES
            _ => library.fail_long(guest, Errno::EINVAL),
        }
    }),
    row("getrusage", "iip", getrusage),
    row("omp_get_thread_num", "i", |_, _, _| Ok(0)),
    row("omp_get_num_threads", "i", |_, _, _| Ok(1)),
    row("omp_get_max_threads", "i", |_, _, _| Ok(1)),
    row("omp_get_num_procs", "i", |_, _, _| Ok(1)),
    row("omp_set_num_threads", "vi", |_, _, _| Ok(0)),
    row("omp_set_dynamic", "vi", |_, _, _| Ok(0)),
    row("omp_set_nested", "vi", |_, _, _| Ok(0)),
    row("omp_in_parallel", "i", |_, _, _| Ok(truth(false))),
    row("omp_get_wtime", "d", |library, _, _| Ok(library.clock.elapsed().as_secs_f64().to_bits())),
    row("omp_get_wtick", "d", |_, _, _| Ok(1e-9f64.to_bits())),
];

fn rename(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [from, to] = arguments(given);
    let (from, to) = (guest.read_text(from)?, guest.read_text(to)?);
    let paths =
        library.path(guest, "rename", &from).and_then(|from| Ok((from, library.path(guest, "rename", &to)?)));
    let renamed = paths.and_then(|(from, to)| library.io.files.rename(&from, &to));
    library.outcome(guest, renamed)
}

fn getrusage(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    const BYTES: usize = 144;
    const MOST_RESIDENT: usize = 32;
    let [_, place] = arguments(given);
    let time = library.clock.processor();
    let mut usage = [0; BYTES];
    usage[..8].copy_from_slice(&time.as_secs().to_le_bytes());
    usage[8..16].copy_from_slice(&u64::from(time.subsec_micros()).to_le_bytes());
    usage[MOST_RESIDENT..MOST_RESIDENT + 8].copy_from_slice(&(library.heap.peak_bytes() >> 10).to_le_bytes());
    guest.write(place, &usage)?;
    Ok(0)
}

impl Library {
    fn remove(
        &mut self,
        guest: &mut dyn Guest,
        function: &'static str,
        given: &[u64],
    ) -> Result<u64, Signal> {
        let [path] = arguments(given);
        let path = guest.read_text(path)?;
        let removed = self.path(guest, function, &path).and_then(|path| {
            let folder = self.io.files.status(&path)?.folder;
            match (function, folder) {
                ("unlink", true) => Err(Errno::EISDIR),
                ("rmdir", false) => Err(Errno::ENOTDIR),
                _ => self.io.files.remove(&path),
            }
        });
        self.outcome(guest, removed)
    }

    fn status(
        &mut self,
        guest: &mut dyn Guest,
        function: &'static str,
        path: u64,
    ) -> Result<Result<Status, Errno>, Signal> {
        let path = guest.read_text(path)?;
        Ok(self.path(guest, function, &path).and_then(|path| self.io.files.status(&path)))
    }

    /// Puts a `struct stat` as Linux has it on x86-64: kind and permissions at byte 24, size at byte 48.
    fn put_status(
        &mut self,
        guest: &mut dyn Guest,
        place: u64,
        status: Result<Status, Errno>,
    ) -> Result<u64, Signal> {
        const BYTES: usize = 144;
        let status = match status {
            Ok(status) => status,
            Err(error) => return self.fail(guest, error, -1),
        };
        let mode: u32 = if status.folder { 0o040_755 } else { 0o100_644 };
        let mut all = [0; BYTES];
        all[16] = 1; // links
        all[24..28].copy_from_slice(&mode.to_le_bytes());
        all[48..56].copy_from_slice(&status.bytes.to_le_bytes());
        all[56..64].copy_from_slice(&PAGE.to_le_bytes());
        all[64..72].copy_from_slice(&status.bytes.div_ceil(512).to_le_bytes());
        guest.write(place, &all)?;
        Ok(0)
    }
}
