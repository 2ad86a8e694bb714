"""The decisions about challenges: pure functions of the state and a command."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from random import Random
from typing import Annotated, Any

import msgspec

from service.domain.catalog import game_named
from service.domain.challenges.model import (
    Challenge,
    ChallengeAccepted,
    ChallengeDeclined,
    ChallengeEnded,
    ChallengeId,
    ChallengeMade,
    ChallengeOpened,
    Challenges,
    DeclineReason,
    Seated,
    SeatedBot,
    SeatedPlayer,
)
from service.domain.game import Event, Rejected, Seat
from service.domain.ids import PLAYER_ID, Epoch, Millis, PlayerId, RoomName
from service.domain.room.model.clock import Clock, NoClock
from service.domain.room.model.commands import SeatNumber
from service.domain.room.model.settings import BotSeat
from service.domain.validation import Invalid, convert

MOST_OPEN = 5
"""How many challenges of a player can be open."""

MINUTE = Millis(60_000)

STRANGERS_MINUTES = 10
"""For how many minutes at most a challenge can be accepted if it asks somebody whom the player has not met."""

AskedPlayer = Annotated[PlayerId, msgspec.Meta(pattern=f"^{PLAYER_ID}$")]


class ChallengeRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request to play with particular players."""

    game: str
    """The game's slug."""
    opponents: Annotated[tuple[AskedPlayer | BotSeat, ...], msgspec.Meta(min_length=1, max_length=15)]
    """The ids of the players whom you ask, and bots of the service: one for each other seat of the game."""
    options: dict[str, Any] = {}
    """The game's options; those left out have their defaults."""
    clock: Clock = NoClock()
    """The clock of the match; by default none."""
    seat: SeatNumber | None = None
    """Your seat; by default the seats are drawn."""
    rated: bool = False
    """Whether the match is rated, which needs a clock and no bots of the service; see the setting `rated`."""
    minutes: Annotated[int, msgspec.Meta(ge=1, le=1440)] = 10
    """For how many minutes it can be accepted; at most 10 if you have not played a match with all whom you ask."""

    @property
    def asked(self) -> tuple[PlayerId, ...]:
        """The players who are asked, without bots of the service."""
        return tuple(each for each in self.opponents if not isinstance(each, BotSeat))


class ChallengeContext(msgspec.Struct, frozen=True):
    """What a decision needs besides the state and the request."""

    by: SeatedPlayer
    now: Millis
    new_id: str
    """An unused id."""
    seed: bytes
    """32 fresh random bytes, for the seats."""
    unavailable: AbstractSet[PlayerId] = frozenset()
    """The opponents who cannot be challenged now, or not by this player."""
    strangers: AbstractSet[PlayerId] = frozenset()
    """The opponents with whom this player has not played a match."""


def challenge(state: Challenges, request: ChallengeRequest, context: ChallengeContext) -> list[Event]:
    """Create a challenge. Raises `Rejected` and `Invalid`."""
    options = checked_options(request)
    asked = request.asked
    if context.by.player in asked or len(set(asked)) < len(asked):
        raise Invalid("Each opponent must be another player", "/opponents")
    if request.rated and not (request.clock.runs and len(asked) == len(request.opponents)):
        raise Invalid("A rated match needs a clock, and has no bots of the service", "/rated")
    for player in asked:
        if player in context.unavailable:
            raise Rejected("opponent_unavailable", player=player)
        if any(player in known.players for known in state.open.values() if known.deadline > context.now):
            raise Rejected("already_challenged", player=player)
    if len(state.open) >= MOST_OPEN:
        raise Rejected("too_many_challenges", most=MOST_OPEN)
    strangers = tuple(player for player in asked if player in context.strangers)
    minutes = min(request.minutes, STRANGERS_MINUTES) if strangers else request.minutes
    made = Challenge(
        id=f"{context.new_id}.{state.by}",
        by=state.by,
        game=request.game,
        options=options,
        clock=request.clock,
        rated=request.rated,
        seats=seats_of(request, context),
        deadline=Millis(context.now + minutes * MINUTE),
        strangers=strangers,
    )
    return [ChallengeMade(made)]


def checked_options(request: ChallengeRequest) -> dict[str, Any]:
    """Return all options of the game. Raises `Invalid`, and `Rejected` for a seat that does not exist."""
    rules = game_named(request.game, "/game")
    options = convert(request.options, rules.options, "/options")
    seats = len(rules.seats(options))
    if len(request.opponents) != seats - 1:
        raise Invalid(f"The game has {seats} seats, so there are {seats - 1} opponents", "/opponents")
    if request.seat is not None and request.seat >= seats:
        raise Rejected("no_such_seat", seat=request.seat)
    complete: dict[str, Any] = msgspec.to_builtins(options)
    return complete


def seats_of(request: ChallengeRequest, context: ChallengeContext) -> tuple[Seated, ...]:
    """Return who has which seat: the player's own as requested, the others at random."""
    others: list[Seated] = [
        SeatedBot(each.bot) if isinstance(each, BotSeat) else SeatedPlayer(each) for each in request.opponents
    ]
    random = Random(context.seed)  # noqa: S311 - it decides nothing of the match but who begins
    random.shuffle(others)
    seat = random.randrange(len(others) + 1) if request.seat is None else request.seat
    return (*others[:seat], context.by, *others[seat:])


def asked(state: Challenges, challenge_id: ChallengeId, player: PlayerId, now: Millis) -> Challenge:
    """Return an open challenge for a player who was asked. Raises `Rejected`."""
    found = state.open.get(challenge_id)
    if found is None or found.deadline <= now or player not in found.players or player == found.by:
        raise Rejected("no_such_challenge")
    return found


def accept(state: Challenges, challenge_id: ChallengeId, by: SeatedPlayer, now: Millis) -> list[Event]:
    """Accept a challenge; nothing if the player has done so already. Raises `Rejected`."""
    seats = asked(state, challenge_id, by.player, now).seats
    known = next(each for each in seats if isinstance(each, SeatedPlayer) and each.player == by.player)
    if known == by or by.nickname is None:
        return []
    return [ChallengeAccepted(challenge_id, by.player, by.nickname, by.bot, by.name_ref)]


def decline(
    state: Challenges, challenge_id: ChallengeId, by: PlayerId, reason: DeclineReason | None, now: Millis
) -> list[Event]:
    """Decline a challenge, which ends it for everybody; also after accepting it. Raises `Rejected`."""
    asked(state, challenge_id, by, now)
    return [ChallengeDeclined(challenge_id, by, reason)]


def withdraw(state: Challenges, challenge_id: ChallengeId) -> list[Event]:
    """Withdraw a challenge. Raises `Rejected`."""
    if challenge_id not in state.open:
        raise Rejected("no_such_challenge")
    return [ChallengeEnded(challenge_id, "withdrawn")]


def expire(state: Challenges, now: Millis) -> list[Event]:
    """End the challenges that were not accepted by everybody in time."""
    return [
        ChallengeEnded(each.id, "expired")
        for each in state.open.values()
        if each.deadline <= now and not each.is_accepted
    ]


def accepted(state: Challenges) -> Sequence[Challenge]:
    """Return the challenges that everybody has accepted, whose rooms have to be opened."""
    return [each for each in state.open.values() if each.is_accepted]


def opened(state: Challenges, challenge_id: ChallengeId, room: RoomName, epoch: Epoch) -> list[Event]:
    """Record that the room of a challenge was opened; does nothing if that is known."""
    known = state.open.get(challenge_id)
    if known is None:
        return []
    seats = {each.player: Seat(seat) for seat, each in enumerate(known.seats) if isinstance(each, SeatedPlayer)}
    return [ChallengeOpened(challenge_id, room, epoch, known.game, seats)]


def refuse(state: Challenges, challenge_id: ChallengeId, player: PlayerId, code: str) -> list[Event]:
    """Record that the room of a challenge could not be opened for a player; nothing if it has ended already."""
    return [ChallengeEnded(challenge_id, "refused", player, code)] if challenge_id in state.open else []


def due(state: Challenges) -> Millis | None:
    """Return when a worker has to act next: a room has to be opened at once, or a challenge expires."""
    times = [Millis(0) if each.is_accepted else each.deadline for each in state.open.values()]
    return min(times, default=None)
