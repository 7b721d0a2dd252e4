"""Random protocol commands, each with the answers that it is owed (used by `stress_check.py`)."""

from typing import NamedTuple

from referee import VARIANTS


class Command(NamedTuple):
    """What is sent, and what must come back for it."""

    data: bytes
    #: First words of the owed answers.
    replies: tuple = ()
    #: The least and the most `info string error` lines.
    errors: tuple = (0, 0)


SILENT, MAYBE_ERROR, ONE_ERROR = (0, 0), (0, 1), (1, 1)

#: Lines that cannot be carried out.
BAD_GO = """
go depth|go depth x|go depth -1|go depth 5.5|go nodes 1e6|go movetime|go movetime soon|go foo|go infinite foo
go wtime 12x btime 5|go searchmoves|go mate -3|go perft|go perft x|go depth depth 5
"""
BAD_POSITION = """
position|position foo|position fen|position fen foo x|position fen 99/99 x
position startpos moves zz|position startpos moves a1 a1|position fen /// q|position startpos moves \u00e9\u20ac
position startpos moves a0|position startpos moves a99999999999999999999
"""
BAD_OPTION = """
setoption|setoption name|setoption name Hash|setoption name Hash value|setoption name Hash value 0
setoption name Hash value -5|setoption name Hash value many|setoption name Hash value 99999999999999999999
setoption name Threads value 0|setoption name Threads value 257|setoption name Threads value 1.5
setoption name MultiPV value 0|setoption name MultiPV value 257|setoption name Columns value 27
setoption name Rows value 0|setoption name Line Length value 2|setoption name Line Length value 9
setoption name Gravity value perhaps|setoption name Overline value loses|setoption name UCI_Variant value chess
setoption name UCI_Variant|setoption name Skill Level value 21|setoption name No Such Option value 1
setoption name Ponder value 7|setoption name Move Format value morse|setoption Hash 16
"""
BAD_OTHER = """
debug|debug maybe|undo x|perft|perft x|query|query weather|foo|position\x00startpos|g\u00f6 depth 1|-1|quit_not|isready?
go_infinite
"""
#: Commands for people; some need a position, or moves to take back.
LOOKS = ("undo", "undo 2", "d", "eval", "moves", "perft 1", "go perft 1")


def one_of(lines):
    """A maker of commands that draw one error, from lines such as those above."""
    choices = [text for row in lines.strip().split("\n") for text in row.split("|")]
    return lambda dice: line(dice.choice(choices), (), ONE_ERROR)


def line(text, replies=(), errors=SILENT):
    """A command of one line."""
    return Command(text.encode() + b"\n", replies, errors)


def go(dice):
    """A `go` that can be read and that ends by itself."""
    millis = dice.randint(1, 60)
    clock = f"wtime {dice.randint(0, 900)} btime {dice.randint(0, 900)}"
    limits = dice.choice((
        f"depth {dice.randint(1, 2)}",
        f"depth {dice.choice((3, 9, 300, 10**25))} movetime {millis}",
        f"nodes {dice.randint(0, 4000)}",
        f"nodes {10**25} movetime {millis}",
        f"movetime {millis}",
        f"movetime {dice.choice((0, 1, -7))}",
        f"mate {dice.randint(0, 3)} movetime {millis}",
        clock,
        clock + f" winc {dice.randint(0, 30)} binc {dice.randint(0, 30)}",
        clock + f" movestogo {dice.randint(0, 40)}",
        clock.replace("wtime", "p1time").replace("btime", "p2time"),
        "wtime -100 btime -100 winc -5 binc -5",
        "btime 100",
        "wtime 100",
    ))
    # After a refused position, `go` says so.
    return line("go " + limits, ("bestmove",), MAYBE_ERROR)


def endless_go(dice):
    """A `go` that only a later command ends."""
    text = dice.choice(("go", "go infinite", "go ponder", "go ponder wtime 500 btime 500", "go ponder movetime 30",
                        "go infinite depth 2", "go ponder depth 1"))
    return line(text, ("bestmove",), MAYBE_ERROR)


def first_moves_go(_dice):
    """A search of one move; `a1` is legal on every empty board."""
    return Command(b"position startpos\ngo searchmoves a1 depth 2\n", ("bestmove",))


def position(dice):
    """A position that fits some of the boards at least."""
    if dice.random() < 0.3:
        return line("position startpos")
    columns, rows = dice.choice(((15, 15), (3, 3), (7, 6)))
    if dice.random() < 0.2:
        fen = "/".join([str(columns)] * rows) + dice.choice((" x", " o", " w - - 0 1"))
        return line("position fen " + fen, (), MAYBE_ERROR)
    moves = (dice.choice("abcdefghijklmno"[:columns]) + str(dice.randint(1, rows)) for _ in range(dice.randint(1, 4)))
    return line("position startpos moves " + " ".join(moves), (), MAYBE_ERROR)


def option(dice):
    """An option with a value in its range."""
    name, value = dice.choice((
        ("Hash", dice.randint(1, 64)),
        ("Threads", dice.randint(1, 4)),
        ("MultiPV", dice.choice((1, 1, 2, 5, 256))),
        ("UCI_Variant", dice.choice(list(VARIANTS))),
        ("UCI_Variant", dice.choice(list(VARIANTS)).upper()),
        ("Columns", dice.randint(1, 26)),
        ("Rows", dice.randint(1, 26)),
        ("Line Length", dice.randint(3, 8)),
        ("Gravity", dice.choice(("true", "false"))),
        ("Overline", dice.choice(("wins", "nothing"))),
        ("Skill Level", dice.choice((0, 10, 20, 20))),
        ("Move Overhead", dice.randint(0, 20)),
        ("Move Format", dice.choice(("auto", "plain", "drop", "column"))),
        ("Ponder", dice.choice(("true", "false"))),
        ("UCI_LimitStrength", dice.choice(("true", "false", "false"))),
        ("UCI_ShowWDL", dice.choice(("true", "false"))),
        ("UCI_AnalyseMode", dice.choice(("true", "false"))),
        ("UCI_Chess960", "false"),
        ("UCI_Opponent", "none none computer X"),
        ("SyzygyPath", "<empty>"),
    ))
    return line(f"setoption name {name} value {value}")


def blank(dice):
    """A line with nothing on it."""
    return Command(dice.choice((b"\n", b"\r\n", b" \t \n")))


def garbage(dice):
    """Bytes that mean nothing, on one line; they need not be UTF-8."""
    data = bytes(dice.choice([byte for byte in range(256) if byte not in b"\r\n"]) for _ in range(dice.randint(1, 80)))
    return Command(b"zq" + data + b"\n", (), ONE_ERROR)


def long_line(dice):
    """A line of up to a megabyte that cannot be carried out."""
    size = dice.choice((5_000, 70_000, 1_000_000))
    text = dice.choice((b"x" * size, b"go " + b"y" * size, b"position startpos moves " + b"a1 " * (size // 3),
                        b"setoption name " + b"z" * size, b"position fen " + b"1" * size, b"\xff" * size))
    return Command(text + b"\n", (), ONE_ERROR)


def blanks_around(dice):
    """`isready` as odd clients write it."""
    return Command(dice.choice((b"  isready\n", b"isready\r\n", b"\tisready \t\n")), ("readyok",))


#: How often each kind of command is sent.
KINDS = (
    (12, go),
    (7, endless_go),
    (2, first_moves_go),
    (8, lambda dice: line("stop")),
    (4, lambda dice: line("ponderhit", (), MAYBE_ERROR)),
    (8, lambda dice: line("isready", ("readyok",))),
    (1, blanks_around),
    (7, position),
    (2, one_of(BAD_POSITION)),
    (6, option),
    (2, one_of(BAD_OPTION)),
    (2, one_of(BAD_GO)),
    (1, one_of(BAD_OTHER)),
    (2, lambda dice: line(dice.choice(("ucinewgame", "uginewgame")))),
    (1, lambda dice: line("uci", ("uciok",))),
    (0.3, lambda dice: line("ugi", ("ugiok",))),
    (1, lambda dice: line("debug " + dice.choice(("on", "off")))),
    (1, lambda dice: line("setoption name Clear Hash")),
    (2, lambda dice: line("query " + dice.choice(("gameover", "p1turn", "result")), ("response",))),
    (2, lambda dice: line(dice.choice(LOOKS), (), MAYBE_ERROR)),
    (1, blank),
    (1, garbage),
    (0.1, long_line),
)


def random_command(dice):
    """Any command."""
    weights, makers = zip(*KINDS)
    return dice.choices(makers, weights)[0](dice)
