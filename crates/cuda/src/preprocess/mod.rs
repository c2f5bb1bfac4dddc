//! Preprocessing: directives, macros and files of the library that are needed by name.
//!
//! Enters: the main source, what it includes (asked of a loader or taken from the library), and definitions of the
//! options. Leaves: the parser's tokens. This module must never know the grammar: of a name it knows whether it is a
//! macro's, and which file of the library declares it.

mod brought;
mod condition;
mod define;
mod directive;
mod expand;
mod headers;
mod include;
pub(crate) mod intern;
mod literal;
mod pragma;
#[cfg(test)]
mod tests;

pub(crate) use pragma::{Packing, packing};

use std::rc::Rc;

use crate::{
    diagnostic::{Diagnostic, Diagnostics},
    hash::{Map, Set},
    lex::{Lexer, Raw, RawKind},
    library,
    options::{Arch, Header, Language},
    side::Side,
    source::{Sources, Span},
    token::{Token, TokenKind},
};

use self::{
    define::Macro,
    directive::Conditional,
    intern::{Interner, PUNCTUATIONS, Symbol, known, punctuation},
};

/// Most tokens that are read or written, so that no source takes longer than seconds; the longest file of the labs has some
/// ten thousand with all that it includes.
const MOST_WORK: u32 = 6_000_000;
/// Most tokens that the parser gets.
const MOST_TOKENS: usize = 2_500_000;
/// Most bytes of all included files together.
const MOST_BYTES: usize = 16 << 20;
/// Most files that are open at once.
const MOST_INCLUDES: usize = 64;
/// Most calls of macros in the arguments of calls, one in the other.
const MOST_NESTED_CALLS: u32 = 100;

/// What preprocessing needs next to the source.
pub(crate) struct Environment<'a> {
    /// What `__CUDA_ARCH__` says.
    pub(crate) arch: Arch,
    /// Side that is compiled.
    pub(crate) side: Side,
    /// Whether single precision is computed by the quick instructions.
    pub(crate) fast_math: bool,
    /// Macros: names with their values.
    pub(crate) defines: &'a [(String, String)],
    /// A file next to the main source, by its path relative to that source's folder.
    pub(crate) loader: &'a dyn Fn(&str) -> Option<Header>,
    /// Language of the source.
    pub(crate) language: Language,
    /// Headers that are included before the source.
    pub(crate) before: &'a [String],
    /// A file that is read after the source, as if it stood there: its index.
    pub(crate) behind: Option<usize>,
}

/// Tokens of what a source needs of the library, a list a file, and of the source itself; the last one is `End`.
///
/// `main` is the index of the source among the files. Errors go to `sink`; there are tokens in spite of them, for the
/// errors of later stages, except where what is left of the source is not what was meant (see [`is_fatal`]).
pub(crate) fn preprocess(
    sources: &mut Sources,
    main: usize,
    environment: &Environment<'_>,
    sink: &mut Diagnostics,
) -> Vec<Vec<Token>> {
    sources.begin();
    let mut preprocessor = Preprocessor::new(sources, main, environment, sink);
    preprocessor.predefine();
    let predefined = preprocessor.macros.clone();
    let length = preprocessor.sources.files().get(main).map_or(0, |file| file.text.len());
    let mut tokens = Vec::with_capacity(length / 3);
    if environment.side.is_host() {
        preprocessor.open_library(library::HOST_PRELUDE, Span::default());
        preprocessor.run(&mut tokens);
    }
    preprocessor.open_main(main);
    preprocessor.include_before();
    preprocessor.run(&mut tokens);
    if let Some(behind) = environment.behind {
        preprocessor.open_main(behind);
        preprocessor.run(&mut tokens);
    }
    let mut parts = vec![];
    let wanted = std::mem::take(&mut preprocessor.wanted);
    preprocessor.read_library(wanted, &predefined, &mut parts);
    let end = preprocessor.sources.files().get(main).map_or(0, |file| file.start + file.text.len() as u32);
    tokens.push(Token { kind: TokenKind::End, span: Span { lo: end, hi: end, expansion: 0 }, joined: false });
    parts.push(tokens);
    parts
}

/// Takes out the errors that a header is not known. It leaves names without what they stand for, and nothing else wrong.
pub(crate) fn refused_headers(sink: &mut Diagnostics) -> Vec<Diagnostic> {
    let (refused, others) =
        std::mem::take(&mut sink.list).into_iter().partition(|one| one.code == "refused-header");
    sink.list = others;
    refused
}

/// Whether an error leaves so little of the source that errors of later stages would only confuse.
pub(crate) fn is_fatal(diagnostic: &Diagnostic) -> bool {
    matches!(
        diagnostic.code,
        "unterminated-comment" | "unterminated-conditional" | "missing-header" | "budget" | "error"
    )
}

/// File that is being read.
struct Open {
    lexer: Lexer,
    conditionals: Vec<Conditional>,
    /// Index among the files.
    file: usize,
    /// Folder relative to the main source's, with a `/` at its end unless it is empty; `None` for the library's.
    folder: Option<String>,
}

/// Tokens that are read before the file goes on.
struct Frame {
    tokens: Vec<Raw>,
    at: usize,
    /// Macro whose expansion it is, which is no call within.
    of: Option<Symbol>,
    /// Whether reading stops at its end, as what is after does not belong to it.
    barrier: bool,
}

struct Preprocessor<'a> {
    /// Index of the source among the files.
    main: usize,
    sources: &'a mut Sources,
    sink: &'a mut Diagnostics,
    environment: &'a Environment<'a>,
    interner: Interner,
    /// By symbol.
    macros: Vec<Option<Rc<Macro>>>,
    /// Macros of the source whose names the library takes until it is done with them.
    covered: Map<Symbol, Rc<Macro>>,
    /// Macros whose expansions are being read; few, so a list.
    active: Vec<Symbol>,
    frames: Vec<Frame>,
    files: Vec<Open>,
    /// Files by name or path: their indices.
    loaded: Map<String, usize>,
    /// Files with `#pragma once` that were read.
    once: Set<usize>,
    /// Lines of `#pragma` that go to the parser, each with the words after `#pragma`.
    pragmas: Vec<Rc<[Raw]>>,
    /// Parsed literals, by spelling.
    literals: Map<Symbol, TokenKind>,
    /// Names, by symbol, for which the library was asked, so that it is asked once.
    asked: Vec<bool>,
    /// The same for macros.
    looked_up: Vec<bool>,
    /// Files of the library that were named and not read.
    wanted: Vec<&'static str>,
    /// Files of the library that were read or are wanted.
    seen: Set<&'static str>,
    /// What headers bring along for the host's side.
    brought: brought::Brought,
    /// Whether white space was before a macro that stands for nothing, just before the next token.
    space: bool,
    counter: u64,
    work: u32,
    bytes: usize,
    tokens: usize,
    exhausted: bool,
    /// How many calls are collecting arguments or a condition's tokens: the end of a file is not passed then.
    collecting: u32,
    nested: u32,
    /// Offset of the token read last from a file, for `__LINE__`.
    last: u32,
}

impl<'a> Preprocessor<'a> {
    fn new(
        sources: &'a mut Sources,
        main: usize,
        environment: &'a Environment<'a>,
        sink: &'a mut Diagnostics,
    ) -> Self {
        Self {
            main,
            sources,
            sink,
            environment,
            interner: Interner::new(),
            macros: vec![],
            covered: Map::default(),
            active: vec![],
            frames: vec![],
            files: vec![],
            loaded: Map::default(),
            once: Set::default(),
            pragmas: vec![],
            literals: Map::default(),
            asked: vec![],
            looked_up: vec![],
            wanted: vec![],
            seen: Set::default(),
            brought: brought::Brought::default(),
            space: false,
            counter: 0,
            work: 0,
            bytes: 0,
            tokens: 0,
            exhausted: false,
            collecting: 0,
            nested: 0,
            last: 0,
        }
    }

    fn text(&self, symbol: Symbol) -> &str {
        self.interner.text(symbol)
    }

    /// Spelling of a token, for messages.
    fn spelling(&self, raw: Raw) -> &str {
        self.text(raw.symbol)
    }

    fn macro_of(&self, symbol: Symbol) -> Option<&Rc<Macro>> {
        self.macros.get(symbol.0 as usize)?.as_ref()
    }

    /// Macro of a name, also of one that headers of C define and sources use without them.
    fn macro_named(&mut self, symbol: Symbol) -> Option<Rc<Macro>> {
        if let Some(found) = self.macro_of(symbol) {
            return Some(found.clone());
        }
        if self.looked_up.len() <= symbol.0 as usize {
            self.looked_up.resize(symbol.0 as usize + 1, false);
        }
        if std::mem::replace(&mut self.looked_up[symbol.0 as usize], true) {
            return None;
        }
        let file = library::defines(self.interner.text(symbol))?;
        self.read_macros(file);
        self.macro_of(symbol).cloned()
    }

    /// Whether a name in the library's text is a macro of the source: it must not change what the library says. What the language
    /// reserves is for the library, and what the C library defines is the same for both.
    fn is_hidden(&self, raw: Raw) -> bool {
        let source = |found: &Rc<Macro>| !found.built_in;
        let reserved = |text: &str| {
            text.strip_prefix('_')
                .is_some_and(|rest| rest.starts_with(|next: char| next == '_' || next.is_ascii_uppercase()))
        };
        raw.kind == RawKind::Word && self.macro_of(raw.symbol).is_some_and(source) && {
            let text = self.text(raw.symbol);
            !reserved(text) && library::defines(text).is_none()
        }
    }

    /// Counts work; false when there is none left, from where on all is at its end.
    fn spend(&mut self, work: usize, span: Span) -> bool {
        self.work = self.work.saturating_add(u32::try_from(work).unwrap_or(u32::MAX));
        if !self.exhausted && self.work > MOST_WORK {
            self.exhaust(
                span,
                "macros and included files of this source expand to more than 6,000,000 tokens",
            );
        }
        !self.exhausted
    }

    /// Ends everything for want of a budget.
    fn exhaust(&mut self, span: Span, message: &str) {
        if !std::mem::replace(&mut self.exhausted, true) {
            self.sink.push(Diagnostic::error("budget", span, message).label("the limit is reached here"));
        }
    }

    /// The next token, not expanded. A name that must not be expanded is painted.
    fn pull(&mut self) -> Raw {
        loop {
            if self.exhausted {
                return self.end();
            }
            let Some(frame) = self.frames.last_mut() else { return self.pull_file() };
            if let Some(mut raw) = frame.tokens.get(frame.at).copied() {
                frame.at += 1;
                raw.space |= std::mem::take(&mut self.space);
                if raw.kind == RawKind::Word && !raw.painted && self.active.contains(&raw.symbol) {
                    raw.painted = true;
                }
                return raw;
            }
            if frame.barrier {
                return self.end();
            }
            self.pop_frame();
        }
    }

    fn pop_frame(&mut self) {
        if let Some(Frame { of: Some(symbol), .. }) = self.frames.pop()
            && let Some(at) = self.active.iter().rposition(|one| *one == symbol)
        {
            self.active.remove(at);
        }
    }

    fn end(&self) -> Raw {
        let span = self.files.last().map_or(Span::default(), |open| open.lexer.place());
        Raw { span, symbol: known::EMPTY, kind: RawKind::End, space: true, line_start: true, painted: false }
    }

    /// The next token of the files; directives on the way are obeyed.
    fn pull_file(&mut self) -> Raw {
        loop {
            if self.exhausted {
                return self.end();
            }
            let Some(open) = self.files.last_mut() else { return self.end() };
            let raw = open.lexer.next(&mut self.interner, self.sink);
            let library = open.folder.is_none();
            if !self.spend(1, raw.span) {
                return self.end();
            }
            match raw.kind {
                RawKind::End if self.collecting > 0 => return raw,
                RawKind::End => {
                    self.close_file();
                    if self.files.is_empty() {
                        return raw;
                    }
                }
                RawKind::Punctuation if raw.line_start && raw.is(const { punctuation("#") }) => {
                    if let Some(pragma) = self.directive(raw) {
                        return pragma;
                    }
                }
                _ => {
                    self.last = raw.span.lo;
                    let space = raw.space | std::mem::take(&mut self.space);
                    return Raw { space, painted: library && self.is_hidden(raw), ..raw };
                }
            }
        }
    }

    /// The next token after expansion of macros.
    fn next(&mut self) -> Raw {
        loop {
            let raw = self.pull();
            if raw.kind != RawKind::Word || raw.painted {
                return raw;
            }
            let Some(found) = self.macro_named(raw.symbol) else { return raw };
            if !self.enter(raw, &found) {
                return raw;
            }
        }
    }

    /// Reads all that is open into tokens.
    fn run(&mut self, out: &mut Vec<Token>) {
        loop {
            let raw = self.next();
            match raw.kind {
                RawKind::End => break,
                RawKind::Word if raw.symbol == known::PRAGMA => {
                    if let Some(pragma) = self.pragma_operator(raw) {
                        self.emit(pragma, out);
                    }
                }
                _ => self.emit(raw, out),
            }
        }
        // The budget may have ended it in the midst.
        self.frames.clear();
        self.active.clear();
        self.files.clear();
    }

    /// Reads files of the library that are wanted, those that they want first.
    fn read_library(
        &mut self,
        wanted: Vec<&'static str>,
        predefined: &[Option<Rc<Macro>>],
        out: &mut Vec<Vec<Token>>,
    ) {
        for file in wanted {
            let mut tokens = vec![];
            // Macros of the source must not change what the library says.
            self.macros = predefined.to_vec();
            self.looked_up.clear();
            self.open_library(file, Span::default());
            self.run(&mut tokens);
            let wanted = std::mem::take(&mut self.wanted);
            self.read_library(wanted, predefined, out); // as deep as files of the library name each other
            out.push(tokens);
        }
    }

    /// Marks the file of the library that declares a name as wanted.
    fn want(&mut self, name: Symbol) {
        let at = name.0 as usize;
        if self.asked.len() <= at {
            self.asked.resize(at + 1, false);
        }
        if std::mem::replace(&mut self.asked[at], true) {
            return;
        }
        if let Some(file) = library::declares(self.interner.text(name), self.environment.side)
            && self.seen.insert(file)
        {
            self.wanted.push(file);
        }
    }

    fn emit(&mut self, raw: Raw, out: &mut Vec<Token>) {
        self.tokens += 1;
        if self.tokens > MOST_TOKENS {
            self.exhaust(raw.span, "this source has more than 2,500,000 tokens after preprocessing");
            return;
        }
        let joined = !raw.space
            && raw.span.expansion == 0
            && out.last().is_some_and(|last| last.span.hi == raw.span.lo && last.span.expansion == 0);
        if self.environment.side.is_host() && self.emit_suffixed(&raw, joined, out) {
            return;
        }
        let kind = match raw.kind {
            RawKind::Word => match alternative(self.text(raw.symbol)) {
                Some(punctuation) => TokenKind::Punctuation(punctuation),
                None => {
                    self.want(raw.symbol);
                    TokenKind::Word(self.interner.text(raw.symbol).clone())
                }
            },
            RawKind::Punctuation => {
                self.emit_punctuation(raw, joined, out);
                return;
            }
            RawKind::Number | RawKind::String | RawKind::Character => self.literal(raw),
            RawKind::Pragma => {
                let words = self.pragmas.get(raw.symbol.0 as usize).cloned().unwrap_or_else(|| [].into());
                TokenKind::Pragma(self.pragma_tokens(&words).into())
            }
            RawKind::Other => TokenKind::Invalid(Rc::new(stray(self.text(raw.symbol), raw.span))),
            RawKind::Placemarker | RawKind::End => return,
        };
        out.push(Token { kind, span: raw.span, joined });
    }

    /// A literal with a suffix of the user's, as the call of its operator: `5_km` as `operator""_km(5ull)`. Whether it is one.
    fn emit_suffixed(&mut self, raw: &Raw, joined: bool, out: &mut Vec<Token>) -> bool {
        let text = self.text(raw.symbol);
        let token = |kind: TokenKind| Token { kind, span: raw.span, joined: false };
        let (suffix, values) = match raw.kind {
            RawKind::Number => {
                let Some((value, suffix)) = literal::suffixed(text) else { return false };
                (Rc::from(suffix), vec![token(value)])
            }
            RawKind::Word if joined => {
                let (before, last) = match out.as_slice() {
                    [.., before, last] => (Some(&before.kind), last),
                    [last] => (None, last),
                    [] => return false,
                };
                let named = |kind: &TokenKind| matches!(kind, TokenKind::Word(word) if matches!(&**word, "operator" | "extern"));
                if before.is_some_and(named) || !literal::is_suffix(text) {
                    return false;
                }
                let (suffix, value) = (Rc::from(text), last.clone());
                let values = match &value.kind {
                    TokenKind::String(bytes) => {
                        let length = TokenKind::Integer {
                            value: bytes.len() as u64,
                            decimal: true,
                            suffix: "ul".into(),
                        };
                        vec![value, token(TokenKind::Punctuation(",")), token(length)]
                    }
                    TokenKind::Character(_) => vec![value],
                    _ => return false,
                };
                out.pop();
                (suffix, values)
            }
            _ => return false,
        };
        out.push(token(TokenKind::Word("operator".into())));
        out.push(token(TokenKind::String([].into())));
        out.push(token(TokenKind::Word(suffix)));
        out.push(token(TokenKind::Punctuation("(")));
        out.extend(values);
        out.push(token(TokenKind::Punctuation(")")));
        true
    }

    /// `>>` and `>>=` come in two tokens.
    fn emit_punctuation(&mut self, raw: Raw, joined: bool, out: &mut Vec<Token>) {
        const SHIFT: Symbol = punctuation(">>");
        const SHIFT_ASSIGN: Symbol = punctuation(">>=");
        let text = PUNCTUATIONS.get(raw.symbol.0 as usize).copied().unwrap_or_default();
        let (first, second) = match raw.symbol {
            SHIFT => (">", Some(">")),
            SHIFT_ASSIGN => (">", Some(">=")),
            _ => (text, None),
        };
        let Some(second) = second else {
            out.push(Token { kind: TokenKind::Punctuation(first), span: raw.span, joined });
            return;
        };
        // In a macro's expansion both have the place of the macro's name.
        let middle = if raw.span.expansion == 0 { raw.span.lo + 1 } else { raw.span.hi };
        let left = Span { hi: middle, ..raw.span };
        let right = if raw.span.expansion == 0 { Span { lo: middle, ..raw.span } } else { raw.span };
        out.push(Token { kind: TokenKind::Punctuation(first), span: left, joined });
        out.push(Token { kind: TokenKind::Punctuation(second), span: right, joined: true });
    }

    fn literal(&mut self, raw: Raw) -> TokenKind {
        if let Some(kind) = self.literals.get(&raw.symbol) {
            return kind.clone();
        }
        let text = self.text(raw.symbol);
        let parsed = match raw.kind {
            RawKind::String => literal::string(text),
            RawKind::Character => literal::character(text),
            _ => literal::number(text),
        };
        match parsed {
            Ok(kind) => {
                self.literals.insert(raw.symbol, kind.clone());
                kind
            }
            Err(wrong) => {
                let mut diagnostic = Diagnostic::error(wrong.code, raw.span, wrong.message);
                diagnostic.help = wrong.help;
                diagnostic.unknown = wrong.is_name.then(|| text.to_owned());
                TokenKind::Invalid(Rc::new(diagnostic))
            }
        }
    }
}

/// Operator that a word of C++ stands for.
fn alternative(word: &str) -> Option<&'static str> {
    Some(match word {
        "and" => "&&",
        "and_eq" => "&=",
        "bitand" => "&",
        "bitor" => "|",
        "compl" => "~",
        "not" => "!",
        "not_eq" => "!=",
        "or" => "||",
        "or_eq" => "|=",
        "xor" => "^",
        "xor_eq" => "^=",
        _ => return None,
    })
}

/// Error for a character that begins no token.
fn stray(text: &str, span: Span) -> Diagnostic {
    let first = text.chars().next().unwrap_or_default();
    let instead = match first {
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{ab}' | '\u{bb}' => Some("\""),
        '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{b4}' => Some("'"),
        '\u{2010}'..='\u{2015}' | '\u{2212}' => Some("-"),
        '\u{d7}' => Some("*"),
        '\u{2264}' => Some("<="),
        '\u{2265}' => Some(">="),
        '\u{2260}' => Some("!="),
        '\u{2026}' => Some("..."),
        '\u{ff1b}' | '\u{37e}' => Some(";"),
        '\u{ff08}' => Some("("),
        '\u{ff09}' => Some(")"),
        '\u{ff0c}' => Some(","),
        _ => None,
    };
    if let Some(instead) = instead {
        return Diagnostic::error(
            "stray-character",
            span,
            format!("unexpected typographic character `{first}`"),
        )
        .help(format!("write `{instead}`; such characters come from text copied from a page or a document"));
    }
    match first {
        '\\' => Diagnostic::error(
            "stray-character",
            span,
            "unexpected backslash that is not at the end of a line",
        )
        .help("outside strings, a backslash only continues a line"),
        _ if text.chars().any(char::is_alphanumeric) => Diagnostic::error(
            "stray-character",
            span,
            format!("`{text}` is not a valid name: it has letters other than a to z"),
        )
        .help("names consist of letters from a to z and A to Z, digits and `_`"),
        _ if first.is_control() || first == '\u{200b}' || first == '\u{feff}' => Diagnostic::error(
            "stray-character",
            span,
            format!("unexpected invisible character (U+{:04X})", u32::from(first)),
        )
        .help("delete it, or retype the line"),
        _ => Diagnostic::error("stray-character", span, format!("unexpected character `{first}`")),
    }
}
