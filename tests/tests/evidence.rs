//! Output of the embedded device that the book shows next to records: `book/evidence`, written by this test from the
//! device's present output and from the committed counts of an H200, and included by the chapters.
//!
//! `UPDATE=1 cargo test -p tests --test all evidence::` writes the files again.

use device::{Device, Embedded};
use job::{Expected, Fault, Job, Settings, run};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use tests::{committed, table};

type Error = Box<dyn std::error::Error>;

/// Warp instructions a block of a job that must fault: an endless loop ends soon.
const BUDGET: u64 = 1 << 22;

/// Instructions of kinds that the device does not know.
const REFUSED: [(&str, &str); 6] = [
    ("questions that no texture object answers", "txq.channel_order.b32 %r1, [%l];"),
    ("samplers apart from their textures", "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%l, %l, {%f1, %f2}];"),
    ("products of matrices by four warps (Hopper)", "wgmma.fence.sync.aligned;"),
    ("products of matrices in tensor memory (Blackwell)", "tcgen05.fence::before_thread_sync;"),
    (
        "copies by tensor maps",
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], [%l, {%r1, %r2}], [%r1];",
    ),
    ("memory of several devices", "multimem.ld_reduce.relaxed.sys.global.add.f32 %f1, [%l];"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(file: &str) -> Result<String, Error> {
    std::fs::read_to_string(root().join(file)).map_err(|error| format!("{file}: {error}").into())
}

fn hold(name: &str, now: &str) {
    committed(&root().join("book/evidence").join(name), now, "-p tests --test all evidence::");
}

fn count(n: usize) -> String {
    render::format::count(n as u64)
}

/// Runs a job that must fault: what `launch` says on stderr, and the fault.
fn faulting(job: &str) -> Result<(String, Fault), Error> {
    let job = Job::read(&root().join(job), Expected::Record)?;
    let mut device = Embedded::new("h200")?;
    device.options().checks = device::Checks::ALL;
    device.options().budget = BUDGET;
    device.options().deterministic = true;
    let report = run(&job, &mut device as &mut dyn Device, &Settings::default(), &mut |_| {});
    let fault = report.fault().ok_or("no fault")?;
    let error = report.error.ok_or("no error")?.to_string();
    let here = format!("{}/", root().display());
    // As the command shows it: names as in the source.
    Ok((format!("launch: {}\n", names::readable(&error.replace(&here, ""))), fault))
}

#[test]
fn a_fault_is_reported_as_the_book_shows_it() -> Result<(), Error> {
    hold("fault.txt", &faulting("tests/programs/faults/race_between_warps.toml")?.0);
    Ok(())
}

#[test]
fn each_kind_of_fault_has_an_example() -> Result<(), Error> {
    #[derive(Deserialize)]
    struct Kind {
        kind: String,
    }
    let folder = root().join("tests/programs/faults");
    let mut jobs: BTreeMap<String, String> = BTreeMap::new();
    let mut names: Vec<String> = std::fs::read_dir(&folder)?
        .filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.strip_suffix(".fault.toml")?.to_owned()))
        .collect();
    // The plainest of a kind: clusters, their barriers and atomic operations have the same faults in other words.
    let special = |name: &str| {
        ["cluster", "mbarrier", "atomic", "warp", "lanes", "lock"].iter().any(|word| name.contains(word))
    };
    names.sort_by_key(|name| (special(name), name.clone()));
    for name in names {
        let Kind { kind } =
            toml::from_str(&std::fs::read_to_string(folder.join(format!("{name}.fault.toml")))?)?;
        jobs.entry(kind).or_insert(name);
    }
    let mut rows = vec![];
    for (kind, name) in jobs {
        let (_, fault) = faulting(&format!("tests/programs/faults/{name}.toml"))?;
        assert_eq!(fault.kind, kind);
        let source = std::fs::read_to_string(folder.join(format!("{name}.cu")))?;
        let what =
            source.lines().next().and_then(|line| line.strip_prefix("// ")).ok_or("no first comment")?;
        // A header's function is inlined where the program calls it.
        let own = |file: &str| file.ends_with(&format!("{name}.cu"));
        let innermost = fault.file.as_deref().zip(fault.line).filter(|(file, _)| own(file));
        let around = fault.inlined_at.iter().find(|at| own(&at.file));
        let line = innermost.map(|(_, line)| line).or_else(|| around.map(|at| at.line));
        let line = line.map(|line| format!(", line {line}")).unwrap_or_default();
        let message = fault.message.replace('|', "\\|");
        rows.push(vec![format!("`{kind}`"), what.to_owned(), format!("`{name}.cu`{line}: {message}")]);
    }
    hold("faults.md", &table(&["kind", "the program", "what is reported"], rows));
    Ok(())
}

#[test]
fn what_it_does_not_know_is_refused_before_a_thread_runs() -> Result<(), Error> {
    let (mut rows, mut said) = (vec![], None);
    for (what, instruction) in REFUSED {
        let ptx = format!(
            ".version 8.6\n.target sm_100a\n.address_size 64\n.visible .entry k()\n{{\n.reg .f32 %f<5>; .reg .b64 %l; .reg .b32 %r<3>;\n{instruction}\nret;\n}}\n"
        );
        let mut device = Embedded::new("h200")?;
        let module = device.load("kernel.ptx", &ptx)?;
        let error = match device.check_kernel(module, "k") {
            Ok(()) => return Err(format!("{instruction} is known now").into()),
            Err(error) => error.to_string(),
        };
        assert!(error.starts_with("kernel.ptx:7:1: "), "{error}");
        // Its name, of which the first words are enough.
        let name: Vec<&str> = error.split('`').nth(1).ok_or("no name")?.split('.').collect();
        let more = if name.len() > 4 { "…" } else { "" };
        rows.push(vec![what.to_owned(), format!("`{}{more}`", name[..name.len().min(4)].join("."))]);
        said.get_or_insert(error);
    }
    let said = said.ok_or("nothing is refused")?;
    let refused = table(&["not known", "such as"], rows);
    hold("refused.md", &format!("{refused}\nThe message names it:\n\n```text\n{said}\n```\n"));
    Ok(())
}

#[test]
fn what_was_held_against_the_hardware_is_counted() -> Result<(), Error> {
    let mut text = String::new();
    let mut part = |name: &str, body: &str| {
        let _ = write!(text, "<!-- ANCHOR: {name} -->\n{body}<!-- ANCHOR_END: {name} -->\n");
    };
    part("accesses", &accesses()?);
    part("programs", &programs()?);
    part("values", &values()?);
    hold("held.md", &text);
    Ok(())
}

/// Accesses that the book shows: operation and pattern of `turns.jsonl`, and in words.
const TURNS: [(&str, &str, &str); 13] = [
    ("ld_global_32", "stride 4", "neighbouring words"),
    ("ld_global_32", "stride 0", "one address"),
    ("ld_global_64", "stride 0", "one address"),
    ("ld_global_128", "stride 0", "one address"),
    ("ld_global_64", "stride 8", "side by side"),
    ("ld_global_128", "stride 16", "side by side"),
    ("ld_global_32", "stride 68", "68 bytes apart"),
    ("ld_global_32", "stride 128", "128 bytes apart: one bank of data"),
    ("ld_global_32", "stride 132", "132 bytes apart: all banks of data"),
    ("ld_global_32", "stride 160", "160 bytes apart: four banks of data, and uneven banks of tags"),
    ("ld_global_32", "stride 128, lanes below 2", "two lanes, 128 bytes apart"),
    ("ld_global_128", "stride 0, lanes below 1", "one lane"),
    ("ld_global_32", "no lane", "none: all lanes are off"),
];

#[test]
fn turns_of_l1_are_those_that_the_hardware_takes() -> Result<(), Error> {
    #[derive(Deserialize)]
    struct Timed {
        op: String,
        pattern: String,
        offs: [i64; 32],
        #[serde(default)]
        step: u64,
        cycles: f64,
    }
    let file = read("crates/simt/tests/truth/turns.jsonl")?;
    let all: Vec<Timed> = file.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let mut rows = vec![];
    for (op, pattern, words) in TURNS {
        let wanted = |t: &&Timed| t.op == op && t.pattern == pattern && t.step == 0;
        let timed = all.iter().find(wanted).ok_or_else(|| format!("{op}, {pattern}: not measured"))?;
        let bits: u32 = op.trim_start_matches("ld_global_").parse()?;
        let addresses = timed.offs.map(|o| o.max(0) as u64);
        let mask = (0..32).map(|l| u32::from(timed.offs[l] >= 0) << l).sum();
        let turns = simt::model::access::turns(&addresses, mask, bits / 8, false);
        let on = |l: &usize| mask >> l & 1 == 1;
        let lines: BTreeSet<u64> = (0..32).filter(on).map(|l| addresses[l] / 128).collect();
        rows.push(vec![
            count(bits as usize / 8),
            words.to_owned(),
            count(lines.len()),
            count(turns.tags as usize),
            count(turns.data as usize),
            format!("{:.2}", timed.cycles),
        ]);
    }
    let headings = [
        "bytes a lane",
        "where the lanes are",
        "lines",
        "wavefronts of tags",
        "wavefronts of data",
        "cycles, measured",
    ];
    hold("turns.md", &table(&headings, rows));
    Ok(())
}

#[test]
fn what_is_executed_is_shown_next_to_the_ptx_and_the_hardware() -> Result<(), Error> {
    #[derive(Deserialize)]
    struct Launch {
        hw: BTreeMap<String, u64>,
    }
    const SHOWN: &str = "reduce_sequential";
    let folder = root().join("tests/executed");
    let truth: BTreeMap<String, Vec<Launch>> = serde_json::from_str(&read("tests/executed/counters.json")?)?;
    let names: BTreeSet<&str> =
        truth.values().flatten().flat_map(|l| l.hw.keys().map(String::as_str)).collect();
    let (mut shown, mut pairs) = (vec![], [0; 3]);
    for (name, chip) in &truth {
        let job = Job::read(&folder.join(format!("{name}.toml")), Expected::Record)?;
        let mut device = Embedded::new("h200")?;
        device.options().deterministic = true;
        device.options().executed = true;
        let report = run(&job, &mut device as &mut dyn Device, &Settings::default(), &mut |_| {});
        for (here, chip) in report.launches.iter().zip(chip) {
            for counter in &names {
                let ptx = here.counters.and_then(|c| c.get(counter)).unwrap_or_default();
                let executed = here.executed.get(counter);
                let chip = chip.hw.get(*counter).copied().unwrap_or_default();
                if ptx == 0 && chip == 0 && executed.unwrap_or_default() == 0 {
                    continue;
                }
                let equal = [true, ptx == chip, executed == Some(chip)];
                pairs.iter_mut().zip(equal).for_each(|(sum, equal)| *sum += usize::from(equal));
                if name == SHOWN {
                    let numbers = [ptx, executed.ok_or("not reported")?, chip].map(render::format::count);
                    shown.push([vec![format!("`{counter}`")], numbers.to_vec()].concat());
                }
            }
        }
    }
    let share = |n: usize| format!("{:.1}\u{a0}%", 100.0 * n as f64 / pairs[0] as f64);
    let rows = [("the PTX's own", pairs[1]), ("`executed`", pairs[2])];
    let rows = rows.map(|(what, n)| vec![what.to_owned(), count(n), share(n)]);
    let kernel = table(&["counter", "the PTX's own", "`executed`", "H200"], shown);
    let agreement = table(&[&format!("of {} counts, equal are", count(pairs[0])), "counts", "share"], rows);
    let part =
        |name: &str, body: &str| format!("<!-- ANCHOR: {name} -->\n{body}<!-- ANCHOR_END: {name} -->\n");
    hold("executed.md", &(part("kernel", &kernel) + &part("agreement", &agreement)));
    Ok(())
}

/// Single accesses, by file.
fn accesses() -> Result<String, Error> {
    #[derive(Deserialize)]
    struct Access {
        op: String,
        hw: BTreeMap<String, u64>,
    }
    let folder = root().join("crates/simt/tests/truth");
    let mut names: Vec<PathBuf> = std::fs::read_dir(&folder)?.flatten().map(|entry| entry.path()).collect();
    names.retain(|path| path.extension().is_some_and(|e| e == "json"));
    names.sort();
    let (mut rows, mut all) = (vec![], (0, 0));
    for path in names {
        let launches: Vec<Access> = serde_json::from_str(&std::fs::read_to_string(&path)?)?;
        let kernels: BTreeSet<&str> = launches.iter().map(|launch| launch.op.as_str()).collect();
        // No rule says how often anything at all passes through the data of L1.
        let said = |launch: &Access| launch.hw.keys().filter(|name| *name != "lsu_wavefronts").count();
        let counts: usize = launches.iter().map(said).sum();
        let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().replace('_', " ");
        rows.push(vec![name, count(kernels.len()), count(launches.len()), count(counts)]);
        all = (all.0 + launches.len(), all.1 + counts);
    }
    rows.push(vec!["**all**".into(), String::new(), count(all.0), count(all.1)]);
    Ok(table(&["accesses", "kernels", "launches", "counts other than 0"], rows))
}

/// Whole programs: their counts, those that are equal, and the reasons for the others.
fn programs() -> Result<String, Error> {
    #[derive(Deserialize)]
    struct Launch {
        hw: BTreeMap<String, u64>,
    }
    #[derive(Deserialize)]
    struct Reason {
        why: String,
        #[serde(default)]
        varies: bool,
        differs: BTreeMap<String, BTreeMap<String, Vec<usize>>>,
    }
    let truth: BTreeMap<String, Vec<Launch>> = serde_json::from_str(&read("tests/programs/counters.json")?)?;
    let reasons: BTreeMap<String, Reason> = toml::from_str(&read("tests/programs/counters.toml")?)?;
    let launches: Vec<&Launch> = truth.values().flatten().collect();
    let counters: BTreeSet<&str> = launches.iter().flat_map(|l| l.hw.keys().map(String::as_str)).collect();
    let all = launches.len() * counters.len();
    let listed = |reason: &Reason| -> usize {
        reason.differs.values().flat_map(|counters| counters.values()).map(Vec::len).sum()
    };
    let differing: usize = reasons.values().map(listed).sum();
    let share = |n: usize| format!("{:.1}\u{a0}%", 100.0 * n as f64 / all as f64);
    let mut rows = vec![vec!["equal".to_owned(), count(all - differing), share(all - differing)]];
    let mut by_number: Vec<&Reason> = reasons.values().collect();
    by_number.sort_by_key(|reason| std::cmp::Reverse(listed(reason)));
    for reason in by_number {
        let varies = if reason.varies { " (The two may also agree.)" } else { "" };
        rows.push(vec![format!("{}{varies}", reason.why), count(listed(reason)), share(listed(reason))]);
    }
    let programs: BTreeSet<&str> = truth.keys().filter_map(|job| job.split('/').next()).collect();
    Ok(format!(
        "{} launches of {} programs, in {} builds by several compilers, with {} counters each:\n\n{}",
        count(launches.len()),
        count(programs.len()),
        count(truth.len()),
        counters.len(),
        table(&["equal, or why not", "counts", "share"], rows)
    ))
}

/// Results: what a GPU gave for the instructions and programs of the corpus.
fn values() -> Result<String, Error> {
    let mut rows = vec![];
    for (what, folder) in [("instructions", "tests/ptx"), ("programs", "tests/programs")] {
        let (mut jobs, mut bytes) = (0, 0);
        let mut folders = vec![root().join(folder)];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder)?.flatten() {
                let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
                if path.is_dir() {
                    folders.push(path);
                } else if name.ends_with(".expected.bin") {
                    bytes += entry.metadata()?.len();
                } else if name.ends_with(".ptx") && path.with_extension("toml").is_file() {
                    jobs += 1;
                }
            }
        }
        rows.push(vec![what.to_owned(), count(jobs), render::format::bytes(bytes)]);
    }
    Ok(table(&["corpus", "modules of PTX", "results that a GPU gave"], rows))
}
