//! A program's host side for tests: memory and functions, and the library that it calls.
#![allow(dead_code, reason = "the tests that use the rest follow")]

use runtime::{
    Guest, Signal, Site,
    library::{Clock, InMemory, Library, Limits, Options, Source, Standard, find, rows},
};
use std::sync::{Arc, Mutex};

/// A function of the program.
pub(crate) type Callback = fn(&mut Fake, &[u64]) -> Result<u64, Signal>;

/// First address of the program's memory: what is below is not the program's.
const BASE: u64 = 0x1000;
/// Where the heap begins: what is below is for the texts and cells of tests.
const HEAP: u64 = 0x4_0000;

/// A program's memory.
pub(crate) struct Fake {
    memory: Vec<u8>,
    most: u64,
    scratch: u64,
    pub(crate) site: u32,
    pub(crate) functions: Vec<Callback>,
    /// What functions of the program noted.
    pub(crate) notes: Vec<u64>,
}

impl Fake {
    pub(crate) fn new() -> Self {
        Self::of(1 << 25)
    }

    /// One whose memory ends at an address.
    pub(crate) fn of(most: u64) -> Self {
        Self {
            memory: vec![0; HEAP as usize],
            most,
            scratch: BASE,
            site: 1,
            functions: vec![],
            notes: vec![],
        }
    }

    fn range(&self, address: u64, bytes: usize) -> Result<std::ops::Range<usize>, Signal> {
        let fault = Signal::Segmentation { address, bytes: bytes as u64 };
        let end = address.checked_add(bytes as u64).ok_or(fault.clone())?;
        if address < BASE || end > self.memory.len() as u64 {
            return Err(fault);
        }
        Ok(address as usize..end as usize)
    }

    /// Puts bytes where the program has its own data.
    pub(crate) fn put(&mut self, bytes: &[u8]) -> u64 {
        let at = self.scratch;
        self.scratch += (bytes.len() as u64).next_multiple_of(8);
        assert!(self.scratch < HEAP, "too much for a test");
        self.write(at, bytes).expect("data");
        at
    }

    pub(crate) fn text(&mut self, text: &str) -> u64 {
        let bytes: Vec<u8> = text.bytes().chain([0]).collect();
        self.put(&bytes)
    }

    pub(crate) fn cells(&mut self, cells: &[u64]) -> u64 {
        let bytes: Vec<u8> = cells.iter().flat_map(|cell| cell.to_le_bytes()).collect();
        self.put(&bytes)
    }

    pub(crate) fn bytes(&self, address: u64, count: usize) -> Vec<u8> {
        let mut bytes = vec![0; count];
        self.read(address, &mut bytes).expect("the program's memory");
        bytes
    }

    pub(crate) fn string(&self, address: u64) -> String {
        String::from_utf8(self.read_text(address).expect("a string")).expect("text")
    }

    pub(crate) fn int(&self, address: u64) -> i32 {
        i32::from_le_bytes(self.bytes(address, 4).try_into().expect("4 bytes"))
    }

    pub(crate) fn long(&self, address: u64) -> i64 {
        i64::from_le_bytes(self.bytes(address, 8).try_into().expect("8 bytes"))
    }

    pub(crate) fn double(&self, address: u64) -> f64 {
        f64::from_bits(self.long(address).cast_unsigned())
    }

    /// Lets later data of the test replace what it has.
    pub(crate) fn reset(&mut self) {
        self.scratch = BASE;
    }
}

impl Guest for Fake {
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), Signal> {
        bytes.copy_from_slice(&self.memory[self.range(address, bytes.len())?]);
        Ok(())
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Signal> {
        let range = self.range(address, bytes.len())?;
        self.memory[range].copy_from_slice(bytes);
        Ok(())
    }

    fn read_text(&self, address: u64) -> Result<Vec<u8>, Signal> {
        let rest = &self.memory[self.range(address, 0)?.start..];
        let end = rest.iter().position(|byte| *byte == 0);
        end.map(|end| rest[..end].to_vec())
            .ok_or(Signal::Segmentation { address, bytes: rest.len() as u64 + 1 })
    }

    fn end(&self) -> u64 {
        self.memory.len() as u64
    }

    fn grow(&mut self, end: u64) -> bool {
        if end > self.most {
            return false;
        }
        self.memory.resize(self.memory.len().max(end as usize), 0);
        true
    }

    fn heap(&self) -> u64 {
        HEAP
    }

    fn call(&mut self, function: u64, arguments: &[u64]) -> Result<u64, Signal> {
        let at = usize::try_from(function).ok().and_then(|function| function.checked_sub(1));
        match at.and_then(|at| self.functions.get(at)).copied() {
            Some(function) => function(self, arguments),
            None => Err(Signal::Segmentation { address: function, bytes: 1 }),
        }
    }

    fn site(&self) -> Site {
        Site(self.site)
    }
}

/// What was written, in order.
pub(crate) type Written = Arc<Mutex<Vec<(Standard, String)>>>;

/// A program that runs, with the library.
pub(crate) struct Program {
    pub(crate) guest: Fake,
    pub(crate) library: Library,
    pub(crate) files: InMemory,
    written: Written,
}

impl Program {
    pub(crate) fn new() -> Self {
        Self::with("", |_| {})
    }

    /// A program with standard input, and options that a test changes.
    pub(crate) fn with(input: &str, change: impl FnOnce(&mut Options)) -> Self {
        let (files, written) = (InMemory::default(), Written::default());
        let sink = Arc::clone(&written);
        let mut options = Options {
            arguments: vec!["./program".to_owned()],
            environment: vec![],
            files: Box::new(files.clone()),
            input: Box::new(std::io::Cursor::new(input.to_owned().into_bytes())),
            output: Box::new(move |to, bytes: &[u8]| {
                sink.lock().expect("one thread").push((to, String::from_utf8_lossy(bytes).into_owned()));
            }),
            clock: Clock::new(Source::Modelled),
            limits: Limits { heap: 1 << 27, output: 1 << 20, files: 1 << 20 },
        };
        change(&mut options);
        Self { guest: Fake::new(), library: Library::new(options), files, written }
    }

    /// Calls a function at a place of its own.
    pub(crate) fn try_call(&mut self, name: &str, arguments: &[u64]) -> Result<u64, Signal> {
        self.guest.site += 1;
        let function = find(name).unwrap_or_else(|| panic!("{name} is not in the library"));
        function(&mut self.library, &mut self.guest, arguments)
    }

    pub(crate) fn call(&mut self, name: &str, arguments: &[u64]) -> u64 {
        self.try_call(name, arguments).unwrap_or_else(|signal| panic!("{name}: {signal:?}"))
    }

    /// Calls a function of `...` with cells in memory.
    pub(crate) fn variadic(&mut self, name: &str, fixed: &[u64], cells: &[u64]) -> u64 {
        let cells = self.guest.cells(cells);
        self.call(name, &[fixed, &[cells]].concat())
    }

    /// Letters of a function's result and parameters.
    pub(crate) fn signature(&self, name: &str) -> &'static str {
        rows().find(|row| row.name == name).map_or("", |row| row.signature)
    }

    pub(crate) fn int(&mut self, name: &str, arguments: &[u64]) -> i32 {
        self.call(name, arguments) as i32
    }

    pub(crate) fn double(&mut self, name: &str, arguments: &[u64]) -> f64 {
        f64::from_bits(self.call(name, arguments))
    }

    pub(crate) fn text(&mut self, text: &str) -> u64 {
        self.guest.text(text)
    }

    /// What was written to both outputs, one after the other.
    pub(crate) fn written(&mut self) -> Vec<(Standard, String)> {
        self.library.flush().expect("no limit");
        self.written.lock().expect("one thread").clone()
    }

    /// What was written to standard output.
    pub(crate) fn output(&mut self) -> String {
        let out = |(to, text)| (to == Standard::Out).then_some(text);
        self.written().into_iter().filter_map(out).collect()
    }

    /// What was written to standard error.
    pub(crate) fn errors(&mut self) -> String {
        let error = |(to, text)| (to == Standard::Error).then_some(text);
        self.written().into_iter().filter_map(error).collect()
    }

    pub(crate) fn errno(&mut self) -> i32 {
        let address = self.call("__errno_location", &[]);
        self.guest.int(address)
    }

    /// Names of the mistakes so far.
    pub(crate) fn mistakes(&self) -> Vec<&'static str> {
        self.library.findings.all().iter().map(|finding| finding.mistake.name()).collect()
    }
}
