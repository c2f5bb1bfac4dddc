//! Text of unknown origin, made safe for a terminal.
//!
//! Enters: names, messages and output of any content: a job file's, a kernel's, PTX's, the command line's. Leaves: the same
//! text, in which nothing moves the cursor, hides, or reorders what stands around it: such characters are shown as escapes
//! of the form `\u{202e}`. Nothing is lost, and what is seen is what is there, on a terminal and in a pipe alike.

use std::fmt::Write as _;

/// The text with everything but line ends and tabs visible.
pub fn visible(text: &str) -> String {
    escaped(text, |c| c == '\n' || c == '\t')
}

/// The same on one line: for names.
pub fn visible_name(text: &str) -> String {
    escaped(text, |_| false)
}

fn escaped(text: &str, stays: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hidden(c) && !stays(c) {
            // Writing to a string does not fail.
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}

/// Characters that a terminal obeys, that show nothing, or that reorder what stands around them.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_shown() {
        assert_eq!(visible("a\x1b[2Jb\u{202e}c\r\u{9b}"), "a\\u{1b}[2Jb\\u{202e}c\\u{d}\\u{9b}");
        assert_eq!(visible("one\ttwo\nthree"), "one\ttwo\nthree");
        assert_eq!(visible_name("one\ttwo\n"), "one\\u{9}two\\u{a}");
        assert_eq!(visible("Zoë Müller 李 ×→…"), "Zoë Müller 李 ×→…");
    }
}
