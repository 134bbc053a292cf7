#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: docs/laws/snippets.py PCM LIVE.html DOC.md ... OUT.html

A page of the .pcm texts of documents, of those that PCM, the command, reads without errors and without other files.
LIVE.html is a page of `pcm explore` with the laws that they name."""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

DATA = re.compile(r'(<script type="application/json" id="data">\n)(.*?)(\n</script>)', re.DOTALL)


def texts_of(document):
    """[(name, text)], named by the document and the line."""
    place = re.compile(r"^```pcm\b.*\n((?:.*\n)*?)```", re.MULTILINE)
    content = document.read_text()
    return [(f"{document.name}:{content.count(chr(10), 0, m.start()) + 2}", m[1]) for m in place.finditer(content)]


def is_whole(command, text):
    """Whether the text stands alone: it has no errors as the only file, and its first contact type with a law has all
    of its parameters, none of them from two materials (PCM-430)."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "text.pcm").write_text(text)
        checked = subprocess.run([command, "check", "text.pcm"], cwd=folder, capture_output=True)
        first = re.search(r"ContactType\s+(\w+)\s*=\s*(?!\s|DefaultContact)", text)
        if checked.returncode != 0 or first is None or "Material" not in text:
            return checked.returncode == 0 and first is not None
        drawn = subprocess.run([command, "plot", "text.pcm", first[1], "--out", "p.svg"], cwd=folder, capture_output=True)
        return b"PCM-430" not in drawn.stderr


def main():
    command, live, *documents, out = map(Path, sys.argv[1:])
    command = command.resolve()
    page = live.read_text()
    data = json.loads(DATA.search(page)[2])
    texts = [(name, text) for document in documents for name, text in texts_of(document) if is_whole(command, text)]
    data["starts"] = [{"name": name, "text": text} for name, text in texts]
    data.update(title="Texts of the documents", name="text.pcm", text=texts[0][1])
    packed = json.dumps(data).replace("<", "\\u003c")
    out.write_text(DATA.sub(lambda found: found[1] + packed + found[3], page))
    print(f"{out}: {len(texts)} texts")


main()
