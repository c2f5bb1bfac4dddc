//! NumPy's file format, versions 1.0 to 3.0: the header of a little-endian array in C order
//! (numpy.org, "numpy.lib.format").
//!
//! Enters: the first bytes of a file, or a type and a length. Leaves: where the data begins and how much of it there is,
//! or a header. The data itself is raw and passes through other hands.

use crate::types::Type;
use scalar::Scalar;
use std::io::Read;

const MAGIC: &[u8] = b"\x93NUMPY";
/// The longest header that is read, bytes: names of fields, which no array here has, are what makes one long.
const LONGEST: usize = 64 << 10;
/// Data begins at a multiple of this.
const ALIGN: usize = 64;

/// What a header says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// The array's dtype, such as `<f4`.
    dtype: String,
    shape: Vec<u64>,
    /// Bytes before the data.
    pub(crate) offset: u64,
}

impl Header {
    /// Reads a header.
    ///
    /// # Errors
    /// In words, what is not a header or one of an array that does not be in memory as C has it.
    pub(crate) fn read(file: &mut impl Read) -> Result<Header, String> {
        let mut start = [0; 8];
        file.read_exact(&mut start).map_err(|_| "it is not a .npy file: it is too short".to_owned())?;
        if &start[..6] != MAGIC {
            return Err("it is not a .npy file: it does not begin with \\x93NUMPY".to_owned());
        }
        let (length_bytes, offset) = match start[6] {
            1 => (2, 10),
            2 | 3 => (4, 12),
            major => {
                return Err(format!(
                    "it is .npy version {major}.{}, but only 1.0 to 3.0 are supported",
                    start[7]
                ));
            }
        };
        let mut length = [0; 4];
        let truncated = |_| "its header is truncated".to_owned();
        file.read_exact(&mut length[..length_bytes]).map_err(truncated)?;
        let length = u32::from_le_bytes(length) as usize;
        if length > LONGEST {
            return Err(format!("its header has {length} bytes, but at most {LONGEST} are supported"));
        }
        let mut text = vec![0; length];
        file.read_exact(&mut text).map_err(truncated)?;
        let text = String::from_utf8(text).map_err(|_| "its header is not text".to_owned())?;
        let (dtype, is_fortran, shape) = dictionary(&text).ok_or_else(|| {
            format!(
                "its header is not that of a plain array (a dtype, fortran_order and a shape): {:.100}",
                text.trim()
            )
        })?;
        if is_fortran && shape.iter().filter(|n| **n != 1).count() > 1 {
            return Err("it is in Fortran order; save it as numpy.ascontiguousarray(a)".to_owned());
        }
        Ok(Header { dtype, shape, offset: offset + length as u64 })
    }

    /// How many elements of a type the data is.
    ///
    /// # Errors
    /// In words, an array of another type.
    pub(crate) fn elements(&self, ty: Type) -> Result<u64, String> {
        let numbers = self.shape.iter().try_fold(1_u64, |all, n| all.checked_mul(*n));
        let Some(numbers) = numbers else {
            return Err(format!("its shape {:?} has more elements than any memory", self.shape));
        };
        if self.dtype.starts_with('>') {
            let wanted = &self.dtype[1..];
            return Err(format!("it is big-endian; save it as a.astype(\"<{wanted}\")"));
        }
        // A complex number is two others.
        if (ty.scalar, ty.lanes, self.dtype.as_str()) == (Scalar::F32, 2, "<c8")
            || (ty.scalar, ty.lanes, self.dtype.as_str()) == (Scalar::F64, 2, "<c16")
        {
            return Ok(numbers);
        }
        if !dtypes(ty.scalar).contains(&self.dtype.as_str()) {
            let wanted = dtypes(ty.scalar)[0];
            return Err(format!("its dtype is {}, but {} is {wanted}", self.dtype, ty.scalar));
        }
        let lanes = u64::from(ty.lanes);
        if !numbers.is_multiple_of(lanes) {
            return Err(format!("its {numbers} numbers are not a whole number of {ty}"));
        }
        Ok(numbers / lanes)
    }
}

/// The header of `len` elements of a type: an array of one dimension, or for vectors of two.
pub(crate) fn header(ty: Type, len: u64) -> Vec<u8> {
    let shape = if ty.lanes == 1 { format!("({len},)") } else { format!("({len}, {})", ty.lanes) };
    let text = format!("{{'descr': '{}', 'fortran_order': False, 'shape': {shape}, }}", dtypes(ty.scalar)[0]);
    let before = MAGIC.len() + 4;
    let length = (before + text.len() + 1).next_multiple_of(ALIGN) - before;
    let mut bytes = [MAGIC, &[1, 0]].concat();
    bytes.extend((length as u16).to_le_bytes());
    bytes.extend(format!("{text:<width$}\n", width = length - 1).into_bytes());
    bytes
}

/// NumPy's names of a format, the first of which is written. Those that NumPy lacks are raw (`V`) to it: the package
/// ml_dtypes saves them so.
fn dtypes(scalar: Scalar) -> &'static [&'static str] {
    match scalar {
        Scalar::U8 => &["|u1", "<u1", "|b1"],
        Scalar::I8 => &["|i1", "<i1"],
        Scalar::E4m3 | Scalar::E5m2 => &["|V1", "<V1", "|u1"],
        Scalar::U16 => &["<u2"],
        Scalar::I16 => &["<i2"],
        Scalar::F16 => &["<f2"],
        Scalar::Bf16 => &["<V2", "|V2", "<u2"],
        Scalar::U32 => &["<u4"],
        Scalar::I32 => &["<i4"],
        Scalar::F32 => &["<f4"],
        Scalar::U64 => &["<u8"],
        Scalar::I64 => &["<i8"],
        Scalar::F64 => &["<f8"],
    }
}

/// The three entries of a header's dictionary, in any order.
fn dictionary(text: &str) -> Option<(String, bool, Vec<u64>)> {
    let mut rest = text.trim().strip_prefix('{')?.strip_suffix('}')?.trim();
    let (mut dtype, mut is_fortran, mut shape) = (None, None, None);
    while !rest.is_empty() {
        let (key, after) = quoted(rest)?;
        let value = after.trim_start().strip_prefix(':')?.trim_start();
        rest = match key {
            "descr" => {
                let (text, after) = quoted(value)?;
                dtype = Some(text.to_owned());
                after
            }
            "fortran_order" => {
                let word = value.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(value.len());
                is_fortran = Some(match &value[..word] {
                    "True" => true,
                    "False" => false,
                    _ => return None,
                });
                &value[word..]
            }
            "shape" => {
                let (numbers, after) = value.strip_prefix('(')?.split_once(')')?;
                let numbers = numbers.split(',').map(str::trim).filter(|n| !n.is_empty());
                // Python 2 wrote `3L`.
                shape = Some(
                    numbers.map(|n| n.trim_end_matches('L').parse().ok()).collect::<Option<Vec<u64>>>()?,
                );
                after
            }
            _ => return None,
        };
        rest = rest.trim_start();
        rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
    }
    Some((dtype?, is_fortran?, shape?))
}

/// A text in quotes, and what follows it.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    text[1..].split_once(quote)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ty(text: &str) -> Type {
        text.parse().unwrap()
    }

    fn file(version: u8, text: &str) -> Vec<u8> {
        let mut bytes = [MAGIC, &[version, 0]].concat();
        match version {
            1 => bytes.extend((text.len() as u16).to_le_bytes()),
            _ => bytes.extend((text.len() as u32).to_le_bytes()),
        }
        bytes.extend(text.as_bytes());
        bytes
    }

    fn read(text: &str) -> Result<Header, String> {
        Header::read(&mut &file(1, text)[..])
    }

    #[test]
    fn what_is_written_is_read_and_begins_at_a_multiple_of_64() {
        for (text, len, shape) in
            [("f32", 3, vec![3]), ("f32x4", 5, vec![5, 4]), ("bf16", 1 << 40, vec![1 << 40])]
        {
            let bytes = header(ty(text), len);
            let read = Header::read(&mut &bytes[..]).unwrap();
            assert_eq!((bytes.len() as u64, bytes.len() % 64, &read.shape), (read.offset, 0, &shape));
            assert_eq!(read.elements(ty(text)), Ok(len), "{text}");
        }
    }

    #[test]
    fn headers_of_all_versions_are_read() {
        for version in [1, 2, 3] {
            let bytes = file(version, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }      \n");
            let header = Header::read(&mut &bytes[..]).unwrap();
            assert_eq!((header.offset, header.elements(ty("f32"))), (bytes.len() as u64, Ok(6)));
        }
        let reordered = read("{\"shape\": (), 'fortran_order': True, 'descr': '|u1'}").unwrap();
        assert_eq!(reordered.elements(ty("u8")), Ok(1), "no dimensions are one number");
    }

    #[test]
    fn other_types_and_orders_are_refused_with_what_to_do() {
        let of = |descr: &str, order: &str, shape: &str, text: &str| {
            let header = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}}}");
            read(&header).and_then(|header| header.elements(ty(text)))
        };
        for (reported, words) in [
            (of("<f8", "False", "(3,)", "f32"), "its dtype is <f8, but f32 is <f4"),
            (of(">f4", "False", "(3,)", "f32"), "save it as a.astype(\"<f4\")"),
            (of("<f4", "True", "(3, 2)", "f32"), "numpy.ascontiguousarray(a)"),
            (of("<f4", "False", "(3, 3)", "f32x2"), "its 9 numbers are not a whole number of f32x2"),
            (of("<f4", "False", "(4294967296, 4294967296)", "f32"), "more elements than any memory"),
            (of("<f4", "Maybe", "(3,)", "f32"), "not that of a plain array"),
            (of("<f4", "False", "(3, x)", "f32"), "not that of a plain array"),
            (
                read("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,)}").map(|_| 0),
                "not that of a plain",
            ),
            (read("{}").map(|_| 0), "not that of a plain array"),
            (read("").map(|_| 0), "not that of a plain array"),
            (Header::read(&mut &b"raw bytes, and more"[..]).map(|_| 0), "does not begin with"),
            (Header::read(&mut &b"raw"[..]).map(|_| 0), "too short"),
            (
                Header::read(&mut &file(9, "{}")[..]).map(|_| 0),
                "version 9.0, but only 1.0 to 3.0 are supported",
            ),
            (Header::read(&mut &file(1, "{}")[..11]).map(|_| 0), "is truncated"),
        ] {
            assert!(reported.as_ref().is_err_and(|why| why.contains(words)), "{words}: {reported:?}");
        }
        assert_eq!(of("<c8", "False", "(3,)", "f32x2"), Ok(3));
        assert_eq!(of("<f4", "True", "(3, 1)", "f32"), Ok(3), "a column has one order");
    }
}
