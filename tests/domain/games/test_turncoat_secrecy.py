"""What a seat may know of a match of Turncoat, and what it may not."""

import random

import msgspec
import pytest

from service.domain.game import Event, Rejected, Seat
from service.domain.games.turncoat import GAME
from service.domain.games.turncoat.model import (
    Commit,
    Committed,
    Options,
    Position,
    Select,
    Selected,
    Side,
    TurncoatEvent,
    TurncoatMove,
)
from service.domain.redaction import redact
from tests.domain.games.test_turncoat import MOSTLY_WHITE, RED, YELLOW, after, boards, chance, played, table

AUDIENCES = (RED, YELLOW, None)


def test_the_view_on_the_wire() -> None:
    """Both boards are public; a selection is shown to its owner only."""
    position = played(table(MOSTLY_WHITE), (RED, Select("B2")), (RED, Commit()))
    red, yellow = (list(board) for board in boards(MOSTLY_WHITE))
    public = {
        "boards": {"red": red, "yellow": yellow},
        "round": 1,
        "black": {"red": 2, "yellow": 2},
        "selected": {"red": True, "yellow": False},
        "committed": {"red": True, "yellow": False},
        "own_selection": None,
    }
    assert msgspec.json.decode(msgspec.json.encode(GAME.view(position, None))) == public
    assert msgspec.json.decode(msgspec.json.encode(GAME.view(position, YELLOW))) == public
    assert msgspec.json.decode(msgspec.json.encode(GAME.view(position, RED))) == public | {"own_selection": "b2"}


def test_the_opponent_gets_the_same_bytes_whatever_was_selected() -> None:
    """The square is left out, not replaced."""
    position = table(MOSTLY_WHITE)
    told = {
        msgspec.json.encode(redact(event, audience))
        for move in GAME.legal_moves(position, RED)
        for event in GAME.decide(position, RED, move)
        for audience in (YELLOW, None)
    }
    assert told == {b'{"type":"selected","seat":0}'}


def test_a_selection_is_known_apart_from_its_square() -> None:
    """The opponent's fold holds that red has selected and committed, and where the square would be, nothing."""
    position = after(table(MOSTLY_WHITE), [Selected(seat=RED), Committed(seat=RED)])
    assert position.sides[RED] == Side(white=position.sides[RED].white, selected=True, at=None, committed=True)


def test_the_resolution_tells_the_opponents_square_to_all() -> None:
    """The steps hide nothing, so a fold of redacted events needs no square from before."""
    position = played(
        table(MOSTLY_WHITE), (RED, Select("b2")), (RED, Commit()), (YELLOW, Select("c3")), (YELLOW, Commit())
    )
    for event in GAME.follow(position, chance()):
        assert redact(event, None) is event


def sent(event: Event, audience: Seat | None) -> TurncoatEvent:
    """Return the event as the audience decodes it from the wire."""
    decoded: TurncoatEvent = msgspec.json.decode(msgspec.json.encode(redact(event, audience)), type=GAME.event)
    return decoded


def refusals(position: Position, seat: Seat) -> list[str | None]:
    """Return how each of the 65 moves fares: the code of its refusal, or None."""
    moves: list[TurncoatMove] = [*(Select(f"{column}{row}") for column in "abcdefgh" for row in range(1, 9)), Commit()]
    codes: list[str | None] = []
    for move in moves:
        try:
            GAME.decide(position, seat, move)
            codes.append(None)
        except Rejected as refused:
            codes.append(refused.code)
    return codes


@pytest.mark.parametrize("options", [Options(), Options(selectable="white_only", round_limit=7)], ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_what_a_seat_is_told_is_all_that_it_needs(options: Options, seed: int) -> None:
    """Folded from redacted events, a seat's view, moves and refusals are those of the whole truth, event by event."""
    dice = random.Random(seed)  # noqa: S311 - seeded play, no secret
    events: list[TurncoatEvent] = GAME.setup(options, chance(seed))
    truth, folds = GAME.start(options), dict.fromkeys(AUDIENCES, GAME.start(options))
    for _ in range(150):
        for event in events:
            truth = GAME.evolve(truth, event)
            folds = {audience: GAME.evolve(fold, sent(event, audience)) for audience, fold in folds.items()}
            for audience, fold in folds.items():
                assert GAME.view(fold, audience) == GAME.view(truth, audience)
                assert GAME.to_move(fold) == GAME.to_move(truth)
                assert GAME.outcome(fold) == GAME.outcome(truth)
        for seat in (RED, YELLOW):
            assert GAME.legal_moves(folds[seat], seat) == GAME.legal_moves(truth, seat)
            assert refusals(folds[seat], seat) == refusals(truth, seat)
        events = GAME.follow(truth, chance()) or random_decision(truth, dice)
    assert truth.round >= 5


def random_decision(position: Position, dice: random.Random) -> list[TurncoatEvent]:
    """Let any seat make any move, a commit as often as a selection; nothing when the match is over."""
    seat = dice.choice([RED, YELLOW])
    moves = list(GAME.legal_moves(position, seat))
    return GAME.decide(position, seat, moves[-1] if dice.random() < 0.5 else dice.choice(moves)) if moves else []


def test_without_the_squares_nothing_can_be_resolved() -> None:
    """Only the whole truth resolves a round; to try it on what one seat knows is a bug, not a refusal."""
    position = after(table(MOSTLY_WHITE), [Selected(RED, "b2"), Committed(RED), Selected(YELLOW), Committed(YELLOW)])
    with pytest.raises(ValueError, match="both selections"):
        GAME.follow(position, chance())
