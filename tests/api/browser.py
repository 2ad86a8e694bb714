"""A headless Chromium without a network, over its debugging socket: what a page shows, and what it complains of."""

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

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PATIENCE = 30.0
NO_NETWORK = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
SWITCHES = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", NO_NETWORK)

Json = dict[str, Any]


class Page:
    """One tab."""

    def __init__(self, connection: ClientConnection, *, is_alone: bool = False) -> None:
        """Open a tab, and note from now on all that it asks for, hears and complains of.

        One that is alone shares no storage with other tabs: it is another person's.
        """
        self._connection = connection
        self._numbers = itertools.count(1)
        self._session = ""
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.frames: list[str] = []
        """What its sockets received."""
        self.paused: list[str] = []
        """Requests that wait for an answer of the test's, after `Fetch.enable`."""
        context = {"browserContextId": self.asks("Target.createBrowserContext")["browserContextId"]} if is_alone else {}
        target = self.asks("Target.createTarget", url="about:blank", **context)["targetId"]
        self._session = self.asks("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.asks(f"{domain}.enable")

    def asks(self, method: str, **params: object) -> Json:
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
            self._note(message.get("method", ""), message.get("params", {}))

    def opens(self, url: str) -> None:
        """Go to an address."""
        self.asks("Page.navigate", url=url)

    def value(self, expression: str) -> Any:
        """Return what an expression is worth in the page."""
        answer = self.asks("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def waits_for(self, expression: str) -> Any:
        """Wait until an expression is true, and return its value."""
        deadline = time.monotonic() + PATIENCE
        while not (value := self.value(expression)):
            assert time.monotonic() < deadline, f"{expression} never came; {self.complaints}"
            time.sleep(0.05)
        return value

    def pictured(self, path: Path) -> None:
        """Keep a picture of the page."""
        path.write_bytes(b64decode(self.asks("Page.captureScreenshot", captureBeyondViewport=False)["data"]))

    def _note(self, method: str, params: Json) -> None:
        match method:
            case "Network.requestWillBeSent":
                self.requests.append(params["request"]["url"])
            case "Fetch.requestPaused":
                self.paused.append(params["requestId"])
            case "Network.webSocketFrameReceived":
                self.frames.append(params["response"]["payloadData"])
            case "Runtime.exceptionThrown":
                self.complaints.append(str(params["exceptionDetails"]))
            case "Runtime.consoleAPICalled" if params["type"] in {"error", "warning", "assert"}:
                self.complaints.append(str(params["args"]))
            case "Log.entryAdded" if params["entry"]["level"] in {"error", "warning"}:
                self.complaints.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")
            case _:
                pass


def program() -> str:
    """Return the browser's path, or skip the test where there is none."""
    named = os.environ.get("TURNSTREAM_TEST_BROWSER")
    found = named or next(filter(None, map(shutil.which, PROGRAMS)), None)
    if found is None:
        pytest.skip(f"no browser: install chromium, or name one in TURNSTREAM_TEST_BROWSER ({', '.join(PROGRAMS)})")
    return found


@contextlib.contextmanager
def new_page(folder: Path) -> Iterator[Page]:
    """Run a browser on a profile of its own, with one tab."""
    with new_browser(folder) as address, connected(address) as connection:
        yield Page(connection)


def connected(address: str) -> ClientConnection:
    """Return a connection to a browser that listens there."""
    return connect(address, max_size=None, compression=None)


@contextlib.contextmanager
def new_browser(folder: Path) -> Iterator[str]:
    """Run a browser on a profile of its own and return where it listens."""
    command = (program(), *SWITCHES, "--remote-debugging-port=0", f"--user-data-dir={folder}", "about:blank")
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        yield debugging_address(folder / "DevToolsActivePort")
    finally:
        process.terminate()
        process.wait(PATIENCE)


def debugging_address(file: Path) -> str:
    """Return where the browser listens, once it has written that down."""
    deadline = time.monotonic() + PATIENCE
    while not file.exists() or file.read_text().count("\n") < 1:
        assert time.monotonic() < deadline, "the browser didn't start"
        time.sleep(0.05)
    port, path = file.read_text().split("\n")[:2]
    return f"ws://127.0.0.1:{port}{path}"
