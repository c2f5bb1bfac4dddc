//! The rules of `model::access`, from addresses and masks alone, against single accesses that an H200 counted.

use simt::model::access::{self, Wavefronts};
use std::collections::BTreeMap;

#[derive(serde::Deserialize)]
struct Access {
    op: String,
    pattern: String,
    /// The byte that a lane touches; negative where it is off.
    offs: [i64; 32],
    hw: BTreeMap<String, u32>,
}

impl Access {
    fn mask(&self) -> u32 {
        self.mask_of(0..i64::MAX)
    }

    /// The lanes whose offsets are in the range.
    fn mask_of(&self, range: std::ops::Range<i64>) -> u32 {
        (0..32).map(|l| u32::from(range.contains(&self.offs[l])) << l).sum()
    }

    /// The lanes' places in their spaces: a generic offset has the space above its 24 low bits.
    fn addresses(&self) -> [u64; 32] {
        let space = if self.op.contains("_generic_") { (1 << 24) - 1 } else { i64::MAX };
        self.offs.map(|o| (o.max(0) & space) as u64)
    }

    fn shared(&self) -> [u32; 32] {
        self.addresses().map(|a| a as u32)
    }

    /// Bytes a lane, from the kernel's name.
    fn bytes(&self) -> u32 {
        let number = self.op.trim_end_matches("x2").trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let bits: u32 = self.op[number..].trim_end_matches("x2").parse().unwrap();
        if self.op.ends_with("x2") { bits / 4 } else { bits / 8 }
    }

    fn is_store(&self) -> bool {
        self.op.starts_with("st_")
    }
}

/// What a rule says of an access, by the counters' names. Counters that it leaves out are 0.
type Said = Vec<(&'static str, u32)>;

/// Every access of a file, against what the rule says.
fn check(file: &str, count: usize, rule: impl Fn(&Access) -> Said) {
    let accesses: Vec<Access> = serde_json::from_str(file).unwrap();
    assert_eq!(accesses.len(), count);
    let mut wrong = vec![];
    for a in &accesses {
        let mut said: BTreeMap<String, u32> = BTreeMap::new();
        for (name, value) in rule(a) {
            *said.entry(name.into()).or_default() += value;
        }
        said.retain(|_, value| *value != 0);
        if said != a.hw {
            wrong.push(format!("{}, {}: {said:?}, but the chip counted {:?}", a.op, a.pattern, a.hw));
        }
    }
    assert!(wrong.is_empty(), "{} differ, such as {:#?}", wrong.len(), &wrong[..wrong.len().min(10)]);
}

/// The loads of the offsets and the store of the result that every kernel has.
const OWN: [(&str, u32); 4] = [
    ("global_load_requests", 1),
    ("global_load_sectors", 4),
    ("global_store_requests", 1),
    ("global_store_sectors", 4),
];

fn load_or_store(a: &Access, load: [&'static str; 2], store: [&'static str; 2], values: [u32; 2]) -> Said {
    let names = if a.is_store() { store } else { load };
    names.into_iter().zip(values).collect()
}

fn global(a: &Access, mask: u32) -> Said {
    load_or_store(
        a,
        ["global_load_requests", "global_load_sectors"],
        ["global_store_requests", "global_store_sectors"],
        [u32::from(mask != 0), access::sectors(&a.addresses(), mask)],
    )
}

fn shared(a: &Access, mask: u32) -> Said {
    let apart = a.is_store() || a.op.contains("_generic_");
    let waves = access::wavefronts(&a.shared(), mask, a.bytes(), apart);
    load_or_store(
        a,
        ["shared_load_wavefronts", "shared_load_bank_conflicts"],
        ["shared_store_wavefronts", "shared_store_bank_conflicts"],
        [waves.wavefronts, waves.conflicts],
    )
}

fn local(a: &Access, mask: u32) -> Said {
    let cost = access::local(&a.addresses(), mask, a.bytes());
    load_or_store(
        a,
        ["local_load_requests", "local_load_sectors"],
        ["local_store_requests", "local_store_sectors"],
        [cost.requests, cost.sectors],
    )
}

#[test]
fn global_loads_and_stores_of_any_width_and_caching() {
    check(include_str!("global.json"), 108, |a| [global(a, a.mask()), OWN.to_vec()].concat());
}

#[test]
fn reductions() {
    let rule = |a: &Access| {
        let cost = access::atomic(&a.addresses(), a.mask(), false);
        assert_eq!(access::reduction(&a.addresses(), a.mask()), cost.sectors);
        vec![
            ("global_red_requests", u32::from(a.hw.contains_key("global_red_requests"))),
            ("global_red_sectors", cost.sectors),
            ("global_red_passes", cost.passes),
        ]
    };
    check(include_str!("reductions.json"), 201, rule);
    check(include_str!("lines.json"), 60, rule);
}

#[test]
fn atomics() {
    check(include_str!("atomics.json"), 192, |a| {
        let cost = access::atomic(&a.addresses(), a.mask(), a.op.contains("_cas_"));
        vec![
            ("global_atom_requests", 1),
            ("global_atom_sectors", cost.sectors),
            ("global_atom_passes", cost.passes),
        ]
    });
}

#[test]
fn shared_loads_and_stores() {
    check(include_str!("shared.json"), 400, |a| {
        let name = if a.is_store() { "shared_store_instructions" } else { "shared_load_instructions" };
        [shared(a, a.mask()), vec![(name, 1)]].concat()
    });
}

#[test]
fn matrix_loads() {
    check(include_str!("matrices.json"), 36, |a| {
        let count: u32 = a.op["ldmatrix_".len()..].parse().unwrap();
        let waves = access::matrices(&a.shared(), count);
        vec![
            ("matrix_load_instructions", 1),
            ("shared_load_wavefronts", waves.wavefronts),
            ("shared_load_bank_conflicts", waves.conflicts),
        ]
    });
}

#[test]
fn shared_atomics() {
    let atomic = |waves: Wavefronts| {
        vec![
            ("shared_atom_instructions", 1),
            ("shared_atom_wavefronts", waves.wavefronts),
            ("shared_atom_bank_conflicts", waves.conflicts),
        ]
    };
    check(include_str!("shared_atomics.json"), 268, |a| {
        let (addresses, mask) = (a.shared(), a.mask());
        if a.op == "red_shared_add_1" {
            return atomic(access::wavefronts(&addresses, mask, 4, false));
        }
        if !["add_u64", "add_f32", "add_f64"].iter().any(|looped| a.op.ends_with(looped)) {
            return atomic(access::shared_atomic(&addresses, mask, a.bytes(), a.op.contains("_cas_")));
        }
        let cost = access::shared_atomic_loop(&addresses, mask, a.bytes());
        vec![
            ("shared_atom_instructions", cost.rounds),
            ("shared_atom_wavefronts", cost.atomic_wavefronts),
            ("shared_load_instructions", cost.rounds),
            ("shared_load_wavefronts", cost.loads.wavefronts),
            ("shared_load_bank_conflicts", cost.loads.conflicts),
        ]
    });
}

#[test]
fn local_loads_and_stores() {
    check(include_str!("local.json"), 70, |a| local(a, a.mask()));
}

#[test]
fn constant_loads() {
    check(include_str!("constants.json"), 80, |a| {
        // A load of 16 bytes is two of 8. Two more loads are of the kernel's parameters.
        let loads = if a.bytes() == 16 { 2 } else { 1 };
        let passes = access::distinct_addresses(&a.addresses(), a.mask());
        vec![
            ("const_instructions", 2 + loads),
            ("const_divergent_instructions", if passes > 1 { loads } else { 0 }),
            ("const_replays", loads * passes.saturating_sub(1)),
            ("idc_requests", 2 + loads * passes),
        ]
    });
}

#[test]
fn generic_loads_and_stores_count_in_the_space_that_they_reach() {
    check(include_str!("generic.json"), 66, |a| {
        let name = if a.is_store() { "generic_store_instructions" } else { "generic_load_instructions" };
        [
            vec![(name, 1)],
            global(a, a.mask_of(0..1 << 24)),
            shared(a, a.mask_of(1 << 24..1 << 25)),
            local(a, a.mask_of(1 << 25..1 << 26)),
            OWN.to_vec(),
        ]
        .concat()
    });
}
