//! The engine in WebAssembly answers as the native one does, to the last byte: the book's live kernels, run and looked
//! into, the exercises' solutions and skeletons, and kernels with faults; a part of them by day, all each night. So do its
//! launches: those of every lab's `--quick`, and of every program with a fault.
//!
//! Skipped where the target, the engine (`scripts/web --simd`) or node is not there (`tests/src/tools.rs`).

mod chapters;
mod launches;
mod programs;
mod recorder;

use anyhow::{Context, Result, bail, ensure};
use exercise::live::{Live, Lives};
use serde_json::{Value, json};
use std::io::Write as _;
use std::process::{Child, Command, Stdio};
use tests::tools::{self, WASM};
use web::Session;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
/// Lines of a kernel whose accesses are looked at.
const LINES: usize = 4;

/// Reads requests, a line each, and writes the responses, a line each.
const NODE: &str = r#"
const fs = require("fs");
const module = new WebAssembly.Module(fs.readFileSync(process.argv[1]));
const { memory, reserve, respond } = new WebAssembly.Instance(module, {}).exports;
for (const line of fs.readFileSync(0, "utf8").split("\n").filter(line => line)) {
    const bytes = new TextEncoder().encode(line);
    const to = reserve(bytes.length);
    new Uint8Array(memory.buffer, to, bytes.length).set(bytes);
    const at = respond(to, bytes.length);
    const length = new DataView(memory.buffer).getUint32(at, true);
    fs.writeSync(1, Buffer.from(memory.buffer, at + 4, length));
    fs.writeSync(1, "\n");
}
"#;

mod nightly {
    use super::{WASM, agrees, launches, programs_agree, tools};

    #[test]
    #[ignore = "nightly: compiles all kernels of the book twice, not optimised"]
    fn webassembly_answers_as_the_native_engine() -> anyhow::Result<()> {
        agrees(1)
    }

    #[test]
    #[ignore = "nightly: runs all whole programs twice, natively not optimised"]
    fn whole_programs_in_webassembly_do_what_they_do_natively() -> anyhow::Result<()> {
        programs_agree(1)
    }

    #[test]
    #[ignore = "nightly: builds the engine once more and makes all launches of the labs"]
    fn webassembly_runs_the_labs_launches_as_the_native_device() -> anyhow::Result<()> {
        if tools::are_there(&[WASM, "python3", "node"]) {
            println!("{}", launches::agree()?);
        }
        Ok(())
    }
}

fn lives() -> Result<Vec<(Live, String)>> {
    let text = std::fs::read_to_string(format!("{ROOT}/book/live.toml"))?;
    let source = |live: Live| {
        let path = format!("{ROOT}/kernels/{}", live.file);
        let text = std::fs::read_to_string(&path).with_context(|| path)?;
        Ok((live, text))
    };
    Lives::parse(&text)?.entries.into_iter().map(source).collect()
}

/// All kernels of the book and of its labs.
fn sources() -> Result<Vec<String>> {
    let mut sources = vec![];
    for folder in std::fs::read_dir(format!("{ROOT}/kernels"))? {
        let folder = folder?.path();
        for file in folder.read_dir().into_iter().flatten() {
            let file = file?.path();
            if file.extension().is_some_and(|extension| extension == "cu") && !folder.ends_with("exercises") {
                sources.push((file.clone(), std::fs::read_to_string(file)?));
            }
        }
    }
    sources.sort();
    Ok(sources.into_iter().map(|(_, text)| text).collect())
}

fn request(live: &Live, text: &str, parameters: &Value) -> Value {
    json!({
        "do": "run", "live": live, "parameters": parameters, "text": text, "original": text, "language": "cuda"
    })
}

/// The parameters' first values, and the least of each.
fn values(live: &Live) -> [Value; 2] {
    let of = |value: fn(&exercise::live::Parameter) -> i64| {
        live.parameters.iter().map(|one| (one.name.clone(), Value::from(value(one)))).collect()
    };
    [Value::Object(of(|one| one.value)), Value::Object(of(|one| one.from))]
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn every_live_kernel_of_the_book_runs() -> Result<()> {
    let mut wrong = vec![];
    for (live, text) in lives()? {
        for parameters in values(&live) {
            let response = Session::default().respond(&request(&live, &text, &parameters).to_string());
            let response: Value = serde_json::from_str(&response)?;
            if response["outcome"] != "done" || response["verdict"]["same"] != true {
                wrong.push(format!("{}, {parameters}: {response}", live.name));
            }
        }
    }
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

/// The native engine's answers, with the requests.
struct Reported {
    session: Session,
    requests: Vec<String>,
    responses: Vec<String>,
}

impl Reported {
    fn ask(&mut self, request: &Value) -> Result<Value> {
        let request = request.to_string();
        let response = self.session.respond(&request);
        let value = serde_json::from_str(&response)?;
        self.requests.push(request);
        self.responses.push(response);
        Ok(value)
    }
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn webassembly_answers_as_the_native_engine() -> Result<()> {
    agrees(5)
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn whole_programs_in_webassembly_do_what_they_do_natively() -> Result<()> {
    programs_agree(8)
}

/// On one in `of` whole programs.
fn programs_agree(of: usize) -> Result<()> {
    if tools::are_there(&["the engine of programs", "node"]) {
        println!("{} programs agree", programs::agree(of)?);
    }
    Ok(())
}

/// On one in `of` kernels of the book, live kernels and exercises.
fn agrees(of: usize) -> Result<()> {
    if !tools::are_there(&["the engine", "node"]) {
        return Ok(());
    }
    let mut reported = Reported { session: Session::default(), requests: vec![], responses: vec![] };
    for text in sources()?.into_iter().step_by(of) {
        reported.ask(&json!({ "do": "compile", "name": "a.cu", "text": text, "language": "cuda" }))?;
    }
    for (live, text) in lives()?.into_iter().step_by(of) {
        for parameters in values(&live) {
            let ran = reported.ask(&request(&live, &text, &parameters))?;
            for show in &live.show {
                reported.ask(&json!({ "do": "output", "buffer": show.buffer, "from": 1, "count": 4096 }))?;
            }
            let lines = ran["lines"].as_array().into_iter().flatten().filter(|line| line["accesses"] == true);
            for line in lines.take(LINES) {
                reported.ask(&json!({ "do": "access", "line": line["line"], "launch": 0, "block": [0, 0, 0], "warp": 0, "iteration": 0 }))?;
            }
        }
        for step in [0, 7, 100] {
            reported.ask(&json!({ "do": "step", "launch": 0, "block": [0, 0, 0], "warp": 0, "to": { "instruction": step } }))?;
        }
        // What a reader may do to it: an element too far, a loop without end, a name that is not there.
        for (old, new) in [("[i]", "[i + 100000000]"), (";\n}", ";\n    while (true);\n}"), ("int ", "itn ")]
        {
            reported.ask(&request(&live, &text.replacen(old, new, 3), &json!({})))?;
        }
    }
    let each = exercise::Packed::of_workbook().map_err(anyhow::Error::msg)?.without_attempts().each();
    for task in exercise::all().map_err(anyhow::Error::msg)?.into_iter().step_by(of) {
        let exercise = &each[&task.exercise.name];
        reported.ask(&json!({ "do": "exercise", "exercise": exercise }))?;
        for text in [task.variants.solution(), task.skeleton()] {
            reported
                .ask(&json!({ "do": "check", "exercise": exercise, "text": text, "language": "cuda" }))?;
        }
    }
    let there = in_webassembly(&reported.requests)?;
    ensure!(
        there.len() == reported.responses.len(),
        "{} responses to {} requests",
        there.len(),
        reported.requests.len()
    );
    let mut pairs = reported.requests.iter().zip(reported.responses.iter().zip(&there));
    if let Some((request, (native, there))) = pairs.find(|(_, (native, there))| native != there) {
        let same = native.bytes().zip(there.bytes()).take_while(|(a, b)| a == b).count().saturating_sub(60);
        let part = |text: &str| text.chars().skip(same).take(200).collect::<String>();
        let request: String = request.chars().take(300).collect();
        bail!(
            "{request}\nnative:      …{}\nWebAssembly: …{}\nwas the engine built of these sources? `scripts/web --simd` builds it",
            part(native),
            part(there)
        );
    }
    println!("{} responses agree", there.len());
    Ok(())
}

/// A program of node's, with a module as its argument, and what goes in and out by pipes.
fn node(module: &str, program: &str) -> Result<Child> {
    let mut node = Command::new("node");
    node.args(["-e", program, module]).current_dir(ROOT).stdin(Stdio::piped()).stdout(Stdio::piped());
    Ok(node.spawn()?)
}

/// The answers of the engine in WebAssembly that `scripts/web` left.
fn in_webassembly(requests: &[String]) -> Result<Vec<String>> {
    let mut node = node("target/web/live-engine.wasm", NODE)?;
    node.stdin.take().context("no input")?.write_all(requests.join("\n").as_bytes())?;
    let output = node.wait_with_output()?;
    if !output.status.success() {
        bail!("node: {}", output.status);
    }
    Ok(String::from_utf8(output.stdout)?.lines().map(str::to_owned).collect())
}
