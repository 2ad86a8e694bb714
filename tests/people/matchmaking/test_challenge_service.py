"""Challenges: who receives them, how they are answered, and the rooms that workers open for them."""

import asyncio
import random
from typing import Any

import pytest

from service.domain.accounts.model import Challengers
from service.domain.challenges.decide import MINUTE, MOST_OPEN, STRANGERS_MINUTES, ChallengeRequest
from service.domain.challenges.model import ChallengeEnded
from service.domain.game import Rejected, Seat
from service.domain.ids import Millis, Player, PlayerId
from service.domain.players.kind import CHALLENGES_KEPT, MOST_OF_STRANGERS, STRANGERS_KEPT
from service.domain.room.model import commands
from service.domain.room.model.clock import PerMove
from service.domain.room.model.settings import BotSeat
from service.domain.validation import Invalid
from service.people.matchmaking.blocks import Asking
from service.people.matchmaking.challenges import ChallengeService, key_of
from service.rooms.access.policy import EntryLimits
from service.rooms.commands.requests import CommandRequest
from service.rooms.service import RoomService
from service.runtime.environment import HashedNames
from service.store.contract import StoreUnavailable
from tests.people.player_matches.test_player_matches import play
from tests.rooms.processes import ANNA, BEN, CLARA, DORA, IDS, NOON, Process

CLOCK = PerMove(Millis(60_000))


def ask(*opponents: Player | BotSeat, game: str = "morris", **more: Any) -> ChallengeRequest:
    """Return a request to play with others."""
    ids = tuple(each.id if isinstance(each, Player) else each for each in opponents)
    return ChallengeRequest(game, ids, **more)


async def received_by(process: Process, player: Player) -> list[str]:
    """Return what a player's own feed has about challenges."""
    await process.deliver()
    page = await process.players.page(player.id, None, 100)
    kinds = [type(record.event).__name__ for record in page.records]
    return [kind for kind in kinds if kind.startswith("Challenge")]


async def test_a_challenge_is_accepted_and_its_room_opened(process: Process) -> None:
    """With the options, the clock and the seats of the challenge; it cannot be found in the lobby.

    Only who is asked receives the challenge, and both the answer.
    """
    made = await process.challenges.challenge(ask(BEN, seat=Seat(1), clock=CLOCK, options={"flying": "both"}), ANNA)
    await process.deliver()
    assert await process.players.challenges_of(BEN.id) == [made]
    await process.challenges.accept(made.id, BEN)
    await process.challenges.proceed(key_of(ANNA.id))
    assert await received_by(process, ANNA) == ["ChallengeAccepted", "ChallengeOpened"]
    assert await received_by(process, BEN) == ["ChallengeMade", "ChallengeAccepted", "ChallengeOpened"]
    for player in (ANNA, BEN):
        assert await process.players.challenges_of(player.id) == []
    [room] = await process.rooms.rooms_of(ANNA.id)
    assert room.table.seats == (BEN.id, ANNA.id)
    assert (room.table.settings.clock, room.table.settings.visibility) == (CLOCK, "unlisted")
    assert room.table.options["flying"] == "both"
    for player in (ANNA, BEN):
        await process.rooms.command(room.table.key.name, CommandRequest(commands.Ready(), player))
    assert [each.table.status for each in await process.rooms.rooms_of(BEN.id)] == ["playing"]


async def test_all_of_three_players_have_to_accept(process: Process) -> None:
    """The room is not opened before, and nobody is asked twice."""
    made = await process.challenges.challenge(ask(BEN, CLARA, game="ternio"), ANNA)
    await process.challenges.accept(made.id, BEN)
    await process.challenges.accept(made.id, BEN)
    await process.challenges.proceed(key_of(ANNA.id))
    assert await process.rooms.rooms_of(ANNA.id) == []
    await process.challenges.accept(made.id, CLARA)
    await process.challenges.proceed(key_of(ANNA.id))
    assert await received_by(process, CLARA) == [
        "ChallengeMade",
        "ChallengeAccepted",
        "ChallengeAccepted",
        "ChallengeOpened",
    ]


async def test_bots_of_the_service_need_not_accept(process: Process) -> None:
    """A challenge of one alone opens a room at once; beside one, only the people are asked."""
    await process.challenges.challenge(ask(BotSeat("hard")), ANNA)
    made = await process.challenges.challenge(ask(BEN, BotSeat("easy"), game="ternio"), ANNA)
    await process.challenges.proceed(key_of(ANNA.id))
    assert len(await process.rooms.rooms_of(ANNA.id)) == 1
    await process.challenges.accept(made.id, BEN)
    await process.challenges.proceed(key_of(ANNA.id))
    [room] = await process.rooms.rooms_of(BEN.id)
    assert [member.bot for member in room.table.members.values() if member.bot] == ["easy"]


async def test_a_challenge_that_is_declined_ends_for_everybody(process: Process) -> None:
    """With the reason, also after others have accepted; afterwards nobody can accept it."""
    made = await process.challenges.challenge(ask(BEN, CLARA, game="ternio"), ANNA)
    await process.challenges.accept(made.id, BEN)
    await process.challenges.decline(made.id, CLARA.id, "other_clock")
    with pytest.raises(Rejected, match="no_such_challenge"):
        await process.challenges.accept(made.id, BEN)
    for player in (ANNA, BEN, CLARA):
        assert (await received_by(process, player))[-1] == "ChallengeDeclined"


async def test_only_those_who_were_asked_can_answer(process: Process) -> None:
    """Neither strangers nor who made it; and only who made it can withdraw it."""
    made = await process.challenges.challenge(ask(BEN), ANNA)
    for player in (ANNA, CLARA):
        with pytest.raises(Rejected, match="no_such_challenge"):
            await process.challenges.accept(made.id, player)
        with pytest.raises(Rejected, match="no_such_challenge"):
            await process.challenges.decline(made.id, player.id, None)
    for identity in ("nonsense", f"{made.id}x", "."):
        with pytest.raises(Rejected, match="no_such_challenge"):
            await process.challenges.accept(identity, BEN)
    with pytest.raises(Rejected, match="no_such_challenge"):
        await process.challenges.withdraw(made.id, BEN.id)
    await process.challenges.withdraw(made.id, ANNA.id)
    assert await process.challenges.made_by(ANNA.id) == []
    assert await received_by(process, BEN) == ["ChallengeMade", "ChallengeEnded"]


async def test_a_challenge_expires(process: Process) -> None:
    """When the worker is due; an answer that comes later is refused also before the worker."""
    made = await process.challenges.challenge(ask(BEN, minutes=2), ANNA)
    assert process.store._due[key_of(ANNA.id)] == NOON + 2 * MINUTE
    process.clock.time = Millis(NOON + 2 * MINUTE)
    with pytest.raises(Rejected, match="no_such_challenge"):
        await process.challenges.accept(made.id, BEN)
    await process.challenges.proceed(key_of(ANNA.id))
    assert await received_by(process, ANNA) == ["ChallengeEnded"]


def guest(number: int) -> Player:
    """Return one of many players."""
    return Player(PlayerId(f"p-guest{number}"), "Guest")


async def meet(process: Process, *players: Player) -> None:
    """Let players play a match with each other."""
    await play(process, f"room-{next(IDS)}", *players)
    await process.deliver()


async def test_a_player_has_few_open_challenges(process: Process) -> None:
    """And one for each other player, until it ends or its time is over."""
    made = [await process.challenges.challenge(ask(guest(number)), ANNA) for number in range(MOST_OPEN - 1)]
    with pytest.raises(Rejected, match="already_challenged"):
        await process.challenges.challenge(ask(guest(0), game="turncoat"), ANNA)
    await process.challenges.challenge(ask(ANNA), guest(0))
    await process.challenges.decline(made[0].id, guest(0).id, None)
    for _ in range(2):
        await process.challenges.challenge(ask(guest(0), minutes=1), ANNA)
        with pytest.raises(Rejected, match="already_challenged"):
            await process.challenges.challenge(ask(guest(0)), ANNA)
        process.clock.time = Millis(process.clock.time + MINUTE)
        await process.challenges.proceed(key_of(ANNA.id))
    for number in (5, 6):
        await process.challenges.challenge(ask(guest(number)), ANNA)
    with pytest.raises(Rejected, match="too_many_challenges"):
        await process.challenges.challenge(ask(BEN), ANNA)


async def test_strangers_cannot_keep_out_those_whom_the_player_has_met(process: Process) -> None:
    """Strangers have a bound of their own, and their challenges end soon, whatever they ask for."""
    await meet(process, BEN, CLARA)
    for number in range(MOST_OF_STRANGERS):
        made = await process.challenges.challenge(ask(BEN, minutes=1440), guest(number))
        assert made.deadline == process.clock.time + STRANGERS_MINUTES * MINUTE
        await process.deliver()
    with pytest.raises(Rejected, match="opponent_unavailable"):
        await process.challenges.challenge(ask(BEN), DORA)
    made = await process.challenges.challenge(ask(BEN, minutes=1440), CLARA)
    assert (made.strangers, made.deadline) == ((), process.clock.time + 1440 * MINUTE)
    await process.deliver()
    assert len(await process.players.challenges_of(BEN.id)) == MOST_OF_STRANGERS + 1
    process.clock.time = Millis(process.clock.time + STRANGERS_MINUTES * MINUTE)
    for number in range(MOST_OF_STRANGERS):
        await process.challenges.proceed(key_of(guest(number).id))
    await process.deliver()
    assert await process.players.challenges_of(BEN.id) == [made]
    await process.challenges.challenge(ask(BEN), DORA)


async def test_challenges_of_strangers_that_arrive_at_once_displace_no_others(process: Process) -> None:
    """None is delivered while they are made, so none is refused."""
    await meet(process, BEN, CLARA)
    friendly = await process.challenges.challenge(ask(BEN), CLARA)
    for number in range(STRANGERS_KEPT + CHALLENGES_KEPT):
        await process.challenges.challenge(ask(BEN), guest(number))
    await process.deliver()
    kept = await process.players.challenges_of(BEN.id)
    assert kept[0] == friendly
    assert len(kept) == 1 + STRANGERS_KEPT


async def test_a_stranger_among_those_who_are_asked_shortens_the_challenge(process: Process) -> None:
    """Each of them has the bound that fits."""
    await meet(process, ANNA, BEN)
    made = await process.challenges.challenge(ask(BEN, CLARA, game="ternio", minutes=60), ANNA)
    assert (made.strangers, made.deadline) == ((CLARA.id,), process.clock.time + STRANGERS_MINUTES * MINUTE)


@pytest.mark.parametrize(
    ("challengers", "admitted"), [("everybody", {ANNA, CLARA}), ("met", {CLARA}), ("nobody", set[Player]())]
)
async def test_a_player_chooses_who_may_challenge_them(
    process: Process, challengers: Challengers, admitted: set[Player]
) -> None:
    """The refusal is that of a block; the player can challenge others as before."""
    await meet(process, BEN, CLARA)
    await process.accounts.block(BEN.id, DORA.id)
    with pytest.raises(Rejected) as blocked:
        await process.challenges.challenge(ask(BEN), DORA)
    await process.accounts.admit_challengers(BEN.id, challengers)
    assert await process.accounts.challengers_of(BEN.id) == challengers
    for player in (ANNA, CLARA):
        if player in admitted:
            await process.challenges.challenge(ask(BEN), player)
            continue
        with pytest.raises(Rejected) as refused:
            await process.challenges.challenge(ask(BEN), player)
        assert (refused.value.code, refused.value.params) == (blocked.value.code, blocked.value.params)
    await process.challenges.challenge(ask(ANNA), BEN)


async def test_all_challenges_are_declined_at_once(process: Process) -> None:
    """But neither those that the player made, nor those that they have accepted."""
    await process.challenges.challenge(ask(BEN), ANNA)
    accepted = await process.challenges.challenge(ask(BEN, DORA, game="ternio"), CLARA)
    await process.challenges.accept(accepted.id, BEN)
    own = await process.challenges.challenge(ask(CLARA), BEN)
    ended = await process.challenges.challenge(ask(BEN), DORA)
    await process.deliver()
    received = await process.players.challenges_of(BEN.id)
    await process.challenges.withdraw(ended.id, DORA.id)
    await process.challenges.decline_all(received, BEN.id, "not_now")
    await process.deliver()
    assert await process.challenges.made_by(BEN.id) == [own]
    assert [each.id for each in await process.players.challenges_of(BEN.id)] == [accepted.id]
    assert (await received_by(process, ANNA))[-1] == "ChallengeDeclined"


@pytest.mark.parametrize(
    ("request_", "pointer"),
    [
        (ask(ANNA), "/opponents"),
        (ask(BEN, BEN, game="ternio"), "/opponents"),
        (ask(BEN, CLARA), "/opponents"),
        (ask(BEN, game="chess"), "/game"),
        (ask(BEN, options={"flying": 1}), "/options/flying"),
        (ask(BEN, rated=True), "/rated"),
        (ask(BotSeat("easy"), rated=True, clock=CLOCK), "/rated"),
    ],
)
async def test_a_challenge_that_makes_no_sense_is_refused(
    process: Process, request_: ChallengeRequest, pointer: str
) -> None:
    """With the place of the fault."""
    with pytest.raises(Invalid) as refusal:
        await process.challenges.challenge(request_, ANNA)
    assert refusal.value.pointer == pointer


async def test_a_player_who_cannot_enter_ends_the_challenge(process: Process) -> None:
    """Everybody receives who it was and why, and no room stays open."""
    rooms = RoomService(process.core, HashedNames(), None, EntryLimits(rooms=1))
    service = ChallengeService(
        process.store,
        process.clock,
        rooms,
        Asking(process.players.can_be_asked, process.accounts, process.matches.have_met),
        lambda: f"id{next(IDS)}",
    )
    await process.open(by=BEN)
    made = await service.challenge(ask(BEN, seat=Seat(0)), ANNA)
    await service.accept(made.id, BEN)
    await service.proceed(key_of(ANNA.id))
    await process.deliver()
    end = (await process.players.page(ANNA.id, None, 100)).records[-1].event
    assert end == ChallengeEnded(made.id, "refused", BEN.id, "too_many_rooms")
    assert await process.rooms.rooms_of(ANNA.id) == []


async def test_a_worker_that_is_interrupted_opens_the_same_room_again(process: Process) -> None:
    """The room was opened, but the worker did not learn of it; the next one opens no other."""
    made = await process.challenges.challenge(ask(BEN), ANNA)
    await process.challenges.accept(made.id, BEN)
    process.store.failing["append"] = StoreUnavailable("gone")
    with pytest.raises(StoreUnavailable):
        await process.challenges.proceed(key_of(ANNA.id))
    process.store.failing.clear()
    await process.start_another().challenges.proceed(key_of(ANNA.id))
    assert (await received_by(process, BEN))[-1] == "ChallengeOpened"
    assert len(await process.rooms.rooms_of(BEN.id)) == 1


async def test_open_challenges_outlast_the_summary_of_a_stream(process: Process) -> None:
    """In the stream of who made them, and in those of the others."""
    made = await process.challenges.challenge(ask(BEN), ANNA)
    for _ in range(130):  # each makes two events, and a summary is appended after 250
        for by, asked in ((ANNA, CLARA), (CLARA, BEN)):
            other = await process.challenges.challenge(ask(asked), by)
            await process.challenges.withdraw(other.id, by.id)
        await process.deliver()
    another = process.start_another()
    assert await another.challenges.made_by(ANNA.id) == [made]
    assert await another.players.challenges_of(BEN.id) == [made]


async def test_two_processes_answer_at_the_same_time(process: Process) -> None:
    """In any order of the store's replies, a challenge of two ends in one room or is declined."""
    for seed in range(20):
        other = process.start_another()
        made = await process.challenges.challenge(ask(BEN, DORA, game="ternio"), ANNA)
        await process.challenges.accept(made.id, BEN)
        process.store.dice = other.store.dice = random.Random(seed)  # noqa: S311 - the order of replies
        results = await asyncio.gather(
            other.challenges.accept(made.id, DORA),
            process.challenges.decline(made.id, DORA.id, None),
            process.challenges.proceed(key_of(ANNA.id)),
            other.challenges.proceed(key_of(ANNA.id)),
            return_exceptions=True,
        )
        process.store.dice = other.store.dice = None
        await process.challenges.proceed(key_of(ANNA.id))
        kinds = await received_by(process, DORA)
        ends = [kind for kind in kinds if kind in {"ChallengeOpened", "ChallengeDeclined"}]
        assert len(ends) == seed + 1, (kinds, results)
        assert await process.challenges.made_by(ANNA.id) == []


@pytest.mark.parametrize(("one", "other"), [(ANNA, BEN), (BEN, ANNA)])
async def test_blocked_players_cannot_challenge_each_other(process: Process, one: Player, other: Player) -> None:
    """Refused as for any player who cannot be asked now."""
    await process.accounts.block(one.id, other.id)
    with pytest.raises(Rejected, match="opponent_unavailable"):
        await process.challenges.challenge(ask(BEN), ANNA)
    await process.accounts.unblock(one.id, other.id)
    await process.challenges.challenge(ask(BEN), ANNA)


@pytest.mark.parametrize(("blocker", "other"), [(ANNA, BEN), (BEN, ANNA)])
async def test_a_block_ends_open_challenges_between_the_two(process: Process, blocker: Player, other: Player) -> None:
    """In both directions; those with others stay open. Until they have ended, they cannot be accepted."""
    made = [
        await process.challenges.challenge(ask(asked), by) for by, asked in ((ANNA, BEN), (BEN, ANNA), (ANNA, CLARA))
    ]
    await process.accounts.block(blocker.id, other.id)
    with pytest.raises(Rejected, match="no_such_challenge"):
        await process.challenges.accept(made[0].id, BEN)
    await process.challenges.end_between(blocker.id, other.id)
    assert await process.challenges.made_by(ANNA.id) == [made[2]]
    assert await process.challenges.made_by(BEN.id) == []
    await process.deliver()
    assert [await process.players.challenges_of(player.id) for player in (ANNA, BEN)] == [[], []]
    assert await process.players.challenges_of(CLARA.id) == [made[2]]
