"""What the demo proves after each match: that sockets, stream, replay and the published seed agree."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from service.demo.api import Api, Json, history, room_path
from service.demo.client import Client
from service.demo.draws import DRAWN, drawn_otherwise
from service.demo.expected_state import FOLDS, comparable


@dataclass(frozen=True)
class Proof:
    """A claim about the match, and whether it holds."""

    holds: bool
    claim: str


def in_order(versions: Sequence[int], last: int) -> str:
    """Return what is wrong with the versions that a socket sent, nothing if they are 1 to `last`, each once."""
    missing = sorted(set(range(1, last + 1)) - set(versions))
    double = sorted({version for version in versions if versions.count(version) > 1})
    unruly = list(versions) != sorted(versions)
    faults = (("missing", missing), ("double", double), ("out of order", list(versions) if unruly else []))
    return ", ".join(f"{fault}: {about}" for fault, about in faults if about)


def sockets(clients: Sequence[Client]) -> Proof:
    """Prove that every socket sent every version once and in order, also the one that was lost on the way."""
    last = clients[0].view["version"]
    faults = [fault for client in clients if (fault := in_order([e["version"] for e in client.events], last))]
    resumed = sum(client.resumed for client in clients)
    claim = f"{len(clients)} sockets sent versions 1 to {last} without a gap or a duplicate; {resumed} had been resumed"
    return Proof(not faults, "; ".join([claim, *faults]))


async def stream(clients: Sequence[Client]) -> Proof:
    """Prove that the history over HTTP equals what the sockets sent, for each viewer."""
    equal = [await history(client.api, client.room) == client.events for client in clients]
    return Proof(
        all(equal), f"GET .../events returns each viewer the same {len(clients[0].events)} events as the socket"
    )


async def replay(game: str, clients: Sequence[Client]) -> Proof:
    """Prove that the match's events, folded without the rules, give the final state that each viewer was shown."""
    if game not in FOLDS:
        return Proof(holds=True, claim="this client has no fold for this game, so the server's replay below has to do")
    same = [folded(game, client.view, await history(client.api, client.room)) for client in clients]
    return Proof(all(same), f"folding those events gives the final state, for each of {len(clients)} viewers")


def folded(game: str, view: Json, events: Sequence[Json]) -> bool:
    """Return whether a match's events lead to the state in the view."""
    match = view["match"]
    colours = [seat["colour"] for seat in view["seats"]]
    own = [event for event in events if event.get("match") == match["number"]]
    return comparable(FOLDS[game](own, colours)) == comparable(match["state"])


async def look_back(clients: Sequence[Client]) -> Proof:
    """Prove that the server's own replay up to the last version gives the match that each socket showed."""
    last = clients[0].view["version"]
    views = [await client.api.get(room_path(client.room, f"?at={last}")) for client in clients]
    same = [view["match"] == client.view["match"] for view, client in zip(views, clients, strict=True)]
    return Proof(all(same), f"GET ...?at={last} shows the same final position")


async def export(api: Api, audience: Client) -> Proof:
    """Prove that the match's own page has the same events."""
    match = audience.view["match"]
    lines = await api.get(f"/v1/matches/{quote(match['id'])}/export")
    own = [event for event in audience.events if event.get("match") == match["number"]]
    return Proof(lines == own, f"/v1/matches/{match['id']}/export has the match's {len(own)} events")


def promise(events: Sequence[Json]) -> Proof:
    """Prove that the seed shown at the end is the one whose hash was published before anybody sent a salt."""
    published = next(event for event in events if "next_seed_hash" in event)
    salted = [event["version"] for event in events if event["type"] == "player_readied"]
    repeated = next(event["seed_hash"] for event in events if event["type"] == "match_started")
    shown = next(event["seed"] for event in events if event["type"] == "match_ended")
    kept = hashlib.sha256(bytes.fromhex(shown)).hexdigest() == published["next_seed_hash"] == repeated
    first = published["version"] < min(salted)
    return Proof(kept and first, f"the seed {shown[:8]}... has the hash that was published before any salt was sent")


def chance(game: str, events: Sequence[Json]) -> Proof:
    """Prove that all which chance decided follows from the seed and the salts."""
    draws = sum("draw" in event for event in events)
    if draws and game not in DRAWN:
        return Proof(holds=True, claim="this client doesn't know how this game draws; `turnstream verify` does")
    wrong = drawn_otherwise(events)
    faults = "".join(f"; version {version} differs" for version in wrong)
    return Proof(not wrong, f"seed and salts give what chance decided, draws of chance: {draws}{faults}")


async def proofs(game: str, players: Sequence[Client], audience: Client) -> list[Proof]:
    """Prove all of it for one match that is over."""
    viewers = [*players, audience]
    return [
        sockets(viewers),
        await stream(viewers),
        await replay(game, viewers),
        await look_back(viewers),
        await export(audience.api, audience),
        promise(audience.events),
        chance(game, audience.events),
    ]
