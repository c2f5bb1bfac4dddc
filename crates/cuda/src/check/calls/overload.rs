//! Overload resolution: which function a call means.
//!
//! Enters: functions of a name and operands. Leaves: the best of them, or why there is none. This module must never know
//! what a call becomes.

use std::rc::Rc;

use crate::ast;
use crate::diagnostic::Diagnostic;
use crate::hir::{RecordId, Type};
use crate::source::Span;

use crate::builtin::overloads;
use crate::check::Checker;
use crate::check::calls::callee::Callee;
use crate::check::calls::reason::Reason;
use crate::check::calls::sequence::{Rank, Sequence};
use crate::check::context::instances::Instances;
use crate::check::context::messages::Messages;
use crate::check::context::output::Output;
use crate::check::expressions::operand::{FunctionSet, Operand};
use crate::check::names::distinct::Distinct;
use crate::check::names::entity::{Argument, DeclId};
use crate::check::templates::deduce::Bindings;
use crate::check::types::kind::plain;

/// Candidate that takes the operands.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) callee: Callee,
    /// Of the object where there is one, then of each operand.
    pub(crate) sequences: Vec<Sequence>,
    /// Whether it comes from a template.
    pub(crate) template: bool,
    /// Whether `sequences` begins with the object.
    pub(crate) object: bool,
}

/// Why a function does not take the operands.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) place: Option<Span>,
    pub(crate) name: String,
    pub(crate) why: Reason,
    /// Argument that does not fit.
    pub(crate) at: Option<Span>,
    /// Its number, and the type of the parameter.
    pub(crate) wanted: Option<(usize, Type)>,
}

/// Most functions that are tried for calls, all calls together. (Tests reach a lower one sooner.)
const MOST_TRIED: usize = if cfg!(test) { 40_000 } else { 4_000_000 };
/// Why no function is the best.
#[derive(Clone, Debug)]
pub(crate) enum NoMatch {
    /// None takes the operands.
    None(Vec<Failure>),
    /// Several are equally good.
    Ambiguous(Vec<(String, Option<Span>)>),
    /// An operand is erroneous.
    Error,
}

impl Messages<'_> {
    /// Failures of those functions that are meant: where the source has some of the name, not the library's.
    pub(crate) fn meant(&self, failures: Vec<Failure>) -> Vec<Failure> {
        let own = |one: &Failure| one.place.is_some_and(|place| !self.ours(place));
        match failures.iter().any(own) {
            true => failures.into_iter().filter(own).collect(),
            false => failures,
        }
    }
}

impl Output {
    /// What to write for an atomic operation that the type does not have.
    fn atomic_help(&self, name: &str, to: Type) -> Option<String> {
        let operation =
            name.trim_start_matches("atomic").trim_end_matches("_block").trim_end_matches("_system");
        let (float, double) = (to == self.basic().float, to == self.basic().double);
        if let (true, "Max" | "Min") = (float || double, operation) {
            let (bits, integer) =
                if float { ("__float_as_int", "int") } else { ("__double_as_longlong", "long long") };
            return Some(format!(
                "numbers that are not negative compare like their bits: `{name}(({integer} *)p, {bits}(x))`; for others, use \
                 `atomicCAS` on the bits in a loop"
            ));
        }
        let help = match operation {
            "Sub" if float || double => "write `atomicAdd(p, -x)`",
            "CAS" if float => {
                "compare the bits: `atomicCAS((int *)p, __float_as_int(old), __float_as_int(x))`, which returns bits too"
            }
            "CAS" if double => {
                "compare the bits: `atomicCAS((unsigned long long *)p, __double_as_longlong(old), __double_as_longlong(x))`"
            }
            "And" | "Or" | "Xor" if float || double => {
                "bitwise operations need an integer: declare it `unsigned int`"
            }
            "Max" | "Min" if self.width(to) == Some((64, true)) => "cast the address: `(long long *)p`",
            "Add" | "Exch" | "CAS" | "And" | "Or" | "Xor"
                if self.width(to).is_some_and(|(bits, _)| bits == 64) =>
            {
                "cast the address: `(unsigned long long *)p`, which adds and compares the same bits"
            }
            "Sub" if self.width(to).is_some_and(|(bits, _)| bits == 64) => {
                "add the negated value: `atomicAdd((unsigned long long *)p, -x)`"
            }
            _ if self.width(to).is_some_and(|(bits, _)| bits < 32) => {
                "declare it `int` or `unsigned int`: smaller integers have no atomic operations"
            }
            _ => return None,
        };
        Some(help.to_owned())
    }
}

impl Output {
    /// What to write where the only function does not take what it is given.
    pub(crate) fn failure_help(
        &mut self,
        one: &Failure,
        operands: &[Operand],
        messages: &Messages<'_>,
    ) -> Option<String> {
        if matches!(one.why, Reason::Overload { .. }) {
            let given = operands.first()?.ty()?;
            let decayed = self.decayed(given);
            let to = self.pointee(decayed)?;
            let written = messages.text(operands.first()?.span());
            if let Some(pointer) = written.strip_prefix('&').filter(|_| self.pointee(to).is_some()) {
                return Some(format!("`{pointer}` is already a pointer: remove the `&`"));
            }
            return self.atomic_help(&one.name, plain(to));
        }
        if one.why == Reason::ConstObject {
            return Some("write `const` after the method's parentheses, if it changes nothing".to_owned());
        }
        if one.name.starts_with("make_") && matches!(operands, [Operand::List(_)]) {
            return Some(format!("remove the braces: `{}(…)`", one.name));
        }
        let (at, to) = one.wanted?;
        let operand = operands.get(at)?;
        let from = operand.ty()?;
        if let Some((inner, false)) = self.referred(to)
            && let Some((a, true)) = Some((from, from.constant && !inner.constant))
            && plain(a) == plain(inner)
        {
            return Some("it may change its argument, which is `const` here: write `const` in the parameter's type if it does not".to_owned());
        }
        self.conversion_help(operand, from, to, messages)
    }

    pub(crate) fn shown_types(&self, operands: &[Operand]) -> Vec<String> {
        let shown = |operand: &Operand| match operand {
            Operand::List(_) => "{…}".to_owned(),
            other => other.ty().map_or_else(|| "a function".to_owned(), |ty| self.show(plain(ty))),
        };
        operands.iter().map(shown).collect()
    }
}

impl Instances {
    /// Whether that many functions may be tried for a call; if not, that is reported, once.
    fn may_try(&mut self, functions: usize, span: Span, messages: &mut Messages<'_>) -> bool {
        let (before, tried) = self.count_tried(functions);
        if before <= MOST_TRIED && tried > MOST_TRIED {
            let message =
                format!("overload resolution in this source considered more than {MOST_TRIED} functions");
            messages.error_help(
                "budget",
                span,
                message,
                "give distinct names to functions that are called often",
            );
        }
        tried <= MOST_TRIED
    }
}

impl Checker<'_> {
    /// The best of a set for operands.
    pub(crate) fn resolve(
        &mut self,
        set: &FunctionSet,
        operands: &[Operand],
        user: bool,
    ) -> Result<Callee, NoMatch> {
        let before = self.messages.replace_calling(Some(set.span));
        let found = self.resolve_here(set, operands, user);
        self.messages.replace_calling(before);
        found
    }

    fn resolve_here(
        &mut self,
        set: &FunctionSet,
        operands: &[Operand],
        user: bool,
    ) -> Result<Callee, NoMatch> {
        let (fitting, failures) = self.candidates(set, operands, user)?;
        self.best(fitting, failures)
    }

    /// The best of a set of methods for all operands but the first, which is their object, and a set of functions for all of them.
    pub(crate) fn resolve_both(
        &mut self,
        (methods, functions): (&FunctionSet, &FunctionSet),
        operands: &[Operand],
    ) -> Result<Callee, NoMatch> {
        let (mut fitting, mut failures) =
            self.candidates(methods, operands.get(1..).unwrap_or_default(), true)?;
        let (others, more) = self.candidates(functions, operands, true)?;
        fitting.extend(others);
        failures.extend(more);
        self.best(fitting, failures)
    }

    /// Functions of a set that take the operands, and why the others do not.
    fn candidates(
        &mut self,
        set: &FunctionSet,
        operands: &[Operand],
        user: bool,
    ) -> Result<(Vec<Candidate>, Vec<Failure>), NoMatch> {
        if operands.iter().any(Operand::is_error) {
            return Err(NoMatch::Error);
        }
        let mut decls = set.decls.clone();
        if set.by_arguments {
            let types: Vec<Type> = operands.iter().filter_map(Operand::ty).collect();
            let others = self.find_by_arguments(&set.name.clone(), &types);
            decls = decls.into_iter().chain(others).collect::<Distinct<DeclId>>().list();
        }
        let decls = self.canonical(&decls);
        if !self.instances.may_try(decls.len(), set.span, &mut self.messages) {
            return Err(NoMatch::Error);
        }
        let mut fitting = vec![];
        let mut failures = vec![];
        for decl in decls {
            match self.candidate(decl, set, operands, user) {
                Ok(found) => fitting.push(found),
                Err(failure) => failures.push(*failure),
            }
        }
        if set.builtin {
            for row in overloads(&set.name) {
                self.builtin_candidates(row, operands, user, &mut fitting, &mut failures);
            }
        }
        Ok((fitting, failures))
    }

    /// The best constructor of a class.
    pub(crate) fn resolve_constructor(
        &mut self,
        record: RecordId,
        operands: &[Operand],
        explicit: bool,
        user: bool,
        span: Span,
    ) -> Result<Callee, NoMatch> {
        if operands.iter().any(Operand::is_error) {
            return Err(NoMatch::Error);
        }
        let mut decls = self.constructors_of(record);
        decls.extend(self.inherited_constructors(record));
        let mut fitting = vec![];
        let mut failures = vec![];
        let name: Rc<str> = Rc::clone(&self.program[record].name);
        let set = FunctionSet::of(name, vec![], span);
        let own_copy = self.has_own_copy(record);
        for decl in decls {
            if !explicit && self.declarations[decl].ast.specifiers.is_explicit.is_some() {
                continue;
            }
            if self.is_implicit_copy(decl, record) {
                // Next to one that the class defines, it takes only what its own parameter binds to.
                let signature = self.signature(decl, &[]).filter(|_| own_copy);
                if let [operand] = operands
                    && let Some(to) = signature.and_then(|of| of.params.first().copied())
                    && let Some(sequence) = self.conversion(operand, to, false)
                {
                    fitting.push(Candidate {
                        callee: Callee::Copy(record),
                        sequences: vec![sequence],
                        template: false,
                        object: false,
                    });
                }
                continue;
            }
            match self.candidate(decl, &set, operands, user) {
                Ok(found) => fitting.push(found),
                Err(failure) => failures.push(*failure),
            }
        }
        if let [operand] = operands {
            let class = self.program.record_type(record);
            let to = self.program.reference(crate::check::types::kind::constant(class), false);
            if !own_copy && let Some(sequence) = self.conversion(operand, to, false) {
                let mut sequences = vec![sequence];
                let movable = self.program.reference(class, true);
                if let Some(moved) = self.conversion(operand, movable, false) {
                    sequences = vec![moved];
                }
                fitting.push(Candidate {
                    callee: Callee::Copy(record),
                    sequences,
                    template: false,
                    object: false,
                });
            }
        }
        self.best(fitting, failures)
    }

    /// Declarations with those that repeat others left out.
    pub(crate) fn canonical(&mut self, decls: &[DeclId]) -> Vec<DeclId> {
        self.merge_repeats(decls);
        let firsts = decls.iter().map(|decl| self.declarations[*decl].repeats.unwrap_or(*decl));
        firsts.collect::<Distinct<DeclId>>().list()
    }

    /// The candidate that a declaration makes, or why it makes none.
    fn candidate(
        &mut self,
        decl: DeclId,
        set: &FunctionSet,
        operands: &[Operand],
        user: bool,
    ) -> Result<Candidate, Box<Failure>> {
        let failure = |this: &Self, why: Reason| Failure {
            wanted: None,
            place: Some(this.declarations[decl].ast.name.span),
            name: this.declarations.decl_name(decl, &this.scopes, &this.program),
            why,
            at: None,
        };
        let fail = |this: &Self, why: Reason| Box::new(failure(this, why));
        let template = self.has_template(decl);
        let arguments = if template {
            match self.deduce_function(decl, &set.arguments, operands) {
                Ok(arguments) => arguments,
                Err(why) => return Err(fail(self, why)),
            }
        } else {
            if !set.arguments.is_empty() {
                return Err(fail(self, Reason::NoTemplate));
            }
            vec![]
        };
        let Some(signature) = self.signature(decl, &arguments) else {
            let device = self.declarations[decl].ast.specifiers.device().is_some();
            let why = match (template, device || self.messages.is_after_errors()) {
                (true, _) if self.messages.has_deferred() => Reason::Declaration,
                (true, _) => Reason::Substitution,
                (false, true) => Reason::Declaration,
                (false, false) => Reason::Types,
            };
            return Err(fail(self, why));
        };
        let count = operands.len();
        if count < signature.least || (count > signature.params.len() && !signature.variadic) {
            let (least, most) = (signature.least, signature.params.len());
            return Err(fail(self, Reason::Count { least, most, given: count }));
        }
        let mut sequences = vec![];
        let mut object = false;
        if let (Some(this_type), Some(place)) = (signature.this, &set.object) {
            object = true;
            match self.object_sequence(place, this_type, signature.reference) {
                // A method of a base that `using` brings counts as the class's own.
                Some(sequence) => sequences.push(as_own(sequence, place)),
                None => {
                    let why = match place.ty() {
                        Some(ty) if ty.constant => Reason::ConstObject,
                        _ => Reason::Object,
                    };
                    return Err(fail(self, why));
                }
            }
        } else if set.object.is_some() {
            object = true;
            sequences.push(Sequence::of(Rank::Exact));
        }
        for (at, operand) in operands.iter().enumerate() {
            let Some(to) = signature.params.get(at) else {
                if self.side.is_device() {
                    return Err(fail(self, Reason::Variadic));
                }
                sequences.push(Sequence::of(Rank::Ellipsis));
                continue;
            };
            match self.conversion(operand, *to, user) {
                Some(sequence) => sequences.push(sequence),
                None => {
                    let from = operand.ty().map_or_else(|| "list".to_owned(), |ty| self.program.show(ty));
                    let why = Reason::Conversion { argument: at, from, to: self.program.show(*to) };
                    let (at, wanted) = (Some(operand.span()), Some((at, *to)));
                    return Err(Box::new(Failure { at, wanted, ..failure(self, why) }));
                }
            }
        }
        Ok(Candidate { callee: Callee::Decl(decl, arguments, signature), sequences, template, object })
    }

    fn object_sequence(&mut self, object: &Operand, this: Type, reference: Option<bool>) -> Option<Sequence> {
        let from = object.ty()?;
        let lost = (from.constant && !this.constant) || (from.volatile && !this.volatile);
        if lost {
            return None;
        }
        let lvalue = object.is_lvalue();
        if reference == Some(true) && lvalue || (reference == Some(false) && !lvalue && !this.constant) {
            return None;
        }
        let (a, b) = (self.program.record_of(from)?, self.program.record_of(this)?);
        let path = self.base_path(a, b)?;
        let mut sequence = Sequence::of(if path.is_empty() { Rank::Exact } else { Rank::Conversion });
        sequence.derived = path.len();
        sequence.reference = Some((reference == Some(true), !lvalue, this));
        Some(sequence)
    }

    /// Whether a declaration has template parameters, `auto` ones among them.
    pub(crate) fn has_template(&self, decl: DeclId) -> bool {
        let one = &self.declarations[decl];
        one.template.is_some() || one.ast.ty.parameters.iter().any(|parameter| Self::has_auto(&parameter.ty))
    }

    /// Arguments of a function template for operands; values for `auto` parameters come last.
    pub(crate) fn deduce_function(
        &mut self,
        decl: DeclId,
        given: &[Argument],
        operands: &[Operand],
    ) -> Result<Vec<Argument>, Reason> {
        let one = &self.declarations[decl];
        let (ast, scope, template) = (Rc::clone(&one.ast), one.scope, one.template.clone());
        let order = one.order;
        let params: &[ast::TemplateParameter] =
            template.as_ref().map_or(&[], |template| &template.parameters);
        let mut bindings = Bindings::new(params);
        if !bindings.give(given) {
            return Err(Reason::TemplateParameters);
        }
        let types = self.types_of(operands, &ast, &bindings);
        let mut autos = vec![];
        // A parameter whose types are all given explicitly converts like any other.
        let fixed = self.given_whole(&bindings, &ast);
        let mut rest = types.iter();
        for (index, parameter) in ast.ty.parameters.iter().enumerate() {
            let whole = fixed.get(index).copied().unwrap_or(false);
            if Self::has_auto(&parameter.ty) {
                let mut all = vec![];
                let pack = matches!(parameter.ty.kind, ast::TypeKind::Pack(_));
                let pattern: &ast::Type = match &parameter.ty.kind {
                    ast::TypeKind::Pack(inner) => inner,
                    _ => &parameter.ty,
                };
                while pack || all.is_empty() {
                    let Some(operand) = rest.next() else { break };
                    let Some(operand) = operand else {
                        return Err(Reason::AutoOfList);
                    };
                    let mut own = Bindings::new(&[]);
                    if !self.deduce_one(pattern, *operand, &mut own) {
                        return Err(Reason::Auto { argument: index });
                    }
                    all.extend(own.auto.map(Argument::Type));
                }
                autos.push(if pack {
                    Argument::Pack(all)
                } else {
                    all.pop().unwrap_or(Argument::Pack(vec![]))
                });
                continue;
            }
            let last = index + 1 == ast.ty.parameters.len();
            let pattern = &parameter.ty;
            let taken: Vec<_> = match &pattern.kind {
                ast::TypeKind::Pack(_) if last => rest.by_ref().copied().collect(),
                ast::TypeKind::Pack(_) => vec![],
                _ => match rest.next() {
                    Some(operand) => vec![*operand],
                    None => break,
                },
            };
            if whole {
                continue;
            }
            if !self.within(scope, |this| this.deduce_call(&[pattern], &taken, &mut bindings)) {
                let shown = taken.first().copied().flatten();
                let shown = shown.map_or_else(String::new, |(ty, _)| self.program.show(ty));
                let others = Self::conflict_of(pattern, &ast.ty.parameters[..index]);
                return Err(match others {
                    Some(first) if template.is_some() => Reason::Conflict { argument: index, shown, first },
                    _ => Reason::Pattern { argument: index, shown },
                });
            }
        }
        let mut fitted = match &template {
            Some(template) => self.finish_arguments(template, bindings, scope, order)?,
            None => vec![],
        };
        fitted.extend(autos);
        Ok(fitted)
    }

    /// Types that a function's parameters are deduced from, each with whether it is an lvalue's.
    fn types_of(
        &mut self,
        operands: &[Operand],
        ast: &ast::Function,
        bindings: &Bindings,
    ) -> Vec<Option<(Type, bool)>> {
        let mut types = Vec::with_capacity(operands.len());
        for (at, operand) in operands.iter().enumerate() {
            let array = ast.ty.parameters.get(at).and_then(|parameter| referred_array(&parameter.ty));
            if let (Operand::List(list), None, Some(parameter)) = (operand, array, ast.ty.parameters.get(at))
            {
                let list = Rc::clone(list);
                types.push(self.list_for_parameter(&parameter.ty, &list).map(|ty| (ty, false)));
                continue;
            }
            types.push(match (operand, array) {
                (Operand::List(list), Some(of)) => {
                    let open = self.mentions(of, bindings);
                    self.list_as_array_type(list, open).map(|ty| (ty, false))
                }
                (Operand::Functions(set), _) => self.only_pointer(set).map(|ty| (ty, false)),
                _ => operand.ty().map(|ty| (ty, operand.is_lvalue())),
            });
        }
        types
    }

    /// Parameter before one that is written with the same type.
    fn conflict_of(pattern: &ast::Type, before: &[ast::Parameter]) -> Option<usize> {
        let name = |ty: &ast::Type| match &ty.kind {
            ast::TypeKind::Name(name) => name.simple().cloned(),
            _ => None,
        };
        let wanted = name(pattern)?;
        before.iter().position(|one| name(&one.ty).as_ref() == Some(&wanted))
    }

    /// For each parameter whether explicit arguments say all of its type.
    fn given_whole(&self, bindings: &Bindings, ast: &ast::Function) -> Vec<bool> {
        ast.ty
            .parameters
            .iter()
            .map(|parameter| {
                let mut open = bindings.clone();
                open.forget_known();
                !matches!(parameter.ty.kind, ast::TypeKind::Pack(_)) && !self.mentions(&parameter.ty, &open)
            })
            .collect()
    }

    /// Fills in defaults and converts values.
    fn finish_arguments(
        &mut self,
        template: &Rc<ast::Template>,
        bindings: Bindings,
        scope: crate::check::names::entity::ScopeId,
        order: u32,
    ) -> Result<Vec<Argument>, Reason> {
        let mut flat = vec![];
        let mut missing = None;
        for (value, param) in bindings.values.iter().zip(&template.parameters) {
            match value {
                Some(value) => flat.push(Some(value.clone())),
                None if param.pack => flat.push(Some(Argument::Pack(vec![]))),
                None => {
                    let default = matches!(
                        &param.kind,
                        ast::TemplateParameterKind::Type { default: Some(_) }
                            | ast::TemplateParameterKind::Value { default: Some(_), .. }
                            | ast::TemplateParameterKind::Template { default: Some(_) }
                    );
                    if !default && missing.is_none() {
                        let name =
                            param.name.as_ref().map_or_else(String::new, |name| name.symbol.to_string());
                        let number = matches!(param.kind, ast::TemplateParameterKind::Value { .. });
                        missing = Some(Reason::Open { name, number });
                    }
                    flat.push(None);
                }
            }
        }
        if let Some(open) = missing {
            return Err(open);
        }
        let (found, messages) =
            self.tried(|this| this.at(scope, order, |this| this.fit_found(template, &flat, scope)));
        match found {
            Some(found) if messages.is_empty() => Ok(found),
            _ if self.messages.tell_of_no_argument(&messages) => Err(Reason::Declaration),
            _ => Err(Reason::Arguments(messages.into_iter().next().map(|one| one.message))),
        }
    }

    fn fit_found(
        &mut self,
        template: &Rc<ast::Template>,
        found: &[Option<Argument>],
        scope: crate::check::names::entity::ScopeId,
    ) -> Option<Vec<Argument>> {
        let mut all = vec![];
        for (at, one) in found.iter().enumerate() {
            let param = template.parameters.get(at)?;
            let so_far = self.bind(template.parameters.get(..at)?, &all, scope);
            let span = param.span;
            let one = match one {
                Some(Argument::Pack(inner)) => {
                    let mut fitted = vec![];
                    for one in inner {
                        fitted.push(self.fit_one(param, one.clone(), so_far, span)?);
                    }
                    Argument::Pack(fitted)
                }
                Some(one) => self.fit_one(param, one.clone(), so_far, span)?,
                None => {
                    let arguments = self.default_of(param, so_far)?;
                    self.fit_one(param, arguments, so_far, span)?
                }
            };
            all.push(one);
        }
        Some(all)
    }

    /// Reports what is wrong with values of a list by themselves; whether anything is.
    fn tell_list(&mut self, list: &ast::InitList) -> bool {
        let mut wrong = false;
        for one in &list.elements {
            wrong |= match &one.value.kind {
                ast::ExprKind::List(inner) => self.tell_list(inner),
                _ => self.unevaluated(&one.value).is_error(),
            };
        }
        wrong
    }

    /// Reports why a call means no function.
    pub(crate) fn tell_no_match(&mut self, name: &str, operands: &[Operand], span: Span, why: NoMatch) {
        let mut wrong = false;
        for list in operands.iter().filter_map(Operand::list) {
            wrong |= self.tell_list(list);
        }
        if wrong {
            return;
        }
        let void = operands.iter().find_map(|one| match one {
            Operand::Value(value) if self.program.is_void(value.ty) => Some(value),
            _ => None,
        });
        if let Some(void) = void {
            self.tell_no_value(void);
            return;
        }
        match why {
            NoMatch::Error => self.messages.poison(span),
            NoMatch::Ambiguous(_)
                if name.starts_with("__reduce_")
                    && operands.iter().filter_map(Operand::ty).any(|ty| self.program.is_floating(ty)) =>
            {
                let help = "combine the values of a warp with `__shfl_xor_sync`, in a loop";
                self.messages.error_help("call", span, format!("`{name}` takes only integers"), help);
            }
            NoMatch::Ambiguous(all) => {
                let mut diagnostic =
                    Diagnostic::error("ambiguous", span, format!("call to `{name}` is ambiguous"));
                if all.iter().all(|(_, place)| place.is_none_or(|place| self.messages.ours(place))) {
                    let types: Vec<String> = operands
                        .iter()
                        .filter_map(|one| one.ty().map(|ty| format!("`{}`", self.program.show(plain(ty)))))
                        .collect();
                    let help = format!(
                        "its arguments have different types ({}): cast one, or write a constant in the other's type, \
                         such as `0.0f`",
                        types.join(", ")
                    );
                    self.messages.report(diagnostic.help(help));
                    return;
                }
                for (text, place) in all.into_iter().take(4) {
                    diagnostic = match place {
                        Some(place) => diagnostic.related(place, text),
                        None => diagnostic.help(format!(
                            "one candidate is the built-in `{text}`: cast the arguments to one type"
                        )),
                    };
                }
                self.messages.report(diagnostic);
            }
            NoMatch::None(failures) => {
                self.messages.tell_none(name, operands, span, failures, &mut self.program)
            }
        }
    }
}

/// The conversion of an object to its base, as if it were the base.
fn as_own(sequence: Sequence, object: &Operand) -> Sequence {
    let reference = sequence.reference.map(|(rvalue, temporary, this)| {
        let object = object.ty().unwrap_or(this);
        (rvalue, temporary, Type { id: object.id, ..this })
    });
    Sequence { rank: Rank::Exact, derived: 0, reference, ..sequence }
}

/// Of a reference to an array, what its elements are.
fn referred_array(pattern: &ast::Type) -> Option<&ast::Type> {
    match &pattern.kind {
        ast::TypeKind::Reference(to) | ast::TypeKind::RvalueReference(to) => match &to.kind {
            ast::TypeKind::Array(of, _) => Some(of),
            ast::TypeKind::Same(inner) => match &inner.kind {
                ast::TypeKind::Array(of, _) => Some(of),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}
