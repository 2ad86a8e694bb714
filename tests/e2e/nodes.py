"""Stores that other stores connect to: nodes of a cluster, a primary and its replicas."""

from tests.store_server import ProgramServer, free_port
from tests.waiting import wait_for

LINKED_WITHIN = 60.0


class Node(ProgramServer):
    """A server that other servers reach by its port."""

    def __init__(self, *settings: str) -> None:
        """Listen on a free port of this machine."""
        self.port = free_port()
        super().__init__("--port", str(self.port), *settings)
        self.address = f"redis://127.0.0.1:{self.port}"

    def replicate(self, address: str) -> None:
        """Become a replica of the node at this address; with an empty one, become a primary."""
        host, _, port = address.removeprefix("redis://").partition(":")
        self.execute("REPLICAOF", *((host, port) if address else ("NO", "ONE")))

    def wait_for_sync(self) -> None:
        """Wait until this replica has received all data of its primary."""
        wait_for(lambda: self._replication()["master_link_status"] == "up")

    @property
    def offset(self) -> int:
        """The number of bytes of the primary's writes that it has received."""
        return int(self._replication()["slave_repl_offset"])

    def _replication(self) -> dict[str, str]:
        lines = self.execute("INFO", "replication").decode().splitlines()
        return dict(line.split(":", 1) for line in lines if ":" in line)
