//! A program as a function of the library sees it, while its reads are looked at.
//!
//! Enters: a program, and the address from where on reads are noted. Leaves: what was read. This module must never know why that
//! matters.

use crate::instance::Instance;
use runtime::{Guest, Signal, Site};
use std::cell::RefCell;

/// As many reads of a call are noted.
const MOST: usize = 256;

/// A program whose reads are noted.
pub(crate) struct Watching<'g> {
    guest: &'g mut dyn Instance,
    from: u64,
    /// First addresses and sizes.
    reads: RefCell<Vec<(u64, u64)>>,
}

impl<'g> Watching<'g> {
    /// Notes reads from an address on.
    pub(crate) fn new(guest: &'g mut dyn Instance, from: u64) -> Self {
        Self { guest, from, reads: RefCell::new(vec![]) }
    }

    /// What was read: first addresses and sizes.
    pub(crate) fn reads(self) -> Vec<(u64, u64)> {
        self.reads.into_inner()
    }

    fn note(&self, address: u64, bytes: u64) {
        let mut reads = self.reads.borrow_mut();
        if bytes > 0 && address.saturating_add(bytes) > self.from && reads.len() < MOST {
            reads.push((address, bytes));
        }
    }
}

impl Guest for Watching<'_> {
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), Signal> {
        self.note(address, bytes.len() as u64);
        self.guest.read(address, bytes)
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Signal> {
        self.guest.write(address, bytes)
    }

    fn copy(&mut self, to: u64, from: u64, bytes: u64) -> Result<(), Signal> {
        self.note(from, bytes);
        self.guest.copy(to, from, bytes)
    }

    fn fill(&mut self, address: u64, byte: u8, bytes: u64) -> Result<(), Signal> {
        self.guest.fill(address, byte, bytes)
    }

    fn read_text(&self, address: u64) -> Result<Vec<u8>, Signal> {
        let text = self.guest.read_text(address)?;
        self.note(address, text.len() as u64 + 1);
        Ok(text)
    }

    fn end(&self) -> u64 {
        self.guest.end()
    }

    fn grow(&mut self, end: u64) -> bool {
        self.guest.grow(end)
    }

    fn heap(&self) -> u64 {
        self.guest.heap()
    }

    fn call(&mut self, function: u64, arguments: &[u64]) -> Result<u64, Signal> {
        self.guest.call(function, arguments)
    }

    fn site(&self) -> Site {
        self.guest.site()
    }
}
