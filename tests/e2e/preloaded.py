"""What the process of which the service's are forked imports: it has registered the routes for them."""

from unittest.mock import patch

from service import wiring
from tests.e2e import routes

routes.application()
patch.object(wiring, "create_app", routes.serve).start()
