//! The table of host calls: runtime API, driver API, cudarc, and where this repository makes them.
//!
//! Enters: a TOML file of calls. Leaves: tables, one for each part. That the names exist is checked by a test
//! (`tests/tests/api.rs`): this module must never know cudarc.

use render::table::{escape, prose};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Calls {
    part: Vec<Part>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    title: String,
    call: Vec<Call>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    runtime: String,
    driver: Vec<String>,
    /// Functions of cudarc's bindings to the driver.
    raw: Vec<String>,
    /// Functions of cudarc's safe layer.
    safe: Vec<String>,
    /// Places in this repository, as `FILE:FUNCTION`.
    here: Vec<String>,
    note: Option<String>,
}

const HEADINGS: [&str; 5] = ["CUDA runtime", "driver API", "cudarc, over the driver", "cudarc, safe", "here"];

/// The tables of a file's parts.
///
/// # Errors
/// Text that is not a file of this form, with the line.
pub(crate) fn tables(text: &str) -> Result<String, String> {
    let calls: Calls = toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
    Ok(calls.part.iter().map(table).collect())
}

fn table(part: &Part) -> String {
    let head: String = HEADINGS.iter().map(|h| format!("<th scope=\"col\">{h}</th>")).collect();
    let body: String = part.call.iter().map(row).collect();
    let id: String = part.title.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    format!(
        "<h2 id=\"{id}\">{}</h2><div class=\"lab-table api\"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>",
        escape(&part.title)
    )
}

fn row(call: &Call) -> String {
    let here: Vec<String> =
        call.here.iter().map(|place| place.replacen("crates/device/src/", "", 1)).collect();
    let cells = [&call.driver, &call.raw, &call.safe, &here].map(|names| format!("<td>{}</td>", list(names)));
    let note = match &call.note {
        Some(note) => {
            format!(
                "<tr class=\"note\"><td colspan=\"{}\"><div>{}</div></td></tr>",
                HEADINGS.len(),
                prose(note)
            )
        }
        None => String::new(),
    };
    // Several names of the runtime share a cell, as the kinds of one call do.
    let runtime: Vec<String> = call
        .runtime
        .split(", cuda")
        .enumerate()
        .map(|(i, name)| if i == 0 { name.to_owned() } else { format!("cuda{name}") })
        .collect();
    format!("<tr><th scope=\"row\">{}</th>{}</tr>{note}", list(&runtime), cells.concat())
}

/// Names, one on each line, or a dash.
fn list(names: &[String]) -> String {
    if names.is_empty() {
        return "–".to_owned();
    }
    let names: Vec<String> = names.iter().map(|name| format!("<code>{}</code>", breakable(name))).collect();
    names.join("<br>")
}

/// A name that a narrow column may break between its words.
fn breakable(name: &str) -> String {
    let mut html = String::new();
    let mut last = ' ';
    for c in name.chars() {
        let word = c.is_ascii_uppercase() && last.is_ascii_lowercase();
        let part = "/:".contains(last) && !"/:".contains(c);
        if word || part {
            html += "<wbr>";
        }
        html += &escape(c.encode_utf8(&mut [0; 4]));
        last = c;
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_a_row_and_its_note_another() {
        let html = tables(
            "[[part]]\ntitle = \"All <\"\n[[part.call]]\nruntime = \"cudaX, cudaY\"\ndriver = [\"cuX\", \"cuY\"]\nraw = []\n\
             safe = [\"S::x\"]\nhere = [\"crates/device/src/gpu/a.rs:f\"]\nnote = \"Use `x`.\"",
        )
        .expect("tables");
        for part in [
            "<h2 id=\"all--\">All &lt;</h2>",
            "<th scope=\"row\"><code>cuda<wbr>X</code><br><code>cuda<wbr>Y</code></th>",
            "<td><code>cu<wbr>X</code><br><code>cu<wbr>Y</code></td><td>–</td><td><code>S::<wbr>x</code></td><td><code>gpu/<wbr>a.rs:<wbr>f</code></td>",
            "<tr class=\"note\"><td colspan=\"5\"><div>Use <code>x</code>.</div></td></tr>",
        ] {
            assert!(html.contains(part), "{part} in {html}");
        }
    }

    #[test]
    fn a_damaged_file_is_refused_with_its_line() {
        let error = tables("[[part]]\ntitle = 5").expect_err("no text");
        assert!(error.contains("line 2"), "{error}");
        assert!(tables("").is_err());
    }
}
