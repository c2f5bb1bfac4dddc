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
pub(crate) struct Printed {
    kernels: Vec<Kernel>,
    /// What the launch printed that a fault ended, with the kernel's name.
    last: Option<(String, String)>,
}

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
        if let Some(known) = self.kernels.iter_mut().find(|known| known.name == kernel) {
            known.launches += 1;
            return;
        }
        let mut lines = text.lines();
        let first = lines.by_ref().take(LINES).map(|line| visible(line).into_owned()).collect();
        self.kernels.push(Kernel { name: kernel.to_owned(), first, more: lines.count(), launches: 1 });
    }

    /// Adds what a launch printed that a fault ended: what came last says most about it.
    pub(crate) fn add_last(&mut self, kernel: &str, text: &str) {
        if !text.is_empty() {
            self.last = Some((kernel.to_owned(), text.to_owned()));
        }
    }

    /// The text; empty where nothing was printed.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for Kernel { name, first, more, launches } in &self.kernels {
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
        if let Some((name, printed)) = &self.last {
            let lines: Vec<&str> = printed.lines().collect();
            let left_out = lines.len().saturating_sub(LINES);
            let _ = writeln!(text, "printed by {}, before the fault that ended it:", visible(name));
            if left_out > 0 {
                let left_out = format::count(left_out as u64).replace('\u{a0}', " ");
                let _ = writeln!(text, "    {left_out} lines, and then …");
            }
            for line in &lines[lines.len().min(left_out)..] {
                let _ = writeln!(text, "    {}", visible(line));
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
        printed.add_last("k", &format!("{}last\n", "early\n".repeat(LINES + 2)));
        let text = printed.text();
        let (_, last) = text.split_once("printed by k, before the fault that ended it:\n").unwrap();
        assert!(
            last.starts_with("    3 lines, and then …\n    early\n") && last.ends_with("    last\n"),
            "{last}"
        );
        assert!(text.contains("printed by other:\n    bell ") && !text.contains('\u{7}'), "{text}");
    }
}
