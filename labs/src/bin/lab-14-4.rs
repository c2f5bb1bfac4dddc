//! Lab 14.4: N-body with constant memory.

fn main() -> std::process::ExitCode {
    labs::main(&labs::lab_14_4::LAB)
}
