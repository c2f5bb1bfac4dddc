//! Untrusted text, made visible: a character that shows nothing, moves the cursor or reorders its neighbours is
//! shown as an escape of the form `\u{202e}`, so that nothing is lost and nothing is invisible.
//!
//! Enters: text of any content, of a record, a job file or a file's name. Leaves: the same words for a terminal or a
//! page. Markup is left to the caller, who knows the place where the text is shown.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a character shows nothing or reorders its neighbours (Unicode's `Cc`, `Cf` and `Default_Ignorable`).
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}'
            | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// The text as one line: hidden characters, line ends among them, become escapes.
pub fn visible(text: &str) -> Cow<'_, str> {
    shown(text, is_hidden)
}

/// The text with its line ends and tabs; other hidden characters become escapes.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    shown(text, |c| !matches!(c, '\n' | '\t') && is_hidden(c))
}

fn shown(text: &str, hidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&hidden) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if hidden(c) {
            // Writing to a string does not fail.
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_is_shown_and_the_rest_stays() {
        assert_eq!(visible("a\x1b[2Jb\u{202e}c\u{200b}\n"), "a\\u{1b}[2Jb\\u{202e}c\\u{200b}\\u{a}");
        assert_eq!(visible_lines("a\n\tb\r\u{2066}"), "a\n\tb\\u{d}\\u{2066}");
        let plain = "Zoë Müller 李 – 1,741\u{a0}GB/s ✓ ≠ 🙂";
        assert!(matches!(visible(plain), Cow::Borrowed(text) if text == plain));
    }
}
