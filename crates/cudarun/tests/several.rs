//! Programs of several files, and nvcc's flags.
//!
//! Each folder of `several` has the files of a program and `arguments`, a command line of `cudarun` in each line; `NAME.out` next to
//! the folder is what they print. What those in C++ alone print is what they print when g++ compiles them.

use super::{ran_in, root};
use std::fmt::Write as _;
use std::fs;
use tests::committed;

/// `UPDATE=1 cargo test -p cudarun --test all several` writes what they print today, after a change that is meant to change it.
#[test]
fn files_are_linked_and_what_is_wrong_with_their_names_and_with_flags_is_reported() {
    let folder = root().join("several");
    let mut names: Vec<String> = fs::read_dir(&folder)
        .expect("programs")
        .map(|entry| entry.expect("an entry"))
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().into_string().expect("a name"))
        .collect();
    names.sort();
    assert!(!names.is_empty());
    for name in names {
        let program = folder.join(&name);
        let lines = fs::read_to_string(program.join("arguments")).expect("command lines");
        let mut found = String::new();
        for line in lines.lines() {
            writeln!(found, "$ cudarun {line}\n{}", ran_in(&program, line)).expect("a string");
        }
        committed(&folder.join(format!("{name}.out")), &found, "-p cudarun --test all several");
    }
}

#[test]
fn headers_are_found_next_to_the_file_then_in_the_folders_of_the_command_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    write(
        "source/main.cu",
        "#include <cstdio>\n#include \"one.h\"\n#include <two.h>\n#include <lib/three.h>\nint main() { printf(\"%d %d %d %d\\n\", ONE, TWO, THREE, BEFORE); }\n",
    );
    write("source/one.h", "#define ONE 1\n");
    write("first/one.h", "#define ONE 10\n");
    write("second/two.h", "#define TWO 2\n");
    write("third/lib/three.h", "#include \"four.h\"\n");
    write("third/lib/four.h", "#define THREE 3\n");
    write("first/before.h", "#define BEFORE 4\n");
    let flags = "-I first -isystem third -Isecond -include before.h source/main.cu";
    assert_eq!(ran_in(folder.path(), flags), "1 2 3 4\n--- exit code 0\n");
    // A name that brings a file of the library's along changes nothing.
    let text = "#include <cstdio>\nint main() { printf(\"%d\\n\", std::max(BEFORE, 0)); }\n";
    write("source/brings.cu", text);
    let found = ran_in(folder.path(), "-I first -include before.h source/brings.cu");
    assert_eq!(found, "4\n--- exit code 0\n");
    let without = ran_in(folder.path(), "-I first -include before.h source/main.cu");
    assert!(without.contains("file `two.h` not found"), "{without}");
}

#[test]
fn flags_of_nvcc_change_what_a_program_sees() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "#include <cstdio>\n\
        __global__ void k(int *p) { *p = __CUDA_ARCH__; }\n\
        int main(int, char **words) {\n\
            int *p, arch; cudaMalloc(&p, 4); k<<<1, 1>>>(p); cudaMemcpy(&arch, p, 4, cudaMemcpyDeviceToHost); cudaFree(p);\n\
        #ifdef N\n    printf(\"N %d \", N);\n#endif\n\
            printf(\"%d %s\\n\", arch, words[0]);\n}\n";
    fs::write(folder.path().join("arch.cu"), text).expect("a file");
    let ran = |flags: &str| ran_in(folder.path(), flags);
    assert_eq!(ran("arch.cu"), "900 arch.cu\n--- exit code 0\n");
    assert_eq!(ran("-arch=sm_80 -o prog -DN=3 arch.cu"), "N 3 800 prog\n--- exit code 0\n");
    assert_eq!(ran("-D N=3 -U N arch.cu -arch native"), "900 arch.cu\n--- exit code 0\n");
    let several = "-gencode arch=compute_70,code=sm_70 -gencode=arch=compute_86,code=\"sm_86,compute_86\" \
        -gencode arch=compute_120,code=sm_120 -std=c++14 -O3 -lineinfo -Xcompiler -Wall,-fopenmp -lm -lcurand arch.cu";
    assert_eq!(ran(several), "860 arch.cu\n--- exit code 0\n");
}

#[test]
fn a_file_of_any_name_is_what_x_says_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(
        folder.path().join("program.txt"),
        "#include <cstdio>\n__global__ void k() {}\nint main() { k<<<1, 1>>>(); puts(\"ran\"); }\n",
    )
    .expect("a file");
    assert_eq!(ran_in(folder.path(), "-x cu program.txt"), "ran\n--- exit code 0\n");
    let without = ran_in(folder.path(), "program.txt");
    assert!(without.contains("do not know what to do with `program.txt`"), "{without}");
    let c = ran_in(folder.path(), "-x c++ program.txt");
    assert!(c.contains("kernels are launched in CUDA C++"), "{c}");
}
