//! Statements that compute: each one instruction of a family, on registers and numbers.

use super::{Maker, R};

impl Maker<'_> {
    pub(super) fn integer32(&mut self) {
        let sign = self.pick(&["u32", "s32"]);
        match self.below(16) {
            0 | 1 => self.three(&format!("add.{sign}"), 'r', 2),
            2 => self.three(&format!("sub.{sign}"), 'r', 2),
            3 => self.three(&format!("mul.lo.{sign}"), 'r', 2),
            4 => self.three(&format!("mul.hi.{sign}"), 'r', 2),
            5 | 6 => self.three(&format!("mad.lo.{sign}"), 'r', 3),
            7 => {
                let op = self.pick(&["min", "max"]);
                self.three(&format!("{op}.{sign}"), 'r', 2);
            }
            8 | 9 => {
                let op = self.pick(&["and", "or", "xor"]);
                self.three(&format!("{op}.b32"), 'r', 2);
            }
            10 => self.three("shl.b32", 'r', 2),
            11 => self.three(&format!("shr.{sign}"), 'r', 2),
            12 => {
                let op = self.pick(&["div", "rem"]);
                self.three(&format!("{op}.{sign}"), 'r', 2);
            }
            13 => self.three(&format!("sad.{sign}"), 'r', 3),
            14 => {
                let op = self.pick(&["neg.s32", "abs.s32", "not.b32", "cnot.b32"]);
                self.three(op, 'r', 1);
            }
            _ => self.three("mad.hi.s32", 'r', 3),
        }
    }

    pub(super) fn bits(&mut self) {
        match self.below(8) {
            0 => {
                let op = self.pick(&["popc", "clz", "brev"]);
                self.three(&format!("{op}.b32"), 'r', 1);
            }
            1 => {
                let op = self.pick(&["popc", "clz"]);
                let (d, a) = (self.r(), self.l());
                self.line(&format!("{op}.b64 {d}, {a}"));
            }
            2 => {
                let sign = self.pick(&["u32", "s32"]);
                self.three(&format!("bfe.{sign}"), 'r', 3);
            }
            3 => self.three("bfi.b32", 'r', 4),
            4 => {
                let (d, a, b, c, table) =
                    (self.r(), self.source('r'), self.source('r'), self.source('r'), self.byte());
                self.line(&format!("lop3.b32 {d}, {a}, {b}, {c}, {table}"));
            }
            5 => self.three("prmt.b32", 'r', 3),
            6 => {
                let op = self.pick(&["l.wrap", "r.wrap", "l.clamp", "r.clamp"]);
                self.three(&format!("shf.{op}.b32"), 'r', 3);
            }
            _ => self.three("brev.b64", 'l', 1),
        }
    }

    pub(super) fn integer64(&mut self) {
        let sign = self.pick(&["u64", "s64"]);
        match self.below(10) {
            0 | 1 => {
                let op = self.pick(&["add", "sub", "mul.lo", "mul.hi", "min", "max"]);
                self.three(&format!("{op}.{sign}"), 'l', 2);
            }
            2 => self.three(&format!("mad.lo.{sign}"), 'l', 3),
            3 => {
                let op = self.pick(&["and", "or", "xor"]);
                self.three(&format!("{op}.b64"), 'l', 2);
            }
            4 => {
                let op = self.pick(&["shl.b64", "shr.u64", "shr.s64"]);
                let (d, a, by) = (self.l(), self.source('l'), self.source('r'));
                self.line(&format!("{op} {d}, {a}, {by}"));
            }
            5 => {
                // What division by zero gives is not defined.
                let op = self.pick(&["div", "rem"]);
                let (d, a, b) = (self.l(), self.source('l'), self.l());
                self.plain(&format!("or.b64 %a3, {b}, 1;"));
                self.line(&format!("{op}.{sign} {d}, {a}, %a3"));
            }
            6 | 7 => {
                let sign = self.pick(&["u32", "s32"]);
                let (d, a, b) = (self.l(), self.source('r'), self.source('r'));
                self.line(&format!("mul.wide.{sign} {d}, {a}, {b}"));
            }
            8 => {
                let sign = self.pick(&["u32", "s32"]);
                let (d, a, b, c) = (self.l(), self.source('r'), self.source('r'), self.source('l'));
                self.line(&format!("mad.wide.{sign} {d}, {a}, {b}, {c}"));
            }
            _ => {
                let op = self.pick(&["neg.s64", "abs.s64", "not.b64"]);
                self.three(op, 'l', 1);
            }
        }
    }

    pub(super) fn short(&mut self) {
        let sign = self.pick(&["u16", "s16"]);
        match self.below(4) {
            0 | 1 => {
                let op = self.pick(&["add", "sub", "mul.lo", "mul.hi", "min", "max"]);
                self.three(&format!("{op}.{sign}"), 'h', 2);
            }
            2 => {
                let op = self.pick(&["and", "or", "xor"]);
                self.three(&format!("{op}.b16"), 'h', 2);
            }
            _ => {
                let op = self.pick(&["shl.b16", "shr.u16", "shr.s16"]);
                let (d, a, by) = (self.h(), self.h(), self.source('r'));
                self.line(&format!("{op} {d}, {a}, {by}"));
            }
        }
    }

    pub(super) fn float(&mut self) {
        match self.below(6) {
            0 | 1 => {
                let op = self.pick(&["add", "sub", "mul", "div.rn"]);
                self.three(&format!("{op}.f32"), 'f', 2);
            }
            2 | 3 => self.three("fma.rn.f32", 'f', 3),
            4 => {
                let op = self.pick(&["min", "max"]);
                self.three(&format!("{op}.f32"), 'f', 2);
            }
            _ => {
                let op = self.pick(&["neg.f32", "abs.f32", "sqrt.rn.f32", "rcp.rn.f32"]);
                self.three(op, 'f', 1);
            }
        }
    }

    pub(super) fn double(&mut self) {
        match self.below(5) {
            0 | 1 => {
                let op = self.pick(&["add", "mul", "div.rn"]);
                self.three(&format!("{op}.f64"), 'd', 2);
            }
            2 => self.three("fma.rn.f64", 'd', 3),
            3 => {
                let op = self.pick(&["min", "max"]);
                self.three(&format!("{op}.f64"), 'd', 2);
            }
            _ => {
                let op = self.pick(&["neg.f64", "abs.f64", "sqrt.rn.f64"]);
                self.three(op, 'd', 1);
            }
        }
    }

    pub(super) fn convert(&mut self) {
        let kinds = |c: char| match c {
            'r' => ["u32", "s32"],
            'l' => ["u64", "s64"],
            _ => ["u16", "s16"],
        };
        let whole = ['r', 'l', 'h'];
        match self.below(7) {
            0 | 1 => {
                let (to, from) = (whole[self.below(3)], whole[self.below(3)]);
                let (d, a) = (self.pick(&kinds(to)), self.pick(&kinds(from)));
                let (to, from) = (self.register(to), self.register(from));
                let sat = if self.below(3) == 0 { ".sat" } else { "" };
                self.line(&format!("cvt{sat}.{d}.{a} {to}, {from}"));
            }
            2 => {
                let a = self.pick(&["u8", "s8", "u16", "s16"]);
                let (d, from) = (self.r(), self.r());
                let to = self.pick(&["u32", "s32"]);
                self.line(&format!("cvt.{to}.{a} {d}, {from}"));
            }
            3 => {
                let to = if self.below(2) == 0 { 'f' } else { 'd' };
                let from = whole[self.below(2)];
                let word = self.pick(&kinds(from));
                let (d, a) = (self.register(to), self.register(from));
                self.line(&format!("cvt.rn.f{}.{word} {d}, {a}", if to == 'f' { 32 } else { 64 }));
            }
            4 => {
                let from = if self.below(2) == 0 { 'f' } else { 'd' };
                let to = whole[self.below(2)];
                let word = self.pick(&kinds(to));
                let rounding = self.pick(&["rzi", "rni", "rmi", "rpi"]);
                let (d, a) = (self.register(to), self.register(from));
                self.line(&format!("cvt.{rounding}.{word}.f{} {d}, {a}", if from == 'f' { 32 } else { 64 }));
            }
            5 => {
                let (d, a) = (self.d(), self.f());
                self.line(&format!("cvt.f64.f32 {d}, {a}"));
            }
            _ => {
                let (d, a) = (self.f(), self.d());
                self.line(&format!("cvt.rn.f32.f64 {d}, {a}"));
            }
        }
    }

    pub(super) fn compare(&mut self) {
        let (kind, word) = [
            ('r', "u32"),
            ('r', "s32"),
            ('l', "u64"),
            ('l', "s64"),
            ('f', "f32"),
            ('d', "f64"),
            ('h', "s16"),
            ('h', "u16"),
        ][self.below(8)];
        let how = if matches!(kind, 'f' | 'd') {
            self.pick(&[
                "eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan",
            ])
        } else {
            self.pick(&["eq", "ne", "lt", "le", "gt", "ge"])
        };
        let (p, a, b) = (self.p(), self.register(kind), self.source(kind));
        match self.below(4) {
            0 => {
                let with = self.pick(&["and", "or", "xor"]);
                let (not, c) = (self.pick(&["", "!"]), self.p());
                self.line(&format!("setp.{how}.{with}.{word} {p}, {a}, {b}, {not}{c}"));
            }
            1 => {
                let q = self.p();
                if p == q {
                    self.line(&format!("setp.{how}.{word} {p}, {a}, {b}"));
                } else {
                    self.line(&format!("setp.{how}.{word} {p}|{q}, {a}, {b}"));
                }
            }
            2 => {
                let op = self.pick(&["and", "or", "xor"]);
                let (b, c) = (self.p(), self.p());
                self.line(&format!("{op}.pred {p}, {b}, {c}"));
            }
            _ => self.line(&format!("setp.{how}.{word} {p}, {a}, {b}")),
        }
    }

    pub(super) fn select(&mut self) {
        let (kind, word) =
            [('r', "b32"), ('r', "s32"), ('l', "b64"), ('f', "f32"), ('d', "f64"), ('h', "b16")]
                [self.below(6)];
        let (d, a, b, p) = (self.register(kind), self.source(kind), self.source(kind), self.p());
        self.line(&format!("selp.{word} {d}, {a}, {b}, {p}"));
    }

    pub(super) fn pack(&mut self) {
        match self.below(5) {
            0 => {
                let (d, a, b) = (self.l(), self.r(), self.r());
                self.line(&format!("mov.b64 {d}, {{{a}, {b}}}"));
            }
            1 => {
                let a = self.l();
                let n = self.below(R - 1);
                self.line(&format!("mov.b64 {{%r{n}, %r{}}}, {a}", n + 1));
            }
            2 => {
                let (d, a) = (self.r(), self.f());
                self.line(&format!("mov.b32 {d}, {a}"));
            }
            3 => {
                let (d, a) = (self.d(), self.l());
                self.line(&format!("mov.b64 {d}, {a}"));
            }
            _ => {
                let (d, a) = (self.f(), self.r());
                self.line(&format!("mov.b32 {d}, {a}"));
            }
        }
    }
}
