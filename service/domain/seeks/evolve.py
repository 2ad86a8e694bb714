"""The fold of the stream of seeks."""

from collections.abc import Iterable

from msgspec.structs import replace

from service.domain.ids import Millis, PlayerId
from service.domain.seeks import model
from service.domain.seeks.model import FoundMatches, Misses, Pairing, Seek, SeekId
from service.domain.seeks.queue import Seeks, queue_of
from service.domain.streams import Record

IN_A_ROW = 3
"""A player who fails to appear for so many matches in a row is paused, as is one who aborts so many."""

PAUSE = Millis(5 * 60 * 1000)

FOUND_KEPT = Millis(60 * 60 * 1000)
"""How long the latest match that was found for a player is remembered."""


def evolve(state: Seeks, record: Record) -> Seeks:  # noqa: C901, PLR0911 - one arm per event
    """Return the state after an event."""
    match record.event:
        case model.SeekMade(seek):
            return replace(state, seeks=state.seeks.with_seek(seek))
        case model.SeekExpiryChanged(changed, expires):
            return with_expiry(state, changed, expires)
        case model.SeekWithdrawn(seek_id):
            return replace(state, seeks=state.seeks.without((seek_id,)))
        case model.SeeksExpired(ended):
            return replace(state, seeks=state.seeks.without(ended))
        case model.SeeksSummarised(seeks=seeks, pairings=pairings, misses=misses, widened=widened, found=found):
            return Seeks(queue_of(seeks), {each.id: each for each in pairings}, misses, widened, found)
        case model.RangesWidened(until):
            return replace(state, widened=until)
        case model.PlayersPaired(pairing):
            left = state.seeks.without([seek.id for seek in pairing.seeks])
            return replace(state, seeks=left, pairings={**state.pairings, pairing.id: pairing})
        case model.PairingOpened(pairing_id, room, epoch, deadline):
            opened = replace(state.pairings[pairing_id], room=room, epoch=epoch, deadline=deadline)
            return replace(state, pairings={**state.pairings, pairing_id: opened})
        case model.PairingKept(pairing_id):
            players = state.pairings[pairing_id].players
            misses = {player: missed for player, missed in state.misses.items() if player not in players}
            found = with_match(state, state.pairings[pairing_id], record.time)
            return replace(state, pairings=without_pairing(state, pairing_id), misses=misses, found=found)
        case model.PairingFailed(pairing_id, absent):
            pairing = state.pairings[pairing_id]
            again = queue_of([*state.seeks.by_id.values(), *returned(pairing, absent)])
            misses = {**state.misses, **{player: missed_again(state, player, record.time) for player in absent}}
            return replace(state, seeks=again, pairings=without_pairing(state, pairing_id), misses=misses)
    raise NotImplementedError(type(record.event))


def with_expiry(state: Seeks, changed: Iterable[SeekId], expires: Millis) -> Seeks:
    """Return the state after the end of some seeks was changed, including those that wait in a pairing."""
    ids = set(changed)

    def dated(seek: Seek) -> Seek:
        return replace(seek, expires=expires) if seek.id in ids else seek

    pairings = {
        pairing.id: replace(pairing, seats=tuple(map(dated, pairing.seats)), others=tuple(map(dated, pairing.others)))
        for pairing in state.pairings.values()
    }
    return replace(state, seeks=queue_of(map(dated, state.seeks.by_id.values())), pairings=pairings)


def with_match(state: Seeks, pairing: Pairing, now: Millis) -> dict[PlayerId, FoundMatches]:
    """Return the matches that were found for players with that of a pairing, the first one in its room."""
    match = f"{pairing.room}.{pairing.epoch}.1"
    recent = {player: found for player, found in state.found.items() if found.at + FOUND_KEPT > now}
    before = {player: recent[player].matches if player in recent else () for player in pairing.players}
    return recent | {player: FoundMatches(now, (*matches, match)[-IN_A_ROW:]) for player, matches in before.items()}


def without_pairing(state: Seeks, ended: str) -> dict[str, Pairing]:
    """Return the pairings without one."""
    return {pairing_id: pairing for pairing_id, pairing in state.pairings.items() if pairing_id != ended}


def returned(pairing: Pairing, absent: Iterable[PlayerId]) -> list[Seek]:
    """Return the seeks of the players who appeared, which keep their places in the queue."""
    gone = set(absent)
    return [seek for seek in pairing.seeks if seek.player not in gone]


def missed_again(state: Seeks, player: PlayerId, now: Millis) -> Misses:
    """Return the misses after a player failed to appear once more."""
    count = state.misses.get(player, Misses(0)).count + 1
    return Misses(0, Millis(now + PAUSE)) if count >= IN_A_ROW else Misses(count)
