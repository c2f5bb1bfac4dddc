//! Builds the book, and on demand opens or serves it.

fn main() -> std::process::ExitCode {
    mdbook_labs::main()
}
