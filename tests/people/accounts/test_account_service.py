"""Accounts in memory: what a process knows of them, for how long, and what failures leave behind."""

import asyncio

import pytest

from service.domain.accounts.kind import ACCOUNTS
from service.domain.accounts.model import NamedToken
from service.domain.game import Rejected
from service.domain.ids import Millis
from service.people.account_service import ALPHABET, AccountService, NewToken, link_code, normalized_link_code
from service.people.known_tokens import FollowedAccounts, account_key
from service.store.contract import StoreUnavailable
from service.streams.repository import StreamRepository
from service.streams.retention import KEPT_FOR
from tests.rooms.processes import ANNA, BEN, CLARA, IDS, MARK_KEY, Process, run_pending

ANYTHING = NewToken("bot", ("read", "play"))
FIVE_MINUTES = 5 * 60 * 1000


async def known(service: AccountService, token: NamedToken) -> NamedToken | None:
    """Return a token of Anna as it is used."""
    await service.load(ANNA.id)
    return service.token(ANNA.id, token.id)


async def test_a_process_follows_accounts_in_use(process: Process) -> None:
    """What another process changes is known without being asked for, and reported."""
    other = process.start_another()
    token = await process.accounts.make_token(ANNA.id, ANYTHING)
    assert await known(other.accounts, token) == token
    await process.accounts.revoke_token(ANNA.id, token.id)
    await run_pending()
    assert other.changed_accounts == [ANNA.id]
    assert other.accounts.token(ANNA.id, token.id) is None


async def test_a_token_ends_at_its_time(process: Process) -> None:
    """By the service's clock."""
    token = await process.accounts.make_token(ANNA.id, NewToken("bot", ("read",), Millis(process.clock.time + 1000)))
    assert await known(process.accounts, token) == token
    process.clock.time = Millis(process.clock.time + 1000)
    assert await known(process.accounts, token) is None
    assert await process.accounts.tokens(ANNA.id) == []


async def test_an_account_outlives_its_events(process: Process) -> None:
    """They are deleted after 30 days; tokens, the recovery code and the end of the guest token are kept."""
    code = await process.accounts.make_recovery_code(ANNA)
    token = await process.accounts.make_token(ANNA.id, ANYTHING)
    await process.accounts.revoke_others(ANNA.id, token.id)
    for _ in range(3):
        process.clock.time = Millis(process.clock.time + KEPT_FOR)
        await process.accounts.proceed(account_key(ANNA.id))
    assert len(process.store._streams[account_key(ANNA.id)].entries) == 2
    later = process.start_another().accounts
    assert await known(later, token) == token
    assert (await later.recover(code, "Back")).player == ANNA


async def test_the_least_recently_used_accounts_are_dropped_but_not_those_that_are_held(process: Process) -> None:
    """A dropped one is loaded again when it is used."""
    repository = StreamRepository(process.store, ACCOUNTS, 1)
    followed = FollowedAccounts(repository, size=1)
    with followed.hold(ANNA.id):
        for player in (ANNA, BEN, CLARA):
            await followed.load(player.id)
        await run_pending()
        assert followed.get(ANNA.id) is not None
        assert followed.get(BEN.id) is None
        assert account_key(BEN.id) not in process.store._subscriptions
    assert followed.get(CLARA.id) is None
    await asyncio.gather(followed.load(BEN.id), followed.load(BEN.id))
    await run_pending()
    assert followed.get(BEN.id) is not None
    assert account_key(BEN.id) in process.store._subscriptions


async def test_an_account_that_is_used_again_while_it_is_dropped_stays_followed(process: Process) -> None:
    """It would miss the end of its tokens otherwise."""
    followed = FollowedAccounts(StreamRepository(process.store, ACCOUNTS, 1), size=1)
    await followed.load(ANNA.id)
    loading = asyncio.gather(followed.load(BEN.id), followed.load(ANNA.id))
    await loading
    await followed.load(ANNA.id)
    await run_pending()
    assert followed.get(ANNA.id) is not None
    assert account_key(ANNA.id) in process.store._subscriptions


async def test_a_failing_store_leaves_an_account_unknown(process: Process) -> None:
    """It is loaded with the next request."""
    token = await process.accounts.make_token(ANNA.id, ANYTHING)
    other = process.start_another()
    other.store.failing["read"] = StoreUnavailable("away")
    assert await known(other.accounts, token) is None
    assert not other.accounts.is_current(ANNA.id)
    assert await known(other.accounts, token) == token


@pytest.mark.parametrize("call", ["read", "heads"])
async def test_an_account_that_cannot_be_loaded_is_not_followed(process: Process, call: str) -> None:
    """Nothing stays in memory of a player whose account was never known."""
    await process.accounts.make_token(ANNA.id, ANYTHING)
    other = process.start_another()
    repository = StreamRepository(other.store, ACCOUNTS, 1)
    other.store.failing[call] = StoreUnavailable("away")
    with pytest.raises(StoreUnavailable):
        await FollowedAccounts(repository, size=1).load(ANNA.id)
    await run_pending()
    assert not repository._wanted
    assert not repository._followed
    assert account_key(ANNA.id) not in other.store._subscriptions


async def test_a_use_is_stored_once_per_day(process: Process) -> None:
    """However often the token is used."""
    token = await process.accounts.make_token(ANNA.id, ANYTHING)
    for _ in range(3):
        used = await known(process.accounts, token)
        assert used is not None
        process.accounts.record_use(ANNA.id, used)
    await run_pending()
    assert len(process.store._streams[account_key(ANNA.id)].entries) == 2


async def test_either_of_two_can_have_blocked_the_other(process: Process) -> None:
    """Known to every process at once."""
    other = process.start_another().accounts
    assert not await other.is_blocked(ANNA.id, BEN.id)
    await process.accounts.block(ANNA.id, BEN.id)
    assert await other.is_blocked(ANNA.id, BEN.id)
    assert await other.is_blocked(BEN.id, ANNA.id)
    assert not await other.is_blocked(BEN.id, CLARA.id)
    await process.accounts.unblock(ANNA.id, BEN.id)
    assert not await other.is_blocked(BEN.id, ANNA.id)


async def test_a_failed_recovery_leaves_the_code_usable(process: Process) -> None:
    """The guest token ends first, so a failure in between never leaves a token that should have ended."""
    code = await process.accounts.make_recovery_code(ANNA)
    process.store.before_append.append(failure)
    with pytest.raises(StoreUnavailable):
        await process.accounts.recover(code, "Back")
    assert ANNA.id in process.accounts.replaced.players
    assert (await process.accounts.recover(code, "Back")).player == ANNA


async def failure() -> None:
    """Fail before anything is written."""
    raise StoreUnavailable("away")


async def test_the_end_of_guest_tokens_reaches_all_processes_once_each(process: Process) -> None:
    """A process that starts later reads all of them."""
    other = process.start_another()
    for player in (ANNA, BEN, ANNA):
        await process.accounts.replaced.record(player.id)
        await other.accounts.replaced.catch_up()
    assert other.changed_accounts == [ANNA.id, BEN.id]
    assert CLARA.id not in other.accounts.replaced.players


async def test_the_list_of_another_store_is_read_from_its_beginning(process: Process) -> None:
    """As after a restore of a backup while processes run; what was read before still counts."""
    replaced = process.accounts.replaced
    for player in (ANNA, BEN):
        await process.store.admin_store.record_replaced(player.id)
    await replaced.catch_up()
    process.store.admin_store._replaced.clear()
    await replaced.catch_up()
    await process.store.admin_store.record_replaced(CLARA.id)
    await replaced.catch_up()
    assert all(player.id in replaced.players for player in (ANNA, BEN, CLARA))


async def test_a_link_code_ends_after_five_minutes(process: Process) -> None:
    """And is known to processes with a newer key, which still have the older one."""
    first, second = await process.accounts.make_link_code(ANNA), await process.accounts.make_link_code(ANNA)
    newer = AccountService(process.heartbeat, process.clock, lambda: f"id{next(IDS)}", [b"a newer key", MARK_KEY])
    process.clock.time = Millis(process.clock.time + FIVE_MINUTES - 1)
    assert (await newer.use_link_code(first.code, "Phone")).player == ANNA
    process.clock.time = Millis(process.clock.time + 1)
    with pytest.raises(Rejected, match="no_such_code"):
        await process.accounts.use_link_code(second.code, "Phone")


def test_link_codes_use_every_character_alike() -> None:
    """None of which is mistaken for another; what is typed is normalised."""
    assert len(set(ALPHABET)) == 32
    assert not set("01IO") & set(ALPHABET)
    assert sorted(link_code(bytes(range(at, at + 8))) for at in range(0, 32, 8)) == sorted(
        ALPHABET[at : at + 8] for at in range(0, 32, 8)
    )
    assert normalized_link_code(" 2345-6789\n") is None
    assert normalized_link_code("abcd-efgh ") == "ABCDEFGH"
