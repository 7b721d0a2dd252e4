"""Elo of any number of players from their games, with error bars.

The ratings are those of the most likely Bradley-Terry model, a draw counting as half a win. The games of a pair (one
opening, both colours) are not independent, so the errors come from how the pairs scatter, not from single games.
"""

import math

SCALE = 400 / math.log(10)
#: 95 % of a normal distribution are within so many standard deviations.
WIDTH = 1.959964


def expected(difference):
    """The score that an Elo difference promises, 0 to 1."""
    return 1 / (1 + 10 ** (-difference / 400))


def difference(score):
    """The Elo difference of a score strictly between 0 and 1."""
    return -400 * math.log10(1 / score - 1)


def ratings(names, pairs):
    """`{name: (elo, error)}`, the mean being 0 and the errors half a 95 % interval.

    `pairs` is a list of pairs of games, each a list of `(first, second, score of first)`. So that whoever has lost
    every game has a rating too, half a drawn game against an average player is added to everyone.
    """
    index = {name: number for number, name in enumerate(names)}
    games = [[(index[a], index[b], score) for a, b, score in pair] for pair in pairs]
    played = [game for pair in games for game in pair]
    if not played or len(names) < 2:
        return {name: (0.0, math.inf) for name in names}
    strengths = _most_likely(len(names), played)
    covariance = _covariance(strengths, games)
    return {
        name: (SCALE * strengths[number], WIDTH * SCALE * math.sqrt(max(covariance[number][number], 0)))
        for name, number in index.items()
    }


#: How many drawn games against an average player everyone is given.
PRIOR = 0.5
#: Of so few pairs the scatter is not trusted alone.
FEW = 10


def _win(strength):
    return 1 / (1 + math.exp(-strength))


def _tally(count, played):
    """Games are many, pairings few: `{(a, b): (games, points of a)}`."""
    tally = {}
    for a, b, score in played:
        games, points = tally.get((a, b), (0, 0.0))
        tally[a, b] = games + 1, points + score
    return tally


def _most_likely(count, played):
    """The natural strengths, by Newton's method."""
    strengths, tally = [0.0] * count, _tally(count, played)
    for _ in range(100):
        gradient = [PRIOR * (0.5 - _win(strength)) for strength in strengths]
        for (a, b), (games, points) in tally.items():
            surprise = points - games * _win(strengths[a] - strengths[b])
            gradient[a] += surprise
            gradient[b] -= surprise
        step = _solve(_information(strengths, tally), gradient)
        # A step of more than two is far outside of where the model is nearly linear.
        strengths = [strength + max(-2.0, min(2.0, change)) for strength, change in zip(strengths, step)]
        if max(map(abs, step)) < 1e-9:
            break
    mean = sum(strengths) / count
    return [strength - mean for strength in strengths]


def _information(strengths, tally):
    """The curvature of the likelihood."""
    size = len(strengths)
    matrix = [[0.0] * size for _ in range(size)]
    for number, strength in enumerate(strengths):
        matrix[number][number] = PRIOR * _win(strength) * _win(-strength) + 1e-12
    for (a, b), (games, _) in tally.items():
        weight = games * _win(strengths[a] - strengths[b]) * _win(strengths[b] - strengths[a])
        for row, column, sign in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
            matrix[row][column] += sign * weight
    return matrix


def _covariance(strengths, pairs):
    """Of the strengths around their mean: from the scatter of pairs, or, where that says little, from single games."""
    size = len(strengths)
    information = _information(strengths, _tally(size, [game for pair in pairs for game in pair]))
    inverse = [_solve(information, [float(row == column) for row in range(size)]) for column in range(size)]
    scatter = [[0.0] * size for _ in range(size)]
    for pair in pairs:
        push = {}
        for a, b, score in pair:
            surprise = score - _win(strengths[a] - strengths[b])
            push[a] = push.get(a, 0) + surprise
            push[b] = push.get(b, 0) - surprise
        for row, one in push.items():
            for column, other in push.items():
                scatter[row][column] += one * other
    by_pairs = _centred(_product(_product(inverse, scatter), inverse))
    by_games = _centred(inverse)
    # Few pairs scatter by chance only, and a player who won or lost all games shows no scatter, which does not make its
    # rating exact: then the greater error of the two is told.
    scores = [set() for _ in range(size)]
    for pair in pairs:
        for a, b, score in pair:
            scores[a].add(score)
            scores[b].add(1 - score)
    if len(pairs) >= FEW and all(len(seen) > 1 for seen in scores):
        return by_pairs
    return [max(by_games[row], by_pairs[row], key=lambda values: values[row]) for row in range(size)]


def _centred(matrix):
    """The covariance of differences from the mean."""
    size = len(matrix)
    rows = [sum(row) / size for row in matrix]
    columns = [sum(row[number] for row in matrix) / size for number in range(size)]
    mean = sum(rows) / size
    return [[matrix[i][j] - rows[i] - columns[j] + mean for j in range(size)] for i in range(size)]


def _product(left, right):
    columns = list(zip(*right))
    return [[sum(a * b for a, b in zip(row, column)) for column in columns] for row in left]


def _solve(matrix, right):
    """The solution of linear equations, by elimination with row exchange."""
    size = len(right)
    rows = [list(row) + [value] for row, value in zip(matrix, right)]
    for column in range(size):
        best = max(range(column, size), key=lambda row: abs(rows[row][column]))
        rows[column], rows[best] = rows[best], rows[column]
        for row in range(column + 1, size):
            factor = rows[row][column] / rows[column][column]
            if factor:
                rows[row] = [value - factor * pivot for value, pivot in zip(rows[row], rows[column])]
    solution = [0.0] * size
    for row in reversed(range(size)):
        rest = sum(rows[row][column] * solution[column] for column in range(row + 1, size))
        solution[row] = (rows[row][size] - rest) / rows[row][row]
    return solution
