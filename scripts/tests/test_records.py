"""Every record written reads back as the same game; the page holds all of them and nothing from elsewhere."""

import importlib.util
import json
import random
import re
import unittest

from support import record
from arena import records
from arena.game import Game
from arena.report import report
from referee import Board

GAMES = (
    Game(), Game("renju"), Game("gomoku", 20, 20), Game("gomokufreestyle", 26, 9), Game("tictactoe"), Game("cfour"),
    Game("connect4-7x7"), Game("mnk", 12, 4, 4, True, "nothing"), Game("caro", overline="wins"),
)
NAMES = ("A", "B [x] \\", "semi;colon (y)", "ünï", "a:b")


def random_game(game, dice):
    board = Board(game.rules)
    while not board.result and len(board.played) < 60:
        board.play(dice.choice(board.legal_moves()))
    return record(board.moves, dice.choice(NAMES), dice.choice(NAMES), min(2, len(board.played)),
                  board.result or "draw", detail="why ] not \\")


class RoundTrips(unittest.TestCase):
    def setUp(self):
        self.dice = random.Random(3)

    def test_sgf(self):
        for game in GAMES:
            for _ in range(10):
                played = random_game(game, self.dice)
                read = records.read_sgf(records.sgf(played, game, "an [event]", 7))
                rules = game.rules
                self.assertEqual(" ".join(read.moves), played["moves"])
                self.assertEqual((read.columns, read.rows), (rules.columns, rules.rows))
                self.assertEqual((read.first, read.second), (played["first"], played["second"]))
                self.assertEqual(read.result, played["result"])
                self.assertEqual((read.game["variant"], read.game["line"], read.game["overline"]),
                                 (game.variant, str(rules.line), rules.overline))

    def test_psq(self):
        for game in filter(lambda game: records.holds_psq(game.rules), GAMES):
            for _ in range(10):
                played = random_game(game, self.dice)
                read = records.read_psq(records.psq(played, game))
                self.assertEqual(" ".join(read.moves), played["moves"])
                self.assertEqual(read.game["variant"], game.variant)
                self.assertEqual((read.first, read.second), (played["first"], played["second"]))
                self.assertEqual((read.columns, read.rows), (game.rules.columns, game.rules.rows))

    def test_psq_refuses_what_it_cannot_hold(self):
        with self.assertRaisesRegex(records.RecordError, "use .sgf"):
            records.psq(record(["a1"]), Game("cfour"))

    def test_move_strings(self):
        for game in filter(lambda game: game.rules.gravity, GAMES):
            for _ in range(10):
                played = random_game(game, self.dice)
                text = records.move_string(played, game)
                self.assertEqual(" ".join(records.read_move_string(text, game.rules)), played["moves"])

    def test_a_corner_and_a_result_as_they_are_written(self):
        text = records.sgf(record(["a15", "o1"], result="o", reason="late"), Game())
        self.assertIn(";B[aa]", text)
        self.assertIn(";W[oo]", text)
        self.assertIn("RE[W+T]", text)
        self.assertIn("1,1,2\n15,15,2\nA\nB\nvariant=", records.psq(record(["a15", "o1"]), Game()))
        self.assertEqual(records.read_psq("Piskvorky 15x15, 11:11, 0\n1,1,2\nA\nB\n-1\n").game, {})

    def test_sgf_of_others(self):
        read = records.read_sgf("( ;GM[4]FF[3] SZ[15]\nC[a \\] b ; (]\n;B[hh] ;W[hg](;B[aa])(;B[bb]))")
        self.assertEqual(read.moves, ("h8", "h9", "a15"))
        for bad in ("", "hello", "(;SZ[x];B[aa])", "(;SZ[15];B[a])", "(;SZ[15];W[aa])"):
            with self.assertRaises(records.RecordError):
                records.read_sgf(bad)
        with self.assertRaises(records.RecordError):
            records.read_psq("no")

    def test_another_library_reads_the_sgf(self):
        if importlib.util.find_spec("sgfmill") is None:
            return  # it is not part of the standard library
        from sgfmill import sgf
        for game in (Game(), Game("renju"), Game("tictactoe")):
            played = random_game(game, self.dice)
            tree = sgf.Sgf_game.from_bytes(records.sgf(played, game).encode())
            moves = [node.get_move() for node in tree.get_main_sequence()[1:]]
            self.assertEqual(" ".join(chr(97 + column) + str(row + 1) for _, (row, column) in moves), played["moves"])


class Page(unittest.TestCase):
    def test_it_holds_everything_and_asks_for_nothing(self):
        name = "</script><!-- B"
        games = [record(["a1", "b1"], "A", name, detail="</script>")]
        row = {"elo": 0.0, "error": None, "games": 1, "wins": 1, "draws": 0, "losses": 0, "points": 1.0, "forfeits": {}}
        results = {"title": "<b>T</b>", "mode": "roundrobin", "game": "g", "finished": True, "games_planned": 1,
                   "tolerance_ms": 50, "engines": {}, "standings": [{"name": "A", **row}, {"name": name, **row}],
                   "cross_table": {}, "sprt": None, "games": games}
        page = report(results, Game())
        self.assertEqual(page.count("</script>"), 2)
        self.assertIn("<title>&lt;b&gt;T&lt;/b&gt;</title>", page)
        self.assertEqual(set(re.findall(r"https?://[^\"' ]+", page)), {"http://www.w3.org/2000/svg"})
        data = json.loads(re.search(r'id="data">(.*)</script>', page)[1])
        self.assertEqual(data["games"][0]["m"], "a1 b1")
        self.assertEqual(data["standings"][1]["name"], name)


if __name__ == "__main__":
    unittest.main()
