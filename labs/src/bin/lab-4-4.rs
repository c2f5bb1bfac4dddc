//! Lab 4.4: symbols.

fn main() -> std::process::ExitCode {
    labs::main(&labs::lab_4_4::LAB)
}
