//! The chip files of the embedded device side by side, and their sources.
//!
//! Enters: the files' text. Leaves: HTML. The files are read as the data that they are, so that a book is built without the
//! device; whether they describe a chip is the device's own test.

use render::Table;
use render::format::{bytes, number};
use render::table::{Cell, Column, escape, prose};

/// A chip file.
pub(crate) struct ChipFile {
    name: String,
    content: toml::Table,
}

type FigureText = Result<String, String>;
/// Heading, and the value next to it.
type Row = (&'static str, fn(&ChipFile) -> FigureText);

const ROWS: [Row; 26] = [
    ("compute capability", ChipFile::capability),
    ("multiprocessors", |c| c.plain("multiprocessors")),
    ("clock, MHz", |c| c.number("clock_mhz")),
    ("memory, GB/s", |c| c.number("bandwidth.memory")),
    ("L2, GB/s", |c| c.number("bandwidth.l2")),
    ("L2", |c| c.bytes("l2_bytes")),
    ("µs a launch", |c| c.number("launch_us")),
    ("L1", |c| c.bytes("l1.bytes")),
    ("first constant cache", |c| c.bytes("constant_l1.bytes")),
    ("second constant cache", |c| c.bytes("constant_l2.bytes")),
    ("shared memory", |c| c.bytes("limits.shared_bytes")),
    ("resident warps", |c| c.plain("limits.warps")),
    ("resident blocks", |c| c.plain("limits.blocks")),
    ("lanes issued a cycle", |c| Ok(number(32.0 * c.float("rates.issue_per_cycle")?))),
    ("integers a cycle", |c| c.lanes("rates.integer")),
    ("special functions a cycle", |c| c.lanes("rates.special")),
    ("f32 a cycle", |c| c.lanes("rates.single")),
    ("f64 a cycle", |c| c.lanes("rates.double")),
    ("cycles of arithmetic", |c| c.number("latencies.alu")),
    ("cycles of shared memory", |c| c.number("latencies.shared")),
    ("cycles of L1", |c| c.number("latencies.global")),
    ("cycles of L2", |c| Ok(number(c.float("latencies.global")? + c.float("latencies.l1_miss")?))),
    ("PCI Express", |c| c.plain("link.pcie_generation")),
    ("from pinned host memory, GB/s", |c| c.number("link.pinned_to_device")),
    ("from pageable host memory, GB/s", |c| c.number("link.pageable_to_device")),
    ("shortest transfer, µs", |c| c.number("link.pinned_us")),
];

impl ChipFile {
    /// Reads a chip file; `name` is the file's without its ending.
    ///
    /// # Errors
    /// Text that is not TOML.
    pub(crate) fn parse(name: &str, text: &str) -> Result<ChipFile, String> {
        let content = text.parse().map_err(|error: toml::de::Error| format!("{name}.toml: {error}"))?;
        Ok(ChipFile { name: name.to_owned(), content })
    }

    /// The value at a path such as `bandwidth.memory`.
    fn value(&self, path: &str) -> Result<&toml::Value, String> {
        let mut names = path.split('.');
        let first = names.next().and_then(|name| self.content.get(name));
        let found = names.fold(first, |value, name| value?.get(name));
        found.ok_or_else(|| format!("{}.toml has no `{path}`", self.name))
    }

    fn of_another_type(&self, path: &str, wanted: &str) -> String {
        format!("{}.toml: `{path}` is not a {wanted}", self.name)
    }

    fn whole(&self, path: &str) -> Result<u64, String> {
        let value = self.value(path)?.as_integer().and_then(|value| u64::try_from(value).ok());
        value.ok_or_else(|| self.of_another_type(path, "whole number"))
    }

    fn float(&self, path: &str) -> Result<f64, String> {
        match self.value(path)? {
            toml::Value::Float(value) => Ok(*value),
            toml::Value::Integer(value) => Ok(*value as f64),
            _ => Err(self.of_another_type(path, "number")),
        }
    }

    fn text(&self, path: &str) -> Result<&str, String> {
        self.value(path)?.as_str().ok_or_else(|| self.of_another_type(path, "text"))
    }

    fn list(&self, path: &str) -> Result<&[toml::Value], String> {
        let list = self.value(path)?.as_array();
        list.map(Vec::as_slice).ok_or_else(|| self.of_another_type(path, "list"))
    }

    fn plain(&self, path: &str) -> FigureText {
        Ok(self.whole(path)?.to_string())
    }

    fn number(&self, path: &str) -> FigureText {
        Ok(number(self.float(path)?))
    }

    fn bytes(&self, path: &str) -> FigureText {
        Ok(bytes(self.whole(path)?))
    }

    /// Lanes a cycle, of a rate in cycles a warp.
    fn lanes(&self, path: &str) -> FigureText {
        Ok(number(32.0 / self.float(path)?))
    }

    fn capability(&self) -> FigureText {
        match self.list("compute_capability")? {
            [toml::Value::Integer(major), toml::Value::Integer(minor)] => Ok(format!("{major}.{minor}")),
            _ => Err(self.of_another_type("compute_capability", "pair of whole numbers")),
        }
    }

    fn sources(&self) -> FigureText {
        let items = self.list("sources")?.iter().map(|source| {
            let source = source.as_str().ok_or_else(|| self.of_another_type("sources", "list of texts"))?;
            Ok(format!("<li>{}</li>", prose(source)))
        });
        let items = items.collect::<Result<String, String>>()?;
        let (file, name) = (escape(&self.name), escape(self.text("name")?));
        Ok(format!("<details><summary>{file}, {name}</summary><ul>{items}</ul></details>"))
    }
}

/// A column a chip, and below the table what each file says of its sources.
///
/// # Errors
/// A field that is missing or of another type, with its file.
pub(crate) fn html(chips: &[ChipFile]) -> Result<String, String> {
    let cell = |text: String| Cell { text, ..Cell::default() };
    let numeric = |chip: &ChipFile| Column { heading: chip.name.clone(), numeric: true };
    let row = |(heading, of): &Row| {
        let shown = chips.iter().map(of).collect::<Result<Vec<_>, _>>()?;
        Ok(std::iter::once((*heading).to_owned()).chain(shown).map(cell).collect())
    };
    let table = Table {
        caption:
            "What the chip files say: sizes and limits of a multiprocessor, rates a multiprocessor and cycle"
                .into(),
        columns: std::iter::once(Column { heading: "property".into(), ..Column::default() })
            .chain(chips.iter().map(numeric))
            .collect(),
        rows: ROWS.iter().map(row).collect::<Result<_, String>>()?,
        ..Table::default()
    };
    Ok(table.html() + &chips.iter().map(ChipFile::sources).collect::<Result<String, _>>()?)
}
