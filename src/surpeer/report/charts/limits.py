"""How much a chart takes before it is drawn in another way: the same in pictures, notebooks and the report's page."""

MOST_ROWS = 60
"""Papers that can be read below each other."""
MANY_POINTS = 2_000
"""With more than this a chart is an image of points instead of a shape for each."""
