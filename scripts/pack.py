"""A WebAssembly module in fewer bytes than LZMA alone makes of it; crates/web/unpack.js makes the module again.

    scripts/pack.py MODULE PACKED
    scripts/pack.py --text PACKED      prints what a script has of it

What is alike is put together before LZMA sees it: opcodes, operands of each kind, and whatever is not an instruction, each as a
stream of its own. Constants and the like are sorted by the opcodes around them, which are known before. A local variable is
as how many others were used since it was; one that is set is often the first that was not used yet. An alignment becomes a part of
its opcode, and a function's size is left out.

Enters: a module whose functions' sizes take as few bytes as they can, as the linker writes it with --compress-relocations.
Leaves: of each stream the number of literal context bits, its size and its packed size, 32 bits each; then the packed streams.

In a script they are printable characters: 36 for the lowest values of 6 bits, and 56 for 7 bits each, so that compressing the script
makes bits of them again. It finds fewer chance repetitions than in base64, which cost it half a percent."""

import lzma
import struct
import sys
from collections import Counter, defaultdict

OPCODES, DECLARATIONS, READ, SET, OFFSETS, CALLS, CASES, SORTED, REST = range(9)
MEMORY = range(0x28, 0x3F)
CODE = 10


class Module:
    """A module's bytes, read from the first to the last."""

    def __init__(self, content):
        self.content = content
        self.at = 0

    def take(self, count):
        self.at += count
        return self.content[self.at - count : self.at]

    def leb(self):
        """A number in LEB128, as it is."""
        start = self.at
        while self.content[self.at] > 0x7F:
            self.at += 1
        self.at += 1
        return self.content[start : self.at]


def value(leb):
    return sum((byte & 0x7F) << 7 * i for i, byte in enumerate(leb))


def leb(value):
    """A number in LEB128, in as few bytes as it can."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out) + bytes([value])


def rank(recent, local):
    """How many local variables were used since this one was; it becomes the first. Those that were not used at all are last,
    by their numbers."""
    recent += range(len(recent), local + 1)
    at = recent.index(local)
    recent.insert(0, recent.pop(at))
    return at


def instruction(module):
    """An instruction: its opcode, further bytes of that, an alignment that may become part of it, and its operands. Each of these
    is a stream, the bytes, and how many these always are: 0 for a number."""
    opcode = module.take(1)[0]
    number = lambda stream=SORTED: (stream, module.leb(), 0)
    fixed = lambda width: (SORTED, module.take(width), width)
    more, align, operands = b"", None, []
    if opcode in (0x02, 0x03, 0x04, 0x0C, 0x0D, 0x23, 0x24, 0x41, 0x42):
        operands = [number()]
    elif opcode == 0x0E:
        operands = [number(CASES)]
        operands += [number(CASES) for _ in range(value(operands[0][1]) + 1)]
    elif opcode == 0x10:
        operands = [number(CALLS)]
    elif opcode == 0x11:
        operands = [number(), number()]
    elif opcode == 0x20:
        operands = [number(READ)]
    elif opcode in (0x21, 0x22):
        operands = [number(SET)]
    elif opcode in MEMORY:
        align, operands = module.take(1)[0], [number(OFFSETS)]
    elif opcode in (0x3F, 0x40):
        operands = [fixed(1)]
    elif opcode in (0x43, 0x44):
        operands = [fixed(4 if opcode == 0x43 else 8)]
    elif opcode == 0xFC:
        more = module.leb()
        if value(more) > 7:
            operands = [fixed(2 if value(more) in (8, 10, 12, 14) else 1)]
    elif opcode == 0xFD:
        more = module.leb()
        which = value(more)
        if which <= 11 or 84 <= which <= 93:
            more += module.take(1)
            operands = [number(OFFSETS)]
        if which in (12, 13):
            operands = [fixed(16)]
        if 21 <= which <= 34 or 84 <= which <= 91:
            operands += [fixed(1)]
    return opcode, more, align, operands


def functions(module):
    """The instructions of all functions, in order. A function begins with one that has no opcode: its locals."""
    for _ in range(value(module.leb())):
        size = module.leb()
        assert len(size) == 1 or size[-1], "a function's size takes more bytes than it needs"
        end = module.at + value(size)
        start = module.at
        for _ in range(value(module.leb())):
            module.leb()
            module.take(1)
        yield None, b"", None, [(DECLARATIONS, module.content[start : module.at], 0)]
        while module.at < end:
            yield instruction(module)


def split(content):
    """The streams of a module."""
    module = Module(content)
    streams = [bytearray() for _ in range(9)]
    rest, instructions = bytearray(module.take(8)), []
    while module.at < len(content):
        section = module.at
        kind = module.take(1)[0]
        end = value(module.leb()) + module.at
        if kind == CODE:
            body = module.at
            count = module.leb()
            rest += content[section : body + len(count)]
            module.at = body
            instructions += functions(module)
        else:
            rest += content[section:end]
            module.at = end

    # The most frequent alignment of an opcode keeps its byte, others take one that is not an opcode of the module.
    aligned, used = {}, {opcode for opcode, *_ in instructions}
    free = (byte for byte in range(256) if byte not in used)
    for pair, _ in Counter((opcode, align) for opcode, _, align, _ in instructions if align is not None).most_common():
        first = all(pair[0] != opcode for opcode, _ in aligned)
        aligned[pair] = pair[0] if first else next(free)
    streams[REST] += len(aligned).to_bytes(1, "little")
    for (opcode, align), byte in aligned.items():
        streams[REST] += struct.pack("3B", byte, opcode, align)
    streams[REST] += rest

    waiting, recent = [], []
    for opcode, more, align, operands in instructions:
        if opcode is None:
            recent = []
        else:
            streams[OPCODES].append(opcode if align is None else aligned[opcode, align])
        first = len(streams[OPCODES])
        streams[OPCODES] += more
        for stream, operand, width in operands:
            if stream == SORTED:
                waiting.append((first, len(streams[OPCODES]), opcode, operand, width))
            elif stream == READ:
                streams[stream] += leb(rank(recent, value(operand)))
            elif stream == SET:
                unused = len(recent)
                at = rank(recent, value(operand))
                streams[stream] += leb(0 if at == unused else at + 1)
            else:
                streams[stream] += operand
    opcodes = bytes(2) + streams[OPCODES] + bytes(2)
    groups = defaultdict(bytearray)
    for first, after, opcode, operand, width in waiting:
        groups[width, opcode, opcodes[after + 2], opcodes[after + 3], opcodes[first]] += operand
    for _, group in sorted(groups.items()):
        streams[SORTED] += group
    return streams


def pack(stream):
    """The raw LZMA stream, with the number of literal context bits that makes it smallest."""
    streams = []
    for lc in range(5):
        filters = [{"id": lzma.FILTER_LZMA1, "preset": 9 | lzma.PRESET_EXTREME, "lc": lc, "lp": 0, "pb": 0}]
        streams.append((lzma.compress(stream, format=lzma.FORMAT_RAW, filters=filters), lc))
    return min(streams, key=lambda packed: len(packed[0]))


CHARACTERS = [c for c in map(chr, range(32, 127)) if c not in '"<\\']
OF_6_BITS = 36


def text_of(content):
    """Bytes as characters; the last bits are filled with zeros."""
    bits = bin(int.from_bytes(b"\1" + content, "big"))[3:] + 7 * "0"
    out, at, end = [], 0, 8 * len(content)
    while at < end:
        value, width = int(bits[at : at + 6], 2), 6
        if value >= OF_6_BITS:
            value, width = int(bits[at : at + 7], 2) - OF_6_BITS, 7
        out.append(CHARACTERS[value])
        at += width
    return "".join(out)


def main():
    if sys.argv[1] == "--text":
        with open(sys.argv[2], "rb") as file:
            print(text_of(file.read()), end="")
        return
    _, module, packed = sys.argv
    with open(module, "rb") as file:
        streams = split(file.read())
    with open(packed, "wb") as file:
        parts = [(*pack(bytes(stream)), len(stream)) for stream in streams]
        for part, lc, size in parts:
            file.write(struct.pack("<3I", lc, size, len(part)))
        for part, _, _ in parts:
            file.write(part)


main()
