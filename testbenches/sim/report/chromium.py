# SPDX-License-Identifier: Apache-2.0
"""Chromium without a window, spoken to over a pipe by its DevTools protocol; standard library only."""
import base64
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

SECONDS = 60
OPTIONS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
           "--disable-dev-shm-usage", "--remote-debugging-pipe", "--window-size=1280,1000", "--force-prefers-no-reduced-motion"]


def path():
    """The path of the browser; None if there is none."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Browser:
    """A page in a browser of its own. Use it in a `with`."""

    def __enter__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_child, self.commands = os.pipe()
        self.replies, from_child = os.pipe()

        def place_pipes():
            ends = [os.dup(to_child), os.dup(from_child)]
            if min(ends) < 5:
                ends = [os.dup2(end, 100 + end) for end in ends]
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        self.process = subprocess.Popen([path(), *OPTIONS, f"--user-data-dir={self.profile.name}", "about:blank"],
                                        preexec_fn=place_pipes, close_fds=False, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, env={**os.environ, "HOME": self.profile.name})
        os.close(to_child)
        os.close(from_child)
        self.read_so_far, self.number, self.events, self.session = b"", 0, [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(SECONDS)
        os.close(self.commands)
        os.close(self.replies)
        self.profile.cleanup()

    def next_message(self):
        while b"\0" not in self.read_so_far:
            some = os.read(self.replies, 1 << 20)
            if not some:
                raise RuntimeError("the browser has ended")
            self.read_so_far += some
        text, self.read_so_far = self.read_so_far.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            reply = self.next_message()
            if reply.get("id") == self.number:
                if "error" in reply:
                    raise RuntimeError(f"{method}: {reply['error']}")
                return reply["result"]
            self.events.append(reply)

    def open(self, file):
        """Shows a file; what the page says and asks for is in `events` from here on."""
        self.events = []
        self.call("Page.navigate", url=pathlib.Path(file).absolute().as_uri())
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self.events.append(self.next_message())

    def tell(self, script):
        """The value of an expression in the page."""
        reply = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in reply:
            raise RuntimeError(f"{script}: {reply['exceptionDetails']}")
        return reply["result"].get("value")

    def painted(self, script="null"):
        """The value of an expression when the page has been painted."""
        self.tell("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        return self.tell(script)

    def prefer(self, scheme):
        """@param scheme  "dark" or "light", as the user's settings say."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.painted()

    def screenshot(self, file):
        """A picture of the whole page."""
        self.painted()
        reply = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        pathlib.Path(file).write_bytes(base64.b64decode(reply["data"]))

    def complaints(self):
        """Errors and warnings of the page: exceptions, console, log."""
        found = []
        for event in self.events:
            if event["method"] == "Runtime.exceptionThrown":
                found.append(event["params"]["exceptionDetails"])
            elif event["method"] == "Runtime.consoleAPICalled" and event["params"]["type"] in ("error", "warning", "assert"):
                found.append(event["params"]["args"])
            elif event["method"] == "Log.entryAdded" and event["params"]["entry"]["level"] in ("error", "warning"):
                found.append(event["params"]["entry"])
        return found

    def requests(self):
        """Addresses that the page has asked for, itself first."""
        return [event["params"]["request"]["url"] for event in self.events if event["method"] == "Network.requestWillBeSent"]
