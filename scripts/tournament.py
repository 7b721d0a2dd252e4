"""Plays tournaments of k-in-a-row engines that speak inarow's UCI dialect or the Gomocup protocol.

    # everyone against everyone, 20 openings with both colours, a tenth of a second a move, two games at a time
    python3 scripts/tournament.py roundrobin --engine "name=A cmd=./a" --engine "name=B cmd=./b option.Hash=64" \\
        --engine "cmd=./pbrain-c dir=/path/of/c" --movetime 100 --rounds 20 --concurrency 2 --out results
    # the first engine against all others
    python3 scripts/tournament.py gauntlet --engine "name=new cmd=./inarow nodes=10000" --engine ... --out results
    # is the first engine stronger than the second by 10 Elo, or not at all?
    python3 scripts/tournament.py sprt --engine "name=new cmd=./new" --engine "name=old cmd=./old" --tc 2+0.02 \\
        --elo0 0 --elo1 10 --openings openings.txt --out test
    # go on after Ctrl-C, a crash, a power cut
    python3 scripts/tournament.py --resume results

An engine is a path, or words: name=, cmd=, proto=uci|gomocup (gomocup is the default of programs named pbrain-*),
dir= (where it runs), option.NAME=VALUE (of UCI, or an INFO of Gomocup), and limits of its own: tc=, movetime=, nodes=,
depth=.

A referee checks every move: legality, forbidden points, time, the end. An engine that breaks a rule, hangs, dies or
floods loses the game; it is started anew and the tournament goes on.

The folder --out holds games.jsonl (a line for each finished game, on the disk before it counts), sgf/, psq/ and, where
stones fall, moves/; at the end, and once a minute, results.json and report.html, a page to look at in any browser.

Exit codes: 0 finished (an SPRT: it came to a verdict, or its rounds are over); 1 broken off by an error; 2 wrong
arguments or folder; 130 interrupted. After 1 and 130, --resume goes on.
"""

import argparse
import signal
import sys
from pathlib import Path

from arena.adjudicate import Rules as Adjudication
from arena.cluster import ClusterError
from arena.course import Course
from arena.game import Game, UnplayableGame
from arena.judge import Judge
from arena.limits import BadLimit, Limits
from arena.match import Terms
from arena.openings import BadOpening, FileOpenings
from arena.player import Settings
from arena.specs import BadEngine, check_engines, find_program, read_engine
from arena.store import SETTINGS, Store, StoreError
from referee import VARIANTS
from uci_engine import DEFAULT_ENGINE, EngineError, command_line

MODES = ("roundrobin", "gauntlet", "sprt")


class BadArguments(ValueError):
    """Arguments that do not fit together."""


def number(low, high, kind=int):
    """A type of arguments: a number within bounds."""
    def read(text):
        try:
            value = kind(text)
        except ValueError:
            value = None
        if value is None or not low <= value <= high:
            raise argparse.ArgumentTypeError(f"'{text}'; expected a number from {low} to {high}")
        return value
    return read


def switch(text):
    """A type of arguments: `on` or `off`."""
    if text not in ("on", "off"):
        raise argparse.ArgumentTypeError(f"'{text}'; expected on or off")
    return text == "on"


def board_size(text):
    """A type of arguments: `15x15`."""
    columns, _, rows = text.partition("x")
    if not (columns.isdecimal() and rows.isdecimal()):
        raise argparse.ArgumentTypeError(f"'{text}'; expected columns x rows, as in 20x20")
    return int(columns), int(rows)


def read_arguments(words=None):
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", nargs="?", choices=MODES, help="what is played")
    parser.add_argument("--engine", action="append", default=[], metavar="ENGINE", help="once for each engine")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where everything is saved")
    parser.add_argument("--resume", type=Path, metavar="FOLDER", help="go on with the tournament in a folder")
    parser.add_argument("--title", help="the headline of the report")

    game = parser.add_argument_group("game")
    game.add_argument("--variant", default="gomokufreestyle", choices=VARIANTS, metavar="VARIANT",
                      help="%(choices)s (default: %(default)s)")
    game.add_argument("--board", type=board_size, default=(None, None), metavar="CxR", help="columns x rows")
    game.add_argument("--line", type=number(3, 8), metavar="K", help="how many in a row win, 3 to 8")
    game.add_argument("--gravity", type=switch, metavar="on|off", help="whether stones fall")
    game.add_argument("--overline", choices=("wins", "nothing"), help="what a longer line is worth")
    game.add_argument("--judge", metavar="COMMAND", help="the engine that is asked for renju's forbidden points, and"
                      " whether random openings are balanced; 'none': definitions alone, no balance (default:"
                      " target/release/inarow)")

    time = parser.add_argument_group("time")
    time.add_argument("--tc", metavar="S+S", help="a clock and what is added with each move, in seconds: 10+0.1")
    time.add_argument("--movetime", metavar="MS", help="milliseconds a move")
    time.add_argument("--nodes", metavar="N", help="positions a move")
    time.add_argument("--depth", metavar="N", help="depth of each move")
    time.add_argument("--tolerance", type=number(0, 1e6, float), default=100, metavar="MS",
                      help="a move may come so much too late (default: %(default)s)")
    time.add_argument("--patience", type=number(0.1, 1e6, float), default=60, metavar="S", help="how long a move is"
                      " waited for where only nodes or depth are limited (default: %(default)s)")

    course = parser.add_argument_group("games")
    course.add_argument("--rounds", type=number(1, 10**6), metavar="N",
                        help="openings a pairing, each played with both colours (default: 10; sprt: 50000)")
    course.add_argument("--challengers", type=number(1, 1000), default=1, metavar="N",
                        help="gauntlet: the first N engines play all others (default: %(default)s)")
    course.add_argument("--openings", metavar="FILE", help="moves a line, or JSON lines with a key 'moves'")
    course.add_argument("--shuffle", action="store_true", help="take the openings of the file in random order")
    course.add_argument("--random-plies", type=number(0, 100), default=4, metavar="N",
                        help="without a file: random moves at first (default: %(default)s)")
    course.add_argument("--balance", type=number(0, 10000), default=150, metavar="CP", help="those within so many"
                        " hundredths by the judge; 0: any (default: %(default)s)")
    course.add_argument("--seed", type=int, default=1, help="of what is random (default: %(default)s)")
    course.add_argument("--concurrency", type=number(1, 1000), metavar="N",
                        help="games at a time (default: 1; with --dask: two for each thread of the workers)")
    course.add_argument("--dask", metavar="ADDRESS",
                        help="hand the games to a Dask cluster, by the address of its scheduler")

    called = parser.add_argument_group("adjudication")
    called.add_argument("--resign", nargs=2, type=number(1, 100000), metavar=("CP", "MOVES"),
                        help="who is down by CP, by its own account, for MOVES moves has lost")
    called.add_argument("--draw", nargs=3, type=number(1, 100000), metavar=("PLY", "CP", "MOVES"),
                        help="from PLY on, a score within CP of both for MOVES moves each is a draw")
    called.add_argument("--max-plies", type=number(1, 1000), default=0, metavar="N", help="a game of N plies is a draw")

    test = parser.add_argument_group("sprt")
    test.add_argument("--elo0", type=float, default=0, metavar="E", help="default: %(default)s")
    test.add_argument("--elo1", type=float, default=5, metavar="E", help="default: %(default)s")
    test.add_argument("--alpha", type=number(1e-6, 0.5, float), default=0.05, metavar="P",
                      help="how often elo1 may be accepted wrongly (default: %(default)s)")
    test.add_argument("--beta", type=number(1e-6, 0.5, float), default=0.05, metavar="P",
                      help="how often elo0 may be accepted wrongly (default: %(default)s)")
    return parser.parse_args(words)


def read_settings(args):
    """The settings of a new tournament, as they are saved."""
    if not args.mode or not args.out:
        raise BadArguments(f"expected one of {', '.join(MODES)} and --out FOLDER, or --resume FOLDER; --help explains")
    own = {name: getattr(args, name) for name in ("tc", "movetime", "nodes", "depth") if getattr(args, name)}
    limits = Limits().changed(own)
    engines = tuple(read_engine(text, limits) for text in args.engine)
    check_engines(engines)
    low, high = {"roundrobin": (2, 1000), "gauntlet": (args.challengers + 1, 1000), "sprt": (2, 2)}[args.mode]
    if not low <= len(engines) <= high:
        expected = f"{low}" if low == high else f"{low} or more"
        raise BadArguments(f"{args.mode} with {len(engines)} engines; expected {expected} times --engine")
    if args.mode == "sprt" and args.elo0 >= args.elo1:
        raise BadArguments(f"--elo0 {args.elo0:g} --elo1 {args.elo1:g}; expected elo0 below elo1")
    game = Game(args.variant, *args.board, args.line, args.gravity, args.overline)
    for engine in engines:
        if engine.protocol == "gomocup":
            game.gomocup_rule()
    settings = Settings(tolerance=args.tolerance, patience=args.patience * 1000)
    adjudication = Adjudication(*(args.resign or (0, 4)), *(args.draw or (0, 10, 8)), args.max_plies)
    terms = Terms(game, engines, settings, adjudication, read_judge(args, game))
    return {
        "format": 1, "mode": args.mode, "title": args.title or f"{args.mode}: {game.title}", "terms": terms.to_json(),
        "concurrency": args.concurrency, "challengers": args.challengers,
        "rounds": args.rounds or (50000 if args.mode == "sprt" else 10),
        "openings": read_openings(args, game, terms.judge),
        "sprt": {"elo0": args.elo0, "elo1": args.elo1, "alpha": args.alpha, "beta": args.beta},
    }


def read_judge(args, game):
    """The command of the judge, or `None`; it is tried."""
    if args.judge == "none" or args.judge is None and not DEFAULT_ENGINE.exists():
        return None
    try:
        command = command_line(args.judge) if args.judge else [str(DEFAULT_ENGINE)]
        command[0] = find_program(command[0])
        Judge(command, game).close()
    except (BadEngine, EngineError, argparse.ArgumentTypeError) as error:
        expected = "an engine as inarow, or none"
        raise BadArguments(f"judge '{args.judge or DEFAULT_ENGINE}': {error}; expected {expected}") from error
    return tuple(command)


def read_openings(args, game, judge):
    """The openings of a file, or how random ones are made."""
    if args.openings:
        lines = FileOpenings(args.openings, game.rules, args.seed if args.shuffle else None).lines
        return {"lines": [list(line) for line in lines]}
    if args.random_plies and args.balance and judge is None:
        print("no judge: random openings are not checked for balance", file=sys.stderr)
    return {"plies": args.random_plies, "seed": args.seed, "balance": args.balance}


def run(args):
    """Play a tournament, or the rest of one."""
    if args.resume:
        expected = vars(read_arguments([]))
        odd = [name for name, value in vars(args).items()
               if value != expected[name] and name not in ("resume", "concurrency", "dask")]
        if odd:
            words = ", ".join(name.replace("_", "-") for name in odd)
            raise BadArguments(f"--resume with {words}; the folder says it all, expected nothing but --concurrency and"
                               " --dask")
        store = Store(args.resume)
    else:
        store = Store.create(args.out, read_settings(args))
    try:
        course = Course(store)
    except (KeyError, TypeError, ValueError) as error:
        raise StoreError(f"{store.folder / SETTINGS} is of another version, or damaged: {error!r}") from error
    try:
        course.play(args.concurrency, args.dask)
    finally:
        course.write()
        print("\n".join(course.summary()))
        print(f"{len(store.records)} games; {store.folder / 'report.html'} shows them")
    return 0


def main():
    """Run, and say in one line what went wrong; return the exit code."""
    sys.setswitchinterval(0.0005)  # so that arriving lines get their time at once
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    args = read_arguments()
    try:
        return run(args)
    except (BadArguments, BadEngine, BadLimit, BadOpening, StoreError, UnplayableGame) as error:
        print(f"tournament.py: {error}", file=sys.stderr)
        return 2
    except (ClusterError, EngineError, OSError) as error:
        print(f"tournament.py: {error}; --resume goes on", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("tournament.py: interrupted; --resume goes on", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
