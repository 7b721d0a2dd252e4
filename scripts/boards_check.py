#!/usr/bin/env python3
"""Solve the empty boards of tests/data/connect4/boards.csv that another solver has confirmed, and compare.

usage: boards_check.py [--engine target/release/inarow] [--hash MB] [--cells N]
Prints a line for each board with the value, nodes and seconds. The best moves are proven too, so the largest (7x6, 8x5) take minutes.
"""
import argparse, csv, os, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default=os.path.join(ROOT, "target/release/inarow"))
    parser.add_argument("--hash", type=int, default=256)
    parser.add_argument("--cells", type=int, default=42, help="boards with at most so many cells")
    arguments = parser.parse_args()
    wrong = 0
    with open(os.path.join(ROOT, "tests/data/connect4/boards.csv"), encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    for row in rows:
        columns, height = int(row["W"]), int(row["H"])
        if row["verified_here"] != "yes" or columns * height > arguments.cells:
            continue
        last = int(row["last_move"])
        wanted = {"first": f"win mate {(last + 1) // 2}", "second": f"loss mate -{last // 2}", "draw": "draw cp 0"}[row["value"]]
        command = [arguments.engine, "solve", "mnk", "--line", "4", "--columns", str(columns), "--rows", str(height)]
        reply = subprocess.run(command + ["--hash", str(arguments.hash)], input="\n", text=True, capture_output=True, check=True).stdout
        value, _, rest = reply.strip().removeprefix("startpos: ").partition(" best ")
        words = rest.split()
        good = value == wanted
        wrong += not good
        nodes, seconds = int(words[words.index("nodes") + 1]), float(words[words.index("ms") + 1]) / 1000
        print(f"{columns}x{height} {value:<14} {nodes:>12} nodes {seconds:9.2f} s", "" if good else f"WRONG, expected {wanted}", flush=True)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
