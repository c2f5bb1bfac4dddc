//! Launches in WebAssembly next to those of the native device: every lab's `--quick`, and every program with a fault.
//!
//! Enters: the module that `scripts/web --replay` builds. Leaves: the first call that is answered differently, or how many agree.
//! Every kind of fault is among them but the time limit, for which there is no clock in WebAssembly.

use super::ROOT;
use super::recorder::{Recorder, Reported, Sink};
use anyhow::{Context, Result, bail, ensure};
use device::Device as _;
use job::{Expected, Job, Settings};
use labs::{Request, Scope};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command};
use std::thread::JoinHandle;
use std::time::Instant;
use web::replay::Start;

/// Reads frames, each after its length, and writes what is reported of each, a string of JSON a line.
const NODE: &str = r#"
const fs = require("fs");
const module = new WebAssembly.Module(fs.readFileSync(process.argv[1]));
const { memory, reserve, replay } = new WebAssembly.Instance(module, {}).exports;
const fill = bytes => {
    for (let at = 0; at < bytes.length;) {
        const read = fs.readSync(0, bytes, at, bytes.length - at, null);
        if (read === 0) return false;
        at += read;
    }
    return true;
};
const head = Buffer.alloc(4);
while (fill(head)) {
    const length = head.readUInt32LE(0);
    const to = reserve(length) >>> 0;
    if (!fill(new Uint8Array(memory.buffer, to, length))) throw "half a frame";
    const at = replay(to, length) >>> 0;
    const reported = Buffer.from(memory.buffer, at + 4, new DataView(memory.buffer).getUint32(at, true));
    fs.writeSync(1, JSON.stringify(reported.toString("utf8")) + "\n");
}
"#;

/// Warp instructions of a block of a lab before it is an endless loop: enough for all.
const LABS_BUDGET: u64 = 1 << 34;
/// The same for programs that fault, where an endless loop ends soon.
const FAULTS_BUDGET: u64 = 1 << 20;
/// Memory that both devices have: what WebAssembly can address, and the host's side next to it.
const MEMORY: u64 = 1 << 30;

/// The engine in node, which works while the native device does.
struct There {
    node: Child,
    frames: ChildStdin,
    answers: JoinHandle<Result<Vec<String>>>,
    reported: Vec<Reported>,
    broken: Option<String>,
}

impl There {
    fn start() -> Result<Self> {
        let built = Command::new(format!("{ROOT}/scripts/web")).arg("--replay").current_dir(ROOT).output()?;
        ensure!(built.status.success(), "scripts/web: {}", String::from_utf8_lossy(&built.stderr));
        let mut node = super::node(String::from_utf8(built.stdout)?.trim(), NODE)?;
        let frames = node.stdin.take().context("no input")?;
        let lines = BufReader::new(node.stdout.take().context("no output")?).lines();
        let answers = std::thread::spawn(|| lines.map(|line| Ok(serde_json::from_str(&line?)?)).collect());
        Ok(There { node, frames, answers, reported: vec![], broken: None })
    }

    /// What was answered natively, each with the answer of WebAssembly.
    fn finish(mut self) -> Result<Vec<(Reported, String)>> {
        drop(self.frames);
        let answers = self.answers.join().ok().context("node's answers were not read")??;
        let ended = self.node.wait()?;
        let pairs: Vec<_> = self.reported.into_iter().zip(answers).collect();
        let next = pairs.len();
        differing(&pairs)?;
        if let Some(broken) = self.broken {
            bail!("call {next}: {broken}; node: {ended}");
        }
        ensure!(ended.success(), "call {next}: node: {ended}");
        Ok(pairs)
    }
}

impl Sink for There {
    fn take(&mut self, frame: serde_json::Result<Vec<u8>>, reported: Reported) {
        if self.broken.is_some() {
            return;
        }
        let sent = frame.map_err(Into::into).and_then(|frame| {
            let length = u32::try_from(frame.len())?.to_le_bytes();
            self.frames.write_all(&length)?;
            Ok(self.frames.write_all(&frame)?)
        });
        self.broken = sent.err().map(|error: anyhow::Error| format!("{error:#}, at {}", reported.call));
        self.reported.push(reported);
    }
}

fn differing(pairs: &[(Reported, String)]) -> Result<()> {
    let Some((reported, there)) = pairs.iter().find(|(reported, there)| reported.answer != *there) else {
        return Ok(());
    };
    let native = &reported.answer;
    let same = native.chars().zip(there.chars()).take_while(|(a, b)| a == b).count().saturating_sub(60);
    let part = |text: &str| text.chars().skip(same).take(300).collect::<String>();
    bail!("{}\nnative:      …{}\nWebAssembly: …{}", reported.call, part(native), part(there));
}

/// Jobs of the programs with faults, in order.
fn faults() -> Result<Vec<PathBuf>> {
    let mut found = vec![];
    for entry in std::fs::read_dir(format!("{ROOT}/tests/programs/faults"))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.ends_with(".toml") && !name.ends_with(".fault.toml") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The device for programs with faults.
fn faulty() -> Start {
    Start { chip: labs::CHIP.into(), checks: true, budget: FAULTS_BUDGET, memory_bytes: MEMORY }
}

/// A kernel with an instruction that the device does not know, which no program has: the kind of its fault.
fn refused(there: &mut There) -> Result<String> {
    const PTX: &str = ".version 8.8\n.target sm_52\n.address_size 64\n\
        .visible .entry k()\n{\n.reg .b32 %r<2>;\nnever.u32 %r1, %r1;\nret;\n}\n";
    let mut recorder = Recorder::new(&faulty(), there)?;
    let module = recorder.load("refused.ptx", PTX)?;
    match recorder.check_kernel(module, "k") {
        Err(device::Error::Simt(error)) => {
            Ok(error.kind().context("it is refused for another reason")?.to_owned())
        }
        other => bail!("it is not refused: {other:?}"),
    }
}

/// Every lab's launches and every fault, answered alike: in words, what was compared.
pub(crate) fn agree() -> Result<String> {
    let mut there = There::start()?;
    let mut text = String::new();
    let mut of_labs = vec![];
    for lab in labs::ALL {
        let (began, first) = (Instant::now(), there.reported.len());
        let start =
            Start { chip: labs::CHIP.into(), checks: false, budget: LABS_BUDGET, memory_bytes: MEMORY };
        let request = Request::new(lab.sizes, &BTreeMap::new(), 5, Scope::Quick, false)?;
        let mut recorder = Recorder::new(&start, &mut there)?;
        let (record, left_out) =
            labs::rerun_on(&mut recorder, lab, &request).with_context(|| lab.name.to_owned())?;
        let loaded = recorder.loaded()?;
        ensure!(record.checks.iter().all(|check| check.passed), "{}: a check fails", lab.name);
        for (id, what) in left_out {
            text += &format!("{}: left out, since only a GPU does it in good time: {id}: {what}\n", lab.name);
        }
        let launches: Vec<&String> =
            there.reported[first..].iter().flat_map(|reported| &reported.kernels).collect();
        let kernels: BTreeSet<&String> = launches.iter().copied().collect();
        text += &format!(
            "{}: {} launches of {} kernels, {:.1} s\n",
            lab.name,
            launches.len(),
            kernels.len(),
            began.elapsed().as_secs_f64()
        );
        let others: BTreeSet<_> = loaded.iter().filter(|kernel| !kernels.contains(kernel)).collect();
        if !others.is_empty() {
            text += &format!("{}: not launched by --quick: {others:?}\n", lab.name);
        }
        of_labs.push(launches.len());
    }
    let mut kinds = BTreeSet::new();
    let mut faulted = 0;
    kinds.insert(refused(&mut there)?);
    for path in faults()? {
        let job = Job::read(&path, Expected::Compare)?;
        let mut recorder = Recorder::new(&faulty(), &mut there)?;
        let report = job::run(&job, &mut recorder, &Settings::default(), &mut |_| {});
        let fault = report.fault().with_context(|| format!("{} does not fault: {report}", path.display()))?;
        kinds.insert(fault.kind.to_string());
        faulted += 1;
    }
    let pairs = there.finish()?;
    Ok(format!(
        "{text}{} calls, among them {} launches of the labs' --quick and {faulted} faults of {} kinds, agree",
        pairs.len(),
        of_labs.iter().sum::<usize>(),
        kinds.len()
    ))
}
