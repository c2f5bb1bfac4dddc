//! A source's tokens as they are written, for those who compare sources instead of compiling them.
//!
//! Enters: text, which need not compile. Leaves: its tokens with their places, before any macro is expanded; what lies between
//! two of them is white space and comments. This module must never know the grammar.

use std::ops::Range;
use std::rc::Rc;

use crate::{
    builtin,
    diagnostic::Diagnostics,
    lex::{Lexer, RawKind},
    library, parse,
    preprocess::intern::{Interner, punctuation},
    side::Side,
};

/// Token as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// What it is.
    pub class: Class,
    /// Spelling, with continued lines joined.
    pub text: Rc<str>,
    /// Where it is, in bytes.
    pub at: Range<usize>,
    /// Whether it is the first of its line.
    pub begins_line: bool,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Name that neither the language nor CUDA gives, so that its author chose it.
    Name,
    /// Any other word: a keyword, a directive, or a name that CUDA has without any header.
    Word,
    /// Number, string, character or punctuation.
    Other,
}

/// The tokens of a source, the first `most` at most.
pub fn tokens(text: &str, most: usize) -> Vec<Written> {
    let (mut interner, mut sink) = (Interner::new(), Diagnostics::default());
    let mut lexer = Lexer::new(text.into(), 0);
    let mut tokens = Vec::new();
    let mut is_directive = false;
    while tokens.len() < most {
        let raw = lexer.next(&mut interner, &mut sink);
        if raw.kind == RawKind::End {
            break;
        }
        let text = interner.text(raw.symbol).clone();
        let class = match raw.kind {
            RawKind::Word if is_directive || is_known(&text) => Class::Word,
            RawKind::Word => Class::Name,
            // A name in another script, which kernels cannot have; comments and strings can.
            RawKind::Other if text.starts_with(char::is_alphanumeric) => Class::Name,
            _ => Class::Other,
        };
        is_directive = raw.line_start && raw.is(const { punctuation("#") });
        let at = raw.span.lo as usize..raw.span.hi as usize;
        tokens.push(Written { class, text, at, begins_line: raw.line_start });
    }
    tokens
}

/// Whether a word is one of the language's or of CUDA's own.
fn is_known(word: &str) -> bool {
    parse::is_keyword(word)
        || builtin::overloads(word).next().is_some()
        || library::declares(word, Side::Device).is_some()
        || library::defines(word).is_some()
        || word == "printf"
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each token with a letter for its class.
    fn shown(text: &str) -> String {
        let one = |token: &Written| match token.class {
            Class::Name => format!("n:{}", token.text),
            Class::Word => format!("w:{}", token.text),
            Class::Other => token.text.to_string(),
        };
        tokens(text, 100).iter().map(one).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn names_that_an_author_chose_are_told_from_those_of_the_language() {
        assert_eq!(
            shown("int i = blockIdx.x; // mine\nmine[i] = fmaxf(/* a */ b, FLT_MAX); __syncthreads();"),
            "w:int n:i = w:blockIdx . n:x ; n:mine [ n:i ] = w:fmaxf ( n:b , w:FLT_MAX ) ; w:__syncthreads ( ) ;"
        );
        assert_eq!(shown("#define SIDE 0x10\nSI\\\nDE"), "# w:define n:SIDE 0x10 n:SIDE");
    }

    #[test]
    fn a_source_that_does_not_compile_has_tokens_too() {
        assert_eq!(shown("if ( \"a } größe 1.2.3 \u{1} /* open"), "w:if ( \"a } größe 1.2.3 \u{1} /* open");
        assert_eq!(shown("größe @ 1 /* open"), "n:größe @ 1");
        assert_eq!(tokens("a b c", 2).len(), 2);
        let places: Vec<_> = tokens("a\n  bc", 9).into_iter().map(|one| (one.at, one.begins_line)).collect();
        assert_eq!(places, [(0..1, true), (4..6, true)]);
    }
}
