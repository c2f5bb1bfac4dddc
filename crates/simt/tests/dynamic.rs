//! Dynamic parallelism: launches from kernels, as CUDA 12 and 13 compile them, against what an H200 gave
//! (`scripts/truth-dynamic`).
#![allow(clippy::unwrap_used, missing_docs)]

use simt::{Arg, Chip, Device, Error, FaultKind, Launch};

const PTX: &str = include_str!("dynamic/launches.ptx");
/// Each case with the numbers that it leaves.
const H200: &str = include_str!("dynamic/h200.txt");

fn device() -> Device {
    Device::new(Chip::by_name("h200").unwrap())
}

/// Runs a kernel of one argument; gives the numbers that it leaves, and the blocks that ran.
fn run(
    device: &mut Device,
    ptx: &str,
    kernel: &str,
    grid: u32,
    block: u32,
) -> Result<(Vec<i32>, u64), Error> {
    let module = device.load("launches.ptx", ptx)?;
    let out = device.allocate(64)?;
    device.fill(out, 0)?;
    let launch = Launch {
        module,
        kernel,
        grid: [grid, 1, 1],
        block: [block, 1, 1],
        shared_bytes: 0,
        args: vec![Arg::Buffer(out, 0)],
        cluster: None,
        cooperative: false,
    };
    let outcome = device.launch(&launch)?;
    let mut bytes = [0; 64];
    device.read(out, 0, &mut bytes)?;
    let numbers = bytes.as_chunks::<4>().0.iter().map(|bytes| i32::from_le_bytes(*bytes)).collect();
    Ok((numbers, outcome.counters.warp_instructions))
}

#[test]
fn launches_leave_what_they_leave_on_the_hardware() {
    for checks in [false, true] {
        for line in H200.lines() {
            let (kernel, numbers) = line.split_once(' ').unwrap();
            let numbers: Vec<i32> = numbers.split(' ').map(|number| number.parse().unwrap()).collect();
            let (grid, block) = match kernel {
                "blocks" => (4, 4),
                "threads" => (1, 16),
                _ => (1, 1),
            };
            let mut device = device();
            device.options().checks = simt::Checks::all_or_none(checks);
            let mut found = run(&mut device, PTX, kernel, grid, block).unwrap().0;
            // The size of L2, and what of it may be kept, are those of the chip's file.
            match kernel {
                "attributes" => found[9] = numbers[9],
                "limits" => found[13] = numbers[13],
                _ => {}
            }
            assert_eq!(found, numbers, "{kernel}");
        }
    }
}

#[test]
fn what_children_execute_is_counted_with_their_parent() {
    let (numbers, instructions) = run(&mut device(), PTX, "tree", 1, 1).unwrap();
    assert_eq!(numbers[0], 31);
    // 31 grids of one warp, each of several instructions.
    assert!(instructions > 31 * 5, "{instructions}");
}

#[test]
fn a_fault_of_a_child_names_the_child() {
    let mut device = device();
    let module = device.load("launches.ptx", PTX).unwrap();
    let out = device.allocate(64).unwrap();
    // The last of the 16 numbers is 60 bytes on; past the buffer's end nothing may be written.
    let launch = Launch {
        module,
        kernel: "in_order",
        grid: [1; 3],
        block: [1; 3],
        shared_bytes: 0,
        args: vec![Arg::Buffer(out, 64)],
        cluster: None,
        cooperative: false,
    };
    match device.launch(&launch).unwrap_err() {
        Error::Fault(fault) => {
            assert_eq!((fault.kind, fault.kernel.as_str()), (FaultKind::OutOfBoundsGlobal, "_Z6appendPii"));
        }
        other => panic!("{other}"),
    }
}

#[test]
fn grids_that_launch_themselves_for_ever_end_with_the_launch_s_budget() {
    let mut device = device();
    device.options().launch_budget = 200_000;
    let ptx = PTX.replace(", 39;", ", 2000000000;");
    assert_ne!(ptx, PTX);
    let error = run(&mut device, &ptx, "depth", 1, 1).unwrap_err();
    assert_eq!(error.kind(), Some("infinite-loop"), "{error}");
}

#[test]
fn an_attribute_that_the_device_does_not_have_is_named() {
    let (before, after) = PTX.split_once(".entry attributes").unwrap();
    let asked = after.replacen("[param1+0], 4;", "[param1+0], 36;", 1);
    assert_ne!(after, asked);
    let error = run(&mut device(), &format!("{before}.entry attributes{asked}"), "attributes", 1, 1);
    match error.unwrap_err() {
        Error::Fault(fault) => {
            assert_eq!(fault.kind, FaultKind::Trap);
            assert!(fault.message.contains("does not have attribute 36"), "{}", fault.message);
        }
        other => panic!("{other}"),
    }
}

#[test]
fn a_kernel_that_launches_a_refused_one_is_refused() {
    let ptx = PTX.replacen("mul.lo.s32", "wgmma.fence;\n\tmul.lo.s32", 1);
    assert_ne!(ptx, PTX);
    // That is where `scale` multiplies.
    let error = run(&mut device(), &ptx, "blocks", 1, 4).unwrap_err();
    assert_eq!(error.kind(), Some("unsupported-instruction"), "{error}");
    assert!(run(&mut device(), &ptx, "tree", 1, 1).is_ok());
}

#[test]
fn a_grid_that_waits_for_one_that_it_launched_is_not_said_to_wait_for_ever() {
    // On an H200 the launched grid runs at the same time, and it ends.
    let begin = PTX.find(".entry threads(").unwrap();
    let end = begin + PTX[begin..].find("ret;").unwrap();
    let waits = "{ .reg .u64 %wa; .reg .u32 %wv; .reg .pred %wp; ld.param.u64 %wa, [threads_param_0];
        WAIT: ld.volatile.global.u32 %wv, [%wa]; setp.eq.u32 %wp, %wv, 0; @%wp bra WAIT; } ";
    let ptx = format!("{}{waits}{}", &PTX[..end], &PTX[end..]);
    let Err(Error::Fault(fault)) = run(&mut device(), &ptx, "threads", 1, 2) else { panic!("it ends") };
    assert_eq!(fault.kind, FaultKind::UnsupportedInstruction);
    assert!(fault.message.starts_with("it waits, but what it has launched has not begun"), "{fault}");
}
