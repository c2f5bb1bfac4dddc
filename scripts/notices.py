"""Licences of what is linked into the programs of an archive, for scripts/release.

Enters: the workspace, and a target. Leaves: one text that names every crate with its licence and where its source is, and
has each licence's text once.
"""

import json
import pathlib
import re
import subprocess

# What is in an archive: the programs, and the engine of the book's pages, each for its target.
PARTS = [("warpbook", None), ("web", "wasm32-unknown-unknown")]
LICENCE = re.compile(r"^(licen[cs]e|copying|notice|unlicense)", re.I)


def linked(root, package, target):
    """The crates of others that a package of ours is linked with."""
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", target]
    read = json.loads(subprocess.run(command, cwd=root, check=True, capture_output=True).stdout)
    packages = {one["id"]: one for one in read["packages"]}
    uses = {one["id"]: one["deps"] for one in read["resolve"]["nodes"]}
    waiting = [one["id"] for one in read["packages"] if one["name"] == package and one["source"] is None]
    seen = set()
    while waiting:
        one = waiting.pop()
        kinds = {kind for there in packages[one]["targets"] for kind in there["kind"]}
        # A macro makes code, and is not in it.
        if one in seen or "proc-macro" in kinds:
            continue
        seen.add(one)
        waiting += [use["pkg"] for use in uses[one] if any(kind["kind"] is None for kind in use["dep_kinds"])]
    return [packages[one] for one in seen if packages[one]["source"]]


def text(root, target):
    """The text."""
    crates = {}
    for package, own in PARTS:
        for one in linked(root, package, own or target):
            crates[one["name"], one["version"]] = one
    lines = [
        "The programs in this archive are linked with these crates, each under its own licence.",
        "The texts of the licences follow. The book's editor has a file of its own: book/theme/vendor/editor.LICENCES.txt.",
        "",
    ]
    texts = {}
    for (name, version), one in sorted(crates.items()):
        where = one["repository"] or one["homepage"] or f"https://crates.io/crates/{name}"
        lines.append(f"{name} {version}: {one['license'] or 'see its texts'}; {where}")
        folder = pathlib.Path(one["manifest_path"]).parent
        for file in sorted(folder.iterdir()):
            if file.is_file() and LICENCE.match(file.name):
                words = file.read_text("utf-8", errors="replace").replace("\r\n", "\n").strip()
                texts.setdefault(words, []).append(f"{name} {version}")
    for words, of in sorted(texts.items(), key=lambda item: item[1]):
        lines += ["", "=" * 88, ", ".join(of), "=" * 88, "", words]
    return "\n".join(lines) + "\n"
