"""Webhooks: what owners ask, what endpoints answer, and when something is sent next."""

from collections.abc import Callable
from contextlib import suppress
from functools import reduce

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.domain.game import Event, Rejected
from service.domain.ids import Millis, PlayerId, Version
from service.domain.players.kind import WebhookDisabled
from service.domain.streams import Outgoing, Record
from service.domain.webhooks import decide
from service.domain.webhooks.decide import CHALLENGE_PAUSES, FAILS_FOR, JITTER, MOST_REPLAYS, PAUSES, ROTATION, Sent
from service.domain.webhooks.kind import deliveries, evolve, summary
from service.domain.webhooks.model import LOGGED, Attempt, Secret, Webhook, WebhookAdded, Webhooks

NOON = Millis(1_700_000_000_000)
ANNA = PlayerId("p-anna")
URL = "https://hooks.example/in"
HOUR = 3600 * 1000


class Owner:
    """The webhooks of an owner in a test: commands are decided and folded at once."""

    def __init__(self) -> None:
        """Start without webhooks, at noon."""
        self.state = Webhooks(ANNA)
        self.records: list[Record] = []
        self.now = NOON

    def fold(self, events: list[Event]) -> list[Event]:
        """Fold events, and return them."""
        first = len(self.records) + 1
        new = [Record(Version(version), self.now, event) for version, event in enumerate(events, first)]
        self.records += new
        self.state = reduce(evolve, new, self.state)
        return events

    def add(self, name: str = "a", *events: str) -> Webhook:
        """Register a webhook."""
        self.fold(decide.add(self.state, WebhookAdded(name, URL, events, Secret(1, "k")), 3))
        return self.state.webhooks[name]

    @property
    def one(self) -> Webhook:
        """The first webhook."""
        return next(iter(self.state.webhooks.values()))

    def attempt(self, failure: str | None, status: int | None) -> Attempt:
        """Return an attempt that is made now."""
        return Attempt(self.now, Millis(5), status, failure)

    def challenge(self, failure: str | None = None, head: int = 7, jitter: float = 0.0) -> None:
        """Answer a challenge."""
        sent = Sent(self.one.id, self.one.url, Version(head), "webhook_challenge", self.attempt(failure, 200))
        self.fold(decide.challenged(self.state, sent, jitter))

    def send(
        self, event: int, failure: str | None = None, status: int = 200, *, replay: bool = False, jitter: float = 0.0
    ) -> list[Event]:
        """Answer to an event."""
        attempt = self.attempt(failure, status)
        sent = Sent(self.one.id, self.one.url, Version(event), "turn_began", attempt, replay)
        return self.fold(decide.answered(self.state, sent, jitter))


@pytest.fixture
def owner() -> Owner:
    """Return an owner without webhooks."""
    return Owner()


@pytest.fixture
def active(owner: Owner) -> Owner:
    """Return an owner whose webhook was verified when their stream was at version 7."""
    owner.add()
    owner.challenge()
    return owner


def test_a_webhook_is_active_after_its_challenge_was_echoed(owner: Owner) -> None:
    """It gets the events from then on."""
    made = owner.add("a", "turn_began")
    assert (made.status, made.due, made.wants("turn_began"), made.wants("match_began")) == (
        "unverified",
        NOON,
        True,
        False,
    )
    owner.challenge(head=7)
    assert (owner.one.status, owner.one.cursor, decide.due(owner.state)) == ("active", 7, 0)


def test_a_challenge_is_repeated_a_few_times(owner: Owner) -> None:
    """Then the owner has to ask for another one."""
    owner.add()
    for pause in CHALLENGE_PAUSES:
        owner.challenge("not_echoed")
        assert owner.one.due == owner.now + pause * 1000
        owner.now = Millis(owner.now + pause * 1000)
    owner.challenge("not_echoed")
    assert (owner.one.status, owner.one.due) == ("unverified", None)
    assert owner.one.challenge is not None
    assert owner.one.challenge.failure == "not_echoed"
    owner.fold(decide.verify(owner.state, "a"))
    assert owner.one.due == owner.now
    owner.challenge()
    assert owner.one.status == "active"


def test_another_url_has_to_be_verified(active: Owner) -> None:
    """Other types of events do not change that. Nothing that happens meanwhile is lost: the cursor stays."""
    active.send(8)
    active.fold(decide.change(active.state, "a", None, ("turn_began",)))
    assert (active.one.status, active.one.events) == ("active", ("turn_began",))
    late = Sent("a", URL, Version(9), "turn_began", active.attempt(None, 200))
    active.fold(decide.change(active.state, "a", "https://other.example/", None))
    assert (active.one.status, active.one.due) == ("unverified", active.now)
    assert decide.answered(active.state, late, 0) == []
    assert decide.challenged(active.state, late, 0) == []
    active.challenge(head=20)
    assert active.one.cursor == 8


def test_an_owner_has_few_webhooks(owner: Owner) -> None:
    """And can delete them."""
    for name in "abc":
        owner.add(name)
    with pytest.raises(Rejected, match="too_many_webhooks"):
        owner.add("d")
    owner.fold(decide.remove(owner.state, "b"))
    owner.add("d")
    assert list(owner.state.webhooks) == ["a", "c", "d"]
    with pytest.raises(Rejected, match="no_such_webhook"):
        decide.remove(owner.state, "b")


def test_a_rotated_secret_signs_for_a_day(active: Owner) -> None:
    """The generation is what it is derived from."""
    active.fold(decide.rotate(active.state, "a", "k2", active.now))
    assert (active.one.secret, active.one.previous) == (Secret(2, "k2"), Secret(1, "k"))
    assert active.one.previous_until == NOON + ROTATION


def test_an_event_is_recorded_once(active: Owner) -> None:
    """The second process that sent it records nothing."""
    assert len(active.send(8)) == 1
    assert active.send(8) == []
    assert active.send(7, "timed_out") == []
    assert (active.one.cursor, active.one.log[-1].attempts) == (8, 1)


def test_a_success_ends_the_failures(active: Owner) -> None:
    """The next failure begins another day."""
    active.send(8, "timed_out")
    assert (active.one.failures, active.one.failing_since, active.one.cursor) == (1, NOON, 7)
    assert active.one.due == NOON + PAUSES[0] * 1000
    active.now = Millis(NOON + HOUR)
    active.send(8)
    assert (active.one.failures, active.one.failing_since, active.one.due) == (0, None, 0)
    assert active.one.log[-1].attempts == 2


def test_an_endpoint_that_is_gone_is_disabled_at_once(active: Owner) -> None:
    """Its owner gets an event."""
    before = active.state
    active.send(8, "status", 410)
    assert (active.one.status, active.one.reason, decide.due(active.state)) == ("disabled", "gone", None)
    assert list(deliveries(before, active.records[-2:])) == [Outgoing(ANNA, WebhookDisabled("a", URL, "gone"))]
    active.fold(decide.verify(active.state, "a"))
    active.challenge(head=30)
    assert (active.one.status, active.one.cursor) == ("active", 7)


@settings(max_examples=50)
@given(st.lists(st.floats(0, 1), min_size=40, max_size=40))
def test_the_pauses_grow_for_a_day(jitters: list[float]) -> None:
    """The last attempt is made after a day; with its failure the webhook is disabled."""
    owner = Owner()
    owner.add()
    owner.challenge()
    pauses, attempts = [], 0
    while owner.one.status == "active":
        owner.send(8, "timed_out", jitter=jitters[attempts])
        attempts += 1
        if owner.one.due is not None:
            pauses.append(owner.one.due - owner.now)
            owner.now = owner.one.due
    assert owner.now == NOON + FAILS_FOR
    assert owner.one.reason == "failing"
    for number, pause in enumerate(pauses[:-1]):
        planned = PAUSES[min(number, len(PAUSES) - 1)] * 1000
        assert planned <= pause <= planned * (1 + JITTER) + 1
    assert 10 <= attempts <= 16


def test_an_event_is_replayed_by_hand(active: Owner) -> None:
    """Once, whatever comes of it; the events that follow each other are not affected."""
    active.send(8)
    active.send(9, "timed_out")
    active.fold(decide.replay(active.state, "a", Version(8)))
    assert decide.replay(active.state, "a", Version(8)) == []
    assert active.one.due == 0
    active.send(8, "status", 500, replay=True)
    assert (active.one.replays, active.one.cursor, active.one.failures) == ((), 8, 1)
    assert [(each.event, each.attempts) for each in active.one.log] == [(9, 1), (8, 2)]
    assert active.send(8, replay=True) == []


def test_a_replay_that_arrives_ends_the_pause(active: Owner) -> None:
    """The endpoint works again, so what waits is sent at once; one that fails changes nothing."""
    active.send(8)
    for _ in range(3):
        active.send(9, "timed_out")
    pause = active.one.due
    active.fold(decide.replay(active.state, "a", Version(8)))
    active.send(8, "status", 500, replay=True)
    assert (active.one.failures, active.one.due) == (3, pause)
    active.fold(decide.replay(active.state, "a", Version(8)))
    active.send(8, replay=True)
    assert (active.one.failures, active.one.due, active.one.cursor) == (0, 0, 8)


def test_an_owner_can_end_a_pause(active: Owner) -> None:
    """What waits is sent at once; if that fails as well, the pauses go on to grow, and nothing has to be verified."""
    assert decide.verify(active.state, "a") == []
    for _ in range(3):
        active.send(9, "timed_out")
    active.fold(decide.verify(active.state, "a"))
    assert (active.one.status, active.one.due) == ("active", active.now)
    active.send(9, "timed_out")
    assert (active.one.status, active.one.failures) == ("active", 4)
    assert active.one.due is not None
    assert active.one.due - active.now >= PAUSES[3] * 1000
    active.fold(decide.verify(active.state, "a"))
    active.send(9)
    assert (active.one.failures, active.one.due, active.one.cursor) == (0, 0, 9)


def test_few_replays_wait(active: Owner) -> None:
    """And none for a webhook that is not active."""
    for version in range(MOST_REPLAYS):
        active.fold(decide.replay(active.state, "a", Version(version + 1)))
    with pytest.raises(Rejected, match="too_many_replays"):
        decide.replay(active.state, "a", Version(99))
    active.fold(decide.stop(active.state, "a", "no_secret"))
    with pytest.raises(Rejected, match="webhook_not_active"):
        decide.replay(active.state, "a", Version(1))


def test_what_is_not_wanted_is_passed(active: Owner) -> None:
    """Once."""
    active.fold(decide.pass_to(active.state, "a", Version(50)))
    assert active.one.cursor == 50
    assert decide.pass_to(active.state, "a", Version(50)) == []
    assert decide.pass_to(active.state, "gone", Version(50)) == []


DECISIONS: dict[str, Callable[[Webhooks, Sent], list[Event]]] = {
    "add": lambda state, sent: decide.add(state, WebhookAdded(sent.webhook, URL, (), Secret(1, "k")), 3),
    "remove": lambda state, sent: decide.remove(state, sent.webhook),
    "change": lambda state, sent: decide.change(state, sent.webhook, f"{URL}{sent.event % 3}", None),
    "verify": lambda state, sent: decide.verify(state, sent.webhook),
    "rotate": lambda state, sent: decide.rotate(state, sent.webhook, "k", sent.attempt.at),
    "replay": lambda state, sent: decide.replay(state, sent.webhook, sent.event),
    "challenge": lambda state, sent: decide.challenged(state, sent, 0.5),
    "send": lambda state, sent: decide.answered(state, sent, 0.5),
    "stop": lambda state, sent: decide.stop(state, sent.webhook, "gone"),
}
ACTIONS = st.lists(
    st.tuples(st.sampled_from(sorted(DECISIONS)), st.sampled_from("abcd"), st.integers(1, 80), st.booleans()),
    max_size=60,
)


@settings(max_examples=100)
@given(ACTIONS)
def test_a_summary_is_the_state(actions: list[tuple[str, str, int, bool]]) -> None:
    """Whatever happened: trimming loses nothing, and everything in it is bounded."""
    owner = Owner()
    for action, name, number, is_ok in actions:
        owner.now = Millis(owner.now + number * 1000)
        attempt = owner.attempt(None if is_ok else "timed_out", 200 if is_ok else None)
        url = owner.state.webhooks[name].url if name in owner.state.webhooks else URL
        if action == "add" and name in owner.state.webhooks:
            continue
        with suppress(Rejected):
            owner.fold(DECISIONS[action](owner.state, Sent(name, url, Version(number), "turn_began", attempt)))
    summarised = summary(owner.state, owner.now)
    assert evolve(Webhooks(ANNA), Record(Version(1), owner.now, summarised)) == owner.state
    for webhook in owner.state.webhooks.values():
        assert len(webhook.replays) <= MOST_REPLAYS
        assert webhook.status != "active" or webhook.cursor is not None
        assert webhook.status == "active" or not webhook.replays


def test_the_log_is_bounded(active: Owner) -> None:
    """The latest deliveries are kept."""
    for event in range(8, 8 + 2 * LOGGED):
        active.send(event)
    assert [each.event for each in active.one.log] == list(range(8 + LOGGED, 8 + 2 * LOGGED))
