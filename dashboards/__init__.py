"""The pages: what was played, the replay of a hand, and the money."""
