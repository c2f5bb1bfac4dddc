//! Line information: `.loc`, `.file` and the names of inlined functions.

use super::text;
use crate::hash::Map;
use crate::ir::{DebugLocation, Function};
use crate::source::{Origin, Origins, Sources, Span};
use std::fmt::Write;
use std::ops::Range;

/// What a line that tells a place begins with.
const LOC: &str = Origins::LOC;

/// Files and names so far, and the place last reported.
pub(super) struct Lines<'a> {
    sources: &'a Sources,
    enabled: bool,
    /// Indices of files in [`Sources::files`], by their number in PTX less 1.
    files: Vec<usize>,
    /// Names of inlined functions, by number.
    names: Vec<String>,
    last: Option<DebugLocation>,
    /// Calls of this function that were reported, so that `inlined_at` finds them.
    told: Vec<bool>,
    /// Of each `.loc` that was written, in order: the code of a file that is not ours.
    origins: Vec<Origin>,
    /// Positions found so far, by offset.
    positions: Map<u32, (usize, u64, u64)>,
    /// Where this function's text has the line of a place, and what that was made from: unrolled loops tell the same ones over
    /// and over.
    said: Map<DebugLocation, (Range<usize>, Origin)>,
    /// Kept for its memory.
    calls: Vec<usize>,
}

impl<'a> Lines<'a> {
    /// Whether a place is in a file of the library.
    pub(super) fn is_ours(&self, span: Span) -> bool {
        self.sources.position(span.lo).is_some_and(|place| place.file.ours)
    }

    pub(super) fn new(sources: &'a Sources, enabled: bool) -> Self {
        Self {
            sources,
            enabled,
            files: vec![],
            names: vec![],
            last: None,
            told: vec![],
            origins: vec![],
            positions: Map::default(),
            said: Map::default(),
            calls: vec![],
        }
    }

    /// File number, line and column as `.loc` has them.
    fn position(&mut self, span: Span) -> Option<(usize, u64, u64)> {
        if span == Span::default() {
            return None;
        }
        if let Some(known) = self.positions.get(&span.lo) {
            return Some(*known);
        }
        let position = self.sources.position(span.lo)?;
        let (index, line, column) = (position.index, position.line.into(), position.column().into());
        let file = self.files.iter().position(|file| *file == index).unwrap_or_else(|| {
            self.files.push(index);
            self.files.len() - 1
        });
        self.positions.insert(span.lo, (file + 1, line, column));
        Some((file + 1, line, column))
    }

    fn name(&mut self, name: &str) -> usize {
        self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        })
    }

    /// Begins a function.
    pub(super) fn begin(&mut self, function: &Function, out: &mut String) {
        self.last = None;
        self.said.clear();
        self.told = vec![false; function.inlined.len()];
        if self.enabled
            && let Some((file, line, _)) = self.position(function.span)
        {
            let _ = writeln!(out, "{LOC}{file} {line} 0");
            self.origins.push(Origin { span: function.span, calls: 0 });
        }
    }

    /// Reports a place, if it is another than the last.
    pub(super) fn mark(&mut self, function: &Function, place: DebugLocation, out: &mut String) {
        if !self.enabled || self.last == Some(place) {
            return;
        }
        self.last = Some(place);
        let mut calls = std::mem::take(&mut self.calls);
        let mut at = place;
        while let Some(number) = (at.inlined as usize).checked_sub(1) {
            let Some(inlined) = function.inlined.get(number) else { break };
            if calls.len() > function.inlined.len() {
                break;
            }
            calls.push(number);
            at = inlined.call;
        }
        // Each call before what it contains, once.
        for number in calls.drain(..).rev() {
            if let (false, Some(inlined)) = (self.told[number], function.inlined.get(number)) {
                self.told[number] = true;
                self.tell(function, inlined.call, out);
            }
        }
        self.calls = calls;
        self.tell(function, place, out);
    }

    fn tell(&mut self, function: &Function, place: DebugLocation, out: &mut String) {
        if let Some((line, origin)) = self.said.get(&place) {
            out.extend_from_within(line.clone());
            self.origins.push(*origin);
            return;
        }
        let start = out.len();
        let Some((file, line, column)) = self.position(place.span) else { return };
        let [space, line, column] = [" ".into(), line.into(), column.into()];
        text::pieces(out, &[LOC.into(), file.into(), space, line, space, column]);
        let origin = self.own(function, place);
        self.origins.push(origin);
        let inlined = (place.inlined as usize).checked_sub(1).and_then(|number| function.inlined.get(number));
        if let Some(inlined) = inlined
            && let Some((file, line, column)) = self.position(inlined.call.span)
        {
            let name = self.name(&inlined.function);
            let [at, line, column] = [", inlined_at ".into(), line.into(), column.into()];
            let function = ", function_name $L__info_string".into();
            text::pieces(out, &[function, name.into(), at, file.into(), space, line, space, column]);
        }
        out.push('\n');
        self.said.insert(place, (start..out.len(), origin));
    }

    /// What an instruction was made from: its own code, or of one in a header of ours, the call that it was inlined at.
    fn own(&mut self, function: &Function, place: DebugLocation) -> Origin {
        let mut at = place;
        for _ in 0..=function.inlined.len() {
            let file = self.position(at.span).and_then(|(file, ..)| self.files.get(file - 1).copied());
            let ours = file.and_then(|file| self.sources.files().get(file)).is_none_or(|file| file.ours);
            let call = (at.inlined as usize).checked_sub(1).and_then(|number| function.inlined.get(number));
            match call.filter(|_| ours) {
                Some(inlined) => at = inlined.call,
                None => break,
            }
        }
        let (span, mut calls) = (at.span, 0_u32);
        for _ in 0..=function.inlined.len() {
            let call = (at.inlined as usize).checked_sub(1).and_then(|number| function.inlined.get(number));
            let Some(inlined) = call else { break };
            at = inlined.call;
            // Another for each call and depth.
            calls = calls.wrapping_mul(0x0100_0193).wrapping_add(at.span.lo).wrapping_add(1);
        }
        Origin { span, calls }
    }

    /// Tables at the end of the module; what the text's lines were made from.
    pub(super) fn finish(self, out: &mut String) -> Origins {
        let origins = Origins::of(out, &self.origins);
        for (number, file) in self.files.iter().enumerate() {
            let name = self.sources.files().get(*file).map_or("", |file| &file.name);
            let name = name.replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(out, "\t.file\t{} \"{name}\"", number + 1);
        }
        if self.names.is_empty() {
            return origins;
        }
        out.push_str("\t.section\t.debug_str\n\t{\n");
        for (number, name) in self.names.iter().enumerate() {
            let _ = write!(out, "$L__info_string{number}:\n.b8 ");
            name.bytes().for_each(|byte| {
                let _ = write!(out, "{byte},");
            });
            out.push_str("0\n");
        }
        out.push_str("\n\t}\n");
        origins
    }
}
