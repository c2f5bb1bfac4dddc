//! What constant expressions are, on trees built by hand.

use std::rc::Rc;

use super::*;
use crate::hir::{
    Arg, Binary, Compare, Function, FunctionId, Integer, Label, Place, PlaceKind, Step, Stmt, StmtKind,
    TypeKind, Unary, Variable,
};
use crate::ir::{Bounds, Inline, Space};
use crate::sorted::Sorted;

const HERE: Span = Span { lo: 0, hi: 0, expansion: 0 };

struct Built {
    program: Program,
    int: Type,
    uint: Type,
    float: Type,
}

fn built() -> Built {
    let mut program = Program::default();
    let int = program.types.of(TypeKind::Integer(Integer::Int));
    let uint = program.types.of(TypeKind::Integer(Integer::UInt));
    let float = program.types.of(TypeKind::Float);
    Built { program, int, uint, float }
}

fn expr(ty: Type, kind: ExprKind) -> Expr {
    Expr { kind, ty, span: HERE }
}

fn number(ty: Type, value: i128) -> Expr {
    expr(ty, ExprKind::Integer(value))
}

fn binary(op: Binary, left: Expr, right: Expr) -> Expr {
    expr(left.ty, ExprKind::Binary(op, Box::new(left), Box::new(right)))
}

fn local(ty: Type, id: u32) -> Place {
    Place { kind: PlaceKind::Local(LocalId(id)), ty, span: HERE }
}

fn load(place: Place) -> Expr {
    expr(place.ty, ExprKind::Load(Box::new(place)))
}

fn stmt(kind: StmtKind) -> Stmt {
    Stmt { kind, span: HERE }
}

fn declared(ty: Type) -> Local {
    Local { name: "x".into(), ty, align: 4, restrict: false, grid_constant: false, span: HERE }
}

fn function(result: Type, params: u32, locals: Vec<Local>, body: Vec<Stmt>) -> Function {
    Function {
        name: "f".into(),
        symbol: "f".into(),
        kernel: false,
        visible: false,
        external: false,
        variadic: None,
        returned: None,
        noexcept: false,
        unwound: vec![],
        ends: vec![],
        linkage: crate::ir::Linkage::Visible,
        inline: Inline::Auto,
        bounds: Bounds::default(),
        constexpr: true,
        result,
        params: (0..params).map(LocalId).collect(),
        locals,
        body,
        span: HERE,
        end: HERE,
    }
}

fn value(built: &Built, expr: &Expr) -> Result<Constant, String> {
    evaluate(&built.program, Known::default(), expr).map_err(|error| error.why)
}

#[test]
fn unsigned_arithmetic_wraps() {
    let b = built();
    let sum = binary(Binary::Add, number(b.uint, 0xffff_ffff), number(b.uint, 2));
    assert_eq!(value(&b, &sum), Ok(Constant::Integer(1)));
}

#[test]
fn signed_overflow_is_not_constant() {
    let b = built();
    let sum = binary(Binary::Add, number(b.int, 0x7fff_ffff), number(b.int, 1));
    assert_eq!(value(&b, &sum), Err("overflow of a signed integer".into()));
    let quotient = binary(Binary::Remainder, number(b.int, -0x8000_0000), number(b.int, -1));
    assert_eq!(value(&b, &quotient), Err("overflow of a signed integer".into()));
}

#[test]
fn division_by_zero_and_wide_shifts_are_not_constant() {
    let b = built();
    let quotient = binary(Binary::Divide, number(b.int, 1), number(b.int, 0));
    assert_eq!(value(&b, &quotient), Err("division by zero".into()));
    let shift = binary(Binary::ShiftLeft, number(b.int, 1), number(b.int, 32));
    assert_eq!(value(&b, &shift), Err("shift count >= width of type".into()));
}

#[test]
fn division_rounds_towards_zero_and_the_remainder_has_the_dividends_sign() {
    let b = built();
    let quotient = binary(Binary::Divide, number(b.int, -7), number(b.int, 2));
    assert_eq!(value(&b, &quotient), Ok(Constant::Integer(-3)));
    let remainder = binary(Binary::Remainder, number(b.int, -7), number(b.int, 2));
    assert_eq!(value(&b, &remainder), Ok(Constant::Integer(-1)));
}

#[test]
fn floats_are_computed_in_their_own_precision() {
    let b = built();
    let tenth = expr(b.float, ExprKind::Float(u64::from(0.1f32.to_bits())));
    let sum = binary(Binary::Add, tenth.clone(), binary(Binary::Multiply, tenth.clone(), tenth));
    let expected = 0.1f32 + 0.1f32 * 0.1f32;
    assert_eq!(value(&b, &sum), Ok(Constant::Float(u64::from(expected.to_bits()))));
    let cast =
        expr(b.int, ExprKind::Cast(Box::new(expr(b.float, ExprKind::Float(u64::from((-2.9f32).to_bits()))))));
    assert_eq!(value(&b, &cast), Ok(Constant::Integer(-2)));
    let large =
        expr(b.int, ExprKind::Cast(Box::new(expr(b.float, ExprKind::Float(u64::from(3e9f32.to_bits()))))));
    assert!(value(&b, &large).is_err());
}

/// `int f(int n) { int sum = 0; for (int i = 0; i < n; ++i) { if (i == 3) continue; sum += i; } return sum; }`
fn summing(b: &mut Built) {
    let (int, boolean) = (b.int, b.program.types.of(TypeKind::Bool));
    let zero = || Some(Init::Value(number(int, 0)));
    let less =
        |op, right| expr(boolean, ExprKind::Compare(op, Box::new(load(local(int, 2))), Box::new(right)));
    let add = PlaceKind::Compound(Box::new(local(int, 1)), Binary::Add, Box::new(load(local(int, 2))), int);
    let step = PlaceKind::PreStep(Box::new(local(int, 2)), Step::Up);
    let place = |kind| stmt(StmtKind::Place(Place { kind, ty: int, span: HERE }));
    let skip =
        StmtKind::If(less(Compare::Equal, number(int, 3)), vec![stmt(StmtKind::Continue(Label(0)))], vec![]);
    let turn = StmtKind::Loop {
        label: Label(0),
        condition: Some(less(Compare::Less, load(local(int, 0)))),
        after: false,
        step: vec![place(step)],
        body: vec![stmt(skip), place(add)],
        unroll: None,
    };
    let body = vec![
        stmt(StmtKind::Let(LocalId(1), zero())),
        stmt(StmtKind::Let(LocalId(2), zero())),
        stmt(turn),
        stmt(StmtKind::Return(Some(load(local(int, 1))))),
    ];
    let locals = vec![declared(int), declared(int), declared(int)];
    b.program.functions.push(function(int, 1, locals, body));
}

#[test]
fn constexpr_functions_run_loops_over_their_variables() {
    let mut b = built();
    summing(&mut b);
    let call = expr(b.int, ExprKind::Call(FunctionId(0), vec![Arg::Value(number(b.int, 10))].into()));
    assert_eq!(value(&b, &call), Ok(Constant::Integer(42)));
}

#[test]
fn long_loops_and_deep_calls_end_with_a_reason() {
    let mut b = built();
    summing(&mut b);
    let call = expr(b.int, ExprKind::Call(FunctionId(0), vec![Arg::Value(number(b.int, 50_000_000))].into()));
    assert_eq!(value(&b, &call), Err("evaluation exceeds a million steps".into()));
    let again = expr(b.int, ExprKind::Call(FunctionId(1), vec![].into()));
    let endless = function(b.int, 0, vec![], vec![stmt(StmtKind::Return(Some(again.clone())))]);
    b.program.functions.push(endless);
    assert_eq!(value(&b, &again), Err("evaluation exceeds the maximum depth".into()));
}

#[test]
fn functions_without_constexpr_or_without_a_return_are_not_constant() {
    let mut b = built();
    b.program.functions.push(function(b.int, 0, vec![], vec![]));
    let call = expr(b.int, ExprKind::Call(FunctionId(0), vec![].into()));
    assert_eq!(value(&b, &call), Err("`f` ends without a `return`".into()));
    b.program.functions[0].constexpr = false;
    assert_eq!(value(&b, &call), Err("call of `f`, which is not `constexpr`".into()));
}

fn variable(ty: Type, init: Init) -> Variable {
    Variable {
        name: "table".into(),
        symbol: "table".into(),
        ty,
        space: Space::Global,
        align: 4,
        visible: true,
        managed: false,
        external: false,
        linkage: crate::ir::Linkage::Visible,
        init: Some(init),
        span: HERE,
    }
}

fn element(b: &mut Built, index: i128) -> Expr {
    let array = b.program.variables[0].ty;
    let long = b.program.types.of(TypeKind::Integer(Integer::Long));
    let table = Place { kind: PlaceKind::Variable(VariableId(0)), ty: array, span: HERE };
    let kind = PlaceKind::Element(Box::new(table), Box::new(number(long, index)));
    load(Place { kind, ty: b.int, span: HERE })
}

#[test]
fn elements_of_constant_tables_are_constant_and_bounds_are_checked() {
    let mut b = built();
    let of = Type { constant: true, ..b.int };
    let array = b.program.types.of(TypeKind::Array(of, 4));
    let elements = vec![Init::Value(number(b.int, 5)), Init::Value(number(b.int, 6))];
    b.program.variables.push(variable(array, Init::Elements(elements, Some(Box::new(Init::Zero)))));
    let (second, third, outside) = (element(&mut b, 1), element(&mut b, 2), element(&mut b, 5));
    assert_eq!(value(&b, &second), Ok(Constant::Integer(6)));
    assert_eq!(value(&b, &third), Ok(Constant::Integer(0)));
    assert_eq!(value(&b, &outside), Err("element 5 of an array of 4 elements".into()));
    let whole = contents(&b.program, VariableId(0)).unwrap();
    assert_eq!((whole.size(), whole.bytes()), (16, &[5, 0, 0, 0, 6][..]));
}

#[test]
fn variables_that_can_change_are_not_constant() {
    let mut b = built();
    let array = b.program.types.of(TypeKind::Array(b.int, 4));
    b.program.variables.push(variable(array, Init::Zero));
    let first = element(&mut b, 0);
    let why = "the value of `table` is known only at run time";
    assert_eq!(value(&b, &first), Err(why.into()));
}

#[test]
fn known_locals_are_read_and_others_named() {
    let b = built();
    let sum = binary(Binary::Add, load(local(b.int, 0)), number(b.int, 1));
    let names = [declared(b.int)];
    let unknown = evaluate(&b.program, Known { locals: None, declared: &names }, &sum).unwrap_err();
    assert_eq!(unknown.why, "the value of `x` is known only at run time");
    let object = evaluate_init(&b.program, Known::default(), b.int, &Init::Value(number(b.int, 41)), HERE);
    let locals = Sorted::from([(LocalId(0), object.unwrap())]);
    let known = Known { locals: Some(&locals), declared: &names };
    assert_eq!(evaluate(&b.program, known, &sum), Ok(Constant::Integer(42)));
}

#[test]
fn addresses_of_variables_are_constants_with_offsets() {
    let mut b = built();
    let array = b.program.types.of(TypeKind::Array(b.int, 4));
    b.program.variables.push(variable(array, Init::Zero));
    let pointer = b.program.types.of(TypeKind::Pointer(b.int));
    let ExprKind::Load(place) = element(&mut b, 3).kind else { unreachable!() };
    let address = expr(pointer, ExprKind::Address(place));
    let offset = Address { base: Base::Variable(VariableId(0)), offset: 12 };
    assert_eq!(value(&b, &address), Ok(Constant::Address(offset)));
    let object = evaluate_init(&b.program, Known::default(), pointer, &Init::Value(address), HERE).unwrap();
    assert_eq!(object.addresses().get(&0), Some(&offset));
}

#[test]
fn memory_that_was_not_written_is_not_constant() {
    let mut b = built();
    let (int, ty) = (b.int, declared(b.int));
    let body = vec![stmt(StmtKind::Let(LocalId(0), None)), stmt(StmtKind::Return(Some(load(local(int, 0)))))];
    b.program.functions.push(function(int, 0, vec![ty], body));
    let call = expr(int, ExprKind::Call(FunctionId(0), vec![].into()));
    assert_eq!(value(&b, &call), Err("read of an uninitialised variable".into()));
}

#[test]
fn bit_fields_hold_their_bits_alone() {
    let mut object = Object::new(4, false);
    object.store_bits(0, 3, 7, -5).unwrap();
    object.store_bits(0, 10, 4, 9).unwrap();
    assert_eq!(object.load_bits(0, 3, 7, true), Ok(Constant::Integer(-5)));
    assert_eq!(object.load_bits(0, 10, 4, false), Ok(Constant::Integer(9)));
    assert_eq!(object.load_bits(0, 20, 4, false), Err("read of an uninitialised variable"));
}

#[test]
fn negation_and_inversion_keep_the_width() {
    let b = built();
    let inverted = expr(b.uint, ExprKind::Unary(Unary::Invert, Box::new(number(b.uint, 1))));
    assert_eq!(value(&b, &inverted), Ok(Constant::Integer(0xffff_fffe)));
    let negated = expr(b.uint, ExprKind::Unary(Unary::Negate, Box::new(number(b.uint, 1))));
    assert_eq!(value(&b, &negated), Ok(Constant::Integer(0xffff_ffff)));
}

#[test]
fn strings_are_bytes_padded_with_zeros() {
    let mut b = built();
    let char = b.program.types.of(TypeKind::Integer(Integer::Char));
    let array = b.program.types.of(TypeKind::Array(char, 4));
    let init = Init::Bytes(Rc::from(&b"ab"[..]));
    let object = evaluate_init(&b.program, Known::default(), array, &init, HERE).unwrap();
    assert_eq!(object.read(&b.program, char, 1), Some(Constant::Integer(98)));
    assert_eq!(object.read(&b.program, char, 3), Some(Constant::Integer(0)));
}
