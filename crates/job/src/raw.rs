//! The job file as serde reads it: its fields and their types. `file.rs` checks what they mean.

use crate::scalar::{Number, Type};
use crate::texture::{RawArray, RawSurface, RawTexture};
use serde::Deserialize;
use std::path::PathBuf;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawJob {
    pub(crate) module: Spanned<PathBuf>,
    #[serde(default)]
    pub(crate) buffer: Vec<Spanned<RawBuffer>>,
    #[serde(default)]
    pub(crate) symbol: Vec<Spanned<RawSymbol>>,
    #[serde(default)]
    pub(crate) array: Vec<Spanned<RawArray>>,
    #[serde(default)]
    pub(crate) texture: Vec<Spanned<RawTexture>>,
    #[serde(default)]
    pub(crate) surface: Vec<Spanned<RawSurface>>,
    #[serde(default)]
    pub(crate) launch: Vec<Spanned<RawLaunch>>,
    #[serde(default)]
    pub(crate) output: Vec<Spanned<RawOutput>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawBuffer {
    pub(crate) name: String,
    #[serde(rename = "type")]
    pub(crate) ty: Type,
    pub(crate) len: u64,
    pub(crate) init: Option<RawInit>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawInit {
    pub(crate) file: Option<PathBuf>,
    pub(crate) fill: Option<Number>,
    pub(crate) iota: Option<Number>,
    pub(crate) uniform: Option<Exactly<Number, 2>>,
    pub(crate) seed: Option<u64>,
}

/// An array of N elements: serde's own takes longer ones too and drops the rest.
pub(crate) struct Exactly<T, const N: usize>(pub(crate) [T; N]);

impl<'de, T: Deserialize<'de>, const N: usize> Deserialize<'de> for Exactly<T, N> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let elements = Vec::deserialize(deserializer)?;
        let array = elements.try_into().map_err(|elements: Vec<T>| {
            serde::de::Error::custom(format!("{N} numbers are needed, not {}", elements.len()))
        })?;
        Ok(Exactly(array))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawSymbol {
    pub(crate) name: String,
    pub(crate) file: Option<PathBuf>,
    pub(crate) values: Option<Vec<Number>>,
    #[serde(rename = "type")]
    pub(crate) ty: Option<Type>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawLaunch {
    pub(crate) kernel: String,
    pub(crate) grid: Exactly<u32, 3>,
    pub(crate) block: Exactly<u32, 3>,
    #[serde(default)]
    pub(crate) shared_bytes: u32,
    #[serde(default)]
    pub(crate) args: Vec<Spanned<RawArg>>,
    pub(crate) cluster: Option<Exactly<u32, 3>>,
    #[serde(default)]
    pub(crate) cooperative: bool,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table such as { i32 = 1 }")]
pub(crate) struct RawArg {
    pub(crate) bool: Option<bool>,
    pub(crate) u8: Option<Number>,
    pub(crate) i8: Option<Number>,
    pub(crate) u16: Option<Number>,
    pub(crate) i16: Option<Number>,
    pub(crate) f16: Option<Number>,
    pub(crate) u32: Option<Number>,
    pub(crate) i32: Option<Number>,
    pub(crate) f32: Option<Number>,
    pub(crate) u64: Option<Number>,
    pub(crate) i64: Option<Number>,
    pub(crate) f64: Option<Number>,
    pub(crate) bytes_file: Option<PathBuf>,
    pub(crate) buffer: Option<String>,
    pub(crate) offset: Option<u64>,
    pub(crate) texture: Option<String>,
    pub(crate) surface: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawOutput {
    pub(crate) buffer: Option<String>,
    pub(crate) symbol: Option<String>,
    pub(crate) array: Option<String>,
    #[serde(rename = "type")]
    pub(crate) ty: Option<Type>,
    pub(crate) file: Option<PathBuf>,
    pub(crate) atol: Option<Number>,
    pub(crate) rtol: Option<Number>,
}
