"""Renju's forbidden points, from the definitions of the rules alone (shared by the checks in this folder).

Slow on purpose: fours are counted as sets of four stones, threes by trying every stone that could make them four.
"""

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


def foul(stones, inside, square):
    """Why Black must not play on an empty square: `overline`, `double-four`, `double-three`, or `None` if it may.

    `stones` maps squares to `x` (Black) or `o`; `inside(square)` says whether a square is on the board.
    """
    if not _has_stones_enough(stones, square):
        return None
    after = {**stones, square: "x"}
    runs = [_run(after, square, direction) for direction in DIRECTIONS]
    if any(len(run) == 5 for run in runs):
        return None
    if any(len(run) > 5 for run in runs):
        return "overline"
    if sum(len(_fours(after, inside, square, direction)) for direction in DIRECTIONS) >= 2:
        return "double-four"
    if sum(_is_three(after, inside, square, direction) for direction in DIRECTIONS) >= 2:
        return "double-three"
    return None


def _has_stones_enough(stones, square):
    """Whether a foul is possible at all: four of Black's stones near in one line, or two in each of two lines."""
    counts = [sum(stones.get(at) == "x" for at in _line(square, direction, 4)) for direction in DIRECTIONS]
    return max(counts) >= 4 or sum(count >= 2 for count in counts) >= 2


def _line(square, direction, reach):
    return [(square[0] + n * direction[0], square[1] + n * direction[1]) for n in range(-reach, reach + 1)]


def _run(stones, square, direction):
    """Black's unbroken stones through `square`."""
    run = [square]
    for sign in (1, -1):
        at = square
        while stones.get(at := (at[0] + sign * direction[0], at[1] + sign * direction[1])) == "x":
            run.append(at)
    return run


def _fours(stones, inside, square, direction):
    """The sets of four stones with `square` that one more stone makes exactly five, with the squares that do so."""
    fours = {}
    for empty in _line(square, direction, 4):
        if inside(empty) and empty not in stones:
            five = _run({**stones, empty: "x"}, empty, direction)
            if len(five) == 5 and square in five:
                fours.setdefault(frozenset(five) - {empty}, []).append(empty)
    return fours


def _is_three(stones, inside, square, direction):
    """Whether one more stone, which is allowed and makes no five elsewhere, makes a straight four with `square`."""
    for empty in _line(square, direction, 3):
        if not inside(empty) or empty in stones:
            continue
        after = {**stones, empty: "x"}
        straight = any(
            empty in four and len(ends) == 2 for four, ends in _fours(after, inside, square, direction).items()
        )
        if straight and not any(len(_run(after, empty, other)) == 5 for other in DIRECTIONS):
            if foul(stones, inside, empty) is None:
                return True
    return False
