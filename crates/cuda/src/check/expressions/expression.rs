//! Expressions: one function for each kind, operators and calls apart.
//!
//! Enters: the tree of an expression. Leaves: an operand. This module must never know what the context makes of it.

use std::rc::Rc;

use crate::ast::{self, ExprKind as Ast, Name};
use crate::diagnostic::Diagnostic;
use crate::hir::{Expr, ExprKind, Init, Place, PlaceKind, RecordId, Type, TypeKind};
use crate::source::Span;

use crate::builtin::overloads;
use crate::check::Checker;
use crate::check::context::classes::Classes;
use crate::check::context::declarations::Declarations;
use crate::check::context::messages::Messages;
use crate::check::context::output::Output;
use crate::check::expressions::operand::{FunctionSet, Operand, deref, local_place, number};
use crate::check::names::entity::{DeclId, Entity, Special};
use crate::check::names::find::Want;
use crate::check::names::lookup::Named;
use crate::check::types::kind::{constant, plain};

impl Output {
    /// Value of one coordinate, such as `threadIdx.x`.
    pub(crate) fn coordinate(&self, name: &str, axis: &str, span: Span) -> Option<Expr> {
        let row = overloads(&format!("__builtin_{name}_{axis}")).next()?;
        Some(Expr {
            kind: ExprKind::Builtin(row, self.basic().void, vec![].into()),
            ty: self.basic().uint,
            span,
        })
    }

    /// Value of type `void`.
    pub(crate) fn void_value(&self, span: Span) -> Expr {
        let zero = number(0, self.basic().int, span);
        Expr { kind: ExprKind::Cast(Box::new(zero)), ty: self.basic().void, span }
    }

    /// Operand of what fills a type.
    pub(crate) fn init_operand(&self, init: Init, ty: Type, span: Span) -> Operand {
        if let Some((to, rvalue)) = self.referred(ty) {
            return match init {
                Init::Value(pointer) => Operand::Place(deref(pointer, to, span), rvalue),
                _ => Operand::Error(span),
            };
        }
        if self.is_scalar(ty) {
            return match init {
                Init::Value(value) => Operand::Value(value),
                _ => Operand::Value(self.value_of_nothing(ty, span)),
            };
        }
        Operand::Init(init, plain(ty), span)
    }
}

impl Declarations {
    fn outside_classes(&self, decls: &[DeclId]) -> bool {
        decls.iter().all(|decl| self[*decl].class.is_none())
    }
}

impl Messages<'_> {
    fn refused(&mut self, expr: &ast::Expr) -> Operand {
        let (what, help) = match &expr.kind {
            Ast::Pack(_) => {
                self.error("pack", expr.span, "a pack cannot be expanded here");
                return Operand::Error(expr.span);
            }
            Ast::Typeid(_) => ("`typeid` is", "overload a function, or specialise a template"),
            Ast::Throw(_) => ("exceptions are", "return an error code, or stop the kernel with `__trap()`"),
            _ => ("`requires` is", "use `static_assert` or overloads"),
        };
        self.refuse(expr.span, what, help);
        Operand::Error(expr.span)
    }
}

impl Output {
    fn empty_fold(&self, operator: ast::BinaryOperator, span: Span, messages: &mut Messages<'_>) -> Operand {
        match operator {
            ast::BinaryOperator::And => Operand::Value(number(1, self.basic().bool, span)),
            ast::BinaryOperator::Or => Operand::Value(number(0, self.basic().bool, span)),
            ast::BinaryOperator::Comma => Operand::Value(self.void_value(span)),
            _ => {
                messages.error("pack", span, "fold over an empty pack has no value");
                Operand::Error(span)
            }
        }
    }
}

impl Classes {
    /// Place of a field, through anonymous members.
    pub(crate) fn walk_fields(
        &self,
        of: Place,
        record: RecordId,
        path: &[u32],
        span: Span,
        program: &mut Output,
    ) -> Place {
        let mut place = of;
        let mut record = record;
        for number in path {
            place = self.field_place(place, record, *number, span, program);
            if let Some(next) = program.record_of(place.ty) {
                record = next;
            }
        }
        place
    }
}

impl Checker<'_> {
    /// Checks an expression.
    pub(crate) fn expr(&mut self, expr: &ast::Expr) -> Operand {
        if !self.enter(expr.span) {
            self.leave();
            return Operand::Error(expr.span);
        }
        let found = match self.host_expr(expr) {
            Some(found) => found,
            None => self.expr_anew(expr),
        };
        self.leave();
        if found.is_error() {
            self.messages.poison(expr.span);
        }
        found
    }

    /// `new` and `delete`, and what only the host's side has: launches and exceptions.
    fn host_expr(&mut self, expr: &ast::Expr) -> Option<Operand> {
        let span = expr.span;
        if self.side.is_device() {
            return match &expr.kind {
                Ast::New(one) => Some(self.new_object(one, span)),
                Ast::Delete(object, all) => Some(self.delete(object, *all, span)),
                _ => None,
            };
        }
        Some(match &expr.kind {
            Ast::Launch { callee, configuration, arguments } => {
                self.host_launch_operand(callee, configuration, arguments, span)
            }
            Ast::Noexcept(inner) => {
                let nothing = self.throws_nothing(inner);
                Operand::Value(number(i128::from(nothing), self.program.basic().bool, span))
            }
            Ast::New(one) => self.new_object(one, span),
            Ast::Delete(object, all) => self.delete(object, *all, span),
            Ast::Throw(value) => self.throw(value.as_deref(), span),
            _ => return None,
        })
    }

    fn expr_anew(&mut self, expr: &ast::Expr) -> Operand {
        let span = expr.span;
        match &expr.kind {
            Ast::Integer { value, decimal, suffix } => {
                self.program.integer_literal(*value, *decimal, suffix, span, &mut self.messages)
            }
            Ast::Float { text, suffix } => self.program.float_literal(text, suffix, span, &mut self.messages),
            Ast::Character(value) => {
                Operand::Value(number(i128::from(*value as i8), self.program.basic().char, span))
            }
            Ast::String(text) => Operand::Place(self.string(text, span), false),
            Ast::Bool(value) => Operand::Value(number(i128::from(*value), self.program.basic().bool, span)),
            Ast::Null => Operand::Value(number(0, self.program.basic().null, span)),
            Ast::This => self.this_operand(span),
            Ast::Name(name) => self.name_operand(name),
            Ast::Parentheses(inner) => self.expr(inner),
            Ast::Unary(operator, inner) => self.unary(*operator, inner, span),
            Ast::Binary { operator, place, left, right } => self.binary(*operator, left, right, *place, span),
            Ast::Assign { operator, place, left, right } => {
                self.assignment(*operator, left, right, *place, span)
            }
            Ast::Conditional(parts) => self.conditional(&parts[0], &parts[1], &parts[2], span),
            Ast::Call(callee, arguments) => self.call(callee, arguments, span),
            Ast::Launch { callee, configuration, arguments } => {
                self.device_launch_operand(callee, configuration, arguments, span)
            }
            Ast::Member { object, arrow, member } => self.member(object, *arrow, member, span),
            Ast::Index(object, index) => self.index(object, index, span),
            Ast::MemberPointer(object, pointer) => self.member_by_pointer(object, pointer, span),
            Ast::Cast(kind, ty, inner) => self.cast(*kind, ty, inner, span),
            Ast::Construct(ty, initializer) => self.construct(ty, initializer, span),
            Ast::CompoundLiteral(ty, list) => self.compound_literal(ty, list, span),
            Ast::List(list) => Operand::List(Rc::new(list.clone())),
            Ast::SizeofType(ty) => match self.resolve_type(ty) {
                Some(ty) => self.size_operand(ty, span),
                None => Operand::Error(span),
            },
            Ast::SizeofExpr(inner) => self.size_of_expr(inner, span),
            Ast::SizeofPack(name) => self.size_of_pack(name, span),
            Ast::AlignofType(ty) => match self.resolve_type(ty) {
                Some(ty) => self.align_operand(ty, span),
                None => Operand::Error(span),
            },
            Ast::AlignofExpr(inner) => match self.type_of_unevaluated(inner) {
                Some(ty) => self.align_operand(ty, span),
                None => Operand::Error(span),
            },
            Ast::Noexcept(_) => {
                self.messages.refuse(
                    span,
                    "the `noexcept` operator is",
                    "kernels have no exceptions: write `true`",
                );
                Operand::Error(span)
            }
            Ast::Lambda(lambda) => self.lambda(lambda, span),
            Ast::Fold { operator, left, right } => {
                self.fold(*operator, left.as_deref(), right.as_deref(), span)
            }
            Ast::Type(_) => {
                let text = self.messages.text(span).to_owned();
                self.messages.unknown_name(text, span, "expected a value, found a type");
                Operand::Error(span)
            }
            Ast::Error => Operand::Error(span),
            Ast::Typeid(inner) if self.side.is_host() => self.type_identity(inner, span),
            Ast::StatementExpression(block) => self.statement_expression(block, span),
            Ast::Pack(_) | Ast::Typeid(_) | Ast::New(_) | Ast::Delete(..) | Ast::Throw(_) | Ast::Requires => {
                self.messages.refused(expr)
            }
        }
    }

    /// `sizeof...`.
    fn size_of_pack(&mut self, name: &ast::Ident, span: Span) -> Operand {
        if let Some(Entity::Pack(all)) = self.find(&name.symbol, Want::Any, name.span) {
            return Operand::Value(number(all.len() as i128, self.program.basic().ulong, span));
        }
        self.messages.error("pack", name.span, format!("`{}` is not a parameter pack", name.symbol));
        Operand::Error(span)
    }

    /// `*this` as a place.
    pub(crate) fn this_place(&mut self, span: Span) -> Option<Place> {
        let (local, this) = self.frame.this()?;
        let pointer = self.program.pointer(this);
        let holder = local_place(local, pointer, span);
        let load = Expr { kind: ExprKind::Load(Box::new(holder)), ty: pointer, span };
        Some(deref(load, this, span))
    }

    /// Object whose members names mean: of a lambda in a method, the captured one.
    pub(crate) fn object_of(&mut self, record: Option<RecordId>, span: Span) -> Option<Place> {
        let own = self.frame.this().and_then(|(_, this)| self.program.record_of(this));
        if let Some(closure) = self.frame.closure().cloned()
            && own == Some(closure.record)
            && record != own
        {
            let (field, pointer) = closure.this?;
            let whole = self.this_place(span)?;
            let holder = Place { kind: PlaceKind::Field(Box::new(whole), field), ty: pointer, span };
            let to = self.program.pointee(pointer)?;
            return Some(deref(Expr { kind: ExprKind::Load(Box::new(holder)), ty: pointer, span }, to, span));
        }
        self.this_place(span)
    }

    fn this_operand(&mut self, span: Span) -> Operand {
        let outer = self.frame.closure().map(|_| ()).is_some();
        let place = if outer { self.object_of(None, span) } else { self.this_place(span) };
        match place {
            Some(place) => Operand::Value(self.program.address(place)),
            None if outer => {
                self.messages.error_help(
                    "capture",
                    span,
                    "`this` is not captured by the lambda",
                    "write `[this]` or `[&]`",
                );
                Operand::Error(span)
            }
            None => {
                self.messages.error("this", span, "invalid use of `this` outside a method");
                Operand::Error(span)
            }
        }
    }

    /// What a name is as an operand.
    fn name_operand(&mut self, name: &Name) -> Operand {
        let span = name.span;
        if let Some(symbol) = name.simple()
            && matches!(&**symbol, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__")
            && self.find(symbol, Want::Any, span).is_none()
        {
            if &**symbol == "__PRETTY_FUNCTION__" {
                self.messages.refuse(span, "`__PRETTY_FUNCTION__` is", "write `__func__` for the name alone");
                return Operand::Error(span);
            }
            let text = self.frame.function().map_or_else(String::new, |id| self.program[id].name.to_string());
            let short =
                text.split('<').next().unwrap_or_default().rsplit("::").next().unwrap_or_default().to_owned();
            let bytes: Rc<[u8]> = short.into_bytes().into();
            return Operand::Place(self.string(&bytes, span), false);
        }
        let Some(named) = self.resolve_name(name, Want::Any) else { return Operand::Error(span) };
        self.entity_operand(named, name)
    }

    fn entity_operand(&mut self, named: Named, name: &Name) -> Operand {
        let span = name.span;
        match named.entity {
            Entity::Functions(decls, builtin) => {
                let object = self.implicit_object(&decls, named.class, span);
                Operand::Functions(FunctionSet {
                    name: crate::check::names::lookup::spelled(name).into(),
                    qualified: named.qualified,
                    operator: false,
                    by_arguments: !named.qualified
                        && object.is_none()
                        && self.declarations.outside_classes(&decls),
                    decls,
                    builtin,
                    arguments: named.arguments.unwrap_or_default(),
                    object,
                    span,
                })
            }
            Entity::Global(id) => self.global_operand(id, span),
            Entity::Static(id) => self.static_operand(id, span),
            Entity::Local(uid, local) => self.local_operand(uid, local, name, span),
            Entity::Binding(uid, place) => {
                if uid != self.frame.uid() {
                    self.messages.refuse(
                        span,
                        "captures of structured bindings are",
                        "copy it to a variable first",
                    );
                    return Operand::Error(span);
                }
                Operand::Place(Place { span, ..(*place).clone() }, false)
            }
            Entity::Value(value) => Operand::Value(Expr { span, ..(*value).clone() }),
            Entity::Field(record, path) => self.own_field(record, &path, name, span),
            Entity::Special(special) => self.special_operand(special, span),
            Entity::Host(declared) => {
                self.messages.tell_host(&crate::check::names::lookup::spelled(name), span, declared);
                Operand::Error(span)
            }
            Entity::Error => Operand::Error(span),
            Entity::Type(_) | Entity::Alias(_) | Entity::Template(_) => {
                let text = self.messages.text(span).to_owned();
                let message = format!("`{text}` is a type, not a value");
                match self.messages.text_behind(span).strip_prefix('.').map(first_word) {
                    Some(member) if !member.is_empty() => {
                        let help = format!("members of a type are named with `::`: write `{text}::{member}`");
                        self.messages
                            .report(Diagnostic::error("name", span, message).help(help).unknown(text));
                    }
                    _ => self.messages.unknown_name(text, span, message),
                }
                Operand::Error(span)
            }
            Entity::Namespace(_) => {
                let name = crate::check::names::lookup::spelled(name).to_string();
                self.messages.unknown_name(name, span, "this is a namespace, not a value");
                Operand::Error(span)
            }
            Entity::Pack(_) => Operand::Error(span),
        }
    }

    /// `*this` for methods that are named without an object; static ones have none.
    fn implicit_object(
        &mut self,
        decls: &[DeclId],
        class: Option<RecordId>,
        span: Span,
    ) -> Option<Box<Operand>> {
        let of = decls.first().and_then(|decl| self.declarations[*decl].class)?;
        if decls.iter().all(|decl| self.declarations[*decl].ast.specifiers.is_static.is_some()) {
            return None;
        }
        let place = self.object_of(class.or(Some(of)), span)?;
        let record = self.program.record_of(place.ty)?;
        self.is_base(of, record).then(|| Box::new(Operand::Place(place, false)))
    }

    /// A field that a method names.
    fn own_field(&mut self, record: RecordId, path: &[u32], name: &Name, span: Span) -> Operand {
        let Some(place) = self.object_of(Some(record), span) else {
            if self.frame.is_unevaluated() || self.frame.is_constant() {
                // `sizeof(Class::field)` needs no object.
                let ty = self.program.record_type(record);
                let null = number(0, ty, span);
                let place =
                    self.classes.walk_fields(deref(null, ty, span), record, path, span, &mut self.program);
                return Operand::Place(place, false);
            }
            let text = crate::check::names::lookup::spelled(name);
            if self.frame.closure().is_some() {
                self.messages.error_help(
                    "capture",
                    span,
                    format!("`{text}` is a member, but the lambda does not capture `this`"),
                    "write `[this]` or `[&]`",
                );
            } else {
                self.messages.error("this", span, format!("invalid use of field `{text}` without an object"));
            }
            return Operand::Error(span);
        };
        let Some(derived) = self.program.record_of(place.ty) else { return Operand::Error(span) };
        let Some(bases) = self.base_path(derived, record) else {
            self.messages.error("this", span, "this is a field of another class");
            return Operand::Error(span);
        };
        self.check_access(record, path, span);
        let place = self.base_place(place, derived, &bases);
        Operand::Place(self.classes.walk_fields(place, record, path, span, &mut self.program), false)
    }

    fn local_operand(&mut self, uid: u32, local: crate::hir::LocalId, name: &Name, span: Span) -> Operand {
        if uid == self.frame.uid() {
            let ty = self.frame.local_type(local, &self.program);
            let place = self.program.variable_place(PlaceKind::Local(local), ty, span);
            return Operand::Place(place, false);
        }
        if let Some(closure) = self.frame.closure().cloned()
            && let Some((_, _, field, _)) =
                closure.captures.iter().find(|(of, id, _, _)| *of == uid && *id == local)
        {
            let Some(whole) = self.this_place(span) else { return Operand::Error(span) };
            let place = self.classes.field_place(whole, closure.record, *field, span, &mut self.program);
            return Operand::Place(place, false);
        }
        if let Some(known) = self.body.constant(uid, local) {
            return Operand::Value(Expr { span, ..(**known).clone() });
        }
        let text = crate::check::names::lookup::spelled(name);
        if self.frame.closure().is_some() {
            self.messages.error_help(
                "capture",
                span,
                format!("the lambda does not capture `{text}`"),
                format!("write `[&]`, `[=]`, or `[{text}]`"),
            );
        } else {
            let message = format!("`{text}` is a variable of another function");
            self.messages.unknown_name(text, span, message);
        }
        Operand::Error(span)
    }

    fn special_operand(&mut self, special: Special, span: Span) -> Operand {
        match special {
            Special::Coordinates(name, of) => self.coordinates(name, of, span),
            Special::WarpSize => Operand::Value(number(32, self.program.basic().int, span)),
            Special::Printf | Special::AssertFail => {
                self.messages.error("call", span, "reference to this function must be called");
                Operand::Error(span)
            }
        }
    }

    /// `threadIdx` as a whole.
    fn coordinates(&mut self, name: &'static str, of: &str, span: Span) -> Operand {
        let before = self.scopes.replace_horizon(u32::MAX);
        let ty = self.scopes.type_in(crate::check::names::entity::ScopeId(0), of);
        self.scopes.replace_horizon(before);
        let Some(ty) = ty else {
            let message = format!("`{name}` needs a component, such as `.x`");
            self.messages.unknown_name(name, span, message);
            return Operand::Error(span);
        };
        if !self.require_complete(ty, span) {
            return Operand::Error(span);
        }
        let mut fields = crate::sorted::Sorted::default();
        for (at, axis) in ["x", "y", "z"].into_iter().enumerate() {
            if let Some(value) = self.program.coordinate(name, axis, span) {
                fields.insert(at as u32, Init::Value(value));
            }
        }
        Operand::Init(Init::Fields(fields), constant(ty), span)
    }

    /// `sizeof` of an expression, which is not evaluated.
    fn size_of_expr(&mut self, inner: &ast::Expr, span: Span) -> Operand {
        if let Some(size) = self.variable_size(inner) {
            return self.expr(&size);
        }
        self.warn_of_sizeof(inner, span);
        match self.type_of_unevaluated(inner) {
            Some(ty) => self.size_operand(ty, span),
            None => Operand::Error(span),
        }
    }

    /// `sizeof`.
    fn size_operand(&mut self, ty: Type, span: Span) -> Operand {
        let ty = self.program.without_reference(ty);
        if !self.require_complete(ty, span) {
            return Operand::Error(span);
        }
        if self.program.is_void(ty)
            || self.program.is_function_kind(ty)
            || matches!(self.program.kind_of(ty), TypeKind::UnknownArray(_))
        {
            let shown = self.program.show(ty);
            let help = "the size of `extern __shared__` arrays is given at the launch: pass it to the kernel";
            self.messages.error_help("type", span, format!("the size of `{shown}` is not known"), help);
            return Operand::Error(span);
        }
        if self.is_variable_array(ty) {
            self.messages.refuse(
                span,
                "the size of an array whose length is not constant is",
                "write its length times the size of an element",
            );
            return Operand::Error(span);
        }
        if self.program.record_of(ty).is_some_and(|record| self.classes.is_functor(record)) {
            self.messages.refuse(
                span,
                "function pointers are",
                "pass a lambda, or a class with `operator()`",
            );
            return Operand::Error(span);
        }
        let size = self.size_of(ty);
        Operand::Value(number(size.into(), self.program.basic().ulong, span))
    }

    fn align_operand(&mut self, ty: Type, span: Span) -> Operand {
        let ty = self.program.without_reference(ty);
        if !self.require_complete(ty, span) {
            return Operand::Error(span);
        }
        let align = self.align_of(ty);
        Operand::Value(number(align.into(), self.program.basic().ulong, span))
    }

    /// Checks an expression that is not executed.
    pub(crate) fn unevaluated(&mut self, expr: &ast::Expr) -> Operand {
        let before = self.frame.replace_unevaluated(true);
        let locals = self.frame.locals().len();
        let found = self.expr(expr);
        let _ = locals;
        self.frame.replace_unevaluated(before);
        found
    }

    /// Type of an expression that is not executed, references left out.
    /// Warns of `sizeof` of a parameter that is written as an array.
    fn warn_of_sizeof(&mut self, expr: &ast::Expr, span: Span) {
        let mut expr = expr;
        while let Ast::Parentheses(inner) = &expr.kind {
            expr = inner;
        }
        let Ast::Name(name) = &expr.kind else { return };
        let Some(Entity::Local(uid, local)) = self.resolve_quietly(name, Want::Any) else { return };
        if uid == self.frame.uid() && self.frame.is_array_parameter(local) {
            let shown = crate::check::names::lookup::spelled(name);
            self.messages.report(
                crate::diagnostic::Diagnostic::warning(
                    "sizeof-parameter",
                    span,
                    format!(
                        "`sizeof` gives the size of a pointer: the array parameter `{shown}` is a pointer"
                    ),
                )
                .help(
                    "pass the number of elements too, or take a reference to the array: `float (&values)[8]`",
                ),
            );
        }
    }

    /// Warns of `sizeof(p) / sizeof(p[0])` where `p` is a pointer.
    pub(crate) fn warn_of_pointer_size(&mut self, whole: &ast::Expr, element: &ast::Expr) {
        let Ast::SizeofExpr(inner) = &whole.kind else { return };
        if self.variable_size(inner).is_some() {
            return;
        }
        let mut named: &ast::Expr = inner;
        while let Ast::Parentheses(inner) = &named.kind {
            named = inner;
        }
        let Ast::Name(name) = &named.kind else { return };
        // Of a parameter that is written as an array its size alone is a mistake.
        if let Some(Entity::Local(_, local)) = self.resolve_quietly(name, Want::Any)
            && self.frame.is_array_parameter(local)
        {
            return;
        }
        let pointer =
            self.trial(|this| this.type_of_unevaluated(named)).map(|ty| self.program.without_reference(ty));
        let of = match &element.kind {
            Ast::SizeofType(ty) => self.trial(|this| this.resolve_type(ty)),
            Ast::SizeofExpr(inner) => self.trial(|this| this.type_of_unevaluated(inner)),
            _ => None,
        };
        let of = of.map(|ty| plain(self.program.without_reference(ty)));
        let to = pointer.and_then(|pointer| self.program.pointee(pointer)).map(plain);
        if to.is_some() && to == of {
            let shown = crate::check::names::lookup::spelled(name);
            let message = format!("`sizeof` gives the size of a pointer: `{shown}` is not an array");
            self.messages.report(
                crate::diagnostic::Diagnostic::warning("sizeof-pointer", whole.span, message)
                    .help(crate::check::names::suggest::POINTER_WITHOUT_LENGTH),
            );
        }
    }

    pub(crate) fn type_of_unevaluated(&mut self, expr: &ast::Expr) -> Option<Type> {
        if let Ast::Parentheses(inner) = &expr.kind
            && let Ast::Name(_) = &inner.kind
        {
            return self.type_of_unevaluated(inner);
        }
        if let Ast::Name(name) = &expr.kind {
            let ty = ast::Type {
                kind: ast::TypeKind::Name(name.clone()),
                qualifiers: ast::Qualifiers::default(),
                span: expr.span,
            };
            match self.resolve_quietly(name, Want::Any) {
                Some(Entity::Type(_) | Entity::Alias(_)) => return self.resolve_type(&ty),
                // Of the library's, which knows its names in `std` only as it resolves them.
                None if name.segments.len() > 1 => {
                    if let Some(found) = self.trial(|this| this.resolve_type(&ty)) {
                        return Some(found);
                    }
                }
                _ => {}
            }
        }
        let operand = self.unevaluated(expr);
        if operand.is_error() {
            return None;
        }
        if let Operand::Place(place, _) = &operand
            && self.program.is_bit_field(place)
        {
            self.messages.error("bit-field", expr.span, "invalid application of `sizeof` to a bit-field");
            return None;
        }
        match operand.ty() {
            Some(ty) => Some(ty),
            None => {
                self.messages.error("type", expr.span, "cannot determine the type of this");
                None
            }
        }
    }

    /// `decltype(x)`.
    pub(crate) fn decltype(&mut self, expr: &ast::Expr) -> Option<Type> {
        let named = matches!(expr.kind, Ast::Name(_) | Ast::Member { .. });
        if let Ast::Name(name) = &expr.kind
            && let Some(declared) = self.declared_type(name)
        {
            return Some(declared);
        }
        let operand = self.apart_if_needed(|this| this.unevaluated(expr));
        match operand {
            Operand::Error(span) => {
                self.messages.poison(span);
                None
            }
            Operand::Value(value) => Some(value.ty),
            Operand::Init(_, ty, _) => Some(ty),
            Operand::Place(place, _) if named => Some(place.ty),
            Operand::Place(place, movable) => Some(self.program.reference(place.ty, movable)),
            Operand::Functions(set) if matches!(expr.kind, Ast::Unary(ast::UnaryOperator::Address, _)) => {
                let address = self.only_function(&set);
                if address.is_none() {
                    self.messages.error(
                        "type",
                        expr.span,
                        "this names several functions: cast it to one of their types",
                    );
                }
                address.map(|found| found.ty)
            }
            Operand::Functions(_) | Operand::List(_) => {
                self.messages.error("type", expr.span, "cannot determine the type of this");
                None
            }
        }
    }

    /// Type of a variable as it was declared.
    fn declared_type(&mut self, name: &Name) -> Option<Type> {
        match self.resolve_quietly(name, Want::Any)? {
            Entity::Local(uid, local) if uid == self.frame.uid() => {
                Some(self.frame.local_type(local, &self.program))
            }
            Entity::Field(record, path) => {
                let mut record = record;
                let mut found = None;
                for number in path.iter() {
                    let ty = self.program[record].fields.get(*number as usize)?.ty;
                    found = Some(ty);
                    if let Some(next) = self.program.record_of(ty) {
                        record = next;
                    }
                }
                found
            }
            _ => None,
        }
    }

    /// `(p + ...)` and the like.
    fn fold(
        &mut self,
        operator: ast::BinaryOperator,
        left: Option<&ast::Expr>,
        right: Option<&ast::Expr>,
        span: Span,
    ) -> Operand {
        let has_pack = |this: &mut Self, side: Option<&ast::Expr>| match side {
            Some(expr) => this.trial(|this| this.pack_length(|walk| walk.expr(expr), span)).is_some(),
            None => false,
        };
        let from_left = left.is_none() || (right.is_some() && !has_pack(self, left));
        let (pattern, start) = match (left, right) {
            (Some(pattern), None) => (pattern, None),
            (None, Some(pattern)) => (pattern, None),
            (Some(start), Some(pattern)) if from_left => (pattern, Some(start)),
            (Some(pattern), Some(start)) => (pattern, Some(start)),
            (None, None) => return Operand::Error(span),
        };
        let Some(count) = self.pack_length(|walk| walk.expr(pattern), span) else {
            return Operand::Error(span);
        };
        let mut all = vec![];
        let before = self.body.expansion();
        for at in 0..count {
            self.body.replace_expansion(Some(at));
            let operand = self.expr(pattern);
            self.body.replace_expansion(before);
            all.push(operand);
        }
        let start = start.map(|start| self.expr(start));
        if from_left {
            all.reverse();
            all.extend(start);
        } else {
            all.extend(start);
        }
        // The last of the list is where the fold begins; it goes towards the front.
        let Some(mut found) = all.pop() else {
            return self.program.empty_fold(operator, span, &mut self.messages);
        };
        while let Some(next) = all.pop() {
            found = if from_left {
                self.binary_operands(operator, found, next, span, span)
            } else {
                self.binary_operands(operator, next, found, span, span)
            };
        }
        found
    }

    fn compound_literal(&mut self, ty: &ast::Type, list: &ast::InitList, span: Span) -> Operand {
        let Some(ty) = self.resolve_type(ty) else { return Operand::Error(span) };
        self.braced(ty, list, span)
    }

    /// `T{…}`.
    pub(crate) fn braced(&mut self, ty: Type, list: &ast::InitList, span: Span) -> Operand {
        if let TypeKind::UnknownArray(of) = self.program.kind(ty) {
            let initializer = ast::Initializer::Braces(list.clone());
            let Some((length, init)) = self.open_array(of, &initializer) else { return Operand::Error(span) };
            let ty = self.program.ty(TypeKind::Array(of, length));
            return Operand::Init(init, ty, span);
        }
        match self.direct_list_init(ty, list) {
            Some(init) => self.program.init_operand(init, ty, span),
            None => Operand::Error(span),
        }
    }
}

/// The word that a text begins with.
fn first_word(text: &str) -> &str {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    &text[..text.find(|letter| !is_part(letter)).unwrap_or(text.len())]
}
