"""A witness in a file, which several processes of one machine may share."""

import fcntl
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec

from service.store.witness import Loss, Observation, Witness, loss, updated_witness

NAME = "witness.json"


class WitnessFile:
    """A witness that outlives processes and the store. Every method may raise `OSError`."""

    def __init__(self, folder: Path) -> None:
        """Keep the file in this folder, which is created if it is missing. It must not be the store's own folder."""
        self.path = folder / NAME

    def read(self) -> Witness | None:
        """Return the witness, None if no store is known yet. Raises `OSError` also for a damaged file."""
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=Witness)
        except FileNotFoundError:
            return None
        except msgspec.DecodeError as fault:
            raise OSError(f"{self.path} is damaged ({fault}): delete it if the store is known to be complete") from None

    def compare(self, seen: Observation, settled: Mapping[int, int]) -> Loss | None:
        """Return what the store has lost. If nothing, keep its id and the `settled` counters."""
        with self._locked():
            known = self.read()
            if (found := loss(known, seen)) is not None:
                return found
            raised = updated_witness(known, seen, settled)
            if raised != known:
                self._write(raised)
        return None

    @contextmanager
    def _locked(self) -> Iterator[None]:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with self.path.with_suffix(".lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _write(self, witness: Witness) -> None:
        """Replace the file atomically, and wait until it is on the disk."""
        part = self.path.with_suffix(".new")
        with part.open("wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(witness)) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        part.replace(self.path)
        folder = os.open(self.path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
