"""Commitments to seeds: whether the matches of a room were drawn from the seeds whose hashes it had published.

The events tell everything that is needed, so a client can check the same with what it sees.
"""

import msgspec

from service.domain.chance import seed_hash
from service.domain.room.model import events as happened
from service.domain.room.model.events import Recorded


class Commitments(msgspec.Struct):
    """What is known of a room's seeds after some of its events, from the first one on."""

    next_hash: str | None = None
    """The published hash of the next match's seed; None during a match, and where an earlier release published none."""
    match_hash: str | None = None
    """The hash of the running match's seed."""
    published: bool = False
    """Whether the room has last published a hash, or no match's seed was committed to because of an earlier release."""

    def broken_by(self, recorded: Recorded) -> str | None:
        """Take the next event, and return what it breaks; None where it keeps to what was published."""
        match recorded.event:
            case happened.RoomOpened(next_seed_hash=first):
                self.published, self.next_hash = bool(first), first or None
            case happened.PlayerReadied(salt=str()) if self.published and self.next_hash is None:
                return "a salt was accepted before the hash of its match's seed was published"
            case happened.MatchStarted(seed_hash=repeated):
                committed, self.next_hash, self.match_hash = self.next_hash, None, repeated
                if committed not in {None, repeated}:
                    return "the match's seed is not the one whose hash was published before"
            case happened.MatchEnded(seed=seed, next_seed_hash=following):
                self.published, self.next_hash = bool(following), following or None
                if seed_hash(bytes.fromhex(seed)) != self.match_hash:
                    return "the seed shown is not the one whose hash was published"
        return None
