//! CUDA C to PTX.

fn main() -> std::process::ExitCode {
    compile::main()
}
