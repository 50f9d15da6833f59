"""The reviews of an export -> Reviews: which fields and which reviews count, on which scale."""
