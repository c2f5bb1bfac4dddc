use super::{Linked, Rules, Unit, link};
use crate::diagnostic::Diagnostics;
use crate::ir::parse::parse;
use crate::ir::verify::verify;
use crate::ir::{Linkage, Module};
use crate::source::Sources;

/// Units of modules: names of functions and variables say their linkage, `weak_…` and `own_…`, and external ones are another unit's.
fn units(texts: &[&str]) -> Vec<Unit> {
    let linkage = |name: &str| match name.split('_').next() {
        Some("weak") => Linkage::Weak,
        Some("own") => Linkage::Internal,
        _ => Linkage::Visible,
    };
    let unit = |(number, text): (usize, &&str)| {
        let mut module: Module = parse(text);
        for function in &mut module.functions {
            function.linkage = linkage(&function.name);
        }
        for global in &mut module.globals {
            global.linkage = linkage(&global.name);
        }
        Unit { file: format!("{number}.cu"), module, names: vec![] }
    };
    texts.iter().enumerate().map(unit).collect()
}

fn linked(texts: &[&str], whole: bool) -> Result<Linked, Vec<String>> {
    let mut sink = Diagnostics::default();
    let rules = Rules { whole, sizes: true, begins: &["main"] };
    let found = link(units(texts), rules, &Sources::default(), &mut sink);
    let messages: Vec<String> = sink.list.into_iter().map(|one| one.message).collect();
    let found = found.ok_or(messages)?;
    assert_eq!(verify(&found.module), Ok(()));
    Ok(found)
}

fn names(linked: &Linked) -> Vec<&str> {
    let globals = linked.module.globals.iter().map(|one| &*one.name);
    globals.chain(linked.module.functions.iter().map(|one| &*one.name)).collect()
}

const RETURNS: &str = "() {\nb0:\n  return\n}\n";
const CALLS: &str =
    "function @main() {\nb0:\n  call @other\n  return\n}\nexternal @other() {\nb0:\n  unreachable\n}\n";

#[test]
fn what_one_unit_calls_another_defines() {
    let other = format!("function @other{RETURNS}");
    let found = linked(&[CALLS, &other], false).expect("a module");
    assert_eq!(names(&found), ["main", "other"]);
    assert_eq!(found.functions[0][1], found.functions[1][0]);
    let visible: Vec<bool> = found.module.functions.iter().map(|one| one.visible).collect();
    assert_eq!(visible, [true, false]);
}

#[test]
fn names_that_no_unit_defines_and_that_two_define_are_errors() {
    let missing = linked(&[CALLS], false).err().expect("an error");
    assert!(missing[0].starts_with("undefined reference to `other`"), "{missing:?}");
    let other = format!("function @other{RETURNS}");
    let twice = linked(&[CALLS, &other, &other], false).err().expect("an error");
    assert_eq!(twice, ["multiple definition of `other`: in `1.cu` and in `2.cu`"]);
}

#[test]
fn what_is_a_units_own_is_apart_and_what_several_have_is_one() {
    let text = format!(
        "global @own_n global 4 align 4 element i32\nfunction @own_f{RETURNS}function @weak_f{RETURNS}"
    );
    let found = linked(&[&text, &text], false).expect("a module");
    assert_eq!(names(&found), ["own_n", "own_n$u2", "own_f", "weak_f", "own_f$u2"]);
    assert_eq!(found.functions[0][1], found.functions[1][1]);
    assert_eq!(super::written_name("own_n$u2"), "own_n");
    let whole = linked(&[&text, &text], true).expect("a module");
    assert_eq!(names(&whole), ["own_n", "own_n$u2", "own_f", "weak_f", "own_f$u2", "weak_f$u2"]);
}

#[test]
fn a_definition_goes_before_those_that_any_unit_may_have() {
    let weak = format!("function @main() {{\nb0:\n  call @weak_f\n  return\n}}\nfunction @weak_f{RETURNS}");
    let mut all = units(&[&weak, &format!("function @weak_f{RETURNS}")]);
    all[1].module.functions[0].linkage = Linkage::Visible;
    let rules = Rules { whole: false, sizes: true, begins: &[] };
    let found = link(all, rules, &Sources::default(), &mut Diagnostics::default()).expect("a module");
    assert_eq!(names(&found), ["main", "weak_f"]);
    assert_eq!(found.functions[0][1], found.functions[1][0]);
}

#[test]
fn a_variable_of_another_size_than_it_is_declared_with_is_an_error() {
    let text =
        |external: &str, size: u32| format!("global @n global {size} align 4 element i32 array{external}\n");
    let found = linked(&[&text(" external", 8), &text(" visible", 16)], false).err().expect("an error");
    assert_eq!(found, ["`n` has 8 bytes where `0.cu` declares it, and 16 where `1.cu` defines it"]);
    assert!(linked(&[&text(" external", 0), &text(" visible", 16)], false).is_ok());
}
