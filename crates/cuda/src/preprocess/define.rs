//! Definitions of macros.
//!
//! Enters: the tokens of a `#define` line. Leaves: a macro whose body says where parameters, `#` and `##` act. This
//! module must never know how macros are called.

use std::rc::Rc;

use crate::{
    diagnostic::Diagnostic,
    lex::{Raw, RawKind},
    source::Span,
};

use super::{
    Preprocessor,
    intern::{Symbol, known, punctuation},
};

/// Macro that the preprocessor itself computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Computed {
    /// `__LINE__`.
    Line,
    /// `__FILE__`.
    File,
    /// `__COUNTER__`.
    Counter,
    /// `__DATE__`, `__TIME__`, `__TIMESTAMP__`: refused, as PTX would depend on when it was made.
    Time,
    /// `__has_include`, `__has_cpp_attribute`: for conditions only.
    Condition,
}

/// Macro.
#[derive(Debug)]
pub(super) struct Macro {
    /// Where its name is defined.
    pub(super) name: Span,
    /// How many parameters it has, with the one of `...`; `None` for one without parentheses.
    pub(super) parameters: Option<usize>,
    /// Whether the last parameter takes all the arguments that are left.
    pub(super) variadic: bool,
    /// What it expands to.
    pub(super) body: Vec<MacroPart>,
    /// What computes it instead.
    pub(super) computed: Option<Computed>,
    /// Whether it is the library's or predefined, and not the source's.
    pub(super) built_in: bool,
}

/// Part of a macro's body.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MacroPart {
    pub(super) piece: Piece,
    /// Whether `##` joins it to the part before.
    pub(super) paste: bool,
    /// Whether `##` joins it to the part after.
    pub(super) pasted: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Piece {
    /// Token as written.
    Token(Raw),
    /// Argument; the token is the parameter's name in the body.
    Parameter(Raw, usize),
    /// Argument as a string; the token is the `#`.
    Stringify(Raw, usize),
    /// `__VA_OPT__` with what is in it.
    Optional(Raw, Vec<MacroPart>),
}

impl Piece {
    fn same(&self, other: &Piece) -> bool {
        let token = |one: &Raw, other: &Raw| one.kind == other.kind && one.symbol == other.symbol;
        match (self, other) {
            (Piece::Token(one), Piece::Token(other)) => token(one, other),
            (Piece::Parameter(_, one), Piece::Parameter(_, other))
            | (Piece::Stringify(_, one), Piece::Stringify(_, other)) => one == other,
            (Piece::Optional(_, one), Piece::Optional(_, other)) => same(one, other),
            (Piece::Token(_) | Piece::Parameter(..) | Piece::Stringify(..) | Piece::Optional(..), _) => false,
        }
    }
}

fn same(one: &[MacroPart], other: &[MacroPart]) -> bool {
    one.len() == other.len()
        && one.iter().zip(other).all(|(one, other)| one.paste == other.paste && one.piece.same(&other.piece))
}

impl Preprocessor<'_> {
    /// Name of a macro after `#define` and the like.
    pub(super) fn macro_name(&mut self, directive: Raw, line: &mut impl Iterator<Item = Raw>) -> Option<Raw> {
        let Some(name) = line.next() else {
            self.error("directive", directive.span, "macro name missing");
            return None;
        };
        if name.kind != RawKind::Word {
            self.error(
                "directive",
                name.span,
                format!("macro name must be an identifier, not `{}`", self.spelling(name)),
            );
            return None;
        }
        Some(name)
    }

    /// `#define`, with the tokens after it.
    pub(super) fn define(&mut self, directive: Raw, line: Vec<Raw>) {
        let mut tokens = line.into_iter().peekable();
        let Some(name) = self.macro_name(directive, &mut tokens) else { return };
        if [known::DEFINED, known::VA_ARGS, known::VA_OPT, known::HAS_INCLUDE].contains(&name.symbol) {
            let message = format!("`{}` cannot be defined as a macro", self.spelling(name));
            self.error("directive", name.span, message);
            return;
        }
        let opens = tokens.next_if(|token| token.is(const { punctuation("(") }) && !token.space);
        let mut names = vec![];
        let mut variadic = false;
        if let Some(open) = opens {
            match self.parameters(open, &mut tokens) {
                Some((all, open_ended)) => (names, variadic) = (all, open_ended),
                None => return,
            }
        }
        let parameters = opens.map(|_| names.len());
        let body: Vec<Raw> = tokens.collect();
        if let [value, end] = body.as_slice()
            && parameters.is_none()
            && value.kind == RawKind::Number
            && end.is(const { punctuation(";") })
        {
            let message = format!(
                "the `;` is part of macro `{}` and is inserted wherever the macro is used",
                self.spelling(name)
            );
            let help = format!("write `#define {} {}`", self.spelling(name), self.spelling(*value));
            self.sink.push(Diagnostic::warning("macro-semicolon", end.span, message).help(help));
        }
        if let [equals, value] = body.as_slice()
            && parameters.is_none()
            && value.kind == RawKind::Number
            && equals.is(const { punctuation("=") })
        {
            let name = self.spelling(name);
            let message =
                format!("the `=` is part of macro `{name}` and is inserted wherever the macro is used");
            let help = format!("write `#define {name} {}`", self.spelling(*value));
            self.sink.push(Diagnostic::warning("macro-equals", equals.span, message).help(help));
        }
        let Some(body) = self.body(&body, parameters.map(|_| names.as_slice()), variadic, 0) else { return };
        let file = self.files.last().and_then(|open| self.sources.files().get(open.file));
        let built_in = file.is_some_and(|file| file.ours);
        let defined = Macro { name: name.span, parameters, variadic, body, computed: None, built_in };
        if let Some(before) = self.macro_of(name.symbol)
            && built_in
            && !before.built_in
        {
            let before = Rc::clone(before);
            self.covered.insert(name.symbol, before);
        } else if let Some(before) = self.macro_of(name.symbol)
            && !(before.parameters == parameters
                && before.variadic == variadic
                && same(&before.body, &defined.body))
        {
            let message = format!("macro `{}` redefined with a different body", self.spelling(name));
            let mut warning = Diagnostic::warning("macro-redefined", name.span, message)
                .help(format!("write `#undef {}` before it if that is intended", self.spelling(name)));
            if before.name != Span::default() {
                warning = warning.related(before.name, "previous definition is here");
            }
            self.sink.push(warning);
        }
        self.set_macro(name.symbol, defined);
    }

    pub(super) fn set_macro(&mut self, name: Symbol, defined: Macro) {
        let at = name.0 as usize;
        if self.macros.len() <= at {
            self.macros.resize(at + 1, None);
        }
        self.macros[at] = Some(Rc::new(defined));
    }

    /// Parameters up to the closing parenthesis, and whether the last takes the rest.
    fn parameters(
        &mut self,
        open: Raw,
        tokens: &mut impl Iterator<Item = Raw>,
    ) -> Option<(Vec<Symbol>, bool)> {
        let mut names: Vec<Symbol> = vec![];
        let mut variadic = false;
        let mut comma = true; // whether a parameter may follow
        let mut last = open;
        for token in tokens {
            last = token;
            let is_name = token.kind == RawKind::Word && token.symbol != known::VA_ARGS;
            if token.is(const { punctuation(")") }) && (!comma || names.is_empty()) {
                return Some((names, variadic));
            } else if token.is(const { punctuation(",") }) && !comma && !variadic {
                comma = true;
            } else if token.is(const { punctuation("...") }) && !variadic {
                variadic = true;
                if comma {
                    names.push(known::VA_ARGS);
                } // else `name...`, GNU's way to name the rest
                comma = false;
            } else if is_name && comma && !variadic {
                if names.contains(&token.symbol) {
                    let message = format!("duplicate macro parameter name `{}`", self.spelling(token));
                    self.error("directive", token.span, message);
                    return None;
                }
                names.push(token.symbol);
                comma = false;
            } else {
                let message = format!("unexpected `{}` in macro parameter list", self.spelling(token));
                self.error("directive", token.span, message);
                return None;
            }
        }
        self.error("directive", last.span.after(), "missing `)` in macro parameter list");
        None
    }

    /// Body of a macro; `None` after an error.
    fn body(
        &mut self,
        tokens: &[Raw],
        parameters: Option<&[Symbol]>,
        variadic: bool,
        depth: u32,
    ) -> Option<Vec<MacroPart>> {
        let mut steps: Vec<MacroPart> = vec![];
        let mut paste = false;
        let mut at = 0;
        while let Some(&token) = tokens.get(at) {
            at += 1;
            if token.is(const { punctuation("##") }) {
                let Some(before) = steps.last_mut() else {
                    self.error(
                        "directive",
                        token.span,
                        "`##` cannot appear at the start of a macro expansion",
                    );
                    return None;
                };
                before.pasted = true;
                paste = true;
                continue;
            }
            let index_of = |token: Raw| {
                let names = parameters?;
                (token.kind == RawKind::Word)
                    .then(|| names.iter().position(|name| *name == token.symbol))
                    .flatten()
            };
            let piece = if let Some(index) = index_of(token) {
                Piece::Parameter(token, index)
            } else if parameters.is_some() && token.is(const { punctuation("#") }) {
                let Some(index) = tokens.get(at).and_then(|next| index_of(*next)) else {
                    self.error("directive", token.span, "`#` is not followed by a macro parameter");
                    return None;
                };
                at += 1;
                Piece::Stringify(token, index)
            } else if token.kind == RawKind::Word && token.symbol == known::VA_OPT && variadic {
                let inner = self.optional(token, tokens.get(at..).unwrap_or_default(), depth)?;
                let steps = self.body(inner, parameters, variadic, depth + 1)?;
                at += inner.len() + 2;
                Piece::Optional(token, steps)
            } else if token.kind == RawKind::Word && token.symbol == known::VA_ARGS {
                self.error("directive", token.span, "`__VA_ARGS__` can only appear in a macro with `...`");
                return None;
            } else {
                Piece::Token(token)
            };
            steps.push(MacroPart { piece, paste: std::mem::take(&mut paste), pasted: false });
        }
        if paste {
            let place = tokens.last().map_or(Span::default(), |last| last.span);
            self.error("directive", place, "`##` cannot appear at the end of a macro expansion");
            return None;
        }
        Some(steps)
    }

    /// What is in the parentheses of `__VA_OPT__(...)`.
    fn optional<'t>(&mut self, name: Raw, tokens: &'t [Raw], depth: u32) -> Option<&'t [Raw]> {
        let mut open = 0usize;
        for (at, token) in tokens.iter().enumerate() {
            if token.is(const { punctuation("(") }) {
                open += 1;
            } else if token.is(const { punctuation(")") }) {
                open = open.saturating_sub(1);
            }
            if open == 0 {
                if at == 0 || depth > 0 {
                    break;
                }
                return tokens.get(1..at);
            }
        }
        self.error(
            "directive",
            name.span,
            "`__VA_OPT__` requires parentheses after it, and cannot be nested",
        );
        None
    }

    pub(super) fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.sink.push(Diagnostic::error(code, span, message));
    }
}
