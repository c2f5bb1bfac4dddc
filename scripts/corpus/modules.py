"""PTX and jobs of the instruction corpus: kernels that take operands from lists, run instructions over them, and store
each result in a place of its own. Nothing here knows an instruction."""

import itertools

from corpus.operands import LISTS


def offsets(parts):
    """Offsets of parts of (alignment, bytes) one after the other, and the bytes of all; a multiple of 8."""
    starts, end = [], 0
    for alignment, size in parts:
        end = -(-end // alignment) * alignment
        starts.append(end)
        end += size
    return starts, -(-end // 8) * 8


def entry(name, letters):
    """The first lines of a kernel with a pointer to its results and one to each list."""
    parameters = "".join(f", .param .u64 in_{letter}" for letter in letters)
    return [f".visible .entry {name}(.param .u64 out{parameters})", "{"]


class Kernel:
    """Instructions over all combinations of the operands' lists."""

    def __init__(self, name, lists):
        self.name, self.lists = name.replace(".", "_"), lists
        self.threads = 1
        for operand in lists:
            self.threads *= len(LISTS[operand][1])
        # (lines of PTX with {d} and operands, bytes of the result); predicates are 1 bit: 32 of them share a word
        self.results, self.predicates = [], []

    def add(self, text, size):
        """An instruction, `add.u32 {d}, {a}, {b};`, whose result has this many bytes (0: is a predicate)."""
        (self.results if size else self.predicates).append((text, size))
        return self

    def each(self, names, size, operands):
        """The same operands for several instructions."""
        for name in names:
            self.add(f"{name} {{d}}, {', '.join('{%s}' % operand for operand in operands)};", size)
        return self

    def guarded(self):
        """The first instruction once more, with the lanes off whose predicate is false; their result is a mark."""
        text, size = self.results[0]
        mark = {
            2: "mov.b16 {d}, 0x5a5a;",
            4: "mov.b32 {d}, 0x5a5a5a5a;",
            8: "mov.b64 {d}, 0x5a5a5a5a5a5a5a5a;",
        }[size]
        return self.add(f"{mark} @{{p}} {text}", size)

    def words(self):
        return [self.predicates[first : first + 32] for first in range(0, len(self.predicates), 32)]

    def layout(self):
        """Bytes of each result, at their offsets, and in all; a multiple of 8."""
        sizes = [size for _, size in self.results] + [4] * len(self.words())
        return offsets([(size, size * self.threads) for size in sizes])

    def ptx(self):
        letters = "abc"[: len(self.lists)]
        lines = entry(self.name, letters)
        lines += [
            "    .reg .pred %live, %p, %q, %r, %bit;",
            "    .reg .b16 %d2, %e2, %a2, %b2, %c2;",
            "    .reg .b32 %i, %rest, %n, %parity, %px, %word, %ones, %d4, %e4, %a4, %b4, %c4;",
            "    .reg .b64 %out, %at, %address, %d8, %e8, %a8, %b8, %c8;",
            "    mov.u32 %i, %ctaid.x;",
            "    mov.u32 %n, %ntid.x;",
            "    mov.u32 %rest, %tid.x;",
            "    mad.lo.u32 %i, %i, %n, %rest;",
            f"    setp.ge.u32 %live, %i, {self.threads};",
            "    @%live ret;",
            "    mov.u32 %rest, %i;",
            "    mov.u32 %parity, 0;",
        ]
        names = {"d": None}
        for letter, operand in reversed(list(zip(letters, self.lists))):
            size, values = LISTS[operand]
            lines += [
                f"    rem.u32 %n, %rest, {len(values)};",
                f"    div.u32 %rest, %rest, {len(values)};",
                "    xor.b32 %parity, %parity, %n;",
                f"    ld.param.u64 %at, [in_{letter}];",
                "    cvta.to.global.u64 %at, %at;",
                f"    mul.wide.u32 %address, %n, {size};",
                "    add.s64 %at, %at, %address;",
                f"    ld.global.b{8 * size} %{letter}{size}, [%at];",
            ]
            names[letter] = f"%{letter}{size}"
        # A predicate for lanes off, selections and carries: whether the operands' places add up to an odd number.
        lines += [
            "    and.b32 %px, %parity, 1;",
            "    setp.ne.u32 %p, %px, 0;",
            "    ld.param.u64 %out, [out];",
            "    cvta.to.global.u64 %out, %out;",
        ]
        for size in sorted({size for _, size in self.results} | ({4} if self.predicates else set())):
            lines += [
                f"    // results of {size} bytes",
                f"    mul.wide.u32 %address, %i, {size};",
                "    add.s64 %at, %out, %address;",
            ]
            offsets, _ = self.layout()
            for (text, its), offset in zip(self.results, offsets):
                if its == size:
                    filled = text.format(
                        **{**names, "d": f"%d{size}", "e": f"%e{size}", "p": "%p", "q": "%q", "px": "%px"}
                    )
                    lines += [f"    {filled}", f"    st.global.b{8 * size} [%at+{offset}], %d{size};"]
            if size == 4:
                for word, offset in zip(self.words(), offsets[len(self.results) :]):
                    lines.append("    mov.u32 %word, 0;")
                    for bit, (text, _) in enumerate(word):
                        filled = text.format(**{**names, "d": "%bit", "p": "%p", "q": "%q", "px": "%px"})
                        lines += [
                            f"    {filled}",
                            f"    selp.u32 %ones, {1 << bit}, 0, %bit;",
                            "    or.b32 %word, %word, %ones;",
                        ]
                    lines.append(f"    st.global.b32 [%at+{offset}], %word;")
        return "\n".join([*lines, "    ret;", "}"])


class Tiles:
    """Instructions on the matrices of a warp, in eight warps with words of their own."""

    threads = 8 * 32

    def __init__(self, name, lists, shared=0):
        self.name, self.lists, self.shared = name.replace(".", "_"), lists, shared
        self.bytes = [LISTS[operand][0] for operand in lists]
        self.count = [1] * len(lists)
        self.steps = []

    def add(self, op, d, *operands):
        """An instruction with that many registers of the result and of each operand."""
        used = []
        for n, count in enumerate(operands):
            self.count[n] = max(self.count[n], count)
            letter = "abc"[n]
            used.append(f"{{{', '.join(f'%{letter}{r}' for r in range(count))}}}")
        return self.lines([f"{op} {{d}}, {', '.join(used)};"], d, self.bytes[-1])

    def lines(self, lines, d, size=4):
        """Lines that make `d` registers of that many bytes each, `{d}`."""
        self.steps.append((lines, d, size))
        return self

    def layout(self):
        return offsets([(size, d * size * self.threads) for _, d, size in self.steps])

    def ptx(self):
        letters = "abc"[: len(self.lists)]
        lines = entry(self.name, letters)
        most = max(d for _, d, _ in self.steps)
        lines += [
            "    .reg .b32 %i, %lane, %n, %stride, %at, %row, %word, %fold;",
            "    .reg .b64 %out, %to, %address, %generic;",
        ]
        lines += [
            f"    .reg .b{8 * size} %{letter}<{count}>;"
            for letter, size, count in zip(letters, self.bytes, self.count)
        ]
        lines += [
            f"    .reg .b32 %d4_<{most}>, %w<32>;",
            f"    .reg .b64 %d8_<{most}>, %x<8>;",
            "    .reg .f32 %f<8>;",
            "    .reg .f64 %y<8>;",
        ]
        if self.shared:
            lines.append(f"    .shared .align 128 .b8 memory[{self.shared}];")
        lines += [
            "    mov.u32 %i, %ctaid.x;",
            "    mov.u32 %n, %ntid.x;",
            "    mov.u32 %lane, %tid.x;",
            "    mad.lo.u32 %i, %i, %n, %lane;",
            "    and.b32 %lane, %lane, 31;",
            # 256 words for each warp
            "    and.b32 %n, %i, 224;",
            "    shl.b32 %n, %n, 3;",
            "    add.u32 %n, %n, %lane;",
        ]
        for letter, size, count in zip(letters, self.bytes, self.count):
            lines += [
                f"    ld.param.u64 %to, [in_{letter}];",
                "    cvta.to.global.u64 %to, %to;",
                f"    mul.wide.u32 %address, %n, {size};",
                "    add.s64 %to, %to, %address;",
            ]
            # The second operand begins half-way.
            lines += [
                f"    ld.global.b{8 * size} %{letter}{r}, [%to+{(r + (4 if letter == 'b' else 0)) % 8 * 32 * size}];"
                for r in range(count)
            ]
        lines += ["    ld.param.u64 %out, [out];", "    cvta.to.global.u64 %out, %out;"]
        offsets, _ = self.layout()
        for (texts, d, size), offset in zip(self.steps, offsets):
            registers = f"{{{', '.join(f'%d{size}_{r}' for r in range(d))}}}"
            lines += ["    " + text.replace("{d}", registers) for text in texts]
            lines += [f"    mul.wide.u32 %address, %i, {d * size};", "    add.s64 %to, %out, %address;"]
            lines += [f"    st.global.b{8 * size} [%to+{offset + r * size}], %d{size}_{r};" for r in range(d)]
        return "\n".join([*lines, "    ret;", "}"])


class Family:
    """A module and its job."""

    def __init__(self, name, kernels, target="sm_80", version="8.0", result="u32", atol=0.0, rtol=0.0):
        self.name, self.kernels, self.target, self.version = name, kernels, target, version
        self.result, self.atol, self.rtol = result, atol, rtol

    def ptx(self):
        head = f"// Written by scripts/instructions.\n.version {self.version}\n.target {self.target}\n.address_size 64\n"
        return "\n\n".join([head.rstrip("\n"), *(kernel.ptx() for kernel in self.kernels)]) + "\n"

    def bytes(self):
        return sum(kernel.layout()[1] for kernel in self.kernels)

    def job(self):
        lines = ["# Written by scripts/instructions.", f'module = "{self.name}.ptx"']
        for name in dict.fromkeys(itertools.chain.from_iterable(kernel.lists for kernel in self.kernels)):
            size, values = LISTS[name]
            lines += [
                "",
                "[[buffer]]",
                f'name = "{name}"',
                f'type = "u{8 * size}"',
                f"len = {len(values)}",
                f'init = {{ file = "inputs/{name}.bin" }}',
            ]
        size = int(self.result[1:]) // 8
        lines += [
            "",
            "[[buffer]]",
            'name = "out"',
            f'type = "{self.result}"',
            f"len = {self.bytes() // size}",
            "init = { fill = 0 }",
        ]
        start = 0
        for kernel in self.kernels:
            block = 32 if isinstance(kernel, Tiles) else min(128, -(-kernel.threads // 32) * 32)
            out = '{ buffer = "out"' + (f", offset = {start}" if start else "") + " }"
            arguments = [out, *(f'{{ buffer = "{name}" }}' for name in kernel.lists)]
            lines += [
                "",
                "[[launch]]",
                f'kernel = "{kernel.name}"',
                f"grid = [{-(-kernel.threads // block)}, 1, 1]",
                f"block = [{block}, 1, 1]",
            ]
            lines.append(f"args = [{', '.join(arguments)}]")
            start += kernel.layout()[1]
        lines += [
            "",
            "[[output]]",
            'buffer = "out"',
            f'file = "{self.name}.expected.bin"',
            f"atol = {self.atol}",
            f"rtol = {self.rtol}",
        ]
        return "\n".join(lines) + "\n"
