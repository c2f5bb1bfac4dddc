//! Lookup of names as they are written, qualified and with template arguments, and by the types of arguments.
//!
//! Enters: names and scopes. Leaves: entities that are declared before. This module must never know what an entity is used for.

use crate::ast::{Id, Name, OverloadedOperator, Segment, Symbol, TemplateParameterKind};
use crate::diagnostic::{Diagnostic, nearest};
use crate::hir::{RecordId, Type, TypeKind};
use crate::source::Span;

use crate::check::context::body::Body;
use crate::check::context::classes::Classes;
use crate::check::context::declarations::Declarations;
use crate::check::context::frame::Frame;
use crate::check::context::messages::Messages;
use crate::check::context::output::Output;
use crate::check::context::scopes::Scopes;
use crate::check::names::distinct::Distinct;
use crate::check::names::elsewhere;
use crate::check::names::entity::{Argument, DeclId, Entity, ScopeId, ScopeKind};
use crate::check::names::find::Want;
use crate::check::names::suggest::{Role, only_host_has};
use crate::check::{Checker, QUALIFIED};

/// What a name with its template arguments means.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    /// What it means; a class template with arguments has become a type.
    pub(crate) entity: Entity,
    /// Explicit arguments of function templates.
    pub(crate) arguments: Option<Vec<Argument>>,
    /// Class before `::`.
    pub(crate) class: Option<RecordId>,
    /// Whether anything is before it, so that arguments' types find nothing more.
    pub(crate) qualified: bool,
}

/// Scope before `::`.
#[derive(Clone, Copy, Debug)]
enum Prefix {
    Namespace(ScopeId),
    Type(Type),
}

/// Word under which a name is entered.
pub(crate) fn key(id: &Id) -> Option<Symbol> {
    match id {
        Id::Word(symbol) | Id::Destructor(symbol) => Some(symbol.clone()),
        Id::Literal(symbol) => Some(Symbol::from(&*format!("operator\"\"{symbol}"))),
        Id::Operator(operator) => Some(Symbol(operator_name(*operator).into())),
        Id::Conversion(_) => Some(Symbol::from("operator T")),
        Id::Decltype(_) => None,
    }
}

/// Name of an operator's functions.
pub(crate) fn operator_name(operator: OverloadedOperator) -> String {
    match operator {
        OverloadedOperator::Symbol(text) | OverloadedOperator::Allocation(text) => format!("operator{text}"),
        OverloadedOperator::Call => "operator()".to_owned(),
        OverloadedOperator::Index => "operator[]".to_owned(),
    }
}

/// Last part of a name.
pub(crate) fn spelled(name: &Name) -> String {
    match name.last().map(|last| &last.id) {
        Some(Id::Destructor(symbol)) => format!("~{symbol}"),
        last => last.and_then(key).map_or_else(String::new, |symbol| symbol.to_string()),
    }
}

impl Scopes {
    fn place_of(&self, symbol: &str) -> Option<Span> {
        let mut at = Some(self.current());
        while let Some(scope) = at {
            if let Some(entry) = self[scope].names.get(symbol).and_then(|entries| entries.first()) {
                return Some(entry.span);
            }
            at = self[scope].parent;
        }
        None
    }

    fn namespaces_inline(&self, scope: ScopeId) -> Vec<ScopeId> {
        let mut all = vec![scope];
        for used in &self[scope].using {
            if self[*used].inline && self[*used].parent == Some(scope) {
                all.push(*used);
            }
        }
        all
    }
}

impl Messages<'_> {
    /// Whether the parentheses that a variable is declared in have `;` after them, as in `for (int i = 0; i < n; i++);`.
    fn ends_with_semicolon(&self, declared: Span) -> bool {
        let text = self.text_behind(declared);
        let mut depth = 0;
        let closes = text.find(|letter: char| {
            match letter {
                '(' => depth += 1,
                ')' | '}' => depth -= 1,
                _ => {}
            }
            depth < 0
        });
        closes.is_some_and(|at| {
            text[at..].strip_prefix(')').is_some_and(|behind| behind.trim_start().starts_with(';'))
        })
    }

    /// Text of the source after a place, from the next token on.
    pub(crate) fn text_behind(&self, span: Span) -> &str {
        let Some(place) = self.position(span.hi) else { return "" };
        place.file.text.get((span.hi - place.file.start) as usize..).unwrap_or_default().trim_start()
    }

    /// Reports that a name is the host's.
    pub(crate) fn tell_host(&mut self, symbol: &str, span: Span, declared: Span) {
        if let Some(reasons) = self.reasons(declared)
            && !reasons.is_empty()
        {
            for reason in reasons.iter() {
                self.report(reason.clone());
            }
            return;
        }
        if self.text(declared).contains("cooperative_groups") {
            let help = "write `#include <cooperative_groups.h>` at the beginning of the file";
            let message = "no namespace named `cooperative_groups`";
            self.report(
                Diagnostic::error("name", declared, message).help(help).unknown("cooperative_groups"),
            );
            return;
        }
        self.report(
            Diagnostic::error(
                "host",
                span,
                format!("`{symbol}` exists only on the host: a kernel cannot use it"),
            )
            .related(declared, "declared here")
            .help("declare it `__device__`, or pass its value to the kernel as an argument")
            .about(format!("name `{symbol}`")),
        );
    }
}

impl Declarations {
    /// Whether some of these is a template whose arguments may be templates.
    fn may_take_templates(&self, decls: &[DeclId]) -> bool {
        let templates = decls.iter().filter_map(|decl| self[*decl].template.as_ref());
        let mut parameters = templates.flat_map(|template| &template.parameters);
        parameters.any(|one| matches!(one.kind, TemplateParameterKind::Template { .. }))
    }
}

impl Messages<'_> {
    /// Reports that a type takes no arguments in angles.
    fn tell_no_template(&mut self, ty: Type, span: Span, classes: &Classes, program: &Output) {
        let shown = program.show(ty);
        let mut diagnostic = Diagnostic::error("template", span, format!("`{shown}` is not a template"));
        let record = program.record_of(ty).map(|record| &classes[record]);
        diagnostic = match record.filter(|record| !self.ours(record.span)) {
            Some(record) => diagnostic
                .related(record.span, "declared here")
                .help("to make it one, write `template <typename T>` before its declaration"),
            None => diagnostic.help(format!("write `{shown}` alone")),
        };
        self.report(diagnostic);
    }

    /// What the text after an unknown name tells: an assignment is perhaps meant as a declaration.
    fn hint_of_use(&self, name: &Name, symbol: &Symbol, body: &Body) -> Option<String> {
        let capitals = symbol.len() > 1
            && symbol.bytes().all(|one| one.is_ascii_uppercase() || one.is_ascii_digit() || one == b'_');
        if body.is_in_length() || capitals {
            return Some(format!(
                "define it first: `#define {symbol} 256`, or `constexpr int {symbol} = 256;`"
            ));
        }
        let behind = self.text_behind(name.span);
        let assigned = behind.starts_with('=') && !behind.starts_with("==");
        (assigned && name.span.expansion == 0)
            .then(|| format!("a new variable needs a type before its name, as in `int {symbol} = …;`"))
    }
}

impl Scopes {
    /// A name that a namespace of the source has, qualified.
    fn in_namespace(&self, symbol: &Symbol, program: &Output) -> Option<String> {
        let found = self.iter().position(|scope| {
            scope.kind == ScopeKind::Namespace
                && scope.name.is_some()
                && scope.names.get(symbol).is_some_and(|entries| !entries.is_empty())
        })?;
        Some(self.qualified_name(ScopeId(found as u32), symbol, program))
    }
}

impl Frame {
    fn unknown_prefix(&self, symbol: &str, name: &Name, scopes: &Scopes, messages: &mut Messages<'_>) {
        let span = name.span;
        if symbol == "std" {
            // Of `std::enable_if<…>::type`, the second.
            let last = name.segments.get(1).or(name.last()).and_then(|one| key(&one.id));
            let last = last.map_or_else(String::new, |last| last.to_string());
            let help = crate::check::names::suggest::host_name(&last)
                .unwrap_or("use CUDA's own functions (`sqrtf`, `min`, `atomicAdd`, …), arrays and loops");
            let message = match crate::check::names::suggest::header_of(&last) {
                Some(_) => format!("`std::{last}` is not known without its header"),
                None => format!("`std::{last}` exists only on the host: kernels do not have it"),
            };
            messages.report(
                Diagnostic::error(QUALIFIED, span, message).help(help).unknown(format!("std::{last}")),
            );
            return;
        }
        let help = self.similar_name(symbol, Role::Prefix, scopes, messages);
        let mut diagnostic =
            Diagnostic::error(QUALIFIED, span, format!("use of undeclared class or namespace `{symbol}`"))
                .unknown(symbol);
        if let Some(help) = help {
            diagnostic = diagnostic.help(help);
        }
        messages.report(diagnostic);
    }

    /// Where a name was declared in a block of this function that has ended.
    fn place_in_ended_block(&self, name: &Name, symbol: &Symbol, scopes: &Scopes) -> Option<Span> {
        if name.segments.len() != 1 || self.uid() == 0 {
            return None;
        }
        let ours = scopes.iter().filter(|scope| scope.kind == ScopeKind::Block(self.uid()));
        let entries = ours.filter_map(|scope| scope.names.get(symbol)?.first());
        entries.map(|entry| entry.span).rfind(|span| span.hi <= name.span.lo)
    }
}

impl Body {
    /// The entity, or of a pack the element that is meant within an expansion.
    pub(crate) fn chosen(&self, entity: Entity, span: Span, messages: &mut Messages<'_>) -> Option<Entity> {
        let Entity::Pack(all) = entity else { return Some(entity) };
        match self.expansion().and_then(|at| all.get(at)) {
            Some(one) => Some(one.clone()),
            None if self.expansion().is_some() => {
                messages.error(
                    "pack",
                    span,
                    "pack expansion contains parameter packs that have different lengths",
                );
                None
            }
            None => {
                messages.error_help(
                    "pack",
                    span,
                    "expression contains an unexpanded parameter pack",
                    "write `...` after what is to be repeated",
                );
                None
            }
        }
    }
}

impl Checker<'_> {
    /// Scope of what is before the last `::`.
    pub(crate) fn scope_of_prefix(&mut self, name: &Name) -> Option<ScopeId> {
        let scope = self.scope_defined_in(name)?;
        if let ScopeKind::Class(id) = self.scopes[scope].kind {
            self.complete_record(id);
        }
        Some(scope)
    }

    /// The same for a definition outside of it, for which a class need not be complete: it may be one that only the host can have.
    pub(crate) fn scope_defined_in(&mut self, name: &Name) -> Option<ScopeId> {
        match self.prefix(name, true)? {
            Prefix::Namespace(scope) => Some(scope),
            Prefix::Type(ty) => match self.program.kind(ty) {
                TypeKind::Record(id) => Some(self.classes[id].scope),
                TypeKind::Enum(id) => Some(self.classes[id].inner),
                _ => None,
            },
        }
    }

    /// Namespaces before a name; `Some(None)` for none.
    pub(crate) fn walk_namespaces(&mut self, global: bool, segments: &[Segment]) -> Option<Option<ScopeId>> {
        let mut scope = global.then_some(ScopeId(0));
        for segment in segments {
            let symbol = key(&segment.id)?;
            let found = match scope {
                None => self.find(&symbol, Want::Prefix, segment.span),
                Some(scope) => self.declarations.pick(scope, &symbol, Want::Prefix, u32::MAX, &self.scopes),
            };
            match found? {
                Entity::Namespace(inner) => scope = Some(inner),
                Entity::Type(ty) => {
                    let record = self.program.record_of(ty)?;
                    scope = Some(self.classes[record].scope);
                }
                _ => return None,
            }
        }
        Some(scope)
    }

    /// What is before the last `::`; `None` where nothing does or where it is unknown, which is reported unless quiet.
    fn prefix(&mut self, name: &Name, quiet: bool) -> Option<Prefix> {
        let (_, before) = name.segments.split_last()?;
        let mut prefix = name.global.then_some(Prefix::Namespace(ScopeId(0)));
        for segment in before {
            if let Id::Decltype(ty) = &segment.id {
                prefix = Some(Prefix::Type(self.prefix_of_decltype(ty, quiet)?));
                continue;
            }
            let symbol = key(&segment.id)?;
            let found = match prefix {
                None => self.find(&symbol, Want::Prefix, segment.span),
                Some(Prefix::Namespace(scope)) => {
                    self.find_in_namespace(scope, &symbol, Want::Prefix, &[], segment.span)
                }
                Some(Prefix::Type(ty)) => match self.program.record_of(ty) {
                    Some(record) => self.find_member(record, &symbol, Want::Prefix),
                    None => None,
                },
            };
            let Some(found) = found else {
                if !quiet && self.side.is_host() {
                    self.unknown_on_host(&symbol, name);
                } else if !quiet {
                    self.frame.unknown_prefix(&symbol, name, &self.scopes, &mut self.messages);
                }
                return None;
            };
            let found = self.body.chosen(found, segment.span, &mut self.messages)?;
            let found = match (&found, &segment.arguments) {
                (Entity::Template(id), Some(arguments)) => {
                    let ty = self.instantiate_named(*id, arguments, segment.span)?;
                    Entity::Type(ty)
                }
                // A class's own name in it, with arguments, is the template.
                (Entity::Type(ty), Some(arguments)) => {
                    let template =
                        self.program.record_of(*ty).and_then(|record| self.classes[record].template.clone());
                    let Some((id, _)) = template else {
                        if !quiet {
                            self.messages.tell_no_template(*ty, segment.span, &self.classes, &self.program);
                        }
                        return None;
                    };
                    let ty = self.instantiate_named(id, arguments, segment.span)?;
                    Entity::Type(ty)
                }
                _ => found,
            };
            prefix = Some(match found {
                Entity::Namespace(scope) => Prefix::Namespace(scope),
                Entity::Type(ty) => Prefix::Type(ty),
                Entity::Alias(id) => Prefix::Type(self.alias_type(id)?),
                Entity::Template(id) => Prefix::Type(self.injected(id, segment.span)?),
                Entity::Host(declared) => {
                    if !quiet {
                        self.messages.tell_host(&symbol, segment.span, declared);
                    }
                    return None;
                }
                Entity::Error => return None,
                _ => {
                    if !quiet {
                        let message = format!("`{symbol}` is not a class or namespace");
                        self.messages.unknown_name(symbol.to_string(), segment.span, message);
                    }
                    return None;
                }
            });
        }
        prefix
    }

    /// The class or enumeration before `::` that is written as `decltype(x)`.
    fn prefix_of_decltype(&mut self, ty: &crate::ast::Type, quiet: bool) -> Option<Type> {
        let named = self.resolve_type(ty)?;
        let known =
            self.program.record_of(named).is_some() || matches!(self.program.kind(named), TypeKind::Enum(_));
        if !known && !quiet {
            let message = format!("`{}` is not a class, so it has no members", self.program.show(named));
            self.messages.error("type", ty.span, message);
        }
        known.then_some(named)
    }

    /// Namespace by its name.
    pub(crate) fn namespace_named(&mut self, name: &Name, tell: bool) -> Option<ScopeId> {
        let last = name.last()?;
        let symbol = key(&last.id)?;
        let found = match self.prefix(name, !tell) {
            Some(Prefix::Namespace(scope)) => {
                self.find_in_namespace(scope, &symbol, Want::Prefix, &[], last.span)
            }
            Some(Prefix::Type(_)) => None,
            None if name.segments.len() == 1 && !name.global => self.find(&symbol, Want::Prefix, last.span),
            None => None,
        };
        match found {
            Some(Entity::Namespace(scope)) => Some(scope),
            _ => None,
        }
    }

    /// What a name means, without messages and without its template arguments.
    pub(crate) fn resolve_quietly(&mut self, name: &Name, want: Want) -> Option<Entity> {
        let last = name.last()?;
        let symbol = key(&last.id)?;
        if name.segments.len() == 1 && !name.global {
            return self.find(&symbol, want, last.span);
        }
        let prefix = self.trial(|this| this.prefix(name, true));
        let Some(prefix) = prefix else { return self.named_in_library(name, want) };
        match prefix {
            Prefix::Namespace(scope) => self.find_in_namespace(scope, &symbol, want, &[], last.span),
            Prefix::Type(ty) => self.find_in_type(ty, &symbol, want),
        }
    }

    /// The same where no declared namespace has the name.
    fn named_only_in_library(&mut self, name: &Name, want: Want) -> Option<Entity> {
        let first = name.segments.first().and_then(|first| key(&first.id))?;
        if !matches!(&*first, "std" | "cuda") {
            return None;
        }
        let found = self.named_in_library(name, want)?;
        let declared = self.trial(|this| this.prefix(name, true)).and_then(|prefix| match prefix {
            Prefix::Namespace(scope) => {
                self.declarations.pick(scope, &spelled(name), want, self.scopes.horizon(), &self.scopes)
            }
            Prefix::Type(_) => None,
        });
        declared.is_none().then_some(found)
    }

    /// `std::x` and `cuda::std::x` of what the library has at global scope.
    fn named_in_library(&mut self, name: &Name, want: Want) -> Option<Entity> {
        let (last, before) = name.segments.split_last()?;
        let words: Vec<Symbol> = before.iter().filter_map(|one| key(&one.id)).collect();
        let standard = match words.as_slice() {
            [one] => &**one == "std",
            [one, two] => &**one == "cuda" && &**two == "std",
            _ => false,
        };
        if !standard {
            return None;
        }
        let symbol = key(&last.id)?;
        let before = self.scopes.replace_horizon(0);
        let found = self.find_in_namespace(ScopeId(0), &symbol, want, &[], last.span);
        self.scopes.replace_horizon(before);
        found.filter(|one| !matches!(one, Entity::Special(_) | Entity::Namespace(_)))
    }

    fn find_in_type(&mut self, ty: Type, symbol: &str, want: Want) -> Option<Entity> {
        match self.program.kind(ty) {
            TypeKind::Record(record) => self.find_member(record, symbol, want),
            TypeKind::Enum(id) => {
                self.declarations.pick(self.classes[id].inner, symbol, want, u32::MAX, &self.scopes)
            }
            _ => None,
        }
    }

    /// Template by a name whose arguments are those of a specialisation.
    pub(crate) fn resolve_template_quietly(&mut self, name: &Name) -> Option<Entity> {
        match self.resolve_quietly(name, Want::Any) {
            Some(Entity::Type(ty)) => {
                let record = self.program.record_of(ty)?;
                Some(Entity::Template(self.classes[record].template.as_ref()?.0))
            }
            found => found,
        }
    }

    /// What a name means, with its template arguments applied; reports where it is unknown.
    pub(crate) fn resolve_name(&mut self, name: &Name, want: Want) -> Option<Named> {
        let last = name.last()?;
        let symbol = key(&last.id)?;
        let qualified = name.segments.len() > 1 || name.global;
        let (found, class) = if qualified && let Some(found) = self.named_only_in_library(name, want) {
            (Some(found), None)
        } else if qualified {
            match self.prefix(name, false) {
                Some(Prefix::Namespace(scope)) => {
                    (self.find_in_namespace(scope, &symbol, want, &[], last.span), None)
                }
                Some(Prefix::Type(ty)) => (self.find_in_type(ty, &symbol, want), self.program.record_of(ty)),
                None => {
                    self.messages.poison(name.span);
                    return None;
                }
            }
        } else {
            (self.find(&symbol, want, last.span), None)
        };
        let Some(found) = found else {
            self.unknown(name, &symbol, want);
            return None;
        };
        if let Some(record) = class {
            self.check_name_access(record, &symbol, last.span);
        }
        let entity = self.body.chosen(found, last.span, &mut self.messages)?;
        self.apply(entity, last, class, qualified)
    }

    /// Applies the template arguments after a name.
    pub(crate) fn apply(
        &mut self,
        entity: Entity,
        last: &Segment,
        class: Option<RecordId>,
        qualified: bool,
    ) -> Option<Named> {
        let plain = |entity: Entity| Named { entity, arguments: None, class, qualified };
        let Some(arguments) = &last.arguments else { return Some(plain(entity)) };
        match entity {
            Entity::Template(id) => {
                let found = self.instantiate_entity(id, arguments, last.span)?;
                Some(plain(found))
            }
            Entity::Type(ty) => {
                // The injected name of a class template, with arguments, is the template.
                let template =
                    self.program.record_of(ty).and_then(|record| self.classes[record].template.clone());
                let Some((id, _)) = template else {
                    self.messages.tell_no_template(ty, last.span, &self.classes, &self.program);
                    return None;
                };
                let found = self.instantiate_entity(id, arguments, last.span)?;
                Some(plain(found))
            }
            Entity::Functions(decls, builtin) => {
                let takes = self.templates.takes_templates();
                self.templates.note_takes_templates(self.declarations.may_take_templates(&decls));
                let mut list = vec![];
                let read = arguments.iter().try_for_each(|one| self.template_arguments_into(one, &mut list));
                self.templates.replace_takes_templates(takes);
                read?;
                Some(Named {
                    entity: Entity::Functions(decls, builtin),
                    arguments: Some(list),
                    class,
                    qualified,
                })
            }
            Entity::Host(_) | Entity::Error => Some(plain(entity)),
            _ => {
                self.messages.error(
                    "template",
                    last.span,
                    "this is not a template, so it takes no arguments in `<>`",
                );
                None
            }
        }
    }

    /// Reports on the host that what is before `::` is unknown.
    fn unknown_on_host(&mut self, symbol: &Symbol, name: &Name) {
        let member = name.segments.get(1).and_then(|one| key(&one.id)).map(|one| one.to_string());
        let (message, text, of) = match member.filter(|_| &**symbol == "std") {
            Some(member) => (
                format!("no member named `{member}` in `std`"),
                format!("std::{member}"),
                Symbol::from(&*member),
            ),
            None => {
                let message = format!("use of undeclared class or namespace `{symbol}`");
                (message, symbol.to_string(), symbol.clone())
            }
        };
        let empty = self.messages.by_name_only();
        let help = elsewhere::advice(&of, empty)
            .or_else(|| self.frame.similar_name(symbol, Role::Prefix, &self.scopes, &self.messages))
            .or_else(|| elsewhere::possible(empty));
        let mut diagnostic = Diagnostic::error(QUALIFIED, name.span, message).unknown(text);
        if let Some(help) = help {
            diagnostic = diagnostic.help(help);
        }
        self.messages.report(diagnostic);
    }

    /// Reports that a name is unknown, with the nearest that is known.
    fn unknown(&mut self, name: &Name, symbol: &Symbol, want: Want) {
        self.messages.poison(name.span);
        // It is not reported any more, and what is like it takes long to find; or it has been reported where it is declared.
        let enough = !self.messages.is_trial() && self.messages.has_enough_errors();
        if enough || self.messages.is_name_of_error(symbol) {
            return;
        }
        if self.side.is_device() && only_host_has(name, symbol) {
            return self.frame.unknown_prefix("std", name, &self.scopes, &mut self.messages);
        }
        if !self.messages.is_trial() {
            let told = !self.messages.note_unknown_name(self.frame.uid(), symbol.clone());
            if told && self.frame.uid() > 0 {
                return;
            }
        }
        let span = name.last().map_or(name.span, |last| last.span);
        let text = self.messages.text(name.span).to_owned();
        let text = if text.is_empty() || name.segments.len() == 1 { symbol.to_string() } else { text };
        let message = match (text.rsplit_once("::"), want) {
            (Some((outer, inner)), Want::Type) => format!("no type named `{inner}` in `{outer}`"),
            (Some((outer, inner)), _) => format!("no member named `{inner}` in `{outer}`"),
            (None, Want::Type) => format!("unknown type name `{text}`"),
            (None, _) => format!("use of undeclared identifier `{text}`"),
        };
        // Arguments of functions find functions alone, so that a type's own name depends on none.
        let known_to_all = match name.segments.len() {
            1 => want == Want::Type,
            _ => matches!(self.trial(|this| this.prefix(name, true)), Some(Prefix::Namespace(_))),
        };
        let code = if known_to_all { QUALIFIED } else { "name" };
        let mut diagnostic = Diagnostic::error(code, span, message).unknown(text);
        if let Some(place) = self.frame.place_in_ended_block(name, symbol, &self.scopes) {
            let help = match self.messages.ends_with_semicolon(place) {
                true => "the `;` after the parentheses is the whole body of this loop: remove it".to_owned(),
                false => format!("declare `{symbol}` before that block, so that it is still in scope"),
            };
            diagnostic =
                diagnostic.related(place, "declared here, in a block or loop that has ended").help(help);
        } else if let Some((help, place)) = self.hint(name, symbol, want) {
            diagnostic = diagnostic.help(help);
            if let Some(place) = place {
                diagnostic = diagnostic.related(place, "declared here, after its use");
            }
        }
        self.messages.report(diagnostic);
    }

    /// What to write in place of an unknown name.
    fn hint(&mut self, name: &Name, symbol: &Symbol, want: Want) -> Option<(String, Option<Span>)> {
        if self.side.is_host()
            && let Some(help) = elsewhere::advice(symbol, self.messages.by_name_only())
        {
            return Some((help, None));
        }
        if name.segments.len() == 1 {
            let before = self.scopes.replace_horizon(u32::MAX);
            let later = self.scopes.place_of(symbol);
            self.scopes.replace_horizon(before);
            if let Some(place) = later {
                return Some((
                    format!("move the declaration of `{symbol}` before its first use"),
                    Some(place),
                ));
            }
            if self.in_dependent_base(symbol) {
                return Some((
                    format!(
                        "it is a member of a base class that depends on a template parameter: write `this->{symbol}`"
                    ),
                    None,
                ));
            }
            if let Some(help) = self.scopes.host_help(symbol) {
                return Some((help.to_owned(), None));
            }
            if let Some(of) = self.scoped_enum_with(symbol) {
                return Some((format!("it belongs to an `enum class`: write `{of}::{symbol}`"), None));
            }
            if let Some(qualified) = self.scopes.in_namespace(symbol, &self.program) {
                return Some((format!("it belongs to a namespace: write `{qualified}`"), None));
            }
        }
        if let Some(help) = self.hint_of_qualified(name, symbol) {
            return Some((help, None));
        }
        let is_parameter_like =
            symbol.len() == 1 && symbol.starts_with(|letter: char| letter.is_ascii_uppercase());
        if want == Want::Type && name.segments.len() == 1 && is_parameter_like {
            let help = format!("for a template, write `template <typename {symbol}>` before the declaration");
            return Some((help, None));
        }
        let role = if want == Want::Type { Role::Type } else { self.body.role(name.span, &self.messages) };
        self.frame
            .similar_name(symbol, role, &self.scopes, &self.messages)
            .or_else(|| elsewhere::possible(self.messages.by_name_only()))
            .or_else(|| self.messages.hint_of_use(name, symbol, &self.body))
            .map(|help| (help, None))
    }

    /// What a class, a namespace or an enumeration has, for `X::name` that it has not.
    fn hint_of_qualified(&mut self, name: &Name, symbol: &Symbol) -> Option<String> {
        if name.segments.len() < 2 {
            return None;
        }
        let prefix = self.trial(|this| this.prefix(name, true))?;
        let (scope, all) = match prefix {
            Prefix::Namespace(scope) => (scope, false),
            Prefix::Type(ty) => match self.program.kind(ty) {
                TypeKind::Record(record) => (self.classes[record].scope, false),
                TypeKind::Enum(id) => (self.classes[id].inner, true),
                _ => return None,
            },
        };
        let (_, before) = name.segments.split_last()?;
        let of = before.first()?.span.to(before.last()?.span);
        let of = self.messages.text(of).to_owned();
        let names: Vec<&str> = self.scopes[scope].names.iter().map(|(name, _)| &**name).collect();
        match nearest(symbol, names.iter().copied()) {
            Some(found) => Some(format!("did you mean `{of}::{found}`?")),
            None if all => Some(format!(
                "`{of}` has {}",
                names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
            )),
            None => None,
        }
    }

    /// Name of an `enum class` that has an enumerator of a name.
    fn scoped_enum_with(&self, symbol: &Symbol) -> Option<&Symbol> {
        let all = self.classes.enums().zip(self.program.enums()).filter(|(_, one)| one.scoped);
        all.map(|(info, _)| info)
            .find(|info| self.scopes[info.inner].names.get(symbol).is_some())
            .map(|info| &info.name)
    }

    /// Functions that the types of arguments bring along.
    pub(crate) fn find_by_arguments(&mut self, symbol: &str, types: &[Type]) -> Vec<DeclId> {
        let mut scopes: Vec<ScopeId> = vec![];
        let mut hidden: Vec<ScopeId> = vec![];
        for ty in types {
            self.associated(*ty, &mut scopes, 0);
        }
        let mut found = Distinct::new();
        for scope in scopes.drain(..) {
            for one in self.scopes.namespaces_inline(scope) {
                if hidden.contains(&one) {
                    continue;
                }
                hidden.push(one);
                let Some(entries) = self.scopes[one].names.get(symbol) else { continue };
                for entry in entries {
                    if let Entity::Functions(decls, _) = &entry.entity {
                        decls.iter().for_each(|decl| found.add(*decl));
                    }
                }
            }
        }
        found.list()
    }
}
