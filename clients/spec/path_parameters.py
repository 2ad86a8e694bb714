"""The parameters in the paths of routes."""

from service.domain.catalog import GAMES

PATH_PARAMETERS = {
    "room": ("The room's name, in any case and spacing.", "friday-night"),
    "game": ("The game's slug, as in GET /v1/games.", next(iter(GAMES))),
    "rating_class": ("The rating class: `bullet`, `blitz`, `rapid`, `correspondence` or `bots`.", "blitz"),
    "channel": ("The channel of TV: a game's slug, or `best`.", "best"),
    "number": ("The number of the match in its room, from 1.", "3"),
    "match_id": ("The match's id, as in its room's view.", "friday-night.mzuw4zlo.1"),
    "player": ("The player's id, as in the room's view.", "p-aaaaaaaaaaaaaaaa"),
    "other": ("The id of another player.", "p-bbbbbbbbbbbbbbbb"),
    "token": ("The id of the token.", "x7k2m4qa3h5n6p7r"),
    "report": ("The id of a report.", "1768590000000-0"),
    "code": ("The code of the invitation.", "q83vEjRWeJCrze8SNFZ4kA"),
    "challenge": ("The id of the challenge.", "x7k2m4qa.p-aaaaaaaaaaaaaaaa"),
    "tournament": ("The id of the tournament.", "x7k2m4qa3h5n6p7r"),
    "seek": ("The id of the seek.", "x7k2m4qa"),
    "webhook": ("The id of the webhook.", "w-5jx2kq7fzc4wnh3a"),
    "event": ("The version of the event in its owner's feed.", "41"),
    "folder": ("The file's folder.", "style"),
    "release_name": ("The release, as the page names it.", "0123456789abcdef"),
    "place": ("`web` for the browser client, `client` for the JavaScript library.", "web"),
    "name": ("The file's name.", "page.css"),
}
"""The description of each, with an example."""
