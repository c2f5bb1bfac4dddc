//! The catalogue of counters: name, title, unit, memory, equivalent metric of Nsight Compute, and one sentence of
//! explanation for each.
//!
//! Everything that names counters takes them from here: the embedded device counts into [`Counters`], labs ask `ncu`
//! for [`Counter::metric`], profiles and the book print names, units and sentences, and write counts as [`grouped`]
//! does. A new counter is one row of `catalogue.rs` and the line that counts it. The crate depends on nothing and must
//! never know how anything is counted.
//!
//! ```
//! use counters::{Counters, Space, Unit};
//!
//! // Counts of a launch in which the 32 lanes of one warp read consecutive words, once.
//! let counted = Counters { global_load_requests: 1, global_load_sectors: 4, ..Counters::default() };
//! assert_eq!(counted.get("global_load_sectors"), Some(4));
//!
//! // The meaning of such a count.
//! let sectors = counters::get("global_load_sectors").expect("in the catalogue");
//! assert_eq!((sectors.unit, sectors.space), (Unit::Sector, Some(Space::Global)));
//! assert_eq!(sectors.unit.bytes(), Some(32));
//! assert_eq!(sectors.metric, Some("l1tex__t_sectors_pipe_lsu_mem_global_op_ld"));
//! assert_eq!(sectors.sentence, "Distinct 32-byte sectors that global loads touch, summed over requests.");
//! ```

#![forbid(unsafe_code)]

/// One row of the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// Name in records, jobs' reports and the book, such as `global_load_sectors`.
    pub name: &'static str,
    /// Title in tables and messages: what is counted, in the plural, and of what, such as `sectors of global loads`.
    pub title: &'static str,
    /// Explanation in one English sentence, with its full stop.
    pub sentence: &'static str,
    /// Thing that is counted.
    pub unit: Unit,
    /// Memory whose accesses are counted; none for counters of instructions of any kind.
    pub space: Option<Space>,
    /// Metric of Nsight Compute with the same value on hardware, without the `.sum` that asks for the whole launch; with
    /// `.max` where it is the value of that multiprocessor which has most.
    pub metric: Option<&'static str>,
    /// Whether labs ask `ncu` for the metric.
    pub profiled: bool,
    /// Whether the embedded device counts it, as a field of [`Counters`]; the others come from hardware alone.
    pub embedded: bool,
}

/// Unit of a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unit {
    /// One instruction of one lane.
    ThreadInstruction,
    /// One instruction of one warp, or of one divergent path of a warp.
    Instruction,
    /// One instruction of one warp that reaches a memory; of local memory, one for every 4 bytes of a lane.
    Request,
    /// 32 bytes of global or local memory.
    Sector,
    /// One pass through the 32 banks of shared memory and L1, or through L1's tags.
    Wavefront,
    /// One wavefront more than the width of an access needs.
    BankConflict,
    /// One more pass of a constant load, for one more distinct address.
    Replay,
    /// One cycle of a scheduler, or of a warp.
    Cycle,
}

/// Memory that a counter is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Space {
    /// Global memory.
    Global,
    /// Shared memory.
    Shared,
    /// Local memory: each thread's own.
    Local,
    /// Constant memory.
    Constant,
    /// Any memory, through generic addresses.
    Generic,
    /// Textures and surfaces.
    Texture,
}

impl Unit {
    /// Name of one, such as `sector`; the plural takes an `s`.
    pub const fn name(self) -> &'static str {
        match self {
            Unit::ThreadInstruction => "thread-instruction",
            Unit::Instruction => "instruction",
            Unit::Request => "request",
            Unit::Sector => "sector",
            Unit::Wavefront => "wavefront",
            Unit::BankConflict => "bank conflict",
            Unit::Replay => "replay",
            Unit::Cycle => "cycle",
        }
    }

    /// Definition for a legend, a noun phrase without a full stop.
    pub const fn definition(self) -> &'static str {
        match self {
            Unit::ThreadInstruction => "one instruction of one lane",
            Unit::Instruction | Unit::Request => "one instruction of one warp",
            Unit::Sector => "32 bytes of global memory",
            Unit::Wavefront => "one pass through the 32 banks of shared memory and L1",
            Unit::BankConflict => "one more pass, for lanes whose words are in one bank",
            Unit::Replay => "one more pass for one more distinct constant address",
            Unit::Cycle => "one cycle of a scheduler or of a warp",
        }
    }

    /// Bytes that one moves at most; none for units that say nothing of an amount of data.
    pub const fn bytes(self) -> Option<u32> {
        match self {
            Unit::Sector => Some(32),
            Unit::Wavefront => Some(128),
            Unit::ThreadInstruction
            | Unit::Instruction
            | Unit::Request
            | Unit::BankConflict
            | Unit::Replay
            | Unit::Cycle => None,
        }
    }
}

impl Space {
    /// Name in lower case, such as `global`.
    pub const fn name(self) -> &'static str {
        match self {
            Space::Global => "global",
            Space::Shared => "shared",
            Space::Local => "local",
            Space::Constant => "constant",
            Space::Generic => "generic",
            Space::Texture => "texture",
        }
    }
}

/// The row of a counter by its name, also in constants, where a misspelt name can be made an error of the compiler.
pub const fn get(name: &str) -> Option<&'static Counter> {
    let mut at = 0;
    while at < ALL.len() {
        if equal(ALL[at].name.as_bytes(), name.as_bytes()) {
            return Some(&ALL[at]);
        }
        at += 1;
    }
    None
}

/// A number as texts show what was counted, with commas between its thousands, such as `16,777,216`, and a true minus sign.
/// `number` is decimal, with or without a fraction.
pub fn grouped(number: impl ToString) -> String {
    let number = number.to_string();
    let (sign, number) = match number.strip_prefix('-') {
        Some(rest) => ("−", rest),
        None => ("", number.as_str()),
    };
    let (whole, fraction) = number.split_at(number.find('.').unwrap_or(number.len()));
    let mut grouped = String::from(sign);
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped + fraction
}

/// `==` of slices is not a `const fn` yet.
const fn equal(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

/// Rows of the catalogue: `name ("title"): Unit of Space = "metric", profiled;`, of which all after the unit may be
/// absent. The first line of a row's documentation is its sentence. Rows in `hardware { … }` are not counted by the
/// embedded device.
macro_rules! catalogue {
    ($(
        #[doc = $sentence:literal]
        $(#[doc = $more:literal])*
        $name:ident ($title:literal): $unit:ident $(of $space:ident)? $(= $metric:literal $(, $profiled:ident)?)?;
        $(hardware {
            #[doc = $hw_sentence:literal]
            $(#[doc = $hw_more:literal])*
            $hw_name:ident ($hw_title:literal): $hw_unit:ident $(of $hw_space:ident)?
                = $hw_metric:literal, $hw_profiled:ident;
        })*
    )+) => {
        /// All counters, in the order in which they are printed and asked for.
        pub static ALL: &[Counter] = &[$(
            Counter {
                name: stringify!($name),
                title: $title,
                sentence: $sentence.trim_ascii(),
                unit: Unit::$unit,
                space: catalogue!(@some $(Space::$space)?),
                metric: catalogue!(@some $($metric)?),
                profiled: catalogue!(@is $($($profiled)?)?),
                embedded: true,
            },
            $(Counter {
                name: stringify!($hw_name),
                title: $hw_title,
                sentence: $hw_sentence.trim_ascii(),
                unit: Unit::$hw_unit,
                space: catalogue!(@some $(Space::$hw_space)?),
                metric: Some($hw_metric),
                profiled: catalogue!(@is $hw_profiled),
                embedded: false,
            },)*
        )+];

        /// Counts of one launch, or of a part of one.
        ///
        /// A counter with a metric of Nsight Compute equals that metric on an H200 for the PTX's own memory
        /// instructions: `crates/simt/tests/truth` holds 864 launches that check it. Loads of kernel parameters are
        /// left out.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Counters {
            $(
                #[doc = $sentence]
                $(#[doc = $more])*
                $(#[doc = concat!("\n\nNsight Compute: `", $metric, "`.")])?
                pub $name: u64,
            )+
        }

        impl Counters {
            /// Names and values, in the order of [`ALL`].
            #[inline]
            pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> {
                [$((stringify!($name), self.$name)),+].into_iter()
            }

            /// Adds the counts between two snapshots of one launch, of which `after` is the later.
            #[inline]
            pub fn add_difference(&mut self, before: &Counters, after: &Counters) {
                $(self.$name += after.$name - before.$name;)+
            }

            /// Adds the counts of another part of the launch.
            #[inline]
            pub fn add(&mut self, other: &Counters) {
                $(self.$name += other.$name;)+
            }
        }
    };
    (@some) => { None };
    (@some $value:expr) => { Some($value) };
    (@is) => { false };
    (@is profiled) => { true };
}

mod catalogue;
mod costs;
mod executed;

pub use catalogue::{ALL, Counters};
pub use costs::{COSTS, Cost, cost};
pub use executed::Executed;

impl Counters {
    /// The value of a counter by name.
    pub fn get(&self, name: &str) -> Option<u64> {
        self.iter().find(|(n, _)| *n == name).map(|(_, value)| value)
    }

    /// The value of a counter or of a [`Cost`] by name.
    pub fn counter_or_cost(&self, name: &str) -> Option<u64> {
        self.get(name).or_else(|| cost(name).map(|cost| cost.value(self)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn numbers_have_commas_between_their_thousands() {
        for (number, text) in [
            ("0", "0"),
            ("864", "864"),
            ("7552", "7,552"),
            ("-1024.5", "−1,024.5"),
            ("16777216", "16,777,216"),
        ] {
            assert_eq!(grouped(number), text);
        }
        assert_eq!(grouped(i64::MIN), "−9,223,372,036,854,775,808");
    }

    #[test]
    fn names_and_metrics_are_unique() {
        for of in [|c: &Counter| Some(c.name), |c: &Counter| Some(c.title), |c: &Counter| c.metric] {
            let all: Vec<&str> = ALL.iter().filter_map(of).collect();
            assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
        }
    }

    #[test]
    fn each_counter_is_found_by_its_name_alone() {
        for counter in ALL {
            assert_eq!(get(counter.name), Some(counter));
            assert_eq!(Counters::default().get(counter.name).is_some(), counter.embedded, "{}", counter.name);
        }
        for name in ["", "global", "global_load_sectors_", "Barriers"] {
            assert_eq!(get(name), None);
        }
    }

    #[test]
    fn each_sentence_is_one() {
        for Counter { name, sentence, .. } in ALL {
            assert!(sentence.ends_with('.') && !sentence.contains(". "), "{name}: {sentence}");
        }
    }
}
