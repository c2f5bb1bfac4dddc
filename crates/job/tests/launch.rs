//! The binary `launch`, as a user calls it, on the embedded device.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Output;

/// A folder with the job `saxpy.toml`, which tests change.
struct Jobs {
    folder: tempfile::TempDir,
}

struct Ran {
    code: i32,
    stdout: String,
    stderr: String,
}

impl Jobs {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/launch");
        for file in std::fs::read_dir(from).unwrap() {
            let file = file.unwrap();
            std::fs::copy(file.path(), folder.path().join(file.file_name())).unwrap();
        }
        Jobs { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Changes one place of a file.
    fn change(&self, file: &str, from: &str, to: &str) {
        let text = std::fs::read_to_string(self.path(file)).unwrap();
        assert!(text.contains(from), "{file} has no {from}");
        std::fs::write(self.path(file), text.replacen(from, to, 1)).unwrap();
    }

    fn run(&self, line: &str) -> Ran {
        let program = env!("CARGO_BIN_EXE_launch");
        let Output { status, stdout, stderr } =
            tests::program::run(program, self.folder.path(), line).unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ran { code: status.code().unwrap(), stdout: text(stdout), stderr: text(stderr) }
    }

    fn json(&self, name: &str) -> Value {
        serde_json::from_str(&std::fs::read_to_string(self.path(name)).unwrap()).unwrap()
    }
}

#[test]
fn a_job_names_the_instance_of_a_template() {
    let jobs = Jobs::new();
    let text = "template <typename T, int N> __global__ void scale(T *p) { p[threadIdx.x] *= N; }\n";
    std::fs::write(jobs.path("scale.cu"), text).unwrap();
    let job = |kernel: &str| {
        let job = format!(
            "module = \"scale.cu\"\n[[buffer]]\nname = \"p\"\ntype = \"i32\"\nlen = 2\ninit = {{ fill = 3 }}\n[[launch]]\n\
             kernel = \"{kernel}\"\ngrid = [1, 1, 1]\nblock = [2, 1, 1]\nargs = [{{ buffer = \"p\" }}]\n[[output]]\nbuffer = \"p\"\n"
        );
        std::fs::write(jobs.path("scale.toml"), job).unwrap();
        jobs.run("scale.toml --device simt --out out")
    };
    let ran = job("scale<int, 4>");
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert_eq!(std::fs::read(jobs.path("out/p.bin")).unwrap(), [12, 0, 0, 0, 12, 0, 0, 0]);
    let ran = job("scale<itn, 4>");
    assert!(ran.code == 2 && ran.stderr.contains("itn"), "{}", ran.stderr);
}

#[test]
fn a_job_that_matches_says_what_it_did_and_exits_with_0() {
    let ran = Jobs::new().run("saxpy.toml --device simt");
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    insta::assert_snapshot!(without_counts(&ran.stdout));
}

/// The report without times and counters, which are the embedded device's and have tests of their own.
fn without_counts(text: &str) -> String {
    text.lines()
        .filter(|line| !line.starts_with("  "))
        .map(|line| match line.split_once(": ") {
            Some((head, time)) if time.ends_with(" modelled") => format!("{head}: … modelled\n"),
            _ => format!("{line}\n"),
        })
        .collect()
}

#[test]
fn an_output_that_differs_is_shown_and_exits_with_1() {
    let jobs = Jobs::new();
    jobs.change("saxpy.toml", "f32 = -1.0", "f32 = -1.5");
    let ran = jobs.run("saxpy.toml --device simt --json run.json");
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    assert!(
        ran.stdout.contains("output y: differs from y.expected.bin: 999 of 1,000 × f32"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("and 991 more"), "{}", ran.stdout);
    let json = jobs.json("run.json");
    let output = &json["outputs"][0];
    assert_eq!((output["name"].as_str(), output["matches"].as_bool()), (Some("y"), Some(false)));
    assert_eq!(output["max_abs"].as_f64(), Some(499.5));
    assert_eq!(json["fault"], Value::Null);
}

#[test]
fn tolerances_forgive() {
    let jobs = Jobs::new();
    jobs.change("saxpy.toml", "f32 = -1.0", "f32 = -1.5");
    jobs.change("saxpy.toml", "\"y.expected.bin\"", "\"y.expected.bin\"\natol = 500");
    assert_eq!(jobs.run("saxpy.toml --device simt").code, 0);
}

#[test]
fn a_fault_names_its_place_and_exits_with_3() {
    let jobs = Jobs::new();
    jobs.change("saxpy.toml", "i32 = 1000 }", "i32 = 1024 }");
    let ran = jobs.run("saxpy.toml --device simt --json run.json");
    assert_eq!(ran.code, 3, "{}{}", ran.stdout, ran.stderr);
    for part in
        ["out-of-bounds-global", "past the end of ", "block (3,0,0)", "thread (232,0,0)", "saxpy.cu:8"]
    {
        assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
    }
    let fault = &jobs.json("run.json")["fault"];
    assert_eq!(fault["kind"], "out-of-bounds-global");
    assert_eq!(fault["kernel"], "saxpy");
    assert_eq!(fault["block"], serde_json::json!([3, 0, 0]));
    assert_eq!(fault["thread"], serde_json::json!([232, 0, 0]));
    assert_eq!((&fault["file"], &fault["line"]), (&"saxpy.cu".into(), &8.into()));
    assert!(fault["address"].is_u64());
}

#[test]
fn with_keep_going_all_faults_are_listed_with_their_counts() {
    let jobs = Jobs::new();
    jobs.change("saxpy.toml", "i32 = 1000 }", "i32 = 1024 }");
    let ran = jobs.run("saxpy.toml --device simt --keep-going --json run.json");
    assert_eq!(ran.code, 3, "{}{}", ran.stdout, ran.stderr);
    // The second launch has run too, and the outputs are there.
    assert!(
        ran.stdout.matches("saxpy  grid 4").count() == 2 && ran.stdout.contains("output y"),
        "{}",
        ran.stdout
    );
    for part in
        ["out-of-bounds-global", "thread (232,0,0)", "found 24 times", "launch: 1 fault, found 24 times"]
    {
        assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
    }
    let json = jobs.json("run.json");
    assert_eq!(json["launches"].as_array().unwrap().len(), 2);
    let faults = json["faults"].as_array().unwrap();
    assert_eq!((faults.len(), faults[0]["count"].as_u64()), (1, Some(24)));
    let mut first = faults[0].clone();
    first.as_object_mut().unwrap().remove("count");
    assert_eq!(json["fault"], first);
    assert_eq!(first["block"], serde_json::json!([3, 0, 0]));
}

#[test]
fn with_keep_going_and_no_fault_the_list_is_empty() {
    let jobs = Jobs::new();
    let ran = jobs.run("saxpy.toml --device simt --keep-going --json run.json");
    assert_eq!((ran.code, ran.stderr.as_str()), (0, "launch: no faults\n"));
    let json = jobs.json("run.json");
    assert_eq!((&json["faults"], &json["fault"]), (&serde_json::json!([]), &Value::Null));
    // Without the flag there is no list.
    jobs.run("saxpy.toml --device simt --json run.json");
    assert!(jobs.json("run.json").get("faults").is_none());
}

#[test]
fn with_keep_going_a_launch_that_is_refused_ends_the_run_after_the_faults_before_it() {
    let jobs = Jobs::new();
    jobs.change("saxpy.toml", "i32 = 1000 }", "i32 = 1024 }");
    jobs.change("saxpy.toml", "{ f32 = -1.0 }, ", "");
    let ran = jobs.run("saxpy.toml --device simt --keep-going --json run.json");
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    let kinds: Vec<Value> =
        jobs.json("run.json")["faults"].as_array().unwrap().iter().map(|f| f["kind"].clone()).collect();
    assert_eq!(kinds, ["out-of-bounds-global", "bad-arguments"]);
}

#[test]
fn checks_are_chosen_by_name() {
    let jobs = Jobs::new();
    // The kernel reads what nothing has written.
    jobs.change("saxpy.toml", "init = { fill = 1 }", "");
    let kind = |line: &str| {
        jobs.run(&format!("saxpy.toml --device simt --json run.json {line}"));
        jobs.json("run.json")["fault"]["kind"].clone()
    };
    for line in ["", "--check uninitialised", "--check races,uninitialised", "--no-check races,masks"] {
        assert_eq!(kind(line), "uninitialised-read", "{line}");
    }
    for line in ["--no-checks", "--check races", "--no-check uninitialised", "--check masks,races"] {
        assert_eq!(kind(line), Value::Null, "{line}");
    }
    let ran = jobs.run("saxpy.toml --device simt --check bounds");
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("races, read-only, uninitialised, masks, nan, all"), "{}", ran.stderr);
}

#[test]
fn what_is_found_before_a_thread_runs_is_a_fault_without_a_thread_and_exits_with_2() {
    for (file, from, to, kind) in [
        ("saxpy.ptx", "mad.lo.s32", "mad.lo.s32,", "bad-ptx"),
        ("saxpy.toml", "kernel = \"saxpy\"", "kernel = \"daxpy\"", "missing-kernel"),
        ("saxpy.toml", "{ f32 = 2.0 }, ", "", "bad-arguments"),
        ("saxpy.toml", "f32 = 2.0", "f64 = 2.0", "bad-arguments"),
        ("saxpy.toml", "block = [256, 1, 1]", "block = [2048, 1, 1]", "too-many-threads"),
        ("saxpy.toml", "grid = [4, 1, 1]", "grid = [0, 1, 1]", "too-many-threads"),
        ("saxpy.toml", "grid = [4, 1, 1]", "grid = [4, 1, 1]\nshared_bytes = 400000", "too-much-shared"),
        ("saxpy.toml", "grid = [4, 1, 1]", "grid = [4, 1, 1]\ncluster = [3, 1, 1]", "too-many-threads"),
        ("saxpy.toml", "grid = [4, 1, 1]", "grid = [4, 999, 1]\ncooperative = true", "too-many-threads"),
    ] {
        let jobs = Jobs::new();
        jobs.change(file, from, to);
        let ran = jobs.run("saxpy.toml --device simt --json run.json");
        assert_eq!(ran.code, 2, "{kind}: {}{}", ran.stdout, ran.stderr);
        let json = jobs.json("run.json");
        assert_eq!(json["fault"]["kind"], kind);
        assert_eq!(json["fault"]["thread"], Value::Null);
        assert_eq!(json["launches"], serde_json::json!([]));
        assert!(!ran.stderr.is_empty());
    }
}

#[test]
fn outputs_are_written_raw() {
    let jobs = Jobs::new();
    assert_eq!(jobs.run("saxpy.toml --device simt --out deep/results").code, 0);
    for name in ["y", "calls"] {
        let got = std::fs::read(jobs.path(&format!("deep/results/{name}.bin"))).unwrap();
        assert_eq!(got, std::fs::read(jobs.path(&format!("{name}.expected.bin"))).unwrap());
    }
}

#[test]
fn outputs_are_numpy_files_where_that_is_asked_for() {
    let jobs = Jobs::new();
    assert_eq!(jobs.run("saxpy.toml --device simt --out results --npy").code, 0);
    let got = std::fs::read(jobs.path("results/y.npy")).unwrap();
    assert!(
        String::from_utf8_lossy(&got[..128])
            .contains("'descr': '<f4', 'fortran_order': False, 'shape': (1000,)")
    );
    assert_eq!(got[128..], std::fs::read(jobs.path("y.expected.bin")).unwrap());
    let ran = jobs.run("saxpy.toml --device simt --npy");
    assert!(ran.code == 2 && ran.stderr.contains("--out"), "{}", ran.stderr);
}

#[test]
fn several_jobs_have_folders_of_their_own_and_the_worst_exit_code() {
    let jobs = Jobs::new();
    std::fs::copy(jobs.path("saxpy.toml"), jobs.path("b.toml")).unwrap();
    jobs.change("b.toml", "i32 = 1000 }", "i32 = 1024 }");
    let ran = jobs.run("b.toml saxpy.toml --device simt --out results --json all.json");
    assert_eq!(ran.code, 3);
    assert!(jobs.path("results/saxpy/y.bin").is_file() && !jobs.path("results/b/y.bin").exists());
    let all = jobs.json("all.json");
    assert_eq!(
        (&all[0]["job"], &all[0]["fault"]["kind"]),
        (&"b.toml".into(), &"out-of-bounds-global".into())
    );
    assert_eq!((&all[1]["job"], &all[1]["outputs"][0]["matches"]), (&"saxpy.toml".into(), &true.into()));
}

#[test]
fn recorded_files_are_those_that_a_job_compares_with() {
    let jobs = Jobs::new();
    for name in ["y", "calls"] {
        std::fs::remove_file(jobs.path(&format!("{name}.expected.bin"))).unwrap();
    }
    assert_eq!(jobs.run("saxpy.toml --device simt").code, 2);
    assert_eq!(jobs.run("saxpy.toml --device simt --record .").code, 0);
    assert_eq!(jobs.run("saxpy.toml --device simt").code, 0);
}

#[test]
fn a_profile_lists_the_source_with_what_its_lines_cost_and_the_ptx_where_there_is_none() {
    let jobs = Jobs::new();
    let ran = jobs.run("saxpy.toml --device simt --profile");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    for part in [
        "profile of saxpy, 2 launches together",
        "        y[i] = a * x[i] + coef[1] * y[i];\n",
        "global load: 128 requests, 3.9 sectors/request, ideal 4 (4 bytes a lane)",
        "constant load: 64 uniform",
        "  class of instruction         instr.     %\n  integer ",
        "  load, global",
        "time of this machine, which runs the device, profiling included\n  reading the PTX ",
        "  running saxpy, 2 times",
    ] {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
    std::fs::remove_file(jobs.path("saxpy.cu")).unwrap();
    let ran = jobs.run("saxpy.toml --device simt --profile");
    assert!(ran.stdout.contains("ld.global.f32     %f2, [%rd6];"), "{}", ran.stdout);
}

#[test]
fn what_the_chip_executes_is_shown_next_to_the_counters_of_the_ptx_if_it_is_asked_for() {
    let jobs = Jobs::new();
    let without = jobs.run("saxpy.toml --device simt --json run.json");
    assert!(!without.stdout.contains("executed"), "{}", without.stdout);
    assert_eq!(jobs.json("run.json")["launches"][0]["executed"], Value::Null);
    let with = jobs.run("saxpy.toml --device simt --executed --json run.json");
    assert_eq!(with.code, 0, "{}", with.stderr);
    assert!(with.stdout.contains("PTX") && with.stdout.contains("executed"), "{}", with.stdout);
    let launch = &jobs.json("run.json")["launches"][0];
    let (ptx, executed) = (&launch["counters"], &launch["executed"]);
    // The same names; those that cannot be determined have a reason instead.
    assert_eq!(executed["global_load_requests"], ptx["global_load_requests"]);
    assert_eq!(executed["warp_instructions"], Value::Null);
    let why = "ptxas makes these differently throughout";
    assert_eq!(launch["executed_unknown"]["warp_instructions"], why);
    assert!(with.stdout.contains(why), "{}", with.stdout);
    assert!(ptx["warp_instructions"].is_u64());
}

#[test]
fn json_on_standard_output_leaves_nothing_else_there() {
    let ran = Jobs::new().run("saxpy.toml --device simt --json -");
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(json["launches"][1]["time_is"], "modelled");
    assert!(json["launches"][0]["counters"]["global_load_requests"].as_u64() > Some(0));
    assert!(ran.stderr.contains("output y: matches"), "{}", ran.stderr);
}

#[test]
fn an_unusable_job_is_json_too() {
    let jobs = Jobs::new();
    let ran = jobs.run("missing.toml --device simt --json run.json");
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("missing.toml: "), "{}", ran.stderr);
    let json = jobs.json("run.json");
    assert_eq!(json["fault"], Value::Null);
    assert!(json["error"].as_str().unwrap().contains("missing.toml"));
}

#[test]
fn a_device_that_is_not_there_is_said_and_what_to_do() {
    for (device, words) in [("--device gpu", "--device simt"), ("--device simt --arch h1000", "h200")] {
        let jobs = Jobs::new();
        let ran = jobs.run(&format!("saxpy.toml {device} --json run.json"));
        assert_eq!(ran.code, 2);
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
        assert!(jobs.json("run.json")["error"].is_string());
    }
}

#[test]
fn help_shows_a_job_file_and_fits_eighty_columns() {
    let ran = Jobs::new().run("--help");
    assert_eq!(ran.code, 0);
    assert!(ran.stdout.contains("[[launch]]") && ran.stdout.contains("launch saxpy.toml --device simt"));
    for line in ran.stdout.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    assert_eq!(Jobs::new().run("").code, 2);
}

/// A module with a kernel that runs, and two of which one is refused for two reasons and both for one in a function.
const REFUSED: &str = r"
.visible .func inner() {
    wgmma.fence.sync.aligned;
    ret;
}
.visible .entry first() {
    wgmma.commit_group.sync.aligned;
    call inner;
    ret;
}
.visible .entry second() {
    call inner;
    ret;
}
";

#[test]
fn a_dry_run_lists_all_refusals_and_runs_nothing() {
    let jobs = Jobs::new();
    let text = std::fs::read_to_string(jobs.path("saxpy.ptx")).unwrap();
    let line = |n: usize| text.lines().count() + n;
    std::fs::write(jobs.path("saxpy.ptx"), format!("{text}{REFUSED}")).unwrap();
    let ran = jobs.run("saxpy.toml --device simt --dry-run --json run.json");
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "what the job launches can run");
    for reported in [
        "launch of saxpy, grid [4, 1, 1], block [256, 1, 1]: can run".to_owned(),
        "refused kernels of the module: first, second".to_owned(),
        format!("  saxpy.ptx:{}:5: the embedded device does not support `wgmma.fence.sync.aligned`", line(3)),
        "    in first, second".to_owned(),
        format!(
            "  saxpy.ptx:{}:5: the embedded device does not support `wgmma.commit_group.sync.aligned`",
            line(7)
        ),
        "    in first".to_owned(),
    ] {
        assert!(ran.stdout.lines().any(|line| line == reported), "{reported} in:\n{}", ran.stdout);
    }
    let run = jobs.json("run.json");
    assert_eq!((&run["launches"], &run["outputs"], &run["fault"]), (&json!([]), &json!([]), &Value::Null));
    let found = &run["dry_run"];
    assert_eq!(
        found["launches"][1],
        json!({ "kernel": "saxpy", "grid": [4, 1, 1], "block": [256, 1, 1], "line": 26, "refused": [] })
    );
    let lines = |n: usize| {
        let reasons = found["refusals"][n]["reasons"].as_array().unwrap();
        reasons.iter().map(|reason| reason["line"].as_u64().unwrap() as usize).collect::<Vec<_>>()
    };
    assert_eq!((lines(0), lines(1)), (vec![line(3), line(7)], vec![line(3)]));
    assert_eq!(found["refusals"][0]["reasons"][0]["kind"], "unsupported-instruction");
}

#[test]
fn a_dry_run_of_a_refused_launch_exits_with_2() {
    let jobs = Jobs::new();
    let text = std::fs::read_to_string(jobs.path("saxpy.ptx")).unwrap();
    std::fs::write(jobs.path("saxpy.ptx"), format!("{text}{REFUSED}")).unwrap();
    let launch =
        "[[launch]]\nkernel = \"second\"\ngrid = [1, 1, 1]\nblock = [1, 1, 1]\nargs = []\n\n[[launch]]";
    jobs.change("saxpy.toml", "[[launch]]", launch);
    for (flag, fault) in [("--dry-run ", "unsupported-instruction"), ("", "unsupported-instruction")] {
        let ran = jobs.run(&format!("saxpy.toml --device simt {flag}--json run.json"));
        assert_eq!(ran.code, 2, "{flag}");
        assert!(ran.stderr.contains("`wgmma.fence.sync.aligned`"), "{}", ran.stderr);
        assert_eq!(jobs.json("run.json")["fault"]["kind"], fault, "{flag}");
    }
    // Arguments that do not fit are found as well.
    let jobs = Jobs::new();
    jobs.change("saxpy.toml", "{ i32 = 1000 }]", "{ u64 = 1000 }]");
    let ran = jobs.run("saxpy.toml --device simt --dry-run");
    assert_eq!(ran.code, 2);
    assert!(ran.stdout.contains("block [256, 1, 1]: refused\n"), "{}", ran.stdout);
}

#[test]
fn a_dry_run_lists_all_reasons_of_every_launch() {
    let jobs = Jobs::new();
    let text = std::fs::read_to_string(jobs.path("saxpy.ptx")).unwrap();
    let line = |n: usize| text.lines().count() + n;
    std::fs::write(jobs.path("saxpy.ptx"), format!("{text}{REFUSED}")).unwrap();
    let job = "module = \"saxpy.ptx\"
[[launch]]
kernel = \"first\"
grid = [1, 1, 1]
block = [1, 1, 1]
args = []
[[launch]]
kernel = \"saxpy\"
grid = [1, 70000, 1]
block = [2048, 1, 1]
shared_bytes = 1000000
args = [{ i32 = 1 }, { null = true }, { null = true }, { f32 = 1.0 }]
[[launch]]
kernel = \"nobody\"
grid = [1, 1, 1]
block = [1, 1, 1]
args = []
";
    std::fs::write(jobs.path("many.toml"), job).unwrap();
    let ran = jobs.run("many.toml --device simt --dry-run --json run.json");
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    let reported: Vec<&str> = ran.stdout.lines().skip(2).collect();
    let (first, rest) = reported.split_at(3);
    assert_eq!(first[0], "launch of first, grid [1, 1, 1], block [1, 1, 1]: refused");
    assert!(first[1].starts_with(&format!("  saxpy.ptx:{}:5: ", line(3))), "{first:?}");
    assert!(first[2].starts_with(&format!("  saxpy.ptx:{}:5: ", line(7))), "{first:?}");
    assert_eq!(rest[0], "launch of saxpy, grid [1, 70000, 1], block [2048, 1, 1]: refused");
    for (reported, words) in rest[1..].iter().zip([
        "argument 1 is an i32",
        "argument 4 is an f32",
        "grid [1, 70000, 1]",
        "1000000 bytes",
    ]) {
        assert!(reported.starts_with("  many.toml:7: ") && reported.contains(words), "{words}: {reported}");
    }
    assert_eq!(rest[5], "launch of nobody, grid [1, 1, 1], block [1, 1, 1]: refused");
    assert!(rest[6].starts_with("  many.toml:13: ") && rest[6].contains("nobody"), "{}", rest[6]);
    assert_eq!(rest[7], "other refused kernels of the module: second");
    let launches = jobs.json("run.json")["dry_run"]["launches"].clone();
    let kinds = |n: usize| {
        let reasons = launches[n]["refused"].as_array().unwrap();
        reasons.iter().map(|reason| reason["kind"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(kinds(0), ["unsupported-instruction"; 2]);
    assert_eq!(kinds(1), ["bad-arguments", "bad-arguments", "too-many-threads", "too-much-shared"]);
    assert_eq!(kinds(2), ["missing-kernel"]);
    assert_eq!(
        (&launches[0]["refused"][0]["line"], &launches[1]["refused"][0]["line"]),
        (&json!(line(3)), &json!(7))
    );
}

#[test]
fn a_dry_run_needs_no_launch_and_no_job() {
    let jobs = Jobs::new();
    let text = std::fs::read_to_string(jobs.path("saxpy.ptx")).unwrap();
    std::fs::write(jobs.path("alone.toml"), "module = \"saxpy.ptx\"\n").unwrap();
    for job in ["alone.toml", "saxpy.ptx"] {
        let ran = jobs.run(&format!("{job} --device simt --dry-run"));
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{job}");
        assert!(
            ran.stdout.ends_with("kernels of the module:\n  saxpy\nno kernel of the module is refused\n"),
            "{}",
            ran.stdout
        );
    }
    std::fs::write(jobs.path("saxpy.ptx"), format!("{text}{REFUSED}")).unwrap();
    for job in ["alone.toml", "saxpy.ptx"] {
        let ran = jobs.run(&format!("{job} --device simt --dry-run --json run.json"));
        assert_eq!(ran.code, 2, "{job}: what is asked for is the module");
        let listed = "kernels of the module:\n  saxpy\n  first\n  second\nrefused kernels of the module: first, second\n";
        assert!(ran.stdout.contains(listed), "{}", ran.stdout);
        assert_eq!(jobs.json("run.json")["dry_run"]["kernels"], json!(["saxpy", "first", "second"]));
        assert_eq!(jobs.json("run.json")["dry_run"]["refusals"].as_array().unwrap().len(), 2);
    }
    // Without --dry-run nothing would run.
    for job in ["alone.toml", "saxpy.ptx", "none.ptx"] {
        let ran = jobs.run(&format!("{job} --device simt"));
        assert_eq!(ran.code, 2, "{job}");
    }
    assert!(jobs.run("none.ptx --device simt --dry-run").stderr.contains("none.ptx"));
    // Of kernels that do not compile nothing is known.
    std::fs::write(jobs.path("wrong.cu"), "__global__ void k(int *p) { p[0] = q; }\n").unwrap();
    let ran = jobs.run("wrong.cu --device simt --dry-run");
    assert_eq!(ran.code, 2);
    assert!(ran.stdout.ends_with("no kernel was checked\n"), "{}", ran.stdout);
}

#[test]
fn a_profile_is_in_the_json_and_the_machine_s_times_are_apart() {
    let jobs = Jobs::new();
    let run = |flags: &str| {
        let ran = jobs.run(&format!("saxpy.toml --device simt --json run.json {flags}"));
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        (jobs.json("run.json"), ran.stdout)
    };
    let (mut first, text) = run("--profile");
    let (mut second, _) = run("--profile");
    let mix = first["launches"][0]["instruction_mix"].as_object().unwrap();
    let all: u64 = mix.values().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(Some(all), first["launches"][0]["counters"]["warp_instructions"].as_u64());
    assert!(mix["load, global"].as_u64() > Some(0) && mix["FP32"].as_u64() > Some(0), "{mix:?}");
    let host = &first["host_time_ms"];
    assert_eq!(host["launches"].as_array().unwrap().len(), 2);
    let sum = |times: &Value, key: &str| {
        times
            .as_array()
            .unwrap()
            .iter()
            .map(|t| if key.is_empty() { t } else { &t[key] }.as_f64().unwrap())
            .sum::<f64>()
    };
    let (launches, lines) = (sum(&host["launches"], ""), sum(&host["lines_estimated"], "ms"));
    assert!((launches - lines).abs() < 1e-3 * launches, "{launches} {lines}");
    assert!(text.contains("running, by source line, estimated from counts"), "{text}");
    // Without the machine's times, two runs are the same.
    for run in [&mut first, &mut second] {
        run.as_object_mut().unwrap().remove("host_time_ms").unwrap();
    }
    assert_eq!(first, second);
    let (plain, _) = run("");
    assert!(plain["host_time_ms"].is_null() && plain["launches"][0]["instruction_mix"].is_null());
}

#[test]
fn a_fault_in_shared_memory_names_the_element_as_the_source_writes_it() {
    let jobs = Jobs::new();
    let kernel = |body: &str| {
        format!(
            "__global__ void k(float *out) {{ __shared__ float tile[4][17]; int x = threadIdx.x % 16, y = threadIdx.x / 16; {body} }}"
        )
    };
    let job = "module = \"k.cu\"\nbuffer = [{ name = \"out\", type = \"f32\", len = 64 }]\n\
               launch = [{ kernel = \"k\", grid = [1, 1, 1], block = [64, 1, 1], args = [{ buffer = \"out\" }] }]\n";
    std::fs::write(jobs.path("k.toml"), job).unwrap();
    for (body, kind, element) in [
        ("tile[y][x] = x; out[threadIdx.x] = tile[3 - y][x];", "shared-race", "tile[2][0]"),
        (
            "if (x < 8) tile[y][x] = x; __syncthreads(); out[threadIdx.x] = tile[3 - y][x];",
            "uninitialised-read",
            "tile[3][8]",
        ),
        (
            "tile[threadIdx.x / 8][x % 8] = x; __syncthreads(); out[threadIdx.x] = tile[0][0];",
            "out-of-bounds-shared",
            "tile[4][0]",
        ),
    ] {
        std::fs::write(jobs.path("k.cu"), kernel(body)).unwrap();
        for line in ["k.toml --device simt", "k.toml --device simt --keep-going"] {
            let ran = jobs.run(line);
            assert_eq!(ran.code, 3, "{}", ran.stderr);
            assert!(ran.stderr.contains(&format!("launch: {kind}")), "{kind}: {}", ran.stderr);
            assert!(ran.stderr.contains(&format!(", `{element}`\n")), "{element}: {}", ran.stderr);
        }
    }
}

#[test]
fn a_source_is_compiled_for_the_chip_that_is_modelled_unless_options_say_otherwise() {
    let jobs = Jobs::new();
    std::fs::write(jobs.path("arch.cu"), "__global__ void k(int *p) { p[0] = __CUDA_ARCH__; p[1] = N; }\n")
        .unwrap();
    let job = |options: &str| {
        let text = format!(
            "module = \"arch.cu\"\n{options}\nbuffer = [{{ name = \"p\", type = \"i32\", len = 2 }}]\n\
             launch = [{{ kernel = \"k\", grid = [1, 1, 1], block = [1, 1, 1], args = [{{ buffer = \"p\" }}] }}]\n\
             output = [{{ buffer = \"p\" }}]\n"
        );
        std::fs::write(jobs.path("arch.toml"), text).unwrap();
    };
    let values = |line: &str| {
        let ran = jobs.run(&format!("arch.toml --device simt --out out {line}"));
        let bytes = std::fs::read(jobs.path("out/p.bin")).unwrap_or_default();
        let values: Vec<i32> =
            bytes.chunks(4).map(|word| i32::from_le_bytes(word.try_into().unwrap())).collect();
        (values, ran)
    };
    job("");
    assert_eq!(values("-DN=1").0, [900, 1]);
    assert_eq!(values("-DN=2 --arch a100").0, [800, 2]);
    assert_eq!(values("-DN=3 -arch=sm_70").0, [700, 3]);
    job("options = \"-DN=4 --gpu-architecture=compute_75\"");
    assert_eq!(values("").0, [750, 4]);
    assert_eq!(values("-arch=compute_86").0, [860, 4]);
    job("options = \"-O7\"");
    let (_, ran) = values("");
    assert!(
        ran.code == 2 && ran.stderr.contains("arch.toml:2: options: the option `-O7` is not known"),
        "{}",
        ran.stderr
    );
    let needs = "__global__ void k(unsigned *p) { p[0] = __reduce_add_sync(-1u, p[0]); }\n";
    std::fs::write(jobs.path("arch.cu"), needs).unwrap();
    job("options = \"-arch=sm_70\"");
    let (_, ran) = values("");
    assert!(ran.code == 2 && ran.stderr.contains("80"), "{}", ran.stderr);
}

#[test]
fn an_instance_is_found_by_any_name_that_the_source_may_call_it() {
    let jobs = Jobs::new();
    let source = "#define WORD unsigned\nconst int BLOCK = 4;\ntemplate <typename T, int N> __global__ void scale(T *p) { p[0] = N; }\n";
    std::fs::write(jobs.path("scale.cu"), source).unwrap();
    for name in ["scale<WORD, BLOCK>", "scale<uint32_t, 2 * 2>", "scale<unsigned int, 4>"] {
        let job = format!(
            "module = \"scale.cu\"\nbuffer = [{{ name = \"p\", type = \"u32\", len = 1, init = {{ fill = 0 }} }}]\n\
             launch = [{{ kernel = \"{name}\", grid = [1, 1, 1], block = [1, 1, 1], args = [{{ buffer = \"p\" }}] }}]\n"
        );
        std::fs::write(jobs.path("scale.toml"), job).unwrap();
        let ran = jobs.run("scale.toml --device simt");
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{name}");
    }
}
