"""How commands reach the servers: connections, pipelining, the cluster's slots, pub/sub."""
