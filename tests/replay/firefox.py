# SPDX-License-Identifier: MIT
"""usage: firefox.py ROOT BUILD

The page of a run in Firefox, in which headless has no WebGL: a line says so, and all else works. Speaks Marionette, the
protocol that Firefox has of its own, since Debian packs no geckodriver."""
import json
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

root, build = map(Path, sys.argv[1:])
if not (build / "web/replay.html").exists():
    print("the page is not built (Debian: npm, esbuild; and a network, once)")
    sys.exit(77)
if not shutil.which("firefox-esr"):
    print("Firefox is not installed (Debian: firefox-esr)")
    sys.exit(77)
climber = root / "configs/climber/climber"


def wait(until, what, seconds=90):
    end = time.monotonic() + seconds
    while not (found := until()):
        assert time.monotonic() < end, f"{what} does not happen"
        time.sleep(0.05)
    return found


class Firefox:
    def __init__(self, profile):
        Path(profile, "user.js").write_text(
            'user_pref("marionette.port", 0);\nuser_pref("webgl.disabled", true);\nuser_pref("app.update.enabled", false);\n'
            'user_pref("datareporting.policy.dataSubmissionEnabled", false);\n'
        )
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", profile, "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        told = Path(profile, "MarionetteActivePort")
        port = wait(lambda: told.exists() and told.read_text().strip(), "Firefox starting")
        self.socket = socket.create_connection(("127.0.0.1", int(port)))
        self.file = self.socket.makefile("rb")
        self.count = 0
        self.receive()
        self.call("WebDriver:NewSession")

    def receive(self):
        length = b""
        while (byte := self.file.read(1)) != b":":
            length += byte
        return json.loads(self.file.read(int(length)))

    def call(self, name, **parameters):
        self.count += 1
        message = json.dumps([0, self.count, name, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(message), message))
        _, _, fault, result = self.receive()
        assert not fault, fault
        return result

    def script(self, text):
        return self.call("WebDriver:ExecuteScript", script=text, args=[], sandbox=None)["value"]

    def quit(self):
        self.process.terminate()
        self.process.wait()


def look(firefox, page):
    firefox.call("WebDriver:Navigate", url=page.as_uri())
    wait(lambda: firefox.script("return document.body?.dataset.ready"), f"opening {page.name}")
    assert firefox.script("return document.body.dataset.ready") == "20"
    assert "no WebGL" in firefox.script("return document.getElementById('view').textContent")
    firefox.script("document.querySelector('.lane canvas').click(); document.getElementById('forward').click()")
    assert firefox.script("return document.body.dataset.frame") == "1"
    shown = firefox.script("return document.querySelector(\"#now td[data-name='normal force']\").textContent")
    assert float(shown.split()[0]) > 0, shown
    assert firefox.script("return document.getElementById('law').textContent") in ("Tread: CompliantGround", "Slip: ViscoelasticGround")
    assert firefox.script("return document.querySelectorAll('.uplot canvas').length") >= 3
    firefox.script("document.getElementById('contacts').click()")
    wait(lambda: firefox.script("return document.querySelectorAll('#sum td').length"), "the table of contacts")


def main():
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "page.html")
        command = [build / "tools/pcm", "run", f"{climber}.xml", f"{climber}.pcm", "--ctrl", f"{climber}.csv", "--replay", page]
        subprocess.run([*command, "--time", "0.2", "--every", "0.01"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        profile = Path(folder, "profile")
        profile.mkdir()
        firefox = Firefox(str(profile))
        try:
            look(firefox, page)
        finally:
            firefox.quit()


main()
