"""Conversion of plain data to types, with the position of what is invalid."""

import re
from typing import Annotated, Literal

import msgspec
import pytest

from service.domain.validation import KNOWN_MOVES, Invalid, convert, known_move, known_moves


class Wheel(msgspec.Struct, forbid_unknown_fields=True):
    """A part with a bound."""

    size: Annotated[int, msgspec.Meta(ge=1)]


class Cart(msgspec.Struct, forbid_unknown_fields=True, rename={"from_": "from"}):
    """A struct with parts."""

    wheels: tuple[Wheel, ...]
    from_: Literal["here", "there"] = "here"
    owner: str | None = None


def test_valid_data_is_returned_as_its_type() -> None:
    """With the defaults for missing fields."""
    assert convert({"wheels": [{"size": 2}], "from": "there"}, Cart) == Cart((Wheel(2),), "there", None)


@pytest.mark.parametrize(
    ("data", "pointer"),
    [
        ({}, ""),
        ([], ""),
        ("cart", ""),
        ({"wheels": 4}, "/wheels"),
        ({"wheels": [], "from": "nowhere"}, "/from"),
        ({"wheels": [], "owner": 7}, "/owner"),
        ({"wheels": [{"size": 1}, {"size": 0}]}, "/wheels/1/size"),
        ({"wheels": [{"size": 1}, {}]}, "/wheels/1"),
        ({"wheels": [{"size": 1.5}]}, "/wheels/0/size"),
        ({"wheels": [{"size": True}]}, "/wheels/0/size"),
        ({"wheels": [{"size": "1"}]}, "/wheels/0/size"),
    ],
)
def test_invalid_data_has_a_pointer(data: object, pointer: str) -> None:
    """A JSON pointer into the data, after the prefix of the data's own position."""
    for at in ("", "/options"):
        with pytest.raises(Invalid) as misfit:
            convert(data, Cart, at)
        assert misfit.value.pointer == at + pointer
        assert misfit.value.detail == str(misfit.value) != ""
        assert "`$" not in misfit.value.detail


@pytest.mark.parametrize(
    ("field", "step"), [("horse", "horse"), ("a/b~", "a~1b~0"), ("`", "`"), ("", ""), ("x` - at `$.y", "x` - at `$.y")]
)
def test_an_unknown_field_is_named(field: str, step: str) -> None:
    """By its own pointer, whatever its name is (RFC 6901)."""
    with pytest.raises(Invalid, match=re.escape(f"unknown field `{field}`")) as misfit:
        convert({"wheels": [{"size": 1, field: 1}]}, Cart)
    assert misfit.value.pointer == f"/wheels/0/{step}"


@pytest.mark.parametrize("key", ["a.b", "a[0]", "a/b", "a~b", "ключ", ""])
def test_keys_may_have_any_characters(key: str) -> None:
    """Maps accept what clients send."""
    with pytest.raises(Invalid):
        convert({key: "no number"}, dict[str, int])


@pytest.mark.parametrize("other", [True, 1.5, "1", None])
def test_a_known_move_is_not_taken_for_one_with_another_type(other: object) -> None:
    """Python takes 1 and `True` for equal; JSON does not."""
    assert known_move("wheels", Wheel, {"size": 1}) is known_move("wheels", Wheel, {"size": 1})
    with pytest.raises(Invalid) as misfit:
        known_move("wheels", Wheel, {"size": other})
    assert misfit.value.pointer == "/move/size"


def test_moves_are_kept_up_to_a_number() -> None:
    """However many different ones are sent."""
    for size in range(1, KNOWN_MOVES + 10):
        assert known_move("wheels", Wheel, {"size": size}).size == size
    assert len(known_moves) <= KNOWN_MOVES
