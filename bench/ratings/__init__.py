"""The study of the rating model: how well it predicts matches of the arena's bots, beside Elo and Glicko-2."""
