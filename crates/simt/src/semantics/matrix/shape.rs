//! Shapes and types of a product, and which lane holds which element in which register (PTX ISA 9.7.14).

/// Types of the elements of factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    F16,
    Bf16,
    /// In 32 bits, of which the low 13 are not looked at.
    Tf32,
    F64,
    E4m3,
    E5m2,
    /// Integers of 4 or 8 bits.
    Whole {
        bits: u8,
        signed: bool,
    },
    /// 32 elements of one bit, which are one element here: ones of `and`, or of exclusive or, are counted.
    Bits {
        and: bool,
    },
}

/// Types of sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sum {
    F16,
    F32,
    F64,
    S32,
}

/// `d = a * b + c` of matrices of `m` by `k`, `k` by `n` and `m` by `n` elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Product {
    pub(crate) m: usize,
    pub(crate) n: usize,
    pub(crate) k: usize,
    pub(crate) a: Element,
    pub(crate) b: Element,
    pub(crate) c: Sum,
    pub(crate) d: Sum,
    /// Integer sums are bounded and do not wrap.
    pub(crate) saturate: bool,
    /// How many products are added at once, of floating-point numbers of up to 32 bits: all, but of `.tf32`.
    pub(crate) step: usize,
}

impl Element {
    /// Bits of an element.
    pub(crate) fn bits(self) -> u32 {
        match self {
            Element::F16 | Element::Bf16 => 16,
            Element::Tf32 | Element::Bits { .. } => 32,
            Element::F64 => 64,
            Element::E4m3 | Element::E5m2 => 8,
            Element::Whole { bits, .. } => bits.into(),
        }
    }

    /// Elements of a register.
    pub(crate) fn in_register(self) -> usize {
        (32 / self.bits()).max(1) as usize
    }

    /// One of a register's elements; integers are extended.
    pub(super) fn element(self, register: u64, e: usize) -> u64 {
        let bits = self.bits();
        let up = register >> (bits * e as u32) << (64 - bits);
        match self {
            Element::Whole { signed: true, .. } => (up as i64 >> (64 - bits)) as u64,
            Element::Whole { signed: false, .. }
            | Element::Bits { .. }
            | Element::F16
            | Element::Bf16
            | Element::Tf32
            | Element::F64
            | Element::E4m3
            | Element::E5m2 => up >> (64 - bits),
        }
    }
}

impl Sum {
    /// Elements of a register.
    pub(super) fn in_register(self) -> usize {
        if self == Sum::F16 { 2 } else { 1 }
    }

    pub(super) fn mask(self) -> u64 {
        match self {
            Sum::F16 => 0xffff,
            Sum::F32 | Sum::S32 => 0xffff_ffff,
            Sum::F64 => u64::MAX,
        }
    }
}

impl Product {
    /// Registers of `a`, of `b`, and of sums.
    pub(crate) fn a_registers(&self) -> usize {
        self.m * self.k / 32 / self.a.in_register()
    }

    pub(crate) fn b_registers(&self) -> usize {
        self.k * self.n / 32 / self.b.in_register()
    }

    pub(crate) fn sum_registers(&self, sum: Sum) -> usize {
        self.m * self.n / 32 / sum.in_register()
    }

    /// Row and `k` of an element of `a`: registers are 8 rows of 4 lanes, the lower half of 16 rows first.
    pub(super) fn place_of_a(&self, register: usize, lane: usize, e: usize) -> (usize, usize) {
        let (halves, width) = (self.m / 8, self.a.in_register());
        (lane / 4 + register % halves * 8, (register / halves * 4 + lane % 4) * width + e)
    }

    /// `k` and column of an element of `b`.
    pub(super) fn place_of_b(&self, register: usize, lane: usize, e: usize) -> (usize, usize) {
        ((register * 4 + lane % 4) * self.b.in_register() + e, lane / 4)
    }
}

/// Row and column of an element of a sums' register.
#[inline(always)]
pub(super) fn place_of_lane(sum: Sum, register: usize, lane: usize, e: usize) -> (usize, usize) {
    let nth = register * sum.in_register() + e;
    (lane / 4 + nth / 2 * 8, lane % 4 * 2 + nth % 2)
}
