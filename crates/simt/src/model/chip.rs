//! Chips, as files describe them: `arch/*.toml`.
//!
//! A chip file holds what the time model needs, and what a program that asks for the properties of its device is answered. Its `sources` say which figures were found where, which
//! were derived from others, and which are assumed; those of the H200 come from the records in `book/records`.

use super::cache::Geometry;
use super::fields::{Field, Fields};
use crate::error::Error;

/// A chip.
#[derive(Clone, Debug, PartialEq)]
pub struct Chip {
    /// The file's name without ending.
    pub id: String,
    /// Such as `NVIDIA H200`.
    pub name: String,
    /// Major and minor.
    pub compute_capability: (u32, u32),
    /// Where the figures come from: found, derived or assumed.
    pub sources: Vec<String>,
    /// Streaming multiprocessors.
    pub multiprocessors: u32,
    /// Device memory, bytes.
    pub memory_bytes: u64,
    /// Clock of that memory, MHz, as drivers count it: two transfers each.
    pub memory_clock_mhz: f64,
    /// Width of its bus, bits.
    pub memory_bus_bits: u32,
    /// Clock of the multiprocessors while a kernel runs, MHz.
    pub clock_mhz: f64,
    /// From one launch to the next of kernels that do nothing, microseconds.
    pub launch_us: f64,
    /// From one start of a block to the next, wherever on the chip they are, nanoseconds: one unit hands all blocks out.
    pub block_start_ns: f64,
    /// Limits of a multiprocessor and of a block.
    pub limits: Limits,
    /// Throughput of a multiprocessor, per cycle.
    pub rates: Rates,
    /// How long a result takes, cycles.
    pub latencies: Latencies,
    /// First constant cache, of a multiprocessor.
    pub constant_l1: Geometry,
    /// Second constant cache.
    pub constant_l2: Geometry,
    /// First cache of global memory, of a multiprocessor, with lines of 128 bytes; its `line` is what a miss brings, a sector.
    pub l1: Geometry,
    /// What it keeps.
    pub l1_keeps: L1Keeps,
    /// Capacity of L2 as the driver reports it, bytes.
    pub l2_bytes: u64,
    /// Bytes up to which a launch finds all in L2 that the one before it used, and from which it finds nothing: where
    /// L2 has two parts, each keeps what its multiprocessors read, and what all read is there twice.
    pub l2_keeps: (u64, u64),
    /// Bandwidths of the whole chip, GB/s.
    pub bandwidth: Bandwidth,
    /// The way to the host.
    pub link: Link,
}

/// What the first cache of global memory keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum L1Keeps {
    /// All that is loaded, and local memory.
    Loads,
    /// What is read with `ld.global.nc`, and nothing else.
    ReadOnly,
}

/// Limits of a multiprocessor and of a block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Resident warps.
    pub warps: u32,
    /// Resident blocks.
    pub blocks: u32,
    /// Shared memory for all resident blocks, bytes.
    pub shared_bytes: u32,
    /// Shared memory that a block can have, bytes.
    pub shared_bytes_per_block: u32,
    /// Shared memory that the system takes of each block, bytes.
    pub shared_bytes_reserved: u32,
}

/// Cycles that a multiprocessor needs for one of each, when it has many of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// Warp instructions issued a cycle.
    pub issue_per_cycle: f64,
    /// Cycles a warp instruction of the integer pipe.
    pub integer: f64,
    /// Cycles one of the special function units.
    pub special: f64,
    /// Cycles one in single precision.
    pub single: f64,
    /// Cycles one in double precision.
    pub double: f64,
    /// Cycles one in half precision, of two values a lane.
    pub half: f64,
    /// Cycles a turn of the tensor cores, of which `mma.m16n8k16` of `.f16` takes three; 0 where they are not known, and
    /// products take no time then.
    pub tensor: f64,
    /// Cycles a request to the constant cache, replays included.
    pub constant_request: f64,
    /// Cycles more where the first constant cache misses.
    pub constant_miss: f64,
    /// Cycles a wavefront of shared memory.
    pub shared_wavefront: f64,
    /// Cycles a turn of L1 for global memory, see [`crate::model::access::Turns`].
    pub global_turn: f64,
    /// Cycles a warp that comes to a barrier.
    pub barrier: f64,
    /// Cycles from one start of a block on a multiprocessor to the next, wherever there is room.
    pub block_start: f64,
}

/// Cycles from issue to result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Latencies {
    /// Arithmetic.
    pub alu: f64,
    /// By a special function unit.
    pub special: f64,
    /// In double precision.
    pub double: f64,
    /// A turn of the tensor cores.
    pub tensor: f64,
    /// A shuffle.
    pub shuffle: f64,
    /// An atomic operation on shared memory.
    pub shared_atomic: f64,
    /// An atomic operation on global memory.
    pub global_atomic: f64,
    /// Time for which a lane's atomic operation keeps its line from others, nanoseconds.
    pub atomic_turn_ns: f64,
    /// Shared memory, one wavefront.
    pub shared: f64,
    /// More for each further wavefront.
    pub shared_conflict: f64,
    /// Constant memory by register address, found in the first cache.
    pub constant: f64,
    /// More for each replay.
    pub constant_replay: f64,
    /// More where the first constant cache misses.
    pub constant_l1_miss: f64,
    /// More where the second misses too.
    pub constant_l2_miss: f64,
    /// Global memory, found in L1.
    pub global: f64,
    /// More for each further turn that a load takes in L1.
    pub global_turn: f64,
    /// More where L1 misses and L2 has it.
    pub l1_miss: f64,
    /// More where it comes from memory that is little used.
    pub memory: f64,
    /// A barrier, in addition to the turns of the block's warps.
    pub barrier: f64,
    /// From the end of a block to the first instruction of the next in its place.
    pub block: f64,
    /// More for each of its warps.
    pub block_warp: f64,
}

/// Bandwidths of the whole chip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bandwidth {
    /// Device memory, GB/s, as a copy reaches it.
    pub memory: f64,
    /// Loads from L2, GB/s.
    pub l2: f64,
    /// Stores to L2, GB/s.
    pub l2_stores: f64,
    /// Sectors that L2 reads, changes and writes, a nanosecond: of atomic operations, and of stores of less than a sector.
    pub changed_sectors: f64,
}

/// The way to the host, and copies that no kernel makes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// Generation of PCI Express; all chips have 16 lanes of it.
    pub pcie_generation: u32,
    /// From pinned memory of the host, GB/s.
    pub pinned_to_device: f64,
    /// To pinned memory of the host, GB/s.
    pub pinned_to_host: f64,
    /// From pageable memory of the host, GB/s.
    pub pageable_to_device: f64,
    /// To pageable memory of the host, GB/s.
    pub pageable_to_host: f64,
    /// Time of a transfer of a few bytes with pinned memory, microseconds.
    pub pinned_us: f64,
    /// Time of a transfer of a few bytes with pageable memory, microseconds.
    pub pageable_us: f64,
    /// From one copy inside of the device's memory to the next on its stream, microseconds.
    pub copy_us: f64,
}

/// What a chip file holds under a name.
trait Take: Sized {
    /// Takes it out of the fields.
    ///
    /// # Errors
    /// That it is missing, or cannot be read as what it is to be.
    fn take(fields: &mut Fields, key: &str) -> Result<Self, String>;
}

/// What a single field holds.
trait Value: Sized {
    /// The value, if the field is one.
    fn of(field: Field) -> Option<Self>;
}

impl<T: Value> Take for T {
    fn take(fields: &mut Fields, key: &str) -> Result<T, String> {
        let field = fields.take(key).ok_or_else(|| format!("{key} is missing"))?;
        T::of(field.clone()).ok_or_else(|| format!("{key} cannot be {field}"))
    }
}

macro_rules! numbers {
    ($($ty:ty)*) => {$(
        impl Value for $ty {
            fn of(field: Field) -> Option<$ty> {
                if let Field::Number(text) = field { text.parse().ok() } else { None }
            }
        }
    )*};
}
numbers!(u32 u64 f64);

impl Value for String {
    fn of(field: Field) -> Option<String> {
        if let Field::Text(text) = field { Some(text) } else { None }
    }
}

impl<T: Value> Value for Vec<T> {
    fn of(field: Field) -> Option<Vec<T>> {
        if let Field::List(list) = field { list.into_iter().map(T::of).collect() } else { None }
    }
}

impl<T: Value + Copy> Value for (T, T) {
    fn of(field: Field) -> Option<(T, T)> {
        if let [a, b] = Vec::of(field)?[..] { Some((a, b)) } else { None }
    }
}

impl Value for L1Keeps {
    fn of(field: Field) -> Option<L1Keeps> {
        match String::of(field)?.as_str() {
            "loads" => Some(L1Keeps::Loads),
            "read-only" => Some(L1Keeps::ReadOnly),
            _ => None,
        }
    }
}

/// Tables of a chip file, which hold all their fields; what follows in parentheses is none of the file's.
macro_rules! tables {
    ($($table:ident { $($field:ident)* } $(($other:ident: $value:expr))?)*) => {$(
        impl Take for $table {
            fn take(fields: &mut Fields, key: &str) -> Result<$table, String> {
                let of = |field: &str| if key.is_empty() { field.to_owned() } else { format!("{key}.{field}") };
                $(let $field = Take::take(fields, &of(stringify!($field)))?;)*
                Ok($table { $($field,)* $($other: $value)? })
            }
        }
    )*};
}

tables! {
    Chip {
        name compute_capability sources multiprocessors memory_bytes memory_clock_mhz memory_bus_bits clock_mhz launch_us
        block_start_ns limits rates latencies constant_l1 constant_l2 l1 l1_keeps l2_bytes l2_keeps
        bandwidth link
    } (id: String::new())
    Limits {
        warps blocks shared_bytes shared_bytes_per_block shared_bytes_reserved
    }
    Rates {
        issue_per_cycle integer special single double half tensor constant_request constant_miss
        shared_wavefront global_turn barrier block_start
    }
    Latencies {
        alu special double tensor shuffle shared_atomic global_atomic atomic_turn_ns shared
        shared_conflict constant constant_replay constant_l1_miss constant_l2_miss global
        global_turn l1_miss memory barrier block block_warp
    }
    Bandwidth {
        memory l2 l2_stores changed_sectors
    }
    Link {
        pcie_generation pinned_to_device pinned_to_host pageable_to_device pageable_to_host
        pinned_us pageable_us copy_us
    }
    Geometry {
        bytes line ways
    }
}

/// Every chip file, by name. In pages all is as on an H200, and each file costs a reader's time.
#[cfg(all(target_arch = "wasm32", not(feature = "chips")))]
const FILES: &[(&str, &str)] = &[("h200", include_str!("../../arch/h200.toml"))];
#[cfg(any(not(target_arch = "wasm32"), feature = "chips"))]
const FILES: &[(&str, &str)] = &[
    ("h200", include_str!("../../arch/h200.toml")),
    ("gtx970", include_str!("../../arch/gtx970.toml")),
    ("p2000", include_str!("../../arch/p2000.toml")),
    ("t4", include_str!("../../arch/t4.toml")),
    ("rtx3060", include_str!("../../arch/rtx3060.toml")),
    ("rtx4090", include_str!("../../arch/rtx4090.toml")),
    ("a100", include_str!("../../arch/a100.toml")),
];

impl Chip {
    /// Names of the chips there are.
    pub fn names() -> Vec<&'static str> {
        FILES.iter().map(|(name, _)| *name).collect()
    }

    /// The chip of a name.
    ///
    /// # Errors
    /// [`Error::BadChip`] with the names there are.
    pub fn by_name(name: &str) -> Result<Chip, Error> {
        match FILES.iter().find(|(id, _)| *id == name) {
            Some((id, text)) => Chip::from_toml(id, text),
            None => Err(Error::BadChip {
                chip: name.into(),
                message: format!("there is no such chip file; there are: {}", Chip::names().join(", ")),
            }),
        }
    }

    /// Reads a chip file.
    ///
    /// # Errors
    /// [`Error::BadChip`] for a file that lacks or holds a field too much, or numbers that cannot be.
    pub fn from_toml(id: &str, text: &str) -> Result<Chip, Error> {
        let bad = |message: String| Error::BadChip { chip: id.into(), message };
        let mut fields = Fields::read(text).map_err(bad)?;
        let chip = Chip { id: id.into(), ..Chip::take(&mut fields, "").map_err(bad)? };
        if let Some(unknown) = fields.left() {
            return Err(bad(format!("{unknown} is not a field of a chip file")));
        }
        let positive = [
            ("clock_mhz", chip.clock_mhz),
            ("rates.issue_per_cycle", chip.rates.issue_per_cycle),
            ("bandwidth.memory", chip.bandwidth.memory),
            ("bandwidth.l2", chip.bandwidth.l2),
            ("bandwidth.changed_sectors", chip.bandwidth.changed_sectors),
            ("link.pinned_to_device", chip.link.pinned_to_device),
            ("link.pinned_to_host", chip.link.pinned_to_host),
            ("link.pageable_to_device", chip.link.pageable_to_device),
            ("link.pageable_to_host", chip.link.pageable_to_host),
            ("multiprocessors", f64::from(chip.multiprocessors)),
            ("limits.warps", f64::from(chip.limits.warps)),
            ("limits.blocks", f64::from(chip.limits.blocks)),
        ];
        if let Some((field, value)) = positive.iter().find(|(_, value)| !(value.is_finite() && *value > 0.0))
        {
            return Err(bad(format!("{field} is {value}, and must be above zero")));
        }
        match chip.l2_keeps {
            (all, nothing) if all >= nothing => Err(bad(format!(
                "l2_keeps: all up to {all} bytes and nothing from {nothing}, and the first must be less than the second"
            ))),
            _ => Ok(chip),
        }
    }

    /// Share of what a launch uses that it does not find in L2, of a launch made again and again that uses `bytes`.
    pub(crate) fn lost_by_l2(&self, bytes: f64) -> f64 {
        let (all, nothing) = (self.l2_keeps.0 as f64, self.l2_keeps.1 as f64);
        ((bytes - all) / (nothing - all)).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chip_file_is_read() {
        for name in Chip::names() {
            assert_eq!(Chip::by_name(name).unwrap().id, name);
        }
    }

    /// Shared memory of a multiprocessor and of a block, KiB; warps; blocks: the Programming Guide's table.
    #[test]
    fn limits_are_those_of_the_compute_capability() {
        for name in Chip::names() {
            let Chip { compute_capability, limits: l, .. } = Chip::by_name(name).unwrap();
            let wanted = match compute_capability {
                (5, 2) | (6, 1) => (96, 48, 64, 32),
                (7, 5) => (64, 64, 32, 16),
                (8, 0) => (164, 163, 64, 32),
                (8, 6) => (100, 99, 48, 16),
                (8, 9) => (100, 99, 48, 24),
                (9, 0) => (228, 227, 64, 32),
                other => panic!("{name}: {other:?}"),
            };
            let is = (l.shared_bytes >> 10, l.shared_bytes_per_block >> 10, l.warps, l.blocks);
            assert_eq!(is, wanted, "{name}");
            let reserved = if compute_capability.0 >= 8 { 1024 } else { 0 };
            assert_eq!(l.shared_bytes_reserved, reserved, "{name}");
        }
    }

    #[test]
    fn l2_loses_by_and_by_what_a_launch_uses() {
        let chip = Chip { l2_keeps: (100, 200), ..Chip::by_name("h200").unwrap() };
        assert_eq!(
            [50.0, 100.0, 150.0, 200.0, 1e9].map(|bytes| chip.lost_by_l2(bytes)),
            [0.0, 0.0, 0.5, 1.0, 1.0]
        );
    }

    #[test]
    fn a_wrong_chip_file_is_refused_with_the_field() {
        assert!(Chip::by_name("h2000").unwrap_err().to_string().contains("there are: h200"));
        let text = include_str!("../../arch/h200.toml");
        let unknown = format!("colour = 1\n{text}");
        assert!(Chip::from_toml("x", &unknown).unwrap_err().to_string().contains("colour"));
        let keeps = text.replace("l2_keeps = [", "l2_keeps = [9_000_000_000, 1]\n# [");
        assert!(Chip::from_toml("x", &keeps).unwrap_err().to_string().contains("l2_keeps"));
        let other = text.replace("l1_keeps = \"loads\"", "l1_keeps = \"all\"");
        assert!(Chip::from_toml("x", &other).unwrap_err().to_string().contains("l1_keeps cannot be \"all\""));
        let part = text.replace("warps = 64", "warps = 6.4");
        assert!(Chip::from_toml("x", &part).unwrap_err().to_string().contains("limits.warps cannot be 6.4"));
        let none = text.replace("barrier = 2.0\n", "");
        assert!(Chip::from_toml("x", &none).unwrap_err().to_string().contains("rates.barrier is missing"));
        let zero = text.replace("multiprocessors = 132", "multiprocessors = 0");
        assert!(Chip::from_toml("x", &zero).unwrap_err().to_string().contains("multiprocessors is 0"));
    }
}
