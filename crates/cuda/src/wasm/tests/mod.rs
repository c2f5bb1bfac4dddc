//! Programs in wasmi, whose validator sees every module.

mod count;
mod hand;
mod program;
mod random;
mod speed;
