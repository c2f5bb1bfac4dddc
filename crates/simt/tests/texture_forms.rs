//! Forms of texture instructions: what an H200 gave for the cases of `truth/texture_forms.cu`, that is levels of mipmapped
//! arrays, gradients, offsets, gathers of all shapes, depths, halves, residency and samples.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common::{Bench, FETCHES, explained};
use crate::textures::inputs::{Rng, format};
use simt::texture::{AddressMode, Channel, Dimension, Extent, Mipmap, Resource, Sampling};
use simt::{Arg, Device, Error};

const SAMPLES: usize = 512;

#[derive(serde::Deserialize)]
struct Case {
    id: u64,
    kernel: String,
    dimension: String,
    format: String,
    size: [u32; 3],
    levels: u32,
    address: usize,
    linear: u32,
    between: u32,
    fraction: u32,
    bias: f32,
    clamp: [f32; 2],
    /// FNV-1a of the words of all results.
    hash: Option<String>,
    /// The first words of the results where not all of them are found.
    raw: Option<String>,
}

impl Case {
    fn extent(&self) -> Extent {
        let [w, h, d] = self.size;
        let (dimension, size, layers) = match self.dimension.as_str() {
            "1d" => (Dimension::One, [w, 1, 1], None),
            "2d" => (Dimension::Two, [w, h, 1], None),
            "3d" => (Dimension::Three, [w, h, d], None),
            "a1d" => (Dimension::One, [w, 1, 1], Some(d)),
            "a2d" => (Dimension::Two, [w, h, 1], Some(d)),
            "cube" => (Dimension::Cube, [w, h, 1], None),
            _ => (Dimension::Cube, [w, h, 1], Some(d)),
        };
        Extent { dimension, size, layers, levels: (self.levels > 0).then_some(self.levels) }
    }

    fn texels(&self, random: &mut Rng) -> Vec<u8> {
        let format = format(&self.format);
        let bytes = format.channel.bytes() as usize;
        let count = self.extent().texels().unwrap() as usize * usize::from(format.channels);
        let mut all = Vec::with_capacity(count * bytes);
        for _ in 0..count {
            let word = random.next();
            let word = match format.channel {
                Channel::F32 => 0x3f80_0000 | word & 0x7f_ffff,
                Channel::F16 => word & 0x83ff | (8 + word / 65536 % 8) << 10,
                Channel::U8 | Channel::I8 | Channel::U16 | Channel::I16 | Channel::U32 | Channel::I32 => word,
            };
            all.extend_from_slice(&word.to_le_bytes()[..bytes]);
        }
        all
    }

    /// Sixteen words for each sample.
    fn samples(&self, random: &mut Rng) -> Vec<u32> {
        let cube = self.dimension.contains("cube");
        let integers = self.kernel.contains("s32") || self.kernel.contains("ms");
        let mut words = vec![];
        for i in 0..SAMPLES as u32 {
            for size in self.size {
                let unit = random.unit().1;
                let side = if self.fraction == 1 { 1.0 } else { size as f32 };
                words.push(if integers {
                    ((unit * 1.5 * size as f32) as u32).wrapping_sub(size / 4)
                } else if cube {
                    (unit * 2.0 - 1.0).to_bits()
                } else {
                    ((unit * 1.5 - 0.25) * side).to_bits()
                });
            }
            words.push(random.next() % (self.size[2] + 1));
            let level = random.unit().1 * (self.levels + 2) as f32 - 1.0;
            words.push(match self.kernel.as_str() {
                "sample_a2dms" => i % 3,
                _ if integers || self.kernel == "sizes" => level.floor() as i32 as u32,
                _ => level.to_bits(),
            });
            for n in 0..6 {
                let exponent = (random.next() % 9) as i32 - if cube { 12 } else { 9 };
                let fraction = 1.0 + random.unit().1;
                let change = fraction * 2f32.powi(exponent);
                let zero = i % 2 == 1 && n != i / 2 % 6;
                let signed = if zero {
                    0.0
                } else if random.next() % 2 == 1 {
                    -change
                } else {
                    change
                };
                words.push(signed.to_bits());
            }
            for _ in 0..3 {
                let offset = random.next();
                words.push(if i % 2 == 1 { (offset % 16).wrapping_sub(8) } else { offset });
            }
            words.extend([0, 0]);
        }
        words
    }

    fn sampling(&self) -> Sampling {
        let modes = [AddressMode::Wrap, AddressMode::Clamp, AddressMode::Mirror, AddressMode::Border];
        Sampling {
            address: [modes[self.address]; 3],
            linear: self.linear == 1,
            normalised_coordinates: self.fraction == 1,
            normalised_float: format(&self.format).channel.normalises(),
            border: [0; 4],
            mipmap: Mipmap {
                linear: self.between == 1,
                bias: self.bias.to_bits(),
                clamp: self.clamp.map(f32::to_bits),
            },
        }
    }

    fn results(&self, bench: &mut Bench) -> Vec<u32> {
        let seed = 1_000_003 * self.id + 17;
        let format = format(&self.format);
        let array = bench.device.allocate_array(self.extent(), format).unwrap();
        bench.device.write_array(array, &self.texels(&mut Rng(seed))).unwrap();
        let texture = bench.device.create_texture(&Resource::Array(array), format, self.sampling()).unwrap();
        run(bench, &self.kernel, texture, &self.samples(&mut Rng(seed ^ 0xab_cdef))).unwrap()
    }
}

fn run(
    bench: &mut Bench,
    kernel: &str,
    texture: simt::texture::Texture,
    samples: &[u32],
) -> Result<Vec<u32>, Error> {
    let count = samples.len() / 16;
    let (from, to) = (bench.words(samples), bench.words(&vec![0; count * 4]));
    let args = vec![
        Arg::Texture(texture),
        Arg::Buffer(from, 0),
        Arg::Buffer(to, 0),
        Arg::Value((count as u32).to_le_bytes().to_vec()),
    ];
    bench.device.options().trace = Some(FETCHES);
    let outcome = bench.device.launch(&simt::Launch {
        module: bench.module,
        kernel,
        grid: [(count as u32).div_ceil(128), 1, 1],
        block: [128, 1, 1],
        shared_bytes: 0,
        args,
        cluster: None,
        cooperative: false,
    })?;
    let fetches = if kernel == "sizes" { 0 } else { outcome.counters.texture_instructions as usize };
    assert_eq!(explained(&outcome), fetches, "{kernel}");
    Ok(bench.read(to, count * 4))
}

/// The level of a fetch with gradients in two directions is that of the chip or up to 2/256 apart, in nine of ten samples
/// the same; where a changed direction leaves the face of a cube that it met, it may be any.
fn close(of: &Case, got: &[u32], want: &[u32]) -> bool {
    if !of.kernel.starts_with("grad") {
        // A reciprocal that the chip rounds otherwise moves one direction in a thousand.
        return got.iter().step_by(4).zip(want).filter(|(a, b)| a != b).count() <= 1;
    }
    let value = |bits: &u32| f32::from_bits(*bits);
    let pairs = || got.iter().step_by(4).map(value).zip(want.iter().map(value));
    let same = pairs().filter(|(a, b)| a == b).count();
    if of.dimension.contains("cube") {
        return same * 2 >= want.len();
    }
    // Texels lie between 1 and 2, so that 2/256 of the way from one level to the next changes at most as much.
    same * 10 >= want.len() * 9 && pairs().all(|(a, b)| (a - b).abs() <= 2.0 / 256.0)
}

#[test]
fn forms_give_what_the_hardware_gave() {
    let text = include_str!("truth/texture_forms.jsonl");
    let all: Vec<Case> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut bench = Bench::new(include_str!("truth/texture_forms.ptx"));
    let mut wrong = vec![];
    for of in &all {
        let got = of.results(&mut bench);
        let right = match (&of.hash, &of.raw) {
            (Some(hash), _) => {
                let fnv = |h: u64, w: &u32| (h ^ u64::from(*w)).wrapping_mul(0x100_0000_01b3);
                format!("{:016x}", got.iter().fold(0xcbf2_9ce4_8422_2325, fnv)) == *hash
            }
            (None, Some(raw)) => {
                let word = |n: usize| u32::from_str_radix(&raw[n * 8..][..8], 16).unwrap();
                close(of, &got, &(0..raw.len() / 8).map(word).collect::<Vec<_>>())
            }
            (None, None) => false,
        };
        if !right {
            let Case { id, kernel, format, address, linear, between, .. } = of;
            wrong.push(format!("{id} {kernel} {format} address {address} linear {linear} between {between}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), all.len(), wrong.join("\n"));
}

#[test]
fn arrays_have_as_many_levels_as_their_size_can_be_halved() {
    let mut device = Device::new(simt::Chip::by_name("h200").unwrap());
    let extent =
        |levels| Extent { dimension: Dimension::Two, size: [37, 23, 1], layers: None, levels: Some(levels) };
    assert!(device.allocate_array(extent(6), format("f32x1")).is_ok());
    let refused = |device: &mut Device, levels| {
        device.allocate_array(extent(levels), format("f32x1")).unwrap_err().to_string()
    };
    assert!(refused(&mut device, 7).contains("7 levels; 6 is the most"), "{}", refused(&mut device, 7));
    assert!(refused(&mut device, 0).contains("0 levels"));
}

#[test]
fn a_level_that_is_not_there_is_refused() {
    let mut device = Device::new(simt::Chip::by_name("h200").unwrap());
    let extent = Extent { dimension: Dimension::Two, size: [8, 8, 1], layers: None, levels: Some(3) };
    let array = device.allocate_array(extent, format("u8x4")).unwrap();
    let error = device.create_surface(array, 3).unwrap_err().to_string();
    assert!(error.contains("level 3; the last of the array is 2"), "{error}");
    let plain = device.allocate_array(Extent { levels: None, ..extent }, format("u8x4")).unwrap();
    assert!(device.create_surface(plain, 1).is_err());
    assert!(device.create_surface(plain, 0).is_ok());
}

fn refused(instruction: &str) -> String {
    let ptx = format!(
        ".version 8.8\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 t) {{
            .reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<2>; ld.param.u64 %rd1, [t];
            {instruction} ret; }}"
    );
    Bench::try_new(&ptx).err().unwrap().to_string()
}

#[test]
fn what_ptxas_refuses_of_a_fetch_is_refused() {
    for instruction in [
        "tex.cube.v4.f32.f32 {%r1, %r2, %r3, %r4}, [%rd1, {%r5, %r6, %r7, %r7}], {%r1, %r1, %r1, %r1};",
        "tex.3d.v4.f32.f32 {%r1, %r2, %r3, %r4}, [%rd1, {%r5, %r6, %r7, %r7}], %r8;",
        "tex.level.2dms.v4.f32.s32 {%r1, %r2, %r3, %r4}, [%rd1, {%r5, %r6, %r7, %r7}], %r8;",
        "tex.2d.v2.f32.f32 {%r1, %r2}, [%rd1, {%r5, %r6}];",
        "tld4.r.3d.v4.f32.f32 {%r1, %r2, %r3, %r4}, [%rd1, {%r5, %r6, %r7, %r7}];",
        "tex.grad.2d.v4.f32.f32 {%r1, %r2, %r3, %r4}, [%rd1, {%r5, %r6}], {%r5}, {%r6};",
        "tex.level.2d.v4.f32.f32 {%r1, %r2, %r3, %r4}, [%rd1, {%r5, %r6}];",
    ] {
        let name = instruction.split(' ').next().unwrap();
        assert!(refused(instruction).contains(name), "{}", refused(instruction));
    }
}
