"""The forms of a reviewer."""

from collections.abc import Iterable
from typing import Any

from django import forms

from surpeer.web.reviews.checking import LONGEST_COMMENT, Problem
from surpeer.web.reviews.prediction import question_of
from surpeer.web.reviews.typed import Typed, number_names
from surpeer.web.reviews.window import Window
from surpeer.web.venues.models import Venue


class ReviewForm(forms.Form):
    """Rating, prediction and a comment, for the scale and question of one venue: what was typed, and what is wrong with
    it. Whether it is right is for `checking` to say, before there is any form."""

    use_required_attribute = False  # the answer of the server names all that is missing, a browser only the first

    rating = forms.ChoiceField(widget=forms.RadioSelect)
    comment = forms.CharField(
        label="Comment to the chairs",
        max_length=LONGEST_COMMENT,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text="Only chairs and observers of the venue can read it, once the results are open.",
    )

    def __init__(self, venue: Venue, typed: Typed, window: Window, problems: Iterable[Problem] = ()) -> None:
        names = number_names(venue)
        shown = {"rating": typed.rating, "comment": typed.comment, **dict(zip(names, typed.numbers, strict=False))}
        super().__init__(initial=shown)
        self.question, self.window = question_of(venue), window
        self.fields["rating"].choices = list(enumerate(venue.labels))  # type: ignore[attr-defined]
        attributes = {"min": 0, "step": 1, "inputmode": "numeric"}
        for name, label in zip(names, self.question.labels, strict=True):
            self.fields[name] = forms.CharField(label=label, widget=forms.NumberInput(attrs=attributes))
        self.numbers = [self[name] for name in names]
        self.cleaned_data: dict[str, Any] = {}  # Django takes out of it what is wrong
        for about, wrong in problems:
            self.add_error(about, wrong)


class DeclineForm(forms.Form):
    """Why somebody does not review a paper."""

    declined_because = forms.CharField(
        label="Why?",
        max_length=500,
        help_text="For the chairs: for example that you know the authors, or lack the time.",
        error_messages={"required": "Say why, in a few words: the chairs have to find somebody else."},
    )
