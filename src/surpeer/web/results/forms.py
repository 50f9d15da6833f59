"""What people type on the pages of results."""

from typing import ClassVar

from django import forms

from surpeer.proposals import Proposal

SORTS = {
    "rank": "rank",
    "mean": "mean rating, highest first",
    "uncertain": "least certain first",
    "reviews": "fewest reviews first",
    "paper": "id of the paper",
}


class RankingForm(forms.Form):
    """Which papers to list, and in which order."""

    find = forms.CharField(
        label="Search",
        required=False,
        max_length=200,
        help_text="A part of a paper's id or title.",
        widget=forms.TextInput(attrs={"type": "search"}),
    )
    track = forms.ChoiceField(label="Track", required=False)
    proposal = forms.ChoiceField(
        label="Proposal",
        required=False,
        choices=[("", "all"), *((kind.label, kind.label) for kind in Proposal)],
    )
    sort = forms.ChoiceField(label="Order", required=False, choices=list(SORTS.items()))

    def __init__(self, data: object, tracks: list[str], *, decided: bool) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        self.fields["track"].choices = [("", "all"), *((name, name) for name in tracks)]  # type: ignore[attr-defined]
        if not tracks:
            del self.fields["track"]
        if not decided:
            del self.fields["proposal"]

    def chosen(self, name: str) -> str:
        """What was chosen; empty where nothing was, or nothing that there is."""
        self.is_valid()
        return str(self.cleaned_data.get(name) or "")


class ExcludeForm(forms.Form):
    """Why a review shall not count."""

    reason = forms.CharField(
        label="Why shall this review not count?",
        max_length=1000,
        help_text="Other chairs and observers will read it, and it is among the downloads.",
        widget=forms.Textarea(attrs={"rows": 2}),
        error_messages={"required": "Give a reason: a review is never excluded without one."},
    )
    use_required_attribute: ClassVar[bool] = True  # type: ignore[misc]
