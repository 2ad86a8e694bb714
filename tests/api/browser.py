"""A headless Chromium without a network, driven through its debugging socket."""

import contextlib
import itertools
import os
import shutil
import signal
import subprocess
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.sync.client import ClientConnection, connect

from tests.api.tab import Button, Json, Step, Tab
from tests.waiting import PATIENCE, wait_for

PROGRAMS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
NO_NETWORK = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
LANGUAGE = ("--lang=en-US", "--accept-lang=en-US")
"""English, whatever the machine's language is."""
SWITCHES = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", NO_NETWORK),
    *LANGUAGE,
)

KEYS = {
    "Enter": ("Enter", 13, "\r"),
    "Escape": ("Escape", 27, ""),
    "Tab": ("Tab", 9, ""),
    "ArrowLeft": ("ArrowLeft", 37, ""),
    "ArrowUp": ("ArrowUp", 38, ""),
    "ArrowRight": ("ArrowRight", 39, ""),
    "ArrowDown": ("ArrowDown", 40, ""),
    "Home": ("Home", 36, ""),
    "End": ("End", 35, ""),
    "PageUp": ("PageUp", 33, ""),
    "PageDown": ("PageDown", 34, ""),
    " ": ("Space", 32, " "),
    ",": ("Comma", 188, ","),
    ".": ("Period", 190, "."),
    "/": ("Slash", 191, "/"),
    "n": ("KeyN", 78, "n"),
}
"""By key: its code, its number, and the text that it types."""

MOUSE_EVENTS = {"press": "mousePressed", "move": "mouseMoved", "release": "mouseReleased"}
TOUCH_EVENTS = {"press": "touchStart", "move": "touchMove", "release": "touchEnd"}
BUTTONS = {"left": 1, "right": 2}


class Page(Tab):
    """One tab."""

    def __init__(self, connection: ClientConnection, *, is_alone: bool = False, records_requests: bool = True) -> None:
        """Open a tab, and from now on record its errors, its requests and the frames that it receives.

        With `is_alone` it shares no storage with other tabs, as the tab of another person. The browser takes a tenth
        more time to report requests and frames.
        """
        super().__init__()
        self._connection = connection
        self._numbers = itertools.count(1)
        self._session = ""
        self._is_pressed = False
        self.records_requests = records_requests
        context = self._new_context() if is_alone else {}
        target = self.call("Target.createTarget", url="about:blank", **context)["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", *(("Network",) if records_requests else ())):
            self.call(f"{domain}.enable")

    def _new_context(self) -> Json:
        made = self.call("Target.createBrowserContext", disposeOnDetach=True)
        return {"browserContextId": made["browserContextId"]}

    def call(self, method: str, **params: object) -> Json:
        """Send one command and return its result."""
        number = next(self._numbers)
        session = {"sessionId": self._session} if self._session else {}
        self._connection.send(
            msgspec.json.encode({"id": number, "method": method, "params": params, **session}).decode()
        )
        while True:
            message: Json = msgspec.json.decode(self._connection.recv(PATIENCE))
            if message.get("id") == number:
                assert "error" not in message, message
                result: Json = message["result"]
                return result
            self._record(message.get("method", ""), message.get("params", {}))

    def navigate(self, url: str) -> None:
        """Open an address."""
        self.call("Page.navigate", url=url)

    def reload(self) -> None:
        """Load the page again."""
        self.call("Page.reload")

    def run_first(self, source: str) -> None:
        """Run a script in every page that is opened from now on, before the page's own."""
        self.call("Page.addScriptToEvaluateOnNewDocument", source=source)

    def value(self, expression: str) -> Any:
        """Return the value of an expression in the page."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def screenshot(self, path: Path) -> None:
        """Save a screenshot of the page."""
        path.write_bytes(b64decode(self.call("Page.captureScreenshot", captureBeyondViewport=False)["data"]))

    def resize(self, width: int, height: int, scale: float = 1) -> None:
        """Set the size of the window; a narrow one is that of a phone."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": width < 600}
        self.call("Emulation.setDeviceMetricsOverride", **metrics)

    def emulate_media(self, features: dict[str, str]) -> None:
        """Set media features of the device, such as `prefers-color-scheme`."""
        named = [{"name": name, "value": value} for name, value in features.items()]
        self.call("Emulation.setEmulatedMedia", features=named)

    def use_mouse(self, *steps: Step, button: Button = "left") -> None:
        """Use the mouse; the second press of one call is that of a double click."""
        clicks = 0
        for kind, x, y in steps:
            clicks += kind == "press"
            self._is_pressed = kind == "press" or (kind == "move" and self._is_pressed)
            held = {"button": button, "buttons": BUTTONS[button]} if self._is_pressed else {}
            if kind == "release":
                held = {"button": button}
            self.call("Input.dispatchMouseEvent", type=MOUSE_EVENTS[kind], x=x, y=y, clickCount=max(1, clicks), **held)

    def use_finger(self, *steps: Step) -> None:
        """Use a finger."""
        self.call("Emulation.setTouchEmulationEnabled", enabled=True)
        for kind, x, y in steps:
            points = [] if kind == "release" else [{"x": x, "y": y}]
            self.call("Input.dispatchTouchEvent", type=TOUCH_EVENTS[kind], touchPoints=points)

    def press(self, key: str) -> None:
        """Press a key, by its name in keyboard events."""
        code, number, text = KEYS[key]
        pressed = {"key": key, "code": code, "windowsVirtualKeyCode": number}
        self.call("Input.dispatchKeyEvent", type="keyDown", **pressed, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **pressed)

    def type_text(self, text: str) -> None:
        """Type into the focused field."""
        self.call("Input.insertText", text=text)

    def _record(self, method: str, params: Json) -> None:
        match method:
            case "Network.requestWillBeSent":
                self.requests.append(params["request"]["url"])
            case "Fetch.requestPaused":
                self.paused.append(params["requestId"])
            case "Network.webSocketFrameReceived":
                self.frames.append(params["response"]["payloadData"])
            case "Runtime.exceptionThrown":
                self.exceptions.append(str(params["exceptionDetails"]))
                self.errors.append(self.exceptions[-1])
            case "Runtime.consoleAPICalled" if params["type"] in {"error", "warning", "assert"}:
                self.errors.append(str(params["args"]))
            case "Log.entryAdded" if params["entry"]["level"] in {"error", "warning"}:
                self.errors.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")
            case _:
                pass


def program() -> str:
    """Return the browser's path, or skip the test where there is none."""
    given = os.environ.get("TURNSTREAM_TEST_BROWSER")
    found = given or next(filter(None, map(shutil.which, PROGRAMS)), None)
    if found is None:
        pytest.skip(
            f"no browser: install chromium, or name one in TURNSTREAM_TEST_BROWSER (looked for {', '.join(PROGRAMS)})"
        )
    return found


@contextlib.contextmanager
def new_page(folder: Path) -> Iterator[Page]:
    """Run a browser with a profile of its own and one tab."""
    with new_browser(folder) as address, connect_to(address) as connection:
        yield Page(connection)


def connect_to(address: str) -> ClientConnection:
    """Return a connection to the browser with this debugging address, which sometimes does not answer its end."""
    return connect(address, max_size=None, compression=None, close_timeout=1)


@contextlib.contextmanager
def new_browser(folder: Path) -> Iterator[str]:
    """Run a browser with a profile of its own and return its debugging address."""
    command = (program(), *SWITCHES, "--remote-debugging-port=0", f"--user-data-dir={folder}", "about:blank")
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        yield debugging_address(folder / "DevToolsActivePort")
    finally:
        # The program may be a shell script that runs the browser, so the browser gets the signal as well.
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(PATIENCE)


def debugging_address(file: Path) -> str:
    """Return the browser's debugging address, once it has written it."""
    wait_for(lambda: file.exists() and "\n" in file.read_text())
    port, path = file.read_text().split("\n")[:2]
    return f"ws://127.0.0.1:{port}{path}"
