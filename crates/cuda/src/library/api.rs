//! Functions of the CUDA Math API (`api.txt`): that each is there, with its types.

use crate::options::{Arch, Input, Options};

/// Name in CUDA C of a letter of `api.txt`.
fn ty(letter: char) -> &'static str {
    match letter {
        'v' => "void",
        'o' => "bool",
        't' => "char",
        'c' => "signed char",
        'C' => "unsigned char",
        's' => "short",
        'S' => "unsigned short",
        'i' => "int",
        'u' => "unsigned",
        'n' => "long",
        'N' => "unsigned long",
        'l' => "long long",
        'L' => "unsigned long long",
        'f' => "float",
        'd' => "double",
        'h' => "__half",
        'H' => "__half2",
        'b' => "__nv_bfloat16",
        'B' => "__nv_bfloat162",
        '2' => "float2",
        other => panic!("no type has the letter {other}"),
    }
}

/// Types of a signature: of the result and of the parameters.
fn types(signature: &str) -> (String, Vec<String>) {
    let (mut found, mut pointer) = (vec![], "");
    for letter in signature.chars().filter(|letter| !"()".contains(*letter)) {
        if letter == '*' {
            pointer = " *";
        } else {
            found.push(format!("{}{pointer}", ty(letter)));
            pointer = "";
        }
    }
    let result = found.remove(0);
    (result, found)
}

/// A kernel that calls a function with its parameters and takes its result for what it is.
fn kernel(number: usize, name: &str, signature: &str) -> String {
    let (result, parameters) = types(signature);
    let named = |(at, ty): (usize, &String)| {
        let constant = if name.starts_with("__ld") || name.starts_with("nan") { "const " } else { "" };
        format!("{}{ty} p{at}", if ty.ends_with('*') { constant } else { "" })
    };
    let declared: Vec<String> = parameters.iter().enumerate().map(named).collect();
    let given: Vec<String> = (0..parameters.len()).map(|at| format!("p{at}")).collect();
    let call = format!("{name}({})", given.join(", "));
    if result == "void" {
        return format!("__global__ void k{number}({}) {{ {call}; }}\n", declared.join(", "));
    }
    let comma = if declared.is_empty() { "" } else { ", " };
    format!(
        "__global__ void k{number}({result} *out{comma}{}) {{ static_assert(sizeof({call}) == sizeof({result})); \
         *out = {call}; }}\n",
        declared.join(", ")
    )
}

fn errors(source: &str, arch: u32) -> String {
    let input = Input { name: "api.cu", text: source, include: &|_| None };
    let options = Options { arch: Arch { number: arch, suffix: None }, ..Options::default() };
    match crate::compile(&input, &options) {
        Ok(_) => String::new(),
        Err(failure) => crate::diagnostic::render(&failure.diagnostics, &failure.sources, false),
    }
}

/// A call of every function of the chapters that a word begins.
fn calls_compile(chapters: &str, headers: &str) {
    let mut source = headers.to_owned();
    let (mut inside, mut count) = (false, 0);
    for line in include_str!("api.txt").lines().filter(|line| !line.is_empty() && !line.starts_with("# ")) {
        if let Some(chapter) = line.strip_prefix("## ") {
            inside = chapters.split('|').any(|one| chapter.starts_with(one));
            continue;
        }
        let (name, signatures) = line.split_once(' ').unwrap();
        for signature in signatures.split(' ').filter(|_| inside) {
            source += &kernel(count, name, signature);
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
    for arch in [52, 90] {
        // Products of bytes came with 6.1.
        let there = |line: &&str| arch >= 61 || !line.contains("= __dp");
        let source: String = source.lines().filter(there).map(|line| format!("{line}\n")).collect();
        let errors = errors(&source, arch);
        assert!(errors.is_empty(), "compute_{arch}: {errors}");
    }
}

#[test]
fn every_function_of_half_precision_is_there() {
    calls_compile("Half", "#include <cuda_fp16.h>\n");
}

#[test]
fn every_function_of_bfloat16_is_there() {
    calls_compile("Bfloat16", "#include <cuda_bf16.h>\n");
}

#[test]
fn every_function_of_single_and_double_precision_and_of_integers_is_there() {
    calls_compile("Single|Double|Integer|Type|SIMD|DPX", "");
}

#[test]
fn what_is_not_there_is_refused_by_name() {
    let refused = [
        ("", "*out = dadd(1.0, 2.0, 1);", "`dadd`"),
        ("", "*out = __nv_fp128_sqrt(2.0);", "`__nv_fp128_sqrt`"),
        ("", "*out = __pm0();", "`__pm0`"),
        ("#include <cuda_fp6.h>\n", "*out = (double)__nv_fp6_e2m3(2.0f);", "`cuda_fp6.h`"),
        ("#include <cuda_fp4.h>\n", "*out = (double)__nv_fp4_e2m1(2.0f);", "`cuda_fp4.h`"),
        (
            "#include <curand_kernel.h>\n",
            "curandState s; *out = curand_discrete(&s, 0);",
            "with `curand_poisson`",
        ),
    ];
    for (include, statement, named) in refused {
        let errors = errors(&format!("{include}__global__ void k(double *out) {{ {statement} }}\n"), 90);
        assert!(errors.contains(named), "{statement} {errors}");
    }
}
