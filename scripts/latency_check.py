"""Measures how soon a searching engine answers `isready` and `stop`.

    python3 scripts/latency_check.py                      # 1000 tries of each, every variant, two threads
    python3 scripts/latency_check.py --tries 300 --variants gomoku

The engine runs `go infinite` from random middle games. Exit code 1 when a 99th percentile is over its limit. The
figures hold only on a machine that is otherwise idle and has a core for each thread. This script needs a core as well
when an answer comes; on Linux, root takes that out of the figures by

    chrt -r 10 python3 scripts/latency_check.py --engine "chrt -o 0 target/release/inarow"
"""

import argparse
import os
import random
import sys
import time

from progress import Progress
from referee import VARIANTS, random_board
from uci_engine import Engine, EngineError, add_engine_argument

#: After so many `isready` the search starts anew, from another position.
TRIES_A_SEARCH = 20


def middle_game(variant, dice):
    """A `position` line some random moves into a game."""
    rules = VARIANTS[variant]
    plies = min(20, rules.columns * rules.rows // 4)
    return "position startpos moves " + " ".join(random_board(rules, plies, dice).moves)


def pause(dice):
    """Let the search run for a moment."""
    time.sleep(dice.uniform(0.001, 0.015))


def start_search(engine, variant, dice):
    """Start an endless search from a new position, and wait until it has begun."""
    engine.send("ucinewgame")
    engine.send(middle_game(variant, dice))
    engine.ready()
    engine.send("go infinite")
    engine.read_until("info", 5)


def stop_search(engine):
    """Stop the search; return how many ms its bestmove took."""
    start = engine.send("stop")
    return (engine.read_until("bestmove", 10)[-1].time - start) * 1000


def measure_ready(engine, variant, tries, dice, progress):
    """How many ms `readyok` takes during a search, for each try."""
    times = []
    while len(times) < tries:
        start_search(engine, variant, dice)
        for _ in range(min(TRIES_A_SEARCH, tries - len(times))):
            pause(dice)
            start = engine.send("isready")
            times.append((engine.read_until("readyok", 10)[-1].time - start) * 1000)
            progress.show(len(times))
        stop_search(engine)
    return times


def measure_stop(engine, variant, tries, dice, progress):
    """How many ms a bestmove takes after `stop`, for each try."""
    times = []
    while len(times) < tries:
        start_search(engine, variant, dice)
        pause(dice)
        times.append(stop_search(engine))
        progress.show(len(times))
    return times


def percentile(times, percent):
    """The time within which `percent` of the tries were answered."""
    return sorted(times)[min(len(times) - 1, int(len(times) * percent / 100))]


MEASURES = (("isready", measure_ready), ("stop", measure_stop))


def check_variant(args, variant):
    """Measure one variant and print its rows; return what was too slow."""
    dice = random.Random(f"{args.seed} {variant}")
    engine = Engine(args.engine)
    engine.handshake()
    engine.set_options({"UCI_Variant": variant, "Threads": args.threads})
    too_slow = []
    for name, measure in MEASURES:
        progress = Progress(f"{variant} {name}", args.tries)
        times = measure(engine, variant, args.tries, dice, progress)
        progress.close()
        figures = [percentile(times, percent) for percent in (50, 95, 99)] + [max(times)]
        print(f"{variant:16} {name:8}" + "".join(f"{figure:9.2f}" for figure in figures), flush=True)
        limit = getattr(args, f"{name}_limit")
        if figures[2] > limit:
            too_slow.append(f"{variant}: {name} 99th percentile {figures[2]:.2f} ms, limit {limit:g} ms")
    code = engine.quit()
    if code or engine.stderr_text:
        too_slow.append(f"{variant}: exit code {code}, stderr {engine.stderr_text[:300]!r}")
    return too_slow


def read_arguments():
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_engine_argument(parser)
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=list(VARIANTS), metavar="VARIANT",
                        help="some of %(choices)s (default: all)")
    parser.add_argument("--tries", type=int, default=1000, help="of each kind, a variant (default: %(default)s)")
    parser.add_argument("--threads", type=int, default=2, help="the engine's threads (default: %(default)s)")
    for name, limit in (("isready", 5), ("stop", 10)):
        parser.add_argument(
            f"--{name}-limit", type=float, default=limit, metavar="MS",
            help="for the 99th percentile (default: %(default)s)",
        )
    parser.add_argument("--seed", type=int, default=1, help="of the positions (default: %(default)s)")
    return parser.parse_args()


def main():
    """Check all variants; return the exit code."""
    args = read_arguments()
    if hasattr(os, "getloadavg"):
        print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores before the start")
    print(f"{'variant':16} {'answer':8}{'median':>9}{'95 %':>9}{'99 %':>9}{'max':>9}  (ms)", flush=True)
    complaints = []
    for variant in args.variants:
        try:
            complaints += check_variant(args, variant)
        except EngineError as error:
            complaints.append(f"{variant}: {error}")
    print("\n".join(["faults:", *complaints]) if complaints else "no faults")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
