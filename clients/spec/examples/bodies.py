"""Examples of request and response bodies by type, taken from an example match."""

from typing import Any

import msgspec

from clients.spec.examples.matches import Examples, as_json, examples_of
from clients.spec.examples.tournaments import tournament_bodies, tournament_events
from service.api.http.bodies import CommandResponse, EventPage, Guest, LegalMoves, NewPlayer, OpenRoomResponse
from service.api.http.commands import result_json
from service.api.http.tokens import Tokens
from service.api.routes.admin import CloseRequest
from service.api.routes.chat import NewChatLine
from service.api.routes.invitations import AcceptInvitation, DeclineRequest
from service.api.routes.moderation import ModerationRequest, OperatorTokenRequest, ReportRequest
from service.api.routes.people.challenges import ChallengeSettings, Decline
from service.api.routes.people.profiles import ProfileSettings
from service.api.routes.people.tokens import TokenRequest, UsedLinkCode, UsedRecoveryCode
from service.api.routes.people.webhooks import WebhookChange, WebhookRequest
from service.bots.hints import Hint
from service.domain.bot_list import BotRegistration
from service.domain.catalog import GAMES
from service.domain.challenges.decide import ChallengeRequest
from service.domain.challenges.model import (
    Challenge,
    ChallengeAccepted,
    ChallengeDeclined,
    ChallengeEnded,
    ChallengeMade,
    ChallengeOpened,
    SeatedPlayer,
)
from service.domain.game import Seat
from service.domain.ids import Millis, Player, PlayerId, Version
from service.domain.players.kind import SeekDropped, SeekMatched, SeekResumed, WebhookDisabled
from service.domain.ratings.model import RatingChanged
from service.domain.room.model.clock import PerMove
from service.domain.room.model.commands import Play
from service.domain.room.model.events import Result
from service.domain.room.model.notices import (
    ClosedRoom,
    MatchBegan,
    MatchFinished,
    OfferReceived,
    OpenedRoom,
    OwnInvitationAccepted,
    OwnInvitationDeclined,
    OwnInvitationMade,
    PlayerEvent,
    RemovedFromRoom,
    TurnBegan,
)
from service.domain.seeks.decide import TIME_TO_APPEAR, SeekRequest
from service.domain.streams import Record
from service.people.player_service import record_json
from service.people.webhooks.messages import EndpointChallenge
from service.rooms.commands.requests import CommandResult
from service.rooms.views.event_view import events_json
from service.rooms.views.match_view import legal_moves
from service.streams.errors import Problem, problem

KEY = bytes(32)
"""Signs the tokens in examples, and nothing else."""

SEEK_ID = "x7k2m4qa"
WEBHOOK_ID = "w-5jx2kq7fzc4wnh3a"
LINK_CODE = "K7M2QX4R"
RECOVERY_CODE = "r1.p-aaaaaaaaaaaaaaaa.kr3tq5vmw2zc7xh4n6yb2djsfe"


def body_examples() -> dict[type, Any]:
    """Return an example body for each type."""
    played = examples_of(next(iter(GAMES)))
    room = played.room
    bodies: dict[type, Any] = {
        NewPlayer: NewPlayer("Ada"),
        NewChatLine: NewChatLine("Good game!"),
        SeekRequest: {
            "game": room.table.game,
            "clock": {"type": "per_move", "ms": 30000},
        },
        WebhookRequest: WebhookRequest("https://bot.example/turnstream", ("turn_began",)),
        WebhookChange: WebhookChange(events=("turn_began", "match_finished")),
        EndpointChallenge: EndpointChallenge("uK2m4qa3h5n6p7rzZx1Yw0VtSsQo9BcD"),
        TokenRequest: TokenRequest("My bot", ("read", "play", "bot"), 90),
        ProfileSettings: ProfileSettings(hidden=True),
        ChallengeSettings: ChallengeSettings(challengers="met"),
        UsedLinkCode: UsedLinkCode(LINK_CODE, "Phone"),
        UsedRecoveryCode: UsedRecoveryCode(RECOVERY_CODE),
        ChallengeRequest: {
            "game": room.table.game,
            "opponents": ["p-aaaaaaaaaaaaaaaa"],
            "clock": {"type": "per_move", "ms": 30000},
        },
        Decline: Decline("not_now"),
        BotRegistration: BotRegistration(("morris", "ternio"), "Looks three moves ahead."),
        CloseRequest: CloseRequest("The creator asked for it."),
        ModerationRequest: ModerationRequest(on=True, reason="Insults in the lobby."),
        ReportRequest: ReportRequest(creator(played).id, "Insults in the chat.", room.table.key.name),
        OperatorTokenRequest: OperatorTokenRequest("Grace"),
        AcceptInvitation: AcceptInvitation(nickname="Grace"),
        DeclineRequest: DeclineRequest(nickname="Grace"),
        Guest: Guest(creator(played), Tokens(KEY).signed(creator(played))),
        Problem: problem("not_your_turn", version=room.version, legal_moves=[]),
        OpenRoomResponse: {"room": room.table.key.name, "version": room.version, "view": played.view},
        CommandResponse: msgspec.Raw(command_result(played)),
        EventPage: {
            "room": room.table.key.name,
            "epoch": room.table.key.epoch,
            "version": room.version,
            "events": msgspec.Raw(events_json(played.history[0], None, room.table.game)),
            "next": len(played.history[0]),
        },
    }
    bodies |= tournament_bodies(played)
    bodies |= {type(notice): as_own_event(played, notice) for notice in notices(played)}
    return {kind: as_json(value) for kind, value in bodies.items()}


def notices(played: Examples) -> list[PlayerEvent]:
    """Return what the example room delivers to its creator, and to the operator."""
    key, game = played.room.table.key, played.room.table.game
    own, match = (Seat(0),), played.room.match
    assert match is not None  # noqa: S101 - the evening's room has a match
    result = Result("resigned", (1, 2), None, own)
    return [
        turn_began(played),
        MatchBegan(key.name, key.epoch, game, match.number, match.id, own),
        MatchFinished(key.name, key.epoch, game, match.number, match.id, result),
        OfferReceived(key.name, key.epoch, game, 1, "draw", match.players[1] or creator(played).id),
        RemovedFromRoom(key.name, key.epoch, game),
        OwnInvitationMade(key.name, key.epoch, game, 1),
        OwnInvitationAccepted(key.name, key.epoch, game, 1, match.players[1] or creator(played).id),
        OwnInvitationDeclined(key.name, key.epoch, game, 1, match.players[1] or creator(played).id),
        SeekMatched(key.name, key.epoch, game, SEEK_ID, Seat(0), Millis(played.room.time + TIME_TO_APPEAR)),
        SeekResumed(game, SEEK_ID),
        SeekDropped(game, SEEK_ID, "expired"),
        WebhookDisabled(WEBHOOK_ID, "https://bot.example/turnstream", "failing"),
        OpenedRoom(key.name, key.epoch, game, creator(played).id, played.room.table.settings.visibility),
        ClosedRoom(key.name, key.epoch, game, "idle"),
        RatingChanged(match.id, game, "rapid", 1616.54, 336.85, 116.54, voided=False),
        *challenge_events(played),
        *tournament_events(played),
    ]


def challenge_events(played: Examples) -> list[PlayerEvent]:
    """Return what the players of a challenge receive."""
    table, asked = played.room.table, PlayerId("p-aaaaaaaaaaaaaaaa")
    by, deadline = creator(played), Millis(played.room.time + 30_000)
    seats = (SeatedPlayer(by.id, by.nickname), SeatedPlayer(asked))
    options, challenge = msgspec.to_builtins(table.options), f"x7k2m4qa.{by.id}"
    made = Challenge(
        challenge, by.id, table.game, options, PerMove(Millis(30_000)), rated=False, seats=seats, deadline=deadline
    )
    return [
        ChallengeMade(made),
        ChallengeAccepted(challenge, asked, "Grace"),
        ChallengeDeclined(challenge, asked, "not_now"),
        ChallengeEnded(challenge, "expired"),
        ChallengeOpened(challenge, table.key.name, table.key.epoch, table.game, {by.id: Seat(0), asked: Seat(1)}),
    ]


def turn_began(played: Examples) -> TurnBegan:
    """Return the event that it is the turn of the creator of the example room."""
    key = played.room.table.key
    return TurnBegan(key.name, key.epoch, played.room.table.game, 1, (Seat(0),))


def as_own_event(played: Examples, notice: PlayerEvent) -> msgspec.Raw:
    """Return an event of the creator's own feed in its wire form."""
    return msgspec.Raw(record_json(Record(Version(12), played.room.time, notice)))


def move_bodies(played: Examples) -> tuple[Any, Any]:
    """Return the legal moves of a seat that is to move in the example room, and a hint for it."""
    room, match = played.room, played.room.playing
    awaited = () if match is None else room.game.to_move(match.state)
    moves = legal_moves(room, awaited[0])
    about = (room.table.game, room.version, awaited[0])
    return as_json(LegalMoves(*about, awaited, moves)), as_json(Hint(*about, as_json(moves[0])))


def command_result(played: Examples, *, with_view: bool = True) -> bytes:
    """Return the result of the latest command of a match, as its sender received it."""
    answer = CommandResult(played.room, played.history[-1])
    return result_json(answer, creator(played), Play({}), played.room.time if with_view else None)


def creator(played: Examples) -> Player:
    """Return the creator of the example room."""
    player = played.room.table.creator
    return Player(player, played.room.table.members[player].nickname)
