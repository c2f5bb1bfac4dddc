//! Paints and lines: colours that a page's theme decides, and their way into an SVG.
//!
//! Enters: output of the drawing library. Leaves: the output with variables of the style sheet instead of colours.
//! This module must never know what is painted.

use plotters_backend::BackendColor;

/// A paint of the theme. The drawing library writes a stand-in; `Paint::resolve` converts it to the style sheet's
/// variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// Text, axes.
    Text,
    /// Text of less weight, leaders, reference series.
    Muted,
    /// Grid lines.
    Grid,
    /// The background, for hollow markers and the rims that keep lines apart.
    Ground,
    /// A series' colour, modulo [`COLOURS`].
    Series(usize),
    /// A tint of a series' colour, so light that text stands out on it.
    Tint(usize),
    /// Text on a series' colour.
    On(usize),
}

/// Number of colours, which series take one after the other.
pub const COLOURS: usize = 6;

/// Each variable with its value on a light and on a dark ground. Each has a contrast of at least 3 (text: 4.5) to the
/// ground of every theme of mdBook, and the series' colours were searched for the largest least distance between any
/// two of them, as seen with full colour vision, protanopia, deuteranopia and tritanopia. (Okabe and Ito's own colours
/// are too light for a white page, and darkened until they stand out two of them become one to a protanope.)
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

/// Colours that have a tint, as [`style_sheet`](super::style_sheet) makes it: those of the series.
const TINTED: [(&str, &str, &str); COLOURS] = {
    let mut series = [("", "", ""); COLOURS];
    let mut i = 0;
    while i < COLOURS {
        series[i] = PALETTE[PALETTE.len() - COLOURS + i];
        i += 1;
    }
    series
};
/// Percentage of the colour in a tint; the rest is the ground.
const SHARE: u32 = 28;

/// Text colour on each of the series' colours, on light and on dark ground: white or nearly black, whichever stands out
/// more.
const ON: [(&str, &str); COLOURS] = [
    ("#ffffff", "#ffffff"),
    ("#ffffff", "#ffffff"),
    ("#ffffff", "#10131a"),
    ("#ffffff", "#ffffff"),
    ("#ffffff", "#10131a"),
    ("#ffffff", "#10131a"),
];

/// The variables of the style sheet for tints, and for texts on the series' colours.
pub(super) fn of_series() -> String {
    let on = |i: usize| format!("--wp-on-{}:light-dark({},{});", TINTED[i].0, ON[i].0, ON[i].1);
    tints() + &(0..COLOURS).map(on).collect::<String>()
}

fn tints() -> String {
    let mix = |(name, _, _)| {
        format!("--wp-tint-{name}:color-mix(in srgb,var(--wp-{name}) {SHARE}%,var(--wp-ground));")
    };
    TINTED.map(mix).concat()
}

/// A colour's tint on white, where there is no style sheet.
fn tint(colour: &str) -> String {
    let channel = |at: usize| {
        let c = colour.get(at..at + 2).and_then(|c| u32::from_str_radix(c, 16).ok()).unwrap_or(0);
        (c * SHARE + 255 * (100 - SHARE)) / 100
    };
    format!("#{:02x}{:02x}{:02x}", channel(1), channel(3), channel(5))
}

impl Paint {
    fn index(self) -> usize {
        match self {
            Paint::Text => 0,
            Paint::Muted => 1,
            Paint::Grid => 2,
            Paint::Ground => 3,
            Paint::Series(i) => 4 + i % COLOURS,
            Paint::Tint(i) => PALETTE.len() + i % COLOURS,
            Paint::On(i) => PALETTE.len() + COLOURS + i % COLOURS,
        }
    }

    /// The stand-in for this paint and this line, a colour for the drawing library.
    pub fn stand_in(self, line: Line) -> BackendColor {
        BackendColor { alpha: 1.0, rgb: (0xfe, self.index() as u8, line as u8) }
    }

    /// Replaces the stand-ins in the drawing library's output by variables and dashes.
    ///
    /// A text cannot hold a stand-in: its quotation marks are escaped.
    pub(super) fn resolve(svg: String) -> String {
        const STAND_IN: &str = "=\"#FE";
        // Nothing is drawn translucent, and the backend says so of every element.
        let svg = svg.replace(" opacity=\"1\"", "");
        let paints = Paint::all();
        let mut parts = svg.split(STAND_IN);
        let mut resolved = String::with_capacity(2 * svg.len());
        resolved += parts.next().unwrap_or_default();
        for part in parts {
            let byte = |at| u8::from_str_radix(part.get(at..at + 2)?, 16).ok();
            let paint = byte(0).and_then(|index| paints.get(usize::from(index)));
            let line = byte(2).and_then(|line| Line::ALL.into_iter().find(|other| *other as u8 == line));
            let dash = match () {
                () if resolved.ends_with("stroke") => line.map(Line::attributes),
                () if resolved.ends_with("fill") => line.map(|_| ""),
                () => None,
            };
            match (paint, dash, part.get(4..).and_then(|rest| rest.strip_prefix('"'))) {
                (Some((name, light)), Some(dash), Some(rest)) => {
                    resolved += &format!("=\"var(--wp-{name}, {light})\"{dash}{rest}");
                }
                _ => resolved.extend([STAND_IN, part]),
            }
        }
        resolved
    }

    /// The name and the light colour of each paint, by its index.
    fn all() -> Vec<(String, String)> {
        let plain = PALETTE.map(|(name, light, _)| (name.to_owned(), light.to_owned()));
        let tints = TINTED.map(|(name, light, _)| (format!("tint-{name}"), tint(light)));
        let on =
            std::array::from_fn::<_, COLOURS, _>(|i| (format!("on-{}", TINTED[i].0), ON[i].0.to_owned()));
        plain.into_iter().chain(tints).chain(on).collect()
    }
}

/// Dash pattern of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Line {
    /// Solid: measured.
    Solid,
    /// Dashed: modelled.
    Dashed,
    /// Dotted: the reader's own run, measured.
    Dotted,
    /// Dash-dotted: the reader's own run, modelled.
    DashDotted,
}

impl Line {
    const ALL: [Line; 4] = [Line::Solid, Line::Dashed, Line::Dotted, Line::DashDotted];

    /// Attributes of the SVG element, in the drawing's units, which are quarters of a pixel.
    fn attributes(self) -> &'static str {
        match self {
            Line::Solid => " stroke-linejoin=\"round\"",
            Line::Dashed => " stroke-dasharray=\"26 16\"",
            Line::Dotted => " stroke-dasharray=\"1 18\" stroke-linecap=\"round\"",
            Line::DashDotted => " stroke-dasharray=\"26 15 1 15\" stroke-linecap=\"round\"",
        }
    }
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

    /// CIE L*a*b* of a colour as seen with a deficiency (the matrices of Machado, Oliveira and Fernandes 2009, severity
    /// 1).
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
    fn series_are_distinguished_with_any_colour_vision() {
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
    fn texts_on_the_series_colours_can_be_read() {
        for ((name, light, dark), (on_light, on_dark)) in TINTED.into_iter().zip(ON) {
            for (colour, on) in [(light, on_light), (dark, on_dark)] {
                assert!(contrast(colour, on) >= 4.0, "{name} {on} on {colour}: {:.2}", contrast(colour, on));
            }
        }
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
