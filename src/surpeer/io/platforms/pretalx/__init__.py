"""pretalx: the export of reviews, and the API."""
