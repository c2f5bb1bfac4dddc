//! A block's shared memory as a grid of words, each as a number of the type that the text declares.
//!
//! Enters: a text and a block's state. Leaves: words. This module must never know what they mean.

use device::stepping::State;
use serde_json::{Value, json};

/// Most words that are listed: all of a block's shared memory.
const MOST: usize = (228 << 10) / 4;

/// Type of words, as far as numbers are written differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Float,
    Signed,
    Unsigned,
    /// Not known, or not of four bytes.
    Bits,
}

impl Type {
    fn name(self) -> &'static str {
        match self {
            Type::Float => "float",
            Type::Signed => "int",
            Type::Unsigned => "unsigned",
            Type::Bits => "bits",
        }
    }

    fn number(self, word: u32) -> String {
        match self {
            Type::Float => float(f32::from_bits(word)),
            Type::Signed => word.cast_signed().to_string(),
            Type::Unsigned => word.to_string(),
            Type::Bits => format!("{word:08x}"),
        }
    }
}

/// A number with as  digits as distinguish it from others.
pub(crate) fn float(number: f32) -> String {
    let text = format!("{number:?}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// The shared memory of a state.
pub(crate) fn reported(text: &str, state: &State) -> Value {
    let declared = declarations(text);
    let name = |mangled: &str| {
        let name = names::readable(mangled);
        name.rsplit("::").next().unwrap_or_default().to_owned()
    };
    let ty = |name: &str, dynamic: bool| {
        let mut of = declared.iter().filter(|one| (one.dynamic == dynamic) && (dynamic || one.name == name));
        let first = of.next().map_or(Type::Bits, |one| one.ty);
        if of.all(|one| one.ty == first) { first } else { Type::Bits }
    };
    let mut variables: Vec<(String, u32, u32, Type)> = vec![];
    for (mangled, first, bytes) in &state.shared_variables {
        let name = name(mangled);
        let ty = ty(&name, false);
        variables.push((name, *first, *bytes, ty));
    }
    // What follows the last variable is dynamic.
    let end = variables.iter().map(|(_, first, bytes, _)| first + bytes).max().unwrap_or(0);
    if (end as usize) < state.shared.len() && declared.iter().any(|one| one.dynamic) {
        let mut dynamic = declared.iter().filter(|one| one.dynamic);
        let name = dynamic.next().map(|one| one.name.clone()).unwrap_or_default();
        let name = if dynamic.any(|one| one.name != name) { "dynamic".to_owned() } else { name };
        variables.push((name, end, state.shared.len() as u32 - end, ty("", true)));
    }
    let of = |at: usize| {
        let at = at as u32 * 4;
        let here = variables.iter().find(|(_, first, bytes, _)| (*first..first + bytes).contains(&at));
        here.map_or(Type::Bits, |(.., ty)| *ty)
    };
    let words = state.shared.chunks(4).zip(state.shared_written.chunks(4)).take(MOST).enumerate();
    let words = words.map(|(at, (bytes, written))| {
        if !written.iter().any(|is| *is) {
            return (String::new(), String::new());
        }
        let word = bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
        (of(at).number(word), format!("{word:08x}"))
    });
    let (numbers, bits): (Vec<String>, Vec<String>) = words.unzip();
    let variables = variables.iter().map(
        |(name, first, bytes, ty)| json!({ "name": name, "first": first, "bytes": bytes, "type": ty.name() }),
    );
    json!({
        "bytes": state.shared.len(),
        "words": numbers,
        "bits": bits,
        "variables": variables.collect::<Vec<_>>(),
    })
}

#[derive(Debug, PartialEq, Eq)]
struct Declared {
    name: String,
    ty: Type,
    dynamic: bool,
}

/// The declarators of a declaration, each up to its brackets and its first value, the first with the type before it.
fn declarators(text: &str) -> Vec<&str> {
    let (mut all, mut start, mut depth) = (vec![], 0, 0);
    for (at, c) in text.char_indices().chain([(text.len(), ',')]) {
        match c {
            '[' | '(' | '<' => depth += 1,
            ']' | ')' | '>' => depth -= 1,
            ',' if depth <= 0 => {
                let one = text.get(start..at).unwrap_or_default();
                all.push(one.split(['[', '=']).next().unwrap_or_default().trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    all
}

/// The shared variables that a text declares.
fn declarations(text: &str) -> Vec<Declared> {
    let mut all = vec![];
    for (at, word) in text.match_indices("__shared__") {
        let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
        if text[line..at].contains("//") {
            continue;
        }
        let dynamic = text[line..at].contains("extern");
        let rest = &text[at + word.len()..];
        let rest = &rest[..rest.find([';', '{']).unwrap_or(rest.len())];
        let is_letter = |c: char| c.is_alphanumeric() || c == '_';
        let is_name = |name: &str| !name.is_empty() && name.chars().all(is_letter);
        let mut declarators = declarators(rest).into_iter();
        let first = declarators.next().unwrap_or_default();
        let name = first.rsplit(|c| !is_letter(c)).next().unwrap_or_default();
        let ty = &first[..first.len() - name.len()];
        let words: Vec<&str> = ty.split(|c: char| !is_letter(c)).filter(|word| !word.is_empty()).collect();
        let words: Vec<&str> =
            words.into_iter().filter(|word| !["const", "volatile", "static"].contains(word)).collect();
        let of = match &words[..] {
            _ if ty.contains('<') => Type::Bits,
            ["float" | "float2" | "float3" | "float4"] => Type::Float,
            ["int" | "int2" | "int4" | "int32_t"] | ["signed", ..] => Type::Signed,
            ["unsigned" | "uint" | "uint32_t" | "uint2" | "uint4"] | ["unsigned", "int"] => Type::Unsigned,
            _ => Type::Bits,
        };
        let first = (name, ty.contains('*'));
        let others = declarators.map(|one| (one.trim_start_matches(['*', ' ']), one.contains('*')));
        for (name, pointer) in std::iter::once(first).chain(others).filter(|(name, _)| is_name(name)) {
            let ty = if pointer { Type::Bits } else { of };
            all.push(Declared { name: name.to_owned(), ty, dynamic });
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_found_with_their_types() {
        let text = "// __shared__ float no[2];\n__shared__ float tile[T][T + 1]; extern __shared__ int more[];\n\
                    __shared__ unsigned count, other;\n__shared__ __align__(16) Pair pairs[2];\n__shared__";
        let of = |name: &str, ty, dynamic| Declared { name: name.to_owned(), ty, dynamic };
        let found = declarations(text);
        assert_eq!(found[0], of("tile", Type::Float, false));
        assert_eq!(found[2..4], ["count", "other"].map(|name| of(name, Type::Unsigned, false)));
        assert_eq!((found[4].name.as_str(), found[4].ty), ("pairs", Type::Bits));
        assert_eq!(found.len(), 5);
        assert_eq!(declarations("__shared__ → float a→, →").len(), 0, "what is not a declaration has none");
        let found = declarations("__shared__ float left[N][N + f(1, 2)], *at, right[N], sum = 0;");
        let all = [("left", Type::Float), ("at", Type::Bits), ("right", Type::Float), ("sum", Type::Float)];
        assert_eq!(found, all.map(|(name, ty)| of(name, ty, false)));
    }

    #[test]
    fn numbers_are_short() {
        for (number, text) in [(1.0, "1"), (0.1, "0.1"), (-0.0, "-0"), (1e30, "1e30"), (f32::NAN, "NaN")] {
            assert_eq!(float(number), text);
        }
    }
}
