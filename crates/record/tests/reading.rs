//! Validation of records, and the messages for invalid ones.
#![allow(clippy::unwrap_used, missing_docs)]

use record::*;
use serde_json::{Value, json};

fn record() -> Record {
    let point = |x: f64| Point {
        x,
        y: 2.0 * x,
        y_min: 1.9 * x,
        y_max: 2.2 * x,
        launch: Some(Launch { kernel: "k".into(), grid: [4, 1, 1], block: [32, 1, 1], shared_bytes: 0 }),
        operation: None,
        time: Some(Timing {
            is: Source::Measured,
            calls: 9,
            median_ns: 10.0,
            mean_ns: 10.5,
            min_ns: 9.0,
            max_ns: 13.0,
            iqr_ns: 0.5,
        }),
        counters: Counters::from([("const_replays".into(), 31)]),
        hardware: Counters::new(),
    };
    let axis = |label: &str| Axis { label: label.into(), unit: "ns".into(), scale: Scale::Linear };
    Record {
        version: VERSION,
        lab: "lab-5-5".into(),
        written_by: "warpbook 0.1.0".into(),
        when: "2026-01-02T03:04:05Z".into(),
        device: Device::Gpu {
            name: "NVIDIA X".into(),
            compute_capability: "9.0".into(),
            driver: "13.0".into(),
            multiprocessors: 132,
        },
        parameters: [("elements".into(), Parameter::Integer(1 << 24))].into(),
        kernels: vec![Kernel { file: "a.cu".into(), cu_sha256: "0".repeat(64), ptx_sha256: "f".repeat(64) }],
        experiments: vec![Experiment {
            id: "e".into(),
            title: "E".into(),
            x: axis("x"),
            y: axis("y"),
            y_is: Default::default(),
            series: vec![Series {
                id: "s".into(),
                label: "S".into(),
                reference: false,
                points: vec![point(1.0), point(2.0)],
            }],
        }],
        facts: [("slope".into(), Fact { value: 2.0, unit: "ns".into(), what: "slope".into() })].into(),
        checks: vec![],
        claims: vec![],
        traces: vec![],
    }
}

/// Error message for the record after one change to its JSON.
fn told(pointer: &str, value: Value) -> String {
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
}

#[test]
fn damage_is_told_with_the_field() {
    let point = "/experiments/0/series/0/points";
    for (pointer, value, expected) in [
        (format!("{point}/1/y"), json!("4"), "field `experiments[0].series[0].points[1].y`: invalid type"),
        (format!("{point}/1/x"), json!(1.0), "points[1].x`: 1 does not rise from 1"),
        (format!("{point}/0/y"), json!(9.0), "points[0].y`: 9 is not between"),
        (format!("{point}/0/time/calls"), json!(0), "time.calls`: no launch was counted"),
        (format!("{point}/0/time/median_ns"), json!(50.0), "time.median_ns`: 50 is not between 9 and 13"),
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
        ("/facts/slope/value".to_owned(), json!(null), "field `facts.slope.value`"),
    ] {
        let told = told(&pointer, value);
        assert!(told.contains(expected), "{pointer}: {told}");
    }
}

#[test]
fn fields_too_many_and_too_few_are_told_by_name() {
    let told = |json: &Value| Record::from_json(&json.to_string()).unwrap_err().to_string();
    let mut json = serde_json::to_value(record()).unwrap();
    json["colour"] = json!("red");
    assert!(told(&json).contains("colour"), "{}", told(&json));
    let mut json = serde_json::to_value(record()).unwrap();
    json.as_object_mut().unwrap().remove("checks");
    assert!(told(&json).contains("checks"), "{}", told(&json));
}

#[test]
fn ids_are_unique() {
    let mut twice = record();
    let copy = twice.experiments[0].clone();
    twice.experiments.push(copy);
    assert_eq!(twice.to_json().unwrap_err().to_string(), "field `experiments[1].id`: `e` is there twice");
}

#[test]
fn no_text_is_read_by_accident() {
    for text in ["", "null", "[]", "{}", "{\"version\":1}", "\u{0}", "1e999"] {
        assert!(Record::from_json(text).is_err(), "{text}");
    }
    let trailing = format!("{}x", record().to_json().unwrap());
    assert!(Record::from_json(&trailing).is_err());
}
