//! Outputs of a run: numbers, pictures, plots; and whether they are those of another run.
//!
//! Enters: buffers' bytes. Leaves: what a page shows of them. This module must never know how they were computed.

use crate::execution::{Execution, NOTHING};
use crate::field;
use checker::bench::Readback;
use checker::data;
use exercise::live::{Picture, Points, Show};
use exercise::manifest::Buffer;
use scalar::{Number, Scalar};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Elements that are listed without being requested.
const HEAD: usize = 64;
/// Most elements that are listed at once.
const MOST: u64 = 4096;
/// Elements that differ and are listed.
const DIFFER: usize = 8;
/// Pixels of a picture at the most.
const PIXELS: u64 = 1 << 22;
/// Greatest relative difference of floating-point numbers that are taken for the same.
const WITHIN: f64 = 1e-5;

/// Lines that kernels print and that are shown, and their bytes at the most.
const LINES: usize = 1000;
const BYTES: usize = 1 << 17;

/// The first whole lines of a text, and how many are left out. Of one that is too long alone, there is its beginning.
pub(crate) fn first_lines(text: &str) -> (&str, usize) {
    let mut end = 0;
    for line in text.split_inclusive('\n').take(LINES) {
        if end + line.len() > BYTES {
            break;
        }
        end += line.len();
    }
    if end == 0 {
        end = (0..=BYTES.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    }
    (&text[..end], text[end..].lines().count())
}

/// What is shown of a trial.
pub(crate) fn shown(trial: &Execution, buffers: &[Readback]) -> Result<Vec<Value>, String> {
    trial.live.show.iter().map(|show| one(trial, show, buffers)).collect()
}

fn one(trial: &Execution, show: &Show, buffers: &[Readback]) -> Result<Value, String> {
    let (at, buffer) = find(trial, &show.buffer)?;
    let after = &buffers[at];
    let (bytes, width) = (&after.bytes, buffer.ty.bytes());
    // What no one wrote is not a number.
    let numbers = || {
        let all = data::numbers(buffer.ty, bytes).into_iter().enumerate();
        all.map(|(at, number)| if after.is_unwritten(at, width) { f64::NAN } else { number })
            .collect::<Vec<f64>>()
    };
    let picture = show.picture.as_ref().map(|picture| match buffer.ty {
        Scalar::U8 | Scalar::I32 | Scalar::U32 => of_picture(trial, picture, bytes),
        _ => of_picture(trial, picture, &grey(&numbers())),
    });
    let picture = picture.transpose()?;
    let gaps = || (0..bytes.len() / width).filter(|at| after.is_unwritten(*at, width)).count();
    let plot = match &show.points {
        Some(view) => Some(points(&numbers(), view)),
        None => show.plot.then(|| plot(&numbers(), gaps(), &|at| element(buffer, after, at))),
    };
    Ok(json!({
        "buffer": show.buffer,
        "type": buffer.ty.name(),
        "length": bytes.len() / width,
        "head": elements(buffer, after, 0, HEAD),
        "picture": picture,
        "plot": plot,
    }))
}

fn find<'t>(trial: &'t Execution, name: &str) -> Result<(usize, &'t Buffer), String> {
    trial.live.setup().buffer(name).ok_or_else(|| format!("there is no buffer `{name}`"))
}

/// The response to a request for further elements of a buffer.
pub(crate) fn more(last: Option<&Execution>, request: &Value) -> Result<Value, String> {
    let trial = last.ok_or(NOTHING)?;
    let (at, buffer) = find(trial, field::text(request, "buffer")?)?;
    let after = trial.buffers.get(at).ok_or("the last run did not end")?;
    let first = field::number(request, "from", 0)?.min(after.bytes.len() as u64) as usize;
    let count = field::number(request, "count", HEAD as u64)?.min(MOST) as usize;
    Ok(json!({
        "buffer": buffer.name,
        "type": buffer.ty.name(),
        "length": after.bytes.len() / buffer.ty.bytes(),
        "from": first,
        "values": elements(buffer, after, first, count),
    }))
}

/// Elements as text; of an output, those that were never written are marked.
fn elements(buffer: &Buffer, after: &Readback, first: usize, count: usize) -> Vec<String> {
    let end = (after.bytes.len() / buffer.ty.bytes()).min(first.saturating_add(count));
    (first..end).map(|at| element(buffer, after, at)).collect()
}

fn element(buffer: &Buffer, after: &Readback, at: usize) -> String {
    if after.is_unwritten(at, buffer.ty.bytes()) {
        return "unwritten".to_owned();
    }
    match data::number(buffer.ty, &after.bytes, at) {
        Number::Float(number) => reported(buffer.ty, number),
        Number::Int(number) => number.to_string(),
    }
}

/// A number with as  digits as distinguish it from others of its type; small whole ones with all.
fn reported(ty: Scalar, number: f64) -> String {
    match ty {
        Scalar::F32 => (number as f32).to_string(),
        _ if number.fract() == 0.0 && number.abs() < 65536.0 => number.to_string(),
        // The fewest digits that are rounded to it.
        _ if ty.is_float() && ty.bytes() < 4 && number.is_finite() => {
            let bits = ty.round(number);
            let short = (0..8).map(|digits| format!("{number:.digits$e}"));
            let mut short = short.filter_map(|text| text.parse::<f64>().ok());
            short.find(|short| ty.round(*short) == bits).unwrap_or(number).to_string()
        }
        _ => number.to_string(),
    }
}

fn of_picture(trial: &Execution, picture: &Picture, bytes: &[u8]) -> Result<Value, String> {
    let value = |formula| {
        let value =
            trial.case.value(trial.live.setup(), formula, &|_| None).map_err(|error| error.to_string())?;
        u64::try_from(value).map_err(|_| format!("a picture cannot have a side of {value} pixels"))
    };
    let (width, height) = (value(&picture.width)?, value(&picture.height)?);
    let pixels = width.checked_mul(height).filter(|pixels| *pixels <= PIXELS);
    let pixels = pixels.ok_or_else(|| format!("a picture cannot have {width} × {height} pixels"))?;
    let shown = bytes.get(..4 * pixels as usize);
    let shown = shown
        .ok_or_else(|| format!("a picture of {width} × {height} pixels does not have that many bytes"))?;
    Ok(json!({ "width": width, "height": height, "rgba": base64(shown) }))
}

/// A picture's bytes for numbers: the least is black, the greatest white, and what is not a finite number is not there.
fn grey(numbers: &[f64]) -> Vec<u8> {
    let (low, high) = bounds(numbers);
    let pixel = |number: &f64| {
        let part = if high > low { (number - low) / (high - low) } else { 0.5 };
        let light = (part * 255.0).round() as u8;
        if number.is_finite() { [light, light, light, 255] } else { [0; 4] }
    };
    numbers.iter().flat_map(pixel).collect()
}

/// The least and the greatest finite number.
fn bounds(numbers: &[f64]) -> (f64, f64) {
    let finite = || numbers.iter().copied().filter(|number| number.is_finite());
    (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max))
}

/// Digits of base64.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes as text.
pub(crate) fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let group = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            let of = DIGITS[(group >> (18 - 6 * digit) & 63) as usize];
            text.push(if digit <= chunk.len() { char::from(of) } else { '=' });
        }
    }
    text
}

/// The bytes that a text in base64 has; nothing if it is none.
#[cfg(feature = "host")]
pub(crate) fn of_base64(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(digits.len() * 3 / 4);
    for chunk in digits.chunks(4) {
        let mut group = 0;
        for digit in chunk {
            group = group << 6 | DIGITS.iter().position(|one| one == digit)? as u32;
        }
        let whole = (group << (6 * (4 - chunk.len()))).to_be_bytes();
        bytes.extend_from_slice(whole.get(1..chunk.len())?);
    }
    Some(bytes)
}

/// Elements over their index, as a line; so many that a page is as wide as. Of them, `gaps` are not numbers because no one wrote
/// them; `element` has an element's words.
fn plot(numbers: &[f64], gaps: usize, element: &dyn Fn(usize) -> String) -> String {
    const POINTS: usize = 640;
    let step = numbers.len().div_ceil(POINTS).max(1);
    let (low, high) = bounds(numbers);
    // As a double, an integer of 64 bits would have lost digits.
    let words = |number| numbers.iter().position(|one| *one == number).map(element).unwrap_or_default();
    let mut svg =
        String::from("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 160\" role=\"img\">");
    let mut path = String::new();
    let mut up = true;
    for (at, number) in numbers.iter().enumerate().step_by(step) {
        if !number.is_finite() {
            up = true;
            continue;
        }
        let x = (at as f64 + 0.5) * 640.0 / numbers.len() as f64;
        let y = if high > low { 155.0 - 150.0 * (number - low) / (high - low) } else { 80.0 };
        // Writing to a string does not fail.
        // A line of no length is a dot, which is seen where no neighbour is a number.
        let _ = if up { write!(path, "M{x:.1} {y:.1}h0") } else { write!(path, "L{x:.1} {y:.1}") };
        up = false;
    }
    let _ = write!(
        svg,
        "<path d=\"{path}\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.5\" stroke-linecap=\"round\"/><title>{}{}{}</title></svg>",
        many(numbers.len()),
        match gaps {
            0 => String::new(),
            gaps if gaps == numbers.len() => ", none of them written".to_owned(),
            gaps => format!(", {} of them written", counters::grouped((numbers.len() - gaps) as u64)),
        },
        match () {
            () if low < high => format!(", from {} to {}", words(low), words(high)),
            () if low == high && gaps + 1 == numbers.len() => format!(": {}", words(low)),
            () if low == high => format!(", all {}", words(low)),
            () if gaps == numbers.len() => String::new(),
            () => ", none a finite number".to_owned(),
        },
    );
    svg
}

fn many(elements: usize) -> String {
    let s = if elements == 1 { "" } else { "s" };
    format!("{} element{s}", counters::grouped(elements as u64))
}

/// Points of a plane, as far as they are in the view, in which places go up as on paper.
fn points(numbers: &[f64], view: &Points) -> String {
    const SIDE: f64 = 320.0;
    const MOST: usize = 4096;
    let place = |number: f64| (number / view.within + 1.0) * SIDE / 2.0;
    let all = numbers.chunks_exact(view.each.max(2)).take(MOST);
    let count = all.len();
    let seen = all.map(|point| (place(point[0]), SIDE - place(point[1])));
    let seen = seen.filter(|(x, y)| (0.0..=SIDE).contains(x) && (0.0..=SIDE).contains(y));
    let (mut marks, mut inside) = (String::new(), 0);
    for (x, y) in seen {
        inside += 1;
        // Writing to a string does not fail.
        let _ = write!(marks, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.5\"/>");
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {SIDE} {SIDE}\" width=\"{SIDE}\" role=\"img\">\
         <title>{inside} of {count} points are in the view, from {0} to {1} in x and y</title>\
         <rect width=\"{SIDE}\" height=\"{SIDE}\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\"0.4\"/>\
         <g fill=\"currentColor\" fill-opacity=\"0.75\">{marks}</g></svg>",
        -view.within, view.within,
    )
}

/// Whether a trial's outputs are those of the text as it came.
pub(crate) fn verdict(trial: &Execution, buffers: &[Readback], before: &[Readback]) -> Value {
    let (mut first, mut count, mut whole) = (vec![], 0, 0);
    for show in &trial.live.show {
        let Ok((at, buffer)) = find(trial, &show.buffer) else { continue };
        let width = buffer.ty.bytes();
        let (all, before) = (&buffers[at], &before[at]);
        whole += all.bytes.len() / width;
        let pairs = all.bytes.chunks_exact(width).zip(before.bytes.chunks_exact(width)).enumerate();
        let unwritten = |index| [all, before].map(|one| one.is_unwritten(index, width));
        let differ = |(index, (is, was)): &(usize, (&[u8], &[u8]))| match unwritten(*index) {
            [false, false] => !alike(buffer.ty, is, was),
            [is, was] => is != was,
        };
        for (index, _) in pairs.filter(differ) {
            count += 1;
            if first.len() < DIFFER {
                first.push(json!({
                    "buffer": buffer.name,
                    "index": place(trial, buffer, index as u64),
                    "is": element(buffer, all, index),
                    "was": element(buffer, before, index),
                }));
            }
        }
    }
    let text = match count {
        0 => "The results are those of the original.".to_owned(),
        1 => format!("1 of {whole} results differs from the original's."),
        _ => format!("{count} of {whole} results differ from the original's."),
    };
    json!({ "same": count == 0, "text": text, "first": first })
}

fn alike(ty: Scalar, a: &[u8], b: &[u8]) -> bool {
    if a == b {
        return true;
    }
    if !ty.is_float() {
        return false;
    }
    let (a, b) = (ty.to_f64(ty.load(a)), ty.to_f64(ty.load(b)));
    // No difference of what is infinite or no number is within anything.
    a == b || (a - b).abs() <= (WITHIN * a.abs().max(b.abs())).min(f64::MAX)
}

/// An element's index in each of its buffer's axes.
fn place(trial: &Execution, buffer: &Buffer, index: u64) -> Vec<u64> {
    let axes = checker::bench::memory(&trial.case, trial.live.setup(), buffer).axes;
    let mut rest = index;
    let mut all: Vec<u64> = axes
        .iter()
        .skip(1)
        .rev()
        .map(|axis| {
            let at = rest % axis.len.max(1);
            rest /= axis.len.max(1);
            at
        })
        .collect();
    all.push(rest);
    all.reverse();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_text_the_first_lines_are_shown_and_the_others_counted() {
        assert_eq!(first_lines("a\nb"), ("a\nb", 0));
        let many = "line\n".repeat(LINES + 7);
        assert_eq!(first_lines(&many), (&many[..5 * LINES], 7));
        let wide = format!("{}\n", "x".repeat(BYTES / 2)).repeat(3);
        assert_eq!(first_lines(&wide), (&wide[..BYTES / 2 + 1], 2));
        let one = "é".repeat(BYTES);
        assert_eq!(first_lines(&one), (&one[..BYTES], 1));
    }

    #[test]
    fn bytes_are_written_as_base64() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")]
        {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(base64(&[255, 254, 253]), "//79");
    }

    #[test]
    fn numbers_make_a_grey_picture() {
        let light =
            |numbers: &[f64]| grey(numbers).chunks(4).map(|pixel| (pixel[0], pixel[3])).collect::<Vec<_>>();
        assert_eq!(light(&[-1.0, 0.0, 1.0]), [(0, 255), (128, 255), (255, 255)]);
        assert_eq!(light(&[7.0, f64::NAN, f64::INFINITY]), [(128, 255), (0, 0), (0, 0)]);
    }

    #[test]
    fn numbers_that_nearly_agree_are_alike() {
        let f = |x: f32| x.to_le_bytes();
        assert!(alike(Scalar::F32, &f(1.0), &f(1.000_001)));
        assert!(!alike(Scalar::F32, &f(1.0), &f(1.001)));
        assert!(!alike(Scalar::F32, &f(f32::NAN), &f(1.0)));
        assert!(!alike(Scalar::F32, &f(f32::INFINITY), &f(1.0)));
        assert!(!alike(Scalar::I32, &1_i32.to_le_bytes(), &2_i32.to_le_bytes()));
    }

    #[test]
    fn small_floats_have_as_few_digits_as_distinguish_them() {
        for (ty, number, text) in [
            (Scalar::F16, 0.1, "0.1"),
            (Scalar::F16, 2048.0, "2048"),
            (Scalar::F16, 1.0 / 3.0, "0.3333"),
            (Scalar::F16, 65504.0, "65504"),
            (Scalar::F16, f64::INFINITY, "inf"),
            (Scalar::Bf16, 0.1, "0.1"),
            (Scalar::Bf16, 0.7, "0.7"),
            (Scalar::E4m3, 448.0, "448"),
            (Scalar::F32, 0.1, "0.1"),
        ] {
            assert_eq!(reported(ty, ty.to_f64(ty.round(number))), text, "{ty}");
        }
        for ty in [Scalar::F16, Scalar::Bf16, Scalar::E4m3, Scalar::E5m2] {
            for bits in (0..1_u64 << (8 * ty.bytes())).filter(|bits| ty.to_f64(*bits).is_finite()) {
                let text = reported(ty, ty.to_f64(bits));
                assert_eq!(text.parse().map(|number| ty.round(number)), Ok(bits), "{ty} {bits:#x}: {text}");
            }
        }
    }

    #[test]
    fn a_plot_of_anything_is_well_formed() {
        for numbers in [&[][..], &[1.0], &[f64::NAN, 1.0, f64::INFINITY, 2.0]] {
            let svg = plot(numbers, 0, &|at| reported(Scalar::F64, numbers[at]));
            assert!(svg.starts_with("<svg") && svg.ends_with("</svg>"), "{svg}");
        }
    }

    #[test]
    fn a_plot_says_what_it_spans_in_the_digits_of_its_type() {
        let of = |ty, numbers: &[f64], gaps| {
            let svg = plot(numbers, gaps, &|at| reported(ty, numbers[at]));
            svg.split("<title>").nth(1).and_then(|rest| rest.split('<').next()).unwrap().to_owned()
        };
        assert_eq!(of(Scalar::F32, &[f64::from(0.1_f32), 2.0], 0), "2 elements, from 0.1 to 2");
        assert_eq!(of(Scalar::I32, &[7.0, f64::NAN, 7.0], 1), "3 elements, 2 of them written, all 7");
        assert_eq!(of(Scalar::I32, &[f64::NAN, 7.0], 1), "2 elements, 1 of them written: 7");
        assert_eq!(of(Scalar::F32, &[f64::NAN], 0), "1 element, none a finite number");
        assert_eq!(of(Scalar::F32, &[f64::NAN; 2000], 2000), "2,000 elements, none of them written");
    }
}
