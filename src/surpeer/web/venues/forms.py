"""What a chair fills in."""

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils import timezone

from surpeer.errors import InputError, quoted
from surpeer.typed_numbers import read_accept
from surpeer.web.accounts.mail_addresses import AddressField
from surpeer.web.venues.creating import STAYS_BLIND
from surpeer.web.venues.local_times import ANYWHERE, local, zone_of
from surpeer.web.venues.models import Blindness, Paper, Reviewer, Venue
from surpeer.web.venues.settings_merging import LOCAL_TIME, bring_along, overtaken, touched

BEFORE = {"UTC": "UTC", ANYWHERE: "Anywhere on Earth (UTC-12)"}
FIXED_BY_REVIEWS = ("prediction_form", "imagined")


def time_zones() -> list[tuple[str, str]]:
    """Every time zone that has a name, the two that most venues use first."""
    places = sorted(name for name in available_timezones() if "/" in name and not name.startswith("Etc/"))
    return [*BEFORE.items(), *((name, name.replace("_", " ")) for name in places)]


class DeadlineForm(forms.Form):
    """A time and the zone that it is meant in."""

    deadline = forms.DateTimeField(
        label="Deadline",
        help_text="Until then reviewers can submit and revise. Date and time in the time zone below.",
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=LOCAL_TIME),
        input_formats=[LOCAL_TIME, "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S"],
        error_messages={"invalid": "Expected a date and a time such as 2027-03-31 23:59."},
    )
    time_zone = forms.ChoiceField(label="Time zone", choices=time_zones)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if given.get("deadline") and given.get("time_zone"):
            try:
                given["deadline"] = in_zone(given["deadline"], given["time_zone"])
            except ValidationError as error:
                self.add_error("deadline", error)
        return given


class VenueForm(DeadlineForm, forms.ModelForm):  # type: ignore[type-arg] # Django's own takes no parameter
    """Everything about a venue but its scale, which has a form of its own beside this one."""

    field_order = (
        "name",
        "prediction_form",
        "imagined",
        "deadline",
        "time_zone",
        "blindness",
        "accept",
        "instructions",
        "mail_message",
    )

    class Meta:
        model = Venue
        fields = ("name", "prediction_form", "imagined", "blindness", "accept", "instructions", "mail_message")
        widgets = {  # noqa: RUF012 - Django's
            "prediction_form": forms.RadioSelect,
            "blindness": forms.RadioSelect,
            "imagined": forms.NumberInput(attrs={"inputmode": "numeric"}),
        }
        help_texts = {  # noqa: RUF012
            "name": "As reviewers know it: a workshop, a call for proposals, a prize.",
            "prediction_form": "After rating a paper, each reviewer predicts what other reviewers of it say.",
            "imagined": "Between 5 and 100; 20 works well. Only for the first form.",
            "accept": "A number of papers such as 12, or a share such as 25%.",
            "instructions": "Shown above every review form. What each rating means, what to look at.",
            "mail_message": "Stands in every invitation and reminder as you type it, after “Dear ...” and before the "
            "papers. The name and address of whoever sends them stand at the end, and answers go there.",
        }
        error_messages = {  # noqa: RUF012
            "imagined": dict.fromkeys(("min_value", "max_value", "invalid"), "Expected a number from 5 to 100.")
        }

    def __init__(self, *args: Any, fixed: bool = False, **kwargs: Any) -> None:
        """fixed : whether reviews were submitted, so that the form of predictions has to stay, and what reviewers were
        promised about who sees their names."""
        super().__init__(*args, **kwargs)
        venue = self.instance
        self.fields["imagined"].required = False
        if venue.pk is not None:
            self.initial.setdefault("deadline", typed_deadline(venue))
            self.initial.setdefault("time_zone", zone_of(venue).key)
            bring_along(self)
        self.overtaken: dict[str, str] = {}
        """Fields that somebody else changed while she did, and what to say there."""
        if fixed:
            for name in FIXED_BY_REVIEWS:
                self.fields[name].disabled = True
        if fixed and venue.blindness == Blindness.TRIPLE:
            self.fields["blindness"].disabled = True
            self.fields["blindness"].help_text = STAYS_BLIND

    def clean_accept(self) -> str:
        text = str(self.cleaned_data["accept"]).strip()
        try:
            read_accept(text, "accept")
        except InputError as error:
            raise ValidationError(str(error)) from None
        return text

    def clean_imagined(self) -> int:
        number = self.cleaned_data.get("imagined")
        return int(number) if number is not None else int(self.instance.imagined)

    def clean(self) -> dict[str, Any]:
        given = super().clean()
        if self.instance.pk is not None:
            given |= {name: getattr(self.instance, name) for name in given.keys() - touched(self)}
            self.overtaken = overtaken(self)
            for name, message in self.overtaken.items():
                self.add_error(name, message)
        deadline = given.get("deadline")
        if deadline is not None and deadline <= timezone.now() and deadline != self.instance.deadline:
            self.add_error("deadline", PAST)
        return given

    def save(self, commit: bool = True) -> Venue:
        self.instance.deadline = self.cleaned_data["deadline"]
        self.instance.time_zone = self.cleaned_data["time_zone"]
        venue: Venue = super().save(commit)
        return venue


FIRST_YEAR, LAST_YEAR = 2000, 2999
PAST = "This time has passed. Expected a time to come; to end the round now, close it on the overview."


def typed_deadline(venue: Venue) -> datetime:
    """The deadline as it would be typed: what clocks in its zone show, to the minute, which Django takes for UTC."""
    return local(venue.deadline, venue).replace(second=0, microsecond=0, tzinfo=UTC, fold=0)


def in_zone(moment: datetime, zone: str) -> datetime:
    """The moment at which clocks in the zone show what was typed (which Django took for UTC)."""
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        raise ValidationError(f"Found the year {moment.year}, expected one from {FIRST_YEAR} to {LAST_YEAR}.")
    local = moment.replace(tzinfo=ZoneInfo(zone))
    back = local.astimezone(ZoneInfo("UTC")).astimezone(ZoneInfo(zone))
    if back.replace(tzinfo=None) != local.replace(tzinfo=None):
        raise ValidationError(f"Clocks in {zone} skip this time. Choose one an hour earlier or later.")
    return local.astimezone(ZoneInfo("UTC"))


class PaperForm(forms.ModelForm):  # type: ignore[type-arg]
    """One paper."""

    url = forms.URLField(label="Address of the full text", required=False, max_length=2000, assume_scheme="https")

    class Meta:
        model = Paper
        fields = ("key", "title", "authors", "track", "url", "abstract")
        help_texts = {"key": "Your own id of it, such as 17 or P-017; it stands in all results."}  # noqa: RUF012

    def clean_key(self) -> str:
        key = " ".join(str(self.cleaned_data["key"]).split())
        twin = Paper.objects.filter(venue=self.instance.venue, key=key).exclude(pk=self.instance.pk)
        if twin.exists():
            raise ValidationError(f"There is a paper {quoted(key)} already. Choose another id.")
        return key


class ReviewerForm(forms.ModelForm):  # type: ignore[type-arg]
    """One reviewer."""

    class Meta:
        model = Reviewer
        fields = ("name", "email")
        field_classes = {"email": AddressField}  # noqa: RUF012
        labels = {"email": "E-mail address"}  # noqa: RUF012
        help_texts = {  # noqa: RUF012
            "email": "Without one you hand over the personal link yourself. A new address makes earlier links void."
        }

    def clean_email(self) -> str:
        email = str(self.cleaned_data["email"]).lower()
        twin = Reviewer.objects.filter(venue=self.instance.venue, email=email).exclude(pk=self.instance.pk)
        if email and twin.exists():
            raise ValidationError(f"{email} is a reviewer of this venue already.")
        return email

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or {}
        if not self.errors and not given.get("name") and not given.get("email"):
            raise ValidationError("Give a name or an e-mail address.")
        return given


class UploadForm(forms.Form):
    """A file to import."""

    file = forms.FileField(
        label="File",
        help_text="CSV (UTF-8; commas, semicolons or tabs) or an Excel workbook (.xlsx).",
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,.tsv,.txt,.xlsx,.xlsm,.xls,.zip"}),
        allow_empty_file=True,
    )

    def clean_file(self) -> "UploadedFile[Any]":
        file: UploadedFile[Any] = self.cleaned_data["file"]
        if (file.size or 0) > settings.MOST_UPLOADED:
            found, most = (file.size or 0) / 1024**2, settings.MOST_UPLOADED // 1024**2
            raise ValidationError(f"Found a file of {found:.1f} MB, expected at most {most} MB. Split it in two.")
        return file
