"""The model of Weng and Lin with Plackett and Luce's likelihood, as the library openskill computes it.

R. C. Weng and C.-J. Lin, "A Bayesian approximation method for online ranking", Journal of Machine Learning Research 12
(2011), algorithm 4.
"""

from collections.abc import Sequence

from openskill.models import PlackettLuce

from service.domain.ratings.decide import Figures
from service.domain.ratings.model import Parameters, Rating


def compute(parameters: Parameters, before: Sequence[Rating], places: Sequence[int]) -> list[Figures]:
    """Return the figures after a match, by seat; those before it are ratings, and equal places are a draw."""
    model = PlackettLuce(beta=parameters.beta, kappa=parameters.kappa, tau=parameters.tau, limit_sigma=True)
    seats = [[model.rating(rating.value / 100, rating.deviation / 100)] for rating in before]
    after = model.rate(seats, ranks=[float(place) for place in places])
    return [Figures(each.mu, each.sigma) for [each] in after]
