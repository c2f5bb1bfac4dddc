"""Nsight Compute from Python, for the scripts here that have a GPU count."""

import csv
import os
import re
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
CATALOGUE = os.path.join(ROOT, "crates", "counters", "src", "catalogue.rs")


class Failed(Exception):
    """What ncu said."""


def catalogue(hardware=False):
    """The counters of the embedded device that have a metric of Nsight Compute: {name: metric without .sum}; with `hardware`
    those of hardware alone as well.

    A row of the catalogue is `name ("title"): Unit of Space = "metric", profiled;`, indented once; deeper are those of
    hardware alone.
    """
    indented = "(?: {4}){1,2}" if hardware else " {4}"
    with open(CATALOGUE) as file:
        return dict(re.findall(rf'^{indented}(\w+) \("[^"]*"\): \w+(?: of \w+)? = "(\w+)"', file.read(), re.MULTILINE))


def count(metrics, command, instances=(), timeout=None, caches="none"):
    """Has ncu count the sums of metrics (names without .sum) of every kernel that a command launches.

    A list of (kernel's name, {metric: sum}), in the order of the launches. `instances`: metrics with a value for each of
    several things; theirs are a {thing: value}. The counts need no fixed clocks; caches are left as they are.
    """
    metrics, instances = list(metrics), list(instances)
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log")
        ncu = ["ncu", "--csv", "--page=raw", "--print-units=base", "--clock-control=none", f"--cache-control={caches}"]
        ncu += ["--target-processes=all", "--print-metric-instances=details"] if instances else []
        ncu += ["--metrics", ",".join([f"{metric}.sum" for metric in metrics] + instances), "--log-file", log]
        done = subprocess.run([*ncu, *command], capture_output=True, text=True, timeout=timeout)
        with open(log) as file:
            lines = file.read().splitlines()
    start = next((n for n, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        raise Failed(f"ncu failed: {done.stderr.strip()} {' '.join(lines[-5:])}")
    head, _, *rows = csv.reader(lines[start:])
    counted = []
    for row in rows:
        row = dict(zip(head, row))
        values = {metric: whole(row[f"{metric}.sum"]) for metric in metrics}
        values |= {metric: things(row[metric]) for metric in instances}
        counted.append((row["Kernel Name"], values))
    return counted, done.returncode


def whole(text):
    """A counter's value; None where ncu has none."""
    text = text.replace(",", "")
    return int(float(text)) if text and text[0].isdigit() else None


def things(text):
    """What ncu lists of a metric's instances, such as `12 (BAR: 4; BRA: 8)`."""
    inner = text[text.find("(") + 1 : text.rfind(")")] if "(" in text else ""
    pairs = [part.rsplit(":", 1) for part in inner.split(";") if ":" in part]
    return {name.strip(): whole(value.strip()) for name, value in pairs}
