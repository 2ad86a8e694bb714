"""Webhooks: those of players, and under `/v1/admin` those of the operator."""
