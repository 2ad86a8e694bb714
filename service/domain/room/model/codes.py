"""Every code that a refusal can carry: its HTTP status and what it tells a person."""

from typing import NamedTuple


class Code(NamedTuple):
    """A refusal's status and meaning."""

    status: int
    meaning: str


ROOM_CODES: dict[str, Code] = {
    "not_your_turn": Code(409, "Another seat is to move; see to_move."),
    "not_playing": Code(409, "No match is being played in this room."),
    "match_running": Code(409, "This can't be done during a match."),
    "not_a_member": Code(403, "Join the room first."),
    "not_seated": Code(403, "Only a seated player may do this; take a seat first."),
    "not_your_seat": Code(403, "Another player holds this seat, or nobody."),
    "not_the_creator": Code(403, "Only the room's creator may do this."),
    "seat_required": Code(422, "You hold several seats: say which one with `seat`."),
    "no_such_seat": Code(422, "The game has no seat of this number."),
    "seats_count": Code(422, "The list must name each of the game's seats once, null for an empty one."),
    "already_joined": Code(409, "You are in this room already."),
    "already_seated": Code(409, "You hold a seat already; leave it first, or open a hot-seat room."),
    "already_ready": Code(409, "You have said that you are ready; only another salt would change something."),
    "salt_too_early": Code(409, "Send a salt for the next match when this one has ended and `next_seed_hash` is out."),
    "not_ready": Code(409, "You have not said that you are ready."),
    "already_dropped": Code(409, "This seat has left the match."),
    "room_full": Code(409, "Every seat is taken; join as a spectator."),
    "seat_taken": Code(409, "Somebody holds this seat."),
    "seats_empty": Code(409, "The match begins only when every seat is taken."),
    "starts_by_itself": Code(409, "In this room matches begin by themselves; see the setting `start`."),
    "is_spectator": Code(409, "A spectator is seated only when they ask for it with take_seat."),
    "no_such_player": Code(409, "One of these players is not in the room."),
    "nickname_taken": Code(409, "Somebody here has this nickname or one that looks like it; join with another one."),
    "bad_nickname": Code(
        422,
        "A nickname has 1 to 24 visible characters, none of which changes direction, of scripts that go together, and "
        "is none of the service's own (see `reason`).",
    ),
    "bad_name": Code(422, "A room's name has 3 to 40 letters a-z, digits, hyphens or spaces."),
    "no_such_level": Code(422, "No bot plays this game at this level; see `bots` at GET /v1/games."),
    "not_a_bot": Code(409, "No bot of the house sits there."),
    "time_is_up": Code(409, "The time for this turn is over; the house is about to say so."),
    "already_so": Code(409, "It is so already."),
    "nothing_to_veto": Code(409, "No next match would begin by itself: there was none yet, or you are not ready."),
    "members_only": Code(403, "In this room only members may look on."),
    "no_spectators": Code(409, "This room takes no spectators."),
    "kicked": Code(403, "You were sent away from this room."),
    "not_yourself": Code(409, "This is for others; you can leave."),
    "not_abandoned": Code(409, "Somebody is there for this seat, or hasn't been away long enough; see `claimable_at`."),
    "already_offered": Code(409, "You have offered this already; it is still open."),
    "draw_offered_here": Code(
        409, "A draw was offered at this position already; where a bot plays, offer one again after the next move."
    ),
    "no_such_offer": Code(409, "No offer of this number is open."),
    "not_asked": Code(403, "This offer does not wait for your answer."),
    "not_your_offer": Code(403, "Somebody else made this offer; answer it instead."),
    "nothing_to_take_back": Code(409, "No turn of yours can be taken back."),
    "room_closed": Code(409, "This room is closed; open it anew under its name."),
    "nothing_due": Code(409, "Nothing is due in this room now."),
}
