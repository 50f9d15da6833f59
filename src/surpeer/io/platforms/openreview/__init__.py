"""OpenReview: notes and review forms in, form options and decisions out."""
