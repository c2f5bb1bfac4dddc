//! Commands as the reader of this copy of the book types them.
//!
//! Enters: chapters with everything in them, whose commands are those of a clone: `cargo run --bin lab-5-5 -- --quick`.
//! Leaves: the same chapters with the commands of the archive that builds the book: `bin/lab-5-5 --quick`.

use mdbook_preprocessor::book::{Book, BookItem};
use mdbook_preprocessor::{Preprocessor, PreprocessorContext, errors};
use program::Calls;

/// Beginning of a clone's commands, and its first word.
const BEGIN: &str = "cargo run --bin ";
const CARGO: &str = "cargo";
/// A hyphen as a character reference.
const HYPHEN: &str = "&#45;";

/// Preprocessor of an archive's book, after all others: included texts have commands too.
pub(crate) struct Named(pub(crate) &'static Calls);

impl Preprocessor for Named {
    fn name(&self) -> &str {
        "named"
    }

    fn run(&self, _: &PreprocessorContext, mut book: Book) -> errors::Result<Book> {
        book.for_each_mut(|item| {
            if let BookItem::Chapter(chapter) = item {
                chapter.content = named(&chapter.content, self.0);
            }
        });
        Ok(book)
    }
}

fn named(text: &str, calls: &Calls) -> String {
    let mut named = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(CARGO) {
        let (before, from) = rest.split_at(at);
        named += before;
        rest = match Command::at(from) {
            Some(command) => {
                named += &command.of(calls);
                command.rest
            }
            None => {
                named += CARGO;
                &from[CARGO.len()..]
            }
        };
    }
    named + rest
}

/// A command of a clone.
struct Command<'a> {
    name: String,
    /// Whether arguments follow.
    words: bool,
    /// Whether it is in a directive's HTML, whose punctuation marks are character references.
    html: bool,
    rest: &'a str,
}

impl<'a> Command<'a> {
    fn at(text: &'a str) -> Option<Self> {
        let mut html = false;
        let mut rest = after(text, BEGIN, &mut html)?;
        let mut name = String::new();
        while let Some(c) = rest.chars().next() {
            if c.is_ascii_alphanumeric() {
                name.push(c);
                rest = &rest[1..];
            } else if let Some(behind) = after(rest, "-", &mut html) {
                name.push('-');
                rest = behind;
            } else {
                break;
            }
        }
        let words = after(rest, " -- ", &mut html);
        Some(Command { name, words: words.is_some(), html, rest: words.unwrap_or(rest) })
    }

    /// The same with these calls.
    fn of(&self, calls: &Calls) -> String {
        let (program, gap) = match self.words {
            true => (calls.program(&self.name), " "),
            false => (calls.line(&self.name, ""), ""),
        };
        (if self.html { crate::raw_html::inert(&program) } else { program }) + gap
    }
}

/// The text after given words, in which a space may be the end of a line, and a hyphen a character reference.
fn after<'a>(text: &'a str, words: &str, html: &mut bool) -> Option<&'a str> {
    words.chars().try_fold(text, |text, c| match c {
        ' ' => text.strip_prefix([' ', '\n']),
        '-' if text.starts_with(HYPHEN) => {
            *html = true;
            text.strip_prefix(HYPHEN)
        }
        c => text.strip_prefix(c),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_those_of_the_copy() {
        let calls = Calls::Named("bin/".to_owned());
        for (text, of_the_copy) in [
            ("`cargo run --bin workbook`, or", "`bin/workbook`, or"),
            ("$ cargo run --bin lab-5-5 -- --quick  # short", "$ bin/lab-5-5 --quick  # short"),
            ("`cargo\nrun --bin workbook -- quiz`", "`bin/workbook quiz`"),
            ("cargo run --bin launch -- a.toml \\\n --out b", "bin/launch a.toml \\\n --out b"),
            ("cargo run --bin book", "bin/book"),
            ("no command", "no command"),
            ("`cargo test`, cargo", "`cargo test`, cargo"),
        ] {
            assert_eq!(named(text, &calls), of_the_copy);
            // In a clone they stay the same, except for the end of a line.
            assert_eq!(named(text, &Calls::Cargo), text.replace("cargo\n", "cargo "));
        }
    }

    #[test]
    fn in_html_they_are_html() {
        let clone = crate::raw_html::inert("<code>cargo run --bin lab-5-5 -- --quick</code>");
        let copy = crate::raw_html::inert("<code>bin/lab-5-5 --quick</code>");
        assert_eq!(named(&clone, &Calls::Named("bin/".to_owned())), copy);
    }
}
