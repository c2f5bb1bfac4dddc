//! The book's tables of what whole programs may call: functions of the runtime API, and headers of C and C++ with their names, made of
//! the tables and headers that have them and of the programs that call them.
//!
//! `UPDATE=1 cargo test -p tests --test all runtime_api::` writes them again.

use anyhow::{Context, Result, ensure};
use runtime::api::{find, names, refusal};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use tests::committed;

/// Folders with whole programs that tests run.
const PROGRAMS: [&str; 5] = [
    "crates/cudarun/tests/programs",
    "crates/cudarun/tests/several",
    "book/programs",
    "book/code",
    "kernels/exercises",
];
/// Tests that call the API without a program.
const UNIT: &str = "crates/runtime/src/api/tests";
/// Headers of programs' host side.
const HEADERS: &str = "crates/cuda/library/host";
/// What is said of a function that is not there for no particular reason.
const NO_MORE: &str = "it is not supported";
/// Programs that are named in a row.
const NAMED: usize = 2;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn hold(name: &str, now: &str) {
    committed(&root().join("book/evidence").join(name), now, "-p tests --test all runtime_api::");
}

/// Files below a folder, by their paths from it.
fn files(folder: &Path) -> Result<Vec<(String, String)>> {
    let mut all = vec![];
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).with_context(|| next.display().to_string())? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                all.push((path.strip_prefix(folder)?.display().to_string(), text));
            }
        }
    }
    all.sort();
    Ok(all)
}

/// A source without its comments.
fn code(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// Names in a text, which are also those that a macro or a test's string has.
fn words(text: &str) -> BTreeSet<&str> {
    let part = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
    text.split(part).filter(|word| !word.is_empty()).collect()
}

/// For each name of the API, the tests that call it: programs, and whether there are tests without one.
fn callers() -> Result<BTreeMap<String, (BTreeSet<String>, bool)>> {
    let mut all: BTreeMap<String, (BTreeSet<String>, bool)> = BTreeMap::new();
    let is_one = |word: &&&str| word.starts_with("cuda");
    for folder in PROGRAMS {
        for (name, text) in files(&root().join(folder))? {
            let Some((program, _)) =
                name.rsplit_once('.').filter(|(_, end)| ["cu", "cpp", "cuh", "h"].contains(end))
            else {
                continue;
            };
            let program = program.split('/').next().unwrap_or_default();
            for word in words(&code(&text)).iter().filter(is_one) {
                all.entry((*word).to_owned()).or_default().0.insert(program.to_owned());
            }
        }
    }
    for (_, text) in files(&root().join(UNIT))? {
        for word in words(&text).iter().filter(is_one) {
            all.entry((*word).to_owned()).or_default().1 = true;
        }
    }
    Ok(all)
}

/// Parts of NVIDIA's manual with their functions; at the end those that it has no more.
fn parts() -> Result<Vec<(String, Vec<String>)>> {
    let text = std::fs::read_to_string(root().join("tests/runtime-api.txt"))?;
    let mut parts: Vec<(String, Vec<String>)> = vec![];
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(part) => parts.push((part.to_owned(), vec![])),
            None => parts.last_mut().context("a name before the first part")?.1.push(line.to_owned()),
        }
    }
    let there: BTreeSet<&String> = parts.iter().flat_map(|(_, names)| names).collect();
    let more: Vec<String> = names()
        .filter(|name| !name.starts_with("__"))
        .map(str::to_owned)
        .filter(|name| !there.contains(name))
        .collect();
    parts.push(("In other headers, or of earlier toolkits".to_owned(), more));
    Ok(parts)
}

/// Whether a program can call it: in the table, or a template of a header.
fn has(name: &str, headers: &str) -> bool {
    find(name).is_some() || headers.contains(&format!(" {name}("))
}

#[test]
fn the_book_lists_every_function_of_the_runtime_api_with_what_tests_it() -> Result<()> {
    let header = |name: &str| std::fs::read_to_string(root().join(HEADERS).join(name));
    let headers =
        code(&(header("cuda_runtime.h")? + &header("channel_descriptor.h")? + &header("graph_functions.h")?));
    let callers = callers()?;
    let parts = parts()?;
    let (mut supported, mut all, mut untested) = (0, 0, 0);
    let mut tables = String::new();
    for (part, functions) in &parts {
        let own = functions.iter().filter(|name| has(name, &headers)).count();
        (supported, all) = (supported + own, all + functions.len());
        writeln!(tables, "\n<details>\n<summary>{part}: {own} of {}</summary>\n", functions.len())?;
        if own > 0 {
            writeln!(tables, "| function | called by |\n| --- | --- |")?;
        }
        let mut refused: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for name in functions {
            if !has(name, &headers) {
                let why = refusal(name).unwrap_or(NO_MORE);
                refused.entry(why).or_default().push(name);
                continue;
            }
            let (programs, unit) = callers.get(name).cloned().unwrap_or_default();
            let mut tests: Vec<String> = programs.iter().take(NAMED).map(|one| format!("`{one}`")).collect();
            match programs.len().saturating_sub(NAMED) {
                0 => {}
                1 => tests.push("1 more program".to_owned()),
                more => tests.push(format!("{more} more programs")),
            }
            if unit {
                tests.push("unit tests".to_owned());
            }
            if tests.is_empty() {
                untested += 1;
                tests.push("none yet".to_owned());
            }
            writeln!(tables, "| `{name}` | {} |", tests.join(", "))?;
        }
        if !refused.is_empty() {
            writeln!(tables, "\n| refused | why, and what to write instead |\n| --- | --- |")?;
        }
        let mut refused: Vec<_> = refused.into_iter().collect();
        refused.sort_by_key(|(why, names)| (*why == NO_MORE, names[0]));
        for (why, names) in refused {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            writeln!(tables, "| {} | {why} |", names.join(", "))?;
        }
        writeln!(tables, "\n</details>")?;
    }
    ensure!(
        supported > 100 && untested < supported / 2,
        "{supported} functions, {untested} of them without a test"
    );
    let refused = all - supported;
    let called = if untested == 0 { "all".to_owned() } else { format!("all but {untested}") };
    let head = format!(
        "{supported} functions are there, and {refused} are refused. Tests call {called} of the former.\n"
    );
    hold("runtime-api.md", &(head + &tables));
    Ok(())
}

/// A macro with parameters, by which a header declares names that are alike.
struct Macro<'a> {
    name: &'a str,
    parameters: Vec<&'a str>,
    body: &'a str,
}

impl<'a> Macro<'a> {
    fn of(directive: &'a str) -> Option<Self> {
        let (name, rest) = directive.trim_start().strip_prefix("define ")?.trim_start().split_once('(')?;
        let (parameters, body) = rest.split_once(')')?;
        let parameters = parameters.split(',').map(str::trim).collect();
        (!name.contains(' ')).then_some(Self { name, parameters, body })
    }
}

/// A line, with what a macro that it begins with makes of its arguments.
fn expanded(line: &str, macros: &[Macro]) -> String {
    let called = macros.iter().rev().find_map(|one| {
        let arguments = line.trim_start().strip_prefix(one.name)?.strip_prefix('(')?;
        Some((one, arguments.trim_end().trim_end_matches(';').strip_suffix(')')?))
    });
    let Some((one, text)) = called else { return line.to_owned() };
    let mut arguments = vec![String::new()];
    let mut depth = 0_usize;
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        match arguments.last_mut() {
            Some(last) if c != ',' || depth > 0 => last.push(c),
            _ => arguments.push(String::new()),
        }
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut all = String::new();
    let mut body = one.body;
    while let Some(c) = body.chars().next() {
        let word_end = body.find(|other| !is_part(other)).unwrap_or(body.len());
        let (word, rest) = body.split_at(if is_part(c) { word_end } else { c.len_utf8() });
        let at = one.parameters.iter().position(|&parameter| parameter == word);
        all.push_str(at.and_then(|at| arguments.get(at)).map_or(word, |argument| argument.trim()));
        body = rest;
    }
    // A macro may call others.
    let lines = all.replace(" ## ", "").replace("##", "");
    lines.split_inclusive([';', '}']).map(|part| expanded(part, &macros[..macros.len() - 1])).collect()
}

/// Names that a header declares, without those that begin with two underscores.
#[derive(Default)]
struct Declared {
    names: BTreeSet<String>,
    /// Namespaces that are open, without `std`; `None` for what is not looked into.
    scopes: Vec<Option<String>>,
}

impl Declared {
    fn of(text: &str) -> Self {
        let mut all = Declared::default();
        let (mut head, mut parentheses) = (String::new(), 0_usize);
        let mut rest = String::new();
        let mut macros = vec![];
        for line in code(text).replace("\\\n", " ").lines() {
            match line.trim_start().strip_prefix('#') {
                Some(directive) => {
                    all.macro_of(directive);
                    macros.extend(Macro::of(directive));
                }
                None => rest = rest + &expanded(line, &macros) + "\n",
            }
        }
        for c in rest.chars() {
            match c {
                '(' => parentheses += 1,
                ')' => parentheses = parentheses.saturating_sub(1),
                _ => {}
            }
            match c {
                '{' if parentheses == 0 => {
                    all.open(head.trim());
                    head.clear();
                }
                '}' if parentheses == 0 => {
                    all.scopes.pop();
                    head.clear();
                }
                ';' if parentheses == 0 => {
                    all.declaration(head.trim());
                    head.clear();
                }
                _ => head.push(c),
            }
        }
        all
    }

    fn macro_of(&mut self, directive: &str) {
        let name = directive.trim_start().strip_prefix("define ").map(str::trim_start);
        let end = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
        // What a header defines so that it is read once is not a name of it.
        let is_guard = |name: &&str| name.ends_with("_H") || name.ends_with("_H_");
        if let Some(name) = name.and_then(|name| name.split(end).next()).filter(|name| !is_guard(name)) {
            self.add(name, true);
        }
    }

    fn add(&mut self, name: &str, of_all: bool) {
        let reserved =
            name.starts_with("__") || name.starts_with('_') && name[1..].starts_with(char::is_uppercase);
        if name.is_empty() || reserved || self.scopes.iter().any(Option::is_none) {
            return;
        }
        let scopes: Vec<&str> =
            self.scopes.iter().flatten().map(String::as_str).filter(|scope| !scope.is_empty()).collect();
        let prefix = if of_all || scopes.is_empty() { String::new() } else { scopes.join("::") + "::" };
        if !prefix.contains("__") {
            self.names.insert(prefix + name);
        }
    }

    /// What a `{` opens.
    fn open(&mut self, head: &str) {
        let inside = match head.rsplit_once("namespace ").map(|(_, name)| name.trim()) {
            Some("std") => Some(String::new()),
            Some(name) => Some(name.to_owned()),
            None if head.starts_with("extern \"") => Some(String::new()),
            None => {
                self.declaration(head);
                None
            }
        };
        self.scopes.push(inside);
    }

    fn declaration(&mut self, head: &str) {
        let head = without_template(head);
        if head.contains("operator") || head.starts_with("static_assert") || head.starts_with("friend") {
            return;
        }
        let word = |text: &str| {
            let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            text.trim_end().rsplit(|c| !part(c)).next().unwrap_or_default().to_owned()
        };
        let first = head.split_whitespace().next().unwrap_or_default();
        let name = match first {
            "using" if head.contains('=') => word(head.split('=').next().unwrap_or_default()),
            "typedef" if !head.contains('(') => word(head),
            "using" => word(head),
            "class" | "struct" | "union" | "enum" => {
                let rest = head.trim_start_matches(first).trim_start().trim_start_matches("class ");
                let end = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
                let name = rest.split(end).next().unwrap_or_default();
                // A specialisation is of what has been declared.
                if rest[name.len()..].trim_start().starts_with('<') { String::new() } else { name.to_owned() }
            }
            _ => word(head.split(['(', '=', '[']).next().unwrap_or_default()),
        };
        self.add(&name, false);
    }
}

/// A declaration without the parameters of its template.
fn without_template(head: &str) -> &str {
    let Some(rest) = head.strip_prefix("template") else { return head };
    let mut depth = 0;
    for (at, c) in rest.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if depth == 1 => return without_template(rest[at + 1..].trim_start()),
            '>' => depth -= 1,
            _ => {}
        }
    }
    head
}

/// The names in a row; of many that begin alike, the first.
fn shortened(names: &BTreeSet<String>) -> String {
    const ALIKE: usize = 3;
    const MANY: usize = 20;
    let start = |name: &str| name.get(..ALIKE).unwrap_or(name).to_owned();
    let mut shown: Vec<(String, usize)> = vec![];
    for name in names {
        match shown.last_mut() {
            Some((first, more))
                if start(first) == start(name) && start(name).chars().all(|c| c.is_ascii_uppercase()) =>
            {
                *more += 1
            }
            _ => shown.push((name.clone(), 0)),
        }
    }
    let is_many =
        |name: &String| shown.iter().any(|(first, more)| *more > MANY && start(first) == start(name));
    let few = names.iter().filter(|name| !is_many(name)).map(|name| format!("`{name}`"));
    let many = shown.iter().filter(|(_, more)| *more > MANY);
    let many =
        many.map(|(first, more)| format!("`{first}` and {more} more that begin with `{}`", start(first)));
    few.chain(many).collect::<Vec<_>>().join(", ")
}

#[test]
fn the_book_lists_every_header_of_host_code_with_its_names() -> Result<()> {
    let mut all = files(&root().join(HEADERS))?;
    // Two list which names come with which file.
    all.retain(|(name, _)| !name.ends_with(".txt"));
    // Of the samples' headers, kernels have this one, too.
    let both = "helper_math.h";
    let text = std::fs::read_to_string(root().join("crates/cuda/library").join(both)).context(both)?;
    all.insert(all.partition_point(|(name, _)| name.as_str() < both), (both.to_owned(), text));
    let includes = |text: &str, part: &str| text.contains(&format!("#include \"{part}\""));
    let is_part = |name: &str| name.ends_with(".inc");
    let mut groups: [(&str, Vec<String>); 4] =
        [("C", vec![]), ("C++", vec![]), ("CUDA", vec![]), ("NVIDIA's samples", vec![])];
    for (header, text) in all.iter().filter(|(name, _)| !is_part(name)) {
        let mut names = Declared::of(text).names;
        // What no other header has, too, is the header's own.
        for (part, of_part) in all.iter().filter(|(name, _)| is_part(name) && includes(text, name)) {
            if all.iter().filter(|(other, text)| !is_part(other) && includes(text, part)).count() == 1 {
                names.extend(Declared::of(of_part).names);
            }
        }
        let cuda = ["cuda", "driver", "channel", "graph", "surface", "texture", "nv"];
        let group = match header {
            _ if header.starts_with("helper_") || header == "exception.h" => 3,
            _ if cuda.iter().any(|start| header.starts_with(start)) => 2,
            _ if header.ends_with(".h") => 0,
            _ => 1,
        };
        let names = if names.is_empty() { "what it includes".to_owned() } else { shortened(&names) };
        groups[group].1.push(format!("| `<{header}>` | {names} |\n"));
    }
    let mut tables = String::new();
    for (group, rows) in &groups {
        ensure!(rows.len() > 4, "{group}: {rows:?}");
        let rows_text = rows.concat();
        writeln!(
            tables,
            "<details>\n<summary>{group}: {} headers</summary>\n\n| header | names |\n| --- | --- |\n{rows_text}\n</details>\n",
            rows.len()
        )?;
    }
    for name in ["`unordered_map`", "`printf`", "`chrono::milliseconds`", "`make_cudaExtent`", "`mt19937`"] {
        ensure!(tables.contains(name), "{name} is not among the names");
    }
    hold("headers.md", &tables);
    Ok(())
}
