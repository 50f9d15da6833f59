"""Texts and numbers as calls take them: bounded, and of one type each."""

import re
from datetime import datetime
from typing import Annotated, Any

from ninja import P, PathEx
from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictInt,
    model_validator,
)
from pydantic import ValidationInfo as Info
from pydantic_core import PydanticCustomError

from surpeer.errors import quoted

MOST_PK = 2**63 - 1
WITHOUT_NUL = r"^[^\x00]*$"
"""PostgreSQL keeps no text with the character 0 in it."""
MOMENT = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)")

Slug = PathEx[str, P(max_length=60, pattern="^[-a-zA-Z0-9_]+$", description="The venue, as in its address.")]
Pk = PathEx[int, P(ge=1, le=MOST_PK, description="The number that lists call `pk`.")]
Code = PathEx[str, P(max_length=16, pattern="^[0-9a-f]+$", description="The review, as lists of reviews call it.")]
Key = Annotated[StrictInt, Field(ge=1, le=MOST_PK)]


class Given(BaseModel):
    """What a script sends: fields that are not known are refused."""

    model_config = ConfigDict(extra="forbid")


def example(**fields: Any) -> ConfigDict:
    """The settings of something that scripts send, with an example for its description."""
    return ConfigDict(extra="forbid", json_schema_extra={"examples": [fields]})


class Asked(BaseModel):
    """What a script asks for in the query: a parameter that is not known is refused, so that a slip does not go
    unnoticed."""

    @model_validator(mode="after")
    def _refuse_others(self, info: Info) -> "Asked":
        request = (info.context or {}).get("request")
        unknown = sorted(set(request.GET) - set(type(self).model_fields)) if request is not None else []
        if unknown:
            known = ", ".join(type(self).model_fields)
            facts = {"known": known, "unknown": ", ".join(quoted(name) for name in unknown[:10])}
            raise PydanticCustomError("unknown_parameter", "no parameters but {known}", facts)
        return self


def _moment(value: Any) -> Any:
    """Only what reads as a date and a time with an offset; pydantic would take a bare number for seconds, too."""
    if isinstance(value, str) and not MOMENT.fullmatch(value):
        raise PydanticCustomError("moment", "a date and a time with an offset, such as 2027-03-31T23:59:00Z")
    if value is not None and not isinstance(value, str | datetime):
        raise PydanticCustomError("moment", "text such as 2027-03-31T23:59:00Z")
    return value


def _within_reach(value: datetime) -> datetime:
    if not 2000 <= value.year <= 2999:
        raise PydanticCustomError("year", "a year from 2000 to 2999")
    return value


Moment = Annotated[AwareDatetime, BeforeValidator(_moment), AfterValidator(_within_reach)]
