//! What classes have without its being written: copies, default values, assignment; and conversions by their functions.
//!
//! Enters: classes and operands. Leaves: what fills a place of the class. This module must never know where the place is.

use std::rc::Rc;

use crate::ast::{self, FunctionBody};
use crate::diagnostic::Diagnostic;
use crate::hir::{Expr, ExprKind, Init, Place, PlaceKind, RecordId, Stmt, StmtKind, Type, TypeKind};
use crate::sorted::Sorted;
use crate::source::Span;

use crate::check::Checker;
use crate::check::calls::callee::Callee;
use crate::check::calls::overload::NoMatch;
use crate::check::calls::sequence::{Rank, Sequence};
use crate::check::context::classes::Classes;
use crate::check::context::output::Output;
use crate::check::expressions::operand::{FunctionSet, Operand, deref, local_place};
use crate::check::names::entity::DeclId;
use crate::check::types::kind::{constant, plain};

impl Classes {
    /// Whether values in braces fill a class field by field.
    pub(crate) fn may_be_aggregate(&self, record: RecordId) -> bool {
        let info = &self[record];
        info.aggregate && info.hidden.is_empty() && info.constructors.is_empty() && info.inherits.is_empty()
    }
}

impl Output {
    /// An operand of a type that represents a result which is not computed yet.
    pub(crate) fn stand_in(&mut self, ty: Type, span: Span) -> Operand {
        match self.referred(ty) {
            Some((to, rvalue)) => {
                let pointer = self.pointer(to);
                let null = crate::check::expressions::operand::number(0, pointer, span);
                Operand::Place(deref(null, to, span), rvalue)
            }
            None if self.record_of(ty).is_some() => Operand::Init(Init::Nothing, ty, span),
            None => Operand::Value(Expr { kind: ExprKind::Float(0), ty: plain(ty), span }),
        }
    }
}

impl Checker<'_> {
    /// Constructors of a class, those that it inherits among them.
    pub(crate) fn constructors_of(&mut self, record: RecordId) -> Vec<DeclId> {
        self.complete_record(record);
        let decls = self.classes[record].constructors.clone();
        self.canonical(&decls)
    }

    /// Constructors that a class has from its bases (`using B::B`), but for those that copy.
    pub(crate) fn inherited_constructors(&mut self, record: RecordId) -> Vec<DeclId> {
        let mut all = vec![];
        for base in self.classes[record].inherits.clone() {
            for decl in self.constructors_of(base) {
                let none = self.declarations[decl].ast.ty.parameters.is_empty();
                if !none && !self.copies(decl, base) {
                    all.push(decl);
                }
            }
            all.extend(self.inherited_constructors(base));
        }
        all
    }

    /// A class by one of its constructors, those from bases among them.
    pub(crate) fn construct_inherited_or_own(
        &mut self,
        record: RecordId,
        callee: Callee,
        operands: Vec<Operand>,
        span: Span,
    ) -> Option<Init> {
        match &callee {
            Callee::Decl(decl, ..) if self.declarations[*decl].class != Some(record) => {
                self.construct_inherited(record, callee, operands, span)
            }
            _ => self.construct_by(callee, operands, span),
        }
    }

    /// A class by the constructor of a base, all else as it starts by itself.
    pub(crate) fn construct_inherited(
        &mut self,
        record: RecordId,
        callee: Callee,
        operands: Vec<Operand>,
        span: Span,
    ) -> Option<Init> {
        let Callee::Decl(decl, ..) = &callee else { return None };
        let base = self.declarations[*decl].class?;
        if self.classes.has_virtual_bases(record) {
            let help = "write a constructor that calls the base's";
            self.messages.refuse(span, "constructors inherited by a class with virtual bases are", help);
            return None;
        }
        let inner = self.construct_by(callee, operands, span)?;
        self.with_base(record, base, inner, span)
    }

    fn with_base(&mut self, record: RecordId, base: RecordId, inner: Init, span: Span) -> Option<Init> {
        if record == base {
            return Some(inner);
        }
        let bases = self.classes[record].bases.clone();
        let (next, number) =
            bases.into_iter().find(|(next, _)| *next == base || self.is_base(base, *next))?;
        let inner = self.with_base(next, base, inner, span)?;
        let mut fields = Sorted::default();
        fields.insert(number, inner);
        for other in 0..self.program[record].fields.len() as u32 {
            if other != number && self.classes[record].virtuals.vptr != Some(other) {
                let init = self.default_member(record, other, false, span)?;
                if !matches!(init, Init::Nothing) {
                    fields.insert(other, init);
                }
            }
        }
        self.with_tables(Init::Fields(fields), record, span)
    }

    /// Type of the class that a constructor's only needed parameter refers to, where it is its own.
    fn copies(&mut self, decl: DeclId, record: RecordId) -> bool {
        if self.declarations[decl].template.is_some() {
            return false;
        }
        let Some(signature) = self.signature(decl, &[]) else { return false };
        let Some(first) = signature.params.first() else { return false };
        signature.least <= 1
            && self.program.referred(*first).is_some_and(|(to, _)| self.program.record_of(to) == Some(record))
    }

    /// Whether a constructor copies as the class would by itself.
    pub(crate) fn is_implicit_copy(&mut self, decl: DeclId, record: RecordId) -> bool {
        matches!(self.declarations[decl].ast.body, FunctionBody::Defaulted) && self.copies(decl, record)
    }

    /// Whether a class says itself how it is copied or moved.
    pub(crate) fn has_own_copy(&mut self, record: RecordId) -> bool {
        for decl in self.constructors_of(record) {
            if !matches!(self.declarations[decl].ast.body, FunctionBody::Defaulted)
                && self.copies(decl, record)
            {
                return true;
            }
        }
        false
    }

    /// Whether a class is copied byte by byte.
    pub(crate) fn trivial_copy(&mut self, ty: Type) -> bool {
        match self.program.kind(ty) {
            TypeKind::Array(of, _) => self.trivial_copy(of),
            TypeKind::Record(record) => {
                if self.has_own_copy(record) || self.is_polymorphic(record) {
                    return false;
                }
                let fields: Vec<Type> = self.program[record].fields.iter().map(|one| one.ty).collect();
                fields.into_iter().all(|ty| self.trivial_copy(ty))
            }
            _ => true,
        }
    }

    /// What an operand of a class, or of one that derives from it, makes of a new object of it.
    pub(crate) fn copy_of(&mut self, operand: Operand, source: RecordId, target: RecordId) -> Option<Init> {
        if source == target
            && let Operand::Init(init, _, _) = operand
        {
            return Some(init);
        }
        let span = operand.span();
        let (place, movable) = self.place(operand)?;
        let path = self.base_path(source, target)?;
        let place = self.base_place(place, source, &path);
        self.copy_init(place, movable, span)
    }

    /// A new object as a copy of a place.
    pub(crate) fn copy_init(&mut self, place: Place, movable: bool, span: Span) -> Option<Init> {
        if self.trivial_copy(place.ty) {
            if place.ty.volatile && self.program.record_of(place.ty).is_some() {
                self.messages.refuse(span, "copies of `volatile` classes are", "copy field by field");
                return None;
            }
            return Some(Init::Copy(Box::new(place)));
        }
        match self.program.kind(place.ty) {
            TypeKind::Record(record) if self.has_own_copy(record) => {
                let operand = Operand::Place(place, movable);
                let callee =
                    match self.resolve_constructor(record, std::slice::from_ref(&operand), true, false, span)
                    {
                        Ok(callee) => callee,
                        Err(why) => {
                            let name = self.program[record].name.to_string();
                            self.tell_no_match(&name, &[operand], span, why);
                            return None;
                        }
                    };
                match (callee, operand) {
                    // The class has one that it defines, and asks for the other.
                    (Callee::Copy(_), Operand::Place(place, movable)) => {
                        self.copy_fields(place, movable, record, span)
                    }
                    (callee, operand) => self.construct_by(callee, vec![operand], span),
                }
            }
            TypeKind::Record(record) => self.copy_fields(place, movable, record, span),
            TypeKind::Array(of, _) => self.copy_elements(place, of, movable, span),
            _ => self.load(place).map(Init::Value),
        }
    }

    fn copy_fields(&mut self, place: Place, movable: bool, record: RecordId, span: Span) -> Option<Init> {
        if self.classes[record].union {
            self.messages.refuse(
                span,
                "copies of unions with constructors are",
                "copy the member that is in use",
            );
            return None;
        }
        let ty = place.ty;
        let (keep, pointer) = self.kept_address(place);
        let count = self.program[record].fields.len() as u32;
        let mut fields = Sorted::default();
        for number in (0..count)
            .filter(|number| self.classes[record].virtuals.vptr != Some(*number))
            .collect::<Vec<_>>()
        {
            let whole = deref(pointer.clone(), ty, span);
            let reference = self.program[record].fields.get(number as usize).map(|field| field.ty);
            let field = self.member_place(whole, record, number, span);
            let init = if reference.is_some_and(|ty| self.program.referred(ty).is_some()) {
                Init::Value(self.program.address(field))
            } else {
                // It is the class that copies, and not who asks for it.
                let (scope, order) = (self.classes[record].scope, self.classes[record].order);
                let init = self.at(scope, order, |this| this.copy_init(field, movable, span))?;
                self.as_part_of_whole(init, record, number, span)?
            };
            fields.insert(number, init);
        }
        let init = Init::Sequence(vec![keep], Box::new(Init::Fields(fields)));
        self.with_tables(init, record, span)
    }

    /// Statement that keeps a place's address in a temporary, and the address.
    pub(crate) fn kept_address(&mut self, place: Place) -> (Stmt, Expr) {
        let span = place.span;
        let pointer = self.program.pointer(place.ty);
        let address = self.program.address(place);
        let local = self.local("".into(), pointer, span);
        let keep =
            Stmt { kind: StmtKind::Let(local, Some(Init::Value(Expr { ty: pointer, ..address }))), span };
        let load =
            Expr { kind: ExprKind::Load(Box::new(local_place(local, pointer, span))), ty: pointer, span };
        (keep, load)
    }

    /// What a variable without an initialiser starts as; with `zero`, all of it that no constructor sets is zero.
    pub(crate) fn default_init(&mut self, ty: Type, zero: bool, span: Span) -> Option<Init> {
        match self.program.kind(ty) {
            TypeKind::Array(of, length) => {
                let one = self.default_init(of, zero, span)?;
                Some(match one {
                    Init::Nothing => Init::Nothing,
                    Init::Zero => Init::Zero,
                    one => {
                        let _ = length;
                        Init::Elements(vec![], Some(Box::new(one)))
                    }
                })
            }
            TypeKind::Record(record) => self.default_record(record, zero, span),
            TypeKind::Reference { .. } => {
                self.messages.error("reference", span, "declaration of a reference requires an initialiser");
                None
            }
            _ => Some(if zero { Init::Zero } else { Init::Nothing }),
        }
    }

    fn default_record(&mut self, record: RecordId, zero: bool, span: Span) -> Option<Init> {
        let ty = self.program.record_type(record);
        if !self.require_complete(ty, span) {
            return None;
        }
        if !self.classes[record].constructors.is_empty()
            && let Some(callee) = self.default_constructor(record, span)?
        {
            return self.construct_by(callee, vec![], span);
        }
        self.default_fields(record, zero, span)
    }

    /// The constructor without arguments: `Some(None)` where it is the implicit one.
    fn default_constructor(&mut self, record: RecordId, span: Span) -> Option<Option<Callee>> {
        match self.resolve_constructor(record, &[], true, false, span) {
            Ok(Callee::Decl(decl, ..))
                if matches!(self.declarations[decl].ast.body, FunctionBody::Defaulted) =>
            {
                Some(None)
            }
            Ok(callee) => Some(Some(callee)),
            Err(why) => {
                let name = self.program[record].name.to_string();
                match why {
                    NoMatch::None(_) => {
                        let declared = self.classes[record].span;
                        self.messages.report(
                            Diagnostic::error(
                                "constructor",
                                span,
                                format!("`{name}` has no default constructor: it needs arguments"),
                            )
                            .related(declared, "class declared here"),
                        );
                    }
                    why => self.tell_no_match(&name, &[], span, why),
                }
                None
            }
        }
    }

    fn default_fields(&mut self, record: RecordId, zero: bool, span: Span) -> Option<Init> {
        if self.classes.has_virtual_bases(record) {
            return self.implicit_constructor(record, span);
        }
        let count = self.program[record].fields.len() as u32;
        if self.classes[record].union {
            let default = self.classes[record].defaults.keys().min().copied();
            return match default {
                Some(number) => {
                    let init = self.default_member(record, number, zero, span)?;
                    Some(Init::Fields(Sorted::from([(number, init)])))
                }
                None => Some(if zero { Init::Zero } else { Init::Nothing }),
            };
        }
        let mut fields = Sorted::default();
        let (mut nothing, mut zeros) = (true, true);
        let polymorphic = self.is_polymorphic(record);
        for number in 0..count {
            if self.classes[record].virtuals.vptr == Some(number) {
                continue;
            }
            let init = self.default_member(record, number, zero, span)?;
            nothing &= matches!(init, Init::Nothing);
            zeros &= matches!(init, Init::Zero);
            fields.insert(number, init);
        }
        if nothing && !zero {
            return self.with_tables(Init::Nothing, record, span);
        }
        if zero && (zeros || count == 0) {
            return self.with_tables(Init::Zero, record, span);
        }
        fields.retain(|_, init| !matches!(init, Init::Nothing));
        // Constructors see zeros where the whole is zero first.
        let built = zero && fields.values().any(|init| matches!(init, Init::Construct(..) | Init::Zeroed(_)));
        let init = Init::Fields(fields);
        let whole = built || zero && polymorphic;
        let init = if whole { Init::Zeroed(Box::new(init)) } else { init };
        self.with_tables(init, record, span)
    }

    /// What a member starts as where nothing else says so.
    pub(crate) fn default_member(
        &mut self,
        record: RecordId,
        number: u32,
        zero: bool,
        span: Span,
    ) -> Option<Init> {
        let field = self.program[record].fields.get(number as usize).cloned()?;
        let Some(ast) = self.classes[record].defaults.get(&number).cloned() else {
            if (self.program.referred(field.ty).is_some()
                || (field.ty.constant && self.program.is_scalar(field.ty)))
                && !zero
            {
                let name = field.name.to_string();
                self.messages.error(
                    "reference",
                    span,
                    format!("the constructor must initialise the member `{name}`"),
                );
                return None;
            }
            let (scope, order) = (self.classes[record].scope, self.classes[record].order);
            return self.at(scope, order, |this| this.default_init(field.ty, zero, span));
        };
        let Some(initializer) = &ast.initializer else { return Some(Init::Nothing) };
        self.body.enter_defaults();
        if self.body.has_too_many_defaults() {
            self.body.leave_defaults();
            self.messages.error("nesting", span, "circular dependency between default member initialisers");
            return None;
        }
        let (scope, order) = (self.classes[record].scope, self.classes[record].order);
        let found = self.at(scope, order, |this| this.initializer(field.ty, Some(initializer), span));
        self.body.leave_defaults();
        found
    }

    /// A class by one of its constructors.
    pub(crate) fn construct_by(
        &mut self,
        callee: Callee,
        operands: Vec<Operand>,
        span: Span,
    ) -> Option<Init> {
        match &callee {
            Callee::Copy(record) => {
                let record = *record;
                let operand = operands.into_iter().next()?;
                let source = self.program.record_of(operand.ty()?)?;
                self.copy_of(operand, source, record)
            }
            Callee::Decl(decl, ..) => {
                let decl = *decl;
                if matches!(self.declarations[decl].ast.body, FunctionBody::Defaulted) && operands.is_empty()
                {
                    let record = self.declarations[decl].class?;
                    return self.default_fields(record, true, span);
                }
                let (id, mut args) = self.call_parts(&callee, operands, span)?;
                args.extend(self.whole_argument(&callee, span));
                Some(Init::Construct(id, args))
            }
            Callee::Builtin(..) => None,
        }
    }

    /// Conversion to a class by its constructors, or from one by its functions.
    pub(crate) fn user_conversion(&mut self, operand: &Operand, to: Type) -> Option<Sequence> {
        let found = self.user_conversions(operand, to, false);
        Self::one_of(found)
    }

    fn one_of(found: Vec<(Callee, Sequence)>) -> Option<Sequence> {
        let count = found.len();
        let (callee, second) = found.into_iter().next()?;
        Some(Sequence { user: Some(callee), ambiguous: count > 1, ..second })
    }

    /// Conversion where `explicit` ones count: conditions and casts.
    pub(crate) fn explicit_conversion(&mut self, operand: &Operand, to: Type) -> Option<Callee> {
        let found = self.user_conversions(operand, to, true);
        found.into_iter().next().map(|(callee, _)| callee)
    }

    fn user_conversions(&mut self, operand: &Operand, to: Type, explicit: bool) -> Vec<(Callee, Sequence)> {
        let mut found = vec![];
        let target = self.program.record_of(to);
        if let Some(record) = target {
            match self.resolve_constructor(
                record,
                std::slice::from_ref(operand),
                explicit,
                false,
                operand.span(),
            ) {
                Ok(Callee::Copy(_)) | Err(NoMatch::None(_) | NoMatch::Error) => {}
                Ok(Callee::Decl(decl, ..)) if self.declarations[decl].class != Some(record) => {}
                Ok(callee) => found.push((callee, Sequence::of(Rank::Exact))),
                Err(NoMatch::Ambiguous(_)) => {
                    let dummy = Callee::Copy(record);
                    found.push((dummy.clone(), Sequence::of(Rank::Exact)));
                    found.push((dummy, Sequence::of(Rank::Exact)));
                }
            }
        }
        found.extend(self.conversion_functions(operand, to, explicit));
        found
    }

    /// Conversion functions of the operand's class whose result becomes a type; the best of them.
    fn conversion_functions(
        &mut self,
        operand: &Operand,
        to: Type,
        explicit: bool,
    ) -> Vec<(Callee, Sequence)> {
        let Some(source) = operand.ty().and_then(|ty| self.program.record_of(ty)) else { return vec![] };
        let mut decls = vec![];
        self.all_conversions(source, &mut decls);
        let mut best: Vec<(Callee, Sequence, Sequence)> = vec![];
        for decl in self.canonical(&decls) {
            if !explicit && self.declarations[decl].ast.specifiers.is_explicit.is_some() {
                continue;
            }
            let arguments = match self.declarations[decl].template.clone() {
                None => vec![],
                Some(template) => match self.deduce_conversion(decl, &template, to) {
                    Some(arguments) => arguments,
                    None => continue,
                },
            };
            let Some(signature) = self.signature(decl, &arguments) else { continue };
            let (Some(result), Some(this)) = (signature.result, signature.this) else { continue };
            let from = operand.ty().unwrap_or(this);
            if (from.constant && !this.constant) || (from.volatile && !this.volatile) {
                continue;
            }
            let given = self.program.stand_in(result, operand.span());
            let Some(second) = self.conversion(&given, to, false) else { continue };
            let mut first = Sequence::of(Rank::Exact);
            first.reference = Some((false, !operand.is_lvalue(), this));
            best.push((Callee::Decl(decl, arguments, signature), first, second));
        }
        let mut winners: Vec<(Callee, Sequence)> = vec![];
        for (at, (callee, first, second)) in best.iter().enumerate() {
            let beaten = best.iter().enumerate().any(|(other, (_, x, y))| {
                if other == at {
                    return false;
                }
                match self.program.compare_sequences(x, first) {
                    std::cmp::Ordering::Less => true,
                    std::cmp::Ordering::Greater => false,
                    std::cmp::Ordering::Equal => {
                        self.program.compare_sequences(y, second) == std::cmp::Ordering::Less
                    }
                }
            });
            if !beaten {
                winners.push((callee.clone(), second.clone()));
            }
        }
        winners
    }

    fn deduce_conversion(
        &mut self,
        decl: DeclId,
        template: &Rc<ast::Template>,
        to: Type,
    ) -> Option<Vec<crate::check::names::entity::Argument>> {
        let (ast, scope) = (Rc::clone(&self.declarations[decl].ast), self.declarations[decl].scope);
        let mut bindings = crate::check::templates::deduce::Bindings::new(&template.parameters);
        let to = plain(self.program.without_reference(to));
        let pattern = match &ast.ty.result.kind {
            ast::TypeKind::Reference(inner) => Rc::clone(inner),
            _ => Rc::clone(&ast.ty.result),
        };
        let found = self.within(scope, |this| this.unify(&pattern, to, &mut bindings));
        if !found {
            return None;
        }
        bindings.finish()
    }

    fn all_conversions(&mut self, record: RecordId, all: &mut Vec<DeclId>) {
        self.complete_record(record);
        all.extend(self.classes[record].conversions.clone());
        for (base, _) in self.classes[record].bases.clone() {
            self.all_conversions(base, all);
        }
    }

    /// Conversion function of an operand's class that gives a place for a reference.
    pub(crate) fn user_reference(&mut self, operand: &Operand, to: Type) -> Option<Sequence> {
        let found: Vec<_> = self
            .conversion_functions(operand, to, false)
            .into_iter()
            .filter(|(callee, _)| match callee {
                Callee::Decl(_, _, signature) => {
                    signature.result.is_some_and(|ty| self.program.referred(ty).is_some())
                }
                Callee::Builtin(..) | Callee::Copy(_) => false,
            })
            .collect();
        Self::one_of(found)
    }

    /// Calls a constructor or conversion function for a conversion.
    pub(crate) fn call_conversion(&mut self, operand: Operand, callee: &Callee) -> Option<Operand> {
        let span = operand.span();
        let Callee::Decl(decl, ..) = callee else { return None };
        let one = &self.declarations[*decl];
        if one.ast.kind == ast::FunctionKind::Constructor {
            let record = one.class?;
            let init = self.construct_by(callee.clone(), vec![operand], span)?;
            let ty = self.program.record_type(record);
            return Some(Operand::Init(init, ty, span));
        }
        let set =
            FunctionSet { object: Some(Box::new(operand)), ..FunctionSet::of("conversion", vec![], span) };
        Some(self.call_callee(callee.clone(), set, vec![], span))
    }

    /// `a = b` of classes as the class has it by itself.
    pub(crate) fn assign_record(&mut self, to: Place, operand: Operand, span: Span) -> Option<Place> {
        let record = self.program.record_of(to.ty)?;
        let ty = to.ty;
        let from = operand.ty().and_then(|from| self.program.record_of(from));
        let object = matches!(operand, Operand::Place(..))
            && from.is_some_and(|from| from == record || self.is_base(record, from));
        if !object && self.has_destructor(ty) && self.side.is_host() {
            let class = plain(ty);
            let init = self.initialised(operand, class)?;
            let made = self.materialise(init, class, span);
            return self.assign_record(to, Operand::Place(made, true), span);
        }
        if !object && self.has_destructor(ty) {
            let help = "declare a named object, and assign that";
            self.messages.refuse(span, "assignments of values whose class has a destructor are", help);
            return None;
        }
        if let Some(field) = self.unassignable(record) {
            let name = self.program[record].name.to_string();
            self.messages.error_help(
                "const",
                span,
                format!("a `{name}` cannot be assigned: its member `{field}` is `const` or a reference"),
                "make a new object, or make the member assignable",
            );
            return None;
        }
        if self.trivial_assign(record) {
            let init = self.initialised(operand, plain(ty))?;
            return Some(Place { kind: PlaceKind::AssignInit(Box::new(to), Box::new(init)), ty, span });
        }
        let moved = match &operand {
            Operand::Place(place, movable) => *movable && !place.ty.constant,
            _ => true,
        } && self.moves_by_members(record);
        let converted = self.bind_operand(operand, constant(plain(ty)))?;
        let of = if moved { plain(ty) } else { constant(plain(ty)) };
        let (keep_from, from) = self.kept_address(converted);
        let (keep_to, target) = self.kept_address(to);
        let mut statements = vec![keep_to, keep_from];
        let count = self.program[record].fields.len() as u32;
        for number in (0..count)
            .filter(|number| self.classes[record].virtuals.vptr != Some(*number))
            .collect::<Vec<_>>()
        {
            let left = deref(target.clone(), ty, span);
            let left = self.member_place(left, record, number, span);
            let right = deref(from.clone(), of, span);
            let right = self.member_place(right, record, number, span);
            let (scope, order) = (self.classes[record].scope, self.classes[record].order);
            self.at(scope, order, |this| this.assign_member(left, right, moved, span, &mut statements))?;
        }
        let whole = deref(target, ty, span);
        Some(Place { kind: PlaceKind::Sequence(statements, Box::new(whole)), ty, span })
    }

    /// Whether an assignment that no one wrote moves the members of what may be moved from: not where the class says how its objects
    /// are copied or end, unless it asks for that assignment.
    fn moves_by_members(&mut self, record: RecordId) -> bool {
        let mut moves = !self.has_own_copy(record);
        let Some(ast) = self.classes[record].ast.clone() else { return moves };
        for member in ast.members.iter().flatten() {
            let ast::DeclarationKind::Function(function) = &member.kind else { continue };
            let name = function.name.last().and_then(|last| crate::check::names::lookup::key(&last.id));
            let assigns = name.is_some_and(|name| &*name == "operator=");
            match function.ty.parameters.first().map(|one| &one.ty.kind) {
                _ if function.kind == ast::FunctionKind::Destructor => moves = false,
                _ if !assigns || !matches!(function.body, ast::FunctionBody::Defaulted) => {}
                Some(ast::TypeKind::RvalueReference(_)) => return true,
                _ => moves = false,
            }
        }
        moves
    }

    /// Member that keeps a class from being assigned as a whole.
    fn unassignable(&mut self, record: RecordId) -> Option<Rc<str>> {
        let fields = self.program[record].fields.clone();
        for field in fields {
            let mut of = field.ty;
            while let Some((element, _)) = self.program.array_of(of) {
                of = element;
            }
            if of.constant || self.program.referred(of).is_some() {
                return Some(field.name);
            }
            if let Some(inner) = self.program.record_of(of)
                && !self.has_own_assignment(inner)
                && let Some(name) = self.unassignable(inner)
            {
                return Some(if field.name.is_empty() { name } else { field.name });
            }
        }
        None
    }

    /// The operand as a place of a class, converted where it must be.
    fn bind_operand(&mut self, operand: Operand, to: Type) -> Option<Place> {
        let span = operand.span();
        let reference = self.program.reference(to, false);
        let address = self.converted(operand, reference)?;
        Some(deref(address, to, span))
    }

    fn trivial_assign(&mut self, record: RecordId) -> bool {
        let ty = self.program.record_type(record);
        if !self.trivial_copy(ty) {
            return false;
        }
        let fields: Vec<Type> = self.program[record].fields.iter().map(|one| one.ty).collect();
        for field in fields {
            let mut of = field;
            while let Some((element, _)) = self.program.array_of(of) {
                of = element;
            }
            if self.program.referred(of).is_some() {
                return false;
            }
            if let Some(inner) = self.program.record_of(of)
                && (self.has_own_assignment(inner) || !self.trivial_assign(inner))
            {
                return false;
            }
        }
        true
    }

    /// Whether a class defines how it is assigned from its own kind.
    pub(crate) fn has_own_assignment(&mut self, record: RecordId) -> bool {
        let all = self.assignments(record);
        all.into_iter().any(|decl| !matches!(self.declarations[decl].ast.body, FunctionBody::Defaulted))
    }

    /// Whether a class has no assignment but those from its own kind, and these as it has them by itself: what is of another type
    /// is converted first.
    pub(crate) fn only_defaulted_assignments(&mut self, record: RecordId) -> bool {
        let own = self.assignments(record);
        let scope = self.classes[record].scope;
        let all = self.scopes[scope].names.get("operator=").map_or(0, |entries| {
            let count = |entry: &crate::check::names::entity::Entry| match &entry.entity {
                crate::check::names::entity::Entity::Functions(decls, _) => decls.len(),
                _ => 1,
            };
            entries.iter().map(count).sum::<usize>()
        });
        own.len() == all
            && own.into_iter().all(|decl| matches!(self.declarations[decl].ast.body, FunctionBody::Defaulted))
    }

    /// What a class declares of assignments from its own kind.
    pub(crate) fn assignments(&mut self, record: RecordId) -> Vec<DeclId> {
        self.complete_record(record);
        let scope = self.classes[record].scope;
        let Some(entries) = self.scopes[scope].names.get("operator=") else { return vec![] };
        let mut decls: Vec<DeclId> = entries
            .iter()
            .flat_map(|entry| match &entry.entity {
                crate::check::names::entity::Entity::Functions(decls, _) => decls.clone(),
                _ => vec![],
            })
            .collect();
        decls.retain(|decl| {
            if self.declarations[*decl].template.is_some() {
                return false;
            }
            let Some(signature) = self.signature(*decl, &[]) else { return false };
            signature
                .params
                .first()
                .is_some_and(|ty| self.program.record_of(self.program.without_reference(*ty)) == Some(record))
        });
        decls
    }

    /// What `is_trivially_copyable` says: no one wrote what a copy or an assignment does, be it `= delete` for some.
    pub(crate) fn trivially_copyable(&mut self, ty: Type) -> bool {
        match self.program.kind(ty) {
            TypeKind::Void | TypeKind::Function(..) | TypeKind::Reference { .. } => false,
            TypeKind::Array(of, _) | TypeKind::UnknownArray(of) => self.trivially_copyable(of),
            TypeKind::Record(record) => {
                let mut own = self.assignments(record);
                for decl in self.constructors_of(record) {
                    if self.copies(decl, record) {
                        own.push(decl);
                    }
                }
                let written = own.into_iter().any(|decl| {
                    matches!(self.declarations[decl].ast.body, FunctionBody::None | FunctionBody::Defined(_))
                });
                let fields: Vec<Type> = self.program[record].fields.iter().map(|one| one.ty).collect();
                // A reference as a member is copied with the rest.
                !written
                    && !self.is_polymorphic(record)
                    && self.trivially_ended(ty)
                    && fields
                        .into_iter()
                        .all(|ty| self.program.referred(ty).is_some() || self.trivially_copyable(ty))
            }
            _ => true,
        }
    }
}
