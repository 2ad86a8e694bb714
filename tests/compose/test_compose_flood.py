"""One address opens rooms as fast as it can, through the proxy of the compose file."""

import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from service.runtime.settings import Settings
from tests.compose.conftest import Stack

pytestmark = pytest.mark.compose

GUESTS = 6
SECONDS = 8
REPLICAS = 2


def flood(url: str, until: float) -> tuple[int, set[int], int]:
    """Open rooms as one guest until a time; return how many were opened, the other statuses, and the last patience."""
    opened, refused, patience = 0, set[int](), 0
    with httpx.Client(base_url=url, trust_env=False) as client:
        token = client.post("/v1/players", json={"nickname": "Mallory"}).json()["token"]
        while time.monotonic() < until:
            answer = client.post("/v1/rooms", json={"game": "morris"}, headers={"authorization": f"Bearer {token}"})
            if answer.status_code == httpx.codes.CREATED:
                assert answer.json()["view"]["expires_at"]
                opened += 1
            else:
                refused.add(answer.status_code)
                patience = int(answer.headers["retry-after"])
    return opened, refused, patience


def test_one_address_cannot_fill_the_store(stack: Stack) -> None:
    """Six guests for eight seconds: each replica admits what the setting says; rooms that are open go on."""
    with httpx.Client(base_url=stack.url, trust_env=False) as client:
        seats = {"game": "morris", "nickname": "Ada", "seats": ["me", {"bot": "easy"}]}
        room = client.post("/v1/rooms", json=seats).json()
        began = time.monotonic()
        with ThreadPoolExecutor(GUESTS) as pool:
            floods = [pool.submit(flood, stack.url, began + SECONDS) for _ in range(GUESTS)]
            found = [each.result() for each in floods]
        minutes = (time.monotonic() - began) / 60
        opened = sum(count for count, _, _ in found)
        most = Settings().limit_openings * (1 + minutes)
        assert most <= opened <= REPLICAS * most
        assert set.union(*(refused for _, refused, _ in found)) == {httpx.codes.TOO_MANY_REQUESTS}
        headers = {"authorization": f"Bearer {room['token']}"}
        move = {"type": "play", "move": room["view"]["match"]["legal_moves"][0]}
        played = client.post(f"/v1/rooms/{room['room']}/commands", json=move, headers=headers)
        assert played.status_code == httpx.codes.OK
        time.sleep(max(patience for _, _, patience in found))
        assert client.post("/v1/rooms", json={"game": "morris"}, headers=headers).status_code == httpx.codes.CREATED
