//! What the targets share: a mutator that knows words and lines, so that what it makes of PTX is often still PTX.

/// A small generator of random numbers: libFuzzer gives a seed, nothing else may decide.
pub struct Random(u64);

impl Random {
    /// Begins with this seed.
    pub fn new(seed: u32) -> Self {
        Random(u64::from(seed) << 1 | 1)
    }

    /// A number below `n`; 0 for none.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize).checked_rem(n).unwrap_or(0)
    }
}

/// Words of instructions and directives, and numbers at edges.
const WORDS: &str = include_str!("../words.txt");

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b"_$%.:".contains(&b)
}

/// Words and what is between them.
fn pieces(text: &[u8]) -> Vec<&[u8]> {
    text.chunk_by(|a, b| is_word(*a) && is_word(*b) && *b != b'.').collect()
}

/// Words of CUDA C.
pub const CUDA: &str = include_str!("../cuda.txt");

/// Changes a text of PTX by lines or by words.
pub fn mutate_text(text: &[u8], random: &mut Random, most: usize) -> Vec<u8> {
    mutate_text_of(WORDS, text, random, most)
}

/// Changes a text by lines or by words, of which a list has one a line.
pub fn mutate_text_of(words: &str, text: &[u8], random: &mut Random, most: usize) -> Vec<u8> {
    let words: Vec<&str> = words.lines().collect();
    let mut out = text.to_vec();
    for _ in 0..=random.below(4) {
        let now = out.clone();
        if random.below(3) == 0 {
            let mut lines: Vec<&[u8]> = now.split_inclusive(|b| *b == b'\n').collect();
            if lines.is_empty() {
                continue;
            }
            let (a, b) = (random.below(lines.len()), random.below(lines.len()));
            match random.below(4) {
                0 => drop(lines.remove(a)),
                1 => lines.swap(a, b),
                2 => lines.insert(a, lines[b]),
                _ => lines[a] = lines[b],
            }
            out = lines.concat();
        } else {
            let mut all = pieces(&now);
            if all.is_empty() {
                continue;
            }
            let (a, b) = (random.below(all.len()), random.below(all.len()));
            match random.below(5) {
                0 => drop(all.remove(a)),
                1 => all[a] = all[b],
                2 => all.insert(a, words[random.below(words.len())].as_bytes()),
                _ => {
                    // One word for another of its kind: a modifier for a modifier, a number for a number.
                    let kind = |word: &[u8]| word.first().map(|b| (*b == b'.', *b == b'%', b.is_ascii_digit()));
                    let wanted = kind(all[a]);
                    let from = random.below(words.len());
                    let fits = |word: &&&[u8]| kind(word) == wanted;
                    let of_text: Vec<&[u8]> = all.iter().filter(fits).copied().collect();
                    let of_list = (0..words.len())
                        .map(|n| words[(from + n) % words.len()].as_bytes())
                        .find(|word| kind(word) == wanted);
                    all[a] = match of_list {
                        Some(word) if random.below(2) == 0 => word,
                        _ => of_text[random.below(of_text.len())],
                    };
                }
            }
            out = all.concat();
        }
    }
    out.truncate(most);
    out
}

/// A mutator of PTX for libFuzzer.
pub fn mutator(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    mutator_of(WORDS, data, size, max_size, seed)
}

/// A mutator for libFuzzer: words and lines mostly, bytes sometimes.
pub fn mutator_of(words: &str, data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut random = Random::new(seed);
    if random.below(8) == 0 || size == 0 {
        return libfuzzer_sys::fuzzer_mutate(data, size, max_size);
    }
    let new = mutate_text_of(words, &data[..size], &mut random, max_size);
    data[..new.len()].copy_from_slice(&new);
    new.len()
}
