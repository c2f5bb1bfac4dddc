//! Modules: directives, variables and functions, by recursive descent with one token ahead.

use crate::ast::{Module, Statement};
use crate::cursor::{Cursor, Result};
use crate::error::{Error, Position};
use crate::function::SPACES;
use crate::lexer::{Is, Lexer, line_starts};
use std::ops::Range;

/// Text longer than this is refused, so that offsets fit 32 bits.
const LONGEST: usize = u32::MAX as usize / 2;

/// Reads a PTX module.
///
/// # Errors
/// The first place at which the text is not PTX.
pub fn parse(text: &str) -> Result<Module<'_>> {
    parse_without(text, &[])
}

/// Reads a PTX module as [`parse`] does, with functions whose bodies are empty: those with these [`Function::span`]s, which
/// are of the same text and in its order. This takes the time of the rest.
///
/// [`Function::span`]: crate::Function::span
///
/// # Errors
/// The first place at which the rest is not PTX.
pub fn parse_without<'a>(text: &'a str, left_out: &[Range<u32>]) -> Result<Module<'a>> {
    read(text, left_out, |_| true)
}

/// Reads a PTX module as [`parse`] does, with bodies in which only those statements are that `keep` says, and scopes. All is
/// checked; but what is not kept takes no memory, and most of a module's time is that of its memory.
///
/// # Errors
/// The first place at which the text is not PTX.
pub fn parse_some(text: &str, keep: fn(&Statement<'_>) -> bool) -> Result<Module<'_>> {
    read(text, &[], keep)
}

fn read<'a>(text: &'a str, left_out: &[Range<u32>], keep: fn(&Statement<'_>) -> bool) -> Result<Module<'a>> {
    if text.len() > LONGEST {
        return Err(Error {
            place: Position { line: 1, column: 1 },
            message: format!("longer than {LONGEST} bytes"),
        });
    }
    let line_starts = line_starts(text);
    let module = Module {
        version: (0, 0),
        target: vec![],
        address_size: 32,
        files: vec![],
        variables: vec![],
        functions: vec![],
        line_starts: vec![],
    };
    let mut cursor = Cursor::new(Lexer::new(text, &line_starts, left_out), &line_starts, keep);
    let parsed = cursor.module(module);
    let mut module = cursor.first_error(parsed)?;
    module.line_starts = line_starts;
    Ok(module)
}

const LINKAGES: [&str; 4] = ["visible", "extern", "weak", "common"];

impl<'a> Cursor<'a, '_> {
    fn module(&mut self, mut module: Module<'a>) -> Result<Module<'a>> {
        if !self.if_dot("version") {
            return self.expected("`.version`, with which every PTX module begins");
        }
        // `8.8` reads as a decimal number; its digits are what counts.
        module.version = match self.take() {
            Is::F64(bits) => {
                let tenths = (f64::from_bits(bits) * 10.0).round() as u32;
                (tenths / 10, tenths % 10)
            }
            Is::Integer(major) => (u32::try_from(major).unwrap_or(u32::MAX), 0),
            _ => return self.expected("a version such as `8.8`"),
        };
        loop {
            let at = self.at();
            match self.peek() {
                Is::End => return Ok(module),
                Is::Dot("target") => {
                    self.take();
                    module.target.push(self.word("a target such as `sm_52`")?);
                    while self.if_mark(b',') {
                        module.target.push(self.word("a target's option")?);
                    }
                }
                Is::Dot("address_size") => {
                    self.take();
                    module.address_size = self.small("an address size")?;
                }
                Is::Dot("file") => {
                    self.take();
                    let index = self.small("a file's index")?;
                    let Is::Text(name) = self.take() else {
                        return self.fail_at(at, "`.file` needs a name in quotes");
                    };
                    while self.if_mark(b',') {
                        self.integer("a time or size")?;
                    }
                    module.files.push((index, name));
                }
                Is::Dot("section") => self.section()?,
                Is::Dot("alias" | "pragma") => {
                    self.take();
                    self.words_to_semicolon()?;
                }
                Is::Dot(word) => {
                    let linkage = LINKAGES.contains(&word).then_some(word);
                    if linkage.is_some() {
                        self.take();
                    }
                    match self.peek() {
                        Is::Dot(word @ ("entry" | "func")) => {
                            self.take();
                            module.functions.push(self.function(linkage, word == "entry")?);
                        }
                        Is::Dot(word) if SPACES.contains(&word) => {
                            let mut variables = vec![];
                            self.variables(linkage, &mut variables)?;
                            module.variables.extend(variables);
                        }
                        _ => return self.expected("a variable, `.entry` or `.func`"),
                    }
                }
                _ => return self.expected("a directive"),
            }
        }
    }

    /// `.section .debug_… { … }`, which nothing here reads.
    fn section(&mut self) -> Result<()> {
        let at = self.at();
        self.take();
        match self.take() {
            Is::Dot(_) | Is::Word(_) => {}
            _ => return self.fail_at(at, "a section has a name"),
        }
        if !matches!(self.peek(), Is::Mark(b'{')) {
            return self.expected("`{`");
        }
        if !self.skip_braces() {
            return self.fail_at(at, "unterminated section");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::*;

    fn body<'a>(text: &'a str) -> Vec<Statement<'a>> {
        parse(text).unwrap().functions.pop().unwrap().body.unwrap()
    }

    fn instruction(text: &str) -> String {
        let text = format!(".version 8.8\n.target sm_52\n.entry k() {{\n{text}\n}}");
        match &body(&text)[..] {
            [Statement::Instruction(i)] => {
                format!("{} {:?} {:?}", i.mnemonic(), i.guard.map(|g| (g.negated, g.register)), i.operands)
            }
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn a_module_has_version_target_variables_and_kernels() {
        let module = parse(concat!(
            ".version 8.8\n.target sm_52, debug\n.address_size 64\n.file 1 \"a.cu\"\n",
            ".const .align 4 .b8 coef[20];\n.visible .global .u32 n = 7, m;\n",
            ".visible .entry k(.param .u64 p0, .param .align 8 .b8 p1[24]) .maxntid 256, 1, 1 { ret; }\n",
            ".section .debug_str { info: .b8 95,90 }\n",
        ))
        .unwrap();
        assert_eq!((module.version, module.address_size), ((8, 8), 64));
        assert_eq!(module.target, ["sm_52", "debug"]);
        assert_eq!(module.file(1), Some("a.cu"));
        let names: Vec<_> =
            module.variables.iter().map(|v| (v.space, v.ty, v.name, v.dimensions.clone())).collect();
        assert_eq!(
            names,
            [
                ("const", "b8", "coef", vec![Some(20)]),
                ("global", "u32", "n", vec![]),
                ("global", "u32", "m", vec![])
            ]
        );
        let kernel = &module.functions[0];
        assert_eq!((kernel.name, kernel.is_kernel, kernel.parameters.len()), ("k", true, 2));
        assert_eq!(kernel.directives, [("maxntid", vec![256, 1, 1])]);
        assert_eq!(module.place(kernel.at), Position { line: 7, column: 17 });
    }

    #[test]
    fn operands_take_every_form() {
        assert_eq!(
            instruction("@!%p1 ld.global.v2.f32 {%f1, _}, [%rd1+-16];"),
            "ld.global.v2.f32 Some((true, \"%p1\")) [Vector([Name(\"%f1\", None), Name(\"_\", None)]), \
             Address { base: Some(\"%rd1\"), offset: -16 }]"
        );
        assert_eq!(
            instruction("mov.u32 %r1, %tid.x;"),
            "mov.u32 None [Name(\"%r1\", None), Name(\"%tid\", Some(\"x\"))]"
        );
        assert_eq!(
            instruction("setp.lt.s32 %p|%q, -1, 0f3F800000;"),
            "setp.lt.s32 None [Pair(\"%p\", \"%q\"), Integer(18446744073709551615), F32(1065353216)]"
        );
        assert_eq!(
            instruction("call.uni (r), f, (a, b);"),
            "call.uni None [List([Name(\"r\", None)]), Name(\"f\", None), List([Name(\"a\", None), Name(\"b\", None)])]"
        );
        assert_eq!(instruction("ret;"), "ret None []");
    }

    #[test]
    fn bodies_hold_labels_registers_scopes_and_source_lines() {
        let text = ".version 8.8\n.entry k() {\n.reg .b32 %r<3>;\n.reg .pred p;\n.loc 1 5 2, function_name \
                    $L__info_string0, inlined_at 1 30 5\nL: { bra L; }\n.pragma \"nounroll\";\n}";
        let body = body(text);
        assert!(
            matches!(&body[1], Statement::Variable(v) if (v.space, v.ty, v.name) == ("reg", "pred", "p"))
        );
        assert!(matches!(
            &body[..],
            [
                Statement::Registers { ty: "b32", prefix: "%r", count: 3, .. },
                Statement::Variable(_),
                Statement::Loc { file: 1, line: 5, column: 2, inlined_at: Some((1, 30, 5)) },
                Statement::Label(_, "L"),
                Statement::Block(_),
                Statement::Directive { name: "pragma", .. },
            ]
        ));
    }

    #[test]
    fn errors_say_where_and_what_was_expected() {
        for (text, message) in [
            ("", "1:1: expected `.version`, with which every PTX module begins, found the end of the text"),
            (".version 8.8\n.entry k() {\n  add.s32 %r1 %r2;\n}", "3:15: expected `,` or `;`, found `%r2`"),
            (
                ".version 8.8\n.entry k() {",
                "2:13: expected an instruction, a label, a directive or `}`, found the end of the text",
            ),
            (
                ".version 8.8\n.const .align 3 .b8 x;",
                "2:15: the alignment 3 is not a power of two up to 2^20",
            ),
            (
                ".version 8.8\n.entry k() { .reg .b32 %r<99999999999>; }",
                "2:24: 99999999999 registers are more than 1048576",
            ),
            (".version 8.8\nfoo", "2:1: expected a directive, found `foo`"),
        ] {
            assert_eq!(parse(text).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn statements_that_are_not_kept_are_checked_all_the_same() {
        let text = ".version 8.8\n.entry k() {\n.loc 1 2 3\nmov.u32 %r1, x;\n{ L: ret; }\n}";
        let kept = parse_some(text, |statement| matches!(statement, Statement::Instruction(_))).unwrap();
        let body = kept.functions[0].body.as_deref().unwrap();
        assert!(
            matches!(body, [Statement::Instruction(i), Statement::Block(inner)] if i.opcode == "mov" && inner.len() == 1),
            "{body:?}"
        );
        let wrong = text.replace("%r1, x", "%r1 x");
        assert_eq!(parse_some(&wrong, |_| false), parse(&wrong));
    }

    #[test]
    fn bodies_that_are_left_out_are_empty_and_the_rest_keeps_its_places() {
        let text = ".version 8.8\n.func f() { ret; }\n.func g();\n.entry k() {\n{ bra L; }\nL: ret; }\n.const .u32 c;";
        let whole = parse(text).unwrap();
        let spans: Vec<_> = whole.functions.iter().map(|f| f.span.clone()).collect();
        let words = |span: &Option<Range<u32>>| {
            span.as_ref().map(|span| &text[span.start as usize..span.end as usize])
        };
        assert_eq!(
            spans.iter().map(words).collect::<Vec<_>>(),
            [Some("{ ret; }"), None, Some("{\n{ bra L; }\nL: ret; }")]
        );
        let rest = parse_without(text, &[spans[2].clone().unwrap()]).unwrap();
        assert_eq!(rest.functions[0], whole.functions[0]);
        assert_eq!((&rest.functions[2].body, &rest.functions[2].span), (&Some(vec![]), &spans[2]));
        assert_eq!(rest.variables, whole.variables);
    }

    #[test]
    fn deep_nesting_is_refused_before_the_stack_ends() {
        let text = format!(".version 8.8\n.entry k() {}", "{".repeat(100_000));
        assert!(parse(&text).unwrap_err().message.contains("nested deeper"));
    }
}
