"""Link codes and recovery codes: another device, and the way back to a lost guest."""

import asyncio
import re
from pathlib import Path

from tests.api.limit_coverage import reaches
from tests.api.test_limits import is_limited, limited
from tests.api.test_tokens import ALL, BAD_TOKEN, entries, make, wait_until_refused
from tests.e2e.client import ApiClient, Player, Response
from tests.store_server import StoreServer


def link_code(player: Player) -> str:
    """Return a new link code of a player."""
    made = player.post("/v1/players/me/link_codes", {})
    assert made.status == 201
    return str(made.body["code"])


def recovery_code(player: Player) -> str:
    """Return a new recovery code of a player."""
    made = player.post("/v1/players/me/recovery_code", {})
    assert made.status == 201
    return str(made.body["code"])


def use_link(client: ApiClient, code: str, **more: str) -> Response:
    """Use a link code on another device."""
    return client.anonymous().post("/v1/link_codes", {"code": code, **more})


def recover(client: ApiClient, code: str) -> Response:
    """Use a recovery code on another device."""
    return client.anonymous().post("/v1/recovery", {"code": code})


def is_unknown(answer: Response) -> bool:
    """Return whether a code was refused."""
    return (answer.status, answer.code) == (404, "no_such_code")


def test_a_link_code_lets_another_device_in(ada: Player, there: ApiClient) -> None:
    """Once, in another process too, with all scopes; case, spaces and hyphens make no difference."""
    code = link_code(ada)
    assert re.fullmatch("[2-9A-HJ-NP-Z]{8}", code)
    let_in = use_link(there, f" {code[:4].lower()}-{code[4:]}", name="Phone")
    assert let_in.status == 201
    assert let_in.body["player"] == {"id": ada.id, "nickname": "Ada"}
    assert let_in.body["entry"]["scopes"] == ALL
    phone = Player(there, let_in.body["token"], ada.id)
    assert [entry["name"] for entry in entries(phone)] == ["Phone"]
    assert ada.get("/v1/players/me").status == 200
    assert is_unknown(use_link(there, code))


def test_wrong_link_codes_are_refused(client: ApiClient, ada: Player) -> None:
    """Also one that was nearly right, and texts of other forms."""
    code = link_code(ada)
    nearly = code[:-1] + ("A" if code[-1] != "A" else "B")
    for wrong in (nearly, code[:-1], code + "A", "", "0O0O1I1I", "*" * 40):
        assert is_unknown(use_link(client, wrong))
    assert use_link(client, code).status == 201


async def test_of_many_devices_with_one_code_one_gets_in(client: ApiClient, ada: Player, there: ApiClient) -> None:
    """Whatever process they ask."""
    for _ in range(5):
        code = link_code(ada)
        tries = [asyncio.to_thread(use_link, each, code) for each in (client, there) * 4]
        answers = await asyncio.gather(*tries)
        assert sorted(answer.status for answer in answers) == [201, *[404] * 7]
    assert len(entries(ada)) == 5


def test_a_recovery_code_brings_a_lost_guest_back(ada: Player, there: ApiClient) -> None:
    """With a new token; all earlier ones end, in every process, and so do their connections."""
    named = make(ada)
    room = ada.open_room("morris").body["room"]
    code = recovery_code(ada)
    assert ada.id in code
    with ada.via(there).subscribe(room) as guest_feed, named.via(there).subscribe(room) as named_feed:
        for feed in (guest_feed, named_feed):
            feed.until(lambda frame: frame["type"] == "caught_up")
        back = recover(ada.client, code)
        assert back.status == 201
        assert guest_feed.close_code() == named_feed.close_code() == BAD_TOKEN
    for gone in (ada, named):
        assert gone.get("/v1/players/me").code == "unauthenticated"
        wait_until_refused(gone.via(there))
    recovered = Player(there, back.body["token"], ada.id)
    assert recovered.get("/v1/players/me").body["rooms"][0]["room"] == room
    assert [entry["current"] for entry in entries(recovered)] == [True]
    assert is_unknown(recover(ada.client, code))
    assert recovered.command(room, "ready").status == 200
    assert recover(ada.client, recovery_code(recovered)).status == 201
    wait_until_refused(recovered)


def test_a_new_recovery_code_replaces_the_earlier_one(client: ApiClient, ada: Player, bob: Player) -> None:
    """The code of one player does not recover another."""
    first, second = recovery_code(ada), recovery_code(ada)
    assert first != second
    others = second.replace(ada.id, bob.id)
    for wrong in (first, others, second[:-1], second.upper(), f"r1.{ada.id}.", "", "x"):
        assert is_unknown(recover(client, wrong))
    assert ada.get("/v1/players/me").status == 200
    assert recover(client, second).status == 201


async def test_of_many_uses_of_a_recovery_code_one_succeeds(
    client: ApiClient,
    ada: Player,
    there: ApiClient,
) -> None:
    """And its token is the only one that is accepted afterwards."""
    code = recovery_code(ada)
    answers = await asyncio.gather(*(asyncio.to_thread(recover, each, code) for each in (client, there) * 4))
    assert sorted(answer.status for answer in answers) == [201, *[404] * 7]
    [token] = [answer.body["token"] for answer in answers if answer.status == 201]
    assert Player(client, token).get("/v1/players/me").status == 200


def test_neither_codes_nor_tokens_are_stored(rooms_store: StoreServer, ada: Player) -> None:
    """The store has hashes and ids only."""
    secrets = [link_code(ada), recovery_code(ada).split(".")[-1], (make(ada).token or "").split(".")[-1]]
    keys = [key.decode() for key in rooms_store.execute("KEYS", "*")]
    streams = [key for key in keys if "account/" in key and ":stream:" in key]
    links = [key for key in keys if ":link:" in key]
    content = "".join(str(rooms_store.execute("XRANGE", key, "-", "+")) for key in streams)
    content += "".join(str(rooms_store.execute("GET", key)) for key in links) + str(keys)
    assert len(links) >= 1
    assert content.count(ada.id) >= 2
    assert "recovery_code_made" in content
    for secret in secrets:
        assert secret not in content


@reaches(limit_codes="rate_limited", limit_codes_all="rate_limited")
def test_tries_of_codes_are_limited(store_and_log: tuple[str, Path]) -> None:
    """Per address, and over all of them; right codes count as well."""
    with limited(store_and_log, codes="5") as client:
        code = link_code(client.guest("Ada"))
        assert [use_link(client, "AAAAAAAA").status for _ in range(4)] == [404] * 4
        assert is_unknown(recover(client, "x"))
        assert is_limited(use_link(client, code), "rate_limited")
    with limited(store_and_log, codes="0", codes_all="2") as client:
        assert [use_link(client, "AAAAAAAA").status for _ in range(2)] == [404] * 2
        assert is_limited(recover(client, "x"), "rate_limited")


@reaches(limit_tokens="rate_limited")
def test_new_tokens_and_codes_are_limited(store_and_log: tuple[str, Path]) -> None:
    """Together, per player."""
    with limited(store_and_log, tokens="3") as client:
        ada = client.guest("Ada")
        make(ada), link_code(ada), recovery_code(ada)
        assert is_limited(ada.post("/v1/players/me/link_codes", {}), "rate_limited")
        make(client.guest("Bob"))
