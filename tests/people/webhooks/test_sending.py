"""What is sent to endpoints: everything once they are verified, in order, signed, and again until it is accepted."""

import asyncio

import msgspec
import pytest
from standardwebhooks import Webhook as Verifier

from service.domain.game import Rejected
from service.domain.ids import Millis, Player, PlayerId, Version
from service.domain.room.model import commands
from service.domain.room.subjects.privacy import OPERATOR
from service.domain.validation import Invalid
from service.people.player_service import record_json
from service.people.webhooks.messages import is_echo
from service.people.webhooks.sender import PASSED
from service.people.webhooks.service import MOST_OF_OPERATOR, MOST_WEBHOOKS
from service.store.contract import StoreUnavailable
from service.store.stream_keys import webhooks_key
from service.streams import retention
from tests.people.webhooks.hooks import KEY, Endpoint, Hooks
from tests.rooms.processes import ANNA, BEN, CLARA

SECOND, DAY = 1000, 24 * 3600 * 1000
HOOK = webhooks_key(ANNA.id)


async def resign(hooks: Hooks, winner: Player = ANNA, loser: Player = BEN) -> None:
    """Start a match that one resigns, and deliver what happened to the players, as a worker does."""
    await hooks.process.start_match(winner, loser)
    await hooks.process.execute(loser, commands.Resign())
    hooks.process.players = hooks.players
    await hooks.process.deliver()


async def test_an_endpoint_gets_what_happens_to_its_owner(hooks: Hooks) -> None:
    """After it has echoed a challenge: each event as in the feed, in order, with a valid signature."""
    async with Endpoint() as endpoint:
        await hooks.add(endpoint)
        await hooks.work()
        assert (await hooks.one()).status == "active"
        await resign(hooks)
        await hooks.work()
    page = await hooks.players.page(ANNA.id, None, 10)
    feed = [msgspec.json.decode(record_json(record)) for record in page.records]
    assert endpoint.types == ["webhook_challenge", *(event["type"] for event in feed)]
    assert [message["data"] for message in endpoint.messages[1:]] == feed
    assert [message["timestamp"] for message in endpoint.messages[1:]] == [event["time"] for event in feed]
    assert len(set(endpoint.ids)) == len(endpoint.ids)
    log = [(each.event, each.type, each.attempts, each.last.status) for each in (await hooks.one()).log]
    assert log == [(event["version"], event["type"], 1, 204) for event in feed]
    assert await hooks.work() == 0


async def test_only_the_wanted_types_are_sent(hooks: Hooks) -> None:
    """What is not wanted is not read again and again."""
    async with Endpoint() as endpoint:
        await hooks.add(endpoint, ANNA.id, "match_finished")
        await hooks.work()
        await hooks.happen(PASSED - 1)
        await hooks.work()
        assert (await hooks.one()).cursor == 0
        await hooks.happen()
        await hooks.work()
        assert (await hooks.one()).cursor == PASSED
        await resign(hooks)
        await hooks.work()
    assert endpoint.types == ["webhook_challenge", "match_finished"]


async def test_an_endpoint_that_does_not_echo_gets_no_events(hooks: Hooks) -> None:
    """Not even by accepting what it is sent, nor by returning it as it is."""
    challenge = b'{"challenge": "abc"}'
    assert is_echo(challenge, "abc")
    assert is_echo(b"abc\n", "abc")
    for wrong in (
        b"",
        b"abcd",
        b'"abc"',
        b'{"data": {"challenge": "abc"}}',
        b'{"challenge": 1}',
        b"\xff",
        b"[" * 60_000,
    ):
        assert not is_echo(wrong, "abc")
    async with Endpoint() as endpoint:
        endpoint.echoes = False
        await hooks.add(endpoint)
        await hooks.work()
        await hooks.happen()
        for _ in range(3):
            await hooks.pass_time(DAY)
        assert endpoint.types == ["webhook_challenge"] * 3
        found = await hooks.one()
        assert found.challenge is not None
        assert (found.status, found.challenge.failure) == ("unverified", "not_echoed")
        endpoint.echoes = True
        await hooks.service.verify(ANNA.id, found.id)
        await hooks.work()
    assert (await hooks.one()).status == "active"


async def test_an_event_is_sent_until_it_is_accepted(hooks: Hooks) -> None:
    """With the same id each time, and before those after it."""
    async with Endpoint() as endpoint:
        await hooks.add(endpoint)
        await hooks.work()
        endpoint.statuses = [500, 302, 404]
        await hooks.happen(2)
        await hooks.work()
        assert endpoint.versions == [1]
        for _ in range(3):
            await hooks.pass_time(DAY // 8)
    assert endpoint.versions == [1, 1, 1, 1, 2]
    assert len(set(endpoint.ids[1:5])) == 1
    assert [(each.event, each.attempts) for each in (await hooks.one()).log] == [(1, 4), (2, 1)]


async def test_a_day_of_failures_disables_a_webhook(hooks: Hooks) -> None:
    """Its owner finds that in their feed. Verified again, it continues where it was."""
    endpoint = Endpoint()
    async with endpoint:
        made = await hooks.add(endpoint)
        await hooks.work()
    await hooks.happen()
    await hooks.work()
    for _ in range(13):
        await hooks.pass_time(DAY // 12)
    found = await hooks.one()
    assert (found.status, found.reason, found.log[0].last.failure) == ("disabled", "failing", "not_connected")
    await hooks.process.deliver()
    records = (await hooks.players.page(ANNA.id, None, 10)).records
    [_, notice] = [msgspec.json.decode(record_json(record)) for record in records]
    assert (notice["type"], notice["webhook"], notice["reason"]) == ("webhook_disabled", found.id, "failing")
    async with endpoint:
        await hooks.service.change(ANNA.id, made.webhook.id, endpoint.url, None)
        await hooks.work()
    assert endpoint.versions == [1, notice["version"]]


async def test_a_failing_webhook_does_not_delay_another(hooks: Hooks) -> None:
    """Of the same owner."""
    async with Endpoint() as good, Endpoint() as bad:
        await hooks.add(bad)
        await hooks.add(good)
        await hooks.work()
        bad.statuses = [500] * 5
        for _ in range(3):
            await hooks.happen()
            await hooks.work()
    assert (bad.versions, good.versions) == ([1], [1, 2, 3])


async def test_a_killed_sender_loses_nothing(hooks: Hooks) -> None:
    """What was sent and not recorded is sent again under the same id, after the claim has ended."""
    async with Endpoint() as endpoint:
        await hooks.add(endpoint)
        await hooks.work()
        await hooks.happen(3)
        hooks.process.store.failing["append"] = StoreUnavailable("killed")  # takes effect, but is not answered
        [key] = await hooks.service.claim_due(hooks.process.clock.now(), Millis(1500), 10)
        assert key == HOOK
        with pytest.raises(StoreUnavailable):
            await hooks.sender.proceed(HOOK)
        hooks.process.store.before_append = [unavailable]
        other = Hooks(hooks.process)
        assert await other.work() == 0
        hooks.process.clock.time = Millis(hooks.process.clock.time + 1500)
        [key] = await other.service.claim_due(hooks.process.clock.now(), Millis(1500), 10)
        with pytest.raises(StoreUnavailable):
            await other.sender.proceed(HOOK)
        await other.pass_time(1500)
        await other.close()
    assert endpoint.versions == [1, 2, 2, 3]
    assert endpoint.ids[2] == endpoint.ids[3]


async def unavailable() -> None:
    """Fail before the append takes effect."""
    raise StoreUnavailable("killed")


async def test_an_event_that_comes_while_others_are_sent_is_not_missed(hooks: Hooks) -> None:
    """From another process, just before the claim ends."""
    async with Endpoint() as endpoint:
        await hooks.add(endpoint)
        await hooks.work()
        await hooks.happen()
        settle, later = hooks.process.store.settle_webhooks, Hooks(hooks.process)

        async def settle_late(*arguments: object) -> None:
            hooks.process.store.settle_webhooks = settle  # type: ignore[method-assign]  # only the first time
            await later.happen()
            await settle(*arguments)  # type: ignore[arg-type]  # as they were given

        hooks.process.store.settle_webhooks = settle_late  # type: ignore[assignment,method-assign]  # see above
        await hooks.work()
        await later.close()
    assert endpoint.versions == [1, 2]


async def test_what_is_asked_for_while_events_are_sent_is_not_missed(hooks: Hooks) -> None:
    """That an event is sent again, and another webhook, from another process, just before the claim ends."""
    async with Endpoint() as endpoint, Endpoint() as other:
        made = await hooks.add(endpoint)
        await hooks.work()
        await hooks.happen()
        settle, later = hooks.service.settle, Hooks(hooks.process)

        async def settle_late(*arguments: object) -> None:
            hooks.service.settle = settle  # type: ignore[method-assign]  # only the first time
            await later.service.replay(ANNA.id, made.webhook.id, Version(1))
            await later.add(other)
            await settle(*arguments)  # type: ignore[arg-type]  # as they were given

        hooks.service.settle = settle_late  # type: ignore[assignment,method-assign]  # see above
        await hooks.work()
        await later.close()
    assert endpoint.versions == [1, 1]
    assert other.types == ["webhook_challenge"]


async def test_both_secrets_sign_after_a_rotation(hooks: Hooks) -> None:
    """For a day; then only the new one."""
    async with Endpoint() as endpoint:
        made = await hooks.add(endpoint)
        await hooks.work()
        old, new = Verifier(made.secret), Verifier((await hooks.service.rotate(ANNA.id, made.webhook.id)).secret)
        endpoint.verifiers = [old, new]
        await hooks.happen()
        await hooks.work()
        hooks.process.clock.time = Millis(hooks.process.clock.time + DAY)
        endpoint.verifiers = [new]
        await hooks.happen()
        await hooks.work()
        assert endpoint.versions == [1, await hooks.players.version(ANNA.id)]
        assert not endpoint.verifies(old)


async def test_a_secret_needs_its_key(hooks: Hooks) -> None:
    """While it is among the older keys nothing changes; without it the webhook is disabled until a rotation."""
    async with Endpoint() as endpoint:
        made = await hooks.add(endpoint)
        await hooks.work()
        await hooks.happen()
        newer, newest = Hooks(hooks.process, [b"newer", KEY]), Hooks(hooks.process, [b"newest"])
        await newer.work()
        assert endpoint.versions == [1]
        await hooks.happen()
        await newest.work()
        assert ((await newest.one()).status, (await newest.one()).reason) == ("disabled", "no_secret")
        endpoint.verifiers = [Verifier((await newest.service.rotate(ANNA.id, made.webhook.id)).secret)]
        await newest.service.verify(ANNA.id, made.webhook.id)
        await newest.work()
        assert endpoint.versions == [1, 2]
        await newer.close()
        await newest.close()


async def test_an_event_can_be_sent_again_by_hand(hooks: Hooks) -> None:
    """Under its id, as long as it is stored."""
    async with Endpoint() as endpoint:
        made = await hooks.add(endpoint)
        await hooks.work()
        await hooks.happen(2)
        await hooks.work()
        await hooks.service.replay(ANNA.id, made.webhook.id, Version(1))
        await hooks.work()
        assert endpoint.versions == [1, 2, 1]
        assert endpoint.ids[1] == endpoint.ids[3]
        for missing in (0, -1, 3):
            with pytest.raises(Rejected, match="no_such_event"):
                await hooks.service.replay(ANNA.id, made.webhook.id, Version(missing))


async def test_events_that_were_deleted_are_skipped(hooks: Hooks, monkeypatch: pytest.MonkeyPatch) -> None:
    """More of them came while the endpoint failed than are kept."""
    monkeypatch.setattr(retention, "KEPT_EVENTS", 50)
    monkeypatch.setattr(retention, "SUMMARY_EVERY", 20)
    async with Endpoint() as endpoint:
        await hooks.add(endpoint)
        await hooks.work()
        endpoint.statuses = [500]
        await hooks.happen()
        await hooks.work()
        for _ in range(6):
            await hooks.happen(20)
        await hooks.pass_time(DAY // 2)
        first = (await hooks.players.page(ANNA.id, None, 1)).records[0].version
    assert first > 2
    assert endpoint.versions[:2] == [1, first]
    assert endpoint.versions[-1] == await hooks.players.version(ANNA.id)


async def test_a_healthy_webhook_is_looked_at_once_a_day(hooks: Hooks) -> None:
    """Without events nothing is due before; a player without webhooks is never due."""
    async with Endpoint() as endpoint:
        await hooks.add(endpoint)
        await hooks.work()
        await hooks.happen(owner=BEN.id)
        assert await hooks.work() == 0
        due = hooks.process.store._due[HOOK]
        assert due == hooks.process.clock.now() + DAY
        await hooks.pass_time(DAY)
        assert hooks.process.store._due[HOOK] == due + DAY


async def test_two_senders_do_not_send_the_same(hooks: Hooks) -> None:
    """The second one claims nothing while the first one sends, although new events come."""
    other = Hooks(hooks.process)
    async with Endpoint() as endpoint:
        await hooks.add(endpoint)
        await hooks.work()
        endpoint.held = asyncio.Event()
        await hooks.happen()
        working = asyncio.create_task(hooks.work())
        await endpoint.reached.wait()
        await hooks.happen()
        assert await other.work() == 0
        endpoint.held.set()
        await working
        await other.close()
    assert endpoint.versions == [1, 2]


@pytest.mark.parametrize(("owner", "most"), [(ANNA.id, MOST_WEBHOOKS), (OPERATOR, MOST_OF_OPERATOR)])
async def test_there_are_few_webhooks(hooks: Hooks, owner: PlayerId, most: int) -> None:
    """A deleted one does not count."""
    made = [await hooks.service.add(owner, "http://hooks.example/", ()) for _ in range(most)]
    assert len({each.secret for each in made}) == most
    with pytest.raises(Rejected, match="too_many_webhooks"):
        await hooks.service.add(owner, "http://hooks.example/", ())
    await hooks.service.remove(owner, made[0].webhook.id)
    await hooks.service.add(owner, "http://hooks.example/", ())


@pytest.mark.parametrize("url", ["ftp://hooks.example/", "hooks.example", "http://user@hooks.example/", ""])
async def test_a_url_is_checked(hooks: Hooks, url: str) -> None:
    """When a webhook is registered, and when it is changed."""
    with pytest.raises(Invalid):
        await hooks.service.add(ANNA.id, url, ())
    made = await hooks.service.add(ANNA.id, "http://hooks.example/", ())
    with pytest.raises(Invalid):
        await hooks.service.change(ANNA.id, made.webhook.id, url, None)
    with pytest.raises(Invalid, match="Unknown type of event"):
        await hooks.service.change(ANNA.id, made.webhook.id, None, ("happened",))


async def test_the_operator_gets_the_rooms_and_the_matches_of_all_rooms(hooks: Hooks) -> None:
    """Each once, and nothing else of the players; without a webhook nothing is kept."""
    await resign(hooks)
    assert await hooks.players.version(OPERATOR) == 0
    async with Endpoint() as endpoint:
        await hooks.add(endpoint, OPERATOR)
        await hooks.work()
        await hooks.process.execute(ANNA, commands.Close())
        await resign(hooks, CLARA, BEN)
        await hooks.work()
    assert endpoint.types == ["webhook_challenge", "room_closed", "room_opened", "match_began", "match_finished"]
    closed, opened, began, _ = (message["data"] for message in endpoint.messages[1:])
    assert closed["reason"] == "by_creator"
    assert (opened["room"], opened["by"], opened["visibility"]) == ("friday-night", CLARA.id, "public")
    assert began["seats"] == [0, 1]


async def test_a_disabled_webhook_of_the_operator_is_reported_among_other_events(hooks: Hooks) -> None:
    """What comes with it in the same outbox does not replace it."""
    async with Endpoint() as endpoint:
        await hooks.add(endpoint, OPERATOR)
        await hooks.work()
        endpoint.statuses = [410]
        await resign(hooks)
        await hooks.work()
        await hooks.process.execute(ANNA, commands.Close())
        await hooks.process.deliver()
    page = await hooks.players.page(OPERATOR, None, 10)
    kinds = [type(record.event).__name__ for record in page.records]
    assert kinds == ["OpenedRoom", "MatchBegan", "MatchFinished", "WebhookDisabled", "ClosedRoom"]


async def test_an_owner_does_not_learn_which_private_names_exist(hooks: Hooks) -> None:
    """An unknown host and one with a private address fail alike."""

    async def resolve(host: str, _port: int) -> list[str]:
        if host == "redis":
            return ["10.1.2.3"]
        raise OSError

    hooks.fetcher._resolve = resolve
    for host in ("redis", "nobody"):
        await hooks.service.add(ANNA.id, f"http://{host}/", ())
    await hooks.work()
    challenges = [webhook.challenge for webhook in await hooks.service.of(ANNA.id)]
    assert [each.failure for each in challenges if each is not None] == ["no_public_address"] * 2


async def test_a_failure_of_the_store_leaves_no_request_behind(hooks: Hooks) -> None:
    """The requests to all endpoints have ended before the claim does."""
    async with Endpoint() as first, Endpoint() as second:
        await hooks.add(first)
        await hooks.add(second)
        await hooks.work()
        await hooks.happen()
        hooks.process.store.before_append = [unavailable]
        [key] = await hooks.service.claim_due(hooks.process.clock.now(), Millis(1500), 10)
        with pytest.raises(StoreUnavailable):
            await hooks.sender.proceed(HOOK)
        assert key == HOOK
        assert sorted([first.versions, second.versions]) == [[1], [1]]
        await hooks.pass_time(1500)
        assert sorted([first.versions, second.versions]) == [[1], [1, 1]]
