//! Implicit conversions: what they do.
//!
//! Enters: operands and types. Leaves: typed expressions. This module must never know which function is being called.

use crate::diagnostic::Diagnostic;
use crate::hir::{Arg, Compare, Expr, ExprKind, Init, Integer, Place, PlaceKind, Type, TypeKind};
use crate::source::Span;

use crate::check::Checker;
use crate::check::calls::callee::Callee;
use crate::check::context::classes::Classes;
use crate::check::context::messages::Messages;
use crate::check::context::output::Output;
use crate::check::expressions::operand::{Operand, number};
use crate::check::types::kind::plain;

/// Whether a name is that of one of CUDA's vectors, such as `float4`.
pub(crate) fn is_vector(name: &str) -> bool {
    let of = name.strip_suffix(['1', '2', '3', '4']).unwrap_or_default();
    let of = of.strip_prefix('u').unwrap_or(of);
    matches!(of, "char" | "short" | "int" | "long" | "longlong" | "float" | "double")
}
impl Output {
    /// Zero of a scalar type.
    pub(crate) fn zero(&self, ty: Type, span: Span) -> Expr {
        let ty = plain(ty);
        match self.kind(ty) {
            TypeKind::Float | TypeKind::Double => Expr { kind: ExprKind::Float(0), ty, span },
            _ => number(0, ty, span),
        }
    }

    /// `x != 0`.
    pub(crate) fn truth(&self, value: Expr) -> Expr {
        if self.is_bool(value.ty) {
            return value;
        }
        let (ty, span) = (value.ty, value.span);
        if let ExprKind::Integer(found) = value.kind {
            return number(i128::from(found != 0), self.basic().bool, span);
        }
        let zero = self.zero(ty, span);
        let kind = ExprKind::Compare(Compare::NotEqual, Box::new(value), Box::new(zero));
        Expr { kind, ty: self.basic().bool, span }
    }

    /// Type that two arithmetic types are computed in.
    pub(crate) fn common_type(&mut self, a: Type, b: Type) -> Type {
        let (a, b) = (plain(a), plain(b));
        if a == self.basic().double || b == self.basic().double {
            return self.basic().double;
        }
        if a == self.basic().float || b == self.basic().float {
            return self.basic().float;
        }
        let rank = |ty: TypeKind| match ty {
            TypeKind::Integer(Integer::LongLong | Integer::ULongLong) => 3,
            TypeKind::Integer(Integer::Long | Integer::ULong) => 2,
            _ => 1,
        };
        if a == b {
            return a;
        }
        let (x, y) = (rank(self.kind(a)), rank(self.kind(b)));
        let signs =
            (self.width(a).is_none_or(|(_, signed)| signed), self.width(b).is_none_or(|(_, signed)| signed));
        if signs.0 == signs.1 {
            return if x >= y { a } else { b };
        }
        let ((unsigned, of_unsigned), (signed, of_signed)) =
            if signs.0 { ((b, y), (a, x)) } else { ((a, x), (b, y)) };
        if of_unsigned >= of_signed {
            return unsigned;
        }
        let (wide, narrow) = (self.width(signed), self.width(unsigned));
        if wide.map(|(bits, _)| bits) > narrow.map(|(bits, _)| bits) {
            return signed;
        }
        // As wide, of a higher rank: the unsigned type of that rank.
        match of_signed {
            3 => self.integer(Integer::ULongLong),
            _ => self.basic().ulong,
        }
    }
}

impl Messages<'_> {
    /// Reports that a method is named and not called.
    pub(crate) fn tell_method(&mut self, set: &crate::check::expressions::operand::FunctionSet) -> bool {
        if set.object.is_none() {
            return false;
        }
        let name = set.name.to_string();
        let message = format!("reference to method `{name}` must be called");
        self.error_help("type", set.span, message, format!("call it: `{name}()`"));
        true
    }

    /// Reports that a built-in variable such as `threadIdx` is used without saying which of its parts.
    pub(crate) fn tell_coordinates(&mut self, span: Span) -> bool {
        let name = self.text(span);
        if !matches!(name, "threadIdx" | "blockIdx" | "blockDim" | "gridDim") {
            return false;
        }
        let message = format!("`{name}` has three components and is not a number");
        let help = format!("write `{name}.x`, `{name}.y` or `{name}.z`");
        self.error_help("type", span, message, help);
        true
    }
}

impl Classes {
    /// Type that an arithmetic type is promoted to.
    pub(crate) fn promoted_type(&self, ty: Type, bits: Option<u32>, program: &mut Output) -> Type {
        let ty = plain(ty);
        match program.kind(ty) {
            TypeKind::Bool => program.basic().int,
            TypeKind::Integer(integer) => {
                if let Some(width) = bits
                    && integer.bytes() == 4
                {
                    let fits = width < 32 || (width == 32 && integer.signed());
                    return if fits { program.basic().int } else { program.basic().uint };
                }
                match integer {
                    Integer::Char | Integer::SChar | Integer::UChar | Integer::Short | Integer::UShort => {
                        program.basic().int
                    }
                    _ => ty,
                }
            }
            TypeKind::Enum(id) if !program[id].scoped => {
                let underlying = program[id].underlying;
                match self[id].promoted {
                    Some(promoted) => promoted,
                    None => self.promoted_type(underlying, None, program),
                }
            }
            _ => ty,
        }
    }
}

impl Output {
    pub(crate) fn conversion_help(
        &mut self,
        operand: &Operand,
        from: Type,
        to: Type,
        messages: &Messages<'_>,
    ) -> Option<String> {
        if let Operand::Value(_) | Operand::Place(..) = operand
            && let Some(record) = self.record_of(from)
            && self.is_arithmetic(self.without_reference(to))
        {
            let fields = &self[record].fields;
            if let Some(field) = fields.first().filter(|field| !field.name.is_empty()) {
                return Some(format!(
                    "`{}` has several members: write which one, such as `.{}`",
                    self.show(plain(from)),
                    field.name
                ));
            }
        }
        if let Some(help) = self.class_help(operand, from, self.without_reference(to), messages) {
            return Some(help);
        }
        let number = self.without_reference(to);
        if self.enum_of(from).is_some() && !self.is_unscoped(from) && self.is_arithmetic(number) {
            let number = self.show(plain(number));
            return Some(format!(
                "an `enum class` does not convert to a number: write `({number})` before it for its value"
            ));
        }
        if self.enum_of(number).is_some() && self.is_integral(from) {
            let shown = self.show(plain(number));
            return Some(format!("a number converts to an `enum` only by a cast: `static_cast<{shown}>(…)`"));
        }
        let decayed = self.decayed(from);
        if self.is_function_pointer(to) && self.record_of(from).is_some_and(|record| self[record].lambda) {
            return Some(
                "function pointers are not supported: write `auto` for the variable's type".to_owned(),
            );
        }
        match (self.pointee(decayed), self.pointee(to)) {
            (Some(a), Some(b)) if self.is_void(a) => {
                Some(format!("C++ requires a cast: write `({} *)` before it", self.show(b)))
            }
            (Some(a), Some(b)) if self.similar(a, b) && a.constant && !b.constant => {
                Some("it points to `const` data, which may only be read".to_owned())
            }
            (Some(a), Some(b)) if !self.is_void(a) => {
                let _ = b;
                Some("pointers to different types do not convert; a cast reinterprets the bytes".to_owned())
            }
            (Some(_), None) if self.is_arithmetic(to) && has_comma_in_index(operand) => Some(
                "for two dimensions write `[row][column]`: a comma in brackets discards the value before it"
                    .to_owned(),
            ),
            (Some(_), None) if self.is_arithmetic(to) && self.is_literal(operand) => {
                Some("a single character is written in single quotes: `'a'`".to_owned())
            }
            (Some(a), None) if self.is_arithmetic(to) && self.similar(a, to) => Some(
                "this is an address: write `*` before it, or an index after it, for what it points to"
                    .to_owned(),
            ),
            (None, Some(b)) if self.similar(decayed, b) => Some(match operand {
                Operand::Place(_, false) => "write `&` before it for its address".to_owned(),
                _ => "a pointer is expected: to use the element that it points to, write an index after it"
                    .to_owned(),
            }),
            _ => match self.referred(to) {
                Some((inner, false)) if !inner.constant && !matches!(operand, Operand::Place(_, false)) => {
                    Some(
                        "a reference that is not `const` needs a variable; `const T &` accepts any value"
                            .to_owned(),
                    )
                }
                _ => None,
            },
        }
    }

    /// Whether an operand is a string literal.
    pub(crate) fn is_literal(&self, operand: &Operand) -> bool {
        matches!(operand, Operand::Place(Place { kind: PlaceKind::Variable(id), .. }, _) if self.is_string(*id))
    }

    /// What to write where a number is written for a class.
    fn class_help(&self, operand: &Operand, from: Type, to: Type, messages: &Messages<'_>) -> Option<String> {
        self.record_of(to)?;
        if let Some(packed) = self.packed(to) {
            let half = self.record_of(from).is_some_and(|record| packed.is_of(record, self));
            let number = [self.basic().float, self.basic().double, self.basic().int].contains(&plain(from));
            match packed.of_number.filter(|_| number) {
                _ if half => return Some(packed.of_half.to_owned()),
                Some(help) => return Some(help.to_owned()),
                None => {}
            }
        }
        if !self.is_arithmetic(from) {
            return None;
        }
        let text = messages.text(operand.span());
        // `(1, 2, 3)`: a comma between values, not between arguments.
        let values = if text.len() <= 60 && outer_comma(text) { text.to_owned() } else { String::new() };
        let name = self.show(plain(to));
        let vector = is_vector(&name);
        Some(match (vector, values.is_empty()) {
            (true, true) => format!("write all its members: `make_{name}(…)`"),
            (false, true) => return None,
            (true, false) => {
                format!("a comma between values keeps only the last: write `make_{name}({values})`")
            }
            (false, false) => {
                format!("a comma between values keeps only the last: write `{name}{{{values}}}`")
            }
        })
    }

    fn ambiguous_conversion(&self, operand: &Operand, to: Type, messages: &mut Messages<'_>) {
        let from = operand.ty().map_or_else(|| "list".to_owned(), |ty| self.show(ty));
        let to = self.show(to);
        messages.error_help(
            "ambiguous",
            operand.span(),
            format!("conversion from `{from}` to `{to}` is ambiguous"),
            "write a cast that says which conversion is meant",
        );
    }
}

impl Messages<'_> {
    /// Warns where a constant becomes another number by a conversion that no one wrote.
    fn warn_changed(&mut self, value: &Expr, to: Type, program: &Output) {
        let text = self.text(value.span);
        if program.is_bool(to) || value.span.expansion != 0 || text.is_empty() {
            return;
        }
        if let (ExprKind::Float(found), TypeKind::Float) = (&value.kind, program.kind(plain(to)))
            && value.ty == program.basic().double
        {
            let number = f64::from_bits(*found);
            let (held, shown) = (number as f32, text.to_owned());
            let stored = match (number.is_finite() && held.is_infinite(), number != 0.0 && held == 0.0) {
                (true, _) => "infinity",
                (_, true) => "0",
                (false, false) => return,
            };
            return self.tell_changed(value, to, &shown, stored, program);
        }
        let Some((bits, signed)) = program.width(to) else { return };
        let (shown, stored) = match value.kind {
            ExprKind::Integer(found) if program.is_integral(value.ty) && !program.is_bool(value.ty) => {
                let stored = crate::check::expressions::operand::wrap(found, bits, signed);
                // Masks and -1 are written for the bits that they have.
                let bitwise = found >= -(1i128 << (bits - 1)) && found < 1i128 << bits;
                let decimal = bits >= 32 && text.bytes().all(|one| one.is_ascii_digit());
                if stored == found || (bitwise && !(decimal && found > 0)) {
                    return;
                }
                (found.to_string(), stored.to_string())
            }
            ExprKind::Float(found) => {
                let number = if value.ty == program.basic().float {
                    f64::from(f32::from_bits(found as u32))
                } else {
                    f64::from_bits(found)
                };
                // As the GPU converts: what is out of range becomes the nearest number, and what is none becomes 0.
                let (least, most) = match signed {
                    true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
                    false => (0, (1i128 << bits) - 1),
                };
                let stored = (number as i128).clamp(least, most);
                if !number.is_finite() || number == stored as f64 {
                    return;
                }
                (text.to_owned(), stored.to_string())
            }
            _ => return,
        };
        self.tell_changed(value, to, &shown, &stored, program);
    }

    fn tell_changed(&mut self, value: &Expr, to: Type, shown: &str, stored: &str, program: &Output) {
        let ty = program.show(plain(to));
        self.report(
            Diagnostic::warning(
                "conversion",
                value.span,
                format!("implicit conversion to `{ty}` changes the value from {shown} to {stored}"),
            )
            .help(format!(
                "use a type that can hold the value, or write a cast, `({ty})`, if the change is intended"
            )),
        );
    }
}

impl Messages<'_> {
    fn warn_literal(&mut self, span: Span) {
        let message = "a string literal is `const`: nothing may be written through this `char *`";
        self.report(
            Diagnostic::warning("literal", span, message)
                .help("write `const char *` for the variable or parameter"),
        );
    }
}

impl Checker<'_> {
    /// Whether an operand is a string literal, which as a pointer to this would lose its `const`: C++ has forbidden that since 2011, and
    /// compilers take it.
    pub(crate) fn loses_const(&self, operand: &Operand, target: Type) -> bool {
        !target.constant && self.program.is_literal(operand) && plain(target) == self.program.basic().char
    }

    /// Argument for a parameter.
    pub(crate) fn argument(&mut self, operand: Operand, to: Type) -> Option<Arg> {
        if self.program.referred(to).is_none() && self.program.record_of(to).is_some() {
            let span = operand.span();
            let init = self.initialised(operand, to)?;
            if self.side.is_device() || !self.has_destructor(to) {
                return Some(Arg::Init(init));
            }
            // An object that ends with the expression around.
            let local = self.local("".into(), plain(to), span);
            let kind = PlaceKind::Temporary(local, Box::new(init));
            return Some(Arg::Value(self.program.address(Place { kind, ty: plain(to), span })));
        }
        self.converted(operand, to).map(Arg::Value)
    }

    /// The operand as a scalar or as the address for a reference, or a message.
    pub(crate) fn converted(&mut self, operand: Operand, to: Type) -> Option<Expr> {
        if let Some((referred, rvalue)) = self.program.referred(to) {
            return self.bind_reference(operand, referred, rvalue);
        }
        if operand.is_error() {
            self.messages.poison(operand.span());
            return None;
        }
        if let Operand::List(list) = &operand {
            let list = std::rc::Rc::clone(list);
            return match self.list_init(to, &list)? {
                Init::Value(expr) => Some(expr),
                Init::Zero => Some(self.program.zero(to, list.span)),
                _ => None,
            };
        }
        if self.function_types(to).is_some() || self.program.member_of(to).is_some() {
            let address = match &operand {
                Operand::Functions(set) if self.is_function_of(set, to) => self.function_address(set, to),
                Operand::Functions(_) => None,
                other => self.lambda_address(other, to),
            };
            if address.is_some() {
                return address;
            }
        }
        let Some(sequence) = self.conversion(&operand, to, true) else {
            self.no_conversion(&operand, to);
            return None;
        };
        if sequence.ambiguous {
            self.program.ambiguous_conversion(&operand, to, &mut self.messages);
            return None;
        }
        if let Some(callee) = sequence.user {
            return match self.call_conversion(operand, &callee)? {
                Operand::Init(..) | Operand::Functions(_) | Operand::List(_) | Operand::Error(_) => None,
                found => self.converted(found, to),
            };
        }
        let literal = self.program.pointee(to).is_some_and(|target| self.loses_const(&operand, target));
        let value = self.value(operand)?;
        if literal {
            self.messages.warn_literal(value.span);
        }
        self.messages.warn_changed(&value, to, &self.program);
        self.convert_scalar(value, to)
    }

    /// Standard conversion of a value, known to exist.
    pub(crate) fn convert_scalar(&mut self, value: Expr, to: Type) -> Option<Expr> {
        let to = plain(to);
        if value.ty == to {
            return Some(value);
        }
        let span = value.span;
        if let Some(target) = self.program.pointee(to) {
            if self.program.pointee(value.ty).is_none() {
                return Some(number(0, to, span));
            }
            return Some(self.pointer_to_base(value, target, to));
        }
        if self.program.member_of(to).is_some() {
            return self.convert_member(value, to);
        }
        if self.program.is_null_type(to) {
            return Some(number(0, to, span));
        }
        if self.program.is_bool(to) {
            return Some(self.program.truth(value));
        }
        Some(self.program.convert_arithmetic(value, to))
    }

    /// Pointer to a base class, or with other qualifiers, or to `void`.
    pub(crate) fn pointer_to_base(&mut self, value: Expr, target: Type, to: Type) -> Expr {
        let span = value.span;
        let source = self.program.pointee(value.ty).unwrap_or(target);
        let path = match (self.program.record_of(source), self.program.record_of(target)) {
            (Some(a), Some(b)) if a != b => self.base_path(a, b).map(|path| (a, path)),
            _ => None,
        };
        let Some((derived, path)) = path else {
            return Expr { kind: ExprKind::Cast(Box::new(value)), ty: to, span };
        };
        self.check_path_access(derived, &path, span);
        let mut offset = 0;
        let mut record = derived;
        for number in &path {
            if let Some(field) = self.program[record].fields.get(*number as usize) {
                offset += field.offset;
                match self.program.record_of(field.ty) {
                    Some(next) => record = next,
                    None => break,
                }
            }
        }
        let shared = path.first().is_some_and(|first| self.classes.is_virtual_base(derived, *first));
        if offset == 0 && !shared {
            return Expr { kind: ExprKind::Cast(Box::new(value)), ty: to, span };
        }
        // Null stays null.
        let local = self.local("".into(), value.ty, span);
        let pointer = value.ty;
        let keep =
            crate::hir::Stmt { kind: crate::hir::StmtKind::Let(local, Some(Init::Value(value))), span };
        let load = |ty: Type| Expr {
            kind: ExprKind::Load(Box::new(crate::check::expressions::operand::local_place(local, ty, span))),
            ty,
            span,
        };
        let whole = crate::check::expressions::operand::deref(load(pointer), source, span);
        let place = self.base_place(whole, derived, &path);
        let inner = Expr { kind: ExprKind::Address(Box::new(place)), ty: to, span };
        let null = number(0, pointer, span);
        let test = Expr {
            kind: ExprKind::Compare(Compare::Equal, Box::new(load(pointer)), Box::new(null)),
            ty: self.program.basic().bool,
            span,
        };
        let chosen = Expr {
            kind: ExprKind::Conditional(Box::new(test), Box::new(number(0, to, span)), Box::new(inner)),
            ty: to,
            span,
        };
        Expr { kind: ExprKind::Sequence(vec![keep], Box::new(chosen)), ty: to, span }
    }

    /// Address that a reference holds.
    fn bind_reference(&mut self, operand: Operand, to: Type, rvalue: bool) -> Option<Expr> {
        if operand.is_error() {
            self.messages.poison(operand.span());
            return None;
        }
        let whole = self.program.ty(TypeKind::Reference { to, rvalue });
        let Some(sequence) = self.conversion(&operand, whole, true) else {
            self.no_conversion(&operand, whole);
            return None;
        };
        if sequence.ambiguous {
            self.program.ambiguous_conversion(&operand, whole, &mut self.messages);
            return None;
        }
        let span = operand.span();
        let from = operand.ty();
        let related = from.is_some_and(|from| {
            self.program.similar(from, to)
                || match (self.program.record_of(from), self.program.record_of(to)) {
                    (Some(a), Some(b)) => self.is_base(b, a),
                    _ => false,
                }
        });
        let pointer = self.program.pointer(to);
        if related {
            let bits = matches!(&operand, Operand::Place(place, _) if self.program.is_bit_field(place));
            let operand = if bits { Operand::Value(self.value(operand)?) } else { operand };
            let (place, _) = self.place(operand)?;
            let place = match (self.program.record_of(place.ty), self.program.record_of(to)) {
                (Some(a), Some(b)) if a != b => {
                    let path = self.base_path(a, b)?;
                    self.check_path_access(a, &path, span);
                    self.base_place(place, a, &path)
                }
                _ => place,
            };
            let address = self.program.address(place);
            return Some(Expr { ty: pointer, ..address });
        }
        if let Some(callee) = &sequence.user
            && let Callee::Decl(..) = callee
            && sequence.reference.is_some_and(|(_, temporary, _)| !temporary)
        {
            let found = self.call_conversion(operand, callee)?;
            let (place, _) = self.place(found)?;
            let address = self.program.address(place);
            return Some(Expr { ty: pointer, ..address });
        }
        let target = plain(to);
        let init = self.initialised(operand, target)?;
        let place = self.materialise(init, target, span);
        let address = self.program.address(place);
        Some(Expr { ty: pointer, ..address })
    }

    /// What fills a variable of a type from an operand, as `T x = operand` does.
    pub(crate) fn initialised(&mut self, operand: Operand, to: Type) -> Option<Init> {
        let span = operand.span();
        if operand.is_error() {
            self.messages.poison(span);
            return None;
        }
        let target = self.program.record_of(to);
        if let Operand::List(list) = &operand
            && (target.is_some() || self.program.array_of(to).is_some())
        {
            let list = std::rc::Rc::clone(list);
            return self.list_init(to, &list);
        }
        let Some(target) = target else {
            return self.converted(operand, to).map(Init::Value);
        };
        let operand = match operand {
            Operand::Functions(set) => {
                self.only_function(&set).map_or_else(|| Operand::Functions(set), Operand::Value)
            }
            other => other,
        };
        if let Some(from) = operand.ty()
            && let Some(source) = self.program.record_of(from)
            && self.is_base(target, source)
        {
            return self.copy_of(operand, source, target);
        }
        let Some(sequence) = self.conversion(&operand, to, true) else {
            self.no_conversion(&operand, to);
            return None;
        };
        if sequence.ambiguous {
            self.program.ambiguous_conversion(&operand, to, &mut self.messages);
            return None;
        }
        let callee = sequence.user?;
        match self.call_conversion(operand, &callee)? {
            Operand::Init(init, ty, _) if self.program.record_of(ty) == Some(target) => Some(init),
            found @ (Operand::Init(..) | Operand::Place(..)) => self.initialised(found, to),
            _ => {
                self.messages.poison(span);
                None
            }
        }
    }

    /// Reports that there is no conversion, with why as far as it is plain.
    pub(crate) fn no_conversion(&mut self, operand: &Operand, to: Type) {
        let span = operand.span();
        if let Operand::Functions(set) = operand {
            let name = set.name.to_string();
            if self.messages.tell_method(set) {
                return;
            }
            if self.program.pointee(to).is_none() {
                self.messages.report(
                    Diagnostic::error(
                        "uncalled",
                        span,
                        format!("reference to function `{name}` must be called"),
                    )
                    .help(format!("call it: `{name}(…)`")),
                );
            } else {
                self.messages.refuse(
                    span,
                    "function pointers are",
                    "call the function by its name, or pass a lambda to a template",
                );
            }
            return;
        }
        let Some(from) = operand.ty() else {
            let shown = self.program.show(to);
            self.messages.error("type", span, format!("cannot convert this list to `{shown}`"));
            return;
        };
        if let Operand::Value(value) = operand
            && self.program.is_void(from)
        {
            self.tell_no_value(value);
            return;
        }
        if self.messages.tell_coordinates(span) {
            return;
        }
        let (a, b) = (self.program.show(from), self.program.show(to));
        let mut diagnostic = Diagnostic::error("type", span, format!("cannot convert `{a}` to `{b}`"));
        if let Some(help) = self.program.conversion_help(operand, from, to, &self.messages) {
            diagnostic = diagnostic.help(help);
        }
        self.messages.report(diagnostic);
    }

    /// Value of an operand, promoted; of a bit-field by its width.
    pub(crate) fn promoted(&mut self, operand: Operand) -> Option<Expr> {
        let bits = self.program.bits_of(&operand);
        let value = self.value(operand)?;
        let to = self.classes.promoted_type(value.ty, bits, &mut self.program);
        Some(self.program.convert_arithmetic(value, to))
    }

    /// The operand as a condition.
    pub(crate) fn condition_value(&mut self, operand: Operand) -> Option<Expr> {
        let class = operand.ty().is_some_and(|ty| self.program.record_of(ty).is_some());
        let span = operand.span();
        if class {
            let to = self.program.basic().bool;
            let Some(callee) = self.explicit_conversion(&operand, to) else {
                let shown = operand.ty().map(|ty| self.program.show(plain(ty))).unwrap_or_default();
                self.messages.error(
                    "type",
                    span,
                    format!("value of type `{shown}` cannot be converted to `bool`"),
                );
                return None;
            };
            let found = self.call_conversion(operand, &callee)?;
            return self.condition_value(found);
        }
        let value = self.value(operand)?;
        if self.program.is_void(value.ty)
            || (self.program.enum_of(value.ty).is_some() && !self.program.is_unscoped(value.ty))
        {
            let shown = self.program.show(value.ty);
            self.messages.error(
                "type",
                span,
                format!("value of type `{shown}` cannot be converted to `bool`"),
            );
            return None;
        }
        Some(self.program.truth(value))
    }
}

/// Whether an operand is an element whose index has a comma, as in `a[row, column]`.
fn has_comma_in_index(operand: &Operand) -> bool {
    let Operand::Place(place, _) = operand else { return false };
    let mut index = match &place.kind {
        PlaceKind::Element(_, index) => index,
        PlaceKind::Deref(pointer) => match &pointer.kind {
            ExprKind::Offset(_, index, _) => index,
            _ => return false,
        },
        _ => return false,
    };
    while let ExprKind::Cast(inner) = &index.kind {
        index = inner;
    }
    matches!(index.kind, ExprKind::Sequence(..))
}

/// Whether a text has a comma outside of all its parentheses, brackets and braces.
fn outer_comma(text: &str) -> bool {
    let mut depth = 0;
    for letter in text.chars() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => return true,
            _ => {}
        }
    }
    false
}
