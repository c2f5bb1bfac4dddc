//! The programs of the book's chapters: what they print is recorded, nothing is reported of one that is right, and each change that a
//! page suggests has the effect that it is there for.
//!
//! `UPDATE=1 cargo test -p tests --test all web::chapters -- --ignored` writes what they print.

use super::ROOT;
use super::programs::{ask, session};
use anyhow::{Context, Result, ensure};
use exercise::chapter::{Change, File, Program, Programs};
use serde_json::{Value, json};
use std::path::Path;

/// All programs.
pub(super) fn programs() -> Result<Vec<Program>> {
    let text = std::fs::read_to_string(format!("{ROOT}/book/programs.toml"))?;
    Ok(Programs::parse(&text).context("book/programs.toml")?.entries)
}

/// A program's files.
pub(super) fn files(program: &Program) -> Result<Vec<File>> {
    Ok(program.files(&|path| std::fs::read_to_string(format!("{ROOT}/{path}")).ok())?)
}

/// What the page asks for to run a program.
pub(super) fn request(program: &Program, files: &[File]) -> Result<Value> {
    let (first, others) = files.split_first().context("no files")?;
    Ok(json!({
        "do": "program", "name": first.name, "text": first.text, "files": others,
        "arguments": program.arguments, "check": true,
    }))
}

/// A run: what was printed, kinds of what was reported, and the exit code.
fn ran(program: &Program, files: &[File]) -> Result<(String, Vec<String>, Value)> {
    let (mut session, printed) = session();
    let response = ask(&mut session, &request(program, files)?)?;
    ensure!(response["compiled"] == true, "{}: {response}", program.name);
    let messages = response["messages"].as_array().context("messages")?;
    let codes = messages.iter().filter_map(|one| one["code"].as_str().map(str::to_owned)).collect();
    let printed = printed.borrow().clone();
    Ok((printed, codes, response))
}

fn holds(program: &Program, change: &Change, files: &[File], printed: &str) -> Result<()> {
    let files = change.applied(files).map_err(anyhow::Error::msg)?;
    let (other, codes, response) = ran(program, &files)?;
    match &change.finding {
        Some(finding) => ensure!(codes.contains(finding), "no {finding} among {codes:?}: {other}{response}"),
        None => {
            ensure!(codes == program.findings, "{codes:?}: {response}");
            ensure!(other != printed, "it prints what it did: {other}");
        }
    }
    Ok(())
}

fn all_hold(program: &Program) -> Result<()> {
    let files = files(program)?;
    let (printed, codes, response) = ran(program, &files)?;
    ensure!(codes == program.findings, "{codes:?}: {}", response["messages"]);
    let shown = format!("{printed}--- exit code {}\n", response["ended"]["exit"]);
    let record = format!("{ROOT}/book/evidence/programs/{}.txt", program.name);
    tests::committed(Path::new(&record), &shown, "-p tests --test all web::chapters -- --ignored");
    for change in program.changes(&files)? {
        holds(program, &change, &files, &printed).with_context(|| change.title.clone())?;
    }
    Ok(())
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn each_program_of_a_chapter_prints_what_is_recorded_and_each_change_has_its_effect() -> Result<()> {
    let programs = programs()?;
    ensure!(programs.iter().any(|program| !program.changes.is_empty()), "no changes");
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let part = |part: usize| -> Vec<String> {
        let own = programs.iter().skip(part).step_by(cores);
        own.filter_map(|one| all_hold(one).err().map(|why| format!("{}: {why:#}", one.name))).collect()
    };
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let parts: Vec<_> = (0..cores).map(|n| scope.spawn(move || part(n))).collect();
        parts
            .into_iter()
            .flat_map(|one| one.join().unwrap_or_else(|_| vec!["a thread failed".to_owned()]))
            .collect()
    });
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

/// A part of a page's answer.
fn asked(text: &str, name: &str) -> Result<Value> {
    let (mut session, _) = session();
    let request = json!({ "do": "program", "name": name, "text": text, "check": true });
    ask(&mut session, &request)
}

#[test]
fn a_run_has_its_copies_of_rows_and_its_timeline_with_their_lines() -> Result<()> {
    let text = "#include <vector>\nint main() {\n    std::vector<float> host(20 * 3);\n    float *rows;\n    size_t pitch;\n    \
                cudaMallocPitch(&rows, &pitch, 80, 3);\n    cudaMemcpy2D(rows, pitch, host.data(), 80, 80, 3, cudaMemcpyHostToDevice);\n    \
                cudaMemcpy(host.data(), rows, 80, cudaMemcpyDeviceToHost);\n    cudaFree(rows);\n}\n";
    let response = asked(text, "rows.cu")?;
    let place = json!({ "file": "rows.cu", "line": 7 });
    let host = json!({ "memory": "a block of 240 bytes on the host heap", "bytes": 240, "rows": null, "offset": 0, "pitch": 80, "height": 3 });
    let device = json!({
        "memory": "device memory of 3 rows of 80 bytes with a pitch of 512, from `cudaMallocPitch`", "bytes": 1536,
        "rows": [512, 80, 3, 1], "offset": 0, "pitch": 512, "height": 3,
    });
    let copy = json!({ "call": "cudaMemcpy2D", "times": 1, "place": place, "extent": [80, 3, 1], "from": host, "to": device });
    ensure!(response["copies"][0] == copy, "{}", response["copies"]);
    let timeline = response["timeline"].as_array().context("a timeline")?;
    let names: Vec<_> =
        timeline.iter().map(|one| (one["name"].as_str(), one["place"]["line"].as_u64())).collect();
    ensure!(
        names == [(Some("[CUDA memcpy HtoD]"), Some(7)), (Some("[CUDA memcpy DtoH]"), Some(8))],
        "{names:?}"
    );
    Ok(())
}

#[test]
fn several_files_are_linked_and_messages_name_theirs() -> Result<()> {
    let (mut session, printed) = session();
    let main = "#include \"all/scale.cuh\"\n#include <cstdio>\n#include <fstream>\nint main() {\n    int n = 0;\n    \
                std::ifstream(\"in/n.txt\") >> n;\n    printf(\"%d\\n\", scaled(n));\n}\n";
    let scale = "#include \"scale.cuh\"\n__global__ void kernel() {}\nint scaled(int n) { int unused; return 3 * n; }\n";
    let files = json!([
        { "name": "scale.cu", "text": scale }, { "name": "scale.cuh", "text": "int scaled(int n);\n" },
        { "name": "in/n.txt", "base64": "MTQK" },
    ]);
    let mut request = json!({ "do": "program", "name": "main.cu", "text": main, "files": files });
    let response = ask(&mut session, &request)?;
    ensure!(response["ended"] == json!({ "exit": 0 }) && *printed.borrow() == "42\n", "{response}");
    request["files"][0]["text"] = scale.replace("3 * n", "three * n").into();
    let response = ask(&mut session, &request)?;
    let message = &response["messages"][0];
    ensure!(message["file"] == "scale.cu" && message["line"] == 3, "{response}");
    request["files"][2]["name"] = "scale.cu".into();
    let response = ask(&mut session, &request)?;
    ensure!(response["error"] == "two files are called `scale.cu`: rename one of them", "{response}");
    Ok(())
}
