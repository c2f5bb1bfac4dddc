//! Statements.

use crate::evaluate::Scalar;
use crate::hir::{Expr, Init, Label, LocalId, Stmt, StmtKind};
use crate::ir::{Binary, Block, Compare, Edge, Terminator, Type, Unroll, Value, Wrap};

use super::address::Address;
use super::ends::bound;
use super::function::Body;
use super::value_type;

/// Most values of a range of cases that are listed one by one.
const LISTED: i128 = 16;

impl<'a> Body<'a, '_> {
    /// Statements in order.
    pub(super) fn stmts(&mut self, stmts: &'a [Stmt]) {
        for stmt in stmts {
            self.at_span(stmt.span, |body| body.stmt(stmt));
        }
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::Expr(expr) => {
                self.full(None, |body| body.value(expr));
            }
            StmtKind::Place(place) => self.full(None, |body| {
                let address = body.place(place);
                // `*p;` of a volatile place reads it.
                if address.ty.volatile && body.scalar(address.ty).is_some() && is_plain(place) {
                    body.load(address);
                }
            }),
            StmtKind::Init(local, init) => self.full(None, |body| {
                body.declare(*local, init);
                body.began(*local);
            }),
            StmtKind::Let(local, Some(init)) => {
                self.full(bound(init), |body| body.declare(*local, init));
                self.began(*local);
            }
            StmtKind::Let(local, None) => {
                self.local(*local);
                self.began(*local);
            }
            StmtKind::Block(stmts) => self.scope(stmts),
            StmtKind::Try(stmts, handlers) => self.tries(stmts, handlers),
            StmtKind::If(condition, yes, no) => self.branches(condition, yes, no),
            StmtKind::Loop { label, condition, after, step, body, unroll } => {
                if *after {
                    self.do_loop(*label, condition.as_ref(), step, body, *unroll);
                } else {
                    self.while_loop(*label, condition.as_ref(), step, body, *unroll);
                }
            }
            StmtKind::Switch { label, value, cases, default, body } => {
                self.switch(*label, value, cases, *default, body);
            }
            StmtKind::Target(label) => {
                let block = self.target(*label);
                self.jump(block, vec![]);
                self.begin(block);
            }
            StmtKind::Goto(label) => {
                self.end_before_jump(Some(*label));
                let block = self.target(*label);
                self.jump(block, vec![]);
            }
            StmtKind::Break(label) => self.leave(*label, false),
            StmtKind::Continue(label) => self.leave(*label, true),
            StmtKind::Return(value) => self.returns(value.as_ref()),
            StmtKind::ReturnInit(init) => self.return_record(init),
            StmtKind::Fill(place, init) => self.full(None, |body| {
                let to = body.place(place);
                body.fill(to, init);
            }),
            StmtKind::Asm(asm) => self.asm(asm),
        }
    }

    fn declare(&mut self, local: LocalId, init: &'a Init) {
        let address = self.local(local);
        self.fill(address, init);
    }

    fn branches(&mut self, condition: &'a Expr, yes: &'a [Stmt], no: &'a [Stmt]) {
        let (first, second, after) = (self.block(), self.block(), self.block());
        self.decide(condition, first, if no.is_empty() { after } else { second });
        self.begin(first);
        self.scope(yes);
        self.jump(after, vec![]);
        if !no.is_empty() {
            self.begin(second);
            self.scope(no);
            self.jump(after, vec![]);
        }
        self.begin(after);
    }

    fn hint(&mut self, header: Block, unroll: Option<Unroll>) {
        if let Some(block) = self.function.blocks.get_mut(header.index()) {
            block.unroll = unroll;
        }
    }

    fn while_loop(
        &mut self,
        label: Label,
        condition: Option<&'a Expr>,
        step: &'a [Stmt],
        stmts: &'a [Stmt],
        unroll: Option<Unroll>,
    ) {
        let (header, inside, next, after) = (self.block(), self.block(), self.block(), self.block());
        self.hint(header, unroll);
        self.jumps.insert(label, (after, Some(next)));
        self.note_height(label);
        self.jump(header, vec![]);
        self.begin(header);
        match condition {
            Some(condition) => self.decide(condition, inside, after),
            None => self.jump(inside, vec![]),
        }
        self.begin(inside);
        self.scope(stmts);
        self.jump(next, vec![]);
        self.begin(next);
        self.stmts(step);
        self.jump(header, vec![]);
        self.begin(after);
    }

    fn do_loop(
        &mut self,
        label: Label,
        condition: Option<&'a Expr>,
        step: &'a [Stmt],
        stmts: &'a [Stmt],
        unroll: Option<Unroll>,
    ) {
        let (header, next, after) = (self.block(), self.block(), self.block());
        self.hint(header, unroll);
        self.jumps.insert(label, (after, Some(next)));
        self.note_height(label);
        self.jump(header, vec![]);
        self.begin(header);
        self.scope(stmts);
        self.jump(next, vec![]);
        self.begin(next);
        self.stmts(step);
        match condition {
            Some(condition) => self.decide(condition, header, after),
            None => self.jump(header, vec![]),
        }
        self.begin(after);
    }

    fn leave(&mut self, label: Label, again: bool) {
        self.end_before_jump(Some(label));
        let to = self.jumps.get(&label).and_then(|(after, next)| if again { *next } else { Some(*after) });
        match to {
            Some(block) => self.jump(block, vec![]),
            None => self.shared.refuse(self.here, "a jump without a destination"),
        }
    }

    fn switch(
        &mut self,
        label: Label,
        value: &'a Expr,
        cases: &[(i128, i128, Label)],
        default: Option<Label>,
        stmts: &'a [Stmt],
    ) {
        let kind = self.scalar(value.ty).unwrap_or(Scalar::Void);
        let number = self.full(None, |body| body.value(value));
        let (number, kind) = match kind {
            Scalar::Bool => {
                let int = Scalar::Integer { bits: 32, signed: true };
                (self.convert(number, kind, int), int)
            }
            _ => (number, kind),
        };
        let after = self.block();
        self.jumps.insert(label, (after, None));
        self.note_height(label);
        let otherwise = default.map_or(after, |label| self.target(label));
        let mut listed = vec![];
        for (first, last, label) in cases {
            let block = self.target(*label);
            if last - first < LISTED {
                for case in *first..=*last {
                    let bits = self.constant(value_type(kind), case as u64);
                    let bits = self.function.constant(bits).unwrap_or_default();
                    listed.push((bits, Edge { block, args: vec![] }));
                }
            } else {
                self.range(number, *first, *last, block);
            }
        }
        self.end(Terminator::Switch(number, listed, Edge { block: otherwise, args: vec![] }));
        self.scope(stmts);
        self.jump(after, vec![]);
        self.begin(after);
    }

    /// Goes to a block where a number is in a range, otherwise on.
    fn range(&mut self, number: Value, first: i128, last: i128, block: Block) {
        let ty = self.ty(number);
        let (low, width) = (self.constant(ty, first as u64), self.constant(ty, (last - first) as u64));
        let distance = self.binary(Binary::Sub(Wrap::default()), number, low);
        let inside = self.compare(Compare::ULe, distance, width);
        let next = self.block();
        self.fork(inside, block, next);
        self.begin(next);
    }

    fn returns(&mut self, value: Option<&'a Expr>) {
        let Some(expr) = value else {
            self.end_before_jump(None);
            return self.end_of_body();
        };
        let value = self.full(None, |body| body.value(expr));
        let kind = self.scalar(expr.ty).unwrap_or(Scalar::Void);
        let wanted = self.scalar(self.source.result).unwrap_or(Scalar::Void);
        let mut values = vec![];
        if !self.function.results.is_empty() {
            let value = self.convert(value, kind, wanted);
            values.push(self.stored(value, wanted));
        }
        self.end_before_jump(None);
        self.end(Terminator::Return(values));
    }

    fn return_record(&mut self, init: &'a Init) {
        match self.returned {
            Some(pointer) => {
                let (_, align) = self.program.layout(self.source.result);
                let to = Address { pointer, align, ty: self.source.result, bits: None };
                if self.source.returned.is_none() {
                    self.full(None, |body| body.fill(to, init));
                }
                self.end_before_return();
                self.end(Terminator::Return(vec![]));
            }
            None => {
                self.refused(self.source.result, "a returned class without a destination");
            }
        }
    }

    /// What a loop's counter is that the lowering makes itself: a slot of 64 bits, which begins at a number.
    pub(super) fn counted(
        &mut self,
        counter: Address,
        from: u64,
        to: u64,
        turn: impl FnOnce(&mut Self, Value),
    ) {
        let (header, inside, after) = (self.block(), self.block(), self.block());
        let start = self.long(from as i64);
        self.store_memory(counter, start);
        self.jump(header, vec![]);
        self.begin(header);
        let number = self.load_memory(counter, Type::I64);
        let end = self.long(to as i64);
        let more = self.compare(Compare::ULt, number, end);
        self.fork(more, inside, after);
        self.begin(inside);
        turn(self, number);
        let one = self.long(1);
        let next = self.binary(Binary::Add(Wrap { nsw: true, nuw: true }), number, one);
        self.store_memory(counter, next);
        self.jump(header, vec![]);
        self.begin(after);
    }
}

/// Whether a place names something without computing it.
fn is_plain(place: &crate::hir::Place) -> bool {
    use crate::hir::PlaceKind;
    match &place.kind {
        PlaceKind::Local(_)
        | PlaceKind::Variable(_)
        | PlaceKind::Deref(_)
        | PlaceKind::Field(..)
        | PlaceKind::Element(..) => true,
        PlaceKind::Conditional(..)
        | PlaceKind::Sequence(..)
        | PlaceKind::Assign(..)
        | PlaceKind::AssignInit(..)
        | PlaceKind::Compound(..)
        | PlaceKind::CompoundOffset(..)
        | PlaceKind::PreStep(..)
        | PlaceKind::Temporary(..) => false,
    }
}
