//! Differential fuzzing of the compiler: random kernels, compiled by `crates/cuda` and by NVRTC, must leave the same bits.
//!
//! ```text
//! cargo run --release -p tests --example differential -- [--seconds 60] [--seed 1] [--fmad] [--half] [--against debug] [--own PROGRAM]
//!     [--keep FOLDER]
//! ```
//!
//! `--fmad`: products and sums may be contracted, as they are by default. `--against debug`: NVRTC against NVRTC's build for
//! debugging, which tests the generator: a difference is then something that C++ leaves open. `--half`: with `half` arithmetic, for
//! which NVRTC needs its headers. `--own`: a build of the
//! crate's example `cudac` in place of the compiler that is linked, so that a change of it needs no build of this. A kernel that differs is written to
//! the folder as a `.cu` with both PTX texts, and named with its seed. Exit code 1 where there is one.

mod generate;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use device::{Arg, Buffer, Device, Embedded, Launch};
use generate::{BLOCKS, INPUTS, OUTPUTS, THREADS};
use kernels::Compiler;
use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng as _, SeedableRng as _};

/// Kernels that are compiled together: NVRTC takes longer to start than to compile one.
const TOGETHER: u64 = 24;

struct Settings {
    seconds: u64,
    seed: u64,
    fmad: bool,
    half: bool,
    debug: bool,
    own: Option<PathBuf>,
    keep: PathBuf,
}

fn settings() -> Result<Settings> {
    let mut found = Settings {
        seconds: 60,
        seed: 1,
        fmad: false,
        half: false,
        debug: false,
        own: None,
        keep: PathBuf::from("target/differential"),
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().with_context(|| format!("{word} needs a value"));
        match word.as_str() {
            "--seconds" => found.seconds = value()?.parse()?,
            "--seed" => found.seed = value()?.parse()?,
            "--keep" => found.keep = value()?.into(),
            "--fmad" => found.fmad = true,
            "--half" => found.half = true,
            "--own" => found.own = Some(value()?.into()),
            "--against" => found.debug = value()? == "debug",
            _ => bail!("unknown argument {word}"),
        }
    }
    Ok(found)
}

/// Outputs of a kernel by element: the type's letter and the bits, NaNs made one.
type Outputs = Vec<(&'static str, Vec<u64>)>;

/// Inputs, the same for each launch of a seed.
fn inputs(seed: u64) -> Vec<Vec<u8>> {
    let mut rng = Pcg32::seed_from_u64(seed);
    let count = INPUTS as usize;
    let float = |word: u32| ((f64::from(word) / f64::from(u32::MAX)) * 2.0 - 1.0) * 50.0;
    let words =
        |rng: &mut Pcg32, n: usize| (0..n).flat_map(|_| rng.next_u32().to_le_bytes()).collect::<Vec<u8>>();
    let small = |rng: &mut Pcg32| -> Vec<u8> {
        (0..count)
            .flat_map(|n| {
                let word = rng.next_u32();
                (if n % 2 == 0 { word } else { word % 100 }).to_le_bytes()
            })
            .collect()
    };
    vec![
        small(&mut rng),
        small(&mut rng),
        words(&mut rng, 2 * count),
        (0..count).flat_map(|_| (float(rng.next_u32()) as f32).to_le_bytes()).collect(),
        (0..count).flat_map(|_| float(rng.next_u32()).to_le_bytes()).collect(),
    ]
}

/// What a module's kernels leave.
fn run(ptx: &str, names: &[String], seed: u64) -> Result<Vec<Result<Outputs>>> {
    let mut device = Embedded::new("h200")?;
    device.set_time_limit(Some(Duration::from_secs(20)));
    let module = device.load("generated.ptx", ptx)?;
    let mut arguments = vec![];
    for bytes in inputs(seed) {
        let buffer = device.allocate(bytes.len() as u64)?;
        device.write(buffer, 0, &bytes)?;
        arguments.push(Arg::from(buffer));
    }
    let elements = u64::from(THREADS * BLOCKS * OUTPUTS);
    let outputs: Vec<(&str, u64, Buffer)> =
        [("int", 4), ("unsigned", 4), ("long", 8), ("float", 4), ("double", 8)]
            .into_iter()
            .map(|(name, size)| Ok((name, size, device.allocate(elements * size)?)))
            .collect::<Result<_>>()?;
    arguments.extend(outputs.iter().map(|one| Arg::from(one.2)));
    arguments.extend([Arg::I32(37), Arg::F32(1.75)]);
    let mut results = vec![];
    for name in names {
        for (_, _, buffer) in &outputs {
            device.fill(*buffer, 0xa5a5_5a5a)?;
        }
        let launch = Launch::new(module, name, [BLOCKS, 1, 1], [THREADS, 1, 1], arguments.clone());
        let launched = device.launch(&launch);
        results.push(match launched {
            Err(error) => Err(error.into()),
            Ok(_) => read(&mut device, &outputs, elements),
        });
    }
    Ok(results)
}

fn read(device: &mut Embedded, outputs: &[(&'static str, u64, Buffer)], elements: u64) -> Result<Outputs> {
    let mut found = vec![];
    for (name, size, buffer) in outputs {
        let mut bytes = vec![0; (elements * size) as usize];
        device.read(*buffer, 0, &mut bytes)?;
        let values = bytes.chunks_exact(*size as usize).map(|chunk| {
            let bits = chunk.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte));
            match *name {
                "float" if f32::from_bits(bits as u32).is_nan() => u64::MAX,
                "double" if f64::from_bits(bits).is_nan() => u64::MAX,
                _ => bits,
            }
        });
        found.push((*name, values.collect()));
    }
    Ok(found)
}

/// PTX by one of the compilers, with options as a source may ask for them.
fn compiled(compiler: Compiler, path: &Path, text: &str, options: &str) -> Result<String> {
    std::fs::write(path, format!("// options: {options}\n{text}"))?;
    Ok(kernels::compile(path, compiler)?.ptx)
}

/// PTX by a build of the example `cudac`.
fn compiled_by(program: &Path, path: &Path, fmad: bool) -> Result<String> {
    let mut command = std::process::Command::new(program);
    command.arg(path).args((!fmad).then_some("--no-fmad"));
    let output = command.output().with_context(|| program.display().to_string())?;
    if !output.status.success() {
        bail!("{}: {}", program.display(), String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// First difference of two results, in words.
fn difference(a: &Result<Outputs>, b: &Result<Outputs>) -> Option<String> {
    let (a, b) = match (a, b) {
        (Ok(a), Ok(b)) => (a, b),
        (Err(a), Ok(_)) => return Some(format!("the first faults: {a:#}")),
        (Ok(_), Err(b)) => return Some(format!("the second faults: {b:#}")),
        (Err(a), Err(b)) => return Some(format!("both fault: {a:#}; {b:#}")),
    };
    for ((name, a), (_, b)) in a.iter().zip(b) {
        if let Some(at) = a.iter().zip(b).position(|(a, b)| a != b) {
            let (thread, place) = (at as u32 / OUTPUTS, at as u32 % OUTPUTS);
            return Some(format!("{name} {place} of thread {thread}: {:#x} and {:#x}", a[at], b[at]));
        }
    }
    None
}

fn main() -> Result<()> {
    let settings = settings()?;
    std::fs::create_dir_all(&settings.keep)?;
    let path = settings.keep.join("generated.cu");
    let start = Instant::now();
    let (mut kernels, mut differ, mut next) = (0, 0, settings.seed);
    while start.elapsed() < Duration::from_secs(settings.seconds) {
        let seeds: Vec<u64> = (next..next + TOGETHER).collect();
        next += TOGETHER;
        let names: Vec<String> = seeds.iter().map(|seed| format!("k{seed}")).collect();
        let texts: Vec<String> = names
            .iter()
            .zip(&seeds)
            .map(|(name, seed)| generate::kernel(name, *seed, settings.half))
            .collect();
        let text = texts.join("\n");
        let options = if settings.fmad { "--fmad=true" } else { "--fmad=false" };
        let first = compiled(Compiler::Nvrtc, &path, &text, options)
            .with_context(|| format!("seeds from {}", seeds[0]))?;
        let second = if settings.debug {
            compiled(Compiler::Nvrtc, &path, &text, &format!("{options} --device-debug"))
        } else if let Some(program) = &settings.own {
            compiled_by(program, &path, settings.fmad)
        } else {
            compiled(Compiler::Own, &path, &text, options)
        }
        .with_context(|| format!("seeds from {}", seeds[0]))?;
        let results = run(&first, &names, seeds[0])?;
        let others = run(&second, &names, seeds[0])?;
        for (index, (a, b)) in results.iter().zip(&others).enumerate() {
            kernels += 1;
            let Some(words) = difference(a, b) else { continue };
            differ += 1;
            println!("seed {}: {words}", seeds[index]);
            std::fs::write(settings.keep.join(format!("{}.cu", names[index])), &texts[index])?;
        }
        eprint!("\r{kernels} kernels, {differ} differ, {} s ", start.elapsed().as_secs());
    }
    eprintln!();
    println!("{kernels} kernels (seeds {} to {}), {differ} differ", settings.seed, next - 1);
    if differ > 0 {
        std::process::exit(1);
    }
    Ok(())
}
