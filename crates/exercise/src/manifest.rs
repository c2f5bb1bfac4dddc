//! The manifest: what each exercise gives, runs, compares and demands.
//!
//! Enters: `exercises.toml`. Leaves: exercises whose names, formulas and references to each other were checked, so that
//! the code that runs them needs no checks. This module must never know how anything is run.

use crate::argument::Argument;
use crate::expression::{self, Expression, is_word};
use crate::program::{self, Program};
use crate::variants::SKELETON;
use scalar::{Number, Scalar};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Quantity of a condition that is not a counter: a block's shared memory, static and dynamic.
pub const SHARED_BYTES: &str = "shared_bytes";

/// Another: atomic operations of global memory that return a value, and that no fence of the whole device separates from what
/// their block has stored before for later blocks.
pub const UNFENCED: &str = "unfenced_atomics";

/// Another: accesses to global memory of that warp of a launch which makes most.
pub const BUSIEST: &str = "accesses_of_the_busiest_warp";

/// Another: loads of shared memory by warps of which asynchronous copies are under way.
pub const AHEAD: &str = "reads_during_copies";

/// Findings that a hint may be for, in addition to the name of a condition: faults.
pub const FAULTS: [&str; 16] = [
    "fault",
    "divergent-barrier",
    "driver",
    "global-race",
    "infinite-loop",
    "invalid-mask",
    "misaligned-address",
    "null-pointer",
    "out-of-bounds-constant",
    "out-of-bounds-global",
    "out-of-bounds-local",
    "out-of-bounds-shared",
    "read-only-write",
    "shared-race",
    "trap",
    "uninitialised-read",
];

/// Finding of an exercise that asks for the cause: no line is marked as it, several are, or another one is.
pub const CAUSE: &str = "cause";

/// And wrong results: threads race for one, no thread stored it, it should be unchanged, it is NaN or infinite, or it is
/// another number.
pub const WRONG: [&str; 6] = ["wrong", "global-race", "unwritten", "overwritten", "not-a-number", "value"];

/// Title of a condition's quantity, for messages.
pub fn title(count: &str) -> &str {
    match count {
        SHARED_BYTES => "bytes of shared memory",
        UNFENCED => "atomic operations without a fence before them",
        BUSIEST => "accesses of the busiest warp to global memory",
        AHEAD => "reads of shared memory while copies are under way",
        counter => match (counters::get(counter), counters::cost(counter)) {
            (Some(known), _) => known.title,
            (None, Some(cost)) => cost.title,
            (None, None) => program::title(counter).unwrap_or(counter),
        },
    }
}

/// All exercises, in the order in which they are done.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The exercises.
    #[serde(rename = "exercise")]
    pub exercises: Vec<Exercise>,
    /// Hints that hold for every exercise.
    #[serde(default, rename = "hint")]
    pub(crate) hints: Vec<Hint>,
}

/// An exercise: a kernel, or a whole program, to be written or changed.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exercise {
    /// Name, which is also that of its files; letters, digits and `_`.
    pub name: String,
    /// The chapter, by the name of its page without `.md`.
    pub chapter: String,
    /// Title, in the imperative; of one that shows a report and asks for its cause, the name of the case.
    pub title: String,
    /// Points that it gives.
    pub points: u32,
    /// Whether the skeleton has one mistake that the report of its check shows, and the student marks the line which is its cause.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub detective: bool,
    /// Id of the sentence of a source that it decides, in `labs/claims.toml`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<String>,
    /// Sizes that visible cases have, each with all of them by name.
    pub cases: Vec<BTreeMap<String, i64>>,
    /// From which sizes hidden cases draw, by name: the least, the greatest, and what they are multiples of.
    #[serde(default)]
    pub hidden: BTreeMap<String, Range>,
    /// Numbers that follow from the sizes.
    #[serde(default, rename = "let")]
    pub derived: BTreeMap<String, Expression>,
    /// Of an exercise whose source is a whole program, what it is started with. It needs no more: what it must print is what the
    /// solution prints. One whose source is kernels has what follows instead, up to the conditions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<Program>,
    /// Memory that the kernels are given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub buffers: Vec<Buffer>,
    /// How often the steps run; the name `pass` counts from 0.
    #[serde(default)]
    pub passes: Option<Expression>,
    /// The steps, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<CaseStep>,
    /// The kernel that computes the expected results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<Reference>,
    /// Results that are compared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub compare: Vec<Compare>,
    /// Conditions on the counters of all launches of a case, and on what else is counted of a program.
    #[serde(default)]
    pub conditions: Vec<Condition>,
    /// Hints, by the last finding.
    pub hints: Vec<Hint>,
    /// Hints that hold for every exercise.
    #[serde(skip)]
    common: Arc<[Hint]>,
    /// Variants of the source that must fail, and with what.
    pub attempts: Vec<Attempt>,
}

/// A program: buffers, steps, and numbers that follow from sizes. Exercises and live kernels have one.
#[derive(Clone, Copy, Debug)]
pub struct Setup<'a> {
    /// Numbers that follow from the sizes.
    pub derived: &'a BTreeMap<String, Expression>,
    /// Memory that the kernels are given.
    pub buffers: &'a [Buffer],
    /// Texture objects, which exercises do not have.
    pub textures: &'a [Texture],
    /// How often the steps run; the name `pass` counts from 0.
    pub passes: Option<&'a Expression>,
    /// The steps, in order.
    pub steps: &'a [CaseStep],
}

/// A range of sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Range {
    /// Least.
    pub from: i64,
    /// Greatest.
    pub to: i64,
    /// Each is a multiple of this.
    #[serde(default = "one")]
    pub multiple: i64,
}

pub(crate) fn one() -> i64 {
    1
}

/// An array in global memory, in the module's symbol of a name as well where one is given.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Buffer {
    /// Name.
    pub name: String,
    /// Type of its elements.
    #[serde(rename = "type")]
    pub ty: Scalar,
    /// Number of elements.
    pub len: Expression,
    /// Axes of the elements, the fastest last: their lengths multiply to `len`. A vector has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub axes: Vec<Axis>,
    /// Where the kernel's source has structs, the members of one, each an element, such as `x`, `y` and `z`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<String>,
    /// Contents; without them it is an output, and elements that no thread stores to are unwritten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub init: Option<Init>,
    /// Variable of the module that the contents are copied to before the first step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// Whether a student may leave that variable out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub optional: bool,
}

/// A texture object over a buffer, with the names of job files' and CUDA's numbers for what it may be.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Texture {
    /// Name, by which arguments refer to it.
    pub name: String,
    /// The buffer with its texels, row by row.
    pub buffer: String,
    /// Texels of a row.
    pub width: Expression,
    /// Rows; without them it has one dimension.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<Expression>,
    /// Slices, or what `flags` makes of them: layers, or faces of cubes, in the order of memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<Expression>,
    /// As `cudaMalloc3DArray` takes them: 0, 1 for `cudaArrayLayered`, 4 for `cudaArrayCubemap`, 5 for both.
    #[serde(default = "zero")]
    pub flags: Expression,
    /// 1: a surface object, of an array that textures of the same buffer and shape share. The buffer has its texels afterwards.
    #[serde(default = "zero")]
    pub surface: Expression,
    /// Elements of a texel: 1, 2 or 4.
    #[serde(default = "first")]
    pub channels: Expression,
    /// 1: in a CUDA array, to which the buffer's first contents are copied. 0: in the buffer itself.
    #[serde(default = "zero")]
    pub array: Expression,
    /// `cudaTextureFilterMode`: 0 for points, 1 for linear.
    #[serde(default = "zero")]
    pub filter_mode: Expression,
    /// `cudaTextureAddressMode` of all axes: 0 to wrap, 1 to clamp, 2 to mirror, 3 for a border of zeros.
    #[serde(default = "first")]
    pub address_mode: Expression,
    /// `cudaTextureReadMode`: 0 for the elements' type, 1 for normalised floats.
    #[serde(default = "zero")]
    pub read_mode: Expression,
    /// Whether coordinates are fractions of the size, 1 or 0.
    #[serde(default = "zero")]
    pub normalized_coords: Expression,
}

fn zero() -> Expression {
    Expression::number(0)
}

fn first() -> Expression {
    Expression::number(1)
}

/// A dimension of a buffer.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    /// Name, such as `row`.
    pub name: String,
    /// Its length.
    pub len: Expression,
    /// How much of it holds elements; what follows is padding. All, where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used: Option<Expression>,
}

/// Contents of a buffer.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Init {
    /// Every element.
    Fill(Number),
    /// These numbers, again and again.
    Values(Vec<Number>),
    /// Random numbers, at least the first and less than the second.
    Uniform([f64; 2]),
    /// Random whole numbers, at least the first and less than the second, as formulas.
    Integers([Expression; 2]),
    /// Whole numbers from 0 on, in a random order.
    Permutation(bool),
    /// A whole number by formula, in which `i` is the element's index: `i % 32`.
    Each(Expression),
    /// Random numbers, of which each column has its own bounds: element `i` those at `i` modulo their number.
    Columns(Vec<[f64; 2]>),
}

/// A step of a case.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CaseStep {
    /// Launches a kernel of the student's module.
    Launch(Launch),
    /// Copies to a variable of the student's module.
    Copy(Copy),
    /// Copies a variable of the student's module to a buffer, whole.
    Read(Read),
}

/// A launch.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Launch {
    /// The kernel's name in the source, which may have formulas in braces: `tiled_{size}`.
    pub kernel: String,
    /// Blocks, in one to three dimensions.
    pub grid: Vec<Expression>,
    /// Threads a block, in one to three dimensions.
    pub block: Vec<Expression>,
    /// Dynamic shared memory, bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared: Option<Expression>,
    /// Arguments: `in`, `in[4]`, `int n`, `float 0.5`, `struct { size_t n; in }`.
    pub args: Vec<Argument>,
}

/// A copy of a buffer's elements to a variable of the module.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Copy {
    /// The variable.
    pub symbol: String,
    /// The buffer.
    pub from: String,
    /// The first element.
    pub first: Expression,
    /// How many.
    pub count: Expression,
    /// Whether it copies what the device has in the buffer by then, and not its initial contents.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub current: bool,
}

/// A copy of a variable of the module to a buffer, as long as the buffer is.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Read {
    /// The variable.
    pub symbol: String,
    /// The buffer.
    pub to: String,
}

/// The kernel that finds the expected results: one thread for each of `threads`, in
/// double precision where numbers are rounded.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reference {
    /// Name of its file, without `.reference.cu`; that of the exercise unless it has its own.
    #[serde(default)]
    pub file: Option<String>,
    /// Threads that it needs; it is launched with at least this many, in blocks of 128.
    pub threads: Expression,
    /// Arguments.
    pub args: Vec<Argument>,
}

/// A comparison of an output with what is expected.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compare {
    /// The output.
    pub buffer: String,
    /// The buffer with the expected numbers.
    pub with: String,
    /// Greatest difference: this, and this share of what is expected.
    #[serde(default)]
    pub within: f64,
}

/// A demand on the counters of a case.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// Name, by which hints and attempts refer to it.
    pub name: String,
    /// Name of the quantity: a counter of all launches together, a [`counters::Cost`], [`SHARED_BYTES`], [`UNFENCED`],
    /// [`BUSIEST`] or [`AHEAD`]; of a program, a counter or cost, one of [`crate::program`], or a function of the API, whose calls
    /// are counted.
    pub count: String,
    /// The most that it may be, a formula of sizes and counters.
    #[serde(default)]
    pub most: Option<Expression>,
    /// The least.
    #[serde(default)]
    pub least: Option<Expression>,
    /// Explanation where it does not hold, in a sentence.
    pub says: String,
}

/// Hints for one state of the work, in three tiers: a question, a direction, nearly the answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hint {
    /// Findings, one or several: a condition's name, `compile`, `launch`, [`CAUSE`], or one of [`FAULTS`], [`WRONG`] or [`program::FOUND`]. `any` is
    /// for the skeleton's finding, and for any that has no other hint.
    #[serde(deserialize_with = "one_or_several")]
    pub on: Vec<String>,
    /// The tiers.
    pub tiers: [String; 3],
}

/// A variant of the source, and its finding.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    /// Name of the variant in the source; that of the skeleton is `skeleton`.
    pub variant: String,
    /// The finding: as [`Hint::on`].
    pub finds: String,
    /// Words that the feedback has.
    pub says: String,
}

/// A defect of a manifest, in words, with the exercise.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Error(String);

impl Manifest {
    /// The exercises of a manifest.
    ///
    /// # Errors
    /// A text that is not a manifest, or that names something that does not exist.
    pub fn parse(text: &str) -> Result<Self, Error> {
        toml::from_str::<Manifest>(text).map_err(|error| Error(error.to_string()))?.checked()
    }

    /// The same manifest, in which everything that is named exists.
    ///
    /// # Errors
    /// An entry that names something that does not exist.
    pub(crate) fn checked(mut self) -> Result<Self, Error> {
        let mut names = BTreeSet::new();
        check_hints(&self.hints, &[]).map_err(Error)?;
        let common: Arc<[Hint]> = self.hints.clone().into();
        for exercise in &mut self.exercises {
            exercise.common = common.clone();
            exercise.check().map_err(|why| Error(format!("exercise `{}`: {why}", exercise.name)))?;
            if !names.insert(exercise.name.clone()) {
                return Err(Error(format!("exercise `{}`: two have this name", exercise.name)));
            }
        }
        Ok(self)
    }
}

impl Exercise {
    /// The hints for a finding, such as `fault/shared-race`, whose later parts are more particular: the
    /// exercise's own, then those of every exercise, then those for anything.
    pub fn hint(&self, found: Option<&str>) -> Option<&Hint> {
        fn of<'a>(hints: &'a [Hint], name: &str) -> Option<&'a Hint> {
            hints.iter().find(|hint| hint.on.iter().any(|on| on == name))
        }
        let names = || found.into_iter().flat_map(|found| found.rsplit('/'));
        let any = of(&self.hints, "any");
        let own = names().find_map(|name| of(&self.hints, name));
        own.or_else(|| any.filter(|_| found.is_none_or(|found| self.is_of_skeleton(found))))
            .or_else(|| names().find_map(|name| of(&self.common, name)))
            .or(any)
    }

    /// Whether this is the skeleton's finding.
    pub fn is_of_skeleton(&self, found: &str) -> bool {
        let mut skeletons = self.attempts.iter().filter(|attempt| attempt.variant == SKELETON);
        skeletons.any(|attempt| found.split('/').any(|name| name == attempt.finds))
    }

    /// The buffer of a name.
    pub fn buffer(&self, name: &str) -> Option<(usize, &Buffer)> {
        self.setup().buffer(name)
    }

    /// The program: buffers and steps.
    pub fn setup(&self) -> Setup<'_> {
        let Exercise { derived, buffers, passes, steps, .. } = self;
        Setup { derived, buffers, textures: &[], passes: passes.as_ref(), steps }
    }

    fn check(&self) -> Result<(), String> {
        if !is_word(&self.name) {
            return Err("its name is not a word of letters, digits and `_`".to_owned());
        }
        let Some(first) = self.cases.first() else { return Err("it has no cases".to_owned()) };
        for case in &self.cases {
            if !case.keys().eq(first.keys()) {
                return Err("its cases have different names".to_owned());
            }
        }
        if !self.hidden.keys().eq(first.keys()) {
            return Err("`hidden` and its cases have different names".to_owned());
        }
        if let Some((name, _)) = self.hidden.iter().find(|(_, range)| range.multiple < 1 || range.count() < 1)
        {
            return Err(format!("the range of `{name}` is empty"));
        }
        self.check_kind()?;
        self.check_names()?;
        let mut found: BTreeSet<&str> = known().filter(|name| !COMMON.contains(name)).collect();
        for condition in &self.conditions {
            if condition.most.is_none() && condition.least.is_none() {
                return Err(format!("the condition `{}` has neither `most` nor `least`", condition.name));
            }
            if !self.counts(&condition.count) {
                return Err(format!(
                    "the condition `{}` counts `{}`, which is not a counter",
                    condition.name, condition.count
                ));
            }
            if !found.insert(&condition.name) {
                return Err(format!("the name `{}` has two meanings", condition.name));
            }
        }
        check_hints(&self.hints, &self.conditions)?;
        if self.hint(None).is_none() {
            return Err("it has no hint for `any`".to_owned());
        }
        Ok(())
    }

    /// Whether a condition may limit a quantity.
    fn counts(&self, name: &str) -> bool {
        match &self.program {
            Some(_) => program::counts().any(|known| known == name) || program::is_function(name),
            None => counts().any(|known| known == name),
        }
    }

    /// Checks that it is either kernels or a program, and has all of what it is.
    fn check_kind(&self) -> Result<(), String> {
        let kernels = !self.buffers.is_empty() || !self.steps.is_empty() || !self.compare.is_empty();
        match (&self.program, &self.reference) {
            (Some(_), _) if self.detective => {
                Err("it has a `program`, and only a kernel's cause is asked for".to_owned())
            }
            (Some(_), None) if !kernels && self.passes.is_none() => Ok(()),
            (Some(_), _) => Err("it has a `program`, and also buffers, steps or a reference".to_owned()),
            (None, Some(_)) if kernels => Ok(()),
            (None, _) => Err("it has neither a `program` nor kernels with a `reference`".to_owned()),
        }
    }

    /// Checks that each formula and argument has what it names.
    fn check_names(&self) -> Result<(), String> {
        let setup = self.setup();
        let mut sizes: BTreeSet<&str> =
            self.cases.iter().flat_map(BTreeMap::keys).map(String::as_str).collect();
        sizes.extend(self.derived.keys().map(String::as_str));
        setup.check(&sizes)?;
        all(self.reference.iter().map(|reference| &reference.threads), &sizes)?;
        let mut args = self.reference.iter().flat_map(|reference| &reference.args);
        args.try_for_each(|arg| setup.check_argument(arg, &sizes))?;
        all(self.program.iter().flat_map(|program| program.arguments.iter().chain(&program.input)), &sizes)?;
        for compare in &self.compare {
            setup.there(&compare.buffer)?;
            setup.there(&compare.with)?;
        }
        let limits = || self.conditions.iter().flat_map(|one| one.most.iter().chain(&one.least));
        let named: BTreeSet<&str> = limits().flat_map(Expression::names).collect();
        let counted = named.into_iter().filter(|name| self.counts(name)).chain(sizes.iter().copied());
        all(limits(), &counted.collect())
    }
}

impl<'a> Setup<'a> {
    /// The buffer of a name.
    pub fn buffer(&self, name: &str) -> Option<(usize, &'a Buffer)> {
        self.buffers.iter().enumerate().find(|(_, buffer)| buffer.name == name)
    }

    /// The texture object of a name.
    pub fn texture(&self, name: &str) -> Option<(usize, &'a Texture)> {
        self.textures.iter().enumerate().find(|(_, texture)| texture.name == name)
    }

    /// Checks that each formula and argument has what it names, where these are the names of numbers.
    pub(crate) fn check(&self, sizes: &BTreeSet<&str>) -> Result<(), String> {
        let with = |name| sizes.iter().copied().chain([name]).collect::<BTreeSet<&str>>();
        let in_pass = with("pass");
        all(self.derived.values().chain(self.passes), sizes)?;
        for buffer in self.buffers {
            all([&buffer.len], sizes)?;
            all(buffer.axes.iter().flat_map(|axis| std::iter::once(&axis.len).chain(&axis.used)), sizes)?;
            match &buffer.init {
                Some(Init::Integers(bounds)) => all(bounds, sizes)?,
                Some(Init::Each(formula)) => all([formula], &with("i"))?,
                Some(Init::Columns(columns)) if columns.is_empty() => {
                    return Err(format!("the buffer `{}` has no columns", buffer.name));
                }
                Some(
                    Init::Fill(_)
                    | Init::Values(_)
                    | Init::Uniform(_)
                    | Init::Permutation(_)
                    | Init::Columns(_),
                )
                | None => {}
            }
        }
        for texture in self.textures {
            let Texture { name, buffer, width, height, depth, flags, surface, channels, array, .. } = texture;
            let Texture { filter_mode, address_mode, read_mode, normalized_coords, .. } = texture;
            self.there(buffer)?;
            if !is_word(name) {
                return Err(format!("`{name}` is not a word of letters, digits and `_`"));
            }
            all([width, flags, surface, channels, array], sizes)?;
            all([filter_mode, address_mode, read_mode, normalized_coords], sizes)?;
            all(height.iter().chain(depth), sizes)?;
        }
        for step in self.steps {
            match step {
                CaseStep::Launch(launch) => {
                    if ![&launch.grid, &launch.block].iter().all(|shape| (1..=3).contains(&shape.len())) {
                        return Err(format!(
                            "a launch of `{}` does not have one to three dimensions",
                            launch.kernel
                        ));
                    }
                    all(&launch.formulas_of_name()?, &in_pass)?;
                    all(launch.grid.iter().chain(&launch.block).chain(&launch.shared), &in_pass)?;
                    launch.args.iter().try_for_each(|arg| self.check_argument(arg, &in_pass))?;
                }
                CaseStep::Read(read) => self.there(&read.to)?,
                CaseStep::Copy(copy) => {
                    self.there(&copy.from)?;
                    all([&copy.first, &copy.count], &in_pass)?;
                }
            }
        }
        Ok(())
    }

    pub(crate) fn there(&self, name: &str) -> Result<(), String> {
        self.buffer(name).map(|_| ()).ok_or_else(|| format!("no buffer named `{name}`"))
    }

    fn check_argument(&self, argument: &Argument, known: &BTreeSet<&str>) -> Result<(), String> {
        match argument {
            Argument::Buffer(name, _) if self.texture(name).is_some() => Ok(()),
            Argument::Buffer(name, offset) => self.there(name).and_then(|()| all([offset], known)),
            Argument::Int(value)
            | Argument::Unsigned(value)
            | Argument::Size(value)
            | Argument::Real(value) => all([value], known),
            Argument::Float(_) | Argument::Number(..) => Ok(()),
            Argument::Struct(members) => {
                members.iter().try_for_each(|member| self.check_argument(member, known))
            }
        }
    }
}

impl Launch {
    /// The kernel's name, with numbers for the formulas that it has in braces.
    ///
    /// # Errors
    /// Those of `value`, and a brace that is not closed or holds no formula.
    pub fn kernel_name<E: From<expression::Error>>(
        &self,
        value: &dyn Fn(&Expression) -> Result<i64, E>,
    ) -> Result<String, E> {
        let mut name = String::new();
        let mut rest = self.kernel.as_str();
        while let Some((before, from)) = rest.split_once('{') {
            let (formula, after) = from.split_once('}').unwrap_or((from, ""));
            name += before;
            name += &value(&Expression::parse(formula)?)?.to_string();
            rest = after;
        }
        Ok(name + rest)
    }

    fn formulas_of_name(&self) -> Result<Vec<Expression>, String> {
        let parts = self.kernel.split('{').skip(1);
        let formula = |part: &str| {
            let (formula, _) =
                part.split_once('}').ok_or_else(|| format!("`{}`: a `}}` is missing", self.kernel))?;
            Expression::parse(formula).map_err(|error| error.to_string())
        };
        parts.map(formula).collect()
    }
}

/// Conditions that have one name, and hints in common, wherever an exercise has them.
const COMMON: [&str; 4] = ["work", "one by one", "stored one by one", "of the device"];

/// Names that every exercise's hints may be for.
fn known() -> impl Iterator<Item = &'static str> {
    let all = ["any", "compile", "launch", CAUSE].into_iter();
    all.chain(FAULTS).chain(WRONG).chain(program::FOUND).chain(COMMON)
}

/// Checks that each hint is for something, and that no finding has two.
fn check_hints(hints: &[Hint], conditions: &[Condition]) -> Result<(), String> {
    let mut named = BTreeSet::new();
    if hints.iter().any(|hint| hint.on.is_empty()) {
        return Err("a hint is for nothing".to_owned());
    }
    for on in hints.iter().flat_map(|hint| &hint.on) {
        if !known().any(|name| name == on) && !conditions.iter().any(|one| one.name == *on) {
            return Err(format!("a hint is for `{on}`, which is never found"));
        }
        if !named.insert(on) {
            return Err(format!("two hints are for `{on}`"));
        }
    }
    Ok(())
}

/// One name, or a list of them.
fn one_or_several<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Names {
        One(String),
        Several(Vec<String>),
    }
    Ok(match Names::deserialize(deserializer)? {
        Names::One(name) => vec![name],
        Names::Several(names) => names,
    })
}

/// Checks that formulas use only names that have a value.
pub(crate) fn all<'f>(
    formulas: impl IntoIterator<Item = &'f Expression>,
    known: &BTreeSet<&str>,
) -> Result<(), String> {
    let mut named =
        formulas.into_iter().flat_map(|formula| formula.names().into_iter().map(move |name| (formula, name)));
    match named.find(|(_, name)| !known.contains(name)) {
        Some((formula, name)) => Err(format!("`{formula}`: `{name}` is not defined")),
        None => Ok(()),
    }
}

/// Names of quantities that conditions may limit.
fn counts() -> impl Iterator<Item = &'static str> {
    counters::ALL
        .iter()
        .filter(|counter| counter.embedded)
        .map(|counter| counter.name)
        .chain(counters::COSTS.iter().map(|cost| cost.name))
        .chain([SHARED_BYTES, UNFENCED, BUSIEST, AHEAD])
}

impl Range {
    /// How many sizes there are in it.
    pub fn count(self) -> i64 {
        self.to.div_euclid(self.multiple) - (self.from - 1).div_euclid(self.multiple)
    }

    /// One of them, counted from 0.
    pub fn nth(self, n: i64) -> i64 {
        ((self.from - 1).div_euclid(self.multiple) + 1 + n) * self.multiple
    }
}

#[cfg(test)]
mod tests;
