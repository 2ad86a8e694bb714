"""Logs, metrics and traces, which never contain secrets."""
