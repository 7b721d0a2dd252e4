"""A progress line on a terminal (shared by the checks in this folder); silent when stderr is no terminal."""

import sys
import time


class Progress:
    """Shows `label: done/total note` on stderr, at most five times a second."""

    def __init__(self, label, total):
        self.label, self.total = label, total
        self.shown = 0.0
        self.terminal = sys.stderr.isatty()

    def show(self, done, note=""):
        """Say how far the work has come."""
        now = time.monotonic()
        if self.terminal and (now - self.shown > 0.2 or done == self.total):
            self.shown = now
            print(f"\r\x1b[K{self.label}: {done}/{self.total} {note}", end="", file=sys.stderr, flush=True)

    def close(self):
        """Remove the line."""
        if self.terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
