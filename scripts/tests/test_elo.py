"""Elo and its errors, and the sequential test, against what is known in closed form."""

import math
import random
import unittest

import support  # noqa: F401
from arena import elo, sprt


class Ratings(unittest.TestCase):
    def test_expected_and_difference_are_inverse(self):
        self.assertAlmostEqual(elo.expected(0), 0.5)
        self.assertAlmostEqual(elo.expected(400), 10 / 11)
        self.assertAlmostEqual(elo.difference(elo.expected(123.4)), 123.4)

    def test_two_players_are_as_far_apart_as_their_score_says(self):
        pairs = [[("A", "B", 1.0), ("B", "A", 0.0)]] * 750 + [[("A", "B", 0.0), ("B", "A", 1.0)]] * 250
        ratings = elo.ratings(["A", "B"], pairs)
        self.assertAlmostEqual(ratings["A"][0] - ratings["B"][0], elo.difference(0.75), delta=0.5)
        self.assertAlmostEqual(ratings["A"][0], -ratings["B"][0])

    def test_errors_are_those_of_pairs_not_of_games(self):
        # Both games of a pair always end alike: a thousand pairs are worth a thousand games, not two thousand.
        pairs = [[("A", "B", 1.0), ("B", "A", 0.0)]] * 500 + [[("A", "B", 0.0), ("B", "A", 1.0)]] * 500
        error = elo.ratings(["A", "B"], pairs)["A"][1]
        # Half the difference, whose slope at an even score is 4 * 400 / ln 10 of a deviation of 1 / (2 sqrt 1000).
        self.assertAlmostEqual(error, 1.96 * 0.5 * 4 * elo.SCALE * 0.5 / math.sqrt(1000), delta=0.1)

    def test_split_pairs_have_no_error_of_single_games(self):
        pairs = [[("A", "B", 1.0), ("B", "A", 1.0)]] * 100
        self.assertLess(elo.ratings(["A", "B"], pairs)["A"][1], 1)

    def test_whoever_lost_everything_has_a_rating_and_a_wide_error(self):
        ratings = elo.ratings(["A", "B"], [[("A", "B", 1.0), ("B", "A", 0.0)]] * 20)
        self.assertTrue(300 < ratings["A"][0] - ratings["B"][0] < 1500)
        self.assertGreater(ratings["A"][1], 100)

    def test_three_players_are_put_on_one_scale(self):
        pairs = []
        for a, b, gap in (("A", "B", 100), ("B", "C", 100), ("A", "C", 200)):
            wins = round(1000 * elo.expected(gap))
            pairs += [[(a, b, 1.0)]] * wins + [[(a, b, 0.0)]] * (1000 - wins)
        ratings = elo.ratings(["A", "B", "C"], pairs)
        for name, expected in (("A", 100), ("B", 0), ("C", -100)):
            self.assertAlmostEqual(ratings[name][0], expected, delta=1)

    def test_players_without_games_or_opponents_do_no_harm(self):
        self.assertEqual(elo.ratings(["A", "B"], [])["A"], (0.0, math.inf))
        self.assertGreater(elo.ratings(["A", "B", "C"], [[("A", "B", 0.5)]])["C"][1], 100)


class SequentialTest(unittest.TestCase):
    def test_bounds_are_walds(self):
        low, high = sprt.Test(alpha=0.05, beta=0.05).bounds
        self.assertAlmostEqual(high, math.log(19))
        self.assertAlmostEqual(low, -math.log(19))
        self.assertAlmostEqual(sprt.Test(alpha=0.01, beta=0.2).bounds[1], math.log(80))

    def test_all_or_nothing_pairs_have_the_ratio_of_coin_tosses(self):
        test = sprt.Test(0, 50)
        s0, s1 = elo.expected(0), elo.expected(50)
        expected = 700 * math.log(s1 / s0) + 300 * math.log((1 - s1) / (1 - s0))
        self.assertAlmostEqual(test.ratio([300, 0, 0, 0, 700]), expected, delta=0.01)

    def test_near_hypotheses_have_the_ratio_of_a_normal_distribution(self):
        counts = [100, 220, 400, 250, 130]
        pairs, test = sum(counts), sprt.Test(0, 4)
        mean = sum(c * s for c, s in zip(counts, sprt.SCORES)) / pairs
        variance = sum(c * (s - mean) ** 2 for c, s in zip(counts, sprt.SCORES)) / pairs
        s0, s1 = elo.expected(0), elo.expected(4)
        self.assertAlmostEqual(test.ratio(counts), pairs * (s1 - s0) * (2 * mean - s0 - s1) / 2 / variance, delta=0.02)

    def test_no_pairs_no_verdict_and_signs(self):
        test = sprt.Test(0, 10)
        self.assertEqual(test.ratio([0] * 5), 0)
        self.assertIsNone(test.verdict([0] * 5))
        self.assertEqual(test.verdict([0, 0, 0, 0, 300]), "H1")
        self.assertEqual(test.verdict([300, 0, 0, 0, 0]), "H0")
        self.assertAlmostEqual(sprt.Test(-10, 10).ratio([20, 30, 50, 30, 20]), 0, delta=1e-6)

    def test_verdicts_are_right_as_often_as_promised(self):
        test, dice = sprt.Test(0, 60), random.Random(7)
        for true_elo, verdict in ((0, "H0"), (60, "H1")):
            right = sum(self.play(test, elo.expected(true_elo), dice) == verdict for _ in range(100))
            self.assertGreaterEqual(right, 90, f"at {true_elo} Elo")

    def play(self, test, score, dice):
        counts = [0] * 5
        while True:
            wins = (dice.random() < score) + (dice.random() < score)
            counts[2 * wins] += 1
            if verdict := test.verdict(counts):
                return verdict

    def test_counting_and_elo(self):
        self.assertEqual(sprt.count_pairs([0, 0.5, 1, 1.5, 2, 2]), [1, 1, 1, 1, 2])
        value, error = sprt.elo_of_counts([25, 0, 50, 0, 25])
        self.assertAlmostEqual(value, 0)
        self.assertAlmostEqual(error, 1.96 * math.sqrt(0.125 / 100) * 4 * elo.SCALE, delta=0.5)
        self.assertEqual(sprt.elo_of_counts([0, 0, 0, 0, 3])[0], math.inf)


if __name__ == "__main__":
    unittest.main()
