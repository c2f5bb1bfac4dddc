//! Kernels as functions: their attributes, and what programs ask for.

use super::{Answer, Call, Status, low};

/// Registers of a multiprocessor and of a block, on every chip since compute capability 5.0.
const MAX_DYNAMIC_SHARED: u32 = 8;
const CARVEOUT: u32 = 9;

/// `cudaFuncSetAttribute(func, attr, value)`.
pub(super) fn set_attribute(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let known = call.kernel(a[0])?;
    let value = low(a[2]).cast_signed();
    match low(a[1]) {
        MAX_DYNAMIC_SHARED => {
            let attributes = call.attributes(&known)?;
            let limit = i64::from(call.api.chip.limits.shared_bytes_per_block);
            let limit = limit - attributes.shared_bytes.cast_signed();
            if !(0..=limit).contains(&i64::from(value)) {
                let why = format!("{value} bytes, and {limit} is the most for {}", known.name);
                return call.refuse(Status::INVALID_VALUE, "value", why);
            }
            if let Some(known) = call.api.kernels.get_mut(&a[0]) {
                known.dynamic_shared = Some(value.unsigned_abs());
            }
            Ok(0)
        }
        CARVEOUT if (-1..=100).contains(&value) => {
            if let Some(known) = call.api.kernels.get_mut(&a[0]) {
                known.carveout = value;
            }
            Ok(0)
        }
        10..=15 => Err(Status::NOT_SUPPORTED.into()),
        attribute => {
            call.refuse(Status::INVALID_VALUE, "attr", format!("{attribute} with a value of {value}"))
        }
    }
}

/// `cudaFuncGetAttributes(attr, func)`.
pub(super) fn get_attributes(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let to = call.pointer(a[0], "attr")?;
    let known = call.kernel(a[1])?;
    let of = call.attributes(&known)?;
    let capability = call.api.device.description().capability().cast_signed();
    let without = super::launch::SHARED_WITHOUT_ASKING.saturating_sub(of.shared_bytes);
    let dynamic = known.dynamic_shared.map_or(without, u64::from);
    // Sizes of static shared, constant and local memory, then whole numbers.
    let sizes = [of.shared_bytes, of.constant_bytes, 0];
    let [width, height, depth] = of.cluster.unwrap_or_default().map(u32::cast_signed);
    let numbers = [
        of.max_threads.cast_signed(),
        of.registers.unwrap_or(0).cast_signed(),
        capability,
        capability,
        0,
        i32::try_from(dynamic).unwrap_or(i32::MAX),
        known.carveout,
        i32::from(of.needs_cluster),
        width,
        height,
        depth,
    ];
    for (at, size) in (0..).zip(sizes) {
        call.put(to.wrapping_add(8 * at), size.to_le_bytes())?;
    }
    // The last ones are reserved.
    for (at, number) in (0..).zip(numbers.into_iter().chain([0; 18])) {
        call.put(to.wrapping_add(24 + 4 * at), number.to_le_bytes())?;
    }
    Ok(0)
}

/// `cudaFuncSetCacheConfig(func, cacheConfig)`: a preference, which no chip since Volta keeps to.
pub(super) fn set_cache_config(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.kernel(a[0])?;
    match low(a[1]) {
        0..=3 => Ok(0),
        other => call.refuse(Status::INVALID_VALUE, "cacheConfig", format!("{other} is not one")),
    }
}

/// `cudaFuncSetSharedMemConfig(func, config)`.
pub(super) fn set_shared_config(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.kernel(a[0])?;
    match low(a[1]) {
        0..=2 => Ok(0),
        other => call.refuse(Status::INVALID_VALUE, "config", format!("{other} is not one")),
    }
}

/// `cudaFuncGetName(name, func)`: the name in the PTX.
pub(super) fn get_name(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let to = call.pointer(a[0], "name")?;
    let mut name = call.kernel(a[1])?.symbol.into_bytes();
    name.push(0);
    let address = call.keep(&name)?;
    call.put(to, address.to_le_bytes())?;
    Ok(0)
}
