//! What the book's pages keep in a browser, as earlier and later pages have it: read, or put aside, and never lost.
//!
//! The pages' own scripts run under node, with a store in memory. Skipped where node is not there (`tests/src/tools.rs`).

use std::path::Path;
use std::process::Command;
use tests::tools;

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

/// The scripts with what they need of a browser, then `check`.
fn run(check: &str) -> Result {
    if !tools::are_there(&["node"]) {
        return Ok(());
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("the workspace")?;
    let program = format!(
        r#"
const fs = require("node:fs"), assert = require("node:assert/strict");
const store = new Map();
const methods = {{ getItem: (key) => store.get(key) ?? null, setItem: (key, value) => void store.set(key, String(value)), removeItem: (key) => void store.delete(key) }};
globalThis.localStorage = new Proxy(methods, {{ ownKeys: () => [...store.keys()], getOwnPropertyDescriptor: (_, key) => ({{ value: store.get(key), enumerable: true, configurable: true }}) }});
globalThis.document = {{ querySelectorAll: () => [], getElementById: () => null }};
globalThis.location = {{ pathname: "print.html" }};
globalThis.addEventListener = () => {{}};
const el = () => ({{ textContent: "", hidden: false }});
globalThis.warpbook = {{ el, button: el, fresh: (name) => name, number: String, table: el }};
for (const name of ["live/store.js", "questions.js"]) (0, eval)(fs.readFileSync(`book/theme/${{name}}`, "utf8"));
const {{ workOf, ofExercise, kept, Draft, answers }} = globalThis.warpbook;
const draft = (name) => new Draft(ofExercise(name), () => workOf(name), (a, b) => a === b, () => {{}});
{check}
"#
    );
    let output = Command::new("node").args(["-e", &program]).current_dir(root).output()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

#[test]
fn an_exercise_of_an_earlier_page_has_passed_with_the_source_that_it_kept() -> Result {
    run(r#"
store.set("warpbook-exercise-a", JSON.stringify({ source: "one", state: "passed" }));
assert.deepEqual(workOf("a"), { source: "one", state: "passed", passed: "one" });
"#)
}

#[test]
fn fields_of_a_later_page_stay_when_a_draft_is_kept() -> Result {
    run(r#"
store.set("warpbook-exercise-a", JSON.stringify({ source: "one", state: "begun", stars: 3 }));
draft("a").put({ source: "two" });
assert.deepEqual(kept("warpbook-exercise-a"), { source: "two", state: "begun", stars: 3 });
assert.deepEqual([...store.keys()], ["warpbook-exercise-a"]);
"#)
}

#[test]
fn what_cannot_be_read_is_put_aside_before_its_key_is_used() -> Result {
    run(r#"
for (const text of [JSON.stringify({ version: 2, source: { files: ["one"] } }), "{ cut o"]) {
    store.clear();
    store.set("warpbook-exercise-a", text);
    assert.equal(workOf("a"), null);
    const begun = draft("a");
    assert.equal(store.get("warpbook-exercise-a"), text, "nothing changes until something is written");
    begun.put({ source: "two" });
    begun.put({ source: "three" });
    assert.equal(store.get("warpbook-exercise-a-unread"), text);
    assert.deepEqual(kept("warpbook-exercise-a"), { source: "three" });
}
store.clear();
draft("a").put({ source: "two" });
assert.deepEqual([...store.keys()], ["warpbook-exercise-a"], "where there was nothing, nothing is put aside");
"#)
}

#[test]
fn an_answer_of_an_earlier_page_counts_if_it_is_right_and_a_later_page_s_list_is_not_read() -> Result {
    run(r#"
const choices = ["right", "wrong"];
for (const [last, tried] of [["right", ["right"]], ["wrong", []]]) {
    store.clear();
    store.set("warpbook-question-q", last);
    assert.deepEqual(answers.tried("q", choices), tried);
}
store.set("warpbook-tried-question-q", JSON.stringify({ version: 2, tried: ["wrong"] }));
assert.deepEqual(answers.tried("q", choices), []);
assert.deepEqual(answers.ids(), ["q"]);
"#)
}
