"""How fast the lobby and then a board appear on a phone: `python -m bench.first_view`.

A browser with an empty cache opens the lobby, with Lighthouse's numbers for connections as DevTools applies them, and
with a processor that is four times slower. Counted are the milliseconds from the connection to the first cards, the
files, and the bytes on the wire. Once the page is idle, the first card is tapped: counted are the milliseconds to the
empty board and to the one of the match, and the requests until then.
"""

import tempfile
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bench.machine import raise_priority
from tests.api.browser import Page, connect_to
from tests.web.person import IS_PREPARED, Person
from tests.web.pictures import open_person

ROUNDS = 5
SLOWER = 4
"""By this factor is the processor slowed down."""


class Connection(NamedTuple):
    """A connection: milliseconds that each request is delayed, and kilobits per second down and up."""

    delay: float
    down: float
    up: float


CONNECTIONS = {
    "4G (DevTools: Fast 4G)": Connection(165, 8100, 1350),
    "slow 4G (Lighthouse: mobile)": Connection(562.5, 1474.56, 675),
}

OBSERVE = """new MutationObserver((_, observer) => {
  if (!document.querySelector('.game .play-now')) return;
  requestAnimationFrame(() => setTimeout(() => { window.cardsAt = performance.now() }));
  observer.disconnect();
}).observe(document, {childList: true, subtree: true})"""

READ = """(() => {
  const [page] = performance.getEntriesByType('navigation');
  const all = [page, ...performance.getEntriesByType('resource')];
  return {
    cards: window.cardsAt - page.connectEnd,
    files: new Set(all.map(({name}) => name).filter(name => !name.includes('/v1/'))).size,
    bytes: all.map(({transferSize}) => transferSize).reduce((one, other) => one + other),
  };
})()"""


TAP = """(async () => {
  const [start, before] = [performance.now(), performance.getEntriesByType('resource').length];
  const shown = async selector => {
    while (!document.querySelector(selector)) await new Promise(requestAnimationFrame);
    return performance.now() - start;
  };
  document.querySelector('.game .play-now').click();
  const empty = await shown('.opening .board, .boards .cell');
  const board = await shown('.boards .cell');
  return {empty, board, requests: performance.getEntriesByType('resource').length - before};
})()"""


def visit(address: str, url: str, connection: Connection) -> dict[str, float]:
    """Open the lobby once, for the first time, and return what was measured."""
    with connect_to(address) as socket:
        page = Page(socket, is_alone=True)
        person = Person(page, url, "Ada")
        person.resize(390, 844)
        page.run_first(OBSERVE)
        page.call("Emulation.setCPUThrottlingRate", rate=SLOWER)
        page.call(
            "Network.emulateNetworkConditions",
            offline=False,
            latency=connection.delay,
            downloadThroughput=connection.down * 1000 / 8,
            uploadThroughput=connection.up * 1000 / 8,
        )
        page.navigate(url)
        page.wait_for("window.cardsAt > 0 && document.readyState === 'complete'")
        found: dict[str, float] = page.value(READ)
        page.wait_for(IS_PREPARED)
        return {**found, **page.value(TAP)}


def main() -> None:
    """Print the median of some visits for each connection."""
    print(f"priority: {raise_priority()}")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, open_person(Path(folder)) as someone:
        port, path = (Path(folder) / "browser/DevToolsActivePort").read_text().split("\n")[:2]
        address = f"ws://127.0.0.1:{port}{path}"
        for name, connection in CONNECTIONS.items():
            visits = [visit(address, someone.url, connection) for _ in range(ROUNDS)]
            found = {key: median(each[key] for each in visits) for key in visits[0]}
            size = found["bytes"] / 1000
            print(f"{name}: cards after {found['cards']:.0f} ms, {found['files']:.0f} files, {size:.1f} KB on the wire")
            empty, board, requests = (round(found[key]) for key in ("empty", "board", "requests"))
            print(f"  tap: empty board after {empty} ms, board after {board} ms and {requests} requests")


if __name__ == "__main__":
    main()
