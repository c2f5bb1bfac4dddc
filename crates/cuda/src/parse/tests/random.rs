//! Sources that make no sense: the parser ends, soon, and without a panic.

use std::path::Path;
use std::time::{Duration, Instant};

use super::{corpus, parsed};

/// Numbers that look random, the same in every run.
pub(super) struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % below.max(1)
    }
}

/// Words that sources are made of.
const WORDS: &[&str] = include!("words.rs");

fn check(text: &str) {
    let start = Instant::now();
    let mut parsed = parsed(text);
    parsed.all_bodies();
    super::super::print::unit(&parsed.tree, &parsed.sources);
    let time = start.elapsed();
    assert!(time < Duration::from_secs(5), "{time:?} for\n{text}");
}

fn rounds(few: u64) -> std::ops::Range<u64> {
    let from = std::env::var("CUDA_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    let many = std::env::var("CUDA_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(few);
    from..from + many
}

#[test]
fn tokens_in_any_order_are_read_to_the_end() {
    for seed in rounds(300) {
        let mut random = Random(seed);
        let mut text = String::from("template <class T> struct S { }; ");
        if random.next(2) == 0 {
            text.push_str("__global__ void k() { ");
        }
        for _ in 0..random.next(120) {
            text.push_str(WORDS[random.next(WORDS.len())]);
            text.push_str([" ", " ", ""][random.next(3)]);
        }
        check(&text);
    }
}

#[test]
fn what_repeats_is_read_in_time() {
    for seed in rounds(60) {
        let mut random = Random(seed ^ 0x5555);
        let unit: Vec<&str> = (0..1 + random.next(5)).map(|_| WORDS[random.next(WORDS.len())]).collect();
        let unit = unit.join(" ") + " ";
        check(&unit.repeat(60));
        check(&format!("__global__ void k() {{ T a; {} }}", unit.repeat(200)));
    }
}

/// Another text made out of one: words and lines left out, doubled or put elsewhere.
pub(super) fn mutated(text: &str, random: &mut Random) -> String {
    let mut pieces: Vec<&str> = vec![];
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let end = match word(first) {
            true => rest.find(|c| !word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (piece, after) = rest.split_at(end);
        pieces.push(piece);
        rest = after;
    }
    for _ in 0..1 + random.next(4) {
        if pieces.is_empty() {
            break;
        }
        let at = random.next(pieces.len());
        match random.next(5) {
            0 => {
                pieces.remove(at);
            }
            1 => pieces.insert(at, WORDS[random.next(WORDS.len())]),
            2 => pieces[at] = WORDS[random.next(WORDS.len())],
            3 => {
                let to = random.next(pieces.len());
                pieces.swap(at, to);
            }
            _ => {
                let end = (at + random.next(40)).min(pieces.len());
                let copy: Vec<&str> = pieces[at..end].to_vec();
                let to = random.next(pieces.len());
                pieces.splice(to..to, copy);
            }
        }
    }
    pieces.concat()
}

#[test]
fn changed_kernels_are_read_to_the_end() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = vec![];
    corpus::sources(&root.join("kernels"), &mut files);
    corpus::sources(&root.join("tests/programs"), &mut files);
    assert!(files.len() > 100);
    for seed in rounds(150) {
        let mut random = Random(seed.wrapping_mul(77) + 1);
        let file = &files[random.next(files.len())];
        let Ok(text) = std::fs::read_to_string(file) else { continue };
        check(&mutated(&text, &mut random));
    }
}
