"""Whole tournaments through the command line: kill -9 and resume, verdicts, openings, and errors in one line."""

import json
import os
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from support import engine_argument, tournament, tournament_command
from arena.openings import BadOpening, FileOpenings, RandomOpenings
from arena.schedule import jobs, pairings
from referee import VARIANTS

FAST = ("--judge", "none", "--nodes", "1")


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = Path(folder.name) / "out"

    def games(self):
        return [json.loads(line) for line in (self.out / "games.jsonl").read_text().splitlines()]


class Resume(Folder):
    ENGINES = [*engine_argument("a"), *engine_argument("b", "--seed", 2), *engine_argument("c", "--seed", 3)]

    def test_nothing_is_lost_or_repeated_by_kill_9(self):
        command = tournament_command("roundrobin", *self.ENGINES, *FAST, "--rounds", 10, "--max-plies", 24,
                                     "--concurrency", 2, "--out", self.out)
        for wanted in (5, 20, 35):
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.wait_for_games(wanted, process)
            process.kill()
            process.wait()
            command = tournament_command("--resume", self.out)
        with open(self.out / "games.jsonl", "a") as file:
            file.write('{"id":"a - b #1 a","mov')
        done = tournament("--resume", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        ids = [game["id"] for game in self.games()]
        expected = {f"{pair} #{number} {colours}" for pair in ("a - b", "a - c", "b - c") for number in range(1, 11)
                    for colours in "ab"}
        self.assertEqual(sorted(ids), sorted(expected))
        self.assertEqual(len(list((self.out / "sgf").glob("*.sgf"))), 60)
        self.assertEqual(len(list((self.out / "psq").glob("*.psq"))), 60)
        self.check_pairs()
        again = tournament("--resume", self.out)
        self.assertEqual((again.returncode, len(self.games())), (0, 60))

    def wait_for_games(self, wanted, process):
        end = time.monotonic() + 30
        path = self.out / "games.jsonl"
        while not path.exists() or path.read_bytes().count(b"\n") < wanted:
            self.assertLess(time.monotonic(), end, "no games")
            self.assertIsNone(process.poll(), "ended too soon")
            time.sleep(0.01)

    def check_pairs(self):
        """Both games of a pair have the same opening and the colours exchanged."""
        pairs = {}
        for game in self.games():
            pairs.setdefault(game["pair"], []).append(game)
        for one, other in pairs.values():
            self.assertEqual(one["moves"].split()[:one["opening"]], other["moves"].split()[:other["opening"]])
            self.assertEqual((one["first"], one["second"]), (other["second"], other["first"]))

    @unittest.skipIf(os.name != "posix", "signals are POSIX's")
    def test_an_interrupt_saves_what_there_is(self):
        command = tournament_command("roundrobin", *self.ENGINES, *FAST, "--rounds", 500, "--max-plies", 24,
                                     "--out", self.out)
        # A shell starts what it puts into the background deaf to Ctrl-C, and so would be the tournament.
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        self.addCleanup(process.kill)
        self.wait_for_games(3, process)
        refused = tournament("--resume", self.out)
        self.assertEqual((refused.returncode, "another process" in refused.stderr), (2, True))
        process.send_signal(signal.SIGINT)
        output, error = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(error.splitlines()[-1], "tournament.py: interrupted; --resume goes on")
        self.assertIn("engine", output)
        self.assertFalse(json.loads((self.out / "results.json").read_text())["finished"])


class Courses(Folder):
    def test_a_gauntlet_with_a_table_and_a_page(self):
        done = tournament("gauntlet", *engine_argument("good"), *engine_argument("other", "--protocol", "gomocup"),
                          *engine_argument("quits", "--fault", "exit"), *FAST, "--rounds", 2, "--max-plies", 20,
                          "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        results = json.loads((self.out / "results.json").read_text())
        self.assertEqual(results["cross_table"]["good"]["quits"], [4, 0, 0])
        rows = {row["name"]: row for row in results["standings"]}
        self.assertEqual(rows["quits"]["forfeits"], {"exit": 4})
        self.assertEqual((rows["good"]["games"], rows["other"]["games"]), (8, 4))
        self.assertIn("</html>", (self.out / "report.html").read_text())

    def test_sprt_of_a_known_difference(self):
        good, bad = engine_argument("good"), engine_argument("bad", "--fault", "exit", "--after", 1)
        for engines, verdict in (((*good, *bad), "H1"), ((*bad, *good), "H0")):
            folder = self.out / verdict
            done = tournament("sprt", *engines, *FAST, "--elo1", 200, "--rounds", 40, "--concurrency", 2,
                              "--out", folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            results = json.loads((folder / "results.json").read_text())
            self.assertEqual(results["sprt"]["verdict"], verdict)
            self.assertLess(len(results["games"]), 80)

    def test_games_where_stones_fall_are_move_strings_too(self):
        done = tournament("roundrobin", *engine_argument("a"), *engine_argument("b", "--seed", 2), *FAST, "--variant",
                          "cfour", "--rounds", 1, "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse((self.out / "psq").exists())
        for path in (self.out / "moves").iterdir():
            self.assertRegex(path.read_text(), r"^[1-7]{8,42}\n$")


class Arguments(Folder):
    def test_errors_are_one_line_and_exit_2(self):
        two = [*engine_argument("a"), *engine_argument("b")]
        for arguments, expected in (
            (["roundrobin"], "--out FOLDER"),
            (["roundrobin", *engine_argument("a"), *FAST], "2 or more times --engine"),
            (["sprt", *two, *engine_argument("c"), *FAST], "expected 2 times --engine"),
            (["roundrobin", *two, "--judge", "none"], "may think for ever"),
            (["roundrobin", *two, *two, *FAST], "two engines are named 'a'"),
            (["roundrobin", "--engine", "/no/such", *FAST], "no program '/no/such'"),
            (["roundrobin", "--engine", "cmd=x colour=blue", *FAST], "'colour=blue'; expected"),
            (["roundrobin", *two, *FAST, "--tc", "fast"], "as in 10+0.1"),
            (["roundrobin", *two, *FAST, "--openings", "/no/such"], "openings /no/such"),
            (["roundrobin", *two, *FAST, "--board", "40x2"], "expected 1 to 26"),
            (["sprt", *two, *FAST, "--elo0", "9"], "expected elo0 below elo1"),
            (["roundrobin", *two, "--nodes", "5", "--judge", "/no/such"], "judge '/no/such'"),
        ):
            done = tournament(*arguments, *(() if expected == "--out FOLDER" else ("--out", self.out)))
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
            self.assertIn(expected, done.stderr)
        self.assertFalse(self.out.exists())
        done = tournament("--resume", self.out)
        self.assertEqual((done.returncode, "no tournament in" in done.stderr), (2, True))
        done = tournament("--resume", self.out, "--rounds", 3)
        self.assertEqual((done.returncode, "--resume with rounds; " in done.stderr), (2, True))

    def test_gomocup_engines_are_refused_games_that_they_cannot_play(self):
        done = tournament("roundrobin", *engine_argument("a"), *engine_argument("b", "--protocol", "gomocup"), *FAST,
                          "--variant", "cfour", "--out", self.out)
        self.assertEqual(done.returncode, 2)
        self.assertIn("five in a row only", done.stderr)


class Openings(Folder):
    def test_files(self):
        self.out.mkdir()
        path = self.out / "openings"
        path.write_text('# comment\nh8 i9 g9\n\n{"moves": "h8 h9", "id": 3}\n{"moves": ["a1"]}\n')
        openings = FileOpenings(path, VARIANTS["renju"])
        self.assertEqual(openings.lines, [("h8", "i9", "g9"), ("h8", "h9"), ("a1",)])
        self.assertEqual(openings.opening(3), openings.opening(0))
        for text, expected in (("h8 h8", "line 1: 'h8' is occupied"), ("h8\n{}", "line 2"), ("", "no openings"),
                               ("{", "line 1"), ("a1 a2 b1 b2 c1 c2 d1 d2 e1", "the game is over")):
            path.write_text(text)
            with self.assertRaisesRegex(BadOpening, expected):
                FileOpenings(path, VARIANTS["renju"])

    def test_random_ones_are_the_same_for_the_same_seed(self):
        rules = VARIANTS["gomokufreestyle"]
        one, other = ([RandomOpenings(rules, 5, seed).opening(number) for number in range(20)] for seed in (1, 1))
        self.assertEqual(one, other)
        self.assertGreater(len(set(one)), 15)
        self.assertNotEqual(one, [RandomOpenings(rules, 5, 2).opening(number) for number in range(20)])

    def test_random_ones_are_balanced(self):
        class Judge:
            def score(self, moves, nodes):
                return None if moves[0] == "d1" else 1000 if moves[0] < "d1" else 3
        made = [RandomOpenings(VARIANTS["cfour"], 3, 1, Judge()).opening(number) for number in range(20)]
        self.assertTrue(all(moves[0] > "d1" for moves in made))

        class Stern:
            def score(self, moves, nodes):
                return 1000
        with self.assertRaisesRegex(BadOpening, "greater --balance"):
            RandomOpenings(VARIANTS["cfour"], 3, 1, Stern()).opening(0)

    def test_the_schedule(self):
        self.assertEqual(pairings("gauntlet", ["a", "b", "c"]), [("a", "b"), ("a", "c")])
        self.assertEqual(len(pairings("roundrobin", list("abcd"))), 6)
        made = list(jobs([("a", "b")], 2, lambda number: (f"a{number + 1}",), {"a - b #1 b": ["h8"]}))
        self.assertEqual([(job.id, job.first, job.opening) for job in made],
                         [("a - b #1 a", "a", ("h8",)), ("a - b #2 a", "a", ("a2",)), ("a - b #2 b", "b", ("a2",))])


if __name__ == "__main__":
    unittest.main()
