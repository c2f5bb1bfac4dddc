//! The built book over HTTP, to this machine alone, built anew when a source has changed.
//!
//! Enters: requests. Leaves: files of the built book and nothing else. This module must never serve a path outside of it.

use crate::build;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;
use tiny_http::{Header, Method, Request, Response, StatusCode};

/// What is looked at for changes, from the book's root.
const SOURCES: [&str; 3] = ["book.toml", "book", "kernels"];

/// A server of one book.
pub struct Server {
    http: tiny_http::Server,
    root: PathBuf,
    out: Option<PathBuf>,
    /// The folder of the built book.
    site: PathBuf,
    /// The newest source that the site has in it, or that failed to build.
    built: SystemTime,
    /// Why the newest sources could not be built.
    failed: Option<String>,
}

impl Server {
    /// Listens on `127.0.0.1:port` (0: any free one) for the book that was built from `root` with `page` as its first.
    ///
    /// # Errors
    /// A port that is taken.
    pub fn new(root: &Path, out: Option<&Path>, page: &Path, port: u16) -> Result<Self> {
        let http = tiny_http::Server::http(("127.0.0.1", port))
            .map_err(|e| anyhow::anyhow!("{e}"))
            .with_context(|| {
                format!(
                    "cannot listen on port {port}; choose another: book --serve --port {}",
                    port.saturating_add(1)
                )
            })?;
        let site = page.parent().unwrap_or(root).to_owned();
        Ok(Server {
            http,
            root: root.into(),
            out: out.map(Into::into),
            site,
            built: newest(root),
            failed: None,
        })
    }

    /// Where the book is now.
    pub fn url(&self) -> String {
        match self.http.server_addr().to_ip() {
            Some(address) => format!("http://{address}/"),
            None => "http://127.0.0.1/".into(),
        }
    }

    /// Answers requests until the process ends.
    pub fn run(&mut self) {
        while self.answer().is_ok() {}
    }

    /// Answers one request.
    ///
    /// # Errors
    /// The listening socket is gone. A reader who goes away before the answer is no error.
    pub fn answer(&mut self) -> Result<()> {
        let request = self.http.recv()?;
        let (status, kind, body) = self.response(&request);
        let mut response = Response::from_data(body).with_status_code(StatusCode(status));
        if let Ok(header) = Header::from_bytes("Content-Type", kind) {
            response.add_header(header);
        }
        if let Err(error) = request.respond(response) {
            tracing::debug!("{error}");
        }
        Ok(())
    }

    fn response(&mut self, request: &Request) -> (u16, &'static str, Vec<u8>) {
        const TEXT: &str = "text/plain; charset=utf-8";
        if *request.method() != Method::Get && *request.method() != Method::Head {
            return (405, TEXT, b"only GET is answered".into());
        }
        let Some(file) = self.file(request.url()) else {
            return (404, TEXT, b"no such page".into());
        };
        if file.extension().is_none_or(|e| e == "html") {
            self.refresh();
            if let Some(why) = &self.failed {
                return (500, TEXT, why.clone().into_bytes());
            }
        }
        match fs::read(&file) {
            Ok(body) => (200, media_type(&file), body),
            Err(_) => (404, TEXT, b"no such page".into()),
        }
    }

    /// The file that a URL means, if it lies in the site.
    fn file(&self, url: &str) -> Option<PathBuf> {
        let path = url.split(['?', '#']).next().unwrap_or_default().trim_start_matches('/');
        let path = decode(path)?;
        let path = Path::new(&path);
        // Names alone: no `..`, no drive, no second root.
        if !path.components().all(|c| matches!(c, Component::Normal(_))) {
            return None;
        }
        let file = self.site.join(path);
        Some(if file.is_dir() { file.join("index.html") } else { file })
    }

    fn refresh(&mut self) {
        let newest = newest(&self.root);
        if newest <= self.built {
            return;
        }
        self.built = newest;
        self.failed = match build(&self.root, self.out.as_deref()) {
            Ok(_) => None,
            Err(error) => {
                let why = format!("{error:#}");
                tracing::error!("{why}");
                Some(why)
            }
        };
    }
}

/// When the youngest source was last changed.
fn newest(root: &Path) -> SystemTime {
    fn visit(path: &Path, newest: &mut SystemTime) {
        let Ok(about) = fs::metadata(path) else { return };
        if let Ok(changed) = about.modified() {
            *newest = (*newest).max(changed);
        }
        if about.is_dir() {
            for entry in fs::read_dir(path).into_iter().flatten().flatten() {
                visit(&entry.path(), newest);
            }
        }
    }
    let mut newest = SystemTime::UNIX_EPOCH;
    for source in SOURCES {
        visit(&root.join(source), &mut newest);
    }
    newest
}

/// `%20` and the like; nothing for what is no UTF-8 or no hexadecimal.
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
