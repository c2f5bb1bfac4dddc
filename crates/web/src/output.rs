//! Outputs of a run: numbers, pictures, plots; and whether they are those of another run.
//!
//! Enters: buffers' bytes. Leaves: what a page shows of them. This module must never know how they were computed.

use crate::Session;
use crate::field;
use crate::trial::{NOTHING, Trial};
use checker::data::{self, POISON};
use exercise::live::{Picture, Points, Show};
use exercise::manifest::{Buffer, Type};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Elements that are told without being asked for.
const HEAD: usize = 64;
/// Elements that are told at once at the most.
const MOST: u64 = 4096;
/// Elements that differ and are told.
const DIFFER: usize = 8;
/// Pixels of a picture at the most.
const PIXELS: u64 = 1 << 22;
/// Greatest relative difference of floating-point numbers that are taken for the same.
const WITHIN: f64 = 1e-5;

/// What is shown of a trial.
pub(crate) fn shown(trial: &Trial, buffers: &[Vec<u8>]) -> Result<Vec<Value>, String> {
    trial.live.show.iter().map(|show| one(trial, show, buffers)).collect()
}

fn one(trial: &Trial, show: &Show, buffers: &[Vec<u8>]) -> Result<Value, String> {
    let (at, buffer) = find(trial, &show.buffer)?;
    let bytes = &buffers[at];
    let picture = show.picture.as_ref().map(|picture| of_picture(trial, picture, bytes)).transpose()?;
    // What nobody wrote is no number.
    let numbers = || {
        let all = data::numbers(buffer.ty, bytes).into_iter().zip(bytes.chunks_exact(buffer.ty.bytes()));
        all.map(|(number, chunk)| if unwritten(buffer, chunk) { f64::NAN } else { number })
            .collect::<Vec<f64>>()
    };
    let gaps = || bytes.chunks_exact(buffer.ty.bytes()).filter(|chunk| unwritten(buffer, chunk)).count();
    let plot = match &show.points {
        Some(view) => Some(points(&numbers(), view)),
        None => show.plot.then(|| plot(buffer.ty, &numbers(), gaps())),
    };
    Ok(json!({
        "buffer": show.buffer,
        "type": of_type(buffer.ty),
        "length": bytes.len() / buffer.ty.bytes(),
        "head": elements(buffer, bytes, 0, HEAD),
        "picture": picture,
        "plot": plot,
    }))
}

fn find<'t>(trial: &'t Trial, name: &str) -> Result<(usize, &'t Buffer), String> {
    trial.live.setup().buffer(name).ok_or_else(|| format!("there is no buffer `{name}`"))
}

/// The response to a request for further elements of a buffer.
pub(crate) fn more(session: &Session, request: &Value) -> Result<Value, String> {
    let trial = session.last.as_ref().ok_or(NOTHING)?;
    let (at, buffer) = find(trial, field::text(request, "buffer")?)?;
    let bytes = trial.buffers.get(at).ok_or("the last run did not end")?;
    let first = field::number(request, "from", 0)?.min(bytes.len() as u64) as usize;
    let count = field::number(request, "count", HEAD as u64)?.min(MOST) as usize;
    Ok(json!({
        "buffer": buffer.name,
        "type": of_type(buffer.ty),
        "length": bytes.len() / buffer.ty.bytes(),
        "from": first,
        "values": elements(buffer, bytes, first, count),
    }))
}

fn of_type(ty: Type) -> &'static str {
    match ty {
        Type::U8 => "u8",
        Type::I32 => "i32",
        Type::U32 => "u32",
        Type::F32 => "f32",
        Type::F64 => "f64",
    }
}

/// Elements as text; of an output, those that nobody wrote are told so.
fn elements(buffer: &Buffer, bytes: &[u8], first: usize, count: usize) -> Vec<String> {
    let width = buffer.ty.bytes();
    let chunks = bytes.chunks_exact(width).skip(first).take(count);
    chunks.map(|chunk| element(buffer, chunk)).collect()
}

/// Whether an output's element still holds what it was filled with.
fn unwritten(buffer: &Buffer, chunk: &[u8]) -> bool {
    let poison = POISON.to_le_bytes();
    // A byte of the pattern is a number like any other.
    chunk.len() >= 4 && buffer.init.is_none() && chunk.chunks(4).all(|word| word == poison)
}

fn element(buffer: &Buffer, chunk: &[u8]) -> String {
    if unwritten(buffer, chunk) {
        return "unwritten".to_owned();
    }
    data::numbers(buffer.ty, chunk).first().map_or_else(String::new, |number| told(buffer.ty, *number))
}

/// An element's value with as many digits as its type has.
fn told(ty: Type, number: f64) -> String {
    match ty {
        Type::F32 => (number as f32).to_string(),
        Type::U8 | Type::I32 | Type::U32 | Type::F64 => number.to_string(),
    }
}

fn of_picture(trial: &Trial, picture: &Picture, bytes: &[u8]) -> Result<Value, String> {
    let value = |formula| {
        let value =
            trial.case.value(trial.live.setup(), formula, &|_| None).map_err(|error| error.to_string())?;
        u64::try_from(value).map_err(|_| format!("a picture cannot have a side of {value} pixels"))
    };
    let (width, height) = (value(&picture.width)?, value(&picture.height)?);
    let pixels = width.checked_mul(height).filter(|pixels| *pixels <= PIXELS);
    let pixels = pixels.ok_or_else(|| format!("a picture cannot have {width} × {height} pixels"))?;
    let shown = bytes.get(..4 * pixels as usize);
    let shown =
        shown.ok_or_else(|| format!("a picture of {width} × {height} pixels has not so many bytes"))?;
    Ok(json!({ "width": width, "height": height, "rgba": base64(shown) }))
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
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

/// Elements over their index, as a line; so many that a page is as wide as. Of them, `gaps` are no numbers because nobody wrote
/// them.
fn plot(ty: Type, numbers: &[f64], gaps: usize) -> String {
    const POINTS: usize = 640;
    let step = numbers.len().div_ceil(POINTS).max(1);
    let finite = || numbers.iter().copied().filter(|number| number.is_finite());
    let (low, high) = (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
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
            () if low < high => format!(", from {} to {}", told(ty, low), told(ty, high)),
            () if low == high && gaps + 1 == numbers.len() => format!(": {}", told(ty, low)),
            () if low == high => format!(", all {}", told(ty, low)),
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

/// Points of a plane, as far as they lie in the view, in which places go up as on paper.
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
         <title>{inside} of {count} points lie in the view, from {0} to {1} in x and y</title>\
         <rect width=\"{SIDE}\" height=\"{SIDE}\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\"0.4\"/>\
         <g fill=\"currentColor\" fill-opacity=\"0.75\">{marks}</g></svg>",
        -view.within, view.within,
    )
}

/// Whether a trial's outputs are those of the text as it came.
pub(crate) fn verdict(trial: &Trial, buffers: &[Vec<u8>], before: &[Vec<u8>]) -> Value {
    let (mut first, mut count, mut whole) = (vec![], 0, 0);
    for show in &trial.live.show {
        let Ok((at, buffer)) = find(trial, &show.buffer) else { continue };
        let width = buffer.ty.bytes();
        let (is, was) = (&buffers[at], &before[at]);
        whole += is.len() / width;
        let pairs = is.chunks_exact(width).zip(was.chunks_exact(width)).enumerate();
        for (index, (is, was)) in pairs.filter(|(_, (is, was))| !alike(buffer.ty, is, was)) {
            count += 1;
            if first.len() < DIFFER {
                first.push(json!({
                    "buffer": buffer.name,
                    "index": place(trial, buffer, index as u64),
                    "is": element(buffer, is),
                    "was": element(buffer, was),
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

fn alike(ty: Type, a: &[u8], b: &[u8]) -> bool {
    if a == b {
        return true;
    }
    if !matches!(ty, Type::F32 | Type::F64) {
        return false;
    }
    let number = |bytes| data::numbers(ty, bytes).first().copied().unwrap_or(f64::NAN);
    let (a, b) = (number(a), number(b));
    // No difference of what is infinite or no number is within anything.
    a == b || (a - b).abs() <= (WITHIN * a.abs().max(b.abs())).min(f64::MAX)
}

/// An element's index in each of its buffer's axes.
fn place(trial: &Trial, buffer: &Buffer, index: u64) -> Vec<u64> {
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
    fn bytes_are_written_as_base64() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")]
        {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(base64(&[255, 254, 253]), "//79");
    }

    #[test]
    fn numbers_that_nearly_agree_are_alike() {
        let f = |x: f32| x.to_le_bytes();
        assert!(alike(Type::F32, &f(1.0), &f(1.000_001)));
        assert!(!alike(Type::F32, &f(1.0), &f(1.001)));
        assert!(!alike(Type::F32, &f(f32::NAN), &f(1.0)));
        assert!(!alike(Type::F32, &f(f32::INFINITY), &f(1.0)));
        assert!(!alike(Type::I32, &1_i32.to_le_bytes(), &2_i32.to_le_bytes()));
    }

    #[test]
    fn a_plot_of_anything_is_well_formed() {
        for numbers in [&[][..], &[1.0], &[f64::NAN, 1.0, f64::INFINITY, 2.0]] {
            let svg = plot(Type::F64, numbers, 0);
            assert!(svg.starts_with("<svg") && svg.ends_with("</svg>"), "{svg}");
        }
    }

    #[test]
    fn a_plot_says_what_it_spans_in_the_digits_of_its_type() {
        let of = |ty, numbers: &[f64], gaps| {
            let svg = plot(ty, numbers, gaps);
            svg.split("<title>").nth(1).and_then(|rest| rest.split('<').next()).unwrap().to_owned()
        };
        assert_eq!(of(Type::F32, &[f64::from(0.1_f32), 2.0], 0), "2 elements, from 0.1 to 2");
        assert_eq!(of(Type::I32, &[7.0, f64::NAN, 7.0], 1), "3 elements, 2 of them written, all 7");
        assert_eq!(of(Type::I32, &[f64::NAN, 7.0], 1), "2 elements, 1 of them written: 7");
        assert_eq!(of(Type::F32, &[f64::NAN], 0), "1 element, none a finite number");
        assert_eq!(of(Type::F32, &[f64::NAN; 2000], 2000), "2,000 elements, none of them written");
    }
}
