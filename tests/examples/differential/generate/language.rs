//! Parts of C++ that kernels use now and then: chosen places, ranges, bit-fields, unions, bases, bindings, packs, `goto`.

use super::Ty::{Float, Int, Short, UInt, ULong};
use super::{Generator, Variable};

impl Generator {
    /// One of these parts, for one thread.
    pub(super) fn part(&mut self) {
        match self.below(12) {
            0 => self.chosen(),
            1 => self.each(),
            2 => self.bit_field(),
            3 => self.union(),
            4 => self.based(),
            5 => self.binding(),
            6 => self.pack(),
            7 => self.jump(),
            8 => self.places(),
            9 => self.walk(),
            10 => self.copied(),
            _ => self.effects(),
        }
    }

    /// An assignment to one of two variables.
    fn chosen(&mut self) {
        let Some(first) = self.pick(|one| one.assignable && one.array.is_none()) else {
            return self.variable();
        };
        let second = self.pick(|one| {
            one.assignable && one.array.is_none() && one.ty == first.ty && one.level == first.level
        });
        let second = second.unwrap_or_else(|| first.clone()).name;
        let (condition, level) = (self.condition(2), first.level.min(2));
        let value = self.expression(first.ty, level);
        // Sums of floats could leave what their level allows.
        let operator = if first.ty.is_float() || !matches!(first.ty, UInt | ULong) || self.chance(50) {
            "="
        } else {
            "+="
        };
        self.line(&format!("({condition} ? {} : {second}) {operator} {value};", first.name));
    }

    /// Loops over an array's elements.
    fn each(&mut self) {
        let Some(Variable { name, ty, level, .. }) =
            self.pick(|one| one.array.is_some() && one.assignable && !one.name.starts_with("ptr"))
        else {
            return self.array();
        };
        let [element, found] = ["e", "v"].map(|stem| self.fresh(stem));
        let word = ty.name();
        match self.below(3) {
            0 => {
                let value = self.expression(ty, level.min(2));
                let condition = self.condition(1);
                self.open(&format!("for ({word} &{element} : {name})"));
                self.line(&format!("if ({condition}) {element} = {value};"));
                self.close("");
            }
            1 => {
                self.line(&format!("{word} {found} = {name}[0];"));
                self.unroll();
                self.open(&format!("for (const auto &{element} : {name})"));
                self.line(&format!("if ({element} > {found}) {found} = {element};"));
                self.close("");
                self.declare_level(&found, ty, None, true, level);
            }
            _ => {
                let most = self.literal(ty);
                self.line(&format!("unsigned {found} = 0;"));
                self.open(&format!("for ({word} {element} : {name})"));
                self.line(&format!("if ({element} == ({word})({most})) break;"));
                self.line(&format!("if ({element} < 2) continue;"));
                self.line(&format!("{found}++;"));
                self.close("");
                self.declare(&found, UInt, None, true);
            }
        }
    }

    /// Members of some bits.
    fn bit_field(&mut self) {
        let (name, prefix) = (self.fresh("bits"), self.prefix.clone());
        let members = ["low", "middle", "high", "signed_", "wide"];
        self.line(&format!("{prefix}_bits {name} = {{}};"));
        for _ in 0..=self.below(3) {
            let member = members[self.below(5) as usize];
            let value = self.expression(UInt, 2);
            let operator = if member != "signed_" && self.chance(30) { "+=" } else { "=" };
            let value = if member == "signed_" { format!("(int)(({value}) & 15) - 8") } else { value };
            self.line(&format!("{name}.{member} {operator} {value};"));
        }
        if self.chance(30) {
            self.line(&format!("{name}.middle++;"));
        }
        let found = self.fresh("v");
        let (a, b) = (members[self.below(5) as usize], members[self.below(5) as usize]);
        self.line(&format!("unsigned {found} = (unsigned){name}.{a} * 31u + (unsigned){name}.{b};"));
        self.declare(&found, UInt, None, true);
    }

    /// One member of a union written, another read.
    fn union(&mut self) {
        let [name, found] = ["u", "v"].map(|stem| self.fresh(stem));
        let prefix = self.prefix.clone();
        let value = self.expression(ULong, 2);
        self.line(&format!("{prefix}_union {name};"));
        self.line(&format!("{name}.all = {value};"));
        if self.chance(50) {
            let (at, half) = (self.index(4), self.expression(UInt, 2));
            self.line(&format!("{name}.halves[{at}] = (unsigned short)({half});"));
        }
        let at = self.index(8);
        let read = match self.below(4) {
            0 => format!("{name}.bytes[{at}]"),
            1 => format!("{name}.word.high ^ {name}.word.low"),
            2 => format!("{name}.halves[{}]", self.below(4)),
            _ => format!("(unsigned)({name}.all >> 7)"),
        };
        self.line(&format!("unsigned {found} = {read};"));
        self.declare(&found, UInt, None, true);
    }

    /// Objects of a struct with a base, static members and a template's arguments.
    fn based(&mut self) {
        let [name, found] = ["o", "v"].map(|stem| self.fresh(stem));
        let prefix = self.prefix.clone();
        let (a, b) = (self.expression(UInt, 2), self.expression(UInt, 2));
        let size = [2, 3, 4, 8][self.below(4) as usize];
        self.line(&format!("{prefix}_derived<{size}> {name}({a}, {b});"));
        if self.chance(60) {
            let (at, value) = (self.expression(UInt, 1), self.expression(UInt, 2));
            self.line(&format!("{name}.put({at}, {value}).put(1, {name}.first());"));
        }
        if self.chance(30) {
            let copy = self.fresh("o");
            self.line(&format!("{prefix}_derived<{size}> {copy} = {name};"));
            self.line(&format!("{copy}.key += {name}.first();"));
            self.line(&format!("{name} = {copy};"));
        }
        self.line(&format!("unsigned {found} = {name}.total() + {prefix}_key({name});"));
        self.declare(&found, UInt, None, true);
        self.declare(&format!("{name}.key"), UInt, None, true);
    }

    /// Names for the members of a value.
    fn binding(&mut self) {
        let [a, b, c] = ["n", "n", "n"].map(|stem| self.fresh(stem));
        let prefix = self.prefix.clone();
        let (x, y) = (self.expression(UInt, 2), self.expression(Int, 2));
        let value = self.expression(Float, if self.kind.exact { 0 } else { 2 });
        self.line(&format!("auto [{a}, {b}, {c}] = {prefix}_three({x}, {y}, {value});"));
        if self.chance(30) {
            self.line(&format!("{a} += {b} & 3;"));
        }
        // In C++17 no lambda captures such a name.
        for (name, ty) in [(a, UInt), (b, Int), (c, Float)] {
            let copy = self.fresh("v");
            self.line(&format!("{} {copy} = {name};", ty.name()));
            self.declare(&copy, ty, None, true);
        }
    }

    /// Any number of arguments.
    fn pack(&mut self) {
        let (found, prefix) = (self.fresh("v"), self.prefix.clone());
        let count = self.below(4) + 1;
        let values: Vec<String> = (0..count)
            .map(|_| {
                let ty = [UInt, Int, ULong, Short][self.below(4) as usize];
                let value = self.expression(ty, 2);
                format!("({})({value})", ty.name())
            })
            .collect();
        let how = if self.chance(50) { "mixed" } else { "folded" };
        self.line(&format!("unsigned {found} = {prefix}_{how}({});", values.join(", ")));
        self.declare(&found, UInt, None, true);
    }

    /// A loop by `goto`, and one that is left by it.
    fn jump(&mut self) {
        if self.loops > 1 {
            return self.assign();
        }
        let [label, turns] = ["label", "v"].map(|stem| self.fresh(stem));
        let (start, trips) = (self.expression(UInt, 1), self.below(6) + 1);
        self.line(&format!("unsigned {turns} = ({start}) & 3;"));
        if self.chance(50) {
            self.line(&format!("{label}:"));
            self.line(&format!("if ({turns}++ < {trips}u) goto {label};"));
        } else {
            let [i, j] = ["i", "j"].map(|stem| self.fresh(stem));
            let (modulus, limit) = (self.below(7) + 2, self.below(30));
            self.open(&format!("for (unsigned {i} = 0; {i} < 6; {i}++)"));
            self.open(&format!("for (unsigned {j} = 0; {j} < 5; {j}++)"));
            self.line(&format!(
                "if ((pu[{i} * 5 + {j}] % {modulus}u) == 1 && {turns} > {limit}u) goto {label};"
            ));
            self.line(&format!("{turns} += {i} ^ {j};"));
            self.close("");
            self.close("");
            self.line(&format!("{label}:"));
            self.line(&format!("{turns} *= 3;"));
        }
        self.declare(&turns, UInt, None, true);
    }

    /// Pointers in an array, and a pointer to a pointer.
    fn places(&mut self) {
        let Some(first) = self.pick(|one| one.assignable && one.array.is_none()) else {
            return self.variable();
        };
        let second = self.pick(|one| {
            one.assignable && one.array.is_none() && one.ty == first.ty && one.level == first.level
        });
        let second = second.unwrap_or_else(|| first.clone()).name;
        let (name, word) = (self.fresh("places"), first.ty.name());
        self.line(&format!("{word} *{name}[2] = {{&{}, &{second}}};", first.name));
        if self.chance(40) {
            let other = self.fresh("other");
            let at = self.index(2);
            self.line(&format!("{word} **{other} = {name} + ({at});"));
            self.line(&format!("if (*{other} != {name}[0]) *{other} = {name}[0];"));
        }
        let (at, value) = (self.index(2), self.expression(first.ty, first.level.min(2)));
        self.line(&format!("*{name}[{at}] = {value};"));
        let read = self.fresh("v");
        let at = self.index(2);
        self.line(&format!("{word} {read} = *{name}[{at}];"));
        self.declare_level(&read, first.ty, None, true, first.level);
    }

    /// A pointer that goes through an array from its end or its start.
    fn walk(&mut self) {
        let Some(Variable { name, ty, array: Some(length), level, .. }) =
            self.pick(|one| one.array.is_some())
        else {
            return self.array();
        };
        let [p, found] = ["walk", "v"].map(|stem| self.fresh(stem));
        let word = ty.name();
        self.line(&format!("{word} {found} = {name}[0];"));
        match self.below(3) {
            0 => {
                self.unroll();
                self.open(&format!("for (const {word} *{p} = {name}; {p} != {name} + {length}; ++{p})"));
                self.line(&format!("if (*{p} < {found}) {found} = *{p};"));
                self.close("");
            }
            1 => {
                self.line(&format!("const {word} *{p} = {name} + {length};"));
                self.open(&format!("while ({p} > {name})"));
                self.line(&format!("if (*--{p} > {found}) {{ {found} = *{p}; break; }}"));
                self.close("");
            }
            _ => {
                let at = self.index(length);
                self.line(&format!("const {word} *{p} = &{name}[{at}];"));
                self.line(&format!("if ({p} - {name} > {}) {found} = {p}[-1];", length / 2));
            }
        }
        self.declare_level(&found, ty, None, true, level);
    }

    /// Bytes copied from one object to another.
    fn copied(&mut self) {
        let [from, to, found] = ["from", "to", "v"].map(|stem| self.fresh(stem));
        let (a, b) = (self.expression(UInt, 2), self.expression(ULong, 2));
        let last = self.below(1000);
        self.line(&format!("unsigned {from}[4] = {{({a}), 7u, (unsigned)({b}), {last}u}};"));
        match self.below(3) {
            0 => {
                self.line(&format!("unsigned long long {to}[2];"));
                self.line(&format!("memcpy({to}, {from}, sizeof({to}));"));
            }
            1 => {
                self.line(&format!("unsigned char {to}[16];"));
                let (byte, start, count) = (self.below(256), self.below(4), self.below(9));
                self.line(&format!("memset({to}, {byte}, sizeof {to});"));
                self.line(&format!("memcpy({to} + {start}, {from}, {count});"));
            }
            _ => {
                self.line(&format!("uint2 {to}v;"));
                self.line(&format!("memcpy(&{to}v, &{from}[1], sizeof(uint2));"));
                self.line(&format!("unsigned {to}[2] = {{{to}v.x, {to}v.y}};"));
            }
        }
        let at = self.index(2);
        self.line(&format!("unsigned {found} = (unsigned){to}[{at}];"));
        self.declare(&found, UInt, None, true);
    }

    /// Conditions that change what they ask, as far as they are asked.
    fn effects(&mut self) {
        let Some(counter) =
            self.pick(|one| one.assignable && one.array.is_none() && matches!(one.ty, UInt | ULong))
        else {
            return self.variable();
        };
        let (name, found) = (counter.name, self.fresh("v"));
        let (a, b) = (self.below(100), self.condition(1));
        let text = match self.below(4) {
            0 => format!("({name}++ > {a}u && {b}) || ({name} ^= 5) > {a}u"),
            1 => format!("({b} ? {name} += 3 : {name} -= 1) > {a}u"),
            2 => format!("({name} *= 3, {name} & 4) != 0"),
            _ => format!("!({b}) && --{name} && ({name} >>= 1) > 2"),
        };
        self.line(&format!("unsigned {found} = ({text}) ? {name} : 1u;"));
        self.declare(&found, UInt, None, true);
    }

    /// What these parts use.
    pub(super) fn part_declarations(&mut self) {
        let prefix = self.prefix.clone();
        let (a, b) = (self.below(50) + 1, self.below(50));
        let widths: Vec<u32> = (0..4).map(|_| self.below(9) + 2).collect();
        self.line(&format!("struct {prefix}_bits {{"));
        self.line(&format!("    unsigned low : {}, middle : {};", widths[0], widths[1]));
        self.line(&format!("    unsigned high : {};", widths[2]));
        self.line("    int signed_ : 5;");
        self.line(&format!("    unsigned long long wide : {};", 30 + widths[3]));
        self.line("};");
        self.line(&format!(
            "union {prefix}_union {{ unsigned long long all; unsigned short halves[4]; unsigned char bytes[8]; struct {{ unsigned low, high; }} word; }};"
        ));
        self.line(&format!("struct {prefix}_base {{"));
        self.line(&format!("    static constexpr unsigned factor = {a};"));
        self.line("    unsigned key;");
        self.line(&format!("    __device__ explicit {prefix}_base(unsigned key) : key(key * factor) {{}}"));
        self.line("    __device__ unsigned first() const { return key >> 1; }");
        self.line("};");
        self.line(&format!(
            "__device__ unsigned {prefix}_key(const {prefix}_base &base) {{ return base.key + {b}u; }}"
        ));
        self.line(&format!(
            "template <int N, typename T = unsigned> struct {prefix}_derived : {prefix}_base {{"
        ));
        self.line("    T items[N];");
        self.line(&format!(
            "    __device__ {prefix}_derived(unsigned key, T start) : {prefix}_base(key) {{ for (int i = 0; i < N; i++) items[i] = start + i; }}"
        ));
        self.line(&format!(
            "    __device__ {prefix}_derived &put(unsigned at, T value) {{ items[at % N] = value; this->key++; return *this; }}"
        ));
        self.line("    __device__ T total() const { T sum = 0; for (T item : items) sum = sum * 5u + item; return sum; }");
        self.line("};");
        self.line(&format!("struct {prefix}_three_of {{ unsigned a; int b; float c; }};"));
        self.line(&format!(
            "__device__ {prefix}_three_of {prefix}_three(unsigned a, int b, float c) {{ return {{a + {b}u, b ^ {a}, c}}; }}"
        ));
        self.line(&format!("__device__ unsigned {prefix}_mixed() {{ return {a}u; }}"));
        self.line("template <typename First, typename... Rest>");
        self.line(&format!(
            "__device__ unsigned {prefix}_mixed(First first, Rest... rest) {{ return (unsigned)first * sizeof...(rest) + {prefix}_mixed(rest...); }}"
        ));
        self.line("template <typename... Values>");
        self.line(&format!(
            "__device__ unsigned {prefix}_folded(Values... values) {{ return ((unsigned)values ^ ... ^ {b}u); }}"
        ));
    }
}
