"""The feed as server-sent events, for clients that only receive."""

import contextlib
import itertools
from collections.abc import Iterator
from typing import NamedTuple

import httpx
import msgspec
import pytest

from tests.e2e.client import BACKGROUND, ApiClient, Json, Player
from tests.e2e.seated_rooms import SeatedRoom, seat_players


class SentEvent(NamedTuple):
    """One event of the stream."""

    event_id: str | None
    frame: Json


def read(response: httpx.Response) -> Iterator[SentEvent]:
    """Read a stream event by event, heartbeats and presence left out."""
    fields: dict[str, str] = {}
    for line in response.iter_lines():
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif "data" in fields:
            frame = msgspec.json.decode(fields["data"])
            if frame["type"] not in BACKGROUND:
                yield SentEvent(fields.get("id"), frame)
            fields = {}


@contextlib.contextmanager
def stream(player: Player, room: str, last: str | None = None, **query: str | int) -> Iterator[Iterator[SentEvent]]:
    """Open a room's stream."""
    headers = {"accept": "text/event-stream"}
    if player.token:
        headers["authorization"] = f"Bearer {player.token}"
    if last:
        headers["last-event-id"] = last
    sent = httpx.Headers(headers, encoding="latin-1")
    address = f"/v1/rooms/{room}/feed"
    with player.client.http.stream("GET", address, headers=sent, params=query) as response:
        assert response.status_code == 200
        assert response.headers["content-type"].startswith("text/event-stream")
        yield read(response)


@pytest.fixture
def seated(client: ApiClient) -> SeatedRoom:
    """Return two players of Turncoat."""
    return seat_players(client, "turncoat", 2, settings={"restart": None})


def select(seated: SeatedRoom, number: int) -> None:
    """Let red select."""
    moves = seated.red.get(f"/v1/rooms/{seated.room}/legal-moves").body["legal_moves"]
    assert seated.red.play(seated.room, moves[number]).status == 200


def next_events(sent: Iterator[SentEvent], number: int) -> list[SentEvent]:
    """Return the next events."""
    return [next(sent) for _ in range(number)]


def test_the_stream_has_the_frames_of_the_socket(seated: SeatedRoom) -> None:
    """The same, in the same order; frames with a new version have the id `<epoch>.<version>.<mark>`."""
    with seated.red.subscribe(seated.room) as feed, stream(seated.red, seated.room) as sent:
        begun = next_events(sent, 3)
        assert [each.frame["type"] for each in begun] == ["subscribed", "snapshot", "caught_up"]
        epoch = begun[0].frame["epoch"]
        assert begun[2].event_id == begun[1].event_id == f"{epoch}.{begun[1].frame['version']}.{begun[1].frame['mark']}"
        feed.until(lambda frame: frame["type"] == "caught_up")
        for number in range(3):
            select(seated, number)
            update = next(sent)
            assert update.frame == feed.update()
            assert update.event_id == f"{epoch}.{update.frame['version']}.{update.frame['mark']}"


def test_a_stream_without_a_token_has_the_view_of_a_spectator(seated: SeatedRoom, anonymous: Player) -> None:
    """A stream with a token has the view of the player's seat."""
    with stream(anonymous, seated.room) as public, stream(seated.red, seated.room) as own:
        next_events(public, 3), next_events(own, 3)
        select(seated, 0)
        assert "at" not in next(public).frame["events"][0]
        assert "at" in next(own).frame["events"][0]


def test_a_stream_continues_after_the_last_event_id(seated: SeatedRoom, anonymous: Player) -> None:
    """A browser sends `Last-Event-ID` after an interruption."""
    with stream(anonymous, seated.room) as sent:
        last = next_events(sent, 3)[-1].event_id
    for number in range(4):
        select(seated, number)
    with stream(anonymous, seated.room, last=last) as sent:
        frames = [each.frame for each in next_events(sent, 6)]
    assert [frame["type"] for frame in frames] == ["subscribed", *["update"] * 4, "caught_up"]
    assert frames[0]["recovered"]
    missed = [event for frame in frames[1:5] for event in frame["events"]]
    since = int(str(last).split(".")[1])
    assert missed == anonymous.get(f"/v1/rooms/{seated.room}/events", since=since).body["events"]


def test_a_stream_can_be_resumed_by_query_as_well(seated: SeatedRoom) -> None:
    """The query has `since` and `mark`, as a subscription over a socket does."""
    with stream(seated.red, seated.room) as sent:
        place = next_events(sent, 3)[0].frame
    select(seated, 0)
    with stream(seated.red, seated.room, since=place["version"], mark=place["mark"]) as sent:
        assert [each.frame["type"] for each in next_events(sent, 3)] == ["subscribed", "update", "caught_up"]
    with stream(seated.red, seated.room, since=place["version"], mark="AAAAAAAAAAAAAAAA") as sent:
        assert next_events(sent, 2)[1].frame["reason"] == "history_changed"


def test_a_stream_that_catches_up_with_a_long_history_misses_nothing(ada: Player) -> None:
    """Hundreds of commands, a frame each, before the first that is new; 2 and 3 are what is left of the opening."""
    room = ada.open_room("morris").body["room"]
    with ada.subscribe(room, state=False) as feed:
        for number in range(600):
            assert "result" in feed.command(room, {"type": "unready" if number % 2 else "ready"})
    last = ada.read_room(room).body["version"]
    with stream(ada, room, since=1) as sent:
        frames = list(itertools.takewhile(lambda frame: frame["type"] != "caught_up", (each.frame for each in sent)))
    assert [frame["type"] for frame in frames] == ["subscribed", *["update"] * (last - 2)]
    assert [event["version"] for frame in frames[1:] for event in frame["events"]] == list(range(2, last + 1))


def test_the_last_event_of_another_epoch_gets_a_snapshot(seated: SeatedRoom) -> None:
    """So does an event that is newer than the room."""
    for last in ("aaaaaaaa.3", f"{seated.red.read_room(seated.room).body['epoch']}.99999"):
        with stream(seated.red, seated.room, last=last) as sent:
            assert [each.frame["type"] for each in next_events(sent, 3)] == ["subscribed", "snapshot", "caught_up"]


@pytest.mark.parametrize("mark", ["AAAAAAAAAAAAAAAA", "\u00e4", "="])
def test_a_last_event_of_a_replaced_history_gets_one_snapshot(seated: SeatedRoom, mark: str) -> None:
    """The snapshot names the reason, for any invalid mark in the header or in the query."""
    place = seated.red.read_room(seated.room).body
    last = f"{place['epoch']}.{place['version'] - 1}"
    by_header = stream(seated.red, seated.room, last=f"{last}.{mark}")
    by_query = stream(seated.red, seated.room, since=place["version"] - 1, mark=mark)
    for resumed in (by_header, by_query):
        with resumed as sent:
            frames = [each.frame for each in next_events(sent, 3)]
        assert [frame["type"] for frame in frames] == ["subscribed", "snapshot", "caught_up"]
        assert frames[1]["reason"] == "history_changed"
    with stream(seated.red, seated.room, last=last) as sent:
        assert [each.frame["type"] for each in next_events(sent, 3)] == ["subscribed", "update", "caught_up"]


@pytest.mark.parametrize("last", ["x", "3.", ".", "a.b", "a.-1", "a.1.", "a.1.b.c", "a.99999999999999999", "a.\u00b2"])
def test_an_invalid_last_event_id_is_422(seated: SeatedRoom, last: str) -> None:
    """It is rejected before anything is streamed."""
    headers = {"accept": "text/event-stream", "last-event-id": last}
    assert seated.red.get(f"/v1/rooms/{seated.room}/feed", headers).status == 422


def test_a_stream_of_an_unknown_room_is_404(anonymous: Player) -> None:
    """The response is a problem and not a stream."""
    answer = anonymous.get("/v1/rooms/nobody-home/feed", {"accept": "text/event-stream"})
    assert (answer.status, answer.code) == (404, "no_such_room")
    assert anonymous.get("/v1/rooms/nobody-home/feed", {"accept": "application/json"}).status == 406
