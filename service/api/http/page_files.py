"""The files that each page of the browser client names in its head, by patterns of paths within `service`."""

CLIENT = "web"
LIBRARY = "client_library"

SHELL = (f"{CLIENT}/*.js", f"{LIBRARY}/client/requests.js", f"{LIBRARY}/client/feed.js")
BOARD = (
    *SHELL,
    *(f"{LIBRARY}/client/{name}.js" for name in ("clock", "matches", "patch", "room")),
    *(f"{CLIENT}/{name}/*.js" for name in ("room", "review", "boards", "looks", "motion", "hands", "forms")),
    f"{CLIENT}/fairness/salts.js",
    *(f"{CLIENT}/languages/{name}.js" for name in ("room", "games")),
)
"""What shows the board of a room."""

PRELOADED = {
    "lobby": (*SHELL, f"{CLIENT}/lobby/*.js"),
    "room": (*BOARD, f"{CLIENT}/lesson/lesson_offer.js", f"{CLIENT}/fairness/fairness_panel.js"),
    "game": SHELL,
    "invitation": (
        *SHELL,
        f"{LIBRARY}/client/invitations.js",
        f"{CLIENT}/people/invitation_page.js",
        *(f"{CLIENT}/forms/{name}.js" for name in ("configuration_words", "fields", "schema_form", "settings_form")),
        *(f"{CLIENT}/languages/{name}.js" for name in ("room", "people")),
    ),
    "lesson": (*BOARD, f"{CLIENT}/lesson/*.js"),
    "devices": (
        *SHELL,
        *(f"{LIBRARY}/client/{name}.js" for name in ("account", "challenges", "own_feed")),
        *(f"{CLIENT}/people/{name}.js" for name in ("devices_page", "device_name", "blocks", "own_events")),
        f"{CLIENT}/forms/fields.js",
        *(f"{CLIENT}/languages/{name}.js" for name in ("room", "people")),
    ),
    "tv": (*BOARD, f"{LIBRARY}/client/tv.js", f"{CLIENT}/live/*.js"),
    "player": (
        *SHELL,
        *(f"{LIBRARY}/client/{name}.js" for name in ("players", "ratings")),
        f"{CLIENT}/profile/*.js",
        f"{CLIENT}/ratings/ratings.js",
        f"{CLIENT}/languages/ratings.js",
    ),
    "ratings": (
        *SHELL,
        f"{LIBRARY}/client/ratings.js",
        *(f"{CLIENT}/ratings/{name}.js" for name in ("ratings_page", "leaderboard_page", "ratings")),
        f"{CLIENT}/forms/fields.js",
        *(f"{CLIENT}/languages/{name}.js" for name in ("room", "ratings")),
    ),
    "tournaments": (
        *SHELL,
        f"{LIBRARY}/client/tournaments.js",
        *(f"{CLIENT}/tournaments/{name}.js" for name in ("list_page", "tournaments")),
        f"{CLIENT}/languages/ratings.js",
    ),
    "tournament": (
        *SHELL,
        *(f"{LIBRARY}/client/{name}.js" for name in ("feed", "patch", "tournament", "tournaments")),
        *(
            f"{CLIENT}/tournaments/{name}.js"
            for name in ("tournament_page", "own_part", "standings", "tables", "tournaments")
        ),
        *(f"{CLIENT}/forms/{name}.js" for name in ("fields", "settings_form")),
        *(f"{CLIENT}/languages/{name}.js" for name in ("room", "ratings")),
    ),
}
"""The modules that a page names, so that the browser requests them together instead of one after the other."""

STYLES = {
    "room": ("room", "boards"),
    "lesson": ("room", "boards", "lesson"),
    **dict.fromkeys(("game", "tv"), ("boards",)),
    **dict.fromkeys(("invitation", "devices"), ("people",)),
    **dict.fromkeys(("ratings", "player"), ("ratings",)),
    **dict.fromkeys(("tournaments", "tournament"), ("tournaments",)),
}
"""The style sheets that a page needs in addition to the common one."""
