"""The families of the instruction corpus: which instructions there are, over which operands, and how exact they are."""

import itertools

from corpus.modules import Family, Kernel, Tiles


def integer_types(few=False):
    """Each type of 16, 32 and 64 bits, its bytes, and its list."""
    for size in (2, 4, 8):
        for sign in "us":
            yield f"{sign}{8 * size}", size, f"i{8 * size}" + ("few" if few else "")


def pairwise(family, operations, sat32=()):
    """Two operands of every integer type."""
    kernels = []
    for ty, size, operands in integer_types():
        kernel = Kernel(f"{family}.{ty}", [operands] * 2).each(
            [f"{name}.{ty}" for name in operations], size, "ab"
        )
        if ty == "s32":
            kernel.each([f"{name}.sat.s32" for name in sat32], size, "ab")
        kernels.append(kernel.guarded())
    return kernels


def rounded(names, ty, flags=("",)):
    return [
        f"{name}.{rounding}{flag}.{ty}"
        for name in names
        for rounding in ("rn", "rz", "rm", "rp")
        for flag in flags
    ]


def crossed(*parts):
    """Every way to choose one of each: crossed(("", ".ftz"), ("", ".sat"))."""
    return ["".join(choice) for choice in itertools.product(*parts)]


def multiplication():
    kernels = []
    for ty, size, operands in integer_types():
        kernel = Kernel(f"mul.{ty}", [operands] * 2).each([f"mul.lo.{ty}", f"mul.hi.{ty}"], size, "ab")
        if size < 8:
            kernel.each([f"mul.wide.{ty}"], 2 * size, "ab")
        kernels.append(kernel.guarded())
    return kernels


def multiply_add():
    kernels = []
    for ty, size, operands in integer_types(few=True):
        kernel = Kernel(f"mad.{ty}", [operands] * 3).each([f"mad.lo.{ty}", f"mad.hi.{ty}"], size, "abc")
        if ty == "s32":
            kernel.each(["mad.hi.sat.s32"], size, "abc")
        kernels.append(kernel.guarded())
        if size < 8:
            wide = {2: "i32few", 4: "i64few"}[size]
            kernels.append(
                Kernel(f"mad.wide.{ty}", [operands, operands, wide])
                .each([f"mad.wide.{ty}"], 2 * size, "abc")
                .guarded()
            )
    return kernels


def carries():
    kernels = []
    for ty, size, operands in (
        ("u32", 4, "i32"),
        ("s32", 4, "i32few"),
        ("u64", 8, "i64"),
        ("s64", 8, "i64few"),
    ):
        kernel = Kernel(f"carry.{ty}", [operands] * 2)
        # The carry that comes in: of 1 + ones, or of 0 + ones; a borrow: of 0 - 1, or of 0 - 0.
        carry = "add.cc.u32 %ones, {px}, 0xffffffff;"
        borrow = "sub.cc.u32 %ones, 0, {px};"
        for lines in (
            f"add.cc.{ty} {{d}}, {{a}}, {{b}};",
            f"add.cc.{ty} {{e}}, {{a}}, {{b}}; addc.{ty} {{d}}, 0, 0;",
            f"{carry} addc.{ty} {{d}}, {{a}}, {{b}};",
            f"{carry} addc.cc.{ty} {{e}}, {{a}}, {{b}}; addc.{ty} {{d}}, 0, 0;",
            f"sub.cc.{ty} {{d}}, {{a}}, {{b}};",
            f"sub.cc.{ty} {{e}}, {{a}}, {{b}}; subc.{ty} {{d}}, 0, 0;",
            f"{borrow} subc.{ty} {{d}}, {{a}}, {{b}};",
            f"{borrow} subc.cc.{ty} {{e}}, {{a}}, {{b}}; subc.{ty} {{d}}, 0, 0;",
            # What a subtraction leaves for an addition, and the other way round.
            f"sub.cc.{ty} {{e}}, {{a}}, {{b}}; addc.{ty} {{d}}, {{b}}, 0;",
            f"{borrow} subc.cc.{ty} {{e}}, {{a}}, {{b}}; addc.{ty} {{d}}, {{a}}, {{b}};",
            f"add.cc.{ty} {{e}}, {{a}}, {{b}}; subc.{ty} {{d}}, {{b}}, 0;",
        ):
            kernel.add(lines, size)
        kernels.append(kernel)
        triple = Kernel(f"carry.mad.{ty}", [f"i{8 * size}few"] * 3)
        # A product's lower half has no sign.
        for half in ("lo", "hi") if ty.startswith("u") else ("hi",):
            for lines in (
                f"mad.{half}.cc.{ty} {{d}}, {{a}}, {{b}}, {{c}};",
                f"mad.{half}.cc.{ty} {{e}}, {{a}}, {{b}}, {{c}}; addc.{ty} {{d}}, 0, 0;",
                f"{carry} madc.{half}.{ty} {{d}}, {{a}}, {{b}}, {{c}};",
                f"{carry} madc.{half}.cc.{ty} {{e}}, {{a}}, {{b}}, {{c}}; addc.{ty} {{d}}, 0, 0;",
            ):
                triple.add(lines, size)
        kernels.append(triple)
    return kernels


def logic():
    kernels = []
    for size, operands in ((2, "i16"), (4, "i32"), (8, "i64")):
        ty = f"b{8 * size}"
        kernel = Kernel(f"logic.{ty}", [operands] * 2).each(
            [f"{name}.{ty}" for name in ("and", "or", "xor")], size, "ab"
        )
        kernels.append(kernel.each([f"{name}.{ty}" for name in ("not", "cnot")], size, "a").guarded())
    predicates = Kernel("logic.pred", ["i32few"] * 2)
    for name in ("and", "or", "xor"):
        predicates.add(f"setp.lt.u32 %q, {{a}}, {{b}}; {name}.pred {{d}}, {{p}}, %q;", 0)
    predicates.add("not.pred {d}, {p};", 0)
    return [*kernels, predicates]


def shifts():
    kernels = []
    for size in (2, 4, 8):
        names = [f"{name}{8 * size}" for name in ("shl.b", "shr.b", "shr.u", "shr.s")]
        kernels.append(
            Kernel(f"shift.b{8 * size}", [f"i{8 * size}", "count"]).each(names, size, "ab").guarded()
        )
    return kernels


def comparisons(ty):
    if ty.startswith("b") and not ty.startswith("bf"):
        return ["eq", "ne"]
    if ty.startswith("s"):
        return ["eq", "ne", "lt", "le", "gt", "ge"]
    if ty.startswith("u"):
        return ["eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs"]
    return ["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"]


def compared(ty, operands, flags=("",)):
    kernel = Kernel(f"setp.{ty}", [operands] * 2)
    for flag in flags:
        for name in comparisons(ty):
            kernel.add(f"setp.{name}{flag}.{ty} {{d}}, {{a}}, {{b}};", 0)
        first = comparisons(ty)[-1]
        for logic in ("and", "or", "xor"):
            kernel.add(f"setp.{first}.{logic}{flag}.{ty} {{d}}, {{a}}, {{b}}, {{p}};", 0)
            kernel.add(f"setp.{first}.{logic}{flag}.{ty} {{d}}, {{a}}, {{b}}, !{{p}};", 0)
            # Only the packed halves' comparison has two results among those of halves.
            if ty not in ("f16", "bf16"):
                kernel.add(f"setp.{first}.{logic}{flag}.{ty} %q|{{d}}, {{a}}, {{b}}, {{p}};", 0)
    return kernel


def compared_pairs(ty, operands, flags):
    kernel = Kernel(f"setp.{ty}", [operands] * 2)
    for flag in flags:
        for name in comparisons(ty):
            kernel.add(f"setp.{name}{flag}.{ty} {{d}}|%q, {{a}}, {{b}};", 0)
            kernel.add(f"setp.{name}{flag}.{ty} %q|{{d}}, {{a}}, {{b}};", 0)
    return kernel


def setting(ty, operands, results, flags=("",)):
    kernel = Kernel(f"set.{ty}", [operands] * 2)
    for result, size in results:
        for flag in flags:
            for name in comparisons(ty)[-3:]:
                kernel.add(f"set.{name}{flag}.{result}.{ty} {{d}}, {{a}}, {{b}};", size)
            kernel.add(f"set.{comparisons(ty)[-1]}.xor{flag}.{result}.{ty} {{d}}, {{a}}, {{b}}, {{p}};", size)
    return kernel


def selections():
    kernels = []
    for size, types in (
        (2, ("b16", "u16", "s16")),
        (4, ("b32", "u32", "s32", "f32")),
        (8, ("b64", "u64", "s64", "f64")),
    ):
        kernel = Kernel(f"selp.b{8 * size}", [f"i{8 * size}few"] * 2)
        for ty in types:
            kernel.add(f"selp.{ty} {{d}}, {{a}}, {{b}}, {{p}};", size)
        kernels.append(kernel)
        for by, operands, flags in (("s32", "i32few", ("",)), ("f32", "f32few", ("", ".ftz"))):
            kernel = Kernel(f"slct.b{8 * size}.{by}", [f"i{8 * size}few", f"i{8 * size}few", operands])
            kernels.append(
                kernel.each([f"slct{flag}.{ty}.{by}" for flag in flags for ty in types[:2]], size, "abc")
            )
    return kernels


INTEGERS = ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"]
FLOATS = {"f16": "f16wide", "bf16": "bf16wide", "f32": "f32wide", "f64": "f64wide"}


def width(ty, other="f32"):
    """Bytes of the register a conversion reads or writes: narrow integers are given a wider one, to see how they fill it,
    where the other type is one with which ptxas takes that."""
    narrow = 2 if other == "bf16" else 4
    return {
        "u8": narrow,
        "s8": narrow,
        "u16": narrow,
        "s16": narrow,
        "f16": 2,
        "bf16": 2,
        "u64": 8,
        "s64": 8,
        "f64": 8,
    }.get(ty, 4)


def bounds(ty):
    """The least and the largest value of an integer type."""
    bits = int(ty[1:])
    return (0, (1 << bits) - 1) if ty[0] == "u" else (-(1 << bits - 1), (1 << bits - 1) - 1)


def is_convertible(integer, other):
    """Bytes and .bf16: ptxas takes none of the registers there are."""
    return not (integer in ("u8", "s8") and other == "bf16")


def between_integers():
    kernels = []
    for source in INTEGERS:
        kernel = Kernel(f"cvt.{source}", ["i64wide" if width(source) == 8 else "i32wide"])
        for result in INTEGERS:
            kernel.each([f"cvt.{result}.{source}"], width(result), "a")
            # Refused where every value has its place in the result's type.
            least, most = bounds(source)
            if least < bounds(result)[0] or most > bounds(result)[1]:
                kernel.each([f"cvt.sat.{result}.{source}"], width(result), "a")
        kernels.append(kernel.guarded())
    return kernels


def integers_to_floats(floats):
    kernels = []
    for source in INTEGERS:
        if not is_convertible(source, floats[0]):
            continue
        operands = {2: "i16", 4: "i32wide", 8: "i64wide"}[width(source, floats[0])]
        kernel = Kernel(f"cvt.{floats[0]}.{source}", [operands])
        for result in floats:
            kernel.each(
                [f"cvt.{rounding}.{result}.{source}" for rounding in ("rn", "rz", "rm", "rp")],
                width(result),
                "a",
            )
            if result != "bf16":
                kernel.each([f"cvt.rn.sat.{result}.{source}"], width(result), "a")
        kernels.append(kernel)
    return kernels


def floats_to_integers(floats):
    kernels = []
    for source in floats:
        kernel = Kernel(f"cvt.integer.{source}", [FLOATS[source]])
        for result in INTEGERS:
            if not is_convertible(result, source):
                continue
            for flag in ("", ".ftz") if source == "f32" else ("",):
                kernel.each(
                    [f"cvt.{rounding}{flag}.{result}.{source}" for rounding in ("rni", "rzi", "rmi", "rpi")],
                    width(result, source),
                    "a",
                )
        kernels.append(kernel)
    return kernels


def between_floats():
    f16, single, double = [Kernel(f"cvt.{source}", [FLOATS[source]]) for source in ("f16", "f32", "f64")]
    f16.each([f"cvt{flag}.f32.f16" for flag in crossed(("", ".ftz"), ("", ".sat"))], 4, "a")
    f16.each(["cvt.f64.f16", "cvt.sat.f64.f16"], 8, "a")
    f16.each(["cvt.rni.f16.f16", "cvt.rzi.f16.f16", "cvt.rmi.f16.f16", "cvt.rpi.f16.f16"], 2, "a")
    single.each(rounded(["cvt"], "f16.f32", crossed(("", ".ftz"), ("", ".sat"))), 2, "a")
    single.each([f"cvt{flag}.f64.f32" for flag in crossed(("", ".ftz"), ("", ".sat"))], 8, "a")
    single.each(
        [
            f"cvt{flag}.f32.f32"
            for flag in crossed(("", ".rni", ".rzi", ".rmi", ".rpi"), ("", ".ftz"), ("", ".sat"))
        ],
        4,
        "a",
    )
    double.each(rounded(["cvt"], "f16.f64") + ["cvt.rn.sat.f16.f64"], 2, "a")
    double.each(rounded(["cvt"], "f32.f64", crossed(("", ".ftz"), ("", ".sat"))), 4, "a")
    double.each(
        [f"cvt{flag}.f64.f64" for flag in crossed(("", ".rni", ".rzi", ".rmi", ".rpi"), ("", ".sat"))], 8, "a"
    )
    return [f16, single, double]


def narrowed():
    """Singles made shorter formats, with .relu and .satfinite."""
    one = Kernel("cvt.narrow", ["f32wide"])
    one.each(
        [
            f"cvt.{rounding}{flag}.{ty}.f32"
            for ty in ("f16", "bf16")
            for rounding in ("rn", "rz")
            for flag in crossed(("", ".relu"), ("", ".satfinite"))
        ],
        2,
        "a",
    )
    two = Kernel("cvt.narrow.pair", ["f32"] * 2)
    two.each(
        [
            f"cvt.{rounding}{flag}.{ty}.f32"
            for ty in ("f16x2", "bf16x2")
            for rounding in ("rn", "rz")
            for flag in ("", ".relu")
        ],
        4,
        "ab",
    )
    tf32 = Kernel("cvt.tf32", ["f32wide"])
    tf32.each(
        [f"cvt.{name}.tf32.f32" for name in ("rna", "rna.satfinite", "rn", "rz", "rn.relu", "rz.relu")],
        4,
        "a",
    )
    return [one, two, tf32]


def brain_floats():
    kernel = Kernel("cvt.bf16", ["bf16wide"])
    kernel.each(["cvt.f32.bf16", "cvt.ftz.f32.bf16"], 4, "a").each(["cvt.f64.bf16"], 8, "a")
    kernel.each(
        rounded(["cvt"], "f16.bf16") + [f"cvt.{r}.bf16.bf16" for r in ("rni", "rzi", "rmi", "rpi")], 2, "a"
    )
    others = [
        Kernel(f"cvt.bf16.{ty}", [FLOATS[ty]]).each(rounded(["cvt"], f"bf16.{ty}"), 2, "a")
        for ty in ("f16", "f32", "f64")
    ]
    return [kernel, *others]


def packed_integers():
    kernel = Kernel("cvt.pack", ["i32"] * 2).each(["cvt.pack.sat.u16.s32", "cvt.pack.sat.s16.s32"], 4, "ab")
    triple = Kernel("cvt.pack.more", ["i32few"] * 3)
    return [
        kernel,
        triple.each([f"cvt.pack.sat.{ty}.s32.b32" for ty in ("u8", "s8", "u4", "s4", "u2", "s2")], 4, "abc"),
    ]


def bytes_as_floats():
    """Pairs of 8-bit floats: all of them as halves, and corner cases made them."""
    wide = Kernel("fp8.wide", ["i16all"])
    wide.each([f"cvt.rn{flag}.f16x2.{ty}" for ty in ("e4m3x2", "e5m2x2") for flag in ("", ".relu")], 4, "a")
    names = [f"cvt.rn.satfinite{flag}.{ty}" for ty in ("e4m3x2", "e5m2x2") for flag in ("", ".relu")]
    singles = Kernel("fp8.singles", ["fp8", "fp8"]).each([f"{name}.f32" for name in names], 2, "ab")
    halves = Kernel("fp8.halves", ["f16x2"]).each([f"{name}.f16x2" for name in names], 2, "a")
    return [wide, singles, halves]


def video():
    """The SIMD video instructions that compilers emit, and their kin."""
    kernel = Kernel("video", ["i8x4", "i8x4", "sum"])
    for lanes in "24":
        for name in ("vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax"):
            for types in (".u32.u32.u32", ".s32.s32.s32"):
                kernel.each([f"{name}{lanes}{types}{more}" for more in ("", ".sat", ".add")], 4, "abc")
    return [kernel]


def selected_lanes():
    """The SIMD video instructions with lanes of both words, masks, and comparisons."""
    kernel = Kernel("video.lanes", ["i8x4", "i8x4", "sum"])
    for lanes, result, first, second in (
        ("2", ".h0", ".h20", ".h13"),
        ("2", ".h1", ".h31", ""),
        ("4", ".b20", ".b7531", ".b0246"),
        ("4", ".b3", "", ".b3210"),
    ):
        for types in (".u32.u32.s32", ".s32.s32.u32"):
            for more in ("", ".sat", ".add"):
                for name in ("vadd", "vabsdiff", "vavrg", "vmax"):
                    kernel.add(
                        f"{name}{lanes}{types}{more} {{d}}{result}, {{a}}{first}, {{b}}{second}, {{c}};", 4
                    )
        for comparison in ("eq", "ne", "lt", "le", "gt", "ge"):
            kernel.add(
                f"vset{lanes}.u32.s32.{comparison} {{d}}{result}, {{a}}{first}, {{b}}{second}, {{c}};", 4
            )
            kernel.add(f"vset{lanes}.s32.s32.{comparison}.add {{d}}, {{a}}, {{b}}, {{c}};", 4)
    return [kernel]


def scalar_video():
    """The scalar video instructions: parts of words, what is done with the result, shifts, comparisons, products. Left out
    is what ptxas's replacements for chips without them do otherwise than the manual: `.h1` of a result, saturation
    before a second operation or of signs that differ, and comparisons of results past 32 bits."""
    parts = (("", ""), (".b0", ".b3"), (".h1", ".b1"), (".h0", ".h1"), (".b2", ""))
    types = crossed((".u32", ".s32"), (".u32", ".s32"), (".u32", ".s32"))
    plain, merged, second = [
        Kernel(name, ["i32few", "i32few"] + ["i8x4"] * three)
        for name, three in (("video.plain", 0), ("video.merged", 1), ("video.second", 1))
    ]
    for name in ("vadd", "vsub", "vabsdiff", "vmin", "vmax"):
        for n, ty in enumerate(types):
            for m, (first, other) in enumerate(parts):
                sat = ".sat" if (n + m) % 2 and ty != ".u32.u32.s32" else ""
                plain.add(f"{name}{ty}{sat} {{d}}, {{a}}{first}, {{b}}{other};", 4)
            first, other = parts[n % 5]
            part = (".b0", ".b1", ".b2", ".b3", ".h0")[n % 5]
            merged.add(f"{name}{ty} {{d}}{part}, {{a}}{first}, {{b}}{other}, {{c}};", 4)
            alike = ty == ".s32.s32.s32" or ty == ".u32.u32.u32" and name not in ("vadd", "vsub")
            for then in ("add", "min", "max") if alike else ("add",):
                second.add(f"{name}{ty}.{then} {{d}}, {{a}}{first}, {{b}}{other}, {{c}};", 4)
    shifts = Kernel("video.shifts", ["i32few", "count", "i8x4"])
    for name in ("vshl", "vshr"):
        for n, ty in enumerate(crossed((".u32", ".s32"), (".u32", ".s32"))):
            for mode in (".clamp", ".wrap"):
                first, other = parts[n % 5]
                shifts.add(f"{name}{ty}.u32{mode} {{d}}, {{a}}{first}, {{b}}{other};", 4)
                shifts.add(f"{name}{ty}.u32{mode}.add {{d}}, {{a}}, {{b}}, {{c}};", 4)
                shifts.add(f"{name}{ty}.u32{mode} {{d}}.b2, {{a}}, {{b}}{other}, {{c}};", 4)
    sets = Kernel("video.sets", ["i32few", "i32few", "i8x4"])
    for n, ty in enumerate(crossed((".u32", ".s32"), (".u32", ".s32"))):
        for comparison in ("eq", "ne", "lt", "le", "gt", "ge"):
            first, other = parts[n % 5]
            sets.add(f"vset{ty}.{comparison} {{d}}, {{a}}{first}, {{b}}{other};", 4)
            sets.add(f"vset{ty}.{comparison} {{d}}.b1, {{a}}, {{b}}, {{c}};", 4)
            if n != 2:
                sets.add(f"vset{ty}.{comparison}.{('add', 'min')[n % 3]} {{d}}, {{a}}, {{b}}, {{c}};", 4)
    products = Kernel("video.products", ["i32few", "i32few", "i8x4"])
    for scale in ("", ".shr7", ".shr15"):
        for sat in ("", ".sat"):
            for ty in (".u32.u32", ".u32.s32", ".s32.u32", ".s32.s32"):
                if ty == ".u32.u32" and (scale or sat):
                    continue
                result = ".u32" if ty == ".u32.u32" else ".s32"
                products.add(f"vmad{result}{ty}{sat}{scale} {{d}}, {{a}}.b1, {{b}}.h0, {{c}};", 4)
                products.add(f"vmad{result}{ty}.po{sat}{scale} {{d}}, {{a}}.h1, {{b}}.h0, {{c}};", 4)
                products.add(f"vmad.s32{ty}{sat}{scale} {{d}}, -{{a}}.h0, {{b}}.b2, {{c}};", 4)
                products.add(f"vmad.s32{ty}{sat}{scale} {{d}}, {{a}}.h0, {{b}}.h1, -{{c}};", 4)
    return [plain, merged, second, shifts, sets, products]


def half_arithmetic(ty, names, flags, size):
    return (
        Kernel(f"arithmetic.{ty}", [ty] * 2)
        .each([f"{name}{flag}.{ty}" for name in names for flag in flags], size, "ab")
        .guarded()
    )


def half_extremes(ty, ftz, size):
    names = [
        f"{name}{flag}.{ty}"
        for name in ("min", "max")
        for flag in crossed(ftz, ("", ".NaN"), ("", ".xorsign.abs"))
    ]
    return Kernel(f"minmax.{ty}", [ty] * 2).each(names, size, "ab")


def approximate(name, kernels, atol, rtol, **more):
    return Family(f"approx-{name}", kernels, result="f32", atol=atol, rtol=rtol, **more)


def approximate_half(name, ty, atol, rtol):
    """Operands are made values of the short format; results are widened to f32, which is exact."""
    kernel = Kernel(f"{name}.{ty}", ["power" if name == "ex2" else "slope"])
    flags = ".approx.ftz" if (name, ty) == ("ex2", "bf16") else ".approx"
    kernel.add(f"cvt.rn.{ty}.f32 %a2, {{a}}; {name}{flags}.{ty} %d2, %a2; cvt.f32.{ty} {{d}}, %d2;", 4)
    kernel.add(
        f"cvt.rn.{ty}.f32 %a2, {{a}}; mov.b32 %ones, {{{{%a2, %a2}}}}; {name}{flags}.{ty}x2 %ones, %ones; "
        f"mov.b32 {{{{%b2, %d2}}}}, %ones; cvt.f32.{ty} {{d}}, %d2;",
        4,
    )
    return approximate(f"{name}-{ty}", [kernel], atol, rtol, target="sm_90")


TABLES = [0x00, 0x01, 0x17, 0x1E, 0x3C, 0x40, 0x55, 0x80, 0x96, 0xB8, 0xCA, 0xD8, 0xE8, 0xF0, 0xFE, 0xFF]


def products(kernel, shapes, types, tail="", flags=("",)):
    """`mma` of shapes with that many registers of the result, `a`, `b` and `c`."""
    for shape, d, a, b in shapes:
        for flag in flags:
            kernel.add(f"mma.sync.aligned.{shape}.row.col{flag}.{types}{tail}", d, a, b, d)
    return kernel


def matrix_products():
    """Every `mma` of sm_90 and before, but those of sparse matrices."""
    halves = Tiles("halves", ["tile_f16"] * 3)
    products(halves, [("m16n8k8", 2, 2, 1), ("m16n8k16", 2, 4, 2)], "f16.f16.f16.f16")
    singles = products(
        Tiles("halves.f32", ["tile_f16", "tile_f16", "tile_f32"]),
        [("m16n8k8", 4, 2, 1), ("m16n8k16", 4, 4, 2)],
        "f32.f16.f16.f32",
    )
    for rows, columns in itertools.product(("row", "col"), repeat=2):
        halves.add(f"mma.sync.aligned.m8n8k4.{rows}.{columns}.f16.f16.f16.f16", 4, 2, 2, 4)
        singles.add(f"mma.sync.aligned.m8n8k4.{rows}.{columns}.f32.f16.f16.f32", 8, 2, 2, 8)
    halves.add("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f16", 8, 2, 2, 4)
    yield Family("mma-f16", [halves, singles])
    brain = products(
        Tiles("brain", ["tile_bf16", "tile_bf16", "tile_f32"]),
        [("m16n8k8", 4, 2, 1), ("m16n8k16", 4, 4, 2)],
        "f32.bf16.bf16.f32",
    )
    tensor = products(
        Tiles("tensor", ["tile_tf32", "tile_tf32", "tile_f32"]),
        [("m16n8k4", 4, 2, 1), ("m16n8k8", 4, 4, 2)],
        "f32.tf32.tf32.f32",
    )
    yield Family("mma-bf16-tf32", [brain, tensor])
    kernels = []
    for bits, (small, middle, large) in (
        (8, ("m8n8k16", "m16n8k16", "m16n8k32")),
        (4, ("m8n8k32", "m16n8k32", "m16n8k64")),
    ):
        for signs in itertools.product("su", repeat=2):
            kernel = Tiles(f"whole{bits}.{''.join(signs)}", ["tile_i32"] * 3)
            types = f"s32.{signs[0]}{bits}.{signs[1]}{bits}.s32"
            kernels.append(
                products(
                    kernel,
                    [(small, 2, 1, 1), (middle, 4, 2, 1), (large, 4, 4, 2)],
                    types,
                    flags=("", ".satfinite"),
                )
            )
    bits = Tiles("bits", ["tile_i32"] * 3)
    for operation in ("xor", "and"):
        products(
            bits,
            [("m8n8k128", 2, 1, 1), ("m16n8k128", 4, 2, 1), ("m16n8k256", 4, 4, 2)],
            "s32.b1.b1.s32",
            f".{operation}.popc",
        )
    yield Family("mma-integer", [*kernels, bits])
    doubles = Tiles("doubles", ["tile_f64"] * 3)
    shapes = [("m8n8k4", 2, 1, 1), ("m16n8k4", 4, 2, 1), ("m16n8k8", 4, 4, 2), ("m16n8k16", 4, 8, 4)]
    yield Family("mma-f64", [products(doubles, shapes, "f64.f64.f64.f64")], target="sm_90")
    eight = [
        Tiles(f"{a}.{b}", ["tile_fp8", "tile_fp8", "tile_f32"])
        for a, b in itertools.product(("e4m3", "e5m2"), repeat=2)
    ]
    for kernel in eight:
        products(kernel, [("m16n8k32", 4, 4, 2)], f"f32.{kernel.name.replace('_', '.')}.f32")
    yield Family("mma-fp8", eight, target="sm_90", version="8.4")


def matrix_rows():
    """`ldmatrix`, `stmatrix` and `movmatrix`: rows in no order, through shared and generic addresses."""
    kernel = Tiles("rows", ["tile_i32"], shared=2048)
    # A warp's 16 rows of 16 bytes; then each lane's row.
    fill = [
        "and.b32 %at, %i, 96;",
        "shl.b32 %at, %at, 4;",
        "mov.u32 %row, memory;",
        "add.u32 %row, %row, %at;",
        "shl.b32 %at, %lane, 3;",
        "add.u32 %at, %row, %at;",
    ]
    own = ["mad.lo.u32 %word, %lane, 5, 3;", "and.b32 %word, %word, 31;", "shl.b32 %word, %word, 4;"]
    kernel.count = [8]
    start = [
        *fill,
        "shl.b32 %at, %lane, 4;",
        "add.u32 %at, %row, %at;",
        "st.shared.v4.b32 [%at], {%a0, %a1, %a2, %a3};",
        *own,
        "add.u32 %at, %row, %word;",
        "bar.warp.sync 0xffffffff;",
    ]
    generic = ["cvt.u64.u32 %generic, %at;", "cvta.shared.u64 %generic, %generic;"]
    for turn, (count, registers) in itertools.product(("", ".trans"), ((1, "{d}"), (2, "{d}"), (4, "{d}"))):
        kernel.lines(
            [
                *start,
                f"ldmatrix.sync.aligned.m8n8.x{count}{turn}.shared.b16 {registers}, [%at];",
                "bar.warp.sync 0xffffffff;",
            ],
            count,
        )
        start = []
    kernel.lines(
        [*generic, "ldmatrix.sync.aligned.m8n8.x4.b16 {d}, [%generic];", "bar.warp.sync 0xffffffff;"], 4
    )
    kernel.lines(["movmatrix.sync.aligned.m8n8.trans.b16 %d4_0, %a4;"], 1)
    for turn, count in itertools.product(("", ".trans"), (1, 2, 4)):
        values = "{" + ", ".join(f"%a{4 + r}" for r in range(count)) + "}"
        kernel.lines(
            [
                f"stmatrix.sync.aligned.m8n8.x{count}{turn}.shared.b16 [%at], {values};",
                "bar.warp.sync 0xffffffff;",
                "ld.shared.v4.b32 {d}, [%at];",
                "bar.warp.sync 0xffffffff;",
            ],
            4,
        )
    return Family("matrix-rows", [kernel], target="sm_90")


def fragments(name, ty, shapes, sums, operands, target="sm_80"):
    """`wmma` of one type: loads of every kind, the product, the store, and what each lane had of each fragment."""
    kernels = []
    bits = {"f16": 16, "bf16": 16, "tf32": 32, "f64": 64, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1}[ty]
    for (m, n, k), sum_type in itertools.product(shapes, sums):
        shape = f"m{m}n{n}k{k}"
        sum_bits = {"f16": 16, "f32": 32, "s32": 32, "f64": 64}[sum_type]
        kernel = Tiles(f"{name}.{shape}.{sum_type}", operands, shared=8192)
        kernel.count = [8, 8, 8]
        size = kernel.bytes[0]
        # Three matrices of a warp's words, 2 KiB or 4 KiB each.
        place = 256 * size
        registers = {"a": m * k * bits // 1024, "b": k * n * bits // 1024, "c": m * n * sum_bits // 1024}
        if bits == 64:
            registers = {"a": 1, "b": 1, "c": 2}
        if ty == "f16":
            registers |= {"a": 8, "b": 8}
        start = ["mov.u32 %row, memory;", f"mad.lo.u32 %at, %lane, {size}, %row;"]
        for number, letter in enumerate("abc"):
            start += [
                f"st.shared.b{8 * size} [%at+{number * place + r * 32 * size}], %{letter}{r};"
                for r in range(8)
            ]
        start += ["mov.u32 %stride, 0;", "bar.sync 0;"]
        only = bits < 8
        layouts = (
            [("row", "col", "row")]
            if only
            else [("row", "col", "col"), ("col", "row", "row"), ("row", "row", "col"), ("col", "col", "row")]
        )
        for number, (rows, columns, out) in enumerate(layouts):

            def fragment(letter):
                register = {64: "%y", 32: "%f" if letter == "c" and sum_type == "f32" else "%w"}.get(
                    sum_bits if letter == "c" else bits, "%w"
                )
                first = {"a": 0, "b": 8, "c": 16}[letter]
                if register == "%y":
                    first //= 4
                if register == "%f":
                    first = 0
                return [f"{register}{first + r}" for r in range(registers[letter])]

            listed = {letter: "{" + ", ".join(fragment(letter)) + "}" for letter in "abc"}
            lines = start if number == 0 else ["bar.sync 0;"]
            for letter, layout in (("a", rows), ("b", columns), ("c", out)):
                natural = {"a": (m, k), "b": (k, n), "c": (m, n)}[letter][layout == "row"]
                kind = (number + "abc".index(letter)) % 3 if not only else 0
                stride = f", {natural}" if kind < 2 else ""
                if kind == 1:
                    lines = [*lines, f"add.u32 %word, %stride, {natural};"]
                    stride = ", %word"
                what = sum_type if letter == "c" else ty
                offset = "abc".index(letter) * place
                if kind == 2:
                    lines = [*lines, "cvt.u64.u32 %generic, %row;", "cvta.shared.u64 %generic, %generic;"]
                    where, address = "", f"[%generic+{offset}]"
                else:
                    where, address = ".shared", f"[%row+{offset}]"
                lines = [
                    *lines,
                    f"wmma.load.{letter}.sync.aligned.{layout}.{shape}{where}.{what} {listed[letter]}, {address}{stride};",
                ]
            # What each lane has, folded into one word.
            fold = ["mov.u32 %fold, 0;"]
            for letter in "abc":
                for register in fragment(letter):
                    if register.startswith("%y"):
                        fold += [
                            f"mov.b64 {{%word, %n}}, {register};",
                            "mad.lo.u32 %fold, %fold, 31, %word;",
                            "mad.lo.u32 %fold, %fold, 31, %n;",
                        ]
                    else:
                        fold += [f"mov.b32 %word, {register};", "mad.lo.u32 %fold, %fold, 31, %word;"]
            kernel.lines([*lines, *fold, "mov.b32 %d4_0, %fold;"], 1)
            types = {"f16": f"{sum_type}.{sum_type}", "f64": "f64.f64.f64.f64.rn"}.get(
                ty, f"{sum_type}.{ty}.{ty}.{sum_type}"
            )
            head = "wmma.mma.xor.popc" if ty == "b1" else "wmma.mma"
            turned = "col" if out == "row" else "row"
            pitch = m if turned == "col" else n
            kernel.lines(
                [
                    f"{head}.sync.aligned.{rows}.{columns}.{shape}.{types} {listed['c']}, {listed['a']}, {listed['b']}, {listed['c']};",
                    f"wmma.store.d.sync.aligned.{turned}.{shape}.shared.{sum_type} [%row+{3 * place}], {listed['c']}, {pitch};",
                    "bar.sync 0;",
                    f"mad.lo.u32 %at, %lane, {m * n * sum_bits // 256}, %row;",
                    *[
                        f"ld.shared.b32 %d4_{r}, [%at+{3 * place + 4 * r}];"
                        for r in range(m * n * sum_bits // 1024)
                    ],
                ],
                m * n * sum_bits // 1024,
            )
        kernels.append(kernel)
    return kernels


def matrix_fragments():
    """`wmma` of every shape and type."""
    sixteen = [(16, 16, 16), (32, 8, 16), (8, 32, 16)]
    yield Family(
        "wmma-f16",
        [
            *fragments("halves", "f16", sixteen, ["f16"], ["tile_f16"] * 3),
            *fragments("halves", "f16", sixteen, ["f32"], ["tile_f16", "tile_f16", "tile_f32"]),
        ],
    )
    brain = fragments("brain", "bf16", sixteen, ["f32"], ["tile_bf16", "tile_bf16", "tile_f32"])
    yield Family(
        "wmma-bf16-tf32",
        [
            *brain,
            *fragments("tensor", "tf32", [(16, 16, 8)], ["f32"], ["tile_tf32", "tile_tf32", "tile_f32"]),
        ],
    )
    whole = [fragments(ty, ty, sixteen, ["s32"], ["tile_i32"] * 3) for ty in ("s8", "u8")]
    few = [fragments(ty, ty, [(8, 8, 32)], ["s32"], ["tile_i32"] * 3) for ty in ("s4", "u4")]
    bits = fragments("b1", "b1", [(8, 8, 128)], ["s32"], ["tile_i32"] * 3)
    yield Family("wmma-integer", [*itertools.chain(*whole, *few), *bits])
    yield Family("wmma-f64", fragments("doubles", "f64", [(8, 8, 4)], ["f64"], ["tile_f64"] * 3))


def families():
    ftz, sat = ("", ".ftz"), ("", ".sat")
    single = crossed(ftz, sat)
    yield Family("add-sub", pairwise("add", ["add", "sub"], sat32=["add", "sub"]))
    yield Family("mul", multiplication())
    yield Family("mad", multiply_add())
    yield Family(
        "mul24",
        [
            kernel
            for ty in ("u32", "s32")
            for kernel in (
                Kernel(f"mul24.{ty}", ["i32"] * 2).each([f"mul24.lo.{ty}", f"mul24.hi.{ty}"], 4, "ab"),
                Kernel(f"mad24.{ty}", ["i32few"] * 3).each(
                    [f"mad24.lo.{ty}", f"mad24.hi.{ty}"] + ["mad24.hi.sat.s32"] * (ty == "s32"), 4, "abc"
                ),
            )
        ],
    )
    yield Family(
        "sad",
        [
            Kernel(f"sad.{ty}", [operands] * 3).each([f"sad.{ty}"], size, "abc").guarded()
            for ty, size, operands in integer_types(few=True)
        ],
    )
    # Division by zero has no defined result; a GPU's is kept all the same.
    yield Family("div-rem", pairwise("div", ["div", "rem"]))
    yield Family(
        "abs-neg",
        [
            Kernel(f"abs.s{8 * size}", [f"i{8 * size}"])
            .each([f"abs.s{8 * size}", f"neg.s{8 * size}"], size, "a")
            .guarded()
            for size in (2, 4, 8)
        ],
    )
    yield Family("min-max", pairwise("min", ["min", "max"]))
    yield Family(
        "integer-packed",
        [
            Kernel("packed.u16x2", ["i16x2"] * 2).each(["add.u16x2", "min.u16x2", "max.u16x2"], 4, "ab"),
            Kernel("packed.s16x2", ["i16x2"] * 2).each(
                ["add.s16x2", "min.s16x2", "max.s16x2", "min.relu.s16x2", "max.relu.s16x2"], 4, "ab"
            ),
            Kernel("relu.s32", ["i32"] * 2).each(["min.relu.s32", "max.relu.s32"], 4, "ab"),
        ],
        target="sm_90",
    )
    yield Family(
        "count",
        [
            Kernel("count.b32", ["i32wide"]).each(
                [f"{n}.b32" for n in ("popc", "clz", "brev")]
                + [f"bfind{m}.{t}" for t in ("u32", "s32") for m in ("", ".shiftamt")],
                4,
                "a",
            ),
            Kernel("count.b64", ["i64wide"])
            .each(
                [f"{n}.b64" for n in ("popc", "clz")]
                + [f"bfind{m}.{t}" for t in ("u64", "s64") for m in ("", ".shiftamt")],
                4,
                "a",
            )
            .each(["brev.b64"], 8, "a"),
        ],
    )
    yield Family("fns", [Kernel("fns", ["i32few", "base", "offset"]).each(["fns.b32"], 4, "abc").guarded()])
    yield Family(
        "bfe",
        [
            Kernel(f"bfe.b{8 * s}", [f"i{8 * s}few", "field", "field"]).each(
                [f"bfe.u{8 * s}", f"bfe.s{8 * s}"], s, "abc"
            )
            for s in (4, 8)
        ],
    )
    bfi = [Kernel(f"bfi.b{8 * s}", [f"i{8 * s}few", "field", "field"]) for s in (4, 8)]
    for kernel, size in zip(bfi, (4, 8)):
        kernel.add(f"not.b{8 * size} {{e}}, {{a}}; bfi.b{8 * size} {{d}}, {{a}}, {{e}}, {{b}}, {{c}};", size)
        kernel.add(f"bfi.b{8 * size} {{d}}, {{a}}, 0x5a5a, {{b}}, {{c}};", size)
    yield Family("bfi", bfi)
    yield Family(
        "bmsk-szext",
        [
            Kernel("bmsk", ["count"] * 2).each(["bmsk.clamp.b32", "bmsk.wrap.b32"], 4, "ab"),
            Kernel("szext", ["i32", "count"]).each(
                [f"szext.{m}.{t}" for m in ("clamp", "wrap") for t in ("u32", "s32")], 4, "ab"
            ),
        ],
    )
    signs = crossed((".u32", ".s32"), (".u32", ".s32"))
    yield Family(
        "dp4a-dp2a",
        [
            Kernel("dot", ["i8x4", "i8x4", "i32few"])
            .each([f"{n}{s}" for n in ("dp4a", "dp2a.lo", "dp2a.hi") for s in signs], 4, "abc")
            .guarded()
        ],
    )
    yield Family("video", video())
    yield Family("video-lanes", selected_lanes())
    yield Family("video-scalar", scalar_video())
    yield Family("carry", carries())
    yield Family("logic", logic())
    lop3 = Kernel("lop3", ["i32few"] * 3)
    for table in TABLES:
        lop3.add(f"lop3.b32 {{d}}, {{a}}, {{b}}, {{c}}, {table:#04x};", 4)
    yield Family("lop3", [lop3])
    tested = Kernel("lop3.tested", ["i32few"] * 3)
    for table in TABLES:
        for combined in ("or", "and"):
            tested.add(f"lop3.{combined}.b32 %e4|{{d}}, {{a}}, {{b}}, {{c}}, {table:#04x}, {{p}};", 0)
            tested.add(f"lop3.{combined}.b32 {{d}}|%q, {{a}}, {{b}}, {{c}}, {table:#04x}, !{{p}};", 4)
    yield Family("lop3-predicate", [tested], version="8.2")
    yield Family("shl-shr", shifts())
    yield Family(
        "shf",
        [
            Kernel("shf", ["i32few", "i32few", "count"]).each(
                [f"shf.{d}.{m}.b32" for d in "lr" for m in ("wrap", "clamp")], 4, "abc"
            )
        ],
    )
    yield Family(
        "prmt",
        [
            Kernel("prmt", ["i8x4", "i8x4", "selector"]).each(
                ["prmt.b32"] + [f"prmt.b32.{m}" for m in ("f4e", "b4e", "rc8", "ecl", "ecr", "rc16")],
                4,
                "abc",
            )
        ],
    )

    yield Family(
        "setp-integer",
        [compared(f"{sign}{8 * size}", f"i{8 * size}") for size in (2, 4, 8) for sign in "usb"],
    )
    yield Family("setp-float", [compared("f32", "f32", ftz), compared("f64", "f64")])
    yield Family(
        "setp-half",
        [
            compared("f16", "f16", ftz),
            compared_pairs("f16x2", "f16x2", ftz),
            compared("bf16", "bf16"),
            compared_pairs("bf16x2", "bf16x2", ("",)),
        ],
        target="sm_90",
    )
    words = [("u32", 4), ("s32", 4), ("f32", 4)]
    yield Family(
        "set",
        [setting(f"{sign}{8 * size}", f"i{8 * size}few", words) for size in (2, 4, 8) for sign in "us"]
        + [setting("f32", "f32few", words, ftz), setting("f64", "f64few", words)],
    )
    yield Family(
        "set-half",
        [
            setting("f16", "f16few", [("f16", 2), ("u16", 2), ("s16", 2), ("u32", 4), ("s32", 4)], ftz),
            setting("f16x2", "f16x2few", [("f16x2", 4)], ftz),
            setting("bf16", "bf16few", [("bf16", 2), ("u16", 2), ("s16", 2), ("u32", 4), ("s32", 4)]),
            setting("bf16x2", "bf16x2few", [("bf16x2", 4)]),
        ],
        target="sm_90",
    )
    yield Family("selp-slct", selections())

    yield Family("cvt-integer", between_integers())
    yield Family("cvt-float-from-integer", integers_to_floats(["f16", "f32", "f64"]))
    yield Family("cvt-integer-from-float", floats_to_integers(["f16", "f32", "f64"]))
    yield Family("cvt-float", between_floats())
    yield Family("cvt-narrow", narrowed(), target="sm_90", version="8.1")
    yield Family(
        "cvt-bf16",
        [*integers_to_floats(["bf16"]), *floats_to_integers(["bf16"]), *brain_floats()],
        target="sm_90",
    )
    yield Family("cvt-pack", packed_integers())
    yield Family("cvt-fp8", bytes_as_floats(), target="sm_90")

    yield Family(
        "f32-add-sub-mul",
        [
            Kernel("arithmetic.f32", ["f32"] * 2)
            .each(rounded(["add", "sub", "mul"], "f32", single), 4, "ab")
            .guarded()
        ],
    )
    yield Family(
        "f32-fma",
        [
            Kernel("fma.f32", ["f32few"] * 3)
            .each(rounded(["fma"], "f32", single) + ["mad.rn.f32", "mad.rz.ftz.sat.f32"], 4, "abc")
            .guarded()
        ],
    )
    yield Family(
        "f32-div", [Kernel("div.f32", ["f32"] * 2).each(rounded(["div"], "f32", ftz), 4, "ab").guarded()]
    )
    yield Family(
        "f32-rcp-sqrt",
        [Kernel("roots.f32", ["f32wide"]).each(rounded(["rcp", "sqrt"], "f32", ftz), 4, "a").guarded()],
    )
    yield Family(
        "f32-abs-neg",
        [Kernel("abs.f32", ["f32wide"]).each([f"{n}{f}.f32" for n in ("abs", "neg") for f in ftz], 4, "a")],
    )
    yield Family("f32-min-max", [half_extremes("f32", ftz, 4)], target="sm_86")
    classes = ("finite", "infinite", "number", "notanumber", "normal", "subnormal")
    for bits, operands in ((32, "f32"), (64, "f64")):
        test = Kernel(f"testp.f{bits}", [operands + "wide"])
        for name in classes:
            test.add(f"testp.{name}.f{bits} {{d}}, {{a}};", 0)
        yield Family(
            f"f{bits}-testp-copysign",
            [test, Kernel(f"copysign.f{bits}", [operands] * 2).each([f"copysign.f{bits}"], bits // 8, "ab")],
        )

    yield Family(
        "f64-add-sub-mul",
        [
            Kernel("arithmetic.f64", ["f64"] * 2)
            .each(rounded(["add", "sub", "mul"], "f64"), 8, "ab")
            .guarded()
        ],
    )
    yield Family(
        "f64-fma",
        [
            Kernel("fma.f64", ["f64few"] * 3)
            .each(rounded(["fma"], "f64") + ["mad.rn.f64"], 8, "abc")
            .guarded()
        ],
    )
    yield Family("f64-div", [Kernel("div.f64", ["f64"] * 2).each(rounded(["div"], "f64"), 8, "ab").guarded()])
    yield Family(
        "f64-rcp-sqrt",
        [Kernel("roots.f64", ["f64wide"]).each(rounded(["rcp", "sqrt"], "f64"), 8, "a").guarded()],
    )
    yield Family(
        "f64-abs-neg-min-max",
        [
            Kernel("abs.f64", ["f64wide"]).each(["abs.f64", "neg.f64"], 8, "a"),
            Kernel("min.f64", ["f64"] * 2).each(["min.f64", "max.f64"], 8, "ab").guarded(),
        ],
    )

    for ty, size in (("f16", 2), ("f16x2", 4)):
        yield Family(
            f"{ty}-arithmetic",
            [
                half_arithmetic(ty, ["add", "sub", "mul"], single + [".rn"], size),
                Kernel(f"fma.{ty}", [f"{ty}few"] * 3)
                .each([f"fma.rn{f}.{ty}" for f in single + [".relu", ".ftz.relu"]], size, "abc")
                .guarded(),
                Kernel(f"neg.{ty}", [ty]).each(
                    [f"{n}{f}.{ty}" for n in ("neg", "abs") for f in ftz], size, "a"
                ),
                half_extremes(ty, ftz, size),
            ],
            target="sm_86",
        )
    for ty, size in (("bf16", 2), ("bf16x2", 4)):
        yield Family(
            f"{ty}-arithmetic",
            [
                half_arithmetic(ty, ["add", "sub", "mul"], ["", ".rn"], size),
                Kernel(f"fma.{ty}", [f"{ty}few"] * 3)
                .each([f"fma.rn{f}.{ty}" for f in ("", ".relu")], size, "abc")
                .guarded(),
                Kernel(f"neg.{ty}", [ty]).each([f"neg.{ty}", f"abs.{ty}"], size, "a"),
                half_extremes(ty, ("",), size),
            ],
            target="sm_90",
        )

    yield from matrix_products()
    yield matrix_rows()
    yield from matrix_fragments()

    # Errors that the manual allows: of one or two units in the last place, or as said.
    def unary(name, lists, flags=ftz):
        return [
            Kernel(f"{name}.{operands}", [operands]).each(
                [f"{name}.approx{flag}.f32" for flag in flags], 4, "a"
            )
            for operands in lists
        ]

    unit = 2.0**-23
    yield approximate(
        "rcp-sqrt-rsqrt",
        [
            *unary("rcp", ["positive", "special"]),
            *unary("sqrt", ["positive", "special"]),
            *unary("rsqrt", ["positive", "special"]),
        ],
        0.0,
        2 * unit,
    )
    yield approximate(
        "div",
        [
            Kernel("div.approx", ["ratio", "ratio"]).each(
                [f"div.{k}{f}.f32" for k in ("approx", "full") for f in ftz], 4, "ab"
            ),
            Kernel("div.special", ["special", "special"]).each(
                [f"div.{k}{f}.f32" for k in ("approx", "full") for f in ftz], 4, "ab"
            ),
        ],
        1e-44,
        2 * unit,
    )
    yield approximate("sin-cos", [*unary("sin", ["angle"]), *unary("cos", ["angle"])], 2.0**-20.5, 0.0)
    yield approximate("lg2", unary("lg2", ["positive", "special"]), 2.0**-22, 2.0**-22)
    yield approximate("ex2", unary("ex2", ["power", "special"]), 1e-44, 2 * unit)
    yield approximate("tanh", unary("tanh", ["slope", "special"], ("",)), 0.0, 2.0**-11)
    yield approximate_half("ex2", "f16", 2.0**-24, 2.0**-9.9)
    yield approximate_half("tanh", "f16", 2.0**-10.987, 0.0)
    yield approximate_half("ex2", "bf16", 0.0, 2.0**-7)
    yield approximate_half("tanh", "bf16", 2.0**-8, 0.0)
    yield Family(
        "approx-f64",
        [
            Kernel("approximate.f64", ["ratio64"]).each(
                ["rcp.approx.ftz.f64", "rsqrt.approx.ftz.f64", "rsqrt.approx.f64"], 8, "a"
            ),
        ],
        result="f64",
        rtol=2.0**-19,
    )
