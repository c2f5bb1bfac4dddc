//! The binary `compile`: arguments to PTX, or to what a lab asks for (`--json`).

use crate::own;
use anyhow::{Context, Result, bail};
use clap::Parser;
use files::Claims;
use kernels::{Compiled, Compiler, Flags, Input, MOST_BYTES};
use program::CompilerOptions;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Compiles CUDA C to PTX by the workbook's own compiler: no toolkit needed
///
///   compile stencil.cu                        prints the PTX
///   compile stencil.cu -o stencil.ptx         writes it to a file
///   compile scale.cu --instance 'scale<int>'  with an instance of a template
///
/// The target is that of --gpu-architecture, or the architecture that the file's first comment names, such as
/// `// arch: compute_70`, else compute_52.
/// Labs start this program for `--kernel FILE.cu`.
///
/// Exit codes: 0 compiled, 2 the source has an error or cannot be read.
#[derive(Parser)]
#[allow(rustdoc::invalid_html_tags, reason = "it is the text of --help too")]
#[command(name = "compile", version, verbatim_doc_comment)]
struct Cli {
    /// The source; headers are looked for in its folder
    file: PathBuf,
    /// File for the PTX, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Instance of a kernel's template that the source does not name; may be given again
    #[arg(long, value_name = "NAME")]
    instance: Vec<String>,
    /// Read the source from standard input; FILE is its name in messages, and headers are not read with --no-headers
    #[arg(long)]
    stdin: bool,
    /// Read no header from the source's folder
    #[arg(long)]
    no_headers: bool,
    /// Print what a lab asks for, as JSON: the PTX, warnings, variables in shared memory
    #[arg(long, conflicts_with = "output")]
    json: bool,
    #[command(flatten)]
    options: CompilerOptions,
}

/// Runs the program: what its binary's `main` calls.
pub fn main() -> ExitCode {
    let code = match Cli::try_parse_from(program::with_dashes(program::args())).map(|cli| run(&cli)) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(error)) => {
            program::tell(&format!("{error:#}\n"));
            program::Exit::Unusable.into()
        }
        Err(error) => program::usage(&error),
    };
    program::end("compile", code)
}

fn run(cli: &Cli) -> Result<()> {
    let words = cli.options.words();
    let flags = Flags::parse(words.iter().map(String::as_str)).map_err(anyhow::Error::msg)?;
    let compiled = if cli.stdin || cli.no_headers {
        let text =
            if cli.stdin { from_stdin()? } else { kernels::decoded(files::read(&cli.file, MOST_BYTES)?) };
        let input = Input::new(&cli.file, &text).with(&flags)?;
        own(&Input { instances: &cli.instance, reads_headers: !cli.no_headers, ..input })?
    } else {
        kernels::compile_with(&cli.file, Compiler::Own, &flags, &cli.instance, own)?
    };
    if cli.json {
        program::put(json(&compiled).as_bytes());
        return Ok(());
    }
    if !compiled.warnings.is_empty() {
        program::tell(&format!("{}\n", compiled.warnings.trim_end()));
    }
    match &cli.output {
        Some(path) => write(path, &compiled.ptx, &cli.file),
        None => {
            program::put(compiled.ptx.as_bytes());
            Ok(())
        }
    }
}

fn from_stdin() -> Result<String> {
    let mut text = String::new();
    std::io::stdin().lock().take(MOST_BYTES + 1).read_to_string(&mut text).context("standard input")?;
    if text.len() as u64 > MOST_BYTES {
        bail!("standard input: more than {MOST_BYTES} bytes, the most that a source may have");
    }
    Ok(text)
}

fn write(path: &Path, ptx: &str, source: &Path) -> Result<()> {
    let mut claims = Claims::default();
    claims.reads(source, "the source");
    let written = claims.writes(path, "the PTX").and_then(|()| files::write(path, ptx.as_bytes()));
    written.with_context(|| format!("--output {}", path.display()))
}

/// Output that [`kernels::by_program`] reads.
fn json(compiled: &Compiled) -> String {
    let shared = compiled.shared.iter().map(|one| {
        serde_json::json!({ "name": one.name, "symbol": one.symbol, "element": one.element, "lengths": one.lengths })
    });
    let origins =
        compiled.origins.iter().map(|one| serde_json::json!([one.from, one.file, one.line, one.code]));
    serde_json::json!({
        "ptx": compiled.ptx,
        "with": compiled.with,
        "warnings": compiled.warnings,
        "is_self_contained": compiled.is_self_contained,
        "instances": compiled.instances,
        "shared": shared.collect::<Vec<_>>(),
        "origins": origins.collect::<Vec<_>>(),
    })
    .to_string()
}
