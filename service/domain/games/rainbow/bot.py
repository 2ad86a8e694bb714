"""Tic-Tac-Rainbow's bot: it makes lines, avoids giving the next seat one, and searches for forced wins."""

from collections.abc import Mapping
from functools import reduce

from msgspec import Struct

from service.domain.chance import Chance
from service.domain.game import Budget, Evaluation, Level, Seat
from service.domain.games.rainbow.model import ALL_PEGS, COLOURS, Colour, Flipped, Moved, Position, RainbowMove
from service.domain.games.rainbow.proof import Search
from service.domain.games.rainbow.rules import decide, evolve
from service.domain.games.rainbow.table import OFF, Act, Table, as_move
from service.domain.search.meter import BudgetSpent, Meter


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


TWO = 2


class Skill(Struct, frozen=True):
    """The strength of a level."""

    blur: int = 0
    """The range of the random error of each act's value, in percent of a win by the next seat."""
    nodes: int | None = None
    """The most positions that it examines; None = as many as the budget allows."""
    overlooks: int = 0
    """The percentage of its own lines that it overlooks in misere, where no match would end otherwise."""


SKILLS: Mapping[Level, Skill] = {
    "easy": Skill(blur=300, nodes=0, overlooks=85),
    "casual": Skill(blur=60, nodes=0, overlooks=66),
    "medium": Skill(nodes=0, overlooks=58),
    "skilled": Skill(nodes=600, overlooks=52),
    "hard": Skill(nodes=4000, overlooks=45),
    "expert": Skill(),
}


def choose(position: Position, seat: Seat, chance: Chance, budget: Budget) -> RainbowMove:
    """Return the bot's move."""
    draw, table, skill = chance.draw(), Table(position), SKILLS[budget.level]
    found = list(table.acts(table.usable(seat, position.die)))
    acts = draw.sample(found, len(found))  # the order decides between equal ones
    if position.options.misere and table.makes_line(acts[0]) and draw.below(100) < skill.overlooks:
        return as_move(acts[0])
    if skill.blur:
        return as_move(max(acts, key=lambda act: worth(table, act) + draw.below(skill.blur)))
    return as_move(best(position, table, acts, meter_of(budget)))


def accepts_draw(position: Position, seat: Seat, budget: Budget) -> bool:
    """Return whether the bot agrees to a draw: if it has lost by force, or if nobody has placed a peg for long.

    Nothing else shows who is ahead. Half of the turns without a placement that end the match are long.
    """
    winners = forced_winners(position, meter_of(budget))
    return seat not in winners if winners else 0 < position.options.quiet_limit <= 2 * position.quiet


def forced_winners(position: Position, meter: Meter) -> tuple[Seat, ...]:
    """Return the seats for which a forced win is found: one, or with misere the two that did not make a line.

    With a die or three seats only lines are found, and that every act allows the next seat one.
    """
    table, mover, misere = Table(position), position.turn, position.options.misere
    staying = [Seat(seat) for seat in range(position.options.players) if Seat(seat) not in position.dropped]
    others = tuple(seat for seat in staying if seat != mover)
    acts = list(table.acts(table.usable(mover, position.die)))
    calm = [act for act in acts if not table.makes_line(act)]
    if len(calm) < len(acts) and not (misere and calm):
        return others if misere else (mover,)
    lasting = [act for act in calm if not draws(position, act)]
    safe = [act for act in lasting if exposure(table, act) < 1]
    if not safe:
        return (Seat(table.after(mover)),) if len(lasting) == len(calm) else ()
    if position.options.dice or len(others) > 1:
        return ()
    search = Search(table, safe, (), meter)
    search.run()
    if search.root.proof == 0:
        return (mover,)
    return others if search.root.disproof == 0 and len(lasting) == len(calm) else ()


def evaluate_position(position: Position, played: Mapping[Seat, RainbowMove], budget: Budget) -> Evaluation:
    """Return the chances of the seats: lines, forced wins of two, and what a roll may bring; the rest is even."""
    table, seat, seats = Table(position), position.turn, range(position.options.players)
    staying = [each for each in seats if each not in position.dropped]
    acts = list(table.acts(table.usable(seat, position.die)))
    chosen = best(position, table, acts, meter_of(budget))
    did = next((act for act in acts if as_move(act) == played.get(seat)), chosen)
    found = {act: hope(position, act, len(staying), meter_of(budget)) for act in (chosen, did)}
    chance = max(found.values())
    even = (1 - chance) / (len(staying) - 1)
    chances = tuple(0.0 if each not in staying else chance if each == seat else even for each in seats)
    best_act = max(found, key=found.__getitem__)
    return Evaluation(chances, {seat: as_move(best_act)}, dict.fromkeys(played, chance - found[did]))


def hope(position: Position, act: Act, staying: int, meter: Meter) -> float:
    """Return the chance of the seat to move after an act, with this many seats in the match."""
    table = Table(position)  # a search that has ended leaves its table where it was
    if table.makes_line(act):
        return float(not position.options.misere)
    if draws(position, act):
        return 1 / staying
    safe = 1 - exposure(table, act)
    if not safe or position.options.dice or staying > TWO:
        return safe / staying
    search = Search(table, [act], (), meter)
    search.run()
    return 1.0 if search.root.proof == 0 else 0.0 if search.root.disproof == 0 else safe / staying


def threats(position: Position) -> tuple[int, ...]:
    """Return with how many pegs each seat could make a line if it were to move; a roll of the die is left out."""
    table = Table(position)
    seats = range(position.options.players)
    return tuple(table.lining(seat, table.usable(seat)).bit_count() for seat in seats)


def worth(table: Table, act: Act) -> float:
    """Return what an act is worth at first sight, in percent: a line, or the chance of one that it gives away."""
    if table.makes_line(act):
        return -100.0 if table.options.misere else 200.0
    return -100 * exposure(table, act)


def meter_of(budget: Budget) -> Meter:
    """Return the meter of a search at the budget's level."""
    return Meter(budget, SKILLS[budget.level].nodes)


def best(position: Position, table: Table, acts: list[Act], meter: Meter) -> Act:
    """Return an act that wins, or else the best of those that give the next seat the fewest chances."""
    lines = {act for act in acts if table.makes_line(act)}
    if lines and not position.options.misere:
        return next(act for act in acts if act in lines)
    calm = [act for act in acts if act not in lines] or acts
    drawn = [act for act in calm if draws(position, act)]
    exposed = {act: exposure(table, act) for act in calm if act not in drawn}
    least = min(exposed.values(), default=1)
    if least > 0 and drawn:
        return drawn[0]
    safest = [act for act, much in exposed.items() if much == least]
    if least == 1:
        return safest[0]
    return by_odds(table, safest, meter) if position.options.dice else by_proof(position, table, safest, drawn, meter)


def draws(position: Position, act: Act) -> bool:
    """Return whether an act ends the match in a draw, by repetition or by the quiet limit."""
    if act.start == OFF:
        return False
    (event,) = decide(position, position.turn, as_move(act))
    return isinstance(event, Flipped | Moved) and event.ends in {"repetition", "quiet_limit"}


def comes_back(position: Position, act: Act) -> bool:
    """Return whether an act leads back to an earlier position of the match, if repetitions are counted."""
    if act.start == OFF or not position.options.repetition:
        return False
    after = reduce(evolve, decide(position, position.turn, as_move(act)), position)
    return after.seen[-1] in after.seen[:-1]


def by_proof(position: Position, table: Table, safe: list[Act], drawn: list[Act], meter: Meter) -> Act:
    """Return the safe act that is proved to win or is closest to a proof; a draw is better than a proved loss."""
    search = Search(table, safe, {act for act in safe if comes_back(position, act)}, meter)
    search.run()
    found = search.best()
    return drawn[0] if drawn and found.disproof == 0 else found.act


def by_odds(table: Table, acts: list[Act], meter: Meter) -> Act:
    """Return the act, of equally safe ones, after which the next seat's chances are worst."""
    one_opponent = table.after(table.after(table.turn)) == table.turn
    sign = 1 if table.options.misere or one_opponent else -1
    hopes: list[tuple[float, float]] = []
    try:
        for act in acts:
            forced, usual = pressure(table, act, meter)
            hopes.append((sign * forced, sign * usual))
    except BudgetSpent:
        acts = acts[: len(hopes)] or acts[:1]
    return acts[hopes.index(max(hopes))] if hopes else acts[0]
