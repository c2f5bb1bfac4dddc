//! Rows of functions of the CUDA device runtime, as `library/runtime` calls them. An engine of kernels alone has neither.

use super::{Builtin, Meaning};

/// Function of the device runtime.
const fn row(name: &'static str, signature: &'static str, of_runtime: &'static str) -> Builtin {
    Builtin { name, signature, types: "", meaning: Meaning::Call(of_runtime) }
}

#[rustfmt::skip]
pub(super) static RUNTIME: &[Builtin] = &[
    row("__builtin_runtime_malloc", "i(*vN)", "__cudaCDP2Malloc"),
    row("__builtin_runtime_free", "i(*v)", "__cudaCDP2Free"),
    row("__builtin_runtime_copy", "i(*v^vNi*v)", "__cudaCDP2MemcpyAsync"),
    row("__builtin_runtime_copy_2d", "i(*vN^vNNNi*v)", "__cudaCDP2Memcpy2DAsync"),
    row("__builtin_runtime_copy_3d", "i(^v*v)", "__cudaCDP2Memcpy3DAsync"),
    row("__builtin_runtime_set", "i(*viN*v)", "__cudaCDP2MemsetAsync"),
    row("__builtin_runtime_set_2d", "i(*vNiNN*v)", "__cudaCDP2Memset2DAsync"),
    row("__builtin_runtime_set_3d", "i(*vNNNiNNN*v)", "__cudaCDP2Memset3DAsync"),
    row("__builtin_runtime_create_event", "i(*vu)", "__cudaCDP2EventCreateWithFlags"),
    row("__builtin_runtime_record", "i(*v*v)", "__cudaCDP2EventRecord"),
    row("__builtin_runtime_record_flags", "i(*v*vu)", "__cudaCDP2EventRecordWithFlags"),
    row("__builtin_runtime_wait", "i(*v*vu)", "__cudaCDP2StreamWaitEvent"),
    row("__builtin_runtime_destroy_event", "i(*v)", "__cudaCDP2EventDestroy"),
    row("__builtin_runtime_device", "i(*v)", "__cudaCDP2GetDevice"),
    row("__builtin_runtime_devices", "i(*v)", "__cudaCDP2GetDeviceCount"),
    row("__builtin_runtime_attribute", "i(*vii)", "__cudaCDP2DeviceGetAttribute"),
    row("__builtin_runtime_limit", "i(*vi)", "__cudaCDP2DeviceGetLimit"),
    row("__builtin_runtime_cache", "i(*v)", "__cudaCDP2DeviceGetCacheConfig"),
    row("__builtin_runtime_banks", "i(*v)", "__cudaCDP2DeviceGetSharedMemConfig"),
    row("__builtin_runtime_version", "i(*v)", "__cudaCDP2RuntimeGetVersion"),
    row("__builtin_runtime_occupancy", "i(*v^viN)", "__cudaCDP2OccupancyMaxActiveBlocksPerMultiprocessor"),
    row("__builtin_runtime_occupancy_flags", "i(*v^viNu)", "__cudaCDP2OccupancyMaxActiveBlocksPerMultiprocessorWithFlags"),
];
