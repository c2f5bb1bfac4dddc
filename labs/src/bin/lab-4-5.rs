//! Lab 4.5: the matrix product by tiles in shared memory.

fn main() -> std::process::ExitCode {
    labs::main(&labs::lab_4_5::LAB)
}
