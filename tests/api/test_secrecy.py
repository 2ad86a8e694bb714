"""What must not be known: the other's selection while it is hidden, and what never leaves the server at all."""

import base64
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import msgspec
import pytest

from tests.e2e.client import ApiClient, Player, Response, has_event
from tests.e2e.processes import OPERATORS, SECRET
from tests.e2e.seated_rooms import SeatedRoom, seat_players
from tests.store_server import StoreServer

ROUNDS = 12
NUMBERED = re.compile(rb'("version":|>version )\d+|("(?:time|server_time|mark)":")[^"]*')
COMMIT = {"type": "commit"}


@pytest.fixture
def seated(client: ApiClient) -> SeatedRoom:
    """Return two players of Turncoat."""
    return seat_players(client, "turncoat", 2, settings={"restart": None}, options={"round_limit": ROUNDS})


def bare(content: bytes) -> bytes:
    """Return a response without versions, times and marks."""
    return NUMBERED.sub(rb"\1\2", content)


def squares(player: Player, room: str) -> list[dict[str, str]]:
    """Return the selections that a player may make."""
    moves = player.get(f"/v1/rooms/{room}/legal-moves").body["legal_moves"]
    return [move for move in moves if move["type"] == "select"]


@pytest.mark.parametrize("committed", [False, True])
def test_the_other_side_receives_the_same_bytes_for_every_selection(seated: SeatedRoom, committed: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """This covers frames, state, history and export, before and after the commit."""
    seen = set()
    match = seated.red.read_room(seated.room).body["match"]["id"]
    with seated.yellow.subscribe(seated.room) as feed:
        feed.until(lambda frame: frame["type"] == "caught_up")
        for move in squares(seated.red, seated.room):
            moved = [seated.red.play(seated.room, move)]
            moved += [seated.red.play(seated.room, COMMIT)] if committed else []
            frames = [bare(feed.text().encode()) for _ in moved]
            since = moved[0].body["version"] - 1
            looks = [
                seated.yellow.read_room(seated.room),
                seated.yellow.read_room(seated.room, at=moved[-1].body["version"]),
                seated.yellow.get(f"/v1/rooms/{seated.room}/events", since=since),
                seated.yellow.get(f"/v1/rooms/{seated.room}/legal-moves"),
                seated.yellow.get(f"/v1/rooms/{seated.room}/board.svg"),
            ]
            lines = seated.yellow.get(f"/v1/matches/{match}/export").content.splitlines()[-len(moved) :]
            tags = [re.sub(r"\d+\"$", "", look.etag) for look in looks]
            seen.add((*frames, *(bare(look.content) for look in looks), *map(bare, lines), *tags))
    assert len(seen) == 1


def test_two_who_submit_at_the_same_moment_never_meet_a_conflict(seated: SeatedRoom) -> None:
    """Round after round, selections and commits alike: each is accepted and takes a version of its own."""
    barrier = Barrier(2)

    def submit(player: Player, move: dict[str, str]) -> Response:
        barrier.wait()
        return player.play(seated.room, move)

    with ThreadPoolExecutor(2) as pool:
        for number in range(ROUNDS):
            for moves in ([squares(player, seated.room)[number] for player in seated.players], [COMMIT, COMMIT]):
                answers = list(pool.map(submit, seated.players, moves))
                assert [answer.status for answer in answers] == [200, 200]
                one, other = ({event["version"] for event in answer.body["events"]} for answer in answers)
                assert not one & other
    assert seated.red.read_room(seated.room).body["match"]["result"]["reason"] in {"round_limit", "all_black"}


def test_the_seed_is_promised_at_the_start_and_shown_at_the_end(seated: SeatedRoom, anonymous: Player) -> None:
    """Until then it is in no route and no frame."""
    readers = [*seated.players, anonymous]
    with seated.red.subscribe(seated.room, since=0) as feed:
        before = [feed.text().encode() for _ in range(4)]
        for reader in readers:
            before += read_everything(reader, seated)
        before.append(seated.red.command(seated.room, "resign", dry_run=True).content)
        ended = seated.red.command(seated.room, "resign").body["events"][-1]
        feed.until(has_event("match_ended"))
    assert len(ended["seed"]) == 64
    assert not [content for content in before if ended["seed"].encode() in content or b'"seed"' in content]
    started = read_everything(anonymous, seated)[1]
    assert b'"seed_hash":"' in started


def read_everything(reader: Player, seated: SeatedRoom) -> list[bytes]:
    """Return all that a client can read of a room."""
    match = reader.read_room(seated.room).body["match"]["id"]
    paths = [f"/v1/rooms/{seated.room}{rest}" for rest in ("", "/events", "/legal-moves", "/matches", "/board.svg")]
    paths += [f"/v1/matches/{match}", f"/v1/matches/{match}/export", "/v1/rooms"]
    answers = [reader.get(path) for path in paths]
    assert {answer.status for answer in answers} == {200}
    return [answer.content for answer in answers]


def test_no_response_has_keys_fingerprints_or_digests(
    seated: SeatedRoom, rooms_store: StoreServer, anonymous: Player
) -> None:
    """Not even the sender of a key gets it back."""
    key = "a-key-that-would-be-noticed"
    with seated.red.subscribe(seated.room, since=0) as feed:
        seated.red.play(seated.room, squares(seated.red, seated.room)[0], key=key)
        answers = [str(frame).encode() for frame in feed.until(has_event("selected"))]
    answers.append(seated.red.play(seated.room, squares(seated.red, seated.room)[0], key=key).content)
    for reader in (*seated.players, anonymous):
        answers += read_everything(reader, seated)
    [stream] = rooms_store.execute("KEYS", f"*:room:{seated.room}:*") or [None]
    entries = rooms_store.execute("XRANGE", stream, "-", "+")
    digests = [fields[3] for _, fields in entries]
    fingerprint = msgspec.json.decode(entries[-1][1][1])[7]
    secrets = [key.encode(), fingerprint.encode(), *(form for digest in digests for form in written(digest))]
    assert len(secrets) > 2 * len(entries)
    assert not [secret for secret in secrets for answer in answers if secret in answer]


def written(digest: bytes) -> list[bytes]:
    """Return how a digest might be spelled."""
    return [digest.hex().encode(), base64.b64encode(digest)[:16], base64.urlsafe_b64encode(digest)[:16]]


def test_the_log_has_no_secrets(seated: SeatedRoom, logs: Path, operator: Player) -> None:
    """Neither a token, nor the signing key, nor a hidden selection, nor a seed."""
    seated.red.play(seated.room, squares(seated.red, seated.room)[0])
    assert operator.read_room(seated.room).status == 200
    ended = seated.red.command(seated.room, "resign").body["events"][-1]
    log = logs.read_text()
    for secret in (SECRET, OPERATORS, str(seated.red.token), str(seated.yellow.token), ended["seed"], '"selected"'):
        assert secret not in log
