# SPDX-License-Identifier: MIT
"""Firefox without a window and without a driver: it is asked by its own protocol."""
import json
import os
import socket
import subprocess
import time


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
