//! What a program did wrong with the API, in words.
//!
//! Enters: a [`Finding`]. Leaves: a sentence, and notes on the places that it concerns. How places are shown is the caller's.

use super::finding::{Access, CopyKind, ELEMENTS, End, Finding, Kind, Memory, Rows, What};
use super::status::Status;
use super::streams::{BRANCHES, LEGACY, PER_THREAD};
use crate::guest::Site;

/// A note to a finding, with the place that it is about.
pub type Note = (String, Option<Site>);

fn bytes(count: u64) -> String {
    if count == 1 { "1 byte".to_owned() } else { format!("{count} bytes") }
}

fn error(status: Status) -> String {
    match status.name() {
        Some(name) => format!("{name} ({}): {}", status.0, status.text()),
        None => format!("error {}", status.0),
    }
}

/// Memory, with an article.
pub fn memory(of: &Memory) -> String {
    let size = bytes(of.bytes);
    match &of.what {
        What::Device(call) => match of.rows {
            Some(Rows { pitch, width, height, depth: 1 }) => {
                format!(
                    "device memory of {height} rows of {} with a pitch of {pitch}, from `{call}`",
                    bytes(width)
                )
            }
            Some(Rows { pitch, width, height, depth }) => format!(
                "device memory of {depth} slices of {height} rows of {} with a pitch of {pitch}, from `{call}`",
                bytes(width)
            ),
            None => format!("device memory of {size} from `{call}`"),
        },
        What::Pinned(call) => format!("pinned host memory of {size} from `{call}`"),
        What::Managed => format!("managed memory of {size}"),
        What::Heap => format!("a block of {size} on the host heap"),
        What::Host if of.bytes > 0 => format!("a variable of {size} on the host"),
        What::Host => "host memory".to_owned(),
        What::Symbol(name) => format!("the device variable `{name}` of {size}"),
        What::Shadow(name) => format!("what the host has in the place of the device variable `{name}`"),
        What::Array => format!("an array of {size}"),
        What::Unknown => "no memory".to_owned(),
    }
}

fn end_of(end: End) -> &'static str {
    match end {
        End::Destination => "the destination",
        End::Source => "the source",
    }
}

fn kind(of: CopyKind) -> &'static str {
    match of {
        CopyKind::HostToHost => "cudaMemcpyHostToHost",
        CopyKind::HostToDevice => "cudaMemcpyHostToDevice",
        CopyKind::DeviceToHost => "cudaMemcpyDeviceToHost",
        CopyKind::DeviceToDevice => "cudaMemcpyDeviceToDevice",
        CopyKind::Default => "cudaMemcpyDefault",
    }
}

fn access(of: &Access) -> String {
    let does = if of.writes { "writes to" } else { "reads" };
    match (of.by.as_str(), of.stream) {
        ("", _) => format!("the host {does}"),
        (by, Some(stream)) => {
            let article = if stream as usize <= PER_THREAD { "the " } else { "" };
            format!("`{by}` on {article}{} {does}", stream_name(stream))
        }
        (by, None) => format!("`{by}` {does}"),
    }
}

/// A stream's name by its number for readers: those that the program creates are counted from 1.
pub fn stream_name(stream: u32) -> String {
    if let Some(branch) = stream.checked_sub(BRANCHES) {
        return format!("graph branch {}", branch + 1);
    }
    match stream as usize {
        LEGACY => "default stream".to_owned(),
        PER_THREAD => "per-thread default stream".to_owned(),
        created => format!("stream {}", created - PER_THREAD),
    }
}

/// What is wrong, in a sentence without the place.
pub fn sentence(finding: &Finding) -> String {
    let call = &finding.call;
    match &finding.kind {
        Kind::DevicePointerOnHost { parameter: "", address, memory: of } => format!(
            "the host accesses {address:#x}, which is an address of {}: only kernels and copies reach it",
            memory(of)
        ),
        Kind::DevicePointerOnHost { parameter, memory: of, .. } => {
            format!("`{parameter}` of `{call}` must be host memory, but points to {}", memory(of))
        }
        Kind::HostPointerOnDevice { parameter, address, memory: of } if parameter.is_empty() => format!(
            "kernel `{call}` accesses {address:#x}, which is {}: a kernel cannot reach it",
            memory(of)
        ),
        Kind::HostPointerOnDevice { parameter, memory: of, .. } => {
            format!("`{parameter}` of `{call}` must be device memory, but points to {}", memory(of))
        }
        Kind::WrongKind { given, exchanged: true, .. } => {
            format!("destination and source of `{call}` are exchanged for a copy with `{}`", kind(*given))
        }
        Kind::WrongKind { given, variable: Some(name), .. } => {
            format!(
                "`{call}` with `{}`, but on the host `{name}` is another variable than on the device",
                kind(*given)
            )
        }
        Kind::WrongKind { given, is, .. } => {
            format!("`{call}` with `{}`, but its pointers need `{}`", kind(*given), kind(*is))
        }
        Kind::Beyond { .. }
        | Kind::DenseRows { .. }
        | Kind::NarrowPitch { .. }
        | Kind::OtherPitch { .. }
        | Kind::WideRows { .. } => layout(finding),
        Kind::WidthInElements { .. } | Kind::SizeInElements { .. } | Kind::WidthInBytes { .. } => {
            units(finding)
        }
        Kind::NotASymbol { text: Some(text), .. } => format!(
            "`{call}` takes the variable `{text}` itself; its name in quotes has not been a symbol since CUDA 5"
        ),
        Kind::NotASymbol { memory: of, .. } => {
            format!("`{call}` takes a `__device__` or `__constant__` variable, but this is {}", memory(of))
        }
        Kind::TooLarge { bytes, has } => {
            let signed = bytes.cast_signed();
            let hint = match signed < 0 {
                true => format!("; with a sign that is {signed}: has an `int` overflowed?"),
                false => String::new(),
            };
            format!("`{call}` of {bytes} bytes, and the device has {has}{hint}")
        }
        Kind::UseAfterFree { .. }
        | Kind::FreedTwice { .. }
        | Kind::WrongFree { .. }
        | Kind::FreedInside { .. }
        | Kind::Leaked { .. } => end_of_memory(finding),
        Kind::LaunchFailed { kernel, status, why } => {
            format!("kernel `{kernel}` was not launched, {}: {}", error(*status), own(why, kernel))
        }
        Kind::LaunchUnseen { .. } | Kind::LostOutput | Kind::LostCopy { .. } | Kind::Unchecked { .. } => {
            never_looked_at(finding)
        }
        Kind::Fault { fault, .. } => fault.to_string(),
        Kind::Unordered { second, memory: of, .. } => {
            format!("{} {}, and nothing orders this after another access", access(second), memory(of))
        }
        Kind::PageableAsync { memory: of, .. } => format!(
            "`{call}` waits, as {} is not pinned: allocate it with `cudaMallocHost` for the copy to overlap",
            memory(of)
        ),
        Kind::BadArgument { parameter, why } => format!("`{parameter}` of `{call}`: {why}"),
        Kind::InCapture { status, why, .. } => format!("`{call}` fails, {}: {why}", error(*status)),
        Kind::BadHandle { what, destroyed: Some(_) } => {
            format!("the {what} that `{call}` was given has been destroyed")
        }
        Kind::BadHandle { what, destroyed: None } => {
            format!("`{call}` was given a {what} that does not exist")
        }
    }
}

/// What the program has not looked at, or waited for.
fn never_looked_at(finding: &Finding) -> String {
    let call = &finding.call;
    match &finding.kind {
        Kind::LaunchUnseen { kernel, status } => format!(
            "kernel `{kernel}` was not launched, {}, and the program has not looked at the error",
            error(*status)
        ),
        Kind::LostOutput => format!(
            "the program ends before the host has waited for kernel `{call}`, whose output is lost: call \
             `cudaDeviceSynchronize` first"
        ),
        Kind::LostCopy { memory: of, freed } => format!(
            "nothing waits for `{call}` before {}: {} cannot be read before that",
            if freed.is_some() { "the memory is freed" } else { "the program ends" },
            memory(of)
        ),
        Kind::Unchecked { calls, status } => format!(
            "{calls} calls failed, and the program has not looked at an error; the first was `{call}`, {}",
            error(*status)
        ),
        _ => String::new(),
    }
}

/// What a call does to rows.
fn does(call: &str) -> &'static str {
    if call.contains("Memset") { "sets" } else { "copies" }
}

/// What is wrong with the unit of a size.
fn units(finding: &Finding) -> String {
    let call = &finding.call;
    match &finding.kind {
        Kind::WidthInElements { given, width, memory: of, .. } => {
            let does = does(call);
            let unit = match of.what {
                What::Array => "widths of copies are in bytes, and those of arrays in texels",
                _ => "widths are in bytes",
            };
            format!("a width of {given} {does} {} of rows of {}: {unit}", bytes(*given), bytes(*width))
        }
        Kind::SizeInElements { bytes: copied, element: Some(size), memory: of, .. } => format!(
            "`{call}` copies {} into {}: sizes are in bytes, and each element has {size}",
            bytes(*copied),
            memory(of)
        ),
        Kind::SizeInElements { bytes: copied, element: None, memory: of, .. } => {
            let object = if *copied == 8 { "a pointer" } else { "a `std::vector`" };
            format!(
                "`{call}` copies {} into {}: that is the size of {object}, and not of what it has",
                bytes(*copied),
                memory(of)
            )
        }
        Kind::WidthInBytes { given, texels, texel } => format!(
            "a width of {given} for rows of {texels} texels of {}: widths of arrays are in texels",
            bytes(*texel)
        ),
        _ => String::new(),
    }
}

/// What is wrong with how memory ended.
fn end_of_memory(finding: &Finding) -> String {
    let call = &finding.call;
    match &finding.kind {
        Kind::UseAfterFree { memory: of, .. } if call.is_empty() => {
            format!("the host uses {} after it was freed", memory(of))
        }
        Kind::UseAfterFree { memory: of, .. } => format!("`{call}` uses {} after it was freed", memory(of)),
        Kind::FreedTwice { memory: of } => format!("`{call}` frees {} again", memory(of)),
        Kind::WrongFree { right: "", memory: of } => {
            format!("`{call}` of {}, which was not allocated", memory(of))
        }
        Kind::WrongFree { right, memory: of } => {
            format!("`{call}` of {}, which is freed with `{right}`", memory(of))
        }
        Kind::FreedInside { offset, memory: of } => {
            format!("`{call}` of an address {} past the start of {}", bytes(*offset), memory(of))
        }
        Kind::Leaked { memory: of } => format!("{} was not freed", memory(of)),
        _ => String::new(),
    }
}

/// A device's message without the kernel's name in front, which the sentence has.
fn own<'w>(why: &'w str, kernel: &str) -> &'w str {
    let rest = why.strip_prefix("kernel ").and_then(|rest| rest.strip_prefix(kernel));
    rest.and_then(|rest| rest.strip_prefix(": ")).unwrap_or(why)
}

/// What a device says of a kernel, with the kernel's name once.
pub(super) fn of_kernel(kernel: &str, why: &str) -> String {
    format!("kernel {kernel}: {}", own(why, kernel))
}

/// What is wrong with where bytes are.
fn layout(finding: &Finding) -> String {
    let call = &finding.call;
    match &finding.kind {
        Kind::Beyond { end, offset, bytes: asked, memory: of, element } => {
            let what = match end {
                Some(End::Destination) => "writes",
                Some(End::Source) => "reads",
                None => "accesses",
            };
            let from = match offset {
                0 => String::new(),
                offset => format!(" from byte {offset} on"),
            };
            let hint = match element {
                _ if of.what == What::Host && *offset == 0 && of.bytes == 8 => {
                    ": a pointer is given as it is, without `&`".to_owned()
                }
                _ if of.what == What::Host && *offset == 0 && of.bytes == 24 => {
                    ": of a `std::vector`, give `data()`".to_owned()
                }
                Some(times) => format!(
                    ": that is {times} times its size; was the `sizeof` of its elements left out where it was allocated?"
                ),
                None => String::new(),
            };
            format!("`{call}` {what} {}{from} of {}{hint}", bytes(*asked), memory(of))
        }
        Kind::DenseRows { end, assumed, memory: of } => format!(
            "`{call}` {} rows of {} without gaps, but {} is {}",
            does(call),
            bytes(*assumed),
            end_of(*end),
            memory(of)
        ),
        Kind::NarrowPitch { end, pitch, width, exchanged } => {
            let in_elements = ELEMENTS.iter().any(|size| pitch.checked_mul(*size) == Some(*width));
            let hint = match exchanged {
                true => ": width and pitch are exchanged",
                false if in_elements => ": pitches are in bytes, too",
                false => "",
            };
            format!(
                "`{call}` with rows of {} and a pitch of {pitch} for {}, which is narrower{hint}",
                bytes(*width),
                end_of(*end)
            )
        }
        Kind::WideRows { given, exchanged, memory: of } => {
            let why = match exchanged {
                true => "were width and height exchanged where it was allocated?",
                false => "was the `sizeof` of its elements left out where it was allocated?",
            };
            format!("`{call}` with rows of {} for {}: {why}", bytes(*given), memory(of))
        }
        Kind::OtherPitch { end, given, memory: of } => {
            format!("`{call}` with a pitch of {given} for {}, which is {}", end_of(*end), memory(of))
        }
        _ => String::new(),
    }
}

/// The memory that a finding is about.
pub fn of(finding: &Finding) -> Option<&Memory> {
    match &finding.kind {
        Kind::DevicePointerOnHost { memory, .. }
        | Kind::HostPointerOnDevice { memory, .. }
        | Kind::Beyond { memory, .. }
        | Kind::DenseRows { memory, .. }
        | Kind::OtherPitch { memory, .. }
        | Kind::WideRows { memory, .. }
        | Kind::WidthInElements { memory, .. }
        | Kind::SizeInElements { memory, .. }
        | Kind::NotASymbol { memory, .. }
        | Kind::UseAfterFree { memory, .. }
        | Kind::FreedTwice { memory }
        | Kind::WrongFree { memory, .. }
        | Kind::FreedInside { memory, .. }
        | Kind::Leaked { memory }
        | Kind::Unordered { memory, .. }
        | Kind::LostCopy { memory, .. }
        | Kind::PageableAsync { memory, .. } => Some(memory),
        Kind::Fault { memory, .. } => memory.as_ref(),
        Kind::WrongKind { .. }
        | Kind::NarrowPitch { .. }
        | Kind::WidthInBytes { .. }
        | Kind::TooLarge { .. }
        | Kind::LaunchFailed { .. }
        | Kind::LaunchUnseen { .. }
        | Kind::Unchecked { .. }
        | Kind::LostOutput
        | Kind::BadArgument { .. }
        | Kind::InCapture { .. }
        | Kind::BadHandle { .. } => None,
    }
}

/// What else to say, place by place.
pub fn notes(finding: &Finding) -> Vec<Note> {
    let mut notes = vec![];
    if let Kind::Unordered { first, .. } = &finding.kind {
        notes.push((format!("{} it here", access(first)), Some(first.site)));
    }
    if let Kind::SizeInElements { read, .. } | Kind::WidthInElements { read: Some(read), .. } = &finding.kind
    {
        notes.push(("the kernel launched here reads what has not been copied".to_owned(), Some(*read)));
    }
    if let Kind::LostCopy { freed: Some(site), .. } = &finding.kind {
        notes.push(("it is freed here".to_owned(), Some(*site)));
    }
    if let Kind::WrongKind { variable: Some(name), exchanged: false, .. } = &finding.kind {
        let instead =
            format!("copy with `cudaMemcpyToSymbol({name}, …)` or `cudaMemcpyFromSymbol(…, {name}, …)`");
        notes.push((instead, None));
    }
    if let Kind::InCapture { began: Some(site), .. } = &finding.kind {
        notes.push(("the capture began here".to_owned(), Some(*site)));
    }
    if let Kind::BadHandle { what, destroyed: Some(site) } = &finding.kind {
        notes.push((format!("the {what} was destroyed here"), Some(*site)));
    }
    if let Kind::LaunchFailed { status: Status::INVALID_VALUE, .. } = &finding.kind {
        notes.push((
            "toolkits before CUDA 13 return cudaErrorInvalidConfiguration (9) for it".to_owned(),
            None,
        ));
    }
    if let Some(memory) = of(finding) {
        if let Some(site) = memory.allocated.filter(|site| *site != finding.site) {
            notes.push(("it was allocated here".to_owned(), Some(site)));
        }
        if let Some(site) = memory.freed {
            notes.push(("it was freed here".to_owned(), Some(site)));
        }
    }
    notes
}
