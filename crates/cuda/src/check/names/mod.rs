//! Names: what they stand for, the scopes that hold them, and how they are found.
//!
//! Enters: a name as written and the place that names it. Leaves: what it represents, or a message with what may have been meant.

pub(crate) mod access;
pub(crate) mod associated;
pub(crate) mod dependent;
pub(crate) mod display;
pub(crate) mod distinct;
pub(crate) mod elsewhere;
pub(crate) mod entity;
pub(crate) mod find;
pub(crate) mod lookup;
pub(crate) mod suggest;
pub(crate) mod table;
pub(crate) mod walk;
