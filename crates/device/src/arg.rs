//! Kernel arguments, and how they lie in memory.

use crate::error::{Error, Result};
use crate::handle::Buffer;

/// One kernel argument. `B` is a buffer: a device's own handle, or the name that a plan or a job has for one that is yet to be
/// allocated ([`Arg::resolve`]).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Arg<B = Buffer> {
    /// A pointer into a buffer, `offset` bytes past its start.
    Buffer {
        /// The buffer.
        buffer: B,
        /// Bytes past its start; may be past its end, as a C pointer may.
        offset: u64,
    },
    /// The pitch of a pitched buffer as a `size_t`, in elements.
    Pitch {
        /// The buffer.
        buffer: B,
        /// Bytes of an element, a divisor of the pitch.
        element: u64,
    },
    /// `int`.
    I32(i32),
    /// `unsigned int`.
    U32(u32),
    /// `long long`.
    I64(i64),
    /// `unsigned long long`, and `size_t`.
    U64(u64),
    /// `float`.
    F32(f32),
    /// `double`.
    F64(f64),
    /// A null pointer.
    Null,
    /// A number of another type, or a vector such as `float4`.
    Value(Value),
    /// A struct by value, as it lies in memory. Inside of [`Arg::Struct`]: an array of `char`.
    Bytes(Vec<u8>),
    /// A struct by value, pointers among its members: each lies at the next multiple of its own alignment, and the size is
    /// a multiple of the largest, as C has it on every platform that CUDA runs on.
    Struct(Vec<Arg<B>>),
}

/// A number, or a vector of numbers, by its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Value {
    /// Name of the type in errors, such as `bf16`.
    pub ty: String,
    /// Kind of its values.
    pub class: Class,
    /// Alignment, bytes: a power of two.
    pub align: usize,
    /// The bytes, little-endian.
    pub bytes: Vec<u8>,
}

/// Kind of an argument's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Class {
    /// Integers and `bool`.
    Integer,
    /// Floating-point numbers.
    Float,
    /// Addresses.
    Pointer,
    /// Numbers that programs also keep in an integer, such as `__half2` and `__nv_fp8_storage_t`.
    Packed,
    /// Raw bytes, and structs.
    Bytes,
}

impl<B> From<B> for Arg<B> {
    fn from(buffer: B) -> Self {
        Arg::Buffer { buffer, offset: 0 }
    }
}

impl<B> Arg<B> {
    /// The argument with each of its buffers replaced by what `buffer` finds for it.
    ///
    /// # Errors
    /// The first of `buffer`'s.
    pub fn resolve<C, E>(
        &self,
        buffer: &impl Fn(&B) -> std::result::Result<C, E>,
    ) -> std::result::Result<Arg<C>, E> {
        Ok(match self {
            Arg::Buffer { buffer: of, offset } => Arg::Buffer { buffer: buffer(of)?, offset: *offset },
            Arg::Pitch { buffer: of, element } => Arg::Pitch { buffer: buffer(of)?, element: *element },
            Arg::I32(value) => Arg::I32(*value),
            Arg::U32(value) => Arg::U32(*value),
            Arg::I64(value) => Arg::I64(*value),
            Arg::U64(value) => Arg::U64(*value),
            Arg::F32(value) => Arg::F32(*value),
            Arg::F64(value) => Arg::F64(*value),
            Arg::Null => Arg::Null,
            Arg::Value(value) => Arg::Value(value.clone()),
            Arg::Bytes(bytes) => Arg::Bytes(bytes.clone()),
            Arg::Struct(members) => Arg::Struct(
                members.iter().map(|member| member.resolve(buffer)).collect::<std::result::Result<_, E>>()?,
            ),
        })
    }

    /// Size in C, bytes, with 8 for a pointer.
    pub fn size(&self) -> usize {
        match self {
            Arg::Bytes(bytes) => bytes.len(),
            Arg::I32(_) | Arg::U32(_) | Arg::F32(_) => 4,
            Arg::Buffer { .. } | Arg::Null | Arg::Pitch { .. } | Arg::I64(_) | Arg::U64(_) | Arg::F64(_) => 8,
            Arg::Value(value) => value.bytes.len(),
            Arg::Struct(members) => {
                let end = members
                    .iter()
                    .fold(0usize, |end, member| end.next_multiple_of(member.alignment()) + member.size());
                end.next_multiple_of(self.alignment())
            }
        }
    }

    /// Alignment in C, bytes.
    pub(crate) fn alignment(&self) -> usize {
        match self {
            Arg::Bytes(_) => 1,
            Arg::I32(_) | Arg::U32(_) | Arg::F32(_) => 4,
            Arg::Buffer { .. } | Arg::Null | Arg::Pitch { .. } | Arg::I64(_) | Arg::U64(_) | Arg::F64(_) => 8,
            Arg::Value(value) => value.align,
            Arg::Struct(members) => members.iter().map(Arg::alignment).max().unwrap_or(1),
        }
    }

    /// Kind of its values.
    pub(crate) fn class(&self) -> Class {
        match self {
            Arg::Buffer { .. } | Arg::Null => Class::Pointer,
            Arg::Pitch { .. } | Arg::I32(_) | Arg::U32(_) | Arg::I64(_) | Arg::U64(_) => Class::Integer,
            Arg::F32(_) | Arg::F64(_) => Class::Float,
            Arg::Value(value) => value.class,
            Arg::Bytes(_) | Arg::Struct(_) => Class::Bytes,
        }
    }

    /// Its type in words, with an article.
    pub fn name(&self) -> String {
        let text = match self {
            Arg::Buffer { .. } => "a pointer",
            Arg::Null => "a null pointer",
            Arg::Pitch { .. } => "a pitch",
            Arg::I32(_) => "an i32",
            Arg::U32(_) => "a u32",
            Arg::I64(_) => "an i64",
            Arg::U64(_) => "a u64",
            Arg::F32(_) => "an f32",
            Arg::F64(_) => "an f64",
            Arg::Bytes(_) => "raw data",
            Arg::Struct(_) => "a struct",
            Arg::Value(value) => {
                let article = if value.ty.starts_with(['i', 'f', 'e']) { "an" } else { "a" };
                return format!("{article} {}", value.ty);
            }
        };
        text.to_owned()
    }
}

impl Arg {
    /// The argument's bytes in the device's memory, little-endian; `address` gives a buffer's address.
    ///
    /// # Errors
    /// Those of `address`; a pitch that is not a whole number of elements.
    pub fn bytes(&self, address: &dyn Fn(Buffer) -> Result<u64>) -> Result<Vec<u8>> {
        Ok(match self {
            Arg::Buffer { buffer, offset } => address(*buffer)?.wrapping_add(*offset).to_le_bytes().to_vec(),
            Arg::Pitch { buffer, element } => elements(buffer.pitch(), *element)?.to_le_bytes().to_vec(),
            Arg::I32(value) => value.to_le_bytes().to_vec(),
            Arg::U32(value) => value.to_le_bytes().to_vec(),
            Arg::I64(value) => value.to_le_bytes().to_vec(),
            Arg::U64(value) => value.to_le_bytes().to_vec(),
            Arg::F32(value) => value.to_le_bytes().to_vec(),
            Arg::F64(value) => value.to_le_bytes().to_vec(),
            Arg::Null => vec![0; 8],
            Arg::Value(value) => value.bytes.clone(),
            Arg::Bytes(bytes) => bytes.clone(),
            Arg::Struct(members) => {
                let mut bytes = Vec::new();
                for member in members {
                    bytes.resize(bytes.len().next_multiple_of(member.alignment()), 0);
                    bytes.extend(member.bytes(address)?);
                }
                bytes.resize(bytes.len().next_multiple_of(self.alignment()), 0);
                bytes
            }
        })
    }
}

/// A pitch in elements of this many bytes.
fn elements(pitch: Option<u64>, element: u64) -> Result<u64> {
    let refused = |message| Err(Error::BadShape { message });
    match pitch {
        None => refused("an argument is the pitch of a buffer that has no pitch".to_owned()),
        Some(pitch) => match pitch.checked_div(element) {
            Some(count) if count * element == pitch => Ok(count),
            _ => refused(format!("a pitch of {pitch} bytes is not a whole number of elements of {element}")),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(arg: &Arg) -> Vec<u8> {
        arg.bytes(&|_| Ok(0x7_0000_0000)).unwrap()
    }

    #[test]
    fn members_are_aligned_as_in_c() {
        let matrix = Arg::Struct(vec![
            Arg::U64(480),
            Arg::I32(7),
            Arg::Buffer { buffer: Buffer { id: 0, bytes: 8, pitch: None }, offset: 16 },
            Arg::F32(1.0),
        ]);
        let mut wanted = 480u64.to_le_bytes().to_vec();
        wanted.extend([7, 0, 0, 0, 0, 0, 0, 0]);
        wanted.extend(0x7_0000_0010u64.to_le_bytes());
        wanted.extend([0, 0, 0x80, 0x3f, 0, 0, 0, 0]);
        assert_eq!(bytes(&matrix), wanted);
    }

    #[test]
    fn a_struct_in_a_struct_keeps_its_own_alignment_and_size() {
        let inner = Arg::Struct(vec![Arg::F64(0.0), Arg::I32(1)]);
        assert_eq!(bytes(&inner).len(), 16);
        let outer = Arg::Struct(vec![Arg::I32(2), inner, Arg::I32(3)]);
        let all = bytes(&outer);
        assert_eq!(all.len(), 32);
        assert_eq!((all[0], all[16], all[24]), (2, 1, 3));
        assert_eq!(bytes(&Arg::Struct(vec![Arg::Bytes(vec![9]), Arg::I32(1)])), [9, 0, 0, 0, 1, 0, 0, 0]);
        assert!(bytes(&Arg::Struct(vec![])).is_empty());
    }

    #[test]
    fn vectors_and_null_pointers_lie_in_a_struct_as_in_c() {
        let four = Value { ty: "f32x4".into(), class: Class::Float, align: 16, bytes: vec![7; 16] };
        let vectors = Arg::Struct(vec![Arg::I32(1), Arg::Value(four), Arg::Null]);
        let all = bytes(&vectors);
        assert_eq!(vectors.size(), all.len());
        assert_eq!((all.len(), &all[16..32], &all[32..]), (48, &[7; 16][..], &[0; 16][..]));
    }

    #[test]
    fn a_pitch_is_counted_in_whole_elements() {
        let pitch = |pitch, element| {
            let buffer = Buffer { id: 0, bytes: 8, pitch };
            Arg::Pitch { buffer, element }.bytes(&|_| Ok(0)).map_err(|error| error.to_string())
        };
        assert_eq!(pitch(Some(512), 4), Ok(128u64.to_le_bytes().to_vec()));
        assert!(pitch(Some(512), 3).is_err_and(|why| why.contains("not a whole number of elements of 3")));
        assert!(pitch(Some(512), 0).is_err() && pitch(None, 4).is_err_and(|why| why.contains("no pitch")));
    }

    #[test]
    fn buffers_are_resolved_wherever_they_stand() {
        let arg = Arg::Struct(vec![Arg::I32(1), Arg::Buffer { buffer: "x", offset: 8 }]);
        let found = arg.resolve(&|name: &&str| if *name == "x" { Ok(7) } else { Err(()) });
        assert_eq!(found, Ok(Arg::Struct(vec![Arg::I32(1), Arg::Buffer { buffer: 7, offset: 8 }])));
        assert_eq!(
            Arg::Pitch { buffer: "y", element: 4 }.resolve(&|_: &&str| Err::<u8, _>("none")),
            Err("none")
        );
    }
}
