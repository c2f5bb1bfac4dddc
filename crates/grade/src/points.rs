//! Points: parts of them are counted exactly, so that sums are the same on every machine and three thirds are one; only what is
//! shown is rounded, to hundredths, half up.

use serde::{Deserialize, Deserializer};
use std::fmt;
use std::iter::Sum;
use std::ops::Add;

/// Points, in units that a hundredth and any part up to a sixteenth have a whole number of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Points(u64);

/// Units of a hundredth: the least common multiple of 1 to 16.
const HUNDREDTH: u64 = 720_720;

/// Maximum points of one check; keeps all sums far from overflow.
const MOST: f64 = 1000.0;

impl Points {
    /// A whole number of points.
    pub(crate) fn whole(points: u32) -> Points {
        Points::hundredths(u64::from(points) * 100)
    }

    const fn hundredths(hundredths: u64) -> Points {
        Points(hundredths * HUNDREDTH)
    }

    /// Points as a person writes them, such as `2`, `1.5` or `1,5`.
    ///
    /// # Errors
    /// The reason why a text is not a number of points, in words.
    pub(crate) fn parse(text: &str) -> Result<Points, String> {
        let number = text.trim().replace(',', ".").parse::<f64>().map_err(|_| Points::form())?;
        Points::of_number(number).ok_or_else(Points::form)
    }

    fn form() -> String {
        format!("points are between 0 and {MOST}, with two decimals at most")
    }

    fn of_number(points: f64) -> Option<Points> {
        let hundredths = (points * 100.0).round();
        let fits = (0.0..=MOST).contains(&points) && (hundredths / 100.0 - points).abs() <= 1e-9;
        fits.then(|| Points::hundredths(hundredths as u64)) // whole and small
    }

    /// Share of the points for `good` of `of` parts. A part that has no whole number of units is rounded up, so that none of
    /// a sum is lost; a unit is far below what is shown.
    pub(crate) fn part(self, good: usize, of: usize) -> Points {
        if of == 0 {
            return Points(0);
        }
        // Both are counts of things in memory, so the product fits in 128 bits.
        let part = (u128::from(self.0) * good.min(of) as u128).div_ceil(of as u128);
        Points(u64::try_from(part).unwrap_or(self.0))
    }

    /// Tenths of a percent of `of`, rounded half up; 0 of 0 is 0.
    pub(crate) fn per_mille(self, of: Points) -> u64 {
        let (points, of) = (u128::from(self.0), u128::from(of.0));
        let rounded = (2000 * points + of).checked_div(2 * of).unwrap_or(0);
        u64::try_from(rounded).unwrap_or(u64::MAX)
    }
}

/// Tenths of a percent as text, such as `87.5`.
pub(crate) fn percent(per_mille: u64) -> String {
    match per_mille % 10 {
        0 => format!("{}", per_mille / 10),
        tenths => format!("{}.{tenths}", per_mille / 10),
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hundredths = (self.0 + HUNDREDTH / 2) / HUNDREDTH;
        match (hundredths / 100, hundredths % 100) {
            (whole, 0) => write!(f, "{whole}"),
            (whole, rest) if rest % 10 == 0 => write!(f, "{whole}.{}", rest / 10),
            (whole, rest) => write!(f, "{whole}.{rest:02}"),
        }
    }
}

impl Add for Points {
    type Output = Points;
    fn add(self, other: Points) -> Points {
        Points(self.0.saturating_add(other.0))
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Points>>(points: I) -> Points {
        points.fold(Points(0), Points::add)
    }
}

/// Points as rules have them: a number with two decimals at most.
impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let points = f64::deserialize(from)?;
        Points::of_number(points).ok_or_else(|| serde::de::Error::custom(Points::form()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_part_of_a_sum_is_lost_and_what_is_shown_is_rounded_half_up() {
        for parts in 1..=24_usize {
            let all: Points = (0..parts).map(|_| Points::whole(1).part(1, parts)).sum();
            assert_eq!(all.to_string(), "1", "{parts}");
            assert!(all >= Points::whole(1), "{parts}");
        }
        let third = Points::whole(1).part(1, 3);
        assert_eq!([third, third + third].map(|points| points.to_string()), ["0.33", "0.67"]);
        assert_eq!(Points::whole(1).part(1, 8).to_string(), "0.13");
        let most = Points::whole(2).part(199_999, 200_000);
        assert!(most < Points::whole(2));
        assert_eq!(Points::whole(2).part(1, 1), Points::whole(2));
        assert_eq!(Points::whole(2).part(0, 0), Points::default());
    }

    #[test]
    fn points_are_read_as_a_spreadsheet_writes_them() {
        for (text, points) in [("2", 200), ("1.5", 150), (" 1,5 ", 150), ("0", 0)] {
            assert_eq!(Points::parse(text), Ok(Points::hundredths(points)));
        }
        for text in ["", "-1", "1e9", "nan", "1.234", "two"] {
            assert!(Points::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn points_and_percents_read_as_one_writes_them() {
        assert_eq!([200, 250, 33].map(|p| Points::hundredths(p).to_string()), ["2", "2.5", "0.33"]);
        assert_eq!([875, 1000, 0].map(percent), ["87.5", "100", "0"]);
        assert_eq!(Points::whole(2).per_mille(Points::whole(3)), 667);
        assert_eq!(Points::default().per_mille(Points::default()), 0);
    }
}
