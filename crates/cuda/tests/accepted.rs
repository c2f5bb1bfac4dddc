//! Right code, of which nothing is reported: `accepted/NAME.cu`, each as nvcc takes it without a word.

use std::{fs, path::Path};

use cuda::{Input, Options, compile, diagnostic::render};

#[test]
fn right_code_compiles_without_a_word() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/accepted");
    let (mut count, mut told) = (0, String::new());
    for entry in fs::read_dir(folder).expect("the folder of right code") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        let text = fs::read_to_string(&path).expect("the source");
        let input = Input { name: &name, text: &text, include: &|_| None };
        told += &match compile(&input, &Options::default()) {
            Ok(output) => render(&output.warnings, &output.sources, false),
            Err(failure) => render(&failure.diagnostics, &failure.sources, false),
        };
        count += 1;
    }
    assert!(count > 3 && told.is_empty(), "{count} sources: {told}");
}
