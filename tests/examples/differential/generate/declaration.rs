//! Declarations of a kernel, and its body.

use super::Ty::{Double, Float, Int, Long, UInt};
use super::{BLOCKS, Function, Generator, MOST, OUTPUTS, THREADS, Ty, Variable};

impl Generator {
    pub(super) fn structure(&mut self) {
        let (first, second) = (self.ty(), self.ty());
        let name = format!("{}_record", self.prefix);
        self.open(&format!("struct {name}"));
        self.line(&format!("{} a;", first.name()));
        self.line(&format!("{} c[4];", second.name()));
        let start = self.below(1000);
        self.line(&format!("unsigned b = {start};"));
        self.line(&format!("__device__ {name}({} a, {} x) : a(a) {{", first.name(), second.name()));
        self.line("    for (int i = 0; i < 4; i++) c[i] = x;");
        self.line("}");
        let sum = if second.is_float() {
            "c[0] + c[1] * c[2] - c[3]".to_owned()
        } else {
            format!("({0})c[0] + ({0})c[1] * ({0})c[2] - ({0})c[3]", second.unsigned())
        };
        self.line(&format!("__device__ {} total() const {{ return {sum}; }}", second.name()));
        self.line(&format!("__device__ void set(int i, {} x) {{ c[i & 3] = x; b++; }}", second.name()));
        self.close(";");
        self.record = Some((first, second));
    }

    /// Templates and tables that statements use.
    pub(super) fn shared_declarations(&mut self) {
        let prefix = self.prefix.clone();
        if self.kind.exact {
            self.line("template <typename T>");
            self.line(&format!("__device__ T {prefix}_small(T x) {{ return (T)((int)x % {}); }}", MOST + 1));
        }
        self.line("template <int N, typename T>");
        self.open(&format!("__device__ T {prefix}_best(const T *values, T start)"));
        self.unroll();
        self.line("for (int i = 0; i < N; i++)");
        let operator = if self.chance(50) { "<" } else { ">" };
        self.line(&format!("    if (start {operator} values[i]) start = values[i];"));
        self.line("return start;");
        self.close("");
        self.line("template <typename T>");
        self.open(&format!("__device__ void {prefix}_least(T &place, T value)"));
        self.line("if (value < place) place = value;");
        self.close("");
        self.line("template <typename T>");
        self.open(&format!("struct {prefix}_box"));
        self.line("T value;");
        self.line("__device__ T get() const { return value; }");
        self.line(&format!("__device__ {prefix}_box least(const {prefix}_box &other) const {{ return value < other.value ? *this : other; }}"));
        self.line(&format!("__device__ {prefix}_box operator*({prefix}_box other) const {{ return {{value * other.value + T(1)}}; }}"));
        self.close(";");
        for _ in 0..self.below(3) {
            let (ty, name) = (self.ty(), self.fresh("table"));
            let qualifier = ["__constant__", "__device__ const", "__constant__"][self.below(3) as usize];
            let values: Vec<String> = (0..8).map(|_| self.literal(ty)).collect();
            self.line(&format!("{qualifier} {} {prefix}_{name}[8] = {{{}}};", ty.name(), values.join(", ")));
            self.declare(&format!("{prefix}_{name}"), ty, Some(8), false);
        }
    }

    /// A struct that is passed and returned by value.
    pub(super) fn by_value(&mut self) {
        let (first, second) = (self.ty(), self.ty());
        let prefix = self.prefix.clone();
        self.open(&format!("struct {prefix}_pair"));
        self.line(&format!("{} a; {} b; float f;", first.name(), second.name()));
        self.close(";");
        let inline = ["", "", "__forceinline__ ", "__noinline__ "][self.below(4) as usize];
        self.open(&format!(
            "__device__ {inline}{prefix}_pair {prefix}_make({} a, {} b, float f)",
            first.name(),
            second.name()
        ));
        self.line(&format!("{prefix}_pair made;"));
        self.line("made.a = a;");
        self.line("made.b = b;");
        let value = self.reduced("f * 2.0f", Float);
        self.line(&format!("made.f = {value};"));
        self.line("return made;");
        self.close("");
        self.open(&format!(
            "__device__ {inline}{prefix}_pair {prefix}_combine({prefix}_pair x, const {prefix}_pair &y)"
        ));
        self.line("if (y.a < x.a) x.a = y.a;");
        let value = self.reduced("x.f * y.f + x.f", Float);
        self.line(&format!("x.f = {value};"));
        self.line("return x;");
        self.close("");
        self.open(&format!("__device__ {prefix}_pair operator+({prefix}_pair x, {prefix}_pair y)"));
        let value = self.reduced("x.f + y.f", Float);
        self.line(&format!("return {prefix}_pair{{y.a, x.b, {value}}};"));
        self.close("");
        self.open(&format!("__device__ {inline}void {prefix}_update({prefix}_pair &x, {} b)", second.name()));
        self.line("if (b < x.b) { x.b = b; return; }");
        if self.kind.exact {
            let value = self.reduced("x.f - 2.0f * (float)((int)b & 3)", Float);
            self.line(&format!("x.f = {value};"));
        } else {
            self.line("x.f -= 0.5f * (float)b;");
        }
        self.close("");
        self.pair = Some((first, second));
    }

    pub(super) fn function(&mut self) {
        let result = self.ty();
        let name = format!("{}_{}", self.prefix, self.functions.len());
        let parameters: Vec<Ty> = (0..=self.below(3)).map(|_| self.ty()).collect();
        let templates = u32::from(self.chance(30));
        let words: Vec<String> =
            parameters.iter().enumerate().map(|(n, ty)| format!("{} p{n}", ty.name())).collect();
        if templates > 0 {
            self.line("template <int N>");
        }
        let inline = ["", "", "__forceinline__ ", "__noinline__ "][self.below(4) as usize];
        self.open(&format!(
            "__device__ {inline}{} {name}({}, const int *pi, const unsigned *pu, const long long *pl, const float *pf, const double *pd)",
            result.name(),
            words.join(", ")
        ));
        let record = self.record.take();
        for (n, ty) in parameters.iter().enumerate() {
            self.declare(&format!("p{n}"), *ty, None, true);
        }
        if templates > 0 {
            self.line("int templated = N * 3;");
            self.declare("templated", Int, None, true);
        }
        let functions = std::mem::take(&mut self.functions);
        self.loops = 1;
        let level = if self.kind.exact { self.below(3) } else { 2 };
        self.statements(2, 4);
        if self.chance(30) {
            let (condition, value) = (self.condition(1), self.expression(result, level.min(1)));
            self.line(&format!("if ({condition}) return {value};"));
            self.statements(1, 2);
        }
        self.loops = 0;
        let value = if level == 0 { self.small(result, 2) } else { self.expression(result, level) };
        self.line(&format!("return {value};"));
        self.close("");
        self.record = record;
        self.functions = functions;
        self.functions.push(Function { name, result, parameters, templates, level });
    }

    pub(super) fn file(&mut self) {
        self.scopes.push(vec![]);
        if self.kind.halves {
            self.line("#include <cuda_fp16.h>");
        }
        self.shared_declarations();
        self.idiom_declarations();
        self.part_declarations();
        if self.chance(60) {
            self.structure();
        }
        if self.chance(50) {
            self.by_value();
        }
        for _ in 0..self.below(4) {
            self.function();
        }
        let name = self.prefix.clone();
        self.open(&format!(
            "extern \"C\" __global__ void {name}(const int *__restrict__ pi, const unsigned *pu, const long long *pl, const float *pf, const double *pd, int *oi, unsigned *ou, long long *ol, float *of, double *od, int n, float x)"
        ));
        self.declare("n", Int, None, true);
        self.declare("x", Float, None, true);
        self.line("unsigned t = blockIdx.x * blockDim.x + threadIdx.x;");
        self.declare("t", UInt, None, false);
        self.line("int column = own.x, row = own.y;");
        self.declare("column", Int, None, true);
        self.declare("row", Int, None, true);
        if self.chance(30) {
            self.line(&format!("if (t >= {}u) return;", THREADS * BLOCKS));
        }
        if let Some((first, second)) = self.record {
            let (a, b) = (self.leaf(first), self.leaf(second));
            self.line(&format!("{name}_record rec({a}, {b});"));
        }
        self.uniform = true;
        for round in 0..self.below(8) + 4 {
            self.statement(3);
            if self.record.is_some() && round % 3 == 1 {
                let second = self.record.map_or(Int, |one| one.1);
                let (index, value) =
                    (self.expression(Int, 1), self.expression(second, if self.kind.exact { 1 } else { 2 }));
                self.line(&format!("rec.set({index}, {value});"));
            }
        }
        self.uniform = false;
        self.outputs();
        self.close("");
    }

    /// Every variable that is still in scope reaches an output.
    pub(super) fn outputs(&mut self) {
        let variables: Vec<Variable> = self.scopes.iter().flatten().cloned().collect();
        let outputs = [("oi", Int), ("ou", UInt), ("ol", Long), ("of", Float), ("od", Double)];
        for (name, ty) in outputs {
            if self.chance(8) {
                let condition = self.condition(1);
                self.line(&format!("if ({condition}) return;"));
            }
            for place in 0..self.below(OUTPUTS) + 1 {
                let mut value = self.expression(ty, 3);
                if let Some(one) = variables.get((place as usize * 5 + ty as usize) % variables.len().max(1))
                    && one.array.is_none()
                    && !one.ty.is_float()
                    && !ty.is_float()
                {
                    value = format!("({})(({})({value}) ^ ({1}){})", ty.name(), ty.unsigned(), one.name);
                }
                if self.chance(20) {
                    let condition = self.condition(1);
                    self.line(&format!("if ({condition})"));
                }
                self.line(&format!("{name}[t * {OUTPUTS} + {place}] = {value};"));
                if name == "ou" && self.chance(10) {
                    let (how, value) = (
                        ["atomicAdd", "atomicMax", "atomicExch"][self.below(3) as usize],
                        self.expression(UInt, 1),
                    );
                    self.line(&format!("{how}(&ou[t * {OUTPUTS} + {place}], {value});"));
                }
            }
        }
    }
}
