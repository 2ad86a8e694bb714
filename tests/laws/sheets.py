"""Matches of seeded random play as a room records them, and as the API exports them."""

import msgspec

from service.domain.chance import seed_hash
from service.domain.ids import Millis, PlayerId, Version
from service.domain.notation.sheet import MatchRecord, read_match
from service.domain.room.model.events import MatchEnded, MatchStarted, Recorded, Result
from service.rooms.views.event_view import event_json
from tests.laws.play import PlayedMatch, RunningMatch


def match_of(played: PlayedMatch, match_id: str = "friday-night.k3v2q7.1") -> MatchRecord:
    """Return the record of a match; one that did not end was closed with its room."""
    seed = RunningMatch(played.game, played.options, played.seed)._seed
    outcome = played.game.outcome(played.last)
    started = MatchStarted(
        id=match_id,
        game=played.game.slug,
        rules_version=played.game.rules_version,
        options=msgspec.to_builtins(played.options),
        seats=(None,) * len(played.seats),
        salts=("",) * len(played.seats),
        seed_hash=seed_hash(seed),
    )
    ended = MatchEnded(Result.of(outcome) if outcome else Result.void("closed"), seed.hex())
    return read_match((Version(0), event) for event in (started, *(event for event, _ in played.events), ended))


def export_of(match: MatchRecord) -> bytes:
    """Return the match as the API exports it to a client without a token."""
    history = [match.started, *match.events, *([match.ended] if match.ended else [])]
    recorded = (
        Recorded(Version(n), Millis(n), Version(n), 1, PlayerId("p-1"), event) for n, event in enumerate(history, 1)
    )
    return b"".join(event_json(each, None, match.started.game) + b"\n" for each in recorded)
