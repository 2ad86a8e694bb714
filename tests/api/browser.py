"""A headless Chromium without a network, driven through its debugging socket."""

import contextlib
import itertools
import os
import shutil
import subprocess
import time
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.sync.client import ClientConnection, connect

PROGRAMS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
PATIENCE = 30.0
NO_NETWORK = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
SWITCHES = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", NO_NETWORK)

Json = dict[str, Any]


class Page:
    """One tab."""

    def __init__(self, connection: ClientConnection, *, is_alone: bool = False) -> None:
        """Open a tab, and from now on record its requests, the frames that it receives and its errors.

        With `is_alone` it shares no storage with other tabs, as the tab of another person.
        """
        self._connection = connection
        self._numbers = itertools.count(1)
        self._session = ""
        self.errors: list[str] = []
        self.requests: list[str] = []
        self.frames: list[str] = []
        """What its sockets received."""
        self.paused: list[str] = []
        """Ids of the requests that wait for the test to answer, after `Fetch.enable`."""
        context = self._new_context() if is_alone else {}
        target = self.call("Target.createTarget", url="about:blank", **context)["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
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

    def value(self, expression: str) -> Any:
        """Return the value of an expression in the page."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def wait_for(self, expression: str) -> Any:
        """Wait until an expression is true, and return its value."""
        deadline = time.monotonic() + PATIENCE
        while not (value := self.value(expression)):
            assert time.monotonic() < deadline, f"{expression} never became true; {self.errors}"
            time.sleep(0.05)
        return value

    def screenshot(self, path: Path) -> None:
        """Save a screenshot of the page."""
        path.write_bytes(b64decode(self.call("Page.captureScreenshot", captureBeyondViewport=False)["data"]))

    def _record(self, method: str, params: Json) -> None:
        match method:
            case "Network.requestWillBeSent":
                self.requests.append(params["request"]["url"])
            case "Fetch.requestPaused":
                self.paused.append(params["requestId"])
            case "Network.webSocketFrameReceived":
                self.frames.append(params["response"]["payloadData"])
            case "Runtime.exceptionThrown":
                self.errors.append(str(params["exceptionDetails"]))
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
    """Return a connection to the browser with this debugging address."""
    return connect(address, max_size=None, compression=None)


@contextlib.contextmanager
def new_browser(folder: Path) -> Iterator[str]:
    """Run a browser with a profile of its own and return its debugging address."""
    command = (program(), *SWITCHES, "--remote-debugging-port=0", f"--user-data-dir={folder}", "about:blank")
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        yield debugging_address(folder / "DevToolsActivePort")
    finally:
        process.terminate()
        process.wait(PATIENCE)


def debugging_address(file: Path) -> str:
    """Return the browser's debugging address, once it has written it."""
    deadline = time.monotonic() + PATIENCE
    while not file.exists() or file.read_text().count("\n") < 1:
        assert time.monotonic() < deadline, "the browser has not started"
        time.sleep(0.05)
    port, path = file.read_text().split("\n")[:2]
    return f"ws://127.0.0.1:{port}{path}"
