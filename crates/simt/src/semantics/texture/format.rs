//! Formats of texels: bits in memory to the registers of a fetch, and back.

use crate::semantics::half::f16_from_f32;

/// Type of a texel's channels (`cudaChannelFormatKind` and the bits of a channel).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Channel {
    U8,
    I8,
    U16,
    I16,
    F16,
    U32,
    I32,
    F32,
}

/// A texel's channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Format {
    /// Type of each channel.
    pub channel: Channel,
    /// Channels: 1, 2 or 4.
    pub channels: u8,
}

impl Channel {
    /// Size, bytes.
    pub fn bytes(self) -> u64 {
        match self {
            Channel::U8 | Channel::I8 => 1,
            Channel::U16 | Channel::I16 | Channel::F16 => 2,
            Channel::U32 | Channel::I32 | Channel::F32 => 4,
        }
    }

    /// Whether it is a floating-point type.
    pub fn is_float(self) -> bool {
        match self {
            Channel::F16 | Channel::F32 => true,
            Channel::U8 | Channel::I8 | Channel::U16 | Channel::I16 | Channel::U32 | Channel::I32 => false,
        }
    }

    /// Whether it can be read as a normalised float: integers of 8 and 16 bits.
    pub fn normalises(self) -> bool {
        match self {
            Channel::U8 | Channel::I8 | Channel::U16 | Channel::I16 => true,
            Channel::F16 | Channel::F32 | Channel::U32 | Channel::I32 => false,
        }
    }

    /// The 32 bits of a register that hold an element of this type as it is.
    pub(crate) fn element(self, bits: u32) -> u32 {
        match self {
            Channel::U8 => bits & 0xff,
            Channel::I8 => bits as i8 as u32,
            Channel::U16 => bits & 0xffff,
            Channel::I16 => bits as i16 as u32,
            Channel::F16 => half_to_single(bits as u16),
            Channel::U32 | Channel::I32 | Channel::F32 => bits,
        }
    }

    /// An element as a float of [0, 1] or [-1, 1] (CUDA C++ Programming Guide, "Texture Memory", read mode).
    pub(crate) fn normalised(self, bits: u32) -> u32 {
        let value = match self {
            Channel::U8 => (bits & 0xff) as f32 / 255.0,
            Channel::I8 => (f32::from(bits as i8) / 127.0).max(-1.0),
            Channel::U16 => (bits & 0xffff) as f32 / 65535.0,
            Channel::I16 => (f32::from(bits as i16) / 32767.0).max(-1.0),
            Channel::F16 | Channel::U32 | Channel::I32 | Channel::F32 => return self.element(bits),
        };
        value.to_bits()
    }

    /// The integer after a normalised float that the filter interpolates: 16 bits, of a signed byte 8.
    pub(crate) fn interpolated(self, bits: u32) -> i64 {
        match self {
            Channel::U8 => i64::from(bits & 0xff) * 257,
            Channel::I8 => i64::from(bits as i8),
            Channel::U16 => i64::from(bits & 0xffff),
            Channel::I16 => i64::from(bits as i16).max(-32767),
            Channel::F16 | Channel::U32 | Channel::I32 | Channel::F32 => i64::from(bits as i32),
        }
    }

    /// The normalised float of a weighted sum of [`Channel::interpolated`], in 256ths, ties up.
    pub(crate) fn of_interpolated(self, sum: i64) -> f32 {
        match self {
            // 15 bits of the sum become 16 by adding a 128th and a 32768th of it, cut off and rounded.
            Channel::I8 => (sum + (((sum >> 4) + (sum >> 12) + 4) >> 3)).max(-32767) as f32 / 32767.0,
            Channel::I16 => ((sum + 128) >> 8) as f32 / 32767.0,
            Channel::U8 | Channel::U16 | Channel::F16 | Channel::U32 | Channel::I32 | Channel::F32 => {
                ((sum + 128) >> 8) as f32 / 65535.0
            }
        }
    }

    /// The texel nearest to a border colour, which is the bits of a float, or of an integer where integers are read.
    pub(crate) fn border(self, bits: u32, normalised: bool) -> u32 {
        let value = f32::from_bits(bits);
        let nearest = |least: f32, most: f32| (value.clamp(least, 1.0) * most).round() as i32 as u32;
        match self {
            Channel::U8 if normalised => nearest(0.0, 255.0),
            Channel::U16 if normalised => nearest(0.0, 65535.0),
            Channel::I8 if normalised => nearest(-1.0, 127.0),
            Channel::I16 if normalised => nearest(-1.0, 32767.0),
            Channel::F16 => f16_from_f32(value.clamp(-65504.0, 65504.0).to_bits()).into(),
            Channel::U8
            | Channel::I8
            | Channel::U16
            | Channel::I16
            | Channel::U32
            | Channel::I32
            | Channel::F32 => bits,
        }
    }

    /// The bits in memory that a formatted store (`sust.p`) makes of a register.
    pub(crate) fn stored(self, register: u32) -> u32 {
        let signed = register as i32;
        match self {
            Channel::U8 => register.min(0xff),
            Channel::I8 => signed.clamp(-0x80, 0x7f) as u32 & 0xff,
            Channel::U16 => register.min(0xffff),
            Channel::I16 => signed.clamp(-0x8000, 0x7fff) as u32 & 0xffff,
            Channel::F16 => cut_to_half(register).into(),
            Channel::U32 | Channel::I32 | Channel::F32 => register,
        }
    }
}

impl Format {
    /// Size of a texel, bytes.
    pub fn bytes(self) -> u64 {
        self.channel.bytes() * u64::from(self.channels)
    }

    /// The bits of a channel of a texel in memory.
    pub(crate) fn channel_bits(self, texel: &[u8; 16], channel: usize) -> u32 {
        let size = self.channel.bytes() as usize;
        let mut bits = [0; 4];
        bits[..size].copy_from_slice(&texel[channel * size..][..size]);
        u32::from_le_bytes(bits)
    }
}

/// Two floats as a register with two f16s, the first in the lower half, as `tex.….f16x2` gives them: rounded to nearest.
pub(crate) fn pair_of_halves(low: u32, high: u32) -> u32 {
    u32::from(f16_from_f32(low)) | u32::from(f16_from_f32(high)) << 16
}

/// An f16 as an f32, bit for bit.
fn half_to_single(half: u16) -> u32 {
    let sign = u32::from(half & 0x8000) << 16;
    let magnitude = u32::from(half & 0x7fff);
    let value = match magnitude >> 10 {
        31 => 0x7f80_0000 | (magnitude & 0x3ff) << 13,
        // Exact: 24 bits hold it, and the product is a power of two away.
        0 => (magnitude as f32 * f32::from_bits(0x3380_0000)).to_bits(),
        _ => (magnitude << 13) + (112 << 23),
    };
    sign | value
}

/// An f32 as the f16 next to it toward zero, as the surface unit stores it.
fn cut_to_half(bits: u32) -> u16 {
    let nearest = f16_from_f32(bits);
    let magnitude = bits & 0x7fff_ffff;
    if magnitude >= 0x7f80_0000 {
        return nearest;
    }
    let beyond = half_to_single(nearest) & 0x7fff_ffff > magnitude;
    nearest - u16::from(beyond)
}
