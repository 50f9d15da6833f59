"""Filters of the pages of reviewers."""
