"""The typed JSON interface for scripts of chairs and observers, under /api/v1/.

A script brings a token (`Authorization: Bearer TOKEN`) and may do what the person may do who made it. A call parses,
calls the same plain function as the page, and answers with a schema; every refusal has one shape (`problems`).

    tokens, rights            who calls, and what she may do
    answers, problems         the shape of refusals, and how every error becomes one
    fields, paging            bounded texts and numbers; lists in parts
    venues, round_calls       venues and their settings; progress, closing, reopening, opening the results
    papers, reviewers,        what a venue has; rows of a table are imported by the rules of files
    assignments, row_import
    mails                     invitations, reminders, links that are taken back
    results, paper_result,    ranking and proposals, one paper, its reviews, exclusions
    reviews, exclusions
    log_calls                 who did what
    interface, urls           all of it together, and its addresses
"""
