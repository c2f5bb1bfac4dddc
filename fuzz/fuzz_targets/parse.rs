//! Lexer and parser: any bytes give a tree, or an error with a place that is in the text.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    match ptx::parse(&text) {
        Ok(module) => {
            for function in &module.functions {
                let place = module.place(function.at);
                assert!(place.line as usize <= 1 + text.lines().count());
            }
        }
        Err(error) => {
            let lines = text.bytes().filter(|b| *b == b'\n').count() + 1;
            assert!(error.place.line >= 1 && error.place.line as usize <= lines, "{error}");
            assert!(error.place.column >= 1 && error.place.column as usize <= text.len() + 1, "{error}");
        }
    }
});
