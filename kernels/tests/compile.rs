//! The compilers of edited kernels: the PTX that each makes, and its log.
//!
//! The workbook's own is always there. The tests of NVRTC are skipped where there is none (`scripts/ptx` installs one).

use kernels::{Compiled, Compiler, Error};
use std::path::{Path, PathBuf};
use tests::{Result, tools};

/// Each of these with both compilers.
macro_rules! with_both {
    ($($test:ident)*) => {
        mod own {
            $(#[test] fn $test() -> tests::Result { super::$test(super::Compiler::Own) })*
        }
        mod nvrtc {
            $(#[test] fn $test() -> tests::Result {
                if super::has_nvrtc() { super::$test(super::Compiler::Nvrtc) } else { Ok(()) }
            })*
        }
    };
}

with_both! {
    the_compilers_log_says_file_and_line
    an_edited_kernel_has_a_line_table_that_names_it
    a_header_next_to_the_kernel_is_found
    the_runtimes_header_may_be_included
    a_source_chooses_its_architecture
}

fn has_nvrtc() -> bool {
    let made = file("");
    let is_there = made.is_ok_and(|(_folder, path)| {
        !matches!(kernels::compile(&path, Compiler::Nvrtc, compile::own), Err(Error::NoCompiler { .. }))
    });
    tools::is_there_or_skipped("NVRTC", is_there, "`scripts/ptx` installs the pinned one into .venv")
}

/// A `.cu` in a folder of its own.
fn file(text: &str) -> std::io::Result<(tempfile::TempDir, PathBuf)> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("mine.cu");
    std::fs::write(&path, text)?;
    Ok((folder, path))
}

fn compiled(path: &Path, compiler: Compiler) -> Result<String> {
    let Compiled { ptx, shared: _, with, warnings, is_self_contained, instances: _, origins: _ } =
        kernels::compile(path, compiler, compile::own)?;
    assert!(!with.is_empty() && warnings.is_empty());
    assert!(!is_self_contained || compiler == Compiler::Own);
    Ok(ptx)
}

fn the_compilers_log_says_file_and_line(compiler: Compiler) -> Result {
    let (_folder, path) = file("// a comment\n__global__ void k() { wrong(); }\n")?;
    let error = kernels::compile(&path, compiler, compile::own).err().ok_or("it was compiled")?.to_string();
    assert!(error.contains("mine.cu") && error.contains("wrong") && error.contains('2'), "{error}");
    Ok(())
}

fn an_edited_kernel_has_a_line_table_that_names_it(compiler: Compiler) -> Result {
    let (_folder, path) = file("extern \"C\" __global__ void k(int *p) { *p = 1; }\n")?;
    let ptx = compiled(&path, compiler)?;
    assert!(ptx.contains(".visible .entry k("), "{ptx}");
    assert!(ptx.lines().any(|line| line.contains(".file") && line.contains("mine.cu")), "{ptx}");
    Ok(())
}

fn a_header_next_to_the_kernel_is_found(compiler: Compiler) -> Result {
    let (folder, path) =
        file("#include \"value.h\"\nextern \"C\" __global__ void k(int *p) { *p = VALUE; }\n")?;
    std::fs::write(folder.path().join("value.h"), "#define VALUE 4711\n")?;
    let ptx = compiled(&path, compiler)?;
    assert!(ptx.contains("4711"), "{ptx}");
    Ok(())
}

/// Also where there is no toolkit.
fn the_runtimes_header_may_be_included(compiler: Compiler) -> Result {
    let (_folder, path) =
        file("#include <cuda_runtime.h>\nextern \"C\" __global__ void k(int *p) { *p = threadIdx.x; }\n")?;
    compiled(&path, compiler).map(|_| ())
}

fn a_source_chooses_its_architecture(compiler: Compiler) -> Result {
    let (_folder, path) = file("// arch: compute_80\nextern \"C\" __global__ void k() {}\n")?;
    let ptx = compiled(&path, compiler)?;
    assert!(ptx.contains(".target sm_80"), "{ptx}");
    Ok(())
}
