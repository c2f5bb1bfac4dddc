//! Tokens as the parser works on them: one small number each.
//!
//! Enters: tokens of the preprocessor. Leaves: [`Stream`]: kinds (keywords, distinguished from names, spellings of one keyword
//! made one), names as numbers, and whether a token begins a line. This module must never know the grammar.

use std::rc::Rc;

use crate::ast::Symbol;
use crate::hash::Map;
use crate::preprocess::{Packing, packing};
use crate::source::{File, Sources, Span};
use crate::token::{Token, TokenKind};

macro_rules! kinds {
    ($($name:ident $text:literal $(| $alias:literal)*,)*; $($mark:ident $spelling:literal,)*) => {
        /// Kind of a token.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(super) enum Kind {
            Word,
            Integer,
            Float,
            Character,
            String,
            /// What the lexer refused; its diagnostic is reported when the parser needs the token.
            Invalid,
            /// `#pragma unroll`: what follows up to [`Kind::PragmaEnd`] is how often.
            PragmaUnroll,
            PragmaNoUnroll,
            /// `#pragma omp`, on the host: what follows up to [`Kind::PragmaEnd`] is what it says.
            PragmaOmp,
            PragmaEnd,
            /// `}` that closes nothing.
            ExtraBrace,
            End,
            $($name,)*
            $($mark,)*
        }

        impl Kind {
            /// How it is written, where it is always written the same.
            pub(super) fn text(self) -> Option<&'static str> {
                match self {
                    $(Kind::$name => Some($text),)*
                    $(Kind::$mark => Some($spelling),)*
                    Kind::ExtraBrace => Some("}"),
                    Kind::PragmaUnroll => Some("#pragma unroll"),
                    Kind::PragmaNoUnroll => Some("#pragma nounroll"),
                    Kind::PragmaOmp => Some("#pragma omp"),
                    Kind::Word
                    | Kind::Integer
                    | Kind::Float
                    | Kind::Character
                    | Kind::String
                    | Kind::Invalid
                    | Kind::PragmaEnd
                    | Kind::End => None,
                }
            }

            pub(super) fn keyword(text: &str) -> Option<Kind> {
                match text {
                    $($text $(| $alias)* => Some(Kind::$name),)*
                    _ => None,
                }
            }

            fn punctuation(text: &str) -> Option<Kind> {
                match text {
                    $($spelling => Some(Kind::$mark),)*
                    _ => None,
                }
            }

            /// Whether it is a keyword.
            pub(super) fn is_keyword(self) -> bool {
                match self {
                    $(Kind::$name => true,)*
                    _ => false,
                }
            }
        }
    };
}

kinds! {
    // Types and what belongs to them.
    Void "void",
    Bool "bool" | "_Bool",
    Char "char",
    WideChar "wchar_t",
    Char8 "char8_t",
    Char16 "char16_t",
    Char32 "char32_t",
    Short "short",
    Int "int",
    Long "long",
    Float_ "float",
    Double "double",
    Int128 "__int128" | "__int128_t",
    Signed "signed" | "__signed" | "__signed__",
    Unsigned "unsigned",
    Auto "auto",
    Decltype "decltype" | "__decltype",
    Typeof "__typeof__" | "__typeof",
    Const "const" | "__const" | "__const__",
    Volatile "volatile" | "__volatile" | "__volatile__",
    Restrict "__restrict__" | "__restrict",
    Struct "struct",
    Class "class",
    Union "union",
    Enum "enum",
    Typename "typename",
    // Declarations.
    Typedef "typedef",
    Static "static",
    Extern "extern",
    Inline "inline" | "__inline" | "__inline__",
    Constexpr "constexpr",
    Consteval "consteval",
    Constinit "constinit",
    Explicit "explicit",
    Virtual "virtual",
    Mutable "mutable",
    ThreadLocal "thread_local" | "__thread",
    Register "register",
    Friend "friend",
    Namespace "namespace",
    Using "using",
    Template "template",
    Operator "operator",
    StaticAssert "static_assert" | "_Static_assert",
    Public "public",
    Protected "protected",
    Private "private",
    Concept "concept",
    Requires "requires",
    Export "export",
    Noexcept "noexcept",
    Extension "__extension__",
    // Attributes.
    Alignas "alignas" | "_Alignas",
    Align "__align__",
    AttributeGnu "__attribute__" | "__attribute",
    Declspec "__declspec",
    Global "__global__",
    Device "__device__",
    Host "__host__",
    Constant "__constant__",
    Shared "__shared__",
    Managed "__managed__",
    GridConstant "__grid_constant__",
    ForceInline "__forceinline__" | "__forceinline",
    NoInline "__noinline__",
    LaunchBounds "__launch_bounds__",
    MaxRegisters "__maxnreg__",
    ClusterDims "__cluster_dims__",
    BlockSize "__block_size__",
    Weak "__weak__",
    // Statements.
    If "if",
    Else "else",
    For "for",
    While "while",
    Do "do",
    Switch "switch",
    Case "case",
    Default "default",
    Break "break",
    Continue "continue",
    Return "return",
    Goto "goto",
    Asm "asm" | "__asm__" | "__asm",
    Try "try",
    Catch "catch",
    CoReturn "co_return",
    // Expressions.
    True "true",
    False "false",
    Nullptr "nullptr",
    This "this",
    Sizeof "sizeof",
    Alignof "alignof" | "_Alignof" | "__alignof__" | "__alignof",
    New "new",
    Delete "delete",
    Throw "throw",
    Typeid "typeid",
    StaticCast "static_cast",
    ReinterpretCast "reinterpret_cast",
    ConstCast "const_cast",
    DynamicCast "dynamic_cast",
    CoAwait "co_await",
    CoYield "co_yield",
    ;
    LeftParen "(",
    RightParen ")",
    LeftBracket "[",
    RightBracket "]",
    LeftBrace "{",
    RightBrace "}",
    Semicolon ";",
    Comma ",",
    Colon ":",
    ColonColon "::",
    Question "?",
    Dot ".",
    DotStar ".*",
    Arrow "->",
    ArrowStar "->*",
    Ellipsis "...",
    Plus "+",
    Minus "-",
    Star "*",
    Slash "/",
    Percent "%",
    Caret "^",
    Amp "&",
    Pipe "|",
    Tilde "~",
    Bang "!",
    Equal "=",
    Less "<",
    Greater ">",
    PlusEqual "+=",
    MinusEqual "-=",
    StarEqual "*=",
    SlashEqual "/=",
    PercentEqual "%=",
    CaretEqual "^=",
    AmpEqual "&=",
    PipeEqual "|=",
    LessLess "<<",
    LessLessEqual "<<=",
    EqualEqual "==",
    BangEqual "!=",
    LessEqual "<=",
    GreaterEqual ">=",
    Spaceship "<=>",
    AmpAmp "&&",
    PipePipe "||",
    PlusPlus "++",
    MinusMinus "--",
    Hash "#",
    HashHash "##",
    At "@",
    Dollar "$",
    Backslash "\\",
    Backquote "`",
}

impl Kind {
    /// Whether a declaration or a statement may begin with it that an expression cannot go on with: where one is missing
    /// a semicolon before it, nothing needs to be skipped.
    pub(super) fn begins_statement(self) -> bool {
        use Kind as K;
        self.begins_declaration()
            || matches!(
                self,
                K::If
                    | K::For
                    | K::While
                    | K::Do
                    | K::Switch
                    | K::Case
                    | K::Default
                    | K::Break
                    | K::Continue
                    | K::Return
                    | K::Goto
                    | K::Asm
                    | K::Try
                    | K::PragmaUnroll
                    | K::PragmaNoUnroll
                    | K::PragmaOmp
            )
    }

    /// Whether a declaration begins with it, whatever follows.
    pub(super) fn begins_declaration(self) -> bool {
        use Kind as K;
        self.is_attribute()
            || self.is_builtin_type()
            || matches!(
                self,
                K::Auto
                    | K::Const
                    | K::Volatile
                    | K::Struct
                    | K::Class
                    | K::Union
                    | K::Enum
                    | K::Typedef
                    | K::Static
                    | K::Extern
                    | K::Inline
                    | K::Constexpr
                    | K::Consteval
                    | K::Constinit
                    | K::Explicit
                    | K::Virtual
                    | K::Mutable
                    | K::ThreadLocal
                    | K::Register
                    | K::Friend
                    | K::Namespace
                    | K::Using
                    | K::Template
                    | K::StaticAssert
                    | K::Typename
                    | K::Concept
            )
    }

    /// Whether it is (part of) the name of a built-in type.
    pub(super) fn is_builtin_type(self) -> bool {
        use Kind as K;
        matches!(
            self,
            K::Void
                | K::Bool
                | K::Char
                | K::WideChar
                | K::Char8
                | K::Char16
                | K::Char32
                | K::Short
                | K::Int
                | K::Long
                | K::Float_
                | K::Double
                | K::Int128
                | K::Signed
                | K::Unsigned
        )
    }

    /// Whether a type surely begins with it.
    pub(super) fn begins_type(self) -> bool {
        use Kind as K;
        self.is_builtin_type()
            || matches!(
                self,
                K::Auto
                    | K::Decltype
                    | K::Typeof
                    | K::Const
                    | K::Volatile
                    | K::Struct
                    | K::Class
                    | K::Union
                    | K::Enum
                    | K::Typename
            )
    }

    /// Whether it is an attribute that has a word of its own.
    pub(super) fn is_attribute(self) -> bool {
        use Kind as K;
        self.is_device_attribute()
            || matches!(
                self,
                K::Alignas
                    | K::Align
                    | K::AttributeGnu
                    | K::Declspec
                    | K::Host
                    | K::ForceInline
                    | K::NoInline
                    | K::Weak
                    | K::Extension
            )
    }

    /// Whether what has it is (also) for the device.
    pub(super) fn is_device_attribute(self) -> bool {
        use Kind as K;
        matches!(
            self,
            K::Global
                | K::Device
                | K::Constant
                | K::Shared
                | K::Managed
                | K::GridConstant
                | K::LaunchBounds
                | K::MaxRegisters
                | K::ClusterDims
                | K::BlockSize
        )
    }
}

/// Token of the parser.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tok {
    /// Kind.
    pub kind: Kind,
    /// Whether it is the first of its line.
    pub first: bool,
    /// Whether nothing lies before it.
    pub joined: bool,
    /// Whether it is from one of the compiler's own headers.
    pub ours: bool,
    /// Whether it is not written, but put in where it is missing (which has been reported).
    pub put_in: bool,
    /// Greatest alignment of fields by `#pragma pack`, 0 where there is none.
    pub pack: u8,
    /// Number of a name, or of a literal.
    pub data: u32,
    /// DeclarationContext.
    pub span: Span,
}

impl Tok {
    /// The end of everything.
    pub(super) const END: Tok = Tok {
        kind: Kind::End,
        first: true,
        joined: false,
        ours: false,
        put_in: false,
        pack: 0,
        data: 0,
        span: Span { lo: 0, hi: 0, expansion: 0 },
    };

    /// What is missing at a place, without a number.
    pub(super) fn put_in(kind: Kind, span: Span) -> Tok {
        Tok { kind, first: false, put_in: true, span, ..Tok::END }
    }
}

/// Tokens with their names and literals.
#[derive(Debug, Default)]
pub(super) struct Stream {
    /// Tokens; the last is the end.
    pub toks: Vec<Tok>,
    /// Texts of names.
    pub words: Vec<Symbol>,
    /// Values of literals, and diagnostics of what is invalid.
    pub literals: Vec<TokenKind>,
}

/// Words that mean something in one place only; their numbers are their places here.
pub(super) const CONTEXTUAL: [&str; 8] =
    ["override", "final", "__func__", "align", "aligned", "packed", "C", "__PRETTY_FUNCTION__"];

/// Number of `override`.
pub(super) const OVERRIDE: u32 = 0;
/// Number of `final`.
pub(super) const FINAL: u32 = 1;

const RECENT: usize = 256;

/// Word that was met, with what it is.
#[derive(Clone)]
struct Recent {
    text: Rc<str>,
    entry: (Kind, u32),
}

struct Converter<'a> {
    sources: &'a Sources,
    stream: Stream,
    numbers: Map<Rc<str>, (Kind, u32)>,
    /// What the words of the last tokens are, by where their text lies: the preprocessor has each once.
    recent: Vec<Option<Recent>>,
    file: Option<&'a File>,
    /// End of the token before.
    end: u32,
    /// `#pragma pack` that holds, and those put aside.
    pack: u8,
    packs: Vec<u8>,
}

/// Tokens of the preprocessor as the parser's.
pub(super) fn convert(tokens: Vec<Vec<Token>>, sources: &Sources) -> Stream {
    let mut converter = Converter {
        sources,
        stream: Stream {
            toks: Vec::with_capacity(tokens.iter().map(Vec::len).sum::<usize>() + 1),
            ..Stream::default()
        },
        numbers: Map::default(),
        recent: vec![None; RECENT],
        file: None,
        end: 0,
        pack: 0,
        packs: vec![],
    };
    for word in CONTEXTUAL {
        converter.word(&word.into());
    }
    for token in tokens.into_iter().flatten() {
        if token.kind == TokenKind::End {
            break;
        }
        converter.token(token);
    }
    let end = converter.stream.toks.last().map_or(Span::default(), |last| last.span.after());
    converter.stream.toks.push(Tok { span: end, ..Tok::END });
    converter.stream
}

impl Converter<'_> {
    fn word(&mut self, text: &Rc<str>) -> (Kind, u32) {
        let at = (Rc::as_ptr(text).addr() >> 5) % RECENT;
        match &self.recent[at] {
            Some(Recent { text: known, entry }) if Rc::ptr_eq(known, text) => *entry,
            _ => {
                let entry = self.entry(text);
                self.recent[at] = Some(Recent { text: text.clone(), entry });
                entry
            }
        }
    }

    fn entry(&mut self, text: &Rc<str>) -> (Kind, u32) {
        if let Some(known) = self.numbers.get(text) {
            return *known;
        }
        let entry = match Kind::keyword(text) {
            Some(kind) => (kind, 0),
            None => {
                self.stream.words.push(Symbol(text.clone()));
                (Kind::Word, self.stream.words.len() as u32 - 1)
            }
        };
        self.numbers.insert(text.clone(), entry);
        entry
    }

    fn literal(&mut self, kind: TokenKind) -> u32 {
        self.stream.literals.push(kind);
        self.stream.literals.len() as u32 - 1
    }

    /// Finds the file of a place, and whether a line ends between the token before and this one.
    fn begins_line(&mut self, span: Span) -> bool {
        let inside = |file: &File| span.lo >= file.start && span.lo - file.start <= file.text.len() as u32;
        if !self.file.is_some_and(inside) {
            self.file = self.sources.position(span.lo).map(|position| position.file);
            return true;
        }
        let Some(file) = self.file else { return true };
        if span.lo <= self.end {
            // Written by the same macro, or before: files that include each other.
            return span.lo < file.start || self.end.saturating_sub(file.start) > file.text.len() as u32;
        }
        let start = self.end.saturating_sub(file.start) as usize;
        if self.end < file.start {
            return true;
        }
        file.text
            .as_bytes()
            .get(start..(span.lo - file.start) as usize)
            .is_some_and(|gap| gap.contains(&b'\n'))
    }

    fn token(&mut self, token: Token) {
        let first = self.begins_line(token.span);
        self.end = token.span.hi;
        let ours = self.file.is_some_and(|file| file.ours);
        let (kind, data) = match token.kind {
            TokenKind::Word(text) => self.word(&text),
            TokenKind::Integer { .. } => (Kind::Integer, self.literal(token.kind)),
            TokenKind::Float { .. } => (Kind::Float, self.literal(token.kind)),
            TokenKind::Character(value) => (Kind::Character, value),
            TokenKind::String(_) => (Kind::String, self.literal(token.kind)),
            TokenKind::Invalid(_) => (Kind::Invalid, self.literal(token.kind)),
            TokenKind::Punctuation(text) => match Kind::punctuation(text) {
                Some(kind) => (kind, 0),
                None => (Kind::Backquote, 0),
            },
            TokenKind::Pragma(words) => return self.pragma(&words, token.span, ours),
            TokenKind::End => return,
        };
        self.stream.toks.push(Tok {
            kind,
            first,
            joined: token.joined,
            ours,
            put_in: false,
            pack: self.pack,
            data,
            span: token.span,
        });
    }

    /// `#pragma pack(…)`, from after the word on; what it says is on the tokens that follow.
    fn pack(&mut self, words: &[Token]) {
        self.pack = match packing(words) {
            Some(Packing::Set(to)) => to,
            Some(Packing::Push(to)) => {
                self.packs.push(self.pack);
                to.unwrap_or(self.pack)
            }
            Some(Packing::Pop) => self.packs.pop().unwrap_or(0),
            // The preprocessor has reported it.
            None => self.pack,
        };
    }

    /// Keeps `unroll` and `nounroll`, and what OpenMP says of variables; follows `pack`. All other pragmas mean nothing here.
    fn pragma(&mut self, words: &[Token], span: Span, ours: bool) {
        let mut words = words;
        // Other compilers' spellings: `#pragma GCC unroll 4`, `#pragma clang loop unroll(full)` are not CUDA's.
        while let Some((TokenKind::Word(name), rest)) =
            words.split_first().map(|(one, rest)| (&one.kind, rest))
        {
            let kind = match &**name {
                "unroll" => Kind::PragmaUnroll,
                "nounroll" => Kind::PragmaNoUnroll,
                "pack" => return self.pack(rest),
                "omp" => return self.openmp(rest, span, ours),
                "nv" | "NV" => {
                    words = rest;
                    continue;
                }
                _ => return,
            };
            let mark = Tok { kind, first: true, joined: false, ours, put_in: false, pack: 0, data: 0, span };
            self.stream.toks.push(mark);
            for word in rest {
                if !matches!(word.kind, TokenKind::Pragma(_) | TokenKind::End) {
                    self.token(word.clone());
                }
            }
            self.end = span.hi;
            self.stream.toks.push(Tok { kind: Kind::PragmaEnd, span: span.after(), ..mark });
            return;
        }
    }

    /// Keeps what a directive of OpenMP says of variables, each after the word that says it: which are private, which begin with a
    /// value from outside, and how many loops within each other are divided, whose variables are private too.
    fn openmp(&mut self, words: &[Token], span: Span, ours: bool) {
        let word = |one: &Token| match &one.kind {
            TokenKind::Word(text) => text.to_string(),
            _ => String::new(),
        };
        let mut kept: Vec<TokenKind> = vec![];
        let mut loops = 0;
        let mut clause = String::new();
        let mut depth = 0;
        for (at, one) in words.iter().enumerate() {
            match &one.kind {
                TokenKind::Punctuation(text) if *text == "(" => {
                    if depth == 0 {
                        clause = at
                            .checked_sub(1)
                            .and_then(|before| words.get(before))
                            .map(word)
                            .unwrap_or_default();
                    }
                    depth += 1;
                }
                TokenKind::Punctuation(text) if *text == ")" => depth -= 1,
                TokenKind::Word(text) if depth == 0 && &**text == "for" => loops = loops.max(1),
                TokenKind::Word(_) if depth == 1 && matches!(&*clause, "private" | "firstprivate") => {
                    kept.push(TokenKind::Word(format!("__{clause}").into()));
                    kept.push(one.kind.clone());
                }
                TokenKind::Integer { value, .. } if clause == "collapse" => loops = (*value).clamp(1, 16),
                _ => {}
            }
        }
        (0..loops).for_each(|_| kept.push(TokenKind::Word("__loop".into())));
        if kept.is_empty() {
            return;
        }
        let kind = Kind::PragmaOmp;
        let mark = Tok { kind, first: true, joined: false, ours, put_in: false, pack: 0, data: 0, span };
        self.stream.toks.push(mark);
        for kind in kept {
            self.token(Token { kind, span, joined: false });
        }
        self.end = span.hi;
        self.stream.toks.push(Tok { kind: Kind::PragmaEnd, span: span.after(), ..mark });
    }
}
