//! The heap: where blocks are, what is in them, and what is known of each.

use crate::guest::Fake;
use runtime::{
    Guest, Site,
    heap::{FREED, FreeError, GUARD, Heap, Kind, UNWRITTEN},
};

const SITE: Site = Site(7);

fn allocate(heap: &mut Heap, guest: &mut Fake, bytes: u64) -> u64 {
    heap.allocate(guest, bytes, 0, Kind::Malloc, SITE).expect("memory").expect("room")
}

#[test]
fn blocks_are_aligned_and_apart_and_say_what_they_hold() {
    let (mut heap, mut guest) = (Heap::new(1 << 20), Fake::new());
    let first = allocate(&mut heap, &mut guest, 5);
    let second = allocate(&mut heap, &mut guest, 32);
    assert_eq!((first, second - first), (guest.heap(), 32));
    assert_eq!(guest.bytes(first, 6), [UNWRITTEN, UNWRITTEN, UNWRITTEN, UNWRITTEN, UNWRITTEN, GUARD]);
    let zeroed = heap.allocate_zeroed(&mut guest, 8, 0, Kind::Malloc, SITE).expect("memory").expect("room");
    assert_eq!(guest.bytes(zeroed, 9), [0, 0, 0, 0, 0, 0, 0, 0, GUARD]);
    for align in [32, 256, 4096] {
        let at = heap.allocate(&mut guest, 1, align, Kind::Pinned, SITE).expect("memory").expect("room");
        assert_eq!(at % align, 0);
    }
    assert_eq!(heap.live_bytes(), 5 + 32 + 8 + 3);
}

#[test]
fn an_address_finds_its_block_and_one_past_the_end_does_not() {
    let (mut heap, mut guest) = (Heap::new(1 << 20), Fake::new());
    let start = allocate(&mut heap, &mut guest, 40);
    assert_eq!(
        heap.block_of(start + 39).map(|block| (block.start, block.bytes, block.allocated)),
        Some((start, 40, SITE))
    );
    assert_eq!(heap.block_of(start + 40), None);
    assert_eq!(heap.block_near(start + 40).map(|block| block.start), Some(start));
    assert_eq!(heap.block_of(start - 1), None);
    let empty = allocate(&mut heap, &mut guest, 0);
    assert_eq!(heap.block_of(empty).map(|block| block.bytes), Some(0));
}

#[test]
fn what_cannot_be_freed_is_named_with_its_block() {
    let (mut heap, mut guest) = (Heap::new(1 << 20), Fake::new());
    let start = allocate(&mut heap, &mut guest, 40);
    let mut free = |address, kind, site| heap.free(&mut guest, address, kind, Site(site)).expect("memory");
    assert_eq!(free(0x2000, Kind::Malloc, 1), Err(FreeError::NotAllocated));
    assert!(
        matches!(free(start + 8, Kind::Malloc, 2), Err(FreeError::Interior(block)) if block.start == start)
    );
    assert!(
        matches!(free(start, Kind::New, 3), Err(FreeError::WrongKind(block)) if block.kind == Kind::Malloc)
    );
    assert!(free(start, Kind::Malloc, 4).is_ok());
    assert!(
        matches!(free(start, Kind::Malloc, 5), Err(FreeError::AlreadyFreed(block)) if block.freed == Some(Site(4)))
    );
    assert_eq!(guest.bytes(start, 40), [FREED; 40]);
    assert_eq!(heap.block_of(start + 8).and_then(|block| block.freed), Some(Site(4)));
}

#[test]
fn freed_memory_is_used_again_only_when_there_is_no_other() {
    let (mut heap, mut guest) = (Heap::new(1 << 30), Fake::of(15 << 20));
    const BLOCK: u64 = 1 << 20;
    let first = allocate(&mut heap, &mut guest, BLOCK);
    heap.free(&mut guest, first, Kind::Malloc, SITE).expect("memory").expect("its start");
    let others: Vec<u64> = (0..13).map(|_| allocate(&mut heap, &mut guest, BLOCK)).collect();
    assert!(!others.contains(&first), "there was room elsewhere");
    // The guest has less than 15 MiB for its heap, room for 14 blocks with their guards.
    assert_eq!(allocate(&mut heap, &mut guest, BLOCK), first);
    assert_eq!(heap.block_of(first).and_then(|block| block.freed), None);
    assert_eq!(heap.allocate(&mut guest, BLOCK, 0, Kind::Malloc, SITE), Ok(None));
    assert_eq!(heap.peak_bytes(), 14 * BLOCK);
}

#[test]
fn neighbours_that_were_freed_become_one_range() {
    let (mut heap, mut guest) = (Heap::new(1 << 30), Fake::of(15 << 20));
    const BLOCK: u64 = 2 << 20;
    let blocks: Vec<u64> = (0..5).map(|_| allocate(&mut heap, &mut guest, BLOCK)).collect();
    for at in [3, 1, 2] {
        heap.free(&mut guest, blocks[at], Kind::Malloc, SITE).expect("memory").expect("its start");
    }
    assert_eq!(allocate(&mut heap, &mut guest, 3 * BLOCK), blocks[1]);
}

#[test]
fn no_more_than_the_limit_is_given_out_and_what_is_freed_counts_no_longer() {
    let (mut heap, mut guest) = (Heap::new(1 << 16), Fake::new());
    assert_eq!(heap.allocate(&mut guest, u64::MAX, 0, Kind::Malloc, SITE), Ok(None));
    assert_eq!(heap.allocate(&mut guest, 1 << 16, 0, Kind::Malloc, SITE), Ok(None));
    for _ in 0..100 {
        let start = allocate(&mut heap, &mut guest, 60_000);
        heap.free(&mut guest, start, Kind::Malloc, SITE).expect("memory").expect("its start");
    }
    assert_eq!(heap.live_bytes(), 0);
    assert_eq!(heap.in_use(Kind::Malloc).count(), 0);
}

#[test]
fn a_write_past_the_end_is_found_with_its_address() {
    let (mut heap, mut guest) = (Heap::new(1 << 16), Fake::new());
    let start = allocate(&mut heap, &mut guest, 10);
    assert_eq!(heap.overruns(&guest), Ok(vec![]));
    guest.write(start + 13, &[1]).expect("memory");
    let found = heap.overruns(&guest).expect("memory");
    assert_eq!(
        found.iter().map(|one| (one.address, one.block.start)).collect::<Vec<_>>(),
        [(start + 13, start)]
    );
}

#[test]
fn a_block_grows_within_what_it_has_and_no_further() {
    let (mut heap, mut guest) = (Heap::new(1 << 16), Fake::new());
    let start = allocate(&mut heap, &mut guest, 10);
    guest.write(start, &[1; 10]).expect("memory");
    assert_eq!(heap.resize(&mut guest, start, 16), Ok(true));
    assert_eq!(
        guest.bytes(start + 8, 9),
        [1, 1, UNWRITTEN, UNWRITTEN, UNWRITTEN, UNWRITTEN, UNWRITTEN, UNWRITTEN, GUARD]
    );
    assert_eq!(heap.resize(&mut guest, start, 17), Ok(false));
    assert_eq!(heap.resize(&mut guest, start, 3), Ok(true));
    assert_eq!(heap.live_bytes(), 3);
    assert_eq!(heap.overruns(&guest), Ok(vec![]));
}
