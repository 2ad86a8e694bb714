"""Probabilities in Tic-Tac-Rainbow: what the next seat can do, averaged over all rolls of the die."""

from service.domain.games.rainbow.engine.table import Act, Table
from service.domain.games.rainbow.model import ALL_PEGS, COLOURS, Colour
from service.domain.search.meter import Meter


def rolls(table: Table) -> tuple[Colour | None, ...]:
    """Return the possible rolls of a turn: the colours, or only None in a match without a die."""
    return COLOURS if table.options.dice else (None,)


def exposure(table: Table, act: Act) -> float:
    """Return the probability that the next seat can win by a line after this act of the seat to move."""
    if table.options.misere:
        return 0
    seat, before = table.turn, table.act(act)
    pegs = table.lining(table.turn, ALL_PEGS)
    able = sum(bool(pegs & table.usable(table.turn, roll)) for roll in rolls(table)) if pegs else 0
    table.undo(seat, act, before)
    return able / len(rolls(table))


def pressure(table: Table, act: Act, meter: Meter) -> tuple[float, float]:
    """Return the next seat's danger after an act, with its best reply and on average. Raises `BudgetSpent`.

    Danger is the probability that it loses by its reply or to the seat after it, averaged over its rolls.
    """
    seat, before = table.turn, table.act(act)
    replies = [list(table.acts(table.usable(table.turn, roll))) for roll in rolls(table)]
    dangers = {reply: danger(table, reply, meter) for some in replies for reply in some}
    table.undo(seat, act, before)
    by_roll = [[dangers[reply] for reply in some] for some in replies]
    forced, usual = sum(map(min, by_roll)), sum(sum(some) / len(some) for some in by_roll)
    return forced / len(by_roll), usual / len(by_roll)


def danger(table: Table, act: Act, meter: Meter) -> float:
    """Return the probability that the seat to move loses by this act, or to the next seat."""
    meter.tick()
    return float(table.makes_line(act)) if table.options.misere else exposure(table, act)
