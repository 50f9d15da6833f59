"""A venue in the browser: a Django project that collects ratings and predictions and shows what came of them.

Nothing else in surpeer imports this package; `surpeer serve` names it as text. Its arithmetic is the library's: an app
turns the rows of its database into the table of `surpeer.columns` and calls the functions that the command line calls.

    accounts   people who sign in: chairs and observers with passwords, scripts with tokens, links and rate limits
    venues     a venue with its scale, papers, reviewers, assignments and members
    reviews    what reviewers gave: drafts, submissions (every version is kept), exclusions
    results    ranking and decisions, computed in the background and kept with the reviews they were made of
    audit      who saw, changed or exported what; rows are only ever added
"""
