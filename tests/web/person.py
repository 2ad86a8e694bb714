"""Somebody who plays in a browser: they click, type and press keys, and see what the page shows."""

import time
from typing import Any

import msgspec

from tests.api.browser import PATIENCE, Json, Page

QUIET = 0.12
"""Seconds between looks at the page."""

KEYS = {
    "Enter": ("Enter", 13, "\r"),
    "Escape": ("Escape", 27, ""),
    "Tab": ("Tab", 9, ""),
    "ArrowLeft": ("ArrowLeft", 37, ""),
    "ArrowUp": ("ArrowUp", 38, ""),
    "ArrowRight": ("ArrowRight", 39, ""),
    "ArrowDown": ("ArrowDown", 40, ""),
    " ": ("Space", 32, " "),
    ",": ("Comma", 188, ","),
    ".": ("Period", 190, "."),
}
"""By key: its code, its number, and the text that it gives."""


class Person:
    """A browser context of its own with one tab, used as people use it."""

    def __init__(self, page: Page, url: str, name: str) -> None:
        """Sit down before this tab."""
        self.page = page
        self.url = url
        self.name = name

    def opens(self, path: str = "/") -> None:
        """Go to an address of the service; a browser takes no click before it has painted the page."""
        self.page.opens(f"{self.url}{path}")
        self.page.waits_for("document.readyState === 'complete' && !!document.querySelector('main:not(.plain)')")
        self.page.waits_for("performance.getEntriesByType('paint').length > 0")

    def sees(self, text: str) -> None:
        """Wait until the page shows a text."""
        self.page.waits_for(f"document.body?.innerText.includes({quoted(text)})")

    def has(self, selector: str, text: str = "") -> bool:
        """Tell whether an element is there whose text or label holds this text."""
        return bool(self.page.value(f"({FIND})({quoted(selector)}, {quoted(text)}) !== null"))

    def waits(self, selector: str, text: str = "") -> None:
        """Wait for an element."""
        self.page.waits_for(f"({FIND})({quoted(selector)}, {quoted(text)}) !== null")

    def loses(self, selector: str) -> None:
        """Wait until an element is gone."""
        self.page.waits_for(f"document.querySelector({quoted(selector)}) === null")

    def was_refused(self, status: int) -> None:
        """Drop what the browser complained of answers with this status: they were meant to come."""
        self.page.complaints[:] = [text for text in self.page.complaints if str(status) not in text]

    def text(self, selector: str) -> str:
        """Return what an element says."""
        return str(self.page.value(f"document.querySelector({quoted(selector)})?.innerText ?? ''"))

    def clicks(self, selector: str, text: str = "") -> None:
        """Click the middle of an element with the mouse, once it is there, and nothing covers it."""
        point = self.point(selector, text)
        for kind in ("mousePressed", "mouseReleased"):
            self._mouse(kind, point)

    def clicks_twice(self, selector: str) -> None:
        """Click quickly twice, as some people do on everything."""
        point = self.point(selector)
        for count in (1, 2):
            for kind in ("mousePressed", "mouseReleased"):
                self._mouse(kind, point, count)

    def drags(self, selector: str, to: str) -> None:
        """Take an element with the mouse and let it go over another one."""
        taken, let_go = self.point(selector), self.point(to)
        self.page.value(f"void (over = null, ondragover = e => {{ over = e.target.closest({quoted(to)}) }})")
        self._mouse("mousePressed", taken)
        deadline = time.monotonic() + PATIENCE
        while not self.page.value("!!over"):
            assert time.monotonic() < deadline, f"nothing can be dragged from {selector} to {to}"
            self._mouse("mouseMoved", {"x": let_go["x"], "y": let_go["y"] + 1})
            self._mouse("mouseMoved", let_go)
        self._mouse("mouseReleased", let_go)

    def point(self, selector: str, text: str = "") -> Json:
        """Return the middle of an element, once it is there, and nothing covers it."""
        found: Json = self.page.waits_for(f"({POINT})({quoted(selector)}, {quoted(text)})")
        return found

    def _mouse(self, kind: str, point: Json, count: int = 1) -> None:
        where = {"x": point["x"], "y": point["y"]}
        self.page.asks("Input.dispatchMouseEvent", type=kind, **where, button="left", buttons=1, clickCount=count)

    def button(self, text: str) -> None:
        """Click a button or a link by its words."""
        self.clicks("button, a.button, summary", text)

    def cell(self, name: str) -> None:
        """Click a cell of the board."""
        self.clicks(f'[data-cell="{name}"]')

    def types(self, selector: str, text: str) -> None:
        """Type into a field."""
        self.clicks(selector)
        self.writes(text)

    def writes(self, text: str) -> None:
        """Type where the focus is."""
        self.page.asks("Input.insertText", text=text)

    def presses(self, key: str, times: int = 1) -> None:
        """Press a key."""
        code, number, text = KEYS[key]
        pressed = {"key": key, "code": code, "windowsVirtualKeyCode": number}
        for _ in range(times):
            self.page.asks("Input.dispatchKeyEvent", type="keyDown", **pressed, **({"text": text} if text else {}))
            self.page.asks("Input.dispatchKeyEvent", type="keyUp", **pressed)

    def focus(self) -> str:
        """Return how the focused element calls itself."""
        return str(
            self.page.value("(e => e.getAttribute('aria-label') ?? e.innerText ?? e.name)(document.activeElement)")
        )

    def tabs_to(self, name: str) -> None:
        """Press Tab until an element of this name has the focus."""
        for _ in range(80):
            if name in self.focus():
                return
            self.presses("Tab")
        raise AssertionError(f"Tab never comes to {name}")

    def resizes(self, width: int, height: int, *, scale: float = 1) -> None:
        """Look through a window of this size; a narrow one is a phone's."""
        self.page.asks(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=scale,
            mobile=width < 600,
        )

    def prefers(self, **features: str) -> None:
        """Set what the device says of its owner: `prefers_color_scheme`, `prefers_reduced_motion`."""
        named = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.page.asks("Emulation.setEmulatedMedia", features=named)

    def heard(self) -> list[Any]:
        """Return every frame that the page's sockets received."""
        self.page.value("0")
        return [msgspec.json.decode(frame) for frame in self.page.frames]

    def waits_until_still(self) -> None:
        """Wait until nothing moves on the board any more."""
        self.page.waits_for("document.getAnimations().every(a => a.playState !== 'running')")
        time.sleep(QUIET)

    # What people do at a table.

    def names_themselves(self) -> None:
        """Say who they are, in the lobby."""
        self.opens()
        self.types("#nickname", self.name)
        self.clicks(".name-form button")
        self.sees(f"You are {self.name}")

    def opens_room(
        self, title: str, opponents: str = "friends", name: str = "", options: dict[str, str] | None = None
    ) -> str:
        """Open a room by the dialog and return its name; `options` go by the names of their fields."""
        if not self.has(".games"):
            self.opens()
        self.clicks(f'.game button[aria-label="Play {title}"]')
        self.waits("dialog[open]")
        self.clicks(f"dialog .choice-card:has([value={opponents}])")
        if self.has("#create-nickname"):
            self.types("#create-nickname", self.name)
        if name:
            self.types("#create-name", name)
        for field, value in (options or {}).items():
            self.chooses(f"#{field}", value)
        self.clicks("dialog button[type=submit]")
        self.waits(".room")
        return str(self.page.value("location.pathname.split('/')[2]"))

    def chooses(self, field: str, value: str) -> None:
        """Set a field of the dialog: the label of a choice, a number, or `on`."""
        self.page.value("document.querySelectorAll('dialog details').forEach(one => one.open = true)")
        if value == "on":
            self.clicks(field)
            return
        self.page.value(f"({CHOOSE})({quoted(field)}, {quoted(value)})")

    def joins(self, room: str) -> None:
        """Come by the link and take a seat."""
        self.opens(f"/r/{room}")
        self.waits(".join, .seat.mine")
        if self.has("#join-nickname"):
            self.types("#join-nickname", self.name)
        self.clicks(".join button", "seat")
        self.waits(".seat.mine")

    def ready(self) -> None:
        """Say so."""
        self.clicks(".status button", "Ready")


def quoted(text: str) -> str:
    """Return a text as it stands in JavaScript."""
    return msgspec.json.encode(text).decode()


FIND = """(selector, text) => [...document.querySelectorAll(selector)].find(e =>
  !e.disabled && `${e.getAttribute('aria-label') ?? ''} ${e.innerText ?? e.textContent}`.includes(text)) ?? null"""

POINT = f"""(selector, text) => {{
  const element = ({FIND})(selector, text);
  if (!element) return null;
  element.scrollIntoView({{block: 'center', inline: 'center', behavior: 'instant'}});
  const {{left, top, width, height}} = (element.querySelector('.hit') ?? element).getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const hit = document.elementFromPoint(x, y);
  return width && (element.contains(hit) || hit?.contains(element)) ? {{x, y}} : null;
}}"""

CHOOSE = """(selector, value) => {
  const field = document.querySelector(selector);
  if (field.tagName === 'SELECT') field.selectedIndex = [...field.options].findIndex(option => option.text === value);
  else field.value = value;
  field.dispatchEvent(new Event('change', {bubbles: true}));
}"""
