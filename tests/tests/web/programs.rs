//! Whole programs in WebAssembly next to those that run natively: the same to the last byte, of what they print, how they end, what is
//! found, their times and their files.
//!
//! Enters: the module with programs that `scripts/web` leaves, and the script of its worker. Leaves: the first program that differs.

use super::{ROOT, node};
use anyhow::{Context, Result, ensure};
use runtime::library::Standard;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::io::Write as _;
use std::rc::Rc;
use web::{Platform, Session};

/// Reads requests, a line each, and writes what each printed and its response, a line each: a text and an object.
const NODE: &str = r#"
const fs = require("fs");
globalThis.warpbook = {};
(0, eval)(fs.readFileSync("book/theme/live/host.js", "utf8"));
let printed = "";
const programs = globalThis.warpbook.programs(({ output }) => {
    printed += Buffer.from(output.bytes).toString();
});
const module_ = new WebAssembly.Module(fs.readFileSync(process.argv[1]));
const instance = new WebAssembly.Instance(module_, programs.imports);
programs.attach(instance.exports);
const { memory, reserve, respond } = instance.exports;
for (const line of fs.readFileSync(0, "utf8").split("\n").filter(line => line)) {
    const bytes = new TextEncoder().encode(line);
    const to = reserve(bytes.length);
    new Uint8Array(memory.buffer, to, bytes.length).set(bytes);
    const at = respond(to, bytes.length);
    const length = new DataView(memory.buffer).getUint32(at, true);
    const response = new TextDecoder().decode(new Uint8Array(memory.buffer, at + 4, length));
    if (!programs.end()) throw new Error("an exception went through the engine");
    fs.writeSync(1, JSON.stringify([printed, response]) + "\n");
    printed = "";
}
"#;

/// Programs with the ending `.cu` in a folder, but for some.
fn sources(folder: &str, but: &[&str]) -> Result<Vec<(String, String)>> {
    let mut all = vec![];
    for file in std::fs::read_dir(format!("{ROOT}/{folder}"))? {
        let path = file?.path();
        let name = path.file_name().and_then(|name| name.to_str()).context("a name")?.to_owned();
        if name.ends_with(".cu") && !but.contains(&&*name) {
            all.push((name, std::fs::read_to_string(path)?));
        }
    }
    all.sort();
    Ok(all)
}

/// What a program's run prints and its response, by the native engine: as [`NODE`] writes them.
fn native(request: &str) -> Value {
    let (mut session, printed) = session();
    let response = session.respond(request);
    json!([*printed.borrow(), response])
}

/// Compares one in `of` of all programs, and of the chapters' one in half as many, and says how many there were.
pub(super) fn agree(of: usize) -> Result<usize> {
    let mut programs = sources("book/programs", &[])?;
    // What is nested too deeply for a browser is not for the interpreter.
    programs.extend(sources("crates/cudarun/tests/programs", &["deep.cu"])?);
    let mut programs: Vec<_> = programs.into_iter().step_by(of).collect();
    let endless = "int main() { for (volatile int i = 0;; i = i + 1); }\n";
    programs.push(("endless.cu".to_owned(), endless.to_owned()));
    let chapters: Vec<_> = super::chapters::programs()?.into_iter().step_by(of.div_ceil(2)).collect();
    let mut names: Vec<String> = programs.iter().map(|(name, _)| name.clone()).collect();
    names.extend(chapters.iter().map(|program| format!("the chapters' {}", program.name)));
    let request = |(name, text): &(String, String)| {
        let given = json!({
            "do": "program", "name": name, "text": text, "arguments": ["100", "b"], "input": "1 2 3\n",
            "operations": 20_000_000,
        });
        given.to_string()
    };
    let mut requests: Vec<String> = programs.iter().map(request).collect();
    for program in &chapters {
        requests.push(super::chapters::request(program, &super::chapters::files(program)?)?.to_string());
    }
    let mut there = node("target/web/live-engine-host.wasm", NODE)?;
    there.stdin.take().context("no input")?.write_all(requests.join("\n").as_bytes())?;
    let output = there.wait_with_output()?;
    ensure!(output.status.success(), "node: {}", output.status);
    let lines = String::from_utf8(output.stdout)?;
    let lines: Vec<&str> = lines.lines().collect();
    ensure!(lines.len() == requests.len(), "{} responses to {} requests", lines.len(), requests.len());
    for ((request, name), line) in requests.iter().zip(&names).zip(lines) {
        let (native, line) = (native(request), serde_json::from_str::<Value>(line)?);
        ensure!(
            native == line,
            "{name}\nnative:      {native}\nWebAssembly: {line}\nwas the engine built of these sources? `scripts/web --simd` builds it"
        );
    }
    Ok(names.len())
}

/// A session with the interpreter, and what programs print to both outputs.
pub(super) fn session() -> (Session, Rc<RefCell<String>>) {
    let printed = Rc::new(RefCell::new(String::new()));
    let into = printed.clone();
    let output = move |_: Standard, bytes: &[u8]| into.borrow_mut().push_str(&String::from_utf8_lossy(bytes));
    let platform = Platform { engine: Rc::new(interpreter::Interpreter), output: Rc::new(output) };
    (Session::with(platform), printed)
}

pub(super) fn ask(session: &mut Session, request: &Value) -> Result<Value> {
    Ok(serde_json::from_str(&session.respond(&request.to_string()))?)
}

#[test]
fn a_program_reads_what_it_is_given_and_what_it_wrote_can_be_asked_for() -> Result<()> {
    let (mut session, printed) = session();
    let text = "#include <cstdio>\n#include <fstream>\n#include <iostream>\n#include <string>\nint main(int argc, char **argv) {\n    \
                std::string word, own;\n    std::cin >> word;\n    std::ifstream(\"in.txt\") >> own;\n    \
                FILE *out = fopen(\"out.txt\", \"w\");\n    fprintf(out, \"%s%s%s\", argv[1], word.c_str(), own.c_str());\n    fclose(out);\n    std::cerr << argc << word;\n    return 4;\n}\n";
    let files = json!([{ "name": "in.txt", "text": "third" }]);
    let request =
        json!({ "do": "program", "text": text, "arguments": ["first"], "input": "second", "files": files });
    let response = ask(&mut session, &request)?;
    ensure!(response["ended"] == json!({ "exit": 4 }) && response["messages"] == json!([]), "{response}");
    ensure!(
        response["files"] == json!([{ "name": "out.txt", "bytes": 16 }]),
        "only what it wrote: {response}"
    );
    ensure!(*printed.borrow() == "2second", "{printed:?}");
    let file = ask(&mut session, &json!({ "do": "file", "file": "out.txt" }))?;
    ensure!(file["bytes"] == "Zmlyc3RzZWNvbmR0aGlyZA==", "{file}");
    let missing = ask(&mut session, &json!({ "do": "file", "file": "none" }))?;
    ensure!(missing["error"] == "the program wrote no file `none`", "{missing}");
    Ok(())
}

#[test]
fn a_program_that_does_not_compile_has_its_messages_and_one_that_is_not_to_run_does_not() -> Result<()> {
    let (mut session, printed) = session();
    let response = ask(&mut session, &json!({ "do": "program", "text": "int main() { return x; }\n" }))?;
    ensure!(response["compiled"] == false && response["messages"][0]["line"] == 1, "{response}");
    let text = "#include <cstdio>\nint main() { puts(\"ran\"); }\n";
    let response = ask(&mut session, &json!({ "do": "program", "text": text, "run": false }))?;
    ensure!(response == json!({ "ok": true, "compiled": true }) && printed.borrow().is_empty(), "{response}");
    let alone = ask(&mut Session::default(), &json!({ "do": "program", "text": text }))?;
    ensure!(alone["error"] == "nothing here executes the host side of programs", "{alone}");
    Ok(())
}

#[test]
fn a_program_without_an_end_is_ended_at_its_loop() -> Result<()> {
    let (mut session, _) = session();
    let text = "int main() {\n    volatile int i = 0;\n    while (true) i = i + 1;\n}\n";
    let response = ask(&mut session, &json!({ "do": "program", "text": text, "operations": 1000 }))?;
    ensure!(response["ended"]["limit"].is_string(), "{response}");
    ensure!(response["messages"][0]["line"] == 3 && response["operations"] == 1000, "{response}");
    Ok(())
}

#[test]
fn a_solution_that_is_a_program_is_given_with_what_it_costs() -> Result<()> {
    let (mut session, _) = session();
    let exercise = &exercise::Packed::of_workbook().map_err(anyhow::Error::msg)?.each()["host_sum"];
    let tasks = exercise::all().map_err(anyhow::Error::msg)?;
    let task = tasks.iter().find(|task| task.exercise.name == "host_sum").context("the exercise")?;
    let mut compare =
        |text: &str| ask(&mut session, &json!({ "do": "compare", "exercise": exercise, "text": text }));
    let compared = compare(&task.variants.solution())?;
    let rows = compared["rows"].as_array().with_context(|| compared.to_string())?;
    ensure!(rows.iter().all(|row| row["yours"] == row["solutions"]), "{compared}");
    ensure!(rows.iter().any(|row| row["name"] == "global_load_requests"), "{compared}");
    ensure!(
        compared["yours"] == compared["solutions"] && compared["yours"]["time"].is_string(),
        "{compared}"
    );
    let stopped = compare("int main() { return *(int *)0; }")?;
    ensure!(stopped["error"] == "it does not run to its end", "{stopped}");
    Ok(())
}
