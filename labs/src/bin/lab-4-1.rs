//! Lab 4.1: linear memory.

fn main() -> std::process::ExitCode {
    labs::main(&labs::lab_4_1::LAB)
}
