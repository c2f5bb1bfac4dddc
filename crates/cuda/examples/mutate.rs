//! Fuzzer of the compiler that needs nothing but this crate: changed sources must give PTX or errors, soon.
//!
//! ```sh
//! cargo run --release -p cuda --example mutate -- --seconds 60 kernels tests/programs
//! cargo run --release -p cuda --example mutate -- --file target/mutate/panic-17.cu
//! ```
//!
//! Takes the `.cu` files of the folders, changes words of them, puts parts of one into another, and now and then writes what
//! grows without end where nothing stops it: nests, macros, templates, arrays, loops. A source that panics or takes longer
//! than a second is kept in `target/mutate`; the one that is being compiled is in `target/mutate/now-SEED.cu`, for the case
//! that the whole process ends.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use cuda::{Input, Options};

/// Most that a compilation may take.
const MOST: Duration = Duration::from_secs(1);
/// Stack of the thread that compiles, that of a program's main thread.
const STACK: usize = 8 << 20;

thread_local! {
    /// What the last panic said.
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Ends the process where one source takes far too long: it is in `now-SEED.cu`.
fn watch() {
    let mut last = (0, Instant::now());
    loop {
        std::thread::sleep(Duration::from_millis(500));
        let now = COUNT.load(Ordering::Relaxed);
        if now != last.0 {
            last = (now, Instant::now());
        }
        if last.1.elapsed() > Duration::from_secs(60) {
            println!("a source takes over a minute: see target/mutate/now-*.cu");
            std::process::exit(2);
        }
    }
}

/// Sources so far.
static COUNT: AtomicU64 = AtomicU64::new(0);

fn main() -> ExitCode {
    std::thread::spawn(watch);
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(run);
    match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(true)) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// What the command line asks for.
struct Arguments {
    seconds: u64,
    seed: u64,
    files: Vec<PathBuf>,
    single: Option<PathBuf>,
}

fn arguments() -> Arguments {
    let mut all = Arguments { seconds: 60, seed: 0, files: vec![], single: None };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match &*word {
            "--seconds" => {
                all.seconds = words.next().and_then(|text| text.parse().ok()).unwrap_or(all.seconds)
            }
            "--seed" => all.seed = words.next().and_then(|text| text.parse().ok()).unwrap_or(all.seed),
            "--file" => all.single = words.next().map(PathBuf::from),
            folder => sources(Path::new(folder), &mut all.files),
        }
    }
    all.files.sort();
    all
}

fn sources(path: &Path, to: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            sources(&entry.path(), to);
        }
    } else if path.extension().is_some_and(|extension| extension == "cu") {
        to.push(path.to_owned());
    }
}

/// Fuzzes; false where something was found.
fn run() -> bool {
    std::panic::set_hook(Box::new(|info| {
        PANIC.with(|text| *text.borrow_mut() = info.to_string());
    }));
    let arguments = arguments();
    if let Some(file) = &arguments.single {
        let text = fs::read_to_string(file).unwrap_or_default();
        let outcome = compile(&text, Path::new("."));
        println!("{:?}: {}", outcome.time, outcome.words());
        return outcome.problem().is_none();
    }
    let texts: Vec<(PathBuf, String)> = arguments
        .files
        .iter()
        .filter_map(|file| Some((file.clone(), fs::read_to_string(file).ok()?)))
        .collect();
    if texts.is_empty() {
        println!("mutate: name files or folders with .cu files");
        return false;
    }
    fuzz(&arguments, &texts)
}

fn fuzz(arguments: &Arguments, texts: &[(PathBuf, String)]) -> bool {
    let folder = Path::new("target/mutate");
    if fs::create_dir_all(folder).is_err() {
        return false;
    }
    let now = folder.join(format!("now-{}.cu", arguments.seed));
    let end = Instant::now() + Duration::from_secs(arguments.seconds);
    let (mut count, mut compiled, mut found, mut slowest) = (0_u64, 0_u64, 0_u64, Duration::ZERO);
    let mut seed = arguments.seed.wrapping_mul(1_000_000_000);
    let mut known: Vec<String> = vec![];
    while Instant::now() < end {
        seed += 1;
        let mut random = Random(seed);
        let (file, text) = &texts[random.below(texts.len())];
        let text = match random.below(8) {
            0 => bomb(&mut random, text),
            1 => splice(text, &texts[random.below(texts.len())].1, &mut random),
            _ => mutate(text, &mut random),
        };
        let _ = fs::write(&now, &text);
        let outcome = compile(&text, file.parent().unwrap_or(Path::new(".")));
        count += 1;
        COUNT.store(count, Ordering::Relaxed);
        compiled += u64::from(outcome.result == Ok(true));
        slowest = slowest.max(outcome.time);
        let Some(problem) = outcome.problem() else { continue };
        found += 1;
        let words = outcome.words();
        // One of a kind is enough to look at.
        let kind: String = words.chars().filter(|c| !c.is_ascii_digit()).take(200).collect();
        if problem == "slow" || !known.contains(&kind) {
            known.push(kind);
            let kept = folder.join(format!("{problem}-{seed}.cu"));
            let _ = fs::write(&kept, &text);
            println!("{} ({:?}, from {}): {words}", kept.display(), outcome.time, file.display());
        }
    }
    let _ = fs::remove_file(&now);
    println!("{count} sources, {compiled} compiled, {found} problems, slowest {slowest:?}");
    found == 0
}

/// What became of a source.
struct Outcome {
    /// Whether there is PTX, or what the panic said.
    result: Result<bool, String>,
    time: Duration,
}

impl Outcome {
    fn problem(&self) -> Option<&'static str> {
        match &self.result {
            Err(_) => Some("panic"),
            Ok(_) if self.time > MOST => Some("slow"),
            Ok(_) => None,
        }
    }

    fn words(&self) -> String {
        match &self.result {
            Err(text) => text.replace('\n', " "),
            Ok(true) => "compiled".into(),
            Ok(false) => "errors".into(),
        }
    }
}

fn compile(text: &str, folder: &Path) -> Outcome {
    let include = |name: &str| fs::read_to_string(folder.join(name)).ok().map(cuda::Header::from);
    let start = busy();
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let options = Options { arch: "90".parse().unwrap_or_default(), ..Options::default() };
        match cuda::compile(&Input { name: "x.cu", text, include: &include }, &options) {
            Ok(_) => true,
            Err(failure) => {
                // A failure without a reason is a defect, as is one of the compiler itself.
                assert!(!failure.diagnostics.is_empty(), "a failure without an error");
                let defect =
                    failure.diagnostics.iter().find(|one| one.code == "defect" || one.code == "internal");
                assert!(defect.is_none(), "{}", defect.map_or("", |one| &one.message));
                false
            }
        }
    }));
    let time = busy().saturating_sub(start);
    Outcome { result: result.map_err(|_| PANIC.with(|text| text.borrow().clone())), time }
}

/// Time that this thread has computed for, so that a busy machine does not count; the clock's where that is not reported.
fn busy() -> Duration {
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next().and_then(|first| first.parse().ok()));
    nanoseconds.map_or_else(|| std::time::UNIX_EPOCH.elapsed().unwrap_or_default(), Duration::from_nanos)
}

/// Numbers that look random, the same for the same seed.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        // SplitMix64: neighbouring seeds give unlike numbers.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((word ^ (word >> 31)) % n.max(1) as u64) as usize
    }

    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

/// Words that sources are made of.
const WORDS: &[&str] = include!("../src/parse/tests/words.rs");

/// Words and what is between them.
fn pieces(text: &str) -> Vec<&str> {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let mut pieces = vec![];
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match word(first) {
            true => rest.find(|c| !word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (piece, after) = rest.split_at(end);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

fn is_word(piece: &str) -> bool {
    piece.chars().next().is_some_and(|c| c.is_alphanumeric() || c == '_')
}

/// Changes words: left out, doubled, swapped, replaced by others of the text or of the list.
fn mutate(text: &str, random: &mut Random) -> String {
    let mut all = pieces(text);
    for _ in 0..=random.below(5) {
        if all.is_empty() {
            break;
        }
        let at = random.below(all.len());
        let other = random.below(all.len());
        match random.below(8) {
            0 => drop(all.remove(at)),
            1 => all.insert(at, random.of(WORDS)),
            2 => all[at] = random.of(WORDS),
            3 => all.swap(at, other),
            4 => {
                let end = (at + random.below(60)).min(all.len());
                let part = all[at..end].to_vec();
                let to = random.below(all.len());
                all.splice(to..to, part);
            }
            5 => {
                let end = (at + random.below(30)).min(all.len());
                all.drain(at..end);
            }
            _ => {
                // One word for another: what most often still compiles, to something else.
                let words: Vec<usize> = (0..all.len()).filter(|at| is_word(all[*at])).collect();
                if words.len() > 1 {
                    let (at, other) = (words[random.below(words.len())], words[random.below(words.len())]);
                    all[at] = all[other];
                }
            }
        }
    }
    all.concat()
}

/// Lines of one text within another.
fn splice(text: &str, other: &str, random: &mut Random) -> String {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let others: Vec<&str> = other.split_inclusive('\n').collect();
    let start = random.below(others.len());
    let end = (start + random.below(40)).min(others.len());
    let to = random.below(lines.len());
    lines.splice(to..to, others[start..end].iter().copied());
    lines.concat()
}

/// What grows without end where nothing stops it, before, in or after a text.
fn bomb(random: &mut Random, text: &str) -> String {
    let n = 1 << random.below(20);
    let few = n.min(40_000);
    let body = match random.below(22) {
        0 => format!("{}1{}", "(".repeat(few), ")".repeat(few)),
        1 => format!("{}{}", "{".repeat(few), "}".repeat(few)),
        2 => "1+".repeat(few) + "1",
        3 => "if (n) ".repeat(few) + ";",
        4 => format!("int a[{n}][{n}]; a[n][n] = n; n = a[1][n];"),
        5 => format!("int a[{n}] = {{1}}; for (int i = 0; i < {n}; ++i) a[i] += i; n = a[n];"),
        6 => format!("\n#pragma unroll\nfor (int i = 0; i < {n}; ++i) n = n * 3 + i;"),
        7 => format!("\n#pragma unroll {n}\nfor (int i = 0; i < n; ++i) n = n * 3 + i;"),
        8 => format!(
            "\n#pragma unroll\nfor (int i = 0; i < {0}; ++i)\n#pragma unroll\nfor (int j = 0; j < {0}; ++j)\n#pragma unroll\n\
             for (int k = 0; k < {0}; ++k) n = n * i + j * k;",
            n.min(600)
        ),
        9 => "n++;".repeat(few),
        10 => "n = n * n + 1 ? n : -n;".repeat(few.min(4000)),
        11 => format!(
            "switch (n) {{ {} }}",
            (0..few.min(5000)).map(|i| format!("case {i}: n += {i};")).collect::<String>()
        ),
        12 => format!(
            "float v[{few}]; for (int i = 0; i < {few}; ++i) v[i] = n; for (int i = 0; i < {few}; ++i) n += v[i];"
        ),
        13 => return macros(n) + text,
        14 => {
            return format!(
                "template <int N> struct T {{ static const int v = T<N + 1>::v; }}; __global__ void b(int *p) {{ *p = T<0>::v; }}\n{text}"
            );
        }
        15 => {
            return format!(
                "template <int N> __device__ int f() {{ return f<N - 1>() + f<N - 2>(); }} template <> __device__ int f<0>() {{ return 1; }} \
             template <> __device__ int f<1>() {{ return 1; }} __global__ void b(int *p) {{ *p = f<{}>(); }}\n{text}",
                n % 3000
            );
        }
        16 => {
            return format!(
                "constexpr int f(int n) {{ int s = 0; for (int i = 0; i < n; ++i) s += f(i % 7) ^ i; return s; }} \
             __device__ int a[1 + (f({n}) & 7)]; __global__ void b(int *p) {{ *p = a[0]; }}\n{text}"
            );
        }
        17 => return calls(random, text),
        18 => {
            return format!(
                "template <class T> __device__ T f(T a, int n) {{ T *b[2] = {{&a, &a}}; return n ? *f(b, n - 1)[0] : a; }} __global__ void b(int *p) {{ *p = f(*p, 3); }}\n{text}"
            );
        }
        19 => format!("auto f = [&](auto x) {{ return x + n; }}; {}", "n = f(f(n));".repeat(few.min(300))),
        20 => format!("__shared__ int s[{n}]; {}", "s[n] = s[n + 1]; __syncthreads();".repeat(few.min(1000))),
        _ => {
            format!("{}n;{}", "for (int i = 0; i < n; ++i) { ".repeat(few.min(150)), "}".repeat(few.min(150)))
        }
    };
    let kernel = format!("__global__ void bomb(int *p, int n) {{ {body}\n *p = n; }}\n");
    match random.below(3) {
        0 => kernel,
        1 => kernel + text,
        _ => text.to_owned() + &kernel,
    }
}

/// Macros that double.
fn macros(n: usize) -> String {
    let levels = (n as u32).ilog2() as usize + 4;
    let mut text = String::from("#define M0 n += 1;\n");
    for level in 1..=levels {
        let less = level - 1;
        text += &format!("#define M{level} M{less} M{less}\n");
    }
    format!("{text}__global__ void macros(int *p, int n) {{ M{levels} *p = n; }}\n")
}

/// Functions that call each other twice.
fn calls(random: &mut Random, text: &str) -> String {
    let levels = 2 + random.below(40);
    let mut all = String::from("__device__ int c0(int n) { return n * 3; }\n");
    for level in 1..levels {
        let less = level - 1;
        all += &format!("__device__ int c{level}(int n) {{ return c{less}(n) + c{less}(n + {level}); }}\n");
    }
    format!("{all}__global__ void calls(int *p) {{ *p = c{}(*p); }}\n{text}", levels - 1)
}
