//! Names: qualified ones, those of operators, template arguments.

use super::kind::{FINAL, Kind};
use super::scope::{Entity, ScopeId, flag};
use super::{Attempt, Failed, Parse, Parser};
use crate::ast::{
    BinaryOperator, ExprKind, Id, Name, OverloadedOperator, Segment, TemplateArgument, TypeKind,
};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::token::TokenKind;

/// Whether a declarator has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Names {
    /// Never: a type on its own.
    None,
    /// Perhaps: a parameter.
    Optional,
    /// Always.
    Required,
}

/// Whether a type begins somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Guess {
    Yes,
    No,
    /// A name that is not known.
    Unknown,
}

/// Where a name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum NameMode {
    /// Where a value is expected.
    Expression,
    /// Where a type is expected.
    Type,
    /// Where a name is declared.
    Declarator,
    /// After `.` or `->`.
    Member,
}

/// What the part of a name before the last `::` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Qualifier {
    /// There is none.
    None,
    /// A class or namespace that is known.
    Known(ScopeId),
    /// Something else.
    Unknown,
}

/// Name, and what is known about it.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub name: Name,
    /// What it is; `None` where nothing is known.
    pub entity: Option<Entity>,
    /// Number of the last part's word.
    pub word: Option<u32>,
    /// What is before the last part.
    pub qualifier: Qualifier,
    /// Whether the last part is the same word as the one before: a constructor's name.
    pub doubled: bool,
}

impl Named {
    /// Whether it is surely a type.
    pub(super) fn is_type(&self) -> bool {
        self.name.typename
            || self.entity.is_some_and(|entity| entity.is(flag::TYPE) && !entity.is(flag::VALUE))
    }
}

impl Parser {
    /// A name, with all of its qualification and template arguments. What has been read at a place is kept, as such a
    /// place is looked at several times, and names nest.
    pub(super) fn name(&mut self, mode: NameMode) -> Parse<Named> {
        if !matches!(self.kind_ahead(1), Kind::ColonColon | Kind::Less) && self.is(Kind::Word) {
            return self.new_name(mode);
        }
        let key = (self.at as u32, mode, self.greater_closes);
        match self.names.get(&key) {
            Some(Some((named, end))) => {
                self.at = *end;
                return Ok(named.clone());
            }
            Some(None) if self.quiet > 0 => return Err(Failed),
            _ => {}
        }
        let named = self.new_name(mode);
        let kept = named.as_ref().ok().map(|named| (named.clone(), self.at));
        self.names.insert(key, kept);
        named
    }

    fn new_name(&mut self, mode: NameMode) -> Parse<Named> {
        let start = self.span();
        let typename = self.eat(Kind::Typename).is_some();
        // What has `typename` is a type wherever it is.
        let mode = if typename { NameMode::Type } else { mode };
        let global = self.eat(Kind::ColonColon).is_some();
        let mut qualifier = if global { Qualifier::Known(ScopeId::GLOBAL) } else { Qualifier::None };
        let mut segments: Vec<Segment> = Vec::with_capacity(1);
        let mut doubled;
        let mut last_word = None;
        loop {
            let keyword = qualifier != Qualifier::None || mode == NameMode::Member;
            let keyword = keyword && self.eat(Kind::Template).is_some();
            let at = self.span();
            let (id, word) = match self.is_decltype_prefix() && qualifier == Qualifier::None {
                true => (Id::Decltype(self.type_of()?), None),
                false => self.id(mode, qualifier)?,
            };
            let entity = match (word, qualifier) {
                (Some(_), Qualifier::None) if mode == NameMode::Member => None,
                (Some(word), Qualifier::None) => self.scopes.lookup(word),
                (Some(word), Qualifier::Known(scope)) => self.scopes.lookup_in(scope, word),
                _ => None,
            };
            let entity = entity.or_else(|| word.and_then(|word| self.type_of_library(&segments, word)));
            doubled = word.is_some() && word == last_word && qualifier != Qualifier::None;
            let arguments = self.arguments_here(mode, &id, word, entity, keyword)?;
            let span = at.to(self.before());
            segments.push(Segment { id, arguments, span });
            let goes_on = self.is(Kind::ColonColon)
                && matches!(self.kind_ahead(1), Kind::Word | Kind::Template | Kind::Tilde | Kind::Operator);
            if !goes_on || segments.len() >= 200 {
                let name = Name { global, typename, segments, span: start.to(self.before()) };
                return Ok(Named { name, entity, word, qualifier, doubled });
            }
            self.bump();
            qualifier = match entity {
                Some(Entity { scope: Some(scope), .. }) => Qualifier::Known(scope),
                _ => Qualifier::Unknown,
            };
            last_word = word;
        }
    }

    /// The type that `std::` and `cuda::std::` before a word name where no such namespace declares it: those of the library
    /// are at global scope.
    fn type_of_library(&self, before: &[Segment], word: u32) -> Option<Entity> {
        let is = |segment: &Segment, text: &str| matches!(&segment.id, Id::Word(word) if &**word == text);
        let standard = match before {
            [one] => is(one, "std"),
            [one, two] => is(one, "cuda") && is(two, "std"),
            _ => false,
        };
        let found = standard.then(|| self.scopes.lookup_in(ScopeId::GLOBAL, word))?;
        found.filter(|entity| entity.is(flag::TYPE) && !entity.is(flag::VALUE))
    }

    /// Whether `decltype(x)::` is here.
    pub(super) fn is_decltype_prefix(&self) -> bool {
        let behind = |close: usize| self.tok_at(close + 1).kind == Kind::ColonColon;
        self.is(Kind::Decltype) && self.partner(self.at + 1).is_some_and(behind)
    }

    fn id(&mut self, mode: NameMode, qualifier: Qualifier) -> Parse<(Id, Option<u32>)> {
        let tok = self.tok();
        match tok.kind {
            Kind::Word => {
                self.bump();
                Ok((Id::Word(self.symbol(tok.data)), Some(tok.data)))
            }
            Kind::Operator => {
                self.bump();
                Ok((self.operator_id()?, None))
            }
            Kind::Tilde
                if self.kind_ahead(1) == Kind::Word
                    && (qualifier != Qualifier::None || mode != NameMode::Expression) =>
            {
                self.bump();
                let word = self.bump();
                Ok((Id::Destructor(self.symbol(word.data)), None))
            }
            kind if kind.is_keyword() && !tok.first => {
                let text = kind.text().unwrap_or_default();
                self.fail(
                    Diagnostic::error("syntax", tok.span, format!("expected a name, found keyword `{text}`"))
                        .help("choose another name"),
                )
            }
            _ => self.expected(if mode == NameMode::Type { "a type" } else { "a name" }),
        }
    }

    /// What is after `operator`.
    fn operator_id(&mut self) -> Parse<Id> {
        let tok = self.tok();
        if tok.kind == Kind::String {
            self.bump();
            let (ident, _) = self.ident("the suffix of a literal")?;
            return Ok(Id::Literal(ident.symbol));
        }
        if matches!(tok.kind, Kind::New | Kind::Delete) {
            self.bump();
            let array = self.is(Kind::LeftBracket) && self.kind_ahead(1) == Kind::RightBracket;
            if array {
                self.bump();
                self.bump();
            }
            let name = match (tok.kind, array) {
                (Kind::New, false) => "new",
                (Kind::New, true) => "new[]",
                (_, false) => "delete",
                (_, true) => "delete[]",
            };
            return Ok(Id::Operator(OverloadedOperator::Allocation(name)));
        }
        let pair = |left, right| tok.kind == left && self.kind_ahead(1) == right;
        if pair(Kind::LeftParen, Kind::RightParen) || pair(Kind::LeftBracket, Kind::RightBracket) {
            let call = tok.kind == Kind::LeftParen;
            self.bump();
            self.bump();
            return Ok(Id::Operator(if call { OverloadedOperator::Call } else { OverloadedOperator::Index }));
        }
        if tok.kind == Kind::Greater && self.tok_at(self.at + 1).joined {
            let text = match self.kind_ahead(1) {
                Kind::Greater => Some(">>"),
                Kind::GreaterEqual => Some(">>="),
                _ => None,
            };
            if let Some(text) = text {
                self.bump();
                self.bump();
                return Ok(Id::Operator(OverloadedOperator::Symbol(text)));
            }
        }
        if is_overloadable(tok.kind) {
            self.bump();
            return Ok(Id::Operator(OverloadedOperator::Symbol(tok.kind.text().unwrap_or_default())));
        }
        let ty = self.conversion_type()?;
        Ok(Id::Conversion(ty))
    }

    /// Template arguments, where `<` follows and begins some.
    fn arguments_here(
        &mut self,
        mode: NameMode,
        id: &Id,
        word: Option<u32>,
        entity: Option<Entity>,
        keyword: bool,
    ) -> Parse<Option<std::rc::Rc<[TemplateArgument]>>> {
        if !self.is(Kind::Less) {
            return Ok(None);
        }
        let surely = keyword
            || match entity {
                Some(entity) => entity.is(flag::TEMPLATE),
                None => false,
            };
        let accept = if surely {
            // A function template's name in front of its own `<` operator does not occur; but declarations of
            // `operator<` do.
            !matches!(id, Id::Operator(OverloadedOperator::Symbol(_)))
        } else {
            match (entity, mode) {
                // What is no template, but is written as one; that it is none is reported later.
                (Some(entity), _) if entity.is(flag::TYPE) && !entity.is(flag::VALUE) => {
                    word.is_some() && self.attempt_arguments().is_some()
                }
                (Some(_), NameMode::Expression) => word.is_some() && self.is_type_in_angles(),
                (Some(_), _) => false,
                (None, NameMode::Type) => word.is_some() && self.attempt_arguments().is_some(),
                (None, NameMode::Declarator) => self.attempt_arguments().is_some(),
                (None, NameMode::Expression | NameMode::Member) => {
                    let template = word.is_some_and(|word| self.scopes.anywhere(word) & flag::TEMPLATE != 0);
                    (mode == NameMode::Expression || template)
                        && word.is_some()
                        && self
                            .attempt_arguments()
                            .is_some_and(|end| self.follows_arguments(end) || self.attempt_type_arguments())
                }
            }
        };
        if !accept {
            return Ok(None);
        }
        Ok(Some(self.template_arguments()?.into()))
    }

    /// Whether what begins at `<` after an unknown name may be template arguments: not `a < b && c > d`.
    fn attempt_arguments(&mut self) -> Option<usize> {
        self.attempt(Attempt::Arguments, |parser| {
            let arguments = parser.template_arguments()?;
            Ok(!arguments.iter().any(|one| match one {
                TemplateArgument::Expression(value) => matches!(
                    value.kind,
                    ExprKind::Binary { operator: BinaryOperator::And | BinaryOperator::Or, .. }
                        | ExprKind::Assign { .. }
                ),
                TemplateArgument::Type(_) | TemplateArgument::Pack(_) => false,
            }))
        })
    }

    /// Whether there is a type among the template arguments that begin at `<`: then they are nothing else.
    fn attempt_type_arguments(&mut self) -> bool {
        let end = self.attempt(Attempt::TypeArguments, |parser| {
            let arguments = parser.template_arguments()?;
            Ok(arguments.iter().any(|one| matches!(one, TemplateArgument::Type(_))))
        });
        end.is_some()
    }

    /// Whether `<float>` or `<int, …` follows: no comparison begins like this.
    fn is_type_in_angles(&self) -> bool {
        let is_type = |kind: Kind| kind.is_builtin_type() || matches!(kind, Kind::Const | Kind::Star);
        let end = (1..8).find(|at| !is_type(self.kind_ahead(*at)));
        end.is_some_and(|end| end > 1 && matches!(self.kind_ahead(end), Kind::Greater | Kind::Comma))
    }

    /// Whether the token after what may be template arguments of an unknown name speaks for it.
    fn follows_arguments(&self, end: usize) -> bool {
        match self.tok_at(end).kind {
            Kind::LeftParen | Kind::ColonColon | Kind::LeftBrace => true,
            Kind::Comma | Kind::Greater | Kind::Ellipsis | Kind::Star | Kind::Amp | Kind::AmpAmp => {
                self.greater_closes
            }
            _ => false,
        }
    }

    /// `<a, b>`.
    pub(super) fn template_arguments(&mut self) -> Parse<Vec<TemplateArgument>> {
        let open = self.expect(Kind::Less, "the name of a template")?;
        let closes = std::mem::replace(&mut self.greater_closes, true);
        let arguments = self.deeper(|parser| parser.template_argument_list(open));
        self.greater_closes = closes;
        arguments
    }

    fn template_argument_list(&mut self, open: Span) -> Parse<Vec<TemplateArgument>> {
        let mut arguments = vec![];
        loop {
            if self.eat(Kind::Greater).is_some() {
                return Ok(arguments);
            }
            let mut argument = self.template_argument()?;
            if self.eat(Kind::Ellipsis).is_some() {
                argument = TemplateArgument::Pack(Box::new(argument));
            }
            arguments.push(argument);
            if self.eat(Kind::Comma).is_none() {
                if self.eat(Kind::Greater).is_some() {
                    return Ok(arguments);
                }
                let found = self.found(self.tok());
                return self.fail(
                    Diagnostic::error(
                        "syntax",
                        self.before().after(),
                        format!("expected `,` or `>` after this template argument, found {found}"),
                    )
                    .related(open, "the arguments begin here"),
                );
            }
        }
    }

    fn template_argument(&mut self) -> Parse<TemplateArgument> {
        if self.argument_is_type() {
            return Ok(TemplateArgument::Type(self.type_id()?));
        }
        Ok(TemplateArgument::Expression(self.template_value()?.into()))
    }

    /// Whether a type, and nothing else, is before the next `,` or `>`.
    fn argument_is_type(&mut self) -> bool {
        // A question of the compiler's, such as `__is_same(T, U)`, looks like the type of a function.
        if self.is(Kind::Word) && self.kind_ahead(1) == Kind::LeftParen {
            let word = self.symbol(self.tok().data);
            if word.starts_with("__is_") || word.starts_with("__has_") {
                return false;
            }
        }
        match self.guess_type() {
            Guess::No => false,
            Guess::Yes => self.attempt_argument_type(),
            Guess::Unknown => {
                // A name alone is left to the checker; `T *` is a type.
                let end = self.attempt(Attempt::ArgumentType, |parser| {
                    let ty = parser.type_id()?;
                    let plain = matches!(ty.kind, TypeKind::Name(_));
                    Ok(!plain && parser.ends_argument())
                });
                end.is_some()
            }
        }
    }

    fn attempt_argument_type(&mut self) -> bool {
        let end = self.attempt(Attempt::ArgumentType, |parser| {
            parser.type_id()?;
            Ok(parser.ends_argument())
        });
        end.is_some()
    }

    fn ends_argument(&self) -> bool {
        matches!(self.kind(), Kind::Comma | Kind::Greater | Kind::GreaterEqual | Kind::Ellipsis)
    }

    /// Whether the word here is this contextual one.
    pub(super) fn is_word(&self, word: u32) -> bool {
        self.is(Kind::Word) && self.tok().data == word
    }

    /// Whether `final` is here, in front of what makes it one.
    pub(super) fn is_final(&self) -> bool {
        self.is_word(FINAL) && matches!(self.kind_ahead(1), Kind::LeftBrace | Kind::Colon)
    }

    /// Value of the string here and of its neighbours, joined.
    pub(super) fn strings(&mut self) -> Parse<(std::rc::Rc<[u8]>, Span)> {
        let start = self.span();
        let mut all: Vec<u8> = vec![];
        let mut first: Option<std::rc::Rc<[u8]>> = None;
        let mut count = 0;
        while self.is(Kind::String) {
            let data = self.bump().data;
            let Some(TokenKind::String(text)) = self.literals.get(data as usize) else { return Err(Failed) };
            count += 1;
            if first.is_none() {
                first = Some(text.clone());
            }
            all.extend_from_slice(text);
        }
        let span = start.to(self.before());
        match first {
            Some(text) if count == 1 => Ok((text, span)),
            Some(_) => Ok((all.into(), span)),
            None => self.expected("a string"),
        }
    }
}

/// Whether a function may be named `operator` and this.
fn is_overloadable(kind: Kind) -> bool {
    use Kind as K;
    matches!(
        kind,
        K::Plus
            | K::Minus
            | K::Star
            | K::Slash
            | K::Percent
            | K::Caret
            | K::Amp
            | K::Pipe
            | K::Tilde
            | K::Bang
            | K::Equal
            | K::Less
            | K::Greater
            | K::PlusEqual
            | K::MinusEqual
            | K::StarEqual
            | K::SlashEqual
            | K::PercentEqual
            | K::CaretEqual
            | K::AmpEqual
            | K::PipeEqual
            | K::LessLess
            | K::LessLessEqual
            | K::EqualEqual
            | K::BangEqual
            | K::LessEqual
            | K::GreaterEqual
            | K::Spaceship
            | K::AmpAmp
            | K::PipePipe
            | K::PlusPlus
            | K::MinusMinus
            | K::Comma
            | K::Arrow
            | K::ArrowStar
    )
}
