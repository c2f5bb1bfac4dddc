//! Values of JSON as serde reads them, where a struct is an object and nothing else.
//!
//! Enters: a value. Leaves: one of a type, or what is wrong with it. `serde_json` also takes a list for a struct, which would be a
//! second function for each struct that a request has, and a request never needs. This module must never know what values are for.

use serde::de::value::{Error, MapAccessDeserializer, MapDeserializer, SeqDeserializer};
use serde::de::{DeserializeOwned, Error as _, IntoDeserializer, Unexpected, Visitor};
use serde::{Deserializer, forward_to_deserialize_any};
use serde_json::Value;

/// Value of a type, or what is wrong.
pub(crate) fn read<T: DeserializeOwned>(value: &Value) -> Result<T, Error> {
    T::deserialize(Read(value))
}

#[derive(Clone, Copy)]
struct Read<'de>(&'de Value);

impl<'de> Read<'de> {
    fn members(self) -> Option<MapDeserializer<'de, impl Iterator<Item = (&'de str, Read<'de>)>, Error>> {
        let members = self.0.as_object()?.iter();
        Some(MapDeserializer::new(members.map(|(name, value)| (name.as_str(), Read(value)))))
    }

    fn elements(self) -> Option<SeqDeserializer<impl Iterator<Item = Read<'de>>, Error>> {
        Some(SeqDeserializer::new(self.0.as_array()?.iter().map(Read)))
    }

    /// What it is, for a message that says what was expected.
    fn unexpected(self) -> Unexpected<'de> {
        match self.0 {
            Value::Null => Unexpected::Unit,
            Value::Bool(value) => Unexpected::Bool(*value),
            Value::Number(value) => match (value.as_u64(), value.as_i64()) {
                (Some(value), _) => Unexpected::Unsigned(value),
                (_, Some(value)) => Unexpected::Signed(value),
                _ => Unexpected::Float(value.as_f64().unwrap_or_default()),
            },
            Value::String(text) => Unexpected::Str(text),
            Value::Array(_) => Unexpected::Seq,
            Value::Object(_) => Unexpected::Map,
        }
    }
}

impl<'de> IntoDeserializer<'de, Error> for Read<'de> {
    type Deserializer = Read<'de>;

    fn into_deserializer(self) -> Read<'de> {
        self
    }
}

impl<'de> Deserializer<'de> for Read<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.unexpected() {
            Unexpected::Bool(value) => visitor.visit_bool(value),
            Unexpected::Unsigned(value) => visitor.visit_u64(value),
            Unexpected::Signed(value) => visitor.visit_i64(value),
            Unexpected::Float(value) => visitor.visit_f64(value),
            Unexpected::Str(text) => visitor.visit_borrowed_str(text),
            Unexpected::Seq => self.deserialize_seq(visitor),
            Unexpected::Map => self.deserialize_map(visitor),
            _ => visitor.visit_unit(),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let Some(mut elements) = self.elements() else {
            return Err(Error::invalid_type(self.unexpected(), &visitor));
        };
        let value = visitor.visit_seq(&mut elements)?;
        elements.end()?;
        Ok(value)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let Some(members) = self.members() else {
            return Err(Error::invalid_type(self.unexpected(), &visitor));
        };
        visitor.visit_map(members)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match (self.members(), self.0) {
            (Some(members), _) => {
                MapAccessDeserializer::new(members).deserialize_enum(name, variants, visitor)
            }
            (None, Value::String(text)) => visitor.visit_enum(text.as_str().into_deserializer()),
            _ => Err(Error::invalid_type(self.unexpected(), &"a text or an object")),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Point {
        x: i32,
        y: Option<f64>,
        kind: Kind,
        pair: (u8, String),
    }

    #[derive(Debug, PartialEq, Deserialize)]
    enum Kind {
        Plain,
        Named(String),
        Sized { by: u64 },
    }

    fn message(value: &Value) -> String {
        read::<Point>(value).expect_err("wrong").to_string()
    }

    #[test]
    fn values_are_those_that_serde_json_reads() {
        for kind in [json!("Plain"), json!({"Named": "a"}), json!({"Sized": {"by": u64::MAX}})] {
            for y in [json!(null), json!(0.5), json!(-3)] {
                let value = json!({"x": -1, "y": y, "kind": kind, "pair": [1, "b"], "more": [{}]});
                assert_eq!(
                    read::<Point>(&value).expect("a point"),
                    serde_json::from_value(value).expect("a point")
                );
            }
        }
    }

    #[test]
    fn what_is_of_another_type_is_an_error_that_says_which() {
        let right = json!({"x": 1, "kind": "Plain", "pair": [1, "b"]});
        let with = |name: &str, value: Value| {
            let mut wrong = right.clone();
            wrong[name] = value;
            message(&wrong)
        };
        assert!(read::<Point>(&right).is_ok());
        assert_eq!(with("x", json!("1")), "invalid type: string \"1\", expected i32");
        assert_eq!(with("x", json!(null)), "invalid type: unit value, expected i32");
        assert_eq!(with("x", json!(1_u64 << 40)), "invalid value: integer `1099511627776`, expected i32");
        assert_eq!(with("kind", json!(7)), "invalid type: integer `7`, expected a text or an object");
        assert_eq!(with("kind", json!({})), "invalid type: map, expected enum");
        assert!(with("kind", json!("Other")).starts_with("unknown variant `Other`"));
        assert_eq!(with("pair", json!([1, "b", 2])), "invalid length 3, expected 2 elements in sequence");
        assert_eq!(message(&json!({"x": 1})), "missing field `kind`");
        assert_eq!(
            message(&json!([1, null, "Plain", [1, "b"]])),
            "invalid type: sequence, expected struct Point"
        );
    }
}
