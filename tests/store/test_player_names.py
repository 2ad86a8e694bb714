"""Nicknames in every store: references to them, erasure, and what several processes do at the same time."""

import asyncio

import pytest
from msgspec import UNSET

from service.domain.challenges.model import ChallengeAccepted
from service.domain.game import Rejected
from service.domain.ids import NameRef, PlayerId
from service.store.player_names import ERASED, MOST_NAMES, PlayerNames
from tests.store.conftest import Stores

ADA, BEN = PlayerId("p-ada"), PlayerId("p-ben")


async def test_a_nickname_has_one_reference(stores: Stores) -> None:
    """In every process; another nickname has another one, and the same nickname of another player, too."""
    names, others = stores.store.player_names, stores.other.player_names
    assert await names.refer(ADA, "Ada") == "p-ada/1"
    assert await others.refer(ADA, "Ada") == "p-ada/1"
    assert await others.refer(ADA, "Countess") == "p-ada/2"
    assert await names.refer(ADA, "Countess") == "p-ada/2"
    assert await names.refer(BEN, "Ada") == "p-ben/1"
    refs = [NameRef("p-ada/1"), NameRef("p-ada/2"), NameRef("p-ben/1"), NameRef("p-ben/9"), NameRef("p-cyd/1")]
    fresh = PlayerNames(stores.store.player_names.table)
    assert await fresh.find(refs) == dict(zip(refs, ["Ada", "Countess", "Ada", ERASED, ERASED], strict=True))


async def test_references_made_at_the_same_time_differ(stores: Stores) -> None:
    """For ten nicknames that two processes store at once, each of them twice."""
    texts = [f"Name {number % 10}" for number in range(20)]
    both = [stores.store.player_names, stores.other.player_names]
    refs = await asyncio.gather(*(both[number % 2].refer(ADA, text) for number, text in enumerate(texts)))
    shown = await PlayerNames(stores.store.player_names.table).find(refs)
    assert [shown[ref] for ref in refs] == texts


async def test_an_erased_nickname_is_not_shown(stores: Stores) -> None:
    """By the process that erases it at once; by others once they know, or if they had not read it."""
    names = stores.store.player_names
    other = PlayerNames(names.table)
    ref = await names.refer(ADA, "Ada")
    assert await other.shown(ADA, "", ref) == "Ada"
    await names.erase(ADA)
    assert await names.shown(ADA, "", ref) == ERASED
    assert await names.shown(ADA, "Ada", UNSET) == ERASED
    assert await other.shown(ADA, "", ref) == "Ada"
    other.hide(ADA)
    assert await other.shown(ADA, "", ref) == ERASED
    assert await PlayerNames(names.table).shown(ADA, "", ref) == ERASED


async def test_a_struct_is_filled_with_nicknames(stores: Stores) -> None:
    """Where it refers to them."""
    names = stores.store.player_names
    ref = await names.refer(ADA, 'A "quoted" name')
    accepted = ChallengeAccepted("c.p-ben", ADA, "", name_ref=ref)
    assert await names.named(accepted) == ChallengeAccepted("c.p-ben", ADA, 'A "quoted" name', name_ref=ref)
    old = ChallengeAccepted("c.p-ben", ADA, "Ada")
    assert await names.named(old) is old


async def test_a_player_has_so_many_nicknames(stores: Stores) -> None:
    """More are rejected; those that there are can be used again."""
    names = stores.store.player_names
    for number in range(MOST_NAMES):
        await names.table.add(ADA, str(number + 1), f"Name {number}")
    with pytest.raises(Rejected, match="too_many_nicknames"):
        await names.refer(ADA, "One more")
    assert await names.refer(ADA, "Name 7") == "p-ada/8"


async def test_all_players_with_nicknames_are_listed(stores: Stores) -> None:
    """For backups; page by page."""
    for player in (ADA, BEN):
        await stores.store.player_names.refer(player, "Name")
    found, cursor = set[PlayerId](), None
    while True:
        page = await stores.store.admin_store.named_players(cursor)
        found |= set(page.items)
        if (cursor := page.next) is None:
            break
    assert found == {ADA, BEN}
