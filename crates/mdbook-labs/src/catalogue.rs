//! The table of all counters.
//!
//! Enters: the catalogue of counters. Leaves: a table's HTML. This module must never know what any launch counted.

use counters::Counter;
use render::table::{Cell, Column, Table};

const NONE: &str = "–";

/// Table with a row for each counter: its name, its sentence, its unit, its memory, the metric of Nsight Compute.
pub(crate) fn table() -> String {
    let column = |heading: &str| Column { heading: heading.into(), ..Column::default() };
    let table = Table {
        caption: "What is counted: in the PTX's own instructions by the embedded device, in the machine's by Nsight \
                  Compute on a GPU"
            .into(),
        columns: ["counter", "meaning", "unit", "memory", "Nsight Compute"].map(column).into(),
        rows: counters::ALL.iter().map(row).collect(),
        ..Table::default()
    };
    table.html()
}

fn row(counter: &Counter) -> Vec<Cell> {
    let alone = if counter.embedded { "" } else { " Counted on a GPU alone." };
    [
        counter.name.to_owned(),
        format!("{}{alone}", counter.sentence.replace('`', "")),
        format!("{}s", counter.unit.name()),
        counter.space.map_or(NONE, |space| space.name()).to_owned(),
        counter.metric.unwrap_or(NONE).to_owned(),
    ]
    .map(|text| Cell { text, ..Cell::default() })
    .into()
}
