"""Examples of frames of every type, taken from an example match."""

from typing import Any

import msgspec

from clients.spec.examples.bodies import KEY, SEEK_ID, command_result, creator, turn_began
from clients.spec.examples.matches import Examples, as_json, examples_of, without_defaults
from clients.spec.examples.tournaments import tournament_frames
from service.api.http.tokens import Tokens
from service.contests.tv import TvFrame, TvMatch, TvSeat
from service.domain.catalog import GAMES
from service.domain.game import Seat
from service.domain.ids import Millis, Version, rfc3339
from service.domain.room.model.commands import Ready
from service.domain.seeks.decide import LIFETIME
from service.domain.seeks.model import Seek
from service.domain.streams import Record
from service.people.matchmaking.seeks import own_seek
from service.people.player_service import PlayerCaughtUp, PlayerSnapshot, PlayerSubscribed, PlayerUpdate, records_json
from service.rooms.feeds import frames
from service.rooms.feeds.frames import ChatLine
from service.rooms.presence_counts import PlayerPresence
from service.rooms.projections import lobby_row
from service.rooms.social.chat import in_room
from service.rooms.views.event_view import events_json
from service.rooms.views.lobby_entry import joined_room, lobby_entry
from service.rooms.views.match_view import Viewer
from service.rooms.views.room_view import view_for
from service.streams.errors import problem

LINE_ID = "1700000000000-0"
MARK = "seCZu9E6a-nNZxAh"
"""A placeholder for a mark, which only the service can compute."""


def frame_examples() -> dict[str, list[Any]]:
    """Return frames by their `type`."""
    played = examples_of(next(iter(GAMES)))
    found: dict[str, list[Any]] = {}
    feeds = [*feed_frames(played), *player_frames(played), *tournament_frames(played)]
    for frame in [*client_frames(played), *reply_frames(played), *feeds]:
        found.setdefault(frame["type"], []).append(frame)
    return found


def client_frames(played: Examples) -> list[Any]:
    """Return frames that a client sends."""
    name = played.room.table.key.name
    return [
        without_defaults(frames.Subscribe(name, token=Tokens(KEY).signed(creator(played)))),
        without_defaults(frames.Subscribe(name, since=played.room.version, mark=MARK, state=False)),
        without_defaults(frames.Command("1", name, raw(without_defaults(Ready(salt="ada's salt"))), key="first-ready")),
        without_defaults(
            frames.Command(2, name, raw({"type": "play", "move": next(iter(played.moves.values()))}), key="move-1")
        ),
        without_defaults(frames.Subscribe(name, state="patch", omit=("legal_moves", "last"))),
        without_defaults(frames.Unsubscribe(name)),
        without_defaults(frames.Subscribe(lobby=True, game=played.room.table.game, joinable=True)),
        without_defaults(frames.Unsubscribe(lobby=True)),
        without_defaults(frames.Subscribe(me=True, since=Version(12), mark=MARK)),
        without_defaults(frames.Unsubscribe(me=True)),
        without_defaults(frames.Subscribe(tv="best")),
        without_defaults(frames.Subscribe(chat=frames.ALL)),
        without_defaults(frames.Unsubscribe(tv="best")),
        without_defaults(frames.SeekFrame(3, raw({"game": played.room.table.game}))),
        without_defaults(frames.WithdrawSeek(4, SEEK_ID)),
        without_defaults(frames.Ping()),
        without_defaults(frames.Ping(id=7)),
        without_defaults(frames.Unsubscribe(name, id="bye")),
    ]


PATCH = msgspec.Raw(
    b'[{"op":"replace","path":"/version","value":13},{"op":"replace","path":"/match/to_move/0","value":1}]'
)
"""What changes in a view, in short."""


def raw(command: Any) -> msgspec.Raw:
    """Return a command as its JSON."""
    return msgspec.Raw(msgspec.json.encode(command))


def example_seek(played: Examples) -> Seek:
    """Return a seek of the example room's creator."""
    player, room = creator(played), played.room
    expires = Millis(room.time + LIFETIME)
    return Seek(SEEK_ID, player.id, player.nickname, room.table.game, room.time, expires)


def reply_frames(played: Examples) -> list[Any]:
    """Return frames that answer a client's."""
    refused = problem("not_your_turn", version=played.room.version)
    return [
        as_json(frames.Reply(2, result=msgspec.Raw(command_result(played, with_view=False)))),
        as_json(frames.Reply(2, result=msgspec.Raw(command_result(played)))),
        as_json(frames.Reply("1", problem=refused)),
        as_json(frames.Error(problem("no_such_room"), "saturday-night")),
        as_json(frames.Reply("bye")),
        as_json(frames.Reply(3, seek=raw(own_seek(example_seek(played), is_paired=False)))),
        as_json(frames.Pong()),
        as_json(frames.Pong(7)),
    ]


def feed_frames(played: Examples) -> list[Any]:
    """Return frames of the feed, as the room's creator receives them."""
    room, key = played.room, played.room.table.key
    view = msgspec.Raw(view_for(Viewer(Seat(0)), room, room.time).json)
    stored = lobby_row(room)
    assert stored is not None  # noqa: S101 - the evening's room is public
    entry = lobby_entry(stored.data)
    line = ChatLine(LINE_ID, rfc3339(room.time), creator(played), "all", "Good game!")
    events = msgspec.Raw(events_json(played.history[-1], Seat(0), room.table.game))
    return [
        as_json(frames.Subscribed(key.name, room.version, key.epoch, MARK, recovered=False)),
        as_json(frames.Snapshot(key.name, room.version, key.epoch, MARK, "subscribed", view)),
        as_json(frames.Update(key.name, room.version, MARK, events, view)),
        as_json(frames.Update(key.name, room.version, MARK, events)),
        as_json(frames.Update(key.name, room.version, MARK, events, from_=Version(room.version - 1), patch=PATCH)),
        as_json(frames.CaughtUp(key.name, room.version)),
        as_json(frames.Presence(key.name, {creator(played).id: PlayerPresence(online=True, devices=2)}, 1)),
        as_json(frames.Chat(in_room(line, room.table), key.name)),
        as_json(frames.Chat(line)),
        as_json(frames.ChatSnapshot(frames.ALL, (line, in_room(line, room.table)), None)),
        as_json(frames.LobbyFrame(upsert=(entry,), snapshot=True)),
        as_json(frames.LobbyFrame(upsert=(entry,))),
        as_json(frames.LobbyFrame(remove=(frames.LobbyRoom(key.name, key.epoch),))),
        as_json(TvFrame("best", tv_match(played))),
        as_json(TvFrame("turncoat", None)),
        as_json(frames.Heartbeat(key.name, room.version, rfc3339(room.time))),
    ]


def tv_match(played: Examples) -> TvMatch:
    """Return the example room's match as shown on TV."""
    table, match = played.room.table, played.room.match
    assert match is not None  # noqa: S101 - the example is a match
    players = [None if player is None else table.members[player] for player in match.players]
    seats = (
        TvSeat(seat, match.players[seat], player.nickname if player else None, bool(player and player.kind), rating)
        for seat, (player, rating) in enumerate(zip(players, (1672, 1510, 1433), strict=False))
    )
    key, started = table.key, rfc3339(match.started)
    return TvMatch(
        match.id, key.name, key.epoch, match.number, table.game, rated=True, started=started, seats=tuple(seats)
    )


def player_frames(played: Examples) -> list[Any]:
    """Return frames of the feed of the room's creator."""
    room, player = played.room, creator(played)
    version = Version(12)
    began = turn_began(played)
    events = msgspec.Raw(records_json([Record(version, room.time, began)]))
    return [
        as_json(PlayerSubscribed(version, MARK, recovered=False)),
        as_json(PlayerSnapshot(version, MARK, "subscribed", (joined_room(room, player.id),))),
        as_json(PlayerUpdate(version, MARK, events)),
        as_json(PlayerCaughtUp(version)),
    ]
