//! One named quantity of a point: the source of a table's column and of the book's `{{#value}}`.
//!
//! Enters: a field's name, then points. Leaves: a [`Value`] with its unit, and a heading. This module must never know
//! how either is laid out.

use crate::{Error, Format, format};
use record::{Experiment, Launch, Origin, Point, Record, Series, TimeSource, Timing};

/// A quantity of a point, by name.
#[derive(Clone, Debug, PartialEq)]
pub enum Field {
    /// `series`: the variant's label.
    Series,
    /// `x`: the point's x.
    X,
    /// `kernel`: the kernel's name.
    Kernel,
    /// `grid`: blocks of the grid, such as `65,536` or `256 × 256`.
    Grid,
    /// `block`: threads of a block.
    Block,
    /// `shared`: dynamic shared memory of a block.
    Shared,
    /// `operation`: the host operation with or instead of a launch.
    Operation,
    /// `calls`: number of timed calls.
    Calls,
    /// `y`: the point's y, from the median time.
    Y,
    /// `y.min`: lowest y among the timed calls.
    YMin,
    /// `y.max`: highest y among the timed calls.
    YMax,
    /// `time.median`, `time.mean`, `time.min`, `time.max`, `time.iqr`: a statistic of the timed calls.
    Time(Stat),
    /// `global_load_sectors`: a count of the embedded device; `hardware:global_load_sectors`: one of the GPU.
    Counter {
        /// Nsight Compute's count rather than the embedded device's.
        hardware: bool,
        /// Name of the counter.
        name: String,
    },
    /// `global_load_sectors/global_load_requests`: a ratio of counts, with `hardware:` before it for those of the GPU.
    Ratio {
        /// Nsight Compute's counts rather than the embedded device's.
        hardware: bool,
        /// Dividend.
        above: String,
        /// Divisor.
        below: String,
    },
    /// `ideal:4`: a constant column, for the ideal value of the column next to it.
    Ideal(f64),
}

/// A statistic of the timed calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stat {
    /// Median.
    Median,
    /// Arithmetic mean.
    Mean,
    /// Minimum.
    Min,
    /// Maximum.
    Max,
    /// Interquartile range.
    Iqr,
}

/// Value of a field at one point.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A text.
    Text(String),
    /// A number in `unit`.
    Number {
        /// The number.
        value: f64,
        /// Unit of the number, empty for a plain number.
        unit: String,
    },
}

const FIXED: [(&str, Field); 16] = [
    ("series", Field::Series),
    ("x", Field::X),
    ("kernel", Field::Kernel),
    ("grid", Field::Grid),
    ("block", Field::Block),
    ("shared", Field::Shared),
    ("operation", Field::Operation),
    ("calls", Field::Calls),
    ("y", Field::Y),
    ("y.min", Field::YMin),
    ("y.max", Field::YMax),
    ("time.median", Field::Time(Stat::Median)),
    ("time.mean", Field::Time(Stat::Mean)),
    ("time.min", Field::Time(Stat::Min)),
    ("time.max", Field::Time(Stat::Max)),
    ("time.iqr", Field::Time(Stat::Iqr)),
];

impl Field {
    /// Reads a field's name. A counter's name is not looked up before a value is asked for.
    ///
    /// # Errors
    /// A word that is neither a fixed field nor formed like a counter.
    pub fn parse(name: &str) -> Result<Self, Error> {
        if let Some((_, field)) = FIXED.iter().find(|(fixed, _)| *fixed == name) {
            return Ok(field.clone());
        }
        let wrong = || Error::Field {
            name: name.into(),
            there: FIXED.iter().map(|(fixed, _)| (*fixed).to_owned()).collect(),
        };
        if let Some(ideal) = name.strip_prefix("ideal:") {
            let ideal: f64 = ideal.parse().map_err(|_| wrong())?;
            return if ideal.is_finite() { Ok(Field::Ideal(ideal)) } else { Err(wrong()) };
        }
        let (hardware, counter) = match name.strip_prefix("hardware:") {
            Some(counter) => (true, counter),
            None => (false, name),
        };
        let is_name = |s: &str| {
            !s.is_empty() && s.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
        };
        match counter.split_once('/') {
            Some((above, below)) if is_name(above) && is_name(below) => {
                Ok(Field::Ratio { hardware, above: above.into(), below: below.into() })
            }
            None if is_name(counter) && (hardware || counter.contains('_')) => {
                Ok(Field::Counter { hardware, name: counter.into() })
            }
            _ => Err(wrong()),
        }
    }

    /// Value of the field at a point.
    ///
    /// # Errors
    /// A counter that the point does not have, with those it has.
    pub fn of(&self, experiment: &Experiment, series: &Series, point: &Point) -> Result<Value, Error> {
        let number = |value: f64, unit: &str| Ok(Value::Number { value, unit: unit.into() });
        let counter = |hardware: bool, name: &str| {
            let (what, counters) = match hardware {
                true => ("hardware counter", &point.hardware),
                false => ("counter", &point.counters),
            };
            counters.get(name).map(|count| *count as f64).ok_or_else(|| {
                let place = format!("`{}`, series `{}`, x = {}", experiment.id, series.id, point.x);
                Error::missing(what, name, place, counters.keys().map(String::as_str))
            })
        };
        let none = || "–".to_owned();
        // A copy that the host asks for has no kernel.
        let launch = |of: &dyn Fn(&Launch) -> Value| match &point.launch {
            Some(launch) => of(launch),
            None => Value::Text(none()),
        };
        let time = || {
            point.time.as_ref().ok_or_else(|| Error::Untimed {
                experiment: experiment.id.clone(),
                series: series.id.clone(),
                x: point.x,
            })
        };
        match self {
            Field::Series => Ok(Value::Text(series.label.clone())),
            Field::X => number(point.x, &experiment.x.unit),
            Field::Kernel => Ok(launch(&|l| Value::Text(l.kernel.clone()))),
            Field::Grid => Ok(launch(&|l| Value::Text(shape(l.grid)))),
            Field::Block => Ok(launch(&|l| Value::Text(shape(l.block)))),
            Field::Shared => {
                Ok(launch(&|l| Value::Number { value: l.shared_bytes.into(), unit: "B".into() }))
            }
            Field::Operation => Ok(Value::Text(point.operation.clone().unwrap_or_else(none))),
            Field::Calls => number(time()?.calls.into(), ""),
            Field::Y => number(point.y, &experiment.y.unit),
            Field::YMin => number(point.y_min, &experiment.y.unit),
            Field::YMax => number(point.y_max, &experiment.y.unit),
            Field::Time(stat) => number(stat.of(time()?), "ns"),
            Field::Counter { hardware, name } => number(counter(*hardware, name)?, ""),
            Field::Ratio { hardware, above, below } => {
                let (above, below) = (counter(*hardware, above)?, counter(*hardware, below)?);
                // Nothing asked for, nothing moved: there is no ratio then.
                if below == 0.0 { Ok(Value::Text("–".into())) } else { number(above / below, "") }
            }
            Field::Ideal(ideal) => number(*ideal, ""),
        }
    }

    /// Heading of a column, with the unit where its cells have it in common.
    pub fn heading(&self, experiment: &Experiment) -> String {
        match self {
            Field::Series => "variant".into(),
            Field::X => with_unit(&experiment.x.label, &experiment.x.unit),
            Field::Kernel => "kernel".into(),
            Field::Grid => "blocks".into(),
            Field::Block => "threads a block".into(),
            Field::Shared => "shared memory a block".into(),
            Field::Operation => "operation".into(),
            Field::Calls => "calls".into(),
            Field::Y => with_unit(&experiment.y.label, &experiment.y.unit),
            Field::YMin => format!("lowest {}", with_unit(&experiment.y.label, &experiment.y.unit)),
            Field::YMax => format!("highest {}", with_unit(&experiment.y.label, &experiment.y.unit)),
            Field::Time(Stat::Median) => "median time".into(),
            Field::Time(Stat::Mean) => "mean time".into(),
            Field::Time(Stat::Min) => "shortest".into(),
            Field::Time(Stat::Max) => "longest".into(),
            Field::Time(Stat::Iqr) => "interquartile range".into(),
            Field::Counter { hardware, name } => by(*hardware, &title(name)),
            Field::Ratio { hardware, above, below } => by(*hardware, &per(&title(above), &title(below))),
            Field::Ideal(_) => "ideal".into(),
        }
    }

    /// Whether the field depends on time, so that on the embedded device it is modelled rather than counted.
    pub fn is_timing(&self) -> bool {
        matches!(self, Field::Y | Field::YMin | Field::YMax | Field::Time(_))
    }

    /// The field as the embedded device counts it, if Nsight Compute is not the only one to do so.
    pub fn embedded(&self) -> Option<Field> {
        let is_embedded = |name: &str| counters::get(name).is_none_or(|counter| counter.embedded);
        match self {
            Field::Counter { name, .. } => {
                is_embedded(name).then(|| Field::Counter { hardware: false, name: name.clone() })
            }
            Field::Ratio { above, below, .. } => (is_embedded(above) && is_embedded(below))
                .then(|| Field::Ratio { hardware: false, above: above.clone(), below: below.clone() }),
            field => Some(field.clone()),
        }
    }

    /// Whether a reader's own run may differ in the field.
    pub fn is_result(&self) -> bool {
        self.is_timing() || matches!(self, Field::Counter { .. } | Field::Ratio { .. })
    }

    /// Whether the field may be a share, which can be written as a percentage: a ratio, or what an experiment plots.
    pub(crate) fn may_be_share(&self) -> bool {
        matches!(self, Field::Y | Field::YMin | Field::YMax | Field::Ratio { .. })
    }

    /// Whether the field is a part of a whole, and so a percentage unless something else is asked for: hits in a cache.
    pub(crate) fn is_share(&self) -> bool {
        matches!(self, Field::Ratio { above, .. } if above.ends_with("_hits"))
    }

    /// Whether cells carry their unit themselves, because each takes the prefix that fits.
    pub(crate) fn carries_unit(&self, unit: &str) -> bool {
        matches!(unit, "ns" | "B") || !matches!(self, Field::X | Field::Y | Field::YMin | Field::YMax)
    }
}

impl Stat {
    fn of(self, time: &Timing) -> f64 {
        match self {
            Stat::Median => time.median_ns,
            Stat::Mean => time.mean_ns,
            Stat::Min => time.min_ns,
            Stat::Max => time.max_ns,
            Stat::Iqr => time.iqr_ns,
        }
    }
}

impl Value {
    /// The value as text, with its unit.
    ///
    /// # Errors
    /// The format asks for a unit that this value cannot be written in.
    pub fn show(&self, format: Format<'_>) -> Result<String, String> {
        match self {
            Value::Text(text) => Ok(text.clone()),
            Value::Number { value, unit } => format.quantity(*value, unit),
        }
    }
}

/// `axis (unit)`; sizes and times carry the unit in each number.
pub fn with_unit(label: &str, unit: &str) -> String {
    if unit.is_empty() || matches!(unit, "B" | "ns") { label.into() } else { format!("{label} ({unit})") }
}

/// `measured` or `modelled`.
pub(crate) fn source_name(source: TimeSource) -> &'static str {
    match source {
        TimeSource::Measured => "measured",
        TimeSource::Modelled => "modelled",
    }
}

/// Label for values of an origin in a record: `NVIDIA H200, measured`.
pub fn whose(record: &Record, origin: Origin) -> String {
    match origin {
        Origin::Time => format!("{}, {}", record.device.label(), source_name(record.device.source())),
        // Whatever device the record is of, its counts are those of the embedded one.
        Origin::Count => "counted by the embedded device".to_owned(),
        Origin::Answer => record.device.label(),
    }
}

/// What readers see of a counter: its title in the catalogue; of one that the catalogue lacks, its name in words.
pub fn title(counter: &str) -> String {
    counters::get(counter).map_or_else(|| counter.replace('_', " "), |known| known.title.to_owned())
}

fn by(hardware: bool, what: &str) -> String {
    if hardware { format!("{what}, counted by the GPU") } else { what.into() }
}

/// A ratio of counters by their titles: `sectors per request of global loads`, `replays per constant load`.
fn per(above: &str, below: &str) -> String {
    // What both are of is named once.
    match (above.split_once(" of "), below.split_once(" of ")) {
        (Some((what, of)), _) if of == below => format!("{what} per {}", singular(below)),
        (Some((what, of)), Some((each, same))) if of == same => {
            format!("{what} per {} of {of}", singular(each))
        }
        (_, Some((each, of))) => format!("{above} per {} of {of}", singular(each)),
        _ => format!("{above} per {}", singular(below)),
    }
}

fn singular(plural: &str) -> &str {
    plural.strip_suffix('s').unwrap_or(plural)
}

/// Text for a grid's or block's dimensions, without trailing ones.
fn shape(size: [u32; 3]) -> String {
    let used = size.iter().rposition(|n| *n != 1).map_or(1, |last| last + 1);
    let parts: Vec<_> = size[..used].iter().map(|n| format::count((*n).into())).collect();
    parts.join(" × ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fixed_name_reads_back() {
        for (name, field) in FIXED {
            assert_eq!(Field::parse(name), Ok(field));
        }
    }

    #[test]
    fn counters_ratios_and_ideals_have_their_forms() {
        let ratio = Field::parse("hardware:global_load_sectors/global_load_requests");
        assert!(matches!(ratio, Ok(Field::Ratio { hardware: true, .. })));
        assert!(matches!(Field::parse("const_replays"), Ok(Field::Counter { hardware: false, .. })));
        assert_eq!(Field::parse("ideal:4"), Ok(Field::Ideal(4.0)));
    }

    #[test]
    fn a_misspelt_field_is_refused_with_the_nearest() {
        let error = Field::parse("time.medain").expect_err("no such field").to_string();
        assert!(error.contains("did you mean `time.median`?"), "{error}");
        for bad in ["", "Y", "ideal:", "ideal:NaN", "a_b/", "hardware:", "time"] {
            assert!(matches!(Field::parse(bad), Err(Error::Field { .. })), "{bad}");
        }
    }

    #[test]
    fn shapes_leave_trailing_ones_out() {
        assert_eq!(shape([65536, 1, 1]), "65,536");
        assert_eq!(shape([1, 1, 1]), "1");
        assert_eq!(shape([16, 1, 2]), "16 × 1 × 2");
    }

    #[test]
    fn a_ratio_names_once_what_both_counters_are_of() {
        let ratio = |above, below| per(&title(above), &title(below));
        assert_eq!(
            ratio("global_load_sectors", "global_load_requests"),
            "sectors per request of global loads"
        );
        assert_eq!(ratio("const_replays", "const_instructions"), "replays per constant load");
        assert_eq!(
            ratio("dram_read_sectors", "global_load_requests"),
            "sectors read from DRAM per request of global loads"
        );
        assert_eq!(ratio("barriers", "warp_instructions"), "barriers per instruction of warps");
        assert_eq!(ratio("barriers", "of_a_later_book"), "barriers per of a later book");
    }
}
