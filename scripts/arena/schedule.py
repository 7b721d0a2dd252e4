"""Which games there are, in which order. Every opening is played twice by a pairing, with both colours."""

from itertools import combinations, count

from arena.match import Job


def pairings(mode, names, challengers=1):
    """Who plays whom: everyone everyone, or the first ones all others."""
    if mode == "gauntlet":
        return [(one, other) for one in names[:challengers] for other in names[challengers:]]
    return list(combinations(names, 2))


def pair_name(one, other, number):
    """The name of a pair of games."""
    return f"{one} - {other} #{number + 1}"


def jobs(meetings, rounds, opening, done):
    """Yield the games that are not done, an opening at a time, so that the table is fair at any moment.

    `rounds` may be `None`: for ever. `opening(number)` gives the moves; `done` maps the ids of finished games to their
    opening moves, so that a pair keeps its opening.
    """
    for number in count() if rounds is None else range(rounds):
        for one, other in meetings:
            pair = pair_name(one, other, number)
            ids = f"{pair} a", f"{pair} b"
            missing = [name for name in ids if name not in done]
            if not missing:
                continue
            moves = next((done[name] for name in ids if name in done), None)
            moves = opening(number) if moves is None else moves
            for name in missing:
                first, second = (one, other) if name == ids[0] else (other, one)
                yield Job(name, pair, first, second, tuple(moves))
