"""Runs a UCI or UGI engine as a child process (shared by the checks in this folder).

Two threads read the engine's stdout and stderr, so no call here blocks longer than the time that it was given,
and every line carries the moment at which it arrived.

    engine = Engine(["target/release/inarow"])
    engine.handshake()
    engine.send("go movetime 20")
    lines = engine.read_until("bestmove", timeout=1)
    assert engine.quit() == 0
"""

import argparse
import queue
import shlex
import subprocess
import sys
import threading
import time
from collections import deque
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
DEFAULT_ENGINE = ROOT / "target" / "release" / ("inarow.exe" if sys.platform == "win32" else "inarow")


class EngineError(Exception):
    """The engine ended, or did not answer in time."""


class Line(NamedTuple):
    """A line of the engine, and when it came (`time.perf_counter`)."""

    time: float
    text: str


class Engine:
    """One engine process."""

    def __init__(self, command, **settings):
        """Start `command`, a list of program and arguments; `settings` go to `subprocess.Popen` (`cwd` ...)."""
        self.transcript = deque(maxlen=2000)
        self.stderr_text = ""
        pipe = subprocess.PIPE
        try:
            self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, **settings)
        except OSError as error:
            raise EngineError(f"cannot start {command[0]}: {error.strerror}") from error
        self._lines = queue.Queue()
        self._readers = [threading.Thread(target=read, daemon=True) for read in (self._read_stdout, self._read_stderr)]
        for reader in self._readers:
            reader.start()

    def _read_stdout(self):
        with self.process.stdout as stdout:
            for raw in stdout:
                now = time.perf_counter()
                self._lines.put(Line(now, raw.decode("utf-8", "replace").rstrip("\r\n")))
        self._lines.put(None)

    def _read_stderr(self):
        with self.process.stderr as stderr:
            for raw in stderr:
                self.stderr_text += raw.decode("utf-8", "replace")

    def send(self, text):
        """Send one line; return the moment just before it was written."""
        return self.send_bytes(text.encode() + b"\n")

    def send_bytes(self, data):
        """Send bytes as they are; return the moment just before they were written."""
        for line in data[:3000].splitlines():
            self.transcript.append("> " + line[:300].decode("utf-8", "backslashreplace"))
        now = time.perf_counter()
        try:
            self.process.stdin.write(data)
        except OSError as error:
            raise EngineError(f"the engine no longer reads ({error}); exit code {self.process.poll()}") from error
        return now

    def read_line(self, timeout):
        """The next line, `None` when none came in time; raises `EngineError` at the end of the output."""
        try:
            line = self._lines.get(timeout=max(timeout, 0))
        except queue.Empty:
            return None
        if line is None:
            self._lines.put(None)
            raise EngineError(f"the engine's output ended; exit code {self.process.poll()}")
        self.transcript.append("< " + line.text[:300])
        return line

    def read_until(self, word, timeout):
        """The lines up to and including the first whose first word is `word`."""
        lines, end = [], time.perf_counter() + timeout
        while True:
            line = self.read_line(end - time.perf_counter())
            if line is None:
                raise EngineError(f"no '{word}' within {timeout:g} s")
            lines.append(line)
            if line.text.split(maxsplit=1)[:1] == [word]:
                return lines

    def handshake(self, protocol="uci", timeout=10):
        """Say `uci` or `ugi`; return the lines of the answer."""
        self.send(protocol)
        return self.read_until(protocol + "ok", timeout)

    def ready(self, timeout=10):
        """Say `isready`; return the lines up to `readyok`."""
        self.send("isready")
        return self.read_until("readyok", timeout)

    def set_options(self, options):
        """Set the options of a dictionary, then wait for `readyok`; an error line raises `EngineError`."""
        for name, value in options.items():
            self.send(f"setoption name {name} value {value}")
        for line in self.ready():
            if line.text.startswith("info string error"):
                raise EngineError(f"option refused: {line.text}")

    def close_input(self):
        """End the engine's input."""
        self.process.stdin.close()

    def wait(self, timeout):
        """The exit code of an engine that was told to end; one that does not end is killed and raises `EngineError`."""
        try:
            code = self.process.wait(timeout)
        except subprocess.TimeoutExpired as error:
            self.kill()
            raise EngineError(f"the engine did not end within {timeout:g} s") from error
        for reader in self._readers:
            reader.join(timeout)
        return code

    def quit(self, timeout=5):
        """Say `quit` and return the exit code."""
        self.send("quit")
        code = self.wait(timeout)
        self.process.stdin.close()
        return code

    def kill(self):
        """End the process at once."""
        self.process.kill()
        self.process.wait()


def add_engine_argument(parser):
    """Give a script the option `--engine`, a command line."""
    parser.add_argument(
        "--engine", type=command_line, default=[str(DEFAULT_ENGINE)], metavar="PATH",
        help="the engine to check (default: target/release/inarow of this repository)",
    )


def command_line(text):
    """Split a command as a shell does, unless the whole text is the path of a file."""
    if Path(text).is_file():
        return [text]
    words = shlex.split(text)
    if not words:
        raise argparse.ArgumentTypeError("empty command")
    return words
