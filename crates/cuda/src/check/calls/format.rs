//! Formats of `printf` and `scanf`, in kernels and on the host.
//!
//! Enters: a format that is a literal, and the arguments after it. Leaves: warnings where a conversion and its argument do not fit: where
//! their sizes or kinds differ, and not their signs. This module must never know how a call is made.

use crate::ast;
use crate::check::Checker;
use crate::check::context::messages::Messages;
use crate::check::context::output::Output;
use crate::check::expressions::operand::Operand;
use crate::check::initialisation::initialise::string_of;
use crate::diagnostic::Diagnostic;
use crate::hir::{Arg, Expr, ExprKind, Integer, Type, TypeKind};
use crate::source::Span;

/// Whose format it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// `printf` of kernels, which knows less than C's.
    Kernel,
    /// C's `printf` and its relatives.
    Print,
    /// C's `scanf` and its relatives, whose arguments are addresses.
    Scan,
}

/// What a conversion of a format wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// Integer of that many bits; an address of one where it is scanned.
    Integer(u32),
    /// `double`; where it is scanned, the address of a number of that many bits.
    Floating(u32),
    /// Text.
    Text,
    /// Pointer; where it is scanned, the address of anything.
    Pointer,
}

impl Wanted {
    fn name(self, dialect: Dialect) -> &'static str {
        match (dialect, self) {
            (Dialect::Scan, Wanted::Integer(64)) => "the address of an integer of 64 bits",
            (Dialect::Scan, Wanted::Integer(16)) => "the address of a `short`",
            (Dialect::Scan, Wanted::Integer(8)) => "the address of a `char`",
            (Dialect::Scan, Wanted::Integer(_)) => "the address of an `int`",
            (Dialect::Scan, Wanted::Floating(64)) => "the address of a `double`",
            (Dialect::Scan, Wanted::Floating(32)) => "the address of a `float`",
            (Dialect::Scan, Wanted::Floating(_)) => "the address of a `long double`",
            (Dialect::Scan, Wanted::Text) => "an array of `char`",
            (Dialect::Scan, Wanted::Pointer) => "an address",
            (_, Wanted::Integer(64)) => "an integer of 64 bits",
            (_, Wanted::Integer(_)) => "an `int`",
            (_, Wanted::Floating(_)) => "a `float` or `double`",
            (_, Wanted::Text) => "a string (`const char *`)",
            (_, Wanted::Pointer) => "a pointer",
        }
    }
}

/// A conversion, as written, with what it wants.
struct Conversion {
    spelled: String,
    wanted: Wanted,
}

/// What is wrong with a format itself.
enum Wrong {
    /// No conversion is written like this.
    Invalid,
    /// C knows it, and kernels print it unchanged: what was written, and what to write.
    NotInKernels(String, &'static str),
    /// This check does not know what it means.
    Unknown,
}

/// Reads a format.
struct Reader<'f> {
    format: &'f [u8],
    at: usize,
    dialect: Dialect,
    all: Vec<Conversion>,
}

impl Reader<'_> {
    fn next_is(&self, bytes: &[u8]) -> bool {
        self.format.get(self.at).is_some_and(|byte| bytes.contains(byte))
    }

    fn skip(&mut self, bytes: &[u8]) -> usize {
        let start = self.at;
        while self.next_is(bytes) {
            self.at += 1;
        }
        self.at - start
    }

    /// A width or a precision; says whether an argument gives it.
    fn number(&mut self) -> bool {
        let given = self.next_is(b"*");
        if given {
            self.at += 1;
            self.all.push(Conversion { spelled: "*".to_owned(), wanted: Wanted::Integer(32) });
        }
        self.skip(b"0123456789");
        given
    }

    fn read(mut self) -> Result<Vec<Conversion>, Wrong> {
        while self.at < self.format.len() {
            self.at += 1;
            if self.format[self.at - 1] == b'%' {
                if self.next_is(b"%") {
                    self.at += 1;
                } else {
                    self.conversion(self.at - 1)?;
                }
            }
        }
        Ok(self.all)
    }

    /// A conversion that begins there.
    fn conversion(&mut self, start: usize) -> Result<(), Wrong> {
        let mut kept = true;
        let mut given = false;
        if self.dialect == Dialect::Scan {
            kept = self.skip(b"*") == 0;
            self.skip(b"0123456789");
        } else {
            self.skip(b"-+ #0'");
            self.number();
            if self.next_is(b".") {
                self.at += 1;
                given = self.number();
            }
        }
        // The place of an argument.
        if self.next_is(b"$") {
            return Err(Wrong::Unknown);
        }
        let length = self.at;
        self.skip(b"hljztLq");
        let length = std::str::from_utf8(&self.format[length..self.at]).unwrap_or("");
        let Some(letter) = self.format.get(self.at).copied() else { return Err(Wrong::Invalid) };
        self.at += 1;
        let wanted = self.wanted(letter, length)?;
        let spelled = String::from_utf8_lossy(&self.format[start..self.at]).into_owned();
        if self.dialect == Dialect::Kernel {
            let better = match wanted {
                Some(Wanted::Integer(64)) if !matches!(length, "l" | "ll") => match letter {
                    b'd' | b'i' => "write `%lld`, and cast the value to `long long`",
                    b'x' | b'X' => "write `%llx`, and cast the value to `unsigned long long`",
                    _ => "write `%llu`, and cast the value to `unsigned long long`",
                },
                Some(Wanted::Floating(_)) if length == "L" => "write `%f`: kernels have no `long double`",
                _ if given => "write the precision as a number, as in `%.3f`",
                _ => "",
            };
            if !better.is_empty() {
                return Err(Wrong::NotInKernels(spelled, better));
            }
        }
        self.all.extend(wanted.filter(|_| kept).map(|wanted| Conversion { spelled, wanted }));
        Ok(())
    }

    /// What a letter wants after a length; `None` for one that takes no argument.
    fn wanted(&mut self, letter: u8, length: &str) -> Result<Option<Wanted>, Wrong> {
        let scan = self.dialect == Dialect::Scan;
        let c = self.dialect != Dialect::Kernel;
        let bits = match length {
            "l" | "ll" | "j" | "z" | "t" | "L" | "q" => 64,
            "h" if scan => 16,
            "hh" if scan => 8,
            "" | "h" | "hh" => 32,
            _ => return Err(Wrong::Invalid),
        };
        Ok(Some(match letter {
            b'd' | b'i' | b'o' | b'u' | b'x' | b'X' => Wanted::Integer(bits),
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => Wanted::Floating(match length {
                "L" => 128,
                "l" => 64,
                _ => 32,
            }),
            b'c' | b's' if c && length == "l" => Wanted::Pointer,
            b'c' if scan => Wanted::Text,
            b'c' => Wanted::Integer(32),
            b's' => Wanted::Text,
            b'p' => Wanted::Pointer,
            b'n' if c => Wanted::Pointer,
            b'm' if c && !scan => return Ok(None),
            b'[' if scan => {
                // `]` is one of the set where it comes first.
                self.skip(b"^");
                self.at += usize::from(self.next_is(b"]"));
                let rest = &self.format[self.at.min(self.format.len())..];
                let Some(end) = rest.iter().position(|byte| *byte == b']') else {
                    return Err(Wrong::Invalid);
                };
                self.at += end + 1;
                Wanted::Text
            }
            b'C' | b'S' if c => return Err(Wrong::Unknown),
            _ => return Err(Wrong::Invalid),
        }))
    }
}

impl Output {
    fn fits_format(&self, dialect: Dialect, wanted: Wanted, ty: Type) -> bool {
        let to = self.pointee(ty);
        if dialect == Dialect::Scan {
            let Some(to) = to else { return false };
            return match wanted {
                Wanted::Integer(bits) => self.width(to).is_some_and(|(own, _)| own.max(8) == bits),
                Wanted::Floating(128) => true,
                Wanted::Floating(32) => self.kind(to) == TypeKind::Float,
                Wanted::Floating(_) => self.kind(to) == TypeKind::Double,
                Wanted::Text => self.width(to).is_some_and(|(own, _)| own == 8),
                Wanted::Pointer => true,
            };
        }
        match wanted {
            Wanted::Integer(bits) => self.width(ty).is_some_and(|(own, _)| own.max(32) == bits),
            Wanted::Floating(_) => self.is_floating(ty),
            Wanted::Text => to.is_some_and(|to| self.width(to).is_some_and(|(own, _)| own == 8)),
            // A wide character is no pointer, and `%lc` is not looked at.
            Wanted::Pointer => {
                to.is_some()
                    || self.is_null_type(ty)
                    || dialect == Dialect::Print && self.width(ty) == Some((32, true))
            }
        }
    }

    fn format_for(&self, dialect: Dialect, ty: Type) -> Option<&'static str> {
        let integer = self.pointee(ty).filter(|_| dialect == Dialect::Scan).unwrap_or(ty);
        match self.kind(integer) {
            TypeKind::Integer(Integer::LongLong) => return Some("%lld"),
            TypeKind::Integer(Integer::ULongLong) => return Some("%llu"),
            _ => {}
        }
        if dialect == Dialect::Scan {
            let to = self.pointee(ty)?;
            return Some(match self.kind(to) {
                TypeKind::Float => "%f",
                TypeKind::Double => "%lf",
                _ => match self.width(to)? {
                    (64, true) => "%ld",
                    (64, false) => "%lu",
                    (32, true) => "%d",
                    (32, false) => "%u",
                    _ => return None,
                },
            });
        }
        if self.is_floating(ty) {
            return Some("%f");
        }
        if self.pointee(ty).is_some() {
            return Some("%p");
        }
        Some(match self.width(ty)? {
            (64, true) if dialect == Dialect::Print => "%ld",
            (64, false) if dialect == Dialect::Print => "%lu",
            (64, true) => "%lld",
            (64, false) => "%llu",
            (_, true) => "%d",
            (_, false) => "%u",
        })
    }
}

impl Messages<'_> {
    pub(crate) fn check_format(
        &mut self,
        dialect: Dialect,
        format: &[u8],
        values: &[&Expr],
        span: Span,
        program: &Output,
    ) {
        let all = match (Reader { format, at: 0, dialect, all: vec![] }).read() {
            Ok(all) => all,
            Err(Wrong::Unknown) => return,
            Err(Wrong::Invalid) => {
                let text = "invalid conversion after `%` in the format; write `%%` for a percent sign";
                return self.report(Diagnostic::warning("format", span, text));
            }
            Err(Wrong::NotInKernels(spelled, better)) => {
                let text = format!("`printf` in a kernel does not know `{spelled}`, and prints it unchanged");
                return self.report(Diagnostic::warning("format", span, text).help(better));
            }
        };
        if all.len() != values.len() {
            let (wants, given) = (all.len(), values.len());
            let text = format!(
                "the format expects {wants} {}{}, but {given} {} given",
                if dialect == Dialect::Scan { "address" } else { "value" },
                match (dialect, wants) {
                    (_, 1) => "",
                    (Dialect::Scan, _) => "es",
                    _ => "s",
                },
                if given == 1 { "is" } else { "are" }
            );
            self.report(Diagnostic::warning("format", span, text));
        }
        for (Conversion { spelled, wanted }, value) in all.iter().zip(values) {
            if program.fits_format(dialect, *wanted, value.ty) {
                continue;
            }
            let (wanted, shown) = (wanted.name(dialect), program.show(value.ty));
            let text = format!("format `{spelled}` expects {wanted}, but the argument has type `{shown}`");
            let mut diagnostic = Diagnostic::warning("format", value.span, text);
            if dialect == Dialect::Scan && program.pointee(value.ty).is_none() {
                diagnostic = diagnostic.help("write `&` before the variable");
            } else if let Some(better) = program.format_for(dialect, value.ty) {
                diagnostic = diagnostic.help(format!("write `{better}`"));
            }
            self.report(diagnostic);
        }
    }
}

impl Checker<'_> {
    /// Looks at a call of the host: where it prints or scans by a format that is a literal, whether its arguments fit.
    pub(crate) fn check_host_format(&mut self, name: &ast::Name, arguments: &[ast::Expr], call: &Operand) {
        let Some(ast::Id::Word(symbol)) = name.last().map(|segment| &segment.id) else { return };
        let (dialect, at) = match &**symbol {
            "printf" => (Dialect::Print, 0),
            "fprintf" | "sprintf" | "dprintf" => (Dialect::Print, 1),
            "snprintf" => (Dialect::Print, 2),
            "scanf" => (Dialect::Scan, 0),
            "fscanf" | "sscanf" => (Dialect::Scan, 1),
            _ => return,
        };
        let Some(format) = arguments.get(at) else { return };
        let (Some(text), Operand::Value(Expr { kind: ExprKind::Call(_, all), .. })) =
            (string_of(format), call)
        else {
            return;
        };
        let values = all.iter().skip(at + 1).map(|arg| match arg {
            Arg::Value(value) => Some(value),
            Arg::Init(_) => None,
        });
        if let Some(values) = values.collect::<Option<Vec<&Expr>>>() {
            self.messages.check_format(dialect, &text, &values, format.span, &self.program);
        }
    }
}
