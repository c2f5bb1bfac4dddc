//! Virtual bases: one object of a base for all classes of a whole object that derive from it.
//!
//! Enters: classes with virtual bases, and objects of them. Leaves: where the bases lie, as the Itanium ABI has it, and how objects with
//! them begin and end. A class's table has the distance of each virtual base, since where that lies depends on the whole object. A
//! constructor has one parameter more: null where it makes a whole object, and so begins the virtual bases; otherwise an array with the
//! addresses of tables for the part that it makes, and then of such arrays for the parts of that. This module must never know how a
//! method is chosen among overloads.

use crate::ast;
use crate::check::Checker;
use crate::check::calls::callee::Callee;
use crate::check::classes::layout::up;
use crate::check::context::classes::Classes;
use crate::check::context::frame::Frame;
use crate::check::context::output::Output;
use crate::check::expressions::operand::{deref, local_place, number};
use crate::check::names::entity::Slot;
use crate::check::types::kind::plain;
use crate::hir::{
    Arg, Compare, Expr, ExprKind, Field, FunctionId, Init, LocalId, Place, PlaceKind, RecordId, Stmt,
    StmtKind, Type, TypeKind, VariableId,
};
use crate::ir::Linkage;
use crate::sorted::Sorted;
use crate::source::Span;

/// Bytes of a table before its first function.
pub(super) const HEAD: u64 = 16;

/// A class's part of an object that may be more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Part {
    /// Class of the whole object.
    pub(super) whole: RecordId,
    /// Class of the part.
    pub(super) record: RecordId,
    /// Where it begins in the whole.
    pub(super) at: u64,
}

impl Part {
    pub(super) fn whole(record: RecordId) -> Self {
        Part { whole: record, record, at: 0 }
    }

    pub(super) fn is_whole(self) -> bool {
        self.whole == self.record
    }
}

/// Where a part has the address of a table.
pub(super) struct TableAt {
    /// In the whole object.
    pub(super) at: u64,
    /// Class whose functions the table has.
    pub(super) of: RecordId,
    /// Number of the virtual base in which it lies.
    base: Option<u32>,
    /// Offset in that, or in the part.
    within: u64,
}

impl Classes {
    /// Whether a field is a virtual base.
    pub(crate) fn is_virtual_base(&self, record: RecordId, number: u32) -> bool {
        (number as usize) < self[record].virtuals.bases.len()
    }

    pub(crate) fn has_virtual_bases(&self, record: RecordId) -> bool {
        !self[record].virtuals.bases.is_empty()
    }

    /// Whether a class has nothing but the address of a table.
    fn is_nearly_empty(&self, record: RecordId) -> bool {
        self[record].virtuals.polymorphic && self[record].data_size == 8
    }

    /// Virtual bases of a class in the order in which they lie in its objects.
    fn virtual_order(&self, record: RecordId, found: &mut Vec<RecordId>) {
        for (base, number) in &self[record].bases {
            if !self.is_virtual_base(record, *number) {
                self.virtual_order(*base, found);
            } else if !found.contains(base) {
                found.push(*base);
                self.virtual_order(*base, found);
            }
        }
    }

    /// The base whose table a class's begins as, where it is virtual, and those of its bases.
    fn shared_tables(&self, record: RecordId, found: &mut Vec<RecordId>) {
        found.extend(self[record].virtuals.shared);
        for (base, _) in &self[record].bases {
            self.shared_tables(*base, found);
        }
    }
}

impl Output {
    pub(super) fn field_offset(&self, record: RecordId, number: u32) -> u64 {
        self[record].fields.get(number as usize).map_or(0, |field| field.offset)
    }
}

impl Checker<'_> {
    /// Fields for the virtual bases of a class, before all others: those of each base, then the base itself.
    pub(super) fn add_virtual_bases(&mut self, id: RecordId, ast: &ast::Class) -> Option<()> {
        let mut all: Vec<(RecordId, Span)> = vec![];
        for base in &ast.bases {
            let span = base.class.span;
            if let (true, Some(at)) = (base.pack, base.is_virtual) {
                self.messages.refuse(at, "packs of virtual bases are", "name each base class");
                return None;
            }
            if base.pack {
                continue;
            }
            let (ty, _) = self.tried(|this| this.written_base(base));
            let Some(record) = ty.and_then(|ty| self.program.record_of(ty)) else { continue };
            if !self.complete_record(record) {
                continue;
            }
            let inner = self.classes[record].virtuals.bases.clone();
            all.extend(inner.into_iter().map(|(one, _)| (one, span)));
            if base.is_virtual.is_some() {
                all.push((record, span));
            }
        }
        for (record, span) in all {
            let known = &self.classes[id].virtuals.bases;
            if known.iter().any(|(one, _)| *one == record) {
                continue;
            }
            let number = self.program[id].fields.len() as u32;
            let ty = self.program.record_type(record);
            let field = Field { name: "".into(), ty, offset: 0, bits: None, base: true, span };
            self.program[id].fields.push(field);
            self.classes[id].virtuals.bases.push((record, number));
        }
        Some(())
    }

    /// Places the virtual bases after all else, which has that many bytes; how many there are then.
    pub(super) fn place_virtual_bases(&mut self, id: RecordId, bytes: u64, align: &mut u64) -> u64 {
        let mut order = vec![];
        self.classes.virtual_order(id, &mut order);
        let mut inner = vec![];
        for (base, _) in self.classes[id].bases.clone() {
            self.classes.shared_tables(base, &mut inner);
        }
        if self.classes[id].virtuals.vptr.is_some() {
            let fits = |one: &&RecordId| self.classes.is_nearly_empty(**one);
            let own = order.iter().filter(fits).find(|one| !inner.contains(one));
            let shared = own.or_else(|| order.iter().find(fits)).copied();
            self.classes[id].virtuals.shared = shared;
        }
        let mut end = bytes;
        for base in order {
            let shared = self.shared_place(id, id, 0, base);
            let (empty, size) = (self.classes[base].empty, self.classes[base].data_size);
            let own = u64::from(self.program[base].align);
            let mut offset = if empty { 0 } else { up(end, own) };
            let empties = self.classes[base].empties.clone();
            while shared.is_none() && self.classes.overlaps(id, &empties, offset) {
                offset = up(offset + 1, own);
            }
            let offset = shared.unwrap_or(offset);
            *align = own.max(*align);
            end = end.max(offset + size);
            self.classes[id].empties.extend(empties.into_iter().map(|(of, at)| (of, at + offset)));
            let number = self.classes[id].virtuals.bases.iter().find(|(one, _)| *one == base);
            let number = number.map_or(0, |(_, number)| *number);
            if let Some(field) = self.program[id].fields.get_mut(number as usize) {
                field.offset = offset;
            }
        }
        end
    }

    /// Where a part of an object lies that shares its table with a virtual base.
    fn shared_place(&self, whole: RecordId, record: RecordId, at: u64, base: RecordId) -> Option<u64> {
        if self.classes[record].virtuals.shared == Some(base) {
            return Some(at);
        }
        self.classes[record].bases.iter().find_map(|(one, number)| {
            let at = match self.classes.is_virtual_base(record, *number) {
                // Those that are not placed yet are at 0.
                true => Some(self.virtual_offset(whole, *one)).filter(|at| *at > 0)?,
                false => at + self.program.field_offset(record, *number),
            };
            self.shared_place(whole, *one, at, base)
        })
    }

    /// Where a virtual base lies in a whole object.
    pub(super) fn virtual_offset(&self, whole: RecordId, base: RecordId) -> u64 {
        let found = self.classes[whole].virtuals.bases.iter().find(|(one, _)| *one == base);
        found.map_or(0, |(_, number)| self.program.field_offset(whole, *number))
    }

    /// Where the end of a way from a part to one of its bases lies in the whole object.
    pub(super) fn offset_in(&self, part: Part, path: &[u32]) -> i128 {
        let (mut at, mut of) = (part.at, part.record);
        for number in path {
            let Some(field) = self.program[of].fields.get(*number as usize) else { break };
            let Some(next) = self.program.record_of(field.ty) else { break };
            at = match self.classes.is_virtual_base(of, *number) {
                true => self.virtual_offset(part.whole, next),
                false => at + field.offset,
            };
            of = next;
        }
        i128::from(at)
    }

    /// Adds the distances of a class's virtual bases to its table.
    pub(super) fn add_distances(&self, record: RecordId, slots: &mut Vec<Slot>) {
        for (base, _) in &self.classes[record].virtuals.bases {
            if !slots.iter().any(|one| one.base == Some(*base)) {
                let name = ast::Symbol::from(&*format!("virtual {}", base.0));
                slots.push(Slot { name, params: vec![], constant: false, decl: None, base: Some(*base) });
            }
        }
    }

    /// Place of a base, by the way to it from the class.
    pub(crate) fn base_place(&mut self, of: Place, derived: RecordId, path: &[u32]) -> Place {
        match path.split_first() {
            Some((first, rest)) if self.classes.is_virtual_base(derived, *first) => {
                let base = self.virtual_place(of, derived, *first);
                match self.program.record_of(base.ty) {
                    Some(record) => self.classes.base_place(base, record, rest, &mut self.program),
                    None => base,
                }
            }
            _ => self.classes.base_place(of, derived, path, &mut self.program),
        }
    }

    /// Place of a member or base.
    pub(super) fn member_place(&mut self, of: Place, record: RecordId, number: u32, span: Span) -> Place {
        match self.classes.is_virtual_base(record, number) {
            true => self.virtual_place(of, record, number),
            false => self.classes.field_place(of, record, number, span, &mut self.program),
        }
    }

    /// Place of a virtual base in a part of any object.
    pub(super) fn virtual_place(&mut self, of: Place, record: RecordId, field: u32) -> Place {
        let span = of.span;
        let base = self.classes[record].virtuals.bases.get(field as usize).map(|(base, _)| *base);
        let slots = self.slots(record);
        let at = slots.iter().position(|one| one.base.is_some() && one.base == base).unwrap_or(0);
        let ty = self.program[record].fields.get(field as usize).map_or(of.ty, |field| field.ty);
        let ty = self.program.with_qualifiers(ty, of.ty.constant, of.ty.volatile);
        let (keep, address) = self.kept_address(of);
        let (long, char) = (self.program.basic().long, self.program.basic().char);
        let distance = self.slot_value(address.clone(), at as u64, long);
        let (chars, pointer) = (self.program.pointer(char), self.program.pointer(ty));
        let bytes = Expr { kind: ExprKind::Cast(Box::new(address)), ty: chars, span };
        let kind = ExprKind::Offset(Box::new(bytes), Box::new(distance), false);
        let moved = Expr { kind, ty: chars, span };
        let base = Expr { kind: ExprKind::Cast(Box::new(moved)), ty: pointer, span };
        let place = deref(base, ty, span);
        Place { kind: PlaceKind::Sequence(vec![keep], Box::new(place)), ty, span }
    }

    /// Where a part of an object has addresses of tables: first its own.
    pub(super) fn table_places(&self, part: Part) -> Vec<TableAt> {
        let mut places = vec![];
        self.add_table_places(part, part.record, (part.at, None, 0), &mut places);
        places
    }

    fn add_table_places(
        &self,
        part: Part,
        record: RecordId,
        (at, base, within): (u64, Option<u32>, u64),
        places: &mut Vec<TableAt>,
    ) {
        if !self.classes[record].virtuals.polymorphic {
            return;
        }
        if !places.iter().any(|one| (one.base, one.within) == (base, within)) {
            places.push(TableAt { at, of: record, base, within });
        }
        for (one, number) in &self.classes[record].bases {
            if !self.classes.is_virtual_base(record, *number) {
                let offset = self.program.field_offset(record, *number);
                self.add_table_places(part, *one, (at + offset, base, within + offset), places);
                continue;
            }
            let known = self.classes[part.record].virtuals.bases.iter().find(|(known, _)| known == one);
            let number = known.map(|(_, number)| *number);
            if !places.iter().any(|place| place.base == number) {
                let at = self.virtual_offset(part.whole, *one);
                self.add_table_places(part, *one, (at, number, 0), places);
            }
        }
    }

    /// Parts of a part that have virtual bases, by their numbers and classes: those of a whole object's virtual bases come last.
    fn parts_with_tables(&self, record: RecordId) -> Vec<(u32, RecordId)> {
        let all = self.classes[record].bases.iter().copied().map(|(one, number)| (number, one));
        let own = all.filter(|(number, _)| !self.classes.is_virtual_base(record, *number));
        let shared = self.classes[record].virtuals.bases.iter().map(|(one, number)| (*number, *one));
        own.chain(shared).filter(|(_, one)| self.classes.has_virtual_bases(*one)).collect()
    }

    /// Array with the addresses of the tables of a part, and then of such arrays for its parts.
    fn tables_of(&mut self, part: Part, span: Span) -> Option<VariableId> {
        let Part { whole, record, at } = part;
        let symbol = format!("_ZTT{}${at}${}", whole.0, record.0);
        let known = self.program.variables().iter().position(|one| one.symbol == symbol);
        if let Some(known) = known {
            return Some(VariableId(known as u32));
        }
        let void = self.program.basic().void;
        let pointer = self.program.pointer(void);
        let (places, parts) = (self.table_places(part), self.parts_with_tables(record));
        let count = (places.len() + parts.len()) as u64;
        let array = self.program.ty(TypeKind::Array(pointer, count));
        let id = self.add_static(symbol, array, span);
        self.program[id].linkage = Linkage::Internal;
        let (mut elements, mut tables): (Vec<Init>, Vec<(u64, VariableId)>) = (vec![], vec![]);
        for place in places {
            let table = match tables.iter().find(|(at, _)| *at == place.at) {
                Some((_, table)) => *table,
                None => self.table_in(part, &place, span)?,
            };
            tables.push((place.at, table));
            elements.push(Init::Value(self.static_address(table, pointer, span)));
        }
        for (number, inner) in parts {
            let is_virtual = self.classes.is_virtual_base(record, number);
            let at = match is_virtual {
                true => self.virtual_offset(whole, inner),
                false => at + self.program.field_offset(record, number),
            };
            // A part of a whole object does not begin virtual bases.
            let array = match is_virtual && !part.is_whole() {
                true => number_of_none(pointer, span),
                false => {
                    let inner = self.tables_of(Part { whole, record: inner, at }, span)?;
                    self.static_address(inner, pointer, span)
                }
            };
            elements.push(Init::Value(array));
        }
        self.program[id].init = Some(Init::Elements(elements, None));
        Some(id)
    }

    fn table_in(&mut self, part: Part, place: &TableAt, span: Span) -> Option<VariableId> {
        if part.is_whole() {
            let (offsets, tables) = self.tables(part.whole, span)?;
            let at = offsets.iter().position(|one| *one == place.at)?;
            return tables.get(at).copied();
        }
        let symbol = format!("_ZTC{}${}${}${}", part.whole.0, part.at, part.record.0, place.at);
        let table = self.declare_table(symbol, place.of, span);
        self.fill_table(part, (place.of, place.at), table, span)?;
        Some(table)
    }

    /// Type of what a constructor gets of its tables.
    pub(crate) fn tables_type(&mut self) -> Type {
        let void = self.program.basic().void;
        let any = self.program.pointer(void);
        self.program.pointer(any)
    }

    /// The array of a whole object's tables.
    fn own_tables_of(&mut self, record: RecordId, span: Span) -> Option<Expr> {
        let id = self.tables_of(Part::whole(record), span)?;
        let ty = self.tables_type();
        Some(self.static_address(id, ty, span))
    }

    /// What an array of tables has at an index.
    fn held_table(&mut self, tables: Expr, at: usize) -> Expr {
        let span = tables.span;
        let void = self.program.basic().void;
        let any = self.program.pointer(void);
        let by = number(at as i128, self.program.basic().long, span);
        let ty = tables.ty;
        let kind = ExprKind::Offset(Box::new(tables), Box::new(by), false);
        let place = deref(Expr { kind, ty, span }, any, span);
        Expr { kind: ExprKind::Load(Box::new(place)), ty: any, span }
    }

    /// The array for a part of a part.
    fn inner_tables(&mut self, record: RecordId, field: u32, tables: Expr) -> Expr {
        let before = self.table_places(Part::whole(record)).len();
        let at = self.parts_with_tables(record).iter().position(|(one, _)| *one == field).unwrap_or(0);
        let span = tables.span;
        let found = self.held_table(tables, before + at);
        let ty = self.tables_type();
        Expr { kind: ExprKind::Cast(Box::new(found)), ty, span }
    }

    /// Adds statements that put addresses of tables from an array into a part.
    fn put_tables_of(&mut self, part: Place, record: RecordId, tables: &Expr, statements: &mut Vec<Stmt>) {
        let span = part.span;
        let void = self.program.basic().void;
        let any = self.program.pointer(void);
        let holder = self.program.pointer(any);
        for (at, one) in self.table_places(Part::whole(record)).into_iter().enumerate() {
            let table = self.held_table(tables.clone(), at);
            let first = self.shifted(table, i128::from(HEAD), any);
            let of = match one.base {
                Some(number) => self.virtual_place(part.clone(), record, number),
                None => part.clone(),
            };
            let address = self.program.address(of);
            let moved = self.shifted(address, i128::from(one.within), holder);
            let kind = StmtKind::Fill(deref(moved, any, span), Init::Value(first));
            statements.push(Stmt { kind, span });
        }
    }

    /// The same of an object that is made, from what its constructor holds.
    pub(super) fn put_tables_from(
        &mut self,
        place: Place,
        record: RecordId,
        held: LocalId,
        statements: &mut Vec<Stmt>,
    ) {
        let ty = self.tables_type();
        let tables = self.loaded(held, ty, place.span);
        self.put_tables_of(place, record, &tables, statements);
    }

    /// The parameter of a constructor that says of which object it makes a part.
    pub(crate) fn declare_tables(&mut self, this: Option<Type>, params: &mut Vec<LocalId>, span: Span) {
        let record = this.and_then(|this| self.program.record_of(this));
        if record.is_some_and(|record| self.classes.has_virtual_bases(record)) {
            let ty = self.tables_type();
            let local = self.local("".into(), ty, span);
            params.push(local);
            self.frame.set_tables(local);
        }
    }

    /// What a constructor gets that makes a whole object.
    pub(crate) fn whole_argument(&mut self, callee: &Callee, span: Span) -> Option<Arg> {
        let Callee::Decl(decl, ..) = callee else { return None };
        let record = self.declarations[*decl].class?;
        self.classes.has_virtual_bases(record).then(|| {
            let ty = self.tables_type();
            Arg::Value(number_of_none(ty, span))
        })
    }

    /// Beginning of a constructor: whether it makes a whole object. From then on the parameter with its tables is not null.
    pub(crate) fn begin_whole(
        &mut self,
        record: RecordId,
        statements: &mut Vec<Stmt>,
        span: Span,
    ) -> Option<()> {
        let held = self.frame.tables()?;
        let (ty, bool) = (self.tables_type(), self.program.basic().bool);
        let (given, none) = (self.loaded(held, ty, span), number_of_none(ty, span));
        let kind = ExprKind::Compare(Compare::Equal, Box::new(given), Box::new(none));
        let whole = self.local("".into(), bool, span);
        let test = Init::Value(Expr { kind, ty: bool, span });
        statements.push(Stmt { kind: StmtKind::Let(whole, Some(test)), span });
        self.frame.set_whole(whole);
        let own = self.own_tables_of(record, span)?;
        let place = local_place(held, ty, span);
        let set = Stmt { kind: StmtKind::Fill(place, Init::Value(own)), span };
        self.if_whole(vec![set], statements, span);
        Some(())
    }

    /// Statements of a constructor for whole objects.
    pub(crate) fn if_whole(&mut self, of_whole: Vec<Stmt>, statements: &mut Vec<Stmt>, span: Span) {
        if let Some(whole) = self.frame.whole().filter(|_| !of_whole.is_empty()) {
            let test = self.loaded(whole, self.program.basic().bool, span);
            statements.push(Stmt { kind: StmtKind::If(test, of_whole, vec![]), span });
        }
    }

    /// Once the virtual bases have begun: the tables of what a constructor makes.
    pub(crate) fn begin_part(
        &mut self,
        record: RecordId,
        statements: &mut Vec<Stmt>,
        span: Span,
    ) -> Option<()> {
        let (held, place) = (self.frame.tables()?, self.this_place(span)?);
        self.put_tables_from(place, record, held, statements);
        Some(())
    }

    /// What fills a base of the object that a constructor makes: of one with virtual bases only its part.
    pub(crate) fn as_part(&mut self, init: Init, record: RecordId, field: u32, span: Span) -> Option<Init> {
        let Some(base) = self.part_with_tables(record, field) else { return Some(init) };
        let held = self.frame.tables()?;
        let ty = self.tables_type();
        let tables = self.loaded(held, ty, span);
        let inner = self.inner_tables(record, field, tables);
        self.part_of(init, base, inner, span)
    }

    /// The same in a copy of a whole object.
    pub(super) fn as_part_of_whole(
        &mut self,
        init: Init,
        record: RecordId,
        field: u32,
        span: Span,
    ) -> Option<Init> {
        let Some(base) = self.part_with_tables(record, field) else { return Some(init) };
        let own = self.own_tables_of(record, span)?;
        let inner = self.inner_tables(record, field, own);
        self.part_of(init, base, inner, span)
    }

    /// Class of a base that has virtual bases.
    fn part_with_tables(&self, record: RecordId, field: u32) -> Option<RecordId> {
        let one = self.program[record].fields.get(field as usize).filter(|field| field.base)?;
        self.program.record_of(one.ty).filter(|base| self.classes.has_virtual_bases(*base))
    }

    /// For another constructor of the same class.
    pub(crate) fn as_same(&mut self, init: Init, record: RecordId, span: Span) -> Option<Init> {
        let Some(held) = self.frame.tables() else { return Some(init) };
        let ty = self.tables_type();
        let tables = self.loaded(held, ty, span);
        self.part_of(init, record, tables, span)
    }

    fn part_of(&mut self, init: Init, record: RecordId, tables: Expr, span: Span) -> Option<Init> {
        Some(match init {
            Init::Construct(id, mut args) => {
                if let Some(last) = args.last_mut() {
                    *last = Arg::Value(tables);
                }
                Init::Construct(id, args)
            }
            Init::Sequence(first, init) => {
                Init::Sequence(first, Box::new(self.part_of(*init, record, tables, span)?))
            }
            Init::Conditional(condition, yes, no) => {
                let yes = self.part_of(*yes, record, tables.clone(), span)?;
                Init::Conditional(
                    condition,
                    Box::new(yes),
                    Box::new(self.part_of(*no, record, tables, span)?),
                )
            }
            // The maker of the whole object puts its tables.
            Init::Zeroed(init) | Init::Tables(init, ..) => self.part_of(*init, record, tables, span)?,
            Init::Fields(all) => {
                let mut fields = Sorted::default();
                let own =
                    all.into_iter().filter(|(number, _)| !self.classes.is_virtual_base(record, *number));
                for (number, init) in own.collect::<Vec<_>>() {
                    let init = match self.part_with_tables(record, number) {
                        Some(base) => {
                            let inner = self.inner_tables(record, number, tables.clone());
                            self.part_of(init, base, inner, span)?
                        }
                        None => init,
                    };
                    fields.insert(number, init);
                }
                Init::Fields(fields)
            }
            Init::Nothing | Init::Zero => Init::Nothing,
            Init::Value(_)
            | Init::Elements(..)
            | Init::Bytes(_)
            | Init::Copy(_)
            | Init::Call(..)
            | Init::CallPointer(..)
            | Init::Builtin(..) => {
                let help = "declare an object of it, and copy that";
                self.messages.refuse(span, "bases with virtual bases that a function returns are", help);
                return None;
            }
        })
    }

    /// Constructor of a class with virtual bases that no one wrote.
    pub(super) fn implicit_constructor(&mut self, record: RecordId, span: Span) -> Option<Init> {
        let symbol = format!("_ZC1${}", record.0);
        let known = self.program.functions().iter().position(|one| one.symbol == symbol);
        let id = match known {
            Some(at) => FunctionId(at as u32),
            None => {
                let uid = self.body.next_frame();
                let outer = std::mem::replace(&mut self.frame, Frame::new(uid, None));
                let class = self.program.record_type(record);
                let this = self.program.pointer(class);
                let local = self.local("this".into(), this, span);
                self.frame.set_this(local, class);
                let (mut params, mut body) = (vec![local], vec![]);
                self.declare_tables(Some(class), &mut params, span);
                self.member_initialisers(&[], &mut body, span);
                let (ends, unwound) = (self.frame.take_ends(), self.frame.take_unwound());
                let frame = std::mem::replace(&mut self.frame, outer);
                let id = self.add_bare(symbol, frame.into_locals(), ends, body, span);
                self.program[id].params = params;
                self.program[id].unwound = unwound;
                id
            }
        };
        let ty = self.tables_type();
        Some(Init::Construct(id, vec![Arg::Value(number_of_none(ty, span))].into()))
    }

    /// Adds what ends a whole object of a class with virtual bases: its own part, then these, the last first.
    pub(super) fn end_whole(
        &mut self,
        place: &Place,
        record: RecordId,
        span: Span,
        statements: &mut Vec<Stmt>,
    ) -> Option<()> {
        let tables = self.own_tables_of(record, span)?;
        self.end_part(place, record, &tables, span, statements)?;
        for (base, number) in self.classes[record].virtuals.bases.clone().into_iter().rev() {
            let ty = self.program.record_type(base);
            let inner = Place { kind: PlaceKind::Field(Box::new(place.clone()), number), ty, span };
            self.end_base(inner, (record, number), &tables, span, statements)?;
        }
        Some(())
    }

    /// Adds what ends a base of an object that a constructor makes.
    pub(crate) fn end_made_base(
        &mut self,
        place: Place,
        (record, field): (RecordId, u32),
        span: Span,
        statements: &mut Vec<Stmt>,
    ) -> Option<()> {
        match self.frame.tables() {
            Some(held) if self.part_with_tables(record, field).is_some() => {
                let ty = self.tables_type();
                let tables = self.loaded(held, ty, span);
                self.end_base(place, (record, field), &tables, span, statements)
            }
            _ => self.end_of(place, span, statements),
        }
    }

    fn end_base(
        &mut self,
        place: Place,
        (record, field): (RecordId, u32),
        tables: &Expr,
        span: Span,
        statements: &mut Vec<Stmt>,
    ) -> Option<()> {
        match self.part_with_tables(record, field) {
            Some(base) => {
                let inner = self.inner_tables(record, field, tables.clone());
                self.end_part(&place, base, &inner, span, statements)
            }
            None => self.end_of(place, span, statements),
        }
    }

    fn end_part(
        &mut self,
        place: &Place,
        record: RecordId,
        tables: &Expr,
        span: Span,
        statements: &mut Vec<Stmt>,
    ) -> Option<()> {
        if self.classes[record].destructor.is_some() {
            self.put_tables_of(place.clone(), record, tables, statements);
        }
        self.call_destructor(place, record, span, statements)?;
        let first = self.classes[record].virtuals.bases.len() as u32;
        for number in (first..self.program[record].fields.len() as u32).rev() {
            let field = self.program[record].fields.get(number as usize)?.ty;
            if self.program.referred(field).is_none() && self.has_destructor(field) {
                let kind = PlaceKind::Field(Box::new(place.clone()), number);
                let inner = Place { kind, ty: plain(field), span };
                self.end_base(inner, (record, number), tables, span, statements)?;
            }
        }
        Some(())
    }
}

/// Null of a type.
fn number_of_none(ty: Type, span: Span) -> Expr {
    number(0, ty, span)
}
