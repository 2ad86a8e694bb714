"""A person at a browser: clicks, types and presses keys, and waits for what the page shows."""

import time
from typing import Any

import msgspec

from service.domain.catalog import GAMES, texts_of
from service.domain.presentation import ENGLISH
from tests.api.tab import Json, Step, Tab, click_at
from tests.e2e.client import Player, connect_to
from tests.waiting import wait_for

QUIET = 0.12
"""Seconds to wait after the last animation of the page."""


class Person:
    """A browser context of its own with one tab, used as a person uses it."""

    def __init__(self, page: Tab, url: str, name: str) -> None:
        """Use this tab under this nickname."""
        self.page = page
        self.url = url
        self.name = name
        self.is_open = False
        """Whether they have opened a page."""
        self.token: str | None = None
        """The guest's, once they have signed in without the dialog."""

    def open(self, path: str = "/") -> None:
        """Open an address and wait until the page is painted and complete; before that, clicks are lost."""
        self.is_open = True
        self.page.navigate(f"{self.url}{path}")
        self.page.wait_for("document.readyState === 'complete' && !!document.querySelector('main:not(.plain)')")
        self.page.wait_for("performance.getEntriesByType('paint').length > 0")
        self.page.wait_for("document.querySelector('[aria-busy=true]') === null")

    def wait_for_text(self, text: str) -> None:
        """Wait until the page shows a text."""
        self.page.wait_for(f"document.body?.innerText.includes({quoted(text)})")

    def has(self, selector: str, text: str = "") -> bool:
        """Return whether the page has an element whose text or label contains this text."""
        return bool(self.page.value(f"({FIND})({quoted(selector)}, {quoted(text)}) !== null"))

    def wait_for(self, selector: str, text: str = "") -> None:
        """Wait for an element."""
        self.page.wait_for(f"({FIND})({quoted(selector)}, {quoted(text)}) !== null")

    def wait_until_gone(self, selector: str) -> None:
        """Wait until an element is gone."""
        self.page.wait_for(f"document.querySelector({quoted(selector)}) === null")

    def ignore_errors(self, status: int | str) -> None:
        """Drop the browser's errors about responses with this status or failure, which the test expects."""
        self.page.errors[:] = [text for text in self.page.errors if str(status) not in text]

    def wait_for_error(self, status: int) -> None:
        """Wait until the browser has reported a response with this status."""
        wait_for(lambda: self.page.value("0") == 0 and any(str(status) in text for text in self.page.errors))

    def wait_for_paused(self) -> str:
        """Wait for a request that the test has to answer, after `Fetch.enable` of Chromium, and return its id."""
        wait_for(lambda: self.page.value("new Promise(resolve => setTimeout(resolve, 50))") or self.page.paused)
        return self.page.paused.pop(0)

    def text(self, selector: str) -> str:
        """Return the text of an element."""
        return str(self.page.value(f"document.querySelector({quoted(selector)})?.innerText ?? ''"))

    def click(self, selector: str, text: str = "") -> None:
        """Click the middle of an element with the mouse, once nothing covers it; again if it has moved away.

        After a click that loads another document, that one has no `isMissed`.
        """

        def is_clicked() -> bool:
            point = self.point(selector, text)
            self.page.value(f"({WATCH})({quoted(selector)}, {quoted(text)}, {point['x']}, {point['y']})")
            self.page.use_mouse(*click_at(**point))
            return bool(self.page.value("window.isMissed !== true"))

        wait_for(is_clicked)

    def double_click(self, selector: str) -> None:
        """Click an element twice in quick succession."""
        self.page.use_mouse(*click_at(**self.point(selector), times=2))

    def drag(self, selector: str, to: str) -> None:
        """Drag an element with the mouse and drop it on another one."""
        source, target = self.point(selector), self.point(to)
        self.page.value(f"void (over = null, ondragover = e => {{ over = e.target.closest({quoted(to)}) }})")
        self.page.use_mouse(Step("press", **source))

        def is_over() -> bool:
            self.page.use_mouse(Step("move", target["x"], target["y"] + 1), Step("move", **target))
            return bool(self.page.value("!!over"))

        wait_for(is_over, lambda: f"nothing can be dragged from {selector} to {to}")
        self.page.use_mouse(Step("release", **target))

    def point(self, selector: str, text: str = "") -> Json:
        """Return the middle of an element, once it is there, nothing covers it, and it does not move."""
        found: Json = self.page.wait_for(f"({POINT})({quoted(selector)}, {quoted(text)})")
        return found

    def click_button(self, text: str) -> None:
        """Click a button or a link with this text."""
        self.click("button, a.button, summary", text)

    def click_cell(self, name: str) -> None:
        """Click a cell of the board."""
        self.click(f'[data-cell="{name}"]')

    def type_into(self, selector: str, text: str) -> None:
        """Type into a field until it has the text, which is lost without an error if something else has the focus."""

        def is_typed() -> bool:
            self.click(selector)
            self.type_text(text)
            return bool(self.page.value(f"document.querySelector({quoted(selector)})?.value.includes({quoted(text)})"))

        wait_for(is_typed)

    def type_text(self, text: str) -> None:
        """Type into the focused field."""
        self.page.type_text(text)

    def keep_copies(self) -> None:
        """Keep in `copied` what the page copies; a headless browser has no clipboard."""
        self.page.value(COPYING)

    def press(self, key: str, times: int = 1) -> None:
        """Press a key."""
        for _ in range(times):
            self.page.press(key)

    def focused_label(self) -> str:
        """Return the accessible name of the focused element; the page and its content have none."""
        return str(self.page.value(f"({NAME})(document.activeElement)"))

    def tab_to(self, name: str) -> None:
        """Press Tab until an element with this name has the focus."""
        for _ in range(80):
            if name in self.focused_label():
                return
            self.press("Tab")
        raise AssertionError(f"Tab never reaches {name}")

    def resize(self, width: int, height: int, *, scale: float = 1) -> None:
        """Set the size of the window; a narrow one is that of a phone."""
        self.page.resize(width, height, scale)

    def emulate_media(self, **features: str) -> None:
        """Set media features of the device: `prefers_color_scheme`, `prefers_reduced_motion`."""
        self.page.emulate_media({name.replace("_", "-"): value for name, value in features.items()})

    @property
    def requests(self) -> list[str]:
        """The addresses that the page has requested; only of a browser that records them."""
        assert self.page.records_requests
        self.page.value("0")
        return self.page.requests

    def received_frames(self) -> list[Any]:
        """Return every frame that the page's sockets received; only of a browser that records them."""
        assert self.page.records_requests
        self.page.value("0")
        return [msgspec.json.decode(frame) for frame in self.page.frames]

    def wait_for_animations(self) -> None:
        """Wait until no animation runs on the page."""
        self.page.wait_for("document.getAnimations().every(a => a.playState !== 'running')")
        time.sleep(QUIET)

    # What people do in the lobby and in a room.

    def sign_in(self) -> None:
        """Be a guest of this nickname on every page that is opened from now on, without having used the dialog."""
        with connect_to(self.url) as client:
            player = client.guest(self.name)
        stored = {"id": player.id, "nickname": self.name, "token": player.token}
        self.page.run_first(f"({REMEMBER})({quoted(msgspec.json.encode(stored).decode())})")
        self.token = player.token

    def set_nickname(self) -> None:
        """Open the lobby under the nickname."""
        self.sign_in()
        self.open()
        self.wait_for(".bar .me", self.name)

    def enter_nickname(self) -> None:
        """Enter the nickname in the lobby."""
        self.open()
        self.click(".bar .me")
        self.type_into("#nickname", self.name)
        self.click(".name-form button[type=submit]")
        self.wait_for(".bar .me", self.name)

    def open_room(
        self, title: str, opponents: str = "friends", name: str = "", options: dict[str, str] | None = None
    ) -> str:
        """Open a room, enter it, and return its name.

        With options, which are values by the id of their field, and for those who are on a page already, it is opened
        through the dialog; else by the request that the dialog would send, in a third of the time.
        """
        if not self.is_open and not options and opponents != "bots":
            return self.request_room(title, opponents, name)
        if not self.has(".games"):
            self.open()
        self.click(f'.game button[aria-label="Options of {title}"]')
        self.wait_for("dialog[open]")
        self.click(f"dialog .choice-card:has([value={opponents}])")
        if self.has("#create-nickname"):
            self.type_into("#create-nickname", self.name)
        if name:
            self.type_into("#create-name", name)
        for field, value in (options or {}).items():
            self.choose(f"#{field}", value)
        self.click("dialog button[type=submit]")
        self.wait_for(".room")
        return str(self.page.value("location.pathname.split('/')[2]"))

    def request_room(self, title: str, opponents: str, name: str) -> str:
        """Open a room by a request, enter it, and return its name."""
        self.sign_in()
        game = next(game for game in GAMES.values() if texts_of(game, ENGLISH).title == title)
        fields: dict[str, Any] = {"game": game.slug, **({"name": name} if name else {})}
        if opponents == "device":
            seats = ["me"] * len(game.seats(game.options()))
            fields |= {"seats": seats, "settings": {"hot_seat": True, "restart": None}}
        with connect_to(self.url) as client:
            room = str(Player(client, self.token).post("/v1/rooms", fields).body["room"])
        self.open(f"/r/{room}")
        self.wait_for(".room")
        return room

    def choose(self, field: str, value: str) -> None:
        """Set a field of the dialog: the label of a choice, a number, or `on`."""
        self.page.value("document.querySelectorAll('dialog details').forEach(one => one.open = true)")
        if value == "on":
            self.click(f".character:has({field}), {field}")
            return
        self.page.value(f"({CHOOSE})({quoted(field)}, {quoted(value)})")

    def join(self, room: str) -> None:
        """Open the link of a room and take a seat."""
        self.open(f"/r/{room}")
        self.wait_for(".join, .seat.mine")
        if self.has("#join-nickname"):
            self.type_into("#join-nickname", self.name)
        self.click(".join button", "seat")
        self.wait_for(".seat.mine")

    def click_ready(self) -> None:
        """Press the Ready button."""
        self.click(".status button", "Ready")


REMEMBER = """guest => {
  if (location.protocol.startsWith('http')) localStorage['turnstream.guest'] ??= guest;
}"""
"""Stores the guest as the page does, unless it has stored one."""

IS_PREPARED = f"""new Set(performance.getEntriesByType('resource').map(({{name}}) => name)
  .filter(name => /\\/v1\\/games\\/[a-z]+$/.test(name))).size === {len(GAMES)}"""
"""Whether the lobby has loaded what rooms of all games need: it does so when it is idle."""

COPYING = "void Object.defineProperty(navigator, 'clipboard', {value: {writeText: async text => { copied = text; }}})"


def quoted(text: str) -> str:
    """Return a text as a JavaScript string."""
    return msgspec.json.encode(text).decode()


FIND = """(selector, text) => [...document.querySelectorAll(selector)].find(e =>
  !e.disabled && `${e.getAttribute('aria-label') ?? ''} ${e.innerText ?? e.textContent}`.includes(text)) ?? null"""

NAME = "e => e.matches('body, main') ? '' : e.getAttribute('aria-label') ?? e.innerText ?? e.name"

MIDDLE = f"""(selector, text) => {{
  const element = ({FIND})(selector, text);
  if (!element) return null;
  element.scrollIntoView({{block: 'center', inline: 'center', behavior: 'instant'}});
  const {{left, top, width, height}} = (element.querySelector('.hit') ?? element).getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const hit = document.elementFromPoint(x, y);
  return width && (element.contains(hit) || hit?.contains(element)) ? {{x, y}} : null;
}}"""

POINT = f"""async (selector, text) => {{
  const first = ({MIDDLE})(selector, text);
  if (!first) return null;
  await new Promise(resolve => setTimeout(resolve, 20));
  const second = ({MIDDLE})(selector, text);
  return second?.x === first.x && second.y === first.y ? second : null;
}}"""

# Drops the next click if it hits something else, because the page has moved. What is redrawn between press and release
# is not clicked at all.
WATCH = f"""(selector, text, x, y) => {{
  const element = ({FIND})(selector, text), aimed = document.elementFromPoint(x, y);
  window.isMissed = true;
  document.addEventListener('click', event => {{
    const {{target}} = event;
    const isHit = [element, ({FIND})(selector, text)].some(one => one?.contains(target));
    window.isMissed = !isHit && !(target === aimed && target.contains(element));
    if (!window.isMissed) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }}, {{capture: true, once: true}});
}}"""

CHOOSE = """(selector, value) => {
  const field = document.querySelector(selector);
  if (field.tagName === 'SELECT') field.selectedIndex = [...field.options].findIndex(option => option.text === value);
  else field.value = value;
  field.dispatchEvent(new Event('change', {bubbles: true}));
}"""
