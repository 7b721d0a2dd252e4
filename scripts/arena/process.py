"""An engine as a child process that may hang, die, flood or lie.

Nothing here blocks for longer than it was told to, or keeps more than a megabyte or two, whatever the child does.
"""

import os
import queue
import signal
import subprocess
import sys
import time

from uci_engine import Engine, EngineError, Line

#: A line longer than this, in bytes, is no line of a protocol.
LONGEST_LINE = 1 << 16
#: More bytes than this after one request is a flood.
MOST_OUTPUT = 1 << 20
#: So much of stderr is kept, in characters.
KEPT_STDERR = 4000


class Fault(EngineError):
    """What an engine did wrong: `kind` is one word of `KINDS`, the text says it in full."""

    def __init__(self, kind, text):
        super().__init__(text)
        self.kind = kind


#: The kinds of faults, and what they mean for people.
KINDS = {
    "start": "could not be started, or did not say that it is ready",
    "exit": "ended by itself",
    "closed": "closed its output",
    "hang": "gave no move",
    "late": "moved too late",
    "illegal": "made an illegal move",
    "garbage": "said something that is no move",
    "flood": "wrote too much",
    "newline": "did not end its line",
    "twice": "answered twice",
    "unasked": "answered before it was asked",
    "deaf": "does not read what it is sent",
    "refused": "refused the game or an option",
}


class GuardedEngine(Engine):
    """An engine whose output is limited, and that is killed with all that it has started."""

    def __init__(self, command, directory=None):
        """Start a command in a directory."""
        self.received = 0
        self.flooded = False
        self.partial = b""
        # A session of its own: the engine's children die with it, and Ctrl-C is the tournament's alone.
        settings = {"start_new_session": True} if os.name == "posix" else {}
        try:
            super().__init__(command, cwd=directory, **settings)
        except EngineError as error:
            raise Fault("start", str(error)) from error
        if os.name == "posix":
            os.set_blocking(self.process.stdin.fileno(), False)

    def _read_stdout(self):
        with self.process.stdout as stdout:
            while chunk := self._read_chunk(stdout):
                now = time.perf_counter()
                self.received += len(chunk)
                *lines, self.partial = (self.partial + chunk).split(b"\n")
                if self.received > MOST_OUTPUT or len(self.partial) > LONGEST_LINE:
                    self.flooded = True
                    self._kill_group()
                    break
                for raw in lines:
                    self._lines.put(Line(now, raw.decode("utf-8", "replace").rstrip("\r")))
        self._lines.put(None)

    def _read_stderr(self):
        with self.process.stderr as stderr:
            while chunk := self._read_chunk(stderr):
                self.stderr_text = (self.stderr_text + chunk.decode("utf-8", "replace"))[-KEPT_STDERR:]

    @staticmethod
    def _read_chunk(stream):
        try:
            return os.read(stream.fileno(), 1 << 16)
        except OSError:
            return b""

    def send(self, text):
        """Send one line; the count of what the engine may write begins anew."""
        self.received = 0
        return super().send(text)

    def send_bytes(self, data):
        """Send bytes; an engine that does not read them is `deaf`, and is not waited for."""
        self.transcript.append("> " + data[:300].decode("utf-8", "backslashreplace").rstrip("\n"))
        now = time.perf_counter()
        try:
            written = self.process.stdin.write(data)
        except (OSError, ValueError) as error:
            raise self._end(f"it no longer reads ({error})") from error
        if written != len(data):
            raise Fault("deaf", "it does not read what it is sent")
        return now

    def read_line(self, timeout):
        """The next line, `None` when none came in time; raises `Fault` at the end of the output."""
        try:
            return super().read_line(timeout)
        except Fault:
            raise
        except EngineError as error:
            raise self._end("its output ended") from error

    def _end(self, what):
        """Why nothing more comes."""
        if self.flooded:
            return Fault("flood", f"more than {MOST_OUTPUT >> 20} MiB of output after one request,"
                                  f" or a line of more than {LONGEST_LINE >> 10} KiB")
        try:
            code = self.process.wait(0.5)  # the output ends a moment before the process does
        except subprocess.TimeoutExpired:
            return Fault("closed", f"{what}, but the process runs on")
        return Fault("exit", f"exit code {code}")

    def waiting_lines(self):
        """The lines that have come and were not read."""
        lines = []
        while True:
            try:
                line = self._lines.get_nowait()
            except queue.Empty:
                return lines
            if line is None:
                self._lines.put(None)
                return lines
            self.transcript.append("< " + line.text[:300])
            lines.append(line)

    def waits(self):
        """How many milliseconds each thread has waited for a processor so far, in the engine and in this process.

        Empty dictionaries where nobody tells; Linux does.
        """
        return _waits(self.process.pid), _waits(os.getpid())

    def kill(self):
        """End the process and its children at once, without fail."""
        self._kill_group()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            print(f"process {self.process.pid} cannot be killed", file=sys.stderr)
        try:
            self.process.stdin.close()
        except OSError:
            pass

    def _kill_group(self):
        try:
            if os.name == "posix":
                os.killpg(self.process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
        try:
            self.process.kill()
        except OSError:
            pass

    def log(self, lines=12):
        """The end of the dialogue, for the record."""
        return [text[:160] for text in list(self.transcript)[-lines:]]


def _waits(process):
    """The waits of a process by the names of its threads."""
    waits = {}
    try:
        for name in os.listdir(tasks := f"/proc/{process}/task"):
            with open(f"{tasks}/{name}/schedstat", encoding="ascii") as file:
                waits[name] = int(file.read().split()[1]) / 1e6
    except (OSError, ValueError, IndexError):
        pass
    return waits
