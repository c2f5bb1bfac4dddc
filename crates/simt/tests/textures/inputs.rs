//! Texels, coordinates and patterns of `truth/textures.cu`: the random numbers of both are the same.

#![allow(unreachable_pub, missing_docs, reason = "it is a part of a test")]

use simt::texture::{Channel, Format};

/// SplitMix64, of which each number is the upper half.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 32) as u32
    }

    /// From 0 to 1, 24 bits.
    pub fn unit(&mut self) -> (u32, f32) {
        let a = self.next();
        (a, (a >> 8) as f32 * (1.0 / 16_777_216.0))
    }
}

const SPECIAL_TEXELS: [u32; 12] = [
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0x7f80_0001,
    0x0000_0001,
    0x007f_ffff,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x8000_0000,
    0x3f80_0000,
    0x0080_0000,
    0xbf80_0000,
];

/// A format by its name there, such as `u8x4`.
pub fn format(name: &str) -> Format {
    let (channel, channels) = name.split_once('x').unwrap();
    let channel = match channel {
        "u8" => Channel::U8,
        "s8" => Channel::I8,
        "u16" => Channel::U16,
        "s16" => Channel::I16,
        "f16" => Channel::F16,
        "u32" => Channel::U32,
        "s32" => Channel::I32,
        _ => Channel::F32,
    };
    Format { channel, channels: channels.parse().unwrap() }
}

/// The bytes of `count` texels.
pub fn texels(format: Format, kind: &str, count: usize, seed: u64) -> Vec<u8> {
    let mut rng = Rng(seed);
    let channels = usize::from(format.channels);
    let size = format.channel.bytes() as usize;
    let mut bytes = Vec::with_capacity(count * channels * size);
    for n in 0..count * channels {
        let u = rng.next();
        let index = (n / channels) as f32;
        let element = match (format.channel, kind) {
            (Channel::F32, "plain") => {
                let value = f32::from_bits(0x3f00_0000 + (u & 0xff_ffff));
                (if u >> 31 != 0 { -value } else { value }).to_bits()
            }
            (Channel::F32, "ramp") => (index * 256.0).to_bits(),
            (Channel::F32, "unit") => 0x3f80_0000 | u & 0x7f_ffff,
            (Channel::F32, "wide") => (107 + rng.next() % 40) << 23 | u & 0x807f_ffff,
            (Channel::F32, "index") => index.to_bits(),
            (Channel::F32, _) => SPECIAL_TEXELS[u as usize % 12],
            (Channel::F16, kind) => {
                let half = rng.next() & 0x8000 | (8 + rng.next() % 8) << 10 | rng.next() & 0x3ff;
                if kind == "special" { u & 0xffff } else { half }
            }
            (_, "ramp" | "index") => n as u32,
            _ => u,
        };
        bytes.extend_from_slice(&element.to_le_bytes()[..size]);
    }
    bytes
}

const SPECIAL_PLACES: [u32; 20] = [
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0xffc0_0000,
    0x4b80_0000,
    0xcb80_0000,
    0x4f00_0000,
    0xcf00_0000,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x8000_0000,
    0x0000_0001,
    0x8000_0001,
    0x4700_0000,
    0xc700_0000,
    0x4974_23f0,
    0xc974_23f0,
    0x4a00_0001,
    0x5f00_0000,
    0xdf00_0000,
];

/// A place along an axis of `n` texels: 0 to 2 random, 3 halves, 4 of 512ths, 5 and 6 next to those, 7 far or special.
fn place(rng: &mut Rng, kind: u32, n: f32) -> f32 {
    let (a, r) = rng.unit();
    let b = rng.next();
    let beside = |value: f32| {
        let bits = if value == 0.0 { b % 9 } else { value.to_bits().wrapping_add(b % 9).wrapping_sub(4) };
        f32::from_bits(bits)
    };
    match kind {
        0 | 1 => r * n,
        2 => r * 2.0 * n - 0.5 * n,
        3 => ((a % (4.0 * n + 2.0) as u32) as i32 - n as i32) as f32 * 0.5,
        4 => ((a % (1024.0 * n) as u32) as i32 - (256.0 * n) as i32) as f32 / 512.0,
        5 => beside((a % (2.0 * n + 2.0) as u32) as f32 * 0.5),
        6 => beside((a % (n * 512.0) as u32) as f32 / 512.0),
        _ if !b.is_multiple_of(3) => (r - 0.5) * (n * 2f32.powi((b % 24) as i32)),
        _ => f32::from_bits(SPECIAL_PLACES[a as usize % 20]),
    }
}

/// What coordinates are made for.
pub struct Points<'a> {
    pub op: &'a str,
    pub dim: &'a str,
    pub integers: bool,
    /// Whether they are fractions of the size.
    pub fraction: bool,
    /// 1: most of them random; 2: all of 512ths.
    pub kind: u64,
    pub size: [u32; 3],
}

/// Four words for each sample: x, y, z, and a layer.
pub fn coordinates(of: &Points<'_>, samples: usize, seed: u64) -> Vec<u32> {
    let mut rng = Rng(seed);
    let mut words = Vec::with_capacity(samples * 4);
    for i in 0..samples {
        for j in 0..4 {
            words.push(coordinate(of, &mut rng, i, j));
        }
    }
    words
}

fn coordinate(of: &Points<'_>, rng: &mut Rng, i: usize, j: usize) -> u32 {
    let layers = of.size[2];
    let layer = |rng: &mut Rng, i: usize| {
        let a = rng.next();
        match i % 8 {
            1..=3 | 5..=7 => a % layers.max(1),
            4 => (a % (layers + 4)).wrapping_sub(2),
            _ => a,
        }
    };
    if of.integers {
        let kind = rng.next() % 4;
        let n = if j < 3 { of.size[j] } else { layers };
        let a = rng.next();
        return match kind {
            0 | 1 => a % n.max(1),
            2 => (a % (3 * n + 4)).wrapping_sub(n + 2),
            _ if j == 3 => (a % 7).wrapping_sub(3),
            _ => a,
        };
    }
    if matches!(of.dim, "cube" | "acube") {
        if j == 3 {
            let a = rng.next();
            return if !i.is_multiple_of(4) { a % layers.max(1) } else { (a % (layers + 4)).wrapping_sub(2) };
        }
        return direction(rng, i);
    }
    if j == 3 && of.op == "tex.level" {
        let (a, unit) = rng.unit();
        let level = if i % 2 == 1 { unit * 8.0 - 1.0 } else { ((a % 4096) as i32 - 256) as f32 / 512.0 };
        return level.to_bits();
    }
    if j == 3 {
        return layer(rng, i);
    }
    let kind = match of.kind {
        1 if rng.next() & 3 != 0 => 0,
        1 | 2 => 4,
        _ if i % 16 == 15 => 7,
        _ => rng.next() % 7,
    };
    let n = of.size[j].max(1) as f32;
    let at = place(rng, kind, n);
    (if of.fraction { at / n } else { at }).to_bits()
}

/// A component of a direction.
fn direction(rng: &mut Rng, i: usize) -> u32 {
    let (a, unit) = rng.unit();
    let mut value = (unit - 0.5) * 4.0;
    match i % 8 {
        0 => value = ((a % 5) as i32 - 2) as f32,
        1 => value = ((a % 65) as i32 - 32) as f32 / 16.0,
        2 if a & 3 == 0 => value = 0.0,
        3 if a & 1 != 0 => value = if value < 0.0 { -2.0 } else { 2.0 },
        _ => {}
    }
    if i % 64 == 9 {
        value = place(rng, 7, 1.0);
    }
    value.to_bits()
}

/// The texels that the 32 lanes of a pattern reach.
pub fn pattern(name: &str, width: u32, height: u32) -> Vec<[u32; 3]> {
    let mut rng = Rng(99);
    let mut random = |x: u32, y: u32, z: u32| {
        let x = rng.next() % x;
        let y = rng.next() % y;
        [x, y, if z > 1 { rng.next() % z } else { 0 }]
    };
    let tile = |i: u32, w: u32| [i % w, i / w, 0];
    (0..32)
        .map(|i| match name {
            "same" => [3, 3, 0],
            "row" => [i, 2, 0],
            "row_odd" => [i + 1, 3, 0],
            "row5" => [i + 5, 0, 0],
            "reverse" => [31 - i, 0, 0],
            "column" => [2, i, 0],
            "8x4" => tile(i, 8),
            "4x8" => tile(i, 4),
            "16x2" => tile(i, 16),
            "16x2_odd" => [i % 16, i / 16 + 1, 0],
            "2x16" => tile(i, 2),
            "quads" => [i / 4 % 4 * 2 + i % 2, i / 16 * 2 + i / 2 % 2, 0],
            "stride2" => [2 * i, 0, 0],
            "stride4" => [4 * i % width, 0, 0],
            "stride8" => [8 * i % width, 8 * i / width, 0],
            "diagonal" => [i, i, 0],
            "pairs" => [i / 2, i / 2, 0],
            "halves" => [i % 16 + i / 16 * 64, i / 16 * 20, 0],
            "quarter" => [i % 8 + i / 8 * 32, i / 8 * 9, 0],
            "depth" => [1, 1, i % 16],
            "4x4x2" => [i % 4, i / 4 % 4, i / 16],
            "random16" => random(16, 16, 1),
            "random64" => random(64, 64, 1),
            "random3" => random(32, 32, 16),
            _ => random(width, height, 1),
        })
        .collect()
}
