"""`turnstream ratings`: operators verify rating lists, rebuild leaderboards, and void matches."""

import argparse
from collections.abc import Callable, Sequence

from service.contests.rating_service import RatingService
from service.contests.rating_verification import ListVerifier, Verified, check_name
from service.domain.ids import Millis
from service.domain.ratings.model import ListId
from service.programs.ops.data_loss import require_no_loss
from service.programs.ops.exports.streams import every_stream
from service.programs.ops.progress import Progress
from service.programs.ops.verbs import Site, say, warn
from service.rooms.access.audit_log import AuditLog, MatchVoided
from service.store.contract import Store
from service.store.stream_keys import RATINGS


async def every_list(store: Store) -> list[ListId]:
    """Return all lists with matches."""
    return [ListId(key.id) for key in await every_stream(store, RATINGS)]


async def chosen_lists(site: Site, arguments: argparse.Namespace) -> list[ListId]:
    """Return the lists named, or all lists with matches. Raises `LookupError`."""
    return [check_name(name) for name in arguments.list or await every_list(site.store)]


async def verify_ratings(site: Site, arguments: argparse.Namespace) -> int:
    """Check each entry against its match, recompute its figures, and print what differs."""
    verified = await check_lists(site, await chosen_lists(site, arguments), is_complete=True)
    say(f"{verified.entries} entries, {verified.players} ratings, problems: {verified.problems}")
    return 1 if verified.problems else 0


async def check_lists(site: Site, lists: Sequence[ListId], *, is_complete: bool) -> Verified:
    """Verify lists, print what differs, and return the sums of their counts."""
    progress, archive, verified = Progress("entries checked"), site.settings.archive, list[Verified]()
    report: Callable[[str], None] = lambda line: say(f"DAMAGED {line}")  # noqa: E731 - passed on
    for name in lists:
        verifier = ListVerifier(site.store, name, archive, report, progress.add, is_complete=is_complete)
        verified.append(await verifier.verify())
    progress.end()
    return Verified(*(sum(counts) for counts in zip(Verified(0, 0, 0), *verified, strict=True)))


async def rebuild_ratings(site: Site, arguments: argparse.Namespace) -> int:
    """Rebuild leaderboards from their lists. Raises `StoreLost`."""
    await require_no_loss(site.store, site.settings)
    ratings, progress = await ratings_of(site), Progress("rows written")
    overtaken = 0
    for name in await chosen_lists(site, arguments):
        rows = await ratings.rebuild(name)
        if rows is None:
            overtaken += 1
            warn(f"{name}: another rebuild has taken over; this one has stopped")
            continue
        progress.add(rows)
        say(f"{name}: {rows} players, {(await site.store.leaderboards.size(name)).places} of them with a place")
    progress.end()
    return min(overtaken, 1)


async def void_match(site: Site, arguments: argparse.Namespace) -> int:
    """Void a match: undo what it changed in its players' ratings. Raises `StoreLost` and `LookupError`."""
    await require_no_loss(site.store, site.settings)
    ratings = await ratings_of(site)
    found = await ratings.void(arguments.match, arguments.reason)
    if found is None:
        raise LookupError(f"{arguments.match} is in no rating list; its leaderboard may have to be rebuilt")
    await AuditLog(site.store).record(MatchVoided(arguments.reason, arguments.match, found))
    say(f"{arguments.match} is voided in {found}")
    return 0


async def ratings_of(site: Site) -> RatingService:
    """Return the ratings of the store, at the time of its clock."""
    now: Millis = await site.store.time()
    return RatingService(site.store, lambda: now)
