//! Public suites of CUDA C: how many of their files our compiler takes as they are, and whether what it makes of them does the
//! same as nvcc's PTX.
//!
//! ```text
//! cargo run --release -p tests --example suites -- [--include FOLDER]… [--run] FILE-OR-FOLDER…
//! ```
//!
//! With `--run` each file is compiled by nvcc too (of `PATH` or a toolkit), and each kernel runs twice on the embedded device,
//! with arguments that are guessed from its signature and the same for both: buffers of small integers, then of floats.
//! Results are the same bits, close (as floats, to 1e-4: library functions round differently), or differ; a kernel that faults by
//! both is told apart, since wrong arguments make any kernel fault. Exit code 1 where one differs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use device::{Arg, Buffer, Device, Embedded, Launch};
use kernels::Compiler;
use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng as _, SeedableRng as _};

/// Bytes of the buffer behind each pointer.
const BUFFER: usize = 1 << 20;

struct Settings {
    include: Vec<PathBuf>,
    run: bool,
    paths: Vec<PathBuf>,
}

fn settings() -> Result<Settings> {
    let mut found = Settings { include: vec![], run: false, paths: vec![] };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--include" => found.include.push(words.next().context("--include needs a folder")?.into()),
            "--run" => found.run = true,
            _ if word.starts_with('-') => bail!("unknown argument {word}"),
            _ => found.paths.push(word.into()),
        }
    }
    if found.paths.is_empty() {
        bail!("which files? name some, or folders");
    }
    Ok(found)
}

fn sources(path: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    if path.is_file() {
        found.push(path.to_owned());
        return Ok(());
    }
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    entries.sort();
    for entry in entries {
        if entry.is_dir() || entry.extension().is_some_and(|extension| extension == "cu") {
            sources(&entry, found)?;
        }
    }
    Ok(())
}

/// PTX of our compiler, or the first error.
fn ours(path: &Path, include: &[PathBuf]) -> Result<Result<String, String>> {
    let text = String::from_utf8_lossy(&std::fs::read(path)?).into_owned();
    let folder = path.parent().unwrap_or(Path::new(""));
    let load = |name: &str| {
        let folders = std::iter::once(folder).chain(include.iter().map(PathBuf::as_path));
        folders.map(|folder| folder.join(name)).find_map(|path| std::fs::read_to_string(path).ok())
    };
    let name = path.display().to_string();
    let input = cuda::Input { name: &name, text: &text, include: &load };
    let options =
        cuda::Options { arch: "compute_80".parse().map_err(anyhow::Error::msg)?, ..Default::default() };
    Ok(match cuda::compile(&input, &options) {
        Ok(output) => Ok(output.ptx),
        Err(failure) => {
            let errors =
                failure.diagnostics.iter().filter(|one| one.severity == cuda::diagnostic::Severity::Error);
            Err(errors.map(|one| one.message.clone()).next().unwrap_or_default())
        }
    })
}

/// Kernels of a PTX text: parameters as type and whether it points.
fn kernels_of(ptx: &str) -> Result<BTreeMap<String, Vec<Parameter>>> {
    let module = ptx::parse(ptx)?;
    let kernels = module.functions.iter().filter(|function| function.is_kernel && function.body.is_some());
    let parameter = |one: &ptx::Variable<'_>| Parameter {
        ty: one.ty.to_owned(),
        pointer: one.pointer,
        bytes: one.dimensions.iter().try_fold(1, |all, length| Some(all * (*length)?)),
    };
    Ok(kernels.map(|one| (one.name.to_owned(), one.parameters.iter().map(parameter).collect())).collect())
}

#[derive(Clone, Debug)]
struct Parameter {
    ty: String,
    pointer: bool,
    bytes: Option<u64>,
}

/// Contents of buffers.
#[derive(Clone, Copy, Debug)]
enum Contents {
    Integers,
    Floats,
}

fn contents(of: Contents, seed: u64) -> Vec<u8> {
    let mut rng = Pcg32::seed_from_u64(seed);
    (0..BUFFER / 4)
        .flat_map(|_| match of {
            Contents::Integers => (rng.next_u32() % 48).to_le_bytes(),
            Contents::Floats => (0.5 + rng.next_u32() as f32 / u32::MAX as f32).to_le_bytes(),
        })
        .collect()
}

/// Bytes of all buffers after a launch, or the fault's kind.
fn launch(
    ptx: &str,
    kernel: &str,
    parameters: &[Parameter],
    of: Contents,
) -> Result<Result<Vec<Vec<u8>>, String>> {
    let mut device = Embedded::new("h200")?;
    device.set_time_limit(Some(Duration::from_secs(5)));
    device.options().budget = 1 << 24;
    let module = device.load("suite.ptx", ptx)?;
    let mut buffers: Vec<Buffer> = vec![];
    let mut arguments = vec![];
    for (number, one) in parameters.iter().enumerate() {
        arguments.push(match (one.ty.as_str(), one.pointer) {
            (_, true) => {
                let buffer = device.allocate(BUFFER as u64)?;
                device.write(buffer, 0, &contents(of, number as u64))?;
                buffers.push(buffer);
                Arg::from(buffer)
            }
            ("f32", _) => Arg::F32(1.5),
            ("f64", _) => Arg::F64(1.5),
            ("u64" | "s64" | "b64", _) if one.bytes == Some(1) => Arg::I64(64),
            ("u32" | "s32" | "b32", _) if one.bytes == Some(1) => Arg::I32(64),
            ("b8", _) => Arg::Bytes(vec![1; one.bytes.unwrap_or(1) as usize]),
            _ => return Ok(Err(format!("a parameter of type {}", one.ty))),
        });
    }
    let mut run = Launch::new(module, kernel, [2, 1, 1], [64, 1, 1], arguments);
    run.shared_bytes = 16 << 10;
    if let Err(error) = device.launch(&run) {
        let words = error.to_string();
        return Ok(Err(words.split([':', ';', '\n']).next().unwrap_or_default().to_owned()));
    }
    let mut found = vec![];
    for buffer in buffers {
        let mut bytes = vec![0; BUFFER];
        device.read(buffer, 0, &mut bytes)?;
        found.push(bytes);
    }
    Ok(Ok(found))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    SameBits,
    Close,
    BothFault,
    Differs,
}

fn close(a: &[u8], b: &[u8]) -> bool {
    let near =
        |a: f64, b: f64| (a - b).abs() <= 1e-4 * a.abs().max(b.abs()).max(1e-3) || (a.is_nan() && b.is_nan());
    let single = |bytes: &[u8]| f64::from(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
    let double = |bytes: &[u8]| {
        let mut all = [0; 8];
        all.copy_from_slice(bytes);
        f64::from_le_bytes(all)
    };
    a.chunks_exact(8).zip(b.chunks_exact(8)).all(|(a, b)| {
        a == b
            || near(double(a), double(b))
            || (near(single(a), single(b)) && near(single(&a[4..]), single(&b[4..])))
    })
}

fn compare(theirs: &Result<Vec<Vec<u8>>, String>, ours: &Result<Vec<Vec<u8>>, String>) -> Verdict {
    match (theirs, ours) {
        (Ok(a), Ok(b)) if a == b => Verdict::SameBits,
        (Ok(a), Ok(b)) if a.iter().zip(b).all(|(a, b)| close(a, b)) => Verdict::Close,
        (Err(_), Err(_)) => Verdict::BothFault,
        (Ok(_) | Err(_), Ok(_) | Err(_)) => Verdict::Differs,
    }
}

fn run(path: &Path, ours: &str, counts: &mut BTreeMap<Verdict, usize>) -> Result<()> {
    let theirs = kernels::compile(path, Compiler::Nvcc)?.ptx;
    let (signatures, own) = (kernels_of(&theirs)?, kernels_of(ours)?);
    for (kernel, parameters) in &signatures {
        if !own.contains_key(kernel) {
            println!("    {kernel}: not among ours");
            *counts.entry(Verdict::Differs).or_default() += 1;
            continue;
        }
        for of in [Contents::Integers, Contents::Floats] {
            let (a, b) = (launch(&theirs, kernel, parameters, of)?, launch(ours, kernel, parameters, of)?);
            let verdict = compare(&a, &b);
            *counts.entry(verdict).or_default() += 1;
            if verdict == Verdict::Differs {
                let words =
                    |one: &Result<Vec<Vec<u8>>, String>| one.as_ref().err().cloned().unwrap_or("ran".into());
                println!("    {kernel} ({of:?}): differs ({}; {})", words(&a), words(&b));
            }
        }
    }
    Ok(())
}

fn main() -> Result<()> {
    let settings = settings()?;
    let mut files = vec![];
    for path in &settings.paths {
        sources(path, &mut files).with_context(|| path.display().to_string())?;
    }
    let (mut compiled, mut counts) = (0, BTreeMap::new());
    for path in &files {
        match ours(path, &settings.include)? {
            Err(why) => println!("{}: {why}", path.display()),
            Ok(ptx) => {
                compiled += 1;
                println!("{}: compiled", path.display());
                if settings.run
                    && let Err(error) = run(path, &ptx, &mut counts)
                {
                    println!("    not compared: {}", error.to_string().lines().next().unwrap_or_default());
                }
            }
        }
    }
    println!("{compiled} of {} files compile", files.len());
    for (verdict, count) in &counts {
        println!("{verdict:?}: {count} launches");
    }
    if counts.contains_key(&Verdict::Differs) {
        std::process::exit(1);
    }
    Ok(())
}
