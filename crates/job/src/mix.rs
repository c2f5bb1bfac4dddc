//! The mix of a kernel's instructions: how many of them there are of each class.
//!
//! Enters: the counters of each PTX instruction. Leaves: how many there are of each class, as a table or by name. Classes
//! are those of Nsight Compute's instruction statistics, as far as PTX distinguishes them; what ptxas makes of an instruction
//! may be of another class, or several.

use anstyle::Style;
use device::InstructionProfile;
use render::format;
use std::collections::BTreeMap;

const NOTE: Style = Style::new().dimmed();

/// A class of instructions, in the order in which equal shares are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Integer,
    Fp32,
    Fp64,
    Half,
    Tensor,
    Special,
    Conversion,
    Predicate,
    Move,
    Load(Space),
    Store(Space),
    Atomic(Space),
    AsyncCopy,
    Texture,
    Warp,
    Barrier,
    Control,
    Other,
}

/// The memory of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Space {
    Global,
    Shared,
    Local,
    Constant,
    Parameter,
    Generic,
}

/// Instructions, once a warp, by the names of their classes, the largest share first; none where nothing ran.
pub(crate) fn counts<'a>(profile: impl Iterator<Item = &'a InstructionProfile>) -> Vec<(String, u64)> {
    let mut counts: BTreeMap<Class, u64> = BTreeMap::new();
    for instruction in profile {
        *counts.entry(class(&instruction.mnemonic)).or_default() += instruction.counters.warp_instructions;
    }
    let mut rows: Vec<(Class, u64)> = counts.into_iter().filter(|(_, n)| *n > 0).collect();
    rows.sort_by_key(|(class, n)| (std::cmp::Reverse(*n), *class));
    rows.into_iter().map(|(class, n)| (class.name(), n)).collect()
}

/// A table of them; empty where nothing ran.
pub(crate) fn table<'a>(profile: impl Iterator<Item = &'a InstructionProfile>) -> String {
    let rows = counts(profile);
    if rows.is_empty() {
        return String::new();
    }
    let all: u64 = rows.iter().map(|(_, n)| n).sum();
    let mut text = format!("{NOTE}  class of instruction         instr.     %{NOTE:#}\n");
    for (class, n) in rows {
        let share = 100.0 * n as f64 / all as f64;
        text += &format!("  {class:<22} {:>12} {share:>5.1}\n", format::count(n));
    }
    text
}

/// Cost of an instruction of a warp for the machine that runs it, on average over its class, in instructions of that
/// machine. Measured with callgrind on loops of 28 kinds, profiled and without checks; estimated for tensor cores,
/// asynchronous copies, textures and what is of no other class.
pub(crate) fn host_cost(mnemonic: &str) -> u32 {
    match class(mnemonic) {
        Class::Integer | Class::Fp32 | Class::Predicate => 170,
        Class::Conversion | Class::Move | Class::Load(Space::Parameter) => 150,
        Class::Fp64 => 440,
        Class::Half => 3200,
        Class::Tensor => 10_000,
        Class::Special => 1100,
        Class::Load(Space::Shared) | Class::Store(Space::Shared) => 900,
        Class::Load(Space::Constant) => 1100,
        Class::Load(Space::Global) | Class::Store(Space::Global | Space::Parameter | Space::Constant) => 2100,
        Class::Load(Space::Generic) | Class::Store(Space::Generic) => 2700,
        Class::Load(Space::Local) | Class::Store(Space::Local) => 5600,
        Class::Atomic(Space::Shared) => 5100,
        Class::Atomic(_) => 10_800,
        Class::AsyncCopy | Class::Texture => 5000,
        Class::Warp => 2700,
        Class::Barrier => 600,
        Class::Control => 260,
        Class::Other => 170,
    }
}

impl Class {
    fn name(self) -> String {
        let of = |what: &str, space: Space| format!("{what}, {}", space.name());
        match self {
            Class::Integer => "integer".to_owned(),
            Class::Fp32 => "FP32".to_owned(),
            Class::Fp64 => "FP64".to_owned(),
            Class::Half => "FP16 and BF16".to_owned(),
            Class::Tensor => "tensor".to_owned(),
            Class::Special => "special function".to_owned(),
            Class::Conversion => "conversion".to_owned(),
            Class::Predicate => "predicate".to_owned(),
            Class::Move => "move and select".to_owned(),
            Class::Load(space) => of("load", space),
            Class::Store(space) => of("store", space),
            Class::Atomic(space) => of("atomic", space),
            Class::AsyncCopy => "asynchronous copy".to_owned(),
            Class::Texture => "texture and surface".to_owned(),
            Class::Warp => "warp-wide".to_owned(),
            Class::Barrier => "barrier and fence".to_owned(),
            Class::Control => "control".to_owned(),
            Class::Other => "other".to_owned(),
        }
    }
}

impl Space {
    fn name(self) -> &'static str {
        match self {
            Space::Global => "global",
            Space::Shared => "shared",
            Space::Local => "local",
            Space::Constant => "constant",
            Space::Parameter => "parameter",
            Space::Generic => "generic",
        }
    }

    fn of(words: &[&str]) -> Space {
        let found = words.iter().find_map(|word| match word.split("::").next() {
            Some("global") => Some(Space::Global),
            Some("shared") => Some(Space::Shared),
            Some("local") => Some(Space::Local),
            Some("const") => Some(Space::Constant),
            Some("param") => Some(Space::Parameter),
            _ => None,
        });
        found.unwrap_or(Space::Generic)
    }
}

/// The class of an instruction by its words, such as `ld.global.f32`.
fn class(mnemonic: &str) -> Class {
    let words: Vec<&str> = mnemonic.split('.').collect();
    let space = || Space::of(&words[1..]);
    match words[0] {
        "bra" | "brx" | "call" | "ret" | "exit" | "trap" | "brkpt" | "nanosleep" => Class::Control,
        "bar" | "barrier" | "membar" | "fence" | "mbarrier" | "griddepcontrol" => Class::Barrier,
        "shfl" | "vote" | "match" | "redux" | "activemask" | "elect" => Class::Warp,
        "wmma" if words.get(1) == Some(&"load") => Class::Load(space()),
        "wmma" if words.get(1) == Some(&"store") => Class::Store(space()),
        "mma" | "wmma" | "wgmma" | "tcgen05" => Class::Tensor,
        "tex" | "tld4" | "txq" | "suld" | "sust" | "sured" | "suq" => Class::Texture,
        "atom" | "red" => Class::Atomic(space()),
        "cp" => Class::AsyncCopy,
        "ld" | "ldu" | "ldmatrix" => Class::Load(space()),
        "st" | "stmatrix" => Class::Store(space()),
        "cvt" => Class::Conversion,
        "sin" | "cos" | "tanh" | "ex2" | "lg2" | "rcp" | "rsqrt" | "sqrt" => Class::Special,
        "mov" | "selp" | "slct" | "cvta" | "movmatrix" | "isspacep" | "mapa" | "getctarank" => Class::Move,
        "prefetch" | "prefetchu" | "applypriority" | "discard" | "alloca" | "stacksave" | "stackrestore"
        | "setmaxnreg" | "pmevent" => Class::Other,
        _ => arithmetic(&words[1..]),
    }
}

/// The class of arithmetic, by its operands' type: the last of `setp.lt.f32` and of `dp4a.u32.s32`, and of
/// `set.gt.u32.f32` too.
fn arithmetic(words: &[&str]) -> Class {
    let of = |word: &&str| match *word {
        "f64" => Some(Class::Fp64),
        "f32" | "f32x2" => Some(Class::Fp32),
        "f16" | "f16x2" | "bf16" | "bf16x2" => Some(Class::Half),
        "pred" => Some(Class::Predicate),
        word if word.starts_with(['u', 's', 'b']) && word[1..].starts_with(|c: char| c.is_ascii_digit()) => {
            Some(Class::Integer)
        }
        _ => None,
    };
    words.iter().rev().find_map(of).unwrap_or(Class::Other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anstream::adapter::strip_str;
    use device::{Counters, Place};

    fn ran(mnemonic: &str, warps: u64) -> InstructionProfile {
        InstructionProfile {
            place: Place::in_ptx("k.ptx", (1, 1)),
            mnemonic: mnemonic.into(),
            counters: Counters { warp_instructions: warps, ..Counters::default() },
        }
    }

    #[test]
    fn an_instruction_is_of_the_class_that_its_words_say() {
        for (mnemonic, name) in [
            ("fma.rn.f32", "FP32"),
            ("add.s64", "integer"),
            ("setp.lt.f64", "FP64"),
            ("set.gt.u32.f32", "FP32"),
            ("fma.rn.f16x2", "FP16 and BF16"),
            ("and.pred", "predicate"),
            ("and.b32", "integer"),
            ("dp4a.u32.s32", "integer"),
            ("ex2.approx.ftz.f32", "special function"),
            ("cvt.rn.f32.s32", "conversion"),
            ("mov.u32", "move and select"),
            ("ld.param.u64", "load, parameter"),
            ("ld.global.nc.v4.f32", "load, global"),
            ("ld.shared::cta.u32", "load, shared"),
            ("ld.volatile.u32", "load, generic"),
            ("ld.const.f32", "load, constant"),
            ("st.local.u32", "store, local"),
            ("red.global.add.u32", "atomic, global"),
            ("redux.sync.add.s32", "warp-wide"),
            ("atom.shared.cas.b32", "atomic, shared"),
            ("cp.async.ca.shared.global", "asynchronous copy"),
            ("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", "tensor"),
            ("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", "load, shared"),
            ("ldmatrix.sync.aligned.m8n8.x4.shared.b16", "load, shared"),
            ("tex.2d.v4.f32.f32", "texture and surface"),
            ("bar.sync", "barrier and fence"),
            ("bra.uni", "control"),
            ("ret", "control"),
            ("bfind.u32", "integer"),
            ("", "other"),
            ("invented", "other"),
        ] {
            assert_eq!(class(mnemonic).name(), name, "{mnemonic}");
        }
    }

    #[test]
    fn the_largest_share_comes_first_and_all_add_up() {
        let profile =
            [ran("fma.rn.f32", 30), ran("add.s32", 10), ran("add.f32", 30), ran("bra", 30), ran("ret", 0)];
        let text = strip_str(&table(profile.iter())).to_string();
        let rows: Vec<Vec<&str>> =
            text.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows, [["FP32", "60", "60.0"], ["control", "30", "30.0"], ["integer", "10", "10.0"]]);
        assert_eq!(table([ran("ret", 0)].iter()), "");
    }
}
