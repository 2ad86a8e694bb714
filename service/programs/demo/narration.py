"""Events, counts and results in words, for any game."""

from collections.abc import Sequence

from service.programs.demo.api import Json

SILENT = frozenset({"match_started", "laid_out", "round_begun", "match_ended", "player_readied"})
"""Events that are visible on the board or in the lines around it."""

TAKEN = ("captured", "trapped")
"""Fields that list the pieces that a move captured."""


def sentence(event: Json, colours: Sequence[str]) -> str:
    """Return an event in a few words; "" for one that is visible on the board."""
    who = colours[event["seat"]] if "seat" in event else event.get("board", "")
    match event["type"]:
        case kind if kind in SILENT or not who:
            return ""
        case "passed":
            return f"{who} cannot move and is passed over"
        case "selected":
            return f"{who} selected a square"
        case kind:
            parts = (who, kind.replace("_", " "), what(event), where(event), consequences(event))
            return " ".join(part for part in parts if part)


def what(event: Json) -> str:
    """Return the piece or value of an event."""
    piece = f"{event['peg']} showing {event['side']}" if "peg" in event else ""
    return piece or str(event.get("value", ""))


def where(event: Json) -> str:
    """Return the squares of an event."""
    if "from" in event:
        return f"{event['from']} to {event['to']}"
    return f"{event.get('at', '')}"


def consequences(event: Json) -> str:
    """Return what a move captured or formed."""
    parts = [f"and took {' '.join(event[field])}" for field in TAKEN if event.get(field)]
    parts += [f"and closed {' and '.join('-'.join(mill) for mill in event['mills'])}"] if event.get("mills") else []
    parts += [f"for {'-'.join(event['line'])}"] if event.get("line") else []
    return ", ".join(parts)


def passes(events: Sequence[Json], colours: Sequence[str]) -> list[str]:
    """Return the passes in these events, in words."""
    return [sentence(event, colours) for event in events if event["type"] == "passed"]


def counts(state: Json, colours: Sequence[str]) -> str:
    """Return everything that a state counts by seat, such as scores."""
    parts = []
    for name, value in state.items():
        if isinstance(value, dict) and list(value) == list(colours) and all(type(n) is int for n in value.values()):
            parts.append(f"{name.replace('_', ' ')}: " + ", ".join(f"{colour} {n}" for colour, n in value.items()))
    return "; ".join(parts)


def taken(events: Sequence[Json]) -> int:
    """Return how many pieces were captured, trapped or removed."""
    removed = sum(1 for event in events if event["type"] == "removed")
    return removed + sum(len(event.get(field, ())) for event in events for field in TAKEN)


def result_words(result: Json, colours: Sequence[str]) -> str:
    """Return the winners and the reason."""
    winners = [colours[seat] for seat in result["winners"]]
    scores = "" if result["scores"] is None else ", " + " : ".join(f"{score:g}" for score in result["scores"])
    verdict = "a draw" if len(winners) == len(colours) else " and ".join(winners) + (" win" if winners[1:] else " wins")
    return f"{verdict} ({result['reason']}{scores})"
