//! The committed book, built as `cargo run --bin book` builds it, its links followed, and opened in a real browser.
//!
//! Tests that need Python or Chromium are skipped where there is none (`tests/src/tools.rs`).

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tests::{Result, once, tools};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The page of the chapter on constant memory.
fn chapter() -> Result<PathBuf> {
    Ok(built()?.join("constant-memory.html"))
}

/// The folder of the book, which is built once for all tests.
pub(crate) fn built() -> Result<PathBuf> {
    Ok(once(Path::new(env!("CARGO_TARGET_TMPDIR")), "book", |out| {
        let built = mdbook_labs::build(&root(), Some(out));
        built.map(drop).map_err(|error| std::io::Error::other(format!("{error:#}")))
    })?)
}

/// Content of the page's `<main>`.
fn article(html: &str) -> Result<&str> {
    let rest = html.split("<main>").nth(1).and_then(|rest| rest.split("</main>").next());
    Ok(rest.ok_or("no <main>")?)
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn the_chapter_is_complete() -> Result {
    let html = std::fs::read_to_string(chapter()?)?;
    let article = article(&html)?;
    assert!(!article.contains("{{#"), "a directive was left in the page");
    // Two plots of the stencil, three of distinct addresses, one of the working set: at least one of each experiment.
    assert!(article.matches("<svg").count() >= 4, "plots");
    assert!(article.contains("<math"), "formulas");
    assert!(article.contains("ULDC UR5, c[0x3][0x4]"), "machine code");
    assert!(article.contains("does not hold"), "verdicts");
    Ok(())
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn no_link_of_the_book_is_broken() -> Result {
    if !tools::are_there(&["python3"]) {
        return Ok(());
    }
    let page = chapter()?;
    let links = links(page.parent().ok_or("no folder")?)?;
    assert!(links.status.success(), "{}", String::from_utf8_lossy(&links.stderr));
    Ok(())
}

#[test]
fn the_font_of_formulas_has_all_of_their_characters() -> Result {
    let css = std::fs::read_to_string(root().join("book/theme/labs.css"))?;
    let range =
        css.split("unicode-range: U+").nth(1).and_then(|rest| rest.split(';').next()).ok_or("a range")?;
    let mut has = Vec::new();
    for part in range.split(", U+") {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        has.push(u32::from_str_radix(from, 16)?..=u32::from_str_radix(to, 16)?);
    }
    let mut formulas = 0;
    for entry in std::fs::read_dir(built()?)? {
        let path = entry?.path();
        if path.extension().is_none_or(|end| end != "html") {
            continue;
        }
        let page = std::fs::read_to_string(&path)?;
        for formula in page.split("<math").skip(1) {
            formulas += 1;
            let formula = formula.split("</math>").next().unwrap_or_default();
            // After each tag; the entities of `<` and the like are letters, too.
            let text =
                formula.split('>').skip(1).filter_map(|part| part.split('<').next()).collect::<String>();
            let missing: String =
                text.chars().filter(|c| !has.iter().any(|range| range.contains(&u32::from(*c)))).collect();
            assert!(missing.trim().is_empty(), "{}: `{missing}` in {formula}", path.display());
        }
    }
    assert!(formulas > 20, "{formulas} formulas");
    assert!(built()?.join("math.woff2").is_file(), "the font is with the pages");
    Ok(())
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn the_chapter_is_complete_in_a_browser() -> Result {
    if !tools::are_there(&["chromium"]) {
        return Ok(());
    }
    let page = chapter()?;
    let dom = dom(&page)?;
    let html = std::fs::read_to_string(&page)?;
    let plots = article(&html)?.matches("<svg").count();
    // Only a browser that ran the page's own scripts adds this class.
    assert!(dom.contains("hljs"), "the page's scripts did not run");
    assert!(dom.matches("<svg").count() >= plots, "plots are gone in the browser");
    Ok(())
}

#[test]
fn broken_links_are_reported_with_their_page_and_line() -> Result {
    if !tools::are_there(&["python3"]) {
        return Ok(());
    }
    let book = tempfile::tempdir()?;
    let sub = book.path().join("sub");
    std::fs::create_dir(&sub)?;
    std::fs::write(
        book.path().join("index.html"),
        "<p id='here'>\n<a href='sub/two.html#there'>fine</a> <a href='#here'>fine</a> <a href='#example=one'>fine</a> <a href='#gone'>not</a>\n\
         <a href='none.html'>not</a> <img src='../outside.png'> <a href='https://example.org/'>outside</a> <p id='here'>\n\
         <svg aria-labelledby='title'><rect clip-path='url(#clip)'/></svg>",
    )?;
    std::fs::write(sub.join("two.html"), "<h1 id='there'><a href='../index.html#here'>fine</a></h1>")?;
    let found = links(book.path())?;
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

/// Output of `scripts/links` on a built book.
fn links(book: &Path) -> std::io::Result<Output> {
    Command::new("python3").arg(root().join("scripts/links")).arg(book).output()
}

/// The page as the browser has it after running its scripts.
fn dom(page: &Path) -> std::io::Result<String> {
    let profile = tempfile::tempdir()?;
    let run = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("file://{}", page.canonicalize()?.display()))
        .output()?;
    Ok(String::from_utf8_lossy(&run.stdout).into_owned())
}

/// Output of `scripts/pdf` on a built book.
fn pdf(book: &Path, out: &Path) -> std::io::Result<Output> {
    Command::new("python3").arg(root().join("scripts/pdf")).arg(book).arg("--out").arg(out).output()
}

#[test]
fn what_cannot_be_printed_is_said_with_what_to_do() -> Result {
    if !tools::are_there(&["python3"]) {
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let (book, out) = (folder.path(), folder.path().join("book.pdf"));
    for (file, said) in [
        ("index.html", "no book is there; cargo run --bin book builds it"),
        ("toc.html", "scripts/web builds it"),
    ] {
        std::fs::write(book.join(file), "")?;
        let printed = pdf(book, &out)?;
        assert_eq!(printed.status.code(), Some(2));
        let error = String::from_utf8_lossy(&printed.stderr).into_owned();
        assert!(error.contains(said), "{said} in {error}");
        assert!(!out.exists());
    }
    Ok(())
}

mod nightly {
    use super::*;

    /// All chapters with the figures that scripts draw, and none of the pages after them.
    #[test]
    #[ignore = "nightly: the whole book in a browser"]
    fn the_chapters_are_printed() -> Result {
        if !tools::are_there(&["python3", "chromium", "the engine"]) {
            return Ok(());
        }
        let folder = tempfile::tempdir()?;
        let out = folder.path().join("book.pdf");
        let printed = pdf(&built()?, &out)?;
        let said = String::from_utf8_lossy(&printed.stdout).into_owned();
        assert!(printed.status.success(), "{said}{}", String::from_utf8_lossy(&printed.stderr));
        let pages: usize =
            said.split(": ").last().and_then(|rest| rest.split(' ').next()).unwrap_or("").parse()?;
        assert!((80..200).contains(&pages), "{said}");
        assert!(std::fs::read(&out)?.starts_with(b"%PDF-"));
        Ok(())
    }

    /// Who reads by ear, by keyboard or with little contrast: the rules of axe-core, on every page.
    #[test]
    #[ignore = "nightly: every page in a browser"]
    fn nothing_keeps_readers_out_of_a_page() -> Result {
        if !tools::are_there(&["python3", "chromium"]) {
            return Ok(());
        }
        let page = chapter()?;
        let book = page.parent().ok_or("no folder")?;
        let found = Command::new("python3").arg(root().join("scripts/axe")).arg(book).output()?;
        let said = String::from_utf8_lossy(&found.stderr);
        // Its own exit code says that there is no axe-core, where none is required.
        if found.status.code() == Some(3) {
            eprintln!("{said}");
            return Ok(());
        }
        assert!(found.status.success(), "{said}");
        Ok(())
    }
}
