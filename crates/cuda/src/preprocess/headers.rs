//! Headers by name: which are there, which may be named and are empty, and which are refused.
//!
//! Enters: the name in an `#include`. Leaves: what it is. This module must never know what headers contain.

use crate::{library, side::Side};

/// What a header is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Header {
    /// File of the library.
    File(&'static str),
    /// Header for the host: it may be named, as sources often hold host code too, and there is nothing in it.
    Empty,
    /// Header for kernels that this compiler does not have, with what to write instead.
    Refused(&'static str),
}

/// What is defined before the first line of a source: what nvcc says of itself, and what gcc on Linux, its host's compiler, says
/// to kernels too.
pub(super) const PREDEFINED: &str = "\
#define __NVCC__ 1
#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 9
#define __CUDACC_VER_BUILD__ 0
#define CUDART_VERSION 12090
#define CUDA_VERSION 12090
#define __cplusplus 201703L
#define __STDC__ 1
#define __STDC_HOSTED__ 1
#define __LP64__ 1
#define _LP64 1
#define __linux__ 1
#define __linux 1
#define __gnu_linux__ 1
#define __unix__ 1
#define __unix 1
#define __ELF__ 1
#define __x86_64__ 1
#define __x86_64 1
#define __amd64__ 1
#define __amd64 1
#define __GNUC__ 11
#define __GNUC_MINOR__ 4
#define __GNUC_PATCHLEVEL__ 0
#define __GNUG__ 11
#define __VERSION__ \"11.4.0\"
#define __BYTE_ORDER__ 1234
#define __ORDER_LITTLE_ENDIAN__ 1234
#define __ORDER_BIG_ENDIAN__ 4321
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __VECTOR_TYPES_H__
#define __cpp_constexpr 201603L
#define __cpp_static_assert 201411L
#define __cpp_if_constexpr 201606L
#define __cpp_fold_expressions 201603L
#define __cpp_aggregate_nsdmi 201304L
#define __cpp_alias_templates 200704L
#define __cpp_decltype 200707L
#define __cpp_decltype_auto 201304L
#define __cpp_generic_lambdas 201304L
#define __cpp_init_captures 201304L
#define __cpp_inline_variables 201606L
#define __cpp_lambdas 200907L
#define __cpp_nsdmi 200809L
#define __cpp_range_based_for 201603L
#define __cpp_return_type_deduction 201304L
#define __cpp_rvalue_references 200610L
#define __cpp_structured_bindings 201606L
#define __cpp_variable_templates 201304L
#define __cpp_variadic_templates 200704L
";

/// What tells how single precision is computed.
pub(super) const EXACT: &str = "\
#define __CUDA_FTZ 0
#define __CUDA_PREC_DIV 1
#define __CUDA_PREC_SQRT 1
";

/// The same with `-use_fast_math`.
pub(super) const FAST: &str = "\
#define __CUDA_FTZ 1
#define __CUDA_PREC_DIV 0
#define __CUDA_PREC_SQRT 0
#define __USE_FAST_MATH__ 1
";

/// Headers that are reported where one is missing: those whose contents a kernel may need.
pub(super) const TOLD: [&str; 10] = [
    "assert.h",
    "cooperative_groups.h",
    "cuda_bf16.h",
    "cuda_fp16.h",
    "cuda_pipeline.h",
    "float.h",
    "limits.h",
    "math.h",
    "stdint.h",
    "stdio.h",
];

/// Headers for the host, and CUDA's own of which a kernel knows all names anyway.
const HOST: &[&str] = &[
    "DirectXColors.h",
    "DirectXMath.h",
    "GL/freeglut.h",
    "GLUT/glut.h",
    "aio.h",
    "algorithm",
    "alloca.h",
    "any",
    "arm_neon.h",
    "atomic",
    "barrier",
    "bit",
    "bits/stdc++.h",
    "bitset",
    "byteswap.h",
    "ccomplex",
    "cctype",
    "cerrno",
    "cfenv",
    "channel_descriptor.h",
    "charconv",
    "chrono",
    "cinttypes",
    "ciso646",
    "clocale",
    "codecvt",
    "common_functions.h",
    "compare",
    "complex",
    "complex.h",
    "concepts",
    "condition_variable",
    "conio.h",
    "coroutine",
    "cpio.h",
    "cpuid.h",
    "csetjmp",
    "csignal",
    "cstdarg",
    "cstdbool",
    "ctgmath",
    "ctime",
    "ctype.h",
    "cublas.h",
    "cublas_api.h",
    "cuchar",
    "cudaD3D11.h",
    "cudaD3D9.h",
    "cudaEGL.h",
    "cudaEGLTypedefs.h",
    "cudaGL.h",
    "cudaGLTypedefs.h",
    "cudaProfiler.h",
    "cudaProfilerTypedefs.h",
    "cudaTypedefs.h",
    "cudaVDPAU.h",
    "cudaVDPAUTypedefs.h",
    "cuda_d3d10_interop.h",
    "cuda_d3d11_interop.h",
    "cuda_d3d9_interop.h",
    "cuda_device_runtime_api.h",
    "cuda_egl_interop.h",
    "cuda_gl_interop.h",
    "cuda_occupancy.h",
    "cuda_profiler_api.h",
    "cuda_vdpau_interop.h",
    "cudart_platform.h",
    "cudla.h",
    "cufile.h",
    "cuviddec.h",
    "cwchar",
    "cwctype",
    "deque",
    "device_double_functions.h",
    "device_types.h",
    "direct.h",
    "dirent.h",
    "dlfcn.h",
    "driver_functions.h",
    "driver_types.h",
    "drm_fourcc.h",
    "drvapi_error_string.h",
    "emmintrin.h",
    "endian.h",
    "err.h",
    "errno.h",
    "exception",
    "exception.h",
    "execinfo.h",
    "execution",
    "expected",
    "fatbinary_section.h",
    "fcntl.h",
    "features.h",
    "fenv.h",
    "filesystem",
    "fnmatch.h",
    "format",
    "forward_list",
    "fstream",
    "ftw.h",
    "functional",
    "future",
    "getopt.h",
    "glob.h",
    "grp.h",
    "helper_cuda.h",
    "helper_cuda_drvapi.h",
    "helper_cusolver.h",
    "helper_functions.h",
    "helper_gl.h",
    "helper_image.h",
    "helper_multiprocess.h",
    "helper_string.h",
    "helper_timer.h",
    "host_config.h",
    "iconv.h",
    "ifaddrs.h",
    "immintrin.h",
    "initializer_list",
    "intrin.h",
    "inttypes.h",
    "io.h",
    "iomanip",
    "ios",
    "iosfwd",
    "iostream",
    "istream",
    "iterator",
    "langinfo.h",
    "latch",
    "libgen.h",
    "library_types.h",
    "list",
    "locale",
    "locale.h",
    "malloc.h",
    "map",
    "mdspan",
    "memory",
    "memory.h",
    "memory_resource",
    "monetary.h",
    "mpi.h",
    "mqueue.h",
    "multi_timer.h",
    "mutex",
    "nccl.h",
    "net/if.h",
    "netdb.h",
    "nl_types.h",
    "nmmintrin.h",
    "numbers",
    "numeric",
    "nvJitLink.h",
    "nvPTXCompiler.h",
    "nvcuvid.h",
    "nvjpeg.h",
    "nvrtc.h",
    "nvrtc_helper.h",
    "nvvm.h",
    "objbase.h",
    "omp.h",
    "optional",
    "ostream",
    "poll.h",
    "print",
    "process.h",
    "pthread.h",
    "pthread_np.h",
    "pwd.h",
    "queue",
    "random",
    "ranges",
    "ratio",
    "regex",
    "regex.h",
    "sal.h",
    "sched.h",
    "scoped_allocator",
    "search.h",
    "semaphore",
    "semaphore.h",
    "set",
    "setjmp.h",
    "shared_mutex",
    "signal.h",
    "sm_20_atomic_functions.h",
    "sm_20_intrinsics.h",
    "sm_30_intrinsics.h",
    "sm_32_atomic_functions.h",
    "sm_32_intrinsics.h",
    "sm_35_atomic_functions.h",
    "sm_35_intrinsics.h",
    "sm_61_intrinsics.h",
    "smmintrin.h",
    "source_location",
    "span",
    "spawn.h",
    "sstream",
    "stack",
    "stacktrace",
    "stdalign.h",
    "stdarg.h",
    "stdbool.h",
    "stdexcept",
    "stdfloat",
    "stdnoreturn.h",
    "stop_token",
    "streambuf",
    "string",
    "string_view",
    "strings.h",
    "stropts.h",
    "strstream",
    "surface_indirect_functions.h",
    "surface_types.h",
    "syncstream",
    "sysexits.h",
    "syslog.h",
    "system_error",
    "tar.h",
    "tchar.h",
    "termios.h",
    "texture_indirect_functions.h",
    "texture_types.h",
    "tgmath.h",
    "thread",
    "threads.h",
    "time.h",
    "tmmintrin.h",
    "tuple",
    "typeindex",
    "typeinfo",
    "uchar.h",
    "ucontext.h",
    "ulimit.h",
    "unistd.h",
    "unordered_map",
    "unordered_set",
    "utime.h",
    "utmpx.h",
    "valarray",
    "variant",
    "vector",
    "version",
    "wchar.h",
    "wctype.h",
    "winbase.h",
    "windef.h",
    "windows.h",
    "winsock.h",
    "winsock2.h",
    "wordexp.h",
    "wrl.h",
    "wrl/client.h",
    "ws2tcpip.h",
    "x86intrin.h",
    "xf86drm.h",
    "xf86drmMode.h",
    "xlocale.h",
    "xmmintrin.h",
];

/// Headers of NVIDIA's samples, which no toolkit has: nvcc finds those that the reader has, and so they come before the library's,
/// however they are included.
pub(super) const SAMPLES: [&str; 7] = [
    "exception.h",
    "helper_cuda.h",
    "helper_functions.h",
    "helper_image.h",
    "helper_math.h",
    "helper_string.h",
    "helper_timer.h",
];

/// Headers of [`HOST`] of which programs miss nothing: all that they declare is known without them, or there is no need of it.
const NOTHING: &[&str] = &[
    "ciso646",
    "common_functions.h",
    "cuda_device_runtime_api.h",
    "cudart_platform.h",
    "device_double_functions.h",
    "device_types.h",
    "fatbinary_section.h",
    "features.h",
    "host_config.h",
    "library_types.h",
    "sal.h",
    "sm_20_atomic_functions.h",
    "sm_20_intrinsics.h",
    "sm_30_intrinsics.h",
    "sm_32_atomic_functions.h",
    "sm_32_intrinsics.h",
    "sm_35_atomic_functions.h",
    "sm_35_intrinsics.h",
    "sm_61_intrinsics.h",
    "stdalign.h",
    "stdnoreturn.h",
    "surface_indirect_functions.h",
    "texture_indirect_functions.h",
    "version",
];

/// Files of the library that have what kernels need of a header, and no function of the host.
const FOR_KERNELS: &[&str] = &["cublasLt.h", "cublas_v2.h", "cufft.h", "cufftXt.h", "curand.h"];

/// Whether a program may miss, on the host, what a header declares.
pub(super) fn lacks(name: &str, found: Header) -> bool {
    match found {
        Header::File(_) => FOR_KERNELS.contains(&name),
        Header::Empty => !NOTHING.contains(&name),
        Header::Refused(_) => false,
    }
}

/// Folders and beginnings of names that only the host has.
const HOST_PREFIXES: &[&str] = &[
    "CL/",
    "asm/",
    "boost/",
    "cupti",
    "gtest/",
    "hdf5",
    "libav",
    "mach/",
    "net/",
    "opencv",
    "SDL",
    "SFML/",
    "tbb/",
    "D3D",
    "EGL/",
    "GLES",
    "X11/",
    "d3d",
    "dxgi",
    "nvmedia",
    "nvsci",
    "vulkan/",
    "GL/",
    "GLFW/",
    "arpa/",
    "cub/host/",
    "cublasXt.h",
    "cudnn",
    "cufftw.h",
    "cusolver",
    "cusparse",
    "linux/",
    "netinet/",
    "npp",
    "nvToolsExt",
    "nvml",
    "nvtx3/",
    "sys/",
    "thrust/",
];

/// Headers with code for kernels that are not here, by the beginning of their names.
const REFUSED: &[(&str, &str)] = &[
    (
        "cooperative_groups/",
        "the available headers of cooperative groups are `cooperative_groups.h`, `cooperative_groups/reduce.h`, `cooperative_groups/scan.h` and `cooperative_groups/memcpy_async.h`",
    ),
    ("cub/", "write the loop over shared memory or shuffles yourself, or compile with `--compiler nvrtc`"),
    ("cuda/std/", "write plain types and functions, or compile with `--compiler nvrtc`"),
    (
        "cuda/",
        "use functions such as `__syncthreads()` and `atomicAdd()`, `<cooperative_groups.h>` or `<cuda_pipeline.h>`, or compile with `--compiler nvrtc`",
    ),
    ("curand", "the device's generators XORWOW, Philox and MRG32k3a are in `curand_kernel.h`"),
    ("cute/", "write plain loops, or compile with `--compiler nvrtc`"),
    ("cutlass/", "write plain loops, or compile with `--compiler nvrtc`"),
    (
        "cuda_fp4",
        "the available headers of small floating-point types are `cuda_fp16.h`, `cuda_bf16.h` and `cuda_fp8.h`",
    ),
    (
        "cuda_fp6",
        "the available headers of small floating-point types are `cuda_fp16.h`, `cuda_bf16.h` and `cuda_fp8.h`",
    ),
];

/// Header of a name, unless it is unknown. What the host has of its own lies in a folder.
pub(super) fn header(name: &str, side: Side) -> Option<Header> {
    let own = match side.is_host() {
        true => library::file(&format!("host/{name}")),
        false => None,
    };
    if let Some((file, _)) = own.or_else(|| library::file(name)) {
        return Some(Header::File(file));
    }
    if HOST.contains(&name) || HOST_PREFIXES.iter().any(|prefix| name.starts_with(prefix)) {
        return Some(Header::Empty);
    }
    REFUSED.iter().find(|(prefix, _)| name.starts_with(prefix)).map(|(_, instead)| Header::Refused(instead))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_ours_or_empty_or_refused_or_unknown() {
        assert_eq!(header("cuda_fp16.h", Side::Device), Some(Header::File("cuda_fp16.h")));
        assert_eq!(header("vector", Side::Device), Some(Header::Empty));
        assert_eq!(header("thrust/device_vector.h", Side::Device), Some(Header::Empty));
        assert_eq!(header("curand_kernel.h", Side::Device), Some(Header::File("curand_kernel.h")));
        assert!(matches!(header("curand_mtgp32.h", Side::Device), Some(Header::Refused(_))));
        assert_eq!(header("my.h", Side::Device), None);
    }

    #[test]
    fn what_the_library_has_is_taken_from_it_whatever_the_other_lists_say() {
        for name in library::headers() {
            assert_eq!(header(name, Side::Device), Some(Header::File(name)));
        }
        assert!(TOLD.iter().all(|name| library::file(name).is_some()));
        assert!(FOR_KERNELS.iter().all(|name| library::file(name).is_some()));
        assert!(NOTHING.iter().all(|name| HOST.contains(name)));
    }
}
