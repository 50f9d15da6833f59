"""A venue as calls take and give it."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field

from surpeer.scale import MOST_LEVELS
from surpeer.web.accounts.models import Role
from surpeer.web.api.fields import WITHOUT_NUL, Given, Moment, example
from surpeer.web.venues.models import Blindness, Membership, PredictionForm
from surpeer.web.venues.overview import state_of
from surpeer.web.venues.scale_form import LONGEST_LABEL

MOST_VALUE = 1e6

Name = Annotated[str, Field(min_length=1, max_length=200, pattern=WITHOUT_NUL)]
Instructions = Annotated[str, Field(max_length=10_000, pattern=WITHOUT_NUL, description="Shown above every review.")]
MailMessage = Annotated[
    str, Field(max_length=5000, pattern=WITHOUT_NUL, description="Stands in every invitation and reminder.")
]
Imagined = Annotated[int, Field(strict=True, ge=5, le=100, description="Number of imagined reviewers.")]
Zone = Annotated[str, Field(min_length=1, max_length=60, pattern=WITHOUT_NUL, examples=["UTC", "Europe/Berlin"])]
Accept = Annotated[
    str, Field(min_length=1, max_length=20, pattern=WITHOUT_NUL, description="Papers to accept, as in 12 or 25%.")
]


class LevelIn(Given):
    """A level of the rating scale."""

    label: Annotated[str, Field(min_length=1, max_length=LONGEST_LABEL, pattern=WITHOUT_NUL)]
    value: (
        Annotated[
            float,
            Field(
                strict=True,
                ge=-MOST_VALUE,
                le=MOST_VALUE,
                allow_inf_nan=False,
                description="A number for each level, or for none.",
            ),
        ]
        | None
    ) = None


Levels = Annotated[list[LevelIn], Field(min_length=2, max_length=MOST_LEVELS, description="The lowest level first.")]


class VenueIn(Given):
    """A venue to create."""

    model_config = example(
        name="Workshop", levels=[{"label": "reject"}, {"label": "accept"}], deadline="2099-03-31T23:59:00Z"
    )

    name: Name
    levels: Levels
    deadline: Moment
    time_zone: Zone = "UTC"
    prediction_form: PredictionForm = PredictionForm.IMAGINED
    imagined: Imagined = 20
    blindness: Blindness = Blindness.DOUBLE
    accept: Accept = "25%"
    instructions: Instructions = ""
    mail_message: MailMessage = ""


class SettingsIn(Given):
    """Settings to change; what is left out, or null, stays."""

    model_config = example(accept="30%", deadline="2099-03-31T23:59:00Z", time_zone="Europe/Berlin")

    name: Name | None = None
    levels: Levels | None = None
    deadline: Moment | None = None
    time_zone: Zone | None = None
    prediction_form: PredictionForm | None = None
    imagined: Imagined | None = None
    blindness: Blindness | None = None
    accept: Accept | None = None
    instructions: Instructions | None = None
    mail_message: MailMessage | None = None


class LevelOut(BaseModel):
    """A level of the rating scale."""

    label: str
    value: float


class VenueOut(BaseModel):
    """A venue, and your part in it."""

    slug: str
    name: str
    role: Role
    state: str = Field(description="“open for reviews”, “past the deadline” or “closed”.")
    takes_reviews: bool
    results_open: bool
    levels: list[LevelOut]
    prediction_form: PredictionForm
    imagined: int
    blindness: Blindness
    deadline: datetime
    time_zone: str
    accept: str
    instructions: str
    mail_message: str
    created_at: datetime
    closed_at: datetime | None
    opened_at: datetime | None = Field(description="When the results were opened.")

    @classmethod
    def of(cls, membership: Membership) -> "VenueOut":
        venue = membership.venue
        return cls(
            slug=venue.slug,
            name=venue.name,
            role=Role(membership.role),
            state=state_of(venue),
            takes_reviews=venue.takes_reviews,
            results_open=venue.is_open,
            levels=[LevelOut(**level) for level in venue.levels],
            prediction_form=PredictionForm(venue.prediction_form),
            imagined=venue.imagined,
            blindness=Blindness(venue.blindness),
            deadline=venue.deadline,
            time_zone=venue.time_zone,
            accept=venue.accept,
            instructions=venue.instructions,
            mail_message=venue.mail_message,
            created_at=venue.created_at,
            closed_at=venue.closed_at,
            opened_at=venue.opened_at,
        )
