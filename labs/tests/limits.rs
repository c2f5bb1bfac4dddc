//! What ends a launch, and what is shown of text from anywhere: the binaries as they are called, on the embedded device.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{Result, run, stderr, stdout};
use labs::{Limits, memory_needed, rerun};
use record::Parameter;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const LAUNCH: &str = env!("CARGO_BIN_EXE_launch");

/// A job of a kernel `k` of this body and one buffer, with a line table.
fn job(folder: &Path, file: &str, outside: &str, body: &str) {
    let ptx = format!(
        ".version 8.8\n.target sm_90\n.address_size 64\n{outside}\n.visible .entry k(.param .u64 a)\n{{\n\
         .reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n.loc 1 7 0\n{body}\n}}\n.file 1 \"{file}\"\n"
    );
    std::fs::write(folder.join("k.ptx"), ptx).unwrap();
    std::fs::write(
        folder.join("k.toml"),
        "module = \"k.ptx\"\nbuffer = [{ name = \"a\", type = \"u32\", len = 8, init = { fill = 0 } }]\n\
         launch = [{ kernel = \"k\", grid = [100, 1, 1], block = [64, 1, 1], args = [{ buffer = \"a\" }] }]\n\
         output = [{ buffer = \"a\" }]\n",
    )
    .unwrap();
}

#[test]
fn an_endless_loop_ends_with_its_line_and_what_to_do() -> Result {
    let folder = tempfile::tempdir()?;
    job(folder.path(), "k.cu", "", "L:\nadd.u32 %r1, %r1, 1;\nbra L;");
    for line in ["", "--no-checks", "--deterministic", "--budget 2^20", "--profile"] {
        let output = run(LAUNCH, folder.path(), &format!("k.toml --device simt --json run.json {line}"))?;
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(3), "{line}: {said}");
        assert!(said.contains("infinite-loop: more than") && said.contains("(from k.cu:7)"), "{said}");
        assert!(said.contains("allow more with --budget"), "{said}");
        let json: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(folder.path().join("run.json"))?)?;
        let fault = &json["fault"];
        assert_eq!(
            (&fault["kind"], &fault["kernel"], &fault["line"]),
            (&"infinite-loop".into(), &"k".into(), &7.into())
        );
        assert_eq!(fault["block"], serde_json::json!([0, 0, 0]));
    }
    Ok(())
}

#[test]
fn a_limit_of_time_is_told_as_one_with_the_line() -> Result {
    let folder = tempfile::tempdir()?;
    job(folder.path(), "k.cu", "", "L:\nadd.u32 %r1, %r1, 1;\nbra L;");
    let output =
        run(LAUNCH, folder.path(), "k.toml --device simt --json run.json --budget 2^50 --time-limit 0.2")?;
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("time-limit: the launch has not ended within the time limit, 0.2 s"), "{said}");
    assert!(said.contains("(from k.cu:7)") && said.contains("--time-limit; 0 is no limit"), "{said}");
    let json = std::fs::read_to_string(folder.path().join("run.json"))?;
    assert!(json.contains("\"kind\": \"time-limit\""), "{json}");
    for bad in ["-1", "nan", "soon"] {
        let output = run(LAUNCH, folder.path(), &format!("k.toml --device simt --time-limit={bad}"))?;
        assert_eq!(output.status.code(), Some(2), "{bad}");
        assert!(stderr(&output).contains("seconds are needed"), "{}", stderr(&output));
    }
    Ok(())
}

#[test]
fn an_endless_loop_in_an_edited_kernel_ends_the_lab() -> Result {
    let folder = tempfile::tempdir()?;
    let source = ("add.cu", kernels::ADD.cu);
    let edit = ["if (i < n)", "while (n > 0)"];
    let edit = if kernels::ADD.cu.contains(edit[0]) { edit } else { ["{", "{ for (;;) __threadfence();"] };
    let Some(output) = common::edited(env!("CARGO_BIN_EXE_lab-4-1"), folder.path(), source, edit)? else {
        return Ok(());
    };
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("infinite-loop") && said.contains("add.cu:"), "{said}");
    assert!(said.contains("--budget"), "{said}");
    Ok(())
}

#[test]
fn nsight_compute_that_must_count_is_missed_before_anything_runs() -> Result {
    let folder = tempfile::tempdir()?;
    let output = Command::new(env!("CARGO_BIN_EXE_lab-4-4"))
        .args(["--device", "simt", "--quick", "--ncu", "always"])
        .current_dir(folder.path())
        .env("PATH", folder.path())
        .output()?;
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("not on the PATH; install Nsight Compute"), "{said}");
    assert_eq!(stdout(&output), "");
    assert_eq!(std::fs::read_dir(folder.path())?.count(), 0);
    Ok(())
}

/// Neither a control character, but for ends of lines, nor one that reorders text.
fn is_plain(bytes: &[u8]) -> bool {
    String::from_utf8_lossy(bytes).chars().all(|c| c == '\n' || !record::text::is_hidden(c))
}

#[test]
fn what_a_terminal_would_obey_is_shown() -> Result {
    let folder = tempfile::tempdir()?;
    let hostile = "\u{1b}[2J\u{202e}\u{9b}31m";
    // The name of a source file, in a fault.
    job(folder.path(), &format!("k{hostile}.cu"), "", "trap;");
    let output = run(LAUNCH, folder.path(), "k.toml --device simt")?;
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains("k\\u{1b}[2J\\u{202e}\\u{9b}31m.cu:7"), "{}", stderr(&output));
    assert!(is_plain(&output.stderr) && is_plain(&output.stdout));
    // Names in the job file, its own name, and the command line.
    let text = std::fs::read_to_string(folder.path().join("k.toml"))?;
    for (from, to) in [
        ("kernel = \"k\"", "kernel = \"k\\u001b[2J\\u202e\""),
        ("module = \"k.ptx\"", "module = \"\\u001b]0;k\\u0007.ptx\""),
        ("buffer = \"a\" }]\n", "buffer = \"\\u001b[2J\\u202e\" }]\n"),
        ("type = \"u32\"", "type = \"\\u001b[2J\\u202e\""),
        ("len = 8", "len = 8, \"\\u001b[2J\\u202e\" = 1"),
    ] {
        assert!(text.contains(from));
        std::fs::write(folder.path().join("k.toml"), text.replace(from, to))?;
        let output = run(LAUNCH, folder.path(), "k.toml --device simt")?;
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(is_plain(&output.stderr) && is_plain(&output.stdout), "{}", stderr(&output));
    }
    for argument in [format!("--{hostile}"), format!("{hostile}.toml"), format!("--device={hostile}")] {
        let output = run(LAUNCH, folder.path(), &format!("k.toml {argument}"))?;
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(is_plain(&output.stderr) && is_plain(&output.stdout), "{}", stderr(&output));
        let output = run(env!("CARGO_BIN_EXE_lab-4-4"), folder.path(), &format!("--kernel={argument}.cu"))?;
        assert!(is_plain(&output.stderr) && is_plain(&output.stdout), "{}", stderr(&output));
    }
    Ok(())
}

#[test]
fn what_a_kernel_prints_is_shown_whole() -> Result {
    let folder = tempfile::tempdir()?;
    let outside = ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n\
                   .global .align 1 .b8 format[8] = { 97, 27, 91, 50, 74, 7, 10, 0 };";
    let body = "mov.u64 %rd1, format;\nmov.u64 %rd2, 0;\n{\n.param .b64 p;\n.param .b64 o;\n.param .b32 q;\n\
                st.param.b64 [p], %rd1;\nst.param.b64 [o], %rd2;\ncall (q), vprintf, (p, o);\n}\nret;";
    job(folder.path(), "k.cu", outside, body);
    let output = run(LAUNCH, folder.path(), "k.toml --device simt")?;
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("a\\u{1b}[2J\\u{7}\n"), "{}", stdout(&output));
    assert!(is_plain(&output.stdout));
    Ok(())
}

/// The most memory that a process has had, bytes.
#[cfg(target_os = "linux")]
fn peak(id: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? << 10)
}

/// Processor time in which a lab that still grows takes more memory.
#[cfg(target_os = "linux")]
const WORKED: Duration = Duration::from_millis(500);

/// Processor time that a process has taken in user mode: Linux counts hundredths of a second.
#[cfg(target_os = "linux")]
fn processor_time(id: u32) -> Option<Duration> {
    let status = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let (_, fields) = status.rsplit_once(')')?;
    Some(Duration::from_millis(10 * fields.split_whitespace().nth(11)?.parse::<u64>().ok()?))
}

#[cfg(target_os = "linux")]
#[test]
fn a_lab_takes_no_more_memory_than_it_says() -> Result {
    let labs = [
        ("lab-4-1", env!("CARGO_BIN_EXE_lab-4-1"), "--elements 2^23 --bytes 2^26"),
        ("lab-4-2", env!("CARGO_BIN_EXE_lab-4-2"), "--elements 2^20"),
        ("lab-4-3", env!("CARGO_BIN_EXE_lab-4-3"), "--rows 16 --inner 2048 --columns 2048"),
        ("lab-4-3", env!("CARGO_BIN_EXE_lab-4-3"), "--rows 2048 --inner 16 --columns 2048"),
        ("lab-4-4", env!("CARGO_BIN_EXE_lab-4-4"), ""),
        ("lab-4-5", env!("CARGO_BIN_EXE_lab-4-5"), "--rows 2048 --inner 2048 --columns 16"),
        ("lab-5-5", env!("CARGO_BIN_EXE_lab-5-5"), "--elements 2^22"),
        ("lab-6-2", env!("CARGO_BIN_EXE_lab-6-2"), "--side 2048 --sweep-side 64"),
        ("lab-14-4", env!("CARGO_BIN_EXE_lab-14-4"), "--bodies 2^17"),
    ];
    for (name, program, line) in labs {
        let lab = labs::ALL.iter().find(|lab| lab.name == name).ok_or("no such lab")?;
        let mut parameters: labs::Parameters =
            lab.sizes.iter().map(|size| (size.name.to_owned(), Parameter::Integer(size.embedded))).collect();
        let words: Vec<&str> = line.split_whitespace().collect();
        for pair in words.chunks(2) {
            let value = pair[1]
                .strip_prefix("2^")
                .map_or(pair[1].parse(), |power| power.parse().map(|p: u32| 1u64 << p))?;
            parameters.insert(pair[0].trim_start_matches('-').to_owned(), Parameter::Integer(value));
        }
        parameters.insert("seed".into(), Parameter::Integer(5));
        parameters.insert("quick".into(), Parameter::Flag(false));
        let said = memory_needed(lab, &parameters, None)?;
        let folder = tempfile::tempdir()?;
        let mut child = Command::new(program)
            .args(["--device", "simt", "--no-plots"])
            .args(&words)
            .current_dir(folder.path())
            .env("RAYON_NUM_THREADS", "1")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let (mut most, mut since) = (0, Duration::ZERO);
        // Whole runs of these sizes take minutes; all that is large is there after the first launches, when it has worked
        // for long and taken no more. It may have ended before that.
        while let (None, Some(now), Some(worked)) =
            (child.try_wait()?, peak(child.id()), processor_time(child.id()))
        {
            if now > most + (1 << 20) {
                since = worked;
            }
            most = most.max(now);
            if worked - since > WORKED {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        // It may have ended by itself.
        let _ = child.kill();
        child.wait()?;
        assert!(most <= said, "{name} {line}: {most} bytes, and {said} were said");
        println!("{name} {line}: {most} bytes of {said}");
        // With less than that it does not begin.
        let limits = Limits { instructions: 1 << 40, memory_bytes: said - 1 };
        let error = rerun(lab, &parameters, None, "h200", limits).unwrap_err();
        assert!(matches!(error.downcast_ref(), Some(labs::LimitReached::Memory { .. })), "{error:#}");
    }
    Ok(())
}
