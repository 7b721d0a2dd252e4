"""Measures what each `Skill Level` is worth in Elo, where a uniformly random player is 0.

    python3 scripts/skill_elo.py                          # every variant, 60 games a pair
    python3 scripts/skill_elo.py --games 200 --variants cfour

Neighbours on a ladder play each other: random, level 0, 4, 8, 12, 16, 20. The Elo differences are added up along it.
Where level 0 beats random in nearly all games, players between the two are put in, who play level 0's move half of the
time and else any move; and between those, until the scores are less one-sided. A pair where one side won everything
gives only a bound (marked >), worked out as if half a point had been given away. Errors are one standard deviation.
Exit code 1 when an engine broke a rule.
"""

import argparse
import math
import random
import sys
from typing import NamedTuple

from players import EnginePlayer, Forfeit, MixedPlayer, RandomPlayer, play_game
from progress import Progress
from referee import VARIANTS, random_board
from uci_engine import EngineError, add_engine_argument

#: A score beyond which players are put between random and level 0.
NEARLY_ALL = 0.95
#: How near the shares of such players come to each other.
FINEST = 1 / 64


class Step(NamedTuple):
    """A step of the ladder: the moves of a level, or a share of them, the rest being random."""

    level: int
    share: float = 1.0

    @property
    def name(self):
        """As it is written in the table."""
        return f"level {self.level}" if self.share == 1 else f"{self.share:.3g} x level {self.level}"


RANDOM = Step(0, 0.0)
LEVELS = [Step(level) for level in (0, 4, 8, 12, 16, 20)]


class Pair(NamedTuple):
    """What the stronger of two players scored against the weaker."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self):
        """How many games were played."""
        return sum(self)

    @property
    def is_bound(self):
        """Whether one side won everything."""
        return self.games in (self.wins, self.losses)

    @property
    def score(self):
        """The share of the points, half a point off 0 and 1."""
        points = self.wins + self.draws / 2
        return min(max(points, 0.5), self.games - 0.5) / self.games

    @property
    def elo(self):
        """The difference in Elo."""
        return -400 * math.log10(1 / self.score - 1)

    @property
    def error(self):
        """One standard deviation of `elo`."""
        score = self.score
        squares = self.wins * (1 - score) ** 2 + self.draws * (0.5 - score) ** 2 + self.losses * score**2
        if self.is_bound:
            squares = self.games * score * (1 - score)
        return 400 / math.log(10) * math.sqrt(squares) / self.games / (score * (1 - score))


class Ladder:
    """The players of one variant."""

    def __init__(self, args, variant):
        self.args, self.variant, self.rules = args, variant, VARIANTS[variant]
        self.dice = random.Random(f"{args.seed} {variant}")

    def player(self, step):
        """A new player for a step."""
        if step == RANDOM:
            return RandomPlayer(self.dice)
        options = {"UCI_Variant": self.variant, "Move Overhead": 0, "Skill Level": step.level}
        engine = EnginePlayer(step.name, self.args.engine, options, f"go movetime {self.args.movetime}")
        return engine if step.share == 1 else MixedPlayer(engine, step.share, self.dice)

    def play_pair(self, weak_step, strong_step):
        """Play the games of a pair, the sides alternating."""
        weak, strong = self.player(weak_step), self.player(strong_step)
        counts = {"won": 0, "draw": 0, "lost": 0}
        progress = Progress(f"{self.variant}, {strong.name} - {weak.name}", self.args.games)
        try:
            for number in range(self.args.games):
                strong_starts = number % 2 == 0
                if strong_starts:
                    opening = random_board(self.rules, self.args.opening_plies, self.dice).moves
                result = play_game(self.rules, *((strong, weak) if strong_starts else (weak, strong)), opening).result
                counts["draw" if result == "draw" else "won" if (result == "x") == strong_starts else "lost"] += 1
                progress.show(number + 1, str(counts))
        finally:
            progress.close()
            weak.close()
            strong.close()
        return Pair(*counts.values())

    def climb(self):
        """Play all pairs; yield each step with the pair that leads to it."""
        yield from self.climb_between(RANDOM, LEVELS[0])
        for weak_step, step in zip(LEVELS, LEVELS[1:]):
            yield step, self.play_pair(weak_step, step)

    def climb_between(self, weak_step, step):
        """Play two shares of a level, with players between them as needed."""
        pair = self.play_pair(weak_step, step)
        gap = step.share - weak_step.share
        if pair.score > NEARLY_ALL and gap > FINEST:
            middle = Step(step.level, weak_step.share + gap / 2)
            yield from self.climb_between(weak_step, middle)
            yield from self.climb_between(middle, step)
        else:
            yield step, pair


def measure(args, variant):
    """Climb a variant's ladder and print a row for each step."""
    elo, variance, bound = 0.0, 0.0, ""
    for step, pair in Ladder(args, variant).climb():
        elo += pair.elo
        variance += pair.error**2
        bound = ">" if pair.is_bound else bound
        games = f"+{pair.wins} ={pair.draws} -{pair.losses}"
        difference = f"{'>' if pair.is_bound else ''}{pair.elo:.0f}"
        total = f"{bound}{elo:.0f}"
        row = f"{variant:16} {step.name:16} {games:>12} {difference:>8} +-{pair.error:3.0f} {total:>8}"
        print(f"{row} +-{math.sqrt(variance):3.0f}", flush=True)


def read_arguments():
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_engine_argument(parser)
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=list(VARIANTS), metavar="VARIANT",
                        help="some of %(choices)s (default: all)")
    parser.add_argument("--games", type=int, default=60, help="a pair (default: %(default)s)")
    parser.add_argument("--movetime", type=int, default=20, help="ms a move (default: %(default)s)")
    parser.add_argument("--opening-plies", type=int, default=0, help="random moves at first (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the script's random moves (default: %(default)s)")
    return parser.parse_args()


def main():
    """Measure all variants; return the exit code."""
    args = read_arguments()
    print("variant          step                    games   Elo to the last     Elo (random = 0)", flush=True)
    faults = []
    for variant in args.variants:
        try:
            measure(args, variant)
        except (Forfeit, EngineError) as error:
            faults.append(f"{variant}: {error}")
    print("\n".join(["faults:", *faults]) if faults else "no faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
