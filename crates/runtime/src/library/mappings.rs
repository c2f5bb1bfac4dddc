//! `mmap`: pages of the program's memory, with zeros or a file's bytes.
//!
//! Enters: lengths and descriptors. Leaves: blocks of the heap that begin at a page. What is written to them goes to no file.

use super::{
    Library, Row,
    errno::Errno,
    memory::{arguments, int},
    row,
    system::PAGE,
};
use crate::{
    guest::{Guest, Signal},
    heap::Kind,
};

const PROT_WRITE: i32 = 2;
const MAP_SHARED: i32 = 1;
const MAP_FIXED: i32 = 0x10;
const MAP_ANONYMOUS: i32 = 0x20;

pub(super) const ROWS: &[Row] = &[
    row("mmap", "ppliiil", mmap),
    row("munmap", "ipl", |library, guest, given| {
        let [address] = arguments(given);
        if !library.mapped.remove(&address) {
            return library.fail(guest, Errno::EINVAL, -1);
        }
        let site = guest.site();
        library.heap.free(guest, address, Kind::Library, site)?.ok();
        Ok(0)
    }),
    row("mprotect", "ipli", |_, _, _| Ok(0)),
    row("madvise", "ipli", |_, _, _| Ok(0)),
    row("msync", "ipli", |_, _, _| Ok(0)),
    row("mlock", "ipl", |_, _, _| Ok(0)),
    row("munlock", "ipl", |_, _, _| Ok(0)),
];

fn mmap(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [_, bytes, protection, flags, descriptor, offset] = arguments(given);
    let (protection, flags) = (int(protection), int(flags));
    let of_file = flags & MAP_ANONYMOUS == 0;
    if bytes == 0 || offset % PAGE != 0 {
        return library.fail_long(guest, Errno::EINVAL);
    }
    if flags & MAP_FIXED != 0 {
        library.refuse(guest, "mmap", "leave `MAP_FIXED` out, and use the address that it returns");
        return library.fail_long(guest, Errno::EINVAL);
    }
    if of_file && flags & MAP_SHARED != 0 && protection & PROT_WRITE != 0 {
        library.refuse(guest, "mmap", "write the file with `fwrite` or `write`");
        return library.fail_long(guest, Errno::ENODEV);
    }
    let mut contents = vec![];
    if of_file {
        let number = int(descriptor);
        let rest = library.io.size(number).map(|size| size.saturating_sub(offset).min(bytes));
        let read = rest.and_then(|rest| library.io.read_at(number, offset, rest));
        match read {
            Ok(read) => contents = read,
            Err(error) => return library.fail_long(guest, error),
        }
    }
    let Some(whole) = bytes.checked_next_multiple_of(PAGE) else {
        return library.fail_long(guest, Errno::ENOMEM);
    };
    let site = guest.site();
    match library.heap.allocate_zeroed(guest, whole, PAGE, Kind::Library, site)? {
        Some(address) => {
            library.mapped.insert(address);
            guest.write(address, &contents)?;
            Ok(address)
        }
        None => library.fail_long(guest, Errno::ENOMEM),
    }
}
