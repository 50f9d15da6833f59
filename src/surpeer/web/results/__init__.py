"""Ranking and decisions of a venue, computed in the background and kept with what they were made of."""
