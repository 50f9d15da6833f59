"""Microsoft CMT: the export of reviews."""
