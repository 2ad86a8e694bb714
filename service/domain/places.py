"""The places of seats at the end of a match, and their shares of a stake."""

from collections.abc import Collection, Sequence


def rank(scores: Sequence[float], dropped: Sequence[int] = ()) -> tuple[int, ...]:
    """Return each seat's place by its score, highest first; tied seats share a place, and the next is left out (1 1 3).

    Seats in `dropped`, in the order in which they dropped out, rank after all others; the first of them is last.
    (Rules: Endings, Dropping out.)
    """
    stayed = [seat for seat in range(len(scores)) if seat not in dropped]
    places = [1 + sum(scores[other] > scores[seat] for other in stayed) for seat in range(len(scores))]
    for order, seat in enumerate(dropped):
        places[seat] = len(scores) - order
    return tuple(places)


def split(winners: Collection[int], seats: int) -> tuple[int | float, ...]:
    """Return by seat its share of a stake of 1, which the winners split equally."""
    share = 1 if len(winners) == 1 else 1 / len(winners)
    return tuple(share if seat in winners else 0 for seat in range(seats))
