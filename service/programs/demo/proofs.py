"""The demo's checks of what its clients received of a match: sockets, history and export agree."""

from collections.abc import Sequence
from urllib.parse import quote

from service.programs.demo.api import Api, history, room_path
from service.programs.demo.client import Client
from service.programs.replay.checking import Check


async def proofs(players: Sequence[Client], audience: Client) -> list[Check]:
    """Return the checks of one match that has ended."""
    viewers = [*players, audience]
    return [sockets(viewers), await stream(viewers), await look_back(viewers), await export(audience.api, audience)]


def sockets(clients: Sequence[Client]) -> Check:
    """Check that every socket sent each version once and in order, also the one that was resumed."""
    last = clients[0].view["version"]
    faults = [fault for client in clients if (fault := version_errors([e["version"] for e in client.events], last))]
    resumed = sum(client.resumed for client in clients)
    claim = f"{len(clients)} sockets sent versions 1 to {last} without a gap or a duplicate; {resumed} had been resumed"
    return Check("feed", not faults, "; ".join([claim, *faults]))


def version_errors(versions: Sequence[int], last: int) -> str:
    """Return what is wrong with the versions received over a socket; "" if they are 1 to `last`, each once."""
    missing = sorted(set(range(1, last + 1)) - set(versions))
    double = sorted({version for version in versions if versions.count(version) > 1})
    unruly = list(versions) != sorted(versions)
    faults = (("missing", missing), ("double", double), ("out of order", list(versions) if unruly else []))
    return ", ".join(f"{fault}: {about}" for fault, about in faults if about)


async def stream(clients: Sequence[Client]) -> Check:
    """Check for each viewer that the history over HTTP equals the events of the socket."""
    equal = [await history(client.api, client.room) == client.events for client in clients]
    claim = f"GET .../events returns each viewer the same {len(clients[0].events)} events as the socket"
    return Check("events", all(equal), claim)


async def look_back(clients: Sequence[Client]) -> Check:
    """Check that the server's own replay up to the last version leads to the match that each socket showed."""
    last = clients[0].view["version"]
    views = [await client.api.get(room_path(client.room, f"?at={last}")) for client in clients]
    same = [view["match"] == client.view["match"] for view, client in zip(views, clients, strict=True)]
    return Check("view", all(same), f"GET ...?at={last} shows the same final position")


async def export(api: Api, audience: Client) -> Check:
    """Check that the match's export has the same events."""
    match = audience.view["match"]
    lines = await api.get(f"/v1/matches/{quote(match['id'])}/export")
    own = [event for event in audience.events if event.get("match") == match["number"]]
    return Check("export", lines == own, f"/v1/matches/{match['id']}/export has the match's {len(own)} events")
