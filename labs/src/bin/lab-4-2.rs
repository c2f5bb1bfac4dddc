//! Lab 4.2: pitched and 3D allocation.

fn main() -> std::process::ExitCode {
    labs::main(&labs::lab_4_2::LAB)
}
