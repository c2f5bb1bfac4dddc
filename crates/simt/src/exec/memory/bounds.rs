//! Bounds and alignment: whether an access may be made at all, and of which allocation it is.
//!
//! A layout gives the lowest and the highest address at once; only what does not fit is looked at lane by lane, for the
//! first lane that is wrong.

use crate::WARP;
use crate::error::FaultKind;
use crate::exec::fault::Stop;
use crate::exec::launch::Run;
use crate::exec::memory::access::Access;
use crate::exec::memory::sites::Sites;
use crate::lanes::{ALL, X, all_bits, lanes};
use crate::memory::Allocation;

impl Sites {
    /// The lowest and the highest address of an access, where the address register gives them.
    #[inline(always)]
    fn extent(&self, access: &Access<'_>) -> [u64; 2] {
        match access.addresses {
            None => {
                let [low, high] = self.layout(access).extent();
                [access.first.wrapping_add_signed(low), access.first.wrapping_add_signed(high)]
            }
            Some(addresses) => extent(addresses, access.mask),
        }
    }

    /// Whether all lanes' addresses are multiples of the width.
    #[inline(always)]
    fn is_aligned(&self, access: &Access<'_>) -> bool {
        let bits = match access.addresses {
            None => access.first | self.layout(access).bits(),
            Some(addresses) => all_bits(access.mask, |l| addresses.0[l]),
        };
        bits & (u64::from(access.width) - 1) == 0
    }

    /// The first lane whose address is not a multiple of the width, as a fault.
    #[inline(always)]
    pub(in crate::exec) fn check_alignment(&self, access: &Access<'_>) -> Result<(), Stop> {
        if self.is_aligned(access) {
            return Ok(());
        }
        first_misaligned(&self.addresses(access), access.mask, u64::from(access.width))
    }

    /// Whether an access is aligned and inside of a memory that begins at zero.
    #[inline(always)]
    pub(in crate::exec) fn is_inside(&self, access: &Access<'_>, size: u64) -> bool {
        if let Some(addresses) = access.addresses {
            // No address is above the bits of all.
            let bits = all_bits(access.mask, |l| addresses.0[l]);
            let end = bits.checked_add(access.width.into());
            if end.is_some_and(|end| end <= size) {
                return bits & (u64::from(access.width) - 1) == 0;
            }
        }
        let [low, high] = self.extent(access);
        let end = high.wrapping_add(access.width.into());
        low <= high && high < end && end <= size && self.is_aligned(access)
    }

    /// The first lane that is not aligned, or not inside of a memory that begins at zero, as a fault.
    #[inline(always)]
    pub(in crate::exec) fn check_inside(
        &self,
        access: &Access<'_>,
        size: u64,
        kind: FaultKind,
    ) -> Result<(), Stop> {
        if self.is_inside(access, size) { Ok(()) } else { self.first_outside(access, size, kind) }
    }

    #[cold]
    #[inline(never)]
    fn first_outside(&self, access: &Access<'_>, size: u64, kind: FaultKind) -> Result<(), Stop> {
        let (addresses, width) = (self.addresses(access), u64::from(access.width));
        first_misaligned(&addresses, access.mask, width)?;
        let outside = |l: &usize| addresses.0[*l].checked_add(width).is_none_or(|end| end > size);
        match lanes(access.mask).find(outside) {
            Some(lane) => Err(Stop::at(kind, lane, addresses.0[lane], width)),
            None => Ok(()),
        }
    }

    /// The allocation that all lanes are in, nothing if each is in one of its own, or the first lane that is not aligned or
    /// in none, as a fault.
    #[inline(always)]
    pub(in crate::exec) fn allocation<'a>(
        &mut self,
        run: &Run<'a>,
        access: &Access<'_>,
    ) -> Result<Option<&'a Allocation>, Stop> {
        self.check_alignment(access)?;
        let [low, high] = self.extent(access);
        let hint = &mut self.each[access.id.index()].hint;
        let end = high.checked_add(access.width.into()).filter(|_| low <= high);
        match end.and_then(|end| run.global.find(low, end, hint)) {
            Some(one) => Ok(Some(one)),
            None => self.first_stray(run, access).map(|()| None),
        }
    }

    #[cold]
    #[inline(never)]
    fn first_stray(&self, run: &Run<'_>, access: &Access<'_>) -> Result<(), Stop> {
        let (addresses, width) = (self.addresses(access), u64::from(access.width));
        let mut hint = 0;
        let stray = lanes(access.mask).find(|l| {
            let first = addresses.0[*l];
            first.checked_add(width).is_none_or(|end| run.global.find(first, end, &mut hint).is_none())
        });
        match stray {
            Some(lane) => Err(Stop::stray(lane, addresses.0[lane], width)),
            None => Ok(()),
        }
    }
}

impl Run<'_> {
    /// Where the lanes' addresses would lie on a GPU, for what depends on more than their place in a line; their own
    /// where they are in no allocation.
    #[inline]
    pub(in crate::exec) fn places(&self, addresses: &X, mask: u32) -> [u64; WARP] {
        let mut places = addresses.0;
        let mut hint = 0;
        for l in lanes(mask) {
            let at = addresses.0[l];
            if let Some(a) = self.global.find(at, at.saturating_add(1), &mut hint) {
                places[l] = at.wrapping_add(a.moved());
            }
        }
        places
    }
}

/// The lowest and the highest address of some lanes.
fn extent(addresses: &X, mask: u32) -> [u64; 2] {
    let (mut low, mut high) = (u64::MAX, 0);
    if mask == ALL {
        for address in addresses.0 {
            low = low.min(address);
            high = high.max(address);
        }
        return [low, high];
    }
    for l in 0..WARP {
        let active = u64::from(mask >> l & 1).wrapping_neg();
        low = low.min(addresses.0[l] | !active);
        high = high.max(addresses.0[l] & active);
    }
    [low, high]
}

/// The first lane whose address is not a multiple of the width, as a fault.
#[cold]
#[inline(never)]
fn first_misaligned(addresses: &X, mask: u32, width: u64) -> Result<(), Stop> {
    match lanes(mask).find(|l| addresses.0[*l] & (width - 1) != 0) {
        Some(lane) => Err(Stop::at(FaultKind::MisalignedAddress, lane, addresses.0[lane], width)),
        None => Ok(()),
    }
}
