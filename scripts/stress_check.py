"""Sends random bursts of commands to the engine and counts its answers.

    python3 scripts/stress_check.py                       # 10000 bursts
    python3 scripts/stress_check.py --bursts 2000 --seed 7
    python3 scripts/stress_check.py --seed 7 --session 12 # that session again, up to timing

Each session is one process, ended by `quit` or by the end of its input. Checked are: one bestmove for each `go` that
could be read, one readyok for each isready (likewise uciok, ugiok, response), one error line for each line that could
not be carried out, an empty stderr and exit code 0. Exit code 1 when there is a fault; its seed and the last lines of
the conversation are shown.
"""

import argparse
import random
import sys
import time
from collections import Counter

from progress import Progress
from stress_commands import random_command
from uci_engine import Engine, EngineError, add_engine_argument

COUNTED = ("bestmove", "readyok", "uciok", "ugiok", "response")
#: Lines of the transcript that say little about a fault.
SEARCH_REPORTS = ("< info depth", "< info nodes", "< option")
PAUSES = (0, 0, 0, 0.0005, 0.002, 0.01, 0.04)


class Fault(Exception):
    """The engine broke a promise."""


class Session:
    """A conversation with one engine process; counts what is owed and what came."""

    def __init__(self, command, dice, patience):
        self.dice, self.patience = dice, patience
        self.engine = Engine(command)
        self.owed, self.got = Counter(), Counter()
        self.least_errors = self.most_errors = self.errors = 0

    def burst(self):
        """Send a few commands at once, then read for a moment."""
        commands = [random_command(self.dice) for _ in range(self.dice.randint(1, 12))]
        for command in commands:
            self._owe(command)
        if self.dice.random() < 0.5:
            self.engine.send_bytes(b"".join(command.data for command in commands))
        else:
            for command in commands:
                self.engine.send_bytes(command.data)
                self._read_for(self.dice.choice(PAUSES))
        self._read_for(self.dice.choice(PAUSES))

    def settle(self):
        """Stop everything, and check that all that is owed comes, and no more."""
        self.engine.send("stop")
        deadline = time.monotonic() + self.patience
        while self.got != self.owed:
            if time.monotonic() > deadline:
                raise Fault(f"after stop and {self.patience:g} s: {self._missing()}")
            self._read_for(0.05)
        self.owed["readyok"] += 1
        self.engine.send("isready")
        while self.got["readyok"] < self.owed["readyok"]:
            if time.monotonic() > deadline:
                raise Fault("no readyok from an idle engine")
            self._read_for(0.05)
        self._check_errors()

    def finish(self):
        """End the process in one of the ways that there are."""
        way = self.dice.choice(("quit", "settle and quit", "end of input"))
        if way == "settle and quit":
            self.settle()
        if way == "end of input":
            self.engine.close_input()
        else:
            self.engine.send("quit")
        try:
            code = self.engine.wait(self.patience)
        except EngineError as error:
            self._read_rest()
            raise Fault(f"{way}: {error}") from error
        self._read_rest()
        if code != 0:
            raise Fault(f"exit code {code} after {way}")
        if way != "quit":  # `quit` drops what waits
            if self.got != self.owed:
                raise Fault(f"after {way}: {self._missing()}")
            self._check_errors()
        if self.engine.stderr_text:
            raise Fault(f"stderr: {self.engine.stderr_text[:500]!r}")

    def _owe(self, command):
        self.owed.update(command.replies)
        self.least_errors += command.errors[0]
        self.most_errors += command.errors[1]

    def _read_for(self, seconds):
        """Count the lines that come within some time."""
        end = time.perf_counter() + seconds
        while (line := self.engine.read_line(end - time.perf_counter())) is not None:
            self._count(line.text)

    def _read_rest(self):
        """Count the lines up to the end of the output."""
        try:
            while (line := self.engine.read_line(1)) is not None:
                self._count(line.text)
        except EngineError:
            pass  # the end

    def _count(self, text):
        word = text.partition(" ")[0]
        if word in COUNTED:
            self.got[word] += 1
            if self.got[word] > self.owed[word]:
                raise Fault(f"a '{word}' too many")
        self.errors += text.startswith("info string error")

    def _missing(self):
        return "missing: " + ", ".join(f"{count} {word}" for word, count in (self.owed - self.got).items())

    def _check_errors(self):
        if not self.least_errors <= self.errors <= self.most_errors:
            raise Fault(f"{self.errors} error lines, expected {self.least_errors} to {self.most_errors}")


def run_session(args, number, bursts):
    """Run one session; return a description of its fault, or nothing."""
    dice = random.Random(f"{args.seed} {number}")
    session = Session(args.engine, dice, args.patience)
    try:
        for _ in range(bursts):
            session.burst()
            if dice.random() < 0.15:
                session.settle()
        session.finish()
    except (Fault, EngineError) as error:
        session.engine.kill()
        lines = [line for line in session.engine.transcript if not line.startswith(SEARCH_REPORTS)]
        tail = "\n    ".join(lines[-args.tail:])
        stderr = session.engine.stderr_text[:500]
        return f"--seed {args.seed} --session {number}: {error}; stderr {stderr!r}; the last lines:\n    {tail}"
    finally:
        session.engine.kill()
    return None


def read_arguments():
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_engine_argument(parser)
    parser.add_argument("--bursts", type=int, default=10000, help="how many in all (default: %(default)s)")
    parser.add_argument("--bursts-a-session", type=int, default=100, help="(default: %(default)s)")
    parser.add_argument("--patience", type=float, default=20, help="seconds for an answer (default: %(default)s)")
    parser.add_argument("--tail", type=int, default=40, help="lines shown on a fault (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="(default: the time)")
    parser.add_argument("--session", type=int, metavar="N", help="run only this one")
    return parser.parse_args()


def main():
    """Run the sessions; return the exit code."""
    args = read_arguments()
    total = max(1, args.bursts // args.bursts_a_session)
    numbers = range(total) if args.session is None else [args.session]
    progress = Progress(f"seed {args.seed}, sessions", len(numbers))
    faults = []
    for done, number in enumerate(numbers):
        progress.show(done, f"{len(faults)} faults")
        fault = run_session(args, number, args.bursts_a_session)
        if fault:
            progress.close()
            print(fault, flush=True)
            faults.append(fault)
    progress.close()
    print(f"seed {args.seed}: {len(numbers)} sessions of {args.bursts_a_session} bursts, {len(faults)} with faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
