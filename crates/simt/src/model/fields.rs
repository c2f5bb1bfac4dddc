//! Chip files as fields: as much of TOML as they need.
//!
//! Enters: a text of tables and of keys with a number, a string or a list of either on their right. Leaves: the values by their
//! names (`rates.integer`), each to be taken once. This module must never know what they mean.
//!
//! The crate `toml` would be a twentieth of what the device costs a page; a test holds what is read here against it.

use std::str::FromStr;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Field {
    /// Number, without the underscores between its digits.
    Number(String),
    /// String; it has no escapes.
    Text(String),
    /// List.
    List(Vec<Field>),
}

impl std::fmt::Display for Field {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Field::Number(text) => f.write_str(text),
            Field::Text(text) => write!(f, "\"{text}\""),
            Field::List(_) => f.write_str("this list"),
        }
    }
}

/// Fields of a file that have not been taken yet.
#[derive(Debug)]
pub(crate) struct Fields(Vec<(String, Field)>);

impl Fields {
    /// Reads a file.
    ///
    /// # Errors
    /// The line that is none of a chip file.
    pub(crate) fn read(text: &str) -> Result<Fields, String> {
        let (mut fields, mut table) = (Vec::new(), String::new());
        let mut lines = text.lines().enumerate();
        while let Some((number, line)) = lines.next() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                table = format!("{name}.");
                continue;
            }
            let mut whole = line.to_owned();
            // A list goes on until it is closed.
            while whole.ends_with(['[', ',']) {
                let Some((_, more)) = lines.next() else { break };
                whole.push_str(more.trim());
            }
            let field = whole.split_once(" = ").and_then(|(key, value)| Some((key, value_of(value)?)));
            let (key, field) = field.ok_or_else(|| format!("line {}: this is not a field", number + 1))?;
            let key = format!("{table}{key}");
            if fields.iter().any(|(other, _)| *other == key) {
                return Err(format!("{key} is given twice"));
            }
            fields.push((key, field));
        }
        Ok(Fields(fields))
    }

    /// The field of a name, taken out.
    pub(crate) fn take(&mut self, key: &str) -> Option<Field> {
        let at = self.0.iter().position(|(name, _)| name == key)?;
        Some(self.0.swap_remove(at).1)
    }

    /// Name of a field that is left.
    pub(crate) fn left(&self) -> Option<&str> {
        self.0.first().map(|(name, _)| name.as_str())
    }
}

fn value_of(text: &str) -> Option<Field> {
    let (field, rest) = value(text)?;
    (rest.is_empty() || rest.starts_with('#')).then_some(field)
}

/// A value, and what follows it.
fn value(text: &str) -> Option<(Field, &str)> {
    if let Some(rest) = text.strip_prefix('"') {
        let (text, rest) = rest.split_once('"')?;
        return (!text.contains('\\')).then(|| (Field::Text(text.to_owned()), rest.trim_start()));
    }
    if let Some(rest) = text.strip_prefix('[') {
        let (mut list, mut rest) = (Vec::new(), rest.trim_start());
        loop {
            if let Some(rest) = rest.strip_prefix(']') {
                return Some((Field::List(list), rest.trim_start()));
            }
            let (field, after) = value(rest)?;
            list.push(field);
            rest = match after.strip_prefix(',') {
                Some(after) => after.trim_start(),
                None if after.starts_with(']') => after,
                None => return None,
            };
        }
    }
    let end = text.find([',', ']', ' ']).unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    let number: String = number.chars().filter(|one| *one != '_').collect();
    f64::from_str(&number).is_ok().then(|| (Field::Number(number), rest.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the crate `toml` makes of a value.
    fn same(field: &Field, value: &toml::Value) -> bool {
        match (field, value) {
            (Field::Number(text), toml::Value::Integer(number)) => text.parse() == Ok(*number),
            (Field::Number(text), toml::Value::Float(number)) => text.parse() == Ok(*number),
            (Field::Text(text), toml::Value::String(other)) => text == other,
            (Field::List(list), toml::Value::Array(others)) => {
                list.len() == others.len() && list.iter().zip(others).all(|(one, other)| same(one, other))
            }
            _ => false,
        }
    }

    #[test]
    fn chip_files_are_read_as_toml_is() {
        let mut files = 0;
        for file in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/arch")).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_none_or(|end| end != "toml") {
                continue;
            }
            files += 1;
            let text = std::fs::read_to_string(&path).unwrap();
            let mut fields = Fields::read(&text).unwrap();
            for (name, value) in text.parse::<toml::Table>().unwrap() {
                match value {
                    toml::Value::Table(table) => {
                        for (key, value) in table {
                            let key = format!("{name}.{key}");
                            let field = fields.take(&key).unwrap_or_else(|| panic!("{key} is missing"));
                            assert!(same(&field, &value), "{key}: {field:?} {value:?}");
                        }
                    }
                    value => {
                        let field = fields.take(&name).unwrap_or_else(|| panic!("{name} is missing"));
                        assert!(same(&field, &value), "{name}: {field:?} {value:?}");
                    }
                }
            }
            assert_eq!(fields.left(), None, "{path:?}");
        }
        assert!(files > 5);
    }

    #[test]
    fn an_unknown_field_is_refused_with_its_line() {
        for (text, told) in [
            ("a = 1\nb", "line 2"),
            ("a = \"open", "line 1"),
            ("a = [1, 2", "line 1"),
            ("a = 1 2", "line 1"),
            ("a = \"\\n\"", "line 1"),
            ("a = x", "line 1"),
            ("a = 1\na = 2", "a is given twice"),
        ] {
            assert!(Fields::read(text).unwrap_err().contains(told), "{text}");
        }
    }
}
