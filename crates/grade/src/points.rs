//! Points, counted in hundredths so that sums are exact and the same on every machine.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::iter::Sum;
use std::ops::Add;

/// Hundredths of a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Points(u64);

/// Maximum points of one check; keeps all sums far from overflow.
const MOST: f64 = 1000.0;

impl Points {
    /// So many whole points.
    pub(crate) fn whole(points: u32) -> Points {
        Points(u64::from(points) * 100)
    }

    /// Points as a person writes them, such as `2`, `1.5` or `1,5`.
    ///
    /// # Errors
    /// What is no number of points, in words.
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
        fits.then_some(Points(hundredths as u64)) // whole and small
    }

    /// Share of the points for `good` of `of` parts; rounded down, so that a missing part always costs something.
    pub(crate) fn part(self, good: usize, of: usize) -> Points {
        if of == 0 {
            return Points(0);
        }
        // Both are counts of things in memory, so the product fits in 128 bits.
        let part = u128::from(self.0) * good.min(of) as u128 / of as u128;
        Points(u64::try_from(part).unwrap_or(self.0))
    }

    /// Tenths of a percent of `of`, rounded down; 0 of 0 is 0.
    pub(crate) fn per_mille(self, of: Points) -> u64 {
        (self.0 * 1000).checked_div(of.0).unwrap_or(0)
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
        match (self.0 / 100, self.0 % 100) {
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

impl Serialize for Points {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_f64(self.0 as f64 / 100.0)
    }
}

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
    fn a_part_is_rounded_down_so_that_it_is_never_all() {
        let two = Points(200);
        assert_eq!(two.part(199_999, 200_000), Points(199));
        assert_eq!(two.part(1, 1), two);
        assert_eq!(two.part(0, 0), Points(0));
    }

    #[test]
    fn points_are_read_as_a_spreadsheet_writes_them() {
        for (text, points) in [("2", 200), ("1.5", 150), (" 1,5 ", 150), ("0", 0)] {
            assert_eq!(Points::parse(text), Ok(Points(points)));
        }
        for text in ["", "-1", "1e9", "nan", "1.234", "two"] {
            assert!(Points::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn points_and_percents_read_as_one_writes_them() {
        assert_eq!([Points(200), Points(250), Points(33)].map(|p| p.to_string()), ["2", "2.5", "0.33"]);
        assert_eq!([875, 1000, 0].map(percent), ["87.5", "100", "0"]);
        assert_eq!(Points(799).per_mille(Points(800)), 998);
        assert_eq!(Points(0).per_mille(Points(0)), 0);
    }
}
