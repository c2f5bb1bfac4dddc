//! Kernel arguments, and how they lie in memory.

use crate::error::Result;
use crate::handle::Buffer;

/// One kernel argument.
#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    /// A pointer into a buffer, `offset` bytes past its start.
    Buffer {
        /// The buffer.
        buffer: Buffer,
        /// Bytes past its start; may be past its end, as a C pointer may.
        offset: u64,
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
    /// A struct by value, as it lies in memory. Inside of [`Arg::Struct`]: an array of `char`.
    Bytes(Vec<u8>),
    /// A struct by value, pointers among its members: each lies at the next multiple of its own alignment, and the size is
    /// a multiple of the largest, as C has it on every platform that CUDA runs on.
    Struct(Vec<Arg>),
}

impl From<Buffer> for Arg {
    fn from(buffer: Buffer) -> Self {
        Arg::Buffer { buffer, offset: 0 }
    }
}

impl Arg {
    /// As it lies in the device's memory: little-endian. `address` says where a buffer begins.
    pub(crate) fn bytes(&self, address: &dyn Fn(Buffer) -> Result<u64>) -> Result<Vec<u8>> {
        Ok(match self {
            Arg::Buffer { buffer, offset } => address(*buffer)?.wrapping_add(*offset).to_le_bytes().to_vec(),
            Arg::I32(value) => value.to_le_bytes().to_vec(),
            Arg::U32(value) => value.to_le_bytes().to_vec(),
            Arg::I64(value) => value.to_le_bytes().to_vec(),
            Arg::U64(value) => value.to_le_bytes().to_vec(),
            Arg::F32(value) => value.to_le_bytes().to_vec(),
            Arg::F64(value) => value.to_le_bytes().to_vec(),
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

    fn alignment(&self) -> usize {
        match self {
            Arg::Bytes(_) => 1,
            Arg::I32(_) | Arg::U32(_) | Arg::F32(_) => 4,
            Arg::Buffer { .. } | Arg::I64(_) | Arg::U64(_) | Arg::F64(_) => 8,
            Arg::Struct(members) => members.iter().map(Arg::alignment).max().unwrap_or(1),
        }
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
            Arg::Buffer { buffer: Buffer { id: 0, bytes: 8 }, offset: 16 },
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
}
