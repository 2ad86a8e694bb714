"""Which rating list a path names."""

from service.domain.ratings.classes import ListId, RatingClass, parse_list
from service.streams.errors import ServiceError


def rating_list(game: str, rating_class: str) -> tuple[ListId, str, RatingClass]:
    """Return the list that a path names. Raises `ServiceError` (`no_such_rating_list`)."""
    try:
        return ListId(f"{game}.{rating_class}"), *parse_list(ListId(f"{game}.{rating_class}"))
    except ValueError:
        raise ServiceError("no_such_rating_list") from None
