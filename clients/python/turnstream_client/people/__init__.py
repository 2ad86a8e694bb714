"""A player's actions other than playing: the account, challenges, bots and webhooks."""
