"""Passwords cost work, so their number is bounded: by player and room, by address, and in the queue."""

import asyncio
import socket
import struct
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from service.rooms.access import passwords
from service.rooms.access.passwords import CONCURRENT, MAX_WAITING, HashingQueue
from service.runtime.current_operation import begin
from service.streams.errors import ServiceError
from tests.api.limit_coverage import reaches
from tests.api.test_limits import is_limited, limited
from tests.e2e.client import ApiClient, Player, fresh_name
from tests.e2e.processes import OPERATORS

SESAME = "open sesame"


def private(player: Player) -> str:
    """Open a private room."""
    return str(player.open_room("morris", settings={"visibility": "private", "password": SESAME}).body["room"])


@reaches(limit_passwords="rate_limited")
def test_a_player_tries_few_passwords_on_a_room(store_and_log: tuple[str, Path]) -> None:
    """By POST, dry runs and socket together; an unknown room counts like an existing one. Others may join."""
    with limited(store_and_log, passwords="3") as client:
        ada, bob, cyd = (client.guest(name) for name in ("Ada", "Bob", "Cyd"))
        for room in (private(ada), fresh_name()):
            wrong = {"type": "join", "password": "wrong"}
            assert bob.post(f"/v1/rooms/{room}/commands", wrong).code == "no_such_room"
            assert bob.post(f"/v1/rooms/{room}/commands", wrong, dry_run="true").code == "no_such_room"
            with bob.subscribe(room) as feed:
                assert feed.command(room, wrong)["problem"]["code"] == "no_such_room"
                assert feed.command(room, wrong)["problem"]["code"] == "rate_limited"
            refused = bob.post(f"/v1/rooms/{room}/commands", wrong)
            assert is_limited(refused, "rate_limited")
            assert refused.body["params"] == {"limit": "passwords", "quota": 3, "seconds": 60}
            assert refused.headers["ratelimit-policy"] == '"passwords";q=3;w=60'
            assert refused.headers["ratelimit"] == f'"passwords";r=0;t={refused.body["retry_after"]}'
        for player in (bob, cyd):
            assert player.command(private(ada), "join", password=SESAME).status == 200


@reaches(limit_passwords_address="rate_limited")
def test_an_address_sends_few_passwords(store_and_log: tuple[str, Path]) -> None:
    """For any room and player; commands that open a room or change its password count, too."""
    with limited(store_and_log, passwords_address="3") as client:
        ada, bob = client.guest("Ada"), client.guest("Bob")
        room = private(ada)
        assert ada.command(room, "configure", settings={"password": "another one"}).status == 200
        assert bob.command(room, "join", password="another one").status == 200  # noqa: S106 - a test's
        limits = {"visibility": "private", "password": SESAME}
        assert is_limited(ada.open_room("morris", settings=limits), "rate_limited")
        assert is_limited(bob.command(room, "join", password=SESAME), "rate_limited")
        assert ada.open_room("morris").status == 201


@reaches(limit_admin_tokens="rate_limited")
def test_wrong_operators_tokens_are_few(store_and_log: tuple[str, Path]) -> None:
    """From one address; the right token is as good as ever, from this address and from another one."""
    with limited(store_and_log, admin_tokens="2", trusted_proxies="127.0.0.1", admin_token=OPERATORS) as client:
        here, there = {"x-forwarded-for": "9.9.9.9"}, {"x-forwarded-for": "8.8.8.8"}
        wrong, right = Player(client, OPERATORS + "x"), Player(client, OPERATORS)
        assert right.get("/v1/admin/rooms", here).status == 200
        assert [wrong.get("/v1/admin/rooms", here).status for _ in range(2)] == [401, 401]
        assert is_limited(wrong.get("/v1/admin/log", here), "rate_limited")
        assert [right.get("/v1/admin/log", address).status for address in (here, there)] == [200, 200]
        assert wrong.get("/v1/admin/log", there).status == 401


def test_an_operator_is_not_refused_for_the_reads_of_the_address(store_and_log: tuple[str, Path]) -> None:
    """A wrong token is a read, too; anybody can send enough of them from an address that an operator shares."""
    with limited(store_and_log, reads_address="1", admin_token=OPERATORS) as client:
        wrong = Player(client, OPERATORS + "x")
        assert wrong.get("/v1/admin/rooms", limit=9999).status == 422
        assert is_limited(wrong.get("/v1/admin/log"), "rate_limited")
        assert Player(client, OPERATORS).get("/v1/admin/log").status == 200


@reaches(limit_invitations="rate_limited")
def test_wrong_codes_of_invitations_are_few(store_and_log: tuple[str, Path]) -> None:
    """From one address, over all routes and for pages; from another one the right code is as good as ever."""
    with limited(store_and_log, invitations="3", trusted_proxies="127.0.0.1") as client:
        here, there = {"x-forwarded-for": "9.9.9.9"}, {"x-forwarded-for": "8.8.8.8"}
        ada, bob = client.guest("Ada"), client.guest("Bob")
        code = ada.command(private(ada), "invite").body["invitation"]["code"]
        wrong = "A" * len(code)
        for path in (f"/v1/invitations/{wrong}", f"/v1/invitations/{code}", f"/i/{code}"):
            assert bob.get(path, here).status == (404 if wrong in path else 200)
        assert bob.get(f"/i/{wrong}", here).status == 200
        assert bob.post(f"/v1/invitations/{wrong}", {}, here).code == "no_such_invitation"
        for path in (f"/v1/invitations/{wrong}", f"/v1/invitations/{code}", f"/i/{code}"):
            assert is_limited(bob.get(path, here), "rate_limited")
        assert is_limited(bob.post(f"/v1/invitations/{code}", {}, here), "rate_limited")
        assert bob.post(f"/v1/invitations/{code}", {}, there).status == 200


def by_socket(player: Player, room: str) -> str:
    """Subscribe, and return what the socket is closed with."""
    with player.subscribe(room) as feed:
        try:
            feed.next()
        except ConnectionClosed as closed:
            return str(closed.rcvd and closed.rcvd.code)
    return ""


HTTP_CODES = ("unauthenticated", "rate_limited")
WAYS: dict[str, tuple[Callable[[Player, str], str], str, str]] = {
    "read": (lambda player, room: player.read_room(room).code, *HTTP_CODES),
    "command": (lambda player, room: player.command(room, "unready").code, *HTTP_CODES),
    "dry run": (lambda player, room: player.command(room, "unready", dry_run=True).code, *HTTP_CODES),
    "socket": (by_socket, "4100", "4205"),
}
"""Ways in, and how each refuses a wrong token and too many of them."""


@pytest.mark.parametrize("way", WAYS)
def test_wrong_operators_tokens_are_few_wherever_the_right_one_counts(
    store_and_log: tuple[str, Path], way: str
) -> None:
    """The right one is never refused. Players' tokens are no guesses, also where they are not valid."""
    enter, wrong, too_many = WAYS[way]
    with limited(store_and_log, admin_tokens="2", admin_token=OPERATORS) as client:
        ada = client.guest("Ada")
        room, old = private(ada), Player(client, f"t1.{ada.id}.QWRh.not-signed-by-us")
        assert [enter(old, room) for _ in range(4)] == [wrong] * 4
        right = enter(Player(client, OPERATORS), room)
        assert right != too_many
        assert [enter(Player(client, f"guess {number}"), room) for number in range(3)] == [wrong, wrong, too_many]
        assert enter(Player(client, OPERATORS), room) == right
        assert enter(ada, room) not in {wrong, too_many}


async def test_few_passwords_are_hashed_at_a_time_and_few_wait() -> None:
    """One more than may wait is refused at once."""
    turns = HashingQueue()

    async def wait() -> None:
        async with turns.turn():
            pass

    async with AsyncExitStack() as stack:
        for _ in range(CONCURRENT):
            await stack.enter_async_context(turns.turn())
        waiting = [asyncio.create_task(wait()) for _ in range(MAX_WAITING)]
        await asyncio.sleep(0)
        with pytest.raises(ServiceError) as refused:
            await wait()
        assert (refused.value.problem.status, refused.value.problem.code) == (503, "passwords_busy")
        assert not any(task.done() for task in waiting)
    await asyncio.gather(*waiting)
    await wait()


async def test_nothing_is_hashed_for_who_has_hung_up() -> None:
    """When their turn comes, the next one gets it."""
    begin({}, lambda: True)
    with pytest.raises(ServiceError) as refused:
        await passwords.hash_password("sesame", b"salt")
    assert refused.value.problem.code == "passwords_busy"
    begin({}, lambda: False)
    assert await passwords.hash_password("sesame", b"salt")


def counted(client: ApiClient, result: str) -> float:
    """Return how many passwords had this result."""
    lines = client.anonymous().get("/metrics").content.decode().splitlines()
    name = f'turnstream_passwords_total{{result="{result}"}} '
    return next((float(line.removeprefix(name)) for line in lines if line.startswith(name)), 0.0)


@pytest.mark.parametrize("more", [b"", b"origin: http://x\r\n"])
def test_passwords_of_clients_that_hang_up_are_dropped(client: ApiClient, bob: Player, more: bytes) -> None:
    """By POST, by the short way and by the other; who stays is answered."""
    text = b'{"type":"join","password":"wrong"}'
    head = b"POST /v1/rooms/nobody-home/commands HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
    token = f"authorization: Bearer {bob.token}\r\n".encode()
    post = head + more + token + b"content-length: %d\r\n\r\n" % len(text) + text
    before, done = counted(client, "dropped"), counted(client, "hashed")
    for _ in range(40):
        connection = socket.create_connection(("127.0.0.1", int(client.url.rpartition(":")[2])))
        connection.sendall(post)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()
    assert bob.command("nobody-home", "join", password="wrong").code == "no_such_room"  # noqa: S106 - a test's
    assert counted(client, "dropped") - before > counted(client, "hashed") - done
