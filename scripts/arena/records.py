"""Games as SGF, as PSQ (Piskvork's format) and as move strings, written and read back."""

import re
from typing import NamedTuple

from arena.match import FORFEITS
from referee import Board, IllegalMove, name_of

#: The private property of SGF that holds the game: sizes, line, gravity, overline.
GAME_PROPERTY = "XG"


class RecordError(ValueError):
    """A record that cannot be read, or that a format cannot hold."""


class Recorded(NamedTuple):
    """A game as it is read from a record."""

    columns: int
    rows: int
    moves: tuple
    first: str
    second: str
    #: `x`, `o`, `draw`, or `None` where the format does not say.
    result: str | None = None
    #: The variant and its rules, `{"variant": "renju", "line": "5", ...}`; empty where the format does not say.
    game: dict = {}


def settings(game):
    """A game in words, as inarow's `save` writes it too."""
    rules = game.rules
    return (f"variant={game.variant} columns={rules.columns} rows={rules.rows} line={rules.line}"
            f" gravity={str(rules.gravity).lower()} overline={rules.overline}")


def read_settings(text):
    """The words as a dictionary."""
    return dict(word.split("=", 1) for word in text.split())


def escaped(text):
    """Text inside an SGF value."""
    return str(text).replace("\\", "\\\\").replace("]", "\\]")


def sgf(record, game, event="", round_number=None):
    """A game as SGF. Black is the first player."""
    rules = game.rules
    size = str(rules.columns) if rules.columns == rules.rows else f"{rules.columns}:{rules.rows}"
    head = {
        "FF": 4, "GM": 4, "SZ": size, "CA": "UTF-8", "AP": "inarow tournament:1", "GN": record["id"], "EV": event,
        "RO": round_number, "DT": record["began"][:10], "PB": record["first"], "PW": record["second"],
        "RE": sgf_result(record), "RU": game.variant, GAME_PROPERTY: settings(game), "GC": describe(record),
    }
    text = "(;" + "".join(f"{key}[{escaped(value)}]" for key, value in head.items() if value not in (None, ""))
    for ply, move in enumerate(record["moves"].split()):
        column, row = ord(move[0]) - ord("a"), rules.rows - int(move[1:])
        text += f"\n;{'BW'[ply % 2]}[{chr(ord('a') + column)}{chr(ord('a') + row)}]"
        answered = ply - record["opening"]
        if answered >= 0:
            score = record["scores"][answered]
            text += f"C[{record['ms'][answered]:g} ms" + ("" if score is None else f", score {score}") + "]"
    return text + ")\n"


def sgf_result(record):
    """`B+`, `W+T` (time), `B+F` (forfeit), `W+R` (resigned), `0` (draw)."""
    if record["result"] == "draw":
        return "0"
    reason = record["reason"]
    how = "T" if reason in ("late", "hang") else "F" if reason in FORFEITS else "R" if reason == "resigned" else ""
    return ("B+" if record["result"] == "x" else "W+") + how


def describe(record):
    """How a game ended, in words."""
    if record["result"] == "draw":
        return f"draw: {record['reason']}"
    winner = record["first"] if record["result"] == "x" else record["second"]
    return f"{winner} won: {record['reason']}" + (f": {record['detail']}" if record.get("detail") else "")


def read_sgf(text):
    """The main line of the first game of a file."""
    nodes = _sgf_nodes(text)
    root = nodes[0]
    size = root.get("SZ", ["19"])[0]
    match = re.fullmatch(r"(\d+)(?::(\d+))?", size)
    if not match:
        raise RecordError(f"SZ[{size}]; expected SZ[15] or SZ[7:6]")
    columns, rows = int(match[1]), int(match[2] or match[1])
    moves = []
    for node in nodes:
        for colour in "BW":
            for value in node.get(colour, ()):
                if not re.fullmatch("[a-z]{2}", value) or "BW"[len(moves) % 2] != colour:
                    raise RecordError(f"move {len(moves) + 1}: {colour}[{value}]; expected two letters, and by turns")
                moves.append(name_of((ord(value[0]) - 97, rows - 1 - (ord(value[1]) - 97))))
    ends = {"B": "x", "W": "o", "0": "draw", "D": "draw"}
    game = read_settings(root.get(GAME_PROPERTY, [""])[0])
    return Recorded(columns, rows, tuple(moves), root.get("PB", [""])[0], root.get("PW", [""])[0],
                    ends.get(root.get("RE", [""])[0][:1]), game)


def _sgf_nodes(text):
    """The nodes of the main line: a dictionary of lists of values each."""
    nodes, key, at = [], None, 0
    token = re.compile(r"\s*(?:(\()|(\))|(;)|([A-Z]+)|\[((?:[^\]\\]|\\.)*)\])", re.DOTALL)
    while match := token.match(text, at):
        at = match.end()
        if match[2]:
            break  # the first way out ends the main line
        if match[3]:
            nodes.append({})
        elif match[4]:
            key = match[4]
        elif match[5] is not None and nodes and key:
            nodes[-1].setdefault(key, []).append(re.sub(r"\\(.)", r"\1", match[5], flags=re.DOTALL))
    else:
        raise RecordError(f"SGF: '{text[at:at + 20]}'; expected a game, (;FF[4]...)")
    if not nodes:
        raise RecordError("SGF: no node; expected a game, (;FF[4]...)")
    return nodes


def psq(record, game):
    """A game as PSQ: columns and rows count from 1, rows from the top; milliseconds; the players.

    That is where Piskvork stops reading. The rules, which the format does not hold, stand behind it.
    """
    rules = game.rules
    if not holds_psq(rules):
        raise RecordError(f"{game.title} is no game for .psq; expected five in a row without gravity (use .sgf)")
    lines = [f"Piskvorky {rules.columns}x{rules.rows}, 11:11, 0"]
    times = [0] * record["opening"] + [round(ms) for ms in record["ms"]]
    for move, ms in zip(record["moves"].split(), times):
        lines.append(f"{ord(move[0]) - 96},{rules.rows + 1 - int(move[1:])},{ms}")
    return "\n".join([*lines, record["first"], record["second"], settings(game), "-1"]) + "\n"


def holds_psq(rules):
    """Whether the format can hold a game."""
    return rules.line == 5 and not rules.gravity


def read_psq(text):
    """The game of a file."""
    head, *lines = text.splitlines() or [""]
    match = re.match(r"Piskvorky (\d+)x(\d+), *\d+:\d+, *\d+", head)
    if not match:
        raise RecordError(f"'{head[:40]}'; expected: Piskvorky 15x15, 11:11, 0")
    columns, rows = int(match[1]), int(match[2])
    moves = []
    while lines and (move := re.fullmatch(r"(\d+),(\d+),(\d+)\s*", lines[0])):
        moves.append(name_of((int(move[1]) - 1, rows - int(move[2]))))
        lines.pop(0)
    first, second, rules = (lines + ["", "", ""])[:3]
    game = read_settings(rules) if rules.startswith("variant=") else {}
    return Recorded(columns, rows, tuple(moves), first, second, game=game)


def move_string(record, game):
    """The columns of a gravity game, `4453...`; letters where there are more than nine columns."""
    letters = (move[0] for move in record["moves"].split())
    return "".join(str(ord(letter) - 96) if game.rules.columns <= 9 else letter for letter in letters)


def read_move_string(text, rules):
    """The moves of a string."""
    board = Board(rules)
    for letter in text:
        try:
            board.play(letter)
        except IllegalMove as error:
            raise RecordError(str(error)) from error
    return tuple(board.moves)
