//! What is done to students' sources and files: in processes of their own, which inherit nothing.

pub(crate) mod check;
pub(crate) mod child;
pub(crate) mod confine;
pub(crate) mod edited;
pub(crate) mod rerun;
