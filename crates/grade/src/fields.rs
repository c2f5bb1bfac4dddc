//! Treatment of every field of a record by the grader.
//!
//! Enters: the embedded `fields.toml`. Leaves: for each field whether it is recomputed, checked for plausibility, or
//! unchecked. The book shows the same file, and a test compares it with what the judges do.

use serde::Deserialize;
use std::sync::LazyLock;

/// A field, with everything below it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Field {
    /// Names separated by dots; `[]` means every item of a list.
    path: String,
    both: Option<Treatment>,
    embedded: Option<Treatment>,
    gpu: Option<Treatment>,
}

/// Treatment of a field.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, untagged)]
#[allow(dead_code, reason = "the words are for readers of the file, which a test reads too")]
enum Treatment {
    Recomputed {
        /// The check that compares it.
        recomputed: String,
        /// Part of the field that cannot be recomputed.
        #[serde(default)]
        except: Option<String>,
    },
    Plausible {
        /// The check that applies the rule.
        plausible: String,
        rule: String,
    },
    Unchecked {
        /// The reason why it cannot be checked.
        unchecked: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    field: Vec<Field>,
}

static FIELDS: LazyLock<Vec<Field>> = LazyLock::new(|| {
    // Embedded, and read by a test.
    let file: File = toml::from_str(include_str!("../fields.toml")).unwrap_or(File { field: vec![] });
    file.field
});

impl Field {
    fn treatment(&self, is_measured: bool) -> Option<&Treatment> {
        let own = if is_measured { &self.gpu } else { &self.embedded };
        own.as_ref().or(self.both.as_ref())
    }
}

/// Unchecked fields of a GPU's record, or of the embedded device's.
pub(crate) fn unchecked(is_measured: bool) -> impl Iterator<Item = &'static str> {
    let is_unchecked =
        move |field: &&Field| matches!(field.treatment(is_measured), Some(Treatment::Unchecked { .. }));
    FIELDS.iter().filter(is_unchecked).map(|field| field.path.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::tests::{Honest, honest};
    use record::Record;
    use serde_json::Value;
    use std::collections::{BTreeMap, BTreeSet};

    /// The names of maps are the record's own: below these, any name is one field.
    const MAPS: [&str; 4] = ["parameters", "facts", "counters", "hardware"];

    /// Every value in a record that is neither a list nor an object, with its field and its place.
    fn leaves(value: &Value, field: String, at: String, all: &mut Vec<(String, String)>) {
        match value {
            Value::Object(fields) => {
                for (name, value) in fields {
                    let field = if field.is_empty() { name.clone() } else { format!("{field}.{name}") };
                    leaves(value, field, format!("{at}/{}", name.replace('/', "~1")), all);
                }
            }
            Value::Array(items) => {
                for (i, value) in items.iter().enumerate() {
                    leaves(value, format!("{field}[]"), format!("{at}/{i}"), all);
                }
            }
            _ => all.push((field, at)),
        }
    }

    /// The row of the table that a field belongs to: the longest path that it begins with.
    fn row(field: &str) -> Option<&'static Field> {
        let covers = |path: &str| match path.strip_suffix('*') {
            Some(start) => field.starts_with(start),
            None => {
                let path = path.strip_suffix("[]").unwrap_or(path);
                field.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
            }
        };
        FIELDS.iter().filter(|row| covers(&row.path)).max_by_key(|row| row.path.len())
    }

    /// One leaf of each kind: names of maps are not distinguished, except where the table does.
    fn kind(field: &str) -> String {
        let mut kind = field.to_owned();
        for map in MAPS {
            if let Some((before, rest)) = field.split_once(&format!("{map}."))
                && row(field).is_some_and(|row| !row.path.contains(&format!("{map}.")))
            {
                let below = rest.split_once('.').map_or(String::new(), |(_, below)| format!(".{below}"));
                kind = format!("{before}{map}.*{below}");
            }
        }
        kind
    }

    fn changed(value: &Value) -> Value {
        match value {
            Value::Bool(b) => Value::from(!b),
            Value::Number(n) if n.is_u64() => Value::from(n.as_u64().unwrap_or(0).wrapping_add(1)),
            Value::Number(n) => Value::from(n.as_f64().unwrap_or(0.0) * 1.5 + 1.0),
            // Digits of a hash, an enumeration's word, a text: the first letter is another.
            Value::String(s) => {
                let first = if s.starts_with('a') { 'b' } else { 'a' };
                Value::from(format!("{first}{}", s.chars().skip(1).collect::<String>()))
            }
            other => other.clone(),
        }
    }

    /// The checks that lose something, or `record` where it is not a record any more.
    fn lost(honest: &Honest, json: &Value) -> BTreeSet<String> {
        match Record::deserialize(json) {
            Ok(record) if record.check().is_ok() => honest.lost(&record),
            _ => BTreeSet::from(["record".to_owned()]),
        }
    }

    #[test]
    fn the_table_can_be_read_and_says_something_of_each_field_it_names() {
        assert!(FIELDS.len() > 20);
        for field in FIELDS.iter() {
            assert!(field.both.is_some() != (field.embedded.is_some() || field.gpu.is_some()), "{field:?}");
        }
        assert!(unchecked(true).count() > unchecked(false).count());
    }

    #[test]
    #[ignore = "slow: .ci/run runs it"]
    fn what_is_said_of_every_field_is_what_happens_on_the_embedded_device() {
        what_is_said_happens(false);
    }

    mod nightly {
        #[test]
        #[ignore = "nightly: hundreds of runs; on the embedded device they are made every day"]
        fn what_is_said_of_every_field_is_what_happens_on_a_gpu() {
            super::what_is_said_happens(true);
        }
    }

    /// Changes a value of every field once, and one of every row of the table in every lab's record, and checks what
    /// the grader makes of it.
    fn what_is_said_happens(is_measured: bool) {
        let mut told_of = BTreeMap::<&str, bool>::new();
        let mut kinds = BTreeSet::new();
        for honest in labs::ALL.iter().map(|lab| honest(lab, is_measured)) {
            let mut json = serde_json::to_value(&honest.record).unwrap();
            assert_eq!(lost(&honest, &json), BTreeSet::new(), "{}", honest.record.lab);
            let mut all = Vec::new();
            leaves(&json, String::new(), String::new(), &mut all);
            let mut by_kind = BTreeMap::<String, Vec<String>>::new();
            for (field, at) in all {
                by_kind.entry(kind(&field)).or_default().push(at);
            }
            let mut rows = BTreeSet::new();
            for (kind, places) in by_kind {
                let at = &places[places.len() / 2];
                let row = row(&kind).unwrap_or_else(|| panic!("{kind}: fields.toml says nothing of it"));
                let is_new_here = rows.insert(&row.path);
                if !kinds.insert(kind.clone()) && !is_new_here {
                    continue;
                }
                let treatment = row.treatment(is_measured);
                let treatment =
                    treatment.unwrap_or_else(|| panic!("{kind}: nothing is said of such a device"));
                let value = json.pointer_mut(at).unwrap();
                let other = changed(value);
                let before = std::mem::replace(value, other);
                let lost = lost(&honest, &json);
                *json.pointer_mut(at).unwrap() = before;
                let reported = match treatment {
                    Treatment::Recomputed { recomputed: check, .. }
                    | Treatment::Plausible { plausible: check, .. } => {
                        lost.contains(check) || lost.contains("record")
                    }
                    Treatment::Unchecked { .. } => {
                        assert!(lost.is_empty() || lost.contains("record"), "{kind} ({at}): {lost:?}");
                        true
                    }
                };
                let is_strict = matches!(treatment, Treatment::Recomputed { except: None, .. });
                assert!(
                    reported || !is_strict,
                    "{} {kind} ({at}): {treatment:?}, and lost is {lost:?}",
                    honest.record.lab
                );
                *told_of.entry(&row.path).or_default() |= reported;
            }
        }
        for row in FIELDS.iter().filter(|row| row.treatment(is_measured).is_some()) {
            match told_of.get(row.path.as_str()) {
                None => panic!("{}: no lab's record has it", row.path),
                Some(reported) => assert!(reported, "{}: no lab's record was reported", row.path),
            }
        }
    }

    /// The table is of this format: a field that no lab writes would be missed by changing their records.
    #[test]
    fn no_field_of_the_format_is_missing() {
        // Every field of every type, by name: a new one does not compile until it is here, and then it needs its row.
        let Record {
            version: _,
            lab: _,
            written_by: _,
            when: _,
            device: _,
            parameters: _,
            kernels: _,
            experiments: _,
            traces: _,
            facts: _,
            checks: _,
            claims: _,
        } = ::tests::fixture::modelled();
        let record::Check { id: _, what: _, passed: _, found: _, outputs: _ } =
            &::tests::fixture::modelled().checks[0];
        let record::Point {
            x: _,
            y: _,
            y_min: _,
            y_max: _,
            launch: _,
            operation: _,
            time: _,
            counters: _,
            hardware: _,
        } = &::tests::fixture::modelled().experiments[0].series[0].points[0];
        for json in [::tests::fixture::modelled(), ::tests::fixture::measured()] {
            let mut all = Vec::new();
            leaves(&serde_json::to_value(&json).unwrap(), String::new(), String::new(), &mut all);
            for (field, _) in all {
                assert!(row(&field).is_some(), "{field}: fields.toml says nothing of it");
            }
        }
    }
}
