//! The embedded device as a `Device`: its own behaviour besides launches. Its answers to misuse are those of both
//! devices; `tests/gpu.rs` has the same cases for the other.

#![allow(clippy::unwrap_used)]

use crate::common::{ADD_ONE, add_one, misuse, rows_and_slices, struct_argument, symbols};
use device::{Arg, Device, Direction, Embedded, HostMemory, Launch, Mistake, Step, Transfer};

fn device() -> Embedded {
    Embedded::new("h200").unwrap()
}

#[test]
fn rows_and_slices_go_to_their_places_and_leave_what_lies_between() {
    rows_and_slices(&mut device());
}

#[test]
fn misuse_is_refused_with_the_reason() {
    misuse(&mut device());
}

#[test]
fn symbols_are_written_and_read_without_the_host() {
    symbols(&mut device());
}

#[test]
fn a_struct_with_a_pointer_is_an_argument() {
    struct_argument(&mut device());
}

#[test]
fn steps_run_in_order_and_their_counts_and_times_are_summed() {
    let mut device = device();
    let module = device.load("add.ptx", ADD_ONE).unwrap();
    let [a, b] = [(); 2].map(|()| device.allocate(128).unwrap());
    device.fill(a, 5).unwrap();
    let launch = add_one(module, a);
    let copy = Step::Copy { to: b, to_offset: 0, from: a, from_offset: 0, bytes: 128 };
    let alone = device.launch(&launch).unwrap().unwrap();
    let both = device.run(&[launch.clone().into(), copy.clone(), launch.clone().into()]).unwrap().unwrap();
    let mut word = [0; 4];
    device.read(b, 124, &mut word).unwrap();
    assert_eq!(u32::from_le_bytes(word), 7);
    device.read(a, 124, &mut word).unwrap();
    assert_eq!(u32::from_le_bytes(word), 8);
    assert_eq!(both.counters.global_load_requests, 2 * alone.counters.global_load_requests);
    let copied = device.run(std::slice::from_ref(&copy)).unwrap().unwrap();
    assert_eq!(copied.counters.warp_instructions, 0);
    assert!(copied.modelled_ns > 1e3, "{}", copied.modelled_ns);
    let times = device.time(&[launch.clone().into(), copy, launch.into()], 10).unwrap();
    assert_eq!(times, [both.modelled_ns]);
    assert!((both.modelled_ns - 2.0 * alone.modelled_ns - copied.modelled_ns).abs() < 1e-6);
}

#[test]
fn how_many_blocks_a_multiprocessor_holds_is_not_known_here_but_a_wrong_launch_is() {
    let mut device = device();
    let module = device.load("add.ptx", ADD_ONE).unwrap();
    let a = device.allocate(128).unwrap();
    let launch = add_one(module, a);
    assert_eq!(device.resident_blocks(&launch).unwrap(), None);
    device.resident_blocks(&Launch { block: [2048, 1, 1], ..launch.clone() }).unwrap_err();
    device.resident_blocks(&Launch { kernel: "none".to_owned(), ..launch }).unwrap_err();
}

#[test]
fn no_step_runs_where_a_copy_is_refused() {
    let mut device = device();
    let module = device.load("add.ptx", ADD_ONE).unwrap();
    let a = device.allocate(128).unwrap();
    device.fill(a, 5).unwrap();
    let wrong = Step::Copy { to: a, to_offset: 1, from: a, from_offset: 0, bytes: 128 };
    device.run(&[add_one(module, a).into(), wrong]).unwrap_err();
    let mut word = [0; 4];
    device.read(a, 0, &mut word).unwrap();
    assert_eq!(u32::from_le_bytes(word), 5);
}

#[test]
fn transfers_are_modelled_and_allocations_are_not() {
    let mut device = device();
    let mut time = |memory, bytes| {
        let transfer = Transfer { direction: Direction::ToHost, memory, bytes };
        let times = device.time_transfer(&transfer, None, 7).unwrap();
        assert!(times.len() == 1 && times[0].returned_ns.is_none());
        times[0].arrived_ns
    };
    assert!(time(HostMemory::Pageable, 1 << 26) > 2.0 * time(HostMemory::Pinned, 1 << 26));
    assert!(time(HostMemory::Pinned, 1) < 1e4);
    assert!(device.time_allocation(1 << 20, 5).unwrap().is_none());
}

#[test]
fn every_mistake_has_its_answer() {
    let mut device = device();
    let mut answer = |mistake| device.provoke(mistake).unwrap();
    assert_eq!(answer(Mistake::DoubleFree), "this buffer was freed before");
    assert!(answer(Mistake::OutOfMemory).starts_with("out of device memory: 150109880321 bytes asked for"));
    for memory in [HostMemory::Pageable, HostMemory::Pinned] {
        let said = answer(Mistake::WrongDirection(memory));
        assert_eq!(said, "the destination of the copy is no address of device memory");
    }
}

#[test]
fn buffers_and_null_are_arguments_of_modules_with_32_bit_addresses() {
    let mut device = device();
    let text = ".version 7.0
        .target sm_52
        .address_size 32
        .visible .entry k(.param .u32 p, .param .u32 q)
        {
            .reg .b32 %r<3>;
            ld.param.u32 %r1, [p];
            ld.param.u32 %r2, [q];
            st.global.u32 [%r1], %r2;
            ret;
        }";
    let module = device.load("narrow.ptx", text).unwrap();
    let buffer = device.allocate(4).unwrap();
    device.fill(buffer, 7).unwrap();
    let launch = |args| Launch::new(module, "k", [1; 3], [1; 3], args);
    device.launch(&launch(vec![Arg::from(buffer), Arg::Null])).unwrap();
    let mut word = [1; 4];
    device.read(buffer, 0, &mut word).unwrap();
    assert_eq!(word, [0; 4]);
    let told = device.launch(&launch(vec![Arg::from(buffer), Arg::F32(1.0)])).unwrap_err().to_string();
    assert!(
        told.contains("argument 2 is an f32 of 4 bytes, but parameter `q` is an `int` or `unsigned`"),
        "{told}"
    );
    let told = device.launch(&launch(vec![Arg::from(buffer), Arg::U64(1)])).unwrap_err().to_string();
    assert!(told.contains("argument 2 is a u64 of 8 bytes"), "{told}");
}
