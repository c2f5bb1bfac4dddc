//! Atomic operations of `std::atomic`.
//!
//! Enters: ordered loads and stores, and read-modify-write operations. Leaves: their code, with the value before on the stack.
//! The host's side of a program is one thread, to which every access is atomic.

use super::memory::{Extend, long};
use super::types;
use super::writer::{Again, Writer};
use crate::builtin::{Meaning, Rmw};
use crate::ir::{Inst, Type, Value};

impl Writer<'_> {
    /// An ordered access; whether it is one.
    pub(super) fn ordered(&mut self, meaning: Meaning, letter: u8, inst: Inst) -> bool {
        let function = self.function;
        let data = &function.insts[inst.index()];
        let (write, rmw) = match meaning {
            Meaning::LoadOrdered => (false, None),
            Meaning::StoreOrdered => (true, None),
            Meaning::AtomicOrdered(rmw) => (true, Some(rmw)),
            _ => return false,
        };
        let of = if write { data.args.get(1) } else { data.results.first() };
        let (Some(pointer), Some(of)) = (data.args.first(), of) else { return false };
        let ty = self.ty(*of);
        let address = self.address(*pointer, u64::from(ty.bytes()), write, data.place);
        let known = match rmw {
            None if write => {
                let offset = self.base(address);
                self.value(data.args[1]);
                self.store_one(ty, offset);
                true
            }
            None => {
                let offset = self.base(address);
                self.load_one(ty, offset, Extend::Zero);
                true
            }
            Some(rmw) => {
                let old = self.scratch(types::of(ty));
                let offset = self.base(address);
                self.load_one(ty, offset, Extend::Zero);
                self.sink().local_set(old);
                let signed = b"inl".contains(&letter);
                let offset = self.base(address);
                let known = self.modified(rmw, ty, signed, old, &data.args[1..]);
                self.store_one(ty, offset);
                if !data.results.is_empty() {
                    self.sink().local_get(old);
                }
                self.give_back(old);
                known
            }
        };
        self.release(address);
        known
    }

    /// Puts what is stored in an old value's place on the stack.
    fn modified(&mut self, rmw: Rmw, ty: Type, signed: bool, old: u32, args: &[Value]) -> bool {
        let Some(first) = args.first() else { return false };
        match rmw {
            Rmw::Exchange => self.value(*first),
            Rmw::CompareAndSwap => {
                let Some(new) = args.get(1) else { return false };
                self.value(*new);
                self.sink().local_get(old);
                self.sink().local_get(old);
                self.extended(*first, false);
                self.integer(ty, |sink| sink.i32_eq(), |sink| sink.i64_eq());
                self.sink().select();
            }
            Rmw::Min | Rmw::Max => {
                let again = self.twice(*first);
                self.sink().local_get(old);
                self.push(again);
                self.less(Again::Local(old), again, rmw == Rmw::Min, signed, long(ty));
                self.sink().select();
                self.done(again);
            }
            Rmw::Add | Rmw::Sub | Rmw::And | Rmw::Or | Rmw::Xor => {
                self.sink().local_get(old);
                self.value(*first);
                let mut sink = self.sink();
                match (rmw, ty, long(ty)) {
                    (Rmw::Add, Type::F32, _) => sink.f32_add(),
                    (Rmw::Add, Type::F64, _) => sink.f64_add(),
                    (Rmw::Add, _, false) => sink.i32_add(),
                    (Rmw::Add, _, true) => sink.i64_add(),
                    (Rmw::Sub, _, false) => sink.i32_sub(),
                    (Rmw::Sub, _, true) => sink.i64_sub(),
                    (Rmw::And, _, false) => sink.i32_and(),
                    (Rmw::And, _, true) => sink.i64_and(),
                    (Rmw::Or, _, false) => sink.i32_or(),
                    (Rmw::Or, _, true) => sink.i64_or(),
                    (_, _, false) => sink.i32_xor(),
                    (_, _, true) => sink.i64_xor(),
                };
            }
            Rmw::Increment | Rmw::Decrement | Rmw::AddAs(_) => return false,
        }
        true
    }
}
