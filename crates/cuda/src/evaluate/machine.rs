//! Values and statements: the part of the machine that computes.

use std::rc::Rc;

use crate::builtin::{Builtin, Known as Operation, Meaning};
use crate::hir::{
    Arg, Binary, Compare, Expr, ExprKind, FunctionId, Init, Label, Local, LocalId, Logical, Program, Stmt,
    StmtKind, Type, TypeKind, Unary, VariableId,
};
use crate::sorted::Sorted;
use crate::source::Span;

use super::number::{self, Outcome, Scalar, scalar, wrap};
use super::{Address, Base, Constant, Known, NotConstant, Object};

/// Most expressions, statements and 16 bytes of memory that one evaluation may go through.
const STEPS: u64 = 1 << 20;
/// Most levels of expressions, statements and calls within each other: each is a frame of our own stack, which is many times
/// as large where nothing is optimised.
const DEPTH: u32 = if cfg!(debug_assertions) { 250 } else { 1000 };

/// Result of a step.
pub(super) type Eval<T> = Result<T, NotConstant>;

/// Where a statement leads.
enum Flow {
    Next,
    Break(Label),
    Continue(Label),
    Return(Constant),
}

/// Function that is being evaluated.
pub(super) struct Frame<'a> {
    /// Types of its variables.
    pub(super) declared: &'a [Local],
    /// Objects of those that live.
    pub(super) locals: Sorted<LocalId, u32>,
    /// Where the record goes that it returns, and its type.
    result: Option<(Address, Type)>,
    /// Whether it is the function around the expression, whose variables are only known from outside.
    pub(super) outer: bool,
}

impl<'a> Frame<'a> {
    /// Surroundings of an expression.
    fn outer(declared: &'a [Local]) -> Self {
        Self { declared, locals: Sorted::default(), result: None, outer: true }
    }
}

/// Evaluation of one constant expression.
pub(super) struct Machine<'a> {
    pub(super) program: &'a Program,
    pub(super) known: Known<'a>,
    pub(super) objects: Sorted<u32, Object>,
    next_object: u32,
    pub(super) frames: Vec<Frame<'a>>,
    /// Contents of constants with static storage; nothing for those that are being evaluated.
    variables: Sorted<VariableId, Option<Rc<Object>>>,
    steps: u64,
    depth: u32,
}

/// Not constant, for a reason.
pub(super) fn fail<T>(span: Span, why: impl Into<String>) -> Eval<T> {
    Err(NotConstant { span, why: why.into() })
}

/// An outcome with its place.
pub(super) fn at<T>(span: Span, outcome: Outcome<T>) -> Eval<T> {
    outcome.or_else(|why| fail(span, why))
}

impl<'a> Machine<'a> {
    pub(super) fn new(program: &'a Program, known: Known<'a>) -> Self {
        Self {
            program,
            known,
            objects: Sorted::default(),
            next_object: 0,
            frames: vec![Frame::outer(known.declared)],
            variables: Sorted::default(),
            steps: 0,
            depth: 0,
        }
    }

    pub(super) fn whole_value(mut self, expr: &'a Expr) -> Eval<Constant> {
        let value = self.value(expr)?;
        if let Constant::Address(Address { base: Base::Object(_), .. }) = value {
            return fail(expr.span, "address of a temporary object");
        }
        Ok(value)
    }

    pub(super) fn whole_object(mut self, ty: Type, init: &'a Init, span: Span) -> Eval<Object> {
        self.filled(ty, init, span, false, None)
    }

    pub(super) fn whole_variable(mut self, id: VariableId) -> Eval<Object> {
        self.contents(id, Span::default()).map(|object| (*object).clone())
    }

    /// A new object that an initialiser fills; `own` is what its own address becomes.
    fn filled(
        &mut self,
        ty: Type,
        init: &'a Init,
        span: Span,
        zero: bool,
        own: Option<Base>,
    ) -> Eval<Object> {
        let id = self.object(ty, zero);
        self.fill(ty, Address { base: Base::Object(id), offset: 0 }, init, span)?;
        let mut object = self.objects.remove(&id).unwrap_or_default();
        if object.rebase(Base::Object(id), own) {
            Ok(object)
        } else {
            fail(span, "address of a temporary object")
        }
    }

    /// Contents of a variable with static storage.
    pub(super) fn contents(&mut self, id: VariableId, span: Span) -> Eval<Rc<Object>> {
        match self.variables.get(&id) {
            Some(Some(object)) => return Ok(object.clone()),
            Some(None) => return fail(span, "constant whose initialiser needs its own value"),
            None => {}
        }
        let program = self.program;
        let Some(variable) = program.variables.get(id.index()) else {
            return fail(span, "variable that is not defined");
        };
        self.variables.insert(id, None);
        let object = match &variable.init {
            None => Object::new(program.layout(variable.ty).0, true),
            Some(init) => {
                // It is in no function: nothing of the one around the expression is known in it.
                let known = std::mem::take(&mut self.known);
                self.frames.push(Frame::outer(&[]));
                let own = Some(Base::Variable(id));
                let object = self.filled(variable.ty, init, variable.span, true, own);
                self.frames.pop();
                self.known = known;
                object?
            }
        };
        let object = Rc::new(object);
        self.variables.insert(id, Some(object.clone()));
        Ok(object)
    }

    /// A new object for a variable or temporary.
    pub(super) fn object(&mut self, ty: Type, zero: bool) -> u32 {
        let id = self.next_object;
        self.next_object += 1;
        self.objects.insert(id, Object::new(self.program.layout(ty).0, zero));
        id
    }

    /// Counts work.
    pub(super) fn charge(&mut self, steps: u64, span: Span) -> Eval<()> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > STEPS { fail(span, "evaluation exceeds a million steps") } else { Ok(()) }
    }

    pub(super) fn enter(&mut self, span: Span) -> Eval<()> {
        self.charge(1, span)?;
        if self.depth >= DEPTH {
            return fail(span, "evaluation exceeds the maximum depth");
        }
        self.depth += 1;
        Ok(())
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    pub(super) fn scalar(&self, ty: Type, span: Span) -> Eval<Scalar> {
        match scalar(self.program, ty) {
            Some(scalar) => Ok(scalar),
            None => fail(span, "value that is not a scalar"),
        }
    }

    /// Value of an expression.
    pub(super) fn value(&mut self, expr: &'a Expr) -> Eval<Constant> {
        self.enter(expr.span)?;
        let value = self.value_of(expr);
        self.leave();
        value
    }

    fn value_of(&mut self, expr: &'a Expr) -> Eval<Constant> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Integer(value) => Ok(Constant::Integer(*value)),
            ExprKind::Float(bits) => Ok(Constant::Float(*bits)),
            ExprKind::Load(place) => {
                let location = self.place(place)?;
                self.load(&location, span)
            }
            ExprKind::Address(place) => {
                let location = self.place(place)?;
                Ok(Constant::Address(location.address))
            }
            ExprKind::Unary(op, operand) => self.unary(*op, operand, span),
            ExprKind::Binary(op, left, right) => {
                let left = self.value(left)?;
                let right = self.value(right)?;
                self.binary(*op, expr.ty, left, right, span)
            }
            ExprKind::Compare(op, left, right) => self.compare(*op, left, right, span),
            ExprKind::Logical(op, left, right) => {
                let left = self.truth(left)?;
                let decided = match op {
                    Logical::And => !left,
                    Logical::Or => left,
                };
                let value = if decided { left } else { self.truth(right)? };
                Ok(Constant::Integer(i128::from(value)))
            }
            ExprKind::Offset(pointer, count, back) => {
                let of = self.pointee(expr.ty);
                let pointer = self.value(pointer)?;
                let count = self.value(count)?;
                self.advance(pointer, of, count, *back, span)
            }
            ExprKind::Difference(left, right) => self.difference(left, right, span),
            ExprKind::Conditional(condition, yes, no) => {
                let chosen = if self.truth(condition)? { yes } else { no };
                self.value(chosen)
            }
            ExprKind::Cast(operand) => {
                let from = self.scalar(operand.ty, span)?;
                let to = self.scalar(expr.ty, span)?;
                let value = self.value(operand)?;
                at(span, number::convert(value, from, to))
            }
            ExprKind::Sequence(stmts, value) => {
                self.effects(stmts, span)?;
                self.value(value)
            }
            ExprKind::PostStep(place, step) => {
                let location = self.place(place)?;
                let before = self.load(&location, span)?;
                let after = self.stepped(&location, before, *step, span)?;
                self.store(&location, after, span)?;
                Ok(before)
            }
            ExprKind::Call(function, args) => self.call(*function, args, None, None, span),
            ExprKind::CallPointer(..) => fail(span, "call through a pointer"),
            ExprKind::Function(id) => Ok(Constant::Address(Address { base: Base::Function(*id), offset: 0 })),
            ExprKind::Builtin(row, _, args) => self.builtin(row, args, expr.ty, span),
            ExprKind::Printf(..) => fail(span, "call of `printf`"),
            ExprKind::AssertFail(..) => fail(span, "assertion failed"),
        }
    }

    /// The smaller or the larger of two numbers; `std::min` is these, which C++ lets stand in constants.
    fn builtin(&mut self, row: &'static Builtin, args: &'a [Arg], ty: Type, span: Span) -> Eval<Constant> {
        let (Meaning::Known(known @ (Operation::Min | Operation::Max)), [Arg::Value(a), Arg::Value(b)]) =
            (row.meaning, args)
        else {
            return fail(span, called(row.name));
        };
        let to = self.scalar(ty, span)?;
        let mut both = [Constant::Void, Constant::Void];
        for (value, arg) in both.iter_mut().zip([a, b]) {
            let from = self.scalar(arg.ty, span)?;
            let found = self.value(arg)?;
            *value = at(span, number::convert(found, from, to))?;
        }
        let of_bits = |bits: u64| match to {
            Scalar::Float => f64::from(f32::from_bits(bits as u32)),
            _ => f64::from_bits(bits),
        };
        let least = known == Operation::Min;
        match both {
            [Constant::Integer(a), Constant::Integer(b)] => {
                Ok(Constant::Integer(if least { a.min(b) } else { a.max(b) }))
            }
            // What the functions give for zeros of two signs or for no number is not what C++ says of `std::min`.
            [Constant::Float(a), Constant::Float(b)]
                if a == b || of_bits(a) < of_bits(b) || of_bits(b) < of_bits(a) =>
            {
                let first = (of_bits(a) < of_bits(b)) == least;
                Ok(Constant::Float(if first { a } else { b }))
            }
            _ => fail(span, called(row.name)),
        }
    }

    /// Value of a condition.
    pub(super) fn truth(&mut self, expr: &'a Expr) -> Eval<bool> {
        match self.value(expr)? {
            Constant::Integer(value) => Ok(value != 0),
            Constant::Address(_) => Ok(true),
            Constant::Void | Constant::Float(_) => fail(expr.span, "condition that is not a `bool`"),
        }
    }

    fn unary(&mut self, op: Unary, operand: &'a Expr, span: Span) -> Eval<Constant> {
        let kind = self.scalar(operand.ty, span)?;
        let value = self.value(operand)?;
        match (op, kind, value) {
            (Unary::Not, _, Constant::Integer(value)) => Ok(Constant::Integer(i128::from(value == 0))),
            (Unary::Not, _, Constant::Address(_)) => Ok(Constant::Integer(0)),
            (Unary::Negate, Scalar::Float, Constant::Float(bits)) => Ok(Constant::Float(bits ^ 1 << 31)),
            (Unary::Negate, Scalar::Double, Constant::Float(bits)) => Ok(Constant::Float(bits ^ 1 << 63)),
            (Unary::Negate, Scalar::Integer { bits, signed }, Constant::Integer(value)) => {
                let value = at(span, number::integers(Binary::Subtract, bits, signed, 0, value))?;
                Ok(Constant::Integer(value))
            }
            (Unary::Invert, Scalar::Integer { bits, signed }, Constant::Integer(value)) => {
                Ok(Constant::Integer(wrap(!value, bits, signed)))
            }
            _ => fail(span, "operator with an invalid operand"),
        }
    }

    /// Arithmetic of two values of a type.
    pub(super) fn binary(
        &self,
        op: Binary,
        ty: Type,
        left: Constant,
        right: Constant,
        span: Span,
    ) -> Eval<Constant> {
        match (self.scalar(ty, span)?, left, right) {
            (Scalar::Integer { bits, signed }, Constant::Integer(left), Constant::Integer(right)) => {
                at(span, number::integers(op, bits, signed, left, right)).map(Constant::Integer)
            }
            (Scalar::Bool, Constant::Integer(left), Constant::Integer(right)) => {
                at(span, number::integers(op, 8, false, left, right)).map(Constant::Integer)
            }
            (Scalar::Float, left, right) => {
                let (left, right) = (at(span, number::float(left))?, at(span, number::float(right))?);
                at(span, number::floats(op, left, right)).map(number::of_float)
            }
            (Scalar::Double, left, right) => {
                let (left, right) = (at(span, number::double(left))?, at(span, number::double(right))?);
                at(span, number::doubles(op, left, right)).map(number::of_double)
            }
            _ => fail(span, "the address of a variable is known only at run time"),
        }
    }

    fn compare(&mut self, op: Compare, left: &'a Expr, right: &'a Expr, span: Span) -> Eval<Constant> {
        let kind = self.scalar(left.ty, span)?;
        let left = self.value(left)?;
        let right = self.value(right)?;
        let order = match (left, right) {
            (Constant::Integer(left), Constant::Integer(right)) => Some(left.cmp(&right)),
            (Constant::Float(_), Constant::Float(_)) if kind == Scalar::Float => {
                at(span, number::float(left))?.partial_cmp(&at(span, number::float(right))?)
            }
            (Constant::Float(_), Constant::Float(_)) => {
                at(span, number::double(left))?.partial_cmp(&at(span, number::double(right))?)
            }
            (Constant::Address(left), Constant::Address(right)) if left.base == right.base => {
                Some(left.offset.cmp(&right.offset))
            }
            (Constant::Address(_), Constant::Address(_) | Constant::Integer(0))
            | (Constant::Integer(0), Constant::Address(_))
                if matches!(op, Compare::Equal | Compare::NotEqual) =>
            {
                return Ok(Constant::Integer(i128::from(op == Compare::NotEqual)));
            }
            _ => return fail(span, "comparison of the addresses of different objects"),
        };
        Ok(Constant::Integer(i128::from(number::holds(op, order))))
    }

    /// What a pointer or reference leads to.
    pub(super) fn pointee(&self, ty: Type) -> Option<Type> {
        match self.program.types.kind(ty) {
            TypeKind::Pointer(of) | TypeKind::Reference { to: of, .. } => Some(*of),
            _ => None,
        }
    }

    /// Address that many elements on.
    pub(super) fn advance(
        &self,
        pointer: Constant,
        of: Option<Type>,
        count: Constant,
        back: bool,
        span: Span,
    ) -> Eval<Constant> {
        let (Some(of), Some(count)) = (of, count.integer()) else {
            return fail(span, "arithmetic on something that is not a pointer");
        };
        let size = i128::from(self.program.layout(of).0);
        let bytes = count.saturating_mul(size).saturating_mul(if back { -1 } else { 1 });
        match pointer {
            Constant::Integer(0) if bytes == 0 => Ok(pointer),
            Constant::Address(Address { base, offset }) => {
                let end = match base {
                    Base::Object(id) => self.objects.get(&id).map(Object::size),
                    Base::Variable(id) => {
                        self.program.variables.get(id.index()).map(|one| self.program.layout(one.ty).0)
                    }
                    Base::Local(_) | Base::Function(_) => None,
                };
                let to = i64::try_from(i128::from(offset) + bytes).ok();
                let inside = |to: &i64| *to >= 0 && end.is_none_or(|end| end == 0 || *to as u64 <= end);
                match to.filter(inside) {
                    Some(offset) => Ok(Constant::Address(Address { base, offset })),
                    None => fail(span, "pointer outside its object"),
                }
            }
            Constant::Void | Constant::Integer(_) | Constant::Float(_) => {
                fail(span, "arithmetic on something that is not a pointer to an object")
            }
        }
    }

    fn difference(&mut self, left: &'a Expr, right: &'a Expr, span: Span) -> Eval<Constant> {
        let size = self.pointee(left.ty).map_or(0, |of| self.program.layout(of).0);
        match (self.value(left)?, self.value(right)?) {
            (Constant::Address(left), Constant::Address(right)) if left.base == right.base && size > 0 => {
                let bytes = i128::from(left.offset) - i128::from(right.offset);
                Ok(Constant::Integer(bytes / i128::from(size)))
            }
            (Constant::Integer(0), Constant::Integer(0)) => Ok(Constant::Integer(0)),
            _ => fail(span, "difference of pointers into different objects"),
        }
    }

    /// Calls a function; `this` comes before the arguments, and a record goes to `result`.
    pub(super) fn call(
        &mut self,
        id: FunctionId,
        args: &'a [Arg],
        this: Option<Address>,
        result: Option<Address>,
        span: Span,
    ) -> Eval<Constant> {
        let program = self.program;
        let Some(function) = program.functions.get(id.index()) else {
            return fail(span, "call of a function that is not defined");
        };
        if !function.constexpr {
            return fail(span, format!("call of `{}`, which is not `constexpr`", function.name));
        }
        let mut frame = Frame {
            declared: &function.locals,
            locals: Sorted::default(),
            result: result.map(|to| (to, function.result)),
            outer: false,
        };
        let mut params = function.params.iter();
        if let Some(this) = this
            && let Some(param) = params.next()
        {
            let object = self.argument(function.locals.get(param.index()), span)?;
            self.store_scalar(
                Address { base: Base::Object(object), offset: 0 },
                Scalar::Pointer,
                Constant::Address(this),
                span,
            )?;
            frame.locals.insert(*param, object);
        }
        for (param, arg) in params.zip(args) {
            let local = function.locals.get(param.index());
            let object = self.argument(local, span)?;
            let to = Address { base: Base::Object(object), offset: 0 };
            match (arg, local) {
                (Arg::Value(expr), Some(local)) => {
                    let value = self.value(expr)?;
                    let kind = self.scalar(local.ty, span)?;
                    self.store_scalar(to, kind, value, expr.span)?;
                }
                (Arg::Init(init), Some(local)) => self.fill(local.ty, to, init, span)?,
                (_, None) => return fail(span, "call of a function that is not defined"),
            }
            frame.locals.insert(*param, object);
        }
        self.frames.push(frame);
        let flow = self.block(&function.body, &mut None);
        if let Some(frame) = self.frames.pop() {
            for object in frame.locals.values() {
                self.objects.remove(object);
            }
        }
        let returns = self.scalar(function.result, span).ok();
        match flow? {
            Flow::Return(value) => Ok(value),
            Flow::Next if returns == Some(Scalar::Void) => Ok(Constant::Void),
            Flow::Next | Flow::Break(_) | Flow::Continue(_) => {
                fail(span, format!("`{}` ends without a `return`", function.name))
            }
        }
    }

    fn argument(&mut self, local: Option<&Local>, span: Span) -> Eval<u32> {
        match local {
            Some(local) => Ok(self.object(local.ty, false)),
            None => fail(span, "call of a function that is not defined"),
        }
    }

    /// Statements within an expression.
    pub(super) fn effects(&mut self, stmts: &'a [Stmt], span: Span) -> Eval<()> {
        match self.block(stmts, &mut None)? {
            Flow::Next => Ok(()),
            Flow::Break(_) | Flow::Continue(_) | Flow::Return(_) => fail(span, "jump out of an expression"),
        }
    }

    /// Statements in order; with a label to seek, from its target on.
    fn block(&mut self, stmts: &'a [Stmt], seek: &mut Option<Label>) -> Eval<Flow> {
        for stmt in stmts {
            if seek.is_some() {
                match &stmt.kind {
                    StmtKind::Target(label) if Some(*label) == *seek => *seek = None,
                    StmtKind::Block(inner) => match self.block(inner, seek)? {
                        Flow::Next => {}
                        other => return Ok(other),
                    },
                    _ => {}
                }
                continue;
            }
            self.enter(stmt.span)?;
            let flow = self.statement(stmt);
            self.leave();
            match flow? {
                Flow::Next => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, stmt: &'a Stmt) -> Eval<Flow> {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Expr(expr) => self.value(expr).map(|_| Flow::Next),
            StmtKind::Place(place) => self.place(place).map(|_| Flow::Next),
            StmtKind::Init(local, init) | StmtKind::Let(local, Some(init)) => {
                self.declare(*local, Some(init), span).map(|()| Flow::Next)
            }
            StmtKind::Let(local, None) => self.declare(*local, None, span).map(|()| Flow::Next),
            StmtKind::Block(stmts) => self.block(stmts, &mut None),
            StmtKind::If(condition, yes, no) => {
                let chosen = if self.truth(condition)? { yes } else { no };
                self.block(chosen, &mut None)
            }
            StmtKind::Loop { label, condition, after, step, body, unroll: _ } => {
                self.repeat(*label, condition.as_ref(), *after, step, body, span)
            }
            StmtKind::Switch { label, value, cases, default, body } => {
                self.switch(*label, value, cases, *default, body)
            }
            StmtKind::Target(_) => Ok(Flow::Next),
            StmtKind::Goto(_) => fail(span, "`goto`"),
            StmtKind::Break(label) => Ok(Flow::Break(*label)),
            StmtKind::Continue(label) => Ok(Flow::Continue(*label)),
            StmtKind::Return(None) => Ok(Flow::Return(Constant::Void)),
            StmtKind::Return(Some(expr)) => self.value(expr).map(Flow::Return),
            StmtKind::ReturnInit(init) => self.return_record(init, span),
            StmtKind::Try(body, _) => self.block(body, &mut None),
            StmtKind::Fill(..) => fail(span, "memory that is filled at run time"),
            StmtKind::Asm(_) => fail(span, "inline assembly"),
        }
    }

    /// A variable's scope begins.
    fn declare(&mut self, local: LocalId, init: Option<&'a Init>, span: Span) -> Eval<()> {
        let declared = self.frames.last().and_then(|frame| frame.declared.get(local.index()));
        let Some(declared) = declared else {
            return fail(span, "unknown variable");
        };
        let object = self.object(declared.ty, false);
        self.bind(local, object);
        match init {
            Some(init) => {
                self.fill(declared.ty, Address { base: Base::Object(object), offset: 0 }, init, span)
            }
            None => Ok(()),
        }
    }

    /// Gives a variable an object, in place of the one that it had in an earlier iteration of a loop.
    pub(super) fn bind(&mut self, local: LocalId, object: u32) {
        if let Some(frame) = self.frames.last_mut()
            && let Some(old) = frame.locals.insert(local, object)
        {
            self.objects.remove(&old);
        }
    }

    fn return_record(&mut self, init: &'a Init, span: Span) -> Eval<Flow> {
        let result = self.frames.last().and_then(|frame| frame.result);
        let Some((to, ty)) = result else {
            return fail(span, "returned class without a destination");
        };
        self.fill(ty, to, init, span)?;
        Ok(Flow::Return(Constant::Void))
    }

    fn repeat(
        &mut self,
        label: Label,
        condition: Option<&'a Expr>,
        after: bool,
        step: &'a [Stmt],
        body: &'a [Stmt],
        span: Span,
    ) -> Eval<Flow> {
        loop {
            self.charge(1, span)?;
            if !after
                && let Some(condition) = condition
                && !self.truth(condition)?
            {
                return Ok(Flow::Next);
            }
            match self.block(body, &mut None)? {
                Flow::Next => {}
                Flow::Continue(to) if to == label => {}
                Flow::Break(to) if to == label => return Ok(Flow::Next),
                other => return Ok(other),
            }
            self.effects(step, span)?;
            if after
                && let Some(condition) = condition
                && !self.truth(condition)?
            {
                return Ok(Flow::Next);
            }
        }
    }

    fn switch(
        &mut self,
        label: Label,
        value: &'a Expr,
        cases: &[(i128, i128, Label)],
        default: Option<Label>,
        body: &'a [Stmt],
    ) -> Eval<Flow> {
        let span = value.span;
        let Some(number) = self.value(value)?.integer() else {
            return fail(span, "`switch` on something that is not an integer");
        };
        let case = cases.iter().find(|(first, last, _)| (*first..=*last).contains(&number));
        let Some(target) = case.map(|(_, _, label)| *label).or(default) else {
            return Ok(Flow::Next);
        };
        let mut seek = Some(target);
        let flow = self.block(body, &mut seek)?;
        if seek.is_some() {
            return fail(span, "`case` inside another statement");
        }
        match flow {
            Flow::Break(to) if to == label => Ok(Flow::Next),
            other => Ok(other),
        }
    }
}

/// Why a function of the compiler's own has no constant value, or one of the variables that it is after.
pub(super) fn called(name: &str) -> String {
    match name.strip_prefix("__builtin_").and_then(|rest| rest.split_once('_')) {
        Some((variable, part)) if matches!(variable, "threadIdx" | "blockIdx" | "blockDim" | "gridDim") => {
            format!("the value of `{variable}.{part}` is known only at run time")
        }
        _ => format!("call of `{name}`, which is not `constexpr`"),
    }
}
