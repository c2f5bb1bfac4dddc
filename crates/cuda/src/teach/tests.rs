//! What warnings are given, and what is left alone.

use super::shared::Pattern;
use super::*;
use crate::ir::parse::parse;

const PRELUDE: &str = "global @tile shared 4096 align 4 element f32 array\n";
const TID: &str = "  t: i32 = builtin \"__builtin_threadIdx_x u() -\"\n";
const SYNC: &str = "  builtin \"__syncthreads v() -\"\n";

/// Codes of the warnings about a kernel, whose instructions all get places of their own.
fn codes(body: &str) -> Vec<&'static str> {
    let text = format!("{PRELUDE}kernel @k(p, n) {{\nb0(p: ptr.global, n: i32):\n{TID}{body}}}");
    let mut module = parse(&text);
    let mut next = 0;
    let mut span = || {
        next += 1;
        Span { lo: next, hi: next + 1, expansion: 0 }
    };
    let function = &mut module.functions[0];
    function.insts.iter_mut().for_each(|inst| inst.place.span = span());
    function.blocks.iter_mut().for_each(|block| block.end_place.span = span());
    let sources = Sources::default();
    let mut teacher = Teacher::new(&sources);
    teacher.kernel(&module.globals, &module.functions[0]);
    teacher.found.iter().map(|warning| warning.code).collect()
}

#[test]
fn a_barrier_under_a_condition_on_the_thread_is_divergent() {
    let body =
        format!("  c: pred = cmp.slt t, 16:i32\n  branch c, b1, b2\nb1:\n{SYNC}  jump b2\nb2:\n  return\n");
    assert_eq!(codes(&body), ["divergent-barrier"]);
}

#[test]
fn a_barrier_behind_the_branch_or_under_a_condition_that_all_threads_share_is_not() {
    let behind =
        format!("  c: pred = cmp.slt t, 16:i32\n  branch c, b1, b2\nb1:\n  jump b2\nb2:\n{SYNC}  return\n");
    assert_eq!(codes(&behind), [""; 0]);
    let shared =
        format!("  c: pred = cmp.slt n, 16:i32\n  branch c, b1, b2\nb1:\n{SYNC}  jump b2\nb2:\n  return\n");
    assert_eq!(codes(&shared), [""; 0]);
}

#[test]
fn a_way_that_ends_the_program_does_not_count() {
    let body = format!(
        "  c: pred = cmp.eq t, 0:i32\n  branch c, b1, b3\nb1:\n  d: pred = cmp.slt n, 0:i32\n  branch d, b2, b3\nb2:\n  \
         unreachable\nb3:\n{SYNC}  return\n"
    );
    assert_eq!(codes(&body), [""; 0]);
}

#[test]
fn what_is_chosen_by_the_thread_differs_too() {
    let split = format!(
        "  c: pred = cmp.slt t, 16:i32\n  branch c, b1, b2\nb1:\n  jump b3(1:i32)\nb2:\n  jump b3(2:i32)\nb3(x: i32):\n  \
         d: pred = cmp.eq x, 1:i32\n  branch d, b4, b5\nb4:\n{SYNC}  jump b5\nb5:\n  return\n"
    );
    assert_eq!(codes(&split), ["divergent-barrier"]);
}

#[test]
fn atomics_and_elements_of_ones_own_differ() {
    let own = "  l: i64 = sext t\n  a: ptr.global = offset p, l\n  x: i32 = load.a4 a\n  c: pred = cmp.slt x, 16:i32\n";
    let body = format!("{own}  branch c, b1, b2\nb1:\n{SYNC}  jump b2\nb2:\n  return\n");
    assert_eq!(codes(&body), ["divergent-barrier"]);
    let shared = "  x: i32 = load.a4 p\n  c: pred = cmp.slt x, 16:i32\n";
    let body = format!("{shared}  branch c, b1, b2\nb1:\n{SYNC}  jump b2\nb2:\n  return\n");
    assert_eq!(codes(&body), [""; 0]);
}

/// Address of element `t * stride + plus`.
fn element(name: &str, stride: i64, plus: i64) -> String {
    format!(
        "  {name}l: i64 = zext t\n  {name}m: i64 = mul.nsw {name}l, {}:i64\n  {name}n: i64 = add {name}m, {}:i64\n  \
         {name}g: ptr.shared = global @tile\n  {name}: ptr.shared = offset {name}g, {name}n\n",
        stride * 4,
        plus * 4
    )
}

#[test]
fn even_strides_conflict_and_odd_ones_do_not() {
    let access = |stride| {
        codes(&format!("{}  x: f32 = load.a4 a\n  store.a4 p, x\n  return\n", element("a", stride, 0)))
    };
    assert_eq!(access(1), [""; 0]);
    assert_eq!(access(2), ["bank-conflict"]);
    assert_eq!(access(32), ["bank-conflict"]);
    assert_eq!(access(33), [""; 0]);
}

#[test]
fn conflicts_are_counted_as_the_hardware_has_them() {
    let ways = |x, y, width, size, bytes| Pattern { x, y, width, size, bytes }.ways();
    assert_eq!(ways(4, 0, 32, 4, 4096), 1);
    assert_eq!(ways(8, 0, 32, 4, 4096), 2);
    assert_eq!(ways(128, 0, 32, 4, 4096), 32);
    assert_eq!(ways(132, 0, 32, 4, 4096), 1);
    assert_eq!(ways(0, 0, 32, 4, 4096), 1);
    assert_eq!(ways(8, 0, 32, 8, 4096), 1);
    assert_eq!(ways(16, 0, 32, 8, 4096), 2);
    assert_eq!(ways(16, 0, 32, 16, 4096), 1);
    assert_eq!(ways(1, 0, 32, 1, 4096), 1);
    assert_eq!(ways(8, 0, 32, 1, 64), 1);
}

#[test]
fn a_counter_of_a_loop_is_the_same_in_all_threads_though_they_branch_in_it() {
    let body = format!(
        "  jump b1(0:i32)\nb1(i: i32):\n  c: pred = cmp.slt i, n\n  branch c, b2, b4\nb2:\n{SYNC}  d: pred = cmp.slt t, \
         i\n  j: i32 = add i, 1:i32\n  branch d, b3, b1(j)\nb3:\n  jump b1(j)\nb4:\n  return\n"
    );
    assert_eq!(codes(&body), [""; 0]);
}

#[test]
fn an_element_of_a_neighbour_needs_a_barrier() {
    let body = |between: &str, plus| {
        let (a, b) = (element("a", 1, 0), element("b", 1, plus));
        codes(&format!(
            "{a}  store.a4 a, 1.0:f32\n{between}{b}  x: f32 = load.a4 b\n  store.a4 p, x\n  return\n"
        ))
    };
    assert_eq!(body("", 1), ["missing-barrier"]);
    assert_eq!(body(SYNC, 1), [""; 0]);
    assert_eq!(body("", 0), [""; 0]);
}

#[test]
fn a_comparison_that_leaves_out_the_thread_whose_element_is_read_needs_no_barrier() {
    let own = element("a", 1, 0);
    let body = |compare: &str| {
        codes(&format!(
            "{own}  m: i32 = mul n, 4:i32\n  by: i64 = sext m\n  g: ptr.shared = global @tile\n  b: ptr.shared = offset g, \
             by\n  c: pred = cmp.{compare}\n  branch c, b1, b2\nb1:\n  x: f32 = load.a4 b\n  store.a4 a, x\n  jump \
             b2\nb2:\n  return\n"
        ))
    };
    assert_eq!(body("sgt t, n"), [""; 0]);
    assert_eq!(body("slt n, t"), [""; 0]);
    assert_eq!(body("sge t, n"), ["missing-barrier"]);
    // After another branch, it is not seen on which side of the comparison the store is.
    let behind = format!(
        "{own}  m: i32 = mul n, 4:i32\n  by: i64 = sext m\n  g: ptr.shared = global @tile\n  b: ptr.shared = offset g, by\n  \
         c: pred = cmp.sle t, n\n  branch c, b1, b2\nb1:\n  d: pred = cmp.slt n, 5:i32\n  branch d, b3, b4\nb3:\n  jump \
         b4\nb4:\n  x: f32 = load.a4 b\n  store.a4 a, x\n  jump b2\nb2:\n  return\n"
    );
    assert_eq!(codes(&behind), ["missing-barrier"]);
}

/// A loop, in each iteration of which every thread stores its own element, waits, and loads one that they share.
fn turns(first: &str, before: &str, behind: &str) -> Vec<&'static str> {
    let own = element("a", 1, 0);
    codes(&format!(
        "{own}  m: i32 = mul n, 4:i32\n  by: i64 = sext m\n  g: ptr.shared = global @tile\n  b: ptr.shared = offset g, by\n  \
         jump b1(0:i32)\nb1(i: i32):\n  c: pred = cmp.slt i, n\n  branch c, b2, b7\nb2:\n  d: pred = cmp.sgt i, 0:i32\n  \
         branch d, b3, b4\nb3:\n{first}  jump b4\nb4:\n  store.a4 a, 1.0:f32\n{SYNC}  jump b5(0:i32)\nb5(k: i32):\n  e: pred \
         = cmp.slt k, n\n  branch e, b6, b8\nb6:\n{before}  x: f32 = load.a4 b\n  store.a4 p, x\n  l: i32 = add k, \
         1:i32\n  jump b5(l)\nb8:\n  j: i32 = add i, 1:i32\n  jump b1(j)\nb7:\n{behind}  return\n"
    ))
}

#[test]
fn a_barrier_at_the_beginning_of_all_turns_but_the_first_is_one() {
    assert_eq!(turns(SYNC, "", ""), [""; 0]);
    assert_eq!(turns("", "", ""), ["missing-barrier"]);
}

#[test]
fn barriers_behind_the_loop_or_before_each_read_do_not_come_before_the_next_store() {
    assert_eq!(turns("", "", SYNC), ["missing-barrier"]);
    assert_eq!(turns("", SYNC, ""), ["missing-barrier"]);
}

#[test]
fn rows_of_ones_own_need_no_barrier() {
    let (a, b) = (element("a", 3, 0), element("b", 3, 1));
    let body = format!("{a}  store.a4 a, 1.0:f32\n{b}  x: f32 = load.a4 b\n  store.a4 p, x\n  return\n");
    assert_eq!(codes(&body), [""; 0]);
}

mod tree {
    use super::*;
    use crate::evaluate::Scalar;
    use crate::hir::{
        Binary, Compare, Expr, ExprKind, Function, Init, Integer, Local, LocalId, Place, PlaceKind, Program,
        Stmt, StmtKind, Type, TypeKind,
    };
    use crate::ir::{Bounds, Inline};

    /// Warnings about a function of two variables, `x` and `u`.
    fn codes(text: &str, body: impl Fn(&mut Program, Type) -> Vec<Stmt>) -> Vec<&'static str> {
        let mut sources = Sources::default();
        sources.add("x.cu", text.to_owned(), false);
        let mut program = Program::default();
        let uint = program.types.of(TypeKind::Integer(Integer::UInt));
        let void = program.types.of(TypeKind::Void);
        let body = body(&mut program, uint);
        let local = |name: &str| Local {
            name: name.into(),
            ty: uint,
            align: 4,
            restrict: false,
            grid_constant: false,
            span: Span::default(),
        };
        program.functions.push(Function {
            name: "k".into(),
            symbol: "k".into(),
            kernel: true,
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
            result: void,
            params: vec![],
            locals: vec![local("x"), local("u")],
            body,
            span: Span::default(),
            end: Span::default(),
        });
        let mut teacher = Teacher::new(&sources);
        teacher.tree(&program);
        teacher.found.iter().map(|warning| warning.code).collect()
    }

    fn span(text: &str, of: &str) -> Span {
        let lo = text.find(of).unwrap() as u32;
        Span { lo, hi: lo + of.len() as u32, expansion: 0 }
    }

    fn local(ty: Type, id: u32, span: Span) -> Place {
        Place { kind: PlaceKind::Local(LocalId(id)), ty, span }
    }

    fn read(ty: Type, id: u32) -> Expr {
        let place = local(ty, id, Span::default());
        Expr { kind: ExprKind::Load(Box::new(place)), ty, span: Span::default() }
    }

    fn number(ty: Type, value: i128) -> Expr {
        Expr { kind: ExprKind::Integer(value), ty, span: Span { lo: 1, hi: 1, expansion: 0 } }
    }

    fn stmt(kind: StmtKind) -> Stmt {
        Stmt { kind, span: Span::default() }
    }

    fn compare(program: &mut Program, op: Compare, left: Expr, right: Expr) -> Expr {
        let ty = program.types.of(TypeKind::Bool);
        Expr {
            kind: ExprKind::Compare(op, Box::new(left), Box::new(right)),
            ty,
            span: Span { lo: 3, hi: 4, expansion: 0 },
        }
    }

    #[test]
    fn an_unsigned_number_is_never_below_zero() {
        let warned = |op, value| {
            codes("", |program, uint| {
                let condition = compare(program, op, read(uint, 1), number(uint, value));
                vec![stmt(StmtKind::If(condition, vec![], vec![]))]
            })
        };
        assert_eq!(warned(Compare::Less, 0), ["unsigned-comparison"]);
        assert_eq!(warned(Compare::GreaterEqual, 0), ["unsigned-comparison"]);
        assert_eq!(warned(Compare::Less, 1), [""; 0]);
        assert_eq!(warned(Compare::Greater, 0), [""; 0]);
    }

    #[test]
    fn a_negative_number_beside_an_unsigned_one_is_huge() {
        let warned = codes("", |program, uint| {
            let int = program.types.of(TypeKind::Integer(Integer::Int));
            assert_eq!(
                crate::evaluate::scalar(program, int),
                Some(Scalar::Integer { bits: 32, signed: true })
            );
            let minus =
                Expr { kind: ExprKind::Cast(Box::new(number(int, -1))), ty: uint, span: Span::default() };
            let condition = compare(program, Compare::Greater, read(uint, 1), minus);
            vec![stmt(StmtKind::If(condition, vec![], vec![]))]
        });
        assert_eq!(warned, ["unsigned-comparison"]);
    }

    #[test]
    fn a_comparison_as_a_statement_does_nothing() {
        let warned = codes("", |program, uint| {
            vec![stmt(StmtKind::Expr(compare(program, Compare::Equal, read(uint, 0), read(uint, 1))))]
        });
        assert_eq!(warned, ["unused-comparison"]);
    }

    fn assignment(text: &str) -> Vec<&'static str> {
        codes(text, |program, uint| {
            let boolean = program.types.of(TypeKind::Bool);
            let to = Box::new(local(uint, 0, span(text, "x")));
            let value = Expr { span: span(text, "5"), ..number(uint, 5) };
            let place =
                Place { kind: PlaceKind::Assign(to, Box::new(value)), ty: uint, span: span(text, "x = 5") };
            let load = Expr { kind: ExprKind::Load(Box::new(place)), ty: uint, span: span(text, "x = 5") };
            let condition =
                Expr { kind: ExprKind::Cast(Box::new(load)), ty: boolean, span: span(text, "x = 5") };
            vec![stmt(StmtKind::If(condition, vec![], vec![]))]
        })
    }

    #[test]
    fn an_assignment_as_a_condition_needs_parentheses_of_its_own() {
        assert_eq!(assignment("if (x = 5)"), ["assignment-in-condition"]);
        assert_eq!(assignment("if ((x = 5))"), [""; 0]);
    }

    #[test]
    fn a_store_that_nobody_reads_is_told_of() {
        let warned = |also: bool| {
            codes("", |_, uint| {
                let to = Box::new(local(uint, 0, Span::default()));
                let sum = PlaceKind::Compound(to, Binary::Add, Box::new(number(uint, 1)), uint);
                let mut body = vec![
                    stmt(StmtKind::Let(LocalId(0), Some(Init::Value(number(uint, 1))))),
                    stmt(StmtKind::Place(Place { kind: sum, ty: uint, span: Span::default() })),
                ];
                if also {
                    body.push(stmt(StmtKind::Let(LocalId(1), Some(Init::Value(read(uint, 0))))));
                }
                body
            })
        };
        assert_eq!(warned(false), ["unread-store"]);
        assert_eq!(warned(true), [""; 0]);
    }
}
