//! Any kernel, from a job file.

fn main() -> std::process::ExitCode {
    job::main()
}
