"""Frames of every type, as a socket that follows an evening's match would carry them."""

from typing import Any

import msgspec

from service.api.callers.tokens import Tokens
from service.api.spec.examples.bodies import KEY, command_result, creator
from service.api.spec.examples.matches import Examples, examples, plain, spare
from service.domain.catalog import GAMES
from service.domain.game import Seat
from service.domain.room.model.commands import Ready
from service.rooms.chat import ChatLine
from service.rooms.errors import problem
from service.rooms.feeds import frames
from service.rooms.presence.counts import PlayerPresence
from service.rooms.projections import lobby_card as card_of
from service.rooms.views.event_view import events_json
from service.rooms.views.lobby_entry import lobby_card
from service.rooms.views.room_view import view_json
from service.rooms.views.timestamps import rfc3339

LINE = "1700000000000-0"
MARK = "seCZu9E6a-nNZxAh"
"""Stands for the hash that only the service can make."""


def frame_examples() -> dict[str, list[Any]]:
    """Return frames by their `type`."""
    shown = examples(next(iter(GAMES)))
    found: dict[str, list[Any]] = {}
    for frame in [*asked(shown), *answered(shown), *told(shown)]:
        found.setdefault(frame["type"], []).append(frame)
    return found


def asked(shown: Examples) -> list[Any]:
    """Return what a client sends."""
    name = shown.room.table.key.name
    return [
        spare(frames.Subscribe(name, token=Tokens(KEY).signed(creator(shown)))),
        spare(frames.Subscribe(name, since=shown.room.version, mark=MARK, state=False)),
        spare(frames.Command("1", name, spare(Ready(salt="ada's salt")), key="first-ready")),
        spare(frames.Command(2, name, {"type": "play", "move": next(iter(shown.moves.values()))}, key="move-1")),
        spare(frames.Unsubscribe(name)),
        spare(frames.Subscribe(lobby=True, game=shown.room.table.game)),
        spare(frames.Unsubscribe(lobby=True)),
        spare(frames.Ping()),
    ]


def answered(shown: Examples) -> list[Any]:
    """Return what answers it."""
    refused = problem("not_your_turn", version=shown.room.version)
    return [
        plain(frames.Reply(2, result=msgspec.Raw(command_result(shown)))),
        plain(frames.Reply("1", problem=refused)),
        plain(frames.Error(problem("no_such_room"), "saturday-night")),
        plain(frames.Pong()),
    ]


def told(shown: Examples) -> list[Any]:
    """Return what the feed tells its creator of the room."""
    room, key = shown.room, shown.room.table.key
    view = msgspec.Raw(view_json(room, Seat(0), room.time))
    stored = card_of(room)
    assert stored is not None  # noqa: S101 - the evening's room is public
    card = lobby_card(stored.data)
    said = ChatLine(LINE, rfc3339(room.time), creator(shown), "all", "Good game!")
    happened = msgspec.Raw(events_json(shown.commands[-1], Seat(0)))
    return [
        plain(frames.Subscribed(key.name, room.version, key.epoch, MARK, recovered=False)),
        plain(frames.Snapshot(key.name, room.version, key.epoch, MARK, "subscribed", view)),
        plain(frames.Update(key.name, room.version, MARK, happened, view)),
        plain(frames.Update(key.name, room.version, MARK, happened)),
        plain(frames.CaughtUp(key.name, room.version)),
        plain(frames.Presence(key.name, {creator(shown).id: PlayerPresence(online=True, devices=2)}, 1)),
        plain(frames.Chat(said, key.name)),
        plain(frames.Chat(said)),
        plain(frames.LobbyTold(upsert=(card,), snapshot=True)),
        plain(frames.LobbyTold(upsert=(card,))),
        plain(frames.LobbyTold(remove=(frames.LobbyRoom(key.name, key.epoch),))),
        plain(frames.Heartbeat(key.name, room.version, rfc3339(room.time))),
    ]
