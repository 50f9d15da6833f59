"""Pages of results: ranking, discussion list, charts, one paper."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from surpeer.errors import InputError
from surpeer.proposals import Reason
from surpeer.ranking_notes import TYPICAL
from surpeer.report.charts import CHARTS
from surpeer.web.access import for_chairs, for_result_files, for_results
from surpeer.web.accounts.models import Role
from surpeer.web.request import WebRequest
from surpeer.web.results.excluding import assignment_of, exclude, lift
from surpeer.web.results.forms import ExcludeForm, RankingForm
from surpeer.web.results.freshness import Freshness
from surpeer.web.results.looking import saw_paper, saw_results
from surpeer.web.results.models import Result
from surpeer.web.results.opening import before_opening, once_opened, open_for_all
from surpeer.web.results.paper_page import levels_of_card, parts_of_card, reviews_of_paper, what_if_of_card
from surpeer.web.results.pictures import OF_THE_VENUE, charts_of_paper, is_followed
from surpeer.web.results.ranking_page import listed, neighbours, page_of, shown, to_discuss
from surpeer.web.results.stored import paper_of, papers_of
from surpeer.web.venues.models import Paper, Venue

Context = dict[str, Any]


@require_http_methods(["GET", "HEAD", "POST"])
@for_chairs
def open_results(request: WebRequest, venue: Venue) -> HttpResponseBase:
    """What opening means, and, by POST, the opening itself."""
    refused = False
    if request.method == "POST":
        try:
            if open_for_all(venue, request.user):
                messages.success(request, "The results are open. It was written into the log.")
            return redirect("results", venue.slug)
        except InputError:
            refused = True  # the page says why
    if venue.is_open:
        return redirect("results", venue.slug)
    return render(request, "results/open.html", before_opening(venue), status=409 if refused else 200)


@require_safe
@for_results
def results(request: WebRequest, venue: Venue) -> HttpResponseBase:
    """The ranking with its proposals."""
    return _page(request, venue, "ranking", _ranking)


@require_safe
@for_results
def discussion(request: WebRequest, venue: Venue) -> HttpResponseBase:
    """Which papers to discuss, and why."""
    return _page(request, venue, "discussion", _discussion)


@require_safe
@for_results
def result_charts(request: WebRequest, venue: Venue) -> HttpResponseBase:
    """The charts of the venue."""
    return _page(request, venue, "charts", _charts)


@require_safe
@for_result_files
def result_state(request: WebRequest, venue: Venue) -> JsonResponse:
    """For pages that are open: whether there is something newer to see."""
    fresh = Freshness.of(venue)
    return JsonResponse({"version": fresh.version, "current": fresh.is_current, "sentence": fresh.sentence})


@require_safe
@for_results
def paper_result(request: WebRequest, venue: Venue, pk: int) -> HttpResponseBase:
    """One paper."""
    return _paper_page(request, venue, get_object_or_404(venue.papers, pk=pk))


@require_POST
@for_chairs
@once_opened
def exclude_review(request: WebRequest, venue: Venue, pk: int, code: str) -> HttpResponseBase:
    """A review shall not count."""
    paper = get_object_or_404(venue.papers, pk=pk)
    assignment = assignment_of(paper, code)
    form = ExcludeForm(request.POST, auto_id=f"{code}_%s")
    if not form.is_valid():
        return _paper_page(request, venue, paper, (code, form))
    if exclude(assignment, request.user, form.cleaned_data["reason"]):
        messages.success(request, "The review is excluded. The results are being computed without it.")
    else:
        messages.warning(request, "The review was excluded already; nothing was changed.")
    return redirect("paper_result", venue.slug, pk)


@require_POST
@for_chairs
@once_opened
def lift_exclusion(request: WebRequest, venue: Venue, pk: int, code: str) -> HttpResponseBase:
    """A review that was excluded shall count again."""
    paper = get_object_or_404(venue.papers, pk=pk)
    if lift(assignment_of(paper, code), request.user):
        messages.success(request, "The review counts again. The results are being computed with it.")
    else:
        messages.warning(request, "The review counts already; nothing was changed.")
    return redirect("paper_result", venue.slug, pk)


def _page(request: WebRequest, venue: Venue, name: str, content: Any) -> HttpResponse:
    """A page of the results, or one that says why there are none."""
    fresh = Freshness.of(venue)
    context = _frame(request, venue, fresh, name)
    if fresh.result is None or fresh.result.problem:
        return render(request, "results/none.html", context)
    saw_results(request.user, venue, fresh.result)
    return render(request, f"results/{name}.html", {**context, **content(request, fresh.result)})


def _frame(request: WebRequest, venue: Venue, fresh: Freshness, name: str) -> Context:
    may_change = request.membership.role == Role.CHAIR
    return {"venue": venue, "fresh": fresh, "result": fresh.result, "page_name": name, "may_change": may_change}


def _ranking(request: WebRequest, result: Result) -> Context:
    summary = result.summary
    form = RankingForm(request.GET, summary["tracks"], decided=summary["decision"] is not None)
    found = listed(papers_of(result), form)
    query = request.GET.copy()
    query.pop("page", None)
    return {
        "form": form,
        "page": page_of(found, request.GET.get("page")),
        "summary": summary,
        "query": query.urlencode(),
        "typical": TYPICAL,
        "is_filtered": len(found) < summary["papers"],
    }


def _discussion(request: WebRequest, result: Result) -> Context:
    found = to_discuss(papers_of(result))
    usual = Reason.UNDECIDED.meaning
    return {"page": page_of(found, request.GET.get("page")), "summary": result.summary, "query": "", "usual": usual}


def _charts(request: WebRequest, result: Result) -> Context:
    files = dict(result.files.filter(name__contains="-light.").values_list("name", "alt"))
    found = []
    for name in OF_THE_VENUE:
        for file, alt in files.items():
            if file.startswith(f"{name}-"):
                dark = file.replace("-light.", "-dark.")
                found.append({"light": file, "dark": dark, "alt": alt, "chart": CHARTS[name]})
    return {"charts": found, "summary": result.summary}


def _paper_page(
    request: WebRequest, venue: Venue, paper: Paper, refused: tuple[str, ExcludeForm] | None = None
) -> HttpResponse:
    fresh = Freshness.of(venue)
    row = None if fresh.result is None else paper_of(fresh.result, paper.pk)
    saw_paper(request.user, venue, paper, fresh.now.text)
    context = _frame(request, venue, fresh, "paper")
    context |= {"paper": paper, "reviews": reviews_of_paper(venue, paper, refused)}
    if row is not None and fresh.result is not None:
        card, levels = row["card"], fresh.result.summary["levels"]
        context |= {
            "row": shown(row),
            "card": card,
            "levels": levels_of_card(card, levels),
            "is_followed": is_followed(card),
            "parts": parts_of_card(card, row["score"]),
            "what_if": what_if_of_card(card),
            **neighbours(papers_of(fresh.result), paper.pk),
            "charts": charts_of_paper(levels, row),
            "summary": fresh.result.summary,
        }
    return render(request, "results/paper.html", context, status=400 if refused else 200)
