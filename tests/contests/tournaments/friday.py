"""A tournament in a test, played through the services: rooms are real, and moves are few."""

from datetime import UTC, datetime
from typing import Any

from service.contests.tournament_feed import key_of
from service.contests.tournament_service import Organiser
from service.domain.game import Seat
from service.domain.ids import Millis, Player, PlayerId
from service.domain.room.model import commands
from service.domain.room.model.clock import Fischer
from service.domain.room.model.state import Room
from service.domain.tournaments.model import NewTournament, TournamentId
from service.domain.tournaments.pairings import Format
from service.domain.tournaments.state import Tournament
from service.rooms.commands.requests import CommandRequest
from service.store.stream_keys import OutboxKey
from tests.rooms.processes import ANNA, Process

BLITZ = Fischer(Millis(180_000), Millis(2_000))
HOUR = Millis(3_600_000)


def asked(process: Process, form: Format = "swiss", **more: Any) -> NewTournament:
    """Return a request for a tournament that starts in an hour."""
    starts = datetime.fromtimestamp((process.clock.time + HOUR) / 1000, UTC)
    return NewTournament(
        **{"title": "Friday", "game": "morris", "format": form, "clock": BLITZ, "starts": starts, **more}
    )


def guest(number: int) -> Player:
    """Return a player."""
    return Player(PlayerId(f"p-{number:03}"), f"Guest {number}")


async def create(process: Process, players: int = 0, form: Format = "swiss", **more: Any) -> TournamentId:
    """Create a tournament, and register so many players."""
    tournament = (await process.tournaments.create(asked(process, form, **more), Organiser(ANNA))).id
    for number in range(players):
        await process.tournaments.register(tournament, guest(number))
    return tournament


async def state_of(process: Process, tournament: TournamentId) -> Tournament:
    """Return a tournament."""
    return (await process.tournaments.find(tournament))[0]


async def work(process: Process, tournament: TournamentId, after: int = 0) -> Tournament:
    """Let time pass, and do what workers do until nothing is left to do; return the tournament."""
    process.clock.time = Millis(process.clock.time + after)
    for _ in range(3):
        await process.outboxes.drain(OutboxKey(0))
        await process.tournaments.proceed(key_of(tournament))
    return await state_of(process, tournament)


async def rooms_of(process: Process, state: Tournament) -> list[Room]:
    """Return the rooms of the running matches."""
    keys = [state.tables[number].key for number in state.running]
    return [(await process.rooms.by_key(key)).state for key in keys if key is not None]


async def resign(process: Process, room: Room, seat: int) -> None:
    """Let the player of a seat resign."""
    loser = room.table.seats[seat]
    assert loser is not None
    command = commands.Resign(seat=Seat(seat))
    by = Player(loser, room.table.members[loser].nickname)
    await process.rooms.execute(await process.rooms.by_key(room.table.key), CommandRequest(command, by))


async def play_round(process: Process, tournament: TournamentId) -> Tournament:
    """Let the last seats of all running matches resign, of three seats the second one too, and begin the next round."""
    for room in await rooms_of(process, await state_of(process, tournament)):
        for seat in range(len(room.table.seats) - 1, 0, -1):
            await resign(process, room, seat)
    await work(process, tournament)
    return await work(process, tournament, 10_000)
