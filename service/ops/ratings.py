"""`turnstream ratings`: operators verify rating lists, rebuild leaderboards, and void matches."""

import argparse

from service.domain.ratings.classes import ListId
from service.domain.room.model.ids import Millis
from service.ops.data_loss import require_no_loss
from service.ops.exports.streams import every_stream
from service.ops.progress import Progress
from service.ops.verbs import Site, say, warn
from service.ratings.service import RatingService
from service.ratings.verification import ListVerifier, Verified, check_name
from service.rooms.access.audit_log import AuditLog, MatchVoided
from service.store.stream_keys import RATINGS


async def chosen_lists(site: Site, arguments: argparse.Namespace) -> list[ListId]:
    """Return the lists named, or all lists with matches. Raises `LookupError`."""
    return [check_name(name) for name in arguments.list or [key.id for key in await every_stream(site.store, RATINGS)]]


async def verify_ratings(site: Site, arguments: argparse.Namespace) -> int:
    """Check each entry against its match, recompute its figures, and print what differs."""
    progress, archive, verified = Progress("entries checked"), site.settings.archive, list[Verified]()
    for name in await chosen_lists(site, arguments):
        verified.append(await ListVerifier(site.store, name, archive, report_damage, progress.add).verify())
    progress.end()
    problems = sum(each.problems for each in verified)
    entries, players = (sum(each[part] for each in verified) for part in range(2))
    say(f"{entries} entries, {players} ratings, problems: {problems}")
    return 1 if problems else 0


def report_damage(line: str) -> None:
    """Print a problem."""
    say(f"DAMAGED {line}")


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
        say(f"{name}: {rows} players, {await ratings.places(name)} of them with a place")
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
