"""Accounts in exports: each as the summary of its stream, from which the stream begins again after an import."""

import msgspec

from service.domain.accounts.evolve import ACCOUNTS
from service.domain.accounts.model import Account, AccountSummarised
from service.domain.room.model.ids import PlayerId
from service.ops.exports.format import AccountLine, Damaged
from service.rooms.errors import ServiceError
from service.store.codec import UnknownEvent
from service.store.contract import Store
from service.store.stream_codec import FORMAT, decode_event
from service.store.stream_keys import KindKey
from service.streams.processor import StreamProcessor
from service.streams.repository import StreamRepository

KIND = "account"


async def every_account(store: Store) -> list[KindKey]:
    """Return each account once. Raises `StoreUnavailable`."""
    page = await store.admin_store.streams(KIND)
    found = dict.fromkeys(page.streams)
    while page.next is not None:
        page = await store.admin_store.streams(KIND, page.next)
        found |= dict.fromkeys(page.streams)
    return sorted(found, key=lambda key: key.id)


async def account_line(store: Store, key: KindKey) -> AccountLine:
    """Return an account as a line. Raises `Damaged`."""
    try:
        stream = await StreamRepository(store, ACCOUNTS, size=1).current(key)
    except ServiceError as refusal:
        raise Damaged(f"its stream cannot be read: {refusal.problem.code}") from None
    summary = ACCOUNTS.summary(stream.state, stream.time)
    return AccountLine(key.id, FORMAT, msgspec.Raw(msgspec.json.encode(summary)))


def summary_in(line: AccountLine) -> AccountSummarised:
    """Return the summary in a line. Raises `Damaged` unless this release can read it."""
    try:
        event = decode_event(ACCOUNTS.event, line.f, line.e)
    except (UnknownEvent, msgspec.DecodeError) as fault:
        raise Damaged(f"the account {line.account} cannot be read by this release: {fault}") from None
    if not isinstance(event, AccountSummarised):
        raise Damaged(f"the line of the account {line.account} is no summary of one")
    return event


async def import_account(store: Store, line: AccountLine) -> bool:
    """Begin the stream of an account with its summary; return whether it was written, not if there is one already."""
    key, summary, now = KindKey(KIND, line.account), summary_in(line), await store.time()
    if (await store.heads([key]))[0] is not None:
        return False
    processor = StreamProcessor(StreamRepository(store, ACCOUNTS, size=1), lambda: now)
    await processor.decide(key, lambda state, _: [summary] if state == Account(state.id) else [])
    if summary.guest_token_replaced:
        await store.admin_store.record_replaced(PlayerId(key.id))
    return True
