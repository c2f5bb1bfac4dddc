//! The job file as serde reads it: its fields and their types. The files of each section check what they mean.

use crate::texture::{RawArray, RawSurface, RawTexture};
use crate::types::Type;
use crate::value::Value;
use scalar::Number;
use serde::Deserialize;
use std::path::PathBuf;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawJob {
    pub(super) module: Spanned<PathBuf>,
    pub(super) options: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) buffer: Vec<Spanned<RawBuffer>>,
    #[serde(default)]
    pub(super) symbol: Vec<Spanned<RawSymbol>>,
    #[serde(default)]
    pub(super) array: Vec<Spanned<RawArray>>,
    #[serde(default)]
    pub(super) texture: Vec<Spanned<RawTexture>>,
    #[serde(default)]
    pub(super) surface: Vec<Spanned<RawSurface>>,
    #[serde(default)]
    pub(super) launch: Vec<Spanned<RawLaunch>>,
    #[serde(default)]
    pub(super) step: Vec<Spanned<RawStep>>,
    #[serde(default)]
    pub(super) output: Vec<Spanned<RawOutput>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawBuffer {
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) ty: Type,
    pub(super) len: Option<u64>,
    pub(super) init: Option<RawInit>,
    pub(super) values: Option<Vec<Value>>,
    #[serde(default)]
    pub(super) read: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawInit {
    pub(super) file: Option<PathBuf>,
    pub(super) fill: Option<Value>,
    pub(super) iota: Option<Number>,
    pub(super) uniform: Option<Exactly<Number, 2>>,
    pub(super) seed: Option<u64>,
}

/// An array of N elements: serde's own takes longer ones too and drops the rest.
pub(super) struct Exactly<T, const N: usize>(pub(super) [T; N]);

/// A size in up to three dimensions: `4`, `[4]`, `[4, 2]` or `[4, 2, 1]`.
pub(super) struct Size(pub(super) [u32; 3]);

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let wrong = |what: String| {
            serde::de::Error::custom(format!("expected one to three whole numbers, found {what}"))
        };
        let value = Value::deserialize(deserializer)?;
        let given = match &value {
            Value::List(list) if (1..=3).contains(&list.len()) => list.as_slice(),
            Value::Number(_) => std::slice::from_ref(&value),
            other => return Err(wrong(other.what())),
        };
        let mut size = [1; 3];
        for (size, given) in size.iter_mut().zip(given) {
            *size = match given {
                Value::Number(Number::Int(n)) => u32::try_from(*n).map_err(|_| wrong(n.to_string()))?,
                other => return Err(wrong(other.what())),
            };
        }
        Ok(Size(size))
    }
}

impl<'de, T: Deserialize<'de>, const N: usize> Deserialize<'de> for Exactly<T, N> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let elements = Vec::deserialize(deserializer)?;
        let array = elements.try_into().map_err(|elements: Vec<T>| {
            serde::de::Error::custom(format!("expected {N} numbers, found {}", elements.len()))
        })?;
        Ok(Exactly(array))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawSymbol {
    pub(super) name: String,
    pub(super) file: Option<PathBuf>,
    pub(super) values: Option<Vec<Value>>,
    #[serde(rename = "type")]
    pub(super) ty: Option<Type>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawLaunch {
    pub(super) kernel: String,
    pub(super) grid: Size,
    pub(super) block: Size,
    #[serde(default)]
    pub(super) shared_bytes: u32,
    #[serde(default)]
    pub(super) args: Vec<Spanned<Value>>,
    pub(super) cluster: Option<Size>,
    #[serde(default)]
    pub(super) cooperative: bool,
    pub(super) repeat: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawStep {
    pub(super) launch: Option<Spanned<RawLaunch>>,
    pub(super) fill: Option<RawFill>,
    pub(super) copy: Option<RawCopy>,
    pub(super) repeat: Option<u64>,
    pub(super) steps: Option<Vec<Spanned<RawStep>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawFill {
    pub(super) buffer: Option<String>,
    pub(super) symbol: Option<String>,
    #[serde(rename = "type")]
    pub(super) ty: Option<Type>,
    pub(super) value: Value,
    #[serde(default)]
    pub(super) offset: u64,
    pub(super) len: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawCopy {
    pub(super) from: RawSpan,
    pub(super) to: RawSpan,
    pub(super) len: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawSpan {
    pub(super) buffer: Option<String>,
    pub(super) symbol: Option<String>,
    #[serde(default)]
    pub(super) offset: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawOutput {
    pub(super) name: Option<String>,
    pub(super) buffer: Option<String>,
    pub(super) symbol: Option<String>,
    pub(super) array: Option<String>,
    #[serde(default)]
    pub(super) offset: u64,
    pub(super) len: Option<u64>,
    #[serde(rename = "type")]
    pub(super) ty: Option<Type>,
    pub(super) file: Option<PathBuf>,
    pub(super) values: Option<Vec<Value>>,
    pub(super) equals: Option<String>,
    #[serde(default)]
    pub(super) written: bool,
    #[serde(default)]
    pub(super) finite: bool,
    pub(super) atol: Option<Number>,
    pub(super) rtol: Option<Number>,
}
