"""How well every registered method ranks papers: made-up venues with known qualities, and real votes with known truth.

grid              the cells: which venues are made, and which of them were held out
venues, oracles   a cell -> reviews, true qualities, and what one could know of them at best
judging           scores and qualities -> accuracy, standard errors, the top quarter
cells             one cell by every method
reliability       whether probabilities that a method states are right as often as it says
studies, panels   real votes and forecasts with known truth
benchmark         all of it in one run: tables, pictures and a page
"""

from surpeer.experiments.bench.benchmark import AccuracyBenchmark
from surpeer.experiments.bench.grid import FULL, QUICK, Cell, Grid
from surpeer.experiments.bench.studies import read_studies

__all__ = ["FULL", "QUICK", "AccuracyBenchmark", "Cell", "Grid", "read_studies"]
