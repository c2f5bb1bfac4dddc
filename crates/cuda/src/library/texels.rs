//! Textures and surfaces: each function is one instruction, whatever the type of the texel.

use crate::options::{Input, Options};

/// PTX of a kernel with these statements.
fn ptx(statements: &str) -> String {
    let source = format!(
        "extern \"C\" __global__ void k(cudaTextureObject_t t, cudaSurfaceObject_t s, float4 *out, float f, int i) {{ {statements} }}"
    );
    let input = Input { name: "k.cu", text: &source, include: &|_| None };
    match crate::compile::compile(&input, &Options::default()) {
        Ok(output) => output.ptx,
        Err(failure) => crate::diagnostic::render(&failure.diagnostics, &failure.sources, false),
    }
}

/// Lines of PTX with one of these operations, without operands.
fn operations(text: &str, of: &[&str]) -> Vec<String> {
    let first = |line: &str| line.split_whitespace().next().unwrap_or_default().to_owned();
    let lines = text.lines().map(str::trim_start).map(first);
    lines.filter(|word| of.iter().any(|one| word.starts_with(one))).collect()
}

#[test]
fn a_fetch_from_a_texture_is_one_instruction() {
    let cases = [
        ("tex1Dfetch<float4>(t, i)", "tex.1d.v4.f32.s32"),
        ("tex1D<float4>(t, f)", "tex.1d.v4.f32.f32"),
        ("tex1DLod<float4>(t, f, 1.0f)", "tex.level.1d.v4.f32.f32"),
        ("tex1DGrad<float4>(t, f, f, f)", "tex.grad.1d.v4.f32.f32"),
        ("tex1DLayered<float4>(t, f, i)", "tex.a1d.v4.f32.f32"),
        ("tex1DLayeredLod<float4>(t, f, i, f)", "tex.level.a1d.v4.f32.f32"),
        ("tex1DLayeredGrad<float4>(t, f, i, f, f)", "tex.grad.a1d.v4.f32.f32"),
        ("tex2D<float4>(t, f, f)", "tex.2d.v4.f32.f32"),
        ("tex2DLod<float4>(t, f, f, f)", "tex.level.2d.v4.f32.f32"),
        ("tex2DGrad<float4>(t, f, f, make_float2(f, f), make_float2(f, f))", "tex.grad.2d.v4.f32.f32"),
        ("tex2DLayered<float4>(t, f, f, i)", "tex.a2d.v4.f32.f32"),
        ("tex2DLayeredLod<float4>(t, f, f, i, f)", "tex.level.a2d.v4.f32.f32"),
        (
            "tex2DLayeredGrad<float4>(t, f, f, i, make_float2(f, f), make_float2(f, f))",
            "tex.grad.a2d.v4.f32.f32",
        ),
        ("tex3D<float4>(t, f, f, f)", "tex.3d.v4.f32.f32"),
        ("tex3DLod<float4>(t, f, f, f, f)", "tex.level.3d.v4.f32.f32"),
        ("tex3DGrad<float4>(t, f, f, f, *out, *out)", "tex.grad.3d.v4.f32.f32"),
        ("texCubemap<float4>(t, f, f, f)", "tex.cube.v4.f32.f32"),
        ("texCubemapLod<float4>(t, f, f, f, f)", "tex.level.cube.v4.f32.f32"),
        ("texCubemapLayered<float4>(t, f, f, f, i)", "tex.acube.v4.f32.f32"),
        ("texCubemapLayeredLod<float4>(t, f, f, f, i, f)", "tex.level.acube.v4.f32.f32"),
        ("tex2Dgather<float4>(t, f, f)", "tld4.r.2d.v4.f32.f32"),
        ("tex2Dgather<float4>(t, f, f, 2)", "tld4.b.2d.v4.f32.f32"),
    ];
    let all: String =
        cases.iter().enumerate().map(|(n, (call, _))| format!("out[{}] = {call};\n", n + 1)).collect();
    let text = ptx(&all);
    let expected: Vec<&str> = cases.iter().map(|(_, operation)| *operation).collect();
    assert_eq!(operations(&text, &["tex.", "tld4."]), expected, "{text}");
}

#[test]
fn a_texel_has_the_type_that_is_asked_for() {
    for (kind, operation) in
        [("char2", "s32"), ("uchar4", "u32"), ("short", "s32"), ("uint1", "u32"), ("float", "f32")]
    {
        let text = ptx(&format!("*({kind} *)out = tex2D<{kind}>(t, f, f);"));
        assert_eq!(operations(&text, &["tex."]), [format!("tex.2d.v4.{operation}.f32")], "{text}");
        let same = ptx(&format!("tex2D(({kind} *)out, t, f, f);"));
        assert_eq!(operations(&same, &["tex."]), [format!("tex.2d.v4.{operation}.f32")], "{same}");
    }
}

#[test]
fn an_access_to_a_surface_is_one_instruction() {
    let modes = [("", "trap"), (", cudaBoundaryModeClamp", "clamp"), (", cudaBoundaryModeZero", "zero")];
    let shapes = [
        ("surf1D", "i", "1d"),
        ("surf1DLayered", "i, i", "a1d"),
        ("surf2D", "i, i", "2d"),
        ("surf2DLayered", "i, i, i", "a2d"),
        ("surfCubemap", "i, i, i", "a2d"),
        ("surfCubemapLayered", "i, i, i", "a2d"),
        ("surf3D", "i, i, i", "3d"),
    ];
    let kinds = [
        ("signed char", "b8"),
        ("uchar2", "v2.b8"),
        ("char4", "v4.b8"),
        ("short", "b16"),
        ("ushort2", "v2.b16"),
        ("short4", "v4.b16"),
        ("float", "b32"),
        ("uint2", "v2.b32"),
        ("float4", "v4.b32"),
        ("long long", "b64"),
        ("ulonglong2", "v2.b64"),
    ];
    let (mut all, mut expected) = (String::new(), vec![]);
    for (at, (function, place, shape)) in shapes.iter().enumerate() {
        for (number, (kind, bits)) in kinds.iter().enumerate() {
            let (mode, word) = modes[(at + number) % modes.len()];
            all += &format!("{function}write({function}read<{kind}>(s, {place}{mode}), s, {place}{mode});\n");
            expected
                .extend([format!("suld.b.{shape}.{bits}.{word}"), format!("sust.b.{shape}.{bits}.{word}")]);
        }
    }
    let text = ptx(&all);
    assert_eq!(operations(&text, &["suld.", "sust."]), expected, "{text}");
}
