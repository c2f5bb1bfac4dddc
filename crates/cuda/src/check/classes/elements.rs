//! Arrays whose elements are classes, as members of classes that are copied and assigned.
//!
//! Enters: places of arrays. Leaves: what copies or assigns each element. This module must never know how that is done.

use crate::check::Checker;
use crate::check::expressions::operand::{Operand, deref, local_place, number};
use crate::hir::{Expr, Init, Place, PlaceKind, Step, Stmt, StmtKind, Type};
use crate::source::Span;

impl Checker<'_> {
    /// Elements of a new array, each as a copy of one of a place: a pointer goes over them.
    pub(super) fn copy_elements(
        &mut self,
        place: Place,
        of: Type,
        movable: bool,
        span: Span,
    ) -> Option<Init> {
        let first = self.program.decay(place);
        let pointer = first.ty;
        let one = number(1, self.program.basic().long, span);
        let before = self.offset(first, one.clone(), of, true, span)?;
        let before = self.value(before)?;
        let local = self.local("".into(), pointer, span);
        let keep = Stmt { kind: StmtKind::Let(local, Some(Init::Value(before))), span };
        let next = self.offset(self.loaded(local, pointer, span), one, of, false, span)?;
        let next = self.value(next)?;
        let set = PlaceKind::Assign(Box::new(local_place(local, pointer, span)), Box::new(next));
        let step = Stmt { kind: StmtKind::Place(Place { kind: set, ty: pointer, span }), span };
        let element = self.copy_init(deref(self.loaded(local, pointer, span), of, span), movable, span)?;
        let filler = Init::Sequence(vec![step], Box::new(element));
        Some(Init::Sequence(vec![keep], Box::new(Init::Elements(vec![], Some(Box::new(filler))))))
    }

    /// Assigns a member as its class does that has no assignment of its own: of an array each element.
    pub(super) fn assign_member(
        &mut self,
        left: Place,
        right: Place,
        moved: bool,
        span: Span,
        statements: &mut Vec<Stmt>,
    ) -> Option<()> {
        let arrays = self.program.array_of(left.ty).zip(self.program.array_of(right.ty));
        let Some(((of, Some(length)), (source, _))) = arrays.filter(|_| self.side.is_host()) else {
            let done = self.assign(Operand::Place(left, false), Operand::Place(right, moved), span)?;
            statements.push(self.statement_of(done, span)?);
            return Some(());
        };
        let long = self.program.basic().ulong;
        let (to, from) = (self.program.decay(left), self.program.decay(right));
        let pointer = from.ty;
        let mut keep = |this: &mut Self, value: Expr| {
            let local = this.local("".into(), value.ty, span);
            statements.push(Stmt { kind: StmtKind::Let(local, Some(Init::Value(value))), span });
            local
        };
        let (to, from) = (keep(self, to), keep(self, from));
        let count = keep(self, number(i128::from(length), long, span));
        self.each_element((to, of), (0, count), false, statements, span, |this, place| {
            let mut inner = vec![];
            let one = deref(this.loaded(from, pointer, span), source, span);
            this.assign_member(place, one, moved, span, &mut inner)?;
            let kind = PlaceKind::PreStep(Box::new(local_place(from, pointer, span)), Step::Up);
            inner.push(Stmt { kind: StmtKind::Place(Place { kind, ty: pointer, span }), span });
            Some(inner)
        })
    }
}
