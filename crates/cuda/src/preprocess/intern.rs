//! Spellings as small numbers, so that names are compared and looked up without reading them again.
//!
//! Enters: text. Leaves: symbols. This module must never know what the texts mean.

use std::rc::Rc;

use crate::hash::Map;

/// Spelling of a token: an index into [`Interner`]. Those below `PUNCTUATIONS.len()` are punctuation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Symbol(pub(crate) u32);

/// Punctuation of C++, in the order of first characters, the longest first; digraphs too.
pub(crate) const PUNCTUATIONS: [&str; 57] = [
    "!=", "!", "##", "#", "%:%:", "%=", "%>", "%:", "%", "&&", "&=", "&", "(", ")", "*=", "*", "++", "+=",
    "+", ",", "->*", "->", "--", "-=", "-", "...", ".*", ".", "/=", "/", "::", ":>", ":", ";", "<<=", "<<",
    "<=", "<:", "<%", "<", "==", "=", ">>=", ">>", ">=", ">", "?", "[", "]", "^=", "^", "{", "||", "|=", "|",
    "}", "~",
];

/// Names that the preprocessor itself asks for, in the order of the constants of [`known`].
const KNOWN: [&str; 9] = [
    "__VA_ARGS__",
    "__VA_OPT__",
    "defined",
    "__has_include",
    "_Pragma",
    "once",
    "true",
    "",
    "__has_cpp_attribute",
];

/// Symbols of names that the preprocessor itself asks for.
pub(crate) mod known {
    use super::{PUNCTUATIONS, Symbol};

    const FIRST: u32 = PUNCTUATIONS.len() as u32;
    pub(crate) const VA_ARGS: Symbol = Symbol(FIRST);
    pub(crate) const VA_OPT: Symbol = Symbol(FIRST + 1);
    pub(crate) const DEFINED: Symbol = Symbol(FIRST + 2);
    pub(crate) const HAS_INCLUDE: Symbol = Symbol(FIRST + 3);
    pub(crate) const PRAGMA: Symbol = Symbol(FIRST + 4);
    pub(crate) const ONCE: Symbol = Symbol(FIRST + 5);
    pub(crate) const TRUE: Symbol = Symbol(FIRST + 6);
    pub(crate) const EMPTY: Symbol = Symbol(FIRST + 7);
    pub(crate) const HAS_CPP_ATTRIBUTE: Symbol = Symbol(FIRST + 8);
}

/// Index in [`PUNCTUATIONS`] of a text known when the compiler is built.
pub(crate) const fn punctuation(text: &str) -> Symbol {
    let text = text.as_bytes();
    let mut index = 0;
    while index < PUNCTUATIONS.len() {
        let one = PUNCTUATIONS[index].as_bytes();
        let mut at = 0;
        while at < one.len() && at < text.len() && one[at] == text[at] {
            at += 1;
        }
        if at == one.len() && at == text.len() {
            return Symbol(index as u32);
        }
        index += 1;
    }
    panic!("no such punctuation") // at compile time: every use is in a constant
}

/// Where the punctuation with a first byte begins and ends in [`PUNCTUATIONS`].
pub(crate) const BY_FIRST_BYTE: [(u8, u8); 128] = {
    let mut table = [(0u8, 0u8); 128];
    let mut index = 0;
    while index < PUNCTUATIONS.len() {
        let first = PUNCTUATIONS[index].as_bytes()[0] as usize;
        if table[first].1 == 0 {
            table[first].0 = index as u8;
        }
        table[first].1 = index as u8 + 1;
        index += 1;
    }
    table
};

/// All spellings of a compilation.
pub(crate) struct Interner {
    texts: Vec<Rc<str>>,
    symbols: Map<Rc<str>, Symbol>,
}

impl Interner {
    pub(crate) fn new() -> Self {
        let mut interner = Self { texts: Vec::with_capacity(1024), symbols: Map::default() };
        for text in PUNCTUATIONS.iter().chain(&KNOWN) {
            interner.intern(text);
        }
        interner
    }

    /// Symbol of a text.
    pub(crate) fn intern(&mut self, text: &str) -> Symbol {
        if let Some(symbol) = self.symbols.get(text) {
            return *symbol;
        }
        let symbol = Symbol(self.texts.len() as u32);
        let text: Rc<str> = text.into();
        self.texts.push(text.clone());
        self.symbols.insert(text, symbol);
        symbol
    }

    /// Text of a symbol.
    pub(crate) fn text(&self, symbol: Symbol) -> &Rc<str> {
        &self.texts[symbol.0 as usize] // symbols come from `intern` of the one interner of a compilation
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_the_symbols_of_their_names() {
        let mut interner = Interner::new();
        for (symbol, text) in [
            (known::VA_ARGS, "__VA_ARGS__"),
            (known::VA_OPT, "__VA_OPT__"),
            (known::DEFINED, "defined"),
            (known::HAS_INCLUDE, "__has_include"),
            (known::PRAGMA, "_Pragma"),
            (known::ONCE, "once"),
            (known::TRUE, "true"),
            (known::EMPTY, ""),
            (known::HAS_CPP_ATTRIBUTE, "__has_cpp_attribute"),
            (punctuation("##"), "##"),
            (punctuation("~"), "~"),
        ] {
            assert_eq!(interner.intern(text), symbol, "{text}");
        }
    }

    #[test]
    fn punctuation_of_one_first_byte_lies_together_with_the_longest_first() {
        for (first, (start, end)) in BY_FIRST_BYTE.iter().enumerate() {
            let all = &PUNCTUATIONS[usize::from(*start)..usize::from(*end)];
            assert!(all.iter().all(|text| usize::from(text.as_bytes()[0]) == first));
            for (index, text) in all.iter().enumerate() {
                assert!(!all[..index].iter().any(|before| text.starts_with(before)), "{text} is never found");
            }
        }
    }
}
