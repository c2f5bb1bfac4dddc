//! Formulas: LaTeX to MathML, which browsers draw without a script, a font or a network.
//!
//! Enters: TeX. Leaves: a `<math>` element in one line, or the byte of the TeX at which it is wrong.

use crate::scan::Wrong;
use math_core::{LatexToMathML, MathCoreConfig, MathDisplay};

/// Converts a formula to MathML.
pub(crate) fn mathml(tex: &str, display: bool) -> Result<String, Wrong> {
    let config = MathCoreConfig::default();
    let converter = LatexToMathML::new(config).map_err(|(error, _, _)| (0, error.error_message()))?;
    let mode = if display { MathDisplay::Block } else { MathDisplay::Inline };
    match converter.convert_with_local_counter(tex, mode) {
        Ok(mathml) => Ok(mathml.replace('\n', " ")),
        Err(error) => {
            Err((error.0.start.min(tex.len()), format!("in this formula: {}", error.error_message())))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stencil_is_drawn() {
        let mathml = mathml(
            r"\mathrm{out}_i = \sum_{j=1}^{4} c_j \left(\mathrm{in}_{i+j} - \mathrm{in}_{i-j}\right)",
            true,
        );
        let mathml = mathml.expect("converted");
        assert!(
            mathml.starts_with("<math") && mathml.ends_with("</math>") && mathml.contains("∑"),
            "{mathml}"
        );
    }

    #[test]
    fn an_unknown_command_is_refused_at_its_place() {
        let (at, message) = mathml(r"a + \nonsense{b}", false).expect_err("no such command");
        assert!(at == 4 && message.contains("nonsense"), "{at} {message}");
    }

    #[test]
    fn broken_formulas_are_refused() {
        for tex in [r"\frac{1}", "}", "{", r"\left(", "{{#value a}}"] {
            assert!(mathml(tex, true).is_err(), "{tex}");
        }
    }
}
