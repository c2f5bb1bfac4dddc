//! The chip files: every chip runs the kernels of lab 5.5, and its times are in the order that its public figures imply.
#![allow(clippy::unwrap_used, missing_docs)]

use simt::{Arg, Chip, Device, Launch};

const STENCIL: &str = include_str!("../../../kernels/ch5-5/stencil.ptx");
const KERNELS: [(&str, bool); 9] = [
    ("stencil_constant", false),
    ("stencil_restrict", true),
    ("stencil_ldg", true),
    ("stencil_global", true),
    ("stencil_guarded_constant", false),
    ("stencil_guarded_restrict", true),
    ("stencil_wide", false),
    ("copy", false),
    ("copy_wide", false),
];

/// Modelled nanoseconds of a kernel over `n` outputs.
fn time(chip: &str, kernel: &str, takes_c: bool, n: u32) -> f64 {
    let mut device = Device::new(Chip::by_name(chip).unwrap());
    let module = device.load("stencil.ptx", STENCIL).unwrap();
    let wide = kernel.ends_with("wide");
    let input = device.allocate(u64::from(n) * 4 + 4096).unwrap();
    let output = device.allocate(u64::from(n) * 4 + 4096).unwrap();
    let c = device.allocate(64).unwrap();
    let count = if wide { n / 4 } else { n };
    let mut args = vec![
        // With room for the halo before it.
        Arg::Buffer(input, 1024),
        Arg::Buffer(output, 0),
        Arg::Value(n.to_le_bytes().to_vec()),
    ];
    if takes_c {
        args.push(Arg::Buffer(c, 0));
    }
    let grid = [(count / 256).max(1), 1, 1];
    let launch = Launch {
        module,
        kernel,
        grid,
        block: [256, 1, 1],
        shared_bytes: 264 * 4,
        args,
        cluster: None,
        cooperative: false,
    };
    device.launch(&launch).unwrap().modelled_ns
}

#[test]
fn every_chip_runs_the_kernels_of_lab_5_5() {
    for chip in Chip::names() {
        for (kernel, takes_c) in KERNELS {
            let ns = time(chip, kernel, takes_c, 1 << 16);
            assert!((1e3..1e6).contains(&ns), "{chip} {kernel}: {ns} ns");
        }
    }
}

#[test]
fn a_copy_that_fits_no_cache_takes_as_long_as_the_memory_says() {
    let bytes = 1u64 << 27;
    for chip in Chip::names() {
        let file = Chip::by_name(chip).unwrap();
        let least = bytes as f64 / file.bandwidth.memory;
        let ns = time(chip, "copy_wide", false, (bytes / 8) as u32);
        assert!((0.99..1.4).contains(&(ns / least)), "{chip}: {ns} ns, and the memory alone takes {least}");
    }
}

#[test]
fn a_launch_that_does_next_to_nothing_takes_next_to_the_same_everywhere() {
    let times: Vec<f64> = Chip::names().iter().map(|chip| time(chip, "copy", false, 256)).collect();
    let (least, most) = times.iter().fold((f64::MAX, 0.0f64), |(a, b), t| (a.min(*t), b.max(*t)));
    assert!(most / least < 2.5, "{times:?}");
}

/// Figures that the sources of a chip file derive from the H200's, by the rules that they give.
#[test]
fn atomic_operations_are_those_of_the_h200_by_clock_and_l2() {
    let h200 = Chip::by_name("h200").unwrap();
    for name in Chip::names() {
        let chip = Chip::by_name(name).unwrap();
        let (own, of_h200) = (&chip.latencies, &h200.latencies);
        let rules = [
            ("global_atomic", own.global_atomic, 2.0 * (own.global + own.l1_miss)),
            ("atomic_turn_ns", own.atomic_turn_ns, of_h200.atomic_turn_ns * h200.clock_mhz / chip.clock_mhz),
            (
                "changed_sectors",
                chip.bandwidth.changed_sectors,
                h200.bandwidth.changed_sectors * chip.bandwidth.l2 / h200.bandwidth.l2,
            ),
        ];
        for (figure, is, by_rule) in rules {
            assert!((is / by_rule - 1.0).abs() < 0.02, "{name}: {figure} is {is}, by its rule {by_rule}");
        }
    }
}

/// What `scripts/chip` printed on an H200.
const H200: &str = include_str!("../arch/h200.txt");

/// The number after some words of a line of [`H200`].
fn measured(words: &str) -> f64 {
    let line = H200.lines().find_map(|line| line.strip_prefix(words)).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

#[test]
fn the_h200s_file_says_what_its_driver_says() {
    let chip = Chip::by_name("h200").unwrap();
    let limits = &chip.limits;
    let said = [
        ("compute_capability_major", f64::from(chip.compute_capability.0)),
        ("compute_capability_minor", f64::from(chip.compute_capability.1)),
        ("multiprocessors", f64::from(chip.multiprocessors)),
        ("clock_khz", chip.clock_mhz * 1e3),
        ("l2_bytes", chip.l2_bytes as f64),
        ("threads_per_multiprocessor", f64::from(limits.warps * 32)),
        ("blocks_per_multiprocessor", f64::from(limits.blocks)),
        ("shared_bytes_per_multiprocessor", f64::from(limits.shared_bytes)),
        ("shared_bytes_per_block", f64::from(limits.shared_bytes_per_block)),
        ("shared_bytes_reserved", f64::from(limits.shared_bytes_reserved)),
        ("memory_bytes", chip.memory_bytes as f64),
        ("memory_clock_khz", chip.memory_clock_mhz * 1e3),
        ("memory_bus_bits", f64::from(chip.memory_bus_bits)),
    ];
    for (name, in_file) in said {
        assert_eq!(measured(&format!("driver {name} ")), in_file, "{name}");
    }
}

#[test]
fn the_h200s_blocks_start_as_fast_as_they_were_measured() {
    let chip = Chip::by_name("h200").unwrap();
    for threads in [32, 64, 128, 256, 512] {
        let ns = measured(&format!("start on 132 multiprocessors, {threads} threads: "));
        assert!((chip.block_start_ns / ns - 1.0).abs() < 0.02, "{threads} threads: {ns}");
    }
    let cycles = measured("start on 1 multiprocessors, 32 threads: ") * chip.clock_mhz / 1e3;
    assert!((chip.rates.block_start / cycles - 1.0).abs() < 0.05, "{cycles}");
    // Blocks that fill a multiprocessor: all places are dealt out again in this time.
    for (threads, places) in [(256, 8.0), (512, 4.0), (1024, 2.0)] {
        let cycles =
            measured(&format!("start on 2 multiprocessors, {threads} threads: ")) * chip.clock_mhz / 1e3;
        let all = 2.0 * cycles * places;
        assert!((chip.latencies.block / all - 1.0).abs() < 0.1, "{threads} threads: {all}");
    }
}

/// Figures of links that were found for the chip itself: all others follow the rules below.
const FOUND: [(&str, &str); 6] = [
    ("p2000", "pageable_to_device"),
    ("p2000", "pageable_to_host"),
    ("t4", "pinned_to_device"),
    ("t4", "pinned_to_host"),
    ("rtx3060", "pinned_to_device"),
    ("rtx3060", "pinned_to_host"),
];

/// Figures of the link to the host: pinned memory goes by the generation of PCI Express, each twice as fast as the one
/// before; pageable memory is copied by the host first, which takes what it takes there.
#[test]
fn links_are_that_of_the_h200_by_the_generation_of_pci_express() {
    let h200 = Chip::by_name("h200").unwrap().link;
    for name in Chip::names() {
        let own = Chip::by_name(name).unwrap().link;
        let slower = f64::from(1 << (h200.pcie_generation - own.pcie_generation));
        let pageable = |pageable: f64, pinned: f64| 1.0 / (1.0 / pageable - 1.0 / pinned + slower / pinned);
        let rules = [
            ("pinned_to_device", own.pinned_to_device, h200.pinned_to_device / slower),
            ("pinned_to_host", own.pinned_to_host, h200.pinned_to_host / slower),
            (
                "pageable_to_device",
                own.pageable_to_device,
                pageable(h200.pageable_to_device, h200.pinned_to_device),
            ),
            ("pageable_to_host", own.pageable_to_host, pageable(h200.pageable_to_host, h200.pinned_to_host)),
            ("pinned_us", own.pinned_us, h200.pinned_us),
            ("pageable_us", own.pageable_us, h200.pageable_us),
            ("copy_us", own.copy_us, h200.copy_us),
        ];
        for (figure, is, by_rule) in rules {
            let as_ruled = (is / by_rule - 1.0).abs() < 0.02;
            assert_eq!(
                as_ruled,
                !FOUND.contains(&(name, figure)),
                "{name}: {figure} is {is}, by its rule {by_rule}"
            );
        }
    }
}

/// A warp that reads 200 times, each time where what it has read says: the same place, since all is zero.
const AGAIN: &str = "
.version 7.0
.target sm_52
.address_size 64
.visible .entry again(.param .u64 in)
{
    .reg .pred %p<2>;
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [in];
    mov.u32 %r1, 200;
AGAIN:
    LOAD %r2, [%rd1];
    mul.wide.u32 %rd2, %r2, 4;
    add.u64 %rd1, %rd1, %rd2;
    sub.u32 %r1, %r1, 1;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra AGAIN;
    ret;
}";

/// Modelled nanoseconds of [`AGAIN`] with a kind of load.
fn again(chip: &str, load: &str) -> f64 {
    let mut device = Device::new(Chip::by_name(chip).unwrap());
    let module = device.load("again.ptx", &AGAIN.replace("LOAD", load)).unwrap();
    let input = device.allocate(256).unwrap();
    device.write(input, 0, &[0; 256]).unwrap();
    let launch = Launch {
        module,
        kernel: "again",
        grid: [1, 1, 1],
        block: [32, 1, 1],
        shared_bytes: 0,
        args: vec![Arg::Buffer(input, 0)],
        cluster: None,
        cooperative: false,
    };
    device.launch(&launch).unwrap().modelled_ns
}

#[test]
fn chips_up_to_pascal_keep_in_l1_only_what_is_read_only() {
    for chip in Chip::names() {
        let [plain, read_only] = ["ld.global.u32", "ld.global.nc.u32"].map(|load| again(chip, load));
        let early = Chip::by_name(chip).unwrap().compute_capability.0 < 7;
        assert_eq!(early, plain > 1.05 * read_only, "{chip}: {plain} and {read_only} ns");
    }
}

#[test]
fn chips_that_were_not_measured_say_what_was_found_and_what_is_assumed() {
    for name in Chip::names().into_iter().filter(|name| *name != "h200") {
        let sources = Chip::by_name(name).unwrap().sources;
        for kind in ["Found", "Derived", "Assumed"] {
            assert!(sources.iter().any(|source| source.starts_with(kind)), "{name}: nothing {kind}");
        }
    }
}
