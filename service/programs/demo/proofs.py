"""The proofs of the demo after each match: that sockets, history, replay and the published seed agree."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from service.programs.demo.api import Api, Json, history, room_path
from service.programs.demo.client import Client
from service.programs.demo.draws import DRAWS, find_wrong_draws
from service.programs.demo.expected_state import FOLDS, comparable


@dataclass(frozen=True)
class Proof:
    """A claim about the match, and whether it holds."""

    holds: bool
    claim: str


def version_errors(versions: Sequence[int], last: int) -> str:
    """Return what is wrong with the versions received over a socket; "" if they are 1 to `last`, each once."""
    missing = sorted(set(range(1, last + 1)) - set(versions))
    double = sorted({version for version in versions if versions.count(version) > 1})
    unruly = list(versions) != sorted(versions)
    faults = (("missing", missing), ("double", double), ("out of order", list(versions) if unruly else []))
    return ", ".join(f"{fault}: {about}" for fault, about in faults if about)


def sockets(clients: Sequence[Client]) -> Proof:
    """Prove that every socket sent each version once and in order, also the one that was resumed."""
    last = clients[0].view["version"]
    faults = [fault for client in clients if (fault := version_errors([e["version"] for e in client.events], last))]
    resumed = sum(client.resumed for client in clients)
    claim = f"{len(clients)} sockets sent versions 1 to {last} without a gap or a duplicate; {resumed} had been resumed"
    return Proof(not faults, "; ".join([claim, *faults]))


async def stream(clients: Sequence[Client]) -> Proof:
    """Prove for each viewer that the history over HTTP equals the events of the socket."""
    equal = [await history(client.api, client.room) == client.events for client in clients]
    return Proof(
        all(equal), f"GET .../events returns each viewer the same {len(clients[0].events)} events as the socket"
    )


async def replay(game: str, clients: Sequence[Client]) -> Proof:
    """Prove for each viewer that the match's events, folded without the rules, lead to the final state."""
    if game not in FOLDS:
        return Proof(holds=True, claim="this client cannot fold this game; see the server's replay below")
    same = [folds_to_view(game, client.view, await history(client.api, client.room)) for client in clients]
    return Proof(all(same), f"folding those events gives the final state, for each of {len(clients)} viewers")


def folds_to_view(game: str, view: Json, events: Sequence[Json]) -> bool:
    """Return whether a match's events lead to the state of the view."""
    match = view["match"]
    colours = [seat["colour"] for seat in view["seats"]]
    own = [event for event in events if event.get("match") == match["number"]]
    return comparable(FOLDS[game](own, colours)) == comparable(match["state"])


async def look_back(clients: Sequence[Client]) -> Proof:
    """Prove that the server's own replay up to the last version leads to the match that each socket showed."""
    last = clients[0].view["version"]
    views = [await client.api.get(room_path(client.room, f"?at={last}")) for client in clients]
    same = [view["match"] == client.view["match"] for view, client in zip(views, clients, strict=True)]
    return Proof(all(same), f"GET ...?at={last} shows the same final position")


async def export(api: Api, audience: Client) -> Proof:
    """Prove that the match's export has the same events."""
    match = audience.view["match"]
    lines = await api.get(f"/v1/matches/{quote(match['id'])}/export")
    own = [event for event in audience.events if event.get("match") == match["number"]]
    return Proof(lines == own, f"/v1/matches/{match['id']}/export has the match's {len(own)} events")


def seed_commitment(events: Sequence[Json]) -> Proof:
    """Prove that the revealed seed is the one whose hash was published before any salt was sent."""
    published = next(event for event in events if "next_seed_hash" in event)
    salted = [event["version"] for event in events if event["type"] == "player_readied"]
    repeated = next(event["seed_hash"] for event in events if event["type"] == "match_started")
    shown = next(event["seed"] for event in events if event["type"] == "match_ended")
    kept = hashlib.sha256(bytes.fromhex(shown)).hexdigest() == published["next_seed_hash"] == repeated
    first = published["version"] < min(salted)
    return Proof(kept and first, f"the seed {shown[:8]}... has the hash that was published before any salt was sent")


def chance(game: str, events: Sequence[Json]) -> Proof:
    """Prove that all draws of chance follow from the seed and the salts."""
    draws = sum("draw" in event for event in events)
    if draws and game not in DRAWS:
        return Proof(holds=True, claim="this client does not know how this game draws; use `turnstream verify`")
    wrong = find_wrong_draws(events)
    faults = "".join(f"; version {version} differs" for version in wrong)
    return Proof(not wrong, f"all draws of chance follow from seed and salts, draws: {draws}{faults}")


async def proofs(game: str, players: Sequence[Client], audience: Client) -> list[Proof]:
    """Return all proofs for one match that has ended."""
    viewers = [*players, audience]
    return [
        sockets(viewers),
        await stream(viewers),
        await replay(game, viewers),
        await look_back(viewers),
        await export(audience.api, audience),
        seed_commitment(audience.events),
        chance(game, audience.events),
    ]
