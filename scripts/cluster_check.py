"""Checks that a tournament on a Dask cluster loses nothing when a worker dies in the middle of a game.

    pip install distributed
    python3 scripts/cluster_check.py

Starts a scheduler and two workers on this machine, plays a tournament of the engine against itself, kills one worker with
a game on it, and looks whether every game was played exactly once. Exit code 1 when not, 2 when the library is missing.
"""

import argparse
import importlib.util
import json
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from uci_engine import add_engine_argument

#: Nothing here takes longer, in seconds.
PATIENCE = 120


def start(*arguments):
    """Start a part of Dask."""
    command = [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:]]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def wait_for(condition, what):
    """Wait until something holds."""
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"no {what} within {PATIENCE} s")
        time.sleep(0.05)


def check(args, folder, processes):
    """Play the tournament, a worker dying on the way; return the faults."""
    address_file, out = folder / "scheduler.json", folder / "out"
    processes.append(start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
                           "--scheduler-file", str(address_file)))
    wait_for(address_file.exists, "scheduler")
    address = json.loads(address_file.read_text())["address"]
    workers = [start("dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard",
                     "--local-directory", str(folder)) for _ in range(2)]
    processes += workers
    command = shlex.join(args.engine)
    tournament = subprocess.Popen([
        sys.executable, str(Path(__file__).with_name("tournament.py")), "roundrobin", "--judge", "none",
        "--engine", f"name=a nodes={args.nodes} cmd={shlex.quote(command)}", "--rounds", str(args.rounds),
        "--engine", f"name=b nodes={args.nodes // 2} cmd={shlex.quote(command)}", "--dask", address, "--out", str(out),
    ])
    processes.append(tournament)
    games = out / "games.jsonl"
    wait_for(lambda: games.exists() and games.read_bytes().count(b"\n") >= args.rounds // 2, "games")
    workers[0].kill()
    print(f"a worker was killed after {games.read_bytes().count(bytes([10]))} games", flush=True)
    code = tournament.wait(PATIENCE)
    found = sorted(json.loads(line)["id"] for line in games.read_text().splitlines())
    expected = sorted(f"a - b #{number + 1} {colours}" for number in range(args.rounds) for colours in "ab")
    faults = [f"exit code {code}"] if code else []
    return faults + ([] if found == expected else [f"games {found}; expected {expected}"])


def main():
    """Run the check; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_engine_argument(parser)
    parser.add_argument("--rounds", type=int, default=20, help="pairs of games (default: %(default)s)")
    parser.add_argument("--nodes", type=int, default=5000, help="positions a move (default: %(default)s)")
    args = parser.parse_args()
    if importlib.util.find_spec("distributed") is None:
        print("dask.distributed is not installed; type: pip install distributed", file=sys.stderr)
        return 2
    processes = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        try:
            faults = check(args, Path(folder), processes)
        finally:
            for process in processes:
                process.kill()
    print("\n".join(["faults:", *faults]) if faults else f"{2 * args.rounds} games, none lost or repeated: no faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
