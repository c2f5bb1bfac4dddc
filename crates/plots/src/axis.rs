//! An axis: its range, its ticks with their text, and the coordinate of a value, of which plotters finds the pixel.
//!
//! Enters: the values to be shown and the scale that the record asks for. Leaves: a range of coordinates, and ticks in it.
//! This module must never know what the values are of.

use plotters::coord::ranged1d::{BoldPoints, KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use record::Scale;
use render::drawing::{TEXT, width};
use render::format;
use std::ops::Range;

/// An axis over the values given to it.
pub(super) struct Axis {
    scale: Scale,
    range: Range<f64>,
    /// Coordinates that have a tick, rising.
    pub(super) ticks: Vec<f64>,
    unit: String,
    /// The values themselves where each has a place of its own, in their order; coordinates count them.
    categories: Vec<f64>,
}

/// Most values that are shown as categories.
const CATEGORIES: usize = 16;
/// Share of an axis, under which two values cannot be distinguished.
const DENSE: f64 = 0.005;
/// Distance of two ticks' texts, in pixels.
const GAP: f64 = 6.0;

impl Axis {
    /// An axis that shows every one of `values`, which are finite, at least one, and positive on a logarithmic axis.
    ///
    /// A linear axis begins at zero unless a value is below it: lengths on it can then be compared. There are not many
    /// more than `most` ticks.
    pub(super) fn new(axis: &record::Axis, values: &[f64], most: usize) -> Self {
        let coordinates: Vec<f64> = values.iter().map(|value| scaled(axis.scale, *value)).collect();
        let min = coordinates.iter().copied().fold(f64::INFINITY, f64::min);
        let max = coordinates.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (mut ticks, range) = match axis.scale {
            Scale::Linear => linear(min, max, values.iter().all(|v| v.fract() == 0.0), most),
            Scale::Log2 => powers_of_two(min, max, most),
            Scale::Log10 => powers_of_ten(min, max, most),
        };
        // Values between two ticks have none: then they have ticks themselves.
        if ticks.is_empty() {
            ticks = vec![min, max];
            ticks.dedup();
        }
        Axis { scale: axis.scale, range, ticks, unit: axis.unit.clone(), categories: Vec::new() }
    }

    /// An axis with one place for each of a few values, where some of them are too near to each other to be distinguished
    /// on a scale, such as 255, 256 and 257.
    pub(super) fn of_categories(axis: &record::Axis, values: &[f64]) -> Option<Self> {
        let mut categories = values.to_vec();
        categories.sort_by(f64::total_cmp);
        categories.dedup();
        let at: Vec<f64> = categories.iter().map(|value| scaled(axis.scale, *value)).collect();
        let span = at.last()? - at.first()?;
        let dense = at.windows(2).any(|pair| pair[1] - pair[0] < DENSE * span);
        (dense && at.len() <= CATEGORIES).then(|| Axis {
            scale: Scale::Linear,
            range: -0.5..at.len() as f64 - 0.5,
            ticks: (0..at.len()).map(|i| i as f64).collect(),
            unit: axis.unit.clone(),
            categories,
        })
    }

    /// An axis whose ticks' texts have room on this many pixels. Ticks are best where values are.
    pub(super) fn fitting(axis: &record::Axis, values: &[f64], most: usize, room: f64) -> Self {
        let fitting =
            (2..=most).map(|most| Axis::new(axis, values, most)).filter(|axis| !axis.overlaps(room));
        let at: Vec<f64> = values.iter().map(|value| scaled(axis.scale, *value)).collect();
        let at_values = |axis: &Axis| axis.ticks.iter().filter(|tick| at.contains(tick)).count();
        let best = fitting.max_by_key(|axis| (at_values(axis), axis.ticks.len()));
        // Two texts may overlap all the same, in a record of huge numbers.
        best.unwrap_or_else(|| Axis::new(axis, values, 2))
    }

    /// Whether the texts of its ticks would overlap on this many pixels.
    pub(super) fn overlaps(&self, room: f64) -> bool {
        let each = room / (self.range.end - self.range.start);
        let half = |i: usize| width(&self.text(self.ticks[i]), TEXT) / 2.0;
        let apart = |i: usize| (self.ticks[i] - self.ticks[i - 1]) * each;
        (1..self.ticks.len()).any(|i| half(i - 1) + GAP + half(i) > apart(i))
    }

    /// The coordinate of a value; `shift` is its distance from the middle of a category's place.
    pub(super) fn coordinate(&self, value: f64, shift: f64) -> f64 {
        let place = self.categories.iter().position(|category| *category == value);
        place.map_or_else(|| scaled(self.scale, value), |place| place as f64 + shift)
    }

    /// The coordinate, or the end of the axis that it is beyond.
    pub(super) fn within(&self, coordinate: f64) -> f64 {
        coordinate.clamp(self.range.start, self.range.end)
    }

    /// Text of a tick.
    pub(super) fn text(&self, tick: f64) -> String {
        let value = self.value(tick);
        // 0.1 + 0.2 and the like are rounded away.
        let value = format!("{value:.9e}").parse().unwrap_or(value);
        format::mark(value, if self.ticks_have_units() { &self.unit } else { "" })
    }

    /// Whether each tick has its own prefix and unit, as for sizes, and for times of a microsecond and more.
    pub(super) fn ticks_have_units(&self) -> bool {
        self.unit == "B" || self.unit == "ns" && self.ticks.iter().any(|tick| self.value(*tick) >= 2_000.0)
    }

    fn value(&self, tick: f64) -> f64 {
        match self.scale {
            Scale::Linear => self.categories.get(tick as usize).copied().unwrap_or(tick),
            Scale::Log2 => tick.exp2(),
            Scale::Log10 => 10f64.powf(tick),
        }
    }
}

impl Ranged for &Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, coordinate: &f64, limit: (i32, i32)) -> i32 {
        RangedCoordf64::from(self.range()).map(coordinate, limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() { Vec::new() } else { self.ticks.clone() }
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for &Axis {
    fn format_ext(&self, tick: &f64) -> String {
        self.text(*tick)
    }
}

/// A value as its scale counts it.
pub(super) fn scaled(scale: Scale, value: f64) -> f64 {
    match scale {
        Scale::Linear => value,
        Scale::Log2 => value.log2(),
        Scale::Log10 => value.log10(),
    }
}

fn linear(min: f64, max: f64, whole: bool, most: usize) -> (Vec<f64>, Range<f64>) {
    let (min, max) = (min.min(0.0), if max > 0.0 || min < 0.0 { max.max(0.0) } else { 1.0 });
    // plotters divides no range as small or large as this, which no record has.
    if !(1e-12..1e18).contains(&(max - min)) {
        return (vec![min, max], min..max);
    }
    // Counts of lanes and the like run up to a power of two, or to the last below one: 8, 16, 24, 32 are then rounder
    // than 10, 20, 30.
    let power = [max, max + 1.0].into_iter().find(|end| end.log2().fract() == 0.0);
    let step = match power.filter(|_| whole && (8.0..=4096.0).contains(&max)) {
        Some(power) => power / 4.0,
        None => match RangedCoordf64::from(min..max).key_points(BoldPoints(most))[..] {
            [first, second, ..] => second - first,
            _ => max - min,
        },
    };
    let (low, high) = ((min / step).floor(), (max / step).ceil());
    ((low as i64..=high as i64).map(|i| i as f64 * step).collect(), low * step..high * step)
}

// plotters has a coordinate for logarithms too. Its ticks are whole powers alone, of which 500 to 5,000 has one, and it never
// finds those of the largest range.

fn powers_of_two(min: f64, max: f64, most: usize) -> (Vec<f64>, Range<f64>) {
    // Less than a step to the next power, which would have a tick though no value is there.
    let room = ((max - min) * 0.04).clamp(0.25, 0.9);
    (powers(min - room, max + room, most), min - room..max + room)
}

fn powers_of_ten(min: f64, max: f64, most: usize) -> (Vec<f64>, Range<f64>) {
    let room = ((max - min) * 0.04).max(0.08);
    let (low, high) = (min - room, max + room);
    let at = |mantissas: &[f64]| -> Vec<f64> {
        let at = |power: i32| mantissas.iter().map(move |mantissa| (mantissa * 10f64.powi(power)).log10());
        (low.floor() as i32..=high.ceil() as i32)
            .flat_map(at)
            .filter(|tick| (low..=high).contains(tick))
            .collect()
    };
    // Between fewer than three powers, the finest ticks that are not too many.
    let sets: [&[f64]; 3] =
        [&[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], &[1.0, 2.0, 5.0], &[1.0, 3.0]];
    let few = powers(low, high, most).len() < 3;
    let finest = sets.into_iter().filter(|_| few).map(at).find(|ticks| ticks.len() <= most);
    (finest.unwrap_or_else(|| powers(low, high, most)), low..high)
}

/// Whole powers, every second, third, … if there are too many.
fn powers(low: f64, high: f64, most: usize) -> Vec<f64> {
    let powers = low.ceil() as i32..=high.floor() as i32;
    let every = powers.clone().count().div_ceil(most.max(1)).max(1);
    powers.step_by(every).map(f64::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(scale: Scale, values: &[f64], most: usize) -> Axis {
        Axis::new(&of(scale, ""), values, most)
    }

    fn of(scale: Scale, unit: &str) -> record::Axis {
        record::Axis { label: String::new(), unit: unit.to_owned(), scale }
    }

    fn text(scale: Scale, unit: &str, values: &[f64], value: f64) -> String {
        Axis::new(&of(scale, unit), values, 10).text(scaled(scale, value))
    }

    fn texts(axis: &Axis) -> Vec<String> {
        axis.ticks.iter().map(|tick| axis.text(*tick)).collect()
    }

    /// Place of a value, from 0 to this many pixels.
    fn place(axis: &Axis, value: f64, pixels: i32) -> i32 {
        (&axis).map(&axis.coordinate(value, 0.0), (0, pixels))
    }

    #[test]
    fn a_linear_axis_begins_at_zero_and_ends_at_a_tick() {
        let axis = axis(Scale::Linear, &[412.0, 2700.0], 7);
        assert_eq!(axis.ticks, [0.0, 500.0, 1000.0, 1500.0, 2000.0, 2500.0, 3000.0]);
        assert_eq!([0.0, 3000.0].map(|value| place(&axis, value, 80)), [0, 80]);
    }

    #[test]
    fn a_linear_axis_of_lanes_is_ticked_in_powers_of_two() {
        assert_eq!(axis(Scale::Linear, &[1.0, 2.0, 32.0], 7).ticks, [0.0, 8.0, 16.0, 24.0, 32.0]);
        assert_eq!(axis(Scale::Linear, &[0.0, 2.0, 31.0], 7).ticks, [0.0, 8.0, 16.0, 24.0, 32.0]);
    }

    #[test]
    fn values_below_zero_are_shown() {
        assert_eq!(axis(Scale::Linear, &[-3.0, 4.0], 5).ticks, [-4.0, -2.0, 0.0, 2.0, 4.0]);
    }

    #[test]
    fn a_log_axis_is_ticked_at_powers_and_thinned() {
        let blocks = [32.0, 1024.0];
        assert_eq!(texts(&axis(Scale::Log2, &blocks, 9)), ["32", "64", "128", "256", "512", "1,024"]);
        assert_eq!(texts(&axis(Scale::Log2, &blocks, 3)), ["32", "128", "512"]);
        assert_eq!(texts(&axis(Scale::Log10, &[40.0, 1345.0], 9)), ["50", "100", "200", "500", "1,000"]);
        assert_eq!(texts(&axis(Scale::Log10, &[10.0, 1345.0], 6)), ["10", "100", "1,000"]);
        assert_eq!(texts(&axis(Scale::Log10, &[20.0, 1345.0], 4)), ["30", "100", "300", "1,000"]);
        assert_eq!(text(Scale::Log2, "threads", &blocks, 1024.0), "1,024");
        assert_eq!(text(Scale::Log2, "B", &blocks, 1024.0), "1\u{a0}KiB");
        assert_eq!(text(Scale::Log2, "B", &blocks, 1536.0), "1.5\u{a0}KiB");
        assert_eq!(text(Scale::Log2, "ns", &blocks, 1024.0), "1,024");
        assert_eq!(text(Scale::Log2, "ns", &blocks, 0.5), "0.5");
        assert_eq!(text(Scale::Log10, "ns", &[1e3, 1e7], 1e6), "1\u{a0}ms");
    }

    #[test]
    fn a_long_axis_of_powers_is_ticked_from_its_first_value_on() {
        assert_eq!(texts(&axis(Scale::Log2, &[4.0, 2f64.powi(30)], 8))[..2], ["4", "64"]);
    }

    #[test]
    fn values_next_to_each_other_are_categories() {
        let values = [128.0, 255.0, 256.0, 257.0, 1024.0, 1025.0];
        let columns = Axis::of_categories(&of(Scale::Log2, "floats"), &values).expect("dense");
        assert_eq!(texts(&columns), ["128", "255", "256", "257", "1,024", "1,025"]);
        assert_eq!(columns.coordinate(257.0, 0.2), 3.2);
        assert_eq!(values.map(|value| place(&columns, value, 600)), [50, 150, 250, 350, 450, 550]);
    }

    #[test]
    fn values_that_are_apart_or_many_are_not_categories() {
        let powers: Vec<f64> = (0..12).map(|power| 2f64.powi(power)).collect();
        assert!(Axis::of_categories(&of(Scale::Log2, ""), &powers).is_none());
        let many: Vec<f64> = (1..=300).map(f64::from).collect();
        assert!(Axis::of_categories(&of(Scale::Linear, ""), &many).is_none());
        assert!(Axis::of_categories(&of(Scale::Log2, ""), &[7.0]).is_none());
    }

    #[test]
    fn values_at_the_ends_of_what_a_number_holds_have_an_axis() {
        let tiny = 5e-324;
        for values in [[f64::MIN, f64::MAX], [-tiny, tiny], [0.0, tiny], [tiny, f64::MAX], [1e300, f64::MAX]]
        {
            for scale in [Scale::Linear, Scale::Log2, Scale::Log10] {
                if scale == Scale::Linear || values[0] > 0.0 {
                    let axis = axis(scale, &values, 6);
                    assert!(axis.ticks.len() < 12, "{values:?} {scale:?}");
                    for value in values {
                        assert!((0..=100).contains(&place(&axis, value, 100)), "{values:?} {scale:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn one_value_alone_has_an_axis() {
        for (scale, value) in [
            (Scale::Linear, 0.0),
            (Scale::Linear, 7.0),
            (Scale::Linear, -7.0),
            (Scale::Log2, 1.0),
            (Scale::Log2, 3.0),
            (Scale::Log10, 12.3),
            (Scale::Log10, 3e-9),
        ] {
            let axis = axis(scale, &[value], 6);
            let at = place(&axis, value, 100);
            assert!((0..=100).contains(&at) && !axis.ticks.is_empty(), "{scale:?} {value}: {at}");
        }
    }

    #[test]
    fn huge_and_tiny_ranges_have_few_ticks() {
        for max in [1e-300, 1e300, f64::MAX] {
            assert!(axis(Scale::Linear, &[0.0, max], 6).ticks.len() < 12);
            assert!(axis(Scale::Log10, &[1e-300, max], 6).ticks.len() < 12);
        }
    }
}
