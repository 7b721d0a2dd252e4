"""Players of k-in-a-row games, and a game between two of them (shared by the match scripts in this folder)."""

from referee import Board, IllegalMove
from uci_engine import Engine, EngineError


class Forfeit(Exception):
    """A player made an illegal move or no move; `player` is who."""

    def __init__(self, player, reason):
        super().__init__(f"{player.name}: {reason}")
        self.player = player


class RandomPlayer:
    """Plays any legal move, each as likely."""

    name = "random"

    def __init__(self, dice):
        self.dice = dice

    def new_game(self):
        """There is nothing to forget."""

    def choose(self, board):
        """A move for the side to move."""
        return self.dice.choice(board.legal_moves())

    def close(self):
        """There is nothing to end."""


class EnginePlayer:
    """A UCI or UGI engine."""

    def __init__(self, name, command, options, go, protocol="uci", patience=30):
        """`go` is the line that starts a search; `patience` is how many seconds are waited for its move."""
        self.name, self.go, self.protocol, self.patience = name, go, protocol, patience
        self.engine = Engine(command)
        self.engine.handshake(protocol)
        self.engine.set_options(options)

    def new_game(self):
        """Have the engine forget the last game."""
        self.engine.send(f"{self.protocol}newgame")
        self.engine.ready()

    def show(self, board):
        """Send the position."""
        self.engine.send("position startpos" + (" moves " + " ".join(board.moves) if board.moves else ""))

    def choose(self, board):
        """A move for the side to move."""
        self.show(board)
        self.engine.send(self.go)
        return self.engine.read_until("bestmove", self.patience)[-1].text.split()[1]

    def ask(self, question):
        """The answer to a `query`."""
        self.engine.send(f"query {question}")
        return self.engine.read_until("response", 10)[-1].text.removeprefix("response ")

    def close(self):
        """End the engine."""
        try:
            self.engine.quit()
        except EngineError:
            self.engine.kill()


class MixedPlayer:
    """Plays another player's move some of the time, else any move."""

    def __init__(self, player, share, dice):
        """`share` is how often the move is the player's, 0 to 1."""
        self.name = player.name
        self.player, self.share, self.dice = player, share, dice

    def new_game(self):
        """Have the player forget the last game."""
        self.player.new_game()

    def choose(self, board):
        """A move for the side to move."""
        if self.dice.random() < self.share:
            return self.player.choose(board)
        return self.dice.choice(board.legal_moves())

    def close(self):
        """End the player."""
        self.player.close()


def play_game(rules, first, second, opening=()):
    """Play one game after some opening moves; return the final board. Raises `Forfeit`."""
    board = Board(rules)
    for move in opening:
        board.play(move)
    for player in (first, second):
        player.new_game()
    while not board.result:
        player = first if board.side == "x" else second
        try:
            board.play(player.choose(board))
        except (EngineError, IllegalMove) as error:
            raise Forfeit(player, f"{error}; moves: {' '.join(board.moves)}") from error
    return board
