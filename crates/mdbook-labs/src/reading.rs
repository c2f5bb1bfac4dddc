//! What a chapter asks of its reader: its main line, and the time that it takes.
//!
//! Enters: a page as HTML, and the points of its exercises. Leaves: the part that is open on the page and is to be read, its
//! words, and minutes by a fixed rule. This module must never know what a chapter is about.

use crate::exercises;
use mdbook_markdown::pulldown_cmark::html::push_html;
use mdbook_markdown::{MarkdownOptions, new_cmark_parser};
use render::format;
use render::table::escape;

/// In the place of a chapter's time, until the rest of the page is there.
pub(crate) const MARK: &str = "<time></time>";
/// In the place of the table of all chapters, until these are there.
pub(crate) const TABLE: &str = "<table class=\"efforts\"></table>";

/// Words that are read in a minute, with the tables, figures and listings between them.
const WORDS: usize = 100;
/// Minutes for a question, for a figure or a program that runs, and for each point of an exercise.
const QUESTION: usize = 2;
const LIVE: usize = 3;
const POINT: usize = 10;
/// Minutes to which the sum is rounded up.
const STEP: usize = 5;

/// The rule, in words.
pub(crate) fn rule() -> String {
    format!(
        "The time at a chapter's head follows from what is in it: {WORDS} words a minute, {QUESTION} minutes a question, \
         {LIVE} minutes for a figure or program that runs in the page, and {POINT} minutes for each point of an exercise"
    )
}

/// What a chapter has, and what it asks for.
pub(crate) struct Effort {
    words: usize,
    /// Plots and drawings that are open on the page, and figures and programs that run.
    pictures: usize,
    lives: usize,
    questions: usize,
    exercises: usize,
    points: usize,
}

impl Effort {
    /// Of a chapter, whose Markdown is expanded.
    pub(crate) fn of(chapter: &str, markdown: &str) -> Result<Effort, String> {
        let mut html = String::new();
        push_html(&mut html, new_cmark_parser(markdown, &MarkdownOptions::default()));
        let open = without(&without_exercises(&html), "details");
        let (exercises, points) = exercises::points(chapter)?;
        Ok(Effort {
            words: words(&main_line(&html)),
            pictures: open.matches("<svg").count() + open.matches("<img").count(),
            lives: open.matches("class=\"live").count(),
            questions: open.matches("class=\"question\"").count(),
            exercises,
            points,
        })
    }

    fn to_read(&self) -> String {
        shown(self.words.div_ceil(WORDS) + QUESTION * self.questions + LIVE * self.lives)
    }

    fn to_do(&self) -> String {
        shown(POINT * self.points)
    }

    /// The time of the chapter: to read it, and to do its exercises.
    pub(crate) fn time(&self) -> String {
        let read = format!("about {} to read", self.to_read());
        match self.exercises {
            0 => read,
            1 => format!("{read}, and about {} for its exercise", self.to_do()),
            n => format!("{read}, and about {} for its {n} exercises", self.to_do()),
        }
    }
}

/// The table of chapters, each with its address and its name.
pub(crate) fn table(efforts: &[(String, String, Effort)]) -> String {
    let heads = [
        "chapter",
        "words",
        "pictures",
        "that run",
        "questions",
        "exercises",
        "to read",
        "for the exercises",
    ];
    let class = |n: usize| if n == 0 { "" } else { " class=\"number\"" };
    let head: String = heads
        .iter()
        .enumerate()
        .map(|(n, text)| format!("<th scope=\"col\"{}>{text}</th>", class(n)))
        .collect();
    let row = |(page, name, of): &(String, String, Effort)| {
        let link = format!("<a href=\"{}\">{}</a>", escape(page), escape(name));
        let counts =
            [of.words, of.pictures, of.lives, of.questions, of.exercises].map(|n| format::count(n as u64));
        let to_do = if of.exercises == 0 { "–".to_owned() } else { of.to_do() };
        let cells = [vec![link], counts.to_vec(), vec![of.to_read(), to_do]].concat();
        let cells: String =
            cells.iter().enumerate().map(|(n, text)| format!("<td{}>{text}</td>", class(n))).collect();
        format!("<tr>{cells}</tr>")
    };
    let body: String = efforts.iter().map(row).collect();
    format!(
        "<div class=\"lab-table\"><table><caption>Words, pictures and questions are those that are open on the page</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )
}

/// Minutes, or half hours from an hour and a half on.
fn shown(minutes: usize) -> String {
    if minutes < 90 {
        return format!("{} minutes", minutes.next_multiple_of(STEP));
    }
    let halves = minutes.div_ceil(30);
    match (halves / 2, halves % 2) {
        (hours, 0) => format!("{hours} hours"),
        (hours, _) => format!("{hours}½ hours"),
    }
}

/// What is open on the page and is to be read: no folds, tables, plots, figures, code, questions or exercises.
pub fn main_line(html: &str) -> String {
    ["details", "fieldset", "svg", "table", "pre", "figure", "math", "small"]
        .iter()
        .fold(without_exercises(html), |html, name| without(&html, name))
}

fn without_exercises(html: &str) -> String {
    match html.split_once("<ol class=\"exercises\"") {
        Some((before, rest)) => before.to_owned() + rest.split_once("</ol>").map_or("", |(_, after)| after),
        None => html.to_owned(),
    }
}

/// The HTML without the elements of this name, whatever is in them.
pub fn without(html: &str, name: &str) -> String {
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let (mut kept, mut depth, mut rest) = (String::new(), 0_usize, html);
    while !rest.is_empty() {
        let (begins, ends) = (rest.find(&open), rest.find(&close));
        let at = begins.unwrap_or(rest.len()).min(ends.unwrap_or(rest.len()));
        if depth == 0 {
            kept.push_str(&rest[..at]);
        }
        rest = if Some(at) == begins {
            depth += 1;
            &rest[at + open.len()..]
        } else if Some(at) == ends {
            depth = depth.saturating_sub(1);
            &rest[at + close.len()..]
        } else {
            ""
        };
    }
    kept
}

/// The number of words in HTML.
pub fn words(html: &str) -> usize {
    let mut text = String::new();
    for (n, part) in html.split('<').enumerate() {
        let shown = if n == 0 { part } else { part.split_once('>').map_or("", |(_, text)| text) };
        text.push_str(shown);
        // An inline tag does not part a word; a block's does, and is on a line of its own.
        if part.starts_with(['/', 'p', 'l', 'h']) && part.contains('\n') {
            text.push('\n');
        }
    }
    text.split_whitespace().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_page_are_left_out_with_what_is_in_them() {
        assert_eq!(without("a<details open>b<details>c</details>d</details>e", "details"), "ae");
        assert_eq!(words("<p>one <em>two</em>-and three</p>\n<p>four</p>"), 4);
    }

    #[test]
    fn times_are_round() {
        assert_eq!(
            [1, 20, 21, 89, 90, 91, 180].map(shown),
            ["5 minutes", "20 minutes", "25 minutes", "90 minutes", "1½ hours", "2 hours", "3 hours"]
        );
    }

    #[test]
    fn the_time_of_a_chapter_is_that_of_what_is_open_in_it() {
        let word = "word ".repeat(1000);
        let of = |more: &str| Effort::of("no-such-chapter", &format!("{word}\n\n{more}\n")).unwrap().time();
        assert_eq!(of(""), "about 10 minutes to read");
        assert_eq!(of("<fieldset class=\"question\">a</fieldset>"), "about 15 minutes to read");
        assert_eq!(
            of("<div class=\"live\"></div>\n<div class=\"live central\"></div>"),
            "about 20 minutes to read"
        );
        // What is folded takes no time.
        assert_eq!(of(&format!("<details>\n\n{word}\n\n<div class=\"live\"></div>\n\n</details>")), of(""));
        assert!(Effort::of("linear-memory", &word).unwrap().time().contains(" exercises"));
    }

    #[test]
    fn a_row_of_the_table_has_what_is_open_in_a_chapter() {
        let text =
            "two words\n\n<svg></svg>\n\n<div class=\"live\"></div>\n\n<details><svg></svg></details>\n";
        let of = Effort::of("no-such-chapter", text).unwrap();
        let row = table(&[("a.html".to_owned(), "A & B".to_owned(), of)]);
        let number = |n: &str| format!("<td class=\"number\">{n}</td>");
        let cells = ["2", "1", "1", "0", "0", "5 minutes", "–"].map(number).concat();
        assert!(row.contains(&format!("<tr><td><a href=\"a.html\">A &amp; B</a></td>{cells}</tr>")), "{row}");
    }
}
