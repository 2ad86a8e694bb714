"""Requests to servers that others name: only to public addresses, and bounded in time and size."""
