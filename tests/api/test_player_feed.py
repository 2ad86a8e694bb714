"""A player's own feed: over a socket, as server-sent events and in pages, with a worker that delivers."""

import contextlib
from collections.abc import Iterator

import httpx
import msgspec

from tests.e2e.client import Feed, Json, Player, open_shared_socket

STARTED = ["match_began", "turn_began"]


@contextlib.contextmanager
def follow(player: Player, **fields: object) -> Iterator[Feed]:
    """Follow a player's own feed over a socket."""
    with open_shared_socket(player.client.url) as feed:
        feed.send(type="subscribe", me=True, token=player.token, **fields)
        assert feed.next()["type"] == "player_subscribed"
        yield feed


def start_match(ada: Player, bob: Player) -> str:
    """Start a match of Morris, in which Ada begins."""
    room: str = ada.open_room("morris", settings={"start": "full", "restart": None}).body["room"]
    bob.command(room, "join")
    return room


def events_until(feed: Feed, kind: str) -> list[Json]:
    """Return the events up to one of this type."""
    frames = feed.until(lambda frame: any(event["type"] == kind for event in frame.get("events", ())))
    return [event for frame in frames for event in frame.get("events", ())]


def stream(player: Player, last: str | None = None) -> contextlib.AbstractContextManager[httpx.Response]:
    """Open the stream of a player's own feed."""
    headers = {"authorization": f"Bearer {player.token}", **({"last-event-id": last} if last else {})}
    return player.client.http.stream("GET", "/v1/players/me/feed", headers=headers)


def read_stream(response: httpx.Response) -> Iterator[tuple[str | None, Json]]:
    """Yield the frames of a stream, each with its id."""
    fields: dict[str, str] = {}
    for line in response.iter_lines():
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif "data" in fields:
            yield fields.get("id"), msgspec.json.decode(fields["data"])
            fields = {}


def test_a_match_and_its_turns_reach_the_players(ada: Player, bob: Player) -> None:
    """A bot that follows this feed knows when it has to move, in all of its rooms."""
    with follow(ada) as feed:
        assert feed.next("player_snapshot")["rooms"] == []
        feed.next("player_caught_up")
        rooms = []
        for _ in range(2):
            rooms.append(start_match(ada, bob))
            events = events_until(feed, "turn_began")
            assert [event["type"] for event in events] == STARTED
            assert {event["room"] for event in events} == {rooms[-1]}
        ada.play(rooms[0], {"type": "place", "at": "a1"})
        bob.play(rooms[0], {"type": "place", "at": "b2"})
        [turn] = events_until(feed, "turn_began")
        assert (turn["room"], turn["seats"], turn["match"]) == (rooms[0], [0], 1)


def test_a_socket_resumes_its_own_feed(ada: Player, bob: Player) -> None:
    """With version and mark, without gap or repetition."""
    with follow(ada) as feed:
        start_match(ada, bob)
        seen = events_until(feed, "turn_began")
    room = start_match(ada, bob)
    bob.command(room, "resign")
    with follow(ada, since=seen[-1]["version"], id="again") as feed:
        missed = events_until(feed, "match_finished")
    assert [event["type"] for event in missed] == [*STARTED, "match_finished"]
    assert [event["version"] for event in (*seen, *missed)] == [1, 2, 3, 4, 5]


def test_a_stream_resumes_after_its_last_event(ada: Player, bob: Player) -> None:
    """The frames are those of the socket; the `id` is version and mark."""
    with stream(ada) as response:
        frames = read_stream(response)
        start_match(ada, bob)
        last = next(number for number, frame in frames if "turn_began" in str(frame))
    bob.command(start_match(ada, bob), "resign")
    with stream(ada, last) as response:
        frames = read_stream(response)
        assert next(frames)[1]["recovered"]
        events: list[Json] = []
        while "match_finished" not in [event["type"] for event in events]:
            events += next(frames)[1].get("events", ())
    assert [event["version"] for event in events] == [3, 4, 5]


def test_past_events_are_read_in_pages(ada: Player, bob: Player) -> None:
    """As JSON with a link to the next page, or as one event per line."""
    with follow(bob) as feed:
        for _ in range(2):
            bob.command(start_match(ada, bob), "resign")
            events_until(feed, "match_finished")
    first = bob.get("/v1/players/me/events", limit=3)
    assert first.body["next"] == first.body["events"][-1]["version"] == 3
    assert 'rel="next"' in first.headers["link"]
    second = bob.get("/v1/players/me/events", since=first.body["next"], limit=3)
    assert (second.body["next"], second.body["version"]) == (None, 4)
    lines = bob.client.http.get(
        "/v1/players/me/events", headers={"authorization": f"Bearer {bob.token}", "accept": "application/x-ndjson"}
    )
    assert [msgspec.json.decode(line) for line in lines.text.splitlines()] == [
        *first.body["events"],
        *second.body["events"],
    ]


def test_a_feed_of_ones_own_needs_a_token(ada: Player) -> None:
    """And the shared socket: that of a room is for the room only."""
    with open_shared_socket(ada.client.url) as feed:
        feed.send(type="subscribe", me=True, id=1)
        assert feed.next("reply")["problem"]["code"] == "unauthenticated"
        feed.send(type="subscribe", me=True, lobby=True, id=2)
        assert feed.next("reply")["problem"]["code"] == "unfit"
    room = ada.open_room("morris").body["room"]
    with ada.subscribe(room) as feed:
        feed.until(lambda frame: frame["type"] == "caught_up")
        feed.send(type="subscribe", me=True, id=3)
        assert feed.next("reply")["problem"]["code"] == "no_such_room"


def test_a_socket_leaves_its_own_feed(ada: Player, bob: Player) -> None:
    """After the reply nothing more comes."""
    with follow(ada) as feed:
        feed.until(lambda frame: frame["type"] == "player_caught_up")
        feed.send(type="unsubscribe", me=True, id="bye")
        feed.next("reply")
        with follow(ada) as other:
            start_match(ada, bob)
            events_until(other, "turn_began")
        assert feed.is_silent()
