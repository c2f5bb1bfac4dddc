//! `malloc` and its family, and what operators `new` and `delete` are made of.
//!
//! Enters: sizes and addresses. Leaves: addresses; for one that cannot be freed, glibc's message and the program's end.

use super::{
    Library, Row,
    errno::Errno,
    finding::{Event, Mistake},
    io::Standard,
    memory::{arguments, from_int, put_u64},
    row,
};
use crate::{
    guest::{Guest, Signal},
    heap::{Block, FreeError, Kind},
};

pub(super) const ROWS: &[Row] = &[
    row("malloc", "pl", |library, guest, given| {
        let [bytes] = arguments(given);
        library.allocate(guest, "malloc", bytes, 0, Kind::Malloc)
    }),
    row("calloc", "pll", calloc),
    row("realloc", "ppl", |library, guest, given| {
        let [address, bytes] = arguments(given);
        library.reallocate(guest, "realloc", address, bytes)
    }),
    row("free", "vp", |library, guest, given| library.release(guest, "free", given, Kind::Malloc)),
    row("aligned_alloc", "pll", |library, guest, given| {
        let [align, bytes] = arguments(given);
        library.aligned(guest, "aligned_alloc", align, bytes)
    }),
    row("memalign", "pll", |library, guest, given| {
        let [align, bytes] = arguments(given);
        library.aligned(guest, "memalign", align, bytes)
    }),
    row("posix_memalign", "ipll", posix_memalign),
    row("malloc_usable_size", "lp", |library, _, given| {
        let [address] = arguments(given);
        let block = library.heap.block_of(address).filter(|block| block.start == address);
        Ok(block.map_or(0, |block| block.bytes))
    }),
];

fn calloc(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [count, size] = arguments(given);
    let Some(bytes) = count.checked_mul(size) else { return library.no_room(guest, "calloc", u64::MAX) };
    let site = guest.site();
    match library.heap.allocate_zeroed(guest, bytes, 0, Kind::Malloc, site)? {
        Some(address) => Ok(address),
        None => library.no_room(guest, "calloc", bytes),
    }
}

fn posix_memalign(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [result, align, bytes] = arguments(given);
    if !align.is_power_of_two() || align % 8 != 0 {
        return Ok(from_int(Errno::EINVAL.0));
    }
    let address = library.allocate(guest, "posix_memalign", bytes, align, Kind::Malloc)?;
    if address == 0 {
        return Ok(from_int(Errno::ENOMEM.0));
    }
    put_u64(guest, result, address)?;
    Ok(0)
}

/// The operators `new` and `delete`, by the names that C++'s binary interface gives them.
pub(super) const OPERATORS: &[Row] = &[
    row("_Znwm", "pl", |library, guest, given| library.new_or_abort(guest, given, Kind::New)),
    row("_Znam", "pl", |library, guest, given| library.new_or_abort(guest, given, Kind::NewArray)),
    row("_ZnwmSt11align_val_t", "pll", |library, guest, given| library.new_or_abort(guest, given, Kind::New)),
    row("_ZnamSt11align_val_t", "pll", |library, guest, given| {
        library.new_or_abort(guest, given, Kind::NewArray)
    }),
    row("_ZnwmRKSt9nothrow_t", "plp", |library, guest, given| {
        let [bytes] = arguments(given);
        library.allocate(guest, "new", bytes, 0, Kind::New)
    }),
    row("_ZnamRKSt9nothrow_t", "plp", |library, guest, given| {
        let [bytes] = arguments(given);
        library.allocate(guest, "new[]", bytes, 0, Kind::NewArray)
    }),
    row("_ZdlPv", "vp", |library, guest, given| library.release(guest, "delete", given, Kind::New)),
    row("_ZdlPvm", "vpl", |library, guest, given| library.release(guest, "delete", given, Kind::New)),
    row("_ZdlPvSt11align_val_t", "vpl", |library, guest, given| {
        library.release(guest, "delete", given, Kind::New)
    }),
    row("_ZdlPvmSt11align_val_t", "vpll", |library, guest, given| {
        library.release(guest, "delete", given, Kind::New)
    }),
    row("_ZdaPv", "vp", |library, guest, given| library.release(guest, "delete[]", given, Kind::NewArray)),
    row("_ZdaPvm", "vpl", |library, guest, given| library.release(guest, "delete[]", given, Kind::NewArray)),
    row("_ZdaPvSt11align_val_t", "vpl", |library, guest, given| {
        library.release(guest, "delete[]", given, Kind::NewArray)
    }),
    row("_ZdaPvmSt11align_val_t", "vpll", |library, guest, given| {
        library.release(guest, "delete[]", given, Kind::NewArray)
    }),
];

/// What takes a block back, by who gave it out.
fn taken_back_by(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Malloc => Some("free"),
        Kind::New => Some("delete"),
        Kind::NewArray => Some("delete[]"),
        Kind::Pinned => Some("cudaFreeHost"),
        Kind::Managed => Some("cudaFree"),
        Kind::Library => None,
    }
}

/// Who gave a block out, in words.
fn given_by(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Malloc => Some("malloc"),
        Kind::New => Some("new"),
        Kind::NewArray => Some("new[]"),
        Kind::Pinned => Some("cudaMallocHost"),
        Kind::Managed => Some("cudaMallocManaged"),
        Kind::Library => None,
    }
}

/// What glibc says of a block that is freed a second time. From 128 KiB on its memory is the system's again, and to look at it ends
/// the program.
fn double_free(block: &Block) -> Result<Option<&'static str>, Signal> {
    match block.bytes {
        0..=1032 => Ok(Some("free(): double free detected in tcache 2")),
        1033..=0x1_FFFF => Ok(Some("double free or corruption (!prev)")),
        _ => Err(Signal::Segmentation { address: block.start - 8, bytes: 8 }),
    }
}

impl Library {
    /// A new block's address; 0 and `ENOMEM` where there is no room.
    pub(super) fn allocate(
        &mut self,
        guest: &mut dyn Guest,
        function: &'static str,
        bytes: u64,
        align: u64,
        kind: Kind,
    ) -> Result<u64, Signal> {
        let site = guest.site();
        match self.heap.allocate(guest, bytes, align, kind, site)? {
            Some(address) => Ok(address),
            None => self.no_room(guest, function, bytes),
        }
    }

    /// A block's address with other bytes than it has, and its contents; 0 where there is no room, or none were asked for.
    pub(super) fn reallocate(
        &mut self,
        guest: &mut dyn Guest,
        function: &'static str,
        address: u64,
        bytes: u64,
    ) -> Result<u64, Signal> {
        if address == 0 {
            return self.allocate(guest, function, bytes, 0, Kind::Malloc);
        }
        if bytes == 0 {
            // As glibc: it frees.
            return self.release(guest, function, &[address], Kind::Malloc);
        }
        let found =
            self.heap.block_of(address).filter(|block| block.start == address && block.freed.is_none());
        let Some(before) = found.filter(|block| block.kind == Kind::Malloc).map(|block| block.bytes) else {
            // Reports what is wrong with it.
            self.release(guest, function, &[address], Kind::Malloc)?;
            return self.allocate(guest, function, bytes, 0, Kind::Malloc);
        };
        self.check_overrun(guest, function, address)?;
        if self.heap.resize(guest, address, bytes)? {
            return Ok(address);
        }
        let new = self.allocate(guest, function, bytes, 0, Kind::Malloc)?;
        if new != 0 {
            guest.copy(new, address, before.min(bytes))?;
            self.release(guest, function, &[address], Kind::Malloc)?;
        }
        Ok(new)
    }

    /// A block for `new`. Where there is none, what a program does that does not catch `std::bad_alloc`: a function of the library
    /// cannot throw.
    fn new_or_abort(&mut self, guest: &mut dyn Guest, given: &[u64], kind: Kind) -> Result<u64, Signal> {
        let [bytes, align] = arguments(given);
        let align = if align.is_power_of_two() { align } else { 0 };
        let function = if kind == Kind::New { "new" } else { "new[]" };
        match self.allocate(guest, function, bytes, align, kind)? {
            0 => self.abort_with(
                "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc",
            ),
            address => Ok(address),
        }
    }

    fn aligned(
        &mut self,
        guest: &mut dyn Guest,
        function: &'static str,
        align: u64,
        bytes: u64,
    ) -> Result<u64, Signal> {
        if !align.is_power_of_two() {
            self.set_errno(guest, Errno::EINVAL)?;
            return Ok(0);
        }
        self.allocate(guest, function, bytes, align, Kind::Malloc)
    }

    /// The null pointer, with `ENOMEM`.
    fn no_room(&mut self, guest: &mut dyn Guest, function: &'static str, bytes: u64) -> Result<u64, Signal> {
        let (live, limit) = (self.heap.live_bytes(), self.heap.limit());
        let message = format!(
            "`{function}`: {bytes} bytes are not available; the program has {live} bytes and may have {limit}"
        );
        self.report(guest, Mistake::OutOfMemory, function, vec![], message);
        self.set_errno(guest, Errno::ENOMEM)?;
        Ok(0)
    }

    /// Reports what was written past a block's end.
    fn check_overrun(
        &mut self,
        guest: &dyn Guest,
        function: &'static str,
        address: u64,
    ) -> Result<(), Signal> {
        if let Some(overrun) = self.heap.overrun(guest, address)? {
            self.report_overrun(Some(guest.site()), function, &overrun);
        }
        Ok(())
    }

    /// Frees a block; where that is not possible, reports why and does what glibc does.
    fn release(
        &mut self,
        guest: &mut dyn Guest,
        function: &'static str,
        given: &[u64],
        kind: Kind,
    ) -> Result<u64, Signal> {
        let [address] = arguments(given);
        if address == 0 {
            return Ok(0);
        }
        self.check_overrun(guest, function, address)?;
        let site = guest.site();
        let Err(error) = self.heap.free(guest, address, kind, site)? else { return Ok(0) };
        let (mistake, others, message, last) = match error {
            FreeError::NotAllocated => {
                let why = match crate::heap::is_of_freed(address) {
                    true => "is what freed memory is filled with: the pointer was read from there",
                    false => "was not allocated",
                };
                let message = format!("`{function}`: {address:#x} {why}");
                (Mistake::BadFree, vec![], message, Ok(Some("free(): invalid pointer")))
            }
            FreeError::Interior(block) => {
                let offset = address - block.start;
                let message = format!(
                    "`{function}`: {address:#x} is {offset} bytes into a block of {} bytes, not its start",
                    block.bytes
                );
                (
                    Mistake::BadFree,
                    vec![(Event::Allocated, block.allocated)],
                    message,
                    Ok(Some("free(): invalid pointer")),
                )
            }
            FreeError::AlreadyFreed(block) => {
                let message = format!("`{function}`: the block of {} bytes was already freed", block.bytes);
                let freed = block.freed.map(|freed| (Event::Freed, freed));
                let others = [(Event::Allocated, block.allocated)].into_iter().chain(freed).collect();
                (Mistake::DoubleFree, others, message, double_free(&block))
            }
            FreeError::WrongKind(block) => {
                let message = match (given_by(block.kind), taken_back_by(block.kind)) {
                    (Some(given), Some(by)) => {
                        format!("`{function}`: the block is from `{given}`; free it with `{by}`")
                    }
                    _ => format!("`{function}`: the block is the C library's own"),
                };
                let last = match block.kind {
                    // glibc's `new` is `malloc`, so it does not notice.
                    Kind::Malloc | Kind::New | Kind::NewArray => {
                        self.heap.free(guest, address, block.kind, site)?.ok();
                        Ok(None)
                    }
                    Kind::Pinned | Kind::Managed | Kind::Library => Ok(Some("free(): invalid pointer")),
                };
                (Mistake::WrongFree, vec![(Event::Allocated, block.allocated)], message, last)
            }
        };
        self.report(guest, mistake, function, others, message);
        match last? {
            Some(last) => self.abort_with(last),
            None => Ok(0),
        }
    }

    /// The end of a program that glibc aborts with a message.
    pub(super) fn abort_with<T>(&mut self, message: &str) -> Result<T, Signal> {
        self.io.put(Standard::Error, format!("{message}\n").as_bytes())?;
        Err(Signal::Abort)
    }
}
