"""Drives the engine through pygomo-lib, a library for Gomocup engines, in games against itself.

    pip install pygomo-lib
    python3 scripts/pygomo_check.py                       # one game each: freestyle, standard, renju, freestyle 20x20

Each side is a process of its own, and takes its fourth move back once, with the move before it, to be asked again. A
referee of ours checks that every move is legal, in renju that it is no foul, and calls the result; checked as well are
the time of every answer, that nothing but the answers is said, and that the engine ends when told to. Exit code 1 when
there is a fault, 2 when the library is missing. The times hold only on a machine that is otherwise idle.
"""

import argparse
import sys
import time

from players import Forfeit, play_game
from referee import VARIANTS, Board, Rules
from uci_engine import EngineError, add_engine_argument

try:
    from pygomo import EngineClient
    from pygomo.transport import TransportError
except ImportError:
    EngineClient = None

#: The games: name, Gomocup's number of the rule, the referee's rules.
GAMES = (
    ("freestyle", 0, VARIANTS["gomokufreestyle"]),
    ("standard", 1, VARIANTS["gomoku"]),
    ("renju", 4, VARIANTS["renju"]),
    ("freestyle", 0, Rules(20, 20, 5)),
)
#: Every engine takes this move of its own back.
TAKEN_BACK = 4
#: How many seconds past its time an answer is waited for.
PATIENCE = 10


class LibraryPlayer:
    """The engine as the library sees it; a player for `play_game`."""

    def __init__(self, name: str, args: argparse.Namespace, rule: int, rules: Rules):
        """Start the process."""
        self.name, self.args, self.rule, self.rules = name, args, rule, rules
        self.slowest = 0.0
        self.client = EngineClient(args.engine[0], args=args.engine[1:])
        self.client.connect()

    def new_game(self) -> None:
        """Choose the board, the rule and the time."""
        if not self.client.start(self.rules.columns, timeout=PATIENCE):
            raise EngineError(f"{self.name}: no OK to START")
        self.client.configure(timeout_turn=self.args.turn_time, timeout_match=0, rule=self.rule)

    def choose(self, board: Board) -> str:
        """A move for the side to move; once a game, the second thought after one that was taken back."""
        move = self._answer(board)
        if len(board.played) // 2 + 1 != TAKEN_BACK:
            return move
        board.play(move)
        for stone in reversed(board.moves[-2:]):
            if not self.client.takeback(stone, timeout=PATIENCE):
                raise EngineError(f"no OK to TAKEBACK of {stone}")
        board.take_back()
        return self._answer(board)

    def _answer(self, board: Board) -> str:
        """Tell the last move; return the engine's, and keep the longest time of all."""
        timeout = self.args.turn_time / 1000 + PATIENCE
        start = time.perf_counter()
        result = self.client.turn(board.moves[-1], timeout=timeout) if board.played else self.client.begin(timeout)
        if result is None:
            raise EngineError(f"no move within {timeout:g} s, but {self._unread() or 'nothing'}")
        self.slowest = max(self.slowest, (time.perf_counter() - start) * 1000)
        return str(result.move)

    def _unread(self) -> list[str]:
        """What the engine said that belongs to no answer."""
        return [line for channel in ("coord", "output", "error") for line in self.client.router.get_all(channel)]

    def close(self) -> list[str]:
        """End the engine; return its faults."""
        faults = [] if self.client.is_connected else ["ended by itself"]
        self.client.execute("END")
        end = time.monotonic() + PATIENCE
        while self.client.is_connected and time.monotonic() < end:
            time.sleep(0.01)
        if self.client.is_connected:
            faults.append("did not end when told to")
        faults += [f"said unasked: '{line}'" for line in self._unread()]
        if self.slowest > self.args.turn_time + self.args.tolerance:
            faults.append(f"took {self.slowest:.0f} ms")
        self.client.disconnect()
        return [f"{self.name}: {fault}" for fault in faults]


def check_game(args: argparse.Namespace, name: str, rule: int, rules: Rules) -> int:
    """Play one game and print a line on it; return the number of faults."""
    players, faults, outcome = [], [], "broken off"
    try:
        for side in "xo":
            players.append(LibraryPlayer(side, args, rule, rules))
        board = play_game(rules, *players)
        outcome = f"result {board.result} after {len(board.played)} moves"
    except (EngineError, Forfeit, TransportError) as error:
        faults.append(str(error))
    for player in players:
        faults += player.close()
        outcome += f", {player.name} at most {player.slowest:.0f} ms"
    print("; ".join([f"{name} {rules.columns}x{rules.rows}: {outcome}", *(faults or ["no faults"])]), flush=True)
    return len(faults)


def read_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_engine_argument(parser)
    parser.add_argument("--turn-time", type=int, default=50, help="ms a move (default: %(default)s)")
    parser.add_argument("--tolerance", type=float, default=100, help="ms of lateness allowed (default: %(default)s)")
    return parser.parse_args()


def main() -> int:
    """Play all games; return the exit code."""
    args = read_arguments()
    if EngineClient is None:
        print("pygomo-lib is not installed; type: pip install pygomo-lib", file=sys.stderr)
        return 2
    return 1 if sum(check_game(args, *game) for game in GAMES) else 0


if __name__ == "__main__":
    sys.exit(main())
