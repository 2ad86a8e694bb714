"""The model of Weng and Lin with Plackett and Luce's likelihood, computed by the library openskill.

R. C. Weng and C.-J. Lin, "A Bayesian approximation method for online ranking", Journal of Machine Learning Research 12
(2011), algorithm 4.
"""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from service.domain.ratings.decide import Figures
from service.domain.ratings.model import Parameters, Rating

if TYPE_CHECKING:
    from openskill.models import PlackettLuce


@cache
def model_of(parameters: Parameters) -> "PlackettLuce":
    """Return the model with these parameters."""
    from openskill.models import PlackettLuce  # noqa: PLC0415 - it takes 2 MB, and processes of the API never rate

    return PlackettLuce(beta=parameters.beta, kappa=parameters.kappa, tau=parameters.tau, limit_sigma=True)


def compute(parameters: Parameters, before: Sequence[Rating], places: Sequence[int]) -> list[Figures]:
    """Return the figures after a match, by seat, from the ratings before it; equal places are a draw."""
    model = model_of(parameters)
    seats = [[model.rating(rating.value / 100, rating.deviation / 100)] for rating in before]
    after = model.rate(seats, ranks=[float(place) for place in places])
    return [Figures(each.mu, each.sigma) for [each] in after]
