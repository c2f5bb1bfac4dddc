//! A host for tests: memory, a heap in it, and calls by name.

use crate::api::{Api, Finding, Kernel, Kind, Program, Symbol, find};
use crate::guest::{Guest, Signal, Site};
use crate::heap::{self, Heap};
use device::{Checks, Embedded};

/// Where the heap begins, and where memory ends at the start.
const HEAP: u64 = 0x2_0000;
const END: u64 = 0x10_0000;

/// Memory of a host.
pub(super) struct Memory {
    bytes: Vec<u8>,
    pub(super) site: Site,
    /// Calls of functions of the program, with what they were given.
    pub(super) called: Vec<(u64, Vec<u64>)>,
}

impl Memory {
    fn range(&self, address: u64, bytes: usize) -> Result<std::ops::Range<usize>, Signal> {
        let bad = Signal::Segmentation { address, bytes: bytes as u64 };
        let start = usize::try_from(address).map_err(|_| bad.clone())?;
        match start.checked_add(bytes) {
            Some(end) if end <= self.bytes.len() => Ok(start..end),
            _ => Err(bad),
        }
    }
}

impl Guest for Memory {
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), Signal> {
        bytes.copy_from_slice(&self.bytes[self.range(address, bytes.len())?]);
        Ok(())
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Signal> {
        let range = self.range(address, bytes.len())?;
        self.bytes[range].copy_from_slice(bytes);
        Ok(())
    }

    fn read_text(&self, address: u64) -> Result<Vec<u8>, Signal> {
        let start = self.range(address, 1)?.start;
        let end = self.bytes[start..].iter().position(|byte| *byte == 0);
        let end = end.ok_or(Signal::Segmentation { address: self.end(), bytes: 1 })?;
        Ok(self.bytes[start..start + end].to_vec())
    }

    fn end(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn grow(&mut self, end: u64) -> bool {
        if end > 1 << 30 {
            return false;
        }
        let end = end as usize;
        self.bytes.resize(self.bytes.len().max(end), 0);
        true
    }

    fn heap(&self) -> u64 {
        HEAP
    }

    fn call(&mut self, function: u64, arguments: &[u64]) -> Result<u64, Signal> {
        self.called.push((function, arguments.to_vec()));
        Ok(0)
    }

    fn site(&self) -> Site {
        self.site
    }
}

/// A program's host side.
pub(super) struct Host {
    pub(super) api: Api,
    pub(super) heap: Heap,
    pub(super) memory: Memory,
    /// Where the next variable of the host is.
    variable: u64,
}

impl Host {
    /// A program with these kernels, by handles from 1 on, and these variables: name, bytes.
    pub(super) fn new(ptx: &str, kernels: &[&str], symbols: &[(&str, u64)]) -> Host {
        let mut device = Embedded::new("h200").unwrap();
        device.options().checks = Checks { uninitialised: true, ..Checks::NONE };
        device.options().keep_going = true;
        device.options().launch_budget = 1 << 22;
        let kernel = |(handle, name): (u64, &&str)| Kernel {
            handle,
            symbol: (*name).to_owned(),
            name: (*name).to_owned(),
        };
        let mut shadow = 0x1000;
        let symbols = symbols
            .iter()
            .map(|(name, bytes)| {
                let at = shadow;
                shadow += bytes.next_multiple_of(16);
                let managed = name.starts_with("managed");
                Symbol {
                    shadow: at,
                    bytes: *bytes,
                    symbol: (*name).to_owned(),
                    name: (*name).to_owned(),
                    managed,
                }
            })
            .collect();
        let program = Program {
            modules: vec![("program.ptx".to_owned(), ptx.to_owned())],
            kernels: (1..).zip(kernels).map(kernel).collect(),
            symbols,
        };
        let api = Api::new(Box::new(device), program).unwrap();
        let memory = Memory { bytes: vec![0; END as usize], site: Site(0), called: vec![] };
        let heap = Heap::new(1 << 29);
        Host { api, heap, memory, variable: 0x8000 }
    }

    /// Calls a function from the next line.
    pub(super) fn call(&mut self, name: &str, arguments: &[u64]) -> u64 {
        self.try_call(name, arguments).unwrap()
    }

    pub(super) fn try_call(&mut self, name: &str, arguments: &[u64]) -> Result<u64, Signal> {
        self.memory.site.0 += 1;
        let function = find(name).unwrap_or_else(|| panic!("{name}"));
        function.call(&mut self.api, &mut self.heap, &mut self.memory, arguments)
    }

    /// A call that succeeds.
    pub(super) fn ok(&mut self, name: &str, arguments: &[u64]) {
        assert_eq!(self.call(name, arguments), 0, "{name}: {:?}", self.api.findings());
    }

    /// A variable of the host.
    pub(super) fn variable(&mut self, bytes: &[u8]) -> u64 {
        let at = self.variable;
        self.variable = (at + bytes.len() as u64).next_multiple_of(16);
        self.memory.write(at, bytes).unwrap();
        at
    }

    /// A block of `malloc`.
    pub(super) fn malloc(&mut self, bytes: u64) -> u64 {
        let site = self.memory.site;
        self.heap.allocate(&mut self.memory, bytes, 0, heap::Kind::Malloc, site).unwrap().unwrap()
    }

    /// What a call writes to its first argument.
    pub(super) fn made(&mut self, name: &str, rest: &[u64]) -> u64 {
        let to = self.variable(&[0; 8]);
        let arguments: Vec<u64> = [to].iter().chain(rest).copied().collect();
        self.ok(name, &arguments);
        self.word(to)
    }

    /// What a call writes to its second argument.
    pub(super) fn made_second(&mut self, name: &str, first: u64) -> u64 {
        let to = self.variable(&[0; 8]);
        self.ok(name, &[first, to]);
        self.word(to)
    }

    pub(super) fn word(&self, at: u64) -> u64 {
        let mut bytes = [0; 8];
        self.memory.read(at, &mut bytes).unwrap();
        u64::from_le_bytes(bytes)
    }

    pub(super) fn int(&self, at: u64) -> i32 {
        self.word(at) as i32
    }

    pub(super) fn ints(&self, at: u64, count: u64) -> Vec<i32> {
        (0..count).map(|n| self.int(at + 4 * n)).collect()
    }

    pub(super) fn put_ints(&mut self, at: u64, ints: impl IntoIterator<Item = i32>) {
        for (n, int) in (0..).zip(ints) {
            self.memory.write(at + 4 * n, &i32::to_le_bytes(int)).unwrap();
        }
    }

    /// Three numbers as a `dim3` has them.
    pub(super) fn dim3(&mut self, [x, y, z]: [u32; 3]) -> u64 {
        let bytes: Vec<u8> = [x, y, z].iter().flat_map(|n| n.to_le_bytes()).collect();
        self.variable(&bytes)
    }

    /// Words of 64 bits in a row, as a struct has them.
    pub(super) fn words(&mut self, words: &[u64]) -> u64 {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.variable(&bytes)
    }

    /// `k<<<grid, block, shared, stream>>>(arguments)`.
    pub(super) fn launch_on(
        &mut self,
        kernel: u64,
        shape: [u32; 2],
        stream: u64,
        arguments: &[&[u8]],
    ) -> u64 {
        let (grid, block) = (self.dim3([shape[0], 1, 1]), self.dim3([shape[1], 1, 1]));
        self.ok("__cudaPushCallConfiguration", &[grid, block, 0, stream]);
        let values: Vec<u64> = arguments.iter().map(|bytes| self.variable(bytes)).collect();
        let list = self.words(&values);
        self.memory.site.0 -= 1; // both are of one place
        self.call("__cudaLaunch", &[kernel, list])
    }

    pub(super) fn launch(&mut self, kernel: u64, shape: [u32; 2], arguments: &[&[u8]]) -> u64 {
        self.launch_on(kernel, shape, 0, arguments)
    }

    /// The kinds of what was found.
    pub(super) fn kinds(&self) -> Vec<&Kind> {
        self.api.findings().iter().map(|Finding { kind, .. }| kind).collect()
    }
}
