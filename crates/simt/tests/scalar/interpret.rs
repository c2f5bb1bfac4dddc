//! Threads, one at a time, each up to the next barrier or shuffle. No thread waits for anything else.

use super::compute::{arithmetic, convert, holds, mask, number, ty};
use super::generate::Program;
use ptx::{Initialiser, Instruction, Operand, Statement};
use std::collections::HashMap;

/// Where this interpreter's global memory begins.
const BASE: u64 = 0x1000_0000;

struct Code<'m> {
    instructions: Vec<&'m Instruction<'m>>,
    labels: HashMap<&'m str, usize>,
    /// Where each function begins, and what it is.
    functions: HashMap<&'m str, (usize, &'m ptx::Function<'m>)>,
    kernel: usize,
    /// Space and address of each variable.
    symbols: HashMap<&'m str, (&'m str, u64)>,
    bytes: HashMap<&'m str, u64>,
    constant: Vec<u8>,
}

#[derive(Default)]
struct Frame<'m> {
    registers: HashMap<&'m str, u64>,
    local: Vec<u8>,
    /// Where to go on after it, and from which register to which one its result goes.
    back: usize,
    result: Option<(&'m str, &'m str)>,
}

struct Thread<'m> {
    /// The function that it is in.
    registers: HashMap<&'m str, u64>,
    local: Vec<u8>,
    /// Those that called it.
    callers: Vec<Frame<'m>>,
    next: usize,
    index: u32,
    block: u32,
    ended: bool,
}

/// Why a thread stopped.
#[derive(PartialEq)]
enum Stop {
    Ended,
    Meets,
}

struct Machine<'m> {
    code: Code<'m>,
    program: &'m Program,
    global: Vec<u8>,
    shared: Vec<u8>,
    parameters: Vec<u8>,
}

/// Runs a program; returns what its memory holds at the end.
pub fn run(program: &Program) -> Vec<u8> {
    let module = ptx::parse(&program.text).unwrap_or_else(|e| panic!("{e}\n{}", program.text));
    let code = flatten(&module);
    let mut parameters = BASE.to_le_bytes().to_vec();
    parameters.extend_from_slice(&program.n.to_le_bytes());
    let mut machine = Machine {
        shared: vec![0xcd; code.bytes.get("shared").copied().unwrap_or(0) as usize],
        code,
        program,
        global: program.memory.clone(),
        parameters,
    };
    for block in 0..program.grid {
        let local = machine.code.bytes.get("local").copied().unwrap_or(0) as usize;
        machine.shared.fill(0xcd);
        let mut threads: Vec<Thread<'_>> = (0..program.block)
            .map(|index| Thread {
                registers: HashMap::new(),
                local: vec![0xcd; local],
                callers: vec![],
                next: machine.code.kernel,
                index,
                block,
                ended: false,
            })
            .collect();
        loop {
            for thread in threads.iter_mut().filter(|thread| !thread.ended) {
                thread.ended = machine.go(thread) == Stop::Ended;
            }
            if threads.iter().all(|thread| thread.ended) {
                break;
            }
            assert!(program.exits || threads.iter().all(|t| !t.ended), "all threads end or none does");
            machine.meet(&mut threads);
        }
    }
    machine.global
}

fn flatten<'m>(module: &'m ptx::Module<'m>) -> Code<'m> {
    let mut code = Code {
        instructions: vec![],
        labels: HashMap::new(),
        functions: HashMap::new(),
        kernel: 0,
        symbols: HashMap::new(),
        bytes: HashMap::new(),
        constant: vec![],
    };
    let mut place = |variable: &'m ptx::Variable<'m>, symbols: &mut HashMap<&'m str, (&'m str, u64)>| {
        let size = u64::from(ty(variable.ty).1 / 8)
            * variable.dimensions.iter().map(|d| d.unwrap()).product::<u64>();
        let end = code.bytes.entry(variable.space).or_default();
        // Every function has its local memory to itself, and one variable there.
        let at = if variable.space == "local" { 0 } else { *end };
        let at = at.next_multiple_of(variable.align.unwrap_or(8));
        *end = at + size;
        symbols.insert(variable.name, (variable.space, at));
    };
    for variable in &module.variables {
        place(variable, &mut code.symbols);
        if let (Some(Initialiser::List(list)), "const") = (&variable.initialiser, variable.space) {
            for value in list {
                let Initialiser::Value(Operand::Integer(value)) = value else {
                    panic!("constants are integers")
                };
                code.constant.extend_from_slice(&value.to_le_bytes()[..4]);
            }
        }
    }
    for function in &module.functions {
        let Some(body) = &function.body else { continue };
        code.functions.insert(function.name, (code.instructions.len(), function));
        if function.is_kernel {
            code.kernel = code.instructions.len();
            for parameter in &function.parameters {
                place(parameter, &mut code.symbols);
            }
        }
        for statement in body {
            match statement {
                Statement::Instruction(i) => code.instructions.push(i),
                Statement::Label(_, name) => {
                    code.labels.insert(name, code.instructions.len());
                }
                Statement::Variable(v) if v.space != "reg" => place(v, &mut code.symbols),
                _ => {}
            }
        }
    }
    code
}

impl<'m> Thread<'m> {
    /// Goes on in the function that called the one it is in.
    fn back_in(&mut self, caller: Frame<'m>) {
        let Frame { registers, local, back, result } = caller;
        let inner = std::mem::replace(&mut self.registers, registers);
        (self.local, self.next) = (local, back);
        if let Some((from, to)) = result {
            self.registers.insert(to, inner.get(from).copied().unwrap_or(0));
        }
    }
}

impl<'m> Machine<'m> {
    fn value(&self, thread: &Thread<'m>, operand: &Operand<'m>) -> u64 {
        match operand {
            Operand::Integer(value) => *value,
            Operand::F32(bits) => u64::from(*bits),
            Operand::F64(bits) => *bits,
            Operand::Name("%tid", Some("x")) => thread.index.into(),
            Operand::Name("%ntid", Some("x")) => self.program.block.into(),
            Operand::Name("%ctaid", Some("x")) => thread.block.into(),
            Operand::Name("%nctaid", Some("x")) => self.program.grid.into(),
            Operand::Name("%laneid", None) => u64::from(thread.index % 32),
            Operand::Name(name, None) => match self.code.symbols.get(name) {
                Some((_, at)) => *at,
                None => thread.registers.get(name).copied().unwrap_or(0),
            },
            Operand::Not(name) => thread.registers.get(name).copied().unwrap_or(0) ^ 1,
            other => panic!("{other:?}"),
        }
    }

    fn memory<'a>(
        &'a mut self,
        thread: &'a mut Thread<'m>,
        space: &str,
        at: u64,
        bytes: usize,
    ) -> &'a mut [u8] {
        let (memory, at) = match space {
            "global" => (&mut self.global, at.wrapping_sub(BASE)),
            "shared" => (&mut self.shared, at),
            "local" => (&mut thread.local, at),
            "const" => (&mut self.code.constant, at),
            "param" => (&mut self.parameters, at),
            other => panic!("{other}"),
        };
        let at = at as usize;
        assert!(at + bytes <= memory.len(), "a generated program stays inside: {space} {at}");
        &mut memory[at..at + bytes]
    }

    /// Space, address, type and number of elements of an access.
    fn access(
        &self,
        thread: &Thread<'m>,
        i: &Instruction<'m>,
        operand: &Operand<'m>,
    ) -> (&'m str, u64, &'m str, usize) {
        let Operand::Address { base: Some(base), offset } = operand else { panic!("{operand:?}") };
        let base = self.value(thread, &Operand::Name(base, None));
        let count = match i.modifiers.iter().find(|m| matches!(**m, "v2" | "v4")) {
            Some(word) => word[1..].parse().unwrap(),
            None => 1,
        };
        (i.modifiers[0], base.wrapping_add_signed(*offset), i.modifiers.last().unwrap(), count)
    }

    /// Runs a thread until it ends or meets others.
    fn go(&mut self, thread: &mut Thread<'m>) -> Stop {
        loop {
            let i = self.code.instructions[thread.next];
            thread.next += 1;
            if let Some(guard) = i.guard {
                let holds = thread.registers.get(guard.register).copied().unwrap_or(0) == 1;
                if holds == guard.negated {
                    continue;
                }
            }
            match i.opcode {
                "exit" => return Stop::Ended,
                "ret" => match thread.callers.pop() {
                    None => return Stop::Ended,
                    Some(caller) => thread.back_in(caller),
                },
                "call" => self.call(thread, &i.operands),
                "bar" | "shfl" | "vote" => return Stop::Meets,
                "bra" => {
                    let Operand::Name(label, None) = i.operands[0] else { panic!("bra") };
                    thread.next = self.code.labels[label];
                }
                "ld" => self.load(thread, i),
                "st" => self.store(thread, i),
                "red" => self.reduce(thread, i),
                "setp" => self.compare(thread, i),
                "mov" if matches!(i.operands[0], Operand::Vector(_)) => {
                    let all = self.value(thread, &i.operands[1]);
                    for e in 0..2 {
                        thread.registers.insert(element(&i.operands[0], e), all >> (32 * e) & 0xffff_ffff);
                    }
                }
                _ => {
                    let result = self.compute(thread, i);
                    thread.registers.insert(element(&i.operands[0], 0), result);
                }
            }
        }
    }

    /// The result of an instruction that computes one.
    fn compute(&self, thread: &Thread<'m>, i: &Instruction<'m>) -> u64 {
        let operands = &i.operands;
        let value = |n: usize| self.value(thread, &operands[n]);
        match i.opcode {
            "selp" => {
                if value(3) == 1 {
                    value(1)
                } else {
                    value(2)
                }
            }
            "mov" => match &operands[1] {
                Operand::Vector(list) => {
                    (self.value(thread, &list[1]) & mask(32)) << 32 | self.value(thread, &list[0]) & mask(32)
                }
                _ => value(1),
            },
            "cvt" => convert(&i.modifiers, value(1)),
            "cvta" => value(1),
            "and" | "or" | "xor" | "not" if i.modifiers == ["pred"] => match i.opcode {
                "and" => value(1) & value(2),
                "or" => value(1) | value(2),
                "xor" => value(1) ^ value(2),
                _ => value(1) ^ 1,
            },
            op => {
                let all: Vec<u64> = operands[1..].iter().map(|o| self.value(thread, o)).collect();
                arithmetic(op, &i.modifiers, &all)
            }
        }
    }

    fn load(&mut self, thread: &mut Thread<'m>, i: &'m Instruction<'m>) {
        let (space, at, word, count) = self.access(thread, i, &i.operands[1]);
        let (kind, bits) = ty(word);
        for e in 0..count {
            let mut all = [0; 8];
            let size = bits as usize / 8;
            let from = self.memory(thread, space, at + (e * size) as u64, size);
            all[..size].copy_from_slice(from);
            let loaded = number(u64::from_le_bytes(all), kind, bits) as u64;
            let name = element(&i.operands[0], e);
            if name != "_" {
                thread.registers.insert(name, loaded);
            }
        }
    }

    fn store(&mut self, thread: &mut Thread<'m>, i: &Instruction<'m>) {
        let (space, at, word, count) = self.access(thread, i, &i.operands[0]);
        let size = ty(word).1 as usize / 8;
        for e in 0..count {
            let value = match &i.operands[1] {
                Operand::Vector(list) => self.value(thread, &list[e]),
                one => self.value(thread, one),
            };
            let bytes = value.to_le_bytes();
            self.memory(thread, space, at + (e * size) as u64, size).copy_from_slice(&bytes[..size]);
        }
    }

    /// `red`: a reduction in memory, without a result.
    fn reduce(&mut self, thread: &mut Thread<'m>, i: &Instruction<'m>) {
        let (space, at, word, _) = self.access(thread, i, &i.operands[0]);
        let size = ty(word).1 as usize / 8;
        let with = self.value(thread, &i.operands[1]);
        let place = self.memory(thread, space, at, size);
        let mut all = [0; 8];
        all[..size].copy_from_slice(place);
        let new = arithmetic(i.modifiers[1], &[word], &[u64::from_le_bytes(all), with]);
        place.copy_from_slice(&new.to_le_bytes()[..size]);
    }

    /// `setp`: a predicate and its opposite, each combined with a third operand, if there is one.
    fn compare(&self, thread: &mut Thread<'m>, i: &'m Instruction<'m>) {
        let operands = &i.operands;
        let word = *i.modifiers.last().unwrap();
        let value = |n: usize| self.value(thread, &operands[n]);
        let first = holds(i.modifiers[0], word, value(1), value(2));
        let mut both = [first, !first];
        if let Some(third) = operands.get(3) {
            let c = self.value(thread, third) == 1;
            for one in &mut both {
                *one = match i.modifiers[1] {
                    "and" => *one && c,
                    "or" => *one || c,
                    _ => *one != c,
                };
            }
        }
        let (p, q) = match operands[0] {
            Operand::Name(p, None) => (p, "_"),
            Operand::Pair(p, q) => (p, q),
            _ => panic!("setp"),
        };
        thread.registers.insert(p, both[0].into());
        thread.registers.insert(q, both[1].into());
    }

    /// Enters a function, unless it is the one that waits for others.
    fn call(&self, thread: &mut Thread<'m>, operands: &'m [Operand<'m>]) {
        let (results, rest) = match operands {
            [Operand::List(results), rest @ ..] if rest.len() == 2 => (&results[..], rest),
            rest => (&[][..], rest),
        };
        let [Operand::Name(name, None), Operand::List(arguments)] = rest else { panic!("{operands:?}") };
        if *name == "wait" {
            return;
        }
        let (start, function) = self.code.functions[name];
        let values = arguments.iter().map(|argument| self.value(thread, argument));
        let registers = function.parameters.iter().map(|p| p.name).zip(values).collect();
        let result = match (results, &function.returns[..]) {
            ([Operand::Name(to, None)], [from]) => Some((from.name, *to)),
            _ => None,
        };
        let local = vec![0xcd; thread.local.len()];
        thread.callers.push(Frame {
            registers: std::mem::replace(&mut thread.registers, registers),
            local: std::mem::replace(&mut thread.local, local),
            back: thread.next,
            result,
        });
        thread.next = start;
    }

    /// All threads that have not ended are at one instruction.
    fn meet(&self, threads: &mut [Thread<'m>]) {
        let mut places = threads.iter().filter(|t| !t.ended).map(|t| t.next - 1);
        let at = places.next().unwrap();
        assert!(places.all(|place| place == at), "threads meet at one instruction");
        let i = self.code.instructions[at];
        for warp in threads.chunks_mut(32) {
            let of = |n: usize| -> Vec<u64> { warp.iter().map(|t| self.value(t, &i.operands[n])).collect() };
            match i.opcode {
                "bar" => {}
                "vote" => {
                    let bits = of(1).iter().enumerate().fold(0, |bits, (lane, p)| bits | p << lane);
                    for thread in warp.iter_mut() {
                        thread.registers.insert(element(&i.operands[0], 0), bits);
                    }
                }
                _ => {
                    let (a, b, c) = (of(1), of(2), of(3));
                    for (lane, thread) in warp.iter_mut().enumerate() {
                        let (by, clamp, segment) = (b[lane] & 31, c[lane] & 31, c[lane] >> 8 & 31);
                        let own = lane as u64;
                        let most = own & segment | clamp & !segment;
                        let (from, inside) = match i.modifiers[1] {
                            "up" => (own.wrapping_sub(by), own as i64 - by as i64 >= most as i64),
                            "down" => (own + by, own + by <= most),
                            "bfly" => (own ^ by, own ^ by <= most),
                            _ => {
                                let from = own & segment | by & !segment;
                                (from, from <= most)
                            }
                        };
                        let from = if inside { from } else { own };
                        let (d, p) = match i.operands[0] {
                            Operand::Pair(d, p) => (d, p),
                            Operand::Name(d, None) => (d, "_"),
                            _ => panic!("shfl"),
                        };
                        thread.registers.insert(d, a[from as usize]);
                        thread.registers.insert(p, inside.into());
                    }
                }
            }
        }
    }
}

fn element<'m>(operand: &Operand<'m>, n: usize) -> &'m str {
    match operand {
        Operand::Name(name, None) => name,
        Operand::Vector(list) => element(&list[n], 0),
        other => panic!("{other:?}"),
    }
}
