//! Random functions: what lowering makes of them computes what the evaluation of constant expressions does.

use crate::diagnostic::Diagnostics;
use crate::evaluate::{self, Constant, Known, Scalar};
use crate::hir::{
    Arg, Binary, Compare, Expr, ExprKind, Function, FunctionId, Init, Integer, Label, Local, LocalId,
    Logical, Place, PlaceKind, Program, Step, Stmt, StmtKind, Type, TypeKind, Unary,
};
use crate::ir::run::Machine;
use crate::ir::{self, Bounds, Inline, verify};
use crate::source::Span;

const HERE: Span = Span { lo: 0, hi: 0, expansion: 0 };
/// Elements of the array that each function has.
const ELEMENTS: u64 = 5;

/// A generator of functions of two parameters, with variables of all types, loops, branches and an array.
struct Generator {
    state: u64,
    program: Program,
    types: Vec<Type>,
    long: Type,
    boolean: Type,
    array: Type,
    locals: Vec<Local>,
    labels: u32,
}

fn expr(ty: Type, kind: ExprKind) -> Expr {
    Expr { kind, ty, span: HERE }
}

fn place(ty: Type, kind: PlaceKind) -> Place {
    Place { kind, ty, span: HERE }
}

fn stmt(kind: StmtKind) -> Stmt {
    Stmt { kind, span: HERE }
}

fn boxed(expr: Expr) -> Box<Expr> {
    Box::new(expr)
}

impl Generator {
    fn new(seed: u64) -> Self {
        let mut program = Program::default();
        let integers = [
            Integer::Char,
            Integer::UChar,
            Integer::Short,
            Integer::UShort,
            Integer::Int,
            Integer::UInt,
            Integer::Long,
            Integer::ULong,
        ];
        let mut types: Vec<Type> =
            integers.iter().map(|of| program.types.of(TypeKind::Integer(*of))).collect();
        let long = types[6];
        let boolean = program.types.of(TypeKind::Bool);
        types.extend([boolean, program.types.of(TypeKind::Float), program.types.of(TypeKind::Double)]);
        let array = program.types.of(TypeKind::Array(types[4], ELEMENTS));
        let mut generator = Self {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            program,
            types: types.clone(),
            long,
            boolean,
            array,
            locals: vec![],
            labels: 0,
        };
        for ty in types.iter().chain(&types) {
            generator.local(*ty);
        }
        generator.local(array);
        generator
    }

    fn local(&mut self, ty: Type) -> LocalId {
        let local =
            Local { name: "x".into(), ty, align: 1, restrict: false, grid_constant: false, span: HERE };
        self.locals.push(local);
        LocalId(self.locals.len() as u32 - 1)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 16) % end
    }

    fn any_type(&mut self) -> Type {
        let at = self.below(self.types.len() as u64) as usize;
        self.types[at]
    }

    /// One of the types that C computes with.
    fn computed(&mut self) -> Type {
        let at = [4, 5, 6, 7, 9, 10][self.below(6) as usize];
        self.types[at]
    }

    fn kind(&self, ty: Type) -> Scalar {
        evaluate::scalar(&self.program, ty).unwrap()
    }

    fn constant(&mut self, ty: Type) -> Expr {
        let small = self.below(9) as i128 - 4;
        let kind = match self.kind(ty) {
            Scalar::Bool => ExprKind::Integer(small & 1),
            Scalar::Integer { bits, signed } => {
                let wide = if self.below(4) == 0 { self.state as i128 } else { small };
                let shift = 128 - bits;
                let value = if signed { wide << shift >> shift } else { wide & ((1i128 << bits) - 1) };
                ExprKind::Integer(value)
            }
            Scalar::Float => ExprKind::Float(u64::from((small as f32 * 0.75).to_bits())),
            Scalar::Double => ExprKind::Float((small as f64 * 0.75).to_bits()),
            Scalar::Void | Scalar::Pointer => unreachable!(),
        };
        expr(ty, kind)
    }

    /// A variable of a type, or an element of the array.
    fn variable(&mut self, ty: Type) -> Place {
        let at = self.types.iter().position(|one| *one == ty).unwrap() as u64;
        if at == 4 && self.below(3) == 0 {
            let array = place(self.array, PlaceKind::Local(LocalId(2 * self.types.len() as u32)));
            let index = self.below(ELEMENTS) as i128;
            let index = expr(self.long, ExprKind::Integer(index));
            return place(ty, PlaceKind::Element(Box::new(array), boxed(index)));
        }
        let id = at + self.types.len() as u64 * self.below(2);
        place(ty, PlaceKind::Local(LocalId(id as u32)))
    }

    fn value(&mut self, ty: Type, depth: u32) -> Expr {
        if depth == 0 || self.below(8) == 0 {
            return match self.below(3) {
                0 => self.constant(ty),
                _ => {
                    let place = self.variable(ty);
                    expr(ty, ExprKind::Load(Box::new(place)))
                }
            };
        }
        let kind = self.kind(ty);
        let computed = self.types[4..8].contains(&ty) || self.types[9..].contains(&ty);
        let float = matches!(kind, Scalar::Float | Scalar::Double);
        match self.below(12) {
            0..=5 if computed => self.arithmetic(ty, float, depth),
            6 if computed => {
                let op = if float || self.below(2) == 0 { Unary::Negate } else { Unary::Invert };
                expr(ty, ExprKind::Unary(op, boxed(self.value(ty, depth - 1))))
            }
            7 => {
                let condition = self.value(self.boolean, depth - 1);
                let (yes, no) = (self.value(ty, depth - 1), self.value(ty, depth - 1));
                expr(ty, ExprKind::Conditional(boxed(condition), boxed(yes), boxed(no)))
            }
            8 if kind != Scalar::Bool => {
                let step = if self.below(2) == 0 { Step::Up } else { Step::Down };
                let place = self.variable(ty);
                expr(ty, ExprKind::PostStep(Box::new(place), step))
            }
            9 => {
                let effects = self.effects(depth - 1);
                expr(ty, ExprKind::Sequence(effects, boxed(self.value(ty, depth - 1))))
            }
            _ if ty == self.boolean => self.truth(depth),
            _ => {
                let from = self.any_type();
                expr(ty, ExprKind::Cast(boxed(self.value(from, depth - 1))))
            }
        }
    }

    fn arithmetic(&mut self, ty: Type, float: bool, depth: u32) -> Expr {
        let op = match self.below(if float { 4 } else { 10 }) {
            0 => Binary::Add,
            1 => Binary::Subtract,
            2 => Binary::Multiply,
            3 => Binary::Divide,
            4 => Binary::Remainder,
            5 => Binary::And,
            6 => Binary::Or,
            7 => Binary::Xor,
            8 => Binary::ShiftLeft,
            _ => Binary::ShiftRight,
        };
        let left = self.value(ty, depth - 1);
        let right = match op {
            Binary::ShiftLeft | Binary::ShiftRight => {
                let amount = self.below(32) as i128;
                expr(self.types[4], ExprKind::Integer(amount))
            }
            _ => self.value(ty, depth - 1),
        };
        expr(ty, ExprKind::Binary(op, boxed(left), boxed(right)))
    }

    fn truth(&mut self, depth: u32) -> Expr {
        let kind = match self.below(4) {
            0 => {
                let op = if self.below(2) == 0 { Logical::And } else { Logical::Or };
                let left = self.value(self.boolean, depth - 1);
                ExprKind::Logical(op, boxed(left), boxed(self.value(self.boolean, depth - 1)))
            }
            1 => ExprKind::Unary(Unary::Not, boxed(self.value(self.boolean, depth - 1))),
            _ => {
                let op = [
                    Compare::Equal,
                    Compare::NotEqual,
                    Compare::Less,
                    Compare::LessEqual,
                    Compare::Greater,
                    Compare::GreaterEqual,
                ][self.below(6) as usize];
                let ty = self.computed();
                let left = self.value(ty, depth - 1);
                ExprKind::Compare(op, boxed(left), boxed(self.value(ty, depth - 1)))
            }
        };
        expr(self.boolean, kind)
    }

    fn effects(&mut self, depth: u32) -> Vec<Stmt> {
        (0..=self.below(2)).map(|_| self.effect(depth)).collect()
    }

    fn effect(&mut self, depth: u32) -> Stmt {
        let ty = self.any_type();
        let to = Box::new(self.variable(ty));
        let kind = match self.below(4) {
            0 if ty != self.boolean => {
                let computed = self.computed();
                let float = matches!(self.kind(computed), Scalar::Float | Scalar::Double);
                let ops = [Binary::Add, Binary::Subtract, Binary::Multiply, Binary::Xor];
                let op = ops[self.below(if float { 3 } else { 4 }) as usize];
                PlaceKind::Compound(to, op, boxed(self.value(computed, depth)), computed)
            }
            1 if ty != self.boolean => {
                PlaceKind::PreStep(to, if self.below(2) == 0 { Step::Up } else { Step::Down })
            }
            _ => PlaceKind::Assign(to, boxed(self.value(ty, depth))),
        };
        stmt(StmtKind::Place(place(ty, kind)))
    }

    fn block(&mut self, depth: u32, label: Option<Label>) -> Vec<Stmt> {
        (0..=self.below(3)).map(|_| self.statement(depth, label)).collect()
    }

    fn statement(&mut self, depth: u32, label: Option<Label>) -> Stmt {
        match (self.below(8), label) {
            (0 | 1, _) if depth > 0 => {
                let condition = self.value(self.boolean, 2);
                let (yes, no) = (self.block(depth - 1, label), self.block(depth - 1, label));
                stmt(StmtKind::If(condition, yes, no))
            }
            (2, _) if depth > 0 => self.repeat(depth),
            (3, _) if depth > 0 => self.switch(depth, label),
            (4, Some(label)) if self.below(2) == 0 => {
                let condition = self.value(self.boolean, 1);
                let jump =
                    if self.below(2) == 0 { StmtKind::Break(label) } else { StmtKind::Continue(label) };
                stmt(StmtKind::If(condition, vec![stmt(jump)], vec![]))
            }
            _ => self.effect(3),
        }
    }

    /// A loop of a few iterations, counted by a variable of its own.
    fn repeat(&mut self, depth: u32) -> Stmt {
        let int = self.types[4];
        let counter = self.local(int);
        let label = Label(self.labels);
        self.labels += 1;
        let variable = || Box::new(place(int, PlaceKind::Local(counter)));
        let count = expr(int, ExprKind::Load(variable()));
        let turns = expr(int, ExprKind::Integer(self.below(4) as i128));
        let condition = ExprKind::Compare(Compare::Less, boxed(count), boxed(turns));
        let body = self.block(depth - 1, Some(label));
        let repeat = StmtKind::Loop {
            label,
            condition: Some(expr(self.boolean, condition)),
            after: self.below(3) == 0,
            step: vec![stmt(StmtKind::Place(place(int, PlaceKind::PreStep(variable(), Step::Up))))],
            body,
            unroll: None,
        };
        let start = Init::Value(expr(int, ExprKind::Integer(0)));
        stmt(StmtKind::Block(vec![stmt(StmtKind::Let(counter, Some(start))), stmt(repeat)]))
    }

    fn switch(&mut self, depth: u32, outer: Option<Label>) -> Stmt {
        let label = Label(self.labels);
        let (first, second, default) =
            (Label(self.labels + 1), Label(self.labels + 2), Label(self.labels + 3));
        self.labels += 4;
        let mut body = vec![];
        for target in [first, default, second] {
            body.push(stmt(StmtKind::Target(target)));
            body.push(self.statement(depth - 1, outer));
            if self.below(2) == 0 {
                body.push(stmt(StmtKind::Break(label)));
            }
        }
        let ty = self.types[4];
        let value = self.value(ty, 2);
        let default = if self.below(2) == 0 { Some(default) } else { None };
        let cases = vec![(-2, 1, first), (2, 40, second)];
        stmt(StmtKind::Switch { label, value, cases, default, body })
    }

    /// `long f(int, double)`: the variables get their first values, statements follow, and a sum of all variables is returned.
    fn function(&mut self) {
        let count = self.types.len();
        let mut body = vec![];
        for id in 0..2 * count {
            if id == 4 || id == count - 1 {
                continue;
            }
            let value = self.constant(self.types[id % count]);
            body.push(stmt(StmtKind::Let(LocalId(id as u32), Some(Init::Value(value)))));
        }
        let elements =
            vec![Init::Value(self.constant(self.types[4])), Init::Value(self.constant(self.types[4]))];
        let init = Init::Elements(elements, Some(Box::new(Init::Zero)));
        body.push(stmt(StmtKind::Let(LocalId(2 * count as u32), Some(init))));
        for _ in 0..4 {
            body.push(self.statement(3, None));
        }
        let ulong = self.types[7];
        let mut sum = expr(ulong, ExprKind::Integer(0));
        for id in 0..count {
            let ty = self.types[id];
            let value = expr(ty, ExprKind::Load(Box::new(place(ty, PlaceKind::Local(LocalId(id as u32))))));
            let scaled =
                ExprKind::Binary(Binary::Multiply, boxed(sum), boxed(expr(ulong, ExprKind::Integer(31))));
            let value = if matches!(self.kind(ty), Scalar::Float | Scalar::Double) {
                expr(ulong, ExprKind::Cast(boxed(expr(self.boolean, ExprKind::Cast(boxed(value))))))
            } else {
                expr(ulong, ExprKind::Cast(boxed(value)))
            };
            sum = expr(ulong, ExprKind::Binary(Binary::Add, boxed(expr(ulong, scaled)), boxed(value)));
        }
        body.push(stmt(StmtKind::Return(Some(sum))));
        // The parameters come first among the variables.
        self.program.functions.push(Function {
            name: "f".into(),
            symbol: "f".into(),
            kernel: false,
            visible: false,
            external: false,
            variadic: None,
            returned: None,
            noexcept: false,
            unwound: vec![],
            ends: vec![],
            linkage: crate::ir::Linkage::Visible,
            inline: Inline::Auto,
            bounds: Bounds::default(),
            constexpr: true,
            result: ulong,
            params: vec![LocalId(4), LocalId(count as u32 - 1)],
            locals: std::mem::take(&mut self.locals),
            body,
            span: HERE,
            end: HERE,
        });
    }
}

/// Functions of random modules, each with its seed, whose variables are values.
pub(crate) fn functions(seeds: std::ops::Range<u64>) -> impl Iterator<Item = (u64, ir::Function)> {
    let of = |seed| case(seed).0.functions.into_iter().map(move |function| (seed, function));
    seeds.flat_map(of).map(|(seed, mut function)| {
        function.resolve_operands();
        crate::passes::mem2reg::run(&mut function);
        (seed, function)
    })
}

/// Random module: arguments of its function 0, and what that returns; nothing where C++ leaves something undefined.
pub(crate) fn case(seed: u64) -> (ir::Module, [u64; 2], Option<u64>) {
    let mut generator = Generator::new(seed);
    generator.function();
    let (int, double) = (generator.types[4], generator.types[10]);
    let (number, real) = (generator.below(200) as i64 - 100, generator.below(1000) as f64 / 8.0);
    let args = vec![
        Arg::Value(expr(int, ExprKind::Integer(number.into()))),
        Arg::Value(expr(double, ExprKind::Float(real.to_bits()))),
    ];
    let ulong = generator.types[7];
    let call = expr(ulong, ExprKind::Call(FunctionId(0), args.into()));
    let expected = evaluate::evaluate(&generator.program, Known::default(), &call);
    let expected = expected.ok().and_then(Constant::integer).map(|value| value as u64);
    let mut sink = Diagnostics::default();
    let module = super::lower(&generator.program, &mut sink);
    assert_eq!(sink.list, vec![], "seed {seed}");
    (module, [number as u64, real.to_bits()], expected)
}

/// Runs one seed: true where the function has a value.
fn agrees(seed: u64) -> bool {
    let (module, args, expected) = case(seed);
    verify::verify(&module).unwrap();
    let Some(expected) = expected else { return false };
    let result = Machine::new(&module).call(ir::FunctionId(0), &args);
    assert_eq!(result, Ok(vec![expected]), "seed {seed}\n{}", module.functions[0]);
    true
}

#[test]
fn lowered_functions_compute_what_constant_expressions_do() {
    let seeds = std::env::var("SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(500);
    let valued = (0..seeds).filter(|seed| agrees(*seed)).count() as u64;
    assert!(valued > seeds / 3, "{valued} of {seeds} have a value");
}

/// Kernel `f0` … that calls function 0 … with its arguments and stores the results, one after another.
fn kernel(cases: &[[u64; 2]]) -> ir::Function {
    use ir::{Access, Op, Param, Space, Terminator};
    let mut function = ir::Function {
        name: "cases".into(),
        source_name: "cases".into(),
        kernel: true,
        visible: false,
        external: false,
        linkage: crate::ir::Linkage::Visible,
        inline: Inline::Auto,
        bounds: Bounds::default(),
        params: vec![],
        results: vec![],
        record: None,
        values: vec![],
        insts: vec![],
        blocks: vec![],
        replaced: false,
        inlined: vec![],
        span: HERE,
        end: HERE,
    };
    let entry = function.block();
    let out = function.block_param(entry, ir::Type::Ptr(Space::Generic));
    let param = Param {
        name: "out".into(),
        value: out,
        bytes: None,
        restrict: false,
        points_to_const: false,
        record: None,
    };
    function.params.push(param);
    let access = Access { align: 8, volatile: false, invariant: false, cache: None };
    for (number, [first, second]) in cases.iter().enumerate() {
        let mut constant = |ty, bits| function.value(ty, ir::Def::constant(bits));
        let first = constant(ir::Type::I32, first & 0xffff_ffff);
        let second = constant(ir::Type::F64, *second);
        let offset = constant(ir::Type::I64, number as u64 * 8);
        let mut add = |op, args, results: &[ir::Type]| {
            let inst = function.inst(op, args, results, ir::DebugLocation::default());
            function.blocks[0].insts.push(inst);
            function.insts[inst.index()].results.first().copied()
        };
        let call = Op::Call(ir::FunctionId(number as u32));
        let value = add(call, vec![first, second], &[ir::Type::I64]).unwrap();
        let to = add(Op::Offset, vec![out, offset], &[ir::Type::Ptr(Space::Generic)]).unwrap();
        add(Op::Store(access), vec![to, value], &[]);
    }
    function.blocks[0].end = Terminator::Return(vec![]);
    function
}

/// Run by hand.
mod by_hand {
    use super::*;

    /// Writes PTX, a job and the expected results to the folder that `CASES` names, for `launch`; of optimised functions where
    /// `OPTIMIZE` is set.
    #[test]
    #[ignore = "writes files for a device"]
    fn random_functions_as_ptx() {
        let folder = std::path::PathBuf::from(std::env::var("CASES").unwrap());
        let first: u64 = std::env::var("FIRST").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
        let mut module = ir::Module::default();
        let (mut all, mut results) = (vec![], vec![]);
        for seed in first..first + 200 {
            let (mut one, args, Some(expected)) = case(seed) else { continue };
            let mut function = one.functions.remove(0);
            function.name = format!("f{}_{seed}", module.functions.len());
            module.functions.push(function);
            all.push(args);
            results.extend(expected.to_le_bytes());
        }
        let kernel = kernel(&all);
        module.functions.push(kernel);
        verify::verify(&module).unwrap();
        if std::env::var("OPTIMIZE").is_ok() {
            crate::passes::optimize(&mut module);
            crate::passes::finish(&mut module, true);
        }
        let target = crate::emit::Target {
            arch: crate::options::Arch { number: 90, suffix: None },
            fmad: false,
            fast_math: false,
            lines: false,
        };
        let (ptx, _) = crate::emit::emit(module, &crate::source::Sources::default(), target).unwrap();
        std::fs::write(folder.join("cases.ptx"), ptx).unwrap();
        std::fs::write(folder.join("cases.expected.bin"), &results).unwrap();
        let job = format!(
            "module = \"cases.ptx\"\nbuffer = [{{ name = \"out\", type = \"u64\", len = {} }}]\nlaunch = [{{ kernel = \
         \"cases\", grid = [1, 1, 1], block = [1, 1, 1], args = [{{ buffer = \"out\" }}] }}]\noutput = [{{ buffer = \
         \"out\", file = \"cases.expected.bin\" }}]\n",
            all.len()
        );
        std::fs::write(folder.join("cases.toml"), job).unwrap();
    }
}
