# SPDX-License-Identifier: MIT
"""usage: firefox.py ROOT BUILD CONTACTS

Every law answers to that many random contacts with the same bits in Firefox as native code. Firefox is asked by its own
Marionette, so that no driver is needed."""
import base64
import gzip
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PAGE = """<!DOCTYPE html><meta charset="utf-8"><title>bits</title><body>
<script type="text/plain" id="worker">%s</script>
<script>
const worker = new Worker(URL.createObjectURL(new Blob([document.getElementById("worker").textContent])));
worker.onmessage = ({ data }) => { document.body.dataset.answer = data; };
worker.onerror = (event) => { document.body.dataset.answer = event.message; };
worker.postMessage(%s);
</script>"""


class Marionette:
    """A Firefox without a window. Messages are [0, number, command, values], each behind its length."""

    def __init__(self, program, folder):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        prefs = {"marionette.port": port, "datareporting.policy.dataSubmissionEnabled": False, "app.update.enabled": False}
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in prefs.items()]
        (folder / "user.js").write_text("".join(lines))
        words = [program, "--headless", "--marionette", "--no-remote", "--profile", folder]
        with open(folder / "log", "w") as log:
            self.process = subprocess.Popen(words, env=dict(os.environ, HOME=str(folder)), stdout=log, stderr=log)
        self.stream = self._connect(port).makefile("rwb")
        self.number = 0
        self._read()
        self.ask("WebDriver:NewSession")

    def _connect(self, port):
        for _ in range(600):
            assert self.process.poll() is None, "Firefox ended"
            try:
                return socket.create_connection(("127.0.0.1", port))
            except ConnectionRefusedError:
                time.sleep(0.1)
        raise TimeoutError("Firefox does not answer")

    def _read(self):
        length = b""
        while (sign := self.stream.read(1)) != b":":
            assert sign, "Firefox ended"
            length += sign
        return json.loads(self.stream.read(int(length)))

    def ask(self, command, **values):
        self.number += 1
        text = json.dumps([0, self.number, command, values]).encode()
        self.stream.write(b"%d:%s" % (len(text), text))
        self.stream.flush()
        _, _, error, result = self._read()
        assert not error, error
        return result

    def quit(self):
        self.process.terminate()
        self.process.wait()


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
