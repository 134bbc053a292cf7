# SPDX-License-Identifier: MIT
"""usage: firefox.py ROOT BUILD CONTACTS

Every law answers to that many random contacts with the same bits in Firefox as native code. Firefox is asked by its own
Marionette, so that no driver is needed."""
import base64
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(sys.argv[1]) / "tests/support"))
from marionette import Marionette

PAGE = """<!DOCTYPE html><meta charset="utf-8"><title>bits</title><body>
<script type="text/plain" id="worker">%s</script>
<script>
const worker = new Worker(URL.createObjectURL(new Blob([document.getElementById("worker").textContent])));
worker.onmessage = ({ data }) => { document.body.dataset.answer = data; };
worker.onerror = (event) => { document.body.dataset.answer = event.message; };
worker.postMessage(%s);
</script>"""


def page_of(root, build, contacts):
    worker = subprocess.run(
        ["esbuild", root / "tests/web/bits_worker.js", "--bundle", "--charset=ascii", "--format=iife", "--log-level=warning"],
        check=True, capture_output=True, text=True,
    ).stdout
    packed = [path.read_bytes() for path in sorted((build / "web/laws").glob("*.wasm.gz"))]
    program = gzip.compress((build / "web/bits.wasm").read_bytes(), mtime=0)
    encoded = [base64.b64encode(part).decode() for part in (program, *packed)]
    return PAGE % (worker, json.dumps({"program": encoded[0], "laws": encoded[1:], "contacts": contacts}))


def bits_of_firefox(program, page):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        work = Path(folder)
        (work / "bits.html").write_text(page)
        (work / "profile").mkdir()
        firefox = Marionette(program, work / "profile")
        try:
            firefox.ask("WebDriver:Navigate", url=(work / "bits.html").as_uri())
            script = "return document.body.dataset.answer ?? null"
            while (answer := firefox.ask("WebDriver:ExecuteScript", script=script, args=[])["value"]) is None:
                time.sleep(0.1)
            return answer
        finally:
            firefox.quit()


def main():
    root, build, contacts = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if not program:
        print("Firefox is not installed (Debian: firefox-esr)")
        sys.exit(77)
    environment = dict(os.environ, PCM_PLUGIN_PATH=str(build / "plugins"))
    native = subprocess.run([build / "tests/web/bits", contacts], check=True, env=environment, capture_output=True, text=True).stdout
    answer = bits_of_firefox(program, page_of(root, build, contacts))
    differing = set(native.splitlines()) ^ set(answer.splitlines())
    assert not differing, sorted(differing)
    count = len(native.splitlines())
    assert count >= 40, count
    print(f"{count} laws, {contacts} contacts each: Firefox has the bits of native code")


main()
