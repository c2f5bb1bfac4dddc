//! Attributes of streams: windows of the second cache, and preferences, which change no result.

use super::properties::attribute;
use super::streams::ATTRIBUTE_BYTES;
use super::{Answer, Call, Status, low};

/// Numbers of `cudaLaunchAttributeID` that streams have.
const WINDOW: u32 = 1;
const SYNCHRONIZATION: u32 = 3;
const PRIORITY: u32 = 8;
const DOMAINS: [u32; 2] = [9, 10];
/// `cudaDevAttrMaxAccessPolicyWindowSize`.
const MOST_BYTES: u32 = 109;
/// `cudaAccessPropertyPersisting`, the last of them.
const PERSISTING: u32 = 2;

impl Call<'_> {
    /// Whether a `cudaAccessPolicyWindow` is one that the chip takes.
    pub(super) fn check_window(&mut self, at: u64) -> Answer<()> {
        let word = |offset: u64| self.get_u32(at.wrapping_add(offset));
        let bytes = self.get_u64(at.wrapping_add(8))?;
        let (ratio, hit, miss) = (f32::from_bits(word(16)?), word(20)?, word(24)?);
        let most = attribute(&self.api.chip, MOST_BYTES).unwrap_or(0).max(0).unsigned_abs();
        // Of some chips it is not known.
        let why = if most > 0 && bytes > u64::from(most) {
            format!("a window of {bytes} bytes, and `accessPolicyMaxWindowSize` is {most}")
        } else if !(0.0..=1.0).contains(&ratio) {
            format!("`hitRatio` is {ratio}, and must be from 0 to 1")
        } else if hit > PERSISTING {
            format!("`hitProp` is {hit}, which is not a `cudaAccessProperty`")
        } else if miss >= PERSISTING {
            "`missProp` must be `cudaAccessPropertyNormal` or `cudaAccessPropertyStreaming`".to_owned()
        } else {
            return Ok(());
        };
        self.refuse(Status::INVALID_VALUE, "value", why)
    }
}

/// `cudaStreamSetAttribute(hStream, attr, value)`.
pub(super) fn set(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let at = call.stream(a[0])?;
    let from = call.pointer(a[2], "value")?;
    match low(a[1]) {
        WINDOW => call.check_window(from)?,
        SYNCHRONIZATION if (1..=4).contains(&call.get_u32(from)?) => {}
        PRIORITY => {
            let (least, greatest) = super::stream_calls::PRIORITIES;
            let priority = call.get_u32(from)?.cast_signed().clamp(greatest, least);
            call.api.streams.all[at].priority = priority;
        }
        other if DOMAINS.contains(&other) => {}
        other => {
            return call.refuse(
                Status::INVALID_VALUE,
                "attr",
                format!("{other} is not one of a stream, or not with this value"),
            );
        }
    }
    let value: [u8; ATTRIBUTE_BYTES] = call.get(from)?;
    call.api.streams.all[at].attributes.insert(low(a[1]), value);
    Ok(0)
}

/// `cudaStreamGetAttribute(hStream, attr, value_out)`.
pub(super) fn get(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let at = call.stream(a[0])?;
    let to = call.pointer(a[2], "value_out")?;
    let of = &call.api.streams.all[at];
    let mut value = of.attributes.get(&low(a[1])).copied().unwrap_or([0; ATTRIBUTE_BYTES]);
    match low(a[1]) {
        PRIORITY => value[..4].copy_from_slice(&of.priority.to_le_bytes()),
        // `cudaSyncPolicyAuto`.
        SYNCHRONIZATION if value[0] == 0 => value[0] = 1,
        SYNCHRONIZATION | WINDOW => {}
        other if DOMAINS.contains(&other) => {}
        other => {
            return call.refuse(Status::INVALID_VALUE, "attr", format!("{other} is not one of a stream"));
        }
    }
    call.put(to, value)?;
    Ok(0)
}

/// `cudaStreamCopyAttributes(dst, src)`.
pub(super) fn copy(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let (to, from) = (call.stream(a[0])?, call.stream(a[1])?);
    let attributes = call.api.streams.all[from].attributes.clone();
    call.api.streams.all[to].attributes = attributes;
    Ok(0)
}

/// `cudaCtxResetPersistingL2Cache()`.
pub(super) fn reset_persisting(_: &mut Call<'_>, _: &[u64]) -> Answer {
    Ok(0)
}

/// `cudaStreamGetId(hStream, streamId)`.
pub(super) fn id(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let at = call.stream(a[0])?;
    let to = call.pointer(a[1], "streamId")?;
    call.put(to, (at as u64 + 1).to_le_bytes())?;
    Ok(0)
}

/// `cudaStreamGetDevice(hStream, device)`.
pub(super) fn device(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.stream(a[0])?;
    let to = call.pointer(a[1], "device")?;
    call.put(to, 0u32.to_le_bytes())?;
    Ok(0)
}
