"""Variants of an exercise's source: what is between its marks, of which kernels/exercises is full."""


def variant(text, name=None):
    """A source with the alternative of a name in each region that has it, and otherwise the first: the solution."""
    lines, alternatives = [], None
    for line in text.splitlines(keepends=True):
        mark = line.strip()
        if mark == "//<":
            alternatives = {None: []}
            into = alternatives[None]
        elif alternatives is not None and mark.startswith("//|"):
            into = alternatives[mark[3:].strip()] = []
        elif mark == "//>":
            lines += alternatives.get(name, alternatives[None])
            alternatives = None
        else:
            (lines if alternatives is None else into).append(line)
    return "".join(lines)
