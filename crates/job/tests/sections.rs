//! What a job file can say in addition to plain launches: types, structs, null, parts, steps, repeats, NumPy files and names of
//! the source; and what is refused of it.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use device::Embedded;
use job::{Error, Expected, Job, Report, Settings, run};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder with the module `parts.ptx`.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sections");
    for file in ["parts.ptx", "sections.toml"] {
        std::fs::copy(from.join(file), folder.path().join(file)).unwrap();
    }
    folder
}

fn text(folder: &TempDir) -> String {
    std::fs::read_to_string(folder.path().join("sections.toml")).unwrap()
}

fn run_in(folder: &Path, text: &str, settings: &Settings) -> Result<Report, Error> {
    let expected = if settings.record.is_some() { Expected::Record } else { Expected::Compare };
    let job = Job::parse(&folder.join("job.toml"), text, expected)?;
    let report = run(&job, &mut Embedded::new("h200")?, settings, &mut |_| {});
    match report.error {
        Some(error) => Err(error),
        None => Ok(report),
    }
}

/// Runs a job and returns what it wrote, by name.
fn outputs(folder: &TempDir, text: &str) -> impl Fn(&str) -> Vec<u8> + use<> {
    let out = folder.path().join("out");
    let settings = Settings { out: Some(out.clone()), ..Settings::default() };
    run_in(folder.path(), text, &settings).unwrap();
    move |name: &str| std::fs::read(out.join(name)).unwrap()
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect()
}

/// The message of a job that cannot be used, without its folder.
fn refused(text: &str) -> String {
    let folder = folder();
    let error = run_in(folder.path(), text, &Settings::default()).expect_err(text);
    assert_eq!(error.exit_code(), 2, "{error}");
    error.to_string().replace(&format!("{}/", folder.path().display()), "")
}

/// A job with one launch of a kernel and a buffer `y`.
fn launch(kernel: &str, buffer: &str, args: &str) -> String {
    format!(
        "module = \"parts.ptx\"\n[[buffer]]\nname = \"y\"\n{buffer}\n[[launch]]\nkernel = \"{kernel}\"\n\
         grid = [1, 1, 1]\nblock = [4, 1, 1]\nargs = [{args}]\n[[output]]\nbuffer = \"y\"\n"
    )
}

#[test]
fn steps_run_in_their_order_and_parts_are_filled_copied_and_read() {
    let folder = folder();
    let out = outputs(&folder, &text(&folder));
    // Twice 2x + 0.5; then x[2] is the offset, x[1..3] is 10, and three times y[1..3] += x[0..2] + 3.
    assert_eq!(floats(&out("y.bin")), [5.0, 21.0, 52.0, 17.0]);
    assert_eq!(floats(&out("middle.bin")), [21.0, 52.0]);
    assert_eq!(out("parts__steps.bin"), 8_i32.to_le_bytes());
}

#[test]
fn runs_of_a_repeated_launch_are_reported_together() {
    let folder = folder();
    let report = run_in(folder.path(), &text(&folder), &Settings::default()).unwrap();
    let runs: Vec<u64> = report.launches.iter().map(|launch| launch.runs).collect();
    assert_eq!(runs, [2, 3]);
    let stores = |n: usize| report.launches[n].counters.map(|counters| counters.global_store_requests);
    assert_eq!((stores(0), stores(1)), (Some(2 * 2), Some(3 * 2)), "those of y and of steps");
    let text = report.to_string();
    assert!(
        text.contains("parts::scale<float>(float*, float const*, float, int)  grid 1, block 32, 2 times: "),
        "{text}"
    );
    let json = serde_json::to_value(report.json(None)).unwrap();
    assert_eq!((&json["launches"][0]["runs"], &json["launches"][1]["runs"]), (&2.into(), &3.into()));
    assert_eq!(json["launches"][0]["kernel"], "_ZN5parts5scaleIfEEvPT_PKS1_S1_i");
}

#[test]
fn a_struct_holds_a_pointer_and_null_is_a_pointer() {
    let view = "{ struct = [{ buffer = \"y\" }, { i32 = 3 }, { f64 = 2.0 }] }";
    let y = "type = \"f32\"\nvalues = [1, 2, 3, 4]";
    let job = launch("weigh", y, &format!("{view}, {{ null = true }}"));
    assert_eq!(floats(&outputs(&folder(), &job)("y.bin")), [2.0, 4.0, 6.0, 4.0]);
    let job =
        launch("parts::weigh(View, float const*)", y, &format!("{view}, {{ buffer = \"y\", offset = 0 }}"));
    assert_eq!(floats(&outputs(&folder(), &job)("y.bin")), [3.0, 6.0, 9.0, 4.0]);
}

#[test]
fn vectors_are_elements_and_arguments() {
    let y = "type = \"f32x4\"\nvalues = [[1, 2, 3, 4], [5, 6, 7, 8], [0, 0, 0, 0], [9, 9, 9, 9]]";
    let job = launch("shift", y, "{ buffer = \"y\" }, { f32x4 = [10, 20, 30, 0.5] }");
    let found = floats(&outputs(&folder(), &job)("y.bin"));
    assert_eq!(found[..8], [11.0, 22.0, 33.0, 4.5, 15.0, 26.0, 37.0, 8.5]);
}

#[test]
fn halves_and_bfloats_are_compared_with_tolerances() {
    let folder = folder();
    let bits = |all: &[u16]| all.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>();
    // 2·1 + 0.5, and 2·2 + 0.5 but for a unit in the last place; 2·1.5, and what the launch leaves.
    std::fs::write(folder.path().join("h.bin"), bits(&[0x4100, 0x4481])).unwrap();
    std::fs::write(folder.path().join("b.bin"), bits(&[0x4040, 0x4040])).unwrap();
    let matches = |rtol: &str| {
        let job = format!(
            r#"
            module = "parts.ptx"
            buffer = [
                {{ name = "h", type = "f16x2", values = [[1, 2]] }},
                {{ name = "b", type = "bf16", values = [1.5, 3] }},
            ]
            launch = [{{ kernel = "twice", grid = [1, 1, 1], block = [1, 1, 1], args = [
                {{ buffer = "h" }}, {{ buffer = "b" }}, {{ f16 = 0.5 }},
            ] }}]
            output = [{{ buffer = "h", file = "h.bin"{rtol} }}, {{ buffer = "b", file = "b.bin" }}]
            "#
        );
        let report = run_in(folder.path(), &job, &Settings::default()).unwrap();
        let matches = report.outputs.iter().map(|o| o.compared.as_ref().is_some_and(|(_, c)| c.matches()));
        matches.collect::<Vec<_>>()
    };
    assert_eq!(matches(", rtol = 0.001"), [true, true]);
    assert_eq!(matches(""), [false, true]);
}

#[test]
fn numpy_files_go_in_and_out() {
    let folder = folder();
    let job = launch(
        "shift",
        "type = \"f32x4\"\ninit = { fill = 1 }\nlen = 4",
        "{ buffer = \"y\" }, { f32x4 = [1, 2, 3, 4] }",
    );
    let out = folder.path().join("out");
    let settings = Settings { out: Some(out.clone()), npy: true, ..Settings::default() };
    run_in(folder.path(), &job, &settings).unwrap();
    let written = std::fs::read(out.join("y.npy")).unwrap();
    assert_eq!((&written[..6], written.len()), (&b"\x93NUMPY"[..], 128 + 64));
    assert!(
        String::from_utf8_lossy(&written[..128])
            .contains("'descr': '<f4', 'fortran_order': False, 'shape': (4, 4)")
    );
    // What was written initialises another buffer, whose length it gives, and is what is expected of it.
    std::fs::copy(out.join("y.npy"), folder.path().join("y.npy")).unwrap();
    let job = launch(
        "shift",
        "type = \"f32x4\"\ninit = { file = \"y.npy\" }",
        "{ buffer = \"y\" }, { f32x4 = [0, 0, 0, 0] }",
    );
    let job = format!("{job}file = \"y.npy\"\n");
    let report = run_in(folder.path(), &job, &Settings::default()).unwrap();
    assert_eq!(report.exit_code(), 0, "{report}");
    // Recorded, the file is one of NumPy's again.
    std::fs::remove_file(folder.path().join("y.npy")).unwrap();
    let job = job.replace("init = { file = \"y.npy\" }", "len = 4\ninit = { fill = 0 }");
    let settings = Settings { record: Some(folder.path().to_owned()), ..Settings::default() };
    run_in(folder.path(), &job, &settings).unwrap();
    assert_eq!(std::fs::read(folder.path().join("y.npy")).unwrap()[..128], written[..128]);
}

#[test]
fn numpy_files_of_other_types_or_sizes_are_refused() {
    let folder = folder();
    let good = [
        &b"\x93NUMPY\x01\x00\x46\x00"[..],
        format!("{:<69}\n", "{'descr': '<f8', 'fortran_order': False, 'shape': (4,), }").as_bytes(),
        &[0; 32],
    ]
    .concat();
    let path = folder.path().join("y.npy");
    let tell = |bytes: &[u8], buffer: &str| {
        std::fs::write(&path, bytes).unwrap();
        let job = launch("shift", buffer, "");
        run_in(folder.path(), &job, &Settings::default()).unwrap_err().to_string()
    };
    for (bytes, buffer, words) in [
        (&good[..], "type = \"f32\"\ninit = { file = \"y.npy\" }", "its dtype is <f8, but f32 is <f4"),
        (
            &good[..],
            "type = \"f64\"\nlen = 3\ninit = { file = \"y.npy\" }",
            "has 32 bytes, but 3 × f64 take 24",
        ),
        (
            &good[..100],
            "type = \"f64\"\ninit = { file = \"y.npy\" }",
            "20 bytes follow its header, which announces 4 × f64",
        ),
        (&good[..9], "type = \"f64\"\ninit = { file = \"y.npy\" }", "is truncated"),
        (b"raw data", "type = \"f64\"\ninit = { file = \"y.npy\" }", "it is not a .npy file"),
    ] {
        let reported = tell(bytes, buffer);
        assert!(reported.contains(words), "{words}: {reported}");
    }
}

#[test]
fn an_argument_that_its_parameter_contradicts_is_refused() {
    let y = "type = \"f32\"\nlen = 4";
    let view = |members: &str| format!("{{ struct = [{members}] }}, {{ null = true }}");
    for (kernel, args, words) in [
        (
            "scale<float>",
            "{ buffer = \"y\" }, { buffer = \"y\" }, { f32 = 1 }, { f32 = 4 }".to_owned(),
            "argument 4 is an f32 of 4 bytes, but parameter 4 is an `int` or `unsigned`: pass an i32 or u32",
        ),
        (
            "scale<float>",
            "{ buffer = \"y\" }, { buffer = \"y\" }, { i32 = 1 }, { i32 = 4 }".to_owned(),
            "argument 3 is an i32 of 4 bytes",
        ),
        (
            "scale<float>",
            "{ f64 = 0 }, { buffer = \"y\" }, { f32 = 1 }, { i32 = 4 }".to_owned(),
            "argument 1 is an f64, but the parameter is `float *`: pass a buffer or a null pointer",
        ),
        (
            "scale<double>",
            "{ buffer = \"y\" }, { buffer = \"y\" }, { null = true }, { i32 = 4 }".to_owned(),
            "argument 3 is a null pointer of 8 bytes",
        ),
        (
            "scale<float>",
            "{ buffer = \"y\" }".to_owned(),
            "1 argument for 4 parameters: a pointer or a `long long`; a pointer or a `long long`; a `float`; an `int` or `unsigned`",
        ),
        ("weigh", view("{ buffer = \"y\" }, { i32 = 3 }"), "is a struct of 16 bytes, but parameter"),
        (
            "shift",
            "{ buffer = \"y\" }, { f32x3 = [1, 2, 3] }".to_owned(),
            "argument 2 is an f32x3, but the parameter is `float4`: pass an f32x4",
        ),
    ] {
        let reported = refused(&launch(kernel, y, &args));
        assert!(reported.contains(words), "{words}\n{reported}");
    }
}

#[test]
fn a_symbol_takes_no_values_of_another_kind() {
    let job = |symbol: &str| {
        format!(
            "{}{symbol}",
            launch("shift", "type = \"f32x4\"\nlen = 4", "{ buffer = \"y\" }, { f32x4 = [1, 2, 3, 4] }")
        )
    };
    let reported = refused(&job("[[symbol]]\nname = \"offset\"\ntype = \"i32\"\nvalues = [1]"));
    assert!(reported.contains("symbol `parts::offset`: the variable is a `float`, or an array of such, which cannot be given values of i32"), "{reported}");
    let reported = refused(&job("[[symbol]]\nname = \"steps\"\ntype = \"f32\"\nvalues = [1]"));
    assert!(
        reported.contains(
            "the variable is an `int` or `unsigned`, or an array of such, which cannot be given values of f32"
        ),
        "{reported}"
    );
    let reported = refused(&job("[[symbol]]\nname = \"step\"\ntype = \"i32\"\nvalues = [1]"));
    assert!(reported.contains("it has: parts::offset, parts::steps"), "{reported}");
}

#[test]
fn a_name_that_several_kernels_have_is_reported_with_them() {
    let reported = refused(&launch("scale", "type = \"f32\"\nlen = 4", ""));
    for part in [
        "job.toml:6: kernel `scale` is ambiguous; write one of",
        "  parts::scale<float>(float*, float const*, float, int)",
        "  parts::scale<double>(double*, double const*, double, int)",
    ] {
        assert!(reported.contains(part), "{reported}");
    }
    let reported = refused(&launch("scale<int>", "type = \"f32\"\nlen = 4", ""));
    assert!(
        reported.contains("no kernel `scale<int>`") && reported.contains("parts::shift(float4*, float4)"),
        "{reported}"
    );
}

/// A change to the job of the folder, and the words with which it is refused.
type Change = (&'static str, &'static str, &'static str);

/// Changes of its buffers' contents.
fn contents() -> Vec<Change> {
    vec![
        (
            "values = [1.0, 2.0, 3.0, 4.0]",
            "values = [1.0]\nlen = 2",
            "buffer `x`: values: found 1, but len is 2",
        ),
        ("values = [1.0, 2.0, 3.0, 4.0]", "values = []", "it would be empty"),
        (
            "values = [1.0, 2.0, 3.0, 4.0]",
            "values = [1.0, \"2\"]",
            "values: number 1: expected a number, found the string \"2\"",
        ),
        ("values = [1.0, 2.0, 3.0, 4.0]", "values = [1.0, [2.0]]", "found a list of 1"),
        (
            "values = [1.0, 2.0, 3.0, 4.0]",
            "values = [1.0]\ninit = { fill = 1 }",
            "values and init are both given",
        ),
        (
            "values = [1.0, 2.0, 3.0, 4.0]",
            "",
            "missing len: the number of elements, unless values or a .npy file give it",
        ),
    ]
}

/// Changes of its fill.
fn fills() -> Vec<Change> {
    const FILL: &str = "fill = { buffer = \"x\", value = 10, offset = 4, len = 2 }";
    vec![
        (
            FILL,
            "fill = { buffer = \"x\", value = 10, offset = 16 }",
            "fill: offset: 16 is past the end of `x`",
        ),
        (FILL, "fill = { buffer = \"x\", value = 10, offset = 2 }", "offset: 2 is inside an element"),
        (
            FILL,
            "fill = { buffer = \"x\", value = 10, len = 5 }",
            "fill: len: 20 bytes from byte 0 on are not inside `x`",
        ),
        (FILL, "fill = { buffer = \"x\", value = 10, len = 0 }", "fill: len: expected at least 1 element"),
        (
            FILL,
            "fill = { buffer = \"x\", value = 10, len = 9223372036854775807 }",
            "more than any memory holds",
        ),
        (FILL, "fill = { buffer = \"x\", value = 10, type = \"f32\" }", "fill: type: a buffer has its own"),
        (FILL, "fill = { buffer = \"x\", value = 1e40 }", "fill: value: 1e40 is more than an f32 can hold"),
        (FILL, "fill = { buffer = \"x\" }", "missing field `value`"),
        (FILL, "fill = { buffer = \"z\", value = 1 }", "fill: there is no buffer `z`; there are: x, y"),
        (FILL, "fill = { value = 1 }", "fill: expected either buffer or symbol"),
        (FILL, "fill = { symbol = \"steps\", value = 1 }", "fill: a symbol needs a type"),
        (
            FILL,
            "fill = { symbol = \"steps\", type = \"f32\", value = 1 }",
            "the variable is an `int` or `unsigned`, or an array of such, which cannot be given values of f32",
        ),
        (FILL, "fill = { symbol = \"steps\", type = \"u32\", value = 1, offset = 4 }", "is past the end of"),
        (
            FILL,
            "fill = { symbol = \"steps\", type = \"u32\", value = 1, len = 2 }",
            "are not inside of its 4 bytes",
        ),
        (
            FILL,
            "fill = { symbol = \"none\", type = \"u32\", value = 1 }",
            "no constant or global variable `none`",
        ),
    ]
}

/// Changes of its copy.
fn copies() -> Vec<Change> {
    const COPY: &str =
        "copy = { from = { buffer = \"x\", offset = 8 }, to = { symbol = \"offset\" }, len = 1 }";
    vec![
        (
            COPY,
            "copy = { from = { buffer = \"x\" }, to = { buffer = \"x\", offset = 4 }, len = 3 }",
            "of the same buffer overlap",
        ),
        (
            COPY,
            "copy = { from = { buffer = \"x\" }, to = { buffer = \"y\" }, len = 5 }",
            "copy: from: len: 20 bytes",
        ),
        (
            COPY,
            "copy = { from = { buffer = \"x\" }, to = { buffer = \"y\", offset = 4 } }",
            "copy: to: len: 16 bytes from byte 4 on",
        ),
        (
            COPY,
            "copy = { from = { buffer = \"x\" }, to = { symbol = \"offset\" } }",
            "bytes 0..16 are not inside of its 4 bytes",
        ),
        (
            COPY,
            "copy = { from = { symbol = \"steps\" }, to = { symbol = \"offset\" } }",
            "go through a buffer",
        ),
        (COPY, "copy = { from = { buffer = \"x\" } }", "missing field `to`"),
        (COPY, "", "step: expected one of launch, fill, copy, or repeat with steps"),
        (
            COPY,
            "copy = { from = { buffer = \"x\" }, to = { buffer = \"y\" } }\nfill = { buffer = \"x\", value = 1 }",
            "step: expected one of",
        ),
    ]
}

/// Changes of its steps and outputs.
fn steps_and_outputs() -> Vec<Change> {
    const LAUNCH: &str = "repeat = 2\n";
    vec![
        (LAUNCH, "repeat = 0\n", "repeat: expected at least 1"),
        (LAUNCH, "repeat = 1000001\n", "at most 1000000 are allowed"),
        ("repeat = 3", "repeat = 9223372036854775807", "steps would run, but at most 1000000 are allowed"),
        ("repeat = 3", "", "step: expected one of launch"),
        (
            "[[symbol]]",
            "[[launch]]\nkernel = \"twice\"\ngrid = [1, 1, 1]\nblock = [1, 1, 1]\n[[symbol]]",
            "[[launch]] and [[step]] cannot be mixed",
        ),
        (
            "offset = 4\nlen = 2",
            "offset = 4\nlen = 4",
            "output `middle`: len: 16 bytes from byte 4 on are not inside `y`",
        ),
        ("name = \"middle\"\n", "", "another output has the same name; give it one with name"),
        ("name = \"middle\"", "name = \"../middle\"", "output: name: \"../middle\" cannot name a file"),
        (
            "symbol = \"parts::steps\"\ntype = \"i32\"",
            "symbol = \"parts::steps\"\nlen = 1",
            "len: elements need a type",
        ),
        (
            "symbol = \"parts::steps\"\ntype = \"i32\"",
            "symbol = \"parts::steps\"\ntype = \"i32\"\nlen = 2",
            "len: 8 bytes from byte 0 on are not inside its 4 bytes",
        ),
    ]
}

/// Changes of a launch's arguments.
fn arguments() -> Vec<Change> {
    vec![
        ("{ f32 = 2.0 }", "{ null = false }", "argument 3: a null pointer is written { null = true }"),
        ("{ f32 = 2.0 }", "{ struct = [] }", "argument 3: struct: it has no members"),
        ("{ f32 = 2.0 }", "{ struct = 1 }", "argument 3: struct: expected a list of its members, found 1"),
        (
            "{ f32 = 2.0 }",
            "{ struct = [{ i32 = 1 }, { i32 = 1.5 }] }",
            "struct: member 2: 1.5 is not an integer, as i32 needs",
        ),
        ("{ f32 = 2.0 }", "{ i32 = nan }", "argument 3: NaN is not an integer, as i32 needs"),
        ("{ f32 = 2.0 }", "{ f32 = \"nan\" }", "expected a number, found the string \"nan\""),
        ("{ f32 = 2.0 }", "{ e4m3 = 500 }", "argument 3: 500 is more than an e4m3 can hold"),
        ("{ f32 = 2.0 }", "{ f32x2 = [1] }", "expected a list of 2 numbers for f32x2, found a list of 1"),
        ("{ f32 = 2.0 }", "{ f32x9 = [1] }", "unknown argument type `f32x9`"),
        ("{ f32 = 2.0 }", "{ bool = 1 }", "expected true or false, found 1"),
        ("{ f32 = 2.0 }", "{ f32 = 2.0, offset = 1 }", "offset is only for a buffer"),
        (
            "{ buffer = \"x\" }, { f32",
            "{ buffer = \"x\", offset = -1 }, { f32",
            "offset: expected a number of bytes, found -1",
        ),
        ("{ buffer = \"x\" }, { f32", "{ buffer = 1 }, { f32", "expected a string, found 1"),
    ]
}

#[test]
fn what_cannot_be_meant_is_refused_with_its_line() {
    let good = text(&folder());
    let changes = [contents(), fills(), copies(), steps_and_outputs(), arguments()];
    for (from, to, words) in changes.into_iter().flatten() {
        assert!(good.contains(from), "the job has no {from}");
        let reported = refused(&good.replacen(from, to, 1));
        assert!(
            reported.contains(words) && reported.contains("job.toml"),
            "{to}\n  wanted: {words}\n  reported: {reported}"
        );
    }
}

#[test]
fn a_path_of_the_job_is_reported_as_it_is() {
    let folder = folder();
    let error = run_in(folder.path(), "module = \"none.ptx\"", &Settings::default()).unwrap_err();
    let path: PathBuf = folder.path().join("job.toml");
    assert!(error.to_string().starts_with(&format!("{}:1: module: ", path.display())), "{error}");
}

/// A job whose kernel doubles the even elements of `x` into `y`, with more lines for its output.
fn evens(more: &str) -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let source = "__global__ void evens(const float *x, float *y, int n) {\n\
                  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);\nif (i < n) y[i] = 2 * x[i];\n}\n";
    std::fs::write(folder.path().join("evens.cu"), source).unwrap();
    let text = format!(
        "module = \"evens.cu\"\n\
         buffer = [{{ name = \"x\", type = \"f32\", values = [1, 2, 3] }}, {{ name = \"y\", type = \"f32\", len = 3 }}]\n\
         launch = [{{ kernel = \"evens\", grid = 1, block = [32], args = [{{ buffer = \"x\" }}, {{ buffer = \"y\" }}, {{ i32 = 3 }}] }}]\n\
         [[output]]\nbuffer = \"y\"\n{more}\n"
    );
    (folder, text)
}

#[test]
fn an_output_is_compared_with_values_or_a_buffer_and_shows_its_first_elements() {
    let code = |more: &str| {
        let (folder, text) = evens(more);
        let report = run_in(folder.path(), &text, &Settings::default()).unwrap();
        (report.exit_code(), report.to_string())
    };
    let (passed, text) = code("");
    assert_eq!(passed, 0, "{text}");
    assert!(text.contains("output y: 12 B, 3 × f32: 2.0 ") && text.contains(" 6.0\n"), "{text}");
    let (passed, text) = code("values = [2, 0, 6]\natol = 1e38");
    assert!(passed == 0 && text.contains("matches its values"), "{text}");
    let (passed, text) = code("len = 1\nvalues = [3]");
    assert!(passed == 1 && text.contains("differs from its values"), "{text}");
    let (passed, text) = code("equals = \"x\"");
    assert!(passed == 1 && text.contains("differs from x"), "{text}");
    let wrong = |more: &str| {
        let (folder, text) = evens(more);
        run_in(folder.path(), &text, &Settings::default()).unwrap_err().to_string()
    };
    assert!(wrong("values = [1, 2]").contains("it has 3 × f32, but what it must equal has 2"));
    assert!(wrong("equals = \"z\"").contains("there is no buffer `z`"));
    assert!(wrong("equals = \"x\"\nvalues = [1]").contains("one of file, values and equals"));
    assert!(wrong("file = \"none.bin\"").contains("`--record .` writes it"));
}

#[test]
fn elements_that_nothing_has_written_are_reported_where_that_is_asked_for() {
    let reported = |more: &str, unwritten: bool, checks: bool| {
        let (folder, text) = evens(more);
        let job = Job::parse(&folder.path().join("job.toml"), &text, Expected::Compare).unwrap();
        let mut device = Embedded::new("h200").unwrap();
        device.options().checks = device::Checks::all_or_none(checks);
        let settings = Settings { unwritten, keeps_account: checks, ..Settings::default() };
        let report = run(&job, &mut device, &settings, &mut |_| {});
        (report.exit_code(), report.to_string())
    };
    let words = "output y: nothing has written 1 of 3 × f32, the first at index 1\n";
    let (code, text) = reported("", true, true);
    assert!(code == 0 && text.contains(words), "{text}");
    let (code, text) = reported("written = true", false, true);
    assert!(code == 1 && text.contains(words), "{text}");
    let (code, text) = reported("len = 1\nwritten = true", false, true);
    assert!(code == 0 && text.contains("all of 1 × f32 are written"), "{text}");
    let (code, text) = reported("written = true", false, false);
    assert!(code == 0 && text.contains("it is not known whether all of it is written"), "{text}");
}
