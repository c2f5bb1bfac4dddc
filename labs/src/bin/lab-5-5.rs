//! Lab 5.5: constant memory and the read-only cache.

fn main() -> std::process::ExitCode {
    labs::main(&labs::lab_5_5::LAB)
}
