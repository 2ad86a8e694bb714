"""An application whose routes are registered once, which is most of the work of a new API, and serve several APIs."""

from contextlib import AbstractAsyncContextManager
from functools import cache
from types import SimpleNamespace
from typing import cast

from litestar import Litestar

from service.api.app import Lifespan, create_app
from service.api.http.context import AppContext

COMMON = SimpleNamespace(origins=("*",), shows_metrics=True)
"""All that the routes depend on, as most tests have it."""


def serve(context: AppContext, lifespan: Lifespan) -> Litestar:
    """Return an application like `create_app`: one that it returned before may then not be used any longer."""
    if (context.origins, context.shows_metrics) != (COMMON.origins, COMMON.shows_metrics):
        return create_app(context, lifespan)
    app = application()
    app.state.context, app.state.lifespan = context, lifespan
    return app


@cache
def application() -> Litestar:
    """Return the application that serves whatever is in its state."""
    return create_app(cast("AppContext", COMMON), run_lifespan)


def run_lifespan(app: Litestar) -> AbstractAsyncContextManager[None]:
    """Run what belongs to the API in the background."""
    return cast("Lifespan", app.state.lifespan)(app)
