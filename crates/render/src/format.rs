//! Form of numbers and units, in the book and on the terminal alike.
//!
//! Enters: a number in the unit a record gives it. Leaves: text, three or four significant digits, SI prefixes for
//! times, binary prefixes for sizes, commas between thousands. This module must never know what the number means.

use counters::grouped;

/// No-break space between a number and its unit.
const NBSP: char = '\u{a0}';

/// Format of one number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Format<'a> {
    /// Number of significant digits; none: three, or four from 1,000 on. Whole numbers below 10^15 are written out
    /// where none is given.
    pub digits: Option<usize>,
    /// Unit for a time or size (`ns`, `µs`, `us`, `ms`, `s`; `B`, `KiB`, `MiB`, `GiB`; `GB/s`,
    /// `TB/s`), or `%` for a share, which has no unit of its own; none: the one that fits.
    pub unit: Option<&'a str>,
}

const TIMES: [(&str, f64); 4] = [("ns", 1.0), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)];
const SIZES: [(&str, f64); 4] = [("B", 1.0), ("KiB", 1024.0), ("MiB", 1048576.0), ("GiB", 1073741824.0)];

/// Units of bandwidths, which keep their axis' unit unless another is asked for.
const RATES: [(&str, f64); 2] = [("GB/s", 1.0), ("TB/s", 1000.0)];

/// Plain numbers, of which shares can be written as percentages.
const PLAIN: [(&str, f64); 2] = [("", 1.0), (PERCENT, 0.01)];

/// Unit that makes a percentage of a share.
pub(crate) const PERCENT: &str = "%";

/// A number with its unit: `71.2 µs` for 71,234 `ns`, `2 KiB` for 2,048 `B` and `4,000 B` for what is not such a multiple,
/// `1,893 GB/s`, `1 float` for 1 `floats`; without a unit the number.
pub fn quantity(value: f64, unit: &str) -> String {
    // No unit is asked for, so there is none that could be refused.
    Format::default().quantity(value, unit).unwrap_or_else(|_| number(value))
}

/// A number alone, such as `1,893`, `98.3`, `0.00357`.
pub fn number(value: f64) -> String {
    Format::default().number(value)
}

/// A number with its unit, without zeros at its end, such as `0.5` or `1.5 KiB`: the mark of an axis is exact.
pub fn mark(value: f64, unit: &str) -> String {
    let text = quantity(value, unit);
    let (number, unit) = text.split_at(text.find(NBSP).unwrap_or(text.len()));
    if number.contains('.') && !number.contains('e') {
        format!("{}{unit}", number.trim_end_matches('0').trim_end_matches('.'))
    } else {
        text
    }
}

/// A count, such as `16,777,216`.
pub fn count(value: u64) -> String {
    grouped(value)
}

/// A count of things, such as `1 sector` or `4 sectors`, with a space that does not break.
pub fn plural(n: u64, one: &str) -> String {
    let more = match n {
        1 => "",
        _ if one.ends_with('s') => "es",
        _ => "s",
    };
    format!("{}\u{a0}{one}{more}", count(n))
}

/// A time in nanoseconds, such as `71.2 µs`.
pub fn time_ns(ns: f64) -> String {
    quantity(ns, "ns")
}

/// A size in bytes, such as `2 KiB`.
pub fn bytes(bytes: u64) -> String {
    quantity(bytes as f64, "B")
}

/// The date in a timestamp of RFC 3339.
pub fn day(when: &str) -> &str {
    when.split_once('T').map_or(when, |(day, _)| day)
}

impl Format<'_> {
    /// A number with its unit.
    ///
    /// # Errors
    /// A unit that a value in `unit` cannot be written in; the error lists those that it can.
    pub fn quantity(self, value: f64, unit: &str) -> Result<String, String> {
        let ladder: &[(&str, f64)] = match unit {
            "ns" => &TIMES,
            "B" => &SIZES,
            "GB/s" => &RATES,
            "" => &PLAIN,
            _ => &[],
        };
        let (number, unit) = match self.unit.map(|u| if u == "us" { "µs" } else { u }) {
            None if matches!(unit, "GB/s" | "") => (self.number(value), unit),
            None if unit == "B" && self.digits.is_none() && is_written_out(value) => {
                (self.number(value), unit)
            }
            None => self.step(value, if value == 1.0 { one_of(unit) } else { unit }, ladder),
            Some(asked) if asked == unit => (self.number(value), unit),
            Some(asked) => match ladder.iter().find(|(name, _)| *name == asked) {
                // 0.28 / 0.01 is not 28, but 28.000000000000004: what is beyond 15 digits was never in the value.
                Some((PERCENT, size)) => (self.number(round(value / size, 15)), PERCENT),
                Some((name, size)) => (self.number(value / size), *name),
                None => {
                    let there: Vec<_> =
                        ladder.iter().map(|(name, _)| *name).filter(|u| !u.is_empty()).collect();
                    let there = if there.is_empty() { format!("`{unit}` alone") } else { there.join(", ") };
                    let what = match unit {
                        "" => "a number without a unit".to_owned(),
                        unit => format!("`{unit}`"),
                    };
                    return Err(format!("cannot write {what} in `{asked}`; possible: {there}"));
                }
            },
        };
        Ok(if unit.is_empty() { number } else { format!("{number}{NBSP}{unit}") })
    }

    /// The number in the largest unit of which there is at least one, after rounding: 999.96 µs is 1 ms.
    fn step<'u>(self, value: f64, unit: &'u str, ladder: &[(&'u str, f64)]) -> (String, &'u str) {
        let rounded = |size: f64| round(value / size, self.digits.unwrap_or(3)).abs();
        match ladder.iter().rev().find(|(_, size)| rounded(*size) >= 1.0) {
            Some((name, size)) => (self.number(value / size), name),
            None => (self.number(value), unit),
        }
    }

    /// A number alone.
    pub fn number(self, value: f64) -> String {
        if !value.is_finite() {
            return value.to_string();
        }
        if value == 0.0 {
            return "0".into();
        }
        if self.digits.is_none() && value.fract() == 0.0 && value.abs() < 1e15 {
            return grouped(format!("{value:.0}"));
        }
        let digits = self.digits.unwrap_or(if value.abs() >= 1000.0 { 4 } else { 3 }).clamp(1, 17);
        let (exponent, rounded) = scientific(value, digits);
        if !(-5..15).contains(&exponent) {
            return format!("{value:.*e}", digits - 1);
        }
        let decimals = usize::try_from(digits as i32 - 1 - exponent).unwrap_or(0);
        grouped(format!("{rounded:.decimals$}"))
    }
}

/// Whether a size is written out in bytes: it is short, and three digits of a larger unit would not say which it is.
fn is_written_out(bytes: f64) -> bool {
    let kib = bytes / 1024.0;
    (1024.0..10_000.0).contains(&bytes) && bytes.fract() == 0.0 && round(kib, 3) != kib
}

/// One of the things that a unit counts: `float` of `floats`. Units of measure, such as `ms` or `GB/s`, stay as they are.
fn one_of(unit: &str) -> &str {
    match unit.strip_suffix('s') {
        Some(one) if one.len() > 2 && one.chars().all(|c| c.is_ascii_lowercase()) => one,
        _ => unit,
    }
}

/// The decimal exponent of `value` after rounding to `digits` significant digits, and the rounded value.
fn scientific(value: f64, digits: usize) -> (i32, f64) {
    let text = format!("{value:.*e}", digits.max(1) - 1);
    let exponent = text.split_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
    (exponent, text.parse().unwrap_or(value))
}

fn round(value: f64, digits: usize) -> f64 {
    scientific(value, digits).1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits_and_four_from_a_thousand_on() {
        for (value, text) in [
            (1893.44, "1,893"),
            (412.337, "412"),
            (98.31, "98.3"),
            (1.4321, "1.43"),
            (0.003568, "0.00357"),
            (9.996, "10.0"),
            (999.6, "1,000"),
            (999.96, "1,000"),
            (123456.7, "123,500"),
            (-0.25, "−0.250"),
            (1.0 / 3e9, "3.33e-10"),
        ] {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn one_thing_is_not_reported_in_the_plural() {
        assert_eq!(quantity(1.0, "floats"), "1\u{a0}float");
        assert_eq!(quantity(8.0, "floats"), "8\u{a0}floats");
        assert_eq!(quantity(1.0, "GFLOP/s"), "1\u{a0}GFLOP/s");
        assert_eq!(quantity(1.0, "ns"), "1\u{a0}ns");
    }

    #[test]
    fn whole_numbers_are_written_out() {
        assert_eq!(number(16_777_216.0), "16,777,216");
        assert_eq!(number(0.0), "0");
        assert_eq!(number(-1024.0), "−1,024");
        assert_eq!(count(864), "864");
        assert_eq!(count(u64::MAX), "18,446,744,073,709,551,615");
    }

    #[test]
    fn times_and_sizes_take_the_unit_that_fits() {
        assert_eq!(time_ns(71_234.0), "71.2\u{a0}µs");
        assert_eq!(time_ns(999_960.0), "1.00\u{a0}ms");
        assert_eq!(time_ns(0.25), "0.250\u{a0}ns");
        assert_eq!(time_ns(2.5e9), "2.50\u{a0}s");
        assert_eq!(bytes(256), "256\u{a0}B");
        assert_eq!(bytes(65536), "64\u{a0}KiB");
        assert_eq!(bytes(1536), "1.50\u{a0}KiB");
        // 3.91 KiB could be 4,003 bytes as well.
        assert_eq!(bytes(4000), "4,000\u{a0}B");
        assert_eq!(bytes(56_000), "54.7\u{a0}KiB");
        assert_eq!(quantity(1893.44, "GB/s"), "1,893\u{a0}GB/s");
        assert_eq!(quantity(3.0, ""), "3");
    }

    #[test]
    fn digits_and_unit_can_be_asked_for() {
        let micro = Format { digits: Some(2), unit: Some("us") };
        assert_eq!(micro.quantity(1_234_567.0, "ns").as_deref(), Ok("1,200\u{a0}µs"));
        let error = Format { unit: Some("KiB"), ..Format::default() }.quantity(1.0, "ns");
        assert_eq!(error, Err("cannot write `ns` in `KiB`; possible: ns, µs, ms, s".into()));
    }

    #[test]
    fn shares_can_be_percentages() {
        let percent = Format { unit: Some("%"), ..Format::default() };
        for (share, text) in [
            (0.97312, "97.3\u{a0}%"),
            (1.0, "100\u{a0}%"),
            (0.28, "28\u{a0}%"),
            (0.0, "0\u{a0}%"),
            (1.0 / 1024.0, "0.0977\u{a0}%"),
            (12.5, "1,250\u{a0}%"),
        ] {
            assert_eq!(percent.quantity(share, "").as_deref(), Ok(text));
        }
        assert_eq!(Format { digits: Some(2), ..percent }.quantity(0.97312, "").as_deref(), Ok("97\u{a0}%"));
        let of_a_time = percent.quantity(0.5, "ns");
        assert_eq!(of_a_time, Err("cannot write `ns` in `%`; possible: ns, µs, ms, s".into()));
        let of_a_share = Format { unit: Some("ns"), ..percent }.quantity(0.5, "");
        assert_eq!(of_a_share, Err("cannot write a number without a unit in `ns`; possible: %".into()));
    }

    #[test]
    fn what_is_not_a_number_is_written_as_such() {
        assert_eq!(number(f64::NAN), "NaN");
        assert_eq!(quantity(f64::INFINITY, "ns"), "inf\u{a0}s");
    }

    #[test]
    fn a_day_is_a_time_without_its_hours() {
        assert_eq!(day("2025-11-21T06:00:00Z"), "2025-11-21");
        assert_eq!(day("yesterday"), "yesterday");
    }
}
