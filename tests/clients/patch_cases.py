"""Patches with what they lead to, as an independent implementation of RFC 6902 applies them."""

from random import Random
from typing import Any

import jsonpatch
import msgspec

from service.rooms.views.patches import Operations, add_operations

Patch = list[dict[str, Any]]

NAMES = ("", "a", "b", "a/b", "~", "~1", "-", "0", "é", "__proto__")
COUNT = 500


def some_value(chance: Random, depth: int = 4) -> Any:
    """Return some JSON."""
    match chance.randrange(4 if depth else 2):
        case 0:
            return chance.choice([None, True, "x", ""])
        case 1:
            return chance.randrange(3, 9)  # 1 and 0 would be equal to true and false
        case 2:
            return [some_value(chance, depth - 1) for _ in range(chance.randrange(5))]
        case _:
            return {name: some_value(chance, depth - 1) for name in chance.sample(NAMES, chance.randrange(4))}


def made_by_the_service(seed: int) -> tuple[Any, Patch]:
    """Return a value and the service's patch to another one."""
    chance = Random(seed)
    old, new = ({"view": some_value(chance)} for _ in range(2))
    operations: Operations = []
    add_operations(operations, b"", old, new)
    return old, msgspec.json.decode(b"[" + b",".join(operations) + b"]")


BY_HAND: list[tuple[Any, Patch]] = [
    ({"a": [1, 2]}, [{"op": "add", "path": "/a/-", "value": 3}, {"op": "remove", "path": "/a/0"}]),
    ([[1], [2]], [{"op": "add", "path": "/1/1", "value": 3}, {"op": "replace", "path": "/0", "value": {}}]),
    ({"a": 1}, [{"op": "replace", "path": "", "value": [None]}]),
    ({"a": 1}, [{"op": "add", "path": "/a", "value": None}, {"op": "add", "path": "/b", "value": False}]),
    ({"a/b": {"~1": 1}}, [{"op": "replace", "path": "/a~1b/~01", "value": 2}]),
]

PATCHES = [
    (value, patch, (jsonpatch.apply_patch(value, patch),))
    for value, patch in (*map(made_by_the_service, range(COUNT)), *BY_HAND)
]
"""A value, a patch, and what the value becomes, as a tuple of one."""

IMPOSSIBLE: list[tuple[Any, Patch]] = [
    ({"a": 1}, [{"op": "remove", "path": "/b"}]),
    ({"a": 1}, [{"op": "replace", "path": "/b", "value": 1}]),
    ({"a": 1}, [{"op": "add", "path": "/b/c", "value": 1}]),
    ({"a": 1}, [{"op": "add", "path": "/a/b", "value": 1}]),
    ({"a": None}, [{"op": "add", "path": "/a/b", "value": 1}]),
    ({"a": "xy"}, [{"op": "replace", "path": "/a/0", "value": 1}]),
    ({}, [{"op": "replace", "path": "/toString", "value": 1}]),
    ([1], [{"op": "add", "path": "/2", "value": 1}]),
    ([1], [{"op": "replace", "path": "/1", "value": 1}]),
    ([1], [{"op": "replace", "path": "/-", "value": 1}]),
    ([1], [{"op": "remove", "path": "/-1"}]),
    ([1], [{"op": "remove", "path": "/00"}]),
    ([1], [{"op": "remove", "path": "/x"}]),
    ([1], [{"op": "remove", "path": "0"}]),
    ([1], [{"op": "copy", "from": "/0", "path": "/1"}]),
]
"""A value and a patch that does not fit it, or has an operation that the service does not send."""
