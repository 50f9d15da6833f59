"""What reviewers gave: drafts, submissions of which every version is kept, and exclusions."""
