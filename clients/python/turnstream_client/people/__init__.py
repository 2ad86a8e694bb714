"""What a player does besides playing: the account, challenges, bots and webhooks."""
