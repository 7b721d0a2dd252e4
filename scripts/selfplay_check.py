"""Checks self-play with an independent referee.

    python3 scripts/selfplay_check.py                     # 1000 games of every variant at 20 ms a move
    python3 scripts/selfplay_check.py --games 50 --variants caro cfour

Games start with a few random moves, so that they differ. Checked are: every move and every pv is legal; each `go` has
exactly one bestmove, within its time; `query gameover` and `query result` agree with the referee, and a finished game
has no bestmove; the engine writes nothing to stderr and ends with exit code 0. Exit code 1 when there is a fault.

Other work on the machine makes moves late; on Linux, root takes most of that out by

    chrt -r 10 taskset -c 0 python3 scripts/selfplay_check.py --engine "taskset -c 1 target/release/inarow"
"""

import argparse
import random
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from progress import Progress
from referee import VARIANTS, IllegalMove, random_board
from uci_engine import Engine, EngineError, add_engine_argument

RESULT_WORDS = {"x": "p1win", "o": "p2win", "draw": "draw"}
#: How long past its time a bestmove is waited for, in seconds.
PATIENCE = 10
#: Of the late moves of a variant, so many are listed, the latest first.
SHOWN_OVERRUNS = 3
#: After so many broken engines, the rest of the games is left out.
MOST_BROKEN = 5


class Tally:
    """What the games of one variant came to; filled by several threads."""

    def __init__(self):
        self.lock = threading.Lock()
        self.results = {"x": 0, "o": 0, "draw": 0}
        self.lateness = []
        self.overruns = []
        self.faults = []

    @property
    def games(self):
        """How many games were finished."""
        return sum(self.results.values())


class Worker:
    """Plays games with one engine process."""

    def __init__(self, args, variant, tally):
        self.args, self.variant, self.tally = args, variant, tally
        self.engine = Engine(args.engine)
        self.engine.handshake()
        self.engine.set_options({"UCI_Variant": variant, **dict(args.option)})

    def play(self, number):
        """Play one game; its random opening depends on the seed and the number only."""
        dice = random.Random(f"{self.args.seed} {self.variant} {number}")
        board = random_board(VARIANTS[self.variant], dice.randint(0, self.args.opening_plies), dice)
        self.engine.send("ucinewgame")
        self.engine.ready()
        while not board.result:
            self._play_move(board)
        self._check_end(board)
        with self.tally.lock:
            self.tally.results[board.result] += 1

    def close(self):
        """End the engine and check how it went."""
        try:
            code = self.engine.quit()
            if code != 0:
                self._fault(f"exit code {code}")
        finally:
            self.engine.kill()
        if self.engine.stderr_text:
            self._fault(f"stderr: {self.engine.stderr_text[:300]!r}")

    def _play_move(self, board):
        lines, lateness = self._go(board)
        for text in {line.text.partition(" pv ")[2] for line in lines if " pv " in line.text}:
            self._check_pv(board, text)
        with self.tally.lock:
            self.tally.lateness.append(lateness)
            if lateness > self.args.tolerance:
                self.tally.overruns.append((lateness, position_command(board)))
        move = lines[-1].text.split()[1]
        try:
            board.play(move)
        except IllegalMove as error:
            raise EngineError(f"illegal bestmove: {error}; {position_command(board)}") from error

    def _go(self, board):
        """The lines up to the bestmove of a search, and how many ms past its time it came."""
        self.engine.send(position_command(board))
        start = self.engine.send(f"go movetime {self.args.movetime}")
        lines = self.engine.read_until("bestmove", self.args.movetime / 1000 + PATIENCE)
        for line in lines:
            if line.text.startswith("info string error"):
                self._fault(f"{line.text}; {position_command(board)}")
        if any(line.text.startswith("bestmove") for line in self.engine.ready()):
            self._fault(f"a second bestmove; {position_command(board)}")
        return lines, (lines[-1].time - start) * 1000 - self.args.movetime

    def _check_pv(self, board, text):
        """Play a pv to its end and take it back."""
        before = len(board.played)
        try:
            for move in text.split():
                board.play(move)
        except IllegalMove as error:
            number = len(board.played) - before + 1
            self._fault(f"illegal pv '{text}', move {number}: {error}; {position_command(board, before)}")
        while len(board.played) > before:
            board.take_back()

    def _check_end(self, board):
        lines, _ = self._go(board)
        if lines[-1].text != "bestmove (none)":
            self._fault(f"'{lines[-1].text}' after the end of the game; {position_command(board)}")
        for question, expected in (("gameover", "true"), ("result", RESULT_WORDS[board.result])):
            self.engine.send(f"query {question}")
            answer = self.engine.read_until("response", 10)[-1].text
            if answer != f"response {expected}":
                self._fault(f"query {question}: '{answer}', expected {expected}; {position_command(board)}")

    def _fault(self, text):
        with self.tally.lock:
            self.tally.faults.append(text)


def position_command(board, plies=None):
    """The `position` line of a board, or of its first `plies` moves."""
    moves = board.moves[:plies]
    return "position startpos" + (" moves " + " ".join(moves) if moves else "")


def play_share(args, variant, tally, numbers, progress):
    """Play numbered games with one engine; a broken engine is noted and replaced."""
    worker, broken = None, 0
    for number in numbers:
        if broken == MOST_BROKEN:
            break
        try:
            worker = worker or Worker(args, variant, tally)
            worker.play(number)
        except EngineError as error:
            worker = abandon(worker, tally, f"game {number}: {error}")
            broken += 1
        progress.show(tally.games, f"{len(tally.faults)} faults, {len(tally.overruns)} late")
    if worker:
        try:
            worker.close()
        except EngineError as error:
            abandon(worker, tally, str(error))


def abandon(worker, tally, text):
    """Note a fault after which an engine cannot go on."""
    if worker:
        code = worker.engine.process.poll()
        worker.engine.kill()
        text += f"; exit code {'none yet' if code is None else code}, stderr {worker.engine.stderr_text[:300]!r}"
    with tally.lock:
        tally.faults.append(text)


def check_variant(args, variant):
    """Play all games of a variant."""
    tally = Tally()
    progress = Progress(variant, args.games)
    with ThreadPoolExecutor(args.concurrency) as pool:
        shares = [range(first, args.games, args.concurrency) for first in range(args.concurrency)]
        for done in [pool.submit(play_share, args, variant, tally, share, progress) for share in shares]:
            done.result()
    progress.close()
    return tally


def row(variant, tally):
    """One line of the table."""
    late = sorted(tally.lateness) or [float("nan")]
    results = tally.results
    return (
        f"{variant:16} {tally.games:6} {len(tally.lateness):8} {results['x']:7} {results['o']:7} {results['draw']:7}"
        f" {len(tally.faults):7} {len(tally.overruns):6} {late[int(0.999 * (len(late) - 1))]:9.1f} {late[-1]:8.1f}"
    )


def read_arguments():
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_engine_argument(parser)
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=list(VARIANTS), metavar="VARIANT",
                        help="some of %(choices)s (default: all)")
    parser.add_argument("--games", type=int, default=1000, help="games a variant (default: %(default)s)")
    parser.add_argument("--movetime", type=int, default=20, help="ms a move (default: %(default)s)")
    parser.add_argument("--tolerance", type=float, default=30, help="ms of lateness allowed (default: %(default)s)")
    parser.add_argument("--allow-late", type=int, default=0, metavar="N", help="overruns a variant that are no fault")
    parser.add_argument("--opening-plies", type=int, default=4, help="random, at most (default: %(default)s)")
    parser.add_argument("--concurrency", type=int, default=1, help="games at a time (default: %(default)s)")
    parser.add_argument("--option", nargs=2, action="append", default=[], metavar=("NAME", "VALUE"))
    parser.add_argument("--seed", type=int, default=1, help="of the openings (default: %(default)s)")
    return parser.parse_args()


def main():
    """Check all variants; return the exit code."""
    args = read_arguments()
    sys.setswitchinterval(0.0005)  # so that arriving lines get their time at once
    began = time.monotonic()
    print("variant           games    moves  x wins  o wins   draws  faults   late  99.9 % ms   max ms", flush=True)
    complaints = []
    for variant in args.variants:
        tally = check_variant(args, variant)
        print(row(variant, tally), flush=True)
        complaints += [f"{variant}: {fault}" for fault in tally.faults]
        if len(tally.overruns) > args.allow_late:
            worst = sorted(tally.overruns, reverse=True)[:SHOWN_OVERRUNS]
            complaints += [f"{variant}: {lateness:.1f} ms late: {position}" for lateness, position in worst]
    print(f"'late': more than {args.tolerance:g} ms past movetime. {time.monotonic() - began:.0f} s in all.")
    print("\n".join(["faults:", *complaints]) if complaints else "no faults")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
