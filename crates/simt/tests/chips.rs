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
    assert!(most / least < 2.0, "{times:?}");
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
            assert!((is / by_rule - 1.0).abs() < 0.02, "{name}: {figure} is {is}, by its rule {by_rule}");
        }
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
