"""Accounts: how tokens begin and end, and that a summary keeps what the events before it say."""

from functools import reduce

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.domain.accounts import decide
from service.domain.accounts.decide import MOST_BLOCKED, MOST_TOKENS
from service.domain.accounts.kind import ACCOUNTS, evolve, summary
from service.domain.accounts.model import Account, NamedToken, ProfileHidden, Recovery
from service.domain.game import Event, Rejected
from service.domain.ids import DAY, Millis, PlayerId, Version
from service.domain.streams import Record

NOON = Millis(1_700_000_000_000)
NOTHING = Account(PlayerId("p-anna"))


def token(name: str, expires: int | None = None) -> NamedToken:
    """Return a token with this id."""
    return NamedToken(name, name, ("read", "play"), NOON, None if expires is None else Millis(NOON + expires))


def after(state: Account, events: list[Event], now: int = 0) -> Account:
    """Return the state after events at a time after noon."""
    return reduce(evolve, [Record(Version(1), Millis(NOON + now), event) for event in events], state)


def with_tokens(*tokens: NamedToken) -> Account:
    """Return an account with these tokens."""
    return reduce(lambda state, each: after(state, decide.make_token(state, each, NOON)), tokens, NOTHING)


def test_a_player_has_only_so_many_live_tokens() -> None:
    """Those that have expired do not count, and are forgotten with the next new one."""
    full = with_tokens(*(token(f"t{number}", DAY) for number in range(MOST_TOKENS)))
    with pytest.raises(Rejected, match="too_many_tokens"):
        decide.make_token(full, token("more"), NOON)
    later = Millis(NOON + DAY)
    assert list(after(full, decide.make_token(full, token("more"), later), DAY).tokens) == ["more"]


def test_a_use_is_recorded_once_per_day() -> None:
    """Under the beginning of the day in UTC."""
    state = with_tokens(token("one"))
    used = after(state, decide.use_token(state, "one", NOON))
    day = used.tokens["one"].used
    assert day is not None
    assert day % DAY == 0
    assert NOON - DAY < day <= NOON
    assert decide.use_token(used, "one", Millis(day + DAY - 1)) == []
    assert decide.use_token(used, "one", Millis(day - 1)) == []
    assert decide.use_token(used, "one", Millis(day + DAY)) != []
    assert decide.use_token(used, "other", NOON) == []


def test_a_recovery_code_is_used_once_and_replaces_all_tokens() -> None:
    """A wrong one changes nothing."""
    state = after(with_tokens(token("one")), decide.make_recovery_code(Recovery("hash", "Anna")))
    with pytest.raises(Rejected, match="no_such_code"):
        decide.recover(state, "other", token("new"))
    recovered = after(state, decide.recover(state, "hash", token("new")))
    assert list(recovered.tokens) == ["new"]
    assert recovered.guest_token_replaced
    with pytest.raises(Rejected, match="no_such_code"):
        decide.recover(recovered, "hash", token("again"))


def test_the_guest_token_ends_when_a_named_one_signs_out_everywhere_else() -> None:
    """And not when the guest token itself does so; with nothing to revoke, nothing happens."""
    assert decide.revoke_others(NOTHING, None) == []
    state = with_tokens(token("one"), token("two"))
    by_guest = after(state, decide.revoke_others(state, None))
    assert (list(by_guest.tokens), by_guest.guest_token_replaced) == ([], False)
    by_named = after(state, decide.revoke_others(state, "two"))
    assert (list(by_named.tokens), by_named.guest_token_replaced) == (["two"], True)
    assert decide.revoke_others(by_named, "two") == []


def test_a_player_blocks_only_so_many_others() -> None:
    """And never themselves; a repeated block changes nothing."""
    state = NOTHING
    for number in range(MOST_BLOCKED):
        state = after(state, decide.block(state, PlayerId(f"p-{number}")))
    assert decide.block(state, PlayerId("p-0")) == []
    with pytest.raises(Rejected, match="too_many_blocks"):
        decide.block(state, PlayerId("p-more"))
    with pytest.raises(Rejected, match="own_block"):
        decide.block(state, state.id)
    freed = after(state, decide.unblock(state, PlayerId("p-0")))
    assert decide.unblock(freed, PlayerId("p-0")) == []
    assert decide.block(freed, PlayerId("p-more")) != []


STEPS = st.lists(st.tuples(st.sampled_from("mmmroucRbbf"), st.integers(0, 4), st.integers(0, 3)), max_size=40)


def step(state: Account, kind: str, which: int, now: Millis) -> list[Event]:
    """Return what a random command leads to, nothing if it is refused."""
    name = f"t{which}"
    code = state.recovery.hash if state.recovery else ""
    commands = {
        "m": lambda: decide.make_token(state, token(f"{name}-{now}", which * DAY or None), now),
        "r": lambda: decide.revoke_token(state, list(state.tokens)[which]),
        "o": lambda: decide.revoke_others(state, next(iter(state.tokens), None) if which else None),
        "u": lambda: decide.use_token(state, next(iter(state.tokens), ""), now),
        "c": lambda: decide.make_recovery_code(Recovery(name, "Anna")),
        "b": lambda: decide.block(state, PlayerId(f"p-{which}")),
        "f": lambda: decide.unblock(state, PlayerId(f"p-{which}")),
        "R": lambda: decide.recover(state, code, token(f"{name}-{now}")),
    }
    try:
        return commands[kind]()
    except (Rejected, IndexError):
        return []


@given(STEPS)
def test_a_summary_keeps_everything(steps: list[tuple[str, int, int]]) -> None:
    """Whatever happened: a stream that begins with the summary has the same state, now and later."""
    state, trimmed, now = NOTHING, NOTHING, NOON
    for number, (kind, which, days) in enumerate(steps):
        now = Millis(now + days * DAY + 1)
        events = step(state, kind, which, now)
        records = [Record(Version(number), now, event) for event in events]
        state, trimmed = reduce(evolve, records, state), reduce(evolve, records, trimmed)
        if number % 3 == 0:
            trimmed = evolve(ACCOUNTS.start("p-anna"), Record(Version(number), now, summary(trimmed, now)))
        assert state == trimmed
        assert len(state.tokens) <= MOST_TOKENS
        assert list(state.tokens) == [each.id for each in state.tokens.values()]


def test_a_profile_is_hidden_until_it_is_shown() -> None:
    """Which a summary keeps; doing it again changes nothing, and an erased account has no setting."""
    hidden = after(NOTHING, decide.hide(NOTHING, hidden=True))
    assert (NOTHING.hidden, hidden.hidden) == (False, True)
    assert decide.hide(hidden, hidden=True) == decide.hide(NOTHING, hidden=False) == []
    assert after(NOTHING, [summary(hidden, NOON)]) == hidden
    assert not after(hidden, decide.hide(hidden, hidden=False)).hidden
    assert not after(hidden, decide.erase(hidden)).hidden


def test_a_player_chooses_who_may_challenge_them() -> None:
    """Which neither hiding the profile nor a summary changes; choosing the same again changes nothing."""
    met = after(NOTHING, decide.admit_challengers(NOTHING, "met"))
    assert (NOTHING.challengers, met.challengers, met.hidden) == ("everybody", "met", False)
    assert decide.admit_challengers(met, "met") == []
    hidden = after(met, decide.hide(met, hidden=True))
    assert (hidden.challengers, hidden.hidden) == ("met", True)
    assert after(NOTHING, [summary(hidden, NOON)]) == hidden
    everybody = after(hidden, decide.admit_challengers(hidden, "everybody"))
    assert (everybody.challengers, everybody.hidden) == ("everybody", True)


def test_earlier_releases_read_who_may_challenge_a_player() -> None:
    """They know the event with its first field, and without the choice it is stored as they do."""
    assert msgspec.json.encode(ProfileHidden(hidden=True)) == b'{"type":"profile_hidden","hidden":true}'
    [chosen] = decide.admit_challengers(NOTHING, "nobody")
    assert msgspec.json.encode(chosen) == b'{"type":"profile_hidden","hidden":false,"challengers":"nobody"}'
