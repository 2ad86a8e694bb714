"""A match's text over HTTP: requested by `Accept`, available after the match, valid for `turnstream verify`."""

from pathlib import Path

import pytest

from service.__main__ import main
from service.domain.notation.reading import read_export, read_text
from service.domain.notation.sheet import sheet_of
from tests.e2e.client import ApiClient, Json, Player, Response, fresh_name
from tests.e2e.seated_rooms import SeatedRoom, seat_players

SALTS = ("pepper", "\U0001d11e \u2028 \"'", "")
NAMES = ("Ada", "B (7. red)", "\u8f9b; x")
NEXT_MATCH_NEVER = {"restart": None}


def triboard(client: ApiClient) -> SeatedRoom:
    """Open a room for three who are ready with their salts, so that its match begins."""
    players, room = tuple(client.guest(name) for name in NAMES), fresh_name()
    assert players[0].open_room("triboard", name=room, settings=NEXT_MATCH_NEVER).status == 201
    for player in players[1:]:
        assert player.command(room, "join").status == 200
    for player, salt in zip(players, SALTS, strict=True):
        assert player.command(room, "ready", salt=salt).status == 200
    return SeatedRoom(room, players)


def match(seated: SeatedRoom) -> Json:
    """Return the match as the room shows it to everybody, the mover's legal moves among it."""
    shown: Json = seated.players[0].client.anonymous().read_room(seated.room).body["match"]
    return shown


def export(reader: Player, match_id: str, accept: str) -> Response:
    """Request a match in a media type."""
    return reader.get(f"/v1/matches/{match_id}/export", {"accept": accept})


def played(seated: SeatedRoom, moves: int) -> str:
    """Make some moves, let all but one seat resign, and return the match's id."""
    for _ in range(moves):
        shown = match(seated)
        assert seated.players[shown["to_move"][0]].play(seated.room, shown["legal_moves"][0]).status == 200
    for player in seated.players[1:]:
        assert player.command(seated.room, "resign").status == 200
    return str(match(seated)["id"])


def test_a_match_that_has_ended_has_a_text(
    client: ApiClient, anonymous: Player, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Names, salts, moves and drop-outs; text and events are the same match, and both hold."""
    match_id = played(triboard(client), moves=5)
    text = export(anonymous, match_id, "text/plain")
    assert (text.status, text.headers["content-type"]) == (200, "text/plain; charset=utf-8")
    sheet = read_text(text.content.decode())
    assert tuple(sheet.heading.seats.values()) == NAMES
    assert sheet.heading.salts == SALTS
    assert len(sheet.entries) == 7
    events = export(anonymous, match_id, "*/*")
    assert events.headers["content-type"] == "application/x-ndjson"
    assert sheet_of(read_export(events.content), NAMES) == sheet
    for place in (written(tmp_path / "text", text), written(tmp_path / "events", events), address(client, match_id)):
        assert main(["verify", place]) == 0
        assert main(["replay", place]) == 0
    assert "WRONG" not in capsys.readouterr().out


def written(file: Path, answer: Response) -> str:
    """Write an answer to a file."""
    file.write_bytes(answer.content)
    return str(file)


def address(client: ApiClient, match_id: str) -> str:
    """Return a match's own address."""
    return f"{client.url}/v1/matches/{match_id}"


def test_a_running_match_has_no_text(client: ApiClient, anonymous: Player) -> None:
    """409 until it ends, as its seed is not shown before; its events can be had."""
    seated = seat_players(client, "morris", 2)
    refused = export(anonymous, match(seated)["id"], "text/plain")
    assert (refused.status, refused.code) == (409, "still_playing")
    assert export(anonymous, match(seated)["id"], "application/x-ndjson").status == 200
    assert main(["verify", address(client, match(seated)["id"])]) == 2
    assert main(["replay", address(client, match(seated)["id"])]) == 0


def test_a_match_that_the_house_ended_has_a_text(client: ApiClient, anonymous: Player) -> None:
    """The text says that the match does not count."""
    seated = seat_players(client, "ternio", 3)
    match_id = match(seated)["id"]
    assert seated.players[0].command(seated.room, "close").status == 200
    heading = read_text(export(anonymous, match_id, "text/plain").content.decode()).heading
    assert (heading.result.reason, heading.result.winners) == ("closed", ())


def test_a_selection_that_was_never_uncovered_is_in_no_text(client: ApiClient) -> None:
    """The text that the selecting seat gets does not have it either."""
    seated = seat_players(client, "turncoat", 2, NEXT_MATCH_NEVER)
    first = seated.red.read_room(seated.room).body["match"]["legal_moves"][0]
    assert seated.red.play(seated.room, first).status == 200
    match_id = played(seated, moves=0)
    for reader in seated.players:
        sheet = read_text(export(reader, match_id, "text/plain").content.decode())
        assert [type(entry).__name__ for entry in sheet.entries] == ["Drop"]


def test_other_media_types_are_refused(anonymous: Player, client: ApiClient) -> None:
    """The problem with 406 names the available media types."""
    refused = export(anonymous, match(seat_players(client, "morris", 2))["id"], "text/html")
    assert refused.status == 406
    assert refused.body["params"]["served"] == ["application/x-ndjson", "text/plain"]
