//! Whole tiny books, built in this process and through the command.

use crate::common::{Tiny, files};
use mdbook_driver::MDBook;
use mdbook_labs::{Server, build};
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use tests::fixture;
#[cfg(target_os = "linux")]
use tests::program::{command, loses_nothing_silently};

const CHAPTER: &str = "# One\n\nSee \\\\( k - 1 \\\\) and {{#value h200/lab-5-5 stencil constant 256 y}}.\n\n\
    $$\n\\sum_{j=1}^{4} c_j (x_{i+j} - x_{i-j})\n$$\n\n{{#plot h200/lab-5-5 stencil}}\n\n{{#plot h200/lab-5-5 stencil}}\n\n\
    {{#table h200/lab-5-5 stencil}}\n\n{{#claims h200/lab-5-5}}\n\n```c\n{{#include ../k.cu:one}}\n```\n\n`{{#value x}}` \\{{#value y}}\n";

fn book() -> Tiny {
    Tiny::new(CHAPTER).file("k.cu", "// ANCHOR: one\nint kernel_body;\n// ANCHOR_END: one\n")
}

#[test]
fn a_page_has_the_numbers_plots_formulas_and_kernels() {
    let page = book().page();
    for part in [
        "1,741\u{a0}GB/s",
        "<math display=\"block\"",
        // mdBook writes it so, and browsers read it as viewBox
        "viewbox=\"0 0 3000",
        "<table",
        "✗ does not hold",
        "kernel_body",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(page.contains("<code>{{#value x}}</code> {{#value y}}"), "code and escapes");
    assert_eq!(page.matches("<figure class=\"lab-figure\"").count(), 2);
}

#[test]
fn ids_are_unique_in_the_whole_book() {
    let tiny = book()
        .file("src/SUMMARY.md", "- [One](one.md)\n- [Two](sub/one.md)\n")
        .file("src/sub/one.md", "{{#plot h200/lab-5-5 stencil}}");
    let index = build(tiny.root(), None).expect("built");
    let page = fs::read_to_string(index.with_file_name("print.html")).expect("the page of all chapters");
    let mut ids: Vec<&str> =
        page.split(" id=\"plot-").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    // Three plots, each for a page and for a narrow screen, with a title and a description.
    assert_eq!((all, ids.len()), (12, 12));
}

#[test]
fn the_command_and_the_object_give_the_same_book() {
    let tiny = book();
    let object = build(tiny.root(), Some(&tiny.root().join("a"))).expect("built");
    let mut book = MDBook::load(tiny.root()).expect("a book");
    let command = env!("CARGO_BIN_EXE_mdbook-labs").replace('\\', "/");
    book.config.set("preprocessor.labs.command", command).expect("set");
    book.config.build.build_dir = tiny.root().join("b");
    let book = MDBook::load_with_config(tiny.root(), book.config.clone()).expect("a book");
    book.build().expect("built through the command");
    let (mut a, mut b) = (files(object.parent().expect("a folder")), files(&tiny.root().join("b")));
    // The program lists what it wrote in folders where only it writes and, for the sidebar, what a reader can do; and its index of the
    // search is smaller.
    let own = |name: &Path| {
        [".warpbook-files", "live/exercises.js"].map(Path::new).contains(&name)
            || name.to_str().is_some_and(|name| name.starts_with("searchindex"))
    };
    for all in [&mut a, &mut b] {
        all.retain(|(name, _)| !own(name));
    }
    assert!(a.len() > 10);
    assert_eq!(a.len(), b.len());
    for ((name, a), (other, b)) in a.iter().zip(&b) {
        assert_eq!(name, other);
        assert!(without_policy(a) == *b, "{} differs", name.display());
    }
}

/// A page without the policy, which the program alone puts into it; any other file as it is.
fn without_policy(bytes: &[u8]) -> Vec<u8> {
    let Ok(text) = std::str::from_utf8(bytes) else { return bytes.to_vec() };
    let Some(at) = text.find("\n        <meta http-equiv=\"Content-Security-Policy\"") else {
        return bytes.to_vec();
    };
    let length = text[at..].find('>').expect("an end") + 1;
    format!("{}{}", &text[..at], &text[at + length..]).into_bytes()
}

#[test]
fn every_page_has_a_policy() {
    let tiny = book();
    build(tiny.root(), None).expect("built");
    for (name, bytes) in files(&tiny.root().join("book")) {
        if name.extension().is_some_and(|end| end == "html") {
            let page = String::from_utf8(bytes).expect("text");
            assert_eq!(page.matches("default-src 'none'").count(), 1, "{}", name.display());
            let inline = page.matches("<script>").count();
            assert_eq!(page.matches("'sha256-").count(), inline, "{}", name.display());
        }
    }
}

#[test]
fn a_built_book_asks_no_other_host() {
    let tiny = book();
    build(tiny.root(), None).expect("built");
    for (name, bytes) in files(&tiny.root().join("book")) {
        if name.extension().is_none_or(|e| e != "html" && e != "css") {
            continue;
        }
        let text = String::from_utf8(bytes).expect("text");
        for asks in ["src=\"http", "src=\"//", "url(http", "url(\"http", "url(//", "@import"] {
            assert!(!text.contains(asks), "{}: {asks}", name.display());
        }
        for tag in text.split("<link").skip(1) {
            assert!(
                !tag.split('>').next().unwrap_or_default().contains("://"),
                "{}: <link{tag:.80}",
                name.display()
            );
        }
    }
}

#[test]
fn the_commands_say_what_is_wrong_and_exit_with_two() {
    let tiny =
        Tiny::new("a\n\n{{#value h200/lab-5-5 stencil constant 256 z}}\n{{#fact h200/lab-5-5 none}}\n");
    let output =
        Command::new(env!("CARGO_BIN_EXE_book")).arg("--dir").arg(tiny.root()).output().expect("ran");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(
        stderr.contains("src/one.md:3:1: {{#value}}") && stderr.contains("src/one.md:4:1: {{#fact}}"),
        "{stderr}"
    );

    let nowhere = tempfile::tempdir().expect("a folder");
    let output = Command::new(env!("CARGO_BIN_EXE_book")).current_dir(nowhere.path()).output().expect("ran");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("book --dir"));

    let output = Command::new(env!("CARGO_BIN_EXE_mdbook-labs"))
        .stdin(std::process::Stdio::null())
        .output()
        .expect("ran");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn the_book_command_ends_by_saying_where_the_book_is() {
    let tiny = book();
    let output = Command::new(env!("CARGO_BIN_EXE_book")).current_dir(tiny.root()).output().expect("ran");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8_lossy(&output.stdout).replace('\\', "/");
    assert_eq!(said, "The book is in book/index.html\n");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let tiny = book();
    for line in ["", "--help"] {
        loses_nothing_silently(command(env!("CARGO_BIN_EXE_book"), tiny.root(), line)).expect("ran");
    }
    loses_nothing_silently(command(env!("CARGO_BIN_EXE_mdbook-labs"), tiny.root(), "--help")).expect("ran");
}

#[test]
fn the_preprocessor_supports_html_alone() {
    let supports = |renderer: &str| {
        let status = Command::new(env!("CARGO_BIN_EXE_mdbook-labs"))
            .args(["supports", renderer])
            .status()
            .expect("ran");
        status.code()
    };
    assert_eq!((supports("html"), supports("epub")), (Some(0), Some(1)));
}

/// Serves a book until the test's process ends; returns where.
fn serve(tiny: &Tiny) -> String {
    let page = build(tiny.root(), None).expect("built");
    let server = Server::new(tiny.root(), None, &page, 0).expect("listening");
    let address = server.url().trim_start_matches("http://").trim_end_matches('/').to_owned();
    std::thread::spawn(move || server.run());
    address
}

fn asked(address: &str, path: &str, host: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).expect("connected");
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").expect("asked");
    stream
}

fn ask(address: &str, path: &str, host: &str) -> String {
    let mut answer = Vec::new();
    asked(address, path, host).read_to_end(&mut answer).expect("read");
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn the_server_answers_with_the_book_and_nothing_else() {
    let tiny = book().file("secret.txt", "not for readers").file("src/inside.txt", "for readers");
    let address = serve(&tiny);
    let ask = |path: &str| ask(&address, path, "localhost:1234");
    #[cfg(unix)]
    for (link, to) in
        [("file.txt", "../secret.txt"), ("folder", ".."), ("null", "/dev/null"), ("inner.txt", "inside.txt")]
    {
        std::os::unix::fs::symlink(to, tiny.root().join("book").join(link)).expect("a link");
    }
    assert!(ask("/").contains("200 OK"));
    assert!(ask("/one.html?x=1").contains("1,741"));
    for outside in [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "//etc/passwd",
        "/..%2fsecret.txt",
        "/none.html",
        "/%zz",
        "/file.txt",
        "/folder/secret.txt",
        "/folder",
        "/null",
    ] {
        let answer = ask(outside);
        assert!(answer.contains(" 404 ") && !answer.contains("not for readers"), "{outside}: {answer}");
    }
    #[cfg(unix)]
    assert!(ask("/inner.txt").ends_with("for readers"));
}

#[test]
fn the_server_answers_no_other_name() {
    let address = serve(&book());
    for host in ["x", "evil.example", "localhost.evil.example:3000"] {
        let answer = ask(&address, "/one.html", host);
        assert!(answer.starts_with("HTTP/1.1 403 ") && !answer.contains("1,741"), "{host}: {answer}");
    }
}

#[test]
fn clients_that_do_not_ask_or_read_hold_up_no_others() {
    // More than fits into what is between two sockets.
    let tiny = book().file("src/large.txt", &"x".repeat(32 << 20));
    let address = serve(&tiny);
    let silent: Vec<_> = (0..8).map(|_| TcpStream::connect(&address).expect("connected")).collect();
    let unread: Vec<_> = (0..8).map(|_| asked(&address, "/large.txt", "localhost")).collect();
    let begun = std::time::Instant::now();
    assert!(ask(&address, "/one.html", "localhost").contains("1,741"));
    assert!(begun.elapsed().as_secs() < 5, "{:?}", begun.elapsed());
    drop((silent, unread));
}

#[test]
fn the_served_book_is_rebuilt_when_a_source_changed_and_only_then() {
    let tiny = book();
    let address = serve(&tiny);
    let built = |tiny: &Tiny| {
        fs::metadata(tiny.root().join("book/index.html")).and_then(|m| m.modified()).expect("built")
    };
    let first = built(&tiny);
    assert!(ask(&address, "/one.html", "localhost").contains("200 OK"));
    assert_eq!(built(&tiny), first, "the site is among the watched files, and is not a source");
    let tiny = tiny.file("kernels/new.cu", "");
    assert!(ask(&address, "/one.html", "localhost").contains("200 OK"));
    assert!(built(&tiny) > first);
    // Files that a user puts into the site are not lost by it.
    let tiny = tiny.file("book/notes.txt", "mine").file("kernels/newer.cu", "");
    let answer = ask(&address, "/one.html", "localhost");
    assert!(answer.contains(" 500 ") && answer.contains("notes.txt"), "{answer}");
    assert_eq!(fs::read_to_string(tiny.root().join("book/notes.txt")).expect("there"), "mine");
}

/// Version of the page `one.html`, as its script asks for it.
fn version(address: &str) -> String {
    let answer = ask(address, "/one.html?version", "localhost");
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains("no-cache"), "{answer}");
    answer.rsplit("\r\n").next().unwrap_or_default().to_owned()
}

#[test]
fn a_served_page_reloads_once_a_lab_has_run_and_not_before() {
    let tiny = Tiny::new("{{#table embedded-h200/lab-5-5 stencil}}\n");
    let address = serve(&tiny);
    let page = ask(&address, "/one.html", "localhost");
    let first = version(&address);
    assert!(page.contains(&format!("(\"{first}\");")), "the page knows its own version");
    // Sources that change nothing on the page, and those of another page.
    let tiny = tiny.file("kernels/new.cu", "");
    assert_eq!(version(&address), first);
    let json = fixture::modelled().to_json().expect("a record");
    let tiny = tiny.file("records/yours/lab-4-1.json", &json).file("kernels/other.cu", "");
    assert_eq!(version(&address), first);
    let tiny = tiny.record("yours/lab-5-5", &fixture::modelled()).file("kernels/newer.cu", "");
    let second = version(&address);
    assert_ne!(second, first);
    let page = ask(&address, "/one.html", "localhost");
    assert!(page.contains("yours") && page.contains(&second));
    fs::remove_file(tiny.root().join("records/yours/lab-5-5.json")).expect("removed");
    let _tiny = tiny.file("kernels/newest.cu", "");
    assert_eq!(version(&address), first);
}

#[test]
fn a_page_shows_why_it_cannot_be_built_and_when_it_can_again() {
    let tiny = Tiny::new("one\n");
    let address = serve(&tiny);
    let first = version(&address);
    let tiny = tiny.file("src/one.md", "{{#fact none}}\n").file("kernels/a.cu", "");
    let answer = ask(&address, "/one.html?version", "localhost");
    assert!(answer.starts_with("HTTP/1.1 500 ") && answer.contains("one.md:1:1"), "{answer}");
    let _tiny = tiny.file("src/one.md", "one\n").file("kernels/b.cu", "");
    assert_eq!(version(&address), first);
}

#[test]
fn the_built_book_has_no_script_that_reloads_it() {
    let tiny = book();
    let address = serve(&tiny);
    let script = "?version`";
    for page in ["/", "/one.html", "/one.html?x=1#y"] {
        assert!(ask(&address, page, "localhost").contains(script), "{page}");
    }
    for other in ["/print.html", "/highlight.js"] {
        assert!(!ask(&address, other, "localhost").contains(script), "{other}");
    }
    for (name, bytes) in files(&tiny.root().join("book")) {
        assert!(!String::from_utf8_lossy(&bytes).contains(script), "{}", name.display());
    }
    for none in ["/none.html?version", "/../secret.html?version"] {
        assert!(ask(&address, none, "localhost").starts_with("HTTP/1.1 404 "), "{none}");
    }
    assert!(ask(&address, "/one.html?version", "evil.example").starts_with("HTTP/1.1 403 "));
}

/// Message of `book --out` for a folder that it refuses, in which nothing may change.
fn refused(tiny: &Tiny, out: &str, here: &str) -> String {
    let before = files(tiny.root());
    let output = Command::new(env!("CARGO_BIN_EXE_book"))
        .args(["--dir", &tiny.root().to_string_lossy(), "--out", out])
        .current_dir(tiny.root().join(here))
        .output()
        .expect("ran");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "--out {out}: {stderr}");
    assert!(files(tiny.root()) == before, "--out {out}");
    stderr
}

#[test]
fn what_others_wrote_is_refused_with_a_way_on() {
    let tiny = book()
        .file("thesis/notes.txt", "mine")
        .file("theirs/index.html", "built by mdBook")
        .file("file", "")
        .file("empty/sub/file", "");
    fs::remove_dir_all(tiny.root().join("empty/sub")).expect("removed");
    for (out, here, why) in [
        (".", "", "did not write: "),
        (
            "thesis",
            "",
            "\"notes.txt\"; nothing was changed; give a folder that is empty or does not exist yet",
        ),
        ("theirs", "", "remove it first: rm -r"),
        ("src", "", "among the book's sources"),
        ("src/new", "", "among the book's sources"),
        ("..", "src", "did not write: "),
        ("/", "", "did not write: "),
        ("file", "", "it is a file, not a folder"),
        ("file/below", "", "choose another folder"),
        (".", "empty", "the folder that this was started in"),
    ] {
        let said = refused(&tiny, out, here);
        assert!(said.contains(why), "--out {out}: {said}");
    }
}

#[test]
fn a_book_of_ours_is_replaced_and_what_was_added_to_it_is_not() {
    let tiny = book();
    let out = tiny.root().join("a/b/out");
    for _ in 0..2 {
        let page = build(tiny.root(), Some(&out)).expect("built");
        assert_eq!(page, out.join("index.html"));
        assert_eq!(fs::read_dir(tiny.root().join("a/b")).expect("a folder").count(), 1);
    }
    let tiny = tiny.file("a/b/out/CNAME", "mine");
    let said = refused(&tiny, "a/b/out", "");
    assert!(said.contains("\"CNAME\"") && said.contains("added or changed since"), "{said}");
    fs::remove_file(out.join("CNAME")).expect("removed");
    // A chapter that is wrong leaves the old book.
    let tiny = tiny.file("src/one.md", "{{#fact none}}");
    refused(&tiny, "a/b/out", "");
}
