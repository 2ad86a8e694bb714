"""Accounts: a stream of each player with what they have set up, such as named tokens and a recovery code."""
