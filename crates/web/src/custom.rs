//! Kernels of the reader's own: buffers, textures and launches as a request gives them.
//!
//! Enters: a request. Leaves: a live kernel without a text that it came as. This module must never know how it is run.

use crate::access::Noted;
use crate::compile::SourceText;
use crate::last_run::LastRun;
use crate::{field, run, value};
use exercise::expression::Expression;
use exercise::live::{Live, Picture, Points, Show};
use exercise::manifest::{Buffer, CaseStep, Copy, Init, Launch, Texture};
use scalar::{Number, Scalar};
use serde::Deserialize;
use serde_json::Value;

/// A buffer as a page describes it.
#[derive(Deserialize)]
struct Given {
    name: String,
    #[serde(rename = "type")]
    ty: Scalar,
    length: i64,
    init: Filling,
    /// Variable of the module that the contents are copied to.
    #[serde(default)]
    symbol: Option<String>,
    /// Whether its bytes are a picture's.
    #[serde(default)]
    picture: Option<Picture>,
    /// Whether its elements are points.
    #[serde(default)]
    points: Option<Points>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Filling {
    Named(Named),
    Numbers(Vec<Digits>),
    /// As live kernels have it.
    Whole(Init),
}

/// A number, which a page writes as text where its own numbers would lose digits.
#[derive(Deserialize)]
#[serde(untagged)]
enum Digits {
    Number(Number),
    Text(String),
}

impl Digits {
    fn number(self) -> Result<Number, String> {
        match self {
            Digits::Number(number) => Ok(number),
            Digits::Text(text) => {
                text.parse().map(Number::Int).map_err(|_| format!("“{text}” is not a number"))
            }
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Named {
    Zeros,
    Index,
    Random,
    Poison,
}

const ZEROS: Init = Init::Fill(Number::Int(0));

impl Given {
    fn buffer(self) -> Result<(Buffer, Show), String> {
        let (picture, points) = (self.picture, self.points);
        let plot = picture.is_none() && points.is_none();
        let show = Show { buffer: self.name.clone(), plot, picture, points };
        let init = match self.init {
            Filling::Numbers(numbers) if numbers.is_empty() => Some(ZEROS),
            Filling::Numbers(numbers) => {
                Some(Init::Values(numbers.into_iter().map(Digits::number).collect::<Result<_, _>>()?))
            }
            Filling::Whole(init) => Some(init),
            Filling::Named(Named::Zeros) => Some(ZEROS),
            Filling::Named(Named::Index) => {
                Some(Init::Each(Expression::parse("i").map_err(|error| error.to_string())?))
            }
            Filling::Named(Named::Random) if self.ty.is_float() => Some(Init::Uniform([0.0, 1.0])),
            Filling::Named(Named::Random) => {
                Some(Init::Integers([Expression::number(0), Expression::number(100)]))
            }
            Filling::Named(Named::Poison) => None,
        };
        let buffer = Buffer {
            name: self.name,
            ty: self.ty,
            len: Expression::number(self.length),
            axes: vec![],
            members: vec![],
            init,
            symbol: self.symbol,
            optional: false,
        };
        Ok((buffer, show))
    }
}

/// A launch, after the copies to variables that are to be made before it.
fn steps(mut launch: Value) -> Result<Vec<CaseStep>, String> {
    let copies = launch.as_object_mut().and_then(|fields| fields.remove("copies")).unwrap_or_default();
    let copies: Option<Vec<Copy>> = value::read(&copies).map_err(|error| format!("`copies`: {error}"))?;
    let launch: Launch = value::read(&launch).map_err(|error| format!("`launches`: {error}"))?;
    Ok(copies.into_iter().flatten().map(CaseStep::Copy).chain([CaseStep::Launch(launch)]).collect())
}

/// The response to a request to run any kernel.
pub(crate) fn any(kept: &mut LastRun, noted: &mut Option<Noted>, request: &Value) -> Result<Value, String> {
    let buffers: Vec<Given> = field::read(request, "buffers")?;
    let buffers = buffers.into_iter().map(Given::buffer).collect::<Result<Vec<_>, _>>()?;
    let (buffers, show) = buffers.into_iter().unzip();
    let textures: Option<Vec<Texture>> = field::read(request, "textures")?;
    let launches: Vec<Value> = field::read(request, "launches")?;
    let steps = launches.into_iter().map(steps).collect::<Result<Vec<_>, _>>()?.concat();
    let live = Live {
        name: "any".to_owned(),
        title: String::new(),
        file: "any.cu".to_owned(),
        parameters: vec![],
        derived: Default::default(),
        defines: Default::default(),
        show,
        buffers,
        textures: textures.unwrap_or_default(),
        passes: None,
        steps,
        central: false,
        hand: None,
        moves: None,
        number: None,
        listing: vec![],
        line: None,
        drawn: None,
        breakages: vec![],
    };
    live.check().map_err(|error| error.to_string())?;
    let asked = run::asked(SourceText::of(request)?, live, request)?;
    run::trial(kept, noted, request, asked, run::Beside::default())
}

#[cfg(test)]
mod tests {
    use crate::Session;
    use scalar::Scalar;
    use serde_json::{Value, json};

    #[test]
    fn contents_may_be_as_live_kernels_have_them() {
        let request = json!({
            "do": "any", "language": "cuda", "text": "extern \"C\" __global__ void k() {}",
            "buffers": [{ "name": "given", "type": "u32", "length": 4, "init": { "each": "3 * i" }, "symbol": null }],
            "launches": [{ "kernel": "k", "grid": [1], "block": [1], "args": [] }],
        });
        let answer = Session::default().respond(&request.to_string());
        let answer: Value = serde_json::from_str(&answer).expect("an answer");
        assert_eq!(answer["outputs"][0]["head"], json!(["0", "3", "6", "9"]), "{answer}");
    }

    #[test]
    fn what_no_one_wrote_is_a_gap_in_a_plot() {
        let request = json!({
            "do": "any", "language": "cuda",
            "text": "extern \"C\" __global__ void k(int *out) { out[2 * threadIdx.x] = threadIdx.x; }",
            "buffers": [{ "name": "out", "type": "i32", "length": 6, "init": "poison" }],
            "launches": [{ "kernel": "k", "grid": [1], "block": [3], "args": ["out"] }],
        });
        let answer = Session::default().respond(&request.to_string());
        let answer: Value = serde_json::from_str(&answer).expect("an answer");
        let plot = answer["outputs"][0]["plot"].as_str().unwrap_or_else(|| panic!("{answer}"));
        assert!(plot.contains("6 elements, 3 of them written, from 0 to 2"), "{plot}");
        assert_eq!(plot.matches("h0").count(), 3, "each number stands alone: {plot}");
    }

    #[test]
    fn constants_are_copied_before_each_launch() {
        let launch = |first| {
            json!({ "kernel": "k", "grid": [1], "block": [1], "args": ["out", format!("int {first}")],
                    "copies": [{ "symbol": "c", "from": "given", "first": first, "count": 1 }] })
        };
        let kept = json!({ "kernel": "k", "grid": [1], "block": [1], "args": ["out", "int 2"],
                           "copies": [{ "symbol": "c", "from": "out", "first": 1, "count": 1, "current": true }] });
        let request = json!({
            "do": "any", "language": "cuda",
            "text": "__constant__ unsigned c;\nextern \"C\" __global__ void k(unsigned *out, int at) { out[at] = c + 1; }",
            "buffers": [
                { "name": "given", "type": "u32", "length": 2, "init": [5, 7] },
                { "name": "out", "type": "u32", "length": 3, "init": "zeros", "points": { "each": 2, "within": 9.0 } },
            ],
            "launches": [launch(0), launch(1), kept],
        });
        let answer = Session::default().respond(&request.to_string());
        let answer: Value = serde_json::from_str(&answer).expect("an answer");
        assert_eq!(answer["outputs"][1]["head"], json!(["6", "8", "9"]), "{answer}");
        assert!(answer["outputs"][1]["plot"].as_str().is_some_and(|svg| svg.contains("<circle")), "{answer}");
    }

    /// The response to a run of any kernel.
    fn asked(text: &str, buffers: Value, textures: Value, launches: Value) -> Value {
        let request = json!({
            "do": "any", "language": "cuda", "text": text, "buffers": buffers, "textures": textures, "launches": launches,
        });
        serde_json::from_str(&Session::default().respond(&request.to_string())).expect("an answer")
    }

    #[test]
    fn buffers_have_elements_of_every_type() {
        for ty in Scalar::ALL {
            // The compiler has no types for floats of 8 bits.
            let of = if ty.bytes() == 1 { Scalar::U8 } else { ty };
            let text = format!(
                "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n\
                 __global__ void k(const {0} *in, {0} *out) {{ out[threadIdx.x] = in[7 - threadIdx.x]; }}",
                of.in_c()
            );
            for (init, gives) in [
                (json!([7, 6, 5, 4, 3, 2, 1, 0]), ["0", "1", "2", "3", "4", "5", "6", "7"]),
                (json!("index"), ["7", "6", "5", "4", "3", "2", "1", "0"]),
                (json!("zeros"), ["0"; 8]),
            ] {
                let buffers = json!([
                    { "name": "in", "type": ty.name(), "length": 8, "init": init },
                    { "name": "out", "type": ty.name(), "length": 16, "init": "poison" },
                ]);
                let launch = json!({ "kernel": "k", "grid": [1], "block": [8], "args": ["in", "out"] });
                let answer = asked(&text, buffers, json!([]), json!([launch]));
                let out = &answer["outputs"][1];
                let head: Vec<&str> = gives.into_iter().chain(["unwritten"; 8]).collect();
                assert_eq!(out["head"], json!(head), "{ty}: {answer}");
                assert_eq!(out["type"], json!(ty.name()));
                let plot = out["plot"].as_str().unwrap_or_else(|| panic!("{answer}"));
                assert!(plot.contains("16 elements, 8 of them written"), "{ty}: {plot}");
            }
        }
    }

    #[test]
    fn of_a_word_that_is_written_in_part_the_rest_is_reported_to_be_unwritten() {
        let launch = json!({ "kernel": "k", "grid": [1], "block": [1], "args": ["out"] });
        let run = |ty: Scalar, statement: &str| {
            let text = format!("__global__ void k({} *out) {{ {statement} }}", ty.in_c());
            let buffers = json!([{ "name": "out", "type": ty.name(), "length": 5, "init": "poison" }]);
            asked(&text, buffers, json!([]), json!([launch]))
        };
        for ty in [Scalar::U8, Scalar::I8, Scalar::U16, Scalar::I16, Scalar::U64] {
            let answer = run(ty, "out[2] = 7;");
            let head = json!(["unwritten", "unwritten", "7", "unwritten", "unwritten"]);
            assert_eq!(answer["outputs"][0]["head"], head, "{ty}: {answer}");
        }
        // Whatever outputs are filled with, a kernel may write it.
        let answer = run(Scalar::U32, "for (int i = 1; i < 5; i++) out[i] = 0xfffff0f0u;");
        assert_eq!(
            answer["outputs"][0]["head"],
            json!(["unwritten", "4294963440", "4294963440", "4294963440", "4294963440"])
        );
        // And none may compute with it.
        let answer = run(Scalar::I32, "out[0] = out[1] + 1;");
        assert_eq!(answer["fault"]["kind"], "uninitialised-read", "{answer}");
    }

    #[test]
    fn numbers_are_exact_in_elements_of_64_bits_and_refused_where_they_do_not_fit() {
        let run = |ty: &str, numbers: Value| {
            let buffers = json!([{ "name": "p", "type": ty, "length": 2, "init": numbers }]);
            let text = "__global__ void k(void *p) {}";
            let launch = json!({ "kernel": "k", "grid": [1], "block": [1], "args": ["p"] });
            let request = json!({
                "do": "any", "language": "cuda", "text": text, "buffers": buffers, "launches": [launch],
            });
            let answer: Value =
                serde_json::from_str(&Session::default().respond(&request.to_string())).expect("an answer");
            (answer["outputs"][0]["head"].clone(), answer["error"].clone())
        };
        let (head, _) = run("u64", json!(["18446744073709551615", 9_007_199_254_740_991_u64]));
        assert_eq!(head, json!(["18446744073709551615", "9007199254740991"]));
        let (head, _) = run("i64", json!(["-9223372036854775808", -1]));
        assert_eq!(head, json!(["-9223372036854775808", "-1"]));
        let (head, _) = run("f16", json!([0.1, 65504]));
        assert_eq!(head, json!(["0.1", "65504"]), "as  digits as distinguish it from others");
        for (ty, numbers, says) in [
            ("u8", json!([300]), "the contents of `p`: 300 does not fit u8, which holds 0 to 255"),
            ("i16", json!([0.5]), "the contents of `p`: 0.5 is not an integer, as i16 needs"),
            ("f16", json!([70000]), "the contents of `p`: 70000 is more than an f16 can hold"),
            ("u64", json!(["18446744073709551616"]), "does not fit u64"),
            ("i64", json!(["x"]), "“x” is not a number"),
            ("i65", json!([0]), "no type is called \"i65\"; there are u8 i8"),
        ] {
            let (_, error) = run(ty, numbers);
            assert!(error.as_str().is_some_and(|error| error.contains(says)), "{ty}: {error}");
        }
    }

    #[test]
    fn arguments_are_of_every_type() {
        let text = "#include <cuda_fp16.h>\n\
                    __global__ void k(double *out, double d, short s, long long l, __half h, unsigned char c) {\n\
                        out[0] = d; out[1] = s; out[2] = l; out[3] = __half2float(h); out[4] = c;\n\
                    }";
        let buffers = json!([{ "name": "out", "type": "f64", "length": 5, "init": "poison" }]);
        let args = json!([
            "out",
            "double 0.1",
            "short -3",
            "long long -5000000000",
            "half 0.5",
            "unsigned char 255"
        ]);
        let launch = json!({ "kernel": "k", "grid": [1], "block": [1], "args": args });
        let answer = asked(text, buffers, json!([]), json!([launch]));
        assert_eq!(
            answer["outputs"][0]["head"],
            json!(["0.1", "-3", "-5000000000", "0.5", "255"]),
            "{answer}"
        );
    }

    #[test]
    fn an_instance_of_a_template_runs_by_its_name() {
        let text = "namespace n { template <typename T, int N> __global__ void scale(T *p) { p[threadIdx.x] *= N; } }";
        let run = |kernel: &str| {
            let launch = json!({ "kernel": kernel, "grid": [1], "block": [2], "args": ["p"] });
            let buffers = json!([{ "name": "p", "type": "f32", "length": 2, "init": [1, 3] }]);
            asked(text, buffers, json!([]), json!([launch]))
        };
        let answer = run("n::scale<float, 4>");
        assert_eq!(answer["outputs"][0]["head"], json!(["4", "12"]), "{answer}");
        let answer = run("scale");
        let help = answer["messages"][0]["help"].as_str().unwrap_or_else(|| panic!("{answer}"));
        assert!(help.contains("the name of an instance"), "{help}");
    }

    #[test]
    fn textures_have_slices_layers_and_faces() {
        let buffers = json!([
            { "name": "texels", "type": "f32", "length": 96, "init": "index" },
            { "name": "out", "type": "f32", "length": 1, "init": "zeros" },
        ]);
        let kinds = [
            ("tex3D<float>(t, 1.5f, 2.5f, 3.5f)", json!({ "height": 4, "depth": 4 }), "57"),
            ("tex2DLayered<float>(t, 1.5f, 2.5f, 3)", json!({ "height": 4, "depth": 4, "flags": 1 }), "57"),
            ("tex1DLayered<float>(t, 1.5f, 3)", json!({ "depth": 4, "flags": 1 }), "13"),
            ("texCubemap<float>(t, 0.0f, 0.0f, 1.0f)", json!({ "height": 4, "depth": 6, "flags": 4 }), "74"),
        ];
        for (fetch, shape, gives) in kinds {
            let text = format!("__global__ void k(cudaTextureObject_t t, float *out) {{ *out = {fetch}; }}");
            let mut texture = json!({ "name": "t", "buffer": "texels", "width": 4 });
            for (field, value) in shape.as_object().expect("an object") {
                texture[field] = value.clone();
            }
            let launch = json!({ "kernel": "k", "grid": [1], "block": [1], "args": ["t", "out"] });
            let answer = asked(&text, buffers.clone(), json!([texture]), json!([launch]));
            assert_eq!(answer["outputs"][1]["head"], json!([gives]), "{fetch}: {answer}");
        }
        let text = "__global__ void k(cudaTextureObject_t t) {}";
        let launch = json!({ "kernel": "k", "grid": [1], "block": [1], "args": ["t"] });
        let texture =
            json!({ "name": "t", "buffer": "texels", "width": 4, "height": 4, "depth": 5, "flags": 4 });
        let answer = asked(text, buffers, json!([texture]), json!([launch]));
        let message = answer["fault"]["message"].as_str().unwrap_or_else(|| panic!("{answer}"));
        assert_eq!(message, "texture `t`: the `depth` of a cube is its number of faces, 6 for each cube");
    }

    #[test]
    fn what_a_surface_is_written_textures_of_its_shape_read_and_its_buffer_shows() {
        let text = "__global__ void write(cudaSurfaceObject_t s) {\n\
                        surf2Dwrite(10.0f * threadIdx.x, s, threadIdx.x * sizeof(float), 1);\n\
                    }\n\
                    __global__ void read(cudaTextureObject_t t, float *out) {\n\
                        out[threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, 1.5f);\n\
                    }\n";
        let buffers = json!([
            { "name": "texels", "type": "f32", "length": 8, "init": "zeros" },
            { "name": "out", "type": "f32", "length": 4, "init": "poison" },
        ]);
        let of = |name: &str, surface: u32| json!({ "name": name, "buffer": "texels", "width": 4, "height": 2, "array": 1, "surface": surface });
        let launch =
            |kernel: &str, args: Value| json!({ "kernel": kernel, "grid": [1], "block": [4], "args": args });
        let launches = json!([launch("write", json!(["s"])), launch("read", json!(["t", "out"]))]);
        let answer = asked(text, buffers, json!([of("s", 1), of("t", 0)]), launches);
        assert_eq!(
            answer["outputs"][0]["head"],
            json!(["0", "0", "0", "0", "0", "10", "20", "30"]),
            "{answer}"
        );
        assert_eq!(answer["outputs"][1]["head"], json!(["0", "10", "20", "30"]), "{answer}");
    }
}
