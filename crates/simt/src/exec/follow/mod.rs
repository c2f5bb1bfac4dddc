//! Blocks whose instructions are executed one by one: to follow bits without a value and numbers that are not finite, to
//! step, and to prove that a loop never ends.

pub(super) mod definedness;
pub(super) mod endless;
pub(super) mod floats;
pub(super) mod live;
pub(super) mod not_finite;
pub(super) mod pending;
pub(super) mod snapshot;
pub(super) mod step_state;
pub(super) mod stepper;
pub(super) mod track;
pub(super) mod window;
