"""When a game is called before its end: an engine that sees itself lost, two that see a draw, too many moves."""

from typing import NamedTuple


class Rules(NamedTuple):
    """What is agreed; 0 stands for never."""

    #: An engine that says for `resign_moves` moves in a row that it is down by `resign_score` has lost.
    resign_score: int = 0
    resign_moves: int = 4
    #: From ply `draw_from` on, a score within `draw_score` for `draw_moves` moves of each side in a row is a draw.
    draw_from: int = 0
    draw_score: int = 10
    draw_moves: int = 8
    #: A game of so many plies is a draw.
    longest: int = 0


def verdict(rules, scores):
    """`(result, reason)` or `None`, from the scores so far (of the side that moved; `None` for openings and silence).

    The result is `x`, `o` or `draw`.
    """
    if rules.resign_score:
        own = scores[-1::-2][:rules.resign_moves]
        if len(own) == rules.resign_moves and all(score is not None and score <= -rules.resign_score for score in own):
            return ("o" if len(scores) % 2 else "x"), "resigned"
    if rules.draw_from and len(scores) >= rules.draw_from:
        both = scores[-2 * rules.draw_moves:]
        if len(both) == 2 * rules.draw_moves and all(s is not None and abs(s) <= rules.draw_score for s in both):
            return "draw", "agreed"
    if rules.longest and len(scores) >= rules.longest:
        return "draw", "too long"
    return None
