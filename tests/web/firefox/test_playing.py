"""The browser client in Firefox: matches, lessons and reviews, by `make test-web`."""

import pytest

from tests.web import test_hands, test_lessons, test_matches, test_review
from tests.web.firefox.repeated import repeated_from

pytestmark = pytest.mark.soak

globals().update(repeated_from(test_hands, test_lessons, test_matches, test_review))
