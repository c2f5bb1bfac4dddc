//! Files of a package: none uses another that uses it, directly or through others, and none is too long to be read as one.
//!
//! A file is a module. It may use what the files above it define (`lib.rs` and `mod.rs`: a folder's face, and what its files
//! share), and these may use the files below them. To use is to name an item. A re-exported item is used where it is defined;
//! to re-export it is not a use. Methods are not looked at, since they belong to their type wherever they are written, and
//! tests may use anything.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

type Error = Box<dyn std::error::Error>;

/// What a file imports.
#[derive(Debug)]
struct Import {
    path: Vec<String>,
    /// Name that it has in the file; `*` for all names of a module.
    name: String,
    public: bool,
}

/// What a file says of items.
#[derive(Debug, Default)]
struct File {
    imports: Vec<Import>,
    /// Paths of several names outside imports.
    paths: Vec<Vec<String>>,
    /// First names of paths outside imports.
    words: BTreeSet<String>,
    defines: BTreeSet<String>,
    /// Modules below it that are tests.
    tests: Vec<String>,
}

/// Words that the name of an item follows.
const NAMED: [&str; 8] = ["const", "enum", "fn", "static", "struct", "trait", "type", "union"];
/// Other words that an item begins with.
const BEGIN: [&str; 7] = ["async", "extern", "impl", "mod", "pub", "unsafe", "use"];

fn ident(tree: Option<&TokenTree>) -> Option<String> {
    match tree {
        Some(TokenTree::Ident(name)) => Some(name.to_string()),
        _ => None,
    }
}

fn group(tree: Option<&TokenTree>) -> Option<&Group> {
    match tree {
        Some(TokenTree::Group(group)) => Some(group),
        _ => None,
    }
}

fn is(tree: Option<&TokenTree>, mark: char) -> bool {
    matches!(tree, Some(TokenTree::Punct(punct)) if punct.as_char() == mark)
}

/// Whether there is `::`.
fn is_separator(trees: &[TokenTree], at: usize) -> bool {
    is(trees.get(at), ':') && is(trees.get(at + 1), ':')
}

/// Whether an attribute leaves what follows to tests.
fn is_test(trees: &[TokenTree], at: usize) -> bool {
    let Some(attribute) = group(trees.get(at + 1)).filter(|_| is(trees.get(at), '#')) else { return false };
    let mut parts = attribute.stream().into_iter();
    if ident(parts.next().as_ref()).is_none_or(|name| name != "cfg") {
        return false;
    }
    let text = parts.map(|part| part.to_string().replace(' ', "")).collect::<String>();
    text == "(test)" || text.starts_with("(all(test,")
}

/// A path as it would be outside modules that have no files of their own, of which this many are around it.
fn outside(path: Vec<String>, around: usize) -> Vec<String> {
    let ups = path.iter().take(around).take_while(|name| *name == "super").count();
    if ups == 0 {
        return path;
    }
    ["self".to_owned()].into_iter().chain(path.into_iter().skip(ups)).collect()
}

impl File {
    fn read(text: &str) -> Result<Self, Error> {
        let mut file = File::default();
        file.scan(text.parse()?, 0);
        Ok(file)
    }

    fn scan(&mut self, tokens: TokenStream, around: usize) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while let Some(tree) = trees.get(at) {
            let word = ident(Some(tree)).unwrap_or_default();
            let next = ident(trees.get(at + 1));
            match tree {
                _ if is_test(&trees, at) => at = self.skip(&trees, at),
                TokenTree::Ident(_) if word == "use" && !is(trees.get(at + 1), '<') => {
                    let public = match &trees[..at] {
                        [.., TokenTree::Ident(word)] | [.., TokenTree::Ident(word), TokenTree::Group(_)] => {
                            word == "pub"
                        }
                        _ => false,
                    };
                    let length = trees[at..].iter().position(|tree| is(Some(tree), ';'));
                    let end = length.map_or(trees.len(), |length| at + length);
                    self.import(&trees[at + 1..end], &[], public, around);
                    at = end;
                }
                TokenTree::Ident(_) if word == "mod" => {
                    if let Some(within) = group(trees.get(at + 2)) {
                        self.defines.extend(next);
                        self.scan(within.stream(), around + 1);
                    }
                    at += 3;
                }
                TokenTree::Ident(_) if word == "macro_rules" => {
                    self.defines.extend(ident(trees.get(at + 2)));
                    at += 3;
                }
                TokenTree::Ident(_) if NAMED.contains(&word.as_str()) => {
                    self.defines.extend(next);
                    at += 1;
                }
                TokenTree::Ident(_) => at = self.path(&trees, at, around),
                TokenTree::Group(group) => {
                    self.scan(group.stream(), around);
                    at += 1;
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => at += 1,
            }
        }
    }

    /// Skips what is left to tests; the place after it.
    fn skip(&mut self, trees: &[TokenTree], mut at: usize) -> usize {
        while is(trees.get(at), '#') {
            at += 2;
        }
        let first = ident(trees.get(at)).unwrap_or_default();
        let is_item = NAMED.iter().chain(&BEGIN).any(|word| *word == first);
        let mut imports = false;
        while let Some(tree) = trees.get(at) {
            let word = ident(Some(tree)).unwrap_or_default();
            imports |= word == "use";
            if word == "mod" && is(trees.get(at + 2), ';') {
                self.tests.extend(ident(trees.get(at + 1)));
            }
            at += 1;
            let body = group(Some(tree)).is_some_and(|group| group.delimiter() == Delimiter::Brace);
            if is(Some(tree), ';') || body && !imports || !is_item && is(Some(tree), ',') {
                break;
            }
        }
        at
    }

    /// Takes a path, or a single name; the place after it.
    fn path(&mut self, trees: &[TokenTree], start: usize, around: usize) -> usize {
        let mut path = vec![];
        let mut at = start;
        while let Some(name) = ident(trees.get(at)) {
            path.push(name);
            at += 1;
            if !is_separator(trees, at) || ident(trees.get(at + 2)).is_none() {
                break;
            }
            at += 2;
        }
        // After `::` it is another package's or continues after arguments; after a point it is a member, but for ranges.
        let before =
            |distance: usize, mark| start.checked_sub(distance).is_some_and(|at| is(trees.get(at), mark));
        let goes_on = before(1, ':') && before(2, ':');
        let is_member = before(1, '.') && !before(2, '.');
        if !goes_on && !is_member {
            self.words.insert(path[0].clone());
            if path.len() > 1 {
                self.paths.push(outside(path, around));
            }
        }
        at
    }

    /// Takes the tree of an import, which follows these names.
    fn import(&mut self, trees: &[TokenTree], before: &[String], public: bool, around: usize) {
        for tree in trees.split(|tree| is(Some(tree), ',')) {
            let mut path = before.to_vec();
            let renamed = tree.iter().position(|tree| ident(Some(tree)).is_some_and(|word| word == "as"));
            for part in &tree[..renamed.unwrap_or(tree.len())] {
                match part {
                    TokenTree::Ident(word) => path.push(word.to_string()),
                    TokenTree::Punct(mark) if mark.as_char() == '*' => path.push("*".to_owned()),
                    _ => {}
                }
            }
            if let Some(several) = group(tree.last()) {
                let several: Vec<TokenTree> = several.stream().into_iter().collect();
                self.import(&several, &path, public, around);
                continue;
            }
            // `{self}` is the module before it.
            let is_self = path.len() > 1 && path.last().is_some_and(|name| name == "self");
            path.truncate(path.len() - usize::from(is_self));
            let name = renamed.and_then(|at| ident(tree.get(at + 1))).or_else(|| path.last().cloned());
            if let Some(name) = name {
                self.imports.push(Import { path: outside(path, around), name, public });
            }
        }
    }
}

/// Files of a package by their modules: `a::b`, and nothing for the package itself.
type Files = BTreeMap<String, File>;

fn child(module: &str, name: &str) -> String {
    if module.is_empty() { name.to_owned() } else { format!("{module}::{name}") }
}

fn parent(module: &str) -> &str {
    module.rsplit_once("::").map_or("", |(parent, _)| parent)
}

/// Whether a module is above another, or is it.
fn is_above(module: &str, other: &str) -> bool {
    module.is_empty()
        || other.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// Most re-exports that are followed.
const DEPTH: u32 = 8;

/// The file that defines what a path in a module names, with the item's name, which is empty for the module itself.
fn resolve(files: &Files, module: &str, path: &[String], depth: u32) -> Option<(String, String)> {
    let (first, rest) = path.split_first().filter(|_| depth < DEPTH)?;
    match first.as_str() {
        "crate" => within(files, "", rest, depth),
        "self" | "super" => {
            let named = path.iter().take_while(|name| ["self", "super"].contains(&name.as_str())).count();
            let ups = path[..named].iter().filter(|name| *name == "super").count();
            let above = (0..ups).fold(module, |module, _| parent(module));
            within(files, above, &path[named..], depth)
        }
        _ if files.contains_key(&child(module, first)) => within(files, module, path, depth),
        _ => imported(files, module, path, depth),
    }
}

/// The same for a path that begins within a module.
fn within(files: &Files, module: &str, path: &[String], depth: u32) -> Option<(String, String)> {
    let Some((first, rest)) = path.split_first() else { return Some((module.to_owned(), String::new())) };
    let below = child(module, first);
    if files.contains_key(&below) {
        return within(files, &below, rest, depth);
    }
    let file = files.get(module)?;
    if file.defines.contains(first) || first == "*" {
        return Some((module.to_owned(), first.clone()));
    }
    if file.imports.iter().any(|import| import.name == *first) {
        return imported(files, module, path, depth); // it may be of another package
    }
    // What no file defines is made by a macro.
    imported(files, module, path, depth).or_else(|| Some((module.to_owned(), first.clone())))
}

/// The same for a path that begins with a name which the module imports.
fn imported(files: &Files, module: &str, path: &[String], depth: u32) -> Option<(String, String)> {
    let (first, rest) = path.split_first()?;
    let imports = &files.get(module)?.imports;
    if let Some(import) = imports.iter().find(|import| import.name == *first) {
        let whole: Vec<String> = import.path.iter().chain(rest).cloned().collect();
        // An import of a name that is also a package's would find itself.
        return (whole != path).then(|| resolve(files, module, &whole, depth + 1)).flatten();
    }
    imports.iter().filter(|import| import.name == "*").find_map(|import| {
        let source = &import.path[..import.path.len() - 1];
        let (of, item) = resolve(files, module, source, depth + 1)?;
        let file = files.get(&of).filter(|_| item.is_empty() && of != module)?;
        let has = file.defines.contains(first)
            || files.contains_key(&child(&of, first))
            || file.imports.iter().any(|import| import.name == *first);
        has.then(|| within(files, &of, path, depth + 1)).flatten()
    })
}

/// Folders whose types contain each other because what they describe does: each is one definition in several files.
const ONE: [(&str, &str); 1] = [("cuda", "ast")];

/// By file the files that it uses, each with an item. What is below `one` is taken as one file.
fn uses<'f>(files: &'f Files, one: &'f str) -> BTreeMap<&'f str, BTreeMap<String, String>> {
    let part = |module: &'f str| if !one.is_empty() && is_above(one, module) { one } else { module };
    let mut uses: BTreeMap<&str, BTreeMap<String, String>> = BTreeMap::new();
    for (module, file) in files {
        let imports =
            file.imports.iter().filter(|import| !import.public || file.words.contains(&import.name));
        let imports = imports.map(|import| import.path.clone());
        let imports = imports.filter(|path| path.last().is_none_or(|name| name != "*"));
        let words = file.words.iter().map(|word| vec![word.clone()]);
        let found = uses.entry(part(module)).or_default();
        for path in imports.chain(file.paths.iter().cloned()).chain(words) {
            let Some((of, item)) = resolve(files, module, &path, 0) else { continue };
            let of = files.get_key_value(&of).map_or("", |(of, _)| part(of));
            if !item.is_empty() && !is_above(of, part(module)) {
                found.entry(of.to_owned()).or_insert(item);
            }
        }
    }
    uses
}

/// A shortest circle, each file with what it uses of the next.
fn circle(files: &Files, one: &str) -> Option<String> {
    let uses = uses(files, one);
    let from = |start: &str| {
        let mut before: BTreeMap<&str, &str> = BTreeMap::new();
        let mut queue: VecDeque<&str> =
            uses.get_key_value(start).map(|(start, _)| *start).into_iter().collect();
        while let Some(at) = queue.pop_front() {
            for next in uses[at].keys() {
                if !before.contains_key(next.as_str()) {
                    before.insert(next, at);
                    queue.push_back(next);
                }
            }
        }
        let mut way = vec![*before.get(start)?];
        while let Some(last) = way.last().filter(|last| **last != start) {
            way.push(before[last]);
        }
        way.reverse();
        Some(way)
    };
    let way = uses.keys().filter_map(|start| from(start)).min_by_key(Vec::len)?;
    let of = |(at, module): (usize, &&str)| {
        let next = way[(at + 1) % way.len()];
        format!("{module} uses `{}` of {next}", uses[module][next])
    };
    Some(way.iter().enumerate().map(of).collect::<Vec<_>>().join(", "))
}

/// Takes the files below a folder whose module this is.
fn read(folder: &Path, module: &str, files: &mut Files) -> Result<(), Error> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_stem().and_then(|name| name.to_str()).ok_or("a file's name")?;
        if path.is_dir() && !(module.is_empty() && name == "bin") {
            read(&path, &child(module, name), files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            // A program next to a library is a package of its own, of one file.
            let module = match name {
                "main" => continue,
                "lib" | "mod" => module.to_owned(),
                name => child(module, name),
            };
            let file = File::read(&fs::read_to_string(&path)?)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            files.insert(module, file);
        }
    }
    Ok(())
}

/// Leaves out the modules that are tests.
fn without_tests(files: &mut Files) {
    let tests: Vec<String> =
        files.iter().flat_map(|(module, file)| file.tests.iter().map(|name| child(module, name))).collect();
    files.retain(|module, _| !tests.iter().any(|test| is_above(test, module)));
}

#[test]
fn no_file_uses_another_that_uses_it() -> Result<(), Error> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut packages: Vec<PathBuf> =
        ["kernels", "labs", "benches", "tests"].map(|name| root.join(name)).to_vec();
    for entry in fs::read_dir(root.join("crates"))? {
        packages.push(entry?.path());
    }
    let mut circles = vec![];
    let mut count = 0;
    for package in packages {
        let mut files = Files::new();
        read(&package.join("src"), "", &mut files)?;
        without_tests(&mut files);
        count += files.len();
        let one = ONE.iter().find(|(name, _)| package.ends_with(name)).map_or("", |(_, folder)| folder);
        circles.extend(circle(&files, one).map(|circle| format!("{}: {circle}", package.display())));
    }
    assert!(count > 700, "{count} files");
    assert!(circles.is_empty(), "{}", circles.join("\n"));
    Ok(())
}

/// Lines that a file has at most: what is read at one sitting, and is about one subject.
const LINES: usize = 800;
/// Files that have more, with the reason why they do not divide.
const LONGER: &[(&str, &str)] = &[];

/// Files of Rust below a folder, but for what is built.
fn sources(folder: &Path, all: &mut Vec<PathBuf>) -> Result<(), Error> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && !path.ends_with("target") {
            sources(&path, all)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            all.push(path);
        }
    }
    Ok(())
}

#[test]
fn no_file_is_longer_than_it_says_why() -> Result<(), Error> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut all = vec![];
    for folder in ["benches", "crates", "fuzz", "kernels", "labs", "tests"] {
        sources(&root.join(folder), &mut all)?;
    }
    assert!(all.len() > 900, "{} files", all.len());
    let mut longer = vec![];
    for path in all {
        let lines = fs::read_to_string(&path)?.lines().count();
        let name = path.strip_prefix(&root)?.display().to_string();
        let listed = LONGER.iter().any(|(file, _)| *file == name);
        if listed != (lines > LINES) {
            longer.push(format!("{name}: {lines} lines"));
        }
    }
    assert!(
        longer.is_empty(),
        "over {LINES} lines and not in the list, or in it and not over:\n{}",
        longer.join("\n")
    );
    Ok(())
}

fn made_up(texts: &[(&str, &str)], one: &str) -> Result<Option<String>, Error> {
    let read = |(module, text): &(&str, &str)| Ok((String::from(*module), File::read(text)?));
    let mut files = texts.iter().map(read).collect::<Result<Files, Error>>()?;
    without_tests(&mut files);
    Ok(circle(&files, one))
}

#[test]
fn a_circle_is_found_however_the_files_name_their_items() -> Result<(), Error> {
    const FACE: &str = "mod a; mod b; mod c; pub use c::Shown; use b::{self as other, B};";
    let two = Some("a uses `B` of b, b uses `A` of a".to_owned());
    let three = Some("a uses `Shown` of c, c uses `A` of a".to_owned());
    for (a, b, c, found) in [
        ("use super::b::B; pub struct A;", "use super::a::A; pub struct B;", "pub struct Shown;", &two),
        ("use crate::{b::{B as C}, c}; enum A { X }", "use crate::a::A::X; struct B; struct D;", "", &two),
        ("struct A(crate::b::B);", "struct B; fn b() { super::a::A::new() }", "", &two),
        ("struct A; fn a() { m!(other::B, 1) } use super::other;", "use super::a; struct B(a::A);", "", &two),
        ("use super::*; struct A(B);", "struct B(super::a::A);", "", &two),
        ("use super::Shown; struct A;", "", "struct Shown; use crate::a::A;", &three),
        ("pub use super::c::Shown; struct A(Shown);", "", "struct Shown; use crate::a::A;", &three),
        ("mod own { use super::super::c::Shown; } struct A;", "", "struct Shown; use crate::a::A;", &three),
    ] {
        assert_eq!(made_up(&[("", FACE), ("a", a), ("b", b), ("c", c)], "")?, *found, "{a} {b} {c}");
    }
    Ok(())
}

#[test]
fn faces_and_their_files_may_use_each_other_and_tests_anything() -> Result<(), Error> {
    let found = made_up(
        &[
            ("", "mod a; mod b; pub use a::A; pub struct Context; fn f() { b::run(a::A) }"),
            (
                "a",
                "use crate::Context; mod deep; use deep::D; pub struct A; #[cfg(test)] mod tests { use crate::b::run; }",
            ),
            ("a::deep", "use super::A; use crate::Context; pub struct D; pub use crate::b::run as go;"),
            (
                "b",
                "use crate::a::A; pub fn run(a: A) { a.deep::<A>(); \"crate::a::deep::D\"; } // crate::a::deep::D",
            ),
            ("tool", "pub struct Tool; #[cfg(test)] mod test; #[cfg(test)] use crate::b::run;"),
            ("tool::test", "use crate::user::User;"),
            ("user", "use crate::tool::Tool; pub struct User;"),
        ],
        "",
    )?;
    assert_eq!(found, None);
    let found = made_up(
        &[
            ("", ""),
            ("a", "struct A; use b::B;"),
            ("a::b", "struct B; use crate::c::C;"),
            ("c", "struct C; use crate::a::A;"),
        ],
        "",
    )?;
    assert_eq!(found.as_deref(), Some("a uses `B` of a::b, a::b uses `C` of c, c uses `A` of a"));
    Ok(())
}

#[test]
fn a_folder_that_is_one_definition_may_have_circles_within_and_none_with_others() -> Result<(), Error> {
    let b = "pub struct B(super::A);";
    let folder = |b| {
        [
            ("ast", "mod a; mod b; pub use a::*; pub use b::*;"),
            ("ast::a", "pub struct A(super::B);"),
            ("ast::b", b),
        ]
    };
    assert_eq!(
        made_up(&folder(b), "")?.as_deref(),
        Some("ast::a uses `B` of ast::b, ast::b uses `A` of ast::a")
    );
    assert_eq!(made_up(&folder(b), "ast")?, None);
    let others = [("", ""), ("walk", "use crate::ast::A; pub struct Walk;")];
    let texts = [&folder("pub struct B(crate::walk::Walk);")[..], &others].concat();
    assert_eq!(made_up(&texts, "ast")?.as_deref(), Some("ast uses `Walk` of walk, walk uses `A` of ast"));
    Ok(())
}
