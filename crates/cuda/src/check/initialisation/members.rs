//! Members of a constructor: what its `: a(1), b{2}` and the defaults of members do.
//!
//! Enters: a constructor's list. Leaves: statements that fill members, bases first, and what ends them where an exception leaves the
//! constructor. This module must never know how a value fills a member.

use std::rc::Rc;

use crate::ast;
use crate::check::Checker;
use crate::check::names::entity::Entity;
use crate::check::types::kind::plain;
use crate::hir::{Init, RecordId, Stmt, StmtKind};
use crate::sorted::Sorted;
use crate::source::Span;

/// Initialiser of a member, and of one in an anonymous member the way to it.
type Given<'a> = (&'a ast::MemberInitializer, Option<Rc<[u32]>>);

/// What an initialiser of a constructor is for.
enum Member {
    /// Another constructor of the class.
    Whole,
    /// Field or base by its number; in an anonymous member the way to it.
    Field(u32, Option<Rc<[u32]>>),
}

impl Checker<'_> {
    /// What a constructor's `: a(1), b{2}` and the defaults of members do.
    pub(crate) fn member_initialisers(
        &mut self,
        list: &[ast::MemberInitializer],
        statements: &mut Vec<Stmt>,
        span: Span,
    ) {
        let Some((_, this)) = self.frame.this() else { return };
        let Some(record) = self.program.record_of(this) else { return };
        // Members of an anonymous struct or union share its number.
        let mut given: Sorted<u32, Vec<Given<'_>>> = Sorted::default();
        for one in list {
            if one.pack {
                self.messages.refuse(
                    one.span,
                    "pack expansions of base classes in constructors are",
                    "initialise each base class by its name",
                );
                return;
            }
            match self.initialised_member(record, one) {
                Some(Member::Whole) => {
                    let Some(place) = self.this_place(one.span) else { return };
                    if let Some(init) = self.initializer(plain(this), Some(&one.initializer), one.span)
                        && let Some(init) = self.as_same(init, record, one.span)
                    {
                        statements.push(self.program.fill(place, init, one.span));
                    }
                    return;
                }
                Some(Member::Field(number, path)) => {
                    let all = given.or_insert_with(number, Vec::new);
                    if all.iter().any(|(_, known)| *known == path) {
                        self.messages.error("init", one.span, "this member is initialised twice");
                    }
                    all.push((one, path));
                    crate::sort::by_key(all, |(_, path)| path.clone());
                }
                None => return,
            }
        }
        let count = self.program[record].fields.len() as u32;
        let union = self.classes[record].union;
        let mut tables = self.is_polymorphic(record);
        let first = self.classes[record].virtuals.bases.len() as u32;
        if first > 0 {
            self.begin_whole(record, statements, span);
            for number in 0..first {
                let given = given.get(&number).map_or(&[][..], Vec::as_slice);
                let mut begun = vec![];
                self.begin_member(record, number, given, &mut begun, span);
                self.if_whole(begun, statements, span);
                self.note_made(record, number, statements, span);
            }
            self.begin_part(record, statements, span);
        }
        for number in first..count {
            if number > first {
                self.note_made(record, number - 1, statements, span);
            }
            if self.classes[record].virtuals.vptr == Some(number) {
                continue;
            }
            if self.program[record].fields.get(number as usize).is_some_and(|field| !field.base) {
                self.note_tables(&mut tables, record, statements, span);
            }
            let given = given.get(&number).map_or(&[][..], Vec::as_slice);
            if given.is_empty() && union && !self.classes[record].defaults.contains_key(&number) {
                continue;
            }
            self.begin_member(record, number, given, statements, span);
        }
        if count > first {
            self.note_made(record, count - 1, statements, span);
        }
        self.note_tables(&mut tables, record, statements, span);
    }

    /// Adds what fills a member: what is given for it, or what it starts as by itself.
    fn begin_member(
        &mut self,
        record: RecordId,
        number: u32,
        given: &[Given<'_>],
        statements: &mut Vec<Stmt>,
        span: Span,
    ) {
        for (one, path) in given {
            let Some(place) = self.this_place(span) else { return };
            let path = path.clone().unwrap_or_else(|| Rc::from([number]));
            let (place, ty) = self.program.raw_field(place, record, &path, one.span);
            if let Some(init) = self.initializer(ty, Some(&one.initializer), one.span)
                && let Some(init) = self.as_part(init, record, number, one.span)
            {
                statements.extend(self.program.filled(place, init, one.span));
            }
        }
        if !given.is_empty() {
            return;
        }
        let Some(place) = self.this_place(span) else { return };
        let (place, _) = self.program.raw_field(place, record, &[number], span);
        if let Some(init) = self.default_member(record, number, false, span)
            && let Some(init) = self.as_part(init, record, number, span)
        {
            statements.extend(self.program.filled(place, init, span));
        }
    }

    /// Notes that a member is made: it ends where an exception leaves the constructor.
    fn note_made(&mut self, record: RecordId, number: u32, statements: &mut Vec<Stmt>, span: Span) {
        let Some(ty) = self.program[record].fields.get(number as usize).map(|field| field.ty) else { return };
        if self.side.is_device()
            || self.classes[record].union
            || self.program.referred(ty).is_some()
            || !self.has_destructor(ty)
        {
            return;
        }
        let Some(place) = self.this_place(span) else { return };
        let (place, _) = self.program.raw_field(place, record, &[number], span);
        let mut ends = vec![];
        if self.end_made_base(place, (record, number), span, &mut ends).is_none() {
            return;
        }
        if self.classes.is_virtual_base(record, number) {
            let made = std::mem::take(&mut ends);
            self.if_whole(made, &mut ends, span);
        }
        let bool = self.program.basic().bool;
        let made = self.local("".into(), bool, span);
        self.frame.note_end(made, ends);
        self.frame.note_unwound(made);
        let set = crate::check::expressions::operand::number(1, bool, span);
        statements.push(Stmt { kind: StmtKind::Let(made, Some(Init::Value(set))), span });
    }

    fn initialised_member(&mut self, record: RecordId, one: &ast::MemberInitializer) -> Option<Member> {
        if let Some(symbol) = one.name.simple() {
            let scope = self.classes[record].scope;
            let own = self.scopes[scope].names.get(symbol).unwrap_or_default().to_vec();
            for entry in own {
                if let Entity::Field(_, path) = &entry.entity {
                    let first = *path.first()?;
                    return Some(Member::Field(first, (path.len() > 1).then(|| Rc::clone(path))));
                }
            }
        }
        let ty = ast::Type {
            kind: ast::TypeKind::Name(one.name.clone()),
            qualifiers: ast::Qualifiers::default(),
            span: one.name.span,
        };
        let found = self.trial(|this| this.resolve_type(&ty)).and_then(|ty| self.program.record_of(ty));
        if found == Some(record) {
            return Some(Member::Whole);
        }
        let base = found.and_then(|found| {
            let info = &self.classes[record];
            let mut all = info.bases.iter().chain(&info.virtuals.bases);
            all.find(|(base, _)| *base == found).map(|(_, field)| *field)
        });
        if let Some(field) = base {
            return Some(Member::Field(field, None));
        }
        let shown = self.program[record].name.to_string();
        let text = self.messages.text(one.name.span).to_owned();
        let message = format!("`{shown}` has no member or base class `{text}`");
        self.messages.unknown_name(format!("{shown}::{text}"), one.name.span, message);
        None
    }
}
