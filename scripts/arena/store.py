"""The tournament on disk: what was agreed, and one line for each finished game.

A line is written in one piece and forced to the disk before the game counts. Whatever ends the program, the file has
whole lines and perhaps the beginning of one, which is cut off when the tournament goes on. Everything else in the
folder is derived from these two files.
"""

import json
import os
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

SETTINGS = "tournament.json"
GAMES = "games.jsonl"


class StoreError(Exception):
    """A folder that cannot be used; the text says why and what was expected."""


class Store:
    """The folder of a tournament."""

    def __init__(self, folder):
        """Open a folder that `create` has made."""
        self.folder = Path(folder)
        try:
            self.settings = json.loads((self.folder / SETTINGS).read_text(encoding="utf-8"))
        except FileNotFoundError as error:
            raise StoreError(f"no tournament in {folder}; expected a folder with {SETTINGS}") from error
        except ValueError as error:
            raise StoreError(f"{self.folder / SETTINGS} cannot be read: {error}") from error
        self._file = open(self.folder / GAMES, "a+b")
        self._lock()
        self.records = self._read()

    @classmethod
    def create(cls, folder, settings):
        """Begin a tournament in a folder that has none."""
        folder = Path(folder)
        if (folder / SETTINGS).exists():
            raise StoreError(f"there is a tournament in {folder}; expected --resume {folder}, or another --out")
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / SETTINGS, json.dumps(settings, indent=1) + "\n")
        return cls(folder)

    def _lock(self):
        if fcntl:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise StoreError(f"another process is playing the tournament in {self.folder}") from error

    def _read(self):
        """The records, the first of each id; a torn last line is cut off."""
        self._file.seek(0)
        text = self._file.read()
        whole = text.rfind(b"\n") + 1
        if whole < len(text):
            self._file.truncate(whole)
        records = {}
        for number, line in enumerate(text[:whole].splitlines(), 1):
            try:
                record = json.loads(line)
                records.setdefault(record["id"], record)
            except (ValueError, KeyError, TypeError) as error:
                raise StoreError(f"{self.folder / GAMES}, line {number} is no game: {error!r}") from error
        return records

    def add(self, record):
        """Save a game; return whether it is new."""
        if record["id"] in self.records:
            return False
        self._file.write(json.dumps(record, separators=(",", ":")).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        self.records[record["id"]] = record
        return True

    def close(self):
        """Let others open the folder."""
        self._file.close()


def write_whole(path, text):
    """Write a file so that there is the old one or the new one, never half of it."""
    path = Path(path)
    draft = path.with_name(path.name + ".part")
    with open(draft, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(draft, path)
