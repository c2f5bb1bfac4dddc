//! The workbook's CUDA C kernels with the PTX compiled from them, and the compilation of an edited one.
//!
//! Enters: the `.cu` and `.ptx` files of this folder, at build time; a path, at run time. Leaves: texts and their
//! hashes. This crate must never know what runs a kernel, or what a kernel is for.
//!
//! ```
//! let stencil = kernels::STENCIL;
//! assert_eq!(stencil.file, "ch5-5/stencil.cu");
//! assert!(stencil.cu.contains("__constant__") && stencil.ptx.contains(".visible .entry"));
//!
//! // The hash that a record states for the source it ran.
//! assert_eq!(stencil.cu_sha256(), kernels::sha256(stencil.cu));
//! assert!(kernels::all().contains(&stencil));
//! ```

mod compile;
mod flags;
mod program;

pub use compile::{
    Compiled, Compiler, Error, Input, MOST_BYTES, OWN, Own, compile, compile_text, compile_with, decoded,
};
pub use flags::{Flags, KNOWN, architecture};
pub use names::{Origin, Shared};
pub use program::by_program;

use hmac_sha256::Hash;

/// A kernel file and the PTX that `scripts/ptx` compiled it to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// Path below `kernels/`, such as `ch5-5/stencil.cu`; also the file's name in the PTX's line table.
    pub file: &'static str,
    /// CUDA C.
    pub cu: &'static str,
    /// PTX, of the oldest architecture that the kernels in it allow, with line information.
    pub ptx: &'static str,
}

impl Source {
    /// SHA-256 of the CUDA C, in hexadecimal.
    pub fn cu_sha256(&self) -> String {
        sha256(self.cu)
    }

    /// SHA-256 of the PTX, in hexadecimal.
    pub fn ptx_sha256(&self) -> String {
        sha256(self.ptx)
    }
}

/// Names each kernel file once: as a constant, and in [`all`].
macro_rules! sources {
    ($($(#[$about:meta])* $name:ident = $path:literal;)*) => {
        $(
            $(#[$about])*
            pub const $name: Source = Source {
                file: concat!($path, ".cu"),
                cu: include_str!(concat!("../", $path, ".cu")),
                ptx: include_str!(concat!("../", $path, ".ptx")),
            };
        )*

        /// All sources in the order of the chapters; those of no chapter last.
        pub fn all() -> &'static [Source] {
            &[$($name),*]
        }
    };
}

sources! {
    /// Lab 4.1: the sum of two vectors.
    ADD = "ch4-1/add";
    /// Lab 4.2: rows, packed and padded, along and across.
    ROWS = "ch4-2/rows";
    /// Lab 4.2: a column of a texture's texels, for a figure.
    FETCH = "ch4-2/fetch";
    /// Lab 4.3: the product of two matrices in pitched memory, an element a thread.
    PITCHED_PRODUCT = "ch4-3/product";
    /// Lab 4.4: a constant array, a device variable and a device pointer.
    SYMBOLS = "ch4-4/symbols";
    /// Lab 4.4: new values for a kernel, by a constant variable, an argument or a pointer.
    UPDATE = "ch4-4/update";
    /// Lab 4.5: the product by tiles in shared memory, in layouts with and without bank conflicts, and by tiles of
    /// registers.
    TILES = "ch4-5/tiles";
    /// Lab 4.5: the product by tiles with a barrier too few.
    BARRIERS = "ch4-5/barriers";
    /// Lab 4.5: both products, compiled as for debugging.
    DEBUG = "ch4-5/debug";
    /// Lab 5.5: the 8th-order first derivative, with its coefficients in each of the memories, and a copy to compare with.
    STENCIL = "ch5-5/stencil";
    /// Lab 5.5: dependent loads from constant memory, through the read-only cache and from shared memory.
    CHASE = "ch5-5/chase";
    /// Lab 6.2: spheres along parallel rays, with the spheres in constant, global and shared memory.
    RAYS = "ch6-2/rays";
    /// Lab 6.2: the same picture, with a sphere packed into two `float4`.
    PACKED_RAYS = "ch6-2/packed";
    /// Lab 14.4: gravitating bodies, read from constant, shared or global memory.
    GRAVITY = "ch14-4/gravity";
    /// Causes: the sum of two vectors, with more or fewer bytes on their way.
    FLIGHT = "causes/flight";
    /// Causes: a table in constant, shared or global memory, read at one entry that only the run decides on.
    ENTRIES = "causes/entries";
    /// Causes: the stencil, with its coefficients loaded before or after the barrier.
    POSITION = "causes/position";
    /// Causes: gravity from a table of any length, with uniform loads and with loads of lanes.
    UNIFORM = "causes/uniform";
    /// The road: the sum of a vector by tiles in shared memory, copied through registers, asynchronously or in bulk.
    STAGES = "road/stages";
    /// The road: a histogram in global memory, in a block's shared memory, or in that of a cluster.
    BINS = "road/bins";
    /// The road: a table in L1, next to the shared memory that blocks take.
    ROOM = "road/room";
    /// Benchmark: the product of square matrices, by tiles of 16 in shared memory.
    PRODUCT = "bench/product";
    /// Benchmark: forces of all bodies on all bodies, by tiles in shared memory.
    NBODY = "bench/nbody";
    /// Benchmark: spheres in constant memory, looked at along parallel rays.
    RAYTRACER = "bench/raytracer";
    /// Benchmark: a kernel that does nothing.
    EMPTY = "bench/empty";
}

/// SHA-256 of a text or of bytes, in hexadecimal, as `sha256sum` prints it.
pub fn sha256(of: impl AsRef<[u8]>) -> String {
    Hash::hash(of.as_ref()).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

    /// Paths below `kernels/` of all files with this extension, except those of exercises and of pages alone, which have no PTX.
    fn files(extension: &str) -> BTreeSet<String> {
        fn walk(folder: &Path, extension: &str, found: &mut BTreeSet<String>) {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    if !path.ends_with("exercises") && !path.ends_with("live") {
                        walk(&path, extension, found);
                    }
                } else if path.extension().is_some_and(|it| it == extension) {
                    found.insert(path.strip_prefix(FOLDER).unwrap().to_str().unwrap().replace('\\', "/"));
                }
            }
        }
        let mut found = BTreeSet::new();
        walk(Path::new(FOLDER), extension, &mut found);
        found
    }

    #[test]
    fn every_cu_is_listed_and_has_its_ptx() {
        let listed: BTreeSet<_> = all().iter().map(|source| source.file.to_owned()).collect();
        assert_eq!(listed, files("cu"), "all() and the .cu files differ");
        let ptx: BTreeSet<_> = listed.iter().map(|file| file.replace(".cu", ".ptx")).collect();
        assert_eq!(ptx, files("ptx"), "a .cu without .ptx (run scripts/ptx), or a .ptx without .cu");
    }

    #[test]
    fn no_ptx_is_stale() {
        let sums = include_str!("../SHA256SUMS");
        let expected: BTreeSet<_> =
            sums.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect();
        let actual: BTreeSet<_> = all()
            .iter()
            .flat_map(|source| {
                let ptx = source.file.replace(".cu", ".ptx");
                [
                    format!("{}  {}", source.cu_sha256(), source.file),
                    format!("{}  {ptx}", source.ptx_sha256()),
                ]
            })
            .collect();
        assert_eq!(
            actual, expected,
            "a .cu or .ptx is not the one in SHA256SUMS: run scripts/ptx, commit what changed"
        );
    }

    #[test]
    fn line_tables_name_the_source_and_no_folder_of_this_machine() {
        for source in all() {
            let files: Vec<_> =
                source.ptx.lines().filter(|line| line.trim_start().starts_with(".file")).collect();
            assert!(!files.is_empty(), "{}: no line table", source.file);
            for line in files {
                // Where a build for debugging has its types from.
                let own = line.contains("\"__nv_nvrtc_builtin_header.h\"");
                assert!(own || line.contains(&format!("\"{}\"", source.file)), "{line}");
            }
            // Strings of debug information are lists of bytes; a folder would begin with a slash and continue.
            let folder = source.ptx.lines().find(|line| line.trim_start().starts_with(".b8 47,"));
            assert_eq!(folder, None, "{}", source.file);
        }
    }

    #[test]
    fn sha256_is_that_of_sha256sum() {
        assert_eq!(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
