"""The course of a tournament: jobs out, records in, everything saved as it comes."""

import json
import re
import time

from arena import cluster, local, records, standings
from arena.judge import Judge
from arena.match import Terms
from arena.openings import FileOpenings, RandomOpenings
from arena.report import report
from arena.schedule import jobs, pairings
from arena.screen import Screen, duration
from arena.sprt import Test
from arena.store import Store, write_whole

#: The page and the results are written anew so often while games are played, in seconds.
REWRITE = 60


class Course:
    """A tournament in a folder."""

    def __init__(self, store: Store):
        """Take up the tournament where the folder leaves it."""
        self.store, settings = store, store.settings
        self.terms = Terms.from_json(settings["terms"])
        self.names = [engine.name for engine in self.terms.engines]
        self.test = Test(**settings["sprt"]) if settings["mode"] == "sprt" else None
        self.meetings = pairings(settings["mode"], self.names, settings["challengers"])
        rounds = settings["rounds"]
        self.total = rounds and 2 * rounds * len(self.meetings)
        self.judge = None
        self.began, self.before = time.monotonic(), len(store.records)
        self.written = time.monotonic()

    def play(self, concurrency, address=None):
        """Play what is missing, until all is played or the test is decided; `concurrency` `None`: as at first."""
        concurrency = concurrency or self.store.settings.get("concurrency")
        # The last games of a run that was killed may lack their files.
        for draft in self.store.folder.rglob("*.part"):
            draft.unlink()
        for number, record in enumerate(self.store.records.values(), 1):
            self._save_game(number, record, only_missing=True)
        screen = Screen()
        if self._is_decided():
            return
        missing = jobs(self.meetings, self.store.settings["rounds"], self._openings().opening, {
            name: record["moves"].split()[:record["opening"]] for name, record in self.store.records.items()
        })
        if address:
            results = cluster.play(self.terms, missing, address, concurrency)
        else:
            results = local.play(self.terms, missing, concurrency or 1)
        try:
            for record in results:
                if record and self.store.add(record):
                    self._save_game(len(self.store.records), record)
                    if self._is_decided():
                        break
                if screen.is_due():
                    screen.show(self._progress(), self._lines())
                if time.monotonic() - self.written > REWRITE:
                    self.write()
        finally:
            screen.clear()
            results.close()
            if self.judge:
                self.judge.close()

    def _openings(self):
        settings, rules = self.store.settings["openings"], self.terms.game.rules
        if "lines" in settings:
            openings = FileOpenings.__new__(FileOpenings)
            openings.lines = [tuple(line) for line in settings["lines"]]
            return openings
        if settings["balance"] and settings["plies"] and self.terms.judge:
            self.judge = Judge(self.terms.judge, self.terms.game)
        return RandomOpenings(rules, settings["plies"], settings["seed"], self.judge, settings["balance"])

    def _is_decided(self):
        """Whether a test has come to its verdict."""
        return bool(self.test and self.sprt()["verdict"])

    def sprt(self):
        """The state of the test; `None` in other tournaments."""
        return self.test and standings.sprt_state(self.test, self.names[0], self.games())

    def games(self):
        """The records."""
        return list(self.store.records.values())

    def _progress(self):
        """One line on how far it has come."""
        done, seconds = len(self.store.records), time.monotonic() - self.began
        pace = (done - self.before) / seconds if seconds else 0
        text = f"{done} games" if self.test else f"{done} of {self.total} games"
        if pace and not self.test:
            text += f", {duration((self.total - done) / pace)} to go"
        return text + (f"; {standings.line_of_sprt(self.sprt())}" if self.test else "")

    def _lines(self):
        return standings.lines_of_table(standings.table(self.names, self.games()))

    def summary(self):
        """The table, and the state of the test."""
        return self._lines() + ([standings.line_of_sprt(self.sprt())] if self.test else [])

    def _save_game(self, number, record, only_missing=False):
        """Write the files of a game; failing that, its line in `games.jsonl` is still there."""
        game, folder = self.terms.game, self.store.folder
        stem = file_stem(number, record)
        files = {f"sgf/{stem}.sgf": lambda: records.sgf(record, game, self.store.settings["title"], number)}
        if records.holds_psq(game.rules):
            files[f"psq/{stem}.psq"] = lambda: records.psq(record, game)
        if game.rules.gravity:
            files[f"moves/{stem}.txt"] = lambda: records.move_string(record, game) + "\n"
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            if not (only_missing and path.exists()):
                # Written in one piece, but not forced to the disk: it can be made again from `games.jsonl`.
                draft = path.with_name(path.name + ".part")
                draft.write_text(text(), encoding="utf-8", newline="\n")
                draft.replace(path)

    def write(self):
        """Write `results.json` and `report.html`."""
        games, settings = self.games(), self.store.settings
        results = {
            "title": settings["title"], "mode": settings["mode"], "game": self.terms.game.title,
            "finished": bool(self._is_decided() or self.total and len(games) >= self.total),
            "games_planned": self.total, "tolerance_ms": self.terms.settings.tolerance,
            "engines": {engine.name: {"limits": engine.limits.text, "protocol": engine.protocol}
                        for engine in self.terms.engines},
            "standings": finite(standings.table(self.names, games)),
            "cross_table": standings.cross_table(games), "sprt": finite(self.sprt()), "games": games,
        }
        if self.test:
            results["sprt"]["history"] = standings.sprt_history(self.test, self.names[0], games)
        write_whole(self.store.folder / "results.json", json.dumps(results, indent=1) + "\n")
        files = [f"{file_stem(number, record)}.sgf" for number, record in enumerate(games, 1)]
        write_whole(self.store.folder / "report.html", report(results, self.terms.game, files))
        self.written = time.monotonic()


def finite(value):
    """Plain values for JSON, which knows no infinity: `null` there."""
    if isinstance(value, dict):
        return {key: finite(one) for key, one in value.items()}
    if isinstance(value, list):
        return [finite(one) for one in value]
    return None if isinstance(value, float) and abs(value) == float("inf") else value


def file_stem(number, record):
    """The name of a game's files: its place in `games.jsonl`, which never changes, and the players."""
    return f"{number:05}-{safe(record['first'])}-{safe(record['second'])}"


def safe(name):
    """A name as a part of a file name."""
    return re.sub(r"[^A-Za-z0-9._]+", "_", name)[:40] or "_"
