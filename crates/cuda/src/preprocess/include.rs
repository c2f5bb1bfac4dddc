//! Files: what `#include` names, and where it is found.
//!
//! Enters: the name of a header. Leaves: a file that is read next, or an error that says what to write instead. This
//! module must never know what a file contains.

use crate::{
    diagnostic::Diagnostic,
    lex::{Lexer, Raw, RawKind},
    library,
    options::{Arch, Language},
    source::Span,
};

use super::{
    MOST_BYTES, MOST_INCLUDES, Open, Preprocessor,
    define::{Computed, Macro},
    headers::{self, EXACT, FAST, Header, PREDEFINED},
    intern::punctuation,
};

impl Preprocessor<'_> {
    /// Defines what is defined before the first line.
    pub(super) fn predefine(&mut self) {
        for (name, computed) in [
            ("__LINE__", Computed::Line),
            ("__FILE__", Computed::File),
            ("__COUNTER__", Computed::Counter),
            ("__DATE__", Computed::Time),
            ("__TIME__", Computed::Time),
            ("__TIMESTAMP__", Computed::Time),
            ("__has_include", Computed::Condition),
            ("__has_cpp_attribute", Computed::Condition),
        ] {
            let name = self.interner.intern(name);
            let computed = Some(computed);
            let (name_place, parameters, body) = (Span::default(), None, vec![]);
            let defined =
                Macro { name: name_place, parameters, variadic: false, body, computed, built_in: true };
            self.set_macro(name, defined);
        }
        let Arch { number, suffix } = self.environment.arch;
        let mut arch = format!("#define __CUDA_ARCH_LIST__ {number}0\n");
        if self.environment.side.is_device() {
            arch.push_str(&format!("#define __CUDA_ARCH__ {number}0\n#define __CUDACC_RTC__ 1\n"));
        }
        // What the suffix promises is asked for by these names.
        match suffix {
            Some('a') => arch.push_str(&format!(
                "#define __CUDA_ARCH_FEAT_SM{number}_ALL 1\n#define __CUDA_ARCH_SPECIFIC__ {number}0\n"
            )),
            Some('f') => arch.push_str(&format!("#define __CUDA_ARCH_FAMILY_SPECIFIC__ {number}0\n")),
            _ => {}
        }
        let precision = if self.environment.fast_math { FAST } else { EXACT };
        let text = format!("{PREDEFINED}{precision}{arch}");
        // What nvcc says of itself it says to sources in CUDA C++; a C compiler's `__cplusplus` is not there.
        let hidden = |line: &&str| match self.environment.language {
            Language::Cuda => false,
            Language::Cpp => line.contains("__CUDACC"),
            Language::C => line.contains("__CUDACC") || line.contains("__cplusplus"),
        };
        let mut kept: String =
            text.lines().filter(|line| !hidden(line)).map(|line| format!("{line}\n")).collect();
        if self.environment.language == Language::C {
            kept.push_str(
                "#define __STDC_VERSION__ 201112L\n#define restrict __restrict__\n#define _Bool bool\n",
            );
        }
        self.read_definitions("<predefined>", kept, true);
        let mut text = String::new();
        for (name, value) in self.environment.defines {
            // A value is one line, whatever is in it.
            let value = value.replace(['\n', '\r'], " ");
            text.push_str(&format!("#define {name} {value}\n"));
        }
        if !text.is_empty() {
            self.read_definitions("<options>", text, false);
        }
    }

    fn read_definitions(&mut self, name: &str, text: String, ours: bool) {
        if let Some(file) = self.add(name, text, ours) {
            self.open(file, None);
            self.run(&mut vec![]);
        }
    }

    fn add(&mut self, name: &str, text: String, ours: bool) -> Option<usize> {
        self.sources.add(name, text, ours)?;
        self.sources.files().len().checked_sub(1)
    }

    fn open(&mut self, file: usize, folder: Option<String>) {
        if let Some(found) = self.sources.files().get(file) {
            let lexer = Lexer::new(found.text.clone(), found.start);
            self.files.push(Open { lexer, conditionals: vec![], file, folder });
        }
    }

    /// Opens the main source.
    pub(super) fn open_main(&mut self, main: usize) {
        self.open(main, Some(String::new()));
        // What `cuda_runtime.h` includes for nvcc.
        if self.environment.language == Language::Cuda {
            ["cmath", "cstdlib"].iter().for_each(|name| self.brought.include(name));
        }
        self.read_words(main, Span::default());
    }

    /// Opens a file of the library, unless it was read and says that once is enough.
    pub(super) fn open_library(&mut self, name: &'static str, span: Span) {
        let shown = format!("<{name}>");
        let file = match self.loaded.get(&shown) {
            Some(file) => *file,
            None => {
                let Some((_, text)) = library::file(name) else { return };
                let Some(file) = self.add(&shown, text.to_owned(), true) else { return };
                self.loaded.insert(shown, file);
                file
            }
        };
        self.seen.insert(name);
        self.enter_file(file, None, span);
    }

    /// Reads a file of the library for its macros, in the midst of whatever is read.
    pub(super) fn read_macros(&mut self, name: &'static str) {
        let files = std::mem::take(&mut self.files);
        let frames = std::mem::take(&mut self.frames);
        let active = std::mem::take(&mut self.active);
        let collecting = std::mem::take(&mut self.collecting);
        let last = self.last;
        self.open_library(name, Span::default());
        while !self.files.is_empty() && !self.exhausted {
            self.pull_file();
        }
        self.last = last;
        self.collecting = collecting;
        self.active = active;
        self.frames = frames;
        self.files = files;
    }

    /// `#include`, from after its name on.
    pub(super) fn include(&mut self, directive: Raw) {
        let Some(first) = self.line_token() else {
            self.error("directive", directive.span, "expected a file name after `#include`");
            return;
        };
        let named = if first.is(const { punctuation("<") }) {
            let open = self.files.last_mut();
            let name = open.and_then(|open| open.lexer.header_name(&mut self.interner));
            name.map(|(name, span)| {
                (self.text(name).to_owned(), true, Span { lo: first.span.lo, hi: span.hi + 1, ..span })
            })
        } else if first.kind == RawKind::String {
            Some((unquoted(self.spelling(first)), false, first.span))
        } else {
            let mut tokens = vec![first];
            tokens.append(&mut self.line());
            let tokens = self.expand_all(tokens, first.span);
            self.header_of(&tokens).map(|(name, angled)| (name, angled, first.span))
        };
        self.line();
        if first.kind == RawKind::String
            && !(self.spelling(first).len() > 1 && self.spelling(first).ends_with('"'))
        {
            return; // it has no end, which was reported
        }
        match named {
            Some((name, angled, span)) if !name.trim().is_empty() => {
                self.include_named(name.trim(), angled, span)
            }
            _ => self.sink.push(Diagnostic::error("directive", first.span, "expected a file name").help(
                "write `#include \"file.h\"` for a file in the folder of this one, or `#include <file.h>`",
            )),
        }
    }

    /// Name of a header in tokens, and whether it is between `<` and `>`.
    pub(super) fn header_of(&self, tokens: &[Raw]) -> Option<(String, bool)> {
        let (first, rest) = tokens.split_first()?;
        if first.kind == RawKind::String && rest.is_empty() {
            return Some((unquoted(self.spelling(*first)), false));
        }
        let (last, inner) = rest.split_last()?;
        if !first.is(const { punctuation("<") }) || !last.is(const { punctuation(">") }) {
            return None;
        }
        Some((inner.iter().map(|token| self.spelling(*token)).collect(), true))
    }

    /// File of the reader's, by its path relative to the main source's folder; `Err` with its name and why it cannot be read.
    fn load(&mut self, path: &str) -> Option<Result<usize, (String, String)>> {
        if let Some(file) = self.loaded.get(path) {
            return Some(Ok(*file));
        }
        let header = (self.environment.loader)(path)?;
        let main = self.sources.files().get(self.main).map_or("", |file| &file.name);
        let name =
            header.name.unwrap_or_else(|| path_in(folder_of(main), path).unwrap_or_else(|| path.to_owned()));
        let text = match header.text {
            Ok(text) => text,
            Err(why) => return Some(Err((name, why))),
        };
        let file = self.add(&name, text, false)?;
        self.loaded.insert(path.to_owned(), file);
        Some(Ok(file))
    }

    /// Whether `#include` would find a header.
    pub(super) fn has_header(&mut self, name: &str, angled: bool) -> bool {
        let ours =
            matches!(headers::header(name, self.environment.side), Some(Header::File(_) | Header::Empty));
        let folder = self.files.last().and_then(|open| open.folder.as_deref());
        ours || paths(folder, name, angled).iter().any(|path| self.load(path).is_some())
    }

    /// Opens the headers that are included before the source, the first of them last.
    pub(super) fn include_before(&mut self) {
        let environment = self.environment;
        // What was opened before them may be of the library, which has no folder.
        for name in environment.before.iter().rev() {
            self.include_from(Some(String::new()), name, false, Span::NOWHERE);
        }
    }

    fn include_named(&mut self, name: &str, angled: bool, span: Span) {
        let folder = self.files.last().and_then(|open| open.folder.clone());
        self.include_from(folder, name, angled, span);
    }

    /// Includes a header for a file in a folder of the reader's, or for one of the library, which has none.
    fn include_from(&mut self, folder: Option<String>, name: &str, angled: bool, span: Span) {
        if self.files.len() >= MOST_INCLUDES {
            self.exhaust(span, "`#include` nested more than 64 deep");
            return;
        }
        let ours = headers::header(name, self.environment.side);
        let of_source = folder.is_some();
        // What the library only knows by name, the reader may have.
        let of_toolkit = matches!(ours, Some(Header::File(_))) && !headers::SAMPLES.contains(&name);
        if !angled || !of_toolkit {
            for path in paths(folder.as_deref(), name, angled) {
                match self.load(&path) {
                    Some(Ok(file)) => self.enter_file(file, Some(folder_of(&path).to_owned()), span),
                    Some(Err((name, why))) => {
                        let message = format!("cannot read header `{name}`: {why}");
                        self.sink.push(Diagnostic::error("missing-header", span, message));
                    }
                    None => continue,
                }
                return;
            }
        }
        if self.environment.side.is_host() && ours.is_some_and(|found| headers::lacks(name, found)) {
            self.sources.note_by_name_only(name);
        }
        match ours {
            Some(Header::File(file)) => {
                self.open_library(file, span);
                self.bring(of_source, name, span);
            }
            Some(Header::Empty) => self.bring(of_source, name, span),
            Some(Header::Refused(instead)) => self.sink.push(
                Diagnostic::error(
                    "refused-header",
                    span,
                    format!("header `{name}` is not available in this compiler"),
                )
                .help(instead),
            ),
            None => self.missing(name, angled, span),
        }
    }

    /// Opens what a header of g++'s brings along that a source includes.
    fn bring(&mut self, of_source: bool, name: &str, span: Span) {
        if self.environment.side.is_host() && of_source {
            self.brought.include(name);
            self.open_brought(span);
        }
    }

    fn open_brought(&mut self, span: Span) {
        for file in self.brought.files() {
            if let Some((name, _)) = library::file(&format!("host/{file}"))
                && !self.seen.contains(name)
            {
                self.open_library(name, span);
            }
        }
    }

    /// Notes the words of a file of the reader's that was just opened.
    fn read_words(&mut self, file: usize, span: Span) {
        if self.environment.side.is_host()
            && let Some(text) = self.sources.files().get(file).map(|one| one.text.clone())
        {
            self.brought.read(&text);
            self.open_brought(span);
        }
    }

    fn enter_file(&mut self, file: usize, folder: Option<String>, span: Span) {
        if self.once.contains(&file) {
            return;
        }
        self.bytes += self.sources.files().get(file).map_or(0, |file| file.text.len());
        if self.bytes > MOST_BYTES {
            self.exhaust(span, "the included files have more than 16 MiB in total");
            return;
        }
        let of_source = folder.is_some();
        self.open(file, folder);
        if of_source {
            self.read_words(file, span);
        }
    }

    fn missing(&mut self, name: &str, angled: bool, span: Span) {
        let problem = Diagnostic::error("missing-header", span, format!("file `{name}` not found"));
        let label = "neither in the folder of the source nor among the compiler's headers";
        let help = match crate::diagnostic::nearest(name, library::headers()) {
            Some(near) => format!("did you mean `<{near}>`?"),
            None if !angled => {
                "files are searched for in the folder of the file that includes them".to_owned()
            }
            None => format!("the available headers are: {}", headers::TOLD.join(", ")),
        };
        self.sink.push(problem.label(label).help(help));
    }

    /// `#pragma once` in the file that is read.
    pub(super) fn read_once(&mut self) {
        // One that waited to be read, while another file has included it.
        if self.files.last().is_some_and(|open| !self.once.insert(open.file)) {
            self.files.pop();
        }
    }
}

/// What is between the quotes; in a file's name a backslash is no escape.
fn unquoted(text: &str) -> String {
    text.trim_start_matches(['u', '8', 'U', 'L', 'R']).trim_matches('"').to_owned()
}

fn folder_of(path: &str) -> &str {
    path.rfind('/').map_or("", |at| path.get(..=at).unwrap_or_default())
}

/// Paths at which a file is looked for that a file in a folder of the reader's names; those of the library name none.
fn paths(folder: Option<&str>, name: &str, angled: bool) -> Vec<String> {
    let Some(folder) = folder else { return vec![] };
    let next_to_it = if angled { None } else { path_in(folder, name) };
    let mut paths: Vec<String> = next_to_it.into_iter().chain(path_in("", name)).collect();
    paths.dedup();
    paths
}

/// Path of a file named in a folder, with `.` and `..` resolved; `None` for one that begins at the root.
fn path_in(folder: &str, name: &str) -> Option<String> {
    let name = name.replace('\\', "/");
    if name.starts_with('/') || name.contains(':') {
        return None;
    }
    let absolute = folder.starts_with('/');
    let mut parts: Vec<&str> = vec![];
    for part in folder.split('/').chain(name.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    Some(format!("{}{}", if absolute { "/" } else { "" }, parts.join("/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_folder_of_the_file_that_names_them() {
        assert_eq!(path_in("", "a.h").as_deref(), Some("a.h"));
        assert_eq!(path_in("sub/", "../a.h").as_deref(), Some("a.h"));
        assert_eq!(path_in("", "../a.h").as_deref(), Some("../a.h"));
        assert_eq!(path_in("../", "../b/./a.h").as_deref(), Some("../../b/a.h"));
        assert_eq!(path_in("", "/etc/passwd"), None);
        assert_eq!(path_in("", r"c:\a.h"), None);
        assert_eq!(path_in("/home/x/", "a.h").as_deref(), Some("/home/x/a.h"));
    }
}
