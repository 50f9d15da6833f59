"""A venue: its scale and rules, papers, reviewers, assignments, and the people who run or watch it."""
