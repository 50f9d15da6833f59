"""Whether the kept result is still that of the reviews, and what a page says if it is not."""

from dataclasses import dataclass

from surpeer.errors import counted
from surpeer.web.results.models import Result
from surpeer.web.results.stamp import Stamp, find_stamp
from surpeer.web.results.stored import result_of
from surpeer.web.venues.models import Venue


@dataclass(frozen=True)
class Freshness:
    """The kept result beside what there is now."""

    result: Result | None
    now: Stamp

    @classmethod
    def of(cls, venue: Venue) -> "Freshness":
        return cls(result_of(venue), find_stamp(venue))

    @property
    def is_current(self) -> bool:
        return self.result is not None and self.result.stamp == self.now.text

    @property
    def version(self) -> str:
        """Changes when there is something new to see."""
        return "" if self.result is None else f"{self.result.stamp}{'' if self.result.complete else '-'}"

    @property
    def sentence(self) -> str:
        """What is going on; empty if nothing is."""
        if self.result is None:
            return "The results are being computed. This takes from a few seconds to a minute for very large venues."
        newer = self.now.submissions - self.result.submissions
        if self.is_current:
            return "" if self.result.complete else "Charts and files are being made."
        if newer > 0:
            return f"{counted(newer, 'newer review')} {'is' if newer == 1 else 'are'} being counted."
        return "Something that matters was changed; the results are being computed again."
