"""What the tests of the scripts share: the path of the modules, stubs, and the command line of the tournament."""

import subprocess
import sys
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SCRIPTS))

STUB = Path(__file__).resolve().parent / "stub_engine.py"


def stub(*arguments):
    """The command of a stub engine."""
    return (sys.executable, str(STUB), *map(str, arguments))


def engine_argument(name, *arguments):
    """A stub as the tournament's command line takes it."""
    command = " ".join(f'"{word}"' for word in stub(*arguments))
    protocol = "gomocup" if "gomocup" in arguments else "uci"
    return ["--engine", f"name={name} proto={protocol} cmd='{command}'"]


def tournament_command(*arguments):
    """The command line of a tournament."""
    return [sys.executable, str(SCRIPTS / "tournament.py"), *map(str, arguments)]


def tournament(*arguments, timeout=50):
    """Run a tournament to its end."""
    return subprocess.run(tournament_command(*arguments), capture_output=True, text=True, timeout=timeout)


def record(moves, first="A", second="B", opening=0, result="x", reason="line", **more):
    """A record of a game, as `match` makes it."""
    plies = len(moves) - opening
    return {"id": f"{first} - {second} #1 a", "pair": f"{first} - {second} #1", "first": first, "second": second,
            "opening": opening, "moves": " ".join(moves), "ms": [1.5] * plies, "scores": [None] * plies,
            "result": result, "reason": reason, "began": "2026-01-02T03:04:05+00:00", "seconds": 1.0, **more}
