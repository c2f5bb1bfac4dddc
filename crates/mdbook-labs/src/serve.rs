//! The built book over HTTP, to this machine alone, rebuilt when a source has changed.
//!
//! Enters: requests, from whatever page is open in the reader's browser. Leaves: files of the built book, its pages with a
//! script that reloads them once they have changed, and nothing else. Each connection has a thread, a few seconds and a bounded request, so that none holds up the others. This
//! module must never serve a file outside the book, nor a page of another site that calls this machine by its own
//! name (DNS rebinding).

use crate::book::build;
use crate::reload;
use anyhow::{Context, Result};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// Paths watched for changes, from the book's root.
const SOURCES: [&str; 5] = ["book.toml", "book", "kernels", "labs", "crates/simt/arch"];
/// Most bytes of a request's line and headers, and most headers.
const MOST_HEAD: usize = 16 << 10;
const MOST_HEADERS: usize = 64;
/// Most bytes that are discarded after a request.
const MOST_REST: u64 = 1 << 20;
/// Most connections at a time; a browser opens six.
const MOST_CONNECTIONS: usize = 256;
/// Longest time for a request to come, and for an answer to go.
const TO_ASK: Duration = Duration::from_secs(10);
const TO_ANSWER: Duration = Duration::from_secs(30);
/// Time for a client that sent more than was read to close the connection.
const TO_CLOSE: Duration = Duration::from_secs(1);
const TEXT: &str = "text/plain; charset=utf-8";

/// A server of one book.
pub struct Server {
    listener: TcpListener,
    site: Arc<Site>,
}

/// The book that is served.
struct Site {
    root: PathBuf,
    out: Option<PathBuf>,
    /// The folder of the built book.
    folder: PathBuf,
    built: Mutex<Built>,
}

struct Built {
    /// Time of the newest source that the site was built from, or failed to be built from.
    newest: SystemTime,
    /// Error in building from the newest sources.
    failed: Option<String>,
}

impl Server {
    /// Listens on `127.0.0.1:port` (0: any free one) for the book that was built from `root` with `page` as its first.
    ///
    /// # Errors
    /// A port that is taken.
    pub fn new(root: &Path, out: Option<&Path>, page: &Path, port: u16) -> Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", port)).with_context(|| {
            format!(
                "cannot listen on port {port}; choose another: book --serve --port {}",
                port.saturating_add(1)
            )
        })?;
        let folder = page.parent().unwrap_or(root).to_owned();
        let built = Mutex::new(Built { newest: newest(root, &folder), failed: None });
        let site = Site { root: root.into(), out: out.map(Into::into), folder, built };
        Ok(Server { listener, site: Arc::new(site) })
    }

    /// Address of the book.
    pub fn url(&self) -> String {
        match self.listener.local_addr() {
            Ok(address) => format!("http://{address}/"),
            Err(_) => "http://127.0.0.1/".into(),
        }
    }

    /// Answers requests until the process ends.
    pub fn run(&self) {
        for stream in self.listener.incoming() {
            let Ok(stream) = stream else {
                // Out of descriptors, most likely: some are closed in a moment.
                std::thread::sleep(Duration::from_millis(10));
                continue;
            };
            let site = Arc::clone(&self.site);
            // One count is the server's own. Beyond the bound a connection is closed; a browser asks again.
            if Arc::strong_count(&site) > MOST_CONNECTIONS + 1 {
                continue;
            }
            let answered = std::thread::Builder::new().spawn(move || {
                if let Err(error) = site.answer(&stream) {
                    tracing::debug!("{error}");
                }
            });
            if let Err(error) = answered {
                tracing::debug!("{error}");
            }
        }
    }
}

/// A status, the body's type and the body.
struct Response {
    status: &'static str,
    kind: &'static str,
    body: Body,
}

enum Body {
    Text(String),
    File(File, u64),
}

impl Response {
    fn text(status: &'static str, text: impl Into<String>) -> Self {
        Response { status, kind: TEXT, body: Body::Text(text.into()) }
    }

    fn missing() -> Self {
        Response::text("404 Not Found", "no such page")
    }
}

impl Site {
    /// Reads one request and answers it.
    fn answer(&self, stream: &TcpStream) -> io::Result<()> {
        let mut head_only = false;
        let answer = match request(&mut Timed { stream, until: Instant::now() + TO_ASK })? {
            Ok(Request { method, target }) => {
                head_only = method == "HEAD";
                self.response(&method, &target)
            }
            Err(refused) => refused,
        };
        let mut out = Timed { stream, until: Instant::now() + TO_ANSWER };
        let Response { status, kind, body } = answer;
        let length = match &body {
            Body::Text(text) => text.len() as u64,
            Body::File(_, length) => *length,
        };
        out.write_all(
            format!(
                "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nCache-Control: no-cache\r\n\
                 X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n"
            )
            .as_bytes(),
        )?;
        match body {
            _ if head_only => {}
            Body::Text(text) => out.write_all(text.as_bytes())?,
            Body::File(file, length) => drop(io::copy(&mut file.take(length), &mut out)?),
        }
        // A connection that is closed with unread data in it loses the answer.
        stream.shutdown(Shutdown::Write)?;
        let rest = Timed { stream, until: Instant::now() + TO_CLOSE };
        io::copy(&mut rest.take(MOST_REST), &mut io::sink()).map(drop)
    }

    fn response(&self, method: &str, target: &str) -> Response {
        if method != "GET" && method != "HEAD" {
            return Response::text("405 Method Not Allowed", "only GET is answered");
        }
        let Some(file) = self.file(target) else { return Response::missing() };
        let is_page = file.extension().is_some_and(|e| e == "html");
        if (is_page || file.extension().is_none())
            && let Some(why) = self.refresh()
        {
            return Response::text("500 Internal Server Error", why);
        }
        let Some(real) = self.inside(&file) else { return Response::missing() };
        // Only a regular file: to open a pipe is to wait.
        let open = || {
            let about = fs::metadata(&real).ok().filter(fs::Metadata::is_file)?;
            Some((File::open(&real).ok()?, about.len()))
        };
        match open() {
            // The page to print opens the printer's dialogue whenever it is loaded.
            Some((content, length)) if is_page && !file.ends_with("print.html") => {
                page(content.take(length), asks_version(target))
            }
            Some((content, length)) => {
                Response { status: "200 OK", kind: media_type(&file), body: Body::File(content, length) }
            }
            None => Response::missing(),
        }
    }

    /// File of the site that a request's target names.
    fn file(&self, target: &str) -> Option<PathBuf> {
        let path = target.split(['?', '#']).next().unwrap_or_default().trim_start_matches('/');
        let path = decode(path)?;
        let path = Path::new(&path);
        // Names alone: no `..`, no drive, no second root.
        if !path.components().all(|c| matches!(c, Component::Normal(_))) {
            return None;
        }
        let file = self.folder.join(path);
        Some(if file.is_dir() { file.join("index.html") } else { file })
    }

    /// The file's path without links, if it still is in the site then.
    fn inside(&self, file: &Path) -> Option<PathBuf> {
        let (site, real) = (self.folder.canonicalize().ok()?, file.canonicalize().ok()?);
        real.starts_with(site).then_some(real)
    }

    /// Rebuilds the book if a source has changed; returns the error if the current sources cannot be built.
    fn refresh(&self) -> Option<String> {
        let mut built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        let newest = newest(&self.root, &self.folder);
        if newest > built.newest {
            built.newest = newest;
            built.failed = build(&self.root, self.out.as_deref()).err().map(|error| format!("{error:#}"));
            if let Some(why) = &built.failed {
                tracing::error!("{why}");
            }
        }
        built.failed.clone()
    }
}

/// A page that reloads itself, or its version.
fn page(mut content: impl Read, asks_version: bool) -> Response {
    let mut page = String::new();
    match content.read_to_string(&mut page) {
        Ok(_) if asks_version => Response::text("200 OK", reload::version(&page)),
        Ok(_) => {
            let body = Body::Text(reload::watching(&page));
            Response { status: "200 OK", kind: "text/html; charset=utf-8", body }
        }
        Err(error) => {
            Response::text("500 Internal Server Error", format!("the page cannot be read: {error}"))
        }
    }
}

/// Whether a request is for a page's version rather than for the page.
fn asks_version(target: &str) -> bool {
    target.split_once('?').is_some_and(|(_, query)| query == reload::QUERY)
}

/// Method and target of a request.
struct Request {
    method: String,
    target: String,
}

/// Reads a request's line and headers, or refuses it.
fn request(from: &mut impl Read) -> io::Result<Result<Request, Response>> {
    let refuse = |status, why: &str| Ok(Err(Response::text(status, why)));
    let mut head = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut request = httparse::Request::new(&mut headers);
        match request.parse(&head) {
            Ok(httparse::Status::Complete(_)) => return Ok(understood(&request)),
            Ok(httparse::Status::Partial) if head.len() < MOST_HEAD => {}
            Ok(httparse::Status::Partial) | Err(httparse::Error::TooManyHeaders) => {
                return refuse("431 Request Header Fields Too Large", "the request is too long");
            }
            Err(error) => return refuse("400 Bad Request", &error.to_string()),
        }
        let room = piece.len().min(MOST_HEAD - head.len());
        match from.read(&mut piece[..room])? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => head.extend_from_slice(&piece[..read]),
        }
    }
}

fn understood(request: &httparse::Request<'_, '_>) -> Result<Request, Response> {
    let mut hosts = request.headers.iter().filter(|header| header.name.eq_ignore_ascii_case("host"));
    let (Some(host), None) = (hosts.next(), hosts.next()) else {
        return Err(Response::text("400 Bad Request", "one Host is needed"));
    };
    if !is_this_machine(host.value) {
        return Err(Response::text("403 Forbidden", "this server answers only to localhost and 127.0.0.1"));
    }
    match (request.method, request.path) {
        (Some(method), Some(target)) if target.starts_with('/') => {
            Ok(Request { method: method.into(), target: target.into() })
        }
        _ => Err(Response::text("400 Bad Request", "a path is needed, such as /")),
    }
}

/// Whether a Host header names this machine, on any port: a port may be forwarded under another number.
fn is_this_machine(host: &[u8]) -> bool {
    let host = String::from_utf8_lossy(host).to_ascii_lowercase();
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.parse::<u16>().is_ok() => name,
        _ => &host,
    };
    matches!(name, "localhost" | "127.0.0.1" | "[::1]")
}

/// A connection with a deadline, however slowly bytes come and go until then.
struct Timed<'a> {
    stream: &'a TcpStream,
    until: Instant,
}

impl Timed<'_> {
    fn left(&self) -> io::Result<Option<Duration>> {
        match self.until.checked_duration_since(Instant::now()) {
            Some(left) if !left.is_zero() => Ok(Some(left)),
            _ => Err(io::ErrorKind::TimedOut.into()),
        }
    }
}

impl Read for Timed<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.left()?)?;
        self.stream.read(bytes)
    }
}

impl Write for Timed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.left()?)?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Time of the latest change of a source. Links are not followed, and neither the site, where it is among the
/// sources, nor anything hidden is a source.
fn newest(root: &Path, site: &Path) -> SystemTime {
    fn visit(path: &Path, site: &Path, newest: &mut SystemTime) {
        let hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        let Ok(about) = fs::symlink_metadata(path) else { return };
        if hidden || path == site {
            return;
        }
        // The site's own folder changes whenever the site does.
        if let Ok(changed) = about.modified()
            && site.parent() != Some(path)
        {
            *newest = (*newest).max(changed);
        }
        if about.is_dir() {
            for entry in fs::read_dir(path).into_iter().flatten().flatten() {
                visit(&entry.path(), site, newest);
            }
        }
    }
    let mut newest = SystemTime::UNIX_EPOCH;
    for source in SOURCES {
        visit(&root.join(source), site, &mut newest);
    }
    newest
}

/// Decodes `%20` and other escapes; nothing for bytes that are not UTF-8 or digits that are not hexadecimal.
fn decode(url: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = url.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digit = |b: Option<u8>| b.and_then(|b| char::from(b).to_digit(16));
                let (high, low) = (digit(rest.next())?, digit(rest.next())?);
                (high * 16 + low) as u8
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

fn media_type(file: &Path) -> &'static str {
    match file.extension().and_then(|e| e.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("woff2") => "font/woff2",
        Some("wasm") => "application/wasm",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_answered() {
        for host in ["localhost", "LocalHost:3000", "127.0.0.1:3000", "[::1]:80", "[::1]"] {
            assert!(is_this_machine(host.as_bytes()), "{host}");
        }
        for host in [
            "",
            "x",
            "localhost.evil.example",
            "evil.example:3000",
            "127.0.0.1.evil.example",
            "localhost:",
            "localhost:x",
            "[::1",
            "\u{0}localhost",
            "user@localhost",
        ] {
            assert!(!is_this_machine(host.as_bytes()), "{host}");
        }
    }

    #[test]
    fn a_request_is_bounded() {
        let refused = |text: String| match request(&mut text.as_bytes()) {
            Ok(Err(Response { status, .. })) => status,
            Ok(Ok(_)) => "understood",
            Err(_) => "no answer",
        };
        let one = "GET / HTTP/1.1\r\nHost: localhost\r\n";
        assert_eq!(refused(format!("{one}\r\n")), "understood");
        assert_eq!(refused(one.into()), "no answer");
        assert_eq!(
            refused(format!("{one}{}\r\n", "a: b\r\n".repeat(100))),
            "431 Request Header Fields Too Large"
        );
        assert_eq!(
            refused(format!("{one}a: {}", "b".repeat(MOST_HEAD))),
            "431 Request Header Fields Too Large"
        );
        assert_eq!(refused(format!("GET /{}", "a".repeat(MOST_HEAD))), "431 Request Header Fields Too Large");
        assert_eq!(refused(format!("{one}Host: localhost\r\n\r\n")), "400 Bad Request");
        assert_eq!(refused("GET / HTTP/1.1\r\n\r\n".into()), "400 Bad Request");
        assert_eq!(
            refused("GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n".into()),
            "400 Bad Request"
        );
        assert_eq!(refused("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n".into()), "403 Forbidden");
        assert_eq!(refused("\u{1}\r\n\r\n".into()), "400 Bad Request");
    }
}
