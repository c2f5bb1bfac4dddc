//! Live kernels: the places of a page that run them, and the files that do.
//!
//! Enters: the book's file of live kernels, their sources, and `target/web`, where `scripts/web` leaves the compiler and the
//! device as WebAssembly. Leaves: places in pages, and the folder `live` of the built book, from which a page loads what it
//! needs when a reader first asks for it. All are classic scripts, since modules and requests do not work from a file.
//! This module must never know how a kernel is run.

use anyhow::{Context, Result};
use exercise::chapter::{Program, Programs};
use exercise::live::{Live, Lives};
use exercise::manifest::Exercise;
use question::Question;
use render::table::escape;
use scalar::Scalar;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Setting, made by the build itself, that says whether the book has the engine that runs kernels.
pub(crate) const RUNS: &str = "preprocessor.labs.runs";

/// Folder, from the book's root, in which `scripts/web` leaves the device.
const ENGINES: &str = "target/web";
/// Folder of a release's archive that has it: that of the book that already exists.
const BUILT: &str = "site/live";
/// The engines that it leaves there: with SIMD instructions, and without, for browsers that have none.
const ENGINE: &str = "live-engine.js";
const PLAIN: &str = "live-engine-plain.js";
/// The same with whole programs, which are larger.
const HOSTS: [&str; 2] = ["live-engine-host.js", "live-engine-host-plain.js"];
/// Folder of the scripts, from the book's root.
const SCRIPTS: &str = "book/theme/live";
/// The editor, from the book's root.
const EDITOR: &str = "book/theme/vendor/editor.js";

/// Why a book whose root is this cannot run kernels, if it cannot.
pub(crate) fn missing(root: &Path) -> Option<String> {
    (!engine(root, ENGINE).is_file()).then(|| {
        format!("the pages do not run their kernels: {ENGINES}/{ENGINE} is missing; scripts/web builds it")
    })
}

/// Where a file of the device is.
fn engine(root: &Path, file: &str) -> PathBuf {
    let built = root.join(BUILT).join(file);
    if program::archive().is_some() && built.is_file() { built } else { root.join(ENGINES).join(file) }
}

/// Text for a page's first kernel, in a book without the engine that runs it.
pub(crate) const ABSENT: &str = "<p class=\"live-absent\"><small>This copy of the book was built without the device, so its pages do not run \
     their kernels.</small></p>";

/// A place in a page: empty, so that without scripts, in print and in search the page is what it was.
pub(crate) fn place(live: &Live, asked: Option<String>) -> String {
    let central = if live.central { " central" } else { "" };
    let asked = asked.map_or_else(String::new, |id| format!(" data-asked=\"{id}\""));
    // Scripts of handles that few have.
    let needs: Vec<_> = [("hand", live.hand.is_some()), ("move", live.moves.is_some())]
        .into_iter()
        .filter_map(|(needs, has)| has.then_some(needs))
        .collect();
    let needs = if needs.is_empty() { String::new() } else { format!(" data-needs=\"{}\"", needs.join(" ")) };
    format!(
        "<div class=\"live{central}\" id=\"live-{name}\" data-live=\"{name}\" data-title=\"{}\"{asked}{needs}></div>",
        crate::raw_html::inert(&escape(&live.title)),
        name = escape(&live.name),
    )
}

/// A place in a page that runs a program; `first` says that the page has no other place for it.
pub(crate) fn program_place(program: &Program, first: bool) -> String {
    let (name, title) = (escape(&program.name), crate::raw_html::inert(&escape(&program.title)));
    let id = if first { format!(" id=\"live-program-{name}\"") } else { String::new() };
    format!("<div class=\"live\"{id} data-program=\"{name}\" data-title=\"{title}\"></div>")
}

/// Contents of a page that needs scripts.
///
/// # Errors
/// A page that is none of these.
pub(crate) fn page(which: &str, runs: bool, questions: &[Question]) -> Result<String, String> {
    let without = match which {
        "any" => "Here the page has an editor, which runs in a browser with scripts.",
        "work" => "Here the page lists what your browser has kept, if it runs scripts.",
        _ => return Err(format!("`{which}` is not a page: write any or work")),
    };
    // Types of a buffer of any kernel.
    let types = if which == "any" { format!(" data-types=\"{}\"", Scalar::names()) } else { String::new() };
    Ok(if runs {
        let note = format!("<p><small>{without}</small></p>");
        let asked = if which == "work" { choices(questions) } else { String::new() };
        format!(
            "<div class=\"live\" id=\"live-{which}\" data-page=\"{which}\"{types}{asked}></div>\
             <div class=\"on-paper\">{note}</div><noscript>{note}</noscript>"
        )
    } else {
        "This copy of the book was built without the device. `scripts/web`, then `cargo run --bin book`, build it with it."
            .to_owned()
    })
}

/// The choices of each question, the right one first: the page of a reader's work needs them to put answers together.
fn choices(questions: &[Question]) -> String {
    let texts = |question: &Question| -> Vec<String> {
        let mut choices: Vec<_> = question.choices.iter().collect();
        choices.sort_by_key(|choice| !choice.right);
        choices.into_iter().map(|choice| choice.text.clone()).collect()
    };
    let all: BTreeMap<&str, Vec<String>> =
        questions.iter().map(|one| (one.id.as_str(), texts(one))).collect();
    format!(" data-questions=\"{}\"", crate::raw_html::inert(&escape(&serde_json::json!(all).to_string())))
}

/// Puts the engine that runs kernels into the folder `live` of a built book.
///
/// # Errors
/// A file that cannot be read or written, or live kernels that are not well-formed.
pub(crate) fn put(root: &Path, file: &str, chapters: Option<&str>, out: &Path) -> Result<()> {
    let to = out.join("live");
    fs::create_dir_all(&to)?;
    let copy = |from: &Path| -> Result<()> {
        let name = from.file_name().with_context(|| format!("{} is not a file", from.display()))?;
        fs::copy(from, to.join(name)).with_context(|| format!("cannot copy {}", from.display()))?;
        Ok(())
    };
    for entry in fs::read_dir(root.join(SCRIPTS)).with_context(|| format!("no folder {SCRIPTS}"))? {
        let from = entry?.path();
        match from.file_name().filter(|_| from.extension().is_some_and(|end| end == "js")) {
            Some(name) => fs::write(to.join(name), lean(&fs::read_to_string(&from)?))?,
            None => copy(&from)?,
        }
    }
    copy(&root.join(EDITOR))?;
    copy(&root.join(EDITOR).with_file_name("editor.LICENCES.txt"))?;
    copy(&engine(root, ENGINE))?;
    let plain = engine(root, PLAIN);
    if plain.is_file() {
        copy(&plain)?;
    } else {
        tracing::warn!(
            "in a browser without SIMD the pages do not run their kernels: {ENGINES}/{PLAIN} is missing; scripts/web builds it"
        );
    }
    for host in HOSTS {
        let from = engine(root, host);
        if from.is_file() {
            copy(&from)?;
        } else {
            tracing::warn!(
                "pages do not run whole programs in some browsers: {ENGINES}/{host} is missing; scripts/web builds it"
            );
        }
    }
    fs::write(to.join("programs.js"), crate::examples::script(root)?)?;
    kernels(root, file, &to)?;
    if let Some(file) = chapters {
        of_chapters(root, file, &to)?;
    }
    fs::write(to.join("tasks.js"), tasks()?)?;
    Ok(())
}

/// Puts the list of what a reader can do into the folder `live` of a built book, also of one whose pages run nothing: the sidebar says
/// what of it is done. `questions` is the book's file of questions.
///
/// # Errors
/// A file that cannot be read or written, or is not one of questions.
pub(crate) fn put_list(root: &Path, questions: Option<&str>, out: &Path) -> Result<()> {
    let of_chapters = |file: &str| -> Result<_> {
        let text = fs::read_to_string(root.join(file)).with_context(|| format!("cannot read {file}"))?;
        question::of_chapters(&text).with_context(|| file.to_owned())
    };
    let questions = questions.map(of_chapters).transpose()?.unwrap_or_default();
    let to = out.join("live");
    fs::create_dir_all(&to)?;
    fs::write(to.join("exercises.js"), exercises(&questions)?)?;
    Ok(())
}

/// A script without indentation and comments, which are a sixth of what a reader would load. Texts of several lines in it stay as
/// they are.
fn lean(script: &str) -> String {
    let mut lean = String::with_capacity(script.len());
    let mut in_text = false;
    for line in script.lines() {
        let bare = if in_text { line } else { line.trim_start() };
        if !in_text && (bare.is_empty() || bare.starts_with("//")) {
            continue;
        }
        in_text ^= line.matches('`').count() % 2 == 1;
        lean += bare;
        lean += "\n";
    }
    lean
}

/// Writes each live kernel with its source as a separate script, and what its figure shows before it runs as another: a page has
/// few of them.
fn kernels(root: &Path, file: &str, to: &Path) -> Result<()> {
    let text = fs::read_to_string(root.join(file)).with_context(|| format!("cannot read {file}"))?;
    for live in &Lives::parse(&text).with_context(|| file.to_owned())?.entries {
        let path = root.join("kernels").join(&live.file);
        let source =
            fs::read_to_string(&path).with_context(|| format!("cannot read kernels/{}", live.file))?;
        let shown = crate::include::without_anchors(&source);
        let range = |part: &String| crate::include::range(&source, &live.file, part);
        let listing =
            live.listing.iter().map(range).collect::<Result<Vec<_>, _>>().map_err(anyhow::Error::msg)?;
        for breakage in live.breakages.iter().filter(|one| !one.replace.is_empty()) {
            anyhow::ensure!(
                shown.matches(breakage.replace.as_str()).count() == 1,
                "live kernel `{}`: the text that `{}` replaces is not in kernels/{} once",
                live.name,
                breakage.title,
                live.file
            );
        }
        let put = |kind: &str, data: &serde_json::Value| {
            let name = &live.name;
            let of = format!("(globalThis.warpbookLive ??= {{}})[\"{name}\"] ??= {{}}");
            fs::write(to.join(format!("{kind}-{name}.js")), format!("Object.assign({of}, {data});\n"))
        };
        put("data", &serde_json::json!({ "entry": live, "source": shown, "listing": listing }))?;
        put("still", &serde_json::json!({ "still": still(&root.join(file).with_extension(""), live)? }))?;
    }
    Ok(())
}

/// What a figure shows before anything has run, from the folder where a test of `crates/web` has written it: its access is drawn
/// here, from the addresses that were noted.
fn still(folder: &Path, live: &Live) -> Result<serde_json::Value> {
    let path = folder.join(format!("{}.json", live.name));
    let text = fs::read_to_string(&path).with_context(|| {
        format!("no {}; UPDATE=1 cargo test -p web --test all stills:: writes it", path.display())
    })?;
    let mut still: serde_json::Value =
        serde_json::from_str(&text).with_context(|| path.display().to_string())?;
    let recorded: Recorded = serde_json::from_value(still["access"]["recorded"].take())
        .with_context(|| path.display().to_string())?;
    let id = format!("live-{}", live.name);
    let Recorded { access, kernel, title } = &recorded;
    let single = render::Single { access, kernel, grid: [1; 3], block: [0; 3], title, id: &id };
    still["access"]["svg"] = single.compact_svg().with_context(|| path.display().to_string())?.into();
    Ok(still)
}

/// An access as the device noted it.
#[derive(serde::Deserialize)]
struct Recorded {
    access: record::Access,
    kernel: String,
    title: String,
}

/// Writes each program of a chapter with its files and its changes as a separate script.
fn of_chapters(root: &Path, file: &str, to: &Path) -> Result<()> {
    let text = fs::read_to_string(root.join(file)).with_context(|| format!("cannot read {file}"))?;
    let read = |path: &str| fs::read_to_string(root.join(path)).ok();
    for program in &Programs::parse(&text).with_context(|| file.to_owned())?.entries {
        let files = program.files(&read).with_context(|| file.to_owned())?;
        let changes = program.changes(&files).with_context(|| file.to_owned())?;
        let data = serde_json::json!({
            "title": program.title, "arguments": program.arguments.join(" "), "files": files, "changes": changes,
        });
        let script = format!("(globalThis.warpbookChapters ??= {{}})[\"{}\"] = {data};\n", program.name);
        fs::write(to.join(format!("program-{}.js", program.name)), script)?;
    }
    Ok(())
}

/// How a hint says to start over, in the terminal and in the page.
const IN_TERMINAL: &str = "with the key `x` or the command `reset`: your file is kept next to the new one";
const IN_PAGE: &str = "with the button of that name: your draft is kept, and another button brings it back";

/// The exercises as the engine receives them, each alone, as a script.
fn tasks() -> Result<String> {
    let each = exercise::Packed::of_workbook().map_err(anyhow::Error::msg)?.without_attempts().each();
    let tasks = serde_json::to_string(&each)?.replace(IN_TERMINAL, IN_PAGE);
    Ok(format!("globalThis.warpbookTasks = {tasks};\n"))
}

/// The exercises as the page of the reader's work lists them, what its file says of their versions, and the questions of each chapter,
/// as a script.
fn exercises(questions: &BTreeMap<String, Vec<String>>) -> Result<String> {
    let tasks = exercise::all().map_err(anyhow::Error::msg)?;
    let exercises: Vec<_> = tasks
        .iter()
        .map(|task| {
            let Exercise { name, title, chapter, points, .. } = &task.exercise;
            serde_json::json!({ "name": name, "title": title, "chapter": chapter, "points": points })
        })
        .collect();
    // All packages of the workspace have one version.
    let version = env!("CARGO_PKG_VERSION");
    let data = serde_json::json!({
        "exercises": exercises,
        "questions": questions,
        "versions": { "workbook": version, "compiler": version, "exercises": exercise::digest() },
    });
    Ok(format!("globalThis.warpbookWork = {data};\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_lose_comments_and_indentation_but_no_texts() {
        let script = "// why\n\"use strict\";\n    const a = `b ${`c`}`;\n\n    // d\n    const e = `f\n    // g\n\n    h`;\n    i();\n";
        assert_eq!(
            lean(script),
            "\"use strict\";\nconst a = `b ${`c`}`;\nconst e = `f\n    // g\n\n    h`;\ni();\n"
        );
    }

    #[test]
    fn hints_in_the_page_do_not_speak_of_the_terminals_keys() {
        let tasks = tasks().expect("the workbook's exercises");
        assert!(tasks.contains(IN_PAGE) && !tasks.contains("the key `"), "{}", tasks.len());
    }

    #[test]
    fn a_place_is_empty_until_a_script_fills_it() {
        let lives = Lives::parse(
            "[[live]]\nname = \"a\"\ntitle = \"A <b>\"\nfile = \"x.cu\"\nbuffers = []\n\
             steps = [{ launch = { kernel = \"k\", grid = [1], block = [1], args = [] } }]\nshow = []",
        );
        let html = place(&lives.expect("well-formed").entries[0], Some("question-q".to_owned()));
        assert!(
            html.contains("data-live=\"a\"") && html.ends_with(" data-asked=\"question-q\"></div>"),
            "{html}"
        );
        assert!(!html.contains("<b>") && !html.contains('\n'), "{html}");
    }

    #[test]
    fn pages_of_scripts_say_so_where_there_are_none() {
        assert!(
            page("any", true, &[])
                .is_ok_and(|html| html.contains("data-page=\"any\" data-types=\"u8 i8 u16 "))
        );
        for which in ["any", "work"] {
            let html = page(which, true, &[]).unwrap_or_default();
            assert!(html.contains("<div class=\"on-paper\"><p>") && html.contains("<noscript><p>"), "{html}");
        }
        assert!(page("any", false, &[]).is_ok_and(|text| text.contains("scripts/web")));
        assert!(page("none", true, &[]).is_err());
    }
}
