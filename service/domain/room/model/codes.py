"""Every code with which the rules of a room reject a command, with its description for people."""

ROOM_CODES: dict[str, str] = {
    "not_your_turn": "It is not this seat's turn; `to_move` in the view lists the seats that may move.",
    "not_playing": "No match is being played in this room; wait for the next match to start.",
    "match_running": "This is not possible during a match; wait until the match has ended.",
    "rated_match": (
        "Rated matches exclude this: takebacks, hints, restarts, new settings, kicking, closing, bots, other players "
        "on a seat, and copies of a position before the end."
    ),
    "not_a_member": "You are not a member of this room; send `join` first.",
    "not_seated": "Only a seated player can do this; take a seat first.",
    "not_your_seat": "You do not hold this seat; name one of your own seats.",
    "not_the_creator": "Only the creator of the room can do this.",
    "seat_required": "You hold several seats; name one of them in `seat`.",
    "no_such_seat": "This game has no seat with this number; seats are numbered from 0.",
    "seats_count": "`seats` must have one entry for each seat of the game, with null for an empty seat.",
    "already_joined": "You are already a member of this room.",
    "already_seated": "This player already holds a seat; a player can hold several seats only in a hot-seat room.",
    "already_ready": "You are already ready; send `ready` again only to replace your salt.",
    "salt_too_early": (
        "Salts are not accepted during a match; send yours after `match_ended` has published `next_seed_hash`."
    ),
    "not_ready": "You are not ready, so there is nothing to undo.",
    "already_dropped": "This seat has already dropped out of the match.",
    "room_full": "All seats are taken; join as a spectator, or try again when a seat is free.",
    "seat_taken": "Another player holds this seat; choose a free seat.",
    "seats_empty": "The match cannot start while a seat is empty; fill all seats first.",
    "starts_by_itself": "Matches start automatically in this room; the setting `start` says when.",
    "is_spectator": "A spectator cannot be assigned a seat; spectators take a seat themselves with `take_seat`.",
    "no_such_player": "This player is not a member of the room.",
    "nickname_taken": "A member of this room has this nickname or one that looks like it; choose another one.",
    "bad_nickname": (
        "The nickname is invalid: use 1 to 24 visible characters from scripts that are used together, "
        "without characters that change the text direction, and no name reserved for the service; `reason` "
        "has the details."
    ),
    "bad_name": "The room name is invalid: use 3 to 40 letters a-z, digits, hyphens or spaces.",
    "no_such_level": "This game has no bots of this level; `bots` in GET /v1/games lists the levels.",
    "not_a_bot": "No bot of the service holds this seat.",
    "time_is_up": "The time for this turn is up, so the move was not made; the timeout follows immediately.",
    "already_so": "Nothing to change: the room is already as requested.",
    "nothing_to_veto": "You can veto the next match only when you are ready, during a match or after one.",
    "members_only": "Only members can read this room; send `join` first.",
    "no_spectators": "This room does not admit spectators; join as a player if a seat is free.",
    "kicked": "You were removed from this room and cannot join it again.",
    "no_such_invitation": "There is no invitation with this code or number here; ask for a new link.",
    "invitation_ended": "This invitation has ended, for the `reason` given; ask for a new link.",
    "not_your_invitation": "Another member created this invitation; only they and the room's creator can revoke it.",
    "too_many_invitations": "The room has as many open invitations as allowed; revoke one first.",
    "invited_to_seat": "This invitation is for one seat: join as a player, and name that seat or none.",
    "already_declined": "You have already declined this invitation, or too many others have.",
    "not_yourself": "You cannot do this to yourself; to leave the room, send `leave`.",
    "not_abandoned": (
        "This seat cannot be claimed yet: its player is present or has not been absent for long enough; see "
        "`claimable_at`."
    ),
    "already_offered": "You have already made an offer of this kind, and it is still open.",
    "draw_offered_here": (
        "A draw was already offered in this position; against bots, offer one again after the next move."
    ),
    "position_over": "The match was over at this version, so nobody can play on from there; choose an earlier one.",
    "no_such_offer": "There is no open offer with this number; `offers` in the view lists the open ones.",
    "not_asked": "This offer does not need your answer.",
    "not_your_offer": "Another player made this offer; send `answer` to decline it.",
    "nothing_to_take_back": "You have no turn in this match that can be taken back.",
    "room_closed": "This room is closed; open a new room under its name.",
    "nothing_due": "There is nothing to do in this room at the moment.",
}

REASONS: dict[tuple[str, str], str] = {
    ("invitation_ended", "expired"): "This invitation has expired; ask for a new link.",
    ("invitation_ended", "used_up"): "This invitation has reached its number of uses; ask for a new link.",
    ("invitation_ended", "revoked"): "This invitation was revoked, or its creator left the room; ask for a new link.",
    ("invitation_ended", "room_closed"): "The room of this invitation is closed.",
    ("bad_nickname", "length"): "The nickname is empty or too long; use 1 to 24 characters.",
    ("bad_nickname", "joiner"): (
        "The nickname has an invisible joiner (U+200D) or non-joiner (U+200C) where it joins nothing; remove it. It is "
        "allowed within combined emoji and in scripts that need it."
    ),
    ("bad_nickname", "invisible"): (
        "The nickname has a character that is invisible or changes the text direction; remove it."
    ),
    ("bad_nickname", "mixed_scripts"): (
        "The nickname mixes letters of scripts that are not used together, such as Latin and Cyrillic; use one of them."
    ),
    ("bad_nickname", "reserved"): "The nickname looks like a name of the service or of its bots; choose another one.",
}
"""Descriptions that replace that of the code, by the code and the `reason` in the rejection's params."""
