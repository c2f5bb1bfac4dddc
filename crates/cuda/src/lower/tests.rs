//! What statements and expressions become, on trees built by hand.

use super::lower;
use crate::builtin;
use crate::diagnostic::Diagnostics;
use crate::hir::{
    Arg, Asm, Binary, Compare, Expr, ExprKind, Field, Function, FunctionId, Init, Integer, Label, Local,
    LocalId, Logical, Place, PlaceKind, Program, Record, RecordId, Step, Stmt, StmtKind, Type, TypeKind,
    Unary, Variable, VariableId,
};
use crate::ir::{Bounds, GlobalId, Inline, Space, Symbol, Unroll, verify};
use crate::sorted::Sorted;
use crate::source::Span;

const HERE: Span = Span { lo: 0, hi: 0, expansion: 0 };

struct Built {
    program: Program,
    void: Type,
    boolean: Type,
    int: Type,
    uint: Type,
    long: Type,
    char: Type,
    float: Type,
}

fn built() -> Built {
    let mut program = Program::default();
    let mut of = |kind| program.types.of(kind);
    let void = of(TypeKind::Void);
    let boolean = of(TypeKind::Bool);
    let int = of(TypeKind::Integer(Integer::Int));
    let uint = of(TypeKind::Integer(Integer::UInt));
    let long = of(TypeKind::Integer(Integer::Long));
    let char = of(TypeKind::Integer(Integer::Char));
    let float = of(TypeKind::Float);
    Built { program, void, boolean, int, uint, long, char, float }
}

impl Built {
    fn pointer(&mut self, to: Type) -> Type {
        self.program.types.of(TypeKind::Pointer(to))
    }

    fn array(&mut self, of: Type, length: u64) -> Type {
        self.program.types.of(TypeKind::Array(of, length))
    }

    /// A struct of fields at multiples of 4 bytes; bit-fields by first bit and width.
    fn record(&mut self, fields: &[(Type, Option<(u32, u32)>)]) -> Type {
        let mut offset = 0;
        let field = |(ty, bits): &(Type, Option<(u32, u32)>)| {
            let field = Field { name: "f".into(), ty: *ty, offset, bits: *bits, base: false, span: HERE };
            offset += if bits.is_some() { 0 } else { 4 };
            field
        };
        let fields: Vec<Field> = fields.iter().map(field).collect();
        let size = offset.max(4);
        self.program.records.push(Record {
            name: "S".into(),
            fields,
            size,
            align: 4,
            union: false,
            lambda: false,
            bytes_alone: false,
        });
        let id = RecordId(self.program.records.len() as u32 - 1);
        self.program.types.of(TypeKind::Record(id))
    }

    fn function(&mut self, result: Type, params: &[Type], locals: &[Type], body: Vec<Stmt>) -> FunctionId {
        self.program.functions.push(Function {
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
            constexpr: false,
            result,
            params: (0..params.len() as u32).map(LocalId).collect(),
            locals: params.iter().chain(locals).map(|ty| declared(*ty)).collect(),
            body,
            span: HERE,
            end: HERE,
        });
        FunctionId(self.program.functions.len() as u32 - 1)
    }

    fn variable(&mut self, name: &str, ty: Type, space: Space, init: Option<Init>) -> VariableId {
        self.program.variables.push(Variable {
            name: name.into(),
            symbol: name.into(),
            ty,
            space,
            align: self.program.layout(ty).1,
            visible: false,
            managed: false,
            external: false,
            linkage: crate::ir::Linkage::Visible,
            init,
            span: HERE,
        });
        VariableId(self.program.variables.len() as u32 - 1)
    }

    /// The last function, as text; what the verifier says against it fails the test.
    fn text(&self) -> String {
        let mut sink = Diagnostics::default();
        let module = lower(&self.program, &mut sink);
        assert_eq!(sink.list, vec![]);
        verify::verify(&module).unwrap();
        module.functions.last().unwrap().to_string()
    }

    /// Text of a function that returns an expression of its parameters.
    fn returned(&mut self, params: &[Type], value: Expr) -> String {
        let result = value.ty;
        self.function(result, params, &[], vec![stmt(StmtKind::Return(Some(value)))]);
        self.text()
    }
}

fn declared(ty: Type) -> Local {
    Local { name: "x".into(), ty, align: 1, restrict: false, grid_constant: false, span: HERE }
}

fn expr(ty: Type, kind: ExprKind) -> Expr {
    Expr { kind, ty, span: HERE }
}

fn number(ty: Type, value: i128) -> Expr {
    expr(ty, ExprKind::Integer(value))
}

fn place(ty: Type, kind: PlaceKind) -> Place {
    Place { kind, ty, span: HERE }
}

fn local(ty: Type, id: u32) -> Place {
    place(ty, PlaceKind::Local(LocalId(id)))
}

fn load(place: Place) -> Expr {
    expr(place.ty, ExprKind::Load(Box::new(place)))
}

fn read(ty: Type, id: u32) -> Expr {
    load(local(ty, id))
}

fn binary(op: Binary, left: Expr, right: Expr) -> Expr {
    expr(left.ty, ExprKind::Binary(op, Box::new(left), Box::new(right)))
}

fn cast(to: Type, value: Expr) -> Expr {
    expr(to, ExprKind::Cast(Box::new(value)))
}

fn stmt(kind: StmtKind) -> Stmt {
    Stmt { kind, span: HERE }
}

fn effect(ty: Type, kind: PlaceKind) -> Stmt {
    stmt(StmtKind::Place(place(ty, kind)))
}

/// Instructions without the slots and stores of parameters, and without names of values: what is looked for in a test.
fn has(text: &str, lines: &[&str]) {
    let mut rest = text;
    for line in lines {
        match rest.find(line) {
            Some(at) => rest = &rest[at + line.len()..],
            None => panic!("`{line}` is not (or not in this order) in\n{text}"),
        }
    }
}

#[test]
fn parameters_are_slots() {
    let mut b = built();
    let text = b.returned(&[b.int], read(b.int, 0));
    let expected = "function @f(x) -> i32 {\nb0(v0: i32):\n  v1: ptr.local = slot 4 align 4\n  store.a4 v1, v0\n  \
                    v2: i32 = load.a4 v1\n  return v2\n}";
    assert_eq!(text.trim(), expected);
}

#[test]
fn signed_arithmetic_does_not_overflow_and_unsigned_wraps() {
    let mut b = built();
    let sum = |ty| binary(Binary::Add, read(ty, 0), number(ty, 1));
    has(&b.returned(&[b.int], sum(b.int)), &["= add.nsw "]);
    has(&b.returned(&[b.uint], sum(b.uint)), &["= add v"]);
    let quotient = |ty| binary(Binary::Divide, read(ty, 0), number(ty, 3));
    has(&b.returned(&[b.int], quotient(b.int)), &["= sdiv "]);
    has(&b.returned(&[b.uint], quotient(b.uint)), &["= udiv "]);
}

#[test]
fn shifts_take_amounts_of_32_bits() {
    let mut b = built();
    let shift = binary(Binary::ShiftRight, read(b.long, 0), read(b.long, 1));
    has(&b.returned(&[b.long, b.long], shift), &["i32 = trunc", "i64 = ashr"]);
    let shift = binary(Binary::ShiftRight, read(b.uint, 0), read(b.int, 1));
    has(&b.returned(&[b.uint, b.int], shift), &["i32 = lshr"]);
}

#[test]
fn a_bool_is_a_byte_in_memory_and_a_predicate_as_a_value() {
    let mut b = built();
    let not = expr(b.boolean, ExprKind::Unary(Unary::Not, Box::new(read(b.boolean, 0))));
    let text = b.returned(&[b.boolean], not);
    has(&text, &["-> i8", "i8 = load.a1", "i32 = zext", "cmp.ne", "pred = not", "i8 = zext", "return"]);
}

#[test]
fn conversions_between_integers_and_floats_go_through_32_bits() {
    let mut b = built();
    has(&b.returned(&[b.char], cast(b.float, read(b.char, 0))), &["i32 = sext", "f32 = stof"]);
    has(&b.returned(&[b.float], cast(b.char, read(b.float, 0))), &["i32 = ftos", "i8 = trunc"]);
    has(&b.returned(&[b.uint], cast(b.float, read(b.uint, 0))), &["f32 = utof"]);
    has(&b.returned(&[b.float], cast(b.long, read(b.float, 0))), &["i64 = ftos"]);
    has(&b.returned(&[b.float], cast(b.boolean, read(b.float, 0))), &["cmp.fune", "zext"]);
    has(&b.returned(&[b.boolean], cast(b.float, read(b.boolean, 0))), &["f32 = select"]);
    has(&b.returned(&[b.uint], cast(b.long, read(b.uint, 0))), &["i64 = zext"]);
    has(&b.returned(&[b.int], cast(b.long, read(b.int, 0))), &["i64 = sext"]);
}

#[test]
fn comparisons_of_floats_are_false_for_nan_but_for_inequality() {
    let mut b = built();
    let mut compare = |op, ty: Type| {
        let (left, right) = (Box::new(read(ty, 0)), Box::new(read(ty, 1)));
        let value = expr(b.boolean, ExprKind::Compare(op, left, right));
        b.returned(&[ty, ty], value)
    };
    let (float, int) = (TypeKind::Float, TypeKind::Integer(Integer::UInt));
    let mut types = built().program.types;
    let (float, uint) = (types.of(float), types.of(int));
    has(&compare(Compare::Less, float), &["cmp.folt"]);
    has(&compare(Compare::NotEqual, float), &["cmp.fune"]);
    has(&compare(Compare::Less, uint), &["cmp.ult"]);
}

#[test]
fn elements_of_pointers_are_offsets_in_bytes() {
    let mut b = built();
    let pointer = b.pointer(b.float);
    let kind = ExprKind::Offset(Box::new(read(pointer, 0)), Box::new(cast(b.long, read(b.int, 1))), false);
    let element = place(b.float, PlaceKind::Deref(Box::new(expr(pointer, kind))));
    let text = b.returned(&[pointer, b.int], load(element));
    has(&text, &["ptr.generic = load", "i64 = sext", "mul.nsw", ", 4:i64", "= offset", "f32 = load.a4"]);
}

#[test]
fn the_alignment_of_a_field_is_what_is_left_of_its_records() {
    let mut b = built();
    let record = b.record(&[(b.float, None), (b.float, None), (b.float, None), (b.float, None)]);
    b.program.records[0].align = 16;
    let pointer = b.pointer(record);
    let of = place(record, PlaceKind::Deref(Box::new(read(pointer, 0))));
    let field = |number| place(b.float, PlaceKind::Field(Box::new(of.clone()), number));
    let (first, third) = (load(field(0)), load(field(2)));
    has(&b.returned(&[pointer], first), &["f32 = load.a16"]);
    has(&b.returned(&[pointer], third), &["8:i64", "f32 = load.a8"]);
}

#[test]
fn volatile_places_are_read_and_written_so() {
    let mut b = built();
    let volatile = Type { volatile: true, ..b.int };
    let pointer = b.pointer(volatile);
    let of = place(volatile, PlaceKind::Deref(Box::new(read(pointer, 0))));
    let body = vec![
        stmt(StmtKind::Place(of.clone())),
        effect(volatile, PlaceKind::Assign(Box::new(of), Box::new(number(b.int, 1)))),
    ];
    b.function(b.void, &[pointer], &[], body);
    has(&b.text(), &["load.a4.volatile", "store.a4.volatile"]);
}

#[test]
fn bit_fields_are_parts_of_units() {
    let mut b = built();
    let record = b.record(&[(b.int, Some((0, 5))), (b.uint, Some((5, 7)))]);
    let pointer = b.pointer(record);
    let of = place(record, PlaceKind::Deref(Box::new(read(pointer, 0))));
    let signed = place(b.int, PlaceKind::Field(Box::new(of.clone()), 0));
    let unsigned = place(b.uint, PlaceKind::Field(Box::new(of), 1));
    has(&b.returned(&[pointer], load(signed)), &["= shl ", "27:i32", "= ashr ", "27:i32"]);
    has(&b.returned(&[pointer], load(unsigned.clone())), &["= lshr ", "5:i32", "= and ", "127:i32"]);
    let assign = PlaceKind::Assign(Box::new(unsigned), Box::new(read(b.uint, 1)));
    b.function(b.void, &[pointer, b.uint], &[], vec![effect(b.uint, assign)]);
    has(&b.text(), &["load.a4", "= and ", "= and ", "127:i32", "= shl ", "= or ", "store.a4"]);
}

#[test]
fn conditions_of_and_and_or_are_branches() {
    let mut b = built();
    let less = |id, with| {
        let kind = ExprKind::Compare(Compare::Less, Box::new(read(b.int, id)), Box::new(number(b.int, with)));
        Box::new(expr(b.boolean, kind))
    };
    let both = expr(b.boolean, ExprKind::Logical(Logical::And, less(0, 5), less(1, 7)));
    let chosen = StmtKind::If(both.clone(), vec![stmt(StmtKind::Return(Some(number(b.int, 1))))], vec![]);
    let body = vec![stmt(chosen), stmt(StmtKind::Return(Some(number(b.int, 2))))];
    b.function(b.int, &[b.int, b.int], &[], body);
    let text = b.text();
    has(&text, &["cmp.slt", "branch", "cmp.slt", "branch", "return 1:i32"]);
    assert_eq!(text.matches("branch").count(), 2, "{text}");
    has(&b.returned(&[b.int, b.int], both), &["branch", "(0:pred)", "(v", ": pred):"]);
}

#[test]
fn a_choice_is_control_flow_with_a_parameter() {
    let mut b = built();
    let condition = Box::new(read(b.boolean, 0));
    let choice = ExprKind::Conditional(condition, Box::new(number(b.int, 1)), Box::new(number(b.int, 2)));
    has(
        &b.returned(&[b.boolean], expr(b.int, choice)),
        &["branch", "(1:i32)", "(2:i32)", ": i32):", "return"],
    );
}

#[test]
fn what_is_read_of_two_places_is_read_on_its_way() {
    let mut b = built();
    let condition = Box::new(read(b.boolean, 0));
    let places = [Box::new(local(b.int, 1)), Box::new(local(b.int, 2))];
    let [yes, no] = places;
    let chosen = load(place(b.int, PlaceKind::Conditional(condition, yes, no)));
    let text = b.returned(&[b.boolean, b.int, b.int], chosen);
    has(&text, &["branch", "load.a4", "jump", "load.a4", "jump", ": i32):", "return"]);
    assert!(!text.contains("ptr.generic"), "{text}");
}

/// `for (; x < 5; ++x) BODY`
fn counting(b: &Built, label: u32, unroll: Option<Unroll>, body: Vec<Stmt>) -> Stmt {
    let less = ExprKind::Compare(Compare::Less, Box::new(read(b.int, 0)), Box::new(number(b.int, 5)));
    stmt(StmtKind::Loop {
        label: Label(label),
        condition: Some(expr(b.boolean, less)),
        after: false,
        step: vec![effect(b.int, PlaceKind::PreStep(Box::new(local(b.int, 0)), Step::Up))],
        body,
        unroll,
    })
}

#[test]
fn loops_test_in_their_header_which_holds_the_unroll_hint() {
    let mut b = built();
    let body = vec![counting(&b, 0, Some(Unroll::By(4)), vec![])];
    b.function(b.void, &[b.int], &[], body);
    let text = b.text();
    has(&text, &["jump b1", "unroll", "cmp.slt", "branch", "add.nsw", "jump b1"]);
}

#[test]
fn continue_goes_to_the_step_and_break_behind_the_loop() {
    let mut b = built();
    let jump = |kind| {
        let condition = cast(b.boolean, read(b.int, 1));
        stmt(StmtKind::If(condition, vec![stmt(kind)], vec![]))
    };
    let inside = vec![jump(StmtKind::Continue(Label(0))), jump(StmtKind::Break(Label(0)))];
    let body = vec![counting(&b, 0, None, inside)];
    b.function(b.void, &[b.int, b.int], &[], body);
    has(&b.text(), &["branch", "branch", "branch", "return"]);
}

#[test]
fn a_switch_falls_through_its_cases() {
    let mut b = built();
    let set =
        |value| effect(b.int, PlaceKind::Assign(Box::new(local(b.int, 0)), Box::new(number(b.int, value))));
    let body = vec![
        stmt(StmtKind::Target(Label(1))),
        set(10),
        stmt(StmtKind::Target(Label(2))),
        set(20),
        stmt(StmtKind::Break(Label(0))),
    ];
    let switch = StmtKind::Switch {
        label: Label(0),
        value: read(b.int, 0),
        cases: vec![(-1, -1, Label(1)), (4, 5, Label(2)), (100, 900, Label(1))],
        default: None,
        body,
    };
    b.function(b.void, &[b.int], &[], vec![stmt(switch)]);
    let text = b.text();
    has(&text, &["cmp.ule", "800:i32", "switch"]);
    has(&text, &["4294967295: b", "4: b", "5: b"]);
}

#[test]
fn records_are_passed_as_copies_and_returned_through_a_pointer() {
    let mut b = built();
    let record = b.record(&[(b.int, None), (b.int, None)]);
    let callee = b.function(
        record,
        &[record],
        &[],
        vec![stmt(StmtKind::ReturnInit(Init::Copy(Box::new(local(record, 0)))))],
    );
    has(&b.text(), &["ptr.generic", "ptr.generic", "copy 8 align 4 v0, v1", "return"]);
    let args = vec![Arg::Init(Init::Copy(Box::new(local(record, 0))))];
    let body = vec![stmt(StmtKind::Let(LocalId(0), Some(Init::Call(callee, args.into()))))];
    b.function(b.void, &[], &[record], body);
    let text = b.text();
    has(&text, &["slot 8 align 4", "slot 8 align 4", "space", "copy", "space", "call #0"]);
}

#[test]
fn a_kernel_copies_its_records_but_grid_constants() {
    let mut b = built();
    let record = b.record(&[(b.int, None), (b.int, None)]);
    let field = load(place(b.int, PlaceKind::Field(Box::new(local(record, 0)), 1)));
    let FunctionId(id) = b.function(b.void, &[record], &[], vec![stmt(StmtKind::Expr(field))]);
    b.program.functions[id as usize].kernel = true;
    has(&b.text(), &["ptr.param", "slot 8", "copy", "load.a4"]);
    b.program.functions[id as usize].locals[0].grid_constant = true;
    let text = b.text();
    assert!(!text.contains("slot"), "{text}");
    has(&text, &["ptr.param", "offset", "load.a4"]);
}

#[test]
fn zeros_are_filled_at_once_and_elements_one_by_one() {
    let mut b = built();
    let array = b.array(b.int, 8);
    let int = b.int;
    let value = |value| Init::Value(number(int, value));
    let fill = |elements| Init::Elements(elements, Some(Box::new(Init::Zero)));
    let declare = |init| vec![stmt(StmtKind::Let(LocalId(0), Some(init)))];
    b.function(b.void, &[], &[array], declare(fill(vec![value(0)])));
    has(&b.text(), &["zero 32 align 4 v0"]);
    b.function(b.void, &[], &[array], declare(fill(vec![value(1), value(2)])));
    has(&b.text(), &["store.a4 v0, 1:i32", "4:i64", "store.a4", "2:i32", "8:i64", "zero 24 align 4"]);
}

#[test]
fn long_tables_of_constants_are_copied_from_a_variable() {
    let mut b = built();
    let array = b.array(b.int, 64);
    let elements = (0..64).map(|value| Init::Value(number(b.int, value))).collect();
    let body = vec![stmt(StmtKind::Let(LocalId(0), Some(Init::Elements(elements, None))))];
    b.function(b.void, &[], &[array], body);
    let mut sink = Diagnostics::default();
    let module = lower(&b.program, &mut sink);
    assert_eq!(module.globals.len(), 1);
    let table = &module.globals[0];
    assert!(table.read_only);
    assert_eq!(table.initial.as_ref().unwrap().0[..8], [0, 0, 0, 0, 1, 0, 0, 0]);
    has(&module.functions[0].to_string(), &["global", "copy 256 align 4"]);
}

#[test]
fn variables_hold_bytes_and_addresses() {
    let mut b = built();
    let pointer = b.pointer(b.int);
    let array = b.array(b.int, 2);
    let init = Init::Elements(vec![Init::Value(number(b.int, 7))], Some(Box::new(Init::Zero)));
    let first = b.variable("a", array, Space::Global, Some(init));
    let of = place(array, PlaceKind::Variable(first));
    let second = place(b.int, PlaceKind::Element(Box::new(of), Box::new(number(b.long, 1))));
    let address = Init::Value(expr(pointer, ExprKind::Address(Box::new(second))));
    b.variable("p", pointer, Space::Global, Some(address));
    let module = lower(&b.program, &mut Diagnostics::default());
    assert_eq!(module.globals[0].initial, Some((vec![7], vec![])));
    assert_eq!(module.globals[1].initial, Some((vec![], vec![(0, Symbol::Global(GlobalId(0)), 4)])));
}

#[test]
fn initialisers_that_are_not_constant_are_refused() {
    let mut b = built();
    let array = b.array(b.int, 2);
    let other = b.variable("a", array, Space::Global, None);
    let of = place(array, PlaceKind::Variable(other));
    let first = place(b.int, PlaceKind::Element(Box::new(of), Box::new(number(b.long, 0))));
    b.variable("x", b.int, Space::Global, Some(Init::Value(load(first))));
    let mut sink = Diagnostics::default();
    lower(&b.program, &mut sink);
    assert_eq!(sink.list.len(), 1);
    assert_eq!(sink.list[0].message, "the initialiser of `x` is not a constant expression");
}

#[test]
fn shared_variables_are_addressed_in_their_space_and_their_addresses_are_generic() {
    let mut b = built();
    let array = b.array(b.float, 32);
    let tile = b.variable("tile", array, Space::Shared, None);
    let of = place(array, PlaceKind::Variable(tile));
    let element = place(b.float, PlaceKind::Element(Box::new(of), Box::new(cast(b.long, read(b.int, 0)))));
    has(
        &b.returned(&[b.int], load(element.clone())),
        &["ptr.shared = global", "ptr.shared = offset", "load"],
    );
    let pointer = b.pointer(b.float);
    let address = expr(pointer, ExprKind::Address(Box::new(element)));
    has(&b.returned(&[b.int], address), &["ptr.shared = offset", "ptr.generic = space", "return"]);
}

#[test]
fn printf_packs_its_arguments_for_the_driver() {
    let mut b = built();
    let text = b.array(b.char, 3);
    let format = b.variable("str", text, Space::Global, Some(Init::Bytes((*b"%d\0").into())));
    let double = b.program.types.of(TypeKind::Double);
    let args = vec![read(b.int, 0), cast(double, read(b.float, 1))];
    let print = expr(b.int, ExprKind::Printf(format, args));
    let text = b.returned(&[b.int, b.float], print);
    has(&text, &["slot 16 align 8", "store.a4", "8:i64", "store.a8", "vprintf"]);
}

#[test]
fn rows_that_the_representation_has_are_its_operations() {
    let mut b = built();
    let row = |name: &str, signature: &str| {
        builtin::overloads(name).find(|row| row.signature == signature).unwrap()
    };
    let call = |row, ty, args: &[Expr], result| {
        let args: Vec<Arg> = args.iter().cloned().map(Arg::Value).collect();
        expr(result, ExprKind::Builtin(row, ty, args.into()))
    };
    let (x, y) = (read(b.float, 0), read(b.float, 1));
    let max = call(row("fmaxf", "f(ff)"), b.void, &[x.clone(), y], b.float);
    has(&b.returned(&[b.float, b.float], max), &["f32 = fmax"]);
    let bits = call(row("__float_as_int", "i(f)"), b.void, &[x], b.int);
    has(&b.returned(&[b.float], bits), &["i32 = bits"]);
    let pointer = b.pointer(b.uint);
    let args = [read(pointer, 0), number(b.uint, 1)];
    let add = call(row("atomicAdd", "T(*TT)"), b.uint, &args, b.uint);
    has(&b.returned(&[pointer], add), &["atomicAdd"]);
    let ldg = call(row("__ldg", "T(^T)"), b.uint, &[read(pointer, 0)], b.uint);
    has(&b.returned(&[pointer], ldg), &["i32 = load.a4.volatile.nc"]);
    let all = call(row("__all_sync", "q(uq)"), b.void, &[number(b.uint, 1), read(b.int, 0)], b.int);
    has(&b.returned(&[b.int], all), &["cmp.ne", "__all_sync", "i32 = zext"]);
}

#[test]
fn a_vector_is_loaded_at_once() {
    let mut b = built();
    let vector = b.record(&[(b.float, None), (b.float, None), (b.float, None), (b.float, None)]);
    b.program.records[0].align = 16;
    let pointer = b.pointer(vector);
    let row = builtin::overloads("__ldg").next().unwrap();
    let init = Init::Builtin(row, vector, vec![Arg::Value(read(pointer, 0))].into());
    b.function(b.void, &[pointer], &[vector], vec![stmt(StmtKind::Let(LocalId(1), Some(init)))]);
    has(&b.text(), &["f32, ", "load.a16.volatile.nc", "store.a16", "store.a4", "store.a8", "store.a4"]);
}

#[test]
fn operands_of_asm_that_are_read_and_written_are_copied_in() {
    let mut b = built();
    let asm = Asm {
        text: "add.s32 %0, %0, %1;".into(),
        volatile: false,
        memory: false,
        outputs: vec![(b'r', local(b.int, 0), true)],
        inputs: vec![(b'r', read(b.int, 1))],
    };
    b.function(b.void, &[b.int, b.int], &[], vec![stmt(StmtKind::Asm(Box::new(asm)))]);
    has(&b.text(), &["mov.b32 %0, %2; add.s32 %0, %0, %1;", "store"]);
}

#[test]
fn a_function_that_ends_without_a_return_has_an_undefined_result() {
    let mut b = built();
    b.function(b.int, &[], &[], vec![]);
    has(&b.text(), &["return undef"]);
}

#[test]
fn what_follows_a_return_is_not_reached() {
    let mut b = built();
    let returns = |value| stmt(StmtKind::Return(Some(number(b.int, value))));
    let body = vec![returns(1), returns(2)];
    b.function(b.int, &[], &[], body);
    let text = b.text();
    has(&text, &["return 1:i32"]);
    assert!(!text.contains("2:i32"), "{text}");
}

#[test]
fn goto_finds_labels_before_and_behind() {
    let mut b = built();
    let body = vec![
        stmt(StmtKind::Target(Label(0))),
        stmt(StmtKind::If(
            read(b.boolean, 0),
            vec![stmt(StmtKind::Goto(Label(1)))],
            vec![stmt(StmtKind::Goto(Label(0)))],
        )),
        stmt(StmtKind::Target(Label(1))),
    ];
    b.function(b.void, &[b.boolean], &[], body);
    has(&b.text(), &["jump b1", "branch", "return"]);
}

#[test]
fn fields_that_are_named_are_filled() {
    let mut b = built();
    let record = b.record(&[(b.int, None), (b.int, None)]);
    let init = Init::Fields(Sorted::from([(1, Init::Value(number(b.int, 5)))]));
    b.function(b.void, &[], &[record], vec![stmt(StmtKind::Let(LocalId(0), Some(init)))]);
    let text = b.text();
    has(&text, &["4:i64", "store.a4", "5:i32"]);
    assert_eq!(text.matches("store").count(), 1, "{text}");
}
