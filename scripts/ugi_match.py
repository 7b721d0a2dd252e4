"""Plays a match of an m,n,k game between inarow and another UGI engine.

    python3 scripts/ugi_match.py --opponent "motors --game mnk" --opponent-option MoveOverhead 0
    python3 scripts/ugi_match.py --columns 7 --rows 6 --line 4 \\
        --opponent "motors --game mnk --dont-quit 'variant 6 7 4'"

The sides alternate, and so do openings: each is played twice. A referee of ours checks the moves and calls the result;
of inarow the answers to `query` are checked as well. The opponent must hold the same game when it starts. Exit code 1
when inarow broke a rule, or lost more games than --max-losses.
"""

import argparse
import random
import shlex
import sys

from players import EnginePlayer, Forfeit, play_game
from progress import Progress
from referee import Rules, random_board
from uci_engine import EngineError, add_engine_argument

RESULT_WORDS = {"x": "p1win", "o": "p2win", "draw": "draw", None: "none"}


class CheckedPlayer(EnginePlayer):
    """inarow, asked about every position that it is shown."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.faults = []

    def choose(self, board):
        """A move for the side to move."""
        self.check(board)
        return super().choose(board)

    def check(self, board):
        """Compare what the engine says of a position with the referee's view."""
        self.show(board)
        truth = {
            "gameover": "true" if board.result else "false",
            "result": RESULT_WORDS[board.result],
            "p1turn": "true" if board.side == "x" else "false",
        }
        for question, expected in truth.items():
            answer = self.ask(question)
            if answer != expected:
                self.faults.append(f"query {question}: '{answer}', expected {expected}; moves: {' '.join(board.moves)}")


def play_match(args, rules, ours, theirs):
    """Play all games; return how many were won, drawn and lost, and what each fault was."""
    dice = random.Random(args.seed)
    score, faults = {"won": 0, "drawn": 0, "lost": 0}, []
    progress = Progress("games", args.games)
    opening = ()
    for number in range(args.games):
        we_start = number % 2 == 0
        if we_start:
            opening = random_board(rules, args.opening_plies, dice).moves
        players = (ours, theirs) if we_start else (theirs, ours)
        try:
            board = play_game(rules, *players, opening)
            ours.check(board)
            outcome = "drawn" if board.result == "draw" else "won" if (board.result == "x") == we_start else "lost"
            if outcome == "lost":
                print(f"lost game {number + 1}, {ours.name} as {'x' if we_start else 'o'}: {' '.join(board.moves)}")
        except Forfeit as forfeit:
            outcome = "lost" if forfeit.player is ours else "won"
            faults.append(f"game {number + 1}: {forfeit}")
        score[outcome] += 1
        progress.show(number + 1, f"{score['won']} won, {score['drawn']} drawn, {score['lost']} lost")
        if ours.engine.process.poll() is not None or theirs.engine.process.poll() is not None:
            faults.append("an engine ended; the match is broken off")
            break
    progress.close()
    return score, faults


def read_arguments():
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_engine_argument(parser)
    parser.add_argument("--opponent", required=True, type=shlex.split, metavar="COMMAND", help="the other engine")
    parser.add_argument("--opponent-option", nargs=2, action="append", default=[], metavar=("NAME", "VALUE"))
    parser.add_argument("--option", nargs=2, action="append", default=[], metavar=("NAME", "VALUE"), help="of inarow")
    parser.add_argument("--columns", type=int, default=3, help="(default: %(default)s)")
    parser.add_argument("--rows", type=int, default=3, help="(default: %(default)s)")
    parser.add_argument("--line", type=int, default=3, help="stones in a line (default: %(default)s)")
    parser.add_argument("--games", type=int, default=50, help="(default: %(default)s)")
    parser.add_argument("--movetime", type=int, default=50, help="ms a move (default: %(default)s)")
    parser.add_argument("--opening-plies", type=int, default=0, help="random moves at first (default: %(default)s)")
    parser.add_argument("--max-losses", type=int, default=0, help="that are no fault (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the openings (default: %(default)s)")
    return parser.parse_args()


def main():
    """Play the match; return the exit code."""
    args = read_arguments()
    rules = Rules(args.columns, args.rows, args.line)
    board_options = {"UCI_Variant": "mnk", "Columns": args.columns, "Rows": args.rows, "Line Length": args.line}
    go = f"go movetime {args.movetime}"
    try:
        ours = CheckedPlayer("inarow", args.engine, {**board_options, **dict(args.option)}, go, "ugi")
        theirs = EnginePlayer("opponent", args.opponent, dict(args.opponent_option), go, "ugi")
        score, faults = play_match(args, rules, ours, theirs)
    except EngineError as error:
        print(f"the match cannot go on: {error}")
        return 1
    ours.close()
    theirs.close()
    print("inarow: " + ", ".join(f"{count} {outcome}" for outcome, count in score.items()))
    print("\n".join(["faults:", *faults, *ours.faults]) if faults or ours.faults else "no faults")
    our_faults = ours.faults or any("opponent:" not in fault for fault in faults)
    return 1 if our_faults or score["lost"] > args.max_losses else 0


if __name__ == "__main__":
    sys.exit(main())
