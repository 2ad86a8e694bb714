"""What can be seen of the service from outside: logs, metrics, traces. Never a secret."""
