//! Names of kernels and variables as the source has them: C++ mangles them, and people do not write mangled names.
//!
//! Enters: a name of a job file, and the names of a module. Leaves: the one that is meant, or those that may be. A name
//! may leave out what makes no difference: namespaces, template arguments, parameters, and qualifiers such as `const`.

mod demangle;
mod origin;
mod shared;

pub use origin::{Origin, code};
pub use shared::Shared;

use std::borrow::Cow;

/// Longer names are shown without template arguments and parameters.
const LONGEST: usize = 120;
/// Names that an error lists.
const LISTED: usize = 20;
/// Nested names that are read; compilers write a few dozen.
#[cfg(feature = "all")]
const DEEPEST: u32 = 192;

/// Why a name is not that of one thing.
#[derive(Debug, PartialEq, Eq)]
pub enum Lookup {
    /// Nothing has this name.
    Missing,
    /// Several have it, as the source has them.
    Ambiguous(Vec<String>),
}

/// The module's name that a name in the job file refers to.
///
/// # Errors
/// None, or several.
pub fn find<'m>(wanted: &str, there: &'m [String]) -> Result<&'m str, Lookup> {
    if let Some(exact) = there.iter().find(|name| *name == wanted) {
        return Ok(exact);
    }
    // A whole declaration has what the kernel returns before its name.
    let wanted = wanted.trim().strip_prefix("void ").unwrap_or(wanted);
    let wanted = normal(wanted);
    let matches: Vec<(Left, &String)> =
        there.iter().filter_map(|name| Some((Demangled::of(name)?.matches(&wanted)?, name))).collect();
    let Some(least) = matches.iter().map(|(left, _)| *left).min() else { return Err(Lookup::Missing) };
    let best: Vec<&String> =
        matches.iter().filter(|(left, _)| *left == least).map(|(_, name)| *name).collect();
    match best[..] {
        [one] => Ok(one),
        _ => Err(Lookup::Ambiguous(listed(best.into_iter().map(String::as_str)))),
    }
}

/// The types of a function's parameters as the source has them, where its name encodes them.
pub fn parameters(name: &str) -> Option<Vec<String>> {
    let parameters = Demangled::of(name)?.parameters;
    let list = parameters.strip_prefix('(')?.strip_suffix(')')?;
    let (mut types, mut depth, mut from) = (vec![], 0_i32, 0);
    for (at, byte) in list.bytes().enumerate() {
        match byte {
            b'<' | b'(' | b'{' | b'[' => depth += 1,
            b'>' | b')' | b'}' | b']' => depth -= 1,
            b',' if depth == 0 => {
                types.push(list[from..at].trim().to_owned());
                from = at + 1;
            }
            _ => {}
        }
    }
    let last = list[from..].trim();
    if !last.is_empty() && last != "void" {
        types.push(last.to_owned());
    }
    Some(types)
}

/// A type as C programmers write it, from how C++ shows it: `const float *` for `float const*`.
pub fn in_c(ty: &str) -> String {
    let stars = ty.len() - ty.trim_end_matches(['*', '&']).len();
    let (of, stars) = ty.split_at(ty.len() - stars);
    let (constant, of) = of.strip_suffix(" const").map_or(("", of), |of| ("const ", of));
    let space = if stars.is_empty() { "" } else { " " };
    format!("{constant}{of}{space}{stars}")
}

/// Names for an error, as the source has them; of many, the first.
pub fn listed<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> Vec<String> {
    listed_as(names, |name| Demangled::of(name).map_or_else(|| name.to_owned(), |d| d.full()))
}

/// The same, each as `shown` has it.
pub fn listed_as<'n>(
    names: impl ExactSizeIterator<Item = &'n str>,
    shown: impl Fn(&'n str) -> String,
) -> Vec<String> {
    let more = names.len().saturating_sub(LISTED);
    let mut list: Vec<String> = names.take(LISTED).map(shown).collect();
    if more > 0 {
        list.push(format!("and {more} more"));
    }
    list
}

/// A name as the source has it, or as it is where it is not mangled. Where it is long, without template arguments and
/// parameters.
pub fn shown(name: &str) -> Cow<'_, str> {
    match Demangled::of(name) {
        Some(demangled) => Cow::Owned(demangled.shown()),
        None => Cow::Borrowed(name),
    }
}

/// A text with every mangled name in it as [`shown`].
pub fn readable(text: &str) -> Cow<'_, str> {
    let is_mangled = |name: &str| name.starts_with("_Z") || name.starts_with(STATIC);
    if !text.contains("_Z") && !text.contains(STATIC) {
        return Cow::Borrowed(text);
    }
    let in_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$');
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(in_word) {
        let (before, name) = rest.split_at(at);
        let (name, after) = name.split_at(name.find(|c| !in_word(c)).unwrap_or(name.len()));
        out.push_str(before);
        if is_mangled(name) {
            out.push_str(&shown(name))
        } else {
            out.push_str(name)
        }
        rest = after;
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// How a name begins that is `static` in one of several files (`nvcc -rdc=true`): a number, that many letters that identify the
/// file, and the name itself follow.
const STATIC: &str = "__nv_static_";

/// A name without the file in which it is static.
fn without_file(name: &str) -> &str {
    let own = || {
        let (length, rest) = name.strip_prefix(STATIC)?.split_once('_')?;
        rest.get(length.parse().ok()?..)?.strip_prefix('_').filter(|own| !own.is_empty())
    };
    own().unwrap_or(name)
}

/// Any name, demangled: without its parameters, and these.
#[cfg(feature = "all")]
fn whole(name: &str) -> Option<(String, String)> {
    use cpp_demangle::{DemangleOptions, Symbol};
    let symbol = Symbol::new(name).ok()?;
    let options =
        || DemangleOptions::new().recursion_limit(DEEPEST).no_return_type().hide_expression_literal_types();
    let base = symbol.demangle_with_options(&options().no_params()).ok()?;
    let full = symbol.demangle_with_options(&options()).ok()?;
    let parameters = full.strip_prefix(&base).unwrap_or_default().to_owned();
    Some((base, parameters))
}

/// Parts that a name leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Left {
    namespaces: bool,
    template_arguments: bool,
}

/// A mangled name, taken apart.
struct Demangled {
    /// Namespaces and the name itself, with template arguments.
    base: String,
    /// Parameters in their parentheses; empty for a variable.
    parameters: String,
}

impl Demangled {
    fn of(name: &str) -> Option<Demangled> {
        let own = without_file(name);
        if !own.starts_with("_Z") {
            return (own != name).then(|| Demangled { base: own.to_owned(), parameters: String::new() });
        }
        // First with the small demangler that pages have, so that a page calls a kernel what a terminal does.
        let found = demangle::demangle(own);
        #[cfg(feature = "all")]
        let found = found.or_else(|| whole(own));
        let (base, parameters) = found?;
        Some(Demangled { base, parameters })
    }

    fn full(&self) -> String {
        format!("{}{}", self.base, self.parameters)
    }

    fn shown(&self) -> String {
        let full = self.full();
        if full.chars().count() <= LONGEST {
            return full;
        }
        let segments = segments(&self.base);
        let short = |segment: &&str| match template(segment) {
            (name, Some(_)) => format!("{name}<…>"),
            (name, None) => name.to_owned(),
        };
        let path: Vec<String> = segments.iter().map(short).collect();
        path.join("::")
    }

    /// Whether a name that is written in the normal form means this one, and what it leaves out.
    fn matches(&self, wanted: &str) -> Option<Left> {
        let segments = segments(&self.base);
        for first in 0..segments.len() {
            let last = segments.len() - 1;
            let before: String = segments[first..last].iter().map(|segment| format!("{segment}::")).collect();
            let (bare, arguments) = template(segments[last]);
            let forms = [(segments[last], false), (bare, arguments.is_some())];
            for (name, template_arguments) in forms {
                let base = normal(&format!("{before}{name}"));
                let is_whole = wanted == base;
                if is_whole || wanted == normal(&format!("{before}{name}{}", self.parameters)) {
                    return Some(Left { namespaces: first > 0, template_arguments });
                }
            }
        }
        None
    }
}

/// The parts of a name between its outermost `::`.
fn segments(name: &str) -> Vec<&str> {
    let mut segments = vec![];
    let (mut depth, mut from) = (0_i32, 0);
    for (at, byte) in name.bytes().enumerate() {
        match byte {
            b'<' | b'(' | b'{' | b'[' => depth += 1,
            b'>' | b')' | b'}' | b']' => depth -= 1,
            b':' if depth == 0 && name[at..].starts_with("::") => {
                segments.push(&name[from..at]);
                from = at + 2;
            }
            _ => {}
        }
    }
    segments.push(name.get(from..).unwrap_or_default());
    segments
}

/// A segment's name and its template arguments.
fn template(segment: &str) -> (&str, Option<&str>) {
    match segment.find('<') {
        Some(at) if segment.ends_with('>') && at > 0 && !segment.starts_with("operator") => {
            (&segment[..at], Some(&segment[at..]))
        }
        _ => (segment, None),
    }
}

/// Types that headers give other names.
fn alias(word: &str) -> &str {
    match word {
        "int8_t" => "signed char",
        "uint8_t" => "unsigned char",
        "int16_t" => "short",
        "uint16_t" => "unsigned short",
        "int32_t" => "int",
        "uint32_t" | "uint" => "unsigned",
        "int64_t" | "ptrdiff_t" => "long",
        "uint64_t" | "size_t" => "unsigned long",
        "half" => "__half",
        "half2" => "__half2",
        "nv_bfloat16" => "__nv_bfloat16",
        "nv_bfloat162" => "__nv_bfloat162",
        word => word,
    }
}

/// A name without what compilers and people write differently: spaces, qualifiers and their order, `int` in
/// `unsigned int`, suffixes of numbers.
fn normal(name: &str) -> String {
    const QUALIFIERS: [&str; 8] =
        ["const", "volatile", "__restrict__", "__restrict", "restrict", "struct", "class", "enum"];
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut out = String::with_capacity(name.len());
    let mut last = "";
    let mut rest = name;
    while let Some(c) = rest.chars().next() {
        if !is_word(c) {
            if !c.is_whitespace() {
                out.push(c);
                last = "";
            }
            rest = &rest[c.len_utf8()..];
            continue;
        }
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        rest = after;
        let of_int = word == "int" && matches!(last, "unsigned" | "long" | "short");
        if QUALIFIERS.contains(&word) || of_int {
            continue;
        }
        let is_number = word.starts_with(|c: char| c.is_ascii_digit());
        let word = if is_number { word.trim_end_matches(['u', 'U', 'l', 'L']) } else { alias(word) };
        if !last.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
        last = word;
    }
    out.replace("(void)", "()")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module() -> Vec<String> {
        [
            "plain",
            "_Z5saxpyIfEviT_PKS0_PS0_",
            "_Z5saxpyIdEviT_PKS0_PS0_",
            "_ZN2ns6kernelEPi",
            "_ZN5other6kernelEPi",
            "_ZN2ns2tkIfLi3EEEvPT_",
            "_ZN2ns4coefE",
            "_Z5countj",
            "_ZN29_GLOBAL__N__e3549149_4_p_cu_k6hiddenEPi",
            "__nv_static_25__1252b8de_8_clock_cu_main__Z4onlyPKfi",
            "__nv_static_28__1dacbb8a_7_dxtc_cu_b480a5a9_weights",
        ]
        .map(str::to_owned)
        .to_vec()
    }

    fn found(wanted: &str) -> Result<String, Lookup> {
        find(wanted, &module()).map(str::to_owned)
    }

    #[test]
    fn a_name_is_found_as_the_source_has_it() {
        for (wanted, mangled) in [
            ("plain", "plain"),
            ("_ZN2ns6kernelEPi", "_ZN2ns6kernelEPi"),
            ("saxpy<float>", "_Z5saxpyIfEviT_PKS0_PS0_"),
            ("saxpy<float>(int, float, const float *, float *)", "_Z5saxpyIfEviT_PKS0_PS0_"),
            ("saxpy<double>(int, double, double const*, double*)", "_Z5saxpyIdEviT_PKS0_PS0_"),
            ("ns::kernel", "_ZN2ns6kernelEPi"),
            ("ns::kernel(int*)", "_ZN2ns6kernelEPi"),
            ("ns::tk<float, 3>", "_ZN2ns2tkIfLi3EEEvPT_"),
            ("tk<float,3>", "_ZN2ns2tkIfLi3EEEvPT_"),
            ("tk", "_ZN2ns2tkIfLi3EEEvPT_"),
            ("coef", "_ZN2ns4coefE"),
            ("ns::coef", "_ZN2ns4coefE"),
            ("count(unsigned)", "_Z5countj"),
            ("count(uint32_t)", "_Z5countj"),
            ("count(unsigned int)", "_Z5countj"),
            ("hidden", "_ZN29_GLOBAL__N__e3549149_4_p_cu_k6hiddenEPi"),
            ("(anonymous namespace)::hidden(int*)", "_ZN29_GLOBAL__N__e3549149_4_p_cu_k6hiddenEPi"),
            ("only", "__nv_static_25__1252b8de_8_clock_cu_main__Z4onlyPKfi"),
            ("only(const float*, int)", "__nv_static_25__1252b8de_8_clock_cu_main__Z4onlyPKfi"),
            ("weights", "__nv_static_28__1dacbb8a_7_dxtc_cu_b480a5a9_weights"),
        ] {
            assert_eq!(found(wanted).as_deref(), Ok(mangled), "{wanted}");
        }
    }

    #[test]
    fn a_name_that_several_have_is_reported_with_them() {
        let Err(Lookup::Ambiguous(names)) = found("saxpy") else { panic!() };
        assert_eq!(
            names,
            [
                "saxpy<float>(int, float, float const*, float*)",
                "saxpy<double>(int, double, double const*, double*)"
            ]
        );
        let Err(Lookup::Ambiguous(names)) = found("kernel") else { panic!() };
        assert_eq!(names, ["ns::kernel(int*)", "other::kernel(int*)"]);
        for missing in ["", "saxpy<int>", "axpy", "ns::saxpy", "count(int)", "::", "<", "saxpy<float"] {
            assert_eq!(found(missing), Err(Lookup::Missing), "{missing}");
        }
    }

    #[test]
    fn what_needs_no_namespace_is_preferred() {
        let there = ["_ZN2ns6kernelEPi".to_owned(), "_Z6kernelPi".to_owned()];
        assert_eq!(find("kernel", &there), Ok("_Z6kernelPi"));
        let there = ["_Z1fIfEvT_".to_owned(), "_Z1fi".to_owned()];
        assert_eq!(find("f", &there), Ok("_Z1fi"), "one that is not a template");
    }

    #[test]
    fn texts_are_readable_and_long_names_short() {
        assert_eq!(readable("kernel _ZN2ns6kernelEPi, block"), "kernel ns::kernel(int*), block");
        assert_eq!(
            readable("in __nv_static_25__1252b8de_8_clock_cu_main__Z4onlyPKfi"),
            "in only(float const*, int)"
        );
        for text in
            ["a _Z", "x_Z5countj", "_Zzz", "none", "_Z5countj_", "__nv_static_99__1_k", "__nv_static_x_k"]
        {
            assert_eq!(readable(text), text);
        }
        let nested = format!("_ZN3lib4sortI{}EEvPi", "N1a1bIfEE".repeat(30));
        assert_eq!(shown(&nested), "lib::sort<…>");
    }

    #[test]
    fn an_error_lists_the_first_of_many() {
        let names: Vec<String> = (0..50).map(|n| format!("k{n}")).collect();
        let list = listed(names.iter().map(String::as_str));
        assert_eq!((list.len(), list[20].as_str()), (21, "and 30 more"));
    }
}
