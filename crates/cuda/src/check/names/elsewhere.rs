//! What programs use on the host that this compiler does not have: names of headers that are known by name only.
//!
//! Enters: an unknown name, and headers of its source that are known by name only. Leaves: what to write instead. This module must
//! never know why the name was looked up.

/// Headers by the beginnings of their names, with the beginnings of what they declare, and what to write instead.
struct Row {
    headers: &'static [&'static str],
    names: &'static [&'static str],
    instead: &'static str,
}

const ROWS: &[Row] = &[
    Row {
        headers: &[
            "D3D",
            "DirectX",
            "EGL/",
            "GL/",
            "GLES",
            "GLFW/",
            "GLUT/",
            "SDL",
            "SFML/",
            "X11/",
            "cudaD3D",
            "cudaEGL",
            "cudaGL",
            "cudaVDPAU",
            "cuda_d3d",
            "cuda_egl",
            "cuda_gl",
            "cuda_vdpau",
            "d3d",
            "dxgi",
            "helper_gl.h",
            "vulkan/",
        ],
        names: &[
            "D3D",
            "EGL",
            "GL",
            "SDL",
            "Vk",
            "X",
            "cudaD3D",
            "cudaEGL",
            "cudaGL",
            "cudaGraphics",
            "cudaVDPAU",
            "egl",
            "gl",
            "sf",
            "vk",
        ],
        instead: "write the picture to a file, as `sdkSavePPM4ub` of `helper_functions.h` does",
    },
    Row {
        headers: &["mpi.h", "nccl", "helper_multiprocess.h"],
        names: &["MPI", "ipc", "nccl", "sharedMemory", "spawnProcess", "waitProcess"],
        instead: "a program is one process here: use streams, or `std::thread`",
    },
    Row {
        headers: &["thrust/"],
        names: &["thrust"],
        instead: "write a kernel, or use `std::vector` and `<algorithm>` on the host",
    },
    Row {
        headers: &[
            "cublas",
            "cudnn",
            "cufft",
            "curand.h",
            "cusolver",
            "cusparse",
            "helper_cusolver.h",
            "npp",
            "nvjpeg",
        ],
        names: &[
            "CUBLAS", "CUDNN", "CUFFT", "CUSOLVER", "CUSPARSE", "NPP", "Npp", "cublas", "cudnn", "cufft",
            "curand", "cusolver", "cusparse", "npp", "nvjpeg",
        ],
        instead: "write a kernel that does what the library's function does",
    },
    Row {
        headers: &["nvJitLink.h", "nvPTXCompiler.h", "nvrtc.h", "nvrtc_helper.h", "nvvm.h"],
        names: &[
            "NVRTC",
            "NVVM",
            "compileFileToCUBIN",
            "loadCUBIN",
            "nvJitLink",
            "nvPTXCompiler",
            "nvrtc",
            "nvvm",
        ],
        instead: "the kernels of a source are compiled with it: launch them with `<<<…>>>`",
    },
    Row {
        headers: &["drvapi_error_string.h", "helper_cuda_drvapi.h"],
        names: &[
            "CU",
            "cu",
            "findCudaDeviceDRV",
            "findModulePath",
            "getCudaDrvErrorString",
            "getCudaAttribute",
            "gpuDeviceInitDRV",
            "gpuGetMaxGflopsDeviceIdDRV",
        ],
        instead: "use the runtime API, such as `cudaMalloc`, with `helper_cuda.h`",
    },
];

/// Headers that are named in a message.
const NAMED: usize = 3;

fn list<'a>(headers: impl Iterator<Item = &'a String>) -> String {
    let all: Vec<String> = headers.map(|header| format!("`<{header}>`")).collect();
    let more = all.len().saturating_sub(NAMED);
    let mut text = all.into_iter().take(NAMED).collect::<Vec<_>>().join(", ");
    if more > 0 {
        text.push_str(&format!(" and {more} more"));
    }
    text
}

/// What to write instead of a name that the library for host code leaves out, or that a header declares which is known by name only.
pub(super) fn advice(name: &str, headers: &[String]) -> Option<String> {
    if let Some(help) = left_out(name) {
        return Some(help.to_owned());
    }
    let begins = |all: &[&str], text: &str| all.iter().any(|one| text.starts_with(one));
    ROWS.iter().filter(|row| begins(row.names, name)).find_map(|row| {
        let mut own = headers.iter().filter(|header| begins(row.headers, header)).peekable();
        own.peek()?;
        Some(format!(
            "this compiler knows {} by name only, without its functions: {}",
            list(own),
            row.instead
        ))
    })
}

/// Advice on a name of which nothing is known: headers that may declare it, which are those without a row, if there are any.
pub(super) fn possible(headers: &[String]) -> Option<String> {
    let known =
        |header: &&String| ROWS.iter().any(|row| row.headers.iter().any(|one| header.starts_with(one)));
    let mut all: Vec<&String> = headers.iter().collect();
    if !all.iter().all(known) {
        all.retain(|header| !known(header));
    }
    let listed = list(all.into_iter());
    (!headers.is_empty())
        .then(|| format!("it may be declared by {listed}, which this compiler knows by name only"))
}

/// What the library for host code leaves out, by name, and what to write instead.
fn left_out(name: &str) -> Option<&'static str> {
    Some(match name {
        "regex"
        | "smatch"
        | "cmatch"
        | "sub_match"
        | "ssub_match"
        | "csub_match"
        | "match_results"
        | "basic_regex"
        | "regex_match"
        | "regex_search"
        | "regex_replace"
        | "regex_iterator"
        | "sregex_iterator"
        | "cregex_iterator"
        | "regex_token_iterator"
        | "sregex_token_iterator"
        | "regex_constants"
        | "regex_error" => {
            "regular expressions (`<regex>`) are not supported by this compiler: use `std::string::find` or `sscanf`"
        }
        "setjmp" | "longjmp" | "jmp_buf" | "sigsetjmp" | "siglongjmp" | "sigjmp_buf" => {
            "jumps out of functions (`<csetjmp>`) are not supported by this compiler: throw an exception, and catch it"
        }
        "sigaction" | "sigprocmask" | "sigemptyset" | "sigset_t" | "kill" | "alarm" | "pause" => {
            "of signals, `signal` and `raise` are available"
        }
        "wstring" | "wcout" | "wcin" | "wcerr" | "wchar_t" | "wostringstream" | "wstringstream" => {
            "wide characters are not supported by this compiler: use `char`, whose texts are UTF-8"
        }
        "jthread" | "stop_token" | "counting_semaphore" | "binary_semaphore" | "latch" | "ranges"
        | "views" => "this is C++20's: the library for host code is that of C++17",
        _ => return None,
    })
}
