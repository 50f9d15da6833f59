"""The venue method: every paper's quality from all reports of a venue, without history. docs/explanation/venue-score.md

moments         rows of reviews -> sums per paper; partial forecasts are made whole first (completion)
own_rating      how much of a forecast is the reviewer's own rating projected on everybody
forecast_model  what forecasts say about papers (fit_forecasts finds its parameters, steps apply them to any paper)
trust           how far forecasts are followed
spread          whether ratings spread as widely as forecasts say
quality         ratings less bias -> quality with its standard deviation
venue_fit       learning, all of it in order
venue_model     what was learned, and judging with it
"""

from surpeer.core.venue.moments import Moments, moments_of_reviews, together
from surpeer.core.venue.quality import Quality
from surpeer.core.venue.trust import Trust
from surpeer.core.venue.venue_fit import FIT_PAPERS, Parts, VenueFit, fit_venue, learn_venue
from surpeer.core.venue.venue_model import VenueModel

__all__ = [
    "FIT_PAPERS",
    "Moments",
    "Parts",
    "Quality",
    "Trust",
    "VenueFit",
    "VenueModel",
    "fit_venue",
    "learn_venue",
    "moments_of_reviews",
    "together",
]
