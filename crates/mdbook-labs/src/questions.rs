//! Questions to the reader.
//!
//! Enters: a question with its choices. Leaves: HTML in one line: the choices as radio buttons, each followed by the response
//! to it, which the style sheet shows once it is chosen. So a page needs no script to ask; the one that it has only
//! remembers the choice, and has it read aloud. This module must never know where an answer comes from.

use question::{Choice, Question};
use render::table::{escape, prose};
use std::fmt::Write as _;

/// The id of a question's element.
pub(crate) fn id(question: &Question) -> String {
    format!("question-{}", question.id)
}

/// The HTML of a question, with its number on the page.
pub(crate) fn html(question: &Question, number: usize) -> String {
    let id = id(question);
    let mut html = format!(
        "<fieldset class=\"question\" id=\"{id}\"><legend>Predict {number}</legend><p>{}</p>",
        prose(&question.ask)
    );
    for (number, choice) in question.choices.iter().enumerate() {
        let Choice { text, right, says } = choice;
        let (class, mark) = if *right { ("right", "✓ Yes.") } else { ("wrong", "✗ No.") };
        // Writing to a string does not fail.
        let _ = write!(
            html,
            "<div class=\"choice\"><input type=\"radio\" name=\"{id}\" id=\"{id}-{number}\" \
             value=\"{}\"><label for=\"{id}-{number}\">{}</label>\
             <p class=\"says {class}\">{mark} {}</p></div>",
            escape(text),
            prose(text),
            prose(says)
        );
    }
    html + "<p class=\"said\" role=\"status\"></p></fieldset>"
}

/// The answers to a page's questions by their numbers, folded: paper has them after the questions, not in them.
pub(crate) fn answers(questions: &[&Question]) -> String {
    let answer = |question: &&Question| {
        let right = question.choices.iter().find(|choice| choice.right);
        right.map_or_else(String::new, |Choice { text, says, .. }| {
            format!("<li><strong>{}</strong>: {}</li>", prose(text), prose(says))
        })
    };
    let all: String = questions.iter().map(answer).collect();
    format!(
        "<details class=\"answers\"><summary>The answers to the questions of this chapter</summary><ol>{all}</ol></details>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_has_a_label_and_what_to_say_to_it() {
        let choice =
            |text: &str, right| Choice { text: text.into(), right, says: format!("`{text}`, <you> said.") };
        let choices = vec![choice("2", true), choice("16", false)];
        let question = Question {
            id: "halves".into(),
            chapter: "c".into(),
            ask: "How many?".into(),
            points: 1,
            choices,
        };
        let html = html(&question, 3);
        assert!(html.contains("<legend>Predict 3</legend>"), "{html}");
        let folded = answers(&[&question]);
        assert!(
            folded.contains("<li><strong>2</strong>: <code>2</code>, &lt;you&gt; said.</li>"),
            "{folded}"
        );
        assert!(!folded.contains("16"), "{folded}");
        assert!(html.contains("<label for=\"question-halves-1\">16</label>"), "{html}");
        assert!(
            html.contains("✓ Yes. <code>2</code>, &lt;you&gt; said.")
                && html.contains("✗ No. <code>16</code>"),
            "{html}"
        );
        assert!(!html.contains('\n'), "{html}");
    }
}
