//! Style of a series: colour and marker identify the series, line and fill the run and whether it was measured.
//!
//! Enters: an experiment's series. Leaves: a [`Style`] each, by its index in the experiment and not among those chosen
//! for one plot, so that a series looks the same wherever it is drawn. This module must never know about records.

use render::drawing::{COLOURS, Line, Paint};

/// Shapes of points, which series take one after the other, with the colours 24 pairs: the number of corners (none: a circle);
/// the angle of the first, in shares of a circle; the distance of each, and of every second, from the middle, in sizes.
pub(super) const SHAPES: [(u32, f64, [f64; 2]); 8] = [
    (0, 0.0, [1.0, 1.0]),
    (4, 0.125, [1.25, 1.25]),
    (3, 0.75, [1.4, 1.4]),
    (4, 0.0, [1.3, 1.3]),
    (3, 0.25, [1.4, 1.4]),
    (10, 0.75, [1.5, 0.62]),
    (5, 0.75, [1.2, 1.2]),
    (8, 0.0, [1.5, 0.5]),
];

/// Colour and shape of a series, the two that are the same in every run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Style {
    pub(super) paint: Paint,
    pub(super) shape: usize,
}

/// Everything that decides how a series of a run looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Look {
    pub(super) style: Style,
    pub(super) run: Run,
    pub(super) reference: bool,
    /// Whether its points are drawn, and a line through them.
    pub(super) points: bool,
    pub(super) line: bool,
}

/// Owner of a run, and whether it was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) yours: bool,
    pub(super) modelled: bool,
}

impl Run {
    pub(super) fn line(self) -> Line {
        match (self.yours, self.modelled) {
            (false, false) => Line::Solid,
            (false, true) => Line::Dashed,
            (true, false) => Line::Dotted,
            (true, true) => Line::DashDotted,
        }
    }

    /// Whether markers are hollow: a measured point is filled, a modelled one hollow; the reader's own measured one is
    /// a ring around a dot.
    pub(super) fn hollow(self) -> bool {
        self.yours || self.modelled
    }
}

/// A style for each series of an experiment, in its order; `ids` holds the id and whether it is a reference.
///
/// Where all ids have the form `path-distance` (several of each), the path gives the colour and the distance the shape:
/// nine lines are then read as three groups of three. Else colours and shapes alternate.
pub(super) fn styles(ids: &[(&str, bool)]) -> Vec<Style> {
    if let Some(styles) = grouped(ids) {
        return styles;
    }
    let mut turn = 0..;
    ids.iter()
        .map(|(_, reference)| {
            if *reference {
                return Style { paint: Paint::Muted, shape: SHAPES.len() - 1 };
            }
            let i = turn.next().unwrap_or(0);
            Style { paint: Paint::Series(i), shape: i % SHAPES.len() }
        })
        .collect()
}

/// Index of the word in the list, to which it is added if it is not there yet.
fn place<'a>(list: &mut Vec<&'a str>, word: &'a str) -> usize {
    list.iter().position(|there| *there == word).unwrap_or_else(|| {
        list.push(word);
        list.len() - 1
    })
}

fn grouped(ids: &[(&str, bool)]) -> Option<Vec<Style>> {
    let mut names: Vec<&str> = Vec::new();
    let mut kinds: Vec<&str> = Vec::new();
    let mut styles = Vec::new();
    for (id, _) in ids {
        let (name, kind) = id.rsplit_once('-')?;
        styles.push(Style { paint: Paint::Series(place(&mut names, name)), shape: place(&mut kinds, kind) });
    }
    let fits = (2..=COLOURS).contains(&names.len()) && (2..=SHAPES.len()).contains(&kinds.len());
    // Two groups of two at least: else each series would have a colour or a shape of its own.
    (fits && names.len() + kinds.len() <= ids.len()).then_some(styles)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_series_of_a_plot_look_alike() {
        let ids: Vec<String> = (0..24).map(|i| format!("s{i}")).collect();
        let ids: Vec<(&str, bool)> = ids.iter().map(|id| (id.as_str(), false)).collect();
        let styles = styles(&ids);
        let mut looks: Vec<_> = styles.iter().map(|s| (s.paint.stand_in(Line::Solid).rgb, s.shape)).collect();
        looks.sort_unstable();
        looks.dedup();
        assert_eq!(looks.len(), ids.len());
    }

    #[test]
    fn paths_share_a_colour_and_distances_a_shape() {
        let ids = ["constant-4", "constant-64", "shared-4", "shared-64"].map(|id| (id, false));
        let s = styles(&ids);
        assert!(s[0].paint == s[1].paint && s[0].paint != s[2].paint);
        assert!(s[0].shape == s[2].shape && s[0].shape != s[1].shape);
    }
}
