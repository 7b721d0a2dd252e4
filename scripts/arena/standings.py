"""The table: points, Elo with error bars, the cross table, how games were lost; and the state of an SPRT."""

from arena import elo, sprt
from arena.match import FORFEITS


def points(record):
    """What the first player scored."""
    return {"x": 1.0, "o": 0.0, "draw": 0.5}[record["result"]]


def points_of(name, record):
    """What an engine scored in a game of its own."""
    return points(record) if record["first"] == name else 1 - points(record)


def by_pairs(records):
    """The games of each pair, as `elo.ratings` takes them."""
    pairs = {}
    for record in records:
        pairs.setdefault(record["pair"], []).append((record["first"], record["second"], points(record)))
    return list(pairs.values())


def table(names, records):
    """A row for each engine, the best first: a list of dictionaries."""
    ratings = elo.ratings(names, by_pairs(records))
    rows = {
        name: {"name": name, "elo": ratings[name][0], "error": ratings[name][1], "games": 0, "wins": 0, "draws": 0,
               "losses": 0, "points": 0.0, "forfeits": {}}
        for name in names
    }
    for record in records:
        first = points(record)
        for name, score in ((record["first"], first), (record["second"], 1 - first)):
            row = rows[name]
            row["games"] += 1
            row["points"] += score
            row["wins" if score == 1 else "losses" if score == 0 else "draws"] += 1
        if record["reason"] in FORFEITS:
            forfeits = rows[record["loser"]]["forfeits"]
            forfeits[record["reason"]] = forfeits.get(record["reason"], 0) + 1
    return sorted(rows.values(), key=lambda row: (-row["elo"], row["name"]))


def cross_table(records):
    """`{name: {opponent: [wins, draws, losses]}}`."""
    cells = {}
    for record in records:
        first = points(record)
        for name, other, score in (
            (record["first"], record["second"], first), (record["second"], record["first"], 1 - first)
        ):
            cell = cells.setdefault(name, {}).setdefault(other, [0, 0, 0])
            cell[round(2 - 2 * score)] += 1
    return cells


def sprt_counts(name, records):
    """The five counts of complete pairs, seen by an engine."""
    scores = {}
    for record in records:
        scores.setdefault(record["pair"], []).append(points_of(name, record))
    return sprt.count_pairs(sum(pair) for pair in scores.values() if len(pair) == 2)


def sprt_state(test, name, records):
    """What a test says of the games so far, as a dictionary."""
    counts = sprt_counts(name, records)
    low, high = test.bounds
    value, error = sprt.elo_of_counts(counts)
    return {"engine": name, **test._asdict(), "counts": counts, "llr": test.ratio(counts), "low": low, "high": high,
            "verdict": test.verdict(counts), "elo": value, "error": error}


def sprt_history(test, name, records, points=200):
    """How the ratio came about: `[pairs, ratio]` after at most so many numbers of complete pairs."""
    scores, history, order = {}, [], []
    for record in records:
        score = points_of(name, record)
        scores.setdefault(record["pair"], []).append(score)
        if len(scores[record["pair"]]) == 2:
            order.append(sum(scores[record["pair"]]))
    counts, every = [0] * 5, max(1, len(order) // points)
    for number, score in enumerate(order, 1):
        counts[round(2 * score)] += 1
        if number % every == 0 or number == len(order):
            history.append([number, round(test.ratio(counts), 3)])
    return history


def text_of_elo(value, error):
    """`+12 ± 34`, for people."""
    if abs(value) == float("inf"):
        return "+inf" if value > 0 else "-inf"
    return f"{round(value):+d}" + (f" ± {error:.0f}" if error < 10000 else " ± ?")


def lines_of_table(rows):
    """The table as text."""
    width = max([6] + [len(row["name"]) for row in rows])
    lines = [f"    {'engine':{width}}          Elo   games   score    won  drawn   lost  forfeits"]
    for place, row in enumerate(rows, 1):
        score = f"{100 * row['points'] / row['games']:.1f} %" if row["games"] else "-"
        forfeits = ", ".join(f"{count} {kind}" for kind, count in sorted(row["forfeits"].items()))
        lines.append(
            f"{place:3} {row['name']:{width}} {text_of_elo(row['elo'], row['error']):>12} {row['games']:7} {score:>7}"
            f" {row['wins']:6} {row['draws']:6} {row['losses']:6}  {forfeits}".rstrip()
        )
    return lines


def line_of_sprt(state):
    """The state of a test as text."""
    low, high = state["low"], state["high"]
    verdict = {
        "H1": f"H1 accepted: {state['engine']} is stronger by {state['elo1']:g} rather than {state['elo0']:g} Elo",
        "H0": f"H0 accepted: {state['engine']} is stronger by {state['elo0']:g} rather than {state['elo1']:g} Elo",
        None: "no verdict yet",
    }[state["verdict"]]
    counts = " ".join(map(str, state["counts"]))
    return (f"SPRT {state['engine']} [{state['elo0']:g}, {state['elo1']:g}]: LLR {state['llr']:.2f} of"
            f" [{low:.2f}, {high:.2f}], pairs {counts}, Elo {text_of_elo(state['elo'], state['error'])}; {verdict}")
