//! Context of an expression or statement: what its surroundings say of it.
//!
//! Enters: what is entered and left around an expression. Leaves: packs' elements, captures, the constants of bodies around.
//! This module must never know scopes.

use std::rc::Rc;

use crate::check::names::entity::{DeclId, ScopeId};
use crate::hash::Map;
use crate::hir::{Expr, LocalId, RecordId, Type};

/// Greatest number of default arguments within each other.
const DEFAULTS: u32 = 64;

/// A lambda: address of its tree, scope and function body, and the element of packs.
type ClosurePlace = (usize, ScopeId, u32, Option<usize>);

/// What the surroundings of an expression say of it.
pub(crate) struct Body {
    frames: u32,
    /// Constants of function bodies, for lambdas in them.
    constants: Map<(u32, LocalId), Rc<Expr>>,
    /// Captures of lambdas that are being made.
    captured: Vec<Vec<(u32, LocalId, u32, bool)>>,
    /// Which element of packs is meant, within an expansion.
    expansion: Option<usize>,
    /// Lengths of arrays around: what is named there must be constant.
    lengths: u32,
    /// What `auto` was found to stand for last.
    found_auto: Option<Type>,
    /// Whether the list that comes next fills something that is named before it.
    direct: bool,
    /// Whether the arguments of the call that comes next are evaluated in order, as values of a list are.
    in_order: bool,
    /// What `auto` represents.
    auto: Option<Type>,
    /// Closures of lambdas that were looked at, by where they are.
    closures: Map<ClosurePlace, (RecordId, DeclId)>,
    /// Default arguments that are being written out, against circles.
    defaults: u32,
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
            in_order: false,
            auto: None,
            closures: Map::default(),
            defaults: 0,
        }
    }
    /// Number of the next function body.
    pub(crate) fn next_frame(&mut self) -> u32 {
        self.frames += 1;
        self.frames
    }

    /// Constant of a function body, for lambdas in it.
    pub(crate) fn constant(&self, uid: u32, local: LocalId) -> Option<&Rc<Expr>> {
        self.constants.get(&(uid, local))
    }

    pub(crate) fn note_constant(&mut self, uid: u32, local: LocalId, value: Rc<Expr>) {
        self.constants.insert((uid, local), value);
    }

    /// Captures of a lambda that is being made: those found so far.
    pub(crate) fn push_captures(&mut self, captures: Vec<(u32, LocalId, u32, bool)>) {
        self.captured.push(captures);
    }

    pub(crate) fn pop_captures(&mut self) -> Vec<(u32, LocalId, u32, bool)> {
        self.captured.pop().unwrap_or_default()
    }

    /// Which element of packs is meant, within an expansion.
    pub(crate) fn expansion(&self) -> Option<usize> {
        self.expansion
    }

    pub(crate) fn replace_expansion(&mut self, element: Option<usize>) -> Option<usize> {
        std::mem::replace(&mut self.expansion, element)
    }

    /// The closure of a lambda that was looked at before, and its operator.
    pub(crate) fn closure(&self, place: &ClosurePlace) -> Option<(RecordId, DeclId)> {
        self.closures.get(place).copied()
    }

    pub(crate) fn note_closure(&mut self, place: ClosurePlace, closure: (RecordId, DeclId)) {
        self.closures.insert(place, closure);
    }

    pub(crate) fn enter_length(&mut self) {
        self.lengths += 1;
    }

    pub(crate) fn leave_length(&mut self) {
        self.lengths -= 1;
    }

    /// Whether the length of an array is checked, which must be constant.
    pub(crate) fn is_in_length(&self) -> bool {
        self.lengths > 0
    }

    /// What `auto` represents.
    pub(crate) fn auto(&self) -> Option<Type> {
        self.auto
    }

    pub(crate) fn replace_auto(&mut self, auto: Option<Type>) -> Option<Type> {
        std::mem::replace(&mut self.auto, auto)
    }

    /// What `auto` was found to stand for last.
    pub(crate) fn found_auto(&self) -> Option<Type> {
        self.found_auto
    }

    pub(crate) fn note_auto(&mut self, auto: Option<Type>) {
        self.found_auto = auto;
    }

    /// The list that comes next fills something that is named before it.
    pub(crate) fn fill_directly(&mut self) {
        self.direct = true;
    }

    pub(crate) fn take_direct(&mut self) -> bool {
        std::mem::take(&mut self.direct)
    }

    /// The arguments of the call that comes next are values of a list.
    pub(crate) fn evaluate_in_order(&mut self) {
        self.in_order = true;
    }

    pub(crate) fn take_in_order(&mut self) -> bool {
        std::mem::take(&mut self.in_order)
    }

    pub(crate) fn enter_defaults(&mut self) {
        self.defaults += 1;
    }

    pub(crate) fn leave_defaults(&mut self) {
        self.defaults -= 1;
    }

    /// Whether default arguments are nested so deeply that they must be a circle.
    pub(crate) fn has_too_many_defaults(&self) -> bool {
        self.defaults > DEFAULTS
    }
}
