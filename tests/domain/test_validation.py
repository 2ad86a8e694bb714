"""Conversion of plain data to types, with the position of what is invalid."""

from typing import Annotated, Literal

import msgspec
import pytest

from service.domain.validation import Invalid, convert


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


def test_an_unknown_field_is_named() -> None:
    """The pointer is that of the object that contains it."""
    with pytest.raises(Invalid, match="unknown field `horse`") as misfit:
        convert({"wheels": [{"size": 1, "horse": 1}]}, Cart)
    assert misfit.value.pointer == "/wheels/0"


@pytest.mark.parametrize("key", ["a.b", "a[0]", "a/b", "a~b", "ключ", ""])
def test_keys_may_have_any_characters(key: str) -> None:
    """Maps accept what clients send."""
    with pytest.raises(Invalid):
        convert({key: "no number"}, dict[str, int])
