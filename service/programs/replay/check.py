"""A check of `turnstream verify`."""

import msgspec


class Check(msgspec.Struct, frozen=True):
    """What was checked, whether it holds (None if that cannot be determined), and what was found."""

    name: str
    holds: bool | None
    found: str
