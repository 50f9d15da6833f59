"""Exports of the platforms that venues are run on: one reader for each, all to an Export."""
