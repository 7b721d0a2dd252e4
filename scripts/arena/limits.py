"""How long an engine may think: a clock, a time for each move, nodes, depth."""

import re
from dataclasses import dataclass


class BadLimit(ValueError):
    """A limit that cannot be read; the text says what was expected."""


@dataclass(frozen=True)
class Limits:
    """Any may be combined; the times are in milliseconds."""

    clock: int | None = None
    increment: int = 0
    movetime: int | None = None
    nodes: int | None = None
    depth: int | None = None

    def __bool__(self):
        return any((self.clock, self.movetime, self.nodes, self.depth))

    def for_move(self, left):
        """How many milliseconds the next move may take with `left` on the clock; `None` if time is no limit."""
        times = [time for time in (left if self.clock else None, self.movetime) if time is not None]
        return min(times, default=None)

    @property
    def text(self):
        """As it is written on the command line."""
        words = [f"tc={self.clock / 1000:g}+{self.increment / 1000:g}"] if self.clock else []
        words += [f"{name}={getattr(self, name)}" for name in ("movetime", "nodes", "depth") if getattr(self, name)]
        return " ".join(words)

    def changed(self, words):
        """These limits with some replaced: `{"tc": "10+0.1"}`, `{"nodes": "1000"}`."""
        values = dict(self.__dict__)
        for name, text in words.items():
            if name == "tc":
                values["clock"], values["increment"] = read_clock(text)
            elif not re.fullmatch(r"[1-9]\d{0,11}", text):
                raise BadLimit(f"{name} '{text}'; expected a number from 1")
            else:
                values[name] = int(text)
        return Limits(**values)


#: The words of limits on the command line.
NAMES = ("tc", "movetime", "nodes", "depth")


def read_clock(text):
    """The milliseconds of `10+0.1` (seconds, and seconds added with each move)."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)(?:\+(\d+(?:\.\d+)?))?", text)
    if not match or float(match[1]) <= 0:
        raise BadLimit(f"time control '{text}'; expected seconds + increment, as in 10+0.1")
    return round(float(match[1]) * 1000), round(float(match[2] or 0) * 1000)
