//! The workbook's own compiler and NVRTC alternately, on the labs' kernel files: `cargo bench -p benches --bench compiler`.
//!
//! *First* is the first compilation of its process (tables are made, pages are touched), which is what a reader waits for: this
//! program starts itself again for each of those. NVRTC's time holds that of starting Python and loading the library, which each of
//! its compilations here costs as well. Without NVRTC its columns are empty.
#![allow(clippy::unwrap_used, reason = "whatever fails here should stop")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use kernels::Compiler;

const ROUNDS: usize = 9;

/// Milliseconds of one compilation, or `None` where the compiler is missing or refuses the file.
fn once(file: &Path, compiler: Compiler) -> Option<f64> {
    let started = Instant::now();
    kernels::compile(file, compiler, compile::own).ok()?;
    Some(started.elapsed().as_secs_f64() * 1e3)
}

/// Milliseconds of the first compilation of a new process.
fn first(file: &Path) -> Option<f64> {
    let output =
        Command::new(std::env::current_exe().unwrap()).args(["--once".as_ref(), file.as_os_str()]).output();
    String::from_utf8(output.unwrap().stdout).unwrap().trim().parse().ok()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Median of some, or `None` where one is missing.
fn all(times: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    times.collect::<Option<Vec<f64>>>().map(median)
}

fn cell(time: Option<f64>) -> String {
    time.map_or(String::new(), |ms| format!("{ms:.1}"))
}

fn sources() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels");
    let folders =
        std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    let files =
        folders.flat_map(|folder| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()));
    let mut found: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|extension| extension == "cu")).collect();
    found.sort();
    found
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|one| one == "--once") {
        println!("{}", once(Path::new(&arguments[at + 1]), Compiler::Own).unwrap());
        return;
    }
    println!("median of {ROUNDS}, in ms\n");
    println!("{:24} {:>8} {:>8} {:>8} {:>12}", "", "first", "later", "NVRTC", "NVRTC/first");
    for file in sources() {
        let (mut firsts, mut nvrtc) = (vec![], vec![]);
        for _ in 0..ROUNDS {
            firsts.push(first(&file));
            nvrtc.push(once(&file, Compiler::Nvrtc));
        }
        let (first, nvrtc) = (all(firsts.into_iter()), all(nvrtc.into_iter()));
        let later = all((0..ROUNDS).map(|_| once(&file, Compiler::Own)));
        let ratio = first.zip(nvrtc).map(|(first, nvrtc)| nvrtc / first);
        let name = file.components().rev().take(2).collect::<Vec<_>>().into_iter().rev().collect::<PathBuf>();
        println!(
            "{:24} {:>8} {:>8} {:>8} {:>12}",
            name.display(),
            cell(first),
            cell(later),
            cell(nvrtc),
            cell(ratio)
        );
    }
}
