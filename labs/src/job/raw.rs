//! The job file as serde reads it: which fields there are and what they hold. What they mean is checked by whoever reads
//! them.

use super::scalar::{Number, Type};
use serde::Deserialize;
use std::path::PathBuf;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawJob {
    pub(super) module: Spanned<PathBuf>,
    #[serde(default)]
    pub(super) buffer: Vec<Spanned<RawBuffer>>,
    #[serde(default)]
    pub(super) symbol: Vec<Spanned<RawSymbol>>,
    #[serde(default)]
    pub(super) launch: Vec<Spanned<RawLaunch>>,
    #[serde(default)]
    pub(super) output: Vec<Spanned<RawOutput>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawBuffer {
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) ty: Type,
    pub(super) len: u64,
    pub(super) init: Option<RawInit>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawInit {
    pub(super) file: Option<PathBuf>,
    pub(super) fill: Option<Number>,
    pub(super) iota: Option<Number>,
    pub(super) uniform: Option<Exactly<Number, 2>>,
    pub(super) seed: Option<u64>,
}

/// An array of N elements: serde's own takes longer ones too and drops the rest.
pub(super) struct Exactly<T, const N: usize>(pub(super) [T; N]);

impl<'de, T: Deserialize<'de>, const N: usize> Deserialize<'de> for Exactly<T, N> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let elements = Vec::deserialize(deserializer)?;
        let array = elements.try_into().map_err(|elements: Vec<T>| {
            serde::de::Error::custom(format!("{N} numbers are needed, and there are {}", elements.len()))
        })?;
        Ok(Exactly(array))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawSymbol {
    pub(super) name: String,
    pub(super) file: Option<PathBuf>,
    pub(super) values: Option<Vec<Number>>,
    #[serde(rename = "type")]
    pub(super) ty: Option<Type>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawLaunch {
    pub(super) kernel: String,
    pub(super) grid: Exactly<u32, 3>,
    pub(super) block: Exactly<u32, 3>,
    #[serde(default)]
    pub(super) shared_bytes: u32,
    #[serde(default)]
    pub(super) args: Vec<Spanned<RawArg>>,
    pub(super) cluster: Option<Exactly<u32, 3>>,
    #[serde(default)]
    pub(super) cooperative: bool,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table such as { i32 = 1 }")]
pub(super) struct RawArg {
    pub(super) bool: Option<bool>,
    pub(super) u8: Option<Number>,
    pub(super) i8: Option<Number>,
    pub(super) u16: Option<Number>,
    pub(super) i16: Option<Number>,
    pub(super) f16: Option<Number>,
    pub(super) u32: Option<Number>,
    pub(super) i32: Option<Number>,
    pub(super) f32: Option<Number>,
    pub(super) u64: Option<Number>,
    pub(super) i64: Option<Number>,
    pub(super) f64: Option<Number>,
    pub(super) bytes_file: Option<PathBuf>,
    pub(super) buffer: Option<String>,
    pub(super) offset: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawOutput {
    pub(super) buffer: Option<String>,
    pub(super) symbol: Option<String>,
    #[serde(rename = "type")]
    pub(super) ty: Option<Type>,
    pub(super) file: Option<PathBuf>,
    pub(super) atol: Option<Number>,
    pub(super) rtol: Option<Number>,
}
