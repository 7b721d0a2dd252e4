"""An engine that speaks inarow's UCI dialect."""

import re

from arena.player import MATE, EnginePlayer
from arena.process import Fault
from uci_engine import EngineError


class UciPlayer(EnginePlayer):
    """`position`, `go`, `bestmove`."""

    farewell = "quit"

    def greet(self, game):
        """The handshake, and the options."""
        self.until("uci", "uciok")
        for name, value in {**game.uci_options(), **self.spec.options}.items():
            self.engine.send(f"setoption name {name} value {value}")

    def begin(self, game):
        """A new game."""
        self.engine.send("ucinewgame")
        self.until("isready", "readyok")

    def until(self, question, answer, since=None):
        """Ask, and read on to the answer; a move on the way is one too many, from before or after a moment."""
        sent = self.engine.send(question)
        try:
            lines = self.engine.read_until(answer, self.settings.start / 1000)
        except Fault:
            raise
        except EngineError as error:
            kind = "hang" if self.asked else "start"
            raise Fault(kind, f"no '{answer}' to '{question}' within {self.settings.start / 1000:g} s") from error
        self.look_for_surplus(lines, since or sent)
        for line in lines:
            if line.text.startswith("info string error"):
                raise Fault("refused", line.text.removeprefix("info string ")[:200])

    def ask(self, board, clocks):
        """Send position and limits; return the moment, and what reads the answer."""
        sent = self.engine.send("position startpos" + (" moves " + " ".join(board.moves) if board.moves else ""))
        # A move that comes before this answer was not asked for.
        self.until("isready", "readyok", sent)
        return self.engine.send(self.go_line(clocks)), self.read_answer

    def go_line(self, clocks):
        """The `go` with all limits; the clock of a side that has none is not told."""
        limits, words = self.spec.limits, ["go"]
        if limits.clock:
            for name, (left, increment) in zip("wb", clocks):
                if left is not None:
                    words += [f"{name}time {left:.0f}", f"{name}inc {increment}"]
        words += [f"{name} {getattr(limits, name)}" for name in ("movetime", "nodes", "depth") if getattr(limits, name)]
        return " ".join(words)

    def read_answer(self, end):
        """The moment, the move and the score, read before the moment `end`."""
        score = strange = None
        while line := self.engine.read_line(end - self.now()):
            words = line.text.split()
            if words[:1] == ["info"]:
                score = read_score(words, score)
            elif words[:1] == ["bestmove"]:
                if len(words) < 2:
                    raise Fault("garbage", "a bestmove without a move")
                return line.time, words[1][:40], score
            elif words:
                strange = line.text
        raise self.silence(strange)

    def settle(self):
        """Look for a second answer, which the engine would have written before it answers this."""
        self.until("isready", "readyok", float("inf"))

    def finish(self):
        """Raise `Fault` if the engine has said too much since its last answer."""
        self.look_for_surplus(self.engine.waiting_lines())

    @staticmethod
    def is_move(text):
        """Whether a line is an answer to `go`."""
        return text.startswith("bestmove")


def read_score(words, score):
    """The score of an info line's words; the last one if it has none, or that of a lesser line of MultiPV."""
    if "score" not in words or ("multipv" in words and words[words.index("multipv") + 1:][:1] != ["1"]):
        return score
    kind, value = (words[words.index("score") + 1:] + ["", ""])[:2]
    if not re.fullmatch(r"-?[0-9]{1,9}", value) or kind not in ("cp", "mate"):
        return score
    number = max(-MATE, min(MATE, int(value)))
    if kind == "cp":
        return max(-MATE // 2, min(MATE // 2, number))
    return MATE - number if number > 0 else -MATE - number
