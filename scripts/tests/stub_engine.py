"""An engine of few wits for the tests of the tournament: it plays the first empty square, or misbehaves.

    stub_engine.py [--protocol uci|gomocup] [--fault FAULT] [--after N] [--variant ...]

From its move number N on (default 2) it does as FAULT says.
"""

import argparse
import os
import random
import sys
import time

FAULTS = ("hang", "exit", "illegal", "late", "garbage", "flood", "newline", "twice", "unasked", "closed", "deaf-start")


def say(text, end="\n"):
    """Write a line at once."""
    sys.stdout.write(text + end)
    sys.stdout.flush()


class Stub:
    """The position, and how to spoil a game."""

    def __init__(self, args):
        self.args = args
        self.moves = []
        self.columns = self.rows = 15
        self.gravity = False
        self.answers = 0
        self.dice = random.Random(args.seed)

    def pick(self):
        """A move: any empty square, at random, or where a stone comes to rest."""
        taken = set(self.moves)
        free = []
        for column in range(self.columns):
            rows = [row for row in range(self.rows) if (column, row) not in taken]
            free += [(column, row) for row in (rows[:1] if self.gravity else rows)]
        return self.dice.choice(free)

    def bad(self, when):
        """Whether it is time for a fault."""
        return self.args.fault == when and self.answers >= self.args.after

    def answer(self, write):
        """Answer once, in the way of the fault. `write(square)` is the line of a move."""
        self.answers += 1
        square = self.pick()
        line = write(square)
        if self.bad("hang"):
            time.sleep(1000)
        elif self.bad("exit"):
            os._exit(3)
        elif self.bad("illegal"):
            line = write(self.moves[-1] if self.moves else (self.columns, self.rows))
        elif self.bad("late"):
            time.sleep(self.args.lateness)
        elif self.bad("garbage"):
            say("xyzzy ?!")
            return None
        elif self.bad("flood"):
            for _ in range(3000):
                say("info string " + 1000 * "x")
        elif self.bad("newline"):
            say(line, end="")
            return None
        elif self.bad("twice"):
            say(line)
        elif self.bad("closed"):
            os.close(1)
            time.sleep(1000)
        say(line)
        return square


def uci(stub):
    """Speak UCI."""
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["uci"]:
            if stub.bad("deaf-start"):
                time.sleep(1000)
            say("id name stub\nuciok")
        elif words[:1] == ["isready"]:
            say("readyok")
        elif words[:1] == ["setoption"]:
            name, value = " ".join(words[2:-2]), words[-1]
            if value in ("cfour", "tictactoe"):
                stub.columns, stub.rows = {"cfour": (7, 6), "tictactoe": (3, 3)}[value]
                stub.gravity = value == "cfour"
            if name in ("Columns", "Rows"):
                setattr(stub, name.lower(), int(value))
        elif words[:1] == ["position"]:
            stub.moves = [(ord(word[0]) - 97, int(word[1:]) - 1) for word in words[3:]]
            if stub.bad("unasked"):
                say("bestmove " + name_of(stub.pick()))
        elif words[:1] == ["go"]:
            stub.answer(lambda square: "bestmove " + name_of(square))
        elif words[:1] == ["quit"]:
            return


def name_of(square):
    """`h8`."""
    return chr(97 + square[0]) + str(square[1] + 1)


def gomocup(stub):
    """Speak Gomocup's protocol; rows count from the top here, which is all the same to the stub."""
    reading = None
    for line in sys.stdin:
        words = line.split()
        word = words[0].upper() if words else ""
        if reading is not None and word != "DONE":
            reading.append(tuple(int(number) for number in line.split(",")[:2]))
            continue
        if word == "START":
            stub.columns = stub.rows = int(words[1])
            stub.moves = []
            say("OK")
        elif word == "RECTSTART":
            stub.columns, stub.rows = (int(number) for number in words[1].split(","))
            stub.moves = []
            say("OK")
        elif word == "BOARD":
            reading = []
        elif word in ("BEGIN", "TURN", "DONE"):
            if word == "DONE":
                stub.moves, reading = reading, None
            if word == "TURN":
                stub.moves.append(tuple(int(number) for number in words[1].split(",")))
            square = stub.answer(lambda square: f"{square[0]},{square[1]}")
            if square:
                stub.moves.append(square)
        elif word == "INFO" and stub.args.fault == "unasked" and words[1] == "time_left":
            say("0,0")
        elif word == "ABOUT":
            say('name="stub", version="1"')
        elif word == "END":
            return


def main():
    """Read the arguments and play."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--protocol", choices=("uci", "gomocup"), default="uci")
    parser.add_argument("--fault", choices=FAULTS)
    parser.add_argument("--after", type=int, default=2)
    parser.add_argument("--lateness", type=float, default=0.6)
    parser.add_argument("--seed", type=int, default=1)
    stub = Stub(parser.parse_args())
    (uci if stub.args.protocol == "uci" else gomocup)(stub)


if __name__ == "__main__":
    main()
