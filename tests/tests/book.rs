//! The committed book, built as `cargo run --bin book` builds it, its links followed, and opened in a real browser.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

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
    if let Some(links) = links(out.path())? {
        assert!(links.status.success(), "{}", String::from_utf8_lossy(&links.stderr));
    }

    let Some(dom) = dom(&page)? else {
        println!("there is no chromium here, so the page was not opened in a browser");
        return Ok(());
    };
    // Only a browser that ran the page's own scripts adds this class.
    assert!(dom.contains("hljs"), "the page's scripts did not run");
    assert!(dom.matches("<svg").count() >= article.matches("<svg").count(), "plots are gone in the browser");
    Ok(())
}

#[test]
fn broken_links_are_told_with_their_page_and_line() -> Result<(), Error> {
    let book = tempfile::tempdir()?;
    let sub = book.path().join("sub");
    std::fs::create_dir(&sub)?;
    std::fs::write(
        book.path().join("index.html"),
        "<p id='here'>\n<a href='sub/two.html#there'>fine</a> <a href='#here'>fine</a> <a href='#gone'>not</a>\n\
         <a href='none.html'>not</a> <img src='../outside.png'> <a href='https://example.org/'>outside</a> <p id='here'>\n\
         <svg aria-labelledby='title'><rect clip-path='url(#clip)'/></svg>",
    )?;
    std::fs::write(sub.join("two.html"), "<h1 id='there'><a href='../index.html#here'>fine</a></h1>")?;
    let Some(found) = links(book.path())? else { return Ok(()) };
    let problems = String::from_utf8_lossy(&found.stderr).into_owned();
    assert_eq!(found.status.code(), Some(1), "{problems}");
    for expected in [
        "index.html:3: the id `here` is there twice",
        "index.html:4: no id `title` on this page",
        "index.html:4: no id `clip` on this page",
        "index.html:2: `#gone`: that page has no place `gone`",
        "index.html:3: `none.html` leads to no file",
        "index.html:3: `../outside.png` leads to no file",
    ] {
        assert!(problems.contains(expected), "{expected} in\n{problems}");
    }
    assert_eq!(problems.lines().count(), 6, "{problems}");
    assert!(String::from_utf8_lossy(&found.stdout).contains("1 links that lead out"));
    Ok(())
}

/// What `scripts/links` says of a built book; nothing where there is no Python.
fn links(book: &Path) -> Result<Option<Output>, Error> {
    match Command::new("python3").arg(root().join("scripts/links")).arg(book).output() {
        Ok(output) => Ok(Some(output)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            println!("there is no python3 here, so the links were not followed");
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
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
