"""Games with engines that misbehave in every way: the right one loses, for the right reason, and the next one works."""

import unittest

from support import stub
from arena import local
from arena.adjudicate import Rules, verdict
from arena.game import Game, UnplayableGame
from arena.gomocup import read_score as gomocup_score
from arena.judge import JudgedBoard
from arena.limits import BadLimit, Limits
from arena.match import Job, Terms
from arena.player import MATE, Settings
from arena.specs import EngineSpec
from arena.uci import read_score
from referee import IllegalMove, VARIANTS
from uci_engine import EngineError

FAULTS = ("hang", "exit", "illegal", "late", "garbage", "flood", "newline", "twice", "unasked", "closed")
#: Patient, for the machine that runs the tests may be busy; `late` is later than this.
SETTINGS = Settings(tolerance=700, grace=1200, patience=2500, start=10000)
LATE = ("--lateness", 1.2)
LIMITS = Limits(movetime=50)


def spec(name, *arguments, limits=LIMITS):
    protocol = "gomocup" if "gomocup" in arguments else "uci"
    return EngineSpec(name, stub(*arguments), protocol, limits=limits)


def play(engines, jobs, game=Game(), adjudication=Rules(longest=30), concurrency=4, settings=SETTINGS):
    terms = Terms.from_json(Terms(game, tuple(engines), settings, adjudication).to_json())
    jobs = [Job(f"{first} {second}", "pair", first, second, tuple(opening)) for first, second, opening in jobs]
    return {record["id"]: record for record in local.play(terms, iter(jobs), concurrency) if record}


class Misbehaviour(unittest.TestCase):
    def check(self, protocol):
        good = spec("good", "--protocol", protocol)
        bad = [spec(fault, "--protocol", protocol, "--fault", fault, "--after", 1, *LATE) for fault in FAULTS]
        games = [(fault, "good", ()) for fault in FAULTS] + [("good", fault, ("h8", "i9")) for fault in FAULTS]
        records = play([good, *bad], games)
        self.assertEqual(len(records), 20)
        for record in records.values():
            fault = record["first"] if record["second"] == "good" else record["second"]
            self.assertEqual((record["reason"], record.get("loser")), (fault, fault), record)
            self.assertEqual(record["result"], "x" if record["first"] == "good" else "o")
            self.assertTrue(record["detail"] and record["log"])

    def test_uci(self):
        self.check("uci")

    def test_gomocup(self):
        self.check("gomocup")

    def test_engines_that_do_not_start(self):
        nothing = EngineSpec("nothing", ("/does/not/exist",), limits=LIMITS)
        settings = SETTINGS._replace(start=700)
        records = play([spec("mute", "--fault", "deaf-start", "--after", 0), nothing, spec("good")],
                       [("mute", "nothing", ()), ("nothing", "mute", ())], settings=settings)
        self.assertEqual({record["reason"] for record in records.values()}, {"start"})

    def test_after_a_fault_the_engine_plays_on(self):
        engines = [spec("good"), spec("bad", "--fault", "exit", "--after", 20)]
        records = play(engines, [("good", "bad", ()), ("bad", "good", ("h8", "i9"))], adjudication=Rules(longest=20))
        self.assertEqual([record["reason"] for record in records.values()], ["too long", "too long"])

    def test_a_slow_engine_without_time_limit_hangs_when_patience_ends(self):
        engines = [spec("good"), spec("slow", "--fault", "hang", limits=Limits(nodes=10))]
        settings = SETTINGS._replace(patience=500)
        record = play(engines, [("good", "slow", ())], settings=settings)["good slow"]
        self.assertEqual(record["reason"], "hang")

    def test_the_clock_runs_out(self):
        engines = [spec("good"), spec("slow", "--fault", "late", *LATE, limits=Limits(clock=300))]
        record = play(engines, [("slow", "good", ())])["slow good"]
        self.assertEqual((record["reason"], record.get("loser")), ("late", "slow"))


class HonestGames(unittest.TestCase):
    def test_both_protocols_on_many_boards(self):
        for game in (Game(), Game("renju"), Game("gomoku", 9, 7)):
            engines = [spec("uci"), spec("gomocup", "--protocol", "gomocup", "--seed", 2)]
            for record in play(engines, [("uci", "gomocup", ("d4",)), ("gomocup", "uci", ())], game).values():
                # A stub does not know the forbidden points, but is hardly ever near one.
                self.assertIn(record["reason"], ("too long", "line"), record)
        for variant in ("cfour", "tictactoe"):
            record = play([spec("a"), spec("b", "--seed", 4)], [("a", "b", ())], Game(variant), Rules())["a b"]
            self.assertIn(record["reason"], ("line", "full board"), record)

    def test_gomocup_does_not_play_every_game(self):
        with self.assertRaisesRegex(UnplayableGame, "five in a row only"):
            Game("cfour").gomocup_rule()
        for name, rule in (("gomokufreestyle", 0), ("gomoku", 1), ("renju", 4), ("caro", 9)):
            self.assertEqual(Game(name).gomocup_rule(), rule)


class Calling(unittest.TestCase):
    def test_resignation(self):
        rules = Rules(resign_score=500, resign_moves=2)
        self.assertIsNone(verdict(rules, [None, -600]))
        self.assertEqual(verdict(rules, [10, -600, 10, -700]), ("x", "resigned"))
        self.assertEqual(verdict(rules, [-600, 10, -500]), ("o", "resigned"))
        self.assertIsNone(verdict(rules, [-600, 10, None]))

    def test_draws(self):
        rules = Rules(draw_from=4, draw_score=5, draw_moves=2, longest=9)
        self.assertIsNone(verdict(rules, [0, 0, 0]))
        self.assertEqual(verdict(rules, [0, 5, -5, 0]), ("draw", "agreed"))
        self.assertIsNone(verdict(rules, [0, 6, 0, 0]))
        self.assertEqual(verdict(rules, [9] * 9), ("draw", "too long"))


class Reading(unittest.TestCase):
    def test_limits(self):
        limits = Limits().changed({"tc": "10+0.1", "nodes": "500"})
        self.assertEqual((limits.clock, limits.increment, limits.nodes), (10000, 100, 500))
        self.assertEqual(limits.text, "tc=10+0.1 nodes=500")
        self.assertEqual(Limits(clock=100, movetime=50).for_move(30), 30)
        self.assertIsNone(Limits(depth=3).for_move(None))
        for words in ({"tc": "x"}, {"tc": "0"}, {"nodes": "0"}, {"depth": "-1"}):
            with self.assertRaisesRegex(BadLimit, "expected"):
                Limits().changed(words)

    def test_scores(self):
        self.assertEqual(read_score("info depth 3 score cp -25 nodes 1".split(), None), -25)
        self.assertEqual(read_score("info score mate 3".split(), None), MATE - 3)
        self.assertEqual(read_score("info score mate -2".split(), None), 2 - MATE)
        self.assertEqual(read_score("info multipv 2 score cp 9".split(), 5), 5)
        for odd in ("info score cp", "info score cp --5", "info score mate \u00b2", "info score", "info score cp 9999999999"):
            self.assertEqual(read_score(odd.split(), 5), 5)
        self.assertEqual(gomocup_score("MESSAGE depth 3-5 ev -12 n 5", None), -12)
        self.assertEqual(gomocup_score("MESSAGE Depth 2-9 | Eval +M11 | Time", None), MATE - 6)
        self.assertEqual(gomocup_score("MESSAGE hello", 4), 4)


class Judges(unittest.TestCase):
    MOVES = "h8 a1 j8 a3 i9 a5 i10 a7".split()

    def board(self, judge):
        board = JudgedBoard(VARIANTS["renju"], judge)
        for move in self.MOVES:
            board.play(move)
        return board

    def test_the_engines_word_counts_and_a_difference_is_noted(self):
        class Strange:
            def forbidden(self, moves):
                return {"a9"} if len(moves) == 8 else set()
        board = self.board(Strange())
        with self.assertRaisesRegex(IllegalMove, "foul"):
            board.play("a9")
        board.play("i8")
        self.assertEqual(len(board.notes), 2)

    def test_without_an_engine_the_definitions_decide(self):
        class Broken:
            def forbidden(self, moves):
                raise EngineError("gone")

            def close(self):
                pass
        for judge in (None, Broken()):
            board = self.board(judge)
            with self.assertRaisesRegex(IllegalMove, "foul"):
                board.play("i8")
            board.play("a9")


if __name__ == "__main__":
    unittest.main()
