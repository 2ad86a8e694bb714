"""Every limit that an operator can set is reached by a test, which names the refusal."""

import re
from pathlib import Path

from service.runtime.settings import Settings
from tests.api import test_codes_of_players, test_limits, test_passwords, test_shared_socket, test_webhooks
from tests.api.limit_coverage import CODES_BY_LIMIT

SETTINGS = Path(__file__).parents[2] / "docs/settings.md"
CASES = (test_limits, test_shared_socket, test_passwords, test_codes_of_players, test_webhooks)


def test_every_limit_among_the_settings_is_reached() -> None:
    """By a test in one of these files, with status 429 and a code; one that is added needs a case."""
    limits = {name for name in Settings.__struct_fields__ if name.startswith("limit_")}
    assert set(CODES_BY_LIMIT) == limits, [case.__file__ for case in CASES]


def test_every_limit_stands_in_the_table() -> None:
    """Of docs/settings.md, with what it is by default."""
    rows = re.findall(r"^\| `TURNSTREAM_(LIMIT_\w+)` \| `(\d+)` \|", SETTINGS.read_text(), re.MULTILINE)
    defaults = Settings()
    assert {name.lower(): int(number) for name, number in rows} == {
        name: getattr(defaults, name) for name in CODES_BY_LIMIT
    }
