"""Checks how exactly Connect Four is played and how soon early positions are answered.

    python3 scripts/exact_check.py                        # every opening of two plies at 100 ms a move; 500 positions
    python3 scripts/exact_check.py --movetime 1000 --threads 2 --positions 0

Two engines play from each of the 49 openings of two plies; the result has to be that of exact play. Then random positions of at
most 13 plies are solved with the opening table. Exit code 1 when a game ends otherwise, or when one position in twenty takes
more than half a second. The figures hold only on a machine that is otherwise idle.
"""

import argparse
import random
import subprocess
import sys

from progress import Progress
from referee import VARIANTS, Board, IllegalMove, random_board
from uci_engine import Engine, EngineError, add_engine_argument

#: What exact play comes to for the side to move, who is the first player after two plies.
RESULTS = {"win": "x", "loss": "o", "draw": "draw"}
#: How long past its time a bestmove is waited for, in seconds.
PATIENCE = 10
MOST_PLIES = 13
#: The limit for 95 of 100 positions, in milliseconds.
LIMIT = 500


def solved(command, positions):
    """For each string of columns: win, draw or loss of the side to move, and how many milliseconds it took."""
    reply = subprocess.run([*command, "solve"], input="\n".join(positions) + "\n", text=True, capture_output=True, check=True)
    words = [line.split(": ")[1].split() for line in reply.stdout.splitlines()]
    return [(each[0], float(each[each.index("ms") + 1])) for each in words]


def start(args):
    """A process for one side."""
    engine = Engine(args.engine)
    engine.handshake()
    engine.set_options({"UCI_Variant": "cfour", "Move Format": "plain", "Threads": args.threads})
    return engine


def play(engines, opening, movetime):
    """Play a game from some moves on; return the winner or "draw", and the moves."""
    board = Board(VARIANTS["cfour"])
    for column in opening:
        board.play(next(move for move in board.legal_moves() if move[0] == "abcdefg"[int(column) - 1]))
    for engine in engines:
        engine.send("ucinewgame")
    while board.result is None:
        engine = engines[len(board.moves) % 2]
        engine.send("position startpos moves " + " ".join(board.moves))
        engine.send(f"go movetime {movetime}")
        board.play(engine.read_until("bestmove", movetime / 1000 + PATIENCE)[-1].text.split()[1])
    return board.result, board.moves


def check_games(args):
    """Play from each opening; return how many games ended otherwise than exact play."""
    openings = [first + second for first in "1234567" for second in "1234567"]
    wanted = [RESULTS[value] for value, _ in solved(args.engine, openings)]
    engines = [start(args), start(args)]
    progress, wrong = Progress("openings", len(openings)), []
    for number, (opening, result) in enumerate(zip(openings, wanted)):
        progress.show(number, f"{len(wrong)} wrong")
        found, moves = play(engines, opening, args.movetime)
        if found != result:
            wrong.append(f"  {opening}: {result} with exact play, {found} here: {' '.join(moves)}")
    progress.close()
    for engine in engines:
        engine.quit()
    print(f"{len(openings) - len(wrong)} of {len(openings)} openings end at {args.movetime} ms a move as with exact play", *wrong, sep="\n")
    return len(wrong)


def check_times(args):
    """Solve random positions; return whether that takes too long."""
    dice = random.Random(args.seed)
    positions = []
    while len(positions) < args.positions:
        board = random_board(VARIANTS["cfour"], dice.randint(0, MOST_PLIES), dice)
        positions.append("".join(str("abcdefg".index(move[0]) + 1) for move in board.moves))
    if not positions:
        return False
    times = sorted(time for _, time in solved(args.engine, positions))
    most = times[len(times) * 95 // 100]
    print(f"{len(times)} positions solved with all best moves: median {times[len(times) // 2]:.1f} ms, 95 % within {most:.1f} ms, at most {times[-1]:.1f} ms")
    return most > LIMIT


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_engine_argument(parser)
    parser.add_argument("--movetime", type=int, default=100, help="milliseconds a move (default: %(default)s)")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--positions", type=int, default=500, help="how many are solved (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    try:
        wrong, late = check_games(args), check_times(args)
    except (EngineError, IllegalMove) as error:
        sys.exit(f"exact_check: {error}")
    sys.exit(bool(wrong or late))


if __name__ == "__main__":
    main()
