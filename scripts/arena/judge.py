"""The referee's board, where an engine is asked for renju's forbidden points.

The engine's word counts (`forbidden`, a command of inarow); what the definitions of the rules say of each stone that is
played is compared with it, and a difference is noted. Without an engine the definitions alone decide.
"""

from referee import Board, IllegalMove, name_of
from uci_engine import Engine, EngineError


class Judge:
    """An engine that knows the forbidden points, and what an opening is worth."""

    def __init__(self, command, game):
        """Start the engine."""
        self.engine = Engine(list(command))
        self.engine.handshake()
        self.engine.set_options({**game.uci_options(), "Move Overhead": 0})

    def forbidden(self, moves):
        """The names of the points that Black must not play on."""
        self._show(moves)
        self.engine.send("forbidden")
        return set(self._read("forbidden").split()[1:])

    def score(self, moves, nodes):
        """What the side to move thinks of a position, in hundredths; `None` when the game is proven or over."""
        self._show(moves)
        self.engine.send(f"go nodes {nodes}")
        lines = self.engine.read_until("bestmove", 60)
        for line in reversed(lines):
            words = line.text.split()
            if "score" in words:
                kind, number = words[words.index("score") + 1:][:2]
                return int(number) if kind == "cp" else None
        return None

    def _show(self, moves):
        self.engine.send("position startpos" + (" moves " + " ".join(moves) if moves else ""))

    def _read(self, word):
        for line in self.engine.read_until(word, 10):
            if line.text.startswith("info string error"):
                raise EngineError(line.text)
        return line.text

    def close(self):
        """End the engine."""
        self.engine.kill()


class JudgedBoard(Board):
    """A board whose forbidden points are asked of a judge; `None`: found by the definitions alone."""

    def __init__(self, rules, judge=None):
        super().__init__(rules)
        self.judge = judge if rules.overline == "renju" else None
        self.notes = []
        self._asked = None, set()

    def _is_foul(self, square):
        if self.judge is None or self.side != "x":
            return super()._is_foul(square)
        if self._asked[0] != len(self.played):
            try:
                self._asked = len(self.played), self.judge.forbidden(self.moves)
            except EngineError as error:
                self.judge.close()  # what it still has to say belongs to no other game
                self.notes.append(f"the judge failed ({error}); the definitions alone decide from here")
                self.judge = None
                return super()._is_foul(square)
        return name_of(square) in self._asked[1]

    def play(self, text):
        """Play a move; what the two say of a stone of Black is compared."""
        if self.judge and self.side == "x" and not self.result:
            self._compare(text)
        super().play(text)

    def _compare(self, text):
        try:
            square = self._read(text)
        except IllegalMove:
            return  # `play` says so
        if self._is_inside(square) and square not in self.stones and self._is_foul(square) != super()._is_foul(square):
            self.notes.append(f"the judge and the definitions differ on {text} after: {' '.join(self.moves)}")
