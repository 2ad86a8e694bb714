"""Protected values: nicknames and projections, which no digest covers. Each has a MAC over its key, field and content.

A store that earlier releases have written has values without MACs. They are accepted until everything in the store has
one, and the store is signed off. The sign-off is a MAC itself, so under other keys there is none.
"""

import time
from collections.abc import Awaitable, Callable, Mapping

import structlog

from service.domain.ids import Version
from service.runtime import metrics
from service.store.contract import StoreDamaged
from service.store.signing import Signer
from service.store.stream_keys import KindKey

log = structlog.get_logger()

VALUE = b"value"
"""The purpose of these MACs."""

SIGNED_STORE = KindKey("signed")
"""The key of the sign-off."""

SECONDS = 10.0
"""For how long a store without the sign-off is known to have none."""

UNVERSIONED = Version(0)
"""Values have no versions: one that was replaced by an earlier one of the same key and field is not noticed."""


Hash = Mapping[bytes, bytes]
"""Values, or their MACs, by field."""


ROW_MAC = b',"mac:'
"""The JSON before the MAC in a signed array."""


class Protection:
    """Signs the protected values of a store, and decides which of them are accepted."""

    def __init__(self, signer: Signer, read_sign_off: Callable[[], Awaitable[bytes | None]]) -> None:
        """`read_sign_off` returns the sign-off of the store, None if it has none."""
        self._signer = signer
        self._read_sign_off = read_sign_off
        self._is_signed = False
        self._asked = -SECONDS

    @property
    def may_be_finished(self) -> bool:
        """Whether a store in which everything has a MAC may get the sign-off: not while an older release may write."""
        return self._signer.signs and not self._signer.accepts_unsigned

    def sign(self, key: KindKey, field: bytes, value: bytes) -> bytes:
        """Return the MAC of a value, b"" without a signing key."""
        return self._signer.sign(VALUE, key, UNVERSIONED, field, value)

    async def check(self, key: KindKey, values: Hash, macs: Hash) -> tuple[dict[bytes, bytes], list[bytes]]:
        """Return the values that are what this installation wrote, as far as that is known, and the fields of others.

        A value of which only the MAC is there is one of the others, which are counted and logged.
        """
        found, damaged = dict[bytes, bytes](), [*(macs.keys() - values.keys())]
        for field in damaged:
            self.report(key, field, "it is missing")
        for field, value in values.items():
            mac = macs.get(field, b"")
            fits = self._signer.check(mac, VALUE, key, UNVERSIONED, field, value)
            if fits or (fits is None and await self.accepts_unsigned()):
                found[field] = value
            else:
                damaged.append(field)
                self.report(key, field, "its MAC does not match" if mac else "it has no MAC")
        return found, damaged

    def signed_row(self, key: KindKey, field: bytes, row: bytes) -> bytes:
        """Return a JSON array with its MAC as another item at its end, which older releases ignore."""
        mac = self.sign(key, field, row)
        return b'%b%b%b"]' % (row[:-1], ROW_MAC, mac.hex().encode()) if mac else row

    async def checked_row(self, key: KindKey, field: bytes, signed: bytes) -> bytes:
        """Return a signed JSON array without its MAC. Raises `StoreDamaged` if it is not what was written."""
        row, found, mac = signed.rpartition(ROW_MAC)
        row = row + b"]" if found else signed
        await self.require(key, {field: row}, {field: bytes_of(mac[:-2])} if found else {})
        return row

    async def require(self, key: KindKey, values: Hash, macs: Hash) -> None:
        """Raise `StoreDamaged` if one of the values, which are derived from events, is missing or was changed."""
        for field in macs.keys() - values.keys():
            self.report(key, field, "it is missing")
            raise StoreDamaged(f"{key.kind} {key.id}: {field.decode(errors='backslashreplace')} is missing")
        for field, value in values.items():
            mac = macs.get(field, b"")
            fits = self._signer.check(mac, VALUE, key, UNVERSIONED, field, value)
            if fits is False:
                self.report(key, field, "its MAC does not match")
            if fits is False or (fits is None and not await self.accepts_unsigned()):
                raise StoreDamaged(f"{key.kind} {key.id}: {field.decode(errors='backslashreplace')}")

    def missing(self, key: KindKey, values: Hash, macs: Hash) -> dict[bytes, bytes]:
        """Return the MACs of the values that have none of the current key."""
        if not self._signer.signs:
            return {}
        lacking = (field for field in values if not self._signer.is_current(macs.get(field, b"")))
        return {field: self.sign(key, field, values[field]) for field in lacking}

    def report(self, key: KindKey, field: bytes, why: str) -> None:
        """Count and log a damaged value."""
        metrics.DAMAGED_VALUES.labels(key.kind).inc()
        log.error("value_damaged", kind=key.kind, key=key.id, field=field.decode(errors="backslashreplace"), why=why)

    async def accepts_unsigned(self) -> bool:
        """Return whether values without a MAC are accepted. Raises `StoreUnavailable`."""
        if not self.may_be_finished:
            return True
        if not self._is_signed and time.monotonic() - self._asked > SECONDS:
            sign_off = await self._read_sign_off() or b""
            self._is_signed = self._signer.check(sign_off, VALUE, SIGNED_STORE, UNVERSIONED) is True
            self._asked = time.monotonic()
        return not self._is_signed

    @property
    def sign_off(self) -> bytes:
        """The sign-off of a store in which everything has a MAC of the current key."""
        return self._signer.sign(VALUE, SIGNED_STORE, UNVERSIONED)


def bytes_of(text: bytes) -> bytes:
    """Return the bytes of a hexadecimal text; other bytes for what is none, which are no MAC of a known key."""
    try:
        return bytes.fromhex(text.decode())
    except ValueError:
        return text
