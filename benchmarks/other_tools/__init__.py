"""What people use today to rank papers, each as one function from reviews to scores, and venues to try them on.

worlds             made-up venues whose true qualities are known
averages           what review platforms show
reviewer_effects   who is harsh: normalisation, reviewer effects, calibration by least squares
peer_predictions   other ways to use what reviewers predict of each other
crowd_kit          aggregation of labels, where the package is installed
registry           all of them by name
"""
