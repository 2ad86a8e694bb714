"""What sends to webhooks is killed while it sends: nothing is lost, and what is repeated has the same id."""

import contextlib
from pathlib import Path

from tests.e2e.conftest import StartApi, StartWorker
from tests.e2e.endpoint import run_endpoint
from tests.e2e.processes import ServiceProcess, run_processes
from tests.store_server import StoreServer

LOCAL = {"webhook_http": "true", "webhook_networks": "127.0.0.0/8"}


def test_a_kill_while_an_event_is_sent_loses_nothing(
    start_api: StartApi, start_worker: StartWorker, own_server: StoreServer, tmp_path: Path, stack: contextlib.ExitStack
) -> None:
    """The endpoint has the event and has not answered; the next process sends it again, and then the others."""
    _, client = start_api(webhook_http="true")
    start_worker()
    sender = ServiceProcess("service webhooks", own_server.url, tmp_path / "log", **LOCAL)
    stack.enter_context(run_processes(sender))
    endpoint = stack.enter_context(run_endpoint())
    ada, bob = client.guest("Ada"), client.guest("Bob")
    secret = ada.post("/v1/players/me/webhooks", {"url": endpoint.url}).body["secret"]
    assert endpoint.next().is_signed_with(secret)
    while ada.get("/v1/players/me/webhooks").body["webhooks"][0]["status"] != "active":
        pass
    endpoint.accepts.clear()
    room = ada.open_room("morris", settings={"start": "full"}).body["room"]
    assert bob.command(room, "join").status == 200
    first = endpoint.next()
    sender.kill()
    assert ada.command(room, "resign").status == 200
    endpoint.accepts.set()
    sender.start()
    again, *others = (endpoint.next() for _ in range(3))
    assert (again.id, again.body) == (first.id, first.body)
    assert all(message.is_signed_with(secret) for message in others)
    assert [message.json["type"] for message in (again, *others)] == ["match_began", "turn_began", "match_finished"]
    assert len({message.id for message in (again, *others)}) == 3
