//! Random programs that are valid and end: bytes decide everything, and when they run out, zeros do. So a tool that shrinks
//! the bytes shrinks the program.
//!
//! They have several blocks of several warps, and functions that are called from anywhere: some wait until all threads
//! of the grid have begun, some exit, one has a barrier.

mod arithmetic;

use std::fmt::Write;

/// Bytes of the inputs, which are read only; of the counters after them; and where threads' slots begin.
pub const INPUTS: usize = 512;
pub const COUNTERS: usize = 64;
pub const SLOTS: usize = INPUTS + COUNTERS;
/// The counter of threads that have begun, after those of the operations.
const BEGUN: usize = INPUTS + 56;
/// Bytes of a thread's slot: what the program stores on its way, and its registers at the end.
pub const SLOT: usize = 64 + 8 * (R + L + F + D + H);

/// Registers of each kind.
const R: usize = 6;
const L: usize = 4;
const F: usize = 5;
const D: usize = 3;
const H: usize = 3;
const P: usize = 4;

/// Statements of a program, those in loops and branches once each; of a function; and calls.
const LONGEST: usize = 120;
const FUNCTION: usize = 12;
const CALLS: usize = 6;

/// Waits until at least `n` threads have begun. One thread at a time, none would: the interpreter knows its name.
const WAIT: &str = ".func wait(.reg .b64 m, .reg .b32 n)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<2>;\n\
     AGAIN:\nld.volatile.global.u32 %r0, [m];\nsetp.lt.u32 %p0, %r0, n;\n@%p0 bra AGAIN;\nret;\n}\n";

pub struct Program {
    pub text: String,
    /// Its first lines, which every program has.
    pub head: usize,
    /// Whether threads may exit before the others of their block.
    pub exits: bool,
    pub grid: u32,
    pub block: u32,
    /// The second parameter.
    pub n: u32,
    /// Global memory, to which the first parameter points.
    pub memory: Vec<u8>,
}

/// Values at which arithmetic changes its mind.
const EDGES: [u64; 24] = [
    0,
    1,
    2,
    u64::MAX,
    0x8000_0000,
    0x7fff_ffff,
    0x8000_0000_0000_0000,
    0x7fff_ffff_ffff_ffff,
    0x7fc0_0000,
    0x7f80_0000,
    0xff80_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x0000_0001_0000_0001,
    0x0080_0000,
    0x007f_ffff,
    0x4f00_0000,
    0x3ff0_0000_0000_0000,
    0xfff0_0000_0000_0000,
    0x7ff8_0000_0000_0000,
    0x0010_0000_0000_0000,
    0x0123_4567_89ab_cdef,
    0x8000,
    0xff7f,
];

struct Maker<'b> {
    bytes: &'b [u8],
    at: usize,
    text: String,
    /// Labels and loop counters made so far.
    labels: usize,
    statements: usize,
    depth: usize,
    exits: bool,
    /// Whether a function is being made, or the kernel.
    in_function: bool,
    /// Functions that may be called from here, and calls made so far.
    functions: usize,
    calls: usize,
}

pub fn program(bytes: &[u8]) -> Program {
    let mut m = Maker {
        bytes,
        at: 0,
        text: String::new(),
        labels: 0,
        statements: 0,
        depth: 0,
        exits: false,
        in_function: true,
        functions: 0,
        calls: 0,
    };
    let grid = 2 + m.below(3) as u32;
    // Whole warps, since shuffles are for whole warps only; or any number, without shuffles.
    let whole = m.below(2) == 1;
    let block = if whole { 32 * (2 + m.below(2) as u32) } else { 33 + m.below(70) as u32 };
    m.exits = m.below(3) == 0;
    let n = m.edge() as u32;
    let mut memory = vec![0; SLOTS + SLOT * (grid * block) as usize];
    let mut seed = u64::from_le_bytes(std::array::from_fn(|_| m.byte()));
    for chunk in memory[..INPUTS].chunks_exact_mut(8) {
        // Half of the inputs are edges.
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let value =
            if seed >> 40 & 1 == 0 { EDGES[(seed >> 50) as usize % EDGES.len()] } else { seed ^ seed >> 29 };
        chunk.copy_from_slice(&value.to_le_bytes());
    }
    for _ in 0..m.below(4) {
        m.function();
    }
    let functions = std::mem::take(&mut m.text);
    (m.in_function, m.statements) = (false, 0);
    m.head(block);
    let head = m.text.lines().count();
    while m.at < bytes.len() && m.statements < LONGEST {
        match m.below(12) {
            0 => m.exchange(block),
            1 | 2 if whole && !m.exits => m.shuffle(),
            3 => {
                m.statements += 1;
                let (d, a) = (m.r(), m.source('r'));
                m.plain(&format!("call ({d}), swap, ({a});"));
            }
            _ => m.statement(),
        }
    }
    m.tail();
    Program { text: m.text + &functions, head, exits: m.exits, grid, block, n, memory }
}

/// The registers that every function has, and its local memory. They begin as zero: what reads one before it has a value is a
/// fault.
fn registers() -> String {
    let mut text = format!(
        ".reg .b32 %r<{R}>, %t<8>, %c<128>, %b<1>;\n.reg .b64 %l<{L}>, %a<8>, %e<1>;\n.reg .f32 %f<{F}>;\n.reg .f64 %d<{D}>;\n\
         .reg .b16 %h<{H}>;\n.reg .pred %p<{P}>, %q<128>;\n.local .align 8 .b8 own[32];\n"
    );
    for (kind, name, count) in
        [("b32", 'r', R), ("b64", 'l', L), ("f32", 'f', F), ("f64", 'd', D), ("b16", 'h', H)]
    {
        let zero = match kind {
            "f32" => "0f00000000",
            "f64" => "0d0000000000000000",
            _ => "0",
        };
        for n in 0..count {
            writeln!(text, "mov.{kind} %{name}{n}, {zero};").unwrap();
        }
    }
    for n in 0..P {
        writeln!(text, "setp.lt.u32 %p{n}, %r0, 0;").unwrap();
    }
    text
}

impl Maker<'_> {
    fn byte(&mut self) -> u8 {
        let byte = self.bytes.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        byte
    }

    fn below(&mut self, n: usize) -> usize {
        usize::from(self.byte()) % n
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    fn edge(&mut self) -> u64 {
        EDGES[self.below(EDGES.len())]
    }

    fn line(&mut self, line: &str) {
        let guard = match self.below(6) {
            0 if !line.contains(':') => {
                format!("@{}%p{} ", if self.below(2) == 0 { "" } else { "!" }, self.below(P))
            }
            _ => String::new(),
        };
        writeln!(self.text, "    {guard}{line};").unwrap();
    }

    fn plain(&mut self, line: &str) {
        writeln!(self.text, "    {line}").unwrap();
    }

    // Registers.

    fn r(&mut self) -> String {
        format!("%r{}", self.below(R))
    }

    fn l(&mut self) -> String {
        format!("%l{}", self.below(L))
    }

    fn f(&mut self) -> String {
        format!("%f{}", self.below(F))
    }

    fn d(&mut self) -> String {
        format!("%d{}", self.below(D))
    }

    fn h(&mut self) -> String {
        format!("%h{}", self.below(H))
    }

    fn p(&mut self) -> String {
        format!("%p{}", self.below(P))
    }

    /// A source of a kind, `r`, `l`, `f`, `d` or `h`: a register or a constant.
    fn source(&mut self, kind: char) -> String {
        let constant = self.below(5) == 0;
        match kind {
            'r' if constant => format!("{}", self.edge() as u32 as i32),
            'r' => match self.below(12) {
                0 => "%tid.x".into(),
                1 => "%ctaid.x".into(),
                2 => "%b0".into(),
                _ => self.r(),
            },
            'l' if constant => format!("{}", self.edge() as i64),
            'l' if self.below(12) == 0 => "%e0".into(),
            'l' => self.l(),
            'f' if constant => format!("0f{:08X}", self.edge() as u32),
            'f' => self.f(),
            'd' if constant => format!("0d{:016X}", self.edge()),
            'd' => self.d(),
            'h' if constant => format!("{}", self.edge() as u16 as i16),
            _ => self.h(),
        }
    }

    /// A special register or a constant is no operand of everything.
    fn register(&mut self, kind: char) -> String {
        match kind {
            'r' => self.r(),
            'l' => self.l(),
            'f' => self.f(),
            'd' => self.d(),
            _ => self.h(),
        }
    }

    fn three(&mut self, head: &str, kind: char, sources: usize) {
        let mut line = format!("{head} {}", self.register(kind));
        for _ in 0..sources {
            let source = self.source(kind);
            write!(line, ", {source}").unwrap();
        }
        self.line(&line);
    }

    // Statements.

    /// A function that knows the memory as the kernel does, and two numbers.
    fn function(&mut self) {
        let outer = (self.statements, self.calls);
        // One more level of loops and branches.
        (self.statements, self.calls, self.depth) = (0, 0, 2);
        writeln!(
            self.text,
            ".func (.reg .b32 r) f{}(.reg .b64 m, .reg .b32 x, .reg .b32 y)\n{{\n{}",
            self.functions,
            registers()
        )
        .unwrap();
        self.plain("mov.u64 %a0, m;");
        self.addresses();
        self.plain("mov.u32 %r0, x;");
        self.plain("mov.u32 %r1, y;");
        while self.statements < FUNCTION && self.below(8) != 0 {
            self.statement();
        }
        let result = self.r();
        // In some lanes it may stay what it was.
        self.plain("mov.u32 r, 0;");
        let guard = if self.below(3) == 0 { format!("@{} ", self.p()) } else { String::new() };
        self.plain(&format!("{guard}mov.u32 r, {result};"));
        self.text.push_str("    ret;\n}\n");
        (self.statements, self.calls) = outer;
        self.depth = 0;
        self.functions += 1;
    }

    /// A call from anywhere.
    fn call(&mut self) {
        if self.calls >= CALLS {
            return self.integer32();
        }
        self.calls += 1;
        let n = self.below(2 * self.functions + 2) / 2;
        if n >= self.functions {
            self.plain(&format!("add.u64 %a6, %a0, {BEGUN};"));
            return self.line("call wait, (%a6, %t7)");
        }
        let (d, x, y) = (self.r(), self.r(), self.source('r'));
        self.line(&format!("call ({d}), f{n}, (%a0, {x}, {y})"));
    }

    fn head(&mut self, block: u32) {
        let constants: Vec<String> = (0..16).map(|_| format!("{}", self.edge() as u32)).collect();
        write!(
            self.text,
            ".version 8.8\n.target sm_90\n.address_size 64\n.const .align 8 .b32 table[16] = {{ {} }};\n{WAIT}",
            constants.join(", "),
        )
        .unwrap();
        for n in 0..self.functions {
            writeln!(self.text, ".func (.reg .b32 r) f{n}(.reg .b64 m, .reg .b32 x, .reg .b32 y);").unwrap();
        }
        let bytes = block * 8;
        write!(
            self.text,
            ".shared .align 8 .b8 all[{bytes}];\n.func (.reg .b32 r) swap(.reg .b32 x)\n{{\n\
             .reg .b32 %t<4>;\nmov.u32 %t0, %tid.x;\nmov.u32 %t1, all;\nmad.lo.u32 %t2, %t0, 8, %t1;\n\
             st.shared.u32 [%t2], x;\nbar.sync 0;\nadd.u32 %t2, %t0, 33;\nrem.u32 %t2, %t2, {block};\n\
             mad.lo.u32 %t2, %t2, 8, %t1;\nld.shared.u32 r, [%t2];\nbar.sync 0;\nret;\n}}\n\
             .visible .entry k(.param .u64 memory, .param .u32 n)\n{{\n{}",
            registers()
        )
        .unwrap();
        self.plain("ld.param.u64 %a0, [memory];");
        self.plain("cvta.to.global.u64 %a0, %a0;");
        self.addresses();
        self.plain(&format!("red.global.add.u32 [%a0+{BEGUN}], 1;"));
    }

    /// Addresses of this thread's parts of each memory, and registers that hold some of their values.
    fn addresses(&mut self) {
        for line in [
            "mov.u32 %t0, %ctaid.x;",
            "mov.u32 %t1, %ntid.x;",
            "mov.u32 %t2, %tid.x;",
            "mad.lo.u32 %t0, %t0, %t1, %t2;",
            // What is known once a block.
            "mul.lo.u32 %b0, %ctaid.x, 3;",
            "mul.wide.u32 %e0, %b0, 5;",
            "mov.u32 %t7, %nctaid.x;",
            "mul.lo.u32 %t7, %t7, %t1;",
        ] {
            self.plain(line);
        }
        self.plain(&format!("mul.wide.u32 %a1, %t0, {SLOT};"));
        self.plain("add.u64 %a1, %a0, %a1;");
        self.plain(&format!("add.u64 %a1, %a1, {SLOTS};"));
        // Where this thread begins to read the inputs.
        self.plain("and.b32 %t3, %t0, 31;");
        self.plain("mul.wide.u32 %a2, %t3, 8;");
        self.plain("add.u64 %a2, %a0, %a2;");
        for (kind, count, word) in
            [("r", R, "u32"), ("l", L, "u64"), ("f", F, "f32"), ("d", D, "f64"), ("h", H, "u16")]
        {
            for n in 0..count {
                let offset = 8 * self.below(32);
                self.plain(&format!("ld.global.{word} %{kind}{n}, [%a2+{offset}];"));
            }
        }
        for n in 0..P {
            self.plain(&format!("setp.lt.s32 %p{n}, %r{n}, {};", n * 1000));
        }
        for offset in [0, 8, 16, 24] {
            self.plain(&format!("st.local.u64 [own+{offset}], %l0;"));
        }
    }

    fn tail(&mut self) {
        let mut at = 64;
        for (kind, count, word) in
            [("r", R, "u32"), ("l", L, "u64"), ("f", F, "f32"), ("d", D, "f64"), ("h", H, "u16")]
        {
            for n in 0..count {
                self.plain(&format!("st.global.{word} [%a1+{at}], %{kind}{n};"));
                at += 8;
            }
        }
        self.plain("ret;");
        self.text.push_str("}\n");
    }

    fn statement(&mut self) {
        self.statements += 1;
        match self.below(24) {
            0..=3 => self.integer32(),
            4 | 5 => self.integer64(),
            6 | 7 => self.float(),
            8 => self.double(),
            9 => self.short(),
            10 => self.convert(),
            11 | 12 => self.compare(),
            13 => self.select(),
            14 | 15 => self.memory(),
            16 => self.bits(),
            17 => self.pack(),
            18 if self.depth < 3 => self.branch(),
            19 if self.depth < 3 => self.repeat(),
            20..=22 => self.call(),
            23 if self.exits => {
                let p = self.p();
                self.plain(&format!("@{p} exit;"));
            }
            _ => self.integer32(),
        }
    }

    /// Loads and stores of what no other thread writes: inputs, tables, parameters, the thread's own slots.
    fn memory(&mut self) {
        // A number of elements' place: one that is known, or one that a register gives.
        let (kind, word, size) = [
            ('r', "u32", 4),
            ('r', "s8", 1),
            ('r', "u8", 1),
            ('r', "s16", 2),
            ('h', "u16", 2),
            ('l', "u64", 8),
            ('f', "f32", 4),
            ('d', "f64", 8),
        ][self.below(8)];
        let d = self.register(kind);
        let place = self.below(32 / size) * size;
        match self.below(9) {
            0 => self.line(&format!("ld.global.{word} {d}, [%a2+{place}]")),
            1 => {
                // An address that differs from lane to lane.
                let r = self.r();
                self.plain(&format!("and.b32 %t4, {r}, {};", 256 / size - 1));
                self.plain(&format!("mad.wide.u32 %a4, %t4, {size}, %a0;"));
                self.line(&format!("ld.global.{word} {d}, [%a4+{}]", place / 8 * 8));
            }
            2 => {
                let r = self.r();
                self.plain(&format!("and.b32 %t4, {r}, 15;"));
                self.plain("mul.wide.u32 %a4, %t4, 4;");
                self.plain("mov.u64 %a5, table;");
                self.plain("add.u64 %a4, %a5, %a4;");
                let r = self.r();
                self.line(&format!("ld.const.u32 {r}, [%a4]"));
            }
            3 => self.line(&format!("st.global.{word} [%a1+{place}], {d}")),
            4 => self.line(&format!("ld.global.{word} {d}, [%a1+{place}]")),
            5 => self.line(&format!("st.local.{word} [own+{place}], {d}")),
            6 => self.line(&format!("ld.local.{word} {d}, [own+{place}]")),
            7 => {
                let (op, at) =
                    (self.pick(&["add", "min", "max", "and", "or", "xor"]), INPUTS + 4 * self.below(8));
                let word = match op {
                    "and" | "or" | "xor" => "b32",
                    _ => "u32",
                };
                // Each counter has one operation, so that their order does not matter.
                let at = at / 4 * 4 % 4
                    + INPUTS
                    + 8 * ["add", "min", "max", "and", "or", "xor"].iter().position(|o| *o == op).unwrap();
                let r = self.r();
                self.line(&format!("red.global.{op}.{word} [%a0+{at}], {r}"));
            }
            _ => match self.below(3) {
                0 if !self.in_function => {
                    let r = self.r();
                    self.line(&format!("ld.param.u32 {r}, [n]"));
                }
                1 => {
                    let n = self.below(R - 1);
                    let at = 8 * self.below(4);
                    self.line(&format!("ld.global.v2.u32 {{%r{n}, %r{}}}, [%a2+{at}]", n + 1));
                }
                _ => {
                    let (n, at) = (self.below(F - 3), 16 * self.below(2));
                    // A slot is a multiple of 8 bytes, not of 16.
                    self.line(&format!("st.global.v2.f32 [%a1+{at}], {{%f{n}, %f{}}}", n + 1));
                }
            },
        }
    }

    fn block_of_statements(&mut self) {
        self.depth += 1;
        for _ in 0..1 + self.below(4) {
            if self.statements < LONGEST {
                self.statement();
            }
        }
        self.depth -= 1;
    }

    fn branch(&mut self) {
        let label = self.labels;
        self.labels += 1;
        let (not, p) = (self.pick(&["", "!"]), self.p());
        self.plain(&format!("@{not}{p} bra ELSE{label};"));
        self.block_of_statements();
        if self.below(2) == 0 {
            self.plain(&format!("bra.uni END{label};"));
            self.plain(&format!("ELSE{label}:"));
            self.block_of_statements();
            self.plain(&format!("END{label}:"));
        } else {
            self.plain(&format!("ELSE{label}:"));
        }
    }

    /// A loop whose number of rounds is known, or depends on the thread, or that ends early.
    fn repeat(&mut self) {
        let label = self.labels;
        self.labels += 1;
        if label >= 128 {
            return;
        }
        match self.below(3) {
            0 => {
                let rounds = 1 + self.below(4);
                self.plain(&format!("mov.u32 %c{label}, {rounds};"));
            }
            _ => {
                let r = self.r();
                self.plain(&format!("and.b32 %c{label}, {r}, 3;"));
            }
        }
        self.plain(&format!("LOOP{label}:"));
        self.block_of_statements();
        if self.below(3) == 0 {
            let p = self.p();
            self.plain(&format!("@{p} bra DONE{label};"));
            self.block_of_statements();
        }
        self.plain(&format!("sub.u32 %c{label}, %c{label}, 1;"));
        self.plain(&format!("setp.gt.s32 %q{label}, %c{label}, 0;"));
        self.plain(&format!("@%q{label} bra LOOP{label};"));
        self.plain(&format!("DONE{label}:"));
    }

    /// Each thread gives one value to its neighbours.
    fn exchange(&mut self, block: u32) {
        self.statements += 1;
        let (word, kind) = [("u32", 'r'), ("u64", 'l'), ("f32", 'f')][self.below(3)];
        let (d, a, far) = (self.register(kind), self.register(kind), self.below(64));
        for line in [
            "mov.u32 %t5, all;".to_owned(),
            "mad.lo.u32 %t6, %t2, 8, %t5;".to_owned(),
            format!("st.shared.{word} [%t6], {a};"),
            "bar.sync 0;".to_owned(),
            format!("add.u32 %t6, %t2, {far};"),
            format!("rem.u32 %t6, %t6, {block};"),
            "mad.lo.u32 %t6, %t6, 8, %t5;".to_owned(),
            format!("ld.shared.{word} {d}, [%t6];"),
            "bar.sync 0;".to_owned(),
        ] {
            self.plain(&line);
        }
    }

    fn shuffle(&mut self) {
        self.statements += 1;
        if self.below(4) == 0 {
            let (d, p) = (self.r(), self.p());
            return self.plain(&format!("vote.sync.ballot.b32 {d}, {p}, -1;"));
        }
        let mode = self.pick(&["up", "down", "bfly", "idx"]);
        let segment = [0, 16, 24, 28, 30][self.below(5)] << 8;
        let clamp = segment | if mode == "up" { 0 } else { 31 };
        let (d, a, by, p) = (self.r(), self.r(), self.below(40), self.p());
        self.plain(&format!("shfl.sync.{mode}.b32 {d}|{p}, {a}, {by}, {clamp}, -1;"));
    }
}
