//! The workbook's own compiler as a separate program, `compile`, which a lab starts when it is given an edited kernel.
//!
//! Enters: CUDA C. Leaves: PTX and what goes with it, or the compiler's log. Under `cargo run`, the program is built first, if
//! it is not up to date; otherwise it is the one in the folder of the program that runs.

use crate::compile::{Compiled, Error, Input, OWN, run};
use names::{Origin, Shared};
use serde_json::Value;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Name of the program, and of its package.
const NAME: &str = "compile";

/// Compiles by the workbook's own compiler, in a separate process.
///
/// # Errors
/// The compiler's log; a compiler that does not exist, with the command that builds it.
pub fn by_program(input: &Input<'_>) -> Result<Compiled, Error> {
    let refused = |why: &str| input.refused(OWN.to_owned(), why.as_bytes());
    let program = find().map_err(|why| refused(&why))?;
    let mut arguments: Vec<OsString> = vec!["--json".into(), "--stdin".into()];
    if !input.reads_headers {
        arguments.push("--no-headers".into());
    }
    arguments.push(format!("--gpu-architecture=compute_{}", input.arch()).into());
    arguments.extend(input.flags.words().into_iter().map(Into::into));
    arguments.extend(input.instances.iter().map(|instance| format!("--instance={instance}").into()));
    arguments.extend(["--".into(), input.path.into()]);
    let arguments: Vec<&OsStr> = arguments.iter().map(OsString::as_os_str).collect();
    let broken = |why: &str| refused(&format!("{}: {why}", program.display()));
    let output =
        run(program.as_os_str(), &arguments, input.text).ok_or_else(|| broken("it cannot be started"))?;
    if !output.status.success() {
        return Err(from_log(input, &String::from_utf8_lossy(&output.stderr)));
    }
    let value: Value = serde_json::from_slice(&output.stdout).map_err(|error| broken(&error.to_string()))?;
    compiled(&value)
        .ok_or_else(|| broken("what it printed is not what this program expects; build both again"))
}

/// The error that the other process printed: its log without the line that [`Error::Compile`] begins with.
fn from_log(input: &Input<'_>, log: &str) -> Error {
    let first = input.refused(OWN.to_owned(), b"").to_string();
    input.refused(OWN.to_owned(), log.trim().trim_start_matches(first.trim()).as_bytes())
}

fn compiled(value: &Value) -> Option<Compiled> {
    let text = |name: &str| Some(value.get(name)?.as_str()?.to_owned());
    let shared = |one: &Value| {
        Some(Shared {
            name: one.get("name")?.as_str()?.to_owned(),
            symbol: one.get("symbol")?.as_str()?.to_owned(),
            element: one.get("element")?.as_u64()?,
            lengths: one.get("lengths")?.as_array()?.iter().map(Value::as_u64).collect::<Option<_>>()?,
        })
    };
    let number = |one: &Value| u32::try_from(one.as_u64()?).ok();
    let origin = |one: &Value| {
        Some(Origin {
            from: number(one.get(0)?)?,
            file: one.get(1)?.as_str()?.to_owned(),
            line: number(one.get(2)?)?,
            code: one.get(3)?.as_str()?.to_owned(),
        })
    };
    let pair = |one: &Value| Some((one.get(0)?.as_str()?.to_owned(), one.get(1)?.as_str()?.to_owned()));
    Some(Compiled {
        ptx: text("ptx")?,
        with: text("with")?,
        warnings: text("warnings")?,
        is_self_contained: value.get("is_self_contained")?.as_bool()?,
        instances: value.get("instances")?.as_array()?.iter().map(pair).collect::<Option<_>>()?,
        origins: value.get("origins")?.as_array()?.iter().map(origin).collect::<Option<_>>()?,
        shared: value.get("shared")?.as_array()?.iter().map(shared).collect::<Option<_>>()?,
    })
}

/// The program, built where cargo runs this one.
fn find() -> Result<PathBuf, String> {
    let here = std::env::current_exe().map_err(|error| format!("this program's own path: {error}"))?;
    let folder = here.parent().unwrap_or(Path::new(""));
    // Tests are a folder further down, and their programs have been built with them, for another profile.
    let is_test = folder.ends_with("deps");
    let folder = if is_test { folder.parent().unwrap_or(folder) } else { folder };
    let program = folder.join(NAME).with_extension(std::env::consts::EXE_EXTENSION);
    let is_there = program.is_file();
    // Cargo sets both for what it runs.
    if let (Some(cargo), Some(package)) = (std::env::var_os("CARGO"), std::env::var_os("CARGO_MANIFEST_DIR"))
        && !(is_test && is_there)
    {
        build(&cargo, Path::new(&package), folder, is_there)?;
    }
    if program.is_file() {
        return Ok(program);
    }
    Err(format!(
        "the workbook's own compiler is a program of its own, and {} is not there\n  this builds it: cargo build --bin {NAME}",
        program.display()
    ))
}

/// Builds the program into the folder of the one that runs; at once if it is up to date.
fn build(cargo: &OsStr, package: &Path, folder: &Path, is_there: bool) -> Result<(), String> {
    let mut command = Command::new(cargo);
    // In the folder of one package, cargo looks at no other's programs unless it is named.
    command.current_dir(package).args(["build", "--package", NAME, "--bin", NAME, "--target-dir"]);
    command.arg(folder.parent().unwrap_or(folder));
    match folder.file_name().and_then(OsStr::to_str) {
        Some("debug") | None => {}
        Some(profile) => {
            command.args(["--profile", profile]);
        }
    }
    if is_there {
        command.arg("--quiet");
    } else {
        eprintln!("the kernel is compiled by the workbook's own compiler, which is built once:");
    }
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("the workbook's own compiler could not be built: cargo build --bin {NAME}")),
        Err(error) => {
            Err(format!("cargo, which builds the workbook's own compiler, cannot be started: {error}"))
        }
    }
}
