"""Why a tournament refuses a command."""

TOURNAMENT_CODES = {
    "no_such_tournament": "There is no tournament with this id.",
    "tournament_over": "The tournament has finished or was cancelled.",
    "registration_closed": "The tournament no longer admits players.",
    "tournament_full": "The tournament already has the maximum number of players.",
    "not_registered": "This player is not registered for this tournament.",
    "removed_from_tournament": "You were removed from this tournament, by its organiser or by a ban.",
    "no_programs": "Programs may not take part in this tournament.",
    "no_check_in": "Check-in is not open now; `begins` says when it opens.",
    "not_the_organiser": "Only the organiser of the tournament can do this.",
    "too_few_players": "A match needs more players than have registered.",
    "too_many_tournaments": (
        "As many tournaments as allowed are open, yours or those of all players: `most`. Cancel one of yours, or "
        "create this one when another has ended."
    ),
}
"""The meaning of every code."""
