//! Functions: what they declare, and the statements of their bodies.

use crate::ast::{At, Function, Guard, Instruction, Operand, Statement, Variable};
use crate::constant;
use crate::cursor::{Cursor, Result};
use crate::lexer::Is;

/// Maximum nesting of scopes: more than any compiler writes, few enough for any stack.
const DEPTH: u32 = 64;
/// Maximum number of registers of one `.reg`: enough for any kernel, few enough to hold.
const REGISTERS: u64 = 1 << 20;

/// State spaces, with which declarations of variables begin.
pub(crate) const SPACES: [&str; 9] =
    ["reg", "const", "global", "shared", "local", "param", "tex", "samplerref", "surfref"];

impl<'a> Cursor<'a, '_> {
    pub(crate) fn function(&mut self, linkage: Option<&'a str>, is_kernel: bool) -> Result<Function<'a>> {
        while self.peek() == Is::Dot("attribute") {
            self.attribute()?;
        }
        let returns = if self.peek() == Is::Mark(b'(') { self.parameters()? } else { vec![] };
        let at = self.at();
        let name = self.word("a function's name")?;
        let parameters = if self.peek() == Is::Mark(b'(') { self.parameters()? } else { vec![] };
        let mut directives = vec![];
        while let Is::Dot(directive) = self.peek() {
            self.take();
            let mut numbers = vec![];
            // `.pragma "…", "…";` has texts and an end of its own.
            if let Is::Text(_) = self.peek() {
                self.words_to_semicolon()?;
            }
            while let Is::Integer(_) | Is::Unsigned(_) = self.peek() {
                numbers.push(self.integer("a number")?);
                if !self.if_mark(b',') {
                    break;
                }
            }
            directives.push((directive, numbers));
        }
        let (body, span) = if self.if_mark(b';') {
            (None, None)
        } else {
            let start = self.at().0;
            self.mark(b'{')?;
            let mut body = vec![];
            self.block(&mut body, 1)?;
            (Some(body), Some(start..self.end_of_mark()))
        };
        Ok(Function { at, linkage, is_kernel, name, returns, parameters, directives, body, span })
    }

    /// Enters a statement that is needed.
    fn enter(&self, statement: Statement<'a>, into: &mut Vec<Statement<'a>>) {
        if (self.keep)(&statement) {
            into.push(statement);
        }
    }

    /// Statements up to and with `}`.
    fn block(&mut self, into: &mut Vec<Statement<'a>>, depth: u32) -> Result<()> {
        if depth > DEPTH {
            return self.fail(format!("scopes are nested deeper than {DEPTH}"));
        }
        loop {
            let at = self.at();
            match self.peek() {
                Is::Mark(b'}') => {
                    self.take();
                    return Ok(());
                }
                Is::Mark(b'{') => {
                    self.take();
                    let mut inner = vec![];
                    self.block(&mut inner, depth + 1)?;
                    into.push(Statement::Block(inner));
                }
                Is::Mark(b';') => {
                    self.take();
                }
                Is::Word(label) if self.peek_second() == Is::Mark(b':') => {
                    let statement = self.labelled(at, label)?;
                    self.enter(statement, into);
                }
                Is::Dot("reg") => self.registers(into)?,
                Is::Dot("loc") => {
                    let statement = self.loc()?;
                    self.enter(statement, into);
                }
                Is::Dot(space) if SPACES.contains(&space) => {
                    let mut variables = vec![];
                    self.variables(None, &mut variables)?;
                    into.extend(
                        variables.into_iter().map(|variable| Statement::Variable(Box::new(variable))),
                    );
                }
                Is::Dot(name) => {
                    self.take();
                    let words = self.words_to_semicolon()?;
                    self.enter(Statement::Directive { at, label: None, name, words }, into);
                }
                Is::Word(_) | Is::Mark(b'@') => {
                    let statement = Statement::Instruction(self.instruction()?);
                    self.enter(statement, into);
                }
                _ => return self.expected("an instruction, a label, a directive or `}`"),
            }
        }
    }

    /// A label, or the directive that it names.
    fn labelled(&mut self, at: At, label: &'a str) -> Result<Statement<'a>> {
        self.take();
        self.take();
        match self.peek() {
            Is::Dot("callprototype") => {
                self.take();
                let prototype = self.function(None, false)?;
                if prototype.body.is_some() {
                    return self.fail_at(at, "a prototype has no body");
                }
                Ok(Statement::Prototype(label, Box::new(prototype)))
            }
            Is::Dot(name @ ("branchtargets" | "calltargets")) => {
                self.take();
                let words = self.words_to_semicolon()?;
                Ok(Statement::Directive { at, label: Some(label), name, words })
            }
            _ => Ok(Statement::Label(at, label)),
        }
    }

    pub(crate) fn words_to_semicolon(&mut self) -> Result<Vec<&'a str>> {
        let mut words = vec![];
        loop {
            match self.peek() {
                Is::Mark(b';') => break,
                Is::Word(word) | Is::Text(word) | Is::Dot(word) => words.push(word),
                // Anyone who forgot the `;` learns it here, not at the end of the text.
                Is::End | Is::Mark(b'{' | b'}') => return self.expected("`;`"),
                _ => {}
            }
            self.take();
        }
        self.take();
        Ok(words)
    }

    fn registers(&mut self, into: &mut Vec<Statement<'a>>) -> Result<()> {
        self.take();
        let mut vector = 1;
        let ty = loop {
            match self.any_dot("a type")? {
                "v2" => vector = 2,
                "v4" => vector = 4,
                ty => break ty,
            }
        };
        loop {
            let at = self.at();
            let name = self.word("a register's name")?;
            if self.if_mark(b'<') {
                // Not a whole expression: `>` ends it.
                let count = constant::sum(self)?;
                if count > REGISTERS {
                    return self.fail_at(at, format!("{count} registers are more than {REGISTERS}"));
                }
                self.mark(b'>')?;
                into.push(Statement::Registers { at, vector, ty, prefix: name, count: count as u32 });
            } else {
                into.push(Statement::Variable(Box::new(Variable {
                    at,
                    linkage: None,
                    space: "reg",
                    align: None,
                    vector,
                    ty,
                    pointer: false,
                    name,
                    dimensions: vec![],
                    initialiser: None,
                })));
            }
            if !self.if_mark(b',') {
                return self.mark(b';');
            }
        }
    }

    fn loc(&mut self) -> Result<Statement<'a>> {
        self.take();
        let file = self.small("a file's index")?;
        let line = self.small("a line")?;
        let column = self.small("a column")?;
        // `, function_name $L__info_string0 + 4, inlined_at 1 30 5`
        let mut inlined_at = None;
        while self.if_mark(b',') {
            if self.word("`function_name` or `inlined_at`")? == "inlined_at" {
                inlined_at =
                    Some((self.small("a file's index")?, self.small("a line")?, self.small("a column")?));
                continue;
            }
            match self.take() {
                Is::Word(_) | Is::Dot(_) | Is::Integer(_) => {}
                _ => return self.expected("a label"),
            }
            if self.if_mark(b'+') {
                self.integer("an offset")?;
            }
        }
        Ok(Statement::Loc { file, line, column, inlined_at })
    }

    fn instruction(&mut self) -> Result<Instruction<'a>> {
        let at = self.at();
        let guard = if self.if_mark(b'@') {
            let negated = self.if_mark(b'!');
            Some(Guard { negated, register: self.word("a predicate register")? })
        } else {
            None
        };
        let opcode = self.word("an instruction")?;
        let mut modifiers = vec![];
        while let Is::Dot(modifier) = self.peek() {
            self.take();
            modifiers.push(modifier);
        }
        let call = opcode == "call";
        let mut operands = vec![];
        if !self.if_mark(b';') {
            loop {
                // Only a call has lists in parentheses; elsewhere they enclose a constant.
                if call && self.if_mark(b'(') {
                    operands.push(Operand::List(self.list(b')', 0)?));
                } else {
                    operands.push(self.operand(0)?);
                }
                if self.if_mark(b';') {
                    break;
                }
                if !self.if_mark(b',') {
                    return self.expected("`,` or `;`");
                }
            }
        }
        Ok(Instruction { at, guard, opcode, modifiers, operands })
    }
}
