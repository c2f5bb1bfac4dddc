//! The table of all counters.
//!
//! Enters: the catalogue of counters. Leaves: a table's HTML. This module must never know what any launch counted.

use counters::Counter;
use render::table::{Cell, Column, Table};

const NONE: &str = "–";

/// Table with a row for each counter: its title and name, the metric of Nsight Compute, its sentence.
pub(crate) fn table() -> String {
    let column = |heading: &str| Column { heading: heading.into(), ..Column::default() };
    let table = Table {
        caption: "What is counted: in the PTX's own instructions by the embedded device, in the machine's by Nsight \
                  Compute on a GPU"
            .into(),
        columns: ["counter", "Nsight Compute", "meaning"].map(column).into(),
        rows: counters::ALL.iter().map(row).collect(),
        ..Table::default()
    };
    table.html()
}

fn row(counter: &Counter) -> Vec<Cell> {
    let alone = if counter.embedded { "" } else { " Counted on a GPU alone." };
    [
        format!("{}: `{}`", counter.title, counter.name),
        counter.metric.map_or_else(|| NONE.to_owned(), |metric| format!("`{metric}`")),
        format!("{}{alone}", counter.sentence),
    ]
    .map(|text| Cell { text, ..Cell::default() })
    .into()
}
