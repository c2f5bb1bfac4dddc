//! Types and functions as messages show them.
//!
//! Enters: types. Leaves: texts in C++'s notation. This module must never know how messages are reported.

use crate::hir::{Integer, Type, TypeKind};

use crate::check::Checker;
use crate::check::context::declarations::Declarations;
use crate::check::context::output::Output;
use crate::check::context::scopes::Scopes;
use crate::check::names::entity::{Argument, DeclId, Signature};

/// Name of an integer type.
pub(crate) fn integer_name(integer: Integer) -> &'static str {
    match integer {
        Integer::Char => "char",
        Integer::SChar => "signed char",
        Integer::UChar => "unsigned char",
        Integer::Short => "short",
        Integer::UShort => "unsigned short",
        Integer::Int => "int",
        Integer::UInt => "unsigned int",
        Integer::Long => "long",
        Integer::ULong => "unsigned long",
        Integer::LongLong => "long long",
        Integer::ULongLong => "unsigned long long",
    }
}

impl Output {
    /// The type in C++'s notation.
    pub(crate) fn show(&self, ty: Type) -> String {
        self.declare_as(ty, String::new())
    }

    /// A declarator of the type around a text.
    fn declare_as(&self, ty: Type, inner: String) -> String {
        let qualifiers = match (ty.constant, ty.volatile) {
            (false, false) => "",
            (true, false) => "const ",
            (false, true) => "volatile ",
            (true, true) => "const volatile ",
        };
        let simple = |name: &str| match inner.is_empty() {
            true => format!("{qualifiers}{name}"),
            false if inner.starts_with('[') => format!("{qualifiers}{name}{inner}"),
            false => format!("{qualifiers}{name} {inner}"),
        };
        let array = |of: Type, bound: String| {
            let inner = if inner.starts_with(['*', '&']) { format!("({inner})") } else { inner.clone() };
            self.declare_as(of, format!("{inner}{bound}"))
        };
        match self.kind_of(ty) {
            TypeKind::Void => simple("void"),
            TypeKind::Bool => simple("bool"),
            TypeKind::Integer(integer) => simple(integer_name(*integer)),
            TypeKind::Float => simple("float"),
            TypeKind::Double => simple("double"),
            TypeKind::NullPointer => simple("nullptr_t"),
            TypeKind::Pointer(to) => {
                let own = if ty.constant && inner.is_empty() {
                    "*const"
                } else if ty.constant {
                    "*const "
                } else {
                    "*"
                };
                self.declare_as(*to, format!("{own}{inner}"))
            }
            TypeKind::Reference { to, rvalue } => {
                self.declare_as(*to, format!("{}{inner}", if *rvalue { "&&" } else { "&" }))
            }
            TypeKind::Array(of, length) => array(*of, format!("[{length}]")),
            TypeKind::UnknownArray(of) => array(*of, "[]".to_owned()),
            TypeKind::Record(id) => simple(&self[*id].name),
            TypeKind::Enum(id) => simple(&self[*id].name),
            TypeKind::Member { class, of, constant } => {
                let end = if *constant { " const" } else { "" };
                let inner = if inner.is_empty() { String::new() } else { format!(" {inner}") };
                format!("{}{end}", self.declare_as(*of, format!("{}::*{inner}", self[*class].name)))
            }
            TypeKind::Function(result, params) => {
                let params: Vec<_> = params.iter().map(|param| self.show(*param)).collect();
                let inner = if inner.is_empty() { inner } else { format!("({inner})") };
                self.declare_as(*result, format!("{inner}({})", params.join(", ")))
            }
        }
    }
}

impl Declarations {
    /// A function's name and parameters.
    pub(crate) fn show_function(
        &self,
        decl: DeclId,
        signature: Option<&Signature>,
        scopes: &Scopes,
        program: &Output,
    ) -> String {
        let name = self.decl_name(decl, scopes, program);
        let Some(signature) = signature else { return name };
        let mut params: Vec<_> = signature.params.iter().map(|param| program.show(*param)).collect();
        if signature.variadic {
            params.push("...".to_owned());
        }
        format!("{name}({})", params.join(", "))
    }

    /// A function's name with those of its class and namespaces.
    pub(crate) fn decl_name(&self, decl: DeclId, scopes: &Scopes, program: &Output) -> String {
        let one = &self[decl];
        let name =
            scopes.qualified_name(one.scope, &crate::check::names::lookup::spelled(&one.ast.name), program);
        match one.closure {
            Some(_) => "lambda".to_owned(),
            None => name,
        }
    }
}

impl Checker<'_> {
    /// A template's arguments with their angles.
    pub(crate) fn show_arguments(&self, arguments: &[Argument]) -> String {
        let mut all = vec![];
        self.list_arguments(arguments, &mut all);
        format!("<{}>", all.join(", "))
    }

    fn list_arguments(&self, arguments: &[Argument], all: &mut Vec<String>) {
        for argument in arguments {
            match argument {
                Argument::Type(ty) => all.push(self.program.show(*ty)),
                Argument::Value(ty, value) if self.program.is_bool(*ty) => {
                    all.push((*value != 0).to_string())
                }
                Argument::Value(ty, value) if self.program.enum_of(*ty).is_some() => {
                    all.push(format!("({}){value}", self.program.show(*ty)));
                }
                Argument::Value(_, value) => all.push(value.to_string()),
                Argument::Functions(decls, _) => {
                    all.push(decls.first().map_or_else(String::new, |decl| {
                        self.declarations.decl_name(*decl, &self.scopes, &self.program)
                    }));
                }
                Argument::Template(id) => {
                    let one = &self.templates[*id];
                    all.push(self.scopes.qualified_name(one.scope, &one.name, &self.program));
                }
                Argument::Pack(arguments) => self.list_arguments(arguments, all),
            }
        }
    }
}
