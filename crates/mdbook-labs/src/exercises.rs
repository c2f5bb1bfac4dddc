//! The exercises of a chapter.
//!
//! Enters: the name of a chapter. Leaves: a list's HTML: title, points, what to do, a report where its cause is to be found, and how to begin. This module must never
//! know how an exercise is checked.

use exercise::Task;
use render::table::{escape, prose};
use std::collections::BTreeSet;

/// The list of a chapter's exercises; `runs` says that they can be done in the page.
///
/// # Errors
/// A chapter without any, with those that have some.
pub(crate) fn list(chapter: &str, runs: bool) -> Result<String, String> {
    let tasks = exercise::all()?;
    let there = tasks.iter().filter(|task| task.exercise.chapter == chapter);
    let items = there.map(item).collect::<Result<String, String>>()?;
    if items.is_empty() {
        let there: BTreeSet<&str> = tasks.iter().map(|task| task.exercise.chapter.as_str()).collect();
        let there = there.into_iter().collect::<Vec<_>>().join(", ");
        return Err(format!("no exercises of `{chapter}`; there are some of: {there}"));
    }
    let runs = if runs { " data-live" } else { "" };
    Ok(format!("<ol class=\"exercises\"{runs}>{items}</ol>"))
}

/// The number of a chapter's exercises, and of their points.
///
/// # Errors
/// A defect of the list of exercises.
pub(crate) fn points(chapter: &str) -> Result<(usize, usize), String> {
    let tasks = exercise::all()?;
    let there = tasks.iter().filter(|task| task.exercise.chapter == chapter);
    Ok(there.fold((0, 0), |(n, points), task| (n + 1, points + task.exercise.points as usize)))
}

fn item(task: &Task) -> Result<String, String> {
    let exercise = &task.exercise;
    let brief: String = task.brief().iter().map(|text| format!("<p>{}</p>", prose(text))).collect();
    let points =
        if exercise.points == 1 { "1 point".to_owned() } else { format!("{} points", exercise.points) };
    let report = if exercise.detective { report(&exercise.name)? } else { String::new() };
    // Of these, a page loads the engine that executes the host side of programs, too.
    let program = if exercise.program.is_some() { " data-program" } else { "" };
    Ok(format!(
        "<li id=\"{name}\"{program}><p><strong>{}</strong> <small>{points}</small></p>{brief}{report}\
         <p><small><code>cargo run --bin workbook -- run {name}</code></small></p></li>",
        prose(&exercise.title),
        name = escape(&exercise.name),
    ))
}

/// What the check of its skeleton reports, which the reader begins with.
fn report(name: &str) -> Result<String, String> {
    let text = exercise::report(name).ok_or_else(|| format!("the exercise `{name}` has no report"))?;
    // An empty line would end the block of HTML.
    let text = text.trim_end().lines().map(escape).collect::<Vec<_>>().join("&#10;");
    Ok(format!("<pre class=\"report\"><code class=\"nohighlight\">{text}</code></pre>"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chapter_s_exercises_are_listed_with_their_tasks() {
        let html = list("constant-memory", false).expect("there are some");
        assert!(html.contains("<strong>Make the reads uniform</strong> <small>2 points</small>"), "{html}");
        assert!(html.contains("<code>curve_c</code>"), "{html}");
        let prose = html.split("<pre").map(|part| part.split_once("</pre>").map_or(part, |(_, after)| after));
        assert!(!prose.collect::<String>().contains('`') && !html.contains('\n'), "{html}");
    }

    #[test]
    fn an_exercise_whose_source_is_a_program_says_so() {
        let html = list("linear-memory", true).expect("there are some");
        assert!(html.contains("<li id=\"vector_sum\"><p>"), "{html}");
        assert!(html.contains("<li id=\"host_sum\" data-program><p>"), "{html}");
    }

    #[test]
    fn one_that_asks_for_a_cause_shows_the_report() {
        let html = list("symbols", false).expect("there are some");
        let (_, report) = html.split_once("<pre class=\"report\"").expect("a report");
        assert!(report.contains("`shift_of_channel[0]` is read, and nothing has set it"), "{html}");
        assert!(!html.contains('\n'), "{html}");
        // Its lines stay lines: the marks below code are below it.
        let (report, _) = report.split_once("</pre>").expect("the end of a report");
        let lines = exercise::report("case_unset").expect("its report").trim_end().lines().count();
        assert!(lines > 3 && report.matches("&#10;").count() == lines - 1, "{report}");
    }

    #[test]
    fn a_chapter_without_exercises_is_an_error() {
        let error = list("preface", false).expect_err("none there");
        assert!(error.starts_with("no exercises of `preface`; there are some of: "), "{error}");
    }
}
