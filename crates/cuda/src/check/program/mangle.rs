//! Symbols, as the Itanium ABI mangles them.
//!
//! Enters: declarations with their types. Leaves: names in PTX. Kernels have the names that nvcc gives them, since hosts look
//! them up. This module must never know how symbols are used.

use std::rc::Rc;

use crate::ast::{self, Id, OverloadedOperator, Symbol};
use crate::hir::{RecordId, Type, TypeKind};
use crate::options::Language;

use crate::check::Checker;
use crate::check::context::declarations::Declarations;
use crate::check::context::messages::Messages;
use crate::check::names::entity::{Argument, DeclId, Entity, GlobalDecl, ScopeId, ScopeKind, Signature};
use crate::check::program::itanium::{
    Encoding, Node, UNKNOWN_OPERATOR, builtin, operator_code, parameter_code,
};
use crate::check::templates::deduce::Bindings;

/// A template's parameters in the types that it writes.
struct Pattern<'a> {
    bindings: &'a Bindings,
    /// What is in their places where they are those of an alias: no symbol has its name.
    nodes: Option<&'a [Node]>,
}

impl Pattern<'_> {
    fn number(&self, symbol: &Symbol) -> Option<usize> {
        self.bindings.number(symbol)
    }

    /// A parameter as a type, or as an argument.
    fn parameter(&self, number: usize, is_type: bool) -> Node {
        match self.nodes {
            Some(nodes) => nodes.get(number).cloned().unwrap_or(Node::Code("v".into())),
            None if is_type => Node::Param(number),
            None => Node::Expression(Rc::new(Node::Param(number))),
        }
    }
}

impl Declarations {
    /// The name of a function that is `extern "C"`.
    fn as_in_c(&self, decl: DeclId, c: bool, messages: &Messages<'_>) -> Option<String> {
        let one = &self[decl];
        let c = one.ast.specifiers.extern_c || (c && !messages.ours(one.ast.span));
        (c && one.class.is_none() && one.closure.is_none())
            .then(|| crate::check::names::lookup::spelled(&one.ast.name))
    }
}

impl Checker<'_> {
    /// Symbol of a function, given to no other.
    pub(crate) fn symbol_of(
        &mut self,
        decl: DeclId,
        arguments: &[Argument],
        signature: &Signature,
    ) -> String {
        if let Some(symbol) =
            self.declarations.as_in_c(decl, self.unit.language == Language::C, &self.messages)
        {
            if self.declarations[decl].ast.specifiers.global().is_some()
                && let Ok(encoding) = self.encoding_with_types(decl, arguments, signature)
            {
                self.program.note_typed(symbol.clone(), encoding.text());
            }
            return symbol;
        }
        let symbol = self.mangled(decl, arguments, signature);
        self.program.unique_symbol(symbol)
    }

    /// A function's name with its types.
    fn mangled(&mut self, decl: DeclId, arguments: &[Argument], signature: &Signature) -> String {
        match self.encoding(decl, arguments, signature) {
            Ok(encoding) => encoding.text(),
            Err(symbol) => symbol,
        }
    }

    /// A function's name and types, or the symbol of one that is named otherwise.
    fn encoding(
        &mut self,
        decl: DeclId,
        arguments: &[Argument],
        signature: &Signature,
    ) -> Result<Encoding, String> {
        match self.declarations.as_in_c(decl, self.unit.language == Language::C, &self.messages) {
            Some(symbol) => Err(symbol),
            None => self.encoding_with_types(decl, arguments, signature),
        }
    }

    /// The same, of a function that is `extern "C"` too.
    fn encoding_with_types(
        &mut self,
        decl: DeclId,
        arguments: &[Argument],
        signature: &Signature,
    ) -> Result<Encoding, String> {
        let one = &self.declarations[decl];
        let ast = Rc::clone(&one.ast);
        let (scope, template, closure) = (one.scope, one.template.clone(), one.closure.clone());
        if closure.is_some() || (template.is_none() && !arguments.is_empty()) {
            let number = self.program.number();
            return Err(format!("_ZZ6lambdavE{number}"));
        }
        let class = one.class;
        let params: &[ast::TemplateParameter] =
            template.as_ref().map_or(&[], |template| &template.parameters);
        let bindings = Bindings::new(params);
        let unary = ast.ty.parameters.len() + usize::from(class.is_some()) == 1;
        let last = match ast.name.last().map(|last| &last.id) {
            Some(Id::Operator(operator)) => Node::Word(format!("\0{}", operator_code(*operator, unary))),
            Some(Id::Conversion(_)) => {
                let to = signature.result.map(|ty| self.type_node(ty));
                let code = to.map(|to| to.code()).unwrap_or_default();
                Node::Word(format!("\0cv{code}"))
            }
            Some(Id::Word(_)) if ast.kind == ast::FunctionKind::Constructor => Node::Word("\0C1".to_owned()),
            Some(Id::Word(symbol)) => Node::Word(symbol.to_string()),
            _ => Node::Word("\0D1".to_owned()),
        };
        let prefix = self.scope_nodes(scope);
        let mut name = Node::Nested(prefix, Rc::new(last));
        if template.is_some() {
            let arguments = arguments.iter().map(|one| self.argument_node(one)).collect();
            name = Node::Instance(Rc::new(name), arguments);
        }
        let constant = signature.this.is_some_and(|this| this.constant);
        let patterned = template.is_some();
        let order = self.declarations[decl].order;
        let pattern = Pattern { bindings: &bindings, nodes: None };
        let types = self.at(scope, order, |this| {
            let mut types = vec![];
            if patterned && ast.kind == ast::FunctionKind::Ordinary {
                types.push(this.pattern_node(&ast.ty.result, &pattern, signature.result));
            }
            this.parameter_nodes(&ast, &pattern, signature, patterned, &mut types);
            types
        });
        Ok(Encoding { name, constant, types })
    }

    fn parameter_nodes(
        &mut self,
        ast: &ast::Function,
        pattern: &Pattern<'_>,
        signature: &Signature,
        patterned: bool,
        types: &mut Vec<Node>,
    ) {
        if signature.params.is_empty() && !(patterned && ast.ty.parameters.iter().any(is_pack)) {
            types.push(Node::Code("v".into()));
            return;
        }
        if !patterned {
            for ty in signature.params.clone() {
                let node = self.type_node(ty);
                types.push(node);
            }
            return;
        }
        for (at, parameter) in ast.ty.parameters.iter().enumerate() {
            let found = signature.written.iter().position(|(written, _)| *written == at);
            let ty = found.and_then(|found| signature.params.get(found).copied());
            let node = match &parameter.ty.kind {
                ast::TypeKind::Pack(inner) => {
                    Node::Before("Dp".into(), Rc::new(self.pattern_node(inner, pattern, ty)))
                }
                ast::TypeKind::Array(of, _) => {
                    Node::Before("P".into(), Rc::new(self.pattern_node(of, pattern, None)))
                }
                _ => {
                    let mut bare = (*parameter.ty).clone();
                    bare.qualifiers = ast::Qualifiers::default();
                    self.pattern_node(&bare, pattern, ty)
                }
            };
            types.push(node);
        }
    }

    fn scope_nodes(&mut self, scope: ScopeId) -> Vec<Node> {
        let mut all = vec![];
        let mut at = Some(scope);
        while let Some(id) = at {
            let one = &self.scopes[id];
            let (kind, name, parent) = (one.kind, one.name.clone(), one.parent);
            match kind {
                ScopeKind::Namespace => {
                    if let Some(name) = name {
                        let text =
                            if name.is_empty() { "_GLOBAL__N__1".to_owned() } else { name.to_string() };
                        all.push(Node::Word(text));
                    }
                }
                ScopeKind::Class(record) => all.push(self.record_word(record)),
                ScopeKind::Template | ScopeKind::Block(_) | ScopeKind::Enum => {}
            }
            at = parent;
        }
        all.reverse();
        all
    }

    /// A class's own name with its arguments.
    fn record_word(&mut self, record: RecordId) -> Node {
        let info = &self.classes[record];
        let word = if info.name.is_empty() {
            Node::Word(format!("unnamed{}", record.0))
        } else {
            Node::Word(info.name.to_string())
        };
        match info.template.clone() {
            Some((_, arguments)) => {
                let arguments = arguments.iter().map(|one| self.argument_node(one)).collect();
                Node::Instance(Rc::new(word), arguments)
            }
            None => word,
        }
    }

    /// A class's whole name.
    fn record_node(&mut self, record: RecordId) -> Node {
        let own = self.classes[record].scope;
        let mut prefix = match self.scopes[own].parent {
            Some(parent) => self.scope_nodes(parent),
            None => vec![],
        };
        let _ = &mut prefix;
        match self.record_word(record) {
            Node::Instance(word, arguments) => Node::Instance(Rc::new(Node::Nested(prefix, word)), arguments),
            word => Node::Nested(prefix, Rc::new(word)),
        }
    }

    fn argument_node(&mut self, argument: &Argument) -> Node {
        match argument {
            Argument::Type(ty) => self.type_node(*ty),
            Argument::Value(ty, value) => {
                let ty = self.type_node(*ty);
                let text = if *value < 0 { format!("n{}", value.unsigned_abs()) } else { value.to_string() };
                Node::Literal(Rc::new(ty), text)
            }
            Argument::Functions(decls, arguments) => {
                let named = decls.first().and_then(|decl| {
                    let signature = self.signature(*decl, arguments)?;
                    Some(self.encoding(*decl, arguments, &signature))
                });
                let Some(named) = named else { return Node::Code("XadLEE".into()) };
                let encoding = named.unwrap_or_else(|symbol| Encoding {
                    name: Node::Word(symbol),
                    constant: false,
                    types: vec![],
                });
                Node::Address(Rc::new(encoding))
            }
            Argument::Template(id) => {
                let one = &self.templates[*id];
                let (scope, word) = (one.scope, Node::Code(format!("{}{}", one.name.len(), one.name).into()));
                Node::Nested(self.scope_nodes(scope), Rc::new(word))
            }
            Argument::Pack(all) => Node::Pack(all.iter().map(|one| self.argument_node(one)).collect()),
        }
    }

    /// A type as symbols have it.
    pub(crate) fn mangled_type(&mut self, ty: Type) -> String {
        self.type_node(ty).code()
    }

    fn type_node(&mut self, ty: Type) -> Node {
        let kind = self.program.kind(ty);
        let qualifiers =
            format!("{}{}", if ty.volatile { "V" } else { "" }, if ty.constant { "K" } else { "" });
        let inner = match &kind {
            TypeKind::Pointer(to) => Node::Before("P".into(), Rc::new(self.type_node(*to))),
            TypeKind::Reference { to, rvalue } => {
                Node::Before(if *rvalue { "O" } else { "R" }.into(), Rc::new(self.type_node(*to)))
            }
            TypeKind::Array(of, length) => {
                Node::Before(format!("A{length}_").into(), Rc::new(self.type_node(*of)))
            }
            TypeKind::UnknownArray(of) => Node::Before("A_".into(), Rc::new(self.type_node(*of))),
            TypeKind::Record(record) => self.record_node(*record),
            TypeKind::Enum(id) => {
                let info = &self.classes[*id];
                let (name, scope) = (info.name.to_string(), info.scope);
                Node::Nested(self.scope_nodes(scope), Rc::new(Node::Word(name)))
            }
            TypeKind::Function(result, params) => {
                let mut all = vec![self.type_node(*result)];
                all.extend(params.iter().map(|one| self.type_node(*one)));
                if params.is_empty() {
                    all.push(Node::Code("v".into()));
                }
                Node::Function(all)
            }
            TypeKind::Member { class, of, constant } => {
                let of = self.type_node(*of);
                let of = if *constant { Node::Before("K".into(), Rc::new(of)) } else { of };
                Node::Member(Rc::new(self.record_node(*class)), Rc::new(of))
            }
            kind => Node::Code(builtin(kind).unwrap_or("v").into()),
        };
        if qualifiers.is_empty() { inner } else { Node::Before(qualifiers.into(), Rc::new(inner)) }
    }

    /// A type as a template writes it, with its parameters as such.
    fn pattern_node(&mut self, ty: &ast::Type, pattern: &Pattern<'_>, found: Option<Type>) -> Node {
        if !self.mentions(ty, pattern.bindings) {
            let resolved = match found {
                Some(found) => Some(found),
                None => self.trial(|this| this.resolve_type(ty)),
            };
            return match resolved {
                Some(resolved) => self.type_node(resolved),
                None => Node::Code("v".into()),
            };
        }
        let mut qualifiers = String::new();
        if ty.qualifiers.volatile {
            qualifiers.push('V');
        }
        if ty.qualifiers.constant {
            qualifiers.push('K');
        }
        let inner = match &ty.kind {
            ast::TypeKind::Pointer(to) => {
                Node::Before("P".into(), Rc::new(self.pattern_node(to, pattern, None)))
            }
            ast::TypeKind::Reference(to) => {
                Node::Before("R".into(), Rc::new(self.pattern_node(to, pattern, None)))
            }
            ast::TypeKind::RvalueReference(to) => {
                Node::Before("O".into(), Rc::new(self.pattern_node(to, pattern, None)))
            }
            ast::TypeKind::Array(of, length) => {
                let length = length.as_ref().map(|length| self.pattern_length(length, pattern));
                let code = format!("A{}_", length.unwrap_or_default());
                Node::Before(code.into(), Rc::new(self.pattern_node(of, pattern, None)))
            }
            ast::TypeKind::Name(name) => self.pattern_name(name, pattern),
            ast::TypeKind::Auto => Node::Code("Da".into()),
            ast::TypeKind::DecltypeAuto => Node::Code("Dc".into()),
            ast::TypeKind::Pack(inner) => {
                Node::Before("Dp".into(), Rc::new(self.pattern_node(inner, pattern, None)))
            }
            _ => match found {
                Some(found) => self.type_node(found),
                None => Node::Code("v".into()),
            },
        };
        if qualifiers.is_empty() { inner } else { Node::Before(qualifiers.into(), Rc::new(inner)) }
    }

    /// Length of an array, which may be a template's parameter.
    fn pattern_length(&mut self, length: &ast::Expr, pattern: &Pattern<'_>) -> String {
        if let ast::ExprKind::Name(name) = &length.kind
            && let Some(number) = name.simple().and_then(|symbol| pattern.number(symbol))
        {
            return match pattern.parameter(number, true) {
                Node::Literal(_, text) => text,
                Node::Param(number) => parameter_code(number),
                Node::Expression(inner) => match &*inner {
                    Node::Param(number) => parameter_code(*number),
                    _ => String::new(),
                },
                _ => String::new(),
            };
        }
        let known = self.trial(|this| this.apart(|this| this.constant_integer(length)));
        known.map(|(_, value)| value.to_string()).unwrap_or_default()
    }

    /// A member of what depends on a template's parameters, such as `typename A<T>::type`.
    fn pattern_member(&mut self, name: &ast::Name, pattern: &Pattern<'_>) -> Option<Node> {
        let depends = |this: &Self, segment: &ast::Segment| {
            let of_segment = ast::Name { segments: vec![segment.clone()], ..name.clone() };
            let kind = ast::TypeKind::Name(of_segment);
            this.mentions(
                &ast::Type { kind, qualifiers: ast::Qualifiers::default(), span: name.span },
                pattern.bindings,
            )
        };
        let first = name.segments.iter().position(|segment| depends(self, segment))?;
        let (around, members) = name.segments.split_at_checked(first + 1)?;
        let (last, between) = members.split_last()?;
        let word = |segment: &ast::Segment| match (&segment.id, &segment.arguments) {
            (Id::Word(symbol), None) => Some(Node::Word(symbol.to_string())),
            _ => None,
        };
        let around = ast::Name { segments: around.to_vec(), ..name.clone() };
        let mut prefix = match self.pattern_name(&around, pattern) {
            Node::Instance(template, arguments) => match Rc::unwrap_or_clone(template) {
                Node::Nested(mut prefix, word) => {
                    prefix.push(Node::Instance(word, arguments));
                    prefix
                }
                _ => return None,
            },
            parameter @ Node::Param(_) => vec![parameter],
            _ => return None,
        };
        for one in between {
            prefix.push(word(one)?);
        }
        Some(Node::Nested(prefix, Rc::new(word(last)?)))
    }

    fn pattern_name(&mut self, name: &ast::Name, pattern: &Pattern<'_>) -> Node {
        if let Some(member) = self.pattern_member(name, pattern) {
            return member;
        }
        if let Some(symbol) = name.simple()
            && let Some(number) = pattern.number(symbol)
        {
            return pattern.parameter(number, true);
        }
        let Some(last) = name.last() else { return Node::Code("v".into()) };
        let arguments: Vec<Node> = last
            .arguments
            .iter()
            .flat_map(|arguments| arguments.iter())
            .map(|one| match one {
                ast::TemplateArgument::Type(ty) => self.pattern_node(ty, pattern, None),
                ast::TemplateArgument::Expression(expr) => match &expr.kind {
                    ast::ExprKind::Name(name) => {
                        match name.simple().and_then(|symbol| pattern.number(symbol)) {
                            Some(number) => pattern.parameter(number, pattern.bindings.is_type(number)),
                            None => match self.trial(|this| this.template_argument(one)) {
                                Some(found) => self.argument_node(&found),
                                None => Node::Code("v".into()),
                            },
                        }
                    }
                    _ => match self.trial(|this| this.apart(|this| this.template_argument(one))) {
                        Some(found) => self.argument_node(&found),
                        None => match self.pattern_expression(expr, pattern) {
                            Some(node) => Node::Expression(Rc::new(node)),
                            None => Node::Code("v".into()),
                        },
                    },
                },
                ast::TemplateArgument::Pack(inner) => match self.pattern_pack(inner, pattern) {
                    Some(node) => Node::Pack(vec![Node::Before("Dp".into(), Rc::new(node))]),
                    None => Node::Code("v".into()),
                },
            })
            .collect();
        if let ([_], ast::Id::Word(symbol)) = (&*name.segments, &last.id)
            && let Some(number) = pattern.number(symbol)
        {
            return Node::Instance(Rc::new(pattern.parameter(number, true)), arguments);
        }
        if let Some(node) = self.pattern_alias(name, &arguments) {
            return node;
        }
        let arguments = self.packed(name, arguments);
        let word = crate::check::names::lookup::key(&last.id).unwrap_or_else(|| Symbol::from("x"));
        let prefix = self.template_scope(name).map(|scope| self.scope_nodes(scope)).unwrap_or_default();
        Node::Instance(Rc::new(Node::Nested(prefix, Rc::new(Node::Word(word.to_string())))), arguments)
    }

    /// Arguments of a class template, those of its pack as one.
    fn packed(&mut self, name: &ast::Name, mut arguments: Vec<Node>) -> Vec<Node> {
        let Some(Entity::Template(id)) = self.resolve_template_quietly(name) else { return arguments };
        let Some(at) = self.templates[id].ast.parameters.iter().position(|one| one.pack) else {
            return arguments;
        };
        if at <= arguments.len() {
            let mut pack = vec![];
            for one in arguments.split_off(at) {
                match one {
                    Node::Pack(inner) => pack.extend(inner),
                    one => pack.push(one),
                }
            }
            arguments.push(Node::Pack(pack));
        }
        arguments
    }

    /// Types of a pack as a template writes them.
    fn pattern_pack(&mut self, inner: &ast::TemplateArgument, pattern: &Pattern<'_>) -> Option<Node> {
        match inner {
            ast::TemplateArgument::Type(ty) => Some(self.pattern_node(ty, pattern, None)),
            ast::TemplateArgument::Expression(expr) => {
                let ast::ExprKind::Name(name) = &expr.kind else { return None };
                let number = pattern.number(name.simple()?)?;
                pattern.bindings.is_type(number).then(|| pattern.parameter(number, true))
            }
            ast::TemplateArgument::Pack(_) => None,
        }
    }

    /// What an alias's template means, since symbols name that.
    fn pattern_alias(&mut self, name: &ast::Name, arguments: &[Node]) -> Option<Node> {
        let Entity::Template(id) = self.resolve_template_quietly(name)? else {
            return None;
        };
        let template = &self.templates[id];
        let crate::check::names::entity::TemplateKind::Alias(alias) = &template.kind else { return None };
        let parameters = &template.ast.parameters;
        if parameters.len() != arguments.len() || parameters.iter().any(|one| one.pack) {
            return None;
        }
        let bindings = Bindings::new(parameters);
        let (alias, scope, order) = (Rc::clone(alias), template.scope, template.order);
        let pattern = Pattern { bindings: &bindings, nodes: Some(arguments) };
        Some(self.at(scope, order, |this| this.pattern_node(&alias.target, &pattern, None)))
    }

    /// An argument that is computed of parameters, where its operators are simple ones.
    fn pattern_expression(&mut self, expr: &ast::Expr, pattern: &Pattern<'_>) -> Option<Node> {
        match &expr.kind {
            ast::ExprKind::Parentheses(inner) => self.pattern_expression(inner, pattern),
            ast::ExprKind::Name(name) => {
                let number = pattern.number(name.simple()?)?;
                Some(pattern.parameter(number, true))
            }
            ast::ExprKind::Integer { .. } => {
                let (ty, value) = self.trial(|this| this.apart(|this| this.constant_integer(expr)))?;
                Some(self.argument_node(&Argument::Value(ty, value)))
            }
            ast::ExprKind::Binary { operator, left, right, .. } => {
                let code = operator_code(OverloadedOperator::Symbol(operator.text()), false);
                if code == UNKNOWN_OPERATOR {
                    return None;
                }
                let left = self.pattern_expression(left, pattern)?;
                let right = self.pattern_expression(right, pattern)?;
                Some(Node::Binary(code, Rc::new(left), Rc::new(right)))
            }
            _ => None,
        }
    }

    fn template_scope(&mut self, name: &ast::Name) -> Option<ScopeId> {
        match self.resolve_template_quietly(name)? {
            Entity::Template(id) => Some(self.templates[id].scope),
            _ => None,
        }
    }

    /// Symbol of a variable of a namespace or class.
    pub(crate) fn variable_symbol(&mut self, one: &GlobalDecl, name: &str) -> String {
        let prefix = self.scope_nodes(one.scope);
        if (prefix.is_empty() && one.arguments.is_empty()) || one.ast.specifiers.extern_c {
            return name.to_owned();
        }
        let mut node = Node::Nested(prefix, Rc::new(Node::Word(name.to_owned())));
        if !one.arguments.is_empty() {
            let arguments = one.arguments.iter().map(|one| self.argument_node(one)).collect();
            node = Node::Instance(Rc::new(node), arguments);
        }
        node.symbol()
    }
}

fn is_pack(parameter: &ast::Parameter) -> bool {
    matches!(parameter.ty.kind, ast::TypeKind::Pack(_))
}
