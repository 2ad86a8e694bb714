"""Accounts: named tokens, link codes and recovery codes of players."""
