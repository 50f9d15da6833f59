"""The forms of a reviewer."""

from typing import Any

from django import forms

from surpeer.web.reviews.models import Submission
from surpeer.web.reviews.prediction import PredictionProblems, checked_prediction, question_of
from surpeer.web.reviews.typed import Typed
from surpeer.web.reviews.window import Window, whole_window, window_of
from surpeer.web.venues.models import Assignment, Venue

INCOMPLETE = "The form did not arrive complete. Copy what you typed, then load the page again."
LONGEST_COMMENT = Submission._meta.get_field("comment").max_length or 0


class ReviewForm(forms.Form):
    """Rating, prediction and a comment, for the scale and question of one venue."""

    use_required_attribute = False  # the answer of the server names all that is missing, a browser only the first

    rating = forms.TypedChoiceField(
        coerce=int, widget=forms.RadioSelect, error_messages={"required": "Choose a rating."}
    )
    comment = forms.CharField(
        label="Comment to the chairs",
        max_length=LONGEST_COMMENT,
        required=False,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text="Only chairs and observers of the venue can read it, once the results are open.",
        error_messages={
            "max_length": "The comment has %(show_value)d characters, at most %(limit_value)d are stored: shorten it."
        },
    )

    def __init__(self, venue: Venue, data: Any = None, window: Window | None = None, **options: Any) -> None:
        self.venue = venue
        self.question = question_of(venue)
        self.prediction: list[int] = []
        self.window = window or window_of(data)
        """The hidden fields, which are no fields here: nobody sees them, and every submission would pay for them."""
        super().__init__(data, **options)
        self.fields["rating"].choices = list(enumerate(venue.labels))  # type: ignore[attr-defined]
        for place, label in enumerate(self.question.labels):
            attributes = {"min": 0, "step": 1, "inputmode": "numeric", "autocomplete": "off"}
            self.fields[f"number_{place}"] = forms.CharField(
                label=label, required=False, widget=forms.NumberInput(attrs=attributes)
            )

    @classmethod
    def showing(cls, venue: Venue, typed: Typed, window: Window) -> "ReviewForm":
        """The form filled with this, without a word on whether it is right."""
        numbers = {f"number_{place}": number for place, number in enumerate(typed.numbers)}
        return cls(venue, window=window, initial={"rating": typed.rating, "comment": typed.comment, **numbers})

    @property
    def numbers(self) -> list[forms.BoundField]:
        return [self[f"number_{place}"] for place in range(len(self.question.labels))]

    def clean(self) -> dict[str, Any]:
        if whole_window(self.data) is None:
            self.add_error(None, forms.ValidationError(INCOMPLETE, code="incomplete"))
        texts = [str(self.cleaned_data.get(field.name, "")) for field in self.numbers]
        try:
            self.prediction = checked_prediction(self.venue, texts)
        except PredictionProblems as found:
            for place, problem in found.problems.items():
                self.add_error(None if place is None else f"number_{place}", problem)
        return self.cleaned_data

    def values(self, assignment: Assignment) -> dict[str, Any]:
        """What `submit` takes, once this is valid."""
        given = self.cleaned_data
        return {
            "assignment": assignment,
            "rating": given["rating"],
            "prediction": self.prediction,
            "comment": given["comment"].replace("\r\n", "\n"),
            "key": self.window.key,
            "based_on": self.window.based_on,
        }


class DeclineForm(forms.Form):
    """Why somebody does not review a paper."""

    declined_because = forms.CharField(
        label="Why?",
        max_length=500,
        help_text="For the chairs: for example that you know the authors, or lack the time.",
        error_messages={"required": "Say why, in a few words: the chairs have to find somebody else."},
    )
