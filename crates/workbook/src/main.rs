//! Exercises in the terminal.

fn main() -> std::process::ExitCode {
    workbook::main()
}
