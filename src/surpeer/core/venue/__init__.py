"""The venue method: every paper's quality from all reports of a venue, without history. docs/explanation/venue-score.md

completion      partial forecasts -> whole ones
own_rating      how much of a forecast is the reviewer's own rating projected on everybody
forecast_model  what forecasts say about papers (fit_forecasts finds its parameters)
trust           how far forecasts are followed
spread          whether ratings spread as widely as forecasts say
quality         ratings less bias -> quality with its standard deviation
venue_fit       all of it in order
"""

from surpeer.core.venue.trust import Trust
from surpeer.core.venue.venue_fit import Parts, VenueFit, fit_venue

__all__ = ["Parts", "Trust", "VenueFit", "fit_venue"]
