//! Speed of the engine in WebAssembly next to the native one: the same requests in both, one core each.
//!
//! ```text
//! scripts/web --speed
//! ```
//!
//! Enters: the module, as an argument. Leaves: a table, with one line for each request. Node runs the module.

use serde_json::{Value, json};
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Instant;
use web::Session;

const STENCIL: &str = include_str!("../../../kernels/ch5-5/stencil.cu");
const PRODUCT: &str = include_str!("../../../kernels/ch4-5/tiles.cu");
/// As many as it takes until node has compiled the hot functions well: the first rounds run what it compiled in haste.
const ROUNDS: usize = 20;

/// Reads requests, a line each; writes the best time of each in milliseconds, and a hash of what it answered.
const NODE: &str = r#"
const fs = require("fs"), crypto = require("crypto");
const module = new WebAssembly.Module(fs.readFileSync(process.argv[1]));
const rounds = Number(process.argv[2]);
for (const line of fs.readFileSync(0, "utf8").split("\n").filter(line => line)) {
    let best = Infinity, text = "";
    const { memory, reserve, respond } = new WebAssembly.Instance(module, {}).exports;
    for (let round = 0; round < rounds; round++) {
        const start = performance.now();
        const bytes = new TextEncoder().encode(line);
        const to = reserve(bytes.length);
        new Uint8Array(memory.buffer, to, bytes.length).set(bytes);
        const at = respond(to, bytes.length);
        const length = new DataView(memory.buffer).getUint32(at, true);
        text = new TextDecoder().decode(new Uint8Array(memory.buffer, at + 4, length));
        best = Math.min(best, performance.now() - start);
    }
    console.log(best + " " + crypto.createHash("sha256").update(text).digest("hex") + " " + text.length);
}
"#;

fn stencil(blocks: u32) -> Value {
    json!({
        "name": "stencil", "title": "", "file": "ch5-5/stencil.cu",
        "let": { "n": blocks * 256 },
        "buffers": [
            { "name": "in", "type": "f32", "len": "n + 8", "init": { "uniform": [-1, 1] } },
            { "name": "weights", "type": "f32", "len": 5, "init": { "uniform": [-1, 1] }, "symbol": "coef" },
            { "name": "out", "type": "f32", "len": "n" }
        ],
        "steps": [{ "launch": {
            "kernel": "stencil_constant", "grid": ["ceil(n, 256)"], "block": [256], "shared": 1056,
            "args": ["in[4]", "out", "int n"]
        } }],
        "show": ["out"]
    })
}

fn product(side: u32) -> Value {
    let matrix = |name: &str| format!("struct {{ size_t {side}; size_t {side}; {name}; size_t {side} }}");
    json!({
        "name": "product", "title": "", "file": "ch4-5/tiles.cu",
        "buffers": [
            { "name": "a", "type": "f32", "len": side * side, "init": { "uniform": [-1, 1] } },
            { "name": "b", "type": "f32", "len": side * side, "init": { "uniform": [-1, 1] } },
            { "name": "c", "type": "f32", "len": side * side }
        ],
        "steps": [{ "launch": {
            "kernel": "tiled_16", "grid": [side / 16, side / 16], "block": [16, 16],
            "args": [matrix("a"), matrix("b"), matrix("c")]
        } }],
        "show": ["c"]
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let module = std::env::args().nth(1).ok_or("the module's file is missing")?;
    let request = |live: Value, text: &str| json!({ "do": "run", "live": live, "text": text }).to_string();
    let requests = [
        ("stencil, 2^18 elements", request(stencil(1024), STENCIL)),
        ("product, 192 x 192", request(product(192), PRODUCT)),
        ("10^7 instructions", request(stencil(762), STENCIL)),
    ];
    let mut node = Command::new("node")
        .args(["-e", NODE, &module, &ROUNDS.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let lines: Vec<&str> = requests.iter().map(|(_, request)| request.as_str()).collect();
    node.stdin.take().ok_or("no input")?.write_all(lines.join("\n").as_bytes())?;
    let output = node.wait_with_output()?;
    if !output.status.success() {
        return Err("node failed".into());
    }
    let there = String::from_utf8(output.stdout)?;
    println!("{:<24} {:>14} {:>10} {:>10} {:>6}", "", "instructions", "native", "page", "ratio");
    for ((name, request), page) in requests.iter().zip(there.lines()) {
        let mut session = Session::default();
        let (mut best, mut response) = (f64::INFINITY, String::new());
        for _ in 0..ROUNDS {
            let start = Instant::now();
            response = session.respond(request);
            best = best.min(start.elapsed().as_secs_f64() * 1e3);
        }
        let page: f64 = page.split(' ').next().unwrap_or_default().parse()?;
        let answer: Value = serde_json::from_str(&response)?;
        if answer["outcome"] != "done" {
            return Err(response.into());
        }
        println!(
            "{name:<24} {:>14} {best:>7.1} ms {page:>7.1} ms {:>6.2}",
            answer["instructions"].to_string(),
            best / page
        );
    }
    Ok(())
}
