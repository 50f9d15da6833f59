"""What a review form asks, and what was answered: what readers of exports and the intake of reviews both know."""
