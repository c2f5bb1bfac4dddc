//! Textures and surfaces: what an H200 gave for the fetches of `truth/textures.cu` and counted for its patterns, and what
//! the device says where something is not as it must be.
#![allow(clippy::unwrap_used, missing_docs)]

pub(crate) mod inputs;

use crate::common::{Bench, FETCHES, explained};
use inputs::{Points, coordinates, format, pattern, texels};
use simt::texture::{AddressMode, Dimension, Extent, Format, Mipmap, Resource, Sampling, Texture};
use simt::{Arg, Counters, Device, Error};
use std::collections::HashMap;

const NONE: [u32; 4] = [0; 4];

fn sampling(mode: AddressMode) -> Sampling {
    Sampling {
        address: [mode; 3],
        linear: false,
        normalised_coordinates: false,
        normalised_float: false,
        border: NONE,
        mipmap: Mipmap::NEAREST,
    }
}

/// Extent of an array, and how many texels it has.
fn extent(dim: &str, size: [u32; 3]) -> (Extent, usize) {
    let [w, h, d] = size;
    let (dimension, size, layers) = match dim {
        "1d" => (Dimension::One, [w, 1, 1], None),
        "3d" => (Dimension::Three, size, None),
        "a1d" => (Dimension::One, [w, 1, 1], Some(d)),
        "a2d" => (Dimension::Two, [w, h, 1], Some(d)),
        "cube" => (Dimension::Cube, [w, w, 1], None),
        "acube" => (Dimension::Cube, [w, w, 1], Some(d)),
        _ => (Dimension::Two, [w, h, 1], None),
    };
    let faces = if dimension == Dimension::Cube { 6 } else { 1 };
    let count = size.iter().product::<u32>() * layers.unwrap_or(1) * faces;
    (Extent { dimension, size, layers, levels: None }, count as usize)
}

/// A texture over new memory with these texels.
fn texture(
    device: &mut Device,
    dim: &str,
    size: [u32; 3],
    format: Format,
    sampling: Sampling,
    bytes: &[u8],
) -> Texture {
    let texel = format.bytes();
    let [width, height, _] = size;
    let resource = match dim {
        "linear" => {
            let buffer = device.allocate(bytes.len() as u64).unwrap();
            device.write(buffer, 0, bytes).unwrap();
            Resource::Linear { buffer, offset: 0, width }
        }
        "pitched" => {
            let row = u64::from(width) * texel;
            let pitch = row.next_multiple_of(32);
            let buffer = device.allocate(pitch * u64::from(height)).unwrap();
            for (n, row) in bytes.chunks(row as usize).enumerate() {
                device.write(buffer, n as u64 * pitch, row).unwrap();
            }
            Resource::Pitched { buffer, offset: 0, width, height, pitch }
        }
        _ => {
            let array = device.allocate_array(extent(dim, size).0, format).unwrap();
            device.write_array(array, bytes).unwrap();
            Resource::Array(array)
        }
    };
    device.create_texture(&resource, format, sampling).unwrap()
}

/// A module of one kernel for each kind of fetch: `k(texture, in, out, threads)`, four words a thread in and out.
fn module(kernels: &[(String, String)]) -> String {
    let kernels = kernels.iter().map(|(name, fetch)| {
        format!(
            ".visible .entry {name}(.param .u64 t, .param .u64 in, .param .u64 out, .param .u32 n)
            {{
                .reg .pred %p<2>; .reg .b32 %r<16>; .reg .b64 %rd<8>; .reg .b16 %h<2>;
                ld.param.u64 %rd1, [t]; ld.param.u64 %rd2, [in]; ld.param.u64 %rd3, [out]; ld.param.u32 %r9, [n];
                mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;
                mad.lo.s32 %r1, %r2, %r3, %r1; setp.ge.u32 %p1, %r1, %r9; @%p1 ret;
                mul.wide.u32 %rd4, %r1, 16; add.s64 %rd2, %rd2, %rd4; add.s64 %rd3, %rd3, %rd4;
                ld.global.v4.u32 {{%r4, %r5, %r6, %r7}}, [%rd2];
                mov.b32 %r10, 0; mov.b32 %r11, 0; mov.b32 %r12, 0; mov.b32 %r13, 0;
                {fetch}
                st.global.v4.u32 [%rd3], {{%r10, %r11, %r12, %r13}};
                ret;
            }}\n"
        )
    });
    format!(".version 8.8\n.target sm_75\n.address_size 64\n{}", kernels.collect::<String>())
}

/// Name and instruction of a fetch.
fn fetch(op: &str, dim: &str, ty: &str, coords: &str) -> (String, String) {
    let dim = match dim {
        "linear" => "1d",
        "pitched" => "2d",
        dim => dim,
    };
    let at = match dim {
        "1d" => "%r4",
        "2d" => "%r4, %r5",
        "3d" | "cube" => "%r4, %r5, %r6, %r6",
        "a1d" => "%r7, %r4",
        "a2d" => "%r7, %r4, %r5, %r5",
        _ => "%r7, %r4, %r5, %r6",
    };
    let more = if op == "tex.level" { ", %r7" } else { "" };
    let name = format!("{op}_{dim}_{ty}_{coords}").replace('.', "_");
    (name, format!("{op}.{dim}.v4.{ty}.{coords} {{%r10, %r11, %r12, %r13}}, [%rd1, {{{at}}}]{more};"))
}

fn run(
    bench: &mut Bench,
    kernel: &str,
    object: Arg,
    points: &[u32],
    lanes: u32,
) -> Result<(Vec<u32>, Counters), Error> {
    let (from, to) = (bench.words(points), bench.words(&vec![0; points.len()]));
    let samples = (points.len() / 4) as u32;
    let args =
        vec![object, Arg::Buffer(from, 0), Arg::Buffer(to, 0), Arg::Value(lanes.to_le_bytes().to_vec())];
    let launch = simt::Launch {
        module: bench.module,
        kernel,
        grid: [samples.div_ceil(128), 1, 1],
        block: [samples.min(128), 1, 1],
        shared_bytes: 0,
        args,
        cluster: None,
        cooperative: false,
    };
    bench.device.options().trace = Some(FETCHES);
    let outcome = bench.device.launch(&launch)?;
    let counters = outcome.counters;
    assert_eq!(explained(&outcome) as u64, counters.texture_instructions, "{kernel}");
    let out = bench.read(to, points.len());
    bench.device.free(from).unwrap();
    bench.device.free(to).unwrap();
    Ok((out, counters))
}

#[derive(serde::Deserialize)]
struct Fetches {
    id: u64,
    op: String,
    dim: String,
    #[serde(rename = "type")]
    ty: String,
    coords: String,
    format: String,
    normalised: u8,
    linear: u8,
    address: String,
    fraction: u8,
    size: [u32; 3],
    border: u8,
    texels: String,
    points: u64,
    samples: usize,
    /// FNV-1a of the words of all results.
    hash: Option<String>,
    /// The results' words where not all of them are found.
    raw: Option<String>,
}

fn border(kind: u8) -> [u32; 4] {
    match kind {
        1 => [0.25f32, -1.5, 3e5, 1.0].map(f32::to_bits),
        2 => [-7, 993, 1993, 2993].map(|v: i32| v as u32),
        _ => NONE,
    }
}

fn lines<T: serde::de::DeserializeOwned>(text: &str) -> Vec<T> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A device with the kernels of these fetches.
fn bench_of<'a>(fetches: impl Iterator<Item = [&'a str; 4]>) -> Bench {
    let kernels: HashMap<String, String> =
        fetches.map(|[op, dim, ty, coords]| fetch(op, dim, ty, coords)).collect();
    Bench::new(&module(&kernels.into_iter().collect::<Vec<_>>()))
}

fn results(bench: &mut Bench, of: &Fetches) -> Vec<u32> {
    let format = format(&of.format);
    let mode = match of.address.as_str() {
        "wrap" => AddressMode::Wrap,
        "clamp" => AddressMode::Clamp,
        "mirror" => AddressMode::Mirror,
        _ => AddressMode::Border,
    };
    let sampling = Sampling {
        linear: of.linear == 1,
        normalised_coordinates: of.fraction == 1,
        normalised_float: of.normalised == 1,
        border: border(of.border),
        ..sampling(mode)
    };
    let seed = 1_000_003 * of.id + 17;
    let count = match of.dim.as_str() {
        "linear" => of.size[0] as usize,
        dim => extent(dim, of.size).1,
    };
    let bytes = texels(format, &of.texels, count, seed);
    let texture = texture(&mut bench.device, &of.dim, of.size, format, sampling, &bytes);
    let points = Points {
        op: &of.op,
        dim: &of.dim,
        integers: of.coords == "s32",
        fraction: of.fraction == 1,
        kind: of.points,
        size: of.size,
    };
    let points = coordinates(&points, of.samples, seed ^ 0xab_cdef);
    let (kernel, _) = fetch(&of.op, &of.dim, &of.ty, &of.coords);
    run(bench, &kernel, Arg::Texture(texture), &points, of.samples as u32).unwrap().0
}

/// What is not found bit for bit: directions on cubes, whose reciprocal the chip approximates; texels of very different
/// sizes in three dimensions; and coordinates of the widest textures whose width is no power of two.
fn close(of: &Fetches, got: &[u32], want: &[u32]) -> bool {
    let differ = got.iter().zip(want).filter(|(a, b)| a != b).count();
    let allowed = match of.dim.as_str() {
        _ if of.format.starts_with("s8") => 0,
        _ if of.size[0] == 100_000 => 16,
        "cube" | "acube" => 1,
        _ => 2,
    };
    differ <= allowed
}

#[test]
fn fetches_give_what_the_hardware_gave() {
    let all: Vec<Fetches> = lines(include_str!("truth/textures.jsonl"));
    assert_eq!(all.len(), 596);
    let mut bench = bench_of(all.iter().map(|of| [of.op.as_str(), &of.dim, &of.ty, &of.coords]));
    let (mut wrong, mut exact) = (vec![], 0);
    for of in &all {
        let got = results(&mut bench, of);
        let right = match (&of.hash, &of.raw) {
            (Some(hash), _) => {
                let fnv = |h: u64, w: &u32| (h ^ u64::from(*w)).wrapping_mul(0x100_0000_01b3);
                format!("{:016x}", got.iter().fold(0xcbf2_9ce4_8422_2325, fnv)) == *hash
            }
            (None, Some(raw)) => {
                let want: Vec<u32> = (0..raw.len() / 8)
                    .map(|n| u32::from_str_radix(&raw[n * 8..][..8], 16).unwrap())
                    .collect();
                let channels = usize::from(format(&of.format).channels);
                let got: Vec<u32> = got.chunks(4).flat_map(|texel| &texel[..channels]).copied().collect();
                exact += usize::from(got == want);
                close(of, &got, &want)
            }
            (None, None) => false,
        };
        if !right {
            wrong.push(format!(
                "{} {}.{} {} {} linear {}",
                of.id, of.op, of.dim, of.format, of.address, of.linear
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), all.len(), wrong.join("\n"));
    let exact = exact + all.iter().filter(|of| of.hash.is_some()).count();
    assert_eq!(exact, 593, "configurations that are found bit for bit");
}

#[derive(serde::Deserialize)]
struct Counted {
    op: String,
    dim: String,
    #[serde(default)]
    coords: String,
    #[serde(default)]
    format: String,
    #[serde(default)]
    bytes: u32,
    #[serde(default)]
    normalised: u8,
    #[serde(default)]
    linear: u8,
    #[serde(default)]
    shift: f32,
    pattern: String,
    lanes: u32,
    size: [u32; 3],
    hw: HashMap<String, u64>,
}

impl Counted {
    /// The format, or of a surface the bytes of an access.
    fn texel(&self) -> String {
        if self.format.is_empty() { format!("{} bytes", self.bytes) } else { self.format.clone() }
    }

    fn type_of_result(&self) -> &'static str {
        match self.format.as_bytes().first() {
            _ if self.normalised == 1 => "f32",
            Some(b'f') => "f32",
            Some(b'u') => "u32",
            _ => "s32",
        }
    }

    /// The words that the lanes of a fetch read.
    fn points(&self) -> Vec<u32> {
        let [w, h, d] = self.size;
        let lanes = pattern(&self.pattern, w, h.max(1));
        let layer = |z: u32| {
            if self.op == "tex.level" {
                0
            } else if d > 0 {
                z
            } else {
                0
            }
        };
        let place = |n: usize, at: u32| match (self.coords.as_str(), self.dim.as_str()) {
            ("s32", _) => at,
            (_, "cube") if n == 2 => 1f32.to_bits(),
            (_, "cube") => ((at as f32 + self.shift) / 16.0 - 1.0).to_bits(),
            _ => (at as f32 + self.shift).to_bits(),
        };
        lanes
            .iter()
            .flat_map(|at| [place(0, at[0]), place(1, at[1]), place(2, at[2]), layer(at[2])])
            .collect()
    }
}

/// The surface instruction of a pattern.
fn surface_kernel(of: &Counted) -> (String, String) {
    let at = match of.dim.as_str() {
        "1d" => "%r4",
        "2d" => "%r4, %r5",
        _ => "%r4, %r5, %r6, %r6",
    };
    let (ty, values) = match of.bytes {
        1 => ("b8", "%h0"),
        2 => ("b16", "%h0"),
        4 => ("b32", "%r10"),
        8 => ("v2.b32", "{%r10, %r11}"),
        _ => ("v4.b32", "{%r10, %r11, %r12, %r13}"),
    };
    let (name, place) = (format!("{}_{}_{}", of.op, of.dim, of.bytes), format!("[%rd1, {{{at}}}]"));
    let body = match of.op.as_str() {
        "suld" => format!("suld.b.{}.{ty}.zero {values}, {place};", of.dim),
        "sust" => format!("mov.b16 %h0, 1; sust.b.{}.{ty}.zero {place}, {values};", of.dim),
        _ => format!("sured.b.add.{}.u32.clamp {place}, %r9;", of.dim),
    };
    (name, body)
}

/// Launches whose sectors the rules do not give.
const UNEXPLAINED: [&str; 3] = [
    "tex 2d f32x4 linear 1 +0.5 random16 of 32 lanes: texture_sectors 62, H200 60",
    "tex 2d f32x4 linear 1 +0.75 random16 of 32 lanes: texture_sectors 184, H200 180",
    "tex 2d f32x4 linear 1 +1 random16 of 32 lanes: texture_sectors 184, H200 180",
];

#[test]
fn patterns_count_what_the_hardware_counted() {
    let all: Vec<Counted> = lines(include_str!("truth/texture_counters.jsonl"));
    assert_eq!(all.len(), 452);
    let (surfaces, fetches): (Vec<&Counted>, Vec<&Counted>) =
        all.iter().partition(|of| of.op.starts_with("su"));
    let mut kernels: HashMap<String, String> =
        fetches.iter().map(|of| fetch(&of.op, &of.dim, of.type_of_result(), &of.coords)).collect();
    kernels.extend(surfaces.iter().map(|of| surface_kernel(of)));
    let mut bench = Bench::new(&module(&kernels.into_iter().collect::<Vec<_>>()));
    let mut wrong = vec![];
    for of in &all {
        let counters =
            if of.op.starts_with("su") { count_surface(&mut bench, of) } else { count_fetch(&mut bench, of) };
        for (name, want) in &of.hw {
            let got = counters.iter().find(|(there, _)| there == name).map(|(_, value)| value);
            if got != Some(*want) {
                wrong.push(format!(
                    "{} {} {} linear {} +{} {} of {} lanes: {name} {}, H200 {want}",
                    of.op,
                    of.dim,
                    of.texel(),
                    of.linear,
                    of.shift,
                    of.pattern,
                    of.lanes,
                    got.map_or_else(|| "nothing".to_owned(), |got| got.to_string())
                ));
            }
        }
    }
    // Of four lanes with texels of 16 bytes that are interpolated, the chip takes two at a time. Where the last reads what
    // the second did, it counts less; why it does not in the other patterns is not known.
    let understood = |line: &&String| !UNEXPLAINED.contains(&line.as_str());
    let others: Vec<&String> = wrong.iter().filter(understood).collect();
    assert!(others.is_empty(), "{}:\n{others:#?}", others.len());
    assert_eq!(wrong.len(), UNEXPLAINED.len(), "some of these are explained now");
}

fn count_fetch(bench: &mut Bench, of: &Counted) -> Counters {
    let format = format(&of.format);
    let sampling = Sampling {
        linear: of.linear == 1,
        normalised_float: of.normalised == 1,
        ..sampling(AddressMode::Clamp)
    };
    let count = if of.dim == "linear" { of.size[0] as usize } else { extent(&of.dim, of.size).1 };
    let bytes = vec![0; count * format.bytes() as usize];
    let texture = texture(&mut bench.device, &of.dim, of.size, format, sampling, &bytes);
    let (kernel, _) = fetch(&of.op, &of.dim, of.type_of_result(), &of.coords);
    run(bench, &kernel, Arg::Texture(texture), &of.points(), of.lanes).unwrap().1
}

fn count_surface(bench: &mut Bench, of: &Counted) -> Counters {
    let format = match of.bytes {
        1 => format("u8x1"),
        2 => format("u16x1"),
        bytes => format(&format!("u32x{}", bytes / 4)),
    };
    let (extent, count) = extent(&of.dim, of.size);
    let array = bench.device.allocate_array(extent, format).unwrap();
    bench.device.write_array(array, &vec![0; count * of.bytes as usize]).unwrap();
    let surface = bench.device.create_surface(array, 0).unwrap();
    let lanes = pattern(&of.pattern, of.size[0], of.size[1].max(1));
    let points: Vec<u32> = lanes.iter().flat_map(|at| [at[0] * of.bytes, at[1], 0, 0]).collect();
    run(bench, &surface_kernel(of).0, Arg::Surface(surface), &points, of.lanes).unwrap().1
}

// What is not as it must be.

fn two_by_two(device: &mut Device) -> Texture {
    let bytes: Vec<u8> = [1f32, 2.0, 3.0, 4.0].iter().flat_map(|v| v.to_le_bytes()).collect();
    texture(device, "2d", [2, 2, 0], format("f32x1"), sampling(AddressMode::Clamp), &bytes)
}

fn fault(result: Result<(Vec<u32>, Counters), Error>) -> (simt::FaultKind, String) {
    match result {
        Err(Error::Fault(fault)) => (fault.kind, fault.message),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_handle_that_is_of_no_texture_is_a_fault() {
    let mut bench = bench_of([["tex", "2d", "f32", "f32"], ["tex", "1d", "f32", "f32"]].into_iter());
    let texture = two_by_two(&mut bench.device);
    let handle = |value: u64| Arg::Value(value.to_le_bytes().to_vec());
    let (kind, message) = fault(run(&mut bench, "tex_2d_f32_f32", handle(0), &[0; 4], 1));
    assert!(
        kind == simt::FaultKind::NullPointer && message.contains("no texture has the handle 0x0"),
        "{message}"
    );
    let (kind, message) = fault(run(&mut bench, "tex_2d_f32_f32", handle(77), &[0; 4], 1));
    assert!(kind == simt::FaultKind::OutOfBoundsGlobal && message.contains("0x4d"), "{message}");
    let (kind, message) = fault(run(&mut bench, "tex_1d_f32_f32", Arg::Texture(texture), &[0; 4], 1));
    assert_eq!(kind, simt::FaultKind::UnsupportedInstruction);
    assert_eq!(message, "the instruction is for one dimension, but the object has two dimensions");
}

#[test]
fn unwritten_texels_are_an_uninitialised_read() {
    let mut bench = bench_of([["tex", "2d", "f32", "f32"]].into_iter());
    bench.device.options().checks = simt::Checks::ALL;
    let (extent, _) = extent("2d", [4, 4, 0]);
    let array = bench.device.allocate_array(extent, format("f32x1")).unwrap();
    let resource = Resource::Array(array);
    let sampling = sampling(AddressMode::Clamp);
    let texture = bench.device.create_texture(&resource, format("f32x1"), sampling).unwrap();
    let (kind, message) = fault(run(&mut bench, "tex_2d_f32_f32", Arg::Texture(texture), &[0; 4], 1));
    assert!(kind == simt::FaultKind::UninitialisedRead && message.contains("array 0"), "{message}");
    bench.device.write_array(array, &[0; 64]).unwrap();
    assert_eq!(run(&mut bench, "tex_2d_f32_f32", Arg::Texture(texture), &[0; 4], 1).unwrap().0, [0; 4]);
}

#[test]
fn a_surface_says_what_lies_outside_of_it_where_it_traps() {
    let body = "suld.b.2d.b32.trap %r10, [%rd1, {%r4, %r5}];".to_owned();
    let mut bench = Bench::new(&module(&[("k".to_owned(), body)]));
    let (extent, _) = extent("2d", [8, 4, 0]);
    let array = bench.device.allocate_array(extent, format("u32x1")).unwrap();
    bench.device.write_array(array, &[7; 128]).unwrap();
    let surface = Arg::Surface(bench.device.create_surface(array, 0).unwrap());
    assert_eq!(run(&mut bench, "k", surface.clone(), &[28, 3, 0, 0], 1).unwrap().0[0], 0x0707_0707);
    let (kind, message) = fault(run(&mut bench, "k", surface.clone(), &[32, 1, 0, 0], 1));
    assert_eq!(kind, simt::FaultKind::OutOfBoundsGlobal);
    let said =
        "access of 4 bytes at x = 32 bytes, y = 1, z = 0, outside a surface of 32 bytes by 4 rows by 1";
    assert_eq!(message, said);
    let (kind, _) = fault(run(&mut bench, "k", surface, &[5, 1, 0, 0], 1));
    assert_eq!(kind, simt::FaultKind::MisalignedAddress);
}

#[test]
fn a_formatted_store_cuts_halves_and_saturates_integers() {
    let body = "sust.p.2d.v4.b32.zero [%rd1, {%r4, 0}], {%r5, %r6, %r7, %r7};".to_owned();
    let mut bench = Bench::new(&module(&[("k".to_owned(), body)]));
    let mut stored = |name: &str, values: [u32; 2]| {
        let (extent, _) = extent("2d", [2, 1, 0]);
        let array = bench.device.allocate_array(extent, format(name)).unwrap();
        bench.device.write_array(array, &vec![0; bench.device.array_bytes(array).unwrap() as usize]).unwrap();
        let surface = Arg::Surface(bench.device.create_surface(array, 0).unwrap());
        run(&mut bench, "k", surface, &[0, values[0], values[1], 0], 1).unwrap();
        let mut bytes = vec![0; bench.device.array_bytes(array).unwrap() as usize];
        bench.device.read_array(array, &mut bytes).unwrap();
        bytes
    };
    // As an H200 stored them: 1.5214689 is nearest to 0x3e16.
    assert_eq!(stored("f16x2", [0x3fc2_bf7e, 0x3f80_4ba0])[..4], [0x15, 0x3e, 0x02, 0x3c]);
    assert_eq!(stored("u8x2", [300, 7])[..2], [255, 7]);
    assert_eq!(stored("s8x2", [-300i32 as u32, 300])[..2], [0x80, 0x7f]);
}

#[test]
fn a_clamped_access_goes_to_the_last_place_where_all_of_it_fits() {
    let body = "suld.b.1d.b32.clamp %r10, [%rd1, {%r4}];".to_owned();
    let mut bench = Bench::new(&module(&[("k".to_owned(), body)]));
    let (extent, _) = extent("1d", [21, 0, 0]);
    let array = bench.device.allocate_array(extent, format("u8x1")).unwrap();
    bench.device.write_array(array, &std::array::from_fn::<u8, 21, _>(|n| n as u8)).unwrap();
    let surface = Arg::Surface(bench.device.create_surface(array, 0).unwrap());
    for (x, said) in [(-4i32, 0x0302_0100), (12, 0x0f0e_0d0c), (20, 0x1312_1110), (60, 0x1312_1110)] {
        let (out, _) = run(&mut bench, "k", surface.clone(), &[x as u32, 0, 0, 0], 1).unwrap();
        assert_eq!(out[0], said, "{x}");
    }
}

#[test]
fn a_reference_gives_the_texture_that_is_bound_to_it() {
    let ptx = module(&[(
        "k".to_owned(),
        "tex.2d.v4.f32.s32 {%r10, %r11, %r12, %r13}, [image, {%r4, %r5}];".to_owned(),
    )]);
    let ptx = ptx.replacen(".address_size 64\n", ".address_size 64\n.global .texref image;\n", 1);
    let mut bench = Bench::new(&ptx);
    let points = [1, 1, 0, 0];
    let none = Arg::Value(vec![0; 8]);
    let (kind, _) = fault(run(&mut bench, "k", none.clone(), &points, 1));
    assert_eq!(kind, simt::FaultKind::NullPointer);
    let texture = two_by_two(&mut bench.device);
    bench.device.bind_texture(bench.module, "image", texture).unwrap();
    assert_eq!(run(&mut bench, "k", none, &points, 1).unwrap().0[0], 4f32.to_bits());
    let error = bench.device.bind_texture(bench.module, "picture", texture).unwrap_err();
    assert!(error.to_string().contains("it has: image"), "{error}");
}

#[test]
fn sizes_and_kinds_of_handles_can_be_asked() {
    let body = "txq.width.b32 %r10, [%rd1]; txq.height.b32 %r11, [%rd1]; txq.depth.b32 %r12, [%rd1];
                istypep.texref %p1, %rd1; selp.b32 %r13, 1, 0, %p1;";
    let mut bench = Bench::new(&module(&[("k".to_owned(), body.to_owned())]));
    // What an H200 answers.
    for (dim, size, said) in [
        ("1d", [101, 0, 0], [101, 1, 0]),
        ("2d", [37, 23, 0], [37, 23, 0]),
        ("3d", [32, 19, 11], [32, 19, 11]),
        ("a1d", [29, 0, 6], [29, 6, 0]),
        ("a2d", [29, 13, 6], [29, 13, 6]),
        ("cube", [8, 8, 0], [8, 8, 0]),
        ("acube", [8, 8, 3], [8, 8, 3]),
        ("linear", [29, 0, 0], [29, 0, 0]),
        ("pitched", [33, 17, 0], [33, 17, 0]),
    ] {
        let count = if dim == "linear" || dim == "pitched" {
            size[0] * size[1].max(1)
        } else {
            extent(dim, size).1 as u32
        };
        let bytes = vec![0; count as usize * 4];
        let of = texture(&mut bench.device, dim, size, format("f32x1"), sampling(AddressMode::Clamp), &bytes);
        let (out, _) = run(&mut bench, "k", Arg::Texture(of), &[0; 4], 1).unwrap();
        assert_eq!(out, [said[0], said[1], said[2], 1], "{dim}");
    }
}

#[test]
fn textures_that_an_h200s_driver_refuses_are_refused() {
    let mut device = Device::new(simt::Chip::by_name("h200").unwrap());
    let buffer = device.allocate(1 << 16).unwrap();
    let mut pitched = |offset: u64, pitch: u64, sampling: Sampling, name: &str| {
        let resource = Resource::Pitched { buffer, offset, width: 4, height: 4, pitch };
        device.create_texture(&resource, format(name), sampling)
    };
    let plain = sampling(AddressMode::Clamp);
    for pitch in [32, 64, 96, 128, 160, 192, 224, 256, 512] {
        assert!(pitched(0, pitch, plain, "f32x1").is_ok(), "{pitch}");
    }
    for pitch in [16, 20, 28, 48, 60, 100, 272] {
        let error = pitched(0, pitch, plain, "f32x1").unwrap_err().to_string();
        assert!(
            error.contains(&format!("multiple of 32 bytes apart, but these are {pitch} bytes apart")),
            "{error}"
        );
    }
    for offset in [4, 16, 32, 64, 128, 256] {
        let error = pitched(offset, 256, plain, "f32x1").unwrap_err().to_string();
        assert!(error.contains("must begin at a multiple of 512 bytes"), "{error}");
    }
    let linear = Sampling { linear: true, ..plain };
    assert!(pitched(0, 64, linear, "u8x1").unwrap_err().to_string().contains("linear filter"));
    let normalised = Sampling { normalised_float: true, ..plain };
    assert!(pitched(0, 64, normalised, "s32x1").unwrap_err().to_string().contains("normalised float"));
    assert!(pitched(0, 64, plain, "f32x3").is_err());
    let cube = Extent { dimension: Dimension::Cube, size: [4, 5, 1], layers: None, levels: None };
    assert!(device.allocate_array(cube, format("f32x1")).unwrap_err().to_string().contains("square"));
}
