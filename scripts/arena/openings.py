"""Where the games begin: lines of a file, or random plies that are balanced."""

import json
import random
from pathlib import Path

from referee import Board, IllegalMove

#: So many openings are tried for one that is balanced.
TRIES = 300
#: How far from the stones, or from the centre at first, random stones are put.
REACH = 2


class BadOpening(ValueError):
    """An opening that cannot be read or played; the text says where."""


class FileOpenings:
    """Moves from a file: a line `h8 i9 g9` each, or JSON lines with the key `moves`."""

    def __init__(self, path, rules, shuffle_seed=None):
        """Read and check all lines; `shuffle_seed` makes the order random, but always the same."""
        self.lines = read_file(path, rules)
        if shuffle_seed is not None:
            random.Random(f"{shuffle_seed} openings").shuffle(self.lines)

    def opening(self, number):
        """The moves of an opening; after the last comes the first again."""
        return self.lines[number % len(self.lines)]


def read_file(path, rules):
    """The openings of a file, as tuples of moves."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadOpening(f"openings {path}: {error}") from error
    openings = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            moves = json.loads(line)["moves"] if line.startswith("{") else line
            openings.append(played(moves.split() if isinstance(moves, str) else moves, rules))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadOpening(f"openings {path}, line {number}: {error!r}; expected moves, as in: h8 i9 g9") from error
        except IllegalMove as error:
            raise BadOpening(f"openings {path}, line {number}: {error} on {rules.columns}x{rules.rows}") from error
    if not openings:
        raise BadOpening(f"openings {path}: no openings; expected a line of moves for each, as in: h8 i9 g9")
    return openings


def played(moves, rules):
    """The plain names of moves, all legal and the game not over."""
    board = Board(rules)
    for move in moves:
        board.play(move)
    if board.result:
        raise IllegalMove("the game is over after the opening")
    return tuple(board.moves)


class RandomOpenings:
    """Random plies near each other, the same for the same seed; balanced if there is a judge to say so."""

    def __init__(self, rules, plies, seed, judge=None, balance=150, nodes=2000):
        """`judge` (or `None`) has a `score(moves, nodes)` in hundredths, which must be within `balance`."""
        self.rules, self.plies, self.seed = rules, plies, seed
        self.judge, self.balance, self.nodes = judge, balance, nodes
        self.known = {}

    def opening(self, number):
        """The moves of an opening."""
        if number not in self.known:
            self.known[number] = self._make(number)
        return self.known[number]

    def _make(self, number):
        dice = random.Random(f"{self.seed} {number}")
        for _ in range(TRIES if self.plies else 1):
            moves = self._roll(dice)
            if moves is not None and self._is_balanced(moves):
                return moves
        raise BadOpening(f"no opening of {self.plies} random plies within {self.balance} hundredths in {TRIES} tries;"
                         " expected a greater --balance (0: none), other --random-plies, or --openings")

    def _roll(self, dice):
        board = Board(self.rules)
        while len(board.played) < self.plies and not board.result:
            board.play(dice.choice(self._near(board)))
        return None if board.result else tuple(board.moves)

    def _near(self, board):
        """The legal moves near a stone, or near the centre of the empty board; all of them where stones fall."""
        legal = board.legal_moves()
        if self.rules.gravity:
            return legal
        stones = board.stones or [((self.rules.columns - 1) / 2, (self.rules.rows - 1) / 2)]
        near = [
            move for move in legal
            if any(abs(ord(move[0]) - 97 - column) <= REACH and abs(int(move[1:]) - 1 - row) <= REACH
                   for column, row in stones)
        ]
        return near or legal

    def _is_balanced(self, moves):
        if self.judge is None or not moves or not self.balance:
            return True
        score = self.judge.score(moves, self.nodes)
        return score is not None and abs(score) <= self.balance
