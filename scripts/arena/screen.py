"""Live progress: a table that stays in place on a terminal, a line now and then elsewhere (all on stderr)."""

import shutil
import sys
import time

#: How often the table is drawn on a terminal, and a line written elsewhere, in seconds.
REDRAW, LINE = 0.5, 30


class Screen:
    """Where progress is shown."""

    def __init__(self):
        self.terminal = sys.stderr.isatty()
        self.shown = float("-inf") if self.terminal else time.monotonic()
        self.height = 0

    def is_due(self):
        """Whether it is time to show something."""
        return time.monotonic() - self.shown >= (REDRAW if self.terminal else LINE)

    def show(self, line, table):
        """Show a line, and on a terminal the lines of a table under it."""
        self.shown = time.monotonic()
        if not self.terminal:
            print(line, file=sys.stderr, flush=True)
            return
        columns, rows = shutil.get_terminal_size()
        lines = [text[:columns - 1] for text in [line, *table][:rows - 1]]
        self.clear()
        print("\n".join(lines), end="", file=sys.stderr, flush=True)
        self.height = len(lines)

    def clear(self):
        """Remove what is shown on a terminal."""
        if self.height:
            up = f"\x1b[{self.height - 1}A" if self.height > 1 else ""
            print(f"\r{up}\x1b[J", end="", file=sys.stderr, flush=True)
        self.height = 0


def duration(seconds):
    """`1 h 02 min`, `3 min 04 s`, `5 s`."""
    seconds = round(seconds)
    if seconds >= 3600:
        return f"{seconds // 3600} h {seconds % 3600 // 60:02} min"
    return f"{seconds // 60} min {seconds % 60:02} s" if seconds >= 60 else f"{seconds} s"
