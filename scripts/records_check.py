#!/usr/bin/env python3
"""Have inarow save random games of every variant, read the files with other programs, and compare.

usage: records_check.py [--engine target/release/inarow] [--games N] [--seed N]

SGF is read by the packages sgfmill (square boards; it knows no others) and sgf, as far as they are installed (`pip install
sgfmill sgf`), SGF and PSQ by the tournament script. The tournament's own files are loaded by inarow.
"""
import argparse
import importlib.util
import random
import sys
import tempfile
from pathlib import Path

from arena import records
from arena.game import Game
from referee import Board, name_of
from uci_engine import Engine, add_engine_argument

GAMES = (
    Game(), Game("gomoku", 20, 20), Game("renju"), Game("caro", overline="wins"), Game("tictactoe"), Game("cfour"),
    Game("connect4-7x7"), Game("mnk", 26, 9, 6), Game("mnk", 12, 4, 4, True, "nothing"),
)


def by_sgfmill(text, rules):
    """The moves, or `None` where the package reads no such board."""
    if rules.columns != rules.rows:
        return None
    from sgfmill import sgf
    nodes = sgf.Sgf_game.from_string(text).get_main_sequence()[1:]
    return [name_of((column, row)) for _, (row, column) in (node.get_move() for node in nodes)]


def by_sgf(text, rules):
    """The moves."""
    import sgf
    nodes = sgf.parse(text).children[0].rest or []
    points = [(node.properties.get("B") or node.properties["W"])[0] for node in nodes]
    return [name_of((ord(column) - 97, rules.rows - 1 - (ord(row) - 97))) for column, row in points]


def by_tournament(text, _):
    """The moves."""
    return list(records.read_sgf(text).moves)


def answer(engine, command):
    """The line that answers a command; the program ends if it is an error."""
    engine.send(command)
    line = engine.read_until("info", 10)[-1].text
    if line.startswith("info string error"):
        sys.exit(f"{command}: {line}")
    return line


def check(engine, game, dice, folder, readers):
    """Play, save, read and load one game; return how many files were compared."""
    board = Board(game.rules)
    while not board.result and len(board.played) < 60:
        board.play(dice.choice(board.legal_moves()))
    engine.set_options(game.uci_options())
    engine.send("position startpos moves " + " ".join(board.moves))
    path = folder / "a game.sgf"
    answer(engine, f"save {path}")
    text = path.read_text(encoding="utf-8")
    found = {name: read(text, game.rules) for name, read in readers.items()}
    if records.holds_psq(game.rules):
        answer(engine, f"save {path.with_suffix('.psq')}")
        found["psq"] = list(records.read_psq(path.with_suffix(".psq").read_text(encoding="utf-8")).moves)
    for name, moves in found.items():
        if moves not in (board.moves, None):
            sys.exit(f"{name} reads {moves} where inarow wrote {text}")
    plies = len(board.moves)
    written = {"id": "1", "first": "A [x]", "second": "B", "opening": 0, "moves": " ".join(board.moves), "ms": [1.5] * plies,
               "scores": [12] * plies, "result": board.result or "draw", "reason": "line", "began": "2026-01-01"}
    files = {".sgf": records.sgf(written, game)}
    if records.holds_psq(game.rules):
        files[".psq"] = records.psq(written, game)
    for suffix, text in files.items():
        path.with_suffix(suffix).write_text(text, encoding="utf-8")
        answer(engine, "setoption name UCI_Variant value renju")
        line = answer(engine, f"load {path.with_suffix(suffix)}")
        engine.send("d")
        shown = engine.read_until("moves:", 10)[-1].text.split()[1:]
        if [move.removeprefix("P@") for move in shown] != board.moves or game.variant not in line:
            sys.exit(f"inarow loads {shown} ({line}) where the tournament wrote {text}")
    return sum(moves is not None for moves in found.values()) + len(files)


def main():
    """Check so many games of each kind."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_engine_argument(parser)
    parser.add_argument("--games", type=int, default=20, help="of each kind")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    readers = {"sgfmill": by_sgfmill, "sgf": by_sgf}
    readers = {name: read for name, read in readers.items() if importlib.util.find_spec(name)}
    readers["tournament"] = by_tournament
    engine, dice = Engine(arguments.engine), random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        compared = sum(check(engine, game, dice, Path(folder), readers) for game in GAMES for _ in range(arguments.games))
    engine.quit()
    print(f"{len(GAMES) * arguments.games} games, {compared} files read alike; readers: {', '.join(readers)}")


if __name__ == "__main__":
    main()
