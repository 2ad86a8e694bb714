"""The browser client in Firefox: the lobby, chat, accessibility, and lost connections, by `make test-web`."""

import pytest

from tests.web import test_accessibility, test_chat, test_installation, test_lobby, test_resilience
from tests.web.firefox.repeated import repeated_from

pytestmark = pytest.mark.soak

globals().update(repeated_from(test_accessibility, test_chat, test_installation, test_lobby, test_resilience))
