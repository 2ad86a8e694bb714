"""A webhook is sent from the services of the compose file to a receiver outside them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import msgspec
import pytest
from standardwebhooks import Webhook

from tests.compose.conftest import Stack, run

pytestmark = pytest.mark.compose

RECEIVER = (Path(__file__).parent / "receiver.py").read_text()
URL = "http://receiver:8080/in"

REACH = "import socket; socket.create_connection(('receiver', 8080), 3)"


@contextmanager
def receiver(stack: Stack) -> Iterator[str]:
    """Run a receiver that only shares the network to the outside with the service `webhooks`; yield its container."""
    [sender] = stack.containers("webhooks")
    place = ("--network", f"{stack.project}_outside", "--network-alias", "receiver")
    image = stack.inspect(sender)["Image"]
    container = run("docker", "run", "--detach", *place, "--entrypoint", "python", image, "-uc", RECEIVER).strip()
    try:
        yield container
    finally:
        run("docker", "rm", "--force", container)


class Message(msgspec.Struct):
    """A message as the receiver printed it."""

    headers: dict[str, str]
    body: str

    @property
    def type(self) -> str:
        """The type of the event."""
        return str(msgspec.json.decode(self.body)["type"])


def received(container: str) -> list[Message]:
    """Return the messages that the receiver printed."""
    lines = run("docker", "logs", container).splitlines()
    return [msgspec.json.decode(line, type=Message) for line in lines if line.startswith("{")]


def types(container: str) -> list[str]:
    """Return the types of the messages."""
    return [message.type for message in received(container)]


def test_a_receiver_outside_gets_the_events_of_a_player(stack: Stack) -> None:
    """Signed, and also those that happen while the sender is down; no other service can reach it."""
    with receiver(stack) as container, httpx.Client(base_url=stack.url, trust_env=False, timeout=30) as http:
        ada, bob = ({"authorization": f"Bearer {guest(http, name)}"} for name in ("Ada", "Bob"))
        made = http.post("/v1/players/me/webhooks", json={"url": URL}, headers=ada).json()
        where = f"/v1/players/me/webhooks/{made['webhook']['id']}"
        stack.wait_until(
            lambda: bool(http.get(where, headers=ada).json()["webhook"]["status"] == "active"), "the webhook is active"
        )
        stack.compose("stop", "webhooks")
        opening = {"game": "morris", "settings": {"start": "full"}}
        room = http.post("/v1/rooms", json=opening, headers=ada).json()["room"]
        assert http.post(f"/v1/rooms/{room}/commands", json={"type": "join"}, headers=bob).status_code == 200
        stack.compose("start", "webhooks")
        stack.wait_until(lambda: "turn_began" in types(container), "the receiver has the events")
        assert types(container) == ["webhook_challenge", "match_began", "turn_began"]
        for message in received(container):
            Webhook(made["secret"]).verify(message.body, message.headers)
        for service in ("api", "worker"):
            [other, *_] = stack.containers(service)
            found = run("docker", "exec", other, "python", "-c", f"{REACH}; print('reached')", check=False)
            assert "reached" not in found


def guest(http: httpx.Client, name: str) -> str:
    """Return the token of a new guest."""
    return str(http.post("/v1/players", json={"nickname": name}).json()["token"])
