"""Blocks: who is listed, and that those who have blocked each other do not meet."""

import contextlib
from collections.abc import Iterator

from tests.e2e.client import ApiClient, Feed, Player, Response, open_shared_socket
from tests.waiting import wait_for


def block(player: Player, other: Player | str) -> Response:
    """Block another player."""
    return player.send("PUT", f"/v1/players/me/blocks/{other if isinstance(other, str) else other.id}")


def unblock(player: Player, other: Player) -> Response:
    """End a block."""
    return player.send("DELETE", f"/v1/players/me/blocks/{other.id}")


def blocked(player: Player) -> list[str]:
    """Return the players on a block list."""
    return [each["player"] for each in player.get("/v1/players/me/blocks").body["blocks"]]


def test_a_block_list_is_its_players_own(ada: Player, bob: Player, cyd: Player) -> None:
    """In the order of the blocks; repeating one changes nothing."""
    for other in (bob, cyd, bob):
        assert block(ada, other).status == 204
    assert blocked(ada) == [bob.id, cyd.id]
    assert blocked(bob) == []
    assert ada.get("/v1/players/me/blocks").body["blocks"][0]["since"].endswith("Z")
    for _ in range(2):
        assert unblock(ada, bob).status == 204
    assert blocked(ada) == [cyd.id]


def test_a_block_needs_another_player(ada: Player) -> None:
    """By the form of the id; whether somebody has it is not said."""
    refused = block(ada, ada)
    assert (refused.status, refused.code) == (422, "own_block")
    for wrong in ("x", "p-", "p-ADA", "p-" + "a" * 41, "@me"):
        refused = block(ada, wrong)
        assert (refused.status, refused.body["parameter"]) == (422, "player")
    assert blocked(ada) == []


def test_players_who_blocked_each_other_are_not_paired(there: ApiClient, ada: Player, bob: Player, cyd: Player) -> None:
    """In any process; another player is."""
    wish = {"game": "turncoat", "clock": {"type": "per_move", "ms": 61_000}, "rated": True}
    assert block(bob, ada).status == 204
    assert ada.post("/v1/seeks", wish).body["paired"] is False
    assert bob.via(there).post("/v1/seeks", wish).body["paired"] is False
    assert cyd.post("/v1/seeks", wish).body["paired"] is True
    assert ada.get("/v1/players/me/seeks").body["pairing"] is not None
    assert len(bob.get("/v1/players/me/seeks").body["seeks"]) == 1


def test_players_who_blocked_each_other_cannot_challenge_each_other(ada: Player, bob: Player) -> None:
    """In either direction, and as if the other one were not available; an open challenge ends."""
    made = bob.post("/v1/challenges", {"game": "morris", "opponents": [ada.id]})
    assert made.status == 201
    assert block(ada, bob).status == 204
    for by, other in ((ada, bob), (bob, ada)):
        challenge = {"game": "morris", "opponents": [other.id]}
        refused = by.post("/v1/challenges", challenge)
        assert (refused.status, refused.code) == (409, "opponent_unavailable")
    accepted = ada.post(f"/v1/challenges/{made.body['id']}/accept", {})
    assert accepted.code == "no_such_challenge"


@contextlib.contextmanager
def in_lobby(player: Player) -> Iterator[Feed]:
    """Follow the lobby with a player's token."""
    with open_shared_socket(player.client.url) as feed:
        feed.send(type="subscribe", lobby=True, token=player.token)
        feed.next("lobby")
        yield feed


def texts_until(feed: Feed, last: str) -> list[str]:
    """Return the lines of chat that a feed receives, up to this one."""
    frames = feed.until(lambda frame: frame["type"] == "chat" and frame["line"]["text"] == last)
    return [frame["line"]["text"] for frame in frames if frame["type"] == "chat"]


def texts(player: Player, path: str) -> list[str]:
    """Return the lines of a chat that a player can read."""
    return [line["text"] for line in player.get(path).body["lines"]]


def test_blocked_players_do_not_see_each_others_lines_in_a_room(
    there: ApiClient, ada: Player, bob: Player, cyd: Player
) -> None:
    """Neither in frames nor in pages, in every process; others see both. Without the block they are there again."""
    room = ada.open_room("morris").body["room"]
    path = f"/v1/rooms/{room}/chat"
    assert bob.command(room, "join").status == cyd.spectate(room).status == 200
    assert bob.post(path, {"text": "before"}).status == 201
    with ada.subscribe(room) as to_ada, bob.via(there).subscribe(room) as to_bob, cyd.subscribe(room) as to_cyd:
        for feed in (to_ada, to_bob, to_cyd):
            feed.until(lambda frame: frame["type"] == "caught_up")
        assert block(ada, bob).status == 204
        wait_for(lambda: "before" not in texts(ada.via(there), path))
        for player, text in ((ada, "from Ada"), (bob, "from Bob"), (cyd, "from Cyd")):
            assert player.post(path, {"text": text}).status == 201
        assert texts_until(to_ada, "from Cyd") == ["from Ada", "from Cyd"]
        assert texts_until(to_bob, "from Cyd") == ["from Bob", "from Cyd"]
        assert texts_until(to_cyd, "from Cyd") == ["from Ada", "from Bob", "from Cyd"]
    for client in (ada.client, there):
        assert texts(ada.via(client), path) == ["from Ada", "from Cyd"]
        assert texts(bob.via(client), path) == ["before", "from Bob", "from Cyd"]
        assert texts(client.anonymous(), path) == ["before", "from Ada", "from Bob", "from Cyd"]
    assert unblock(ada, bob).status == 204
    assert texts(ada, path) == ["before", "from Ada", "from Bob", "from Cyd"]


def test_blocked_players_do_not_see_each_others_lines_in_the_lobby(ada: Player, bob: Player, cyd: Player) -> None:
    """The same there."""
    path = "/v1/lobby/chat"
    assert block(bob, ada).status == 204
    with in_lobby(ada) as to_ada, in_lobby(bob) as to_bob:
        own = {player.id: f"from {player.id}" for player in (ada, bob, cyd)}
        for player in (ada, bob, cyd):
            assert player.post(path, {"text": own[player.id]}).status == 201
        assert texts_until(to_ada, own[cyd.id]) == [own[ada.id], own[cyd.id]]
        assert texts_until(to_bob, own[cyd.id]) == [own[bob.id], own[cyd.id]]
    assert own[bob.id] not in texts(ada, path)
    assert own[ada.id] not in texts(bob, path)
    assert {*own.values()} <= {*texts(cyd, path)}


def test_a_block_takes_effect_on_open_sockets(ada: Player, bob: Player, cyd: Player) -> None:
    """And its end, too."""
    path = "/v1/lobby/chat"
    with in_lobby(ada) as feed:
        for change, seen in ((None, True), (block, False), (unblock, True)):
            if change is not None:
                assert change(ada, bob).status == 204
            assert bob.post(path, {"text": "hello"}).status == 201
            assert cyd.post(path, {"text": "end"}).status == 201
            assert ("hello" in texts_until(feed, "end")) == seen
