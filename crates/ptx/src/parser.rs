//! Tokens to the tree: recursive descent, one token ahead.

use crate::ast::{self, *};
use crate::lexer::{Is, Token, line_starts, tokens};
use crate::{Error, Place, constant};

pub(crate) type Result<T> = std::result::Result<T, Error>;

/// Scopes within scopes; more than any compiler writes, few enough for any stack.
const DEPTH: u32 = 64;
/// Registers one `.reg` may declare: enough for any kernel, few enough to hold.
const REGISTERS: u64 = 1 << 20;
/// Text longer than this is refused, so that offsets fit 32 bits.
const LONGEST: usize = u32::MAX as usize / 2;

/// Reads a PTX module.
///
/// # Errors
/// The first place at which the text is no PTX.
pub fn parse(text: &str) -> Result<Module<'_>> {
    if text.len() > LONGEST {
        return Err(Error {
            place: Place { line: 1, column: 1 },
            message: format!("longer than {LONGEST} bytes"),
        });
    }
    let line_starts = line_starts(text);
    let tokens = tokens(text, &line_starts)?;
    let module = Module {
        version: (0, 0),
        target: vec![],
        address_size: 32,
        files: vec![],
        variables: vec![],
        functions: vec![],
        line_starts: vec![],
    };
    let mut parser = Parser { tokens: &tokens, next: 0, line_starts: &line_starts };
    let mut module = parser.module(module)?;
    module.line_starts = line_starts;
    Ok(module)
}

pub(crate) struct Parser<'a, 't> {
    tokens: &'t [Token<'a>],
    next: usize,
    line_starts: &'t [u32],
}

const SPACES: [&str; 9] =
    ["reg", "const", "global", "shared", "local", "param", "tex", "samplerref", "surfref"];
const LINKAGES: [&str; 4] = ["visible", "extern", "weak", "common"];

impl<'a> Parser<'a, '_> {
    pub(crate) fn peek(&self) -> Is<'a> {
        self.tokens[self.next].is
    }

    pub(crate) fn peek_second(&self) -> Is<'a> {
        self.tokens.get(self.next + 1).map_or(Is::End, |t| t.is)
    }

    pub(crate) fn at(&self) -> At {
        At(self.tokens[self.next].at)
    }

    pub(crate) fn take(&mut self) -> Is<'a> {
        let is = self.peek();
        // The last token is the end, and it is never passed.
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        is
    }

    pub(crate) fn fail<T>(&self, message: impl Into<String>) -> Result<T> {
        self.fail_at(self.at(), message)
    }

    pub(crate) fn fail_at<T>(&self, at: At, message: impl Into<String>) -> Result<T> {
        Err(Error { place: ast::place(self.line_starts, at.0), message: message.into() })
    }

    pub(crate) fn expected<T>(&self, what: &str) -> Result<T> {
        self.fail(format!("expected {what}, found {}", self.peek().describe()))
    }

    pub(crate) fn if_mark(&mut self, mark: u8) -> bool {
        let there = self.peek() == Is::Mark(mark);
        if there {
            self.take();
        }
        there
    }

    pub(crate) fn mark(&mut self, mark: u8) -> Result<()> {
        if self.if_mark(mark) { Ok(()) } else { self.expected(&format!("`{}`", mark as char)) }
    }

    fn if_dot(&mut self, word: &str) -> bool {
        let there = self.peek() == Is::Dot(word);
        if there {
            self.take();
        }
        there
    }

    fn any_dot(&mut self, what: &str) -> Result<&'a str> {
        match self.peek() {
            Is::Dot(word) => {
                self.take();
                Ok(word)
            }
            _ => self.expected(what),
        }
    }

    fn word(&mut self, what: &str) -> Result<&'a str> {
        match self.peek() {
            Is::Word(word) => {
                self.take();
                Ok(word)
            }
            _ => self.expected(what),
        }
    }

    /// A constant expression's value.
    fn integer(&mut self, what: &str) -> Result<u64> {
        match self.peek() {
            Is::Integer(_)
            | Is::Unsigned(_)
            | Is::Mark(b'(' | b'-' | b'+' | b'~' | b'!')
            | Is::Word("WARP_SZ") => constant::integer(self),
            _ => self.expected(what),
        }
    }

    fn small(&mut self, what: &str) -> Result<u32> {
        let at = self.at();
        let value = self.integer(what)?;
        u32::try_from(value).or_else(|_| self.fail_at(at, format!("{value} is too large for {what}")))
    }

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
        self.mark(b'{')?;
        let mut open = 1;
        while open > 0 {
            match self.take() {
                Is::Mark(b'{') => open += 1,
                Is::Mark(b'}') => open -= 1,
                Is::End => return self.fail_at(at, "this section does not end"),
                _ => {}
            }
        }
        Ok(())
    }

    /// `.space .align n .v4 .type name[dims] = init, name…;`
    fn variables(&mut self, linkage: Option<&'a str>, into: &mut Vec<Variable<'a>>) -> Result<()> {
        let first = self.variable(linkage)?;
        let (space, align, vector, ty) = (first.space, first.align, first.vector, first.ty);
        into.push(first);
        while self.if_mark(b',') {
            let variable = Variable {
                at: self.at(),
                linkage,
                space,
                align,
                vector,
                ty,
                name: "",
                dimensions: vec![],
                initialiser: None,
            };
            into.push(self.declarator(variable)?);
        }
        self.mark(b';')
    }

    fn variable(&mut self, linkage: Option<&'a str>) -> Result<Variable<'a>> {
        let mut variable = Variable {
            at: self.at(),
            linkage,
            space: self.any_dot("a state space")?,
            align: None,
            vector: 1,
            ty: "",
            name: "",
            dimensions: vec![],
            initialiser: None,
        };
        loop {
            match self.peek() {
                Is::Dot("align") => {
                    self.take();
                    let at = self.at();
                    let align = self.integer("an alignment")?;
                    if !align.is_power_of_two() || align > 1 << 20 {
                        return self
                            .fail_at(at, format!("the alignment {align} is no power of two up to 2^20"));
                    }
                    variable.align = Some(align);
                }
                Is::Dot("v2") => {
                    self.take();
                    variable.vector = 2;
                }
                Is::Dot("v4") => {
                    self.take();
                    variable.vector = 4;
                }
                // `.param .u64 .ptr .global .align 4 name`: what a pointer parameter points to, which binds nobody.
                Is::Dot("ptr") => {
                    self.take();
                    if let Is::Dot(
                        "global" | "const" | "shared" | "shared::cta" | "shared::cluster" | "local"
                        | "generic" | "param" | "param::entry",
                    ) = self.peek()
                    {
                        self.take();
                    }
                    if self.if_dot("align") {
                        self.integer("an alignment")?;
                    }
                }
                Is::Dot("attribute") => self.attribute()?,
                Is::Dot(ty) if variable.ty.is_empty() => {
                    self.take();
                    variable.ty = ty;
                }
                _ if variable.ty.is_empty() => return self.expected("a type"),
                Is::Word(_) => return self.declarator(variable),
                // A prototype's parameter may have no name.
                Is::Mark(b',' | b')') => return Ok(variable),
                _ => return self.expected("a name"),
            }
        }
    }

    /// `.attribute(.managed, .unified(19, 95))`, which binds nobody here.
    fn attribute(&mut self) -> Result<()> {
        self.take();
        self.mark(b'(')?;
        let mut open = 1;
        while open > 0 {
            match self.take() {
                Is::Mark(b'(') => open += 1,
                Is::Mark(b')') => open -= 1,
                Is::End => return self.expected("`)`"),
                _ => {}
            }
        }
        Ok(())
    }

    fn declarator(&mut self, mut variable: Variable<'a>) -> Result<Variable<'a>> {
        variable.at = self.at();
        variable.name = self.word("a name")?;
        while self.if_mark(b'[') {
            if self.if_mark(b']') {
                variable.dimensions.push(None);
            } else {
                variable.dimensions.push(Some(self.integer("a number of elements")?));
                self.mark(b']')?;
            }
        }
        if self.if_mark(b'=') {
            variable.initialiser = Some(self.initialiser(0)?);
        }
        Ok(variable)
    }

    fn initialiser(&mut self, depth: u32) -> Result<Initialiser<'a>> {
        if !self.if_mark(b'{') {
            if let (Is::Word(field), Is::Mark(b'=')) = (self.peek(), self.peek_second()) {
                self.take();
                self.take();
                return Ok(Initialiser::Field(field, self.operand(0)?));
            }
            return Ok(Initialiser::Value(self.operand(0)?));
        }
        if depth > DEPTH {
            return self.fail("braces are nested too deep");
        }
        let mut list = vec![];
        if !self.if_mark(b'}') {
            loop {
                list.push(self.initialiser(depth + 1)?);
                if self.if_mark(b'}') {
                    break;
                }
                self.mark(b',')?;
            }
        }
        Ok(Initialiser::List(list))
    }

    fn parameters(&mut self) -> Result<Vec<Variable<'a>>> {
        let mut parameters = vec![];
        self.mark(b'(')?;
        if !self.if_mark(b')') {
            loop {
                parameters.push(self.variable(None)?);
                if self.if_mark(b')') {
                    break;
                }
                self.mark(b',')?;
            }
        }
        Ok(parameters)
    }

    fn function(&mut self, linkage: Option<&'a str>, is_kernel: bool) -> Result<Function<'a>> {
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
        let body = if self.if_mark(b';') {
            None
        } else {
            self.mark(b'{')?;
            let mut body = vec![];
            self.block(&mut body, 1)?;
            Some(body)
        };
        Ok(Function { at, linkage, is_kernel, name, returns, parameters, directives, body })
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
                    self.take();
                    self.take();
                    match self.peek() {
                        Is::Dot("callprototype") => {
                            self.take();
                            let prototype = self.function(None, false)?;
                            if prototype.body.is_some() {
                                return self.fail_at(at, "a prototype has no body");
                            }
                            into.push(Statement::Prototype(label, prototype));
                        }
                        Is::Dot(name @ ("branchtargets" | "calltargets")) => {
                            self.take();
                            let words = self.words_to_semicolon()?;
                            into.push(Statement::Directive { at, label: Some(label), name, words });
                        }
                        _ => into.push(Statement::Label(at, label)),
                    }
                }
                Is::Dot("reg") => self.registers(into)?,
                Is::Dot("loc") => into.push(self.loc()?),
                Is::Dot(space) if SPACES.contains(&space) => {
                    let mut variables = vec![];
                    self.variables(None, &mut variables)?;
                    into.extend(variables.into_iter().map(Statement::Variable));
                }
                Is::Dot(name) => {
                    self.take();
                    let words = self.words_to_semicolon()?;
                    into.push(Statement::Directive { at, label: None, name, words });
                }
                Is::Word(_) | Is::Mark(b'@') => into.push(Statement::Instruction(self.instruction()?)),
                _ => return self.expected("an instruction, a label, a directive or `}`"),
            }
        }
    }

    fn words_to_semicolon(&mut self) -> Result<Vec<&'a str>> {
        let mut words = vec![];
        loop {
            match self.peek() {
                Is::Mark(b';') => break,
                Is::Word(word) | Is::Text(word) | Is::Dot(word) => words.push(word),
                // Whoever forgot the `;` learns it here, not at the end of the text.
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
                into.push(Statement::Variable(Variable {
                    at,
                    linkage: None,
                    space: "reg",
                    align: None,
                    vector,
                    ty,
                    name,
                    dimensions: vec![],
                    initialiser: None,
                }));
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

    fn operand(&mut self, depth: u32) -> Result<Operand<'a>> {
        if depth > 4 {
            return self.fail("operands are nested too deep");
        }
        match (self.peek(), self.peek_second()) {
            // A number alone, which is nearly all of them.
            (Is::Integer(value) | Is::Unsigned(value), Is::Mark(b',' | b';' | b'}')) => {
                self.take();
                Ok(Operand::Integer(value))
            }
            (Is::F32(bits), _) => {
                self.take();
                Ok(Operand::F32(bits))
            }
            (Is::Mark(b'-'), Is::F32(bits)) => {
                self.take();
                self.take();
                Ok(Operand::F32(bits ^ 1 << 31))
            }
            (Is::Mark(b'-'), Is::Word(name)) if name != "WARP_SZ" => {
                self.take();
                self.take();
                Ok(Operand::Negative(name, self.component()))
            }
            (Is::Mark(b'!'), Is::Word(name)) if name != "WARP_SZ" => {
                self.take();
                self.take();
                Ok(Operand::Not(name))
            }
            (Is::Integer(mask) | Is::Unsigned(mask), Is::Mark(b'(')) => {
                self.take();
                self.take();
                let of = self.operand(depth + 1)?;
                self.mark(b')')?;
                Ok(Operand::Masked(mask, Box::new(of)))
            }
            (Is::Dot(_) | Is::Integer(_) | Is::Unsigned(_) | Is::F64(_), _)
            | (Is::Mark(b'-' | b'+' | b'~' | b'!' | b'('), _) => constant::operand(self),
            (Is::Word("WARP_SZ"), Is::Mark(mark)) if !b",;])}".contains(&mark) => constant::operand(self),
            (Is::Mark(b'{'), _) => {
                self.take();
                let vector = self.list(b'}', depth)?;
                if self.if_mark(b'|') {
                    return Ok(Operand::VectorPair(vector, self.word("a predicate register after `|`")?));
                }
                Ok(Operand::Vector(vector))
            }
            (Is::Mark(b'['), _) => {
                self.take();
                self.address(depth)
            }
            (Is::Word("generic"), Is::Mark(b'(')) => {
                self.take();
                self.take();
                let symbol = self.word("a symbol")?;
                let inner = self.offset()?;
                self.mark(b')')?;
                Ok(Operand::Sum { symbol, offset: inner.wrapping_add(self.offset()?), generic: true })
            }
            (Is::Word(word), Is::Mark(b'|')) => {
                self.take();
                self.take();
                Ok(Operand::Pair(word, self.word("a register after `|`")?))
            }
            (Is::Word(word), Is::Mark(b'+' | b'-')) => {
                self.take();
                Ok(Operand::Sum { symbol: word, offset: self.offset()?, generic: false })
            }
            (Is::Word(symbol), Is::Mark(b'[')) => {
                self.take();
                self.take();
                let index = self.integer("an element's number")? as i64;
                self.mark(b']')?;
                Ok(Operand::Element { symbol, index })
            }
            (Is::Word(word), _) => {
                self.take();
                Ok(Operand::Name(word, self.component()))
            }
            _ => self.expected("an operand"),
        }
    }

    /// `.x` behind a register.
    fn component(&mut self) -> Option<&'a str> {
        match self.peek() {
            Is::Dot(member) => {
                self.take();
                Some(member)
            }
            _ => None,
        }
    }

    fn list(&mut self, end: u8, depth: u32) -> Result<Vec<Operand<'a>>> {
        let mut list = vec![];
        if self.if_mark(end) {
            return Ok(list);
        }
        loop {
            list.push(self.operand(depth + 1)?);
            if self.if_mark(end) {
                return Ok(list);
            }
            self.mark(b',')?;
        }
    }

    /// Reads an address after `[`.
    fn address(&mut self, depth: u32) -> Result<Operand<'a>> {
        let first = match self.peek() {
            Is::Word(base) => {
                self.take();
                Operand::Address { base: Some(base), offset: self.offset()? }
            }
            _ => Operand::Address {
                base: None,
                offset: self.integer("a register, a symbol or an address")? as i64,
            },
        };
        if self.if_mark(b']') {
            return Ok(first);
        }
        if self.peek() != Is::Mark(b',') {
            return self.expected("`]`");
        }
        self.take();
        let mut all = vec![first];
        all.extend(self.list(b']', depth)?);
        Ok(Operand::Access(all))
    }

    /// `+4`, `+-4`, `-4`, `+(1<<2)`, several of them, or nothing.
    fn offset(&mut self) -> Result<i64> {
        let mut sum = 0i64;
        loop {
            let negative = match self.peek() {
                Is::Mark(b'+') => false,
                Is::Mark(b'-') => true,
                _ => return Ok(sum),
            };
            self.take();
            let value = match self.peek() {
                Is::Integer(_)
                | Is::Unsigned(_)
                | Is::Mark(b'-' | b'+' | b'~' | b'(')
                | Is::Word("WARP_SZ") => constant::term(self)? as i64,
                _ => return self.expected("an offset"),
            };
            sum = if negative { sum.wrapping_sub(value) } else { sum.wrapping_add(value) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(module.place(kernel.at), Place { line: 7, column: 17 });
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
        assert!(matches!(
            &body(text)[..],
            [
                Statement::Registers { ty: "b32", prefix: "%r", count: 3, .. },
                Statement::Variable(Variable { space: "reg", ty: "pred", name: "p", .. }),
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
            (".version 8.8\n.const .align 3 .b8 x;", "2:15: the alignment 3 is no power of two up to 2^20"),
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
    fn deep_nesting_is_refused_before_the_stack_ends() {
        let text = format!(".version 8.8\n.entry k() {}", "{".repeat(100_000));
        assert!(parse(&text).unwrap_err().message.contains("nested deeper"));
    }
}
