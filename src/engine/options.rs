//! The engine's options: each with its name, kind and range, once, in one table.

use super::strength;
use crate::rules::{Game, Overline, Variant, shown};
use crate::search::Skill;
use std::fmt;
use std::time::Duration;

/// Which option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionId {
    /// Size of the hash table in MiB.
    Hash,
    /// Empties the hash table.
    ClearHash,
    /// Number of search threads.
    Threads,
    /// Number of best lines.
    MultiPv,
    /// Whether early positions are answered from the opening table.
    OwnBook,
    /// Whether the client will let the engine ponder.
    Ponder,
    /// Milliseconds lost per move on the way to the clock.
    MoveOverhead,
    /// The named game.
    Variant,
    /// Columns of the board.
    Columns,
    /// Rows of the board.
    Rows,
    /// How many in a row win.
    LineLength,
    /// Whether stones fall.
    Gravity,
    /// What overlines are worth.
    Overline,
    /// How moves are written.
    MoveFormat,
    /// Whether the client analyses and does not play.
    AnalyseMode,
    /// Whether info lines carry chances.
    ShowWdl,
    /// Strength, 0 to 20.
    SkillLevel,
    /// Whether `UCI_Elo` bounds the strength.
    LimitStrength,
    /// The strength in Elo.
    Elo,
    /// A file that records the session.
    DebugLogFile,
}

/// What values an option takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// A number in a range.
    Spin {
        /// At the start.
        default: i64,
        /// The least.
        min: i64,
        /// The greatest.
        max: i64,
    },
    /// True or false.
    Check {
        /// At the start.
        default: bool,
    },
    /// One of these.
    Combo {
        /// At the start.
        default: &'static str,
        /// All values.
        values: Vec<&'static str>,
    },
    /// Something to press.
    Button,
    /// Any text; empty at the start.
    Text,
}

/// The form in which the engine writes moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveFormat {
    /// As the client does.
    Auto,
    /// `h8`
    Plain,
    /// `P@h8`
    Drop,
    /// `d`, under gravity.
    Column,
}

impl MoveFormat {
    const NAMES: [(&'static str, MoveFormat); 4] = [
        ("auto", MoveFormat::Auto),
        ("plain", MoveFormat::Plain),
        ("drop", MoveFormat::Drop),
        ("column", MoveFormat::Column),
    ];
}

/// Options that clients set as a matter of course and that mean nothing here.
const FOREIGN: [&str; 15] = [
    "UCI_Chess960",
    "UCI_Opponent",
    "UCI_EngineAbout",
    "UCI_ShowCurrLine",
    "UCI_ShowRefutations",
    "UCI_SetPositionValue",
    "SyzygyPath",
    "SyzygyProbeDepth",
    "SyzygyProbeLimit",
    "Syzygy50MoveRule",
    "NalimovPath",
    "NalimovCache",
    "VariantPath",
    "EvalFile",
    "Use NNUE",
];

/// The options by name, in the order in which they are listed.
const NAMES: [(OptionId, &str); 20] = [
    (OptionId::DebugLogFile, "Debug Log File"),
    (OptionId::Threads, "Threads"),
    (OptionId::Hash, "Hash"),
    (OptionId::ClearHash, "Clear Hash"),
    (OptionId::OwnBook, "OwnBook"),
    (OptionId::Ponder, "Ponder"),
    (OptionId::MultiPv, "MultiPV"),
    (OptionId::SkillLevel, "Skill Level"),
    (OptionId::MoveOverhead, "Move Overhead"),
    (OptionId::Variant, "UCI_Variant"),
    (OptionId::Columns, "Columns"),
    (OptionId::Rows, "Rows"),
    (OptionId::LineLength, "Line Length"),
    (OptionId::Gravity, "Gravity"),
    (OptionId::Overline, "Overline"),
    (OptionId::MoveFormat, "Move Format"),
    (OptionId::AnalyseMode, "UCI_AnalyseMode"),
    (OptionId::LimitStrength, "UCI_LimitStrength"),
    (OptionId::Elo, "UCI_Elo"),
    (OptionId::ShowWdl, "UCI_ShowWDL"),
];

impl OptionId {
    /// All options, in the order in which they are listed.
    pub fn all() -> impl Iterator<Item = OptionId> {
        NAMES.iter().map(|(id, _)| *id)
    }

    /// The name.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(id, _)| *id == self).map_or("", |(_, name)| name)
    }

    /// The kind and range. That of `UCI_Elo` depends on the game.
    pub fn kind(self, game: &Game) -> OptionKind {
        let spin = |default, min, max| OptionKind::Spin { default, min, max };
        let check = |default| OptionKind::Check { default };
        match self {
            OptionId::Hash => spin(16, 1, 1 << 20),
            OptionId::ClearHash => OptionKind::Button,
            OptionId::Threads => spin(1, 1, 256),
            OptionId::MultiPv => spin(1, 1, 256),
            OptionId::OwnBook => check(true),
            OptionId::Ponder => check(false),
            OptionId::MoveOverhead => spin(10, 0, 5000),
            OptionId::Variant => {
                let values = Variant::ALL.into_iter().flat_map(|variant| variant.names()).copied().collect();
                OptionKind::Combo { default: Variant::GomokuFreestyle.name(), values }
            }
            OptionId::Columns | OptionId::Rows => spin(15, 1, 26),
            OptionId::LineLength => spin(5, i64::from(*Game::LINES.start()), i64::from(*Game::LINES.end())),
            OptionId::Gravity => check(false),
            OptionId::Overline => {
                OptionKind::Combo { default: Overline::Wins.name(), values: Overline::ALL.map(Overline::name).into() }
            }
            OptionId::MoveFormat => {
                OptionKind::Combo { default: "auto", values: MoveFormat::NAMES.map(|(name, _)| name).into() }
            }
            OptionId::AnalyseMode | OptionId::ShowWdl | OptionId::LimitStrength => check(false),
            OptionId::SkillLevel => spin(20, 0, 20),
            OptionId::Elo => {
                let (min, max) = strength::range(game);
                spin(max, min, max)
            }
            OptionId::DebugLogFile => OptionKind::Text,
        }
    }
}

/// Why an option was not set. The old value stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionError {
    /// There is no such option.
    Unknown(String),
    /// The option needs a value.
    NoValue(OptionId),
    /// The value is not a number in the range.
    Range(OptionId, String, i64, i64),
    /// The value is not one of these.
    Value(OptionId, String, Vec<&'static str>),
    /// So many MiB are not to be had; the second number is what is, if that is known.
    Memory(i64, Option<u64>),
    /// The log file cannot be written, and why.
    Log(String, String),
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::Unknown(name) => write!(f, "unknown option '{name}'; 'uci' lists the options"),
            OptionError::NoValue(id) => write!(f, "option '{0}' needs a value: setoption name {0} value V", id.name()),
            OptionError::Range(id, value, min, max) => {
                write!(f, "value '{value}' for option '{}'; expected a number from {min} to {max}", id.name())
            }
            OptionError::Value(id, value, values) => {
                write!(f, "value '{value}' for option '{}'; expected one of: {}", id.name(), values.join(", "))
            }
            OptionError::Memory(wanted, Some(available)) => {
                write!(f, "a hash of {wanted} MB is more than the memory available; expected at most {available}")
            }
            OptionError::Memory(wanted, None) => {
                write!(f, "the system refuses the memory for a hash of {wanted} MB; expected less")
            }
            OptionError::Log(path, why) => write!(f, "cannot write the log file '{path}': {why}"),
        }
    }
}

impl std::error::Error for OptionError {}

/// A value that has been read and is in range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// Of a spin option.
    Number(i64),
    /// Of a check option.
    Flag(bool),
    /// Of a combo option, as the table has it; of a text option, as it came.
    Text(String),
    /// A button was pressed.
    Pressed,
}

/// Reads a `setoption`. `None` is an option of other engines that is passed over in silence.
///
/// # Errors
/// The name is unknown or the value does not fit.
pub fn read(name: &str, value: Option<&str>, game: &Game) -> Result<Option<(OptionId, OptionValue)>, OptionError> {
    let name = name.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    let known = NAMES.iter().find(|(_, known)| known.eq_ignore_ascii_case(&name));
    let Some(&(id, _)) = known else {
        let foreign = FOREIGN.iter().any(|foreign| foreign.eq_ignore_ascii_case(&name));
        return if foreign { Ok(None) } else { Err(OptionError::Unknown(shown(&name))) };
    };
    let kind = id.kind(game);
    let text = match (value.map(str::trim), &kind) {
        (_, OptionKind::Button) => return Ok(Some((id, OptionValue::Pressed))),
        (None | Some("<empty>"), OptionKind::Text) => "",
        (Some(text), _) if !text.is_empty() => text,
        _ => return Err(OptionError::NoValue(id)),
    };
    let value = match kind {
        OptionKind::Spin { min, max, .. } => {
            let number = text.parse().ok().filter(|number| (min..=max).contains(number));
            OptionValue::Number(number.ok_or_else(|| OptionError::Range(id, shown(text), min, max))?)
        }
        OptionKind::Check { .. } => match text.to_ascii_lowercase().as_str() {
            "true" => OptionValue::Flag(true),
            "false" => OptionValue::Flag(false),
            _ => return Err(OptionError::Value(id, shown(text), vec!["true", "false"])),
        },
        OptionKind::Combo { values, .. } => match values.iter().find(|known| known.eq_ignore_ascii_case(text)) {
            Some(known) => OptionValue::Text((*known).into()),
            None => return Err(OptionError::Value(id, shown(text), values)),
        },
        OptionKind::Button => OptionValue::Pressed,
        OptionKind::Text => OptionValue::Text(text.into()),
    };
    Ok(Some((id, value)))
}

/// The values of the options that are not part of the game.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// MiB of hash.
    pub hash: usize,
    /// Search threads.
    pub threads: usize,
    /// Best lines.
    pub lines: usize,
    /// Early positions are answered from the opening table.
    pub own_book: bool,
    /// A `bestmove` names the expected reply.
    pub ponder: bool,
    /// Lost per move.
    pub overhead: Duration,
    /// How moves are written.
    pub move_format: MoveFormat,
    /// Analysis: full strength whatever else is set.
    pub analyse: bool,
    /// Chances in info lines.
    pub show_wdl: bool,
    /// 0 to 20.
    pub skill_level: i64,
    /// `elo` holds.
    pub limit_strength: bool,
    /// The rating asked for; `None` for the game's greatest.
    pub elo: Option<i64>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash: 16,
            threads: 1,
            lines: 1,
            own_book: true,
            ponder: false,
            overhead: Duration::from_millis(10),
            move_format: MoveFormat::Auto,
            analyse: false,
            show_wdl: false,
            skill_level: 20,
            limit_strength: false,
            elo: None,
        }
    }
}

impl Options {
    /// Sets an option that is a plain value; `false` for those that do more, and are not set here.
    pub(super) fn set(&mut self, id: OptionId, value: &OptionValue) -> bool {
        match (id, value) {
            (OptionId::Threads, OptionValue::Number(threads)) => self.threads = *threads as usize,
            (OptionId::MultiPv, OptionValue::Number(lines)) => self.lines = *lines as usize,
            (OptionId::MoveOverhead, OptionValue::Number(millis)) => {
                self.overhead = Duration::from_millis(*millis as u64);
            }
            (OptionId::SkillLevel, OptionValue::Number(level)) => self.skill_level = *level,
            (OptionId::Elo, OptionValue::Number(elo)) => self.elo = Some(*elo),
            (OptionId::OwnBook, OptionValue::Flag(on)) => self.own_book = *on,
            (OptionId::Ponder, OptionValue::Flag(on)) => self.ponder = *on,
            (OptionId::AnalyseMode, OptionValue::Flag(on)) => self.analyse = *on,
            (OptionId::ShowWdl, OptionValue::Flag(on)) => self.show_wdl = *on,
            (OptionId::LimitStrength, OptionValue::Flag(on)) => self.limit_strength = *on,
            (OptionId::MoveFormat, OptionValue::Text(name)) => {
                if let Some((_, format)) = MoveFormat::NAMES.iter().find(|(known, _)| known == name) {
                    self.move_format = *format;
                }
            }
            _ => return false,
        }
        true
    }

    /// The skill to play with in a game; `None` for full strength.
    pub fn skill(&self, game: &Game) -> Option<Skill> {
        match (self.analyse, self.limit_strength) {
            (true, _) => None,
            (_, true) => strength::skill(self.elo.unwrap_or(i64::MAX), game),
            _ => Skill::of_level(self.skill_level as f64),
        }
    }
}

/// A game with one option changed; `None` if the option is not part of the game.
pub(super) fn change_game(game: Game, id: OptionId, value: &OptionValue) -> Option<Game> {
    match (id, value) {
        (OptionId::Variant, OptionValue::Text(name)) => Variant::from_name(name).map(Game::new),
        (OptionId::Columns, OptionValue::Number(n)) => game.with_columns(u8::try_from(*n).ok()?).ok(),
        (OptionId::Rows, OptionValue::Number(n)) => game.with_rows(u8::try_from(*n).ok()?).ok(),
        (OptionId::LineLength, OptionValue::Number(n)) => game.with_line(u8::try_from(*n).ok()?).ok(),
        (OptionId::Gravity, OptionValue::Flag(on)) => Some(game.with_gravity(*on)),
        (OptionId::Overline, OptionValue::Text(name)) => Overline::from_name(name).map(|it| game.with_overline(it)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(name: &str, value: Option<&str>) -> Result<Option<(OptionId, OptionValue)>, OptionError> {
        read(name, value, &Game::new(Variant::GomokuFreestyle))
    }

    #[test]
    fn names_are_blind_to_case_and_runs_of_blanks() {
        assert_eq!(set("hash", Some("32")), Ok(Some((OptionId::Hash, OptionValue::Number(32)))));
        assert_eq!(set("CLEAR   hash", None), Ok(Some((OptionId::ClearHash, OptionValue::Pressed))));
        let variant = set("uci_variant", Some("Gomoku "));
        assert_eq!(variant, Ok(Some((OptionId::Variant, OptionValue::Text("gomoku".into())))));
        let log = set("Debug Log File", Some("a dir/b.log"));
        assert_eq!(log, Ok(Some((OptionId::DebugLogFile, OptionValue::Text("a dir/b.log".into())))));
        assert_eq!(set("UCI_chess960", Some("true")), Ok(None));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for (id, value) in [("Threads", "0"), ("Threads", "257"), ("Hash", "-1"), ("Hash", "1e3"), ("Rows", "27")] {
            assert!(matches!(set(id, Some(value)), Err(OptionError::Range(..))), "{id} {value}");
        }
        assert!(matches!(set("Hash", None), Err(OptionError::NoValue(OptionId::Hash))));
        assert!(matches!(set("Hash", Some("")), Err(OptionError::NoValue(OptionId::Hash))));
        assert!(matches!(set("Ponder", Some("maybe")), Err(OptionError::Value(..))));
        assert!(matches!(set("UCI_Variant", Some("chess")), Err(OptionError::Value(..))));
        assert!(matches!(set("Hashish", Some("1")), Err(OptionError::Unknown(_))));
    }

    #[test]
    fn every_default_is_in_its_own_range_and_no_name_begins_a_value() {
        let game = Game::new(Variant::GomokuFreestyle);
        for id in OptionId::all() {
            // "setoption name X value Y" cannot be told apart otherwise.
            assert!(id.name().split(' ').all(|word| !word.to_ascii_lowercase().starts_with("value")));
            match id.kind(&game) {
                OptionKind::Spin { default, min, max } => assert!((min..=max).contains(&default)),
                OptionKind::Combo { default, values } => assert!(values.contains(&default)),
                _ => {}
            }
        }
    }
}
