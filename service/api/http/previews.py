"""The head of a page that messengers read to preview a link: Open Graph and the tags of Twitter's cards."""

from collections.abc import Mapping
from html import escape
from typing import Any

import msgspec

from service.domain.catalog import GAMES
from service.domain.room.model.clock import ClockSetting, Days, Fischer, PerMove
from service.rooms.views.invitation_view import InvitationView

SITE = "Turnstream"
NO_ROBOTS = '<meta name="robots" content="noindex">\n<meta name="referrer" content="no-referrer">\n'
WIDTH, HEIGHT = 1200, 630
"""The size of the pictures in pixels."""


def preview_tags(view: InvitationView | None, public_url: str, path: str, picture: str | None) -> str:
    """Return the tags of an invitation's page; without an open invitation only those for robots.

    Addresses in previews are absolute, so there are none without a `public_url`, and none come from the request.
    """
    if view is None:
        return NO_ROBOTS
    title = f"{view.host} invites you to play {view.title}"
    description = f"{GAMES[view.game].tagline} {options_text(view)}".strip()
    tags = {"og:site_name": SITE, "og:type": "website", "og:title": title, "og:description": description}
    if public_url:
        tags["og:url"] = public_url + path
    if public_url and picture is not None:
        tags["og:image"] = public_url + picture
        tags["og:image:type"] = "image/png"
        tags["og:image:width"], tags["og:image:height"] = str(WIDTH), str(HEIGHT)
        tags["og:image:alt"] = f"A board of {view.title}"
    card = {"twitter:card": "summary_large_image" if "og:image" in tags else "summary"}
    return NO_ROBOTS + meta("property", tags) + meta("name", card)


def meta(kind: str, tags: Mapping[str, str]) -> str:
    """Return tags of `<head>`, one per line."""
    return "".join(f'<meta {kind}="{name}" content="{escape(content)}">\n' for name, content in tags.items())


def options_text(view: InvitationView) -> str:
    """Return the number of players, the options that are not the defaults, and the clock."""
    usual = as_plain(GAMES[view.game].options())
    chosen = [f"{name}: {plain(value)}" for name, value in view.options.items() if usual.get(name) != value]
    parts = [f"{view.seats} players", *chosen, clock_text(view.settings.clock)]
    return ", ".join(part for part in parts if part) + "."


def as_plain(options: Any) -> dict[str, Any]:
    """Return a game's options by name."""
    found: dict[str, Any] = msgspec.to_builtins(options)
    return found


def plain(value: Any) -> str:
    """Return an option's value for people."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def clock_text(clock: ClockSetting) -> str:
    """Return a clock for people, "" for none."""
    match clock:
        case PerMove(ms=ms):
            return f"{seconds(ms)} a move"
        case Fischer(initial_ms=initial, increment_ms=increment):
            return f"{minutes(initial)} and {seconds(increment)} a move" if increment else minutes(initial)
        case Days(days=days):
            return f"{days} days a move"
    return ""


def seconds(ms: int) -> str:
    """Return a time in seconds: `5 s`."""
    return f"{ms / 1000:g} s"


def minutes(ms: int) -> str:
    """Return a time in minutes, or in seconds if it is shorter than one."""
    return f"{ms / 60_000:g} min" if ms >= 60_000 else seconds(ms)
