"""Fetches key sets over HTTP. The operator has named their addresses, so they may be in a private network."""

from ipaddress import ip_network

from service.people.fetching.fetcher import Fetcher, FetchFailed, FetchPolicy

EVERYWHERE = (ip_network("0.0.0.0/0"), ip_network("::/0"))

OK = 200

HEADERS = {"Accept": "application/jwk-set+json, application/json"}


class KeySetFetcher:
    """Returns what is at a URL: within 10 seconds, up to 64 KB, without redirects."""

    def __init__(self, user_agent: str) -> None:
        """Allow http, for which the configuration asks by name."""
        self._fetcher = Fetcher(FetchPolicy(allows_http=True, networks=EVERYWHERE), user_agent)
        self.close = self._fetcher.close

    async def __call__(self, url: str) -> bytes:
        """Return what is at a URL. Raises `OSError`."""
        try:
            response = await self._fetcher.fetch("GET", url, HEADERS)
        except FetchFailed as failed:
            raise OSError(failed.code) from None
        if response.status != OK:
            raise OSError(f"status {response.status}")
        if response.is_truncated:
            raise OSError("too long")
        return response.body
