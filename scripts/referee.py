"""An independent referee for k-in-a-row games (shared by the checks in this folder).

It is written from the rules of the games, slow and simple on purpose, and shares nothing with the engine. It knows
every variant of the engine.

    board = Board(VARIANTS["cfour"])
    board.play("d1")
    board.legal_moves(), board.result
"""

from dataclasses import dataclass

from renju import DIRECTIONS, foul


class IllegalMove(Exception):
    """A move that the rules do not allow; the text says why."""


@dataclass(frozen=True)
class Rules:
    """A game: the board, the length of a line, and what a longer line is worth."""

    columns: int
    rows: int
    line: int
    gravity: bool = False
    #: `wins`; `nothing`: exactly `line` stones; `caro`: exactly `line`, not with opponent's stones at both ends;
    #: `caro-wins`: like `caro`, but more than `line` stones win, whatever is at their ends;
    #: `renju`: exactly `line` for `x`, who has forbidden points, and `line` or more for `o`.
    overline: str = "wins"


VARIANTS = {
    "gomokufreestyle": Rules(15, 15, 5),
    "gomoku": Rules(15, 15, 5, overline="nothing"),
    "renju": Rules(15, 15, 5, overline="renju"),
    "caro": Rules(15, 15, 5, overline="caro"),
    "tictactoe": Rules(3, 3, 3),
    "cfour": Rules(7, 6, 4, gravity=True),
    "connect4-7x7": Rules(7, 7, 4, gravity=True),
    "mnk": Rules(15, 15, 5),
}


def name_of(square):
    """The name of a (column, row) pair: (7, 7) is `h8`."""
    column, row = square
    return chr(ord("a") + column) + str(row + 1)


class Board:
    """A game in progress. `x` moves first; squares are named `a1` (bottom left), `b1`, ..."""

    def __init__(self, rules):
        self.rules = rules
        self.stones = {}
        self.played = []
        self.winner = None

    @property
    def side(self):
        """Whose turn it is, `x` or `o`."""
        return "xo"[len(self.played) % 2]

    @property
    def moves(self):
        """The names of the moves so far."""
        return [name_of(square) for square in self.played]

    @property
    def result(self):
        """`x` or `o` (who has won), `draw`, or `None` while the game goes on. A line goes before a full board."""
        if self.winner:
            return self.winner
        return None if any(self._can_be_played()) else "draw"

    def legal_moves(self):
        """The names of the legal moves; none when the game is over."""
        if self.result:
            return []
        return [name_of(square) for square in self._can_be_played()]

    def _can_be_played(self):
        """The squares where a stone of the side to move may come to rest."""
        for column in range(self.rules.columns):
            for row in range(self.rules.rows):
                square = column, row
                rests = not self.rules.gravity or row == self._height(column)
                if square not in self.stones and rests and not self._is_foul(square):
                    yield square

    def _is_foul(self, square):
        """Whether renju forbids a square to the side to move."""
        if self.rules.overline != "renju" or self.side != "x":
            return False
        return foul(self.stones, self._is_inside, square) is not None

    def _is_inside(self, square):
        return square[0] in range(self.rules.columns) and square[1] in range(self.rules.rows)

    def play(self, text):
        """Play a move: `h8`, `P@h8`, or in games with gravity a column, `d` or `4`."""
        if self.result:
            raise IllegalMove(f"'{text}' after the end of the game")
        column, row = square = self._read(text)
        if not self._is_inside(square):
            raise IllegalMove(f"'{text}' is not on the board")
        if square in self.stones:
            raise IllegalMove(f"'{text}' is occupied")
        if self.rules.gravity and row != self._height(column):
            raise IllegalMove(f"'{text}' floats")
        if self._is_foul(square):
            raise IllegalMove(f"'{text}' is a foul")
        mover = self.side
        self.stones[square] = mover
        self.played.append(square)
        if any(self._wins(square, direction, mover) for direction in DIRECTIONS):
            self.winner = mover

    def take_back(self):
        """Take the last move back."""
        del self.stones[self.played.pop()]
        self.winner = None

    def _read(self, text):
        name = text.removeprefix("P@")
        letter, digits = name[:1], name[1:]
        if self.rules.gravity and len(name) == 1:
            column = int(letter) - 1 if letter in "123456789" else ord(letter) - ord("a")
            return column, self._height(column)
        if not ("a" <= letter <= "z" and digits.isascii() and digits.isdigit() and digits[0] != "0"):
            raise IllegalMove(f"'{text}' is no move")
        return ord(letter) - ord("a"), int(digits) - 1

    def _height(self, column):
        return next(row for row in range(self.rules.rows + 1) if (column, row) not in self.stones)

    def _wins(self, square, direction, mover):
        """Whether the line through `square` in one direction wins for `mover`."""
        stones_ahead, end_ahead = self._run(square, direction, 1, mover)
        stones_behind, end_behind = self._run(square, direction, -1, mover)
        length = 1 + stones_ahead + stones_behind
        if self.rules.overline == "wins" or self.rules.overline == "renju" and mover == "o":
            return length >= self.rules.line
        # The stone or border at an end of a run is never the mover's, so any stone there is the opponent's.
        blocked = end_ahead in self.stones and end_behind in self.stones
        if self.rules.overline == "caro-wins" and length > self.rules.line:
            return True
        return length == self.rules.line and not (self.rules.overline.startswith("caro") and blocked)

    def _run(self, square, direction, sign, mover):
        """How many of the mover's stones follow `square`, and the square where they end."""
        count = 0
        while True:
            column = square[0] + sign * (count + 1) * direction[0]
            row = square[1] + sign * (count + 1) * direction[1]
            if self.stones.get((column, row)) != mover:
                return count, (column, row)
            count += 1


def random_board(rules, plies, random):
    """A board after `plies` random moves by a `random.Random`; none of these games is over."""
    while True:
        board = Board(rules)
        while len(board.played) < plies and not board.result:
            board.play(random.choice(board.legal_moves()))
        if not board.result:
            return board
