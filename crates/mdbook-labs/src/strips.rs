//! A picture of rates: how much of a stretch of cycles each of several things takes.
//!
//! Enters: names with what happens in 100 cycles. Leaves: an SVG in which each happening is a box as wide as its part of the
//! cycles. This module must never know what the rates are of.

use render::table::{escape, prose};
use std::fmt::Write as _;

/// Cycles that are drawn: a box of a hundredth of the width would be too narrow to see.
const CYCLES: f64 = 20.0;
/// Sizes, in the drawing's units; texts have 15, as those of the other drawings.
const WIDE: f64 = 420.0;
const ROW: f64 = 52.0;
const BOX: f64 = 22.0;

/// The picture with its caption; `rates` are names with numbers in 100 cycles.
pub(crate) fn html(title: &str, of: &str, rates: &[(&str, f64)]) -> Result<String, String> {
    if let Some((name, rate)) = rates.iter().find(|(_, rate)| !(1.0..=200.0).contains(rate)) {
        return Err(format!("{name}: {rate} in 100 cycles cannot be drawn; 1 to 200 can"));
    }
    let said: Vec<String> =
        rates.iter().map(|(name, rate)| format!("{name}: {rate:.1} in 100 cycles")).collect();
    let mut boxes = String::new();
    for (n, (name, rate)) in rates.iter().enumerate() {
        let (top, each) = (n as f64 * ROW, WIDE / CYCLES * 100.0 / rate);
        let text = format!("{name}: {rate:.1} {of} in 100 cycles");
        // Writing to a string does not fail.
        let _ = write!(
            boxes,
            "<text x=\"0\" y=\"{:.1}\">{}</text><g class=\"vector\">",
            top + 16.0,
            escape(&text)
        );
        let mut left = 0.0;
        while left < WIDE - 1.0 {
            let width = each.min(WIDE - left);
            let _ = write!(
                boxes,
                "<rect x=\"{left:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{BOX}\"/>",
                top + 22.0
            );
            left += each;
        }
        boxes += "</g>";
    }
    let high = rates.len() as f64 * ROW + 4.0;
    Ok(format!(
        "<figure class=\"lab-figure drawn strips\"><svg role=\"img\" aria-label=\"{}\" viewBox=\"-1 0 {} {high}\" \
         xmlns=\"http://www.w3.org/2000/svg\">{boxes}</svg><figcaption>{}</figcaption></figure>",
        escape(&said.join("; ")),
        WIDE + 2.0,
        prose(title)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_the_rate_has_boxes_twice_as_wide() {
        let html = html("Loads", "loads", &[("a", 50.0), ("b <", 100.0)]).unwrap();
        assert_eq!(html.matches("width=\"42.0\"").count(), 10, "{html}");
        assert_eq!(html.matches("width=\"21.0\"").count(), 20, "{html}");
        assert!(html.contains("aria-label=\"a: 50.0 in 100 cycles; b &lt;: 100.0 in 100 cycles\""), "{html}");
        assert!(!html.contains('\n'), "{html}");
    }

    #[test]
    fn a_rate_that_cannot_be_drawn_is_refused() {
        for rate in [0.0, -1.0, 1e9, f64::NAN] {
            let error = html("", "", &[("a", rate)]).expect_err("not drawn");
            assert!(error.contains("cannot be drawn"), "{error}");
        }
    }
}
