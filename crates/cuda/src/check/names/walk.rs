//! Walks of the tree as written, for the names in it.
//!
//! Enters: expressions, types, statements. Leaves: calls with each name. This module must never know what names mean.

use crate::ast::{
    Block, Condition, Declaration, DeclarationKind, Designator, Expr, ExprKind, FunctionType, Id, InitList,
    Initializer, Lambda, Name, New, Statement, StatementKind, TemplateArgument, Type, TypeKind,
};

/// What is done with each name; `packs` says whether the patterns of expansions within are walked too.
pub(crate) struct Walk<'f> {
    /// Called with each name of a value or type.
    pub(crate) name: &'f mut dyn FnMut(&Name),
    /// Called with each `this`.
    pub(crate) this: &'f mut dyn FnMut(),
    /// Whether the patterns of expansions are walked.
    pub(crate) packs: bool,
}

impl Walk<'_> {
    pub(crate) fn named(&mut self, name: &Name) {
        (self.name)(name);
        for segment in &name.segments {
            if let Id::Conversion(ty) | Id::Decltype(ty) = &segment.id {
                self.ty(ty);
            }
            for argument in segment.arguments.iter().flat_map(|arguments| arguments.iter()) {
                self.argument(argument);
            }
        }
    }

    pub(crate) fn argument(&mut self, argument: &TemplateArgument) {
        match argument {
            TemplateArgument::Type(ty) => self.ty(ty),
            TemplateArgument::Expression(expr) => self.expr(expr),
            TemplateArgument::Pack(inner) => {
                if self.packs {
                    self.argument(inner);
                }
            }
        }
    }

    pub(crate) fn ty(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Decltype(expr) => self.expr(expr),
            TypeKind::Name(name) | TypeKind::Elaborated(_, name) => self.named(name),
            TypeKind::Pointer(of)
            | TypeKind::Reference(of)
            | TypeKind::RvalueReference(of)
            | TypeKind::Same(of) => self.ty(of),
            TypeKind::Pack(of) => {
                if self.packs {
                    self.ty(of);
                }
            }
            TypeKind::Array(of, length) => {
                self.ty(of);
                if let Some(length) = length {
                    self.expr(length);
                }
            }
            TypeKind::Function(function) => self.function(function),
            TypeKind::MemberPointer(class, of) => {
                self.named(class);
                self.ty(of);
            }
            TypeKind::Builtin(_)
            | TypeKind::Auto
            | TypeKind::DecltypeAuto
            | TypeKind::Class(_)
            | TypeKind::Enum(_)
            | TypeKind::Error => {}
        }
    }

    fn function(&mut self, function: &FunctionType) {
        self.ty(&function.result);
        for parameter in &function.parameters {
            self.ty(&parameter.ty);
            if let Some(default) = &parameter.default {
                self.expr(default);
            }
        }
    }

    fn list(&mut self, list: &InitList) {
        for element in &list.elements {
            for designator in &element.designators {
                if let Designator::Index(index) = designator {
                    self.expr(index);
                }
            }
            self.expr(&element.value);
        }
    }

    fn initializer(&mut self, initializer: &Initializer) {
        match initializer {
            Initializer::Equals(expr) => self.expr(expr),
            Initializer::Parentheses(all, _) => all.iter().for_each(|one| self.expr(one)),
            Initializer::Braces(list) => self.list(list),
        }
    }

    pub(crate) fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::This => (self.this)(),
            ExprKind::Name(name) => self.named(name),
            ExprKind::Parentheses(x)
            | ExprKind::Unary(_, x)
            | ExprKind::SizeofExpr(x)
            | ExprKind::Typeid(x)
            | ExprKind::AlignofExpr(x)
            | ExprKind::Noexcept(x)
            | ExprKind::Delete(x, _) => self.expr(x),
            ExprKind::Pack(x) => {
                if self.packs {
                    self.expr(x);
                }
            }
            ExprKind::Binary { left, right, .. } | ExprKind::Assign { left, right, .. } => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Conditional(all) => all.iter().for_each(|one| self.expr(one)),
            ExprKind::Call(callee, arguments) => {
                self.expr(callee);
                arguments.iter().for_each(|one| self.expr(one));
            }
            ExprKind::Launch { callee, configuration, arguments } => {
                self.expr(callee);
                configuration.iter().chain(arguments).for_each(|one| self.expr(one));
            }
            ExprKind::Member { object, member, .. } => {
                self.expr(object);
                for segment in &member.segments {
                    for argument in segment.arguments.iter().flat_map(|arguments| arguments.iter()) {
                        self.argument(argument);
                    }
                }
            }
            ExprKind::MemberPointer(a, b) | ExprKind::Index(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Cast(_, ty, x) => {
                self.ty(ty);
                self.expr(x);
            }
            ExprKind::Construct(ty, initializer) => {
                self.ty(ty);
                self.initializer(initializer);
            }
            ExprKind::CompoundLiteral(ty, list) => {
                self.ty(ty);
                self.list(list);
            }
            ExprKind::List(list) => self.list(list),
            ExprKind::SizeofType(ty) | ExprKind::AlignofType(ty) | ExprKind::Type(ty) => self.ty(ty),
            ExprKind::Fold { left, right, .. } => {
                for side in [left, right].into_iter().flatten() {
                    self.expr(side);
                }
            }
            ExprKind::Lambda(lambda) => self.lambda(lambda),
            ExprKind::StatementExpression(block) => self.block(block),
            ExprKind::New(one) => self.new_object(one),
            ExprKind::Throw(x) => {
                if let Some(x) = x {
                    self.expr(x);
                }
            }
            ExprKind::Integer { .. }
            | ExprKind::Float { .. }
            | ExprKind::Character(_)
            | ExprKind::String(_)
            | ExprKind::Bool(_)
            | ExprKind::Null
            | ExprKind::SizeofPack(_)
            | ExprKind::Requires
            | ExprKind::Error => {}
        }
    }

    fn new_object(&mut self, one: &New) {
        one.placement.iter().chain(&one.length).for_each(|one| self.expr(one));
        self.ty(&one.ty);
        one.initializer.iter().for_each(|one| self.initializer(one));
    }

    fn lambda(&mut self, lambda: &Lambda) {
        for capture in &lambda.captures {
            if let Some(initializer) = &capture.initializer {
                self.initializer(initializer);
            } else if &*capture.name.symbol == "this" {
                (self.this)();
            } else {
                (self.name)(&simple(&capture.name));
            }
        }
        self.function(&lambda.ty);
        self.block(&lambda.body);
    }

    pub(crate) fn block(&mut self, block: &Block) {
        block.statements.iter().for_each(|one| self.statement(one));
    }

    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::Expression(expr) => self.expr(expr),
            Condition::Variable(variable) => {
                self.ty(&variable.ty);
                if let Some(initializer) = &variable.initializer {
                    self.initializer(initializer);
                }
            }
        }
    }

    fn declaration(&mut self, declaration: &Declaration) {
        match &declaration.kind {
            DeclarationKind::Variable(variable) => {
                self.ty(&variable.ty);
                if let Some(initializer) = &variable.initializer {
                    self.initializer(initializer);
                }
            }
            DeclarationKind::StructuredBinding(binding) => {
                self.ty(&binding.ty);
                if let Some(initializer) = &binding.initializer {
                    self.initializer(initializer);
                }
            }
            DeclarationKind::Alias(alias) => self.ty(&alias.target),
            DeclarationKind::StaticAssert { condition, .. } => self.expr(condition),
            _ => {}
        }
    }

    pub(crate) fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Block(block) => self.block(block),
            StatementKind::Try(block, handlers) => {
                self.block(block);
                for one in handlers {
                    one.parameter.iter().for_each(|one| self.ty(&one.ty));
                    self.block(&one.block);
                }
            }
            StatementKind::Expression(expr) => self.expr(expr),
            StatementKind::Declaration(all) => all.iter().for_each(|one| self.declaration(one)),
            StatementKind::If(one) => {
                if let Some(init) = &one.init {
                    self.statement(init);
                }
                self.condition(&one.condition);
                self.statement(&one.then);
                if let Some(otherwise) = &one.otherwise {
                    self.statement(otherwise);
                }
            }
            StatementKind::For(one) => {
                self.statement(&one.init);
                if let Some(condition) = &one.condition {
                    self.condition(condition);
                }
                if let Some(step) = &one.step {
                    self.expr(step);
                }
                self.statement(&one.body);
            }
            StatementKind::RangeFor(one) => {
                if let Some(init) = &one.init {
                    self.statement(init);
                }
                self.declaration(&one.variable);
                self.expr(&one.range);
                self.statement(&one.body);
            }
            StatementKind::While { condition, body, .. } => {
                self.condition(condition);
                self.statement(body);
            }
            StatementKind::DoWhile { body, condition, .. } => {
                self.statement(body);
                self.expr(condition);
            }
            StatementKind::Switch { init, condition, body } => {
                if let Some(init) = init {
                    self.statement(init);
                }
                self.condition(condition);
                self.statement(body);
            }
            StatementKind::Case { low, high, statement } => {
                self.expr(low);
                if let Some(high) = high {
                    self.expr(high);
                }
                self.statement(statement);
            }
            StatementKind::Default(inner) | StatementKind::Label(_, inner) => self.statement(inner),
            StatementKind::Return(value) => {
                if let Some(value) = value {
                    self.expr(value);
                }
            }
            StatementKind::Asm(asm) => {
                for operand in asm.outputs.iter().chain(&asm.inputs) {
                    self.expr(&operand.value);
                }
            }
            StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Goto(_)
            | StatementKind::Empty
            | StatementKind::Fallthrough
            | StatementKind::Error => {}
        }
    }
}

fn simple(ident: &crate::ast::Ident) -> Name {
    Name {
        global: false,
        typename: false,
        segments: vec![crate::ast::Segment {
            id: Id::Word(ident.symbol.clone()),
            arguments: None,
            span: ident.span,
        }],
        span: ident.span,
    }
}
