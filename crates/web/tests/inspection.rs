//! Looks into what ran: single accesses, and steps forwards and backwards.

use serde_json::{Value, json};
use web::Session;

const TEXT: &str = "\
__constant__ float taps[8];
extern \"C\" __global__ void k(const float *in, float *out, int n) {
    __shared__ float tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = in[i];
    __syncthreads();
    float sum = 0.0f;
#pragma unroll 1
    for (int k = 0; k < n; k++) sum += taps[k] * tile[63 - threadIdx.x];
    if (threadIdx.x % 32 < 8) sum = sqrtf(sum);
    else out[i + 128] = sum;
    out[i] = sum;
}
";

fn ask(session: &mut Session, request: &Value) -> Value {
    serde_json::from_str(&session.respond(&request.to_string())).expect("JSON")
}

/// A kernel that runs twice, in 2 blocks of 2 warps each.
fn live() -> Value {
    json!({
        "name": "taps",
        "title": "Taps",
        "file": "taps.cu",
        "buffers": [
            { "name": "in", "type": "f32", "len": 128, "init": { "each": "i" } },
            { "name": "weights", "type": "f32", "len": 8, "init": { "fill": 0.5 }, "symbol": "taps" },
            { "name": "out", "type": "f32", "len": 256 }
        ],
        "passes": 2,
        "steps": [{ "launch": { "kernel": "k", "grid": [2], "block": [64], "args": ["in", "out", "int 5"] } }],
        "show": ["out"]
    })
}

/// A session in which a text has run.
fn ran(text: &str) -> Session {
    let mut session = Session::default();
    let done = ask(&mut session, &json!({ "do": "run", "live": live(), "text": text, "language": "cuda" }));
    assert_eq!(done["ok"], true, "{done}");
    session
}

const FETCH: &str = "\
extern \"C\" __global__ void k(cudaTextureObject_t rows, cudaTextureObject_t line, float *out) {
    float one = tex2D<float>(rows, 0.5f, threadIdx.x + 0.5f);
    float all = 0.0f;
#pragma unroll 1
    for (int i = 0; i < 3; i++) all += tex1Dfetch<float>(line, threadIdx.x + 32 * i);
    out[threadIdx.x] = one + all;
}
";

/// A session in which textures were fetched, of memory or of an array.
fn fetched(array: u32) -> Session {
    let request = json!({
        "do": "any", "language": "cuda", "text": FETCH,
        "buffers": [
            { "name": "in", "type": "f32", "length": 256, "init": "index" },
            { "name": "out", "type": "f32", "length": 32, "init": "poison" },
        ],
        "textures": [
            { "name": "rows", "buffer": "in", "width": 8, "height": 32, "array": array },
            { "name": "line", "buffer": "in", "width": 256 },
        ],
        "launches": [{ "kernel": "k", "grid": [1], "block": [32], "args": ["rows", "line", "out"] }],
    });
    let mut session = Session::default();
    let done = ask(&mut session, &request);
    // 8 i, and i, i + 32, i + 64.
    assert_eq!(done["outputs"][1]["head"][3], "129", "{done}");
    session
}

#[test]
fn a_fetch_of_a_texture_is_drawn_with_the_sectors_that_were_counted() {
    for (array, sectors) in [(0, 32), (1, 16)] {
        let mut session = fetched(array);
        let one = access(&mut session, 2, json!({}));
        let instruction = one["instruction"].as_str().expect("an instruction");
        assert!(instruction.starts_with("tex.2d."), "{one}");
        let text = one["text"].as_str().expect("text").replace('\u{a0}', " ");
        let counted = format!(
            "Counted: 8 requests of up to 4 lanes; {sectors} sectors, looked up for 4 lanes at a time."
        );
        assert!(text.contains(&counted), "{text}");
        assert!(one["svg"].as_str().is_some_and(|svg| svg.contains("a texel that a lane reads")), "{one}");
        assert!(one["letters"].as_str().is_some_and(|text| text.contains("c texel (0, 2)")), "{one}");
        let last = access(&mut session, 5, json!({ "iteration": 2 }));
        assert_eq!((&last["iterations"], &last["of"]), (&json!(3), &json!(1)), "{last}");
        assert!(last["letters"].as_str().is_some_and(|text| text.contains("texel 64")), "{last}");
    }
}

#[test]
fn what_textures_of_a_page_are_not_is_reported_with_what_has_it() {
    for (body, said) in [
        (
            "tex3D<float>(t, 0, 0, 0)",
            "the instruction is for three dimensions, but the object has two dimensions",
        ),
        (
            "tex2DLayered<float>(t, 0, 0, 0)",
            "is for two dimensions with layers, but the object has two dimensions",
        ),
        ("texCubemap<float>(t, 0, 0, 0)", "the instruction is for a cube, but the object has two dimensions"),
        ("surf2Dread<float>(t, 0, 0)", "no surface has the handle"),
    ] {
        let text =
            format!("extern \"C\" __global__ void k(cudaTextureObject_t t, float *out) {{ *out = {body}; }}");
        let request = json!({
            "do": "any", "language": "cuda", "text": text,
            "buffers": [{ "name": "in", "type": "f32", "length": 64, "init": "index" }],
            "textures": [{ "name": "t", "buffer": "in", "width": 8, "height": 8 }],
            "launches": [{ "kernel": "k", "grid": [1], "block": [32], "args": ["t", "in"] }],
        });
        let answer = ask(&mut Session::default(), &request);
        assert_eq!(answer["outcome"], "fault", "{answer}");
        assert!(answer["fault"]["message"].as_str().is_some_and(|words| words.contains(said)), "{answer}");
        let help = answer["messages"][0]["help"].as_str().expect("help");
        assert!(help.contains("slices, layers or faces it has, and whether it is a surface"), "{help}");
        assert!(help.contains("`launch` has mipmaps too"), "{help}");
    }
}

#[test]
fn a_texture_that_cannot_be_is_reported_with_its_rule() {
    let request = |texture: Value| {
        json!({
            "do": "any", "language": "cuda", "text": "extern \"C\" __global__ void k(cudaTextureObject_t t) {}",
            "buffers": [{ "name": "in", "type": "f32", "length": 90, "init": "index" }],
            "textures": [texture],
            "launches": [{ "kernel": "k", "grid": [1], "block": [32], "args": ["t"] }],
        })
    };
    for (texture, said) in [
        (
            json!({ "name": "t", "buffer": "in", "width": 9, "height": 10 }),
            "a multiple of 32 bytes apart, but these are 36 bytes apart",
        ),
        (
            json!({ "name": "t", "buffer": "in", "width": 91 }),
            "texture `t`: its texels take 364 bytes, but its buffer has 360",
        ),
        (
            json!({ "name": "t", "buffer": "in", "width": 8, "filter_mode": 2 }),
            "texture `t`: filter_mode is 2, but must be 0 to 1",
        ),
        (json!({ "name": "t", "buffer": "in", "width": 8, "channels": 3 }), "texels of 3 channels"),
    ] {
        let done = ask(&mut Session::default(), &request(texture));
        let message = done["fault"]["message"].as_str().unwrap_or_default();
        assert!(message.contains(said), "{done}");
    }
    let unknown = ask(&mut Session::default(), &request(json!({ "name": "t", "buffer": "out", "width": 8 })));
    assert!(
        unknown["error"].as_str().is_some_and(|error| error.contains("no buffer named `out`")),
        "{unknown}"
    );
}

fn access(session: &mut Session, line: u32, at: Value) -> Value {
    let mut request = json!({ "do": "access", "line": line });
    for (name, value) in at.as_object().expect("fields") {
        request[name] = value.clone();
    }
    ask(session, &request)
}

fn step(session: &mut Session, to: Value) -> Value {
    ask(session, &json!({ "do": "step", "warp": 1, "to": to, "path": true }))
}

#[test]
fn an_access_is_drawn_for_every_launch_block_warp_and_iteration() {
    let mut session = ran(TEXT);
    // What does not change in the loop is read before it.
    for (line, index, instruction, iterations) in
        [(5, 0, "ld.global.f32", 1), (9, 1, "ld.const.f32", 5), (12, 0, "st.global.f32", 1)]
    {
        for (launch, block, warp) in [(0, 0, 0), (0, 1, 1), (1, 1, 0)] {
            for iteration in 0..iterations {
                let at = json!({ "launch": launch, "block": [block, 0, 0], "warp": warp, "iteration": iteration, "index": index });
                let one = access(&mut session, line, at);
                assert_eq!((&one["ok"], &one["instruction"]), (&json!(true), &json!(instruction)));
                assert_eq!((&one["iterations"], &one["warps"]), (&json!(iterations), &json!(2)));
                assert_eq!((&one["blocks"], &one["launches"]), (&json!([2, 1, 1]), &json!(2)));
                assert!(one["svg"].as_str().is_some_and(|svg| svg.starts_with("<svg class=\"lab-plot\"")));
                let text = one["text"].as_str().expect("text");
                assert!(text.contains("Counted: ") && text.contains(&format!("line {line}")), "{text}");
                assert!(
                    !text.contains('\n')
                        && one["letters"].as_str().is_some_and(|text| text.contains("lane 0"))
                );
            }
        }
    }
    // The line's store, of which the load is another access.
    let store = access(&mut session, 5, json!({ "index": 1 }));
    assert_eq!((&store["instruction"], &store["of"]), (&json!("st.shared.f32"), &json!(2)), "{store}");
    let narrow = access(&mut session, 5, json!({ "form": "narrow" }));
    assert!(narrow["svg"].as_str().is_some_and(|svg| svg.contains("width=\"360\"")));
    // Next to handles, only what is drawn is, and each lane says where it reads.
    let compact =
        access(&mut session, 5, json!({ "form": "compact", "index": 0, "id": "of-five", "warp": 1 }));
    let height = |one: &Value| -> f64 {
        let svg = one["svg"].as_str().expect("a drawing");
        svg.split("height=\"")
            .nth(1)
            .and_then(|rest| rest.split('"').next())
            .and_then(|n| n.parse().ok())
            .expect("a height")
    };
    assert!(height(&compact) + 50.0 < height(&narrow), "{compact}");
    assert!(
        compact["svg"].as_str().is_some_and(|svg| svg.contains("of-five-desc") && svg.contains("Counted: "))
    );
    let lane = &compact["lanes"][3];
    assert_eq!((&lane["lane"], &lane["thread"]), (&json!(3), &json!([35, 0, 0])), "{compact}");
    assert!(lane["address"].as_str().is_some_and(|words| words.contains("element 35: sector 4")), "{lane}");
    let wrong = access(&mut session, 5, json!({ "form": "round" }));
    assert!(
        wrong["text"].as_str().is_some_and(|words| words.contains("`\"round\"` is not a form")),
        "{wrong}"
    );
}

#[test]
fn a_run_brings_the_access_that_it_is_asked_to_look_at() {
    let mut session = Session::default();
    let looked = |session: &mut Session, look: Value| {
        let done = ask(session, &json!({ "do": "run", "live": live(), "text": TEXT, "look": look }));
        assert_eq!(done["outcome"], "done", "{done}");
        done
    };
    let at = json!({ "line": 9, "index": 1, "iteration": 2, "launch": 1, "warp": 1, "form": "compact" });
    let done = looked(&mut session, at.clone());
    let mut again = ask(&mut session, &{
        let mut at = at.clone();
        at["do"] = "access".into();
        at
    });
    again.as_object_mut().expect("an answer").remove("ok");
    assert_eq!(done["access"], again, "it is the one that is asked for afterwards");
    // Without a line, that which costs the most.
    let costliest = looked(&mut session, json!({ "form": "compact" }));
    assert_eq!(costliest["access"]["line"], costliest["line"]["line"]);
    assert!(costliest["access"]["svg"].is_string(), "{costliest}");
    // A launch that does not exist does not make the run an error.
    let missing = looked(&mut session, json!({ "line": 9, "launch": 7 }));
    assert!(
        missing["access"]["svg"].is_null()
            && missing["access"]["text"].as_str().is_some_and(|why| why.contains("no launch 7"))
    );
}

#[test]
fn what_is_not_there_is_reported() {
    for (at, says) in [
        (json!({ "launch": 2 }), "there is no launch 2: the run has 2 launches"),
        (json!({ "block": [2, 0, 0] }), "there is no block (2, 0, 0): the grid has 2 × 1 × 1"),
        (json!({ "warp": 2 }), "there is no warp 2: a block has 2"),
        (json!({ "warp": 99_999_999_999u64 }), "is too large"),
        (json!({ "iteration": 1 }), "1 time, numbered from 0: there is no 1"),
        (json!({ "index": 2 }), "line 5 has 2 accesses to memory, numbered from 0: there is no 2"),
        (json!({ "iteration": -1 }), "`iteration` is not a whole number"),
        (json!({ "block": "x" }), "`block`"),
    ] {
        let mut session = ran(TEXT);
        let refused = access(&mut session, 5, at.clone());
        assert_eq!(refused["ok"], false, "{at}: {refused}");
        assert!(refused["error"].as_str().is_some_and(|error| error.contains(says)), "{refused}");
        if ["launch", "block", "warp"].iter().any(|name| !at[name].is_null()) {
            let mut request = json!({ "do": "step" });
            request.as_object_mut().expect("fields").extend(at.as_object().expect("fields").clone());
            let refused = ask(&mut session, &request);
            assert!(refused["error"].as_str().is_some_and(|error| error.contains(says)), "{refused}");
        }
    }
    let nothing = access(&mut ran(TEXT), 4, json!({}));
    assert_eq!((&nothing["ok"], &nothing["svg"], &nothing["of"]), (&json!(true), &Value::Null, &json!(0)));
    for kind in ["access", "step"] {
        let refused = ask(&mut Session::default(), &json!({ "do": kind, "line": 1 }));
        assert_eq!(refused["error"], "nothing has run yet");
    }
}

#[test]
fn what_led_to_a_fault_can_be_looked_at() {
    let mut session = ran(&TEXT.replace("out[i] = sum", "out[i + 1000] = sum"));
    let load = access(&mut session, 5, json!({ "block": [1, 0, 0] }));
    assert!(load["svg"].is_string(), "{load}");
    let end = step(&mut session, json!({ "end": true }));
    assert_eq!(end["fault"]["kind"], "out-of-bounds-global", "{end}");
    assert_eq!(end["fault"]["line"], 12);
}

#[test]
fn a_step_back_is_the_state_that_was_there() {
    let mut session = ran(TEXT);
    let first = step(&mut session, json!({ "instruction": 0 }));
    let total = first["of"].as_u64().expect("a number");
    let there: Vec<Value> = (0..total).map(|at| step(&mut session, json!({ "instruction": at }))).collect();
    let back: Vec<Value> =
        (0..total).rev().map(|at| step(&mut session, json!({ "instruction": at }))).collect();
    assert!(there.iter().eq(back.iter().rev()));
    assert!(there.iter().enumerate().all(|(at, state)| state["at"] == at && state["ok"] == true));
    // Beyond the end there is the last.
    assert_eq!(step(&mut session, json!({ "instruction": total + 9 })), there[total as usize - 1]);
}

#[test]
fn lines_lead_through_the_path() {
    let mut session = ran(TEXT);
    let start = step(&mut session, Value::Null);
    let path = start["path"].as_array().expect("a path");
    assert!(path.iter().all(|stretch| stretch["line"].as_u64().is_some_and(|line| (2..=13).contains(&line))));
    let mut iterations = 0;
    let mut at = json!(null);
    loop {
        let to = if at.is_null() { json!({ "line": 9 }) } else { json!({ "line": 9, "after": at }) };
        let here = step(&mut session, to);
        if here["ok"] == false {
            assert_eq!(here["error"], "line 9 is not executed again");
            break;
        }
        assert_eq!(here["line"], 9, "{here}");
        at = here["at"].clone();
        iterations += 1;
    }
    assert!(iterations > 0);
    let here = step(&mut session, json!({ "line": 5 }));
    let next = step(&mut session, json!({ "next": here["at"] }));
    assert_eq!((&here["line"], &next["line"]), (&json!(5), &json!(6)));
    assert_eq!(step(&mut session, json!({ "previous": next["at"] }))["at"], here["at"]);
}

#[test]
fn variables_and_shared_memory_are_reported_by_name_and_type() {
    let mut session = ran(TEXT);
    let end = step(&mut session, json!({ "end": true }));
    let variable = |state: &Value, name: &str| -> Value {
        let all = state["variables"].as_array().expect("variables").clone();
        all.into_iter().find(|row| row["name"] == name).unwrap_or(Value::Null)
    };
    assert_eq!(variable(&end, "i")["values"][31], "63", "{}", end["variables"]);
    assert_eq!(variable(&end, "n")["values"][0], "5");
    let before = step(&mut session, json!({ "line": 5 }));
    let shared = &before["shared"];
    assert_eq!(shared["bytes"], 256);
    assert_eq!(shared["variables"], json!([{ "name": "tile", "first": 0, "bytes": 256, "type": "float" }]));
    assert_eq!((&shared["words"][33], &shared["bits"][33]), (&json!("33"), &json!("42040000")), "{shared}");
    let events = end["events"].as_array().expect("events");
    let reported = |text: &str| events.iter().any(|event| event["line"] == 5 && event["text"] == text);
    assert!(reported("ld.global.f32: 32 lanes, `in`, bytes 128 to 255"), "{events:?}");
    assert!(reported("st.shared.f32: 32 lanes, `tile`, bytes 128 to 255"), "{events:?}");
}

#[test]
fn lanes_that_part_and_warps_that_wait_are_shown() {
    let mut session = ran(TEXT);
    let total = step(&mut session, Value::Null)["of"].as_u64().expect("a number");
    let states: Vec<Value> = (0..total).map(|at| step(&mut session, json!({ "instruction": at }))).collect();
    let active: Vec<&str> = states.iter().filter_map(|state| state["active"].as_str()).collect();
    assert!(active.contains(&"000000ff") && active.contains(&"ffffff00"), "{active:?}");
    let parted = states.iter().find(|state| state["active"] == "ffffff00").expect("parted");
    assert_eq!(parted["line"], 11);
    assert!(!parted["meetings"].as_array().expect("meetings").is_empty(), "{parted}");
    // Anyone who comes first to the barrier waits there for the other.
    let waits = |warp: u64| {
        let of = |at: u64, session: &mut Session| {
            ask(session, &json!({ "do": "step", "warp": warp, "to": { "instruction": at } }))
        };
        let mut session = ran(TEXT);
        (0..total).map(|at| of(at, &mut session)).any(|state| {
            let warps = state["warps"].as_array().cloned().unwrap_or_default();
            assert_eq!(
                warps[warp as usize]["line"], state["line"],
                "the step's own warp is where the step is"
            );
            let waiting: Vec<_> = warps.iter().filter(|warp| warp["waits"] == "barrier 0").collect();
            assert!(waiting.iter().all(|warp| warp["line"] == 6), "{waiting:?}");
            waiting.iter().any(|warp| warp["done"] == false)
        })
    };
    assert!(waits(0) || waits(1));
    let whole = ask(&mut session, &json!({ "do": "step", "warps": "all", "to": { "end": true } }));
    assert_eq!(whole["of"], 2 * total, "both warps of the block");
}

#[test]
fn ptx_is_looked_into_by_its_own_lines() {
    const PTX: &str = ".version 8.0
.target sm_90
.address_size 64
.visible .entry twice(.param .u64 data)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [data];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.u32 %r2, [%rd3];
    add.s32 %r2, %r2, %r2;
    st.global.u32 [%rd3], %r2;
    ret;
}
";
    let mut session = Session::default();
    let done = ask(
        &mut session,
        &json!({
            "do": "any",
            "text": PTX,
            "language": "ptx",
            "buffers": [{ "name": "data", "type": "i32", "length": 32, "init": "index" }],
            "launches": [{ "kernel": "twice", "grid": [1], "block": [32], "args": ["data"] }]
        }),
    );
    assert_eq!(done["outcome"], "done", "{done}");
    let load = access(&mut session, 12, json!({}));
    assert_eq!((&load["instruction"], &load["code"]), (&json!("ld.global.u32"), &Value::Null));
    assert!(load["svg"].is_string());
    let sum = ask(&mut session, &json!({ "do": "step", "to": { "line": 13 } }));
    assert_eq!((&sum["line"], &sum["at"]), (&json!(13), &json!(5)), "{sum}");
    let registers = sum["registers"].as_array().expect("registers");
    let doubled = registers.iter().find(|register| register["name"] == "%r2").expect("written");
    assert_eq!((&doubled["values"][31], &doubled["line"]), (&json!("62"), &json!(13)));
}

#[test]
fn a_loop_without_end_can_be_stepped_through() {
    let endless = TEXT.replace("k < n; k++) sum += taps[k]", "; k++) out[i] = sum += taps[k % 8]");
    let mut session = ran(&endless);
    // The first warp goes round for ever, while the other waits until it may run.
    let iteration = ask(&mut session, &json!({ "do": "step", "to": { "line": 9 } }));
    assert_eq!(
        (&iteration["line"], &iteration["fault"]["kind"]),
        (&json!(9), &json!("infinite-loop")),
        "{iteration}"
    );
}

#[test]
fn two_calls_of_a_function_in_one_line_are_two_accesses() {
    let text = "__device__ float get(const float *of, int at) { return of[at]; }\n\
                extern \"C\" __global__ void k(const float *in, float *out, int n) {\n\
                    float sum = 0;\n\
                    for (int i = 0; i < n; i++) sum += get(in, i) * get(in, i + threadIdx.x);\n\
                    out[threadIdx.x] = sum;\n\
                }";
    let request = json!({
        "do": "any", "language": "cuda", "text": text,
        "buffers": [
            { "name": "in", "type": "f32", "length": 64, "init": "index" },
            { "name": "out", "type": "f32", "length": 32, "init": "poison" },
        ],
        "launches": [{ "kernel": "k", "grid": [1], "block": [32], "args": ["in", "out", "int 24"] }],
    });
    let mut session = Session::default();
    let done = ask(&mut session, &request);
    assert_eq!(done["outcome"], "done", "{done}");
    for index in [0, 1] {
        let one = access(&mut session, 1, json!({ "index": index, "iteration": 23 }));
        assert_eq!(
            (&one["iterations"], &one["of"]),
            (&json!(24), &json!(2)),
            "an iteration for each of the loop: {one}"
        );
    }
}

#[test]
fn three_loads_of_records_in_one_call_are_three_accesses() {
    let text = "__device__ float sum(float4 a, float4 b, float4 c) { return a.x + b.y + c.z; }\n\
                extern \"C\" __global__ void k(const float4 *in, float *out) {\n\
                    int i = threadIdx.x;\n\
                    out[i] = sum(in[i], in[i + 1], in[i + 2]);\n\
                }";
    let request = json!({
        "do": "any", "language": "cuda", "text": text,
        "buffers": [
            { "name": "in", "type": "f32", "length": 136, "init": "index" },
            { "name": "out", "type": "f32", "length": 32, "init": "poison" },
        ],
        "launches": [{ "kernel": "k", "grid": [1], "block": [32], "args": ["in", "out"] }],
    });
    let mut session = Session::default();
    let done = ask(&mut session, &request);
    assert_eq!(done["outcome"], "done", "{done}");
    for (index, code) in
        ["in[i]", "in[i + 1]", "in[i + 2]", "out[i] = sum(in[i], in[i + 1], in[i + 2])"].iter().enumerate()
    {
        let one = access(&mut session, 4, json!({ "index": index }));
        assert_eq!(
            (&one["code"], &one["iterations"], &one["of"]),
            (&json!(code), &json!(1), &json!(4)),
            "{one}"
        );
    }
}
