//! Output of edited kernels, as much of it as a reader looks through.
//!
//! Enters: the output of each launch. Leaves: text for the terminal: a lab launches a kernel dozens of times, and of each kernel
//! the first launch that prints is shown.

use record::text::visible;
use render::format;
use std::fmt::Write as _;

/// Lines of a launch that are shown.
const LINES: usize = 20;

/// Output of kernels.
#[derive(Default)]
pub(crate) struct Printed(Vec<Kernel>);

/// Output of a kernel.
struct Kernel {
    name: String,
    /// The first lines of the first launch that printed.
    first: Vec<String>,
    /// Lines of that launch which are left out.
    more: usize,
    /// Launches that printed, the first among them.
    launches: u64,
}

impl Printed {
    /// Adds the output of launches of a kernel.
    pub(crate) fn add(&mut self, kernel: &str, text: &str) {
        if text.is_empty() {
            return;
        }
        if let Some(known) = self.0.iter_mut().find(|known| known.name == kernel) {
            known.launches += 1;
            return;
        }
        let mut lines = text.lines();
        let first = lines.by_ref().take(LINES).map(|line| visible(line).into_owned()).collect();
        self.0.push(Kernel { name: kernel.to_owned(), first, more: lines.count(), launches: 1 });
    }

    /// The text; empty where nothing was printed.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for Kernel { name, first, more, launches } in &self.0 {
            let of = if *launches == 1 {
                String::new()
            } else {
                format!(
                    ", the first of {} launches that print",
                    format::count(*launches).replace('\u{a0}', " ")
                )
            };
            let _ = writeln!(text, "printed by {}{of}:", visible(name));
            for line in first {
                let _ = writeln!(text, "    {line}");
            }
            if *more > 0 {
                let more = format::count(*more as u64).replace('\u{a0}', " ");
                let _ =
                    writeln!(text, "    … and {more} more lines: print less, such as from one thread alone");
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_each_kernel_the_first_launch_that_prints_is_shown_as_far_as_one_looks_through_it() {
        let mut printed = Printed::default();
        printed.add("quiet", "");
        printed.add("k", &"line\n".repeat(LINES + 3));
        printed.add("k", "again\n");
        printed.add("other", "bell \u{7}");
        let text = printed.text();
        assert!(text.starts_with("printed by k, the first of 2 launches that print:\n    line\n"), "{text}");
        assert!(text.contains("… and 3 more lines"), "{text}");
        assert!(!text.contains("again") && !text.contains("quiet"), "{text}");
        assert!(text.contains("printed by other:\n    bell ") && !text.contains('\u{7}'), "{text}");
    }
}
