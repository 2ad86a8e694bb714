"""Why a tournament refuses a command."""

TOURNAMENT_CODES = {
    "no_such_tournament": "There is no tournament with this id.",
    "tournament_over": "The tournament has finished or was cancelled.",
    "tournament_running": "The tournament has begun already.",
    "registration_closed": "The tournament admits nobody any longer.",
    "tournament_full": "The tournament has as many players as it admits.",
    "already_registered": "You take part already.",
    "not_registered": "This player does not take part.",
    "removed_from_tournament": "The organiser has removed you from this tournament.",
    "no_programs": "Programs may not take part in this tournament.",
    "no_check_in": "There is no check-in now; `begins` says when it begins, in milliseconds since 1970.",
    "not_the_organiser": "Only the organiser of the tournament can do this.",
    "too_few_players": "A match needs more players than have registered.",
    "too_many_tournaments": "You have as many open tournaments as allowed, or there are as many as this service takes.",
}
"""The meaning of every code."""
