"""Challenges: asking particular players, or bots of the service, to play."""

import msgspec

from service.api.http.json_routes import Call, change, read
from service.api.http.parameters import CHANGE_CODES
from service.domain.accounts.model import Challengers
from service.domain.challenges.decide import ChallengeRequest
from service.domain.challenges.model import Challenge, DeclineReason
from service.domain.ids import Player, wire_form


class OpenChallenges(msgspec.Struct, frozen=True):
    """The open challenges that the caller made or received."""

    made: tuple[Challenge, ...]
    """The challenges that the caller made, the oldest first."""
    received: tuple[Challenge, ...]
    """The challenges that others made, the oldest first."""


class ChallengeSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who may challenge the caller."""

    challengers: Challengers
    """Everybody, those who have played a match with the caller, or nobody."""


class Decline(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An answer to a challenge."""

    reason: DeclineReason | None = None
    """Why you decline; by default no reason is given."""


ANSWER_CODES = (*CHANGE_CODES, "no_such_challenge")


@change(
    "POST",
    "/v1/challenges",
    "Ask others to play",
    {201: Challenge},
    limit="challenges",
    body=ChallengeRequest,
    refusals=(
        *(*CHANGE_CODES, "no_such_seat", "opponent_unavailable", "already_challenged", "too_many_challenges"),
        "too_many_nicknames",
    ),
    tag="Challenges",
)
async def make_challenge(call: Call, player: Player, asked: ChallengeRequest) -> Challenge:
    """Ask particular players to play; bots of the service take seats without being asked.

    The others receive `challenge_made` in their own feeds. As soon as all of them have accepted, a room is opened, and
    `challenge_opened` names it; the match begins when all are `ready` there. If one of them declines, the challenge
    ends. A player can have five open challenges, and one for each other player. Challenges of somebody with whom a
    player has not played a match expire after ten minutes at most, and a player receives twenty of them at a time.
    """
    made: Challenge = wire_form(await call.context.matchmaking.challenges.challenge(asked, player))
    return made


@change(
    "POST",
    "/v1/challenges/{challenge:str}/accept",
    "Accept a challenge",
    {204: None},
    refusals=ANSWER_CODES,
    tag="Challenges",
)
async def accept_challenge(call: Call, player: Player, challenge: str) -> None:
    """Accept a challenge; once everybody has, `challenge_opened` in your own feed names the room."""
    call.count(call.context.limits.openings)
    await call.context.matchmaking.challenges.accept(challenge, player)


@change(
    "POST",
    "/v1/challenges/{challenge:str}/decline",
    "Decline a challenge",
    {204: None},
    body=Decline,
    refusals=ANSWER_CODES,
    tag="Challenges",
)
async def decline_challenge(call: Call, player: Player, answer: Decline, challenge: str) -> None:
    """Decline a challenge, which ends it for everybody. You can give a reason."""
    await call.context.matchmaking.challenges.decline(challenge, player.id, answer.reason)


@change(
    "DELETE",
    "/v1/challenges/{challenge:str}",
    "Withdraw a challenge",
    {204: None},
    refusals=ANSWER_CODES,
    tag="Challenges",
)
async def withdraw_challenge(call: Call, player: Player, challenge: str) -> None:
    """Withdraw a challenge that you made."""
    await call.context.matchmaking.challenges.withdraw(challenge, player.id)


@read("/v1/players/me/challenges", "Read your open challenges", OpenChallenges, scope="read", tag="Challenges")
async def read_my_challenges(call: Call, player: Player) -> OpenChallenges:
    """Return the open challenges that the caller made, and those that others made."""
    made = await call.context.matchmaking.challenges.made_by(player.id)
    received = [each for each in await call.context.players.challenges_of(player.id) if each.by != player.id]
    return OpenChallenges(tuple(map(wire_form, made)), tuple(map(wire_form, received)))


@change(
    "POST", "/v1/players/me/challenges/decline", "Decline all challenges", {204: None}, body=Decline, tag="Challenges"
)
async def decline_all_challenges(call: Call, player: Player, answer: Decline) -> None:
    """Decline all open challenges that the caller has received and not accepted. You can give a reason."""
    received = await call.context.players.challenges_of(player.id)
    await call.context.matchmaking.challenges.decline_all(received, player.id, answer.reason)


@read("/v1/players/me/challengers", "Read who may challenge you", ChallengeSettings, scope="read", tag="Challenges")
async def read_challengers(call: Call, player: Player) -> ChallengeSettings:
    """Return who may challenge the caller."""
    return ChallengeSettings(await call.context.accounts.challengers_of(player.id))


@change(
    "PUT",
    "/v1/players/me/challengers",
    "Choose who may challenge you",
    {200: ChallengeSettings},
    body=ChallengeSettings,
    tag="Challenges",
)
async def set_challengers(call: Call, player: Player, wanted: ChallengeSettings) -> ChallengeSettings:
    """Choose who may challenge you: everybody, those who have played a match with you, or nobody.

    All others are refused with `opponent_unavailable`, as if you had blocked them. Challenges that you have received
    stay open.
    """
    await call.context.accounts.admit_challengers(player.id, wanted.challengers)
    return wanted
