"""Fair chance: what anyone can recompute from the seed and the salts, and that it is fair."""

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterator

import pytest

from service.domain.chance import Chance, Draw, DrawNumber

SEED = bytes(range(32))
SALTS = ("pepper", "", "müsli")


def chance(first: int = 0, seed: bytes = SEED, salts: tuple[str, ...] = SALTS) -> Chance:
    """Return the draws of a match from a number on."""
    return Chance(seed, salts, DrawNumber(first))


def draw_words(number: int) -> Iterator[int]:
    """Yield the four-byte numbers of a draw, computed step by step as the docstring says."""
    material = SEED
    for salt in SALTS:
        material += hashlib.sha256(salt.encode("utf-8")).digest()
    key = hashlib.sha256(material).digest()
    block = 0
    while True:
        stream = hmac.new(key, number.to_bytes(4, "big") + block.to_bytes(4, "big"), hashlib.sha256).digest()
        yield from (int.from_bytes(stream[at : at + 4], "big") for at in range(0, 32, 4))
        block += 1


def number_below(word: Iterator[int], bound: int) -> int:
    """Return a number below a bound, by step 3."""
    while (x := next(word)) >= 2**32 - 2**32 % bound:
        pass
    return x % bound


@pytest.mark.parametrize("number", [0, 1, 2, 255, 256, 70_000])
def test_anyone_can_recompute_a_draw(number: int) -> None:
    """Over many blocks, with bounds of all sizes."""
    draw, again = chance(number).draw(), draw_words(number)
    for bound in [*range(1, 200), 2**31 + 1, 3 * 2**30, 2**32]:
        assert draw.below(bound) == number_below(again, bound)


def test_anyone_can_recompute_a_sample() -> None:
    """By step 4: each element is swapped with one at the same or a later index."""
    pool, again = list("abcdefghij"), draw_words(0)
    for at in range(6):
        other = at + number_below(again, len(pool) - at)
        pool[at], pool[other] = pool[other], pool[at]
    assert chance().draw().sample("abcdefghij", 6) == pool[:6]


def test_draws_never_change() -> None:
    """Recorded values: every later release checks old matches against their seeds."""
    first, second = chance().draw(), chance(1).draw()
    assert [first.below(6) for _ in range(12)] == [5, 4, 5, 1, 0, 3, 2, 0, 4, 4, 1, 4]
    assert [second.below(1_000_000) for _ in range(3)] == [707135, 5311, 491164]
    assert chance(2).draw().sample(range(64), 9) == [47, 44, 56, 27, 41, 30, 16, 14, 33]


def test_draws_are_numbered() -> None:
    """From the number that the match has reached; continuing there gives the same as one sequence."""
    through = chance()
    numbers = []
    for _ in range(4):
        draw = through.draw()
        numbers.append((draw.number, draw.below(1000)))
    assert [number for number, _ in numbers] == [0, 1, 2, 3]
    for number, drawn in numbers:
        assert chance(number).draw().below(1000) == drawn


def test_a_draw_does_not_depend_on_the_size_of_the_previous_one() -> None:
    """Otherwise a rule that draws once more would change every later roll."""
    greedy, modest = chance(), chance()
    greedy.draw().sample(range(1000), 1000)
    modest.draw()
    assert greedy.draw().below(2**32) == modest.draw().below(2**32)


@pytest.mark.parametrize(
    "other",
    [
        chance(seed=bytes(32)),
        chance(salts=("pepper", "", "musli")),
        chance(salts=("", "pepper", "müsli")),
        chance(salts=("pepper", "müsli")),
        chance(salts=("pepper", "", "müsli", "")),
        chance(salts=()),
        chance(first=1),
    ],
)
def test_a_draw_depends_on_seed_salts_their_order_and_its_number(other: Chance) -> None:
    """No two of these draws are equal."""
    assert other.draw().below(2**32) != chance().draw().below(2**32)


def test_salts_cannot_be_shifted_into_each_other() -> None:
    """Each is hashed by itself, so two seats cannot send the concatenation that two others sent."""
    assert chance(salts=("ab", "c")).draw().below(2**32) != chance(salts=("a", "bc")).draw().below(2**32)


@pytest.mark.parametrize("bound", [1, 2, 3, 6, 7, 64])
def test_numbers_are_uniform(bound: int) -> None:
    """Ten thousand of them, within five standard deviations: the seed is fixed, so this cannot fail by chance."""
    draw, size = chance(7).draw(), 10_000
    counted = Counter(draw.below(bound) for _ in range(size))
    assert set(counted) == set(range(bound))
    spread = (size / bound * (1 - 1 / bound)) ** 0.5
    assert all(abs(count - size / bound) <= 5 * spread for count in counted.values())


def test_a_bound_just_above_half_rejects_the_rest() -> None:
    """Without the rejection in step 3 the lower numbers would occur twice as often."""
    draw, bound = chance(8).draw(), 2**31 + 1
    low = sum(draw.below(bound) < bound // 2 for _ in range(4000))
    assert abs(low - 2000) < 160


def test_each_order_of_a_sample_is_equally_likely() -> None:
    """All six of three elements."""
    draw = chance(9).draw()
    orders = Counter("".join(draw.sample("abc", 3)) for _ in range(6000))
    assert len(orders) == 6
    assert all(abs(count - 1000) < 150 for count in orders.values())


@pytest.mark.parametrize("size", [0, 1, 5, 20])
def test_a_sample_has_no_duplicates(size: int) -> None:
    """The sequence that it is taken from does not change."""
    population = list(range(20))
    sample = chance().draw().sample(population, size)
    assert len(sample) == len(set(sample)) == size
    assert population == list(range(20))


def test_a_draw_has_its_number() -> None:
    """So that the event that it decides can contain it."""
    assert Draw(b"key", DrawNumber(5)).number == 5
