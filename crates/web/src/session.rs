//! A session: requests one after the other, of which later ones are about what an earlier one ran.
//!
//! Enters: a request. Leaves: its response. This module must never know what single requests mean.

use crate::access::Noted;
use crate::last_run::LastRun;
#[cfg(feature = "host")]
use crate::program;
use crate::step::Path;
use crate::{access, check, compile, custom, output, run, step};
use serde_json::{Value, json};

/// What a page talks to.
#[derive(Default)]
pub struct Session {
    kept: LastRun,
    /// Accesses and steps of a warp of what ran last, so that it need not run again for the next of them.
    noted: Option<Noted>,
    path: Option<Path>,
    #[cfg(feature = "host")]
    platform: Option<program::Platform>,
    #[cfg(feature = "host")]
    written: program::Written,
}

impl Session {
    /// A session that runs whole programs, too.
    #[cfg(feature = "host")]
    pub fn with(platform: program::Platform) -> Self {
        Session { platform: Some(platform), ..Session::default() }
    }

    #[cfg(feature = "host")]
    fn platform(&self) -> check::Platform<'_> {
        self.platform.as_ref()
    }

    #[cfg(not(feature = "host"))]
    fn platform(&self) -> check::Platform<'_> {
        None
    }

    /// The response to a request.
    pub fn respond(&mut self, request: &str) -> String {
        let mut response = match self.answer(request) {
            Ok(mut response) => {
                response["ok"] = true.into();
                response
            }
            Err(error) => json!({ "ok": false, "error": error }),
        };
        std::mem::take(&mut response).to_string()
    }

    fn answer(&mut self, request: &str) -> Result<Value, String> {
        let request: Value = serde_json::from_str(request).map_err(|error| error.to_string())?;
        let kind = request["do"].as_str();
        if matches!(kind, Some("run" | "any")) {
            (self.noted, self.path) = (None, None);
        }
        match kind.ok_or("the request does not say what to `do`")? {
            "compile" => compile::compile(&request),
            "run" => run::run(&mut self.kept, &mut self.noted, &request),
            "any" => custom::any(&mut self.kept, &mut self.noted, &request),
            "initial" => run::initial(&request),
            "output" => output::more(self.kept.last.as_ref(), &request),
            "access" => access::access(self.kept.last.as_ref(), &mut self.noted, &request),
            "step" => step::step(self.kept.last.as_ref(), &mut self.path, &request),
            "exercise" => check::exercise(&request),
            "check" => check::check(self.platform(), &request),
            "compare" => check::compare(self.platform(), &request),
            #[cfg(feature = "host")]
            "program" => program::program(self.platform.as_ref(), &mut self.written, &request),
            #[cfg(feature = "host")]
            "file" => program::file(&self.written, &request),
            other => Err(format!("there is no request `{other}`")),
        }
    }
}
