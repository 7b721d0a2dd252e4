"""One game, from a job to a record. Engines stay alive from game to game, until one of them does something wrong."""

import time
from dataclasses import asdict, dataclass
from datetime import datetime, timezone

from arena import adjudicate
from arena.game import Game
from arena.gomocup import GomocupPlayer
from arena.judge import Judge, JudgedBoard
from arena.player import Settings
from arena.process import Fault
from arena.specs import EngineSpec
from arena.uci import UciPlayer
from referee import IllegalMove
from uci_engine import EngineError

PLAYERS = {"uci": UciPlayer, "gomocup": GomocupPlayer}


@dataclass(frozen=True)
class Job:
    """A game to be played."""

    id: str
    pair: str
    first: str
    second: str
    opening: tuple


@dataclass(frozen=True)
class Terms:
    """What all games have in common."""

    game: Game
    engines: tuple
    settings: Settings
    adjudication: adjudicate.Rules
    judge: tuple | None = None

    def engine(self, name):
        """The engine of a name."""
        return next(engine for engine in self.engines if engine.name == name)

    def to_json(self):
        """As plain values."""
        return {"game": asdict(self.game), "engines": [asdict(engine) for engine in self.engines],
                "settings": self.settings._asdict(), "adjudication": self.adjudication._asdict(),
                "judge": self.judge and list(self.judge)}

    @classmethod
    def from_json(cls, values):
        """From plain values."""
        return cls(Game(**values["game"]), tuple(EngineSpec.from_json(engine) for engine in values["engines"]),
                   Settings(**values["settings"]), adjudicate.Rules(**values["adjudication"]),
                   values["judge"] and tuple(values["judge"]))


class Table:
    """Where games are played, one at a time: it keeps the processes of the engines that played last."""

    def __init__(self, terms):
        """No engine is started yet."""
        self.terms = terms
        self.players = {}
        self.judge = None

    def play(self, job):
        """Play a game; return its record, whatever the engines do."""
        began, moment = datetime.now(timezone.utc), time.perf_counter()
        self._seat(job)
        judge, notes = self._find_judge()
        board = JudgedBoard(self.terms.game.rules, judge)
        for move in job.opening:
            board.play(move)
        game = _Game(self.terms, board, [self.players[job.first], self.players[job.second]])
        result, reason, detail, loser = game.play()
        record = {
            "id": job.id, "pair": job.pair, "first": job.first, "second": job.second, "opening": len(job.opening),
            "moves": " ".join(board.moves), "ms": game.ms, "scores": game.scores, "result": result, "reason": reason,
            "began": began.isoformat(timespec="seconds"), "seconds": round(time.perf_counter() - moment, 3),
        }
        notes += board.notes + self._clear(game, loser, record)
        optional = {"detail": detail, "loser": loser, "notes": notes, "log": game.log}
        return {**record, **{key: value for key, value in optional.items() if value}}

    def _seat(self, job):
        """Keep the engines of a job alive, and end the others."""
        for name in list(self.players):
            if name not in (job.first, job.second):
                self.players.pop(name).close()
        for name in (job.first, job.second):
            if name not in self.players:
                spec = self.terms.engine(name)
                self.players[name] = PLAYERS[spec.protocol](spec, self.terms.settings)

    def _find_judge(self):
        """The judge, in games that need one, and notes; where it cannot be started, the referee does without."""
        if self.terms.judge is None or self.terms.game.rules.overline != "renju":
            return None, []
        if self.judge is None or self.judge.engine.process.poll() is not None:
            try:
                self.judge = Judge(self.terms.judge, self.terms.game)
            except EngineError as error:
                return None, [f"no judge ({error}); the definitions alone decide"]
        return self.judge, []

    def _clear(self, game, loser, record):
        """End an engine that broke a rule, and look whether the others said too much at the end; return notes."""
        notes = []
        for player in game.players:
            if record["reason"] in FORFEITS and player.name == loser:
                player.kill()
                continue
            try:
                if player.engine:
                    player.finish()
            except EngineError as error:
                notes.append(f"{player.name}, after the end: {error}")
                player.kill()
        return notes

    def close(self):
        """End all engines."""
        for player in self.players.values():
            player.close()
        if self.judge:
            self.judge.close()

    def kill(self):
        """End all engines at once, so that a game in progress comes to its end too."""
        for player in list(self.players.values()):
            if player.engine:
                player.engine.kill()


#: The reasons for which an engine loses a game that its stones had not lost.
FORFEITS = frozenset(
    ("start", "exit", "closed", "hang", "late", "illegal", "garbage", "flood", "newline", "twice", "unasked", "deaf",
     "refused")
)


class _Game:
    """The course of one game."""

    def __init__(self, terms, board, players):
        self.terms, self.board, self.players = terms, board, players
        self.ms = []
        self.scores = []
        self.log = []

    def play(self):
        """The result (`x`, `o`, `draw`), the reason, a detail and the loser's name."""
        mover = 0
        try:
            for mover, player in enumerate(self.players):
                player.prepare(self.terms.game)
            called = None
            while not self.board.result and not called:
                mover = len(self.board.played) % 2
                self._move(self.players[mover])
                called = adjudicate.verdict(self.terms.adjudication, [None] * self._opening + self.scores)
        except Fault as fault:
            player = self.players[mover]
            self.log = player.engine.log() if player.engine else []
            if player.engine and player.engine.stderr_text:
                self.log.append("stderr: " + player.engine.stderr_text[-300:])
            return "ox"[mover], fault.kind, str(fault), player.name
        if self.board.result:
            called = self.board.result, self._natural_end()
        result, reason = called
        loser = None if result == "draw" else self.players["ox".index(result)].name
        return result, reason, None, loser

    def _move(self, player):
        clocks = [(one.left, one.spec.limits.increment) for one in self.players]
        answer = player.choose(self.board, clocks)
        try:
            self.board.play(answer.move)
        except IllegalMove as error:
            is_move = not str(error).endswith("is no move")
            raise Fault("illegal" if is_move else "garbage", str(error)[:200]) from error
        self.ms.append(answer.ms)
        self.scores.append(answer.score)

    @property
    def _opening(self):
        return len(self.board.played) - len(self.scores)

    def _natural_end(self):
        if self.board.winner:
            return "line"
        cells = self.board.rules.columns * self.board.rules.rows
        return "full board" if len(self.board.played) == cells else "no legal move"
