"""Players: guests, tokens, blocks, challenges, seeks, profiles and webhooks."""
