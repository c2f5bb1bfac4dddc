//! How a series looks: colour and marker say which series, line and fill say whose run and whether measured.
//!
//! Enters: an experiment's series. Leaves: a [`Style`] each, by its place in the experiment and not among those chosen
//! for one plot, so that a series looks the same wherever it is drawn. This module must never know about records.

use plotters::style::RGBColor;

/// What the drawing library writes in place of a paint; [`Paint::resolve`] turns it into the style sheet's variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paint {
    /// Text, axes.
    Text,
    /// Text of less weight, leaders, reference series.
    Muted,
    /// Grid lines.
    Grid,
    /// What is behind the plot, for hollow markers and the rims that keep lines apart.
    Ground,
    /// A series' colour, modulo [`COLOURS`].
    Series(usize),
}

/// Colours that series take turns with.
pub(super) const COLOURS: usize = 6;
/// Shapes that series take turns with; together with the colours 24 pairs.
const SHAPES: usize = 8;

/// Variable, its value on light and on dark ground. Each has a contrast of at least 3 (text: 4.5) to the ground of every
/// theme of mdBook, and the series' colours were searched for the largest least distance between any two of them, as
/// seen with full colour vision, protanopia, deuteranopia and tritanopia. (Okabe and Ito's own colours are too light for
/// a white page, and darkened until they stand out two of them become one to a protanope.)
pub(super) const PALETTE: [(&str, &str, &str); 10] = [
    ("text", "#1f2328", "#e3e6ea"),
    ("muted", "#57606a", "#a2abb5"),
    ("grid", "#c9ced4", "#3a424d"),
    ("ground", "#ffffff", "#161923"),
    ("1", "#3c2af0", "#546aff"),
    ("2", "#de4d00", "#b74709"),
    ("3", "#3b8c63", "#73e383"),
    ("4", "#8250aa", "#ad6695"),
    ("5", "#652600", "#ffd12f"),
    ("6", "#30363d", "#f4f6f8"),
];

impl Paint {
    fn index(self) -> usize {
        match self {
            Paint::Text => 0,
            Paint::Muted => 1,
            Paint::Grid => 2,
            Paint::Ground => 3,
            Paint::Series(i) => 4 + i % COLOURS,
        }
    }

    /// The colour given to the drawing library, which stands for this paint and this line.
    pub(super) fn stand_in(self, line: Line) -> RGBColor {
        RGBColor(0xfe, self.index() as u8, line as u8)
    }

    /// Puts variables and dashes where the drawing library wrote stand-ins.
    ///
    /// A text cannot hold one: its quotation marks are escaped.
    pub(super) fn resolve(svg: String) -> String {
        // Nothing is drawn translucent, and the backend says so of every element.
        let mut svg = svg.replace(" opacity=\"1\"", "");
        for (index, (name, light, _)) in PALETTE.iter().enumerate() {
            for line in Line::ALL {
                let stand_in = format!("#FE{index:02X}{:02X}\"", line as u8);
                for attribute in ["fill", "stroke"] {
                    let dash = if attribute == "stroke" { line.attributes() } else { "" };
                    let paint = format!("{attribute}=\"var(--wp-{name}, {light})\"{dash}");
                    svg = svg.replace(&format!("{attribute}=\"{stand_in}"), &paint);
                }
            }
        }
        svg
    }
}

/// How a line is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Line {
    /// Measured.
    Solid,
    /// Modelled.
    Dashed,
    /// The reader's own, measured.
    Dotted,
    /// The reader's own, modelled.
    DashDotted,
}

impl Line {
    const ALL: [Line; 4] = [Line::Solid, Line::Dashed, Line::Dotted, Line::DashDotted];

    /// In the drawing's units, which are quarters of a pixel.
    fn attributes(self) -> &'static str {
        match self {
            Line::Solid => " stroke-linejoin=\"round\"",
            Line::Dashed => " stroke-dasharray=\"26 16\"",
            Line::Dotted => " stroke-dasharray=\"1 18\" stroke-linecap=\"round\"",
            Line::DashDotted => " stroke-dasharray=\"26 15 1 15\" stroke-linecap=\"round\"",
        }
    }
}

/// Which series: the two things that are the same in every run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Style {
    pub(super) paint: Paint,
    pub(super) shape: usize,
}

/// Whose run, and whether measured.
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

    /// A measured point is filled, a modelled one hollow; the reader's own measured one is a ring around a dot.
    pub(super) fn hollow(self) -> bool {
        self.yours || self.modelled
    }
}

/// A style for each series of an experiment, in its order; `ids` holds the id and whether it is a reference.
///
/// Where all ids have the form `path-distance` (several of each), the path gives the colour and the distance the shape:
/// nine lines are then read as three groups of three. Else colours and shapes take turns.
pub(super) fn styles(ids: &[(&str, bool)]) -> Vec<Style> {
    if let Some(styles) = grouped(ids) {
        return styles;
    }
    let mut turn = 0..;
    ids.iter()
        .map(|(_, reference)| {
            if *reference {
                return Style { paint: Paint::Muted, shape: SHAPES - 1 };
            }
            let i = turn.next().unwrap_or(0);
            Style { paint: Paint::Series(i), shape: i % SHAPES }
        })
        .collect()
}

/// The word's place in the list, where it is put if it is not there yet.
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
    let fits = (2..=COLOURS).contains(&names.len()) && (2..=SHAPES).contains(&kinds.len());
    // Two groups of two at least: else each series would have a colour or a shape of its own.
    (fits && names.len() + kinds.len() <= ids.len()).then_some(styles)
}

/// The corners of a marker of about `size` in every direction; `None` is a circle.
pub(super) fn corners(shape: usize, size: f64) -> Option<Vec<(i32, i32)>> {
    let regular = |n: u32, turn: f64, size: f64| {
        (0..n).map(|i| (f64::from(i) / f64::from(n) + turn, size)).collect::<Vec<_>>()
    };
    let polar = match shape % SHAPES {
        0 => return None,
        1 => regular(4, 0.125, size * 1.25),
        2 => regular(3, 0.75, size * 1.4),
        3 => regular(4, 0.0, size * 1.3),
        4 => regular(3, 0.25, size * 1.4),
        5 => (0..10)
            .map(|i| (f64::from(i) / 10.0 + 0.75, if i % 2 == 0 { size * 1.5 } else { size * 0.62 }))
            .collect(),
        6 => regular(5, 0.75, size * 1.2),
        _ => (0..8).map(|i| (f64::from(i) / 8.0, if i % 2 == 0 { size * 1.5 } else { size * 0.5 })).collect(),
    };
    let turn = std::f64::consts::TAU;
    Some(
        polar
            .into_iter()
            .map(|(a, r)| ((r * (a * turn).cos()).round() as i32, (r * (a * turn).sin()).round() as i32))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channel(colour: &str, at: usize) -> f64 {
        let c = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).expect("hexadecimal")) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    }

    fn luminance(colour: &str) -> f64 {
        0.2126 * channel(colour, 1) + 0.7152 * channel(colour, 3) + 0.0722 * channel(colour, 5)
    }

    fn contrast(a: &str, b: &str) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// CIE L*a*b* of a colour as seen with a deficiency (the matrices of Machado, Oliveira and Fernandes 2009, severity 1).
    fn seen(colour: &str, matrix: [[f64; 3]; 3]) -> [f64; 3] {
        let rgb = [1, 3, 5].map(|i| channel(colour, i));
        let mix = |row: [f64; 3]| row.iter().zip(rgb).map(|(a, b)| a * b).sum::<f64>().clamp(0.0, 1.0);
        let [r, g, b] = matrix.map(mix);
        let f = |t: f64| if t > 0.008856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 };
        let x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
        let y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
        let z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    #[test]
    fn series_are_told_apart_with_any_colour_vision() {
        let visions = [
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            [
                [0.152286, 1.052583, -0.204868],
                [0.114503, 0.786281, 0.099216],
                [-0.003882, -0.048116, 1.051998],
            ],
            [
                [0.367322, 0.860646, -0.227968],
                [0.280085, 0.672501, 0.047413],
                [-0.011820, 0.042940, 0.968881],
            ],
            [
                [1.255528, -0.076749, -0.178779],
                [-0.078411, 0.930809, 0.147602],
                [0.004733, 0.691367, 0.303900],
            ],
        ];
        let series = &PALETTE[PALETTE.len() - COLOURS..];
        for vision in visions {
            for (i, a) in series.iter().enumerate() {
                for b in &series[..i] {
                    for (a, b) in [(a.1, b.1), (a.2, b.2)] {
                        let squares = seen(a, vision)
                            .iter()
                            .zip(seen(b, vision))
                            .map(|(p, q)| (p - q).powi(2))
                            .sum::<f64>();
                        assert!(squares.sqrt() > 25.0, "{a} and {b}: {:.1}", squares.sqrt());
                    }
                }
            }
        }
    }

    /// The grounds of mdBook's themes: light, rust; coal, navy, ayu.
    #[test]
    fn every_paint_stands_out_on_every_theme() {
        for (name, light, dark) in PALETTE {
            let least = match name {
                "ground" | "grid" => continue,
                "text" | "muted" => 4.5,
                _ => 3.0,
            };
            for (ground, paint) in [
                ("#ffffff", light),
                ("#e1e1db", light),
                ("#141617", dark),
                ("#161923", dark),
                ("#0f1419", dark),
            ] {
                let contrast = contrast(ground, paint);
                assert!(contrast >= least, "{name} {paint} on {ground}: {contrast:.2}");
            }
        }
    }

    #[test]
    fn no_two_series_of_a_plot_look_alike() {
        let ids: Vec<String> = (0..24).map(|i| format!("s{i}")).collect();
        let ids: Vec<(&str, bool)> = ids.iter().map(|id| (id.as_str(), false)).collect();
        let styles = styles(&ids);
        let mut looks: Vec<_> = styles.iter().map(|s| (s.paint.index(), s.shape)).collect();
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

    #[test]
    fn stand_ins_in_text_are_left_alone() {
        let svg = "<text fill=\"#FE0000\">fill=&quot;#FE0000&quot;</text>".to_owned();
        assert_eq!(
            Paint::resolve(svg),
            "<text fill=\"var(--wp-text, #1f2328)\">fill=&quot;#FE0000&quot;</text>"
        );
    }
}
