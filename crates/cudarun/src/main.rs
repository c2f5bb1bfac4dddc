//! A whole CUDA program, from its source.

fn main() -> std::process::ExitCode {
    cudarun::main()
}
