# SPDX-License-Identifier: MIT
"""What pairs.py and releases.py share: runs of a bench, and tables in pages."""
import json
import os
import re
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def measure(build, bench, seconds, *words):
    """The lines of one run of that bench of a build."""
    program = os.path.join(build, "bench", bench)
    environment = dict(os.environ, PCM_PLUGIN_PATH=os.path.join(os.path.abspath(build), "plugins"))
    told = subprocess.run([program, "--json", "--seconds", str(seconds), *words], env=environment, check=True,
                          stdout=subprocess.PIPE, text=True)
    return list(map(json.loads, told.stdout.splitlines()))


def _read(page):
    with open(os.path.join(ROOT, "docs", page)) as read:
        return read.read()


def _find(text, head):
    """The table that begins so."""
    return text[text.index(head):].split("\n\n")[0]


def rows(page, head):
    """The cells of the table in a page that has this head."""
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in _find(_read(page), head).splitlines()[2:]]


def write(page, head, cells):
    """Puts these cells in their place; returns the table."""
    text = _read(page)
    lines = [head, re.sub("[^|]+", "---", head)] + ["| " + " | ".join(row) + " |" for row in cells]
    with open(os.path.join(ROOT, "docs", page), "w") as written:
        written.write(text.replace(_find(text, head), "\n".join(lines)))
    return "\n".join(lines)
