//! Variables and parameters: `.space .align n .v4 .type name[dims] = init`.

use crate::ast::{Initialiser, Variable};
use crate::cursor::{Cursor, Result};
use crate::lexer::Is;

/// Maximum nesting of braces: more than any program has, few enough for any stack.
const DEPTH: u32 = 64;

impl<'a> Cursor<'a, '_> {
    /// `.space .align n .v4 .type name[dims] = init, name…;`
    pub(crate) fn variables(&mut self, linkage: Option<&'a str>, into: &mut Vec<Variable<'a>>) -> Result<()> {
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
                pointer: false,
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
            pointer: false,
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
                            .fail_at(at, format!("the alignment {align} is not a power of two up to 2^20"));
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
                // `.param .u64 .ptr .global .align 4 name`: what it points to has no effect.
                Is::Dot("ptr") => {
                    self.take();
                    variable.pointer = true;
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

    /// `.attribute(.managed, .unified(19, 95))`, which has no effect here.
    pub(crate) fn attribute(&mut self) -> Result<()> {
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
            return self.fail("braces are nested too deeply");
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

    pub(crate) fn parameters(&mut self) -> Result<Vec<Variable<'a>>> {
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
}
