//! An argument of a launch, such as `{ f32 = 2.0 }`, `{ buffer = "x" }` or `{ struct = [ … ] }`.

use super::buffer::find;
use super::reader::Reader;
use crate::job::{Buffer, BufferId};
use crate::source;
use crate::texture::Objects;
use crate::types::Type;
use crate::value::Value;
use device::{Arg, Class};
use scalar::{Number, Scalar};
use std::path::Path;

/// The most that the parameters of a kernel take, bytes (PTX ISA, "Parameter State Space": 32,764 since PTX 8.1).
const LARGEST: u64 = 32764;

const ONE: &str = "expected one value: a number such as { i32 = 1 }, { buffer = \"…\" }, { null = true }, \
                   { struct = [ … ] } or { bytes_file = \"…\" }";

impl Reader<'_> {
    /// Reads an argument, or a member of a struct.
    pub(super) fn argument(
        &self,
        value: &Value,
        buffers: &[Buffer],
        objects: &Objects,
    ) -> Result<Arg<BufferId>, String> {
        let Value::Table(entries) = value else {
            return Err(format!("expected a table such as {{ i32 = 1 }}, found {}", value.what()));
        };
        let offset = entries.iter().find(|(key, _)| key == "offset").map(|(_, value)| value);
        let [(key, value)] = &entries.iter().filter(|(key, _)| key != "offset").collect::<Vec<_>>()[..]
        else {
            let found = if entries.is_empty() { "found nothing" } else { "found several" };
            return Err(format!("{ONE}; {found}"));
        };
        if offset.is_some() && key != "buffer" {
            return Err("offset is only for a buffer".into());
        }
        match key.as_str() {
            "buffer" => {
                let offset =
                    offset.map_or(Ok(0), |value| unsigned(value).map_err(|e| format!("offset: {e}")))?;
                Ok(Arg::Buffer { buffer: find(buffers, text(value)?)?, offset })
            }
            "null" if *value == Value::Bool(true) => Ok(Arg::Null),
            "null" => Err("a null pointer is written { null = true }".into()),
            "bool" => match value {
                Value::Bool(value) => Ok(packed("bool", Class::Integer, 1, vec![u8::from(*value)])),
                other => Err(format!("expected true or false, found {}", other.what())),
            },
            "bytes_file" => Ok(Arg::Bytes(source::read(&self.input(Path::new(text(value)?)), LARGEST)?)),
            "texture" => Ok(objects.texture(text(value)?)?.argument()),
            "surface" => Ok(objects.surface(text(value)?)?.argument()),
            "struct" => self.members(value, buffers, objects),
            name => match name.parse::<Type>() {
                Ok(ty) => number(ty, value),
                Err(_) => Err(format!("unknown argument type `{name}`; {ONE}")),
            },
        }
    }

    /// A struct by value: its members in their order, which C aligns.
    fn members(&self, value: &Value, buffers: &[Buffer], objects: &Objects) -> Result<Arg<BufferId>, String> {
        let Value::List(members) = value else {
            return Err(format!("struct: expected a list of its members, found {}", value.what()));
        };
        if members.is_empty() {
            return Err("struct: it has no members".into());
        }
        let member = |(n, value): (usize, &Value)| {
            self.argument(value, buffers, objects).map_err(|reason| format!("struct: member {n}: {reason}"))
        };
        Ok(Arg::Struct((1..).zip(members).map(member).collect::<Result<_, _>>()?))
    }
}

/// A number or a vector.
fn number(ty: Type, value: &Value) -> Result<Arg<BufferId>, String> {
    let mut bytes = Vec::with_capacity(ty.bytes());
    ty.encode(value, &mut bytes)?;
    let bits = if ty.lanes == 1 { ty.scalar.load(&bytes) } else { 0 };
    let value = |class| packed(&ty.to_string(), class, ty.align(), bytes);
    if ty.lanes > 1 {
        return Ok(value(Class::Packed));
    }
    Ok(match ty.scalar {
        Scalar::I32 => Arg::I32(bits as i32),
        Scalar::U32 => Arg::U32(bits as u32),
        Scalar::I64 => Arg::I64(bits as i64),
        Scalar::U64 => Arg::U64(bits),
        Scalar::F32 => Arg::F32(f32::from_bits(bits as u32)),
        Scalar::F64 => Arg::F64(f64::from_bits(bits)),
        Scalar::U8 | Scalar::I8 | Scalar::U16 | Scalar::I16 => value(Class::Integer),
        Scalar::F16 | Scalar::Bf16 => value(Class::Float),
        // `__nv_fp8_storage_t` is `unsigned char`.
        Scalar::E4m3 | Scalar::E5m2 => value(Class::Packed),
    })
}

fn packed(ty: &str, class: Class, align: usize, bytes: Vec<u8>) -> Arg<BufferId> {
    Arg::Value(device::Value { ty: ty.to_owned(), class, align, bytes })
}

fn text(value: &Value) -> Result<&str, String> {
    match value {
        Value::Text(text) => Ok(text),
        other => Err(format!("expected a string, found {}", other.what())),
    }
}

fn unsigned(value: &Value) -> Result<u64, String> {
    match value {
        Value::Number(Number::Int(value)) if u64::try_from(*value).is_ok() => Ok(*value as u64),
        other => Err(format!("expected a number of bytes, found {}", other.what())),
    }
}
