//! Differential fuzzing of the compiler: random kernels, compiled by `crates/cuda` and by NVRTC, must leave the same bits.
//!
//! ```text
//! cargo run --release -p tests --example differential -- [--seconds 60] [--seed 1] [--fmad [--rounding]] [--half]
//!     [--against debug|uncontracted] [--own PROGRAM] [--gpu [--ptxas LEVEL]] [--keep FOLDER] [--again FILE]
//! ```
//!
//! - `--fmad`: products and sums may be contracted, as they are by default. Floats are then whole numbers whose sums and
//!   products are exact, so that contraction changes no bit.
//! - `--rounding`: contraction of floats that round. Which products are contracted is the compiler's choice, and kernels differ
//!   by it in last bits. One that differs without contraction too is an error all the same, and is counted apart.
//! - `--half`: with `half` arithmetic, for which NVRTC needs its headers.
//! - `--against`: NVRTC against NVRTC, which tests the generator: against its build for debugging, where a difference is
//!   something that C++ leaves open, or its code without contraction, where sums that should be exact are not.
//! - `--own`: a build of the crate's example `cudac` instead of the compiler that is linked, so that a change of it needs no
//!   build of this.
//! - `--gpu`: both compilers' code runs on this machine's GPU too, which must leave the same bits as the embedded device.
//! - `--ptxas`: how much the driver's ptxas optimises, from 0 to 4: a kernel that faults on the GPU ends its use, so that this must be
//!   asked in a run of its own.
//! - `--again`: a kernel that was kept, perhaps made smaller, and nothing else.
//!
//! A difference has one of four causes, and only the last is an error: contraction, as above; NVRTC, where what it makes for
//! debugging or for a newer architecture gives what the other compiler's code gives, or the driver's ptxas with NVRTC's code alone; ptxas
//! with the other compiler's code, where that is right once ptxas does not optimise; or none that is known.
//!
//! A kernel that differs is written to the folder as a `.cu` named with its seed. Exit code 1 where there is an error.

mod generate;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use device::{Arg, Buffer, Device, Embedded, Gpu, Launch};
use generate::{BLOCKS, DYNAMIC, INPUTS, Kernel, Kind, OUTPUTS, THREADS};
use kernels::Compiler;
use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng as _, SeedableRng as _};

/// Kernels that are compiled together: NVRTC takes longer to start than to compile one.
const TOGETHER: u64 = 24;

struct Settings {
    seconds: u64,
    seed: u64,
    fmad: bool,
    rounding: bool,
    half: bool,
    against: Option<String>,
    own: Option<PathBuf>,
    gpu: bool,
    ptxas: Option<u32>,
    keep: PathBuf,
    again: Option<PathBuf>,
}

fn settings() -> Result<Settings> {
    let mut found = Settings {
        seconds: 60,
        seed: 1,
        fmad: false,
        rounding: false,
        half: false,
        against: None,
        own: None,
        gpu: false,
        ptxas: None,
        keep: PathBuf::from("target/differential"),
        again: None,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().with_context(|| format!("{word} needs a value"));
        match word.as_str() {
            "--seconds" => found.seconds = value()?.parse()?,
            "--seed" => found.seed = value()?.parse()?,
            "--keep" => found.keep = value()?.into(),
            "--again" => found.again = Some(value()?.into()),
            "--fmad" => found.fmad = true,
            "--rounding" => found.rounding = true,
            "--half" => found.half = true,
            "--own" => found.own = Some(value()?.into()),
            "--gpu" => found.gpu = true,
            "--ptxas" => found.ptxas = Some(value()?.parse()?),
            "--against" => found.against = Some(value()?),
            _ => bail!("unknown argument {word}"),
        }
    }
    Ok(found)
}

/// Outputs of a kernel by element: the type's letter and the bits, NaNs made one.
type Outputs = Vec<(&'static str, Vec<u64>)>;

/// What kernels left, and where.
type Left = (&'static str, Vec<Result<Outputs>>);

/// Inputs, the same for each launch of a seed.
fn inputs(seed: u64, exact: bool) -> Vec<Vec<u8>> {
    let mut rng = Pcg32::seed_from_u64(seed);
    let count = INPUTS as usize;
    let float = |word: u32| {
        if exact {
            f64::from(word % 15) - 7.0
        } else {
            ((f64::from(word) / f64::from(u32::MAX)) * 2.0 - 1.0) * 50.0
        }
    };
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

/// CUDA C of kernels.
fn text(kernels: &[Kernel]) -> String {
    kernels.iter().map(|kernel| kernel.text.as_str()).collect::<Vec<_>>().join("\n")
}

/// A kernel that was kept: its first line says how it is launched.
fn kept(path: &Path) -> Result<Kernel> {
    let text = std::fs::read_to_string(path)?;
    let line = text.lines().next().and_then(|line| line.strip_prefix("// threads: "));
    let numbers: Vec<u32> = line.unwrap_or("80 1 1").split(' ').map(str::parse).collect::<Result<_, _>>()?;
    let name = text.split_once("__global__ void ").and_then(|(_, rest)| rest.split('(').next());
    let name = name.context("no kernel")?.to_owned();
    let block = numbers.try_into().ok().context("three numbers of threads")?;
    Ok(Kernel { name, text, block })
}

/// What a module's kernels leave on a new embedded device.
fn embedded(ptx: &str, kernels: &[Kernel], seed: u64, exact: bool) -> Result<Vec<Result<Outputs>>> {
    let mut device = Embedded::new("h200")?;
    device.set_time_limit(Some(Duration::from_secs(20)));
    run(&mut device, ptx, kernels, seed, exact)
}

/// What a module's kernels leave on a device.
fn run(
    device: &mut dyn Device,
    ptx: &str,
    kernels: &[Kernel],
    seed: u64,
    exact: bool,
) -> Result<Vec<Result<Outputs>>> {
    let module = device.load("generated.ptx", ptx)?;
    let mut buffers = vec![];
    for bytes in inputs(seed, exact) {
        let buffer = device.allocate(bytes.len() as u64)?;
        device.write(buffer, 0, &bytes)?;
        buffers.push(buffer);
    }
    let mut arguments: Vec<Arg> = buffers.iter().map(|buffer| Arg::from(*buffer)).collect();
    let elements = u64::from(THREADS * BLOCKS * OUTPUTS);
    let outputs: Vec<(&str, u64, Buffer)> =
        [("int", 4), ("unsigned", 4), ("long", 8), ("float", 4), ("double", 8)]
            .into_iter()
            .map(|(name, size)| Ok((name, size, device.allocate(elements * size)?)))
            .collect::<Result<_>>()?;
    arguments.extend(outputs.iter().map(|one| Arg::from(one.2)));
    arguments.extend([Arg::I32(37), Arg::F32(if exact { 3.0 } else { 1.75 })]);
    let mut results = vec![];
    for kernel in kernels {
        let filled = outputs.iter().try_for_each(|(_, _, buffer)| device.fill(*buffer, 0xa5a5_5a5a));
        if let Err(error) = filled {
            results.push(Err(error.into()));
            continue;
        }
        let launch = Launch::new(module, &kernel.name, [BLOCKS, 1, 1], kernel.block, arguments.clone());
        let launch = launch.with_shared(DYNAMIC);
        let launched = device.launch(&launch);
        results.push(match launched {
            Err(error) => Err(error.into()),
            Ok(_) => read(device, &outputs, elements),
        });
    }
    // A GPU is used for all modules, unless a kernel faulted: then it is of no use to this process.
    if results.iter().all(Result::is_ok) {
        for buffer in buffers.into_iter().chain(outputs.iter().map(|one| one.2)) {
            device.free(buffer)?;
        }
    }
    Ok(results)
}

fn read(device: &mut dyn Device, outputs: &[(&'static str, u64, Buffer)], elements: u64) -> Result<Outputs> {
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
    compiled_for(oldest(text), compiler, path, text, options)
}

/// The oldest architecture for which NVRTC compiles a text: before the second, it refuses some of what `half` can do.
fn oldest(text: &str) -> &'static str {
    if text.contains("cuda_fp16.h") { "compute_80" } else { "compute_52" }
}

fn compiled_for(arch: &str, compiler: Compiler, path: &Path, text: &str, options: &str) -> Result<String> {
    std::fs::write(path, format!("// arch: {arch}\n// options: {options}\n{text}"))?;
    Ok(kernels::compile(path, compiler, compile::own)?.ptx)
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

/// Whether a kernel faulted on the GPU.
fn faulted(found: &[Left]) -> bool {
    found.iter().skip(2).any(|(_, results)| results.iter().any(Result::is_err))
}

/// First difference of a kernel's results from those of the first compiler's code on the embedded device, in words.
fn difference(found: &[Left], kernel: usize) -> Option<String> {
    let ((first, results), others) = found.split_first()?;
    let first = (*first, results.get(kernel)?);
    others.iter().find_map(|(name, results)| differ(first, (name, results.get(kernel)?)))
}

fn differ(a: (&str, &Result<Outputs>), b: (&str, &Result<Outputs>)) -> Option<String> {
    let names = format!("{} and {}", a.0, b.0);
    let (a, b) = match (a, b) {
        ((_, Ok(a)), (_, Ok(b))) => (a, b),
        ((name, Err(fault)), (_, Ok(_))) | ((_, Ok(_)), (name, Err(fault))) => {
            return Some(format!("{name} faults: {fault:#}"));
        }
        ((_, Err(a)), (_, Err(b))) => return Some(format!("{names} fault: {a:#}; {b:#}")),
    };
    for ((name, a), (_, b)) in a.iter().zip(b) {
        if let Some(at) = a.iter().zip(b).position(|(a, b)| a != b) {
            let (thread, place) = (at as u32 / OUTPUTS, at as u32 % OUTPUTS);
            return Some(format!(
                "{names}: {name} {place} of thread {thread}: {:#x} and {:#x}",
                a[at], b[at]
            ));
        }
    }
    None
}

/// Why results differ.
#[derive(Clone, Copy, PartialEq)]
enum Cause {
    /// What ptxas' optimiser makes of the second compiler's code.
    Ptxas,
    /// Products and sums that were rounded once.
    Contraction,
    /// The first compiler, or ptxas with its code.
    First,
    Unknown,
}

impl Cause {
    fn name(self) -> &'static str {
        match self {
            Cause::Ptxas => "by ptxas",
            Cause::Contraction => "by contraction",
            Cause::First => "by NVRTC",
            Cause::Unknown => "an error",
        }
    }
}

impl Settings {
    /// Why a kernel's results differ, as `found` has them.
    fn cause(
        &self,
        mut gpu: Option<&mut Gpu>,
        found: &[Left],
        index: usize,
        kernel: &[Kernel],
        seed: u64,
    ) -> Result<Cause> {
        let same = |a: usize, b: usize| match (found.get(a), found.get(b)) {
            (Some((_, a)), Some((_, b))) => differ(("a", &a[index]), ("b", &b[index])).is_none(),
            _ => true,
        };
        let other_is_the_same_everywhere = same(1, 3);
        if self.against.is_none() && other_is_the_same_everywhere {
            if same(0, 1) {
                return Ok(Cause::First);
            }
            let path = self.keep.join("generated.cu");
            let (text, fmad) = (text(kernel), format!("--fmad={}", self.fmad));
            // Not optimised; and for a newer architecture, since the oldest's code takes the sign from a signed shift whose
            // result is masked (`bfe.u64` beyond bit 63).
            for (arch, options) in [(oldest(&text), format!("{fmad} --device-debug")), ("compute_80", fmad)] {
                let right = compiled_for(arch, Compiler::Nvrtc, &path, &text, &options)?;
                let right = embedded(&right, kernel, seed, self.kind().exact)?;
                if differ(("a", &right[0]), ("b", &found[1].1[index])).is_none() {
                    return Ok(Cause::First);
                }
            }
        }
        if let Some(gpu) = gpu.as_deref_mut()
            && !faulted(found)
            && same(0, 1)
            && self.right_unoptimized(gpu, found, index, kernel, seed)?
        {
            return Ok(Cause::Ptxas);
        }
        // What contraction explains is gone without it.
        if self.fmad && self.rounding && difference(&self.all(gpu, kernel, seed, false)?, 0).is_none() {
            return Ok(Cause::Contraction);
        }
        Ok(Cause::Unknown)
    }

    /// Whether the second compiler's code does on the GPU what it does on the embedded device, once ptxas does not optimise.
    fn right_unoptimized(
        &self,
        gpu: &mut Gpu,
        found: &[Left],
        index: usize,
        kernel: &[Kernel],
        seed: u64,
    ) -> Result<bool> {
        let ptx = self.second(kernel, self.fmad)?;
        gpu.set_optimization(Some(0));
        let left = run(gpu, &ptx, kernel, seed, self.kind().exact);
        gpu.set_optimization(self.ptxas);
        Ok(differ(("a", &left?[0]), ("b", &found[1].1[index])).is_none())
    }

    fn kind(&self) -> Kind {
        Kind { halves: self.half, exact: self.fmad && !self.rounding }
    }

    /// PTX of kernels by the second compiler.
    fn second(&self, kernels: &[Kernel], fmad: bool) -> Result<String> {
        let path = self.keep.join("generated.cu");
        let text = text(kernels);
        let options = if fmad { "--fmad=true" } else { "--fmad=false" };
        if let Some(other) = &self.against {
            let options = match other.as_str() {
                "debug" => format!("{options} --device-debug"),
                "uncontracted" => "--fmad=false".to_owned(),
                _ => bail!("--against takes debug or uncontracted"),
            };
            compiled(Compiler::Nvrtc, &path, &text, &options)
        } else if let Some(program) = &self.own {
            std::fs::write(&path, &text)?;
            compiled_by(program, &path, fmad)
        } else {
            compiled(Compiler::Own, &path, &text, options)
        }
    }

    /// What both compilers' code of kernels leaves on the embedded device and, where one is given, on a GPU.
    fn all(&self, gpu: Option<&mut Gpu>, kernels: &[Kernel], seed: u64, fmad: bool) -> Result<Vec<Left>> {
        let path = self.keep.join("generated.cu");
        let text = text(kernels);
        let options = if fmad { "--fmad=true" } else { "--fmad=false" };
        let first = compiled(Compiler::Nvrtc, &path, &text, options)?;
        let second = self.second(kernels, fmad)?;
        let exact = self.kind().exact;
        let mut found = vec![
            ("the first", embedded(&first, kernels, seed, exact)?),
            ("the second", embedded(&second, kernels, seed, exact)?),
        ];
        if let Some(gpu) = gpu {
            for (name, ptx) in [("the first on the GPU", &first), ("the second on the GPU", &second)] {
                found.push((name, run(gpu, ptx, kernels, seed, exact)?));
                if faulted(&found) {
                    break;
                }
            }
        }
        Ok(found)
    }
}

fn main() -> Result<()> {
    let settings = settings()?;
    std::fs::create_dir_all(&settings.keep)?;
    let mut gpu = settings.gpu.then(|| Gpu::new(0)).transpose()?;
    if let (Some(gpu), Some(level)) = (&mut gpu, settings.ptxas) {
        gpu.set_optimization(Some(level));
    }
    if let Some(path) = &settings.again {
        let kernel = [kept(path)?];
        let found = settings.all(gpu.as_mut(), &kernel, settings.seed, settings.fmad)?;
        let Some(words) = difference(&found, 0) else { return Ok(()) };
        bail!("{}: {words}", settings.cause(gpu.as_mut(), &found, 0, &kernel, settings.seed)?.name());
    }
    let start = Instant::now();
    let (mut kernels, mut differ, mut first, mut ptxas, mut errors) = (0, 0, 0, 0, 0);
    let (mut next, mut summary) = (settings.seed, String::new());
    while start.elapsed() < Duration::from_secs(settings.seconds) {
        let seeds: Vec<u64> = (next..next + TOGETHER).collect();
        next += TOGETHER;
        let generated: Vec<Kernel> =
            seeds.iter().map(|seed| generate::kernel(&format!("k{seed}"), *seed, settings.kind())).collect();
        let found = match settings.all(gpu.as_mut(), &generated, seeds[0], settings.fmad) {
            Ok(found) => found,
            Err(error) => {
                errors += 1;
                println!("seeds from {}: {error:#}", seeds[0]);
                let name = format!("{}-refused.cu", generated[0].name);
                std::fs::write(settings.keep.join(name), text(&generated))?;
                continue;
            }
        };
        for index in 0..generated.len() {
            kernels += 1;
            let Some(words) = difference(&found, index) else { continue };
            let kernel = &generated[index..=index];
            std::fs::write(settings.keep.join(format!("{}.cu", kernel[0].name)), text(kernel))?;
            let cause = settings.cause(gpu.as_mut(), &found, index, kernel, seeds[0])?;
            let count = match cause {
                Cause::Contraction => &mut differ,
                Cause::First => &mut first,
                Cause::Ptxas => &mut ptxas,
                Cause::Unknown => &mut errors,
            };
            *count += 1;
            println!("seed {}, {}: {words}", seeds[index], cause.name());
            if found.iter().skip(2).any(|(_, results)| results[index].is_err()) {
                // Those after it did not run.
                break;
            }
        }
        let causes = format!(
            "{errors} errors, {differ} differ by contraction, {first} by NVRTC, {ptxas} by ptxas, {} s",
            start.elapsed().as_secs()
        );
        eprint!("\r{kernels} kernels, {causes} ");
        summary = format!("{kernels} kernels (seeds {} to {}), {causes}", settings.seed, next - 1);
        if faulted(&found) {
            println!("a kernel's fault ends the use of the GPU: continue with --seed {next}");
            break;
        }
    }
    eprintln!();
    println!("{summary}");
    if errors > 0 {
        std::process::exit(1);
    }
    Ok(())
}
