//! Lambdas: closures as classes with a call operator.
//!
//! Enters: the tree of a lambda, in a body. Leaves: an object of a new class. What a lambda without a list captures is what
//! its body names of the variables around it. This module must never know calls.

use std::rc::Rc;

use crate::ast::{self, CaptureMode, Initializer, Name, Symbol};
use crate::hir::{Field, Init, LocalId, PlaceKind, RecordId, Type};
use crate::sorted::Sorted;
use crate::source::Span;

use crate::check::Checker;
use crate::check::context::body::Body;
use crate::check::context::frame::Frame;
use crate::check::expressions::operand::Operand;
use crate::check::names::entity::{Closure, Completion, DeclId, Entity, Entry, FunctionDecl, ScopeKind};
use crate::check::names::find::Want;
use crate::check::types::kind::plain;

/// Capture that is being made.
struct Capture {
    name: Rc<str>,
    /// Of which body, and which variable; `None` for `[x = y]`.
    of: Option<(u32, LocalId)>,
    ty: Type,
    init: Init,
    reference: bool,
    span: Span,
}

/// Pointer to the object of the method around, and what fills the field for it.
type CapturedThis = Option<(Type, Init)>;

impl Frame {
    fn captured_here(&self, uid: u32, local: LocalId) -> bool {
        self.closure()
            .is_some_and(|closure| closure.captures.iter().any(|(of, id, _, _)| *of == uid && *id == local))
    }
}

impl Body {
    fn is_own_constant(&self, uid: u32, local: LocalId) -> bool {
        self.constant(uid, local).is_some()
    }
}

impl Checker<'_> {
    /// A lambda as an object.
    pub(crate) fn lambda(&mut self, lambda: &Rc<ast::Lambda>, span: Span) -> Operand {
        self.lambda_object(lambda, span).unwrap_or(Operand::Error(span))
    }

    fn lambda_object(&mut self, lambda: &Rc<ast::Lambda>, span: Span) -> Option<Operand> {
        // An expression is looked at more than once where it is an argument; it has one type.
        let place =
            (Rc::as_ptr(lambda).addr(), self.scopes.current(), self.frame.uid(), self.body.expansion());
        if let Some((record, decl)) = self.body.closure(&place) {
            let (captures, this) = self.captures(lambda)?;
            let inits = captures.into_iter().map(|one| one.init).chain(this.map(|(_, init)| init));
            let mut fields = Sorted::default();
            for (at, init) in (0..).zip(inits) {
                fields.insert(at, init);
            }
            self.check_closure(decl, span);
            return Some(Operand::Init(Init::Fields(fields), self.program.record_type(record), span));
        }
        let (record, decl, fields) = self.new_closure(lambda, span)?;
        if !self.messages.has_errors() {
            self.body.note_closure(place, (record, decl));
        }
        self.check_closure(decl, span);
        Some(Operand::Init(Init::Fields(fields), self.program.record_type(record), span))
    }

    /// Checks a lambda's body where it is no template: its errors are reported even where it is never called.
    fn check_closure(&mut self, decl: DeclId, span: Span) {
        if !self.has_template(decl)
            && let Some(signature) = self.signature(decl, &[])
            && let Some(id) = self.instance(decl, &[], &signature, span)
            && !self.frame.is_unevaluated()
        {
            self.body_of(id);
        }
    }

    fn new_closure(
        &mut self,
        lambda: &Rc<ast::Lambda>,
        span: Span,
    ) -> Option<(RecordId, DeclId, Sorted<u32, Init>)> {
        let number = self.program.number();
        let line = self.messages.position(span.lo).map_or(0, |place| place.line);
        let scope = self.scopes.current();
        let ty = self.new_record(Symbol::from(""), format!("lambda at line {line}"), false, scope, span);
        let record = self.program.record_of(ty)?;
        self.program[record].lambda = true;
        self.classes[record].closure = Some(number);
        self.classes[record].completion = Completion::Complete;
        self.classes[record].aggregate = false;
        let (captures, this) = self.captures(lambda)?;
        let (map, this_field, fields) = self.lay_out_closure(record, captures, this, lambda, span);
        let names = self.scopes.add(scope, ScopeKind::Block(self.frame.uid()));
        for (at, (name, init_capture, at_span)) in map.iter().enumerate() {
            if *init_capture {
                let entity = Entity::Field(record, Rc::from([at as u32]));
                let entry = Entry { entity, order: 0, span: *at_span };
                self.scopes[names].names.set(&Symbol(Rc::clone(name)), entry);
            }
        }
        let closure =
            Closure { ast: Rc::clone(lambda), record, captures: self.body.pop_captures(), this: this_field };
        let name = Name {
            global: false,
            typename: false,
            segments: vec![ast::Segment {
                id: ast::Id::Operator(ast::OverloadedOperator::Call),
                arguments: None,
                span: lambda.head,
            }],
            span: lambda.head,
        };
        let function = ast::Function {
            kind: ast::FunctionKind::Ordinary,
            name,
            specifiers: ast::Specifiers {
                attributes: lambda.specifiers.attributes.clone(),
                ..ast::Specifiers::default()
            },
            ty: Rc::clone(&lambda.ty),
            is_virtual_like: None,
            is_pure: false,
            is_noexcept: false,
            requires: None,
            body: ast::FunctionBody::None,
            span,
        };
        let template = (!lambda.template.is_empty()).then(|| {
            Rc::new(ast::Template {
                parameters: lambda.template.clone(),
                declaration: ast::Declaration { kind: ast::DeclarationKind::Empty, span },
                requires: None,
            })
        });
        let decl = self.declarations.add_function(FunctionDecl {
            ast: Rc::new(function),
            scope: names,
            class: Some(record),
            template,
            definition: None,
            specialisations: vec![],
            repeats: None,
            closure: Some(Rc::new(closure)),
            hidden: false,
            order: self.scopes.order(),
            merged: true,
        });
        let own = self.classes[record].scope;
        self.enter_function(own, Symbol::from("operator()"), decl, lambda.head);
        Some((record, decl, fields))
    }

    /// Fields of a closure, with what fills them; leaves the captures for the body on a stack.
    #[allow(
        clippy::type_complexity,
        reason = "three tables that belong together and are taken apart at once"
    )]
    fn lay_out_closure(
        &mut self,
        record: RecordId,
        captures: Vec<Capture>,
        this: Option<(Type, Init)>,
        lambda: &ast::Lambda,
        span: Span,
    ) -> (Vec<(Rc<str>, bool, Span)>, Option<(u32, Type)>, Sorted<u32, Init>) {
        let mut fields = Sorted::default();
        let mut names = vec![];
        let mut inner = vec![];
        let (mut offset, mut align) = (0u64, 1u64);
        let mut place = |this: &mut Self, name: Rc<str>, ty: Type, at: Span| {
            let (size, own) = {
                this.complete(ty);
                this.program.layout(ty)
            };
            let own = u64::from(own.max(1));
            offset = offset.div_ceil(own) * own;
            align = align.max(own);
            this.program[record].fields.push(Field { name, ty, offset, bits: None, base: false, span: at });
            offset += size;
        };
        for (at, capture) in captures.into_iter().enumerate() {
            place(self, Rc::clone(&capture.name), capture.ty, capture.span);
            fields.insert(at as u32, capture.init);
            names.push((capture.name, capture.of.is_none(), capture.span));
            if let Some((uid, local)) = capture.of {
                inner.push((uid, local, at as u32, capture.reference));
            }
        }
        let this_field = this.map(|(ty, init)| {
            let at = names.len() as u32;
            place(self, "".into(), ty, span);
            fields.insert(at, init);
            (at, ty)
        });
        let _ = lambda;
        let one = &mut self.program[record];
        one.size = offset.max(1).div_ceil(align) * align;
        one.align = u32::try_from(align).unwrap_or(8);
        let empty = one.fields.is_empty();
        self.classes[record].empty = empty;
        self.classes[record].data_size = offset;
        self.body.push_captures(inner);
        (names, this_field, fields)
    }

    /// What a lambda captures, and `this`.
    fn captures(&mut self, lambda: &Rc<ast::Lambda>) -> Option<(Vec<Capture>, CapturedThis)> {
        let mut all: Vec<Capture> = vec![];
        let mut this = None;
        for one in &lambda.captures {
            let span = one.name.span;
            if all.iter().any(|other| other.name == one.name.symbol.0) && !one.pack {
                self.messages.error("capture", span, format!("`{}` is captured twice", one.name.symbol));
                return None;
            }
            if &*one.name.symbol == "this" {
                if one.mode == CaptureMode::Copy {
                    self.messages.refuse(
                        span,
                        "captures of `*this` are",
                        "write `this`, or capture a copy by name: `[me = *this]`",
                    );
                    return None;
                }
                this = self.captured_this(span);
                continue;
            }
            let reference = one.mode == CaptureMode::Reference;
            if let Some(initializer) = &one.initializer {
                all.push(self.init_capture(one, initializer, reference)?);
                continue;
            }
            let found = match self.find(&one.name.symbol, Want::Any, span) {
                Some(Entity::Pack(entities)) if one.pack => entities.to_vec(),
                Some(found) => vec![self.body.chosen(found, span, &mut self.messages)?],
                None => {
                    let symbol = &one.name.symbol;
                    let help = self.frame.similar_name(
                        symbol,
                        crate::check::names::suggest::Role::Value,
                        &self.scopes,
                        &self.messages,
                    );
                    let mut diagnostic = crate::diagnostic::Diagnostic::error(
                        "name",
                        span,
                        format!("use of undeclared identifier `{symbol}`"),
                    )
                    .unknown(symbol.to_string());
                    if let Some(help) = help {
                        diagnostic = diagnostic.help(help);
                    }
                    self.messages.report(diagnostic);
                    return None;
                }
            };
            for entity in found {
                match entity {
                    Entity::Local(uid, local) => {
                        let name = Rc::clone(&one.name.symbol.0);
                        all.push(self.capture(name, uid, local, reference, span)?);
                    }
                    _ => {
                        let symbol = one.name.symbol.to_string();
                        self.messages.error_help(
                            "capture",
                            span,
                            format!("`{symbol}` cannot be captured: it is not a local variable"),
                            "use it in the lambda without capturing it",
                        );
                        return None;
                    }
                }
            }
        }
        let names_this = self.default_captures(lambda, &mut all)?;
        if this.is_none() && lambda.default.is_some() && names_this {
            this = self.captured_this(lambda.head);
        }
        Some((all, this))
    }

    /// What `[=]` and `[&]` capture: the variables around that the body names. Whether it needs `this`.
    fn default_captures(&mut self, lambda: &Rc<ast::Lambda>, all: &mut Vec<Capture>) -> Option<bool> {
        let Some(mode) = lambda.default else { return Some(false) };
        let mut names: Vec<(Symbol, Span)> = vec![];
        let mut this = false;
        crate::check::names::walk::Walk {
            name: &mut |name| {
                if let Some(symbol) = name.simple()
                    && !names.iter().any(|(known, _)| known == symbol)
                {
                    names.push((symbol.clone(), name.span));
                }
            },
            this: &mut || this = true,
            packs: true,
        }
        .block(&lambda.body);
        for (symbol, span) in names {
            let entities = match self.find(&symbol, Want::Any, span) {
                Some(Entity::Pack(entities)) => entities.to_vec(),
                Some(entity) => vec![entity],
                None => continue,
            };
            for entity in entities {
                match entity {
                    Entity::Local(uid, local) => {
                        if all.iter().any(|one| one.of == Some((uid, local)))
                            || self.body.is_own_constant(uid, local)
                        {
                            continue;
                        }
                        if uid != self.frame.uid() && !self.frame.captured_here(uid, local) {
                            continue;
                        }
                        let reference = mode == CaptureMode::Reference;
                        all.push(self.capture(Rc::clone(&symbol.0), uid, local, reference, span)?);
                    }
                    Entity::Field(record, _) => {
                        this |= self.classes[record].closure.is_none()
                            || self.frame.closure().is_some_and(|closure| closure.record == record);
                    }
                    Entity::Functions(decls, _) => {
                        this |= decls.iter().any(|decl| {
                            let one = &self.declarations[*decl];
                            one.class.is_some() && one.ast.specifiers.is_static.is_none()
                        });
                    }
                    _ => {}
                }
            }
        }
        Some(this && self.frame.this().is_some())
    }

    fn captured_this(&mut self, span: Span) -> Option<(Type, Init)> {
        let place = self.object_of(None, span);
        let Some(place) = place else {
            self.messages.error("this", span, "`this` cannot be captured in this context");
            return None;
        };
        let address = self.program.address(place);
        Some((plain(address.ty), Init::Value(address)))
    }

    /// A capture of a variable.
    fn capture(
        &mut self,
        name: Rc<str>,
        uid: u32,
        local: LocalId,
        reference: bool,
        span: Span,
    ) -> Option<Capture> {
        let operand = if uid == self.frame.uid() {
            let ty = self.frame.local_type(local, &self.program);
            Operand::Place(self.program.variable_place(PlaceKind::Local(local), ty, span), false)
        } else {
            let closure = self.frame.closure().cloned()?;
            let field =
                closure.captures.iter().find(|(of, id, _, _)| *of == uid && *id == local).map(|one| one.2);
            let Some(field) = field else {
                let message = format!(
                    "`{name}` is a variable of an enclosing function, but the enclosing lambda does not capture it"
                );
                self.messages.error("capture", span, message);
                return None;
            };
            let whole = self.this_place(span)?;
            Operand::Place(
                self.classes.field_place(whole, closure.record, field, span, &mut self.program),
                false,
            )
        };
        let from = operand.ty()?;
        let (ty, init) = if reference {
            let ty = self.program.reference(from, false);
            (ty, Init::Value(self.converted(operand, ty)?))
        } else if self.program.array_of(from).is_some() {
            let (place, _) = self.place(operand)?;
            (from, self.copy_init(place, false, span)?)
        } else {
            let ty = if from.volatile { plain(from) } else { from };
            (ty, self.initialised(operand, plain(from))?)
        };
        Some(Capture { name, of: Some((uid, local)), ty, init, reference, span })
    }

    /// `[x = y]`, `[&x = y]`.
    fn init_capture(
        &mut self,
        one: &ast::Capture,
        initializer: &Initializer,
        reference: bool,
    ) -> Option<Capture> {
        let span = one.name.span;
        if one.pack {
            self.messages.refuse(
                span,
                "captures of packs with initialisers are",
                "capture the pack by its name",
            );
            return None;
        }
        let expr = match initializer {
            Initializer::Equals(expr) => expr,
            Initializer::Parentheses(all, _) => all.first()?,
            Initializer::Braces(list) => &list.elements.first()?.value,
        };
        let operand = self.expr(expr);
        if operand.is_error() {
            return None;
        }
        let from = operand.ty()?;
        let ty =
            if reference { self.program.reference(from, false) } else { plain(self.program.decayed(from)) };
        let init = self.initialised(operand, ty)?;
        Some(Capture { name: Rc::clone(&one.name.symbol.0), of: None, ty, init, reference, span })
    }
}
