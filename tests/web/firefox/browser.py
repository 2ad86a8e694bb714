"""A headless Firefox without a network, driven through WebDriver BiDi, which it speaks without a driver.

https://developer.mozilla.org/en-US/docs/Web/WebDriver/Reference/BiDi
"""

import contextlib
import itertools
import os
import re
import shutil
import signal
import subprocess
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from websockets.sync.client import ClientConnection, connect

from tests.api.tab import Button, Json, Step, Tab
from tests.waiting import PATIENCE, wait_for

PROGRAMS = ("firefox", "firefox-esr")
SWITCHES = ("--headless", "--no-remote", "--remote-debugging-port=0", "--remote-allow-system-access")
NOWHERE = "127.0.0.1:9"
NO_NETWORK = {"proxyType": "manual", "httpProxy": NOWHERE, "sslProxy": NOWHERE}
"""Everything but this machine's own addresses is requested from a proxy that does not exist."""
EVENTS = ("log.entryAdded", "network.beforeRequestSent", "network.fetchError", "network.responseCompleted")
ABORTED = "NS_BINDING_ABORTED"
"""The error of requests that end because their page is left."""

ABORTED_IMPORT = "error loading dynamically imported module"
"""What Firefox reports of an import that the page left behind; a missing module also has a response above 400."""
BY_A_WORKER = "A ServiceWorker "
"""Part of what is logged about a request that a worker could not answer. The network reports it, too, if it failed."""

EXCEPTION = re.compile(r"\w*Error: |uncaught exception: ")
"""How an exception that nothing caught is logged."""

KEYS = {
    "Enter": "\ue007",
    "Escape": "\ue00c",
    "Tab": "\ue004",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
    "Home": "\ue011",
    "End": "\ue010",
    "PageUp": "\ue00e",
    "PageDown": "\ue00f",
}
"""The keys that type no character, as WebDriver writes them: https://www.w3.org/TR/webdriver2/#keyboard-actions."""
MEDIA = {
    "prefers-color-scheme": ("layout.css.prefers-color-scheme.content-override", {"dark": 0, "light": 1}),
    "prefers-reduced-motion": ("ui.prefersReducedMotion", {"reduce": 1, "no-preference": 0}),
}
"""By media feature: the preference that sets it for all tabs, and its values."""

POINTER_ACTIONS = {"press": "pointerDown", "release": "pointerUp"}
BUTTONS = {"left": 0, "right": 2}


class Firefox:
    """A running browser and its only connection, which all tabs share."""

    def __init__(self, connection: ClientConnection) -> None:
        """Begin a session."""
        self._connection = connection
        self._numbers = itertools.count(1)
        self._tabs: dict[str, FirefoxTab] = {}
        self.call("session.new", capabilities={"alwaysMatch": {"proxy": NO_NETWORK}})
        self.call("session.subscribe", events=EVENTS)
        self._own_window = self.call("browsingContext.getTree", **{"moz:scope": "chrome"})["contexts"][0]["context"]

    def call(self, method: str, **params: object) -> Json:
        """Send one command and return its result."""
        number = next(self._numbers)
        self._connection.send(msgspec.json.encode({"id": number, "method": method, "params": params}).decode())
        while True:
            message: Json = msgspec.json.decode(self._connection.recv(PATIENCE))
            if message.get("id") == number:
                assert message["type"] == "success", message
                return cast("Json", message["result"])
            if message["type"] == "event":
                self._record(message["method"], message["params"])

    @contextlib.contextmanager
    def new_tab(self) -> Iterator["FirefoxTab"]:
        """Open a window of its own, which shares no storage with others, as that of another person."""
        person = self.call("browser.createUserContext")["userContext"]
        context = self.call("browsingContext.create", type="window", userContext=person)["context"]
        self._tabs[context] = FirefoxTab(self, context)
        yield self._tabs[context]
        for preference, _ in MEDIA.values():
            self.run(f"Services.prefs.clearUserPref('{preference}')")
        self.call("browser.removeUserContext", userContext=person)

    def run(self, expression: str) -> None:
        """Run an expression in the browser itself, for what the protocol has no command."""
        target = {"context": self._own_window}
        answer = self.call("script.evaluate", expression=expression, target=target, awaitPromise=False)
        assert answer["type"] == "success", answer["exceptionDetails"]

    def _record(self, method: str, params: Json) -> None:
        if tab := self._tabs.get(params.get("context") or params.get("source", {}).get("context")):
            tab.record(method, params)


class FirefoxTab(Tab):
    """One tab of Firefox."""

    def __init__(self, browser: Firefox, context: str) -> None:
        """Use the tab with this id."""
        super().__init__()
        self._browser = browser
        self._context = context

    def call(self, method: str, **params: object) -> Json:
        """Send one command of WebDriver BiDi for this tab and return its result."""
        return self._browser.call(method, context=self._context, **params)

    def navigate(self, url: str) -> None:
        """Open an address."""
        self.call("browsingContext.navigate", url=url, wait="none")

    def reload(self) -> None:
        """Load the page again."""
        self.call("browsingContext.reload", wait="interactive")

    def run_first(self, source: str) -> None:
        """Run a script in every page that is opened from now on, before the page's own."""
        self._browser.call(
            "script.addPreloadScript", functionDeclaration=f"() => {{ {source} }}", contexts=[self._context]
        )

    def value(self, expression: str) -> Any:
        """Return the value of an expression in the page."""
        answer = self._browser.call(
            "script.evaluate",
            expression=f"(async () => JSON.stringify(await ({expression}\n)))()",
            target={"context": self._context},
            awaitPromise=True,
        )
        assert answer["type"] == "success", answer["exceptionDetails"]
        value = answer["result"].get("value")
        return None if value is None else msgspec.json.decode(value)

    def screenshot(self, path: Path) -> None:
        """Save a screenshot of the page."""
        path.write_bytes(b64decode(self.call("browsingContext.captureScreenshot")["data"]))

    def resize(self, width: int, height: int, scale: float = 1) -> None:
        """Set the size of the window."""
        self.call("browsingContext.setViewport", viewport={"width": width, "height": height}, devicePixelRatio=scale)

    def emulate_media(self, features: dict[str, str]) -> None:
        """Set media features of the device, until the tab is closed."""
        for name, value in features.items():
            preference, numbers = MEDIA[name]
            self._browser.run(f"Services.prefs.setIntPref('{preference}', {numbers[value]})")

    def use_mouse(self, *steps: Step, button: Button = "left") -> None:
        """Use the mouse; the second press of one call is that of a double click."""
        self._act("pointer", pointer_actions(steps, button), parameters={"pointerType": "mouse"})

    def use_finger(self, *steps: Step) -> None:
        """Use a finger."""
        self._act("pointer", pointer_actions(steps, "left"), parameters={"pointerType": "touch"})

    def press(self, key: str) -> None:
        """Press a key, by its name in keyboard events; Firefox passes keys to the page in front only."""
        self.call("browsingContext.activate")
        self.type_text(KEYS.get(key, key))

    def type_text(self, text: str) -> None:
        """Type into the focused field."""
        self._act("key", [{"type": kind, "value": key} for key in text for kind in ("keyDown", "keyUp")])

    def _act(self, device: str, actions: list[Json], **more: Json) -> None:
        name = f"{device} {more}"
        self.call("input.performActions", actions=[{"type": device, "id": name, "actions": actions, **more}])

    def record(self, method: str, params: Json) -> None:
        """Record what the browser reports about this tab."""
        match method:
            case "network.beforeRequestSent" if not params["request"]["url"].startswith("data:"):
                self.requests.append(params["request"]["url"])
            case "network.fetchError" if params["errorText"] != ABORTED:
                self.errors.append(f"{params['errorText']} {params['request']['url']}")
            case "network.responseCompleted" if params["response"]["status"] >= 400:
                self.errors.append(f"{params['response']['status']} {params['request']['url']}")
            case "log.entryAdded" if params["level"] in {"error", "warn"} and not is_harmless(params["text"]):
                self.errors.append(str(params["text"]))
                if EXCEPTION.match(self.errors[-1]):
                    self.exceptions.append(self.errors[-1])
            case _:
                pass


def is_harmless(text: str) -> bool:
    """Return whether a line of the log is no error of a page."""
    return BY_A_WORKER in text or ABORTED_IMPORT in text


def pointer_actions(steps: tuple[Step, ...], button: Button) -> list[Json]:
    """Return the actions of a pointer, which is at a point before it does anything there."""
    actions: list[Json] = []
    for kind, x, y in steps:
        actions.append({"type": "pointerMove", "x": x, "y": y})
        if kind != "move":
            actions.append({"type": POINTER_ACTIONS[kind], "button": BUTTONS[button]})
    return actions


def program() -> str:
    """Return the browser's path, or skip the test where there is none."""
    given = os.environ.get("TURNSTREAM_TEST_FIREFOX")
    found = given or next(filter(None, map(shutil.which, PROGRAMS)), None)
    if found is None:
        pytest.skip("no Firefox: install firefox-esr, or name the program in TURNSTREAM_TEST_FIREFOX")
    return found


@contextlib.contextmanager
def new_firefox(folder: Path) -> Iterator[Firefox]:
    """Run Firefox with a profile of its own."""
    command = (program(), *SWITCHES, "--profile", str(folder))
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        with connect(address(folder / "WebDriverBiDiServer.json"), max_size=None, compression=None) as connection:
            yield Firefox(connection)
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(PATIENCE)


def address(file: Path) -> str:
    """Return the browser's address, once it has written it."""
    wait_for(lambda: file.exists() and file.read_text().endswith("}"))
    written = msgspec.json.decode(file.read_bytes())
    return f"ws://{written['ws_host']}:{written['ws_port']}/session"
