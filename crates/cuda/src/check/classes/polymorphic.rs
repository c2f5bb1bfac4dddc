//! Classes with virtual functions: tables of their functions, and calls through them.
//!
//! Enters: classes, and calls of methods. Leaves: for each class and each base in it that has virtual functions a table, as the Itanium
//! ABI has it: the distance to the beginning of the whole object, what the class is (on the host), then its functions. An object holds the address
//! of the first function. A base that comes first shares its table's beginning with the class. This module must never know how a
//! method is chosen among overloads.

use std::rc::Rc;

use crate::ast::{self, DeclarationKind, FunctionBody, FunctionKind, Symbol};
use crate::check::Checker;
use crate::check::calls::callee::Callee;
use crate::check::classes::virtual_base::{HEAD, Part};
use crate::check::expressions::operand::{deref, local_place, number};
use crate::check::names::entity::{DeclId, Entity, Slot};
use crate::check::types::kind::plain;
use crate::hir::{
    Arg, Expr, ExprKind, Function, FunctionId, Init, Local, LocalId, Place, PlaceKind, RecordId, Stmt,
    StmtKind, Type, TypeKind, Variable, VariableId,
};
use crate::ir::{Linkage, Space};
use crate::source::Span;

/// Name of a destructor's slot.
const DESTRUCTOR: &str = "~";
/// What a slot without a function calls.
const PURE: &str = "__library_pure_virtual";

/// Whether one function overrides the other.
fn same(one: &Slot, other: &Slot) -> bool {
    one.name == other.name
        && (&*one.name == DESTRUCTOR || one.params == other.params && one.constant == other.constant)
}

/// Whether a class's own text declares something virtual.
fn says_virtual(ast: &ast::Class) -> bool {
    ast.members.iter().flatten().any(|member| match &member.kind {
        DeclarationKind::Function(function) => is_virtual(function),
        _ => false,
    })
}

fn is_virtual(function: &ast::Function) -> bool {
    function.specifiers.is_virtual.or(function.is_virtual_like).is_some()
}

impl Checker<'_> {
    /// Whether objects of a class have a table, whose bases are known.
    pub(crate) fn is_polymorphic(&self, record: RecordId) -> bool {
        self.classes[record].virtuals.polymorphic
    }

    /// Notes whether a class has virtual functions, before its bases are laid out: whether its table's address needs a field.
    pub(crate) fn needs_table(&mut self, ast: &ast::Class) -> bool {
        let mut first = true;
        let mut needs = says_virtual(ast);
        for base in &ast.bases {
            if base.pack {
                continue;
            }
            if base.is_virtual.is_some() {
                needs = true;
                continue;
            }
            let (ty, _) = self.tried(|this| this.written_base(base));
            let Some(record) = ty.and_then(|ty| self.program.record_of(ty)) else { continue };
            if self.complete_record(record) && self.classes[record].virtuals.polymorphic {
                if first {
                    return false;
                }
                needs = true;
            }
            first = false;
        }
        needs
    }

    /// Base at a class's beginning with which it shares a table.
    fn primary(&self, record: RecordId) -> Option<RecordId> {
        let info = &self.classes[record];
        if info.virtuals.vptr.is_some() {
            return info.virtuals.shared;
        }
        let own = |number: u32| !self.classes.is_virtual_base(record, number);
        let (base, _) = *info.bases.iter().find(|(_, number)| own(*number))?;
        self.classes[base].virtuals.polymorphic.then_some(base)
    }

    /// Bases of a class at any distance.
    fn every_base(&self, record: RecordId, found: &mut Vec<RecordId>) {
        for (base, _) in &self.classes[record].bases {
            if !found.contains(base) {
                found.push(*base);
                self.every_base(*base, found);
            }
        }
    }

    /// Virtual functions of a class in the order of its table.
    pub(crate) fn slots(&mut self, record: RecordId) -> Rc<[Slot]> {
        if let Some(known) = &self.classes[record].virtuals.slots {
            return Rc::clone(known);
        }
        let mut slots: Vec<Slot> = match self.primary(record) {
            Some(base) => self.slots(base).to_vec(),
            None => vec![],
        };
        let (mut bases, mut inherited): (Vec<RecordId>, Vec<Slot>) = (vec![], vec![]);
        self.every_base(record, &mut bases);
        for base in bases {
            if !self.classes[base].virtuals.polymorphic {
                continue;
            }
            inherited.extend(self.slots(base).iter().cloned());
        }
        for (mut own, said) in self.own_methods(record) {
            match slots.iter_mut().find(|one| same(one, &own)) {
                Some(slot) => slot.decl = own.decl.take().or(slot.decl),
                None if said || inherited.iter().any(|one| same(one, &own)) => slots.push(own),
                None => {}
            }
        }
        self.add_distances(record, &mut slots);
        let slots: Rc<[Slot]> = slots.into();
        self.classes[record].virtuals.slots = Some(Rc::clone(&slots));
        slots
    }

    /// Methods that a class itself declares, as slots, in their order, and whether each is said to be virtual.
    fn own_methods(&mut self, record: RecordId) -> Vec<(Slot, bool)> {
        let scope = self.classes[record].scope;
        let mut decls: Vec<DeclId> = vec![];
        for (_, entries) in self.scopes[scope].names.iter() {
            for entry in entries {
                if let Entity::Functions(all, _) = &entry.entity {
                    decls.extend(all.iter().copied());
                }
            }
        }
        decls.sort();
        decls.dedup();
        let mut found = vec![];
        let ast = self.classes[record].ast.clone();
        let ends =
            ast.iter().flat_map(|ast| ast.members.iter().flatten()).find_map(|member| match &member.kind {
                DeclarationKind::Function(function) if function.kind == FunctionKind::Destructor => {
                    Some(is_virtual(function))
                }
                _ => None,
            });
        if let Some(said) = ends {
            let name = Symbol::from(DESTRUCTOR);
            found.push((Slot { name, params: vec![], constant: false, decl: None, base: None }, said));
        }
        for decl in decls {
            let one = &self.declarations[decl];
            let ast = Rc::clone(&one.ast);
            let method = matches!(ast.kind, FunctionKind::Ordinary | FunctionKind::Conversion)
                && one.class == Some(record)
                && one.template.is_none()
                && ast.specifiers.is_static.is_none();
            let Some(name) = ast.name.last().and_then(|last| crate::check::names::lookup::key(&last.id))
            else {
                continue;
            };
            if !method || self.has_template(decl) {
                continue;
            }
            let Some(signature) = self.signature(decl, &[]) else { continue };
            let params = signature.params.iter().map(|ty| plain(*ty)).collect();
            let slot = Slot { name, params, constant: ast.ty.constant, decl: Some(decl), base: None };
            found.push((slot, is_virtual(&ast)));
        }
        found
    }

    /// The function that an object of a class has for a slot of one of its bases, with the class that declares it.
    pub(super) fn overrider(&mut self, record: RecordId, slot: &Slot) -> Option<(RecordId, DeclId)> {
        let own = self.own_methods(record).into_iter().find(|(one, _)| same(one, slot));
        if let Some(decl) = own.and_then(|(one, _)| one.decl) {
            return Some((record, decl));
        }
        let bases: Vec<RecordId> = self.classes[record].bases.iter().map(|(base, _)| *base).collect();
        let mut found: Option<(RecordId, DeclId)> = None;
        for base in bases {
            if !self.classes[base].virtuals.polymorphic {
                continue;
            }
            let one = self.overrider(base, slot);
            match (found, one) {
                (None, one) => found = one,
                (Some(known), Some(one)) if self.overrides(known, one) => found = Some(one),
                _ => {}
            }
        }
        found
    }

    /// Whether of two functions for a slot, which different bases of a class have, the second is the class's: its class derives from
    /// that of the first, or it alone has a body.
    fn overrides(&mut self, (known, first): (RecordId, DeclId), (owner, second): (RecordId, DeclId)) -> bool {
        if known == owner || self.is_base(owner, known) {
            return false;
        }
        self.is_base(known, owner) || self.is_pure_virtual(first) && !self.is_pure_virtual(second)
    }

    /// Whether a class leaves a virtual function to its derived classes.
    pub(crate) fn is_abstract(&mut self, record: RecordId) -> bool {
        self.slots(record)
            .iter()
            .filter(|slot| &*slot.name != DESTRUCTOR && slot.base.is_none())
            .any(|slot| self.overrider(record, slot).is_none_or(|(_, decl)| self.is_pure_virtual(decl)))
    }

    pub(crate) fn has_virtual_destructor(&mut self, record: RecordId) -> bool {
        self.slots(record).iter().any(|slot| &*slot.name == DESTRUCTOR)
    }

    pub(super) fn is_pure_virtual(&self, decl: DeclId) -> bool {
        let one = &self.declarations[decl];
        one.definition.is_none() && matches!(one.ast.body, FunctionBody::None) && one.ast.is_pure
    }

    /// Tables of a class: where in an object the address of each lies, and the variable that it is.
    pub(crate) fn tables(&mut self, record: RecordId, span: Span) -> Option<(Vec<u64>, Vec<VariableId>)> {
        if let Some(known) = &self.classes[record].virtuals.tables {
            return Some((**known).clone());
        }
        let mut places: Vec<(u64, RecordId)> = vec![];
        for one in self.table_places(Part::whole(record)) {
            if !places.iter().any(|(known, _)| *known == one.at) {
                places.push((one.at, one.of));
            }
        }
        let (mut offsets, mut variables) = (vec![], vec![]);
        for (offset, of) in &places {
            let symbol = format!("_ZTV{}${offset}", record.0);
            variables.push(self.declare_table(symbol, *of, span));
            offsets.push(*offset);
        }
        self.classes[record].virtuals.tables = Some(Rc::new((offsets.clone(), variables.clone())));
        for ((offset, of), variable) in places.into_iter().zip(&variables) {
            self.fill_table(Part::whole(record), (of, offset), *variable, span)?;
        }
        Some((offsets, variables))
    }

    /// Variable that is a table with a class's functions.
    pub(super) fn declare_table(&mut self, symbol: String, of: RecordId, span: Span) -> VariableId {
        let count = self.slots(of).len() as u64 + HEAD / 8;
        let void = self.program.basic().void;
        let pointer = self.program.pointer(void);
        let ty = self.program.ty(TypeKind::Array(crate::check::types::kind::constant(pointer), count));
        self.add_static(symbol, ty, span)
    }

    /// Variable that nothing in the source names.
    pub(crate) fn add_static(&mut self, symbol: String, ty: Type, span: Span) -> VariableId {
        let id = self.program.next_variable();
        let (space, visible, external) = (Space::Global, false, false);
        let name = Rc::from("");
        self.program.add_variable(Variable {
            name,
            symbol,
            ty,
            space,
            align: 8,
            visible,
            managed: false,
            external,
            linkage: Linkage::Internal,
            init: None,
            span,
        });
        id
    }

    /// Says what the table of a part of an object has that lies at an offset in the whole.
    pub(super) fn fill_table(
        &mut self,
        part: Part,
        (of, offset): (RecordId, u64),
        variable: VariableId,
        span: Span,
    ) -> Option<()> {
        let void = self.program.basic().void;
        let pointer = self.program.pointer(void);
        let mut elements = vec![
            Init::Value(number(i128::from(part.at) - i128::from(offset), pointer, span)),
            // A kernel cannot ask for it.
            Init::Value(match self.side.is_host() {
                true => self.type_info(part.record, span)?,
                false => number(0, pointer, span),
            }),
        ];
        for slot in self.slots(of).iter() {
            let found = match slot.base {
                Some(base) => {
                    let distance = i128::from(self.virtual_offset(part.whole, base)) - i128::from(offset);
                    number(distance, pointer, span)
                }
                None => self.function_of_slot(part, slot, offset, span)?,
            };
            elements.push(Init::Value(Expr { ty: pointer, ..found }));
        }
        self.program[variable].init = Some(Init::Elements(elements, None));
        Some(())
    }

    /// Address of the function that a table of a class has in a slot.
    fn function_of_slot(&mut self, part: Part, slot: &Slot, offset: u64, span: Span) -> Option<Expr> {
        let ends = &*slot.name == DESTRUCTOR;
        if ends && part.is_whole() {
            let id = self.deleting_destructor(part.record, offset, span)?;
            return Some(self.function_value(id, span));
        }
        // No one deletes what is not a whole object yet, or any more.
        let found = if ends { None } else { self.overrider(part.record, slot) };
        let Some((owner, decl)) = found.filter(|(_, decl)| !self.is_pure_virtual(*decl)) else {
            if self.side.is_device() {
                let void = self.program.basic().void;
                return Some(number(0, self.program.pointer(void), span));
            }
            let set = self.runtime_function(PURE, span)?;
            return self.only_function(&set);
        };
        let signature = self.signature(decl, &[])?;
        let id = self.instance(decl, &[], &signature, span)?;
        self.instances[id].called = true;
        let path = self.base_path(part.record, owner)?;
        let distance = self.offset_in(part, &path) - i128::from(offset);
        if distance == 0 {
            return Some(self.function_value(id, span));
        }
        let result = match signature.result {
            Some(result) => result,
            None => {
                self.find_result(id, span)?;
                self.program[id].result
            }
        };
        let thunk = self.adjusting(id, owner, (result, &signature.params), distance, span);
        Some(self.function_value(thunk, span))
    }

    fn function_value(&mut self, id: FunctionId, span: Span) -> Expr {
        let void = self.program.basic().void;
        Expr { kind: ExprKind::Function(id), ty: self.program.pointer(void), span }
    }

    /// Bytes from a class's beginning to that of a base, by the fields on the way.
    pub(crate) fn distance(&self, record: RecordId, path: &[u32]) -> i128 {
        let (mut at, mut of) = (0, record);
        for number in path {
            let Some(field) = self.program[of].fields.get(*number as usize) else { break };
            at += i128::from(field.offset);
            match self.program.record_of(field.ty) {
                Some(next) => of = next,
                None => break,
            }
        }
        at
    }

    /// A pointer that many bytes on, as one to another type.
    pub(super) fn shifted(&mut self, pointer: Expr, bytes: i128, to: Type) -> Expr {
        let span = pointer.span;
        let char = self.program.basic().char;
        let chars = self.program.pointer(char);
        let cast = Expr { kind: ExprKind::Cast(Box::new(pointer)), ty: chars, span };
        let by = number(bytes, self.program.basic().long, span);
        let kind = ExprKind::Offset(Box::new(cast), Box::new(by), false);
        let moved = Expr { kind, ty: chars, span };
        Expr { kind: ExprKind::Cast(Box::new(moved)), ty: to, span }
    }

    /// Function that calls a method for an object which begins elsewhere than the pointer that it gets.
    pub(crate) fn adjusting(
        &mut self,
        id: FunctionId,
        owner: RecordId,
        (result, params): (Type, &[Type]),
        distance: i128,
        span: Span,
    ) -> FunctionId {
        let sign = if distance < 0 { "n" } else { "" };
        let symbol = format!("_ZTh{sign}{}_{}", distance.unsigned_abs(), self.program[id].symbol);
        if let Some(at) = self.program.functions().iter().position(|one| one.symbol == symbol) {
            return FunctionId(at as u32);
        }
        let class = self.program.record_type(owner);
        let this = self.program.pointer(class);
        let mut locals = vec![];
        let mut local = |ty: Type, align: u32| {
            let (restrict, grid_constant) = (false, false);
            locals.push(Local { name: "".into(), ty, align, restrict, grid_constant, span });
            LocalId(locals.len() as u32 - 1)
        };
        let mut ids = vec![local(this, 8)];
        for ty in params {
            ids.push(local(*ty, self.program.layout(*ty).1));
        }
        let own = self.loaded(LocalId(0), this, span);
        let mut args = vec![Arg::Value(self.shifted(own, distance, this))];
        for (one, ty) in ids.iter().skip(1).zip(params) {
            let held = match self.program.referred(*ty) {
                Some((to, _)) => self.program.pointer(to),
                None => *ty,
            };
            // An object that is passed is the caller's: its address goes on.
            args.push(match self.program.record_of(held) {
                Some(_) => Arg::Value(self.program.address(local_place(*one, held, span))),
                None => Arg::Value(self.loaded(*one, held, span)),
            });
        }
        let body = vec![self.returned_call(id, args.into(), result, span)];
        let base = self.program[id].clone();
        let function = Function {
            symbol,
            result,
            params: ids,
            locals,
            body,
            ends: vec![],
            returned: None,
            unwound: vec![],
            ..base
        };
        let function = Function { external: false, linkage: Linkage::Internal, ..function };
        self.add_made(function, id)
    }

    /// Function that ends an object of a class and frees it, by the address of a base in it.
    fn deleting_destructor(&mut self, record: RecordId, offset: u64, span: Span) -> Option<FunctionId> {
        let class = self.program.record_type(record);
        let this = self.program.pointer(class);
        let symbol = format!("_ZD0${}${offset}", record.0);
        let uid = self.body.next_frame();
        let frame = crate::check::context::frame::Frame::new(uid, None);
        let outer = std::mem::replace(&mut self.frame, frame);
        let made = self.deleting_body(this, class, offset, span);
        let frame = std::mem::replace(&mut self.frame, outer);
        let (param, body) = made?;
        let id = self.add_bare(symbol, frame.into_locals(), vec![], body, span);
        self.program[id].params = vec![param];
        Some(id)
    }

    fn deleting_body(
        &mut self,
        this: Type,
        class: Type,
        offset: u64,
        span: Span,
    ) -> Option<(LocalId, Vec<Stmt>)> {
        let given = self.local("".into(), this, span);
        let whole = self.local("".into(), this, span);
        let given_value = self.loaded(given, this, span);
        let moved = self.shifted(given_value, -i128::from(offset), this);
        let mut body = vec![Stmt { kind: StmtKind::Let(whole, Some(Init::Value(moved))), span }];
        let place = deref(self.loaded(whole, this, span), class, span);
        self.end_of(place, span, &mut body)?;
        let void = self.program.basic().void;
        let bytes = self.program.pointer(void);
        let memory = Expr { kind: ExprKind::Cast(Box::new(self.loaded(whole, this, span))), ty: bytes, span };
        let call = self.freed_as(class, memory, false, span)?;
        body.push(Stmt { kind: StmtKind::Expr(call), span });
        Some((given, body))
    }

    /// Statement that puts the addresses of a class's tables into an object.
    pub(crate) fn put_tables(&mut self, place: Place, record: RecordId, span: Span) -> Option<Stmt> {
        let init = self.with_tables(Init::Nothing, record, span)?;
        Some(Stmt { kind: StmtKind::Fill(place, init), span })
    }

    /// Adds what puts the addresses of tables into the object, once its bases have begun.
    pub(crate) fn note_tables(
        &mut self,
        wanted: &mut bool,
        record: RecordId,
        statements: &mut Vec<Stmt>,
        span: Span,
    ) {
        if !std::mem::take(wanted) {
            return;
        }
        let Some(place) = self.this_place(span) else { return };
        match self.frame.tables() {
            Some(held) => self.put_tables_from(place, record, held, statements),
            None => statements.extend(self.put_tables(place, record, span)),
        }
    }

    /// What fills an object of a class, and then its tables' addresses.
    pub(crate) fn with_tables(&mut self, init: Init, record: RecordId, span: Span) -> Option<Init> {
        if !self.classes[record].virtuals.polymorphic {
            return Some(init);
        }
        let (offsets, variables) = self.tables(record, span)?;
        Some(Init::Tables(Box::new(init), variables, offsets))
    }

    /// Place of a method's slot in the table of the class that declares it; nothing where it is not virtual.
    pub(crate) fn slot_of(&mut self, decl: DeclId) -> Option<(RecordId, u64)> {
        let record = self.declarations[decl].class?;
        if !self.classes[record].virtuals.polymorphic {
            return None;
        }
        let own = self.own_methods(record).into_iter().find(|(one, _)| one.decl == Some(decl))?.0;
        let at = self.slots(record).iter().position(|one| same(one, &own))?;
        Some((record, at as u64))
    }

    /// Pointer to the function that an object has for a method, with the object's address evaluated before it.
    pub(crate) fn virtual_function(
        &mut self,
        callee: &Callee,
        object: Expr,
        span: Span,
    ) -> Option<(Stmt, Expr, Expr)> {
        let Callee::Decl(decl, _, signature) = callee else { return None };
        let (_, at) = self.slot_of(*decl)?;
        let result = signature.result?;
        let pointer = object.ty;
        let held = self.local("".into(), pointer, span);
        let keep = Stmt { kind: StmtKind::Let(held, Some(Init::Value(object))), span };
        let mut params = vec![pointer];
        params.extend(signature.params.iter().copied());
        let function = self.program.ty(TypeKind::Function(result, params));
        let wanted = self.program.pointer(function);
        let found = self.slot_value(self.loaded(held, pointer, span), at, wanted);
        let this = self.loaded(held, pointer, span);
        Some((keep, found, this))
    }

    /// What an object's table has in a slot.
    pub(crate) fn slot_value(&mut self, object: Expr, at: u64, wanted: Type) -> Expr {
        let span = object.span;
        let void = self.program.basic().void;
        let any = self.program.pointer(void);
        let table = self.program.pointer(any);
        let tables = self.program.pointer(table);
        let cast = Expr { kind: ExprKind::Cast(Box::new(object)), ty: tables, span };
        let table_place = deref(cast, table, span);
        let table_value = Expr { kind: ExprKind::Load(Box::new(table_place)), ty: table, span };
        let by = number(i128::from(at), self.program.basic().long, span);
        let kind = ExprKind::Offset(Box::new(table_value), Box::new(by), false);
        let slot = deref(Expr { kind, ty: table, span }, any, span);
        let value = Expr { kind: ExprKind::Load(Box::new(slot)), ty: any, span };
        Expr { kind: ExprKind::Cast(Box::new(value)), ty: wanted, span }
    }

    /// Call that ends and frees an object by its table's destructor, where the class has a virtual one.
    pub(crate) fn virtual_delete(&mut self, object: Expr, record: RecordId, span: Span) -> Option<Stmt> {
        if !self.classes[record].virtuals.polymorphic {
            return None;
        }
        let at = self.slots(record).iter().position(|one| &*one.name == DESTRUCTOR)?;
        let void = self.program.basic().void;
        let function = self.program.ty(TypeKind::Function(void, vec![object.ty]));
        let wanted = self.program.pointer(function);
        let found = self.slot_value(object.clone(), at as u64, wanted);
        let kind = ExprKind::CallPointer(Box::new(found), vec![Arg::Value(object)].into());
        Some(Stmt { kind: StmtKind::Expr(Expr { kind, ty: void, span }), span })
    }

    /// Address of what says of which type something is: itself first, then each of its public bases with its distance.
    pub(crate) fn type_info(&mut self, record: RecordId, span: Span) -> Option<Expr> {
        let ty = self.program.record_type(record);
        self.type_info_of(ty, span)
    }

    /// The same of any type.
    pub(crate) fn type_info_of(&mut self, ty: Type, span: Span) -> Option<Expr> {
        let ty = plain(ty);
        let void = self.program.basic().void;
        let pointer = self.program.pointer(void);
        // This address says which type something is of: it is the same in all units.
        let local = self.is_local_type(ty);
        let symbol =
            if local { format!("_ZTI.{}", ty.id.0) } else { format!("_ZTI{}", self.mangled_type(ty)) };
        let known = self.program.variables().iter().position(|one| one.symbol == symbol);
        let id = match known {
            Some(at) => VariableId(at as u32),
            None => {
                let mut bases = vec![(ty, 0)];
                if let Some(record) = self.program.record_of(ty) {
                    self.all_bases(record, record, 0, &mut bases);
                }
                let count = 2 + 2 * bases.len() as u64;
                let array = self.program.ty(TypeKind::Array(pointer, count));
                let id = self.add_static(symbol, array, span);
                self.program[id].linkage = if local { Linkage::Internal } else { Linkage::Weak };
                // For readers, then for `std::type_info`.
                let shown: Rc<[u8]> =
                    format!("{}\0{}", self.program.show(ty), self.mangled_type(ty)).into_bytes().into();
                let name = self.string(&shown, span);
                let name = self.program.decay(name);
                let mut elements = vec![Init::Value(Expr { ty: pointer, ..name })];
                for (at, (base, distance)) in bases.into_iter().enumerate() {
                    let own = match at {
                        0 => self.static_address(id, pointer, span),
                        _ => self.type_info_of(base, span)?,
                    };
                    elements.push(Init::Value(own));
                    elements.push(Init::Value(number(distance, pointer, span)));
                }
                elements.push(Init::Value(number(0, pointer, span)));
                self.program[id].init = Some(Init::Elements(elements, None));
                id
            }
        };
        Some(self.static_address(id, pointer, span))
    }

    pub(crate) fn static_address(&mut self, id: VariableId, pointer: Type, span: Span) -> Expr {
        let ty = self.program[id].ty;
        let place = Place { kind: PlaceKind::Variable(id), ty, span };
        let address = self.program.decay(place);
        Expr { ty: pointer, ..address }
    }

    fn all_bases(&mut self, whole: RecordId, record: RecordId, at: i128, found: &mut Vec<(Type, i128)>) {
        for (base, field) in self.classes[record].bases.clone() {
            let at = match self.classes.is_virtual_base(record, field) {
                true => i128::from(self.virtual_offset(whole, base)),
                false => at + i128::from(self.program.field_offset(record, field)),
            };
            let ty = self.program.record_type(base);
            let hidden = self.classes[record].hidden_bases.iter().any(|(one, _)| *one == base);
            if !hidden && !found.contains(&(ty, at)) {
                found.push((ty, at));
            }
            self.all_bases(whole, base, at, found);
        }
    }
}
