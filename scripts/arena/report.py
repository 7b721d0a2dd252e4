"""`report.html`: one page that holds everything, styles, script and all games, and needs no network."""

import json
from html import escape
from pathlib import Path

from arena.match import FORFEITS
from arena.process import KINDS

PAGE = Path(__file__).resolve().parent / "page"

#: How a game may end, for people; those of `KINDS` beside.
ENDS = {
    "line": "made a line", "full board": "the board was full", "no legal move": "no legal move was left",
    "resigned": "gave up by its own account", "agreed": "both saw a draw", "too long": "so many plies are a draw",
}


def report(results, game, files=()):
    """The page of what `results.json` holds; `files` are the names of the games' SGF files, in order."""
    data = {key: results[key] for key in ("title", "mode", "game", "finished", "games_planned", "tolerance_ms",
                                          "engines", "standings", "cross_table", "sprt")}
    names = [row["name"] for row in results["standings"]]
    rules = game.rules
    data["rules"] = {"columns": rules.columns, "rows": rules.rows, "line": rules.line, "gravity": rules.gravity,
                     "five": rules.line == 5 and not rules.gravity}
    data["reasons"] = {**ENDS, **KINDS}
    data["forfeits"] = sorted(FORFEITS)
    data["files"] = list(files)
    data["games"] = [_short(record, names) for record in results["games"]]
    # Within a script element only "</" could end it, and "<!--" could confuse it.
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
    page = _file("report.html")
    parts = {
        "TITLE": escape(results["title"]),
        "STYLE": _file("report.css"),
        "SCRIPT": "\n".join(map(_file, ("charts.js", "viewer.js", "report.js"))),
        "DATA": text,
    }
    for name, part in parts.items():
        page = page.replace(f"@{name}@", part, 1)
    return page


def _file(name):
    return (PAGE / name).read_text(encoding="utf-8")


def _short(record, names):
    """A game in little space: the page of a thousand games must load fast."""
    game = {
        "a": names.index(record["first"]), "b": names.index(record["second"]), "id": record["id"],
        "o": record["opening"], "m": record["moves"], "t": record["ms"], "s": record["scores"],
        "r": record["result"], "w": record["reason"],
    }
    optional = {"d": record.get("detail"), "n": record.get("notes"), "log": record.get("log")}
    if record.get("loser"):
        optional["l"] = names.index(record["loser"])
    return {**game, **{key: value for key, value in optional.items() if value is not None}}
