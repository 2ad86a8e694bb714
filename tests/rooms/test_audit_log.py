"""The audit log: entries of operators' actions, as every process reads them."""

import pytest
from structlog.testing import capture_logs

from service.domain.ids import PlayerId
from service.rooms.access.audit_log import AuditLog, Moderation, ModerationFollower, PlayerBanned, entry_of
from service.streams.errors import ServiceError
from tests.memory_store.store import MemoryStore

ANNA = PlayerId("anna")


async def test_an_action_of_a_newer_release_is_skipped() -> None:
    """Later actions still apply, and the log shows it unchanged."""
    store, moderation = MemoryStore(), Moderation()
    newer = await store.admin_store.log(b'{"type":"player_praised","reason":"manners","player":"ben"}')
    await AuditLog(store).record(PlayerBanned("rude", ANNA, on=True))
    with capture_logs() as logs:
        await ModerationFollower(store, moderation).catch_up()
    assert [line["event"] for line in logs] == ["audit_entry_not_known"]
    with pytest.raises(ServiceError, match="banned"):
        moderation.refuse(ANNA)
    assert bytes(entry_of(newer).deed) == newer.data
