//! What `INFO` has told: rule, time, limits.

use crate::rules::{Game, Overline, Variant};
use crate::search::{Clock, Limits};
use crate::units::Depth;
use std::time::Duration;

/// Time for a move when nothing has been said about time.
const DEFAULT_TURN: u64 = 5_000;
/// With this turn and this match time Yixin-Board means "until it is stopped".
const UNLIMITED: (u64, u64) = (2_000_000, 100_000_000);

/// The settings of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Settings {
    /// Milliseconds a turn.
    turn: Option<u64>,
    /// Milliseconds a match; 0 means no limit.
    whole: Option<u64>,
    /// Milliseconds left.
    left: Option<u64>,
    increment: u64,
    depth: Option<u64>,
    nodes: Option<u64>,
    rule: u64,
    /// The client is Yixin-Board, which counts rules and coordinates in its own way.
    pub yixin: bool,
}

/// What an `INFO` leads to beyond being remembered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Nothing.
    Noted,
    /// The rule is another one.
    Rule,
    /// A move is wanted at once.
    Hurry,
    /// So many threads.
    Threads(u64),
    /// So many KiB of hash.
    Hash(u64),
    /// All in all at most so many bytes; 0 means no limit.
    Memory(u64),
    /// The value was not understood; the old one stays.
    Refused,
}

impl Settings {
    /// Takes in an `INFO`. Keys that mean nothing here are noted and forgotten.
    pub fn info(&mut self, key: &str, value: &str) -> Effect {
        // Numbers too big saturate, negative ones count as 0.
        let number = match value.split_ascii_whitespace().next().unwrap_or("").parse::<i128>() {
            Ok(number) => Some(u64::try_from(number.max(0)).unwrap_or(u64::MAX)),
            Err(_) => None,
        };
        let negative = value.starts_with('-');
        let Some(number) = number else {
            let numeric = ["timeout_turn", "timeout_match", "time_left", "time_increment", "max_depth", "max_node"];
            let refused = numeric.contains(&key) || ["rule", "thread_num", "hash_size", "max_memory"].contains(&key);
            return if refused { Effect::Refused } else { Effect::Noted };
        };
        match key {
            "timeout_turn" => {
                self.turn = Some(number);
                if number == 0 {
                    return Effect::Hurry;
                }
            }
            "timeout_match" => self.whole = Some(number),
            "time_left" => self.left = Some(number),
            "time_increment" => self.increment = number,
            "max_depth" => self.depth = Some(number).filter(|&depth| depth > 0 && !negative),
            "max_node" => self.nodes = Some(number).filter(|&nodes| nodes > 0 && !negative),
            "rule" if negative => return Effect::Refused,
            "rule" => {
                self.rule = number;
                return Effect::Rule;
            }
            "thread_num" => return if number == 0 { Effect::Refused } else { Effect::Threads(number) },
            "hash_size" => return if number == 0 { Effect::Refused } else { Effect::Hash(number) },
            "max_memory" => return Effect::Memory(number),
            _ => {}
        }
        Effect::Noted
    }

    /// The rules on a board. The rule is a sum: 4 renju, else 8 caro (overlines win in 8 alone), else 1 exactly five.
    pub fn game(&self, columns: u8, rows: u8) -> Option<Game> {
        let renju = self.rule & 4 != 0 || self.yixin && self.rule == 2;
        let game = match (renju, self.rule & 8 != 0, self.rule & 1 != 0) {
            (true, ..) => Game::new(Variant::Renju),
            (_, true, exact) => {
                Game::new(Variant::Caro).with_overline(if exact { Overline::Nothing } else { Overline::Wins })
            }
            (.., true) => Game::new(Variant::Gomoku),
            _ => Game::new(Variant::GomokuFreestyle),
        };
        game.with_columns(columns).and_then(|game| game.with_rows(rows)).ok()
    }

    /// The limits of the next search.
    pub fn limits(&self) -> Limits {
        let millis = |time: u64| Duration::from_millis(time.min(1 << 50));
        let unlimited = self.turn == Some(UNLIMITED.0) && self.whole == Some(UNLIMITED.1);
        let clock = match (self.whole, self.left) {
            (Some(0), _) => None,
            (Some(whole), left) => Some(left.unwrap_or(whole)),
            // Some clients tell nothing but what is left.
            (None, left) => left.filter(|_| self.turn.is_none()),
        };
        let turn = match (self.turn, clock) {
            (Some(turn), _) => Some(turn),
            (None, Some(_)) => None,
            (None, None) => Some(DEFAULT_TURN),
        };
        let clock =
            clock.map(|left| Clock { left: millis(left), increment: millis(self.increment), moves_to_go: None });
        Limits {
            depth: self.depth.map(Depth::saturating),
            nodes: self.nodes,
            move_time: turn.map(millis).filter(|_| !unlimited),
            clock: clock.filter(|_| !unlimited),
            ..Limits::default()
        }
    }

    /// Whether nothing but the client ends a search.
    pub fn is_unlimited(&self) -> bool {
        let limits = self.limits();
        limits.move_time.is_none() && limits.clock.is_none() && limits.nodes.is_none()
    }

    /// Milliseconds that a move loses on its way: the more the more there are to spare.
    pub fn overhead(&self) -> u64 {
        (self.turn.unwrap_or(DEFAULT_TURN) / 5).clamp(10, 30)
    }
}

/// MiB of hash that fit into a limit of all memory, in bytes: half of what is left beside the program and its threads.
pub(super) fn hash_within(memory: u64, threads: usize) -> u64 {
    const MOST: u64 = 256;
    let spare = (memory >> 20).saturating_sub(16 + 8 * threads as u64);
    match memory {
        0 => MOST,
        _ => (spare / 2).clamp(1, MOST),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(infos: &[(&str, &str)]) -> Settings {
        let mut settings = Settings::default();
        for (key, value) in infos {
            settings.info(key, value);
        }
        settings
    }

    fn times(infos: &[(&str, &str)]) -> (Option<u64>, Option<u64>) {
        let limits = told(infos).limits();
        let millis = |time: Duration| time.as_millis() as u64;
        (limits.move_time.map(millis), limits.clock.map(|clock| millis(clock.left)))
    }

    #[test]
    fn time_is_understood_as_each_client_means_it() {
        assert_eq!(times(&[]), (Some(5000), None));
        assert_eq!(times(&[("timeout_turn", "100")]), (Some(100), None));
        assert_eq!(times(&[("timeout_turn", "0")]), (Some(0), None));
        let free = [("timeout_turn", "100"), ("timeout_match", "0"), ("time_left", "2147483647")];
        assert_eq!(times(&free), (Some(100), None));
        assert_eq!(times(&[("time_left", "3000")]), (None, Some(3000)));
        assert_eq!(times(&[("time_left", "-5")]), (None, Some(0)));
        let both = [("timeout_turn", "5000"), ("timeout_match", "900000"), ("time_left", "1234")];
        assert_eq!(times(&both), (Some(5000), Some(1234)));
        assert_eq!(times(&[("timeout_match", "60000")]), (None, Some(60000)));
        let yixin = [("timeout_turn", "2000000"), ("timeout_match", "100000000"), ("time_left", "100000000")];
        assert_eq!(times(&yixin), (None, None));
        assert!(told(&yixin).is_unlimited());
    }

    #[test]
    fn rules_are_bit_sums_and_two_is_renju_for_yixin_board_alone() {
        let variant = |rule, yixin| {
            let settings = Settings { yixin, ..told(&[("rule", rule)]) };
            let game = settings.game(15, 15).unwrap();
            (game.variant(), game.overline())
        };
        assert_eq!(variant("0", false).0, Variant::GomokuFreestyle);
        assert_eq!(variant("1", false).0, Variant::Gomoku);
        assert_eq!(variant("2", false).0, Variant::GomokuFreestyle);
        assert_eq!(variant("2", true).0, Variant::Renju);
        assert_eq!(variant("4", false).0, Variant::Renju);
        assert_eq!(variant("5", false).0, Variant::Renju);
        assert_eq!(variant("8", false), (Variant::Caro, Overline::Wins));
        assert_eq!(variant("9", false), (Variant::Caro, Overline::Nothing));
    }

    #[test]
    fn odd_values_keep_the_old_ones() {
        let mut settings = told(&[("timeout_turn", "100"), ("rule", "4")]);
        let before = settings.clone();
        for (key, value) in
            [("timeout_turn", "soon"), ("rule", "-1"), ("rule", ""), ("thread_num", "0"), ("hash_size", "x")]
        {
            assert_eq!(settings.info(key, value), Effect::Refused, "{key} {value}");
        }
        for (key, value) in [("folder", "/tmp"), ("evaluate", "7,7"), ("caution_factor", "1"), ("nonsense", "")] {
            assert_eq!(settings.info(key, value), Effect::Noted, "{key} {value}");
        }
        assert_eq!(settings, before);
        assert_eq!(settings.info("max_node", "-1"), Effect::Noted);
        assert_eq!(settings.limits().nodes, None);
        assert_eq!(settings.info("max_memory", "99999999999999999999999"), Effect::Memory(u64::MAX));
    }

    #[test]
    fn the_hash_leaves_room_for_everything_else() {
        assert_eq!(hash_within(0, 1), 256);
        assert_eq!(hash_within(350 << 20, 1), 163);
        assert_eq!(hash_within(20 << 20, 1), 1);
        assert_eq!(hash_within(u64::MAX, 1), 256);
    }
}
