//! Live kernels: those that run in the book's pages, each with its parameters, its data and what is shown of it.
//!
//! Enters: `book/live.toml`, or one entry of it as JSON. Leaves: entries whose names, formulas and references to each
//! other were checked. Buffers, steps and formulas are those of the exercises' manifest. This module must never know how
//! anything is run or shown.
//!
//! ```toml
//! [[live]]
//! name = "constant_addresses"
//! title = "Distinct addresses of a warp"
//! file = "ch5-5/addresses.cu"            # below kernels/
//! central = true                         # the chapter's experiment
//! parameters = [{ name = "k", title = "distinct addresses", value = 1, from = 1, to = 32 }]    # play = true: a time
//! let = { n = "32 * k" }
//! buffers = [
//!     { name = "at", type = "i32", len = 32, init = { each = "i % k" } },
//!     { name = "out", type = "f32", len = "n" },                           # no init: an output
//! ]
//! # Kernels take these as `cudaTextureObject_t`. Modes are CUDA's numbers, so that a parameter can be one.
//! textures = [{ name = "image", buffer = "at", width = 8, height = 4, filter_mode = 1, normalized_coords = 1 }]
//! steps = [{ launch = { kernel = "addresses", grid = [1], block = [32], args = ["at", "out", "int n"] } }]
//! show = ["out", { buffer = "out", plot = true }]                         # points = { each = 4, within = 1.5 }: as x and y
//! # A handle for each lane's element, at first as the buffer says.
//! hand = { buffer = "at", title = "address", to = 31, presets = [{ title = "halves", each = "i / 16" }] }
//! # Objects that can be moved in the picture: seven elements each, of which 4 to 6 are the position and 3 is the radius.
//! # Its figure: the counters whose sum is the large number, the code beside it (anchors of the file or lines), and what is drawn:
//! # an access of a line with this text, the one that costs most without it, or a buffer that is a picture.
//! number = { title = "replays", counters = ["const_replays"] }
//! listing = ["kernel", "13:21"]
//! line = "at[i]"                         # or drawn = "out"
//! # Changes that a button makes: to the text, to parameters; and their effect, which a test sees.
//! breakages = [{ title = "one address each", set = { k = 32 }, shows = { more = ["const_replays"] } }]
//! move = { buffer = "list", each = 7, count = "n", at = [4, 5, 6], radius = 3, span = 1024, title = "sphere" }
//! ```

use crate::expression::{Expression, is_word};
use crate::manifest::{Buffer, CaseStep, Setup, Texture, all, one};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// All live kernels of a book.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lives {
    /// The kernels.
    #[serde(default, rename = "live")]
    pub entries: Vec<Live>,
}

/// A live kernel.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Live {
    /// Name, by which pages refer to it; letters, digits and `_`.
    pub name: String,
    /// Title.
    pub title: String,
    /// Its source below `kernels`, all of which is compiled.
    pub file: String,
    /// Numbers that a reader may change.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<Parameter>,
    /// Numbers that follow from the parameters.
    #[serde(default, rename = "let", skip_serializing_if = "BTreeMap::is_empty")]
    pub derived: BTreeMap<String, Expression>,
    /// Macros that the source is compiled with, as `-D` defines them.
    #[serde(default, rename = "define", skip_serializing_if = "BTreeMap::is_empty")]
    pub defines: BTreeMap<String, Expression>,
    /// Memory that the kernels are given.
    pub buffers: Vec<Buffer>,
    /// Texture objects, which arguments name as buffers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub textures: Vec<Texture>,
    /// How often the steps run; the name `pass` counts from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passes: Option<Expression>,
    /// The steps, in order.
    pub steps: Vec<CaseStep>,
    /// Results that are shown.
    pub show: Vec<Show>,
    /// Whether it is its chapter's experiment.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub central: bool,
    /// Values that a reader may choose for each lane.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand: Option<Hand>,
    /// Objects that a reader may move in the picture.
    #[serde(default, rename = "move", skip_serializing_if = "Option::is_none")]
    pub moves: Option<Moves>,
    /// The large number of its figure; none where a run says enough in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<Number>,
    /// Parts of the source that are shown as its code: anchors, or lines such as `13:21`; all of it without any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub listing: Vec<String>,
    /// A text of the line whose access is drawn first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    /// The output whose picture is drawn instead of an access.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drawn: Option<String>,
    /// Changes that a button makes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub breakages: Vec<Breakage>,
}

/// Counters whose sum is the large number of a figure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Number {
    /// What is counted, after the number.
    pub title: String,
    /// Names of the counters.
    pub counters: Vec<String>,
    /// Two kernels of a run whose numbers are compared, as the source names them; all launches together without any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kernels: Vec<String>,
}

/// A change that a reader makes by pressing a button, to see its effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Breakage {
    /// What it does, as an order.
    pub title: String,
    /// Values of parameters.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, i64>,
    /// Text of the source that is there once, and is replaced.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub replace: String,
    /// What it is replaced with.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub with: String,
    /// Its effect.
    pub shows: Shows,
}

/// Effect of a change, next to the source as it came.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shows {
    /// The kind of a fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// Whether results differ.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub differs: bool,
    /// Counters that become more, in sum.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more: Vec<String>,
    /// Counters that become fewer, in sum.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fewer: Vec<String>,
}

/// Round objects of a picture that a reader may move and resize: each is a number of elements of a buffer.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Moves {
    /// The buffer.
    pub buffer: String,
    /// Elements that one has.
    pub each: usize,
    /// How many there are.
    pub count: Expression,
    /// Which of its elements say where it is to the right, downwards and towards the reader, from the middle.
    pub at: [usize; 3],
    /// Which of them is its radius.
    pub radius: usize,
    /// Width and height of the picture.
    pub span: i64,
    /// Title of one.
    pub title: String,
}

/// A buffer whose elements, one for each lane of a warp, a reader may choose one by one.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hand {
    /// The buffer.
    pub buffer: String,
    /// Title of an element, next to its handle.
    pub title: String,
    /// Greatest value; the least is 0.
    pub to: i64,
    /// Values are this far apart.
    #[serde(default = "one")]
    pub multiple: i64,
    /// Values that are offered, by formulas of the parameters and the lane `i`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub presets: Vec<Preset>,
}

/// Values for all lanes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    /// Their title.
    pub title: String,
    /// The value of lane `i`.
    pub each: Expression,
}

/// A number that a reader may change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// Name in formulas.
    pub name: String,
    /// Title, next to its handle.
    pub title: String,
    /// Initial value.
    pub value: i64,
    /// Least.
    pub from: i64,
    /// Greatest.
    pub to: i64,
    /// Its values are this far apart, from the least on.
    #[serde(default = "one")]
    pub multiple: i64,
    /// Names of its values, from the least on; nothing where they are numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// Whether it is a time, through which a reader may let the kernel run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub play: bool,
}

/// An output that is shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Written")]
pub struct Show {
    /// The buffer.
    pub buffer: String,
    /// The size of the picture whose pixels it has: red, green, blue and opacity in a byte each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<Picture>,
    /// Whether its elements are plotted.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub plot: bool,
    /// The view in which its elements are drawn as points of a plane.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<Points>,
}

/// Points of a plane, and how much of it is shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Points {
    /// Elements of the buffer that a point has: its place to the right, upwards, and what else.
    pub each: usize,
    /// The view goes from minus this to this.
    pub within: f64,
}

/// Size of a picture in pixels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Picture {
    /// Pixels a row.
    pub width: Expression,
    /// Rows.
    pub height: Expression,
}

/// A [`Show`] as it is written: a buffer's name alone, or with the way it is shown.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Name(String),
    Full {
        buffer: String,
        #[serde(default)]
        picture: Option<Picture>,
        #[serde(default)]
        plot: bool,
        #[serde(default)]
        points: Option<Points>,
    },
}

impl From<Written> for Show {
    fn from(written: Written) -> Self {
        match written {
            Written::Name(buffer) => Show { buffer, picture: None, plot: false, points: None },
            Written::Full { buffer, picture, plot, points } => Show { buffer, picture, plot, points },
        }
    }
}

/// A defect of live kernels, in words, with the entry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Error(String);

impl Lives {
    /// The live kernels of a text.
    ///
    /// # Errors
    /// A text that is not a list of live kernels, or that names something that does not exist.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let lives: Lives = toml::from_str(text).map_err(|error| Error(error.to_string()))?;
        let mut names = BTreeSet::new();
        for live in &lives.entries {
            live.check()?;
            if !names.insert(&live.name) {
                return Err(Error(format!("live kernel `{}`: two have this name", live.name)));
            }
        }
        Ok(lives)
    }

    /// The kernel of a name.
    pub fn named(&self, name: &str) -> Option<&Live> {
        self.entries.iter().find(|live| live.name == name)
    }
}

impl Live {
    /// The program: buffers and steps.
    pub fn setup(&self) -> Setup<'_> {
        let Live { derived, buffers, textures, passes, steps, .. } = self;
        Setup { derived, buffers, textures, passes: passes.as_ref(), steps }
    }

    /// The parameters' first values.
    pub fn values(&self) -> BTreeMap<String, i64> {
        self.parameters.iter().map(|parameter| (parameter.name.clone(), parameter.value)).collect()
    }

    /// Checks names, formulas, and that everything that is named exists.
    ///
    /// # Errors
    /// The first defect.
    pub fn check(&self) -> Result<(), Error> {
        self.defect().map_err(|why| Error(format!("live kernel `{}`: {why}", self.name)))
    }

    fn defect(&self) -> Result<(), String> {
        let word = |name: &String| {
            if is_word(name) {
                Ok(())
            } else {
                Err(format!("`{name}` is not a word of letters, digits and `_`"))
            }
        };
        word(&self.name)?;
        let beyond = |part: &str| part.is_empty() || part.starts_with('.') || part.contains('\\');
        if !self.file.ends_with(".cu") || self.file.split('/').any(beyond) {
            return Err(format!("`{}` is not a source below `kernels`", self.file));
        }
        let mut sizes: BTreeSet<&str> = BTreeSet::new();
        let numbers = self.parameters.iter().map(|parameter| &parameter.name).chain(self.derived.keys());
        for name in numbers {
            word(name)?;
            if ["pass", "i"].contains(&name.as_str()) || !sizes.insert(name) {
                return Err(format!("the name `{name}` has two meanings"));
            }
        }
        self.parameters.iter().try_for_each(Parameter::defect)?;
        self.defines.keys().try_for_each(word)?;
        all(self.defines.values(), &sizes)?;
        let mut buffers = BTreeSet::new();
        for buffer in &self.buffers {
            word(&buffer.name)?;
            if !buffers.insert(&buffer.name) {
                return Err(format!("two buffers are named `{}`", buffer.name));
            }
        }
        for texture in &self.textures {
            if !buffers.insert(&texture.name) {
                return Err(format!("two buffers or textures are named `{}`", texture.name));
            }
        }
        let setup = self.setup();
        setup.check(&sizes)?;
        if !self.steps.iter().any(|step| matches!(step, CaseStep::Launch(_))) {
            return Err("it launches nothing".to_owned());
        }
        for show in &self.show {
            setup.there(&show.buffer)?;
            if let Some(Picture { width, height }) = &show.picture {
                all([width, height], &sizes)?;
            }
            if show.points.as_ref().is_some_and(|points| points.each < 2 || points.within.is_nan()) {
                return Err(format!("the points of `{}` have no place", show.buffer));
            }
        }
        if let Some(Hand { buffer, to, multiple, presets, .. }) = &self.hand {
            setup.there(buffer)?;
            if *to < 0 || *multiple < 1 {
                return Err(format!("no element of `{buffer}` can be chosen"));
            }
            let of_lane = sizes.iter().copied().chain(["i"]).collect();
            all(presets.iter().map(|preset| &preset.each), &of_lane)?;
        }
        if let Some(Moves { buffer, each, count, at, radius, span, .. }) = &self.moves {
            setup.there(buffer)?;
            if at.iter().chain([radius]).any(|place| place >= each) || *span < 1 {
                return Err(format!("nothing of `{buffer}` can be moved: an element is beyond its {each}"));
            }
            all([count], &sizes)?;
        }
        self.figure_defect()
    }

    /// What is wrong with what its figure shows.
    fn figure_defect(&self) -> Result<(), String> {
        if let Some(Number { counters, .. }) = &self.number {
            counted(counters)?;
        }
        if let Some(drawn) = &self.drawn {
            let is_drawn = |show: &Show| show.picture.is_some() || show.plot || show.points.is_some();
            if !self.show.iter().any(|show| show.buffer == *drawn && is_drawn(show)) {
                return Err(format!("no picture or plot of `{drawn}` is shown, and it is to be drawn"));
            }
        }
        for Breakage { title, set, replace, shows, .. } in &self.breakages {
            for (name, value) in set {
                let parameter = self.parameters.iter().find(|parameter| parameter.name == *name);
                let parameter = parameter
                    .ok_or_else(|| format!("`{title}` sets `{name}`: there is no parameter of this name"))?;
                Parameter { value: *value, ..parameter.clone() }.defect()?;
            }
            if set.is_empty() && replace.is_empty() {
                return Err(format!("`{title}` changes nothing"));
            }
            if *shows == Shows::default() {
                return Err(format!("`{title}` does not say what it shows"));
            }
            [&shows.more, &shows.fewer]
                .into_iter()
                .filter(|names| !names.is_empty())
                .try_for_each(|names| counted(names))?;
        }
        Ok(())
    }
}

/// Checks that these are counters, and that there are any.
fn counted(names: &[String]) -> Result<(), String> {
    match names.iter().find(|name| counters::ALL.iter().all(|counter| counter.name != **name)) {
        Some(name) => Err(format!("there is no counter `{name}`")),
        None if names.is_empty() => Err("a number is the sum of no counters".to_owned()),
        None => Ok(()),
    }
}

impl Parameter {
    fn defect(&self) -> Result<(), String> {
        let Parameter { name, value, from, to, multiple, choices, .. } = self;
        if *multiple < 1 || from > to {
            return Err(format!("the range of `{name}` is empty"));
        }
        // Sizes of this kind are small; the bounds keep differences of two from overflowing.
        let most = 1 << 40;
        if from.unsigned_abs() > most || to.unsigned_abs() > most {
            return Err(format!("the range of `{name}` is too large"));
        }
        if !(from..=to).contains(&value) || (value - from) % multiple != 0 {
            return Err(format!(
                "`{name}` cannot be {value}: it must be {from} to {to} in steps of {multiple}"
            ));
        }
        if !choices.is_empty() && choices.len() as i64 != (to - from) / multiple + 1 {
            return Err(format!("not every value of `{name}` has its own choice"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::argument::Argument;
    use crate::manifest::Init;

    const ONE: &str = r#"
[[live]]
name = "addresses"
title = "Distinct addresses of a warp"
file = "ch5-5/addresses.cu"
central = true
parameters = [{ name = "k", title = "distinct addresses", value = 4, from = 1, to = 32 }]
let = { n = "32 * k" }
define = { TILE = "k" }
buffers = [
    { name = "at", type = "i32", len = 32, init = { each = "i % k" } },
    { name = "spheres", type = "f32", len = "4 * n", init = { columns = [[0, 1], [-1, 1]] } },
    { name = "out", type = "f32", len = "n" },
]
passes = 2
textures = [{ name = "image", buffer = "spheres", width = "k", height = 8, filter_mode = 1 }]
steps = [
    { copy = { symbol = "table", from = "at", first = "pass", count = 1 } },
    { launch = { kernel = "tiled_{k}", grid = [1], block = [32], args = ["at[1]", "image", "struct { size_t n; struct { out; int 3 } }", "float k / 2", "float 0.5", "unsigned 7"] } },
]
show = ["out", { buffer = "out", picture = { width = "k", height = 8 } }, { buffer = "out", plot = true }, { buffer = "spheres", points = { each = 4, within = 1.5 } }]
hand = { buffer = "at", title = "address", to = 31, presets = [{ title = "halves", each = "k * (i / 16)" }] }
move = { buffer = "spheres", each = 7, count = "k", at = [4, 5, 6], radius = 3, span = 1024, title = "sphere" }
number = { title = "replays", counters = ["const_replays"] }
listing = ["kernel"]
line = "at[i]"
drawn = "out"
breakages = [{ title = "all of them", set = { k = 32 }, shows = { more = ["const_instructions"] } }]
"#;

    #[test]
    fn an_entry_is_read_and_its_names_are_resolved() {
        let lives = Lives::parse(ONE).expect("well-formed");
        let live = lives.named("addresses").expect("there");
        let CaseStep::Launch(launch) = &live.steps[1] else { panic!("a launch") };
        let value = |formula: &Expression| formula.evaluate(&|name| live.values().get(name).copied());
        assert_eq!(launch.kernel_name(&value).expect("a name"), "tiled_4");
        let Argument::Struct(members) = &launch.args[2] else { panic!("a struct") };
        assert!(matches!(&members[1], Argument::Struct(inner) if inner.len() == 2));
        assert!(matches!(live.buffers[0].init, Some(Init::Each(_))));
        assert!(live.show[2].plot && live.show[1].picture.is_some());
    }

    #[test]
    fn an_entry_survives_being_written_for_the_page() {
        let lives = Lives::parse(ONE).expect("well-formed");
        let text = serde_json::to_string(&lives.entries[0]).expect("text");
        let again: Live = serde_json::from_str(&text).expect("an entry");
        again.check().expect("well-formed");
        assert_eq!(serde_json::to_string(&again).expect("text"), text);
        assert!(
            text.contains(r#""struct { size_t n; struct { out; int 3 } }","float k / 2","float 0.5""#),
            "{text}"
        );
    }

    #[test]
    fn what_is_named_must_be_there() {
        for (old, new, said) in [
            ("\"addresses\"", "\"a b\"", "live kernel `a b`: `a b` is not a word of letters, digits and `_`"),
            ("ch5-5/addresses.cu", "../addresses.cu", "`../addresses.cu` is not a source below `kernels`"),
            ("ch5-5/addresses.cu", "ch5-5/addresses.rs", "is not a source below `kernels`"),
            ("value = 4", "value = 33", "`k` cannot be 33: it must be 1 to 32 in steps of 1"),
            ("to = 32", "to = 0", "the range of `k` is empty"),
            ("to = 32", "to = 32, multiple = 2", "`k` cannot be 4: it must be 1 to 32 in steps of 2"),
            ("{ n = ", "{ k = ", "the name `k` has two meanings"),
            ("to = 32", "to = 32, choices = [\"4\"]", "not every value of `k` has its own choice"),
            ("\"i % k\"", "\"j % k\"", "`j % k`: `j` is not defined"),
            ("[[0, 1], [-1, 1]]", "[]", "the buffer `spheres` has no columns"),
            ("TILE = \"k\"", "TILE = \"m\"", "`m`: `m` is not defined"),
            ("tiled_{k}", "tiled_{m}", "`m`: `m` is not defined"),
            ("tiled_{k}", "tiled_{k", "`tiled_{k`: a `}` is missing"),
            ("{ out; int 3 }", "{ data; int 3 }", "no buffer named `data`"),
            ("struct { size_t n;", "struct size_t n;", "is not a struct in braces"),
            ("\"float 0.5\"", "\"quad 0.5\"", "is neither a buffer's name nor a type with a value"),
            ("show = [\"out\"", "show = [\"data\"", "no buffer named `data`"),
            ("width = \"k\"", "width = \"m\"", "`m`: `m` is not defined"),
            ("each = 4, within", "each = 1, within", "the points of `spheres` have no place"),
            ("to = 31, presets", "to = -1, presets", "no element of `at` can be chosen"),
            ("k * (i / 16)", "m * i", "`m * i`: `m` is not defined"),
            ("at = [4, 5, 6]", "at = [4, 5, 7]", "nothing of `spheres` can be moved"),
            ("count = \"k\"", "count = \"m\"", "`m`: `m` is not defined"),
            ("name = \"spheres\"", "name = \"out\"", "two buffers are named `out`"),
            ("name = \"image\"", "name = \"out\"", "two buffers or textures are named `out`"),
            ("buffer = \"spheres\", width", "buffer = \"image\", width", "no buffer named `image`"),
            ("width = \"k\", height = 8, f", "width = \"m\", height = 8, f", "`m`: `m` is not defined"),
            ("central", "centre", "unknown field `centre`"),
            ("const_replays", "replays", "there is no counter `replays`"),
            ("[\"const_replays\"]", "[]", "a number is the sum of no counters"),
            (
                "drawn = \"out\"",
                "drawn = \"at\"",
                "no picture or plot of `at` is shown, and it is to be drawn",
            ),
            (
                "set = { k = 32 }",
                "set = { m = 32 }",
                "`all of them` sets `m`: there is no parameter of this name",
            ),
            ("set = { k = 32 }", "set = { k = 33 }", "`k` cannot be 33: it must be 1 to 32 in steps of 1"),
            ("set = { k = 32 }, ", "", "`all of them` changes nothing"),
            ("more = [\"const_instructions\"]", "", "`all of them` does not say what it shows"),
            ("const_instructions", "constant", "there is no counter `constant`"),
        ] {
            assert!(ONE.contains(old), "{old}");
            let error = Lives::parse(&ONE.replacen(old, new, 1)).map(|_| ()).expect_err(new);
            assert!(error.to_string().contains(said), "{error}");
        }
        let twice = Lives::parse(&format!("{ONE}{ONE}")).map(|_| ()).expect_err("two");
        assert_eq!(twice.to_string(), "live kernel `addresses`: two have this name");
    }
}
