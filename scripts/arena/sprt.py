"""A sequential test of two hypotheses about one engine against another: is it elo0 or elo1 stronger?

The unit is a pair of games (one opening, both colours), which scores 0, 1/2, 1, 3/2 or 2: five counts. The log
likelihood ratio is that of the most likely distributions of these scores among those whose mean is what elo0 or elo1
promises (the generalised test); the bounds are Wald's.
"""

import math
from typing import NamedTuple

from arena.elo import WIDTH, difference, expected

#: Points of an average game of the pair.
SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
#: What a count of zero is taken for, so that nothing is impossible.
TINY = 1e-3


class Test(NamedTuple):
    """The hypotheses, and how often each may be refused wrongly."""

    elo0: float = 0.0
    elo1: float = 5.0
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self):
        """The log likelihood ratios at which `H0` and `H1` are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, counts):
        """The log likelihood ratio of pairs that scored 0, 1/2, 1, 3/2, 2."""
        pairs = sum(counts)
        if pairs == 0:
            return 0.0
        counts = [count or TINY for count in counts]
        total = sum(counts)
        shares = [count / total for count in counts]
        first, second = (_likeliest(shares, expected(elo)) for elo in (self.elo0, self.elo1))
        return total * sum(share * math.log(b / a) for share, a, b in zip(shares, first, second))

    def verdict(self, counts):
        """`H0`, `H1`, or `None` while the test goes on."""
        ratio, (low, high) = self.ratio(counts), self.bounds
        return "H1" if ratio >= high else "H0" if ratio <= low else None


def _likeliest(shares, mean):
    """The most likely distribution, of those with a mean, to have given the shares.

    It is `share / (1 + t (score - mean))`, with the t that makes the mean right, between the poles at the ends.
    """
    low, high = -1 / (1 - mean), 1 / mean
    for _ in range(60):  # to the last bit of a double
        t = (low + high) / 2
        lean = sum(share * (score - mean) / (1 + t * (score - mean)) for share, score in zip(shares, SCORES))
        low, high = (t, high) if lean > 0 else (low, t)
    return [share / (1 + t * (score - mean)) for share, score in zip(shares, SCORES)]


def count_pairs(pair_scores):
    """The five counts of scores of pairs (0 to 2)."""
    counts = [0] * 5
    for score in pair_scores:
        counts[round(2 * score)] += 1
    return counts


def elo_of_counts(counts):
    """Elo difference and half of its 95 % interval; infinite where one side won everything, or nothing was played."""
    pairs = sum(counts)
    mean = sum(count * score for count, score in zip(counts, SCORES)) / pairs if pairs else 0.5
    if pairs == 0 or mean in (0, 1):
        return (math.inf if mean == 1 else -math.inf if mean == 0 else 0.0), math.inf
    variance = sum(count * (score - mean) ** 2 for count, score in zip(counts, SCORES)) / pairs
    spread = WIDTH * math.sqrt(variance / pairs)
    low, high = max(mean - spread, 1e-6), min(mean + spread, 1 - 1e-6)
    return difference(mean), (difference(high) - difference(low)) / 2
