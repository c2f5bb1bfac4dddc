//! Counters of each source line next to the ideal: the terminal's version of Nsight Compute's source page.
//!
//! Enters: the counters of each PTX instruction, and the texts of the source files. Leaves: a listing. The module is
//! pure, and must never know which kernel it is about.
//!
//! Ideals are those of one request of a warp whose active lanes read or write neighbouring values: `lanes · bytes / 32`
//! sectors of global memory, `lanes · bytes / 128` wavefronts of shared memory, rounded up. If lanes share addresses,
//! fewer are needed, and the listing says so.

use anstyle::{AnsiColor, Style};
use counters::{Counter, Unit};
use device::{Counters, InstructionProfile};
use record::text::visible;
use render::format;
use std::collections::BTreeMap;

const HEAD: Style = Style::new().bold();
const NOTE: Style = Style::new().dimmed();
const WORSE: Style = AnsiColor::Yellow.on_default();

/// Lines without instructions that are shown between two with some; longer gaps are left out.
const GAP: u32 = 4;

/// Inlined calls that are listed for a line.
const INLINED: usize = 4;

/// Texts by the names that places give them.
pub type Sources = BTreeMap<String, String>;

/// Legend of the columns and notes of [`listing`].
pub(crate) fn legend() -> String {
    let [sector, request, wavefront, replay] =
        [Unit::Sector, Unit::Request, Unit::Wavefront, Unit::Replay].map(Unit::definition);
    format!(
        "\
instr.   PTX instructions, once a warp; ptxas may merge, move or drop some
%        of all instructions of the kernel
lanes    active threads of the 32 of a warp, on average
sector   {sector}; a request is {request}
wavefront  {wavefront}
replay   {replay}
ideal    what lanes that access neighbours need, each an element of its own
uniform  ptxas makes an operand of such a load, or loads once for the whole warp: the
         PTX does not say which, and no counter of constant loads has it
"
    )
}

/// Cost of one kernel's accesses, and then its lines, in the files that they are in.
pub fn listing<'a>(profile: impl IntoIterator<Item = &'a InstructionProfile>, sources: &Sources) -> String {
    let mut files: Vec<(&str, BTreeMap<u32, Line>)> = Vec::new();
    let mut all = Line::default();
    for instruction in profile {
        all.add(instruction);
        let place = &instruction.place;
        // Where the source is not at hand, the PTX is.
        let (file, line) = match place.counted_line() {
            Some((file, line)) if sources.contains_key(file) => (file.as_str(), *line),
            // (Or it has no source.)
            Some(_) | None => (place.ptx.as_str(), place.at.0),
        };
        let at = files.iter().position(|(name, _)| *name == file).unwrap_or_else(|| {
            files.push((file, BTreeMap::new()));
            files.len() - 1
        });
        files[at].1.entry(line).or_default().add(instruction);
    }
    let total = all.all.warp_instructions;
    let mut text = all.notes();
    if !text.is_empty() {
        text.insert_str(0, &format!("{NOTE}  all lines{NOTE:#}\n"));
    }
    text += &hottest(&files, total);
    for (file, lines) in files {
        text += &format!("{HEAD}{}{HEAD:#}\n{NOTE}  line     instr.     %  lanes{NOTE:#}\n", visible(file));
        let source: Vec<&str> = sources.get(file).map(|t| t.lines().collect()).unwrap_or_default();
        let mut last = None;
        for (&number, line) in &lines {
            text += &between(last, number, &source);
            text += &row(number, line, total, &source);
            text += &line.notes();
            last = Some(number);
        }
    }
    text
}

/// Lines that are shown as the hottest of a kernel.
const HOTTEST: usize = 5;

/// The lines that ran the most instructions, of a kernel with many more of them.
fn hottest(files: &[(&str, BTreeMap<u32, Line>)], total: u64) -> String {
    let mut lines: Vec<(u64, &str, u32)> = files
        .iter()
        .flat_map(|(file, lines)| lines.iter().map(|(n, line)| (line.all.warp_instructions, *file, *n)))
        .collect();
    if lines.len() < 3 * HOTTEST || total == 0 {
        return String::new();
    }
    lines.sort_by_key(|(count, ..)| std::cmp::Reverse(*count));
    let mut text = format!("{NOTE}  hottest lines, by instructions    %{NOTE:#}\n");
    for (count, file, line) in lines.into_iter().take(HOTTEST) {
        let share = 100.0 * count as f64 / total as f64;
        let place = format!("{}:{line}", visible(file));
        text += &format!("  {place:<29} {share:>6.1}\n");
    }
    text
}

/// The lines between two that have instructions.
fn between(last: Option<u32>, next: u32, source: &[&str]) -> String {
    let Some(last) = last else { return String::new() };
    if source.is_empty() || next <= last + 1 {
        return String::new();
    }
    if next - last - 1 > GAP {
        return format!("{NOTE}{:>6}{NOTE:#}\n", "⋮");
    }
    (last + 1..next).map(|n| format!("{n:>6} {:>24}{}\n", "", code(n, source))).map(|l| trimmed(&l)).collect()
}

fn trimmed(line: &str) -> String {
    format!("{}\n", line.trim_end())
}

fn row(number: u32, line: &Line, total: u64, source: &[&str]) -> String {
    let instructions = line.all.warp_instructions;
    let share = if total == 0 { 0.0 } else { 100.0 * instructions as f64 / total as f64 };
    let lanes = match lanes(&line.all) {
        Some(lanes) => format!("{lanes:.1}"),
        None => "-".to_owned(),
    };
    trimmed(&format!(
        "{number:>6} {:>10} {share:>5.1} {lanes:>6} {}",
        format::count(instructions),
        code(number, source)
    ))
}

/// A line's text; it comes from a file that may hold anything.
fn code(number: u32, source: &[&str]) -> String {
    let line = source.get((number as usize).wrapping_sub(1)).copied().unwrap_or_default();
    visible(&line.replace('\t', "    ")).into_owned()
}

/// Active lanes of an instruction, on average; none where it was never reached.
fn lanes(counters: &Counters) -> Option<f64> {
    let warps = counters.warp_instructions;
    (warps > 0).then(|| counters.thread_instructions as f64 / warps as f64)
}

/// Counts of a line's instructions.
#[derive(Default)]
struct Line {
    all: Counters,
    /// Accesses by what they are called, in the order in which they are shown.
    accesses: BTreeMap<Access, Sum>,
    /// Conditional branches, once a warp.
    branches: u64,
    /// Instructions of functions that were inlined, by where they come from.
    inlined: BTreeMap<String, u64>,
}

/// An access whose cost has an ideal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Access {
    /// Index into [`KINDS`].
    kind: usize,
    bytes: Option<u32>,
}

/// The counters of a kind of access.
struct Kind {
    name: &'static str,
    requests: &'static Counter,
    /// Counter of those that go through generic addresses, where `requests` leaves them out.
    generic: Option<&'static Counter>,
    cost: &'static Counter,
}

/// A row of the catalogue; a name that is not there fails the build, since it is called for constants alone.
const fn counter(name: &str) -> &'static Counter {
    counters::get(name).expect("a counter of the catalogue")
}

static KINDS: [Kind; 7] = [
    Kind {
        name: "global atomic",
        requests: counter("global_atomic_requests"),
        generic: None,
        cost: counter("global_atomic_sectors"),
    },
    Kind {
        name: "global load",
        requests: counter("global_load_requests"),
        generic: None,
        cost: counter("global_load_sectors"),
    },
    Kind {
        name: "global reduction",
        requests: counter("global_red_requests"),
        generic: None,
        cost: counter("global_red_sectors"),
    },
    Kind {
        name: "global store",
        requests: counter("global_store_requests"),
        generic: None,
        cost: counter("global_store_sectors"),
    },
    Kind {
        name: "shared atomic",
        requests: counter("shared_atomic_instructions"),
        generic: Some(counter("generic_atomic_instructions")),
        cost: counter("shared_atomic_wavefronts"),
    },
    Kind {
        name: "shared load",
        requests: counter("shared_load_instructions"),
        generic: Some(counter("generic_load_instructions")),
        cost: counter("shared_load_wavefronts"),
    },
    Kind {
        name: "shared store",
        requests: counter("shared_store_instructions"),
        generic: Some(counter("generic_store_instructions")),
        cost: counter("shared_store_wavefronts"),
    },
];

/// Counts that the notes leave out: those that they put in words of their own, and those that follow from these.
fn without_own_words(counters: &Counters) -> Counters {
    Counters {
        thread_instructions: 0,
        warp_instructions: 0,
        divergent_branches: 0,
        barriers: 0,
        global_load_wavefronts: 0,
        global_load_data_wavefronts: 0,
        global_store_wavefronts: 0,
        global_store_data_wavefronts: 0,
        shared_load_bank_conflicts: 0,
        shared_store_bank_conflicts: 0,
        shared_atomic_bank_conflicts: 0,
        generic_load_instructions: 0,
        generic_store_instructions: 0,
        generic_atomic_instructions: 0,
        copy_instructions: 0,
        copy_sectors: 0,
        copy_bank_conflicts: 0,
        const_instructions: 0,
        const_divergent_instructions: 0,
        const_replays: 0,
        idc_requests: 0,
        const_uniform_instructions: 0,
        local_load_requests: 0,
        local_load_sectors: 0,
        local_store_requests: 0,
        local_store_sectors: 0,
        ..*counters
    }
}

#[derive(Default)]
struct Sum {
    requests: u64,
    cost: u64,
    /// Requests times the ideal cost of each.
    ideal: f64,
}

impl Line {
    fn add(&mut self, instruction: &InstructionProfile) {
        let InstructionProfile { mnemonic, counters, .. } = instruction;
        self.all.add(counters);
        if let Some(from) = inlined(&instruction.place) {
            *self.inlined.entry(from).or_default() += counters.warp_instructions;
        }
        if mnemonic.starts_with("bra") || mnemonic.contains(" bra") {
            self.branches += counters.warp_instructions;
        }
        let count = |counter: &Counter| counters.get(counter.name).unwrap_or(0);
        for (at, kind) in KINDS.iter().enumerate() {
            let cost = count(kind.cost);
            let requests = match count(kind.requests) {
                0 if cost > 0 => kind.generic.map_or(0, count),
                requests => requests,
            };
            if requests == 0 {
                continue;
            }
            let bytes = width(mnemonic);
            let sum = self.accesses.entry(Access { kind: at, bytes }).or_default();
            sum.requests += requests;
            sum.cost += cost;
            let lanes = lanes(counters).unwrap_or(32.0);
            let one_moves = f64::from(kind.cost.unit.bytes().unwrap_or(u32::MAX));
            let mut ideal = (lanes * f64::from(bytes.unwrap_or(0)) / one_moves).ceil().max(1.0);
            if kind.cost.name == "shared_atomic_wavefronts" && mnemonic.contains(".cas") {
                ideal *= 2.0; // two operands
            }
            sum.ideal += requests as f64 * ideal;
        }
    }

    /// Notes on the line, one on each line of text.
    fn notes(&self) -> String {
        let mut notes: Vec<Note> = self.accesses.iter().map(|(a, sum)| access(*a, sum)).collect();
        self.note_memory(&mut notes);
        self.note_control(&mut notes);
        self.note_inlined(&mut notes);
        // Whatever else was counted goes by its own name.
        let is_access = |name| KINDS.iter().any(|k| k.requests.name == name || k.cost.name == name);
        for (name, n) in without_own_words(&self.all).iter().filter(|(name, n)| *n > 0 && !is_access(*name)) {
            notes.push((format!("{}: {}", render::title(name), format::count(n)), false));
        }
        notes
            .into_iter()
            .map(|(note, worse)| {
                let style = if worse { WORSE } else { NOTE };
                format!("         {style}└ {note}{style:#}\n")
            })
            .collect()
    }

    /// Accesses without an ideal of their own: local memory, copies, constants.
    fn note_memory(&self, notes: &mut Vec<Note>) {
        let c = &self.all;
        let per = |a: u64, b: u64| a as f64 / b as f64;
        for (what, requests, sectors) in [
            ("local load", c.local_load_requests, c.local_load_sectors),
            ("local store", c.local_store_requests, c.local_store_sectors),
        ] {
            if requests > 0 {
                let (n, each) = (several(requests, "request"), per(sectors, requests));
                notes.push((
                    format!("{what}: {n}, {each:.1} sectors/request, ideal 0: what fits no register"),
                    true,
                ));
            }
        }
        if c.copy_instructions > 0 {
            let each = per(c.copy_bank_conflicts, c.copy_instructions);
            notes.push((
                format!(
                    "asynchronous copy: {}, {each:.1} bank conflicts/instruction, ideal 0",
                    several(c.copy_instructions, "instruction")
                ),
                c.copy_bank_conflicts > 0,
            ));
        }
        let (loads, replays) = (c.const_instructions, c.const_replays);
        if loads > 0 {
            let divergent = match c.const_divergent_instructions {
                0 => String::new(),
                n => format!("; lanes differ in {} of them", format::count(n)),
            };
            notes.push((
                format!(
                    "constant load: {}, {:.1} replays/instruction, ideal 0{divergent}",
                    several(loads, "instruction"),
                    per(replays, loads)
                ),
                replays > 0,
            ));
        }
        if c.const_uniform_instructions > 0 {
            notes.push((
                format!(
                    "constant load: {} uniform, at an address known before the launch: ptxas makes an operand of it",
                    format::count(c.const_uniform_instructions)
                ),
                false,
            ));
        }
    }

    /// Branches and barriers.
    fn note_control(&self, notes: &mut Vec<Note>) {
        let c = &self.all;
        if c.divergent_branches > 0 {
            let of = if self.branches > 0 {
                format!(" of {}", format::count(self.branches))
            } else {
                String::new()
            };
            notes.push((
                format!("branch: {}{of} divergent, ideal 0", format::count(c.divergent_branches)),
                true,
            ));
        }
        if c.barriers > 0 {
            notes.push((format!("barrier: {}, once a warp", format::count(c.barriers)), false));
        }
    }

    /// Where the instructions of inlined functions come from.
    fn note_inlined(&self, notes: &mut Vec<Note>) {
        let mut most: Vec<_> = self.inlined.iter().collect();
        most.sort_by_key(|(from, n)| (std::cmp::Reverse(**n), *from));
        for (from, n) in most.iter().take(INLINED) {
            notes.push((format!("{}: {}", visible(from), several(**n, "instruction")), false));
        }
        if most.len() > INLINED {
            notes.push((format!("and of {} more inlined calls", most.len() - INLINED), false));
        }
    }
}

/// `1 request`, `4 requests`.
fn several(n: u64, one: &str) -> String {
    format::plural(n, one).replace('\u{a0}', " ")
}

/// A note in words, and whether it is about something that could be better.
type Note = (String, bool);

/// Of an instruction in a function that was inlined: the place in a header that it comes from, where it counts for a line
/// that calls it; or the calls that it was inlined at.
fn inlined(place: &device::Place) -> Option<String> {
    let (source, counted) = (place.source.as_ref()?, place.counted_line()?);
    if source != counted {
        return Some(format!("inlined from {}:{}", source.0, source.1));
    }
    let calls = place.inlined_at.iter().map(|(file, line)| format!("inlined at {file}:{line}"));
    let calls = calls.collect::<Vec<_>>().join(", ");
    (!calls.is_empty()).then_some(calls)
}

/// The note of an access, and whether it is worse than it could be.
fn access(access: Access, sum: &Sum) -> Note {
    let Kind { name, requests: each, cost: counted, .. } = &KINDS[access.kind];
    let (each, unit) = (each.unit.name(), counted.unit.name());
    let requests = sum.requests as f64;
    let (cost, ideal) = (sum.cost as f64 / requests, sum.ideal / requests);
    let mut note = format!("{name}: {}, {cost:.1} {unit}s/{each}", several(sum.requests, each));
    let Some(bytes) = access.bytes else { return (note, false) };
    let worse = cost > 1.05 * ideal;
    let shown = if ideal.fract() == 0.0 { format!("{ideal:.0}") } else { format!("{ideal:.1}") };
    if cost < 0.95 * ideal {
        note += &format!(" ({bytes} bytes a lane; lanes share them)");
    } else {
        note += &format!(", ideal {shown} ({bytes} bytes a lane)");
    }
    (note, worse)
}

/// Bytes that a lane reads or writes, from the words of an instruction such as `ld.global.v4.f32`.
fn width(mnemonic: &str) -> Option<u32> {
    let mut words = mnemonic.split_whitespace().next()?.split('.');
    if !matches!(words.next()?, "ld" | "ldu" | "st" | "atom" | "red") {
        return None; // of others the operands say it
    }
    let mut vector = 1;
    let mut bits = None;
    for word in words {
        match word {
            "v2" => vector = 2,
            "v4" => vector = 4,
            "v8" => vector = 8,
            "f16x2" | "bf16x2" => bits = Some(32),
            "bf16" => bits = Some(16),
            _ => {
                let number = word.strip_prefix(['b', 'u', 's', 'f']).and_then(|n| n.parse::<u32>().ok());
                bits = number.filter(|n| [8, 16, 32, 64, 128].contains(n)).or(bits);
            }
        }
    }
    Some(vector * bits? / 8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anstream::adapter::strip_str;
    use device::Place;

    /// An instruction that this many warps executed with that many lanes in total.
    fn at(line: u32, column: u32, mnemonic: &str, warps: u64, threads: u64) -> InstructionProfile {
        InstructionProfile {
            place: Place {
                source: Some(("tile.cu".into(), line)),
                ..Place::in_ptx("tile.ptx", (100 + line, column))
            },
            mnemonic: mnemonic.into(),
            counters: Counters {
                warp_instructions: warps,
                thread_instructions: threads,
                ..Counters::default()
            },
        }
    }

    fn with(mut instruction: InstructionProfile, set: impl Fn(&mut Counters)) -> InstructionProfile {
        set(&mut instruction.counters);
        instruction
    }

    fn tile() -> Vec<InstructionProfile> {
        vec![
            at(5, 1, "mov.u32", 8, 256),
            at(6, 1, "setp.ge.s32", 8, 256),
            with(at(6, 2, "bra", 8, 256), |c| c.divergent_branches = 1),
            with(at(7, 1, "ld.global.f32", 8, 250), |c| {
                (c.global_load_requests, c.global_load_sectors, c.global_load_wavefronts) = (8, 256, 64);
            }),
            with(at(7, 2, "st.shared.f32", 8, 250), |c| {
                (c.shared_store_instructions, c.shared_store_wavefronts) = (8, 8);
            }),
            with(at(8, 1, "bar.sync", 8, 256), |c| c.barriers = 8),
            with(at(10, 1, "ld.shared.v2.f32", 8, 256), |c| {
                (c.shared_load_instructions, c.shared_load_wavefronts) = (8, 256);
                c.shared_load_bank_conflicts = 240;
            }),
            with(at(10, 2, "ld.const.f32", 8, 256), |c| c.const_uniform_instructions = 8),
            with(at(11, 1, "ld.const.f32", 8, 256), |c| {
                (c.const_instructions, c.const_divergent_instructions, c.const_replays) = (8, 4, 124);
                c.idc_requests = 132;
            }),
            with(at(11, 2, "ld.global.nc.f64", 8, 256), |c| {
                (c.global_load_requests, c.global_load_sectors) = (8, 8);
            }),
            with(at(21, 1, "red.global.add.u32", 8, 8), |c| {
                (c.global_red_requests, c.global_red_sectors) = (8, 8);
            }),
            at(22, 1, "ret", 0, 0),
        ]
    }

    const SOURCE: &str = "\
// A tile.
__constant__ float coef[8];

extern \"C\" __global__ void tile(float *out, const float *in, int n) {
    int i = threadIdx.x;
    if (i < n) {
\ts[i] = in[8 * i];
        __syncthreads();

        float2 v = t[i]; // bell \u{7}
        out[i] += coef[i % 8];
    }
}






    // on its way
    if (i == 0) atomicAdd(out, 1);
}
";

    fn shown(profile: &[InstructionProfile], sources: &[(&str, &str)]) -> String {
        let sources = sources.iter().map(|(name, text)| ((*name).into(), (*text).into())).collect();
        strip_str(&listing(profile, &sources)).to_string()
    }

    #[test]
    fn a_listing_of_the_source_reads_so() {
        insta::assert_snapshot!(shown(&tile(), &[("tile.cu", SOURCE)]));
    }

    #[test]
    fn without_the_source_it_is_one_of_the_ptx() {
        let ptx: String = (1..130).map(|n| format!("\tline {n} of PTX;\n")).collect();
        insta::assert_snapshot!(shown(&tile()[..4], &[("tile.ptx", &ptx)]));
    }

    #[test]
    fn without_any_text_the_lines_are_there_by_number() {
        let text = shown(&tile()[..1], &[]);
        assert!(
            text.starts_with("tile.ptx\n") && text.contains("   105          8 100.0   32.0\n"),
            "{text}"
        );
    }

    #[test]
    fn a_line_past_the_end_of_its_file_and_no_profile_are_accepted() {
        assert!(shown(&tile(), &[("tile.cu", "short")]).contains("22"));
        assert_eq!(shown(&[], &[]), "");
    }

    #[test]
    fn inlined_instructions_count_for_one_line_and_say_where_they_come_from() {
        let inlined = |line: u32, source: (&str, u32), calls: &[(&str, u32)]| {
            let mut instruction = at(line, 1, "add.f32", 8, 256);
            instruction.place.source = Some((source.0.into(), source.1));
            instruction.place.inlined_at = calls.iter().map(|(file, line)| ((*file).into(), *line)).collect();
            instruction
        };
        let text = shown(
            &[
                inlined(1, ("math.h", 88), &[("tile.cu", 7)]),
                inlined(2, ("math.h", 88), &[("tile.cu", 7)]),
                inlined(3, ("tile.cu", 6), &[("tile.cu", 11)]),
            ],
            &[("tile.cu", SOURCE)],
        );
        assert!(
            text.contains("     7         16") && text.contains("inlined from math.h:88: 16 instructions"),
            "{text}"
        );
        assert!(
            text.contains("     6          8") && text.contains("inlined at tile.cu:11: 8 instructions"),
            "{text}"
        );
    }

    #[test]
    fn a_long_listing_begins_with_its_hottest_lines() {
        let profile: Vec<_> = (1..=20).map(|line| at(line, 1, "add.s32", u64::from(line), 32)).collect();
        let text = shown(&profile, &[]);
        let first: Vec<&str> = text.lines().take(6).map(str::trim).collect();
        assert_eq!(first[0], "hottest lines, by instructions    %");
        assert!(first[1].starts_with("tile.ptx:120 ") && first[1].ends_with(" 9.5"), "{text}");
        assert!(first[5].starts_with("tile.ptx:116 "), "{text}");
    }

    #[test]
    fn launches_of_a_kernel_add_up() {
        let (once, twice) = (tile(), [tile(), tile()].concat());
        let text = shown(&twice, &[("tile.cu", SOURCE)]);
        assert!(text.contains("16 requests, 32.0 sectors/request, ideal 4"), "{text}");
        assert_eq!(text.lines().count(), shown(&once, &[("tile.cu", SOURCE)]).lines().count());
    }

    #[test]
    fn the_width_is_in_the_mnemonic() {
        for (mnemonic, bytes) in [
            ("ld.global.f32", Some(4)),
            ("ld.global.nc.v4.f32", Some(16)),
            ("st.shared.v2.b64", Some(16)),
            ("ld.volatile.global.u8", Some(1)),
            ("ld.global.b128", Some(16)),
            ("ld.global.L2::128B.s16", Some(2)),
            ("st.release.gpu.global.u32", Some(4)),
            ("cp.async.ca.shared.global", None),
            ("", None),
            ("ld", None),
        ] {
            assert_eq!(width(mnemonic), bytes, "{mnemonic}");
        }
    }
}
