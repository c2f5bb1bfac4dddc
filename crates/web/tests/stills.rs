//! What the book's figures show before a reader moves anything, and what their buttons do.

use exercise::live::{Breakage, Live, Lives};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use web::Session;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn lives() -> Vec<(Live, String)> {
    let read = |path: &str| std::fs::read_to_string(root().join(path)).expect("a file of the book");
    let lives = Lives::parse(&read("book/live.toml")).expect("well-formed");
    lives
        .entries
        .into_iter()
        .map(|live| (read(&format!("kernels/{}", live.file)), live))
        .map(|(a, b)| (b, a))
        .collect()
}

fn ask(request: &Value) -> Value {
    serde_json::from_str(&Session::default().respond(&request.to_string())).expect("JSON")
}

/// What a figure shows of a run: the counters, the time, the access that is drawn, the output that is a picture.
fn still(live: &Live, text: &str) -> Value {
    let ran = ask(&json!({
        "do": "run", "live": live, "text": text, "language": "cuda",
        "look": { "form": "compact", "recorded": true, "id": live.name },
    }));
    assert_eq!(ran["outcome"], "done", "{}: {ran}", live.name);
    let outputs = ran["outputs"].as_array().expect("outputs").iter();
    let drawn = outputs
        .filter(|one| live.drawn.as_deref() == one["buffer"].as_str())
        .map(|one| json!({ "buffer": one["buffer"], "picture": one["picture"], "plot": one["plot"] }));
    let mut access = ran["access"].clone();
    // It is drawn again when the book is built.
    access.as_object_mut().expect("an access").retain(|name, _| !["svg", "letters"].contains(&name.as_str()));
    json!({
        "counters": ran["counters"],
        "kernels": ran["kernels"],
        "modelled": ran["modelled"],
        "line": ran["line"],
        "access": access,
        "drawn": drawn.collect::<Vec<_>>(),
    })
}

#[test]
fn the_stills_of_the_book_s_figures_are_what_a_run_gives() {
    let update = std::env::var_os("UPDATE").is_some();
    let mut stale = vec![];
    for (live, text) in lives() {
        let path = root().join(format!("book/live/{}.json", live.name));
        let now = format!("{}\n", still(&live, &text));
        if update {
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            std::fs::write(&path, &now).expect("written");
        } else if std::fs::read_to_string(&path).ok().is_none_or(|then| then != now) {
            stale.push(live.name);
        }
    }
    assert!(stale.is_empty(), "stale: {stale:?}; UPDATE=1 cargo test -p web --test all stills:: writes them");
}

#[test]
fn each_figure_has_a_number_and_a_drawing() {
    for (live, text) in lives() {
        let still = still(&live, &text);
        let number = live.number.as_ref().unwrap_or_else(|| panic!("{} has no number", live.name));
        let counted: u64 = number
            .counters
            .iter()
            .filter_map(|name| {
                let all = still["counters"].as_array()?;
                all.iter().find(|one| one["name"] == **name)?["value"].as_u64()
            })
            .sum();
        assert!(counted > 0, "{}: {} is 0", live.name, number.title);
        let names: Vec<&str> = still["kernels"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|one| one["kernel"].as_str())
            .collect();
        assert!(
            number.kernels.iter().all(|kernel| names.contains(&kernel.as_str())),
            "{}: {names:?}",
            live.name
        );
        let drawn = still["drawn"].as_array().is_some_and(|all| !all.is_empty());
        assert!(drawn || still["access"]["recorded"].is_object(), "{}: {}", live.name, still["access"]);
        if let Some(part) = &live.line {
            let line = still["line"]["line"].as_u64().expect("a line") as usize;
            let lines: Vec<&str> = text.lines().collect();
            assert!(lines[line - 1].contains(part.as_str()), "{}: {}", live.name, lines[line - 1]);
        }
    }
}

/// The sum of counters of a run.
fn sum(ran: &Value, names: &[String]) -> u64 {
    let all = ran["counters"].as_array().expect("counters");
    let of =
        |name: &String| all.iter().find(|one| one["name"] == **name).and_then(|one| one["value"].as_u64());
    names.iter().filter_map(of).sum()
}

#[test]
fn each_breakage_leads_to_what_it_says() {
    for (live, text) in lives() {
        let run = |text: &str, parameters: &Value| {
            ask(&json!({
                "do": "run", "live": live, "text": text, "language": "cuda", "original": text, "parameters": parameters,
            }))
        };
        if live.breakages.is_empty() {
            continue;
        }
        let before = run(&text, &json!({}));
        for Breakage { title, set, replace, with, shows } in &live.breakages {
            let why = format!("{}: {title}", live.name);
            if !replace.is_empty() {
                assert_eq!(text.matches(replace.as_str()).count(), 1, "{why}: its text is not there once");
            }
            let changed =
                if replace.is_empty() { text.clone() } else { text.replace(replace.as_str(), with) };
            let after = ask(&json!({
                "do": "run", "live": live, "text": changed, "language": "cuda", "original": text, "parameters": set,
            }));
            match &shows.fault {
                Some(kind) => assert_eq!(after["fault"]["kind"], **kind, "{why}: {after}"),
                None => assert_eq!(after["outcome"], "done", "{why}: {after}"),
            }
            assert!(!shows.differs || after["verdict"]["same"] == false, "{why}: {}", after["verdict"]);
            for (names, rises) in [(&shows.more, true), (&shows.fewer, false)] {
                let (then, now) =
                    (sum(&before, names), if names.is_empty() { 0 } else { sum(&after, names) });
                let moved = if rises { now > then } else { now < then };
                assert!(names.is_empty() || moved, "{why}: {then} → {now}");
            }
        }
    }
}
