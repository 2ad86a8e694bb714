"""The arena plays fair: the same openings for all, each player with its seat's knowledge, and every match counted."""

import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bench.arena import manners, players, records, report
from bench.arena.match_runner import CLOCKS, Record, Table, TimeUsed, play
from bench.arena.players import Turn
from bench.arena.players import morris as morris_players
from bench.arena.program import main, process_pool
from bench.arena.schedule import BadArena, Plan, fixture
from service import __main__ as turnstream
from service.domain.catalog import GAMES
from service.domain.game import Budget, Move, Outcome, Seat
from service.domain.games.turncoat.model import Selected

OPEN_SPIEL = ("flying=reduced", "all_in_mills=any", "double_mill=one")


def plan(game: str = "rainbow", *names: str, **more: Any) -> Plan:
    """Return a plan whose players don't look at a clock."""
    more = {"options": {}, "seed": 1, "opening": 2, "nodes": 10, **more}
    return Plan(game=game, players=names or ("random", "random"), **more)


def record(number: int, seated: tuple[str, ...], places: tuple[int, ...]) -> Record:
    """Return a record of which only the places matter."""
    return Record(number, seated, number, places, "line", 9, 9, (TimeUsed(),) * len(seated))


def arena(*arguments: str) -> int:
    """Run the verb."""
    return main(arguments)


def test_every_seating_of_two_players_plays_each_opening() -> None:
    """Matches 0 and 1 are one opening with the seats changed; match 2 begins the next."""
    chosen = plan("morris", "hard", "random")
    assert [fixture(chosen, number).seated for number in range(3)] == [
        ("hard", "random"),
        ("random", "hard"),
        ("hard", "random"),
    ]
    assert [fixture(chosen, number).opening for number in range(4)] == [0, 0, 1, 1]


def test_one_against_two_of_a_kind_sits_on_each_seat_once() -> None:
    """Three seats with two equal players have three seatings, not six."""
    assert len(plan("ternio", "hard", "random", "random").seatings) == 3


def test_more_players_than_seats_all_meet_each_other() -> None:
    """Three players of a game for two are three pairs, seated both ways."""
    assert len(plan("morris", "hard", "medium", "easy").seatings) == 6


def test_the_error_for_too_few_players_has_the_needed_number() -> None:
    """A game for three doesn't begin with two."""
    with pytest.raises(BadArena, match="needs 3 players, but --players names 2"):
        _ = plan("ternio").seatings


def opened(chosen: Plan, number: int) -> Any:
    """Return the position after the opening of a match."""
    table = Table(chosen, fixture(chosen, number))
    for _ in range(chosen.opening):
        table.ply()
    return table.state


def test_an_opening_is_the_same_for_all_seatings_and_another_one_next() -> None:
    """Nobody is favoured by the random plies, and a bot without chance doesn't play one match again and again."""
    chosen = plan("morris", "random", "random:other", opening=4)
    assert opened(chosen, 0) == opened(chosen, 1)
    assert opened(chosen, 0) != opened(chosen, 2)


@pytest.mark.parametrize("game", ["morris", "rainbow", "turncoat"])
def test_a_match_is_the_same_whenever_it_is_played(game: str) -> None:
    """The plan and the number decide all, but for the time that was taken."""
    first, again = (play(plan(game), fixture(plan(game), 3)) for _ in range(2))
    untimed = [msgspec.structs.replace(one, thinking=()) for one in (first, again)]
    assert untimed[0] == untimed[1]
    assert play(plan(game), fixture(plan(game), 4)) != first


def test_a_match_of_random_players_ends_by_the_rules() -> None:
    """Its places are those of the game's outcome, and its plies are all there."""
    played = play(plan("ternio", "random", "random", "random", opening=3), fixture(plan("ternio", *["random"] * 3), 0))
    assert sorted(played.places) == [1, 2, 3]
    assert sum(one.moves for one in played.thinking) == played.plies - 3


def test_a_match_that_begins_with_a_roll_is_played_to_its_end() -> None:
    """No seat is to move before it."""
    chosen = plan("rainbow", "random", "random", options={"dice": True})
    assert play(chosen, fixture(chosen, 0)).reason in GAMES["rainbow"].texts.endings


def test_a_match_is_drawn_at_the_limit_of_turns() -> None:
    """A removal belongs to the turn of the mill it pays for."""
    chosen = plan("morris", turn_limit=30)
    played = play(chosen, fixture(chosen, 0))
    assert (played.reason, played.places, played.turns) == ("turn_limit", (1, 1), 30)
    assert played.plies > played.turns


def test_a_player_knows_the_events_of_its_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    """In Turncoat the other seat's selection is hidden from the next player."""
    seen: list[Turn] = []

    def recording(turn: Turn) -> Move:
        seen.append(turn)
        return players.random(turn)

    monkeypatch.setattr("bench.arena.match_runner.player", lambda _game, _name: recording)
    chosen = plan("turncoat", turn_limit=8)
    play(chosen, fixture(chosen, 0))
    selections = [(turn.seat, event) for turn in seen for event in turn.events if isinstance(event, Selected)]
    assert {event.at for seat, event in selections if seat != event.seat} == {msgspec.UNSET}
    assert msgspec.UNSET not in {event.at for seat, event in selections if seat == event.seat}
    for turn in seen:
        state = turn.game.start(turn.options)
        for event in turn.events:
            state = turn.game.evolve(state, event)
        assert turn.game.view(state, turn.seat) == turn.game.view(turn.known, turn.seat)


def test_an_answer_is_counted_by_how_the_match_ends() -> None:
    """A winner, a last seat, a drawn match, and anybody at the beginning."""
    won, drawn = Outcome("line", (1, 2)), Outcome("agreed", (1, 1))
    late = [manners.Answer(50, Seat(seat), agreed=False) for seat in (0, 1)]
    assert [manners.group_of(answer, won, 100) for answer in late] == ["win", "come last"]
    assert {manners.group_of(answer, drawn, 100) for answer in late} == {"draw"}
    assert manners.group_of(late[0], won, 300).startswith("play on")


def test_every_seat_is_asked_for_a_draw_at_every_third_ply(capsys: pytest.CaptureFixture[str]) -> None:
    """The table has a row per group."""
    table = Table(plan("morris", nodes=1, turn_limit=8), fixture(plan("morris"), 0))
    assert [(answer.ply, answer.seat) for answer in manners.answers_of(table)][:4] == [(3, 0), (3, 1), (6, 0), (6, 1)]
    assert manners.main(["rainbow", "--level", "medium", "--matches", "1", "--nodes", "1"]) == 0
    assert "| win |" in capsys.readouterr().out


def clock_of(*times: float) -> Callable[[], float]:
    """Return a clock that shows these times, one a look."""
    shown: Iterator[float] = iter(times)
    return lambda: next(shown)


def test_a_move_after_its_deadline_is_counted_as_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """The deadline is the level's time; 100 ms later is still in time."""

    def slow(turn: Turn) -> Move:
        assert isinstance(turn.budget, Budget)
        assert not turn.budget.late()
        assert turn.budget.late()
        return players.random(turn)

    chosen = plan("morris", opening=0, nodes=None, seconds=0.5)
    monkeypatch.setattr("bench.arena.match_runner.player", lambda _game, _name: slow)
    table = Table(chosen, fixture(chosen, 0))
    for seat, took, late in [(0, 0.59, 0), (1, 0.61, 1)]:
        monkeypatch.setitem(CLOCKS, "wall", clock_of(10, 10.4, 10.5, 10 + took))
        table.ply()
        assert table.thinking[seat].late == late
        assert table.thinking[seat].worst == pytest.approx(took - 0.5)


def test_a_stopped_run_goes_on_where_it_was(tmp_path: Path) -> None:
    """What is in the file isn't played again, a line that a kill cut off is, and the whole is what one run gives."""
    out, whole = tmp_path / "rainbow.jsonl", tmp_path / "whole.jsonl"
    arguments = ("rainbow", "--players", "random", "random", "--nodes", "10")
    assert arena(*arguments, "--matches", "2", "--out", str(out)) == 0
    kept = out.read_bytes()
    out.write_bytes(kept + b'{"number":2,"sea')
    assert arena(*arguments, "--matches", "4", "--processes", "2", "--out", str(out)) == 0
    assert arena(*arguments, "--matches", "4", "--out", str(whole)) == 0
    assert out.read_bytes().startswith(kept)
    assert numbered(out) == numbered(whole)
    assert len(numbered(out)) == 4


def numbered(path: Path) -> dict[int, Any]:
    """Return what came of each match in a file."""
    lines = [json.loads(text) for text in path.read_text().splitlines()[1:]]
    return {line["number"]: (line["seated"], line["places"], line["plies"], line["reason"]) for line in lines}


def test_the_table_is_written_next_to_the_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is printed too."""
    out = tmp_path / "rainbow.jsonl"
    assert arena("rainbow", "--players", "random", "random", "--matches", "1", "--out", str(out)) == 0
    page = out.with_suffix(".md").read_text()
    assert "| random | 2 |" in page
    assert page in capsys.readouterr().out


def test_a_file_with_another_plan_is_left_alone(tmp_path: Path) -> None:
    """Results of different plans are never mixed."""
    out = tmp_path / "rainbow.jsonl"
    records.read_records(out, plan())
    before = out.read_bytes()
    with pytest.raises(BadArena, match="contains another plan"):
        records.read_records(out, plan(seed=2))
    assert out.read_bytes() == before


def test_a_file_of_something_else_is_left_alone(tmp_path: Path) -> None:
    """A wrong name with --out destroys nothing."""
    out = tmp_path / "poem.jsonl"
    out.write_text("Roses are red\n")
    with pytest.raises(BadArena, match="does not contain results"):
        records.read_records(out, plan())
    assert out.read_text() == "Roses are red\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["morris", "--players", "random", "kasparov"], "There is no player kasparov for morris; expected one of "),
        (["morris", "--players", "random", "random", "--options", "flying=never"], "--options: Invalid enum value"),
        (["morris", "--players", "random", "random", "--options", "speed=1"], "unknown field `speed`"),
        (["morris", "--players", "random", "random", "--time", "1", "--nodes", "5"], "choose one"),
        (["morris", "--players", "random", "random", "--time", "0"], "must be greater than 0"),
        (["morris", "--players", "random", "random", "--out", "table.md"], "ends in .jsonl, not table.md"),
        (["morris", "--players", "random"], "needs 2 players"),
        (["morris", "--players", "random", "mcts:5", "--matches", "1"], "OpenSpiel plays other rules; add"),
    ],
)
def test_an_invalid_plan_is_refused_with_advice(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2 and one sentence."""
    assert arena(*arguments) == 2
    assert said in capsys.readouterr().err


def test_a_score_shares_the_point_among_those_in_first_place() -> None:
    """Two wins, a draw and a loss of two are 2.5 of 4; the error is that of a mean."""
    ends = [(1, 2), (1, 2), (1, 1), (2, 1)]
    standings = report.ranking([record(number, ("a", "b"), places) for number, places in enumerate(ends)])
    best = standings[0]
    assert (best.player, best.wins, best.draws, best.losses, best.score) == ("a", 2, 1, 1, 2.5 / 4)
    assert best.error == pytest.approx(0.2394, abs=1e-4)  # the root of (0.375² · 2 + 0.125² + 0.625²) / 3 / 4
    assert standings[1].score == 1.5 / 4


def test_a_player_on_two_of_three_seats_counts_twice() -> None:
    """A shared win of both gives each a half."""
    one, two = report.ranking([record(0, ("a", "b", "b"), (3, 1, 1)), record(1, ("b", "a", "b"), (2, 1, 3))])
    assert (one.player, one.wins, one.draws, one.losses) == ("a", 1, 0, 1)
    assert (two.player, two.points) == ("b", (0.5, 0.5, 0.0, 0.0))


def test_a_beginner_beats_chance() -> None:
    """It closes mills and sees those of the other side coming, so it wins from every seat."""
    chosen = plan("morris", "beginner", "random")
    played = [play(chosen, fixture(chosen, number)) for number in range(4)]
    assert [one.places[one.seated.index("beginner")] for one in played] == [1, 1, 1, 1]


def test_without_open_spiel_its_player_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a tool of developers, not a dependency."""
    morris_players.import_open_spiel.cache_clear()
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    chosen = plan("morris", "mcts", "random", options=dict(option.split("=") for option in OPEN_SPIEL))
    with pytest.raises(BadArena, match=r"pip install 'turnstream\[arena\]'"):
        play(chosen, fixture(chosen, 0))


def test_open_spiel_plays_by_the_same_rules() -> None:
    """A whole match, with mills, removals and flying; a move that either side refuses would end it with an error."""
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install 'turnstream[arena]'")
    chosen = plan("morris", "mcts:20", "random", options=dict(option.split("=") for option in OPEN_SPIEL))
    played = play(chosen, fixture(chosen, 0))
    assert played.reason == "too_few_men"
    assert played.places == (1, 2)


@pytest.mark.skipif(shutil.which(os.environ.get("CC", "cc")) is None, reason="there is no C compiler")
@pytest.mark.parametrize(("game", "playouts", "matches"), [("ternio", "mcts:60", 3), ("triboard", "mcts:300", 1)])
def test_playouts_beat_two_that_play_at_random(game: str, playouts: str, matches: int) -> None:
    """In Ternio from every seat; a move that the rules refuse would end a match with an error."""
    chosen = plan(game, playouts, "random", "random")
    played = [play(chosen, fixture(chosen, number)) for number in range(matches)]
    assert {one.places[one.seated.index(playouts)] for one in played} == {1}


def test_a_pool_ends_only_its_own_processes() -> None:
    """A program that plays matches may have other child processes."""
    other = get_context("spawn").Process(target=time.sleep, args=(600,), daemon=True)
    other.start()
    try:
        with process_pool(1) as pool:
            running = pool.submit(abs, -1)
            assert running.result() == 1
        assert other.is_alive()
    finally:
        other.kill()
        other.join()


def test_the_command_line_of_a_clone_has_the_arena(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An installed package, without the benchmarks, says where it is."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "argv", ["turnstream"])
    asked = ["arena", "morris", "--players", "random", "random", "--matches", "2", "--turn-limit", "9"]
    assert turnstream.main(asked) == 0
    assert f"python -m bench.{' '.join(asked)}`" in capsys.readouterr().out
    monkeypatch.setattr(turnstream, "CLONE", tmp_path)
    assert turnstream.main(asked) == 2
    assert "in a clone of the repository" in capsys.readouterr().err
