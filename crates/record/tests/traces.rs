//! Validation of traces, and their form in JSON.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::fixture;
use record::Record;
use serde_json::{Value, json};

/// A record with two traces: one of single accesses, and one of a grid.
fn record() -> Value {
    let access = |memory: &str, lanes: &str| {
        json!({ "warp": 1, "file": "k.cu", "line": 7, "instruction": "ld.global.f32", "kind": "load", "space": "global",
                "bytes": 4, "group": 1, "lanes": { memory: lanes }, "cost": { "global_load_sectors": 4 } })
    };
    let panel = |accesses: Value| {
        json!({ "label": "", "block": [1, 0, 0], "accesses": accesses,
                "launch": { "kernel": "k", "grid": [2, 1, 1], "block": [64, 1, 1], "shared_bytes": 0 } })
    };
    let names: Vec<String> = (0..15).map(|n| format!("x{n}")).collect();
    let matrix = json!({ "memory": "in", "label": "in", "row_bytes": 512, "used_bytes": 60, "rows": 8, "element_bytes": 4, "columns": names });
    let mut record = serde_json::to_value(fixture::empty("lab-0", true)).unwrap();
    record["traces"] = json!([
        { "id": "row", "title": "A row", "draw": { "as": "sectors" }, "groups": ["a", "b"], "panels": [panel(json!([access("in", "0-31:0+4")]))] },
        { "id": "tiles", "title": "Tiles", "draw": { "as": "grid", "matrices": [matrix] }, "groups": ["a", "b"],
          "panels": [panel(json!([access("in", "0-15:0+4 16-31:512+4"), access("in", "3:8")]))] },
    ]);
    record
}

fn reported(pointer: &str, value: Value) -> String {
    let mut json = record();
    let at = json.pointer_mut(pointer).unwrap();
    *at = value;
    Record::from_json(&json.to_string()).unwrap_err().to_string()
}

#[test]
fn traces_are_read_and_written_the_same() {
    let read = Record::from_json(&record().to_string()).unwrap();
    let text = read.to_json().unwrap();
    assert_eq!(Record::from_json(&text).unwrap(), read);
    assert!(text.contains(r#""in": "0-15:0+4 16-31:512+4""#), "one line: {text}");
    assert_eq!(read.trace("row").unwrap().panels[0].accesses[0].cost["global_load_sectors"], 4);
}

#[test]
fn a_record_without_traces_does_not_speak_of_them() {
    let mut json = record();
    json.as_object_mut().unwrap().remove("traces");
    let read = Record::from_json(&json.to_string()).unwrap();
    assert!(read.traces.is_empty() && !read.to_json().unwrap().contains("traces"));
}

#[test]
fn traces_that_cannot_be_are_reported_with_the_field() {
    let access = "/traces/1/panels/0/accesses/0";
    for (pointer, value, expected) in [
        ("/traces/1/id".to_owned(), json!("row"), "traces[1].id`: `row` occurs twice"),
        ("/traces/0/panels".to_owned(), json!([]), "traces[0].panels`: has no panels"),
        (
            "/traces/0/draw/as".to_owned(),
            json!("banks"),
            "accesses[0].space`: this figure is of another memory",
        ),
        (
            "/traces/1/draw".to_owned(),
            json!({ "as": "sectors" }),
            "panels[0].accesses`: this figure shows one",
        ),
        ("/traces/1/draw/matrices".to_owned(), json!([]), "draw.matrices`: has no matrices"),
        ("/traces/1/draw/matrices/0/row_bytes".to_owned(), json!(0), "matrices[0].row_bytes`: 0 bytes"),
        ("/traces/1/draw/matrices/0/row_bytes".to_owned(), json!(1u64 << 60), "matrices[0].row_bytes`"),
        ("/traces/1/draw/matrices/0/used_bytes".to_owned(), json!(516), "matrices[0].used_bytes`: 516"),
        (
            "/traces/1/draw/matrices/0/columns".to_owned(),
            json!(["x"]),
            "matrices[0].columns`: 1 names for 15",
        ),
        ("/traces/1/draw/matrices/0/rows".to_owned(), json!(4097), "matrices[0].rows`: 4097"),
        ("/traces/1/draw/matrices/0/element_bytes".to_owned(), json!(3), "element_bytes`: 3 is not 1, 2"),
        ("/traces/1/panels/0/accesses".to_owned(), json!([]), "accesses`: has no accesses"),
        (
            "/traces/1/panels/0/block".to_owned(),
            json!([2, 0, 0]),
            "panels[0].block`: is not in the launch's grid",
        ),
        (format!("{access}/lanes/in"), json!("0-32:0"), "lanes.in`: there is no lane 32"),
        (format!("{access}/lanes/in"), json!("0:999999999999999"), "beyond any memory"),
        (format!("{access}/lanes"), json!({ "in": "0:0", "out": "0:0" }), "lanes.out`: lane 0 occurs twice"),
        (format!("{access}/lanes"), json!({}), "lanes`: no lane takes part"),
        (format!("{access}/group"), json!(2), "group`: there are 2 groups"),
        (format!("{access}/warp"), json!(32), "warp`: a block has no warp 32"),
        (format!("{access}/bytes"), json!(5), "bytes`: 5 is not 1, 2"),
        (format!("{access}/cost"), json!({ "Sectors": 1 }), "is not the name of a counter"),
        (format!("{access}/cost/global_load_sectors"), json!(-1), "global_load_sectors"),
    ] {
        let reported = reported(&pointer, value);
        assert!(reported.contains(expected), "{pointer}: {reported}");
    }
}
