//! The C library of a program's host side.
//!
//! Enters: calls by name, with the bits of their arguments. Leaves: results as glibc gives them, bytes in the program's memory, in
//! files and in the standard outputs, and [`Findings`]: what C leaves undefined and the call shows. The headers that declare what is
//! here are the compiler's, in `crates/cuda/library/host`; a test compares both.
//!
//! What differs from glibc: the functions of `math.h` are those of the crate `libm`, the same on every machine; glibc's may differ
//! from them in the last bit. The locale is "C" and the time zone UTC. There are no signals, no threads, no processes.

mod allocation;
mod calendar;
mod clock;
mod ctype;
mod decimal;
mod errno;
mod files;
mod finding;
mod folders;
mod format;
mod getopt;
mod io;
mod mappings;
mod math;
mod memory;
mod number;
mod process;
mod random;
mod scan;
mod sort;
mod stdio;
mod stdlib;
mod streams;
mod string;
mod system;
mod time;

pub use clock::{Clock, START, Source};
pub use errno::Errno;
pub use files::{Access, File, FileSystem, Folder, InMemory, NoFiles, Status, relative};
pub use finding::{Event, Finding, Findings, Mistake};
pub use io::{Output, Process, Standard};
pub use process::Freed;

use crate::{
    guest::{Guest, Signal, Site},
    heap::{Block, Heap, Kind, Overrun},
};
use std::collections::{BTreeMap, BTreeSet};

/// A function of the library: of its state, the program and the bits of the arguments, to the bits of the result.
pub type Function = fn(&mut Library, &mut dyn Guest, &[u64]) -> Result<u64, Signal>;

/// A function's name, the letters of its result and parameters, and what it does.
///
/// The letters: `v` nothing, `i` an integer of 32 bits, `l` one of 64, `f` a `float`, `d` a `double`, `p` a pointer or `va_list`,
/// `.` the cells of `...`.
#[derive(Clone, Copy)]
pub struct Row {
    /// Name in C.
    pub name: &'static str,
    /// The result's letter and those of the parameters.
    pub signature: &'static str,
    /// What it does.
    pub function: Function,
}

/// A row of a table.
const fn row(name: &'static str, signature: &'static str, function: Function) -> Row {
    Row { name, signature, function }
}

/// Rows of the functions that no header declares: what C++ itself is made of.
pub fn implicit() -> impl Iterator<Item = &'static Row> {
    [allocation::OPERATORS, process::OF_THE_COMPILER].into_iter().flatten()
}

/// Rows of the functions that the headers declare.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    let tables = [
        allocation::ROWS,
        ctype::ROWS,
        folders::ROWS,
        getopt::ROWS,
        mappings::ROWS,
        math::UNARY,
        math::BINARY,
        math::OTHERS,
        process::ROWS,
        random::ROWS,
        sort::ROWS,
        stdio::ROWS,
        stdlib::ROWS,
        streams::ROWS,
        string::ROWS,
        system::ROWS,
        time::ROWS,
    ];
    tables.into_iter().flatten()
}

/// The function of a name.
pub fn find(name: &str) -> Option<Function> {
    rows().chain(implicit()).find(|row| row.name == name).map(|row| row.function)
}

/// Whether a function calls the program back, which may then call the library. Such a function uses nothing of the [`Library`] that it
/// is given: that of the program can stay free for these calls.
pub fn calls_back(name: &str) -> bool {
    sort::ROWS.iter().any(|row| row.name == name)
}

/// What a program may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the heap.
    pub heap: u64,
    /// Bytes that it may write to standard output and error.
    pub output: u64,
    /// Bytes that it may write to files, and a file's size.
    pub files: u64,
}

impl Default for Limits {
    /// What programs of courses use, and a machine has: of the heap as much as the program's memory can hold.
    fn default() -> Self {
        Self { heap: 4 << 30, output: 16 << 20, files: 256 << 20 }
    }
}

/// What a program runs with.
pub struct Options {
    /// The program's name and its arguments.
    pub arguments: Vec<String>,
    /// Variables that `getenv` finds.
    pub environment: Vec<(String, String)>,
    /// Its files.
    pub files: Box<dyn FileSystem>,
    /// Its standard input.
    pub input: Box<dyn std::io::Read>,
    /// Its standard output and error.
    pub output: Box<dyn Output>,
    /// Its clock.
    pub clock: Clock,
    /// What it may use.
    pub limits: Limits,
}

/// State of the library for one program.
pub struct Library {
    /// The program's heap.
    pub heap: Heap,
    /// The program's mistakes.
    pub findings: Findings,
    /// The program's clock.
    pub clock: Clock,
    arguments: Vec<String>,
    environment: Vec<(String, String)>,
    io: io::Io,
    /// Functions to be called at the end, the last first.
    at_exit: Vec<process::AtExit>,
    random: random::Random,
    /// Where `strtok` is to continue.
    token: u64,
    option: getopt::Position,
    /// Folder that its paths begin in.
    folder: String,
    /// Folders that are read, by the address that the program has for each.
    reading: BTreeMap<u64, folders::Reading>,
    /// Addresses of what `mmap` has given out.
    mapped: BTreeSet<u64>,
    /// Addresses of what the library has in the program's memory, by what it is for.
    places: BTreeMap<Place, u64>,
}

/// What a function does with a range of the program's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    /// It reads it.
    Reads,
    /// It writes it.
    Writes,
}

/// What the library has in the program's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// `errno`.
    Errno,
    /// `stdin`, `stdout`, `stderr`.
    Standard(i32),
    /// A variable of the environment.
    Environment(usize),
    /// `argv`.
    Arguments,
    /// An argument of the program.
    Argument(usize),
    /// What `strerror` returns.
    ErrorText,
    /// What `gmtime` and `localtime` return.
    Date,
    /// What `asctime` and `ctime` return.
    DateText,
    /// The name of the time zone.
    Zone,
    /// `optarg`, `optind`, `opterr`, `optopt`.
    Options,
}

impl Library {
    /// The library at a program's start.
    pub fn new(options: Options) -> Self {
        let Options { arguments, environment, files, input, output, clock, limits } = options;
        Self {
            heap: Heap::new(limits.heap),
            findings: Findings::default(),
            clock,
            arguments,
            environment,
            io: io::Io::new(input, output, files, limits.output, limits.files),
            at_exit: vec![],
            random: random::Random::new(),
            token: 0,
            option: getopt::Position::default(),
            folder: String::new(),
            reading: BTreeMap::new(),
            mapped: BTreeSet::new(),
            places: BTreeMap::new(),
        }
    }

    /// Passes on what standard output holds: before anything else is shown, such as what a kernel prints, or after the program's end.
    ///
    /// # Errors
    /// [`Signal::Limit`] where no more bytes are taken.
    pub fn flush(&mut self) -> Result<(), Signal> {
        self.io.flush_all()
    }

    /// Writes to standard output as the program does, such as what its kernels print.
    ///
    /// # Errors
    /// [`Signal::Limit`] where no more bytes are taken.
    pub fn print(&mut self, bytes: &[u8]) -> Result<(), Signal> {
        self.io.put(Standard::Out, bytes)
    }

    /// Enters a mistake that the present call shows.
    pub fn report(
        &mut self,
        guest: &dyn Guest,
        mistake: Mistake,
        function: &'static str,
        others: Vec<(Event, Site)>,
        message: String,
    ) {
        let site = Some(guest.site());
        self.findings.add(Finding { mistake, site, function, others, message, times: 1 });
    }

    /// The bytes of a string; one whose block ends before its zero, or was freed, is reported.
    fn text(&mut self, guest: &dyn Guest, function: &'static str, address: u64) -> Result<Vec<u8>, Signal> {
        let text = guest.read_text(address)?;
        self.check_range(guest, function, address, text.len() as u64 + 1, Does::Reads);
        Ok(text)
    }

    /// Reports a pointer to freed memory.
    fn check_use(&mut self, guest: &dyn Guest, function: &'static str, address: u64) {
        let Some(block) = self.heap.block_of(address).filter(|block| block.freed.is_some()) else { return };
        let block = block.clone();
        self.report_freed(guest, function, address, &block);
    }

    fn report_freed(&mut self, guest: &dyn Guest, function: &'static str, address: u64, block: &Block) {
        let Some(freed) = block.freed else { return };
        let message =
            format!("`{function}`: {address:#x} points to a block of {} bytes that was freed", block.bytes);
        let others = vec![(Event::Allocated, block.allocated), (Event::Freed, freed)];
        self.report(guest, Mistake::UseAfterFree, function, others, message);
    }

    /// Reports a range of memory that begins in a block of the heap and goes beyond its end, or whose block was freed.
    pub fn check_range(
        &mut self,
        guest: &dyn Guest,
        function: &'static str,
        address: u64,
        count: u64,
        does: Does,
    ) {
        let Some(block) = self.heap.block_of(address).filter(|_| count > 0) else { return };
        let offset = address - block.start;
        let room = block.bytes - offset;
        if count <= room && block.freed.is_none() {
            return;
        }
        let block = block.clone();
        if block.freed.is_some() {
            self.report_freed(guest, function, address, &block);
            return;
        }
        let verb = match does {
            Does::Reads => "reads",
            Does::Writes => "writes",
        };
        let place = if offset == 0 { String::new() } else { format!(" at offset {offset}") };
        let message = format!(
            "`{function}` {verb} {count} bytes{place} of a block of {} bytes, {} too many",
            block.bytes,
            count - room
        );
        let others = vec![(Event::Allocated, block.allocated)];
        if does == Does::Writes {
            self.heap.note_overrun(block.start);
        }
        self.report(guest, Mistake::Overrun, function, others, message);
    }

    /// Reports what was written past a block's end, once.
    fn report_overrun(&mut self, site: Option<Site>, function: &'static str, overrun: &Overrun) {
        let (block, offset) = (&overrun.block, overrun.address - overrun.block.start);
        self.heap.note_overrun(block.start);
        self.findings.add(Finding {
            mistake: Mistake::Overrun,
            site,
            function,
            others: vec![(Event::Allocated, block.allocated)],
            message: format!(
                "the block of {} bytes was written past its end, at offset {offset}",
                block.bytes
            ),
            times: 1,
        });
    }

    /// Address of what the library has in the program's memory, made at its first use with zeros; 0 where there is no room.
    fn place(&mut self, guest: &mut dyn Guest, place: Place, bytes: u64) -> Result<u64, Signal> {
        if let Some(address) = self.places.get(&place) {
            return Ok(*address);
        }
        let made = self.heap.allocate_zeroed(guest, bytes, 0, Kind::Library, Site::default())?;
        let Some(address) = made else {
            return Err(Signal::Limit("there is no memory left for the C library".to_owned()));
        };
        self.places.insert(place, address);
        Ok(address)
    }

    /// The program's `errno`.
    fn errno(&mut self, guest: &mut dyn Guest) -> Result<i32, Signal> {
        match self.places.get(&Place::Errno) {
            Some(address) => Ok(memory::get_u32(guest, *address)?.cast_signed()),
            None => Ok(0),
        }
    }

    /// Sets the program's `errno`.
    fn set_errno(&mut self, guest: &mut dyn Guest, error: Errno) -> Result<(), Signal> {
        let address = self.place(guest, Place::Errno, 4)?;
        memory::put_u32(guest, address, error.0.cast_unsigned())
    }
}
