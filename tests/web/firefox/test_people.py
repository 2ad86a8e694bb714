"""The browser client in Firefox: devices, challenges, invitations, quick play and the like, by `make test-web`."""

import pytest

from tests.web import (
    test_challenges,
    test_devices,
    test_invitations,
    test_notifications,
    test_profiles,
    test_quick_play,
    test_rated,
    test_ratings,
    test_tournaments,
    test_tv,
)
from tests.web.firefox.repeated import repeated_from

pytestmark = pytest.mark.soak

globals().update(
    repeated_from(
        test_challenges,
        test_devices,
        test_invitations,
        test_notifications,
        test_profiles,
        test_quick_play,
        test_rated,
        test_ratings,
        test_tournaments,
        test_tv,
    )
)
