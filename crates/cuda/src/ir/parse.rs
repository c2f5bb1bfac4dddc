//! Reader of the textual form, for tests.
//!
//! Enters: text as [`super::print`] writes it. Leaves: a module; a mistake in the text is a panic that names its line,
//! since only tests write such text. This module must never be part of the compiler.
//!
//! A line is an instruction or a block's head; `;` begins a comment. Values have any names that begin with a letter and
//! are defined once, with their types; constants are written with theirs (`4:i32`, `0.5:f32`, `undef:i32`).
//!
//! ```text
//! global @tile shared 1024 align 4 element f32 array
//! kernel @scale(out restrict, n) {
//! b0(out: ptr.generic, n: i32):
//!   x: i32 = builtin "__builtin_tid_x u() -"
//!   p: pred = cmp.slt x, n
//!   branch p, b1(x), b2
//! …
//! ```

use super::print::{BINARIES, COMPARES, CONVERTS, SPACES, TYPES, UNARIES};
use super::{
    Access, Asm, Binary, Block, Bounds, DebugLocation, Def, Edge, Function, FunctionId, Global, GlobalId,
    Inline, Module, Op, Param, Space, Symbol, Terminator, Type, Unroll, Value, Wrap,
};
use crate::builtin::Cache;
use crate::source::Span;
use std::collections::HashMap;

/// Reads a module.
pub(crate) fn parse(text: &str) -> Module {
    let tokens = tokens(text);
    let (mut functions, mut last) = (HashMap::new(), 0);
    for pair in tokens.windows(2) {
        let first = pair[0].line != last;
        last = pair[0].line;
        let kind = matches!(pair[0].text.as_str(), "kernel" | "function" | "external");
        if first && kind && pair[1].text.starts_with('@') {
            functions.insert(pair[1].text[1..].to_owned(), FunctionId(functions.len() as u32));
        }
    }
    let mut parser = Parser { tokens, at: 0, functions, globals: HashMap::new(), module: Module::default() };
    while parser.at < parser.tokens.len() {
        match parser.next().as_str() {
            "global" => parser.global(),
            kind @ ("kernel" | "function" | "external") => parser.function(kind),
            other => parser.fail(&format!("global, kernel, function or external expected, not {other}")),
        }
    }
    parser.module
}

/// Reads a module of which the last function matters.
pub(crate) fn parse_function(text: &str) -> Function {
    parse(text).functions.pop().expect("a function")
}

struct Token {
    text: String,
    line: usize,
}

fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let mut chars = line.char_indices().peekable();
        while let Some((start, first)) = chars.next() {
            let mut end = start + first.len_utf8();
            match first {
                ';' => break,
                ' ' | '\t' => continue,
                '"' => {
                    let mut escaped = false;
                    for (at, next) in chars.by_ref() {
                        end = at + next.len_utf8();
                        if next == '"' && !escaped {
                            break;
                        }
                        escaped = next == '\\' && !escaped;
                    }
                }
                ',' | '(' | ')' | '{' | '}' | '=' | ':' => {}
                _ => {
                    while let Some((at, next)) = chars.peek().copied() {
                        if " \t,(){}=:;".contains(next) {
                            break;
                        }
                        end = at + next.len_utf8();
                        chars.next();
                    }
                }
            }
            found.push(Token { text: line[start..end].to_owned(), line: number + 1 });
        }
    }
    found
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    functions: HashMap<String, FunctionId>,
    globals: HashMap<String, GlobalId>,
    module: Module,
}

struct Names {
    values: HashMap<String, Value>,
    blocks: HashMap<String, Block>,
}

impl Parser {
    fn fail(&self, message: &str) -> ! {
        let line = self.tokens.get(self.at.saturating_sub(1)).map_or(0, |token| token.line);
        panic!("line {line}: {message}")
    }

    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", |token| &token.text)
    }

    fn line(&self, ahead: usize) -> usize {
        self.tokens.get(self.at + ahead).map_or(0, |token| token.line)
    }

    fn next(&mut self) -> String {
        let text = self.peek().to_owned();
        self.at += 1;
        text
    }

    fn eat(&mut self, text: &str) -> bool {
        let is = self.peek() == text;
        self.at += usize::from(is);
        is
    }

    fn expect(&mut self, text: &str) {
        if !self.eat(text) {
            let found = self.next();
            self.fail(&format!("{text} expected, not {found}"));
        }
    }

    fn number<T: std::str::FromStr>(&mut self) -> T {
        let text = self.next();
        text.parse().unwrap_or_else(|_| self.fail(&format!("a number expected, not {text}")))
    }

    fn space(&mut self) -> Space {
        let word = self.next();
        self.space_named(&word)
    }

    fn space_named(&self, word: &str) -> Space {
        let row = SPACES.iter().find(|(_, name)| *name == word);
        row.unwrap_or_else(|| self.fail(&format!("a space expected, not {word}"))).0
    }

    fn ty(&mut self) -> Type {
        let word = self.next();
        if let Some(space) = word.strip_prefix("ptr.") {
            return Type::Ptr(self.space_named(space));
        }
        let row = TYPES.iter().find(|(_, name)| *name == word);
        row.unwrap_or_else(|| self.fail(&format!("a type expected, not {word}"))).0
    }

    fn global(&mut self) {
        let name = self.next()[1..].to_owned();
        let space = self.space();
        let size = self.number();
        self.expect("align");
        let align = self.number();
        self.expect("element");
        let element = self.next();
        let element = (element[1..].parse().expect("bits"), element.starts_with('f'));
        let mut global = Global {
            name: name.clone(),
            space,
            size,
            align,
            element,
            array: self.eat("array"),
            visible: self.eat("visible"),
            external: self.eat("external"),
            linkage: super::Linkage::Visible,
            managed: false,
            read_only: self.eat("readonly"),
            initial: None,
            span: Span::default(),
        };
        if self.eat("=") {
            let hex = self.next();
            let hex = hex.trim_matches('"');
            let bytes =
                (0..hex.len() / 2).map(|n| u8::from_str_radix(&hex[2 * n..2 * n + 2], 16).expect("hex"));
            let mut initial = (bytes.collect(), Vec::new());
            while self.eat(",") {
                let at = self.number();
                self.expect(":");
                let name = self.next();
                let of = match self.functions.get(&name[1..]) {
                    Some(function) => Symbol::Function(*function),
                    None => Symbol::Global(self.globals[&name[1..]]),
                };
                self.expect("+");
                initial.1.push((at, of, self.number()));
            }
            global.initial = Some(initial);
        }
        self.globals.insert(name, GlobalId(self.module.globals.len() as u32));
        self.module.globals.push(global);
    }

    fn function(&mut self, kind: &str) {
        let name = self.next()[1..].to_owned();
        let mut function = Function {
            source_name: name.clone(),
            name,
            kernel: kind == "kernel",
            visible: false,
            external: kind == "external",
            linkage: super::Linkage::Visible,
            inline: Inline::Auto,
            bounds: Bounds::default(),
            params: Vec::new(),
            results: vec![],
            record: None,
            values: Vec::new(),
            insts: Vec::new(),
            blocks: Vec::new(),
            replaced: false,
            inlined: Vec::new(),
            span: Span::default(),
            end: Span::default(),
        };
        self.expect("(");
        while !self.eat(")") {
            let name = self.next();
            let bytes = self.eat("bytes").then(|| {
                let bytes = self.number();
                self.expect("align");
                (bytes, self.number())
            });
            let (restrict, points_to_const) = (self.eat("restrict"), self.eat("const"));
            function.params.push(Param {
                name,
                value: Value(0),
                bytes,
                restrict,
                points_to_const,
                record: None,
            });
            self.eat(",");
        }
        function.visible = self.eat("visible");
        match self.peek() {
            "always" => function.inline = Inline::Always,
            "never" => function.inline = Inline::Never,
            _ => {}
        }
        self.at += usize::from(function.inline != Inline::Auto);
        if self.eat("->") {
            function.results.push(self.ty());
            while self.eat(",") {
                function.results.push(self.ty());
            }
        }
        self.expect("{");
        let mut names = Names { values: HashMap::new(), blocks: HashMap::new() };
        while !self.eat("}") {
            self.block(&mut function, &mut names);
        }
        for (n, param) in function.params.iter_mut().enumerate() {
            param.value = function.blocks[0].params[n];
        }
        for (name, value) in &names.values {
            if function.values[value.index()].def == Def::Undefined && !name.starts_with('\0') {
                self.fail(&format!("{name} is not defined in @{}", function.name));
            }
        }
        self.module.functions.push(function);
    }

    fn block_named(function: &mut Function, names: &mut Names, name: &str) -> Block {
        if let Some(block) = names.blocks.get(name) {
            return *block;
        }
        let block = function.block();
        names.blocks.insert(name.to_owned(), block);
        block
    }

    /// Value of a name, which may be defined later.
    fn named(function: &mut Function, names: &mut Names, name: &str) -> Value {
        if let Some(value) = names.values.get(name) {
            return *value;
        }
        let value = function.value(Type::Pred, Def::Undefined);
        names.values.insert(name.to_owned(), value);
        value
    }

    fn define(&mut self, function: &mut Function, names: &mut Names, def: Def) -> Value {
        let name = self.next();
        self.expect(":");
        let ty = self.ty();
        let value = Self::named(function, names, &name);
        if function.values[value.index()].def != Def::Undefined {
            self.fail(&format!("{name} is defined twice"));
        }
        function.values[value.index()].ty = ty;
        function.values[value.index()].def = def;
        value
    }

    fn block(&mut self, function: &mut Function, names: &mut Names) {
        let name = self.next();
        let block = Self::block_named(function, names, &name);
        if self.eat("(") {
            while !self.eat(")") {
                let number = function.blocks[block.index()].params.len() as u32;
                let value = self.define(function, names, Def::Param(block, number));
                function.blocks[block.index()].params.push(value);
                self.eat(",");
            }
        }
        if self.eat("unroll") {
            let how = if self.eat("full") {
                Unroll::Full
            } else if self.eat("done") {
                Unroll::Done
            } else {
                Unroll::By(self.number())
            };
            function.blocks[block.index()].unroll = Some(how);
        }
        self.expect(":");
        loop {
            if let Some(end) = self.end(function, names) {
                function.blocks[block.index()].end = end;
                return;
            }
            self.inst(function, names, block);
        }
    }

    fn end(&mut self, function: &mut Function, names: &mut Names) -> Option<Terminator> {
        let end = match self.peek() {
            "jump" => {
                self.at += 1;
                Terminator::Jump(self.edge(function, names))
            }
            "branch" => {
                self.at += 1;
                let predicate = self.value(function, names);
                self.expect(",");
                let yes = self.edge(function, names);
                self.expect(",");
                Terminator::Branch(predicate, yes, self.edge(function, names))
            }
            "switch" => {
                self.at += 1;
                let value = self.value(function, names);
                let mut cases = Vec::new();
                loop {
                    self.expect(",");
                    if self.tokens.get(self.at + 1).is_none_or(|token| token.text != ":")
                        || !self.peek().starts_with(|c: char| c.is_ascii_digit())
                    {
                        break Terminator::Switch(value, cases, self.edge(function, names));
                    }
                    let number = self.number();
                    self.expect(":");
                    cases.push((number, self.edge(function, names)));
                }
            }
            "return" => {
                self.at += 1;
                let alone = self.line(0) != self.line(0).min(self.tokens[self.at - 1].line);
                let mut values = vec![];
                if !alone && self.peek() != "}" {
                    values.push(self.value(function, names));
                    while self.eat(",") {
                        values.push(self.value(function, names));
                    }
                }
                Terminator::Return(values)
            }
            "unreachable" => {
                self.at += 1;
                Terminator::Unreachable
            }
            _ => return None,
        };
        Some(end)
    }

    fn edge(&mut self, function: &mut Function, names: &mut Names) -> Edge {
        let name = self.next();
        let block = Self::block_named(function, names, &name);
        let mut args = Vec::new();
        if self.eat("(") {
            while !self.eat(")") {
                args.push(self.value(function, names));
                self.eat(",");
            }
        }
        Edge { block, args }
    }

    fn value(&mut self, function: &mut Function, names: &mut Names) -> Value {
        let word = self.next();
        if !self.eat(":") {
            if !word.starts_with(|c: char| c.is_ascii_alphabetic()) {
                self.fail(&format!("a value expected, not {word}"));
            }
            return Self::named(function, names, &word);
        }
        let ty = self.ty();
        if word == "undef" {
            return function.value(ty, Def::Undefined);
        }
        let bits = if let Some(hex) = word.strip_prefix("0x") {
            u64::from_str_radix(hex, 16).ok()
        } else {
            match ty {
                Type::F32 => word.parse().ok().map(|float: f32| u64::from(float.to_bits())),
                Type::F64 => word.parse().ok().map(f64::to_bits),
                Type::Pred => Some(u64::from(matches!(word.as_str(), "1" | "-1"))),
                _ => {
                    let mask = u64::MAX >> (64 - 8 * ty.bytes());
                    word.parse().ok().map(|number: i128| number as u64 & mask)
                }
            }
        };
        let bits = bits.unwrap_or_else(|| self.fail(&format!("a constant expected, not {word}")));
        function.value(ty, Def::constant(bits))
    }

    fn inst(&mut self, function: &mut Function, names: &mut Names, block: Block) {
        let inst = function.inst(Op::Select, Vec::new(), &[], DebugLocation::default());
        let mut results = Vec::new();
        // Results: NAME ':' TYPE, … '='.
        while self.tokens.get(self.at + 1).is_some_and(|token| token.text == ":") {
            results.push(self.define(function, names, Def::Result(inst, results.len() as u32)));
            if !self.eat(",") {
                self.expect("=");
                break;
            }
        }
        let line = self.line(0);
        let op = self.op();
        let mut args = Vec::new();
        while self.line(0) == line {
            args.push(self.value(function, names));
            if !self.eat(",") {
                break;
            }
        }
        let data = &mut function.insts[inst.index()];
        (data.op, data.args, data.results) = (op, args.into(), results.into());
        function.blocks[block.index()].insts.push(inst);
    }

    fn op(&mut self) -> Op {
        let word = self.next();
        let (name, suffixes) = word.split_once('.').unwrap_or((&word, ""));
        match name {
            "cmp" => match COMPARES.iter().find(|(_, name)| *name == suffixes) {
                Some((compare, _)) => Op::Compare(*compare),
                None => self.fail(&format!("no comparison: {word}")),
            },
            "select" => Op::Select,
            "fma" => Op::Fma,
            "slot" | "copy" | "zero" => {
                let size = self.number();
                self.expect("align");
                let align = self.number();
                match name {
                    "slot" => Op::Slot { size, align },
                    "copy" => Op::Copy { size, align },
                    _ => Op::Zero { size, align },
                }
            }
            "call_indirect" => Op::CallIndirect,
            "global" | "call" | "function" => {
                let symbol = self.next();
                let function = self.functions.get(&symbol[1..]).copied();
                let found = match name {
                    "global" => self.globals.get(&symbol[1..]).copied().map(Op::Global),
                    "call" => function.map(Op::Call),
                    _ => function.map(Op::Function),
                };
                found.unwrap_or_else(|| self.fail(&format!("no {symbol}")))
            }
            "offset" => Op::Offset,
            "load" => Op::Load(self.access(suffixes)),
            "store" => Op::Store(self.access(suffixes)),
            "builtin" => self.builtin(),
            "asm" => self.asm(),
            _ => {
                let wrap = Wrap { nsw: suffixes.contains("nsw"), nuw: suffixes.contains("nuw") };
                let unary = UNARIES.iter().find(|row| row.1 == name).map(|row| Op::Unary(row.0));
                let convert = CONVERTS.iter().find(|row| row.1 == name).map(|row| Op::Convert(row.0));
                let binary = BINARIES.iter().find(|row| row.1 == name).map(|row| match row.0 {
                    Binary::Add(_) => Op::Binary(Binary::Add(wrap)),
                    Binary::Sub(_) => Op::Binary(Binary::Sub(wrap)),
                    Binary::Mul(_) => Op::Binary(Binary::Mul(wrap)),
                    Binary::Shl(_) => Op::Binary(Binary::Shl(wrap)),
                    other => Op::Binary(other),
                });
                unary.or(convert).or(binary).unwrap_or_else(|| self.fail(&format!("no operation: {word}")))
            }
        }
    }

    fn access(&self, suffixes: &str) -> Access {
        let mut access = Access { align: 1, volatile: false, invariant: false, cache: None };
        for suffix in suffixes.split('.').filter(|suffix| !suffix.is_empty()) {
            match suffix {
                "volatile" => access.volatile = true,
                "invariant" => access.invariant = true,
                _ => {
                    let caches = [
                        Cache::NonCoherent,
                        Cache::All,
                        Cache::Global,
                        Cache::Streaming,
                        Cache::LastUse,
                        Cache::Volatile,
                        Cache::WriteBack,
                        Cache::WriteThrough,
                    ];
                    if let Some(cache) = caches.into_iter().find(|cache| cache.text()[1..] == *suffix) {
                        access.cache = Some(cache);
                    } else {
                        access.align =
                            suffix.strip_prefix('a').and_then(|n| n.parse().ok()).expect("alignment");
                    }
                }
            }
        }
        access
    }

    fn builtin(&mut self) -> Op {
        let text = self.next();
        let words: Vec<&str> = text.trim_matches('"').split(' ').collect();
        let [name, signature, letter] = words[..] else { self.fail("\"name signature letter\" expected") };
        let row = crate::builtin::overloads(name).find(|row| row.signature == signature);
        let row = row.unwrap_or_else(|| self.fail(&format!("no builtin {name} {signature}")));
        Op::Builtin(row, if letter == "-" { 0 } else { letter.as_bytes()[0] })
    }

    fn asm(&mut self) -> Op {
        let unescape = |text: &str| {
            text.trim_matches('"')
                .replace("\\n", "\n")
                .replace("\\t", "\t")
                .replace("\\\"", "\"")
                .replace("\\\\", "\\")
        };
        let text = unescape(&self.next());
        let classes = unescape(&self.next()).into_bytes();
        let mut numbers = Vec::new();
        while self.peek().starts_with('%') {
            let operand = self.next()[1..].parse().expect("an operand");
            self.expect("=");
            numbers.push((operand, self.number()));
        }
        let (volatile, memory) = (self.eat("volatile"), self.eat("memory"));
        Op::Asm(Box::new(Asm { text, classes, numbers, volatile, memory }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"global @tile shared 1024 align 4 element f32 array
global @table constant 8 align 4 element i32 array readonly = "0100000002000000"
global @virtual global 16 align 8 element i64 array = "", 0: @table + 4, 8: @square + 0
external @puts(s) -> i32 {
b0(v0: ptr.generic):
  unreachable
}
function @square(x) always -> f32 {
b0(v0: f32):
  v1: f32 = fmul v0, v0
  return v1
}
function @main(v) visible -> i32 {
b0(v0: i32):
  v1: ptr.generic = function @square
  v2: f32 = call_indirect v1, 0.5:f32
  v3: i32 = call @puts v1
  return v3
}
kernel @scale(out restrict, in restrict const, s bytes 16 align 4, n) {
b0(v0: ptr.generic, v1: ptr.generic, v2: ptr.param, v3: i32):
  v4: ptr.local = slot 16 align 4
  v5: ptr.shared = global @tile
  copy 16 align 4 v4, v2
  zero 8 align 4 v4
  jump b1(0:i32)
b1(v6: i32) unroll 4:
  v7: pred = cmp.slt v6, v3
  branch v7, b2, b3
b2:
  v8: i64 = sext v6
  v9: ptr.generic = offset v1, v8
  v10: f32 = load.a4.invariant.cg v9
  v11: f32 = call @square v10
  v12: f32 = fmul v11, 0.5:f32
  v13: f32, v14: f32 = asm "mov.b32 %0, %2;" "ffr" %2 = 5 volatile v6
  store.a4 v9, v12
  v15: i32 = builtin "__popc i(u) -" v6
  v16: i32 = add.nsw.nuw v6, 1:i32
  switch v16, 3: b1(-1:i32), b1(v16)
b3:
  return
}
"#;

    #[test]
    fn what_is_read_is_printed_as_it_was() {
        assert_eq!(parse(TEXT).to_string(), TEXT);
    }

    #[test]
    fn values_and_blocks_are_numbered_in_the_order_of_printing() {
        let module = parse(
            "function @f(x) -> i32 {\nstart(x: i32):\n  jump last\nnever:\n  return x\nlast:\n  y: i32 = neg x\n  return y\n}",
        );
        let wanted =
            "function @f(x) -> i32 {\nb0(v0: i32):\n  jump b1\nb1:\n  v1: i32 = neg v0\n  return v1\n}\n";
        assert_eq!(module.to_string(), wanted);
    }
}
