//! `cudaDeviceProp` and `cudaDeviceAttr` of the modelled chip.
//!
//! Enters: a chip. Leaves: the struct's bytes, and single values. Fields are those of CUDA 13.0 in its order, then those that
//! CUDA had until then and programs still print. What a chip file does not have is the same on all chips, by the CUDA C++
//! Programming Guide's table of compute capabilities, or follows from the compute capability.

use device::Chip;

/// How a field is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// `char[n]`.
    Text(usize),
    /// `char[n]` without text, of zeros.
    Bytes(usize),
    /// `int` or `unsigned int`, one or several.
    Int,
    /// `size_t`.
    Size,
}

/// A field.
struct Field {
    #[cfg_attr(not(test), expect(dead_code, reason = "the table is read by it"))]
    name: &'static str,
    shape: Shape,
    /// Numbers of `cudaDeviceAttr`, one for each of its values; fewer where there are none.
    attributes: &'static [u32],
    values: fn(&Chip) -> Vec<i64>,
}

fn clusters(chip: &Chip) -> i64 {
    i64::from(chip.compute_capability.0 >= 9)
}

/// Bytes of L2 that may be set aside, five eighths since compute capability 8.0.
fn persisting(chip: &Chip) -> i64 {
    if chip.compute_capability.0 >= 8 { chip.l2_bytes.cast_signed() / 8 * 5 } else { 0 }
}

/// Engines for copies: an H200 and an H100 report three, chips before them two.
fn copy_engines(chip: &Chip) -> i64 {
    if chip.compute_capability.0 >= 9 { 3 } else { 2 }
}

fn double_ratio(chip: &Chip) -> i64 {
    (chip.rates.double / chip.rates.single).round() as i64
}

/// The fields, in their order: name, shape, attributes, values.
macro_rules! fields {
    ($($name:ident $shape:expr, [$($attribute:literal)*], $chip:ident => [$($value:expr),*];)*) => {
        &[$(Field {
            name: stringify!($name),
            shape: $shape,
            attributes: &[$($attribute),*],
            values: |$chip: &Chip| { let _ = $chip; vec![$(i64::from($value)),*] },
        }),*]
    };
}

/// A number of bytes as an `i64`; no memory is larger.
struct Bytes(u64);

impl From<Bytes> for i64 {
    fn from(bytes: Bytes) -> i64 {
        bytes.0.cast_signed()
    }
}

#[rustfmt::skip]
const FIELDS: &[Field] = fields! {
    name Shape::Text(256), [], c => [];
    uuid Shape::Bytes(16), [], c => [];
    luid Shape::Bytes(8), [], c => [];
    luidDeviceNodeMask Shape::Int, [], c => [0];
    totalGlobalMem Shape::Size, [], c => [Bytes(c.memory_bytes)];
    sharedMemPerBlock Shape::Size, [8], c => [Bytes(super::launch::SHARED_WITHOUT_ASKING)];
    regsPerBlock Shape::Int, [12], c => [65536];
    warpSize Shape::Int, [10], c => [32];
    memPitch Shape::Size, [11], c => [2_147_483_647];
    maxThreadsPerBlock Shape::Int, [1], c => [1024];
    maxThreadsDim Shape::Int, [2 3 4], c => [1024, 1024, 64];
    maxGridSize Shape::Int, [5 6 7], c => [2_147_483_647, 65535, 65535];
    totalConstMem Shape::Size, [9], c => [65536];
    major Shape::Int, [75], c => [c.compute_capability.0];
    minor Shape::Int, [76], c => [c.compute_capability.1];
    textureAlignment Shape::Size, [14], c => [Bytes(device::PITCH_ALIGNMENT)];
    texturePitchAlignment Shape::Size, [51], c => [32];
    multiProcessorCount Shape::Int, [16], c => [c.multiprocessors];
    integrated Shape::Int, [18], c => [0];
    canMapHostMemory Shape::Int, [19], c => [1];
    maxTexture1D Shape::Int, [21], c => [131_072];
    maxTexture1DMipmap Shape::Int, [77], c => [32_768];
    maxTexture2D Shape::Int, [22 23], c => [131_072, 65_536];
    maxTexture2DMipmap Shape::Int, [73 74], c => [32_768, 32_768];
    maxTexture2DLinear Shape::Int, [70 71 72], c => [131_072, 65_000, 2_097_120];
    maxTexture2DGather Shape::Int, [45 46], c => [32_768, 32_768];
    maxTexture3D Shape::Int, [24 25 26], c => [16_384, 16_384, 16_384];
    maxTexture3DAlt Shape::Int, [47 48 49], c => [8_192, 8_192, 32_768];
    maxTextureCubemap Shape::Int, [52], c => [32_768];
    maxTexture1DLayered Shape::Int, [42 43], c => [32_768, 2_048];
    maxTexture2DLayered Shape::Int, [27 28 29], c => [32_768, 32_768, 2_048];
    maxTextureCubemapLayered Shape::Int, [53 54], c => [32_768, 2_046];
    maxSurface1D Shape::Int, [55], c => [32_768];
    maxSurface2D Shape::Int, [56 57], c => [131_072, 65_536];
    maxSurface3D Shape::Int, [58 59 60], c => [16_384, 16_384, 16_384];
    maxSurface1DLayered Shape::Int, [61 62], c => [32_768, 2_048];
    maxSurface2DLayered Shape::Int, [63 64 65], c => [32_768, 32_768, 2_048];
    maxSurfaceCubemap Shape::Int, [66], c => [32_768];
    maxSurfaceCubemapLayered Shape::Int, [67 68], c => [32_768, 2_046];
    surfaceAlignment Shape::Size, [30], c => [Bytes(device::PITCH_ALIGNMENT)];
    concurrentKernels Shape::Int, [31], c => [1];
    ECCEnabled Shape::Int, [32], c => [0];
    pciBusID Shape::Int, [33], c => [0];
    pciDeviceID Shape::Int, [34], c => [0];
    pciDomainID Shape::Int, [50], c => [0];
    tccDriver Shape::Int, [35], c => [0];
    asyncEngineCount Shape::Int, [40], c => [copy_engines(c)];
    unifiedAddressing Shape::Int, [41], c => [1];
    memoryBusWidth Shape::Int, [37], c => [c.memory_bus_bits];
    l2CacheSize Shape::Int, [38], c => [Bytes(c.l2_bytes)];
    persistingL2CacheMaxSize Shape::Int, [108], c => [persisting(c)];
    maxThreadsPerMultiProcessor Shape::Int, [39], c => [c.limits.warps * 32];
    streamPrioritiesSupported Shape::Int, [78], c => [1];
    globalL1CacheSupported Shape::Int, [79], c => [1];
    localL1CacheSupported Shape::Int, [80], c => [1];
    sharedMemPerMultiprocessor Shape::Size, [81], c => [c.limits.shared_bytes];
    regsPerMultiprocessor Shape::Int, [82], c => [65536];
    managedMemory Shape::Int, [83], c => [1];
    isMultiGpuBoard Shape::Int, [84], c => [0];
    multiGpuBoardGroupID Shape::Int, [85], c => [0];
    hostNativeAtomicSupported Shape::Int, [86], c => [0];
    pageableMemoryAccess Shape::Int, [88], c => [0];
    concurrentManagedAccess Shape::Int, [89], c => [i32::from(c.compute_capability.0 >= 6)];
    computePreemptionSupported Shape::Int, [90], c => [i32::from(c.compute_capability.0 >= 6)];
    canUseHostPointerForRegisteredMem Shape::Int, [91], c => [1];
    cooperativeLaunch Shape::Int, [95], c => [1];
    sharedMemPerBlockOptin Shape::Size, [97], c => [c.limits.shared_bytes_per_block];
    pageableMemoryAccessUsesHostPageTables Shape::Int, [100], c => [0];
    directManagedMemAccessFromHost Shape::Int, [101], c => [0];
    maxBlocksPerMultiProcessor Shape::Int, [106], c => [c.limits.blocks];
    accessPolicyMaxWindowSize Shape::Int, [109], c => [0];
    reservedSharedMemPerBlock Shape::Size, [111], c => [c.limits.shared_bytes_reserved];
    hostRegisterSupported Shape::Int, [99], c => [1];
    sparseCudaArraySupported Shape::Int, [112], c => [0];
    hostRegisterReadOnlySupported Shape::Int, [113], c => [0];
    timelineSemaphoreInteropSupported Shape::Int, [114], c => [0];
    memoryPoolsSupported Shape::Int, [115], c => [1];
    gpuDirectRDMASupported Shape::Int, [116], c => [0];
    gpuDirectRDMAFlushWritesOptions Shape::Int, [117], c => [0];
    gpuDirectRDMAWritesOrdering Shape::Int, [118], c => [0];
    memoryPoolSupportedHandleTypes Shape::Int, [119], c => [0];
    deferredMappingCudaArraySupported Shape::Int, [121], c => [0];
    ipcEventSupported Shape::Int, [125], c => [0];
    clusterLaunch Shape::Int, [120], c => [clusters(c)];
    unifiedFunctionPointers Shape::Int, [], c => [0];
    deviceNumaConfig Shape::Int, [130], c => [0];
    deviceNumaId Shape::Int, [131], c => [-1];
    mpsEnabled Shape::Int, [133], c => [0];
    hostNumaId Shape::Int, [134], c => [-1];
    gpuPciDeviceID Shape::Int, [139], c => [0];
    gpuPciSubsystemID Shape::Int, [140], c => [0];
    hostNumaMultinodeIpcSupported Shape::Int, [143], c => [0];
    clockRate Shape::Int, [13], c => [(c.clock_mhz * 1e3) as i32];
    memoryClockRate Shape::Int, [36], c => [(c.memory_clock_mhz * 1e3) as i32];
    deviceOverlap Shape::Int, [15], c => [1];
    computeMode Shape::Int, [20], c => [0];
    kernelExecTimeoutEnabled Shape::Int, [17], c => [0];
    maxTexture1DLinear Shape::Int, [69], c => [268_435_456];
    singleToDoublePrecisionPerfRatio Shape::Int, [87], c => [double_ratio(c)];
    cooperativeMultiDeviceLaunch Shape::Int, [96], c => [0];
};

/// The struct's bytes.
pub(super) fn properties(chip: &Chip) -> Vec<u8> {
    let mut bytes = vec![];
    for field in FIELDS {
        let align = match field.shape {
            Shape::Text(_) | Shape::Bytes(_) => 1,
            Shape::Int => 4,
            Shape::Size => 8,
        };
        bytes.resize(bytes.len().next_multiple_of(align), 0);
        match field.shape {
            Shape::Text(size) => {
                let mut text = chip.name.clone().into_bytes();
                text.truncate(size - 1);
                text.resize(size, 0);
                bytes.extend(text);
            }
            Shape::Bytes(size) => bytes.extend(vec![0; size]),
            Shape::Int => {
                (field.values)(chip).iter().for_each(|value| bytes.extend((*value as i32).to_le_bytes()))
            }
            Shape::Size => (field.values)(chip).iter().for_each(|value| bytes.extend(value.to_le_bytes())),
        }
    }
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes
}

/// A `cudaDeviceAttr` by its number.
pub(super) fn attribute(chip: &Chip, number: u32) -> Option<i32> {
    let found = FIELDS.iter().find_map(|field| {
        let at = field.attributes.iter().position(|attribute| *attribute == number)?;
        (field.values)(chip).get(at).map(|value| *value as i32)
    });
    // Numbers of attributes that no field has, which are 0: `cudaDevAttrCanFlushRemoteWrites` and later ones.
    found.or_else(|| [98, 126, 135, 138, 142, 144, 147].contains(&number).then_some(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The header's declarations: type, name and count of each field.
    fn declared() -> Vec<(String, String, usize)> {
        let text = include_str!("../../../cuda/library/host/driver_types.h");
        let from = text.find("struct cudaDeviceProp {").unwrap();
        let body = &text[from..from + text[from..].find("};").unwrap()];
        let mut all = vec![];
        for line in body.lines().skip(1) {
            let line = line.trim().trim_end_matches(';');
            let Some((ty, names)) =
                line.rsplit_once(|c: char| c == ' ' && line.contains(' ')).and_then(|_| {
                    let ty = ["unsigned int", "size_t", "char", "int", "cudaUUID_t"];
                    ty.iter().find_map(|ty| line.strip_prefix(&format!("{ty} ")).map(|rest| (*ty, rest)))
                })
            else {
                continue;
            };
            for name in names.split(", ") {
                let (name, count) = match name.split_once('[') {
                    Some((name, count)) => (name, count.trim_end_matches(']').parse().unwrap()),
                    None => (name, 1),
                };
                all.push((ty.to_owned(), name.to_owned(), count));
            }
        }
        all
    }

    #[test]
    fn fields_are_those_of_the_header_in_its_order() {
        let chip = Chip::by_name("h200").unwrap();
        let ours: Vec<_> = FIELDS
            .iter()
            .map(|field| {
                let count = (field.values)(&chip).len();
                let (ty, count) = match field.shape {
                    Shape::Text(size) => ("char", size),
                    Shape::Bytes(16) => ("cudaUUID_t", 1),
                    Shape::Bytes(size) => ("char", size),
                    Shape::Int => ("int", count),
                    Shape::Size => ("size_t", count),
                };
                (ty.to_owned(), field.name.to_owned(), count)
            })
            .collect();
        let theirs = declared().into_iter();
        let theirs: Vec<_> =
            theirs.map(|(ty, name, n)| (ty.replace("unsigned int", "int"), name, n)).collect();
        assert_eq!(ours, theirs);
    }

    #[test]
    fn the_h200_has_the_properties_that_its_driver_reports() {
        let chip = Chip::by_name("h200").unwrap();
        let said = include_str!("../../../simt/arch/h200.txt");
        let driver = |name: &str| -> i32 {
            let line = said.lines().find_map(|line| line.strip_prefix(&format!("driver {name} "))).unwrap();
            line.trim().parse().unwrap()
        };
        for (number, name) in [
            (13, "clock_khz"),
            (16, "multiprocessors"),
            (36, "memory_clock_khz"),
            (37, "memory_bus_bits"),
            (38, "l2_bytes"),
            (39, "threads_per_multiprocessor"),
            (81, "shared_bytes_per_multiprocessor"),
            (97, "shared_bytes_per_block"),
            (106, "blocks_per_multiprocessor"),
            (108, "l2_persisting_bytes"),
            (111, "shared_bytes_reserved"),
        ] {
            assert_eq!(attribute(&chip, number), Some(driver(name)), "{name}");
        }
        assert_eq!(attribute(&chip, 9999), None);
    }
}
