"""What a seat may know of a match of Turncoat, and what not."""

import random

import msgspec
import pytest

from service.domain.game import Event, Rejected, Seat, redact
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
from tests.domain.games.test_turncoat import (
    MOSTLY_WHITE,
    RED,
    YELLOW,
    after,
    chance,
    parse_boards,
    parse_position,
    play_moves,
)

AUDIENCES = (RED, YELLOW, None)


def test_the_view_as_json() -> None:
    """Both boards are public; a selection is visible to its owner only."""
    position = play_moves(parse_position(MOSTLY_WHITE), (RED, Select("B2")), (RED, Commit()))
    red, yellow = (list(board) for board in parse_boards(MOSTLY_WHITE))
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


def test_the_opponent_receives_the_same_bytes_for_every_selection() -> None:
    """The square is omitted, not replaced."""
    position = parse_position(MOSTLY_WHITE)
    sent_bytes = {
        msgspec.json.encode(redact(event, audience))
        for move in GAME.legal_moves(position, RED)
        for event in GAME.decide(position, RED, move)
        for audience in (YELLOW, None)
    }
    assert sent_bytes == {b'{"type":"selected","seat":0}'}


def test_the_opponent_knows_of_a_selection_but_not_its_square() -> None:
    """The opponent's fold has that red has selected and committed, without the square."""
    position = after(parse_position(MOSTLY_WHITE), [Selected(seat=RED), Committed(seat=RED)])
    assert position.sides[RED] == Side(white=position.sides[RED].white, selected=True, at=None, committed=True)


def test_the_resolution_reveals_the_selected_squares() -> None:
    """The steps hide nothing, so a fold of redacted events needs no earlier square."""
    position = play_moves(
        parse_position(MOSTLY_WHITE), (RED, Select("b2")), (RED, Commit()), (YELLOW, Select("c3")), (YELLOW, Commit())
    )
    for event in GAME.follow(position, chance()):
        assert redact(event, None) is event


def redact_and_decode(event: Event, audience: Seat | None) -> TurncoatEvent:
    """Return the event as the audience decodes it."""
    decoded: TurncoatEvent = msgspec.json.decode(msgspec.json.encode(redact(event, audience)), type=GAME.event)
    return decoded


def refusals(position: Position, seat: Seat) -> list[str | None]:
    """Return for each of the 65 moves the code of its rejection, or None."""
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
def test_redacted_events_are_sufficient_for_a_seat(options: Options, seed: int) -> None:
    """Folded from redacted events, a seat's view, moves and codes equal those of the full state after every event."""
    dice = random.Random(seed)  # noqa: S311 - seeded play, no secret
    events: list[TurncoatEvent] = GAME.setup(options, chance(seed))
    truth, folds = GAME.start(options), dict.fromkeys(AUDIENCES, GAME.start(options))
    for _ in range(150):
        for event in events:
            truth = GAME.evolve(truth, event)
            folds = {
                audience: GAME.evolve(fold, redact_and_decode(event, audience)) for audience, fold in folds.items()
            }
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
    """Let any seat make any move, a commit as often as a selection; no event when the match is over."""
    seat = dice.choice([RED, YELLOW])
    moves = list(GAME.legal_moves(position, seat))
    return GAME.decide(position, seat, moves[-1] if dice.random() < 0.5 else dice.choice(moves)) if moves else []


def test_a_redacted_state_cannot_be_resolved() -> None:
    """Resolving a round with the knowledge of one seat is a bug, not a rejection."""
    position = after(
        parse_position(MOSTLY_WHITE), [Selected(RED, "b2"), Committed(RED), Selected(YELLOW), Committed(YELLOW)]
    )
    with pytest.raises(ValueError, match="both selections"):
        GAME.follow(position, chance())
