"""What tests do with one tab of a browser, whichever browser it is."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

from tests.waiting import wait_for

Json = dict[str, Any]
Button = Literal["left", "right"]


class Step(NamedTuple):
    """What a mouse or a finger does at a point of the window."""

    kind: Literal["press", "move", "release"]
    x: float
    y: float


def click_at(x: float, y: float, times: int = 1) -> Iterator[Step]:
    """Return the steps of a click, or of several in quick succession."""
    for _ in range(times):
        yield Step("press", x, y)
        yield Step("release", x, y)


class Tab(ABC):
    """One tab."""

    records_requests = True
    """Whether it records requests and frames."""

    def __init__(self) -> None:
        """Record requests and errors from now on."""
        self.errors: list[str] = []
        """Warnings, errors that were logged, and requests that failed."""
        self.exceptions: list[str] = []
        """Those of the errors that the page's code has thrown and nothing caught. No test expects them."""
        self.requests: list[str] = []
        self.frames: list[str] = []
        """What its sockets received. In Chromium only."""
        self.paused: list[str] = []
        """Ids of the requests that wait for the test to answer, after `Fetch.enable` of Chromium."""

    @abstractmethod
    def call(self, method: str, **params: object) -> Json:
        """Send one command of this browser's protocol and return its result."""

    @abstractmethod
    def navigate(self, url: str) -> None:
        """Open an address."""

    @abstractmethod
    def reload(self) -> None:
        """Load the page again."""

    @abstractmethod
    def run_first(self, source: str) -> None:
        """Run a script in every page that is opened from now on, before the page's own."""

    @abstractmethod
    def value(self, expression: str) -> Any:
        """Return the value of an expression in the page."""

    @abstractmethod
    def screenshot(self, path: Path) -> None:
        """Save a screenshot of the page."""

    @abstractmethod
    def resize(self, width: int, height: int, scale: float = 1) -> None:
        """Set the size of the window; a narrow one is that of a phone."""

    @abstractmethod
    def emulate_media(self, features: dict[str, str]) -> None:
        """Set media features of the device, such as `prefers-color-scheme`."""

    @abstractmethod
    def use_mouse(self, *steps: Step, button: Button = "left") -> None:
        """Use the mouse; the second press of one call is that of a double click."""

    @abstractmethod
    def use_finger(self, *steps: Step) -> None:
        """Use a finger."""

    @abstractmethod
    def press(self, key: str) -> None:
        """Press a key, by its name in keyboard events."""

    @abstractmethod
    def type_text(self, text: str) -> None:
        """Type into the focused field."""

    def wait_for(self, expression: str) -> Any:
        """Wait until an expression is true, and return its value."""
        return wait_for(lambda: self.value(expression), lambda: self._state(expression))

    def _state(self, expression: str) -> str:
        """Return what the page shows instead of the state that was waited for."""
        shown, address = self.value("document.body?.innerText"), self.value("location.href")
        waiting = self.value("[...window.unanswered ?? []].map(request => request.address)")
        return f"{expression} never became true; errors: {self.errors}; unanswered: {waiting}; at {address}:\n{shown}"
