"""Files and foreign formats <-> tables of reviews and of results."""
