//! Requests and their responses, as a page makes them.

use serde_json::{Value, json};
use web::Session;

const TEXT: &str = "\
__constant__ float table[32];
extern \"C\" __global__ void k(const int *at, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = table[at[i]] * 2.0f;
}
";

fn ask(session: &mut Session, request: &Value) -> Value {
    serde_json::from_str(&session.respond(&request.to_string())).expect("JSON")
}

fn live() -> Value {
    json!({
        "name": "table",
        "title": "A table",
        "file": "ch5-5/table.cu",
        "parameters": [{ "name": "k", "title": "distinct addresses", "value": 1, "from": 1, "to": 32 }],
        "buffers": [
            { "name": "at", "type": "i32", "len": 64, "init": { "each": "i % k" } },
            { "name": "values", "type": "f32", "len": 32, "init": { "each": "i" }, "symbol": "table" },
            { "name": "out", "type": "f32", "len": 64 }
        ],
        "steps": [{ "launch": { "kernel": "k", "grid": [1], "block": [64], "args": ["at", "out", "int 64"] } }],
        "show": ["out", { "buffer": "out", "plot": true }]
    })
}

fn run(session: &mut Session, text: &str, parameters: Value) -> Value {
    ask(
        session,
        &json!({
            "do": "run", "live": live(), "parameters": parameters, "language": "cuda", "text": text, "original": TEXT
        }),
    )
}

fn counter<'r>(of: &'r Value, name: &str) -> &'r Value {
    let all = of["counters"].as_array().expect("counters");
    all.iter().find(|row| row["name"] == name).unwrap_or(&Value::Null)
}

#[test]
fn a_run_reports_outputs_counters_and_lines() {
    let done = run(&mut Session::default(), TEXT, json!({ "k": 4 }));
    assert_eq!((&done["ok"], &done["outcome"]), (&json!(true), &json!("done")), "{done}");
    assert_eq!(done["outputs"][0]["head"].as_array().map(Vec::len), Some(64));
    assert_eq!(done["outputs"][0]["head"][7], "6");
    assert!(done["outputs"][1]["plot"].as_str().is_some_and(|svg| svg.starts_with("<svg")));
    assert_eq!(counter(&done, "const_replays")["value"], 6);
    assert_eq!(counter(&done, "const_replays")["before"], 6);
    assert_eq!(done["verdict"]["same"], true);
    let line = &done["lines"][0];
    assert_eq!((&line["line"], &line["accesses"]), (&json!(4), &json!(true)));
    assert_eq!(counter(line, "global_load_sectors")["value"], 8);
    assert_eq!(done["instructions"], counter(&done, "thread_instructions")["value"]);
}

#[test]
fn an_edited_text_is_reported_next_to_the_original() {
    let mut session = Session::default();
    let edited = TEXT.replace("    if (i", "    // another line\n    if (i").replace("2.0f", "3.0f");
    for text in [&edited.replace("at[i]]", "0]"), &edited] {
        let done = run(&mut session, text, json!({ "k": 4 }));
        assert_eq!(done["verdict"]["same"], false, "{done}");
        assert_eq!(done["verdict"]["first"][0]["was"], "2", "{done}");
    }
    let done = run(&mut session, &edited, json!({ "k": 4 }));
    assert_eq!(done["verdict"]["first"][0], json!({ "buffer": "out", "index": [1], "is": "3", "was": "2" }));
    let line = &done["lines"][0];
    assert_eq!((&line["line"], &counter(line, "const_replays")["before"]), (&json!(5), &Value::Null));
    let more = ask(&mut session, &json!({ "do": "output", "buffer": "out", "from": 62, "count": 9 }));
    assert_eq!(more["values"], json!(["6", "9"]), "{more}");
}

#[test]
fn a_fault_is_reported_with_its_line_and_its_threads() {
    let mut session = Session::default();
    let outside = run(&mut session, &TEXT.replace("out[i] =", "out[i + 1] ="), json!({}));
    assert_eq!(outside["outcome"], "fault");
    assert_eq!(outside["fault"]["kind"], "out-of-bounds-global", "{outside}");
    assert_eq!(
        outside["fault"]["places"],
        json!([{ "line": 4, "what": "thread (63,0,0) of block (0,0,0)" }])
    );
    assert_eq!(outside["messages"][0]["line"], 4);
    assert!(outside["fault"]["message"].as_str().is_some_and(|words| words.contains("`out[64]` is written")));
    let racing = TEXT.replace(
        "    if (i < n)",
        "    __shared__ int s[64];\n    s[i] = i;\n    if (s[63 - i] < 0) return;\n    if (i < n)",
    );
    let raced = run(&mut session, &racing, json!({}));
    assert_eq!(raced["fault"]["kind"], "shared-race", "{raced}");
    let places = raced["fault"]["places"].as_array().expect("places");
    assert_eq!(places.iter().map(|place| &place["line"]).collect::<Vec<_>>(), [5, 6]);
}

#[test]
fn what_kernels_have_printed_until_a_fault_is_reported_next_to_it() {
    // The second launch faults in its last thread; the warp that it is in prints no more.
    let text = TEXT
        .replace("    if (i < n)", "    if (i == 7) printf(\"before %d\\n\", n);\n    if (i < n)")
        .replace("out[i] =", "out[i + n - 63] =")
        .replace("2.0f;\n", "2.0f;\n    if (i == 40) printf(\"after %d\\n\", n);\n");
    let mut live = live();
    let launch = |n: u32| json!({ "launch": { "kernel": "k", "grid": [1], "block": [64], "args": ["at", "out", format!("int {n}")] } });
    live["steps"] = json!([launch(63), launch(64), launch(62)]);
    let request = json!({ "do": "run", "live": live, "parameters": {}, "language": "cuda", "text": text, "original": TEXT });
    let reported = ask(&mut Session::default(), &request);
    assert_eq!(reported["fault"]["kind"], "out-of-bounds-global", "{reported}");
    assert_eq!(reported["printed"], "before 63\nafter 63\nbefore 64\n", "{reported}");
}

#[test]
fn what_cannot_be_launched_is_refused_and_no_fault() {
    let template = TEXT.replace("extern \"C\"", "template <typename T>").replace("float *out", "T *out");
    for (text, why) in [
        ("__constant__ float table[32]; what is this", "no kernel named `k`; the source has: none"),
        (&template, "no kernel named `k`; the source has: none"),
        (
            &TEXT.replace(", int n", "").replace("i < n", "i < 64"),
            "`k` has 2 parameters, but is given 3: `int *`, `float *`, `int`",
        ),
        (
            &TEXT.replace("float *out", "double *out"),
            "parameter 2 of `k` is `double *`, but is given `float *`",
        ),
    ] {
        let reported = run(&mut Session::default(), text, json!({}));
        assert_eq!(
            (&reported["outcome"], &reported["fault"]["message"]),
            (&json!("refused"), &json!(why)),
            "{reported}"
        );
        let helps = reported["messages"][0]["help"].as_str().is_some_and(|help| help.contains("k<float, 4>"));
        assert_eq!(helps, text.contains("template"), "{reported}");
    }
}

#[test]
fn a_loop_without_end_ends_with_the_budget() {
    let mut session = Session::default();
    let endless = TEXT.replace("    if (i", "    while (at[0] < n) n += i - i / 2;\n    if (i");
    let ended = run(&mut session, &endless, json!({}));
    assert!(["budget", "fault"].contains(&ended["outcome"].as_str().expect("text")), "{ended}");
    assert_eq!(ended["fault"]["kind"], "infinite-loop");
    let long = TEXT.replace("    if (i", "    for (int j = 0; j < 1000000; j++) n ^= j * n;\n    if (i");
    let ended = ask(&mut session, &json!({ "do": "run", "live": live(), "text": long, "budget": 100_000 }));
    assert_eq!((&ended["outcome"], &ended["spent"]), (&json!("budget"), &json!("block")), "{ended}");
    let mut many = live();
    many["steps"][0]["launch"]["grid"] = json!([100_000]);
    let ended = ask(&mut session, &json!({ "do": "run", "live": many, "text": TEXT, "budget": 1_000_000 }));
    assert_eq!((&ended["outcome"], &ended["spent"]), (&json!("budget"), &json!("launch")), "{ended}");
}

#[test]
fn what_does_not_compile_is_reported_at_its_place() {
    let mut session = Session::default();
    let broken = TEXT.replace("    if (i < n)", "    /* 😀 */ if (j < n)");
    let reported = run(&mut session, &broken, json!({}));
    assert_eq!(reported["outcome"], "compile");
    let message = &reported["messages"][0];
    assert_eq!(
        (&message["line"], &message["column"], &message["endColumn"]),
        (&json!(4), &json!(18), &json!(19))
    );
    let reported =
        ask(&mut session, &json!({ "do": "compile", "name": "x.cu", "text": TEXT, "language": "cuda" }));
    assert_eq!(reported["compiled"], true);
    assert_eq!(
        reported["kernels"],
        json!([{ "name": "k", "parameters": ["const int *at", "float *out", "int n"] }])
    );
}

#[test]
fn any_kernel_runs_on_buffers_of_the_reader_s_own() {
    let mut session = Session::default();
    let text = "__constant__ float factor;\n__global__ void sum(const float *a, float *out, float by) {\n    out[threadIdx.x] = a[threadIdx.x] * by + factor;\n}\n";
    let request = json!({
        "do": "any", "text": text, "language": "cuda",
        "buffers": [
            { "name": "a", "type": "f32", "length": 32, "init": [1, 2.5] },
            { "name": "out", "type": "f32", "length": 33, "init": "poison" },
            { "name": "by", "type": "f32", "length": 1, "init": [3], "symbol": "factor" },
            { "name": "image", "type": "u8", "length": 8, "init": "index", "picture": { "width": 2, "height": 1 } }
        ],
        "launches": [{ "kernel": "sum", "grid": [1, 1, 1], "block": [32, 1, 1], "shared": 0, "args": ["a", "out", "float 2"] }]
    });
    let done = ask(&mut session, &request);
    assert_eq!(done["outcome"], "done", "{done}");
    assert_eq!(done["outputs"][1]["head"][1], "8");
    assert_eq!(done["outputs"][3]["picture"], json!({ "width": 2, "height": 1, "rgba": "AAECAwQFBgc=" }));
    assert_eq!(done["outputs"][1]["head"][32], "unwritten");
    assert_eq!(done["verdict"], Value::Null);
    let ptx = ask(&mut session, &json!({ "do": "compile", "text": text }))["ptx"].clone();
    let mut as_ptx = request.clone();
    (as_ptx["text"], as_ptx["language"]) = (ptx, "ptx".into());
    let same = ask(&mut session, &as_ptx);
    assert_eq!(same["outputs"], done["outputs"], "{same}");
    let mut missing = request;
    missing["launches"][0]["kernel"] = "product".into();
    let reported = ask(&mut session, &missing);
    assert_eq!(
        reported["fault"]["message"],
        "no kernel named `product`; the source has: sum(const float *, float *, float)"
    );
}

#[test]
fn a_bad_request_is_answered() {
    let mut session = Session::default();
    for (request, said) in [
        ("", "EOF while parsing"),
        ("[]", "the request does not say what to `do`"),
        ("{\"do\":1}", "the request does not say what to `do`"),
        ("{\"do\":\"dance\"}", "there is no request `dance`"),
        ("{\"do\":\"compile\"}", "`text` is not a text"),
        (
            "{\"do\":\"compile\",\"text\":\"\",\"language\":\"C\"}",
            "`C` is not a language; there are: cuda, ptx",
        ),
        ("{\"do\":\"run\",\"live\":{}}", "`live`: missing field `name`"),
        ("{\"do\":\"output\",\"buffer\":\"a\"}", "nothing has run yet"),
        (
            "{\"do\":\"any\",\"text\":\"\",\"buffers\":[],\"launches\":[]}",
            "live kernel `any`: it launches nothing",
        ),
    ] {
        let response: Value = serde_json::from_str(&session.respond(request)).expect("JSON");
        assert_eq!(response["ok"], false);
        assert!(response["error"].as_str().is_some_and(|error| error.starts_with(said)), "{response}");
    }
    let mut large = live();
    large["buffers"][0]["len"] = (1 << 28).into();
    let large = ask(&mut session, &json!({ "do": "run", "live": large, "text": TEXT }));
    assert_eq!(large["error"], "the buffers have more than 16777216 elements in all");
    let over = run(&mut session, TEXT, json!({ "k": 33 }));
    assert_eq!(over["error"], "`k` must be a whole number from 1 to 32");
}

#[test]
fn a_shape_of_the_reader_s_is_reported_next_to_the_original_one() {
    let mut session = Session::default();
    let request = |shapes: Value| json!({ "do": "run", "live": live(), "language": "cuda", "text": TEXT, "original": TEXT, "shapes": shapes });
    let half = ask(&mut session, &request(json!([{ "block": [32] }])));
    assert_eq!(half["verdict"]["same"], false, "{half}");
    assert_eq!(counter(&half, "global_load_requests")["value"], 1);
    assert_eq!(counter(&half, "global_load_requests")["before"], 2);
    assert_eq!(ask(&mut session, &request(json!([null])))["verdict"]["same"], true);
    for (shapes, said) in [
        (json!([{ "grid": [] }]), "one to three dimensions"),
        (json!([{ "grid": [1, 1, 1, 1] }]), "one to three dimensions"),
        (json!([{ "grid": "2" }]), "`shapes`"),
    ] {
        let bad = ask(&mut session, &request(shapes));
        assert!(bad["error"].as_str().is_some_and(|text| text.contains(said)), "{bad}");
    }
    for shape in [[0, 1], [i64::MAX, 1], [-1, 1], [1 << 40, 1]] {
        let huge = ask(&mut session, &request(json!([{ "block": shape }])));
        assert_eq!(huge["outcome"], "refused", "{huge}");
    }
}

#[test]
fn kernels_are_counted_each_for_itself() {
    let mut live = live();
    let step = live["steps"][0].clone();
    let mut other = step.clone();
    other["launch"]["kernel"] = "other".into();
    live["steps"] = json!([&step, &other, &step]);
    let text = format!("{TEXT}extern \"C\" __global__ void other(const int *at, float *out, int n) {{}}");
    let done =
        ask(&mut Session::default(), &json!({ "do": "run", "live": live, "language": "cuda", "text": text }));
    let kernels = done["kernels"].as_array().expect("kernels");
    assert_eq!((&kernels[0]["kernel"], &kernels[0]["launches"]), (&json!("k"), &json!(2)), "{done}");
    assert_eq!((&kernels[1]["kernel"], &kernels[1]["launches"]), (&json!("other"), &json!(1)));
    assert_eq!(counter(&kernels[0], "global_load_requests")["value"], 4);
    live["steps"] = json!([&other, &step]);
    let done =
        ask(&mut Session::default(), &json!({ "do": "run", "live": live, "language": "cuda", "text": text }));
    assert_eq!((&done["lines"][0]["line"], &done["lines"][0]["launch"]), (&json!(4), &json!(1)), "{done}");
    let one = run(&mut Session::default(), TEXT, json!({}));
    assert_eq!(one["kernels"], json!([]), "one kernel's counters are those of all");
}

#[test]
fn a_buffer_s_contents_are_reported_before_a_run() {
    let request =
        |buffer: &str| json!({ "do": "initial", "live": live(), "parameters": { "k": 3 }, "buffer": buffer });
    let reported = ask(&mut Session::default(), &request("at"));
    assert_eq!(
        reported["numbers"].as_array().map(|all| json!(all[..4])),
        Some(json!([0.0, 1.0, 2.0, 0.0])),
        "{reported}"
    );
    assert_eq!(ask(&mut Session::default(), &request("none"))["error"], "there is no buffer `none`");
}

#[test]
fn the_time_is_the_one_that_labs_have_modelled() {
    use device::{Arg, Device as _, Embedded, Launch};
    let mut session = Session::default();
    let answer = run(&mut session, TEXT, json!({}));
    // As labs launch it: without checks, and without a profile.
    let input = cuda::Input { name: "table.cu", text: TEXT, include: &|_| None };
    let options = cuda::Options { arch: cuda::Arch { number: 90, suffix: None }, ..cuda::Options::default() };
    let ptx = cuda::compile(&input, &options).expect("it compiles").ptx;
    let mut device = Embedded::new("h200").expect("a chip");
    let module = device.load("table.ptx", &ptx).expect("a module");
    let buffers = [256, 256].map(|bytes| device.allocate(bytes).expect("memory"));
    device.write(buffers[0], 0, &[0; 256]).expect("written");
    let [at, out] = buffers.map(|buffer| Arg::Buffer { buffer, offset: 0 });
    let launch = Launch {
        module,
        kernel: "k".to_owned(),
        grid: [1; 3],
        block: [64, 1, 1],
        shared_bytes: 0,
        args: vec![at, out, Arg::I32(64)],
        cluster: None,
        cooperative: false,
    };
    let outcome = device.launch(&launch).expect("it runs").expect("an outcome");
    assert_eq!(answer["modelled"]["time"], render::format::time_ns(outcome.modelled_ns), "{answer}");
    let limit = outcome.longest.expect("a grid").1.0;
    assert_eq!(answer["modelled"]["limit"], limit);
    assert_eq!(answer["modelled"]["before"], answer["modelled"]["time"]);
}

#[test]
fn counters_stay_compared_with_where_the_reader_began() {
    let mut session = Session::default();
    let request = json!({
        "do": "run", "live": live(), "parameters": { "k": 4 }, "language": "cuda", "text": TEXT, "original": TEXT,
    });
    let mut beside = request.clone();
    beside["pinned"] = json!({ "text": TEXT, "parameters": { "k": 1 } });
    let moved = ask(&mut session, &beside);
    assert_eq!(moved["verdict"]["same"], true, "the results are the original's with the same parameters");
    for of in [&moved, &moved["lines"][0]] {
        let replays = counter(of, "const_replays");
        assert_eq!((&replays["value"], &replays["before"]), (&json!(6), &json!(0)), "{moved}");
    }
    let without = ask(&mut session, &request);
    assert_eq!(
        counter(&without, "const_replays")["before"],
        6,
        "without one they are next to the original's"
    );
}
