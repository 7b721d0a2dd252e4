"""What a game needs of an engine, whatever its protocol (`uci` and `gomocup` say how)."""

import time
from typing import NamedTuple

from arena.process import Fault, GuardedEngine


class Answer(NamedTuple):
    """A move, when it was there, and what the engine thought of it (hundredths, for itself; `None`: not said)."""

    move: str
    ms: float
    score: int | None


class Settings(NamedTuple):
    """How patient the referee is, in milliseconds."""

    #: A move may come so much after its time.
    tolerance: float = 100
    #: After its time and the tolerance, a move is waited for so long, to tell a late engine from one that hangs.
    grace: float = 1000
    #: Where time is no limit (nodes, depth), a move is waited for so long.
    patience: float = 60000
    #: Starting and getting ready may take so long.
    start: float = 10000


#: A won or lost score in hundredths; nearer ones are nearer to it.
MATE = 100000


class EnginePlayer:
    """One engine process and its clock."""

    def __init__(self, spec, settings):
        """Nothing is started yet."""
        self.spec, self.settings = spec, settings
        self.name = spec.name
        self.engine = None
        self.left = spec.limits.clock
        self.asked = False
        self.answered = float("-inf")

    def prepare(self, game):
        """A new game: start the process where there is none, and set up the game."""
        self.left, self.asked = self.spec.limits.clock, False
        if self.engine is None:
            self.engine = GuardedEngine(list(self.spec.command), self.spec.directory)
            self.greet(game)
        self.begin(game)

    def choose(self, board, clocks):
        """The engine's `Answer`; raises `Fault` for one that is late, twice or none. `clocks` are both sides' times."""
        self.look_for_surplus(self.engine.waiting_lines())
        limit = self.spec.limits.for_move(self.left)
        waits = limit is not None and self.engine.waits()
        start, read_answer = self.ask(board, clocks)
        wait = self.settings.patience if limit is None else limit + self.settings.tolerance + self.settings.grace
        moment, move, score = read_answer(start + wait / 1000)
        self.asked, self.answered = True, moment
        ms = (moment - start) * 1000
        if limit is not None and ms > limit + self.settings.tolerance:
            raise self.lateness(ms, limit, move, waits)
        self.settle()
        if self.left is not None:
            self.left = max(self.left - ms, 0) + self.spec.limits.increment
        return Answer(move, round(ms, 1), score)

    def lateness(self, ms, limit, move, waits):
        """The `Fault` of a move that took `ms`; `waits` are those from before.

        The machine's part is told, so that a slow engine can be told from a busy machine.
        """
        waited = sum(
            max([one - before.get(name, 0) for name, one in after.items()], default=0)
            for before, after in zip(waits, self.engine.waits())
        )
        busy = f"; it and the referee waited {waited:.0f} ms for a processor" if waited >= 1 else ""
        return Fault("late", f"{move} after {ms:.0f} ms; it had {limit:.0f} ms, and"
                             f" {self.settings.tolerance:g} ms more are tolerated{busy}")

    @staticmethod
    def now():
        """The time of the lines."""
        return time.perf_counter()

    def look_for_surplus(self, lines, since=float("inf")):
        """Raise `Fault` if there is a move among lines that nothing had asked for.

        One from before the moment `since` is a second answer to the last question, if there was one in this game.
        """
        for line in lines:
            if self.is_move(line.text):
                if self.asked and line.time < since:
                    raise Fault("twice", f"a second answer: '{line.text[:100]}'")
                raise Fault("unasked", f"'{line.text[:100]}' before it was asked for a move")

    def silence(self, strange):
        """The `Fault` of an engine whose time is up; `strange` is the last line that was not understood."""
        partial = self.engine.partial.decode("utf-8", "replace")[:100]
        if partial:
            return Fault("newline", f"its time is over, and there is only the beginning of a line: '{partial}'")
        if strange is not None:
            return Fault("garbage", f"no move in its time, but '{strange[:100]}'")
        return Fault("hang", "no move in its time, and none soon after")

    def kill(self):
        """End the process at once; the next game starts another."""
        if self.engine:
            self.engine.kill()
            self.engine = None

    def close(self):
        """Ask the engine to end, and make sure that it does."""
        if self.engine:
            try:
                self.engine.send(self.farewell)
                self.engine.process.wait(0.5)
            except Exception:  # whatever is wrong with it, it ends now
                pass
            self.kill()
