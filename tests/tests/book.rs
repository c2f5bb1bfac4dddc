//! The committed book, built as `cargo run --bin book` builds it, and opened in a real browser.

use std::path::{Path, PathBuf};
use std::process::Command;

type Error = Box<dyn std::error::Error>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn the_chapter_is_complete_in_a_browser() -> Result<(), Error> {
    let out = tempfile::tempdir()?;
    let first = mdbook_labs::build(&root(), Some(out.path()))?;
    let page = first.with_file_name("constant-memory.html");
    let html = std::fs::read_to_string(&page)?;
    let article =
        html.split("<main>").nth(1).and_then(|rest| rest.split("</main>").next()).ok_or("no <main>")?;
    assert!(!article.contains("{{#"), "a directive was left in the page");
    // Two plots of the stencil, three of distinct addresses, one of the working set: at least one of each experiment.
    assert!(article.matches("<svg").count() >= 4, "plots");
    assert!(article.contains("<math"), "formulas");
    assert!(article.contains("ULDC UR5, c[0x3][0x4]"), "machine code");
    assert!(article.contains("does not hold"), "verdicts");

    let Some(dom) = dom(&page)? else {
        println!("there is no chromium here, so the page was not opened in a browser");
        return Ok(());
    };
    // Only a browser that ran the page's own scripts adds this class.
    assert!(dom.contains("hljs"), "the page's scripts did not run");
    assert!(dom.matches("<svg").count() >= article.matches("<svg").count(), "plots are gone in the browser");
    Ok(())
}

/// The page as the browser has it after running its scripts; nothing where there is no browser.
fn dom(page: &Path) -> Result<Option<String>, Error> {
    let profile = tempfile::tempdir()?;
    let run = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("file://{}", page.canonicalize()?.display()))
        .output();
    match run {
        Ok(output) => Ok(Some(String::from_utf8_lossy(&output.stdout).into_owned())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}
