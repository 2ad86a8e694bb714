"""The host names this service answers to, so that a page elsewhere cannot reach it by DNS rebinding."""

from collections.abc import Sequence


class AllowedHosts:
    """Allowed names: `play.example` with any port, `play.example:8443` with this one, `*.example`, or `*` for all."""

    def __init__(self, names: Sequence[str]) -> None:
        """Allow these names."""
        self.all = "*" in names
        self._names = frozenset(name.lower() for name in names)
        self._endings = tuple(name[1:].lower() for name in names if name.startswith("*."))

    def allow(self, header: bytes) -> bool:
        """Return whether a request with this `Host` header is allowed."""
        if self.all:
            return True
        host = header.decode("latin-1").lower()
        name = host[: host.index("]") + 1] if host.startswith("[") and "]" in host else host.partition(":")[0]
        return bool({host, name} & self._names) or (bool(self._endings) and name.endswith(self._endings))
