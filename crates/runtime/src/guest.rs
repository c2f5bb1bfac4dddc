//! The host side of a program as the functions that it calls see it.
//!
//! Enters: addresses, sizes, bytes. Leaves: the bytes at them, or the end of the program.

/// The end of a program's run before its `main` has returned, or what a call cannot continue after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signal {
    /// `exit(code)`, `_Exit`, `quick_exit`: the program ends with this code.
    Exit(i32),
    /// `abort()`, a failed `assert`, `std::terminate`: SIGABRT, exit code 134 as a shell shows it.
    Abort,
    /// An access to memory that the program does not have: SIGSEGV, exit code 139.
    Segmentation {
        /// First byte that was to be accessed.
        address: u64,
        /// Bytes that were to be accessed.
        bytes: u64,
    },
    /// What the sandbox does not let a program do, or more than it allows: in words.
    Limit(String),
}

/// Number of a place in the source from which functions are called; which place it is, the compiler's table says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site(pub u32);

/// Bytes that are moved at a time where memory is not one slice: what fits into a core's second cache.
const PART: u64 = 256 << 10;

/// Memory and functions of a program's host side.
pub trait Guest {
    /// Copies memory out.
    ///
    /// # Errors
    /// [`Signal::Segmentation`] where a byte is not the program's.
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), Signal>;

    /// Copies into memory.
    ///
    /// # Errors
    /// [`Signal::Segmentation`] where a byte is not the program's or may not be written.
    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Signal>;

    /// Copies within memory, as `memmove` does. An implementation that has all memory as one slice does it at once.
    ///
    /// # Errors
    /// [`Signal::Segmentation`] where a byte is not the program's or may not be written; some bytes may have been copied.
    fn copy(&mut self, to: u64, from: u64, bytes: u64) -> Result<(), Signal> {
        let mut part = vec![0; PART.min(bytes) as usize];
        let upward = to <= from || to - from >= bytes;
        let mut done = 0;
        while done < bytes {
            let size = PART.min(bytes - done);
            let at = if upward { done } else { bytes - done - size };
            let part = &mut part[..size as usize];
            self.read(from.wrapping_add(at), part)?;
            self.write(to.wrapping_add(at), part)?;
            done += size;
        }
        Ok(())
    }

    /// Sets memory to one byte, as `memset` does. An implementation that has all memory as one slice does it at once.
    ///
    /// # Errors
    /// [`Signal::Segmentation`] where a byte is not the program's or may not be written; some bytes may have been set.
    fn fill(&mut self, address: u64, byte: u8, bytes: u64) -> Result<(), Signal> {
        let part = vec![byte; PART.min(bytes) as usize];
        let mut done = 0;
        while done < bytes {
            let size = PART.min(bytes - done);
            self.write(address.wrapping_add(done), &part[..size as usize])?;
            done += size;
        }
        Ok(())
    }

    /// The bytes up to a zero.
    ///
    /// # Errors
    /// [`Signal::Segmentation`] where the program's memory ends before it.
    fn read_text(&self, address: u64) -> Result<Vec<u8>, Signal>;

    /// First address after all memory that the program has.
    fn end(&self) -> u64;

    /// Makes memory reach up to an address at least; new bytes are zeros. `false` where it cannot.
    fn grow(&mut self, end: u64) -> bool;

    /// Where the heap begins: what is below it is the program's data and stack.
    fn heap(&self) -> u64;

    /// Calls a function of the program by its address, as for a comparison of `qsort` or what `atexit` noted.
    ///
    /// # Errors
    /// What ended the program in it, or an address that is none of a function of these arguments.
    fn call(&mut self, function: u64, arguments: &[u64]) -> Result<u64, Signal>;

    /// Place of the call that is being answered.
    fn site(&self) -> Site;
}
