"""Events as they are stored, committed for ever: one JSON object a line, the bytes of the entry and its event.

`python -m tests.store.stored` adds lines for kinds of events that have none. It never touches a line of a released
format; those of the next release's format are written again.
"""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec

from service.domain.catalog import GAMES, AnyGame
from service.domain.game import Event, Seat
from service.domain.ids import Epoch, Millis, PlayerId, RoomName, Version
from service.domain.room.model import events
from service.domain.room.model.clock import Days, Fischer, PerMove
from service.domain.room.model.events import (
    AnyRoomEvent,
    InvitationDeclined,
    InvitationMade,
    InvitationRevoked,
    Recorded,
    RoomEvent,
)
from service.domain.room.model.settings import CopiedPosition, Settings
from service.domain.streams import IdempotencyKey
from service.rooms.kind import ROOM_EVENTS, ROOMS
from service.store.codec import decode
from service.store.contract import Entry
from tests.laws.options import combinations_of
from tests.laws.play import play

RELEASED = 1
"""The newest format that a release has written; it rises to that of `ROOM_EVENTS` with the release."""

FIXTURES = Path(__file__).parent / "fixtures"
ROOM = "room"
HOST = "morris"
"""The game of the rooms whose own events are in `room.jsonl`."""

ANNA, BEN, BOT = PlayerId("p-anna"), PlayerId("p-ben"), PlayerId("bot-1")


class Line(msgspec.Struct, frozen=True):
    """A stored entry and its event, in plain data."""

    entry: msgspec.Raw
    event: dict[str, Any]

    @property
    def format(self) -> int:
        """The format in which the entry is written."""
        return int(msgspec.json.decode(self.entry)[0])


def names() -> list[str]:
    """Return the fixtures: the room's, and each game's."""
    return [ROOM, *GAMES]


def game_of(name: str) -> str:
    """Return the game of the streams that a fixture's lines are from."""
    return HOST if name == ROOM else name


def kinds(name: str) -> set[type[Event]]:
    """Return the types of events that a fixture has to hold."""
    return set(get_args(AnyRoomEvent if name == ROOM else GAMES[name].event))


def lines(name: str) -> list[Line]:
    """Return the lines of a fixture."""
    file = FIXTURES / f"{name}.jsonl"
    return [msgspec.json.decode(line, type=Line) for line in file.read_bytes().splitlines()] if file.exists() else []


def event_in(name: str, line: Line) -> Event:
    """Return the event that this release decodes from a line."""
    event: Event = decode(ROOMS, game_of(name), Entry(Version(9), bytes(line.entry), b"")).recorded.event
    return event


def add_missing(name: str) -> int:
    """Write lines for the kinds of events that no released line of this format has; return how many they are."""
    kept = [line for line in lines(name) if line.format <= RELEASED]
    there = {shape(event_in(name, line)) for line in kept if line.format == ROOM_EVENTS.format}
    wanted = {shape(event): event for event in reversed(list(sample_events(name)))}
    missing = [event for kind, event in sorted(wanted.items()) if kind not in there]
    with (FIXTURES / f"{name}.jsonl").open("wb") as file:
        file.writelines(msgspec.json.encode(line) + b"\n" for line in kept)
        for number, event in enumerate(missing):
            file.write(msgspec.json.encode(Line(entry(event, number), msgspec.to_builtins(event))) + b"\n")
    return len(missing)


def encode(recorded: Recorded, size: int, key: IdempotencyKey | None) -> bytes:
    """Return an entry's bytes."""
    return msgspec.json.encode((ROOM_EVENTS.format, *ROOM_EVENTS.pack(recorded, size, key)))


def shape(event: Event) -> tuple[str, ...]:
    """Return an event's type and which of its fields are set; for room events, all values too."""
    plain = msgspec.to_builtins(event)
    details = [str(plain)] if isinstance(event, RoomEvent) else [name for name, value in plain.items() if value]
    return (plain["type"], *details)


def entry(event: Event, number: int) -> msgspec.Raw:
    """Return the event as it is stored, sometimes with a key and sometimes without."""
    playing = None if isinstance(event, RoomEvent) else 1 + number % 3
    by = (ANNA, BEN, None)[number % 3]
    recorded = Recorded(Version(9), Millis(1_700_000_000_000 + number), Version(9 - number % 2), playing, by, event)
    idempotency_key = IdempotencyKey(f"key-{number}", f"{number:024x}") if number % 2 == 0 and by is not None else None
    return msgspec.Raw(encode(recorded, 2, idempotency_key))


def sample_events(name: str) -> Iterator[Event]:
    """Return events of every kind."""
    return room_events() if name == ROOM else game_events(GAMES[name])


def game_events(game: AnyGame) -> Iterator[Event]:
    """Return the events of random play."""
    for options in combinations_of(game):
        for seed in range(10):
            yield from (event for event, _ in play(game, options, random.Random(seed).getrandbits(16)).events)  # noqa: S311 - which matches


def room_events() -> Iterator[Event]:
    """Return every kind of room event, with its fields filled and empty."""
    first, second = Seat(0), Seat(1)
    seed, promise = bytes(range(32)).hex(), "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    copied = ({"type": "placed", "seat": 0, "at": "a4", "mills": [], "removals_owed": 0, "ends": None},)
    position = CopiedPosition("saturday.e1.1", Version(12), {"flying": "off"}, copied)
    result = events.Result("most_discs", (1, 2, 3), (41, 30.5, 9), (first,))
    return iter(
        (
            events.RoomOpened(RoomName("friday"), Epoch("e1"), "Friday", HOST, {"flying": "off"}, Settings()),
            events.RoomOpened(RoomName("friday"), Epoch("e1"), "Friday", HOST, {}, Settings("unlisted", "full", None)),
            *(
                events.RoomOpened(
                    RoomName("friday"), Epoch("e1"), "Friday", HOST, {}, Settings(clock=clock, on_timeout="bot_move")
                )
                for clock in (PerMove(Millis(5000)), Fischer(Millis(60_000), Millis(1000)), Days(3))
            ),
            events.RoomOpened(
                *(RoomName("friday"), Epoch("e1"), "Friday", HOST, {}, Settings()),
                next_seed_hash=promise,
                next_seed=seed,
            ),
            events.PlayerJoined(ANNA, "Anna \N{FOX FACE}", "player"),
            events.PlayerJoined(ANNA, "Anna", "player", salt="pepper"),
            events.PlayerJoined(BEN, "Ben", "spectator"),
            events.PlayerJoined(BOT, "Bot 1 (hard)", "player", "hard"),
            events.PlayerJoined(BEN, "Ben", "player", "external"),
            events.PlayerLeft(ANNA),
            events.CreatorChanged(BEN),
            events.SeatTaken(second, ANNA),
            events.SeatTaken(first, ANNA),
            events.SeatLeft(second, ANNA),
            events.SeatLeft(first, ANNA),
            events.SeatsAssigned((BEN, None, ANNA)),
            events.PlayerReadied(ANNA, 'salt "&" pepper'),
            events.PlayerReadied(BEN),
            events.PlayerUnreadied(ANNA),
            events.StartCalled(),
            events.MatchStarted("friday.e1.1", HOST, 1, {"flying": "off"}, (ANNA, BEN), ("", "pepper"), promise, seed),
            events.MatchStarted(
                *("friday.e1.2", HOST, 1, {"flying": "off"}, (ANNA, BEN), ("", ""), promise, seed),
                layout_of="friday.e1.1",
                layout_seed=seed,
                layout_salts=("", "pepper"),
            ),
            events.MatchStarted(
                *("friday.e1.3", HOST, 1, {"flying": "off"}, (ANNA, BEN), ("", ""), promise, seed), next_seed=seed
            ),
            events.StartCalled("friday.e1.1"),
            events.OfferMade(1, "draw", ANNA),
            events.OfferMade(2, "takeback", ANNA, to_version=Version(8)),
            events.OfferMade(3, "kick", ANNA, target=BEN),
            events.OfferMade(4, "draw", ANNA, abandoned=second),
            events.OfferAccepted(1, BEN),
            events.OfferClosed(1, "agreed"),
            events.OfferClosed(2, "declined", BEN),
            events.TakenBack(Version(8), first),
            events.MatchEnded(events.Result.void("restarted"), seed),
            events.MatchEnded(result, seed),
            events.MatchEnded(events.Result.void("closed"), seed),
            events.MatchEnded(events.Result.void("closed"), seed, promise),
            events.TimeRanOut(second),
            events.ClocksExtended((Millis(30_000), Millis(0))),
            events.RoomClosed("by_creator"),
            events.RoomClosed("deserted"),
            events.RoomOpened(
                *(RoomName("friday"), Epoch("e1"), "Friday", HOST, {}, Settings("private")), lock="scrypt.00.11"
            ),
            events.RoomConfigured({}, Settings("private"), (None, BEN), "scrypt.00.11"),
            events.PlayerKicked(BEN),
            events.PlayerMuted(BEN, on=True),
            events.PlayerMuted(BEN, on=False),
            events.SeatDeserted(second),
            events.SeatReturned(second),
            events.RoomClosed("idle"),
            events.NextVetoed(BEN),
            events.NextConfigured({"flying": "off"}, Settings(best_of=3)),
            events.RoomConfigured({"flying": "off"}, Settings(best_of=3), (ANNA, None)),
            events.RoomClosed("by_operator"),
            events.PlayerJoined(BEN, "Ben", "player", invitation=2),
            events.RoomOpened(
                *(RoomName("friday"), Epoch("e1"), "Friday", HOST, {}),
                settings=Settings(clock=PerMove(Millis(5000)), rated=True),
            ),
            events.MatchStarted(
                *("friday.e1.4", HOST, 1, {"flying": "off"}, (ANNA, BEN), ("", ""), promise, seed), rated=True
            ),
            InvitationMade(1, ANNA, 1, Millis(86_400_000), second, promise, seed[:32]),
            InvitationMade(2, ANNA, 20, Millis(60_000), msgspec.UNSET, promise, seed[:32]),
            InvitationDeclined(1, BEN, "Ben"),
            InvitationRevoked(1),
            events.PositionCopied(position),
            events.MatchStarted(
                *("friday.e1.5", HOST, 1, {"flying": "off"}, (ANNA, BEN), ("", ""), promise, seed), position=position
            ),
        )
    )


if __name__ == "__main__":
    for fixture in names():
        print(f"{fixture}: {add_missing(fixture)} lines added")  # noqa: T201 - what the program was run for
