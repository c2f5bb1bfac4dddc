//! An axis: its range, its ticks, and the position of a value on it.
//!
//! Enters: the values to be shown and the scale that the record asks for. Leaves: positions from 0 to 1, and ticks with
//! their text. This module must never know about pixels.

use crate::format;
use record::Scale;

/// An axis over the values given to it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    scale: Scale,
    /// The ends in the scale's own measure: the value, or its logarithm.
    low: f64,
    high: f64,
    /// Values that have a tick, rising.
    pub(super) ticks: Vec<f64>,
}

impl Axis {
    /// An axis that shows every one of `values`, which are finite, at least one, and positive on a logarithmic axis.
    ///
    /// A linear axis begins at zero unless a value is below it: lengths on it can then be compared. There are not many
    /// more than `about` ticks.
    pub(super) fn new(scale: Scale, values: &[f64], about: usize) -> Self {
        let min = values.iter().copied().fold(f64::INFINITY, f64::min);
        let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        match scale {
            Scale::Linear => Self::linear(min, max, values, about),
            Scale::Log2 | Scale::Log10 => Self::logarithmic(scale, min, max, about),
        }
    }

    fn linear(min: f64, max: f64, values: &[f64], about: usize) -> Self {
        let (min, max) = (min.min(0.0), if max > 0.0 || min < 0.0 { max.max(0.0) } else { 1.0 });
        // Counts of lanes and the like run up to a power of two, or to the last below one: 8, 16, 24, 32 are then
        // rounder than 10, 20, 30.
        let power = [max, max + 1.0].into_iter().find(|end| end.log2().fract() == 0.0);
        let power =
            power.filter(|_| (8.0..=4096.0).contains(&max) && values.iter().all(|v| v.fract() == 0.0));
        let step = power.map_or_else(|| nice_step((max - min) / about as f64), |power| power / 4.0);
        let (low, high) = ((min / step).floor(), (max / step).ceil());
        // Multiples of a whole number of steps, so that 0.1 + 0.2 never shows.
        // There are some more than `about`, unless the values are too small or too far apart to be divided.
        let ticks = (0..=(high - low).min(1e3) as usize).map(|i| (low + i as f64) * step).collect();
        Axis { scale: Scale::Linear, low: low * step, high: high * step, ticks }
    }

    fn logarithmic(scale: Scale, min: f64, max: f64, about: usize) -> Self {
        let to = |v: f64| if scale == Scale::Log2 { v.log2() } else { v.log10() };
        let (mut low, mut high) = (to(min), to(max));
        let room = ((high - low) * 0.04).max(if scale == Scale::Log2 { 0.25 } else { 0.08 });
        (low, high) = (low - room, high + room);
        let base: f64 = if scale == Scale::Log2 { 2.0 } else { 10.0 };
        let at = |mantissas: &[f64]| -> Vec<f64> {
            (low.floor() as i32..=high.ceil() as i32)
                .flat_map(|exponent| mantissas.iter().map(move |mantissa| mantissa * base.powi(exponent)))
                .filter(|tick| (low..=high).contains(&to(*tick)))
                .collect()
        };
        // Powers alone, every second, third, … if there are too many; between fewer than three, the finest marks that are
        // not too many.
        let powers = at(&[1.0]);
        let sets: &[&[f64]] = match scale {
            Scale::Log2 => &[],
            _ if powers.len() >= 3 => &[],
            _ => &[&[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], &[1.0, 2.0, 5.0], &[1.0, 3.0]],
        };
        let ticks = sets.iter().map(|set| at(set)).find(|ticks| ticks.len() <= about + 1);
        let mut ticks = ticks.unwrap_or_else(|| {
            let every = powers.len().div_ceil(about.max(1)).max(1);
            powers.into_iter().step_by(every).collect()
        });
        // Values between two marks have none: then they are marked themselves.
        if ticks.is_empty() {
            ticks = vec![min, max];
            ticks.dedup();
        }
        Axis { scale, low, high, ticks }
    }

    /// Position of a value: 0 at the low end, 1 at the high end.
    pub(super) fn at(&self, value: f64) -> f64 {
        let value = match self.scale {
            Scale::Linear => value,
            Scale::Log2 => value.log2(),
            Scale::Log10 => value.log10(),
        };
        (value - self.low) / (self.high - self.low)
    }

    /// Whether each tick has its own prefix and unit, as for sizes, and for times of a microsecond and more.
    pub(super) fn ticks_have_units(&self, unit: &str) -> bool {
        unit == "B" || unit == "ns" && self.ticks.iter().any(|tick| *tick >= 2_000.0)
    }

    /// Text of a tick.
    pub(super) fn tick_text(&self, value: f64, unit: &str) -> String {
        // 0.1 + 0.2 and the like are rounded away.
        let value = format!("{value:.9e}").parse().unwrap_or(value);
        format::mark(value, if self.ticks_have_units(unit) { unit } else { "" })
    }
}

/// The number of the form 1, 2 or 5 times a power of ten that is next above `rough`.
fn nice_step(rough: f64) -> f64 {
    let power = 10f64.powf(rough.log10().floor());
    let mantissa = rough / power;
    power
        * if mantissa <= 1.0 {
            1.0
        } else if mantissa <= 2.0 {
            2.0
        } else if mantissa <= 5.0 {
            5.0
        } else {
            10.0
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_axis_begins_at_zero_and_ends_at_a_tick() {
        let axis = Axis::new(Scale::Linear, &[412.0, 2700.0], 6);
        assert_eq!(axis.ticks, [0.0, 500.0, 1000.0, 1500.0, 2000.0, 2500.0, 3000.0]);
        assert_eq!((axis.at(0.0), axis.at(3000.0)), (0.0, 1.0));
    }

    #[test]
    fn a_linear_axis_of_lanes_is_ticked_in_powers_of_two() {
        assert_eq!(Axis::new(Scale::Linear, &[1.0, 2.0, 32.0], 6).ticks, [0.0, 8.0, 16.0, 24.0, 32.0]);
        assert_eq!(Axis::new(Scale::Linear, &[0.0, 2.0, 31.0], 6).ticks, [0.0, 8.0, 16.0, 24.0, 32.0]);
    }

    #[test]
    fn values_below_zero_are_shown() {
        assert_eq!(Axis::new(Scale::Linear, &[-3.0, 4.0], 4).ticks, [-4.0, -2.0, 0.0, 2.0, 4.0]);
    }

    #[test]
    fn a_log_axis_is_ticked_at_powers_and_thinned() {
        let blocks = Axis::new(Scale::Log2, &[32.0, 1024.0], 9);
        assert_eq!(blocks.ticks, [32.0, 64.0, 128.0, 256.0, 512.0, 1024.0]);
        assert_eq!(Axis::new(Scale::Log2, &[32.0, 1024.0], 3).ticks, [32.0, 128.0, 512.0]);
        assert_eq!(Axis::new(Scale::Log10, &[40.0, 1345.0], 9).ticks, [50.0, 100.0, 200.0, 500.0, 1000.0]);
        assert_eq!(Axis::new(Scale::Log10, &[10.0, 1345.0], 6).ticks, [10.0, 100.0, 1000.0]);
        assert_eq!(Axis::new(Scale::Log10, &[20.0, 1345.0], 4).ticks, [30.0, 100.0, 300.0, 1000.0]);
        assert_eq!(blocks.tick_text(1024.0, "threads"), "1,024");
        assert_eq!(blocks.tick_text(1024.0, "B"), "1\u{a0}KiB");
        assert_eq!(blocks.tick_text(1024.0, "ns"), "1,024");
        assert_eq!(blocks.tick_text(0.5, "ns"), "0.5");
        assert_eq!(blocks.tick_text(1536.0, "B"), "1.5\u{a0}KiB");
        let long = Axis::new(Scale::Log10, &[1e3, 1e7], 6);
        assert_eq!(long.tick_text(1e6, "ns"), "1\u{a0}ms");
    }

    #[test]
    fn values_at_the_ends_of_what_a_number_holds_have_an_axis() {
        let tiny = 5e-324;
        for values in [[f64::MIN, f64::MAX], [-tiny, tiny], [0.0, tiny], [tiny, f64::MAX]] {
            for scale in [Scale::Linear, Scale::Log2, Scale::Log10] {
                if scale == Scale::Linear || values[0] > 0.0 {
                    assert!(Axis::new(scale, &values, 6).ticks.len() < 2000, "{values:?} {scale:?}");
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
            let axis = Axis::new(scale, &[value], 6);
            let at = axis.at(value);
            assert!((0.0..=1.0).contains(&at) && !axis.ticks.is_empty(), "{scale:?} {value}: {at}");
        }
    }

    #[test]
    fn huge_and_tiny_ranges_have_few_ticks() {
        for max in [1e-300, 1e300, f64::MAX] {
            assert!(Axis::new(Scale::Linear, &[0.0, max], 6).ticks.len() < 12);
            assert!(Axis::new(Scale::Log10, &[1e-300, max], 6).ticks.len() < 12);
        }
    }
}
