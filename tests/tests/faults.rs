//! A fault is one sentence, wherever it is shown: `launch`, a lab with an edited kernel, an exercise of the workbook, and a page.
//!
//! Each program is the sum of two vectors, as lab 4.1 and the first exercise run it, with a mistake.

use anyhow::{Context, Result, bail, ensure};
use checker::{Case, Finding};
use device::{Checks, Embedded, SimtError};
use job::{Expected, Job, Settings};
use serde_json::{Value, json};
use std::path::Path;
use web::Session;

/// Elements of the vectors: the last block has threads without one.
const ELEMENTS: u32 = 1000;
/// What a kernel must not take, warp instructions of a block: more than any of these that ends.
const BUDGET: u64 = 1 << 20;

/// A mistake, instead of the kernel's body, with what comes before the kernel; and the sentence.
struct Faulty {
    name: &'static str,
    before: &'static str,
    body: &'static str,
    says: &'static str,
}

const FAULTY: &[Faulty] = &[
    Faulty {
        name: "beyond a buffer",
        before: "",
        body: "c[i] = a[i] + b[i];",
        says: "`a[1000]` is read, and `a` has 1,000 elements, up to `a[999]`",
    },
    Faulty {
        name: "before a buffer",
        before: "",
        body: "if (i < n) c[i] = a[i] + b[i - 1];",
        says: "`b[-1]` is read, and `b` begins at `b[0]`",
    },
    Faulty {
        name: "far beyond a buffer, near another",
        before: "",
        body: "if (i < n) c[i] = a[i + 1100];",
        says: "`a[1100]` is read, and `a` has 1,000 elements, up to `a[999]`",
    },
    Faulty {
        name: "beyond shared memory",
        before: "",
        body: "__shared__ float tile[256];\n    tile[threadIdx.x + 1] = a[0];\n    __syncthreads();\n    if (i < n) c[i] = tile[threadIdx.x];",
        says: "`tile[256]` is written, and `tile` has 256 elements, up to `tile[255]`",
    },
    Faulty {
        name: "beyond constant memory",
        before: "__constant__ float taps[4] = {1, 2, 3, 4};\n",
        body: "if (i < n) c[i] = taps[i];",
        says: "`taps[4]` is read, and `taps` has 4 elements, up to `taps[3]`",
    },
    Faulty {
        name: "beyond local memory",
        before: "",
        body: "float own[4] = {};\n    for (int k = 0; k <= n; k++) own[k] = a[k];\n    if (i < n) c[i] = own[i % 4];",
        says: "`own[k]` is written outside the thread's local memory",
    },
    Faulty {
        name: "an address that is not aligned",
        before: "",
        body: "float4 four = *(const float4 *)(a + 1);\n    if (i < n) c[i] = four.x + four.y + four.z + four.w;",
        says: "`*(const float4 *)(a + 1)` is read, 16 bytes at an address that is not a multiple of 16",
    },
    Faulty {
        name: "a null pointer",
        before: "",
        body: "const float *none = n > 0 ? nullptr : a;\n    if (i < n) c[i] = none[0];",
        says: "`none[0]` is read through a null pointer",
    },
    Faulty {
        name: "a race in shared memory",
        before: "",
        body: "__shared__ float tile[256];\n    if (threadIdx.x == 0) tile[0] = a[0];\n    if (i < n) c[i] = tile[0];",
        says: "thread 1 of block 0 reads `tile[0]`, which thread 0 wrote in line 8; a barrier between them is missing",
    },
    Faulty {
        name: "a race in global memory",
        before: "",
        body: "if (i < n) c[0] = a[i] + i;",
        says: "thread 1 of block 0 writes `c[0]`, which thread 0 wrote in line 7; nothing orders the two: a barrier between them is \
               missing, or they have to be one atomic operation",
    },
    Faulty {
        name: "a race between blocks",
        before: "",
        body: "if (threadIdx.x == 0) c[0] = a[i] + i;",
        says: "thread 0 of block 1 writes `c[0]`, which thread 0 of block 0 wrote in line 7; nothing orders the blocks of a launch: \
               it takes atomic operations, or a second launch",
    },
    Faulty {
        name: "an overrun into the next array",
        before: "",
        body: "__shared__ float first[256], second[256];\n    second[threadIdx.x] = b[0];\n    first[threadIdx.x + 1] = a[0];\n    \
               __syncthreads();\n    if (i < n) c[i] = first[threadIdx.x] + second[threadIdx.x];",
        says: "`first[256]` is written, and `first` has 256 elements, up to `first[255]`: what is there is `second[0]`, which \
               thread 0 wrote in line 8",
    },
    Faulty {
        name: "a read of what nothing has written",
        before: "",
        body: "if (i < n) c[i] += a[i] + b[i];",
        says: "`c[0]` is read, and nothing has written it",
    },
    Faulty {
        name: "a read of shared memory that nothing has written",
        before: "",
        body: "__shared__ float tile[256];\n    if (threadIdx.x < 64) tile[threadIdx.x] = a[0];\n    __syncthreads();\n    \
               if (i < n) c[i] = tile[threadIdx.x];",
        says: "`tile[64]` is read, and no thread of the block has written it",
    },
    Faulty {
        name: "a divergent barrier",
        before: "",
        body: "if (threadIdx.x < 40) __syncthreads();\n    else while (a[0] < 0) __syncthreads();\n    if (i < n) c[i] = a[i];",
        says: "threads wait at a barrier which others of their block never reach",
    },
    Faulty {
        name: "a shuffle from a lane that does not take part",
        before: "",
        body: "float x = i < n ? a[i] : 0;\n    if (threadIdx.x % 32 < 16) x += __shfl_down_sync(0xffff, x, 8);\n    if (i < n) c[i] = x;",
        says: "lane 8 takes the value of lane 16, which does not take part in the shuffle: that value is undefined",
    },
    Faulty {
        name: "a lane that its mask leaves out",
        before: "",
        body: "float x = i < n ? a[i] : 0;\n    x += __shfl_xor_sync(0xffff, x, 1);\n    if (i < n) c[i] = x;",
        says: "lane 16 executes a warp-wide instruction whose member mask, 0x0000ffff, does not name it",
    },
    Faulty {
        name: "an assertion",
        before: "#include <cassert>\n",
        body: "assert(i < n);\n    if (i < n) c[i] = a[i] + b[i];",
        says: "assertion `i < n` failed in ",
    },
    Faulty {
        name: "a trap",
        before: "",
        body: "if (i == 3) __trap();\n    if (i < n) c[i] = a[i] + b[i];",
        says: "the kernel executed `trap`",
    },
    Faulty {
        name: "an endless loop",
        before: "",
        body: "while (i < n) { }\n    c[i] = a[i];",
        says: "the kernel never ends: the loop comes back to where it was, with nothing changed",
    },
    Faulty {
        name: "a loop over its budget",
        before: "",
        body: "unsigned x = i;\n    while (x != 3) x = x * 1664525u + 1013904222u;\n    if (i < n) c[i] = x;",
        says: "the kernel does not end: more than # warp instructions in one block, slow ones counted as several, and no proof \
               that it never ends",
    },
    Faulty {
        name: "a recursion without an end",
        before: "__device__ __noinline__ float deeper(float x, int n) { return n < 0 ? x : deeper(x + n, n + 1) * x; }\n",
        body: "if (i < n) c[i] = deeper(a[i], i);",
        says: "calls need more local memory than a thread has",
    },
];

impl Faulty {
    /// The lab's file with the mistake in the kernel `add`; the mistake begins in line 9, or later by the lines of `before`.
    fn text(&self) -> Result<String> {
        let right = "    if (i < n) c[i] = a[i] + b[i];\n}\n// ANCHOR_END: add\n";
        let kernel = "extern \"C\" __global__ void add(";
        let text = kernels::ADD.cu;
        ensure!(text.contains(right) && text.contains(kernel), "the lab's kernel is another one now");
        let text = text.replacen(right, &format!("\n    {}\n}}\n", self.body), 1);
        Ok(text.replacen(kernel, &format!("{}{kernel}", self.before), 1))
    }
}

/// A sentence, and its line.
type Reported = (String, Option<u32>);

fn by_launch(folder: &Path) -> Result<Reported> {
    let vector = |name: &str, init: &str| {
        format!("[[buffer]]\nname = \"{name}\"\ntype = \"f32\"\nlen = {ELEMENTS}\n{init}\n")
    };
    let uniform = |seed: u32| format!("init = {{ uniform = [0.0, 1.0], seed = {seed} }}");
    let job = format!(
        "module = \"add.cu\"\n{}{}{}[[launch]]\nkernel = \"add\"\ngrid = [{}, 1, 1]\nblock = [256, 1, 1]\n\
         args = [{{ buffer = \"a\" }}, {{ buffer = \"b\" }}, {{ buffer = \"c\" }}, {{ i32 = {ELEMENTS} }}]\n",
        vector("a", &uniform(7)),
        vector("b", &uniform(8)),
        vector("c", ""),
        ELEMENTS.div_ceil(256)
    );
    std::fs::write(folder.join("add.toml"), job)?;
    let job = Job::read(&folder.join("add.toml"), Expected::Compare)?;
    let mut device = Embedded::new("h200")?;
    device.options().checks = Checks::ALL;
    (device.options().budget, device.options().budget_per_byte) = (BUDGET, 0);
    let report = job::run(&job, &mut device, &Settings::default(), &mut |_| {});
    let fault = report.fault().with_context(|| format!("{:?}", report.error))?;
    ensure!(fault.file.is_some_and(|file| file.ends_with("add.cu")), "{:?}", fault.line);
    // The report in the terminal has the sentence too.
    let shown = report.error.map(|error| error.to_string()).unwrap_or_default();
    ensure!(shown.contains(&fault.message), "{shown}");
    Ok((fault.message, fault.line))
}

/// What an edited kernel prints in a lab, and how that ends.
fn in_lab(folder: &Path) -> Result<(String, Result<()>)> {
    let lab = labs::ALL.iter().find(|lab| lab.name == "lab-4-1").context("no lab 4.1")?;
    let mut parameters = labs::Request::small(lab.sizes, 5).parameters();
    parameters.insert("elements".to_owned(), record::Parameter::Integer(ELEMENTS.into()));
    let mut device = Embedded::new("h200")?;
    (device.options().budget, device.options().budget_per_byte) = (BUDGET, 0);
    labs::watched(lab, &parameters, &[folder.join("add.cu")], compile::own, &mut device)
}

fn by_lab(folder: &Path) -> Result<Reported> {
    let (_, Err(error)) = in_lab(folder)? else { bail!("the lab found nothing") };
    match error.chain().find_map(|cause| cause.downcast_ref::<device::Error>()) {
        Some(device::Error::Simt(SimtError::Fault(fault))) => {
            Ok((fault.message.clone(), fault.place.written_line().map(|(_, line)| *line)))
        }
        _ => Err(error),
    }
}

fn by_exercise(text: &str) -> Result<Reported> {
    let task = exercise::all()
        .map_err(anyhow::Error::msg)?
        .into_iter()
        .find(|task| task.exercise.name == "vector_sum")
        .context("no exercise")?;
    let case = Case::shown(&task.exercise).into_iter().next().context("no case")?;
    let case_words = format!(" ({})", case.words());
    let verdict = checker::check(&task, "add.cu", text, &[case])?;
    let reported = feedback::messages(&verdict, &task, "add.cu", text);
    // Wrong results come first where a race is their cause.
    let first = match &verdict.finding {
        Some(Finding::Fault(_) | Finding::Race(_)) => reported.diagnostics.first(),
        Some(Finding::Wrong(_)) => reported.diagnostics.iter().find(|one| one.code == "global-race"),
        other => bail!("{other:?}"),
    };
    let first = first.context("nothing is said")?;
    let line = reported.sources.position(first.span.lo).map(|at| at.line);
    Ok((first.message.strip_suffix(&case_words).unwrap_or(&first.message).to_owned(), line))
}

fn by_page(text: &str) -> Result<Reported> {
    let vector =
        |name: &str, init: &str| json!({ "name": name, "type": "f32", "length": ELEMENTS, "init": init });
    let request = json!({
        "do": "any", "language": "cuda", "name": "add.cu", "text": text, "budget": 32 * BUDGET,
        "buffers": [vector("a", "random"), vector("b", "random"), vector("c", "poison")],
        "launches": [{ "kernel": "add", "grid": [ELEMENTS.div_ceil(256)], "block": [256],
                       "args": ["a", "b", "c", format!("int {ELEMENTS}")] }],
    });
    let answer: Value = serde_json::from_str(&Session::default().respond(&request.to_string()))?;
    let message = answer["fault"]["message"].as_str().with_context(|| answer.to_string())?;
    let line = answer["fault"]["places"][0]["line"].as_u64().and_then(|line| u32::try_from(line).ok());
    Ok((message.to_owned(), line))
}

/// Budgets differ, so what they are is not compared.
fn without_budget(sentence: &str) -> String {
    match sentence.split_once("more than ") {
        Some((before, after)) => {
            format!("{before}more than #{}", after.trim_start_matches(|c: char| c.is_ascii_digit()))
        }
        None => sentence.to_owned(),
    }
}

#[test]
fn what_a_kernel_prints_before_a_fault_is_shown_by_a_lab() -> Result<()> {
    let faulty = Faulty {
        name: "prints",
        before: "#include <cstdio>\n",
        body: "if (threadIdx.x == 0) printf(\"block %d\\n\", blockIdx.x);\n    c[i] = a[i] + b[i];",
        says: "",
    };
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("add.cu"), faulty.text()?)?;
    let (printed, ended) = in_lab(folder.path())?;
    let shown = "printed by add, before the fault that ended it:\n    block 0\n    block 1\n    block 2\n    block 3\n";
    ensure!(printed == shown && ended.is_err(), "{printed}{ended:?}");
    Ok(())
}

#[test]
fn a_fault_has_the_same_words_wherever_it_is_shown() -> Result<()> {
    let mut wrong = vec![];
    for faulty in FAULTY {
        let folder = tempfile::tempdir()?;
        let text = faulty.text()?;
        std::fs::write(folder.path().join("add.cu"), &text)?;
        let all = [
            ("launch", by_launch(folder.path())),
            ("the lab", by_lab(folder.path())),
            ("the exercise", by_exercise(&text)),
            ("the page", by_page(&text)),
        ];
        let mut lines = vec![];
        for (who, reported) in all {
            let (sentence, line) = match reported {
                Ok(reported) => reported,
                Err(error) => {
                    wrong.push(format!("{}: {who}: {error}", faulty.name));
                    continue;
                }
            };
            let sentence = without_budget(&sentence);
            if !sentence.starts_with(faulty.says) {
                wrong
                    .push(format!("{}: {who} says\n    {sentence}\n  not\n    {}", faulty.name, faulty.says));
            }
            lines.push(line);
        }
        if lines.iter().any(|line: &Option<u32>| line.is_none() || *line != lines[0]) {
            wrong.push(format!("{}: the lines are {lines:?}", faulty.name));
        }
    }
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}
