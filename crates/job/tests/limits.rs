//! Limits on a launch, and the escaping of untrusted text: the binary as it is called, on the embedded device.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;
use std::process::Output;
use tests::Result;
use tests::program::{HOSTILE, plain, stderr, stdout};

fn run(folder: &Path, line: &str) -> std::io::Result<Output> {
    tests::program::run(env!("CARGO_BIN_EXE_launch"), folder, line)
}

/// A job of a kernel `k` of this body and one buffer, with a line table.
fn job(folder: &Path, file: &str, outside: &str, body: &str) {
    let ptx = format!(
        r#"
            .version 8.8
            .target sm_90
            .address_size 64
            {outside}
            .visible .entry k(.param .u64 a)
            {{
                .reg .b32 %r<4>;
                .reg .b64 %rd<4>;
                .loc 1 7 0
                {body}
            }}
            .file 1 "{file}"
        "#
    );
    std::fs::write(folder.join("k.ptx"), ptx).unwrap();
    std::fs::write(
        folder.join("k.toml"),
        r#"
            module = "k.ptx"
            buffer = [{ name = "a", type = "u32", len = 8, init = { fill = 0 } }]
            launch = [{ kernel = "k", grid = [100, 1, 1], block = [64, 1, 1], args = [{ buffer = "a" }] }]
            output = [{ buffer = "a" }]
        "#,
    )
    .unwrap();
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn an_endless_loop_ends_with_its_line_and_what_to_do() -> Result {
    let folder = tempfile::tempdir()?;
    job(folder.path(), "k.cu", "", "mov.u32 %r1, 0; L: add.u32 %r1, %r1, 1; bra L;");
    for line in ["", "--no-checks", "--deterministic", "--budget 2^20", "--profile"] {
        let output = run(folder.path(), &format!("k.toml --device simt --json run.json {line}"))?;
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(3), "{line}: {said}");
        assert!(
            said.contains("infinite-loop: the kernel does not end: more than")
                && said.contains("at k.cu:7 ("),
            "{said}"
        );
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
fn a_loop_that_is_proven_never_to_end_is_reported_so_and_no_budget_is_advised() -> Result {
    let folder = tempfile::tempdir()?;
    let wait = ".reg .pred %p1; ld.param.u64 %rd1, [a]; L: ld.volatile.global.u32 %r1, [%rd1+4]; setp.eq.u32 %p1, %r1, 0; @%p1 bra L;";
    job(folder.path(), "k.cu", "", wait);
    let output = run(folder.path(), "k.toml --device simt --json run.json")?;
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("the kernel never ends: the loop waits for this value to change"), "{said}");
    assert!(said.contains("4 bytes past the start of a, 32 bytes") && said.contains("at k.cu:7 ("), "{said}");
    assert!(!said.contains("--budget"), "{said}");
    Ok(())
}

#[test]
fn a_limit_of_time_is_reported_as_one_with_the_line() -> Result {
    let folder = tempfile::tempdir()?;
    job(folder.path(), "k.cu", "", "mov.u32 %r1, 0; L: add.u32 %r1, %r1, 1; bra L;");
    let output = run(folder.path(), "k.toml --device simt --json run.json --budget 2^50 --time-limit 0.2")?;
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("time-limit: the launch has not ended within the time limit, 0.2 s"), "{said}");
    assert!(said.contains("at k.cu:7 (") && said.contains("--time-limit; 0 means no limit"), "{said}");
    let json = std::fs::read_to_string(folder.path().join("run.json"))?;
    assert!(json.contains("\"kind\": \"time-limit\""), "{json}");
    for bad in ["-1", "nan", "soon"] {
        let output = run(folder.path(), &format!("k.toml --device simt --time-limit={bad}"))?;
        assert_eq!(output.status.code(), Some(2), "{bad}");
        assert!(stderr(&output).contains("a number of seconds is needed"), "{}", stderr(&output));
    }
    Ok(())
}

#[test]
fn what_a_terminal_would_obey_is_shown() -> Result {
    let folder = tempfile::tempdir()?;
    // The name of a source file, in a fault.
    job(folder.path(), &format!("k{HOSTILE}.cu"), "", "trap;");
    let output = run(folder.path(), "k.toml --device simt")?;
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains("k\\u{1b}[2J\\u{202e}\\u{9b}31m.cu:7"), "{}", stderr(&output));
    plain(&output);
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
        let output = run(folder.path(), "k.toml --device simt")?;
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        plain(&output);
    }
    for argument in [format!("--{HOSTILE}"), format!("{HOSTILE}.toml"), format!("--device={HOSTILE}")] {
        let output = run(folder.path(), &format!("k.toml {argument}"))?;
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        plain(&output);
    }
    Ok(())
}

#[test]
fn what_a_kernel_prints_is_shown_whole() -> Result {
    let folder = tempfile::tempdir()?;
    let outside = r"
        .extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
        .global .align 1 .b8 format[8] = { 97, 27, 91, 50, 74, 7, 10, 0 };
    ";
    let body = r"
        mov.u64 %rd1, format;
        mov.u64 %rd2, 0;
        {
            .param .b64 p;
            .param .b64 o;
            .param .b32 q;
            st.param.b64 [p], %rd1;
            st.param.b64 [o], %rd2;
            call (q), vprintf, (p, o);
        }
        ret;
    ";
    job(folder.path(), "k.cu", outside, body);
    let output = run(folder.path(), "k.toml --device simt")?;
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("a\\u{1b}[2J\\u{7}\n"), "{}", stdout(&output));
    plain(&output);
    Ok(())
}
