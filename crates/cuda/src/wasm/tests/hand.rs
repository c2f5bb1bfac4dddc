//! Programs by hand: control flow, calls, faults with their places, memory.

use super::super::site::Fault;
use super::super::{Limits, emit};
use super::program::{End, External, Program, bits, value};
use crate::ir::parse::parse;
use crate::ir::verify::verify;
use crate::ir::{FunctionId, Module};

fn module(text: &str) -> Module {
    let module = parse(text);
    assert_eq!(verify(&module), Ok(()), "{text}");
    module
}

/// What the visible function `main` gives, as written and after passes, which must be the same.
fn run(text: &str, args: &[u64], externals: &[(&str, External)]) -> End {
    let mut module = module(text);
    let written = Program::new(&module, externals).call("main", args);
    crate::passes::optimize(&mut module);
    let optimized = Program::new(&module, externals).call("main", args);
    assert_eq!(written, optimized, "{module}");
    written
}

/// The one result of `main`, which the interpreter of the representation must give too.
fn result(text: &str, args: &[u64]) -> u64 {
    let module = module(text);
    let at = module.functions.iter().position(|function| function.name == "main").unwrap();
    let expected = crate::ir::run::Machine::new(&module).call(FunctionId(at as u32), args).unwrap();
    assert_eq!(run(text, args, &[]), End::Returned(expected.clone()), "{text}");
    expected[0]
}

fn main(params: &str, result: &str, body: &str) -> String {
    let names = params.split(", ").filter(|param| !param.is_empty());
    let names: Vec<&str> = names.map(|param| param.split(':').next().unwrap_or_default()).collect();
    let (open, close) = if params.is_empty() { ("", "") } else { ("(", ")") };
    format!("function @main({}) visible{result} {{\nb0{open}{params}{close}:\n{body}\n}}\n", names.join(", "))
}

#[test]
fn a_loop_sums_and_leaves_where_it_should() {
    let text = main(
        "n: i32",
        " -> i32",
        "  jump b1(0:i32, 0:i32)\nb1(i: i32, s: i32):\n  c: pred = cmp.slt i, n\n  branch c, b2, b4\nb2:\n  \
         t: i32 = add s, i\n  d: pred = cmp.sgt t, 1000:i32\n  branch d, b3, b5\nb5:\n  j: i32 = add i, 1:i32\n  \
         jump b1(j, t)\nb3:\n  return -1:i32\nb4:\n  return s",
    );
    assert_eq!(result(&text, &[10]), 45);
    assert_eq!(result(&text, &[0]), 0);
    assert_eq!(result(&text, &[100]), 0xffff_ffff);
}

#[test]
fn values_that_change_places_do_so_at_once() {
    let text = main(
        "n: i32",
        " -> i32",
        "  jump b1(0:i32, 0:i32, 1:i32)\nb1(i: i32, a: i32, b: i32):\n  c: pred = cmp.slt i, n\n  branch c, b2, b3\nb2:\n  \
         j: i32 = add i, 1:i32\n  jump b1(j, b, a)\nb3:\n  d: i32 = mul a, 10:i32\n  e: i32 = add d, b\n  return e",
    );
    assert_eq!([result(&text, &[4]), result(&text, &[7])], [1, 10]);
}

#[test]
fn loops_that_are_entered_at_two_places_run() {
    // b1 and b2 lead to each other, and the entry to both.
    let text = main(
        "n: i32",
        " -> i32",
        "  c: pred = cmp.slt n, 50:i32\n  branch c, b1(n, 0:i32), b2(n, 0:i32)\nb1(x: i32, s: i32):\n  \
         t: i32 = add s, 1:i32\n  y: i32 = add x, 7:i32\n  d: pred = cmp.slt y, 200:i32\n  branch d, b2(y, t), b3(t)\nb2(u: i32, v: i32):\n  \
         w: i32 = add v, 100:i32\n  z: i32 = add u, 5:i32\n  e: pred = cmp.slt z, 200:i32\n  branch e, b1(z, w), b3(w)\nb3(r: i32):\n  return r",
    );
    for n in [0, 49, 50, 120, 199] {
        result(&text, &[n]);
    }
    assert_eq!(result(&text, &[0]), 1717);
}

#[test]
fn switches_find_their_cases() {
    let dense: String = (3..12).map(|n| format!("{n}: b{n}, ")).collect();
    let arms: String = (3..12).map(|n| format!("b{n}:\n  return {}:i64\n", 10 * n)).collect();
    for ty in ["i8", "i32", "i64"] {
        let text = main(
            &format!("x: {ty}"),
            " -> i64",
            &format!("  switch x, {dense}b20\nb20:\n  return -1:i64\n{arms}"),
        );
        for x in 0..14 {
            let expected = if (3..12).contains(&x) { 10 * x } else { u64::MAX };
            assert_eq!(result(&text, &[x]), expected, "{ty} {x}");
        }
    }
    let sparse = "  switch x, 1: b1(x), 1000000: b1(7:i32), 4294967295: b2, b1(9:i32)\nb1(r: i32):\n  return r\nb2:\n  return 3:i32";
    let text = main("x: i32", " -> i32", sparse);
    let found = [1, 1_000_000, 0xffff_ffff, 5].map(|x| result(&text, &[x]));
    assert_eq!(found, [1, 7, 3, 9]);
}

#[test]
fn small_integers_have_no_bits_above_their_own() {
    let text = main(
        "x: i8, y: i16",
        " -> i32",
        "  a: i8 = add x, 100:i8\n  b: i32 = sext a\n  c: i32 = zext a\n  d: i16 = shl y, 4:i32\n  e: i16 = ashr d, 4:i32\n  \
         f: i32 = sext e\n  p: pred = cmp.slt a, 0:i8\n  g: i32 = zext p\n  h: i32 = add b, c\n  i: i32 = add h, f\n  j: i32 = mul g, 100000:i32\n  \
         k: i32 = add i, j\n  return k",
    );
    for (x, y) in [(100, 0x0f00), (200, 0x1234), (0, 0xffff)] {
        result(&text, &[x, y]);
    }
}

#[test]
fn operations_that_webassembly_lacks_are_made_of_others() {
    let nan = u64::from(f32::NAN.to_bits());
    let of = |x: f32| u64::from(x.to_bits());
    for op in ["fmin", "fmax"] {
        let text = main("a: f32, b: f32", " -> f32", &format!("  c: f32 = {op} a, b\n  return c"));
        for (a, b) in [(of(1.0), of(2.0)), (nan, of(2.0)), (of(3.0), nan), (of(-0.5), of(-7.0))] {
            result(&text, &[a, b]);
        }
    }
    for compare in [
        "foeq", "fone", "folt", "fole", "fogt", "foge", "fueq", "fune", "fult", "fule", "fugt", "fuge",
        "ford", "funo",
    ] {
        let text = main(
            "a: f64, b: f64",
            " -> i32",
            &format!("  p: pred = cmp.{compare} a, b\n  r: i32 = zext p\n  return r"),
        );
        let numbers = [1.0, 2.0, f64::NAN].map(f64::to_bits);
        for a in numbers {
            for b in numbers {
                result(&text, &[a, b]);
            }
        }
    }
    for op in ["smin", "smax", "umin", "umax"] {
        let text = main("a: i64, b: i64", " -> i64", &format!("  c: i64 = {op} a, b\n  return c"));
        for (a, b) in [(1, u64::MAX), (u64::MAX, 1), (5, 6)] {
            result(&text, &[a, b]);
        }
    }
    for (row, ty) in [("__umul64hi L(LL)", "i64"), ("__mul64hi l(ll)", "i64")] {
        let text = main(
            &format!("a: {ty}, b: {ty}"),
            " -> i64",
            &format!("  c: i64 = builtin \"{row} -\" a, b\n  return c"),
        );
        for (a, b) in [(u64::MAX, 3), (1 << 63, 1 << 63), (0x1234_5678_9abc_def0, 0xfedc_ba98_7654_3210)] {
            let high = if row.starts_with("__u") {
                ((u128::from(a) * u128::from(b)) >> 64) as u64
            } else {
                ((i128::from(a as i64) * i128::from(b as i64)) >> 64) as u64
            };
            assert_eq!(run(&text, &[a, b], &[]), End::Returned(vec![high]), "{row} {a:#x} {b:#x}");
        }
    }
    for (row, ty, find) in [
        ("__brev u(u)", "i32", (|x| u64::from((x as u32).reverse_bits())) as fn(u64) -> u64),
        ("__brevll L(L)", "i64", u64::reverse_bits),
        ("__popc i(u)", "i32", |x| u64::from((x as u32).count_ones())),
    ] {
        let text = main(
            &format!("a: {ty}"),
            &format!(" -> {ty}"),
            &format!("  c: {ty} = builtin \"{row} -\" a\n  return c"),
        );
        for a in [0, 1, 0x1234_5678, 0xdead_beef] {
            assert_eq!(run(&text, &[a], &[]), End::Returned(vec![find(a)]), "{row} {a:#x}");
        }
    }
    let text = main("a: f64, b: f64, c: f64", " -> f64", "  d: f64 = fma a, b, c\n  return d");
    result(&text, &[0.1f64.to_bits(), 10.0f64.to_bits(), (-1.0f64).to_bits()]);
}

const CALLED: &str = "function @add(x, y) -> i32 {\nb0(x: i32, y: i32):\n  z: i32 = add x, y\n  return z\n}\n\
    function @mul(x, y) -> i32 {\nb0(x: i32, y: i32):\n  z: i32 = mul x, y\n  return z\n}\n\
    function @other(x) -> i64 {\nb0(x: i64):\n  return x\n}\n";

#[test]
fn functions_are_called_by_their_addresses() {
    let table = "global @table global 24 align 8 element i64 array = \"\", 0: @add + 0, 8: @mul + 0, 16: @other + 0\n";
    let body = "  t: ptr.global = global @table\n  i: i64 = mul n, 8:i64\n  p: ptr.global = offset t, i\n  \
                f: ptr.generic = load.a8 p\n  r: i32 = call_indirect f, 6:i32, 7:i32\n  return r";
    let text = format!("{table}{CALLED}{}", main("n: i64", " -> i32", body));
    assert_eq!([result(&text, &[0]), result(&text, &[1])], [13, 42]);
    // The third takes something else.
    let End::Fault(Fault::Call, third, _) = run(&text, &[2], &[]) else { panic!("a call of another type") };
    let program = Program::new(&module(&text), &[]);
    let of = |name: &str| program.output.functions.iter().find(|(symbol, _)| symbol == name).unwrap().1;
    assert_eq!(u64::from(of("other")), third);
    assert!(of("add") > 0 && of("add") != of("mul"));
}

#[test]
fn what_is_no_function_is_not_called() {
    let body = "  f: ptr.generic = bits n\n  r: i32 = call_indirect f, 6:i32, 7:i32\n  g: ptr.generic = function @add\n  \
                s: i32 = call_indirect g, r, 0:i32\n  return s";
    let text = format!("{CALLED}{}", main("n: i64", " -> i32", body));
    assert_eq!(run(&text, &[1], &[]), End::Returned(vec![13]));
    for address in [0, 2, 65536, u64::MAX, (1 << 32) + 1] {
        assert_eq!(run(&text, &[address], &[]), End::Fault(Fault::Call, address, (0, 0)), "{address:#x}");
    }
    // A function's address is none of data.
    let body = "  g: ptr.generic = function @add\n  s: i32 = load.a4 g\n  return s";
    let text = format!("{CALLED}{}", main("", " -> i32", body));
    assert!(matches!(run(&text, &[], &[]), End::Fault(Fault::Load(4), 1, _)));
}

#[test]
fn external_functions_are_called_and_call_back() {
    let externals = "external @twice(f, x) -> i32 {\nb0(f: ptr.generic, x: i32):\n  unreachable\n}\n\
                     external @note(x, y) {\nb0(x: f32, y: i64):\n  unreachable\n}\n";
    let body = "  f: ptr.generic = function @add5\n  r: i32 = call @twice f, 10:i32\n  call @note 0.5:f32, 7:i64\n  \
                g: ptr.generic = function @note\n  call_indirect g, 1.5:f32, -1:i64\n  return r";
    let text = format!(
        "{externals}function @add5(x) -> i32 {{\nb0(x: i32):\n  y: i32 = add x, 5:i32\n  return y\n}}\n{}",
        main("", " -> i32", body)
    );
    let twice: External = |caller, args| {
        let table = caller.get_export("__indirect_function_table").unwrap().into_table().unwrap();
        let Some(wasmi::Val::FuncRef(function)) = table.get(&*caller, args[0]) else { panic!("a function") };
        let function = *function.val().unwrap();
        let mut results = [value(wasmi::ValType::I32, 0)];
        let mut x = args[1];
        for _ in 0..2 {
            function.call(&mut *caller, &[value(wasmi::ValType::I32, x)], &mut results).unwrap();
            x = bits(&results[0]);
        }
        vec![x]
    };
    let note: External = |caller, args| {
        caller.data_mut().push(format!("{} {}", f32::from_bits(args[0] as u32), args[1] as i64));
        vec![]
    };
    let externals: [(&str, External); 2] = [("twice", twice), ("note", note)];
    assert_eq!(run(&text, &[], &externals), End::Returned(vec![20]));
    let mut program = Program::new(&module(&text), &externals);
    program.call("main", &[]);
    assert_eq!(program.notes(), ["0.5 7", "1.5 -1"]);
}

#[test]
fn accesses_outside_of_memory_are_faults() {
    let load = "  p: ptr.generic = bits n\n  q: ptr.generic = offset p, 8:i64\n  x: i32 = load.a4 q\n  y: i32 = load.a4 p\n  z: i32 = add x, y\n  return z";
    let text = main("n: i64", " -> i32", load);
    let program = Program::new(&module(&text), &[]);
    let (low, high) = (program.output.data.0, program.output.heap.1);
    for address in [0, low - 16, high, high + 4, 1 << 32, (1 << 32) + low, 0x7f00_0000_0000, u64::MAX - 64] {
        let at = address.wrapping_add(8);
        assert_eq!(run(&text, &[address], &[]), End::Fault(Fault::Load(4), at, (0, 0)), "{address:#x}");
    }
    for address in [low, high - 12] {
        assert!(matches!(run(&text, &[address], &[]), End::Returned(_)), "{address:#x}");
    }
    let store = main("n: i64", "", "  p: ptr.generic = bits n\n  store.a8 p, 5:i64\n  return");
    for address in [0, low, high, u64::MAX] {
        assert_eq!(
            run(&store, &[address], &[]),
            End::Fault(Fault::Store(8), address, (0, 0)),
            "{address:#x}"
        );
    }
}

#[test]
fn memory_that_an_external_function_has_grown_is_accessed() {
    let externals = "external @grow() {\nb0:\n  unreachable\n}\n";
    let body = "  p: ptr.generic = bits n\n  store.a8 p, 5:i64\n  call @grow\n  q: ptr.generic = offset p, 1048576:i64\n  \
                store.a8 q, 7:i64\n  x: i64 = load.a8 q\n  y: i64 = load.a8 p\n  z: i64 = add x, y\n  return z";
    let text = format!("{externals}{}", main("n: i64", " -> i64", body));
    let grow: External = |caller, _| {
        let memory = caller.get_export("memory").unwrap().into_memory().unwrap();
        memory.grow(&mut *caller, 16).unwrap();
        let bytes = memory.data_size(&*caller) as u64;
        let end = caller.get_export("__heap_end").unwrap().into_global().unwrap();
        end.set(&mut *caller, value(wasmi::ValType::I64, bytes - 65536)).unwrap();
        vec![]
    };
    let high = Program::new(&module(&text), &[("grow", grow)]).output.heap.1;
    assert_eq!(run(&text, &[high - 8], &[("grow", grow)]), End::Returned(vec![12]));
    assert_eq!(run(&text, &[high], &[("grow", grow)]), End::Fault(Fault::Store(8), high, (0, 0)));
    let nothing: External = |_, _| vec![];
    assert_eq!(
        run(&text, &[high - 8], &[("grow", nothing)]),
        End::Fault(Fault::Store(8), high + (1 << 20) - 8, (0, 0))
    );
}

#[test]
fn long_copies_are_checked_to_their_end() {
    let text = main("n: i64", "", "  p: ptr.generic = bits n\n  zero 100000 align 8 p\n  return");
    let high = Program::new(&module(&text), &[]).output.heap.1;
    assert_eq!(run(&text, &[high - 100_000], &[]), End::Returned(vec![]));
    for address in [high - 99_992, high, 0, u64::MAX - 7] {
        assert_eq!(
            run(&text, &[address], &[]),
            End::Fault(Fault::Store(100_000), address, (0, 0)),
            "{address:#x}"
        );
    }
}

#[test]
fn constants_are_not_written() {
    let text = format!(
        "global @c global 4 align 4 element i32 visible readonly = \"05000000\"\nglobal @v global 4 align 4 element i32 visible = \"07000000\"\n{}",
        main(
            "n: i64",
            " -> i32",
            "  p: ptr.generic = bits n\n  x: i32 = load.a4 p\n  store.a4 p, 9:i32\n  return x"
        )
    );
    let program = Program::new(&module(&text), &[]);
    let address = |name: &str| program.output.globals.iter().find(|(symbol, ..)| symbol == name).unwrap().1;
    assert_eq!(run(&text, &[address("v")], &[]), End::Returned(vec![7]));
    let constant = address("c");
    assert_eq!(run(&text, &[constant], &[]), End::Fault(Fault::Store(4), constant, (0, 0)));
}

#[test]
fn divisions_that_have_no_result_are_faults() {
    for (op, overflow) in [("sdiv", true), ("srem", true), ("udiv", false), ("urem", false)] {
        for (ty, least, ones) in [("i32", 1u64 << 31, 0xffff_ffffu64), ("i64", 1 << 63, u64::MAX)] {
            let body = format!("  c: {ty} = {op} a, b\n  return c");
            let text = main(&format!("a: {ty}, b: {ty}"), &format!(" -> {ty}"), &body);
            assert_eq!(run(&text, &[5, 0], &[]), End::Fault(Fault::DivisionByZero, 0, (0, 0)));
            if overflow {
                let fault = End::Fault(Fault::DivisionOverflow, 0, (0, 0));
                assert_eq!(run(&text, &[least, ones], &[]), fault, "{op} {ty}");
            } else {
                result(&text, &[least, ones]);
            }
            for (a, b) in [(7, 2), (ones - 6, 2), (least, 1), (least + 1, ones)] {
                result(&text, &[a, b]);
            }
        }
    }
}

#[test]
fn a_stack_without_room_is_a_fault() {
    // Each call takes 1024 bytes.
    let text = "function @deep(n) never -> i32 {\nb0(n: i32):\n  s: ptr.local = slot 1024 align 16\n  p: ptr.generic = space s\n  store.a4 p, n\n  \
                c: pred = cmp.sgt n, 0:i32\n  branch c, b1, b2\nb1:\n  m: i32 = sub n, 1:i32\n  x: i32 = call @deep m\n  y: i32 = load.a4 p\n  \
                z: i32 = add x, y\n  return z\nb2:\n  return 0:i32\n}\n"
        .to_owned()
        + &main("n: i32", " -> i32", "  x: i32 = call @deep n\n  return x");
    let mut program = Program::new(&module(&text), &[]);
    let (low, high) = program.output.stack;
    assert_eq!(program.call("main", &[200]), End::Returned(vec![200 * 201 / 2]));
    assert_eq!(program.stack_pointer(), high, "all is given back");
    let End::Fault(Fault::StackOverflow, address, _) = program.call("main", &[1000]) else {
        panic!("a stack overflow")
    };
    assert!(address < low && address + 1024 >= low, "{address} below {low}");
}

#[test]
fn bytes_are_copied_and_cleared() {
    for size in [1, 2, 3, 7, 8, 13, 32, 33, 100] {
        let text = format!(
            "global @from global 128 align 8 element i8 array = \"{}\"\nglobal @to global 128 align 8 element i8 array = \"{}\"\n{}",
            (1..=128u8).map(|n| format!("{n:02x}")).collect::<String>(),
            "00".repeat(128),
            main(
                "i: i64",
                " -> i32",
                &format!(
                    "  f: ptr.global = global @from\n  t: ptr.global = global @to\n  copy {size} align 1 t, f\n  \
                     h: ptr.global = offset f, 2:i64\n  zero {size} align 1 h\n  a: ptr.global = offset t, i\n  x: i8 = load.a1 a\n  \
                     b: ptr.global = offset f, i\n  y: i8 = load.a1 b\n  u: i32 = zext x\n  v: i32 = zext y\n  w: i32 = shl u, 8:i32\n  \
                     r: i32 = or w, v\n  return r"
                )
            )
        );
        for at in [0, 1, size - 1, size, size + 1, size + 2] {
            result(&text, &[at]);
        }
    }
}

#[test]
fn as_many_bytes_as_the_program_says_are_copied_and_checked() {
    let row = |name: &str, signature: &str, args: &str| {
        format!("  r: ptr.generic = builtin \"{name} {signature} -\" {args}\n")
    };
    let copy = row("memcpy", "*v(*v^vN)", "q, p, n");
    let body = format!(
        "  s: ptr.local = slot 64 align 8\n  p: ptr.generic = space s\n  store.a8 p, 77:i64\n  q: ptr.generic = offset p, 32:i64\n  store.a8 q, 0:i64\n{copy}  \
         x: i64 = load.a8 r\n  return x"
    );
    let text = main("n: i64", " -> i64", &body);
    assert_eq!(run(&text, &[8], &[]), End::Returned(vec![77]));
    assert_eq!(run(&text, &[0], &[]), End::Returned(vec![0]));
    for bytes in [2 << 20, 1 << 32, u64::MAX] {
        assert!(matches!(run(&text, &[bytes], &[]), End::Fault(Fault::Store(0), ..)), "{bytes:#x}");
    }
}

/// Value of a number of half precision.
fn half(bits: u64) -> f64 {
    let (sign, exponent, mantissa) = (bits >> 15, (bits >> 10 & 31) as i32, (bits & 1023) as f64);
    let magnitude = match exponent {
        0 => mantissa * 2f64.powi(-24),
        31 if mantissa > 0.0 => f64::NAN,
        31 => f64::INFINITY,
        _ => (mantissa + 1024.0) * 2f64.powi(exponent - 25),
    };
    if sign == 1 { -magnitude } else { magnitude }
}

#[test]
fn numbers_of_half_precision_are_converted() {
    let convert = |row: &str, from: &str, to: &str| {
        let body = format!("  y: {to} = builtin \"{row} -\" x\n  return y");
        Program::new(&module(&main(&format!("x: {from}"), &format!(" -> {to}"), &body)), &[])
    };
    let of = |program: &mut Program, bits: u64| match program.call("main", &[bits]) {
        End::Returned(results) => results[0],
        other => panic!("{other:?}"),
    };
    let mut widen = convert("__builtin_cvt_f32_f16 f(S)", "i16", "f32");
    let mut narrow = convert("__builtin_cvt_rn_f16_f32 S(f)", "f32", "i16");
    for bits in (0..0x10000).step_by(7).chain([0x7bff, 0x7c00, 0xfc00, 0x8000]) {
        let wide = f32::from_bits(of(&mut widen, bits) as u32);
        let value = half(bits);
        assert!(f64::from(wide) == value || wide.is_nan() && value.is_nan(), "{bits:#x}: {wide}");
        let back = of(&mut narrow, u64::from(wide.to_bits())) & 0xffff;
        assert_eq!(back, if wide.is_nan() { 0x7fff } else { bits }, "{wide}");
        // Halfway to the next number: the even one of both.
        if bits & 0x7fff < 0x7bff {
            let middle = ((value + half(bits + 1)) / 2.0) as f32;
            let even = if bits & 1 == 0 { bits } else { bits + 1 };
            for (number, expected) in [
                (middle, even),
                (middle.next_down(), bits + (bits >> 15)),
                (middle.next_up(), bits + 1 - (bits >> 15)),
            ] {
                assert_eq!(of(&mut narrow, u64::from(number.to_bits())) & 0xffff, expected, "{number:e}");
            }
        }
    }
    let over = [65519.0f32, 65520.0, 1e30].map(|x| of(&mut narrow, u64::from(x.to_bits())));
    assert_eq!(over, [0x7bff, 0x7c00, 0x7c00]);
    let mut bfloat = convert("__builtin_cvt_rn_bf16_f32 S(f)", "f32", "i16");
    let halfway = [0x3f80_8000, 0x3f81_8000].map(f32::from_bits);
    let rounded = [1.0, halfway[0], halfway[1], f32::NAN, f32::INFINITY];
    let rounded = rounded.map(|x| of(&mut bfloat, u64::from(x.to_bits())) & 0xffff);
    assert_eq!(rounded, [0x3f80, 0x3f80, 0x3f82, 0x7fff, 0x7f80]);
}

#[test]
fn atomic_operations_return_what_was_there() {
    let row = |name: &str, signature: &str, letter: char, args: &str| {
        format!("builtin \"{name} {signature} {letter}\" {args}")
    };
    for (name, letter, operand, before, after) in [
        ("add", 'i', 5u64, 7u64, 12u64),
        ("sub", 'i', 5, 7, 2),
        ("exchange", 'u', 5, 7, 5),
        ("min", 'i', 0xffff_ffff, 7, 0xffff_ffff),
        ("min", 'u', 0xffff_ffff, 7, 7),
        ("max", 'i', 9, 7, 9),
        ("and", 'u', 5, 7, 5),
        ("or", 'u', 8, 7, 15),
        ("xor", 'u', 5, 7, 2),
    ] {
        let change = row(&format!("__builtin_atomic_{name}"), "T(*TTkk)", letter, "q, x, 5:i32, 4:i32");
        let body = format!(
            "  s: ptr.local = slot 16 align 8\n  p: ptr.generic = space s\n  q: ptr.generic = offset p, 4:i64\n  {}\n  y: i32 = {change}\n  z: i32 = {}\n  a: i64 = zext y\n  b: i64 = zext z\n  c: i64 = shl b, 32:i32\n  d: i64 = or a, c\n  return d",
            row("__builtin_store", "v(*TTkk)", 'i', &format!("q, {before}:i32, 5:i32, 4:i32")),
            row("__builtin_load", "T(^Tkk)", 'i', "q, 5:i32, 4:i32"),
        );
        let text = main("x: i32", " -> i64", &body);
        assert_eq!(run(&text, &[operand], &[]), End::Returned(vec![before | after << 32]), "{name} {letter}");
    }
    for (expected, after) in [(7u64, 9u64), (8, 7)] {
        let swap = row("__builtin_atomic_cas", "T(*TTTkk)", 'u', "s, x, 9:i32, 5:i32, 4:i32");
        let body = format!(
            "  s: ptr.local = slot 4 align 4\n  store.a4 s, 7:i32\n  y: i32 = {swap}\n  z: i32 = load.a4 s\n  r: i32 = mul y, z\n  return r"
        );
        assert_eq!(run(&main("x: i32", " -> i32", &body), &[expected], &[]), End::Returned(vec![7 * after]));
    }
}

#[test]
fn what_is_not_reached_is_a_fault_if_it_is() {
    let text = main(
        "n: i32",
        " -> i32",
        "  c: pred = cmp.eq n, 0:i32\n  branch c, b1, b2\nb1:\n  return 1:i32\nb2:\n  unreachable",
    );
    let module = module(&text);
    assert_eq!(Program::new(&module, &[]).call("main", &[3]), End::Fault(Fault::Unreachable, 0, (0, 0)));
}

#[test]
fn what_only_a_device_has_is_refused() {
    let refused = |body: &str| {
        emit(&module(&main("", " -> i32", body)), Limits::default(), &|_| true)
            .expect_err("a refusal")
            .message
    };
    let thread = refused("  x: i32 = builtin \"__builtin_threadIdx_x u() -\"\n  return x");
    assert_eq!(thread, "`__builtin_threadIdx_x` is a function of the device, and called on the host");
    let text = "global @big global 5000000000 align 4 element i8 array visible\n";
    let message = emit(&module(text), Limits::default(), &|_| true).expect_err("too much").message;
    assert_eq!(message, "the program's variables and stack need more than 4294967296 bytes");
}

#[test]
fn trees_of_operands_are_only_so_deep() {
    let steps: String = (0..2000).map(|n| format!("  v{}: i32 = xor v{n}, {n}:i32\n", n + 1)).collect();
    let text = main("v0: i32", " -> i32", &format!("{steps}  return v2000"));
    assert_eq!(result(&text, &[5]), (0..2000).fold(5, |x, n| x ^ n));
}

#[test]
fn loads_are_not_moved_across_stores() {
    let text = main(
        "",
        " -> i32",
        "  s: ptr.local = slot 8 align 4\n  p: ptr.generic = space s\n  store.a4.volatile p, 3:i32\n  x: i32 = load.a4 p\n  \
         store.a4.volatile p, 4:i32\n  y: i32 = load.a4 p\n  a: i32 = mul x, 10:i32\n  r: i32 = add a, y\n  return r",
    );
    assert_eq!(result(&text, &[]), 34);
}
