//! Texts of the library: what `#include <…>` finds, and which file declares a name that CUDA has without any header.
//!
//! Enters: the files of `library/`, embedded. Leaves: text by header's name, and headers by word. This module must never know what
//! the texts say.

use crate::hash::Map;
use std::sync::OnceLock;

macro_rules! files {
    ($($name:literal)*) => {
        /// Name and text of each file, as `#include <name>` finds it.
        static FILES: &[(&str, &str)] = &[$(($name, include_str!(concat!("../library/", $name)))),*];
    };
}

files! {
    "assert.h"
    "atomic_vector.cuh"
    "builtin_types.h"
    "cassert"
    "cfloat"
    "climits"
    "cluster.cuh"
    "cmath"
    "cooperative_groups.h"
    "cooperative_groups/memcpy_async.h"
    "cooperative_groups/operations.h"
    "cooperative_groups/reduce.h"
    "cooperative_groups/scan.h"
    "cp_async.cuh"
    "crt/device_functions.h"
    "cstddef"
    "cstdint"
    "cstdio"
    "cstdlib"
    "cstring"
    "cublasLt.h"
    "cublas_v2.h"
    "cuda.h"
    "cuda/aligned_size.h"
    "cuda/atomic"
    "cuda/barrier"
    "cuda/pipeline"
    "cuda/ptx"
    "cuda/scope.h"
    "cuda/std/atomic"
    "cuda/std/utility"
    "cuda_bf16.h"
    "cuda_fp16.h"
    "cuda_pipeline.h"
    "cuda_pipeline_primitives.h"
    "cuda_runtime.h"
    "cuda_runtime_api.h"
    "cufft.h"
    "cufftXt.h"
    "device_atomic_functions.h"
    "device_functions.h"
    "device_launch_parameters.h"
    "dims.cuh"
    "dots.cuh"
    "dpx.cuh"
    "fast.cuh"
    "fixed.cuh"
    "float.h"
    "half_emulated.inc"
    "half_family.inc"
    "host_defines.h"
    "integer.cuh"
    "limits.h"
    "math.h"
    "math/atan.cuh"
    "math/atanf.cuh"
    "math/bessel.cuh"
    "math/classify.cuh"
    "math/erf.cuh"
    "math/exp.cuh"
    "math/expf.cuh"
    "math/frsqrt.cuh"
    "math/gamma.cuh"
    "math/log.cuh"
    "math/logf.cuh"
    "math/p_atan.cuh"
    "math/p_atanf.cuh"
    "math/p_bessel.cuh"
    "math/p_erf.cuh"
    "math/p_exp.cuh"
    "math/p_expf.cuh"
    "math/p_gamma.cuh"
    "math/p_log.cuh"
    "math/p_logf.cuh"
    "math/p_pow.cuh"
    "math/p_powf.cuh"
    "math/p_sinh.cuh"
    "math/p_sinhf.cuh"
    "math/p_tanh.cuh"
    "math/p_tanhf.cuh"
    "math/p_trig.cuh"
    "math/p_trigf.cuh"
    "math/payne_hanek.cuh"
    "math/parts.cuh"
    "math/pow.cuh"
    "math/powf.cuh"
    "math/remainder.cuh"
    "math/root.cuh"
    "math/rootf.cuh"
    "math/round.cuh"
    "math/trig.cuh"
    "math/trigf.cuh"
    "math_constants.h"
    "math_functions.h"
    "mma.h"
    "new"
    "objects.cuh"
    "pitched.cuh"
    "simd.cuh"
    "sm_60_atomic_functions.h"
    "stddef.h"
    "stdint.h"
    "stdio.h"
    "stdlib.h"
    "string.h"
    "surface.inc"
    "surface_1d.cuh"
    "surface_2d.cuh"
    "surface_3d.cuh"
    "surface_layers.cuh"
    "surfel.cuh"
    "texture.cuh"
    "time.cuh"
    "utility"
    "vector/char.cuh"
    "vector/double.cuh"
    "vector/float.cuh"
    "vector/int.cuh"
    "vector/long.cuh"
    "vector/longlong.cuh"
    "vector/short.cuh"
    "vector/uchar.cuh"
    "vector/uint.cuh"
    "vector/ulong.cuh"
    "vector/ulonglong.cuh"
    "vector/ushort.cuh"
    "vector_functions.h"
    "vector_types.h"
    "warp.cuh"
}

/// Text of the library's file of that name, and the name in the library's own keeping.
pub(crate) fn file(name: &str) -> Option<(&'static str, &'static str)> {
    FILES.iter().copied().find(|(file, _)| *file == name)
}

/// Names of all files that a source may include.
pub(crate) fn headers() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name).filter(|name| !name.ends_with(".inc") && !name.ends_with(".cuh"))
}

/// File that declares a word of CUDA's that needs no `#include`: to be put before a source whose tokens name it, once.
/// The tokens of that file are to be looked at in the same way.
pub(crate) fn declares(word: &str) -> Option<&'static str> {
    static INDEX: OnceLock<Map<&str, &str>> = OnceLock::new();
    INDEX.get_or_init(|| index(include_str!("../library/index.txt"))).get(word).copied()
}

/// File that defines a macro of the C library that sources use without its header: to be included where the preprocessor meets
/// the word, undefined, outside of a directive.
pub(crate) fn defines(word: &str) -> Option<&'static str> {
    static INDEX: OnceLock<Map<&str, &str>> = OnceLock::new();
    INDEX.get_or_init(|| index(include_str!("../library/macros.txt"))).get(word).copied()
}

/// Files by word, of lines such as `file: word word`.
fn index(text: &'static str) -> Map<&'static str, &'static str> {
    let mut index = Map::default();
    index.reserve(text.len() / 12);
    for (file, words) in text.lines().filter_map(|line| line.split_once(": ")) {
        index.extend(words.split(' ').map(|word| (word, file)));
    }
    index
}

#[cfg(test)]
mod bounds;
#[cfg(test)]
mod mathematics;
#[cfg(test)]
mod texels;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_embedded() {
        fn walk(folder: &std::path::Path, found: &mut Vec<std::path::PathBuf>) {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    walk(&path, found);
                } else {
                    found.push(path);
                }
            }
        }
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("library");
        let mut found = Vec::new();
        walk(&root, &mut found);
        for path in found {
            let name = path
                .strip_prefix(&root)
                .map(|name| name.to_string_lossy().replace('\\', "/"))
                .unwrap_or_default();
            let other = name.ends_with(".md") || name.ends_with(".py") || name.ends_with(".txt");
            assert!(other || file(&name).is_some(), "{name} is not in the list of files");
        }
    }

    #[test]
    fn what_the_indices_name_is_there() {
        for text in [include_str!("../library/index.txt"), include_str!("../library/macros.txt")] {
            for word in index(text).values() {
                assert!(file(word).is_some(), "{word}");
            }
        }
        assert_eq!(declares("make_float4"), Some("vector/float.cuh"));
        assert_eq!(defines("FLT_MAX"), Some("float.h"));
    }

    #[test]
    fn files_include_only_files_of_the_library() {
        for (name, text) in FILES {
            for line in text.lines().filter(|line| line.starts_with("#include")) {
                let included = line.trim_start_matches("#include ").trim_matches(['<', '>', '"']);
                assert!(file(included).is_some(), "{name}: {line}");
            }
        }
    }

    /// Errors of preprocessing and parsing a source with all its functions' bodies, as shown.
    fn errors(text: &str, arch: u32) -> String {
        use crate::{ast::BodyId, diagnostic::Diagnostics, options::Arch, preprocess, source::Sources};
        let (mut sources, mut sink) = (Sources::default(), Diagnostics::default());
        sources.add("main.cu", text.to_owned(), false);
        let environment = preprocess::Environment {
            arch: Arch { number: arch, suffix: None },
            defines: &[],
            loader: &|_| None,
        };
        let tokens = preprocess::preprocess(&mut sources, 0, &environment, &mut sink);
        let tree = crate::parse::parse(tokens, &sources, &mut sink);
        for id in 0..10_000 {
            tree.body(BodyId(id), &mut sink);
        }
        // A header says by `#error` that an architecture is too old for it.
        sink.list.retain(|one| one.code != "error");
        if sink.list.is_empty() {
            String::new()
        } else {
            crate::diagnostic::render(&sink.list, &sources, false)
        }
    }

    #[test]
    fn every_file_parses_for_every_architecture_with_its_functions_bodies() {
        let files = include_str!("../library/index.txt").lines().filter_map(|line| line.split_once(": "));
        let by_name: Vec<&str> = files.filter_map(|(_, words)| words.split(' ').next()).collect();
        for arch in [52, 60, 70, 75, 80, 90] {
            for name in headers() {
                let errors = errors(&format!("#include <{name}>\n"), arch);
                assert!(errors.is_empty() || errors.contains("needs compute_"), "{name}: {errors}");
            }
            assert_eq!(errors(&format!("void f() {{ {}; }}", by_name.join("; ")), arch), "");
        }
    }
}
