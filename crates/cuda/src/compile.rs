//! The compiler: all stages, one after the other.
//!
//! Enters: a source and options. Leaves: PTX, or why there is none. This module must never know what a stage does.

use crate::{
    check,
    diagnostic::{Diagnostic, Diagnostics},
    emit,
    hash::{Map, Set},
    hir::{Function, Program, TypeKind},
    ir,
    ir::Space,
    limits, link, lower,
    options::{Failure, INSTANCES, Input, Language, Options, Output, asked, launches_of},
    parse, passes, preprocess,
    side::{Side, Unit},
    source::{Origins, Sources, Span},
    teach,
    token::Token,
};
use names::Shared;
use std::rc::Rc;

/// Stage of the compiler, by what it leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Tokens, after preprocessing.
    Tokens,
    /// Tree as written.
    Tree,
    /// Checked tree.
    Program,
    /// Representation as it is first made.
    Module,
    /// Representation after optimisation.
    Optimized,
    /// PTX.
    Ptx,
}

/// PTX of a source, with what is to be said of it.
///
/// # Errors
///
/// What is wrong with the source, or in it and not known to this compiler: all errors that were found, with warnings.
pub fn compile(input: &Input<'_>, options: &Options) -> Result<Output, Failure> {
    compile_watched(input, options, unwatched)
}

/// The same; `watch` is called at the end of each stage, and may ask for what it left as text, for those who work on the
/// compiler.
///
/// # Errors
///
/// As [`compile`].
pub fn compile_watched(
    input: &Input<'_>,
    options: &Options,
    mut watch: impl FnMut(Stage, &dyn Fn() -> String),
) -> Result<Output, Failure> {
    let unit = Unit::from(Side::Device);
    let sources = [Source { input: *input, instances: &options.instances }];
    of_units(&sources, options, unit, &mut watch).map(|(output, _)| output)
}

/// A source, with the instances of its kernels' templates that are made although it does not name them.
pub(crate) struct Source<'a> {
    pub(crate) input: Input<'a>,
    pub(crate) instances: &'a [String],
}

/// Names in the PTX of a source's functions and variables, by their symbols.
pub(crate) type Symbols = Map<String, String>;

/// PTX of several sources, linked; with the names of each.
pub(crate) fn of_units(
    units: &[Source<'_>],
    options: &Options,
    unit: Unit,
    watch: &mut impl Watch,
) -> Result<(Output, Vec<Symbols>), Failure> {
    let mut sources = Sources::default();
    let mut sink = Diagnostics::default();
    let made = stages(units, options, unit, &mut sources, &mut sink, watch);
    crate::sort::by_key(&mut sink.list, |one| (one.span.lo, one.span.hi));
    match made {
        Some(Made { ptx, origins, told, symbols }) if !sink.failed() => {
            let Told { shared, instances, typed, host } = told;
            let warnings = sink.list;
            Ok((Output { ptx, origins, warnings, sources, shared, instances, typed, host }, symbols))
        }
        _ => {
            if !sink.failed() {
                // A stage that gives up says why; one that does not is wrong itself.
                let message = "internal error: the compiler failed without a message";
                sink.push(Diagnostic::error("defect", Span::default(), message));
            }
            Err(Failure { diagnostics: sink.list, sources })
        }
    }
}

/// What all stages make.
struct Made {
    ptx: String,
    origins: Origins,
    told: Told,
    symbols: Vec<Symbols>,
}

/// What is known of a program next to its PTX.
#[derive(Default)]
struct Told {
    shared: Vec<Shared>,
    instances: Vec<(String, String)>,
    typed: Vec<(String, String)>,
    host: Vec<String>,
}

impl Told {
    /// What is known of several units, by the names that their symbols have once they are linked.
    fn of_all(units: Vec<Told>, symbols: &[Symbols]) -> Told {
        let mut all = Told::default();
        for (number, mut one) in units.into_iter().enumerate() {
            let renamed = |symbol: &mut String| {
                if let Some(name) = symbols.get(number).and_then(|symbols| symbols.get(symbol)) {
                    symbol.clone_from(name);
                }
            };
            one.shared.iter_mut().for_each(|one| renamed(&mut one.symbol));
            one.instances.iter_mut().for_each(|(_, symbol)| renamed(symbol));
            one.typed.iter_mut().for_each(|(symbol, _)| renamed(symbol));
            all.shared.append(&mut one.shared);
            all.instances.append(&mut one.instances);
            all.typed.append(&mut one.typed);
            all.host.append(&mut one.host);
        }
        all
    }
}

/// Who sees what each stage leaves.
pub(crate) trait Watch: FnMut(Stage, &dyn Fn() -> String) {}

impl<T: FnMut(Stage, &dyn Fn() -> String)> Watch for T {}

/// No one: where nothing else watches, what writes trees and modules as text is no part of the program.
pub(crate) fn unwatched(_: Stage, _: &dyn Fn() -> String) {}

/// All stages; `None` where one ended it.
fn stages(
    units: &[Source<'_>],
    options: &Options,
    unit: Unit,
    sources: &mut Sources,
    sink: &mut Diagnostics,
    watch: &mut impl Watch,
) -> Option<Made> {
    let mut all = vec![];
    for one in units {
        all.push(tokens(one, options, sources, sink, watch)?);
    }
    // Files for a host and its kernels name headers of which only the host uses anything. Where a kernel does, nothing is
    // as clear as that the header is not there.
    let refused = preprocess::refused_headers(sink);
    if sink.list.iter().any(preprocess::is_fatal) {
        sink.list.extend(refused);
        return None;
    }
    let told = if refused.is_empty() { vec![] } else { sink.list.clone() };
    let made = compiled(units, all, options, unit, sources, sink, watch);
    if !refused.is_empty() && sink.failed() {
        sink.list = told;
        sink.list.extend(refused);
    }
    made
}

/// Tokens of a source.
fn tokens(
    one: &Source<'_>,
    options: &Options,
    sources: &mut Sources,
    sink: &mut Diagnostics,
    watch: &mut impl Watch,
) -> Option<Vec<Vec<Token>>> {
    let main = sources.files().len();
    if sources.add(one.input.name, one.input.text.to_owned(), false).is_none() {
        sink.push(Diagnostic::error("budget", Span::default(), "the source is too long"));
        return None;
    }
    let instances = launches_of(one.instances);
    let behind = !instances.is_empty() && sources.add(INSTANCES, instances, false).is_some();
    let environment = preprocess::Environment {
        arch: options.arch,
        side: Side::Device,
        fast_math: options.fast_math,
        defines: &options.defines,
        loader: one.input.include,
        language: Language::Cuda,
        before: &options.before,
        behind: behind.then_some(main + 1),
    };
    let tokens = preprocess::preprocess(sources, main, &environment, sink);
    watch(Stage::Tokens, &|| tokens.iter().flatten().map(|token| format!("{:?}\n", token.kind)).collect());
    Some(tokens)
}

/// The stages after the preprocessor.
fn compiled(
    units: &[Source<'_>],
    tokens: Vec<Vec<Vec<Token>>>,
    options: &Options,
    unit: Unit,
    sources: &Sources,
    sink: &mut Diagnostics,
    watch: &mut impl Watch,
) -> Option<Made> {
    let mut teacher = teach::Teacher::new(sources);
    let (mut modules, mut all, mut elsewhere) = (vec![], vec![], vec![]);
    for (one, tokens) in units.iter().zip(tokens) {
        let tree = parse::parse(tokens, sources, sink);
        watch(Stage::Tree, &|| format!("{:#?}\n", tree.unit));
        let program = check::check(&tree, unit, sources, sink);
        let Some(mut program) = program.filter(|_| !sink.failed()) else { continue };
        watch(Stage::Program, &|| format!("{program:#?}\n"));
        teacher.tree(&program);
        let module = lower::lower(&program, sink);
        all.push(Told {
            shared: shared(&program),
            instances: instances(&program, one.instances),
            typed: std::mem::take(&mut program.typed),
            host: std::mem::take(&mut program.host),
        });
        elsewhere.extend(self::elsewhere(&program, options));
        let names = program.variables.iter().map(|one| Rc::clone(&one.name)).collect();
        modules.push(link::Unit { file: one.input.name.to_owned(), module, names });
    }
    if sink.failed() {
        return None;
    }
    let (mut module, symbols) = linked(modules, unit, &mut teacher, sink)?;
    let told = Told::of_all(all, &symbols);
    watch(Stage::Module, &|| module.to_string());
    limits::check_loops(&module, sink);
    if sink.failed() {
        return None;
    }
    let wanted = |function: &ir::Function| !function.kernel || options.launches(&function.name);
    passes::optimize_watched(&mut module, &wanted, &mut |function, context| {
        teacher.kernel(context.globals, function);
    });
    teacher.tell(sink);
    limits::check(&module, sources, sink);
    if sink.failed() {
        return None;
    }
    passes::finish(&mut module, options.fmad);
    watch(Stage::Optimized, &|| module.to_string());
    let target =
        emit::Target { arch: options.arch, fmad: options.fmad, fast_math: options.fast_math, lines: true };
    let (ptx, origins) = emit::emit(module, sources, target).map_err(|problem| sink.push(*problem)).ok()?;
    watch(Stage::Ptx, &|| ptx.clone());
    sink.list.retain(|one| !elsewhere.iter().any(|(from, to)| (*from..*to).contains(&one.span.lo)));
    Some(Made { ptx, origins, told, symbols })
}

/// The units as one module, with the names that the symbols of each have there.
fn linked(
    mut units: Vec<link::Unit>,
    unit: Unit,
    teacher: &mut teach::Teacher<'_>,
    sink: &mut Diagnostics,
) -> Option<(ir::Module, Vec<Symbols>)> {
    // Only whole programs are linked: an engine without their host side has no need of what links them.
    if !unit.is_program() {
        let one = units.pop()?;
        teacher.set_names(one.names);
        return Some((one.module, vec![]));
    }
    let before: Vec<(Vec<String>, Vec<String>)> = units
        .iter()
        .map(|one| {
            let functions = one.module.functions.iter().map(|one| one.name.clone());
            (functions.collect(), one.module.globals.iter().map(|one| one.name.clone()).collect())
        })
        .collect();
    let rules = link::Rules { whole: !unit.relocatable, sizes: true, begins: &[] };
    let linked = link::link(units, rules, teacher.sources(), sink)?;
    let symbols = before.into_iter().enumerate().map(|(unit, (functions, globals))| {
        let name = |id: &ir::FunctionId| linked.module.functions[id.index()].name.clone();
        let functions = functions.into_iter().zip(linked.functions[unit].iter().map(name));
        let name = |id: &ir::GlobalId| linked.module.globals[id.index()].name.clone();
        let globals = globals.into_iter().zip(linked.globals[unit].iter().map(name));
        functions.chain(globals).collect()
    });
    let symbols: Vec<Symbols> = symbols.collect();
    teacher.set_names(linked.names);
    Some((linked.module, symbols))
}

/// Where kernels and functions stand that no launch reaches, where it is known what is launched: from their names to their ends.
/// What is to be said of them concerns no run.
fn elsewhere(program: &Program, options: &Options) -> Vec<(u32, u32)> {
    let launched = |function: &Function| function.kernel && options.launches(&function.symbol);
    let reached = check::reached(program, &launched);
    let extent = |at: usize| (program.functions[at].span.lo, program.functions[at].end.hi);
    // Instances of a template stand in one place.
    let here: Set<(u32, u32)> = (0..reached.len()).filter(|at| reached[*at]).map(extent).collect();
    (0..reached.len()).map(extent).filter(|extent| !here.contains(extent)).collect()
}

/// The instances that are asked for, with their symbols.
fn instances(program: &Program, instances: &[String]) -> Vec<(String, String)> {
    let name = |line: u32| asked(instances).nth((line as usize).checked_sub(2)?);
    let found =
        program.asked.iter().filter_map(|(line, symbol)| Some((name(*line)?.clone(), symbol.clone())));
    let mut found: Vec<_> = found.collect();
    found.dedup();
    found
}

/// The variables in shared memory. An array whose size a launch says has no elements here.
fn shared(program: &Program) -> Vec<Shared> {
    let there = program.variables.iter().filter(|one| one.space == Space::Shared);
    there
        .map(|one| {
            let (mut ty, mut lengths) = (one.ty, vec![]);
            while let Some((of, length)) = match program.types.kind(ty) {
                TypeKind::Array(of, length) => Some((*of, *length)),
                TypeKind::UnknownArray(of) => Some((*of, 0)),
                _ => None,
            } {
                lengths.push(length);
                ty = of;
            }
            let element = program.layout(ty).0;
            Shared { name: one.name.to_string(), symbol: one.symbol.clone(), element, lengths }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The code that each memory instruction of a kernel was made from.
    fn origins(text: &str) -> Vec<(String, String)> {
        let input = Input { name: "a.cu", text, include: &|_| None };
        let output = compile(&input, &Options::default()).expect("it compiles");
        let of = |(number, line): (u32, &str)| {
            let line = line.trim();
            let memory =
                ["ld.global", "st.global", "cp.async.ca", "atom"].iter().any(|op| line.starts_with(op));
            let span = output.origins.span(number)?;
            memory.then(|| {
                let words = line.split_whitespace().next().unwrap_or_default();
                (words.to_owned(), output.sources.text(span).to_owned())
            })
        };
        (1..).zip(output.ptx.lines()).filter_map(of).collect()
    }

    #[test]
    fn a_header_that_is_not_known_is_an_error_where_a_kernel_needs_it() {
        let compiled = |body: &str| {
            let text = format!(
                "#include <cub/cub.cuh>\n__global__ void k(int *p) {{ {body} }}\nint main() {{ cub::DeviceScan scan; }}"
            );
            compile(&Input { name: "a.cu", text: &text, include: &|_| None }, &Options::default())
        };
        assert!(compiled("p[0] = 1;").is_ok());
        let failure = compiled("p[0] = cub::LaneId(); p[1] = q;").expect_err("an error");
        let codes: Vec<&str> = failure.diagnostics.iter().map(|one| one.code).collect();
        assert_eq!(codes, ["refused-header"]);
    }

    #[test]
    fn jumps_that_form_thousands_of_loops_within_each_other_are_an_error() {
        let problem = |labels: u32| {
            let jump = |at| format!("L{at}: if (p[{}]) goto L{};\n", at % 7, at * 7919 % labels);
            let body: String = (0..labels).map(jump).collect();
            let text = format!("__global__ void k(int *p) {{\n{body}}}\n");
            let input = Input { name: "a.cu", text: &text, include: &|_| None };
            compile(&input, &Options::default()).err().map(|failure| failure.diagnostics[0].message.clone())
        };
        assert_eq!(problem(100), None);
        let found = problem(6000).expect("an error");
        assert!(found.contains("form too many loops within each other"), "{found}");
    }

    #[test]
    fn warnings_of_any_number_leave_kernels_as_they_are() {
        let again = |n: usize| format!("#define N {n}\n");
        let text: String =
            (0..300).map(again).chain(["__global__ void k(int *p) { p[0] = N; }".to_owned()]).collect();
        let output = compile(&Input { name: "a.cu", text: &text, include: &|_| None }, &Options::default());
        let output = output.expect("it compiles");
        assert!(output.warnings.len() > 200 && output.ptx.contains("299"), "{}", output.ptx);
    }

    #[test]
    fn a_load_is_told_from_the_product_that_begins_with_it() {
        let found = origins(
            "__global__ void k(float *a, float *b, float *c) { int i = threadIdx.x; c[i] += a[i] * b[2 * i]; }",
        );
        let expected = [
            ("ld.global.f32", "a[i]"),
            ("ld.global.f32", "b[2 * i]"),
            ("ld.global.f32", "c[i] += a[i] * b[2 * i]"),
            ("st.global.f32", "c[i] += a[i] * b[2 * i]"),
        ];
        assert_eq!(found, expected.map(|(op, text)| (op.to_owned(), text.to_owned())));
    }

    #[test]
    fn what_a_header_of_ours_does_was_made_from_its_call() {
        let found = origins(
            "__device__ float twice(const float *p) { return 2 * *p; }\n\
             __global__ void k(float *a) { atomicMax((int *)a, 3); a[1] = twice(a + 7); }",
        );
        assert!(
            found.iter().any(|(op, text)| op.starts_with("atom") && text.starts_with("atomicMax(")),
            "{found:?}"
        );
        assert!(found.iter().any(|(op, text)| op.starts_with("ld") && text == "*p"), "{found:?}");
    }

    #[test]
    fn lines_that_assembly_tells_itself_leave_no_origins() {
        let found =
            origins("__global__ void k(float *a) { asm volatile(\"\\n\\t.loc\\t1 2 3\\n\"); a[0] = 1.0f; }");
        assert_eq!(found, []);
    }

    #[test]
    fn instances_that_are_asked_for_are_made_once() {
        let text = "#define FOUR 4\n\
                    namespace n { template <typename T, int N> __global__ void scale(T *p, int) { *p *= N; } }\n\
                    template <typename... T> __global__ void all(T... p) {}\n\
                    template __global__ void n::scale<float, 3>(float *, int);\n\
                    __global__ void plain() {}\n";
        let entries = |names: &[&str]| {
            let instances = names.iter().map(|name| (*name).to_owned()).collect();
            let input = Input { name: "a.cu", text, include: &|_| None };
            let output = compile(&input, &Options { instances, ..Options::default() }).expect("it compiles");
            output.ptx.matches(".entry").count()
        };
        assert_eq!(entries(&[]), 2);
        assert_eq!(entries(&["n::scale<float, 3>"]), 2, "the source has it");
        assert_eq!(entries(&["n::scale<double, FOUR>", "::n::scale<double, 4>"]), 3);
        // What is no instance's name, and what cannot be one, makes none.
        assert_eq!(entries(&["plain", "plain<int>", "n::scale", "n::scale<flaot, 1>", "{<>", "a\n<b>"]), 2);
        let unclosed = [
            "n::scale<float, (1>",
            "n::scale<float, 1)>",
            "plain()<>",
            "n::scale<float, 'ab'>",
            "n::scale<int, '>",
        ];
        assert_eq!(entries(&unclosed), 2);
    }

    #[test]
    fn instances_may_have_templates_for_arguments() {
        let text = "namespace n { template <class T> struct Square { static __device__ T run(T x) { return x * x; } }; }\n\
                    template <class T> struct Twice { static __device__ T run(T x) { return x + x; } };\n\
                    template <template <class> class Op, class T> __global__ void apply(T *p) { *p = Op<T>::run(*p); }\n";
        let names = ["apply<Twice, float>", "apply<n::Square, int>"];
        let options = Options { instances: names.map(str::to_owned).to_vec(), ..Options::default() };
        let output =
            compile(&Input { name: "a.cu", text, include: &|_| None }, &options).expect("it compiles");
        let found: Vec<_> = output.instances.iter().map(|(name, symbol)| (&**name, &**symbol)).collect();
        let expected = [(names[0], "_Z5applyI5TwicefEvPT0_"), (names[1], "_Z5applyIN1n6SquareEiEvPT0_")];
        assert_eq!(found, expected);
        assert!(output.warnings.is_empty(), "{:?}", output.warnings);
    }

    #[test]
    fn an_instance_that_cannot_be_made_is_told_with_the_reason() {
        let text = "template <class T> struct Square {};\n\
                    template <template <class> class Op, class T> __global__ void apply(T *p) {}\n\
                    template <class T, int N> __global__ void scale(T *p) { *p *= N; }\n\
                    __global__ void plain(int *p) {}\n";
        for (name, why, help) in [
            ("apply<Square>", "missing template argument for `T`", None),
            ("apply<float, float>", "template argument for `Op` must be the name of a template", None),
            ("scale<flaot, 3>", "use of undeclared identifier `flaot`", None),
            ("scale<float, float>", "template argument for `N` must be a value", None),
            ("plain<int>", "it is not a template of a kernel", None),
            ("scael<float, 3>", "use of undeclared identifier `scael`", Some("did you mean `scale`?")),
        ] {
            let options = Options { instances: vec![name.to_owned()], ..Options::default() };
            let output =
                compile(&Input { name: "a.cu", text, include: &|_| None }, &options).expect("it compiles");
            assert!(output.instances.is_empty(), "{name}: {:?}", output.instances);
            let [warning] = output.warnings.as_slice() else { panic!("{name}: {:?}", output.warnings) };
            let begins = format!("there is no instance `{name}`: {why}");
            assert!(warning.message.starts_with(&begins), "{name}: {}", warning.message);
            if help.is_some() {
                assert_eq!(warning.help.as_deref(), help, "{name}");
            }
        }
    }

    #[test]
    fn instances_are_found_by_names_that_mean_the_same() {
        let text = "#include <cuda_fp16.h>\n#define WORD unsigned\nconst int BLOCK = 128;\nenum class Border { Zero = 3 };\n\
                    template <typename T, int N> __global__ void scale(T *p) { p[0] = p[N]; }\n\
                    template <Border B> __global__ void fold(int *p) { *p = int(B); }\n\
                    void host(half *h) { scale<half, BLOCK><<<1, 1>>>(h); }\n";
        let names = [
            "scale<half, BLOCK>",
            "scale<WORD, 64 * 2>",
            "scale<uint32_t, 128>",
            "scale<u, 1>",
            "fold<Border::Zero>",
            "fold<(Border)3>",
            "scale<float, (1 << 7)>",
            "scale<float, sizeof(float)>",
            "scale<float, 'a'>",
        ];
        let options = Options { instances: names.map(str::to_owned).to_vec(), ..Options::default() };
        let output =
            compile(&Input { name: "a.cu", text, include: &|_| None }, &options).expect("it compiles");
        let found: Vec<_> = output.instances.iter().map(|(name, symbol)| (&**name, &**symbol)).collect();
        let expected = [
            ("scale<half, BLOCK>", "_Z5scaleI6__halfLi128EEvPT_"),
            ("scale<WORD, 64 * 2>", "_Z5scaleIjLi128EEvPT_"),
            ("scale<uint32_t, 128>", "_Z5scaleIjLi128EEvPT_"),
            ("fold<Border::Zero>", "_Z4foldIL6Border3EEvPi"),
            ("fold<(Border)3>", "_Z4foldIL6Border3EEvPi"),
            ("scale<float, (1 << 7)>", "_Z5scaleIfLi128EEvPT_"),
            ("scale<float, sizeof(float)>", "_Z5scaleIfLi4EEvPT_"),
            ("scale<float, 'a'>", "_Z5scaleIfLi97EEvPT_"),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn kernels_that_are_not_launched_are_empty() {
        let text = "__device__ float half(float x) { return x / 2; }\n\
                    extern \"C\" __global__ void one(float *a) { a[0] = half(a[1]); }\n\
                    template <int N> __global__ void two(float *a) { int n; a[n] = N; }\n\
                    template __global__ void two<3>(float *);";
        let input = Input { name: "a.cu", text, include: &|_| None };
        let of = |launched: Option<&str>| {
            let launched = launched.map(|part| vec![part.to_owned()]);
            compile(&input, &Options { launched, ..Options::default() }).expect("it compiles")
        };
        let (all, one, two) = (of(None), of(Some("one")), of(Some("two")));
        for output in [&all, &one, &two] {
            assert_eq!(output.ptx.matches(".entry").count(), 2, "{}", output.ptx);
        }
        let warnings = [&all, &one, &two].map(|output| output.warnings.len());
        assert_eq!(warnings, [1, 0, 1]);
        let loads = [&all, &one, &two].map(|output| output.ptx.matches("ld.global").count());
        let stores = [&all, &one, &two].map(|output| output.ptx.matches("st.global").count());
        assert_eq!((loads, stores), ([1, 1, 0], [2, 1, 1]));
    }

    #[test]
    fn only_what_a_launch_reaches_is_warned_of() {
        let text = "__device__ int left(int *a) { int n; return a[n]; }\n\
                    __device__ int right(int *a) { int m; return a[m]; }\n\
                    template <typename T> __global__ void put(T *a) { int k; a[k] = 1; }\n\
                    __global__ void put_left(int *a) { a[0] = left(a); }\n\
                    __global__ void put_right(int *a) { a[0] = right(a); }\n\
                    template __global__ void put<int>(int *);\n\
                    template __global__ void put<float>(float *);";
        let input = Input { name: "a.cu", text, include: &|_| None };
        let told = |launched: &[&str]| -> Vec<String> {
            let launched = Some(launched.iter().map(|name| (*name).to_owned()).collect());
            let output = compile(&input, &Options { launched, ..Options::default() }).expect("it compiles");
            let about = |one: &Diagnostic| output.sources.text(one.span).to_owned();
            output.warnings.iter().map(about).collect()
        };
        assert_eq!(told(&["put_left"]), ["n"]);
        assert_eq!(told(&["put"]), ["k"]);
        assert_eq!(told(&["_Z9put_rightPi", "put_left"]), ["n", "m"]);
    }

    #[test]
    fn kernels_in_c_are_told_with_their_types_and_functions_of_the_host_by_name() {
        let text = "typedef double real;\n\
                    extern \"C\" __global__ void twice(const real *in, real out[], int n) { out[n] = in[n]; }\n\
                    __global__ void other(float *) {}\n\
                    static void fill(float *a);\n\
                    constexpr int both(int n) { return n; }\n\
                    __host__ __device__ int each(int n) { return n; }\n\
                    template <typename T> void check(T) {}\n\
                    struct Timer { void start() {} };\n\
                    int main() { auto print = [] {}; print(); fill(0); check(1); }\n\
                    void fill(float *a) { other<<<1, 1>>>(a); }";
        let input = Input { name: "a.cu", text, include: &|_| None };
        let output = compile(&input, &Options::default()).expect("it compiles");
        assert_eq!(output.typed, [("twice".to_owned(), "_Z5twicePKdPdi".to_owned())]);
        assert_eq!(output.host, ["check", "main", "fill"]);
    }
}
