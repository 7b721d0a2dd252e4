//! The `go` command: limits of which any combination may hold.
//!
//! Numbers too big saturate, negative times count as none left, a number that cannot be read is an error.

use super::command::{Command, CommandError};
use crate::rules::{Color, shown};
use crate::search::{Clock, Limits};
use crate::units::Depth;
use std::time::Duration;

/// A `go` as it was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    depth: Option<u64>,
    nodes: Option<u64>,
    move_time: Option<u64>,
    times: [Option<u64>; 2],
    increments: [Option<u64>; 2],
    moves_to_go: Option<u64>,
    /// `mate N`
    pub mate: Option<u64>,
    /// `infinite`
    pub infinite: bool,
    /// `ponder`
    pub ponder: bool,
    /// The texts after `searchmoves`.
    pub search_moves: Vec<String>,
}

const KEYWORDS: &str = "depth, nodes, movetime, wtime, btime, winc, binc, movestogo, mate, infinite, ponder, searchmoves, \
                        perft, p1time, p2time, p1inc or p2inc";

impl Go {
    /// Whether nothing bounds the search of the side to move, so that only `stop` ends it.
    pub fn is_unbounded(&self, side: Color) -> bool {
        let limits = self.limits(side);
        let bounded = limits.depth.is_some()
            || limits.nodes.is_some()
            || limits.move_time.is_some()
            || limits.clock.is_some()
            || limits.mate.is_some();
        self.infinite || !bounded
    }

    /// The limits for the side to move. First moves are not among them.
    pub fn limits(&self, side: Color) -> Limits {
        let [first, second] = self.times;
        let [first_increment, second_increment] = self.increments;
        let (left, increment) = match side {
            Color::First => (first, first_increment),
            Color::Second => (second, second_increment),
        };
        let clock = left.map(|left| Clock {
            left: millis(left),
            increment: millis(increment.unwrap_or(0)),
            moves_to_go: self.moves_to_go.map(|moves| u32::try_from(moves).unwrap_or(u32::MAX)),
        });
        Limits {
            depth: self.depth.map(Depth::saturating),
            nodes: self.nodes,
            move_time: self.move_time.map(millis).filter(|_| !self.infinite),
            clock: clock.filter(|_| !self.infinite),
            mate: self.mate.map(|moves| u16::try_from(moves).unwrap_or(u16::MAX)),
            search_moves: Vec::new(),
        }
    }
}

/// A time of a million years is as good as any longer one, and can still be added up.
fn millis(time: u64) -> Duration {
    Duration::from_millis(time.min(1 << 50))
}

/// Reads what follows `go`.
pub(super) fn read_go(rest: &str) -> Result<Command, CommandError> {
    let mut go = Go::default();
    let mut words = rest.split_ascii_whitespace().peekable();
    while let Some(word) = words.next() {
        let keyword = word.to_ascii_lowercase();
        let mut count = |name| number(name, words.next(), false);
        match keyword.as_str() {
            "depth" => go.depth = Some(count("depth")?),
            "nodes" => go.nodes = Some(count("nodes")?),
            "mate" => go.mate = Some(count("mate")?),
            "movestogo" => go.moves_to_go = Some(count("movestogo")?),
            "perft" => {
                let plies = u32::try_from(count("perft")?).unwrap_or(u32::MAX);
                return match words.next() {
                    None => Ok(Command::Perft(plies)),
                    Some(extra) => Err(CommandError::Unexpected(shown(extra), "nothing after 'go perft N'")),
                };
            }
            "movetime" => go.move_time = Some(number("movetime", words.next(), true)?),
            "wtime" | "p1time" => go.times[0] = Some(number("wtime", words.next(), true)?),
            "btime" | "p2time" => go.times[1] = Some(number("btime", words.next(), true)?),
            "winc" | "p1inc" => go.increments[0] = Some(number("winc", words.next(), true)?),
            "binc" | "p2inc" => go.increments[1] = Some(number("binc", words.next(), true)?),
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "searchmoves" => {
                while let Some(text) = words.next_if(|word| !is_keyword(word)) {
                    go.search_moves.push(text.into());
                }
                if go.search_moves.is_empty() {
                    return Err(CommandError::Missing("moves after 'searchmoves'"));
                }
            }
            _ => return Err(CommandError::Unexpected(shown(word), KEYWORDS)),
        }
    }
    Ok(Command::Go(Box::new(go)))
}

fn is_keyword(word: &str) -> bool {
    KEYWORDS.split(|c: char| !c.is_ascii_alphanumeric()).any(|known| known != "or" && known.eq_ignore_ascii_case(word))
}

/// A number; too big a one saturates. `signed`: it may be negative, and then counts as 0.
fn number(keyword: &'static str, word: Option<&str>, signed: bool) -> Result<u64, CommandError> {
    let word = word.unwrap_or("");
    let (digits, negative) = match word.strip_prefix('-') {
        Some(digits) => (digits, true),
        None => (word.strip_prefix('+').unwrap_or(word), false),
    };
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) && (signed || !negative);
    match is_number {
        true if negative => Ok(0),
        true => Ok(digits.parse().unwrap_or(u64::MAX)),
        false => Err(CommandError::Number(keyword, shown(word))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::command::parse_line;
    use proptest::prelude::*;
    use vampirc_uci::{UciMessage, UciTimeControl, parse_strict};

    fn go(line: &str) -> Go {
        match parse_line(line) {
            Ok(Some(Command::Go(go))) => *go,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn any_combination_of_limits_holds() {
        let go = go(
            "go ponder wtime 1000 btime -50 winc 10 depth 5 nodes 7 movetime 20 movestogo 3 mate 2 searchmoves h8 i9 infinite",
        );
        assert!(go.ponder && go.infinite && go.is_unbounded(Color::First));
        assert_eq!(go.search_moves, ["h8", "i9"]);
        assert_eq!((go.depth, go.nodes, go.move_time, go.mate), (Some(5), Some(7), Some(20), Some(2)));
        assert_eq!(go.times, [Some(1000), Some(0)]);
        assert_eq!(go.limits(Color::First).clock, None); // infinite
        assert_eq!(super::tests::go("go wtime 50 winc 5").limits(Color::First).clock.unwrap().increment, millis(5));
        assert_eq!(super::tests::go("go wtime 50 winc 5").limits(Color::Second).clock, None);
        assert_eq!(super::tests::go("go p1time 50 p2time 60").limits(Color::Second).clock.unwrap().left, millis(60));
        let unbounded = |line, side| super::tests::go(line).is_unbounded(side);
        assert!(unbounded("go", Color::First) && !unbounded("go ponder wtime 1", Color::First));
        // The opponent's clock bounds nothing.
        assert!(unbounded("go wtime 1", Color::Second) && unbounded("go p2time 1", Color::First));
    }

    #[test]
    fn numbers_saturate_and_what_is_none_is_an_error() {
        assert_eq!(go("go depth 300").limits(Color::First).depth, Some(Depth(300)));
        assert_eq!(go("go depth 99999").limits(Color::First).depth, Some(Depth::MAX));
        assert_eq!(go("go nodes 99999999999999999999").nodes, Some(u64::MAX));
        assert_eq!(go("go movetime 99999999999999999999").limits(Color::First).move_time, Some(millis(1 << 50)));
        for line in [
            "go depth -1",
            "go depth",
            "go depth five",
            "go depth 5.5",
            "go nodes x",
            "go nodes 1e6",
            "go mate -3",
            "go movetime",
            "go foo",
            "go infinite foo",
            "go searchmoves",
            "go searchmoves depth 3",
            "go perft",
            "go depth 5 perft 3 x",
            "go wtime 12x",
            "go depth depth 5",
        ] {
            assert!(parse_line(line).is_err(), "{line}");
        }
        assert_eq!(parse_line("go perft 3"), Ok(Some(Command::Perft(3))));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Where vampirc takes a whole line and has the types for it, both parsers say the same.
        #[test]
        fn we_agree_with_vampirc_on_what_it_can_express(
            depth in 0u64..256, nodes in 0u64..1_000_000, mate in 0u64..256, times in prop::option::of((0u64..100_000, 0u64..100_000)),
        ) {
            let clock = times.map(|(white, black)| format!(" wtime {white} btime {black}")).unwrap_or_default();
            let line = format!("go depth {depth} nodes {nodes} mate {mate}{clock}");
            let messages = parse_strict(&line).unwrap();
            let Some(UciMessage::Go { time_control, search_control: Some(control) }) = messages.into_iter().next() else {
                return Err(TestCaseError::fail("not a go"));
            };
            let ours = go(&line);
            prop_assert_eq!(control.depth.map(u64::from), ours.depth);
            prop_assert_eq!(control.nodes, ours.nodes);
            prop_assert_eq!(control.mate.map(u64::from), ours.mate);
            if let Some(UciTimeControl::TimeLeft { white_time, black_time, .. }) = time_control {
                prop_assert_eq!(white_time.map(|time| time.num_milliseconds() as u64), ours.times[0]);
                prop_assert_eq!(black_time.map(|time| time.num_milliseconds() as u64), ours.times[1]);
            }
        }

        #[test]
        fn no_line_makes_it_panic(line in "\\PC*") {
            let _ = parse_line(&line);
            let _ = parse_line(&format!("go {line}"));
            let _ = parse_line(&format!("setoption {line}"));
            let _ = parse_line(&format!("position {line}"));
        }
    }
}
