//! Classes: members entered, fields laid out as Itanium's ABI (and so CUDA on Linux) has them.
//!
//! Enters: a class that something needs to know. Leaves: its record complete. This module must never know how classes are
//! initialised or copied.

use std::rc::Rc;

use crate::ast::{self, Access, AttributeKind, Declaration, DeclarationKind, TagKind, TemplateArgument};
use crate::hir::{Field, RecordId, Type, TypeKind};
use crate::source::Span;

use crate::check::Checker;
use crate::check::context::classes::Classes;
use crate::check::context::messages::Messages;
use crate::check::context::output::Output;
use crate::check::names::entity::{Completion, Entity, TemplateKind};
use crate::check::templates::template::TemplateSource;

/// State of a layout.
#[derive(Debug, Default)]
struct Layout {
    /// Bits used.
    bits: u64,
    /// Largest alignment.
    align: u64,
    /// `packed`.
    packed: bool,
    /// Greatest alignment of a field, by `#pragma pack`.
    greatest: Option<u64>,
    /// Union: all at the beginning.
    union: bool,
    /// Largest end.
    end: u64,
}

impl Layout {
    /// Alignment of a field whose type has one.
    fn limited(&self, natural: u64) -> u64 {
        if self.packed { 1 } else { natural.min(self.greatest.unwrap_or(natural)) }
    }
}

pub(super) fn up(value: u64, align: u64) -> u64 {
    value.div_ceil(align.max(1)).saturating_mul(align.max(1))
}

impl Messages<'_> {
    /// Reports an alignment below that of the type, which some compilers ignore and some obey.
    pub(crate) fn tell_weak_alignment(&mut self, asked: u64, least: u64, attributes: &[ast::Attribute]) {
        let place = attributes.iter().find(|one| matches!(one.kind, AttributeKind::Align(_)));
        let Some(span) = place.map(|one| one.span) else { return };
        self.error_help(
            "alignment",
            span,
            format!("requested alignment {asked} is less than the minimum alignment of the type, {least}"),
            "remove it; only `__attribute__((packed))` places members closer together",
        );
    }

    /// Reports kernels in a class, also where no one uses the class.
    pub(crate) fn refuse_member_kernels(&mut self, class: &ast::Class) {
        for member in class.members.iter().flatten() {
            if let DeclarationKind::Function(function) = &member.kind
                && function.specifiers.global().is_some()
            {
                self.error_help(
                    "kernel",
                    function.name.span,
                    "a kernel cannot be a member of a class",
                    "move it out of the class, and pass it what it needs",
                );
            }
        }
    }
}

impl Classes {
    /// Whether an empty class would lie where another of its type lies.
    pub(super) fn overlaps(&self, id: RecordId, empties: &[(RecordId, u64)], offset: u64) -> bool {
        let known = &self[id].empties;
        empties.iter().any(|(of, at)| known.contains(&(*of, at + offset)))
    }
}

impl Classes {
    fn note_field(
        &mut self,
        id: RecordId,
        number: u32,
        ty: Type,
        variable: &Rc<ast::Variable>,
        access: Access,
        program: &Output,
    ) {
        let mut of = ty;
        while let Some((element, _)) = program.array_of(of) {
            of = element;
        }
        let pod = match program.kind(of) {
            TypeKind::Record(record) => self[record].pod,
            TypeKind::Reference { .. } => false,
            _ => true,
        };
        let info = &mut self[id];
        if variable.initializer.is_some() {
            info.defaults.insert(number, Rc::clone(variable));
        }
        if access != Access::Public {
            info.hidden.push(number);
        }
        info.pod &= pod && variable.initializer.is_none();
    }

    /// Offset of a field.
    fn place_field(
        &mut self,
        id: RecordId,
        ty: Type,
        size: u64,
        align: u64,
        layout: &mut Layout,
        program: &Output,
    ) -> u64 {
        let empties = match program.kind(ty) {
            TypeKind::Record(record) => self[record].empties.clone(),
            _ => vec![],
        };
        layout.align = layout.align.max(align);
        if layout.union {
            layout.end = layout.end.max(size);
            return 0;
        }
        let mut offset = up(layout.bits.div_ceil(8), align);
        while self.overlaps(id, &empties, offset) {
            offset += align;
        }
        layout.bits = (offset + size) * 8;
        self[id].empties.extend(empties.into_iter().map(|(of, at)| (of, at + offset)));
        offset
    }
}

impl Checker<'_> {
    /// Completes the class that a type is or is an array of.
    pub(crate) fn complete(&mut self, ty: Type) {
        match self.program.kind(ty) {
            TypeKind::Record(id) => {
                self.complete_record(id);
            }
            TypeKind::Array(of, _) | TypeKind::UnknownArray(of) => self.complete(of),
            _ => {}
        }
    }

    /// Whether a type is complete; reports where it is not.
    pub(crate) fn require_complete(&mut self, ty: Type, span: Span) -> bool {
        self.complete(ty);
        let mut of = ty;
        while let Some((element, _)) = self.program.array_of(of) {
            of = element;
        }
        let Some(record) = self.program.record_of(of) else { return true };
        match self.classes[record].completion {
            Completion::Complete => true,
            Completion::Failed => {
                self.messages.poison(span);
                false
            }
            Completion::Declared | Completion::Started => {
                let shown = self.program.show(plain_name(of));
                let declared = self.classes[record].span;
                self.messages.report(
                    crate::diagnostic::Diagnostic::error(
                        "incomplete",
                        span,
                        format!("incomplete type `{shown}`: it is declared, but not defined here"),
                    )
                    .related(declared, "declared here"),
                );
                false
            }
        }
    }

    /// Completes a class; whether it could be.
    pub(crate) fn complete_record(&mut self, id: RecordId) -> bool {
        match self.classes[id].completion {
            Completion::Complete => return true,
            Completion::Failed | Completion::Started => return false,
            Completion::Declared => {}
        }
        let span = self.classes[id].span;
        if !self.enter(span) {
            self.leave();
            return false;
        }
        let request = self.classes[id].request;
        let done = self.for_request(request, |this| this.complete_anew(id));
        self.leave();
        done
    }

    fn complete_anew(&mut self, id: RecordId) -> bool {
        if self.classes[id].ast.is_none() && !self.choose_source(id) && self.class_outside(id).is_none() {
            return false;
        }
        let Some(ast) = self.classes[id].ast.clone() else { return false };
        self.classes[id].completion = Completion::Started;
        let (scope, order) = (self.classes[id].scope, self.classes[id].order);
        self.instances.enter();
        let auto = self.body.replace_auto(None);
        let access = self.declarations.replace_access(Access::Public);
        let done = self.at(scope, order, |this| this.apart(|this| this.lay_out(id, &ast)));
        self.declarations.replace_access(access);
        self.body.replace_auto(auto);
        self.instances.leave();
        let info = &mut self.classes[id];
        info.completion = if done.is_some() { Completion::Complete } else { Completion::Failed };
        if done.is_none() {
            let span = info.span;
            self.messages.poison(span);
        }
        done.is_some()
    }

    /// Finds what an instance of a class template is made of.
    pub(crate) fn choose_source(&mut self, id: RecordId) -> bool {
        let Some((template, arguments)) = self.classes[id].template.clone() else {
            return false;
        };
        let span = self.classes[id].span;
        let Some(source) = self.source(template, &arguments, span) else { return false };
        let own = self.classes[id].scope;
        let ast = match source {
            TemplateSource::Primary(ast, parent, order) => {
                self.classes[id].order = order;
                let bound = self.bind(&ast.parameters, &arguments, parent);
                self.scopes[own].parent = Some(bound);
                match self.templates[template].kind {
                    TemplateKind::Class => self.templates[template].class.clone(),
                    TemplateKind::Alias(_) | TemplateKind::Variable(_) => None,
                }
            }
            TemplateSource::Partial(ast, bound, order) => {
                self.scopes[own].parent = Some(bound);
                let info = &mut self.classes[id];
                let all = &self.templates[template].partials;
                info.partial = all.iter().position(|one| Rc::ptr_eq(&one.ast, &ast));
                info.order = order;
                match &ast.declaration.kind {
                    DeclarationKind::Class(class) => Some(Rc::clone(class)),
                    _ => None,
                }
            }
        };
        let Some(ast) = ast else { return false };
        self.classes[id].union = ast.tag == TagKind::Union;
        self.program[id].union = ast.tag == TagKind::Union;
        self.classes[id].ast = Some(ast);
        true
    }

    fn lay_out(&mut self, id: RecordId, ast: &Rc<ast::Class>) -> Option<()> {
        let mut layout = Layout { align: 1, union: ast.tag == TagKind::Union, ..Layout::default() };
        layout.packed = ast.attributes.iter().any(|one| matches!(one.kind, AttributeKind::Packed));
        layout.greatest = ast.attributes.iter().find_map(|one| match one.kind {
            AttributeKind::Pack(greatest) => Some(u64::from(greatest)),
            _ => None,
        });
        let own_align = self.alignment(&ast.attributes)?;
        self.add_virtual_bases(id, ast)?;
        if self.needs_table(ast) {
            self.add_table_pointer(id, &mut layout, ast.span);
        }
        for base in &ast.bases {
            if base.pack {
                let count = self.pack_length(|walk| walk.ty(&base.class), base.class.span)?;
                let before = self.body.expansion();
                for at in 0..count {
                    self.body.replace_expansion(Some(at));
                    let done = self.add_base(id, base, &mut layout);
                    self.body.replace_expansion(before);
                    done?;
                }
            } else {
                self.add_base(id, base, &mut layout)?;
            }
        }
        let info = &self.classes[id];
        let base = info.bases.iter().any(|(base, _)| self.classes[*base].virtuals.polymorphic);
        self.classes[id].virtuals.polymorphic = base || self.classes[id].virtuals.vptr.is_some();
        let mut access = if ast.tag == TagKind::Class { Access::Private } else { Access::Public };
        let members = ast.members.as_deref().unwrap_or_default();
        for member in members {
            if let DeclarationKind::Access(new) = &member.kind {
                access = *new;
                continue;
            }
            self.declarations.replace_access(access);
            self.add_member(id, member, access, &mut layout)?;
        }
        self.attach_outside(id);
        let own = layout.bits.div_ceil(8).max(layout.end);
        let bytes = self.place_virtual_bases(id, own, &mut layout.align);
        if own_align > 1 && own_align < layout.align {
            self.messages.tell_weak_alignment(own_align, layout.align, &ast.attributes);
            return None;
        }
        let align = layout.align.max(own_align);
        let empty = self.program[id].fields.iter().all(|field| {
            field.base && self.program.record_of(field.ty).is_some_and(|base| self.classes[base].empty)
        });
        let info = &mut self.classes[id];
        info.data_size = if empty { 0 } else { own };
        info.empty = empty;
        if !info.bases.is_empty()
            || !info.constructors.is_empty()
            || info.destructor.is_some()
            || !info.hidden.is_empty()
        {
            info.pod = false;
        }
        if empty {
            info.empties.push((id, 0));
        }
        let record = &mut self.program[id];
        record.size = up(bytes.max(1), align);
        record.align = u32::try_from(align).unwrap_or(1);
        if self.classes[id].pod {
            self.classes[id].data_size = self.program[id].size;
        }
        self.classes[id].aggregate =
            self.classes.may_be_aggregate(id) && !self.classes[id].virtuals.polymorphic;
        Some(())
    }

    /// Alignment that attributes ask for; 1 for none.
    pub(crate) fn alignment(&mut self, attributes: &[ast::Attribute]) -> Option<u64> {
        let mut align = 1;
        for one in attributes {
            let AttributeKind::Align(asked) = &one.kind else { continue };
            let found = match asked {
                None => 16,
                Some(TemplateArgument::Type(ty)) => {
                    let ty = self.resolve_type(ty)?;
                    u64::from(self.align_of(ty))
                }
                Some(TemplateArgument::Expression(expr)) => {
                    let (_, value) = self.constant_integer(expr)?;
                    match u64::try_from(value) {
                        Ok(0) => 1,
                        Ok(value) if value.is_power_of_two() && value <= 1 << 16 => value,
                        _ => {
                            self.messages.error(
                                "alignment",
                                one.span,
                                format!("requested alignment {value} is not a power of two"),
                            );
                            return None;
                        }
                    }
                }
                Some(TemplateArgument::Pack(_)) => {
                    self.messages.refuse(one.span, "packs in `alignas` are", "write one alignment");
                    return None;
                }
            };
            align = align.max(found);
        }
        Some(align)
    }

    /// The address of a class's table, at its beginning.
    fn add_table_pointer(&mut self, id: RecordId, layout: &mut Layout, span: Span) {
        let void = self.program.basic().void;
        let ty = self.program.pointer(void);
        let field = Field { name: "".into(), ty, offset: 0, bits: None, base: false, span };
        self.classes[id].virtuals.vptr = Some(self.program[id].fields.len() as u32);
        self.program[id].fields.push(field);
        self.classes[id].pod = false;
        (layout.bits, layout.align) = (64, layout.align.max(8));
    }

    fn add_base(&mut self, id: RecordId, base: &ast::Base, layout: &mut Layout) -> Option<()> {
        let ty = self.written_base(base)?;
        let Some(record) = self.program.record_of(ty) else {
            let shown = self.program.show(ty);
            self.messages.error(
                "type",
                base.class.span,
                format!("`{shown}` is not a class, so it cannot be a base class"),
            );
            return None;
        };
        if !self.require_complete(ty, base.class.span) {
            return None;
        }
        if base.is_virtual.is_some() {
            let of = &self.classes[id].virtuals.bases;
            let number = of.iter().find(|(one, _)| *one == record).map(|(_, number)| *number)?;
            self.enter_base(id, base, (record, number));
            return Some(());
        }
        let info = &self.classes[record];
        let (empty, data, empties) = (info.empty, info.data_size, info.empties.clone());
        let align = u64::from(self.program[record].align);
        let align = layout.limited(align);
        let mut offset = if empty { 0 } else { up(layout.bits.div_ceil(8), align) };
        while self.classes.overlaps(id, &empties, offset) {
            offset = up(offset + 1, align);
        }
        layout.align = layout.align.max(align);
        layout.end = layout.end.max(offset + if empty { u64::from(offset > 0) } else { data });
        if !empty {
            layout.bits = (offset + data) * 8;
        }
        let field = Field { name: "".into(), ty, offset, bits: None, base: true, span: base.class.span };
        self.program[id].fields.push(field);
        let number = self.program[id].fields.len() as u32 - 1;
        self.classes[id].empties.extend(empties.into_iter().map(|(of, at)| (of, at + offset)));
        self.enter_base(id, base, (record, number));
        Some(())
    }

    /// The class that a base is, as written.
    pub(crate) fn written_base(&mut self, base: &ast::Base) -> Option<Type> {
        // A base is always a type: it needs no `typename`.
        let mut written = (*base.class).clone();
        if let ast::TypeKind::Name(name) = &mut written.kind {
            name.typename = true;
        }
        self.resolve_type(&written).map(plain_name)
    }

    /// Notes a base, and who may use it as one.
    fn enter_base(&mut self, id: RecordId, base: &ast::Base, (record, number): (RecordId, u32)) {
        let dependent = self.is_dependent(&base.class);
        let class = self.classes[id].ast.as_ref().is_some_and(|ast| ast.tag == TagKind::Class);
        let access = base.access.unwrap_or(if class { Access::Private } else { Access::Public });
        let info = &mut self.classes[id];
        info.bases.push((record, number));
        if dependent {
            info.dependent_bases.push(record);
        }
        if access != Access::Public {
            info.hidden_bases.push((record, access));
        }
        if access != Access::Public {
            info.aggregate = false;
        }
    }

    fn add_member(
        &mut self,
        id: RecordId,
        member: &Declaration,
        access: Access,
        layout: &mut Layout,
    ) -> Option<()> {
        match &member.kind {
            DeclarationKind::Variable(variable) if variable.specifiers.is_static.is_none() => {
                self.add_field(id, variable, access, layout)
            }
            DeclarationKind::Variable(variable)
                if variable.specifiers.device().is_some()
                    || variable.specifiers.shared().is_some()
                    || variable.specifiers.constant().is_some() =>
            {
                let span = variable.name.as_ref().map_or(variable.span, |name| name.span);
                self.messages.error_help(
                    "attribute",
                    span,
                    "a static member cannot have a memory space such as `__device__`",
                    "declare a variable outside the class; `static constexpr` members are constants",
                );
                None
            }
            DeclarationKind::Class(class) if class.name.is_none() && class.members.is_some() => {
                self.add_anonymous(id, class, layout)
            }
            DeclarationKind::Function(function) => {
                if function.specifiers.global().is_some() {
                    self.messages.error_help(
                        "kernel",
                        function.name.span,
                        "a kernel cannot be a member of a class",
                        "move it out of the class, and pass it what it needs",
                    );
                    return None;
                }
                self.declare(member);
                Some(())
            }
            _ => {
                self.declare(member);
                Some(())
            }
        }
    }

    fn add_field(
        &mut self,
        id: RecordId,
        variable: &Rc<ast::Variable>,
        access: Access,
        layout: &mut Layout,
    ) -> Option<()> {
        if let Some(span) =
            variable.specifiers.shared().or(variable.specifiers.constant()).or(variable.specifiers.device())
        {
            self.messages.error_help(
                "attribute",
                span,
                "a field cannot have its own memory space",
                "put the attribute on the variable of this class",
            );
            return None;
        }
        let ty = self.resolve_type(&variable.ty)?;
        if self.program.is_void(ty) || self.program.is_function(ty) {
            let shown = self.program.show(ty);
            self.messages.error("type", variable.span, format!("a field cannot have type `{shown}`"));
            return None;
        }
        if matches!(self.program.kind_of(ty), TypeKind::UnknownArray(_)) {
            self.messages.refuse(
                variable.span,
                "flexible array members are",
                "give the length, or hold a pointer",
            );
            return None;
        }
        if !self.require_complete(ty, variable.ty.span) {
            return None;
        }
        let own = self.alignment(&variable.specifiers.attributes)?;
        let packed =
            variable.specifiers.attributes.iter().any(|one| matches!(one.kind, AttributeKind::Packed));
        let symbol = variable
            .name
            .as_ref()
            .and_then(|name| name.last())
            .and_then(|last| crate::check::names::lookup::key(&last.id));
        let span = variable.name.as_ref().map_or(variable.span, |name| name.span);
        let (size, natural) = self.program.layout(ty);
        if !layout.packed && !packed && own > 1 && own < natural.into() {
            self.messages.tell_weak_alignment(own, natural.into(), &variable.specifiers.attributes);
            return None;
        }
        if layout.greatest.is_some() && (own > 1 || variable.bits.is_some()) {
            self.messages.refuse(
                variable.span,
                "alignment specifiers and bit-fields under `#pragma pack` are",
                "write the members without them, in the order in which they are to be stored",
            );
            return None;
        }
        let natural = layout.limited(natural.into());
        let align = if layout.packed || packed { own } else { own.max(natural) };
        let number = self.program[id].fields.len() as u32;
        let (offset, bits) = match &variable.bits {
            Some(width) => {
                let found = self.place_bits(width, ty, symbol.is_some(), size, align, layout)?;
                match found {
                    Some((offset, bits)) => (offset, Some(bits)),
                    None => return Some(()),
                }
            }
            None => (self.classes.place_field(id, ty, size, align, layout, &self.program), None),
        };
        let text = symbol.as_ref().map_or_else(|| Rc::from(""), |symbol| Rc::clone(&symbol.0));
        let field = Field { name: text, ty, offset, bits, base: false, span };
        self.program[id].fields.push(field);
        self.classes.note_field(id, number, ty, variable, access, &self.program);
        if variable.specifiers.is_mutable.is_some() {
            self.classes.note_mutable(id, number);
        }
        if let Some(symbol) = symbol {
            self.enter_name(symbol, Entity::Field(id, Rc::from([number])), span);
        }
        Some(())
    }

    /// Offset, first bit and width of a bit-field; `Some(None)` for one of no width.
    fn place_bits(
        &mut self,
        width: &ast::Expr,
        ty: Type,
        named: bool,
        size: u64,
        align: u64,
        layout: &mut Layout,
    ) -> Option<Option<(u64, (u32, u32))>> {
        let (_, value) = self.constant_integer(width)?;
        let Some((bits, _)) = self.program.width(ty) else {
            let shown = self.program.show(ty);
            self.messages.error(
                "bit-field",
                width.span,
                format!("bit-field has non-integral type `{shown}`"),
            );
            return None;
        };
        let bits = bits.max(8);
        let Ok(value) = u32::try_from(value) else {
            self.messages.error("bit-field", width.span, "bit-field has negative width");
            return None;
        };
        if value > bits {
            self.messages.error(
                "bit-field",
                width.span,
                format!("width of bit-field exceeds the width of its type ({bits} bits)"),
            );
            return None;
        }
        if value == 0 {
            if named {
                self.messages.error("bit-field", width.span, "named bit-field has zero width");
                return None;
            }
            layout.bits = up(layout.bits, size * 8);
            return Some(None);
        }
        if named {
            layout.align = layout.align.max(align);
        }
        if layout.union {
            layout.end = layout.end.max(u64::from(value).div_ceil(8));
            return Some(Some((0, (0, value))));
        }
        let unit = size * 8;
        let packed = layout.packed || align < size.min(8);
        if !packed && layout.bits % unit + u64::from(value) > unit {
            layout.bits = up(layout.bits, align * 8);
        }
        if packed && layout.bits % unit + u64::from(value) > unit {
            self.messages.refuse(
                width.span,
                "packed bit-fields that cross a boundary of their type are",
                "reorder them so that none does",
            );
            return None;
        }
        let offset = layout.bits / unit * size;
        let first = (layout.bits - offset * 8) as u32;
        layout.bits += u64::from(value);
        Some(Some((offset, (first, value))))
    }

    /// Anonymous struct or union: its fields' names are the outer class's.
    fn add_anonymous(&mut self, id: RecordId, class: &Rc<ast::Class>, layout: &mut Layout) -> Option<()> {
        let ty = self.declare_class(class)?;
        let inner = self.program.record_of(ty)?;
        if !self.require_complete(ty, class.span) {
            return None;
        }
        let (size, align) = self.program.layout(ty);
        let align = layout.limited(align.into());
        let offset = self.classes.place_field(id, ty, size, align, layout, &self.program);
        let number = self.program[id].fields.len() as u32;
        let field = Field { name: "".into(), ty, offset, bits: None, base: false, span: class.span };
        self.program[id].fields.push(field);
        self.classes[id].pod &= self.classes[inner].pod;
        let scope = self.classes[inner].scope;
        let mut found: Vec<_> = self.scopes[scope]
            .names
            .iter()
            .flat_map(|(symbol, entries)| entries.iter().map(move |entry| (symbol.clone(), entry.clone())))
            .collect();
        crate::sort::by_key(&mut found, |(_, entry)| entry.span);
        for (symbol, entry) in found {
            if let Entity::Field(_, path) = &entry.entity {
                let mut whole = vec![number];
                whole.extend(path.iter());
                self.enter_name(symbol, Entity::Field(id, whole.into()), entry.span);
            }
        }
        Some(())
    }

    /// `using Base::member;`, `using Base::Base;`.
    pub(crate) fn using_member(&mut self, record: RecordId, name: &ast::Name, symbol: ast::Symbol) {
        let written = ast::Type {
            kind: ast::TypeKind::Name(name.clone()),
            qualifiers: ast::Qualifiers::default(),
            span: name.span,
        };
        // `using Bases::operator()...;`
        let count = self.trial(|this| this.pack_length(|walk| walk.ty(&written), name.span));
        let Some(count) = count.filter(|_| self.body.expansion().is_none()) else {
            self.using_member_of_one(record, name, symbol);
            return;
        };
        for at in 0..count {
            self.body.replace_expansion(Some(at));
            self.using_member_of_one(record, name, symbol.clone());
        }
        self.body.replace_expansion(None);
    }

    fn using_member_of_one(&mut self, record: RecordId, name: &ast::Name, symbol: ast::Symbol) {
        let prefix = self.scope_of_prefix(name);
        let Some(scope) = prefix else {
            let text = self.messages.text(name.span).to_owned();
            self.messages.unknown_name(text, name.span, "no such base class");
            return;
        };
        if let crate::check::names::entity::ScopeKind::Class(base) = self.scopes[scope].kind {
            if self.classes[base].name == *symbol
                || name
                    .segments
                    .iter()
                    .rev()
                    .nth(1)
                    .is_some_and(|one| crate::check::names::lookup::key(&one.id).as_ref() == Some(&symbol))
            {
                self.classes[record].inherits.push(base);
                return;
            }
            match self.find_member(base, &symbol, crate::check::names::find::Want::Any) {
                Some(Entity::Functions(decls, _)) => {
                    for decl in decls {
                        if self.declarations.access() == Access::Public {
                            self.declarations.publish(decl);
                        }
                        self.enter_function(self.scopes.current(), symbol.clone(), decl, name.span);
                    }
                }
                Some(entity) => self.enter_name(symbol, entity, name.span),
                None => {
                    let message = format!("no member named `{symbol}` in the base class");
                    self.messages.unknown_name(symbol.to_string(), name.span, message);
                }
            }
            return;
        }
        if let Some(entity) = self.resolve_quietly(name, crate::check::names::find::Want::Any) {
            self.enter_name(symbol, entity, name.span);
        }
    }
}

/// The type without qualifiers, as messages on classes name it.
fn plain_name(ty: Type) -> Type {
    crate::check::types::kind::plain(ty)
}
