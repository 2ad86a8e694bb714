"""The browser client in Firefox: invitations, quick play, notifications and rated matches, by `make test-web`."""

import pytest

from tests.web import test_devices, test_invitations, test_notifications, test_quick_play, test_rated
from tests.web.firefox.repeated import repeated_from

pytestmark = pytest.mark.soak

globals().update(repeated_from(test_devices, test_invitations, test_notifications, test_quick_play, test_rated))
