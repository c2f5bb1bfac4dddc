//! Printer of the tree, as expressions in parentheses, for tests.
//!
//! Enters: nodes. Leaves: text, in which all that the parser decided can be seen.

use super::Tree;
use crate::ast::*;
use crate::diagnostic::Diagnostics;
use crate::source::Sources;

/// Printer of one tree.
pub(super) struct Printer<'a> {
    tree: &'a Tree,
    out: String,
}

/// A translation unit without the library's part, one declaration a line.
pub(super) fn unit(tree: &Tree, sources: &Sources) -> String {
    let written = |one: &&Declaration| !sources.position(one.span.lo).is_some_and(|at| at.file.ours);
    let lines = tree.unit.declarations.iter().filter(written).map(|one| {
        let mut printer = Printer { tree, out: String::new() };
        printer.declaration(one);
        printer.out
    });
    lines.collect::<Vec<_>>().join("\n")
}

impl Printer<'_> {
    fn text(&mut self, text: &str) {
        let opens = self.out.is_empty() || self.out.ends_with('(');
        if !opens {
            self.out.push(' ');
        }
        self.out.push_str(text);
    }

    fn list(&mut self, head: &str, inside: impl FnOnce(&mut Self)) {
        self.text("(");
        self.text(head);
        inside(self);
        self.out.push(')');
    }

    fn all<T>(&mut self, nodes: &[T], mut print: impl FnMut(&mut Self, &T)) {
        for node in nodes {
            print(self, node);
        }
    }

    fn declarations(&mut self, nodes: &[Declaration]) {
        self.all(nodes, Self::declaration);
    }

    fn declaration(&mut self, node: &Declaration) {
        match &node.kind {
            DeclarationKind::Namespace { name, inline, declarations } => {
                self.list(if *inline { "inline-namespace" } else { "namespace" }, |p| {
                    p.text(name.as_ref().map_or("_", |name| &name.symbol));
                    p.declarations(declarations);
                });
            }
            DeclarationKind::Linkage(inside) => self.list("extern-c", |p| p.declarations(inside)),
            DeclarationKind::Using(name) => self.list("using", |p| p.name(name)),
            DeclarationKind::UsingNamespace(name) => self.list("using-namespace", |p| p.name(name)),
            DeclarationKind::NamespaceAlias(name, target) => self.list("namespace-alias", |p| {
                p.text(&name.symbol);
                p.name(target);
            }),
            DeclarationKind::Alias(alias) => self.list("alias", |p| {
                p.text(&alias.name.symbol);
                p.ty(&alias.target);
            }),
            DeclarationKind::Class(class) => self.class(class),
            DeclarationKind::Enum(one) => self.enumeration(one),
            DeclarationKind::Function(function) => self.function(function),
            DeclarationKind::Variable(variable) => self.variable(variable),
            DeclarationKind::StructuredBinding(binding) => self.list("binding", |p| {
                p.ty(&binding.ty);
                p.all(&binding.names, |p, name| p.text(&name.symbol));
                p.initializer(binding.initializer.as_ref());
            }),
            DeclarationKind::Template(template) => self.list("template", |p| {
                p.list("", |p| p.all(&template.parameters, Self::template_parameter));
                p.declaration(&template.declaration);
            }),
            DeclarationKind::ExplicitInstantiation { declaration, .. } => {
                self.list("instantiate", |p| p.declaration(declaration));
            }
            DeclarationKind::StaticAssert { condition, message } => self.list("static_assert", |p| {
                p.expr(condition);
                if let Some(message) = message {
                    p.string(message);
                }
            }),
            DeclarationKind::Friend(friend) => self.list("friend", |p| p.declaration(friend)),
            DeclarationKind::Access(access) => self.text(match access {
                Access::Public => "public:",
                Access::Protected => "protected:",
                Access::Private => "private:",
            }),
            DeclarationKind::Asm => self.text("(asm)"),
            DeclarationKind::OpaqueHost(name, _) => {
                self.list("opaque", |p| p.text(name.as_ref().map_or("_", |name| &name.symbol)));
            }
            DeclarationKind::Empty => self.text("(empty)"),
            DeclarationKind::Error => self.text("(error)"),
        }
    }

    fn template_parameter(&mut self, one: &TemplateParameter) {
        let word = if one.pack { "pack" } else { "parameter" };
        self.list(word, |p| {
            match &one.kind {
                TemplateParameterKind::Type { .. } => p.text("class"),
                TemplateParameterKind::Value { ty, .. } => p.ty(ty),
                TemplateParameterKind::Template { .. } => p.text("template"),
            }
            p.text(one.name.as_ref().map_or("_", |name| &name.symbol));
            match &one.kind {
                TemplateParameterKind::Type { default: Some(ty) } => p.ty(ty),
                TemplateParameterKind::Value { default: Some(value), .. } => p.expr(value),
                _ => {}
            }
        });
    }

    fn class(&mut self, class: &Class) {
        let tag = match class.tag {
            TagKind::Struct => "struct",
            TagKind::Class => "class",
            TagKind::Union => "union",
            TagKind::Enum => "enum",
        };
        self.list(tag, |p| {
            match &class.name {
                Some(name) => p.name(name),
                None => p.text("_"),
            }
            p.attributes(&class.attributes);
            p.all(&class.bases, |p, base| p.list("base", |p| p.ty(&base.class)));
            match &class.members {
                Some(members) => p.declarations(members),
                None => p.text("declared"),
            }
        });
    }

    fn enumeration(&mut self, one: &Enum) {
        self.list(if one.scoped { "enum-class" } else { "enum" }, |p| {
            match &one.name {
                Some(name) => p.name(name),
                None => p.text("_"),
            }
            if let Some(ty) = &one.underlying {
                p.ty(ty);
            }
            p.all(one.enumerators.as_deref().unwrap_or_default(), |p, one| {
                p.list(&one.name.symbol, |p| {
                    if let Some(value) = &one.value {
                        p.expr(value);
                    }
                });
            });
        });
    }

    fn attributes(&mut self, attributes: &[Attribute]) {
        for one in attributes {
            match &one.kind {
                AttributeKind::Global => self.text("__global__"),
                AttributeKind::Device => self.text("__device__"),
                AttributeKind::Host => self.text("__host__"),
                AttributeKind::Constant => self.text("__constant__"),
                AttributeKind::Shared => self.text("__shared__"),
                AttributeKind::Managed => self.text("__managed__"),
                AttributeKind::GridConstant => self.text("__grid_constant__"),
                AttributeKind::ForceInline => self.text("__forceinline__"),
                AttributeKind::NoInline => self.text("__noinline__"),
                AttributeKind::Packed => self.text("packed"),
                AttributeKind::Pack(to) => self.list("pack", |p| p.text(&to.to_string())),
                AttributeKind::Ignored(name) | AttributeKind::Unknown(name) => {
                    self.list("attribute", |p| p.text(name))
                }
                AttributeKind::LaunchBounds(values) => {
                    self.list("launch_bounds", |p| p.all(values, Self::expr))
                }
                AttributeKind::ClusterDims(values) => {
                    self.list("cluster_dims", |p| p.all(values, Self::expr))
                }
                AttributeKind::BlockSize => self.text("(block_size)"),
                AttributeKind::MaxRegisters(value) => self.list("maxnreg", |p| p.expr(value)),
                AttributeKind::Align(value) => self.list("align", |p| {
                    if let Some(value) = value {
                        p.argument(value);
                    }
                }),
            }
        }
    }

    fn specifiers(&mut self, specifiers: &Specifiers) {
        self.attributes(&specifiers.attributes);
        let words = [
            (specifiers.is_static, "static"),
            (specifiers.is_extern, "extern"),
            (specifiers.is_inline, "inline"),
            (specifiers.is_constexpr, "constexpr"),
            (specifiers.is_explicit, "explicit"),
            (specifiers.is_virtual, "virtual"),
            (specifiers.is_mutable, "mutable"),
            (specifiers.is_friend, "friend"),
        ];
        for (place, word) in words {
            if place.is_some() {
                self.text(word);
            }
        }
        if specifiers.extern_c {
            self.text("\"C\"");
        }
    }

    fn function(&mut self, function: &Function) {
        let word = match function.kind {
            FunctionKind::Ordinary => "function",
            FunctionKind::Constructor => "constructor",
            FunctionKind::Destructor => "destructor",
            FunctionKind::Conversion => "conversion",
            FunctionKind::DeductionGuide => "guide",
        };
        self.list(word, |p| {
            p.name(&function.name);
            p.specifiers(&function.specifiers);
            p.function_type(&function.ty);
            match function.body {
                FunctionBody::None => {}
                FunctionBody::Defaulted => p.text("default"),
                FunctionBody::Deleted => p.text("delete"),
                FunctionBody::Defined(id) => {
                    let Some(body) = p.tree.body(id, &mut Diagnostics::default()) else { return };
                    p.all(&body.initializers, |p, one| {
                        p.list("init", |p| {
                            p.name(&one.name);
                            p.initializer(Some(&one.initializer));
                        });
                    });
                    p.block(&body.block);
                }
            }
        });
    }

    fn function_type(&mut self, ty: &FunctionType) {
        self.list("fn", |p| {
            p.ty(&ty.result);
            p.all(&ty.parameters, |p, one| {
                p.list(one.name.as_ref().map_or("_", |name| &name.symbol), |p| {
                    p.attributes(&one.attributes);
                    p.ty(&one.ty);
                    if let Some(default) = &one.default {
                        p.expr(default);
                    }
                });
            });
            if ty.variadic {
                p.text("...");
            }
            if ty.constant {
                p.text("const");
            }
        });
    }

    fn variable(&mut self, variable: &Variable) {
        self.list("variable", |p| {
            match &variable.name {
                Some(name) => p.name(name),
                None => p.text("_"),
            }
            p.specifiers(&variable.specifiers);
            p.ty(&variable.ty);
            if let Some(bits) = &variable.bits {
                p.list("bits", |p| p.expr(bits));
            }
            p.initializer(variable.initializer.as_ref());
        });
    }

    fn initializer(&mut self, initializer: Option<&Initializer>) {
        match initializer {
            None => {}
            Some(Initializer::Equals(value)) => self.list("=", |p| p.expr(value)),
            Some(Initializer::Parentheses(values, _)) => self.list("()", |p| p.all(values, Self::expr)),
            Some(Initializer::Braces(list)) => self.init_list(list),
        }
    }

    fn init_list(&mut self, list: &InitList) {
        self.list("{}", |p| {
            p.all(&list.elements, |p, one| {
                for designator in &one.designators {
                    match designator {
                        Designator::Member(name) => p.text(&format!(".{}", name.symbol)),
                        Designator::Index(index) => p.list("[]", |p| p.expr(index)),
                    }
                }
                p.expr(&one.value);
            });
        });
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Names and types

    fn name(&mut self, name: &Name) {
        let simple = name.segments.len() == 1 && !name.global && !name.typename;
        if simple {
            return self.segment(&name.segments[0]);
        }
        self.list(if name.typename { "typename" } else { "::" }, |p| {
            if name.global {
                p.text("global");
            }
            p.all(&name.segments, Self::segment);
        });
    }

    fn segment(&mut self, segment: &Segment) {
        let id = |p: &mut Self| match &segment.id {
            Id::Word(symbol) => p.text(symbol),
            Id::Decltype(ty) => p.ty(ty),
            Id::Operator(OverloadedOperator::Symbol(text)) => p.text(&format!("operator{text}")),
            Id::Operator(OverloadedOperator::Call) => p.text("operator()"),
            Id::Operator(OverloadedOperator::Index) => p.text("operator[]"),
            Id::Operator(OverloadedOperator::Allocation(text)) => p.text(&format!("operator-{text}")),
            Id::Conversion(ty) => p.list("operator", |p| p.ty(ty)),
            Id::Destructor(symbol) => p.text(&format!("~{symbol}")),
            Id::Literal(symbol) => p.text(&format!("operator\"\"{symbol}")),
        };
        match &segment.arguments {
            None => id(self),
            Some(arguments) => self.list("<>", |p| {
                id(p);
                p.all(arguments, Self::argument);
            }),
        }
    }

    fn argument(&mut self, argument: &TemplateArgument) {
        match argument {
            TemplateArgument::Type(ty) => self.list("type", |p| p.ty(ty)),
            TemplateArgument::Expression(value) => self.expr(value),
            TemplateArgument::Pack(inner) => self.list("...", |p| p.argument(inner)),
        }
    }

    fn ty(&mut self, ty: &Type) {
        let mut words = vec![];
        if ty.qualifiers.constant {
            words.push("const");
        }
        if ty.qualifiers.volatile {
            words.push("volatile");
        }
        if ty.qualifiers.restrict {
            words.push("restrict");
        }
        if words.is_empty() {
            return self.bare(ty);
        }
        self.list(&words.join(" "), |p| p.bare(ty));
    }

    fn bare(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Builtin(builtin) => self.text(&format!("{builtin:?}").to_ascii_lowercase()),
            TypeKind::Auto => self.text("auto"),
            TypeKind::DecltypeAuto => self.text("decltype(auto)"),
            TypeKind::Decltype(value) => self.list("decltype", |p| p.expr(value)),
            TypeKind::Same(ty) => self.list("same", |p| p.ty(ty)),
            TypeKind::Name(name) => self.name(name),
            TypeKind::Elaborated(_, name) => self.list("tag", |p| p.name(name)),
            TypeKind::Class(class) => self.class(class),
            TypeKind::Enum(one) => self.enumeration(one),
            TypeKind::Pointer(to) => self.list("*", |p| p.ty(to)),
            TypeKind::Reference(to) => self.list("&", |p| p.ty(to)),
            TypeKind::RvalueReference(to) => self.list("&&", |p| p.ty(to)),
            TypeKind::MemberPointer(..) => self.text("(::*)"),
            TypeKind::Array(element, size) => self.list("array", |p| {
                p.ty(element);
                if let Some(size) = size {
                    p.expr(size);
                }
            }),
            TypeKind::Function(function) => self.function_type(function),
            TypeKind::Pack(inner) => self.list("...", |p| p.ty(inner)),
            TypeKind::Error => self.text("(error)"),
        }
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Statements

    fn block(&mut self, block: &Block) {
        self.list("block", |p| p.all(&block.statements, Self::statement));
    }

    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::Expression(value) => self.expr(value),
            Condition::Variable(variable) => self.variable(variable),
        }
    }

    fn unroll(&mut self, unroll: Option<&Unroll>) {
        match unroll {
            None => {}
            Some(Unroll { count: None, .. }) => self.text("unroll"),
            Some(Unroll { count: Some(count), .. }) => self.list("unroll", |p| p.expr(count)),
        }
    }

    fn tries(&mut self, block: &Block, handlers: &[crate::ast::Handler]) {
        self.list("try", |p| {
            p.block(block);
            handlers.iter().for_each(|one| p.block(&one.block));
        });
    }

    fn statement(&mut self, node: &Statement) {
        match &node.kind {
            StatementKind::Block(block) => self.block(block),
            StatementKind::Expression(value) => self.expr(value),
            StatementKind::Declaration(declarations) => self.declarations(declarations),
            StatementKind::If(one) => self.list(if one.constexpr { "if-constexpr" } else { "if" }, |p| {
                if let Some(init) = &one.init {
                    p.statement(init);
                }
                p.condition(&one.condition);
                p.statement(&one.then);
                if let Some(otherwise) = &one.otherwise {
                    p.statement(otherwise);
                }
            }),
            StatementKind::For(one) => self.list("for", |p| {
                p.unroll(one.unroll.as_ref());
                p.statement(&one.init);
                match &one.condition {
                    Some(condition) => p.condition(condition),
                    None => p.text("_"),
                }
                match &one.step {
                    Some(step) => p.expr(step),
                    None => p.text("_"),
                }
                p.statement(&one.body);
            }),
            StatementKind::RangeFor(one) => self.list("range-for", |p| {
                p.unroll(one.unroll.as_ref());
                if let Some(init) = &one.init {
                    p.statement(init);
                }
                p.declaration(&one.variable);
                p.expr(&one.range);
                p.statement(&one.body);
            }),
            StatementKind::While { condition, body, unroll } => self.list("while", |p| {
                p.unroll(unroll.as_ref());
                p.condition(condition);
                p.statement(body);
            }),
            StatementKind::DoWhile { body, condition, unroll } => self.list("do", |p| {
                p.unroll(unroll.as_ref());
                p.statement(body);
                p.expr(condition);
            }),
            StatementKind::Switch { init, condition, body } => self.list("switch", |p| {
                if let Some(init) = init {
                    p.statement(init);
                }
                p.condition(condition);
                p.statement(body);
            }),
            StatementKind::Case { low, high, statement } => self.list("case", |p| {
                p.expr(low);
                if let Some(high) = high {
                    p.text("to");
                    p.expr(high);
                }
                p.statement(statement);
            }),
            StatementKind::Default(statement) => self.list("default", |p| p.statement(statement)),
            StatementKind::Break => self.text("break"),
            StatementKind::Continue => self.text("continue"),
            StatementKind::Return(value) => self.list("return", |p| {
                if let Some(value) = value {
                    p.expr(value);
                }
            }),
            StatementKind::Goto(label) => self.list("goto", |p| p.text(&label.symbol)),
            StatementKind::Label(label, statement) => self.list("label", |p| {
                p.text(&label.symbol);
                p.statement(statement);
            }),
            StatementKind::Asm(asm) => self.asm(asm),
            StatementKind::Try(block, handlers) => self.tries(block, handlers),
            StatementKind::Empty => self.text("empty"),
            StatementKind::Fallthrough => self.text("fallthrough"),
            StatementKind::Error => self.text("(error)"),
        }
    }

    fn asm(&mut self, asm: &Asm) {
        self.list(if asm.volatile { "asm-volatile" } else { "asm" }, |p| {
            p.string(&asm.text);
            let operand = |p: &mut Self, one: &AsmOperand| {
                p.list(one.name.as_ref().map_or("_", |name| &name.symbol), |p| {
                    p.string(&one.constraint);
                    p.expr(&one.value);
                });
            };
            p.text(":");
            p.all(&asm.outputs, operand);
            p.text(":");
            p.all(&asm.inputs, operand);
            p.text(":");
            p.all(&asm.clobbers, |p, one| p.string(&one.0));
        });
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Expressions

    fn string(&mut self, text: &[u8]) {
        self.text(&format!("{:?}", String::from_utf8_lossy(text)));
    }

    fn exprs(&mut self, head: &str, values: &[&Expr]) {
        self.list(head, |p| p.all(values, |p, value| p.expr(value)));
    }

    #[expect(clippy::too_many_lines, reason = "an arm for each kind of expression")]
    fn expr(&mut self, node: &Expr) {
        match &node.kind {
            ExprKind::Integer { value, suffix, .. } => self.text(&format!("{value}{suffix}")),
            ExprKind::Float { text, suffix } => self.text(&format!("{text}{suffix}")),
            ExprKind::Character(value) => self.text(&format!("'{value}'")),
            ExprKind::String(text) => self.string(text),
            ExprKind::Bool(value) => self.text(if *value { "true" } else { "false" }),
            ExprKind::Null => self.text("nullptr"),
            ExprKind::This => self.text("this"),
            ExprKind::Name(name) => self.name(name),
            ExprKind::Parentheses(inner) => self.exprs("paren", &[inner]),
            ExprKind::Unary(operator, inner) => {
                let post = matches!(operator, UnaryOperator::PostIncrement | UnaryOperator::PostDecrement);
                let head = format!("{}{}", if post { "post" } else { "" }, operator.text());
                self.exprs(&head, &[inner]);
            }
            ExprKind::Binary { operator, left, right, .. } => self.exprs(operator.text(), &[left, right]),
            ExprKind::Assign { operator, left, right, .. } => {
                let head = format!("{}=", operator.map_or("", BinaryOperator::text));
                self.exprs(&head, &[left, right]);
            }
            ExprKind::Conditional(parts) => self.exprs("?", &[&parts[0], &parts[1], &parts[2]]),
            ExprKind::Call(callee, arguments) => self.list("call", |p| {
                p.expr(callee);
                p.all(arguments, Self::expr);
            }),
            ExprKind::Launch { callee, configuration, arguments } => self.list("launch", |p| {
                p.expr(callee);
                p.list("<<<>>>", |p| p.all(configuration, Self::expr));
                p.all(arguments, Self::expr);
            }),
            ExprKind::Member { object, arrow, member } => self.list(if *arrow { "->" } else { "." }, |p| {
                p.expr(object);
                p.name(member);
            }),
            ExprKind::MemberPointer(left, right) => self.exprs(".*", &[left, right]),
            ExprKind::Index(left, right) => self.exprs("[]", &[left, right]),
            ExprKind::Cast(kind, ty, inner) => {
                let head = match kind {
                    CastKind::C => "cast",
                    CastKind::Static => "static_cast",
                    CastKind::Reinterpret => "reinterpret_cast",
                    CastKind::Const => "const_cast",
                    CastKind::Dynamic => "dynamic_cast",
                };
                self.list(head, |p| {
                    p.ty(ty);
                    p.expr(inner);
                });
            }
            ExprKind::Construct(ty, initializer) => self.list("construct", |p| {
                p.ty(ty);
                p.initializer(Some(initializer));
            }),
            ExprKind::CompoundLiteral(ty, list) => self.list("compound", |p| {
                p.ty(ty);
                p.init_list(list);
            }),
            ExprKind::List(list) => self.init_list(list),
            ExprKind::SizeofType(ty) => self.list("sizeof-type", |p| p.ty(ty)),
            ExprKind::SizeofExpr(inner) => self.exprs("sizeof", &[inner]),
            ExprKind::SizeofPack(name) => self.list("sizeof...", |p| p.text(&name.symbol)),
            ExprKind::AlignofType(ty) => self.list("alignof-type", |p| p.ty(ty)),
            ExprKind::AlignofExpr(inner) => self.exprs("alignof", &[inner]),
            ExprKind::Noexcept(inner) => self.exprs("noexcept", &[inner]),
            ExprKind::Typeid(inner) => self.exprs("typeid", &[inner]),
            ExprKind::New(one) => self.list("new", |p| {
                p.ty(&one.ty);
                one.length.iter().chain(&one.placement).for_each(|length| p.expr(length));
                p.initializer(one.initializer.as_ref());
            }),
            ExprKind::Delete(inner, _) => self.exprs("delete", &[inner]),
            ExprKind::Throw(inner) => self.list("throw", |p| {
                if let Some(inner) = inner {
                    p.expr(inner);
                }
            }),
            ExprKind::Lambda(lambda) => self.lambda(lambda),
            ExprKind::Fold { operator, left, right } => self.list("fold", |p| {
                p.text(operator.text());
                for side in [left, right] {
                    match side {
                        Some(side) => p.expr(side),
                        None => p.text("..."),
                    }
                }
            }),
            ExprKind::Pack(inner) => self.exprs("...", &[inner]),
            ExprKind::Type(ty) => self.list("type", |p| p.ty(ty)),
            ExprKind::StatementExpression(block) => self.list("statements", |p| p.block(block)),
            ExprKind::Requires => self.text("(requires)"),
            ExprKind::Error => self.text("(error)"),
        }
    }

    fn lambda(&mut self, lambda: &Lambda) {
        self.list("lambda", |p| {
            p.list("captures", |p| {
                match lambda.default {
                    Some(CaptureMode::Copy) => p.text("="),
                    Some(CaptureMode::Reference) => p.text("&"),
                    None => {}
                }
                p.all(&lambda.captures, |p, one| {
                    let sign = if one.mode == CaptureMode::Reference { "&" } else { "" };
                    p.text(&format!("{sign}{}", one.name.symbol));
                    p.initializer(one.initializer.as_ref());
                });
            });
            p.all(&lambda.template, Self::template_parameter);
            p.specifiers(&lambda.specifiers);
            p.function_type(&lambda.ty);
            if lambda.mutable {
                p.text("mutable");
            }
            p.block(&lambda.body);
        });
    }
}
