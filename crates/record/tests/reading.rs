//! Validation of records, and the messages for invalid ones.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::fixture;
use record::*;
use serde_json::{Value, json};

fn record() -> Record {
    fixture::measured()
}

/// Error message for the record after one change to its JSON.
fn reported(pointer: &str, value: Value) -> String {
    let mut json = serde_json::to_value(record()).unwrap();
    *json.pointer_mut(pointer).unwrap() = value;
    Record::from_json(&json.to_string()).unwrap_err().to_string()
}

#[test]
fn what_is_written_is_read_back_the_same() {
    let text = record().to_json().unwrap();
    assert_eq!(Record::from_json(&text).unwrap(), record());
    assert_eq!(Record::from_json(&text).unwrap().to_json().unwrap(), text);
}

#[test]
fn a_record_of_another_version_says_so_before_anything_else() {
    let error = Record::from_json(r#"{ "version": 1, "old": true }"#).unwrap_err();
    assert_eq!(error, Error::Version { found: 1 });
    for (version, advice) in [
        (0, "run the lab again to write a new one"),
        (1, "run the lab again to write a new one"),
        (2, "run the lab again to write a new one"),
        (5, "a newer Warpbook wrote it: read it with that one, or run the lab again"),
        (u32::MAX, "a newer Warpbook wrote it: read it with that one, or run the lab again"),
    ] {
        let said = Record::from_json(&format!("{{\"version\": {version}}}")).unwrap_err().to_string();
        let what = format!("this record has version {version}, this program reads 3 and 4; {advice}");
        assert_eq!(said, format!("field `version`: {what}"));
    }
}

#[test]
fn a_record_that_holds_a_source_is_of_a_version_of_its_own_and_comes_back_as_it_was() {
    let mut record = record();
    record.kernels[0].source = Some("__global__ void k() { }\n".to_owned());
    let error = record.check().unwrap_err().to_string();
    assert_eq!(error, "field `version`: is 3, and a kernel has its source");
    record.version = record::VERSION_WITH_SOURCES;
    assert_eq!(Record::from_json(&record.to_json().unwrap()).unwrap(), record);
    record.kernels[0].source = Some("x".repeat(record::MOST_SOURCE_BYTES + 1));
    let error = record.check().unwrap_err().to_string();
    assert_eq!(error, "field `kernels[0].source`: has more than 1048576 bytes");
    record.kernels[0].source = None;
    let error = record.check().unwrap_err().to_string();
    assert_eq!(error, "field `version`: is 4, and no kernel has its source");
}

#[test]
fn damage_is_reported_with_the_field() {
    let point = "/experiments/0/series/0/points";
    for (pointer, value, expected) in [
        (format!("{point}/1/y"), json!("4"), "field `experiments[0].series[0].points[1].y`: invalid type"),
        (format!("{point}/1/x"), json!(32.0), "points[1].x`: 32 does not rise from 32"),
        (format!("{point}/0/y"), json!(9.0), "points[0].y`: 9 is not between"),
        (format!("{point}/0/time/calls"), json!(0), "time.calls`: no launch was counted"),
        (format!("{point}/0/time/median_ns"), json!(50.0), "time.median_ns`: 50 is not between "),
        (format!("{point}/0/time/is"), json!("modelled"), "time.is`: contradicts the device"),
        (format!("{point}/0/launch/grid"), json!([0, 1, 1]), "launch.grid`: [0, 1, 1] has a zero"),
        (format!("{point}/0/launch"), json!(null), "points[0]`: has neither a launch nor an operation"),
        (point.to_owned(), json!([]), "series[0].points`: has no points"),
        (
            "/kernels/0/cu_sha256".to_owned(),
            json!("abc"),
            "field `kernels[0].cu_sha256`: is not 64 hexadecimal",
        ),
        ("/device/kind".to_owned(), json!("quantum"), "field `device"),
        ("/facts/replay-slope/value".to_owned(), json!(null), "field `facts.replay-slope.value`"),
    ] {
        let reported = reported(&pointer, value);
        assert!(reported.contains(expected), "{pointer}: {reported}");
    }
}

#[test]
fn fields_too_many_and_too_few_are_reported_by_name() {
    let reported = |json: &Value| Record::from_json(&json.to_string()).unwrap_err().to_string();
    let mut json = serde_json::to_value(record()).unwrap();
    json["colour"] = json!("red");
    assert!(reported(&json).contains("colour"), "{}", reported(&json));
    let mut json = serde_json::to_value(record()).unwrap();
    json.as_object_mut().unwrap().remove("checks");
    assert!(reported(&json).contains("checks"), "{}", reported(&json));
}

#[test]
fn ids_are_unique() {
    let mut twice = record();
    let copy = twice.experiments[0].clone();
    twice.experiments.push(copy);
    assert_eq!(twice.to_json().unwrap_err().to_string(), "field `experiments[4].id`: `stencil` occurs twice");
}

#[test]
fn no_text_is_read_by_accident() {
    for text in ["", "null", "[]", "{}", "{\"version\":1}", "\u{0}", "1e999"] {
        assert!(Record::from_json(text).is_err(), "{text}");
    }
    let trailing = format!("{}x", record().to_json().unwrap());
    assert!(Record::from_json(&trailing).is_err());
}
