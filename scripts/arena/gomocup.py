"""An engine that speaks the Gomocup (Piskvork) protocol."""

import re
import time

from arena.player import MATE, EnginePlayer
from arena.process import Fault
from referee import name_of

#: What is told as a time where time is no limit: the greatest that all engines read.
ENDLESS = 2147483647
#: So many seconds after its answer, an engine is left in peace: there are such as are not ready for the next command at
#: the moment when they print a move. No clock runs meanwhile.
PEACE = 0.01
#: So many seconds the answer to `ABOUT` is waited for; an engine that has none plays nevertheless.
ABOUT = 2
#: The lines that an engine may say at any time.
ASIDES = ("MESSAGE", "DEBUG")


class GomocupPlayer(EnginePlayer):
    """`START`, `BEGIN`, `TURN`, `BOARD`. The column comes first, the row counts from the top, both from 0."""

    farewell = "END"

    def greet(self, game):
        """The protocol has no handshake: `START` of the first game is one."""
        self.rule = game.gomocup_rule()

    def begin(self, game):
        """A new game."""
        rules = game.rules
        self.columns, self.rows, self.known = rules.columns, rules.rows, []
        square = rules.columns == rules.rows
        command = f"START {rules.columns}" if square else f"RECTSTART {rules.columns},{rules.rows}"
        self.engine.send(command)
        self.until_ok(command)
        for name, value in self.infos().items():
            self.engine.send(f"INFO {name} {value}")
        self.meet()

    def meet(self):
        """Say `ABOUT`: when it is answered, all that the engine had to say before has come."""
        self.engine.send("ABOUT")
        end = self.now() + min(ABOUT, self.settings.start / 1000)
        while line := self.engine.read_line(end - self.now()):
            self.look_for_surplus([line])
            if line.text.strip() and not line.text.upper().startswith(ASIDES):
                return

    def until_ok(self, command):
        """Read on to `OK`."""
        end = self.now() + self.settings.start / 1000
        while line := self.engine.read_line(end - self.now()):
            self.look_for_surplus([line])
            if line.text.upper() == "OK":
                return
            if line.text.upper().startswith(("ERROR", "UNKNOWN")):
                raise Fault("refused", f"'{line.text[:200]}' to '{command}'")
        raise Fault("start", f"no 'OK' to '{command}' within {self.settings.start / 1000:g} s")

    def infos(self):
        """What `INFO` tells at the start of a game."""
        limits = self.spec.limits
        infos = {
            "rule": self.rule,
            "game_type": 1,
            "timeout_turn": limits.movetime or limits.clock or ENDLESS,
            "timeout_match": limits.clock or (0 if limits.movetime else ENDLESS),
            "time_left": limits.clock or ENDLESS,
        }
        if limits.increment:
            infos["time_increment"] = limits.increment
        if limits.nodes:
            infos["max_node"] = limits.nodes
        if limits.depth:
            infos["max_depth"] = limits.depth
        return {**infos, **self.spec.options}

    def ask(self, board, clocks):
        """Tell the last move, or the whole board; return the moment, and what reads the answer."""
        time.sleep(max(0, min(PEACE, self.answered + PEACE - self.now())))
        self.look_for_surplus(self.engine.waiting_lines())
        if self.left is not None:
            self.engine.send(f"INFO time_left {self.left:.0f}")
        moves = list(board.played)
        turn = bool(self.known) and moves[:-1] == self.known
        command = f"TURN {self.point(moves[-1])}" if turn else self.board_command(moves) if moves else "BEGIN"
        start = self.engine.send(command)
        return start, lambda end: self.read_answer(end, moves, turn)

    def board_command(self, moves):
        """The whole board. The last stone is the opponent's, and so is every second one before it."""
        stones = [f"{self.point(move)},{1 + (len(moves) - ply) % 2}" for ply, move in enumerate(moves)]
        return "\n".join(["BOARD", *stones, "DONE"])

    def point(self, square):
        """`x,y` of a (column, row)."""
        return f"{square[0]},{self.rows - 1 - square[1]}"

    def read_answer(self, end, moves, turn):
        """The moment, the move and the score, read before `end`. A refused `turn` is told again as a board."""
        score = strange = None
        while line := self.engine.read_line(end - self.now()):
            text = line.text.strip()
            if self.is_move(text):
                column, row = (int(number[:6]) for number in text.split(","))
                square = column, self.rows - 1 - row
                self.known = moves + [square]
                if not (column < self.columns and 0 <= square[1]):
                    raise Fault("illegal", f"'{text}' is not on the board")
                return line.time, name_of(square), score
            if text.upper().startswith(ASIDES):
                score = read_score(text, score)
            elif text.upper().startswith(("ERROR", "UNKNOWN")):
                if not turn:
                    raise Fault("refused", f"'{text[:200]}' instead of a move")
                turn = False
                self.engine.send(self.board_command(moves))
            elif text:
                strange = text
        raise self.silence(strange)

    def settle(self):
        """There is no question that could be asked now: a second answer is found before the next one."""

    def finish(self):
        """Raise `Fault` if the engine has said too much since its last answer."""
        time.sleep(max(0, min(PEACE, self.answered + PEACE - self.now())))
        self.look_for_surplus(self.engine.waiting_lines())

    @staticmethod
    def is_move(text):
        """Whether a line is a move."""
        return re.fullmatch(r"\s*\d{1,9}\s*,\s*\d{1,9}\s*", text) is not None


def read_score(text, score):
    """The score in a message such as `MESSAGE depth 8-13 ev 25 ...` or `Eval -M4`; the last one if it has none."""
    match = re.search(r"\bev(?:al)? ([+-]?)(M?)(\d{1,7})\b", text, re.IGNORECASE)
    if not match:
        return score
    number = int(match[3])
    if match[2]:  # plies to the end, here in the mover's own moves
        number = MATE - (number + 1) // 2
    return -number if match[1] == "-" else number
