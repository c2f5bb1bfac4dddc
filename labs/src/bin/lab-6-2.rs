//! Lab 6.2: ray tracing with constant memory.

fn main() -> std::process::ExitCode {
    labs::main(&labs::lab_6_2::LAB)
}
