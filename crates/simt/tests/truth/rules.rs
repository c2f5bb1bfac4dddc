//! The rules of `model::access`, from addresses and masks alone, against single accesses that an H200 counted.

use simt::model::access::{self, SharedLoop, Turns, Wavefronts};
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

/// Counters of an access by a rule, by their names. Those that it leaves out are 0.
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
        let update: fn(usize, u64) -> u64 = match &a.op[a.op.len() - 3..] {
            "f32" => return looped(&access::shared_atomic_loop(&addresses, mask)),
            "u64" => |l, word| word + l as u64 + 1,
            _ => |l, word| (f64::from_bits(word) + l as f64 + 1.0).to_bits(),
        };
        looped(&access::shared_wide_atomic_loop(&addresses, mask, &[0; 32], update, false))
    });
}

fn looped(cost: &SharedLoop) -> Said {
    vec![
        ("shared_atom_instructions", cost.atomics),
        ("shared_atom_wavefronts", cost.atomic.wavefronts),
        ("shared_atom_bank_conflicts", cost.atomic.conflicts),
        ("shared_load_instructions", cost.loads),
        ("shared_load_wavefronts", cost.load.wavefronts),
        ("shared_load_bank_conflicts", cost.load.conflicts),
    ]
}

/// Copies past L1 whose sectors the rule does not explain: they scatter what they write.
const UNEXPLAINED_COPIES: usize = 12;

#[test]
fn asynchronous_copies_through_l1_look_lines_up_as_loads_do() {
    let lines = include_str!("copy_wavefronts.jsonl").lines();
    let copies: Vec<Access> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(copies.len(), 48);
    let through = copies.iter().filter(|a| a.op.contains("_ca_"));
    for a in through.clone() {
        let from = a.offs.map(|o| (o.max(0) >> 15) as u64);
        let reading = if a.op.contains("_half_") { a.mask() & 0xaaaa_aaaa } else { a.mask() };
        let turns = access::turns(&from, reading, a.bytes(), false);
        assert_eq!(a.hw["copy_passes"], turns.tags, "{}, {}", a.op, a.pattern);
        // They are among those of loads, of which the kernel has one of its own.
        assert_eq!(a.hw["global_load_passes"], 1 + turns.tags, "{}, {}", a.op, a.pattern);
    }
    assert_eq!(through.count(), 32);
}

#[test]
fn asynchronous_copies() {
    let unexplained = std::cell::Cell::new(0);
    check(include_str!("copies.json"), 168, |a| {
        let mask = a.mask();
        // Lanes with even numbers copy nothing but zeros, where the name says so.
        let reading = if a.op.contains("_half_") { mask & 0xaaaa_aaaa } else { mask };
        let (from, to) = (a.offs.map(|o| (o.max(0) >> 15) as u64), a.offs.map(|o| (o & 0x7fff) as u32));
        let past_l1 = a.op.contains("_cg_");
        let cost = access::copy(&from, &to, [reading, mask & !reading], a.bytes(), past_l1);
        // The load of the offsets is 4 sectors.
        let counted = a.hw["global_load_sectors"] - 4;
        if past_l1 && counted != cost.sectors {
            unexplained.set(unexplained.get() + 1);
        }
        vec![
            ("copy_instructions", u32::from(mask != 0)),
            ("copy_requests", cost.requests),
            ("copy_sectors", if past_l1 { 0 } else { cost.sectors }),
            ("copy_bank_conflicts", cost.conflicts),
            ("global_load_requests", 1 + cost.requests),
            ("global_load_sectors", 4 + if past_l1 { counted } else { cost.sectors }),
        ]
    });
    assert_eq!(unexplained.get(), UNEXPLAINED_COPIES);
}

/// A half word at an offset, compared with 0 and swapped for `new`, in the word around it.
fn swap_half(offset: u64, word: u64, new: u64) -> (u64, u64) {
    let shift = offset % 4 * 8;
    let rest = word & !(0xffff << shift);
    (rest, rest | new << shift)
}

#[test]
fn shared_atomics_that_values_end() {
    check(include_str!("shared_loops.json"), 98, |a| {
        let (addresses, mask) = (a.shared(), a.mask());
        let add = |l: usize| l as u64 + 1;
        let run = |update: &dyn Fn(usize, u64) -> u64, leaves| {
            looped(&access::shared_wide_atomic_loop(&addresses, mask, &[0; 32], update, leaves))
        };
        match a.op.split_once("shared_").unwrap().1 {
            "and_b64" => run(&|l, word| word & add(l), false),
            "add_f64" => run(&|l, word| (f64::from_bits(word) + l as f64 + 1.0).to_bits(), false),
            "min_u64" => run(&|l, word| word.min(add(l)), true),
            "max_s64" | "max_u64" => run(&|l, word| word.max(add(l)), true),
            "add_f16x2" => looped(&access::shared_atomic_loop(&addresses, mask)),
            _ => {
                let words = addresses.map(|a| a & !3);
                let rounds = access::swap_rounds(&words.map(u64::from), mask, &[0; 32], |l, word| {
                    swap_half(u64::from(addresses[l]), word, add(l))
                });
                let mut cost = SharedLoop {
                    atomics: rounds.len() as u32,
                    atomic: Wavefronts::NONE,
                    loads: 1,
                    load: access::wavefronts(&words, mask, 4, false),
                };
                rounds.iter().for_each(|m| cost.atomic.add(access::shared_atomic(&words, *m, 4, true)));
                looped(&cost)
            }
        }
    });
}

#[test]
fn global_atomics_on_half_words() {
    check(include_str!("global_loops.json"), 40, |a| {
        let (addresses, mask) = (a.addresses(), a.mask());
        let words = addresses.map(|a| a & !3);
        let rounds = access::swap_rounds(&words, mask, &[0; 32], |l, word| {
            if a.op.ends_with("cas_b16") {
                return swap_half(addresses[l], word, l as u64);
            }
            let shift = addresses[l] % 4 * 8;
            (word, word & !(0xffff << shift) | (((word >> shift) + l as u64) & 0xffff) << shift)
        });
        let sectors = rounds.iter().map(|m| access::atomic(&words, *m, true).sectors).sum();
        vec![
            ("global_load_requests", 2),
            ("global_load_sectors", 4 + access::sectors(&words, mask)),
            ("global_atom_requests", rounds.len() as u32),
            ("global_atom_sectors", sectors),
        ]
    });
}

#[test]
fn generic_atomics_count_in_both_spaces() {
    check(include_str!("generic_atomics.json"), 48, |a| {
        let (global, shared) = (a.mask_of(0..1 << 24), a.mask_of(1 << 24..1 << 25));
        let waves = access::shared_atomic(&a.shared(), shared, 4, false);
        vec![
            ("generic_atom_instructions", 1),
            ("global_atom_requests", u32::from(global != 0)),
            ("global_atom_sectors", access::atomic(&a.addresses(), global, false).sectors),
            (
                "shared_atom_wavefronts",
                if shared == 0 { access::elsewhere(global, 4, false) } else { waves.wavefronts },
            ),
            ("shared_atom_bank_conflicts", waves.conflicts),
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

#[test]
fn wavefronts_of_global_memory_are_turns_of_the_tags() {
    check(include_str!("wavefronts.json"), 220, |a| {
        let mask = a.mask();
        let turns = access::turns(&a.addresses(), mask, a.bytes(), a.is_store());
        // The kernel's own load and store, and what goes through the data for anything.
        let own = [("global_load_requests", 1), ("global_store_requests", 1)];
        let own_turns = [("global_load_passes", 1), ("global_store_passes", 1)];
        let any = ("lsu_wavefronts", a.hw["lsu_wavefronts"]);
        [
            load_or_store(
                a,
                ["global_load_requests", "global_load_passes"],
                ["global_store_requests", "global_store_passes"],
                [u32::from(mask != 0), turns.tags],
            ),
            [own, own_turns].concat(),
            vec![any],
        ]
        .concat()
    });
}

/// An access that 16 warps of a multiprocessor repeat, or two of them in turns, and what it took.
#[derive(serde::Deserialize)]
struct Timed {
    #[serde(flatten)]
    access: Untimed,
    /// Offsets of the second access.
    second: Option<[i64; 32]>,
    cycles: f64,
}

/// What of it has no counters.
#[derive(serde::Deserialize)]
struct Untimed {
    op: String,
    pattern: String,
    offs: [i64; 32],
}

impl Timed {
    fn access(&self, op: &str, offs: [i64; 32]) -> Access {
        // Generic addresses are of global memory alone, here.
        let op = op.replace("generic", "global");
        Access { op, pattern: self.access.pattern.clone(), offs, hw: BTreeMap::new() }
    }

    fn first(&self) -> Access {
        self.access(&self.access.op, self.access.offs)
    }

    /// Whether it took a number of cycles, to a share of them.
    fn took(&self, cycles: u32, share: f64) -> bool {
        (self.cycles / f64::from(cycles) - 1.0).abs() <= share
    }

    fn tell(&self, said: impl std::fmt::Debug) -> String {
        format!("{}, {}: {said:?}, but it took {}", self.access.op, self.access.pattern, self.cycles)
    }
}

fn timed(file: &str, wanted: impl Fn(&str) -> bool) -> Vec<Timed> {
    let all = file.lines().map(|line| serde_json::from_str::<Timed>(line).unwrap());
    all.filter(|t| wanted(&t.access.op)).collect()
}

fn turns(a: &Access) -> Turns {
    access::turns(&a.addresses(), a.mask(), a.bytes(), a.is_store())
}

/// How far the cycles of an access may be from its turns: timers and the loop around it.
const TIMER: f64 = 0.035;

#[test]
fn loads_take_the_turns_of_the_tags_or_those_of_the_data() {
    let loads = timed(include_str!("turns.jsonl"), |op| {
        op.starts_with("ld_global_") || op.starts_with("ld_generic_")
    });
    assert_eq!(loads.len(), 1642);
    let wrong: Vec<String> = loads
        .iter()
        .map(|t| (t, turns(&t.first())))
        .filter(|(t, turns)| !t.took(turns.cycles(), TIMER))
        .map(|(t, turns)| t.tell(turns))
        .collect();
    assert!(wrong.is_empty(), "{} differ: {wrong:#?}", wrong.len());
}

#[test]
fn lines_that_are_far_apart_have_the_banks_of_tags_that_the_rule_gives_them() {
    let loads = timed(include_str!("turns_far.jsonl"), |_| true);
    assert_eq!(loads.len(), 52);
    for t in &loads {
        assert!(t.took(turns(&t.first()).cycles(), TIMER), "{}", t.tell(turns(&t.first())));
    }
}

/// Stores that take longer than their turns: of 16 bytes a lane, at random.
const LONGER_STORES: usize = 1;

#[test]
fn stores_take_them_too_where_l2_holds_none_up() {
    let stores = timed(include_str!("turns.jsonl"), |op| op.starts_with("st_"));
    assert_eq!(stores.len(), 94);
    let wrong: Vec<String> = stores
        .iter()
        .filter(|t| !t.took(turns(&t.first()).cycles(), TIMER))
        .map(|t| t.tell(turns(&t.first())))
        .collect();
    assert_eq!(wrong.len(), LONGER_STORES, "{wrong:#?}");
}

#[test]
fn an_instruction_without_lanes_takes_a_turn_of_the_data() {
    let without = timed(include_str!("turns.jsonl"), |op| !op.starts_with("two_"));
    let without: Vec<&Timed> = without.iter().filter(|t| t.first().mask() == 0).collect();
    assert_eq!(without.len(), 17);
    for t in without {
        // The constant cache has a path of its own, of two cycles a request.
        let cycles = if t.access.op.starts_with("ld_const") { 2 } else { Turns::WITHOUT_LANES.cycles() };
        assert!(t.took(cycles, TIMER), "{}", t.tell(cycles));
    }
}

#[test]
fn tags_and_data_work_at_the_same_time_and_shared_memory_is_data_too() {
    let pairs = timed(include_str!("turns.jsonl"), |op| {
        ["two_32_32", "two_32_128", "two_32_shared", "two_128_shared"].contains(&op)
    });
    assert_eq!(pairs.len(), 208);
    let mut close = 0;
    for t in &pairs {
        let (_, widths) = t.access.op.split_once('_').unwrap();
        let (first, second) = widths.split_once('_').unwrap();
        let one = turns(&t.access(&format!("ld_global_{first}"), t.access.offs));
        let offs = t.second.unwrap_or(t.access.offs);
        let other = if second == "shared" {
            let a = t.access("ld_shared_32", offs);
            let waves = access::wavefronts(&a.shared(), a.mask(), 4, false).wavefronts;
            Turns { tags: 0, data: waves.max(1) }
        } else {
            turns(&t.access(&format!("ld_global_{second}"), offs))
        };
        let overlapped = f64::from((one.tags + other.tags).max(one.data + other.data));
        let apart = f64::from(one.cycles() + other.cycles());
        // Stages that have as much to do hold each other up now and then.
        assert!(
            t.cycles >= overlapped * (1.0 - TIMER) && t.cycles <= (overlapped * 1.25).min(apart * 1.1),
            "{}",
            t.tell((one, other))
        );
        close += usize::from(t.took(overlapped as u32, 0.1));
    }
    assert_eq!(close, 200);
}
