"""Writes index.txt: which file of the library declares which names.

Enters: the *.cuh files beside this script (all but those that only others include). Leaves: index.txt, a line a file. Run it
after adding a name; a test of the crate fails where it was forgotten. Needs gcc, as a preprocessor. Standard library only.
"""

import pathlib
import re
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
DECLARATIONS = [
    re.compile(r"(?:inline|__noinline__)\s+[^;{}()=]*?(\w+)\s*\("),  # functions
    re.compile(r"^(?:struct|enum)\s+(?:alignas\(\d+\)\s+)?(\w+)\s*[:{]", re.M),
    re.compile(r"^typedef\s[^;]*?(\w+);", re.M),
    re.compile(r"^(?:__device__|__constant__)\s+(?:const(?:expr)?\s+)[^;{}()=]*?(\w+)\[[^;=]*=", re.M),  # tables
]
# Declared in several files, or meant for their file alone.
INNER = re.compile(r"operator\b")


def names(path):
    """Names that a file declares, in its order."""
    text = "\n".join(line for line in path.read_text().splitlines() if not line.startswith("#include"))
    text = subprocess.run(
        ["gcc", "-E", "-P", "-x", "c++", "-"], input=text, capture_output=True, text=True, check=True
    ).stdout
    text = re.sub(r"(?<=[;}]) (?=__device__|struct|typedef)", "\n", text)
    found = {}
    for pattern in DECLARATIONS:
        for match in pattern.finditer(text):
            found.setdefault(match[1], None)
    return [name for name in found if not INNER.match(name)]


EXTRA = {
    "atomic_vector.cuh": ["atomicAdd", "atomicAdd_block", "atomicAdd_system"],
    "objects.cuh": ["cudaBoundaryModeZero", "cudaBoundaryModeClamp", "cudaBoundaryModeTrap"],  # enumerators
    "nv_atomic.cuh": re.findall(r"^    (__NV_\w+) =", (HERE / "nv_atomic.cuh").read_text(), re.M),  # enumerators
    # stamped by an included file
    "surface_1d.cuh": ["surf1Dread", "surf1Dwrite", "surf1DLayeredread", "surf1DLayeredwrite"],
    "surface_2d.cuh": ["surf2Dread", "surf2Dwrite"],
    "surface_3d.cuh": ["surf3Dread", "surf3Dwrite"],
    "surface_layers.cuh": ["surf2DLayeredread", "surf2DLayeredwrite", "surfCubemapread", "surfCubemapwrite",
                           "surfCubemapLayeredread", "surfCubemapLayeredwrite"],
    "dims.cuh": ["threadIdx", "blockIdx", "blockDim", "gridDim"],  # of these types
    "runtime.cuh": re.findall(r"^    (cuda\w+) =", (HERE / "runtime.cuh").read_text(), re.M),  # enumerators
}

# What nvcc lets sources use of namespace std without the header that has it; words that are common as variables are left out.
HEADERS = {
    "type_traits": [
        "is_same", "is_same_v", "enable_if", "enable_if_t", "conditional", "conditional_t", "integral_constant", "true_type",
        "false_type", "is_integral", "is_integral_v", "is_floating_point", "is_floating_point_v", "is_arithmetic",
        "is_arithmetic_v", "is_signed", "is_signed_v", "is_unsigned", "is_unsigned_v", "is_pointer", "is_pointer_v",
        "is_const", "is_void", "remove_const", "remove_cv", "remove_cv_t", "remove_reference", "remove_reference_t",
        "remove_pointer", "decay_t", "make_unsigned", "make_unsigned_t", "make_signed", "make_signed_t",
    ],
}


def main():
    lines = []
    seen = {}
    for path in sorted(HERE.rglob("*.cuh")):
        file = path.relative_to(HERE).as_posix()
        for name in (own := names(path) + EXTRA.get(file, [])):
            if name in seen:
                raise SystemExit(f"{name} is in {seen[name]} and in {file}")
            seen[name] = file
        lines.append(f"{file}: {' '.join(own)}")
    lines.extend(f"{file}: {' '.join(own)}" for file, own in HEADERS.items())
    (HERE / "index.txt").write_text("\n".join(lines) + "\n")


main()
