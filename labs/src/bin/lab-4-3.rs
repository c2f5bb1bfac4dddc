//! Lab 4.3: the matrix product on pitched memory.

fn main() -> std::process::ExitCode {
    labs::main(&labs::lab_4_3::LAB)
}
