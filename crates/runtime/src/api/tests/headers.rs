//! The headers that declare the API against the table that has it.

use crate::api::names;
use crate::api::status::ALL;
use crate::api::table::find;

const DECLARED: &str = include_str!("../../../../cuda/library/host/cuda_runtime_api.h");

/// Functions that the header declares, with the letters of their types.
fn declared() -> Vec<(String, String)> {
    let body = &DECLARED[DECLARED.find("extern \"C\" {").unwrap()..];
    let text: String = body.lines().filter(|line| !line.starts_with("//")).collect::<Vec<_>>().join(" ");
    let letter = |ty: &str| {
        let ty = ty.split('=').next().unwrap().trim();
        let by_address = ["cudaExtent", "cudaPitchedPtr", "dim3", "cudaMemLocation"];
        let pointers = [
            "cudaStream_t",
            "cudaEvent_t",
            "cudaArray_t",
            "cudaArray_const_t",
            "cudaStreamCallback_t",
            "cudaHostFn_t",
            "cudaMemPool_t",
            "cudaGraph_t",
            "cudaGraphExec_t",
            "cudaGraphNode_t",
        ];
        let first = ty.split_whitespace().next().unwrap();
        match first {
            _ if ty.contains('*') => 'p',
            _ if by_address.contains(&first) || pointers.contains(&first) => 'p',
            "unsigned" if ty.starts_with("unsigned long") => 'l',
            "size_t" | "cudaTextureObject_t" | "cudaSurfaceObject_t" => 'l',
            _ => 'i',
        }
    };
    let mut all = vec![];
    for declaration in text.split(';') {
        let Some((head, rest)) = declaration.split_once('(') else { continue };
        let name = head.rsplit([' ', '*']).next().unwrap();
        let result = letter(head.trim_start_matches("extern \"C\" {").trim());
        let parameters = rest.trim_end().trim_end_matches(')');
        let parameters = parameters.split(',').filter(|one| !one.trim().is_empty()).map(letter);
        all.push((name.to_owned(), std::iter::once(result).chain(parameters).collect()));
    }
    all
}

#[test]
fn the_header_declares_the_functions_of_the_table_with_their_types() {
    let declared = declared();
    for (name, signature) in &declared {
        let row = find(name).unwrap_or_else(|| panic!("{name} is declared and not in the table"));
        assert_eq!(row.signature, signature, "{name}");
    }
    let missing: Vec<_> = names().filter(|name| !declared.iter().any(|(there, _)| there == name)).collect();
    assert_eq!(missing, Vec::<&str>::new());
    assert!(declared.len() > 110, "{}", declared.len());
}

#[test]
fn errors_of_the_device_library_are_those_of_the_api() {
    let types = include_str!("../../../../cuda/library/runtime.cuh");
    let texts = include_str!("../../../../cuda/library/error_names.cuh");
    let texts: String = texts.split("\"\n").map(str::trim_start).collect::<Vec<_>>().join("\"\n");
    for (number, name, text) in ALL {
        assert!(types.contains(&format!("    {name} = {number},\n")), "{name}");
        assert!(texts.contains(&format!("return \"{name}\";")), "{name}");
        let joined = texts.replace("\"\n\"", "");
        assert!(joined.contains(&format!("return \"{text}\";")), "{text}");
    }
}
