//! The book's live kernels with their handles as far as they go, each way.

use exercise::live::{Lives, Moves, Parameter};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use web::Session;

/// Instructions of threads that a run has at the most: it should end while the reader looks.
const MOST: u64 = 10_000_000;
/// Values of a handle that are all tried; of one with more, the least and the greatest.
const FEW: i64 = 5;

/// Each combination of the handles' ends, or of all values of those that have few.
fn settings(parameters: &[Parameter]) -> Vec<BTreeMap<String, i64>> {
    let mut all: Vec<BTreeMap<String, i64>> = vec![BTreeMap::new()];
    for Parameter { name, from, to, multiple, .. } in parameters {
        let steps = (to - from) / multiple;
        let values: Vec<i64> = match steps {
            0..FEW => (0..=steps).map(|n| from + n * multiple).collect(),
            _ => vec![*from, from + steps * multiple],
        };
        all = all
            .iter()
            .flat_map(|before| values.iter().map(move |value| (before, *value)))
            .map(|(before, value)| {
                before.iter().map(|(n, v)| (n.clone(), *v)).chain([(name.clone(), value)]).collect()
            })
            .collect();
    }
    all
}

/// Contents in which every thing that can be moved covers the whole picture.
fn everywhere(moves: &Moves, initial: &Value) -> Vec<f64> {
    let mut numbers: Vec<f64> =
        initial.as_array().expect("numbers").iter().map(|one| one.as_f64().expect("a number")).collect();
    for one in numbers.chunks_exact_mut(moves.each) {
        one[moves.at[0]] = 0.0;
        one[moves.at[1]] = 0.0;
        one[moves.radius] = moves.span as f64 / 2.0;
    }
    numbers
}

mod nightly {
    use super::*;

    #[test]
    #[ignore = "nightly: hundreds of runs; their first and least values are tried every day"]
    fn no_setting_of_a_live_kernel_s_handles_runs_longer_than_a_reader_looks() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let read = |path: &str| std::fs::read_to_string(root.join(path)).expect("a file of the book");
        let lives = Lives::parse(&read("book/live.toml")).expect("well-formed");
        let mut long = vec![];
        for live in &lives.entries {
            let text = read(&format!("kernels/{}", live.file));
            let mut session = Session::default();
            let mut ask = |request: Value| -> Value {
                serde_json::from_str(&session.respond(&request.to_string())).expect("JSON")
            };
            let mut most = (0, BTreeMap::new());
            for values in settings(&live.parameters) {
                let contents = live.moves.as_ref().map(|moves| {
                    let initial = ask(
                        json!({ "do": "initial", "live": live, "parameters": values, "buffer": moves.buffer }),
                    );
                    json!({ &moves.buffer: everywhere(moves, &initial["numbers"]) })
                });
                for contents in [None].into_iter().chain(contents.map(Some)) {
                    let ran = ask(json!({
                        "do": "run", "live": live, "parameters": values, "contents": contents, "text": text, "language": "cuda",
                    }));
                    assert_eq!(ran["outcome"], "done", "{} with {values:?}: {ran}", live.name);
                    let instructions = ran["instructions"].as_u64().expect("a count");
                    if instructions > most.0 {
                        most = (instructions, values.clone());
                    }
                }
            }
            if most.0 >= MOST {
                long.push(format!("{} has {} instructions of threads with {:?}", live.name, most.0, most.1));
            }
        }
        assert!(long.is_empty(), "{}", long.join("\n"));
    }
}
