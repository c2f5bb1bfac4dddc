//! Names that a reader may have meant.
//!
//! Enters: an unknown name. Leaves: the nearest one that is known, or what to write in a kernel instead of what the host has.
//! This module must never know why the name was looked up.

use crate::ast::{Id, Name, Segment};
use crate::builtin::BUILTINS;
use crate::diagnostic::distances;
use crate::source::Span;

use crate::check::context::body::Body;
use crate::check::context::frame::Frame;
use crate::check::context::messages::Messages;
use crate::check::context::scopes::Scopes;
use crate::check::names::entity::{Entity, Entry};

/// Advice where a pointer is taken for an array that knows its length.
pub(crate) const POINTER_WITHOUT_LENGTH: &str = "a pointer does not know how many elements it points to: pass their number to the kernel, and count up to it";

/// Values that the language itself has, for suggestions.
const SPECIALS: [&str; 5] = ["threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"];

/// All names of the compiler's own functions, for suggestions.
fn builtin_names() -> impl Iterator<Item = &'static str> + use<> {
    let names = BUILTINS.iter().copied().flatten().map(|row| row.name);
    names.filter(|name| !name.starts_with("__builtin")).chain(["printf"])
}

/// What a name that no one knows is used as, and so what it may have been meant for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Before `::`.
    Prefix,
    /// As a type.
    Type,
    /// With arguments after it, or before `<`.
    Called,
    /// As a value that is known when compiling: the length of an array.
    Constant,
    /// As any other value.
    Value,
}

/// How to get what a header of the library has.
pub(crate) fn header_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "array" => "write `#include <array>` at the beginning of the file",
        "swap"
        | "move"
        | "pair"
        | "make_pair"
        | "forward"
        | "exchange"
        | "declval"
        | "integer_sequence"
        | "index_sequence"
        | "make_integer_sequence"
        | "make_index_sequence" => "write `#include <utility>` at the beginning of the file",
        "curandState"
        | "curandState_t"
        | "curandStateXORWOW_t"
        | "curandStatePhilox4_32_10_t"
        | "curandStateMRG32k3a_t"
        | "curand_init"
        | "curand"
        | "curand_uniform"
        | "curand_normal" => "write `#include <curand_kernel.h>` at the beginning of the file",
        "void_t" | "remove_const_t" => "write `#include <type_traits>` at the beginning of the file",
        "numeric_limits" => "write `#include <limits>` at the beginning of the file",
        "filesystem" => "write `#include <filesystem>` at the beginning of the file",
        _ => return None,
    })
}

/// Whether a name is `std::…` of something that the host or a header has: of `std` itself a kernel has a part.
pub(crate) fn only_host_has(name: &Name, symbol: &str) -> bool {
    let std = |one: &Segment| matches!(&one.id, Id::Word(word) if &**word == "std");
    name.segments.len() == 2 && name.segments.first().is_some_and(std) && host_name(symbol).is_some()
}

/// What to write in place of a function that only the host or a header has.
#[expect(clippy::too_many_lines, reason = "a table with a line for each name")]
pub(crate) fn host_name(name: &str) -> Option<&'static str> {
    if let Some(help) = header_of(name) {
        return Some(help);
    }
    Some(match name {
        "printf" => "`printf` needs no `std::` in a kernel",
        "copy" | "fill" | "sort" | "accumulate" | "reduce" | "transform" => {
            "kernels have no library algorithms: write the loop"
        }
        "tuple" | "optional" => "write a `struct` with the members that you need",
        "complex" => "keep the real and the imaginary part in a `float2`",
        "curandGenerator_t" | "curandCreateGenerator" | "curandCreateGeneratorHost" => {
            "cuRAND's host functions are not available: fill the array in a kernel, with the functions of `curand_kernel.h`"
        }
        "curandDiscreteDistribution_t" | "curand_discrete" | "curand_discrete4" => {
            "cuRAND's host functions, which make distributions, are not available: draw with `curand_poisson`"
        }
        "RAND_MAX" => "this belongs to `rand`, a host function",
        "get_global_id" | "get_local_id" | "get_group_id" => {
            "that is OpenCL: write `blockIdx.x * blockDim.x + threadIdx.x`"
        }
        "laneId" | "lane_id" | "laneid" | "laneIdx" => "the lane of a thread is `threadIdx.x % warpSize`",
        "warpId" | "warp_id" | "warpid" | "warpIdx" => "the warp of a thread is `threadIdx.x / warpSize`",
        "blockSize" | "block_size" | "blocksize" => "the number of threads in a block is `blockDim.x`",
        "gridSize" | "grid_size" | "numBlocks" | "num_blocks" => {
            "the number of blocks in a grid is `gridDim.x`"
        }
        "barrier" | "sync_threads" | "syncThreads" => {
            "the barrier for all threads of a block is `__syncthreads()`"
        }
        "cout" | "cerr" | "clog" | "endl" | "print" | "println" | "puts" | "putchar" | "fprintf"
        | "sprintf" | "snprintf" => "in a kernel, print with `printf`",
        "cudaMemcpy"
        | "cudaMemset"
        | "cudaDeviceSynchronize"
        | "cudaMallocManaged"
        | "cudaMallocHost"
        | "cudaFreeHost"
        | "cudaMemcpyToSymbol"
        | "cudaFuncGetAttributes"
        | "cudaGraphLaunch"
        | "cudaLaunchKernel" => "this is a host function: call it on the host, before or after the launch",
        "rand" | "srand" | "drand48" => {
            "kernels have no `rand`: keep a generator state for each thread, and advance it yourself"
        }
        "exit" | "abort" => "a thread ends with `return`; `__trap()` ends the kernel with an error",
        "vector" | "string" | "map" | "set" | "list" | "deque" | "unordered_map" | "unordered_set"
        | "unique_ptr" | "shared_ptr" | "string_view" => {
            "host containers do not exist in kernels: pass a pointer and a length"
        }
        "function" => {
            "write `auto` for a lambda, a template parameter, or a pointer such as `float (*f)(float)`"
        }
        "thread" | "mutex" | "lock_guard" | "unique_lock" | "async" | "future" => {
            "the launch creates the threads of a kernel: they wait for each other in `__syncthreads()`, and count with `atomicAdd`"
        }
        "float16" | "fp16" | "__fp16" | "_Float16" | "float16_t" => {
            "CUDA calls it `half`: write `#include <cuda_fp16.h>` at the beginning of the file"
        }
        "bfloat16" | "bf16" | "__bf16" | "bfloat16_t" => {
            "CUDA calls it `__nv_bfloat16`: write `#include <cuda_bf16.h>` at the beginning of the file"
        }
        "vec3" | "Vec3" | "vector3" => "CUDA calls it `float3`",
        "f32" | "float32" | "Float" => "C++ calls it `float`",
        "f64" | "float64" | "Double" => "C++ calls it `double`",
        "i8" | "int8" => "C++ calls it `signed char`",
        "i16" | "int16" => "C++ calls it `short`",
        "i32" | "int32" | "integer" | "Integer" | "Int" => "C++ calls it `int`",
        "u16" | "uint16" => "C++ calls it `unsigned short`",
        "u32" | "uint32" => "C++ calls it `unsigned int`",
        "i64" | "int64" => "C++ calls it `long long`",
        "u64" | "uint64" => "C++ calls it `unsigned long long`",
        "u8" | "uint8" | "byte" => "C++ calls it `unsigned char`",
        "String" | "str" => "kernels have no strings: pass a number or an `enum`, or a `const char *`",
        "usize" => "C++ calls it `size_t`",
        "clock_gettime" | "time" | "gettimeofday" => "in a kernel, read `clock64()`",
        "__shfl" => {
            "write `__shfl_sync(0xffffffff, …)`: the first argument is the mask of participating lanes"
        }
        "__shfl_up" => {
            "write `__shfl_up_sync(0xffffffff, …)`: the first argument is the mask of participating lanes"
        }
        "__shfl_down" => {
            "write `__shfl_down_sync(0xffffffff, …)`: the first argument is the mask of participating lanes"
        }
        "__shfl_xor" => {
            "write `__shfl_xor_sync(0xffffffff, …)`: the first argument is the mask of participating lanes"
        }
        "__any" => "write `__any_sync(0xffffffff, …)`: the first argument is the mask of participating lanes",
        "__all" => "write `__all_sync(0xffffffff, …)`: the first argument is the mask of participating lanes",
        "__ballot" => {
            "write `__ballot_sync(0xffffffff, …)`: the first argument is the mask of participating lanes"
        }
        "malloc" | "calloc" | "realloc" | "free" => {
            "allocate on the host (`cudaMalloc`) and pass the pointer, or use a local or shared array"
        }
        "texture" | "surface" | "texture_reference" => {
            "texture references were removed in CUDA 12: pass a `cudaTextureObject_t`, and read it with `tex2D<float>(…)`"
        }
        "cudaStream_t" | "cudaEvent_t" | "cudaError_t" => {
            "streams, events and error codes belong to the host"
        }
        "cudaMemcpyDeviceToDevice" | "cudaMemcpyHostToDevice" | "cudaMemcpyDeviceToHost" => {
            "this belongs to `cudaMemcpy`, a host function"
        }
        "NULL" => "write `nullptr`",
        "elif" | "elseif" | "elsif" => "C writes `else if (…)`",
        "True" | "TRUE" => "C++ writes `true`",
        "False" | "FALSE" => "C++ writes `false`",
        "boolean" | "Boolean" => "the type is `bool`",
        "None" | "nil" | "null" | "Null" => "the null pointer is `nullptr`",
        "var" | "let" => "write the type, as in `float x`, or `auto` for the type of the value",
        "range" => "C counts in the loop header: `for (int i = 0; i < n; i++)`",
        "len" | "length" => POINTER_WITHOUT_LENGTH,
        "Math" | "math" => "mathematical functions need no prefix: `sqrtf(x)`, `sinf(x)`, `max(a, b)`",
        "ln" => "the natural logarithm of a `float` is `logf`, of a `double` `log`",
        "sqr" | "square" => "write `x * x`; the square root is `sqrtf`",
        "PI" | "Pi" | "pi" => {
            "the constant is `M_PI`, a `double`: write `(float)M_PI` where everything else is `float`"
        }
        "mod" => "the remainder of integers is `a % b`, of floats `fmodf(a, b)`",
        _ if GROUP_NAMES.contains(&name) => {
            "it is in the namespace `cooperative_groups`: write `namespace cg = cooperative_groups;`, and `cg::` before it"
        }
        "then" => "C has no `then`: the statement follows the parentheses of `if`",
        "int8_t" | "int16_t" | "int32_t" | "int64_t" | "uint8_t" | "uint16_t" | "uint32_t" | "uint64_t" => {
            "write `#include <cstdint>` at the beginning of the file"
        }
        "__pipeline_memcpy_async" | "__pipeline_commit" | "__pipeline_wait_prior" => {
            "write `#include <cuda_pipeline.h>` at the beginning of the file"
        }
        "half" | "__half" | "half2" | "__half2" => {
            "write `#include <cuda_fp16.h>` at the beginning of the file"
        }
        "__nv_bfloat16" | "__nv_bfloat162" => "write `#include <cuda_bf16.h>` at the beginning of the file",
        "cooperative_groups" | "cg" => "write `#include <cooperative_groups.h>` at the beginning of the file",
        _ => return None,
    })
}

/// What beginners use of cooperative groups.
const GROUP_NAMES: [&str; 6] =
    ["this_thread_block", "this_grid", "tiled_partition", "coalesced_threads", "thread_block", "grid_group"];

/// Namespace of cooperative groups.
const GROUPS: &str = "cooperative_groups";

/// Keywords that are misspelt as well.
const KEYWORDS: [&str; 23] = [
    "bool", "break", "case", "char", "const", "continue", "double", "else", "false", "float", "inline",
    "int", "long", "return", "short", "signed", "sizeof", "static", "struct", "switch", "true", "unsigned",
    "while",
];

impl Scopes {
    /// Whether the header of cooperative groups is included.
    fn has_groups(&self) -> bool {
        self.iter().any(|one| one.names.iter().any(|(name, _)| &**name == GROUPS))
    }

    /// What to write in place of what only the host or a header has.
    pub(crate) fn host_help(&self, name: &str) -> Option<&'static str> {
        host_name(if GROUP_NAMES.contains(&name) && !self.has_groups() { GROUPS } else { name })
    }
}

impl Frame {
    /// Whether a name of the source may have been meant.
    fn fits(&self, entry: &Entry, role: Role, scopes: &Scopes, messages: &Messages<'_>) -> bool {
        if entry.order > scopes.horizon() {
            return false;
        }
        match &entry.entity {
            Entity::Namespace(_) => role == Role::Prefix,
            Entity::Type(_) => role != Role::Value && role != Role::Constant,
            Entity::Alias(_) | Entity::Template(_) => matches!(role, Role::Type | Role::Called),
            // A function is a value where it is passed on; hardly one that the compiler has.
            Entity::Functions(..) => {
                role == Role::Called
                    || role == Role::Value
                        && messages.position(entry.span.lo).is_some_and(|place| !place.file.ours)
            }
            Entity::Local(_, id) => match role {
                Role::Constant => self.local(*id).is_some_and(|local| local.ty.constant),
                _ => matches!(role, Role::Called | Role::Value),
            },
            Entity::Value(_) | Entity::Global(_) | Entity::Static(_) => {
                matches!(role, Role::Called | Role::Value | Role::Constant)
            }
            Entity::Binding(..) | Entity::Pack(_) | Entity::Field(..) | Entity::Special(_) => {
                matches!(role, Role::Called | Role::Value)
            }
            Entity::Host(_) | Entity::Error => false,
        }
    }

    /// Advice with the nearest visible name that may stand where the unknown one does: the source's before the language's.
    pub(crate) fn similar_name(
        &self,
        name: &str,
        role: Role,
        scopes: &Scopes,
        messages: &Messages<'_>,
    ) -> Option<String> {
        if name == "cg" && scopes.has_groups() {
            return Some(format!("write `namespace cg = {GROUPS};` after the includes"));
        }
        if let Some(help) = scopes.host_help(name) {
            return Some(help.to_owned());
        }
        let mut own: Vec<&str> = vec![];
        let mut at = Some(scopes.current());
        while let Some(scope) = at {
            let scope = &scopes[scope];
            let fitting = scope
                .names
                .iter()
                .filter(|(_, entries)| entries.iter().any(|one| self.fits(one, role, scopes, messages)));
            own.extend(fitting.map(|(symbol, _)| &**symbol));
            at = scope.parent;
        }
        let mut language: Vec<&str> = vec![];
        if role != Role::Prefix {
            language.extend(KEYWORDS);
        }
        if matches!(role, Role::Value | Role::Called) {
            language.extend(SPECIALS);
        }
        if role == Role::Called {
            language.extend(builtin_names());
        }
        let library = || {
            let declared = crate::library::declared().filter(|_| matches!(role, Role::Called | Role::Type));
            distances(name, declared).min()
        };
        let own = distances(name, own).map(|(far, other)| (far, 0, other));
        let language = distances(name, language).map(|(far, other)| (far, 1, other));
        let found = own.chain(language).min().map(|(_, _, other)| other);
        found.or_else(|| library().map(|(_, other)| other)).map(|found| format!("did you mean `{found}`?"))
    }
}

impl Body {
    /// What an unknown name is used as.
    pub(crate) fn role(&self, span: Span, messages: &Messages<'_>) -> Role {
        let arguments = messages.text(Span { lo: span.hi, hi: span.hi + 1, ..span });
        if arguments == "<" || messages.text_behind(span).starts_with('(') {
            Role::Called
        } else if self.is_in_length() {
            Role::Constant
        } else {
            Role::Value
        }
    }
}
