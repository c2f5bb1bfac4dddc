"""Writes host/brought.txt: what libstdc++'s headers bring along, which programs use without the header that has it.

Enters: the headers of `host/`, and g++ 12 with its library, which is asked of each name whether a header declares it. Leaves: sets of
headers (`3 = map set`), and lines of a file of ours, a set, and names: where a source includes a header of the set, and uses one of
the names, the file is read too. Run it after adding a header. Standard library only.
"""

import pathlib
import re
import subprocess

HOST = pathlib.Path(__file__).resolve().parent / "host"
# Whose names are looked up first: a name belongs to the first of them that declares it.
FIRST = (
    "utility initializer_list type_traits new exception stdexcept limits cstddef cstdlib cstdio cstring cctype cmath ctime string_view "
    "tuple array vector deque list map set unordered_map unordered_set iterator functional memory algorithm string numeric optional "
    "variant ios iosfwd ostream istream iostream sstream fstream iomanip chrono ratio atomic mutex thread"
).split()
# Names that several files have, or one whose file has much besides.
OWNERS = {
    "allocator.inc": "allocator",
    "algorithm": "copy copy_backward equal fill fill_n iter_swap lexicographical_compare lower_bound max min swap_ranges",
    "functional": "bit_and bit_not bit_or bit_xor divides equal_to greater greater_equal less less_equal logical_and logical_not "
    "logical_or minus modulus multiplies negate not_equal_to plus",
    "iterator": "advance begin bidirectional_iterator_tag cbegin cend data distance empty end forward_iterator_tag "
    "input_iterator_tag iterator iterator_traits next output_iterator_tag prev random_access_iterator_tag rbegin rend "
    "reverse_iterator size",
    "string": "string",
}
# Names of C, which programs use without `std::`.
OF_C = {
    "cctype": "isalnum isalpha isdigit islower ispunct isspace isupper tolower toupper",
    "cmath": "atan2 ceil cos exp fabs floor fmod log pow round sin sqrt tan",
    "cstdio": "fclose fflush fgets fopen fprintf fputs fread fwrite getchar perror printf putchar puts remove rename scanf snprintf "
    "sprintf sscanf vprintf",
    "cstdlib": "abort abs atexit atof atoi atol bsearch calloc div exit free getenv labs malloc qsort rand realloc srand strtod "
    "strtol strtoul system",
    "cstring": "memcmp memcpy memmove memset strcat strchr strcmp strcpy strdup strlen strncmp strncpy strstr strtok",
    "ctime": "clock difftime gmtime localtime mktime strftime time",
}
# Headers that programs include to get others along.
OTHERS = ["any", "shared_mutex", "regex", "filesystem", "locale"]


def text(file, seen):
    """A header's text, with those of the files without a name of the standard's that it includes."""
    path = next((path for path in (HOST / file, HOST.parent / file) if path.exists()), None)
    if path is None or file in seen:
        return ""
    seen.add(file)
    own = path.read_text()
    return own + "".join(text(name, seen) for name in re.findall(r'#include ["<]([\w.]+\.inc)[">]', own))


def declared(header, names, prefix):
    """Those of the names that a header of g++'s declares."""
    lines = [f"#include <{header}>"] + [f"namespace q_{name} {{ using {prefix}::{name}; }}" for name in names]
    command = ["g++", "-std=c++17", "-fsyntax-only", "-fmax-errors=0", "-x", "c++", "-"]
    found = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True, check=False).stderr
    wrong = {int(line) - 2 for line in re.findall(r"<stdin>:(\d+):", found)}
    return [name for at, name in enumerate(names) if at not in wrong and -1 not in wrong]


def owners(headers):
    """The file of ours that declares each name of namespace std."""
    owner = {name: file for file, names in OWNERS.items() for name in names.split()}
    for header in headers:
        own = text(header, set())
        words = sorted(set(re.findall(r"\b[a-z][a-z0-9_]*\b", own)) - set(owner))
        for name in declared(header, words, "std"):
            says = (
                rf"(?:class|struct|enum class|enum)\s+{name}\b|[\w>&*]\s+[&*]*{name}\(|typedef[^;]*\b{name}[(; ]|using {name}\b"
                rf"|\b{name} =|\b{name}\{{|using ::{name};|extern \w+ {name}\b|\({name}\b|\s{name};"
            )
            if re.search(says, own):
                owner[name] = header
    owner.update({name: file for file, names in OF_C.items() for name in names.split()})
    return owner


def main():
    there = [path.name for path in sorted(HOST.iterdir()) if "." not in path.name and path.is_file()]
    headers = [name for name in FIRST if name in there] + [name for name in there if name not in FIRST]
    owner = owners(headers)
    brings = {}
    of_c = [name for names in OF_C.values() for name in names.split()]
    for header in headers + OTHERS:
        for name in declared(header, sorted(owner), "std") + declared(header, of_c, ""):
            if owner[name] != header:
                brings.setdefault(name, set()).add(header)
    rows = {}
    for name, of in sorted(brings.items()):
        rows.setdefault((owner[name], tuple(sorted(of))), []).append(name)
    numbers = {of: at for at, of in enumerate(sorted({of for _, of in rows}))}
    lines = [f"{at} = {' '.join(of)}" for of, at in numbers.items()]
    lines += [f"{file} {numbers[of]} {' '.join(names)}" for (file, of), names in sorted(rows.items())]
    (HOST / "brought.txt").write_text("\n".join(lines) + "\n")


main()
