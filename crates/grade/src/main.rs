//! Grades a folder of submissions.

fn main() -> std::process::ExitCode {
    grade::main()
}
