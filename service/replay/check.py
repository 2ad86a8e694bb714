"""One thing that `turnstream verify` looks at."""

import msgspec


class Check(msgspec.Struct, frozen=True):
    """What was looked at, whether it holds (None where that can't be known here), and what was found."""

    name: str
    holds: bool | None
    found: str
