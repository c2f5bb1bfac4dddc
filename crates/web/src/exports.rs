//! What the WebAssembly module exports: a place for a request, and the response to it.
//!
//! Enters: a request's bytes, written by the page to where [`reserve`] says. Leaves: where its response is: four bytes with
//! its length, little-endian, and the text. This module must never know what is asked for.

use crate::Session;
use std::cell::RefCell;

struct Shared {
    session: Session,
    request: Vec<u8>,
    response: Vec<u8>,
    #[cfg(feature = "replay")]
    player: Option<crate::replay::Player>,
}

impl Shared {
    /// Keeps a response, and says where it is.
    fn reported(&mut self, text: &str) -> *const u8 {
        self.response.clear();
        self.response.extend_from_slice(&u32::try_from(text.len()).unwrap_or(0).to_le_bytes());
        self.response.extend_from_slice(text.as_bytes());
        self.response.as_ptr()
    }
}

/// A session, which runs whole programs where the page has what they need.
fn session() -> Session {
    #[cfg(all(feature = "host", target_arch = "wasm32"))]
    return Session::with(crate::browser::platform());
    #[cfg(not(all(feature = "host", target_arch = "wasm32")))]
    return Session::default();
}

thread_local! {
    static SHARED: RefCell<Shared> = RefCell::new(Shared {
        session: session(),
        request: vec![],
        response: vec![],
        #[cfg(feature = "replay")]
        player: None,
    });
}

/// Makes room for a request of that many bytes, and says where.
#[cfg_attr(
    target_arch = "wasm32",
    expect(unsafe_code, reason = "the page calls it by this name"),
    unsafe(no_mangle)
)]
pub extern "C" fn reserve(len: usize) -> *mut u8 {
    SHARED.with_borrow_mut(|shared| {
        shared.request.clear();
        shared.request.resize(len, 0);
        shared.request.as_mut_ptr()
    })
}

/// Responds to the request that was written to the place last reserved, of which the first `len` bytes count.
#[cfg_attr(
    target_arch = "wasm32",
    expect(unsafe_code, reason = "the page calls it by this name"),
    unsafe(no_mangle)
)]
pub extern "C" fn respond(_at: *const u8, len: usize) -> *const u8 {
    SHARED.with_borrow_mut(|shared| {
        let request = String::from_utf8_lossy(&shared.request[..len.min(shared.request.len())]);
        let text = shared.session.respond(&request);
        shared.reported(&text)
    })
}

/// Makes the call whose frame was written to the place last reserved, of which the first `len` bytes count.
#[cfg(feature = "replay")]
#[cfg_attr(
    target_arch = "wasm32",
    expect(unsafe_code, reason = "the test calls it by this name"),
    unsafe(no_mangle)
)]
pub extern "C" fn replay(_at: *const u8, len: usize) -> *const u8 {
    SHARED.with_borrow_mut(|shared| {
        let text =
            crate::replay::answer(&mut shared.player, &shared.request[..len.min(shared.request.len())]);
        shared.reported(&text)
    })
}
