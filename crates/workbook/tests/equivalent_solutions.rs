//! Solutions written in another way, as students write them, pass like the workbook's own: what counts is what a kernel does.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use checker::Case;
use exercise::Task;

/// A kernel of a source.
pub(crate) struct Kernel<'a> {
    pub(crate) name: &'a str,
    pub(crate) parameters: &'a str,
    /// With its braces.
    pub(crate) body: &'a str,
    all: &'a str,
}

impl Kernel<'_> {
    /// The names of the parameters, as a call passes them.
    pub(crate) fn arguments(&self) -> String {
        let name = |parameter: &str| {
            parameter.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap().to_owned()
        };
        self.parameters.split(',').map(|parameter| name(parameter.trim())).collect::<Vec<_>>().join(", ")
    }
}

/// The text from its first opening bracket to the one that closes it.
fn bracketed(text: &str, open: char, close: char) -> &str {
    let start = text.find(open).unwrap();
    let mut depth = 0;
    let end = text[start..].find(|c| {
        depth += i32::from(c == open) - i32::from(c == close);
        depth == 0
    });
    &text[start..=start + end.unwrap()]
}

/// A source in which each kernel is rewritten.
pub(crate) fn with_kernels(source: &str, write: impl Fn(&Kernel<'_>) -> String) -> String {
    const BEGINS: &str = "__global__ void ";
    let kernels = source.match_indices(BEGINS).map(|(at, _)| {
        let name = source[at + BEGINS.len()..].split('(').next().unwrap();
        let parameters = bracketed(&source[at..], '(', ')');
        let body = bracketed(&source[at..], '{', '}');
        let end = body.as_ptr() as usize - source.as_ptr() as usize + body.len();
        Kernel { name, parameters: parameters.trim_matches(['(', ')']), body, all: &source[at..end] }
    });
    kernels.fold(source.to_owned(), |text, kernel| text.replace(kernel.all, &write(&kernel)))
}

fn pass(way: &str, write: impl Fn(&str) -> String) {
    // Of a whole program, kernels are not what the student writes.
    let kernels = exercise::all().unwrap().into_iter().filter(|task| task.exercise.program.is_none());
    for task in kernels {
        let Task { exercise, variants, .. } = &task;
        let source = write(&variants.solution());
        let verdict = checker::check(&task, "a.cu", &source, &Case::shown(exercise)).unwrap();
        let reported = || feedback::feedback(&verdict, &task, "a.cu", &source, false);
        assert!(verdict.passed(), "{}, {way}:\n{}\n{source}", exercise.name, reported());
    }
}

#[test]
fn the_body_of_a_kernel_may_be_a_function() {
    pass("in a function", |source| {
        with_kernels(source, |kernel| {
            let Kernel { name, parameters, body, .. } = kernel;
            let arguments = kernel.arguments();
            format!(
                "__device__ void of_{name}({parameters})\n{body}\n\n__global__ void {name}({parameters})\n{{\n    \
                 of_{name}({arguments});\n}}"
            )
        })
    });
}

#[test]
fn the_body_of_a_kernel_may_be_a_lambda() {
    pass("in a lambda", |source| {
        with_kernels(source, |Kernel { name, parameters, body, .. }| {
            format!("__global__ void {name}({parameters})\n{{\n    auto run = [&]() {body};\n    run();\n}}")
        })
    });
}

#[test]
fn a_kernel_may_print_and_assert() {
    pass("with printf", |source| {
        let source = with_kernels(source, |Kernel { name, parameters, body, .. }| {
            let first =
                "if (blockIdx.x + threadIdx.x == 0) printf(\"begun\\n\");\n    assert(gridDim.x > 0);";
            format!("__global__ void {name}({parameters})\n{{\n    {first}\n{}", &body[1..])
        });
        format!("#include <cassert>\n#include <cstdio>\n{source}")
    });
}

#[test]
fn a_source_may_have_a_host_and_headers() {
    pass("with a host", |source| {
        format!(
            "#include <cstdio>\n#include <cuda_runtime.h>\nusing namespace std;\n{source}\nint main()\n{{\n    \
             printf(\"%d\\n\", int(cudaDeviceSynchronize()));\n}}\n"
        )
    });
}

#[test]
fn lines_may_end_and_begin_as_an_editor_has_them() {
    pass("of an editor", |source| format!("\u{feff}{}", source.replace("    ", "\t").replace('\n', "\r\n")));
}
