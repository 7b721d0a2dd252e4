#!/usr/bin/env python3
"""Solve empty boards whose values are known from elsewhere, and compare: those of tests/data/connect4/boards.csv, where stones fall, and
those of tests/data/mnk/values.csv, where they do not.

usage: boards_check.py [--engine target/release/inarow] [--hash MB] [--threads N] [--cells N] [--only gravity|free]
Prints a line for each board with the value, nodes and seconds. The best moves are proven too, and no opening table is used. With gravity,
boards of 36 cells take seconds, of 40 cells and more minutes (10x4: 13, 7x7: 5 with two threads and --hash 8192); 9x4 without gravity takes
minutes, too. Boards without gravity for which hours may not do are left out.
"""
import argparse, csv, os, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Columns, rows, line: out of reach, or too large for the solver.
HARD = {(10, 4, 4), (30, 4, 4), (8, 8, 5), (15, 15, 5)}


def rows(name):
    with open(os.path.join(ROOT, "tests/data", name), encoding="utf-8") as file:
        found = csv.DictReader(line for line in file if not line.startswith("#"))
        return sorted(found, key=lambda row: int(row.get("W") or row["m"]) * int(row.get("H") or row["n"]))


def falling():
    """(columns, rows, line, value wanted) with gravity"""
    for row in rows("connect4/boards.csv"):
        if row["last_move"]:
            last = int(row["last_move"])
            win, loss = f"win mate {(last + 1) // 2}", f"loss mate -{last // 2}"
            yield int(row["W"]), int(row["H"]), 4, {"first": win, "second": loss, "draw": "draw cp 0"}[row["value"]]


def free():
    """The same without gravity; how long a win takes is not known."""
    for row in rows("mnk/values.csv"):
        board = int(row["m"]), int(row["n"]), int(row["k"])
        if board not in HARD:
            yield *board, {"win": "win", "draw": "draw cp 0"}[row["value"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default=os.path.join(ROOT, "target/release/inarow"))
    parser.add_argument("--hash", type=int, default=256)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--cells", type=int, default=42, help="boards with at most so many cells")
    parser.add_argument("--only", choices=["gravity", "free"])
    arguments = parser.parse_args()
    boards = [] if arguments.only == "free" else [(board, []) for board in falling()]
    boards += [] if arguments.only == "gravity" else [(board, ["--free"]) for board in free()]
    wrong = 0
    for (columns, height, line, wanted), options in boards:
        if columns * height > arguments.cells:
            continue
        command = [arguments.engine, "solve", "mnk", "--hash", str(arguments.hash), "--threads", str(arguments.threads), "--no-book", *options]
        command += ["--columns", str(columns), "--rows", str(height), "--line", str(line)]
        reply = subprocess.run(command, input="\n", text=True, capture_output=True, check=True).stdout
        value, _, rest = reply.strip().removeprefix("startpos: ").partition(" best ")
        words = rest.split()
        good = value == wanted or value.startswith(wanted + " ")
        wrong += not good
        nodes, seconds = int(words[words.index("nodes") + 1]), float(words[words.index("ms") + 1]) / 1000
        name = f"{columns}x{height}, {line} in a row" + ("" if options else ", stones fall")
        print(f"{name:<32} {value:<14} {nodes:>12} nodes {seconds:9.3f} s", "" if good else f"WRONG, expected {wanted}", flush=True)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
