"""CUDA C to PTX with NVRTC, NVIDIA's compiler as a library. Needs no CUDA toolkit and no GPU.

Enters: CUDA C text and its name. Leaves: PTX, or the compiler's log. Knows nothing of the workbook's kernels.

Two callers share this file: scripts/ptx imports it, and the Rust package `kernels` runs it as a program:

    python3 nvrtc.py my/kernel.cu compute_52 [OPTION…] < my/kernel.cu     # first line: the compiler used; then the PTX

Exit codes of the program: 0 compiled; 1 the source has errors (the log is on stderr); 4 there is no NVRTC here.
Standard library only; Python 3.8 or newer.
"""

import sys

# Run as text (`python3 -c`), '' stands for the working directory, whose files must not be taken for modules.
sys.path[:] = [entry for entry in sys.path if entry]

import ctypes
import ctypes.util
import glob
import os
import re

PACKAGE = "nvidia-cuda-nvrtc-cu12"
NOT_FOUND = 4


class CompileError(Exception):
    """The compiler's log."""


class Nvrtc:
    """One NVRTC library."""

    def __init__(self, path):
        """Loads the library at `path`; OSError if it is none."""
        self.path = path
        self.lib = ctypes.CDLL(path)
        self.lib.nvrtcGetErrorString.restype = ctypes.c_char_p
        major, minor = ctypes.c_int(), ctypes.c_int()
        self._call("nvrtcVersion", ctypes.byref(major), ctypes.byref(minor))
        self.version = f"{major.value}.{minor.value}"

    def compile(self, source, name, arch, more=()):
        """PTX (text) of CUDA C (bytes), for the virtual architecture `arch` or, where this NVRTC no longer knows it,
        the oldest one after it. `name` is what the log and the line table call the source, so that a relative one
        keeps this machine's folders out of the PTX; headers are looked for beside it. `more` are options, besides the
        source's own."""
        toolkit = self._toolkit_headers()
        own = options_of(source)
        asked = own + [absolute(one) for one in more if one not in own]
        options = strings(
            f"--gpu-architecture={self._known(arch)}",
            # A build for debugging has its own line information.
            *asked,
            *([] if is_debug(asked) else ["--generate-line-info"]),
            *(f"--include-path={folder}" for folder in [os.path.dirname(os.path.abspath(name)), *toolkit]),
        )
        # What these declare for a kernel NVRTC has built in, so without a toolkit they may be included and are empty.
        headers = [] if toolkit else ["cuda_runtime.h", "cuda_runtime_api.h", "device_launch_parameters.h"]
        empty = strings(*("" for _ in headers))
        program = ctypes.c_void_p()
        given = (os.fsencode(name), len(headers), empty, strings(*headers))
        here = os.getcwd()
        if is_debug(asked):
            os.chdir("/")  # debug information names the working directory, which is nobody's business
        self._call("nvrtcCreateProgram", ctypes.byref(program), source, *given)
        try:
            if self.lib.nvrtcCompileProgram(program, len(options), options) != 0:
                log = self._text("ProgramLog", program).splitlines(keepends=True)
                deprecated = "nvrtc: warning: Architectures prior to"  # that is why compute_52 was asked for
                raise CompileError("".join(line for line in log if not line.startswith(deprecated)).strip())
            return relative(self._text("PTX", program))
        finally:
            os.chdir(here)
            self.lib.nvrtcDestroyProgram(ctypes.byref(program))

    def _known(self, arch):
        count = ctypes.c_int()
        self._call("nvrtcGetNumSupportedArchs", ctypes.byref(count))
        known = (ctypes.c_int * count.value)()
        self._call("nvrtcGetSupportedArchs", known)
        asked = re.fullmatch(r"compute_(\d+)", arch)  # one such as compute_90a is for its own chip alone
        later = [number for number in known if asked and number >= int(asked[1])]
        return f"compute_{min(later)}" if later else arch

    def _toolkit_headers(self):
        """Folders with the headers of the toolkit or Python packages that the library came with, if they are there."""
        libraries = os.path.dirname(os.path.realpath(self.path))
        folders = ("../include", "../../../include", "../../cuda_runtime/include")
        folders = [os.path.normpath(os.path.join(libraries, folder)) for folder in folders]
        return [folder for folder in folders if os.path.isfile(os.path.join(folder, "cuda_runtime.h"))]

    def _text(self, what, program):
        size = ctypes.c_size_t()
        self._call(f"nvrtcGet{what}Size", program, ctypes.byref(size))
        text = ctypes.create_string_buffer(size.value)
        self._call(f"nvrtcGet{what}", program, text)
        return text.value.decode("utf-8", "replace")

    def _call(self, function, *arguments):
        status = getattr(self.lib, function)(*arguments)
        if status != 0:
            raise OSError(f"{function}: {self.lib.nvrtcGetErrorString(status).decode()}")


def strings(*texts):
    """A C array of C strings."""
    return (ctypes.c_char_p * len(texts))(*map(os.fsencode, texts))


def relative(ptx):
    """The line table's file names as they were given: NVRTC puts the working directory before relative ones."""
    here = re.escape(os.path.join(os.getcwd(), ""))
    return re.sub(rf'(?m)^(\t\.file\t\d+ "){here}', r"\1", ptx)


def options_of(source):
    """What a .cu asks for beyond the architecture, in a line such as `// options: --device-debug`."""
    asked = re.search(rb"^// options: (.+)$", source, re.M)
    return asked[1].decode().split() if asked else []


def is_debug(options):
    """Whether code for a debugger is asked for."""
    return any(option in ("-G", "--device-debug") for option in options)


def absolute(option):
    """An option whose folder stays the same wherever the compiler works."""
    return f"-I{os.path.abspath(option[2:])}" if option.startswith("-I") else option


def architecture(source):
    """The architecture that a source (bytes) asks for in the comment it begins with (`// arch: compute_70`), or the
    oldest that CUDA 12 still knows."""
    for line in source.decode("utf-8", "replace").splitlines():
        if not line.startswith("//"):
            break
        asked = re.fullmatch(r"//\s*arch:\s*(compute_\w+)\s*", line)
        if asked:
            return asked[1]
    return "compute_52"


def in_packages(folder):
    """NVRTC libraries of the Python packages in the site-packages `folder`."""
    for pattern in ("cuda_nvrtc/lib/libnvrtc.so.*", "cu[0-9]*/lib/libnvrtc.so.*", "cuda_nvrtc/bin/nvrtc64_*_0.dll"):
        yield from sorted(path for path in glob.glob(os.path.join(folder, "nvidia", pattern)) if ".alt." not in path)


def libraries():
    """Paths of NVRTC libraries, best first: those of a `.venv` here or above, of this Python, of a toolkit."""
    folder = os.getcwd()
    while True:
        for packages in ("lib/python3*/site-packages", "Lib/site-packages"):
            for found in glob.glob(os.path.join(folder, ".venv", packages)):
                yield from in_packages(found)
        if os.path.dirname(folder) == folder:
            break
        folder = os.path.dirname(folder)
    for entry in sys.path:
        yield from in_packages(entry)
    for toolkit in filter(None, (os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda")):
        for pattern in ("lib64/libnvrtc.so", "bin/nvrtc64_*_0.dll", "bin/x64/nvrtc64_*_0.dll"):
            yield from sorted(path for path in glob.glob(os.path.join(toolkit, pattern)) if ".alt." not in path)
    system = ctypes.util.find_library("nvrtc")
    if system:
        yield system


def find():
    """The first NVRTC that loads, or None."""
    for path in libraries():
        try:
            return Nvrtc(path)
        except (OSError, AttributeError):
            continue
    return None


def main():
    name, arch, *more = sys.argv[1:]
    source = sys.stdin.buffer.read()
    nvrtc = find()
    if nvrtc is None:
        return NOT_FOUND
    try:
        ptx = nvrtc.compile(source, name, arch, more)
    except (CompileError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.buffer.write(f"NVRTC {nvrtc.version} ({nvrtc.path})\n{ptx}".encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
