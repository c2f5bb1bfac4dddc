//! Parser: tokens to the tree as written.
//!
//! Enters: tokens of the preprocessor. Leaves: [`Tree`], and errors of syntax. Recursive descent with a table of what names
//! are, as C++ needs. Functions that are for the host alone, and those of our own headers, are parsed when their bodies are
//! asked for. This module must never know types, overloads or values.
//!
//! How errors are kept to one: brackets are balanced first ([`balance`]), so that recovery never leaves a statement, a
//! pair of parentheses or a block that it is in; a missing semicolon loses nothing; what could not be read becomes an
//! error node that later stages pass over in silence.

mod ambiguity;
mod balance;
mod class;
mod declaration;
mod declarator;
mod expression;
mod function;
mod kind;
mod name;
mod namespace;
mod pragma;
mod primary;
#[cfg(test)]
mod print;
mod repair;
mod scope;
mod statement;
mod template;
#[cfg(test)]
mod tests;
mod types;

use std::cell::RefCell;
use std::rc::Rc;

use crate::ast::{Block, Body, BodyId, Ident, NESTING, Symbol, TranslationUnit};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::hash::Map;
use crate::source::{Sources, Span};
use crate::token::{Token, TokenKind};
use kind::{Kind, Stream, Tok};
use name::{NameMode, Named};
use scope::{Entity, ScopeId, ScopeKind, Scopes, flag};

/// The parser's result: a tree of declarations, and bodies of functions on request.
#[derive(Debug)]
pub(crate) struct Tree {
    /// All declarations.
    pub unit: Rc<TranslationUnit>,
    parser: RefCell<Parser>,
}

impl Tree {
    /// Body of a function, parsed first where that was put off. `None` where it is being parsed or nests too deeply, which
    /// has been reported.
    pub(crate) fn body(&self, id: BodyId, sink: &mut Diagnostics) -> Option<Rc<Body>> {
        let mut parser = self.parser.try_borrow_mut().ok()?;
        let body = parser.body(id);
        sink.list.append(&mut parser.sink.list);
        body
    }
}

/// Parses a translation unit.
pub(crate) fn parse(tokens: Vec<Vec<Token>>, sources: &Sources, sink: &mut Diagnostics) -> Tree {
    let mut stream = kind::convert(tokens, sources);
    repair::repair(&mut stream, sink);
    let partners = balance::balance(&mut stream, sources, sink);
    repair_specifiers(&mut stream, sink);
    let mut parser = Parser::new(stream, partners);
    let unit = Rc::new(parser.translation_unit());
    sink.list.append(&mut parser.sink.list);
    Tree { unit, parser: RefCell::new(parser) }
}

/// Whether a word is one of the language's, and so no name.
pub(crate) fn is_keyword(word: &str) -> bool {
    Kind::keyword(word).is_some()
}

/// Takes what is nearly one of CUDA's specifiers for it, where a declaration begins and nothing else makes sense.
fn repair_specifiers(stream: &mut kind::Stream, sink: &mut Diagnostics) {
    const SPECIFIERS: [(&str, Kind); 5] = [
        ("__global__", Kind::Global),
        ("__device__", Kind::Device),
        ("__constant__", Kind::Constant),
        ("__shared__", Kind::Shared),
        ("__host__", Kind::Host),
    ];
    let mut before = Kind::Semicolon;
    for at in 0..stream.toks.len().saturating_sub(1) {
        let (tok, next) = (stream.toks[at], stream.toks[at + 1].kind);
        let begins = before.is_attribute()
            || matches!(
                before,
                Kind::Semicolon
                    | Kind::LeftBrace
                    | Kind::RightBrace
                    | Kind::Greater
                    | Kind::Static
                    | Kind::Extern
                    | Kind::Inline
                    | Kind::String
            );
        before = tok.kind;
        if tok.kind != Kind::Word || tok.ours || !begins {
            continue;
        }
        let Some(word) = stream.words.get(tok.data as usize) else { continue };
        let bare = word.trim_matches('_').to_ascii_lowercase();
        // OpenCL calls it a kernel.
        let bare = if bare == "kernel" { "global".to_owned() } else { bare };
        let mut near = SPECIFIERS.iter().find(|(one, _)| one.trim_matches('_') == bare);
        if near.is_none() && word.starts_with('_') {
            let names = SPECIFIERS.iter().map(|(one, _)| *one);
            let nearest = crate::diagnostic::nearest(word, names);
            near = SPECIFIERS.iter().find(|(one, _)| Some(*one) == nearest);
        }
        let Some((name, kind)) = near else { continue };
        let underscored = word.starts_with('_') || word.ends_with('_');
        let typed = next.is_builtin_type() || matches!(next, Kind::Unsigned | Kind::Signed | Kind::Const);
        if !(typed || underscored && (next == Kind::Word || next.is_attribute())) {
            continue;
        }
        sink.push(
            Diagnostic::error("syntax", tok.span, format!("unknown specifier `{word}`"))
                .help(format!("did you mean `{name}`?")),
        );
        stream.toks[at].kind = *kind;
        before = *kind;
    }
}

/// Most levels of recursion, of which a pair of parentheses takes two. Unoptimised, they fit into 2 MiB of stack.
const RECURSION: u16 = 160;

/// Failure that has been reported (or not, while nothing is reported).
#[derive(Debug)]
pub(super) struct Failed;

/// Result of parsing something.
type Parse<T> = Result<T, Failed>;

/// Body of a function.
#[derive(Clone, Debug)]
enum BodyState {
    Parsed(Rc<Body>),
    /// To be parsed: from a token on, in a scope that has the parameters.
    Late {
        start: usize,
        scope: ScopeId,
    },
    /// Being parsed, or given up.
    None,
}

/// What was found out about a place by trying.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Attempt {
    /// Template arguments from `<` on.
    Arguments,
    /// The same with a type among them.
    TypeArguments,
    /// A type in parentheses.
    ParenthesizedType,
    /// A type and then `,`, `>` or `...`.
    ArgumentType,
    /// Parameters of a function.
    Parameters,
}

/// Where a declaration is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DeclarationContext {
    Namespace,
    /// Class, by the number of its name.
    Class(Option<u32>),
    Block,
}

#[derive(Debug)]
struct Parser {
    toks: Vec<Tok>,
    words: Vec<Symbol>,
    literals: Vec<TokenKind>,
    partners: Vec<u32>,
    at: usize,
    scopes: Scopes,
    sink: Diagnostics,
    /// Trials under way: nothing is reported.
    quiet: u32,
    /// Levels of recursion.
    depth: u16,
    /// Height of the highest node made since [`Parser::begin`].
    peak: u16,
    /// Whether `>` ends a list of template arguments.
    greater_closes: bool,
    /// Whether `>>>` ends the configuration of a launch.
    triple_closes: bool,
    /// Whether what is parsed is in `extern "C"`.
    extern_c: bool,
    /// Set where nesting was too deep: everything ends.
    exhausted: bool,
    bodies: Vec<BodyState>,
    /// Bodies of methods, to be parsed at the end of the outermost class.
    pending: Vec<BodyId>,
    classes: u32,
    /// Whether an error in the declaration that is parsed must be reported, as it is not one of something for the host alone.
    firm: bool,
    attempts: Map<(u32, u8), Option<u32>>,
    /// Names by where they begin, and where they end.
    names: Map<(u32, NameMode, bool), Option<(Named, usize)>>,
    /// Where the last error was, so that there is one for a place.
    last_error: Option<usize>,
}

impl Parser {
    fn new(stream: Stream, partners: Vec<u32>) -> Self {
        let Stream { toks, words, literals } = stream;
        let mut scopes = Scopes::new(words.len());
        for (word, symbol) in words.iter().enumerate() {
            // Types that have names without any header.
            if matches!(&**symbol, "size_t" | "ptrdiff_t" | "nullptr_t" | "clock_t") {
                let entity = scope::Entity { flags: scope::flag::TYPE, scope: None };
                scopes.declare_in(scope::ScopeId::GLOBAL, word as u32, entity);
            }
        }
        Self {
            scopes,
            toks,
            words,
            literals,
            partners,
            at: 0,
            sink: Diagnostics::default(),
            quiet: 0,
            depth: 0,
            peak: 0,
            greater_closes: false,
            triple_closes: false,
            extern_c: false,
            exhausted: false,
            bodies: vec![],
            pending: vec![],
            classes: 0,
            firm: false,
            attempts: Map::default(),
            names: Map::default(),
            last_error: None,
        }
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Tokens

    fn tok_at(&self, at: usize) -> Tok {
        self.toks.get(at).copied().unwrap_or(Tok::END)
    }

    fn tok(&self) -> Tok {
        self.tok_at(self.at)
    }

    fn kind(&self) -> Kind {
        self.tok().kind
    }

    /// Kind of the token that many places on.
    fn kind_ahead(&self, ahead: usize) -> Kind {
        self.tok_at(self.at + ahead).kind
    }

    fn is(&self, kind: Kind) -> bool {
        self.kind() == kind
    }

    fn span(&self) -> Span {
        self.tok().span
    }

    /// DeclarationContext of the token before.
    fn before(&self) -> Span {
        self.at.checked_sub(1).map_or(Span::default(), |at| self.tok_at(at).span)
    }

    fn bump(&mut self) -> Tok {
        let tok = self.tok();
        if self.at + 1 < self.toks.len() {
            self.at += 1;
        }
        tok
    }

    fn eat(&mut self, kind: Kind) -> Option<Span> {
        (self.kind() == kind).then(|| self.bump().span)
    }

    /// DeclarationContext of the bracket that belongs to the one at a place.
    fn partner(&self, at: usize) -> Option<usize> {
        let partner = *self.partners.get(at)?;
        (partner != balance::NONE).then_some(partner as usize)
    }

    fn symbol(&self, word: u32) -> Symbol {
        self.words.get(word as usize).cloned().unwrap_or_else(|| Symbol::from(""))
    }

    fn ident_of(&self, tok: Tok) -> Ident {
        Ident { symbol: self.symbol(tok.data), span: tok.span }
    }

    /// A name of one word.
    fn ident(&mut self, what: &str) -> Parse<(Ident, u32)> {
        let tok = self.tok();
        if tok.kind == Kind::Word {
            self.bump();
            return Ok((self.ident_of(tok), tok.data));
        }
        if tok.kind.is_keyword() && !tok.first {
            let text = tok.kind.text().unwrap_or_default();
            return self.fail(
                Diagnostic::error("syntax", tok.span, format!("expected a name, found keyword `{text}`"))
                    .help("choose another name"),
            );
        }
        self.expected(what)
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Errors

    /// The token as a reader would call it.
    fn found(&self, tok: Tok) -> String {
        match tok.kind {
            Kind::Word => format!("`{}`", self.symbol(tok.data)),
            Kind::Integer | Kind::Float => "a number".to_owned(),
            Kind::Character => "a character".to_owned(),
            Kind::String => "a string".to_owned(),
            Kind::End => "the end of the file".to_owned(),
            Kind::PragmaEnd => "the end of the `#pragma`".to_owned(),
            kind => format!("`{}`", kind.text().unwrap_or_default()),
        }
    }

    /// Reports an error, one for a place.
    fn tell(&mut self, diagnostic: Diagnostic) {
        if self.quiet > 0 || self.exhausted {
            return;
        }
        let near = |at: usize| self.tok_at(at).put_in;
        // Next to what was put in, everything has been reported.
        let told = self.last_error == Some(self.at) || near(self.at) || self.at > 0 && near(self.at - 1);
        self.last_error = Some(self.at);
        if !told {
            self.sink.push(diagnostic);
        }
    }

    fn fail<T>(&mut self, diagnostic: Diagnostic) -> Parse<T> {
        if self.is(Kind::Invalid) {
            return self.invalid();
        }
        self.tell(diagnostic);
        Err(Failed)
    }

    /// Reports what the lexer had to say about the token.
    fn invalid<T>(&mut self) -> Parse<T> {
        if let Some(TokenKind::Invalid(diagnostic)) = self.literals.get(self.tok().data as usize) {
            let diagnostic = (**diagnostic).clone();
            // Who takes `2nd` for a name writes it several times.
            let named = |other: &Diagnostic| {
                other.unknown.is_some()
                    && (other.code, &other.unknown) == (diagnostic.code, &diagnostic.unknown)
            };
            if !self.sink.list.iter().any(named) {
                self.tell(diagnostic);
            }
        }
        Err(Failed)
    }

    /// Error: something else is expected here.
    fn expected<T>(&mut self, what: &str) -> Parse<T> {
        let tok = self.tok();
        let found = self.found(tok);
        self.fail(
            Diagnostic::error("syntax", tok.span, format!("expected {what}, found {found}"))
                .label(format!("expected {what}")),
        )
    }

    /// Takes punctuation that must be here; an error is after the token before, where it is missing.
    fn expect(&mut self, kind: Kind, after: &str) -> Parse<Span> {
        if let Some(span) = self.eat(kind) {
            return Ok(span);
        }
        let text = kind.text().unwrap_or_default();
        let found = self.found(self.tok());
        self.fail(
            Diagnostic::error(
                "syntax",
                self.before().after(),
                format!("expected `{text}` after {after}, found {found}"),
            )
            .label(format!("write `{text}` here")),
        )
    }

    /// Takes the semicolon at the end of something. Where it is missing, that is reported, and what follows is taken as new,
    /// or skipped where it is on the same line and makes no sense.
    fn semicolon(&mut self, after: &str) {
        if self.eat(Kind::Semicolon).is_some() {
            return;
        }
        let tok = self.tok();
        let ends = tok.first
            || tok.kind.begins_statement()
            || matches!(tok.kind, Kind::RightBrace | Kind::ExtraBrace | Kind::End);
        let found = self.found(tok);
        if tok.kind == Kind::Invalid {
            let _: Parse<()> = self.invalid();
        } else {
            let message = if ends && !tok.put_in && tok.first {
                format!("expected `;` after {after}")
            } else {
                format!("expected `;` after {after}, found {found}")
            };
            let diagnostic = Diagnostic::error("syntax", self.before().after(), message);
            match self.before_parentheses() {
                Some(tok) if tok.kind == Kind::Else => self.tell(
                    diagnostic.help("`else` takes no condition: a second condition is written `else if (…)`"),
                ),
                _ => self.tell(diagnostic.label("write `;` here")),
            }
        }
        if !ends {
            self.skip_statement();
        }
    }

    /// What is before the parentheses, where these were read last.
    fn before_parentheses(&self) -> Option<Tok> {
        let mut depth = 0;
        for at in (0..self.at).rev() {
            match self.tok_at(at).kind {
                Kind::RightParen => depth += 1,
                Kind::LeftParen => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                let opens = self.tok_at(at).kind == Kind::LeftParen;
                return at.checked_sub(1).filter(|_| opens).map(|at| self.tok_at(at));
            }
        }
        None
    }

    /// Skips to after the next semicolon, or before the brace that ends the block.
    fn skip_statement(&mut self) {
        let start = self.at;
        loop {
            let tok = self.tok();
            match tok.kind {
                Kind::Semicolon => {
                    self.bump();
                    return;
                }
                Kind::RightBrace | Kind::ExtraBrace | Kind::End => return,
                Kind::LeftBrace => {
                    self.skip_brackets();
                    if !matches!(
                        self.kind(),
                        Kind::Semicolon
                            | Kind::Comma
                            | Kind::RightParen
                            | Kind::Dot
                            | Kind::LeftParen
                            | Kind::Catch
                    ) {
                        return;
                    }
                }
                Kind::LeftParen | Kind::LeftBracket => self.skip_brackets(),
                kind if tok.first && self.at > start && kind.begins_statement() => return,
                _ => {
                    self.bump();
                }
            }
        }
    }

    /// Goes after the bracket that closes the one here.
    fn skip_brackets(&mut self) {
        match self.partner(self.at) {
            Some(close) if close >= self.at => self.at = close,
            _ => {}
        }
        self.bump();
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Nesting

    /// Error: too deep. Everything ends, as nothing after it could be reported well.
    fn too_deep<T>(&mut self) -> Parse<T> {
        if !self.exhausted && self.quiet == 0 {
            self.sink.push(
                Diagnostic::error("nesting", self.span(), "this is nested too deeply")
                    .help("split it into several statements or functions"),
            );
        }
        self.exhausted = true;
        self.at = self.toks.len().saturating_sub(1);
        Err(Failed)
    }

    /// Parses something one level deeper.
    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= RECURSION || self.exhausted {
            return self.too_deep();
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    /// Begins a node: the height of what was made before is returned, for [`Parser::end`].
    fn begin(&mut self) -> u16 {
        std::mem::take(&mut self.peak)
    }

    /// Counts a node that is above all that were made since [`Parser::begin`].
    fn node(&mut self) -> Parse<()> {
        if self.peak >= NESTING {
            return self.too_deep();
        }
        self.peak += 1;
        Ok(())
    }

    fn end(&mut self, before: u16) {
        self.peak = self.peak.max(before);
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Trials

    /// Whether something can be parsed here, and then where it ends. Nothing is reported, and the place stays. What was tried
    /// at a place is not tried again.
    fn attempt(&mut self, what: Attempt, parse: impl FnOnce(&mut Self) -> Parse<bool>) -> Option<usize> {
        let key = (self.at as u32, what as u8);
        if let Some(known) = self.attempts.get(&key) {
            return known.map(|end| end as usize);
        }
        let (at, peak, scope) = (self.at, self.peak, self.scopes.current);
        let closes = self.greater_closes;
        let exhausted = self.exhausted;
        self.quiet += 1;
        let result = parse(self);
        self.quiet -= 1;
        let end = matches!(result, Ok(true)).then_some(self.at as u32);
        if self.exhausted && !exhausted {
            // Reported when it is parsed for good.
            self.exhausted = false;
        }
        (self.at, self.peak, self.scopes.current) = (at, peak, scope);
        self.greater_closes = closes;
        self.attempts.insert(key, end);
        end.map(|end| end as usize)
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Bodies

    fn body(&mut self, id: BodyId) -> Option<Rc<Body>> {
        let slot = self.bodies.get_mut(id.0 as usize)?;
        match std::mem::replace(slot, BodyState::None) {
            BodyState::Parsed(body) => {
                *slot = BodyState::Parsed(body.clone());
                Some(body)
            }
            BodyState::Late { start, scope } => {
                let body = Rc::new(self.parse_body(start, scope)?);
                if let Some(slot) = self.bodies.get_mut(id.0 as usize) {
                    *slot = BodyState::Parsed(body.clone());
                }
                Some(body)
            }
            BodyState::None => None,
        }
    }

    /// Parses a body, wherever the parser is; that is where it goes on afterwards.
    fn parse_body(&mut self, start: usize, scope: ScopeId) -> Option<Body> {
        let (at, current, depth) = (self.at, self.scopes.current, self.depth);
        let (closes, peak, quiet) = (self.greater_closes, self.begin(), self.quiet);
        (self.at, self.scopes.current, self.greater_closes) = (start, scope, false);
        let body = self.function_body();
        (self.at, self.scopes.current, self.greater_closes) = (at, current, closes);
        (self.depth, self.quiet) = (depth, quiet);
        self.peak = peak;
        if self.exhausted {
            return None;
        }
        Some(body.unwrap_or(Body {
            initializers: vec![],
            block: Block { statements: vec![], span: Span::default() },
        }))
    }

    fn declare_value(&mut self, word: u32) {
        self.scopes.declare(word, Entity { flags: flag::VALUE, scope: None });
    }

    fn scoped<T>(&mut self, kind: ScopeKind, parse: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.scopes.enter(kind);
        let result = parse(self);
        self.scopes.current = before;
        result
    }
}
