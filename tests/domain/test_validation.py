"""Whether plain data fits a type, and if not, where."""

from typing import Annotated, Literal

import msgspec
import pytest

from service.domain.validation import Invalid, convert


class Wheel(msgspec.Struct, forbid_unknown_fields=True):
    """A part with a bound."""

    size: Annotated[int, msgspec.Meta(ge=1)]


class Cart(msgspec.Struct, forbid_unknown_fields=True, rename={"from_": "from"}):
    """A thing with parts."""

    wheels: tuple[Wheel, ...]
    from_: Literal["here", "there"] = "here"
    owner: str | None = None


def test_what_fits_is_returned_as_its_type() -> None:
    """With the defaults for what is left out."""
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
def test_what_does_not_fit_is_pointed_at(data: object, pointer: str) -> None:
    """By a JSON pointer into what was sent, behind the place at which it stood."""
    for at in ("", "/options"):
        with pytest.raises(Invalid) as misfit:
            convert(data, Cart, at)
        assert misfit.value.pointer == at + pointer
        assert misfit.value.detail == str(misfit.value) != ""
        assert "`$" not in misfit.value.detail


def test_an_unknown_field_is_named() -> None:
    """Its place is the object in which it stands."""
    with pytest.raises(Invalid, match="unknown field `horse`") as misfit:
        convert({"wheels": [{"size": 1, "horse": 1}]}, Cart)
    assert misfit.value.pointer == "/wheels/0"


@pytest.mark.parametrize("key", ["a.b", "a[0]", "a/b", "a~b", "ключ", ""])
def test_a_key_with_any_characters_is_no_fault(key: str) -> None:
    """Maps take what clients send."""
    with pytest.raises(Invalid):
        convert({key: "no number"}, dict[str, int])
