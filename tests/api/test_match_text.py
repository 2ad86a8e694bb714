"""A match's text over HTTP: asked for by `Accept`, there when the match has ended, and held by `turnstream verify`."""

from pathlib import Path

import pytest

from service.__main__ import main
from service.domain.notation.reading import read_export, read_text
from service.domain.notation.sheet import sheet_of
from tests.e2e.client import Answer, Door, Json, Player, fresh_name
from tests.e2e.tables import Table, seated

SALTS = ("pepper", "\U0001d11e \u2028 \"'", "")
NAMES = ("Ada", "B (7. red)", "\u8f9b; x")
NEXT_MATCH_NEVER = {"restart": None}


def triboard(door: Door) -> Table:
    """Open a room for three who are ready with their salts, so that its match begins."""
    players, room = tuple(door.guest(name) for name in NAMES), fresh_name()
    assert players[0].opens("triboard", name=room, settings=NEXT_MATCH_NEVER).status == 201
    for player in players[1:]:
        assert player.asks(room, "join").status == 200
    for player, salt in zip(players, SALTS, strict=True):
        assert player.asks(room, "ready", salt=salt).status == 200
    return Table(room, players)


def match(table: Table) -> Json:
    """Return the match as the room shows it to everybody, the mover's legal moves among it."""
    shown: Json = table.players[0].door.stranger().sees(table.room).body["match"]
    return shown


def export(reader: Player, match_id: str, accept: str) -> Answer:
    """Ask for a match in a media type."""
    return reader.gets(f"/v1/matches/{match_id}/export", {"accept": accept})


def played(table: Table, moves: int) -> str:
    """Make some moves, let all but one seat resign, and return the match's id."""
    for _ in range(moves):
        shown = match(table)
        assert table.players[shown["to_move"][0]].plays(table.room, shown["legal_moves"][0]).status == 200
    for player in table.players[1:]:
        assert player.asks(table.room, "resign").status == 200
    return str(match(table)["id"])


def test_a_match_that_has_ended_has_a_text(
    door: Door, stranger: Player, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Names, salts, moves and drop-outs; text and events are the same match, and both hold."""
    match_id = played(triboard(door), moves=5)
    text = export(stranger, match_id, "text/plain")
    assert (text.status, text.headers["content-type"]) == (200, "text/plain; charset=utf-8")
    sheet = read_text(text.content.decode())
    assert tuple(sheet.heading.seats.values()) == NAMES
    assert sheet.heading.salts == SALTS
    assert len(sheet.entries) == 7
    events = export(stranger, match_id, "*/*")
    assert events.headers["content-type"] == "application/x-ndjson"
    assert sheet_of(read_export(events.content), NAMES) == sheet
    for place in (written(tmp_path / "text", text), written(tmp_path / "events", events), address(door, match_id)):
        assert main(["verify", place]) == 0
        assert main(["replay", place]) == 0
    assert "WRONG" not in capsys.readouterr().out


def written(file: Path, answer: Answer) -> str:
    """Write an answer to a file."""
    file.write_bytes(answer.content)
    return str(file)


def address(door: Door, match_id: str) -> str:
    """Return a match's own address."""
    return f"{door.url}/v1/matches/{match_id}"


def test_a_running_match_has_no_text(door: Door, stranger: Player) -> None:
    """409 until it ends, as its seed is not shown before; its events can be had."""
    table = seated(door, "morris", 2)
    refused = export(stranger, match(table)["id"], "text/plain")
    assert (refused.status, refused.code) == (409, "still_playing")
    assert export(stranger, match(table)["id"], "application/x-ndjson").status == 200
    assert main(["verify", address(door, match(table)["id"])]) == 2
    assert main(["replay", address(door, match(table)["id"])]) == 0


def test_a_match_that_the_house_ended_has_a_text(door: Door, stranger: Player) -> None:
    """It counts for nobody, and says so."""
    table = seated(door, "ternio", 3)
    match_id = match(table)["id"]
    assert table.players[0].asks(table.room, "close").status == 200
    heading = read_text(export(stranger, match_id, "text/plain").content.decode()).heading
    assert (heading.result.reason, heading.result.winners) == ("closed", ())


def test_a_selection_that_was_never_uncovered_is_in_no_text(door: Door) -> None:
    """Not even for the seat that made it."""
    table = seated(door, "turncoat", 2, NEXT_MATCH_NEVER)
    first = table.red.sees(table.room).body["match"]["legal_moves"][0]
    assert table.red.plays(table.room, first).status == 200
    match_id = played(table, moves=0)
    for reader in table.players:
        sheet = read_text(export(reader, match_id, "text/plain").content.decode())
        assert [type(entry).__name__ for entry in sheet.entries] == ["Drop"]


def test_nothing_else_can_be_asked_for(stranger: Player, door: Door) -> None:
    """406 names what is served."""
    refused = export(stranger, match(seated(door, "morris", 2))["id"], "text/html")
    assert refused.status == 406
    assert refused.body["params"]["served"] == ["application/x-ndjson", "text/plain"]
