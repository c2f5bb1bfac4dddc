//! What is said of a call that no function takes.
//!
//! Enters: the candidates, each with why it does not take the operands. Leaves: one message. This module must never know how
//! candidates are compared.

use crate::diagnostic::Diagnostic;
use crate::source::Span;

use crate::check::calls::overload::Failure;
use crate::check::calls::reason::Reason;
use crate::check::context::messages::Messages;
use crate::check::context::output::Output;
use crate::check::expressions::operand::Operand;

impl Messages<'_> {
    pub(crate) fn tell_none(
        &mut self,
        name: &str,
        operands: &[Operand],
        span: Span,
        failures: Vec<Failure>,
        program: &mut Output,
    ) {
        // What is wrong with the declaration is reported there.
        if failures.iter().any(|one| one.why == Reason::Declaration) {
            self.leave_unexplained(span);
            return;
        }
        let failures = self.meant(failures);
        let types = program.shown_types(operands);
        if let [one] = failures.as_slice() {
            let diagnostic = program.only_failure(name, operands, &types, span, one, self);
            self.report(diagnostic);
            return;
        }
        let ours = failures.iter().all(|one| one.place.is_none_or(|place| self.ours(place)));
        if ours && let Some(first) = failures.first() {
            let same = failures.iter().all(|one| one.why == first.why);
            if same || name.ends_with("_sync") {
                let why = if same {
                    first.why.to_string()
                } else {
                    format!("it does not accept ({})", types.join(", "))
                };
                let mut diagnostic = Diagnostic::error(
                    "call",
                    span,
                    format!("no matching function for call to `{name}`: {why}"),
                );
                if name.ends_with("_sync") {
                    diagnostic = diagnostic.help(format!(
                        "the first argument is the mask of participating lanes: `{name}(0xffffffff, …)`"
                    ));
                }
                self.report(diagnostic);
                return;
            }
        }
        let mut diagnostic = Diagnostic::error(
            "call",
            span,
            format!("no matching function for call to `{name}({})`", types.join(", ")),
        );
        let mut shown: Vec<String> = vec![];
        for Failure { place, why, .. } in failures.into_iter().take(6) {
            let why = why.to_string();
            match place {
                Some(place) => diagnostic = diagnostic.related(place, why),
                None if shown.contains(&why) => {}
                None => shown.push(why),
            }
        }
        if !shown.is_empty() {
            diagnostic = diagnostic.help(format!("built-in candidates: {}", shown.join("; ")));
        }
        self.report(diagnostic);
    }
}

impl Output {
    /// What is said where there is one candidate, and why it does not take the operands.
    fn only_failure(
        &mut self,
        name: &str,
        operands: &[Operand],
        types: &[String],
        span: Span,
        one: &Failure,
        messages: &Messages<'_>,
    ) -> Diagnostic {
        let mut diagnostic = Diagnostic::error(
            "call",
            one.at.unwrap_or(span),
            format!("no matching function for call to `{}`: {}", one.name, one.why),
        );
        if let Some(place) = one.place.filter(|place| !messages.ours(*place)) {
            diagnostic = diagnostic.related(place, "declared here");
        }
        if name.ends_with("_sync") && matches!(one.why, Reason::Count { .. }) {
            diagnostic = diagnostic.help(format!(
                "the first argument is the mask of participating lanes: `{name}(0xffffffff, …)`"
            ));
        }
        if one.why == Reason::NoTemplate {
            diagnostic = diagnostic.help("remove the `<…>` after its name");
        }
        let pointer = operands.first().is_some_and(|first| self.has_elements(first));
        let atomic = name.starts_with("atomic") && one.place.is_none() && !pointer;
        if atomic {
            diagnostic = diagnostic
                .help(format!("the first argument is the address of the variable: `{name}(&x, …)`"));
        }
        if !atomic && let Some(help) = self.failure_help(one, operands, messages) {
            diagnostic = diagnostic.help(help);
        } else if matches!(one.why, Reason::Open { .. })
            && let Some(of) = operands.iter().find_map(Operand::of_the_compiler)
        {
            diagnostic = diagnostic.help(format!(
                "`{of}` is the name of several functions: pass a lambda that calls it, as in `[](auto x) {{ return {of}(x); }}`"
            ));
        } else if let Reason::Open { number, .. } = one.why {
            let example = if number { "16" } else { "float" };
            diagnostic = diagnostic.help(format!("write it after the name, as in `{name}<{example}>(…)`"));
        } else if matches!(one.why, Reason::Conflict { .. }) {
            diagnostic = diagnostic.help(format!(
                "cast one of them, or say the type: `{name}<{}>(…)`",
                types.first().map_or("float", String::as_str)
            ));
        }
        diagnostic
    }
}
