"""Has Chromium take pictures of the first page, by the pipe that it takes orders from: light, dark, and as wide as a telephone."""

import base64
import functools
import http.server
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading

LOOKS = [("light", 1280, 900, "light"), ("dark", 1280, 900, "dark"), ("390", 390, 844, "light")]


class Browser:
    def __init__(self, profile):
        orders, self.out = os.pipe()
        self.into, answers = os.pipe()
        # Chromium reads orders from its descriptor 3, and answers on 4.
        command = 'exec "$@" 3<&%d 4>&%d' % (orders, answers)
        self.process = subprocess.Popen(
            ["bash", "-c", command, "bash", "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--remote-debugging-pipe", "--user-data-dir=" + profile],
            pass_fds=(orders, answers), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(orders)
        os.close(answers)
        self.answers = os.fdopen(self.into, "rb")
        self.last, self.rest = 0, b""

    def message(self):
        while b"\0" not in self.rest:
            more = os.read(self.into, 1 << 16)
            if not more:
                sys.exit("docs/build: Chromium has ended")
            self.rest += more
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def order(self, method, session=None, **parameters):
        self.last += 1
        order = {"id": self.last, "method": method, "params": parameters}
        if session:
            order["sessionId"] = session
        os.write(self.out, json.dumps(order).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.last:
                if "error" in answer:
                    sys.exit("docs/build: Chromium on %s: %s" % (method, answer["error"]["message"]))
                return answer["result"]

    def await_event(self, name):
        while self.message().get("method") != name:
            pass

    def look(self, url, width, height, scheme):
        # With a memory of its own: the page keeps the choice between light and dark.
        context = self.order("Target.createBrowserContext")["browserContextId"]
        target = self.order("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        session = self.order("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.order("Page.enable", session)
        self.order("Emulation.setDeviceMetricsOverride", session, width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
        self.order("Emulation.setEmulatedMedia", session, features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.order("Page.navigate", session, url=url)
        self.await_event("Page.loadEventFired")
        # Wider than the screen is what has to be pushed aside to be read.
        wide = self.order("Runtime.evaluate", session, expression="document.documentElement.scrollWidth")["result"]["value"]
        picture = base64.b64decode(self.order("Page.captureScreenshot", session, format="png")["data"])
        self.order("Target.closeTarget", targetId=target)
        return picture, wide

    def close(self):
        os.close(self.out)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


def main():
    site, to = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    to.mkdir(parents=True, exist_ok=True)
    pictures = {}
    # From a server, as a page that is opened as a file has no search.
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Silent, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page = "http://127.0.0.1:%d/index.html" % server.server_address[1]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(profile)
        try:
            for name, width, height, scheme in LOOKS:
                picture, wide = browser.look(page, width, height, scheme)
                (to / (name + ".png")).write_bytes(picture)
                pictures[name] = picture
                if wide > width:
                    sys.exit("docs/build: the first page is %d pixels wide on a screen of %d" % (wide, width))
        finally:
            browser.close()
    if pictures["light"] == pictures["dark"]:
        sys.exit("docs/build: light and dark look the same")
    print("pictures of the first page are in %s" % to)


main()
