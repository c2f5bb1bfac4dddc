//! Initialisation: by value, by arguments in parentheses, by lists in braces.
//!
//! Enters: a type and what a declaration writes after it. Leaves: what fills the memory. This module must never know whose
//! memory it is.

use std::rc::Rc;

use crate::ast::{self, Designator, InitList, Initializer};
use crate::diagnostic::Diagnostic;
use crate::hir::{Expr, ExprKind, Init, Integer, Place, PlaceKind, RecordId, Stmt, StmtKind, Type, TypeKind};
use crate::sorted::Sorted;
use crate::source::Span;

use crate::check::Checker;
use crate::check::calls::callee::Callee;
use crate::check::calls::overload::NoMatch;
use crate::check::context::messages::Messages;
use crate::check::context::output::Output;
use crate::check::expressions::convert::is_vector;
use crate::check::expressions::operand::Operand;
use crate::check::types::kind::plain;

/// Value of a list.
struct Item {
    operand: Operand,
    /// Text, for a string literal.
    string: Option<Rc<[u8]>>,
    /// `.x =`.
    field: Option<ast::Ident>,
    span: Span,
}

/// Values of a list that are not used yet, last first.
struct Items {
    rest: Vec<Item>,
}

impl Items {
    fn peek(&self) -> Option<&Item> {
        self.rest.last()
    }

    fn next(&mut self) -> Option<Item> {
        self.rest.pop()
    }
}

/// Text of a string literal.
pub(crate) fn string_of(expr: &ast::Expr) -> Option<Rc<[u8]>> {
    match &expr.kind {
        ast::ExprKind::String(text) => Some(Rc::clone(text)),
        ast::ExprKind::Parentheses(inner) => string_of(inner),
        _ => None,
    }
}

impl Output {
    fn is_character(&self, ty: Type) -> bool {
        matches!(self.kind_of(ty), TypeKind::Integer(Integer::Char | Integer::SChar | Integer::UChar))
    }

    /// Floating-point number in braces for an integer parameter of a constructor.
    fn narrows(&self, operands: &[Operand], params: &[Type]) -> Option<(Span, Type, Type)> {
        operands.iter().zip(params).find_map(|(operand, to)| {
            let (from, to) = (operand.ty()?, self.without_reference(*to));
            (self.is_floating(from) && self.is_integral(to)).then(|| (operand.span(), from, to))
        })
    }

    /// Place of a field as memory: of a reference, what holds the address.
    pub(super) fn raw_field(
        &mut self,
        of: Place,
        record: RecordId,
        path: &[u32],
        span: Span,
    ) -> (Place, Type) {
        let mut place = of;
        let mut record = record;
        let mut ty = place.ty;
        for number in path {
            let Some(field) = self[record].fields.get(*number as usize) else {
                break;
            };
            ty = field.ty;
            let held = match self.referred(ty) {
                Some((to, _)) => self.pointer(to),
                None => ty,
            };
            place = Place { kind: PlaceKind::Field(Box::new(place), *number), ty: held, span };
            if let Some(next) = self.record_of(ty) {
                record = next;
            }
        }
        (place, ty)
    }

    /// Statement that fills a place.
    pub(crate) fn fill(&self, place: Place, init: Init, span: Span) -> Stmt {
        let ty = place.ty;
        let kind = match init {
            Init::Value(value) => PlaceKind::Assign(Box::new(place), Box::new(value)),
            Init::Zero if self.is_scalar(ty) => {
                let zero = self.zero(ty, span);
                PlaceKind::Assign(Box::new(place), Box::new(zero))
            }
            init if self.side().is_host() => return Stmt { kind: StmtKind::Fill(place, init), span },
            init => PlaceKind::AssignInit(Box::new(place), Box::new(init)),
        };
        Stmt { kind: StmtKind::Place(Place { kind, ty, span }), span }
    }

    /// Explicit value of a scalar type from nothing: `T()`.
    pub(crate) fn value_of_nothing(&self, ty: Type, span: Span) -> Expr {
        let zero = self.zero(ty, span);
        match zero.kind {
            ExprKind::Integer(_) | ExprKind::Float(_) => zero,
            _ => Expr { ty: plain(ty), ..zero },
        }
    }
}

impl Messages<'_> {
    fn string_init(&mut self, text: &Rc<[u8]>, length: Option<u64>, span: Span) -> Option<Init> {
        if let Some(length) = length
            && text.len() as u64 + 1 > length
        {
            self.error(
                "array-size",
                span,
                format!(
                    "initialiser string is too long: it has {} characters with its terminating zero, the array {length}",
                    text.len() + 1
                ),
            );
            return None;
        }
        Some(Init::Bytes(Rc::clone(text)))
    }

    fn nothing_left(&mut self, items: &Items, span: Span) -> Option<()> {
        let Some(item) = items.peek() else { return Some(()) };
        let _ = span;
        if item.operand.is_error() {
            self.poison(item.span);
            return None;
        }
        self.error("init", item.span, "excess elements in initialiser list");
        None
    }
}

impl Output {
    fn field_number(&self, record: RecordId, name: &ast::Ident, messages: &mut Messages<'_>) -> Option<u32> {
        let fields = &self[record].fields;
        let found = fields.iter().position(|field| *field.name == *name.symbol.0);
        if found.is_none() {
            let shown = self[record].name.to_string();
            let message = format!("type `{shown}` has no field `{}`", name.symbol);
            messages.unknown_name(format!("{shown}::{}", name.symbol), name.span, message);
        }
        found.map(|at| at as u32)
    }

    /// The same as [`Self::fill`], where there is anything to fill with.
    pub(super) fn filled(&self, place: Place, init: Init, span: Span) -> Option<Stmt> {
        (!matches!(init, Init::Nothing)).then(|| self.fill(place, init, span))
    }
}

impl Checker<'_> {
    /// What a declaration's initialiser makes of a variable of a type.
    pub(crate) fn initializer(
        &mut self,
        ty: Type,
        initializer: Option<&Initializer>,
        span: Span,
    ) -> Option<Init> {
        match initializer {
            None => self.default_init(ty, false, span),
            Some(Initializer::Equals(expr)) => self.init_by(ty, expr),
            Some(Initializer::Braces(list)) => self.direct_list_init(ty, list),
            Some(Initializer::Parentheses(arguments, place)) => {
                if let [one] = arguments.as_slice()
                    && self.program.array_of(ty).is_some()
                {
                    return self.init_by(ty, one);
                }
                let operands = self.operands(arguments);
                self.direct_init(ty, operands, *place)
            }
        }
    }

    /// `T x = value`.
    pub(crate) fn init_by(&mut self, ty: Type, expr: &ast::Expr) -> Option<Init> {
        if let ast::ExprKind::List(list) = &expr.kind {
            return self.list_init(ty, list);
        }
        if let Some((of, length)) = self.program.array_of(ty) {
            if let Some(text) = string_of(expr)
                && self.program.is_character(of)
            {
                return self.messages.string_init(&text, length, expr.span);
            }
            let operand = self.expr(expr);
            if let Operand::Init(init, from, _) = operand {
                if plain(from) == plain(ty) {
                    return Some(init);
                }
            } else if operand.is_error() {
                return None;
            }
            self.messages.error_help(
                "type",
                expr.span,
                "array initialiser must be a list in braces",
                "write `{…}`, or copy the elements in a loop",
            );
            return None;
        }
        let operand = self.expr(expr);
        self.initialised(operand, ty)
    }

    /// `T x(a, b)`.
    pub(crate) fn direct_init(&mut self, ty: Type, operands: Vec<Operand>, span: Span) -> Option<Init> {
        if operands.iter().any(Operand::is_error) {
            self.messages.poison(span);
            return None;
        }
        if operands.is_empty() {
            return self.default_init(ty, true, span);
        }
        let Some(record) = self.program.record_of(ty) else {
            let mut operands = operands;
            let (Some(operand), true) = (operands.pop(), operands.is_empty()) else {
                let shown = self.program.show(ty);
                self.messages.error("type", span, format!("`{shown}` takes one value"));
                return None;
            };
            if self.program.referred(ty).is_none()
                && operand.ty().is_some_and(|from| self.program.record_of(from).is_some())
                && let Some(callee) = self.explicit_conversion(&operand, plain(ty))
            {
                let found = self.call_conversion(operand, &callee)?;
                return self.initialised(found, ty);
            }
            return self.initialised(operand, ty);
        };
        if !self.require_complete(ty, span) {
            return None;
        }
        if let [operand] = operands.as_slice()
            && let Some(source) = operand.ty().and_then(|from| self.program.record_of(from))
            && source == record
        {
            let operand = operands.into_iter().next()?;
            return self.copy_of(operand, source, record);
        }
        match self.resolve_constructor(record, &operands, true, true, span) {
            Ok(callee) => self.construct_inherited_or_own(record, callee, operands, span),
            Err(why) => {
                if let [operand] = operands.as_slice()
                    && let Some(callee) = self.explicit_conversion(operand, plain(ty))
                {
                    let operand = operands.into_iter().next()?;
                    let found = self.call_conversion(operand, &callee)?;
                    return self.initialised(found, ty);
                }
                self.tell_no_constructor(record, &operands, span, why);
                None
            }
        }
    }

    fn tell_no_constructor(&mut self, record: RecordId, operands: &[Operand], span: Span, why: NoMatch) {
        let name = self.program[record].name.to_string();
        if self.classes[record].constructors.is_empty() && matches!(why, NoMatch::None(_)) {
            self.messages.error_help(
                "constructor",
                span,
                format!("`{name}` has no constructor"),
                match is_vector(&name) {
                    true => format!("write `make_{name}(…)`"),
                    false => format!("write its fields in braces: `{name}{{…}}`"),
                },
            );
            return;
        }
        self.tell_no_match(&name, operands, span, why);
    }

    /// Values of a list, evaluated in order.
    fn items(&mut self, list: &InitList) -> Option<Items> {
        let mut all = vec![];
        for element in &list.elements {
            let field = match element.designators.as_slice() {
                [] => None,
                [Designator::Member(name)] => Some(name.clone()),
                _ => {
                    self.messages.refuse(
                        element.value.span,
                        "designators of this kind are",
                        "write nested braces",
                    );
                    return None;
                }
            };
            let string = string_of(&element.value);
            if let ast::ExprKind::Pack(_) = &element.value.kind {
                for operand in self.operands(std::slice::from_ref(&element.value)) {
                    let span = operand.span();
                    all.push(Item { operand, string: None, field: None, span });
                }
                continue;
            }
            let operand = self.expr(&element.value);
            all.push(Item { operand, string, field, span: element.value.span });
        }
        all.reverse();
        Some(Items { rest: all })
    }

    /// `T x{a, b}`, `T{a, b}`: `explicit` constructors count too.
    pub(crate) fn direct_list_init(&mut self, ty: Type, list: &InitList) -> Option<Init> {
        self.body.fill_directly();
        self.list_init(ty, list)
    }

    /// `T x = {a, b}`.
    pub(crate) fn list_init(&mut self, ty: Type, list: &InitList) -> Option<Init> {
        let direct = self.body.take_direct();
        if !self.enter(list.span) {
            self.leave();
            return None;
        }
        let found = self.list_init_anew(ty, list, direct);
        self.leave();
        found
    }

    fn list_init_anew(&mut self, ty: Type, list: &InitList, direct: bool) -> Option<Init> {
        match self.program.kind(ty) {
            TypeKind::Reference { to, .. } => {
                if let [one] = list.elements.as_slice()
                    && !matches!(one.value.kind, ast::ExprKind::List(_))
                    && self.program.record_of(to).is_none()
                    && self.program.array_of(to).is_none()
                {
                    let operand = self.expr(&one.value);
                    return self.converted(operand, ty).map(Init::Value);
                }
                let operand = Operand::List(Rc::new(list.clone()));
                self.converted(operand, ty).map(Init::Value)
            }
            TypeKind::Record(record) => {
                if !self.require_complete(ty, list.span) {
                    return None;
                }
                if let Some(object) = self.list_object(record, list) {
                    return object;
                }
                self.list_record(ty, record, list, direct)
            }
            TypeKind::Array(of, length) => {
                if let [one] = list.elements.as_slice()
                    && let Some(text) = string_of(&one.value)
                    && self.program.is_character(of)
                {
                    return self.messages.string_init(&text, Some(length), one.value.span);
                }
                let mut items = self.items(list)?;
                let (all, filler) = self.fill_array(of, Some(length), &mut items, list.span)?;
                self.messages.nothing_left(&items, list.span)?;
                Some(Init::Elements(all, filler.map(Box::new)))
            }
            TypeKind::UnknownArray(_) | TypeKind::Void | TypeKind::Function(..) => {
                let shown = self.program.show(ty);
                self.messages.error("type", list.span, format!("a list cannot initialise `{shown}`"));
                None
            }
            TypeKind::Bool
            | TypeKind::Integer(_)
            | TypeKind::Float
            | TypeKind::Double
            | TypeKind::NullPointer
            | TypeKind::Pointer(_)
            | TypeKind::Member { .. }
            | TypeKind::Enum(_) => self.list_scalar(ty, list),
        }
    }

    fn list_scalar(&mut self, ty: Type, list: &InitList) -> Option<Init> {
        match list.elements.as_slice() {
            [] => Some(Init::Zero),
            [one] => {
                if let ast::ExprKind::List(inner) = &one.value.kind {
                    return self.list_init(ty, inner);
                }
                let operand = self.expr(&one.value);
                self.messages.warn_narrowing(&operand, ty, &self.program);
                self.converted(operand, ty).map(Init::Value)
            }
            _ => {
                let shown = self.program.show(plain(ty));
                self.messages.error(
                    "type",
                    list.span,
                    format!("`{shown}` takes one value, not {}", list.elements.len()),
                );
                None
            }
        }
    }

    fn list_record(&mut self, ty: Type, record: RecordId, list: &InitList, direct: bool) -> Option<Init> {
        if let [one] = list.elements.as_slice()
            && one.designators.is_empty()
            && !matches!(one.value.kind, ast::ExprKind::List(_) | ast::ExprKind::Pack(_))
        {
            // A list of one object of the class is that object.
            let operand = self.expr(&one.value);
            if operand.is_error() {
                return None;
            }
            if let Some(source) = operand.ty().and_then(|from| self.program.record_of(from))
                && self.is_base(record, source)
            {
                return self.copy_of(operand, source, record);
            }
            if !self.classes[record].aggregate {
                if let Some(found) = self.list_constructor(record, list) {
                    return found;
                }
                return self.list_construct(record, vec![operand], direct, list.span);
            }
            let item = Item { operand, string: string_of(&one.value), field: None, span: one.value.span };
            let mut items = Items { rest: vec![item] };
            let found = self.fill_record(ty, record, &mut items, list.span)?;
            self.messages.nothing_left(&items, list.span)?;
            return Some(found);
        }
        if self.classes[record].aggregate {
            if list.elements.is_empty() {
                return self.default_init(plain(ty), true, list.span);
            }
            let mut items = self.items(list)?;
            if items.rest.iter().any(|item| item.operand.is_error()) {
                self.messages.poison(list.span);
                return None;
            }
            let found = self.fill_record(ty, record, &mut items, list.span)?;
            self.messages.nothing_left(&items, list.span)?;
            return Some(found);
        }
        if list.elements.is_empty() {
            return self.default_init(plain(ty), true, list.span);
        }
        if let Some(found) = self.list_constructor(record, list) {
            return found;
        }
        let operands = self.list_operands(list)?;
        self.list_construct(record, operands, direct, list.span)
    }

    /// Operands that a list's values are, packs expanded.
    pub(crate) fn list_operands(&mut self, list: &InitList) -> Option<Vec<Operand>> {
        let items = self.items(list)?;
        Some(items.rest.into_iter().rev().map(|item| item.operand).collect())
    }

    fn list_construct(
        &mut self,
        record: RecordId,
        operands: Vec<Operand>,
        direct: bool,
        span: Span,
    ) -> Option<Init> {
        match self.resolve_constructor(record, &operands, true, true, span) {
            Ok(Callee::Decl(_, _, signature))
                if self.program.narrows(&operands, &signature.params).is_some() =>
            {
                let (at, a, b) = self.program.narrows(&operands, &signature.params)?;
                let (a, b) = (self.program.show(plain(a)), self.program.show(plain(b)));
                self.messages.error_help(
                    "narrowing",
                    at,
                    format!("`{a}` cannot be narrowed to `{b}` in an initialiser list"),
                    format!("write a cast, `({b})`, or use parentheses instead of braces"),
                );
                None
            }
            Ok(Callee::Decl(decl, ..))
                if !direct && self.declarations[decl].ast.specifiers.is_explicit.is_some() =>
            {
                let name = self.program[record].name.to_string();
                let declared = self.declarations[decl].ast.name.span;
                self.messages.report(
                    Diagnostic::error(
                        "explicit",
                        span,
                        format!("chosen constructor of `{name}` is `explicit`: the type must be named"),
                    )
                    .related(declared, "declared here")
                    .help(format!("write `{name}` before the braces")),
                );
                None
            }
            Ok(callee) => {
                self.body.evaluate_in_order();
                self.construct_inherited_or_own(record, callee, operands, span)
            }
            Err(why) => {
                self.tell_no_constructor(record, &operands, span, why);
                None
            }
        }
    }

    /// Fields of a class from the values that come next.
    fn fill_record(&mut self, ty: Type, record: RecordId, items: &mut Items, span: Span) -> Option<Init> {
        let count = self.program[record].fields.len() as u32;
        if self.classes[record].union {
            return self.fill_union(record, items, span);
        }
        let _ = ty;
        let mut fields = Sorted::default();
        let mut number = 0;
        while number < count {
            let field = self.program[record].fields.get(number as usize).cloned()?;
            if field.bits.is_some() && field.name.is_empty() {
                number += 1;
                continue;
            }
            if let Some(name) = items.peek().and_then(|item| item.field.clone()) {
                let asked = self.program.field_number(record, &name, &mut self.messages)?;
                if asked < number {
                    self.messages.error(
                        "init",
                        name.span,
                        format!(
                            "designator `.{}` does not match the declaration order of the fields",
                            name.symbol
                        ),
                    );
                    return None;
                }
                while number < asked {
                    let init = self.default_member(record, number, true, span)?;
                    fields.insert(number, init);
                    number += 1;
                }
                if let Some(item) = items.rest.last_mut() {
                    item.field = None;
                }
                continue;
            }
            let init = match items.peek() {
                Some(_) => self.fill_one(field.ty, items, span)?,
                None => self.default_member(record, number, true, span)?,
            };
            fields.insert(number, init);
            number += 1;
        }
        Some(Init::Fields(fields))
    }

    fn fill_union(&mut self, record: RecordId, items: &mut Items, span: Span) -> Option<Init> {
        let number = match items.peek().and_then(|item| item.field.clone()) {
            Some(name) => self.program.field_number(record, &name, &mut self.messages)?,
            None => 0,
        };
        if let Some(item) = items.rest.last_mut() {
            item.field = None;
        }
        let Some(field) = self.program[record].fields.get(number as usize).cloned() else {
            return Some(Init::Nothing);
        };
        let init = match items.peek() {
            Some(_) => self.fill_one(field.ty, items, span)?,
            None => {
                let ty = self.program.record_type(record);
                return self.default_init(ty, true, span);
            }
        };
        Some(Init::Fields(Sorted::from([(number, init)])))
    }

    /// A field or element from the value that comes next, or, without braces of its own, from several.
    fn fill_one(&mut self, ty: Type, items: &mut Items, span: Span) -> Option<Init> {
        let Some(item) = items.peek() else { return self.default_init(ty, true, span) };
        if item.operand.is_error() {
            let at = item.span;
            self.messages.poison(at);
            return None;
        }
        if let Operand::List(list) = &item.operand {
            let list = Rc::clone(list);
            items.next();
            return self.list_init(ty, &list);
        }
        if let Some((of, length)) = self.program.array_of(ty) {
            if let Some(text) = item.string.clone()
                && self.program.is_character(of)
            {
                let at = item.span;
                items.next();
                return self.messages.string_init(&text, length, at);
            }
            let (all, filler) = self.fill_array(of, length, items, span)?;
            return Some(Init::Elements(all, filler.map(Box::new)));
        }
        if let Some(record) = self.program.record_of(ty) {
            if !self.require_complete(ty, span) {
                return None;
            }
            let operand = item.operand.clone();
            let converts = self.conversion(&operand, ty, true).is_some();
            if !converts && self.classes[record].aggregate {
                return self.fill_record(ty, record, items, span);
            }
            items.next();
            return self.initialised(operand, ty);
        }
        let item = items.next()?;
        self.messages.warn_narrowing(&item.operand, ty, &self.program);
        self.converted(item.operand, ty).map(Init::Value)
    }

    /// Elements of an array from the values that come next, and what the rest starts as.
    fn fill_array(
        &mut self,
        of: Type,
        length: Option<u64>,
        items: &mut Items,
        span: Span,
    ) -> Option<(Vec<Init>, Option<Init>)> {
        let mut all = vec![];
        while items.peek().is_some() && length.is_none_or(|length| (all.len() as u64) < length) {
            if let Some(name) = items.peek().and_then(|item| item.field.clone()) {
                self.messages.error("init", name.span, "an array has no fields");
                return None;
            }
            let before = items.rest.len();
            all.push(self.fill_one(of, items, span)?);
            if items.rest.len() == before {
                break;
            }
        }
        let filler = match length {
            Some(length) if (all.len() as u64) < length => Some(self.default_init(of, true, span)?),
            _ => None,
        };
        Some((all, filler))
    }

    /// Length of an array that a list or a text says, and what fills it.
    pub(crate) fn open_array(&mut self, of: Type, initializer: &Initializer) -> Option<(u64, Init)> {
        let (list, text, span) = match initializer {
            Initializer::Equals(expr) => match &expr.kind {
                ast::ExprKind::List(list) => (Some(list), None, expr.span),
                _ => (None, string_of(expr), expr.span),
            },
            Initializer::Braces(list) => (Some(list), None, list.span),
            Initializer::Parentheses(_, span) => (None, None, *span),
        };
        let text = match (text, list.map(|list| list.elements.as_slice())) {
            (None, Some([one])) => string_of(&one.value),
            (text, _) => text,
        };
        if let Some(text) = text
            && self.program.is_character(of)
        {
            return Some((text.len() as u64 + 1, Init::Bytes(text)));
        }
        let Some(list) = list else {
            self.messages.error("array-size", span, "the length of this array is unknown");
            return None;
        };
        let mut items = self.items(list)?;
        let (all, _) = self.fill_array(of, None, &mut items, span)?;
        self.messages.nothing_left(&items, span)?;
        Some((all.len() as u64, Init::Elements(all, None)))
    }
}
