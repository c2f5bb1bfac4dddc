//! Context of an expression or statement: what its surroundings say of it.
//!
//! Enters: what is entered and left around an expression. Leaves: packs' elements, captures, the constants of bodies around.
//! This module must never know scopes.

use std::rc::Rc;

use crate::hash::Map;
use crate::hir::{Expr, LocalId, Type};

/// What the surroundings of an expression say of it.
pub(crate) struct Body {
    pub(crate) frames: u32,
    /// Constants of function bodies, for lambdas in them.
    pub(crate) constants: Map<(u32, LocalId), Rc<Expr>>,
    /// Captures of lambdas that are being made.
    pub(crate) captured: Vec<Vec<(u32, LocalId, u32, bool)>>,
    /// Which element of packs is meant, within an expansion.
    pub(crate) expansion: Option<usize>,
    /// Lengths of arrays around: what is named there must be constant.
    pub(crate) lengths: u32,
    /// What `auto` was found to stand for last.
    pub(crate) found_auto: Option<Type>,
    /// Whether the list that comes next fills something that is named before it.
    pub(crate) direct: bool,
    /// What `auto` stands for.
    pub(crate) auto: Option<Type>,
    /// Default arguments that are being written out, against circles.
    pub(crate) defaults: u32,
}

impl Body {
    pub(crate) fn new() -> Self {
        Self {
            frames: 0,
            constants: Map::default(),
            captured: vec![],
            expansion: None,
            lengths: 0,
            found_auto: None,
            direct: false,
            auto: None,
            defaults: 0,
        }
    }
}
