//! The crate's tests, as one program: to link each file by itself takes longer than to run most of them.

mod api;
mod architecture;
mod book;
mod causes;
mod chapters;
mod compiler;
mod counters;
mod evidence;
mod executed;
mod faults;
mod host_library;
mod lanes;
mod language;
mod modules;
mod page_store;
mod passes;
mod published;
mod readme;
mod records;
mod runtime_api;
mod sources;
mod time_model;
mod verdicts;
mod wasm;
mod web;
mod words;
